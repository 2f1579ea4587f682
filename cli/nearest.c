/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.c - the nearest of names that are offered one by one. What is near is the library's to say. */
#include "nearest.h"

cli_nearest cli_nearest_begin(ilk_str wanted) {
    return (cli_nearest){.wanted = wanted, .distance = SIZE_MAX};
}

void cli_nearest_offer(cli_nearest *nearest, ilk_str name) {
    size_t slips = ilk_slips(nearest->wanted, name);
    if (slips < nearest->distance) {
        nearest->distance = slips;
        nearest->best = name;
    }
}
