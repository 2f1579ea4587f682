/* SPDX-License-Identifier: Apache-2.0 */
/* encode.c - one row at a time, growing the matrices of a block.
 *
 * Invariant: a row that is refused leaves no trace. Numbers, which can be wrong, are therefore read before any name is
 * learnt, and rows count only once they are complete.
 */
#include "data/encode_part.h"
#include "core/memory.h"
#include "core/number.h"
#include "kernels/kernels.h"
#include "model/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ilk_status ilk_refuse(const ilk_origin *at, ilk_str column, ilk_str value, const char *why, ilk_error *err) {
    if (!at)
        return ilk_fail(err, ILK_EDATA, "column %.*s: '%.*s' %s", ILK_SHOW(column), ILK_SHOW(value), why);
    return ilk_fail(err, ILK_EDATA, "%s:%zu: column %.*s: '%.*s' %s", at->file, at->line, ILK_SHOW(column),
                    ILK_SHOW(value), why);
}

/* The same in that column of the file. */
static ilk_status refuse(const ilk_encoder *e, const ilk_origin *at, size_t column, ilk_str value, const char *why,
                         ilk_error *err) {
    return ilk_refuse(at, e->map->names[column], value, why, err);
}

bool ilk_refuses_unseen(const ilk_model *model) {
    return model && ilk_model_options(model)->unseen == ILK_UNSEEN_ERROR;
}

/* ---- numbers */

/* Entries all stand in one column of the table, but each is a column of the schema. */
static ilk_str real_name(const ilk_column_map *m, size_t j) {
    return m->entry ? ilk_schema_feature(m->schema, ILK_REAL, j)->name : m->names[m->real[j]];
}

/* Refuse a number that the column's family or transform does not accept: here, where file and line are known; the
 * statistics would refuse the whole block. `value` is empty where the number was not given as text. */
static ilk_status check_real(const ilk_encoder *e, const ilk_origin *at, size_t j, ilk_str value, double x,
                             ilk_error *err) {
    const ilk_family *family = e->map->family[j];
    char digits[ILK_NUMBER_SIZE], models[64];
    const char *why = isinf(x) ? "is too large" : ilk_transform_refuses(e->map->power[j], x);
    if (!why && (!family->accepts || family->accepts(x)))
        return ILK_OK;
    snprintf(models, sizeof models, "is nothing that family %s models", family->name);
    if (value.n == 0)
        value = (ilk_str){digits, ilk_number_format(digits, x)};
    return ilk_refuse(at, real_name(e->map, j), value, why ? why : models, err);
}

/* Whatever there may be in a field; `known` is its number, if that is known. */
static ilk_status add_real(ilk_encoder *e, size_t j, ilk_str value, double known, const ilk_origin *at,
                           ilk_error *err) {
    const ilk_column_map *m = e->map;
    double *x = &e->real[e->n * m->reals + j];
    *x = known;                                             /* missing, if there is no text either */
    if (value.n > 0 && ilk_missing_has(&m->missing, value)) /* first, because -999 may be one */
        *x = (double)NAN;
    else if (value.n > 0 && isnan(known) && !ilk_number_parse(x, value))
        return refuse(e, at, m->real[j], value, "is not a number", err);
    e->gaps |= isnan(*x);
    return isinf(*x) ? check_real(e, at, j, value, *x, err) : ILK_OK;
}

static ilk_status check_reals(const ilk_encoder *e, const ilk_str *fields, const ilk_origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    const double *x = &e->real[e->n * m->reals];
    for (size_t j = 0; !m->any_number && j < m->reals; j++)
        if (!isnan(x[j]))
            ILK_TRY(check_real(e, at, j, fields[m->real[j]], x[j], err));
    return ILK_OK;
}

/* Numbers that are written out are read as far as they go at once, where none of them can mean "missing". */
static ilk_status add_reals(ilk_encoder *e, const ilk_str *fields, const double *number, const ilk_origin *at,
                            ilk_error *err) {
    const ilk_column_map *m = e->map;
    bool at_once = !number && !m->missing.numbers;
    if (m->reals == 0)
        return ILK_OK;
    double *x = &e->real[e->n * m->reals];
    for (size_t j = 0;; j++) {
        if (at_once)
            j += ilk_kernels_use()->numbers(x + j, fields, m->real + j, m->reals - j);
        if (j == m->reals)
            break;
        ILK_TRY(add_real(e, j, fields[m->real[j]], number ? number[m->real[j]] : (double)NAN, at, err));
    }
    return check_reals(e, fields, at, err);
}

/* The bin of that name, from 1, or 0: rows drawn from a model hold names where there were numbers. */
static size_t find_bin(const ilk_transform *t, ilk_str value) {
    char name[ILK_BIN_NAME];
    for (size_t bin = 1; bin <= t->edges + 1; bin++)
        if (ilk_str_equal(value, (ilk_str){name, ilk_transform_bin_name(name, t, bin)}))
            return bin;
    return 0;
}

static ilk_status add_bins(ilk_encoder *e, const ilk_str *fields, const ilk_origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    for (size_t j = 0; j < m->codes; j++) {
        if (!m->bins[j])
            continue;
        ilk_str value = fields[m->code[j]];
        uint32_t *code = &e->code[e->n * m->codes + j];
        double x;
        *code = ILK_MISSING;
        if (ilk_missing_has(&m->missing, value))
            continue;
        size_t bin = ilk_number_parse(&x, value) ? ilk_transform_bin(m->bins[j], x) : find_bin(m->bins[j], value);
        if (bin == 0)
            return refuse(e, at, m->code[j], value, "is not a number, and none of the column's bins", err);
        *code = e->bin_code[j][bin - 1];
    }
    return ILK_OK;
}

/* Numbers that are not listed are 0. An index the model does not know is an extra column, and tolerated; one that the
 * rows looked at did not have, and that is now to be learnt, is not. */
static ilk_status add_entries(ilk_encoder *e, ilk_str rest, const ilk_origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    double *x = &e->real[e->n * m->reals];
    memset(x, 0, m->reals * sizeof *x);
    for (ilk_entry entry; ilk_entry_next(&rest, &entry);) {
        size_t index = ilk_entry_index(entry.key);
        uint32_t j = index < m->entries ? m->entry[index] : ILK_NONE;
        if (j == ILK_NONE && e->stats)
            return ilk_refuse(at, entry.key, entry.value, "is in a column that the first rows do not have (--columns)",
                              err);
        if (j == ILK_NONE)
            continue;
        if (!ilk_number_parse(&x[j], entry.value))
            return ilk_refuse(at, entry.key, entry.value, "is not a number", err);
        if (isinf(x[j]) || !m->any_number)
            ILK_TRY(check_real(e, at, j, entry.value, x[j], err));
    }
    for (size_t j = 0; !m->any_number && j < m->reals; j++)
        if (x[j] == 0)
            ILK_TRY(check_real(e, at, j, (ilk_str){0}, 0, err));
    return ILK_OK;
}

/* A row whose weight is not known cannot be learnt: there is nothing to assume. */
static ilk_status add_weight(ilk_encoder *e, const ilk_str *fields, const ilk_origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    if (m->weight == SIZE_MAX)
        return ILK_OK;
    ilk_str value = fields[m->weight];
    double *w = &e->weight[e->n];
    if (ilk_missing_has(&m->missing, value) || !ilk_number_parse(w, value) || !(*w >= 0 && *w <= 0x1p53))
        return refuse(e, at, m->weight, value, "is no weight: a number from 0 to 2^53", err);
    return ILK_OK;
}

/* ---- categories */

/* By the dictionary: learning makes a code for a new value, answering does not. */
static ilk_status look_up_code(const ilk_encoder *e, size_t j, ilk_str value, uint32_t *code, ilk_error *err) {
    value = ilk_number_plain(value);
    if (e->stats)
        return ilk_stats_code(code, e->stats, j, value, err);
    *code = ilk_model_code(e->model, j, value);
    return ILK_OK;
}

static ilk_status find_code(const ilk_encoder *e, size_t j, ilk_str value, uint32_t *code, ilk_error *err) {
    if (value.n > ILK_MEMO_LONGEST)
        return look_up_code(e, j, value, code, err);
    ilk_memo key = ilk_memo_key(value);
    ilk_memo_place *place = &e->code_memo[(j << ILK_CODE_MEMO_BITS) + ilk_memo_at(&key, ILK_CODE_MEMO_BITS)];
    if (!ilk_memo_recall(place, &key)) {
        ILK_TRY(look_up_code(e, j, value, &key.id, err));
        ilk_memo_keep(place, &key);
    }
    *code = key.id;
    return ILK_OK;
}

static ilk_status encode_category(const ilk_encoder *e, size_t j, ilk_str value, const ilk_origin *at, uint32_t *code,
                                  ilk_error *err) {
    ILK_TRY(find_code(e, j, value, code, err));
    if (*code == ILK_UNSEEN && ilk_refuses_unseen(e->model))
        return refuse(e, at, e->map->code[j], value, "is a value the model has not seen", err);
    return ILK_OK;
}

static ilk_status add_codes(ilk_encoder *e, const ilk_str *fields, const ilk_origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    for (size_t j = 0; j < m->codes; j++) {
        ilk_str value = fields[m->code[j]];
        uint32_t *code = &e->code[e->n * m->codes + j];
        if (m->bins[j]) /* by add_bins */
            continue;
        if (ilk_missing_has(&m->missing, value))
            *code = ILK_MISSING;
        else
            ILK_TRY(encode_category(e, j, value, at, code, err));
    }
    return ILK_OK;
}

/* Has the row that is being added such a category? */
static bool has_unseen(const ilk_encoder *e) {
    for (size_t j = 0; e->model && j < e->map->codes; j++)
        if (e->code[e->n * e->map->codes + j] == ILK_UNSEEN)
            return true;
    return false;
}

/* ---- labels */

/* Labels are few and short; their dictionary is in the cache anyway. */
static ilk_status add_label(ilk_encoder *e, const ilk_str *fields, ilk_error *err) {
    const ilk_column_map *m = e->map;
    uint32_t *label = &e->label[e->n];
    *label = ILK_NONE;
    if (m->target == SIZE_MAX || ilk_missing_has(&m->missing, fields[m->target]))
        return ILK_OK;
    if (e->stats)
        return ilk_stats_class(label, e->stats, fields[m->target], err);
    *label = ilk_model_class(e->model, fields[m->target]);
    if (*label == ILK_NONE)
        *label = ILK_UNSEEN;
    return ILK_OK;
}

/* ---- rows */

/* The codes of a column's bins, once for all rows. Statistics and models have them all. */
static bool bins_init(ilk_encoder *e, size_t j) {
    const ilk_transform *t = e->map->bins[j];
    char name[ILK_BIN_NAME];
    if (!t)
        return true;
    e->bin_code[j] = ilk_alloc(t->edges + 1, sizeof *e->bin_code[j]);
    for (size_t bin = 1; e->bin_code[j] && bin <= t->edges + 1; bin++) {
        ilk_str key = {name, ilk_transform_bin_name(name, t, bin)};
        if (look_up_code(e, j, key, &e->bin_code[j][bin - 1], NULL) != ILK_OK)
            return false;
    }
    return e->bin_code[j] != NULL;
}

static ilk_status text_init(ilk_encoder *e, size_t j) {
    const ilk_column_map *m = e->map;
    e->bags[j] = (ilk_bag){.stats = e->stats,
                           .model = e->model,
                           .j = j,
                           .column = m->names[m->text[j]],
                           .tokenizer = m->tokenizer[j],
                           .empty_is_text = m->empty_is_text};
    return ilk_bag_init(&e->bags[j]);
}

ilk_status ilk_encoder_init(ilk_encoder *out, const ilk_column_map *map, ilk_stats *stats, const ilk_model *model) {
    *out = (ilk_encoder){.map = map, .stats = stats, .model = model};
    out->bags = ilk_zalloc(map->texts, sizeof *out->bags);
    out->tokens = ilk_zalloc(map->texts, sizeof *out->tokens);
    out->code_memo = ilk_zalloc(map->codes << ILK_CODE_MEMO_BITS, sizeof *out->code_memo);
    out->bin_code = ilk_zalloc(map->codes, sizeof *out->bin_code);
    bool good = out->bags && out->tokens && out->code_memo && out->bin_code;
    for (size_t j = 0; good && j < map->codes; j++)
        good = bins_init(out, j);
    for (size_t j = 0; good && j < map->texts; j++)
        good = text_init(out, j) == ILK_OK;
    if (!good) {
        ilk_encoder_free(out);
        return ILK_ENOMEM;
    }
    ilk_encoder_clear(out);
    return ILK_OK;
}

void ilk_encoder_free(ilk_encoder *e) {
    for (size_t j = 0; e->bags && j < e->map->texts; j++)
        ilk_bag_release(&e->bags[j]);
    ilk_free(e->bags);
    ilk_free(e->tokens);
    ilk_free(e->code_memo);
    for (size_t j = 0; e->bin_code && j < e->map->codes; j++)
        ilk_free(e->bin_code[j]);
    ilk_free(e->bin_code);
    ilk_free(e->real);
    ilk_free(e->weight);
    ilk_free(e->code);
    ilk_free(e->label);
    *e = (ilk_encoder){0};
}

void ilk_encoder_settle(ilk_encoder *e) {
    for (size_t j = 0; j < e->map->texts; j++)
        ilk_bag_settle(&e->bags[j]);
    ilk_free(e->code_memo);
    e->code_memo = NULL;
}

void ilk_encoder_clear(ilk_encoder *e) {
    e->n = e->unseen = 0;
    e->gaps = false;
    for (size_t j = 0; j < e->map->texts; j++)
        ilk_bag_clear(&e->bags[j]);
}

/* Room for one row more. */
static bool make_room(ilk_encoder *e) {
    const ilk_column_map *m = e->map;
    size_t rows = e->n + 1;
    bool good = !ilk_grow(&e->real, &e->real_cap, rows * m->reals, sizeof *e->real) &&
                (m->weight == SIZE_MAX || !ilk_grow(&e->weight, &e->weight_cap, rows, sizeof *e->weight)) &&
                !ilk_grow(&e->code, &e->code_cap, rows * m->codes, sizeof *e->code) &&
                !ilk_grow(&e->label, &e->label_cap, rows, sizeof *e->label);
    for (size_t j = 0; good && j < m->texts; j++)
        good = ilk_bag_reserve(&e->bags[j], rows) == ILK_OK;
    return good;
}

ilk_status ilk_encoder_add(ilk_encoder *e, const ilk_str *fields, const double *number, const char *file, size_t line,
                           bool *unlabelled, ilk_error *err) {
    const ilk_column_map *m = e->map;
    const ilk_origin at = {file, line};
    *unlabelled = m->target != SIZE_MAX && ilk_missing_has(&m->missing, fields[m->target]);
    if (*unlabelled && m->learnt)
        return ILK_OK;
    if (!make_room(e))
        return ilk_fail_memory(err);
    if (m->entry)
        ILK_TRY(add_entries(e, fields[m->real[0]], &at, err));
    else
        ILK_TRY(add_reals(e, fields, number, &at, err));
    ILK_TRY(add_bins(e, fields, &at, err));
    ILK_TRY(add_weight(e, fields, &at, err));
    ILK_TRY(add_label(e, fields, err));
    ILK_TRY(add_codes(e, fields, &at, err));
    for (size_t j = 0; j < m->texts; j++)
        ILK_TRY(ilk_bag_put(&e->bags[j], e->n, fields[m->text[j]], &at, err));
    e->unseen += has_unseen(e);
    e->n++;
    return ILK_OK;
}

ilk_status ilk_encoder_add_packed(ilk_encoder *e, const ilk_packed_bag *bag, uint32_t label, const uint32_t *to,
                                  ilk_error *err) {
    if (!make_room(e))
        return ilk_fail_memory(err);
    e->label[e->n] = label;
    ILK_TRY(ilk_bag_unpack(&e->bags[0], e->n, bag, to, err));
    e->n++;
    return ILK_OK;
}

ilk_status ilk_encoder_add_blank(ilk_encoder *e) {
    const ilk_column_map *m = e->map;
    if (!make_room(e))
        return ILK_ENOMEM;
    e->gaps = true;
    for (size_t j = 0; j < m->reals; j++)
        e->real[e->n * m->reals + j] = NAN;
    for (size_t j = 0; j < m->codes; j++)
        e->code[e->n * m->codes + j] = ILK_MISSING;
    for (size_t j = 0; j < m->texts; j++)
        ilk_bag_put_missing(&e->bags[j], e->n);
    if (m->weight != SIZE_MAX)
        e->weight[e->n] = 0;
    e->label[e->n++] = ILK_NONE;
    return ILK_OK;
}

ilk_rows ilk_encoder_rows(const ilk_encoder *e) {
    for (size_t j = 0; j < e->map->texts; j++)
        e->tokens[j] = ilk_bag_tokens(&e->bags[j]);
    return (ilk_rows){.n = e->n,
                      .real = e->real,
                      .code = e->code,
                      .text = e->tokens,
                      .label = e->label,
                      .weight = e->map->weight == SIZE_MAX ? NULL : e->weight};
}
