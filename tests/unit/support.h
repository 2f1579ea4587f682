/* SPDX-License-Identifier: Apache-2.0
 *
 * support.h - what every unit test includes first. Output is TAP, read by tests/tap.awk.
 */
#ifndef ILK_TESTS_SUPPORT_H
#define ILK_TESTS_SUPPORT_H

/* cmocka.h needs these and does not include them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

/** Skip the running test and say why: cmocka's own skip() has no room for a reason. */
#define SKIP_BECAUSE(...)                                                                                              \
    do {                                                                                                               \
        printf("# SKIP-REASON %s: ", __func__);                                                                        \
        printf(__VA_ARGS__);                                                                                           \
        printf("\n");                                                                                                  \
        skip();                                                                                                        \
    } while (0)

/** Path of a file of the real data, such as "cs229_2018/PS1/ds1_train.csv", or NULL if this machine has none.
 *  The result is valid until the next call. */
static inline const char *data_path(const char *file) {
    static char path[4096];
    const char *folder = getenv("ILK_DATA_DIR");
    if (folder == NULL || folder[0] == '\0')
        return NULL;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

/** The same, or skip the test. Put it at the head of a test that needs real data. */
#define NEED_DATA(path, file)                                                                                          \
    const char *path = data_path(file);                                                                                \
    if (path == NULL) {                                                                                                \
        SKIP_BECAUSE("no real data (set ILK_DATA)");                                                                   \
    }

/* Line by line, so that what was printed before a crash is not lost with the buffer. */
__attribute__((constructor)) static void print_line_by_line(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
}

#endif
