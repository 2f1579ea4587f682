/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.h - blocks of work through several threads, in order at both ends.
 *
 * produce (one thread at a time, in order) -> work (in parallel) -> commit (one at a time, in the order of produce).
 * Each thread owns one slot for the whole run, so at most `threads` blocks are in flight and memory is bounded. The
 * result depends on the blocks alone, never on the number of threads or their timing: work sees only its slot, and
 * commits come in order. A commit may run while the next block is being produced: what both touch they must not share.
 * The failure reported is that of the earliest block that failed, for the same reason.
 */
#ifndef ILK_CORE_PIPELINE_H
#define ILK_CORE_PIPELINE_H

#include "core/error.h"

typedef struct ilk_pipeline {
    void *ctx;
    /* Fill the slot with the next block; *more = false when there is none. */
    ilk_status (*produce)(void *ctx, void *slot, bool *more, ilk_error *err);
    ilk_status (*work)(void *ctx, void *slot, ilk_error *err);
    ilk_status (*commit)(void *ctx, void *slot, ilk_error *err); /* NULL: blocks end in any order */
    void **slots;                                                /* one per thread */
    size_t threads;
} ilk_pipeline;

/* Runs to the end or to the first failure. If threads cannot be started it goes on with those it has. */
ilk_status ilk_pipeline_run(const ilk_pipeline *pipeline, ilk_error *err);

/* Processors this process may use, at least 1. */
size_t ilk_processors(void);

#endif
