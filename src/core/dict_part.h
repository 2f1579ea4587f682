/* SPDX-License-Identifier: Apache-2.0 */
/* dict_part.h - what the files of the growing dictionary share. */
#ifndef ILK_CORE_DICT_PART_H
#define ILK_CORE_DICT_PART_H

#include "core/dict.h"

#include <endian.h>
#include <string.h>

enum { ILK_DICT_HEAD = 8 };

/* The first bytes of a key as a number, filled up with zeros: it orders keys, but equal heads say nothing yet. Halves
 * that overlap make up what is no whole word of the machine. */
static inline uint64_t ilk_dict_head(ilk_str key) {
    uint64_t head = 0;
    uint32_t first, last;
    if (key.n >= ILK_DICT_HEAD) {
        memcpy(&head, key.p, ILK_DICT_HEAD);
        return be64toh(head);
    }
    if (key.n >= sizeof first) {
        memcpy(&first, key.p, sizeof first);
        memcpy(&last, key.p + key.n - sizeof last, sizeof last);
        return (uint64_t)be32toh(first) << 32 | (uint64_t)be32toh(last) << 8 * (ILK_DICT_HEAD - key.n);
    }
    for (size_t i = 0; i < key.n; i++)
        head |= (uint64_t)(unsigned char)key.p[i] << 8 * (ILK_DICT_HEAD - 1 - i);
    return head;
}

static inline ilk_dict_rank ilk_dict_rank_of(const ilk_dict *d, uint32_t id) {
    return (ilk_dict_rank){ilk_dict_head(ilk_dict_key(d, id)), d->entry[id].field, id};
}

/* The order of (field, bytes), as far as heads tell. */
static inline int ilk_dict_compare_heads(const ilk_dict_rank *a, const ilk_dict_rank *b) {
    if (a->field != b->field)
        return a->field < b->field ? -1 : 1;
    return (a->head > b->head) - (a->head < b->head);
}

/* Keys of equal heads. */
static inline int ilk_dict_compare_tied(ilk_str a, ilk_str b) {
    if (a.n <= ILK_DICT_HEAD && b.n <= ILK_DICT_HEAD)
        return (a.n > b.n) - (a.n < b.n); /* what one has more is zeros */
    return ilk_str_compare(a, b);
}

/* That order itself, of a key of `d` and one of `e`. */
static inline int ilk_dict_compare(const ilk_dict *d, const ilk_dict_rank *a, const ilk_dict *e,
                                   const ilk_dict_rank *b) {
    int order = ilk_dict_compare_heads(a, b);
    return order ? order : ilk_dict_compare_tied(ilk_dict_key(d, a->id), ilk_dict_key(e, b->id));
}

#endif
