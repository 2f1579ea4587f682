/* SPDX-License-Identifier: Apache-2.0 */
/* grouping.c - the moments of a chunk of rows, class by class. */
#include "core/memory.h"
#include "model/learn.h"

#include <math.h>
#include <string.h>

ilk_status ilk_grouping_new(ilk_grouping *g, const ilk_stats *s) {
    size_t d = ilk_schema_width(s->schema, ILK_REAL);
    *g = (ilk_grouping){
        .number = ilk_zalloc(s->K, sizeof *g->number),
        .cls = ilk_alloc(ILK_LEARN_CHUNK, sizeof *g->cls),
        .row = ilk_alloc(ILK_LEARN_CHUNK, sizeof *g->row),
        .end = ilk_alloc(ILK_LEARN_CHUNK, sizeof *g->end),
        .X = ilk_alloc_aligned(ILK_LEARN_CHUNK, d * sizeof *g->X),
        .w = ilk_alloc(ILK_LEARN_CHUNK, sizeof *g->w),
        .scratch = ilk_alloc_aligned(ilk_moments_scratch(ILK_LEARN_CHUNK, d), sizeof *g->scratch),
        .part = ilk_zalloc(s->blocks.n, sizeof *g->part),
    };
    if (!g->number || !g->cls || !g->row || !g->end || !g->X || !g->w || !g->scratch || !g->part)
        return ILK_ENOMEM;
    for (size_t b = 0; b < s->blocks.n; b++)
        if (ilk_block_is_moments(&s->blocks.block[b]))
            ilk_moments_init(&g->part[b], s->store[b].moments.full, s->blocks.block[b].d);
    return ILK_OK;
}

void ilk_grouping_free(ilk_grouping *g, const ilk_stats *s) {
    for (size_t b = 0; g->part && b < s->blocks.n; b++)
        if (ilk_block_is_moments(&s->blocks.block[b]))
            ilk_moments_free(&g->part[b]);
    ilk_free(g->number);
    ilk_free(g->cls);
    ilk_free(g->row);
    ilk_free(g->end);
    ilk_free(g->X);
    ilk_free(g->w);
    ilk_free(g->scratch);
    ilk_free(g->part);
}

/* Number the classes as they appear, and list the rows of each. */
static void group(ilk_grouping *g, const uint32_t *label, size_t n) {
    size_t used = 0;
    g->groups = 0;
    for (size_t i = 0; i < n; i++) {
        if (g->number[label[i]] == 0) {
            g->end[g->groups] = 0;
            g->cls[g->groups] = label[i];
            g->number[label[i]] = (uint32_t)++g->groups;
        }
        g->end[g->number[label[i]] - 1]++;
    }
    for (size_t c = 0; c < g->groups; c++) { /* counts become first places, which placing moves to the ends */
        size_t count = g->end[c];
        g->end[c] = used;
        used += count;
    }
    for (size_t i = 0; i < n; i++)
        g->row[g->end[g->number[label[i]] - 1]++] = (uint32_t)i;
    for (size_t c = 0; c < g->groups; c++)
        g->number[g->cls[c]] = 0;
}

/* Is any of these numbers infinite or NaN? Their exponent is all ones, and overflows when one is added. */
static bool any_not_finite(const double *x, size_t d) {
    const uint64_t exponent = UINT64_C(0x7FF0000000000000), one = UINT64_C(1) << 52;
    uint64_t found = 0;
    for (size_t j = 0; j < d; j++) {
        uint64_t bits;
        memcpy(&bits, &x[j], sizeof bits);
        found |= (bits & exponent) + one;
    }
    return found >> 63;
}

/* Copy the block's columns of the rows listed, and their weights; a full Gaussian takes complete rows only. *taken is
 * how many were; *complete: none of them lacks a value. */
static ilk_status gather(ilk_grouping *g, const ilk_block *b, const ilk_rows *rows, size_t width, size_t from,
                         const uint32_t *row, size_t n, size_t *taken, bool *complete, ilk_error *err) {
    bool full = b->family->layout == ILK_LAYOUT_FULL, all = b->d == width;
    *taken = 0;
    *complete = true;
    for (size_t i = 0; i < n; i++) {
        const double *values = rows->real + (from + row[i]) * width;
        double *x = g->X + *taken * b->d;
        bool whole = true;
        if (all)
            memcpy(x, values, width * sizeof *x);
        else
            for (size_t j = 0; j < b->d; j++)
                x[j] = values[b->source[j]];
        if (b->family->accepts || any_not_finite(x, b->d)) {
            for (size_t j = 0; j < b->d; j++) {
                ILK_TRY(ilk_block_check_real(b, j, x[j], from + row[i], err));
                whole = whole && !isnan(x[j]);
            }
        }
        g->w[*taken] = rows->weight ? rows->weight[from + row[i]] : 1;
        *complete = *complete && (whole || full);
        *taken += whole || !full;
    }
    return ILK_OK;
}

static ilk_status learn_block(ilk_grouping *g, const ilk_stats *s, size_t at, const ilk_rows *rows, size_t first,
                              ilk_error *err) {
    ilk_moments *part = &g->part[at];
    if (ilk_moments_grow(part, g->groups) != ILK_OK)
        return ilk_fail_memory(err);
    ilk_moments_clear(part);
    for (size_t c = 0, begin = 0; c < g->groups; begin = g->end[c++]) {
        bool complete;
        size_t taken;
        ILK_TRY(gather(g, &s->blocks.block[at], rows, ilk_schema_width(s->schema, ILK_REAL), first, g->row + begin,
                       g->end[c] - begin, &taken, &complete, err));
        ilk_moments_add(part, c, g->X, rows->weight ? g->w : NULL, taken, complete, g->scratch);
    }
    return ILK_OK;
}

ilk_status ilk_grouping_learn(ilk_grouping *g, const ilk_stats *s, const ilk_rows *rows, size_t first, size_t n,
                              ilk_error *err) {
    group(g, rows->label + first, n);
    for (size_t b = 0; b < s->blocks.n; b++)
        if (ilk_block_is_moments(&s->blocks.block[b]))
            ILK_TRY(learn_block(g, s, b, rows, first, err));
    return ILK_OK;
}
