/* SPDX-License-Identifier: Apache-2.0 */
/* test_rates.c - the families of counts by their formulas written out: three classes, three columns, of which one is 0
 * everywhere; smoothing towards the column's mean; weights below 1; draws. */
#include "direct.h"
#include "families/family.h"

enum { D = 3, K = 3, N = 12 };

static const char *const families[] = {"poisson", "negative-binomial"};
static const double X[N][D] = {{1, 0, 7}, {4, 0, 9}, {2, 0, 0},  {9, 0, 3}, {3, 0, 1}, {0, 0, 2},
                               {5, 0, 4}, {8, 0, 1}, {60, 0, 6}, {1, 0, 2}, {2, 0, 8}, {17, 0, 0}};
static const uint32_t label[N] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 1, 1, 2};

static ilk_stats *learn(const char *family, const double *weight) {
    ilk_stats *s = stats_of(real_columns(D, family), NULL);
    uint32_t id;
    for (int k = 0; k < K; k++)
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"abc"[k], 1}, &failure));
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = N, .real = X[0], .label = label, .weight = weight}, &failure));
    return s;
}

/* n, sum, mean and variance (divisor n) of column j in class k, or in all (K), without row `gone` (N: none). */
typedef struct group {
    double n, sum, variance;
} group;

static group group_of(size_t j, size_t k, const double *weight, size_t gone) {
    group g = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < N; i++) {
            double w = i == gone || (k < K && label[i] != k) ? 0 : weight ? weight[i] : 1, u = X[i][j] - g.sum / g.n;
            if (pass == 0) {
                g.n += w;
                g.sum += w * X[i][j];
            } else {
                g.variance += w > 0 ? w * u * u / g.n : 0;
            }
        }
    return g;
}

/* log p(x|k): Poisson where a is 0. */
static double density(double x, double rate, double a) {
    double sum = 0;
    for (double i = 0; i < x; i++)
        sum += log(1 + a * i) + log(rate) - log(1 + a * rate) - log(i + 1);
    return sum - (a > 0 ? log(1 + a * rate) / a : rate);
}

static double expected(bool binomial, size_t j, size_t k, double x, double alpha, const double *weight, size_t gone) {
    group g = group_of(j, k, weight, gone), all = group_of(j, K, weight, N);
    double m = all.sum / all.n, mean = g.sum / g.n, rate = (g.sum + alpha) / (g.n + alpha / m);
    double a = binomial && mean > 0 ? fmax(0, g.variance - mean) / (mean * mean) : 0;
    return all.sum > 0 ? density(x, rate, a) : 0;
}

static void log_joint__is_the_formula(void **state) {
    (void)state;
    double tiny[N], out[N * K], without[N * K];
    for (size_t i = 0; i < N; i++)
        tiny[i] = 0x1p-10 * (double)(1 + i % 3); /* all sums are below 1 */
    for (size_t f = 0; f < 2; f++)
        for (int weighted = 0; weighted < 2; weighted++)
            for (double alpha = 0; alpha <= 2; alpha += 0.5) {
                const double *w = weighted ? tiny : NULL;
                ilk_options o = options_of(alpha);
                ilk_stats *s = learn(families[f], w);
                ilk_model *m = estimated(s, &o);
                ilk_rows rows = {.n = N, .real = X[0], .label = label, .weight = w};
                assert_ok(ilk_model_log_joint(out, m, &rows, &failure));
                assert_ok(ilk_model_leave_one_out(without, m, &rows, &failure));
                for (size_t i = 0; i < N; i++)
                    for (size_t k = 0; k < K; k++) {
                        double all = group_of(0, K, w, N).n, n = group_of(0, k, w, N).n, own = w ? w[i] : 1;
                        double sum = log(n / all), left = log((n - (label[i] == k ? own : 0)) / (all - own));
                        for (size_t j = 0; j < D; j++) {
                            sum += expected(f, j, k, X[i][j], alpha, w, N);
                            left += expected(f, j, k, X[i][j], alpha, w, label[i] == k ? i : N);
                        }
                        assert_close(out[i * K + k], sum, 1e-10);
                        assert_close(without[i * K + k], left, 1e-9);
                    }
                ilk_model_free(m);
                ilk_stats_free(s);
            }
}

/* Without smoothing a class of zeros says with certainty that the next is 0, also when one of its rows is left out. */
static void zeros__stay_certain_without_the_row(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        char columns[40];
        snprintf(columns, sizeof columns, "x:%s y", families[f]);
        ilk_options o = options_of(0);
        table t = table_of("0,a\n0,a\n0,a\n1,b\n5,b\n3,b\n");
        ilk_model *m = model_of(columns, "0,a\n0,a\n0,a\n1,b\n5,b\n3,b\n", &o);
        batch b = batch_for_model(m, &t);
        double out[12];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        assert_close(out[0], log(2 / 5.0), 1e-14);
        assert_true(out[6] == -INFINITY && isfinite(out[7]));
        batch_free(&b);
        ilk_model_free(m);
        table_free(&t);
    }
}

/* Where x! is above all numbers Stirling's formula takes over, without its root, which is nothing beside the rest. */
static void log_joint__of_a_huge_count_is_stirling_s(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("x:poisson y", "2e305,a\n4e305,b\n0,b\n1e306,c\n", &o);
    table t = table_of("2e305,a\n8e305,a\n");
    double *p = log_joints(m, &t);
    static const double rate[] = {2, 2, 10};
    double prior[] = {log(1 / 4.0), log(2 / 4.0), log(1 / 4.0)};
    for (size_t k = 0; k < 3; k++) {
        assert_close(p[k] / 1e305, 2 * (log(rate[k] / 2) + 1) - rate[k] + prior[k] / 1e305, 1e-12);
        assert_close(p[3 + k] / 1e305, 8 * (log(rate[k] / 8) + 1) - rate[k], 1e-12);
    }
    free(p);
    table_free(&t);
    ilk_model_free(m);
}

/* The only row of a class that is not 0 leaves zeros, however its squares are rounded: nothing but smoothing. */
static void leave_one_out__of_the_only_count_leaves_zeros(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++)
        for (int n = 2; n < 12; n++)
            for (int x = 1; x < 8; x++) {
                char rows[256], columns[40];
                size_t used = (size_t)snprintf(rows, sizeof rows, "%d,a\n1,b\n5,b\n3,b\n", x);
                for (int i = 1; i < n; i++)
                    used += (size_t)snprintf(rows + used, sizeof rows - used, "0,a\n");
                snprintf(columns, sizeof columns, "x:%s y", families[f]);
                table t = table_of(rows);
                ilk_model *m = model_of(columns, rows, NULL);
                batch b = batch_for_model(m, &t);
                double out[2 * 16], mean = (x + 9) / (n + 3.0), rate = 1 / (n - 1 + 1 / mean);
                assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
                assert_close(out[0], log((n - 1) / (n + 2.0)) + density(x, rate, 0), 1e-12);
                batch_free(&b);
                ilk_model_free(m);
                table_free(&t);
            }
}

/* Counts that differ differ by 1 at least: what is left of them may well be all the same. */
static void remove__may_leave_counts_that_are_all_the_same(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++)
        for (double same = 0; same < 8; same += 7) {
            ilk_stats *s = stats_of(real_columns(1, families[f]), NULL);
            uint32_t id, labels[100] = {0};
            double x[100];
            for (size_t i = 0; i < 100; i++)
                x[i] = i < 50 ? same : (double)(i * i % 97);
            ilk_options o = options_of(0);
            assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
            assert_ok(ilk_stats_class(&id, s, str("b"), &failure));
            assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 1, .real = (double[]){4}, .label = &id}, &failure));
            assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 100, .real = x, .label = labels}, &failure));
            assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 1, .real = (double[]){3}, .label = labels}, &failure));
            assert_ok(ilk_stats_remove(s, &(ilk_rows){.n = 50, .real = x + 50, .label = labels}, &failure));
            assert_ok(ilk_stats_remove(s, &(ilk_rows){.n = 1, .real = (double[]){3}, .label = labels}, &failure));
            ilk_model *m = estimated(s, &o);
            assert_true(fact(m, f ? "mu" : "lambda", "x0", "", "a").value == same);
            assert_true(!f || fact(m, "dispersion", "x0", "", "a").value == 0);
            ilk_model_free(m);
            ilk_stats_free(s);
        }
}

/* With weights, or so large that 1 is beside rounding, that cannot be known. */
static void remove__of_counts_that_rounding_hides_is_refused(void **state) {
    (void)state;
    static const uint32_t labels[4];
    const double x[] = {1e9, 1e9, 5e18, 5e18 + 4096}, small[] = {7, 7, 90000, 80000}, weight[] = {0.5, 2.5, 1, 1};
    for (int weighted = 0; weighted < 2; weighted++) {
        ilk_stats *s = stats_of(real_columns(1, "poisson"), NULL);
        uint32_t id;
        ilk_rows rows = {.n = 4, .real = weighted ? small : x, .label = labels, .weight = weighted ? weight : NULL};
        assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
        assert_ok(ilk_stats_add(s, &rows, &failure));
        rows.n = 2;
        rows.real += 2;
        rows.weight = NULL;
        assert_fails(ILK_EDATA, "rounding hides it", ilk_stats_remove(s, &rows, &failure));
        ilk_stats_free(s);
    }
}

/* A column that was 0 everywhere says nothing, not even of another number. */
static void column_of_zeros__says_nothing(void **state) {
    (void)state;
    const double x[2][D] = {{1, 0, 7}, {1, 5, 7}};
    const uint32_t of[] = {0, 0};
    const ilk_rows rows = {.n = 2, .real = x[0], .label = of};
    for (size_t f = 0; f < 2; f++) {
        ilk_stats *s = learn(families[f], NULL);
        ilk_model *m = estimated(s, NULL);
        double out[2 * K], without[2 * K];
        assert_ok(ilk_model_log_joint(out, m, &rows, &failure));
        assert_ok(ilk_model_leave_one_out(without, m, &rows, &failure));
        for (size_t k = 0; k < K; k++)
            assert_true(isfinite(out[k]) && out[k] == out[K + k] && without[k] == without[K + k]);
        assert_true(fact(m, f ? "mu" : "lambda", "x1", "", "a").value == 0);
        assert_true(f || fact(m, "theta", "x1", "", "b").value == 0);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* The same of a column that has no value at all. */
static void column_without_a_value__says_nothing(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        char columns[64];
        snprintf(columns, sizeof columns, "x:%s z:%s y", families[f], families[f]);
        ilk_model *m = model_of(columns, "1,,a\n4,,a\n2,,b\n3,,b\n", NULL);
        table t = table_of("1,5,a\n1,,a\n");
        double *p = log_joints(m, &t);
        assert_true(isfinite(p[0]) && p[0] == p[2] && p[1] == p[3]);
        free(p);
        table_free(&t);
        ilk_model_free(m);
    }
}

/* z has no value in b: smoothing gives it the mean of all, Poisson around it; without smoothing it is 0/0. When a's
 * only value is left out, a is the same. */
static void class__without_a_value_has_the_mean_of_all(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        char columns[64];
        snprintf(columns, sizeof columns, "x:%s z:%s y", families[f], families[f]);
        ilk_stats *s = learnt(columns, "1,4,a\n1,,a\n1,,b\n1,,b\n1,2,c\n1,9,c\n");
        ilk_options o = options_of(0);
        ilk_model *m;
        assert_fails(ILK_EDATA, "column z has no value in class b: its rate is 0/0",
                     ilk_model_estimate(&m, s, &o, &failure));
        o.smooth = 0.5;
        o.prior = ILK_PRIOR_UNIFORM;
        m = estimated(s, &o);
        assert_close(fact(m, f ? "mu" : "lambda", "z", "", "b").value, 5, 1e-14);
        if (f)
            assert_close(fact(m, "dispersion", "z", "", "b").value, 0, 0);
        table t = table_of("1,4,a\n");
        batch b = batch_for_model(m, &t);
        double out[3];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        assert_close(out[0], out[1], 1e-14);
        batch_free(&b);
        table_free(&t);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

static ilk_status hear(void *ctx, const ilk_part *part) {
    double *sum = ctx; /* of the columns x and z */
    if (part->column.n)
        sum[part->column.p[0] == 'z'] += part->contribution;
    return ILK_OK;
}

static void explain__gives_each_column_its_part(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        char columns[80];
        snprintf(columns, sizeof columns, "x:%s z:%s y", families[f], families[f]);
        ilk_model *m = model_of(columns, "0,0,a\n1,0,a\n0,0,a\n0,0,b\n0,0,b\n2,0,b\n1,0,b\n", NULL);
        table t = table_of(f ? "1,5,a\n" : "1,1e307,a\n");
        batch b = batch_for_model(m, &t);
        double *joint = log_joints(m, &t), sum[2] = {0, 0};
        assert_ok(ilk_model_explain(m, &b.rows, 0, 1, 0, hear, sum, &failure));
        assert_close(sum[0], joint[1] - joint[0] - log(4 / 3.0), 1e-13);
        assert_true(sum[1] == 0); /* 0 everywhere: nothing is said, however much it is now */
        free(joint);
        batch_free(&b);
        table_free(&t);
        ilk_model_free(m);
    }
}

static void poisson__refuses_what_are_no_counts(void **state) {
    (void)state;
    static const char *const rows[] = {"1,2,a\n3,,b\n", "1,-2,a\n3,1,b\n", "1,1.7e308,a\n3,1.7e308,a\n2,1,b\n"};
    static const char *const message[] = {"column z has no value in class b",
                                          "column z: no counts (their mean in class a is -2)", "column z: no counts"};
    for (size_t i = 0; i < 3; i++) {
        ilk_stats *s = learnt("x:gaussian z:gaussian y", rows[i]);
        ilk_options o = options_of(0);
        ilk_model *m;
        o.real_family = "poisson";
        assert_fails(ILK_EDATA, message[i], ilk_model_estimate(&m, s, &o, &failure));
        ilk_stats_free(s);
    }
}

/* Statistics of a normal family have no rows to look at, but counts have whole sums, and so have their squares. */
static void poisson__from_moments_asks_for_whole_sums(void **state) {
    (void)state;
    static const struct {
        const char *rows;
        bool counts;
    } cases[] = {
        {"0,a\n0,a\n1,a\n3,b\n", true},   {"0.5,a\n0.25,a\n3,b\n", false},
        {"0.5,a\n1.5,a\n3,b\n", false},                              /* whole, but 0.25 + 2.25 is not */
        {"1.5e-6,a\n3,b\n", false},       {"0.5e-6,a\n3,b\n", true}, /* to rounding */
        {"1000000.0015,a\n3,b\n", false}, {"1000000.0005,a\n3,b\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ilk_stats *s = learnt("x:gaussian y", cases[i].rows);
        ilk_options o = options_of(1);
        ilk_model *m = NULL;
        o.real_family = "poisson";
        if (cases[i].counts)
            assert_ok(ilk_model_estimate(&m, s, &o, &failure));
        else
            assert_fails(ILK_EARG, "those of class a, or their squares, sum to a fraction",
                         ilk_model_estimate(&m, s, &o, &failure));
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* The smallest dispersion there is: a product with a rate below 1 would be rounded to nothing. */
static void dispersion__too_small_for_products_is_none(void **state) {
    (void)state;
    const double p[] = {log(0.4), 0.4, 5e-324, 5, 2, 1, 0.4, 0, 0}, x[] = {0, 1};
    const ilk_shape s = {.K = 1, .d = 1};
    const ilk_family *f = ilk_family_find("negative-binomial");
    double out[] = {0, 0};
    assert_int_equal(f->size(&s), sizeof p / sizeof *p);
    assert_true(f->validate(p, &s));
    f->score(out, p, &s, &(ilk_chunk){.n = 2, .x = x});
    assert_close(out[0], -0.4, 1e-15);
    assert_close(out[1], log(0.4) - 0.4, 1e-15);
}

typedef struct moments {
    double n[K], sum[K], squares[K];
} moments;

static ilk_status add_draws(void *ctx, const ilk_rows *rows) {
    moments *m = ctx;
    for (size_t i = 0; i < rows->n; i++) {
        double x = rows->real[i * D];
        m->n[rows->label[i]]++;
        m->sum[rows->label[i]] += x;
        m->squares[rows->label[i]] += x * x;
    }
    return ILK_OK;
}

/* Mean and variance of the first column: its dispersion is below 1 in some classes and above in others. */
static void draws__have_mean_and_variance(void **state) {
    (void)state;
    ilk_stats *s = learn("negative-binomial", NULL);
    ilk_model *m = estimated(s, NULL);
    moments drawn = {0};
    assert_ok(ilk_model_sample(m, 60000, 5, add_draws, &drawn, &failure));
    for (uint32_t k = 0; k < K; k++) {
        const char *name = text_of(ilk_model_class_name(m, k));
        double rate = fact(m, "mu", "x0", "", name).value, a = fact(m, "dispersion", "x0", "", name).value;
        double variance = rate + a * rate * rate, mean = drawn.sum[k] / drawn.n[k];
        double got = drawn.squares[k] / drawn.n[k] - mean * mean;
        printf("# class %s: mean %g of %g, variance %g of %g, dispersion %g\n", name, mean, rate, got, variance, a);
        assert_true(fabs(mean - rate) < 5 * sqrt(variance / drawn.n[k]));
        assert_true(fabs(got / variance - 1) < 0.15);
    }
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* Every count as often as its probability says, whether the gamma's shape 1/a is above 1, below 1 or below 1/3. */
static void draws__have_the_density(void **state) {
    (void)state;
    enum { DRAWS = 100000, MOST = 12 };
    static const double shapes[][2] = {{3, 0.5}, {3, 1}, {6, 5}, {0.7, 3.5}, {8, 0.05}};
    const ilk_shape s = {.K = 1, .d = 1};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        double rate = shapes[i][0], a = shapes[i][1], x, times[MOST] = {0};
        const double p[] = {log(rate), rate, a, 5, 5 * rate, 0, rate, 0, 0};
        ilk_draw out = {.x = &x};
        ilk_rng r = ilk_rng_new(i);
        for (size_t n = 0; n < DRAWS; n++) {
            ilk_family_find("negative-binomial")->sample(&out, p, &s, 0, &r);
            if (x < MOST)
                times[(size_t)x]++;
        }
        for (size_t n = 0; n < MOST; n++) {
            double q = exp(density((double)n, rate, a));
            if (!(fabs(times[n] / DRAWS - q) < 5 * sqrt(q * (1 - q) / DRAWS)))
                fail_msg("mean %g, dispersion %g: %g of %d are %zu, probability %g", rate, a, times[n], DRAWS, n, q);
        }
    }
}

/* Where the gamma makes nearly all of the variance: five standard errors are 5 % at most. */
static void draws__have_the_variance_of_their_gamma(void **state) {
    (void)state;
    enum { DRAWS = 100000 };
    static const double dispersion[] = {1, 0.2, 0.05};
    const ilk_shape s = {.K = 1, .d = 1};
    for (size_t i = 0; i < 3; i++) {
        double rate = 1000, a = dispersion[i], x, sum = 0, squares = 0;
        const double p[] = {log(rate), rate, a, 5, 5 * rate, 0, rate, 0, 0};
        ilk_draw out = {.x = &x};
        ilk_rng r = ilk_rng_new(i);
        for (size_t n = 0; n < DRAWS; n++) {
            ilk_family_find("negative-binomial")->sample(&out, p, &s, 0, &r);
            sum += (x - rate) / DRAWS;
            squares += (x - rate) * (x - rate) / DRAWS;
        }
        assert_close((squares - sum * sum) / (rate + a * rate * rate), 1, 0.05);
    }
}

/* From a file: below zero, no number, a logarithm of something else; a rate of 0 has that of 0, or none. */
static void validate__refuses_what_no_counts_could_give(void **state) {
    (void)state;
    const ilk_family *f = ilk_family_find("poisson");
    ilk_shape s = {.K = 1, .d = 1};
    const double good[] = {log(3), 3, 4, 12, 3, 1}, wild[] = {-1, NAN, INFINITY};
    const double zero[] = {-INFINITY, 0, 4, 0, 3, 0}, below[] = {0, -1, 4, 12, 3, 1};
    assert_int_equal(f->size(&s), sizeof good / sizeof *good);
    assert_true(f->validate(good, &s) && f->validate(zero, &s) && !f->validate(below, &s));
    const double bare[] = {log(3), 3, 0, 0, 3, 1}, sums[] = {log(3), 3, 0, 0.5, 3, 1};
    assert_true(f->validate(bare, &s) && !f->validate(sums, &s)); /* no values, but a sum of them */
    for (size_t i = 0; i < 3 * sizeof good / sizeof *good; i++) {
        double p[sizeof good / sizeof *good];
        memcpy(p, good, sizeof good);
        p[i / 3] = wild[i % 3];
        assert_false(f->validate(p, &s));
    }
}

/* Of a class of which next to nothing would be left there is no rate, though a sum is. */
static void leave_one_out__of_nearly_all_of_a_class_is_impossible(void **state) {
    (void)state;
    const double x[] = {3, 5, 4000, 2, 7}, weight[] = {1, 1e-10, 1e-10, 1, 1};
    const uint32_t of[] = {0, 0, 0, 1, 1};
    for (size_t f = 0; f < 2; f++) {
        ilk_stats *s = stats_of(real_columns(1, families[f]), NULL);
        uint32_t id;
        assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
        assert_ok(ilk_stats_class(&id, s, str("b"), &failure));
        ilk_rows rows = {.n = 5, .real = x, .label = of, .weight = weight};
        assert_ok(ilk_stats_add(s, &rows, &failure));
        ilk_options o = options_of(0);
        ilk_model *m = estimated(s, &o);
        double out[10];
        assert_ok(ilk_model_leave_one_out(out, m, &rows, &failure));
        assert_true(out[0] == -INFINITY && !isnan(out[1]));
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_joint__is_the_formula),
        cmocka_unit_test(zeros__stay_certain_without_the_row),
        cmocka_unit_test(log_joint__of_a_huge_count_is_stirling_s),
        cmocka_unit_test(leave_one_out__of_the_only_count_leaves_zeros),
        cmocka_unit_test(column_of_zeros__says_nothing),
        cmocka_unit_test(dispersion__too_small_for_products_is_none),
        cmocka_unit_test(remove__may_leave_counts_that_are_all_the_same),
        cmocka_unit_test(remove__of_counts_that_rounding_hides_is_refused),
        cmocka_unit_test(poisson__refuses_what_are_no_counts),
        cmocka_unit_test(poisson__from_moments_asks_for_whole_sums),
        cmocka_unit_test(explain__gives_each_column_its_part),
        cmocka_unit_test(column_without_a_value__says_nothing),
        cmocka_unit_test(class__without_a_value_has_the_mean_of_all),
        cmocka_unit_test(draws__have_mean_and_variance),
        cmocka_unit_test(draws__have_the_density),
        cmocka_unit_test(draws__have_the_variance_of_their_gamma),
        cmocka_unit_test(validate__refuses_what_no_counts_could_give),
        cmocka_unit_test(leave_one_out__of_nearly_all_of_a_class_is_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
