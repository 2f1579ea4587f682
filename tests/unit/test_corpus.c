/* SPDX-License-Identifier: Apache-2.0 */
/* test_corpus.c - the seeds of the fuzz targets are still models: a fuzzer that starts from files nobody can open any
 * more finds nothing. fuzz/seeds.sh writes them anew. */
#include "fixtures.h"

#include <dirent.h>

/* Seeds that are broken on purpose. */
static bool is_broken(const char *name) {
    static const char *const broken[] = {"cut", "version_2", "checksums_kept"};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(name, broken[i]) == 0)
            return true;
    return false;
}

/* Notes which families the model at `p` has. */
static void open_seed(const char *name, const unsigned char *p, size_t n, bool *met) {
    ilk_model *m;
    ilk_family_info info;
    ilk_stats *alone = NULL;
    if (ilk_model_read(&m, p, n, &failure) != ILK_OK && ilk_stats_read(&alone, p, n, &failure) != ILK_OK)
        fail_msg("%s: %s; run fuzz/seeds.sh", name, failure.message);
    const ilk_schema *schema = m ? ilk_model_schema(m) : ilk_stats_schema(alone);
    for (size_t j = 0; j < ilk_schema_columns(schema); j++)
        for (size_t i = 0; ilk_schema_column(schema, j)->family && ilk_family_at(i, &info); i++)
            met[i] |= strcmp(ilk_schema_column(schema, j)->family, info.name) == 0;
    ilk_model_free(m);
    ilk_stats_free(alone);
}

/* Every model behind `head` bytes in a folder; in `merge` the first of two ends where the head says. */
static void open_seeds(const char *folder_name, size_t head, bool *met) {
    char path[4096];
    struct dirent *e;
    snprintf(path, sizeof path, "%s/../fuzz/corpus/%s", ILK_TESTS_DIR, folder_name);
    DIR *d = opendir(path);
    assert_non_null(d);
    while ((e = readdir(d))) {
        if (e->d_name[0] == '.' || is_broken(e->d_name))
            continue;
        snprintf(path, sizeof path, "%s/../fuzz/corpus/%s/%s", ILK_TESTS_DIR, folder_name, e->d_name);
        bytes b = read_file(path);
        assert_true(b.n > head);
        size_t first = head == 1 ? b.n - 1 : (size_t)b.p[1] | (size_t)b.p[2] << 8;
        assert_true(first <= b.n - head);
        open_seed(e->d_name, b.p + head, first, met);
        if (b.n > head + first)
            open_seed(e->d_name, b.p + head + first, b.n - head - first, met);
        free(b.p);
    }
    closedir(d);
}

static void seeds__open_and_have_every_family(void **state) {
    (void)state;
    static const char *const folders[] = {"model", "merge"};
    ilk_family_info info;
    for (size_t f = 0; f < 2; f++) {
        bool met[64] = {0};
        open_seeds(folders[f], f ? 3 : 1, met);
        for (size_t i = 0; ilk_family_at(i, &info); i++)
            if (!met[i])
                fail_msg("no seed of %s in fuzz/corpus/%s; add one in fuzz/seeds.sh", info.name, folders[f]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds__open_and_have_every_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
