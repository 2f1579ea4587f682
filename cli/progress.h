/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - how far a pass has come, on standard error: a bar on a terminal, or lines of JSON. */
#ifndef ILK_CLI_PROGRESS_H
#define ILK_CLI_PROGRESS_H

#include "cli.h"

typedef struct progress {
    double began, drawn; /* seconds on a clock that only goes forward */
    bool visible;        /* something stands on the line now */
    bool json;
    bool open;                  /* nothing has said yet that all is done */
    unsigned reading, readings; /* which one of how many, from 1 */
    ilk_progress last;
} progress;

/* Seconds on a clock that only goes forward. */
double progress_clock(void);

/* A run with the settings' threads; it draws into `p`, which must outlive it, if there is somebody to look. The
 * one reading there is, unless the caller sets another. */
ilk_run progress_begin(progress *p, const cli_settings *settings);
/* Clear the line, for what else is to be said meanwhile. */
void progress_clear(progress *p);
/* Clear it at the end of a reading; as JSON, say how far that came. After the last, or a failure, it is done. */
void progress_end(progress *p, ilk_status status);
/* No reading will follow: say so, unless it was said. */
void progress_close(progress *p);

#endif
