/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - checks on the file to be written. They save time, no more: the writing itself checks everything again. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const struct stat *file, const char *path) {
    struct stat other;
    return path && stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

/* The data, or what else the options name to be read. */
static bool is_read(const struct stat *file, const cli_settings *s, const cli_list *inputs) {
    for (size_t i = 0; i < inputs->n; i++)
        if (is_file(file, inputs->item[i]))
            return true;
    return is_file(file, s->plan.stop) || is_file(file, s->plan.dictionary) || is_file(file, s->like);
}

/* The folder that holds `path`; the caller frees it. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    char *folder = cli_alloc(n + 2, 1);
    memcpy(folder, path, n);
    strcpy(folder + n, n ? "" : ".");
    return folder;
}

/* A regular file is replaced by a new one, so its folder must let us write; anything else is opened itself. */
static int refusal(const char *path, const struct stat *file) {
    if (file && S_ISDIR(file->st_mode))
        return EISDIR;
    if (file && !S_ISREG(file->st_mode))
        return access(path, W_OK) == 0 ? 0 : errno;
    char *folder = folder_of(path);
    int code = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return code;
}

int output_check(const cli_settings *settings, const char *command, const cli_list *inputs) {
    const char *path = settings->output;
    if (!path) {
        cli_error("%s needs -o FILE, the model to write", command);
        return CLI_USAGE;
    }
    if (strcmp(path, "-") == 0) {
        cli_error("-o -: a model is not written to standard output (./- is a file of that name)");
        return CLI_USAGE;
    }
    struct stat file;
    bool exists = stat(path, &file) == 0;
    if (exists && S_ISREG(file.st_mode) && is_read(&file, settings, inputs)) {
        cli_error("%s is to be read and cannot be written too", path);
        return CLI_USAGE;
    }
    int refused = refusal(path, exists ? &file : NULL);
    if (refused)
        cli_error("cannot write %s: %s", path, strerror(refused));
    return refused ? CLI_FAILED : CLI_DONE;
}
