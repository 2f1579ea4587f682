/* SPDX-License-Identifier: Apache-2.0 */
/* word_list.h - files of words: one on each line. */
#ifndef ILK_DATA_WORD_LIST_H
#define ILK_DATA_WORD_LIST_H

#include "core/error.h"

/* Put the words of a file into a list of every text feature, as its tokenizer makes them. Empty lines are passed over.
 * ILK_EDATA names file and line of what is not one word, ILK_EARG: there is no text. ILK_EIO, ILK_ENOMEM. */
ilk_status ilk_word_list_read(ilk_schema *schema, ilk_word_rule rule, const char *path, ilk_error *err);

#endif
