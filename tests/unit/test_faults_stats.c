/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults_stats.c - learning and merging with the n-th allocation failing, for n = 1, 2, … until none is left, on
 * fresh statistics each time: all or nothing, to the last byte of their file, and the next try succeeds. Rows have
 * whole weights or fractions, whose sums are rounded; blocks are of every layout, and several threads add.
 *
 * Builds without ILK_FAULTS do it once, and compare with another time. */
#include "fixtures.h"

#include "core/fault.h"

static const char *const columns = "x:gda z:gda r:gaussian c:categorical t:multinomial d:table e:table u:bernoulli k";

/* What is done to statistics that have some rows already. */
typedef struct trial {
    bool fractions_before, fractions; /* weights of those rows, and of the new ones */
    size_t n, threads;                /* new rows */
} trial;

/* Words and values of rows from `first` on differ from those before, and come in several classes. */
static table rows_from(size_t first, size_t n) {
    char *text = make(n, 128);
    for (size_t i = first, at = 0; i < first + n; i++)
        at += (size_t)sprintf(text + at, "%zu,%zu,%zu,c%zu,w%zu x%zu w%zu,d%zu,e%zu,u%zu v%zu,%c\n", i % 7, i * i % 11,
                              i % 3, i % 15, i % 17, i % 13, i % 17 + 1, i % 14, i % 3, i % 19, i % 14, "klm"[i % 3]);
    table t = table_of(text);
    free(text);
    return t;
}

static double *fractions(size_t n) {
    double *w = make(n, sizeof *w);
    for (size_t i = 0; i < n; i++)
        w[i] = 0.1 * (double)(1 + i % 7);
    return w;
}

static batch batch_from(ilk_stats *s, const trial *t, size_t first, bool weighted) {
    table rows = rows_from(first, t->n);
    batch b = batch_for_stats(s, &rows);
    b.rows.weight = weighted ? fractions(t->n) : NULL;
    b.rows.threads = t->threads;
    table_free(&rows);
    return b;
}

static void free_batch(batch *b) {
    free((double *)(uintptr_t)b->rows.weight);
    batch_free(b);
}

/* Statistics of n rows from `first` on. */
static ilk_stats *stats_from(const trial *t, size_t first, bool weighted) {
    ilk_stats *s = stats_of(columns, NULL);
    batch b = batch_from(s, t, first, weighted);
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    free_batch(&b);
    return s;
}

static ilk_stats *before(const trial *t) {
    return stats_from(&(trial){.n = 9}, 0, t->fractions_before);
}

/* ---- the changes: the first half of each makes what is needed, the second may fail */

typedef struct subject {
    batch rows;
    ilk_stats *other;
} subject;

static subject make_rows(ilk_stats *s, const trial *t) {
    return (subject){.rows = batch_from(s, t, 5, t->fractions)};
}
/* Some of those that are there. */
static subject make_known(ilk_stats *s, const trial *t) {
    return (subject){.rows = batch_from(s, &(trial){.n = 4}, 0, t->fractions_before)};
}
static ilk_status add_rows(ilk_stats *s, const subject *what) {
    return ilk_stats_add(s, &what->rows.rows, &failure);
}
static ilk_status remove_rows(ilk_stats *s, const subject *what) {
    return ilk_stats_remove(s, &what->rows.rows, &failure);
}

/* Statistics of the new rows, with declared values in each block of counts. */
static subject make_other(ilk_stats *s, const trial *t) {
    static const ilk_kind kinds[] = {ILK_CATEGORY, ILK_TEXT, ILK_CATEGORY, ILK_CATEGORY, ILK_TEXT};
    static const size_t places[] = {0, 0, 1, 2, 1};
    ilk_stats *other = stats_from(t, 5, t->fractions);
    (void)s;
    for (size_t i = 0; i < 5; i++) {
        for (int v = 0; v < 9; v++) {
            uint32_t id;
            char name[24];
            snprintf(name, sizeof name, "declared%d", v);
            assert_ok(ilk_stats_declare(&id, other, kinds[i], places[i], str(name), &failure));
        }
    }
    return (subject){.other = other};
}
static ilk_status merge_other(ilk_stats *s, const subject *what) {
    return ilk_stats_merge(s, what->other, &failure);
}

typedef struct change {
    subject (*make)(ilk_stats *s, const trial *t);
    ilk_status (*run)(ilk_stats *s, const subject *what);
} change;

static const change adding = {make_rows, add_rows}, removing = {make_known, remove_rows},
                    merging = {make_other, merge_other};

static void subject_free(subject *what) {
    free_batch(&what->rows);
    ilk_stats_free(what->other);
}

/* ---- failing */

static void assert_file(const ilk_stats *s, bytes expected) {
    bytes now = stats_file(s);
    assert_same_bytes(now, expected);
    free(now.p);
}

#ifdef ILK_FAULTS
enum { FEWEST_POINTS = 20 };
static void arm(uint64_t n) {
    ilk_fault_arm(&ilk_allocation_fault, n, false);
}
static bool is_reached(uint64_t n) {
    return atomic_load(&ilk_allocation_fault.seen) >= n;
}
#else
enum { FEWEST_POINTS = 0 };
static void arm(uint64_t n) {
    (void)n;
}
static bool is_reached(uint64_t n) {
    return n == 0;
}
#endif

/* With the n-th allocation failing. Was there an n-th? */
static bool try(const change *c, const trial *t, uint64_t n, bytes was, bytes becomes) {
    ilk_stats *s = before(t);
    subject what = c->make(s, t);
    arm(n);
    ilk_status status = c->run(s, &what);
    bool reached = is_reached(n);
    arm(0);
    assert_int_equal(status, status == ILK_OK ? ILK_OK : ILK_ENOMEM);
    assert_file(s, status == ILK_OK ? becomes : was);
    if (status != ILK_OK) {
        assert_ok(c->run(s, &what));
        assert_file(s, becomes);
    }
    subject_free(&what);
    ilk_stats_free(s);
    return reached;
}

static void assert_all_or_nothing(const change *c, trial t) {
    ilk_stats *s = before(&t);
    bytes was = stats_file(s), becomes;
    subject what = c->make(s, &t);
    assert_ok(c->run(s, &what));
    becomes = stats_file(s);
    uint64_t n = 1;
    while (try(c, &t, n, was, becomes))
        n++;
    printf("# %llu points\n", (unsigned long long)n - 1);
    assert_true(n > FEWEST_POINTS);
    subject_free(&what);
    ilk_stats_free(s);
    free(was.p);
    free(becomes.p);
}

static void add__of_fractions_is_all_or_nothing(void **state) {
    (void)state;
    assert_all_or_nothing(&adding, (trial){.fractions = true, .n = 60});
    assert_all_or_nothing(&adding, (trial){.fractions = true, .fractions_before = true, .n = 60});
}

static void add__to_fractions_is_all_or_nothing(void **state) {
    (void)state;
    assert_all_or_nothing(&adding, (trial){.fractions_before = true, .n = 60});
}

/* Enough to be counted in a table first, if sums were whole. */
static void add__of_many_rows_to_fractions_is_all_or_nothing(void **state) {
    (void)state;
    assert_all_or_nothing(&adding, (trial){.fractions_before = true, .n = 2000});
}

static void remove__of_fractions_is_all_or_nothing(void **state) {
    (void)state;
    assert_all_or_nothing(&removing, (trial){.fractions_before = true});
}

/* Two chunks, each learnt by any of the threads. */
static void add__by_threads_is_all_or_nothing(void **state) {
    (void)state;
    assert_all_or_nothing(&adding, (trial){.n = 4200, .threads = 3});
    assert_all_or_nothing(&adding, (trial){.fractions = true, .n = 4200, .threads = 2});
}

static void merge__of_declared_values_is_all_or_nothing(void **state) {
    (void)state;
    assert_all_or_nothing(&merging, (trial){.n = 60});
}

static void merge__of_fractions_is_all_or_nothing(void **state) {
    (void)state;
    assert_all_or_nothing(&merging, (trial){.fractions = true, .n = 60});
    assert_all_or_nothing(&merging, (trial){.fractions_before = true, .n = 60});
    assert_all_or_nothing(&merging, (trial){.fractions = true, .fractions_before = true, .n = 60});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add__of_fractions_is_all_or_nothing),
        cmocka_unit_test(add__to_fractions_is_all_or_nothing),
        cmocka_unit_test(add__of_many_rows_to_fractions_is_all_or_nothing),
        cmocka_unit_test(remove__of_fractions_is_all_or_nothing),
        cmocka_unit_test(add__by_threads_is_all_or_nothing),
        cmocka_unit_test(merge__of_declared_values_is_all_or_nothing),
        cmocka_unit_test(merge__of_fractions_is_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
