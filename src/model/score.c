/* SPDX-License-Identifier: Apache-2.0 */
/* score.c - log p(x, y): the prior plus what each block says, and what follows from it.
 *
 * Rows are scored in chunks, checked just before, so that families only compute. Chunks are independent: any number of
 * threads gives the same bits. */
#include "core/memory.h"
#include "core/pipeline.h"
#include "kernels/kernels.h"
#include "model/model.h"

#include <math.h>

enum {
    CHUNK = 256,       /* rows scored at a time: a block's columns of them stay in cache */
    SHARE = 16 * CHUNK /* rows a thread takes at a time */
};

/* ---- checks */

/* Is any number of the matrix infinite in these rows? */
static bool any_infinite(const ilk_rows *rows, size_t width, size_t first, size_t n) {
    if (rows->real)
        return !(ilk_kernels_use()->largest(rows->real + first * width, n * width) < INFINITY);
    float most = 0;
    for (size_t i = first * width; i < (first + n) * width; i++)
        most = fabsf(rows->real32[i]) > most ? fabsf(rows->real32[i]) : most;
    return !(most < INFINITY);
}

static ilk_status check_reals(const ilk_block *b, const ilk_rows *rows, size_t width, size_t first, size_t n,
                              ilk_error *err) {
    if (!b->family->accepts && !b->transform && !any_infinite(rows, width, first, n))
        return ILK_OK;
    for (size_t i = first; i < first + n; i++)
        for (size_t j = 0; j < b->d; j++)
            ILK_TRY(ilk_block_check_real(b, j, ilk_rows_real(rows, width, i, b->source[j]), i, err));
    return ILK_OK;
}

/* Ids from here on stand for no value: ILK_MISSING, and ILK_UNSEEN unless that is an error. */
static uint32_t first_special(const ilk_model *m) {
    return m->options.unseen == ILK_UNSEEN_ERROR ? ILK_MISSING : ILK_UNSEEN;
}

/* May this id stand for a value of the field whose ids are begin[0] … begin[1] - 1? */
static bool known(const uint32_t *begin, uint32_t special, uint32_t id) {
    return id - begin[0] < begin[1] - begin[0] || id >= special;
}

/* Is none of a row's d codes, or of n words, unknown? Without a branch, so that compilers make vectors of it. */
static bool codes_known(const uint32_t *code, size_t d, const uint32_t *begin, uint32_t special) {
    uint32_t unknown = 0;
    for (size_t j = 0; j < d; j++)
        unknown |= (uint32_t)(code[j] - begin[j] >= begin[j + 1] - begin[j]) & (uint32_t)(code[j] < special);
    return !unknown;
}

static bool words_known(const ilk_tokens *bags, size_t first, size_t last, uint32_t words, bool unseen) {
    const uint32_t *id = bags->id, *count = bags->count, forbidden = !unseen;
    uint32_t unknown = 0;
    for (size_t w = first; w < last; w++)
        unknown |= ((uint32_t)(id[w] >= words) & ((uint32_t)(id[w] != ILK_UNSEEN) | forbidden)) | (count[w] == 0);
    return !unknown;
}

static ilk_status fail_unknown(const ilk_block *b, size_t i, size_t j, uint32_t id, ilk_error *err) {
    if (id == ILK_UNSEEN)
        return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: a value the model has not seen", i,
                        ILK_SHOW(b->column[j]));
    return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %u is not a code of it", i, ILK_SHOW(b->column[j]), id);
}

static ilk_status check_codes(const ilk_model *m, size_t at, const ilk_rows *rows, size_t width, size_t first, size_t n,
                              ilk_error *err) {
    const ilk_block *b = &m->blocks.block[at];
    const uint32_t *begin = m->block[at].keys.field_begin, special = first_special(m);
    for (size_t i = first; i < first + n; i++) {
        const uint32_t *code = rows->code + i * width;
        if (b->d == width && codes_known(code, width, begin, special))
            continue;
        for (size_t j = 0; j < b->d; j++)
            if (!known(begin + j, special, code[b->source[j]]))
                return fail_unknown(b, i, j, code[b->source[j]], err);
    }
    return ILK_OK;
}

static ilk_status check_bags(const ilk_model *m, size_t at, const ilk_tokens *bags, size_t first, size_t n,
                             ilk_error *err) {
    const ilk_block *b = &m->blocks.block[at];
    uint32_t words = m->block[at].keys.n;
    bool unseen = m->options.unseen != ILK_UNSEEN_ERROR;
    size_t i = first, w = bags->begin[first];
    if (words_known(bags, w, bags->begin[first + n], words, unseen))
        return ILK_OK;
    while (words_known(bags, w, w + 1, words, unseen))
        w++;
    while (bags->begin[i + 1] <= w)
        i++;
    if (bags->count[w] == 0) /* 0 × log 0 */
        return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: a word counted 0 times", i, ILK_SHOW(b->column[0]));
    return fail_unknown(b, i, 0, bags->id[w], err);
}

static ilk_status check_block(const ilk_model *m, size_t at, const ilk_rows *rows, size_t first, size_t n,
                              ilk_error *err) {
    const ilk_block *b = &m->blocks.block[at];
    ilk_kind kind = b->family->kind;
    size_t width = ilk_schema_width(m->schema, kind);
    ILK_TRY(ilk_block_check_given(b, rows, first, n, err));
    if (kind == ILK_REAL)
        return check_reals(b, rows, width, first, n, err);
    if (kind == ILK_CATEGORY)
        return check_codes(m, at, rows, width, first, n, err);
    return check_bags(m, at, &rows->text[b->source[0]], first, n, err);
}

ilk_status ilk_model_check(const ilk_model *model, const ilk_rows *rows, size_t first, size_t n, ilk_error *err) {
    for (size_t b = 0; n && b < model->blocks.n; b++)
        ILK_TRY(check_block(model, b, rows, first, n, err));
    return ILK_OK;
}

/* ---- chunks */

size_t ilk_model_scratch(const ilk_model_block *b, size_t n) {
    size_t per_row = 0, fixed = 0;
    if (b->family->scratch)
        b->family->scratch(&per_row, &fixed, &b->shape);
    return n * per_row + fixed;
}

ilk_chunk ilk_model_chunk(const ilk_model *m, size_t at, const ilk_rows *rows, size_t first, size_t n, double *x,
                          uint32_t *code, double *scratch) {
    const ilk_block *b = &m->blocks.block[at];
    size_t width = ilk_schema_width(m->schema, b->family->kind);
    ilk_chunk chunk = {.n = n, .x = x, .code = code, .first = first, .scratch = scratch};
    chunk.label = rows->label ? rows->label + first : NULL;
    chunk.weight = rows->weight ? rows->weight + first : NULL;
    if (b->family->kind == ILK_REAL) {
        chunk.x = ilk_block_reals(b, rows, width, first, n, x);
    } else if (b->family->kind == ILK_TEXT) {
        chunk.bags = &rows->text[b->source[0]];
    } else if (b->d == width) { /* the block has all columns of its kind, in order: no need to copy */
        chunk.code = rows->code + first * width;
    } else {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < b->d; j++)
                code[i * b->d + j] = rows->code[(first + i) * width + b->source[j]];
    }
    return chunk;
}

/* ---- priors */

/* Scores that are no log p(x|k) have no place for log p(k): a model of these alone takes none (Rennie et al. 2003). */
static double log_prior(const ilk_model *m, size_t k) {
    return m->discriminative ? 0 : m->log_prior[k];
}

/* log p(y = k) without a row of class `own` and weight w.   MATH (1.9) */
static double log_prior_without(const ilk_model *m, size_t k, size_t own, double w) {
    double n = m->total_rows, rows = m->rows[k], gone = k == own ? w : 0;
    if (!(ilk_left(rows, gone) > 0) || !(ilk_left(n, w) > 0))
        return -INFINITY;
    if (m->discriminative)
        return 0;
    switch (m->options.prior) {
    case ILK_PRIOR_EMPIRICAL:
        return log((rows - gone) / (n - w));
    case ILK_PRIOR_SMOOTHED:
        return log((rows - gone + 1) / (n - w + (double)m->K));
    case ILK_PRIOR_GIVEN:
        if (m->named[k] || m->named[own])
            break;
        n = fmax(m->unnamed_rows - w, rows - gone); /* of weights, whose sums are rounded */
        return m->log_prior[k] + log((rows - gone) / rows * (m->unnamed_rows / n));
    case ILK_PRIOR_UNIFORM:
        break;
    }
    return m->log_prior[k];
}

/* ---- a batch */

/* What is made of each chunk's log-joints. */
typedef enum answer { LOG_JOINT, POSTERIOR, PREDICTION, LOG_DENSITY, WITHOUT } answer;

typedef struct batch {
    const ilk_model *m;
    const ilk_rows *rows;
    answer answer;
    double *numbers;   /* n × K, or n */
    uint32_t *classes; /* n, PREDICTION */
    size_t next;       /* row not yet handed out */
} batch;

/* A thread's share: some rows, and room to gather and compute in. */
typedef struct share {
    size_t first, n;
    double *x, *scratch, *log_joint;
    double *prior, *own; /* K: where no row is left out, or one of another class; of the class of the one left out */
    uint32_t *code;
} share;

static ilk_status share_new(share *r, const batch *b) {
    size_t scratch = 0, n = b->rows->n < CHUNK ? b->rows->n : CHUNK;
    for (size_t i = 0; i < b->m->blocks.n; i++) {
        size_t need = ilk_model_scratch(&b->m->block[i], n);
        scratch = need > scratch ? need : scratch;
    }
    r->x = ilk_alloc_aligned(n * ilk_schema_width(b->m->schema, ILK_REAL), sizeof *r->x);
    r->code = ilk_alloc(n * ilk_schema_width(b->m->schema, ILK_CATEGORY), sizeof *r->code);
    r->scratch = ilk_alloc_aligned(scratch, sizeof *r->scratch);
    r->log_joint = ilk_alloc_aligned(n * b->m->K, sizeof *r->log_joint);
    r->prior = ilk_alloc(b->m->K, sizeof *r->prior);
    r->own = ilk_alloc(b->m->K, sizeof *r->own);
    if (!r->x || !r->code || !r->scratch || !r->log_joint || !r->prior || !r->own)
        return ILK_ENOMEM;
    for (size_t k = 0; k < b->m->K; k++) {
        r->prior[k] = b->answer == WITHOUT ? log_prior_without(b->m, k, (k + 1) % b->m->K, 1) : log_prior(b->m, k);
        r->own[k] = log_prior_without(b->m, k, k, 1);
    }
    return ILK_OK;
}

static void share_free(share *r) {
    ilk_free(r->x);
    ilk_free(r->code);
    ilk_free(r->scratch);
    ilk_free(r->log_joint);
    ilk_free(r->prior);
    ilk_free(r->own);
}

typedef void (*score_fn)(double *log_joint, const double *params, const ilk_shape *s, const ilk_chunk *rows);

/* Where only the classes of a row are compared, what they share may be left out. */
static score_fn score_of(const ilk_family *f, answer wanted) {
    if (wanted == WITHOUT)
        return f->score_without;
    return f->score_relative && (wanted == POSTERIOR || wanted == PREDICTION) ? f->score_relative : f->score;
}

static void start(double *out, const batch *b, const share *r, size_t first, size_t n) {
    const size_t K = b->m->K;
    const double *weight = b->rows->weight ? b->rows->weight + first : NULL;
    bool varies =
        weight || b->m->options.prior == ILK_PRIOR_GIVEN; /* with more of the row than whether k is its class */
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < K; k++)
            out[i * K + k] = r->prior[k];
    for (size_t i = 0; b->answer == WITHOUT && i < n; i++) {
        uint32_t own = b->rows->label[first + i];
        out[i * K + own] = r->own[own];
        for (size_t k = 0; varies && k < K; k++)
            out[i * K + k] = log_prior_without(b->m, k, own, weight ? weight[i] : 1);
    }
}

/* A family's density is one of what it sees; the same slopes for all classes make it one of the row itself. */
static void add_slopes(double *out, const ilk_model *m, size_t at, const ilk_rows *rows, size_t first, size_t n) {
    const ilk_block *b = &m->blocks.block[at];
    size_t width = ilk_schema_width(m->schema, ILK_REAL);
    if (!b->transform || b->family->kind != ILK_REAL)
        return;
    for (size_t i = 0; i < n; i++) {
        double slope = ilk_block_log_slope(b, rows, width, first + i);
        for (size_t k = 0; k < m->K; k++)
            out[i * m->K + k] += slope;
    }
}

static void score(double *out, const batch *b, const share *r, size_t first, size_t n) {
    const ilk_model *m = b->m;
    start(out, b, r, first, n);
    for (size_t at = 0; at < m->blocks.n; at++) {
        const ilk_model_block *block = &m->block[at];
        ilk_chunk chunk = ilk_model_chunk(m, at, b->rows, first, n, r->x, r->code, r->scratch);
        score_of(block->family, b->answer)(out, block->params, &block->shape, &chunk);
        if (b->answer != POSTERIOR && b->answer != PREDICTION)
            add_slopes(out, m, at, b->rows, first, n);
    }
}

static void finish(const batch *b, const double *log_joint, size_t first, size_t n, double *unused) {
    size_t K = b->m->K;
    if (b->answer == POSTERIOR)
        ilk_kernels_use()->posterior(b->numbers + first * K, log_joint, K, n);
    for (size_t i = 0; i < n; i++) {
        const double *row = log_joint + i * K;
        if (b->answer == PREDICTION)
            b->classes[first + i] = ilk_argmax(row, K);
        else if (b->answer == LOG_DENSITY)
            b->numbers[first + i] = ilk_bayes(unused, row, K);
    }
}

static ilk_status score_chunk(const batch *b, const share *r, size_t first, size_t n, ilk_error *err) {
    bool direct = b->answer == LOG_JOINT || b->answer == WITHOUT || b->answer == POSTERIOR;
    double *out = direct ? b->numbers + first * b->m->K : r->log_joint;
    ILK_TRY(ilk_model_check(b->m, b->rows, first, n, err));
    score(out, b, r, first, n);
    finish(b, out, first, n, r->log_joint);
    return ILK_OK;
}

static ilk_status hand_out(void *ctx, void *slot, bool *more, ilk_error *err) {
    batch *b = ctx;
    share *r = slot;
    (void)err;
    r->first = b->next;
    r->n = b->rows->n - b->next < SHARE ? b->rows->n - b->next : SHARE;
    b->next += r->n;
    *more = r->n > 0;
    return ILK_OK;
}

static ilk_status work(void *ctx, void *slot, ilk_error *err) {
    const batch *b = ctx;
    const share *r = slot;
    for (size_t done = 0; done < r->n; done += CHUNK)
        ILK_TRY(score_chunk(b, r, r->first + done, r->n - done < CHUNK ? r->n - done : CHUNK, err));
    return ILK_OK;
}

static ilk_status run(batch *b, ilk_error *err) {
    if (b->rows->n == 0)
        return ILK_OK;
    size_t shares = (b->rows->n + SHARE - 1) / SHARE, threads = b->rows->threads ? b->rows->threads : 1;
    threads = threads < shares ? threads : shares;
    share *share_of = ilk_zalloc(threads, sizeof *share_of);
    void **slots = ilk_alloc(threads, sizeof *slots);
    ilk_status status = share_of && slots ? ILK_OK : ILK_ENOMEM;
    for (size_t i = 0; status == ILK_OK && i < threads; i++) {
        slots[i] = &share_of[i];
        status = share_new(&share_of[i], b);
    }
    status = status == ILK_OK ? ilk_pipeline_run(&(ilk_pipeline){b, hand_out, work, NULL, slots, threads}, err)
                              : ilk_fail_memory(err);
    for (size_t i = 0; share_of && i < threads; i++)
        share_free(&share_of[i]);
    ilk_free(share_of);
    ilk_free(slots);
    return status;
}

/* ---- the public ones */

ilk_status ilk_model_log_joint(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    return run(&(batch){.m = model, .rows = rows, .answer = LOG_JOINT, .numbers = out}, err);
}

ilk_status ilk_model_posterior(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    return run(&(batch){.m = model, .rows = rows, .answer = POSTERIOR, .numbers = out}, err);
}

ilk_status ilk_model_predict(uint32_t *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    return run(&(batch){.m = model, .rows = rows, .answer = PREDICTION, .classes = out}, err);
}

ilk_status ilk_model_log_density(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    ILK_TRY(ilk_model_generative(model, "density", err));
    return run(&(batch){.m = model, .rows = rows, .answer = LOG_DENSITY, .numbers = out}, err);
}

static ilk_status check_labels(const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    if (rows->n && !rows->label)
        return ilk_fail(err, ILK_EARG, "the rows have no labels");
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->label[i] >= model->K)
            return ilk_fail(err, ILK_EDATA, "row %zu: %u is not a class", i, rows->label[i]);
        if (rows->weight && !(rows->weight[i] >= 0 && isfinite(rows->weight[i])))
            return ilk_fail(err, ILK_EDATA, "row %zu: a weight of %g", i, rows->weight[i]);
    }
    return ILK_OK;
}

ilk_status ilk_model_leave_one_out(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    ILK_TRY(check_labels(model, rows, err));
    return run(&(batch){.m = model, .rows = rows, .answer = WITHOUT, .numbers = out}, err);
}

ilk_status ilk_model_log_likelihood(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    ILK_TRY(ilk_model_generative(model, "likelihood", err));
    ILK_TRY(check_labels(model, rows, err));
    double *log_joint = ilk_alloc(rows->n * model->K, sizeof *log_joint);
    ilk_status status = log_joint ? ilk_model_log_joint(log_joint, model, rows, err) : ilk_fail_memory(err);
    double sum = 0;
    for (size_t i = 0; status == ILK_OK && i < rows->n; i++) {
        double w = rows->weight ? rows->weight[i] : 1;
        sum += w > 0 ? w * log_joint[i * model->K + rows->label[i]] : 0;
    }
    if (status == ILK_OK)
        *out = sum;
    ilk_free(log_joint);
    return status;
}
