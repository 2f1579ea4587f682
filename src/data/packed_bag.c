/* SPDX-License-Identifier: Apache-2.0 */
/* packed_bag.c - see packed_bag.h. Most words of a text occur once, and then take four bytes. */
#include "data/packed_bag.h"
#include "families/family.h"

ilk_status ilk_bag_pack(ilk_buffer *out, uint32_t part, uint32_t label, const ilk_tokens *bags, size_t i) {
    size_t first = bags->begin[i], n = bags->begin[i + 1] - first;
    out->n = 0;
    if (n > UINT32_MAX / 2 || ilk_text_missing(bags, i))
        return ILK_OK;
    ILK_TRY(ilk_buffer_reserve(out, sizeof(ilk_packed_bag) + (2 * n + 1) * sizeof(uint32_t)));
    ilk_packed_bag *bag = (ilk_packed_bag *)(void *)out->p;
    uint32_t *to = bag->word, any = 0;
    for (size_t at = first; at < first + n; at++) {
        uint32_t id = bags->id[at], repeated = bags->count[at] != 1;
        any |= id;
        to[0] = id | repeated << 31;
        to[1] = bags->count[at]; /* written over, if it is not wanted; read all the same */
        to += 1 + repeated;
    }
    if (any >= ILK_PACKED_REPEATED)
        return ILK_OK;
    bag->part = part;
    bag->label = label;
    bag->n = (uint32_t)(to - bag->word);
    out->n = (size_t)((char *)(to + 1) - out->p);
    return ILK_OK;
}
