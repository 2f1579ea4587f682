/* SPDX-License-Identifier: Apache-2.0 */
/* blocks.c - from columns to blocks: which columns are modelled together. */
#include "core/memory.h"
#include "model/schema.h"

#include <math.h>
#include <string.h>

void ilk_blocks_free(ilk_blocks *blocks) {
    for (size_t b = 0; b < blocks->n; b++) {
        ilk_free(blocks->block[b].source);
        ilk_free(blocks->block[b].column);
        ilk_free(blocks->block[b].transform);
    }
    for (size_t kind = 0; kind < 3; kind++)
        ilk_free(blocks->home[kind]);
    ilk_free(blocks->block);
    *blocks = (ilk_blocks){0};
}

/* The block a column belongs to, or blocks->n if it starts one. */
static size_t home(const ilk_blocks *blocks, const ilk_column *c) {
    for (size_t b = 0; c->kind != ILK_TEXT && b < blocks->n; b++)
        if (strcmp(blocks->block[b].family->name, c->family) == 0)
            return b;
    return blocks->n;
}

/* Room for `most` columns: how many a block will get is not known before the last. */
static ilk_status start(ilk_block *b, const ilk_column *c, size_t most) {
    b->family = ilk_family_find(c->family);
    b->source = ilk_alloc(most, sizeof *b->source);
    b->column = ilk_alloc(most, sizeof *b->column);
    b->transform = ilk_alloc(most, sizeof *b->transform);
    return b->source && b->column && b->transform ? ILK_OK : ILK_ENOMEM;
}

/* A block in which no column is transformed has no transforms: rows then need not be copied. */
static void forget_idle(ilk_block *b) {
    for (size_t j = 0; j < b->d; j++)
        if (b->transform[j]->kind != ILK_AS_IS)
            return;
    ilk_free(b->transform);
    b->transform = NULL;
}

static ilk_status fill(ilk_blocks *out, const ilk_schema *schema) {
    size_t n = ilk_schema_columns(schema), texts = ilk_schema_width(schema, ILK_TEXT), families = 0, seen[3] = {0};
    while (ilk_families[families])
        families++;
    out->block = ilk_zalloc(families + texts, sizeof *out->block);
    if (!out->block)
        return ILK_ENOMEM;
    for (size_t kind = 0; kind < 3; kind++) {
        out->home[kind] = ilk_alloc(ilk_schema_width(schema, (ilk_kind)kind), sizeof *out->home[kind]);
        if (!out->home[kind])
            return ILK_ENOMEM;
    }
    for (size_t j = 0; j < n; j++) {
        const ilk_column *c = ilk_schema_column(schema, j);
        if (c->role != ILK_FEATURE)
            continue;
        size_t at = home(out, c);
        ilk_block *b = &out->block[at];
        if (at == out->n) {
            out->n++;
            ILK_TRY(start(b, c, c->kind == ILK_TEXT ? 1 : ilk_schema_width(schema, c->kind)));
        }
        out->home[c->kind][seen[c->kind]] = (ilk_home){at, b->d};
        b->source[b->d] = seen[c->kind]++;
        b->transform[b->d] = &c->transform;
        b->column[b->d++] = c->name;
        b->unit = c->kind == ILK_TEXT ? ilk_tokenizer_unit(&c->tokenizer) : 1;
    }
    for (size_t b = 0; b < out->n; b++)
        forget_idle(&out->block[b]);
    return ILK_OK;
}

void ilk_block_transform(const ilk_block *b, double *x, size_t n) {
    for (size_t i = 0; b->transform && i < n; i++)
        for (size_t j = 0; j < b->d; j++)
            x[i * b->d + j] = ilk_transform_apply(b->transform[j], x[i * b->d + j]);
}

double ilk_block_log_slope(const ilk_block *b, const ilk_rows *rows, size_t width, size_t i) {
    double sum = 0;
    for (size_t j = 0; b->transform && j < b->d; j++)
        sum += ilk_transform_log_slope(b->transform[j], ilk_rows_real(rows, width, i, b->source[j]));
    return sum;
}

ilk_status ilk_block_check_real(const ilk_block *b, size_t j, double x, size_t row, ilk_error *err) {
    if (isinf(x))
        return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: an infinite value", row, ILK_SHOW(b->column[j]));
    if (!isnan(x) && b->family->accepts && !b->family->accepts(x))
        return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %g is nothing that family %s models", row,
                        ILK_SHOW(b->column[j]), x, b->family->name);
    const char *why = b->transform && !isnan(x) ? ilk_transform_refuses(b->transform[j], x) : NULL;
    if (why)
        return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %g %s", row, ILK_SHOW(b->column[j]), x, why);
    return ILK_OK;
}

void ilk_block_copy(double *x, const ilk_block *b, const ilk_rows *rows, size_t width, size_t i) {
    for (size_t j = 0; j < b->d; j++)
        x[j] = ilk_rows_real(rows, width, i, b->source[j]);
}

const double *ilk_block_reals(const ilk_block *b, const ilk_rows *rows, size_t width, size_t first, size_t n,
                              double *x) {
    if (rows->real && b->d == width && !b->transform)
        return rows->real + first * width;
    for (size_t i = 0; i < n; i++)
        ilk_block_copy(x + i * b->d, b, rows, width, first + i);
    ilk_block_transform(b, x, n);
    return x;
}

ilk_status ilk_block_check_given(const ilk_block *b, const ilk_rows *rows, size_t first, size_t n, ilk_error *err) {
    ilk_kind kind = b->family->kind;
    if (kind == ILK_REAL && rows->real && rows->real32)
        return ilk_fail(err, ILK_EARG, "the rows have two matrices of numbers");
    const ilk_tokens *bags = kind == ILK_TEXT && rows->text ? &rows->text[b->source[0]] : NULL;
    if (bags && n > 0 && (!bags->begin || (bags->begin[first + n] > bags->begin[first] && (!bags->id || !bags->count))))
        return ilk_fail(err, ILK_EARG, "column %.*s: the rows have no words, or no counts of them",
                        ILK_SHOW(b->column[0]));
    for (size_t i = first; bags && i < first + n; i++) {
        if (bags->begin[i + 1] < bags->begin[i])
            return ilk_fail(err, ILK_EARG, "row %zu, column %.*s: its words end before they begin", i,
                            ILK_SHOW(b->column[0]));
        if (ilk_text_missing(bags, i) && bags->begin[i + 1] > bags->begin[i])
            return ilk_fail(err, ILK_EARG, "row %zu, column %.*s: a missing text has words", i, ILK_SHOW(b->column[0]));
    }
    if (kind == ILK_REAL ? rows->real || rows->real32 : kind == ILK_CATEGORY ? rows->code != NULL : rows->text != NULL)
        return ILK_OK;
    return ilk_fail(err, ILK_EARG, "column %.*s: the rows have no values of its kind", ILK_SHOW(b->column[0]));
}

ilk_status ilk_blocks_new(ilk_blocks *out, const ilk_schema *schema, ilk_error *err) {
    *out = (ilk_blocks){0};
    if (fill(out, schema) == ILK_OK)
        return ILK_OK;
    ilk_blocks_free(out);
    return ilk_fail_memory(err);
}

/* Families may differ, as long as they divide the columns in the same way. */
ilk_status ilk_blocks_same(const ilk_blocks *a, const ilk_blocks *b, ilk_error *err) {
    for (size_t at = 0; at < a->n; at++) {
        const ilk_block *x = &a->block[at], *y = at < b->n ? &b->block[at] : NULL;
        if (!y || x->d != y->d || x->family->kind != y->family->kind ||
            memcmp(x->source, y->source, x->d * sizeof *x->source) != 0)
            return ilk_fail(err, ILK_EARG, "the schemas differ in column %.*s: in which others are of its family",
                            ILK_SHOW(x->column[0]));
    }
    return ILK_OK;
}

/* A family that accepts counts only relies on all sums being sums of counts: they must not mix with another's. */
ilk_status ilk_blocks_add_up(const ilk_blocks *a, const ilk_blocks *b, ilk_error *err) {
    ILK_TRY(ilk_blocks_same(a, b, err));
    for (size_t at = 0; at < a->n; at++) {
        const ilk_family *x = a->block[at].family, *y = b->block[at].family;
        if (!x->accepts != !y->accepts)
            return ilk_fail(err, ILK_EARG, "the schemas differ in column %.*s: its family (%s and %s)",
                            ILK_SHOW(a->block[at].column[0]), x->name, y->name);
    }
    return ILK_OK;
}
