/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_gz.c - any bytes as a compressed file, of every codec by its first bytes. The first byte chooses the pieces.
 *
 * Law: in any pieces they unpack to the same bytes, or fail alike. */
#include "drain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ilk_status unpack(ilk_feed *feed, const void *how) {
    (void)how;
    return ilk_feed_unpack(feed, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    ilk_str stream = {(const char *)data + 1, size - 1};
    drained whole = drain(stream, unpack, NULL, SIZE_MAX, 1 << 16);
    drained pieces = drain(stream, unpack, NULL, 1 + data[0] % 16, 1 + (size_t)data[0] * 3);
    compare(&whole, &pieces);
    ilk_buffer_free(&whole.bytes);
    ilk_buffer_free(&pieces.bytes);
    return 0;
}
