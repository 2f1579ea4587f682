/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h - columns, and the blocks they form. */
#ifndef ILK_MODEL_SCHEMA_H
#define ILK_MODEL_SCHEMA_H

#include "core/wire.h"
#include "families/family.h"
#include "transform/transform.h"

#define ILK_ENCODING_SIZE 32 /* of the name of an encoding, with the NUL at its end */

/* A family over some columns. Real and category columns of one family share a block; each text column is its own. */
typedef struct ilk_block {
    const ilk_family *family;
    size_t d;
    size_t *source;  /* d: the column's place among the features of its kind, i.e. in the matrices of ilk_rows */
    ilk_str *column; /* d names, borrowed from the schema */
    const ilk_transform **transform; /* d, borrowed too; NULL: all are ILK_AS_IS */
    double unit;                     /* of a text's counts; else 1 */
} ilk_block;

/* The j-th feature column of a kind, or NULL beyond the last. */
const ilk_column *ilk_schema_feature(const ilk_schema *schema, ilk_kind kind, size_t j);

/* Where a feature is counted: its block, and its place in it. */
typedef struct ilk_home {
    size_t block, field;
} ilk_home;

typedef struct ilk_blocks {
    ilk_block *block;
    size_t n;
    ilk_home *home[3]; /* per kind: of its j-th feature */
} ilk_blocks;

/* The fields of its dictionary: its columns, and in a joint table one more for the combinations. */
static inline size_t ilk_block_fields(const ilk_block *b) {
    return b->d + (b->family->layout == ILK_LAYOUT_TABLE);
}

/* May x stand in column j of a block of real columns? The message names row and column. */
ilk_status ilk_block_check_real(const ilk_block *b, size_t j, double x, size_t row, ilk_error *err);

/* The value in row i and column j of a matrix `width` wide, of either precision. */
static inline double ilk_rows_real(const ilk_rows *rows, size_t width, size_t i, size_t j) {
    return rows->real ? rows->real[i * width + j] : (double)rows->real32[i * width + j];
}

/* A block's columns of row i. */
void ilk_block_copy(double *x, const ilk_block *b, const ilk_rows *rows, size_t width, size_t i);
/* What its family sees of rows first … first + n - 1, which were checked: where they stand, if the matrix has these
 * columns only and none is transformed, else copied to x. */
const double *ilk_block_reals(const ilk_block *b, const ilk_rows *rows, size_t width, size_t first, size_t n,
                              double *x);
/* Are the caller's arrays for this block complete? Exactly one matrix of reals; a matrix of codes; or bags whose
 * `begin` never falls in rows first … first + n - 1, which have ids and counts if there are words, and no words where a
 * text is missing. Else ILK_EARG. */
ilk_status ilk_block_check_given(const ilk_block *b, const ilk_rows *rows, size_t first, size_t n, ilk_error *err);
/* Transform n × d gathered numbers of a block of real columns, which were checked. */
void ilk_block_transform(const ilk_block *b, double *x, size_t n);
/* The sum of log dy/dx over its columns that row i has: what makes a density of y one of x. */
double ilk_block_log_slope(const ilk_block *b, const ilk_rows *rows, size_t width, size_t i);

/* The blocks of a schema, in the order of their first columns. They borrow from the schema. */
ilk_status ilk_blocks_new(ilk_blocks *out, const ilk_schema *schema, ilk_error *err);
void ilk_blocks_free(ilk_blocks *blocks);

ilk_status ilk_schema_copy(ilk_schema **out, const ilk_schema *schema, ilk_error *err);
/* A copy in which blocks of a kind are modelled by another family. NULL names change nothing. ILK_EARG if a family
 * needs other statistics than are there. */
ilk_status ilk_schema_refit(ilk_schema **out, const ilk_schema *schema, const char *real_family,
                            const char *text_family, ilk_error *err);
/* What the lists say of a word of the j-th text feature: ILK_MISSING if it is stopped, ILK_UNSEEN if it is not in a
 * fixed dictionary, else 0. */
uint32_t ilk_schema_judge(const ilk_schema *schema, size_t j, ilk_str word);
/* A word in a list of the j-th text feature. */
typedef struct ilk_listed {
    size_t j;
    ilk_word_rule rule;
    ilk_str word;
} ilk_listed;

/* The words of all lists. */
size_t ilk_schema_listed(const ilk_schema *schema);
ilk_listed ilk_schema_listed_at(const ilk_schema *schema, size_t i);
/* Their order by list and bytes. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_schema_listed_sort(const ilk_schema *schema, uint32_t *order);

/* ILK_OK if the same rows would give the same statistics, else ILK_EARG naming the first difference. */
ilk_status ilk_schema_same(const ilk_schema *a, const ilk_schema *b, ilk_error *err);
/* ILK_OK if they have the same columns in the same places, else ILK_EARG. */
ilk_status ilk_blocks_same(const ilk_blocks *a, const ilk_blocks *b, ilk_error *err);
/* The same, and that sums of one may be added to those of the other. */
ilk_status ilk_blocks_add_up(const ilk_blocks *a, const ilk_blocks *b, ilk_error *err);

ilk_status ilk_schema_put(ilk_buffer *out, const ilk_schema *schema);
ilk_status ilk_schema_get(ilk_schema **out, ilk_reader *in, ilk_error *err);

#endif
