/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - short reports for people, on standard error. */
#ifndef ILK_CLI_REPORT_H
#define ILK_CLI_REPORT_H

#include "cli.h"

/* "14 rows, 2 classes: No 5, Yes 9", then the columns by family, then smoothing and prior. */
void report_model(const cli_settings *settings, const ilk_model *model, double rows);
/* Rows a pass skipped, and why. Nothing if there are none. */
void report_skipped(const cli_settings *settings, const ilk_tally *tally);
/* Seconds, rows/s, MB/s. */
void report_speed(const cli_settings *settings, const ilk_tally *tally, double seconds);

#endif
