/* SPDX-License-Identifier: Apache-2.0 */
/* source.c - reading, cutting, refusing what is binary.
 *
 * A newline ends a record unless it stands inside quotes. A quote opens a field only where it is the first thing in it
 * that is not blank; csv.c reads by the same rule, so that a stray quote (5" disk) does no harm. Scanning starts at a
 * record's beginning in every block; what lies behind the cut, part of a record, is carried over and scanned again.
 */
#include "data/source.h"
#include "core/memory.h"
#include "data/records.h"
#include "kernels/kernels.h"
#include "text/encoding.h"

#include <stdio.h>
#include <string.h>

/* Progress of the search for record ends in a block that is still growing. */
typedef struct cutter {
    size_t counted, lines; /* bytes looked at, and lines in them */
    size_t at;             /* scanned so far */
    size_t cut;            /* behind the last record end, 0 if there is none */
    size_t opened;         /* where the quote stands, if `quoted` */
    bool quoted;
} cutter;

void ilk_source_init(ilk_source *source, const ilk_feed *feed, size_t block_size) {
    *source = (ilk_source){.feed = *feed, .block_size = block_size};
}

void ilk_source_free(ilk_source *source) {
    if (source->feed.free)
        source->feed.free(source->feed.ctx);
    ilk_buffer_free(&source->carry);
    *source = (ilk_source){0};
}

bool ilk_source_is_done(const ilk_source *source) {
    return !source->is_open && source->next == source->feed.count;
}

static const char *stream_name(const ilk_source *s) {
    return s->feed.name(s->feed.ctx, s->next - 1);
}

static size_t count_newlines(const char *p, size_t n) {
    const char *end = p + n;
    size_t count = 0;
    for (; n > 0 && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        count++;
    return count;
}

/* ---- record ends */

/* Is the quote at p[i] the first thing in its field? */
static bool opens_field(const char *p, size_t i, char delimiter) {
    for (; i > 0; i--) {
        char c = p[i - 1];
        if (c == delimiter || c == '\n')
            return true;
        if (!ilk_is_blank(c))
            return false;
    }
    return true;
}

/* Outside quotes: note the last record end before the next quote. memchr and memrchr look at 32 bytes at a time, so
 * that a file without quotes costs next to nothing. */
static void scan_plain(cutter *c, const char *p, size_t n, bool quotes, char delimiter) {
    const char *quote = quotes ? memchr(p + c->at, '"', n - c->at) : NULL;
    size_t stop = quote ? (size_t)(quote - p) : n;
    const char *nl = memrchr(p + c->at, '\n', stop - c->at);
    if (nl)
        c->cut = (size_t)(nl - p) + 1;
    c->quoted = quote && opens_field(p, stop, delimiter);
    c->opened = stop;
    c->at = quote ? stop + 1 : n;
}

/* False if a quote is the last byte there is: whether it is doubled will be seen with the next. */
static bool scan_quoted(cutter *c, const char *p, size_t n, bool at_end) {
    const char *quote = memchr(p + c->at, '"', n - c->at);
    if (!quote) {
        c->at = n;
        return true;
    }
    c->at = (size_t)(quote - p);
    if (c->at + 1 == n && !at_end)
        return false;
    c->quoted = c->at + 1 < n && quote[1] == '"';
    c->at += c->quoted ? 2 : 1;
    return true;
}

/* `quotes`: there may be some in what is new. */
static void scan(cutter *c, ilk_str text, bool at_end, bool quotes, char delimiter) {
    while (c->at < text.n) {
        if (!c->quoted)
            scan_plain(c, text.p, text.n, quotes, delimiter);
        else if (!scan_quoted(c, text.p, text.n, at_end))
            return;
    }
}

size_t ilk_source_cut(const ilk_source *s, ilk_str text) {
    cutter c = {0};
    scan(&c, text, false, ilk_records_of(s->dialect.format)->quotes, s->dialect.delimiter);
    return c.cut;
}

/* ---- bytes */

/* Does the buffer want more than it holds, and will there be more? */
static bool wants(const ilk_source *s, const ilk_buffer *b, size_t target) {
    return b->n < target && !s->at_end;
}

/* Read what has come, up to `target` bytes in all. */
static ilk_status read_some(ilk_source *s, ilk_buffer *b, size_t target, ilk_error *err) {
    size_t got;
    if (!wants(s, b, target))
        return ILK_OK;
    if (ilk_buffer_reserve(b, target - b->n) != ILK_OK)
        return ilk_fail_memory(err);
    ILK_TRY(s->feed.read(s->feed.ctx, b->p + b->n, target - b->n, &got, err));
    b->n += got;
    s->at_end = got == 0;
    return ILK_OK;
}

/* The beginning of a stream: some blocks, or if live a line, which is enough to tell what it is. */
static ilk_status fill_head(ilk_source *s, ilk_error *err) {
    size_t target = 4 * s->block_size;
    if (ilk_buffer_reserve(&s->carry, target + s->block_size) != ILK_OK) /* it becomes a block, which reads on */
        return ilk_fail_memory(err);
    do
        ILK_TRY(read_some(s, &s->carry, target, err));
    while (wants(s, &s->carry, target) && !(s->live && memchr(s->carry.p, '\n', s->carry.n)));
    return ILK_OK;
}

/* Open the next stream and read its beginning into carry: after this it has at least one byte. */
static ilk_status open_next(ilk_source *s, ilk_error *err) {
    s->next++;
    ILK_TRY(s->feed.open(s->feed.ctx, s->next - 1, err));
    s->is_open = s->first = true;
    s->at_end = false;
    s->line = 1;
    s->carry.n = 0;
    ILK_TRY(fill_head(s, err));
    if (s->carry.n == 0)
        return ilk_fail(err, ILK_EDATA, "%s: empty", stream_name(s));
    return ILK_OK;
}

ilk_status ilk_source_peek(ilk_source *s, ilk_str *head, ilk_error *err) {
    if (!s->is_open)
        ILK_TRY(open_next(s, err));
    const char *nl = s->at_end ? NULL : memrchr(s->carry.p, '\n', s->carry.n);
    *head = (ilk_str){s->carry.p, nl ? (size_t)(nl - s->carry.p) + 1 : s->carry.n};
    return ILK_OK;
}

/* ---- blocks */

/* There is a NUL behind `from`. */
static ilk_status refuse_binary(const ilk_source *s, const ilk_buffer *b, size_t from, ilk_error *err) {
    const char *nul = memchr(b->p + from, '\0', b->n - from);
    size_t line = s->line + count_newlines(b->p, (size_t)(nul - b->p));
    const char *wide = s->first ? ilk_encoding_guess_wide((ilk_str){b->p, b->n}) : NULL;
    if (wide)
        return ilk_fail(err, ILK_EDATA, "%s: not UTF-8; it looks like %s: --encoding %s", stream_name(s), wide, wide);
    return ilk_fail(err, ILK_EDATA, "%s:%zu: a NUL byte: binary, not text", stream_name(s), line);
}

/* A quote that is never closed swallows the rest of the file; it is reported where it opens, which is where to look.
 * Where the limit came before the end it may still be closed. */
static ilk_status refuse_long(const ilk_source *s, const ilk_buffer *b, const cutter *c, ilk_error *err) {
    if (c->quoted) {
        size_t line = s->line + count_newlines(b->p, c->opened);
        char within[64] = "";
        if (!s->at_end)
            snprintf(within, sizeof within, " within %zu MiB, the most a record may have", ILK_RECORD_LIMIT >> 20);
        return ilk_fail(err, ILK_EDATA, "%s:%zu: a quote opens here and is not closed%s%s", stream_name(s), line,
                        within, line == 1 ? ilk_dialect_hint_at_lines(&s->dialect) : "");
    }
    return ilk_fail(err, ILK_EDATA, "%s:%zu: a record of more than %zu MiB", stream_name(s), s->line,
                    ILK_RECORD_LIMIT >> 20);
}

/* What is new in the block, while it is still in the cache. */
static ilk_status look(const ilk_source *s, const ilk_buffer *b, cutter *c, ilk_error *err) {
    size_t n = b->n - c->counted;
    ilk_census census = n > 0 ? ilk_kernels_use()->census(b->p + c->counted, n) : (ilk_census){0};
    if (census.nuls)
        return refuse_binary(s, b, c->counted, err);
    c->counted = b->n;
    c->lines += census.newlines;
    scan(c, (ilk_str){b->p, b->n}, s->at_end, ilk_records_of(s->dialect.format)->quotes && census.quotes,
         s->dialect.delimiter);
    return ILK_OK;
}

/* Grow the block until it is full and holds a whole record, find the last one's end, and count the lines up to it. */
static ilk_status gather(ilk_source *s, ilk_buffer *b, size_t *cut, size_t *lines, ilk_error *err) {
    cutter c = {0};
    size_t target = b->n + s->block_size; /* whole windows of what is below, which need not be copied then */
    for (bool wait = !s->live || b->n == 0;; wait = true) { /* live, what is left of the block before may be enough */
        if (wait)
            ILK_TRY(read_some(s, b, target, err));
        ILK_TRY(look(s, b, &c, err));
        if (!s->live && wants(s, b, target))
            continue;
        if (s->at_end ? !c.quoted : c.cut > 0)
            break;
        if (s->at_end || b->n >= ILK_RECORD_LIMIT)
            return refuse_long(s, b, &c, err);
        if (b->n >= target)
            target = 2 * target < ILK_RECORD_LIMIT ? 2 * target : ILK_RECORD_LIMIT;
    }
    *cut = s->at_end ? b->n : c.cut;
    *lines = c.lines - count_newlines(b->p + *cut, b->n - *cut);
    return ILK_OK;
}

/* Begin a block with what was carried over: mostly a part of a record, which is copied, so that a thread's blocks stay in
 * the same memory, which its processor has at hand; the beginning of a stream is moved. */
static ilk_status begin_block(ilk_source *s, ilk_buffer *b) {
    if (s->carry.n > s->block_size / 4) {
        ilk_buffer used = *b;
        *b = s->carry;
        s->carry = used;
    } else if (ilk_buffer_add(b, s->carry.p, s->carry.n) != ILK_OK) {
        return ILK_ENOMEM;
    }
    s->carry.n = 0;
    return ILK_OK;
}

/* What carry holds and more, up to a record end. Empty if the stream ended just where the last block was full. */
static ilk_status take(ilk_source *s, ilk_buffer *b, size_t *lines, ilk_error *err) {
    size_t cut = 0;
    if (begin_block(s, b) != ILK_OK)
        return ilk_fail_memory(err);
    ILK_TRY(gather(s, b, &cut, lines, err));
    if (ilk_buffer_add(&s->carry, b->p + cut, b->n - cut) != ILK_OK)
        return ilk_fail_memory(err);
    b->n = cut;
    s->is_open = !s->at_end;
    return ILK_OK;
}

ilk_status ilk_source_next(ilk_source *s, ilk_text_block *block, bool *more, ilk_error *err) {
    size_t lines = 0;
    block->bytes.n = 0;
    while (block->bytes.n == 0) {
        *more = !ilk_source_is_done(s);
        if (!*more)
            return ILK_OK;
        if (!s->is_open)
            ILK_TRY(open_next(s, err));
        ILK_TRY(take(s, &block->bytes, &lines, err));
    }
    block->begin = 0;
    block->line = s->line;
    block->name = stream_name(s);
    block->first = s->first;
    block->position = s->feed.position(s->feed.ctx);
    block->replaced = s->feed.replaced ? s->feed.replaced(s->feed.ctx) : 0;
    s->line += lines;
    s->first = false;
    return ILK_OK;
}
