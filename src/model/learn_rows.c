/* SPDX-License-Identifier: Apache-2.0 */
/* learn_rows.c - adding rows to statistics, and taking them away again: learn.h tells how. */
#include "core/least.h"
#include "core/memory.h"
#include "core/pipeline.h"
#include "model/learn.h"

#include <math.h>

/* ---- counts */

static ilk_count_rows count_rows(const ilk_stats *s, const ilk_block *b, const ilk_rows *rows) {
    ilk_count_rows r = {.label = rows->label, .weight = rows->weight, .n = rows->n};
    if (b->family->kind == ILK_TEXT) {
        r.bags = &rows->text[b->source[0]];
    } else {
        r.code = rows->code;
        r.stride = ilk_schema_width(s->schema, ILK_CATEGORY);
        r.source = b->source;
        r.table = b->family->layout == ILK_LAYOUT_TABLE;
    }
    return r;
}

/* What the rows of a block add to a sum. */
static double events(const ilk_count_rows *r, double weight) {
    double tokens = 0;
    if (r->code)
        return weight;
    for (size_t i = 0; i < r->n; i++)
        for (size_t w = r->bags->begin[i]; w < r->bags->begin[i + 1]; w++)
            tokens += (r->weight ? r->weight[i] : 1) * r->bags->count[w];
    return tokens;
}

/* ---- a batch on its way */

typedef struct batch {
    ilk_stats *s;
    const ilk_rows *rows;
    size_t next;       /* row not yet handed out */
    bool moments;      /* some block has them */
    bool rounded;      /* counts are, or will be: these rows or those before have weights */
    ilk_count_rows *r; /* per block of counts */
    bool *dense;       /* per block: counted densely */
    ilk_moments *sum;  /* per block of moments: chunks merged, apart from the statistics until all is well */
} batch;

/* A thread's share. */
typedef struct share {
    size_t first, n;
    ilk_grouping g;
    ilk_dense *dense; /* per block */
    uint64_t *rows;   /* per class */
} share;

/* May all rows be counted, without passing 2^53? */
static ilk_status check_room(const batch *b, const share *h, ilk_error *err) {
    const ilk_stats *s = b->s;
    ilk_count_place where;
    double weight = b->rows->weight ? 0 : (double)b->rows->n;
    for (size_t i = 0; b->rows->weight && i < b->rows->n; i++)
        weight += b->rows->weight[i];
    for (uint32_t k = 0; k < s->K; k++)
        if (h->rows[k] > 0 && ilk_count_overflows(s->rows[k], weight))
            return ilk_stats_fail_full(s, SIZE_MAX, &(ilk_count_place){.k = k}, err);
    for (size_t at = 0; at < s->blocks.n; at++) {
        if (ilk_block_is_moments(&s->blocks.block[at]))
            continue;
        bool counted = b->dense[at] && b->r[at].bags;
        double more = counted ? h->dense[at].tokens : events(&b->r[at], weight);
        if (ilk_counts_full(&s->store[at].counts, h->rows, weight, more, &where))
            return ilk_stats_fail_full(s, at, &where, err);
    }
    return ILK_OK;
}

static void share_free(share *h, const ilk_stats *s) {
    for (size_t b = 0; h->dense && b < s->blocks.n; b++)
        ilk_dense_free(&h->dense[b]);
    ilk_free(h->dense);
    ilk_free(h->rows);
    ilk_grouping_free(&h->g, s);
}

static ilk_status share_new(share *h, const batch *b) {
    h->dense = ilk_zalloc(b->s->blocks.n, sizeof *h->dense);
    h->rows = ilk_zalloc(b->s->K, sizeof *h->rows);
    if (!h->dense || !h->rows)
        return ILK_ENOMEM;
    for (size_t at = 0; at < b->s->blocks.n; at++)
        if (b->dense[at])
            ILK_TRY(ilk_dense_new(&h->dense[at], &b->s->store[at].counts, b->r[at].bags));
    size_t chunk = ilk_least(b->rows->n, ILK_LEARN_CHUNK);
    return b->moments ? ilk_grouping_new(&h->g, b->s, chunk) : ILK_OK;
}

static ilk_status hand_out(void *ctx, void *slot, bool *more, ilk_error *err) {
    batch *b = ctx;
    share *h = slot;
    (void)err;
    h->first = b->next;
    h->n = ilk_least(b->rows->n - b->next, ILK_LEARN_CHUNK);
    b->next += h->n;
    *more = h->n > 0;
    return ILK_OK;
}

/* Rows per class; where they have been grouped, they are counted already. */
static void count_labels(const batch *b, share *h) {
    const ilk_groups *g = &h->g.groups;
    for (size_t c = 0; b->moments && c < g->n; c++)
        h->rows[h->g.cls[c]] += g->end[c] - (c ? g->end[c - 1] : 0);
    for (size_t i = h->first; !b->moments && i < h->first + h->n; i++)
        h->rows[b->rows->label[i]]++;
}

static ilk_status sum_up(void *ctx, void *slot, ilk_error *err) {
    const batch *b = ctx;
    share *h = slot;
    ILK_TRY(ilk_learn_check_labels(b->s, b->rows, h->first, h->n, err));
    for (size_t at = 0; at < b->s->blocks.n; at++)
        if (!ilk_block_is_moments(&b->s->blocks.block[at]) &&
            (!b->dense[at] || !ilk_dense_add(&h->dense[at], &b->s->store[at].counts, &b->r[at], h->first, h->n)))
            ILK_TRY(ilk_learn_check_keys(b->s, at, b->rows, h->first, h->n, err));
    if (b->moments)
        ILK_TRY(ilk_grouping_learn(&h->g, b->s, b->rows, h->first, h->n, err));
    count_labels(b, h);
    for (size_t c = 0; b->moments && b->s->met && c < h->g.groups.n; c++)
        h->g.cls[c] = b->s->met->at[h->g.cls[c]] - 1; /* as the moments are numbered */
    return ILK_OK;
}

/* A chunk's moments into `to`, per block. */
static void merge_chunk(const batch *b, const share *h, ilk_moments *(*to)(const batch *b, size_t at)) {
    for (size_t at = 0; at < b->s->blocks.n; at++)
        if (ilk_block_is_moments(&b->s->blocks.block[at]))
            ilk_moments_merge(to(b, at), &h->g.part[at], h->g.cls);
}

static ilk_moments *the_sum(const batch *b, size_t at) {
    return &b->sum[at];
}

static ilk_moments *the_store(const batch *b, size_t at) {
    return &b->s->store[at].moments;
}

static ilk_status keep_chunk(void *ctx, void *slot, ilk_error *err) {
    (void)err;
    merge_chunk(ctx, slot, the_sum);
    return ILK_OK;
}

/* ---- counts into the store, once all rows have been summed up: all rows, or, if memory ends, none */

static void undo_counts(const batch *b, const share *h, size_t blocks) {
    for (size_t at = 0; at < blocks; at++) {
        if (b->dense[at])
            ilk_dense_unpour(&b->s->store[at].counts, &h->dense[at]);
        else if (!ilk_block_is_moments(&b->s->blocks.block[at]))
            ilk_counts_undo(&b->s->store[at].counts, &b->r[at], b->rows->n);
    }
}

/* Sums of weights are rounded, and (a + w) - w need not be a: what is added to them must never have to be undone. */
static ilk_status make_room(const batch *b) {
    for (size_t at = 0; at < b->s->blocks.n; at++)
        if (!ilk_block_is_moments(&b->s->blocks.block[at]))
            ILK_TRY(ilk_counts_prepare(&b->s->store[at].counts, &b->r[at]));
    return ILK_OK;
}

/* `h` holds what all threads counted. */
static ilk_status store_counts(const batch *b, const share *h) {
    if (b->rounded)
        ILK_TRY(make_room(b));
    for (size_t at = 0; at < b->s->blocks.n; at++) {
        ilk_counts *c = &b->s->store[at].counts;
        size_t done = b->rows->n;
        if (ilk_block_is_moments(&b->s->blocks.block[at]) ||
            (b->dense[at] && ilk_dense_pour(c, &h->dense[at]) == ILK_OK) ||
            (!b->dense[at] && (done = ilk_counts_add(c, &b->r[at])) == b->rows->n))
            continue;
        if (!b->dense[at])
            ilk_counts_undo(c, &b->r[at], done);
        undo_counts(b, h, at);
        return ILK_ENOMEM;
    }
    return ILK_OK;
}

static void count_rows_learnt(ilk_stats *s, const ilk_rows *rows, const share *h) {
    for (size_t k = 0; !rows->weight && k < s->K; k++)
        s->rows[k] += (double)h->rows[k];
    for (size_t i = 0; rows->weight && i < rows->n; i++) {
        s->rows[rows->label[i]] += rows->weight[i];
        s->weighted = s->weighted || rows->weight[i] != floor(rows->weight[i]);
    }
}

/* Everything is summed up and correct: bring what was counted to the statistics. */
static ilk_status store(const batch *b, const share *h, ilk_error *err) {
    ILK_TRY(check_room(b, h, err));
    for (size_t at = 0; at < b->s->blocks.n; at++)
        b->dense[at] = b->dense[at] && h->dense[at].tokens < 0x1p32;
    if (store_counts(b, h) != ILK_OK)
        return ilk_fail_memory(err);
    count_rows_learnt(b->s, b->rows, h);
    return ILK_OK;
}

/* ---- one chunk, and many */

static ilk_status add_chunk(batch *b, ilk_error *err) {
    share h = {.n = b->rows->n};
    ilk_status status = share_new(&h, b) == ILK_OK ? sum_up(b, &h, err) : ilk_fail_memory(err);
    if (status == ILK_OK)
        status = store(b, &h, err);
    if (status == ILK_OK)
        merge_chunk(b, &h, the_store);
    share_free(&h, b->s);
    return status;
}

static ilk_status sums_new(const batch *b) {
    for (size_t at = 0; at < b->s->blocks.n; at++) {
        if (!ilk_block_is_moments(&b->s->blocks.block[at]))
            continue;
        ilk_moments_init_like(&b->sum[at], &b->s->store[at].moments);
        ILK_TRY(ilk_moments_grow(&b->sum[at], ilk_stats_held(b->s)));
    }
    return ILK_OK;
}

/* What the other threads counted, into the first one's share. */
static void unite(const batch *b, share *shares, size_t threads) {
    share *h = &shares[0];
    for (size_t i = 1; i < threads; i++) {
        for (size_t k = 0; k < b->s->K; k++)
            h->rows[k] += shares[i].rows[k];
        for (size_t at = 0; at < b->s->blocks.n; at++)
            if (b->dense[at])
                ilk_dense_merge(&h->dense[at], &shares[i].dense[at]);
    }
}

static ilk_status store_all(const batch *b, share *shares, size_t threads, ilk_error *err) {
    size_t held = ilk_stats_held(b->s);
    uint32_t *same = ilk_alloc(held, sizeof *same);
    unite(b, shares, threads);
    ilk_status status = same ? store(b, &shares[0], err) : ilk_fail_memory(err);
    for (uint32_t k = 0; status == ILK_OK && k < held; k++)
        same[k] = k;
    for (size_t at = 0; status == ILK_OK && at < b->s->blocks.n; at++)
        if (ilk_block_is_moments(&b->s->blocks.block[at]))
            ilk_moments_merge(&b->s->store[at].moments, &b->sum[at], same);
    ilk_free(same);
    return status;
}

static ilk_status add_chunks(batch *b, size_t threads, ilk_error *err) {
    share *shares = ilk_zalloc(threads, sizeof *shares);
    void **slots = ilk_alloc(threads, sizeof *slots);
    ilk_status status = shares && slots ? sums_new(b) : ILK_ENOMEM;
    for (size_t i = 0; status == ILK_OK && i < threads; i++) {
        slots[i] = &shares[i];
        status = share_new(&shares[i], b);
    }
    ilk_pipeline pipeline = {b, hand_out, sum_up, b->moments ? keep_chunk : NULL, slots, threads};
    status = status == ILK_OK ? ilk_pipeline_run(&pipeline, err) : ilk_fail_memory(err);
    if (status == ILK_OK)
        status = store_all(b, shares, threads, err);
    for (size_t i = 0; shares && i < threads; i++)
        share_free(&shares[i], b->s);
    ilk_free(shares);
    ilk_free(slots);
    return status;
}

static ilk_status add(ilk_stats *s, const ilk_rows *rows, ilk_error *err) {
    batch b = {.s = s, .rows = rows, .rounded = s->weighted || rows->weight};
    size_t chunks = (rows->n + ILK_LEARN_CHUNK - 1) / ILK_LEARN_CHUNK, threads = rows->threads ? rows->threads : 1;
    b.r = ilk_zalloc(s->blocks.n, sizeof *b.r);
    b.dense = ilk_zalloc(s->blocks.n, sizeof *b.dense);
    b.sum = ilk_zalloc(s->blocks.n, sizeof *b.sum);
    ilk_status status = b.r && b.dense && b.sum ? ILK_OK : ilk_fail_memory(err);
    for (size_t at = 0; status == ILK_OK && at < s->blocks.n; at++) {
        if (ilk_block_is_moments(&s->blocks.block[at])) {
            b.moments = true;
            continue;
        }
        b.r[at] = count_rows(s, &s->blocks.block[at], rows);
        b.dense[at] = !b.rounded && ilk_dense_fits(&s->store[at].counts, &b.r[at]);
    }
    if (status == ILK_OK)
        status = chunks > 1 ? add_chunks(&b, ilk_least(threads, chunks), err) : add_chunk(&b, err);
    for (size_t at = 0; b.sum && at < s->blocks.n; at++)
        ilk_moments_free(&b.sum[at]);
    ilk_free(b.r);
    ilk_free(b.dense);
    ilk_free(b.sum);
    return status;
}

ilk_status ilk_stats_add(ilk_stats *stats, const ilk_rows *rows, ilk_error *err) {
    if (rows->n == 0)
        return ILK_OK;
    ILK_TRY(ilk_learn_check_given(stats, rows, err));
    return add(stats, rows, err);
}

/* ---- forgetting */

static ilk_status copy_keys(ilk_dict *to, const ilk_dict *from) {
    for (uint32_t i = 0, id; i < from->n; i++)
        ILK_TRY(ilk_dict_intern(to, from->entry[i].field, ilk_dict_key(from, i), &id));
    return ILK_OK;
}

/* Empty statistics that borrow schema, blocks and dictionaries: codes of `stats` are codes of the delta. A table's
 * dictionary is copied: its rows may be combinations that were never learnt. */
static ilk_status delta_new(ilk_stats *delta, const ilk_stats *stats) {
    *delta = (ilk_stats){
        .schema = stats->schema, .blocks = stats->blocks, .classes = stats->classes, .weighted = stats->weighted};
    delta->store = ilk_zalloc(stats->blocks.n, sizeof *delta->store);
    delta->rows = ilk_zalloc(stats->K, sizeof *delta->rows);
    if (!delta->store || !delta->rows)
        return ILK_ENOMEM;
    for (size_t b = 0; b < stats->blocks.n; b++) {
        ilk_moments *m = &delta->store[b].moments;
        ilk_counts *c = &delta->store[b].counts;
        if (ilk_block_is_moments(&stats->blocks.block[b])) {
            ilk_moments_init_like(m, &stats->store[b].moments);
            ILK_TRY(ilk_moments_grow(m, stats->K));
        } else {
            ilk_counts_init(c, stats->store[b].counts.fields);
            ILK_TRY(ilk_counts_grow(c, stats->K));
            if (stats->blocks.block[b].family->layout == ILK_LAYOUT_TABLE)
                ILK_TRY(copy_keys(&c->keys, &stats->store[b].counts.keys));
            else
                c->keys = stats->store[b].counts.keys;
        }
    }
    delta->K = stats->K;
    return ILK_OK;
}

static void delta_free(ilk_stats *delta) {
    for (size_t b = 0; delta->store && b < delta->blocks.n; b++) {
        if (ilk_block_is_moments(&delta->blocks.block[b])) {
            ilk_moments_free(&delta->store[b].moments);
        } else {
            if (delta->blocks.block[b].family->layout != ILK_LAYOUT_TABLE)
                delta->store[b].counts.keys = (ilk_dict){0};
            ilk_counts_free(&delta->store[b].counts);
        }
    }
    ilk_free(delta->store);
    ilk_free(delta->rows);
}

ilk_status ilk_stats_remove(ilk_stats *stats, const ilk_rows *rows, ilk_error *err) {
    ilk_stats delta;
    if (rows->n == 0)
        return ILK_OK;
    ILK_TRY(ilk_learn_check_given(stats, rows, err));
    ilk_status status = delta_new(&delta, stats);
    if (status != ILK_OK)
        ilk_fail_memory(err);
    if (status == ILK_OK)
        status = add(&delta, rows, err);
    if (status == ILK_OK)
        status = ilk_stats_subtract(stats, &delta, err);
    delta_free(&delta);
    return status;
}
