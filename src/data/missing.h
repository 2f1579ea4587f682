/* SPDX-License-Identifier: Apache-2.0 */
/* missing.h - the spellings of "no value". The empty field always is one. */
#ifndef ILK_DATA_MISSING_H
#define ILK_DATA_MISSING_H

#include "core/error.h"
#include "core/number.h"

typedef struct ilk_missing {
    ilk_str *spelling; /* owned array, borrowed strings */
    size_t n;
    bool numbers;     /* one of them is a number, such as -999: then -999.0 is one, too */
    uint64_t lengths; /* bit min(length, 63) of every spelling: most fields are told apart by their length alone */
} ilk_missing;

static inline uint64_t ilk_missing_bit(ilk_str s) {
    return UINT64_C(1) << (s.n < 63 ? s.n : 63);
}

static inline bool ilk_missing_has(const ilk_missing *m, ilk_str s) {
    if (s.n == 0)
        return true;
    if (m->numbers)
        s = ilk_number_plain(s);
    if (!(m->lengths & ilk_missing_bit(s)))
        return false;
    for (size_t i = 0; i < m->n; i++)
        if (ilk_str_equal(m->spelling[i], s))
            return true;
    return false;
}

/* From a list with commas, which must outlive *out. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_missing_split(ilk_missing *out, ilk_str list);
/* From a schema, likewise. */
ilk_status ilk_missing_from_schema(ilk_missing *out, const ilk_schema *schema);
void ilk_missing_free(ilk_missing *m);

#endif
