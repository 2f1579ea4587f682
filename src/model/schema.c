/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c - the columns of a table: building, copying, comparing. As bytes: schema_bytes.c. */
#include "model/schema.h"
#include "core/memory.h"

#include <string.h>

struct ilk_schema {
    ilk_dict names; /* the id of a column is its index */
    ilk_column *column;
    size_t cap;
    ilk_dict missing;
    ilk_dict listed; /* words of lists; the field is 2 × the text feature + the rule */
    size_t *lengths; /* of these lists, by field */
    size_t lengths_cap;
    size_t target, weight;            /* SIZE_MAX: none yet */
    size_t width[3];                  /* features per kind */
    char encoding[ILK_ENCODING_SIZE]; /* of the data, empty if nobody said */
};

ilk_status ilk_schema_new(ilk_schema **out, ilk_error *err) {
    *out = ilk_zalloc(1, sizeof **out);
    if (!*out)
        return ilk_fail_memory(err);
    (*out)->target = (*out)->weight = SIZE_MAX;
    return ILK_OK;
}

/* A schema's edges are its own. */
static void free_edges(ilk_column *c) {
    ilk_free((void *)(uintptr_t)c->transform.edge);
    c->transform.edge = NULL;
}

void ilk_schema_free(ilk_schema *schema) {
    if (!schema)
        return;
    for (size_t j = 0; j < schema->names.n; j++)
        free_edges(&schema->column[j]);
    ilk_dict_free(&schema->names);
    ilk_dict_free(&schema->missing);
    ilk_dict_free(&schema->listed);
    ilk_free(schema->lengths);
    ilk_free(schema->column);
    ilk_free(schema);
}

/* Families that do not take every number model counts, which are not to be bent. */
static ilk_status check_transform(const ilk_column *c, const ilk_family *family, ilk_error *err) {
    const ilk_transform *t = &c->transform;
    ilk_error inner;
    if (ilk_transform_check(t, &inner) != ILK_OK)
        return ilk_fail(err, ILK_EARG, "column %.*s: %s", ILK_SHOW(c->name), inner.message);
    if (t->kind == ILK_BINS && c->kind != ILK_CATEGORY)
        return ilk_fail(err, ILK_EARG, "column %.*s: bins are categories, which family %s does not model",
                        ILK_SHOW(c->name), c->family);
    if (ilk_transform_is_power(t) && (c->kind != ILK_REAL || family->accepts))
        return ilk_fail(err, ILK_EARG, "column %.*s: family %s models no transformed numbers", ILK_SHOW(c->name),
                        c->family);
    return ILK_OK;
}

static ilk_status fail_value(const ilk_column *c, const char *what, unsigned value, ilk_error *err) {
    return ilk_fail(err, ILK_EARG, "column %.*s: there is no %s %u", ILK_SHOW(c->name), what, value);
}

static ilk_status check_tokenizer(const ilk_column *c, ilk_error *err) {
    const ilk_tokenizer *t = &c->tokenizer;
    if ((unsigned)t->kind > ILK_PIECES)
        return fail_value(c, "kind of tokens", t->kind, err);
    if ((unsigned)t->weight > ILK_TERM_LOG)
        return fail_value(c, "term weight", t->weight, err);
    if (t->ngram_min < 1 || t->ngram_max < t->ngram_min || t->ngram_max > 8)
        return ilk_fail(err, ILK_EARG, "column %.*s: n-grams of %u to %u words are not possible", ILK_SHOW(c->name),
                        t->ngram_min, t->ngram_max);
    return ILK_OK;
}

static ilk_status check_feature(const ilk_column *c, const ilk_family **family, ilk_error *err) {
    *family = c->family ? ilk_family_find(c->family) : NULL;
    if (!*family)
        return ilk_fail(err, ILK_EARG, "column %.*s: no family '%s'", ILK_SHOW(c->name), c->family ? c->family : "");
    if ((*family)->kind != c->kind)
        return ilk_fail(err, ILK_EARG, "column %.*s: family %s does not model this kind of column", ILK_SHOW(c->name),
                        c->family);
    if (c->kind == ILK_TEXT)
        ILK_TRY(check_tokenizer(c, err));
    return check_transform(c, *family, err);
}

/* What is kept of a transform: nothing for columns that are no features, and no field that its kind does not have. */
static ilk_status copy_transform(ilk_transform *to, const ilk_column *c) {
    const ilk_transform *from = &c->transform;
    *to = (ilk_transform){0};
    if (c->role != ILK_FEATURE)
        return ILK_OK;
    to->kind = from->kind;
    if (ilk_transform_is_power(from))
        to->lambda = from->lambda;
    if (from->kind != ILK_BINS)
        return ILK_OK;
    double *edge = ilk_alloc(from->edges, sizeof *edge);
    if (!edge)
        return ILK_ENOMEM;
    for (size_t i = 0; i < from->edges; i++)
        edge[i] = from->edge[i] + 0.0; /* no -0, which has another name */
    to->edge = edge;
    to->edges = from->edges;
    return ILK_OK;
}

ilk_status ilk_schema_add(ilk_schema *schema, const ilk_column *column, ilk_error *err) {
    const ilk_family *family = NULL;
    size_t j = schema->names.n;
    if (ilk_schema_find(schema, column->name) != SIZE_MAX)
        return ilk_fail(err, ILK_EARG, "two columns are named %.*s", ILK_SHOW(column->name));
    if ((unsigned)column->role > ILK_WEIGHT)
        return fail_value(column, "role", column->role, err);
    if ((unsigned)column->kind > ILK_TEXT)
        return fail_value(column, "kind", column->kind, err);
    if (column->role == ILK_TARGET && schema->target != SIZE_MAX)
        return ilk_fail(err, ILK_EARG, "two targets: %.*s", ILK_SHOW(column->name));
    if (column->role == ILK_WEIGHT && schema->weight != SIZE_MAX)
        return ilk_fail(err, ILK_EARG, "two columns of weights: %.*s", ILK_SHOW(column->name));
    if (column->role == ILK_FEATURE)
        ILK_TRY(check_feature(column, &family, err));
    uint32_t id;
    size_t room = schema->names.text.cap;
    ilk_column copy = *column;
    if (column->role != ILK_FEATURE || column->kind != ILK_TEXT)
        copy.tokenizer = (ilk_tokenizer){0}; /* nobody has looked at it, and it would be saved */
    if (ilk_grow(&schema->column, &schema->cap, j + 1, sizeof *schema->column) ||
        copy_transform(&copy.transform, column) != ILK_OK)
        return ilk_fail_memory(err);
    if (ilk_dict_intern(&schema->names, 0, column->name, &id) != ILK_OK) {
        free_edges(&copy);
        return ilk_fail_memory(err);
    }
    schema->column[j] = copy;
    schema->column[j].family = family ? family->name : NULL; /* the registry's string, which never goes away */
    /* Names point into the dictionary's text; when that has grown, and so may have moved, they all follow. */
    for (uint32_t i = room == schema->names.text.cap ? (uint32_t)j : 0; i <= j; i++)
        schema->column[i].name = ilk_dict_key(&schema->names, i);
    if (column->role == ILK_TARGET)
        schema->target = j;
    if (column->role == ILK_WEIGHT)
        schema->weight = j;
    if (column->role == ILK_FEATURE)
        schema->width[column->kind]++;
    return ILK_OK;
}

ilk_status ilk_schema_add_missing(ilk_schema *schema, ilk_str spelling, ilk_error *err) {
    uint32_t id;
    return ilk_dict_intern(&schema->missing, 0, spelling, &id) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

ilk_status ilk_schema_set_encoding(ilk_schema *schema, const char *encoding, ilk_error *err) {
    size_t n = encoding ? strlen(encoding) : 0;
    if (n >= sizeof schema->encoding)
        return ilk_fail(err, ILK_EARG, "no encoding has a name of %zu bytes", n);
    memset(schema->encoding, 0, sizeof schema->encoding);
    if (n > 0)
        memcpy(schema->encoding, encoding, n);
    return ILK_OK;
}

const char *ilk_schema_encoding(const ilk_schema *schema) {
    return schema->encoding[0] ? schema->encoding : NULL;
}

size_t ilk_schema_columns(const ilk_schema *schema) {
    return schema->names.n;
}

const ilk_column *ilk_schema_column(const ilk_schema *schema, size_t j) {
    return j < schema->names.n ? &schema->column[j] : NULL;
}

const ilk_column *ilk_schema_feature(const ilk_schema *schema, ilk_kind kind, size_t j) {
    for (size_t i = 0; i < schema->names.n; i++)
        if (schema->column[i].role == ILK_FEATURE && schema->column[i].kind == kind && j-- == 0)
            return &schema->column[i];
    return NULL;
}

size_t ilk_schema_find(const ilk_schema *schema, ilk_str name) {
    uint32_t id = ilk_dict_find(&schema->names, 0, name);
    return id == ILK_UNSEEN ? SIZE_MAX : id;
}

size_t ilk_schema_target(const ilk_schema *schema) {
    return schema->target;
}

size_t ilk_schema_weight(const ilk_schema *schema) {
    return schema->weight;
}

size_t ilk_schema_missing_count(const ilk_schema *schema) {
    return schema->missing.n;
}

ilk_str ilk_schema_missing(const ilk_schema *schema, size_t i) {
    return i < schema->missing.n ? ilk_dict_key(&schema->missing, (uint32_t)i) : (ilk_str){"", 0};
}

size_t ilk_schema_width(const ilk_schema *schema, ilk_kind kind) {
    return kind <= ILK_TEXT ? schema->width[kind] : 0;
}

/* ---- lists of words */

static uint32_t list_field(size_t j, ilk_word_rule rule) {
    return (uint32_t)(2 * j + rule);
}

size_t ilk_schema_words(const ilk_schema *schema, size_t j, ilk_word_rule rule) {
    uint32_t field = list_field(j, rule);
    return j < schema->width[ILK_TEXT] && field < schema->lengths_cap ? schema->lengths[field] : 0;
}

ilk_status ilk_schema_add_word(ilk_schema *schema, size_t j, ilk_word_rule rule, ilk_str word, ilk_error *err) {
    uint32_t id, field = list_field(j, rule);
    size_t before = schema->lengths_cap, n = schema->listed.n;
    if (j >= schema->width[ILK_TEXT])
        return ilk_fail(err, ILK_EARG, "there is no text feature %zu", j);
    if ((unsigned)rule > ILK_WORD_LISTED)
        return ilk_fail(err, ILK_EARG, "there is no list %u of words", rule);
    if (ilk_dict_find(&schema->listed, field ^ 1, word) != ILK_UNSEEN)
        return ilk_fail(err, ILK_EARG, "'%.*s' is a word of the dictionary and is stopped", ILK_SHOW(word));
    if (ilk_grow(&schema->lengths, &schema->lengths_cap, 2 * j + 2, sizeof *schema->lengths))
        return ilk_fail_memory(err);
    memset(schema->lengths + before, 0, (schema->lengths_cap - before) * sizeof *schema->lengths);
    if (ilk_dict_intern(&schema->listed, field, word, &id) != ILK_OK)
        return ilk_fail_memory(err);
    schema->lengths[field] += schema->listed.n - n;
    return ILK_OK;
}

uint32_t ilk_schema_judge(const ilk_schema *schema, size_t j, ilk_str word) {
    if (schema->listed.n == 0)
        return 0;
    if (ilk_dict_find(&schema->listed, list_field(j, ILK_WORD_STOPPED), word) != ILK_UNSEEN)
        return ILK_MISSING;
    return ilk_schema_words(schema, j, ILK_WORD_LISTED) > 0 &&
                   ilk_dict_find(&schema->listed, list_field(j, ILK_WORD_LISTED), word) == ILK_UNSEEN
               ? ILK_UNSEEN
               : 0;
}

size_t ilk_schema_listed(const ilk_schema *schema) {
    return schema->listed.n;
}

ilk_listed ilk_schema_listed_at(const ilk_schema *schema, size_t i) {
    uint32_t field = schema->listed.entry[i].field;
    return (ilk_listed){field / 2, (ilk_word_rule)(field % 2), ilk_dict_key(&schema->listed, (uint32_t)i)};
}

static ilk_status copy_words(ilk_schema *to, const ilk_schema *from, ilk_error *err) {
    for (size_t i = 0; i < from->listed.n; i++) {
        ilk_listed w = ilk_schema_listed_at(from, i);
        ILK_TRY(ilk_schema_add_word(to, w.j, w.rule, w.word, err));
    }
    return ILK_OK;
}

/* Does b have all that is listed in a? */
static ilk_status same_words(const ilk_schema *a, const ilk_schema *b, ilk_error *err) {
    for (size_t i = 0; i < a->listed.n; i++) {
        ilk_listed w = ilk_schema_listed_at(a, i);
        if (ilk_dict_find(&b->listed, list_field(w.j, w.rule), w.word) == ILK_UNSEEN)
            return ilk_fail(err, ILK_EARG, "the schemas differ: '%.*s' is %s in one of them", ILK_SHOW(w.word),
                            w.rule == ILK_WORD_STOPPED ? "stopped" : "a word of the dictionary");
    }
    return ILK_OK;
}

ilk_status ilk_schema_listed_sort(const ilk_schema *schema, uint32_t *order) {
    return ilk_dict_sort(&schema->listed, order);
}

/* ---- copies */

static ilk_status copy_missing(ilk_schema *to, const ilk_schema *from, ilk_error *err) {
    for (size_t i = 0; i < from->missing.n; i++)
        ILK_TRY(ilk_schema_add_missing(to, ilk_schema_missing(from, i), err));
    return ILK_OK;
}

/* A family can be exchanged for one that is estimated from the same statistics. */
static ilk_status refit_column(ilk_column *c, const char *name, ilk_error *err) {
    const ilk_family *now = ilk_family_find(c->family), *then = ilk_family_find(name);
    if (!then || then->layout != now->layout)
        return ilk_fail(err, ILK_EARG, "column %.*s: family '%s' cannot be estimated from the statistics of '%s'",
                        ILK_SHOW(c->name), name, c->family);
    c->family = then->name;
    return ILK_OK;
}

/* A family that no column could have is not what was meant. */
static ilk_status check_refit(const ilk_schema *schema, ilk_kind kind, const char *family, ilk_error *err) {
    if (!family || schema->width[kind] > 0)
        return ILK_OK;
    return ilk_fail(err, ILK_EARG, "there is no %s feature that could be of family '%s'",
                    kind == ILK_TEXT ? "text" : "real", family);
}

ilk_status ilk_schema_refit(ilk_schema **out, const ilk_schema *schema, const char *real_family,
                            const char *text_family, ilk_error *err) {
    *out = NULL;
    ILK_TRY(check_refit(schema, ILK_REAL, real_family, err));
    ILK_TRY(check_refit(schema, ILK_TEXT, text_family, err));
    ilk_status status = ilk_schema_new(out, err);
    for (size_t j = 0; status == ILK_OK && j < schema->names.n; j++) {
        ilk_column c = schema->column[j];
        const char *name = c.kind == ILK_REAL ? real_family : c.kind == ILK_TEXT ? text_family : NULL;
        if (name && c.role == ILK_FEATURE)
            status = refit_column(&c, name, err);
        if (status == ILK_OK)
            status = ilk_schema_add(*out, &c, err);
    }
    if (status == ILK_OK)
        status = copy_missing(*out, schema, err);
    if (status == ILK_OK)
        status = copy_words(*out, schema, err);
    if (status == ILK_OK)
        status = ilk_schema_set_encoding(*out, schema->encoding, err);
    if (status != ILK_OK) {
        ilk_schema_free(*out);
        *out = NULL;
    }
    return status;
}

ilk_status ilk_schema_copy(ilk_schema **out, const ilk_schema *schema, ilk_error *err) {
    return ilk_schema_refit(out, schema, NULL, NULL, err);
}

/* ---- comparison */

static bool same_tokenizer(const ilk_tokenizer *a, const ilk_tokenizer *b) {
    return a->kind == b->kind && a->keep_case == b->keep_case && a->ngram_min == b->ngram_min &&
           a->ngram_max == b->ngram_max && a->weight == b->weight && a->unit_length == b->unit_length;
}

/* In what do two columns of the same name differ? The first thing, and what each says; false if in nothing. */
static bool differ(const ilk_column *a, const ilk_column *b, const char **what, const char **x, const char **y) {
    static const char *const roles[] = {"feature", "target", "ignored", "weight"}, *const kinds[] = {"real", "category",
                                                                                                     "text"};
    if (a->role != b->role) {
        *what = "role", *x = roles[a->role], *y = roles[b->role];
        return true;
    }
    if (a->role != ILK_FEATURE)
        return false;
    *what = "kind", *x = kinds[a->kind], *y = kinds[b->kind];
    if (a->kind != b->kind)
        return true;
    *what = "family", *x = a->family, *y = b->family;
    if (ilk_family_find(a->family)->layout != ilk_family_find(b->family)->layout)
        return true;
    *what = "tokens", *x = "one way", *y = "another";
    return a->kind == ILK_TEXT && !same_tokenizer(&a->tokenizer, &b->tokenizer);
}

static ilk_status fail_transforms(const ilk_column *a, const ilk_column *b, ilk_error *err) {
    char one[128], other[128];
    ilk_transform_text(one, sizeof one, &a->transform);
    ilk_transform_text(other, sizeof other, &b->transform);
    return ilk_fail(err, ILK_EARG, "the schemas differ in column %.*s: its transform (%s and %s)", ILK_SHOW(a->name),
                    one, other);
}

static ilk_status same_missing(const ilk_schema *a, const ilk_schema *b, ilk_error *err) {
    for (size_t i = 0; i < a->missing.n; i++) {
        ilk_str spelling = ilk_schema_missing(a, i);
        if (ilk_dict_find(&b->missing, 0, spelling) == ILK_UNSEEN)
            return ilk_fail(err, ILK_EARG, "the schemas differ: '%.*s' means missing in one of them",
                            ILK_SHOW(spelling));
    }
    return ILK_OK;
}

ilk_status ilk_schema_same(const ilk_schema *a, const ilk_schema *b, ilk_error *err) {
    const char *what, *one, *other;
    for (size_t j = 0; j < a->names.n && j < b->names.n; j++) {
        const ilk_column *x = &a->column[j], *y = &b->column[j];
        if (!ilk_str_equal(x->name, y->name))
            return ilk_fail(err, ILK_EARG, "the schemas differ in column %zu: its name (%.*s and %.*s)", j + 1,
                            ILK_SHOW(x->name), ILK_SHOW(y->name));
        if (differ(x, y, &what, &one, &other))
            return ilk_fail(err, ILK_EARG, "the schemas differ in column %.*s: its %s (%s and %s)", ILK_SHOW(x->name),
                            what, one, other);
        if (!ilk_transform_same(&x->transform, &y->transform))
            return fail_transforms(x, y, err);
    }
    if (a->names.n != b->names.n)
        return ilk_fail(err, ILK_EARG, "the schemas differ: %zu and %zu columns", a->names.n, b->names.n);
    ILK_TRY(same_missing(a, b, err));
    ILK_TRY(same_missing(b, a, err));
    ILK_TRY(same_words(a, b, err));
    return same_words(b, a, err);
}
