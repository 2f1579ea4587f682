/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - the statistics kept in a model file. They are checked here, when they are first wanted, and not before: a
 * prediction does not pay for them. */
#include "core/memory.h"
#include "model/binned.h"

#include <math.h>

/* A number that counting could have given: whole, unless rows had weights. */
static bool is_count(const ilk_stats *s, double x) {
    return x >= 0 && x <= ILK_COUNT_MAX && (s->weighted || x == floor(x));
}

static ilk_status fail_bad(ilk_error *err, const char *what) {
    return ilk_fail(err, ILK_EFORMAT, "the model file has bad statistics: %s", what);
}

static ilk_status fail_room(ilk_error *err) {
    return fail_bad(err, "more classes than it has room for");
}

/* Moments of K classes are a record each or, of gda, records without scatters and one for all: their size tells, whatever
 * the limit says. */
static ilk_status choose_form(ilk_moments *m, bool shared, double K, double size, ilk_error *err) {
    double d = (double)m->d, apart = 8 * (d + K * (double)m->record), pooled = 8 * (d + K * (1 + d) + d + d * d);
    bool is_pooled = m->full && shared && size == pooled && size != apart;
    if (K == 0 || (size != apart && !is_pooled))
        return size < apart ? fail_room(err) : fail_bad(err, "moments of a wrong size");
    m->limit = is_pooled ? 0 : SIZE_MAX;
    return ILK_OK;
}

/* A class takes room in every store, and as much of the file: a number of classes that the file cannot hold is refused
 * before memory is asked for. */
static ilk_status check_size(ilk_stats *s, const ilk_image *image, double K, ilk_error *err) {
    for (size_t b = 0; b < s->blocks.n; b++) {
        const ilk_block *block = &s->blocks.block[b];
        bool moments = ilk_block_is_moments(block);
        ilk_section section;
        ILK_TRY(
            ilk_image_section(&section, image, moments ? ILK_SECTION_MOMENTS : ILK_SECTION_CELLS, (uint32_t)b, err));
        if (moments)
            ILK_TRY(choose_form(&s->store[b].moments, block->family->shared, K, (double)section.n, err));
        else if (8 * K * (double)s->store[b].counts.fields > (double)section.n)
            return fail_room(err);
    }
    return ILK_OK;
}

static ilk_status get_classes(ilk_stats *s, const ilk_image *image, ilk_error *err) {
    ilk_section section;
    ILK_TRY(ilk_image_section(&section, image, ILK_SECTION_STATS, 0, err));
    ilk_reader in = {.p = section.p, .left = section.n};
    s->weighted = ilk_get_below(&in, 2);
    uint32_t K = ilk_get_u32(&in);
    ILK_TRY(check_size(s, image, K, err));
    for (uint32_t k = 0; k < K; k++) {
        uint32_t id;
        ilk_str name = ilk_get_str(&in);
        double rows = ilk_get_f64(&in);
        if (in.bad || !is_count(s, rows) || rows == 0)
            return fail_bad(err, "a class");
        ILK_TRY(ilk_stats_class(&id, s, name, err));
        if (id != k)
            return fail_bad(err, "a class twice");
        s->rows[k] = rows;
    }
    return in.left || in.bad ? fail_bad(err, "the classes") : ILK_OK;
}

static double f64_at(const char *p, size_t i) {
    double v;
    memcpy(&v, p + i * sizeof v, sizeof v);
    return v;
}

static ilk_status get_moments(ilk_stats *s, const ilk_image *image, size_t b, ilk_error *err) {
    ilk_moments *m = &s->store[b].moments;
    ilk_section section;
    ILK_TRY(ilk_image_section(&section, image, ILK_SECTION_MOMENTS, (uint32_t)b, err));
    for (size_t j = 0; j < m->d; j++) {
        double exponent = f64_at(section.p, j);
        if (!(fabs(exponent) <= ILK_UNIT))
            return fail_bad(err, "moments in no unit");
        m->exponent[j] = (int)exponent;
    }
    const char *from = (const char *)section.p + m->d * sizeof(double);
    size_t records = s->K * m->record * sizeof(double);
    memcpy(m->data, from, records);
    if (m->pooled)
        memcpy(m->pool, from + records, (m->d + m->d * m->d) * sizeof(double));
    if (s->blocks.block[b].family->shared)
        m->limit = ILK_MOST_SCATTERS;
    if (!ilk_moments_valid(m))
        return fail_bad(err, "moments");
    for (size_t k = 0; !s->weighted && k < s->K; k++) /* sums of weights are rounded */
        if (ilk_moments_rows(m, k) > s->rows[k])
            return fail_bad(err, "moments of more rows than there are");
    return ILK_OK;
}

/* Parts of a cells section; the arrays are copied out one value at a time, so their alignment does not matter. */
typedef struct cells {
    uint64_t n;
    const char *begin, *count, *docs, *present, *cls, *declared;
} cells;

static uint64_t u64_at(const char *p, size_t i) {
    uint64_t v;
    memcpy(&v, p + i * sizeof v, sizeof v);
    return v;
}
static uint32_t u32_at(const char *p, size_t i) {
    uint32_t v;
    memcpy(&v, p + i * sizeof v, sizeof v);
    return v;
}

static bool open_cells(cells *out, const ilk_section *section, const ilk_keys *keys, size_t K, size_t fields,
                       bool text) {
    ilk_reader in = {.p = section->p, .left = section->n};
    out->n = ilk_get_u64(&in);
    if (in.bad || out->n > in.left / 12)
        return false;
    out->begin = ilk_get_bytes(&in, ((size_t)keys->n + 1) * 8);
    out->count = ilk_get_bytes(&in, out->n * 8);
    out->docs = text ? ilk_get_bytes(&in, out->n * 8) : out->count;
    out->present = ilk_get_bytes(&in, K * fields * 8);
    out->cls = ilk_get_bytes(&in, out->n * 4);
    out->declared = ilk_get_bytes(&in, keys->n);
    return !in.bad && in.left == 0 && u64_at(out->begin, 0) == 0 && u64_at(out->begin, keys->n) == out->n;
}

static ilk_status get_key(const ilk_stats *s, ilk_counts *c, const ilk_keys *keys, uint32_t field, uint32_t v,
                          const cells *t, ilk_error *err) {
    uint32_t id, last = 0;
    ilk_str key = ilk_keys_key(keys, v);
    if ((t->declared[v] ? ilk_counts_declare(c, field, key, &id) : ilk_dict_intern(&c->keys, field, key, &id)) !=
        ILK_OK)
        return ilk_fail_memory(err);
    uint64_t first = u64_at(t->begin, v), end = u64_at(t->begin, (size_t)v + 1);
    if (id != v || first > end || end > t->n)
        return fail_bad(err, "a key");
    for (uint64_t i = first; i < end; i++) {
        uint32_t k = u32_at(t->cls, i);
        double count = f64_at(t->count, i), docs = f64_at(t->docs, i);
        if (k >= c->K || (i > first && k <= last) || !is_count(s, count) || count == 0 || !is_count(s, docs) ||
            docs > count)
            return fail_bad(err, "a count");
        if (ilk_counts_put(c, id, &(ilk_cell){count, docs, k}, 1) != ILK_OK)
            return ilk_fail_memory(err);
        c->margin[k * c->fields + field].total += count;
        last = k;
    }
    return ILK_OK;
}

static ilk_status get_counts(ilk_stats *s, const ilk_image *image, size_t b, ilk_error *err) {
    ilk_counts *c = &s->store[b].counts;
    ilk_section section;
    ilk_keys keys;
    cells t;
    bool own = ilk_image_has(image, ILK_SECTION_STATS_KEYS, (uint32_t)b);
    ILK_TRY(ilk_image_section(&section, image, own ? ILK_SECTION_STATS_KEYS : ILK_SECTION_KEYS, (uint32_t)b, err));
    if (!ilk_keys_open(&keys, section.p, section.n) || keys.fields != c->fields)
        return fail_bad(err, "a dictionary");
    ILK_TRY(ilk_image_section(&section, image, ILK_SECTION_CELLS, (uint32_t)b, err));
    if (!open_cells(&t, &section, &keys, s->K, c->fields, s->blocks.block[b].family->kind == ILK_TEXT))
        return fail_bad(err, "counts of a wrong size");
    for (uint32_t field = 0; field < keys.fields; field++)
        for (uint32_t v = keys.field_begin[field]; v < keys.field_begin[field + 1]; v++)
            ILK_TRY(get_key(s, c, &keys, field, v, &t, err));
    for (size_t i = 0; i < s->K * c->fields; i++) {
        c->margin[i].present = f64_at(t.present, i);
        if (!is_count(s, c->margin[i].present) || !is_count(s, c->margin[i].total))
            return fail_bad(err, "a sum");
    }
    return ILK_OK;
}

static ilk_status get_stats(ilk_stats *s, const ilk_image *image, ilk_error *err) {
    ILK_TRY(get_classes(s, image, err));
    for (size_t b = 0; b < s->blocks.n; b++)
        ILK_TRY(ilk_block_is_moments(&s->blocks.block[b]) ? get_moments(s, image, b, err)
                                                          : get_counts(s, image, b, err));
    return ilk_bins_complete(s) ? ILK_OK : fail_bad(err, "bins");
}

/* The options, whose names must outlive the model. */
static ilk_status keep_options(ilk_stats *s, const ilk_options *o) {
    s->options = *o;
    s->options.given = s->given = ilk_alloc(o->givens, sizeof *s->given);
    if (!s->given)
        return ILK_ENOMEM;
    for (size_t i = 0; i < o->givens; i++)
        ILK_TRY(ilk_buffer_add(&s->given_names, o->given[i].name.p, o->given[i].name.n));
    const char *name = (const char *)s->given_names.p;
    for (size_t i = 0; i < o->givens; name += s->given[i++].name.n)
        s->given[i] = (ilk_given){{name, o->given[i].name.n}, o->given[i].p};
    return ILK_OK;
}

ilk_status ilk_model_stats(ilk_stats **out, const ilk_model *model, ilk_error *err) {
    *out = NULL;
    if (!ilk_image_has(&model->image, ILK_SECTION_STATS, 0))
        return ilk_fail(err, ILK_EDATA, "the model holds no statistics (it was saved without them)");
    ILK_TRY(ilk_stats_blank(out, model->schema, err));
    (*out)->alone = model->alone;
    ilk_status status =
        keep_options(*out, &model->options) == ILK_OK ? get_stats(*out, &model->image, err) : ilk_fail_memory(err);
    if (status != ILK_OK) {
        ilk_stats_free(*out);
        *out = NULL;
    }
    return status;
}

ilk_status ilk_schema_open(ilk_schema **out, const char *path, ilk_error *err) {
    ilk_model *model;
    *out = NULL;
    ILK_TRY(ilk_alone_open(&model, path, err));
    ilk_status status = ilk_schema_copy(out, model->schema, err);
    ilk_model_free(model);
    return status;
}

ilk_status ilk_stats_read(ilk_stats **out, const void *bytes, size_t n, ilk_error *err) {
    ilk_model *model;
    *out = NULL;
    ILK_TRY(ilk_alone_read(&model, bytes, n, err));
    ilk_status status = ilk_model_stats(out, model, err);
    ilk_model_free(model);
    return status;
}

ilk_status ilk_stats_open(ilk_stats **out, const char *path, ilk_error *err) {
    ilk_error inner = {0};
    ilk_model *model;
    *out = NULL;
    ILK_TRY(ilk_alone_open(&model, path, err));
    ilk_status status = ilk_model_stats(out, model, &inner);
    ilk_model_free(model);
    return status == ILK_OK ? ILK_OK : ilk_fail(err, status, "%s: %s", path, inner.message);
}
