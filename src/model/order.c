/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - how many rows and classes statistics have, and these in the order of a model. */
#include "core/memory.h"
#include "core/number.h"
#include "model/stats.h"

#include <stdlib.h>

double ilk_stats_rows(const ilk_stats *stats) {
    double sum = 0;
    for (size_t k = 0; k < stats->K; k++)
        sum += stats->rows[k];
    return sum;
}

size_t ilk_stats_classes(const ilk_stats *stats) {
    size_t n = 0;
    for (size_t k = 0; k < stats->K; k++)
        n += stats->rows[k] > 0;
    return n;
}

typedef struct named {
    ilk_str name;
    double value;
    uint32_t id;
} named;

static int by_bytes(const void *a, const void *b) {
    return ilk_str_compare(((const named *)a)->name, ((const named *)b)->name);
}

static int by_value(const void *a, const void *b) {
    double x = ((const named *)a)->value, y = ((const named *)b)->value;
    return x != y ? (x > y ? 1 : -1) : by_bytes(a, b); /* "1" and "1.0" are two classes */
}

ilk_status ilk_stats_order(const ilk_stats *stats, uint32_t *order, uint32_t *rank, size_t *K) {
    named *list = ilk_alloc(stats->K, sizeof *list);
    bool numbers = true;
    if (!list)
        return ILK_ENOMEM;
    *K = 0;
    for (uint32_t k = 0; k < stats->K; k++) {
        rank[k] = ILK_NONE;
        if (!(stats->rows[k] > 0))
            continue;
        named *one = &list[(*K)++];
        *one = (named){.name = ilk_dict_key(&stats->classes, k), .id = k};
        numbers = numbers && ilk_number_parse(&one->value, one->name);
    }
    qsort(list, *K, sizeof *list, numbers ? by_value : by_bytes);
    for (size_t i = 0; i < *K; i++) {
        order[i] = list[i].id;
        rank[list[i].id] = (uint32_t)i;
    }
    ilk_free(list);
    return ILK_OK;
}
