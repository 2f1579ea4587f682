/* SPDX-License-Identifier: Apache-2.0 */
/* marks_loop.h - the kernel `marks` by windows of 64 bytes. A set that includes this defines VECTOR, INLINE and
 * `window`, whose bit i tells whether p[i], i < 64, is one of three bytes.
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

VECTOR static size_t marks(uint32_t *at, const char *p, size_t n, const char given[3]) {
    const char three[] = {given[0], given[1], given[2]}; /* ours, so that what is written to `at` cannot change them */
    uint32_t *end = at;
    size_t i = 0;
    for (; i + 64 <= n; i += 64)
        end = spread(end, window(p + i, three), (uint32_t)i);
    if (i == n)
        return (size_t)(end - at);
    char last[64] = {0};
    memcpy(last, p + i, n - i);
    end = spread(end, window(last, three) & ((UINT64_C(1) << (n - i)) - 1), (uint32_t)i);
    return (size_t)(end - at);
}
