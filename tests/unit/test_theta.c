/* SPDX-License-Identifier: Apache-2.0 */
/* theta: the posterior of a family whose log-odds are linear, written as a linear function, is Bayes' rule. */
#include "random_tables.h"

/* Facts of one block's theta against class 0, and what they add up to for row i. */
typedef struct odds {
    const ilk_model *m;
    const batch *b;
    size_t i, used;
    uint32_t k;
    double sum;
} odds;

static bool same(ilk_str a, ilk_str b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* The place of column `at` of the schema among the features of its kind. */
static size_t place(const ilk_schema *s, size_t at) {
    size_t n = 0;
    for (size_t j = 0; j < at; j++) {
        const ilk_column *c = ilk_schema_column(s, j);
        n += c->role == ILK_FEATURE && c->kind == ilk_schema_column(s, at)->kind;
    }
    return n;
}

/* How often the word of a fact is in the document, unseen words included. */
static double times(const odds *o, const ilk_fact *f, size_t j) {
    const ilk_tokens *t = &o->b->text[j];
    uint32_t id = same(f->key, str("(unseen)")) ? ILK_UNSEEN : ilk_model_word(o->m, j, f->key);
    for (size_t w = t->begin[o->i]; w < t->begin[o->i + 1]; w++)
        if (t->id[w] == id)
            return strcmp(f->family, "bernoulli") == 0 ? 1 : t->count[w];
    return 0;
}

/* x of a fact's theta in row i: a number, a value that is there or not, or a word's count. */
static double x_of(const odds *o, const ilk_fact *f) {
    const ilk_schema *s = ilk_model_schema(o->m);
    size_t at = ilk_schema_find(s, f->column);
    if (at == SIZE_MAX)
        return 1; /* the intercept */
    size_t j = place(s, at);
    switch (ilk_schema_column(s, at)->kind) {
    case ILK_REAL:
        return o->b->real[o->i * ilk_schema_width(s, ILK_REAL) + j];
    case ILK_TEXT:
        return times(o, f, j);
    case ILK_CATEGORY:
        break;
    }
    uint32_t code = o->b->code[o->i * ilk_schema_width(s, ILK_CATEGORY) + j];
    uint32_t id = same(f->key, str("(unseen)")) ? ILK_UNSEEN : ilk_model_code(o->m, j, f->key);
    return code == id;
}

static ilk_status add_theta(void *ctx, const ilk_fact *f) {
    odds *o = ctx;
    if (strcmp(f->quantity, "theta") != 0 || f->k != o->k)
        return ILK_OK;
    o->sum += f->value * x_of(o, f);
    o->used++;
    return ILK_OK;
}

/* log p(k|x) / p(0|x) of all rows: theta's sum, and the difference of the log-joints. */
static void check_rows(const ilk_model *m, const table *t) {
    double *log_joint = log_joints(m, t);
    batch b = batch_for_model(m, t);
    for (size_t i = 0; i < t->n; i++) {
        for (uint32_t k = 1; k < CLASSES; k++) {
            odds o = {.m = m, .b = &b, .i = i, .k = k};
            assert_ok(ilk_model_describe(m, add_theta, &o, &failure));
            assert_true(o.used > 1);
            assert_close(o.sum, log_joint[i * CLASSES + k] - log_joint[i * CLASSES], 1e-12);
        }
    }
    batch_free(&b);
    free(log_joint);
}

static void check(const char *columns, ilk_unseen unseen, uint64_t seed) {
    rng r = rng_new(seed);
    ilk_options o = options_of(1);
    o.unseen = unseen;
    char *text = random_table(&r, columns);
    ilk_model *m = model_of(columns, text, &o);
    table t = table_of(text);
    check_rows(m, &t);
    table_free(&t);
    ilk_model_free(m);
    free(text);
}

static void theta__is_bayes_rule_for_every_family_whose_posterior_is_linear(void **state) {
    (void)state;
    check("y i:gaussian-shared j:gaussian-shared", ILK_UNSEEN_IGNORE, 1);
    check("y i:gda j:gda k:gda", ILK_UNSEEN_IGNORE, 2);
    check("y i:poisson j:poisson", ILK_UNSEEN_IGNORE, 3);
    check("y i:categorical j:categorical", ILK_UNSEEN_IGNORE, 4);
    check("y t:multinomial", ILK_UNSEEN_IGNORE, 5);
    check("y t:bernoulli", ILK_UNSEEN_IGNORE, 6);
}

/* The prior is in the first block's intercept only, so the blocks' thetas add up. */
static void theta__adds_up_over_blocks_with_the_prior_once(void **state) {
    (void)state;
    check("i:gda c:categorical t:multinomial y j:poisson u:bernoulli k:gda", ILK_UNSEEN_IGNORE, 7);
    check("u:bernoulli c:categorical y", ILK_UNSEEN_IGNORE, 8);
    check("c:categorical i:gaussian-shared y", ILK_UNSEEN_UNKNOWN, 9);
}

/* Values and words that the model has never seen, where it makes room for them. */
static void theta__covers_the_unseen(void **state) {
    (void)state;
    ilk_options o = options_of(0.5);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    ilk_model *m = model_of("c:categorical t:multinomial u:bernoulli y",
                            "p,u v,x y,a\nq,u u,x,a\np,w,y,b\nr,v w,x y,b\nq,w w,z,c\nq,w u,z,c\n", &o);
    table t = table_of("s,u new,new z,a\np,new new old,x,b\nq,u,old,c\n");
    check_rows(m, &t);
    table_free(&t);
    ilk_model_free(m);
}

/* theta of gda in closed form for one column: (mu_1 - mu_0) / variance, and its intercept. */
static void theta__of_one_gaussian_column_is_the_textbook_formula(void **state) {
    (void)state;
    static const char *const families[] = {"x:gda y", "x:gaussian-shared y"};
    for (size_t f = 0; f < 2; f++) {
        ilk_model *m = model_of(families[f], "1,a\n3,a\n5,b\n7,b\n6,b\n", NULL);
        double variance = (1 + 1 + 1 + 1 + 0) / 5.0, slope = (6 - 2) / variance;
        assert_close(fact(m, "theta", "x", "", "b").value, slope, 1e-14);
        assert_close(fact(m, "theta", "1", "", "b").value, log(3 / 2.0) - (36 - 4) / (2 * variance), 1e-14);
        ilk_model_free(m);
    }
}

static ilk_status count_theta(void *ctx, const ilk_fact *f) {
    *(size_t *)ctx += strcmp(f->quantity, "theta") == 0;
    return ILK_OK;
}

/* A posterior that is not linear has no theta. */
static void theta__is_not_told_by_the_others(void **state) {
    (void)state;
    static const char *const others[] = {"i:gaussian y", "i:qda j:qda y", "c:table d:table y", "t:complement y"};
    for (size_t f = 0; f < 4; f++) {
        rng r = rng_new(10);
        size_t found = 0;
        ilk_model *m = random_model(&r, others[f], NULL);
        assert_ok(ilk_model_describe(m, count_theta, &found, &failure));
        assert_int_equal(found, 0);
        ilk_model_free(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theta__is_bayes_rule_for_every_family_whose_posterior_is_linear),
        cmocka_unit_test(theta__adds_up_over_blocks_with_the_prior_once),
        cmocka_unit_test(theta__covers_the_unseen),
        cmocka_unit_test(theta__of_one_gaussian_column_is_the_textbook_formula),
        cmocka_unit_test(theta__is_not_told_by_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
