/* SPDX-License-Identifier: Apache-2.0 */
/* keys.c - the frozen dictionary.
 *
 * Layout, all little-endian, 8-byte aligned at the front:
 *     u32 n | u32 fields | u32 slots | u32 text bytes | u64 seed
 *     u32 field_begin[fields + 1] | u32 at[n + 1] | u32 slot[slots] | text
 * Keys are sorted and the slots filled in that order, so equal content gives equal bytes. The seed is a hash of the
 * text: to craft colliding words, one would have to know the whole dictionary they end up in.
 */
#include "core/dict.h"
#include "core/hash.h"
#include "core/memory.h"

#include <string.h>

enum { HEAD = 24 };

static void place(uint32_t *slot, uint32_t slots, uint64_t hash, uint32_t id) {
    uint32_t i = (uint32_t)hash & (slots - 1);
    while (slot[i])
        i = (i + 1) & (slots - 1);
    slot[i] = id + 1;
}

/* The text of keys from `id` on, so many bytes, which may be none. */
static void copy(char *to, const ilk_dict *d, uint32_t id, uint32_t bytes) {
    if (bytes)
        memcpy(to, d->text.p + d->entry[id].at, bytes);
}

static void fill(char *p, const ilk_dict *d, const uint32_t *order, uint32_t n, uint32_t fields, uint32_t slots,
                 uint32_t bytes) {
    uint32_t *begin = (uint32_t *)(void *)(p + HEAD), *at = begin + fields + 1, *slot = at + n + 1;
    char *text = (char *)(slot + slots);
    uint32_t used = 0, field = 0;
    for (uint32_t i = 0, first = 0; i < n; i++) {
        const ilk_dict_entry *key = &d->entry[order[i]];
        for (; field <= key->field; field++)
            begin[field] = i;
        at[i] = used;
        used += key->n;
        if (i + 1 == n || order[i + 1] != order[i] + 1) { /* keys that follow each other do so in the text, too */
            copy(text + at[first], d, order[first], used - at[first]);
            first = i + 1;
        }
    }
    for (; field <= fields; field++)
        begin[field] = n;
    at[n] = used;
    uint64_t seed = ilk_hash_bytes(text, used);
    memset(slot, 0, slots * sizeof *slot);
    for (field = 0; field < fields; field++)
        for (uint32_t i = begin[field]; i < begin[field + 1]; i++)
            place(slot, slots, ilk_hash_key(seed, field, (ilk_str){text + at[i], at[i + 1] - at[i]}), i);
    uint32_t head[4] = {n, fields, slots, bytes};
    memcpy(p, head, sizeof head);
    memcpy(p + sizeof head, &seed, sizeof seed);
}

ilk_status ilk_keys_freeze(ilk_buffer *out, const ilk_dict *d, const uint32_t *order, size_t n, uint32_t fields) {
    size_t bytes = 0, slots = 2;
    for (size_t i = 0; i < n; i++)
        bytes += d->entry[order[i]].n;
    while (slots < 2 * n)
        slots *= 2;
    if (bytes > UINT32_MAX || slots > UINT32_MAX / 2)
        return ILK_ENOMEM;
    size_t size = HEAD + 4 * ((size_t)fields + 1 + n + 1 + slots) + bytes;
    ILK_TRY(ilk_buffer_reserve(out, size));
    fill(out->p + out->n, d, order, (uint32_t)n, fields, (uint32_t)slots, (uint32_t)bytes);
    out->n += size;
    return ILK_OK;
}

/* Keys from `first` on, whose lengths agree and which follow each other in `d`. */
static bool same_text(const ilk_keys *keys, const ilk_dict *d, uint32_t id, uint32_t first, uint32_t last) {
    uint32_t bytes = keys->at[last] - keys->at[first];
    return bytes == 0 || memcmp(keys->text + keys->at[first], d->text.p + d->entry[id].at, bytes) == 0;
}

bool ilk_keys_are(const ilk_keys *keys, const ilk_dict *d, const uint32_t *order, size_t n) {
    bool same = keys->n == n;
    for (uint32_t i = 0, field = 0, first = 0; same && i < n; i++) {
        while (i >= keys->field_begin[field + 1]) /* which ends: the last is n */
            field++;
        const ilk_dict_entry *e = &d->entry[order[i]];
        same = e->field == field && e->n == keys->at[i + 1] - keys->at[i];
        if (same && (i + 1 == n || order[i + 1] != order[i] + 1)) {
            same = same_text(keys, d, order[first], first, i + 1);
            first = i + 1;
        }
    }
    return same;
}

/* Offsets rise from 0 to `last`. */
static bool rises(const uint32_t *v, uint32_t n, uint32_t last) {
    uint32_t falls = 0;
    for (uint32_t i = 0; i < n; i++)
        falls |= v[i] > v[i + 1];
    return !falls && v[0] == 0 && v[n] == last;
}

static uint32_t longest(const uint32_t *at, uint32_t n) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++)
        most = at[i + 1] - at[i] > most ? at[i + 1] - at[i] : most;
    return most;
}

/* Every slot names a key; at least one is empty, so that probing ends. */
static bool slots_valid(const ilk_keys *k) {
    uint32_t empty = 0, worst = 0;
    for (uint32_t i = 0; i < k->slots; i++) {
        empty += k->slot[i] == 0;
        worst = k->slot[i] > worst ? k->slot[i] : worst;
    }
    return empty > 0 && worst <= k->n;
}

bool ilk_keys_open(ilk_keys *out, const void *bytes, size_t n) {
    uint32_t head[4];
    if (n < HEAD || ((uintptr_t)bytes & 7))
        return false;
    memcpy(head, bytes, sizeof head);
    ilk_keys k = {.n = head[0], .fields = head[1], .slots = head[2]};
    size_t words = (size_t)k.n + k.fields + k.slots + 2;
    if (k.n >= ILK_UNSEEN || k.slots < 2 || (k.slots & (k.slots - 1)) || n != HEAD + 4 * words + head[3])
        return false;
    memcpy(&k.seed, (const char *)bytes + sizeof head, sizeof k.seed);
    k.field_begin = (const uint32_t *)(const void *)((const char *)bytes + HEAD);
    k.at = k.field_begin + k.fields + 1;
    k.slot = k.at + k.n + 1;
    k.text = (const char *)(k.slot + k.slots);
    k.longest = longest(k.at, k.n);
    *out = k;
    return rises(k.field_begin, k.fields, k.n) && rises(k.at, k.n, head[3]) && slots_valid(&k);
}

void ilk_keys_prefetch(const ilk_keys *keys, uint32_t field, ilk_str key) {
    __builtin_prefetch(&keys->slot[(uint32_t)ilk_hash_key(keys->seed, field, key) & (keys->slots - 1)]);
}

uint32_t ilk_keys_find(const ilk_keys *keys, uint32_t field, ilk_str key) {
    if (field >= keys->fields)
        return ILK_UNSEEN;
    uint32_t mask = keys->slots - 1, i = (uint32_t)ilk_hash_key(keys->seed, field, key) & mask;
    for (; keys->slot[i]; i = (i + 1) & mask) {
        uint32_t id = keys->slot[i] - 1;
        if (id >= keys->field_begin[field] && id < keys->field_begin[field + 1] &&
            ilk_str_equal(ilk_keys_key(keys, id), key))
            return id;
    }
    return ILK_UNSEEN;
}
