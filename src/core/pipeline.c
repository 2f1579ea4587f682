/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - blocks through threads, in order at both ends. One mutex, one condition: "it may be your turn". */
#include "core/pipeline.h"
#include "core/memory.h"

#include <pthread.h>
#include <sched.h>

typedef struct run {
    const ilk_pipeline *pipeline;
    cpu_set_t processors; /* that the caller may use, none if that is not known */
    pthread_mutex_t lock;
    pthread_cond_t turn;
    uint64_t produced, committed; /* blocks handed out, blocks finished; a block's number is its place in `produced` */
    bool ended;                   /* nothing more to hand out */
    bool producing;               /* somebody waits for input, without the lock, so that others can commit meanwhile */
    ilk_status status;            /* of the earliest failed block */
    uint64_t failed_at;
    ilk_error error;
} run;

typedef struct worker {
    run *run;
    void *slot;
    pthread_t thread;
} worker;

/* Under the lock. */
static void note_failure(run *r, uint64_t block, ilk_status status, const ilk_error *error) {
    r->ended = true;
    if (r->status == ILK_OK || block < r->failed_at) {
        r->status = status;
        r->failed_at = block;
        r->error = *error;
    }
}

/* Under the lock: the next block into the slot, and its number. */
static bool take(run *r, void *slot, uint64_t *block) {
    while (r->producing)
        pthread_cond_wait(&r->turn, &r->lock);
    if (r->ended)
        return false;
    ilk_error error = {0};
    bool more = false;
    r->producing = true;
    pthread_mutex_unlock(&r->lock);
    ilk_status status = r->pipeline->produce(r->pipeline->ctx, slot, &more, &error);
    pthread_mutex_lock(&r->lock);
    r->producing = false;
    pthread_cond_broadcast(&r->turn);
    if (status != ILK_OK)
        note_failure(r, r->produced, status, &error);
    else if (!more)
        r->ended = true;
    if (r->ended)
        return false;
    *block = r->produced++;
    return true;
}

/* Under the lock: wait for the block's turn, and commit it unless it or one before it has failed. */
static ilk_status await_and_commit(run *r, void *slot, uint64_t block, ilk_status status, ilk_error *error) {
    while (r->committed != block)
        pthread_cond_wait(&r->turn, &r->lock);
    /* A block after a failed one is dropped: its commit would leave a gap. */
    if (status != ILK_OK || (r->status != ILK_OK && block > r->failed_at))
        return status;
    /* committed == block keeps every other commit out while the lock is free, so input can go on being read. */
    pthread_mutex_unlock(&r->lock);
    status = r->pipeline->commit(r->pipeline->ctx, slot, error);
    pthread_mutex_lock(&r->lock);
    return status;
}

static void *work_loop(void *argument) {
    const worker *w = argument;
    run *r = w->run;
    const ilk_pipeline *p = r->pipeline;
    uint64_t block;
    pthread_mutex_lock(&r->lock);
    while (take(r, w->slot, &block)) {
        pthread_mutex_unlock(&r->lock);
        ilk_error error = {0};
        ilk_status status = p->work(p->ctx, w->slot, &error);
        pthread_mutex_lock(&r->lock);
        if (p->commit)
            status = await_and_commit(r, w->slot, block, status, &error);
        if (status != ILK_OK)
            note_failure(r, block, status, &error);
        r->committed++;
        pthread_cond_broadcast(&r->turn);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* ---- threads
 *
 * The system lets a new thread begin on its maker's processor, beside it, and takes 4 to 20 ms to move one of them,
 * which is as long as many a pass lasts. So they begin spread over the processors, and may go anywhere from then on. */

static void *begin(void *argument) {
    const worker *w = argument;
    if (CPU_COUNT(&w->run->processors) > 0)
        pthread_setaffinity_np(pthread_self(), sizeof w->run->processors, &w->run->processors);
    return work_loop(argument);
}

/* The next processor after `last` that may be used. */
static size_t next_processor(const cpu_set_t *processors, size_t last) {
    do
        last = (last + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(last, processors));
    return last;
}

static bool start(worker *w, size_t *processor) {
    const cpu_set_t *all = &w->run->processors;
    pthread_attr_t how;
    if (pthread_attr_init(&how))
        return false;
    if (CPU_COUNT(all) > 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        *processor = next_processor(all, *processor);
        CPU_SET(*processor, &one);
        pthread_attr_setaffinity_np(&how, sizeof one, &one);
    }
    bool good = pthread_create(&w->thread, &how, begin, w) == 0 ||
                pthread_create(&w->thread, NULL, begin, w) == 0; /* where choosing a processor is not allowed */
    pthread_attr_destroy(&how);
    return good;
}

/* Returns how many there are, this one among them. */
static size_t start_all(worker *workers, size_t n) {
    int here = sched_getcpu();
    size_t started = 1, processor = here < 0 ? 0 : (size_t)here;
    while (started < n && start(&workers[started], &processor))
        started++;
    return started;
}

ilk_status ilk_pipeline_run(const ilk_pipeline *pipeline, ilk_error *err) {
    worker *workers = ilk_zalloc(pipeline->threads, sizeof *workers);
    if (!workers)
        return ilk_fail_memory(err);
    run r = {.pipeline = pipeline, .lock = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER};
    if (sched_getaffinity(0, sizeof r.processors, &r.processors))
        CPU_ZERO(&r.processors);
    for (size_t i = 0; i < pipeline->threads; i++)
        workers[i] = (worker){.run = &r, .slot = pipeline->slots[i]};
    size_t started = start_all(workers, pipeline->threads);
    work_loop(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    ilk_free(workers);
    pthread_mutex_destroy(&r.lock);
    pthread_cond_destroy(&r.turn);
    if (r.status == ILK_OK)
        return ILK_OK;
    if (!r.error.message[0]) /* a callback that could only say what, not where */
        return ilk_fail(err, r.status, "%s", ilk_status_name(r.status));
    if (err)
        *err = r.error;
    return r.status;
}

size_t ilk_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (size_t)n : 1;
}
