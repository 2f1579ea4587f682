/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - opening a model: every length and value of the image is checked here, once; scoring trusts them. */
#include "model/model.h"
#include "core/memory.h"
#include "model/binned.h"

#include <math.h>
#include <string.h>

void ilk_options_init(ilk_options *options) {
    *options = (ilk_options){.smooth = 1, .floor = 1e-9, .min_docs = 1};
}

void ilk_model_free(ilk_model *model) {
    if (!model)
        return;
    ilk_free(model->block);
    ilk_free(model->log_prior);
    ilk_free(model->given);
    ilk_free(model->named);
    ilk_free(model->rows);
    ilk_free(model->name);
    ilk_dict_free(&model->classes);
    ilk_blocks_free(&model->blocks);
    ilk_schema_free(model->schema);
    ilk_image_close(&model->image);
    ilk_file_unmap(&model->bytes);
    ilk_free(model);
}

/* ---- the head: options, classes, priors */

/* The share that options give a class; 0 if none. */
static double given_to(const ilk_options *o, ilk_str name) {
    for (size_t i = 0; o->prior == ILK_PRIOR_GIVEN && i < o->givens; i++)
        if (ilk_str_equal(o->given[i].name, name))
            return o->given[i].p;
    return 0;
}

ilk_status ilk_head_put(ilk_buffer *out, const ilk_options *o, const ilk_str *name, const double *log_prior,
                        const double *rows, size_t K) {
    ILK_TRY(ilk_put_f64(out, o->smooth));
    ILK_TRY(ilk_put_u32(out, o->prior));
    ILK_TRY(ilk_put_u32(out, o->divisor));
    ILK_TRY(ilk_put_f64(out, o->floor));
    ILK_TRY(ilk_put_f64(out, o->shrink));
    ILK_TRY(ilk_put_u64(out, o->vocab));
    ILK_TRY(ilk_put_u64(out, o->min_docs));
    ILK_TRY(ilk_put_u32(out, o->unseen));
    ILK_TRY(ilk_put_u32(out, (uint32_t)K));
    for (size_t k = 0; k < K; k++) {
        ILK_TRY(ilk_put_str(out, name[k]));
        ILK_TRY(ilk_put_f64(out, log_prior[k]));
        ILK_TRY(ilk_put_f64(out, rows[k]));
        ILK_TRY(ilk_put_f64(out, given_to(o, name[k])));
    }
    return ILK_OK;
}

/* A share that was given to class k: kept, so that the model can be estimated again as it was. */
static bool get_given(ilk_model *m, double p, uint32_t k) {
    m->named[k] = p != 0;
    if (p == 0)
        return true;
    m->given[m->options.givens++] = (ilk_given){m->name[k], p};
    m->options.given = m->given;
    return m->options.prior == ILK_PRIOR_GIVEN && p > 0 && p <= 1;
}

static ilk_status get_classes(ilk_model *m, ilk_reader *in, uint32_t K, ilk_error *err) {
    if ((K < 2 && !m->alone) || K > in->left / 28) /* a class takes at least that many bytes */
        return ilk_fail(err, ILK_EFORMAT, "the model file has %u classes", K);
    m->log_prior = ilk_alloc(K, sizeof *m->log_prior);
    m->rows = ilk_alloc(K, sizeof *m->rows);
    m->name = ilk_alloc(K, sizeof *m->name);
    m->given = ilk_alloc(K, sizeof *m->given);
    m->named = ilk_alloc(K, sizeof *m->named);
    if (!m->log_prior || !m->rows || !m->name || !m->given || !m->named)
        return ilk_fail_memory(err);
    for (uint32_t k = 0; k < K; k++) {
        uint32_t id;
        m->name[k] = ilk_get_str(in); /* in the image, which stays */
        m->log_prior[k] = ilk_get_f64(in);
        m->rows[k] = ilk_get_f64(in);
        bool likely = m->log_prior[k] <= 0 && exp(m->log_prior[k]) > 0 && get_given(m, ilk_get_f64(in), k);
        if (in->bad || !likely || !isfinite(m->rows[k]) || (m->alone ? m->rows[k] != 0 : !(m->rows[k] > 0)))
            return ilk_fail(err, ILK_EFORMAT, "the model file has a bad class");
        if (ilk_dict_intern(&m->classes, 0, m->name[k], &id) != ILK_OK)
            return ilk_fail_memory(err);
        if (id != k)
            return ilk_fail(err, ILK_EFORMAT, "the model file has a class twice");
        m->total_rows += m->rows[k];
        m->unnamed_rows += m->named[k] ? 0 : m->rows[k];
    }
    m->K = K;
    return ILK_OK;
}

static ilk_status get_head(ilk_model *m, ilk_error *err) {
    ilk_section s;
    ILK_TRY(ilk_image_section(&s, &m->image, ILK_SECTION_HEAD, 0, err));
    ilk_reader in = {.p = s.p, .left = s.n};
    ilk_options *o = &m->options;
    o->smooth = ilk_get_f64(&in);
    o->prior = (ilk_prior)ilk_get_below(&in, ILK_PRIOR_GIVEN + 1);
    o->divisor = (ilk_divisor)ilk_get_below(&in, ILK_DIVISOR_N_MINUS_1 + 1);
    o->floor = ilk_get_f64(&in);
    o->shrink = ilk_get_f64(&in);
    o->vocab = ilk_get_u64(&in);
    o->min_docs = ilk_get_u64(&in);
    o->unseen = (ilk_unseen)ilk_get_below(&in, ILK_UNSEEN_ERROR + 1);
    uint32_t K = ilk_get_u32(&in);
    if (in.bad)
        return ilk_fail(err, ILK_EFORMAT, "the model file has bad options");
    ILK_TRY(get_classes(m, &in, K, err));
    ilk_status status = ilk_options_check(o, NULL); /* with the priors that classes were given */
    if (status != ILK_OK)
        return status == ILK_ENOMEM ? ilk_fail_memory(err)
                                    : ilk_fail(err, ILK_EFORMAT, "the model file has bad options");
    return in.left || in.bad ? ilk_fail(err, ILK_EFORMAT, "the model file has bytes behind its classes") : ILK_OK;
}

static ilk_status get_schema(ilk_model *m, ilk_error *err) {
    ilk_section s;
    ILK_TRY(ilk_image_section(&s, &m->image, ILK_SECTION_SCHEMA, 0, err));
    ilk_reader in = {.p = s.p, .left = s.n};
    ilk_status status = ilk_schema_get(&m->schema, &in, err);
    if (status == ILK_ENOMEM)
        return status;
    if (status != ILK_OK || in.left)
        return ilk_fail(err, ILK_EFORMAT, "the model file has a bad schema");
    return ilk_blocks_new(&m->blocks, m->schema, err);
}

/* ---- blocks */

/* K d^2 is the largest size a family computes from these; it must fit. */
static bool sizes_fit(const ilk_shape *s, size_t limit) {
    double d = (double)s->d, most = (double)s->K * (d * d + 4 * d + (s->keys ? (double)s->keys->n : 0));
    return most < (double)limit;
}

static ilk_status get_block(ilk_model *m, size_t at, ilk_error *err) {
    const ilk_block *from = &m->blocks.block[at];
    ilk_model_block *b = &m->block[at];
    ilk_section s;
    b->family = from->family;
    b->shape = (ilk_shape){.K = m->K, .d = from->d, .column = from->column, .name = m->name, .unit = from->unit};
    b->shape.transform = from->transform;
    b->shape.fixed =
        from->family->kind == ILK_TEXT && ilk_schema_words(m->schema, from->source[0], ILK_WORD_LISTED) > 0;
    if (from->family->kind != ILK_REAL) {
        ILK_TRY(ilk_image_section(&s, &m->image, ILK_SECTION_KEYS, (uint32_t)at, err));
        if (!ilk_keys_open(&b->keys, s.p, s.n) || b->keys.fields != ilk_block_fields(from) ||
            !ilk_bins_are_keys(from, &b->keys))
            return ilk_fail(err, ILK_EFORMAT, "the model file has a bad dictionary (block %zu)", at);
        b->shape.keys = &b->keys;
    }
    ILK_TRY(ilk_image_section(&s, &m->image, ILK_SECTION_PARAMS, (uint32_t)at, err));
    b->params = s.p;
    if (!sizes_fit(&b->shape, SIZE_MAX / 64) || s.n != b->family->size(&b->shape) * sizeof(double) ||
        !b->family->validate(b->params, &b->shape))
        return ilk_fail(err, ILK_EFORMAT, "the model has bad parameters (block %zu, family %s)", at, b->family->name);
    return ILK_OK;
}

/* ---- opening */

static ilk_status attach(ilk_model *m, ilk_error *err) {
    ILK_TRY(ilk_image_open(&m->image, m->bytes.p, m->bytes.n, err));
    m->alone = !ilk_image_has(&m->image, ILK_SECTION_PARAMS, 0) && ilk_image_has(&m->image, ILK_SECTION_STATS, 0);
    ILK_TRY(get_schema(m, err));
    ILK_TRY(get_head(m, err));
    if (m->alone)
        return ILK_OK;
    m->block = ilk_zalloc(m->blocks.n, sizeof *m->block);
    if (!m->block)
        return ilk_fail_memory(err);
    m->discriminative = true;
    for (size_t b = 0; b < m->blocks.n; b++) {
        ILK_TRY(get_block(m, b, err));
        m->discriminative &= m->block[b].family->discriminative;
    }
    return ILK_OK;
}

static ilk_status attach_any(ilk_model **out, ilk_mapping bytes, bool alone, ilk_error *err) {
    *out = ilk_zalloc(1, sizeof **out);
    if (!*out) {
        ilk_file_unmap(&bytes);
        return ilk_fail_memory(err);
    }
    (*out)->bytes = bytes;
    ilk_status status = attach(*out, err);
    if (status == ILK_OK && (*out)->alone && !alone)
        status = ilk_fail(err, ILK_EDATA, "it holds statistics, to be merged with others, and no model");
    if (status != ILK_OK) {
        ilk_model_free(*out);
        *out = NULL;
    }
    return status;
}

ilk_status ilk_model_attach(ilk_model **out, ilk_mapping bytes, ilk_error *err) {
    return attach_any(out, bytes, false, err);
}

static ilk_status read_any(ilk_model **out, const void *bytes, size_t n, bool alone, ilk_error *err) {
    *out = NULL;
    void *copy = ilk_alloc_aligned(n, 1);
    if (!copy)
        return ilk_fail_memory(err);
    if (n)
        memcpy(copy, bytes, n);
    return attach_any(out, (ilk_mapping){.p = copy, .n = n}, alone, err);
}

ilk_status ilk_model_read(ilk_model **out, const void *bytes, size_t n, ilk_error *err) {
    return read_any(out, bytes, n, false, err);
}

ilk_status ilk_alone_read(ilk_model **out, const void *bytes, size_t n, ilk_error *err) {
    return read_any(out, bytes, n, true, err);
}

static ilk_status open_any(ilk_model **out, const char *path, bool alone, ilk_error *err) {
    ilk_mapping bytes;
    ilk_error inner = {0};
    *out = NULL;
    ILK_TRY(ilk_file_map(&bytes, path, err));
    ilk_status status;
    if (bytes.mapped) {
        status = attach_any(out, bytes, alone, &inner);
    } else { /* from a pipe: not aligned */
        status = read_any(out, bytes.p, bytes.n, alone, &inner);
        ilk_file_unmap(&bytes);
    }
    return status == ILK_OK ? ILK_OK : ilk_fail(err, status, "%s: %s", path, inner.message);
}

ilk_status ilk_model_open(ilk_model **out, const char *path, ilk_error *err) {
    return open_any(out, path, false, err);
}

ilk_status ilk_alone_open(ilk_model **out, const char *path, ilk_error *err) {
    return open_any(out, path, true, err);
}

/* ---- looking */

ilk_status ilk_model_generative(const ilk_model *model, const char *what, ilk_error *err) {
    for (size_t b = 0; b < model->blocks.n; b++)
        if (model->block[b].family->discriminative)
            return ilk_fail(err, ILK_EARG, "a model with a block of family %s has no %s", model->block[b].family->name,
                            what);
    for (size_t b = 0; b < model->blocks.n; b++)
        if (model->block[b].shape.unit != 1)
            return ilk_fail(err, ILK_EARG, "a model of weighed words (column %.*s) has no %s",
                            ILK_SHOW(model->block[b].shape.column[0]), what);
    return ILK_OK;
}

const ilk_schema *ilk_model_schema(const ilk_model *model) {
    return model->schema;
}

const ilk_options *ilk_model_options(const ilk_model *model) {
    return &model->options;
}

size_t ilk_model_classes(const ilk_model *model) {
    return model->K;
}

ilk_str ilk_model_class_name(const ilk_model *model, uint32_t k) {
    return k < model->K ? model->name[k] : (ilk_str){"", 0};
}

uint32_t ilk_model_class(const ilk_model *model, ilk_str name) {
    uint32_t k = ilk_dict_find(&model->classes, 0, name);
    return k == ILK_UNSEEN ? ILK_NONE : k;
}

double ilk_model_log_prior(const ilk_model *model, uint32_t k) {
    return k < model->K ? model->log_prior[k] : NAN;
}

static uint32_t find_key(const ilk_model *model, ilk_kind kind, size_t j, ilk_str key) {
    if (j >= ilk_schema_width(model->schema, kind))
        return ILK_UNSEEN;
    ilk_home home = model->blocks.home[kind][j];
    return ilk_keys_find(&model->block[home.block].keys, (uint32_t)home.field, key);
}

uint32_t ilk_model_code(const ilk_model *model, size_t j, ilk_str value) {
    return find_key(model, ILK_CATEGORY, j, value);
}

uint32_t ilk_model_word(const ilk_model *model, size_t j, ilk_str word) {
    bool stopped = ilk_schema_judge(model->schema, j, word) == ILK_MISSING;
    return stopped ? ILK_MISSING : find_key(model, ILK_TEXT, j, word);
}

void ilk_model_prefetch_word(const ilk_model *model, size_t j, ilk_str word) {
    ilk_home home = model->blocks.home[ILK_TEXT][j];
    ilk_keys_prefetch(&model->block[home.block].keys, (uint32_t)home.field, word);
}

void ilk_model_keys(uint32_t *first, uint32_t *end, const ilk_model *model, ilk_kind kind, size_t j) {
    *first = *end = 0;
    if (kind == ILK_REAL || j >= ilk_schema_width(model->schema, kind))
        return;
    ilk_home home = model->blocks.home[kind][j];
    *first = model->block[home.block].keys.field_begin[home.field];
    *end = model->block[home.block].keys.field_begin[home.field + 1];
}

ilk_str ilk_model_key(const ilk_model *model, ilk_kind kind, size_t j, uint32_t id) {
    uint32_t first, end;
    ilk_model_keys(&first, &end, model, kind, j);
    if (id < first || id >= end)
        return (ilk_str){"", 0};
    return ilk_keys_key(&model->block[model->blocks.home[kind][j].block].keys, id);
}
