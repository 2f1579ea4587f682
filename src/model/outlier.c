/* SPDX-License-Identifier: Apache-2.0 */
/* outlier.c - how unusual is a row: -log p(x), and how often the model itself gives one as unusual.   MATH section
 * 12 */
#include "core/memory.h"
#include "math/special.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWS = 10000 };

/* ---- one Gaussian block: the squared distance of a row of class k from its mean is chi-squared */

static double tail(const ilk_model_block *b, const ilk_chunk *row) {
    double most = 0;
    for (uint32_t k = 0; k < b->shape.K; k++) {
        size_t columns;
        double distance2 = b->family->distance2(b->params, &b->shape, row, k, &columns);
        most = fmax(most, ilk_chi2_tail(distance2, (double)columns));
    }
    return most;
}

static ilk_status by_distance(double *p, const ilk_model *m, const ilk_rows *rows, ilk_error *err) {
    const ilk_model_block *b = &m->block[0];
    double *x = ilk_alloc(b->shape.d, sizeof *x);
    double *scratch = ilk_alloc_aligned(ilk_model_scratch(b, 1), sizeof *scratch);
    bool made = x && scratch;
    for (size_t i = 0; made && i < rows->n; i++) {
        ilk_chunk row = ilk_model_chunk(m, 0, rows, i, 1, x, NULL, scratch);
        p[i] = tail(b, &row);
    }
    ilk_free(x);
    ilk_free(scratch);
    return made ? ILK_OK : ilk_fail_memory(err);
}

/* ---- any other model: draws */

typedef struct draws {
    const ilk_model *m;
    double *log_density; /* DRAWS */
    size_t n;
} draws;

static ilk_status take_draws(void *ctx, const ilk_rows *rows) {
    draws *d = ctx;
    ILK_TRY(ilk_model_log_density(d->log_density + d->n, d->m, rows, NULL));
    d->n += rows->n;
    return ILK_OK;
}

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How many of n ascending numbers are at most x. */
static size_t at_most(const double *sorted, size_t n, double x) {
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (sorted[low + half] <= x) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* Does the model know no word of a text? */
static bool is_blank(const ilk_tokens *bags, size_t i) {
    for (size_t w = bags->begin[i]; w < bags->begin[i + 1]; w++)
        if (bags->id[w] != ILK_UNSEEN)
            return false;
    return true;
}

/* Does row i lack a value, or have one that the model takes for none? */
static bool incomplete(const ilk_model *m, const ilk_rows *rows, size_t i) {
    bool ignore = m->options.unseen == ILK_UNSEEN_IGNORE;
    size_t reals = ilk_schema_width(m->schema, ILK_REAL), codes = ilk_schema_width(m->schema, ILK_CATEGORY);
    for (size_t j = 0; j < reals; j++)
        if (isnan(ilk_rows_real(rows, reals, i, j)))
            return true;
    for (size_t j = 0; j < codes; j++) {
        uint32_t code = rows->code[i * codes + j];
        if (code == ILK_MISSING || (code == ILK_UNSEEN && ignore))
            return true;
    }
    for (size_t j = 0; j < ilk_schema_width(m->schema, ILK_TEXT); j++)
        if (ilk_text_missing(&rows->text[j], i) || (ignore && is_blank(&rows->text[j], i)))
            return true;
    return false;
}

static ilk_status by_simulation(double *p, const double *score, const ilk_model *m, const ilk_rows *rows, uint64_t seed,
                                ilk_error *err) {
    draws d = {.m = m, .log_density = ilk_alloc(DRAWS, sizeof *d.log_density)};
    if (!d.log_density)
        return ilk_fail_memory(err);
    ilk_status status = ilk_model_sample(m, DRAWS, seed, take_draws, &d, err);
    if (status == ILK_OK)
        qsort(d.log_density, DRAWS, sizeof *d.log_density, by_value);
    for (size_t i = 0; status == ILK_OK && i < rows->n; i++) {
        double as_unusual = (double)at_most(d.log_density, DRAWS, -score[i]);
        p[i] = incomplete(m, rows, i) ? NAN : (1 + as_unusual) / (DRAWS + 1);
    }
    ilk_free(d.log_density);
    return status;
}

ilk_status ilk_model_outlier(double *score, double *p, const ilk_model *model, const ilk_rows *rows, uint64_t seed,
                             ilk_error *err) {
    ILK_TRY(ilk_model_log_density(score, model, rows, err));
    for (size_t i = 0; i < rows->n; i++)
        score[i] = -score[i];
    if (!p)
        return ILK_OK;
    if (model->blocks.n == 1 && model->block[0].family->distance2)
        return by_distance(p, model, rows, err);
    return by_simulation(p, score, model, rows, seed, err);
}
