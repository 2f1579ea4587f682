/* SPDX-License-Identifier: Apache-2.0 */
/* test_dict.c - strings to ids: the dictionary that grows, and the frozen one that must survive any bytes. */
#include "fixtures.h"

#include "core/dict.h"
#include "core/hash.h"

static uint32_t intern(ilk_dict *d, uint32_t field, ilk_str key) {
    uint32_t id = ILK_NONE;
    assert_int_equal(ilk_dict_intern(d, field, key, &id), ILK_OK);
    return id;
}

/* ---- growing */

static void dict__numbers_keys_in_order_of_appearance(void **state) {
    (void)state;
    ilk_dict d = {0};
    assert_int_equal(ilk_dict_find(&d, 0, str("a")), ILK_UNSEEN);
    assert_int_equal(intern(&d, 0, str("b")), 0);
    assert_int_equal(intern(&d, 0, str("a")), 1);
    assert_int_equal(intern(&d, 0, str("b")), 0);
    assert_int_equal(intern(&d, 1, str("b")), 2);
    assert_int_equal(ilk_dict_find(&d, 0, str("a")), 1);
    assert_int_equal(ilk_dict_find(&d, 1, str("b")), 2);
    assert_int_equal(ilk_dict_find(&d, 1, str("a")), ILK_UNSEEN);
    assert_int_equal(ilk_dict_find(&d, 2, str("b")), ILK_UNSEEN);
    assert_int_equal(d.n, 3);
    ilk_dict_free(&d);
}

static void dict__tells_apart_keys_that_look_alike(void **state) {
    (void)state;
    static const ilk_str keys[] = {{"", 0},    {"\0", 1},   {"\0\0", 2}, {"a", 1},
                                   {"a\0", 2}, {"a\0b", 3}, {"ab", 2},   {"\xFF", 1}};
    enum { N = sizeof keys / sizeof *keys };
    ilk_dict d = {0};
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(intern(&d, 0, keys[i]), i);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(ilk_dict_find(&d, 0, keys[i]), i);
        assert_int_equal(ilk_dict_key(&d, i).n, keys[i].n);
        assert_memory_equal(ilk_dict_key(&d, i).p, keys[i].p, keys[i].n);
    }
    ilk_dict_free(&d);
}

static void dict__finds_every_key_while_it_grows(void **state) {
    (void)state;
    ilk_dict d = {0};
    char text[32];
    for (uint32_t i = 0; i < 50000; i++) {
        snprintf(text, sizeof text, "key-%u", i);
        assert_int_equal(intern(&d, i % 3, str(text)), i);
        if (i % 97 == 0)
            for (uint32_t j = 0; j <= i; j += 1 + i / 16) {
                snprintf(text, sizeof text, "key-%u", j);
                assert_int_equal(ilk_dict_find(&d, j % 3, str(text)), j);
                assert_int_equal(ilk_dict_find(&d, (j + 1) % 3, str(text)), ILK_UNSEEN);
            }
    }
    assert_int_equal(d.n, 50000);
    ilk_dict_free(&d);
}

static void dict__sorts_by_field_and_bytes(void **state) {
    (void)state;
    static const struct {
        uint32_t field;
        ilk_str key;
    } in[] = {{1, {"b", 1}},        {0, {"zz", 2}}, {0, {"z", 1}},  {1, {"", 0}},
              {0, {"\xC3\xA9", 2}}, {0, {"Z", 1}},  {0, {"z\0", 2}}};
    static const uint32_t expected[] = {5, 2, 6, 1, 4, 3, 0};
    enum { N = sizeof in / sizeof *in };
    ilk_dict d = {0};
    uint32_t order[N];
    for (size_t i = 0; i < N; i++)
        intern(&d, in[i].field, in[i].key);
    assert_int_equal(ilk_dict_sort(&d, order), ILK_OK);
    assert_memory_equal(order, expected, sizeof order);
    ilk_dict_free(&d);
}

static ilk_dict sorted; /* qsort has no context argument */

static int by_field_and_bytes(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const ilk_dict *d = &sorted;
    if (d->entry[x].field != d->entry[y].field)
        return d->entry[x].field < d->entry[y].field ? -1 : 1;
    return ilk_str_compare(ilk_dict_key(d, x), ilk_dict_key(d, y));
}

/* Against plain comparison: keys of 0 to 20 bytes, few values of a byte, so that heads are often equal. */
static void dict__sorts_as_comparison_would(void **state) {
    (void)state;
    rng r = rng_new(5);
    for (size_t n = 1; n < 5000; n = 3 * n + 1) {
        uint32_t *order = malloc(n * sizeof *order), *expected = malloc(n * sizeof *expected);
        sorted = (ilk_dict){0};
        while (sorted.n < n) {
            char key[20];
            size_t length = rng_below(&r, sizeof key + 1);
            for (size_t i = 0; i < length; i++)
                key[i] = "\0a\xFF"[rng_below(&r, 3)];
            intern(&sorted, (uint32_t)rng_below(&r, 3) * 257, (ilk_str){key, length});
        }
        for (uint32_t id = 0; id < n; id++)
            expected[id] = id;
        qsort(expected, n, sizeof *expected, by_field_and_bytes);
        assert_int_equal(ilk_dict_sort(&sorted, order), ILK_OK);
        assert_memory_equal(order, expected, n * sizeof *order);
        ilk_dict_free(&sorted);
        free(order);
        free(expected);
    }
}

/* The one pair that is out of order differs in its field, its first bytes, its length, or behind its first bytes. */
static void dict__sorts_what_is_nearly_in_order(void **state) {
    (void)state;
    static const struct {
        uint32_t field;
        const char *key;
    } keys[] = {{0, ""}, {0, "a"}, {0, "ab"}, {0, "abcdefgh"}, {0, "abcdefgh1"}, {0, "abcdefgh2"}, {0, "b"}, {1, "a"}};
    enum { N = sizeof keys / sizeof *keys };
    for (uint32_t swapped = 0; swapped < N; swapped++) { /* key 0 with itself, then each with the one before */
        ilk_dict d = {0};
        uint32_t order[N];
        for (uint32_t i = 0; i < N; i++) {
            uint32_t at = i == swapped ? (i ? i - 1 : 0) : i + 1 == swapped ? i + 1 : i;
            intern(&d, keys[at].field, str(keys[at].key));
        }
        assert_int_equal(ilk_dict_sort(&d, order), ILK_OK);
        for (uint32_t i = 0; i < N; i++) {
            assert_true(ilk_str_equal(ilk_dict_key(&d, order[i]), str(keys[i].key)));
            assert_int_equal(d.entry[order[i]].field, keys[i].field);
        }
        ilk_dict_free(&d);
    }
}

/* Parts cut at any key of one of them: what is merged of the keys before it, and of the others, make up the whole. */
static void assert_ranges_are(const ilk_dict *whole, const ilk_dict_part *part, size_t n, const ilk_dict_rank *cut) {
    ilk_dict range[2] = {{0}, {0}};
    for (size_t r = 0; r < 2; r++) {
        ilk_dict_part some[8];
        for (size_t i = 0; i < n; i++) {
            size_t before = ilk_dict_before(&part[i], cut), first = r ? before : 0, last = r ? part[i].n : before;
            uint32_t *id = malloc((part[i].n + 1) * sizeof *id);
            some[i] = (ilk_dict_part){part[i].from, part[i].order + first, id, last - first};
        }
        assert_int_equal(ilk_dict_merge(&range[r], some, n), ILK_OK);
        for (size_t i = 0; i < n; i++) {
            size_t first = (size_t)(some[i].order - part[i].order);
            for (size_t at = 0; at < some[i].n; at++)
                assert_int_equal(some[i].id[at] + (r ? range[0].n : 0), part[i].id[first + at]);
            free(some[i].id);
        }
    }
    assert_int_equal(ilk_dict_append(&range[0], &range[1]), ILK_OK);
    assert_int_equal(range[0].n, whole->n);
    assert_int_equal(range[0].ordered, whole->n);
    for (uint32_t id = 0; id < whole->n; id++) {
        assert_true(ilk_str_equal(ilk_dict_key(&range[0], id), ilk_dict_key(whole, id)));
        assert_int_equal(range[0].entry[id].field, whole->entry[id].field);
    }
    ilk_dict_free(&range[0]);
    ilk_dict_free(&range[1]);
}

/* Keys of several dictionaries, some in all of them: each once, in order, and every part knows its own. */
static void dict__merge_is_the_union_in_order(void **state) {
    (void)state;
    enum { PARTS = 5, MOST = 800 };
    rng r = rng_new(9);
    for (size_t n = 0; n <= PARTS; n++) {
        ilk_dict from[PARTS] = {0}, whole = {0}, copy = {0};
        ilk_dict_part part[PARTS];
        ilk_dict_rank *order[PARTS];
        for (size_t i = 0; i < n; i++) {
            size_t keys = i == 2 ? 0 : rng_below(&r, MOST);
            for (size_t k = 0; k < keys; k++) {
                char key[12];
                size_t length = rng_below(&r, sizeof key + 1);
                for (size_t at = 0; at < length; at++)
                    key[at] = "\0a\xFF"[rng_below(&r, at < 8 ? 2 : 3)];
                intern(&from[i], (uint32_t)rng_below(&r, 2), (ilk_str){key, length});
            }
            order[i] = malloc(MOST * sizeof *order[i]);
            assert_int_equal(ilk_dict_rank_keys(&from[i], order[i]), ILK_OK);
            part[i] = (ilk_dict_part){&from[i], order[i], malloc(MOST * sizeof *part[i].id), from[i].n};
        }
        assert_int_equal(ilk_dict_merge(&whole, part, n), ILK_OK);
        assert_int_equal(whole.ordered, whole.n);
        ilk_dict_trim(&whole);
        assert_int_equal(ilk_dict_copy(&copy, &whole), ILK_OK);
        for (size_t i = 0; i < n; i++)
            for (size_t at = 0; at < part[i].n; at += part[i].n / 9 + 1)
                assert_ranges_are(&whole, part, n, &order[i][at]);
        ilk_dict plain = {0};
        for (size_t i = 0; i < n; i++) {
            for (uint32_t at = 0; at < from[i].n; at++) {
                uint32_t id = order[i][at].id;
                ilk_str key = ilk_dict_key(&from[i], id);
                intern(&plain, from[i].entry[id].field, key);
                assert_int_equal(ilk_dict_find(&whole, from[i].entry[id].field, key), part[i].id[at]);
                assert_true(ilk_str_equal(ilk_dict_key(&copy, part[i].id[at]), key));
            }
            free(order[i]);
            free(part[i].id);
            ilk_dict_free(&from[i]);
        }
        assert_int_equal(whole.n, plain.n);
        for (uint32_t id = 1; id < whole.n; id++) {
            uint32_t before = whole.entry[id - 1].field, here = whole.entry[id].field;
            assert_true(before < here || (before == here &&
                                          ilk_str_compare(ilk_dict_key(&whole, id - 1), ilk_dict_key(&whole, id)) < 0));
        }
        assert_int_equal(whole.slots, 0); /* so far all was found by its order */
        assert_int_equal(ilk_dict_find(&whole, 0, (ilk_str){"aab", 3}), ILK_UNSEEN);
        assert_int_equal(ilk_dict_find(&whole, 2, (ilk_str){"", 0}), ILK_UNSEEN);
        assert_int_equal(intern(&whole, 7, (ilk_str){"new", 3}), plain.n); /* it goes on growing */
        for (uint32_t id = 0; id < whole.n; id++)
            assert_int_equal(ilk_dict_find(&whole, whole.entry[id].field, ilk_dict_key(&whole, id)), id);
        ilk_dict_free(&plain);
        ilk_dict_free(&copy);
        ilk_dict_free(&whole);
    }
}

/* Words whose hash without a key ends in the same twelve bits: who knows the function can find any number of them. */
static void dict__spreads_words_that_collide_without_a_key(void **state) {
    (void)state;
    enum { N = 1000 };
    ilk_dict d = {0};
    for (unsigned long i = 0; d.n < N; i++) {
        char word[256];
        int n = snprintf(word, sizeof word, "word%lu", i);
        if ((ilk_hash_key(0, 0, (ilk_str){word, (size_t)n}) & 0xFFF) == 0)
            intern(&d, 0, (ilk_str){word, (size_t)n});
    }
    size_t taken = 0, longest = 0; /* the longest run of slots that are taken: more is never looked at */
    for (size_t i = 0; i < 2 * d.slots; i++) {
        taken = d.slot[i % d.slots].next_id ? taken + 1 : 0;
        longest = taken > longest ? taken : longest;
    }
    assert_in_range(longest, 1, N / 4);
    ilk_dict_free(&d);
}

/* ---- frozen */

static const ilk_str words[] = {{"", 0},      {"apple", 5}, {"a\0b", 3}, {"\xE4\xB8\xAD\xE6\x96\x87", 6},
                                {"zebra", 5}, {"\0", 1},    {"b", 1}};
enum { WORDS = sizeof words / sizeof *words, FIELDS = 3 };

/* The frozen form of all words in fields 0 and 2, some of them in both; field 1 is empty. 8-byte aligned, exact size.
 * */
static bytes frozen(const uint32_t *shuffle) {
    ilk_dict d = {0};
    uint32_t order[2 * WORDS];
    ilk_buffer b = {0};
    for (size_t i = 0; i < WORDS; i++) {
        size_t at = shuffle ? shuffle[i] : i;
        intern(&d, 2, words[at]);
        if (at % 2)
            intern(&d, 0, words[at]);
    }
    assert_int_equal(ilk_dict_sort(&d, order), ILK_OK);
    assert_int_equal(ilk_keys_freeze(&b, &d, order, d.n, FIELDS), ILK_OK);
    bytes out = {.n = b.n, .p = malloc(b.n)};
    assert_non_null(out.p);
    memcpy(out.p, b.p, b.n);
    ilk_buffer_free(&b);
    ilk_dict_free(&d);
    return out;
}

static void keys__know_what_was_frozen_and_nothing_else(void **state) {
    (void)state;
    bytes b = frozen(NULL);
    ilk_keys k;
    assert_true(ilk_keys_open(&k, b.p, b.n));
    size_t longest = 0;
    assert_int_equal(k.n, WORDS + WORDS / 2);
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t id = ilk_keys_find(&k, 2, words[i]);
        assert_in_range(id, k.field_begin[2], k.field_begin[3] - 1);
        assert_true(ilk_str_equal(ilk_keys_key(&k, id), words[i]));
        assert_int_equal(ilk_keys_find(&k, 0, words[i]) != ILK_UNSEEN, i % 2);
        assert_int_equal(ilk_keys_find(&k, 1, words[i]), ILK_UNSEEN);
        assert_int_equal(ilk_keys_find(&k, 3, words[i]), ILK_UNSEEN);
        longest = words[i].n > longest ? words[i].n : longest;
    }
    assert_int_equal(k.longest, longest);
    assert_int_equal(ilk_keys_find(&k, 2, str("appl")), ILK_UNSEEN);
    free(b.p);
}

static void keys__are_in_byte_order(void **state) {
    (void)state;
    bytes b = frozen(NULL);
    ilk_keys k;
    assert_true(ilk_keys_open(&k, b.p, b.n));
    for (uint32_t f = 0; f < FIELDS; f++)
        for (uint32_t id = k.field_begin[f]; id + 1 < k.field_begin[f + 1]; id++)
            assert_true(ilk_str_compare(ilk_keys_key(&k, id), ilk_keys_key(&k, id + 1)) < 0);
    free(b.p);
}

static void keys__are_the_same_bytes_in_whatever_order_words_came(void **state) {
    (void)state;
    rng r = rng_new(11);
    bytes first = frozen(NULL);
    for (int times = 0; times < 20; times++) {
        uint32_t shuffle[WORDS];
        for (uint32_t i = 0; i < WORDS; i++) {
            size_t j = rng_below(&r, i + 1);
            shuffle[i] = shuffle[j];
            shuffle[j] = i;
        }
        bytes again = frozen(shuffle);
        assert_same_bytes(first, again);
        free(again.p);
    }
    free(first.p);
}

static void keys__of_no_words_are_empty(void **state) {
    (void)state;
    ilk_dict d = {0};
    ilk_buffer b = {0};
    ilk_keys k;
    assert_int_equal(ilk_keys_freeze(&b, &d, NULL, 0, 2), ILK_OK);
    assert_true(ilk_keys_open(&k, b.p, b.n));
    assert_int_equal(k.n, 0);
    assert_int_equal(k.longest, 0);
    assert_int_equal(ilk_keys_find(&k, 0, str("")), ILK_UNSEEN);
    ilk_buffer_free(&b);
}

/* ---- hostile bytes: refused, or answers within bounds. AddressSanitizer watches the reads. */

static void use(const bytes *b) {
    ilk_keys k;
    if (!ilk_keys_open(&k, b->p, b->n))
        return;
    for (uint32_t f = 0; f < k.fields && f < 10; f++)
        for (size_t i = 0; i < WORDS; i++) {
            uint32_t id = ilk_keys_find(&k, f, words[i]);
            assert_true(id == ILK_UNSEEN || id < k.n);
        }
    volatile unsigned char sum = 0;
    for (uint32_t id = 0; id < k.n; id++) {
        ilk_str key = ilk_keys_key(&k, id);
        for (size_t i = 0; i < key.n; i++)
            sum = (unsigned char)(sum + (unsigned char)key.p[i]);
    }
}

static void hostile_keys__of_any_flipped_bit_do_no_harm(void **state) {
    (void)state;
    bytes b = frozen(NULL);
    for (size_t bit = 0; bit < 8 * b.n; bit++) {
        b.p[bit / 8] ^= (unsigned char)(1 << bit % 8);
        use(&b);
        b.p[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    free(b.p);
}

static void hostile_keys__cut_short_are_refused(void **state) {
    (void)state;
    bytes b = frozen(NULL);
    ilk_keys k;
    for (size_t n = 0; n < b.n; n++) {
        unsigned char *exact = malloc(n + (n == 0));
        assert_non_null(exact);
        memcpy(exact, b.p, n);
        assert_false(ilk_keys_open(&k, exact, n));
        free(exact);
    }
    free(b.p);
}

static void hostile_keys__of_random_mutations_do_no_harm(void **state) {
    (void)state;
    rng r = rng_new(12);
    bytes good = frozen(NULL);
    bytes b = {.n = good.n, .p = malloc(good.n)};
    assert_non_null(b.p);
    for (int times = 0; times < 100000; times++) {
        memcpy(b.p, good.p, good.n);
        for (size_t i = 1 + rng_below(&r, 4); i > 0; i--) {
            size_t at = rng_below(&r, b.n);
            b.p[at] = (unsigned char)(rng_below(&r, 2) ? rng_below(&r, 256)
                                                       : rng_below(&r, 16)); /* small ids are likelier to pass */
        }
        use(&b);
    }
    free(b.p);
    free(good.p);
}

static void hostile_keys__without_an_empty_slot_are_refused(void **state) {
    (void)state;
    bytes b = frozen(NULL);
    ilk_keys k;
    assert_true(ilk_keys_open(&k, b.p, b.n));
    uint32_t one = 1;
    for (uint32_t i = 0; i < k.slots; i++)
        if (k.slot[i] == 0)
            memcpy(b.p + ((const unsigned char *)&k.slot[i] - b.p), &one, sizeof one);
    assert_false(ilk_keys_open(&k, b.p, b.n));
    free(b.p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dict__numbers_keys_in_order_of_appearance),
        cmocka_unit_test(dict__tells_apart_keys_that_look_alike),
        cmocka_unit_test(dict__finds_every_key_while_it_grows),
        cmocka_unit_test(dict__sorts_by_field_and_bytes),
        cmocka_unit_test(dict__sorts_as_comparison_would),
        cmocka_unit_test(dict__sorts_what_is_nearly_in_order),
        cmocka_unit_test(dict__merge_is_the_union_in_order),
        cmocka_unit_test(dict__spreads_words_that_collide_without_a_key),
        cmocka_unit_test(keys__know_what_was_frozen_and_nothing_else),
        cmocka_unit_test(keys__are_in_byte_order),
        cmocka_unit_test(keys__are_the_same_bytes_in_whatever_order_words_came),
        cmocka_unit_test(keys__of_no_words_are_empty),
        cmocka_unit_test(hostile_keys__of_any_flipped_bit_do_no_harm),
        cmocka_unit_test(hostile_keys__cut_short_are_refused),
        cmocka_unit_test(hostile_keys__of_random_mutations_do_no_harm),
        cmocka_unit_test(hostile_keys__without_an_empty_slot_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
