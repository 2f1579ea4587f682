/* SPDX-License-Identifier: Apache-2.0 */
/* feed_documents.c - many documents as one table: a record "path","class","text" for each, as CSV has it.
 *
 * So everything above reads a folder like a file. What CSV cannot hold as it is, is changed here and nowhere else:
 * quotes are doubled, and NUL bytes, which a stray binary brings, become U+FFFD.
 */
#include "core/buffer.h"
#include "core/memory.h"
#include "data/feed.h"
#include "data/source.h"
#include "text/encoding.h"

#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 16 };

typedef struct documents {
    ilk_feed from; /* owned, as is the list of what it gives */
    ilk_folder folder;
    size_t next;      /* the document to open */
    bool is_open;     /* the one before it is */
    size_t record;    /* bytes of its record so far */
    size_t used;      /* of `ready`, handed out */
    ilk_buffer ready; /* bytes of records */
    char name[4096];  /* of the first folder */
    char piece[PIECE];
} documents;

static const char *name(void *ctx, size_t i) {
    documents *d = ctx;
    (void)i;
    return d->name;
}

static uint64_t position(void *ctx) {
    documents *d = ctx;
    return d->from.position(d->from.ctx);
}

static uint64_t replaced(void *ctx) {
    documents *d = ctx;
    return d->from.replaced ? d->from.replaced(d->from.ctx) : 0;
}

static void free_documents(void *ctx) {
    documents *d = ctx;
    ilk_buffer_free(&d->ready);
    ilk_folder_free(&d->folder);
    d->from.free(d->from.ctx);
    ilk_free(d);
}

static ilk_status add(documents *d, const char *bytes, size_t n) {
    return ilk_buffer_add(&d->ready, bytes, n);
}

/* Part of a quoted field. */
static ilk_status add_quoted(documents *d, const char *p, size_t n) {
    const char *end = p + n;
    while (p < end) {
        size_t plain = 0;
        while (p + plain < end && p[plain] != '"' && p[plain] != '\0')
            plain++;
        ILK_TRY(add(d, p, plain));
        p += plain;
        if (p < end)
            ILK_TRY(*p++ ? add(d, "\"\"", 2) : add(d, "\xEF\xBF\xBD", 3));
    }
    return ILK_OK;
}

/* A path may be of any bytes; it is only shown. */
static ilk_status add_path(documents *d, const char *p, size_t n) {
    while (n > 0) {
        size_t beyond = 0, good;
        bool cut;
        good = ilk_utf8_prefix(p, n, &beyond, &cut);
        ILK_TRY(add_quoted(d, p, good));
        if (good < n)
            ILK_TRY(add(d, "\xEF\xBF\xBD", 3));
        good += good < n;
        p += good;
        n -= good;
    }
    return ILK_OK;
}

/* A record up to its text. */
static ilk_status add_head(documents *d, size_t i) {
    ilk_str label = ilk_folder_class(&d->folder, i);
    ILK_TRY(add(d, "\"", 1));
    ILK_TRY(add_path(d, d->folder.path[i], strlen(d->folder.path[i])));
    ILK_TRY(add(d, "\",\"", 3));
    ILK_TRY(add_quoted(d, label.p, label.n));
    return add(d, "\",\"", 3);
}

static ilk_status open_next(documents *d, ilk_error *err) {
    size_t i = d->next++, beyond = 0;
    bool cut;
    ilk_str label = ilk_folder_class(&d->folder, i);
    if (ilk_utf8_prefix(label.p, label.n, &beyond, &cut) < label.n) /* made one, two classes might become the same */
        return ilk_fail(err, ILK_EDATA, "%s: the name of this class is not UTF-8", d->folder.path[i]);
    ILK_TRY(d->from.open(d->from.ctx, i, err));
    d->is_open = true;
    d->record = 0;
    return add_head(d, i) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

/* More of the document that is open, or its end. */
static ilk_status go_on(documents *d, ilk_error *err) {
    size_t got;
    ILK_TRY(d->from.read(d->from.ctx, d->piece, PIECE, &got, err));
    d->is_open = got > 0;
    ilk_status status = got ? add_quoted(d, d->piece, got) : add(d, "\"\n", 2);
    if (status != ILK_OK)
        return ilk_fail_memory(err);
    d->record += d->ready.n;
    if (d->record >= ILK_RECORD_LIMIT)
        return ilk_fail(err, ILK_EDATA, "%s: a document of more than %zu MiB", d->folder.path[d->next - 1],
                        ILK_RECORD_LIMIT >> 20);
    return ILK_OK;
}

static ilk_status open_all(void *ctx, size_t i, ilk_error *err) {
    documents *d = ctx;
    (void)i;
    d->next = d->used = d->ready.n = 0;
    d->is_open = false;
    static const char header[] = "path,class,text\n";
    return add(d, header, sizeof header - 1) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

static ilk_status read_all(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err) {
    documents *d = ctx;
    while (d->used == d->ready.n && (d->is_open || d->next < d->folder.n)) {
        d->used = d->ready.n = 0;
        ILK_TRY(d->is_open ? go_on(d, err) : open_next(d, err));
    }
    *got = d->ready.n - d->used < n ? d->ready.n - d->used : n;
    if (*got > 0)
        memcpy(buf, d->ready.p + d->used, *got);
    d->used += *got;
    return ILK_OK;
}

ilk_status ilk_feed_documents(ilk_feed *feed, ilk_folder *folder, ilk_error *err) {
    documents *d = ilk_alloc(1, sizeof *d);
    if (!d) {
        feed->free(feed->ctx);
        *feed = (ilk_feed){0};
        ilk_folder_free(folder);
        return ilk_fail_memory(err);
    }
    d->from = *feed;
    d->folder = *folder;
    d->ready = (ilk_buffer){0};
    snprintf(d->name, sizeof d->name, "%.*s", (int)folder->root[0], folder->path[0]);
    *folder = (ilk_folder){0};
    *feed = (ilk_feed){.ctx = d,
                       .count = 1,
                       .total_bytes = d->from.total_bytes,
                       .name = name,
                       .open = open_all,
                       .read = read_all,
                       .position = position,
                       .replaced = replaced,
                       .free = free_documents};
    return ILK_OK;
}
