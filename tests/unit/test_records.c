/* SPDX-License-Identifier: Apache-2.0 */
/* test_records.c - ARFF, JSON lines and svmlight: the same data in two formats is the same model. */
#include "table_support.h"

#include "core/fault.h"
#include "core/number.h"

#include <math.h>

static const char mood[] =
    "% a comment\n@RELATION mood\n\n@attribute outlook {sunny, 'light rain', never}\n"
    "@attribute\t\"the wind\" Real % a comment\n@attribute mood{good,bad}\n\n@DATA\n"
    "sunny,1.5,good\n'light rain' 2 bad\r\n\n% another\n{1 7, 2 bad}\n  {  }\n?,?,good\nsunny,3,bad";
static const char mood_csv[] = "outlook,the wind,mood\nsunny,1.5,good\nlight rain,2,bad\nsunny,7,bad\nsunny,0,good\n"
                               "?,?,good\nsunny,3,bad\n";

static setting reads(ilk_format format, size_t block_size) {
    setting s = usual();
    s.read.format = format;
    s.block_size = block_size;
    return s;
}

/* What a model says of the rows of a table: all its log-joints, one after the other. */
static ilk_status keep_joints(void *ctx, const ilk_answers *a, const char *bytes, size_t n, ilk_error *err) {
    (void)bytes, (void)n, (void)err;
    return ilk_buffer_add(ctx, a->log_joint, a->n * a->K * sizeof *a->log_joint);
}

static ilk_buffer joints(const ilk_model *model, const char *text, ilk_format format) {
    ilk_buffer out = {0};
    ilk_read_options o;
    ilk_read_options_init(&o);
    o.format = format;
    ilk_error err = {0};
    ilk_table *table = open_text(text, &o);
    if (ilk_table_answer(table, model, &(ilk_answer_fns){NULL, keep_joints, &out}, NULL, NULL, &err) != ILK_OK)
        fail_msg("%s", err.message);
    ilk_table_free(table);
    return out;
}

/* Models of two texts answer both of them with the same bits. */
static void assert_same(const char *a, const setting *of_a, const char *b, const setting *of_b, size_t rows) {
    ilk_tally tally;
    ilk_model *model[2] = {learn_model(a, of_a, &tally), NULL};
    assert_int_equal(tally.rows, rows);
    model[1] = learn_model(b, of_b, &tally);
    assert_int_equal(tally.rows, rows);
    ilk_buffer first = joints(model[0], a, of_a->read.format);
    assert_true(first.n > 0);
    for (size_t i = 0; i < 2; i++) {
        ilk_buffer x = joints(model[i], a, of_a->read.format), y = joints(model[i], b, of_b->read.format);
        assert_int_equal(x.n, first.n);
        assert_memory_equal(x.p, first.p, first.n);
        assert_int_equal(y.n, first.n);
        assert_memory_equal(y.p, first.p, first.n);
        ilk_buffer_free(&x);
        ilk_buffer_free(&y);
        ilk_model_free(model[i]);
    }
    ilk_buffer_free(&first);
}

/* ---- ARFF */

static void arff__is_the_same_as_csv_in_blocks_of_any_size(void **state) {
    (void)state;
    setting usual_csv = reads(ILK_FORMAT_CSV, 4096);
    usual_csv.plan.family = (const char *[]){"the wind=gaussian"};
    usual_csv.plan.families = 1;
    usual_csv.plan.target = "mood";
    for (size_t size = 1; size < 200; size += 13) {
        setting s = reads(ILK_FORMAT_ARFF, size);
        s.estimate.smooth = usual_csv.estimate.smooth = 0; /* without smoothing it does not matter what was declared */
        assert_same(mood, &s, mood_csv, &usual_csv, 6);
    }
}

typedef struct wanted {
    const char *column, *key;
    double count, total;
    bool found;
} wanted;

static ilk_status find_phi(void *ctx, const ilk_fact *fact) {
    wanted *w = ctx;
    if (strcmp(fact->quantity, "phi") == 0 && ilk_str_equal(fact->column, str(w->column)) &&
        ilk_str_equal(fact->key, str(w->key)) && fact->k == 0) {
        assert_true(fact->count == w->count && fact->total == w->total);
        w->found = true;
    }
    return ILK_OK;
}

static void assert_counts(const char *text, const setting *s, const char *column, const char *key, double count,
                          double total) {
    ilk_model *model = learn_model(text, s, NULL);
    wanted w = {column, key, count, total, false};
    assert_int_equal(ilk_model_describe(model, find_phi, &w, NULL), ILK_OK);
    assert_true(w.found);
    ilk_model_free(model);
}

static void arff__declared_values_count_where_they_never_come(void **state) {
    (void)state;
    for (size_t threads = 1; threads < 4; threads++) {
        setting s = reads(ILK_FORMAT_ARFF, 40);
        s.threads = threads;
        assert_counts(mood, &s, "outlook", "never", 1, 6); /* bad: 3 rows and 3 values */
    }
}

static void assert_refused(const char *text, ilk_format format, const char *message) {
    setting s = reads(format, 64);
    ilk_str part = str(text);
    ilk_error err = {0};
    ilk_stats *stats;
    assert_int_equal(learn_parts(&stats, &part, 1, &s, NULL, &err), ILK_EDATA);
    assert_string_equal(err.message, message);
}

static void arff__errors_name_line_column_and_value(void **state) {
    (void)state;
#define HEAD "@relation r\n@attribute a {x,'y z'}\n@attribute b numeric\n@attribute class {p,q}\n@data\nx,1,p\n"
    assert_refused(HEAD "y,1,q\n", ILK_FORMAT_ARFF, "memory 1:7: column a: value 'y' is not among x, y z");
    assert_refused(HEAD "x,one,q\n", ILK_FORMAT_ARFF, "memory 1:7: column b: 'one' is not a number");
    assert_refused(HEAD "x,1,'q\n", ILK_FORMAT_ARFF, "memory 1:7: column class: a quote is not closed");
    assert_refused(HEAD "x,1\n", ILK_FORMAT_ARFF, "memory 1:7: expected 3 fields, found 2");
    assert_refused(HEAD "{2 q, 1 3}\n", ILK_FORMAT_ARFF, "memory 1:7: sparse row: column 1 comes after column 2");
    assert_refused(HEAD "x,{1},p\n", ILK_FORMAT_ARFF, "memory 1:7: column b: a brace where a value should be");
    assert_refused("@relation r\n@attribute a {x,\n@data\n", ILK_FORMAT_ARFF,
                   "memory 1:2: no } at the end of the values");
    assert_refused("@relation r\n@attribute a blob\n", ILK_FORMAT_ARFF,
                   "memory 1:2: an attribute of no type that is read: 'blob'");
    assert_refused("@relation r\n@attribute a real\n", ILK_FORMAT_ARFF, "memory 1: a header without end");
#undef HEAD
}

/* ---- JSON lines */

static void need_json(void) {
#ifndef ILK_HAVE_JANSSON
    SKIP_BECAUSE("built without jansson");
#endif
}

static void jsonl__is_the_same_as_csv(void **state) {
    (void)state;
    need_json();
    static const char json[] =
        "{\"c\":\"u\",\"n\":{\"x\":1.25},\"class\":1}\n\n{\"class\":2,\"n\":{\"x\":-3e2}}\r\n"
        "{\"c\":null,\"class\":1,\"n\":{\"x\":7}}\n{\"class\":2,\"c\":\"v\",\"n\":{\"x\":5E-1}}\n"
        "{\"class\":1,\"c\":\"v\"}\n{\"class\":2,\"c\":\"u\",\"n\":{\"x\":0.0625},\"late\":[]}";
    static const char csv[] = "c,n.x,class,late\nu,1.25,1,\n,-3e2,2,\n,7,1,\nv,0.5,2,\nv,,1,\nu,0.0625,2,\n";
    setting as_csv = reads(ILK_FORMAT_CSV, 4096);
    for (size_t size = 1; size < 200; size += 13) {
        setting s = reads(ILK_FORMAT_JSONL, size);
        assert_same(json, &s, csv, &as_csv, 6);
    }
}

/* The number of a lexeme, on the way through JSON. */
static double through_json(const char *lexeme) {
    char line[512];
    snprintf(line, sizeof line, "{\"x\":%s}\n", lexeme);
    ilk_head head = {0};
    const ilk_dialect dialect = {.format = ILK_FORMAT_JSONL, .head = &head};
    ilk_parser parser = {0};
    ilk_str field;
    double x = NAN;
    assert_int_equal(ilk_head_add(&head, str("x"), ILK_HINT_NONE), ILK_OK);
    assert_int_equal(ilk_parser_start(&parser, &dialect, str(line), 1), ILK_OK);
    assert_int_equal(ilk_parser_row(&parser, &field, 1), ILK_ROW);
    assert_true(ilk_number_parse(&x, field));
    ilk_parser_free(&parser);
    ilk_head_free(&head);
    return x;
}

static void jsonl__numbers_are_what_strtod_says(void **state) {
    (void)state;
    need_json();
    static const char *const odd[] = {"0",
                                      "-0.0",
                                      "9007199254740993",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "9223372036854775808",
                                      "123456789012345678901234567890",
                                      "5e-324",
                                      "2.4703282292062328e-324",
                                      "1.7976931348623157e308",
                                      "0.1",
                                      "1E5",
                                      "1e+22",
                                      "1e23",
                                      "8.41e21",
                                      "9.5367431640625e-07"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        double want = strtod(odd[i], NULL), got = through_json(odd[i]);
        if (memcmp(&want, &got, sizeof want) != 0)
            fail_msg("%s is %.17g, not %.17g", odd[i], got, want);
    }
    uint64_t bits = 1;
    for (size_t i = 0; i < 2000; i++) {
        char lexeme[64];
        double x, got;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        snprintf(lexeme, sizeof lexeme, "%.17g", x);
        got = through_json(lexeme);
        assert_memory_equal(&x, &got, sizeof x);
    }
}

static void jsonl__a_key_that_comes_late_is_ignored_and_counted(void **state) {
    (void)state;
    need_json();
    ilk_buffer text = {0};
    char line[64];
    for (size_t i = 0; i < ILK_AHEAD_ROWS + 2; i++) {
        snprintf(line, sizeof line, "{\"x\":%zu,\"y\":%zu%s}", i, i % 2, i < ILK_AHEAD_ROWS ? "" : ",\"z\":1");
        add_line(&text, line);
    }
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    setting s = reads(ILK_FORMAT_JSONL, 4096);
    ilk_tally tally;
    ilk_model_free(learn_model(text.p, &s, &tally));
    assert_int_equal(tally.rows, ILK_AHEAD_ROWS + 2);
    assert_int_equal(tally.stray, 2);
    ilk_buffer_free(&text);
}

/* Models of two texts, each read and answered in its own format, give the same bits for all rows. */
static void assert_same_joints(const char *a, const setting *of_a, const char *b, const setting *of_b,
                               const char *asked_b, ilk_format format_b, size_t numbers) {
    ilk_model *x = learn_model(a, of_a, NULL), *y = learn_model(b, of_b, NULL);
    ilk_buffer p = joints(x, a, of_a->read.format), q = joints(y, asked_b, format_b);
    assert_int_equal(p.n, numbers * sizeof(double));
    assert_int_equal(q.n, p.n);
    assert_memory_equal(p.p, q.p, p.n);
    ilk_buffer_free(&p);
    ilk_buffer_free(&q);
    ilk_model_free(x);
    ilk_model_free(y);
}

/* ---- svmlight */

static const char counts_svm[] = "# a comment\n1 1:3 4:1 # the first\n-1 qid:7 2:2\n1 1:1 3:2\n\n-1 2:1 5:2.0\n1\n";

static void svm__counts_are_words_that_come_as_often(void **state) {
    (void)state;
    static const char lines[] = "1\t1 1 1 4\n-1\t2 2\n1\t1 3 3\n-1\t2 5 5\n1\t\n";
    setting s = reads(ILK_FORMAT_SVM, 4096), as_lines = reads(ILK_FORMAT_LINES, 4096);
    as_lines.plan.tokenizer.kind = ILK_WHITESPACE;
    static const char *const models[] = {"multinomial", "bernoulli", "complement"};
    for (size_t i = 0; i < 3; i++) {
        s.plan.model = as_lines.plan.model = models[i];
        assert_same_joints(counts_svm, &s, lines, &as_lines, lines, ILK_FORMAT_LINES, 10);
    }
}

static void svm__all_indices_belong_to_the_vocabulary(void **state) {
    (void)state;
    for (size_t threads = 1; threads < 4; threads++) {
        setting s = reads(ILK_FORMAT_SVM, 16);
        s.threads = threads;
        assert_counts("1 2:3\n-1 7:1\n-1 3:2\n", &s, "features", "5", 1, 10); /* -1: 3 words, and 7 of them known */
        s.read.columns = 20;
        assert_counts("1 2:3\n-1 7:1\n-1 3:2\n", &s, "features", "20", 1, 23);
        s.read.columns = 0;
        assert_counts("1 0:3\n-1 7:1\n-1 3:2\n", &s, "features", "1", 1, 11);
    }
}

static void svm__numbers_are_columns_with_zeros(void **state) {
    (void)state;
    static const char svm[] = "1 1:0.5 3:2\n2 2:-1\n1 1:2 2:3\n2 3:1\n2\n1 2:4\n";
    static const char csv[] = "1,2,3,label\n0.5,0,2,1\n0,-1,0,2\n2,3,0,1\n0,0,1,2\n0,0,0,2\n0,4,0,1\n";
    setting s = reads(ILK_FORMAT_SVM, 4096), as_csv = reads(ILK_FORMAT_CSV, 4096);
    as_csv.read.header = ILK_HEADER_YES;
    as_csv.plan.model = s.plan.model = "gda";
    as_csv.plan.family = (const char *[]){"1=gda", "2=gda", "3=gda"};
    as_csv.plan.families = 3;
    assert_same_joints(svm, &s, csv, &as_csv, svm, ILK_FORMAT_SVM, 12); /* the model of CSV reads svmlight */
}

static void svm__errors_name_line_index_and_value(void **state) {
    (void)state;
    assert_refused("1 1:1\n2 3:1 2:1\n", ILK_FORMAT_SVM, "memory 1:2: index 2 comes after 3: they must rise");
    assert_refused("1 1:1\n2 01:1\n", ILK_FORMAT_SVM, "memory 1:2: '01' is not index:value");
    assert_refused("1 1:1\n2 2:x\n", ILK_FORMAT_SVM,
                   "memory 1:2: column features: '2:x' is no word:count, with a whole number from 0 to 4294967295");
    assert_refused("1 1:0.5\n2 2:x\n", ILK_FORMAT_SVM, "memory 1:2: column 2: 'x' is not a number");
    assert_refused("1 1:1\n2 4194305:1\n", ILK_FORMAT_SVM, "memory 1:2: index 4194305 is larger than 4194304");
}

/* ---- formats */

static void formats__are_known_by_their_content(void **state) {
    (void)state;
    static const struct {
        const char *path, *text;
        ilk_format format;
    } known[] = {{"-", mood, ILK_FORMAT_ARFF},
                 {"-", "\n %\n @Relation x", ILK_FORMAT_ARFF},
                 {"x.ARFF", "", ILK_FORMAT_ARFF},
                 {"x.csv", mood, ILK_FORMAT_CSV},
                 {"-", " \n{\"a\":1}\n", ILK_FORMAT_JSONL},
                 {"x.ndjson", "", ILK_FORMAT_JSONL},
                 {"-", counts_svm, ILK_FORMAT_SVM},
                 {"-", "a 1:2 2:x\n", ILK_FORMAT_CSV},
                 {"-", "1:30 2:1\n", ILK_FORMAT_SVM},
                 {"-", "time 12:30,x\n", ILK_FORMAT_CSV},
                 {"x.libsvm", "", ILK_FORMAT_SVM}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(ilk_dialect_choose(ILK_FORMAT_AUTO, known[i].path, str(known[i].text), NULL, true).format,
                         known[i].format);
}

static ilk_schema *schema_of(const char *text, const char *number, const char *target) {
    ilk_schema *s;
    assert_int_equal(ilk_schema_new(&s, NULL), ILK_OK);
    ilk_column column[] = {
        {.name = str(text), .kind = ILK_TEXT, .family = "multinomial", .tokenizer = {.ngram_min = 1, .ngram_max = 1}},
        {.name = str(target), .role = ILK_TARGET},
        {.name = str(number), .kind = ILK_REAL, .family = "gda"}};
    for (size_t j = 0; j < (*number ? 3 : 2); j++)
        assert_int_equal(ilk_schema_add(s, &column[j], NULL), ILK_OK);
    return s;
}

/* A model of lines knows them by the first, and tables by their header; other models look at more. */
static void lines__are_known_by_their_model(void **state) {
    (void)state;
    static const char line[] = "ham\tsee you\n", header[] = "label\ttext\nham\tsee you\n",
                      quoted[] = "\"id\"\t\"text\"\n1\tsee you\n";
    ilk_schema *of_lines = schema_of("text", "", "label"), *of_more = schema_of("text", "x", "label"),
               *of_others = schema_of("text", "", "class");
    const struct {
        const ilk_schema *schema;
        const char *text;
        ilk_format format;
    } cases[] = {
        {of_lines, line, ILK_FORMAT_LINES},
        {of_lines, header, ILK_FORMAT_TSV},
        {of_lines, quoted, ILK_FORMAT_TSV},
        {of_lines, "ham\t\n", ILK_FORMAT_LINES},
        {of_more, line, ILK_FORMAT_TSV},
        {of_others, line, ILK_FORMAT_TSV},
        {of_lines, "text,label\n", ILK_FORMAT_CSV},
        {of_lines, "x\n", ILK_FORMAT_LINES},
        {of_lines, "see you\n", ILK_FORMAT_LINES},           /* a text alone, unless it may be of a table */
        {of_lines, "\n\nsee you, then\n", ILK_FORMAT_LINES}, /* an empty one is, too: of a pipe it may be all */
        {of_lines, "see you; then\n", ILK_FORMAT_CSV},
        {of_lines, "\"see you\"\n", ILK_FORMAT_CSV},
        {of_lines, " text \nsee you\n", ILK_FORMAT_CSV},
        {of_lines, " \n", ILK_FORMAT_LINES},
        {of_lines, "", ILK_FORMAT_CSV},
        {of_more, "see you\n", ILK_FORMAT_CSV},
        {NULL, "see you\n", ILK_FORMAT_CSV}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ilk_dialect_choose(ILK_FORMAT_AUTO, "-", str(cases[i].text), cases[i].schema, true).format,
                         cases[i].format);
    assert_int_equal(ilk_dialect_choose(ILK_FORMAT_AUTO, "-", str("see you\n"), of_lines, false).format,
                     ILK_FORMAT_CSV);
    assert_int_equal(ilk_dialect_choose(ILK_FORMAT_AUTO, "x.csv", str("see you\n"), of_lines, true).format,
                     ILK_FORMAT_CSV);
    ilk_schema_free(of_lines);
    ilk_schema_free(of_more);
    ilk_schema_free(of_others);
}

/* Every allocation fails once: an error or, where it was not needed, the model; never a wrong one, never a leak. */
static void formats__survive_any_allocation_that_fails(void **state) {
    (void)state;
#ifdef ILK_FAULTS
    static const struct {
        const char *text;
        ilk_format format;
    } data[] = {{mood, ILK_FORMAT_ARFF}, {counts_svm, ILK_FORMAT_SVM}};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        setting s = reads(data[i].format, 64);
        s.threads = 1;
        ilk_str part = str(data[i].text);
        for (uint64_t n = 1, seen = n; seen >= n; n++) {
            ilk_stats *stats;
            ilk_error err = {0};
            ilk_fault_arm(&ilk_allocation_fault, n, false);
            ilk_status status = learn_parts(&stats, &part, 1, &s, NULL, &err);
            seen = atomic_load(&ilk_allocation_fault.seen);
            ilk_fault_arm(&ilk_allocation_fault, 0, false);
            assert_int_equal(status, seen >= n ? ILK_ENOMEM : ILK_OK);
            ilk_stats_free(stats);
        }
    }
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arff__is_the_same_as_csv_in_blocks_of_any_size),
        cmocka_unit_test(arff__declared_values_count_where_they_never_come),
        cmocka_unit_test(arff__errors_name_line_column_and_value),
        cmocka_unit_test(jsonl__is_the_same_as_csv),
        cmocka_unit_test(jsonl__numbers_are_what_strtod_says),
        cmocka_unit_test(jsonl__a_key_that_comes_late_is_ignored_and_counted),
        cmocka_unit_test(svm__counts_are_words_that_come_as_often),
        cmocka_unit_test(svm__all_indices_belong_to_the_vocabulary),
        cmocka_unit_test(svm__numbers_are_columns_with_zeros),
        cmocka_unit_test(svm__errors_name_line_index_and_value),
        cmocka_unit_test(lines__are_known_by_their_model),
        cmocka_unit_test(formats__are_known_by_their_content),
        cmocka_unit_test(formats__survive_any_allocation_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
