/* SPDX-License-Identifier: Apache-2.0 */
/* test_stats.c - learning is adding: merge, remove and subtract leave what one pass over the right rows would have
 * left. */
#include "fixtures.h"

#include "model/stats.h"

/* A count model: two categories and a text, some values missing. */
static const char *const columns = "colour:categorical size:categorical note:multinomial kind";
static const char *const rows = "red,big,hot hot day,fire\n"
                                "blue,small,cold day,water\n"
                                "red,,hot,fire\n"
                                ",small,,earth\n"
                                "green,big,mud and more mud,earth\n"
                                "blue,big,wet cold,water\n"
                                "violet,tiny,new words here,fire\n";

/* ---- adding */

static void add__gives_the_same_file_in_any_order_of_rows(void **state) {
    (void)state;
    rng r = rng_new(61);
    table t = table_of(rows);
    ilk_stats *first = stats_of(columns, &t);
    for (int times = 0; times < 20; times++) {
        ilk_stats *s = stats_of(columns, NULL);
        size_t order[16];
        for (size_t i = 0; i < t.n; i++) {
            size_t j = rng_below(&r, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (size_t i = 0; i < t.n; i++) {
            table one = table_part(&t, order[i], 1);
            assert_ok(try_learn(s, &one, false));
        }
        assert_same_stats(first, s);
        ilk_stats_free(s);
    }
    ilk_stats_free(first);
    table_free(&t);
}

static void add__does_not_care_for_names_that_were_only_asked_for(void **state) {
    (void)state;
    table t = table_of(rows);
    ilk_stats *plain = stats_of(columns, &t), *s = stats_of(columns, NULL);
    uint32_t id;
    assert_ok(ilk_stats_class(&id, s, str("water"), &failure));
    assert_int_equal(id, 0);
    assert_ok(ilk_stats_class(&id, s, str("aether"), &failure));
    assert_ok(ilk_stats_code(&id, s, 0, str("ultraviolet"), &failure));
    assert_ok(ilk_stats_code(&id, s, 1, str("big"), &failure));
    assert_ok(ilk_stats_word(&id, s, 0, str("aardvark"), &failure));
    assert_int_equal(ilk_stats_classes(s), 0);
    assert_ok(try_learn(s, &t, false));
    assert_int_equal(ilk_stats_classes(s), 3);
    assert_true(ilk_stats_rows(s) == 7);
    assert_same_stats(plain, s);
    ilk_stats_free(plain);
    ilk_stats_free(s);
    table_free(&t);
}

/* A schema with all kinds, one row, and one thing wrong with it at a time. */
static void add__refuses_a_bad_row_by_name_and_changes_nothing(void **state) {
    (void)state;
    static const char *const mixed = "x:gda y:gaussian colour:categorical note:multinomial kind";
    ilk_stats *s = learnt(mixed, "1,2,red,a b,p\n2,1,blue,b,q\n4,3,red,c,q\n0,5,red,c,p\n3,3,blue,a,p\n");
    bytes before = stats_file(s), after;
    const double good[] = {1, 2, 3, 4}, inf[] = {1, 2, 3, -INFINITY};
    const uint32_t code[] = {0, 1}, no_code[] = {0, 2}, unseen[] = {0, ILK_UNSEEN}, label[] = {0, 1},
                   no_label[] = {0, 2};
    const size_t begin[] = {0, 1, 2};
    const uint32_t word[] = {0, 1}, no_word[] = {0, 3}, once[] = {1, 1}, never[] = {1, 0};
    const size_t falling[] = {0, 2, 1};
    const ilk_tokens back_text = {falling, word, once, NULL};
    const ilk_tokens text = {begin, word, once, NULL}, bad_text = {begin, no_word, once, NULL},
                     empty_text = {begin, word, never, NULL};
    const struct {
        ilk_rows rows;
        ilk_status status;
        const char *says;
    } bad[] = {
        {{.n = 2, .real = inf, .code = code, .text = &text, .label = label},
         ILK_EDATA,
         "row 1, column y: an infinite value"},
        {{.n = 2, .real = good, .code = no_code, .text = &text, .label = label},
         ILK_EDATA,
         "row 1, column colour: 2 is not a code of it"},
        {{.n = 2, .real = good, .code = unseen, .text = &text, .label = label}, ILK_EDATA, "row 1, column colour"},
        {{.n = 2, .real = good, .code = code, .text = &bad_text, .label = label},
         ILK_EDATA,
         "row 1, column note: 3 is not a word of it"},
        {{.n = 2, .real = good, .code = code, .text = &empty_text, .label = label},
         ILK_EDATA,
         "row 1, column note: word b is counted 0 times"},
        {{.n = 2, .real = good, .code = code, .text = &back_text, .label = label},
         ILK_EARG,
         "row 1, column note: its words end before they begin"},
        {{.n = 2, .real = good, .code = code, .text = &text, .label = no_label}, ILK_EDATA, "row 1: 2 is not a class"},
        {{.n = 2, .real = good, .code = code, .text = &text, .label = NULL}, ILK_EARG, "the rows have no labels"},
        {{.n = 2, .real = NULL, .code = code, .text = &text, .label = label},
         ILK_EARG,
         "column x: the rows have no values of its kind"},
        {{.n = 2, .real = good, .code = NULL, .text = &text, .label = label},
         ILK_EARG,
         "column colour: the rows have no values of its kind"},
        {{.n = 2, .real = good, .code = code, .text = NULL, .label = label},
         ILK_EARG,
         "column note: the rows have no values of its kind"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(bad[i].status, bad[i].says, ilk_stats_add(s, &bad[i].rows, &failure));
        assert_fails(bad[i].status, bad[i].says, ilk_stats_remove(s, &bad[i].rows, &failure));
    }
    assert_ok(ilk_stats_add(s, &(ilk_rows){0}, &failure)); /* no rows, no matrices: nothing to refuse */
    after = stats_file(s);
    assert_same_bytes(before, after);
    free(before.p);
    free(after.p);
    ilk_stats_free(s);
}

/* A bad row alone, which is then the first. */
static void add__of_one_bad_row_names_row_0(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:gda y:gaussian colour:categorical note:multinomial kind",
                          "1,2,red,a b,p\n2,1,blue,b,q\n4,3,red,c,q\n0,5,red,c,p\n");
    bytes before = stats_file(s);
    const double good[] = {1, 2}, inf[] = {3, -INFINITY};
    const uint32_t code = 0, no_code = 2, label = 0, no_label = 2, word = 0, no_word = 3, once = 1;
    const size_t begin[] = {0, 1};
    const ilk_tokens text = {begin, &word, &once, NULL}, bad_text = {begin, &no_word, &once, NULL};
    const ilk_rows bad[] = {{.n = 1, .real = inf, .code = &code, .text = &text, .label = &label},
                            {.n = 1, .real = good, .code = &no_code, .text = &text, .label = &label},
                            {.n = 1, .real = good, .code = &code, .text = &bad_text, .label = &label},
                            {.n = 1, .real = good, .code = &code, .text = &text, .label = &no_label}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ILK_EDATA, "row 0", ilk_stats_add(s, &bad[i], &failure));
    bytes after = stats_file(s);
    assert_same_bytes(before, after);
    free(before.p);
    free(after.p);
    ilk_stats_free(s);
}

static void names__of_features_that_are_not_there_are_refused(void **state) {
    (void)state;
    ilk_stats *s = stats_of("x:gaussian colour:categorical note:multinomial kind", NULL);
    uint32_t id = 7;
    assert_fails(ILK_EARG, "no category feature 1", ilk_stats_code(&id, s, 1, str("a"), &failure));
    assert_int_equal(id, ILK_MISSING);
    assert_fails(ILK_EARG, "no text feature 1", ilk_stats_word(&id, s, 1, str("a"), &failure));
    ilk_stats_free(s);
    ilk_schema *none = schema_of("a:- y");
    assert_fails(ILK_EARG, "no feature column", ilk_stats_new(&s, none, &failure));
    assert_null(s);
    ilk_schema_free(none);
    ilk_stats_free(NULL);
}

/* ---- merging */

static void merge__of_any_shards_is_byte_for_byte_one_pass(void **state) {
    (void)state;
    table t = table_of(rows);
    ilk_stats *whole = stats_of(columns, &t);
    for (size_t a = 0; a <= t.n; a++)
        for (size_t b = a; b <= t.n; b++) {
            table part[] = {table_part(&t, 0, a), table_part(&t, a, b - a), table_part(&t, b, t.n - b)};
            ilk_stats *left = stats_of(columns, &part[1]), *middle = stats_of(columns, &part[2]),
                      *right = stats_of(columns, &part[0]);
            assert_ok(ilk_stats_merge(middle, right, &failure));
            assert_ok(ilk_stats_merge(left, middle, &failure));
            assert_true(ilk_stats_rows(left) == (double)t.n);
            assert_same_stats(whole, left);
            ilk_stats_free(left);
            ilk_stats_free(middle);
            ilk_stats_free(right);
        }
    ilk_stats_free(whole);
    table_free(&t);
}

static void merge__names_the_difference_and_changes_nothing(void **state) {
    (void)state;
    ilk_stats *a = learnt("x:gaussian y", "1,a\n2,b\n3,a\n5,b\n"), *b = learnt("z:gaussian y", "1,a\n"),
              *c = learnt("x:gda y", "1,a\n");
    bytes before = stats_file(a), after;
    assert_fails(ILK_EARG, "column 1: its name (x and z)", ilk_stats_merge(a, b, &failure));
    assert_fails(ILK_EARG, "column x: its family (gaussian and gda)", ilk_stats_merge(a, c, &failure));
    assert_fails(ILK_EARG, "column 1: its name (x and z)", ilk_stats_subtract(a, b, &failure));
    after = stats_file(a);
    assert_same_bytes(before, after);
    free(before.p);
    free(after.p);
    ilk_stats_free(a);
    ilk_stats_free(b);
    ilk_stats_free(c);
}

/* Doubling by merging with itself reaches 2^53 rows, and there it ends; so does adding. */
static void merge__refuses_to_count_beyond_2_to_the_53(void **state) {
    (void)state;
    static const char *const schemas[] = {"x:gaussian y", "x:categorical y", "x:multinomial y"};
    for (size_t i = 0; i < 3; i++) {
        table t = table_of("1,a\n2,a\n3,b\n4,b\n");
        ilk_stats *s = stats_of(schemas[i], &t);
        for (int times = 0; times < 52; times++)
            assert_ok(ilk_stats_merge(s, s, &failure));
        assert_true(ilk_stats_rows(s) == 0x1p54);
        assert_fails(ILK_EDATA, "class a: the number of its rows would pass 2^53", ilk_stats_merge(s, s, &failure));
        assert_fails(ILK_EDATA, "class a: the number of its rows would pass 2^53", try_learn(s, &t, false));
        assert_true(ilk_stats_rows(s) == 0x1p54);
        ilk_stats_free(s);
        table_free(&t);
    }
}

/* Rows are few, words are many: 2^31 of one, doubled 22 times. */
/* One class is full, which is nothing to the other. */
static void add__refuses_to_count_beyond_2_to_the_53_in_classes_that_get_rows(void **state) {
    (void)state;
    static const double most = 0x1p53;
    ilk_stats *s = stats_of("x:gaussian c:categorical t:multinomial y", NULL);
    table one = table_of("1,p,u,a\n"), other = table_of("2,q,v v,b\n");
    batch b = batch_for_stats(s, &one);
    b.rows.weight = &most;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    assert_ok(try_learn(s, &other, false));
    assert_true(ilk_stats_classes(s) == 2);
    assert_fails(ILK_EDATA, "class a: the number of its rows would pass 2^53", try_learn(s, &one, false));
    batch_free(&b);
    table_free(&one);
    table_free(&other);
    ilk_stats_free(s);
}

static void merge__refuses_to_count_words_beyond_2_to_the_53(void **state) {
    (void)state;
    for (size_t often = 0; often < 2; often++) { /* in the first text or in the second */
        ilk_stats *s = stats_of("t:multinomial u:multinomial y", NULL);
        uint32_t label[2];
        const uint32_t word[] = {0, 0}, count[] = {1, 1u << 31}, once[] = {1, 1};
        const size_t begin[] = {0, 1, 2};
        for (size_t j = 0; j < 2; j++) {
            uint32_t id;
            assert_ok(ilk_stats_word(&id, s, j, str("w"), &failure));
            assert_ok(ilk_stats_class(&label[j], s, str(j ? "b" : "a"), &failure));
        }
        const ilk_tokens text[] = {{begin, word, often ? once : count, NULL},
                                   {begin, word, often ? count : once, NULL}};
        const ilk_rows two = {.n = 2, .text = text, .label = label}, one = {.n = 1, .text = text, .label = label + 1};
        assert_ok(ilk_stats_add(s, &two, &failure));
        for (int times = 0; times < 22; times++)
            assert_ok(ilk_stats_merge(s, s, &failure));
        const char *says = often ? "class b, column u: a count would pass 2^53" : "class b, column t: a count would";
        assert_fails(ILK_EDATA, says, ilk_stats_merge(s, s, &failure));
        assert_fails(ILK_EDATA, says, ilk_stats_add(s, &one, &failure));
        assert_true(ilk_stats_rows(s) == 0x1p23);
        ilk_stats_free(s);
    }
}

/* Workers take chunks in turn; moments are flushed in the order of the chunks, counts wait for the end. */
static void flush__makes_the_file_the_same_for_any_number_of_workers(void **state) {
    (void)state;
    static const char *const mixed = "x:gda y:gda c:categorical t:multinomial k";
    rng r = rng_new(62);
    char text[4096] = "";
    for (size_t i = 0, n = 0; i < 60; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.17g,%.17g,v%zu,w%zu w%zu,k%zu\n", rng_normal(&r),
                              1e6 * rng_unit(&r), rng_below(&r, 4), rng_below(&r, 9), rng_below(&r, 9),
                              rng_below(&r, 3));
    table t = table_of(text);
    bytes first = {0};
    for (size_t workers = 1; workers <= 4; workers++) {
        ilk_stats *total = stats_of(mixed, NULL), *part[4];
        for (size_t w = 0; w < workers; w++)
            part[w] = stats_of(mixed, NULL);
        for (size_t chunk = 0; chunk < 10; chunk++) {
            table some = table_part(&t, chunk * 6, 6);
            assert_ok(try_learn(part[chunk % workers], &some, false));
            assert_ok(ilk_stats_flush(total, part[chunk % workers], &failure));
        }
        for (size_t w = 0; w < workers; w++) {
            assert_ok(ilk_stats_merge(total, part[w], &failure));
            ilk_stats_free(part[w]);
        }
        bytes b = stats_file(total);
        if (workers == 1)
            first = b;
        else
            assert_same_bytes(first, b);
        if (workers > 1)
            free(b.p);
        ilk_stats_free(total);
    }
    free(first.p);
    table_free(&t);
}

/* ---- taking away */

static void remove__of_any_rows_is_as_if_they_had_never_been(void **state) {
    (void)state;
    table t = table_of(rows);
    for (size_t from = 0; from < t.n; from++)
        for (size_t n = 1; from + n <= t.n; n++) {
            table gone = table_part(&t, from, n), before = table_part(&t, 0, from),
                  after = table_part(&t, from + n, t.n - from - n);
            ilk_stats *s = stats_of(columns, &t), *expected = stats_of(columns, &before);
            assert_ok(try_learn(expected, &after, false));
            assert_ok(try_learn(s, &gone, true));
            assert_true(ilk_stats_rows(s) == (double)(t.n - n));
            assert_int_equal(ilk_stats_classes(s), ilk_stats_classes(expected));
            if (ilk_stats_classes(s) > 1)
                assert_same_stats(expected, s);
            ilk_stats_free(s);
            ilk_stats_free(expected);
        }
    table_free(&t);
}

static void subtract__of_a_shard_leaves_the_others(void **state) {
    (void)state;
    table t = table_of(rows), kept = table_part(&t, 0, 5), gone = table_part(&t, 5, 2);
    ilk_stats *whole = stats_of(columns, &t), *a = stats_of(columns, &kept), *b = stats_of(columns, &gone);
    assert_ok(ilk_stats_subtract(whole, b, &failure));
    assert_same_stats(a, whole);
    assert_ok(ilk_stats_subtract(whole, a, &failure));
    assert_true(ilk_stats_rows(whole) == 0 && ilk_stats_classes(whole) == 0);
    ilk_model *m;
    assert_fails(ILK_EDATA, "no row to learn from", ilk_model_estimate(&m, whole, NULL, &failure));
    assert_ok(ilk_stats_merge(whole, a, &failure)); /* and it can begin anew */
    assert_same_stats(a, whole);
    ilk_stats_free(whole);
    ilk_stats_free(a);
    ilk_stats_free(b);
    table_free(&t);
}

/* Each value was learnt, but never both in one row. */
static void remove__of_a_combination_never_added_names_it(void **state) {
    (void)state;
    table t = table_of("u,x,p\nv,y,p\nu,y,q\n"), other = table_of("u,y,p\n");
    ilk_stats *s = stats_of("a:table b:table k", &t);
    assert_fails(ILK_EDATA,
                 "class p, column (all of family table): these rows were never learnt: too little would be left of "
                 "'u,y'",
                 try_learn(s, &other, true));
    ilk_stats_free(s);
    table_free(&other);
    table_free(&t);
}

/* Forgetting a class is never having seen its rows: the words and values that it had alone are gone too. */
static void remove_class__is_as_if_its_rows_had_never_been(void **state) {
    (void)state;
    static const char *const some = "red,big,hot hot day,1,2,fire\nblue,,wet,2,2.5,water\nblue,small,day,4,1,water\n"
                                    "red,big,day,2,3,fire\n",
                             *const mud = "brown,tiny,mud mud,7,9,earth\nred,tiny,hot,8,1,earth\n",
                             *const mixed = "colour:categorical size:table t:bernoulli x:gaussian y:gda kind";
    table t = table_of(some), more = table_of(mud);
    ilk_stats *plain = stats_of(mixed, &t), *s = stats_of(mixed, &t);
    assert_ok(try_learn(s, &more, false));
    assert_fails(ILK_EARG, "no class 'air'", ilk_stats_remove_class(s, str("air"), &failure));
    assert_ok(ilk_stats_remove_class(s, str("earth"), &failure));
    assert_same_stats(plain, s);
    assert_fails(ILK_EARG, "no class 'earth'", ilk_stats_remove_class(s, str("earth"), &failure));
    assert_ok(try_learn(s, &more, false)); /* and it can come back */
    assert_ok(try_learn(plain, &more, false));
    assert_same_stats(plain, s);
    ilk_stats_free(s);
    ilk_stats_free(plain);
    table_free(&t);
    table_free(&more);
}

static void remove__of_rows_never_added_is_refused_and_changes_nothing(void **state) {
    (void)state;
    static const struct {
        const char *row, *says;
    } never[] = {
        {"red,big,hot hot hot day,fire\n",
         "class fire, column note: these rows were never learnt: too little would be left of 'hot'"},
        {"green,big,mud,fire\n",
         "class fire, column colour: these rows were never learnt: too little would be left of 'green'"},
        {"red,huge,hot,fire\n",
         "class fire, column size: these rows were never learnt: too little would be left of 'huge'"},
        {"red,big,lava,fire\n",
         "class fire, column note: these rows were never learnt: too little would be left of 'lava'"},
        {"red,big,hot,air\n", "class air: more rows to forget than were learnt"},
        {",,,earth\n,,,earth\n,,,earth\n", "class earth: more rows to forget than were learnt"},
        {"red,big,hot hot day,fire\nred,big,hot hot day,fire\n",
         "class fire, column size: these rows were never learnt: too little would be left of 'big'"},
    };
    table t = table_of(rows);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        ilk_stats *s = stats_of(columns, &t), *plain = stats_of(columns, &t);
        table bad = table_of(never[i].row);
        assert_fails(ILK_EDATA, never[i].says, try_learn(s, &bad, true));
        assert_same_stats(plain, s);
        table_free(&bad);
        ilk_stats_free(s);
        ilk_stats_free(plain);
    }
    table_free(&t);
}

/* Rows without a value, of a class whose rows all have one. */
static void remove__of_rows_without_values_that_were_never_learnt_is_refused(void **state) {
    (void)state;
    static const char *const schemas[] = {"x:gaussian y", "x:gda z:gda y", "x:categorical z:categorical y",
                                          "x:table z:table y"};
    static const char *const there[] = {"1,a\n2,a\n4,a\n1,b\n", "1,2,a\n2,1,a\n4,4,a\n1,1,b\n",
                                        "u,v,a\nu,v,a\nw,v,a\nu,v,b\n", "u,v,a\nu,v,a\nw,v,a\nu,v,b\n"};
    static const char *const gone[] = {",a\n", ",3,a\n", ",v,a\n", ",v,a\n"};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        ilk_stats *s = learnt(schemas[i], there[i]);
        table t = table_of(gone[i]);
        batch b = batch_for_stats(s, &t);
        assert_fails(ILK_EDATA, "class a, column x: these rows were never learnt: more values than rows",
                     ilk_stats_remove(s, &b.rows, &failure));
        b.rows.weight = (double[]){1e-10}; /* that little may be rounding */
        assert_ok(ilk_stats_remove(s, &b.rows, &failure));
        table more = table_of(there[i]);
        batch heavy = batch_for_stats(s, &more); /* and of more rows, more */
        heavy.rows.weight = (double[]){1000.5, 1000.5, 1000.5, 1000.5};
        assert_ok(ilk_stats_add(s, &heavy.rows, &failure));
        b.rows.weight = (double[]){1e-7};
        assert_ok(ilk_stats_remove(s, &b.rows, &failure));
        batch_free(&heavy);
        table_free(&more);
        batch_free(&b);
        table_free(&t);
        ilk_stats_free(s);
    }
}

/* Ten tenths are a little less than 1, and 100,000 of them a little more than 10,000. */
static void remove__of_a_row_that_came_in_parts_is_right_to_rounding(void **state) {
    (void)state;
    for (int parts = 10; parts <= 100000; parts *= 10000) {
        ilk_stats *s = stats_of("c:categorical y", NULL);
        table t = table_of("u,p\n"), other = table_of("v,q\n");
        batch b = batch_for_stats(s, &t);
        b.rows.weight = (double[]){0.1};
        for (int i = 0; i < parts; i++)
            assert_ok(ilk_stats_add(s, &b.rows, &failure));
        assert_ok(try_learn(s, &other, false));
        b.rows.weight = (double[]){parts / 10};
        assert_ok(ilk_stats_remove(s, &b.rows, &failure));
        assert_true(ilk_stats_rows(s) == 1 && ilk_stats_classes(s) == 1);
        batch_free(&b);
        table_free(&t);
        table_free(&other);
        ilk_stats_free(s);
    }
}

/* A class that was only asked for by name has nothing to take away, known here or not. */
static void subtract__does_not_care_for_names_that_were_only_asked_for(void **state) {
    (void)state;
    ilk_stats *s = learnt("c:categorical y", "u,p\nv,q\nu,q\n"), *from = learnt("c:categorical y", "u,q\n");
    uint32_t id;
    assert_ok(ilk_stats_class(&id, from, str("nobody"), &failure));
    assert_ok(ilk_stats_subtract(s, from, &failure));
    assert_true(ilk_stats_rows(s) == 2);
    ilk_stats_free(s);
    ilk_stats_free(from);
}

static void remove__is_all_or_nothing_across_blocks(void **state) {
    (void)state;
    static const char *const mixed = "colour:categorical x:gaussian kind";
    char text[4096] = "blue,7,q\nblue,8,q\nred,1e16,p\n";
    size_t n = strlen(text);
    for (size_t i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "red,%zu,p\n", 1000000 + i);
    ilk_stats *s = learnt(mixed, text), *plain = learnt(mixed, text);
    table outlier = table_of("red,1e16,p\n");
    assert_fails(ILK_EDATA, "class p, column x: what would be left varies so little", try_learn(s, &outlier, true));
    assert_same_stats(plain, s);
    table more = table_of("blue,7,q\nblue,8,q\nblue,9,q\n");
    assert_fails(ILK_EDATA, "class q: more rows to forget", try_learn(s, &more, true));
    assert_same_stats(plain, s);
    table_free(&more);
    table_free(&outlier);
    ilk_stats_free(s);
    ilk_stats_free(plain);
}

/* Rows of class p in which x is .3 but for the first, where it is 1.7; in class q it is as `vary` says. */
static const char *nearly_constant(char *out, size_t size, bool first, bool vary) {
    size_t n = (size_t)snprintf(out, size, "%s", first ? "1.7,5,p\n" : "");
    for (int i = 0; i < 60; i++)
        n += (size_t)snprintf(out + n, size - n, "0.3,%d,p\n%g,%d,q\n", i % 7, vary ? 0.1 * (i % 13) : 0.1, i % 11);
    return out;
}

/* A column that does not vary any more in one class, but in others: none of these families sees more than that. */
static void remove__may_leave_a_column_constant_in_a_class(void **state) {
    (void)state;
    static const char *const schemas[] = {"x:gaussian z:gaussian y", "x:gaussian-shared z:gaussian-shared y",
                                          "x:gda z:gda y"};
    char with[4096], without[4096];
    for (size_t f = 0; f < 3; f++) {
        ilk_stats *s = learnt(schemas[f], nearly_constant(with, sizeof with, true, true));
        table first = table_of("1.7,5,p\n"), asked = table_of("0.3,2,p\n0.31,5,p\n0.9,4,p\n,1,p\n");
        assert_ok(try_learn(s, &first, true));
        ilk_model *left = estimated(s, NULL),
                  *never = model_of(schemas[f], nearly_constant(without, sizeof without, false, true), NULL);
        double *a = log_joints(left, &asked), *b = log_joints(never, &asked);
        for (size_t i = 0; i < 8; i++)
            assert_close(a[i], b[i], 1e-8 * fabs(b[i]));
        free(a);
        free(b);
        ilk_model_free(left);
        ilk_model_free(never);
        table_free(&asked);
        table_free(&first);
        ilk_stats_free(s);
    }
}

/* Where no class varies much, what is left might be all there is. */
static void remove__is_refused_where_a_column_varies_in_no_class(void **state) {
    (void)state;
    char with[4096];
    ilk_stats *s = learnt("x:gaussian z:gaussian y", nearly_constant(with, sizeof with, true, false));
    table first = table_of("1.7,5,p\n");
    assert_fails(ILK_EDATA, "class p, column x: what would be left varies so little", try_learn(s, &first, true));
    table_free(&first);
    ilk_stats_free(s);
}

typedef struct notes {
    char text[4000];
    size_t n;
} notes;

static void take_note(void *ctx, const char *note) {
    notes *all = ctx;
    all->n += (size_t)snprintf(all->text + all->n, sizeof all->text - all->n, "%s\n", note);
}

static void assert_notes(const char *schema, const char *text, const char *expected) {
    ilk_stats *s = learnt(schema, text);
    notes all = {.n = 0};
    ilk_stats_notes(s, take_note, &all);
    assert_string_equal(all.text, expected);
    ilk_stats_free(s);
}

static void notes__name_columns_that_never_vary_and_classes_without_values(void **state) {
    (void)state;
    assert_notes("x:gaussian z:gaussian c:categorical y", "1,1,p,a\n1,2,q,b\n,2,q,b\n",
                 "column x never varies and says nothing\n");
    assert_notes("x:gaussian z:gaussian c:categorical y", "1,2,p,a\n1,2,p,b\n2,2,p,b\n",
                 "columns z, c never vary and say nothing\n");
    assert_notes("x:gda z:gda t:multinomial y", "1,2,p,a\n3,2,p,b\n2,2,p,b\n",
                 "column z never varies and says nothing\n");
    assert_notes("x:gaussian z:poisson y", "1,2,c\n,2,b\n2,3,c\n4,,d\n,,a\n",
                 "column x has no value in class a and 1 more: it is taken to be as in all rows\n"
                 "column z has no value in class a and 1 more: it is taken to be as in all rows\n");
    assert_notes("x:gaussian z:gaussian y", ",2,a\n,3,b\n", "column x never varies and says nothing\n");
    assert_notes("x:gaussian z:gaussian y", "5,2,a\n5,1,a\n,3,b\n,1,b\n",
                 "column x never varies and says nothing\n"
                 "column x has no value in class b: it is taken to be as in all rows\n");
    assert_notes("x:gda z:gda y", "1,2,a\n3,,b\n,2,b\n2,1,a\n", ""); /* the estimate refuses it */
}

/* What was taken away again left a cell, of count 0. */
static void notes__do_not_count_values_that_are_gone(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:gaussian c:categorical y", "1,p,a\n2,p,b\n3,q,b\n");
    table gone = table_of("3,q,b\n");
    notes all = {.n = 0};
    assert_ok(try_learn(s, &gone, true));
    ilk_stats_notes(s, take_note, &all);
    assert_string_equal(all.text, "column c never varies and says nothing\n");
    table_free(&gone);
    ilk_stats_free(s);
}

/* Values are counted for 16,384 columns at a time: on both sides of each border, and where all but the last block have
 * been counted, the right columns are named. */
static void notes__are_right_for_any_number_of_categories(void **state) {
    (void)state;
    enum { D = 40000 };
    static const size_t same[] = {0, 16383, 16384, 32767, 32768, D - 1};
    char *schema = NULL, *text = NULL;
    size_t schema_size, text_size;
    FILE *names = open_memstream(&schema, &schema_size), *lines = open_memstream(&text, &text_size);
    for (size_t j = 0; j < D; j++)
        fprintf(names, "c%zu:categorical ", j);
    fputs("y", names);
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0, next = 0; j < D; j++) {
            bool constant = next < sizeof same / sizeof *same && j == same[next];
            next += constant;
            fprintf(lines, "%c,", constant ? 'u' : 'u' + i);
        }
        fprintf(lines, "%c\n", 'a' + i);
    }
    fclose(names);
    fclose(lines);
    assert_notes(schema, text, "columns c0, c16383, c16384, c32767, c32768, c39999 never vary and say nothing\n");
    free(schema);
    free(text);
}

static void notes__are_cut_where_there_are_many(void **state) {
    (void)state;
    assert_notes("a:gaussian b:gaussian c:gaussian d:gaussian e:gaussian f:gaussian g:gaussian h:gaussian i:gaussian "
                 "j:gaussian y",
                 "1,1,1,1,1,1,1,1,1,1,p\n1,1,1,1,1,1,1,1,1,1,q\n",
                 "columns a, b, c, d, e, f, g, h and 2 more never vary and say nothing\n");
    ilk_stats *s = learnt("a:gaussian b:gaussian c:gaussian d:gaussian e:gaussian f:gaussian g:gaussian h:gaussian "
                          "i:gaussian j:gaussian y",
                          "1,1,1,1,1,1,1,1,1,1,p\n2,2,2,2,2,2,2,2,2,2,p\n,,,,,,,,,,q\n");
    notes all = {.n = 0};
    ilk_stats_notes(s, take_note, &all);
    assert_non_null(strstr(all.text, "column h has no value in class q: it is taken to be as in all rows\n"
                                     "2 more columns have no value in some class\n"));
    assert_null(strstr(all.text, "column i "));
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add__gives_the_same_file_in_any_order_of_rows),
        cmocka_unit_test(add__does_not_care_for_names_that_were_only_asked_for),
        cmocka_unit_test(add__refuses_a_bad_row_by_name_and_changes_nothing),
        cmocka_unit_test(add__of_one_bad_row_names_row_0),
        cmocka_unit_test(names__of_features_that_are_not_there_are_refused),
        cmocka_unit_test(merge__of_any_shards_is_byte_for_byte_one_pass),
        cmocka_unit_test(merge__names_the_difference_and_changes_nothing),
        cmocka_unit_test(merge__refuses_to_count_beyond_2_to_the_53),
        cmocka_unit_test(add__refuses_to_count_beyond_2_to_the_53_in_classes_that_get_rows),
        cmocka_unit_test(merge__refuses_to_count_words_beyond_2_to_the_53),
        cmocka_unit_test(flush__makes_the_file_the_same_for_any_number_of_workers),
        cmocka_unit_test(remove__of_any_rows_is_as_if_they_had_never_been),
        cmocka_unit_test(subtract__of_a_shard_leaves_the_others),
        cmocka_unit_test(remove_class__is_as_if_its_rows_had_never_been),
        cmocka_unit_test(remove__of_rows_never_added_is_refused_and_changes_nothing),
        cmocka_unit_test(remove__of_a_combination_never_added_names_it),
        cmocka_unit_test(remove__of_rows_without_values_that_were_never_learnt_is_refused),
        cmocka_unit_test(remove__of_a_row_that_came_in_parts_is_right_to_rounding),
        cmocka_unit_test(subtract__does_not_care_for_names_that_were_only_asked_for),
        cmocka_unit_test(remove__may_leave_a_column_constant_in_a_class),
        cmocka_unit_test(remove__is_refused_where_a_column_varies_in_no_class),
        cmocka_unit_test(remove__is_all_or_nothing_across_blocks),
        cmocka_unit_test(notes__name_columns_that_never_vary_and_classes_without_values),
        cmocka_unit_test(notes__do_not_count_values_that_are_gone),
        cmocka_unit_test(notes__are_right_for_any_number_of_categories),
        cmocka_unit_test(notes__are_cut_where_there_are_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
