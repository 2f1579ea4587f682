/* SPDX-License-Identifier: Apache-2.0 */
/* test_inside.c - looking inside: explanations that add up, facts that are the parameters, words that tell. */
#include "direct.h"

/* ---- explanations */

typedef struct parts {
    ilk_part part[64];
    size_t n, stop;
    double sum;
} parts;

static ilk_status gather(void *ctx, const ilk_part *p) {
    parts *all = ctx;
    assert_true(all->n < 64);
    all->part[all->n++] = *p;
    all->sum += p->contribution;
    return all->n == all->stop ? ILK_ESTOP : ILK_OK;
}

static const char *const mixed =
    "x0:gda c0:categorical x1:gda x2:gaussian t:multinomial c1:categorical x3:qda x4:gaussian-shared y";

/* Rows of every kind, some values missing, some unseen in training. */
static table mixed_rows(rng *r, size_t n, bool strange) {
    char *text = make(n, 256);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = i % 3;
        char x[5][32];
        for (size_t j = 0; j < 5; j++)
            snprintf(x[j], sizeof x[j], "%.17g", rng_normal(r) * (double)(1 + k) + (double)k);
        for (size_t j = 0; j < 5; j++)
            if (rng_below(r, 5) == 0)
                x[j][0] = '\0';
        char c[2][8] = {"", ""}, word[3][8];
        for (size_t j = 0; j < 2; j++)
            if (rng_below(r, 5))
                snprintf(c[j], sizeof c[j], "v%zu", rng_below(r, strange ? 7 : 4));
        for (size_t j = 0; j < 3; j++)
            snprintf(word[j], sizeof word[j], "w%zu", rng_below(r, strange ? 21 : 12));
        used += (size_t)sprintf(text + used, "%s,%s,%s,%s,%s %s %s,%s,%s,%s,k%zu\n", x[0], c[0], x[1], x[2], word[0],
                                word[1], i % 7 ? word[2] : "", c[1], x[3], x[4], k);
    }
    table t = table_of(text);
    free(text);
    return t;
}

static void assert_adds_up(const ilk_model *m, const table *t) {
    size_t K = ilk_model_classes(m);
    double *p = log_joints(m, t);
    batch b = batch_for_model(m, t);
    for (size_t i = 0; i < t->n; i++)
        for (uint32_t a = 0; a < K; a++)
            for (uint32_t c = 0; c < K; c++) {
                parts all = {0};
                assert_ok(ilk_model_explain(m, &b.rows, i, a, c, gather, &all, &failure));
                assert_close(all.sum, p[i * K + a] - p[i * K + c], 1e-11);
            }
    batch_free(&b);
    free(p);
}

/* Three classes, two columns of numbers from 1 on (or of values, or a text), some missing. */
static table rows_for(rng *r, ilk_kind kind, size_t n) {
    char *text = make(n, 64);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = i % 3;
        char x[2][32] = {"", ""};
        for (size_t j = 0; j < 2; j++)
            if (i < 12 || rng_below(r, 6))
                snprintf(x[j], sizeof x[j], "%zu", 1 + rng_below(r, 4 + 3 * k * (j + 1)));
        if (kind == ILK_TEXT)
            snprintf(x[0], sizeof x[0], "w%zu w%zu w%zu", rng_below(r, 3 + k), rng_below(r, 8), rng_below(r, 5));
        used += (size_t)sprintf(text + used, kind == ILK_TEXT ? "%s%s,k%zu\n" : "%s,%s,k%zu\n", x[0],
                                kind == ILK_TEXT ? "" : x[1], k);
    }
    table t = table_of(text);
    free(text);
    return t;
}

static void explain__adds_up_for_every_family(void **state) {
    (void)state;
    rng r = rng_new(103);
    ilk_family_info info;
    for (size_t f = 0; ilk_family_at(f, &info); f++) {
        char columns[96];
        if (info.kind == ILK_TEXT)
            snprintf(columns, sizeof columns, "t:%s y", info.name);
        else
            snprintf(columns, sizeof columns, "x:%s z:%s y", info.name, info.name);
        table t = rows_for(&r, info.kind, 90), asked = rows_for(&r, info.kind, 30);
        ilk_stats *s = stats_of(columns, &t);
        for (int unseen = ILK_UNSEEN_IGNORE; unseen <= ILK_UNSEEN_UNKNOWN; unseen++) {
            ilk_options o = options_of(0.5);
            o.unseen = (ilk_unseen)unseen;
            o.vocab = 5;
            ilk_model *m = estimated(s, &o);
            assert_adds_up(m, &asked);
            ilk_model_free(m);
        }
        ilk_stats_free(s);
        table_free(&t);
        table_free(&asked);
    }
}

static void explain__adds_up_for_a_mixed_model_with_missing_and_unseen_values(void **state) {
    (void)state;
    rng r = rng_new(101);
    table t = mixed_rows(&r, 200, false), asked = mixed_rows(&r, 40, true);
    ilk_stats *s = stats_of(mixed, &t);
    for (int unseen = ILK_UNSEEN_IGNORE; unseen <= ILK_UNSEEN_UNKNOWN; unseen++) {
        ilk_options o = options_of(0.5);
        o.unseen = (ilk_unseen)unseen;
        o.vocab = 8;
        ilk_model *m = estimated(s, &o);
        assert_adds_up(m, &asked);
        ilk_model_free(m);
    }
    ilk_stats_free(s);
    table_free(&t);
    table_free(&asked);
}

static void explain__adds_up_for_each_family_alone(void **state) {
    (void)state;
    rng r = rng_new(102);
    static const char *const families[] = {"gda", "qda", "gaussian", "gaussian-shared"};
    for (size_t i = 0; i < 4; i++) {
        table t = random_reals(&r, 150, 4, 3, 0.15);
        ilk_stats *s = stats_of(real_columns(4, families[i]), &t);
        ilk_model *m = estimated(s, NULL);
        assert_adds_up(m, &t);
        ilk_model_free(m);
        ilk_stats_free(s);
        table_free(&t);
    }
}

static void explain__names_each_part(void **state) {
    (void)state;
    ilk_model *m =
        model_of("c:categorical t:multinomial x:gaussian y", "u,a b,1,p\nv,b b,2,p\nu,c,5,q\nv,a,7,q\n", NULL);
    table t = table_of("u,b zz b,3,\n");
    batch b = batch_for_model(m, &t);
    parts all = {0};
    assert_ok(ilk_model_explain(m, &b.rows, 0, 0, 1, gather, &all, &failure));
    assert_int_equal(all.n, 5);
    static const char *const column[] = {"", "c", "t", "t", "x"}, *const value[] = {"prior", "u", "b", "(unseen)", ""};
    static const double x[] = {NAN, NAN, 2, 1, 3};
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(text_of(all.part[i].column), column[i]);
        assert_string_equal(text_of(all.part[i].value), value[i]);
        assert_true(isnan(x[i]) ? isnan(all.part[i].x) : all.part[i].x == x[i]);
    }
    assert_close(all.part[0].contribution, 0, 1e-15);
    assert_close(all.part[2].contribution, 2 * (log(4.0 / 7) - log(1.0 / 5)), 1e-14);
    assert_true(all.part[3].contribution == 0);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

/* Shared Sigma: column j gives theta_j (x_j - (mu_aj + mu_bj) / 2), theta and mu as described. */
static void explain__of_gda_is_theta_times_the_distance_from_the_middle(void **state) {
    (void)state;
    rng r = rng_new(103);
    table t = random_reals(&r, 60, 3, 2, 0);
    ilk_stats *s = stats_of(real_columns(3, "gda"), &t);
    ilk_model *m = estimated(s, NULL);
    batch b = batch_for_model(m, &t);
    for (size_t i = 0; i < t.n; i++) {
        parts all = {0};
        assert_ok(ilk_model_explain(m, &b.rows, i, 1, 0, gather, &all, &failure));
        assert_int_equal(all.n, 4);
        for (size_t j = 0; j < 3; j++) {
            const char *column = text_of(ilk_schema_column(ilk_model_schema(m), j)->name);
            double middle = (fact(m, "mu", column, "", "k0").value + fact(m, "mu", column, "", "k1").value) / 2;
            double expected = fact(m, "theta", column, "", "k1").value * (cell_number(&t, i, j) - middle);
            assert_close(all.part[1 + j].contribution, expected, 1e-11);
        }
    }
    batch_free(&b);
    ilk_model_free(m);
    ilk_stats_free(s);
    table_free(&t);
}

static void explain__of_qda_has_a_part_for_the_determinants(void **state) {
    (void)state;
    ilk_model *m = model_of("a:qda b:qda y", "0,0,p\n2,1,p\n1,4,p\n9,9,q\n0,1,q\n5,-5,q\n2,3,q\n", NULL);
    table t = table_of("1,1,\n");
    batch b = batch_for_model(m, &t);
    parts all = {0};
    assert_ok(ilk_model_explain(m, &b.rows, 0, 0, 1, gather, &all, &failure));
    assert_int_equal(all.n, 4);
    assert_string_equal(text_of(all.part[3].value), "log-determinant");
    double det[2];
    for (uint32_t k = 0; k < 2; k++) {
        const char *name = k ? "q" : "p";
        det[k] = fact(m, "Sigma", "a", "a", name).value * fact(m, "Sigma", "b", "b", name).value -
                 fact(m, "Sigma", "a", "b", name).value * fact(m, "Sigma", "b", "a", name).value;
    }
    assert_close(all.part[3].contribution, 0.5 * log(det[1] / det[0]), 1e-13);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

static void explain__stops_when_told_and_refuses_what_is_not_there(void **state) {
    (void)state;
    ilk_model *m = model_of("a:gaussian b:gaussian c:categorical y", "0,0,u,p\n2,1,v,p\n9,9,u,q\n0,1,u,q\n", NULL);
    table t = table_of("1,2,u,\n");
    batch b = batch_for_model(m, &t);
    for (size_t stop = 1; stop <= 4; stop++) {
        parts all = {.stop = stop};
        assert_fails(ILK_ESTOP, "stopped", ilk_model_explain(m, &b.rows, 0, 0, 1, gather, &all, &failure));
        assert_int_equal(all.n, stop);
    }
    parts all = {0};
    assert_fails(ILK_EARG, "no row 1: these are 1", ilk_model_explain(m, &b.rows, 1, 0, 1, gather, &all, &failure));
    assert_fails(ILK_EARG, "no class 2: the model has 2",
                 ilk_model_explain(m, &b.rows, 0, 2, 1, gather, &all, &failure));
    assert_fails(ILK_EARG, "no class 2", ilk_model_explain(m, &b.rows, 0, 0, 2, gather, &all, &failure));
    assert_fails(ILK_EARG, "no class 7", ilk_model_explain(m, &b.rows, 0, 0, 7, gather, &all, &failure));
    b.code[0] = 99;
    assert_fails(ILK_EDATA, "99 is not a code", ilk_model_explain(m, &b.rows, 0, 0, 1, gather, &all, &failure));
    assert_int_equal(all.n, 0);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

/* ---- facts */

typedef struct tally {
    size_t n, stop;
    double parameters;
} tally;

static ilk_status count_facts(void *ctx, const ilk_fact *f) {
    tally *t = ctx;
    if (strcmp(f->quantity, "parameters") == 0 && f->key.n == strlen("in all"))
        t->parameters += f->value;
    return ++t->n == t->stop ? ILK_ESTOP : ILK_OK;
}

/* 3 classes. gda: 2 columns; gaussian 1; qda 1; gaussian-shared 1; categories 4 + 4 values; 12 words. */
static void describe__tells_how_many_parameters_there_are(void **state) {
    (void)state;
    rng r = rng_new(104);
    table t = mixed_rows(&r, 400, false);
    ilk_stats *s = stats_of(mixed, &t);
    ilk_model *m = estimated(s, NULL);
    tally all = {0};
    assert_ok(ilk_model_describe(m, count_facts, &all, &failure));
    double gda = 3 * 2 + 3, gaussian = 2 * 3 * 1, qda = 3 * (1 + 1), shared = 3 * 1 + 1, categories = 3 * 8,
           words = 3 * 12;
    assert_true(all.parameters == gda + gaussian + qda + shared + categories + words);
    size_t mu = 3 * 5, variance = 3 * 2, Sigma = 4 + 3, phi = 3 * (8 + 12), lengths = 3, sizes = 2 * 6 + 2;
    size_t theta = 2 * ((1 + 2) + (1 + 1) + (1 + 8) + (1 + 12)); /* gda, gaussian-shared, categories, words */
    assert_int_equal(all.n, 3 + mu + variance + Sigma + theta + phi + lengths + sizes); /* 3 priors */
    for (size_t stop = 1; stop <= all.n; stop++) {
        tally some = {.stop = stop};
        assert_fails(ILK_ESTOP, "stopped", ilk_model_describe(m, count_facts, &some, &failure));
        assert_int_equal(some.n, stop);
    }
    ilk_model_free(m);
    ilk_stats_free(s);
    table_free(&t);
}

/* ---- words */

static void words__are_ranked_by_what_they_say_for_a_class(void **state) {
    (void)state;
    ilk_model *m = model_of(
        "t:multinomial y", "win win prize,spam\nwin now,spam\nlunch now now,ham\nhello lunch,ham\nsale now,ad\n", NULL);
    uint32_t spam = ilk_model_class(m, str("spam")), ham = ilk_model_class(m, str("ham"));
    ilk_word words[16];
    size_t n = 16;
    assert_ok(ilk_model_words(words, &n, m, 0, spam, &failure));
    assert_int_equal(n, 6);
    static const char *const order[] = {"win", "prize", "now", "sale", "hello", "lunch"};
    double previous = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const char *word = text_of(words[i].word);
        assert_string_equal(word, order[i]);
        double in = fact(m, "phi", "t", word, "spam").value;
        double rest =
            (0.4 * fact(m, "phi", "t", word, "ham").value + 0.2 * fact(m, "phi", "t", word, "ad").value) / 0.6;
        assert_close(words[i].log_odds, log(in / rest), 1e-13);
        assert_true(words[i].log_odds <= previous);
        previous = words[i].log_odds;
    }
    n = 2;
    assert_ok(ilk_model_words(words, &n, m, 0, ham, &failure));
    assert_int_equal(n, 2);
    assert_string_equal(text_of(words[0].word), "lunch");
    n = 0;
    assert_ok(ilk_model_words(NULL, &n, m, 0, ham, &failure));
    assert_int_equal(n, 0);
    n = 1;
    assert_fails(ILK_EARG, "no text feature 1", ilk_model_words(words, &n, m, 1, 0, &failure));
    assert_fails(ILK_EARG, "no class 3", ilk_model_words(words, &n, m, 0, 3, &failure));
    ilk_model_free(m);
}

/* Without smoothing a word of one class alone has infinite log-odds; equal ones are in byte order. */
static void words__of_one_class_alone_come_first(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("t:multinomial y", "b a both,p\nc both,q\n", &o);
    ilk_word words[4];
    size_t n = 4;
    assert_ok(ilk_model_words(words, &n, m, 0, ilk_model_class(m, str("p")), &failure));
    static const char *const order[] = {"a", "b", "both", "c"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(text_of(words[i].word), order[i]);
    assert_true(words[0].log_odds == INFINITY && words[1].log_odds == INFINITY && words[3].log_odds == -INFINITY);
    ilk_model_free(m);
}

/* A word that no class can have, 0/0 without smoothing, speaks for none and is the last in every list. */
static void words__that_no_class_can_have_come_last(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_stats *s = learnt("t:multinomial y", "m z,p\nz,q\n");
    uint32_t id;
    assert_ok(ilk_stats_declare(&id, s, ILK_TEXT, 0, str("a"), &failure));
    ilk_model *m = estimated(s, &o);
    for (uint32_t k = 0; k < 2; k++) {
        ilk_word words[3];
        size_t n = 3;
        assert_ok(ilk_model_words(words, &n, m, 0, k, &failure));
        assert_string_equal(text_of(words[0].word), k ? "z" : "m");
        assert_string_equal(text_of(words[k ? 1 : 2].word), "a");
        assert_true(words[2].log_odds == -INFINITY);
    }
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* The rest of a text under the bernoulli event model is a part of its own; three classes, each word's own odds. */
static void bernoulli__tells_words_and_what_is_not_there(void **state) {
    (void)state;
    const char *rows = "u v,a\nu,a\nv w,b\nw,b\nw x,c\nx,c\nu x,c\n";
    static const char *const words[] = {"u", "v", "w", "x"};
    ilk_model *m = model_of("t:bernoulli y", rows, NULL);
    table t = table_of("u v,a\n");
    batch b = batch_for_model(m, &t);
    parts all = {0};
    ilk_word told[4];
    assert_ok(ilk_model_explain(m, &b.rows, 0, 2, 1, gather, &all, &failure));
    assert_int_equal(all.n, 4); /* prior, u, v and the rest */
    assert_string_equal(text_of(all.part[3].value), "(words not there)");
    for (uint32_t k = 0; k < 3; k++) {
        size_t n = 4;
        assert_ok(ilk_model_words(told, &n, m, 0, k, &failure));
        assert_int_equal(n, 4);
        for (size_t i = 0; i < 4; i++) {
            double own = 0, others = 0, prior = 0;
            for (uint32_t c = 0; c < 3; c++) {
                double phi = fact(m, "phi", "t", text_of(told[i].word), text_of(ilk_model_class_name(m, c))).value;
                double p = exp(ilk_model_log_prior(m, c));
                own += c == k ? phi : 0;
                others += c == k ? 0 : p * phi;
                prior += c == k ? 0 : p;
            }
            assert_close(told[i].log_odds, log(own) - log(others / prior), 1e-12);
        }
    }
    /* documents with the word + 1, over documents + 2 */
    static const double docs[4][3] = {{2, 0, 1}, {1, 1, 0}, {0, 2, 1}, {0, 0, 3}}, n[3] = {2, 2, 3};
    for (size_t w = 0; w < 4; w++)
        for (size_t k = 0; k < 3; k++)
            assert_close(fact(m, "phi", "t", words[w], (const char *[]){"a", "b", "c"}[k]).value,
                         (docs[w][k] + 1) / (n[k] + 2), 1e-14);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

/* How many numbers a model has, per class and in all: K = 3 classes, d = 2 columns (or V = 4 values in each). */
static void parameters__are_counted(void **state) {
    (void)state;
    static const struct {
        const char *family;
        double per_class, in_all;
    } sizes[] = {{"gaussian", 4, 12}, {"gaussian-shared", 2, 8}, {"poisson", 2, 6}, {"negative-binomial", 4, 12}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char columns[96];
        snprintf(columns, sizeof columns, "x:%s z:%s y", sizes[i].family, sizes[i].family);
        ilk_model *m = model_of(columns, "1,5,a\n2,5,a\n4,5,b\n3,5,b\n8,5,c\n9,5,c\n", NULL);
        assert_close(fact(m, "parameters", "", "per class", "").value, sizes[i].per_class, 0);
        assert_close(fact(m, "parameters", "", "in all", "").value, sizes[i].in_all, 0);
        if (i == 0)
            assert_close(fact(m, "variance", "z", "", "b").value, 0, 0); /* it never varies */
        ilk_model_free(m);
    }
    static const char *const texts[] = {"t:multinomial y", "t:bernoulli y", "t:complement y"};
    for (size_t i = 0; i < 3; i++) {
        ilk_model *m = model_of(texts[i], "u v,a\nw,b\nz u,c\n", NULL);
        assert_close(fact(m, "parameters", "", "per class", "").value, 4, 0);
        assert_close(fact(m, "parameters", "", "in all", "").value, 12, 0);
        ilk_model_free(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explain__adds_up_for_every_family),
        cmocka_unit_test(bernoulli__tells_words_and_what_is_not_there),
        cmocka_unit_test(parameters__are_counted),
        cmocka_unit_test(explain__adds_up_for_a_mixed_model_with_missing_and_unseen_values),
        cmocka_unit_test(explain__adds_up_for_each_family_alone),
        cmocka_unit_test(explain__names_each_part),
        cmocka_unit_test(explain__of_gda_is_theta_times_the_distance_from_the_middle),
        cmocka_unit_test(explain__of_qda_has_a_part_for_the_determinants),
        cmocka_unit_test(explain__stops_when_told_and_refuses_what_is_not_there),
        cmocka_unit_test(describe__tells_how_many_parameters_there_are),
        cmocka_unit_test(words__are_ranked_by_what_they_say_for_a_class),
        cmocka_unit_test(words__of_one_class_alone_come_first),
        cmocka_unit_test(words__that_no_class_can_have_come_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
