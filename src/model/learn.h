/* SPDX-License-Identifier: Apache-2.0 */
/* learn.h - what the files that add rows to statistics share.
 *
 * A batch is cut into chunks of rows. Each is checked and summed up on its own, by any of several threads; its moments
 * are merged in the order of the chunks, so that bits do not depend on the number of threads, and its counts, which are
 * exact, are summed up per thread. Nothing reaches the statistics before every row has been checked: a batch is learnt
 * as a whole or not at all.
 */
#ifndef ILK_MODEL_LEARN_H
#define ILK_MODEL_LEARN_H

#include "model/stats.h"

/* Are labels and weights of rows first … first + n - 1 ones that these statistics can learn? */
ilk_status ilk_learn_check_labels(const ilk_stats *s, const ilk_rows *rows, size_t first, size_t n, ilk_error *err);
/* Are their codes or words in block `at`? */
ilk_status ilk_learn_check_keys(const ilk_stats *s, size_t at, const ilk_rows *rows, size_t first, size_t n,
                                ilk_error *err);
/* Labels, weights and the keys of all blocks. */
ilk_status ilk_learn_check(const ilk_stats *s, const ilk_rows *rows, size_t first, size_t n, ilk_error *err);
/* Are there matrices for all kinds of columns, and labels? */
ilk_status ilk_learn_check_given(const ilk_stats *s, const ilk_rows *rows, ilk_error *err);

/* ---- moments of a chunk */

enum { ILK_LEARN_CHUNK = 4096 }; /* rows: enough for merging, and for handing out, to cost little beside them */

/* A chunk's rows by class, and what their moments add up to. One per thread. */
typedef struct ilk_grouping {
    uint32_t *number; /* per class: its group + 1; 0 between chunks */
    uint32_t *cls;    /* per group: its class */
    ilk_groups groups;
    uint32_t *row;     /* the chunk's rows, group after group: only if they have to be gone through one by one */
    size_t *place;     /* per group: for listing its rows */
    bool listed;       /* row holds this chunk's */
    double *X;         /* rows gathered */
    double *w;         /* their weights */
    double *scratch;   /* for ilk_moments_add and ilk_moments_learn */
    ilk_moments *part; /* per block of real columns: the chunk's moments; class g is group g */
} ilk_grouping;

/* For chunks of up to n rows. */
ilk_status ilk_grouping_new(ilk_grouping *g, const ilk_stats *s, size_t n);
void ilk_grouping_free(ilk_grouping *g, const ilk_stats *s);
/* Sum up rows first … first + n - 1 in g->part. ILK_EDATA names a value that is not finite. */
ilk_status ilk_grouping_learn(ilk_grouping *g, const ilk_stats *s, const ilk_rows *rows, size_t first, size_t n,
                              ilk_error *err);

/* ---- counts of a batch, densely: for a while, a cell for every key and class */

typedef struct ilk_dense {
    uint64_t *cell;  /* keys × K: the count, below 2^32; of texts also the rows that have the word, times 2^32 */
    double tokens;   /* of texts, in all */
    uint64_t *rows;  /* per class: the texts, without those that are missing; NULL: codes */
    uint32_t *field; /* per key of codes, behind the cells; NULL: texts */
    size_t keys, K;
    size_t next_key;   /* how far apart the cells of two keys are; of codes 1 */
    size_t next_class; /* and of two classes */
} ilk_dense;

static inline uint64_t *ilk_dense_at(const ilk_dense *t, size_t key, size_t k) {
    return &t->cell[key * t->next_key + k * t->next_class];
}

/* Do so many events pay for a cell per key and class? Rare words and many classes are better off in the store. */
bool ilk_dense_pays(const ilk_counts *c, double events);
/* Is it worth counting these rows densely? They must be many enough, and have no weights. If their tokens turn out to
 * be 2^32 or more, a cell may have overflowed: the rows must be counted one by one. */
bool ilk_dense_fits(const ilk_counts *c, const ilk_count_rows *rows);
ilk_status ilk_dense_new(ilk_dense *t, const ilk_counts *c, bool texts);
void ilk_dense_free(ilk_dense *t);
/* Check and count rows. Returns false if ilk_learn_check_keys would refuse one; then the table is of no use. */
bool ilk_dense_add(ilk_dense *t, const ilk_counts *c, const ilk_count_rows *rows, size_t first, size_t n);
/* from is added to t, which has the same size. */
void ilk_dense_merge(ilk_dense *t, const ilk_dense *from);
/* Add it to the counts: all of it, or ILK_ENOMEM and nothing. */
ilk_status ilk_dense_pour(ilk_counts *c, const ilk_dense *t);
/* Subtract what was poured. Cannot fail. */
void ilk_dense_unpour(ilk_counts *c, const ilk_dense *t);

/* ---- counts of texts that wait: see gather.c */

struct ilk_gathered {
    ilk_dense table;
    size_t cells_cap;
    double rows;
};

/* ---- counts of several threads */

/* A store, or a range of its keys, as one of several that are united. */
typedef struct ilk_counts_part {
    const ilk_counts *from;
    const ilk_gathered *waiting; /* what has not been brought to it; NULL: nothing */
    const uint32_t *map;         /* its class k is class map[k] of the whole */
    ilk_dict_part keys;
    size_t cells; /* about how many these keys have */
} ilk_counts_part;

/* The margins of n stores, but for tokens that wait, into an empty one that has the classes, and how many cells each
 * store has. ILK_OK, or ILK_EDATA and where, if a sum could pass 2^53. */
ilk_status ilk_counts_unite_margins(ilk_counts *c, ilk_counts_part *part, size_t n, ilk_count_place *where);
/* Room for all that n stores have. ILK_OK or ILK_ENOMEM, as all below. */
ilk_status ilk_counts_expect_parts(ilk_counts *c, const ilk_counts_part *part, size_t n);
/* Cut n stores into ranges of keys, of about the same size: range r of store i is range[r * n + i]. */
void ilk_counts_cut(ilk_counts_part *range, size_t ranges, const ilk_counts_part *part, size_t n);
/* The counts of n stores, or of one range of them, into one that has the classes and no keys; its keys are sorted. */
ilk_status ilk_counts_unite(ilk_counts *c, const ilk_counts_part *part, size_t n);
/* What was united of one range goes behind what was of those before it. */
ilk_status ilk_counts_append(ilk_counts *c, const ilk_counts *from);
/* All ranges are there: give back room that is not needed. */
void ilk_counts_trim(ilk_counts *c);

#endif
