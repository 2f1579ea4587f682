/* SPDX-License-Identifier: Apache-2.0 */
/* byte_loops.h - `marks` and `census` by windows of 64 bytes. A set that includes this defines VECTOR, INLINE and
 * `equal`, whose bit i tells whether p[i], i < 64, is c.
 */
#include <string.h>

enum { AT_ONCE = 4 };

/* Where the bits of a window stand, into `at`; returns the place behind them. A few are written at once, needed or not,
 * because a loop over now more and now fewer is what a processor cannot foresee. */
INLINE uint32_t *spread(uint32_t *at, uint64_t bits, uint32_t from) {
    uint32_t *end = at + __builtin_popcountll(bits);
    do {
        for (size_t i = 0; i < AT_ONCE; i++, bits &= bits - 1)
            at[i] = from + (uint32_t)__builtin_ctzll(bits | UINT64_C(1) << 63); /* some place where none is left */
        at += AT_ONCE;
    } while (at < end);
    return end;
}

INLINE uint64_t any_of(const char *p, const char three[3]) {
    return equal(p, three[0]) | equal(p, three[1]) | equal(p, three[2]);
}

VECTOR static size_t marks(uint32_t *at, const char *p, size_t n, const char given[3]) {
    const char three[] = {given[0], given[1], given[2]}; /* ours, so that what is written to `at` cannot change them */
    uint32_t *end = at;
    size_t i = 0;
    for (; i + 64 <= n; i += 64)
        end = spread(end, any_of(p + i, three), (uint32_t)i);
    if (i == n)
        return (size_t)(end - at);
    char last[64] = {0};
    memcpy(last, p + i, n - i);
    end = spread(end, any_of(last, three) & ((UINT64_C(1) << (n - i)) - 1), (uint32_t)i);
    return (size_t)(end - at);
}

INLINE void count(ilk_census *c, const char *p) {
    c->newlines += (size_t)__builtin_popcountll(equal(p, '\n'));
    c->quotes |= equal(p, '"');
    c->nuls |= equal(p, '\0');
}

VECTOR static ilk_census census(const char *p, size_t n) {
    ilk_census c = {0};
    size_t i = 0;
    for (; i + 64 <= n; i += 64)
        count(&c, p + i);
    if (i == n)
        return c;
    char last[64];
    memset(last, ' ', sizeof last);
    memcpy(last, p + i, n - i);
    count(&c, last);
    return c;
}
