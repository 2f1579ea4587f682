/* SPDX-License-Identifier: Apache-2.0 */
/* leave_one_out.c - what a model is worth, by the rows it was learnt from: each answered as if it had not been there.
 *
 * The rows a table has kept are read once more, or unpacked, now with the codes and words of the model. Batches are
 * independent and the means are taken in the order of the input: any number of threads gives the same bits. A thread
 * has one encoder, which remembers words from batch to batch. For a choice many models are tried on the same rows. They
 * differ in smoothing and shrinkage alone, so codes and words are those of the first, kept in an encoder per batch.
 */
#include "core/memory.h"
#include "core/pipeline.h"
#include "data/encode.h"
#include "model/choose.h"
#include "model/model.h"
#include "model/worth.h"

enum { BATCH = 256, BATCH_NUMBERS = 1 << 22 }; /* rows at a time, and numbers, where there are very many classes */

typedef struct trial {
    const ilk_table *table;
    const ilk_model *model;
    ilk_column_map map;
    ilk_encoder *encoder; /* per batch: its rows; without a map still to be read. NULL: they are read for one model */
    size_t batch, batches, threads;
    size_t next;           /* the first batch not yet handed out */
    uint32_t *label;       /* of packed rows: the model's classes. NULL: not known yet */
    ilk_renumbering *word; /* and, per part, its words or ILK_UNSEEN */
    ilk_worth worth;
} trial;

typedef struct slot {
    size_t at; /* the batch */
    ilk_outcome *outcome;
    size_t answered;
    ilk_parser parser;
    ilk_encoder encoder; /* where the trial has none */
    ilk_str *fields;
    double *log_joint;
} slot;

static ilk_status hand_out(void *ctx, void *p, bool *more, ilk_error *err) {
    trial *t = ctx;
    slot *s = p;
    (void)err;
    s->at = t->next++;
    *more = s->at < t->batches;
    return ILK_OK;
}

/* The record was a row before and is one again. Only a model that refuses words it does not know, and whose vocabulary
 * is cut, has no answer for it: ILK_EDATA. */
static ilk_status encode(ilk_encoder *e, slot *s, const trial *t, const ilk_kept *kept, ilk_error *err) {
    const ilk_table *table = t->table;
    bool unlabelled;
    const ilk_packed_bag *bag = (const ilk_packed_bag *)(const void *)kept->bytes;
    if (kept->packed)
        return ilk_encoder_add_packed(e, bag, t->label[bag->label], t->word[bag->part].to, err);
    s->parser.as_written = t->map.as_written;
    if (ilk_parser_start(&s->parser, &table->source.dialect, (ilk_str){kept->bytes, kept->size}, 1) != ILK_OK)
        return ilk_fail_memory(err);
    if (ilk_parser_row(&s->parser, s->fields, table->columns) != ILK_ROW)
        return ilk_fail(err, ILK_EARG, "a row that was kept cannot be read again");
    return ilk_encoder_add(e, s->fields, s->parser.number, "the rows kept", 1, &unlabelled, err);
}

/* Rows that were kept lie anywhere in memory: ask for one to come. Its words take about half of the record. */
ILK_PREFETCHES prefetch_row(const ilk_kept *kept) {
    enum { LINE = 64, MOST = 4096 };
    size_t bytes = kept->packed ? kept->size / 2 : kept->size;
    for (size_t at = 0; at < bytes && at < MOST; at += LINE)
        ILK_PREFETCH(kept->bytes, at, 0);
}

static ilk_status encode_batch(ilk_encoder *e, slot *s, const trial *t, ilk_error *err) {
    const ilk_reservoir *r = &t->table->reservoir;
    if (e->map)
        ilk_encoder_clear(e);
    else if (ilk_encoder_init(e, &t->map, NULL, t->model) != ILK_OK)
        return ilk_fail_memory(err);
    for (size_t i = s->at * t->batch; i < (s->at + 1) * t->batch && i < r->n; i++) {
        if (i + 2 < r->n)
            prefetch_row(&r->row[i + 2]);
        ilk_status status = encode(e, s, t, &r->row[i], err);
        if (status != ILK_OK && status != ILK_EDATA)
            return status;
    }
    if (t->encoder)
        ilk_encoder_settle(e);
    return ILK_OK;
}

static ilk_status work(void *ctx, void *p, ilk_error *err) {
    const trial *t = ctx;
    slot *s = p;
    ilk_encoder *e = t->encoder ? &t->encoder[s->at] : &s->encoder;
    if (!t->encoder || !e->map)
        ILK_TRY(encode_batch(e, s, t, err));
    const ilk_rows rows = ilk_encoder_rows(e);
    s->answered = rows.n;
    return ilk_leave_out(s->outcome, s->log_joint, t->model, &rows, err);
}

static ilk_status commit(void *ctx, void *p, ilk_error *err) {
    trial *t = ctx;
    const slot *s = p;
    (void)err;
    for (size_t i = 0; i < s->answered; i++)
        ilk_worth_add(&t->worth, &s->outcome[i]);
    return ILK_OK;
}

/* ---- the run */

static bool slot_init(slot *s, const trial *t) {
    s->fields = ilk_alloc(t->table->columns, sizeof *s->fields);
    s->log_joint = ilk_alloc(t->batch * ilk_model_classes(t->model), sizeof *s->log_joint);
    s->outcome = ilk_alloc(t->batch, sizeof *s->outcome);
    return s->fields && s->log_joint && s->outcome;
}

static void slot_free(slot *s) {
    ilk_parser_free(&s->parser);
    if (s->encoder.map)
        ilk_encoder_free(&s->encoder);
    ilk_free(s->fields);
    ilk_free(s->log_joint);
    ilk_free(s->outcome);
}

static ilk_status run(trial *t, slot *slots, void **places, ilk_error *err) {
    for (size_t i = 0; i < t->threads; i++) {
        places[i] = &slots[i];
        if (!slot_init(&slots[i], t))
            return ilk_fail_memory(err);
    }
    return ilk_pipeline_run(&(ilk_pipeline){t, hand_out, work, commit, places, t->threads}, err);
}

/* Words of packed rows and of the model are both in order. */
static void match_words(uint32_t *id, const ilk_dict *words, const ilk_keys *keys) {
    uint32_t at = keys->field_begin[0];
    for (uint32_t i = 0; i < words->n; i++) {
        int order = 1;
        while (at < keys->field_begin[1] &&
               (order = ilk_str_compare(ilk_keys_key(keys, at), ilk_dict_key(words, i))) < 0)
            at++;
        id[i] = order == 0 ? at++ : ILK_UNSEEN;
    }
}

/* A row's words are then looked up once, not twice. */
static ilk_status match_parts(trial *t, const ilk_keys *keys) {
    const ilk_reservoir *r = &t->table->reservoir;
    uint32_t *id = ilk_alloc(r->words.n, sizeof *id);
    t->word = ilk_zalloc(r->parts, sizeof *t->word);
    ilk_status status = id && t->word ? ILK_OK : ILK_ENOMEM;
    if (status == ILK_OK)
        match_words(id, &r->words, keys);
    for (size_t i = 0; i < r->parts && status == ILK_OK; i++) {
        const ilk_renumbering *part = &r->part[i];
        t->word[i] = (ilk_renumbering){ilk_alloc(part->n, sizeof *id), part->n};
        status = t->word[i].to ? ILK_OK : ILK_ENOMEM;
        for (size_t w = 0; w < part->n && status == ILK_OK; w++)
            t->word[i].to[w] = id[part->to[w]];
    }
    ilk_free(id);
    return status;
}

static ilk_status match(trial *t, const ilk_model *model, ilk_error *err) {
    const ilk_reservoir *r = &t->table->reservoir;
    if (!r->schema || t->label)
        return ILK_OK;
    ILK_TRY(ilk_schema_same(r->schema, model->schema, err));
    t->label = ilk_alloc(r->classes.n, sizeof *t->label);
    if (!t->label || match_parts(t, &model->block[0].keys) != ILK_OK)
        return ilk_fail_memory(err);
    for (uint32_t k = 0; k < r->classes.n; k++)
        t->label[k] = ilk_model_class(model, ilk_dict_key(&r->classes, k));
    return ILK_OK;
}

/* What a model is worth. Also an ilk_worth_fn. */
static ilk_status try_model(ilk_loo *out, void *ctx, const ilk_model *model, ilk_error *err) {
    trial *t = ctx;
    slot *slots = ilk_zalloc(t->threads, sizeof *slots);
    void **places = ilk_alloc(t->threads, sizeof *places);
    t->model = model;
    t->next = 0;
    t->worth = (ilk_worth){0};
    ilk_status status = slots && places ? match(t, model, err) : ilk_fail_memory(err);
    if (status == ILK_OK)
        status = run(t, slots, places, err);
    for (size_t i = 0; slots && i < t->threads; i++)
        slot_free(&slots[i]);
    ilk_free(places);
    ilk_free(slots);
    *out = ilk_worth_sum(&t->worth);
    out->cut = t->table->reservoir.cut;
    return status;
}

/* `schema` outlives the trial; its models have K classes. `keep`: what was read, for the next model. */
static ilk_status trial_init(trial *t, const ilk_table *table, const ilk_schema *schema, size_t K, size_t threads,
                             bool keep, ilk_error *err) {
    size_t batch = BATCH_NUMBERS / K, n = table->reservoir.n;
    *t = (trial){.table = table, .batch = batch < 1 ? 1 : batch > BATCH ? BATCH : batch};
    t->batches = (n + t->batch - 1) / t->batch;
    threads = threads ? threads : ilk_processors();
    t->threads = threads < t->batches ? threads : t->batches ? t->batches : 1;
    ILK_TRY(ilk_column_map_init(&t->map, schema, table, true, err));
    t->encoder = keep ? ilk_zalloc(t->batches, sizeof *t->encoder) : NULL;
    if (t->encoder || !keep)
        return ILK_OK;
    ilk_column_map_free(&t->map);
    return ilk_fail_memory(err);
}

static void trial_free(trial *t) {
    for (size_t i = 0; t->encoder && i < t->batches; i++)
        if (t->encoder[i].map)
            ilk_encoder_free(&t->encoder[i]);
    ilk_free(t->encoder);
    for (size_t i = 0; t->word && i < t->table->reservoir.parts; i++)
        ilk_free(t->word[i].to);
    ilk_free(t->word);
    ilk_free(t->label);
    ilk_column_map_free(&t->map);
}

ilk_status ilk_table_leave_one_out(ilk_loo *out, const ilk_table *table, const ilk_model *model, size_t threads,
                                   ilk_error *err) {
    trial t;
    ILK_TRY(trial_init(&t, table, ilk_model_schema(model), ilk_model_classes(model), threads, false, err));
    ilk_status status = try_model(out, &t, model, err);
    trial_free(&t);
    return status;
}

ilk_status ilk_table_choose(ilk_options *options, ilk_loo *worth, const ilk_table *table, const ilk_stats *stats,
                            size_t threads, ilk_error *err) {
    trial t;
    size_t K = ilk_stats_classes(stats);
    if (table->reservoir.n == 0)
        return ilk_fail(err, ILK_EARG, "no rows were kept to choose by");
    ILK_TRY(trial_init(&t, table, ilk_stats_schema(stats), K ? K : 1, threads, true, err));
    ilk_status status = ilk_choose(options, worth, stats, try_model, &t, err);
    trial_free(&t);
    return status;
}
