/* SPDX-License-Identifier: Apache-2.0 */
/* feed.c - files and standard input as streams of bytes.
 *
 * At most one file is open at a time, so that ten thousand of them are no trouble. Standard input is not ours to close.
 */
#include "data/feed.h"
#include "core/file.h"
#include "core/memory.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct files {
    size_t n, current;
    uint64_t position;
    int fd;        /* -1: none is open */
    char *paths[]; /* n */
} files;

static bool is_stdin(const char *path) {
    return strcmp(path, "-") == 0;
}

static const char *name(void *ctx, size_t i) {
    const files *f = ctx;
    return is_stdin(f->paths[i]) ? "standard input" : f->paths[i];
}

static void close_current(files *f) {
    if (f->fd > STDIN_FILENO)
        close(f->fd);
    f->fd = -1;
}

static ilk_status open_file(void *ctx, size_t i, ilk_error *err) {
    files *f = ctx;
    close_current(f);
    f->current = i;
    f->fd = is_stdin(f->paths[i]) ? STDIN_FILENO : ilk_file_open(f->paths[i]);
    if (f->fd < 0)
        return ilk_fail_errno(err, ILK_EIO, "cannot open %s", f->paths[i]);
    return ILK_OK;
}

static ilk_status read_file(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err) {
    files *f = ctx;
    ILK_TRY(ilk_file_read_some(f->fd, buf, n, got, name(f, f->current), err));
    f->position += *got;
    return ILK_OK;
}

static uint64_t position(void *ctx) {
    const files *f = ctx;
    return f->position;
}

static void free_files(void *ctx) {
    files *f = ctx;
    close_current(f);
    for (size_t i = 0; i < f->n; i++)
        ilk_free(f->paths[i]);
    ilk_free(f);
}

/* Look without opening: to open and close a named pipe would rob its writer of the reader. Adds the size to *total,
 * where *known says that there is one; *again: it can be read more than once. */
static ilk_status check(const char *path, uint64_t *total, bool *known, bool *again, ilk_error *err) {
    struct stat st;
    bool in = is_stdin(path);
    if (in ? fstat(STDIN_FILENO, &st) : stat(path, &st))
        return ilk_fail_errno(err, ILK_EIO, "cannot open %s", in ? "standard input" : path);
    if (S_ISDIR(st.st_mode))
        return ilk_fail(err, ILK_EIO, "cannot read %s: it is a folder", in ? "standard input" : path);
    if (!in && access(path, R_OK))
        return ilk_fail_errno(err, ILK_EIO, "cannot open %s", path);
    *known &= S_ISREG(st.st_mode);
    *again = S_ISREG(st.st_mode) && !in;
    *total += (uint64_t)st.st_size;
    return ILK_OK;
}

/* NULL if there is no memory. */
static files *copy_paths(const char *const *paths, size_t n) {
    files *f = ilk_alloc(1, sizeof *f + n * sizeof *f->paths);
    if (!f)
        return NULL;
    *f = (files){.fd = -1};
    for (; f->n < n; f->n++) {
        size_t size = strlen(paths[f->n]) + 1;
        if (!(f->paths[f->n] = ilk_alloc(size, 1))) {
            free_files(f);
            return NULL;
        }
        memcpy(f->paths[f->n], paths[f->n], size);
    }
    return f;
}

ilk_status ilk_feed_files(ilk_feed *out, const char *const *paths, size_t n, ilk_error *err) {
    uint64_t total = 0;
    bool known = true, in = false;
    *out = (ilk_feed){0};
    size_t once = n;
    for (size_t i = 0; i < n; i++) {
        bool again = false;
        if (is_stdin(paths[i]) && in)
            return ilk_fail(err, ILK_EARG, "standard input can be read only once, but - is given twice");
        in |= is_stdin(paths[i]);
        ILK_TRY(check(paths[i], &total, &known, &again, err));
        once = !again && once == n ? i : once;
    }
    files *f = copy_paths(paths, n);
    if (!f)
        return ilk_fail_memory(err);
    *out = (ilk_feed){.ctx = f,
                      .count = n,
                      .total_bytes = known ? total : 0,
                      .once = once,
                      .name = name,
                      .open = open_file,
                      .read = read_file,
                      .position = position,
                      .free = free_files};
    return ILK_OK;
}
