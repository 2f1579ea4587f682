/* SPDX-License-Identifier: Apache-2.0 */
/* dict.c - the dictionary that grows. Open addressing; the full hash is kept, so that growing never reads the text.
 * A dictionary filled in sorted order has no slots until a key is interned; until then it is searched by bisection. */
#include "core/dict_part.h"
#include "core/hash.h"
#include "core/memory.h"

#include <assert.h>
#include <string.h>

void ilk_dict_free(ilk_dict *d) {
    ilk_free(d->entry);
    ilk_free(d->slot);
    ilk_buffer_free(&d->text);
    *d = (ilk_dict){0};
}

static bool is_key(const ilk_dict *d, uint32_t id, uint64_t hash, uint32_t field, ilk_str key) {
    const ilk_dict_entry *e = &d->entry[id];
    return e->hash == hash && e->n == key.n && e->field == field &&
           (key.n == 0 || memcmp(d->text.p + e->at, key.p, key.n) == 0);
}

/* The slot that holds the key, or the empty one where it belongs. */
static size_t probe(const ilk_dict *d, uint64_t hash, uint32_t field, ilk_str key) {
    size_t mask = d->slots - 1, i = hash & mask;
    while (d->slot[i].next_id && (d->slot[i].tag != hash >> 32 || !is_key(d, d->slot[i].next_id - 1, hash, field, key)))
        i = (i + 1) & mask;
    return i;
}

static ilk_status rehash(ilk_dict *d, size_t slots) {
    ilk_dict_slot *slot = ilk_zalloc(slots, sizeof *slot);
    if (!slot)
        return ILK_ENOMEM;
    for (size_t id = 0; id < d->n; id++) {
        size_t i = d->entry[id].hash & (slots - 1);
        while (slot[i].next_id)
            i = (i + 1) & (slots - 1);
        slot[i] = (ilk_dict_slot){(uint32_t)(d->entry[id].hash >> 32), (uint32_t)id + 1};
    }
    ilk_free(d->slot);
    d->slot = slot;
    d->slots = slots;
    return ILK_OK;
}

void ilk_dict_trim(ilk_dict *d) {
    ilk_shrink(&d->entry, &d->cap, d->n, sizeof *d->entry);
    ilk_shrink(&d->text.p, &d->text.cap, d->text.n, 1);
}

static uint32_t find_in_order(const ilk_dict *d, uint32_t field, ilk_str key) {
    assert(d->ordered == d->n);
    size_t first = 0, last = d->n;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        uint32_t other = d->entry[middle].field;
        int order = other != field ? (other > field) - (other < field)
                                   : ilk_str_compare(ilk_dict_key(d, (uint32_t)middle), key);
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return ILK_UNSEEN;
}

uint32_t ilk_dict_find(const ilk_dict *d, uint32_t field, ilk_str key) {
    if (!d->slots)
        return find_in_order(d, field, key);
    uint32_t id = d->slot[probe(d, ilk_hash_key(ilk_hash_seed(), field, key), field, key)].next_id;
    return id ? id - 1 : ILK_UNSEEN;
}

/* Slots for what is there and one key more, if they are too few. */
static ilk_status make_room(ilk_dict *d) {
    size_t slots = d->slots ? d->slots : 16;
    while (slots < 2 * (d->n + 1))
        slots *= 2;
    return slots == d->slots ? ILK_OK : rehash(d, slots);
}

static ilk_status intern(ilk_dict *d, uint64_t hash, uint32_t field, ilk_str key, uint32_t *id) {
    if (!d->slots)
        ILK_TRY(make_room(d));
    size_t i = probe(d, hash, field, key);
    if (!d->slot[i].next_id) { /* a key that is there needs no memory, where there are slots */
        if (2 * (d->n + 1) > d->slots) {
            ILK_TRY(make_room(d));
            i = probe(d, hash, field, key);
        }
        if (d->n >= ILK_UNSEEN - 1 || key.n > UINT32_MAX - 1 ||
            ilk_grow(&d->entry, &d->cap, d->n + 1, sizeof *d->entry))
            return ILK_ENOMEM;
        size_t at = d->text.n;
        ILK_TRY(ilk_buffer_add(&d->text, key.p, key.n));
        d->entry[d->n] = (ilk_dict_entry){hash, at, (uint32_t)key.n, field};
        d->slot[i] = (ilk_dict_slot){(uint32_t)(hash >> 32), (uint32_t)++d->n};
    }
    *id = d->slot[i].next_id - 1;
    return ILK_OK;
}

void ilk_dict_prefetch(const ilk_dict *d, uint32_t field, ilk_str key) {
    if (d->slots)
        __builtin_prefetch(&d->slot[ilk_hash_key(ilk_hash_seed(), field, key) & (d->slots - 1)]);
}

ilk_status ilk_dict_intern(ilk_dict *d, uint32_t field, ilk_str key, uint32_t *id) {
    return intern(d, ilk_hash_key(ilk_hash_seed(), field, key), field, key, id);
}

/* The hashes are known already, so slots are prefetched a few keys ahead. */
ilk_status ilk_dict_unite(ilk_dict *d, const ilk_dict *from, uint32_t *id) {
    enum { AHEAD = 8 };
    for (size_t i = 0; i < from->n; i++) {
        if (i + AHEAD < from->n && d->slots)
            __builtin_prefetch(&d->slot[from->entry[i + AHEAD].hash & (d->slots - 1)]);
        ILK_TRY(intern(d, from->entry[i].hash, from->entry[i].field, ilk_dict_key(from, (uint32_t)i), &id[i]));
    }
    return ILK_OK;
}
