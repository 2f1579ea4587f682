/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c - finding columns, and guessing what was meant where there is none of that name.
 *
 * A name goes before a number, so that a column called 3 can be asked for whatever its place.
 */
#include "data/columns.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

size_t ilk_nearest(const ilk_str *names, size_t n, ilk_str wanted) {
    size_t best = SIZE_MAX, fewest = SIZE_MAX;
    for (size_t j = 0; j < n && fewest > 0; j++) {
        size_t slips = ilk_slips(wanted, names[j]);
        if (slips < fewest) {
            fewest = slips;
            best = j;
        }
    }
    return best;
}

/* The number that s spells, 0 if none or of ten digits and more, which no table has columns for. */
static size_t number(ilk_str s) {
    size_t value = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9' || i == 9)
            return 0;
        value = value * 10 + (size_t)(s.p[i] - '0');
    }
    return value;
}

ilk_status ilk_columns_find(size_t *out, const ilk_str *names, size_t n, ilk_str wanted, ilk_error *err) {
    for (*out = 0; *out < n; ++*out)
        if (ilk_str_equal(names[*out], wanted))
            return ILK_OK;
    size_t place = number(wanted);
    if (place >= 1 && place <= n) {
        *out = place - 1;
        return ILK_OK;
    }
    if (place > n)
        return ilk_fail(err, ILK_EARG, "no column %zu: there are %zu", place, n);
    size_t near = ilk_nearest(names, n, wanted);
    if (near == SIZE_MAX)
        return ilk_fail(err, ILK_EARG, "no column '%.*s'", ILK_SHOW(wanted));
    return ilk_fail(err, ILK_EARG, "no column '%.*s' (did you mean '%.*s'?)", ILK_SHOW(wanted), ILK_SHOW(names[near]));
}

/* The name in quotes at p, as RFC 4180 has them; it is put together in `room`. Returns what ends it, NULL if it is not
 * in quotes as a whole. */
static const char *unquote(ilk_str *out, const char *p, char *room) {
    size_t n = 0;
    if (*p++ != '"')
        return NULL;
    for (;; p++) {
        if (*p == '\0')
            return NULL;
        if (*p == '"' && *++p != '"')
            break;
        room[n++] = *p;
    }
    *out = (ilk_str){room, n};
    return *p == ',' || *p == '\0' ? p : NULL;
}

/* Is the column that p should begin with one whose name goes on behind the comma? */
static ilk_status explain_comma(const ilk_str *names, size_t n, const char *p, ilk_str name, ilk_error *err) {
    for (size_t j = 0; j < n; j++)
        if (names[j].n > name.n && names[j].p[name.n] == ',' && strncmp(p, names[j].p, names[j].n) == 0)
            return ilk_fail(err, ILK_EARG, "no column '%.*s': '%.*s' has a comma, and must stand in quotes in a list",
                            ILK_SHOW(name), ILK_SHOW(names[j]));
    return ILK_EARG;
}

static ilk_status mark_each(bool *mark, const ilk_str *names, size_t n, const char *list, char *room, ilk_error *err) {
    for (const char *p = list;; p++) {
        ilk_str name;
        const char *end = unquote(&name, p, room);
        if (!end) {
            end = strchrnul(p, ',');
            name = (ilk_str){p, (size_t)(end - p)};
        }
        if (end > p) {
            size_t j;
            if (ilk_columns_find(&j, names, n, name, err) != ILK_OK)
                return explain_comma(names, n, p, name, err);
            mark[j] = true;
        }
        if (*(p = end) == '\0')
            return ILK_OK;
    }
}

ilk_status ilk_columns_mark(bool *mark, const ilk_str *names, size_t n, const char *list, ilk_error *err) {
    if (!list)
        return ILK_OK;
    char *room = ilk_alloc(strlen(list) + 1, 1);
    if (!room)
        return ilk_fail_memory(err);
    ilk_status status = mark_each(mark, names, n, list, room, err);
    ilk_free(room);
    return status;
}

/* Sorted, twins are neighbours: comparing every pair would take minutes for a header of a million names. */
static int by_name(const void *a, const void *b) {
    return ilk_str_compare(**(const ilk_str *const *)a, **(const ilk_str *const *)b);
}

ilk_status ilk_columns_twin(size_t *out, const ilk_str *names, size_t n, ilk_error *err) {
    const ilk_str **order = ilk_alloc(n, sizeof *order);
    if (!order)
        return ilk_fail_memory(err);
    for (size_t j = 0; j < n; j++)
        order[j] = &names[j];
    qsort(order, n, sizeof *order, by_name);
    *out = SIZE_MAX;
    for (size_t j = 1; j < n && *out == SIZE_MAX; j++)
        if (ilk_str_equal(*order[j - 1], *order[j]))
            *out = (size_t)(order[j] - names);
    ilk_free(order);
    return ILK_OK;
}
