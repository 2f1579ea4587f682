/* SPDX-License-Identifier: Apache-2.0 */
/* count_table.c - the canonical form of counts: equal content, equal bytes, whatever the order of arrival.
 *
 * Cells are put in order by two counting sorts, by class and then, stably, by key: linear in their number. */
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
    ilk_free(t->total);
    *t = (ilk_count_table){0};
}

/* What choosing and sorting need. */
typedef struct work {
    const ilk_counts *c;
    const uint32_t *rank;
    double *count, *docs; /* per key id, over all classes kept */
    uint32_t *place;      /* per key id: its place in the table, or ILK_NONE */
    size_t *by_class;     /* cells in order of class */
    size_t *start;        /* counting */
    size_t live;          /* cells that count */
} work;

static void work_free(work *w) {
    ilk_free(w->count);
    ilk_free(w->docs);
    ilk_free(w->place);
    ilk_free(w->by_class);
    ilk_free(w->start);
}

static uint32_t id_of(const ilk_cell *cell) {
    return (uint32_t)(cell->key >> 32);
}

/* The class of a cell in the new numbering; ILK_NONE if the slot is empty, or the cell or class gone. */
static uint32_t class_of(const work *w, size_t i) {
    const ilk_cell *cell = &w->c->cell[i];
    return cell->key == UINT64_MAX || cell->count == 0 ? ILK_NONE : w->rank[(uint32_t)cell->key];
}

static ilk_status add_up(work *w) {
    size_t n = w->c->keys.n;
    w->count = ilk_zalloc(n, sizeof *w->count);
    w->docs = ilk_zalloc(n, sizeof *w->docs);
    w->place = ilk_alloc(n, sizeof *w->place);
    if (!w->count || !w->docs || !w->place)
        return ILK_ENOMEM;
    for (size_t i = 0; i < w->c->slots; i++) {
        if (class_of(w, i) == ILK_NONE)
            continue;
        w->count[id_of(&w->c->cell[i])] += w->c->cell[i].count;
        w->docs[id_of(&w->c->cell[i])] += w->c->cell[i].docs;
    }
    for (size_t id = 0; id < n; id++)
        w->place[id] = ILK_NONE;
    return ILK_OK;
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
    const ranked *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Of t->key keep the `vocab` commonest, still in byte order. */
static ilk_status keep_commonest(ilk_count_table *t, const work *w, size_t vocab) {
    ranked *r = ilk_alloc(t->n, sizeof *r);
    if (!r)
        return ILK_ENOMEM;
    for (size_t i = 0; i < t->n; i++)
        r[i] = (ranked){w->count[t->key[i]], (uint32_t)i};
    qsort(r, t->n, sizeof *r, by_count);
    qsort(r, vocab, sizeof *r, by_place);
    for (size_t i = 0; i < vocab; i++)
        t->key[i] = t->key[r[i].at]; /* r rises, so nothing is overwritten before it is read */
    t->n = vocab;
    ilk_free(r);
    return ILK_OK;
}

static ilk_status choose(ilk_count_table *t, work *w, size_t min_docs, size_t vocab) {
    t->key = ilk_alloc(w->c->keys.n, sizeof *t->key);
    if (!t->key || ilk_dict_sort(&w->c->keys, t->key) != ILK_OK)
        return ILK_ENOMEM;
    for (size_t i = 0; i < w->c->keys.n; i++)
        if (ilk_counts_is_declared(w->c, t->key[i]) ||
            (w->docs[t->key[i]] > 0 && w->docs[t->key[i]] >= (double)min_docs))
            t->key[t->n++] = t->key[i];
    if (vocab && vocab < t->n)
        ILK_TRY(keep_commonest(t, w, vocab));
    for (size_t i = 0; i < t->n; i++)
        w->place[t->key[i]] = (uint32_t)i;
    return ILK_OK;
}

/* Turn counts per bucket into the first place of each; start has buckets + 1 entries, counted one further on. */
static void first_places(size_t *start, size_t buckets) {
    for (size_t i = 0; i < buckets; i++)
        start[i + 1] += start[i];
}

static ilk_status sort_by_class(work *w, size_t K) {
    w->start = ilk_zalloc(K + 1, sizeof *w->start);
    w->by_class = ilk_alloc(w->c->cells, sizeof *w->by_class);
    if (!w->start || !w->by_class)
        return ILK_ENOMEM;
    for (int placing = 0; placing <= 1; placing++) {
        for (size_t i = 0; i < w->c->slots; i++) {
            uint32_t k = class_of(w, i);
            if (k == ILK_NONE || w->place[id_of(&w->c->cell[i])] == ILK_NONE)
                continue;
            if (placing)
                w->by_class[w->start[k]++] = i;
            else
                w->start[k + 1]++;
        }
        if (!placing)
            first_places(w->start, K);
    }
    w->live = K ? w->start[K - 1] : 0; /* placing moved each start to the next one's */
    return ILK_OK;
}

static ilk_status sort_by_key(ilk_count_table *t, work *w) {
    t->begin = ilk_zalloc(t->n + 2, sizeof *t->begin);
    t->cls = ilk_alloc(w->live, sizeof *t->cls);
    t->count = ilk_alloc(w->live, sizeof *t->count);
    t->docs = ilk_alloc(w->live, sizeof *t->docs);
    if (!t->begin || !t->cls || !t->count || !t->docs)
        return ILK_ENOMEM;
    size_t *next = t->begin + 1; /* begin[i + 1] serves as the running place of key i, and ends as key i + 1's first */
    for (size_t i = 0; i < w->live; i++)
        t->begin[w->place[id_of(&w->c->cell[w->by_class[i]])] + 2]++;
    first_places(next, t->n);
    for (size_t i = 0; i < w->live; i++) {
        const ilk_cell *cell = &w->c->cell[w->by_class[i]];
        size_t to = next[w->place[id_of(cell)]]++;
        t->cls[to] = class_of(w, w->by_class[i]);
        t->count[to] = cell->count;
        t->docs[to] = cell->docs;
    }
    return ILK_OK;
}

static ilk_status copy_margins(ilk_count_table *t, const work *w) {
    size_t fields = w->c->fields;
    t->present = ilk_zalloc(t->K, fields * sizeof *t->present);
    t->total = ilk_zalloc(t->K, fields * sizeof *t->total);
    if (!t->present || !t->total)
        return ILK_ENOMEM;
    for (size_t k = 0; k < w->c->K; k++) {
        for (size_t j = 0; j < fields && w->rank[k] != ILK_NONE; j++) {
            t->present[w->rank[k] * fields + j] = w->c->margin[k * fields + j].present;
            t->total[w->rank[k] * fields + j] = w->c->margin[k * fields + j].total;
        }
    }
    return ILK_OK;
}

ilk_status ilk_count_table_new(ilk_count_table *out, const ilk_counts *c, const uint32_t *rank, size_t K,
                               size_t min_docs, size_t vocab) {
    work w = {.c = c, .rank = rank};
    *out = (ilk_count_table){.K = K};
    ilk_status status = add_up(&w);
    if (status == ILK_OK)
        status = choose(out, &w, min_docs, vocab);
    if (status == ILK_OK)
        status = sort_by_class(&w, K);
    if (status == ILK_OK)
        status = sort_by_key(out, &w);
    if (status == ILK_OK)
        status = copy_margins(out, &w);
    work_free(&w);
    if (status != ILK_OK)
        ilk_count_table_free(out);
    return status;
}
