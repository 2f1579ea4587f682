/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - choosing a set of kernels. */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
/* Not every compiler can be asked for this one. Without it, the instruction is another that counts otherwise. */
static bool has_lzcnt(void) {
    unsigned a, b, c = 0, d;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

/* All that the files are compiled for, here and below. */
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2") && has_lzcnt();
}
#endif

/* The sets that this processor can run, slowest first, and the one to use. Asked once: under a hypervisor each question
 * to the processor costs as much as a thousand numbers read. */
static const ilk_kernels *sets[3] = {&ilk_kernels_ref};
static size_t sets_n = 1;
static const ilk_kernels *chosen;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A name that this processor cannot run changes nothing. */
static void choose(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (has_avx2())
        sets[sets_n++] = &ilk_kernels_avx2;
    if (has_avx512())
        sets[sets_n++] = &ilk_kernels_avx512;
#endif
    const char *wanted = getenv("ILK_KERNELS");
    chosen = sets[sets_n - 1];
    for (size_t i = 0; wanted && i < sets_n; i++)
        if (strcmp(sets[i]->name, wanted) == 0)
            chosen = sets[i];
}

const ilk_kernels *ilk_kernels_at(size_t i) {
    pthread_once(&once, choose);
    return i < sets_n ? sets[i] : NULL;
}

const ilk_kernels *ilk_kernels_use(void) {
    pthread_once(&once, choose);
    return chosen;
}
