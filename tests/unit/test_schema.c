/* SPDX-License-Identifier: Apache-2.0 */
/* test_schema.c - columns: what may be added, what is refused, and how two schemas differ. */
#include "fixtures.h"

#include "model/schema.h"

static void schema__counts_features_per_kind_in_order(void **state) {
    (void)state;
    ilk_schema *s = schema_of("a:gaussian b:categorical id:- t:multinomial c:gda y d:gaussian");
    assert_int_equal(ilk_schema_columns(s), 7);
    assert_int_equal(ilk_schema_width(s, ILK_REAL), 3);
    assert_int_equal(ilk_schema_width(s, ILK_CATEGORY), 1);
    assert_int_equal(ilk_schema_width(s, ILK_TEXT), 1);
    assert_int_equal(ilk_schema_width(s, (ilk_kind)7), 0);
    assert_int_equal(ilk_schema_target(s), 5);
    assert_int_equal(ilk_schema_find(s, str("c")), 4);
    assert_int_equal(ilk_schema_find(s, str("z")), SIZE_MAX);
    assert_null(ilk_schema_column(s, 7));
    assert_string_equal(ilk_schema_column(s, 4)->family, "gda");
    assert_null(ilk_schema_column(s, 2)->family);
    ilk_schema_free(s);
    ilk_schema_free(NULL);
}

static void schema__refuses_columns_that_contradict(void **state) {
    (void)state;
    ilk_schema *s = schema_of("a:gaussian y");
    const ilk_tokenizer none = {0}, backwards = {.ngram_min = 2, .ngram_max = 1},
                        many = {.ngram_min = 1, .ngram_max = 9};
    static const struct {
        const char *name, *family;
        ilk_kind kind;
        ilk_role role;
        const char *says;
    } bad[] = {
        {"a", "gaussian", ILK_REAL, ILK_FEATURE, "two columns are named a"},
        {"z", NULL, ILK_CATEGORY, ILK_TARGET, "two targets: z"},
        {"b", "gausian", ILK_REAL, ILK_FEATURE, "column b: no family 'gausian'"},
        {"b", NULL, ILK_REAL, ILK_FEATURE, "column b: no family ''"},
        {"b", "gda", ILK_CATEGORY, ILK_FEATURE, "column b: family gda does not model this kind of column"},
        {"b", "categorical", ILK_TEXT, ILK_FEATURE, "column b: family categorical does not model"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ilk_column c = {.name = str(bad[i].name), .kind = bad[i].kind, .role = bad[i].role, .family = bad[i].family};
        assert_fails(ILK_EARG, bad[i].says, ilk_schema_add(s, &c, &failure));
    }
    const ilk_tokenizer *tokenizer[] = {&none, &backwards, &many};
    for (size_t i = 0; i < 3; i++) {
        ilk_column c = {.name = str("t"), .kind = ILK_TEXT, .family = "multinomial", .tokenizer = *tokenizer[i]};
        assert_fails(ILK_EARG, "column t: n-grams of", ilk_schema_add(s, &c, &failure));
    }
    assert_int_equal(ilk_schema_columns(s), 2);
    ilk_schema_free(s);
}

/* What is added can be saved, and read again: values that no enumeration has are refused, in features or not. */
static void schema__refuses_values_that_do_not_exist(void **state) {
    (void)state;
    ilk_schema *s = schema_of("a:gaussian y");
    const ilk_column text = {
        .name = str("t"), .kind = ILK_TEXT, .family = "multinomial", .tokenizer = {.ngram_min = 1, .ngram_max = 1}};
    ilk_column odd = text;
    odd.tokenizer.kind = (ilk_token_kind)77;
    assert_fails(ILK_EARG, "column t: there is no kind of tokens 77", ilk_schema_add(s, &odd, &failure));
    odd = text, odd.tokenizer.weight = (ilk_term_weight)9;
    assert_fails(ILK_EARG, "column t: there is no term weight 9", ilk_schema_add(s, &odd, &failure));
    odd = text, odd.role = (ilk_role)9;
    assert_fails(ILK_EARG, "column t: there is no role 9", ilk_schema_add(s, &odd, &failure));
    for (ilk_role role = ILK_IGNORED; role <= ILK_WEIGHT; role++) {
        odd = (ilk_column){.name = str("i"), .kind = (ilk_kind)9, .role = role};
        assert_fails(ILK_EARG, "column i: there is no kind 9", ilk_schema_add(s, &odd, &failure));
    }
    odd = (ilk_column){.name = str("b"), .kind = ILK_CATEGORY, .family = "categorical"};
    odd.transform = (ilk_transform){.kind = ILK_BINS, .edges = 2};
    assert_fails(ILK_EARG, "column b: 2 edges are promised, and none is given", ilk_schema_add(s, &odd, &failure));
    odd.transform.kind = (ilk_transform_kind)9;
    assert_fails(ILK_EARG, "column b: there is no transform 9", ilk_schema_add(s, &odd, &failure));
    assert_int_equal(ilk_schema_columns(s), 2);
    assert_fails(ILK_EARG, "no text feature 0", ilk_schema_add_word(s, 0, ILK_WORD_LISTED, str("w"), &failure));
    assert_ok(ilk_schema_add(s, &text, &failure));
    assert_fails(ILK_EARG, "no list 7 of words", ilk_schema_add_word(s, 0, (ilk_word_rule)7, str("w"), &failure));
    ilk_schema_free(s);
}

/* A tokenizer where there is no text is not looked at, and not kept. */
static void schema__keeps_no_tokenizer_of_columns_without_text(void **state) {
    (void)state;
    ilk_schema *s = schema_of("a:gaussian y");
    ilk_column odd = column_of("b", 1, "gaussian");
    odd.tokenizer = (ilk_tokenizer){.kind = (ilk_token_kind)9, .weight = (ilk_term_weight)9, .ngram_max = 9};
    assert_ok(ilk_schema_add(s, &odd, &failure));
    const ilk_tokenizer *kept = &ilk_schema_column(s, 2)->tokenizer;
    assert_true(kept->kind == 0 && kept->weight == 0 && kept->ngram_max == 0);
    ilk_schema_free(s);
}

/* Names stay right while the memory they live in moves, and bytes that are not text are names too. */
static void schema__keeps_many_names(void **state) {
    (void)state;
    ilk_schema *s = schema_of("y");
    char name[32];
    for (int j = 0; j < 500; j++) {
        int n = snprintf(name, sizeof name, "column\n%d\x01", j);
        ilk_column c = column_of(name, (size_t)n, j % 2 ? "gaussian" : "categorical");
        assert_ok(ilk_schema_add(s, &c, &failure));
    }
    for (int j = 0; j < 500; j++) {
        int n = snprintf(name, sizeof name, "column\n%d\x01", j);
        assert_int_equal(ilk_schema_find(s, (ilk_str){name, (size_t)n}), j + 1);
        assert_memory_equal(ilk_schema_column(s, (size_t)j + 1)->name.p, name, (size_t)n);
    }
    ilk_schema_free(s);
}

static void schema__remembers_spellings_of_missing(void **state) {
    (void)state;
    ilk_schema *s = schema_of("a:gaussian y"), *copy;
    assert_int_equal(ilk_schema_missing_count(s), 0);
    assert_ok(ilk_schema_add_missing(s, str("NA"), &failure));
    assert_ok(ilk_schema_add_missing(s, str("?"), &failure));
    assert_ok(ilk_schema_add_missing(s, str("NA"), &failure)); /* twice is once */
    assert_int_equal(ilk_schema_missing_count(s), 2);
    assert_ok(ilk_schema_copy(&copy, s, &failure));
    assert_memory_equal(ilk_schema_missing(copy, 1).p, "?", 1);
    assert_int_equal(ilk_schema_missing(copy, 2).n, 0);
    ilk_schema_free(copy);
    ilk_schema_free(s);
}

static void same__names_the_first_difference(void **state) {
    (void)state;
    static const char *const base = "a:gaussian b:categorical t:multinomial y";
    static const struct {
        const char *other, *says;
    } cases[] = {
        {"x:gaussian b:categorical t:multinomial y", "column 1: its name (a and x)"},
        {"a:- b:categorical t:multinomial y", "column a: its role (feature and ignored)"},
        {"a:categorical b:categorical t:multinomial y", "column a: its kind (real and category)"},
        {"a:gda b:categorical t:multinomial y", "column a: its family (gaussian and gda)"},
        {"a:gaussian b:categorical t:multinomial", "4 and 3 columns"},
        {"a:gaussian b:categorical t:multinomial y z:gaussian", "4 and 5 columns"},
        {"a:gaussian b:categorical y t:multinomial", "column 3: its name (t and y)"},
    };
    ilk_schema *a = schema_of(base), *b;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b = schema_of(cases[i].other);
        assert_fails(ILK_EARG, cases[i].says, ilk_schema_same(a, b, &failure));
        ilk_schema_free(b);
    }
    b = schema_of("a:gaussian-shared b:categorical t:multinomial y"); /* the same statistics */
    assert_ok(ilk_schema_same(a, b, &failure));
    ilk_schema_free(b);
    ilk_schema_free(a);
}

/* In any order, but the same ones: else one of two shards would have learnt from what the other passed over. */
static void same__compares_what_means_missing(void **state) {
    (void)state;
    ilk_schema *a = schema_of("x:gaussian y"), *b = schema_of("x:gaussian y");
    assert_ok(ilk_schema_add_missing(a, str("NA"), &failure));
    assert_fails(ILK_EARG, "'NA' means missing in one of them", ilk_schema_same(a, b, &failure));
    assert_fails(ILK_EARG, "'NA' means missing in one of them", ilk_schema_same(b, a, &failure));
    assert_ok(ilk_schema_add_missing(b, str("?"), &failure));
    assert_ok(ilk_schema_add_missing(b, str("NA"), &failure));
    assert_fails(ILK_EARG, "'?' means missing", ilk_schema_same(a, b, &failure));
    assert_ok(ilk_schema_add_missing(a, str("?"), &failure));
    assert_ok(ilk_schema_same(a, b, &failure));
    ilk_schema_free(a);
    ilk_schema_free(b);
}

static void same__compares_how_text_is_read(void **state) {
    (void)state;
    static const ilk_tokenizer other[] = {{ILK_CHARS, false, 1, 1, ILK_TERM_COUNT, false},
                                          {ILK_WORDS, true, 1, 1, ILK_TERM_COUNT, false},
                                          {ILK_WORDS, false, 1, 2, ILK_TERM_COUNT, false},
                                          {ILK_WORDS, false, 1, 1, ILK_TERM_BINARY, false},
                                          {ILK_WORDS, false, 1, 1, ILK_TERM_COUNT, true}};
    ilk_schema *a = schema_of("t:multinomial"), *b;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        ilk_column c = {.name = str("t"), .kind = ILK_TEXT, .family = "multinomial", .tokenizer = other[i]};
        assert_ok(ilk_schema_new(&b, &failure));
        assert_ok(ilk_schema_add(b, &c, &failure));
        assert_fails(ILK_EARG, "its tokens", ilk_schema_same(a, b, &failure));
        ilk_schema_free(b);
    }
    ilk_schema_free(a);
}

/* One block per family, in the order of first columns; a text column is a block of its own. */
/* ---- lists of words */

static ilk_schema *schema_with_lists(void) {
    ilk_schema *s = schema_of("a:gaussian t:multinomial y u:bernoulli");
    assert_ok(ilk_schema_add_word(s, 0, ILK_WORD_STOPPED, str("the"), &failure));
    assert_ok(ilk_schema_add_word(s, 1, ILK_WORD_LISTED, str("hot"), &failure));
    assert_ok(ilk_schema_add_word(s, 1, ILK_WORD_LISTED, str("cold"), &failure));
    assert_ok(ilk_schema_add_word(s, 1, ILK_WORD_LISTED, str("hot"), &failure));
    return s;
}

static void lists__hold_for_their_column(void **state) {
    (void)state;
    ilk_schema *s = schema_with_lists();
    assert_int_equal(ilk_schema_words(s, 0, ILK_WORD_STOPPED), 1);
    assert_int_equal(ilk_schema_words(s, 1, ILK_WORD_LISTED), 2);
    assert_int_equal(ilk_schema_words(s, 1, ILK_WORD_STOPPED), 0);
    assert_int_equal(ilk_schema_words(s, 2, ILK_WORD_LISTED), 0);
    assert_int_equal(ilk_schema_judge(s, 0, str("the")), ILK_MISSING);
    assert_int_equal(ilk_schema_judge(s, 0, str("hot")), 0);
    assert_int_equal(ilk_schema_judge(s, 1, str("hot")), 0);
    assert_int_equal(ilk_schema_judge(s, 1, str("the")), ILK_UNSEEN);
    assert_fails(ILK_EARG, "'hot' is a word of the dictionary and is stopped",
                 ilk_schema_add_word(s, 1, ILK_WORD_STOPPED, str("hot"), &failure));
    assert_fails(ILK_EARG, "there is no text feature 2",
                 ilk_schema_add_word(s, 2, ILK_WORD_STOPPED, str("x"), &failure));
    assert_fails(ILK_EARG, "there is no list 2 of words",
                 ilk_schema_add_word(s, 0, (ilk_word_rule)2, str("x"), &failure));
    ilk_schema_free(s);
}

/* Statistics have the words of a dictionary from the beginning, and take no others. */
static void lists__decide_what_is_learnt(void **state) {
    (void)state;
    ilk_schema *s = schema_with_lists();
    ilk_stats *stats;
    uint32_t id;
    assert_ok(ilk_stats_new(&stats, s, &failure));
    assert_ok(ilk_stats_word(&id, stats, 0, str("the"), &failure));
    assert_int_equal(id, ILK_MISSING);
    assert_ok(ilk_stats_word(&id, stats, 0, str("a"), &failure));
    assert_int_equal(id, 0);
    assert_ok(ilk_stats_word(&id, stats, 1, str("warm"), &failure));
    assert_int_equal(id, ILK_UNSEEN);
    assert_ok(ilk_stats_word(&id, stats, 1, str("cold"), &failure));
    assert_int_equal(id, 1);
    assert_fails(ILK_EARG, "there is no text feature 2", ilk_stats_word(&id, stats, 2, str("x"), &failure));
    ilk_stats_free(stats);
    ilk_schema_free(s);
}

static void lists__are_compared_copied_and_written_in_order(void **state) {
    (void)state;
    ilk_schema *a = schema_with_lists(), *b = schema_of("a:gaussian t:multinomial y u:bernoulli"), *copy;
    ilk_buffer one = {0}, other = {0};
    assert_fails(ILK_EARG, "'the' is stopped in one of them", ilk_schema_same(a, b, &failure));
    assert_ok(ilk_schema_add_word(b, 1, ILK_WORD_LISTED, str("cold"), &failure));
    assert_ok(ilk_schema_add_word(b, 0, ILK_WORD_STOPPED, str("the"), &failure));
    assert_fails(ILK_EARG, "'hot' is a word of the dictionary in one of them", ilk_schema_same(b, a, &failure));
    assert_ok(ilk_schema_add_word(b, 1, ILK_WORD_LISTED, str("hot"), &failure));
    assert_ok(ilk_schema_same(a, b, &failure));
    assert_int_equal(ilk_schema_put(&one, a), ILK_OK);
    assert_int_equal(ilk_schema_put(&other, b), ILK_OK);
    assert_true(one.n == other.n && memcmp(one.p, other.p, one.n) == 0);
    ilk_reader in = {.p = one.p, .left = one.n};
    assert_ok(ilk_schema_get(&copy, &in, &failure));
    assert_ok(ilk_schema_same(a, copy, &failure));
    assert_int_equal(in.left, 0);
    ilk_schema_free(copy);
    for (size_t left = one.n - 1; left > one.n - 40; left--) {
        in = (ilk_reader){.p = one.p, .left = left};
        assert_int_equal(ilk_schema_get(&copy, &in, &failure), ILK_EFORMAT);
        assert_null(copy);
    }
    ilk_buffer_free(&one);
    ilk_buffer_free(&other);
    ilk_schema_free(a);
    ilk_schema_free(b);
}

/* -0 and 0 are one edge, and its bins have one name. */
static void edge__of_minus_0_is_0(void **state) {
    (void)state;
    const double edge[] = {-0.0};
    ilk_column c = {.name = str("x"), .kind = ILK_CATEGORY, .role = ILK_FEATURE, .family = "categorical"};
    c.transform = (ilk_transform){.kind = ILK_BINS, .edge = edge, .edges = 1};
    ilk_schema *schema;
    char name[ILK_BIN_NAME];
    assert_ok(ilk_schema_new(&schema, &failure));
    assert_ok(ilk_schema_add(schema, &c, &failure));
    ilk_transform_bin_name(name, &ilk_schema_column(schema, 0)->transform, 1);
    assert_string_equal(name, "(-inf,0)");
    ilk_schema_free(schema);
}

static void blocks__group_columns_by_family(void **state) {
    (void)state;
    ilk_schema *s = schema_of("a:gda b:categorical t:multinomial c:gaussian y d:gda u:multinomial e:categorical");
    ilk_blocks b;
    assert_ok(ilk_blocks_new(&b, s, &failure));
    static const char *const family[] = {"gda", "categorical", "multinomial", "gaussian", "multinomial"};
    static const size_t columns[] = {2, 2, 1, 1, 1};
    assert_int_equal(b.n, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(b.block[i].family->name, family[i]);
        assert_int_equal(b.block[i].d, columns[i]);
    }
    assert_int_equal(b.block[0].source[1], 2); /* d is the third real feature */
    assert_memory_equal(b.block[0].column[1].p, "d", 1);
    assert_int_equal(b.home[ILK_TEXT][1].block, 4);
    assert_int_equal(b.home[ILK_CATEGORY][1].field, 1);
    ilk_blocks_free(&b);
    ilk_schema_free(s);
}

static void families__are_listed_once_each(void **state) {
    (void)state;
    ilk_family_info info, other;
    size_t n = 0;
    for (; ilk_family_at(n, &info); n++) {
        assert_true(info.summary[0] != '\0');
        assert_ptr_equal(ilk_family_find(info.name)->name, info.name);
        for (size_t i = 0; i < n; i++) {
            assert_true(ilk_family_at(i, &other));
            assert_string_not_equal(info.name, other.name);
        }
    }
    assert_in_range(n, 6, 99);
    assert_null(ilk_family_find("none"));
}

/* Columns of one family are modelled together: statistics that divide them otherwise cannot be added, though each column
 * has what it takes. Nor can sums of numbers be added to those of counts. */
static void blocks__that_differ_keep_statistics_apart(void **state) {
    (void)state;
    static const char rows[] = "1,2,u,p\n2,3,v,p\n4,1,u,q\n3,5,v,q\n";
    static const char *const columns[][2] = {
        {"x:gaussian z:poisson c:categorical y", "x:gaussian z:gaussian c:categorical y"},
        {"x:gaussian z:poisson c:categorical y", "x:poisson z:gaussian c:categorical y"},
        {"x:gaussian z:gaussian c:categorical y", "x:poisson z:poisson c:categorical y"},
        {"x:poisson z:poisson c:categorical y", "x:negative-binomial z:negative-binomial c:categorical y"},
        {"x:gaussian z:gaussian c:categorical y", "x:gaussian-shared z:gaussian-shared c:categorical y"}};
    enum { REFUSED = 3 };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        for (size_t turn = 0; turn < 2; turn++) {
            ilk_stats *s = learnt(columns[i][turn], rows), *other = learnt(columns[i][1 - turn], rows);
            ilk_model *m = estimated(other, NULL);
            assert_int_equal(ilk_stats_merge(s, other, &failure), i < REFUSED ? ILK_EARG : ILK_OK);
            assert_int_equal(ilk_stats_subtract(s, other, &failure), i < REFUSED ? ILK_EARG : ILK_OK);
            if (i < REFUSED)
                assert_non_null(strstr(failure.message, "the schemas differ in column"));
            if (i == 0) /* a model of another family of the same statistics may be kept with them */
                assert_fails(ILK_EARG, "the schemas differ", ilk_model_save(m, s, "/dev/null", &failure));
            else
                assert_ok(ilk_model_save(m, s, "/dev/null", &failure));
            ilk_model_free(m);
            ilk_stats_free(s);
            ilk_stats_free(other);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schema__counts_features_per_kind_in_order),
        cmocka_unit_test(schema__refuses_columns_that_contradict),
        cmocka_unit_test(schema__refuses_values_that_do_not_exist),
        cmocka_unit_test(schema__keeps_no_tokenizer_of_columns_without_text),
        cmocka_unit_test(schema__keeps_many_names),
        cmocka_unit_test(schema__remembers_spellings_of_missing),
        cmocka_unit_test(same__names_the_first_difference),
        cmocka_unit_test(same__compares_what_means_missing),
        cmocka_unit_test(same__compares_how_text_is_read),
        cmocka_unit_test(lists__hold_for_their_column),
        cmocka_unit_test(lists__decide_what_is_learnt),
        cmocka_unit_test(lists__are_compared_copied_and_written_in_order),
        cmocka_unit_test(edge__of_minus_0_is_0),
        cmocka_unit_test(blocks__group_columns_by_family),
        cmocka_unit_test(families__are_listed_once_each),
        cmocka_unit_test(blocks__that_differ_keep_statistics_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
