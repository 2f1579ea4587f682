/* SPDX-License-Identifier: Apache-2.0 */
/* feed_memory.c - bytes in memory as streams, in pieces as small as a pipe's can be. */
#include "core/memory.h"
#include "data/feed.h"

#include <stdio.h>
#include <string.h>

typedef struct memory {
    ilk_str rest; /* of the stream that is open */
    size_t most;
    uint64_t position;
    const ilk_str *streams;
    char name[][32]; /* one per stream */
} memory;

static const char *name(void *ctx, size_t i) {
    const memory *m = ctx;
    return m->name[i];
}

static ilk_status open_stream(void *ctx, size_t i, ilk_error *err) {
    memory *m = ctx;
    (void)err;
    m->rest = m->streams[i];
    return ILK_OK;
}

static ilk_status read_stream(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err) {
    memory *m = ctx;
    (void)err;
    *got = n < m->most ? n : m->most;
    if (*got > m->rest.n)
        *got = m->rest.n;
    if (*got > 0)
        memcpy(buf, m->rest.p, *got);
    m->rest.p += *got;
    m->rest.n -= *got;
    m->position += *got;
    return ILK_OK;
}

static uint64_t position(void *ctx) {
    const memory *m = ctx;
    return m->position;
}

ilk_status ilk_feed_memory(ilk_feed *out, const ilk_str *streams, size_t n, size_t most, ilk_error *err) {
    *out = (ilk_feed){0};
    memory *m = ilk_alloc(1, sizeof *m + n * sizeof *m->name);
    if (!m)
        return ilk_fail_memory(err);
    *m = (memory){.most = most, .streams = streams};
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        snprintf(m->name[i], sizeof m->name[i], "memory %zu", i + 1);
        total += streams[i].n;
    }
    *out = (ilk_feed){.ctx = m,
                      .count = n,
                      .total_bytes = total,
                      .once = n,
                      .name = name,
                      .open = open_stream,
                      .read = read_stream,
                      .position = position,
                      .free = ilk_free};
    return ILK_OK;
}
