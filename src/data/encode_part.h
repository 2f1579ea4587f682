/* SPDX-License-Identifier: Apache-2.0 */
/* encode_part.h - what encode.c and encode_text.c share. */
#ifndef ILK_DATA_ENCODE_PART_H
#define ILK_DATA_ENCODE_PART_H

#include "data/encode.h"
#include "data/entries.h"

/* Where a row comes from, for messages. */
typedef struct ilk_origin {
    const char *file;
    size_t line;
} ilk_origin;

/* ILK_EDATA: `value` in that column, and why not. `at` is NULL for what is in memory. */
ilk_status ilk_refuse(const ilk_origin *at, ilk_str column, ilk_str value, const char *why, ilk_error *err);
bool ilk_refuses_unseen(const ilk_model *model); /* NULL: nobody does */

/* Of a bag that has all from `stats` to `tokenizer`: the rest, and what only reading needs of it. ILK_OK or ILK_ENOMEM;
 * to be released in either case. */
ilk_status ilk_bag_init(ilk_bag *b);
void ilk_bag_settle(ilk_bag *b);
void ilk_bag_release(ilk_bag *b);
/* Room for so many rows. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_bag_reserve(ilk_bag *b, size_t rows);
/* The words of a text become row i of the bag, the last one. There is room for it. */
ilk_status ilk_bag_put(ilk_bag *b, size_t i, ilk_str text, const ilk_origin *at, ilk_error *err);
/* Row i, the last one, has no text. */
void ilk_bag_put_missing(ilk_bag *b, size_t i);
/* The words of a packed text become row i: see ilk_encoder_add_packed. */
ilk_status ilk_bag_unpack(ilk_bag *b, size_t i, const ilk_packed_bag *packed, const uint32_t *to, ilk_error *err);

#endif
