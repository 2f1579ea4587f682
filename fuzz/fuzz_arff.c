/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_arff.c - any bytes as ARFF: as many rows in small blocks as in one large one. */
#include "fuzz_tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_format(data, size, ILK_FORMAT_ARFF);
}
