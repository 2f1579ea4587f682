/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h - the statistics of a schema: one store per block, one dictionary of classes. */
#ifndef ILK_MODEL_STATS_H
#define ILK_MODEL_STATS_H

#include "core/buffer.h"
#include "model/counts.h"
#include "model/moments.h"
#include "model/schema.h"

typedef union ilk_store {
    ilk_moments moments; /* blocks of real columns */
    ilk_counts counts;   /* blocks of categories or text */
} ilk_store;

typedef struct ilk_gathered ilk_gathered;

/* The classes that rows were learnt of since the last flush. */
typedef struct ilk_met {
    uint32_t *cls; /* in the order in which they were met */
    uint32_t *at;  /* per class of the statistics: its place in cls + 1; 0: not met */
    size_t n, cls_cap, at_cap;
} ilk_met;

struct ilk_stats {
    ilk_schema *schema;
    ilk_blocks blocks;
    ilk_store *store; /* one per block */
    ilk_dict classes;
    double *rows; /* per class */
    size_t rows_cap;
    size_t K;              /* classes for which every store has room */
    ilk_gathered *waiting; /* counts that are not in the store yet; NULL: all are */
    ilk_met *met;          /* a part of a pass: see ilk_stats_be_part; else NULL */
    bool weighted;         /* some weight was not whole, or may not be: sums are rounded, and depend on their order */
    bool alone;            /* they come from a file without a model */
    ilk_options options;   /* those of the file they come from, else the defaults */
    ilk_given *given;      /* options.given, whose names are in given_names */
    ilk_buffer given_names;
};

static inline bool ilk_block_is_moments(const ilk_block *b) {
    return b->family->kind == ILK_REAL;
}

/* ilk_stats_new without any key: bins and the words of fixed dictionaries are still to be declared. */
ilk_status ilk_stats_blank(ilk_stats **out, const ilk_schema *schema, ilk_error *err);

/* Prefetch for a lookup of `word` of text feature j. */
void ilk_stats_prefetch_word(const ilk_stats *stats, size_t j, ilk_str word);

/* ilk_stats_add for rows of an encoder of these statistics, whose labels and words need no check. Counts of a text may
 * wait apart from the store until ilk_stats_settle: before it the statistics are good for more rows, nothing else. */
ilk_status ilk_stats_gather(ilk_stats *stats, const ilk_rows *rows, ilk_error *err);
ilk_status ilk_stats_settle(ilk_stats *stats, ilk_error *err);
void ilk_gathered_free(ilk_gathered *gathered);

/* Counts and rows of parts that have been gathered, and flushed, into a sum that has none yet: its keys are sorted.
 * With `words`, words[i] becomes the numbers that the words of part i, of the first text feature, have in the sum; the
 * caller frees them. */
ilk_status ilk_stats_unite(ilk_stats *sum, ilk_stats *const *part, size_t n, ilk_renumbering *words, ilk_error *err);

/* ilk_stats_merge, and `from` is left with nothing but its schema: where there are no counts yet, they just move. */
ilk_status ilk_stats_absorb(ilk_stats *into, ilk_stats *from, ilk_error *err);

/* Make these new statistics a worker's, see ilk_stats_flush: moments are kept of the classes that were met since the last
 * one, numbered as they were met. So they take the memory of a block, not of all classes the worker has seen, and whether
 * they are pooled depends on the block alone, not on what else the worker did. */
ilk_status ilk_stats_be_part(ilk_stats *stats, ilk_error *err);
/* To a part: rows of these classes are about to be learnt. */
ilk_status ilk_stats_meet(ilk_stats *stats, const uint32_t *label, size_t n, ilk_error *err);
void ilk_met_free(ilk_met *met);
/* The classes of moments: those met, or all. */
static inline size_t ilk_stats_held(const ilk_stats *stats) {
    return stats->met ? stats->met->n : stats->K;
}

/* For a worker that accumulates a share of the rows in `part`: move what depends on the order of addition (moments)
 * into `total` and zero it in `part`. Called once per block, in the order of the blocks, it makes the result the same
 * for any number of workers. Counts of whole weights are exact in any order; they stay in `part` until ilk_stats_merge
 * at the end. */
ilk_status ilk_stats_flush(ilk_stats *total, ilk_stats *part, ilk_error *err);

/* May sums of the one be added to those of the other, or taken from them? */
ilk_status ilk_stats_check_same(const ilk_stats *a, const ilk_stats *b, ilk_error *err);

/* Say `what` is wrong, and where: class, column and, if it is about a key, the key, which is one of `keys`. Combinations of
 * a table are of all its columns. Returns ILK_EDATA. */
ilk_status ilk_stats_fail_at(const ilk_stats *stats, size_t b, const ilk_count_place *where, const ilk_dict *keys,
                             const char *what, ilk_error *err);
/* A count of block b, or with SIZE_MAX the number of a class's rows, would pass 2^53: say which. */
ilk_status ilk_stats_fail_full(const ilk_stats *stats, size_t b, const ilk_count_place *where, ilk_error *err);
/* There is no memory for K classes. */
ilk_status ilk_stats_fail_to_grow(const ilk_stats *stats, size_t K, ilk_error *err);

/* Can the families of `blocks`, the statistics' own or refitted ones, be estimated from these statistics? ILK_EARG if
 * one needs a scatter per class but the store is pooled. */
ilk_status ilk_stats_check_scatters(const ilk_stats *stats, const ilk_blocks *blocks, ilk_error *err);

/* The classes that have rows, in the order of a model: by value if all are numbers, else by bytes. order[i] is the i-th
 * class's id, rank its inverse (ILK_NONE for classes without rows). Both have room for all classes. Returns ILK_ENOMEM
 * or ILK_OK. */
ilk_status ilk_stats_order(const ilk_stats *stats, uint32_t *order, uint32_t *rank, size_t *K);

#endif
