/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_encoding.c - any bytes as text of any encoding. The first byte chooses the encoding, the second the pieces.
 *
 * Laws: in any pieces they decode to the same bytes, or fail alike; what comes out is UTF-8. */
#include "drain.h"
#include "text/encoding.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ilk_status decode(ilk_feed *feed, const void *how) {
    return ilk_feed_decode(feed, how, NULL);
}

static void require_utf8(const ilk_buffer *b) {
    size_t beyond = 0;
    bool cut;
    if (ilk_utf8_prefix(b->n ? b->p : "", b->n, &beyond, &cut) != b->n) {
        fprintf(stderr, "not UTF-8\n");
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {NULL,     "utf-8",        "utf-16",    "utf-16be", "gb18030",
                                        "gbk",    "big5",         "shift_jis", "euc-jp",   "euc-kr",
                                        "latin1", "windows-1252", "koi8-r",    "tis-620"};
    if (size < 2)
        return 0;
    const ilk_decoding how = {.encoding = names[data[0] % (sizeof names / sizeof *names)]};
    ilk_str stream = {(const char *)data + 2, size - 2};
    drained whole = drain(stream, decode, &how, SIZE_MAX, 1 << 16);
    drained pieces = drain(stream, decode, &how, 1 + data[1] % 16, 1 + (size_t)data[1] * 3);
    compare(&whole, &pieces);
    if (whole.status == ILK_OK) /* what was handed out before a failure may end within a character */
        require_utf8(&whole.bytes);
    ilk_buffer_free(&whole.bytes);
    ilk_buffer_free(&pieces.bytes);
    return 0;
}
