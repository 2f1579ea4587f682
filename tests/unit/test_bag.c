/* SPDX-License-Identifier: Apache-2.0 */
/* test_bag.c - texts in memory become the bags that readers of files make of them, whatever the tokenizer. */
#include "fixtures.h"

#include "data/encode.h"

#include <ilk_data.h>

enum { ROWS = 300, LONGEST = 400 };

/* A way to read text. */
typedef struct manner {
    ilk_tokenizer tokenizer;
    const char *family;
    const char *stopped, *listed; /* NULL, or one word */
} manner;

static const manner manners[] = {
    {{.kind = ILK_WORDS, .ngram_min = 1, .ngram_max = 1}, "multinomial", NULL, NULL},
    {{.kind = ILK_WORDS, .ngram_min = 1, .ngram_max = 2}, "bernoulli", "ab", NULL},
    {{.kind = ILK_WORDS, .ngram_min = 1, .ngram_max = 1, .weight = ILK_TERM_LOG, .unit_length = true},
     "complement",
     "bc",
     "ca"},
    {{.kind = ILK_PIECES, .ngram_min = 1, .ngram_max = 3, .weight = ILK_TERM_BINARY}, "multinomial", NULL, NULL},
    {{.kind = ILK_WHITESPACE, .keep_case = true, .ngram_min = 1, .ngram_max = 1}, "one-vs-rest", NULL, "NA"},
    {{.kind = ILK_CHARS, .ngram_min = 2, .ngram_max = 2}, "multinomial", NULL, NULL},
};

static ilk_schema *schema_for(const manner *m) {
    ilk_schema *schema;
    assert_ok(ilk_schema_new(&schema, &failure));
    assert_ok(ilk_schema_add(schema, &(ilk_column){.name = str("label"), .role = ILK_TARGET}, &failure));
    ilk_column text = {.name = str("text"), .kind = ILK_TEXT, .family = m->family, .tokenizer = m->tokenizer};
    assert_ok(ilk_schema_add(schema, &text, &failure));
    assert_ok(ilk_schema_add_missing(schema, str("NA"), &failure));
    if (m->stopped)
        assert_ok(ilk_schema_add_word(schema, 0, ILK_WORD_STOPPED, str(m->stopped), &failure));
    if (m->listed)
        assert_ok(ilk_schema_add_word(schema, 0, ILK_WORD_LISTED, str(m->listed), &failure));
    return schema;
}

/* Lines of label TAB text. */
typedef struct lines {
    char label[ROWS][4], text[ROWS][LONGEST];
} lines;

static void random_text(char *out, rng *r, size_t k) {
    static const char *const sign[] = {"a", "b", "c", " ", " ", " ", "A", "\xC3\xA9", "\xE4\xB8\xAD", ".", "$", "7"};
    size_t signs = rng_below(r, 12) ? rng_below(r, 90) : 0, n = 0;
    for (size_t i = 0; i < signs; i++)
        n += (size_t)snprintf(out + n, LONGEST - n, "%s", sign[rng_below(r, rng_below(r, 3) ? 12 : 2 + k)]);
    out[n] = '\0';
    if (rng_below(r, 20) == 0)
        snprintf(out, LONGEST, "NA");
}

/* Counts of words, of which some come twice. */
static void random_counts(char *out, rng *r, size_t k) {
    size_t n = 0;
    for (size_t i = rng_below(r, 60); i > 0; i--)
        n += (size_t)snprintf(out + n, LONGEST - n, "%zu:%zu ", rng_below(r, 9 * (k + 1)), rng_below(r, 4));
    out[n] = '\0';
}

static lines *random_lines(rng *r, bool counts) {
    lines *l = make(1, sizeof *l);
    for (size_t i = 0; i < ROWS; i++) {
        size_t k = i < 3 ? i : rng_below(r, 3);
        snprintf(l->label[i], sizeof l->label[i], "k%zu", k);
        (counts ? random_counts : random_text)(l->text[i], r, k);
    }
    return l;
}

static ilk_table *open_lines(const lines *l) {
    ilk_read_options o;
    ilk_table *file;
    const char *path = temp_path("lines.txt");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t i = 0; i < ROWS; i++)
        fprintf(f, "%s\t%s\n", l->label[i], l->text[i]);
    assert_int_equal(fclose(f), 0);
    ilk_read_options_init(&o);
    o.format = ILK_FORMAT_LINES;
    assert_ok(ilk_table_open(&file, &path, 1, &o, &failure));
    return file;
}

/* Seven texts at a time, so that a bag is used again. */
static void learn_bags(ilk_stats *stats, const lines *l) {
    ilk_bag *bag;
    assert_ok(ilk_stats_bag(&bag, stats, 0, &failure));
    for (size_t i = 0; i < ROWS; ilk_bag_clear(bag)) {
        uint32_t label[7];
        size_t n = 0;
        for (; n < 7 && i < ROWS; n++, i++) {
            assert_ok(ilk_stats_class(&label[n], stats, str(l->label[i]), &failure));
            assert_ok(ilk_bag_add(bag, str(l->text[i]), &failure));
        }
        ilk_tokens tokens = ilk_bag_tokens(bag);
        assert_ok(ilk_stats_add(stats, &(ilk_rows){.n = n, .text = &tokens, .label = label}, &failure));
    }
    ilk_bag_free(bag);
}

/* The table's answers, one block after the other. */
typedef struct answers {
    double *p;
    size_t n;
} answers;

static ilk_status keep_answers(void *ctx, const ilk_answers *a, const char *text, size_t n, ilk_error *err) {
    (void)text, (void)n, (void)err;
    answers *all = ctx;
    memcpy(all->p + all->n, a->log_joint, a->n * a->K * sizeof *all->p);
    all->n += a->n * a->K;
    return ILK_OK;
}

static void assert_same_answers(const ilk_model *model, const lines *l) {
    size_t K = ilk_model_classes(model);
    answers read = {.p = make(ROWS * K, sizeof *read.p)};
    double *p = make(ROWS * K, sizeof *p);
    ilk_table *file = open_lines(l);
    assert_ok(
        ilk_table_answer(file, model, &(ilk_answer_fns){.commit = keep_answers, .ctx = &read}, NULL, NULL, &failure));
    ilk_bag *bag;
    assert_ok(ilk_model_bag(&bag, model, 0, &failure));
    for (size_t i = 0; i < ROWS; i++)
        assert_ok(ilk_bag_add(bag, str(l->text[i]), &failure));
    ilk_tokens tokens = ilk_bag_tokens(bag);
    assert_ok(ilk_model_log_joint(p, model, &(ilk_rows){.n = ROWS, .text = &tokens}, &failure));
    assert_int_equal(read.n, ROWS * K);
    assert_memory_equal(p, read.p, ROWS * K * sizeof *p);
    ilk_bag_free(bag);
    ilk_table_free(file);
    free(read.p);
    free(p);
}

static void assert_read_alike(const manner *m, rng *r) {
    bool counts = m->tokenizer.kind == ILK_COUNTS;
    lines *l = random_lines(r, counts), *others = random_lines(r, counts);
    ilk_schema *schema = schema_for(m);
    ilk_table *file = open_lines(l);
    ilk_stats *read, *added;
    assert_ok(ilk_stats_new(&read, schema, &failure));
    assert_ok(ilk_stats_new(&added, schema, &failure));
    assert_ok(ilk_table_learn(read, file, NULL, NULL, &failure));
    learn_bags(added, l);
    ilk_model *model = estimated(read, NULL), *same = estimated(added, NULL);
    bytes one = saved(model, read), other = saved(same, added);
    assert_same_bytes(one, other);
    assert_same_answers(model, l);
    assert_same_answers(model, others);
    free(one.p);
    free(other.p);
    ilk_model_free(model);
    ilk_model_free(same);
    ilk_stats_free(read);
    ilk_stats_free(added);
    ilk_table_free(file);
    ilk_schema_free(schema);
    free(l);
    free(others);
}

static void bag__learns_and_answers_as_a_table_does(void **state) {
    (void)state;
    rng r = rng_new(20261115);
    for (size_t i = 0; i < sizeof manners / sizeof *manners; i++)
        assert_read_alike(&manners[i], &r);
}

static void bag__learns_and_answers_counts_as_a_table_does(void **state) {
    (void)state;
    rng r = rng_new(20261116);
    assert_read_alike(&(manner){.tokenizer = {.kind = ILK_COUNTS, .keep_case = true, .ngram_min = 1, .ngram_max = 1},
                                .family = "multinomial"},
                      &r);
}

/* By hand, on two short texts; in statistics and in a model of them. */
static void bag__holds_each_word_once(void **state) {
    (void)state;
    const manner m = {{.ngram_min = 1, .ngram_max = 1}, "multinomial", "the", NULL};
    ilk_schema *schema = schema_for(&m);
    ilk_stats *stats;
    ilk_bag *bag;
    uint32_t label[2], hot, day;
    assert_ok(ilk_stats_new(&stats, schema, &failure));
    assert_ok(ilk_stats_class(&label[0], stats, str("p"), &failure));
    assert_ok(ilk_stats_class(&label[1], stats, str("q"), &failure));
    assert_fails(ILK_EARG, "there is no text feature 1", ilk_stats_bag(&bag, stats, 1, &failure));
    assert_null(bag);
    assert_ok(ilk_stats_bag(&bag, stats, 0, &failure));
    assert_ok(ilk_bag_add(bag, str("Hot day, the hot HOT the"), &failure));
    assert_ok(ilk_bag_add(bag, str("day"), &failure));
    ilk_tokens t = ilk_bag_tokens(bag);
    assert_true(t.begin[0] == 0 && t.begin[1] == 2 && t.begin[2] == 3);
    assert_ok(ilk_stats_word(&hot, stats, 0, str("hot"), &failure));
    assert_ok(ilk_stats_word(&day, stats, 0, str("day"), &failure));
    assert_true(t.id[0] == hot && t.count[0] == 3 && t.id[1] == day && t.count[1] == 1);
    assert_true(t.id[2] == day && t.count[2] == 1);
    assert_ok(ilk_stats_add(stats, &(ilk_rows){.n = 2, .text = &t, .label = label}, &failure));
    ilk_bag_free(bag);

    ilk_model *model = estimated(stats, NULL);
    assert_ok(ilk_model_bag(&bag, model, 0, &failure));
    assert_ok(ilk_bag_add(bag, str("cold the nights day days"), &failure));
    t = ilk_bag_tokens(bag);
    assert_true(t.begin[1] == 2 && t.id[0] == ILK_UNSEEN && t.count[0] == 3);
    assert_true(t.id[1] == ilk_model_word(model, 0, str("day")) && t.count[1] == 1);
    ilk_bag_free(bag);
    ilk_model_free(model);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
}

/* A text may be empty, or have signs only; a missing one is something else. */
static void bag__tells_missing_texts_from_those_without_words(void **state) {
    (void)state;
    static const char *const texts[] = {"NA", "", "...", "NA 7"};
    ilk_schema *schema = schema_for(&manners[1]);
    ilk_stats *stats;
    ilk_bag *bag;
    assert_ok(ilk_stats_new(&stats, schema, &failure));
    assert_ok(ilk_stats_bag(&bag, stats, 0, &failure));
    for (size_t i = 0; i < 4; i++)
        assert_ok(ilk_bag_add(bag, str(texts[i]), &failure));
    const ilk_tokens t = ilk_bag_tokens(bag);
    assert_true(t.missing[0] && !t.missing[1] && !t.missing[2] && !t.missing[3]);
    assert_true(t.begin[3] == 0 && t.begin[4] > 0);
    ilk_bag_free(bag);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
}

/* What is refused leaves the bag as it was. */
static void bag__refuses_what_readers_refuse(void **state) {
    (void)state;
    table t = table_of("hot day,p\ncold day,q\n");
    ilk_stats *stats = stats_of("t:multinomial k", &t);
    ilk_options o = options_of(1);
    o.unseen = ILK_UNSEEN_ERROR;
    ilk_model *model = estimated(stats, &o);
    ilk_bag *bag;
    assert_ok(ilk_model_bag(&bag, model, 0, &failure));
    assert_ok(ilk_bag_add(bag, str("hot hot"), &failure));
    assert_fails(ILK_EDATA, "column t: 'night' is a word the model has not seen",
                 ilk_bag_add(bag, str("cold night"), &failure));
    assert_ok(ilk_bag_add(bag, str("day"), &failure));
    ilk_tokens tokens = ilk_bag_tokens(bag);
    assert_true(tokens.begin[1] == 1 && tokens.begin[2] == 2 && tokens.count[0] == 2);
    assert_int_equal(tokens.id[1], ilk_model_word(model, 0, str("day")));
    ilk_bag_free(bag);
    ilk_model_free(model);
    ilk_stats_free(stats);
    table_free(&t);

    ilk_schema *schema =
        schema_for(&(manner){{.kind = ILK_COUNTS, .ngram_min = 1, .ngram_max = 1}, "multinomial", NULL, NULL});
    assert_ok(ilk_stats_new(&stats, schema, &failure));
    assert_ok(ilk_stats_bag(&bag, stats, 0, &failure));
    assert_fails(ILK_EDATA, "column text: 'b:1.5' is no word:count", ilk_bag_add(bag, str("a:1 b:1.5"), &failure));
    assert_fails(ILK_EDATA, "column text: 'b' is no word:count", ilk_bag_add(bag, str("b"), &failure));
    assert_ok(ilk_bag_add(bag, str("a:1 b:2 a:3"), &failure));
    tokens = ilk_bag_tokens(bag);
    assert_true(tokens.begin[1] == 2 && tokens.count[0] == 4 && tokens.count[1] == 2);
    ilk_bag_free(bag);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
}

/* After 2^32 rows a word's last row seems to be this one. */
static void bag__may_have_very_many_rows(void **state) {
    (void)state;
    ilk_stats *stats = stats_of("t:multinomial k", NULL);
    ilk_bag *bag;
    assert_ok(ilk_stats_bag(&bag, stats, 0, &failure));
    for (size_t i = 0; i < 6; i++) {
        assert_ok(ilk_bag_add(bag, str(i % 2 ? "even odd odd" : "even even"), &failure));
        if (i == 1)
            bag->turn = UINT32_MAX - 1;
    }
    ilk_tokens t = ilk_bag_tokens(bag);
    for (size_t i = 0; i < 6; i++) {
        size_t at = t.begin[i];
        assert_int_equal(t.begin[i + 1], at + 1 + i % 2);
        assert_true(t.id[at] == 0 && t.count[at] == 2 - i % 2);
        assert_true(i % 2 == 0 || (t.id[at + 1] == 1 && t.count[at + 1] == 2));
    }
    ilk_bag_free(bag);
    ilk_stats_free(stats);
}

/* Neither a stopped word nor one outside a fixed dictionary comes into the vocabulary by being declared. */
static void declare__takes_no_word_that_is_none(void **state) {
    (void)state;
    const ilk_tokenizer tokenizer = {.ngram_min = 1, .ngram_max = 1};
    for (int fixed = 0; fixed < 2; fixed++) {
        ilk_schema *schema = schema_for(&(manner){tokenizer, "multinomial", "the", fixed ? "day" : NULL});
        ilk_stats *stats;
        ilk_model *model;
        uint32_t id, class, first, end;
        assert_ok(ilk_stats_new(&stats, schema, &failure));
        assert_ok(ilk_stats_declare(&id, stats, ILK_TEXT, 0, str("the"), &failure));
        assert_int_equal(id, ILK_MISSING);
        assert_ok(ilk_stats_declare(&id, stats, ILK_TEXT, 0, str("night"), &failure));
        assert_int_equal(id == ILK_UNSEEN, fixed);
        assert_ok(ilk_stats_declare(&id, stats, ILK_TEXT, 0, str("day"), &failure));
        assert_fails(ILK_EARG, "", ilk_stats_declare(&id, stats, ILK_TEXT, 1, str("the"), &failure));
        for (int k = 0; k < 2; k++) {
            const size_t begin[] = {0, 1};
            const uint32_t one = 1;
            assert_ok(ilk_stats_class(&class, stats, str(k ? "a" : "b"), &failure));
            assert_ok(ilk_stats_word(&id, stats, 0, str("day"), &failure));
            assert_ok(ilk_stats_add(
                stats, &(ilk_rows){.n = 1, .text = &(ilk_tokens){begin, &id, &one, NULL}, .label = &class}, &failure));
        }
        assert_ok(ilk_model_estimate(&model, stats, NULL, &failure));
        ilk_model_keys(&first, &end, model, ILK_TEXT, 0);
        assert_int_equal(end - first, fixed ? 1 : 2);
        ilk_model_free(model);
        ilk_stats_free(stats);
        ilk_schema_free(schema);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bag__learns_and_answers_as_a_table_does),
        cmocka_unit_test(bag__learns_and_answers_counts_as_a_table_does),
        cmocka_unit_test(bag__holds_each_word_once),
        cmocka_unit_test(bag__tells_missing_texts_from_those_without_words),
        cmocka_unit_test(bag__refuses_what_readers_refuse),
        cmocka_unit_test(bag__may_have_very_many_rows),
        cmocka_unit_test(declare__takes_no_word_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
