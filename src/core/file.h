/* SPDX-License-Identifier: Apache-2.0 */
/* file.h - the one seam for file I/O: whole files in, whole files out (a test can make any call fail:
 * core/fault.h). */
#ifndef ILK_CORE_FILE_H
#define ILK_CORE_FILE_H

#include "core/error.h"

#include <dirent.h>
#include <sys/stat.h>

/* A file's bytes, mapped if it is a regular file, else read. */
typedef struct ilk_mapping {
    const unsigned char *p;
    size_t n;
    bool mapped; /* else allocated */
} ilk_mapping;

ilk_status ilk_file_map(ilk_mapping *out, const char *path, ilk_error *err);
void ilk_file_unmap(ilk_mapping *m);

/* Write the pieces to `path`, whole or not at all: a temporary file beside it, fsync, rename, fsync of the folder. What
 * is not a regular file (a device, a pipe) is written directly. */
ilk_status ilk_file_write(const char *path, const ilk_str *pieces, size_t n, ilk_error *err);

/* A descriptor to read from, or -1 and errno. */
int ilk_file_open(const char *path);

/* Wait for the lock of a regular file and hold it until *fd is closed. The file is the one that stands at `path` then,
 * not one that was replaced while we waited. *fd is -1 on failure. */
ilk_status ilk_file_lock(int *fd, const char *path, ilk_error *err);
/* Is the file at `path` the one that is open? */
bool ilk_file_is(const char *path, int fd);

/* Read what there is, up to n bytes: at least one, and none at the end. Waits only if there is nothing. */
ilk_status ilk_file_read_some(int fd, void *buf, size_t n, size_t *got, const char *name, ilk_error *err);
/* Read up to n bytes, fewer only at the end (retries what signals interrupt). */
ilk_status ilk_file_read(int fd, void *buf, size_t n, size_t *got, const char *name, ilk_error *err);

/* A folder to list, or NULL and errno; closed by closedir. */
DIR *ilk_file_open_folder(const char *path);
/* Its next entry; NULL with errno 0 at the end, with another on failure. */
const struct dirent *ilk_file_next_entry(DIR *dir);
/* What an entry is, or -1 and errno. */
int ilk_file_stat_entry(struct stat *out, DIR *dir, const char *name, bool follow);

#endif
