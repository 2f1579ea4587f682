/* SPDX-License-Identifier: Apache-2.0 */
/* fitting.c - options that are for some columns only, and what these are. */
#include "fitting.h"

#include <stdio.h>
#include <string.h>

static bool has_text(const cli_settings *settings, const ilk_schema *schema) {
    (void)settings;
    return ilk_schema_width(schema, ILK_TEXT) > 0;
}

/* The entries of svmlight data are texts too, but are counts whatever was asked for. */
static bool has_words(const cli_settings *settings, const ilk_schema *schema) {
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *column = ilk_schema_column(schema, j);
        if (column->role == ILK_FEATURE && column->kind == ILK_TEXT &&
            column->tokenizer.kind == settings->plan.tokenizer.kind)
            return true;
    }
    return false;
}

/* What was counted before is not cut. */
static bool cuts_words(const cli_settings *settings, const ilk_schema *schema) {
    return settings->plan.tokenizer.kind != ILK_COUNTS && has_words(settings, schema);
}

/* To bernoulli a word is there or not; but which are the commonest is asked of counts. */
static bool has_counts(const cli_settings *settings, const ilk_schema *schema) {
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *column = ilk_schema_column(schema, j);
        if (column->role == ILK_FEATURE && column->kind == ILK_TEXT &&
            (settings->estimate.vocab > 0 || strcmp(column->family, "bernoulli") != 0))
            return true;
    }
    return false;
}

static bool has_covariance(const cli_settings *settings, const ilk_schema *schema) {
    (void)settings;
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *column = ilk_schema_column(schema, j);
        if (column->role == ILK_FEATURE && cli_family(column->family).covariance)
            return true;
    }
    return false;
}

/* --stop and --dictionary are not here: the library refuses to read a list of words for nothing. */
static const struct {
    const char *options[8];
    const char *need;
    bool (*met)(const cli_settings *settings, const ilk_schema *schema);
} needs[] = {
    {{"binary", "log-counts", "unit-length", "max-words", "vocab", "min-docs"}, "text column", has_text},
    {{"binary", "log-counts", "unit-length"}, "text column that counts words (bernoulli does not)", has_counts},
    {{"tokens"}, "text to cut into words", has_words},
    {{"ngrams", "keep-case"}, "text to cut into words", cuts_words},
    {{"shrink"}, "full Gaussian (gda or qda)", has_covariance},
};

ilk_status fitting_check(const cli_settings *settings, const ilk_schema *schema, ilk_error *err) {
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        const char *option = cli_given(settings, needs[i].options);
        if (!option || needs[i].met(settings, schema))
            continue;
        *err = (ilk_error){.status = ILK_EARG};
        snprintf(err->message, sizeof err->message, "there is no %s, which --%s is for", needs[i].need, option);
        return err->status;
    }
    return ILK_OK;
}
