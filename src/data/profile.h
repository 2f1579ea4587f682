/* SPDX-License-Identifier: Apache-2.0 */
/* profile.h - what the values of a column look like, in the rows read ahead or in all. */
#ifndef ILK_DATA_PROFILE_H
#define ILK_DATA_PROFILE_H

#include "data/numbers.h"

typedef struct ilk_profile {
    size_t values;    /* that are not missing */
    size_t numbers;   /* of them */
    size_t integers;  /* of these */
    size_t negatives; /* of the integers */
    bool commas;      /* one of the values had a decimal comma */
    size_t words;     /* in the values that are no numbers, by estimate */
    size_t distinct;  /* values, of those that were counted */
    size_t uncounted; /* fractions that were not, because it did not matter then: see ilk_effort */
    char odd[64];     /* the first value that is no number, cut */
    uint64_t *slot;   /* hashes of the distinct values, 0 is empty; linear probing, at most 1/2 full */
    size_t slots;     /* a power of two, or 0 */
} ilk_profile;

/* How closely to look at a column. */
typedef enum ilk_effort {
    ILK_EFFORT_NONE,
    ILK_EFFORT_KIND, /* stop counting distinct values where they are fractions and more than a few */
    ILK_EFFORT_COUNT /* count all distinct values */
} ilk_effort;

/* What is looked for, and what was seen. */
typedef struct ilk_survey {
    ilk_profile *profiles; /* per column, zeroed */
    const ilk_effort *effort;
    ilk_numbers *numbers;
    size_t rows;              /* seen, of those that can be read: the pass will complain about the others */
    size_t blocks;            /* of those the table keeps: seen */
    ilk_error fault;          /* of the first row that cannot be read */
    ilk_progress_fn progress; /* of a look at all rows; may be NULL */
    void *ctx;
} ilk_survey;

/* Look at the rows kept by the table, which stay, up to ILK_AHEAD_ROWS: those not seen yet. */
ilk_status ilk_survey_ahead(ilk_survey *survey, const ilk_table *table, ilk_error *err);
/* Look at all rows of the table, which are used up. */
ilk_status ilk_survey_all(ilk_survey *survey, ilk_table *table, ilk_error *err);
/* After the last look. Where no row can be read there is nothing to say about columns, but about the first row there
 * is: ILK_EDATA. */
ilk_status ilk_survey_check(const ilk_survey *survey, ilk_error *err);
void ilk_profile_free(ilk_profile *profile);

/* Let a column look like what the format says it is. */
void ilk_profile_heed(ilk_profile *profile, ilk_hint hint);

#define ILK_FEW_VALUES ((size_t)10) /* integers of no more distinct values may be categories */

#endif
