/* SPDX-License-Identifier: Apache-2.0 */
/* test_pass.c - tables into statistics and through models: the same for any blocks, files and threads. */
#include "table_support.h"

#include "core/fault.h"
#include "data/encode.h"

#include <math.h>
#include <unistd.h>

static void assert_cannot_learn(const char *text, const setting *s, const char *message) {
    ilk_str part = str(text);
    ilk_error err = {0};
    ilk_stats *stats;
    for (size_t block_size = 1; block_size < 5000; block_size *= 4) {
        setting small = *s;
        small.block_size = block_size;
        assert_int_equal(learn_parts(&stats, &part, 1, &small, NULL, &err), ILK_EDATA);
        assert_string_equal(err.message, message);
    }
}

/* The model file of what was learnt: all statistics and parameters, bit by bit. */
static ilk_buffer learnt_bytes(const ilk_str *parts, size_t n, const setting *s) {
    char path[] = "/tmp/ilk-test-XXXXXX", chunk[4096];
    ilk_error err = {0};
    ilk_stats *stats;
    ilk_model *model = NULL;
    ilk_buffer bytes = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    if (learn_parts(&stats, parts, n, s, NULL, &err) != ILK_OK ||
        ilk_model_estimate(&model, stats, &s->estimate, &err) != ILK_OK ||
        ilk_model_save(model, stats, path, &err) != ILK_OK)
        fail_msg("%s", err.message);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, f)) > 0;)
        assert_int_equal(ilk_buffer_add(&bytes, chunk, got), ILK_OK);
    fclose(f);
    close(fd);
    unlink(path);
    ilk_model_free(model);
    ilk_stats_free(stats);
    return bytes;
}

static void assert_learns_the_same(const ilk_str *a, size_t n_a, const setting *s, const ilk_str *b, size_t n_b,
                                   const setting *t) {
    ilk_buffer x = learnt_bytes(a, n_a, s), y = learnt_bytes(b, n_b, t);
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.p, y.p, x.n);
    ilk_buffer_free(&x);
    ilk_buffer_free(&y);
}

/* Numbers, categories and text with missing values and quoted newlines; about 40 bytes a row. */
static void write_table(ilk_buffer *out, size_t rows) {
    uint32_t seed = 7;
    char line[256];
    add_line(out, "x,colour,note,y");
    for (size_t i = 0; i < rows; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned r = seed >> 8;
        if (r % 11 == 0)
            snprintf(line, sizeof line, "NA,,\"one two\n%u four five six\",%s", r % 5, r % 3 ? "a" : "b");
        else
            snprintf(line, sizeof line, "%u.%u,%s,\"w%u is \"\"w%u\"\" in a row of w%u\",%s", r % 9, r % 1000,
                     r % 2 ? "red" : "blue", r % 7, r % 13, r % 50, r % 3 ? "a" : "b");
        add_line(out, line);
    }
}

/* The same without newlines, with weights of which sums are rounded. */
static void write_weighed(ilk_buffer *out, size_t rows) {
    uint32_t seed = 11;
    char line[256];
    add_line(out, "x,w,colour,note,y");
    for (size_t i = 0; i < rows; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned r = seed >> 8;
        snprintf(line, sizeof line, "%u.%u,%.17g,%s,w%u is w%u in a row of w%u,%s", r % 9, r % 1000, (r % 1000) / 300.0,
                 r % 2 ? "red" : "blue", r % 7, r % 13, r % 50, r % 3 ? "a" : "b");
        add_line(out, line);
    }
}

/* ---- learning */

static void learn__several_files_are_one(void **state) {
    (void)state;
    setting s = usual();
    ilk_str whole = str(tennis);
    const char *half = strstr(tennis, "D8,");
    char second[1024];
    snprintf(second, sizeof second, "\xEF\xBB\xBF%.*s%s", (int)(strchr(tennis, '\n') + 1 - tennis), tennis, half);
    ilk_str parts[] = {{tennis, (size_t)(half - tennis)}, str(second)};
    assert_learns_the_same(&whole, 1, &s, parts, 2, &s);
}

static void learn__errors_name_file_line_column_and_value(void **state) {
    (void)state;
    setting s = usual();
    const char *const family[] = {"x=gaussian"};
    s.plan.family = family;
    s.plan.families = 1;
    assert_cannot_learn("x,y\n1,a\n2,b\nabc,a\n", &s, "memory 1:4: column x: 'abc' is not a number");
    assert_cannot_learn("x,y\n\n1,\"a\n\"\ninf,b\n", &s, "memory 1:5: column x: 'inf' is not a number");
    assert_cannot_learn("x,y\n1,a\n1e999,b\n", &s, "memory 1:3: column x: '1e999' is too large");
    assert_cannot_learn("x,y\n1,a\n2,b,c\n", &s, "memory 1:3: expected 2 fields, found 3");
    assert_cannot_learn("x,y\n1,a\n\"2\"z,b\n", &s, "memory 1:3: column x: text after the closing quote");
    const char *const counts[] = {"x=poisson"};
    s.plan.family = counts;
    assert_cannot_learn("x,y\n1,a\n2.5,b\n", &s, "memory 1:3: column x: '2.5' is nothing that family poisson models");
    s.read.format = ILK_FORMAT_LINES;
    s.plan.families = 0;
    assert_cannot_learn("a\tb\nno tab\n", &s, "memory 1:2: no TAB between label and text");
}

static void learn__bad_rows_are_counted_and_leave_no_trace(void **state) {
    (void)state;
    setting s = usual();
    const char *const family[] = {"x=gaussian"};
    s.plan.family = family;
    s.plan.families = 1;
    s.read.skip_bad_rows = true;
    ilk_tally tally;
    ilk_str good = str("x,c,y\n1,u,a\n2,v,b\n3,u,b\n4,v,a\n");
    ilk_str bad = str("x,c,y\n1,u,a\n2,v,b\nthree,new,new\n3,u,b\n4\n4,v,a\n");
    ilk_stats *stats;
    assert_int_equal(learn_parts(&stats, &bad, 1, &s, &tally, NULL), ILK_OK);
    assert_int_equal(tally.rows, 4);
    assert_int_equal(tally.bad, 2);
    assert_string_equal(tally.first_bad, "memory 1:4: column x: 'three' is not a number");
    ilk_stats_free(stats);
    assert_learns_the_same(&good, 1, &s, &bad, 1, &s);
}

static void learn__rows_without_a_label_are_skipped_and_counted(void **state) {
    (void)state;
    setting s = usual();
    ilk_tally tally;
    ilk_model_free(learn_model("x,y\n1.5,a\n2.5,\n3.5,?\n4.5,b\n5.5,a\n6.5,b\n", &s, &tally));
    assert_int_equal(tally.rows, 4);
    assert_int_equal(tally.unlabelled, 2);
}

/* Rows of which so many are left out of a full Gaussian. */
static void assert_incomplete(uint64_t expected, const char *text, const setting *s) {
    for (size_t block_size = 16; block_size < 5000; block_size *= 4) {
        setting small = *s;
        ilk_str part = str(text);
        ilk_stats *stats;
        ilk_tally tally;
        small.block_size = block_size;
        assert_int_equal(learn_parts(&stats, &part, 1, &small, &tally, NULL), ILK_OK);
        assert_int_equal(tally.incomplete, expected);
        ilk_stats_free(stats);
    }
}

/* Whatever they weigh, but those that weigh nothing. Other families leave no row out. */
static void learn__incomplete_rows_are_counted(void **state) {
    (void)state;
    static const char *const rows = "x,z,w,y\n1.5,1.5,.05,a\n2.5,NA,.05,a\n3.5,?,.25,b\n,7.5,1.05,b\n5.5,1.25,7,a\n"
                                    "6.5,1.75,2.5,b\n,2.5,0,a\n?,,.5,a\n2.5,1.5,.05,b\n";
    static const char *const z[] = {"z=gaussian"};
    setting s = usual();
    s.plan.model = "gda";
    s.plan.ignore = "w";
    assert_incomplete(5, rows, &s);
    s.plan.ignore = NULL;
    s.plan.weights = "w";
    assert_incomplete(4, rows, &s);
    s.plan.family = z;
    s.plan.families = 1;
    assert_incomplete(2, rows, &s);
    s.plan.model = "gaussian";
    assert_incomplete(0, rows, &s);
}

static void learn__missing_spellings_may_be_numbers(void **state) {
    (void)state;
    setting s = usual(), declared = usual();
    ilk_str blank = str("x,y\n1.5,a\n,a\n3.5,b\n4.5,b\n"), nines = str("x,y\n1.5,a\n-999,a\n3.5,b\n4.5,b\n");
    s.read.missing = declared.read.missing = "-999,none";
    assert_learns_the_same(&blank, 1, &s, &nines, 1, &declared);
}

static void learn__any_number_of_threads_learns_the_same_bits(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_table(&text, 5000);
    ilk_str part = {text.p, text.n};
    setting one = usual(), many = usual();
    one.threads = 1;
    one.block_size = many.block_size = 997;
    const char *const models[] = {"auto", "gda", "qda"};
    for (size_t i = 0; i < 3; i++) {
        one.plan.model = many.plan.model = models[i];
        for (many.threads = 2; many.threads <= 8; many.threads *= 2)
            assert_learns_the_same(&part, 1, &one, &part, 1, &many);
    }
    /* Weights that are no whole numbers make sums of counts depend on their order, too. */
    ilk_buffer weighed = {0};
    write_weighed(&weighed, 3000);
    part = (ilk_str){weighed.p, weighed.n};
    one.plan.weights = many.plan.weights = "w";
    for (size_t i = 0; i < 3; i++) {
        one.plan.model = many.plan.model = models[i];
        for (many.threads = 2; many.threads <= 8; many.threads *= 2)
            assert_learns_the_same(&part, 1, &one, &part, 1, &many);
    }
    ilk_buffer_free(&weighed);
    ilk_buffer_free(&text);
}

static void learn__weights_are_numbers_from_0_on(void **state) {
    (void)state;
    setting s = usual();
    s.plan.weights = "w";
    assert_cannot_learn("x,w,y\n1.5,1,a\n2.5,,b\n", &s,
                        "memory 1:3: column w: '' is no weight: a number from 0 to 2^53");
    assert_cannot_learn("x,w,y\n1.5,NA,a\n2.5,1,b\n", &s,
                        "memory 1:2: column w: 'NA' is no weight: a number from 0 to 2^53");
    assert_cannot_learn("x,w,y\n1.5,1,a\n2.5,-1,b\n", &s,
                        "memory 1:3: column w: '-1' is no weight: a number from 0 to 2^53");
    assert_cannot_learn("x,w,y\n1.5,1,a\n2.5,1e999,b\n", &s,
                        "memory 1:3: column w: '1e999' is no weight: a number from 0 to 2^53");
    assert_cannot_learn("x,w,y\n1.5,1,a\n2.5,1e300,b\n", &s,
                        "memory 1:3: column w: '1e300' is no weight: a number from 0 to 2^53");
    assert_cannot_learn("x,w,y\n1.5,1,a\n2.5,heavy,b\n", &s,
                        "memory 1:3: column w: 'heavy' is no weight: a number from 0 to 2^53");
    ilk_tally tally;
    s.read.skip_bad_rows = true;
    ilk_model *model = learn_model("x,w,y\n1.5,2,a\n2.5,-1,c\n3.5,0.5,b\n4,0,c\n4.5,1.5,b\n", &s, &tally);
    assert_int_equal(tally.rows, 4);
    assert_int_equal(tally.bad, 1);
    assert_int_equal(ilk_model_classes(model), 2); /* c has no row of any weight */
    assert_true(fabs(exp(ilk_model_log_prior(model, 0)) - 0.5) <= 1e-15);
    ilk_model_free(model);
}

static void learn__blocks_of_any_size_count_the_same(void **state) {
    (void)state;
    setting s = usual(), t = usual();
    ilk_str part = str(tennis);
    for (t.block_size = 1; t.block_size < 600; t.block_size += 13)
        assert_learns_the_same(&part, 1, &s, &part, 1, &t);
}

static void learn__a_pipe_is_read_like_a_file(void **state) {
    (void)state;
    int ends[2], before = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], tennis, sizeof tennis - 1), sizeof tennis - 1);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    ilk_table *table;
    ilk_schema *schema;
    ilk_stats *stats;
    ilk_tally tally;
    const char *path = "-";
    assert_int_equal(ilk_table_open(&table, &path, 1, NULL, NULL), ILK_OK);
    assert_int_equal(ilk_table_schema(&schema, table, NULL, NULL, NULL, NULL), ILK_OK);
    assert_int_equal(ilk_stats_new(&stats, schema, NULL), ILK_OK);
    assert_int_equal(ilk_table_learn(stats, table, NULL, &tally, NULL), ILK_OK);
    assert_int_equal(tally.rows, 14);
    assert_int_equal(tally.bytes, sizeof tennis - 1);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
    ilk_table_free(table);
    dup2(before, STDIN_FILENO);
    close(before);
}

static ilk_status stop_at_once(void *ctx, const ilk_progress *progress) {
    (void)progress;
    ++*(int *)ctx;
    return ILK_ESTOP;
}

static void learn__ends_when_progress_says_stop(void **state) {
    (void)state;
    ilk_table *table = open_text(tennis, NULL);
    ilk_schema *schema;
    ilk_stats *stats;
    ilk_error err = {0};
    int calls = 0;
    assert_int_equal(ilk_table_schema(&schema, table, NULL, NULL, NULL, &err), ILK_OK);
    assert_int_equal(ilk_stats_new(&stats, schema, &err), ILK_OK);
    const ilk_run run = {.threads = 2, .progress = stop_at_once, .ctx = &calls};
    assert_int_equal(ilk_table_learn(stats, table, &run, NULL, &err), ILK_ESTOP);
    assert_int_equal(calls, 1);
    assert_int_equal(ilk_table_learn(stats, table, NULL, NULL, &err), ILK_EARG); /* the rows are gone */
    ilk_stats_free(stats);
    ilk_schema_free(schema);
    ilk_table_free(table);
}

/* The last thing told, and how often. */
typedef struct told {
    ilk_progress last;
    int calls;
} told;

static ilk_status listen(void *ctx, const ilk_progress *progress) {
    told *t = ctx;
    assert_true(progress->rows >= t->last.rows && progress->bytes >= t->last.bytes);
    *t = (told){*progress, t->calls + 1};
    return ILK_OK;
}

/* A schema from a table of small blocks. */
static ilk_status look_at_all(ilk_progress_fn progress, void *ctx, bool all_rows) {
    ilk_str part = str(tennis);
    ilk_table *table;
    ilk_plan plan;
    ilk_schema *schema;
    ilk_plan_init(&plan);
    plan.all_rows = all_rows;
    plan.progress = progress;
    plan.progress_ctx = ctx;
    assert_int_equal(open_parts(&table, &part, 1, NULL, 64, NULL), ILK_OK);
    ilk_status status = ilk_table_schema(&schema, table, &plan, NULL, NULL, NULL);
    assert_int_equal(status == ILK_OK, schema != NULL);
    ilk_schema_free(schema);
    ilk_table_free(table);
    return status;
}

static void schema__tells_how_far_a_look_at_all_rows_has_come(void **state) {
    (void)state;
    told heard = {0};
    int calls = 0;
    assert_int_equal(look_at_all(listen, &heard, false), ILK_OK);
    assert_int_equal(heard.calls, 0);
    assert_int_equal(look_at_all(listen, &heard, true), ILK_OK);
    assert_true(heard.calls > 3);
    assert_int_equal(heard.last.rows, 14);
    assert_int_equal(heard.last.bytes, strlen(tennis));
    assert_int_equal(heard.last.total_bytes, strlen(tennis));
    assert_int_equal(look_at_all(stop_at_once, &calls, true), ILK_ESTOP);
    assert_int_equal(calls, 1);
}

static void memo__keys_are_the_same_only_where_strings_are(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 200000; round++) {
        char text[2][ILK_MEMO_LONGEST];
        size_t n[2];
        for (int i = 0; i < 2; i++) {
            seed = seed * 1664525 + 1013904223;
            n[i] = 1 + (seed >> 8) % ILK_MEMO_LONGEST;
            for (size_t j = 0; j < n[i]; j++)
                text[i][j] = "ab"[round % 7 && seed >> (j + 9) & 1];
        }
        ilk_str a = {text[0], n[0]}, b = {text[1], n[1]};
        ilk_memo x = ilk_memo_key(a), y = ilk_memo_key(b);
        assert_int_equal(ilk_memo_same(&x, &y), ilk_str_equal(a, b));
        assert_true(ilk_memo_at(&x, ILK_CODE_MEMO_BITS) < (size_t)1 << ILK_CODE_MEMO_BITS);
    }
}

/* ---- answering */

typedef struct answered {
    ilk_buffer text; /* what `format` wrote, in the order of commits */
    uint64_t rows, right, unlabelled, unknown;
} answered;

/* prediction of each row, then its first field */
static ilk_status format(void *ctx, const ilk_answers *a, ilk_text *text, ilk_error *err) {
    (void)ctx;
    (void)err;
    for (size_t i = 0; i < a->n; i++) {
        const double *log_joint = a->log_joint + i * a->K;
        ilk_str name = ilk_model_class_name(a->model, ilk_argmax(log_joint, a->K));
        if (a->bad[i])
            name = str("bad");
        assert_int_equal(a->bad[i], isnan(log_joint[0]));
        ilk_str first = ilk_answers_field(a, i, 0);
        assert_int_equal(ilk_text_add(text, name.p, name.n), ILK_OK);
        assert_int_equal(ilk_text_add(text, " ", 1), ILK_OK);
        assert_int_equal(ilk_text_add(text, first.p, first.n), ILK_OK);
        assert_int_equal(ilk_text_add(text, "\n", 1), ILK_OK);
    }
    return ILK_OK;
}

static ilk_status commit(void *ctx, const ilk_answers *a, const char *bytes, size_t n, ilk_error *err) {
    answered *all = ctx;
    (void)err;
    assert_int_equal(a->first_row, all->rows);
    for (size_t i = 0; i < a->n; i++) {
        all->unlabelled += a->label[i] == ILK_NONE;
        all->unknown += a->label[i] == ILK_UNSEEN;
        all->right += a->label[i] == ilk_argmax(a->log_joint + i * a->K, a->K);
    }
    all->rows += a->n;
    return ilk_buffer_add(&all->text, bytes, n);
}

static ilk_status answer_text(answered *out, const ilk_model *model, ilk_str text, size_t block_size, size_t threads,
                              const ilk_read_options *options, ilk_tally *tally, ilk_error *err) {
    *out = (answered){0};
    ilk_table *table;
    ilk_answer_fns fns = {format, commit, out};
    assert_int_equal(open_parts(&table, &text, 1, options, block_size, err), ILK_OK);
    ilk_status status = ilk_table_answer(table, model, &fns, &(ilk_run){.threads = threads}, tally, err);
    assert_int_equal(ilk_buffer_add(&out->text, "", 1), ILK_OK);
    ilk_table_free(table);
    return status;
}

static void assert_answers(const ilk_model *model, const char *text, const char *expected) {
    for (size_t block_size = 1; block_size < 1000; block_size *= 10) {
        answered all;
        ilk_error err = {0};
        if (answer_text(&all, model, str(text), block_size, 3, NULL, NULL, &err) != ILK_OK)
            fail_msg("%s", err.message);
        assert_string_equal(all.text.p, expected);
        ilk_buffer_free(&all.text);
        const ilk_read_options live = {.live = true, .schema = ilk_model_schema(model)}; /* seven bytes at a time */
        if (answer_text(&all, model, str(text), block_size, 3, &live, NULL, &err) != ILK_OK)
            fail_msg("live: %s", err.message);
        assert_string_equal(all.text.p, expected);
        ilk_buffer_free(&all.text);
    }
}

static ilk_model *tennis_model(void) {
    setting s = usual();
    s.plan.model = "categorical";
    s.estimate.smooth = 0;
    return learn_model(tennis, &s, NULL);
}

static void answer__finds_columns_by_name_in_any_order(void **state) {
    (void)state;
    ilk_model *model = tennis_model();
    assert_answers(model, "Outlook,Temperature,Humidity,Wind\nSunny,Cool,High,Strong\n", "No Sunny\n");
    assert_answers(model,
                   "extra,Wind,Outlook,Humidity,Temperature\n1,Strong,Sunny,High,Cool\n"
                   "2,Weak,Overcast,Normal,Hot\n",
                   "No 1\nYes 2\n");
    ilk_model_free(model);
}

static void answer__names_a_column_that_is_missing(void **state) {
    (void)state;
    ilk_model *model = tennis_model();
    answered all;
    ilk_error err = {0};
    ilk_str text = str("Outlook,Temperature,Humidty,Wind\nSunny,Cool,High,Strong\n");
    assert_int_equal(answer_text(&all, model, text, 64, 1, NULL, NULL, &err), ILK_EDATA);
    assert_string_equal(err.message, "memory 1: no column 'Humidity' (there is 'Humidty')");
    ilk_buffer_free(&all.text);
    ilk_model_free(model);
}

static void answer__takes_columns_by_place_where_there_are_no_names(void **state) {
    (void)state;
    setting s = usual();
    ilk_model *model = learn_model("u,v,y\n1.5,0.5,a\n2.5,0.25,a\n8.5,0.5,b\n9.5,0.25,b\n", &s, NULL);
    assert_answers(model, "1.25,0.5\n9.25,0.5\n", "a 1.25\nb 9.25\n");
    assert_answers(model, "1.25,0.5,\n9.25,0.5,?\n", "a 1.25\nb 9.25\n");
    ilk_model_free(model);
}

/* Answering needs no weights: they are missing, wrong or elsewhere, and the answers are the same. */
static void answer__needs_no_weights(void **state) {
    (void)state;
    setting s = usual();
    s.plan.weights = "w";
    ilk_model *model = learn_model("u,w,v,y\n1.5,1,0.5,a\n2.5,2,0.25,a\n8.5,1.5,0.5,b\n9.5,1,0.25,b\n", &s, NULL);
    assert_answers(model, "u,v\n1.25,0.5\n9.25,0.5\n", "a 1.25\nb 9.25\n");
    assert_answers(model, "u,w,v\n1.25,heavy,0.5\n9.25,,0.5\n", "a 1.25\nb 9.25\n");
    assert_answers(model, "1.25,0.5\n9.25,0.5\n", "a 1.25\nb 9.25\n");
    assert_answers(model, "1.25,-1,0.5\n9.25,-1,0.5\n", "a 1.25\nb 9.25\n");
    ilk_model_free(model);
}

static void answer__labels_are_known_unknown_or_missing(void **state) {
    (void)state;
    ilk_model *model = tennis_model();
    answered all;
    ilk_tally tally;
    ilk_str text = str("Outlook,Temperature,Humidity,Wind,PlayTennis\nSunny,Cool,High,Strong,No\n"
                       "Sunny,Cool,High,Strong,Maybe\nSunny,Cool,High,Strong,\nSunny,Cool,High,Strong,Yes\n");
    assert_int_equal(answer_text(&all, model, text, 64, 2, NULL, &tally, NULL), ILK_OK);
    assert_int_equal(tally.rows, 4);
    assert_int_equal(tally.unlabelled, 1);
    assert_int_equal(all.unlabelled, 1);
    assert_int_equal(all.unknown, 1);
    assert_int_equal(all.right, 1);
    ilk_buffer_free(&all.text);
    ilk_model_free(model);
}

static void answer__unseen_values_are_refused_where_the_model_says_so(void **state) {
    (void)state;
    setting s = usual();
    s.plan.model = "categorical";
    s.estimate.unseen = ILK_UNSEEN_ERROR;
    ilk_model *model = learn_model(tennis, &s, NULL);
    answered all;
    ilk_tally tally;
    ilk_error err = {0};
    ilk_str text = str("Outlook,Temperature,Humidity,Wind\nSunny,Cool,High,Strong\nFoggy,Cool,High,Strong\n");
    assert_int_equal(answer_text(&all, model, text, 64, 2, NULL, NULL, &err), ILK_EDATA);
    assert_string_equal(err.message, "memory 1:3: column Outlook: 'Foggy' is a value the model has not seen");
    ilk_buffer_free(&all.text);
    s.read.skip_bad_rows = true;
    assert_int_equal(answer_text(&all, model, text, 64, 2, &s.read, &tally, &err), ILK_OK);
    assert_int_equal(tally.rows, 1);
    assert_int_equal(tally.bad, 1);
    ilk_buffer_free(&all.text);
    ilk_model_free(model);
}

/* Rows that cannot be read are counted, and stand among the answers where they stood. */
static void answer__keeps_the_place_of_bad_rows(void **state) {
    (void)state;
    setting s = usual();
    ilk_model *model =
        learn_model("u,v,t,y\n1,0.5,one two three four five six,a\n2,0.25,six five four three two two,a\n"
                    "9,0.5,seven eight nine ten eleven twelve,b\n8,0.75,nine nine ten ten ten one,b\n",
                    &s, NULL);
    static const char text[] = "v,u,t\n0.5,1.25,one\nhalf,1,two words\n0.5,9,ten\n1,2\n,8.5,nine ten\n1,2,3,4\n";
    const ilk_read_options skip = {.skip_bad_rows = true};
    for (size_t block_size = 1; block_size < 1000; block_size *= 10) {
        answered all;
        ilk_tally tally;
        ilk_error err = {0};
        assert_int_equal(answer_text(&all, model, str(text), block_size, 2, &skip, &tally, &err), ILK_OK);
        assert_string_equal(all.text.p, "a 0.5\nbad half\nb 0.5\nbad \nb \nbad \n");
        assert_int_equal(tally.rows, 3);
        assert_int_equal(tally.bad, 3);
        assert_string_equal(tally.first_bad, "memory 1:3: column v: 'half' is not a number");
        ilk_buffer_free(&all.text);
    }
    ilk_model_free(model);
}

/* A live table has seen one line when it is opened. Whether that is a header the schema tells, also where a field
 * recurs or is a number; and that no row follows is found at the end. */
static void answer__knows_a_header_by_the_schema(void **state) {
    (void)state;
    setting s = usual();
    s.plan.target = "y";
    ilk_model *model = learn_model(
        "2019,v,y\n1.5,0.5,a\n2.5,0.25,a\n9.5,0.5,b\n8.5,0.75,b\n",
        &(setting){
            .read = {.header = ILK_HEADER_YES}, .plan = s.plan, .estimate = s.estimate, .block_size = 64, .threads = 1},
        NULL);
    const ilk_read_options live = {.live = true, .schema = ilk_model_schema(model)}, named = {.header = ILK_HEADER_YES};
    answered all;
    ilk_error err = {0};
    assert_int_equal(answer_text(&all, model, str("y,v,2019\ny,0.5,1.25\n"), 64, 2, &live, NULL, &err), ILK_OK);
    assert_string_equal(all.text.p, "a y\n");
    ilk_buffer_free(&all.text);
    assert_int_equal(answer_text(&all, model, str("v,2019\n"), 64, 2, &live, NULL, &err), ILK_OK);
    assert_string_equal(all.text.p, ""); /* its end */
    ilk_buffer_free(&all.text);
    ilk_table *table;
    ilk_str alone = str("v,2019\n"); /* an empty batch, but nothing to learn from */
    assert_int_equal(open_parts(&table, &alone, 1, &named, 64, &err), ILK_EDATA);
    assert_string_equal(err.message, "memory 1: no rows, only a header");
    ilk_model_free(model);
    s.plan.target = "3";
    model = learn_model("1.5,0.5,a\n2.5,0.25,a\n9.5,0.5,b\n8.5,0.75,b\n", &s, NULL); /* columns 1, 2 and 3 */
    const ilk_read_options nameless = {.live = true, .schema = ilk_model_schema(model)};
    assert_int_equal(answer_text(&all, model, str("1,2\n9,1\n"), 64, 2, &nameless, NULL, &err), ILK_OK);
    assert_string_equal(all.text.p, "a 1\nb 9\n");
    ilk_buffer_free(&all.text);
    ilk_model_free(model);
}

static void answer__any_threads_and_blocks_give_the_same_bytes(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_table(&text, 2000);
    ilk_str part = {text.p, text.n};
    setting s = usual();
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    ilk_model *model = learn_model(text.p, &s, NULL);
    answered first, other;
    part.p = text.p;
    assert_int_equal(answer_text(&first, model, part, 4096, 1, NULL, NULL, NULL), ILK_OK);
    assert_int_equal(first.rows, 2000);
    for (size_t threads = 1; threads <= 8; threads *= 2) {
        for (int live = 0; live <= 1; live++) {
            const ilk_read_options options = {.live = live};
            assert_int_equal(answer_text(&other, model, part, 100 * threads, threads, &options, NULL, NULL), ILK_OK);
            assert_string_equal(first.text.p, other.text.p);
            ilk_buffer_free(&other.text);
        }
    }
    ilk_buffer_free(&first.text);
    ilk_model_free(model);
    ilk_buffer_free(&text);
}

static void answer__numbers_are_written_in_shortest_form(void **state) {
    (void)state;
    char buf[32];
    assert_int_equal(ilk_format_number(buf, 0.1), 3);
    assert_string_equal(buf, "0.1");
    ilk_format_number(buf, -INFINITY);
    assert_string_equal(buf, "-inf");
}

/* ---- CS229 2018, problem set 2, ds6: the reference solution's predictions have this accuracy */

static void answer__ds6_is_as_accurate_as_the_reference(void **state) {
    (void)state;
    char train[4096];
    NEED_DATA(path, "cs229_2018/PS2/ds6_train.tsv");
    snprintf(train, sizeof train, "%s", path);
    const char *paths[] = {train, data_path("cs229_2018/PS2/ds6_test.tsv")};
    setting s = usual();
    s.read.format = ILK_FORMAT_LINES;
    s.plan.model = "multinomial";
    s.plan.tokenizer.kind = ILK_WHITESPACE;
    s.estimate.min_docs = 5;
    ilk_error err = {0};
    ilk_table *table;
    ilk_schema *schema;
    ilk_stats *stats;
    ilk_model *model;
    answered all = {0};
    ilk_answer_fns fns = {NULL, commit, &all};
    if (ilk_table_open(&table, &paths[0], 1, &s.read, &err) != ILK_OK)
        fail_msg("%s", err.message);
    assert_int_equal(ilk_table_schema(&schema, table, &s.plan, NULL, NULL, &err), ILK_OK);
    assert_int_equal(ilk_stats_new(&stats, schema, &err), ILK_OK);
    assert_int_equal(ilk_table_learn(stats, table, NULL, NULL, &err), ILK_OK);
    assert_int_equal(ilk_model_estimate(&model, stats, &s.estimate, &err), ILK_OK);
    ilk_table_free(table);
    if (ilk_table_open(&table, &paths[1], 1, &s.read, &err) != ILK_OK)
        fail_msg("%s", err.message);
    assert_int_equal(ilk_table_answer(table, model, &fns, NULL, NULL, &err), ILK_OK);
    assert_int_equal(all.right, 546);
    assert_int_equal(all.rows, 558);
    ilk_buffer_free(&all.text);
    ilk_table_free(table);
    ilk_model_free(model);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
}

/* ---- failures on demand */

#ifdef ILK_FAULTS
/* Fail the first, second, … allocation until the run is clean: an error each time, and no leak (sanitizers tell). */
static void faults__every_allocation_may_fail(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_table(&text, 30);
    ilk_str part = {text.p, text.n};
    setting s = usual();
    s.threads = 1;
    s.block_size = 300;
    bool clean = false;
    for (uint64_t n = 1; !clean; n++) {
        ilk_stats *stats;
        ilk_error err = {0};
        ilk_fault_arm(&ilk_allocation_fault, n, n % 2);
        ilk_status status = learn_parts(&stats, &part, 1, &s, NULL, &err);
        clean = atomic_load(&ilk_allocation_fault.seen) < n;
        ilk_fault_arm(&ilk_allocation_fault, 0, false);
        if (status != ILK_OK) {
            assert_int_equal(status, ILK_ENOMEM);
            assert_true(strncmp(err.message, "out of memory", 13) == 0);
        }
        ilk_stats_free(stats);
    }
    ilk_buffer_free(&text);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learn__several_files_are_one),
        cmocka_unit_test(learn__errors_name_file_line_column_and_value),
        cmocka_unit_test(learn__bad_rows_are_counted_and_leave_no_trace),
        cmocka_unit_test(learn__rows_without_a_label_are_skipped_and_counted),
        cmocka_unit_test(learn__incomplete_rows_are_counted),
        cmocka_unit_test(learn__missing_spellings_may_be_numbers),
        cmocka_unit_test(learn__any_number_of_threads_learns_the_same_bits),
        cmocka_unit_test(learn__weights_are_numbers_from_0_on),
        cmocka_unit_test(learn__blocks_of_any_size_count_the_same),
        cmocka_unit_test(learn__a_pipe_is_read_like_a_file),
        cmocka_unit_test(learn__ends_when_progress_says_stop),
        cmocka_unit_test(schema__tells_how_far_a_look_at_all_rows_has_come),
        cmocka_unit_test(memo__keys_are_the_same_only_where_strings_are),
        cmocka_unit_test(answer__finds_columns_by_name_in_any_order),
        cmocka_unit_test(answer__names_a_column_that_is_missing),
        cmocka_unit_test(answer__takes_columns_by_place_where_there_are_no_names),
        cmocka_unit_test(answer__needs_no_weights),
        cmocka_unit_test(answer__labels_are_known_unknown_or_missing),
        cmocka_unit_test(answer__unseen_values_are_refused_where_the_model_says_so),
        cmocka_unit_test(answer__keeps_the_place_of_bad_rows),
        cmocka_unit_test(answer__knows_a_header_by_the_schema),
        cmocka_unit_test(answer__any_threads_and_blocks_give_the_same_bytes),
        cmocka_unit_test(answer__numbers_are_written_in_shortest_form),
        cmocka_unit_test(answer__ds6_is_as_accurate_as_the_reference),
#ifdef ILK_FAULTS
        cmocka_unit_test(faults__every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
