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

/* ILK_EDATA: `value` in that column of the file, and why not. */
ilk_status ilk_encoder_refuse(const ilk_encoder *e, const ilk_origin *at, size_t column, ilk_str value, const char *why,
                              ilk_error *err);
/* The same of an entry "key:value", which is named by its key. */
ilk_status ilk_refuse_entry(const ilk_origin *at, const ilk_entry *entry, const char *why, ilk_error *err);
bool ilk_encoder_refuses_unseen(const ilk_encoder *e);

bool ilk_bag_init(ilk_bag *b);
void ilk_bag_free(ilk_bag *b);
/* Append the words of the row's text to bag j. */
ilk_status ilk_encoder_add_text(ilk_encoder *e, size_t j, ilk_str text, const ilk_origin *at, ilk_error *err);

#endif
