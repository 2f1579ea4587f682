/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c - what people should know of statistics before they trust a model of them: columns that never vary, and
 * classes that have no value of a column.
 *
 * Long lists are cut, so that a thousand columns do not bury what matters. Nothing depends on the order of rows:
 * columns come in theirs, and of several classes the first by bytes is named. */
#include "model/moments_record.h"
#include "model/stats.h"

#include <stdio.h>
#include <string.h>

enum { LISTED = 8 };

static bool number_varies(const ilk_moments *m, size_t K, size_t j) {
    size_t first = K;
    for (size_t k = 0; k < K; k++) {
        ilk_record p = ilk_record_of(m, k);
        if (!(ilk_moments_present(m, k, j) > 0))
            continue;
        if (first == K)
            first = k;
        if (p.S[j * p.step] > 0 || p.mean[j] != ilk_record_of(m, first).mean[j])
            return true;
    }
    return false;
}

static bool occurs(const ilk_counts *c, uint32_t id) {
    uint32_t slots;
    const ilk_cell *cell = ilk_counts_cells(c, id, &slots);
    for (uint32_t i = 0; i < slots; i++)
        if (cell[i].count > 0)
            return true;
    return false;
}

/* How many values each of the block's columns has, counted up to 2, for as many columns from `first` on as fit. One
 * pass over the keys serves them all, and nothing is allocated, so notes cannot fail. */
typedef struct values {
    size_t first;
    uint8_t of[16384];
} values;

static void count_values(values *v, const ilk_counts *c, size_t first) {
    *v = (values){.first = first};
    for (uint32_t id = 0; id < c->keys.n; id++) {
        size_t j = c->keys.entry[id].field - first; /* huge for one before `first` */
        if (j < sizeof v->of && v->of[j] < 2 && (ilk_counts_is_declared(c, id) || occurs(c, id)))
            v->of[j]++;
    }
}

/* To be called for every column of a block, in order: every 16,384th call counts the values of those to come. */
static bool category_varies(values *v, const ilk_counts *c, size_t j) {
    if (j % sizeof v->of == 0)
        count_values(v, c, j);
    return v->of[j - v->first] > 1;
}

static bool varies(values *v, const ilk_stats *s, size_t b, size_t j) {
    const ilk_block *block = &s->blocks.block[b];
    bool bins = block->transform && block->transform[j]->kind == ILK_BINS; /* the note on how they were made says it */
    if (block->family->kind == ILK_TEXT)
        return true;
    return (ilk_block_is_moments(block) ? number_varies(&s->store[b].moments, s->K, j)
                                        : category_varies(v, &s->store[b].counts, j)) ||
           bins;
}

static void note_constant(const ilk_stats *s, ilk_note_fn note, void *ctx) {
    char text[1024] = "";
    size_t used = 0, n = 0;
    values v = {0};
    for (size_t b = 0; b < s->blocks.n; b++)
        for (size_t j = 0; j < s->blocks.block[b].d; j++)
            if (!varies(&v, s, b, j) && n++ < LISTED)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", n > 1 ? ", " : "",
                                         ILK_SHOW(s->blocks.block[b].column[j]));
    if (n > LISTED)
        snprintf(text + used, sizeof text - used, " and %zu more", n - LISTED);
    char line[1200];
    snprintf(line, sizeof line, "column%s %s never var%s and say%s nothing", n > 1 ? "s" : "", text,
             n > 1 ? "y" : "ies", n > 1 ? "" : "s");
    if (n > 0)
        note(ctx, line);
}

/* The classes that have rows but no value of column j: how many, and the first of them by bytes. 0 if no class has one:
 * such a column never varies. */
static size_t bare_classes(const ilk_stats *s, const ilk_moments *m, size_t j, ilk_str *first) {
    size_t n = 0;
    for (uint32_t k = 0; k < s->K; k++) {
        ilk_str name = ilk_dict_key(&s->classes, k);
        if (!(s->rows[k] > 0) || ilk_moments_present(m, k, j) > 0)
            continue;
        if (n++ == 0 || ilk_str_compare(name, *first) < 0)
            *first = name;
    }
    return n < ilk_stats_classes(s) ? n : 0;
}

/* Of families that take such a class as all rows together: a full Gaussian refuses it. */
static void note_bare(const ilk_stats *s, ilk_note_fn note, void *ctx) {
    size_t n = 0;
    char line[400], more[40];
    ilk_str first = {"", 0};
    for (size_t b = 0; b < s->blocks.n; b++) {
        const ilk_block *block = &s->blocks.block[b];
        for (size_t j = 0; block->family->layout == ILK_LAYOUT_DIAGONAL && j < block->d; j++) {
            size_t bare = bare_classes(s, &s->store[b].moments, j, &first);
            if (bare == 0 || n++ >= LISTED)
                continue;
            more[0] = '\0';
            if (bare > 1)
                snprintf(more, sizeof more, " and %zu more", bare - 1);
            snprintf(line, sizeof line, "column %.*s has no value in class %.*s%s: it is taken to be as in all rows",
                     ILK_SHOW(block->column[j]), ILK_SHOW(first), more);
            note(ctx, line);
        }
    }
    snprintf(line, sizeof line, "%zu more columns have no value in some class", n - LISTED);
    if (n > LISTED)
        note(ctx, line);
}

void ilk_stats_notes(const ilk_stats *stats, ilk_note_fn note, void *ctx) {
    note_constant(stats, note, ctx);
    note_bare(stats, note, ctx);
}
