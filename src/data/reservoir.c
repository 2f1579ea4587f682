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
        ilk_free(r->row[i].text);
    ilk_free(r->row);
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
    return kept->n + sizeof *kept;
}

static void drop_top(ilk_reservoir *r) {
    r->limit = r->row[0].hash;
    r->bytes -= size_of(&r->row[0]);
    ilk_free(r->row[0].text);
    r->row[0] = r->row[--r->n];
    if (r->n > 1)
        sift_down(r->row, r->n);
}

ilk_status ilk_reservoir_offer(ilk_reservoir *r, uint64_t number, ilk_str text) {
    uint64_t hash = XXH3_64bits_withSeed(&number, sizeof number, r->seed);
    if (hash >= r->limit)
        return ILK_OK;
    ilk_kept kept = {.hash = hash, .number = number, .n = text.n};
    if (ilk_grow(&r->row, &r->cap, r->n + 1, sizeof *r->row) || !(kept.text = ilk_alloc(text.n, 1)))
        return ILK_ENOMEM;
    if (text.n)
        memcpy(kept.text, text.p, text.n);
    r->row[r->n] = kept;
    sift_up(r->row, r->n++);
    r->bytes += size_of(&kept);
    if (r->n > r->most)
        drop_top(r);
    while (r->bytes > ILK_RESERVOIR_BYTES) {
        drop_top(r);
        r->cut = true;
    }
    return ILK_OK;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = ((const ilk_kept *)a)->number, y = ((const ilk_kept *)b)->number;
    return (x > y) - (x < y);
}

void ilk_reservoir_sort(ilk_reservoir *r) {
    if (r->n > 1)
        qsort(r->row, r->n, sizeof *r->row, by_number);
    r->limit = 0;
}
