/* SPDX-License-Identifier: Apache-2.0 */
/* Leave-one-out is retraining without the row, by brute force: every family, mixed models, weights, missing values.
 *
 * All categories and words are declared, so that a model learnt from fewer rows has the same dictionary: that, alpha,
 * the floors and the strength of shrinkage are what leave-one-out holds fixed. */
#include "families/family.h"
#include "fixtures.h"

enum { N = 40, K = 3, REALS = 3, CODES = 2, VALUES = 3, WORDS = 6 };

/* How texts are weighed: counts below are in its units. */
static ilk_tokenizer tokenizer = {.kind = ILK_WORDS, .ngram_min = 1, .ngram_max = 1};

/* Random rows of every kind. */
typedef struct sample_rows {
    double real[N * REALS], weight[N];
    uint32_t code[N * CODES], label[N], id[N * WORDS], count[N * WORDS];
    size_t begin[N + 1];
    bool missing[N];
    ilk_tokens bags;
} sample_rows;

static double weight_unit = 1;
static bool common_word; /* the first is in every text */
static bool bare_class;  /* the last class has no number in the first column */
static double real_unit = 1;
static bool mean_held; /* retrained is with the row in the last class, which is not looked at */

typedef bool (*test_of)(double x); /* ilk_family.accepts */

/* A number of class k in column j that a family takes: any, a count, or one from 1 on. */
static double real_of(rng *r, size_t k, size_t j, double common, test_of accepts) {
    double x = rng_normal(r) + 0.5 * common + (double)(k * j);
    if (accepts && !accepts(x))
        x = (double)rng_below(r, 5 + k);
    return accepts && !accepts(x) ? x + 1 : x;
}

static void fill(sample_rows *t, rng *r, bool missing, test_of accepts) {
    size_t used = 0;
    for (size_t i = 0; i < N; i++) {
        t->label[i] = (uint32_t)(i < 2 * K ? i % K : rng_below(r, K)); /* every class has at least two rows */
        t->weight[i] = (0.25 + rng_unit(r)) * weight_unit;
        double common = rng_normal(r);
        for (size_t j = 0; j < REALS; j++) {
            double x = real_of(r, t->label[i], j, common, accepts) * real_unit;
            bool bare = bare_class && j == 0 && t->label[i] == K - 1;
            t->real[i * REALS + j] = bare || (missing && i >= 2 * K && rng_below(r, 6) == 0) ? NAN : x;
        }
        for (size_t j = 0; j < CODES; j++)
            t->code[i * CODES + j] = missing && rng_below(r, 6) == 0 ? ILK_MISSING : (uint32_t)rng_below(r, VALUES);
        t->begin[i] = used;
        for (uint32_t w = 0; w < WORDS; w++) {
            if (rng_below(r, 2) && !(common_word && w == 0))
                continue;
            t->id[used] = w;
            t->count[used++] = (uint32_t)((1 + (double)rng_below(r, 3)) / ilk_tokenizer_unit(&tokenizer));
        }
        t->missing[i] = missing && i % 6 == 5;
        used = t->missing[i] ? t->begin[i] : used;
    }
    t->begin[N] = used;
    t->bags = (ilk_tokens){t->begin, t->id, t->count, t->missing};
}

static ilk_schema *build_schema(const char *const *families, size_t n) {
    ilk_schema *s;
    assert_ok(ilk_schema_new(&s, &failure));
    for (size_t f = 0; f < n; f++) {
        double edge[MOST_EDGES];
        char family[64];
        snprintf(family, sizeof family, "%s", families[f]);
        ilk_column c = transformed_column("", 0, family, edge);
        size_t columns = c.kind == ILK_REAL ? REALS : c.kind == ILK_CATEGORY ? CODES : 1;
        for (size_t j = 0; j < columns; j++) {
            char name[sizeof family + 24];
            snprintf(name, sizeof name, "%s%zu", family, j);
            c.name = str(name);
            c.tokenizer = tokenizer;
            assert_ok(ilk_schema_add(s, &c, &failure));
        }
    }
    return s;
}

/* Three bins sort as their edges do, so they have the codes that p, q and r have. */
static bool has_bins(const ilk_schema *schema) {
    for (size_t j = 0; j < ilk_schema_columns(schema); j++)
        if (ilk_schema_column(schema, j)->transform.kind == ILK_BINS)
            return true;
    return false;
}

/* Statistics of all rows but `gone` (N: of all). Classes and keys get the same ids in every one. */
static ilk_stats *learn_all_but(const ilk_schema *schema, const sample_rows *t, bool weighted, size_t gone) {
    ilk_stats *s;
    uint32_t id;
    assert_ok(ilk_stats_new(&s, schema, &failure));
    for (int k = 0; k < K; k++)
        assert_ok(ilk_stats_class(&id, s, (ilk_str){&"abc"[k], 1}, &failure));
    for (size_t j = 0; j < ilk_schema_width(schema, ILK_CATEGORY); j++)
        for (int v = 0; v < VALUES && !has_bins(schema); v++)
            assert_ok(ilk_stats_declare(&id, s, ILK_CATEGORY, j, (ilk_str){&"pqr"[v], 1}, &failure));
    for (int w = 0; w < WORDS && ilk_schema_width(schema, ILK_TEXT); w++)
        assert_ok(ilk_stats_declare(&id, s, ILK_TEXT, 0, (ilk_str){&"uvwxyz"[w], 1}, &failure));
    const uint32_t last = K - 1;
    for (size_t i = 0; i < N; i++) {
        if (i == gone && !mean_held)
            continue;
        uint32_t code[CODES];
        for (size_t j = 0; j < CODES; j++) /* ids of a dictionary that several columns share */
            code[j] =
                t->code[i * CODES + j] == ILK_MISSING ? ILK_MISSING : t->code[i * CODES + j] + (uint32_t)j * VALUES;
        ilk_tokens bag = {t->begin + i, t->id, t->count, t->missing + i};
        ilk_rows row = {.n = 1,
                        .real = t->real + i * REALS,
                        .code = code,
                        .text = &bag,
                        .label = i == gone ? &last : t->label + i,
                        .weight = weighted ? t->weight + i : NULL};
        assert_ok(ilk_stats_add(s, &row, &failure));
    }
    return s;
}

/* The rows as a model knows them: the dictionaries are sorted, and so are the ids here. */
static ilk_rows rows_of(const sample_rows *t, uint32_t *code, bool weighted) {
    for (size_t i = 0; i < N * CODES; i++)
        code[i] = t->code[i] == ILK_MISSING ? ILK_MISSING : t->code[i] + (uint32_t)(i % CODES) * VALUES;
    return (ilk_rows){.n = N,
                      .real = t->real,
                      .code = code,
                      .text = &t->bags,
                      .label = t->label,
                      .weight = weighted ? t->weight : NULL};
}

static void check(const char *const *families, size_t n, ilk_options o, rng *r, bool weighted, bool missing,
                  test_of accepts) {
    sample_rows t;
    uint32_t code[N * CODES];
    double without[N * K], again[N * K];
    fill(&t, r, missing, accepts);
    ilk_schema *schema = build_schema(families, n);
    ilk_stats *all = learn_all_but(schema, &t, weighted, N);
    ilk_model *model;
    ilk_rows rows = rows_of(&t, code, weighted);
    assert_ok(ilk_model_estimate(&model, all, &o, &failure));
    assert_ok(ilk_model_leave_one_out(without, model, &rows, &failure));
    size_t seen = mean_held ? K - 1 : K;
    for (size_t i = 0; i < N; i++) {
        if (t.label[i] >= seen)
            continue;
        ilk_stats *rest = learn_all_but(schema, &t, weighted, i);
        ilk_model *fresh;
        assert_ok(ilk_model_estimate(&fresh, rest, &o, &failure));
        assert_ok(ilk_model_log_joint(again, fresh, &rows, &failure));
        for (size_t k = 0; k < seen; k++)
            if (!is_close(without[i * K + k], again[i * K + k], 1e-9))
                fail_msg("%s, row %zu of class %u, class %zu: %.17g, retrained %.17g", families[0], i, t.label[i], k,
                         without[i * K + k], again[i * K + k]);
        ilk_model_free(fresh);
        ilk_stats_free(rest);
    }
    ilk_model_free(model);
    ilk_stats_free(all);
    ilk_schema_free(schema);
}

static void leave_one_out__is_retraining_without_the_row(void **state) {
    (void)state;
    rng r = rng_new(1);
    ilk_family_info info;
    for (size_t f = 0; ilk_family_at(f, &info); f++) {
        ilk_options o;
        ilk_options_init(&o);
        o.floor = 0; /* it would be taken from fewer rows */
        test_of accepts = ilk_family_find(info.name)->accepts;
        o.smooth = accepts ? 0 : 0.5; /* so would the target of counts */
        for (int way = 0; way < 8; way++) {
            o.unseen = way & 4 ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
            check(&info.name, 1, o, &r, way & 1, way & 2, accepts);
        }
    }
}

/* Rates are smoothed towards the mean over all rows, which is held: so the row moves to a class that is not looked at,
 * and the prior is not the rows'. */
static void leave_one_out__holds_for_smoothed_rates(void **state) {
    (void)state;
    rng r = rng_new(7);
    static const char *const counts[] = {"poisson", "negative-binomial"};
    static const double alpha[] = {0.01, 0.5, 1, 20};
    mean_held = true;
    for (size_t f = 0; f < 2; f++)
        for (size_t a = 0; a < 4; a++)
            for (int way = 0; way < 4; way++) {
                ilk_options o = options_of(alpha[a]);
                o.prior = ILK_PRIOR_UNIFORM;
                o.divisor = (ilk_divisor)(a % 3);
                check(&counts[f], 1, o, &r, way & 1, way & 2, ilk_family_find(counts[f])->accepts);
            }
    mean_held = false;
}

static void leave_one_out__holds_for_mixed_models_priors_and_divisors(void **state) {
    (void)state;
    rng r = rng_new(2);
    static const char *const mixes[][3] = {{"gaussian", "categorical", "multinomial"},
                                           {"gda", "table", "bernoulli"},
                                           {"qda", "categorical", "complement"}};
    for (size_t m = 0; m < 3; m++) {
        for (int p = 0; p <= ILK_PRIOR_GIVEN; p++) {
            const ilk_given some = {{"b", 1}, .2}; /* a and c share what is left, by their rows */
            ilk_options o;
            ilk_options_init(&o);
            o.floor = 0;
            o.prior = (ilk_prior)p;
            o.given = p == ILK_PRIOR_GIVEN ? &some : NULL;
            o.givens = p == ILK_PRIOR_GIVEN;
            o.divisor = (ilk_divisor)(p % 3);
            check(mixes[m], 3, o, &r, (p + (int)m) % 2, true, NULL);
        }
    }
}

/* B's row is all but all that has no given prior; without it the rest is C's, whose own weight is lost beside it. */
static void leave_one_out__of_a_heavy_row_leaves_the_share_to_the_light(void **state) {
    (void)state;
    ilk_stats *s = stats_of("x:categorical w:* y", NULL);
    table t = table_of("u,1e10,A\nu,1e10,B\nu,1e-8,C\nu,1e10,A\n");
    const ilk_given a = {{"A", 1}, 0.5};
    ilk_options o = options_of(0);
    o.prior = ILK_PRIOR_GIVEN;
    o.given = &a;
    o.givens = 1;
    assert_ok(try_learn(s, &t, false));
    ilk_model *m = estimated(s, &o);
    batch b = batch_for_model(m, &t);
    double out[12];
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_true(out[3 + 1] == -INFINITY); /* the second row under B */
    assert_close(out[3 + 2], log(0.5), 1e-12);
    assert_close(out[3], log(0.5), 1e-12);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* What has no given prior is shared by the rows that are left. */
static void leave_one_out__shares_what_priors_leave_by_the_other_rows(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:categorical y", "u,A\nu,A\nu,B\nu,B\nu,B\nu,C\n");
    const ilk_given a = {{"A", 1}, 0.25};
    ilk_options o = options_of(0);
    o.prior = ILK_PRIOR_GIVEN;
    o.given = &a;
    o.givens = 1;
    ilk_model *m = estimated(s, &o);
    double out[3];
    leave_out(out, m, "u,B\n");
    assert_close(out[0], log(0.25), 1e-12);
    assert_close(out[1], log(0.75 * 2 / 3), 1e-12);
    assert_close(out[2], log(0.75 * 1 / 3), 1e-12);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* The target of shrinkage, the variances, is learnt without the row, too. */
static void leave_one_out__holds_for_shrinkage(void **state) {
    (void)state;
    rng r = rng_new(6);
    static const char *const full[] = {"gda", "qda"};
    static const double shrink[] = {0.01, 0.4, 1};
    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < 3; i++)
            for (int way = 0; way < 4; way++) {
                ilk_options o = options_of(1);
                o.floor = 0;
                o.shrink = shrink[i];
                o.divisor = (ilk_divisor)i;
                check(&full[f], 1, o, &r, way & 1, way & 2, NULL);
            }
}

/* Bins and lambda are held fixed: they are part of the schema. */
static void leave_one_out__holds_for_transformed_columns(void **state) {
    (void)state;
    rng r = rng_new(4);
    static const char *const mixes[][2] = {{"gaussian/yeo-johnson@0.3", "categorical/bins@1,2"},
                                           {"gda/yeo-johnson@1.7", "table/bins@-5,5"},
                                           {"qda/yeo-johnson@2", "categorical/bins@0,0.5"},
                                           {"gaussian-shared/yeo-johnson@0", "table/bins@1,2"}};
    for (size_t m = 0; m < 4; m++) {
        for (int way = 0; way < 4; way++) {
            ilk_options o;
            ilk_options_init(&o);
            o.floor = 0;
            check(mixes[m], 2, o, &r, way & 1, way & 2, NULL);
        }
    }
}

static void leave_one_out__holds_without_smoothing_where_zeros_stay_zeros(void **state) {
    (void)state;
    rng r = rng_new(3);
    static const char *const discrete[] = {"categorical", "multinomial", "bernoulli", "table"};
    for (size_t f = 0; f < 4; f++) {
        ilk_options o;
        ilk_options_init(&o);
        o.smooth = 0;
        check(&discrete[f], 1, o, &r, false, false, NULL);
        check(&discrete[f], 1, o, &r, true, false, NULL);
    }
}

/* Logarithms of words are taken of products, which must not leave the doubles. */
static void leave_one_out__holds_for_any_smoothing(void **state) {
    (void)state;
    rng r = rng_new(6);
    static const char *const family = "multinomial";
    static const double smooth[] = {1e99, 1e50, 1e-50, 1e-99, 1e-200};
    for (size_t a = 0; a < sizeof smooth / sizeof *smooth; a++) {
        check(&family, 1, options_of(smooth[a]), &r, false, false, NULL);
        check(&family, 1, options_of(smooth[a]), &r, true, false, NULL);
    }
}

/* Of a class all of whose texts have a word, a text without it is impossible, and its absence is in no sum. */
static void leave_one_out__holds_for_a_word_of_all_texts(void **state) {
    (void)state;
    rng r = rng_new(5);
    static const char *const family = "bernoulli";
    common_word = true;
    for (int way = 0; way < 4; way++) {
        ilk_options o = options_of(way & 1 ? 0.5 : 0);
        check(&family, 1, o, &r, way & 2, false, NULL);
    }
    common_word = false;
}

/* Weights may be in any unit: those of ten rows together below a hundred-thousandth here. */
static void leave_one_out__holds_for_tiny_weights(void **state) {
    (void)state;
    rng r = rng_new(4);
    static const char *const discrete[] = {"categorical", "multinomial", "bernoulli", "table"};
    for (size_t f = 0; f < 4; f++)
        for (int smooth = 0; smooth < 2; smooth++) {
            ilk_options o;
            ilk_options_init(&o);
            o.smooth = smooth * 0x1p-20;
            weight_unit = 0x1p-21;
            check(&discrete[f], 1, o, &r, true, false, NULL);
            weight_unit = 1;
        }
    static const char *const normal[] = {"gaussian", "gaussian-shared"};
    for (size_t f = 0; f < 2; f++) {
        ilk_options o;
        ilk_options_init(&o);
        o.floor = 0;
        weight_unit = 0x1p-21;
        check(&normal[f], 1, o, &r, true, true, NULL);
        weight_unit = 1;
    }
}

static void leave_one_out__holds_for_weighed_words(void **state) {
    (void)state;
    rng r = rng_new(4);
    static const char *const texts[] = {"multinomial", "bernoulli", "complement"};
    tokenizer.unit_length = true;
    for (size_t f = 0; f < 3; f++) {
        ilk_options o = options_of(0.5);
        check(&texts[f], 1, o, &r, false, false, NULL);
        check(&texts[f], 1, o, &r, true, true, NULL);
    }
    tokenizer.unit_length = false;
}

/* Class a has two rows, but a value in the second column in only one of them: without it that column is impossible. */
static void leave_one_out__of_the_only_value_of_a_column_leaves_nothing(void **state) {
    (void)state;
    static const char *const families[] = {"poisson", "negative-binomial", "categorical", "table"};
    for (size_t f = 0; f < 4; f++) {
        char columns[64];
        snprintf(columns, sizeof columns, "x:%s z:%s y", families[f], families[f]);
        ilk_options o = options_of(0);
        table t = table_of("1,2,a\n3,,a\n1,2,b\n3,4,b\n2,3,b\n3,2,b\n");
        ilk_stats *s = stats_of(columns, &t);
        ilk_model *m = estimated(s, &o);
        batch b = batch_for_model(m, &t);
        double out[12];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        if (!(out[0] == -INFINITY && !isnan(out[1]) && out[1] < INFINITY))
            fail_msg("%s: %g and %g", families[f], out[0], out[1]);
        batch_free(&b);
        ilk_model_free(m);
        ilk_stats_free(s);
        table_free(&t);
    }
}

/* A row that counts nothing has left nothing behind: it is answered as any other, by every family. */
static void leave_one_out__of_a_row_of_weight_0_takes_nothing_away(void **state) {
    (void)state;
    rng r = rng_new(6);
    ilk_family_info info;
    for (size_t f = 0; ilk_family_at(f, &info); f++) {
        sample_rows t;
        uint32_t code[N * CODES];
        double plain[N * K], without[N * K];
        fill(&t, &r, true, ilk_family_find(info.name)->accepts);
        memset(t.weight, 0, sizeof t.weight);
        ilk_schema *schema = build_schema(&info.name, 1);
        ilk_stats *s = learn_all_but(schema, &t, false, N);
        ilk_model *m = estimated(s, NULL);
        ilk_rows rows = rows_of(&t, code, true);
        assert_ok(ilk_model_log_joint(plain, m, &rows, &failure));
        assert_ok(ilk_model_leave_one_out(without, m, &rows, &failure));
        for (size_t i = 0; i < N * K; i++)
            if (!is_close(without[i], plain[i], 1e-12))
                fail_msg("%s, row %zu: %.17g, %.17g", info.name, i / K, without[i], plain[i]);
        ilk_model_free(m);
        ilk_stats_free(s);
        ilk_schema_free(schema);
    }
}

/* A class that borrows a column from all rows does so without the row that is left out, whosever that is. */
static void leave_one_out__holds_for_a_class_that_has_no_value(void **state) {
    (void)state;
    rng r = rng_new(6);
    static const char *const families[] = {"gaussian", "gaussian-shared", "gaussian/yeo-johnson@0.3"};
    static const double units[] = {1, 1e-3, 1e250};
    bare_class = true;
    for (size_t f = 0; f < 3; f++)
        for (int way = 0; way < 36; way++) {
            ilk_options o;
            ilk_options_init(&o);
            o.floor = 0;
            o.divisor = (ilk_divisor)(way / 4 % 3);
            real_unit = f < 2 ? units[way / 12] : 1; /* a power has a unit of its own */
            check(&families[f], 1, o, &r, way & 1, way & 2, NULL);
        }
    real_unit = 1;
    weight_unit = 0x1p-21;
    for (size_t f = 0; f < 2; f++) {
        ilk_options o;
        ilk_options_init(&o);
        o.floor = 0;
        check(&families[f], 1, o, &r, true, false, NULL);
    }
    weight_unit = 1;
    bare_class = false;
}

/* Without its row, all that is left of z is 3, and without a floor that leaves no variance to any class. */
static void leave_one_out__of_all_that_varies_is_impossible(void **state) {
    (void)state;
    ilk_options o;
    ilk_options_init(&o);
    o.floor = 0;
    ilk_model *m = model_of("x:gaussian z:gaussian y", "1,5,a\n2,3,a\n4,3,a\n3,,b\n6,,b\n5,,b\n", &o);
    double out[2];
    leave_out(out, m, "1,5,a\n");
    assert_true(out[0] == -INFINITY && out[1] == -INFINITY);
    ilk_model_free(m);
}

/* What is left beside it is less than rounding leaves of it: no class is known to have a share. */
static void leave_one_out__of_all_the_weight_is_impossible(void **state) {
    (void)state;
    ilk_model *m = model_of("c:categorical w:* y", "u,1,a\nu,1e-18,b\nv,1e-18,b\n", NULL);
    double out[2];
    leave_out(out, m, "u,1,a\n");
    assert_true(out[0] == -INFINITY && out[1] == -INFINITY);
    ilk_model_free(m);
}

/* Without the first row, answered by closed form and by a model of the others. */
static void assert_first_left_out(const char *family, const char *first, const char *others) {
    char all[256], columns[64];
    snprintf(all, sizeof all, "%s%s", first, others);
    snprintf(columns, sizeof columns, "x:%s z:%s y", family, family);
    ilk_model *m = model_of(columns, all, NULL), *rest = model_of(columns, others, NULL);
    table t = table_of(first);
    batch b = batch_for_model(m, &t);
    double out[3], *again = log_joints(rest, &t);
    assert_in_range(ilk_model_classes(m), 2, 3);
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    for (size_t k = 0; k < ilk_model_classes(m); k++)
        if (!is_close(out[k], again[k], 1e-12))
            fail_msg("%s, class %zu: %.17g, retrained %.17g", family, k, out[k], again[k]);
    free(again);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
    ilk_model_free(rest);
}

static const char *const diagonal[] = {"gaussian", "gaussian-shared"};

/* Class a has one value of z, and borrows once that is gone. Floors, which stay as they are, are not met. */
static void leave_one_out__of_the_only_value_borrows_as_retraining_does(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++)
        assert_first_left_out(diagonal[f], "1,2,a\n", "3,,a\n4,,a\n1,2,b\n3,4,b\n2,3,b\n3,,c\n5,,c\n");
}

/* Of z, which never varies, there is nothing to borrow but what says nothing; and a class may have no value at all. */
static void leave_one_out__borrows_nothing_or_everything(void **state) {
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        assert_first_left_out(diagonal[f], "1,5,a\n", "2,5,a\n4,5,a\n3,,b\n6,,b\n5,,b\n");
        assert_first_left_out(diagonal[f], "1,5,a\n", "2,1,a\n4,3,a\n,,b\n,,b\n");
    }
}

/* A row of class a that lies among those of b, far away: with it nearly all of the shared scatter is gone, and the
 * covariance is factored anew. Under b, near whose mean it is, the determinant is what is seen. */
static void leave_one_out__of_nearly_all_the_scatter_is_retraining(void **state) {
    (void)state;
    const char *columns = "x:gda z:gda y";
    for (double far = 3e4; far <= 3e5; far *= 10) {
        char head[512] = "", rows[600];
        for (int i = 0; i < 8; i++) {
            static const double x[] = {3, 1, 2, 0, 5, 6, 3, 1}, z[] = {1, 4, 2, 1, 7, 1, 5, 3};
            size_t used = strlen(head);
            snprintf(head + used, sizeof head - used, "%.0f,%.0f,%s\n", x[i] + (i / 4) * far, z[i] + (i / 4) * 2 * far,
                     i < 4 ? "a" : "b");
        }
        snprintf(rows, sizeof rows, "%s%.0f,%.0f,a\n", head, far + 3, 2 * far + 4);
        table t = table_of(rows), last = table_part(&t, 8, 1);
        ilk_model *m = model_of(columns, rows, NULL), *rest = model_of(columns, head, NULL);
        batch b = batch_for_model(m, &last);
        double out[2], *again = log_joints(rest, &last);
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        printf("# %g away: %.10g, retrained %.10g\n", far, out[1], again[1]);
        assert_true(fabs(out[1] - again[1]) < 1e-3);
        free(again);
        batch_free(&b);
        ilk_model_free(m);
        ilk_model_free(rest);
        table_free(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_one_out__is_retraining_without_the_row),
        cmocka_unit_test(leave_one_out__holds_for_smoothed_rates),
        cmocka_unit_test(leave_one_out__holds_for_mixed_models_priors_and_divisors),
        cmocka_unit_test(leave_one_out__of_a_heavy_row_leaves_the_share_to_the_light),
        cmocka_unit_test(leave_one_out__shares_what_priors_leave_by_the_other_rows),
        cmocka_unit_test(leave_one_out__holds_for_shrinkage),
        cmocka_unit_test(leave_one_out__holds_for_transformed_columns),
        cmocka_unit_test(leave_one_out__holds_without_smoothing_where_zeros_stay_zeros),
        cmocka_unit_test(leave_one_out__holds_for_any_smoothing),
        cmocka_unit_test(leave_one_out__holds_for_a_word_of_all_texts),
        cmocka_unit_test(leave_one_out__holds_for_tiny_weights),
        cmocka_unit_test(leave_one_out__holds_for_weighed_words),
        cmocka_unit_test(leave_one_out__of_all_that_varies_is_impossible),
        cmocka_unit_test(leave_one_out__of_all_the_weight_is_impossible),
        cmocka_unit_test(leave_one_out__borrows_nothing_or_everything),
        cmocka_unit_test(leave_one_out__of_the_only_value_of_a_column_leaves_nothing),
        cmocka_unit_test(leave_one_out__of_a_row_of_weight_0_takes_nothing_away),
        cmocka_unit_test(leave_one_out__holds_for_a_class_that_has_no_value),
        cmocka_unit_test(leave_one_out__of_the_only_value_borrows_as_retraining_does),
        cmocka_unit_test(leave_one_out__of_nearly_all_the_scatter_is_retraining),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
