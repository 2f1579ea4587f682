/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - short reports for people, on standard error. */
#ifndef ILK_CLI_REPORT_H
#define ILK_CLI_REPORT_H

#include "cli.h"

/* Notes on the statistics, "14 rows, 2 classes: No 5, Yes 9", then the columns by family, then smoothing and prior. */
void report_model(const cli_settings *settings, const ilk_model *model, const ilk_stats *stats);
/* Statistics that make no model: notes, rows, classes, and why. One line at least, unless they were asked for. */
void report_alone(const cli_settings *settings, const ilk_stats *stats, const char *why);
/* "note: ...", the first dozen of them; an ilk_note_fn. */
typedef struct report_notes {
    const cli_settings *settings;
    size_t n; /* so far */
} report_notes;
void report_note(void *notes, const char *text);
/* After the last: how many more there were, if any. */
void report_notes_end(const report_notes *notes);
/* "3 rows forgotten". */
void report_forgotten(const cli_settings *settings, const ilk_schema *schema, double rows);
/* Rows a pass could not read and skipped. Nothing if there are none. */
void report_bad(const cli_settings *settings, const ilk_tally *tally);
/* All rows that were not learnt as a whole, and why. */
void report_skipped(const cli_settings *settings, const ilk_tally *tally);
/* What --smooth loo and --shrink loo have chosen, and its log-loss on the rows it was chosen by. */
void report_chosen(const cli_settings *settings, const ilk_options *options, const ilk_loo *worth);
/* What the model is worth, by leave-one-out on some of the rows; and a warning where it saw their classes before. */
void report_loo(const cli_settings *settings, const ilk_loo *loo, const ilk_tally *tally, bool optimistic);
/* Seconds, rows/s, MB/s. */
void report_speed(const cli_settings *settings, const ilk_tally *tally, double seconds);

#endif
