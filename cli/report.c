/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - what was learnt, in a few lines. Long lists are cut: 58 classes would bury the rest. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LISTED = 8, NOTED = 12 };

/* A line put together from pieces; what does not fit is dropped. */
typedef struct line {
    char text[900];
    size_t n;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(l->text + l->n, sizeof l->text - l->n, format, args);
    va_end(args);
    l->n += n > 0 ? (size_t)n : 0;
    if (l->n >= sizeof l->text)
        l->n = sizeof l->text - 1;
}

static void add_name(line *l, ilk_str name) {
    add(l, "%.*s", CLI_SHOW(name));
}

/* How many rows each class has; the walk begins with the priors and is stopped after them. */
typedef struct class_line {
    const ilk_model *model;
    line *to;
    bool counts; /* the prior is made of counts as they are */
} class_line;

static ilk_status add_class(void *ctx, const ilk_fact *fact) {
    class_line *c = ctx;
    if (strcmp(fact->quantity, "prior") != 0 || fact->k >= LISTED)
        return ILK_ESTOP;
    add(c->to, "%s", fact->k ? ", " : ": ");
    add_name(c->to, ilk_model_class_name(c->model, fact->k));
    if (c->counts && !isnan(fact->count))
        add(c->to, " %.15g", fact->count);
    return ILK_OK;
}

/* "1,234 rows". */
static void add_rows(line *l, const ilk_schema *schema, double rows) {
    char number[32];
    if (ilk_schema_weight(schema) != SIZE_MAX)
        add(l, "rows of weight %.15g", rows);
    else
        add(l, "%s row%s", cli_thousands(number, (uint64_t)rows), cli_plural((uint64_t)rows));
}

static void report_classes(const cli_settings *settings, const ilk_model *model, double rows) {
    line l = {.n = 0};
    size_t K = ilk_model_classes(model), target = ilk_schema_target(ilk_model_schema(model));
    class_line c = {model, &l, ilk_model_options(model)->prior == ILK_PRIOR_EMPIRICAL};
    add_rows(&l, ilk_model_schema(model), rows);
    add(&l, ", %zu classes", K);
    if (target != SIZE_MAX) { /* it may have been chosen by nobody */
        add(&l, " of column ");
        add_name(&l, ilk_schema_column(ilk_model_schema(model), target)->name);
    }
    (void)ilk_model_describe(model, add_class, &c, NULL);
    if (K > LISTED)
        add(&l, " and %zu more", K - LISTED);
    cli_say(settings, "%s", l.text);
}

/* The columns of one role (and family, unless NULL), after a heading. */
static void report_group(const cli_settings *settings, const ilk_schema *schema, const char *heading, ilk_role role,
                         const char *family) {
    line l = {.n = 0};
    size_t n = 0;
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *column = ilk_schema_column(schema, j);
        if (column->role != role || (family && strcmp(column->family, family) != 0))
            continue;
        if (n < LISTED) {
            add(&l, "%s%s", n ? "" : heading, n ? ", " : ": ");
            add_name(&l, column->name);
        }
        n++;
    }
    if (n > LISTED)
        add(&l, " and %zu more", n - LISTED);
    if (n > 0)
        cli_say(settings, "%s", l.text);
}

static void report_options(const cli_settings *settings, const ilk_options *options) {
    line l = {.n = 0};
    add(&l, "smoothing %.15g, %s prior, divisor %s", options->smooth, cli_choice_name("prior", options->prior),
        cli_choice_name("divisor", options->divisor));
    if (options->shrink == ILK_SHRINK_OAS)
        add(&l, ", shrinkage oas");
    else if (options->shrink > 0)
        add(&l, ", shrinkage %.15g", options->shrink);
    cli_say(settings, "%s", l.text);
}

void report_note(void *notes, const char *text) {
    report_notes *n = notes;
    if (n->n++ < NOTED)
        cli_say(n->settings, "note: %s", text);
}

void report_notes_end(const report_notes *notes) {
    char number[32];
    if (notes->n > NOTED)
        cli_say(notes->settings, "note: ... and %s more", cli_thousands(number, notes->n - NOTED));
}

static void report_all_notes(const cli_settings *settings, const ilk_stats *stats) {
    report_notes notes = {.settings = settings};
    ilk_stats_notes(stats, report_note, &notes);
    report_notes_end(&notes);
}

void report_alone(const cli_settings *settings, const ilk_stats *stats, const char *why) {
    line l = {.n = 0};
    size_t K = ilk_stats_classes(stats);
    if (settings->quiet && !settings->plan.part)
        cli_error("%s: no model yet: %s", settings->output ? settings->output : settings->args.item[0], why);
    report_all_notes(settings, stats);
    add_rows(&l, ilk_stats_schema(stats), ilk_stats_rows(stats));
    cli_say(settings, "%s, %zu class%s", l.text, K, K == 1 ? "" : "es");
    cli_say(settings, "no model yet: %s", why);
    cli_say(settings, "the statistics are written, to be merged with others of the same columns");
}

void report_model(const cli_settings *settings, const ilk_model *model, const ilk_stats *stats) {
    const ilk_schema *schema = ilk_model_schema(model);
    ilk_family_info family;
    report_all_notes(settings, stats);
    report_classes(settings, model, ilk_stats_rows(stats));
    for (size_t i = 0; ilk_family_at(i, &family); i++)
        report_group(settings, schema, family.name, ILK_FEATURE, family.name);
    report_group(settings, schema, "weights", ILK_WEIGHT, NULL);
    report_group(settings, schema, "ignored", ILK_IGNORED, NULL);
    report_options(settings, ilk_model_options(model));
}

static void report_count(const cli_settings *settings, uint64_t n, const char *what) {
    char number[32];
    if (n > 0)
        cli_say(settings, "%s row%s %s", cli_thousands(number, n), cli_plural(n), what);
}

void report_forgotten(const cli_settings *settings, const ilk_schema *schema, double rows) {
    if (ilk_schema_weight(schema) != SIZE_MAX)
        cli_say(settings, "rows of weight %.12g forgotten", rows); /* a difference: its last digits are of rounding */
    else
        report_count(settings, (uint64_t)rows, "forgotten");
}

void report_bad(const cli_settings *settings, const ilk_tally *tally) {
    char number[32];
    if (tally->replaced > 0)
        cli_say(settings, "%s invalid byte%s read as U+FFFD", cli_thousands(number, tally->replaced),
                cli_plural(tally->replaced));
    report_count(settings, tally->stray, "with a key that the first rows do not have: it is ignored");
    report_count(settings, tally->unseen, "with a category that the model has not seen");
    report_count(settings, tally->bad, "skipped: could not be read");
    if (tally->first_bad[0])
        cli_say(settings, "the first: %s", tally->first_bad);
}

void report_skipped(const cli_settings *settings, const ilk_tally *tally) {
    report_count(settings, tally->unlabelled, "skipped: no label");
    report_bad(settings, tally);
    report_count(settings, tally->incomplete, "left out of the full Gaussian: a value is missing");
}

/* "0.7857 +/- 0.1138"; an infinite mean has no error, and of a huge one digits tell nothing. */
static void add_mean(line *l, double mean, double se) {
    bool huge = fabs(mean) >= 1e4;
    add(l, huge ? "%.3g" : "%.4f", mean);
    if (!isnan(se))
        add(l, huge ? " +/- %.3g" : " +/- %.4f", se);
}

void report_chosen(const cli_settings *settings, const ilk_options *options, const ilk_loo *worth) {
    line l = {.n = 0};
    char number[32];
    bool smooth = cli_is_loo(settings->estimate.smooth), shrink = cli_is_loo(settings->estimate.shrink);
    add(&l, "chosen by leave-one-out: ");
    if (smooth)
        add(&l, "smoothing %.15g%s", options->smooth, shrink ? ", " : "");
    if (shrink)
        add(&l, "shrinkage %.15g", options->shrink);
    add(&l, " (accuracy ");
    add_mean(&l, worth->accuracy, NAN);
    add(&l, ", log-loss ");
    add_mean(&l, worth->log_loss_rest, NAN);
    add(&l, ", on %s row%s", cli_thousands(number, worth->n), cli_plural(worth->n));
    if (worth->impossible > 0)
        add(&l, " of which %s impossible", cli_thousands(number, worth->impossible));
    add(&l, ")");
    cli_say(settings, "%s", l.text);
}

void report_loo(const cli_settings *settings, const ilk_loo *loo, const ilk_tally *tally, bool optimistic) {
    line l = {.n = 0};
    char number[32], all[32];
    add(&l, "leave-one-out: ");
    if (loo->n > 0) {
        add(&l, "accuracy ");
        add_mean(&l, loo->accuracy, loo->accuracy_se);
        add(&l, ", log-loss ");
        add_mean(&l, loo->log_loss, loo->log_loss_se);
        add(&l, ", on ");
    }
    add(&l, "%s", cli_thousands(number, loo->n));
    if (loo->n < tally->rows)
        add(&l, " of %s", cli_thousands(all, tally->rows));
    add(&l, " row%s%s", cli_plural(tally->rows), loo->cut ? " (more would take over 64 MiB)" : "");
    cli_say(settings, "%s", l.text);
    if (optimistic)
        cli_say(settings,
                "note: bins were cut by the classes of these rows, so leave-one-out is too good: judge by ilk "
                "eval on other rows");
}

void report_speed(const cli_settings *settings, const ilk_tally *tally, double seconds) {
    char number[32];
    cli_say(settings, "%.3f s, %s rows/s, %.1f MB/s", seconds,
            cli_thousands(number, (uint64_t)((double)tally->rows / seconds)), (double)tally->bytes / seconds / 1e6);
}
