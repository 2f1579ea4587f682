/* SPDX-License-Identifier: Apache-2.0 */
/* forget.c - ilk forget [options] MODEL DATA... | --class NAME | --shard MODEL
 *
 * Take rows out of a model file, as if it had never seen them: those of a table, those of a class, or all that another
 * model has learnt. All or nothing.
 */
#include <stdio.h>
#include <string.h>

#include "change.h"
#include "report.h"

/* The rows of a table are learnt apart, then taken away as a whole: so nothing is gone if one of them was never
 * learnt. */
static ilk_status forget_rows(learning *l, const cli_settings *s, ilk_error *err) {
    learning gone = {0};
    progress bar;
    ilk_run run = progress_begin(&bar, s);
    ilk_status status = change_open_data(&gone.table, l->stats, s, err);
    if (status == ILK_OK)
        status = ilk_stats_new(&gone.stats, ilk_stats_schema(l->stats), err);
    if (status == ILK_OK)
        status = ilk_table_learn(gone.stats, gone.table, &run, &l->tally, err);
    progress_end(&bar, status);
    if (status == ILK_OK)
        status = change_check_rows(&l->tally, s->args.item[1], err);
    if (status == ILK_OK) {
        status = ilk_stats_subtract(l->stats, gone.stats, err);
        if (status != ILK_OK)
            status = change_blame(err, s->args.item[1]);
    }
    learning_free(&gone);
    return status;
}

static ilk_status forget_class(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_status status = ilk_stats_remove_class(l->stats, (ilk_str){s->class, strlen(s->class)}, err);
    if (status != ILK_OK)
        cli_name_file(err, s->args.item[0]);
    return status;
}

static ilk_status forget_shard(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_stats *stats;
    ilk_status status = ilk_stats_open(&stats, s->shard, err);
    if (status == ILK_OK) {
        status = ilk_stats_subtract(l->stats, stats, err);
        if (status != ILK_OK)
            status = change_blame(err, s->shard);
    }
    ilk_stats_free(stats);
    return status;
}

/* A model tells classes apart, so it cannot forget all but one; statistics alone can, but not all rows. */
static ilk_status check_rest(const ilk_stats *stats, const char *path, ilk_error *err) {
    size_t left = ilk_stats_classes(stats);
    if (left > 1 || (left == 1 && ilk_stats_alone(stats)))
        return ILK_OK;
    *err = (ilk_error){.status = ILK_EDATA};
    snprintf(err->message, sizeof err->message, "%.200s: %s would be left%s: it stays as it was", path,
             left ? "only one class" : "nothing", ilk_stats_alone(stats) ? "" : ", and a model needs two classes");
    return err->status;
}

static void write_json(const learning *l, double gone, double seconds) {
    sink out = sink_stdout();
    json j = json_begin(&out);
    json_object(&j, NULL);
    json_number(&j, "rows", gone);
    json_number(&j, "total", ilk_stats_rows(l->stats));
    json_number(&j, "seconds", seconds);
    learning_json_classes(&j, l);
    json_end(&j);
}

static ilk_status take_away(change *c, learning *l, double *gone, const cli_settings *s, ilk_error *err) {
    ilk_status status = change_begin(c, &l->stats, s->args.item[0], err);
    if (status != ILK_OK)
        return status;
    double before = ilk_stats_rows(l->stats);
    status = s->class ? forget_class(l, s, err) : s->shard ? forget_shard(l, s, err) : forget_rows(l, s, err);
    *gone = before - ilk_stats_rows(l->stats);
    if (status == ILK_OK)
        status = check_rest(l->stats, s->args.item[0], err);
    if (status == ILK_OK)
        status = change_estimate(c, l, err);
    if (status == ILK_OK)
        status = change_save(c, l, err);
    return status;
}

static int forget(const cli_settings *s) {
    if ((s->args.n > 1) + (s->class != NULL) + (s->shard != NULL) != 1) {
        cli_error("forget takes one of: data, --class NAME, --shard MODEL");
        return CLI_USAGE;
    }
    change c = {0};
    learning l = {0};
    ilk_error err = {0};
    int code = CLI_DONE;
    double gone = 0, began = progress_clock();
    if (take_away(&c, &l, &gone, s, &err) == ILK_OK) {
        report_forgotten(s, ilk_stats_schema(l.stats), gone);
        report_skipped(s, &l.tally);
        learning_report_rows(&l, s);
        if (s->json)
            write_json(&l, gone, progress_clock() - began);
    } else {
        code = cli_fail_asked(&err);
    }
    learning_free(&l);
    change_end(&c);
    return code;
}

const cli_command cli_forget = {
    .name = "forget",
    .summary = "take rows out of a model, as if never seen",
    .arguments = "MODEL DATA... | --class NAME | --shard MODEL",
    .description =
        "The rows of a table (with their classes, as they were learnt), all rows of a class, or all that another model "
        "has learnt. All or nothing: if a row was never learnt, as far as counts can tell, the model stays as it was. "
        "Counts are then those of a training without the rows, to the byte; means and variances agree to rounding, and "
        "where rounding would have eaten what is left, forgetting is refused.",
    .examples = "ilk forget spam.bayes withdrawn.tsv\n"
                "ilk forget news.bayes --class sports\n"
                "ilk forget year.bayes --shard january.bayes\n",
    .least = 1,
    .most = SIZE_MAX,
    .run = forget,
};
