/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.h - the numbers of some columns, with the class and weight of their rows: what transforms are learnt from.
 *
 * All of them are kept, 8 bytes each and 12 per row, because edges and lambda have no statistic of fixed size. Rows
 * without a class or of weight 0 are not, since they are not learnt either.
 */
#ifndef ILK_DATA_NUMBERS_H
#define ILK_DATA_NUMBERS_H

#include "core/dict.h"
#include "data/table.h"
#include "transform/transform.h"

typedef struct ilk_numbers {
    bool *wanted;          /* per column of the table; all false: no row is kept */
    size_t *place;         /* per column that is wanted: its place among them */
    size_t columns, width; /* of the table, and wanted */
    size_t target, weight; /* weight: SIZE_MAX where there is none */
    double *x;             /* n × width; NaN is missing */
    uint32_t *label;
    double *w;
    size_t n, x_cap, label_cap, w_cap;
    ilk_dict classes;
    ilk_error **odd, **low; /* per column: a line about the first value that is no number, and not positive; or NULL */
} ilk_numbers;

/* Room for a table's columns, none of them wanted yet. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_numbers_init(ilk_numbers *out, size_t columns);
void ilk_numbers_free(ilk_numbers *numbers);
/* After the last was marked as wanted. */
void ilk_numbers_begin(ilk_numbers *numbers, size_t target, size_t weight);
/* ILK_OK or ILK_ENOMEM. */
ilk_status ilk_numbers_add(ilk_numbers *numbers, const ilk_table *t, const ilk_str *fields, const char *file,
                           size_t line);
/* The numbers of column j that are there, above 0 if `positive`; points has room for numbers->n. Returns how many. */
size_t ilk_numbers_points(ilk_point *points, const ilk_numbers *numbers, size_t j, bool positive);

#endif
