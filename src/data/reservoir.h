/* SPDX-License-Identifier: Apache-2.0 */
/* reservoir.h - a sample of the rows of a pass, as they were written: those with the smallest hashes of (seed, number).
 *
 * Which rows these are depends on the numbers of the rows alone: not on threads, not on blocks, and no row need be seen
 * twice, so that it works on a pipe. Text is kept because codes and words have no numbers yet that will last.
 */
#ifndef ILK_DATA_RESERVOIR_H
#define ILK_DATA_RESERVOIR_H

#include "core/error.h"

#define ILK_RESERVOIR_BYTES ((size_t)64 << 20)

typedef struct ilk_kept {
    uint64_t hash, number;
    char *text; /* the record, owned */
    size_t n;
} ilk_kept;

/* Zero-initialised keeps nothing.
 * Invariant: of the rows offered, those of a hash below `limit` are kept, and no others. */
typedef struct ilk_reservoir {
    size_t most; /* rows to keep */
    uint64_t seed, limit;
    ilk_kept *row; /* until they are sorted, a heap: the largest hash comes first */
    size_t n, cap;
    size_t bytes; /* that the rows take */
    bool cut;     /* rows were let go for their size, not their number */
} ilk_reservoir;

void ilk_reservoir_start(ilk_reservoir *r, size_t most, uint64_t seed);
void ilk_reservoir_free(ilk_reservoir *r);
/* The row of that number, whose text is copied if it is kept. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_reservoir_offer(ilk_reservoir *r, uint64_t number, ilk_str text);
/* The rows in the order of their numbers; nothing can be offered any more. */
void ilk_reservoir_sort(ilk_reservoir *r);

#endif
