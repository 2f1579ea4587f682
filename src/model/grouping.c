/* SPDX-License-Identifier: Apache-2.0 */
/* grouping.c - the moments of a chunk of rows, class by class. Most chunks are learnt as they stand in the caller's
 * matrix, in one pass; those with weights or missing values are copied, and checked value by value. */
#include "core/least.h"
#include "core/memory.h"
#include "model/learn.h"

#include <math.h>
#include <string.h>

/* The most that any of the blocks asks for. */
static size_t scratch_size(const ilk_stats *s, size_t n) {
    size_t most = 0;
    for (size_t b = 0; b < s->blocks.n; b++)
        if (ilk_block_is_moments(&s->blocks.block[b]))
            most = ilk_most(most, ilk_moments_scratch(&s->store[b].moments, ilk_least(n, s->K), n));
    return most;
}

ilk_status ilk_grouping_new(ilk_grouping *g, const ilk_stats *s, size_t n) {
    size_t d = ilk_schema_width(s->schema, ILK_REAL);
    *g = (ilk_grouping){
        .number = ilk_zalloc(s->K, sizeof *g->number),
        .cls = ilk_alloc(n, sizeof *g->cls),
        .groups = {.of = ilk_alloc(n, sizeof *g->groups.of), .end = ilk_alloc(n, sizeof *g->groups.end)},
        .row = ilk_alloc(n, sizeof *g->row),
        .place = ilk_alloc(n, sizeof *g->place),
        .X = ilk_alloc_aligned(n, d * sizeof *g->X),
        .w = ilk_alloc(n, sizeof *g->w),
        .scratch = ilk_alloc_aligned(scratch_size(s, n), sizeof *g->scratch),
        .part = ilk_zalloc(s->blocks.n, sizeof *g->part),
    };
    if (!g->number || !g->cls || !g->groups.of || !g->row || !g->groups.end || !g->place || !g->X || !g->w ||
        !g->scratch || !g->part)
        return ILK_ENOMEM;
    for (size_t b = 0; b < s->blocks.n; b++)
        if (ilk_block_is_moments(&s->blocks.block[b]))
            ilk_moments_init_like(&g->part[b], &s->store[b].moments);
    return ILK_OK;
}

void ilk_grouping_free(ilk_grouping *g, const ilk_stats *s) {
    for (size_t b = 0; g->part && b < s->blocks.n; b++)
        if (ilk_block_is_moments(&s->blocks.block[b]))
            ilk_moments_free(&g->part[b]);
    ilk_free(g->number);
    ilk_free(g->cls);
    ilk_free(g->groups.of);
    ilk_free(g->row);
    ilk_free(g->groups.end);
    ilk_free(g->place);
    ilk_free(g->X);
    ilk_free(g->w);
    ilk_free(g->scratch);
    ilk_free(g->part);
}

/* Number the classes as they appear, and find where the list of each one's rows would end. */
static void group(ilk_grouping *g, const uint32_t *label, size_t n) {
    ilk_groups *to = &g->groups;
    to->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (g->number[label[i]] == 0) {
            to->end[to->n] = 0;
            g->cls[to->n] = label[i];
            g->number[label[i]] = (uint32_t)++to->n;
        }
        to->of[i] = g->number[label[i]] - 1;
        to->end[to->of[i]]++;
    }
    for (size_t c = 1; c < to->n; c++)
        to->end[c] += to->end[c - 1];
    for (size_t c = 0; c < to->n; c++)
        g->number[g->cls[c]] = 0;
    g->listed = false;
}

/* List the rows of each class. From the last row on, so that places are taken from the ends. */
static void list_rows(ilk_grouping *g, size_t n) {
    const ilk_groups *of = &g->groups;
    if (g->listed)
        return;
    memcpy(g->place, of->end, of->n * sizeof *g->place);
    for (size_t i = n; i-- > 0;)
        g->row[--g->place[of->of[i]]] = (uint32_t)i;
    g->listed = true;
}

/* ---- chunks as they are */

static ilk_status check_accepted(const ilk_block *b, const double *X, size_t first, size_t n, ilk_error *err) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < b->d; j++)
            ILK_TRY(ilk_block_check_real(b, j, X[i * b->d + j], first + i, err));
    return ILK_OK;
}

/* Weights of 1 are none, to the bit. */
static bool all_weigh_one(const double *weight, size_t n) {
    for (size_t i = 0; weight && i < n; i++)
        if (weight[i] != 1)
            return false;
    return true;
}

/* *done is false where the rows have to be gone through one by one. */
static ilk_status learn_at_once(ilk_grouping *g, const ilk_block *b, ilk_moments *part, const ilk_rows *rows,
                                size_t width, size_t first, size_t n, bool *done, ilk_error *err) {
    if (b->transform) /* each value is looked at, before it is transformed */
        return ILK_OK;
    const double *X = ilk_block_reals(b, rows, width, first, n, g->X);
    if (b->family->accepts)
        ILK_TRY(check_accepted(b, X, first, n, err));
    *done = all_weigh_one(rows->weight ? rows->weight + first : NULL, n) &&
            ilk_moments_learn(part, X, n, &g->groups, g->scratch);
    return ILK_OK;
}

/* ---- rows one by one */

/* Copy the block's columns of the rows listed, and their weights; a full Gaussian takes complete rows only. *taken is
 * how many were; *complete: none of them lacks a value. */
static ilk_status gather(ilk_grouping *g, const ilk_block *b, const ilk_rows *rows, size_t width, size_t from,
                         const uint32_t *row, size_t n, size_t *taken, bool *complete, ilk_error *err) {
    bool full = b->family->layout == ILK_LAYOUT_FULL;
    *taken = 0;
    *complete = true;
    for (size_t i = 0; i < n; i++) {
        double *x = g->X + *taken * b->d;
        bool whole = true;
        ilk_block_copy(x, b, rows, width, from + row[i]);
        for (size_t j = 0; j < b->d; j++) {
            ILK_TRY(ilk_block_check_real(b, j, x[j], from + row[i], err));
            whole = whole && !isnan(x[j]);
        }
        ilk_block_transform(b, x, 1);
        g->w[*taken] = rows->weight ? rows->weight[from + row[i]] : 1;
        *complete = *complete && (whole || full);
        *taken += whole || !full;
    }
    return ILK_OK;
}

static ilk_status learn_block(ilk_grouping *g, const ilk_stats *s, size_t at, const ilk_rows *rows, size_t first,
                              size_t n, ilk_error *err) {
    const ilk_block *b = &s->blocks.block[at];
    ilk_moments *part = &g->part[at];
    size_t width = ilk_schema_width(s->schema, ILK_REAL);
    bool done = false;
    ilk_moments_empty(part);
    if (ilk_moments_grow(part, g->groups.n) != ILK_OK)
        return ilk_stats_fail_to_grow(s, g->groups.n, err);
    ILK_TRY(learn_at_once(g, b, part, rows, width, first, n, &done, err));
    if (done)
        return ILK_OK;
    ilk_moments_clear(part);
    list_rows(g, n);
    for (size_t c = 0, begin = 0; c < g->groups.n; begin = g->groups.end[c++]) {
        bool complete;
        size_t taken;
        ILK_TRY(gather(g, b, rows, width, first, g->row + begin, g->groups.end[c] - begin, &taken, &complete, err));
        ilk_moments_add(part, c, g->X, rows->weight ? g->w : NULL, taken, complete, g->scratch);
    }
    return ILK_OK;
}

ilk_status ilk_grouping_learn(ilk_grouping *g, const ilk_stats *s, const ilk_rows *rows, size_t first, size_t n,
                              ilk_error *err) {
    group(g, rows->label + first, n);
    for (size_t b = 0; b < s->blocks.n; b++)
        if (ilk_block_is_moments(&s->blocks.block[b]))
            ILK_TRY(learn_block(g, s, b, rows, first, n, err));
    return ILK_OK;
}
