/* SPDX-License-Identifier: Apache-2.0 */
/* codec_xz.c - xz streams, by liblzma. */
#include "data/codec.h"

#include <string.h>

static bool knows(const unsigned char *head) {
    return memcmp(head,
                  "\xFD"
                  "7zXZ\0",
                  6) == 0;
}

#ifdef ILK_HAVE_LIBLZMA
#include "core/memory.h"

#include <lzma.h>

/* A header may ask for a dictionary of 4 GiB. `xz -9` asks for 64 MiB. */
static const uint64_t most_memory = UINT64_C(256) << 20;

typedef struct xz {
    lzma_stream stream;
    lzma_allocator allocator;
} xz;

static void *get(void *opaque, size_t count, size_t size) {
    (void)opaque;
    return ilk_alloc(count, size);
}

static void put_back(void *opaque, void *p) {
    (void)opaque;
    ilk_free(p);
}

static void *open_xz(void) {
    xz *x = ilk_alloc(1, sizeof *x);
    if (!x)
        return NULL;
    *x = (xz){.stream = LZMA_STREAM_INIT, .allocator = {get, put_back, NULL}};
    x->stream.allocator = &x->allocator;
    if (lzma_stream_decoder(&x->stream, most_memory, 0) == LZMA_OK)
        return x;
    lzma_end(&x->stream);
    ilk_free(x);
    return NULL;
}

static ilk_codec_state next_xz(void *self, ilk_codec_io *io) {
    lzma_stream *s = &((xz *)self)->stream;
    s->next_in = io->in;
    s->avail_in = io->in_n;
    s->next_out = io->out;
    s->avail_out = io->out_n;
    lzma_ret code = lzma_code(s, LZMA_RUN);
    *io = (ilk_codec_io){s->next_in, s->avail_in, s->next_out, s->avail_out};
    switch (code) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: /* no progress was possible: not an error of the data */
        return ILK_CODEC_MORE;
    case LZMA_STREAM_END:
        return ILK_CODEC_END;
    case LZMA_MEM_ERROR:
        return ILK_CODEC_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR:
        return ILK_CODEC_HUGE;
    default:
        return ILK_CODEC_CORRUPT;
    }
}

static void close_xz(void *self) {
    lzma_end(&((xz *)self)->stream);
    ilk_free(self);
}

const ilk_codec ilk_codec_xz = {.name = "xz", .knows = knows, .open = open_xz, .next = next_xz, .close = close_xz};
#else
const ilk_codec ilk_codec_xz = {.name = "xz", .knows = knows};
#endif
