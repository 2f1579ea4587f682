/* SPDX-License-Identifier: Apache-2.0 */
/* packed_bag.h - a row that is one text, as its words: for a sample of rows that is not to be read twice.
 *
 * Words stand in the order of their first appearance, as an encoder has them, so that what is computed from them has
 * the same bits as if the text had been read again.
 */
#ifndef ILK_DATA_PACKED_BAG_H
#define ILK_DATA_PACKED_BAG_H

#include "core/buffer.h"

#define ILK_PACKED_REPEATED (UINT32_C(1) << 31)

typedef struct ilk_packed_bag {
    uint32_t part;   /* whose words they are */
    uint32_t label;  /* the class */
    uint32_t n;      /* numbers that follow; behind them is one more, without a meaning */
    uint32_t word[]; /* each a word, or ILK_PACKED_REPEATED and a word, and then how often it occurs */
} ilk_packed_bag;

/* Row i of the bags into `out`, which is emptied. It stays empty if the text is missing, or has a word whose number is
 * too large. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_bag_pack(ilk_buffer *out, uint32_t part, uint32_t label, const ilk_tokens *bags, size_t i);

#endif
