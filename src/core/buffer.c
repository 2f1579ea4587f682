/* SPDX-License-Identifier: Apache-2.0 */
/* buffer.c - bytes that grow at the end. */
#include "core/buffer.h"
#include "core/memory.h"

#include <string.h>

ilk_status ilk_buffer_reserve(ilk_buffer *b, size_t more) {
    if (more > SIZE_MAX - b->n || ilk_grow(&b->p, &b->cap, b->n + more, 1))
        return ILK_ENOMEM;
    return ILK_OK;
}

ilk_status ilk_buffer_add(ilk_buffer *b, const void *bytes, size_t n) {
    if (n == 0)
        return ILK_OK;
    ILK_TRY(ilk_buffer_reserve(b, n));
    memcpy(b->p + b->n, bytes, n);
    b->n += n;
    return ILK_OK;
}

void ilk_buffer_free(ilk_buffer *b) {
    ilk_free(b->p);
    *b = (ilk_buffer){0};
}
