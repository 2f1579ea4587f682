/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - counts of texts that wait: a cell for every word and class, from batch to batch, and the sparse store only
 * at the end.
 *
 * A batch that is counted on its own goes through all cells to bring what it counted to the store; here that is done
 * once. Invariant: while counts wait, the store lacks them, and rows per class are those of both. A cell is the count,
 * below 2^32 since all tokens are, and the rows that have the word, no more than these, times 2^32, as in dense.c.
 */
#include "core/memory.h"
#include "model/learn.h"

#include <assert.h>
#include <string.h>

void ilk_gathered_free(ilk_gathered *g) {
    if (!g)
        return;
    ilk_dense_free(&g->table);
    ilk_free(g);
}

ilk_status ilk_stats_settle(ilk_stats *s, ilk_error *err) {
    ilk_gathered *g = s->waiting;
    if (!g)
        return ILK_OK;
    if (ilk_dense_pour(&s->store[0].counts, &g->table) != ILK_OK)
        return ilk_fail_memory(err);
    ilk_gathered_free(g);
    s->waiting = NULL;
    return ILK_OK;
}

static double tokens_of(const ilk_tokens *bags, size_t rows) {
    uint64_t sum = 0; /* of numbers below 2^32, fewer than 2^32 of them */
    for (size_t at = bags->begin[0]; at < bags->begin[rows]; at++)
        sum += bags->count[at];
    return (double)sum;
}

/* Room for all words there are by now; classes are those there were. */
static ilk_status widen(ilk_gathered *g, size_t keys) {
    size_t before = g->table.keys * g->table.K, cells = keys * g->table.K;
    if (ilk_grow(&g->table.cell, &g->cells_cap, cells, sizeof *g->table.cell))
        return ILK_ENOMEM;
    memset(g->table.cell + before, 0, (cells - before) * sizeof *g->table.cell);
    g->table.keys = keys;
    return ILK_OK;
}

static ilk_gathered *gathered_new(size_t K) {
    ilk_gathered *g = ilk_zalloc(1, sizeof *g);
    if (!g || !(g->table.rows = ilk_zalloc(K, sizeof *g->table.rows))) {
        ilk_gathered_free(g);
        return NULL;
    }
    g->table.K = g->table.next_key = K; /* words come by and by: their cells go to the end */
    g->table.next_class = 1;
    return g;
}

/* May the batch wait with what waits already? */
static bool fits(const ilk_stats *s, const ilk_rows *rows, double tokens) {
    const ilk_gathered *g = s->waiting;
    const ilk_counts *c = &s->store[0].counts;
    ilk_count_place where;
    double all = tokens + (g ? g->table.tokens : 0), n = (double)rows->n + (g ? g->rows : 0);
    return (!g || g->table.K == c->K) && ilk_dense_pays(c, all) && all < 0x1p32 &&
           !ilk_counts_full(c, NULL, n, all, &where);
}

ilk_status ilk_stats_gather(ilk_stats *s, const ilk_rows *rows, ilk_error *err) {
    const ilk_block *b = &s->blocks.block[0];
    if (s->met)
        ILK_TRY(ilk_stats_meet(s, rows->label, rows->n, err));
    if (s->blocks.n != 1 || b->family->kind != ILK_TEXT || rows->weight || rows->n == 0)
        return ilk_stats_add(s, rows, err);
    const ilk_tokens *bags = &rows->text[b->source[0]];
    double tokens = tokens_of(bags, rows->n);
    if (!fits(s, rows, tokens))
        ILK_TRY(ilk_stats_settle(s, err));
    if (!fits(s, rows, tokens))
        return ilk_stats_add(s, rows, err);
    if (!s->waiting && !(s->waiting = gathered_new(s->store[0].counts.K)))
        return ilk_fail_memory(err);
    ilk_gathered *g = s->waiting;
    if (widen(g, s->store[0].counts.keys.n) != ILK_OK)
        return ilk_fail_memory(err);
    const ilk_count_rows r = {.bags = bags, .label = rows->label, .n = rows->n};
    bool good = ilk_dense_add(&g->table, &s->store[0].counts, &r, 0, rows->n);
    assert(good);
    (void)good;
    for (size_t i = 0; i < rows->n; i++)
        s->rows[rows->label[i]]++;
    g->rows += (double)rows->n;
    return ILK_OK;
}
