/* SPDX-License-Identifier: Apache-2.0 */
/* schema_bytes.c - a schema as the bytes of a file, and back. docs/FORMAT.md has the layout.
 *
 * What is read is hostile: it goes through the functions that build any schema, and their checks. */
#include "core/memory.h"
#include "model/schema.h"

#include <string.h>

/* ---- writing */

static ilk_str text_of(const char *name) {
    return (ilk_str){name ? name : "", name ? strlen(name) : 0};
}

static ilk_status put_transform(ilk_buffer *out, const ilk_transform *t) {
    ILK_TRY(ilk_put_u32(out, t->kind));
    ILK_TRY(ilk_put_f64(out, t->lambda));
    ILK_TRY(ilk_put_u32(out, (uint32_t)t->edges));
    return ilk_buffer_add(out, t->edge, t->edges * sizeof *t->edge);
}

static ilk_status put_column(ilk_buffer *out, const ilk_column *c) {
    ILK_TRY(ilk_put_str(out, c->name));
    ILK_TRY(ilk_put_u32(out, c->kind));
    ILK_TRY(ilk_put_u32(out, c->role));
    ILK_TRY(ilk_put_str(out, text_of(c->family)));
    ILK_TRY(ilk_put_u32(out, c->tokenizer.kind));
    ILK_TRY(ilk_put_u32(out, c->tokenizer.keep_case));
    ILK_TRY(ilk_put_u32(out, c->tokenizer.ngram_min));
    ILK_TRY(ilk_put_u32(out, c->tokenizer.ngram_max));
    ILK_TRY(ilk_put_u32(out, c->tokenizer.weight));
    ILK_TRY(ilk_put_u32(out, c->tokenizer.unit_length));
    return put_transform(out, &c->transform);
}

static ilk_status put_word(ilk_buffer *out, ilk_listed w) {
    ILK_TRY(ilk_put_u32(out, (uint32_t)w.j));
    ILK_TRY(ilk_put_u32(out, w.rule));
    return ilk_put_str(out, w.word);
}

/* In order, so that equal lists are equal bytes. */
static ilk_status put_words(ilk_buffer *out, const ilk_schema *schema) {
    size_t n = ilk_schema_listed(schema);
    uint32_t *order = ilk_alloc(n, sizeof *order);
    ilk_status status = order ? ilk_schema_listed_sort(schema, order) : ILK_ENOMEM;
    if (status == ILK_OK)
        status = ilk_put_u32(out, (uint32_t)n);
    for (size_t i = 0; status == ILK_OK && i < n; i++)
        status = put_word(out, ilk_schema_listed_at(schema, order[i]));
    ilk_free(order);
    return status;
}

ilk_status ilk_schema_put(ilk_buffer *out, const ilk_schema *schema) {
    ILK_TRY(ilk_put_u32(out, (uint32_t)ilk_schema_columns(schema)));
    for (size_t j = 0; j < ilk_schema_columns(schema); j++)
        ILK_TRY(put_column(out, ilk_schema_column(schema, j)));
    ILK_TRY(ilk_put_u32(out, (uint32_t)ilk_schema_missing_count(schema)));
    for (size_t i = 0; i < ilk_schema_missing_count(schema); i++)
        ILK_TRY(ilk_put_str(out, ilk_schema_missing(schema, i)));
    ILK_TRY(ilk_put_str(out, text_of(ilk_schema_encoding(schema))));
    return put_words(out, schema);
}

/* ---- reading */

/* The edges are copied to where doubles may lie; *edge is the caller's to free. What they say is checked as for any new
 * column. */
static ilk_status get_transform(ilk_transform *t, double **edge, ilk_reader *in, ilk_error *err) {
    t->kind = (ilk_transform_kind)ilk_get_below(in, ILK_YEO_JOHNSON + 1);
    t->lambda = ilk_get_f64(in);
    t->edges = ilk_get_below(in, (uint32_t)ILK_EDGES_MOST + 1);
    const char *bytes = ilk_get_bytes(in, t->edges * sizeof **edge);
    if (!bytes)
        return ilk_fail(err, ILK_EFORMAT, "bad transform in the schema");
    *edge = ilk_alloc(t->edges, sizeof **edge);
    if (!*edge)
        return ilk_fail_memory(err);
    memcpy(*edge, bytes, t->edges * sizeof **edge);
    t->edge = *edge;
    return ILK_OK;
}

static ilk_status get_column(ilk_schema *to, ilk_reader *in, ilk_error *err) {
    ilk_column c = {.name = ilk_get_str(in)};
    c.kind = (ilk_kind)ilk_get_below(in, ILK_TEXT + 1);
    c.role = (ilk_role)ilk_get_below(in, ILK_WEIGHT + 1);
    ilk_str family = ilk_get_str(in);
    c.tokenizer.kind = (ilk_token_kind)ilk_get_below(in, ILK_PIECES + 1);
    c.tokenizer.keep_case = ilk_get_below(in, 2);
    c.tokenizer.ngram_min = ilk_get_u32(in);
    c.tokenizer.ngram_max = ilk_get_u32(in);
    c.tokenizer.weight = (ilk_term_weight)ilk_get_below(in, ILK_TERM_LOG + 1);
    c.tokenizer.unit_length = ilk_get_below(in, 2);
    char name[64] = "";
    if (in->bad || family.n >= sizeof name)
        return ilk_fail(err, ILK_EFORMAT, "bad column in the schema");
    memcpy(name, family.p, family.n);
    c.family = name;
    double *edge = NULL;
    ilk_status status = get_transform(&c.transform, &edge, in, err);
    if (status == ILK_OK)
        status = ilk_schema_add(to, &c, err);
    ilk_free(edge);
    return status;
}

static ilk_status get_encoding(ilk_schema *to, ilk_reader *in, ilk_error *err) {
    ilk_str name = ilk_get_str(in);
    char text[ILK_ENCODING_SIZE] = "";
    if (in->bad || name.n >= sizeof text || memchr(name.p, '\0', name.n))
        return ilk_fail(err, ILK_EFORMAT, "bad encoding in the schema");
    memcpy(text, name.p, name.n);
    return ilk_schema_set_encoding(to, text, err);
}

static ilk_status get_words(ilk_schema *to, ilk_reader *in, ilk_error *err) {
    uint32_t n = ilk_get_u32(in);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        size_t j = ilk_get_below(in, (uint32_t)ilk_schema_width(to, ILK_TEXT));
        ilk_word_rule rule = (ilk_word_rule)ilk_get_below(in, ILK_WORD_LISTED + 1);
        ilk_str word = ilk_get_str(in);
        if (!in->bad)
            ILK_TRY(ilk_schema_add_word(to, j, rule, word, err));
    }
    return in->bad || ilk_schema_listed(to) != n ? ilk_fail(err, ILK_EFORMAT, "bad list of words in the schema")
                                                 : ILK_OK;
}

ilk_status ilk_schema_get(ilk_schema **out, ilk_reader *in, ilk_error *err) {
    ilk_status status = ilk_schema_new(out, err);
    uint32_t n = ilk_get_u32(in);
    for (uint32_t j = 0; status == ILK_OK && j < n; j++)
        status = get_column(*out, in, err);
    n = ilk_get_u32(in);
    for (uint32_t i = 0; status == ILK_OK && !in->bad && i < n; i++)
        status = ilk_schema_add_missing(*out, ilk_get_str(in), err);
    if (status == ILK_OK)
        status = get_encoding(*out, in, err);
    if (status == ILK_OK)
        status = get_words(*out, in, err);
    if (status == ILK_OK && in->bad)
        status = ilk_fail(err, ILK_EFORMAT, "the schema is cut short");
    if (status != ILK_OK) {
        ilk_schema_free(*out);
        *out = NULL;
    }
    return status;
}
