/* SPDX-License-Identifier: Apache-2.0 */
/* test_moments_learn.c - a chunk learnt at once is its rows learnt class by class, however they are mixed. */
#include "fixtures.h"

#include "kernels/kernels.h"
#include "model/moments_record.h"

enum { GROUPS = 4 };

typedef struct chunk {
    size_t n, d;
    double *X;
    ilk_groups groups;
} chunk;

/* rows[g] rows of group g, shuffled; each column of each group about a mean of its own. */
static chunk chunk_of(rng *r, const size_t *rows, size_t groups, size_t d) {
    chunk c = {.d = d, .groups = {.n = groups, .end = make(groups, sizeof(size_t))}};
    for (size_t g = 0; g < groups; g++)
        c.groups.end[g] = c.n += rows[g];
    c.groups.of = make(c.n, sizeof *c.groups.of);
    c.X = make(c.n * d, sizeof *c.X);
    for (uint32_t g = 0, i = 0; g < groups; g++)
        for (size_t k = 0; k < rows[g]; k++, i++) {
            size_t other = rng_below(r, i + 1);
            c.groups.of[i] = c.groups.of[other];
            c.groups.of[other] = g;
        }
    for (size_t i = 0; i < c.n * d; i++)
        c.X[i] = 5.0 * (double)c.groups.of[i / d] + (double)(i % d) + rng_normal(r) + (i % d ? 0.4 * c.X[i - 1] : 0);
    return c;
}

static void chunk_free(chunk *c) {
    free(c->X), free(c->groups.of), free(c->groups.end);
}

static ilk_moments moments(const chunk *c, bool full, bool pooled) {
    ilk_moments m;
    ilk_moments_init(&m, full, c->d);
    m.limit = pooled ? 0 : SIZE_MAX;
    assert_int_equal(ilk_moments_grow(&m, c->groups.n), ILK_OK);
    return m;
}

static double *scratch_for(const ilk_moments *m, const chunk *c) {
    size_t size = ilk_moments_scratch(m, c->groups.n, c->n) * sizeof(double);
    double *scratch = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(scratch);
    return scratch;
}

/* Class by class, each centred on its own mean: no shift and no strips. */
static ilk_moments one_by_one(const chunk *c, bool full, bool pooled) {
    ilk_moments m = moments(c, full, pooled);
    double *scratch = scratch_for(&m, c), *X = make(c->n * c->d, sizeof *X);
    for (size_t g = 0; g < c->groups.n; g++) {
        size_t n = 0;
        for (size_t i = 0; i < c->n; i++)
            if (c->groups.of[i] == g)
                memcpy(X + n++ * c->d, c->X + i * c->d, c->d * sizeof *X);
        ilk_moments_add(&m, g, X, NULL, n, true, scratch);
    }
    free(X), free(scratch);
    return m;
}

static void assert_same(const ilk_moments *a, const ilk_moments *b, size_t n) {
    double close = 1e-12 * (double)n;
    for (size_t g = 0; g < a->K; g++) {
        ilk_record p = ilk_record_of(a, g), q = ilk_record_of(b, g);
        for (size_t i = 0; i < a->d; i++) {
            assert_true(p.n[a->full ? 0 : i] == q.n[a->full ? 0 : i]);
            assert_close(p.mean[i], q.mean[i], 1e-12);
            assert_close(p.peak[i], q.peak[i], close);
            assert_close(p.S[i * p.step], q.S[i * p.step], close);
            for (size_t j = 0; a->full && j < i; j++)
                assert_close(p.S[i * a->d + j], q.S[i * a->d + j], close);
        }
    }
}

static void check(rng *r, const size_t rows[GROUPS], size_t d, bool full, bool pooled) {
    chunk c = chunk_of(r, rows, GROUPS, d);
    ilk_moments learnt = moments(&c, full, pooled), expected = one_by_one(&c, full, pooled);
    double *scratch = scratch_for(&learnt, &c);
    assert_true(ilk_moments_learn(&learnt, c.X, c.n, &c.groups, scratch));
    assert_same(&learnt, &expected, c.n);
    ilk_moments_free(&learnt);
    ilk_moments_free(&expected);
    free(scratch);
    chunk_free(&c);
}

/* One row; a strip less one, full, and one more; several, and a rest. */
static void learning__at_once_is_learning_one_by_one(void **state) {
    (void)state;
    static const size_t rows[][GROUPS] = {{1, 1, 1, 1},
                                          {ILK_STRIP - 1, ILK_STRIP, ILK_STRIP + 1, 2},
                                          {1, 2 * ILK_STRIP + 1, 3, 3 * ILK_STRIP},
                                          {1000, 1, 70, 1500}};
    static const size_t widths[] = {1, 2, 8, 9, 17, 50};
    rng r = rng_new(61);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
            check(&r, rows[i], widths[j], false, false);
            check(&r, rows[i], widths[j], true, false);
            check(&r, rows[i], widths[j], true, true);
        }
}

/* A value that is not a common number sends the chunk the other way, wherever it stands. */
static void learning__at_once_leaves_uncommon_values_to_the_other_way(void **state) {
    (void)state;
    static const double uncommon[] = {NAN, INFINITY, -INFINITY, 0x1p490, -0x1p1000};
    static const size_t rows[GROUPS] = {1, ILK_STRIP + 1, 40, 2};
    rng r = rng_new(62);
    for (size_t i = 0; i < sizeof uncommon / sizeof *uncommon; i++)
        for (size_t turn = 0; turn < 3 * 40; turn++) {
            chunk c = chunk_of(&r, rows, GROUPS, 3);
            ilk_moments m = moments(&c, turn % 3 != 0, turn % 3 == 2);
            double *scratch = scratch_for(&m, &c);
            c.X[rng_below(&r, c.n * 3)] = uncommon[i];
            assert_false(ilk_moments_learn(&m, c.X, c.n, &c.groups, scratch));
            ilk_moments_free(&m);
            free(scratch);
            chunk_free(&c);
        }
}

/* Values about 2^-300 are a matter of units. Learning at once may leave them to the other way, but must not choose
 * other units; squares of all groups together are no sign that one of them is large. */
static void learning__at_once_takes_no_other_units_than_one_by_one(void **state) {
    (void)state;
    enum { MANY = 31 };
    size_t rows[MANY];
    rng r = rng_new(63);
    for (size_t g = 0; g < MANY; g++)
        rows[g] = ILK_STRIP + 1;
    for (int exponent = -320; exponent <= -290; exponent++)
        for (int how = 0; how < 3; how++) { /* on their own, full, pooled */
            chunk c = chunk_of(&r, rows, MANY, 2);
            for (size_t i = 0; i < c.n; i++) { /* in turn: all have been multiplied before the first is finished */
                c.groups.of[i] = (uint32_t)(i % MANY);
                c.X[2 * i + 1] = ldexp(i / MANY % 2 ? -0.9999 : 0.9999, exponent);
            }
            ilk_moments learnt = moments(&c, how > 0, how == 2), expected = one_by_one(&c, how > 0, how == 2);
            double *scratch = scratch_for(&learnt, &c);
            if (ilk_moments_learn(&learnt, c.X, c.n, &c.groups, scratch))
                assert_memory_equal(learnt.exponent, expected.exponent, 2 * sizeof *learnt.exponent);
            else
                assert_in_range(exponent, -320, -298);
            ilk_moments_free(&learnt);
            ilk_moments_free(&expected);
            free(scratch);
            chunk_free(&c);
        }
}

/* Sums say the same of zeros as of values that cancel and whose squares underflow. */
static void learning__at_once_knows_zeros_from_vanishing_squares(void **state) {
    (void)state;
    static const size_t rows[GROUPS] = {1, ILK_STRIP + 1, 40, 70};
    rng r = rng_new(64);
    for (int how = 0; how < 6; how++) { /* on their own, full, pooled; zeros, and not */
        chunk c = chunk_of(&r, rows, GROUPS, 3);
        ilk_moments m = moments(&c, how % 3 != 0, how % 3 == 2);
        double *scratch = scratch_for(&m, &c);
        for (size_t i = 0, last = 0; i < c.n; i++) {
            c.X[3 * i + 1] = 0;
            c.X[3 * i + 2] = c.groups.of[i] == 0 ? 5 : 0; /* other zeros are no reason to doubt what never varies */
            if (c.groups.of[i] == 3 && ++last >= 69)
                c.X[3 * i + 1] = how < 3 ? 0 : last == 69 ? 0x1p-600 : -0x1p-600;
        }
        assert_int_equal(ilk_moments_learn(&m, c.X, c.n, &c.groups, scratch), how < 3);
        if (how < 3)
            assert_int_equal(m.exponent[1], -ILK_UNIT);
        ilk_moments_free(&m);
        free(scratch);
        chunk_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning__at_once_is_learning_one_by_one),
        cmocka_unit_test(learning__at_once_leaves_uncommon_values_to_the_other_way),
        cmocka_unit_test(learning__at_once_takes_no_other_units_than_one_by_one),
        cmocka_unit_test(learning__at_once_knows_zeros_from_vanishing_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
