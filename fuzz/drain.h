/* SPDX-License-Identifier: Apache-2.0 */
/* drain.h - all that a feed gives, for the fuzz targets of its filters. */
#ifndef ILK_FUZZ_DRAIN_H
#define ILK_FUZZ_DRAIN_H

#include "core/buffer.h"
#include "data/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 22 }; /* of a bomb, the beginning */

typedef struct drained {
    ilk_buffer bytes;
    ilk_status status;
    uint64_t replaced;
} drained;

typedef ilk_status (*drain_filter)(ilk_feed *feed, const void *how);

/* The bytes of one stream through a filter, delivered in pieces of at most `in` and asked for in pieces of `out`. */
static inline drained drain(ilk_str stream, drain_filter apply, const void *how, size_t in, size_t out) {
    drained d = {0};
    ilk_feed feed;
    if (ilk_feed_memory(&feed, &stream, 1, in, NULL) != ILK_OK || apply(&feed, how) != ILK_OK)
        abort();
    d.status = feed.open(feed.ctx, 0, NULL);
    for (size_t got = 1; d.status == ILK_OK && got > 0 && d.bytes.n < MOST; d.bytes.n += got) {
        if (ilk_buffer_reserve(&d.bytes, out) != ILK_OK)
            abort();
        d.status = feed.read(feed.ctx, d.bytes.p + d.bytes.n, out, &got, NULL);
        if (d.status != ILK_OK)
            got = 0;
    }
    d.replaced = feed.replaced ? feed.replaced(feed.ctx) : 0;
    feed.free(feed.ctx);
    return d;
}

/* The law: how bytes are delivered and asked for changes nothing. A failure may come after more bytes or fewer. */
static inline void compare(const drained *a, const drained *b) {
    size_t n = a->bytes.n < b->bytes.n ? a->bytes.n : b->bytes.n;
    bool cut = a->bytes.n >= MOST || b->bytes.n >= MOST;
    bool same = cut || (a->status == b->status && (a->status != ILK_OK || a->bytes.n == b->bytes.n));
    if (same && (n == 0 || memcmp(a->bytes.p, b->bytes.p, n) == 0) && (cut || a->status || a->replaced == b->replaced))
        return;
    fprintf(stderr, "%zu bytes, status %d, and %zu bytes, status %d\n", a->bytes.n, a->status, b->bytes.n, b->status);
    abort();
}

#endif
