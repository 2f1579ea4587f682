/* SPDX-License-Identifier: Apache-2.0 */
/* folder.h - folders of documents: which files they hold, and of which class each is. */
#ifndef ILK_DATA_FOLDER_H
#define ILK_DATA_FOLDER_H

#include "core/error.h"

/* The documents below some folders, folder by folder, in the order of the bytes of their paths. */
typedef struct ilk_folder {
    char **path;  /* n, owned */
    size_t *root; /* n: length of the folder's own path, to which "/CLASS/…/NAME" or "/NAME" was added */
    size_t n, cap, root_cap;
} ilk_folder;

/* Hidden files, and folders behind symbolic links, are left out, so that no link leads in a circle. Nothing is opened
 * but folders. ILK_EIO names what cannot be read; ILK_EDATA: a folder without documents. */
ilk_status ilk_folder_list(ilk_folder *out, const char *const *roots, size_t n, ilk_error *err);
void ilk_folder_free(ilk_folder *folder);

/* The class of document i: the name of the folder below the root, empty if it lies in the root itself. */
ilk_str ilk_folder_class(const ilk_folder *folder, size_t i);

#endif
