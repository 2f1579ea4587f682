/* SPDX-License-Identifier: Apache-2.0 */
/* table_key.h - a combination of values as one key: the values joined by commas, with a backslash before every comma
 * and backslash in them. Readable as it is, and different for different combinations. */
#ifndef ILK_FAMILIES_TABLE_KEY_H
#define ILK_FAMILIES_TABLE_KEY_H

#include <ilk.h>

static inline bool ilk_table_escaped(char c) {
    return c == ',' || c == '\\';
}

/* Append the j-th value to a key of n bytes; out NULL only measures. Returns the new length. */
static inline size_t ilk_table_key_add(char *out, size_t n, size_t j, ilk_str value) {
    if (j > 0) {
        if (out)
            out[n] = ',';
        n++;
    }
    for (size_t i = 0; i < value.n; i++) {
        if (ilk_table_escaped(value.p[i])) {
            if (out)
                out[n] = '\\';
            n++;
        }
        if (out)
            out[n] = value.p[i];
        n++;
    }
    return n;
}

/* The length of the value at the front of `rest`, up to the comma or the end behind it. */
static inline size_t ilk_table_key_value(ilk_str rest) {
    size_t n = 0;
    while (n < rest.n && rest.p[n] != ',')
        n += rest.p[n] == '\\' && n + 1 < rest.n ? 2 : 1;
    return n;
}

/* That value without its backslashes, into out, which has room for it. Returns its length. */
static inline size_t ilk_table_key_plain(char *out, ilk_str value) {
    size_t n = 0;
    for (size_t i = 0; i < value.n; i++) {
        i += value.p[i] == '\\' && i + 1 < value.n;
        out[n++] = value.p[i];
    }
    return n;
}

#endif
