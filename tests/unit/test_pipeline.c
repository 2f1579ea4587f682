/* SPDX-License-Identifier: Apache-2.0 */
/* test_pipeline.c - blocks through threads: in order at both ends, and the same for any number of threads. */
#include "fixtures.h"

#include "core/pipeline.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 8 };

typedef struct slot {
    uint64_t block, worked;
    bool busy; /* between its produce and its commit or drop */
} slot;

typedef struct job {
    uint64_t blocks;                            /* to produce */
    uint64_t bad_produce, bad_work, bad_commit; /* blocks at which each fails; UINT64_MAX: never */
    uint64_t slow;                              /* the block whose work takes longest */
    bool silent;                                /* fails without a message */
    uint64_t produced;
    uint64_t committed[1024], commits;
    atomic_int producing, committing;
    atomic_bool overlapped;
    cpu_set_t processors; /* that the caller may use */
    atomic_bool bound;    /* a thread may not use the same */
    pthread_t thread[THREADS];
} job;

static void enter(job *j, atomic_int *who) {
    if (atomic_fetch_add(who, 1) != 0)
        atomic_store(&j->overlapped, true);
}

static ilk_status maybe_fail(const job *j, uint64_t block, uint64_t bad, const char *what, ilk_error *err) {
    if (block != bad)
        return ILK_OK;
    return j->silent ? ILK_ENOMEM : ilk_fail(err, ILK_EDATA, "%s %d", what, (int)block);
}

static ilk_status produce(void *ctx, void *at, bool *more, ilk_error *err) {
    job *j = ctx;
    slot *s = at;
    enter(j, &j->producing);
    s->block = j->produced;
    *more = j->produced < j->blocks;
    ilk_status status = maybe_fail(j, s->block, j->bad_produce, "produce", err);
    j->produced += *more;
    atomic_fetch_sub(&j->producing, 1);
    return status;
}

static ilk_status work(void *ctx, void *at, ilk_error *err) {
    job *j = ctx;
    slot *s = at;
    if (s->block == j->slow)
        usleep(20000);
    s->worked = s->block * 7 + 1;
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) || !CPU_EQUAL(&mine, &j->processors))
        atomic_store(&j->bound, true);
    return maybe_fail(j, s->block, j->bad_work, "work", err);
}

static ilk_status commit(void *ctx, void *at, ilk_error *err) {
    job *j = ctx;
    slot *s = at;
    enter(j, &j->committing);
    assert_int_equal(s->worked, s->block * 7 + 1);
    j->committed[j->commits++] = s->block;
    atomic_fetch_sub(&j->committing, 1);
    return maybe_fail(j, s->block, j->bad_commit, "commit", err);
}

static const job whole = {
    .blocks = 200, .bad_produce = UINT64_MAX, .bad_work = UINT64_MAX, .bad_commit = UINT64_MAX, .slow = UINT64_MAX};

static ilk_status run(job *j, size_t threads, ilk_error *err) {
    slot slots[THREADS] = {0};
    void *list[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        list[i] = &slots[i];
    ilk_pipeline p = {j, produce, work, commit, list, threads};
    assert_int_equal(sched_getaffinity(0, sizeof j->processors, &j->processors), 0);
    ilk_status status = ilk_pipeline_run(&p, err);
    assert_false(j->overlapped);
    assert_false(j->bound);
    for (uint64_t i = 0; i < j->commits; i++)
        assert_int_equal(j->committed[i], i); /* in order, without a gap */
    return status;
}

static void pipeline__commits_every_block_in_order_for_any_threads(void **state) {
    (void)state;
    for (size_t threads = 1; threads <= THREADS; threads++) {
        job j = whole;
        j.slow = threads; /* others overtake it and must wait */
        assert_ok(run(&j, threads, &failure));
        assert_int_equal(j.commits, 200);
    }
}

static void pipeline__of_no_blocks_is_fine(void **state) {
    (void)state;
    for (size_t threads = 1; threads <= THREADS; threads += 3) {
        job j = whole;
        j.blocks = 0;
        assert_ok(run(&j, threads, &failure));
        assert_int_equal(j.commits, 0);
    }
}

static void pipeline__stops_at_the_block_that_failed(void **state) {
    (void)state;
    for (size_t threads = 1; threads <= THREADS; threads++) {
        job in_work = whole, in_commit = whole, in_produce = whole;
        in_work.bad_work = in_commit.bad_commit = in_produce.bad_produce = 50;
        assert_fails(ILK_EDATA, "work 50", run(&in_work, threads, &failure));
        assert_int_equal(in_work.commits, 50);
        assert_fails(ILK_EDATA, "commit 50", run(&in_commit, threads, &failure));
        assert_int_equal(in_commit.commits, 51);
        assert_fails(ILK_EDATA, "produce 50", run(&in_produce, threads, &failure));
        assert_int_equal(in_produce.commits, 50);
    }
}

/* The later block fails long before the earlier one does; still the earlier one is what is reported. */
static void pipeline__reports_the_earliest_failure(void **state) {
    (void)state;
    for (size_t threads = 1; threads <= THREADS; threads++) {
        job work_first = whole, work_later = whole, produce_later = whole;
        work_first.slow = work_first.bad_work = 20;
        work_first.bad_commit = 21;
        assert_fails(ILK_EDATA, "work 20", run(&work_first, threads, &failure));
        work_later.slow = work_later.bad_commit = 20;
        work_later.bad_work = 21;
        assert_fails(ILK_EDATA, "commit 20", run(&work_later, threads, &failure));
        produce_later.slow = produce_later.bad_work = 20;
        produce_later.bad_produce = 21;
        assert_fails(ILK_EDATA, "work 20", run(&produce_later, threads, &failure));
        assert_int_equal(produce_later.commits, 20);
    }
}

static void pipeline__says_something_where_a_callback_did_not(void **state) {
    (void)state;
    job j = whole;
    j.bad_work = 3;
    j.silent = true;
    assert_fails(ILK_ENOMEM, "out of memory", run(&j, 2, &failure));
    j = whole;
    j.bad_work = 3;
    assert_int_equal(run(&j, 2, NULL), ILK_EDATA);
}

static void pipeline__runs_one_thread_in_the_caller(void **state) {
    (void)state;
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    assert_int_equal(ilk_processors(), CPU_COUNT(&set));
    job j = whole;
    assert_ok(run(&j, 1, &failure));
    assert_int_equal(j.produced, 200);
}

static size_t first_processor(const cpu_set_t *set) {
    size_t first = 0;
    while (!CPU_ISSET(first, set))
        first++;
    return first;
}

/* Each begins on one processor, but is not bound to it: run() looks at what each may use. */
static void pipeline__keeps_to_the_processors_of_its_caller(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    CPU_SET(first_processor(&all), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    job j = whole;
    j.slow = 3;
    ilk_status status = run(&j, THREADS, &failure);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_ok(status);
    assert_int_equal(j.commits, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipeline__commits_every_block_in_order_for_any_threads),
        cmocka_unit_test(pipeline__of_no_blocks_is_fine),
        cmocka_unit_test(pipeline__stops_at_the_block_that_failed),
        cmocka_unit_test(pipeline__reports_the_earliest_failure),
        cmocka_unit_test(pipeline__says_something_where_a_callback_did_not),
        cmocka_unit_test(pipeline__runs_one_thread_in_the_caller),
        cmocka_unit_test(pipeline__keeps_to_the_processors_of_its_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
