/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c - ilk merge -o MODEL MODEL...
 *
 * Add the statistics of models trained on parts of the data: the result is the model of one reading of all parts, to
 * the byte where only counts are kept. Smoothing, prior and the like are those of the first model.
 */
#include "change.h"
#include "output.h"
#include "report.h"

/* Statistics of the model at `path` into *stats (made if NULL). The model is kept in *first if that is NULL. */
static ilk_status add_model(ilk_stats **stats, ilk_model **first, const char *path, ilk_error *err) {
    ilk_model *model = NULL;
    ilk_stats *more = NULL;
    ilk_status status = change_load(&more, &model, path, err);
    if (status == ILK_OK && *stats) {
        status = ilk_stats_merge(*stats, more, err);
        if (status != ILK_OK)
            cli_name_file(err, path);
    }
    if (status == ILK_OK && !*stats) {
        *stats = more;
        *first = model;
        return ILK_OK;
    }
    ilk_stats_free(more);
    ilk_model_free(model);
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
    if (status == ILK_OK) {
        status = ilk_model_estimate(&merged, stats, ilk_model_options(first), &err);
        if (status != ILK_OK)
            cli_name_file(&err, s->args.item[0]);
    }
    if (status == ILK_OK)
        status = ilk_model_save(merged, stats, s->output, &err);
    if (status == ILK_OK)
        report_model(s, merged, stats);
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
