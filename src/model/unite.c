/* SPDX-License-Identifier: Apache-2.0 */
/* unite.c - what several threads have gathered becomes one.
 *
 * The keys of each part are sorted, all parts at once. Merging them is then one walk over keys in order, which also
 * takes what still waits beside the store; many keys are cut into ranges, and these are merged at once, too. What comes
 * of it is in that order: estimating from it and saving it have nothing left to sort, and go through memory front to
 * back.
 */
#include "core/memory.h"
#include "core/pipeline.h"
#include "model/learn.h"

/* A part on its way. */
typedef struct share {
    ilk_stats *part;
    uint32_t *map;         /* per class: its number in the sum */
    ilk_dict_rank **order; /* per block of counts: see ilk_dict_part */
    uint32_t **id;
} share;

typedef struct meeting {
    ilk_stats *sum;
    share *shares;
    size_t n;
    size_t next, items;     /* parts or ranges: not yet handed out, and how many there are */
    ilk_counts *united;     /* per range: what comes of it */
    ilk_counts_part *part;  /* n, of the block being united */
    ilk_counts_part *range; /* of each part: see ilk_counts_cut */
} meeting;

static bool is_counts(const meeting *m, size_t b) {
    return !ilk_block_is_moments(&m->sum->blocks.block[b]);
}

/* ---- in parallel */

static ilk_status hand_out(void *ctx, void *slot, bool *more, ilk_error *err) {
    meeting *m = ctx;
    size_t *at = slot;
    (void)err;
    *at = m->next++;
    *more = *at < m->items;
    return ILK_OK;
}

static ilk_status sort_keys(void *ctx, void *slot, ilk_error *err) {
    const meeting *m = ctx;
    const size_t *at = slot;
    const share *h = &m->shares[*at];
    for (size_t b = 0; b < m->sum->blocks.n; b++) {
        if (!is_counts(m, b))
            continue;
        const ilk_dict *keys = &h->part->store[b].counts.keys;
        h->order[b] = ilk_alloc(keys->n, sizeof *h->order[b]);
        h->id[b] = ilk_alloc(keys->n, sizeof *h->id[b]);
        if (!h->order[b] || !h->id[b] || ilk_dict_rank_keys(keys, h->order[b]) != ILK_OK)
            return ilk_fail_memory(err);
    }
    return ILK_OK;
}

static ilk_status unite_range(void *ctx, void *slot, ilk_error *err) {
    const meeting *m = ctx;
    const size_t *at = slot;
    return ilk_counts_unite(&m->united[*at], m->range + *at * m->n, m->n) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

/* Work on parts or ranges, all at once. */
static ilk_status work_on_all(meeting *m, size_t items, ilk_status (*work)(void *ctx, void *slot, ilk_error *err),
                              ilk_error *err) {
    size_t *at = ilk_alloc(items, sizeof *at);
    void **slots = ilk_alloc(items, sizeof *slots);
    for (size_t i = 0; at && slots && i < items; i++)
        slots[i] = &at[i];
    m->next = 0;
    m->items = items;
    ilk_status status = at && slots ? ilk_pipeline_run(&(ilk_pipeline){m, hand_out, work, NULL, slots, items}, err)
                                    : ilk_fail_memory(err);
    ilk_free(at);
    ilk_free(slots);
    return status;
}

/* ---- one after the other */

static ilk_status add_classes(ilk_stats *sum, const share *h, ilk_error *err) {
    for (uint32_t k = 0; k < h->part->K; k++) {
        ILK_TRY(ilk_stats_class(&h->map[k], sum, ilk_dict_key(&h->part->classes, k), err));
        if (ilk_count_overflows(sum->rows[h->map[k]], h->part->rows[k]))
            return ilk_stats_fail_full(sum, SIZE_MAX, &(ilk_count_place){.k = h->map[k]}, err);
        sum->rows[h->map[k]] += h->part->rows[k];
    }
    return ILK_OK;
}

/* Append the ranges behind the first to it. Until then, keys were numbered within their range. */
static ilk_status join(const meeting *m, ilk_counts *c, size_t ranges) {
    for (size_t r = 1; r < ranges; r++) {
        uint32_t before = (uint32_t)c->keys.n;
        ILK_TRY(ilk_counts_append(c, &m->united[r]));
        for (size_t i = 0; i < m->n; i++) {
            const ilk_dict_part *keys = &m->range[r * m->n + i].keys;
            for (size_t at = 0; at < keys->n; at++)
                keys->id[at] += before;
        }
    }
    ilk_counts_trim(c);
    return ILK_OK;
}

/* Unite all ranges at once, the first of them in c itself, to which the others are then appended. */
static ilk_status unite_ranges(meeting *m, ilk_counts *c, size_t ranges, ilk_error *err) {
    ilk_status status = ilk_counts_expect_parts(c, m->part, m->n);
    for (size_t r = 1; r < ranges && status == ILK_OK; r++) {
        ilk_counts_init(&m->united[r], c->fields);
        status = ilk_counts_grow(&m->united[r], c->K);
    }
    if (status != ILK_OK)
        return ilk_fail_memory(err);
    ilk_counts_cut(m->range, ranges, m->part, m->n);
    m->united[0] = *c;
    status = work_on_all(m, ranges, unite_range, err);
    *c = m->united[0];
    if (status != ILK_OK)
        return status;
    return join(m, c, ranges) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

static ilk_status unite_block(meeting *m, size_t b, ilk_error *err) {
    enum { MANY = 1 << 13 }; /* keys: fewer are merged before a thread has begun */
    ilk_counts *c = &m->sum->store[b].counts;
    size_t most = 0;
    for (size_t i = 0; i < m->n; i++) {
        const share *h = &m->shares[i];
        const ilk_counts *from = &h->part->store[b].counts;
        const ilk_dict_part keys = {&from->keys, h->order[b], h->id[b], from->keys.n};
        m->part[i] = (ilk_counts_part){from, h->part->waiting, h->map, keys, 0};
        most = keys.n > most ? keys.n : most;
    }
    ilk_count_place where;
    if (ilk_counts_unite_margins(c, m->part, m->n, &where) != ILK_OK)
        return ilk_stats_fail_full(m->sum, b, &where, err);
    size_t ranges = most < MANY ? 1 : m->n;
    ilk_status status = unite_ranges(m, c, ranges, err);
    for (size_t r = 1; r < ranges; r++)
        ilk_counts_free(&m->united[r]);
    return status;
}

static ilk_status unite(meeting *m, ilk_error *err) {
    ILK_TRY(work_on_all(m, m->n, sort_keys, err));
    for (size_t i = 0; i < m->n; i++)
        ILK_TRY(add_classes(m->sum, &m->shares[i], err));
    for (size_t b = 0; b < m->sum->blocks.n; b++)
        if (is_counts(m, b))
            ILK_TRY(unite_block(m, b, err));
    return ILK_OK;
}

/* ---- making */

static bool share_init(share *h, ilk_stats *part) {
    h->part = part;
    h->map = ilk_alloc(part->K, sizeof *h->map);
    h->order = ilk_zalloc(part->blocks.n, sizeof *h->order);
    h->id = ilk_zalloc(part->blocks.n, sizeof *h->id);
    return h->map && h->order && h->id;
}

static void share_free(share *h, size_t blocks) {
    for (size_t b = 0; b < blocks; b++) {
        if (h->order)
            ilk_free(h->order[b]);
        if (h->id)
            ilk_free(h->id[b]);
    }
    ilk_free(h->order);
    ilk_free(h->id);
    ilk_free(h->map);
}

/* The numbers of a text's words are handed over, in the order of the words. */
static ilk_status take_ids(ilk_renumbering *words, const meeting *m, ilk_error *err) {
    size_t b = m->sum->blocks.home[ILK_TEXT][0].block;
    for (size_t i = 0; i < m->n; i++) {
        const share *h = &m->shares[i];
        size_t n = h->part->store[b].counts.keys.n;
        words[i] = (ilk_renumbering){ilk_alloc(n, sizeof *words[i].to), n};
        if (!words[i].to)
            return ilk_fail_memory(err);
        for (size_t at = 0; at < n; at++)
            words[i].to[h->order[b][at].id] = h->id[b][at];
    }
    return ILK_OK;
}

ilk_status ilk_stats_unite(ilk_stats *sum, ilk_stats *const *part, size_t n, ilk_renumbering *words, ilk_error *err) {
    meeting m = {.sum = sum,
                 .shares = ilk_zalloc(n, sizeof *m.shares),
                 .n = n,
                 .united = ilk_zalloc(n, sizeof *m.united),
                 .part = ilk_alloc(n, sizeof *m.part),
                 .range = ilk_alloc(n, n * sizeof *m.range)};
    bool good = m.shares && m.united && m.part && m.range;
    for (size_t i = 0; good && i < n; i++)
        good = share_init(&m.shares[i], part[i]);
    ilk_status status = good ? unite(&m, err) : ilk_fail_memory(err);
    if (status == ILK_OK && words)
        status = take_ids(words, &m, err);
    for (size_t i = 0; m.shares && i < n; i++)
        share_free(&m.shares[i], sum->blocks.n);
    ilk_free(m.shares);
    ilk_free(m.united);
    ilk_free(m.part);
    ilk_free(m.range);
    return status;
}
