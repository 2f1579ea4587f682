/* SPDX-License-Identifier: Apache-2.0 */
/* leave_one_out.c - what a model is worth, by the rows it was learnt from: each answered as if it had not been there.
 *
 * The rows a table has kept are read once more, now with the codes and words of the model. Batches are independent and
 * the means are taken in the order of the input: any number of threads gives the same bits. */
#include "core/memory.h"
#include "core/pipeline.h"
#include "data/encode.h"
#include "model/choose.h"
#include "model/worth.h"

enum { BATCH = 256, BATCH_NUMBERS = 1 << 22 }; /* rows at a time, and numbers, where there are very many classes */

typedef struct trial {
    const ilk_table *table;
    const ilk_model *model;
    ilk_column_map map;
    size_t batch, next; /* rows in a batch, the first row not yet handed out */
    ilk_worth worth;
} trial;

typedef struct slot {
    size_t first, n; /* rows kept */
    ilk_outcome *outcome;
    size_t answered;
    ilk_parser parser;
    ilk_encoder encoder;
    ilk_str *fields;
    double *log_joint;
} slot;

static ilk_status hand_out(void *ctx, void *p, bool *more, ilk_error *err) {
    trial *t = ctx;
    slot *s = p;
    (void)err;
    size_t left = t->table->reservoir.n - t->next;
    s->first = t->next;
    s->n = left < t->batch ? left : t->batch;
    t->next += s->n;
    *more = s->n > 0;
    return ILK_OK;
}

/* The record was a row before and is one again. Only a model that refuses words it does not know, and whose vocabulary
 * is cut, has no answer for it: ILK_EDATA. */
static ilk_status encode(slot *s, const trial *t, const ilk_kept *kept, ilk_error *err) {
    const ilk_table *table = t->table;
    bool unlabelled;
    if (ilk_parser_start(&s->parser, &table->source.dialect, (ilk_str){kept->text, kept->n}, 1) != ILK_OK)
        return ilk_fail_memory(err);
    if (ilk_parser_row(&s->parser, s->fields, table->columns) != ILK_ROW)
        return ilk_fail(err, ILK_EARG, "a row that was kept cannot be read again");
    return ilk_encoder_add(&s->encoder, s->fields, "the rows kept", 1, &unlabelled, err);
}

static ilk_status work(void *ctx, void *p, ilk_error *err) {
    const trial *t = ctx;
    slot *s = p;
    ilk_encoder_clear(&s->encoder);
    for (size_t i = 0; i < s->n; i++) {
        ilk_status status = encode(s, t, &t->table->reservoir.row[s->first + i], err);
        if (status != ILK_OK && status != ILK_EDATA)
            return status;
    }
    const ilk_rows rows = ilk_encoder_rows(&s->encoder);
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
    return s->fields && s->log_joint && s->outcome && ilk_encoder_init(&s->encoder, &t->map, NULL, t->model) == ILK_OK;
}

static void slot_free(slot *s) {
    ilk_parser_free(&s->parser);
    if (s->encoder.map)
        ilk_encoder_free(&s->encoder);
    ilk_free(s->fields);
    ilk_free(s->log_joint);
    ilk_free(s->outcome);
}

static ilk_status run(trial *t, slot *slots, void **places, size_t threads, ilk_error *err) {
    for (size_t i = 0; i < threads; i++) {
        places[i] = &slots[i];
        if (!slot_init(&slots[i], t))
            return ilk_fail_memory(err);
    }
    return ilk_pipeline_run(&(ilk_pipeline){t, hand_out, work, commit, places, threads}, err);
}

static ilk_status try_all(trial *t, size_t threads, ilk_error *err) {
    slot *slots = ilk_zalloc(threads, sizeof *slots);
    void **places = ilk_alloc(threads, sizeof *places);
    ilk_status status = slots && places ? run(t, slots, places, threads, err) : ilk_fail_memory(err);
    for (size_t i = 0; slots && i < threads; i++)
        slot_free(&slots[i]);
    ilk_free(places);
    ilk_free(slots);
    return status;
}

ilk_status ilk_table_leave_one_out(ilk_loo *out, const ilk_table *table, const ilk_model *model, size_t threads,
                                   ilk_error *err) {
    size_t batch = BATCH_NUMBERS / ilk_model_classes(model);
    trial t = {.table = table, .model = model, .batch = batch < 1 ? 1 : batch > BATCH ? BATCH : batch};
    size_t batches = (table->reservoir.n + t.batch - 1) / t.batch;
    threads = threads ? threads : ilk_processors();
    threads = threads < batches ? threads : batches ? batches : 1;
    ILK_TRY(ilk_column_map_init(&t.map, ilk_model_schema(model), table, true, err));
    ilk_status status = try_all(&t, threads, err);
    ilk_column_map_free(&t.map);
    *out = ilk_worth_sum(&t.worth);
    out->cut = table->reservoir.cut;
    return status;
}

/* ---- choosing */

typedef struct sample {
    const ilk_table *table;
    size_t threads;
} sample;

static ilk_status worth_on_sample(ilk_loo *out, void *ctx, const ilk_model *model, ilk_error *err) {
    const sample *s = ctx;
    return ilk_table_leave_one_out(out, s->table, model, s->threads, err);
}

ilk_status ilk_table_choose(ilk_options *options, ilk_loo *worth, const ilk_table *table, const ilk_stats *stats,
                            size_t threads, ilk_error *err) {
    if (table->reservoir.n == 0)
        return ilk_fail(err, ILK_EARG, "no rows were kept to choose by");
    return ilk_choose(options, worth, stats, worth_on_sample, &(sample){table, threads}, err);
}
