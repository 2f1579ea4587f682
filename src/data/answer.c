/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - a table through a model.
 *
 * Blocks are scored and turned into text in parallel and handed over in the order of the input, so that writing out
 * long numbers does not hold up whoever commits. An answer depends on its row alone, never on its block.
 */
#include "core/memory.h"
#include "core/number.h"
#include "data/pass.h"
#include "model/worth.h"

#include <ilk_data.h>

#include <math.h>

/* A block's answers, a number per row and class, are held at once: where there are many classes, a block has fewer
 * rows. */
enum { FEW_CLASSES = 64, BLOCK_NUMBERS = 1 << 22 };

struct ilk_text {
    ilk_buffer bytes;
};

typedef struct responder {
    ilk_pass pass;
    const ilk_model *model;
    const ilk_answer_fns *fns;
    bool without; /* the row itself: leave-one-out */
} responder;

typedef struct slot {
    ilk_row_reader reader;
    ilk_rows rows;
    double *log_joint;
    size_t cap;
    ilk_text text;
    size_t columns;
} slot;

ilk_status ilk_text_add(ilk_text *text, const char *bytes, size_t n) {
    return ilk_buffer_add(&text->bytes, bytes, n);
}

ilk_status ilk_text_number(ilk_text *text, double x) {
    char digits[ILK_NUMBER_SIZE];
    return ilk_buffer_add(&text->bytes, digits, ilk_number_format(digits, x));
}

size_t ilk_format_number(char *buf, double x) {
    return ilk_number_format(buf, x);
}

/* `fields` is the slot itself: the public struct shows what callers read often, and this the rest. */
ilk_str ilk_answers_field(const ilk_answers *answers, size_t i, size_t j) {
    const slot *s = answers->fields;
    return i < answers->n && j < s->columns ? s->reader.fields[i * s->columns + j] : (ilk_str){"", 0};
}

/* first_row is left to commit: how many rows the blocks before have is not known while they are being read. */
static ilk_answers answers_of(const slot *s, const responder *r) {
    return (ilk_answers){.model = r->model,
                         .n = s->rows.n,
                         .K = ilk_model_classes(r->model),
                         .log_joint = s->log_joint,
                         .label = s->reader.encoder.label,
                         .rows = &s->rows,
                         .target = r->pass.map.target,
                         .bad = s->reader.bad,
                         .fields = s};
}

static ilk_status produce(void *ctx, void *p, bool *more, ilk_error *err) {
    responder *r = ctx;
    slot *s = p;
    return ilk_row_reader_fetch(&s->reader, &r->pass, more, err);
}

/* A class that has no place in the model had rows of weight 0 only, which count nothing in any class. */
static ilk_status check_labels(slot *s, ilk_error *err) {
    for (size_t i = 0; i < s->rows.n; i++) {
        if (s->rows.label[i] < ILK_UNSEEN)
            continue;
        if (!s->rows.weight || s->rows.weight[i] > 0)
            return ilk_fail(err, ILK_EDATA, "%s: a class that the model does not know: has the data changed?",
                            s->reader.block.name);
        s->reader.encoder.label[i] = 0;
    }
    return ILK_OK;
}

/* Rows that could not be read have no answer. */
static void blank_out(const slot *s, size_t K) {
    for (size_t i = 0; s->reader.tally.bad > 0 && i < s->rows.n; i++)
        for (size_t k = 0; s->reader.bad[i] && k < K; k++)
            s->log_joint[i * K + k] = NAN;
}

static ilk_status work(void *ctx, void *p, ilk_error *err) {
    const responder *r = ctx;
    slot *s = p;
    ILK_TRY(ilk_row_reader_read(&s->reader, &r->pass, err));
    s->rows = ilk_encoder_rows(&s->reader.encoder);
    if (r->without)
        ILK_TRY(check_labels(s, err));
    else
        s->rows.label = NULL; /* labels of the model, not of statistics */
    s->text.bytes.n = 0;
    if (s->rows.n == 0)
        return ILK_OK;
    if (ilk_grow(&s->log_joint, &s->cap, s->rows.n * ilk_model_classes(r->model), sizeof *s->log_joint))
        return ilk_fail_memory(err);
    ILK_TRY((r->without ? ilk_model_leave_one_out : ilk_model_log_joint)(s->log_joint, r->model, &s->rows, err));
    if (!r->without)
        blank_out(s, ilk_model_classes(r->model));
    const ilk_answers answers = answers_of(s, r);
    return r->fns->format ? r->fns->format(r->fns->ctx, &answers, &s->text, err) : ILK_OK;
}

static ilk_status commit(void *ctx, void *p, ilk_error *err) {
    responder *r = ctx;
    slot *s = p;
    if (s->rows.n > 0 && r->fns->commit) {
        ilk_answers answers = answers_of(s, r);
        answers.first_row = r->pass.tally->rows + r->pass.tally->bad;
        ILK_TRY(r->fns->commit(r->fns->ctx, &answers, s->text.bytes.p, s->text.bytes.n, err));
    }
    return ilk_row_reader_account(&s->reader, &r->pass, err);
}

/* Encoders are made before the threads start, so that memory that cannot be had is an error at once. */
static ilk_status run(responder *r, slot *slots, void **places, ilk_error *err) {
    size_t n = r->pass.threads;
    for (size_t i = 0; i < n; i++) {
        places[i] = &slots[i];
        slots[i].columns = r->pass.table->columns;
        if (ilk_encoder_init(&slots[i].reader.encoder, &r->pass.map, NULL, r->model) != ILK_OK)
            return ilk_fail_memory(err);
    }
    const ilk_pipeline pipeline = {r, produce, work, commit, places, n};
    return ilk_pipeline_run(&pipeline, err);
}

static ilk_status answer(responder *r, ilk_error *err) {
    size_t n = r->pass.threads;
    slot *slots = ilk_zalloc(n, sizeof *slots);
    void **places = ilk_zalloc(n, sizeof *places);
    ilk_status status = slots && places ? run(r, slots, places, err) : ilk_fail_memory(err);
    for (size_t i = 0; slots && i < n; i++) {
        ilk_row_reader_free(&slots[i].reader);
        ilk_free(slots[i].log_joint);
        ilk_buffer_free(&slots[i].text.bytes);
    }
    ilk_free(places);
    ilk_free(slots);
    return status;
}

static ilk_status pass(responder *r, ilk_table *table, const ilk_run *settings, ilk_tally *tally, ilk_error *err) {
    ilk_tally unwanted;
    const ilk_schema *schema = ilk_model_schema(r->model);
    if (!tally)
        tally = &unwanted;
    if (ilk_model_classes(r->model) > FEW_CLASSES)
        table->most_rows = 1 + BLOCK_NUMBERS / ilk_model_classes(r->model);
    ILK_TRY(ilk_pass_init(&r->pass, table, schema, r->without, settings, tally, err));
    r->pass.keep_rows = !r->without;
    ilk_status status = answer(r, err);
    if (status == ILK_OK && tally->rows + tally->bad == 0 && !table->header) /* a header alone is an empty batch */
        status = ilk_table_refuse_empty(table, err);
    ilk_pass_free(&r->pass);
    return status;
}

ilk_status ilk_table_answer(ilk_table *table, const ilk_model *model, const ilk_answer_fns *fns,
                            const ilk_run *settings, ilk_tally *tally, ilk_error *err) {
    return pass(&(responder){.model = model, .fns = fns}, table, settings, tally, err);
}

/* ---- leave-one-out on every row */

typedef struct examiner {
    ilk_worth worth;
    double *posterior; /* K, scratch */
} examiner;

static ilk_status judge(void *ctx, const ilk_answers *a, const char *bytes, size_t n, ilk_error *err) {
    examiner *e = ctx;
    (void)bytes, (void)n, (void)err;
    for (size_t i = 0; i < a->n; i++) {
        double w = a->rows->weight ? a->rows->weight[i] : 1;
        ilk_outcome o = ilk_judge(e->posterior, a->log_joint + i * a->K, a->K, a->label[i], w);
        ilk_worth_add(&e->worth, &o);
    }
    return ILK_OK;
}

/* What could not be learnt was no row, and what the model refuses cannot be judged: both are bad rows to skip. */
ilk_status ilk_table_leave_each_out(ilk_loo *out, ilk_table *table, const ilk_model *model, const ilk_run *settings,
                                    ilk_tally *tally, ilk_error *err) {
    examiner e = {.posterior = ilk_alloc(ilk_model_classes(model), sizeof *e.posterior)};
    const ilk_answer_fns fns = {.commit = judge, .ctx = &e};
    table->skip_bad_rows = true;
    ilk_status status =
        e.posterior ? pass(&(responder){.model = model, .fns = &fns, .without = true}, table, settings, tally, err)
                    : ilk_fail_memory(err);
    *out = ilk_worth_sum(&e.worth);
    ilk_free(e.posterior);
    return status;
}
