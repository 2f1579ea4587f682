/* SPDX-License-Identifier: Apache-2.0 */
/* feed.h - where bytes come from: files, standard input or, in tests, memory. */
#ifndef ILK_DATA_FEED_H
#define ILK_DATA_FEED_H

#include "core/error.h"

/* A sequence of named streams, read one after the other. */
typedef struct ilk_feed {
    void *ctx;
    size_t count;         /* of streams */
    uint64_t total_bytes; /* of all of them, 0 if unknown */
    const char *(*name)(void *ctx, size_t i);
    ilk_status (*open)(void *ctx, size_t i, ilk_error *err); /* closes the one before */
    /* Up to n bytes of the stream that is open; fewer need not mean the end, none does. */
    ilk_status (*read)(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err);
    void (*free)(void *ctx);
} ilk_feed;

/* Paths, "-" is standard input. That each can be read, and is no folder, is checked now, before hours of work on the
 * first. The strings are copied. */
ilk_status ilk_feed_files(ilk_feed *out, const char *const *paths, size_t n, ilk_error *err);

/* Bytes in memory as streams named "memory 1" and so on, at most `most` bytes per read: what tests and fuzzers feed.
 * The bytes are borrowed. */
ilk_status ilk_feed_memory(ilk_feed *out, const ilk_str *streams, size_t n, size_t most, ilk_error *err);

#endif
