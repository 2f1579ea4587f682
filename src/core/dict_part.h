/* SPDX-License-Identifier: Apache-2.0 */
/* dict_part.h - what the files of the growing dictionary share. */
#ifndef ILK_CORE_DICT_PART_H
#define ILK_CORE_DICT_PART_H

#include "core/dict.h"

#include <endian.h>
#include <string.h>

enum { ILK_DICT_HEAD = 8 };

/* The first bytes of a key as a number, filled up with zeros: it orders keys, but equal heads say nothing yet. */
static inline uint64_t ilk_dict_head(ilk_str key) {
    uint64_t head = 0;
    if (key.n > 0) /* else there may be no bytes at all */
        memcpy(&head, key.p, key.n < ILK_DICT_HEAD ? key.n : ILK_DICT_HEAD);
    return be64toh(head);
}

/* Make the slots of all entries, which are different keys. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_dict_index(ilk_dict *d);

#endif
