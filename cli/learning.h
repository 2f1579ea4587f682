/* SPDX-License-Identifier: Apache-2.0 */
/* learning.h - rows into statistics and what is said about it: what train and update have in common. */
#ifndef ILK_CLI_LEARNING_H
#define ILK_CLI_LEARNING_H

#include "cli.h"
#include "json.h"
#include "progress.h"

/* What is made on the way from the data to the model. */
typedef struct learning {
    ilk_table *table;
    ilk_stats *stats;
    ilk_model *model;
    ilk_tally tally;
    ilk_loo loo;
    ilk_loo chosen;    /* of what --smooth loo and --shrink loo chose, on the rows it was chosen by */
    bool more;         /* there were rows before */
    unsigned readings; /* of the data, so far */
    progress bar;      /* of the last of these */
    char alone[512];   /* where there is no model, only statistics: why */
} learning;

/* Can what is asked be done with these files? An exit code; one line if it cannot. */
int learning_check(const cli_settings *settings, const cli_list *files);
/* progress_begin for the next reading of the data. */
ilk_run learning_begin(learning *l, const cli_settings *settings);
/* All rows of the table into the statistics. */
ilk_status learning_add_rows(learning *l, const cli_settings *settings, ilk_error *err);
/* Numbers for what is to be chosen by leave-one-out; without that, nothing. */
ilk_status learning_choose(ilk_options *options, learning *l, const cli_settings *settings, ilk_error *err);
/* Estimate anew from statistics of a file, as that was. Where it had no model, none need come of them now either. */
ilk_status learning_estimate_again(learning *l, ilk_error *err);
/* No model comes of the statistics, but they are worth keeping. */
void learning_stand_alone(learning *l, const char *why);
/* The statistics into a file: with their model, unless they are alone. */
ilk_status learning_save(const learning *l, const char *path, ilk_error *err);
/* What the model is worth, unless nobody would see it. The files are those of the rows learnt. */
ilk_status learning_leave_one_out(learning *l, const cli_settings *settings, const cli_list *files, ilk_error *err);
/* Put the data before a message about all of its rows. */
void learning_name_data(ilk_error *err, const cli_list *files);
/* What was learnt, or why there is no model. */
void learning_report_rows(const learning *l, const cli_settings *settings);
/* The report on standard error, and with --json the object on standard output. */
void learning_report(const learning *l, const cli_settings *settings, double seconds);
void learning_free(learning *l);

/* "classes": their names, or "no_model": why. */
void learning_json_classes(json *j, const learning *l);

#endif
