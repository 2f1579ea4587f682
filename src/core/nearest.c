/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.c - how many slips lead from a name to what was typed: edit distance with swaps of neighbours, since "tagret"
 * for "target" is one slip, not two. */
#include "core/least.h"

#include <ilk.h>

#include <string.h>

enum { LONGEST = 64 }; /* longer names get no suggestion: nobody mistypes them by hand */

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool same(const char *a, const char *b) {
    return lower(*a) == lower(*b);
}

/* Optimal string alignment: insertion, deletion, substitution and swap cost 1 each. O(|a| |b|). */
static size_t distance(ilk_str a, ilk_str b) {
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a.n; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= b.n; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= a.n; i++)
        for (size_t j = 1; j <= b.n; j++) {
            const char *p = a.p + i - 1, *q = b.p + j - 1;
            d[i][j] = ilk_least(d[i - 1][j - 1] + !same(p, q), ilk_least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && same(p, q - 1) && same(p - 1, q))
                d[i][j] = ilk_least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.n][b.n];
}

/* A name cut short ("--thread", "pred") is as near as one slip. */
static bool begins(ilk_str typed, ilk_str name) {
    return typed.n >= 3 && typed.n < name.n && memcmp(typed.p, name.p, typed.n) == 0;
}

size_t ilk_slips(ilk_str typed, ilk_str name) {
    if (typed.n > LONGEST || name.n > LONGEST || typed.n == 0 || name.n == 0)
        return SIZE_MAX;
    /* One slip, and one more for every three letters: "prd" may mean "predict", but nothing near "x" is suggested. */
    size_t n = begins(typed, name) ? 1 : distance(typed, name);
    return n < 2 + typed.n / 3 && n < ilk_least(typed.n, name.n) ? n : SIZE_MAX;
}
