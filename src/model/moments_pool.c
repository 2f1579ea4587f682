/* SPDX-License-Identifier: Apache-2.0 */
/* moments_pool.c - see moments.h: one scatter for all classes, how it comes about and what is added to it.   MATH
 * section 13
 *
 * Errors of what is summed add up, and so do the peaks that stand for them: where nothing was ever taken away, the peak
 * of the sum is the sum itself. */
#include "core/memory.h"
#include "families/family.h"
#include "model/moments_record.h"

#include <string.h>

ilk_status ilk_moments_prepare_pool(ilk_moments *m) {
    size_t d = m->d;
    if (!m->pool)
        m->pool = ilk_zalloc(d + d * d + ilk_record_size(true, d), sizeof *m->pool);
    return m->pool ? ILK_OK : ILK_ENOMEM;
}

/* A scatter and its peaks, into those of m; to is in m's pool. */
static void add_scatter(size_t d, const ilk_record *to, const ilk_record *q) {
    for (size_t j = 0; j < d; j++)
        to->peak[j] = fmin(to->peak[j] + q->peak[j], 0x1p1014); /* no file may hold more */
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            to->S[i * d + j] += q->S[i * d + j];
}

/* Records shrink to n | mean[d], and move towards the front of m->data, in place. */
void ilk_moments_pool(ilk_moments *m) {
    size_t d = m->d, each = 1 + d;
    ilk_record all = {.peak = m->pool, .S = m->pool + d, .step = d + 1};
    for (size_t k = 0; k < m->K; k++) {
        ilk_record p = ilk_record_of(m, k);
        add_scatter(d, &all, &p);
        memmove(m->data + k * each, p.n, each * sizeof *m->data);
    }
    ilk_record_raise_peaks(m, &all);
    m->cap = m->cap * m->record / each;
    m->record = each;
    m->pooled = true;
    double *less = m->K ? ilk_realloc(m->data, m->K + 1, each * sizeof *less) : NULL;
    if (less) {
        m->data = less;
        m->cap = m->K + 1;
    }
}

/* What the means of two groups of one class add, and the mean of both. */
static void unite_means(size_t d, const ilk_record *p, const ilk_record *q) {
    double before = *p->n, n = *q->n, after = before + n;
    for (size_t i = 0; before > 0 && i < d; i++) {
        double di = (q->mean[i] - p->mean[i]) * (before * (n / after));
        for (size_t j = 0; j <= i; j++)
            p->S[i * d + j] += di * (q->mean[j] - p->mean[j]);
    }
    for (size_t j = 0; j < d; j++)
        p->mean[j] += (q->mean[j] - p->mean[j]) * (n / after);
    *p->n = after;
}

void ilk_pool_merge(ilk_moments *m, const ilk_moments *from, const uint32_t *map) {
    bool added = false;
    for (size_t k = 0; k < from->K; k++) {
        if (!(ilk_moments_rows(from, k) > 0))
            continue;
        ilk_record p = ilk_record_of(m, map[k]), q = ilk_record_in_units(m, from, k);
        if (!from->pooled || !added)
            add_scatter(m->d, &p, &q);
        added = true;
        unite_means(m->d, &p, &q);
    }
    if (added) {
        ilk_record all = ilk_record_of(m, 0);
        ilk_record_raise_peaks(m, &all);
    }
}
