/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - how far a pass has come, on standard error: a bar on a terminal, or lines of JSON. */
#ifndef ILK_CLI_PROGRESS_H
#define ILK_CLI_PROGRESS_H

#include "cli.h"

typedef struct progress {
    double began, drawn; /* seconds on a clock that only goes forward */
    bool visible;        /* something stands on the line now */
    bool json;
    bool goes_on; /* another reading follows, and will be the one that is done */
    ilk_progress last;
} progress;

/* Seconds on a clock that only goes forward. */
double progress_clock(void);

/* A run with the settings' threads; it draws into `p`, which must outlive it, if there is somebody to look. */
ilk_run progress_begin(progress *p, const cli_settings *settings);
/* Clear the line; as JSON, say that it is done. */
void progress_end(progress *p);

#endif
