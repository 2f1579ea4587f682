/* SPDX-License-Identifier: Apache-2.0 */
/* counts.c - see counts.h: cells, adding, merging, removing. */
#include "model/counts.h"
#include "core/memory.h"
#include "families/table_key.h"

#include <string.h>

static const uint64_t EMPTY = UINT64_MAX;

void ilk_counts_init(ilk_counts *c, size_t fields) {
    *c = (ilk_counts){.fields = fields};
}

void ilk_counts_free(ilk_counts *c) {
    ilk_dict_free(&c->keys);
    ilk_free(c->declared);
    ilk_buffer_free(&c->combination);
    ilk_free(c->cell);
    ilk_free(c->margin);
    *c = (ilk_counts){0};
}

ilk_status ilk_counts_grow(ilk_counts *c, size_t K) {
    if (K <= c->K)
        return ILK_OK;
    if (ilk_grow(&c->margin, &c->cap, K, c->fields * sizeof *c->margin))
        return ILK_ENOMEM;
    memset(c->margin + c->K * c->fields, 0, (K - c->K) * c->fields * sizeof *c->margin);
    c->K = K;
    return ILK_OK;
}

ilk_status ilk_counts_declare(ilk_counts *c, uint32_t field, ilk_str key, uint32_t *id) {
    ILK_TRY(ilk_dict_intern(&c->keys, field, key, id));
    size_t before = c->declared_cap;
    if (ilk_grow(&c->declared, &c->declared_cap, (size_t)*id + 1, 1))
        return ILK_ENOMEM;
    memset(c->declared + before, 0, c->declared_cap - before);
    c->declared[*id] = 1;
    return ILK_OK;
}

/* ---- cells */

static uint64_t cell_key(uint32_t id, uint32_t k) {
    return (uint64_t)id << 32 | k;
}

/* Ids and classes are small and dense; a multiplication spreads them, the high bits are the good ones. */
static size_t slot_of(uint64_t key, size_t slots) {
    uint64_t h = key * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 29;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (size_t)(h >> 32) & (slots - 1);
}

/* The cell of a key, or the empty slot where it belongs. */
static ilk_cell *probe(ilk_cell *cell, size_t slots, uint64_t key) {
    size_t i = slot_of(key, slots);
    while (cell[i].key != key && cell[i].key != EMPTY)
        i = (i + 1) & (slots - 1);
    return &cell[i];
}

static ilk_cell *find(const ilk_counts *c, uint32_t id, uint32_t k) {
    if (!c->slots)
        return NULL;
    ilk_cell *cell = probe(c->cell, c->slots, cell_key(id, k));
    return cell->key == EMPTY ? NULL : cell;
}

/* Room for `more` cells without another allocation. Hashing reaches 2^32 slots, which 10^11 bytes of cells would need.
 * */
ilk_status ilk_counts_reserve(ilk_counts *c, size_t more) {
    size_t slots = c->slots ? c->slots : 16, need = c->cells + more;
    while (need > slots / 8 * 5)
        slots *= 2;
    if (slots == c->slots)
        return ILK_OK;
    ilk_cell *cell = slots > UINT32_MAX ? NULL : ilk_alloc(slots, sizeof *cell);
    if (!cell)
        return ILK_ENOMEM;
    for (size_t i = 0; i < slots; i++)
        cell[i] = (ilk_cell){.key = EMPTY};
    for (size_t i = 0; i < c->slots; i++)
        if (c->cell[i].key != EMPTY)
            *probe(cell, slots, c->cell[i].key) = c->cell[i];
    ilk_free(c->cell);
    c->cell = cell;
    c->slots = slots;
    return ILK_OK;
}

/* Allocates only for a cell that is not there yet. */
static ilk_status bump(ilk_counts *c, uint32_t id, uint32_t k, double count, double docs) {
    ilk_cell *cell = find(c, id, k);
    if (!cell) {
        ILK_TRY(ilk_counts_reserve(c, 1));
        cell = probe(c->cell, c->slots, cell_key(id, k));
        *cell = (ilk_cell){.key = cell_key(id, k)};
        c->cells++;
    }
    cell->count += count;
    cell->docs += docs;
    return ILK_OK;
}

ilk_status ilk_counts_put(ilk_counts *c, uint32_t id, uint32_t k, double count, double docs) {
    return bump(c, id, k, count, docs);
}

static ilk_margin *margin_of(const ilk_counts *c, size_t k, size_t field) {
    return &c->margin[k * c->fields + field];
}

/* ---- adding rows. Each of the two below adds `w` times events 0 … limit - 1 of row i and returns how many it did:
 * all, or fewer if memory ended. When what was added is taken away (w < 0) the cells are there and nothing can end. */

/* The key of a row's combination, made if new; ILK_MISSING if a value is missing. */
static ilk_status combine(ilk_counts *c, const ilk_count_rows *rows, size_t i, uint32_t *id) {
    size_t d = c->fields - 1, n = 0, need = 0;
    const uint32_t *code = rows->code + i * rows->stride;
    *id = ILK_MISSING;
    for (size_t j = 0; j < d; j++) {
        if (code[rows->source[j]] == ILK_MISSING)
            return ILK_OK;
        need = ilk_table_key_add(NULL, need, j, ilk_dict_key(&c->keys, code[rows->source[j]]));
    }
    c->combination.n = 0;
    ILK_TRY(ilk_buffer_reserve(&c->combination, need));
    for (size_t j = 0; j < d; j++)
        n = ilk_table_key_add(c->combination.p, n, j, ilk_dict_key(&c->keys, code[rows->source[j]]));
    return ilk_dict_intern(&c->keys, (uint32_t)d, (ilk_str){c->combination.p, n}, id);
}

static size_t add_codes(ilk_counts *c, const ilk_count_rows *rows, size_t i, size_t limit, double w) {
    uint32_t k = rows->label[i], id;
    for (size_t j = 0; j < limit; j++) {
        if (!rows->table || j + 1 < c->fields)
            id = rows->code[i * rows->stride + rows->source[j]];
        else if (combine(c, rows, i, &id) != ILK_OK)
            return j;
        if (id == ILK_MISSING)
            continue;
        if (bump(c, id, k, w, w) != ILK_OK)
            return j;
        margin_of(c, k, j)->present += w;
        margin_of(c, k, j)->total += w;
    }
    return limit;
}

static size_t add_bag(ilk_counts *c, const ilk_count_rows *rows, size_t i, size_t limit, double w) {
    uint32_t k = rows->label[i];
    const ilk_tokens *bags = rows->bags;
    for (size_t at = 0; at < limit; at++) {
        double count = w * bags->count[bags->begin[i] + at];
        if (bump(c, bags->id[bags->begin[i] + at], k, count, w) != ILK_OK)
            return at;
        margin_of(c, k, 0)->total += count;
    }
    return limit;
}

static bool add_row(ilk_counts *c, const ilk_count_rows *rows, size_t i, double sign) {
    size_t (*const add)(ilk_counts *, const ilk_count_rows *, size_t, size_t, double) =
        rows->code ? add_codes : add_bag;
    size_t events = rows->code ? c->fields : rows->bags->begin[i + 1] - rows->bags->begin[i];
    double w = sign * (rows->weight ? rows->weight[i] : 1);
    size_t done = add(c, rows, i, events, w);
    if (done < events) {
        add(c, rows, i, done, -w);
        return false;
    }
    if (!rows->code)
        margin_of(c, rows->label[i], 0)->present += w;
    return true;
}

size_t ilk_counts_add(ilk_counts *c, const ilk_count_rows *rows) {
    size_t i = 0;
    while (i < rows->n && add_row(c, rows, i, 1))
        i++;
    return i;
}

void ilk_counts_undo(ilk_counts *c, const ilk_count_rows *rows, size_t n) {
    for (size_t i = 0; i < n; i++)
        add_row(c, rows, i, -1);
}

/* ---- merging and removing */

static bool margin_overflows(const ilk_margin *a, double present, double total) {
    return ilk_count_overflows(a->present, present) || ilk_count_overflows(a->total, total);
}

bool ilk_counts_would_overflow(const ilk_counts *c, const ilk_counts *from, const uint32_t *map) {
    for (size_t k = 0; k < from->K; k++)
        for (size_t j = 0; j < c->fields && map[k] < c->K; j++)
            if (margin_overflows(margin_of(c, map[k], j), margin_of(from, k, j)->present, margin_of(from, k, j)->total))
                return true;
    return false;
}

bool ilk_counts_full(const ilk_counts *c, const ilk_count_rows *rows) {
    double weight = 0, events = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double w = rows->weight ? rows->weight[i] : 1;
        weight += w;
        events += rows->code ? w : 0;
        for (size_t at = rows->code ? 0 : rows->bags->begin[i]; !rows->code && at < rows->bags->begin[i + 1]; at++)
            events += w * rows->bags->count[at];
    }
    for (size_t i = 0; i < c->K * c->fields; i++)
        if (margin_overflows(&c->margin[i], weight, events))
            return true;
    return false;
}

static ilk_status unite_keys(ilk_counts *c, const ilk_counts *from, uint32_t *id) {
    for (uint32_t i = 0; i < from->keys.n; i++)
        ILK_TRY(ilk_counts_is_declared(from, i)
                    ? ilk_counts_declare(c, from->keys.entry[i].field, ilk_dict_key(&from->keys, i), &id[i])
                    : ilk_dict_intern(&c->keys, from->keys.entry[i].field, ilk_dict_key(&from->keys, i), &id[i]));
    return ilk_counts_reserve(c, from->cells);
}

static void add_all(ilk_counts *c, const ilk_counts *from, const uint32_t *id, const uint32_t *map) {
    for (size_t i = 0; i < from->slots; i++) {
        const ilk_cell *cell = &from->cell[i];
        if (cell->key != EMPTY)
            bump(c, id[cell->key >> 32], map[(uint32_t)cell->key], cell->count, cell->docs);
    }
    for (size_t k = 0; k < from->K; k++) {
        for (size_t j = 0; j < c->fields; j++) {
            margin_of(c, map[k], j)->present += margin_of(from, k, j)->present;
            margin_of(c, map[k], j)->total += margin_of(from, k, j)->total;
        }
    }
}

ilk_status ilk_counts_merge(ilk_counts *c, const ilk_counts *from, const uint32_t *map) {
    uint32_t *id = ilk_alloc(from->keys.n, sizeof *id);
    ilk_status status = id ? unite_keys(c, from, id) : ILK_ENOMEM;
    if (status == ILK_OK)
        add_all(c, from, id, map); /* cells are reserved: cannot fail */
    ilk_free(id);
    return status;
}

/* The cell here that `cell` of `from` would be taken from, or NULL. */
static ilk_cell *counterpart(const ilk_counts *c, const ilk_counts *from, const ilk_cell *cell, const uint32_t *map) {
    uint32_t there = (uint32_t)(cell->key >> 32);
    uint32_t id = ilk_dict_find(&c->keys, from->keys.entry[there].field, ilk_dict_key(&from->keys, there));
    return id == ILK_UNSEEN ? NULL : find(c, id, map[(uint32_t)cell->key]);
}

bool ilk_counts_removable(const ilk_counts *c, const ilk_counts *from, const uint32_t *map, double slack) {
    for (size_t i = 0; i < from->slots; i++) {
        const ilk_cell *cell = &from->cell[i], *here;
        if (cell->key == EMPTY || cell->count == 0)
            continue;
        here = counterpart(c, from, cell, map);
        if (!here || here->count < cell->count * (1 - slack) || here->docs < cell->docs * (1 - slack) ||
            here->count - cell->count <
                here->docs - cell->docs - slack * here->docs) /* what stays occurs once per row */
            return false;
    }
    for (size_t k = 0; k < from->K; k++)
        for (size_t j = 0; j < c->fields; j++)
            if (margin_of(c, map[k], j)->present < margin_of(from, k, j)->present * (1 - slack))
                return false;
    return true;
}

static void take(double *from, double gone, double slack) {
    double left = *from - gone;
    *from = left > slack * *from ? left : 0;
}

void ilk_counts_subtract(ilk_counts *c, const ilk_counts *from, const uint32_t *map, double slack) {
    for (size_t i = 0; i < from->slots; i++) {
        const ilk_cell *cell = &from->cell[i];
        if (cell->key == EMPTY || cell->count == 0)
            continue;
        ilk_cell *here = counterpart(c, from, cell, map);
        take(&here->count, cell->count, slack);
        take(&here->docs, cell->docs, slack);
    }
    for (size_t k = 0; k < from->K; k++) {
        for (size_t j = 0; j < c->fields; j++) {
            take(&margin_of(c, map[k], j)->present, margin_of(from, k, j)->present, slack);
            take(&margin_of(c, map[k], j)->total, margin_of(from, k, j)->total, slack);
        }
    }
}

void ilk_counts_forget(ilk_counts *c, uint32_t k) {
    for (size_t i = 0; i < c->slots; i++)
        if (c->cell[i].key != EMPTY && (uint32_t)c->cell[i].key == k)
            c->cell[i].count = c->cell[i].docs = 0;
    memset(margin_of(c, k, 0), 0, c->fields * sizeof *c->margin);
}

void ilk_counts_clear(ilk_counts *c) {
    for (size_t i = 0; i < c->slots; i++)
        c->cell[i].key = EMPTY;
    c->cells = 0;
    if (c->K)
        memset(c->margin, 0, c->K * c->fields * sizeof *c->margin);
}
