/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing from a model: what is estimated from many draws is the model again, for every family. Seeds are fixed and
 * printed, and bounds are 5 standard errors. */
#include "random_tables.h"

#include <float.h>

enum { DRAWS = 60000 };

/* ---- sampling, then estimating */

static char shown[3][64]; /* names of a fact, ended by NUL */

static const char *plain(size_t at, ilk_str s) {
    snprintf(shown[at], sizeof shown[at], "%.*s", (int)s.n, s.n ? s.p : "");
    return shown[at];
}

typedef struct comparison {
    const ilk_model *from, *again;
    size_t compared;
} comparison;

/* The variance or covariance of two columns in class k, of whichever Gaussian this is. */
static double spread(const ilk_model *m, const ilk_fact *f, const char *i, const char *j, const char *class) {
    if (strcmp(f->family, "gda") == 0 || strcmp(f->family, "qda") == 0)
        return fact(m, "Sigma", i, j, f->family[0] == 'g' ? "" : class).value;
    return fact(m, "variance", i, "", class).value;
}

/* The standard error of a parameter estimated from draws; NaN for what is not estimated. */
static double standard_error(const ilk_model *m, const ilk_fact *f, const ilk_fact *again, const char *class,
                             double n) {
    if (strcmp(f->quantity, "prior") == 0 || strcmp(f->quantity, "phi") == 0)
        return sqrt(f->value * (1 - f->value) / again->total);
    if (strcmp(f->quantity, "lambda") == 0 || strcmp(f->quantity, "length") == 0)
        return sqrt(f->value / n);
    if (strcmp(f->quantity, "mu") == 0)
        return sqrt(spread(m, f, plain(0, f->column), plain(0, f->column), class) / n);
    if (strcmp(f->quantity, "variance") == 0)
        return f->value * sqrt(2 / n);
    if (strcmp(f->quantity, "Sigma") != 0)
        return NAN;
    const char *i = plain(0, f->column), *j = plain(1, f->key);
    return sqrt((spread(m, f, i, i, class) * spread(m, f, j, j, class) + f->value * f->value) / n);
}

static ilk_status compare(void *ctx, const ilk_fact *f) {
    comparison *c = ctx;
    ilk_fact copy = *f; /* the walks below reuse the strings' place, not the strings */
    if (strcmp(f->quantity, "theta") == 0 || strcmp(f->quantity, "parameters") == 0 ||
        strcmp(f->quantity, "unseen") == 0) /* what smoothing gives, and what is learnt from draws has none */
        return ILK_OK;
    char column[64], key[64], class[64] = "";
    snprintf(column, sizeof column, "%s", plain(0, f->column));
    snprintf(key, sizeof key, "%s", plain(1, f->key));
    if (f->k != ILK_NONE)
        snprintf(class, sizeof class, "%s", plain(2, ilk_model_class_name(c->from, f->k)));
    ilk_fact again = fact(c->again, f->quantity, column, key, class);
    double n = *class ? fact(c->again, "prior", "", "", class).count : DRAWS;
    double se = standard_error(c->from, &copy, &again, class, n);
    if (!(fabs(again.value - copy.value) <= 5 * se))
        fail_msg("%s(%s, %s|%s): %g from draws, %g in the model, %.1f standard errors", copy.quantity, column, key,
                 class, again.value, copy.value, (again.value - copy.value) / se);
    c->compared++;
    return ILK_OK;
}

static void check_recovery(const char *columns, uint64_t seed) {
    rng r = rng_new(seed);
    ilk_options o = options_of(1), likelihood = options_of(0);
    ilk_model *from = random_model(&r, columns, &o);
    ilk_stats *draws = stats_of_draws(from, DRAWS, seed);
    ilk_model *again = estimated(draws, &likelihood);
    comparison c = {from, again, 0};
    assert_true(ilk_stats_rows(draws) == DRAWS);
    assert_ok(ilk_model_describe(from, compare, &c, &failure));
    assert_true(c.compared > CLASSES);
    ilk_model_free(from);
    ilk_model_free(again);
    ilk_stats_free(draws);
}

static void sample__then_estimate_recovers_every_gaussian(void **state) {
    (void)state;
    check_recovery("y i:gaussian j:gaussian", 1);
    check_recovery("y i:gaussian-shared j:gaussian-shared", 2);
    check_recovery("i:gda y j:gda k:gda", 3);
    check_recovery("i:qda j:qda y", 4);
}

static void sample__then_estimate_recovers_counts_and_categories(void **state) {
    (void)state;
    check_recovery("i:poisson j:poisson y", 5);
    check_recovery("i:categorical j:categorical y", 6);
    check_recovery("i:table j:table y", 7);
}

static void sample__then_estimate_recovers_the_event_models(void **state) {
    (void)state;
    check_recovery("t:multinomial y", 8);
    check_recovery("t:bernoulli y", 9);
}

static void sample__then_estimate_recovers_a_model_of_many_blocks(void **state) {
    (void)state;
    check_recovery("i:gaussian t:multinomial j:poisson c:categorical y k:gda u:bernoulli l:gaussian d:table m:gda "
                   "e:table",
                   10);
}

/* ---- the draws themselves */

/* All that comes, and how. */
typedef struct log_of_draws {
    const ilk_model *m;
    size_t n, largest, stop_after;
    double first[300]; /* the first real column */
    double tokens, squares, shortest;
    size_t unseen, impossible;
} log_of_draws;

static ilk_status write_log(void *ctx, const ilk_rows *rows) {
    log_of_draws *log = ctx;
    double density[256];
    log->largest = rows->n > log->largest ? rows->n : log->largest;
    assert_true(rows->n <= 256);
    assert_ok(ilk_model_log_density(density, log->m, rows, &failure));
    for (size_t i = 0; i < rows->n; i++) {
        log->impossible += isfinite(density[i]) ? 0 : 1;
        if (log->n + i < 300 && ilk_schema_width(ilk_model_schema(log->m), ILK_REAL))
            log->first[log->n + i] = rows->real[i * ilk_schema_width(ilk_model_schema(log->m), ILK_REAL)];
        if (!ilk_schema_width(ilk_model_schema(log->m), ILK_TEXT))
            continue;
        double length = 0;
        for (size_t w = rows->text->begin[i]; w < rows->text->begin[i + 1]; w++) {
            length += rows->text->count[w];
            log->unseen += rows->text->id[w] == ILK_UNSEEN ? rows->text->count[w] : 0;
        }
        log->tokens += length;
        log->squares += length * length;
        log->shortest = fmin(log->shortest, length);
    }
    log->n += rows->n;
    return log->stop_after && log->n >= log->stop_after ? ILK_ESTOP : ILK_OK;
}

static log_of_draws log_draws(const ilk_model *m, size_t n, uint64_t seed) {
    log_of_draws log = {.m = m, .shortest = INFINITY};
    assert_ok(ilk_model_sample(m, n, seed, write_log, &log, &failure));
    assert_int_equal(log.n, n);
    return log;
}

static void sample__depends_on_the_seed_alone_and_fewer_are_the_first_of_more(void **state) {
    (void)state;
    rng r = rng_new(11);
    ilk_model *m = random_model(&r, "i:gaussian c:categorical t:multinomial y", NULL);
    log_of_draws few = log_draws(m, 100, 5), many = log_draws(m, 300, 5);
    log_of_draws same = log_draws(m, 300, 5), other = log_draws(m, 300, 6);
    assert_int_equal(many.largest, 256);
    assert_memory_equal(few.first, many.first, 100 * sizeof *few.first);
    assert_memory_equal(same.first, many.first, sizeof same.first);
    for (size_t i = 0; i < 300; i++)
        assert_true(many.first[i] != other.first[i]);
    assert_int_equal(log_draws(m, 0, 1).n, 0);
    ilk_model_free(m);
}

static void sample__stops_where_the_callback_says(void **state) {
    (void)state;
    rng r = rng_new(12);
    ilk_model *m = random_model(&r, "i:gaussian y", NULL);
    log_of_draws log = {.m = m, .stop_after = 300};
    assert_fails(ILK_ESTOP, "stopped", ilk_model_sample(m, 10000, 1, write_log, &log, &failure));
    assert_int_equal(log.n, 512);
    ilk_model_free(m);
}

static void sample__is_refused_where_scores_are_no_probabilities(void **state) {
    (void)state;
    rng r = rng_new(13);
    ilk_model *m = random_model(&r, "t:complement i:gaussian y", NULL);
    assert_fails(ILK_EARG, "complement", ilk_model_sample(m, 1, 1, write_log, NULL, &failure));
    ilk_model_free(m);
}

/* Without smoothing what never occurred is never drawn, so every draw is possible. */
static void sample__never_draws_what_the_model_excludes(void **state) {
    (void)state;
    static const char *const schemas[] = {"c:categorical d:categorical y", "c:table d:table y", "t:multinomial y",
                                          "t:bernoulli y", "i:poisson y"};
    static const char *const tables[] = {"p,p,a\np,q,a\nq,p,b\nr,r,b\n", "p,p,a\np,q,a\nq,p,b\nr,r,b\n",
                                         "u v v,a\nu u,a\nw,b\nx w,b\n", "u v v,a\nu u,a\nw,b\nx w,b\n",
                                         "0,a\n0,a\n3,b\n4,b\n"};
    ilk_options o = options_of(0);
    for (size_t f = 0; f < 5; f++) {
        ilk_model *m = model_of(schemas[f], tables[f], &o);
        assert_int_equal(log_draws(m, 20000, f).impossible, 0);
        ilk_model_free(m);
    }
}

static void sample__leaves_columns_that_never_varied_as_they_were(void **state) {
    (void)state;
    static const char *const families[] = {"i:gaussian j:gaussian y", "i:gaussian-shared j:gaussian-shared y",
                                           "i:gda j:gda y", "i:qda j:qda y"};
    for (size_t f = 0; f < 4; f++) {
        ilk_model *m = model_of(families[f], "7,1,a\n7,2,a\n7,4,a\n7,2,b\n7,5,b\n7,6,b\n", NULL);
        log_of_draws log = log_draws(m, 300, f);
        for (size_t i = 0; i < 300; i++)
            assert_true(log.first[i] == 7);
        ilk_model_free(m);
    }
}

typedef struct drawn {
    double n[2], times[2][4]; /* by class: p, q, r, and one never seen */
    char first[25];           /* class and value of the first rows */
} drawn;

static ilk_status count_values(void *ctx, const ilk_rows *rows) {
    drawn *v = ctx;
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t code = rows->code[i] == ILK_UNSEEN ? 3 : rows->code[i], k = rows->label[i];
        assert_in_range(code, 0, 3);
        size_t used = strlen(v->first);
        if (used + 2 < sizeof v->first)
            snprintf(v->first + used, sizeof v->first - used, "%c%c", "ab"[k], "pqr?"[code]);
        v->n[k]++;
        v->times[k][code]++;
    }
    return ILK_OK;
}

/* Each value as often as the model says, also those it has never seen, where there is room for them. */
static void sample__of_categories_has_their_probabilities(void **state) {
    (void)state;
    static const double count[2][4] = {{3, 2, 1, 1}, {2, 2, 2, 1}}; /* with alpha = 1 */
    for (int round = 0; round < 4; round++) {
        bool unknown = round % 2;
        ilk_options o = options_of(1);
        o.unseen = unknown ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = model_of(round < 2 ? "c:categorical y" : "c:table y", "p,a\np,a\nq,a\np,b\nq,b\nr,b\n", &o);
        drawn v = {0};
        assert_ok(ilk_model_sample(m, DRAWS, 21, count_values, &v, &failure));
        for (size_t k = 0; k < 2; k++)
            for (size_t c = 0; c < 4; c++) {
                double p = c == 3 && !unknown ? 0 : count[k][c] / (6 + unknown);
                assert_true(fabs(v.times[k][c] / v.n[k] - p) <= 5 * sqrt(p * (1 - p) / v.n[k]));
            }
        ilk_model_free(m);
    }
}

/* A seed stands for its rows: they stay what they are from version to version. */
static void sample__of_a_seed_stays_the_same(void **state) {
    (void)state;
    ilk_model *m = model_of("c:categorical y", "p,a\np,a\nq,a\np,b\nq,b\nr,b\n", NULL);
    drawn v = {0};
    assert_ok(ilk_model_sample(m, 12, 21, count_values, &v, &failure));
    assert_string_equal(v.first, "aqbpbpbqbpaqbraqbqapaqbq");
    ilk_model_free(m);
}

/* Two columns of three values, four combinations seen. Those never seen have alpha each: 5 / (4 + 9) of class a. */
typedef struct combinations {
    double seen, unseen[9];
} combinations;

static ilk_status count_combinations(void *ctx, const ilk_rows *rows) {
    combinations *c = ctx;
    for (size_t i = 0; i < rows->n; i++) {
        size_t at = rows->code[2 * i] * 3 + (rows->code[2 * i + 1] - 3);
        bool seen = at == 0 || at == 1 || at == 3 || at == 8; /* pp, pq, qp, rr */
        c->seen += seen;
        c->unseen[at] += !seen;
    }
    return ILK_OK;
}

static void table__shares_what_smoothing_gives_among_all_combinations_never_seen(void **state) {
    (void)state;
    ilk_model *m = model_of("c:table d:table y", "p,p,a\np,q,a\nq,p,a\nr,r,a\np,p,b\np,q,b\nq,p,b\nr,r,b\n", NULL);
    combinations c = {0};
    printf("# seed 14\n");
    assert_ok(ilk_model_sample(m, DRAWS, 14, count_combinations, &c, &failure));
    assert_true(fabs(c.seen / DRAWS - 8 / 13.0) < 5 * sqrt(40 / 169.0 / DRAWS));
    for (size_t at = 0; at < 9; at++)
        if (at != 0 && at != 1 && at != 3 && at != 8)
            assert_true(fabs(c.unseen[at] / DRAWS - 1 / 13.0) < 5 * sqrt(12 / 169.0 / DRAWS));
    ilk_model_free(m);
}

/* Values with commas and backslashes come back as the codes they are. */
static void table__reads_its_own_keys(void **state) {
    (void)state;
    static const char *const odd[] = {"a,b", "c\\", "\\,", "d"};
    ilk_schema *schema = schema_of("c:table d:table y");
    ilk_stats *s;
    ilk_model *m;
    assert_ok(ilk_stats_new(&s, schema, &failure));
    for (size_t i = 0; i < 4; i++) {
        uint32_t code[2], label;
        assert_ok(ilk_stats_class(&label, s, str(i < 2 ? "a" : "b"), &failure));
        for (size_t j = 0; j < 2; j++)
            assert_ok(ilk_stats_code(&code[j], s, j, str(odd[(i + j) % 4]), &failure));
        assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 1, .code = code, .label = &label}, &failure));
    }
    ilk_options o = options_of(0);
    assert_ok(ilk_model_estimate(&m, s, &o, &failure));
    assert_int_equal(log_draws(m, 1000, 1).impossible, 0);
    ilk_model_free(m);
    ilk_stats_free(s);
    ilk_schema_free(schema);
}

/* ---- documents */

static void documents__have_poisson_lengths_of_at_least_one(void **state) {
    (void)state;
    ilk_model *m = model_of("t:multinomial y", "u v w x u v w x u,a\nu v w,a\nu u u v v w,b\n", NULL);
    log_of_draws log = log_draws(m, DRAWS, 15); /* both classes have a mean of 6 */
    double mean = log.tokens / DRAWS, variance = log.squares / DRAWS - mean * mean, empty = exp(-6);
    assert_true(log.shortest == 1);
    assert_true(fabs(mean - (6 + empty)) < 5 * sqrt(6.0 / DRAWS));
    assert_true(fabs(variance - (6 + empty - 12 * empty)) < 5 * 6 * sqrt((2 + 1 / 6.0) / DRAWS));
    ilk_model_free(m);
}

/* ILK_UNSEEN_UNKNOWN gives the word outside the dictionary alpha of the total: 1/2 / (9 + 4/2) per token here. */
static void documents__hold_unknown_words_where_there_is_room_for_them(void **state) {
    (void)state;
    ilk_options o = options_of(0.5);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    const char *text = "u v w u v w,a\nu u w,a\nu v w u v w,b\nu u w,b\n";
    ilk_model *m = model_of("t:multinomial y", text, &o), *b = model_of("t:bernoulli y", text, &o);
    log_of_draws log = log_draws(m, DRAWS, 16), there = log_draws(b, DRAWS, 17);
    double share = (double)log.unseen / log.tokens;
    assert_true(fabs(share - 1 / 22.0) < 5 * sqrt(21 / 484.0 / log.tokens));
    assert_true(fabs((double)there.unseen / DRAWS - 1 / 6.0) < 5 * sqrt(5 / 36.0 / DRAWS)); /* alpha / (n + 2 alpha) */
    assert_int_equal(log.impossible + there.impossible, 0);
    ilk_model_free(m);
    ilk_model_free(b);
}

/* ---- conditional, not marginal independence: "buy" says nothing of "price" once the class is known, and much before
 * */

typedef struct pairs {
    uint32_t word[2];
    double n[3], u[3], v[3], both[3]; /* of class a, class b, and all */
} pairs;

static ilk_status count_pairs(void *ctx, const ilk_rows *rows) {
    pairs *c = ctx;
    for (size_t i = 0; i < rows->n; i++) {
        bool has[2] = {false, false};
        for (size_t w = rows->text->begin[i]; w < rows->text->begin[i + 1]; w++)
            for (size_t h = 0; h < 2; h++)
                has[h] |= rows->text->id[w] == c->word[h];
        for (size_t g = rows->label[i]; g < 3; g += 2 - rows->label[i]) { /* its class, then all */
            c->n[g]++;
            c->u[g] += has[0];
            c->v[g] += has[1];
            c->both[g] += has[0] && has[1];
        }
    }
    return ILK_OK;
}

static double correlation(const pairs *c, size_t g) {
    double u = c->u[g] / c->n[g], v = c->v[g] / c->n[g];
    return (c->both[g] / c->n[g] - u * v) / sqrt(u * (1 - u) * v * (1 - v));
}

static void words__are_independent_given_the_class_but_not_otherwise(void **state) {
    (void)state;
    ilk_model *m = model_of("t:bernoulli y",
                            "buy price,spam\nbuy price,spam\nbuy price,spam\nbuy,spam\nprice,spam\n"
                            "note,ham\nnote,ham\nnote,ham\nbuy,ham\nprice,ham\n",
                            NULL);
    pairs c = {.word = {ilk_model_word(m, 0, str("buy")), ilk_model_word(m, 0, str("price"))}};
    printf("# seed 18\n");
    assert_ok(ilk_model_sample(m, DRAWS, 18, count_pairs, &c, &failure));
    assert_true(fabs(correlation(&c, 0)) < 4 / sqrt(c.n[0]));
    assert_true(fabs(correlation(&c, 1)) < 4 / sqrt(c.n[1]));
    /* phi is 5/7 and 2/7: covariance (3/14)^2 over variance 1/4 */
    assert_true(fabs(correlation(&c, 2) - 9 / 49.0) < 4 / sqrt(c.n[2]));
    ilk_model_free(m);
}

typedef struct unseen_share {
    double n[3], unseen[3][2];
} unseen_share;

static ilk_status count_unseen(void *ctx, const ilk_rows *rows) {
    unseen_share *u = ctx;
    for (size_t i = 0; i < rows->n; i++) {
        u->n[rows->label[i]]++;
        for (size_t j = 0; j < 2; j++)
            u->unseen[rows->label[i]][j] += rows->code[2 * i + j] == ILK_UNSEEN;
    }
    return ILK_OK;
}

/* One value more has room: alpha of n + alpha (values + 1), in every column and class. */
static void values_outside_the_dictionary__come_as_often_as_told(void **state) {
    (void)state;
    ilk_options o = options_of(2);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    ilk_model *m = model_of("c:categorical d:categorical y",
                            "p,u,a\nq,v,a\np,w,a\np,u,b\nq,u,b\np,x,c\np,u,c\nq,v,c\nq,w,c\n", &o);
    static const double rows[3] = {3, 2, 4}, values[2] = {2, 4};
    unseen_share u = {0};
    assert_ok(ilk_model_sample(m, 60000, 9, count_unseen, &u, &failure));
    for (size_t k = 0; k < 3; k++)
        for (size_t j = 0; j < 2; j++) {
            double p = 2 / (rows[k] + 2 * (values[j] + 1));
            assert_true(fabs(u.unseen[k][j] / u.n[k] - p) < 5 * sqrt(p * (1 - p) / u.n[k]));
        }
    ilk_model_free(m);
}

static ilk_status require_finite(void *ctx, const ilk_rows *rows) {
    size_t *extremes = ctx;
    for (size_t i = 0; i < rows->n; i++) {
        assert_true(isfinite(rows->real[i]));
        *extremes += fabs(rows->real[i]) == DBL_MAX;
    }
    return ILK_OK;
}

/* Numbers so large that their normal reaches beyond the doubles: a draw stays within, and can be learnt and judged. */
static void sample__is_of_numbers_that_there_are(void **state) {
    (void)state;
    size_t extremes = 0;
    ilk_model *m = model_of("x:gaussian y", "1.5e308,a\n-1.5e308,a\n1e308,b\n-1e308,b\n", NULL);
    assert_ok(ilk_model_sample(m, 400, 1, require_finite, &extremes, &failure));
    assert_in_range(extremes, 10, 390);
    ilk_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_outside_the_dictionary__come_as_often_as_told),
        cmocka_unit_test(sample__then_estimate_recovers_every_gaussian),
        cmocka_unit_test(sample__then_estimate_recovers_counts_and_categories),
        cmocka_unit_test(sample__then_estimate_recovers_the_event_models),
        cmocka_unit_test(sample__then_estimate_recovers_a_model_of_many_blocks),
        cmocka_unit_test(sample__depends_on_the_seed_alone_and_fewer_are_the_first_of_more),
        cmocka_unit_test(sample__stops_where_the_callback_says),
        cmocka_unit_test(sample__is_refused_where_scores_are_no_probabilities),
        cmocka_unit_test(sample__never_draws_what_the_model_excludes),
        cmocka_unit_test(sample__leaves_columns_that_never_varied_as_they_were),
        cmocka_unit_test(sample__of_categories_has_their_probabilities),
        cmocka_unit_test(sample__of_a_seed_stays_the_same),
        cmocka_unit_test(table__shares_what_smoothing_gives_among_all_combinations_never_seen),
        cmocka_unit_test(table__reads_its_own_keys),
        cmocka_unit_test(documents__have_poisson_lengths_of_at_least_one),
        cmocka_unit_test(documents__hold_unknown_words_where_there_is_room_for_them),
        cmocka_unit_test(words__are_independent_given_the_class_but_not_otherwise),
        cmocka_unit_test(sample__is_of_numbers_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
