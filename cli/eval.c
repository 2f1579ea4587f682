/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c - ilk eval [options] MODEL DATA...
 *
 * Answer rows whose class is known and say how good the answers are. Text, or with --json one object with the keys
 * n, accuracy, log_loss, brier, ece, auc, confusion, classes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "grid.h"
#include "json.h"
#include "metrics.h"
#include "scoring.h"

enum { MATRIX_CLASSES = 12, CONFUSIONS = 10 }; /* a matrix of more classes does not fit a screen */

typedef struct evaluation {
    const ilk_model *model;
    metrics sums;
    metrics_cell *cell; /* of the confusion matrix, once all rows are there */
    size_t cells;
    uint64_t unlabelled;
    const ilk_table *table;
    const char *file; /* for messages */
    char first_unknown[96];
} evaluation;

static void remember_unknown(evaluation *e, ilk_str label, uint64_t row) {
    if (e->sums.unknown == 0)
        snprintf(e->first_unknown, sizeof e->first_unknown, "%.*s in row %" PRIu64, CLI_SHOW(label), row + 1);
}

static ilk_status refuse_unlabelled(const evaluation *e, ilk_error *err) {
    const ilk_schema *schema = ilk_model_schema(e->model);
    ilk_str name = ilk_schema_column(schema, ilk_schema_target(schema))->name;
    err->status = ILK_EDATA;
    snprintf(err->message, sizeof err->message,
             "%.200s: no column of labels, '%.*s', among the %zu: eval compares the predictions with it", e->file,
             CLI_SHOW(name), ilk_table_columns(e->table));
    return ILK_EDATA;
}

/* Sums are made here, in the order of the input, so that they have the same bits for any number of threads. */
static ilk_status commit(void *ctx, const ilk_answers *rows, const char *bytes, size_t n, ilk_error *err) {
    (void)bytes, (void)n;
    evaluation *e = ctx;
    if (rows->target == SIZE_MAX)
        return refuse_unlabelled(e, err);
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t truth = rows->label[i];
        if (rows->bad[i])
            continue;
        if (truth == ILK_NONE) {
            e->unlabelled++;
            continue;
        }
        if (truth == ILK_UNSEEN)
            remember_unknown(e, ilk_answers_field(rows, i, rows->target), rows->first_row + i);
        metrics_add(&e->sums, rows->log_joint + i * rows->K, truth);
    }
    return ILK_OK;
}

/* What is in the cell, 0 where no row fell into it; the walk is row by row, and `next` stands before the cells to come.
 */
static uint64_t count_at(const evaluation *e, size_t *next, uint32_t truth, uint32_t answer) {
    const metrics_cell *cell = e->cell + *next;
    if (*next == e->cells || cell->truth != truth || cell->answer != answer)
        return 0;
    ++*next;
    return cell->n;
}

static void json_confusion(json *j, const evaluation *e) {
    size_t next = 0, K = e->sums.K;
    json_array(j, "confusion");
    for (uint32_t k = 0; k < K; k++) {
        json_array(j, NULL);
        for (uint32_t i = 0; i < K; i++)
            json_count(j, NULL, count_at(e, &next, k, i));
        json_end(j);
    }
    json_end(j);
}

static void write_json(const evaluation *e) {
    const metrics *m = &e->sums;
    sink out = sink_stdout();
    json j = json_begin(&out);
    json_object(&j, NULL);
    json_count(&j, "n", m->n);
    json_number(&j, "accuracy", metrics_accuracy(m));
    json_number(&j, "log_loss", metrics_log_loss(m));
    json_number(&j, "brier", metrics_brier(m));
    json_number(&j, "ece", metrics_ece(m));
    json_number(&j, "auc", metrics_auc(m));
    json_confusion(&j, e);
    json_array(&j, "classes");
    for (uint32_t k = 0; k < m->K; k++)
        json_string(&j, NULL, ilk_model_class_name(e->model, k));
    json_end(&j);
    json_end(&j);
}

static void write_matrix(sink *out, const evaluation *e) {
    size_t next = 0, K = e->sums.K;
    grid g;
    grid_begin(&g, K + 1);
    grid_word(&g, "truth \\ prediction");
    for (uint32_t k = 0; k < K; k++)
        grid_cell(&g, ilk_model_class_name(e->model, k));
    for (uint32_t k = 0; k < K; k++) {
        grid_cell(&g, ilk_model_class_name(e->model, k));
        for (uint32_t i = 0; i < K; i++)
            grid_number(&g, (double)count_at(e, &next, k, i));
    }
    grid_end(&g, out, 0);
}

/* The largest cell off the diagonal that comes after `last` in falling order (ties by place), or NULL. */
static const metrics_cell *next_confusion(const evaluation *e, const metrics_cell *last) {
    const metrics_cell *best = NULL;
    for (const metrics_cell *c = e->cell; c < e->cell + e->cells; c++) {
        bool after = !last || c->n < last->n || (c->n == last->n && c > last);
        if (c->truth != c->answer && after && (!best || c->n > best->n))
            best = c;
    }
    return best;
}

static void write_confusions(sink *out, const evaluation *e) {
    grid g;
    grid_begin(&g, 3);
    grid_word(&g, "truth");
    grid_word(&g, "prediction");
    grid_word(&g, "rows");
    const metrics_cell *cell = next_confusion(e, NULL);
    for (size_t i = 0; i < CONFUSIONS && cell; i++, cell = next_confusion(e, cell)) {
        grid_cell(&g, ilk_model_class_name(e->model, cell->truth));
        grid_cell(&g, ilk_model_class_name(e->model, cell->answer));
        grid_number(&g, (double)cell->n);
    }
    sink_format(out, "most frequent confusions among %zu classes (--json has the whole matrix):\n", e->sums.K);
    grid_end(&g, out, 0);
}

static void write_text(const evaluation *e) {
    const metrics *m = &e->sums;
    sink out = sink_stdout();
    sink_format(&out, "n         %" PRIu64 "\naccuracy  ", m->n);
    sink_number(&out, metrics_accuracy(m));
    sink_format(&out, "\nlog-loss  %.6f\nbrier     %.6f\nece       %.6f\nauc       %.6f\n\n", metrics_log_loss(m),
                metrics_brier(m), metrics_ece(m), metrics_auc(m));
    (m->K <= MATRIX_CLASSES ? write_matrix : write_confusions)(&out, e);
}

static void report(const evaluation *e, const cli_settings *settings) {
    const metrics *m = &e->sums;
    char number[32];
    if (m->unknown > 0)
        cli_say(settings, "%s label%s unknown to the model, counted as wrong; the first: %s",
                cli_thousands(number, m->unknown), cli_plural(m->unknown), e->first_unknown);
    if (m->undecided > 0)
        cli_say(settings, "%s row%s could not be decided (0/0), counted as wrong", cli_thousands(number, m->undecided),
                cli_plural(m->undecided));
    if (e->unlabelled > 0)
        cli_say(settings, "%s row%s skipped: no label", cli_thousands(number, e->unlabelled),
                cli_plural(e->unlabelled));
}

static int measure(scoring *s, const cli_settings *settings) {
    evaluation e = {.model = s->model, .table = s->table, .file = s->file};
    ilk_error err = {0};
    int code = CLI_DONE;
    const ilk_answer_fns fns = {NULL, commit, &e};
    metrics_begin(&e.sums, s->K);
    if (scoring_run(s, &fns, settings, &err) != ILK_OK) {
        code = cli_fail(&err);
    } else if (e.sums.n == 0) {
        if (s->tally.bad > 0 && e.unlabelled == 0)
            cli_error("%s", s->tally.first_bad);
        else
            cli_error("%s: no row%s", e.file, e.unlabelled ? " has a label" : "s, only a header");
        code = CLI_FAILED;
    } else {
        e.cell = metrics_confusion(&e.sums, &e.cells);
        (settings->json ? write_json : write_text)(&e);
        report(&e, settings);
        free(e.cell);
    }
    metrics_end(&e.sums);
    return code;
}

static int eval(const cli_settings *settings) {
    scoring s;
    ilk_error err = {0};
    int code = scoring_open(&s, settings, false, &err) == ILK_OK ? measure(&s, settings) : cli_fail_asked(&err);
    scoring_close(&s);
    return code;
}

const cli_command cli_eval = {
    .name = "eval",
    .summary = "compare predictions with known classes",
    .arguments = "MODEL DATA...",
    .description =
        "Accuracy, log-loss, Brier score, calibration error, area under the ROC curve and the confusion matrix. The "
        "data must have the target column. Labels the model does not know and rows it cannot decide count as errors.",
    .examples = "ilk eval spam.bayes held-out.tsv\n"
                "ilk eval --json spam.bayes held-out.tsv | jq .accuracy\n",
    .least = 2,
    .most = SIZE_MAX,
    .run = eval,
};
