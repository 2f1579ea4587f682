/* SPDX-License-Identifier: Apache-2.0
 *
 * replay.c - main of a fuzz target in builds without libFuzzer: runs the target over the empty input and over every
 * file of the given folders, in order of name, and prints TAP. A crash ends it without a plan, and so is noticed.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Of exactly the file's size, so that AddressSanitizer sees a read beyond its end. NULL if it cannot be read. */
static uint8_t *read_all(const char *path, size_t *size) {
    uint8_t *data = NULL;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long end = ftell(f);
        rewind(f);
        if (end >= 0)
            data = malloc((size_t)end + (end == 0));
        if (data != NULL)
            *size = fread(data, 1, (size_t)end, f);
    }
    fclose(f);
    return data;
}

static int replay_file(int number, const char *folder, const char *name) {
    char path[4096];
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    printf("# %s\n", path);
    uint8_t *data = read_all(path, &size);
    if (data != NULL)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    printf("%s %d - %s\n", data == NULL ? "not ok" : "ok", number, name);
    return data == NULL;
}

int main(int argc, char **argv) {
    int number = 1, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* so that a crash still tells what it was about to read */
    uint8_t *nothing = malloc(1);
    if (nothing == NULL)
        return 1;
    LLVMFuzzerTestOneInput(nothing, 0);
    free(nothing);
    puts("ok 1 - empty input");
    for (int i = 1; i < argc; i++) {
        struct dirent **entries = NULL;
        int n = scandir(argv[i], &entries, visible, alphasort);
        for (int j = 0; j < n; j++) {
            failed += replay_file(++number, argv[i], entries[j]->d_name);
            free(entries[j]);
        }
        free(entries);
    }
    printf("1..%d\n", number);
    return failed > 0;
}
