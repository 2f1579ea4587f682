/* SPDX-License-Identifier: Apache-2.0 */
/* dict_sort.c - the ids of a dictionary in order of (field, bytes).
 *
 * Field and first eight bytes make a number of twelve digits to the base of 256, by which keys are distributed digit
 * by digit, the last one first; digits that all keys share cost nothing. What is equal so far, mostly nothing, is
 * compared. */
#include "core/dict_part.h"
#include "core/memory.h"

#include <stdlib.h>

enum { HEAD = ILK_DICT_HEAD, DIGITS = HEAD + 4 };

typedef struct sortable {
    uint64_t head;
    uint32_t field, id;
} sortable;

/* qsort has no context argument that is portable, so what is sorted carries its key. */
typedef struct tied {
    ilk_str key;
    uint32_t id;
} tied;

static unsigned digit(const sortable *s, size_t place) {
    return (unsigned)(place < HEAD ? s->head >> 8 * place : s->field >> 8 * (place - HEAD)) & 255;
}

/* Distribute `from` by one digit; `count` has how many there are of each. */
static void distribute(sortable *to, const sortable *from, size_t n, size_t place, size_t count[256]) {
    for (size_t value = 0, first = 0; value < 256; value++) {
        size_t here = count[value];
        count[value] = first;
        first += here;
    }
    for (size_t i = 0; i < n; i++)
        to[count[digit(&from[i], place)]++] = from[i];
}

/* Returns the one of the two in which the order is. */
static sortable *sort_by_digits(sortable *from, sortable *to, size_t n) {
    for (size_t place = 0; place < DIGITS; place++) {
        size_t count[256] = {0};
        for (size_t i = 0; i < n; i++)
            count[digit(&from[i], place)]++;
        if (count[digit(&from[0], place)] == n)
            continue;
        distribute(to, from, n, place, count);
        sortable *ordered = to;
        to = from;
        from = ordered;
    }
    return from;
}

static int compare(const void *a, const void *b) {
    const tied *x = a, *y = b;
    return ilk_str_compare(x->key, y->key);
}

/* Bring order[first … last - 1] into the order of their bytes. */
static void sort_ties(const ilk_dict *d, uint32_t *order, size_t first, size_t last, tied *room) {
    for (size_t i = first; i < last; i++)
        room[i - first] = (tied){ilk_dict_key(d, order[i]), order[i]};
    qsort(room, last - first, sizeof *room, compare);
    for (size_t i = first; i < last; i++)
        order[i] = room[i - first].id;
}

static ilk_status sort(const ilk_dict *d, uint32_t *order) {
    size_t n = d->n;
    sortable *s = ilk_alloc(n, 2 * sizeof *s);
    tied *room = ilk_alloc(n, sizeof *room);
    for (size_t id = 0; s && id < n; id++)
        s[id] = (sortable){ilk_dict_head(ilk_dict_key(d, (uint32_t)id)), d->entry[id].field, (uint32_t)id};
    if (s && room) {
        const sortable *sorted = sort_by_digits(s, s + n, n);
        for (size_t i = 0; i < n; i++)
            order[i] = sorted[i].id;
        for (size_t i = 0, end; i < n; i = end) {
            for (end = i + 1; end < n && sorted[end].head == sorted[i].head && sorted[end].field == sorted[i].field;)
                end++;
            if (end > i + 1)
                sort_ties(d, order, i, end, room);
        }
    }
    ilk_status status = s && room ? ILK_OK : ILK_ENOMEM;
    ilk_free(s);
    ilk_free(room);
    return status;
}

/* Names often come in order: from a file, from a list of words, or because they have been sorted before. */
static bool in_order(const ilk_dict *d) {
    if (d->ordered == d->n)
        return true;
    ilk_dict_place before = {0};
    for (uint32_t id = 0; id < d->n; id++) {
        ilk_dict_place here = ilk_dict_place_of(d, id);
        if (id > 0 && ilk_dict_compare(&before, &here) > 0)
            return false;
        before = here;
    }
    return true;
}

ilk_status ilk_dict_sort(const ilk_dict *d, uint32_t *order) {
    if (!in_order(d))
        return sort(d, order);
    for (uint32_t id = 0; id < d->n; id++)
        order[id] = id;
    return ILK_OK;
}
