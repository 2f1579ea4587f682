/* SPDX-License-Identifier: Apache-2.0 */
/* test_torture.c - values, tables and counts at the edge of what there is: an answer or an error that names the place,
 * never NaN, never silence. */
#include "fixtures.h"

#include <float.h>

static const char *const gaussians[] = {"gaussian", "gaussian-shared", "gda", "qda"};

/* Statistics of columns x0 … x(d-1) of one family and classes a … */
static ilk_stats *new_stats(const char *family, size_t d, size_t K) {
    char text[2000] = "y", column[64];
    uint32_t id;
    for (size_t j = 0; j < d; j++) {
        snprintf(column, sizeof column, " x%zu:%s", j, family);
        strncat(text, column, sizeof text - strlen(text) - 1);
    }
    ilk_stats *s = stats_of(text, NULL);
    for (size_t k = 0; k < K; k++)
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"abcdefghij"[k], 1}, &failure));
    return s;
}

/* ---- values */

/* A model of these rows, in whose answers no number is NaN: true. Or an error that names the column. */
static bool answer_or_name(const char *family, const double *x, const uint32_t *label, size_t n, size_t d,
                           const double *far) {
    ilk_stats *s = new_stats(family, d, 2);
    ilk_model *m;
    double out[64], p[64];
    ilk_rows rows = {.n = n, .real = x, .label = label};
    assert_ok(ilk_stats_add(s, &rows, &failure));
    ilk_status status = ilk_model_estimate(&m, s, NULL, &failure);
    if (status != ILK_OK) {
        assert_true(status == ILK_EDATA || status == ILK_ESINGULAR);
        if (!strstr(failure.message, "column x"))
            fail_msg("%s: %s", family, failure.message);
        ilk_stats_free(s);
        return false;
    }
    assert_ok(ilk_model_log_joint(out, m, &rows, &failure));
    for (size_t i = 0; i < 2 * n; i++)
        assert_false(isnan(out[i]) || out[i] == INFINITY);
    for (size_t i = 0; i < n; i++)
        assert_true(ilk_argmax(out + 2 * i, 2) == label[i]); /* the rows are far apart */
    assert_ok(ilk_model_leave_one_out(out, m, &rows, &failure));
    for (size_t i = 0; i < 2 * n; i++)
        assert_false(isnan(out[i]) || out[i] == INFINITY);
    rows = (ilk_rows){.n = 4, .real = far};
    assert_ok(ilk_model_log_joint(out, m, &rows, &failure));
    assert_ok(ilk_model_posterior(p, m, &rows, &failure));
    for (size_t i = 0; i < 8; i++) {
        if (isnan(out[i]) || out[i] == INFINITY)
            fail_msg("%s, far row %zu: %g", family, i / 2, out[i]);
        assert_true(isnan(p[i]) ? out[i] == -INFINITY : p[i] >= 0 && p[i] <= 1);
    }
    ilk_model_free(m);
    ilk_stats_free(s);
    return true;
}

/* Only deviations below the least normal number, whose inverse does not fit a double, may be refused. */
static void values__of_any_size_are_answered_or_refused_by_name(void **state) {
    (void)state;
    static const double far[] = {DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX, DBL_TRUE_MIN, -DBL_TRUE_MIN, 0, -DBL_MAX};
    static const double size[] = {1, 1e-300, 1e300, DBL_MIN, DBL_MAX / 64, 4 * DBL_TRUE_MIN, 1e3 * DBL_TRUE_MIN};
    static const double shape[] = {1, 2, 2, 1, 3, 4, 1, 4, 31, 42, 32, 41, 33, 44, 31, 44}; /* rows of a, then of b */
    static const uint32_t label[] = {0, 0, 0, 0, 1, 1, 1, 1};
    double x[16];
    for (size_t f = 0; f < 4; f++)
        for (size_t a = 0; a < 7; a++)
            for (size_t b = 0; b < 7; b++) {
                for (size_t i = 0; i < 8; i++) {
                    x[2 * i] = shape[2 * i] * size[a];
                    x[2 * i + 1] = shape[2 * i + 1] * size[b];
                }
                assert_true(answer_or_name(gaussians[f], x, label, 8, 2, far) || a > 4 || b > 4);
            }
}

/* What is larger than the rest by a factor of 1e160 and more. */
static void values__of_very_different_sizes_are_answered_or_refused_by_name(void **state) {
    (void)state;
    static const double far[] = {DBL_MAX, DBL_MAX, 1, -1, 0, 0, -1e300, 1e-300};
    static const double small[] = {DBL_TRUE_MIN, 1e-300, 1e-100, 1}, large[] = {1e100, 1e200, 1e300, DBL_MAX / 4};
    static const uint32_t label[] = {0, 0, 0, 1, 1, 1};
    for (size_t f = 0; f < 4; f++)
        for (size_t a = 0; a < 4; a++)
            for (size_t b = 0; b < 4; b++) {
                double s = small[a], t = large[b];
                double x[] = {s, 1, 2 * s, 3, 3 * s, 2, t, 11, 2 * t, 12, 3 * t, 14};
                answer_or_name(gaussians[f], x, label, 6, 2, far);
            }
}

static void infinities__are_refused_with_row_and_column_and_nothing_is_learnt(void **state) {
    (void)state;
    const double good[] = {1, 2, 3, 4, 5, 7, 6, 9}, bad[] = {1, 2, 3, -INFINITY}, half[] = {NAN, 2, NAN, 4};
    const uint32_t label[] = {0, 0, 1, 1};
    for (size_t f = 0; f < 2; f++) {
        ilk_stats *s = new_stats(gaussians[f], 2, 2);
        double out[8];
        assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 4, .real = good, .label = label}, &failure));
        assert_fails(ILK_EDATA, "row 1, column x1",
                     ilk_stats_add(s, &(ilk_rows){.n = 2, .real = bad, .label = label}, &failure));
        assert_true(ilk_stats_rows(s) == 4);
        ilk_model *m = estimated(s, NULL);
        assert_close(fact(m, "mu", "x0", "", "a").value, 2, 0);
        assert_fails(ILK_EDATA, "row 1, column x1",
                     ilk_model_log_joint(out, m, &(ilk_rows){.n = 2, .real = bad}, &failure));
        assert_fails(ILK_EDATA, "weight",
                     ilk_stats_add(s, &(ilk_rows){.n = 1, .real = good, .label = label, .weight = bad + 3}, &failure));
        assert_fails(ILK_EDATA, "weight",
                     ilk_stats_add(s, &(ilk_rows){.n = 1, .real = good, .label = label, .weight = half}, &failure));
        assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 2, .real = half, .label = label}, &failure)); /* NaN is missing */
        assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 2, .real = half}, &failure));
        assert_true(isfinite(out[0]) && isfinite(out[3]));
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* ---- small tables */

static void zero_variance__is_floored_dropped_or_refused_by_name(void **state) {
    (void)state;
    /* x0 never varies, x1 not within class a */
    const double x[] = {5, 1, 5, 1, 5, 1, 5, 3, 5, 4, 5, 8};
    const uint32_t label[] = {0, 0, 0, 1, 1, 1};
    ilk_stats *s = new_stats("gaussian", 2, 2);
    double out[2], row[] = {6, 1};
    ilk_options o = options_of(1);
    ilk_model *m;
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 6, .real = x, .label = label}, &failure));
    m = estimated(s, &o);
    double pooled = fact(m, "variance", "x1", "", "a").value / 1e-9;
    assert_close(pooled, (3 * 4 + 0 + 1 + 25) / 6.0, 1e-9); /* about the mean 3 */
    assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 1, .real = row}, &failure));
    assert_true(out[0] > out[1] && isfinite(out[0]) && isfinite(out[1]));
    ilk_model_free(m);
    o.floor = 0;
    assert_fails(ILK_ESINGULAR, "column x1 does not vary in class a", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);

    s = new_stats("qda", 2, 2);
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 6, .real = x, .label = label}, &failure));
    assert_fails(ILK_ESINGULAR, "class a is singular: column x1", ilk_model_estimate(&m, s, NULL, &failure));
    ilk_stats_free(s);
}

/* Constants whose mean over three rows does not round to themselves, and ones whose distance from x overflows. */
static void constant_column__says_nothing_whatever_its_value(void **state) {
    (void)state;
    static const double constant[] = {0.1, 1 / 3.0, 1e300, -1.7e308, DBL_TRUE_MIN, 0};
    const uint32_t label[] = {0, 0, 0, 1, 1, 1};
    for (size_t f = 0; f < 4; f++)
        for (size_t c = 0; c < 6; c++) {
            double x[12] = {0}, out[6], far[6] = {3, 1.7e308, 3, -5, 3, NAN};
            for (size_t i = 0; i < 6; i++) {
                x[2 * i] = (double)(i + i / 3 * 2) + 0.5 * (double)(i % 2);
                x[2 * i + 1] = constant[c];
            }
            ilk_stats *s = new_stats(gaussians[f], 2, 2);
            assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 6, .real = x, .label = label}, &failure));
            ilk_model *m = estimated(s, NULL);
            assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 3, .real = far}, &failure));
            assert_true(isfinite(out[4]) && isfinite(out[5]));
            for (size_t k = 0; k < 4; k++)
                assert_close(out[k], out[4 + k % 2], 1e-14);
            ilk_model_free(m);
            ilk_stats_free(s);
        }
}

static void fewer_rows_than_columns__need_shrinkage(void **state) {
    (void)state;
    enum { D = 30, N = 12 };
    rng r = rng_new(51);
    double x[N * D], out[2 * N];
    uint32_t label[N];
    for (size_t i = 0; i < N * D; i++)
        x[i] = rng_normal(&r) + (double)(i / D % 2);
    for (size_t i = 0; i < N; i++)
        label[i] = i % 2;
    static const double shrink[] = {0.2, 1, ILK_SHRINK_OAS};
    for (size_t f = 2; f < 4; f++) {
        ilk_stats *s = new_stats(gaussians[f], D, 2);
        ilk_model *m;
        assert_ok(ilk_stats_add(s, &(ilk_rows){.n = N, .real = x, .label = label}, &failure));
        assert_fails(ILK_ESINGULAR, "singular: column x", ilk_model_estimate(&m, s, NULL, &failure));
        for (size_t c = 0; c < 3; c++) {
            ilk_options o = options_of(1);
            o.shrink = shrink[c];
            m = estimated(s, &o);
            ilk_rows rows = {.n = N, .real = x, .label = label};
            assert_ok(ilk_model_log_joint(out, m, &rows, &failure));
            for (size_t i = 0; i < N; i++)
                assert_true(isfinite(out[2 * i]) && ilk_argmax(out + 2 * i, 2) == label[i]);
            assert_ok(ilk_model_leave_one_out(out, m, &rows, &failure));
            for (size_t i = 0; i < 2 * N; i++)
                assert_true(isfinite(out[i]));
            ilk_model_free(m);
        }
        ilk_stats_free(s);
    }
}

static void one_row_per_class__is_a_model_that_cannot_spare_it(void **state) {
    (void)state;
    table t = table_of("a,1,p,tick\nb,2,q,tock\nc,4,q,tick tick\n");
    ilk_stats *s = stats_of("y r:gaussian c:categorical t:multinomial", &t);
    ilk_model *m = estimated(s, NULL);
    double *joint = log_joints(m, &t), without[9];
    batch b = batch_for_model(m, &t);
    assert_ok(ilk_model_leave_one_out(without, m, &b.rows, &failure));
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            assert_true(isfinite(joint[3 * i + k]));
            assert_true(i == k ? without[3 * i + k] == -INFINITY : isfinite(without[3 * i + k]));
        }
    batch_free(&b);
    free(joint);
    ilk_model_free(m);
    ilk_stats_free(s);
    table_free(&t);
}

static void one_class__is_refused_and_empty_classes_are_left_out(void **state) {
    (void)state;
    ilk_stats *s = learnt("y x:gaussian", "a,1\na,2\n");
    ilk_model *m;
    uint32_t id;
    assert_fails(ILK_EDATA, "only one class, a", ilk_model_estimate(&m, s, NULL, &failure));
    assert_ok(ilk_stats_class(&id, s, str("empty"), &failure));
    assert_fails(ILK_EDATA, "only one class, a", ilk_model_estimate(&m, s, NULL, &failure));
    table t = table_of("b,4\nb,6\n");
    assert_ok(try_learn(s, &t, false));
    m = estimated(s, NULL);
    assert_int_equal(ilk_model_classes(m), 2);
    assert_int_equal(ilk_stats_classes(s), 2);
    assert_true(ilk_model_class(m, str("empty")) == ILK_NONE);
    assert_close(exp(ilk_model_log_prior(m, 0)), 0.5, 1e-15);
    ilk_model_free(m);
    assert_ok(try_learn(s, &t, true)); /* forgotten again, b is empty too */
    assert_fails(ILK_EDATA, "only one class, a", ilk_model_estimate(&m, s, NULL, &failure));
    ilk_stats_free(s);
    s = stats_of("y x:gaussian", NULL);
    assert_fails(ILK_EDATA, "no row", ilk_model_estimate(&m, s, NULL, &failure));
    ilk_stats_free(s);
    table_free(&t);
}

/* ---- counts */

static void counts__stop_at_2_to_the_53(void **state) {
    (void)state;
    const double most = 0x1p53, less = 0x1p53 - 1, one = 1;
    const uint32_t a = 0;
    ilk_stats *s = learnt("y c:categorical", "a,p\nb,q\n"), *other = learnt("y c:categorical", "a,p\n");
    uint32_t p;
    assert_ok(ilk_stats_code(&p, s, 0, str("p"), &failure));
    ilk_rows row = {.n = 1, .code = &p, .label = &a, .weight = &most};
    assert_fails(ILK_EDATA, "2^53", ilk_stats_add(s, &row, &failure));
    assert_true(ilk_stats_rows(s) == 2);
    row.weight = &less;
    assert_ok(ilk_stats_add(s, &row, &failure)); /* now exactly 2^53 */
    row.weight = &one;
    assert_fails(ILK_EDATA, "2^53", ilk_stats_add(s, &row, &failure)); /* it would stand still */
    row.weight = NULL;
    assert_fails(ILK_EDATA, "2^53", ilk_stats_add(s, &row, &failure));
    assert_fails(ILK_EDATA, "2^53", ilk_stats_merge(s, other, &failure));
    ilk_model *m = estimated(s, NULL), *opened;
    ilk_stats *read;
    assert_close(fact(m, "phi", "c", "p", "a").value, 1, 1e-15);
    bytes file = saved(m, s);
    assert_ok(ilk_model_read(&opened, file.p, file.n, &failure));
    assert_ok(ilk_model_stats(&read, opened, &failure));
    row.weight = &less;
    assert_ok(ilk_stats_remove(read, &row, &failure)); /* exact to the last row */
    assert_true(ilk_stats_rows(read) == 2);
    ilk_model_free(m);
    ilk_model_free(opened);
    free(file.p);
    ilk_stats_free(s);
    ilk_stats_free(read);
    ilk_stats_free(other);
}

static void tokens__stop_at_2_to_the_53(void **state) {
    (void)state;
    ilk_stats *s = learnt("y t:multinomial", "a,w\nb,v\n");
    const double weight = 0x1p21;
    uint32_t w, label = 0, count = UINT32_MAX;
    size_t begin[] = {0, 1};
    assert_ok(ilk_stats_word(&w, s, 0, str("w"), &failure));
    ilk_tokens bag = {begin, &w, &count, NULL};
    ilk_rows row = {.n = 1, .text = &bag, .label = &label, .weight = &weight};
    assert_ok(ilk_stats_add(s, &row, &failure)); /* 2^53 - 2^21 tokens and one */
    assert_fails(ILK_EDATA, "2^53", ilk_stats_add(s, &row, &failure));
    assert_fails(ILK_EDATA, "2^53", ilk_stats_merge(s, s, &failure));
    ilk_model *m = estimated(s, NULL);
    assert_close(fact(m, "phi", "t", "w", "a").total, 0x1p53 - 0x1p21 + 3, 0);
    ilk_model_free(m);
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values__of_any_size_are_answered_or_refused_by_name),
        cmocka_unit_test(values__of_very_different_sizes_are_answered_or_refused_by_name),
        cmocka_unit_test(infinities__are_refused_with_row_and_column_and_nothing_is_learnt),
        cmocka_unit_test(zero_variance__is_floored_dropped_or_refused_by_name),
        cmocka_unit_test(constant_column__says_nothing_whatever_its_value),
        cmocka_unit_test(fewer_rows_than_columns__need_shrinkage),
        cmocka_unit_test(one_row_per_class__is_a_model_that_cannot_spare_it),
        cmocka_unit_test(one_class__is_refused_and_empty_classes_are_left_out),
        cmocka_unit_test(counts__stop_at_2_to_the_53),
        cmocka_unit_test(tokens__stop_at_2_to_the_53),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
