/* SPDX-License-Identifier: Apache-2.0 */
/* train.c - ilk train [options] -o MODEL DATA...
 *
 * Learn a model from labelled rows in one reading: infer the columns, add every row, estimate, save. The report goes to
 * standard error; with --json standard output gets {"rows": N, "seconds": S, "classes": [...], "loo": {...}}.
 */
#include "cli.h"
#include "json.h"
#include "output.h"
#include "prior.h"
#include "progress.h"
#include "report.h"

/* What is made on the way from the data to the model. */
typedef struct training {
    ilk_table *table;
    ilk_schema *schema;
    ilk_stats *stats;
    ilk_model *model;
    ilk_tally tally;
    ilk_loo loo;
} training;

enum { LOO_ROWS = 10000 }; /* enough for an accuracy to half a per cent */

/* Unless nobody would see it. */
static bool wants_loo(const cli_settings *s) {
    return s->loo == 0 && (s->json || !s->quiet);
}

static void note(void *ctx, const char *text) {
    cli_say(ctx, "note: %s", text);
}

static ilk_status add_rows(training *t, const cli_settings *s, ilk_error *err) {
    progress bar;
    ilk_run run = progress_begin(&bar, s);
    run.sample = wants_loo(s) ? LOO_ROWS : 0;
    run.seed = s->seed;
    ilk_status status = ilk_table_learn(t->stats, t->table, &run, &t->tally, err);
    progress_end(&bar);
    return status;
}

static ilk_status estimate(training *t, const cli_settings *s, ilk_error *err) {
    ilk_status status = ilk_model_estimate(&t->model, t->stats, &s->estimate, err);
    if (status != ILK_OK)
        prior_explain(err, t->stats, &s->estimate);
    return status;
}

static ilk_status learn(training *t, const cli_settings *s, ilk_error *err) {
    ilk_status status = ilk_table_open(&t->table, s->args.item, s->args.n, &s->reading, err);
    if (status == ILK_OK)
        status = ilk_table_schema(&t->schema, t->table, &s->plan, note, (void *)s, err);
    if (status == ILK_OK)
        status = ilk_stats_new(&t->stats, t->schema, err);
    if (status == ILK_OK)
        status = add_rows(t, s, err);
    if (status == ILK_OK)
        status = estimate(t, s, err);
    if (status == ILK_OK && wants_loo(s))
        status = ilk_table_leave_one_out(&t->loo, t->table, t->model, s->threads, err);
    if (status == ILK_OK)
        status = ilk_model_save(t->model, s->slim ? NULL : t->stats, s->output, err);
    return status;
}

static void json_loo(json *j, const ilk_loo *loo) {
    json_object(j, "loo");
    json_count(j, "n", loo->n);
    json_number(j, "accuracy", loo->accuracy);
    json_number(j, "accuracy_se", loo->accuracy_se);
    json_number(j, "log_loss", loo->log_loss);
    json_number(j, "log_loss_se", loo->log_loss_se);
    json_end(j);
}

static void write_json(const training *t, const cli_settings *s, double seconds) {
    sink out = sink_stdout();
    json j = json_begin(&out);
    json_object(&j, NULL);
    json_count(&j, "rows", t->tally.rows);
    json_number(&j, "seconds", seconds);
    json_array(&j, "classes");
    for (uint32_t k = 0; k < ilk_model_classes(t->model); k++)
        json_string(&j, NULL, ilk_model_class_name(t->model, k));
    json_end(&j);
    if (wants_loo(s))
        json_loo(&j, &t->loo);
    else
        json_word(&j, "loo", NULL);
    json_end(&j);
}

static int train(const cli_settings *s) {
    int code = output_check(s, "train", &s->args);
    if (code != CLI_DONE)
        return code;
    training t = {0};
    ilk_error err = {0};
    double began = progress_clock();
    if (learn(&t, s, &err) == ILK_OK) {
        double seconds = progress_clock() - began;
        report_model(s, t.model, ilk_stats_rows(t.stats));
        report_skipped(s, &t.tally);
        if (wants_loo(s))
            report_loo(s, &t.loo, &t.tally);
        report_speed(s, &t.tally, seconds);
        if (s->json)
            write_json(&t, s, seconds);
    } else {
        code = cli_fail(&err);
        if (err.status == ILK_EARG &&
            !t.schema) /* what was asked for does not fit the table: a slip on the command line */
            code = CLI_USAGE;
    }
    ilk_model_free(t.model);
    ilk_stats_free(t.stats);
    ilk_schema_free(t.schema);
    ilk_table_free(t.table);
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
