/* SPDX-License-Identifier: Apache-2.0 */
/* counts_unite.c - the counts of several threads become one store, in the order in which it will be estimated from and
 * saved: keys sorted, and each key's cells behind those of the key before. Ranges of keys can be united by several
 * threads and put one behind the other; what comes of it is the same. */
#include "core/memory.h"
#include "model/learn.h"

#include <string.h>

/* The cells of one key, summed up over the parts. */
typedef struct pile {
    ilk_cell *cell;  /* n, of different classes */
    uint32_t *place; /* per class: where its cell may be. Believed only if it is there */
    uint32_t n;
} pile;

static void put_on(pile *p, uint32_t k, double count, double docs) {
    uint32_t at = p->place[k];
    if (at >= p->n || p->cell[at].k != k) {
        at = p->place[k] = p->n++;
        p->cell[at] = (ilk_cell){.k = k};
    }
    p->cell[at].count += count;
    p->cell[at].docs += docs;
}

static void take_cells(pile *p, const ilk_counts_part *part, uint32_t key) {
    uint32_t slots;
    const ilk_cell *cell = ilk_counts_cells(part->from, key, &slots);
    for (uint32_t i = 0; i < slots; i++)
        if (cell[i].k != ILK_NONE)
            put_on(p, part->map[cell[i].k], cell[i].count, cell[i].docs);
}

/* Counts that still wait are not yet in the margins, so they are added there too. Keys interned after the waiting table
 * was last widened have no cells in it. */
static void take_waiting(ilk_counts *c, pile *p, const ilk_counts_part *part, uint32_t key) {
    const ilk_dense *t = &part->waiting->table;
    for (size_t k = 0; key < t->keys && k < t->K; k++) {
        uint64_t cell = *ilk_dense_at(t, key, k);
        if (cell == 0)
            continue;
        put_on(p, part->map[k], (double)(uint32_t)cell, (double)(cell >> 32));
        c->margin[part->map[k]].total += (double)(uint32_t)cell;
    }
}

ILK_PREFETCHES prefetch_ahead(const ilk_counts_part *part, const ilk_dict_rank *order, size_t left) {
    if (left <= ILK_COUNTS_FAR)
        return;
    uint32_t near = order[ILK_COUNTS_NEAR].id;
    ilk_counts_prefetch_key(part->from, order[ILK_COUNTS_FAR].id, near);
    if (part->waiting)
        ILK_PREFETCH(part->waiting->table.cell, near * part->waiting->table.next_key * sizeof(uint64_t), 0);
}

/* Key `id` of the whole is the next of the part, if the part has it. */
static ilk_status take_key(ilk_counts *c, pile *p, const ilk_counts_part *part, size_t *next, uint32_t id) {
    size_t left = part->keys.n - *next;
    if (left == 0 || part->keys.id[*next] != id)
        return ILK_OK;
    const ilk_dict_rank *order = part->keys.order + (*next)++;
    prefetch_ahead(part, order, left);
    take_cells(p, part, order->id);
    if (part->waiting)
        take_waiting(c, p, part, order->id);
    return ilk_counts_is_declared(part->from, order->id) ? ilk_counts_declare_id(c, id) : ILK_OK;
}

/* Cells of a part, also those that wait. */
static size_t cells_of(const ilk_counts_part *part) {
    const ilk_dense *t = part->waiting ? &part->waiting->table : NULL;
    size_t cells = part->from->used;
    for (size_t i = 0; t && i < t->keys * t->K; i++)
        cells += t->cell[i] != 0;
    return cells;
}

ilk_status ilk_counts_expect_parts(ilk_counts *c, const ilk_counts_part *part, size_t n) {
    size_t keys = 0, bytes = 0, cells = 0;
    for (size_t i = 0; i < n; i++) {
        keys += part[i].keys.n;
        bytes += part[i].from->keys.text.n;
        cells += part[i].cells;
    }
    ILK_TRY(ilk_dict_expect(&c->keys, keys, bytes));
    return ilk_counts_expect(c, cells);
}

static ilk_status add_keys(ilk_counts *c, pile *p, const ilk_counts_part *part, size_t n, size_t *next) {
    size_t cells = 0;
    for (size_t i = 0; i < n; i++)
        cells += part[i].cells;
    ILK_TRY(ilk_counts_expect(c, cells));
    for (uint32_t id = 0; id < c->keys.n; id++) {
        p->n = 0;
        for (size_t i = 0; i < n; i++)
            ILK_TRY(take_key(c, p, &part[i], &next[i], id));
        ILK_TRY(ilk_counts_put(c, id, p->cell, p->n));
    }
    return ILK_OK;
}

/* Of tokens that wait only the number in all parts is known here; it alone must leave room below 2^53. */
ilk_status ilk_counts_unite_margins(ilk_counts *c, ilk_counts_part *part, size_t n, ilk_count_place *where) {
    double tokens = 0;
    for (size_t i = 0; i < n; i++) {
        if (ilk_counts_would_overflow(c, part[i].from, part[i].map, where))
            return ILK_EDATA;
        ilk_counts_add_margins(c, part[i].from, part[i].map);
        const ilk_gathered *g = part[i].waiting;
        for (size_t k = 0; g && k < g->table.K; k++)
            c->margin[part[i].map[k]].present += (double)g->table.rows[k];
        tokens += g ? g->table.tokens : 0;
        part[i].cells = cells_of(&part[i]);
    }
    return ilk_counts_full(c, NULL, 0, tokens, where) ? ILK_EDATA : ILK_OK;
}

/* Keys of one field and head stay together: what is equal is in the same range of all stores. */
void ilk_counts_cut(ilk_counts_part *range, size_t ranges, const ilk_counts_part *part, size_t n) {
    const ilk_dict_part *most = &part[0].keys;
    for (size_t i = 1; i < n; i++)
        most = part[i].keys.n > most->n ? &part[i].keys : most;
    for (size_t i = 0; i < n; i++) {
        const ilk_dict_part *all = &part[i].keys;
        for (size_t r = 0, first = 0, last; r < ranges; r++, first = last) {
            last = r + 1 < ranges ? ilk_dict_before(all, &most->order[most->n * (r + 1) / ranges]) : all->n;
            range[r * n + i] = part[i];
            range[r * n + i].keys = (ilk_dict_part){all->from, all->order + first, all->id + first, last - first};
            range[r * n + i].cells = part[i].cells / ranges;
        }
    }
}

ilk_status ilk_counts_unite(ilk_counts *c, const ilk_counts_part *part, size_t n) {
    pile p = {ilk_alloc(c->K, sizeof *p.cell), ilk_zalloc(c->K, sizeof *p.place), 0};
    size_t *next = ilk_zalloc(n, sizeof *next);
    ilk_dict_part *keys = ilk_alloc(n, sizeof *keys);
    for (size_t i = 0; keys && i < n; i++)
        keys[i] = part[i].keys;
    ilk_status status = p.cell && p.place && next && keys ? ilk_dict_merge(&c->keys, keys, n) : ILK_ENOMEM;
    if (status == ILK_OK)
        status = add_keys(c, &p, part, n, next);
    ilk_free(p.cell);
    ilk_free(p.place);
    ilk_free(next);
    ilk_free(keys);
    return status;
}

ilk_status ilk_counts_append(ilk_counts *c, const ilk_counts *from) {
    size_t keys = c->keys.n, used = c->used;
    if (from->used > UINT32_MAX - used)
        return ILK_ENOMEM;
    ILK_TRY(ilk_dict_append(&c->keys, &from->keys));
    ILK_TRY(ilk_counts_expect(c, used + from->used));
    if (from->used)
        memcpy(c->cell + used, from->cell, from->used * sizeof *c->cell);
    c->used += from->used;
    for (uint32_t id = 0; id < from->keys.n; id++) {
        c->run[keys + id] = from->run[id];
        c->run[keys + id].at += (uint32_t)used;
        if (ilk_counts_is_declared(from, id))
            ILK_TRY(ilk_counts_declare_id(c, (uint32_t)keys + id));
    }
    for (size_t i = 0; i < c->K * c->fields; i++)
        c->margin[i].total += from->margin[i].total;
    return ILK_OK;
}

void ilk_counts_trim(ilk_counts *c) {
    ilk_shrink(&c->cell, &c->cells_cap, c->used, sizeof *c->cell);
    ilk_dict_trim(&c->keys);
}
