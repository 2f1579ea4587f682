/* SPDX-License-Identifier: Apache-2.0 */
/* translate.h - rows in the ids of statistics, as they were added, in those of a model of these statistics. */
#ifndef ILK_MODEL_TRANSLATE_H
#define ILK_MODEL_TRANSLATE_H

#include <ilk.h>

/* Zero-initialised is empty. What needs no ids (numbers, weights) is borrowed from the rows given. */
typedef struct ilk_translation {
    ilk_rows rows;
    uint32_t *label, *code;
    ilk_tokens *text; /* owned, and so are its arrays */
    size_t texts;
} ilk_translation;

/* Words outside the model's vocabulary become one ILK_UNSEEN per row. The class of a row of weight 0, which may have no
 * other row and so no place in the model, becomes any. Freed by the caller, also on failure.
 * Returns what ilk_stats_add would say of the rows, ILK_EDATA for a class that has no rows, ILK_ENOMEM. */
ilk_status ilk_translate(ilk_translation *out, const ilk_stats *stats, const ilk_model *model, const ilk_rows *rows,
                         ilk_error *err);
void ilk_translation_free(ilk_translation *t);

#endif
