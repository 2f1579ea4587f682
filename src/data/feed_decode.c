/* SPDX-License-Identifier: Apache-2.0 */
/* feed_decode.c - streams of any encoding as UTF-8: what is above this file sees nothing else.
 *
 * A byte order mark decides before all else, because whoever wrote it knew. Input is taken in whole windows, however it
 * is delivered (unless it is live), so that what is judged, and so every message, depends on the bytes alone. What is
 * not of the encoding is judged when a stream has ended or reached a power of two from 256 KiB to 32 MiB: before its
 * header is looked at, and long before it was learnt from.
 */
#include "core/buffer.h"
#include "core/memory.h"
#include "data/feed.h"
#include "text/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = 1 << 16, SAMPLE = 1 << 17, FIRST_LOOK = 1 << 18, LAST_LOOK = 1 << 25, ROOM = 64 };

static const char replacement[] = "\xEF\xBF\xBD", mark[] = "\xEF\xBB\xBF";

typedef struct decoder {
    ilk_feed from; /* owned */
    bool remembered, together;
    const ilk_encoding *asked; /* NULL: to be found out */
    const ilk_encoding *now;   /* of the stream that is open */
    const ilk_encoding *ready; /* what `cd` converts, NULL if it is not open */
    iconv_t cd;
    size_t current;
    bool at_start, at_end, flushed;
    uint64_t replaced;
    /* what is judged */
    uint64_t seen, beyond, invalid, look_at; /* bytes; beyond ASCII; invalid ones; when to look next */
    uint64_t sampled;                        /* invalid ones before this window */
    bool kept;                               /* this window is in the sample */
    size_t culprit;                          /* the stream of the first one */
    ilk_buffer sample;                       /* windows with invalid bytes, or with any beyond ASCII */
    size_t sample_of, doubted;               /* the stream it begins in; how much of it has been doubted */
    /* bytes */
    size_t begin, end; /* of those in `window` that are not used yet */
    size_t spare_begin, spare_end;
    char spare[ROOM]; /* decoded, where the caller's buffer is too small for a character */
    char window[WINDOW];
} decoder;

static const char *name(void *ctx, size_t i) {
    decoder *d = ctx;
    return d->from.name(d->from.ctx, i);
}

static uint64_t position(void *ctx) {
    decoder *d = ctx;
    return d->from.position(d->from.ctx);
}

static uint64_t replaced(void *ctx) {
    const decoder *d = ctx;
    return d->replaced;
}

static void close_converter(decoder *d) {
    if (d->ready)
        iconv_close(d->cd);
    d->ready = NULL;
}

static void free_decoder(void *ctx) {
    decoder *d = ctx;
    close_converter(d);
    ilk_buffer_free(&d->sample);
    d->from.free(d->from.ctx);
    ilk_free(d);
}

/* ---- what is not UTF-8 */

static bool is_as_asked(const decoder *d) {
    return d->now && d->now == d->asked;
}

static bool is_ascii(const char *p, size_t n) {
    size_t beyond = 0;
    bool cut;
    return ilk_utf8_prefix(p, n, &beyond, &cut) == n && beyond == 0;
}

/* A window with invalid bytes is kept for the guess; for doubts about what was asked for also others, in half of the
 * room. */
static void keep_sample(decoder *d) {
    bool doubtful = is_as_asked(d) && d->now->system && d->sample.n + d->end <= SAMPLE / 2;
    if (d->kept || d->sample.n + d->end > SAMPLE)
        return;
    if (d->invalid == d->sampled && (!doubtful || is_ascii(d->window, d->end)))
        return;
    if (d->sample.n == 0)
        d->sample_of = d->current;
    if (ilk_buffer_add(&d->sample, d->window, d->end) != ILK_OK)
        d->sample.n = 0; /* no guess then */
    d->kept = true;
}

static const char UNTOLD[] =
    ", and what they are cannot be told: --encoding names it, or, as utf-8, reads them as U+FFFD";

static ilk_status refuse(const decoder *d, const ilk_guess *guess, ilk_error *err) {
    const char *stream = d->from.name(d->from.ctx, d->culprit);
    double share = 100 * (double)d->invalid / (double)d->beyond;
    if (!guess->name)
        return ilk_fail(err, ILK_EDATA, "%s: %.*f %% of the bytes beyond ASCII are not UTF-8%s", stream, share < 10,
                        share, UNTOLD);
    return ilk_fail(err, ILK_EDATA,
                    "%s: %.*f %% of the bytes beyond ASCII are not UTF-8; it looks like %s: --encoding %s", stream,
                    share < 10, share, guess->name, guess->name);
}

static const char *whose(const decoder *d) {
    return d->remembered ? "the encoding of the model's data" : "the encoding asked for";
}

/* Much is not of the encoding that was asked for, or that the model's data was in. Where it still looks like that one
 * most, there is none to be named: what is damaged is read as well as it can be. */
static ilk_status judge_asked(decoder *d, ilk_error *err) {
    keep_sample(d);
    ilk_str sample = {d->sample.p, d->sample.n};
    const char *likely = ilk_is_mostly_utf8(sample) ? "utf-8" : ilk_encoding_guess(sample).name;
    if (likely && ilk_encoding_same(ilk_encoding_find(likely), d->asked))
        return ILK_OK;
    char advice[96] = "";
    if (likely)
        snprintf(advice, sizeof advice, "; it looks like %s: --encoding %s", likely, likely);
    double share = 100 * (double)d->invalid / (double)d->seen;
    return ilk_fail(err, ILK_EDATA, "%s: %.*f %% of the bytes are not %s, %s%s", d->from.name(d->from.ctx, d->culprit),
                    share < 10, share, d->asked->name, whose(d), likely ? advice : UNTOLD);
}

/* Its bytes may be of the encoding that was asked for, but what they say is not. */
static ilk_status doubt_asked(const decoder *d, ilk_str sample, size_t stream, ilk_error *err) {
    const char *rival = is_as_asked(d) && d->now->system ? ilk_encoding_rival(sample, d->asked) : NULL;
    if (!rival)
        return ILK_OK;
    return ilk_fail(err, ILK_EDATA, "%s: it is hardly %s, %s; it looks like %s: --encoding %s",
                    d->from.name(d->from.ctx, stream), d->asked->name, whose(d), rival, rival);
}

/* The sample, if there is more of it than there was. */
static ilk_status doubt_sample(decoder *d, ilk_error *err) {
    keep_sample(d);
    if (d->sample.n == d->doubted)
        return ILK_OK;
    d->doubted = d->sample.n;
    return doubt_asked(d, (ilk_str){d->sample.p, d->sample.n}, d->sample_of, err);
}

/* `whole`: enough has been seen for its shares to mean something. UTF-8 that was asked for takes everything. */
static ilk_status judge(decoder *d, bool whole, ilk_error *err) {
    bool many = whole && d->invalid > d->seen / 100;
    if (many && is_as_asked(d) && (d->remembered || d->asked->system))
        return judge_asked(d, err);
    if (is_as_asked(d) && d->asked->system)
        return doubt_sample(d, err);
    if (d->asked || d->now->system || d->invalid == 0)
        return ILK_OK;
    keep_sample(d);
    ilk_guess guess = ilk_encoding_guess((ilk_str){d->sample.p, d->sample.n});
    bool binary = !guess.name && !d->together && d->sample.n > 0 && memchr(d->sample.p, '\0', d->sample.n);
    if (binary || (!many && (!guess.plain || d->together))) /* binary: source.c will say so, with the line */
        return ILK_OK; /* and junk in a few of many documents is no sign of what the others are */
    return refuse(d, &guess, err);
}

/* When the time has come. */
static ilk_status judge_in_time(decoder *d, ilk_error *err) {
    if (d->seen < d->look_at || d->seen > LAST_LOOK)
        return ILK_OK;
    while (d->look_at <= d->seen)
        d->look_at *= 2;
    return judge(d, d->seen >= FIRST_LOOK, err);
}

static void start_judging(decoder *d) {
    d->seen = d->beyond = d->invalid = d->sampled = 0;
    d->look_at = d->from.live ? 1 : FIRST_LOOK; /* a header that comes alone is looked at alone */
    d->sample.n = d->doubted = 0;
}

/* ---- bytes in */

/* The window has been judged, and another takes its place. */
static void leave_window(decoder *d) {
    keep_sample(d);
    d->sampled = d->invalid;
    d->kept = false;
}

/* Fill p, of which *n bytes are filled, to a window's size; live, with what has come. */
static ilk_status fill(decoder *d, char *p, size_t *n, ilk_error *err) {
    while (*n < WINDOW && !d->at_end) {
        size_t got;
        ILK_TRY(d->from.read(d->from.ctx, p + *n, WINDOW - *n, &got, err));
        *n += got;
        d->at_end = got == 0;
        if (d->from.live)
            break;
    }
    return ILK_OK;
}

/* Fill the window behind what is left in it. */
static ilk_status refill(decoder *d, ilk_error *err) {
    size_t left = d->end - d->begin;
    leave_window(d);
    memmove(d->window, d->window + d->begin, left);
    ilk_status status = fill(d, d->window, &left, err);
    d->begin = 0;
    d->end = left;
    return status;
}

/* As many bytes as a mark has, or a line, which has none. */
static ilk_status fill_head(decoder *d, ilk_error *err) {
    do
        ILK_TRY(refill(d, err));
    while (!d->at_end && d->end < 4 && !memchr(d->window, '\n', d->end));
    return ILK_OK;
}

static ilk_status open_converter(decoder *d, ilk_error *err) {
    if (d->ready == d->now || !d->now->system) {
        if (d->ready)
            iconv(d->cd, NULL, NULL, NULL, NULL);
        return ILK_OK;
    }
    close_converter(d);
    d->cd = iconv_open("UTF-8", d->now->system);
    if (d->cd == (iconv_t)-1)
        return ilk_fail_errno(err, ILK_EIO, "this system cannot convert %s", d->now->name);
    d->ready = d->now;
    return ILK_OK;
}

static ilk_status open_stream(void *ctx, size_t i, ilk_error *err) {
    decoder *d = ctx;
    ILK_TRY(d->from.open(d->from.ctx, i, err));
    keep_sample(d); /* of the stream before */
    d->current = i;
    d->begin = d->end = d->spare_begin = d->spare_end = 0;
    d->at_start = true;
    d->at_end = d->flushed = false;
    if (!d->together)
        start_judging(d);
    ILK_TRY(fill_head(d, err));
    const ilk_encoding *marked = ilk_encoding_marked((const unsigned char *)d->window, d->end);
    d->now = marked ? marked : d->asked ? d->asked : ilk_encoding_find("utf-8");
    if (!d->together) /* before anything is made of it */
        ILK_TRY(doubt_asked(d, (ilk_str){d->window, d->end}, i, err));
    return open_converter(d, err);
}

/* ---- bytes out */

/* Step over n bytes that mean nothing. */
static char *replace(decoder *d, size_t n, char *out) {
    if (d->invalid == 0)
        d->culprit = d->current;
    d->begin += n;
    d->invalid += n;
    d->beyond += n;
    d->seen += n;
    d->replaced += n;
    memcpy(out, replacement, 3);
    return out + 3;
}

/* The next window where the caller wants it, if nothing is left of the one before: UTF-8 mostly is what it will be. If
 * not, what follows is decoded from a copy. */
static ilk_status read_in_place(decoder *d, char *out, char **at, ilk_error *err) {
    size_t n = 0, beyond = 0;
    bool cut;
    leave_window(d);
    ILK_TRY(fill(d, out, &n, err));
    size_t good = ilk_utf8_prefix(out, n, &beyond, &cut);
    d->seen += good;
    d->beyond += beyond;
    if (good < n) {
        memcpy(d->window, out, n);
        d->begin = good;
        d->end = n;
    }
    *at = out + good;
    return ILK_OK;
}

/* Both decode from the window to out … end, which has room for a character, until one of them is used up but for a part
 * of a character; they return where they stopped. */
static char *copy_utf8(decoder *d, char *out, const char *end) {
    while (d->begin < d->end && end - out >= 4) {
        size_t n = d->end - d->begin, room = (size_t)(end - out), limit = n < room ? n : room, beyond = 0;
        bool cut;
        size_t good = ilk_utf8_prefix(d->window + d->begin, limit, &beyond, &cut);
        memcpy(out, d->window + d->begin, good);
        out += good;
        d->begin += good;
        d->seen += good;
        d->beyond += beyond;
        if (cut && (limit < n || !d->at_end))
            break;
        if (good < limit && end - out >= 4)
            out = replace(d, 1, out);
    }
    return out;
}

static char *convert(decoder *d, char *out, const char *end) {
    while (d->begin < d->end && end - out >= 4) {
        char *in = d->window + d->begin;
        size_t left = d->end - d->begin, before = left, room = (size_t)(end - out);
        size_t code = iconv(d->cd, &in, &left, &out, &room);
        int why = code == (size_t)-1 ? errno : 0;
        d->begin += before - left;
        d->seen += before - left;
        if (why == E2BIG || (why == EINVAL && !d->at_end))
            break;
        if (why != 0 && end - out >= 4)
            out = replace(d, left < d->now->unit ? left : d->now->unit, out);
    }
    return out;
}

/* What a converter still holds back when the stream has ended. */
static char *flush(decoder *d, char *out, const char *end) {
    size_t room = (size_t)(end - out);
    if (d->now->system && !d->flushed)
        iconv(d->cd, NULL, NULL, &out, &room);
    d->flushed = true;
    return out;
}

/* The next characters into out … end, which has room for some; none only at the end of the stream. */
static ilk_status decode(decoder *d, char *out, const char *end, size_t *got, ilk_error *err) {
    char *at = out;
    while (at == out) {
        if (!d->now->system && d->begin == d->end && !d->at_end && end - out >= WINDOW)
            ILK_TRY(read_in_place(d, out, &at, err));
        else
            at = d->now->system ? convert(d, out, end) : copy_utf8(d, out, end);
        if (at == out && d->at_end && d->begin == d->end) {
            at = flush(d, out, end);
            break;
        }
        if (at == out)
            ILK_TRY(refill(d, err));
        if (at >= out + 3 && d->at_start && memcmp(out, mark, 3) == 0) {
            memmove(out, out + 3, (size_t)(at - out) - 3);
            at -= 3;
        }
        d->at_start &= at == out && d->begin == 0;
        ILK_TRY(judge_in_time(d, err));
    }
    *got = (size_t)(at - out);
    return ILK_OK;
}

/* The end of what is judged together. */
static ilk_status end_stream(decoder *d, ilk_error *err) {
    bool last = d->current + 1 == d->from.count;
    return (last || !d->together) && d->seen <= LAST_LOOK ? judge(d, true, err) : ILK_OK;
}

static ilk_status read_stream(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err) {
    decoder *d = ctx;
    if (n >= ROOM) {
        if (d->spare_begin == d->spare_end) {
            ILK_TRY(decode(d, buf, (char *)buf + n, got, err));
            return *got ? ILK_OK : end_stream(d, err);
        }
    } else if (d->spare_begin == d->spare_end) {
        d->spare_begin = 0;
        ILK_TRY(decode(d, d->spare, d->spare + ROOM, &d->spare_end, err));
        if (d->spare_end == 0)
            ILK_TRY(end_stream(d, err));
    }
    *got = d->spare_end - d->spare_begin < n ? d->spare_end - d->spare_begin : n;
    memcpy(buf, d->spare + d->spare_begin, *got);
    d->spare_begin += *got;
    return ILK_OK;
}

/* ---- making one */

static ilk_status check(const ilk_decoding *how, const ilk_encoding **asked, ilk_error *err) {
    *asked = how->encoding ? ilk_encoding_find(how->encoding) : NULL;
    if (how->encoding && !*asked)
        return ilk_fail(err, ILK_EARG, "no encoding '%s'", how->encoding);
    return ILK_OK;
}

ilk_status ilk_feed_decode(ilk_feed *feed, const ilk_decoding *how, ilk_error *err) {
    const ilk_encoding *asked;
    ilk_status status = check(how, &asked, err);
    decoder *d = status == ILK_OK ? ilk_zalloc(1, sizeof *d) : NULL;
    if (!d) {
        feed->free(feed->ctx);
        *feed = (ilk_feed){0};
        return status == ILK_OK ? ilk_fail_memory(err) : status;
    }
    d->from = *feed;
    d->asked = asked;
    d->remembered = how->encoding && how->remembered;
    d->together = how->together;
    start_judging(d);
    feed->ctx = d;
    feed->name = name;
    feed->open = open_stream;
    feed->read = read_stream;
    feed->position = position;
    feed->replaced = replaced;
    feed->free = free_decoder;
    return ILK_OK;
}
