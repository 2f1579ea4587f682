/* SPDX-License-Identifier: Apache-2.0 */
/* buffer.h - bytes that grow at the end. Zero-initialised is empty. */
#ifndef ILK_CORE_BUFFER_H
#define ILK_CORE_BUFFER_H

#include "core/error.h"

typedef struct ilk_buffer {
    char *p;
    size_t n, cap;
} ilk_buffer;

ilk_status ilk_buffer_add(ilk_buffer *b, const void *bytes, size_t n); /* ILK_OK or ILK_ENOMEM */
ilk_status ilk_buffer_reserve(ilk_buffer *b, size_t more);             /* room for `more` bytes at p + n */
void ilk_buffer_free(ilk_buffer *b);

#endif
