/* SPDX-License-Identifier: Apache-2.0 */
/* test_counts.c - the store of counts and its canonical form: exact, sparse, and the same in any order. */
#include "fixtures.h"

#include "model/counts.h"
#include "model/learn.h"

static ilk_count_place place; /* where something went wrong */

static uint32_t key(ilk_counts *c, uint32_t field, const char *name) {
    uint32_t id;
    assert_int_equal(ilk_dict_intern(&c->keys, field, str(name), &id), ILK_OK);
    return id;
}

/* One document of class k: words as "a a b". */
static void add_text(ilk_counts *c, uint32_t k, const char *text) {
    uint32_t id[32], count[32];
    size_t begin[2] = {0, 0};
    for (const char *w = text; *w; w += strcspn(w, " "), w += *w == ' ') {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(w, " "), w);
        uint32_t of = key(c, 0, word);
        size_t at = 0;
        while (at < begin[1] && id[at] != of)
            at++;
        if (at == begin[1]) {
            id[begin[1]] = of;
            count[begin[1]++] = 0;
        }
        count[at]++;
    }
    ilk_tokens bags = {begin, id, count, NULL};
    ilk_count_rows rows = {.bags = &bags, .label = &k, .n = 1};
    assert_int_equal(ilk_counts_add(c, &rows), 1);
}

static ilk_counts texts(size_t K) {
    ilk_counts c;
    ilk_counts_init(&c, 1);
    assert_int_equal(ilk_counts_grow(&c, K), ILK_OK);
    return c;
}

/* The table in one line: "word:class=count/docs, …". */
static const char *shown(const ilk_counts *c, size_t min_docs, size_t vocab) {
    static const uint32_t same[] = {0, 1, 2, 3};
    static char out[1024];
    ilk_count_table t;
    size_t n = 0;
    assert_int_equal(ilk_count_table_new(&t, c, same, c->K, min_docs, vocab), ILK_OK);
    out[0] = '\0';
    for (size_t i = 0; i < t.n; i++) {
        ilk_str word = ilk_dict_key(&c->keys, t.key[i]);
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s", i ? " " : "", (int)word.n, word.p);
        for (size_t at = t.begin[i]; at < t.begin[i + 1]; at++)
            n += (size_t)snprintf(out + n, sizeof out - n, ":%u=%g/%g", t.cls[at], t.count[at], t.docs[at]);
    }
    ilk_count_table_free(&t);
    return out;
}

static const uint32_t same[] = {0, 1, 2, 3};

static void counts__are_tokens_and_documents_per_class(void **state) {
    (void)state;
    ilk_counts c = texts(2);
    add_text(&c, 0, "b a b b");
    add_text(&c, 1, "b c");
    add_text(&c, 0, "a");
    assert_string_equal(shown(&c, 0, 0), "a:0=2/2 b:0=3/1:1=1/1 c:1=1/1");
    assert_true(c.margin[0].present == 2 && c.margin[0].total == 5);
    assert_true(c.margin[1].present == 1 && c.margin[1].total == 2);
    ilk_counts_free(&c);
}

static void table__keeps_the_commonest_words_with_enough_documents(void **state) {
    (void)state;
    ilk_counts c = texts(2);
    add_text(&c, 0, "a a a a b c d");
    add_text(&c, 1, "b c d d");
    add_text(&c, 1, "e b");
    assert_string_equal(shown(&c, 2, 0), "b:0=1/1:1=2/2 c:0=1/1:1=1/1 d:0=1/1:1=2/1");
    assert_string_equal(shown(&c, 3, 0), "b:0=1/1:1=2/2");
    assert_string_equal(shown(&c, 4, 0), "");
    assert_string_equal(shown(&c, 1, 1), "a:0=4/1");
    assert_string_equal(shown(&c, 1, 2), "a:0=4/1 b:0=1/1:1=2/2"); /* b and d have 3 each: byte order decides */
    assert_string_equal(shown(&c, 1, 3), "a:0=4/1 b:0=1/1:1=2/2 d:0=1/1:1=2/1");
    assert_string_equal(shown(&c, 2, 1), "b:0=1/1:1=2/2");
    assert_string_equal(shown(&c, 1, 99), shown(&c, 0, 0));
    ilk_counts_free(&c);
}

static void table__drops_a_class_and_renumbers_the_others(void **state) {
    (void)state;
    ilk_counts c = texts(3);
    add_text(&c, 0, "a");
    add_text(&c, 1, "b");
    add_text(&c, 2, "a c");
    ilk_count_table t;
    assert_int_equal(ilk_count_table_new(&t, &c, (uint32_t[]){1, ILK_NONE, 0}, 2, 0, 0), ILK_OK);
    assert_int_equal(t.n, 2); /* b was seen in the dropped class alone */
    assert_int_equal(t.begin[1], 2);
    assert_int_equal(t.cls[0], 0);
    assert_int_equal(t.cls[1], 1);
    assert_true(t.present[0] == 1);
    ilk_count_table_free(&t);
    ilk_counts_free(&c);
}

static void table__of_no_classes_and_no_words_is_empty(void **state) {
    (void)state;
    ilk_counts c = texts(1);
    assert_string_equal(shown(&c, 0, 0), "");
    key(&c, 0, "named");
    assert_string_equal(shown(&c, 0, 0), "");
    ilk_count_table t;
    assert_int_equal(ilk_count_table_new(&t, &c, (uint32_t[]){ILK_NONE}, 0, 0, 0), ILK_OK);
    assert_int_equal(t.n, 0);
    ilk_count_table_free(&t);
    ilk_counts_free(&c);
}

static void merge(ilk_counts *into, const ilk_counts *from, const uint32_t *map) {
    uint32_t *id = make(from->keys.n, sizeof *id);
    assert_int_equal(ilk_counts_prepare_merge(into, from, map, id), ILK_OK);
    ilk_counts_merge(into, from, map, id);
    free(id);
}

/* What is prepared is not seen; only then is anything declared or counted. */
static void merge__changes_nothing_before_all_is_prepared(void **state) {
    (void)state;
    ilk_counts a = texts(2), b = texts(2);
    uint32_t id[3], declared;
    add_text(&a, 0, "x y");
    add_text(&b, 1, "z y");
    assert_int_equal(ilk_counts_declare(&b, 0, str("d"), &declared), ILK_OK);
    assert_int_equal(ilk_counts_prepare_merge(&a, &b, same, id), ILK_OK);
    assert_string_equal(shown(&a, 0, 0), "x:0=1/1 y:0=1/1");
    assert_true(a.margin[1].total == 0 && !ilk_counts_is_declared(&a, id[declared]));
    ilk_counts_merge(&a, &b, same, id);
    assert_string_equal(shown(&a, 0, 0), "d x:0=1/1 y:0=1/1:1=1/1 z:1=1/1");
    assert_true(ilk_counts_is_declared(&a, id[declared]));
    ilk_counts_free(&a);
    ilk_counts_free(&b);
}

static void merge__unites_words_by_name(void **state) {
    (void)state;
    ilk_counts a = texts(2), b = texts(2);
    add_text(&a, 0, "x y");
    add_text(&b, 0, "z y y");
    add_text(&b, 1, "x");
    merge(&a, &b, (uint32_t[]){1, 0});
    assert_string_equal(shown(&a, 0, 0), "x:0=2/2 y:0=1/1:1=2/1 z:1=1/1");
    assert_true(a.margin[0].total == 3 && a.margin[1].total == 3 && a.margin[0].present == 2);
    assert_true(ilk_counts_removable(&a, &b, (uint32_t[]){1, 0}, 0, &place));
    ilk_counts_subtract(&a, &b, (uint32_t[]){1, 0}, 0);
    assert_string_equal(shown(&a, 0, 0), "x:0=1/1 y:0=1/1");
    assert_true(a.margin[0].total == 2 && a.margin[1].total == 0 && a.margin[1].present == 0);
    ilk_counts_free(&a);
    ilk_counts_free(&b);
}

static void merge__of_many_words_loses_none(void **state) {
    (void)state;
    ilk_counts a = texts(3), b = texts(3);
    char word[32];
    for (int i = 0; i < 3000; i++) {
        snprintf(word, sizeof word, "w%d", i % 1000);
        add_text(i % 2 ? &a : &b, (uint32_t)(i % 3), word);
    }
    merge(&a, &b, same);
    ilk_count_table t;
    double sum = 0;
    assert_int_equal(ilk_count_table_new(&t, &a, same, 3, 0, 0), ILK_OK);
    assert_int_equal(t.n, 1000);
    assert_int_equal(t.begin[1000], 3000); /* every word met every class once */
    for (size_t i = 0; i < 3000; i++) {
        assert_int_equal(t.cls[i], i % 3);
        sum += t.count[i];
    }
    assert_true(sum == 3000);
    ilk_count_table_free(&t);
    ilk_counts_free(&a);
    ilk_counts_free(&b);
}

/* A word that meets K classes, in no order; 333 and K have no common factor. */
static void check_classes(uint32_t K) {
    ilk_counts c = texts(K);
    uint32_t rank[700], without = K - (K + 6) / 7;
    for (uint32_t i = 0; i < 3 * K; i++) {
        uint32_t k = i * 333 % K;
        add_text(&c, k, k % 7 ? "a b" : "b");
        rank[k] = K - 1 - k;
    }
    ilk_count_table t;
    assert_int_equal(ilk_count_table_new(&t, &c, rank, K, 0, 0), ILK_OK);
    assert_int_equal(t.begin[1], without);
    assert_int_equal(t.begin[2], without + K);
    for (uint32_t k = 0; k < K; k++)
        assert_true(t.cls[t.begin[1] + k] == k && t.count[t.begin[1] + k] == 3);
    for (size_t at = 0; at < t.begin[1]; at++)
        assert_true((K - 1 - t.cls[at]) % 7 != 0 && (at == 0 || t.cls[at] > t.cls[at - 1]));
    ilk_count_table_free(&t);
    ilk_counts_clear(&c);
    add_text(&c, 5, "b");
    assert_int_equal(ilk_count_table_new(&t, &c, rank, K, 0, 0), ILK_OK);
    assert_true(t.n == 1 && t.begin[1] == 1 && t.cls[0] == K - 6 && t.count[0] == 1);
    ilk_count_table_free(&t);
    ilk_counts_free(&c);
}

static void counts__of_many_classes_are_told_apart(void **state) {
    (void)state;
    check_classes(7);
    check_classes(64);
    check_classes(65);
    check_classes(700);
}

static void removable__asks_for_every_count(void **state) {
    (void)state;
    ilk_counts c = texts(2);
    add_text(&c, 0, "a a b");
    add_text(&c, 0, "b");
    static const struct {
        uint32_t k;
        const char *text;
        bool expected;
    } cases[] = {
        {0, "a a b", true},  {0, "b", true},  {0, "", true},
        {0, "a", true},                                          /* nothing tells that it was never a row */
        {0, "a a a", false}, {0, "c", false}, {0, "b b", false}, /* b occurs in two rows: one must stay for the other */
        {1, "a", false},     {1, "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ilk_counts from = texts(2);
        add_text(&from, cases[i].k, cases[i].text);
        assert_int_equal(ilk_counts_removable(&c, &from, same, 0, &place), cases[i].expected);
        ilk_counts_free(&from);
    }
    ilk_counts often = texts(1), twice = texts(1); /* b occurs often enough, but not in two rows */
    add_text(&often, 0, "b b b");
    add_text(&often, 0, "x");
    add_text(&twice, 0, "b");
    add_text(&twice, 0, "b");
    assert_false(ilk_counts_removable(&often, &twice, same, 0, &place));
    assert_true(place.k == 0 && place.field == 0 && place.key == key(&twice, 0, "b"));
    ilk_counts_free(&often);
    ilk_counts_free(&twice);
    ilk_counts three = texts(2);
    for (int i = 0; i < 3; i++)
        add_text(&three, 0, i ? "" : "b");
    assert_false(ilk_counts_removable(&c, &three, same, 0, &place)); /* only two rows are there */
    assert_true(place.k == 0 && place.field == 0 && place.key == ILK_NONE);
    ilk_counts_free(&three);
    ilk_counts_free(&c);
}

/* One class with one word, of these sums. */
static ilk_counts sums_of(double count, double docs, double present) {
    ilk_counts c = texts(1);
    assert_int_equal(ilk_counts_put(&c, key(&c, 0, "a"), &(ilk_cell){count, docs, 0}, 1), ILK_OK);
    c.margin[0].present = present;
    return c;
}

/* With an eighth for rounding, 8 may be taken from 7, but not from less. */
static void removable__forgives_rounding_and_no_more(void **state) {
    (void)state;
    static const struct {
        double here[3], gone[3]; /* count, docs, present */
        bool expected;
    } cases[] = {
        {{7, 7, 7}, {8, 8, 8}, true},    {{6.9, 7, 7}, {8, 8, 8}, false}, {{7, 6.9, 7}, {8, 8, 8}, false},
        {{7, 7, 6.9}, {8, 8, 8}, false}, {{10, 8, 9}, {3, 0, 0}, true},   {{10, 8, 9}, {3.1, 0, 0}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *h = cases[i].here, *g = cases[i].gone;
        ilk_counts here = sums_of(h[0], h[1], h[2]), gone = sums_of(g[0], g[1], g[2]);
        assert_int_equal(ilk_counts_removable(&here, &gone, same, 0.125, &place), cases[i].expected);
        ilk_counts_free(&here);
        ilk_counts_free(&gone);
    }
}

static void subtract__leaves_nothing_of_what_is_rounding(void **state) {
    (void)state;
    static const struct {
        double count;
        const char *left;
    } cases[] = {{6.75, "a:0=1.25/1.25"}, {7, ""}}; /* docs are no more than the count */
    for (size_t i = 0; i < 2; i++) {
        ilk_counts here = sums_of(8, 8, 8), gone = sums_of(cases[i].count, 6.5, 7);
        ilk_counts_subtract(&here, &gone, same, 0.125);
        assert_string_equal(shown(&here, 0, 0), cases[i].left);
        assert_true(here.margin[0].present == 0);
        ilk_counts_free(&here);
        ilk_counts_free(&gone);
    }
}

/* How many words were counted says whether a cell may have run over, whoever counted them. */
static void dense__merged_has_the_words_of_both(void **state) {
    (void)state;
    ilk_counts c = texts(1);
    key(&c, 0, "a");
    ilk_dense t[2];
    const uint32_t id = 0, label = 0;
    for (uint32_t i = 0; i < 2; i++) {
        ilk_tokens bags = {(size_t[]){0, 1}, &id, (uint32_t[]){3 + i}, NULL};
        assert_int_equal(ilk_dense_new(&t[i], &c, true), ILK_OK);
        assert_true(ilk_dense_add(&t[i], &c, &(ilk_count_rows){.bags = &bags, .label = &label, .n = 1}, 0, 1));
    }
    ilk_dense_merge(&t[0], &t[1]);
    assert_true(t[0].tokens == 7);
    assert_int_equal(ilk_dense_pour(&c, &t[0]), ILK_OK);
    assert_string_equal(shown(&c, 0, 0), "a:0=7/2");
    ilk_dense_free(&t[0]);
    ilk_dense_free(&t[1]);
    ilk_counts_free(&c);
}

/* Side by side may stand the keys of a class, or the classes of a key. Bags are longer and shorter than what is asked for
 * at once. */
static void dense__counts_what_the_store_counts(void **state) {
    (void)state;
    enum { WORDS = 7, K = 3, N = 4, TOKENS = 16 + 1 + 33 };
    const size_t begin[N + 1] = {0, 16, 17, 17, TOKENS};
    const uint32_t label[N] = {2, 0, 1, 2};
    uint32_t id[TOKENS], count[TOKENS];
    for (uint32_t w = 0; w < TOKENS; w++) {
        id[w] = w * 5 % (WORDS - 1); /* the last word does not occur */
        count[w] = 1 + w % 4;
    }
    const ilk_tokens bags = {begin, id, count, NULL};
    const ilk_count_rows rows = {.bags = &bags, .label = label, .n = N};
    ilk_counts c[3];
    for (size_t i = 0; i < 3; i++) {
        c[i] = texts(K);
        for (uint32_t v = 0; v < WORDS; v++)
            key(&c[i], 0, (char[]){(char)('a' + (char)v), 0});
    }
    assert_int_equal(ilk_counts_add(&c[2], &rows), N);
    for (size_t i = 0; i < 2; i++) {
        ilk_dense t;
        assert_int_equal(ilk_dense_new(&t, &c[i], true), ILK_OK);
        if (i == 1)
            t.next_key = K, t.next_class = 1;
        assert_true(ilk_dense_add(&t, &c[i], &rows, 0, N));
        assert_int_equal(ilk_dense_pour(&c[i], &t), ILK_OK);
        char counted[200];
        strcpy(counted, shown(&c[i], 0, 0));
        assert_string_equal(counted, shown(&c[2], 0, 0));
        assert_memory_equal(c[i].margin, c[2].margin, K * sizeof *c[i].margin);
        ilk_dense_unpour(&c[i], &t);
        assert_string_equal(shown(&c[i], 0, 0), "");
        ilk_dense_free(&t);
    }
    for (size_t i = 0; i < 3; i++)
        ilk_counts_free(&c[i]);
}

static void dense__refuses_a_word_that_is_none_behind_many(void **state) {
    (void)state;
    enum { TOKENS = 20 };
    ilk_counts c = texts(1);
    key(&c, 0, "a");
    const uint32_t label = 0;
    for (size_t bad = 0; bad < TOKENS; bad++) {
        uint32_t id[TOKENS] = {0}, count[TOKENS];
        for (size_t w = 0; w < TOKENS; w++)
            count[w] = 1;
        const ilk_tokens bags = {(size_t[]){0, TOKENS}, id, count, NULL};
        const ilk_count_rows rows = {.bags = &bags, .label = &label, .n = 1};
        ilk_dense t;
        assert_int_equal(ilk_dense_new(&t, &c, true), ILK_OK);
        assert_true(ilk_dense_add(&t, &c, &rows, 0, 1));
        id[bad] = 1;
        assert_false(ilk_dense_add(&t, &c, &rows, 0, 1));
        id[bad] = 0;
        count[bad] = 0;
        assert_false(ilk_dense_add(&t, &c, &rows, 0, 1));
        ilk_dense_free(&t);
    }
    ilk_counts_free(&c);
}

static void undo__takes_the_first_rows_away_again(void **state) {
    (void)state;
    ilk_counts c;
    ilk_counts_init(&c, 2);
    assert_int_equal(ilk_counts_grow(&c, 2), ILK_OK);
    uint32_t a = key(&c, 0, "a"), b = key(&c, 1, "b"), A = key(&c, 0, "A");
    const uint32_t code[] = {9, a, b, 9, A, ILK_MISSING, 9, a, b}, label[] = {0, 1, 0};
    ilk_count_rows rows = {.code = code, .stride = 3, .source = (size_t[]){1, 2}, .label = label, .n = 3};
    assert_int_equal(ilk_counts_add(&c, &rows), 3);
    assert_string_equal(shown(&c, 0, 0), "A:1=1/1 a:0=2/2 b:0=2/2");
    assert_true(c.margin[2].present == 1 &&
                c.margin[3].present == 0); /* of class 1: column 0 present, column 1 missing */
    ilk_counts_undo(&c, &rows, 2);
    assert_string_equal(shown(&c, 0, 0), "a:0=1/1 b:0=1/1");
    assert_true(c.margin[2].present == 0 && c.margin[0].total == 1);
    ilk_counts_free(&c);
}

static void overflow__is_seen_before_2_to_the_53_is_passed(void **state) {
    (void)state;
    ilk_counts c = texts(1), one = texts(1);
    add_text(&c, 0, "a");
    add_text(&one, 0, "a");
    c.margin[0].total = 0x1p53 - 1;
    assert_false(ilk_counts_would_overflow(&c, &one, same, &place));
    c.margin[0].total = 0x1p53;
    assert_true(ilk_counts_would_overflow(&c, &one, same, &place));
    ilk_counts_free(&c);
    ilk_counts_free(&one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts__are_tokens_and_documents_per_class),
        cmocka_unit_test(table__keeps_the_commonest_words_with_enough_documents),
        cmocka_unit_test(table__drops_a_class_and_renumbers_the_others),
        cmocka_unit_test(table__of_no_classes_and_no_words_is_empty),
        cmocka_unit_test(merge__changes_nothing_before_all_is_prepared),
        cmocka_unit_test(merge__unites_words_by_name),
        cmocka_unit_test(merge__of_many_words_loses_none),
        cmocka_unit_test(counts__of_many_classes_are_told_apart),
        cmocka_unit_test(removable__asks_for_every_count),
        cmocka_unit_test(removable__forgives_rounding_and_no_more),
        cmocka_unit_test(subtract__leaves_nothing_of_what_is_rounding),
        cmocka_unit_test(dense__merged_has_the_words_of_both),
        cmocka_unit_test(dense__counts_what_the_store_counts),
        cmocka_unit_test(dense__refuses_a_word_that_is_none_behind_many),
        cmocka_unit_test(undo__takes_the_first_rows_away_again),
        cmocka_unit_test(overflow__is_seen_before_2_to_the_53_is_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
