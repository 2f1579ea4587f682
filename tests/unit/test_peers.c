/* SPDX-License-Identifier: Apache-2.0 */
/* Defects of other libraries that this one does not have: one test each, named after what holds here. */
#include "fixtures.h"

#include <float.h>

/* Real rows of up to K classes, without going through text. */
typedef struct reals {
    size_t n, d, K;
    double *x;
    uint32_t *label;
} reals;

static void reals_free(reals *t) {
    free(t->x);
    free(t->label);
}

/* Like iris: K classes of n / K flowers each, d correlated columns of which classes differ by a few deviations. */
static reals flowers(rng *r, size_t n, size_t d, size_t K) {
    reals t = {n, d, K, make(n * d, sizeof(double)), make(n, sizeof(uint32_t))};
    for (size_t i = 0; i < n; i++) {
        double common = rng_normal(r);
        t.label[i] = (uint32_t)(i % K);
        for (size_t j = 0; j < d; j++)
            t.x[i * d + j] = 3 + (double)j + 1.2 * t.label[i] * (j % 2 ? 1 : -0.5) + 0.4 * common + 0.5 * rng_normal(r);
    }
    return t;
}

/* Columns x0 … of one family; classes a, b, c … have the ids 0, 1, 2 … */
static ilk_stats *reals_stats(const char *family, size_t d, size_t K) {
    ilk_schema *schema;
    ilk_stats *s;
    char name[24];
    uint32_t id;
    assert_ok(ilk_schema_new(&schema, &failure));
    for (size_t j = 0; j < d; j++) {
        snprintf(name, sizeof name, "x%zu", j);
        assert_ok(
            ilk_schema_add(schema, &(ilk_column){.name = str(name), .kind = ILK_REAL, .family = family}, &failure));
    }
    assert_ok(ilk_stats_new(&s, schema, &failure));
    ilk_schema_free(schema);
    for (size_t k = 0; k < K; k++)
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"abcdefghij"[k], 1}, &failure));
    return s;
}

static ilk_rows reals_rows(const reals *t, size_t from, size_t n) {
    return (ilk_rows){.n = n, .real = t->x + from * t->d, .label = t->label + from};
}

/* Learnt `at_once` rows at a time. */
static ilk_model *reals_model(const char *family, const reals *t, size_t at_once, const ilk_options *o) {
    ilk_stats *s = reals_stats(family, t->d, t->K);
    for (size_t i = 0; i < t->n; i += at_once) {
        ilk_rows rows = reals_rows(t, i, t->n - i < at_once ? t->n - i : at_once);
        assert_ok(ilk_stats_add(s, &rows, &failure));
    }
    ilk_model *m = estimated(s, o);
    ilk_stats_free(s);
    return m;
}

static double *reals_joint(const ilk_model *m, const reals *t, bool without) {
    double *out = make(t->n * t->K, sizeof *out);
    ilk_rows rows = reals_rows(t, 0, t->n);
    assert_ok(without ? ilk_model_leave_one_out(out, m, &rows, &failure)
                      : ilk_model_log_joint(out, m, &rows, &failure));
    return out;
}

static const char *const gaussians[] = {"gaussian", "gaussian-shared", "gda", "qda"};

/* ---- MASS: lda and qda with CV = TRUE subtract one minimum for all rows before exp, so that far rows become 0/0 */

static void leave_one_out__of_outliers_has_posteriors(void **state) {
    (void)state;
    rng r = rng_new(31);
    for (size_t f = 0; f < 4; f++) {
        reals t = flowers(&r, 60, 3, 3);
        t.x[0] += 1e4;
        t.x[5 * 3 + 1] -= 1e6;
        ilk_model *m = reals_model(gaussians[f], &t, t.n, NULL);
        double *joint = reals_joint(m, &t, true), p[3];
        for (size_t i = 0; i < t.n; i++) {
            double log_p = ilk_bayes(p, joint + i * 3, 3);
            assert_true(isfinite(log_p));
            assert_close(p[0] + p[1] + p[2], 1, 1e-12);
        }
        free(joint);
        ilk_model_free(m);
        reals_free(&t);
    }
}

/* ---- e1071: a density that underflows becomes 0.001, so that the farther class wins */

static void far_value__belongs_to_the_nearer_class(void **state) {
    (void)state;
    ilk_options o = options_of(1);
    for (size_t f = 0; f < 4; f++) {
        reals t = {4, 1, 2, (double[]){-1, 1, -4, -2}, (uint32_t[]){0, 0, 1, 1}}; /* N(0, 1) and N(-3, 1) */
        reals far = {2, 1, 2, (double[]){38, 1e150}, NULL};
        ilk_model *m = reals_model(gaussians[f], &t, 4, &o);
        double *joint = reals_joint(m, &far, false), p[2];
        assert_close(joint[0] - joint[1], (41.0 * 41 - 38.0 * 38) / 2, 1e-12);
        ilk_bayes(p, joint, 2);
        assert_true(p[0] > 0.999 && ilk_argmax(joint, 2) == 0);
        assert_false(isnan(joint[2]) || isnan(joint[3]));
        free(joint);
        ilk_model_free(m);
    }
}

/* ---- Spark, pomegranate, Weka, cuML, R's naivebayes: E[x^2] - E[x]^2 */

static void variance__of_data_at_1e8_is_that_of_the_data(void **state) {
    (void)state;
    static const double offset[] = {0, 1e8, 1e12};
    for (size_t f = 0; f < 4; f++) {
        double near = 0;
        for (size_t c = 0; c < 3; c++) {
            reals t = {6, 1, 2, (double[]){-1, 1, 3, 2, 4, 9}, (uint32_t[]){0, 0, 0, 1, 1, 1}};
            for (size_t i = 0; i < t.n; i++)
                t.x[i] += offset[c];
            ilk_model *m = reals_model(gaussians[f], &t, c == 2 ? 1 : 6, NULL);
            bool full = f > 1, shared = f % 2 == (full ? 0 : 1);
            double v = fact(m, full ? "Sigma" : "variance", "x0", full ? "x0" : "", full && shared ? "" : "a").value;
            assert_close(v, shared ? (8 + 26) / 6.0 : 8 / 3.0, 1e-12);
            double *joint = reals_joint(m, &t, false);
            near = c == 0 ? joint[0] - joint[1] : near;
            assert_close(joint[0] - joint[1], near, 1e-9);
            free(joint);
            ilk_model_free(m);
        }
    }
}

/* ---- scikit-learn's GaussianNB: 1e-9 of the largest variance of any column, of the last batch, is added to every
 * variance */

static void small_column__keeps_its_variance_beside_a_large_one_in_any_batches(void **state) {
    (void)state;
    rng r = rng_new(32);
    reals t = flowers(&r, 90, 2, 2);
    double mean = 0, square = 0;
    for (size_t i = 0; i < t.n; i++) {
        t.x[2 * i] = 1e-4 * rng_normal(&r) + 3e-4 * t.label[i];
        t.x[2 * i + 1] = 1e7 * rng_normal(&r);
        mean += t.label[i] ? 0 : t.x[2 * i] / 45;
    }
    for (size_t i = 0; i < t.n; i++)
        square += t.label[i] ? 0 : (t.x[2 * i] - mean) * (t.x[2 * i] - mean) / 45;
    ilk_model *whole = reals_model("gaussian", &t, t.n, NULL);
    double *expected = reals_joint(whole, &t, false);
    assert_close(fact(whole, "variance", "x0", "", "a").value / square, 1, 1e-12);
    static const size_t batches[] = {1, 7, 64};
    for (size_t b = 0; b < 3; b++) {
        ilk_model *m = reals_model("gaussian", &t, batches[b], NULL);
        double *joint = reals_joint(m, &t, false);
        for (size_t i = 0; i < t.n * 2; i++)
            assert_close(joint[i], expected[i], 1e-11);
        free(joint);
        ilk_model_free(m);
    }
    free(expected);
    ilk_model_free(whole);
    reals_free(&t);
}

/* ---- scikit-learn's CategoricalNB: IndexError on a category that was not in the training data */

static void unseen_category__is_answered_by_policy(void **state) {
    (void)state;
    const char *text = "a,p,u\na,p,v\na,q,u\nb,q,v\nb,q,v\n";
    table known = table_of("a,p,\n"), strange = table_of("a,p,NEW\n");
    ilk_options o = options_of(1);
    ilk_model *m = model_of("y one:categorical two:categorical", text, &o);
    double *without = log_joints(m, &known), *with = log_joints(m, &strange);
    assert_true(with[0] == without[0] && with[1] == without[1]); /* ignored: as if missing */
    free(without);
    free(with);
    ilk_model_free(m);

    o.unseen = ILK_UNSEEN_UNKNOWN; /* one value more: 1 / (n + 3) for each class, and the others make room */
    m = model_of("y one:categorical two:categorical", text, &o);
    with = log_joints(m, &strange);
    assert_close(with[0], log(3.0 / 5 * 3 / 6 * 1 / 6), 1e-14);
    assert_close(with[1], log(2.0 / 5 * 1 / 5 * 1 / 5), 1e-14);
    free(with);
    ilk_model_free(m);

    o.unseen = ILK_UNSEEN_ERROR;
    m = model_of("y one:categorical two:categorical", text, &o);
    batch b = batch_for_model(m, &strange);
    double out[2];
    assert_fails(ILK_EDATA, "column two", ilk_model_log_joint(out, m, &b.rows, &failure));
    batch_free(&b);
    ilk_model_free(m);
    table_free(&known);
    table_free(&strange);
}

/* ---- scikit-learn: no naive Bayes of mixed columns, none that takes NaN */

static void mixed_columns__add_up_with_values_missing(void **state) {
    (void)state;
    const char *text = "a,1.5,p,tick tock\na,,p,tick\na,2.5,q,\nb,7,q,tock\nb,9,,tock tock\nb,8,q,tick tock\n";
    static const char *const part[] = {"y r:gaussian c:- t:-", "y r:- c:categorical t:-", "y r:- c:- t:multinomial"};
    table rows = table_of(text), empty = table_of("a,,,\n");
    ilk_model *m = model_of("y r:gaussian c:categorical t:multinomial", text, NULL);
    double *joint = log_joints(m, &rows), *prior = log_joints(m, &empty), sum[12] = {0};
    for (size_t p = 0; p < 3; p++) {
        ilk_model *one = model_of(part[p], text, NULL);
        double *x = log_joints(one, &rows);
        for (size_t i = 0; i < 12; i++)
            sum[i] += x[i] - log(0.5);
        free(x);
        ilk_model_free(one);
    }
    for (size_t i = 0; i < 12; i++)
        assert_close(joint[i], sum[i] + log(0.5), 1e-12);
    assert_close(prior[0], log(0.5), 1e-15);
    free(joint);
    free(prior);
    ilk_model_free(m);
    table_free(&rows);
    table_free(&empty);
}

/* ---- scikit-learn's LDA and QDA: no partial_fit, no sample_weight (#30042, #33457) */

static void gda__learns_in_batches_and_from_weights(void **state) {
    (void)state;
    rng r = rng_new(33);
    for (size_t f = 2; f < 4; f++) {
        reals t = flowers(&r, 60, 3, 3);
        ilk_stats *weighted = reals_stats(gaussians[f], 3, 3), *repeated = reals_stats(gaussians[f], 3, 3);
        for (size_t i = 0; i < t.n; i++) {
            double w = (double)(1 + i % 3);
            ilk_rows row = reals_rows(&t, i, 1);
            for (size_t times = 0; times < 1 + i % 3; times++)
                assert_ok(ilk_stats_add(repeated, &row, &failure));
            row.weight = &w;
            assert_ok(ilk_stats_add(weighted, &row, &failure));
        }
        ilk_model *a = estimated(weighted, NULL), *b = estimated(repeated, NULL);
        double *x = reals_joint(a, &t, false), *y = reals_joint(b, &t, false);
        for (size_t i = 0; i < t.n * 3; i++)
            assert_close(x[i], y[i], 1e-11);
        free(x);
        free(y);
        ilk_model_free(a);
        ilk_model_free(b);
        ilk_stats_free(weighted);
        ilk_stats_free(repeated);
        reals_free(&t);
    }
}

/* ---- scikit-learn's QDA on data of too low a rank: a warning and answers that mean nothing (#14997) */

static void rank_deficient_data__is_refused_by_name_or_shrunk(void **state) {
    (void)state;
    rng r = rng_new(34);
    for (size_t f = 2; f < 4; f++) {
        reals t = flowers(&r, 60, 4, 2);
        for (size_t i = 0; i < t.n; i++)
            t.x[4 * i + 2] = 2 * t.x[4 * i] - t.x[4 * i + 1] + 1;
        ilk_stats *s = reals_stats(gaussians[f], 4, 2);
        ilk_rows rows = reals_rows(&t, 0, t.n);
        ilk_model *m;
        ilk_options o = options_of(1);
        assert_ok(ilk_stats_add(s, &rows, &failure));
        assert_fails(ILK_ESINGULAR, "column x2 follows from x0, x1", ilk_model_estimate(&m, s, &o, &failure));
        assert_null(m);
        o.shrink = 0.1;
        m = estimated(s, &o);
        double *joint = reals_joint(m, &t, false);
        size_t right = 0;
        for (size_t i = 0; i < t.n; i++)
            right += ilk_argmax(joint + 2 * i, 2) == t.label[i];
        assert_true(right > 45);
        free(joint);
        ilk_model_free(m);
        ilk_stats_free(s);
        reals_free(&t);
    }
}

/* ---- MASS::lda refuses iris times 1e-4 and times 1e160; variances of such data do not fit a double */

static void assert_same_odds(const double *a, const double *b, size_t n, size_t K, const char *what, double scale) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 1; k < K; k++) {
            double x = a[i * K + k] - a[i * K], y = b[i * K + k] - b[i * K];
            if (!is_close(x, y, 1e-9))
                fail_msg("%s × %g, row %zu: log-odds %.17g, unscaled %.17g", what, scale, i, x, y);
        }
}

/* Half of the rows saved and opened, the other half merged in. */
static ilk_model *through_file_and_merge(const char *family, const reals *t, const ilk_options *o) {
    ilk_stats *a = reals_stats(family, t->d, t->K), *b = reals_stats(family, t->d, t->K);
    size_t half = t->n / 2 + 1;
    ilk_rows first = reals_rows(t, 0, half), second = reals_rows(t, half, t->n - half);
    assert_ok(ilk_stats_add(a, &first, &failure));
    assert_ok(ilk_stats_add(b, &second, &failure));
    ilk_model *m = estimated(a, o), *opened;
    ilk_stats *read;
    bytes file = saved(m, a);
    assert_ok(ilk_model_read(&opened, file.p, file.n, &failure));
    assert_ok(ilk_model_stats(&read, opened, &failure));
    assert_ok(ilk_stats_merge(read, b, &failure));
    ilk_model_free(m);
    m = estimated(read, o);
    ilk_model_free(opened);
    ilk_stats_free(a);
    ilk_stats_free(b);
    ilk_stats_free(read);
    free(file.p);
    return m;
}

static void units__of_any_size_give_the_same_odds(void **state) {
    (void)state;
    rng r = rng_new(35);
    reals t = flowers(&r, 90, 4, 3), scaled = {t.n, t.d, t.K, make(t.n * t.d, sizeof(double)), t.label};
    static const double scale[] = {1e-4, 1e4, 1e-160, 1e160, 1e-300, 1e300};
    for (size_t f = 0; f < 4; f++) {
        ilk_model *m = reals_model(gaussians[f], &t, t.n, NULL);
        double *odds = reals_joint(m, &t, false), *without = reals_joint(m, &t, true);
        for (size_t c = 0; c < 6; c++) {
            for (size_t i = 0; i < t.n * t.d; i++) /* three columns, so that units differ within a row */
                scaled.x[i] = t.x[i] * (i % t.d == 0 ? 1 : scale[c]);
            for (int way = 0; way < 3; way++) {
                ilk_model *u = way == 2 ? through_file_and_merge(gaussians[f], &scaled, NULL)
                                        : reals_model(gaussians[f], &scaled, way ? 1 : t.n, NULL);
                double *a = reals_joint(u, &scaled, false), *b = reals_joint(u, &scaled, true);
                assert_same_odds(a, odds, t.n, t.K, gaussians[f], scale[c]);
                assert_same_odds(b, without, t.n, t.K, gaussians[f], scale[c]);
                assert_close(a[0], odds[0] - 3 * log(scale[c]), 1e-9); /* a density is per unit of each column */
                free(a);
                free(b);
                ilk_model_free(u);
            }
        }
        free(odds);
        free(without);
        ilk_model_free(m);
    }
    free(scaled.x);
    reals_free(&t);
}

/* A part of the rows may be far smaller than the rest: the order in which they come does not matter. */
static void units__may_grow_while_learning(void **state) {
    (void)state;
    rng r = rng_new(36);
    for (size_t f = 0; f < 4; f++) {
        reals t = flowers(&r, 40, 2, 2), back = {40, 2, 2, make(80, sizeof(double)), make(40, sizeof(uint32_t))};
        for (size_t i = 0; i < 40; i++) {
            t.x[2 * i] *= i < 9 ? 1e-100 : 1e100;
            t.x[2 * i + 1] *= i % 5 ? 1e-200 : 1e250;
            back.label[39 - i] = t.label[i];
        }
        for (size_t i = 0; i < 40; i++)
            memcpy(back.x + 2 * (39 - i), t.x + 2 * i, 2 * sizeof(double));
        ilk_options o = options_of(1);
        o.floor = 0;
        ilk_model *a = reals_model(gaussians[f], &t, 1, &o), *b = reals_model(gaussians[f], &back, 1, &o);
        ilk_model *c = through_file_and_merge(gaussians[f], &t, &o);
        double *x = reals_joint(a, &t, false), *y = reals_joint(b, &t, false), *z = reals_joint(c, &t, false);
        for (size_t i = 0; i < 80; i++) {
            assert_close(x[i], y[i], 1e-10);
            assert_close(x[i], z[i], 1e-10);
        }
        free(x);
        free(y);
        free(z);
        ilk_model_free(a);
        ilk_model_free(b);
        ilk_model_free(c);
        reals_free(&t);
        reals_free(&back);
    }
}

/* Shards of very different sizes, and what was learnt of one of them forgotten again. */
static void units__of_shards_are_reconciled(void **state) {
    (void)state;
    rng r = rng_new(40);
    static const double size[] = {1e-200, 1, 1e200};
    for (size_t f = 0; f < 4; f++)
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < 3; b++) {
                reals t = flowers(&r, 40, 2, 2);
                for (size_t i = 0; i < 80; i++)
                    t.x[i] *= i % 2 ? 1 : size[i < 40 ? a : b];
                ilk_stats *one = reals_stats(gaussians[f], 2, 2), *two = reals_stats(gaussians[f], 2, 2);
                ilk_rows first = reals_rows(&t, 0, 20), second = reals_rows(&t, 20, 20), last = reals_rows(&t, 39, 1);
                assert_ok(ilk_stats_add(one, &first, &failure));
                assert_ok(ilk_stats_add(two, &second, &failure));
                assert_ok(ilk_stats_merge(one, two, &failure));
                ilk_model *m = estimated(one, NULL), *whole = reals_model(gaussians[f], &t, 40, NULL);
                double *x = reals_joint(m, &t, false), *y = reals_joint(whole, &t, false);
                for (size_t i = 0; i < 80; i++)
                    assert_close(x[i], y[i], 1e-9);
                reals but_last = {39, 2, 2, t.x, t.label};
                assert_ok(ilk_stats_remove(one, &last, &failure));
                ilk_model *rest = reals_model(gaussians[f], &but_last, 39, NULL), *left = estimated(one, NULL);
                free(x);
                free(y);
                x = reals_joint(left, &t, false);
                y = reals_joint(rest, &t, false);
                for (size_t i = 0; i < 80; i++)
                    assert_close(x[i], y[i], 1e-9);
                free(x);
                free(y);
                ilk_model_free(m);
                ilk_model_free(whole);
                ilk_model_free(rest);
                ilk_model_free(left);
                ilk_stats_free(one);
                ilk_stats_free(two);
                reals_free(&t);
            }
}

static void units__do_not_stop_forgetting(void **state) {
    (void)state;
    rng r = rng_new(37);
    for (size_t f = 0; f < 4; f++) {
        reals t = flowers(&r, 30, 3, 2);
        for (size_t i = 0; i < 90; i++)
            t.x[i] *= i % 3 ? 1e200 : 1e-200;
        ilk_stats *s = reals_stats(gaussians[f], 3, 2), *rest = reals_stats(gaussians[f], 3, 2);
        ilk_rows all = reals_rows(&t, 0, 30), some = reals_rows(&t, 0, 9), others = reals_rows(&t, 9, 21);
        assert_ok(ilk_stats_add(s, &all, &failure));
        assert_ok(ilk_stats_add(rest, &others, &failure));
        assert_ok(ilk_stats_remove(s, &some, &failure));
        ilk_model *a = estimated(s, NULL), *b = estimated(rest, NULL);
        double *x = reals_joint(a, &t, false), *y = reals_joint(b, &t, false);
        for (size_t i = 0; i < 60; i++)
            assert_close(x[i], y[i], 1e-9);
        double strange[] = {1, 1e200, 1e200}; /* x0 has only been 1e-200 or so */
        assert_fails(ILK_EDATA, "column x0: more rows to forget",
                     ilk_stats_remove(s, &(ilk_rows){.n = 1, .real = strange, .label = t.label}, &failure));
        free(x);
        free(y);
        ilk_model_free(a);
        ilk_model_free(b);
        ilk_stats_free(s);
        ilk_stats_free(rest);
        reals_free(&t);
    }
}

/* ---- e1071 with 2,000 columns: every posterior is 0 or 1 exactly */

static void log_odds__of_2000_columns_are_told_apart(void **state) {
    (void)state;
    rng r = rng_new(38);
    size_t d = 2000;
    reals t = flowers(&r, 40, d, 2);
    ilk_model *m = reals_model("gaussian", &t, t.n, NULL);
    double *joint = reals_joint(m, &t, false), odds[40];
    for (size_t i = 0; i < t.n; i++) {
        odds[i] = joint[2 * i] - joint[2 * i + 1];
        assert_true(isfinite(odds[i]) && fabs(odds[i]) > 40); /* posteriors round to 0 and 1 from 36.7 on */
        for (size_t h = 0; h < i; h++)
            assert_true(odds[h] != odds[i]);
    }
    free(joint);
    ilk_model_free(m);
    reals_free(&t);
}

/* ---- oneDAL: the log-prior in every feature weight */

static void log_prior__counts_once_for_any_number_of_columns(void **state) {
    (void)state;
    enum { D = 50 };
    rng r = rng_new(39);
    reals t = {200, D, 2, make(200 * D, sizeof(double)), make(200, sizeof(uint32_t))};
    for (size_t i = 0; i < 100; i++) { /* the two classes look alike; one is three times as common */
        for (size_t j = 0; j < D; j++)
            t.x[i * D + j] = t.x[(100 + i) * D + j] = rng_normal(&r);
        t.label[i] = 0;
        t.label[100 + i] = i % 2 ? 1 : 0;
    }
    double weight[200];
    for (size_t i = 0; i < 200; i++)
        weight[i] = i < 100 ? 1 : i % 2 ? 1 : 0;
    for (size_t i = 0; i < 100;
         i += 2) /* class 1 has the odd rows; so has class 0, and every even row is a copy of one */
        memcpy(t.x + i * D, t.x + (i + 1) * D, D * sizeof *t.x);
    ilk_stats *s = reals_stats("gaussian", D, 2);
    ilk_rows rows = {.n = 200, .real = t.x, .label = t.label, .weight = weight};
    assert_ok(ilk_stats_add(s, &rows, &failure));
    ilk_model *m = estimated(s, NULL);
    double *joint = reals_joint(m, &t, false);
    for (size_t i = 0; i < t.n; i++)
        assert_close(joint[2 * i] - joint[2 * i + 1], log(100.0 / 50), 1e-9);
    free(joint);
    ilk_model_free(m);
    ilk_stats_free(s);
    reals_free(&t);
}

/* ---- mixed-naive-bayes: a product of raw probabilities */

static void product__of_5000_probabilities_does_not_underflow(void **state) {
    (void)state;
    enum { D = 5000 };
    ilk_schema *schema;
    ilk_stats *s;
    uint32_t *code = make(2 * D, sizeof *code), *p = make(D, sizeof *p), label[2];
    char name[24];
    assert_ok(ilk_schema_new(&schema, &failure));
    for (size_t j = 0; j < D; j++) {
        snprintf(name, sizeof name, "c%zu", j);
        assert_ok(ilk_schema_add(
            schema, &(ilk_column){.name = str(name), .kind = ILK_CATEGORY, .family = "categorical"}, &failure));
    }
    assert_ok(ilk_stats_new(&s, schema, &failure));
    assert_ok(ilk_stats_class(&label[0], s, str("a"), &failure));
    assert_ok(ilk_stats_class(&label[1], s, str("b"), &failure));
    for (size_t j = 0; j < D; j++) {
        assert_ok(ilk_stats_code(&code[j], s, j, str("p"), &failure));
        assert_ok(ilk_stats_code(&code[D + j], s, j, str("q"), &failure));
    }
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 2, .code = code, .label = label}, &failure));
    ilk_model *m = estimated(s, NULL);
    for (size_t j = 0; j < D; j++)
        p[j] = ilk_model_code(m, j, str(j < D / 2 + 1 ? "p" : "q"));
    double out[2], posterior[2];
    assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 1, .code = p}, &failure));
    assert_close(out[0], log(0.5) + 2501 * log(2.0 / 3) + 2499 * log(1.0 / 3), 1e-12); /* about 1e-1633 */
    ilk_bayes(posterior, out, 2);
    assert_close(posterior[0], 4.0 / 5, 1e-9); /* p : q = 2^2 */
    ilk_model_free(m);
    ilk_stats_free(s);
    ilk_schema_free(schema);
    free(code);
    free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_one_out__of_outliers_has_posteriors),
        cmocka_unit_test(far_value__belongs_to_the_nearer_class),
        cmocka_unit_test(variance__of_data_at_1e8_is_that_of_the_data),
        cmocka_unit_test(small_column__keeps_its_variance_beside_a_large_one_in_any_batches),
        cmocka_unit_test(unseen_category__is_answered_by_policy),
        cmocka_unit_test(mixed_columns__add_up_with_values_missing),
        cmocka_unit_test(gda__learns_in_batches_and_from_weights),
        cmocka_unit_test(rank_deficient_data__is_refused_by_name_or_shrunk),
        cmocka_unit_test(units__of_any_size_give_the_same_odds),
        cmocka_unit_test(units__may_grow_while_learning),
        cmocka_unit_test(units__of_shards_are_reconciled),
        cmocka_unit_test(units__do_not_stop_forgetting),
        cmocka_unit_test(log_odds__of_2000_columns_are_told_apart),
        cmocka_unit_test(log_prior__counts_once_for_any_number_of_columns),
        cmocka_unit_test(product__of_5000_probabilities_does_not_underflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
