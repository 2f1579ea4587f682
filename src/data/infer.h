/* SPDX-License-Identifier: Apache-2.0 */
/* infer.h - what is known while a schema is made: what the plan says (plan.c), then what the values look like
 * (infer.c). */
#ifndef ILK_DATA_INFER_H
#define ILK_DATA_INFER_H

#include "data/profile.h"
#include "data/wishes.h"

/* What a kind of model makes of the columns. */
typedef struct ilk_model_kind {
    const char *name;
    const char *real_family;     /* NULL: no column is real */
    const char *count_family;    /* of whole numbers, none of them negative; NULL: as other numbers */
    const char *category_family; /* NULL: only text is read */
    const char *text_family;     /* NULL: no column is text */
} ilk_model_kind;

typedef struct ilk_inference {
    ilk_table *table;
    const ilk_plan *plan;
    ilk_model_kind model;
    size_t target, weight, rows; /* weight: SIZE_MAX where there is none */
    bool *ignored, *text;        /* per column: the plan says so */
    const char **family;         /* per column: the plan's, or NULL */
    ilk_wishes wishes;
    ilk_numbers numbers;
    ilk_effort *effort;
    ilk_profile *profiles;
    ilk_note_fn note;
    void *ctx;
} ilk_inference;

/* Read the plan: model, target, weights, what is said of each column, and on which columns to spend effort: only on
 * those the plan leaves open, and in full only where the number of values matters. */
ilk_status ilk_plan_obey(ilk_inference *in, ilk_error *err);
/* What a family models; a category if there is no such family. */
ilk_kind ilk_family_kind(const char *name);
/* May a column turn out to be one that "*" speaks of? */
bool ilk_may_be_real(const ilk_inference *in, size_t j);

#endif
