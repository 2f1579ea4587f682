/* SPDX-License-Identifier: Apache-2.0 */
/* lock.c - one change of a model file at a time.
 *
 * Files are replaced, never written in place, so what is locked is the file that stood at the path when the lock was
 * taken; readers need none. */
#include "core/file.h"
#include "core/memory.h"

#include <string.h>
#include <unistd.h>

struct ilk_lock {
    int fd;
    char path[];
};

ilk_status ilk_model_lock(ilk_lock **out, const char *path, ilk_error *err) {
    size_t size = strlen(path) + 1;
    *out = ilk_alloc(1, sizeof **out + size);
    if (!*out)
        return ilk_fail_memory(err);
    memcpy((*out)->path, path, size);
    ilk_status status = ilk_file_lock(&(*out)->fd, path, err);
    if (status != ILK_OK) {
        ilk_lock_free(*out);
        *out = NULL;
    }
    return status;
}

ilk_status ilk_lock_check(const ilk_lock *lock, ilk_error *err) {
    return ilk_file_is(lock->path, lock->fd)
               ? ILK_OK
               : ilk_fail(err, ILK_EIO, "%s was replaced or removed meanwhile; it is left as it is", lock->path);
}

void ilk_lock_free(ilk_lock *lock) {
    if (!lock)
        return;
    if (lock->fd >= 0)
        close(lock->fd);
    ilk_free(lock);
}
