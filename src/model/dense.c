/* SPDX-License-Identifier: Apache-2.0 */
/* dense.c - counting a large batch: a cell for every key and class, side by side, and the sparse store only at the end.
 *
 * A cell is found by multiplication instead of hashing, which is what lets a scan of codes run at the speed of memory.
 * */
#include "core/memory.h"
#include "model/learn.h"

enum { MOST_CELLS = 1 << 23 }; /* 64 MiB per thread */

/* A cell holds fewer than 2^32 tokens. */
static bool few_tokens(const ilk_count_rows *rows) {
    uint64_t tokens = 0;
    for (size_t w = rows->bags->begin[0]; w < rows->bags->begin[rows->n]; w++)
        tokens += rows->bags->count[w];
    return tokens < UINT32_MAX;
}

bool ilk_dense_fits(const ilk_counts *c, const ilk_count_rows *rows) {
    size_t cells, events = rows->code ? rows->n * c->fields : rows->bags->begin[rows->n] - rows->bags->begin[0];
    if (rows->weight || rows->table || rows->n >= UINT32_MAX || __builtin_mul_overflow(c->keys.n, c->K, &cells))
        return false;
    return cells <= MOST_CELLS && events > cells && (rows->code || few_tokens(rows));
}

ilk_status ilk_dense_new(ilk_dense *t, const ilk_counts *c) {
    *t = (ilk_dense){.keys = c->keys.n, .K = c->K};
    t->cell = ilk_zalloc(t->keys * t->K, sizeof *t->cell);
    t->documents = ilk_zalloc(t->K, sizeof *t->documents);
    return t->cell && t->documents ? ILK_OK : ILK_ENOMEM;
}

void ilk_dense_free(ilk_dense *t) {
    ilk_free(t->cell);
    ilk_free(t->documents);
    *t = (ilk_dense){0};
}

static void add_codes(ilk_dense *t, size_t fields, const ilk_count_rows *rows, size_t i) {
    const uint32_t *code = rows->code + i * rows->stride, k = rows->label[i];
    for (size_t j = 0; j < fields; j++) {
        uint32_t id = code[rows->source[j]];
        if (id != ILK_MISSING)
            t->cell[id * t->K + k][0]++;
    }
}

static void add_bag(ilk_dense *t, const ilk_count_rows *rows, size_t i) {
    const ilk_tokens *bags = rows->bags;
    uint32_t k = rows->label[i];
    for (size_t w = bags->begin[i]; w < bags->begin[i + 1]; w++) {
        uint32_t *cell = t->cell[bags->id[w] * t->K + k];
        cell[0] += bags->count[w];
        cell[1]++;
    }
    t->documents[k]++;
}

void ilk_dense_add(ilk_dense *t, const ilk_counts *c, const ilk_count_rows *rows, size_t first, size_t n) {
    for (size_t i = first; i < first + n; i++) {
        if (rows->code)
            add_codes(t, c->fields, rows, i);
        else
            add_bag(t, rows, i);
    }
}

void ilk_dense_merge(ilk_dense *t, const ilk_dense *from) {
    for (size_t i = 0; i < t->keys * t->K; i++) {
        t->cell[i][0] += from->cell[i][0];
        t->cell[i][1] += from->cell[i][1];
    }
    for (size_t k = 0; k < t->K; k++)
        t->documents[k] += from->documents[k];
}

/* `sign` 1 adds, -1 takes away. The cells are there. */
static void pour(ilk_counts *c, const ilk_dense *t, bool text, double sign) {
    for (size_t id = 0; id < t->keys; id++) {
        uint32_t field = c->keys.entry[id].field;
        for (size_t k = 0; k < t->K; k++) {
            const uint32_t *cell = t->cell[id * t->K + k];
            if (cell[0] == 0)
                continue;
            double count = sign * cell[0], docs = text ? sign * cell[1] : count;
            ilk_counts_put(c, (uint32_t)id, (uint32_t)k, count, docs);
            c->margin[k * c->fields + field].total += count;
            c->margin[k * c->fields + field].present += text ? 0 : count;
        }
    }
    for (size_t k = 0; text && k < t->K; k++)
        c->margin[k].present += sign * t->documents[k];
}

ilk_status ilk_dense_pour(ilk_counts *c, const ilk_dense *t, bool text) {
    size_t live = 0;
    for (size_t i = 0; i < t->keys * t->K; i++)
        live += t->cell[i][0] > 0;
    ILK_TRY(ilk_counts_reserve(c, live));
    pour(c, t, text, 1);
    return ILK_OK;
}

void ilk_dense_unpour(ilk_counts *c, const ilk_dense *t, bool text) {
    pour(c, t, text, -1);
}
