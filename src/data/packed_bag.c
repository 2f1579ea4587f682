/* SPDX-License-Identifier: Apache-2.0 */
/* packed_bag.c - see packed_bag.h. Most words of a text occur once, and then take four bytes. */
#include "data/packed_bag.h"

ilk_status ilk_bag_pack(ilk_buffer *out, uint32_t part, uint32_t label, const ilk_tokens *bags, size_t i) {
    size_t first = bags->begin[i], last = bags->begin[i + 1];
    out->n = 0;
    if (last - first > UINT32_MAX / 2)
        return ILK_OK;
    ILK_TRY(ilk_buffer_reserve(out, sizeof(ilk_packed_bag) + 2 * (last - first) * sizeof(uint32_t)));
    ilk_packed_bag *bag = (ilk_packed_bag *)(void *)out->p;
    uint32_t *to = bag->word;
    for (size_t at = first; at < last; at++) {
        uint32_t id = bags->id[at], count = bags->count[at];
        if (id >= ILK_PACKED_REPEATED)
            return ILK_OK;
        *to++ = count == 1 ? id : id | ILK_PACKED_REPEATED;
        *to = count; /* written over, if it is not wanted */
        to += count != 1;
    }
    bag->part = part;
    bag->label = label;
    bag->n = (uint32_t)(to - bag->word);
    out->n = (size_t)((char *)to - out->p);
    return ILK_OK;
}
