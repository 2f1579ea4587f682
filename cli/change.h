/* SPDX-License-Identifier: Apache-2.0 */
/* change.h - a model file that is read, changed and replaced: what update and forget have in common. */
#ifndef ILK_CLI_CHANGE_H
#define ILK_CLI_CHANGE_H

#include "learning.h"

typedef struct change {
    const char *path;
    ilk_lock *lock;
} change;

/* Lock the model file and load its statistics. Free with change_end in any case. */
ilk_status change_begin(change *c, ilk_stats **stats, const char *path, ilk_error *err);
/* Open the data, which is in the arguments behind the model. */
ilk_status change_open_data(ilk_table **out, const ilk_stats *stats, const cli_settings *settings, ilk_error *err);
/* Data without a labelled row changes nothing, and that is hardly what was meant: ILK_EDATA. */
ilk_status change_check_rows(const ilk_tally *tally, const char *path, ilk_error *err);
/* Estimate anew, as the model was. */
ilk_status change_estimate(const change *c, learning *l, ilk_error *err);
/* Replace the file. */
ilk_status change_save(const change *c, const learning *l, ilk_error *err);
void change_end(change *c);

/* Put the file before a message, and say that what it holds is at fault, nothing that was asked. Returns the status. */
ilk_status change_blame(ilk_error *err, const char *path);

#endif
