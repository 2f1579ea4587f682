/* SPDX-License-Identifier: Apache-2.0 */
/* wire.h - small records as little-endian bytes: written into a buffer, read back with every length checked.
 *
 * A reader that meets its end or a bad value turns `bad` and from then on yields zeros, so that a caller checks once.
 * */
#ifndef ILK_CORE_WIRE_H
#define ILK_CORE_WIRE_H

#include "core/buffer.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "model files are mapped as they are: a big-endian machine needs a converting reader"
#endif

static inline ilk_status ilk_put_u32(ilk_buffer *b, uint32_t v) {
    return ilk_buffer_add(b, &v, sizeof v);
}
static inline ilk_status ilk_put_u64(ilk_buffer *b, uint64_t v) {
    return ilk_buffer_add(b, &v, sizeof v);
}
static inline ilk_status ilk_put_f64(ilk_buffer *b, double v) {
    return ilk_buffer_add(b, &v, sizeof v);
}
static inline ilk_status ilk_put_str(ilk_buffer *b, ilk_str s) {
    if (s.n > UINT32_MAX)
        return ILK_ENOMEM;
    ILK_TRY(ilk_put_u32(b, (uint32_t)s.n));
    return ilk_buffer_add(b, s.p, s.n);
}

typedef struct ilk_reader {
    const char *p;
    size_t left;
    bool bad;
} ilk_reader;

static inline const char *ilk_get_bytes(ilk_reader *r, size_t n) {
    if (r->bad || n > r->left) {
        r->bad = true;
        return NULL;
    }
    const char *at = r->p;
    r->p += n;
    r->left -= n;
    return at;
}
static inline uint32_t ilk_get_u32(ilk_reader *r) {
    uint32_t v = 0;
    const char *p = ilk_get_bytes(r, sizeof v);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}
static inline uint64_t ilk_get_u64(ilk_reader *r) {
    uint64_t v = 0;
    const char *p = ilk_get_bytes(r, sizeof v);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}
static inline double ilk_get_f64(ilk_reader *r) {
    double v = 0;
    const char *p = ilk_get_bytes(r, sizeof v);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}
static inline ilk_str ilk_get_str(ilk_reader *r) {
    size_t n = ilk_get_u32(r);
    const char *p = ilk_get_bytes(r, n);
    return (ilk_str){p ? p : "", p ? n : 0};
}
/* A small number that must be below `limit`: an enum, a flag. */
static inline uint32_t ilk_get_below(ilk_reader *r, uint32_t limit) {
    uint32_t v = ilk_get_u32(r);
    if (v >= limit)
        r->bad = true;
    return r->bad ? 0 : v;
}

#endif
