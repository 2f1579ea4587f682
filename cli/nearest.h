/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h - what was meant: the nearest of some names. */
#ifndef ILK_CLI_NEAREST_H
#define ILK_CLI_NEAREST_H

#include <ilk.h>

/* The search for one misspelt name: begin, offer every candidate, then look at `best` (best.p NULL if nothing is near).
 * Names are borrowed. */
typedef struct cli_nearest {
    ilk_str wanted, best;
    size_t distance; /* of best */
} cli_nearest;

cli_nearest cli_nearest_begin(ilk_str wanted);
void cli_nearest_offer(cli_nearest *nearest, ilk_str name);

#endif
