/* SPDX-License-Identifier: Apache-2.0 */
/* scoring.h - a model and the data it shall answer: what predict, eval and explain have in common. */
#ifndef ILK_CLI_SCORING_H
#define ILK_CLI_SCORING_H

#include "cli.h"

typedef struct scoring {
    ilk_model *model;
    ilk_table *table;
    size_t K;
    const char *file; /* the first of the data, for messages */
    ilk_tally tally;  /* after scoring_run */
} scoring;

/* Open the model (the first argument) and the data (the others), of which lines may be texts without a label where
 * `unlabelled`. Free with scoring_close in any case. */
ilk_status scoring_open(scoring *s, const cli_settings *settings, bool unlabelled, ilk_error *err);
/* Answer all rows; those that could not be read are reported. */
ilk_status scoring_run(scoring *s, const ilk_answer_fns *fns, const cli_settings *settings, ilk_error *err);
void scoring_close(scoring *s);

#endif
