/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - ilk merge -o MODEL MODEL...
 *
 * Add the statistics of models trained on parts of the data: the result is the model of one reading of all parts, to
 * the byte where only counts are kept. Smoothing, prior and the like are those of the first.
 */
#include "learning.h"
#include "output.h"
#include "report.h"

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

/* The model of the sum, or the sum alone where no model comes of it yet. */
static ilk_status write_sum(const cli_settings *s, const ilk_stats *sum, ilk_error *err) {
    ilk_model *model;
    ilk_status status = ilk_model_estimate(&model, sum, ilk_stats_options(sum), err);
    if (learning_wants_more(status)) {
        report_part(s, sum, err->message);
        return ilk_stats_save(sum, NULL, s->output, err);
    }
    if (status != ILK_OK)
        cli_name_file(err, s->args.item[0]);
    if (status == ILK_OK)
        status = ilk_model_save(model, sum, s->output, err);
    if (status == ILK_OK)
        report_model(s, model, sum);
    ilk_model_free(model);
    return status;
}

static int merge(const cli_settings *s) {
    const cli_list none = {0};
    int code = output_check(s, "merge", &none);
    if (code != CLI_DONE)
        return code;
    ilk_error err = {0};
    ilk_stats *sum = NULL;
    ilk_status status = ILK_OK;
    for (size_t i = 0; i < s->args.n && status == ILK_OK; i++)
        status = add_file(&sum, s->args.item[i], &err);
    if (status == ILK_OK)
        status = write_sum(s, sum, &err);
    ilk_stats_free(sum);
    return status == ILK_OK ? CLI_DONE : cli_fail(&err);
}

const cli_command cli_merge = {
    .name = "merge",
    .summary = "add up models that were trained on parts of the data",
    .arguments = "-o MODEL MODEL...",
    .description = "The models must have the same columns, kept their statistics (no --slim) and are added in the "
                   "order given. Smoothing, prior, shrinkage and vocabulary are chosen as in the first. Where the sum "
                   "makes no model yet, of one class say, its statistics are written, to be merged again.",
    .examples = "ilk merge -o year.bayes january.bayes february.bayes\n",
    .least = 1,
    .most = SIZE_MAX,
    .run = merge,
};
