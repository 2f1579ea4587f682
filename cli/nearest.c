/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.c - the nearest of names that are offered one by one. What is near is the library's to say. */
#include "nearest.h"

#include <ilk.h>

#include <string.h>

cli_nearest cli_nearest_begin(const char *wanted) {
    return (cli_nearest){.wanted = wanted, .distance = SIZE_MAX};
}

void cli_nearest_offer(cli_nearest *nearest, const char *name) {
    size_t slips = ilk_slips((ilk_str){nearest->wanted, strlen(nearest->wanted)}, (ilk_str){name, strlen(name)});
    if (slips < nearest->distance) {
        nearest->distance = slips;
        nearest->best = name;
    }
}
