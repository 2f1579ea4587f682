/* SPDX-License-Identifier: Apache-2.0 */
/* translate.c - ids of statistics, issued as names came, into those of a model, which are sorted: by name, through one
 * table per dictionary. */
#include "model/translate.h"
#include "core/memory.h"
#include "model/learn.h"
#include "model/model.h"

#include <string.h>

/* Per key of block b's dictionary: its id in the model, or ILK_UNSEEN. The caller frees; NULL if there is no memory. */
static uint32_t *key_table(const ilk_stats *s, const ilk_model *m, size_t b) {
    const ilk_dict *keys = &s->store[b].counts.keys;
    uint32_t *to = ilk_alloc(keys->n, sizeof *to);
    for (uint32_t id = 0; to && id < keys->n; id++)
        to[id] = ilk_keys_find(&m->block[b].keys, keys->entry[id].field, ilk_dict_key(keys, id));
    return to;
}

static ilk_status translate_labels(ilk_translation *t, const ilk_stats *s, const ilk_model *m, const ilk_rows *rows,
                                   ilk_error *err) {
    t->label = ilk_alloc(rows->n, sizeof *t->label);
    if (!t->label)
        return ilk_fail_memory(err);
    for (size_t i = 0; i < rows->n; i++) {
        t->label[i] = ilk_model_class(m, ilk_dict_key(&s->classes, rows->label[i]));
        if (t->label[i] != ILK_NONE)
            continue;
        if (!rows->weight || rows->weight[i] > 0)
            return ilk_fail(err, ILK_EDATA, "row %zu: its class has no rows; was it added?", i);
        t->label[i] = 0;
    }
    return ILK_OK;
}

static void translate_codes(ilk_translation *t, const uint32_t *to, const ilk_block *b, const ilk_rows *rows,
                            size_t width) {
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < b->d; j++) {
            size_t at = i * width + b->source[j];
            t->code[at] = rows->code[at] == ILK_MISSING ? ILK_MISSING : to[rows->code[at]];
        }
}

/* One row's words, appended at `end`; returns where they end now. */
static size_t translate_bag(uint32_t *id, uint32_t *count, size_t end, const uint32_t *to, const ilk_tokens *bags,
                            size_t i) {
    size_t unseen = SIZE_MAX;
    for (size_t w = bags->begin[i]; w < bags->begin[i + 1]; w++) {
        uint32_t known = to[bags->id[w]];
        if (known == ILK_UNSEEN && unseen != SIZE_MAX) {
            uint32_t room = UINT32_MAX - count[unseen]; /* how many they are matters little there */
            count[unseen] += bags->count[w] < room ? bags->count[w] : room;
            continue;
        }
        unseen = known == ILK_UNSEEN ? end : unseen;
        id[end] = known;
        count[end++] = bags->count[w];
    }
    return end;
}

static ilk_status translate_text(ilk_tokens *out, const uint32_t *to, const ilk_tokens *bags, size_t n) {
    size_t most = bags->begin[n] - bags->begin[0];
    size_t *begin = ilk_alloc(n + 1, sizeof *begin);
    uint32_t *id = ilk_alloc(most, sizeof *id), *count = ilk_alloc(most, sizeof *count);
    *out = (ilk_tokens){begin, id, count, bags->missing};
    if (!begin || !id || !count)
        return ILK_ENOMEM;
    begin[0] = 0;
    for (size_t i = 0; i < n; i++)
        begin[i + 1] = translate_bag(id, count, begin[i], to, bags, i);
    return ILK_OK;
}

static ilk_status translate_block(ilk_translation *t, const ilk_stats *s, const ilk_model *m, size_t at,
                                  const ilk_rows *rows) {
    const ilk_block *b = &s->blocks.block[at];
    if (ilk_block_is_moments(b))
        return ILK_OK;
    uint32_t *to = key_table(s, m, at);
    ilk_status status = to ? ILK_OK : ILK_ENOMEM;
    if (to && b->family->kind == ILK_TEXT)
        status = translate_text(&t->text[b->source[0]], to, &rows->text[b->source[0]], rows->n);
    else if (to)
        translate_codes(t, to, b, rows, ilk_schema_width(s->schema, ILK_CATEGORY));
    ilk_free(to);
    return status;
}

ilk_status ilk_translate(ilk_translation *out, const ilk_stats *stats, const ilk_model *model, const ilk_rows *rows,
                         ilk_error *err) {
    *out = (ilk_translation){.texts = ilk_schema_width(stats->schema, ILK_TEXT)};
    if (rows->n > 0)
        ILK_TRY(ilk_learn_check_given(stats, rows, err));
    ILK_TRY(ilk_learn_check(stats, rows, 0, rows->n, err));
    out->code = ilk_alloc(rows->n * ilk_schema_width(stats->schema, ILK_CATEGORY), sizeof *out->code);
    out->text = ilk_zalloc(out->texts, sizeof *out->text);
    if (!out->code || !out->text)
        return ilk_fail_memory(err);
    ILK_TRY(translate_labels(out, stats, model, rows, err));
    for (size_t b = 0; rows->n > 0 && b < stats->blocks.n; b++)
        if (translate_block(out, stats, model, b, rows) != ILK_OK)
            return ilk_fail_memory(err);
    out->rows = *rows;
    out->rows.label = out->label;
    out->rows.code = out->code;
    out->rows.text = out->text;
    return ILK_OK;
}

void ilk_translation_free(ilk_translation *t) {
    for (size_t j = 0; t->text && j < t->texts; j++) {
        ilk_free((void *)t->text[j].begin);
        ilk_free((void *)t->text[j].id);
        ilk_free((void *)t->text[j].count);
    }
    ilk_free(t->text);
    ilk_free(t->code);
    ilk_free(t->label);
    *t = (ilk_translation){0};
}
