/* SPDX-License-Identifier: Apache-2.0 */
/* learn_rows.c - adding rows to statistics, and taking them away again.
 *
 * Every value is checked first; then counts are added, which can fail for memory and are undone if they do; last come the
 * moments, which cannot fail and could not be undone exactly. So a call adds all of its rows or none. */
#include "core/memory.h"
#include "model/stats.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 1024 }; /* rows grouped at a time: enough for a matrix product to pay, and to stay in cache */

/* ---- checks */

static ilk_status check_reals(const ilk_block *b, const ilk_rows *rows, size_t width, ilk_error *err) {
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < b->d; j++)
            ILK_TRY(ilk_block_check_real(b, j, rows->real[i * width + b->source[j]], i, err));
    return ILK_OK;
}

static ilk_status check_codes(const ilk_block *b, const ilk_counts *c, const ilk_rows *rows, size_t width,
                              ilk_error *err) {
    for (size_t i = 0; i < rows->n; i++) {
        for (size_t j = 0; j < b->d; j++) {
            uint32_t id = rows->code[i * width + b->source[j]];
            if (id != ILK_MISSING && (id >= c->keys.n || c->keys.entry[id].field != j))
                return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %u is not a code of it", i, ILK_SHOW(b->column[j]),
                                id);
        }
    }
    return ILK_OK;
}

static ilk_status check_bags(const ilk_block *b, const ilk_counts *c, const ilk_tokens *bags, size_t n, ilk_error *err) {
    for (size_t i = 0; i < n; i++)
        for (size_t w = bags->begin[i]; w < bags->begin[i + 1]; w++)
            if (bags->id[w] >= c->keys.n || bags->count[w] == 0)
                return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %u is not a word of it, or counted 0 times", i,
                                ILK_SHOW(b->column[0]), bags->id[w]);
    return ILK_OK;
}

static ilk_status check_block(const ilk_stats *s, size_t at, const ilk_rows *rows, ilk_error *err) {
    const ilk_block *b = &s->blocks.block[at];
    ilk_kind kind = b->family->kind;
    bool given = kind == ILK_REAL ? rows->real != NULL : kind == ILK_CATEGORY ? rows->code != NULL : rows->text != NULL;
    if (!given)
        return ilk_fail(err, ILK_EARG, "column %.*s: the rows have no values of its kind", ILK_SHOW(b->column[0]));
    size_t width = ilk_schema_width(s->schema, kind);
    if (kind == ILK_REAL)
        return check_reals(b, rows, width, err);
    if (kind == ILK_CATEGORY)
        return check_codes(b, &s->store[at].counts, rows, width, err);
    return check_bags(b, &s->store[at].counts, &rows->text[b->source[0]], rows->n, err);
}

static ilk_status check(const ilk_stats *s, const ilk_rows *rows, ilk_error *err) {
    if (rows->n && !rows->label)
        return ilk_fail(err, ILK_EARG, "the rows have no labels");
    for (size_t i = 0; i < rows->n; i++)
        if (rows->label[i] >= s->K)
            return ilk_fail(err, ILK_EDATA, "row %zu: %u is not a class", i, rows->label[i]);
    for (size_t i = 0; rows->weight && i < rows->n; i++)
        if (!isfinite(rows->weight[i]) || rows->weight[i] < 0)
            return ilk_fail(err, ILK_EDATA, "row %zu: a weight of %g", i, rows->weight[i]);
    for (size_t b = 0; rows->n && b < s->blocks.n; b++)
        ILK_TRY(check_block(s, b, rows, err));
    return ILK_OK;
}

/* ---- counts */

static ilk_count_rows count_rows(const ilk_stats *s, const ilk_block *b, const ilk_rows *rows) {
    ilk_count_rows r = {.label = rows->label, .weight = rows->weight, .n = rows->n};
    if (b->family->kind == ILK_TEXT) {
        r.bags = &rows->text[b->source[0]];
    } else {
        r.code = rows->code;
        r.stride = ilk_schema_width(s->schema, ILK_CATEGORY);
        r.source = b->source;
        r.table = b->family->layout == ILK_LAYOUT_TABLE;
    }
    return r;
}

/* May all rows be counted, without passing 2^53? */
static ilk_status check_room(const ilk_stats *s, const ilk_rows *rows, ilk_error *err) {
    bool full = false;
    double weight = 0;
    for (size_t i = 0; i < rows->n; i++)
        weight += rows->weight ? rows->weight[i] : 1;
    for (size_t k = 0; k < s->K; k++)
        full = full || ilk_count_overflows(s->rows[k], weight);
    for (size_t b = 0; !full && b < s->blocks.n; b++) {
        if (ilk_block_is_moments(&s->blocks.block[b]))
            continue;
        ilk_count_rows r = count_rows(s, &s->blocks.block[b], rows);
        full = ilk_counts_full(&s->store[b].counts, &r);
    }
    return full ? ilk_fail(err, ILK_EDATA, "a count would pass 2^53") : ILK_OK;
}

/* All rows to all counts, or, if memory ends, none. */
static ilk_status add_counts(ilk_stats *s, const ilk_rows *rows) {
    for (size_t b = 0; b < s->blocks.n; b++) {
        if (ilk_block_is_moments(&s->blocks.block[b]))
            continue;
        ilk_count_rows r = count_rows(s, &s->blocks.block[b], rows);
        size_t done = ilk_counts_add(&s->store[b].counts, &r);
        if (done == rows->n)
            continue;
        ilk_counts_undo(&s->store[b].counts, &r, done);
        while (b-- > 0) {
            if (ilk_block_is_moments(&s->blocks.block[b]))
                continue;
            r = count_rows(s, &s->blocks.block[b], rows);
            ilk_counts_undo(&s->store[b].counts, &r, rows->n);
        }
        return ILK_ENOMEM;
    }
    return ILK_OK;
}

/* ---- moments: rows of a chunk, grouped by class */

typedef struct grouping {
    size_t *start;     /* per class; all 0 between chunks */
    uint32_t *present; /* classes of this chunk, in order of appearance */
    size_t groups;
    uint32_t *row;  /* the chunk's rows, group after group */
    size_t *end;    /* where each group ends in row */
    double *X;      /* rows gathered, and three rows of scratch */
    double *w;      /* their weights */
} grouping;

static void grouping_free(grouping *g) {
    ilk_free(g->start);
    ilk_free(g->present);
    ilk_free(g->row);
    ilk_free(g->end);
    ilk_free(g->X);
    ilk_free(g->w);
}

static ilk_status grouping_new(grouping *g, const ilk_stats *s) {
    size_t d = ilk_schema_width(s->schema, ILK_REAL);
    *g = (grouping){
        .start = ilk_zalloc(s->K, sizeof *g->start),
        .present = ilk_alloc(CHUNK, sizeof *g->present),
        .row = ilk_alloc(CHUNK, sizeof *g->row),
        .end = ilk_alloc(CHUNK, sizeof *g->end),
        .X = ilk_alloc_aligned(CHUNK + 3, d * sizeof *g->X),
        .w = ilk_alloc(CHUNK, sizeof *g->w),
    };
    return g->start && g->present && g->row && g->end && g->X && g->w ? ILK_OK : ILK_ENOMEM;
}

static void group(grouping *g, const uint32_t *label, size_t n) {
    g->groups = 0;
    for (size_t i = 0; i < n; i++)
        if (g->start[label[i]]++ == 0)
            g->present[g->groups++] = label[i];
    size_t used = 0;
    for (size_t c = 0; c < g->groups; c++) {
        size_t count = g->start[g->present[c]];
        g->start[g->present[c]] = used;
        used += count;
        g->end[c] = used;
    }
    for (size_t i = 0; i < n; i++)
        g->row[g->start[label[i]]++] = (uint32_t)i;
    for (size_t c = 0; c < g->groups; c++)
        g->start[g->present[c]] = 0;
}

/* Copy the block's columns of the rows listed, and their weights; a full Gaussian takes complete rows only. Returns how many
 * were taken; *complete: none of them lacks a value. */
static size_t gather(grouping *g, const ilk_block *b, const ilk_rows *rows, size_t width, size_t from, const uint32_t *row,
                     size_t n, bool *complete) {
    bool full = b->family->layout == ILK_LAYOUT_FULL;
    size_t taken = 0;
    *complete = true;
    for (size_t i = 0; i < n; i++) {
        const double *values = rows->real + (from + row[i]) * width;
        double *x = g->X + taken * b->d;
        bool whole = true;
        for (size_t j = 0; j < b->d; j++) {
            x[j] = values[b->source[j]];
            whole = whole && !isnan(x[j]);
        }
        g->w[taken] = rows->weight ? rows->weight[from + row[i]] : 1;
        *complete = *complete && (whole || full);
        taken += whole || !full;
    }
    return taken;
}

static void add_moments(ilk_stats *s, const ilk_rows *rows, grouping *g) {
    size_t width = ilk_schema_width(s->schema, ILK_REAL);
    for (size_t from = 0; from < rows->n; from += CHUNK) {
        size_t n = rows->n - from < CHUNK ? rows->n - from : CHUNK;
        group(g, rows->label + from, n);
        for (size_t b = 0; b < s->blocks.n; b++) {
            if (!ilk_block_is_moments(&s->blocks.block[b]))
                continue;
            for (size_t c = 0, first = 0; c < g->groups; first = g->end[c++]) {
                bool complete;
                size_t taken = gather(g, &s->blocks.block[b], rows, width, from, g->row + first, g->end[c] - first,
                                      &complete);
                ilk_moments_add(&s->store[b].moments, g->present[c], g->X, rows->weight ? g->w : NULL, taken, complete);
            }
        }
    }
}

/* ---- together */

static ilk_status add(ilk_stats *s, const ilk_rows *rows, ilk_error *err) {
    grouping g;
    ilk_status status = grouping_new(&g, s);
    if (status == ILK_OK)
        status = add_counts(s, rows);
    if (status == ILK_OK) {
        add_moments(s, rows, &g);
        for (size_t i = 0; i < rows->n; i++) {
            double w = rows->weight ? rows->weight[i] : 1;
            s->rows[rows->label[i]] += w;
            s->weighted = s->weighted || w != floor(w);
        }
    }
    grouping_free(&g);
    return status == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

ilk_status ilk_stats_add(ilk_stats *stats, const ilk_rows *rows, ilk_error *err) {
    ILK_TRY(check(stats, rows, err));
    if (rows->n == 0)
        return ILK_OK;
    ILK_TRY(check_room(stats, rows, err));
    return add(stats, rows, err);
}

static ilk_status copy_keys(ilk_dict *to, const ilk_dict *from) {
    for (uint32_t i = 0, id; i < from->n; i++)
        ILK_TRY(ilk_dict_intern(to, from->entry[i].field, ilk_dict_key(from, i), &id));
    return ILK_OK;
}

/* Empty statistics that borrow schema, blocks and dictionaries: codes of `stats` are codes of the delta. A table's dictionary
 * is copied: its rows may be combinations that were never learnt. */
static ilk_status delta_new(ilk_stats *delta, const ilk_stats *stats) {
    *delta = (ilk_stats){.schema = stats->schema, .blocks = stats->blocks, .classes = stats->classes,
                         .weighted = stats->weighted};
    delta->store = ilk_zalloc(stats->blocks.n, sizeof *delta->store);
    delta->rows = ilk_zalloc(stats->K, sizeof *delta->rows);
    if (!delta->store || !delta->rows)
        return ILK_ENOMEM;
    for (size_t b = 0; b < stats->blocks.n; b++) {
        ilk_moments *m = &delta->store[b].moments;
        ilk_counts *c = &delta->store[b].counts;
        if (ilk_block_is_moments(&stats->blocks.block[b])) {
            ilk_moments_init(m, stats->store[b].moments.full, stats->store[b].moments.d);
            ILK_TRY(ilk_moments_grow(m, stats->K));
        } else {
            ilk_counts_init(c, stats->store[b].counts.fields);
            ILK_TRY(ilk_counts_grow(c, stats->K));
            if (stats->blocks.block[b].family->layout == ILK_LAYOUT_TABLE)
                ILK_TRY(copy_keys(&c->keys, &stats->store[b].counts.keys));
            else
                c->keys = stats->store[b].counts.keys;
        }
    }
    delta->K = stats->K;
    return ILK_OK;
}

static void delta_free(ilk_stats *delta) {
    for (size_t b = 0; delta->store && b < delta->blocks.n; b++) {
        if (ilk_block_is_moments(&delta->blocks.block[b])) {
            ilk_moments_free(&delta->store[b].moments);
        } else {
            if (delta->blocks.block[b].family->layout != ILK_LAYOUT_TABLE)
                delta->store[b].counts.keys = (ilk_dict){0};
            ilk_counts_free(&delta->store[b].counts);
        }
    }
    ilk_free(delta->store);
    ilk_free(delta->rows);
}

ilk_status ilk_stats_remove(ilk_stats *stats, const ilk_rows *rows, ilk_error *err) {
    ilk_stats delta;
    ILK_TRY(check(stats, rows, err));
    ilk_status status = delta_new(&delta, stats);
    if (status != ILK_OK)
        ilk_fail_memory(err);
    if (status == ILK_OK && rows->n)
        status = add(&delta, rows, err);
    if (status == ILK_OK)
        status = ilk_stats_subtract(stats, &delta, err);
    delta_free(&delta);
    return status;
}
