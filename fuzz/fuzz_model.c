/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_model.c - any bytes as a model file: refused, or every question answered without a crash and without NaN.
 *
 * The first byte says whether the checksums of the rest are made right first: without that a fuzzer would hardly ever
 * get past them, with it alone they would not be tried. */
#include "../tests/unit/hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the seeds know, so that rows have values and words of theirs. */
static const char *const known[] = {"u", "v", "w", "a", "b", "c", "1", "0", "x", "y", ""};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ilk_model *m;
    if (size < 1)
        return 0;
    size_t n = size - 1;
    unsigned char *file = malloc(n + (n == 0)); /* of exactly that size, and to be written to */
    if (!file)
        return 0;
    memcpy(file, data + 1, n);
    if (data[0] & 1)
        hostile_repair(file, n);
    if (ilk_model_read(&m, file, n, NULL) == ILK_OK && !hostile_exercise(m, known, sizeof known / sizeof *known))
        abort();
    ilk_model_free(m);
    free(file);
    return 0;
}
