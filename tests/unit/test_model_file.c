/* SPDX-License-Identifier: Apache-2.0 */
/* test_model_file.c - saving and opening: the same answers, the same bytes, and clear refusals. */
#include "fixtures.h"

#include "model/model.h"

#include <fcntl.h>

static const char *const columns = "id:- x:gda c:categorical y:gda t:multinomial z:gaussian u:multinomial k";
static const char *const rows =
    "r1,1,red,2,hot day,0.5,a,p\nr2,2,blue,1,,0.25,b,q\nr3,4,red,4,cold cold,3,,q\n"
    "r4,0,,3,day,1,a b,p\nr5,5,green,1,hot,2,c,p\nr6,,blue,2,day hot hot,,c c,q\nr7,3,red,7,cold,5,a,q\n";

static ilk_stats *mixed_stats(void) {
    ilk_schema *schema = schema_of(columns);
    ilk_stats *s;
    assert_ok(ilk_schema_add_missing(schema, str("NA"), &failure));
    assert_ok(ilk_stats_new(&s, schema, &failure));
    ilk_schema_free(schema);
    table t = table_of(rows);
    assert_ok(try_learn(s, &t, false));
    table_free(&t);
    return s;
}

static void assert_same_answers(const ilk_model *a, const ilk_model *b) {
    table t = table_of(rows);
    double *x = log_joints(a, &t), *y = log_joints(b, &t);
    assert_int_equal(ilk_model_classes(a), ilk_model_classes(b));
    assert_memory_equal(x, y, t.n * ilk_model_classes(a) * sizeof *x);
    free(x);
    free(y);
    table_free(&t);
}

static void file__gives_the_same_answers_opened_or_read(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats();
    ilk_options o = {
        .smooth = 0.5, .prior = ILK_PRIOR_SMOOTHED, .floor = 1e-9, .min_docs = 1, .unseen = ILK_UNSEEN_UNKNOWN};
    ilk_model *m = estimated(s, &o), *opened, *read;
    bytes b = saved(m, s);
    assert_ok(ilk_model_open(&opened, temp_path("saved.bayes"), &failure));
    assert_ok(ilk_model_read(&read, b.p, b.n, &failure));
    assert_same_answers(m, opened);
    assert_same_answers(m, read);
    assert_true(opened->bytes.mapped);
    const ilk_options *kept = ilk_model_options(opened);
    assert_true(kept->smooth == 0.5 && kept->prior == ILK_PRIOR_SMOOTHED && kept->unseen == ILK_UNSEEN_UNKNOWN);
    assert_ok(ilk_schema_same(ilk_model_schema(opened), ilk_stats_schema(s), &failure));
    assert_string_equal(text_of(ilk_schema_missing(ilk_model_schema(opened), 0)), "NA");
    assert_int_equal(ilk_schema_column(ilk_model_schema(opened), 0)->role, ILK_IGNORED);
    for (uint32_t k = 0; k < 2; k++)
        assert_true(ilk_model_log_prior(opened, k) == ilk_model_log_prior(m, k));
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_model_free(read);
    ilk_stats_free(s);
}

/* Options kept in the file are enough to estimate the same model again, given priors included. */
static void file__keeps_all_options_that_estimating_takes(void **state) {
    (void)state;
    const ilk_given given[] = {{str("q"), 0.125}};
    const ilk_options o = {.smooth = 0.25,
                           .prior = ILK_PRIOR_GIVEN,
                           .given = given,
                           .givens = 1,
                           .floor = 1e-3,
                           .shrink = 0.5,
                           .divisor = ILK_DIVISOR_N_MINUS_K,
                           .vocab = 3,
                           .min_docs = 2,
                           .unseen = ILK_UNSEEN_UNKNOWN,
                           .text_family = "bernoulli"};
    ilk_stats *s = mixed_stats();
    ilk_model *m = estimated(s, &o), *opened, *again;
    assert_ok(ilk_model_save(m, NULL, temp_path("slim.bayes"), &failure));
    assert_ok(ilk_model_open(&opened, temp_path("slim.bayes"), &failure));
    const ilk_options *k = ilk_model_options(opened);
    assert_true(k->smooth == o.smooth && k->prior == o.prior && k->floor == o.floor && k->shrink == o.shrink &&
                k->divisor == o.divisor && k->vocab == o.vocab && k->min_docs == o.min_docs && k->unseen == o.unseen);
    assert_int_equal(k->givens, 1);
    assert_string_equal(text_of(k->given[0].name), "q");
    assert_true(k->given[0].p == 0.125);
    ilk_options same = *k;
    same.text_family = "bernoulli"; /* the statistics here are still those of a multinomial schema */
    assert_ok(ilk_model_estimate(&again, s, &same, &failure));
    bytes a = saved(m, NULL), b = saved(again, NULL);
    assert_same_bytes(a, b);
    free(a.p);
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(again);
    ilk_model_free(opened);
    ilk_stats_free(s);
}

static void file__is_the_same_bytes_every_time(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats(), *t = mixed_stats();
    ilk_model *m = estimated(s, NULL), *n = estimated(t, NULL);
    bytes a = saved(m, s), b = saved(m, s), c = saved(n, t);
    assert_same_bytes(a, b);
    assert_same_bytes(a, c);
    free(a.p);
    free(b.p);
    free(c.p);
    ilk_model_free(m);
    ilk_model_free(n);
    ilk_stats_free(s);
    ilk_stats_free(t);
}

static void assert_kept(const ilk_stats *s) {
    ilk_stats *kept;
    ilk_model *m = estimated(s, NULL), *opened, *again;
    bytes first = saved(m, s), second, third;
    assert_ok(ilk_model_open(&opened, temp_path("saved.bayes"), &failure));
    assert_ok(ilk_model_stats(&kept, opened, &failure));
    second = saved(opened, kept); /* over the file that is mapped */
    assert_same_bytes(first, second);
    again = estimated(kept, NULL); /* statistics are all that a model needs */
    third = saved(again, kept);
    assert_same_bytes(first, third);
    assert_true(ilk_stats_rows(kept) == ilk_stats_rows(s));
    free(first.p);
    free(second.p);
    free(third.p);
    ilk_stats_free(kept);
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_model_free(again);
}

static void file__keeps_its_bytes_through_opening_and_saving(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats();
    assert_kept(s);
    ilk_stats_free(s);
}

/* Weights that are no whole numbers, less than 1 in sum, and a class that has no value of c. */
static void file__keeps_sums_of_fractional_weights(void **state) {
    (void)state;
    static const char *const some = "x:gaussian c:categorical v:gda w:gda t:multinomial k";
    ilk_stats *s = stats_of(some, NULL), *alone;
    table t = table_of("1,u,2,1,a b,p\n2,v,1,3,b,p\n4,u,0,0,a a,p\n3,,4,2,b,q\n5,,1,1,c,q\n7,,2,5,a,q\n");
    batch b = batch_for_stats(s, &t);
    b.rows.weight = (double[]){0.1, 0.3, 0.2, 0.05, 0.1, 0.2};
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    assert_kept(s);
    assert_ok(ilk_stats_save(s, NULL, temp_path("alone.bayes"), &failure)); /* and without a model */
    assert_ok(ilk_stats_open(&alone, temp_path("alone.bayes"), &failure));
    assert_true(ilk_stats_rows(alone) == ilk_stats_rows(s) && ilk_stats_rows(s) < 1);
    ilk_stats_free(alone);
    batch_free(&b);
    table_free(&t);
    ilk_stats_free(s);
}

static void file__keeps_classes_without_values(void **state) {
    (void)state;
    char text[2048];
    size_t n = (size_t)snprintf(text, sizeof text, "u,first\n");
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, ",k%d\n", i);
    ilk_stats *s = learnt("c:categorical k", text);
    assert_kept(s);
    ilk_stats_free(s);
}

static void file__grows_by_what_is_learnt_after_opening(void **state) {
    (void)state;
    table t = table_of(rows), first = table_part(&t, 0, 4), rest = table_part(&t, 4, 3);
    static const char *const count_columns = "id:- x:- c:categorical y:- t:multinomial z:- u:multinomial k";
    ilk_stats *whole = stats_of(count_columns, &t), *part = stats_of(count_columns, &first), *kept;
    ilk_model *m = estimated(part, NULL), *opened, *of_whole = estimated(whole, NULL), *of_kept;
    bytes b = saved(m, part), expected = saved(of_whole, whole), got;
    assert_ok(ilk_model_read(&opened, b.p, b.n, &failure));
    assert_ok(ilk_model_stats(&kept, opened, &failure));
    assert_ok(try_learn(kept, &rest, false));
    of_kept = estimated(kept, NULL);
    got = saved(of_kept, kept);
    assert_same_bytes(expected, got);
    free(b.p);
    free(expected.p);
    free(got.p);
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_model_free(of_whole);
    ilk_model_free(of_kept);
    ilk_stats_free(whole);
    ilk_stats_free(part);
    ilk_stats_free(kept);
    table_free(&t);
}

static void slim_file__answers_and_holds_no_statistics(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats(), *none;
    ilk_model *m = estimated(s, NULL), *slim;
    bytes full = saved(m, s), b = saved(m, NULL);
    assert_true(b.n < full.n);
    assert_ok(ilk_model_read(&slim, b.p, b.n, &failure));
    assert_same_answers(m, slim);
    assert_fails(ILK_EDATA, "holds no statistics", ilk_model_stats(&none, slim, &failure));
    assert_null(none);
    free(full.p);
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(slim);
    ilk_stats_free(s);
}

static bytes saved_alone(const ilk_stats *s, const ilk_options *o) {
    assert_ok(ilk_stats_save(s, o, temp_path("alone.bayes"), &failure));
    return read_file(temp_path("alone.bayes"));
}

/* The parts have a class each, and the texts of one no word. */
static void statistics_alone__merge_to_the_file_of_all_rows(void **state) {
    (void)state;
    static const char *const shard_columns = "x:gaussian c:categorical t:multinomial y";
    ilk_stats *whole = learnt(shard_columns, "1,u,aa bb,p\n2,v,bb,p\n4,u,,q\n3,w,,q\n"), *a, *b;
    ilk_stats *p = learnt(shard_columns, "1,u,aa bb,p\n2,v,bb,p\n"), *q = learnt(shard_columns, "4,u,,q\n3,w,,q\n");
    ilk_model *m = estimated(whole, NULL), *none = (ilk_model *)1, *merged;
    bytes expected = saved(m, whole), of_p = saved_alone(p, NULL), of_q = saved_alone(q, NULL), got;
    assert_fails(ILK_EDATA, "only one class", ilk_model_estimate(&merged, p, NULL, &failure));
    assert_ok(ilk_stats_read(&a, of_p.p, of_p.n, &failure));
    assert_ok(ilk_stats_open(&b, temp_path("alone.bayes"), &failure));
    assert_ok(ilk_stats_merge(b, a, &failure));
    merged = estimated(b, ilk_stats_options(b));
    got = saved(merged, b);
    assert_same_bytes(expected, got);
    assert_fails(ILK_EDATA, "no model", ilk_model_read(&none, of_q.p, of_q.n, &failure));
    assert_null(none);
    assert_fails(ILK_EDATA, temp_path("alone.bayes"), ilk_model_open(&none, temp_path("alone.bayes"), &failure));
    assert_null(none);
    bytes *all[] = {&expected, &of_p, &of_q, &got};
    for (size_t i = 0; i < 4; i++)
        free(all[i]->p);
    ilk_model_free(m);
    ilk_model_free(merged);
    ilk_stats *stats[] = {whole, p, q, a, b};
    for (size_t i = 0; i < 5; i++)
        ilk_stats_free(stats[i]);
}

static void statistics__know_the_options_of_their_file(void **state) {
    (void)state;
    ilk_stats *s = learnt("c:categorical y", "u,p\nv,p\n"), *kept, *again;
    ilk_given given[] = {{str("p"), 0.25}, {str("elsewhere"), 0.5}};
    ilk_options o = options_of(0.125);
    o.prior = ILK_PRIOR_GIVEN;
    o.given = given;
    o.givens = 2;
    o.vocab = 7;
    o.divisor = ILK_DIVISOR_N_MINUS_1;
    assert_true(ilk_stats_options(s)->smooth == 1); /* the defaults */
    bytes first = saved_alone(s, &o), second;
    assert_ok(ilk_stats_read(&kept, first.p, first.n, &failure));
    const ilk_options *k = ilk_stats_options(kept);
    assert_true(k->smooth == 0.125 && k->vocab == 7 && k->divisor == ILK_DIVISOR_N_MINUS_1 && k->givens == 2);
    assert_true(k->given[0].p == 0.5 && ilk_str_equal(k->given[0].name, str("elsewhere"))); /* by name */
    assert_true(k->given[1].p == 0.25 && ilk_str_equal(k->given[1].name, str("p")));
    assert_true(ilk_stats_alone(kept) && !ilk_stats_alone(s));
    second = saved_alone(kept, NULL); /* as they were */
    assert_same_bytes(first, second);
    assert_ok(ilk_stats_open(&again, temp_path("alone.bayes"), &failure));
    assert_ok(ilk_stats_merge(s, again, &failure));
    assert_true(ilk_stats_options(s)->smooth == 1); /* merging leaves them */
    free(first.p);
    free(second.p);
    ilk_stats_free(s);
    ilk_stats_free(kept);
    ilk_stats_free(again);
}

static void statistics_alone__refuse_what_no_model_could_be_of(void **state) {
    (void)state;
    ilk_stats *s = learnt("c:categorical y", "u,p\nv,p\n"), *empty;
    ilk_schema *schema = schema_of("c:categorical y");
    assert_ok(ilk_stats_new(&empty, schema, &failure));
    const char *path = temp_path("refused.bayes");
    ilk_options o = options_of(-1);
    assert_fails(ILK_EARG, "smoothing by -1", ilk_stats_save(s, &o, path, &failure));
    o = options_of(ILK_LOO);
    assert_fails(ILK_EARG, "leave-one-out", ilk_stats_save(s, &o, path, &failure));
    o = options_of(1);
    o.text_family = "bernoulli";
    assert_fails(ILK_EARG, "bernoulli", ilk_stats_save(s, &o, path, &failure));
    ilk_given given[] = {{str("p"), 0.25}, {str("p"), 0.5}};
    o = options_of(1);
    o.prior = ILK_PRIOR_GIVEN;
    o.given = given;
    o.givens = 2;
    assert_fails(ILK_EARG, "two priors for class p: 0.25 and 0.5", ilk_stats_save(s, &o, path, &failure));
    assert_fails(ILK_EDATA, "no row", ilk_stats_save(empty, NULL, path, &failure));
    assert_int_equal(access(path, F_OK), -1);
    ilk_stats_free(s);
    ilk_stats_free(empty);
    ilk_schema_free(schema);
}

static void file__of_another_family_keeps_statistics_of_both(void **state) {
    (void)state;
    ilk_stats *s = learnt("a:gda b:gda y", "1,2,p\n2,1,p\n5,5,p\n3,8,q\n4,1,q\n0,0,q\n"), *kept;
    ilk_options o = options_of(1);
    o.real_family = "qda";
    ilk_model *m = estimated(s, &o), *opened, *gda = estimated(s, NULL), *back;
    bytes b = saved(m, s), first = saved(gda, s), second;
    assert_ok(ilk_model_read(&opened, b.p, b.n, &failure));
    assert_string_equal(ilk_schema_column(ilk_model_schema(opened), 0)->family, "qda");
    assert_ok(ilk_model_stats(&kept, opened, &failure));
    o.real_family = "gda";
    back = estimated(kept, &o);
    second = saved(back, kept);
    assert_same_bytes(first, second);
    free(b.p);
    free(first.p);
    free(second.p);
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_model_free(gda);
    ilk_model_free(back);
    ilk_stats_free(s);
    ilk_stats_free(kept);
}

static void save__refuses_statistics_of_another_schema(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats(), *other = learnt("z:gaussian y", "1,a\n2,b\n");
    ilk_model *m = estimated(s, NULL);
    assert_fails(ILK_EARG, "the schemas differ in column 1", ilk_model_save(m, other, temp_path("refused"), &failure));
    assert_int_equal(access(temp_path("refused"), F_OK), -1);
    assert_fails(ILK_EIO, "cannot write", ilk_model_save(m, s, temp_path("no/folder"), &failure));
    ilk_model_free(m);
    ilk_stats_free(s);
    ilk_stats_free(other);
}

static void open__reads_a_pipe(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats();
    ilk_model *m = estimated(s, NULL), *piped;
    bytes b = saved(m, s);
    int end[2];
    char path[64];
    assert_int_equal(pipe(end), 0);
    assert_true(b.n < 60000);
    assert_int_equal(write(end[1], b.p, b.n), b.n);
    close(end[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
    assert_ok(ilk_model_open(&piped, path, &failure));
    close(end[0]);
    assert_same_answers(m, piped);
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(piped);
    ilk_stats_free(s);
}

static void open__says_what_a_file_is_not(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats();
    ilk_model *m = estimated(s, NULL), *bad = m;
    bytes b = saved(m, s);
    assert_fails(ILK_EFORMAT, "not a model file", ilk_model_read(&bad, "", 0, &failure));
    assert_null(bad);
    assert_fails(ILK_EFORMAT, "not a model file", ilk_model_read(&bad, "outlook,play\nsunny,no\n", 22, &failure));
    b.p[8] = 2;
    assert_fails(ILK_EFORMAT, "a model file of version 2; this Ilk reads version 1",
                 ilk_model_read(&bad, b.p, b.n, &failure));
    b.p[8] = 1;
    assert_fails(ILK_EFORMAT, "bytes, of which 100 are here", ilk_model_read(&bad, b.p, 100, &failure));
    FILE *f = fopen(temp_path("cut.bayes"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(b.p, 1, 1000, f), 1000);
    fclose(f);
    assert_fails(ILK_EFORMAT, temp_path("cut.bayes"), ilk_model_open(&bad, temp_path("cut.bayes"), &failure));
    assert_null(bad);
    assert_fails(ILK_EIO, "No such file", ilk_model_open(&bad, temp_path("absent.bayes"), &failure));
    assert_fails(ILK_EIO, "it is a folder", ilk_model_open(&bad, folder, &failure));
    assert_null(bad);
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(NULL);
    ilk_stats_free(s);
}

static void tokenizer__is_kept(void **state) {
    (void)state;
    ilk_schema *schema = schema_of("k");
    ilk_column c = {.name = str("t"),
                    .kind = ILK_TEXT,
                    .family = "multinomial",
                    .tokenizer = {.kind = ILK_CHARS, .keep_case = true, .ngram_min = 2, .ngram_max = 8}};
    ilk_stats *s;
    table t = table_of("p,a b\nq,b c\n");
    assert_ok(ilk_schema_add(schema, &c, &failure));
    assert_ok(ilk_stats_new(&s, schema, &failure));
    assert_ok(try_learn(s, &t, false));
    ilk_model *m = estimated(s, NULL), *opened;
    bytes b = saved(m, NULL);
    assert_ok(ilk_model_read(&opened, b.p, b.n, &failure));
    const ilk_tokenizer *kept = &ilk_schema_column(ilk_model_schema(opened), 1)->tokenizer;
    assert_true(kept->kind == ILK_CHARS && kept->keep_case && kept->ngram_min == 2 && kept->ngram_max == 8);
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_stats_free(s);
    ilk_schema_free(schema);
    table_free(&t);
}

/* docs/FORMAT.md: sections begin at the first multiple of 64 that is free, and the file ends with the last of them. */
static void file__is_laid_out_as_documented(void **state) {
    (void)state;
    ilk_stats *s = mixed_stats();
    ilk_model *m = estimated(s, NULL);
    bytes b = saved(m, s);
    uint32_t head[2];
    uint64_t size, offset, end;
    memcpy(head, b.p + 8, sizeof head);
    memcpy(&size, b.p + 16, sizeof size);
    assert_memory_equal(b.p, "\x8FILK\r\n\x1A\n", 8);
    assert_int_equal(head[0], 1);
    assert_int_equal(head[1], 2 + 2 * 5 - 2 + 1 + 5); /* 5 blocks, 2 of them without keys; all have moments or cells */
    assert_int_equal(size, b.n);
    end = 64 + 32 * (uint64_t)head[1];
    for (size_t i = 0; i < head[1]; i++) {
        uint32_t type_and_block[2];
        uint64_t where[2];
        memcpy(type_and_block, b.p + 64 + 32 * i, sizeof type_and_block);
        memcpy(where, b.p + 64 + 32 * i + 8, sizeof where);
        offset = (end + 63) / 64 * 64;
        assert_int_equal(where[0], offset);
        for (; end < offset; end++)
            assert_int_equal(b.p[end], 0);
        assert_in_range(type_and_block[0], ILK_SECTION_SCHEMA, ILK_SECTION_CELLS);
        end = offset + where[1];
    }
    assert_int_equal(end, b.n);
    free(b.p);
    ilk_model_free(m);
    ilk_stats_free(s);
}

static void names__of_any_bytes_survive(void **state) {
    (void)state;
    ilk_schema *schema = schema_of("k");
    const ilk_str names[] = {{"", 0}, {"a\0b", 3}, {"\n\xFF,\"", 4}};
    for (size_t i = 0; i < 3; i++) {
        ilk_column c = column_of(names[i].p, names[i].n, "categorical");
        assert_ok(ilk_schema_add(schema, &c, &failure));
    }
    ilk_stats *s;
    assert_ok(ilk_stats_new(&s, schema, &failure));
    uint32_t code[6], label[2];
    for (size_t i = 0; i < 6; i++)
        assert_ok(ilk_stats_code(&code[i], s, i % 3, names[(i + i / 3) % 3], &failure));
    assert_ok(ilk_stats_class(&label[0], s, names[0], &failure));
    assert_ok(ilk_stats_class(&label[1], s, names[1], &failure));
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 2, .code = code, .label = label}, &failure));
    ilk_model *m = estimated(s, NULL), *opened;
    bytes b = saved(m, s);
    assert_ok(ilk_model_read(&opened, b.p, b.n, &failure));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ilk_schema_find(ilk_model_schema(opened), names[i]), i + 1);
        assert_int_not_equal(ilk_model_code(opened, i, names[i]), ILK_UNSEEN);
        assert_int_equal(ilk_model_class(opened, names[i]), i < 2 ? i : ILK_NONE);
    }
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_stats_free(s);
    ilk_schema_free(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file__gives_the_same_answers_opened_or_read),
        cmocka_unit_test(file__keeps_all_options_that_estimating_takes),
        cmocka_unit_test(file__is_the_same_bytes_every_time),
        cmocka_unit_test(file__keeps_its_bytes_through_opening_and_saving),
        cmocka_unit_test(file__keeps_sums_of_fractional_weights),
        cmocka_unit_test(file__keeps_classes_without_values),
        cmocka_unit_test(file__grows_by_what_is_learnt_after_opening),
        cmocka_unit_test(slim_file__answers_and_holds_no_statistics),
        cmocka_unit_test(file__of_another_family_keeps_statistics_of_both),
        cmocka_unit_test(save__refuses_statistics_of_another_schema),
        cmocka_unit_test(statistics_alone__merge_to_the_file_of_all_rows),
        cmocka_unit_test(statistics__know_the_options_of_their_file),
        cmocka_unit_test(statistics_alone__refuse_what_no_model_could_be_of),
        cmocka_unit_test(open__reads_a_pipe),
        cmocka_unit_test(open__says_what_a_file_is_not),
        cmocka_unit_test(tokenizer__is_kept),
        cmocka_unit_test(file__is_laid_out_as_documented),
        cmocka_unit_test(names__of_any_bytes_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
