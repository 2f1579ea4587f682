/* SPDX-License-Identifier: Apache-2.0 */
/* moments.h - the store of means and scatters, one record per class (families/family.h gives its layout).   MATH
 * section 13
 *
 * A full store whose K scatters of d × d numbers pass its limit keeps one for all classes, their sum: it is pooled, and
 * stays so. All that adds to a class's scatter then adds to that of all; what one class had in it is no longer known.
 *
 * Scatters are centred (Chan, Golub & LeVeque 1979), because sum(x^2) - n mean^2 cancels: for 1e9 + {1, 2, 4, 9} it
 * yields 0 where the truth is 38.
 *
 * Column j is kept in units of 2^exponent[j], so that squares of values near 1e160 or 1e-160 neither overflow nor
 * vanish. The exponent is 0 where the column's largest value is between 1e-90 and 1e144, else plus or minus ILK_UNIT.
 * Powers of two change no bit of a number, and the largest value is the same in any order of rows and shards.
 */
#ifndef ILK_MODEL_MOMENTS_H
#define ILK_MODEL_MOMENTS_H

#include "core/error.h"

enum { ILK_UNIT = 700 };

/* The limit of stores whose family shares one scatter among the classes: 512 MiB of scatters. A constant, so that all
 * machines, and all shards with as many classes, decide alike. */
#define ILK_MOST_SCATTERS ((size_t)1 << 26)

typedef struct ilk_moments {
    bool full;   /* one scatter matrix over d columns, else d columns on their own */
    bool pooled; /* one for all classes; a record is n | mean[d] */
    size_t d, record, K, cap;
    size_t limit; /* K d^2 above this is pooled; SIZE_MAX: never, 0: always */
    double *data; /* K records, and one more as scratch */
    double *pool; /* peak[d] | scatter[d × d] of all classes, and a record of one as scratch; NULL: not allocated yet */
    int *exponent; /* d */
} ilk_moments;

/* Never pooled, unless the caller then sets `limit`. */
void ilk_moments_init(ilk_moments *m, bool full, size_t d);
/* Empty, and pooled where `like` is. */
void ilk_moments_init_like(ilk_moments *m, const ilk_moments *like);
void ilk_moments_free(ilk_moments *m);
/* Make room for K classes; new ones are empty. ILK_OK or ILK_ENOMEM. A store that had classes and passes its limit by
 * this is not pooled before ilk_moments_settle: until then the classes may be taken back. */
ilk_status ilk_moments_grow(ilk_moments *m, size_t K);
void ilk_moments_settle(ilk_moments *m);
/* Make the room in which a store can be pooled, and pool it there. */
ilk_status ilk_moments_prepare_pool(ilk_moments *m);
void ilk_moments_pool(ilk_moments *m);
static inline double *ilk_moments_record(const ilk_moments *m, size_t k) {
    return m->data + k * m->record;
}
/* Rows learnt of class k: the most that any column has. */
double ilk_moments_rows(const ilk_moments *m, size_t k);
/* The rows of class k that have a value in column j. */
static inline double ilk_moments_present(const ilk_moments *m, size_t k, size_t j) {
    return ilk_moments_record(m, k)[m->full ? 0 : j];
}

/* Learn n rows of class k, weighing w (NULL: 1 each), from X[n × d], which is overwritten. `complete`: no value is NaN;
 * a full store takes complete rows only. `scratch` has room for ilk_moments_scratch, of any groups and rows. */
void ilk_moments_add(ilk_moments *m, size_t k, double *X, const double *w, size_t n, bool complete, double *scratch);
/* For stores like m, and chunks of up to n rows of so many groups. */
size_t ilk_moments_scratch(const ilk_moments *m, size_t groups, size_t n);

/* The rows of a chunk by group. */
typedef struct ilk_groups {
    size_t n;
    uint32_t *of; /* per row of the chunk: its group */
    size_t *end;  /* where each group ends, if rows are listed group after group */
} ilk_groups;

/* Learn the chunk X[n × d] at once; m is empty, and class g is group g. False if it takes ilk_moments_add instead,
 * because a value is missing, infinite or so large or small that units matter; what m holds is then of no use.
 * `scratch`, which begins on a line of the cache, has room for ilk_moments_scratch. */
bool ilk_moments_learn(ilk_moments *m, const double *X, size_t n, const ilk_groups *g, double *scratch);

/* Class k of `from` is class map[k] here. A pooled `from` pools m, which has been prepared for it. */
void ilk_moments_merge(ilk_moments *m, const ilk_moments *from, const uint32_t *map);

/* What is known of all rows that were learnt, and of those to take away. */
typedef struct ilk_known {
    bool counts; /* values are whole numbers from 0 on */
    bool rows;   /* so are weights: nothing is rounded in their sums, and a weight of 1 is one row */
} ilk_known;

/* Why a removal is refused. */
typedef enum ilk_removal {
    ILK_REMOVABLE,
    ILK_REMOVES_MORE_THAN_THERE_IS,
    ILK_REMOVES_WHAT_WAS_NEVER_THERE, /* counts below 0 would be left */
    ILK_REMOVES_TOO_MUCH_SCATTER
} ilk_removal;
/* May `from`, which is pooled only if m is, be taken away? If not, the first class (of m; SIZE_MAX: all together) and
 * column at which it may not. `scratch` has room for ilk_moments_removal_scratch(m) numbers. */
ilk_removal ilk_moments_removable(const ilk_moments *m, const ilk_moments *from, const uint32_t *map, ilk_known known,
                                  double *scratch, size_t *k, size_t *column);
size_t ilk_moments_removal_scratch(const ilk_moments *m);
void ilk_moments_subtract(ilk_moments *m, const ilk_moments *from, const uint32_t *map, ilk_known known);
void ilk_moments_clear(ilk_moments *m);
/* There are no classes any more, and nothing is pooled; memory stays. */
void ilk_moments_empty(ilk_moments *m);
/* Forget all that class k has; units stay. Not of a pooled store. */
void ilk_moments_forget(ilk_moments *m, size_t k);
/* Are these numbers (from a file) ones that rows could have given? */
bool ilk_moments_valid(const ilk_moments *m);

#endif
