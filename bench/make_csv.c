/* SPDX-License-Identifier: Apache-2.0 */
/* make_csv.c - ROWS COLUMNS: a table of random numbers in full precision on standard output, the class last. The same
 * bytes on every machine. 200,000 x 50 make 197 MB. */
#include "core/rng.h"

#include <ilk_data.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: make_csv ROWS COLUMNS\n");
        return 2;
    }
    long n = atol(argv[1]), d = atol(argv[2]);
    ilk_rng rng = ilk_rng_new(1);
    for (long j = 0; j < d; j++)
        printf("x%ld,", j + 1);
    puts("class");
    for (long i = 0; i < n; i++) {
        char number[32];
        int k = ilk_rng_uniform(&rng) < .5;
        for (long j = 0; j < d; j++) {
            size_t length = ilk_format_number(number, ilk_rng_normal(&rng) + .1 * k);
            fwrite(number, 1, length, stdout);
            putchar(',');
        }
        puts(k ? "b" : "a");
    }
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
