/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults_normal.c - every function of ilk_normal.h while memory runs out. What is told on success is part of the
 * digest: a call that got less memory than it asked for and yet succeeds must tell the same. */
#include "faults.h"

#include <ilk_normal.h>

enum { D = 3 };

struct scene {
    ilk_mvn *N;
    double told[D * D];
};

static scene *scene_new(void) {
    const double mu[D] = {1, -2, 0.5}, Sigma[D * D] = {4, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 2};
    scene *s = make(1, sizeof *s);
    temp_path(""); /* the folder in which nothing may be left */
    assert_ok(ilk_mvn_new(&s->N, mu, Sigma, D, &failure));
    return s;
}

static void scene_free(scene *s) {
    ilk_mvn_free(s->N);
    free(s);
}

/* All numbers of a normal, and what it says of a row. */
static void look(double *out, const ilk_mvn *N) {
    size_t d = ilk_mvn_columns(N);
    const double x[D] = {0.5, 1, 2};
    memcpy(out, ilk_mvn_mean(N), d * sizeof *out);
    memcpy(out + d, ilk_mvn_covariance(N), d * d * sizeof *out);
    assert_ok(ilk_mvn_log_density(out + d + d * d, N, x, 1, &failure));
}

static bytes scene_digest(const scene *s) {
    double *all = make(D + D * D + 1 + D * D, sizeof *all);
    look(all, s->N);
    memcpy(all + D + D * D + 1, s->told, sizeof s->told);
    return (bytes){(unsigned char *)all, (D + D * D + 1 + D * D) * sizeof *all};
}

/* What was made must be NULL on failure; of what could be made the mean is told. */
static ilk_status tell(scene *s, ilk_mvn *made, ilk_status status) {
    assert_int_equal(status == ILK_OK, made != NULL);
    if (made)
        memcpy(s->told, ilk_mvn_mean(made), ilk_mvn_columns(made) * sizeof *s->told);
    ilk_mvn_free(made);
    return status;
}
static ilk_status call_new(scene *s, ilk_error *err) {
    ilk_mvn *out = garbage;
    ilk_status status = ilk_mvn_new(&out, ilk_mvn_mean(s->N), ilk_mvn_covariance(s->N), D, err);
    return tell(s, out, status);
}
static ilk_status call_marginal(scene *s, ilk_error *err) {
    const size_t columns[] = {2, 0};
    ilk_mvn *out = garbage;
    ilk_status status = ilk_mvn_marginal(&out, s->N, columns, 2, err);
    return tell(s, out, status);
}
static ilk_status call_conditional(scene *s, ilk_error *err) {
    const double x[D] = {NAN, 1, NAN};
    ilk_mvn *out = garbage;
    ilk_status status = ilk_mvn_conditional(&out, s->N, x, err);
    return tell(s, out, status);
}

static const double rows[2 * D] = {0, 1, 2, 3, 4, 5};
static ilk_status call_log_density(scene *s, ilk_error *err) {
    double out[2];
    ilk_status status = ilk_mvn_log_density(out, s->N, rows, 2, err);
    if (status == ILK_OK)
        memcpy(s->told, out, sizeof out);
    return status;
}
static ilk_status call_density(scene *s, ilk_error *err) {
    double out[2];
    ilk_status status = ilk_mvn_density(out, s->N, rows, 2, err);
    if (status == ILK_OK)
        memcpy(s->told, out, sizeof out);
    return status;
}

/* All that cannot fail, and so must not allocate. */
static ilk_status call_looks(scene *s, ilk_error *err) {
    double mean[D];
    (void)err;
    assert_true(ilk_mvn_columns(s->N) == D && ilk_mvn_rank(s->N) == D && ilk_mvn_mean(s->N)[1] == -2 &&
                ilk_mvn_covariance(s->N)[0] == 4);
    ilk_mvn_sample(s->told, s->N, 2, 7);
    ilk_covariance(s->told, mean, rows, 2, D, ILK_COVARIANCE_CENTRED);
    ilk_covariance(s->told, mean, rows, 2, D, ILK_COVARIANCE_MOMENTS);
    ilk_mvn_free(NULL);
    return ILK_OK;
}

static const call calls[] = {
    {"ilk_mvn_columns ilk_mvn_rank ilk_mvn_mean ilk_mvn_covariance ilk_mvn_sample ilk_covariance ilk_mvn_free",
     call_looks, CHANGES},
    {"ilk_mvn_new", call_new, ALLOCATES | CHANGES},
    {"ilk_mvn_marginal", call_marginal, ALLOCATES | CHANGES},
    {"ilk_mvn_conditional", call_conditional, ALLOCATES | CHANGES},
    {"ilk_mvn_log_density", call_log_density, ALLOCATES | CHANGES},
    {"ilk_mvn_density", call_density, ALLOCATES | CHANGES},
};
static const suite tried = {"ilk_normal.h", calls, sizeof calls / sizeof *calls};

#ifdef ILK_FAULTS
static void every_allocation__may_fail(void **state) {
    (void)state;
    fail_all(&ilk_allocation_fault, false);
    fail_all(&ilk_allocation_fault, true);
}

static void no_function__does_file_operations(void **state) {
    (void)state;
    fail_all(&ilk_io_fault, false);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header__declares_no_function_that_is_not_tried_here),
        cmocka_unit_test(every_function__succeeds_without_faults),
#ifdef ILK_FAULTS
        cmocka_unit_test(every_allocation__may_fail),
        cmocka_unit_test(no_function__does_file_operations),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
