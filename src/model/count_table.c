/* SPDX-License-Identifier: Apache-2.0 */
/* count_table.c - the canonical form of counts: equal content, equal bytes, whatever the order of arrival.
 *
 * Keys are laid out in order, each with its cells in order of class. So a key's sums, by which it is chosen, do not
 * depend on the order of arrival either. */
#include "core/memory.h"
#include "model/counts.h"

#include <stdlib.h>
#include <string.h>

void ilk_count_table_free(ilk_count_table *t) {
    ilk_free(t->key);
    ilk_free(t->begin);
    ilk_free(t->cls);
    ilk_free(t->count);
    ilk_free(t->docs);
    ilk_free(t->present);
    *t = (ilk_count_table){0};
}

/* ---- keys in order */

static void put_cell(ilk_count_table *t, size_t at, const ilk_cell *cell) {
    t->cls[at] = cell->k;
    t->count[at] = cell->count;
    t->docs[at] = cell->docs;
}

static int by_class(const void *a, const void *b) {
    const ilk_cell *x = a, *y = b;
    return x->k < y->k ? -1 : x->k > y->k;
}

enum { FEW = 64 }; /* classes: a bit of a word for each */

/* Sort cells of up to FEW classes: put each at room[class], then collect them in the order of the bits of `met`. */
static void spread_cells(ilk_count_table *t, size_t first, size_t last, ilk_cell *room) {
    uint64_t met = 0;
    for (size_t at = first; at < last; at++) {
        room[t->cls[at]] = (ilk_cell){t->count[at], t->docs[at], t->cls[at]};
        met |= UINT64_C(1) << t->cls[at];
    }
    for (; met; met &= met - 1)
        put_cell(t, first++, &room[__builtin_ctzll(met)]);
}

/* Bring the cells from `first` to before `last` into the order of classes: few by insertion. */
static void sort_cells(ilk_count_table *t, size_t first, size_t last, ilk_cell *room) {
    size_t n = last - first;
    if (t->K <= FEW) {
        spread_cells(t, first, last, room);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ilk_cell cell = {t->count[first + i], t->docs[first + i], t->cls[first + i]};
        size_t at = i;
        for (; n <= 16 && at > 0 && room[at - 1].k > cell.k; at--)
            room[at] = room[at - 1];
        room[at] = cell;
    }
    if (n > 16)
        qsort(room, n, sizeof *room, by_class);
    for (size_t i = 0; i < n; i++)
        put_cell(t, first + i, &room[i]);
}

/* The cells of a key that count, with classes in the new numbering, from `first` on. Mostly they are in order. Returns
 * where they end. */
static size_t take_cells(ilk_count_table *t, size_t first, const ilk_counts *c, uint32_t id, const uint32_t *rank,
                         ilk_cell *room) {
    uint32_t slots;
    const ilk_cell *cell = ilk_counts_cells(c, id, &slots);
    size_t last = first;
    bool in_order = true;
    for (uint32_t i = 0; i < slots; i++) {
        if (cell[i].k == ILK_NONE || cell[i].count == 0 || rank[cell[i].k] == ILK_NONE)
            continue;
        put_cell(t, last, &(ilk_cell){cell[i].count, cell[i].docs, rank[cell[i].k]});
        in_order = in_order && (last == first || t->cls[last - 1] < t->cls[last]);
        last++;
    }
    if (!in_order)
        sort_cells(t, first, last, room);
    return last;
}

static double sum_of(const ilk_count_table *t, const double *of, size_t i) {
    double sum = 0;
    for (size_t at = t->begin[i]; at < t->begin[i + 1]; at++)
        sum += of[at];
    return sum;
}

/* Key `id` with its cells as number t->n. It stays if it is declared, or seen in rows enough. */
static void take_key(ilk_count_table *t, const ilk_counts *c, uint32_t id, const uint32_t *rank, size_t min_docs,
                     ilk_cell *room) {
    t->begin[t->n + 1] = take_cells(t, t->begin[t->n], c, id, rank, room);
    double docs = sum_of(t, t->docs, t->n);
    if (!ilk_counts_is_declared(c, id) && !(docs > 0 && (min_docs <= 1 || docs >= (double)min_docs)))
        return;
    t->key[t->n++] = id;
}

static ilk_status lay_out(ilk_count_table *t, const ilk_counts *c, const uint32_t *rank, size_t min_docs) {
    size_t keys = c->keys.n, cells = 0;
    for (size_t id = 0; id < c->runs; id++)
        cells += c->run[id].n;
    t->key = ilk_alloc(keys, sizeof *t->key);
    t->begin = ilk_alloc(keys + 1, sizeof *t->begin);
    t->cls = ilk_alloc(cells, sizeof *t->cls);
    t->count = ilk_alloc(cells, sizeof *t->count);
    t->docs = ilk_alloc(cells, sizeof *t->docs);
    ilk_cell *room = ilk_alloc(c->K, sizeof *room);
    ilk_status status =
        t->key && t->begin && t->cls && t->count && t->docs && room ? ilk_dict_sort(&c->keys, t->key) : ILK_ENOMEM;
    if (status == ILK_OK)
        t->begin[0] = 0;
    for (size_t i = 0; status == ILK_OK && i < keys; i++) {
        ilk_counts_prefetch(c, t->key + i, keys - i);
        take_key(t, c, t->key[i], rank, min_docs, room);
    }
    ilk_free(room);
    return status;
}

/* ---- the commonest of them */

/* Keep the `n` keys at these rising places. */
static void close_up(ilk_count_table *t, const uint32_t *place, size_t n) {
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        size_t first = t->begin[place[i]], cells = t->begin[place[i] + 1] - first;
        memmove(t->cls + to, t->cls + first, cells * sizeof *t->cls);
        memmove(t->count + to, t->count + first, cells * sizeof *t->count);
        memmove(t->docs + to, t->docs + first, cells * sizeof *t->docs);
        t->key[i] = t->key[place[i]];
        t->begin[i] = to;
        to += cells;
    }
    t->begin[n] = to;
    t->n = n;
}

typedef struct ranked {
    double count;
    uint32_t at; /* place in byte order, which breaks ties */
} ranked;

static int by_count(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int by_place(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Keep the `vocab` commonest, fewer than there are, still in order. */
static ilk_status keep_commonest(ilk_count_table *t, size_t vocab) {
    ranked *r = ilk_alloc(t->n, sizeof *r);
    uint32_t *place = ilk_alloc(vocab, sizeof *place);
    if (r && place) {
        for (size_t i = 0; i < t->n; i++)
            r[i] = (ranked){sum_of(t, t->count, i), (uint32_t)i};
        qsort(r, t->n, sizeof *r, by_count);
        for (size_t i = 0; i < vocab; i++)
            place[i] = r[i].at;
        qsort(place, vocab, sizeof *place, by_place);
        close_up(t, place, vocab);
    }
    ilk_status status = r && place ? ILK_OK : ILK_ENOMEM;
    ilk_free(r);
    ilk_free(place);
    return status;
}

static ilk_status copy_present(ilk_count_table *t, const ilk_counts *c, const uint32_t *rank) {
    size_t fields = c->fields;
    t->present = ilk_zalloc(t->K, fields * sizeof *t->present);
    if (!t->present)
        return ILK_ENOMEM;
    for (size_t k = 0; k < c->K; k++)
        for (size_t j = 0; j < fields && rank[k] != ILK_NONE; j++)
            t->present[rank[k] * fields + j] = c->margin[k * fields + j].present;
    return ILK_OK;
}

ilk_status ilk_count_table_new(ilk_count_table *out, const ilk_counts *c, const uint32_t *rank, size_t K,
                               size_t min_docs, size_t vocab) {
    *out = (ilk_count_table){.K = K};
    ilk_status status = lay_out(out, c, rank, min_docs);
    if (status == ILK_OK && vocab && vocab < out->n)
        status = keep_commonest(out, vocab);
    if (status == ILK_OK)
        status = copy_present(out, c, rank);
    if (status != ILK_OK)
        ilk_count_table_free(out);
    return status;
}
