/* SPDX-License-Identifier: Apache-2.0 */
/* check_rows.c - may these rows be learnt? The message names the first row and column that may not. */
#include "model/learn.h"

#include <math.h>

static ilk_status check_codes(const ilk_block *b, const ilk_dict *keys, const ilk_rows *rows, size_t width,
                              size_t first, size_t n, ilk_error *err) {
    for (size_t i = first; i < first + n; i++) {
        for (size_t j = 0; j < b->d; j++) {
            uint32_t id = rows->code[i * width + b->source[j]];
            if (id != ILK_MISSING && (id >= keys->n || keys->entry[id].field != j))
                return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %u is not a code of it", i,
                                ILK_SHOW(b->column[j]), id);
        }
    }
    return ILK_OK;
}

static ilk_status check_bags(const ilk_block *b, const ilk_dict *keys, const ilk_tokens *bags, size_t first, size_t n,
                             ilk_error *err) {
    for (size_t i = first; i < first + n; i++)
        for (size_t w = bags->begin[i]; w < bags->begin[i + 1]; w++) {
            if (bags->id[w] >= keys->n)
                return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: %u is not a word of it", i,
                                ILK_SHOW(b->column[0]), bags->id[w]);
            if (bags->count[w] == 0)
                return ilk_fail(err, ILK_EDATA, "row %zu, column %.*s: word %.*s is counted 0 times", i,
                                ILK_SHOW(b->column[0]), ILK_SHOW(ilk_dict_key(keys, bags->id[w])));
        }
    return ILK_OK;
}

ilk_status ilk_learn_check_given(const ilk_stats *s, const ilk_rows *rows, ilk_error *err) {
    if (!rows->label)
        return ilk_fail(err, ILK_EARG, "the rows have no labels");
    for (size_t at = 0; at < s->blocks.n; at++)
        ILK_TRY(ilk_block_check_given(&s->blocks.block[at], rows, 0, rows->n, err));
    return ILK_OK;
}

ilk_status ilk_learn_check_labels(const ilk_stats *s, const ilk_rows *rows, size_t first, size_t n, ilk_error *err) {
    for (size_t i = first; i < first + n; i++) {
        if (rows->label[i] >= s->K)
            return ilk_fail(err, ILK_EDATA, "row %zu: %u is not a class", i, rows->label[i]);
        if (rows->weight && (!isfinite(rows->weight[i]) || rows->weight[i] < 0))
            return ilk_fail(err, ILK_EDATA, "row %zu: a weight of %g", i, rows->weight[i]);
    }
    return ILK_OK;
}

ilk_status ilk_learn_check_keys(const ilk_stats *s, size_t at, const ilk_rows *rows, size_t first, size_t n,
                                ilk_error *err) {
    const ilk_block *b = &s->blocks.block[at];
    const ilk_dict *keys = &s->store[at].counts.keys;
    if (b->family->kind == ILK_CATEGORY)
        return check_codes(b, keys, rows, ilk_schema_width(s->schema, ILK_CATEGORY), first, n, err);
    return check_bags(b, keys, &rows->text[b->source[0]], first, n, err);
}

ilk_status ilk_learn_check(const ilk_stats *s, const ilk_rows *rows, size_t first, size_t n, ilk_error *err) {
    ILK_TRY(ilk_learn_check_labels(s, rows, first, n, err));
    for (size_t at = 0; at < s->blocks.n; at++)
        if (!ilk_block_is_moments(&s->blocks.block[at]))
            ILK_TRY(ilk_learn_check_keys(s, at, rows, first, n, err));
    return ILK_OK;
}
