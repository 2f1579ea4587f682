/* SPDX-License-Identifier: Apache-2.0 */
/* parameters.h - the facts of a model in an order in which they can be found: what exports are made from. */
#ifndef ILK_CLI_PARAMETERS_H
#define ILK_CLI_PARAMETERS_H

#include <ilk.h>

/* Facts that differ in their class only: K of them, or one that holds for all (k is ILK_NONE). */
typedef struct parameter {
    const ilk_fact *fact;
    size_t n;
} parameter;

/* All but theta and the numbers of parameters, which follow from the others, in order of family, column (as the schema
 * has them), quantity and key. */
typedef struct parameters {
    const ilk_schema *schema;
    ilk_fact *fact;
    size_t facts, cap;
    parameter *item;
    size_t n;
} parameters;

ilk_status parameters_read(parameters *out, const ilk_model *model, ilk_error *err);
void parameters_free(parameters *p);

/* The first of a family, column and quantity, and how many (one per key) there are; NULL if none. */
const parameter *parameters_find(const parameters *p, const char *family, ilk_str column, const char *quantity,
                                 size_t *n);
/* The one with that key. */
const parameter *parameters_key(const parameters *p, const char *family, ilk_str column, const char *quantity,
                                ilk_str key);

#endif
