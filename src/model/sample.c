/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c - drawing rows from a model: a class by the prior, then what each block makes of it.   MATH section 11
 *
 * One generator, row by row and block by block: what is drawn depends on the seed alone, not on the size of a batch. */
#include "core/memory.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BATCH = 256, REDRAWS = 1000 };

/* The bags of one text column, put together row by row. */
typedef struct bag {
    size_t *begin; /* BATCH + 1 */
    uint32_t *id, *count;
    size_t id_cap, count_cap;
} bag;

/* A batch being drawn. */
typedef struct sampler {
    const ilk_model *m;
    ilk_rng rng;
    size_t width[3]; /* features per kind */
    double *real;    /* BATCH × width */
    uint32_t *code, *label;
    bag *bags;         /* per text column */
    ilk_tokens *texts; /* these, as rows show them */
    ilk_draw draw;     /* one row of one block */
} sampler;

static void sampler_free(sampler *s) {
    for (size_t j = 0; s->bags && j < s->width[ILK_TEXT]; j++) {
        ilk_free(s->bags[j].begin);
        ilk_free(s->bags[j].id);
        ilk_free(s->bags[j].count);
    }
    ilk_free(s->real);
    ilk_free(s->code);
    ilk_free(s->label);
    ilk_free(s->bags);
    ilk_free(s->texts);
    ilk_free(s->draw.x);
    ilk_free(s->draw.code);
    ilk_free(s->draw.id);
    ilk_free(s->draw.count);
    ilk_free(s->draw.scratch);
}

/* Room for one row of any block. */
static bool draw_new(ilk_draw *out, const ilk_model *m) {
    size_t d = 0, V = 0, scratch = 0;
    for (size_t b = 0; b < m->blocks.n; b++) {
        size_t need = ilk_model_scratch(&m->block[b], 1);
        d = m->block[b].shape.d > d ? m->block[b].shape.d : d;
        V = m->block[b].keys.n > V ? m->block[b].keys.n : V;
        scratch = need > scratch ? need : scratch;
    }
    out->x = ilk_alloc(d, sizeof *out->x);
    out->code = ilk_alloc(d, sizeof *out->code);
    out->id = ilk_alloc(V + 1, sizeof *out->id);
    out->count = ilk_alloc(V + 1, sizeof *out->count);
    out->scratch = ilk_alloc_aligned(scratch, sizeof *out->scratch);
    return out->x && out->code && out->id && out->count && out->scratch;
}

static bool sampler_new(sampler *s) {
    for (int kind = ILK_REAL; kind <= ILK_TEXT; kind++)
        s->width[kind] = ilk_schema_width(s->m->schema, (ilk_kind)kind);
    s->real = ilk_alloc_aligned(BATCH * s->width[ILK_REAL], sizeof *s->real);
    s->code = ilk_alloc(BATCH * s->width[ILK_CATEGORY], sizeof *s->code);
    s->label = ilk_alloc(BATCH, sizeof *s->label);
    s->bags = ilk_zalloc(s->width[ILK_TEXT], sizeof *s->bags);
    s->texts = ilk_zalloc(s->width[ILK_TEXT], sizeof *s->texts);
    bool made = s->real && s->code && s->label && s->bags && s->texts && draw_new(&s->draw, s->m);
    for (size_t j = 0; made && j < s->width[ILK_TEXT]; j++)
        made = (s->bags[j].begin = ilk_zalloc(BATCH + 1, sizeof *s->bags[j].begin)) != NULL;
    return made;
}

/* The drawn words become those of row i. */
static ilk_status put_words(bag *b, const ilk_draw *from, size_t i) {
    size_t end = b->begin[i] + from->words;
    if (ilk_grow(&b->id, &b->id_cap, end, sizeof *b->id) || ilk_grow(&b->count, &b->count_cap, end, sizeof *b->count))
        return ILK_ENOMEM;
    if (from->words) {
        memcpy(b->id + b->begin[i], from->id, from->words * sizeof *b->id);
        memcpy(b->count + b->begin[i], from->count, from->words * sizeof *b->count);
    }
    b->begin[i + 1] = end;
    return ILK_OK;
}

/* The drawn numbers as they were before the transform; false if some have no such number. */
static bool undo_transforms(const ilk_block *b, double *x) {
    bool possible = true;
    for (size_t j = 0; j < b->d; j++) {
        double y = x[j];
        x[j] = ilk_transform_undo(b->transform[j], y);
        if (isfinite(x[j]) && !ilk_transform_refuses(b->transform[j], x[j]))
            continue;
        x[j] = NAN;
        possible = false;
    }
    return possible;
}

/* Box-Cox and Yeo-Johnson do not reach every number, but a normal does: what has no number before the transform is
 * drawn again, and missing in the end if it has none at all. */
static void draw_transformed(sampler *s, const ilk_model_block *block, const ilk_block *b, uint32_t k) {
    for (int tries = 0; tries < REDRAWS; tries++) {
        block->family->sample(&s->draw, block->params, &block->shape, k, &s->rng);
        if (undo_transforms(b, s->draw.x))
            return;
    }
}

/* A normal may reach beyond the doubles; a row must not. NaN is missing. */
static double within_doubles(double x) {
    return isinf(x) ? copysign(DBL_MAX, x) : x;
}

static ilk_status draw_block(sampler *s, size_t at, size_t i) {
    const ilk_model_block *block = &s->m->block[at];
    const ilk_block *b = &s->m->blocks.block[at];
    size_t width = s->width[b->family->kind];
    if (b->transform && b->family->kind == ILK_REAL)
        draw_transformed(s, block, b, s->label[i]);
    else
        block->family->sample(&s->draw, block->params, &block->shape, s->label[i], &s->rng);
    if (b->family->kind == ILK_TEXT)
        return put_words(&s->bags[b->source[0]], &s->draw, i);
    for (size_t j = 0; j < b->d; j++) {
        if (b->family->kind == ILK_REAL)
            s->real[i * width + b->source[j]] = within_doubles(s->draw.x[j]);
        else
            s->code[i * width + b->source[j]] = s->draw.code[j];
    }
    return ILK_OK;
}

static ilk_status draw_row(sampler *s, size_t i) {
    size_t k = ilk_rng_pick(&s->rng, s->m->log_prior, s->m->K, 1, 1);
    s->label[i] = (uint32_t)(k < s->m->K ? k : 0); /* a file may say that all classes are impossible */
    for (size_t b = 0; b < s->m->blocks.n; b++)
        ILK_TRY(draw_block(s, b, i));
    return ILK_OK;
}

static ilk_status draw_batch(ilk_rows *out, sampler *s, size_t n, ilk_error *err) {
    for (size_t i = 0; i < n; i++)
        if (draw_row(s, i) != ILK_OK)
            return ilk_fail_memory(err);
    for (size_t j = 0; j < s->width[ILK_TEXT]; j++)
        s->texts[j] = (ilk_tokens){s->bags[j].begin, s->bags[j].id, s->bags[j].count, NULL};
    *out = (ilk_rows){.n = n, .real = s->real, .code = s->code, .text = s->texts, .label = s->label};
    return ILK_OK;
}

ilk_status ilk_model_sample(const ilk_model *model, size_t n, uint64_t seed, ilk_rows_fn fn, void *ctx,
                            ilk_error *err) {
    ILK_TRY(ilk_model_generative(model, "rows to draw", err));
    sampler s = {.m = model, .rng = ilk_rng_new(seed)};
    ilk_status status = sampler_new(&s) ? ILK_OK : ilk_fail_memory(err);
    for (size_t done = 0; status == ILK_OK && done < n; done += BATCH) {
        ilk_rows rows;
        status = draw_batch(&rows, &s, n - done < BATCH ? n - done : BATCH, err);
        status = status == ILK_OK ? ilk_fail_callback(err, fn(ctx, &rows)) : status;
    }
    sampler_free(&s);
    return status;
}
