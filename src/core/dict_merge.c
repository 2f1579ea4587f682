/* SPDX-License-Identifier: Apache-2.0 */
/* dict_merge.c - several dictionaries, each in order, into one in order.
 *
 * Threads that count words name them each on their own, so most words are in most parts. Their heads (first bytes, as a
 * number) decide most comparisons. Texts lie where their words were first met, so they are asked for some keys ahead.
 */
#include "core/dict_part.h"
#include "core/memory.h"

#include <string.h>

/* A part and the key that comes next. */
typedef struct cursor {
    const ilk_dict_part *part;
    size_t at;
    ilk_dict_place place;
} cursor;

/* Look at key `at`; false if there is none. */
static bool look(cursor *c) {
    enum { FAR = 32, NEAR = 16 };
    const ilk_dict *d = c->part->from;
    const uint32_t *order = c->part->order;
    if (c->at == d->n)
        return false;
    if (c->at + FAR < d->n) {
        __builtin_prefetch(&d->entry[order[c->at + FAR]]);
        __builtin_prefetch(d->text.p + d->entry[order[c->at + NEAR]].at);
    }
    c->place = ilk_dict_place_of(d, order[c->at]);
    return true;
}

/* The live cursors whose keys come first, by number, into `first`. Returns how many: one or more of the same key. */
static size_t find_first(const cursor *live, size_t n, size_t *first) {
    size_t equal = 1;
    first[0] = 0;
    for (size_t i = 1; i < n; i++) {
        int order = ilk_dict_compare(&live[i].place, &live[first[0]].place);
        equal = order < 0 ? 0 : equal;
        if (order <= 0)
            first[equal++] = i;
    }
    return equal;
}

/* A key that is not there yet goes to the end. */
static ilk_status append(ilk_dict *d, const cursor *c) {
    ilk_str key = c->place.key;
    if (d->n >= ILK_UNSEEN - 1 || ilk_grow(&d->entry, &d->cap, d->n + 1, sizeof *d->entry))
        return ILK_ENOMEM;
    d->entry[d->n] =
        (ilk_dict_entry){c->part->from->entry[c->part->order[c->at]].hash, d->text.n, (uint32_t)key.n, c->place.field};
    ILK_TRY(ilk_buffer_add(&d->text, key.p, key.n));
    d->n++;
    return ILK_OK;
}

static ilk_status merge(ilk_dict *d, cursor *live, size_t n, size_t *first) {
    while (n > 0) {
        size_t equal = find_first(live, n, first);
        ILK_TRY(append(d, &live[first[0]]));
        while (equal-- > 0) { /* the last first: a cursor at its end is replaced by the last one */
            cursor *c = &live[first[equal]];
            c->part->id[c->part->order[c->at++]] = (uint32_t)d->n - 1;
            if (!look(c))
                *c = live[--n];
        }
    }
    d->ordered = d->n;
    return ilk_dict_index(d);
}

ilk_status ilk_dict_merge(ilk_dict *d, const ilk_dict_part *part, size_t n) {
    cursor *live = ilk_alloc(n, sizeof *live);
    size_t *first = ilk_alloc(n, sizeof *first), alive = 0;
    for (size_t i = 0; live && i < n; i++) {
        live[alive] = (cursor){.part = &part[i]};
        alive += look(&live[alive]);
    }
    ilk_status status = live && first ? merge(d, live, alive, first) : ILK_ENOMEM;
    ilk_free(live);
    ilk_free(first);
    return status;
}

ilk_status ilk_dict_copy(ilk_dict *d, const ilk_dict *from) {
    if (ilk_grow(&d->entry, &d->cap, from->n, sizeof *d->entry))
        return ILK_ENOMEM;
    ILK_TRY(ilk_buffer_add(&d->text, from->text.p, from->text.n));
    if (from->n)
        memcpy(d->entry, from->entry, from->n * sizeof *d->entry);
    d->n = from->n;
    d->ordered = from->ordered;
    return ILK_OK;
}
