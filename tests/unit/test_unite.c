/* SPDX-License-Identifier: Apache-2.0 */
/* Many keys are united in ranges, by several threads: what comes of them is what one reading of all rows gives, and
 * where memory ends nothing is left. Builds without ILK_FAULTS unite once. */
#include "fixtures.h"

#include "core/fault.h"
#include "core/memory.h"
#include "model/stats.h"

enum { PARTS = 4, KEYS = 15000 };

/* Key i: some share their first bytes with thousands, some end within them, some are the beginning of others. */
static ilk_str key_of(char *room, size_t i) {
    int n = i % 3 == 0   ? snprintf(room, 40, "%zu", i)
            : i % 3 == 1 ? snprintf(room, 40, "internat%zu", i)
                         : snprintf(room, 40, "%c%.*s", (int)('a' + i % 26), (int)(i / 26 % 9), "internat");
    return (ilk_str){room, (size_t)n};
}

/* A text of all keys from `first` on, of class `name`; the i-th occurs i % 3 + 1 times. */
static void learn_text(ilk_stats *s, const char *name, size_t first, bool gather) {
    uint32_t *id = make(KEYS, sizeof *id), *count = make(KEYS, sizeof *count), label;
    size_t begin[] = {0, KEYS};
    char room[40];
    assert_ok(ilk_stats_class(&label, s, str(name), &failure));
    for (size_t i = 0; i < KEYS; i++) {
        size_t at = (i * 7919) % KEYS; /* in no order */
        assert_ok(ilk_stats_word(&id[i], s, 0, key_of(room, first + at), &failure));
        count[i] = (uint32_t)(at % 3) + 1;
    }
    ilk_tokens bag = {begin, id, count, NULL};
    ilk_rows rows = {.n = 1, .text = &bag, .label = &label};
    assert_ok(gather ? ilk_stats_gather(s, &rows, &failure) : ilk_stats_add(s, &rows, &failure));
    free(id);
    free(count);
}

/* Part 1 is settled before it goes on; part 2 has nothing; part 3 has a word that only it declares. */
static void learn_share(ilk_stats *s, size_t i, bool gather) {
    uint32_t id;
    if (i == 2)
        return;
    learn_text(s, i == 1 ? "q" : "p", 3000 * i, gather);
    if (i == 1 && gather)
        assert_ok(ilk_stats_settle(s, &failure));
    learn_text(s, i == 1 ? "p" : i == 3 ? "r" : "q", 3000 * i, gather);
    if (i == 3)
        assert_ok(ilk_stats_declare(&id, s, ILK_TEXT, 0, str("zzz"), &failure));
}

static void unite__of_many_words_is_learning_all_at_once(void **state) {
    (void)state;
    for (size_t n = 1; n <= PARTS; n++) {
        ilk_stats *plain = stats_of("t:multinomial y", NULL), *sum = stats_of("t:multinomial y", NULL), *part[PARTS];
        ilk_renumbering id[PARTS] = {0};
        for (size_t i = 0; i < n; i++) {
            part[i] = stats_of("t:multinomial y", NULL);
            learn_share(part[i], i, true);
            learn_share(plain, i, false);
        }
        assert_ok(ilk_stats_unite(sum, part, n, id, &failure));
        const ilk_dict *words = &sum->store[0].counts.keys;
        for (size_t i = 0; i < n; i++) {
            const ilk_dict *own = &part[i]->store[0].counts.keys;
            for (uint32_t w = 0; w < own->n; w++)
                assert_int_equal(ilk_dict_find(words, 0, ilk_dict_key(own, w)), id[i].to[w]);
            ilk_free(id[i].to);
            ilk_stats_free(part[i]);
        }
        assert_int_equal(words->ordered, words->n);
        for (uint32_t w = 1; w < words->n; w++)
            assert_true(ilk_str_compare(ilk_dict_key(words, w - 1), ilk_dict_key(words, w)) < 0);
        for (size_t k = 0; k < sum->K; k++)
            assert_memory_equal(&sum->store[0].counts.margin[k], &plain->store[0].counts.margin[k], sizeof(ilk_margin));
        assert_same_stats(plain, sum);
        learn_text(plain, "q", 500, false); /* it goes on growing */
        learn_text(sum, "q", 500, false);
        assert_same_stats(plain, sum);
        ilk_stats_free(plain);
        ilk_stats_free(sum);
    }
}

/* Two columns, whose values are cut where a column ends and elsewhere; some are declared and never met. */
static void learn_codes(ilk_stats *s, size_t i) {
    char room[40];
    uint32_t code[2], label;
    assert_ok(ilk_stats_class(&label, s, str(i % 2 ? "q" : "p"), &failure));
    for (size_t at = 0; at < KEYS; at++) {
        for (size_t j = 0; j < 2; j++)
            assert_ok(ilk_stats_code(&code[j], s, j, key_of(room, (1000 * i + at) * (j + 1)), &failure));
        assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 1, .code = code, .label = &label}, &failure));
    }
    for (size_t at = 0; at < 100; at++)
        assert_ok(ilk_stats_declare(&code[0], s, ILK_CATEGORY, at % 2, key_of(room, 50 * at + i), &failure));
}

static void unite__of_many_categories_is_learning_all_at_once(void **state) {
    (void)state;
    static const char *const columns = "c:categorical d:categorical y";
    ilk_stats *plain = stats_of(columns, NULL), *sum = stats_of(columns, NULL), *part[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        part[i] = stats_of(columns, NULL);
        learn_codes(part[i], i);
        learn_codes(plain, i);
    }
    assert_ok(ilk_stats_unite(sum, part, PARTS, NULL, &failure));
    assert_same_stats(plain, sum);
    for (size_t i = 0; i < PARTS; i++)
        ilk_stats_free(part[i]);
    ilk_stats_free(plain);
    ilk_stats_free(sum);
}

/* Unite with the n-th allocation failing. Was there an n-th? */
static bool unite_with_fault(ilk_stats *const *part, size_t parts, uint64_t n, ilk_status *status) {
    ilk_stats *sum = stats_of("t:multinomial y", NULL);
    ilk_renumbering id[PARTS] = {0};
    bool reached = false;
    failure = (ilk_error){0};
#ifdef ILK_FAULTS
    ilk_fault_arm(&ilk_allocation_fault, n, false);
#else
    (void)n;
#endif
    *status = ilk_stats_unite(sum, part, parts, id, &failure);
#ifdef ILK_FAULTS
    reached = atomic_load(&ilk_allocation_fault.seen) >= n;
    ilk_fault_arm(&ilk_allocation_fault, 0, false);
#endif
    for (size_t i = 0; i < parts; i++)
        ilk_free(id[i].to);
    ilk_stats_free(sum);
    return reached;
}

static void unite__of_many_words_fails_wherever_memory_ends(void **state) {
    (void)state;
    ilk_stats *part[PARTS];
    ilk_status status;
    for (size_t i = 0; i < PARTS; i++) {
        part[i] = stats_of("t:multinomial y", NULL);
        learn_share(part[i], i, true);
    }
    for (uint64_t n = 1; unite_with_fault(part, PARTS, n, &status); n++)
        assert_true(status == ILK_ENOMEM ? failure.message[0] != '\0' : status == ILK_OK);
    assert_int_equal(status, ILK_OK);
    for (size_t i = 0; i < PARTS; i++)
        ilk_stats_free(part[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unite__of_many_words_is_learning_all_at_once),
        cmocka_unit_test(unite__of_many_categories_is_learning_all_at_once),
        cmocka_unit_test(unite__of_many_words_fails_wherever_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
