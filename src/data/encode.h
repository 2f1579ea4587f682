/* SPDX-License-Identifier: Apache-2.0 */
/* encode.h - rows of fields to rows of numbers, codes and words. */
#ifndef ILK_DATA_ENCODE_H
#define ILK_DATA_ENCODE_H

#include "data/column_map.h"
#include "data/memo.h"
#include "data/packed_bag.h"
#include "text/tokens.h"

#define ILK_CODE_MEMO_BITS 5u
#define ILK_WORD_MEMO_BITS 16u /* of all text columns together */

/* A word being looked up. */
typedef struct ilk_bag_gathered {
    ilk_memo key;          /* with the id, once it is found */
    ilk_memo_place *place; /* NULL: too long to be remembered */
} ilk_bag_gathered;

/* Where a word stands in a row. */
typedef struct ilk_bag_place {
    uint32_t turn; /* of the row; in any other it has not occurred */
    uint32_t at;
} ilk_bag_place;

/* The bags of words of one text column, row after row. With `stats` it learns words as they come, with `model` it looks
 * them up. */
struct ilk_bag {
    ilk_stats *stats;
    const ilk_model *model;
    size_t j;       /* the text feature */
    ilk_str column; /* its name, for messages */
    const ilk_tokenizer *tokenizer;
    ilk_missing missing;
    bool empty_is_text; /* it has no words, but is not missing */
    ilk_token_scratch scratch;
    size_t rows;   /* since the last clear; an encoder counts its own */
    size_t *begin; /* rows + 1 */
    bool *is_missing;
    size_t begin_cap, is_missing_cap;
    uint32_t *id, *count;
    size_t n, id_cap, count_cap;
    ilk_bag_place *where; /* per word */
    size_t where_cap;
    uint32_t turn;        /* this row's, never 0 */
    size_t unseen;        /* the place of ILK_UNSEEN in this row, or SIZE_MAX */
    ilk_memo_place *memo; /* 2^memo_bits */
    unsigned memo_bits;
    ilk_bag_gathered gathered[ILK_TOKENS_AT_ONCE]; /* here, because on the stack it would be cleared each time */
};

/* One thread's encoder. With `stats` it learns names as they come, with `model` it looks them up. */
typedef struct ilk_encoder {
    const ilk_column_map *map;
    ilk_stats *stats;
    const ilk_model *model;
    size_t n;      /* rows since the last clear */
    bool gaps;     /* a number of them may be missing; if not, none is */
    size_t unseen; /* those with a category that the model has not seen */
    double *real, *weight;
    uint32_t *code, *label;
    size_t real_cap, weight_cap, code_cap, label_cap;
    ilk_memo_place *code_memo; /* 2^ILK_CODE_MEMO_BITS per category column */
    uint32_t **bin_code;       /* per category column: the codes of its bins, NULL where it has none */
    ilk_bag *bags;
    ilk_tokens *tokens; /* the bags as ilk_rows has them */
} ilk_encoder;

/* Exactly one of stats and model is not NULL. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_encoder_init(ilk_encoder *out, const ilk_column_map *map, ilk_stats *stats, const ilk_model *model);
void ilk_encoder_free(ilk_encoder *encoder);

/* No row will follow: give back what only reading rows needs. */
void ilk_encoder_settle(ilk_encoder *encoder);

/* Forget the rows encoded so far. */
void ilk_encoder_clear(ilk_encoder *encoder);

/* Append a row. Where number[j] (NULL: nowhere) is not NaN, it is the number that field j spells. ILK_EDATA if a value
 * cannot be read or is refused by the model: the message names file, line, column and value, and the row is as if it
 * had not been there; nothing of it was learnt. A row without a label sets *unlabelled, and is left out if the map is
 * of rows learnt. */
ilk_status ilk_encoder_add(ilk_encoder *encoder, const ilk_str *fields, const double *number, const char *file,
                           size_t line, bool *unlabelled, ilk_error *err);

/* Append a row that is one text and was packed: its word w is to[w], which may be ILK_UNSEEN. ILK_OK, ILK_ENOMEM;
 * ILK_EDATA if the model refuses words it has not seen. */
ilk_status ilk_encoder_add_packed(ilk_encoder *encoder, const ilk_packed_bag *bag, uint32_t label, const uint32_t *to,
                                  ilk_error *err);

/* Append a row that has nothing: it stands for one that could not be read. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_encoder_add_blank(ilk_encoder *encoder);

/* The rows since the last clear, borrowed until the next row. */
ilk_rows ilk_encoder_rows(const ilk_encoder *encoder);

#endif
