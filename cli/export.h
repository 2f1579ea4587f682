/* SPDX-License-Identifier: Apache-2.0 */
/* export.h - a model in forms that need no ilk to be read. */
#ifndef ILK_CLI_EXPORT_H
#define ILK_CLI_EXPORT_H

#include "cli.h"
#include "parameters.h"
#include "sink.h"

/* The arrays of a row: numbers that become bins stand among the numbers, behind those that stay. */
typedef enum export_array { EXPORT_NUMBER, EXPORT_CATEGORY, EXPORT_TEXT } export_array;

/* What is being written. */
typedef struct export_writer {
    sink out;
    const ilk_model *model;
    const ilk_schema *schema;
    const parameters *p;
    const char *name;
    size_t K;
    ilk_unseen unseen;
    struct export_feature {
        const ilk_column *column;
        size_t place; /* in its array of the row */
    } * feature[3];   /* by kind; behind the last one a column that is NULL */
    size_t width[3];  /* of each array */
} export_writer;

/* One C function to standard output; `name` is what its names begin with. ILK_EARG for a family that it cannot be
 * written for. */
ilk_status export_c(const ilk_model *model, const parameters *p, const char *name, ilk_error *err);

/* The part of the C function that is about numbers (export_numbers.c): constants, then statements. */
void export_number_tables(export_writer *w);
void export_number_code(export_writer *w);

/* The same about a joint table (export_joint.c). */
void export_joint_table(export_writer *w);
void export_joint_code(export_writer *w);

/* What is done to a row's numbers before they are scored (export_rows.c), and where a feature stands in a row: found
 * once, because a walk for each column would be quadratic. */
export_array export_array_of(const ilk_column *column);
void export_features_find(export_writer *w);
void export_features_free(export_writer *w);
bool export_has_powers(const ilk_schema *schema);
void export_bins_table(export_writer *w, const ilk_column *column, size_t j);
void export_bins_code(export_writer *w, const ilk_column *column, size_t j, size_t place);
void export_row_functions(export_writer *w);
void export_row_code(export_writer *w); /* `number`, in the place of row->number */

/* The words of the j-th text (export_text.c). */
void export_text_code(export_writer *w, const ilk_column *column, size_t j);

/* Whether a feature is of a family; how many values or words it has. */
bool export_is(const ilk_column *column, const char *family);
uint32_t export_keys(const export_writer *w, ilk_kind kind, size_t j);

/* Not a model of families without a density only. */
bool export_takes_prior(const ilk_model *model);

/* A constant of C that is this double. */
void export_constant(sink *out, double x);

#endif
