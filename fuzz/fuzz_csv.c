/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_csv.c - any bytes as CSV, TSV or labelled lines. Only the lines must be as many in small blocks as in a large
 * one: what a header is, is told from the first block. */
#include "fuzz_tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ilk_format formats[] = {ILK_FORMAT_AUTO, ILK_FORMAT_CSV, ILK_FORMAT_TSV, ILK_FORMAT_LINES};
    static const char *const weights[] = {NULL, "1", "2", "3"};
    if (size < 2)
        return 0;
    /* The first byte chooses format and weights, the second the size of blocks; the rest is the file. */
    reading r = {.bytes = {(const char *)data + 2, size - 2},
                 .format = formats[data[0] % 4],
                 .weights = weights[data[0] / 4 % 4]};
    r.same = r.format == ILK_FORMAT_LINES;
    fuzz_table(&r, 1 + data[1] % 64);
    return 0;
}
