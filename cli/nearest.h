/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h - what was meant: the nearest of some names. */
#ifndef ILK_CLI_NEAREST_H
#define ILK_CLI_NEAREST_H

#include <stddef.h>

/* The search for one misspelt name: begin, offer every candidate, then look at `best` (NULL if nothing is near). */
typedef struct cli_nearest {
    const char *wanted;
    const char *best;
    size_t distance; /* of best */
} cli_nearest;

cli_nearest cli_nearest_begin(const char *wanted);
void cli_nearest_offer(cli_nearest *nearest, const char *name);

#endif
