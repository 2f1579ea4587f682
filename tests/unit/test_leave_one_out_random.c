/* SPDX-License-Identifier: Apache-2.0 */
/* Leave-one-out is retraining without the row, by brute force, for models of any composition (worlds.h): any families
 * beside each other, weights, missing values, transforms, priors, divisors, shrinkage, words never seen.
 *
 * What leave-one-out holds fixed is fixed here: the values of columns are declared, there is no floor, and where a family takes
 * counts, whose rates are smoothed towards the mean of all rows, there is no smoothing
 * (leave_one_out__holds_for_smoothed_rates has that). */
#include "worlds.h"

enum { WORLDS = 120, MOST = 72 };

/* Statistics of no rows that know the values of all. Words they learn: those of one row alone are gone with it. */
static ilk_stats *stats_without_rows(const char *columns, const table *t) {
    ilk_stats *s = stats_of(columns, NULL);
    size_t seen[3] = {0};
    uint32_t id;
    for (size_t c = 0; c < t->columns; c++) {
        const ilk_column *column = ilk_schema_column(ilk_stats_schema(s), c);
        size_t j = column->role == ILK_FEATURE ? seen[column->kind]++ : 0;
        for (size_t i = 0; column->role == ILK_FEATURE && i < t->n; i++) {
            const char *cell = t->cell[i * t->columns + c];
            if (column->kind == ILK_CATEGORY && column->transform.kind == ILK_AS_IS && *cell)
                assert_ok(ilk_stats_declare(&id, s, ILK_CATEGORY, j, str(cell), &failure));
        }
    }
    return s;
}

static ilk_stats *learn_all_but(const world *w, const table *t, size_t gone) {
    ilk_stats *s = stats_without_rows(w->columns, t);
    size_t after = gone < t->n ? gone + 1 : t->n;
    table before = table_part(t, 0, gone), rest = table_part(t, after, t->n - after);
    assert_ok(try_learn(s, &before, false));
    assert_ok(try_learn(s, &rest, false));
    return s;
}

/* Without a row a covariance may be singular. Whether that is seen, or hidden by rounding behind a distance of 1/eps, is
 * chance: that it is next to impossible is all that can be known. */
static bool is_same(double a, double b) {
    return is_close(a, b, 1e-8) || (a < -1e12 && b < -1e12);
}

static void assert_same_answer(const double *without, const ilk_model *m, const world *w, const table *t, size_t i) {
    table row = table_part(t, i, 1);
    double *again = log_joints(m, &row);
    assert_int_equal(ilk_model_classes(m), w->K);
    for (size_t k = 0; k < w->K; k++)
        if (!is_same(without[k], again[k]))
            fail_msg("row %zu of class %zu, weight %g, class %zu: %.17g, retrained %.17g", i, w->label[i], w->weight[i],
                     k, without[k], again[k]);
    free(again);
}

/* `without`, K numbers, are what a model of the other rows says of row i; where there can be none, a class is
 * impossible. */
static void assert_is_retraining(const double *without, const world *w, const table *t, size_t i) {
    ilk_stats *rest = learn_all_but(w, t, i);
    ilk_model *m = world_model(w, rest);
    bool impossible = false;
    for (size_t k = 0; k < w->K; k++)
        impossible |= without[k] == -INFINITY;
    if (m)
        assert_same_answer(without, m, w, t, i);
    else if (!impossible)
        fail_msg("row %zu of class %zu, weight %g: answered, but not to be retrained", i, w->label[i], w->weight[i]);
    ilk_model_free(m);
    ilk_stats_free(rest);
}

static void random_options(world *w, rng *r) {
    w->options.floor = 0;
    w->options.min_docs = 1;
    w->options.shrink = rng_below(r, 3) ? 0 : rng_unit(r);
    if (w->counts || rng_below(r, 4) == 0) {
        w->options.smooth = 0;
        w->options.unseen = ILK_UNSEEN_IGNORE;
    }
}

/* Returns false where there is no such model: some families must be smoothed. */
static bool leave_each_out(const world *w) {
    table t = world_table(w, (style){0});
    ilk_stats *all = learn_all_but(w, &t, t.n);
    ilk_model *m = world_model(w, all);
    if (m) {
        batch b = batch_for_model(m, &t);
        double *without = make(t.n * w->K, sizeof *without);
        assert_ok(ilk_model_leave_one_out(without, m, &b.rows, &failure));
        for (size_t i = 0; i < t.n; i++)
            assert_is_retraining(without + i * w->K, w, &t, i);
        free(without);
        batch_free(&b);
    }
    bool tried = m;
    ilk_model_free(m);
    ilk_stats_free(all);
    table_free(&t);
    return tried;
}

static void leave_one_out__is_retraining_for_any_composition(void **state) {
    (void)state;
    rng r = rng_new(131);
    size_t tried = 0;
    world *w = make(1, sizeof *w);
    for (int i = 0; i < WORLDS; i++) {
        uint64_t before = r.state;
        world_new(w, &r, MOST);
        random_options(w, &r);
        printf("# world %d, ILK_SEED=%llu: %s\n", i, (unsigned long long)before, w->columns);
        tried += leave_each_out(w);
    }
    free(w);
    printf("# %zu models\n", tried);
    assert_in_range(tried, WORLDS / 2, WORLDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_one_out__is_retraining_for_any_composition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
