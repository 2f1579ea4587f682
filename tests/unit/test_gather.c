/* SPDX-License-Identifier: Apache-2.0 */
/* Counts that wait, and statistics that move: whichever way they take, what arrives is the same to the byte. */
#include "fixtures.h"

#include "core/memory.h"
#include "model/learn.h"
#include "model/stats.h"

enum { BATCHES = 12, ROWS = 40, MOST_WORDS = 9 };

typedef struct text_batch {
    size_t begin[ROWS + 1];
    uint32_t id[ROWS * MOST_WORDS], count[ROWS * MOST_WORDS], label[ROWS];
    bool missing[ROWS];
    ilk_tokens bags;
    ilk_rows rows;
} text_batch;

/* New words and, now and then, a new class; some rows without a word, or without a text. */
static void random_batch(text_batch *b, ilk_stats *s, rng *r, size_t at, uint32_t most) {
    char name[24];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(name, sizeof name, "k%zu", rng_below(r, 2 + at / 4));
        assert_ok(ilk_stats_class(&b->label[i], s, str(name), &failure));
        b->begin[i] = n;
        b->missing[i] = rng_below(r, 9) == 0;
        for (size_t w = b->missing[i] ? 0 : rng_below(r, MOST_WORDS); w > 0; w--) {
            snprintf(name, sizeof name, "w%zu", 10 * w + rng_below(r, 2 + 3 * at) % 10);
            assert_ok(ilk_stats_word(&b->id[n], s, 0, str(name), &failure));
            b->count[n++] = 1 + (uint32_t)rng_below(r, most);
        }
    }
    b->begin[ROWS] = n;
    b->bags = (ilk_tokens){b->begin, b->id, b->count, b->missing};
    b->rows = (ilk_rows){.n = ROWS, .text = &b->bags, .label = b->label};
}

/* Two statistics of the same rows, one of them gathered. */
static void check_gather(const char *columns, uint32_t most, bool weigh) {
    rng r = rng_new(most), again = r;
    double weight[ROWS];
    ilk_stats *plain = stats_of(columns, NULL), *gathered = stats_of(columns, NULL);
    for (size_t at = 0; at < BATCHES; at++) {
        text_batch a, b;
        random_batch(&a, plain, &r, at, most);
        random_batch(&b, gathered, &again, at, most);
        for (size_t i = 0; i < ROWS; i++)
            weight[i] = (double)(i % 3);
        if (weigh)
            a.rows.weight = b.rows.weight = weight;
        assert_ok(ilk_stats_add(plain, &a.rows, &failure));
        assert_ok(ilk_stats_gather(gathered, &b.rows, &failure));
        assert_ok(ilk_stats_gather(gathered, &(ilk_rows){0}, &failure));
        if (at == 5)
            assert_ok(ilk_stats_settle(gathered, &failure)); /* in between, too */
    }
    assert_true(ilk_stats_rows(plain) == ilk_stats_rows(gathered));
    assert_ok(ilk_stats_settle(gathered, &failure));
    assert_null(gathered->waiting);
    assert_same_stats(plain, gathered);
    ilk_stats_free(plain);
    ilk_stats_free(gathered);
}

static void gather__is_add_once_it_is_settled(void **state) {
    (void)state;
    check_gather("t:multinomial y", 3, false);
    check_gather("t:bernoulli y", 3, true);
    check_gather("t:multinomial u:- y", 1, false);
}

/* A few rows pass 2^32 tokens, and then a row alone does. */
static void gather__holds_for_counts_that_pass_32_bits(void **state) {
    (void)state;
    check_gather("t:multinomial y", 1u << 24, false);
    check_gather("t:multinomial y", UINT32_MAX, false);
}

/* `n` texts of one word, so often each, in one class. */
static ilk_status gather_word(ilk_stats *s, size_t n, uint32_t times) {
    uint32_t id[64], count[64], label[64];
    size_t begin[65] = {0};
    assert_ok(ilk_stats_class(&label[0], s, str("k"), &failure));
    assert_ok(ilk_stats_word(&id[0], s, 0, str("w"), &failure));
    for (size_t i = 0; i < n; i++) {
        id[i] = id[0], label[i] = label[0], count[i] = times;
        begin[i + 1] = i + 1;
    }
    ilk_tokens bags = {begin, id, count, NULL};
    return ilk_stats_gather(s, &(ilk_rows){.n = n, .text = &bags, .label = label}, &failure);
}

static void gather__holds_for_one_word_that_reaches_2_to_the_32_in_two_batches(void **state) {
    (void)state;
    ilk_stats *s = stats_of("t:multinomial y", NULL);
    assert_ok(gather_word(s, 1, 1294967296));
    assert_ok(gather_word(s, 1, 3000000000));
    assert_ok(ilk_stats_settle(s, &failure));
    assert_true(s->store[0].counts.margin[0].total == 0x1p32 && s->store[0].counts.margin[0].present == 2);
    ilk_stats_free(s);
}

/* The same of one batch, which is counted densely where it can be. */
static void add__of_one_word_that_reaches_2_to_the_32_is_exact(void **state) {
    (void)state;
    enum { MANY = 65536 };
    ilk_stats *s = stats_of("t:multinomial y", NULL);
    uint32_t *id = make(MANY, sizeof *id), *count = make(MANY, sizeof *count), *label = make(MANY, sizeof *label),
             slots;
    size_t *begin = make(MANY + 1, sizeof *begin);
    assert_ok(ilk_stats_class(&label[0], s, str("k"), &failure));
    assert_ok(ilk_stats_word(&id[0], s, 0, str("w"), &failure));
    for (size_t i = 0; i < MANY; i++) {
        begin[i + 1] = i + 1;
        count[i] = 65536;
    }
    ilk_tokens bags = {begin, id, count, NULL};
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = MANY, .text = &bags, .label = label}, &failure));
    const ilk_cell *cell = ilk_counts_cells(&s->store[0].counts, 0, &slots);
    while (cell->k != 0)
        cell++;
    assert_true(cell->count == 0x1p32 && cell->docs == MANY);
    free(id), free(count), free(label), free(begin);
    ilk_stats_free(s);
}

/* 2^53 - 100 rows, and 120 more in three batches, of which two find room. */
static void gather__counts_the_rows_that_wait(void **state) {
    (void)state;
    ilk_stats *s = stats_of("t:multinomial y", NULL);
    assert_ok(gather_word(s, 40, 1));
    assert_ok(ilk_stats_settle(s, &failure));
    s->store[0].counts.margin[0].present = 0x1p53 - 100;
    assert_ok(gather_word(s, 40, 1));
    assert_ok(gather_word(s, 40, 1));
    assert_fails(ILK_EDATA, "class k, column t: a count would pass 2^53", gather_word(s, 40, 1));
    ilk_stats_free(s);
}

static void gather__is_given_up_with_the_statistics(void **state) {
    (void)state;
    rng r = rng_new(7);
    text_batch b;
    ilk_stats *s = stats_of("t:multinomial y", NULL);
    random_batch(&b, s, &r, 3, 2);
    assert_ok(ilk_stats_gather(s, &b.rows, &failure));
    assert_non_null(s->waiting);
    ilk_stats_free(s); /* a leak would be seen */
}

/* Statistics of these rows, or of none, which have met some classes by name before. */
static ilk_stats *prepared(const char *columns, const char *classes, const char *rows) {
    ilk_stats *s = stats_of(columns, NULL);
    for (; *classes; classes++) {
        uint32_t id;
        assert_ok(ilk_stats_class(&id, s, (ilk_str){classes, 1}, &failure));
    }
    table t = table_of(*rows ? rows : "1,u,a,p\n");
    if (*rows)
        assert_ok(try_learn(s, &t, false));
    table_free(&t);
    return s;
}

/* Into nothing; into what has classes only, in the same order, in another, or more of them; into what has counts, and
 * into a row without a word, which is a row all the same. */
static void absorb__is_merge(void **state) {
    (void)state;
    static const char *const columns = "x:gaussian c:categorical t:multinomial y";
    static const char *const classes[] = {"", "q", "qp", "pq", "qpr", "rqp"};
    static const char *const before[] = {"", "1,u,a a,p\n", "3,w,d,r\n", ",,,p\n"};
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 4; j++) {
            ilk_stats *merged = prepared(columns, classes[i], before[j]),
                      *absorbed = prepared(columns, classes[i], before[j]),
                      *from = learnt(columns, "1,u,a,q\n2,v,b,p\n4,v,b c,q\n");
            assert_ok(ilk_stats_merge(merged, from, &failure));
            assert_ok(ilk_stats_absorb(absorbed, from, &failure));
            assert_same_stats(merged, absorbed);
            ilk_stats_free(merged);
            ilk_stats_free(absorbed);
            ilk_stats_free(from);
        }
    }
}

static double tokens_in(const ilk_stats *s) {
    double sum = 0;
    for (size_t k = 0; k < s->K; k++)
        sum += s->store[0].counts.margin[k].total;
    return sum;
}

/* Parts that learnt some batches each, against one that learnt all. Part 1 is settled, and then goes on; part 2 has
 * nothing. */
static void check_unite(const char *columns, uint32_t most) {
    enum { PARTS = 4 };
    ilk_stats *plain = stats_of(columns, NULL), *sum = stats_of(columns, NULL), *part[PARTS];
    ilk_renumbering id[PARTS] = {0};
    uint32_t known;
    for (size_t i = 0; i < PARTS; i++) {
        part[i] = stats_of(columns, NULL);
        for (size_t at = 0; i != 2 && at < BATCHES; at++) {
            text_batch a, b;
            rng r = rng_new((uint32_t)(100 * i + at)), again = r;
            random_batch(&a, plain, &r, at, most);
            random_batch(&b, part[i], &again, at, most);
            assert_ok(ilk_stats_add(plain, &a.rows, &failure));
            assert_ok(ilk_stats_gather(part[i], &b.rows, &failure));
            if (i == 1 && at == 5)
                assert_ok(ilk_stats_settle(part[i], &failure));
        }
    }
    assert_ok(ilk_stats_declare(&known, part[3], ILK_TEXT, 0, str("declared"), &failure));
    assert_ok(ilk_stats_declare(&known, plain, ILK_TEXT, 0, str("declared"), &failure));
    assert_ok(ilk_stats_unite(sum, part, PARTS, id, &failure));
    const ilk_dict *words = &sum->store[0].counts.keys;
    for (size_t i = 0; i < PARTS; i++) {
        const ilk_dict *own = &part[i]->store[0].counts.keys;
        for (uint32_t w = 0; w < own->n; w++)
            assert_true(ilk_str_equal(ilk_dict_key(own, w), ilk_dict_key(words, id[i].to[w])));
        assert_int_equal(id[i].n, own->n);
        ilk_free(id[i].to);
        ilk_stats_free(part[i]);
    }
    for (uint32_t w = 1; w < words->n; w++)
        assert_true(ilk_str_compare(ilk_dict_key(words, w - 1), ilk_dict_key(words, w)) < 0);
    assert_same_stats(plain, sum);
    assert_true(tokens_in(sum) == tokens_in(plain));
    ilk_stats_free(plain);
    ilk_stats_free(sum);
}

static void unite__is_learning_all_at_once(void **state) {
    (void)state;
    check_unite("t:multinomial y", 3);
    check_unite("t:bernoulli y", UINT32_MAX);
}

/* Categories and numbers: counts come together, moments have been flushed before. */
static void unite__leaves_moments_alone(void **state) {
    (void)state;
    static const char *const columns = "x:gaussian c:categorical t:multinomial y";
    ilk_stats *merged = learnt(columns, "1,u,a,q\n2,v,b,p\n4,v,b c,q\n"), *total = stats_of(columns, NULL),
              *sum = stats_of(columns, NULL),
              *part[] = {learnt(columns, "1,u,a,q\n"), learnt(columns, "2,v,b,p\n"), learnt(columns, "4,v,b c,q\n")};
    for (size_t i = 0; i < 3; i++)
        assert_ok(ilk_stats_flush(total, part[i], &failure));
    assert_ok(ilk_stats_unite(sum, part, 3, NULL, &failure));
    assert_ok(ilk_stats_absorb(total, sum, &failure));
    assert_same_stats(merged, total);
    for (size_t i = 0; i < 3; i++)
        ilk_stats_free(part[i]);
    ilk_stats_free(merged);
    ilk_stats_free(total);
    ilk_stats_free(sum);
}

static void unite__refuses_counts_that_pass_2_to_53(void **state) {
    (void)state;
    for (size_t what = 0; what < 3; what++) { /* tokens, documents, rows */
        ilk_stats *sum = stats_of("t:multinomial y", NULL),
                  *part[] = {learnt("t:multinomial y", "a,q\n"), learnt("t:multinomial y", "b,q\n")};
        ilk_margin *margin = part[0]->store[0].counts.margin;
        *(what == 0 ? &margin->total : what == 1 ? &margin->present : &part[0]->rows[0]) = ILK_COUNT_MAX;
        assert_int_equal(ilk_stats_unite(sum, part, 2, NULL, &failure), ILK_EDATA);
        assert_string_equal(failure.message, what == 2 ? "class q: the number of its rows would pass 2^53"
                                                       : "class q, column t: a count would pass 2^53");
        for (size_t i = 0; i < 2; i++)
            ilk_stats_free(part[i]);
        ilk_stats_free(sum);
    }
}

/* Two threads' counts wait; together with what there is they are too many tokens, or too many rows. */
static void unite__counts_what_waits(void **state) {
    (void)state;
    for (size_t what = 0; what < 2; what++) {
        ilk_stats *sum = stats_of("t:multinomial y", NULL), *part[2];
        for (size_t i = 0; i < 2; i++) {
            part[i] = stats_of("t:multinomial y", NULL);
            assert_ok(gather_word(part[i], 40, 1));
            assert_non_null(part[i]->waiting);
        }
        ilk_margin *margin = part[0]->store[0].counts.margin;
        *(what ? &margin->present : &margin->total) = ILK_COUNT_MAX - 50;
        assert_int_equal(ilk_stats_unite(sum, part, 2, NULL, &failure), ILK_EDATA);
        for (size_t i = 0; i < 2; i++)
            ilk_stats_free(part[i]);
        ilk_stats_free(sum);
    }
}

static void dense__pays_where_cells_are_few_for_the_events(void **state) {
    (void)state;
    ilk_counts c = {.keys.n = 1 << 13, .K = 1 << 10};
    assert_true(ilk_dense_pays(&c, (1 << 20) + 1));
    assert_false(ilk_dense_pays(&c, 1 << 20));
    c.keys.n++; /* 2^23 cells are the most, however many events there are */
    assert_false(ilk_dense_pays(&c, 0x1p40));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense__pays_where_cells_are_few_for_the_events),
        cmocka_unit_test(gather__is_add_once_it_is_settled),
        cmocka_unit_test(gather__holds_for_counts_that_pass_32_bits),
        cmocka_unit_test(gather__holds_for_one_word_that_reaches_2_to_the_32_in_two_batches),
        cmocka_unit_test(add__of_one_word_that_reaches_2_to_the_32_is_exact),
        cmocka_unit_test(gather__counts_the_rows_that_wait),
        cmocka_unit_test(gather__is_given_up_with_the_statistics),
        cmocka_unit_test(absorb__is_merge),
        cmocka_unit_test(unite__is_learning_all_at_once),
        cmocka_unit_test(unite__leaves_moments_alone),
        cmocka_unit_test(unite__refuses_counts_that_pass_2_to_53),
        cmocka_unit_test(unite__counts_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
