/* SPDX-License-Identifier: Apache-2.0 */
/* choose.c - smoothing and shrinkage by leave-one-out: try, compare, keep the best.   MATH section 1
 *
 * One axis at a time: a coarse grid over all of it, then closer and closer around the best so far. What is tried
 * depends on nothing but what was better, and figures have the same bits for any number of threads: so has the choice.
 */
#include "model/choose.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/translate.h"
#include "model/worth.h"

#include <math.h>

enum { PER_DECADE = 24, COARSE = 8, ROUNDS = 3 };

/* Step i of an axis is preferred[i mod 24] × 10^(i div 24) / 10^5: from 10^-4 on by about a tenth each. Quotients of
 * whole numbers, so the same double everywhere, and short when written down. Steps below 0 stand for the number 0. */
static const unsigned char preferred[PER_DECADE] = {10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30,
                                                    33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91};

static double at_step(int i) {
    double whole = i < 0 ? 0 : preferred[i % PER_DECADE];
    for (; i >= PER_DECADE; i -= PER_DECADE)
        whole *= 10;
    return whole / 1e5;
}

typedef struct axis {
    size_t field;          /* in ilk_options */
    int first, last, from; /* steps; `from` is tried before all others, and wins ties */
} axis;

/* Shrinkage first: without it there may be no model at all. Both ranges begin and end on the coarse grid. */
static const axis axes[] = {
    {offsetof(ilk_options, shrink), -COARSE, 4 * PER_DECADE, -COARSE},
    {offsetof(ilk_options, smooth), 0, 6 * PER_DECADE, 4 * PER_DECADE},
};
enum { AXES = sizeof axes / sizeof *axes };

typedef struct search {
    const ilk_stats *stats;
    ilk_worth_fn fn;
    void *ctx;
    double asked[AXES];  /* what the options said: ILK_LOO, ILK_LOO_ACCURACY or a number */
    ilk_options options; /* the best so far */
    int step[AXES];      /* its place on each axis */
    bool found;          /* there was a model */
    ilk_loo best;
} search;

static double *field(ilk_options *options, size_t a) {
    return (double *)((char *)options + axes[a].field);
}

_Static_assert(AXES == 2, "one axis and the other");

static bool is_asked(const search *s, size_t a) {
    return s->asked[a] == ILK_LOO || s->asked[a] == ILK_LOO_ACCURACY;
}

/* Rows whose class is impossible come first: each of them is infinitely bad. */
static bool better(const ilk_loo *a, const ilk_loo *b, double asked) {
    if (asked == ILK_LOO_ACCURACY && a->accuracy != b->accuracy)
        return a->accuracy > b->accuracy;
    return a->impossible != b->impossible ? a->impossible < b->impossible : a->log_loss_rest < b->log_loss_rest;
}

static ilk_status worth_of(ilk_loo *out, const search *s, const ilk_options *options, ilk_error *err) {
    ilk_model *model;
    ILK_TRY(ilk_model_estimate(&model, s->stats, options, err));
    ilk_status status = s->fn(out, s->ctx, model, err);
    ilk_model_free(model);
    return status;
}

/* Another place on axis a. Where there is no model, for want of shrinkage, that is only a bad place. */
static ilk_status attempt(search *s, size_t a, int step, ilk_error *err) {
    ilk_options options = s->options;
    ilk_error reason = {0};
    ilk_loo worth;
    *field(&options, a) = at_step(step);
    ilk_status status = worth_of(&worth, s, &options, &reason);
    if (status == ILK_OK && (!s->found || better(&worth, &s->best, s->asked[a]))) {
        s->options = options;
        s->step[a] = step;
        s->best = worth;
        s->found = true;
    }
    if (status != ILK_OK && status != ILK_ESINGULAR && err)
        *err = reason;
    return status == ILK_ESINGULAR ? ILK_OK : status;
}

/* From the top, so that of equals the larger wins. */
static ilk_status walk(search *s, size_t a, ilk_error *err) {
    const axis *x = &axes[a];
    int here = s->step[a]; /* has been tried */
    for (int i = x->last; i >= x->first; i -= COARSE)
        if (i != here)
            ILK_TRY(attempt(s, a, i, err));
    for (int by = COARSE / 2; by > 0; by /= 2) {
        int centre = s->step[a];
        if (centre + by <= x->last && centre >= 0)
            ILK_TRY(attempt(s, a, centre + by, err));
        if (centre - by >= 0)
            ILK_TRY(attempt(s, a, centre - by, err));
    }
    return ILK_OK;
}

/* In turns, until a walk along one axis leaves it where the other has already seen it. */
static ilk_status explore(search *s, ilk_error *err) {
    for (int turn = 0; turn < ROUNDS * AXES; turn++) {
        size_t a = (size_t)turn % AXES;
        int before = s->step[a];
        if (!is_asked(s, a))
            continue;
        ILK_TRY(walk(s, a, err));
        if (!is_asked(s, AXES - 1 - a) || (turn > 0 && s->step[a] == before)) /* the other axis */
            break;
    }
    return ILK_OK;
}

/* If there is no model anywhere, the caller is told what the place to begin with lacks. */
static ilk_status choose(search *s, ilk_error *err) {
    for (size_t a = 0; a < AXES; a++) {
        s->asked[a] = *field(&s->options, a);
        s->step[a] = axes[a].from;
        if (is_asked(s, a))
            *field(&s->options, a) = at_step(axes[a].from);
    }
    ilk_error singular = {0};
    ilk_status status = worth_of(&s->best, s, &s->options, &singular);
    s->found = status == ILK_OK;
    if (status == ILK_OK || status == ILK_ESINGULAR)
        ILK_TRY(explore(s, err));
    if (!s->found && err)
        *err = singular;
    return s->found ? ILK_OK : status;
}

ilk_status ilk_choose(ilk_options *options, ilk_loo *worth, const ilk_stats *stats, ilk_worth_fn fn, void *ctx,
                      ilk_error *err) {
    search s = {.stats = stats, .fn = fn, .ctx = ctx, .options = *options};
    ILK_TRY(choose(&s, err));
    *options = s.options;
    if (worth)
        *worth = s.best;
    return ILK_OK;
}

/* ---- rows in memory */

typedef struct in_memory {
    const ilk_stats *stats;
    const ilk_rows *rows;
    ilk_translation known; /* the rows in the ids of all models: these do not depend on smoothing and shrinkage */
    double *log_joint;
    ilk_outcome *outcome;
} in_memory;

static ilk_status prepare(in_memory *m, const ilk_model *model, ilk_error *err) {
    ILK_TRY(ilk_translate(&m->known, m->stats, model, m->rows, err));
    m->log_joint = ilk_alloc(m->rows->n * ilk_model_classes(model), sizeof *m->log_joint);
    m->outcome = ilk_alloc(m->rows->n, sizeof *m->outcome);
    return m->log_joint && m->outcome ? ILK_OK : ilk_fail_memory(err);
}

static ilk_status worth_in_memory(ilk_loo *out, void *ctx, const ilk_model *model, ilk_error *err) {
    in_memory *m = ctx;
    ilk_worth worth = {0};
    if (!m->outcome)
        ILK_TRY(prepare(m, model, err));
    ILK_TRY(ilk_leave_out(m->outcome, m->log_joint, model, &m->known.rows, err));
    for (size_t i = 0; i < m->rows->n; i++)
        ilk_worth_add(&worth, &m->outcome[i]);
    *out = ilk_worth_sum(&worth);
    return ILK_OK;
}

ilk_status ilk_stats_choose(ilk_options *options, ilk_loo *worth, const ilk_stats *stats, const ilk_rows *rows,
                            ilk_error *err) {
    if (rows->n == 0)
        return ilk_fail(err, ILK_EARG, "there are no rows to choose by");
    in_memory m = {.stats = stats, .rows = rows};
    ilk_status status = ilk_choose(options, worth, stats, worth_in_memory, &m, err);
    ilk_translation_free(&m.known);
    ilk_free(m.log_joint);
    ilk_free(m.outcome);
    return status;
}
