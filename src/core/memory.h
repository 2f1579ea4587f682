/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - the one seam for allocation.
 *
 * What src/ allocates it allocates here, so that a test can make the n-th allocation fail (core/fault.h). Sizes are
 * count × size with the product checked: a hostile length yields NULL, not a small block.
 */
#ifndef ILK_CORE_MEMORY_H
#define ILK_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *ilk_alloc(size_t count, size_t size);            /* uninitialised; count × size may be 0 */
void *ilk_zalloc(size_t count, size_t size);           /* zeroed */
void *ilk_realloc(void *p, size_t count, size_t size); /* on failure NULL and p stays */
void ilk_free(void *p);
/* 64-byte aligned, uninitialised; for matrices. Freed with ilk_free. */
void *ilk_alloc_aligned(size_t count, size_t size);

/* Grow array *p of elements of `size` bytes to hold at least `need`, by half at a time. Returns 0, or -1 and leaves it
 * as it was. */
int ilk_grow(void *p, size_t *cap, size_t need, size_t size);
/* Give back what it has beyond `need`, if that is possible. */
void ilk_shrink(void *p, size_t *cap, size_t need, size_t size);

/* For functions that are a part of their callers' loops: inlined, whatever the compiler thinks of it. */
#define ILK_INLINE static inline __attribute__((always_inline))

/* For functions that only prefetch: always inline, because gcc drops a call it considers to have no effect. */
#define ILK_PREFETCHES ILK_INLINE void

/* Prefetch what lies `bytes` behind p; the rest is as for __builtin_prefetch. By address, because that may be behind
 * the end of an array, where no pointer may point. */
#define ILK_PREFETCH(p, bytes, ...) __builtin_prefetch((const void *)((uintptr_t)(p) + (bytes)), __VA_ARGS__)

#endif
