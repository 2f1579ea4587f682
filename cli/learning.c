/* SPDX-License-Identifier: Apache-2.0 */
/* learning.c - a pass that learns, its leave-one-out figures and its report. */
#include "learning.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "report.h"

enum {
    LOO_ROWS = 10000, /* enough for an accuracy to half a per cent */
    LOO_LEAST = 200,
    TRIED = 20 /* numbers that a choice tries, about */
};

static bool chooses(const ilk_options *options) {
    return cli_is_loo(options->smooth) || cli_is_loo(options->shrink);
}

/* Unless nobody would see it. */
static bool wants_loo(const cli_settings *s) {
    return s->loo != CLI_LOO_NONE && !s->plan.part && (s->json || !s->quiet);
}

/* What reads the data a second time, or NULL. */
static const char *reads_twice(const cli_settings *s) {
    return s->plan.all_rows ? "--passes 2" : s->loo == CLI_LOO_ALL ? "--loo all" : NULL;
}

ilk_run learning_begin(learning *l, const cli_settings *s) {
    ilk_run run = progress_begin(&l->bar, s);
    l->bar.reading = ++l->readings;
    l->bar.readings = 1 + (unsigned)s->plan.all_rows + (unsigned)(wants_loo(s) && s->loo == CLI_LOO_ALL);
    return run;
}

/* With shrinkage each row left out is a covariance factored anew, d^3 / 3 products: as many rows as take seconds. */
static size_t loo_rows(const ilk_schema *schema, double shrink) {
    double d = (double)ilk_schema_width(schema, ILK_REAL), each = d * d * d / 3 * (cli_is_loo(shrink) ? TRIED : 1);
    if (shrink == 0 || each * LOO_ROWS < 2e10)
        return LOO_ROWS;
    return each * LOO_LEAST > 2e10 ? LOO_LEAST : (size_t)(2e10 / each);
}

int learning_check(const cli_settings *s, const cli_list *files) {
    struct stat file;
    if (chooses(&s->estimate) && (s->loo == CLI_LOO_NONE || s->plan.part)) {
        cli_error("--%s leaves no rows to choose by: --%s loo needs some", s->plan.part ? "stats-only" : "loo none",
                  cli_is_loo(s->estimate.smooth) ? "smooth" : "shrink");
        return CLI_USAGE;
    }
    for (size_t i = 0; reads_twice(s) && i < files->n; i++) {
        bool piped = strcmp(files->item[i], "-") == 0;
        if (piped || (stat(files->item[i], &file) == 0 && !S_ISREG(file.st_mode))) {
            cli_error("%s reads the data twice, and %s%s", reads_twice(s), piped ? "" : files->item[i],
                      piped ? "standard input is read once" : " is no regular file");
            return CLI_USAGE;
        }
    }
    return CLI_DONE;
}

ilk_status learning_add_rows(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_run run = learning_begin(l, s);
    bool sample = chooses(&s->estimate) || (wants_loo(s) && s->loo == CLI_LOO_AUTO);
    run.sample = sample ? loo_rows(ilk_stats_schema(l->stats), s->estimate.shrink) : 0;
    run.seed = s->seed;
    run.max_words = s->max_words;
    ilk_status status = ilk_table_learn(l->stats, l->table, &run, &l->tally, err);
    progress_end(&l->bar, status);
    return status;
}

ilk_status learning_choose(ilk_options *options, learning *l, const cli_settings *s, ilk_error *err) {
    return chooses(options) ? ilk_table_choose(options, &l->chosen, l->table, l->stats, s->threads, err) : ILK_OK;
}

void learning_stand_alone(learning *l, const char *why) {
    snprintf(l->alone, sizeof l->alone, "%s", why);
}

/* What was asked of the model, a prior for a class that is still to come say, is no slip now. */
ilk_status learning_estimate_again(learning *l, ilk_error *err) {
    ilk_status status = ilk_model_estimate(&l->model, l->stats, ilk_stats_options(l->stats), err);
    if (status == ILK_OK || status == ILK_ENOMEM || !ilk_stats_alone(l->stats))
        return status;
    learning_stand_alone(l, err->message);
    return ILK_OK;
}

ilk_status learning_save(const learning *l, const char *path, ilk_error *err) {
    return l->model ? ilk_model_save(l->model, l->stats, path, err) : ilk_stats_save(l->stats, NULL, path, err);
}

/* The rows must be those that were learnt: of others leave-one-out tells nothing. */
static ilk_status leave_each_out(learning *l, const cli_settings *s, ilk_table *again, ilk_error *err) {
    ilk_tally tally;
    ilk_run run = learning_begin(l, s);
    ilk_status status = ilk_table_leave_each_out(&l->loo, again, l->model, &run, &tally, err);
    progress_end(&l->bar, status);
    if (status != ILK_OK || tally.rows + tally.bad == l->tally.rows + l->tally.bad)
        return status;
    *err = (ilk_error){ILK_EDATA, "the data has changed between the first reading and that of --loo all"};
    return err->status;
}

ilk_status learning_leave_one_out(learning *l, const cli_settings *s, const cli_list *files, ilk_error *err) {
    ilk_table *again = NULL;
    if (!l->model || !wants_loo(s))
        return ILK_OK;
    if (s->loo == CLI_LOO_AUTO)
        return ilk_table_leave_one_out(&l->loo, l->table, l->model, s->threads, err);
    ilk_read_options reading = s->reading;
    if (l->more || s->like) /* as the first time */
        reading.schema = ilk_model_schema(l->model);
    ilk_status status = ilk_table_open(&again, files->item, files->n, &reading, err);
    if (status == ILK_OK)
        status = leave_each_out(l, s, again, err);
    ilk_table_free(again);
    return status;
}

void learning_name_data(ilk_error *err, const cli_list *files) {
    char names[240];
    const char *first = strcmp(files->item[0], "-") == 0 ? "standard input" : files->item[0];
    snprintf(names, sizeof names, files->n > 1 ? "%.170s and %zu more" : "%.170s", first, files->n - 1);
    cli_name_file(err, names);
}

/* Were bins cut by the classes of the rows that are left out? Those of a column or, by "*", of any. */
static bool cut_by_classes(const cli_settings *s, const ilk_schema *schema) {
    for (size_t i = 0; i < s->plan.bins; i++) {
        const char *wish = s->plan.bin[i], *equals = strrchr(wish, '=');
        if (!equals || strcmp(equals, "=mdlp") != 0)
            continue;
        size_t at = ilk_schema_find(schema, (ilk_str){wish, (size_t)(equals - wish)}); /* none: by index, or all */
        for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
            const ilk_transform *t = &ilk_schema_column(schema, j)->transform;
            if ((at == SIZE_MAX || at == j) && t->kind == ILK_BINS && t->edges > 0)
                return true;
        }
    }
    return false;
}

static void json_loo(json *j, const ilk_loo *loo, bool optimistic) {
    json_object(j, "loo");
    json_count(j, "n", loo->n);
    json_number(j, "accuracy", loo->accuracy);
    json_number(j, "accuracy_se", loo->accuracy_se);
    json_number(j, "log_loss", loo->log_loss);
    json_number(j, "log_loss_se", loo->log_loss_se);
    if (optimistic)
        json_word(j, "optimistic", "bins were cut by the classes of these rows");
    json_end(j);
}

/* What was chosen, and how good it was on the rows it was chosen by. */
static void json_chosen(json *j, const learning *l, const cli_settings *s) {
    const ilk_options *options = ilk_model_options(l->model);
    json_object(j, "chosen");
    if (cli_is_loo(s->estimate.smooth))
        json_number(j, "smooth", options->smooth);
    if (cli_is_loo(s->estimate.shrink))
        json_number(j, "shrink", options->shrink);
    json_number(j, "accuracy", l->chosen.accuracy);
    json_number(j, "log_loss", l->chosen.log_loss_rest);
    json_count(j, "impossible", l->chosen.impossible);
    json_end(j);
}

void learning_json_classes(json *j, const learning *l) {
    if (!l->model) {
        json_string(j, "no_model", cli_str(l->alone));
        return;
    }
    json_array(j, "classes");
    for (uint32_t k = 0; k < ilk_model_classes(l->model); k++)
        json_string(j, NULL, ilk_model_class_name(l->model, k));
    json_end(j);
}

static void json_worth(json *j, const learning *l, const cli_settings *s) {
    if (wants_loo(s))
        json_loo(j, &l->loo, cut_by_classes(s, ilk_model_schema(l->model)));
    else
        json_word(j, "loo", NULL);
    if (chooses(&s->estimate))
        json_chosen(j, l, s);
}

static void write_json(const learning *l, const cli_settings *s, double seconds) {
    sink out = sink_stdout();
    json j = json_begin(&out);
    json_object(&j, NULL);
    json_count(&j, "rows", l->tally.rows);
    if (l->more)
        json_number(&j, "total", ilk_stats_rows(l->stats));
    json_number(&j, "seconds", seconds);
    learning_json_classes(&j, l);
    if (l->model)
        json_worth(&j, l, s);
    json_end(&j);
}

void learning_report_rows(const learning *l, const cli_settings *s) {
    if (l->model)
        report_model(s, l->model, l->stats);
    else
        report_alone(s, l->stats, l->alone);
}

void learning_report(const learning *l, const cli_settings *s, double seconds) {
    learning_report_rows(l, s);
    report_skipped(s, &l->tally);
    if (l->model && chooses(&s->estimate))
        report_chosen(s, ilk_model_options(l->model), &l->chosen);
    if (l->model && wants_loo(s))
        report_loo(s, &l->loo, &l->tally, cut_by_classes(s, ilk_model_schema(l->model)));
    report_speed(s, &l->tally, seconds);
    if (s->json)
        write_json(l, s, seconds);
}

void learning_free(learning *l) {
    ilk_model_free(l->model);
    ilk_stats_free(l->stats);
    ilk_table_free(l->table);
}
