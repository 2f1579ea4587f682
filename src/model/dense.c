/* SPDX-License-Identifier: Apache-2.0 */
/* dense.c - counting a large batch: a cell for every key and class, side by side, and the sparse store only at the end.
 *
 * A cell is found by multiplication instead of hashing, which is what lets a scan of codes run at the speed of memory.
 * */
#include "core/memory.h"
#include "model/learn.h"

enum {
    MOST_CELLS = 1 << 23, /* 64 MiB per thread */
    LEAST_EVENTS = 4096,  /* fewer are soon counted, one way or the other */
    GAIN = 8              /* cells gone through in order in the time of one that is looked for */
};

/* What one row with a word adds to its cell, beside the word's count. */
static const uint64_t ONE_ROW = UINT64_C(1) << 32;

bool ilk_dense_fits(const ilk_counts *c, const ilk_count_rows *rows) {
    size_t cells, events = rows->code ? rows->n * c->fields : rows->bags->begin[rows->n] - rows->bags->begin[0];
    if (rows->weight || rows->table || rows->n >= UINT32_MAX || __builtin_mul_overflow(c->keys.n, c->K, &cells))
        return false;
    return cells <= MOST_CELLS && events >= LEAST_EVENTS && events > cells / GAIN;
}

ilk_status ilk_dense_new(ilk_dense *t, const ilk_counts *c, bool texts) {
    *t = (ilk_dense){.keys = c->keys.n, .K = c->K};
    t->cell = ilk_zalloc(t->keys * t->K, sizeof *t->cell);
    t->rows = texts ? ilk_zalloc(t->K, sizeof *t->rows) : NULL;
    return t->cell && (t->rows || !texts) ? ILK_OK : ILK_ENOMEM;
}

void ilk_dense_free(ilk_dense *t) {
    ilk_free(t->cell);
    ilk_free(t->rows);
    *t = (ilk_dense){0};
}

/* Counted is what has been checked a moment ago. Returns false at a code or word that is none of the block's, and then
 * the table holds what nobody wants. */
static bool add_codes(const ilk_dense *t, const ilk_counts *c, const ilk_count_rows *rows, size_t i) {
    const uint32_t *code = rows->code + i * rows->stride;
    const ilk_dict_entry *entry = c->keys.entry;
    const size_t *source = rows->source, fields = c->fields, keys = t->keys, K = t->K;
    uint64_t *cell = t->cell + rows->label[i];
    for (size_t j = 0; j < fields; j++) {
        uint32_t id = code[source[j]];
        if (id == ILK_MISSING)
            continue;
        if (id >= keys || entry[id].field != j)
            return false;
        cell[id * K]++;
    }
    return true;
}

static bool add_bag(ilk_dense *t, const ilk_count_rows *rows, size_t i) {
    const uint32_t *id = rows->bags->id, *count = rows->bags->count;
    enum { AHEAD = 16 };
    size_t keys = t->keys, K = t->K, end = rows->bags->begin[i + 1], last = rows->bags->begin[rows->n];
    uint64_t *cell = t->cell + rows->label[i], tokens = 0;
    for (size_t w = rows->bags->begin[i]; w < end; w++) {
        uint32_t word = id[w], times = count[w];
        if (w + AHEAD < last)
            __builtin_prefetch(&cell[(size_t)id[w + AHEAD] * K], 1);
        if (word >= keys || times == 0)
            return false;
        cell[word * K] += ONE_ROW + times;
        tokens += times;
    }
    t->tokens += (double)tokens;
    t->rows[rows->label[i]] += !ilk_text_missing(rows->bags, i);
    return true;
}

bool ilk_dense_add(ilk_dense *t, const ilk_counts *c, const ilk_count_rows *rows, size_t first, size_t n) {
    bool good = true;
    for (size_t i = first; good && i < first + n; i++)
        good = rows->code ? add_codes(t, c, rows, i) : add_bag(t, rows, i);
    return good;
}

void ilk_dense_merge(ilk_dense *t, const ilk_dense *from) {
    for (size_t i = 0; i < t->keys * t->K; i++)
        t->cell[i] += from->cell[i];
    for (size_t k = 0; t->rows && k < t->K; k++)
        t->rows[k] += from->rows[k];
    t->tokens += from->tokens;
}

/* `sign` 1 adds, -1 takes away. The cells are there. */
static void pour(ilk_counts *c, const ilk_dense *t, double sign) {
    for (size_t id = 0; id < t->keys; id++) {
        uint32_t field = c->keys.entry[id].field;
        for (size_t k = 0; k < t->K; k++) {
            uint64_t cell = t->cell[id * t->K + k];
            if (cell == 0)
                continue;
            double count = sign * (double)(uint32_t)cell, docs = t->rows ? sign * (double)(cell >> 32) : count;
            ilk_counts_put(c, (uint32_t)id, (uint32_t)k, count, docs);
            c->margin[k * c->fields + field].total += count;
            c->margin[k * c->fields + field].present += t->rows ? 0 : count;
        }
    }
    for (size_t k = 0; t->rows && k < t->K; k++)
        c->margin[k].present += sign * (double)t->rows[k];
}

ilk_status ilk_dense_pour(ilk_counts *c, const ilk_dense *t) {
    for (size_t id = 0; id < t->keys; id++) {
        uint32_t more = 0;
        for (size_t k = 0; k < t->K; k++)
            more += t->cell[id * t->K + k] && !ilk_counts_has(c, (uint32_t)id, (uint32_t)k);
        if (more)
            ILK_TRY(ilk_counts_reserve(c, (uint32_t)id, more));
    }
    pour(c, t, 1);
    return ILK_OK;
}

void ilk_dense_unpour(ilk_counts *c, const ilk_dense *t) {
    pour(c, t, -1);
}
