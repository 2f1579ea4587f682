/* SPDX-License-Identifier: Apache-2.0 */
/* codec.h - how compressed bytes are unpacked: one const table per kind, in codec_NAME.c.
 *
 * A codec knows a kind by its first bytes and unpacks one member of it (a gzip member, an xz stream, a zstd frame).
 * That members follow each other, that a file may end too early and where its bytes come from is feed_unpack.c's
 * business. Where a library was not there at build time, `open` is NULL: the kind is then known by name only.
 */
#ifndef ILK_DATA_CODEC_H
#define ILK_DATA_CODEC_H

#include <stdbool.h>
#include <stddef.h>

enum { ILK_CODEC_HEAD = 6 }; /* bytes by which every kind is known */

/* How far the last call of `next` came. */
typedef enum ilk_codec_state {
    ILK_CODEC_MORE,    /* it needs more input, or more room */
    ILK_CODEC_END,     /* of this member */
    ILK_CODEC_CORRUPT, /* no such data, or a checksum that does not fit */
    ILK_CODEC_HUGE,    /* it asks for more memory than a file should be able to ask for */
    ILK_CODEC_NO_MEMORY
} ilk_codec_state;

/* What is left to read and to fill; `next` moves both on. */
typedef struct ilk_codec_io {
    const unsigned char *in;
    size_t in_n;
    unsigned char *out;
    size_t out_n;
} ilk_codec_io;

typedef struct ilk_codec {
    const char *name;
    bool (*knows)(const unsigned char *head); /* ILK_CODEC_HEAD bytes, zeros behind a shorter file */
    void *(*open)(void);                      /* NULL if there is no memory */
    ilk_codec_state (*next)(void *self, ilk_codec_io *io);
    void (*close)(void *self);
} ilk_codec;

extern const ilk_codec ilk_codec_gz, ilk_codec_xz, ilk_codec_zst;

#endif
