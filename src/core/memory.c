/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - the seam for allocation: malloc, with overflow of the product refused and faults on demand. */
#include "core/memory.h"
#include "core/fault.h"

#include <stdlib.h>
#include <string.h>

#ifdef ILK_FAULTS
ilk_fault ilk_allocation_fault;

static bool refused(void) {
    return ilk_fault_hit(&ilk_allocation_fault);
}
#else
static bool refused(void) {
    return false;
}
#endif

/* Bytes of count × size rounded up so that it is never 0, or 0 if that overflows. */
static size_t bytes(size_t count, size_t size) {
    size_t n;
    if (__builtin_mul_overflow(count, size, &n) || n > PTRDIFF_MAX)
        return 0;
    return n ? n : 1;
}

void *ilk_alloc(size_t count, size_t size) {
    size_t n = bytes(count, size);
    return n && !refused() ? malloc(n) : NULL;
}

void *ilk_zalloc(size_t count, size_t size) {
    size_t n = bytes(count, size);
    return n && !refused() ? calloc(n, 1) : NULL;
}

void *ilk_realloc(void *p, size_t count, size_t size) {
    size_t n = bytes(count, size);
    return n && !refused() ? realloc(p, n) : NULL;
}

void *ilk_alloc_aligned(size_t count, size_t size) {
    size_t n = bytes(count, size);
    if (!n || n > PTRDIFF_MAX - 63 || refused())
        return NULL;
    return aligned_alloc(64, (n + 63) & ~(size_t)63);
}

void ilk_free(void *p) {
    free(p);
}

int ilk_grow(void *p, size_t *cap, size_t need, size_t size) {
    if (need <= *cap)
        return 0;
    size_t to = *cap < 8 ? 8 : *cap + *cap / 2;
    if (to < need)
        to = need;
    void *old, *grown;
    memcpy(&old, p, sizeof old); /* p points to a pointer of any type */
    grown = ilk_realloc(old, to, size);
    if (!grown)
        return -1;
    memcpy(p, &grown, sizeof grown);
    *cap = to;
    return 0;
}
