/* SPDX-License-Identifier: Apache-2.0 */
/* moments_record.h - a record of moments as moments*.c see it: how many rows, and where mean, scatter and peak stand.
 * In a full record one n serves all columns and column j's scatter stands on the diagonal; else each column has its
 * own. Classes of a pooled store have one scatter and peak together. */
#ifndef ILK_MODEL_MOMENTS_RECORD_H
#define ILK_MODEL_MOMENTS_RECORD_H

#include "model/moments.h"

#include <math.h>

typedef struct ilk_record {
    double *n, *mean, *peak, *S;
    size_t step; /* S[j * step] is column j's own scatter */
} ilk_record;

static inline ilk_record ilk_record_at(const ilk_moments *m, double *r) {
    size_t d = m->d;
    if (m->full)
        return (ilk_record){r, r + 1, r + 1 + d, r + 1 + 2 * d, d + 1};
    return (ilk_record){r, r + d, r + 3 * d, r + 2 * d, 1};
}

static inline ilk_record ilk_record_of(const ilk_moments *m, size_t k) {
    double *r = ilk_moments_record(m, k);
    return m->pooled ? (ilk_record){r, r + 1, m->pool, m->pool + m->d, m->d + 1} : ilk_record_at(m, r);
}

/* Room for a record of one class. */
static inline ilk_record ilk_record_scratch(const ilk_moments *m) {
    return ilk_record_at(m, m->pooled ? m->pool + m->d + m->d * m->d : ilk_moments_record(m, m->K));
}

static inline void ilk_record_raise_peaks(const ilk_moments *m, const ilk_record *p) {
    for (size_t j = 0; j < m->d; j++)
        p->peak[j] = fmax(p->peak[j], p->S[j * p->step]);
}

/* Class k of `from`, whose units are no larger, in those of m: itself, or a copy in m's scratch record. */
ilk_record ilk_record_in_units(const ilk_moments *m, const ilk_moments *from, size_t k);

/* What ilk_moments_learn asks for of ilk_moments_scratch. */
size_t ilk_moments_learn_scratch(const ilk_moments *m, size_t groups, size_t n);

/* ilk_moments_merge where m is pooled, and its units are no smaller. */
void ilk_pool_merge(ilk_moments *m, const ilk_moments *from, const uint32_t *map);

#endif
