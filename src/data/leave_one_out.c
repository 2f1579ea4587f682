/* SPDX-License-Identifier: Apache-2.0 */
/* leave_one_out.c - what a model is worth, by the rows it was learnt from: each answered as if it had not been there.
 *
 * The rows a table has kept are read once more, now with the codes and words of the model. Batches are independent and
 * the means are taken in the order of the input: any number of threads gives the same bits. */
#include "core/memory.h"
#include "core/pipeline.h"
#include "data/encode.h"

#include <math.h>

enum { BATCH = 256, BATCH_NUMBERS = 1 << 22 }; /* rows at a time, and numbers, where there are very many classes */

typedef struct outcome {
    double weight, loss; /* loss: -log p(class | row) */
    bool answered, right;
} outcome;

typedef struct trial {
    const ilk_table *table;
    const ilk_model *model;
    ilk_column_map map;
    outcome *outcome;   /* per row kept */
    size_t batch, next; /* rows in a batch, the first row not yet handed out */
} trial;

typedef struct slot {
    size_t first, n; /* rows kept */
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

static outcome judge(double *log_joint, size_t K, uint32_t truth, double weight) {
    double own = log_joint[truth];
    uint32_t best = ilk_argmax(log_joint, K);
    double evidence = ilk_bayes(log_joint, log_joint, K);
    double loss = best == ILK_NONE ? (double)INFINITY : evidence - own;
    return (outcome){.weight = weight, .loss = loss, .answered = true, .right = best == truth};
}

static ilk_status work(void *ctx, void *p, ilk_error *err) {
    const trial *t = ctx;
    slot *s = p;
    size_t K = ilk_model_classes(t->model);
    ilk_encoder_clear(&s->encoder);
    for (size_t i = 0; i < s->n; i++) {
        ilk_status status = encode(s, t, &t->table->reservoir.row[s->first + i], err);
        if (status != ILK_OK && status != ILK_EDATA)
            return status;
    }
    const ilk_rows rows = ilk_encoder_rows(&s->encoder);
    ILK_TRY(ilk_model_leave_one_out(s->log_joint, t->model, &rows, err));
    for (size_t i = 0; i < rows.n; i++)
        t->outcome[s->first + i] = judge(s->log_joint + i * K, K, rows.label[i], rows.weight ? rows.weight[i] : 1);
    return ILK_OK;
}

/* ---- means and their standard errors.   MATH section 1 */

static double value(const outcome *o, bool loss) {
    return loss ? o->loss : o->right;
}

/* By weight; sqrt(sum of w^2 (x - mean)^2 × n / (n - 1)) / (sum of w), which for weights of 1 is s / sqrt(n). */
static void mean_of(double *mean, double *se, const outcome *o, size_t n, size_t answered, bool loss) {
    double weight = 0, sum = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        weight += o[i].answered ? o[i].weight : 0;
        sum += o[i].answered ? o[i].weight * value(&o[i], loss) : 0;
    }
    *mean = sum / weight;
    for (size_t i = 0; i < n; i++) {
        double off = o[i].answered ? o[i].weight * (value(&o[i], loss) - *mean) : 0;
        square += off * off;
    }
    *se = answered > 1 ? sqrt(square * (double)answered / (double)(answered - 1)) / weight : (double)NAN;
}

static void sum_up(ilk_loo *out, const trial *t) {
    size_t n = t->table->reservoir.n;
    *out = (ilk_loo){.cut = t->table->reservoir.cut};
    for (size_t i = 0; i < n; i++)
        out->n += t->outcome[i].answered;
    mean_of(&out->accuracy, &out->accuracy_se, t->outcome, n, out->n, false);
    mean_of(&out->log_loss, &out->log_loss_se, t->outcome, n, out->n, true);
}

/* ---- the run */

static bool slot_init(slot *s, const trial *t) {
    s->fields = ilk_alloc(t->table->columns, sizeof *s->fields);
    s->log_joint = ilk_alloc(t->batch * ilk_model_classes(t->model), sizeof *s->log_joint);
    return s->fields && s->log_joint && ilk_encoder_init(&s->encoder, &t->map, NULL, t->model) == ILK_OK;
}

static void slot_free(slot *s) {
    ilk_parser_free(&s->parser);
    if (s->encoder.map)
        ilk_encoder_free(&s->encoder);
    ilk_free(s->fields);
    ilk_free(s->log_joint);
}

static ilk_status run(trial *t, slot *slots, void **places, size_t threads, ilk_error *err) {
    for (size_t i = 0; i < threads; i++) {
        places[i] = &slots[i];
        if (!slot_init(&slots[i], t))
            return ilk_fail_memory(err);
    }
    return ilk_pipeline_run(&(ilk_pipeline){t, hand_out, work, NULL, places, threads}, err);
}

static ilk_status try_all(ilk_loo *out, trial *t, size_t threads, ilk_error *err) {
    slot *slots = ilk_zalloc(threads, sizeof *slots);
    void **places = ilk_alloc(threads, sizeof *places);
    t->outcome = ilk_zalloc(t->table->reservoir.n, sizeof *t->outcome);
    ilk_status status = slots && places && t->outcome ? run(t, slots, places, threads, err) : ilk_fail_memory(err);
    if (status == ILK_OK)
        sum_up(out, t);
    for (size_t i = 0; slots && i < threads; i++)
        slot_free(&slots[i]);
    ilk_free(t->outcome);
    ilk_free(places);
    ilk_free(slots);
    return status;
}

ilk_status ilk_table_leave_one_out(ilk_loo *out, const ilk_table *table, const ilk_model *model, size_t threads,
                                   ilk_error *err) {
    size_t batch = BATCH_NUMBERS / ilk_model_classes(model);
    trial t = {.table = table, .model = model, .batch = batch < 1 ? 1 : batch > BATCH ? BATCH : batch};
    size_t batches = (table->reservoir.n + t.batch - 1) / t.batch;
    *out = (ilk_loo){.accuracy = NAN, .accuracy_se = NAN, .log_loss = NAN, .log_loss_se = NAN};
    threads = threads ? threads : ilk_processors();
    threads = threads < batches ? threads : batches ? batches : 1;
    ILK_TRY(ilk_column_map_init(&t.map, ilk_model_schema(model), table, true, err));
    ilk_status status = try_all(out, &t, threads, err);
    ilk_column_map_free(&t.map);
    return status;
}
