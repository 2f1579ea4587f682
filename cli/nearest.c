/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.c - edit distance with swaps of neighbours, since "tagret" for "target" is one slip and not two. */
#include "nearest.h"

#include <string.h>

enum { LONGEST = 64 }; /* longer names get no suggestion: nobody mistypes them by hand */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Optimal string alignment: insertion, deletion, substitution and swap cost 1 each. O(|a| |b|). */
static size_t distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            size_t change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least(change, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

/* One slip, and one more for every three letters: "prd" may mean "predict", but nothing near "x" is suggested. */
cli_nearest cli_nearest_begin(const char *wanted) {
    return (cli_nearest){.wanted = wanted, .distance = 2 + strlen(wanted) / 3};
}

void cli_nearest_offer(cli_nearest *nearest, const char *name) {
    size_t n = strlen(nearest->wanted), m = strlen(name);
    if (n > LONGEST || m > LONGEST)
        return;
    /* A name cut short ("--thread", "pred") is as near as one slip. */
    size_t cost = n >= 3 && n < m && memcmp(nearest->wanted, name, n) == 0 ? 1 : distance(nearest->wanted, name);
    if (cost < nearest->distance && cost < least(n, m)) {
        nearest->distance = cost;
        nearest->best = name;
    }
}
