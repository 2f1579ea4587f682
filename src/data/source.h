/* SPDX-License-Identifier: Apache-2.0 */
/* source.h - streams of bytes cut into blocks of whole records.
 *
 * A block's buffer, what the one before has left and as many bytes as a block has, is filled before it is cut at the
 * last record end in it. Blocks therefore depend on the bytes alone, not on how a pipe delivers them or who asks for
 * them, and with them everything computed per block. Unless the source is live: then a block holds the records that
 * have come, as soon as one has.
 */
#ifndef ILK_DATA_SOURCE_H
#define ILK_DATA_SOURCE_H

#include "core/buffer.h"
#include "data/dialect.h"
#include "data/feed.h"

#define ILK_BLOCK_SIZE ((size_t)1 << 18) /* what is read is parsed while it is in a core's own cache */
#define ILK_RECORD_LIMIT ((size_t)64 << 20)

/* Whole records of one stream, ending in a newline except perhaps at its end. */
typedef struct ilk_text_block {
    ilk_buffer bytes;
    size_t begin;      /* where unread records begin */
    size_t line;       /* 1-based number of the line at `begin` */
    const char *name;  /* of the stream */
    bool first;        /* of its stream */
    uint64_t position; /* how many of the feed's total_bytes had been read when it was cut */
    uint64_t replaced; /* how many of the bytes read until then were invalid */
} ilk_text_block;

static inline ilk_str ilk_text_block_rest(const ilk_text_block *block) {
    return (ilk_str){block->bytes.n ? block->bytes.p + block->begin : "", block->bytes.n - block->begin};
}

typedef struct ilk_source {
    ilk_feed feed; /* owned */
    ilk_dialect dialect;
    size_t block_size, next; /* next: the stream to open */
    bool is_open, at_end;    /* of the stream that is open */
    bool first;              /* its next block is its first */
    bool live;               /* do not wait for a block to be full */
    ilk_buffer carry;        /* read, but behind the last cut */
    size_t line;             /* of the first byte of carry */
} ilk_source;

/* Takes the feed over. The dialect must be set before the first block is asked for. */
void ilk_source_init(ilk_source *source, const ilk_feed *feed, size_t block_size);
void ilk_source_free(ilk_source *source);

/* The beginning of the first stream, whole lines only unless it is a single one, to choose a dialect by. Refuses an
 * empty file. */
ilk_status ilk_source_peek(ilk_source *source, ilk_str *head, ilk_error *err);

/* The next block into *block, whose buffer is reused; *more = false at the end of the last stream.
 * ILK_EIO, ILK_ENOMEM; ILK_EDATA for a NUL byte, a record over ILK_RECORD_LIMIT, a quote that is never closed. */
ilk_status ilk_source_next(ilk_source *source, ilk_text_block *block, bool *more, ilk_error *err);

/* Where to cut `text`, which begins with a record: the offset behind the last record that ends in it, 0 if none does. */
size_t ilk_source_cut(const ilk_source *source, ilk_str text);

/* Nothing is left, so that *more would be false. */
bool ilk_source_is_done(const ilk_source *source);

#endif
