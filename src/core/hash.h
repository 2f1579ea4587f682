/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h - xxHash, compiled in: words are short, and a call costs as much as hashing one. */
#ifndef ILK_CORE_HASH_H
#define ILK_CORE_HASH_H

#define XXH_INLINE_ALL
#ifndef NDEBUG
#define XXH_NO_INLINE_HINTS 1 /* gcc -Og refuses what the hints force */
#endif
#include <xxhash.h>

#include "core/error.h"

/* Drawn once per process; dictionaries that grow are keyed with it. */
uint64_t ilk_hash_seed(void);

static inline uint64_t ilk_hash_key(uint64_t seed, uint32_t field, ilk_str key) {
    return XXH3_64bits_withSeed(key.n ? key.p : "", key.n, seed ^ (field * UINT64_C(0x9E3779B97F4A7C15)));
}

static inline uint64_t ilk_hash_bytes(const void *p, size_t n) {
    return XXH3_64bits(n ? p : "", n);
}

#endif
