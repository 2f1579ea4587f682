/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - the seam for allocation: malloc, with overflow of the product refused, and in
 * builds with faults failures on demand and a count of what is in use. */
#include "core/memory.h"
#include "core/fault.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#ifdef ILK_FAULTS
ilk_fault ilk_allocation_fault;
atomic_size_t ilk_memory_used, ilk_memory_peak;

static bool refused(void) {
    return ilk_fault_hit(&ilk_allocation_fault);
}

static size_t size_of(void *p) {
    return p ? malloc_usable_size(p) : 0;
}

/* p is now in use, and `before` bytes no longer are. */
static void *in_use(void *p, size_t before) {
    size_t used = atomic_fetch_add(&ilk_memory_used, size_of(p) - before) + size_of(p) - before;
    size_t peak = atomic_load(&ilk_memory_peak);
    while (used > peak && !atomic_compare_exchange_weak(&ilk_memory_peak, &peak, used))
        ;
    return p;
}
#else
static bool refused(void) {
    return false;
}

static size_t size_of(void *p) {
    (void)p;
    return 0;
}

static void *in_use(void *p, size_t before) {
    (void)before;
    return p;
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
    return n && !refused() ? in_use(malloc(n), 0) : NULL;
}

void *ilk_zalloc(size_t count, size_t size) {
    size_t n = bytes(count, size);
    return n && !refused() ? in_use(calloc(n, 1), 0) : NULL;
}

void *ilk_realloc(void *p, size_t count, size_t size) {
    size_t n = bytes(count, size), before = size_of(p);
    void *grown = n && !refused() ? realloc(p, n) : NULL;
    return grown ? in_use(grown, before) : NULL;
}

void *ilk_alloc_aligned(size_t count, size_t size) {
    size_t n = bytes(count, size);
    if (!n || n > PTRDIFF_MAX - 63 || refused())
        return NULL;
    return in_use(aligned_alloc(64, (n + 63) & ~(size_t)63), 0);
}

void ilk_free(void *p) {
    in_use(NULL, size_of(p));
    free(p);
}

/* Array *p to `to` elements; p points to a pointer of any type. */
static int resize(void *p, size_t *cap, size_t to, size_t size) {
    void *old, *moved;
    memcpy(&old, p, sizeof old);
    moved = ilk_realloc(old, to, size);
    if (!moved)
        return -1;
    memcpy(p, &moved, sizeof moved);
    *cap = to;
    return 0;
}

int ilk_grow(void *p, size_t *cap, size_t need, size_t size) {
    if (need <= *cap)
        return 0;
    size_t to = *cap < 8 ? 8 : *cap + *cap / 2;
    return resize(p, cap, to < need ? need : to, size);
}

void ilk_shrink(void *p, size_t *cap, size_t need, size_t size) {
    if (need < *cap)
        (void)resize(p, cap, need, size);
}
