/* SPDX-License-Identifier: Apache-2.0 */
/* feed_unpack.c - compressed streams read through, by whichever codec knows their first bytes.
 *
 * Members follow each other as `cat` leaves them, also of different kinds, with zeros between and behind them (tapes
 * pad). Anything else behind a member is an error, and so is an end within one: a short table must not look like a
 * whole one. Memory is bounded by the codecs whatever a stream grows to, so a bomb costs time only.
 */
#include "core/memory.h"
#include "data/codec.h"
#include "data/feed.h"

#include <string.h>

static const ilk_codec *const codecs[] = {&ilk_codec_gz, &ilk_codec_xz, &ilk_codec_zst};

enum { INPUT = 1 << 16 };

typedef struct unpacker {
    ilk_feed from; /* owned */
    size_t current;
    const ilk_codec *codec; /* of the stream that is open, NULL if it is plain */
    void *member;           /* being unpacked, or NULL between two */
    size_t begin, end;      /* of the bytes in `input` that are not used yet */
    bool at_end;            /* none will come after them */
    unsigned char input[INPUT];
} unpacker;

static const char *name(void *ctx, size_t i) {
    unpacker *u = ctx;
    return u->from.name(u->from.ctx, i);
}

static uint64_t position(void *ctx) {
    unpacker *u = ctx;
    return u->from.position(u->from.ctx);
}

static void close_member(unpacker *u) {
    if (u->member)
        u->codec->close(u->member);
    u->member = NULL;
}

static void free_unpacker(void *ctx) {
    unpacker *u = ctx;
    close_member(u);
    u->from.free(u->from.ctx);
    ilk_free(u);
}

/* Fill the buffer behind what is left in it; live, with what has come. */
static ilk_status refill(unpacker *u, ilk_error *err) {
    memmove(u->input, u->input + u->begin, u->end - u->begin);
    u->end -= u->begin;
    u->begin = 0;
    while (u->end < INPUT && !u->at_end) {
        size_t got;
        ILK_TRY(u->from.read(u->from.ctx, u->input + u->end, INPUT - u->end, &got, err));
        u->end += got;
        u->at_end = got == 0;
        if (u->from.live)
            break;
    }
    return ILK_OK;
}

/* As many bytes as tell a kind. No kind has a newline among them, so that a line, too, is enough. */
static ilk_status fill_head(unpacker *u, ilk_error *err) {
    do
        ILK_TRY(refill(u, err));
    while (!u->at_end && u->end < ILK_CODEC_HEAD && !memchr(u->input, '\n', u->end));
    return ILK_OK;
}

/* The codec that knows the bytes that come next, NULL if none does. */
static const ilk_codec *look(const unpacker *u) {
    unsigned char head[ILK_CODEC_HEAD] = {0};
    size_t n = u->end - u->begin;
    memcpy(head, u->input + u->begin, n < sizeof head ? n : sizeof head);
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (codecs[i]->knows(head))
            return codecs[i];
    return NULL;
}

/* So that the message can say what to do instead of complaining about a strange first row. */
static ilk_status refuse_foreign(const unpacker *u, ilk_error *err) {
    static const struct {
        const char *magic, *what;
    } foreign[] = {
        {"PK\x03\x04", "a ZIP archive or a spreadsheet, not text"},
        {"BZh", "bzip2-compressed, which is not read: unpack it first"},
        {"7z\xBC\xAF\x27\x1C", "a 7z archive, which is not read: unpack it first"},
    };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t n = strlen(foreign[i].magic);
        if (u->end >= n && memcmp(u->input, foreign[i].magic, n) == 0)
            return ilk_fail(err, ILK_EDATA, "%s: %s", u->from.name(u->from.ctx, u->current), foreign[i].what);
    }
    return ILK_OK;
}

static ilk_status open_stream(void *ctx, size_t i, ilk_error *err) {
    unpacker *u = ctx;
    close_member(u);
    u->current = i;
    u->begin = u->end = 0;
    u->at_end = false;
    ILK_TRY(u->from.open(u->from.ctx, i, err));
    ILK_TRY(fill_head(u, err));
    u->codec = look(u);
    if (u->codec && !u->codec->open)
        return ilk_fail(err, ILK_EDATA, "%s: compressed as %s, which this build does not read", name(u, i),
                        u->codec->name);
    return refuse_foreign(u, err);
}

/* What was read to look at it, and then straight into the caller's buffer. */
static ilk_status read_plain(unpacker *u, void *buf, size_t n, size_t *got, ilk_error *err) {
    *got = u->end - u->begin;
    if (*got == 0)
        return u->at_end ? ILK_OK : u->from.read(u->from.ctx, buf, n, got, err);
    if (*got > n)
        *got = n;
    memcpy(buf, u->input + u->begin, *got);
    u->begin += *got;
    return ILK_OK;
}

/* Begin the next member, if there is one: if not, `member` stays NULL. */
static ilk_status next_member(unpacker *u, ilk_error *err) {
    do {
        while (u->begin < u->end && u->input[u->begin] == 0)
            u->begin++;
        ILK_TRY(fill_head(u, err));
    } while (u->end > 0 && u->input[0] == 0);
    if (u->end == 0)
        return ILK_OK;
    const ilk_codec *codec = look(u);
    if (!codec || !codec->open)
        return ilk_fail(err, ILK_EDATA, "%s: corrupt %s: something else follows it", name(u, u->current),
                        u->codec->name);
    u->codec = codec;
    u->member = codec->open();
    return u->member ? ILK_OK : ilk_fail_memory(err);
}

static ilk_status refuse(const unpacker *u, ilk_codec_state state, ilk_error *err) {
    const char *stream = u->from.name(u->from.ctx, u->current);
    if (state == ILK_CODEC_NO_MEMORY)
        return ilk_fail_memory(err);
    if (state == ILK_CODEC_HUGE)
        return ilk_fail(err, ILK_EDATA, "%s: this %s asks for too much memory to unpack", stream, u->codec->name);
    return ilk_fail(err, ILK_EDATA, "%s: %s %s", stream, state == ILK_CODEC_MORE ? "truncated" : "corrupt",
                    u->codec->name);
}

/* One step of the member. */
static ilk_status unpack(unpacker *u, ilk_codec_io *io, ilk_error *err) {
    if (u->begin == u->end)
        ILK_TRY(refill(u, err));
    size_t room = io->out_n;
    io->in = u->input + u->begin;
    io->in_n = u->end - u->begin;
    ilk_codec_state state = u->codec->next(u->member, io);
    bool stuck = io->in_n == u->end - u->begin && io->out_n == room && u->at_end;
    u->begin = u->end - io->in_n;
    if (state == ILK_CODEC_END)
        close_member(u);
    else if (state != ILK_CODEC_MORE || stuck)
        return refuse(u, state, err);
    return ILK_OK;
}

static ilk_status read_stream(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err) {
    unpacker *u = ctx;
    *got = 0;
    if (!u->codec)
        return read_plain(u, buf, n, got, err);
    ilk_codec_io io = {.out = buf, .out_n = n};
    while (io.out_n == n && n > 0) {
        if (!u->member)
            ILK_TRY(next_member(u, err));
        if (!u->member)
            break;
        ILK_TRY(unpack(u, &io, err));
    }
    *got = n - io.out_n;
    return ILK_OK;
}

ilk_status ilk_feed_unpack(ilk_feed *feed, ilk_error *err) {
    unpacker *u = ilk_alloc(1, sizeof *u);
    if (!u) {
        feed->free(feed->ctx);
        *feed = (ilk_feed){0};
        return ilk_fail_memory(err);
    }
    u->from = *feed;
    u->codec = NULL;
    u->member = NULL;
    feed->ctx = u;
    feed->name = name;
    feed->open = open_stream;
    feed->read = read_stream;
    feed->position = position;
    feed->free = free_unpacker;
    return ILK_OK;
}
