/* SPDX-License-Identifier: Apache-2.0 */
/* parameters.c - facts collected, sorted and bundled by class. */
#include "parameters.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

static ilk_status collect(void *ctx, const ilk_fact *fact) {
    parameters *p = ctx;
    if (!fact->family || strcmp(fact->quantity, "theta") == 0 || strcmp(fact->quantity, "parameters") == 0)
        return ILK_OK;
    if (p->facts == p->cap) {
        p->cap = p->cap * 2 + 256;
        p->fact = cli_resize(p->fact, p->cap, sizeof *p->fact);
    }
    p->fact[p->facts++] = *fact;
    return ILK_OK;
}

static int compare_str(ilk_str a, ilk_str b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* All but the class. */
static int compare(const ilk_schema *schema, const ilk_fact *a, const ilk_fact *b) {
    int order = strcmp(a->family, b->family);
    if (order == 0 && compare_str(a->column, b->column) != 0) {
        size_t i = ilk_schema_find(schema, a->column), j = ilk_schema_find(schema, b->column);
        order = (i > j) - (i < j);
    }
    if (order == 0)
        order = strcmp(a->quantity, b->quantity);
    return order ? order : compare_str(a->key, b->key);
}

static int by_name(const void *a, const void *b, void *schema) {
    const ilk_fact *x = a, *y = b;
    int order = compare(schema, x, y);
    return order ? order : (x->k > y->k) - (x->k < y->k);
}

ilk_status parameters_read(parameters *out, const ilk_model *model, ilk_error *err) {
    *out = (parameters){.schema = ilk_model_schema(model)};
    ilk_status status = ilk_model_describe(model, collect, out, err);
    if (status != ILK_OK)
        return status;
    if (out->facts > 0)
        qsort_r(out->fact, out->facts, sizeof *out->fact, by_name, (void *)(uintptr_t)out->schema);
    out->item = cli_alloc(out->facts, sizeof *out->item);
    for (size_t i = 0; i < out->facts; i++) {
        if (i > 0 && compare(out->schema, &out->fact[i - 1], &out->fact[i]) == 0)
            out->item[out->n - 1].n++;
        else
            out->item[out->n++] = (parameter){&out->fact[i], 1};
    }
    return ILK_OK;
}

void parameters_free(parameters *p) {
    free(p->fact);
    free(p->item);
}

/* The first that is not before the wanted one. */
static const parameter *lower_bound(const parameters *p, const ilk_fact *wanted) {
    size_t low = 0, high = p->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(p->schema, p->item[middle].fact, wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return p->item + low;
}

const parameter *parameters_find(const parameters *p, const char *family, ilk_str column, const char *quantity,
                                 size_t *n) {
    ilk_fact wanted = {.family = family, .column = column, .quantity = quantity, .key = {"", 0}};
    const parameter *first = lower_bound(p, &wanted), *end = first;
    while (end < p->item + p->n && strcmp(end->fact->family, family) == 0 && cli_equal(end->fact->column, column) &&
           strcmp(end->fact->quantity, quantity) == 0)
        end++;
    *n = (size_t)(end - first);
    return *n ? first : NULL;
}

const parameter *parameters_key(const parameters *p, const char *family, ilk_str column, const char *quantity,
                                ilk_str key) {
    ilk_fact wanted = {.family = family, .column = column, .quantity = quantity, .key = key};
    const parameter *found = lower_bound(p, &wanted);
    return found < p->item + p->n && compare(p->schema, found->fact, &wanted) == 0 ? found : NULL;
}
