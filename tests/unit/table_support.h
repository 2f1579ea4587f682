/* SPDX-License-Identifier: Apache-2.0 */
/* table_support.h - tables from strings, for the tests of tables and of passes over them. */
#ifndef ILK_TESTS_TABLE_SUPPORT_H
#define ILK_TESTS_TABLE_SUPPORT_H

#include "support.h"

#include "core/buffer.h"
#include "data/table.h"

#include <string.h>

static inline ilk_str str(const char *s) {
    return (ilk_str){s, strlen(s)};
}

static const char tennis[] = "Day,Outlook,Temperature,Humidity,Wind,PlayTennis\n"
                             "D1,Sunny,Hot,High,Weak,No\nD2,Sunny,Hot,High,Strong,No\nD3,Overcast,Hot,High,Weak,Yes\n"
                             "D4,Rain,Mild,High,Weak,Yes\nD5,Rain,Cool,Normal,Weak,Yes\nD6,Rain,Cool,Normal,Strong,No\n"
                             "D7,Overcast,Cool,Normal,Strong,Yes\nD8,Sunny,Mild,High,Weak,No\n"
                             "D9,Sunny,Cool,Normal,Weak,Yes\nD10,Rain,Mild,Normal,Weak,Yes\n"
                             "D11,Sunny,Mild,Normal,Strong,Yes\nD12,Overcast,Mild,High,Strong,Yes\n"
                             "D13,Overcast,Hot,Normal,Weak,Yes\nD14,Rain,Mild,High,Strong,No\n";

/* Several strings as one table, read seven bytes at a time. */
static inline ilk_status open_parts(ilk_table **out, const ilk_str *parts, size_t n, const ilk_read_options *options,
                                    size_t block_size, ilk_error *err) {
    ilk_feed feed;
    ilk_read_options defaults;
    ilk_read_options_init(&defaults);
    *out = NULL;
    ilk_status status = ilk_feed_memory(&feed, parts, n, 7, err);
    return status == ILK_OK ? ilk_table_open_feed(out, &feed, options ? options : &defaults, block_size, err) : status;
}

static inline ilk_table *open_text(const char *text, const ilk_read_options *options) {
    ilk_str part = str(text);
    ilk_table *table;
    ilk_error err = {0};
    if (open_parts(&table, &part, 1, options, 4096, &err) != ILK_OK)
        fail_msg("%s", err.message);
    return table;
}

/* Append a line. Also an ilk_note_fn. */
static inline void add_line(void *ctx, const char *line) {
    ilk_buffer *text = ctx;
    assert_int_equal(ilk_buffer_add(text, line, strlen(line)), ILK_OK);
    assert_int_equal(ilk_buffer_add(text, "\n", 1), ILK_OK);
}

/* How to read, learn and estimate. */
typedef struct setting {
    ilk_read_options read;
    ilk_plan plan;
    ilk_options estimate;
    size_t block_size, threads;
} setting;

static inline setting usual(void) {
    setting s = {.block_size = 64, .threads = 2};
    ilk_read_options_init(&s.read);
    ilk_plan_init(&s.plan);
    ilk_options_init(&s.estimate);
    return s;
}

static inline ilk_status learn_parts(ilk_stats **out, const ilk_str *parts, size_t n, const setting *s,
                                     ilk_tally *tally, ilk_error *err) {
    ilk_table *table;
    ilk_schema *schema = NULL;
    *out = NULL;
    ilk_status status = open_parts(&table, parts, n, &s->read, s->block_size, err);
    if (status == ILK_OK)
        status = ilk_table_schema(&schema, table, &s->plan, NULL, NULL, err);
    if (status == ILK_OK)
        status = ilk_stats_new(out, schema, err);
    if (status == ILK_OK)
        status = ilk_table_learn(*out, table, &(ilk_run){.threads = s->threads}, tally, err);
    if (status != ILK_OK) {
        ilk_stats_free(*out);
        *out = NULL;
    }
    ilk_schema_free(schema);
    ilk_table_free(table);
    return status;
}

static inline ilk_model *learn_model(const char *text, const setting *s, ilk_tally *tally) {
    ilk_str part = str(text);
    ilk_error err = {0};
    ilk_stats *stats;
    ilk_model *model = NULL;
    if (learn_parts(&stats, &part, 1, s, tally, &err) != ILK_OK ||
        ilk_model_estimate(&model, stats, &s->estimate, &err) != ILK_OK)
        fail_msg("%s", err.message);
    ilk_stats_free(stats);
    return model;
}

#endif
