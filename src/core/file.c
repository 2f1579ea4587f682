/* SPDX-License-Identifier: Apache-2.0 */
/* file.c - whole files in, whole files out. What opens, reads, writes, syncs, renames and maps passes through one of
 * the io_ functions, where a test can make it fail. */
#include "core/file.h"
#include "core/buffer.h"
#include "core/fault.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef ILK_FAULTS
ilk_fault ilk_io_fault;

static bool refused(void) {
    bool hit = ilk_fault_hit(&ilk_io_fault);
    if (hit)
        errno = EIO;
    return hit;
}

void ilk_fault_step(const char *step) {
    static atomic_ulong seen;
    const char *at = getenv("ILK_KILL_AT");
    if (at && atomic_fetch_add(&seen, 1) + 1 == strtoul(at, NULL, 10)) {
        dprintf(STDERR_FILENO, "killed at: %s\n", step);
        raise(SIGKILL);
    }
}

bool ilk_fault_in_place(void) {
    return getenv("ILK_IN_PLACE") != NULL;
}
#else
static bool refused(void) {
    return false;
}
#endif

static int io_open(const char *path, int flags, mode_t mode) {
    return refused() ? -1 : open(path, flags | O_CLOEXEC, mode);
}

static ssize_t io_read(int fd, void *buf, size_t n) {
    return refused() ? -1 : read(fd, buf, n);
}

static ssize_t io_write(int fd, const void *buf, size_t n) {
    return refused() ? -1 : write(fd, buf, n);
}

static int io_sync(int fd) {
    return refused() ? -1 : fsync(fd);
}

/* Let what has been written go to the disk already, while more is coming: the sync then waits for less. It is no matter
 * whether this works. */
static void io_begin_sync(int fd) {
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)fd;
#endif
}

static int io_rename(const char *from, const char *to) {
    return refused() ? -1 : rename(from, to);
}

static int io_link(const char *from, const char *to) {
    return refused() ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

static int io_lock(int fd) {
    return refused() ? -1 : flock(fd, LOCK_EX);
}

static void *io_map(size_t n, int fd) {
    return refused() ? MAP_FAILED : mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
}

int ilk_file_open(const char *path) {
    return io_open(path, O_RDONLY, 0);
}

ilk_status ilk_file_read_some(int fd, void *buf, size_t n, size_t *got, const char *name, ilk_error *err) {
    ssize_t r;
    while ((r = io_read(fd, buf, n)) < 0 && errno == EINTR)
        continue;
    *got = r < 0 ? 0 : (size_t)r;
    return r < 0 ? ilk_fail_errno(err, ILK_EIO, "cannot read %s", name) : ILK_OK;
}

ilk_status ilk_file_read(int fd, void *buf, size_t n, size_t *got, const char *name, ilk_error *err) {
    size_t more = 1;
    for (*got = 0; *got < n && more > 0; *got += more)
        ILK_TRY(ilk_file_read_some(fd, (char *)buf + *got, n - *got, &more, name, err));
    return ILK_OK;
}

/* What cannot be mapped (a pipe, a device) is read to its end. */
static ilk_status read_all(ilk_mapping *out, int fd, const char *path, ilk_error *err) {
    ilk_buffer b = {0};
    for (;;) {
        size_t got, want = 1 << 16;
        ilk_status status = ilk_buffer_reserve(&b, want);
        if (status != ILK_OK)
            ilk_fail_memory(err);
        else
            status = ilk_file_read(fd, b.p + b.n, want, &got, path, err);
        if (status != ILK_OK) {
            ilk_buffer_free(&b);
            return status;
        }
        b.n += got;
        if (got < want)
            break;
    }
    *out = (ilk_mapping){.p = (unsigned char *)b.p, .n = b.n};
    return ILK_OK;
}

static ilk_status map_fd(ilk_mapping *out, int fd, const char *path, ilk_error *err) {
    struct stat st;
    if (fstat(fd, &st))
        return ilk_fail_errno(err, ILK_EIO, "cannot read %s", path);
    if (S_ISDIR(st.st_mode) || S_ISCHR(st.st_mode)) /* a device may never end */
        return ilk_fail(err, ILK_EIO, "cannot read %s: it is a %s", path, S_ISDIR(st.st_mode) ? "folder" : "device");
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return read_all(out, fd, path, err);
    void *p = io_map((size_t)st.st_size, fd);
    if (p == MAP_FAILED)
        return ilk_fail_errno(err, ILK_EIO, "cannot map %s", path);
    *out = (ilk_mapping){.p = p, .n = (size_t)st.st_size, .mapped = true};
    return ILK_OK;
}

ilk_status ilk_file_map(ilk_mapping *out, const char *path, ilk_error *err) {
    *out = (ilk_mapping){0};
    int fd = ilk_file_open(path);
    if (fd < 0)
        return ilk_fail_errno(err, ILK_EIO, "cannot open %s", path);
    ilk_status status = map_fd(out, fd, path, err);
    close(fd);
    return status;
}

void ilk_file_unmap(ilk_mapping *m) {
    if (m->mapped)
        munmap((void *)(uintptr_t)m->p, m->n);
    else
        ilk_free((void *)(uintptr_t)m->p);
    *m = (ilk_mapping){0};
}

enum { LARGE = 1 << 19 }; /* a piece that takes the disk longer than asking does */

static ilk_status write_pieces(int fd, const ilk_str *pieces, size_t n, const char *path, ilk_error *err) {
    for (size_t i = 0; i < n; i++) {
        for (size_t done = 0; done < pieces[i].n;) {
            ilk_fault_step("write");
            ssize_t r = io_write(fd, pieces[i].p + done, pieces[i].n - done);
            if (r < 0 && errno == EINTR)
                continue;
            if (r < 0)
                return ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
            done += (size_t)r;
        }
        if (pieces[i].n >= LARGE)
            io_begin_sync(fd);
    }
    return ILK_OK;
}

/* A device or a pipe cannot be replaced: write into it. */
static ilk_status write_directly(const char *path, int flags, const ilk_str *pieces, size_t n, ilk_error *err) {
    int fd = io_open(path, O_WRONLY | flags, 0666);
    if (fd < 0)
        return ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
    ilk_status status = write_pieces(fd, pieces, n, path, err);
    if (close(fd) && status == ILK_OK)
        status = ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
    return status;
}

/* The folder must be synced too, or a crash may undo the rename. Some file systems refuse; that is not our failure. */
static void sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    char *folder = ilk_alloc(n + 2, 1);
    if (!folder)
        return;
    memcpy(folder, path, n);
    memcpy(folder + n, n ? "" : ".", n ? 1 : 2);
    int fd = io_open(folder, O_RDONLY | O_DIRECTORY, 0);
    if (fd >= 0) {
        io_sync(fd);
        close(fd);
    }
    ilk_free(folder);
}

/* A file without a name in the folder of `path`, or -1 where the file system has none: what dies with the process is
 * gone with it, whatever killed it. */
static int open_nameless(const char *path, mode_t mode) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 2;
    char *folder = ilk_alloc(n + 1, 1);
    if (!folder)
        return -1;
    memcpy(folder, slash ? path : "./", n);
    folder[n] = '\0';
    int fd = io_open(folder, O_WRONLY | O_TMPFILE, mode);
    ilk_free(folder);
    return fd;
}

/* Fill the file and make sure that it is on the disk. */
static bool fill(int fd, const struct stat *old, const ilk_str *pieces, size_t n, const char *path, ilk_error *err) {
    if (old)
        fchmod(fd, old->st_mode & 0777); /* the umask took its share; where this fails the file is the more private */
    if (write_pieces(fd, pieces, n, path, err) != ILK_OK)
        return false;
    ilk_fault_step("sync");
    if (io_sync(fd) == 0)
        return true;
    ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
    return false;
}

/* Give a nameless file a name. Where the system does not show its processes (a cell without /proc) there is no way. */
static bool name_it(int fd, const char *temp) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ilk_fault_step("link");
    return io_link(link, temp) == 0;
}

/* Fill a file and move it over path, under the name temp in between. On failure temp is gone and path as it was. `old`
 * is NULL for a new file. *again: try another name, because somebody has this one, or because a nameless file could not
 * be given any, and the next will have one from the start. */
static ilk_status replace(const char *path, const char *temp, const struct stat *old, const ilk_str *pieces, size_t n,
                          bool *may_be_nameless, bool *again, ilk_error *err) {
    mode_t mode = old ? old->st_mode & 0777 : 0666;
    int fd = *may_be_nameless ? open_nameless(path, mode) : -1;
    bool nameless = fd >= 0;
    *again = false;
    if (!nameless)
        fd = io_open(temp, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (fd < 0) {
        *again = errno == EEXIST;
        return ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
    }
    ilk_status status = fill(fd, old, pieces, n, path, err) ? ILK_OK : ILK_EIO;
    if (status == ILK_OK && nameless && !name_it(fd, temp)) {
        *again = true;
        *may_be_nameless = errno == EEXIST;
        status = ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
        close(fd); /* and with it the file; a name that was taken is not ours to remove */
        return status;
    }
    if (close(fd) && status == ILK_OK)
        status = ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
    ilk_fault_step("rename");
    if (status == ILK_OK && io_rename(temp, path))
        status = ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
    ilk_fault_step("renamed");
    if (status == ILK_OK)
        sync_folder(path);
    else
        unlink(temp);
    return status;
}

static ilk_status replace_file(const char *path, const struct stat *old, const ilk_str *pieces, size_t n,
                               ilk_error *err) {
    size_t size = strlen(path) + 32;
    char *temp = ilk_alloc(size, 1);
    if (!temp)
        return ilk_fail_memory(err);
    ilk_status status = ILK_EIO;
    ilk_error why = {0}; /* of a try that may not be the last */
    bool may_be_nameless = true, again = true;
    /* The process id makes the name unique among the living; a dead one's leftover is stepped over. */
    for (int i = 0; again && i < 100; i++) {
        snprintf(temp, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        status = replace(path, temp, old, pieces, n, &may_be_nameless, &again, &why);
    }
    ilk_free(temp);
    if (status != ILK_OK && err)
        *err = why;
    return status;
}

ilk_status ilk_file_write(const char *path, const ilk_str *pieces, size_t n, ilk_error *err) {
    struct stat st;
    if (ilk_fault_in_place())
        return write_directly(path, O_CREAT | O_TRUNC, pieces, n, err);
    if (stat(path, &st))
        return replace_file(path, NULL, pieces, n, err); /* new, or in a folder that is not there: open will say */
    if (S_ISDIR(st.st_mode))
        return ilk_fail(err, ILK_EIO, "cannot write %s: it is a folder", path);
    if (!S_ISREG(st.st_mode))
        return write_directly(path, 0, pieces, n, err);
    /* Through a symbolic link the file is replaced, not the link. */
    char *real = realpath(path, NULL);
    if (!real && errno != ENOENT)
        return ilk_fail_errno(err, ILK_EIO, "cannot write %s", path);
    ilk_status status = replace_file(real ? real : path, &st, pieces, n, err);
    free(real);
    return status;
}

/* ---- locks */

bool ilk_file_is(const char *path, int fd) {
    struct stat named, held;
    return stat(path, &named) == 0 && fstat(fd, &held) == 0 && named.st_dev == held.st_dev &&
           named.st_ino == held.st_ino;
}

static ilk_status lock_fd(int fd, const char *path, ilk_error *err) {
    struct stat st;
    if (fstat(fd, &st))
        return ilk_fail_errno(err, ILK_EIO, "cannot read %s", path);
    if (!S_ISREG(st.st_mode))
        return ilk_fail(err, ILK_EIO, "cannot change %s: not a regular file", path);
    int code;
    while ((code = io_lock(fd)) && errno == EINTR)
        continue;
    return code ? ilk_fail_errno(err, ILK_EIO, "cannot lock %s", path) : ILK_OK;
}

/* Whoever held the lock has probably replaced the file: then the lock is one of a file without a name, and the next one
 * is what to wait for. */
ilk_status ilk_file_lock(int *fd, const char *path, ilk_error *err) {
    for (;;) {
        *fd = io_open(path, O_RDONLY | O_NONBLOCK, 0); /* a pipe without a writer must not hold us */
        if (*fd < 0)
            return ilk_fail_errno(err, ILK_EIO, "cannot open %s", path);
        ilk_status status = lock_fd(*fd, path, err);
        if (status == ILK_OK && ilk_file_is(path, *fd))
            return ILK_OK;
        close(*fd);
        *fd = -1;
        if (status != ILK_OK)
            return status;
    }
}

/* ---- folders */

DIR *ilk_file_open_folder(const char *path) {
    return refused() ? NULL : opendir(path);
}

const struct dirent *ilk_file_next_entry(DIR *dir) {
    errno = 0;
    return refused() ? NULL : readdir(dir);
}

int ilk_file_stat_entry(struct stat *out, DIR *dir, const char *name, bool follow) {
    return refused() ? -1 : fstatat(dirfd(dir), name, out, follow ? 0 : AT_SYMLINK_NOFOLLOW);
}
