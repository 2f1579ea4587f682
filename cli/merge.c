/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - ilk merge -o MODEL MODEL...
 *
 * Add the statistics of models trained on parts of the data: the result is the model of one reading of all parts, to
 * the byte where only counts are kept. Smoothing, prior and the like are those of the first.
 */
#include "learning.h"
#include "output.h"

/* Statistics of the file at `path` into *sum (made if NULL). */
static ilk_status add_file(ilk_stats **sum, const char *path, ilk_error *err) {
    ilk_stats *more;
    ilk_status status = ilk_stats_open(&more, path, err);
    if (status != ILK_OK)
        return status;
    if (!*sum) {
        *sum = more;
        return ILK_OK;
    }
    status = ilk_stats_merge(*sum, more, err);
    if (status != ILK_OK)
        cli_name_file(err, path);
    ilk_stats_free(more);
    return status;
}

static ilk_status add_up(learning *l, const cli_settings *s, ilk_error *err) {
    ilk_status status = ILK_OK;
    for (size_t i = 0; i < s->args.n && status == ILK_OK; i++)
        status = add_file(&l->stats, s->args.item[i], err);
    if (status == ILK_OK && (status = learning_estimate_again(l, err)) != ILK_OK)
        cli_name_file(err, s->args.item[0]);
    return status == ILK_OK ? learning_save(l, s->output, err) : status;
}

static int merge(const cli_settings *s) {
    const cli_list none = {0};
    int code = output_check(s, "merge", &none);
    if (code != CLI_DONE)
        return code;
    ilk_error err = {0};
    learning sum = {0};
    if (add_up(&sum, s, &err) == ILK_OK)
        learning_report_rows(&sum, s);
    else
        code = cli_fail(&err);
    learning_free(&sum);
    return code;
}

const cli_command cli_merge = {
    .name = "merge",
    .summary = "add up models that were trained on parts of the data",
    .arguments = "-o MODEL MODEL...",
    .description = "The models must have the same columns, kept their statistics (no --slim) and are added in the "
                   "order given. Smoothing, prior, shrinkage and vocabulary are chosen as in the first. Where the sum "
                   "of statistics alone makes no model yet, it is written as such, to be merged again.",
    .examples = "ilk merge -o year.bayes january.bayes february.bayes\n",
    .least = 1,
    .most = SIZE_MAX,
    .run = merge,
};
