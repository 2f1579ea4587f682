/* SPDX-License-Identifier: Apache-2.0 */
/* update.c - ilk update [options] MODEL DATA...
 *
 * Learn more rows into a model file. Columns, smoothing, prior and the like are the model's; classes, categories and
 * words may be new. The file is replaced whole, or left as it was.
 */
#include "change.h"
#include "fitting.h"

static ilk_status learn(change *c, learning *l, const cli_settings *s, const cli_list *files, ilk_error *err) {
    ilk_status status = change_begin(c, &l->stats, s->args.item[0], err);
    if (status == ILK_OK && (status = fitting_check(s, ilk_stats_schema(l->stats), err)) != ILK_OK)
        cli_name_file(err, s->args.item[0]);
    if (status == ILK_OK)
        status = change_open_data(&l->table, l->stats, s, err);
    if (status == ILK_OK)
        status = learning_add_rows(l, s, err);
    if (status == ILK_OK)
        status = change_check_rows(&l->tally, files->item[0], err);
    if (status == ILK_OK)
        status = change_estimate(c, l, err);
    if (status == ILK_OK)
        status = learning_leave_one_out(l, s, files, err);
    if (status == ILK_OK)
        status = change_save(c, l, err);
    return status;
}

static int update(const cli_settings *s) {
    const cli_list files = {.item = s->args.item + 1, .n = s->args.n - 1};
    int code = learning_check(s, &files);
    if (code != CLI_DONE)
        return code;
    change c = {0};
    learning l = {.more = true};
    ilk_error err = {0};
    double began = progress_clock();
    ilk_status status = learn(&c, &l, s, &files, &err);
    progress_close(&l.bar);
    if (status == ILK_OK)
        learning_report(&l, s, progress_clock() - began);
    else
        code = cli_fail_asked(&err);
    learning_free(&l);
    change_end(&c);
    return code;
}

const cli_command cli_update = {
    .name = "update",
    .summary = "learn more rows into a model",
    .arguments = "MODEL DATA...",
    .description =
        "As if the rows had stood at the end of those it was trained on: what each column is, smoothing, prior and "
        "vocabulary are chosen as before, and classes, categories and words may be new. The model file is replaced "
        "whole or left as it was; of several updates at the same time each waits for the one before.",
    .examples = "ilk update spam.bayes today.tsv\n"
                "tail -n 100 log.csv | ilk update --no-header log.bayes -\n",
    .least = 2,
    .most = SIZE_MAX,
    .run = update,
};
