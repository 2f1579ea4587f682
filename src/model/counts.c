/* SPDX-License-Identifier: Apache-2.0 */
/* counts.c - see counts.h: cells, adding, merging, removing. */
#include "model/counts.h"
#include "core/memory.h"
#include "families/family.h"
#include "families/table_key.h"

#include <math.h>
#include <string.h>

void ilk_counts_init(ilk_counts *c, size_t fields) {
    *c = (ilk_counts){.fields = fields};
}

void ilk_counts_free(ilk_counts *c) {
    ilk_dict_free(&c->keys);
    ilk_free(c->declared);
    ilk_buffer_free(&c->combination);
    ilk_free(c->run);
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

/* Room to declare `keys` keys. */
static ilk_status grow_declared(ilk_counts *c, size_t keys) {
    size_t before = c->declared_cap;
    if (ilk_grow(&c->declared, &c->declared_cap, keys, 1))
        return ILK_ENOMEM;
    memset(c->declared + before, 0, c->declared_cap - before);
    return ILK_OK;
}

ilk_status ilk_counts_declare_id(ilk_counts *c, uint32_t id) {
    ILK_TRY(grow_declared(c, (size_t)id + 1));
    c->declared[id] = 1;
    return ILK_OK;
}

ilk_status ilk_counts_declare(ilk_counts *c, uint32_t field, ilk_str key, uint32_t *id) {
    uint32_t known = ilk_dict_find(&c->keys, field, key);
    ILK_TRY(grow_declared(c, (known == ILK_UNSEEN ? c->keys.n : known) + 1)); /* first: no key is made in vain */
    ILK_TRY(ilk_dict_intern(&c->keys, field, key, id));
    c->declared[*id] = 1;
    return ILK_OK;
}

/* ---- cells */

/* The cell of a class in a run of `cap` slots, or the empty slot where it belongs, or NULL if there is none. Classes
 * are small and dense; a multiplication spreads them, the high bits are the good ones. */
static inline ilk_cell *probe(ilk_cell *run, uint32_t cap, uint32_t k) {
    uint32_t i = (uint32_t)(k * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    for (uint32_t tried = 0; tried < cap; tried++, i++) {
        ilk_cell *cell = &run[i & (cap - 1)];
        if (cell->k == k || cell->k == ILK_NONE)
            return cell;
    }
    return NULL;
}

static ilk_cell *find(const ilk_counts *c, uint32_t id, uint32_t k) {
    uint32_t cap;
    ilk_cell *run = ilk_counts_cells(c, id, &cap), *cell = probe(run, cap, k);
    return cell && cell->k == k ? cell : NULL;
}

/* How many cells may stand in a run: few classes take no more room than they need. */
static uint32_t room(uint32_t cap) {
    return cap <= 4 ? cap : cap / 4 * 3;
}

/* Give the key a run of `cap` slots at the end. Places are 32 bits wide, which 10^11 bytes of cells would need. */
static ilk_status move_run(ilk_counts *c, ilk_cell_run *run, uint32_t cap) {
    if (c->used + cap > UINT32_MAX || ilk_grow(&c->cell, &c->cells_cap, c->used + cap, sizeof *c->cell))
        return ILK_ENOMEM;
    ilk_cell *to = c->cell + c->used, *from = c->cell + run->at;
    for (uint32_t i = 0; i < cap; i++)
        to[i] = (ilk_cell){.k = ILK_NONE};
    for (uint32_t i = 0; i < run->cap; i++)
        if (from[i].k != ILK_NONE)
            *probe(to, cap, from[i].k) = from[i];
    *run = (ilk_cell_run){(uint32_t)c->used, cap, run->n};
    c->used += cap;
    return ILK_OK;
}

static ilk_status grow_runs(ilk_counts *c, size_t keys) {
    size_t before = c->runs;
    if (keys <= before)
        return ILK_OK;
    if (ilk_grow(&c->run, &c->runs, keys, sizeof *c->run))
        return ILK_ENOMEM;
    memset(c->run + before, 0, (c->runs - before) * sizeof *c->run);
    return ILK_OK;
}

ilk_status ilk_counts_expect(ilk_counts *c, size_t cells) {
    if (ilk_grow(&c->cell, &c->cells_cap, cells, sizeof *c->cell))
        return ILK_ENOMEM;
    return grow_runs(c, c->keys.n);
}

/* Room for `more` cells of a key, so that bump cannot fail for them. */
static ilk_status reserve(ilk_counts *c, uint32_t id, uint32_t more) {
    if (id >= c->runs)
        ILK_TRY(grow_runs(c, (size_t)id + 1));
    uint32_t need = c->run[id].n + more, cap = c->run[id].cap ? c->run[id].cap : 1;
    while (room(cap) < need && cap <= UINT32_MAX / 2)
        cap *= 2;
    return cap == c->run[id].cap ? ILK_OK : move_run(c, &c->run[id], cap);
}

/* Allocates only for a cell that is not there yet, and only if its run is full. */
static ilk_status bump(ilk_counts *c, uint32_t id, uint32_t k, double count, double docs) {
    uint32_t cap;
    ilk_cell *run = ilk_counts_cells(c, id, &cap), *cell = probe(run, cap, k);
    if (!cell || cell->k != k) {
        if (!cell || c->run[id].n >= room(cap)) {
            ILK_TRY(reserve(c, id, 1));
            cell = probe(c->cell + c->run[id].at, c->run[id].cap, k);
        }
        cell->k = k;
        c->run[id].n++;
    }
    cell->count += count;
    cell->docs += docs;
    return ILK_OK;
}

/* How many of these cells does the key lack? */
static uint32_t lacking(const ilk_counts *c, uint32_t id, const ilk_cell *cell, uint32_t n) {
    uint32_t slots, more = n;
    ilk_cell *run = ilk_counts_cells(c, id, &slots);
    for (uint32_t i = 0; slots && i < n; i++) {
        const ilk_cell *here = probe(run, slots, cell[i].k);
        more -= here && here->k == cell[i].k;
    }
    return more;
}

/* The cells of a key that has none yet. */
static ilk_status put_first(ilk_counts *c, uint32_t id, const ilk_cell *cell, uint32_t n) {
    ILK_TRY(reserve(c, id, n));
    const ilk_cell_run *run = &c->run[id];
    for (uint32_t i = 0; i < n; i++)
        *probe(c->cell + run->at, run->cap, cell[i].k) = cell[i];
    c->run[id].n = n;
    return ILK_OK;
}

ilk_status ilk_counts_put(ilk_counts *c, uint32_t id, const ilk_cell *cell, uint32_t n) {
    if (n > 0 && (id >= c->runs || c->run[id].cap == 0))
        return put_first(c, id, cell, n);
    uint32_t more = lacking(c, id, cell, n), slots;
    if (more)
        ILK_TRY(reserve(c, id, more));
    ilk_cell *run = ilk_counts_cells(c, id, &slots);
    for (uint32_t i = 0; i < n; i++) {
        ilk_cell *here = probe(run, slots, cell[i].k);
        here->k = cell[i].k;
        here->count += cell[i].count;
        here->docs += cell[i].docs;
    }
    if (more)
        c->run[id].n += more;
    return ILK_OK;
}

static ilk_margin *margin_of(const ilk_counts *c, size_t k, size_t field) {
    return &c->margin[k * c->fields + field];
}

/* ---- adding rows. Each of the two below adds `w` times events 0 … limit - 1 of row i and returns how many it did:
 * all, or fewer if memory ended. Once that has been done, with any w, the cells are there and nothing can end. */

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
        ilk_counts_prefetch(c, bags->id + bags->begin[i] + at, limit - at);
        double count = w * bags->count[bags->begin[i] + at];
        if (bump(c, bags->id[bags->begin[i] + at], k, count, w) != ILK_OK)
            return at;
        margin_of(c, k, 0)->total += count;
    }
    return limit;
}

/* Add it (times 1), take it away again (-1), or have the cells for it (0). False if memory ended: nothing is added. */
static bool add_row(ilk_counts *c, const ilk_count_rows *rows, size_t i, double times) {
    size_t (*const add)(ilk_counts *, const ilk_count_rows *, size_t, size_t, double) =
        rows->code ? add_codes : add_bag;
    size_t events = rows->code ? c->fields : rows->bags->begin[i + 1] - rows->bags->begin[i];
    double w = times * (rows->weight ? rows->weight[i] : 1);
    size_t done = add(c, rows, i, events, w);
    if (done < events) {
        add(c, rows, i, done, -w);
        return false;
    }
    if (!rows->code && !ilk_text_missing(rows->bags, i))
        margin_of(c, rows->label[i], 0)->present += w;
    return true;
}

size_t ilk_counts_add(ilk_counts *c, const ilk_count_rows *rows) {
    size_t i = 0;
    while (i < rows->n && add_row(c, rows, i, 1))
        i++;
    return i;
}

ilk_status ilk_counts_prepare(ilk_counts *c, const ilk_count_rows *rows) {
    for (size_t i = 0; i < rows->n; i++)
        if (!add_row(c, rows, i, 0))
            return ILK_ENOMEM;
    return ILK_OK;
}

void ilk_counts_undo(ilk_counts *c, const ilk_count_rows *rows, size_t n) {
    for (size_t i = 0; i < n; i++)
        add_row(c, rows, i, -1);
}

/* ---- merging and removing */

static bool margin_overflows(const ilk_margin *a, double present, double total) {
    return ilk_count_overflows(a->present, present) || ilk_count_overflows(a->total, total);
}

bool ilk_counts_would_overflow(const ilk_counts *c, const ilk_counts *from, const uint32_t *map,
                               ilk_count_place *where) {
    for (size_t k = 0; k < from->K; k++)
        for (size_t j = 0; j < c->fields && map[k] < c->K; j++) {
            const ilk_margin *more = margin_of(from, k, j);
            *where = (ilk_count_place){map[k], ILK_NONE, j};
            if (margin_overflows(margin_of(c, map[k], j), more->present, more->total))
                return true;
        }
    return false;
}

bool ilk_counts_full(const ilk_counts *c, const uint64_t *rows, double weight, double events, ilk_count_place *where) {
    for (size_t i = 0; i < c->K * c->fields; i++) {
        *where = (ilk_count_place){(uint32_t)(i / c->fields), ILK_NONE, i % c->fields};
        if ((!rows || rows[where->k] > 0) && margin_overflows(&c->margin[i], weight, events))
            return true;
    }
    return false;
}

ilk_status ilk_counts_prepare_merge(ilk_counts *c, const ilk_counts *from, const uint32_t *map, uint32_t *id) {
    ILK_TRY(ilk_dict_unite(&c->keys, &from->keys, id));
    for (uint32_t i = 0; i < from->keys.n; i++) {
        ilk_counts_prefetch(c, id + i, from->keys.n - i);
        if (ilk_counts_is_declared(from, i))
            ILK_TRY(grow_declared(c, (size_t)id[i] + 1));
        uint32_t slots, more = 0;
        const ilk_cell *cell = ilk_counts_cells(from, i, &slots);
        for (uint32_t at = 0; at < slots; at++)
            more += cell[at].k != ILK_NONE && !find(c, id[i], map[cell[at].k]);
        if (more)
            ILK_TRY(reserve(c, id[i], more));
    }
    return ILK_OK;
}

void ilk_counts_add_margins(ilk_counts *c, const ilk_counts *from, const uint32_t *map) {
    for (size_t k = 0; k < from->K; k++) {
        for (size_t j = 0; j < c->fields; j++) {
            margin_of(c, map[k], j)->present += margin_of(from, k, j)->present;
            margin_of(c, map[k], j)->total += margin_of(from, k, j)->total;
        }
    }
}

void ilk_counts_merge(ilk_counts *c, const ilk_counts *from, const uint32_t *map, const uint32_t *id) {
    for (uint32_t i = 0; i < from->keys.n; i++) {
        uint32_t slots;
        const ilk_cell *cell = ilk_counts_cells(from, i, &slots);
        ilk_counts_prefetch(c, id + i, from->keys.n - i);
        if (ilk_counts_is_declared(from, i))
            c->declared[id[i]] = 1;
        for (uint32_t at = 0; at < slots; at++)
            if (cell[at].k != ILK_NONE)
                bump(c, id[i], map[cell[at].k], cell[at].count, cell[at].docs);
    }
    ilk_counts_add_margins(c, from, map);
}

/* May `gone` be taken from `here`, which may be NULL? */
static bool cell_removable(const ilk_cell *here, const ilk_cell *gone, double slack) {
    return here && here->count >= gone->count * (1 - slack) && here->docs >= gone->docs * (1 - slack) &&
           here->count - gone->count >=
               here->docs - gone->docs - slack * here->docs; /* what stays occurs once per row */
}

/* The key here that key i of `from` is, or ILK_UNSEEN. */
static uint32_t counterpart(const ilk_counts *c, const ilk_counts *from, uint32_t i) {
    return ilk_dict_find(&c->keys, from->keys.entry[i].field, ilk_dict_key(&from->keys, i));
}

/* Which key's count keeps `from` from being taken away? ILK_NONE if none does. */
static uint32_t key_not_removable(const ilk_counts *c, const ilk_counts *from, const uint32_t *map, double slack,
                                  uint32_t *k) {
    for (uint32_t i = 0; i < from->keys.n; i++) {
        uint32_t slots, id = counterpart(c, from, i);
        const ilk_cell *cell = ilk_counts_cells(from, i, &slots);
        for (uint32_t at = 0; at < slots; at++) {
            if (cell[at].k == ILK_NONE || cell[at].count == 0)
                continue;
            *k = map[cell[at].k];
            if (!cell_removable(find(c, id, *k), &cell[at], slack))
                return i;
        }
    }
    return ILK_NONE;
}

bool ilk_counts_removable(const ilk_counts *c, const ilk_counts *from, const uint32_t *map, double slack,
                          ilk_count_place *where) {
    where->key = key_not_removable(c, from, map, slack, &where->k);
    if (where->key != ILK_NONE) {
        where->field = from->keys.entry[where->key].field;
        return false;
    }
    for (size_t k = 0; k < from->K; k++)
        for (size_t j = 0; j < c->fields; j++) {
            *where = (ilk_count_place){map[k], ILK_NONE, j};
            if (margin_of(c, map[k], j)->present < margin_of(from, k, j)->present * (1 - slack))
                return false;
        }
    return true;
}

static void take(double *from, double gone, double slack) {
    double left = *from - gone;
    *from = left > slack * *from ? left : 0;
}

void ilk_counts_subtract(ilk_counts *c, const ilk_counts *from, const uint32_t *map, double slack) {
    for (uint32_t i = 0; i < from->keys.n; i++) {
        uint32_t slots, id = counterpart(c, from, i);
        const ilk_cell *cell = ilk_counts_cells(from, i, &slots);
        for (uint32_t at = 0; at < slots; at++) {
            if (cell[at].k == ILK_NONE || cell[at].count == 0)
                continue;
            ilk_cell *here = find(c, id, map[cell[at].k]);
            take(&here->count, cell[at].count, slack);
            take(&here->docs, cell[at].docs, slack);
            here->docs = fmin(here->docs, here->count); /* weights' sums are rounded each in its way */
        }
    }
    for (size_t k = 0; k < from->K; k++) {
        for (size_t j = 0; j < c->fields; j++) {
            take(&margin_of(c, map[k], j)->present, margin_of(from, k, j)->present, slack);
            take(&margin_of(c, map[k], j)->total, margin_of(from, k, j)->total, slack);
        }
    }
}

void ilk_counts_forget(ilk_counts *c, uint32_t k) {
    for (uint32_t id = 0; id < c->keys.n; id++) {
        ilk_cell *cell = find(c, id, k);
        if (cell)
            cell->count = cell->docs = 0;
    }
    memset(margin_of(c, k, 0), 0, c->fields * sizeof *c->margin);
}

bool ilk_counts_none(const ilk_counts *c) {
    for (size_t i = 0; i < c->K * c->fields; i++)
        if (c->margin[i].present > 0)
            return false;
    return c->keys.n == 0;
}

void ilk_counts_clear(ilk_counts *c) {
    if (c->runs)
        memset(c->run, 0, c->runs * sizeof *c->run);
    c->used = 0;
    if (c->K)
        memset(c->margin, 0, c->K * c->fields * sizeof *c->margin);
}
