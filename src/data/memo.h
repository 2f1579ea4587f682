/* SPDX-License-Identifier: Apache-2.0 */
/* memo.h - ids of short strings, remembered next to the reader.
 *
 * Few values make up most of a column, and few words most of a text. A string of up to 16 bytes fits two words of the
 * machine, so that meeting it again costs a comparison instead of a hash and three cache misses in a dictionary. Each
 * string has one place, which it shares with few others. A miss is never wrong, only slower.
 */
#ifndef ILK_DATA_MEMO_H
#define ILK_DATA_MEMO_H

#include "core/error.h"

#include <string.h>

#define ILK_MEMO_LONGEST 16u

typedef struct ilk_memo {
    uint64_t a, b;  /* the bytes; with n they determine the string */
    uint32_t n, id; /* n = 0: nothing is remembered here */
} ilk_memo;

/* Two strings may stand in a place, the one last met first. A place is as wide as a line of the cache, and leaves room
 * at its end, so that it seldom lies across two. */
typedef struct ilk_memo_place {
    ilk_memo memo[2];
    uint64_t room[2];
} ilk_memo_place;

static inline uint64_t ilk_memo_load(const char *p, size_t n) {
    uint64_t word = 0;
    memcpy(&word, p, n);
    return word;
}

/* A string of 1 to ILK_MEMO_LONGEST bytes as an entry without an id. The two halves overlap: none reads beyond it. */
static inline ilk_memo ilk_memo_key(ilk_str s) {
    const char *last = s.p + s.n;
    if (s.n >= 8)
        return (ilk_memo){ilk_memo_load(s.p, 8), ilk_memo_load(last - 8, 8), (uint32_t)s.n, 0};
    if (s.n >= 4)
        return (ilk_memo){ilk_memo_load(s.p, 4) | ilk_memo_load(last - 4, 4) << 32, 0, (uint32_t)s.n, 0};
    uint64_t few =
        (unsigned char)s.p[0] | (uint64_t)(unsigned char)s.p[s.n / 2] << 8 | (uint64_t)(unsigned char)last[-1] << 16;
    return (ilk_memo){few, 0, (uint32_t)s.n, 0};
}

/* The same where 16 bytes can be read from the string's first on: what is not its own is masked, without a branch. The
 * entry differs from that of ilk_memo_key; that of a longer string is of its first 16 bytes. */
static inline ilk_memo ilk_memo_key_ahead(ilk_str s) {
    static const uint64_t keep[4] = {UINT64_MAX, UINT64_MAX};
    uint64_t half[2], own[2];
    memcpy(half, s.p, sizeof half);
    memcpy(own, (const char *)keep + (s.n < ILK_MEMO_LONGEST ? ILK_MEMO_LONGEST - s.n : 0), sizeof own);
    return (ilk_memo){half[0] & own[0], half[1] & own[1], (uint32_t)s.n, 0};
}

/* Its place among 2^bits. */
static inline size_t ilk_memo_at(const ilk_memo *key, unsigned bits) {
    uint64_t mixed = (key->a ^ key->b * UINT64_C(0x9E3779B97F4A7C15) ^ key->n) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(mixed >> (64 - bits));
}

static inline bool ilk_memo_same(const ilk_memo *x, const ilk_memo *y) {
    return ((x->a ^ y->a) | (x->b ^ y->b) | (x->n ^ y->n)) == 0; /* one branch for the three */
}

/* Put a key with its id first. */
static inline void ilk_memo_keep(ilk_memo_place *place, const ilk_memo *key) {
    place->memo[1] = place->memo[0];
    place->memo[0] = *key;
}

/* Is the key known? Then it has its id and stands first. */
static inline bool ilk_memo_recall(ilk_memo_place *place, ilk_memo *key) {
    for (size_t i = 0; i < 2; i++) {
        if (!ilk_memo_same(&place->memo[i], key))
            continue;
        key->id = place->memo[i].id;
        if (i > 0)
            ilk_memo_keep(place, key);
        return true;
    }
    return false;
}

#endif
