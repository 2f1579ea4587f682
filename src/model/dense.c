/* SPDX-License-Identifier: Apache-2.0 */
/* dense.c - counting a large batch: a cell for every key and class, side by side, and the sparse store only at the end.
 *
 * A cell is found by its place instead of hashing, which is what lets a scan of codes run at the speed of memory. The
 * keys of a class stand together: a row is of one class, and there a key is its place. */
#include "core/memory.h"
#include "model/learn.h"

enum {
    MOST_CELLS = 1 << 23, /* 64 MiB per thread */
    LEAST_EVENTS = 4096,  /* fewer are soon counted, one way or the other */
    GAIN = 8              /* visiting so many cells in order takes as long as finding one by hashing */
};

/* What one row with a word adds to its cell, beside the word's count. */
static const uint64_t ONE_ROW = UINT64_C(1) << 32;

bool ilk_dense_pays(const ilk_counts *c, double events) {
    double cells = (double)c->keys.n * (double)c->K;
    return cells <= MOST_CELLS && events * GAIN > cells;
}

bool ilk_dense_fits(const ilk_counts *c, const ilk_count_rows *rows) {
    size_t events = rows->code ? rows->n * c->fields : rows->bags->begin[rows->n] - rows->bags->begin[0];
    return !rows->table && rows->n < UINT32_MAX && events >= LEAST_EVENTS && ilk_dense_pays(c, (double)events);
}

ilk_status ilk_dense_new(ilk_dense *t, const ilk_counts *c, bool texts) {
    *t = (ilk_dense){.keys = c->keys.n, .K = c->K, .next_key = 1, .next_class = c->keys.n};
    size_t cells = t->keys * t->K;
    t->cell = ilk_zalloc(cells + (texts ? 0 : t->keys), sizeof *t->cell);
    t->rows = texts ? ilk_zalloc(t->K, sizeof *t->rows) : NULL;
    if (!t->cell || (texts && !t->rows))
        return ILK_ENOMEM;
    t->field = texts ? NULL : (void *)(t->cell + cells);
    for (size_t id = 0; !texts && id < t->keys; id++)
        t->field[id] = c->keys.entry[id].field;
    return ILK_OK;
}

void ilk_dense_free(ilk_dense *t) {
    ilk_free(t->cell);
    ilk_free(t->rows);
    *t = (ilk_dense){0};
}

/* Codes are checked as they are counted. Returns false if one is no key of its column; the table is then garbage.
 *
 * 4K aliasing: a load waits if the last 12 bits of its address are those of a store that has just been issued, as if it
 * had to read what was stored. So as little as possible is loaded between two cells: fields stand behind the cells, in
 * the same allocation, what does not change is in registers, and `source` is NULL for columns side by side. */
ILK_INLINE bool add_codes(uint64_t *const cells, const uint32_t *const field, const size_t keys, const uint32_t *code,
                          const size_t stride, const size_t *const source, const size_t fields, const uint32_t *label,
                          const size_t n) {
    uint32_t others = 0; /* fields that are not a code's own, over all codes */
    for (const uint32_t *end = label + n; label < end; label++, code += stride) {
        uint64_t *cell = cells + *label * keys;
        for (size_t j = 0; j < fields; j++) {
            uint32_t id = code[source ? source[j] : j];
            if (id == ILK_MISSING)
                continue;
            if (id >= keys)
                return false;
            others |= field[id] ^ (uint32_t)j;
            cell[id]++;
        }
    }
    return others == 0;
}

static bool side_by_side(const size_t *source, size_t fields) {
    for (size_t j = 1; j < fields; j++)
        if (source[j] != source[0] + j)
            return false;
    return true;
}

static bool add_rows_of_codes(const ilk_dense *t, const ilk_count_rows *rows, size_t fields, size_t first, size_t n) {
    const uint32_t *code = rows->code + first * rows->stride, *label = rows->label + first;
    if (side_by_side(rows->source, fields))
        return add_codes(t->cell, t->field, t->keys, code + rows->source[0], rows->stride, NULL, fields, label, n);
    return add_codes(t->cell, t->field, t->keys, code, rows->stride, rows->source, fields, label, n);
}

enum { LINE = 16 }; /* ids or counts in a cache line */

/* Ids and counts are read once, in order: they are prefetched without temporal locality, which leaves the table in the
 * cache, and a line of each at a time, because words wait while more prefetches are on their way than memory takes. */
ILK_PREFETCHES prefetch_ahead(const ilk_tokens *bags, size_t w) {
    enum { WORDS_AHEAD = 512 };
    ILK_PREFETCH(bags->id, (w + WORDS_AHEAD) * sizeof *bags->id, 0, 0);
    ILK_PREFETCH(bags->count, (w + WORDS_AHEAD) * sizeof *bags->count, 0, 0);
}

/* Words first … last - 1 into the cells of one class, which are `next` apart. `end` is where the last bag ends. */
ILK_INLINE bool add_words(uint64_t *cell, size_t keys, const ilk_tokens *bags, size_t first, size_t last, size_t end,
                          uint64_t *tokens, const size_t next) {
    enum { CELLS_AHEAD = 16 };
    const uint32_t *id = bags->id, *count = bags->count, *ahead = id + (end - last >= CELLS_AHEAD ? CELLS_AHEAD : 0);
    uint64_t sum = 0;
    for (size_t w = first; w < last;) {
        prefetch_ahead(bags, w);
        for (size_t stop = last - w < LINE ? last : w + LINE; w < stop; w++) {
            uint32_t word = id[w], times = count[w];
            ILK_PREFETCH(cell, ahead[w] * next * sizeof *cell, 1);
            if (word >= keys || times == 0)
                return false;
            cell[word * next] += ONE_ROW + times;
            sum += times;
        }
    }
    *tokens += sum;
    return true;
}

/* Not inlined: a compiler that sees how `cell` was computed computes it anew for every word. */
static __attribute__((noinline)) bool add_bag(uint64_t *cell, const ilk_dense *t, const ilk_count_rows *rows, size_t i,
                                              uint64_t *tokens) {
    size_t first = rows->bags->begin[i], last = rows->bags->begin[i + 1], end = rows->bags->begin[rows->n];
    return t->next_key == 1 ? add_words(cell, t->keys, rows->bags, first, last, end, tokens, 1)
                            : add_words(cell, t->keys, rows->bags, first, last, end, tokens, t->next_key);
}

/* What *t holds may share cache lines with another thread's table, so it is not written bag by bag:
 * tokens are summed up locally, and rows get a loop of their own. */
static bool add_bags(ilk_dense *t, const ilk_count_rows *rows, size_t first, size_t n) {
    uint64_t tokens = 0;
    bool good = true;
    for (size_t i = first; good && i < first + n; i++)
        good = add_bag(ilk_dense_at(t, 0, rows->label[i]), t, rows, i, &tokens);
    for (size_t i = first; i < first + n; i++)
        t->rows[rows->label[i]] += !ilk_text_missing(rows->bags, i);
    t->tokens += (double)tokens;
    return good;
}

bool ilk_dense_add(ilk_dense *t, const ilk_counts *c, const ilk_count_rows *rows, size_t first, size_t n) {
    return t->rows ? add_bags(t, rows, first, n) : add_rows_of_codes(t, rows, c->fields, first, n);
}

void ilk_dense_merge(ilk_dense *t, const ilk_dense *from) {
    for (size_t i = 0; i < t->keys * t->K; i++)
        t->cell[i] += from->cell[i];
    for (size_t k = 0; t->rows && k < t->K; k++)
        t->rows[k] += from->rows[k];
    t->tokens += from->tokens;
}

/* What a key has in classes first … last - 1, its sign turned round if that is -1. Returns in how many. */
static uint32_t cells_of(ilk_cell *out, const ilk_dense *t, size_t id, size_t first, size_t last, double sign) {
    uint32_t n = 0;
    for (size_t k = first; k < last; k++) {
        uint64_t cell = *ilk_dense_at(t, id, k);
        double count = sign * (double)(uint32_t)cell;
        if (cell)
            out[n++] = (ilk_cell){count, t->rows ? sign * (double)(cell >> 32) : count, (uint32_t)k};
    }
    return n;
}

static void add_to_margins(ilk_counts *c, const ilk_dense *t, size_t id, const ilk_cell *cell, uint32_t n) {
    uint32_t field = c->keys.entry[id].field;
    for (uint32_t i = 0; i < n; i++) {
        ilk_margin *margin = &c->margin[cell[i].k * c->fields + field];
        margin->total += cell[i].count;
        margin->present += t->rows ? 0 : cell[i].count;
    }
}

/* Take the first keys away again: one cell after the other, so that it needs no memory. */
static void take_back(ilk_counts *c, const ilk_dense *t, size_t keys) {
    for (size_t id = 0; id < keys; id++) {
        for (size_t k = 0; k < t->K; k++) {
            ilk_cell cell;
            uint32_t n = cells_of(&cell, t, id, k, k + 1, -1);
            ilk_counts_put(c, (uint32_t)id, &cell, n);
            add_to_margins(c, t, id, &cell, n);
        }
    }
}

static void add_texts(ilk_counts *c, const ilk_dense *t, double sign) {
    for (size_t k = 0; t->rows && k < t->K; k++)
        c->margin[k].present += sign * (double)t->rows[k];
}

ilk_status ilk_dense_pour(ilk_counts *c, const ilk_dense *t) {
    size_t id = 0, cells = 0;
    for (size_t i = 0; i < t->keys * t->K; i++)
        cells += t->cell[i] != 0;
    ILK_TRY(ilk_counts_expect(c, c->used + cells));
    ilk_cell *room = ilk_alloc(t->K, sizeof *room);
    for (; room && id < t->keys; id++) {
        uint32_t n = cells_of(room, t, id, 0, t->K, 1);
        if (ilk_counts_put(c, (uint32_t)id, room, n) != ILK_OK)
            break;
        add_to_margins(c, t, id, room, n);
    }
    ilk_free(room);
    if (id < t->keys) {
        take_back(c, t, id);
        return ILK_ENOMEM;
    }
    add_texts(c, t, 1);
    return ILK_OK;
}

void ilk_dense_unpour(ilk_counts *c, const ilk_dense *t) {
    take_back(c, t, t->keys);
    add_texts(c, t, -1);
}
