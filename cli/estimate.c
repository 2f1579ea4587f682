/* SPDX-License-Identifier: Apache-2.0 */
/* estimate.c - ilk estimate [options] -o MODEL2 MODEL
 *
 * Estimate another model from the statistics that a model file keeps: another smoothing, prior, shrinkage, divisor,
 * vocabulary or event model, without the data. What is not said stays as it was. The result is, to the byte, what
 * training with these options would have written.
 */
#include <stdlib.h>
#include <string.h>

#include "fitting.h"
#include "nearest.h"
#include "output.h"
#include "prior.h"
#include "report.h"

/* --model: the family goes where the columns of its kind are. False after one line about what is wrong. */
static bool choose_family(ilk_options *options, const char *name, const ilk_schema *schema) {
    ilk_family_info family;
    cli_nearest nearest = cli_nearest_begin(cli_str(name));
    for (size_t i = 0; ilk_family_at(i, &family); i++) {
        if (strcmp(family.name, name) != 0) {
            cli_nearest_offer(&nearest, cli_str(family.name));
            continue;
        }
        if (family.kind == ILK_CATEGORY || ilk_schema_width(schema, family.kind) == 0) {
            cli_error("--model %s: the model has no columns that could change to it", name);
            return false;
        }
        *(family.kind == ILK_REAL ? &options->real_family : &options->text_family) = family.name;
        return true;
    }
    if (nearest.best.p)
        cli_error("--model %s: no such family; did you mean %.*s?", name, CLI_SHOW(nearest.best));
    else
        cli_error("--model %s: no such family", *name ? name : "\"\"");
    return false;
}

/* The statistics of the model at `path` as the options say, into the output. */
static int write_model(const cli_settings *s, const ilk_stats *stats, const ilk_options *options) {
    ilk_error err = {0};
    ilk_model *model = NULL;
    ilk_status status = ilk_model_estimate(&model, stats, options, &err);
    if (status != ILK_OK)
        prior_explain(&err, stats, options);
    if (status == ILK_EDATA || status == ILK_ESINGULAR)
        cli_name_file(&err, s->args.item[0]);
    if (status == ILK_OK)
        status = ilk_model_save(model, s->slim ? NULL : stats, s->output, &err);
    if (status == ILK_OK)
        report_model(s, model, stats);
    ilk_model_free(model);
    return status == ILK_OK ? CLI_DONE : cli_fail_asked(&err); /* what was asked for does not fit the model */
}

/* The file's own options, of which the given priors are ours to free. */
static ilk_options options_of(const ilk_stats *stats) {
    ilk_options options = *ilk_stats_options(stats);
    ilk_given *given = cli_alloc(options.givens, sizeof *given);
    for (size_t i = 0; i < options.givens; i++)
        given[i] = options.given[i];
    options.given = given;
    return options;
}

static int estimate_again(const cli_settings *s, const ilk_stats *stats) {
    cli_settings over;
    const ilk_options options = options_of(stats);
    int code = CLI_USAGE;
    cli_settings_parse_over(&over, s, &options);
    ilk_error err = {0};
    if (fitting_check(&over, ilk_stats_schema(stats), &err) != ILK_OK) {
        cli_name_file(&err, s->args.item[0]);
        code = cli_fail_asked(&err);
    } else if (!over.plan.model || choose_family(&over.estimate, over.plan.model, ilk_stats_schema(stats))) {
        code = write_model(&over, stats, &over.estimate);
    }
    cli_settings_free(&over);
    return code;
}

static int estimate(const cli_settings *s) {
    const cli_list none = {0};
    int code = output_check(s, "estimate", &none);
    if (code != CLI_DONE)
        return code;
    ilk_error err = {0};
    ilk_stats *stats;
    bool loaded = ilk_stats_open(&stats, s->args.item[0], &err) == ILK_OK;
    code = loaded ? estimate_again(s, stats) : cli_fail(&err);
    ilk_stats_free(stats);
    return code;
}

const cli_command cli_estimate = {
    .name = "estimate",
    .summary = "choose smoothing, prior and the like anew, without the data",
    .arguments = "-o MODEL2 MODEL",
    .description =
        "Makes another model from the statistics kept in MODEL (not with --slim). Options that are not given "
        "stay as they were when it was trained. The result is what training with these options would have "
        "written, to the byte.",
    .examples = "ilk estimate spam.bayes --smooth 0.1 --vocab 5000 -o small.bayes\n"
                "ilk estimate spam.bayes --model bernoulli -o bernoulli.bayes\n"
                "ilk estimate gda.bayes --model qda --shrink oas -o qda.bayes\n",
    .least = 1,
    .most = 1,
    .run = estimate,
};
