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

#include <endian.h>
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

/* The same where 16 bytes can be read from the string's first on: what is not its own is cut off, without a branch. The
 * entry differs from that of ilk_memo_key. */
static inline ilk_memo ilk_memo_key_ahead(ilk_str s) {
    uint64_t half[2];
    memcpy(half, s.p, sizeof half);
    unsigned first = s.n < 8 ? (unsigned)s.n : 8, second = (unsigned)s.n - first;
    uint64_t none = second ? UINT64_MAX : 0; /* a shift by 64 bits is not defined */
    return (ilk_memo){le64toh(half[0]) << (64 - 8 * first), none & le64toh(half[1]) << (64 - 8 * second) % 64,
                      (uint32_t)s.n, 0};
}

/* Its place among 2^bits. */
static inline size_t ilk_memo_at(const ilk_memo *key, unsigned bits) {
    uint64_t mixed = (key->a ^ key->b * UINT64_C(0x9E3779B97F4A7C15) ^ key->n) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(mixed >> (64 - bits));
}

static inline bool ilk_memo_same(const ilk_memo *x, const ilk_memo *y) {
    return x->a == y->a && x->b == y->b && x->n == y->n;
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
