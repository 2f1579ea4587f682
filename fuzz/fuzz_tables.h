/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_tables.h - any bytes as a table of some format: opened, inferred, learnt, with a column of weights or without,
 * left out row by row, answered, in blocks so small that every border is met. What the fuzz targets of the readers
 * share.
 *
 * Besides what sanitizers see: where that is asked for, rows are as many in small blocks as in one large one, and the
 * figures of leave-one-out are ones that there can be. */
#ifndef ILK_FUZZ_TABLES_H
#define ILK_FUZZ_TABLES_H

#include "data/table.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SAMPLE = 12, LARGE = 1 << 16 }; /* rows kept for leave-one-out; bytes of a block beyond any input */

/* How the bytes are read. */
typedef struct reading reading;
struct reading {
    ilk_str bytes;
    ilk_format format;
    const char *weights;                                     /* the column of weights, or NULL */
    bool same;                                               /* as many rows in blocks of any size */
    ilk_table *(*open)(const reading *r, size_t block_size); /* NULL: as a file */
};

static inline ilk_status ignore_answers(void *ctx, const ilk_answers *answers, const char *bytes, size_t n,
                                        ilk_error *err) {
    (void)ctx, (void)bytes, (void)n, (void)err;
    for (size_t i = 0; i < answers->n; i++)
        ilk_answers_field(answers, i, 0);
    return ILK_OK;
}

static inline ilk_table *open_bytes(const reading *r, size_t block_size) {
    if (r->open)
        return r->open(r, block_size);
    ilk_feed feed;
    ilk_table *table = NULL;
    ilk_read_options options;
    ilk_read_options_init(&options);
    options.format = r->format;
    options.skip_bad_rows = true;
    options.columns = 40; /* every index is a word: a million of them would only be slow */
    if (ilk_feed_memory(&feed, &r->bytes, 1, 5, NULL) != ILK_OK)
        return NULL;
    ilk_table_open_feed(&table, &feed, &options, block_size, NULL);
    return table;
}

static inline void answer(const reading *r, size_t block_size, const ilk_model *model) {
    const ilk_answer_fns fns = {NULL, ignore_answers, NULL};
    const ilk_run run = {.threads = 1};
    ilk_table *table = open_bytes(r, block_size);
    if (table)
        ilk_table_answer(table, model, &fns, &run, NULL, NULL);
    ilk_table_free(table);
}

/* Shares are shares, and losses not negative; all NaN where no row was answered. */
static inline void leave_one_out(const ilk_table *table, const ilk_model *model) {
    ilk_loo loo;
    if (ilk_table_leave_one_out(&loo, table, model, 1, NULL) != ILK_OK)
        return;
    bool none = isnan(loo.accuracy) && isnan(loo.log_loss);
    if (loo.n > SAMPLE || (!none && !(loo.accuracy >= 0 && loo.accuracy <= 1 && loo.log_loss >= 0))) {
        fprintf(stderr, "leave-one-out of %llu rows: accuracy %g, log-loss %g\n", (unsigned long long)loo.n,
                loo.accuracy, loo.log_loss);
        abort();
    }
}

/* How many rows were learnt, UINT64_MAX if that failed. The schema, if given, is not inferred. */
static inline uint64_t learn(const reading *r, size_t block_size, ilk_schema **schema) {
    const ilk_run run = {.threads = 1, .sample = SAMPLE, .seed = 1};
    ilk_tally tally = {.rows = UINT64_MAX};
    ilk_stats *stats = NULL;
    ilk_model *model;
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.weights = r->weights;
    ilk_table *table = open_bytes(r, block_size);
    if (table && !*schema)
        ilk_table_schema(schema, table, &plan, NULL, NULL, NULL);
    if (table && *schema && ilk_stats_new(&stats, *schema, NULL) == ILK_OK) {
        if (ilk_table_learn(stats, table, &run, &tally, NULL) != ILK_OK) {
            tally.rows = UINT64_MAX;
        } else if (ilk_model_estimate(&model, stats, NULL, NULL) == ILK_OK) {
            leave_one_out(table, model);
            answer(r, block_size, model);
            ilk_model_free(model);
        }
    }
    ilk_stats_free(stats);
    ilk_table_free(table);
    return tally.rows;
}

static inline void fuzz_table(const reading *r, size_t block_size) {
    ilk_schema *schema = NULL;
    uint64_t large = learn(r, LARGE, &schema);
    uint64_t small = schema ? learn(r, block_size, &schema) : large;
    if (r->same && small != large) {
        fprintf(stderr, "%llu rows in small blocks, %llu in a large one\n", (unsigned long long)small,
                (unsigned long long)large);
        abort();
    }
    ilk_schema_free(schema);
}

/* A target of one format: the first byte is the size of blocks, the rest the file. */
static inline int fuzz_format(const uint8_t *data, size_t size, ilk_format format) {
    if (size > 0) {
        const reading r = {.bytes = {(const char *)data + 1, size - 1}, .format = format, .same = true};
        fuzz_table(&r, 4 + data[0] % 61); /* room for a byte order mark */
    }
    return 0;
}

#endif
