/* SPDX-License-Identifier: Apache-2.0 */
/* inside.c - looking inside a model: why a row, which parameters, which words. */
#include "core/memory.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ilk_status check_class(const ilk_model *m, uint32_t k, ilk_error *err) {
    return k < m->K ? ILK_OK : ilk_fail(err, ILK_EARG, "there is no class %u: the model has %zu", k, m->K);
}

/* ---- one row explained */

/* A family explains the numbers it sees; people know them as they were. */
typedef struct raw_parts {
    const ilk_block *b;
    const ilk_rows *rows;
    size_t width, i; /* the row */
    size_t next;     /* columns come in order */
    const ilk_parts *to;
} raw_parts;

static ilk_status tell_raw(void *ctx, const ilk_part *part) {
    raw_parts *r = ctx;
    ilk_part raw = *part;
    for (size_t tried = 0; tried < r->b->d && !isnan(part->x); tried++) {
        size_t j = (r->next + tried) % r->b->d;
        if (!ilk_str_equal(r->b->column[j], part->column))
            continue;
        raw.x = ilk_rows_real(r->rows, r->width, r->i, r->b->source[j]);
        r->next = j + 1;
        break;
    }
    return r->to->fn(r->to->ctx, &raw);
}

static ilk_status explain_chunk(const ilk_model *m, size_t b, const ilk_rows *rows, size_t i, const ilk_chunk *row,
                                uint32_t a, uint32_t c, const ilk_parts *to) {
    const ilk_model_block *block = &m->block[b];
    raw_parts raw = {.b = &m->blocks.block[b], .rows = rows, .i = i, .to = to};
    if (!raw.b->transform || block->family->kind != ILK_REAL)
        return block->family->explain(block->params, &block->shape, row, a, c, to);
    raw.width = ilk_schema_width(m->schema, ILK_REAL);
    return block->family->explain(block->params, &block->shape, row, a, c, &(ilk_parts){tell_raw, &raw});
}

static ilk_status explain_block(const ilk_model *m, size_t b, const ilk_rows *rows, size_t i, uint32_t a, uint32_t c,
                                const ilk_parts *to, ilk_error *err) {
    const ilk_model_block *block = &m->block[b];
    double *x = ilk_alloc(block->shape.d, sizeof *x),
           *scratch = ilk_alloc(ilk_model_scratch(block, 1), sizeof *scratch);
    uint32_t *code = ilk_alloc(block->shape.d, sizeof *code);
    ilk_status status = ILK_ENOMEM;
    if (x && scratch && code) {
        ilk_chunk row = ilk_model_chunk(m, b, rows, i, 1, x, code, scratch);
        status = ilk_fail_callback(err, explain_chunk(m, b, rows, i, &row, a, c, to));
    } else {
        ilk_fail_memory(err);
    }
    ilk_free(x);
    ilk_free(scratch);
    ilk_free(code);
    return status;
}

ilk_status ilk_model_explain(const ilk_model *model, const ilk_rows *rows, size_t i, uint32_t a, uint32_t b,
                             ilk_part_fn fn, void *ctx, ilk_error *err) {
    if (i >= rows->n)
        return ilk_fail(err, ILK_EARG, "there is no row %zu: these are %zu", i, rows->n);
    ILK_TRY(check_class(model, a, err));
    ILK_TRY(check_class(model, b, err));
    ILK_TRY(ilk_model_check(model, rows, i, 1, err));
    ilk_part prior = {.value = {"prior", 5}, .x = NAN, .contribution = model->log_prior[a] - model->log_prior[b]};
    if (!model->discriminative)
        ILK_TRY(ilk_fail_callback(err, fn(ctx, &prior)));
    for (size_t at = 0; at < model->blocks.n; at++)
        ILK_TRY(explain_block(model, at, rows, i, a, b, &(ilk_parts){fn, ctx}, err));
    return ILK_OK;
}

/* ---- all parameters */

static ilk_status describe_priors(const ilk_model *m, ilk_fact_fn fn, void *ctx) {
    ilk_prior from = m->options.prior;
    double n = m->total_rows, K = (double)m->K;
    for (uint32_t k = 0; k < m->K; k++) {
        ilk_fact prior = {.quantity = "prior", .k = k, .value = exp(m->log_prior[k]), .count = NAN, .total = NAN};
        if (from == ILK_PRIOR_GIVEN) {
            ILK_TRY(fn(ctx, &prior));
            continue;
        }
        prior.count = from == ILK_PRIOR_UNIFORM ? 1 : m->rows[k] + (from == ILK_PRIOR_SMOOTHED);
        prior.total = from == ILK_PRIOR_UNIFORM ? K : n + (from == ILK_PRIOR_SMOOTHED ? K : 0);
        ILK_TRY(fn(ctx, &prior));
    }
    return ILK_OK;
}

/* Bins need no telling: their names are the keys. */
static ilk_status describe_powers(const ilk_block *b, ilk_fact_fn fn, void *ctx) {
    for (size_t j = 0; b->transform && j < b->d; j++) {
        const ilk_transform *t = b->transform[j];
        const char *name = t->kind == ILK_BOX_COX ? "boxcox" : "yeo-johnson";
        ilk_fact power = {.quantity = "power", .family = b->family->name, .column = b->column[j]};
        power.key = (ilk_str){name, strlen(name)};
        power.k = ILK_NONE;
        power.value = t->lambda;
        power.count = power.total = NAN;
        if (ilk_transform_is_power(t))
            ILK_TRY(fn(ctx, &power));
    }
    return ILK_OK;
}

ilk_status ilk_model_describe(const ilk_model *model, ilk_fact_fn fn, void *ctx, ilk_error *err) {
    ILK_TRY(ilk_fail_callback(err, describe_priors(model, fn, ctx)));
    for (size_t b = 0; b < model->blocks.n; b++) {
        const ilk_model_block *block = &model->block[b];
        ILK_TRY(ilk_fail_callback(err, describe_powers(&model->blocks.block[b], fn, ctx)));
        double *scratch = ilk_alloc(ilk_model_scratch(block, 1), sizeof *scratch);
        if (!scratch)
            return ilk_fail_memory(err);
        ilk_facts to = {fn, ctx, b == 0 ? model->log_prior : NULL, scratch};
        ilk_status status = block->family->describe(block->params, &block->shape, &to);
        ilk_free(scratch);
        ILK_TRY(ilk_fail_callback(err, status));
    }
    return ILK_OK;
}

/* ---- telling words */

/* log p(word|k) - log p(word|not k), the other classes weighted by their priors; -inf of a word that no class can have
 * (a declared one, without smoothing): it says nothing for any of them. */
static double word_log_odds(const double *log_phi, const double *log_prior, size_t K, uint32_t k) {
    double most = -INFINITY, rest = 0, prior = 0;
    for (size_t c = 0; c < K; c++)
        if (c != k)
            most = fmax(most, log_phi[c]);
    if (log_phi[k] == -INFINITY)
        return -INFINITY;
    if (most == -INFINITY)
        return INFINITY;
    for (size_t c = 0; c < K; c++) {
        if (c == k)
            continue;
        rest += exp(log_phi[c] - most + log_prior[c]);
        prior += exp(log_prior[c]);
    }
    return log_phi[k] - (most + log(rest / prior));
}

/* What a word says for class k: by its share in k and in the others, by its shares outside of k and outside of the
 * others, or by its shares in k and outside of it. */
static double word_strength(const ilk_model *model, const ilk_model_block *block, uint32_t word, uint32_t k) {
    const ilk_family *f = block->family;
    const double *in = f->log_phi ? f->log_phi(block->params, &block->shape, word) : NULL;
    const double *rest = f->log_rest ? f->log_rest(block->params, &block->shape, word) : NULL;
    if (in && rest)
        return in[k] - rest[k];
    return in ? word_log_odds(in, model->log_prior, model->K, k) : -word_log_odds(rest, model->log_prior, model->K, k);
}

/* The strongest first; equal log-odds in byte order. */
static int by_strength(const void *a, const void *b) {
    const ilk_word *x = a, *y = b;
    if (x->log_odds != y->log_odds)
        return x->log_odds > y->log_odds ? -1 : 1;
    return ilk_str_compare(x->word, y->word);
}

ilk_status ilk_model_words(ilk_word *out, size_t *n, const ilk_model *model, size_t j, uint32_t k, ilk_error *err) {
    if (j >= ilk_schema_width(model->schema, ILK_TEXT))
        return ilk_fail(err, ILK_EARG, "there is no text feature %zu", j);
    ILK_TRY(check_class(model, k, err));
    const ilk_model_block *block = &model->block[model->blocks.home[ILK_TEXT][j].block];
    uint32_t V = block->keys.n;
    ilk_word *all = ilk_alloc(V, sizeof *all);
    if (!all)
        return ilk_fail_memory(err);
    for (uint32_t v = 0; v < V; v++)
        all[v] = (ilk_word){ilk_keys_key(&block->keys, v), word_strength(model, block, v, k)};
    qsort(all, V, sizeof *all, by_strength);
    *n = *n < V ? *n : V;
    if (*n > 0) /* `out` may be NULL then */
        memcpy(out, all, *n * sizeof *out);
    ilk_free(all);
    return ILK_OK;
}
