/* SPDX-License-Identifier: Apache-2.0 */
/* reservoir.h - a sample of the rows of a pass: those with the smallest hashes of (seed, number).
 *
 * Which rows these are depends on the numbers of the rows alone: not on threads, not on blocks, not on the order in
 * which they come. No row need be seen twice, so that it works on a pipe. Rows are kept as they were written, because
 * codes and words have no numbers yet that will last. Of a row that is one text its words may be kept instead
 * (packed_bag.h), which need not be found again.
 */
#ifndef ILK_DATA_RESERVOIR_H
#define ILK_DATA_RESERVOIR_H

#include "core/dict.h"

#define ILK_RESERVOIR_BYTES ((size_t)64 << 20)

typedef struct ilk_kept {
    uint64_t hash, number;
    char *bytes;   /* the record, or its words; owned */
    uint32_t size; /* of the record: what it counts for. Its words take no more */
    bool packed;   /* its words */
} ilk_kept;

/* Zero-initialised keeps nothing.
 * Invariant: of the rows offered, those of a hash below `limit` are kept, and no others. */
typedef struct ilk_reservoir {
    size_t most; /* rows to keep */
    uint64_t seed, limit;
    ilk_kept *row; /* until they are sorted, a heap: the largest hash comes first */
    size_t n, cap;
    size_t bytes; /* that the rows take */
    bool cut;     /* rows were let go for their size, not their number; known when they are sorted */
    /* Of packed rows: by what they were read, and what their numbers stand for. Words are in order. */
    ilk_schema *schema;
    ilk_dict classes, words;
    ilk_renumbering *part; /* whose words they are: their numbers in `words` */
    size_t parts;
} ilk_reservoir;

void ilk_reservoir_start(ilk_reservoir *r, size_t most, uint64_t seed);
void ilk_reservoir_free(ilk_reservoir *r);
/* Would the row of that number be kept? */
bool ilk_reservoir_wants(const ilk_reservoir *r, uint64_t number);
/* The row of that number, copied if it is kept: its words if there are any, and take no more room, else its text.
 * ILK_OK or ILK_ENOMEM. */
ilk_status ilk_reservoir_offer(ilk_reservoir *r, uint64_t number, ilk_str text, ilk_str packed);
/* The rows in the order of their numbers; nothing can be offered any more. */
void ilk_reservoir_sort(ilk_reservoir *r);

#endif
