/* SPDX-License-Identifier: Apache-2.0 */
/* codec_zst.c - zstd frames, by libzstd. Its allocator can be set by static linking only, so it is the system's. */
#include "data/codec.h"

#include <string.h>

/* A frame, or one to be skipped: parallel compressors begin with such. */
static bool knows(const unsigned char *head) {
    return memcmp(head, "\x28\xB5\x2F\xFD", 4) == 0 ||
           ((head[0] & 0xF0) == 0x50 && !memcmp(head + 1, "\x2A\x4D\x18", 3));
}

#ifdef ILK_HAVE_LIBZSTD
#include "core/memory.h"

#include <zstd.h>
#include <zstd_errors.h>

typedef struct zst {
    ZSTD_DStream *stream;
    bool begun;
} zst;

static void close_zst(void *self) {
    zst *z = self;
    ZSTD_freeDStream(z->stream);
    ilk_free(z);
}

static void *open_zst(void) {
    zst *z = ilk_zalloc(1, sizeof *z);
    if (z && (z->stream = ZSTD_createDStream()))
        return z;
    ilk_free(z);
    return NULL;
}

/* libzstd's own bound on the window, 128 MiB, stands. A frame that it sees whole it takes at once, and refuses what it
 * lets pass in pieces (no bytes where some were announced): so that all goes one way, it is given one byte first. */
static ilk_codec_state next_zst(void *self, ilk_codec_io *io) {
    zst *z = self;
    ZSTD_inBuffer in = {io->in, !z->begun && io->in_n > 1 ? 1 : io->in_n, 0};
    ZSTD_outBuffer out = {io->out, io->out_n, 0};
    size_t code = ZSTD_decompressStream(z->stream, &out, &in);
    z->begun = true;
    *io = (ilk_codec_io){io->in + in.pos, io->in_n - in.pos, io->out + out.pos, io->out_n - out.pos};
    if (!ZSTD_isError(code))
        return code == 0 ? ILK_CODEC_END : ILK_CODEC_MORE;
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation:
        return ILK_CODEC_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        return ILK_CODEC_HUGE;
    default:
        return ILK_CODEC_CORRUPT;
    }
}

const ilk_codec ilk_codec_zst = {.name = "zst", .knows = knows, .open = open_zst, .next = next_zst, .close = close_zst};
#else
const ilk_codec ilk_codec_zst = {.name = "zst", .knows = knows};
#endif
