/* SPDX-License-Identifier: Apache-2.0 */
/* score.c - log p(x, y): the prior plus what each block says. Values are checked first, so that families only compute. */
#include "core/memory.h"
#include "model/model.h"

#include <math.h>

enum { CHUNK = 256 }; /* rows scored at a time: a block's columns of them stay in cache */

/* ---- checks */

static ilk_status check_reals(const ilk_block *b, const ilk_rows *rows, size_t width, size_t first,
                              size_t n, ilk_error *err) {
    for (size_t i = first; i < first + n; i++)
        for (size_t j = 0; j < b->d; j++)
            if (isinf(rows->real[i * width + b->source[j]]))
                return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: an infinite value", i, ILK_SHOW(b->column[j]));
    return ILK_OK;
}

/* May this id stand for a value of field j? */
static bool known(const ilk_model *m, const ilk_keys *keys, size_t j, uint32_t id) {
    if (id == ILK_UNSEEN)
        return m->options.unseen != ILK_UNSEEN_ERROR;
    return id >= keys->field_begin[j] && id < keys->field_begin[j + 1];
}

static ilk_status fail_unknown(const ilk_block *b, size_t i, size_t j, uint32_t id, ilk_error *err) {
    if (id == ILK_UNSEEN)
        return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: a value the model has not seen", i, ILK_SHOW(b->column[j]));
    return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %u is not a code of it", i, ILK_SHOW(b->column[j]), id);
}

static ilk_status check_codes(const ilk_model *m, size_t at, const ilk_rows *rows, size_t width, size_t first,
                              size_t n, ilk_error *err) {
    const ilk_block *b = &m->blocks.block[at];
    for (size_t i = first; i < first + n; i++) {
        for (size_t j = 0; j < b->d; j++) {
            uint32_t id = rows->code[i * width + b->source[j]];
            if (id != ILK_MISSING && !known(m, &m->block[at].keys, j, id))
                return fail_unknown(b, i, j, id, err);
        }
    }
    return ILK_OK;
}

static ilk_status check_bags(const ilk_model *m, size_t at, const ilk_tokens *bags, size_t first, size_t n,
                             ilk_error *err) {
    for (size_t i = first; i < first + n; i++) {
        for (size_t w = bags->begin[i]; w < bags->begin[i + 1]; w++) {
            if (!known(m, &m->block[at].keys, 0, bags->id[w]))
                return fail_unknown(&m->blocks.block[at], i, 0, bags->id[w], err);
            if (bags->count[w] == 0) /* 0 × log 0 */
                return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: a word counted 0 times", i,
                                ILK_SHOW(m->blocks.block[at].column[0]));
        }
    }
    return ILK_OK;
}

static ilk_status check_block(const ilk_model *m, size_t at, const ilk_rows *rows, size_t first, size_t n,
                              ilk_error *err) {
    const ilk_block *b = &m->blocks.block[at];
    ilk_kind kind = b->family->kind;
    size_t width = ilk_schema_width(m->schema, kind);
    if (kind == ILK_REAL && rows->real)
        return check_reals(b, rows, width, first, n, err);
    if (kind == ILK_CATEGORY && rows->code)
        return check_codes(m, at, rows, width, first, n, err);
    if (kind == ILK_TEXT && rows->text)
        return check_bags(m, at, &rows->text[b->source[0]], first, n, err);
    return ilk_fail(err, ILK_EARG, "column %.*s: the rows have no values of its kind", ILK_SHOW(b->column[0]));
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
    if (b->family->kind == ILK_TEXT) {
        chunk.bags = &rows->text[b->source[0]];
    } else if (b->d == width) { /* the block has all columns of its kind, in order: no need to copy */
        chunk.x = rows->real ? rows->real + first * width : NULL;
        chunk.code = rows->code ? rows->code + first * width : NULL;
    } else {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < b->d; j++) {
                if (b->family->kind == ILK_REAL)
                    x[i * b->d + j] = rows->real[(first + i) * width + b->source[j]];
                else
                    code[i * b->d + j] = rows->code[(first + i) * width + b->source[j]];
            }
        }
    }
    return chunk;
}

/* Room to gather and compute in, for chunks of n rows. */
typedef struct room {
    double *x, *scratch;
    uint32_t *code;
} room;

static ilk_status room_new(room *r, const ilk_model *m, size_t n) {
    size_t scratch = 0;
    for (size_t b = 0; b < m->blocks.n; b++) {
        size_t need = ilk_model_scratch(&m->block[b], n);
        scratch = need > scratch ? need : scratch;
    }
    r->x = ilk_alloc_aligned(n * ilk_schema_width(m->schema, ILK_REAL), sizeof *r->x);
    r->code = ilk_alloc(n * ilk_schema_width(m->schema, ILK_CATEGORY), sizeof *r->code);
    r->scratch = ilk_alloc_aligned(scratch, sizeof *r->scratch);
    return r->x && r->code && r->scratch ? ILK_OK : ILK_ENOMEM;
}

static void room_free(room *r) {
    ilk_free(r->x);
    ilk_free(r->code);
    ilk_free(r->scratch);
}

static void score(double *out, const ilk_model *m, const ilk_rows *rows, size_t first, size_t n, const room *r) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m->K; k++)
            out[i * m->K + k] = m->log_prior[k];
    for (size_t b = 0; b < m->blocks.n; b++) {
        ilk_chunk chunk = ilk_model_chunk(m, b, rows, first, n, r->x, r->code, r->scratch);
        m->block[b].family->score(out, m->block[b].params, &m->block[b].shape, &chunk);
    }
}

ilk_status ilk_model_log_joint(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err) {
    room r = {0};
    ILK_TRY(ilk_model_check(model, rows, 0, rows->n, err));
    ilk_status status = room_new(&r, model, rows->n < CHUNK ? rows->n : CHUNK);
    for (size_t first = 0; status == ILK_OK && first < rows->n; first += CHUNK) {
        size_t n = rows->n - first < CHUNK ? rows->n - first : CHUNK;
        score(out + first * model->K, model, rows, first, n, &r);
    }
    room_free(&r);
    return status == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}
