/* SPDX-License-Identifier: Apache-2.0 */
/* save.c - writing a model file: the model's own sections, and its statistics in canonical form.   docs/FORMAT.md
 *
 * Classes are in the model's order, keys in order of their bytes, cells in order of key and class: equal content gives
 * equal bytes, in whatever order and in however many parts the rows came. Keys that the model has, all of them, are not
 * written twice. Where no model comes of the statistics yet, they are written with the options alone. */
#include "core/memory.h"
#include "model/model.h"
#include "model/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything that will be written; the model's sections are borrowed, the rest is owned in `bytes`. */
typedef struct sheaf {
    const ilk_model *model; /* NULL: statistics alone */
    ilk_section *section;
    ilk_buffer *bytes;
    size_t n, owned;
    uint32_t *order, *rank;
    size_t K;
} sheaf;

static void sheaf_free(sheaf *f) {
    for (size_t i = 0; f->bytes && i < f->owned; i++)
        ilk_buffer_free(&f->bytes[i]);
    ilk_free(f->bytes);
    ilk_free(f->section);
    ilk_free(f->order);
    ilk_free(f->rank);
}

static ilk_buffer *next(sheaf *f) {
    return &f->bytes[f->owned++];
}

/* The bytes last begun are complete. */
static void bind(sheaf *f, ilk_section_type type, size_t block) {
    const ilk_buffer *b = &f->bytes[f->owned - 1];
    f->section[f->n++] = (ilk_section){.type = type, .block = (uint32_t)block, .p = b->p, .n = b->n};
}

static ilk_status put_classes(sheaf *f, const ilk_stats *s) {
    ilk_buffer *out = next(f);
    ILK_TRY(ilk_put_u32(out, s->weighted));
    ILK_TRY(ilk_put_u32(out, (uint32_t)f->K));
    for (size_t k = 0; k < f->K; k++) {
        ILK_TRY(ilk_put_str(out, ilk_dict_key(&s->classes, f->order[k])));
        ILK_TRY(ilk_put_f64(out, s->rows[f->order[k]]));
    }
    bind(f, ILK_SECTION_STATS, 0);
    return ILK_OK;
}

/* f64 exponent[d] | records | peak[d] and scatter[d × d] of all classes, where they are pooled */
static ilk_status put_moments(sheaf *f, const ilk_stats *s, size_t b) {
    const ilk_moments *m = &s->store[b].moments;
    ilk_buffer *out = next(f);
    for (size_t j = 0; j < m->d; j++)
        ILK_TRY(ilk_put_f64(out, m->exponent[j]));
    for (size_t k = 0; k < f->K; k++)
        ILK_TRY(ilk_buffer_add(out, ilk_moments_record(m, f->order[k]), m->record * sizeof(double)));
    if (m->pooled)
        ILK_TRY(ilk_buffer_add(out, m->pool, (m->d + m->d * m->d) * sizeof(double)));
    bind(f, ILK_SECTION_MOMENTS, b);
    return ILK_OK;
}

/* u64 cells | u64 begin[n + 1] | f64 count[cells] | f64 docs[cells], text only | f64 present[K × d] | u32 class[cells]
 * | u8 declared[n] */
static ilk_status put_cells(ilk_buffer *out, const ilk_counts *c, const ilk_count_table *t, bool text) {
    size_t cells = t->begin[t->n], fields = c->fields, doubles = (text ? 2 : 1) * cells + t->K * fields;
    ILK_TRY(ilk_buffer_reserve(out, (t->n + 2 + doubles) * sizeof(double) + cells * sizeof(uint32_t) + t->n));
    ILK_TRY(ilk_put_u64(out, cells));
    _Static_assert(sizeof *t->begin == sizeof(uint64_t), "begin is written as it is");
    ILK_TRY(ilk_buffer_add(out, t->begin, (t->n + 1) * sizeof *t->begin));
    ILK_TRY(ilk_buffer_add(out, t->count, cells * sizeof(double)));
    if (text)
        ILK_TRY(ilk_buffer_add(out, t->docs, cells * sizeof(double)));
    ILK_TRY(ilk_buffer_add(out, t->present, t->K * fields * sizeof(double)));
    ILK_TRY(ilk_buffer_add(out, t->cls, cells * sizeof(uint32_t)));
    for (size_t i = 0; i < t->n; i++)
        out->p[out->n++] = ilk_counts_is_declared(c, t->key[i]); /* there is room */
    return ILK_OK;
}

static ilk_status put_keys(sheaf *f, const ilk_counts *c, const ilk_count_table *t, size_t b) {
    if (f->model && ilk_keys_are(&f->model->block[b].keys, &c->keys, t->key, t->n))
        return ILK_OK;
    ILK_TRY(ilk_keys_freeze(next(f), &c->keys, t->key, t->n, (uint32_t)c->fields));
    bind(f, ILK_SECTION_STATS_KEYS, b);
    return ILK_OK;
}

static ilk_status put_counts(sheaf *f, const ilk_stats *s, size_t b) {
    const ilk_counts *c = &s->store[b].counts;
    ilk_count_table t;
    ILK_TRY(ilk_count_table_new(&t, c, f->rank, f->K, 0, 0));
    ilk_status status = put_keys(f, c, &t, b);
    if (status == ILK_OK)
        status = put_cells(next(f), c, &t, s->blocks.block[b].family->kind == ILK_TEXT);
    if (status == ILK_OK)
        bind(f, ILK_SECTION_CELLS, b);
    ilk_count_table_free(&t);
    return status;
}

static ilk_status put_stats(sheaf *f, const ilk_stats *s) {
    f->order = ilk_alloc(s->K, sizeof *f->order);
    f->rank = ilk_alloc(s->K, sizeof *f->rank);
    if (!f->order || !f->rank)
        return ILK_ENOMEM;
    ILK_TRY(ilk_stats_order(s, f->order, f->rank, &f->K));
    ILK_TRY(put_classes(f, s));
    for (size_t b = 0; b < s->blocks.n; b++)
        ILK_TRY(ilk_block_is_moments(&s->blocks.block[b]) ? put_moments(f, s, b) : put_counts(f, s, b));
    return ILK_OK;
}

static ilk_status sheaf_init(sheaf *f, size_t borrowed, size_t owned) {
    f->section = ilk_alloc(borrowed + owned, sizeof *f->section);
    f->bytes = ilk_zalloc(owned, sizeof *f->bytes);
    return f->section && f->bytes ? ILK_OK : ILK_ENOMEM;
}

static ilk_status gather(sheaf *f, const ilk_stats *stats) {
    const ilk_model *m = f->model;
    ILK_TRY(sheaf_init(f, m->image.n, stats ? 1 + 2 * stats->blocks.n : 1));
    for (size_t i = 0; i < m->image.n; i++)
        if (m->image.section[i].type < ILK_SECTION_STATS)
            f->section[f->n++] = m->image.section[i];
    return stats ? put_stats(f, stats) : ILK_OK;
}

static int by_name(const void *a, const void *b) {
    return ilk_str_compare(((const ilk_given *)a)->name, ((const ilk_given *)b)->name);
}

/* Of the classes a head without a model has those that were given a prior, whether they have rows or not. */
static ilk_status put_given(sheaf *f, const ilk_options *o) {
    size_t K = o->prior == ILK_PRIOR_GIVEN ? o->givens : 0;
    ilk_given *given = ilk_alloc(K, sizeof *given);
    ilk_str *name = ilk_alloc(K, sizeof *name);
    double *log_prior = ilk_alloc(K, sizeof *log_prior), *rows = ilk_zalloc(K, sizeof *rows);
    bool room = given && name && log_prior && rows;
    if (room && K > 0) {
        memcpy(given, o->given, K * sizeof *given);
        qsort(given, K, sizeof *given, by_name);
    }
    for (size_t k = 0; room && k < K; k++) {
        name[k] = given[k].name;
        log_prior[k] = log(given[k].p);
    }
    ilk_status status = room ? ilk_head_put(next(f), o, name, log_prior, rows, K) : ILK_ENOMEM;
    ilk_free(given);
    ilk_free(name);
    ilk_free(log_prior);
    ilk_free(rows);
    return status;
}

static ilk_status gather_alone(sheaf *f, const ilk_schema *schema, const ilk_stats *stats, const ilk_options *o) {
    ILK_TRY(sheaf_init(f, 0, 3 + 2 * stats->blocks.n));
    ILK_TRY(ilk_schema_put(next(f), schema));
    bind(f, ILK_SECTION_SCHEMA, 0);
    ILK_TRY(put_given(f, o));
    bind(f, ILK_SECTION_HEAD, 0);
    return put_stats(f, stats);
}

static ilk_status write(const sheaf *f, const char *path, ilk_error *err) {
    ilk_buffer head = {0};
    ilk_str *pieces = ilk_alloc(2 * f->n + 1, sizeof *pieces);
    ilk_status status = pieces && ilk_image_pieces(pieces, &head, f->section, f->n) == ILK_OK
                            ? ilk_file_write(path, pieces, 2 * f->n + 1, err)
                            : ilk_fail_memory(err);
    ilk_buffer_free(&head);
    ilk_free(pieces);
    return status;
}

ilk_status ilk_model_save(const ilk_model *model, const ilk_stats *stats, const char *path, ilk_error *err) {
    sheaf f = {.model = model};
    if (stats) {
        ILK_TRY(ilk_schema_same(model->schema, stats->schema, err));
        ILK_TRY(ilk_blocks_same(&model->blocks, &stats->blocks, err));
        ILK_TRY(ilk_stats_check_scatters(stats, &model->blocks, err));
    }
    ilk_status status = gather(&f, stats);
    status = status == ILK_OK ? write(&f, path, err) : ilk_fail_memory(err);
    sheaf_free(&f);
    return status;
}

ilk_status ilk_stats_save(const ilk_stats *stats, const ilk_options *options, const char *path, ilk_error *err) {
    const ilk_options *o = options ? options : &stats->options;
    sheaf f = {0};
    ilk_schema *schema;
    if (!(ilk_stats_rows(stats) > 0))
        return ilk_fail(err, ILK_EDATA, "there is no row to learn from");
    ILK_TRY(ilk_options_check(o, err));
    ILK_TRY(ilk_schema_refit(&schema, stats->schema, o->real_family, o->text_family, err));
    ilk_blocks blocks;
    ilk_status status = ilk_blocks_new(&blocks, schema, err);
    if (status == ILK_OK)
        status = ilk_stats_check_scatters(stats, &blocks, err);
    if (status == ILK_OK)
        status = gather_alone(&f, schema, stats, o) == ILK_OK ? write(&f, path, err) : ilk_fail_memory(err);
    sheaf_free(&f);
    ilk_blocks_free(&blocks);
    ilk_schema_free(schema);
    return status;
}
