/* SPDX-License-Identifier: Apache-2.0 */
/* fault.h - failures on demand, for tests: the n-th call of a seam fails and, if sticky, all after it; and what is in
 * use.
 *
 * In builds without ILK_FAULTS a point costs nothing and cannot be armed. */
#ifndef ILK_CORE_FAULT_H
#define ILK_CORE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef ILK_FAULTS
#include <stdatomic.h>

typedef struct ilk_fault {
    atomic_uint_fast64_t at, seen;
    atomic_bool sticky;
} ilk_fault;

static inline void ilk_fault_arm(ilk_fault *f, uint64_t n, bool sticky) {
    atomic_store(&f->seen, 0);
    atomic_store(&f->sticky, sticky);
    atomic_store(&f->at, n);
}

static inline bool ilk_fault_hit(ilk_fault *f) {
    uint64_t seen = atomic_fetch_add(&f->seen, 1) + 1, at = atomic_load(&f->at);
    return at && (seen == at || (seen > at && atomic_load(&f->sticky)));
}

/* One point per seam; n = 0 disarms. Calls since the last arming are in .seen. */
extern ilk_fault ilk_allocation_fault, ilk_io_fault;

/* Bytes that are allocated, and the most that ever were since a test set it back. */
extern atomic_size_t ilk_memory_used, ilk_memory_peak;

/* A step of writing a file: where the environment says ILK_KILL_AT=N, the process dies at the N-th as by kill -9, and
 * tells standard error which it was. */
void ilk_fault_step(const char *step);
/* ILK_IN_PLACE in the environment: write files in place, so that tests can show that they would notice. */
bool ilk_fault_in_place(void);
#else
static inline void ilk_fault_step(const char *step) {
    (void)step;
}
static inline bool ilk_fault_in_place(void) {
    return false;
}
#endif

#endif
