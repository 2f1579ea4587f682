/* SPDX-License-Identifier: Apache-2.0 */
/* entries.h - "key:value" between blanks: what stands in a row of svmlight, and in a text of counts. */
#ifndef ILK_DATA_ENTRIES_H
#define ILK_DATA_ENTRIES_H

#include "data/dialect.h"

#include <string.h>

typedef struct ilk_entry {
    ilk_str key, value; /* the last colon divides; without one, all is the key and value.p is NULL */
} ilk_entry;

/* Cut the first entry off *rest; false at the end. */
static inline bool ilk_entry_next(ilk_str *rest, ilk_entry *out) {
    const char *p = rest->p, *end = rest->p + rest->n;
    while (p < end && ilk_is_blank(*p))
        p++;
    const char *begin = p, *colon = NULL;
    for (; p < end && !ilk_is_blank(*p); p++)
        if (*p == ':')
            colon = p;
    *rest = (ilk_str){p, (size_t)(end - p)};
    out->key = (ilk_str){begin, (size_t)((colon ? colon : p) - begin)};
    out->value = colon ? (ilk_str){colon + 1, (size_t)(p - colon) - 1} : (ilk_str){NULL, 0};
    return p > begin;
}

/* The number of an index, which is written without a sign and without leading zeros; SIZE_MAX if it is none below
 * 2^32. */
static inline size_t ilk_entry_index(ilk_str s) {
    size_t n = 0;
    if (s.n == 0 || s.n > 10 || (s.n > 1 && s.p[0] == '0'))
        return SIZE_MAX;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return SIZE_MAX;
        n = 10 * n + (size_t)(s.p[i] - '0');
    }
    return n <= UINT32_MAX ? n : SIZE_MAX;
}

#endif
