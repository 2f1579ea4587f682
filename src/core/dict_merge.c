/* SPDX-License-Identifier: Apache-2.0 */
/* dict_merge.c - several dictionaries, each in order, into one in order.
 *
 * Threads that count words name them each on their own, so most words are in most parts. Their heads (first bytes, as a
 * number) decide most comparisons. Texts lie where their words were first met, so they are prefetched some keys ahead.
 */
#include "core/dict_part.h"
#include "core/memory.h"

#include <string.h>

/* What is left of a part. */
typedef struct cursor {
    const ilk_dict *from;
    const ilk_dict_rank *next, *end;
    uint32_t *id;
} cursor;

ILK_PREFETCHES ask(const cursor *c) {
    enum { FAR = 32, NEAR = 16 };
    if (c->end - c->next > FAR) {
        __builtin_prefetch(&c->from->entry[c->next[FAR].id]);
        __builtin_prefetch(c->from->text.p + c->from->entry[c->next[NEAR].id].at);
    }
}

/* The live cursors whose keys come first, by number, into `first`. Returns how many: one or more of the same key. */
static size_t find_first(const cursor *live, size_t n, size_t *first) {
    size_t equal = 1;
    first[0] = 0;
    for (size_t i = 1; i < n; i++) {
        const cursor *least = &live[first[0]];
        int order = ilk_dict_compare(live[i].from, live[i].next, least->from, least->next);
        equal = order < 0 ? 0 : equal;
        if (order <= 0)
            first[equal++] = i;
    }
    return equal;
}

/* A key that is not there yet goes to the end, where ilk_dict_merge has made room for all. */
static ilk_status append(ilk_dict *d, const cursor *c) {
    const ilk_dict_entry *e = &c->from->entry[c->next->id];
    if (d->n >= ILK_UNSEEN - 1)
        return ILK_ENOMEM;
    d->entry[d->n++] = (ilk_dict_entry){e->hash, d->text.n, e->n, e->field};
    return ilk_buffer_add(&d->text, ilk_dict_key(c->from, c->next->id).p, e->n);
}

static ilk_status merge(ilk_dict *d, cursor *live, size_t n, size_t *first) {
    while (n > 0) {
        size_t equal = find_first(live, n, first);
        ILK_TRY(append(d, &live[first[0]]));
        while (equal-- > 0) { /* the last first: a cursor at its end is replaced by the last one */
            cursor *c = &live[first[equal]];
            *c->id++ = (uint32_t)d->n - 1;
            if (++c->next == c->end)
                *c = live[--n];
            else
                ask(c);
        }
    }
    d->ordered = d->n;
    return ILK_OK;
}

ilk_status ilk_dict_expect(ilk_dict *d, size_t keys, size_t bytes) {
    if (ilk_grow(&d->entry, &d->cap, keys, sizeof *d->entry))
        return ILK_ENOMEM;
    return ilk_buffer_reserve(&d->text, bytes > d->text.n ? bytes - d->text.n : 0);
}

/* Of keys that are some of a dictionary, the text is taken to be as much of its text. */
static ilk_status expect_parts(ilk_dict *d, const ilk_dict_part *part, size_t n) {
    size_t keys = 0;
    double bytes = 0;
    for (size_t i = 0; i < n; i++) {
        keys += part[i].n;
        bytes += part[i].n ? (double)part[i].from->text.n * (double)part[i].n / (double)part[i].from->n : 0;
    }
    return ilk_dict_expect(d, keys, (size_t)bytes);
}

ilk_status ilk_dict_merge(ilk_dict *d, const ilk_dict_part *part, size_t n) {
    cursor *live = ilk_alloc(n, sizeof *live);
    size_t *first = ilk_alloc(n, sizeof *first), alive = 0;
    for (size_t i = 0; live && i < n; i++)
        if (part[i].n > 0)
            live[alive++] = (cursor){part[i].from, part[i].order, part[i].order + part[i].n, part[i].id};
    ilk_status status = live && first ? expect_parts(d, part, n) : ILK_ENOMEM;
    if (status == ILK_OK)
        status = merge(d, live, alive, first);
    ilk_free(live);
    ilk_free(first);
    return status;
}

size_t ilk_dict_before(const ilk_dict_part *part, const ilk_dict_rank *rank) {
    size_t first = 0, last = part->n;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (ilk_dict_compare_heads(&part->order[middle], rank) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

ilk_status ilk_dict_append(ilk_dict *d, const ilk_dict *from) {
    size_t text = d->text.n;
    if (from->n > ILK_UNSEEN - 1 - d->n || ilk_grow(&d->entry, &d->cap, d->n + from->n, sizeof *d->entry))
        return ILK_ENOMEM;
    ILK_TRY(ilk_buffer_add(&d->text, from->text.p, from->text.n));
    for (size_t i = 0; i < from->n; i++) {
        d->entry[d->n + i] = from->entry[i];
        d->entry[d->n + i].at += text;
    }
    d->n += from->n;
    d->ordered = d->n;
    return ILK_OK;
}

ilk_status ilk_dict_copy(ilk_dict *d, const ilk_dict *from) {
    if (ilk_grow(&d->entry, &d->cap, from->n, sizeof *d->entry))
        return ILK_ENOMEM;
    ILK_TRY(ilk_buffer_add(&d->text, from->text.p, from->text.n));
    if (from->n)
        memcpy(d->entry, from->entry, from->n * sizeof *d->entry);
    d->n = d->ordered = from->n;
    return ILK_OK;
}
