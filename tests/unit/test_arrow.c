/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow.c - tables from the Arrow C data interface: arrays made by hand, of all types, with nulls and offsets;
 * what was handed over is released once, whatever happens. */
#include "table_support.h"

#include "core/fault.h"

#include <errno.h>
#include <math.h>

enum { COLUMNS = 8 };

/* A producer whose buffers stand here. It counts what is released, and fails when it is told to. */
typedef struct producer {
    struct ArrowSchema type[COLUMNS], words_type, *type_of[COLUMNS];
    struct ArrowArray column[COLUMNS], words, *column_of[COLUMNS];
    const void *buffers[COLUMNS][3], *words_buffers[3], *root_buffers[1];
    int64_t columns, length, offset; /* of a batch */
    int batches, given, fail_at;     /* fail_at: -1 never, 0 the schema, n the n-th batch */
    int made, released, streams;
} producer;

static void release_schema(struct ArrowSchema *s) {
    ((producer *)s->private_data)->released++;
    s->release = NULL;
}

static void release_array(struct ArrowArray *a) {
    ((producer *)a->private_data)->released++;
    a->release = NULL;
}

static void release_stream(struct ArrowArrayStream *s) {
    ((producer *)s->private_data)->streams++;
    s->release = NULL;
}

static int get_schema(struct ArrowArrayStream *s, struct ArrowSchema *out) {
    producer *p = s->private_data;
    if (p->fail_at == 0)
        return EIO;
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .n_children = p->columns,
                                .children = p->type_of,
                                .release = release_schema,
                                .private_data = p};
    p->made++;
    return 0;
}

static int get_next(struct ArrowArrayStream *s, struct ArrowArray *out) {
    producer *p = s->private_data;
    *out = (struct ArrowArray){0};
    if (p->given + 1 == p->fail_at)
        return EIO;
    if (p->given++ == p->batches)
        return 0;
    *out = (struct ArrowArray){.length = p->length,
                               .offset = p->offset,
                               .n_buffers = 1,
                               .buffers = p->root_buffers,
                               .n_children = p->columns,
                               .children = p->column_of,
                               .release = release_array,
                               .private_data = p};
    p->made++;
    return 0;
}

static const char *last_error(struct ArrowArrayStream *s) {
    (void)s;
    return "the disk is on fire";
}

static struct ArrowArrayStream stream_of(producer *p) {
    return (struct ArrowArrayStream){get_schema, get_next, last_error, release_stream, p};
}

static void add_column(producer *p, const char *name, const char *format, int64_t length, const void *valid,
                       const void *values, const void *bytes) {
    int64_t j = p->columns++;
    bool text = format[0] == 'u' || format[0] == 'U';
    p->type[j] = (struct ArrowSchema){.format = format, .name = name};
    p->type_of[j] = &p->type[j];
    p->buffers[j][0] = valid;
    p->buffers[j][1] = values;
    p->buffers[j][2] = bytes;
    p->column[j] = (struct ArrowArray){.length = length,
                                       .null_count = valid ? -1 : 0,
                                       .n_buffers = text               ? 3
                                                    : format[0] == 'n' ? 0
                                                                       : 2,
                                       .buffers = p->buffers[j]};
    p->column_of[j] = &p->column[j];
}

/* ---- a table of twelve rows, two of them before the begin of the batch */

static const double x[] = {99, 98, 1.5, 2.25, 3, 0.1, 5e-324, 7, 8, NAN, 10, 11.5};
static const int32_t city_index[] = {0, 0, 0, 1, 2, 1, 0, 2, 1, 0, 1, 0};
static const int32_t city_offset[] = {0, 4, 8, 13}, label_offset[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const char cities[] = "RomeOsloParis", labels[] = "pqpqpqpqpq";
static const uint8_t x_valid[] = {0xFF, 0xFE}, city_valid[] = {0x7F, 0xFF}; /* row 8 has no x, row 7 no city */
static const uint8_t count[] = {9, 9, 1, 2, 3, 200, 5, 6, 7, 8, 9, 10};

static const char same_csv[] = "x,city,n,class\n1.5,Rome,1,p\n2.25,Oslo,2,q\n3,Paris,3,p\n0.1,Oslo,200,q\n"
                               "5e-324,Rome,5,p\n7,,6,q\n,Oslo,7,p\n,Rome,8,q\n10,Oslo,9,p\n11.5,Rome,10,q\n";

static producer places(void) {
    return (producer){.fail_at = -1, .batches = 1};
}

/* Pointers point into *p, so it is filled where it stands. */
static struct ArrowArrayStream make_places(producer *p) {
    *p = places();
    p->length = 10;
    p->offset = 2;
    add_column(p, "x", "g", 12, x_valid, x, NULL);
    add_column(p, "city", "i", 12, city_valid, city_index, NULL);
    add_column(p, "n", "C", 12, NULL, count, NULL);
    add_column(p, "class", "u", 12, NULL, label_offset, labels);
    p->words_buffers[1] = city_offset;
    p->words_buffers[2] = cities;
    p->words = (struct ArrowArray){.length = 3, .n_buffers = 3, .buffers = p->words_buffers};
    p->words_type = (struct ArrowSchema){.format = "u"};
    p->type[1].dictionary = &p->words_type;
    p->column[1].dictionary = &p->words;
    return stream_of(p);
}

static void assert_released(const producer *p) {
    assert_int_equal(p->streams, 1);
    assert_int_equal(p->released, p->made);
}

static ilk_status learn_arrow(ilk_stats **out, struct ArrowArrayStream *stream, size_t threads, ilk_loo *loo,
                              ilk_error *err) {
    ilk_table *table;
    ilk_schema *schema = NULL;
    ilk_model *model = NULL;
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.family = (const char *[]){"x=gaussian"};
    plan.families = 1;
    *out = NULL;
    ilk_status status = ilk_table_from_arrow(&table, stream, NULL, err);
    assert_null(stream->release);
    if (status == ILK_OK)
        status = ilk_table_schema(&schema, table, &plan, NULL, NULL, err);
    if (status == ILK_OK)
        status = ilk_stats_new(out, schema, err);
    if (status == ILK_OK)
        status = ilk_table_learn(*out, table, &(ilk_run){.threads = threads, .sample = 5}, NULL, err);
    if (status == ILK_OK)
        status = ilk_model_estimate(&model, *out, NULL, err);
    if (status == ILK_OK && loo)
        status = ilk_table_leave_one_out(loo, table, model, threads, err);
    if (status != ILK_OK) {
        ilk_stats_free(*out);
        *out = NULL;
    }
    ilk_model_free(model);
    ilk_schema_free(schema);
    ilk_table_free(table);
    return status;
}

/* ---- reading */

/* Every field of every row as text, and its log-joints. */
static ilk_status keep_answers(void *ctx, const ilk_answers *a, const char *bytes, size_t n, ilk_error *err) {
    ilk_buffer *out = ctx;
    (void)bytes, (void)n, (void)err;
    for (size_t i = 0; i < a->n; i++) {
        for (size_t j = 0; j < 4; j++) {
            ilk_str field = ilk_answers_field(a, i, j);
            assert_int_equal(ilk_buffer_add(out, field.p, field.n), ILK_OK);
            assert_int_equal(ilk_buffer_add(out, "|", 1), ILK_OK);
        }
        assert_int_equal(ilk_buffer_add(out, a->log_joint + i * a->K, a->K * sizeof *a->log_joint), ILK_OK);
    }
    return ILK_OK;
}

static ilk_buffer answers(const ilk_model *model, ilk_table *table) {
    ilk_buffer out = {0};
    ilk_error err = {0};
    if (ilk_table_answer(table, model, &(ilk_answer_fns){NULL, keep_answers, &out}, NULL, NULL, &err) != ILK_OK)
        fail_msg("%s", err.message);
    ilk_table_free(table);
    return out;
}

static void arrow__is_the_same_as_csv(void **state) {
    (void)state;
    producer p;
    ilk_error err = {0};
    ilk_stats *stats;
    ilk_model *model;
    ilk_loo loo;
    ilk_table *table;
    setting s = usual();
    s.block_size = 4096;
    struct ArrowArrayStream stream = make_places(&p);
    if (learn_arrow(&stats, &stream, 1, &loo, &err) != ILK_OK)
        fail_msg("%s", err.message);
    assert_released(&p);
    assert_int_equal(loo.n, 5);
    assert_int_equal(ilk_model_estimate(&model, stats, NULL, NULL), ILK_OK);
    ilk_model *from_csv = learn_model(same_csv, &s, NULL);
    stream = make_places(&p);
    assert_int_equal(ilk_table_from_arrow(&table, &stream, NULL, NULL), ILK_OK);
    ilk_buffer a = answers(model, table), b = answers(from_csv, open_text(same_csv, NULL));
    assert_released(&p);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
    ilk_buffer_free(&a);
    ilk_buffer_free(&b);
    ilk_model_free(from_csv);
    ilk_model_free(model);
    ilk_stats_free(stats);
}

static void arrow__many_batches_are_one_table(void **state) {
    (void)state;
    for (size_t threads = 1; threads < 4; threads++) {
        producer p;
        ilk_error err = {0};
        ilk_stats *stats;
        struct ArrowArrayStream stream = make_places(&p);
        p.batches = 20000; /* more than a block, and more than is looked at */
        assert_int_equal(learn_arrow(&stats, &stream, threads, NULL, &err), ILK_OK);
        assert_true(ilk_stats_rows(stats) == 200000);
        assert_released(&p);
        ilk_stats_free(stats);
    }
}

/* One column of a type, as the text of its three values. */
static void assert_read(const char *format, const void *values, const void *bytes, const char *expected) {
    static const uint8_t valid[] = {0x0D}; /* the second of four is null */
    static const int32_t label[] = {0, 1, 2, 3, 4};
    producer p = {.fail_at = -1, .batches = 1, .length = 4};
    ilk_table *table;
    ilk_error err = {0};
    char line[256] = "";
    ilk_str fields[2];
    ilk_parser parser = {0};
    add_column(&p, "v", format, 4, valid, values, bytes);
    add_column(&p, "class", "u", 4, NULL, label, "abab");
    struct ArrowArrayStream stream = stream_of(&p);
    if (ilk_table_from_arrow(&table, &stream, NULL, &err) != ILK_OK)
        fail_msg("%s", err.message);
    assert_int_equal(ilk_parser_start(&parser, &table->source.dialect, ilk_text_block_rest(&table->ahead[0]), 1),
                     ILK_OK);
    while (ilk_parser_row(&parser, fields, 2) == ILK_ROW)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%.*s|", (int)fields[0].n, fields[0].p);
    assert_string_equal(line, expected);
    ilk_parser_free(&parser);
    ilk_table_free(table);
    assert_released(&p);
}

static void arrow__types_are_read(void **state) {
    (void)state;
    assert_read("n", NULL, NULL, "||||");
    assert_read("b", (const uint8_t[]){0x09}, NULL, "true||false|true|");
    assert_read("c", (const int8_t[]){-128, 0, 1, 127}, NULL, "-128||1|127|");
    assert_read("C", (const uint8_t[]){0, 0, 1, 255}, NULL, "0||1|255|");
    assert_read("s", (const int16_t[]){-32768, 0, 1, 32767}, NULL, "-32768||1|32767|");
    assert_read("S", (const uint16_t[]){0, 0, 1, 65535}, NULL, "0||1|65535|");
    assert_read("i", (const int32_t[]){INT32_MIN, 0, 1, INT32_MAX}, NULL, "-2147483648||1|2147483647|");
    assert_read("I", (const uint32_t[]){0, 0, 1, UINT32_MAX}, NULL, "0||1|4294967295|");
    assert_read("l", (const int64_t[]){INT64_MIN, 0, 1, INT64_MAX}, NULL,
                "-9223372036854775808||1|9223372036854775807|");
    assert_read("L", (const uint64_t[]){0, 0, 1, UINT64_MAX}, NULL, "0||1|18446744073709551615|");
    assert_read("f", (const float[]){0.5F, 0, 0.1F, NAN}, NULL, "0.5||0.10000000149011612||");
    assert_read("g", (const double[]){0.1, 0, -1e300, 5e-324}, NULL, "0.1||-1e+300|5e-324|");
    assert_read("u", (const int32_t[]){0, 2, 3, 3, 6}, "abXcde", "ab|||cde|");
    assert_read("U", (const int64_t[]){0, 2, 3, 4, 6}, "abXcde", "ab||c|de|");
}

/* ---- refusing */

static void assert_refused(producer *p, ilk_status status, const char *message) {
    ilk_error err = {0};
    ilk_stats *stats;
    struct ArrowArrayStream stream = stream_of(p);
    assert_int_equal(learn_arrow(&stats, &stream, 1, NULL, &err), status);
    assert_string_equal(err.message, message);
    assert_released(p);
}

static void arrow__other_types_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *format, *message;
    } types[] = {{"tsu:UTC", "arrow: column x: a date or time ('tsu:UTC') is not read"},
                 {"d:10,2", "arrow: column x: a decimal ('d:10,2') is not read"},
                 {"+l", "arrow: column x: a list ('+l') is not read"},
                 {"+s", "arrow: column x: a struct ('+s') is not read"},
                 {"z", "arrow: column x: binary ('z') is not read"},
                 {"e", "arrow: column x: a half float ('e') is not read"},
                 {"", "arrow: column x: a type ('') is not read"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        producer p;
        make_places(&p);
        p.type[0].format = types[i].format;
        assert_refused(&p, ILK_EDATA, types[i].message);
    }
    producer p;
    make_places(&p);
    p.words_type.format = "l";
    assert_refused(&p, ILK_EDATA, "arrow: column city: a dictionary of a type ('l') is not read");
    make_places(&p);
    p.type[2].name = "x";
    assert_refused(&p, ILK_EDATA, "arrow: two columns are named 'x'");
}

static void arrow__arrays_that_contradict_are_refused(void **state) {
    (void)state;
    static const char wrong[] = ": an offset or index out of range, or a string of more than 64 MiB";
    static const int32_t falling[] = {0, 0, 0, 3, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const int32_t beyond[] = {0, 0, 0, 3, 2, 1, 0, 2, 1, 0, 1, 0};
    char message[256];
    producer p;
    make_places(&p);
    p.column[0].length = 11;
    assert_refused(&p, ILK_EDATA, "arrow:1: column x: an array of the wrong size");
    make_places(&p);
    p.column[3].n_buffers = 2;
    assert_refused(&p, ILK_EDATA, "arrow:1: column class: an array of the wrong size");
    make_places(&p);
    p.column[1].dictionary = NULL;
    assert_refused(&p, ILK_EDATA, "arrow:1: column city: an array of the wrong size");
    make_places(&p);
    p.length = -1;
    assert_refused(&p, ILK_EDATA, "arrow: a batch that is not of the stream's type");
    make_places(&p);
    p.buffers[3][1] = falling;
    snprintf(message, sizeof message, "arrow:2: column class%s", wrong);
    assert_refused(&p, ILK_EDATA, message);
    make_places(&p);
    p.buffers[1][1] = beyond;
    snprintf(message, sizeof message, "arrow:2: column city%s", wrong);
    assert_refused(&p, ILK_EDATA, message);
}

static void arrow__a_stream_that_fails_says_why(void **state) {
    (void)state;
    for (int at = 0; at < 3; at++) {
        producer p;
        make_places(&p);
        p.batches = 5;
        p.fail_at = at;
        assert_refused(&p, ILK_EIO, "arrow: the disk is on fire");
    }
    producer p;
    make_places(&p);
    p.batches = 0;
    assert_refused(&p, ILK_EDATA, "arrow: no rows");
    make_places(&p);
    p.batches = 20000;
    p.fail_at = 19999; /* long after the look-ahead */
    assert_refused(&p, ILK_EIO, "arrow: the disk is on fire");
}

static void arrow__an_infinity_is_a_bad_row(void **state) {
    (void)state;
    static const double infinite[] = {0, 0, 1, 2, 3, 4, (double)INFINITY, 5, 6, 7, 8, 9};
    producer p;
    make_places(&p);
    p.buffers[0][1] = infinite;
    assert_refused(&p, ILK_EDATA, "arrow:5: column x: 'inf' is too large");
}

static void arrow__survives_any_allocation_that_fails(void **state) {
    (void)state;
#ifdef ILK_FAULTS
    for (uint64_t n = 1, seen = n; seen >= n; n++) {
        producer p;
        ilk_stats *stats;
        ilk_loo loo;
        ilk_error err = {0};
        struct ArrowArrayStream stream = make_places(&p);
        ilk_fault_arm(&ilk_allocation_fault, n, false);
        ilk_status status = learn_arrow(&stats, &stream, 1, &loo, &err);
        seen = atomic_load(&ilk_allocation_fault.seen);
        ilk_fault_arm(&ilk_allocation_fault, 0, false);
        assert_int_equal(status, seen >= n ? ILK_ENOMEM : ILK_OK);
        assert_released(&p);
        ilk_stats_free(stats);
    }
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrow__is_the_same_as_csv),
        cmocka_unit_test(arrow__many_batches_are_one_table),
        cmocka_unit_test(arrow__types_are_read),
        cmocka_unit_test(arrow__other_types_are_refused_by_name),
        cmocka_unit_test(arrow__arrays_that_contradict_are_refused),
        cmocka_unit_test(arrow__a_stream_that_fails_says_why),
        cmocka_unit_test(arrow__an_infinity_is_a_bad_row),
        cmocka_unit_test(arrow__survives_any_allocation_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
