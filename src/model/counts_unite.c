/* SPDX-License-Identifier: Apache-2.0 */
/* counts_unite.c - the counts of several threads become one store, in the order in which it will be estimated from and
 * saved: keys sorted, and each key's cells behind those of the key before. */
#include "core/memory.h"
#include "model/learn.h"

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

/* What waits is in no margin yet. Keys that have come since it began to have no cells there. */
static void take_waiting(ilk_counts *c, pile *p, const ilk_counts_part *part, uint32_t key) {
    const ilk_dense *t = &part->waiting->table;
    for (size_t k = 0; key < t->keys && k < t->K; k++) {
        uint64_t cell = t->cell[key * t->K + k];
        if (cell == 0)
            continue;
        put_on(p, part->map[k], (double)(uint32_t)cell, (double)(cell >> 32));
        c->margin[part->map[k]].total += (double)(uint32_t)cell;
    }
}

/* Inlined, or gcc would take a function that only asks for one without effect, and leave it out. */
static inline __attribute__((always_inline)) void ask_ahead(const ilk_counts_part *part, const ilk_dict_rank *order,
                                                            size_t left) {
    if (left <= ILK_COUNTS_FAR)
        return;
    uint32_t near = order[ILK_COUNTS_NEAR].id;
    ilk_counts_ask_for(part->from, order[ILK_COUNTS_FAR].id, near);
    if (part->waiting)
        __builtin_prefetch(&part->waiting->table.cell[near * part->waiting->table.K]);
}

/* Key `id` of the whole is the next of the part, if the part has it. */
static ilk_status take_key(ilk_counts *c, pile *p, const ilk_counts_part *part, size_t *next, uint32_t id) {
    size_t left = part->from->keys.n - *next;
    if (left == 0 || part->keys.id[*next] != id)
        return ILK_OK;
    const ilk_dict_rank *order = part->keys.order + (*next)++;
    ask_ahead(part, order, left);
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

static ilk_status add_keys(ilk_counts *c, pile *p, const ilk_counts_part *part, size_t n, size_t *next) {
    size_t cells = 0;
    for (size_t i = 0; i < n; i++)
        cells += cells_of(&part[i]);
    ILK_TRY(ilk_counts_expect(c, cells));
    for (uint32_t id = 0; id < c->keys.n; id++) {
        p->n = 0;
        for (size_t i = 0; i < n; i++)
            ILK_TRY(take_key(c, p, &part[i], &next[i], id));
        ILK_TRY(ilk_counts_put(c, id, p->cell, p->n));
    }
    ilk_shrink(&c->cell, &c->cells_cap, c->used, sizeof *c->cell);
    return ILK_OK;
}

static ilk_status add_margins(ilk_counts *c, const ilk_counts_part *part, ilk_count_place *where) {
    if (ilk_counts_would_overflow(c, part->from, part->map, where))
        return ILK_EDATA;
    for (size_t k = 0; k < part->from->K; k++) {
        for (size_t j = 0; j < c->fields; j++) {
            const ilk_margin *from = &part->from->margin[k * c->fields + j];
            ilk_margin *to = &c->margin[part->map[k] * c->fields + j];
            to->present += from->present;
            to->total += from->total;
        }
    }
    return ILK_OK;
}

/* Tokens that wait are told by how many they are in all. */
static ilk_status add_all_margins(ilk_counts *c, const ilk_counts_part *part, size_t n, ilk_count_place *where) {
    double tokens = 0;
    for (size_t i = 0; i < n; i++) {
        ILK_TRY(add_margins(c, &part[i], where));
        const ilk_gathered *g = part[i].waiting;
        for (size_t k = 0; g && k < g->table.K; k++)
            c->margin[part[i].map[k]].present += (double)g->table.rows[k];
        tokens += g ? g->table.tokens : 0;
    }
    return ilk_counts_full(c, NULL, 0, tokens, where) ? ILK_EDATA : ILK_OK;
}

ilk_status ilk_counts_unite(ilk_counts *c, const ilk_counts_part *part, size_t n, ilk_count_place *where) {
    pile p = {ilk_alloc(c->K, sizeof *p.cell), ilk_zalloc(c->K, sizeof *p.place), 0};
    size_t *next = ilk_zalloc(n, sizeof *next);
    ilk_dict_part *keys = ilk_alloc(n, sizeof *keys);
    for (size_t i = 0; keys && i < n; i++)
        keys[i] = part[i].keys;
    ilk_status status = p.cell && p.place && next && keys ? ILK_OK : ILK_ENOMEM;
    if (status == ILK_OK)
        status = add_all_margins(c, part, n, where);
    if (status == ILK_OK)
        status = ilk_dict_merge(&c->keys, keys, n);
    if (status == ILK_OK)
        status = add_keys(c, &p, part, n, next);
    ilk_free(p.cell);
    ilk_free(p.place);
    ilk_free(next);
    ilk_free(keys);
    return status;
}
