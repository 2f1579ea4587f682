/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults_data.c - every function of ilk_data.h while memory runs out or files cannot be read.
 *
 * A table serves one pass, and statistics whose learning failed may only be freed, so these are made within a call;
 * what it yields on success is kept in the scene and is part of the digest. The rows have what readers allocate for:
 * quoted fields, long numbers, many words, categories and classes, bad rows, in two files. */
#include "faults.h"

#include "core/buffer.h"
#include "data/table.h"

#include <ilk_data.h>

#include <sys/stat.h>
#include <unistd.h>

struct scene {
    char path[2][256];
    ilk_table *open, *sampled; /* one to infer from, one that has been learnt and keeps rows */
    ilk_schema *schema;
    ilk_stats *stats; /* of the one that has been learnt */
    ilk_model *model;
    /* what calls yielded */
    ilk_stats *learnt;
    ilk_buffer text;
    ilk_loo loo;
};

static void write_file(const char *path, size_t first, size_t n) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("x,colour,note,w,y\n", f);
    for (size_t i = first; i < first + n; i++) {
        if (i % 9 == 4)
            fputs("far,too,short\n", f); /* a bad row */
        fprintf(f, "%zu.%zu%s,%s,\"word%zu and \"\"word%zu\"\" in a row of %zu words\",%zu,%s\n", i % 7, i,
                i % 10 ? ""
                       : "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                         "000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
                i % 3   ? "red"
                : i % 2 ? "blue"
                        : "a colour of a very long name for which dictionaries must grow",
                i % 40, i % 17, i, 1 + i % 2, i % 2 ? "a" : "b");
    }
    fclose(f);
}

static ilk_status open_files(ilk_table **out, const scene *s, ilk_error *err) {
    const char *const paths[] = {s->path[0], s->path[1]};
    ilk_read_options o;
    ilk_read_options_init(&o);
    o.skip_bad_rows = true;
    *out = garbage;
    ilk_status status = ilk_table_open(out, paths, 2, &o, err);
    assert_int_equal(status == ILK_OK, *out != NULL);
    return status;
}

/* Statistics of a table, or NULL. */
static ilk_status learn(ilk_stats **out, ilk_table *input, const ilk_schema *schema, size_t threads, ilk_error *err) {
    const ilk_run run = {.threads = threads, .sample = 20, .seed = 3, .max_words = 1000};
    ilk_tally tally;
    ilk_status status = ilk_stats_new(out, schema, err);
    if (status == ILK_OK)
        status = ilk_table_learn(*out, input, &run, &tally, err);
    if (status != ILK_OK) {
        ilk_stats_free(*out);
        *out = NULL;
    } else {
        if (tally.rows != 60 || tally.bad != 7)
            fail_msg("%llu rows, %llu bad: %s", (unsigned long long)tally.rows, (unsigned long long)tally.bad,
                     tally.first_bad);
    }
    return status;
}

/* The path of a file of these bytes. */
static const char *file_with(const char *name, const char *text) {
    FILE *f = fopen(temp_path(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return temp_path(name);
}

/* Made once; nobody changes it. */
static void make_folder(void) {
    static const char *const folders[] = {"mail", "mail/ham", "mail/spam", "mail/spam/old"};
    if (mkdir(temp_path(folders[0]), 0755) != 0)
        return;
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(mkdir(temp_path(folders[i]), 0755), 0);
    file_with("mail/ham/1", "see you at noon\n");
    file_with("mail/spam/old/2", "win a prize now\n");
    assert_int_equal(symlink("old/2", temp_path("mail/spam/3")), 0);
}

static scene *scene_new(void) {
    scene *s = make(1, sizeof *s);
    ilk_plan plan;
    make_folder();
    for (size_t i = 0; i < 2; i++) {
        snprintf(s->path[i], sizeof s->path[i], "%s", temp_path(i ? "second.csv" : "first.csv"));
        write_file(s->path[i], 30 * i, 30);
    }
    assert_ok(open_files(&s->open, s, &failure));
    assert_ok(open_files(&s->sampled, s, &failure));
    ilk_plan_init(&plan);
    plan.weights = "w";
    assert_ok(ilk_table_schema(&s->schema, s->open, &plan, NULL, NULL, &failure));
    assert_ok(learn(&s->stats, s->sampled, s->schema, 1, &failure));
    s->model = estimated(s->stats, NULL);
    return s;
}

static void scene_free(scene *s) {
    ilk_table_free(s->open);
    ilk_table_free(s->sampled);
    ilk_schema_free(s->schema);
    ilk_model_free(s->model);
    ilk_stats_free(s->stats);
    ilk_stats_free(s->learnt);
    ilk_buffer_free(&s->text);
    free(s);
}

static bytes scene_digest(const scene *s) {
    ilk_buffer b = {0};
    bytes file = {0};
    if (s->learnt) {
        ilk_model *m = estimated(s->learnt, NULL);
        assert_ok(ilk_model_save(m, s->learnt, temp_path("digest"), &failure));
        file = read_file(temp_path("digest"));
        remove(temp_path("digest"));
        ilk_model_free(m);
    }
    assert_int_equal(ilk_buffer_add(&b, "", 1), ILK_OK);
    assert_int_equal(ilk_buffer_add(&b, file.p, file.n), ILK_OK);
    assert_int_equal(ilk_buffer_add(&b, s->text.p, s->text.n), ILK_OK);
    assert_int_equal(ilk_buffer_add(&b, &s->loo.accuracy, sizeof s->loo.accuracy), ILK_OK);
    assert_int_equal(ilk_buffer_add(&b, &s->loo.log_loss, sizeof s->loo.log_loss), ILK_OK);
    free(file.p);
    return (bytes){(unsigned char *)b.p, b.n};
}

/* ---- one call each */

/* Of a folder all documents are listed: two in folders, one of them in one of its own, and a link. */
static ilk_status open_folder(ilk_error *err) {
    const char *const root = temp_path("mail");
    ilk_table *input = garbage;
    ilk_status status = ilk_table_open(&input, &root, 1, NULL, err);
    assert_int_equal(status == ILK_OK, input != NULL);
    if (status == ILK_OK)
        assert_int_equal(ilk_table_columns(input), 3);
    ilk_table_free(input);
    return status;
}

static ilk_status call_open(scene *s, ilk_error *err) {
    ilk_table *input;
    ilk_status status = open_files(&input, s, err);
    if (status == ILK_OK)
        assert_int_equal(ilk_table_columns(input), 5);
    ilk_table_free(input);
    return status == ILK_OK ? open_folder(err) : status;
}

/* A stream of one batch: a column of numbers and one of strings. test_arrow.c looks at what is read. */
static void release_type(struct ArrowSchema *s) {
    s->release = NULL;
}

static void release_values(struct ArrowArray *a) {
    a->release = NULL;
}

static void release_stream(struct ArrowArrayStream *s) {
    s->release = NULL;
}

static int arrow_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    static struct ArrowSchema x = {.format = "g", .name = "x"}, y = {.format = "u", .name = "y"}, *both[] = {&x, &y};
    (void)stream;
    *out = (struct ArrowSchema){.format = "+s", .n_children = 2, .children = both, .release = release_type};
    return 0;
}

static int arrow_batch(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    static const double values[] = {1.5, 2, 3};
    static const int32_t offsets[] = {0, 1, 2, 3};
    static const void *of_x[] = {NULL, values}, *of_y[] = {NULL, offsets, "aba"}, *none[] = {NULL};
    static struct ArrowArray x = {.length = 3, .n_buffers = 2, .buffers = of_x},
                             y = {.length = 3, .n_buffers = 3, .buffers = of_y}, *both[] = {&x, &y};
    *out = (struct ArrowArray){.length = 3, .n_buffers = 1, .buffers = none, .n_children = 2, .children = both};
    out->release = stream->private_data ? release_values : NULL;
    stream->private_data = NULL; /* there is no second */
    return 0;
}

static ilk_status call_arrow(scene *s, ilk_error *err) {
    struct ArrowArrayStream stream = {arrow_schema, arrow_batch, NULL, release_stream, s};
    ilk_table *input = garbage;
    ilk_status status = ilk_table_from_arrow(&input, &stream, NULL, err);
    assert_int_equal(status == ILK_OK, input != NULL);
    assert_null(stream.release);
    if (status == ILK_OK)
        assert_int_equal(ilk_table_columns(input), 2);
    ilk_table_free(input);
    return status;
}

/* Notes are for people: they go where nothing is asserted. */
static void ignore_note(void *ctx, const char *note) {
    (void)ctx, (void)note;
}

/* The kinds and families that were inferred, as text. */
static ilk_status call_schema(scene *s, ilk_error *err) {
    ilk_plan plan;
    ilk_schema *schema = garbage;
    char line[128], stop[256], dictionary[256];
    ilk_plan_init(&plan);
    plan.ignore = "w";
    snprintf(stop, sizeof stop, "%s", file_with("stop", "in\nThe\n"));
    snprintf(dictionary, sizeof dictionary, "%s", file_with("dictionary", "word1\nword2\n\xe5\x85\x8d\xe8\xb4\xb9\n"));
    plan.stop = stop;
    plan.dictionary = dictionary;
    ilk_status status = ilk_table_schema(&schema, s->open, &plan, ignore_note, NULL, err);
    assert_int_equal(status == ILK_OK, schema != NULL);
    for (size_t j = 0; schema && j < ilk_schema_columns(schema); j++) {
        const ilk_column *c = ilk_schema_column(schema, j);
        int n = snprintf(line, sizeof line, "%d %d %s\n", c->kind, c->role, c->family ? c->family : "");
        bool full = ilk_buffer_add(&s->text, line, (size_t)n) != ILK_OK;
        if (full) { /* our own buffer met the fault, not the library */
            ilk_schema_free(schema);
            ilk_buffer_free(&s->text);
            s->text = (ilk_buffer){0};
            return ilk_fail_memory(err);
        }
    }
    ilk_schema_free(schema);
    return status;
}

static ilk_status learn_files(scene *s, size_t threads, ilk_error *err) {
    ilk_table *input;
    ilk_status status = open_files(&input, s, err);
    if (status == ILK_OK)
        status = learn(&s->learnt, input, s->schema, threads, err);
    ilk_table_free(input);
    return status;
}

/* By several threads first, so that faults meet them too. */
static ilk_status call_learn(scene *s, ilk_error *err) {
    ilk_status status = learn_files(s, 3, err);
    ilk_stats_free(s->learnt);
    s->learnt = NULL;
    return status == ILK_OK ? learn_files(s, 1, err) : status;
}

static ilk_status call_leave_one_out(scene *s, ilk_error *err) {
    ilk_loo loo = {0};
    ilk_status status = ilk_table_leave_one_out(&loo, s->sampled, s->model, 1, err);
    if (status == ILK_OK) {
        assert_int_equal(loo.n, 20);
        s->loo = loo;
    }
    return status;
}

/* With nothing to choose: see test_faults.c. */
static ilk_status call_choose(scene *s, ilk_error *err) {
    ilk_options o = options_of(0.5);
    ilk_loo loo;
    ilk_status status = ilk_table_choose(&o, &loo, s->sampled, s->stats, 1, err);
    if (status == ILK_OK)
        s->loo = loo;
    return status;
}

static ilk_status call_leave_each_out(scene *s, ilk_error *err) {
    ilk_table *input;
    ilk_tally tally;
    ilk_loo loo;
    ilk_status status = open_files(&input, s, err);
    if (status == ILK_OK)
        status = ilk_table_leave_each_out(&loo, input, s->model, &(ilk_run){.threads = 1}, &tally, err);
    if (status == ILK_OK) {
        assert_true(loo.n == 60 && tally.rows == 60 && tally.bad == 7);
        s->loo = loo;
    }
    ilk_table_free(input);
    return status;
}

static ilk_status format(void *ctx, const ilk_answers *answers, ilk_text *text, ilk_error *err) {
    (void)ctx;
    for (size_t i = 0; i < answers->n; i++) {
        ilk_str note = ilk_answers_field(answers, i, 2);
        if (ilk_text_add(text, note.p, note.n) != ILK_OK || ilk_text_number(text, answers->log_joint[i]) != ILK_OK)
            return ilk_fail_memory(err);
    }
    return ILK_OK;
}
/* Blocks may have been committed before a failure. */
static ilk_status commit(void *ctx, const ilk_answers *answers, const char *text, size_t n, ilk_error *err) {
    scene *s = ctx;
    (void)answers;
    return ilk_buffer_add(&s->text, text, n) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}
static ilk_status call_answer(scene *s, ilk_error *err) {
    const ilk_answer_fns fns = {format, commit, s};
    const ilk_run run = {.threads = 1};
    ilk_table *input;
    ilk_status status = open_files(&input, s, err);
    if (status == ILK_OK)
        status = ilk_table_answer(input, s->model, &fns, &run, NULL, err);
    if (status != ILK_OK) {
        ilk_buffer_free(&s->text);
        s->text = (ilk_buffer){0};
    }
    ilk_table_free(input);
    return status;
}

/* All that cannot fail, and so must not allocate. */
static ilk_status call_looks(scene *s, ilk_error *err) {
    ilk_read_options read;
    ilk_plan plan;
    char number[32];
    size_t j;
    (void)err;
    ilk_read_options_init(&read);
    ilk_plan_init(&plan);
    assert_int_equal(ilk_table_columns(s->open), 5);
    assert_int_equal(ilk_table_column(s->open, 4).n, 1);
    assert_int_equal(ilk_table_find(&j, s->open, (ilk_str){"5", 1}, NULL), ILK_OK);
    assert_int_equal(j, 4);
    assert_int_equal(ilk_format_number(number, 0.1), 3);
    ilk_table_free(NULL);
    return ILK_OK;
}

static ilk_status call_find_all(scene *s, ilk_error *err) {
    bool found[5] = {false};
    ilk_status status = ilk_table_find_all(found, s->open, "\"5\",2", err);
    assert_true(status != ILK_OK || (!found[0] && found[1] && !found[2] && !found[3] && found[4]));
    return status;
}

static const call calls[] = {
    {"ilk_read_options_init ilk_plan_init ilk_table_columns ilk_table_column ilk_table_find ilk_format_number "
     "ilk_table_free",
     call_looks, 0},
    {"ilk_table_find_all", call_find_all, ALLOCATES},
    {"ilk_table_open", call_open, ALLOCATES | DOES_IO},
    {"ilk_table_from_arrow", call_arrow, ALLOCATES},
    {"ilk_table_schema", call_schema, ALLOCATES | DOES_IO | CHANGES},
    {"ilk_table_learn", call_learn, ALLOCATES | DOES_IO | CHANGES},
    {"ilk_table_leave_one_out", call_leave_one_out, ALLOCATES | CHANGES},
    {"ilk_table_choose", call_choose, ALLOCATES | CHANGES},
    {"ilk_table_leave_each_out", call_leave_each_out, ALLOCATES | DOES_IO | CHANGES},
    {"ilk_table_answer ilk_answers_field ilk_text_add ilk_text_number", call_answer, ALLOCATES | DOES_IO | CHANGES},
};
static const suite tried = {"ilk_data.h", calls, sizeof calls / sizeof *calls};

#ifdef ILK_FAULTS
static void every_allocation__may_fail_once(void **state) {
    (void)state;
    fail_all(&ilk_allocation_fault, false);
}

static void every_allocation__may_fail_from_then_on(void **state) {
    (void)state;
    fail_all(&ilk_allocation_fault, true);
}

static void every_file_operation__may_fail(void **state) {
    (void)state;
    fail_all(&ilk_io_fault, false);
    fail_all(&ilk_io_fault, true);
}
#endif

#ifdef ILK_FAULTS
/* ---- memory: that of the statistics, of the rows looked at ahead, and one chunk per thread */

enum { BLOCK = 1 << 14 };

typedef struct use {
    size_t peak, kept; /* while learning, and by the statistics */
} use;

static use memory_of_learning(ilk_str text, size_t threads) {
    ilk_feed feed;
    ilk_table *input;
    ilk_schema *schema;
    ilk_stats *stats;
    ilk_read_options o;
    const ilk_run run = {.threads = threads};
    size_t before = atomic_load(&ilk_memory_used);
    ilk_read_options_init(&o);
    assert_ok(ilk_feed_memory(&feed, &text, 1, 1 << 12, &failure));
    assert_ok(ilk_table_open_feed(&input, &feed, &o, BLOCK, &failure));
    assert_ok(ilk_table_schema(&schema, input, NULL, NULL, NULL, &failure));
    size_t opened = atomic_load(&ilk_memory_used);
    assert_ok(ilk_stats_new(&stats, schema, &failure));
    ilk_schema_free(schema);
    atomic_store(&ilk_memory_peak, opened);
    assert_ok(ilk_table_learn(stats, input, &run, NULL, &failure));
    use u = {.peak = atomic_load(&ilk_memory_peak) - before};
    ilk_table_free(input);
    u.kept = atomic_load(&ilk_memory_used) - before;
    ilk_stats_free(stats);
    assert_int_equal(atomic_load(&ilk_memory_used), before); /* and nothing is left */
    return u;
}

static ilk_str many_rows(size_t n) {
    char *text = make(n + 1, 40);
    size_t used = (size_t)sprintf(text, "x,z,c,note,y\n");
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%zu.%zu,%zu,%s,w%zu v%zu,%s\n", i % 7, i % 90, i * i % 1000,
                                i % 3 ? "red" : "blue", i % 50, i % 30, i % 2 ? "a" : "b");
    return (ilk_str){text, used};
}

static void memory__does_not_grow_with_rows(void **state) {
    (void)state;
    ilk_str few = many_rows(ILK_AHEAD_ROWS + 10000), many = many_rows(4 * ILK_AHEAD_ROWS);
    use a = memory_of_learning(few, 1), b = memory_of_learning(many, 1), c = memory_of_learning(many, 2),
        d = memory_of_learning(many, 5);
    printf("# peak %zu and %zu for three times the rows, %zu with 2 threads, %zu with 5; statistics %zu\n", a.peak,
           b.peak, c.peak, d.peak, b.kept);
    assert_in_range(b.kept, a.kept - 256, a.kept + 256); /* malloc rounds up by what lies beside */
    assert_true(d.kept <= 2 * b.kept);                   /* parts of threads are put together: other spare room */
    assert_true(b.peak <= a.peak + BLOCK);
    /* A chunk is a block, its fields, its numbers, codes and words, and a part of the statistics. */
    size_t chunk = 8 * BLOCK + 2 * b.kept;
    assert_true(c.peak <= b.peak + chunk && d.peak <= b.peak + 4 * chunk);
    free((void *)(uintptr_t)few.p);
    free((void *)(uintptr_t)many.p);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header__declares_no_function_that_is_not_tried_here),
        cmocka_unit_test(every_function__succeeds_without_faults),
#ifdef ILK_FAULTS
        cmocka_unit_test(every_allocation__may_fail_once),
        cmocka_unit_test(every_allocation__may_fail_from_then_on),
        cmocka_unit_test(every_file_operation__may_fail),
        cmocka_unit_test(memory__does_not_grow_with_rows),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
