/* SPDX-License-Identifier: Apache-2.0 */
/* Leave-one-out of texts that have words of their own: without the row these are in no dictionary, as if it had never
 * been learnt. By brute force: every text family, learnt again from the other rows and their words alone. */
#include "families/family.h"
#include "fixtures.h"

enum { ROWS = 14, LINE = 64 };

typedef struct texts {
    char line[ROWS][LINE];
    double weight[ROWS];
} texts;

/* Common words, words of few rows, and of one. Every class has three rows at least. */
static texts random_texts(rng *r, bool weigh) {
    texts t;
    for (size_t i = 0; i < ROWS; i++) {
        int n = 0;
        for (size_t w = rng_below(r, 5); w > 0; w--)
            n += snprintf(t.line[i] + n, (size_t)(LINE - n), "c%zu ", rng_below(r, 3));
        for (size_t w = rng_below(r, 3); w > 0; w--)
            n += snprintf(t.line[i] + n, (size_t)(LINE - n), "r%zu ", rng_below(r, 20));
        for (size_t w = rng_below(r, 4); w > 0; w--)
            n += snprintf(t.line[i] + n, (size_t)(LINE - n), "own%zu ", i);
        snprintf(t.line[i] + n, (size_t)(LINE - n), "all,k%zu\n", i % 3);
        t.weight[i] = weigh ? 0.25 + rng_unit(r) : 1;
    }
    return t;
}

/* All lines but one, or all; returns their weights. */
static const double *joined(char out[ROWS * LINE], const texts *t, size_t without) {
    static double weight[ROWS];
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ROWS; i++) {
        if (i == without)
            continue;
        strcat(out, t->line[i]);
        weight[n++] = t->weight[i];
    }
    return weight;
}

/* Statistics of some lines, with the dictionary that is given, if one is. */
static ilk_stats *weighed_stats(const char *columns, const char *text, const double *weight, const char *listed) {
    ilk_schema *schema = schema_of(columns);
    ilk_stats *s;
    for (const char *w = listed; w && *w; w += strcspn(w, " "), w += *w == ' ')
        assert_ok(ilk_schema_add_word(schema, 0, ILK_WORD_LISTED, (ilk_str){w, strcspn(w, " ")}, &failure));
    assert_ok(ilk_stats_new(&s, schema, &failure));
    table t = table_of(text);
    batch b = batch_for_stats(s, &t);
    b.rows.weight = weight;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    batch_free(&b);
    table_free(&t);
    ilk_schema_free(schema);
    return s;
}

static ilk_model *weighed_model(const char *columns, const char *text, const double *weight, const char *listed,
                                const ilk_options *o) {
    ilk_stats *s = weighed_stats(columns, text, weight, listed);
    ilk_model *m = estimated(s, o);
    ilk_stats_free(s);
    return m;
}

static void check(const char *columns, const texts *t, const char *listed, const ilk_options *o) {
    char text[ROWS * LINE];
    double left_out[ROWS * 3];
    const double *weight = joined(text, t, ROWS);
    ilk_model *whole = weighed_model(columns, text, weight, listed, o);
    table all = table_of(text);
    batch b = batch_for_model(whole, &all);
    b.rows.weight = weight;
    assert_ok(ilk_model_leave_one_out(left_out, whole, &b.rows, &failure));
    for (size_t i = 0; i < ROWS; i++) {
        weight = joined(text, t, i);
        ilk_model *m = weighed_model(columns, text, weight, listed, o);
        table one = table_of(t->line[i]);
        double *expected = log_joints(m, &one);
        for (size_t k = 0; k < 3; k++) {
            double a = left_out[i * 3 + k], e = expected[k];
            if (!is_close(a, e, 1e-9)) /* nor is inf close to -inf */
                fail_msg("%s, smoothing %g, unseen %d: row %zu (%s), class %zu: %.17g, not %.17g", columns, o->smooth,
                         (int)o->unseen, i, t->line[i], k, a, e);
        }
        free(expected);
        table_free(&one);
        ilk_model_free(m);
    }
    batch_free(&b);
    table_free(&all);
    ilk_model_free(whole);
}

static const char *const families[] = {"t:multinomial y", "t:bernoulli y", "t:complement y", "t:one-vs-rest y"};

static void own_words__are_gone_with_the_row(void **state) {
    (void)state;
    static const double smooth[] = {1, 0.01, 3, 0};
    rng r = rng_new(41);
    for (size_t round = 0; round < 40; round++) {
        texts t = random_texts(&r, round % 2);
        for (size_t f = 0; f < 4; f++) {
            for (size_t a = 0; a < (f < 2 ? 4 : 3); a++) { /* the other two need smoothing */
                ilk_options o = options_of(smooth[a]);
                check(families[f], &t, NULL, &o);
                o.unseen = ILK_UNSEEN_UNKNOWN;
                if (smooth[a] > 0)
                    check(families[f], &t, NULL, &o);
            }
        }
    }
}

/* More words than the rows have. */
static const char *dictionary(void) {
    static char out[1024];
    int n = snprintf(out, sizeof out, "all c0 c1 c2 never");
    for (size_t i = 0; i < 20; i++)
        n += snprintf(out + n, sizeof out - (size_t)n, " r%zu own%zu", i, i);
    return out;
}

static void own_words__of_a_fixed_dictionary_stay(void **state) {
    (void)state;
    rng r = rng_new(43);
    for (size_t round = 0; round < 8; round++) {
        texts t = random_texts(&r, round % 2);
        for (size_t f = 0; f < 4; f++) {
            ilk_options o = options_of(0.5);
            check(families[f], &t, dictionary(), &o);
            o.unseen = ILK_UNSEEN_UNKNOWN;
            check(families[f], &t, dictionary(), &o);
        }
    }
}

/* The first line left out: as a model of the others answers it. */
static void check_first(const char *columns, const char *first, const char *others, const ilk_options *o) {
    char all[256];
    snprintf(all, sizeof all, "%s%s", first, others);
    ilk_model *m = model_of(columns, all, o), *rest = model_of(columns, others, o);
    table t = table_of(first);
    double out[3], *again = log_joints(rest, &t);
    assert_in_range(ilk_model_classes(m), 2, 3);
    leave_out(out, m, first);
    for (size_t k = 0; k < ilk_model_classes(m); k++)
        if (!is_close(out[k], again[k], 1e-9))
            fail_msg("%s, class %zu: %.17g, not %.17g", columns, k, out[k], again[k]);
    free(again);
    table_free(&t);
    ilk_model_free(m);
    ilk_model_free(rest);
}

/* "zz" is in no dictionary, which has room for no more words than those of the other rows and "own". */
static void own_words__are_gone_beside_words_that_were_not_kept(void **state) {
    (void)state;
    ilk_options o = options_of(0.5);
    o.vocab = 4;
    for (size_t way = 0; way < 8; way++) {
        o.unseen = way % 2 ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        check_first(families[way / 2], "all own own zz,a\n", "all bb,a\nall bb,b\nall cc cc,c\n", &o);
    }
}

/* Of class a, and so outside of class b, there is alpha of each word then and nothing else: less than one word. */
static void own_words__are_gone_where_little_else_is_left(void **state) {
    (void)state;
    ilk_options o = options_of(0.01);
    o.vocab = 3;
    for (size_t way = 0; way < 8; way++) {
        o.unseen = way % 2 ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        check_first(families[way / 2], "bb own own zz,a\n", ",a\nbb,b\nbb cc cc,b\n", &o);
    }
}

/* A billionth of alpha is 2: four of a word show beside it. */
static void own_words__that_are_many_show_beside_much_smoothing(void **state) {
    (void)state;
    ilk_options o = options_of(2e9);
    for (size_t f = 0; f < 4; f++)
        if (f != 1) /* which knows a word by its texts, of which there is one */
            check_first(families[f], "all own own own own,a\n", "all bb,a\nall bb,b\nall cc cc,c\n", &o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_words__are_gone_with_the_row),
        cmocka_unit_test(own_words__of_a_fixed_dictionary_stay),
        cmocka_unit_test(own_words__are_gone_beside_words_that_were_not_kept),
        cmocka_unit_test(own_words__are_gone_where_little_else_is_left),
        cmocka_unit_test(own_words__that_are_many_show_beside_much_smoothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
