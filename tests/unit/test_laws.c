/* SPDX-License-Identifier: Apache-2.0 */
/* test_laws.c - laws that hold for any model, tried on random ones (worlds.h). */
#include "worlds.h"

enum { WORLDS = 80 };

/* Whole numbers only, whose sums are exact. */
static bool sums_are_exact(const world *w) {
    return w->reals == 0 && w->weights != FRACTIONAL;
}

/* The same log-joints for every row and class: to the bit, or to `tolerance`. Classes may have other names in b. */
static void assert_same_answers(const world *w, const ilk_model *a, const table *ta, const ilk_model *b,
                                const table *tb, bool rename, double tolerance) {
    double *x = log_joints(a, ta), *y = log_joints(b, tb);
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->K; k++) {
            double p = x[i * w->K + ilk_model_class(a, str(class_name(w, k, false)))];
            double q = y[i * w->K + ilk_model_class(b, str(class_name(w, k, rename)))];
            if (tolerance == 0)
                assert_true(p == q);
            else
                assert_close(p, q, tolerance);
        }
    free(x);
    free(y);
}

/* Two ways to the same statistics: the same file where sums are exact, else the same answers to rounding. */
static void assert_same_learning(const world *w, const ilk_stats *a, const ilk_stats *b, const table *t,
                                 double tolerance) {
    ilk_model *m = world_model(w, a), *n = world_model(w, b);
    assert_int_equal(m == NULL, n == NULL);
    if (m && sums_are_exact(w)) {
        bytes x = saved(m, a), y = saved(n, b);
        assert_same_bytes(x, y);
        free(x.p);
        free(y.p);
    } else if (m) {
        assert_same_answers(w, m, t, n, t, false, tolerance);
    }
    ilk_model_free(m);
    ilk_model_free(n);
}

static void shuffle(rng *r, size_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t j = rng_below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* ---- the laws. Each is given a world, its table, its statistics and its model. */

static void law_posterior_sums_to_one(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)r, (void)s;
    double *p = log_joints(m, t), posterior[CLASSES];
    for (size_t i = 0; i < w->n; i++) {
        double sum = 0;
        assert_true(isfinite(ilk_bayes(posterior, p + i * w->K, w->K)));
        for (size_t k = 0; k < w->K; k++) {
            assert_true(isfinite(p[i * w->K + k]) && posterior[k] >= 0 && posterior[k] <= 1);
            sum += posterior[k];
        }
        assert_close(sum, 1, 1e-14);
    }
    free(p);
}

static void law_merge_of_shards_is_one_pass(const world *w, rng *r, const table *t, const ilk_stats *s,
                                            const ilk_model *m) {
    (void)m;
    ilk_stats *total = stats_of(w->columns, NULL);
    for (size_t from = 0, n; from < t->n; from += n) {
        n = 1 + rng_below(r, t->n - from);
        table part = table_part(t, from, n);
        ilk_stats *shard = stats_of(w->columns, &part), *into = rng_below(r, 2) ? total : shard;
        ilk_stats *other = into == total ? shard : total;
        assert_ok(ilk_stats_merge(into, other, &failure));
        ilk_stats_free(other);
        total = into;
    }
    assert_same_learning(w, s, total, t, 1e-9);
    ilk_stats_free(total);
}

static void law_rows_may_come_in_any_order_and_batches(const world *w, rng *r, const table *t, const ilk_stats *s,
                                                       const ilk_model *m) {
    (void)m;
    size_t order[ROWS];
    shuffle(r, order, w->n);
    table other = world_table(w, (style){.order = order, .rows = w->n});
    ilk_stats *again = stats_of(w->columns, NULL);
    for (size_t from = 0, n; from < other.n; from += n) {
        n = 1 + rng_below(r, 20) % (other.n - from);
        table part = table_part(&other, from, n);
        assert_ok(try_learn(again, &part, false));
    }
    assert_same_learning(w, s, again, t, 1e-9);
    ilk_stats_free(again);
    table_free(&other);
}

static void law_remove_undoes_add(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)m;
    size_t from = rng_below(r, t->n), n = 1 + rng_below(r, t->n - from);
    table extra = table_part(t, from, n);
    ilk_stats *again = stats_of(w->columns, t), *shard = stats_of(w->columns, &extra);
    assert_ok(try_learn(again, &extra, false)); /* some rows twice */
    assert_ok(try_learn(again, &extra, true));
    assert_same_learning(w, s, again, t, 1e-8);
    assert_ok(ilk_stats_merge(again, shard, &failure));
    assert_ok(ilk_stats_subtract(again, shard, &failure));
    assert_same_learning(w, s, again, t, 1e-8);
    ilk_stats_free(again);
    ilk_stats_free(shard);
}

static void law_names_do_not_matter(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)r, (void)s;
    table other = world_table(w, (style){.rename = true});
    ilk_stats *renamed = stats_of(w->columns, &other);
    ilk_model *n = world_model(w, renamed);
    assert_non_null(n);
    assert_same_answers(w, m, t, n, &other, true, 1e-9);
    ilk_model_free(n);
    ilk_stats_free(renamed);
    table_free(&other);
}

/* Only where all reals are one full block: x becomes A x + b, and every log-joint moves by log |det A|. */
static void law_full_gaussians_are_affine_invariant(const world *w, rng *r, const table *t, const ilk_stats *s,
                                                    const ilk_model *m) {
    (void)s;
    double map[REALS * REALS];
    for (size_t j = 0; j < w->reals; j++)
        if (w->family[j] != w->family[0] || w->family[0]->layout != ILK_LAYOUT_FULL)
            return;
    if (w->reals == 0 || w->transformed)
        return;
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->reals; j++)
            if (isnan(w->x[i][j])) /* a map mixes what is there with what is missing */
                return;
    for (size_t i = 0; i < w->reals * w->reals; i++)
        map[i] = rng_normal(r) + (i % (w->reals + 1) == 0 ? 3 : 0);
    table other = world_table(w, (style){.map = map});
    ilk_stats *mapped = stats_of(w->columns, &other);
    ilk_model *n = world_model(w, mapped);
    assert_non_null(n);
    double *x = log_joints(m, t), *y = log_joints(n, &other);
    for (size_t i = 0; i < w->n * w->K; i++) /* the determinant falls out of the difference between two classes */
        assert_close(x[i] - x[i / w->K * w->K], y[i] - y[i / w->K * w->K], 1e-7);
    free(x);
    free(y);
    ilk_model_free(n);
    ilk_stats_free(mapped);
    table_free(&other);
}

static void law_saving_is_identity(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)r;
    bytes b = saved(m, s), again;
    ilk_model *opened;
    ilk_stats *kept;
    assert_ok(ilk_model_read(&opened, b.p, b.n, &failure));
    assert_same_answers(w, m, t, opened, t, false, 0);
    assert_ok(ilk_model_stats(&kept, opened, &failure));
    again = saved(opened, kept);
    assert_same_bytes(b, again);
    ilk_model *estimated_again = world_model(w, kept);
    assert_same_answers(w, m, t, estimated_again, t, false, 0);
    free(b.p);
    free(again.p);
    ilk_model_free(opened);
    ilk_model_free(estimated_again);
    ilk_stats_free(kept);
}

/* Every row twice, and twice the smoothing: nothing is known that was not known before. */
static void law_repetition_tells_nothing_new(const world *w, rng *r, const table *t, const ilk_stats *s,
                                             const ilk_model *m) {
    (void)r, (void)s, (void)m;
    world once = *w, twice;
    once.options.prior = ILK_PRIOR_EMPIRICAL;
    once.options.divisor = ILK_DIVISOR_N;
    twice = once;
    twice.options.smooth *= 2;
    if (once.options.min_docs > 1) /* 1 keeps all words, also those of less weight */
        twice.options.min_docs *= 2;
    ilk_stats *doubled = stats_of(w->columns, t);
    assert_ok(ilk_stats_merge(doubled, s, &failure));
    ilk_model *a = world_model(&once, s), *b = world_model(&twice, doubled);
    if (a && b)
        assert_same_answers(w, a, t, b, t, false, 1e-9);
    assert_int_equal(a == NULL, b == NULL);
    ilk_model_free(a);
    ilk_model_free(b);
    ilk_stats_free(doubled);
}

/* A row of weight w is the row w times. */
static void law_weight_is_repetition(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)r, (void)m;
    size_t order[3 * ROWS], rows = 0;
    if (w->weights != WHOLE)
        return;
    for (size_t i = 0; i < w->n; i++)
        for (double left = w->weight[i]; left > 0; left--)
            order[rows++] = i;
    assert_in_range(rows, 1, 3 * w->n);
    table other = world_table(w, (style){.order = order, .rows = rows, .alike = true});
    ilk_stats *repeated = stats_of(w->columns, &other);
    assert_same_learning(w, s, repeated, t, 1e-9);
    ilk_stats_free(repeated);
    table_free(&other);
}

typedef void (*law)(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m);

static void hold(uint64_t seed, law law_of) {
    rng r = rng_new(seed);
    size_t tried = 0;
    world *w = make(1, sizeof *w);
    for (int i = 0; i < WORLDS; i++) {
        uint64_t before = r.state;
        world_new(w, &r, ROWS);
        table t = world_table(w, (style){0});
        ilk_stats *s = stats_of(w->columns, &t);
        ilk_model *m = world_model(w, s);
        if (m) {
            tried++;
            printf("# world %d, ILK_SEED=%llu: %s\n", i, (unsigned long long)before, w->columns);
            law_of(w, &r, &t, s, m);
        }
        ilk_model_free(m);
        ilk_stats_free(s);
        table_free(&t);
    }
    free(w);
    assert_in_range(tried, WORLDS - WORLDS / 10, WORLDS);
}

#define LAW(seed, name)                                                                                                \
    static void name(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        hold(seed, law_##name);                                                                                        \
    }

LAW(121, posterior_sums_to_one)
LAW(122, merge_of_shards_is_one_pass)
LAW(123, rows_may_come_in_any_order_and_batches)
LAW(124, remove_undoes_add)
LAW(125, names_do_not_matter)
LAW(126, full_gaussians_are_affine_invariant)
LAW(127, saving_is_identity)
LAW(128, repetition_tells_nothing_new)
LAW(129, weight_is_repetition)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posterior_sums_to_one),
        cmocka_unit_test(merge_of_shards_is_one_pass),
        cmocka_unit_test(rows_may_come_in_any_order_and_batches),
        cmocka_unit_test(remove_undoes_add),
        cmocka_unit_test(names_do_not_matter),
        cmocka_unit_test(full_gaussians_are_affine_invariant),
        cmocka_unit_test(saving_is_identity),
        cmocka_unit_test(repetition_tells_nothing_new),
        cmocka_unit_test(weight_is_repetition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
