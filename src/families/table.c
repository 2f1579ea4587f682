/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the full joint table: a probability for every combination of values, no independence assumed.   MATH
 * section 10
 *
 * phi_{x|k} = (N(x, y = k) + alpha) / (N(y = k) + alpha × cells),   cells = product of the columns' numbers of values
 * Only combinations that were seen are kept: all others share one probability. Values missing from a row are summed
 * over.
 * Parameters: count[C][K] of the C combinations seen | total[K] | alpha, cells, unknown
 * The dictionary has a field per column, and one more for the combinations (table_key.h). `unknown` is 1 where every
 * column, but one of bins, has one value more, which stands for all that were never seen; else these count as missing.
 */
#include "families/family.h"
#include "families/table_key.h"

#include <math.h>
#include <string.h>

typedef struct layout {
    uint32_t first, C; /* combinations are keys first … first + C - 1 */
    double *count, *total, *alpha, *cells, *unknown;
} layout;

static layout at(const double *p, const ilk_shape *s) {
    double *q = ilk_writable(p);
    uint32_t first = s->keys->field_begin[s->d], C = s->keys->field_begin[s->d + 1] - first;
    double *total = q + (size_t)C * s->K, *alpha = total + s->K;
    return (layout){first, C, q, total, alpha, alpha + 1, alpha + 2};
}

static size_t size(const ilk_shape *s) {
    return ((size_t)s->keys->field_begin[s->d + 1] - s->keys->field_begin[s->d] + 1) * s->K + 3;
}

static double values_of(const layout *l, const ilk_shape *s, size_t j) {
    double values = s->keys->field_begin[j + 1] - s->keys->field_begin[j];
    return values + (ilk_shape_is_binned(s, j) ? 0 : *l->unknown);
}

static double cells_of(const layout *l, const ilk_shape *s) {
    double cells = 1;
    for (size_t j = 0; j < s->d; j++)
        cells *= values_of(l, s, j);
    return cells;
}

static void scratch(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    *per_row = 0;
    *fixed = s->keys->longest / sizeof(double) + 1 + s->K; /* a combination longer than that is none of the keys */
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    layout l = at(p, s);
    const ilk_counts_view *c = &v->counts;
    *l.alpha = o->smooth;
    *l.unknown = o->unseen == ILK_UNSEEN_UNKNOWN;
    *l.cells = cells_of(&l, s);
    if (!isfinite(*l.cells) || !isfinite(o->smooth * *l.cells))
        return ilk_fail(err, ILK_EDATA, "a table of %zu columns has more combinations of values than can be counted",
                        s->d);
    for (size_t k = 0; k < s->K; k++) {
        l.total[k] = c->present[k * (s->d + 1) + s->d] + o->smooth * *l.cells;
        if (!(l.total[k] > 0))
            return ilk_fail(err, ILK_EDATA, "class %.*s has no row in which all %zu columns are present",
                            ILK_SHOW(s->name[k]), s->d);
    }
    memset(l.count, 0, (size_t)l.C * s->K * sizeof *l.count);
    for (uint32_t i = 0; i < l.C; i++)
        for (size_t at_cell = c->begin[l.first + i]; at_cell < c->begin[l.first + i + 1]; at_cell++)
            l.count[(size_t)i * s->K + c->cls[at_cell]] = c->count[at_cell];
    return ILK_OK;
}

/* ---- score */

/* Does a value say nothing about the combination? */
static bool open(const layout *l, uint32_t code) {
    return code == ILK_MISSING || (code == ILK_UNSEEN && *l->unknown == 0);
}

/* The combination of a row without missing values, or ILK_UNSEEN. */
static uint32_t combination(const ilk_shape *s, const uint32_t *code, char *key) {
    size_t n = 0;
    for (size_t j = 0; j < s->d; j++) {
        if (code[j] == ILK_UNSEEN)
            return ILK_UNSEEN;
        ilk_str value = ilk_keys_key(s->keys, code[j]);
        if (ilk_table_key_add(NULL, n, j, value) > s->keys->longest)
            return ILK_UNSEEN;
        n = ilk_table_key_add(key, n, j, value);
    }
    return ilk_keys_find(s->keys, (uint32_t)s->d, (ilk_str){key, n});
}

/* Is this a combination that the row may be one of? */
static bool matches(const layout *l, const ilk_shape *s, ilk_str key, const uint32_t *code, char *part) {
    for (size_t j = 0; j < s->d; j++) {
        size_t n = ilk_table_key_value(key);
        if (!open(l, code[j])) {
            ilk_str value = code[j] == ILK_UNSEEN ? (ilk_str){"", 0} : ilk_keys_key(s->keys, code[j]);
            if (code[j] == ILK_UNSEEN || ilk_table_key_add(NULL, 0, 0, value) != n || n > s->keys->longest)
                return false;
            ilk_table_key_add(part, 0, 0, value);
            if (memcmp(part, key.p, n) != 0)
                return false;
        }
        n += n < key.n; /* the comma */
        key = (ilk_str){key.p + n, key.n - n};
    }
    return true;
}

/* Counts of the combinations a row may be one of, into sum[K]; returns how many combinations there could be. */
static double add_up(double *sum, const layout *l, const ilk_shape *s, const uint32_t *code, char *key) {
    double cells = 1;
    bool one = true; /* not cells == 1: a value may be missing from a column that has but one */
    memset(sum, 0, s->K * sizeof *sum);
    for (size_t j = 0; j < s->d; j++) {
        cells *= open(l, code[j]) ? values_of(l, s, j) : 1;
        one = one && !open(l, code[j]);
    }
    if (one) {
        uint32_t id = combination(s, code, key);
        if (id != ILK_UNSEEN)
            memcpy(sum, l->count + (size_t)(id - l->first) * s->K, s->K * sizeof *sum);
        return 1;
    }
    for (uint32_t i = 0; i < l->C; i++)
        if (matches(l, s, ilk_keys_key(s->keys, l->first + i), code, key))
            for (size_t k = 0; k < s->K; k++)
                sum[k] += l->count[(size_t)i * s->K + k];
    return cells;
}

static bool complete(const ilk_shape *s, const uint32_t *code) {
    for (size_t j = 0; j < s->d; j++)
        if (code[j] == ILK_MISSING)
            return false;
    return true;
}

/* `own` ILK_NONE: nothing is taken out. A row that lacks a value had no part in the table. */
static void score_row(double *out, const layout *l, const ilk_shape *s, const ilk_chunk *rows, size_t i, uint32_t own,
                      double w) {
    const uint32_t *code = rows->code + i * s->d;
    double *sum = rows->scratch, cells;
    char *key = (char *)(sum + s->K);
    cells = add_up(sum, l, s, code, key);
    for (size_t k = 0; k < s->K; k++) {
        bool lost = k == own && complete(s, code);
        double count = lost ? ilk_left(sum[k], w) : sum[k], total = lost ? ilk_left(l->total[k], w) : l->total[k];
        out[k] += total > 0 ? log((count + *l->alpha * cells) / total) : -INFINITY;
    }
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        score_row(log_joint + i * s->K, &l, s, rows, i, ILK_NONE, 0);
}

static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        score_row(log_joint + i * s->K, &l, s, rows, i, rows->label[i], ilk_chunk_weight(rows, i));
}

/* ---- sample.   MATH section 11 */

/* The codes of a combination that was seen. */
static void decode(uint32_t *code, const ilk_shape *s, ilk_str key, char *value) {
    for (size_t j = 0; j < s->d; j++) {
        size_t n = ilk_table_key_value(key), used = ilk_table_key_plain(value, (ilk_str){key.p, n});
        code[j] = ilk_keys_find(s->keys, (uint32_t)j, (ilk_str){value, used});
        n += n < key.n; /* the comma */
        key = (ilk_str){key.p + n, key.n - n};
    }
}

/* All combinations never seen are equally likely: any one is drawn, until it is one of these. There are fewer seen than
 * there are in all, so this ends, and soon: the fewer are left, the less likely it is that one is asked for. */
static void draw_unseen(uint32_t *code, const layout *l, const ilk_shape *s, char *key, ilk_rng *rng) {
    do
        for (size_t j = 0; j < s->d; j++) {
            uint32_t v = s->keys->field_begin[j] + (uint32_t)ilk_rng_below(rng, (uint64_t)values_of(l, s, j));
            code[j] = v < s->keys->field_begin[j + 1] ? v : ILK_UNSEEN;
        }
    while (combination(s, code, key) != ILK_UNSEEN);
}

/* Those never seen come first, so that there is no way to them where they have no room. */
static void sample(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    layout l = at(p, s);
    double room = *l.alpha * fmax(0, *l.cells - l.C), seen = 0;
    for (uint32_t i = 0; i < l.C; i++)
        seen += l.count[(size_t)i * s->K + k] + *l.alpha;
    double u = ilk_rng_uniform(rng) * (room + seen) - room;
    if (u < 0) {
        draw_unseen(out->code, &l, s, (char *)out->scratch, rng);
        return;
    }
    uint32_t last = 0; /* rounding may leave a little of u behind the last combination */
    for (uint32_t i = 0; i < l.C && u >= 0; i++) {
        double weight = l.count[(size_t)i * s->K + k] + *l.alpha;
        u -= weight;
        last = weight > 0 ? i : last;
    }
    decode(out->code, s, ilk_keys_key(s->keys, l.first + last), (char *)out->scratch);
}

/* ---- explain and describe */

/* The columns speak together: one part, under the name of the first. */
static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    layout l = at(p, s);
    double *sum = row->scratch, cells = add_up(sum, &l, s, row->code, (char *)(sum + s->K));
    double part = log((sum[a] + *l.alpha * cells) / l.total[a]) - log((sum[b] + *l.alpha * cells) / l.total[b]);
    return to->fn(to->ctx, &(ilk_part){s->column[0], {"(all columns together)", 22}, NAN, part});
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    layout l = at(p, s);
    for (uint32_t i = 0; i < l.C; i++) {
        for (size_t k = 0; k < s->K; k++) {
            double count = l.count[(size_t)i * s->K + k] + *l.alpha;
            ILK_TRY(to->fn(to->ctx, &(ilk_fact){"phi",
                                                "table",
                                                {"", 0},
                                                ilk_keys_key(s->keys, l.first + i),
                                                (uint32_t)k,
                                                count / l.total[k],
                                                count,
                                                l.total[k]}));
        }
    }
    for (size_t k = 0; k < s->K; k++) /* each combination that was never seen */
        ILK_TRY(
            to->fn(to->ctx,
                   &(ilk_fact){
                       "unseen", "table", {"", 0}, {"", 0}, (uint32_t)k, *l.alpha / l.total[k], *l.alpha, l.total[k]}));
    ILK_TRY(ilk_describe_size(to, "table", *l.cells, *l.cells * (double)s->K));
    return ilk_describe_number(to, "table", "free per class", *l.cells - 1); /* the last follows from the others */
}

/* Then there are as many combinations as `cells` says, and one that was never seen can be drawn. */
static bool values_differ(const ilk_shape *s) {
    for (size_t j = 0; j < s->d; j++)
        for (uint32_t v = s->keys->field_begin[j] + 1; v < s->keys->field_begin[j + 1]; v++)
            if (ilk_str_compare(ilk_keys_key(s->keys, v - 1), ilk_keys_key(s->keys, v)) >= 0)
                return false;
    return true;
}

static bool validate(const double *p, const ilk_shape *s) {
    layout l = at(p, s);
    if (!values_differ(s))
        return false;
    for (size_t i = 0; i < size(s); i++)
        if (!isfinite(p[i]) || p[i] < 0)
            return false;
    if ((*l.unknown != 0 && *l.unknown != 1) || *l.cells != cells_of(&l, s))
        return false;
    for (size_t k = 0; k < s->K; k++) { /* probabilities that sum to one */
        double sum = *l.alpha * *l.cells;
        for (uint32_t i = 0; i < l.C; i++)
            sum += l.count[(size_t)i * s->K + k];
        if (!(l.total[k] > 0) || !(fabs(sum - l.total[k]) <= 1e-6 * l.total[k]))
            return false;
    }
    return true;
}

const ilk_family ilk_table_family = {
    .name = "table",
    .summary = "the joint table of all combinations of values",
    .kind = ILK_CATEGORY,
    .layout = ILK_LAYOUT_TABLE,
    .size = size,
    .scratch = scratch,
    .estimate = estimate,
    .score = score,
    .score_without = score_without,
    .sample = sample,
    .explain = explain,
    .describe = describe,
    .validate = validate,
};
