/* SPDX-License-Identifier: Apache-2.0 */
/* test_transform.c - bins, Box-Cox and Yeo-Johnson: formulas, what is learnt, and that a model of transformed columns
 * is one of the columns themselves. */
#include "fixtures.h"

#include "model/schema.h"
#include "transform/transform.h"

static const double areas[] = {400, 800, 1200, 1600};
static const ilk_transform living_area = {.kind = ILK_BINS, .edge = areas, .edges = 4};

static ilk_transform power(ilk_transform_kind kind, double lambda) {
    return (ilk_transform){.kind = kind, .lambda = lambda};
}

/* ---- bins */

/* The course notes: < 400, 400-800, 800-1200, 1200-1600, > 1600 are 1 to 5. */
static void bins__are_half_open(void **state) {
    (void)state;
    static const struct {
        double x;
        size_t bin;
    } cases[] = {{-1e300, 1}, {0, 1},     {399.999, 1}, {400, 2},       {799, 2},      {800, 3}, {890, 3},
                 {1199, 3},   {1200, 4},  {1599, 4},    {1600, 5},      {1e9, 5},      {NAN, 0}, {INFINITY, 5},
                 {-0.0, 1},   {-1e-9, 1}, {401, 2},     {-INFINITY, 1}, {0x1p-1074, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ilk_transform_bin(&living_area, cases[i].x), cases[i].bin);
    assert_int_equal(ilk_transform_bin(&(ilk_transform){.kind = ILK_BINS}, 3), 1);
}

static void bins__have_names_that_people_read(void **state) {
    (void)state;
    static const char *const names[] = {"(-inf,400)", "[400,800)", "[800,1200)", "[1200,1600)", "[1600,inf)"};
    char name[ILK_BIN_NAME];
    for (size_t bin = 1; bin <= 5; bin++) {
        assert_int_equal(ilk_transform_bin_name(name, &living_area, bin), strlen(names[bin - 1]));
        assert_string_equal(name, names[bin - 1]);
    }
    ilk_transform_bin_name(name, &(ilk_transform){.kind = ILK_BINS}, 1);
    assert_string_equal(name, "(-inf,inf)");
    static const double long_ones[] = {-2.2250738585072014e-308, -1.7976931348623157e-308};
    size_t n = ilk_transform_bin_name(name, &(ilk_transform){.kind = ILK_BINS, .edge = long_ones, .edges = 2}, 2);
    assert_true(n < ILK_BIN_NAME && n == strlen(name));
}

static void transforms__are_told_in_words(void **state) {
    (void)state;
    char text[64], tight[8];
    ilk_transform t = power(ILK_BOX_COX, 0.25);
    ilk_transform_text(text, sizeof text, &living_area);
    assert_string_equal(text, "bins 400,800,1200,1600");
    ilk_transform_text(text, sizeof text, &t);
    assert_string_equal(text, "boxcox 0.25");
    assert_int_equal(ilk_transform_text(tight, sizeof tight, &t), 7);
    assert_string_equal(tight, "boxcox ");
    t.lambda = 0;
    ilk_transform_text(text, sizeof text, &t);
    assert_string_equal(text, "log");
    t = power(ILK_YEO_JOHNSON, 0);
    ilk_transform_text(text, sizeof text, &t);
    assert_string_equal(text, "yeo-johnson 0");
}

/* Every bin is a value of its column from the start, and there is no other. */
static void bins__are_declared_and_take_no_other_value(void **state) {
    (void)state;
    const char *columns = "area:categorical/bins@400,800,1200,1600 y";
    ilk_stats *s = learnt(columns, "890,a\n1600,b\n100,a\n,b\n");
    uint32_t code;
    ilk_model *m = estimated(s, NULL);
    assert_close(fact(m, "phi", "area", "[800,1200)", "a").value, 2.0 / 7, 1e-15); /* (1 + 1) / (2 + 5) */
    assert_close(fact(m, "phi", "area", "[400,800)", "a").value, 1.0 / 7, 1e-15);
    assert_close(fact(m, "phi", "area", "[1600,inf)", "b").value, 2.0 / 6, 1e-15); /* the missing one says nothing */
    assert_fails(ILK_EARG, "none of its bins", ilk_stats_code(&code, s, 0, str("890"), &failure));
    assert_fails(ILK_EARG, "none of its bins", ilk_stats_declare(&code, s, ILK_CATEGORY, 0, str("x"), &failure));
    assert_fails(ILK_EARG, "no column of bins", ilk_stats_bin(&code, s, 1, 3, &failure));
    assert_ok(ilk_stats_bin(&code, s, 0, NAN, &failure));
    assert_int_equal(code, ILK_MISSING);
    assert_int_equal(ilk_model_bin(m, 0, NAN), ILK_MISSING);
    assert_int_equal(ilk_model_bin(m, 0, 890), ilk_model_code(m, 0, str("[800,1200)")));
    assert_int_equal(ilk_model_bin(m, 7, 890), ILK_UNSEEN);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* ---- powers */

/* y = (x^lambda - 1) / lambda, and log x at 0; on 1 + x and 1 - x for Yeo-Johnson. */
static void powers__are_their_formulas(void **state) {
    (void)state;
    rng r = rng_new(1);
    for (int i = 0; i < 2000; i++) {
        double lambda = i % 5 == 0 ? 0 : i % 5 == 1 ? 2 : 6 * rng_unit(&r) - 3, x = exp(3 * rng_normal(&r));
        long double L = lambda, X = x;
        ilk_transform b = power(ILK_BOX_COX, lambda), y = power(ILK_YEO_JOHNSON, lambda);
        assert_close(ilk_transform_apply(&b, x), (double)(L == 0 ? logl(X) : (powl(X, L) - 1) / L), 1e-12);
        assert_close(ilk_transform_apply(&y, x), (double)(L == 0 ? log1pl(X) : (powl(1 + X, L) - 1) / L), 1e-12);
        assert_close(ilk_transform_apply(&y, -x), (double)(L == 2 ? -log1pl(X) : -(powl(1 + X, 2 - L) - 1) / (2 - L)),
                     1e-12);
    }
    assert_true(isnan(ilk_transform_apply(&(ilk_transform){.kind = ILK_BOX_COX, .lambda = 0.5}, NAN)));
}

/* dy/dx by differences, and back from y to x. */
static void powers__have_slopes_and_inverses(void **state) {
    (void)state;
    rng r = rng_new(2);
    for (int i = 0; i < 2000; i++) {
        ilk_transform t = power(i % 2 ? ILK_BOX_COX : ILK_YEO_JOHNSON, i % 7 == 0 ? 0 : 4 * rng_unit(&r) - 1.5);
        double x = i % 2 ? exp(rng_normal(&r)) : 2 * rng_normal(&r), h = 1e-6 * fmax(fabs(x), 0.1);
        double slope = (ilk_transform_apply(&t, x + h) - ilk_transform_apply(&t, x - h)) / (2 * h);
        assert_close(ilk_transform_log_slope(&t, x), log(slope), 1e-6);
        assert_close(ilk_transform_undo(&t, ilk_transform_apply(&t, x)), x, 1e-9);
    }
}

static void powers__refuse_what_they_cannot_take(void **state) {
    (void)state;
    ilk_transform b = power(ILK_BOX_COX, 0.5), y = power(ILK_YEO_JOHNSON, 5);
    assert_non_null(strstr(ilk_transform_refuses(&b, 0), "yeo-johnson takes any number"));
    assert_non_null(ilk_transform_refuses(&b, -1));
    assert_null(ilk_transform_refuses(&b, 0x1p-1074));
    assert_null(ilk_transform_refuses(&y, -1e300));
    assert_non_null(strstr(ilk_transform_refuses(&y, 1e300), "too large"));
    assert_true(isnan(ilk_transform_undo(&b, -2.1))); /* beyond -1 / lambda there is no x */

    ilk_stats *s = stats_of("x:gaussian/boxcox@0.5 y", NULL);
    table t = table_of("1,a\n0,b\n");
    assert_fails(ILK_EDATA, "row 1, column x: 0 is not positive", try_learn(s, &t, false));
    ilk_model *m = model_of("x:gaussian/boxcox@0.5 y", "1,a\n2,a\n3,b\n5,b\n", NULL);
    double p[2], minus = -3;
    assert_fails(ILK_EDATA, "row 0, column x: -3 is not positive",
                 ilk_model_log_joint(p, m, &(ilk_rows){.n = 1, .real = &minus}, &failure));
    ilk_model_free(m);
    table_free(&t);
    ilk_stats_free(s);
}

/* ---- the schema */

static ilk_status try_column(const char *family, ilk_transform t) {
    ilk_schema *s = schema_of("y");
    ilk_column c = column_of("x", 1, family);
    c.transform = t;
    ilk_status status = ilk_schema_add(s, &c, &failure);
    ilk_schema_free(s);
    return status;
}

static void schema__refuses_transforms_that_are_not_possible(void **state) {
    (void)state;
    static const double wrong[][2] = {{2, 1}, {1, 1}, {1, INFINITY}, {NAN, 1}};
    double *many = make(ILK_EDGES_MOST + 1, sizeof *many);
    for (size_t i = 0; i < ILK_EDGES_MOST + 1; i++)
        many[i] = (double)i;
    for (size_t i = 0; i < 4; i++)
        assert_fails(ILK_EARG, "column x: ",
                     try_column("categorical", (ilk_transform){.kind = ILK_BINS, .edge = wrong[i], .edges = 2}));
    assert_fails(ILK_EARG, "65537 bins are more than 65536",
                 try_column("categorical", (ilk_transform){ILK_BINS, 0, many, ILK_EDGES_MOST + 1}));
    assert_ok(try_column("categorical", (ilk_transform){ILK_BINS, 0, many, ILK_EDGES_MOST}));
    assert_fails(ILK_EARG, "bins are categories", try_column("gaussian", living_area));
    assert_fails(ILK_EARG, "models no transformed numbers", try_column("categorical", power(ILK_BOX_COX, 1)));
    assert_fails(ILK_EARG, "models no transformed numbers", try_column("poisson", power(ILK_BOX_COX, 1)));
    assert_fails(ILK_EARG, "a lambda of 6", try_column("gaussian", power(ILK_BOX_COX, 6)));
    assert_fails(ILK_EARG, "a lambda of nan", try_column("gaussian", power(ILK_YEO_JOHNSON, NAN)));
    assert_fails(ILK_EARG, "a lambda of 1e-10", try_column("gaussian", power(ILK_YEO_JOHNSON, 1e-10)));
    assert_ok(try_column("gda", power(ILK_YEO_JOHNSON, -5)));
    free(many);
}

static void merge__names_the_first_transform_that_differs(void **state) {
    (void)state;
    static const char *const pairs[][3] = {
        {"x:gaussian/boxcox@0.5 y", "x:gaussian/boxcox@0.25 y", "column x: its transform (boxcox 0.5 and boxcox 0.25)"},
        {"x:gaussian y", "x:gaussian/boxcox@0 y", "column x: its transform (none and log)"},
        {"c:categorical/bins@1,2 y", "c:categorical/bins@1,3 y", "column c: its transform (bins 1,2 and bins 1,3)"},
        {"c:categorical/bins@1 y", "c:categorical y", "column c: its transform (bins 1 and none)"}};
    for (size_t i = 0; i < 4; i++) {
        ilk_stats *a = stats_of(pairs[i][0], NULL), *b = stats_of(pairs[i][1], NULL);
        assert_fails(ILK_EARG, pairs[i][2], ilk_stats_merge(a, b, &failure));
        ilk_stats_free(a);
        ilk_stats_free(b);
    }
}

/* ---- learning bins */

static int by_x(const void *a, const void *b) {
    double x = ((const ilk_point *)a)->x, y = ((const ilk_point *)b)->x;
    return (x > y) - (x < y);
}

static ilk_learnt learn(const char *bins, const double *x, size_t n) {
    ilk_point *p = make(n, sizeof *p);
    ilk_wish wish;
    ilk_learnt out;
    for (size_t i = 0; i < n; i++)
        p[i] = (ilk_point){x[i], 1, 0};
    assert_ok(ilk_wish_bins(&wish, str(bins), &failure));
    assert_ok(ilk_transform_learn(&out, &wish, p, n, 1, false, &failure));
    ilk_wish_free(&wish);
    free(p);
    return out;
}

static void assert_edges(const char *bins, const double *x, size_t n, const char *expected) {
    ilk_learnt l = learn(bins, x, n);
    char text[256];
    ilk_transform_text(text, sizeof text, &l.transform);
    assert_string_equal(text, expected);
    ilk_learnt_free(&l);
}

static void edges__are_what_was_asked_for(void **state) {
    (void)state;
    static const double x[] = {1600, 100, 350, 890, 1200, 410}, tens[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
                        ties[] = {1, 1, 1, 1, 1, 1, 2, 3}, one[] = {5, 5, 5}, wide[] = {-1.7e308, 1.7e308};
    assert_edges("400,800", x, 6, "bins 400,800");
    assert_edges("bins:5", x, 6, "bins 400,700,1000,1300");
    assert_edges("width:400", x, 6, "bins 400,800,1200,1600");
    assert_edges("quantile:5", tens, 10, "bins 2,4,6,8");
    assert_edges("quantile:3", x, 6, "bins 410,1200");
    assert_edges("quantile:4", ties, 8, "bins 2"); /* three edges fall on 1, the least value, or on 2 */
    assert_edges("quantile:4", one, 3, "one bin");
    assert_edges("bins:4", one, 3, "one bin");
    assert_edges("width:2", one, 3, "one bin");
    assert_edges("bins:2", wide, 2, "bins 0");
    assert_edges("bins:1", x, 6, "one bin");
    assert_edges("mdlp", x, 0, "one bin");
    ilk_learnt few = learn("quantile:4", ties, 8);
    assert_non_null(strstr(few.note, "fewer than asked for"));
    ilk_learnt_free(&few);
    ilk_wish wish;
    ilk_learnt out;
    ilk_point p[] = {{0, 1, 0}, {1e9, 1, 0}};
    assert_ok(ilk_wish_bins(&wish, str("width:1e-3"), &failure));
    assert_fails(ILK_EDATA, "more than 65536 bins", ilk_transform_learn(&out, &wish, p, 2, 1, false, &failure));
    ilk_point far[] = {{1e17, 1, 0}, {1e17 + 64, 1, 0}}; /* where a step of 1 goes nowhere */
    assert_ok(ilk_wish_bins(&wish, str("width:1"), &failure));
    assert_fails(ILK_EDATA, "a width of 1 is less than doubles can tell apart in values from 1e+17 to 1e+17",
                 ilk_transform_learn(&out, &wish, far, 2, 1, false, &failure));
    assert_ok(ilk_wish_bins(&wish, str("width:32"), &failure));
    assert_ok(ilk_transform_learn(&out, &wish, far, 2, 1, false, &failure));
    assert_int_equal(out.transform.edges, 2);
    ilk_learnt_free(&out);
}

static void wishes__that_mean_nothing_are_refused(void **state) {
    (void)state;
    static const char *const bins[] = {"",         "bins:0", "bins:",     "bins:2.5",   "bins:70000", "width:0",
                                       "width:-1", "400,",   "800,400",   "400,400",    "quantile:x", "mdlp:3",
                                       "equal",    "1e999",  "width:inf", "quantile:-3"};
    ilk_wish wish;
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        if (ilk_wish_bins(&wish, str(bins[i]), &failure) != ILK_EARG)
            fail_msg("'%s' is taken", bins[i]);
    assert_fails(ILK_EARG, "none of boxcox", ilk_wish_power(&wish, str("sqrt"), &failure));
}

/* Fayyad & Irani from their paper, by brute force: every cut of every interval, entropies from scratch. */
static double entropy(const ilk_point *p, size_t n, size_t K, double *classes) {
    double count[8] = {0}, H = 0, N = 0;
    *classes = 0;
    for (size_t i = 0; i < n; i++) {
        count[p[i].k] += p[i].w;
        N += p[i].w;
    }
    for (size_t k = 0; k < K; k++) {
        H -= count[k] > 0 ? count[k] / N * log2(count[k] / N) : 0;
        *classes += count[k] > 0;
    }
    return H;
}

static double weight_of(const ilk_point *p, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += p[i].w;
    return sum;
}

static size_t brute_mdlp(double *edge, const ilk_point *p, size_t n, size_t K) {
    double best = INFINITY, c, c1, c2, H = entropy(p, n, K, &c);
    size_t at = 0;
    for (size_t i = 1; i < n; i++) {
        double now = weight_of(p, i) * entropy(p, i, K, &c1) + weight_of(p + i, n - i) * entropy(p + i, n - i, K, &c2);
        if (p[i - 1].x < p[i].x && now < best - 1e-9) {
            best = now;
            at = i;
        }
    }
    if (at == 0)
        return 0;
    double N = weight_of(p, n), H1 = entropy(p, at, K, &c1), H2 = entropy(p + at, n - at, K, &c2);
    double gain = H - best / N, delta = log2(pow(3, c) - 2) - (c * H - c1 * H1 - c2 * H2);
    if (!(N > 2 && gain > log2(N - 1) / N + delta / N))
        return 0;
    size_t left = brute_mdlp(edge, p, at, K);
    edge[left] = (p[at - 1].x + p[at].x) / 2;
    return left + 1 + brute_mdlp(edge + left + 1, p + at, n - at, K);
}

static void mdlp__is_fayyad_and_irani(void **state) {
    (void)state;
    rng r = rng_new(5);
    size_t cuts = 0, none = 0;
    for (int world = 0; world < 150; world++) {
        size_t n = 20 + rng_below(&r, 200), K = 2 + rng_below(&r, 4);
        ilk_point p[256];
        double edge[256];
        ilk_wish wish = {.kind = ILK_WISH_MDLP};
        ilk_learnt out;
        for (size_t i = 0; i < n; i++) {
            static const double weights[] = {0.1, 1, 3.7, 40};
            double w = world % 2 ? weights[rng_below(&r, 4)] : 1;
            p[i] = (ilk_point){.w = w, .k = (uint32_t)rng_below(&r, K)};
            p[i].x = round(4 * (rng_normal(&r) + (world % 3 ? 2.0 * p[i].k : 0))) / 4; /* with ties */
        }
        qsort(p, n, sizeof *p, by_x);
        size_t expected = brute_mdlp(edge, p, n, K);
        assert_ok(ilk_transform_learn(&out, &wish, p, n, K, false, &failure));
        assert_int_equal(out.transform.edges, expected);
        for (size_t i = 0; i < expected; i++)
            assert_true(out.edge[i] == edge[i]);
        cuts += expected;
        none += expected == 0;
        ilk_learnt_free(&out);
    }
    assert_true(cuts > 150 && none > 20); /* both happen */
}

/* Weights are repetition for everything that is learnt. */
static void weights__are_repetition_for_transforms(void **state) {
    (void)state;
    rng r = rng_new(6);
    static const char *const specs[] = {"mdlp", "quantile:4", "bins:3"};
    for (int world = 0; world < 30; world++) {
        ilk_point p[60], q[240];
        size_t m = 0;
        for (size_t i = 0; i < 60; i++) {
            uint32_t k = (uint32_t)rng_below(&r, 3);
            p[i] = (ilk_point){exp(rng_normal(&r) + k), (double)(1 + rng_below(&r, 4)), k};
            for (double w = 0; w < p[i].w; w++)
                q[m++] = (ilk_point){p[i].x, 1, k};
        }
        double one, other;
        assert_ok(ilk_lambda_learn(&one, ILK_BOX_COX, p, 60, 3, world % 2));
        assert_ok(ilk_lambda_learn(&other, ILK_BOX_COX, q, m, 3, world % 2));
        assert_close(one, other, 1e-5);
        for (size_t s = 0; s < 3; s++) {
            ilk_wish wish;
            ilk_learnt a, b;
            assert_ok(ilk_wish_bins(&wish, str(specs[s]), &failure));
            assert_ok(ilk_transform_learn(&a, &wish, p, 60, 3, false, &failure));
            assert_ok(ilk_transform_learn(&b, &wish, q, m, 3, false, &failure));
            assert_true(ilk_transform_same(&a.transform, &b.transform));
            ilk_learnt_free(&a);
            ilk_learnt_free(&b);
        }
    }
}

/* ---- learning lambda: tests/golden/power_cases.py says what the lines of power.txt are */

typedef struct power_case {
    char name[32], kind[32], how[16];
    double lambda;
    size_t n;
    ilk_point p[256];
    double l[256], y[256], per_class[16];
} power_case;

static bool next_case(power_case *c, FILE *f) {
    char line[512];
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "case %31s %31s %15s %lf %zu", c->name, c->kind, c->how, &c->lambda, &c->n) == 5)
            break;
    if (feof(f))
        return false;
    assert_in_range(c->n, 1, 256);
    for (size_t i = 0; i < c->n; i++) {
        c->p[i].w = 1;
        assert_int_equal(fscanf(f, "%u %lf ", &c->p[i].k, &c->p[i].x), 2);
    }
    return true;
}

static void lambda__is_scikit_learns_and_its_likelihood_scipys(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s/power.txt", golden_folder());
    FILE *f = fopen(path, "r");
    power_case c;
    size_t cases = 0;
    assert_non_null(f);
    for (; next_case(&c, f); cases++) {
        ilk_transform_kind kind = *c.kind == 'b' ? ILK_BOX_COX : ILK_YEO_JOHNSON;
        bool shared = strcmp(c.how, "shared") == 0;
        double lambda, at, expected;
        assert_ok(ilk_lambda_learn(&lambda, kind, c.p, c.n, 3, shared));
        if (fabs(lambda - c.lambda) > 2e-5) /* their search stops earlier than ours */
            fail_msg("%s %s %s: lambda %.9g, expected %.9g", c.name, c.kind, c.how, lambda, c.lambda);
        for (size_t i = 0; i < c.n; i++)
            c.l[i] = ilk_lambda_log(kind, c.p[i].x);
        assert_int_equal(fscanf(f, "at"), 0);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(fscanf(f, "%lf %lf", &at, &expected), 2);
            assert_close(ilk_lambda_likelihood(kind, at, c.l, c.p, c.n, 3, shared, c.y, c.per_class), expected, 1e-10);
        }
    }
    fclose(f);
    assert_int_equal(cases, 24);
}

/* lambda is the best in a neighbourhood, also where classes are of one row or do not vary. */
static void lambda__is_a_peak(void **state) {
    (void)state;
    rng r = rng_new(7);
    for (int world = 0; world < 60; world++) {
        ilk_transform_kind kind = world % 2 ? ILK_BOX_COX : ILK_YEO_JOHNSON;
        ilk_point p[80];
        double l[80], y[80], per_class[12], lambda;
        bool shared = world % 4 < 2;
        for (size_t i = 0; i < 80; i++) {
            uint32_t k = i == 0 ? 3 : (uint32_t)rng_below(&r, 3);
            p[i] = (ilk_point){k == 2 && world % 3 == 0 ? 7 : exp(rng_normal(&r) + k), rng_unit(&r) + 0.1, k};
        }
        assert_ok(ilk_lambda_learn(&lambda, kind, p, 80, 4, shared));
        for (size_t i = 0; i < 80; i++)
            l[i] = ilk_lambda_log(kind, p[i].x);
        double best = ilk_lambda_likelihood(kind, lambda, l, p, 80, 4, shared, y, per_class);
        assert_true(isfinite(best) && fabs(lambda) <= 5);
        for (int i = 1; i < 200; i++)
            assert_true(best >= ilk_lambda_likelihood(kind, lambda + 0.01 * (i % 2 ? i : -i) / 4, l, p, 80, 4, shared,
                                                      y, per_class) -
                                    1e-6);
    }
}

/* Huge and tiny units change nothing for Box-Cox: it is computed of x over its geometric mean. */
static void lambda__does_not_depend_on_units(void **state) {
    (void)state;
    static const double units[] = {1e-150, 1e-3, 1e6, 1e150};
    rng r = rng_new(8);
    ilk_point p[100], q[100];
    double lambda, other;
    for (size_t i = 0; i < 100; i++)
        p[i] = (ilk_point){pow(3 + rng_unit(&r) + rng_unit(&r), 2), 1, 0};
    assert_ok(ilk_lambda_learn(&lambda, ILK_BOX_COX, p, 100, 1, false));
    for (size_t u = 0; u < 4; u++) {
        memcpy(q, p, sizeof q);
        for (size_t i = 0; i < 100; i++)
            q[i].x *= units[u];
        assert_ok(ilk_lambda_learn(&other, ILK_BOX_COX, q, 100, 1, false));
        assert_close(lambda, other, 3e-6);
    }
}

/* ---- models of transformed columns */

static const char *const skewed =
    "0.3,-2,a\n0.9,0.5,a\n1.4,1,a\n4,3,a\n2,0.7,a\n3,4,b\n8,9,b\n20,3,b\n6,30,b\n11,8,b\n";
static const char *const bent = "u:gaussian/boxcox@0 v:gaussian-shared/yeo-johnson@0.4 y";

/* log p(x, y) is that of the transformed numbers plus log dy/dx; posteriors are the same. */
static void density__has_the_slope_in_it(void **state) {
    (void)state;
    table t = table_of(skewed), plain = table_of(skewed);
    const ilk_transform of_u = power(ILK_BOX_COX, 0), of_v = power(ILK_YEO_JOHNSON, 0.4);
    static char cells[20][32];
    for (size_t i = 0; i < t.n; i++) {
        plain.cell[i * 3] = cells[2 * i];
        plain.cell[i * 3 + 1] = cells[2 * i + 1];
        sprintf(cells[2 * i], "%.17g", ilk_transform_apply(&of_u, strtod(t.cell[i * 3], NULL)));
        sprintf(cells[2 * i + 1], "%.17g", ilk_transform_apply(&of_v, strtod(t.cell[i * 3 + 1], NULL)));
    }
    ilk_stats *s = stats_of(bent, &t), *q = stats_of("u:gaussian v:gaussian-shared y", &plain);
    ilk_model *m = estimated(s, NULL), *n = estimated(q, NULL);
    double *x = log_joints(m, &t), *y = log_joints(n, &plain);
    for (size_t i = 0; i < t.n; i++) {
        double slope = ilk_transform_log_slope(&of_u, strtod(t.cell[i * 3], NULL)) +
                       ilk_transform_log_slope(&of_v, strtod(t.cell[i * 3 + 1], NULL));
        for (size_t k = 0; k < 2; k++)
            assert_close(x[i * 2 + k], y[i * 2 + k] + slope, 1e-12);
    }
    free(x);
    free(y);
    ilk_model_free(m);
    ilk_model_free(n);
    ilk_stats_free(s);
    ilk_stats_free(q);
    table_free(&t);
    table_free(&plain);
}

/* The integral of p(x) over a fine grid: sinh spaces it so that tails are covered. */
static double integral(const ilk_model *m, bool positive) {
    enum { POINTS = 200001 };
    double *x = make(POINTS, sizeof *x), *log_p = make(POINTS, sizeof *log_p), sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double u = 30 * (2.0 * (double)i / (POINTS - 1) - 1);
        x[i] = positive ? exp(u) : sinh(u);
    }
    assert_ok(ilk_model_log_density(log_p, m, &(ilk_rows){.n = POINTS, .real = x}, &failure));
    for (size_t i = 1; i < POINTS; i++)
        sum += (exp(log_p[i - 1]) + exp(log_p[i])) / 2 * (x[i] - x[i - 1]);
    free(x);
    free(log_p);
    return sum;
}

static void density__integrates_to_one(void **state) {
    (void)state;
    static const char *const one[] = {"x:gaussian/boxcox@0 y",      "x:gaussian/yeo-johnson@0 y",
                                      "x:gaussian/yeo-johnson@2 y", "x:gaussian-shared/yeo-johnson@1.3 y",
                                      "x:gda/boxcox@0 y",           "x:qda/yeo-johnson@0.6 y",
                                      "x:gaussian/boxcox@0.1 y"};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        const char *rows = strstr(one[i], "@2") ? "-5,a\n-6,a\n-9,a\n-14,a\n-7,b\n-12,b\n-20,b\n-33,b\n"
                                                : "5,a\n6,a\n9,a\n14,a\n7,b\n12,b\n20,b\n33,b\n";
        ilk_model *m = model_of(one[i], rows, NULL);
        double sum = integral(m, strstr(one[i], "boxcox") != NULL);
        if (fabs(sum - 1) > 1e-5)
            fail_msg("%s: %g", one[i], sum);
        ilk_model_free(m);
    }
}

typedef struct draws {
    double x[4000];
    size_t n;
    double log_p;
    const ilk_model *m;
} draws;

static ilk_status keep_draws(void *ctx, const ilk_rows *rows) {
    draws *d = ctx;
    for (size_t i = 0; i < rows->n; i++)
        d->x[d->n++] = rows->real[i];
    return ILK_OK;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Draws are raw numbers: their distribution function, by integrating p(x), is uniform. */
static void sample__gives_raw_numbers_of_the_density(void **state) {
    (void)state;
    static const char *const one[] = {"x:gaussian/boxcox@0 y", "x:gaussian/yeo-johnson@0.5 y", "x:gda/boxcox@0.4 y"};
    for (size_t i = 0; i < 3; i++) {
        ilk_model *m = model_of(one[i], "5,a\n6,a\n9,a\n14,a\n7,b\n12,b\n20,b\n33,b\n", NULL);
        draws *d = make(1, sizeof *d);
        assert_ok(ilk_model_sample(m, 4000, 3, keep_draws, d, &failure));
        qsort(d->x, 4000, sizeof *d->x, ascending);
        assert_true(isfinite(d->x[0]) && isfinite(d->x[3999]));
        double below = 0, worst = 0, log_p[2];
        for (size_t j = 1; j < 4000; j++) { /* between two draws there is little: one trapezium each */
            double pair[2] = {d->x[j - 1], d->x[j]};
            assert_ok(ilk_model_log_density(log_p, m, &(ilk_rows){.n = 2, .real = pair}, &failure));
            below += (exp(log_p[0]) + exp(log_p[1])) / 2 * (pair[1] - pair[0]);
            worst = fmax(worst, fabs(below - (double)j / 4000));
        }
        if (worst > 0.03) /* Kolmogorov: 1.63 / sqrt(4000) = 0.026 at one per cent; the seed is fixed */
            fail_msg("%s: %g", one[i], worst);
        free(d);
        ilk_model_free(m);
    }
}

typedef struct parts {
    double x[4], sum;
    size_t n;
} parts;

static ilk_status keep_part(void *ctx, const ilk_part *part) {
    parts *p = ctx;
    p->sum += part->contribution;
    if (part->column.n)
        p->x[p->n++] = part->x;
    return ILK_OK;
}

static void explain__shows_raw_numbers(void **state) {
    (void)state;
    table t = table_of(skewed);
    ilk_model *m = model_of(bent, skewed, NULL);
    batch b = batch_for_model(m, &t);
    double *x = log_joints(m, &t);
    parts p = {0};
    assert_ok(ilk_model_explain(m, &b.rows, 7, 0, 1, keep_part, &p, &failure));
    assert_int_equal(p.n, 2);
    assert_true(p.x[0] == 20 && p.x[1] == 3);
    assert_close(p.sum, x[14] - x[15], 1e-10);
    free(x);
    batch_free(&b);
    ilk_model_free(m);
    table_free(&t);
}

/* A distance is that of what the family sees: chi-squared still tells outliers. */
static void outlier__goes_by_the_transformed_distance(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gaussian/boxcox@0 y", "1,a\n10,a\n100,a\n2,b\n20,b\n200,b\n", NULL);
    double x[] = {10, 1e9, 1e-9}, score[3], p[3];
    assert_ok(ilk_model_outlier(score, p, m, &(ilk_rows){.n = 3, .real = x}, 1, &failure));
    assert_true(p[0] > 0.5 && p[1] < 1e-3 && p[2] < 1e-3);
    ilk_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins__are_half_open),
        cmocka_unit_test(bins__have_names_that_people_read),
        cmocka_unit_test(transforms__are_told_in_words),
        cmocka_unit_test(bins__are_declared_and_take_no_other_value),
        cmocka_unit_test(powers__are_their_formulas),
        cmocka_unit_test(powers__have_slopes_and_inverses),
        cmocka_unit_test(powers__refuse_what_they_cannot_take),
        cmocka_unit_test(schema__refuses_transforms_that_are_not_possible),
        cmocka_unit_test(merge__names_the_first_transform_that_differs),
        cmocka_unit_test(edges__are_what_was_asked_for),
        cmocka_unit_test(wishes__that_mean_nothing_are_refused),
        cmocka_unit_test(mdlp__is_fayyad_and_irani),
        cmocka_unit_test(weights__are_repetition_for_transforms),
        cmocka_unit_test(lambda__is_scikit_learns_and_its_likelihood_scipys),
        cmocka_unit_test(lambda__is_a_peak),
        cmocka_unit_test(lambda__does_not_depend_on_units),
        cmocka_unit_test(density__has_the_slope_in_it),
        cmocka_unit_test(density__integrates_to_one),
        cmocka_unit_test(sample__gives_raw_numbers_of_the_density),
        cmocka_unit_test(explain__shows_raw_numbers),
        cmocka_unit_test(outlier__goes_by_the_transformed_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
