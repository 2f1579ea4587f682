/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_csv.c - any bytes as a table: opened, inferred, learnt, answered, in blocks so small that every border is met.
 *
 * Besides what sanitizers see: labelled lines are as many in small blocks as in one large one. (Tables need not be:
 * what a header is, is told from the first block.)
 */
#include "data/table.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ilk_status ignore_answers(void *ctx, const ilk_answers *answers, const char *bytes, size_t n, ilk_error *err) {
    (void)ctx, (void)bytes, (void)n, (void)err;
    for (size_t i = 0; i < answers->n; i++)
        ilk_answers_field(answers, i, 0);
    return ILK_OK;
}

static ilk_table *open_bytes(ilk_str bytes, ilk_format format, size_t block_size) {
    ilk_feed feed;
    ilk_table *table = NULL;
    ilk_read_options options;
    ilk_read_options_init(&options);
    options.format = format;
    options.skip_bad_rows = true;
    if (ilk_feed_memory(&feed, &bytes, 1, 5, NULL) != ILK_OK)
        return NULL;
    ilk_table_open_feed(&table, &feed, &options, block_size, NULL);
    return table;
}

static void answer(ilk_str bytes, ilk_format format, size_t block_size, const ilk_stats *stats) {
    const ilk_answer_fns fns = {NULL, ignore_answers, NULL};
    const ilk_run run = {.threads = 1};
    ilk_model *model;
    if (ilk_model_estimate(&model, stats, NULL, NULL) != ILK_OK)
        return;
    ilk_table *table = open_bytes(bytes, format, block_size);
    if (table)
        ilk_table_answer(table, model, &fns, &run, NULL, NULL);
    ilk_table_free(table);
    ilk_model_free(model);
}

/* How many rows were learnt, UINT64_MAX if that failed. The schema, if given, is not inferred. */
static uint64_t learn(ilk_str bytes, ilk_format format, size_t block_size, ilk_schema **schema) {
    const ilk_run run = {.threads = 1};
    ilk_tally tally = {.rows = UINT64_MAX};
    ilk_stats *stats = NULL;
    ilk_table *table = open_bytes(bytes, format, block_size);
    if (table && !*schema)
        ilk_table_schema(schema, table, NULL, NULL, NULL, NULL);
    if (table && *schema && ilk_stats_new(&stats, *schema, NULL) == ILK_OK) {
        if (ilk_table_learn(stats, table, &run, &tally, NULL) != ILK_OK)
            tally.rows = UINT64_MAX;
        else
            answer(bytes, format, block_size, stats);
    }
    ilk_stats_free(stats);
    ilk_table_free(table);
    return tally.rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ilk_format formats[] = {ILK_FORMAT_AUTO, ILK_FORMAT_CSV, ILK_FORMAT_TSV, ILK_FORMAT_LINES};
    if (size < 2)
        return 0;
    /* The first byte chooses the format, the second the size of blocks; the rest is the file. */
    ilk_format format = formats[data[0] % 4];
    size_t block_size = 1 + data[1] % 64;
    ilk_str bytes = {(const char *)data + 2, size - 2};
    ilk_schema *schema = NULL;
    uint64_t large = learn(bytes, format, ILK_BLOCK_SIZE, &schema);
    uint64_t small = schema ? learn(bytes, format, block_size, &schema) : large;
    if (format == ILK_FORMAT_LINES && small != large) {
        fprintf(stderr, "%llu rows in small blocks, %llu in a large one\n", (unsigned long long)small,
                (unsigned long long)large);
        abort();
    }
    ilk_schema_free(schema);
    return 0;
}
