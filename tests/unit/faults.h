/* SPDX-License-Identifier: Apache-2.0 */
/* faults.h - every function of a public header with its n-th allocation, or its n-th file operation, failing, for
 * n = 1, 2, … until none is left: an error or success, nothing leaked (AddressSanitizer), no descriptor and no file
 * left behind, and all objects as they were.
 *
 * A program defines struct scene and the three functions over it, and a suite `tried`: one call per function or group
 * of functions that belong together. It runs the two tests that are here, and its own with fail_all. */
#ifndef ILK_TESTS_FAULTS_H
#define ILK_TESTS_FAULTS_H

#include "fixtures.h"

#include "core/fault.h"

#include <ctype.h>
#include <dirent.h>

/* Objects to call functions on; made, freed and looked at without faults. */
typedef struct scene scene;
static scene *scene_new(void);
static void scene_free(scene *s);
static bytes scene_digest(const scene *s); /* everything that the objects know */

/* What a call may do; to do none of it is a promise too: what cannot fail must not allocate. */
enum { ALLOCATES = 1, DOES_IO = 2, CHANGES = 4 /* the objects of the scene */ };

typedef struct call {
    const char *names; /* of the functions that it calls */
    ilk_status (*run)(scene *s, ilk_error *err);
    unsigned does;
} call;

typedef struct suite {
    const char *header;
    const call *calls;
    size_t n;
} suite;

static const suite tried; /* defined by the program */

__attribute__((unused)) static void *const garbage = &failure; /* *out must become NULL on failure */

/* ---- the list of functions */

static inline bool is_listed(const char *name) {
    size_t n = strlen(name);
    for (size_t i = 0; i < tried.n; i++)
        for (const char *at = tried.calls[i].names; (at = strstr(at, name)); at += n)
            if ((at == tried.calls[i].names || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
                return true;
    return false;
}

/* The name before each opening parenthesis that ends a declaration marked ILK_API. */
static inline void header__declares_no_function_that_is_not_tried_here(void **state) {
    (void)state;
    char path[4096], name[64];
    snprintf(path, sizeof path, "%s/../include/%s", ILK_TESTS_DIR, tried.header);
    bytes header = read_file(path);
    size_t found = 0, listed = 0;
    for (const char *at = (const char *)header.p; (at = strstr(at, "\nILK_API ")); found++) {
        const char *end = strchr(at += 9, '('), *begin = end;
        while (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')
            begin--;
        snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
        if (!is_listed(name))
            fail_msg("%s has no test of its faults", name);
    }
    for (size_t i = 0; i < tried.n; i++)
        for (const char *at = tried.calls[i].names; at; at = strchr(at, ' '), at += at != NULL)
            listed++;
    assert_true(found > 0);
    assert_int_equal(listed, found);
    free(header.p);
}

/* Each call succeeds, and its scene knows something new exactly where the suite says so. */
static inline void every_function__succeeds_without_faults(void **state) {
    (void)state;
    for (size_t i = 0; i < tried.n; i++) {
        scene *s = scene_new();
        bytes before = scene_digest(s);
        assert_ok(tried.calls[i].run(s, &failure));
        bytes after = scene_digest(s);
        bool same = before.n == after.n && memcmp(before.p, after.p, after.n) == 0;
        if (same == ((tried.calls[i].does & CHANGES) != 0))
            fail_msg("%s: %s", tried.calls[i].names, same ? "no change" : "a change");
        free(before.p);
        free(after.p);
        scene_free(s);
    }
}

#ifdef ILK_FAULTS
/* ---- failing */

static inline size_t entries(const char *path) {
    DIR *d = opendir(path);
    size_t n = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

/* The call with its n-th point failing. Was there an n-th? */
static inline bool run_with_fault(const call *c, scene *s, ilk_fault *fault, uint64_t n, bool sticky,
                                  ilk_status *status) {
    failure = (ilk_error){0};
    ilk_fault_arm(fault, n, sticky);
    *status = c->run(s, &failure);
    bool reached = atomic_load(&fault->seen) >= n;
    ilk_fault_arm(fault, 0, false);
    return reached;
}

static inline bytes digest_after(const call *c) {
    scene *s = scene_new();
    assert_ok(c->run(s, &failure));
    bytes after = scene_digest(s);
    scene_free(s);
    return after;
}

static inline void assert_digest(const scene *s, bytes expected) {
    bytes now = scene_digest(s);
    assert_same_bytes(now, expected);
    free(now.p);
}

/* Returns at how many points the call failed or went on. */
static inline uint64_t fail_everywhere(const call *c, ilk_fault *fault, ilk_status expected, bool sticky) {
    ilk_status status;
    bytes after = digest_after(c);
    scene *s = scene_new();
    bytes before = scene_digest(s);
    size_t files = entries(folder), open = entries("/proc/self/fd");
    uint64_t n = 1;
    for (; run_with_fault(c, s, fault, n, sticky, &status); n++) {
        if (status != ILK_OK && status != expected)
            fail_msg("%s, point %llu: %s: %s", c->names, (unsigned long long)n, ilk_status_name(status),
                     failure.message);
        if (failure.status != status)
            fail_msg("%s, point %llu: returns %s, says %s: %s", c->names, (unsigned long long)n,
                     ilk_status_name(status), ilk_status_name(failure.status), failure.message);
        assert_int_equal(failure.message[0] != '\0', status != ILK_OK);
        assert_digest(s, status == ILK_OK ? after : before);
        assert_int_equal(entries(folder), files);
        assert_int_equal(entries("/proc/self/fd"), open);
        if (status == ILK_OK && (c->does & CHANGES)) {
            scene_free(s);
            s = scene_new();
            open = entries("/proc/self/fd");
        }
    }
    assert_int_equal(status, ILK_OK); /* after all those failures, on the same objects */
    assert_digest(s, after);
    free(before.p);
    free(after.p);
    scene_free(s);
    return n - 1;
}

static inline void fail_all(ilk_fault *fault, bool sticky) {
    bool io = fault == &ilk_io_fault;
    for (size_t i = 0; i < tried.n; i++) {
        const call *c = &tried.calls[i];
        uint64_t points = fail_everywhere(c, fault, io ? ILK_EIO : ILK_ENOMEM, sticky);
        printf("# %-24.*s %4llu points\n", (int)strcspn(c->names, " "), c->names, (unsigned long long)points);
        assert_int_equal(points > 0, (c->does & (io ? DOES_IO : ALLOCATES)) != 0);
    }
}
#endif

#endif
