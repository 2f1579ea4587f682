/* SPDX-License-Identifier: Apache-2.0 */
/* tables.h - a model as tables for people. */
#ifndef ILK_CLI_TABLES_H
#define ILK_CLI_TABLES_H

#include <ilk.h>

/* Write all tables to standard output, with up to `words` words per class and text column. */
ilk_status tables_write(const ilk_model *model, size_t words, ilk_error *err);

/* The words of one text column that speak most for class k. Borrowed for the call. */
typedef struct telling_words {
    ilk_str column;
    uint32_t k;
    const ilk_word *word;
    size_t n;
} telling_words;

typedef ilk_status (*telling_words_fn)(void *ctx, const telling_words *words);

/* Call fn for every text column and class; a status other than ILK_OK ends the walk and is returned. */
ilk_status tables_words(const ilk_model *model, size_t words, telling_words_fn fn, void *ctx, ilk_error *err);

#endif
