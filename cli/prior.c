/* SPDX-License-Identifier: Apache-2.0 */
/* prior.c - given priors: reading and suggesting them. */
#include "prior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "nearest.h"

/* ---- from the command line */

static bool read_share(double *out, const char *text, size_t n) {
    char digits[32] = "", *end;
    if (n == 0 || n >= sizeof digits || strspn(text, "0123456789.eE+-") < n)
        return false;
    memcpy(digits, text, n);
    *out = strtod(digits, &end);
    return *end == '\0' && *out > 0 && *out <= 1;
}

/* One CLASS=P. Names may hold '=' and ',': what divides is the first '=' with a share behind it. Returns the end, or
 * NULL. */
static const char *read_given(ilk_given *out, const char *text) {
    for (const char *equals = strchr(text, '='); equals; equals = strchr(equals + 1, '=')) {
        size_t n = strcspn(equals + 1, ",");
        out->name = (ilk_str){text, (size_t)(equals - text)};
        if (read_share(&out->p, equals + 1, n))
            return equals + 1 + n;
    }
    return NULL;
}

static bool is_given(const ilk_given *given, size_t n, ilk_str name) {
    for (size_t i = 0; i < n; i++)
        if (cli_equal(given[i].name, name))
            return true;
    return false;
}

bool prior_read(ilk_options *out, const char *text) {
    size_t most = 1, n = 0;
    double sum = 0;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    ilk_given *given = cli_alloc(most, sizeof *given);
    const char *at = read_given(&given[0], text);
    bool once = true;
    for (; at; at = read_given(&given[n], at + 1)) {
        once = once && !is_given(given, n, given[n].name);
        sum += given[n++].p;
        if (*at == '\0')
            break;
    }
    if (!at || !once || sum > 1 + 1e-9) {
        free(given);
        return false;
    }
    prior_free(out);
    out->prior = ILK_PRIOR_GIVEN;
    out->given = given;
    out->givens = n;
    return true;
}

void prior_free(ilk_options *options) {
    free((void *)options->given);
    options->given = NULL;
    options->givens = 0;
}

/* ---- what was meant */

static void suggest(ilk_error *err, const ilk_model *model, ilk_str wanted) {
    cli_nearest nearest = cli_nearest_begin(wanted);
    for (uint32_t k = 0; k < ilk_model_classes(model); k++)
        cli_nearest_offer(&nearest, ilk_model_class_name(model, k));
    int n = snprintf(err->message, sizeof err->message, "--prior: no class '%.*s'", CLI_SHOW(wanted));
    if (nearest.best.p)
        snprintf(err->message + n, sizeof err->message - (size_t)n, " (did you mean '%.*s'?)", CLI_SHOW(nearest.best));
}

/* Statistics do not tell their classes, but a model of them does, with any other prior, and with smoothing and
 * shrinkage that always go. Only a mistake pays for it. */
void prior_explain(ilk_error *err, const ilk_stats *stats, const ilk_options *options) {
    if (err->status != ILK_EARG || options->prior != ILK_PRIOR_GIVEN)
        return;
    ilk_model *model = NULL;
    ilk_options other = *options;
    other.prior = ILK_PRIOR_EMPIRICAL;
    other.smooth = other.shrink = 1;
    if (ilk_model_estimate(&model, stats, &other, NULL) != ILK_OK)
        return;
    for (size_t i = 0; i < options->givens; i++)
        if (ilk_model_class(model, options->given[i].name) == ILK_NONE) {
            suggest(err, model, options->given[i].name);
            break;
        }
    ilk_model_free(model);
}
