/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - ilk merge -o MODEL MODEL...
 *
 * Add the statistics of models trained on parts of the data: the result is the model of one reading of all parts, to
 * the byte where only counts are kept. Smoothing, prior and the like are those of the first model.
 */
#include <stdio.h>

#include "cli.h"
#include "output.h"
#include "prior.h"
#include "report.h"

/* Which of several models it was: the library does not know the names of what it merges. */
static void name_file(ilk_error *err, const char *path) {
    ilk_error unnamed = *err;
    snprintf(err->message, sizeof err->message, "%.200s: %.300s", path, unnamed.message);
}

/* Statistics of the model at `path` into *stats (made if NULL). The model is kept in *first if that is NULL. */
static ilk_status add_model(ilk_stats **stats, ilk_model **first, const char *path, ilk_error *err) {
    ilk_model *model = NULL;
    ilk_stats *more = NULL;
    ilk_status status = ilk_model_open(&model, path, err);
    if (status != ILK_OK)
        return status;
    status = ilk_model_stats(&more, model, err);
    if (status == ILK_OK && *stats)
        status = ilk_stats_merge(*stats, more, err);
    if (status == ILK_OK && !*stats) {
        *stats = more;
        *first = model;
        return ILK_OK;
    }
    if (status != ILK_OK)
        name_file(err, path);
    ilk_stats_free(more);
    ilk_model_free(model);
    return status;
}

/* As the first model was. A prior that was given to its classes has nothing for classes of the others. */
static ilk_status estimate(ilk_model **out, const ilk_stats *stats, const ilk_model *first, const char *path,
                           ilk_error *err) {
    ilk_options options = prior_options(first);
    ilk_status status = ILK_EARG;
    if (options.prior == ILK_PRIOR_GIVEN && ilk_stats_classes(stats) > ilk_model_classes(first)) {
        err->status = status;
        snprintf(err->message, sizeof err->message,
                 "%.200s: its prior was given, and the other models have classes it says nothing of", path);
    } else {
        status = ilk_model_estimate(out, stats, &options, err);
    }
    prior_free(&options);
    return status;
}

static int merge(const cli_settings *s) {
    const cli_list none = {0};
    int code = output_check(s, "merge", &none);
    if (code != CLI_DONE)
        return code;
    ilk_error err = {0};
    ilk_stats *stats = NULL;
    ilk_model *first = NULL, *merged = NULL;
    ilk_status status = ILK_OK;
    for (size_t i = 0; i < s->args.n && status == ILK_OK; i++)
        status = add_model(&stats, &first, s->args.item[i], &err);
    if (status == ILK_OK)
        status = estimate(&merged, stats, first, s->args.item[0], &err);
    if (status == ILK_OK)
        status = ilk_model_save(merged, stats, s->output, &err);
    if (status == ILK_OK)
        report_model(s, merged, ilk_stats_rows(stats));
    else
        code = cli_fail(&err);
    ilk_model_free(merged);
    ilk_model_free(first);
    ilk_stats_free(stats);
    return code;
}

const cli_command cli_merge = {
    .name = "merge",
    .summary = "add up models that were trained on parts of the data",
    .arguments = "-o MODEL MODEL...",
    .description = "The models must have the same columns, kept their statistics (no --slim) and are added in the "
                   "order given. Smoothing, prior, shrinkage and vocabulary are chosen as in the first.",
    .examples = "ilk merge -o year.bayes january.bayes february.bayes\n",
    .least = 1,
    .most = SIZE_MAX,
    .run = merge,
};
