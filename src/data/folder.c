/* SPDX-License-Identifier: Apache-2.0 */
/* folder.c - walking folders, without recursion and with one of them open at a time. */
#include "data/folder.h"
#include "core/file.h"
#include "core/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ilk_folder_free(ilk_folder *f) {
    for (size_t i = 0; i < f->n; i++)
        ilk_free(f->path[i]);
    ilk_free(f->path);
    ilk_free(f->root);
    *f = (ilk_folder){0};
}

ilk_str ilk_folder_class(const ilk_folder *f, size_t i) {
    const char *inside = f->path[i] + f->root[i];
    inside += *inside == '/';
    const char *slash = strchr(inside, '/');
    return (ilk_str){inside, slash ? (size_t)(slash - inside) : 0};
}

/* Append folder/name. */
static ilk_status add(ilk_folder *f, const char *folder, const char *name, size_t root) {
    size_t n = strlen(folder), m = strlen(name);
    bool slash = n > 0 && folder[n - 1] != '/';
    if (ilk_grow(&f->path, &f->cap, f->n + 1, sizeof *f->path) ||
        ilk_grow(&f->root, &f->root_cap, f->n + 1, sizeof *f->root))
        return ILK_ENOMEM;
    char *path = ilk_alloc(n + slash + m + 1, 1);
    if (!path)
        return ILK_ENOMEM;
    memcpy(path, folder, n);
    if (slash)
        path[n] = '/';
    memcpy(path + n + slash, name, m + 1);
    f->path[f->n] = path;
    f->root[f->n++] = root;
    return ILK_OK;
}

typedef enum entry_kind { OTHER, DOCUMENT, FOLDER, UNREADABLE } entry_kind;

/* A link is what it leads to, unless that is a folder. The file system mostly tells the kind with the name. */
static entry_kind kind_of(DIR *dir, const struct dirent *entry) {
    struct stat st;
    if (entry->d_type == DT_REG)
        return DOCUMENT;
    if (entry->d_type == DT_DIR)
        return FOLDER;
    if (ilk_file_stat_entry(&st, dir, entry->d_name, false))
        return UNREADABLE;
    if (S_ISDIR(st.st_mode))
        return FOLDER;
    if (S_ISLNK(st.st_mode) && ilk_file_stat_entry(&st, dir, entry->d_name, true))
        return UNREADABLE;
    return S_ISREG(st.st_mode) ? DOCUMENT : OTHER;
}

/* One entry of a folder: a document to `found`, a folder to `waiting`. */
static ilk_status sort_in(ilk_folder *found, ilk_folder *waiting, DIR *dir, const struct dirent *entry,
                          const char *folder, size_t root, ilk_error *err) {
    if (entry->d_name[0] == '.')
        return ILK_OK;
    entry_kind kind = kind_of(dir, entry);
    if (kind == UNREADABLE)
        return ilk_fail_errno(err, ILK_EIO, "cannot open %s/%s", folder, entry->d_name);
    if (kind != OTHER && add(kind == FOLDER ? waiting : found, folder, entry->d_name, root) != ILK_OK)
        return ilk_fail_memory(err);
    return ILK_OK;
}

static ilk_status list_one(ilk_folder *found, ilk_folder *waiting, const char *folder, size_t root, ilk_error *err) {
    DIR *dir = ilk_file_open_folder(folder);
    if (!dir)
        return ilk_fail_errno(err, ILK_EIO, "cannot open %s", folder);
    ilk_status status = ILK_OK;
    const struct dirent *entry;
    while (status == ILK_OK && (entry = ilk_file_next_entry(dir)))
        status = sort_in(found, waiting, dir, entry, folder, root, err);
    if (status == ILK_OK && errno)
        status = ilk_fail_errno(err, ILK_EIO, "cannot read %s", folder);
    closedir(dir);
    return status;
}

static int by_bytes(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All below one root. */
static ilk_status walk(ilk_folder *found, const char *root, ilk_error *err) {
    size_t first = found->n, length = strlen(root);
    ilk_folder waiting = {0};
    ilk_status status = list_one(found, &waiting, root, length, err);
    while (status == ILK_OK && waiting.n > 0) {
        char *folder = waiting.path[--waiting.n];
        status = list_one(found, &waiting, folder, length, err);
        ilk_free(folder);
    }
    ilk_folder_free(&waiting);
    if (status == ILK_OK && found->n == first)
        return ilk_fail(err, ILK_EDATA, "%s: no documents in this folder", root);
    if (status == ILK_OK)
        qsort(found->path + first, found->n - first, sizeof *found->path, by_bytes);
    return status;
}

ilk_status ilk_folder_list(ilk_folder *out, const char *const *roots, size_t n, ilk_error *err) {
    *out = (ilk_folder){0};
    ilk_status status = ILK_OK;
    for (size_t i = 0; i < n && status == ILK_OK; i++)
        status = walk(out, roots[i], err);
    if (status != ILK_OK)
        ilk_folder_free(out);
    return status;
}
