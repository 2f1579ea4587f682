/* SPDX-License-Identifier: Apache-2.0 */
/* learning.c - a pass that learns, its leave-one-out figures and its report. */
#include "learning.h"

#include "progress.h"
#include "report.h"

enum { LOO_ROWS = 10000 }; /* enough for an accuracy to half a per cent */

/* Unless nobody would see it. */
static bool wants_loo(const cli_settings *s) {
    return s->loo == 0 && (s->json || !s->quiet);
}

ilk_status learning_add_rows(learning *l, const cli_settings *s, ilk_error *err) {
    progress bar;
    ilk_run run = progress_begin(&bar, s);
    run.sample = wants_loo(s) ? LOO_ROWS : 0;
    run.seed = s->seed;
    ilk_status status = ilk_table_learn(l->stats, l->table, &run, &l->tally, err);
    progress_end(&bar);
    return status;
}

ilk_status learning_leave_one_out(learning *l, const cli_settings *s, ilk_error *err) {
    return wants_loo(s) ? ilk_table_leave_one_out(&l->loo, l->table, l->model, s->threads, err) : ILK_OK;
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

void learning_json_classes(json *j, const ilk_model *model) {
    json_array(j, "classes");
    for (uint32_t k = 0; k < ilk_model_classes(model); k++)
        json_string(j, NULL, ilk_model_class_name(model, k));
    json_end(j);
}

static void write_json(const learning *l, const cli_settings *s, double seconds) {
    sink out = sink_stdout();
    json j = json_begin(&out);
    json_object(&j, NULL);
    json_count(&j, "rows", l->tally.rows);
    if (l->more)
        json_number(&j, "total", ilk_stats_rows(l->stats));
    json_number(&j, "seconds", seconds);
    learning_json_classes(&j, l->model);
    if (wants_loo(s))
        json_loo(&j, &l->loo);
    else
        json_word(&j, "loo", NULL);
    json_end(&j);
}

void learning_report(const learning *l, const cli_settings *s, double seconds) {
    report_model(s, l->model, ilk_stats_rows(l->stats));
    report_skipped(s, &l->tally);
    if (wants_loo(s))
        report_loo(s, &l->loo, &l->tally);
    report_speed(s, &l->tally, seconds);
    if (s->json)
        write_json(l, s, seconds);
}

void learning_free(learning *l) {
    ilk_model_free(l->model);
    ilk_stats_free(l->stats);
    ilk_table_free(l->table);
}
