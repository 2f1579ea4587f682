/* SPDX-License-Identifier: Apache-2.0 */
/* test_reals.c - large batches of numbers in memory: whatever the way they are summed up and scored, the answers are
 * those of the slow way. */
#include "fixtures.h"

#include "kernels/kernels.h"

enum { N = 10000, D = 9, K = 3 };
static const char *const families[] = {"gaussian", "gaussian-shared", "gda", "qda"};
enum { FAMILIES = sizeof families / sizeof *families };

typedef struct numbers {
    double *x;
    float *x32;
    uint32_t *label;
} numbers;

/* Values that are floats, so that both precisions hold the same. */
static numbers numbers_of(uint64_t seed, size_t n, size_t d) {
    rng r = rng_new(seed);
    numbers v = {make(n * d, sizeof *v.x), make(n * d, sizeof *v.x32), make(n, sizeof *v.label)};
    for (size_t i = 0; i < n; i++) {
        v.label[i] = (uint32_t)rng_below(&r, K);
        for (size_t j = 0; j < d; j++) {
            v.x32[i * d + j] =
                (float)(rng_normal(&r) * (double)(1 + j) + v.label[i] + (j ? v.x[i * d + j - 1] / 2 : 0));
            v.x[i * d + j] = (double)v.x32[i * d + j];
        }
    }
    return v;
}

static void numbers_free(numbers *v) {
    free(v->x), free(v->x32), free(v->label);
}

/* Columns x0 … of one family, or of two in turn. */
static ilk_schema *columns(size_t d, const char *a, const char *b) {
    char text[32 * 64] = "y";
    for (size_t j = 0, n = 1; j < d; j++)
        n += (size_t)snprintf(text + n, sizeof text - n, " x%zu:%s", j, j % 2 ? b : a);
    return schema_of(text);
}

static ilk_stats *empty_stats(size_t d, const char *a, const char *b) {
    ilk_schema *schema = columns(d, a, b);
    ilk_stats *s;
    uint32_t id;
    assert_ok(ilk_stats_new(&s, schema, &failure));
    for (uint32_t k = 0; k < K; k++)
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"abc"[k], 1}, &failure));
    ilk_schema_free(schema);
    return s;
}

static bytes learnt_bytes(const ilk_rows *rows, size_t d, const char *a, const char *b) {
    ilk_stats *s = empty_stats(d, a, b);
    assert_ok(ilk_stats_add(s, rows, &failure));
    ilk_model *m = estimated(s, NULL);
    bytes out = saved(m, s);
    ilk_model_free(m);
    ilk_stats_free(s);
    return out;
}

static ilk_model *learnt_model(const ilk_rows *rows, size_t d, const char *a, const char *b) {
    ilk_stats *s = empty_stats(d, a, b);
    assert_ok(ilk_stats_add(s, rows, &failure));
    ilk_model *m = estimated(s, NULL);
    ilk_stats_free(s);
    return m;
}

typedef ilk_status (*answer_fn)(double *out, const ilk_model *m, const ilk_rows *rows, ilk_error *err);
static const answer_fn answers[] = {ilk_model_log_joint, ilk_model_posterior, ilk_model_leave_one_out};

static double *answered(answer_fn f, const ilk_model *m, const ilk_rows *rows) {
    double *out = make(rows->n * K, sizeof *out);
    assert_ok(f(out, m, rows, &failure));
    return out;
}

static void assert_same_answers(const ilk_model *m, const ilk_rows *a, const ilk_rows *b) {
    for (size_t f = 0; f < 3; f++) {
        double *x = answered(answers[f], m, a), *y = answered(answers[f], m, b);
        assert_memory_equal(x, y, a->n * K * sizeof *x);
        free(x), free(y);
    }
}

/* ---- threads and precision */

static void reals__any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    numbers v = numbers_of(1, N, D);
    for (size_t missing = 0; missing < 2; missing++) {
        for (size_t f = 0; f < FAMILIES; f++) {
            ilk_rows one = {.n = N, .real = v.x, .label = v.label, .threads = 1}, many = one;
            many.threads = 3;
            bytes a = learnt_bytes(&one, D, families[f], families[f]);
            bytes b = learnt_bytes(&many, D, families[f], families[f]);
            assert_same_bytes(a, b);
            free(a.p), free(b.p);
            ilk_model *m = learnt_model(&one, D, families[f], families[f]);
            assert_same_answers(m, &one, &many);
            ilk_model_free(m);
        }
        v.x[5000 * D + 3] = v.x[7] = NAN; /* two chunks of three go the slow way */
    }
    numbers_free(&v);
}

static void reals__floats_are_the_doubles_they_are(void **state) {
    (void)state;
    numbers v = numbers_of(2, N, D);
    v.x[77] = v.x32[77] = NAN;
    for (size_t f = 0; f < FAMILIES; f++) {
        ilk_rows doubles = {.n = N, .real = v.x, .label = v.label, .threads = 2}, floats = doubles;
        floats.real = NULL;
        floats.real32 = v.x32;
        for (size_t other = 0; other < 2; other++) { /* one block, or two whose columns take turns */
            const char *b = other ? "gaussian" : families[f];
            bytes x = learnt_bytes(&doubles, D, families[f], b), y = learnt_bytes(&floats, D, families[f], b);
            assert_same_bytes(x, y);
            free(x.p), free(y.p);
            ilk_model *m = learnt_model(&doubles, D, families[f], b);
            assert_same_answers(m, &doubles, &floats);
            ilk_model_free(m);
        }
    }
    numbers_free(&v);
}

static void reals__floats_are_checked(void **state) {
    (void)state;
    numbers v = numbers_of(3, 8, D);
    ilk_rows doubles = {.n = 8, .real = v.x, .label = v.label}, floats = {.n = 8, .real32 = v.x32, .label = v.label};
    ilk_stats *s = empty_stats(D, "gaussian", "gaussian");
    assert_ok(ilk_stats_add(s, &doubles, &failure));
    ilk_model *m = estimated(s, NULL);
    double out[8 * K], p[8];
    assert_ok(ilk_model_outlier(out, p, m, &floats, 1, &failure));
    v.x32[2 * D + 1] = -INFINITY;
    assert_fails(ILK_EDATA, "row 2, column x1: an infinite value", ilk_stats_add(s, &floats, &failure));
    assert_fails(ILK_EDATA, "row 2, column x1: an infinite value", ilk_model_posterior(out, m, &floats, &failure));
    floats.real = v.x;
    assert_fails(ILK_EARG, "two matrices", ilk_stats_add(s, &floats, &failure));
    assert_fails(ILK_EARG, "two matrices", ilk_stats_remove(s, &floats, &failure));
    assert_fails(ILK_EARG, "two matrices", ilk_model_posterior(out, m, &floats, &failure));
    floats.real = NULL;
    floats.real32 = NULL;
    assert_fails(ILK_EARG, "no values of its kind", ilk_stats_add(s, &floats, &failure));
    assert_fails(ILK_EARG, "no values of its kind", ilk_model_posterior(out, m, &floats, &failure));
    ilk_model_free(m);
    ilk_stats_free(s);
    numbers_free(&v);
}

/* ---- learning in one pass */

static void reals__one_pass_learns_what_rows_one_by_one_do(void **state) {
    (void)state;
    numbers v = numbers_of(4, 3000, D);
    ilk_rows all = {.n = 3000, .real = v.x, .label = v.label};
    for (size_t f = 0; f < FAMILIES; f++) {
        ilk_stats *s = empty_stats(D, families[f], families[f]);
        for (size_t i = 0; i < all.n; i++) {
            ilk_rows one = {.n = 1, .real = v.x + i * D, .label = v.label + i};
            assert_ok(ilk_stats_add(s, &one, &failure));
        }
        ilk_model *slow = estimated(s, NULL), *fast = learnt_model(&all, D, families[f], families[f]);
        double *a = answered(ilk_model_log_joint, slow, &all), *b = answered(ilk_model_log_joint, fast, &all);
        for (size_t i = 0; i < all.n * K; i++)
            assert_close(b[i], a[i], 1e-12);
        free(a), free(b);
        ilk_model_free(slow), ilk_model_free(fast);
        ilk_stats_free(s);
    }
    numbers_free(&v);
}

/* The rows that the provisional mean is made of may be far from the rest: only five bits may be lost by it. */
static void reals__a_misleading_beginning_costs_few_digits(void **state) {
    (void)state;
    enum { ROWS = 1000, FEW = 32 };
    double *x = make(ROWS, sizeof *x);
    uint32_t *label = make(ROWS, sizeof *label);
    rng r = rng_new(5);
    long double mean = 0, scatter = 0;
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = i % 2;
        x[i] = i < 2 * FEW ? 0 : 1e9 + rng_normal(&r);
        mean += i % 2 ? 0 : (long double)x[i] / (ROWS / 2);
    }
    for (size_t i = 0; i < ROWS; i += 2)
        scatter += ((long double)x[i] - mean) * ((long double)x[i] - mean);
    ilk_rows rows = {.n = ROWS, .real = x, .label = label};
    const char *const kinds[] = {"gaussian", "qda"}, *const quantity[] = {"variance", "Sigma"};
    for (size_t f = 0; f < 2; f++) {
        ilk_model *m = learnt_model(&rows, 1, kinds[f], kinds[f]);
        ilk_fact v = fact(m, quantity[f], "x0", f ? "x0" : "", "a");
        assert_close(v.value / (double)(scatter / (ROWS / 2)), 1, 32 * 1e-15);
        ilk_model_free(m);
    }
    free(x), free(label);
}

static void reals__a_constant_column_has_no_scatter(void **state) {
    (void)state;
    numbers v = numbers_of(6, N, 2);
    for (size_t i = 0; i < N; i++)
        v.x[2 * i + 1] = 0.1 + 1.0 / 3;
    ilk_rows rows = {.n = N, .real = v.x, .label = v.label};
    for (size_t f = 0; f < FAMILIES; f++) {
        ilk_model *m = learnt_model(&rows, 2, families[f], families[f]);
        assert_true(fact(m, "mu", "x1", "", "a").value == 0.1 + 1.0 / 3);
        bool full = f >= 2;
        assert_true(fact(m, full ? "Sigma" : "variance", "x1", full ? "x1" : "", f == 2 ? "" : "a").value == 0);
        ilk_model_free(m);
    }
    numbers_free(&v);
}

static void reals__weights_of_one_are_none(void **state) {
    (void)state;
    numbers v = numbers_of(7, N, D);
    double *w = make(N, sizeof *w);
    for (size_t i = 0; i < N; i++)
        w[i] = 1;
    ilk_rows plain = {.n = N, .real = v.x, .label = v.label}, weighed = plain;
    weighed.weight = w;
    for (size_t missing = 0; missing < 2; missing++) {
        for (size_t f = 0; f < FAMILIES; f++) {
            bytes a = learnt_bytes(&plain, D, families[f], families[f]);
            bytes b = learnt_bytes(&weighed, D, families[f], families[f]);
            assert_same_bytes(a, b);
            free(a.p), free(b.p);
        }
        v.x[11] = NAN;
    }
    free(w);
    numbers_free(&v);
}

/* ---- the posterior without what the classes share */

/* Bayes' rule on log-joints, to rounding of these. */
static void assert_bayes(const ilk_model *m, const ilk_rows *rows) {
    double *log_joint = answered(ilk_model_log_joint, m, rows), *posterior = answered(ilk_model_posterior, m, rows);
    uint32_t *best = make(rows->n, sizeof *best);
    assert_ok(ilk_model_predict(best, m, rows, &failure));
    for (size_t i = 0; i < rows->n; i++) {
        double expected[K], size = 0;
        bool excluded = isinf(ilk_bayes(expected, log_joint + i * K, K));
        for (size_t k = 0; k < K; k++) {
            size = fmax(size, fabs(log_joint[i * K + k]));
            assert_true(isnan(expected[k]) == isnan(posterior[i * K + k]));
        }
        for (size_t k = 0; !excluded && k < K; k++)
            assert_close(posterior[i * K + k], expected[k], 1e-13 * (1 + size));
        assert_int_equal(best[i], ilk_argmax(posterior + i * K, K));
    }
    free(log_joint), free(posterior), free(best);
}

static void reals__posteriors_are_bayes_rule_on_log_joints(void **state) {
    (void)state;
    enum { ROWS = 700 };
    numbers v = numbers_of(8, ROWS, D);
    ilk_rows rows = {.n = ROWS, .real = v.x, .label = v.label};
    for (size_t f = 0; f < FAMILIES; f++) {
        for (size_t other = 0; other < 2; other++) {
            ilk_model *m = learnt_model(&rows, D, families[f], other ? "gaussian" : families[f]);
            numbers seen = numbers_of(8, ROWS, D);
            seen.x[0] = seen.x[5 * D] = seen.x[5 * D + 4] = NAN; /* missing */
            seen.x[9 * D + 2] = 1e160;                           /* excluded by all classes */
            seen.x[11 * D + 3] = -1e145;                         /* far, but not excluded */
            for (size_t j = 0; j < D; j++)
                seen.x[13 * D + j] = NAN;
            ilk_rows others = {.n = ROWS, .real = seen.x, .label = v.label};
            assert_bayes(m, &others);
            numbers_free(&seen);
            ilk_model_free(m);
        }
    }
    numbers_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals__any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(reals__floats_are_the_doubles_they_are),
        cmocka_unit_test(reals__floats_are_checked),
        cmocka_unit_test(reals__one_pass_learns_what_rows_one_by_one_do),
        cmocka_unit_test(reals__a_misleading_beginning_costs_few_digits),
        cmocka_unit_test(reals__a_constant_column_has_no_scatter),
        cmocka_unit_test(reals__weights_of_one_are_none),
        cmocka_unit_test(reals__posteriors_are_bayes_rule_on_log_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
