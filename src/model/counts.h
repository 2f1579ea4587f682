/* SPDX-License-Identifier: Apache-2.0 */
/* counts.h - the store of counts: how often each key (a category of a column, or a word) occurred in each class.
 *
 * Sparse: a cell exists for a key and class that met; one whose count is 0 means no more than none. The cells of a key
 * stand together in a run, a small hash table by class, and all runs in one array: so the cells of a key are read at
 * once, and all cells can be visited key by key. A run that grows moves to the array's end and leaves its old place
 * unused, at most as much as it takes. Counts are kept in doubles, which hold every whole number up to 2^53 exactly; a
 * sum that would pass it is refused. So additions commute, and bits are the same in any order of rows, for any threads
 * and shards.
 */
#ifndef ILK_MODEL_COUNTS_H
#define ILK_MODEL_COUNTS_H

#include "core/dict.h"
#include "core/memory.h"

#define ILK_COUNT_MAX 9007199254740992.0 /* 2^53 */

/* Would a + b pass it? The sum itself would be rounded. */
static inline bool ilk_count_overflows(double a, double b) {
    return a > ILK_COUNT_MAX - b;
}

typedef struct ilk_cell {
    double count; /* rows with this value, or tokens of this word */
    double docs;  /* rows in which it occurs */
    uint32_t k;   /* the class; ILK_NONE is an empty slot */
} ilk_cell;

/* The cells of one key: slots at … at + cap - 1, of which n are taken. cap is a power of two, or 0. */
typedef struct ilk_cell_run {
    uint32_t at, cap, n;
} ilk_cell_run;

/* Sums over the keys of one column and class. */
typedef struct ilk_margin {
    double present; /* rows in which the column was not missing */
    double total;   /* of the counts */
} ilk_margin;

typedef struct ilk_counts {
    size_t fields;
    ilk_dict keys;
    uint8_t *declared; /* per key: it belongs to the column whether it occurs or not */
    size_t declared_cap;
    ilk_cell_run *run; /* per key; keys from `runs` on have no cell */
    size_t runs;
    ilk_cell *cell;
    size_t used, cells_cap;
    ilk_buffer combination; /* a key of the table's field being put together */
    ilk_margin *margin;     /* K × fields */
    size_t K, cap;
} ilk_counts;

void ilk_counts_init(ilk_counts *c, size_t fields);
void ilk_counts_free(ilk_counts *c);
ilk_status ilk_counts_grow(ilk_counts *c, size_t K); /* ILK_OK or ILK_ENOMEM, as all here */

/* The id of a key that belongs to its column whether it occurs or not. */
ilk_status ilk_counts_declare(ilk_counts *c, uint32_t field, ilk_str key, uint32_t *id);
ilk_status ilk_counts_declare_id(ilk_counts *c, uint32_t id);
static inline bool ilk_counts_is_declared(const ilk_counts *c, uint32_t id) {
    return id < c->declared_cap && c->declared[id];
}

/* The slots of a key, some of them empty. */
static inline ilk_cell *ilk_counts_cells(const ilk_counts *c, uint32_t id, uint32_t *slots) {
    *slots = id < c->runs ? c->run[id].cap : 0;
    return *slots ? c->cell + c->run[id].at : NULL;
}

/* Prefetch for keys to come. A key costs two jumps, to its run and from there to its cells: the run of key `far`, and
 * the cells of `near`, which was `far` before and whose run has arrived. */
ILK_PREFETCHES ilk_counts_prefetch_key(const ilk_counts *c, uint32_t far, uint32_t near) {
    if (far < c->runs)
        __builtin_prefetch(&c->run[far]);
    if (near < c->runs)
        __builtin_prefetch(&c->cell[c->run[near].at]);
}

enum { ILK_COUNTS_FAR = 32, ILK_COUNTS_NEAR = 16 };

/* The same for keys that are listed, of which `left` are to come. */
ILK_PREFETCHES ilk_counts_prefetch(const ilk_counts *c, const uint32_t *id, size_t left) {
    if (left > ILK_COUNTS_FAR)
        ilk_counts_prefetch_key(c, id[ILK_COUNTS_FAR], id[ILK_COUNTS_NEAR]);
}

/* The rows to add: categories by code[i × stride + source[j]] (a key of field j, or ILK_MISSING), or bags of words, all
 * of field 0. With `table`, the last field counts the combinations of the others, where none is missing. */
typedef struct ilk_count_rows {
    const uint32_t *code; /* NULL: bags */
    size_t stride;
    const size_t *source;
    bool table;
    const ilk_tokens *bags;
    const uint32_t *label;
    const double *weight; /* NULL: 1 each */
    size_t n;
} ilk_count_rows;

/* Where a count goes wrong: in which class here and field, and, if it is the count of one key, which of the other
 * store; ILK_NONE where it is a sum over keys. */
typedef struct ilk_count_place {
    uint32_t k, key;
    size_t field;
} ilk_count_place;

/* Could adding rows of this weight and so many events pass 2^53, and where? They are taken to meet in one place, so the
 * answer may be yes a little early; but only of a class that gets some of them (`rows` per class; NULL: all do). */
bool ilk_counts_full(const ilk_counts *c, const uint64_t *rows, double weight, double events, ilk_count_place *where);
/* Make the keys and cells that the rows need, without a count: adding them cannot fail then. */
ilk_status ilk_counts_prepare(ilk_counts *c, const ilk_count_rows *rows);
/* Add rows until memory ends; returns how many were added whole. */
size_t ilk_counts_add(ilk_counts *c, const ilk_count_rows *rows);
/* Take the first `n` of them away again. Cannot fail. Exact only where all counts are whole. */
void ilk_counts_undo(ilk_counts *c, const ilk_count_rows *rows, size_t n);

/* Merging, in two steps, so that several stores are merged all or none: the first may fail, and changes no count; the
 * second cannot. Class k of `from` is class map[k] here; keys are united by name: its key i is id[i] here. */
ilk_status ilk_counts_prepare_merge(ilk_counts *c, const ilk_counts *from, const uint32_t *map, uint32_t *id);
void ilk_counts_merge(ilk_counts *c, const ilk_counts *from, const uint32_t *map, const uint32_t *id);
/* The sums over keys alone. */
void ilk_counts_add_margins(ilk_counts *c, const ilk_counts *from, const uint32_t *map);
/* May `from` be taken away? False, and where, if a count would become negative, or less than the rows that have it. */
bool ilk_counts_removable(const ilk_counts *c, const ilk_counts *from, const uint32_t *map, double slack,
                          ilk_count_place *where);
/* What falls below `slack` times what was there is rounding, and becomes 0. For whole weights slack is 0. */
void ilk_counts_subtract(ilk_counts *c, const ilk_counts *from, const uint32_t *map, double slack);
/* Forget all that class k has. */
void ilk_counts_forget(ilk_counts *c, uint32_t k);
/* Forget all counts, keep the keys. */
void ilk_counts_clear(ilk_counts *c);
/* Is there no key, and no row? Texts without a word are rows. */
bool ilk_counts_none(const ilk_counts *c);
/* Would adding `from` pass 2^53, and where? */
bool ilk_counts_would_overflow(const ilk_counts *c, const ilk_counts *from, const uint32_t *map,
                               ilk_count_place *where);

/* The canonical form: keys that occurred or are declared, in order of (field, bytes), with their cells in order of
 * class. */
typedef struct ilk_count_table {
    size_t n, K;
    uint32_t *key; /* n ids of the dictionary */
    size_t *begin; /* n + 1 */
    uint32_t *cls;
    double *count, *docs;
    double *present; /* K × fields */
} ilk_count_table;

/* Classes are renumbered by rank[k] (ILK_NONE drops one). Keys seen in fewer than min_docs rows are left out; of the
 * others the `vocab` commonest stay (0: all; ties by bytes). */
ilk_status ilk_count_table_new(ilk_count_table *out, const ilk_counts *c, const uint32_t *rank, size_t K,
                               size_t min_docs, size_t vocab);
void ilk_count_table_free(ilk_count_table *t);

/* Reserve room for so many cells in all, those that are there included, so that adding up to that many moves none. */
ilk_status ilk_counts_expect(ilk_counts *c, size_t cells);
/* Add to n cells of a key, of different classes, but not to the margins: to all, or ILK_ENOMEM and to none. Cannot fail
 * if these cells exist. */
ilk_status ilk_counts_put(ilk_counts *c, uint32_t id, const ilk_cell *cell, uint32_t n);

#endif
