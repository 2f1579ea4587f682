/* SPDX-License-Identifier: Apache-2.0 */
/* hash.c - the process's hash key. */
#include "core/hash.h"

#include <pthread.h>
#include <sys/random.h>
#include <time.h>

static uint64_t seed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void draw(void) {
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
        struct timespec now = {0}; /* early at boot: better than nothing, and nothing depends on its value */
        clock_gettime(CLOCK_MONOTONIC, &now);
        seed = (uint64_t)now.tv_nsec * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)(uintptr_t)&now;
    }
}

uint64_t ilk_hash_seed(void) {
    pthread_once(&once, draw);
    return seed;
}
