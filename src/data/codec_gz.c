/* SPDX-License-Identifier: Apache-2.0 */
/* codec_gz.c - gzip members, by zlib. */
#include "data/codec.h"

#include <string.h>

static bool knows(const unsigned char *head) {
    return memcmp(head, "\x1F\x8B", 2) == 0;
}

#ifdef ILK_HAVE_ZLIB
#include "core/memory.h"

#define ZLIB_CONST
#include <zlib.h>

enum { GZIP_ONLY = 16 };

static void *get(void *opaque, unsigned count, unsigned size) {
    (void)opaque;
    return ilk_alloc(count, size);
}

static void put_back(void *opaque, void *p) {
    (void)opaque;
    ilk_free(p);
}

static void *open_gz(void) {
    z_stream *z = ilk_zalloc(1, sizeof *z);
    if (!z)
        return NULL;
    z->zalloc = get;
    z->zfree = put_back;
    if (inflateInit2(z, MAX_WBITS + GZIP_ONLY) == Z_OK)
        return z;
    ilk_free(z);
    return NULL;
}

static unsigned clamp(size_t n) {
    return n < 1u << 30 ? (unsigned)n : 1u << 30;
}

static ilk_codec_state next_gz(void *self, ilk_codec_io *io) {
    z_stream *z = self;
    unsigned in = clamp(io->in_n), out = clamp(io->out_n);
    z->next_in = io->in;
    z->avail_in = in;
    z->next_out = io->out;
    z->avail_out = out;
    int code = inflate(z, Z_NO_FLUSH);
    io->in += in - z->avail_in;
    io->in_n -= in - z->avail_in;
    io->out += out - z->avail_out;
    io->out_n -= out - z->avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: /* no progress was possible: not an error of the data */
        return ILK_CODEC_MORE;
    case Z_STREAM_END:
        return ILK_CODEC_END;
    case Z_MEM_ERROR:
        return ILK_CODEC_NO_MEMORY;
    default:
        return ILK_CODEC_CORRUPT;
    }
}

static void close_gz(void *self) {
    inflateEnd(self);
    ilk_free(self);
}

const ilk_codec ilk_codec_gz = {.name = "gz", .knows = knows, .open = open_gz, .next = next_gz, .close = close_gz};
#else
const ilk_codec ilk_codec_gz = {.name = "gz", .knows = knows};
#endif
