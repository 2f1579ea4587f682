/* SPDX-License-Identifier: Apache-2.0 */
/* wishes.h - the transforms that a plan asks for, column by column, and what is learnt of them. */
#ifndef ILK_DATA_WISHES_H
#define ILK_DATA_WISHES_H

#include "data/numbers.h"

typedef struct ilk_wishes {
    ilk_wish *of;                 /* per column of the table: what is said of it by name */
    ilk_wish all_bins, all_power; /* what is said of "*": columns that look real */
    ilk_learnt *learnt;           /* per column */
    size_t columns;
} ilk_wishes;

/* Read the plan's bins and transforms. ILK_EARG: no such column, two wishes for one column, or none at all. */
ilk_status ilk_wishes_read(ilk_wishes *out, const ilk_table *t, const ilk_plan *plan, ilk_error *err);
void ilk_wishes_free(ilk_wishes *wishes);

/* Learn column j's transform; `shared`: its classes have one variance. ILK_EDATA names file, line and value where it
 * cannot be learnt. */
ilk_status ilk_wishes_learn(ilk_wishes *wishes, size_t j, const ilk_wish *wish, const ilk_numbers *numbers,
                            const ilk_table *t, bool shared, ilk_error *err);

#endif
