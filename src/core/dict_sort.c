/* SPDX-License-Identifier: Apache-2.0 */
/* dict_sort.c - the keys of a dictionary in order of (field, bytes).
 *
 * Field and first eight bytes make a number, by which keys are distributed digit by digit, the last one first; digits
 * that all keys share cost nothing. What is equal so far, mostly little, is compared. */
#include "core/dict_part.h"
#include "core/memory.h"

#include <stdlib.h>

enum { BITS = 11, VALUES = 1 << BITS }; /* of a digit: more would save passes, but counting would take longer */

/* qsort has no context argument that is portable, so what is sorted carries its key. */
typedef struct tied {
    ilk_str key;
    ilk_dict_rank rank;
} tied;

static size_t digit(uint64_t number, unsigned shift) {
    return number >> shift & (VALUES - 1);
}

static uint64_t number_of(const ilk_dict_rank *r, bool field) {
    return field ? r->field : r->head;
}

/* Distribute `from` by one digit of head or field. */
static void distribute(ilk_dict_rank *to, const ilk_dict_rank *from, size_t n, bool field, unsigned shift) {
    uint32_t next[VALUES] = {0}; /* how many there are of each, then where the next one goes */
    for (size_t i = 0; i < n; i++)
        next[digit(number_of(&from[i], field), shift)]++;
    for (uint32_t value = 0, first = 0; value < VALUES; value++) {
        uint32_t here = next[value];
        next[value] = first;
        first += here;
    }
    for (size_t i = 0; i < n; i++)
        to[next[digit(number_of(&from[i], field), shift)]++] = from[i];
}

/* Radix sort by head or by field, between two buffers: *r holds the keys and, at the end, the sorted ones. */
static void sort_by(ilk_dict_rank **r, ilk_dict_rank **other, size_t n, bool field) {
    uint64_t differing = 0;
    for (size_t i = 1; i < n; i++)
        differing |= number_of(&(*r)[i], field) ^ number_of(&(*r)[0], field);
    for (unsigned shift = 0; shift < 64; shift += BITS) {
        if (digit(differing, shift) == 0)
            continue;
        distribute(*other, *r, n, field, shift);
        ilk_dict_rank *ordered = *other;
        *other = *r;
        *r = ordered;
    }
}

static int compare(const void *a, const void *b) {
    const tied *x = a, *y = b;
    return ilk_str_compare(x->key, y->key);
}

/* Bring `n` keys of equal field and head into the order of their bytes. */
static void sort_ties(const ilk_dict *d, ilk_dict_rank *r, size_t n, tied *room) {
    for (size_t i = 0; i < n; i++)
        room[i] = (tied){ilk_dict_key(d, r[i].id), r[i]};
    qsort(room, n, sizeof *room, compare);
    for (size_t i = 0; i < n; i++)
        r[i] = room[i].rank;
}

static ilk_status sort(const ilk_dict *d, ilk_dict_rank *order) {
    size_t n = d->n;
    ilk_dict_rank *second = ilk_alloc(n, sizeof *second), *r = order, *other = second;
    tied *room = ilk_alloc(n, sizeof *room);
    if (second && room) {
        sort_by(&r, &other, n, false);
        sort_by(&r, &other, n, true);
        for (size_t i = 0, end; i < n; i = end) {
            for (end = i + 1; end < n && ilk_dict_compare_heads(&r[end], &r[i]) == 0;)
                end++;
            if (end > i + 1)
                sort_ties(d, r + i, end - i, room);
        }
        if (r != order)
            memcpy(order, r, n * sizeof *order);
    }
    ilk_status status = second && room ? ILK_OK : ILK_ENOMEM;
    ilk_free(second);
    ilk_free(room);
    return status;
}

/* Names often come in order: from a file, from a list of words, or because they have been sorted before. */
static bool in_order(const ilk_dict *d) {
    if (d->ordered == d->n)
        return true;
    ilk_dict_rank before = {0};
    for (uint32_t id = 0; id < d->n; id++) {
        ilk_dict_rank here = ilk_dict_rank_of(d, id);
        if (id > 0 && ilk_dict_compare(d, &before, d, &here) > 0)
            return false;
        before = here;
    }
    return true;
}

ilk_status ilk_dict_rank_keys(const ilk_dict *d, ilk_dict_rank *order) {
    for (uint32_t id = 0; id < d->n; id++)
        order[id] = ilk_dict_rank_of(d, id);
    return in_order(d) ? ILK_OK : sort(d, order);
}

ilk_status ilk_dict_sort(const ilk_dict *d, uint32_t *order) {
    bool sorted = in_order(d);
    ilk_dict_rank *r = sorted ? NULL : ilk_alloc(d->n, sizeof *r);
    ilk_status status = sorted ? ILK_OK : r ? ilk_dict_rank_keys(d, r) : ILK_ENOMEM;
    for (uint32_t id = 0; status == ILK_OK && id < d->n; id++)
        order[id] = r ? r[id].id : id;
    ilk_free(r);
    return status;
}
