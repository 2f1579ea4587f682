/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_merge.c - any bytes as two files whose statistics, with a model or alone, are merged, into each other, into
 * themselves and into statistics that were learnt here: refused and nothing changed, or all rows are there, and what is
 * estimated from them answers without NaN, can be saved, and can be opened again.
 *
 * Input: one byte, whose lowest bit asks for checksums made right first; two bytes, the size of the first file; the
 * first file; the second (none: the first again). */
#include "../tests/unit/hostile.h"

#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the seeds know, so that rows have values and words of theirs. */
static const char *const known[] = {"u", "v", "w", "a", "b", "c", "1", "0", "x", "y", ""};
enum { KNOWN = sizeof known / sizeof *known };

#define HOLDS(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                                                 \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static ilk_str str(const char *s) {
    return (ilk_str){s, strlen(s)};
}

/* The statistics in a file, or NULL. */
static ilk_stats *open_stats(const uint8_t *data, size_t n, bool repair) {
    ilk_stats *stats = NULL;
    unsigned char *file = malloc(n + (n == 0)); /* of exactly that size, and to be written to */
    if (!file)
        return NULL;
    memcpy(file, data, n);
    if (repair)
        hostile_repair(file, n);
    ilk_stats_read(&stats, file, n, NULL);
    free(file);
    return stats;
}

/* Two rows of the classes "a" and "b" for any schema. NULL if there is no memory or a family takes no such number. */
static ilk_stats *learn_two(const ilk_schema *schema) {
    static const size_t begin[] = {0, 1, 2};
    static const uint32_t one[] = {1, 1};
    size_t reals = ilk_schema_width(schema, ILK_REAL), codes = ilk_schema_width(schema, ILK_CATEGORY),
           texts = ilk_schema_width(schema, ILK_TEXT);
    double *real = calloc(2 * reals + 1, sizeof *real);
    uint32_t *code = calloc(2 * codes + 1, sizeof *code), *id = calloc(2 * texts + 1, sizeof *id), label[2];
    ilk_tokens *text = calloc(texts + 1, sizeof *text);
    ilk_stats *s = NULL;
    bool good = real && code && id && text && ilk_stats_new(&s, schema, NULL) == ILK_OK;
    for (size_t i = 0; good && i < 2; i++) {
        good = ilk_stats_class(&label[i], s, str(i ? "b" : "a"), NULL) == ILK_OK;
        for (size_t j = 0; good && j < reals; j++)
            real[i * reals + j] = (double)(i + j % 3);
        for (size_t j = 0; good && j < codes; j++)
            good = ilk_stats_code(&code[i * codes + j], s, j, str(i ? "u" : "z"), NULL) == ILK_OK;
        for (size_t j = 0; good && j < texts; j++)
            good = ilk_stats_word(&id[2 * j + i], s, j, str(i ? "a" : "z"), NULL) == ILK_OK;
    }
    for (size_t j = 0; good && j < texts; j++)
        text[j] = (ilk_tokens){begin, id + 2 * j, one, NULL};
    ilk_rows rows = {.n = 2, .real = real, .code = code, .text = text, .label = label};
    if (!good || ilk_stats_add(s, &rows, NULL) != ILK_OK) {
        ilk_stats_free(s);
        s = NULL;
    }
    free(real);
    free(code);
    free(id);
    free(text);
    return s;
}

/* With its model, or alone. */
static void save_and_open(const ilk_model *m, const ilk_stats *s) {
    char path[64];
    ilk_model *again = NULL;
    ilk_stats *stats = NULL;
    ilk_error err = {0};
    snprintf(path, sizeof path, "/dev/shm/ilk-fuzz-%ld", (long)getpid());
    if ((m ? ilk_model_save(m, s, path, NULL) : ilk_stats_save(s, NULL, path, NULL)) != ILK_OK)
        return;
    bool opened = (!m || ilk_model_open(&again, path, &err) == ILK_OK) && ilk_stats_open(&stats, path, &err) == ILK_OK;
    unlink(path);
    if (!opened)
        fprintf(stderr, "%s\n", err.message);
    HOLDS(opened || err.status == ILK_ENOMEM);
    HOLDS(!opened || ilk_stats_rows(stats) == ilk_stats_rows(s));
    ilk_stats_free(stats);
    ilk_model_free(again);
}

static void estimate(const ilk_stats *s, const ilk_options *options) {
    ilk_model *m;
    save_and_open(NULL, s);
    if (ilk_model_estimate(&m, s, options, NULL) != ILK_OK)
        return;
    HOLDS(hostile_exercise(m, known, KNOWN));
    save_and_open(m, s);
    ilk_model_free(m);
}

static bool about(double a, double b) {
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

/* Nothing or all. */
static void merge(ilk_stats *into, const ilk_stats *from, const ilk_options *options) {
    double before = ilk_stats_rows(into), more = ilk_stats_rows(from);
    size_t classes = ilk_stats_classes(into);
    if (ilk_stats_merge(into, from, NULL) != ILK_OK) {
        HOLDS(ilk_stats_rows(into) == before && ilk_stats_classes(into) == classes);
        return;
    }
    HOLDS(about(ilk_stats_rows(into), before + more) && ilk_stats_classes(into) >= classes);
    estimate(into, options);
    double after = ilk_stats_rows(into);
    bool gone = into != from && ilk_stats_subtract(into, from, NULL) == ILK_OK;
    HOLDS(gone ? about(ilk_stats_rows(into) + more, after) : ilk_stats_rows(into) == after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3)
        return 0;
    bool repair = data[0] & 1;
    size_t first = (size_t)data[1] | (size_t)data[2] << 8;
    data += 3;
    size -= 3;
    first = first < size ? first : size;
    ilk_stats *a = open_stats(data, first, repair);
    ilk_stats *b = size > first ? open_stats(data + first, size - first, repair) : open_stats(data, first, repair);
    ilk_stats *fixed = a ? learn_two(ilk_stats_schema(a)) : NULL;
    if (a && b)
        merge(a, b, ilk_stats_options(a));
    if (fixed)
        merge(fixed, a, ilk_stats_options(a));
    if (b)
        merge(b, b, NULL);
    ilk_stats_free(fixed);
    ilk_stats_free(a);
    ilk_stats_free(b);
    return 0;
}
