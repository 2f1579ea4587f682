/* SPDX-License-Identifier: Apache-2.0 */
/* feed.h - where bytes come from: files, standard input or, in tests, memory.
 *
 * What stands between the files and the records is a filter: a feed made from a feed. feed_unpack.c unpacks,
 * feed_decode.c makes UTF-8 of other encodings, feed_documents.c makes a table of many documents. */
#ifndef ILK_DATA_FEED_H
#define ILK_DATA_FEED_H

#include "data/folder.h"

/* A sequence of named streams, read one after the other. */
typedef struct ilk_feed {
    void *ctx;
    size_t count;         /* of streams */
    uint64_t total_bytes; /* of all of them, 0 if unknown */
    bool live;            /* filters hand on what has come, rather than wait for more */
    size_t once;          /* the first stream that cannot be opened again, `count` if all can */
    const char *(*name)(void *ctx, size_t i);
    ilk_status (*open)(void *ctx, size_t i, ilk_error *err); /* closes the one before */
    /* Up to n bytes of the stream that is open; fewer need not mean the end, none does. */
    ilk_status (*read)(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err);
    uint64_t (*position)(void *ctx); /* how many of total_bytes have been read */
    uint64_t (*replaced)(void *ctx); /* how many invalid bytes have become U+FFFD so far; NULL: none can */
    void (*free)(void *ctx);
} ilk_feed;

/* Paths, "-" is standard input, once. That each can be read, and is no folder, is checked now, before hours of work on
 * the first. The strings are copied. */
ilk_status ilk_feed_files(ilk_feed *out, const char *const *paths, size_t n, ilk_error *err);

/* Bytes in memory as streams named "memory 1" and so on, at most `most` bytes per read: what tests and fuzzers feed.
 * The bytes are borrowed. */
ilk_status ilk_feed_memory(ilk_feed *out, const ilk_str *streams, size_t n, size_t most, ilk_error *err);

/* Let the feed give what its streams hold unpacked, where they are compressed (gz, xz, zst), one by one and by their
 * first bytes. The feed is taken over, and freed on failure. Reading then fails for a stream that is corrupt or ends
 * too early. Sizes and positions stay those of the compressed bytes. */
ilk_status ilk_feed_unpack(ilk_feed *feed, ilk_error *err);

/* How streams are read as text. */
typedef struct ilk_decoding {
    const char *encoding; /* NULL: UTF-8, or what a byte order mark says, or else refused with a guess */
    bool remembered;      /* nobody named it for these streams: it is that of a model's data */
    bool together;        /* all streams are judged as one: they are documents of one collection */
} ilk_decoding;

/* Let the feed give UTF-8 and nothing else, without byte order marks, taking it over as above. A byte that is not of
 * the encoding becomes U+FFFD, and feed->replaced tells how many have. Where no encoding was asked for, reading fails
 * if more than 1 % of a stream is not UTF-8, or if what is not plainly is of another encoding; the message says which.
 * It also fails if more than 1 % is not of the encoding that is remembered, or if it plainly is UTF-8 instead.
 * ILK_EARG: no such encoding. */
ilk_status ilk_feed_decode(ilk_feed *feed, const ilk_decoding *how, ilk_error *err);

/* Let a feed of the documents of `folder` give one stream, CSV with the columns path, class and text. Both are taken
 * over, and freed on failure. Reading then fails for a class whose name is not UTF-8, and for a document whose record
 * would pass ILK_RECORD_LIMIT. */
ilk_status ilk_feed_documents(ilk_feed *feed, ilk_folder *folder, ilk_error *err);

#endif
