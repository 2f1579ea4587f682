/* SPDX-License-Identifier: Apache-2.0 */
/* test_laws.c - laws that hold for any model, tried on random ones: columns of any kinds and families, any number of
 * classes, missing values, random options. */
#include "fixtures.h"

enum { WORLDS = 80, ROWS = 240, REALS = 4, CODES = 3, TEXTS = 2, WORDS = 6, CLASSES = 5 };

/* Raw data, to be written as a table in more than one way. */
typedef struct world {
    size_t n, K, reals, codes, texts;
    const char *family[REALS];
    double x[ROWS][REALS];                             /* NaN is missing */
    int code[ROWS][CODES];                             /* -1 is missing */
    int word[ROWS][TEXTS][WORDS], length[ROWS][TEXTS]; /* -1 is missing */
    size_t label[ROWS];
    ilk_options options;
    bool transformed; /* some column is */
    char columns[1024];
} world;

static ilk_kind kind_of(const char *family) {
    ilk_family_info info;
    for (size_t i = 0; ilk_family_at(i, &info); i++)
        if (strcmp(info.name, family) == 0)
            return info.kind;
    fail_msg("no family %s", family);
    return ILK_REAL;
}

static void random_row(world *w, rng *r, size_t i, double missing) {
    w->label[i] = i < 12 * w->K ? i % w->K : rng_below(r, w->K); /* enough of each for any covariance */
    double k = (double)w->label[i], previous = 0;
    for (size_t j = 0; j < w->reals; j++) {
        previous = rng_normal(r) * (1 + k / 3) + k * (double)(j + 1) / 2 + 0.5 * previous;
        w->x[i][j] = rng_unit(r) < missing ? NAN : fmax(10 + previous, 0.5 + 0.1 * rng_unit(r));
    }
    for (size_t j = 0; j < w->codes; j++)
        w->code[i][j] = rng_unit(r) < missing ? -1 : (int)((rng_below(r, 5) + (size_t)(rng_unit(r) * k)) % 7);
    for (size_t j = 0; j < w->texts; j++) {
        w->length[i][j] = rng_unit(r) < missing ? -1 : (int)rng_below(r, WORDS + 1);
        for (int l = 0; l < w->length[i][j]; l++)
            w->word[i][j][l] = (int)(rng_below(r, 15) + (size_t)k * rng_below(r, 3));
    }
}

/* Hold bins and powers, to the laws, for a third of the columns that can have them. */
static size_t random_transform(char *to, size_t size, world *w, rng *r, ilk_kind kind) {
    if (kind == ILK_TEXT || rng_below(r, 3) > 0)
        return 0;
    w->transformed = true;
    if (kind == ILK_CATEGORY)
        return (size_t)snprintf(to, size, rng_below(r, 2) ? "/bins@1.5,3" : "/bins@-1,0,2,9");
    return (size_t)snprintf(to, size, "/%s@%.3f", rng_below(r, 2) ? "boxcox" : "yeo-johnson", 3 * rng_unit(r) - 1);
}

static void world_new(world *w, rng *r) {
    static const char *const families[] = {"gda", "qda", "gaussian", "gaussian-shared"};
    static const char *const of_codes[] = {"categorical", "table"}, *const of_texts[] = {"multinomial", "bernoulli",
                                                                                         "complement"};
    memset(w, 0, sizeof *w);
    do {
        w->reals = rng_below(r, REALS + 1);
        w->codes = rng_below(r, CODES + 1);
        w->texts = rng_below(r, TEXTS + 1);
    } while (w->reals + w->codes + w->texts == 0);
    w->K = 2 + rng_below(r, CLASSES - 1);
    w->n = 12 * w->K + rng_below(r, ROWS - 12 * w->K);
    double missing = rng_below(r, 2) ? 0 : 0.2 * rng_unit(r);
    size_t used = 0, reals = w->reals, codes = w->codes, texts = w->texts; /* still to be placed */
    const char *all = rng_below(r, 2) ? families[rng_below(r, 4)] : NULL, *family;
    for (size_t left = reals + codes + texts; left > 0; left--) { /* kinds in any order */
        size_t pick = rng_below(r, left);
        if (pick < reals)
            w->family[w->reals - reals--] = family = all ? all : families[rng_below(r, 4)];
        else
            family = pick < reals + codes ? (codes--, of_codes[rng_below(r, 2)]) : (texts--, of_texts[rng_below(r, 3)]);
        used += (size_t)snprintf(w->columns + used, sizeof w->columns - used, "f%zu:%s", left, family);
        used += random_transform(w->columns + used, sizeof w->columns - used, w, r, kind_of(family));
        w->columns[used++] = ' ';
    }
    snprintf(w->columns + used, sizeof w->columns - used, "y");
    for (size_t i = 0; i < w->n; i++)
        random_row(w, r, i, missing);
    w->options = options_of(0.05 + 2 * rng_unit(r));
    w->options.prior = (ilk_prior)rng_below(r, 3);
    w->options.divisor = (ilk_divisor)rng_below(r, 3);
    w->options.unseen = rng_below(r, 2) ? ILK_UNSEEN_IGNORE : ILK_UNSEEN_UNKNOWN;
    w->options.min_docs = 1 + rng_below(r, 3);
}

/* How to write it. */
typedef struct style {
    const size_t *order; /* of rows; NULL: as they are */
    bool rename;         /* classes, values and words by other names, which sort the other way round */
    const double *map;   /* reals × reals: x becomes map x + 100 */
} style;

static const char *class_name(const world *w, size_t k, bool rename) {
    static char name[4][16];
    static int last;
    char *to = name[last++ % 4];
    sprintf(to, rename ? "%zu" : "k%zu", rename ? 8 + w->K - k : k); /* 9, 10, 11: numbers, not bytes */
    return to;
}

static size_t write_real(char *to, const world *w, size_t i, size_t j, const double *map) {
    double x = map ? 100 : w->x[i][j];
    for (size_t h = 0; map && h < w->reals; h++)
        x += map[j * w->reals + h] * w->x[i][h];
    return isnan(x) ? 0 : (size_t)sprintf(to, "%.17g", x);
}

static size_t write_code(char *to, int code, bool binned, bool rename) {
    if (binned)
        return (size_t)sprintf(to, "%d", code);
    return (size_t)sprintf(to, rename ? "x%d" : "v%d", rename ? 50 - code : code);
}

static table world_table(const world *w, style s) {
    char *text = make(w->n, 512), *at = text, columns[sizeof w->columns];
    for (size_t row = 0; row < w->n; row++) {
        size_t i = s.order ? s.order[row] : row, real = 0, code = 0, doc = 0;
        memcpy(columns, w->columns, sizeof columns);
        for (char *rest = columns, *c; (c = strtok_r(rest, " ", &rest)) && *c != 'y';) {
            bool binned = strstr(c, "/bins");
            ilk_kind kind = kind_of(strtok(strchr(c, ':') + 1, "/"));
            if (kind == ILK_REAL)
                at += write_real(at, w, i, real++, s.map);
            else if (kind == ILK_CATEGORY && w->code[i][code++] >= 0)
                at += write_code(at, w->code[i][code - 1], binned, s.rename);
            for (int l = 0; kind == ILK_TEXT && l < w->length[i][doc]; l++)
                at += sprintf(at, s.rename ? "z%d " : "w%d ", s.rename ? 90 - w->word[i][doc][l] : w->word[i][doc][l]);
            if (kind == ILK_TEXT && w->length[i][doc++] < 0)
                at += sprintf(at, MISSING_TEXT);
            *at++ = ',';
        }
        at += sprintf(at, "%s\n", class_name(w, w->label[i], s.rename));
    }
    table t = table_of(text);
    free(text);
    return t;
}

/* A world that can be estimated: nearly all can, and what cannot is not what is tried here. */
static ilk_model *world_model(const world *w, const ilk_stats *s) {
    ilk_model *m;
    ilk_status status = ilk_model_estimate(&m, s, &w->options, &failure);
    if (status != ILK_OK)
        printf("# %s: %s\n", w->columns, failure.message);
    return m;
}

static bool counts_only(const world *w) {
    return w->reals == 0;
}

/* The same log-joints for every row and class: to the bit, or to `tolerance`. Classes may have other names in b. */
static void assert_same_answers(const world *w, const ilk_model *a, const table *ta, const ilk_model *b,
                                const table *tb, bool rename, double tolerance) {
    double *x = log_joints(a, ta), *y = log_joints(b, tb);
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->K; k++) {
            double p = x[i * w->K + ilk_model_class(a, str(class_name(w, k, false)))];
            double q = y[i * w->K + ilk_model_class(b, str(class_name(w, k, rename)))];
            if (tolerance == 0)
                assert_true(p == q);
            else
                assert_close(p, q, tolerance);
        }
    free(x);
    free(y);
}

/* Two ways to the same statistics: the same file for counts, the same answers to rounding for moments. */
static void assert_same_learning(const world *w, const ilk_stats *a, const ilk_stats *b, const table *t,
                                 double tolerance) {
    ilk_model *m = world_model(w, a), *n = world_model(w, b);
    assert_int_equal(m == NULL, n == NULL);
    if (m && counts_only(w)) {
        bytes x = saved(m, a), y = saved(n, b);
        assert_same_bytes(x, y);
        free(x.p);
        free(y.p);
    } else if (m) {
        assert_same_answers(w, m, t, n, t, false, tolerance);
    }
    ilk_model_free(m);
    ilk_model_free(n);
}

static void shuffle(rng *r, size_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t j = rng_below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* ---- the laws. Each is given a world, its table, its statistics and its model. */

static void law_posterior_sums_to_one(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)r, (void)s;
    double *p = log_joints(m, t), posterior[CLASSES];
    for (size_t i = 0; i < w->n; i++) {
        double sum = 0;
        assert_true(isfinite(ilk_bayes(posterior, p + i * w->K, w->K)));
        for (size_t k = 0; k < w->K; k++) {
            assert_true(isfinite(p[i * w->K + k]) && posterior[k] >= 0 && posterior[k] <= 1);
            sum += posterior[k];
        }
        assert_close(sum, 1, 1e-14);
    }
    free(p);
}

static void law_merge_of_shards_is_one_pass(const world *w, rng *r, const table *t, const ilk_stats *s,
                                            const ilk_model *m) {
    (void)m;
    ilk_stats *total = stats_of(w->columns, NULL);
    for (size_t from = 0, n; from < t->n; from += n) {
        n = 1 + rng_below(r, t->n - from);
        table part = table_part(t, from, n);
        ilk_stats *shard = stats_of(w->columns, &part), *into = rng_below(r, 2) ? total : shard;
        ilk_stats *other = into == total ? shard : total;
        assert_ok(ilk_stats_merge(into, other, &failure));
        ilk_stats_free(other);
        total = into;
    }
    assert_same_learning(w, s, total, t, 1e-9);
    ilk_stats_free(total);
}

static void law_rows_may_come_in_any_order_and_batches(const world *w, rng *r, const table *t, const ilk_stats *s,
                                                       const ilk_model *m) {
    (void)m;
    size_t order[ROWS];
    shuffle(r, order, w->n);
    table other = world_table(w, (style){.order = order});
    ilk_stats *again = stats_of(w->columns, NULL);
    for (size_t from = 0, n; from < other.n; from += n) {
        n = 1 + rng_below(r, 20) % (other.n - from);
        table part = table_part(&other, from, n);
        assert_ok(try_learn(again, &part, false));
    }
    assert_same_learning(w, s, again, t, 1e-9);
    ilk_stats_free(again);
    table_free(&other);
}

static void law_remove_undoes_add(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)m;
    size_t from = rng_below(r, t->n), n = 1 + rng_below(r, t->n - from);
    table extra = table_part(t, from, n);
    ilk_stats *again = stats_of(w->columns, t), *shard = stats_of(w->columns, &extra);
    assert_ok(try_learn(again, &extra, false)); /* some rows twice */
    assert_ok(try_learn(again, &extra, true));
    assert_same_learning(w, s, again, t, 1e-8);
    assert_ok(ilk_stats_merge(again, shard, &failure));
    assert_ok(ilk_stats_subtract(again, shard, &failure));
    assert_same_learning(w, s, again, t, 1e-8);
    ilk_stats_free(again);
    ilk_stats_free(shard);
}

static void law_names_do_not_matter(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)r, (void)s;
    table other = world_table(w, (style){.rename = true});
    ilk_stats *renamed = stats_of(w->columns, &other);
    ilk_model *n = world_model(w, renamed);
    assert_non_null(n);
    assert_same_answers(w, m, t, n, &other, true, 1e-9);
    ilk_model_free(n);
    ilk_stats_free(renamed);
    table_free(&other);
}

/* Only where all reals are one full block: x becomes A x + b, and every log-joint moves by log |det A|. */
static void law_full_gaussians_are_affine_invariant(const world *w, rng *r, const table *t, const ilk_stats *s,
                                                    const ilk_model *m) {
    (void)s;
    double map[REALS * REALS];
    for (size_t j = 0; j < w->reals; j++)
        if (strcmp(w->family[j], w->family[0]) != 0 || w->family[0][1] == 'a')
            return;
    if (w->reals == 0 || w->transformed)
        return;
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->reals; j++)
            if (isnan(w->x[i][j])) /* a map mixes what is there with what is missing */
                return;
    for (size_t i = 0; i < w->reals * w->reals; i++)
        map[i] = rng_normal(r) + (i % (w->reals + 1) == 0 ? 3 : 0);
    table other = world_table(w, (style){.map = map});
    ilk_stats *mapped = stats_of(w->columns, &other);
    ilk_model *n = world_model(w, mapped);
    assert_non_null(n);
    double *x = log_joints(m, t), *y = log_joints(n, &other);
    for (size_t i = 0; i < w->n * w->K; i++) /* the determinant falls out of the difference between two classes */
        assert_close(x[i] - x[i / w->K * w->K], y[i] - y[i / w->K * w->K], 1e-7);
    free(x);
    free(y);
    ilk_model_free(n);
    ilk_stats_free(mapped);
    table_free(&other);
}

static void law_saving_is_identity(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m) {
    (void)r;
    bytes b = saved(m, s), again;
    ilk_model *opened;
    ilk_stats *kept;
    assert_ok(ilk_model_read(&opened, b.p, b.n, &failure));
    assert_same_answers(w, m, t, opened, t, false, 0);
    assert_ok(ilk_model_stats(&kept, opened, &failure));
    again = saved(opened, kept);
    assert_same_bytes(b, again);
    ilk_model *estimated_again = world_model(w, kept);
    assert_same_answers(w, m, t, estimated_again, t, false, 0);
    free(b.p);
    free(again.p);
    ilk_model_free(opened);
    ilk_model_free(estimated_again);
    ilk_stats_free(kept);
}

/* Every row twice, and twice the smoothing: nothing is known that was not known before. */
static void law_repetition_tells_nothing_new(const world *w, rng *r, const table *t, const ilk_stats *s,
                                             const ilk_model *m) {
    (void)r, (void)s, (void)m;
    world once = *w, twice;
    once.options.prior = ILK_PRIOR_EMPIRICAL;
    once.options.divisor = ILK_DIVISOR_N;
    twice = once;
    twice.options.smooth *= 2;
    twice.options.min_docs = 2 * once.options.min_docs - 1;
    ilk_stats *doubled = stats_of(w->columns, t);
    assert_ok(ilk_stats_merge(doubled, s, &failure));
    ilk_model *a = world_model(&once, s), *b = world_model(&twice, doubled);
    if (a && b)
        assert_same_answers(w, a, t, b, t, false, 1e-9);
    assert_int_equal(a == NULL, b == NULL);
    ilk_model_free(a);
    ilk_model_free(b);
    ilk_stats_free(doubled);
}

typedef void (*law)(const world *w, rng *r, const table *t, const ilk_stats *s, const ilk_model *m);

static void hold(uint64_t seed, law law_of) {
    rng r = rng_new(seed);
    size_t tried = 0;
    world *w = make(1, sizeof *w);
    for (int i = 0; i < WORLDS; i++) {
        uint64_t before = r.state;
        world_new(w, &r);
        table t = world_table(w, (style){0});
        ilk_stats *s = stats_of(w->columns, &t);
        ilk_model *m = world_model(w, s);
        if (m) {
            tried++;
            printf("# world %d, ILK_SEED=%llu: %s\n", i, (unsigned long long)before, w->columns);
            law_of(w, &r, &t, s, m);
        }
        ilk_model_free(m);
        ilk_stats_free(s);
        table_free(&t);
    }
    free(w);
    assert_in_range(tried, WORLDS - WORLDS / 10, WORLDS);
}

#define LAW(seed, name)                                                                                                \
    static void name(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        hold(seed, law_##name);                                                                                        \
    }

LAW(121, posterior_sums_to_one)
LAW(122, merge_of_shards_is_one_pass)
LAW(123, rows_may_come_in_any_order_and_batches)
LAW(124, remove_undoes_add)
LAW(125, names_do_not_matter)
LAW(126, full_gaussians_are_affine_invariant)
LAW(127, saving_is_identity)
LAW(128, repetition_tells_nothing_new)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posterior_sums_to_one),
        cmocka_unit_test(merge_of_shards_is_one_pass),
        cmocka_unit_test(rows_may_come_in_any_order_and_batches),
        cmocka_unit_test(remove_undoes_add),
        cmocka_unit_test(names_do_not_matter),
        cmocka_unit_test(full_gaussians_are_affine_invariant),
        cmocka_unit_test(saving_is_identity),
        cmocka_unit_test(repetition_tells_nothing_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
