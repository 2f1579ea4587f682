/* SPDX-License-Identifier: Apache-2.0 */
/* dict.h - strings to ids, two ways: a dictionary that grows, and a frozen one that lives in a file.
 *
 * A key is (field, bytes): the categories of several columns share one dictionary, each column a field of its own.
 * Hashes are keyed, so that crafted words cannot make them collide: the growing one by a number drawn at start, the
 * frozen one by a hash of its text. Ids never depend on hashes.
 */
#ifndef ILK_CORE_DICT_H
#define ILK_CORE_DICT_H

#include "core/buffer.h"

/* ---- growing: ids in order of first appearance */

typedef struct ilk_dict_entry {
    uint64_t hash;
    size_t at; /* in text */
    uint32_t n, field;
} ilk_dict_entry;

/* The upper half of the hash stands beside the id, so that few entries of other keys are looked at. */
typedef struct ilk_dict_slot {
    uint32_t tag, next_id; /* id + 1, 0 is empty */
} ilk_dict_slot;

typedef struct ilk_dict { /* zero-initialised is empty */
    ilk_dict_entry *entry;
    size_t n, cap;
    size_t ordered;      /* if this is n, the keys are known to be in order */
    ilk_dict_slot *slot; /* linear probing, at most 1/2 full */
    size_t slots;        /* a power of two; 0 until a key is added: till then keys are found by their order */
    ilk_buffer text;     /* of all keys, one behind the other, in the order of their ids */
} ilk_dict;

void ilk_dict_free(ilk_dict *d);
/* The id of a key, made if new. ILK_OK or ILK_ENOMEM (also for keys over 4 GiB and more than 2^32 - 3 of them). */
ilk_status ilk_dict_intern(ilk_dict *d, uint32_t field, ilk_str key, uint32_t *id);
/* The ids of all keys of `from`, made where new, into id[from->n]. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_dict_unite(ilk_dict *d, const ilk_dict *from, uint32_t *id);
/* New numbers for n keys: key i becomes to[i]. */
typedef struct ilk_renumbering {
    uint32_t *to; /* owned */
    size_t n;
} ilk_renumbering;
/* A key and what decides most comparisons, so that they need not look for its text. */
typedef struct ilk_dict_rank {
    uint64_t head; /* its first bytes: see ilk_dict_head */
    uint32_t field, id;
} ilk_dict_rank;
/* A dictionary, or some keys of it that follow each other in order, as one of several that are merged. */
typedef struct ilk_dict_part {
    const ilk_dict *from;
    const ilk_dict_rank *order; /* keys, sorted: see ilk_dict_rank_keys */
    uint32_t *id;               /* filled: of each, in that order, its id in what becomes of all */
    size_t n;                   /* of them */
} ilk_dict_part;
/* Reserve room for so many keys and bytes of text, so that adding them moves none. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_dict_expect(ilk_dict *d, size_t keys, size_t bytes);
/* All keys of n parts into an empty dictionary, sorted by (field, bytes). */
ilk_status ilk_dict_merge(ilk_dict *d, const ilk_dict_part *part, size_t n);
/* How many keys of the part have a lower field or head, and so come before all that have these. */
size_t ilk_dict_before(const ilk_dict_part *part, const ilk_dict_rank *rank);
/* Append all keys of the sorted `from`; every one of them must sort after the last key of `d`. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_dict_append(ilk_dict *d, const ilk_dict *from);
/* Give back room that is not needed. */
void ilk_dict_trim(ilk_dict *d);
/* Entries and text of a dictionary whose keys are in order into an empty one. */
ilk_status ilk_dict_copy(ilk_dict *d, const ilk_dict *from);
/* The key will be looked up soon: prefetch its slot. */
void ilk_dict_prefetch(const ilk_dict *d, uint32_t field, ilk_str key);
/* The id, or ILK_UNSEEN. */
uint32_t ilk_dict_find(const ilk_dict *d, uint32_t field, ilk_str key);
static inline ilk_str ilk_dict_key(const ilk_dict *d, uint32_t id) {
    return (ilk_str){d->entry[id].n ? d->text.p + d->entry[id].at : "", d->entry[id].n}; /* text may be NULL still */
}
/* All ids sorted by (field, bytes) into order[n]. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_dict_sort(const ilk_dict *d, uint32_t *order);
/* The same, with what they were sorted by. */
ilk_status ilk_dict_rank_keys(const ilk_dict *d, ilk_dict_rank *order);

/* ---- frozen: ids in order of (field, bytes); one run of bytes, the same in memory and in a file */

typedef struct ilk_keys {
    uint32_t n, fields, slots; /* slots: a power of two */
    uint64_t seed;
    const uint32_t *field_begin; /* fields + 1: the ids of field f are field_begin[f] … field_begin[f+1]-1 */
    const uint32_t *at;          /* n + 1 offsets into text */
    const uint32_t *slot;        /* id + 1, 0 is empty; linear probing */
    const char *text;
    uint32_t longest; /* bytes of the longest key */
} ilk_keys;

/* Append the frozen form of `n` keys of `d`, listed in sorted order, to `out`. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_keys_freeze(ilk_buffer *out, const ilk_dict *d, const uint32_t *order, size_t n, uint32_t fields);
/* Are these the keys of `d` that are listed? */
bool ilk_keys_are(const ilk_keys *keys, const ilk_dict *d, const uint32_t *order, size_t n);
/* Look at frozen bytes (8-byte aligned), which stay where they are. False if an offset or id in them is out of bounds.
 * */
bool ilk_keys_open(ilk_keys *out, const void *bytes, size_t n);
void ilk_keys_prefetch(const ilk_keys *keys, uint32_t field, ilk_str key);
uint32_t ilk_keys_find(const ilk_keys *keys, uint32_t field, ilk_str key);
static inline ilk_str ilk_keys_key(const ilk_keys *keys, uint32_t id) {
    return (ilk_str){keys->text + keys->at[id], keys->at[id + 1] - keys->at[id]};
}

#endif
