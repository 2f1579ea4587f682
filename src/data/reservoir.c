/* SPDX-License-Identifier: Apache-2.0 */
/* reservoir.c - a heap of the rows kept, the one to go next on top.
 *
 * Where the rows are too large, the limit falls until they fit. It falls for rows to come as well, so that the sample
 * does not prefer short rows, or early ones. */
#include "data/reservoir.h"
#include "core/hash.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void ilk_reservoir_start(ilk_reservoir *r, size_t most, uint64_t seed) {
    ilk_reservoir_free(r);
    r->most = most;
    r->seed = seed;
    r->limit = most ? UINT64_MAX : 0;
}

void ilk_reservoir_free(ilk_reservoir *r) {
    for (size_t i = 0; i < r->n; i++)
        ilk_free(r->row[i].bytes);
    ilk_free(r->row);
    ilk_schema_free(r->schema);
    ilk_dict_free(&r->classes);
    ilk_dict_free(&r->words);
    for (size_t i = 0; i < r->parts; i++)
        ilk_free(r->part[i].to);
    ilk_free(r->part);
    *r = (ilk_reservoir){0};
}

/* From place i towards the top. */
static void sift_up(ilk_kept *row, size_t i) {
    ilk_kept moved = row[i];
    for (; i > 0 && row[(i - 1) / 2].hash < moved.hash; i = (i - 1) / 2)
        row[i] = row[(i - 1) / 2];
    row[i] = moved;
}

/* From the top downwards. */
static void sift_down(ilk_kept *row, size_t n) {
    ilk_kept moved = row[0];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && row[child + 1].hash > row[child].hash;
        if (row[child].hash <= moved.hash)
            break;
        row[i] = row[child];
    }
    row[i] = moved;
}

static size_t size_of(const ilk_kept *kept) {
    return kept->size + sizeof *kept;
}

static void drop_top(ilk_reservoir *r) {
    r->limit = r->row[0].hash;
    r->bytes -= size_of(&r->row[0]);
    ilk_free(r->row[0].bytes);
    r->row[0] = r->row[--r->n];
    if (r->n > 1)
        sift_down(r->row, r->n);
}

static uint64_t hash_of(const ilk_reservoir *r, uint64_t number) {
    return XXH3_64bits_withSeed(&number, sizeof number, r->seed);
}

bool ilk_reservoir_wants(const ilk_reservoir *r, uint64_t number) {
    return hash_of(r, number) < r->limit;
}

/* It does not fit even alone. */
static void pass_over(ilk_reservoir *r, uint64_t hash) {
    while (r->n > 0 && r->row[0].hash > hash)
        drop_top(r);
    r->limit = hash;
}

ilk_status ilk_reservoir_offer(ilk_reservoir *r, uint64_t number, ilk_str text, ilk_str packed) {
    uint64_t hash = hash_of(r, number);
    if (hash >= r->limit)
        return ILK_OK;
    if (text.n > ILK_RESERVOIR_BYTES) {
        pass_over(r, hash);
        return ILK_OK;
    }
    ilk_kept kept = {.hash = hash, .number = number, .size = (uint32_t)text.n};
    kept.packed = packed.n > 0 && packed.n <= text.n;
    ilk_str bytes = kept.packed ? packed : text;
    if (ilk_grow(&r->row, &r->cap, r->n + 1, sizeof *r->row) || !(kept.bytes = ilk_alloc(bytes.n, 1)))
        return ILK_ENOMEM;
    if (bytes.n)
        memcpy(kept.bytes, bytes.p, bytes.n);
    r->row[r->n] = kept;
    sift_up(r->row, r->n++);
    r->bytes += size_of(&kept);
    if (r->n > r->most)
        drop_top(r);
    while (r->bytes > ILK_RESERVOIR_BYTES)
        drop_top(r);
    return ILK_OK;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = ((const ilk_kept *)a)->number, y = ((const ilk_kept *)b)->number;
    return (x > y) - (x < y);
}

void ilk_reservoir_sort(ilk_reservoir *r) {
    r->cut = r->n < r->most && r->limit < UINT64_MAX;
    if (r->n > 1)
        qsort(r->row, r->n, sizeof *r->row, by_number);
    r->limit = 0;
}
