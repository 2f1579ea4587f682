/* SPDX-License-Identifier: Apache-2.0 */
/* test_choose.c - smoothing and shrinkage by leave-one-out, and that noise stays noise. */
#include "fixtures.h"

#include "core/fault.h"
#include "model/choose.h"

/* Rows of two classes: a category, words, and three numbers that hang together. */
static table random_rows(rng *r, size_t n) {
    static const char *const words[] = {"ant", "bee", "cow", "dog", "elk", "fox", "gnu"};
    char *text = make(n, 128), *at = text;
    for (size_t i = 0; i < n; i++) {
        size_t k = i < 4 ? i % 2 : rng_below(r, 2);
        double common = rng_normal(r);
        at += sprintf(at, "%c,%c,", "ab"[k], "pqrstuv"[rng_below(r, 4 + 3 * k)]);
        for (size_t w = 0, length = rng_below(r, 6); w < length; w++)
            at += sprintf(at, "%s ", words[rng_below(r, 5) + k * rng_below(r, 3)]);
        for (size_t j = 0; j < 3; j++)
            at += sprintf(at, ",%.3f", common + 0.3 * rng_normal(r) + 0.2 * (double)(k * j));
        at += sprintf(at, "\n");
    }
    table t = table_of(text);
    free(text);
    return t;
}

static const char everything[] = "y c:categorical t:multinomial u:gda v:gda w:gda";

/* What the header calls best, computed here: impossible rows, and the mean log-loss of the rest. */
typedef struct figure {
    size_t impossible;
    double loss;
} figure;

static figure figure_of(const ilk_stats *s, const ilk_options *o, const table *t, const double *weight) {
    ilk_model *m = estimated(s, o);
    size_t K = ilk_model_classes(m);
    double *out = make(t->n * K, sizeof *out), sum = 0, total = 0;
    batch b = batch_for_model(m, t);
    figure f = {0};
    b.rows.weight = weight;
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    for (size_t i = 0; i < t->n; i++) {
        double own = out[i * K + b.label[i]], loss = ilk_bayes(out + i * K, out + i * K, K) - own;
        double w = weight ? weight[i] : 1;
        f.impossible += isfinite(loss) ? 0 : 1;
        sum += isfinite(loss) ? w * loss : 0;
        total += isfinite(loss) ? w : 0;
    }
    f.loss = sum / total;
    batch_free(&b);
    free(out);
    ilk_model_free(m);
    return f;
}

/* Choose from all rows of a table, which is learnt here. */
static ilk_options chosen(const char *columns, const table *t, ilk_options o, const double *weight, ilk_loo *worth) {
    ilk_stats *s = stats_of(columns, NULL);
    batch b = batch_for_stats(s, t);
    b.rows.weight = weight;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    assert_ok(ilk_stats_choose(&o, worth, s, &b.rows, &failure));
    figure f = figure_of(s, &o, t, weight);
    assert_int_equal(worth->n, t->n);
    assert_int_equal(worth->impossible, f.impossible);
    assert_close(worth->log_loss_rest, f.loss, 1e-12);
    assert_true(f.impossible ? isinf(worth->log_loss) : worth->log_loss == worth->log_loss_rest);
    for (double x = 1e-4; x < 150; x *= pow(10, 1.0 / 12)) { /* none of these is better by more than a grid's step is */
        ilk_options other = o;
        other.smooth = x;
        assert_true(figure_of(s, &other, t, weight).loss > f.loss - 2e-3);
        other = o;
        other.shrink = fmin(x, 1);
        assert_true(figure_of(s, &other, t, weight).loss > f.loss - 2e-3);
    }
    batch_free(&b);
    ilk_stats_free(s);
    return o;
}

static void choose__finds_the_least_log_loss(void **state) {
    (void)state;
    rng r = rng_new(1);
    ilk_loo worth;
    for (int way = 0; way < 6; way++) {
        table t = random_rows(&r, 80);
        double weight[80];
        for (size_t i = 0; i < t.n; i++)
            weight[i] = 0.5 + rng_unit(&r);
        ilk_options o = options_of(ILK_LOO);
        o.shrink = ILK_LOO;
        o = chosen(everything, &t, o, way % 2 ? weight : NULL, &worth);
        assert_true(o.smooth >= 1e-4 && o.smooth <= 100 && o.shrink >= 0 && o.shrink <= 1);
        table_free(&t);
    }
}

/* By accuracy: at least that of what log-loss chooses, and of the coarse grid. */
static void choose__finds_the_highest_accuracy(void **state) {
    (void)state;
    rng r = rng_new(7);
    for (int way = 0; way < 6; way++) {
        table t = random_rows(&r, 80);
        ilk_stats *s = stats_of(everything, NULL);
        batch b = batch_for_stats(s, &t);
        ilk_options by_loss = options_of(ILK_LOO), by_accuracy = options_of(ILK_LOO_ACCURACY);
        ilk_loo loss, accuracy, other;
        by_loss.shrink = ILK_LOO;
        by_accuracy.shrink = ILK_LOO_ACCURACY;
        assert_ok(ilk_stats_add(s, &b.rows, &failure));
        assert_ok(ilk_stats_choose(&by_loss, &loss, s, &b.rows, &failure));
        assert_ok(ilk_stats_choose(&by_accuracy, &accuracy, s, &b.rows, &failure));
        assert_true(accuracy.log_loss >= loss.log_loss - 1e-3);
        for (double alpha = 1e-4; alpha < 101; alpha *= 10) {
            ilk_options o = by_accuracy;
            o.smooth = alpha;
            assert_ok(ilk_stats_choose(&o, &other, s, &b.rows, &failure));
            assert_true(other.accuracy <= accuracy.accuracy);
            assert_true(other.accuracy < accuracy.accuracy || other.log_loss >= accuracy.log_loss);
        }
        batch_free(&b);
        ilk_stats_free(s);
        table_free(&t);
    }
}

/* ---- the search itself, with figures made up here */

typedef struct hill {
    double smooth, shrink; /* where it is lowest */
    double tried[200];     /* smoothing, or shrinkage where that is asked */
    bool shrinks;
    size_t n;
} hill;

static ilk_status height(ilk_loo *out, void *ctx, const ilk_model *m, ilk_error *err) {
    hill *h = ctx;
    const ilk_options *o = ilk_model_options(m);
    (void)err;
    assert_true(h->n < 200);
    h->tried[h->n++] = h->shrinks ? o->shrink : o->smooth;
    *out = (ilk_loo){.n = 1, .log_loss_rest = fabs(log(o->smooth / h->smooth)) + fabs(o->shrink - h->shrink)};
    return ILK_OK;
}

static void assert_tried(hill h, ilk_options o, const double *expected, size_t n) {
    ilk_stats *s = learnt("y c:categorical", "a,p\nb,q\n");
    assert_ok(ilk_choose(&o, NULL, s, height, &h, &failure));
    assert_int_equal(h.n, n);
    for (size_t i = 0; i < n; i++)
        if (h.tried[i] != expected[i]) /* to the bit: a number as it is written here */
            fail_msg("try %zu: %.17g, not %.17g", i, h.tried[i], expected[i]);
    ilk_stats_free(s);
}

static void search__tries_what_the_header_says(void **state) {
    (void)state;
    static const double smooth[] = {1,      100,   47,    22,    10,    4.7,   2.2,   0.47,    0.22,
                                    0.1,    0.047, 0.022, 0.01,  .0047, .0022, 0.001, 0.00047, 0.00022,
                                    0.0001, 0.033, 0.015, 0.018, 0.012, 0.016, 0.013};
    static const double shrink[] = {0,     1,       0.47,    0.22,   0.1,  0.047, 0.022, 0.01, 0.0047, 0.0022,
                                    0.001, 0.00047, 0.00022, 0.0001, 0.68, 0.33,  0.82,  0.56, 0.75,   0.62};
    assert_tried((hill){.smooth = 0.0149, .shrink = 0}, options_of(ILK_LOO), smooth, sizeof smooth / sizeof *smooth);
    ilk_options o = options_of(1);
    o.shrink = ILK_LOO;
    assert_tried((hill){.smooth = 1, .shrink = 0.69, .shrinks = true}, o, shrink, sizeof shrink / sizeof *shrink);
}

/* The ends of the scale are its ends, and every step of it can be found. */
static void search__finds_every_step(void **state) {
    (void)state;
    static const double steps[] = {1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4, 2.7, 3.0,
                                   3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1};
    ilk_stats *s = learnt("y c:categorical", "a,p\nb,q\n");
    for (size_t i = 0; i < 24; i++) {
        ilk_options o = options_of(ILK_LOO), p = options_of(ILK_LOO), q = options_of(ILK_LOO);
        o.shrink = ILK_LOO;
        assert_ok(ilk_choose(&o, NULL, s, height, &(hill){.smooth = steps[i], .shrink = 0.56}, &failure));
        assert_true(o.smooth == steps[i] && o.shrink == 0.56);
        assert_ok(ilk_choose(&p, NULL, s, height, &(hill){.smooth = 1e-9}, &failure));
        assert_ok(ilk_choose(&q, NULL, s, height, &(hill){.smooth = 1e9}, &failure));
        assert_true(p.smooth == 0.0001 && q.smooth == 100 && p.shrink == 0);
    }
    ilk_stats_free(s);
}

/* Where more rows say the same, less smoothing is needed; where values say nothing, all of it. */
static void choose__goes_the_right_way(void **state) {
    (void)state;
    ilk_loo worth;
    char clear[1500] = "", noise[1500] = "";
    for (int i = 0; i < 100; i++) {
        sprintf(clear + strlen(clear), "%s\n", i % 2 ? "a,p" : "b,q");
        sprintf(noise + strlen(noise), "%c,%c\n", "ab"[i % 2], "pqrst"[(i / 2) % 5]);
    }
    table t = table_of(clear), u = table_of(noise);
    assert_true(chosen("y c:categorical", &t, options_of(ILK_LOO), NULL, &worth).smooth == 1e-4);
    assert_true(worth.accuracy == 1);
    assert_true(chosen("y c:categorical", &u, options_of(ILK_LOO), NULL, &worth).smooth == 100);
    table_free(&t);
    table_free(&u);
}

/* Fewer rows than columns: no covariance without shrinkage. */
static void choose__shrinks_where_there_is_no_model_without(void **state) {
    (void)state;
    rng r = rng_new(2);
    char text[4096], *at = text;
    for (size_t i = 0; i < 12; i++) {
        at += sprintf(at, "%c", "ab"[i % 2]);
        for (size_t j = 0; j < 20; j++)
            at += sprintf(at, ",%.3f", rng_normal(&r) + (double)(i % 2));
        at += sprintf(at, "\n");
    }
    char columns[256] = "y";
    for (int j = 0; j < 20; j++)
        sprintf(columns + strlen(columns), " x%d:gda", j);
    table t = table_of(text);
    ilk_stats *s = stats_of(columns, NULL);
    batch b = batch_for_stats(s, &t);
    ilk_model *m;
    ilk_loo worth;
    ilk_options o = options_of(1), before;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    assert_fails(ILK_ESINGULAR, "x", ilk_model_estimate(&m, s, &o, &failure));
    o.shrink = ILK_LOO;
    assert_fails(ILK_EARG, "shrinkage cannot be chosen", ilk_model_estimate(&m, s, &o, &failure));
    assert_ok(ilk_stats_choose(&o, &worth, s, &b.rows, &failure));
    assert_true(o.shrink > 0 && o.smooth == 1 && worth.accuracy > 0.5);
    o = before = options_of(ILK_LOO); /* smoothing is no help */
    assert_fails(ILK_EARG, "smoothing cannot be chosen", ilk_model_estimate(&m, s, &o, &failure));
    assert_fails(ILK_ESINGULAR, "x", ilk_stats_choose(&o, NULL, s, &b.rows, &failure));
    assert_memory_equal(&o, &before, sizeof o);
    batch_free(&b);
    ilk_stats_free(s);
    table_free(&t);
}

static void choose__leaves_what_does_not_matter(void **state) {
    (void)state;
    rng r = rng_new(3);
    table t = random_rows(&r, 60);
    ilk_loo worth, again;
    ilk_options o = options_of(ILK_LOO);
    o.shrink = ILK_LOO;
    o = chosen("y c:- t:- u:gaussian v:gaussian w:-", &t, o, NULL, &worth);
    assert_true(o.smooth == 1 && o.shrink == 0);
    o = chosen("y c:- t:- u:gaussian v:gaussian w:-", &t, o, NULL, &again); /* nothing is asked */
    assert_memory_equal(&worth.log_loss, &again.log_loss, sizeof worth.log_loss);
    table_free(&t);
}

/* The only row of a class is impossible whatever is chosen; the others decide. */
static void choose__bears_classes_of_one_row(void **state) {
    (void)state;
    ilk_loo worth;
    table t = table_of("a,p\na,p\na,q\na,p\nb,q\nb,q\nb,p\nb,q\nc,r\n");
    ilk_options o = chosen("y c:categorical", &t, options_of(ILK_LOO), NULL, &worth);
    assert_true(o.smooth < 100 && worth.impossible == 1 && isinf(worth.log_loss) && isnan(worth.log_loss_se));
    table_free(&t);
}

static void choose__has_the_same_bits_for_any_threads(void **state) {
    (void)state;
    rng r = rng_new(4);
    table t = random_rows(&r, 9000);
    ilk_stats *s = stats_of(everything, NULL);
    batch b = batch_for_stats(s, &t);
    ilk_options first = options_of(ILK_LOO);
    ilk_loo one;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    assert_ok(ilk_stats_choose(&first, &one, s, &b.rows, &failure));
    for (b.rows.threads = 2; b.rows.threads < 8; b.rows.threads += 3) {
        ilk_options o = options_of(ILK_LOO);
        ilk_loo many;
        assert_ok(ilk_stats_choose(&o, &many, s, &b.rows, &failure));
        assert_memory_equal(&o, &first, sizeof o);
        assert_memory_equal(&one.log_loss, &many.log_loss, sizeof one.log_loss);
        assert_memory_equal(&one.accuracy_se, &many.accuracy_se, sizeof one.accuracy_se);
    }
    batch_free(&b);
    ilk_stats_free(s);
    table_free(&t);
}

/* Rows are given as they were added: ids of the statistics, with words that the vocabulary has not. */
static void choose__takes_rows_as_they_were_added(void **state) {
    (void)state;
    table t = table_of("b,z,cow ant ant\na,x,bee\nb,y,cow once\na,x,ant bee\nb,z,cow two three\na,z,bee ant\n");
    const char *const events[] = {"y c:categorical t:multinomial", "y c:categorical t:bernoulli"};
    for (int way = 0; way < 4; way++) {
        ilk_options o = options_of(ILK_LOO);
        ilk_loo worth;
        o.min_docs = 2;
        o.unseen = way / 2 ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_stats *s = stats_of(events[way % 2], NULL);
        batch b = batch_for_stats(s, &t);
        assert_ok(ilk_stats_add(s, &b.rows, &failure));
        assert_ok(ilk_stats_choose(&o, &worth, s, &b.rows, &failure));
        assert_int_equal(worth.n, 6);
        ilk_model *m = estimated(s, &o);
        batch known = batch_for_model(m, &t);
        double out[12], sum = 0;
        assert_ok(ilk_model_leave_one_out(out, m, &known.rows, &failure));
        for (size_t i = 0; i < 6; i++) {
            double own = out[2 * i + known.label[i]];
            sum += ilk_bayes(out + 2 * i, out + 2 * i, 2) - own;
        }
        if (!(way % 2 &&
              way / 2)) /* the fixture has an entry for each unknown word, which under bernoulli is another row */
            assert_close(worth.log_loss, sum / 6, 1e-12);
        batch_free(&known);
        ilk_model_free(m);
        o.smooth = ILK_LOO;
        o.unseen = ILK_UNSEEN_ERROR;
        assert_fails(ILK_EDATA, "has not seen", ilk_stats_choose(&o, NULL, s, &b.rows, &failure));
        b.label[3] = 2;
        assert_fails(ILK_EDATA, "row 3: 2 is not a class", ilk_stats_choose(&o, NULL, s, &b.rows, &failure));
        batch_free(&b);
        ilk_stats_free(s);
    }
    table_free(&t);
}

/* A class that has rows of weight 0 only is no class of the model. */
static void choose__ignores_rows_without_weight(void **state) {
    (void)state;
    table t = table_of("a,p\na,p\na,q\nb,q\nb,q\nb,p\nc,p\n");
    double weight[] = {1, 2, 1, 1, 1, 2, 0};
    ilk_stats *s = stats_of("y c:categorical", NULL);
    batch b = batch_for_stats(s, &t);
    ilk_options o = options_of(ILK_LOO);
    ilk_loo worth;
    b.rows.weight = weight;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    assert_ok(ilk_stats_choose(&o, &worth, s, &b.rows, &failure));
    assert_int_equal(worth.n, 6);
    assert_int_equal(worth.impossible, 0);
    b.rows.weight = NULL;
    o.smooth = ILK_LOO;
    assert_fails(ILK_EDATA, "row 6: its class has no rows", ilk_stats_choose(&o, NULL, s, &b.rows, &failure));
    b.rows.n = 0;
    assert_fails(ILK_EARG, "there are no rows to choose by", ilk_stats_choose(&o, &worth, s, &b.rows, &failure));
    batch_free(&b);
    ilk_stats_free(s);
    table_free(&t);
}

/* ---- a planted leak: a target that is noise, and so many columns that some agree with it by chance */

enum { NOISE_ROWS = 400, NOISE_COLUMNS = 10000 };

static ilk_schema *noise_schema(const char *family, ilk_kind kind) {
    ilk_schema *schema;
    assert_ok(ilk_schema_new(&schema, &failure));
    assert_ok(ilk_schema_add(schema, &(ilk_column){.name = str("y"), .role = ILK_TARGET}, &failure));
    for (int j = 0; j < NOISE_COLUMNS; j++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", j);
        assert_ok(ilk_schema_add(schema, &(ilk_column){.name = str(name), .kind = kind, .family = family}, &failure));
    }
    return schema;
}

/* Codes of a dictionary are issued column by column here, and sorted the same way in a model: column j's
 * are 3 j + v. */
static ilk_stats *noise_stats(const ilk_schema *schema) {
    ilk_stats *s;
    uint32_t id;
    assert_ok(ilk_stats_new(&s, schema, &failure));
    assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
    assert_ok(ilk_stats_class(&id, s, str("b"), &failure));
    for (size_t j = 0; j < ilk_schema_width(schema, ILK_CATEGORY); j++)
        for (int v = 0; v < 3; v++)
            assert_ok(ilk_stats_declare(&id, s, ILK_CATEGORY, j, (ilk_str){&"pqr"[v], 1}, &failure));
    return s;
}

static double share_right(const uint32_t *predicted, const uint32_t *label) {
    size_t right = 0;
    for (size_t i = 0; i < NOISE_ROWS; i++)
        right += predicted[i] == label[i];
    return (double)right / NOISE_ROWS;
}

/* 1/2 within 3.5 standard errors. */
static void assert_chance(const char *what, double accuracy) {
    printf("# %s: accuracy %.4f\n", what, accuracy);
    if (fabs(accuracy - 0.5) > 3.5 * sqrt(0.25 / NOISE_ROWS))
        fail_msg("%s: accuracy %.4f where there is nothing to learn", what, accuracy);
}

static void assert_noise_stays_noise(const char *family, ilk_kind kind, rng *r) {
    size_t cells = (size_t)NOISE_ROWS * NOISE_COLUMNS;
    double *real = make(2 * cells, sizeof *real);
    uint32_t *code = make(2 * cells, sizeof *code), label[2 * NOISE_ROWS], predicted[NOISE_ROWS];
    for (size_t i = 0; i < 2 * cells; i++) {
        real[i] = kind == ILK_REAL ? rng_unit(r) : 0;
        code[i] = (uint32_t)(3 * (i % NOISE_COLUMNS) + rng_below(r, 3));
    }
    for (size_t i = 0; i < 2 * NOISE_ROWS; i++)
        label[i] = (uint32_t)rng_below(r, 2);
    ilk_schema *schema = noise_schema(family, kind);
    ilk_stats *s = noise_stats(schema);
    ilk_rows seen = {.n = NOISE_ROWS, .real = real, .code = code, .label = label};
    ilk_rows unseen = {.n = NOISE_ROWS, .real = real + cells, .code = code + cells};
    assert_ok(ilk_stats_add(s, &seen, &failure));
    for (int choose = 0; choose < (kind == ILK_CATEGORY ? 2 : 1); choose++) {
        ilk_options o = options_of(choose ? ILK_LOO : 1);
        ilk_loo worth;
        assert_ok(ilk_stats_choose(&o, &worth, s, &seen, &failure));
        ilk_model *m = estimated(s, &o);
        assert_ok(ilk_model_predict(predicted, m, &unseen, &failure));
        assert_chance("held out", share_right(predicted, label + NOISE_ROWS));
        assert_chance("leave-one-out", worth.accuracy);
        assert_ok(ilk_model_predict(predicted, m, &seen, &failure)); /* what an honest figure must not be */
        assert_true(share_right(predicted, label) > 0.9);
        ilk_model_free(m);
    }
    ilk_stats_free(s);
    ilk_schema_free(schema);
    free(real);
    free(code);
}

static void leak__noise_stays_noise_in_ten_thousand_columns(void **state) {
    (void)state;
    rng r = rng_new(5);
    assert_noise_stays_noise("categorical", ILK_CATEGORY, &r);
    assert_noise_stays_noise("gaussian", ILK_REAL, &r);
}

#ifdef ILK_FAULTS
static void faults__every_allocation_may_fail(void **state) {
    (void)state;
    rng r = rng_new(6);
    table t = random_rows(&r, 10);
    ilk_stats *s = stats_of(everything, NULL);
    batch b = batch_for_stats(s, &t);
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    bool clean = false;
    for (uint64_t n = 1; !clean; n += n < 200 ? 1 : 37) { /* every model is made by the same allocations */
        ilk_options o = options_of(ILK_LOO);
        ilk_fault_arm(&ilk_allocation_fault, n, n % 2);
        ilk_status status = ilk_stats_choose(&o, NULL, s, &b.rows, NULL);
        clean = atomic_load(&ilk_allocation_fault.seen) < n;
        ilk_fault_arm(&ilk_allocation_fault, 0, false);
        assert_true(status == (clean ? ILK_OK : ILK_ENOMEM));
        assert_true(clean || o.smooth == ILK_LOO);
    }
    batch_free(&b);
    ilk_stats_free(s);
    table_free(&t);
}
#endif

/* However little it weighs, unless that is nothing. */
static void choose__refuses_a_row_of_a_class_that_has_none(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:gaussian y", "1,a\n2,a\n4,a\n3,b\n6,b\n5,b\n");
    table t = table_of("1,nobody\n2,a\n");
    batch b = batch_for_stats(s, &t);
    ilk_options o = options_of(ILK_LOO);
    double weight[] = {0.5, 1};
    b.rows.weight = weight;
    assert_fails(ILK_EDATA, "row 0: its class has no rows", ilk_stats_choose(&o, NULL, s, &b.rows, &failure));
    weight[0] = 0;
    assert_ok(ilk_stats_choose(&o, NULL, s, &b.rows, &failure));
    batch_free(&b);
    table_free(&t);
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choose__refuses_a_row_of_a_class_that_has_none),
        cmocka_unit_test(choose__finds_the_least_log_loss),
        cmocka_unit_test(choose__finds_the_highest_accuracy),
        cmocka_unit_test(search__tries_what_the_header_says),
        cmocka_unit_test(search__finds_every_step),
        cmocka_unit_test(choose__goes_the_right_way),
        cmocka_unit_test(choose__shrinks_where_there_is_no_model_without),
        cmocka_unit_test(choose__leaves_what_does_not_matter),
        cmocka_unit_test(choose__bears_classes_of_one_row),
        cmocka_unit_test(choose__has_the_same_bits_for_any_threads),
        cmocka_unit_test(choose__takes_rows_as_they_were_added),
        cmocka_unit_test(choose__ignores_rows_without_weight),
        cmocka_unit_test(leak__noise_stays_noise_in_ten_thousand_columns),
#ifdef ILK_FAULTS
        cmocka_unit_test(faults__every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
