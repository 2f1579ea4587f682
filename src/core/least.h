/* SPDX-License-Identifier: Apache-2.0 */
/* least.h - the lesser and the larger of two sizes. */
#ifndef ILK_CORE_LEAST_H
#define ILK_CORE_LEAST_H

#include <stddef.h>

static inline size_t ilk_least(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline size_t ilk_most(size_t a, size_t b) {
    return a > b ? a : b;
}

#endif
