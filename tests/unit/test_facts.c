/* SPDX-License-Identifier: Apache-2.0 */
/* test_facts.c - what a model says of itself: every probability of counts, each once, and the room for what was never
 * seen, worked by hand for alpha = 1/2; powers; how likely rows are. */
#include "fixtures.h"

enum { K = 2 };

typedef struct said {
    double times, phi; /* how many probabilities, and their sum */
    double unseen, total;
} said;

static ilk_status listen(void *ctx, const ilk_fact *f) {
    said *of = ctx;
    bool phi = strcmp(f->quantity, "phi") == 0, unseen = strcmp(f->quantity, "unseen") == 0;
    if (!phi && !unseen)
        return ILK_OK;
    assert_close(f->count / f->total, f->value, 1e-14);
    of[f->k].total = f->total;
    of[f->k].times += phi;
    of[f->k].phi += phi ? f->value : 0;
    of[f->k].unseen += unseen ? f->value : 0;
    return ILK_OK;
}

static void facts__are_every_probability_and_the_room_for_the_unseen(void **state) {
    (void)state;
    static const struct {
        const char *columns, *rows;
        said of[K];
    } cases[] = {
        /* s twice, r once; each of two values and the unseen one gets 1/2 more */
        {"x:categorical y", "s,a\nr,a\ns,b\n", {{2, 3 / 3.5, 0.5 / 3.5, 3.5}, {2, 2 / 2.5, 0.5 / 2.5, 2.5}}},
        /* buy, now and lunch: by tokens, then by texts */
        {"x:multinomial y", "lunch,a\nbuy now,b\nbuy,b\n", {{3, 2.5 / 3, 0.5 / 3, 3}, {3, 4.5 / 5, 0.5 / 5, 5}}},
        {"x:bernoulli y", "lunch,a\nbuy now,b\nbuy,b\n", {{3, 2.5 / 2, 0.5 / 2, 2}, {3, 4.5 / 3, 0.5 / 3, 3}}},
        /* three of the nine combinations of u, v and of w, z and one more value each: the others make the sum one */
        {"x:table z:table y",
         "u,w,a\nv,w,a\nu,w,b\nu,z,b\nu,w,b\n",
         {{3, 3.5 / 6.5, 0.5 / 6.5, 6.5}, {3, 4.5 / 7.5, 0.5 / 7.5, 7.5}}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ilk_options o = options_of(0.5);
        o.unseen = ILK_UNSEEN_UNKNOWN;
        ilk_model *m = model_of(cases[c].columns, cases[c].rows, &o);
        said of[K] = {0};
        assert_ok(ilk_model_describe(m, listen, of, &failure));
        for (size_t k = 0; k < K; k++) {
            const said *expected = &cases[c].of[k];
            printf("# %s, class %zu\n", cases[c].columns, k);
            assert_true(of[k].times == expected->times);
            assert_close(of[k].phi, expected->phi, 1e-14);
            assert_close(of[k].unseen, expected->unseen, 1e-14);
            assert_close(of[k].total, expected->total, 1e-14);
        }
        ilk_model_free(m);
    }
}

/* Two texts of class a that differ in "zebra" alone, which is in no dictionary, left out: what that word adds to either
 * class where unseen words have a share. Where they are ignored, nothing changes. */
static void check_unseen(const char *columns, const char *learnt_from, const char *texts, double in_a, double in_b) {
    for (int unknown = 0; unknown < 2; unknown++) {
        ilk_options o = options_of(0.5);
        o.unseen = unknown ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = model_of(columns, learnt_from, &o);
        table t = table_of(texts);
        batch b = batch_for_model(m, &t);
        double out[2 * K];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        assert_close(out[2] - out[0], unknown ? log(in_a) : 0, 1e-13);
        assert_close(out[3] - out[1], unknown ? log(in_b) : 0, 1e-13);
        batch_free(&b);
        table_free(&t);
        ilk_model_free(m);
    }
}

/* Of the three other texts of its class none has such a word, so it is there with alpha / (3 + 2 alpha) rather than
 * (3 + alpha) / (3 + 2 alpha). */
static void unseen_word__of_a_text_left_out(void **state) {
    (void)state;
    check_unseen("x:bernoulli y", "buy now,a\nbuy,a\nnow,a\nbuy now,a\nlunch,b\nbuy lunch,b\n",
                 "buy now,a\nbuy now zebra,a\n", 0.5 / 3.5, 0.5 / 2.5);
}

/* The same by tokens: 3 of each class and 4 × alpha, of which the text takes one with it. */
static void unseen_token__of_a_text_left_out(void **state) {
    (void)state;
    check_unseen("x:multinomial y", "buy now,a\nbuy,a\nlunch,b\nlunch buy,b\n", "buy,a\nbuy zebra,a\n", 0.5 / 4,
                 0.5 / 5);
}

/* Sums of large weights are off by more than sums of small ones: a file is judged by shares of the total. */
static void table_of_large_weights__is_opened_again(void **state) {
    (void)state;
    const char *columns = "x:table z:table y";
    table t = table_of("u,w,a\nv,w,a\nu,z,a\nv,z,a\nu,w,b\nv,w,a\nv,z,a\nu,z,a\nu,w,a\nv,w,b\n");
    rng r = rng_new(1);
    for (double unit = 1e-9; unit <= 1e9; unit *= 1e9) {
        double weight[10];
        for (size_t i = 0; i < 10; i++)
            weight[i] = (0.1 + rng_unit(&r)) * unit;
        ilk_options o = options_of(0.1 * unit);
        ilk_stats *s = stats_of(columns, NULL);
        batch b = batch_for_stats(s, &t);
        b.rows.weight = weight;
        assert_ok(ilk_stats_add(s, &b.rows, &failure));
        ilk_model *m = estimated(s, &o), *again;
        assert_ok(ilk_model_save(m, NULL, temp_path("large.bayes"), &failure));
        assert_ok(ilk_model_open(&again, temp_path("large.bayes"), &failure));
        ilk_model_free(again);
        ilk_model_free(m);
        batch_free(&b);
        ilk_stats_free(s);
    }
    table_free(&t);
}

static ilk_status count_powers(void *ctx, const ilk_fact *f) {
    *(size_t *)ctx += strcmp(f->quantity, "power") == 0;
    return ILK_OK;
}

static void powers__are_told_of_columns_that_have_one(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gaussian/boxcox@0.25 v:gaussian z:gaussian/yeo-johnson@1.5 y",
                            "1,2,3,a\n2,4,1,b\n3,1,2,a\n4,4,5,b\n", NULL);
    ilk_fact boxcox = fact(m, "power", "x", "boxcox", ""), other = fact(m, "power", "z", "yeo-johnson", "");
    size_t powers = 0;
    assert_true(boxcox.value == 0.25 && isnan(boxcox.count) && isnan(boxcox.total));
    assert_true(other.value == 1.5 && isnan(other.count) && isnan(other.total));
    assert_ok(ilk_model_describe(m, count_powers, &powers, &failure));
    assert_int_equal(powers, 2);
    ilk_model_free(m);
}

/* A row of weight 0 says nothing, be it impossible. */
static void likelihood__is_of_labelled_rows_by_weight(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("c:categorical y", "u,p\nu,p\nv,p\nv,q\n", &o);
    uint32_t u = ilk_model_code(m, 0, str("u")), v = ilk_model_code(m, 0, str("v")), code[] = {u, v, u};
    uint32_t p = ilk_model_class(m, str("p")), q = ilk_model_class(m, str("q")), label[] = {p, q, q};
    double weight[] = {2, 0.5, 0}, out = 7;
    ilk_rows rows = {.n = 3, .code = code, .label = label, .weight = weight};
    assert_ok(ilk_model_log_likelihood(&out, m, &rows, &failure));
    assert_close(out, 2 * log(0.75 * 2 / 3) + 0.5 * log(0.25), 1e-15);
    static const double bad[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++) {
        weight[2] = bad[i];
        assert_fails(ILK_EDATA, "row 2: a weight of", ilk_model_log_likelihood(&out, m, &rows, &failure));
    }
    rows.weight = NULL;
    label[1] = 2;
    assert_fails(ILK_EDATA, "row 1: 2 is not a class", ilk_model_log_likelihood(&out, m, &rows, &failure));
    rows.label = NULL;
    assert_fails(ILK_EARG, "no labels", ilk_model_log_likelihood(&out, m, &rows, &failure));
    ilk_model_free(m);
}

/* ---- the table in MATH.md */

/* Which family tells which quantity, as "quantity family", each once. */
typedef struct pairs {
    char name[128][48];
    size_t n;
} pairs;

static void add_pair(pairs *to, const char *quantity, const char *family) {
    char name[sizeof to->name[0]];
    snprintf(name, sizeof name, "%s %s", quantity, family);
    for (size_t i = 0; i < to->n; i++)
        if (strcmp(to->name[i], name) == 0)
            return;
    assert_in_range(to->n, 0, 127);
    memcpy(to->name[to->n++], name, sizeof name);
}

static void assert_all_in(const pairs *some, const pairs *all, const char *what) {
    for (size_t i = 0; i < some->n; i++) {
        bool found = false;
        for (size_t j = 0; j < all->n; j++)
            found |= strcmp(some->name[i], all->name[j]) == 0;
        if (!found)
            fail_msg("%s: %s", what, some->name[i]);
    }
}

static ilk_status note_pair(void *ctx, const ilk_fact *f) {
    if (strcmp(f->quantity, "power") != 0) /* that of a column, whatever its family */
        add_pair(ctx, f->quantity, f->family ? f->family : "");
    return ILK_OK;
}

/* | `quantity` | family, family | … |, where "all" are all. */
static void read_pairs(pairs *to, char *line) {
    char *quantity = strtok(line, "|` "), *families = strtok(NULL, "|"), *rest;
    families = strtok(NULL, "|"); /* the first ended the quantity */
    if (strcmp(quantity, "power") == 0)
        return;
    ilk_family_info info;
    for (size_t i = 0; strcmp(families, " all ") == 0 && ilk_family_at(i, &info); i++)
        add_pair(to, quantity, info.name);
    if (strcmp(families, " ") == 0)
        add_pair(to, quantity, "");
    else if (strcmp(families, " all ") != 0)
        for (char *f = strtok_r(families, ", ", &rest); f; f = strtok_r(NULL, ", ", &rest))
            add_pair(to, quantity, f);
}

static void facts__are_those_that_the_manual_lists(void **state) {
    (void)state;
    pairs told = {.n = 0}, written = {.n = 0};
    ilk_options o = options_of(1);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    ilk_family_info info;
    for (size_t i = 0; ilk_family_at(i, &info); i++) {
        char columns[64];
        snprintf(columns, sizeof columns, "x:%s y", info.name);
        ilk_model *m = model_of(columns, "1,a\n2,a\n4,a\n3,b\n8,b\n9,b\n", &o);
        assert_ok(ilk_model_describe(m, note_pair, &told, &failure));
        ilk_model_free(m);
    }
    bytes manual = read_file(ILK_TESTS_DIR "/../docs/MATH.md");
    char *rest = strstr((char *)manual.p, "## What `ilk_model_describe` tells");
    assert_non_null(rest);
    *strstr(rest, "\nThe keys of") = '\0';
    for (char *line; (line = strtok_r(rest, "\n", &rest));)
        if (strncmp(line, "| `", 3) == 0)
            read_pairs(&written, line);
    free(manual.p);
    assert_all_in(&told, &written, "told, but not in docs/MATH.md");
    assert_all_in(&written, &told, "in docs/MATH.md, but not told");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts__are_every_probability_and_the_room_for_the_unseen),
        cmocka_unit_test(unseen_word__of_a_text_left_out),
        cmocka_unit_test(unseen_token__of_a_text_left_out),
        cmocka_unit_test(table_of_large_weights__is_opened_again),
        cmocka_unit_test(powers__are_told_of_columns_that_have_one),
        cmocka_unit_test(likelihood__is_of_labelled_rows_by_weight),
        cmocka_unit_test(facts__are_those_that_the_manual_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
