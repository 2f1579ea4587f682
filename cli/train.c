/* SPDX-License-Identifier: Apache-2.0 */
/* train.c - ilk train [options] -o MODEL DATA...
 *
 * Learn a model from labelled rows in one reading: infer the columns, add every row, estimate, save. The report goes to
 * standard error, and with --json one object to standard output.
 */
#include <pthread.h>

#include "fitting.h"
#include "learning.h"
#include "output.h"
#include "prior.h"
#include "report.h"

/* What is trained like another model is a part of the rows, and need not make a model by itself. */
static ilk_status estimate(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_options options = s->estimate;
    ilk_status status = learning_choose(&options, l, s, err);
    bool chosen = status == ILK_OK;
    if (chosen)
        status = ilk_model_estimate(&l->model, l->stats, &options, err);
    if (status != ILK_OK)
        prior_explain(err, l->stats, &s->estimate);
    if (status != ILK_EDATA && status != ILK_ESINGULAR)
        return status;
    if (s->like && !s->slim && chosen && ilk_stats_rows(l->stats) > 0) {
        learning_stand_alone(l, err->message);
        return ILK_OK;
    }
    learning_name_data(err, &s->args);
    return status;
}

/* What a model decides cannot be asked for as well. */
static const char *const decided_by_like[] = {
    "target", "model",  "ignore",    "weights", "text",       "family", "bins",       "transform",   "passes", "na",
    "tokens", "ngrams", "keep-case", "stop",    "dictionary", "binary", "log-counts", "unit-length", NULL};

/* What tells or leaves out something of a model's. */
static const char *const decided_by_estimate[] = {"slim", "loo", "seed", NULL};

/* Open the table, or open it again. */
static ilk_status open_table(learning *l, const cli_settings *s, const ilk_schema *expected, ilk_error *err) {
    ilk_read_options reading = s->reading;
    reading.schema = expected;
    ilk_table_free(l->table);
    return ilk_table_open(&l->table, s->args.item, s->args.n, &reading, err);
}

/* Statistics for columns as another file has them. */
static ilk_status prepare_like(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_schema *like;
    ilk_status status = ilk_schema_open(&like, s->like, err);
    if (status == ILK_OK)
        status = open_table(l, s, like, err);
    if (status == ILK_OK)
        status = ilk_stats_new(&l->stats, like, err);
    ilk_schema_free(like);
    return status;
}

/* Notes come while the bar of a look at all rows may still stand there. */
typedef struct looking {
    progress *bar;
    report_notes notes;
} looking;

static void note(void *ctx, const char *text) {
    looking *at = ctx;
    progress_clear(at->bar);
    report_note(&at->notes, text);
}

static ilk_status look(ilk_schema **out, learning *l, const cli_settings *s, ilk_error *err) {
    looking at = {.bar = &l->bar, .notes.settings = s};
    ilk_plan plan = s->plan;
    if (plan.all_rows) {
        ilk_run run = learning_begin(l, s);
        plan.progress = run.progress;
        plan.progress_ctx = run.ctx;
    }
    ilk_status status = ilk_table_schema(out, l->table, &plan, note, &at, err);
    report_notes_end(&at.notes);
    if (plan.all_rows)
        progress_end(&l->bar, status);
    return status;
}

/* Statistics for columns as the table has them. Where all rows were looked at, it is opened again to learn them. */
static ilk_status prepare(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_schema *schema = NULL;
    ilk_status status = open_table(l, s, NULL, err);
    if (status == ILK_OK)
        status = look(&schema, l, s, err);
    if (status == ILK_OK && s->plan.all_rows)
        status = open_table(l, s, NULL, err);
    if (status == ILK_OK)
        status = ilk_stats_new(&l->stats, schema, err);
    ilk_schema_free(schema);
    return status;
}

/* ---- the end: the model into its file, and what it is worth */

typedef struct saving {
    const learning *l;
    const cli_settings *s;
    ilk_error err;
} saving;

static void *save(void *argument) {
    saving *job = argument;
    const cli_settings *s = job->s;
    const learning *l = job->l;
    if (l->model)
        ilk_model_save(l->model, s->slim ? NULL : l->stats, s->output, &job->err);
    else
        ilk_stats_save(l->stats, &s->estimate, s->output, &job->err);
    return NULL;
}

/* Writing waits for the disk, and what the model is worth can be found out meanwhile: from rows in memory, which fails
 * for lack of it at most. Where rows are read again, more can go wrong, and nothing is written before it has not. */
static ilk_status finish(learning *l, const cli_settings *s, ilk_error *err) {
    pthread_t thread;
    saving job = {.l = l, .s = s};
    bool aside =
        s->loo == CLI_LOO_AUTO && !s->quiet && s->threads != 1 && pthread_create(&thread, NULL, save, &job) == 0;
    ilk_status status = learning_leave_one_out(l, s, &s->args, err);
    if (aside)
        pthread_join(thread, NULL);
    else if (status == ILK_OK)
        save(&job);
    if (status != ILK_OK || job.err.status == ILK_OK)
        return status;
    *err = job.err;
    return job.err.status;
}

static ilk_status learn(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_status status = s->like ? prepare_like(l, s, err) : prepare(l, s, err);
    if (status == ILK_OK && (status = fitting_check(s, ilk_stats_schema(l->stats), err)) != ILK_OK)
        learning_name_data(err, &s->args);
    if (status == ILK_OK)
        status = learning_add_rows(l, s, err);
    if (status == ILK_OK && s->plan.part && ilk_stats_rows(l->stats) > 0)
        learning_stand_alone(l, "--stats-only was given");
    else if (status == ILK_OK)
        status = estimate(l, s, err);
    if (status == ILK_OK)
        status = finish(l, s, err);
    return status;
}

/* Options that exclude each other, in one line. */
static int check(const cli_settings *s) {
    const char *like = s->like ? cli_given(s, decided_by_like) : NULL;
    const char *alone = s->plan.part ? cli_given(s, decided_by_estimate) : NULL;
    if (like)
        cli_error("--like takes the columns from a model and excludes --%s", like);
    else if (alone)
        cli_error("--stats-only estimates nothing and excludes --%s", alone);
    return like || alone ? CLI_USAGE : learning_check(s, &s->args);
}

static int train(const cli_settings *s) {
    int code = output_check(s, "train", &s->args);
    if (code == CLI_DONE)
        code = check(s);
    if (code != CLI_DONE)
        return code;
    learning l = {0};
    ilk_error err = {0};
    double began = progress_clock();
    ilk_status status = learn(&l, s, &err);
    progress_close(&l.bar);
    if (status == ILK_OK) {
        learning_report(&l, s, progress_clock() - began);
    } else {
        code = cli_fail_asked(&err); /* what was asked for does not fit the table */
    }
    learning_free(&l);
    return code;
}

const cli_command cli_train = {
    .name = "train",
    .summary = "learn a model from labelled rows",
    .arguments = "-o MODEL DATA...",
    .description =
        "Reads tables once, front to back (\"-\" is standard input), decides what each column is, counts, and writes "
        "the model with its statistics. Notes and a short report go to standard error. Its leave-one-out figures say "
        "what the model is worth on rows it has not seen: each of a sample of rows is answered as if it had not been "
        "learnt.",
    .examples = "ilk train playtennis.csv --target PlayTennis -o tennis.bayes\n"
                "ilk train --model gda measurements.csv -o gda.bayes\n"
                "ilk train --format lines --min-docs 5 messages.tsv -o spam.bayes\n"
                "zcat big.csv.gz | ilk train --smooth 0.5 -o big.bayes -\n",
    .least = 1,
    .most = SIZE_MAX,
    .run = train,
};
