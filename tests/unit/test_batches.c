/* SPDX-License-Identifier: Apache-2.0 */
/* test_batches.c - large batches in memory: counted densely and by several threads, scored by several classes at once,
 * and the same to the last bit as row by row. */
#include "fixtures.h"

#include "model/stats.h"

enum { N = 5000, D = 3, VALUES = 7, WORDS = 40, LENGTH = 6 };

static const char *const columns = "a:categorical b:categorical n:gaussian c:categorical note:bernoulli kind";

/* Random rows; codes and words are those of any statistics that were named by named(). */
typedef struct many {
    double *real;
    uint32_t *code, *label, *id, *count;
    size_t *begin;
    bool *missing;
    ilk_tokens bags;
    ilk_rows rows;
} many;

static many many_new(uint64_t seed, size_t n, uint32_t K, bool scoring) {
    rng r = rng_new(seed);
    many b = {make(n, sizeof(double)),
              make(n * D, 4),
              make(n, 4),
              make(n * LENGTH, 4),
              make(n * LENGTH, 4),
              make(n + 1, sizeof(size_t)),
              make(n, sizeof(bool)),
              {0},
              {0}};
    for (size_t i = 0; i < n; i++) {
        b.label[i] = (uint32_t)rng_below(&r, K);
        b.real[i] = (double)rng_below(&r, 100);
        for (size_t j = 0; j < D; j++) {
            size_t v = rng_below(&r, VALUES + 2);
            uint32_t other = scoring && v == VALUES ? ILK_UNSEEN : ILK_MISSING;
            b.code[i * D + j] = v < VALUES ? (uint32_t)(v * D + j) : other;
        }
        size_t w = b.begin[i], first = rng_below(&r, WORDS);
        b.missing[i] = rng_below(&r, 9) == 0;
        for (size_t words = b.missing[i] ? 0 : rng_below(&r, LENGTH + 1); words > 0; words--, w++) {
            b.id[w] = (uint32_t)((first + 5 * words) % WORDS);
            if (scoring && rng_below(&r, 10) == 0)
                b.id[w] = ILK_UNSEEN;
            b.count[w] = 1 + (uint32_t)rng_below(&r, 3);
        }
        b.begin[i + 1] = w;
    }
    b.bags = (ilk_tokens){b.begin, b.id, b.count, b.missing};
    return b;
}

/* Not in many_new: the rows point into what it returns. */
static const ilk_rows *rows_of(many *b, size_t n, size_t threads) {
    b->rows = (ilk_rows){.n = n, .real = b->real, .code = b->code, .text = &b->bags, .label = b->label};
    b->rows.threads = threads;
    return &b->rows;
}

static void many_free(many *b) {
    free(b->real), free(b->code), free(b->label), free(b->id), free(b->count), free(b->begin), free(b->missing);
}

/* Statistics that know all names. The values of the columns take turns, so that a column's codes are no range. */
static ilk_stats *named(const char *schema, uint32_t K) {
    ilk_stats *s = stats_of(schema, NULL);
    char name[32];
    uint32_t id;
    for (uint32_t k = 0; k < K; k++) {
        snprintf(name, sizeof name, "class %02u", k);
        assert_ok(ilk_stats_class(&id, s, str(name), &failure));
    }
    for (uint32_t v = 0; v < VALUES * D; v++) {
        snprintf(name, sizeof name, "value %u", v / D);
        assert_ok(ilk_stats_code(&id, s, v % D, str(name), &failure));
    }
    for (uint32_t w = 0; w < WORDS; w++) {
        snprintf(name, sizeof name, "word %u", w);
        assert_ok(ilk_stats_word(&id, s, 0, str(name), &failure));
    }
    return s;
}

/* Row i alone. */
static ilk_rows row_of(const many *b, size_t i, ilk_tokens *bags) {
    *bags = (ilk_tokens){b->begin + i, b->id, b->count, b->missing + i};
    return (ilk_rows){.n = 1, .real = b->real + i, .code = b->code + i * D, .text = bags, .label = b->label + i};
}

/* Without numbers: moments are the same for any threads, but not for any cut into batches. */
static const char *const counted = "a:categorical b:categorical c:categorical note:multinomial kind";

static void add__of_a_large_batch_counts_as_row_by_row(void **state) {
    (void)state;
    for (uint32_t K = 2; K <= 12; K += 10) {
        many b = many_new(K, N, K, false);
        ilk_stats *single = named(counted, K);
        for (size_t i = 0; i < N; i++) {
            ilk_tokens bags;
            ilk_rows row = row_of(&b, i, &bags);
            assert_ok(ilk_stats_add(single, &row, &failure));
        }
        for (size_t threads = 1; threads <= 3; threads++) {
            ilk_stats *s = named(counted, K);
            assert_ok(ilk_stats_add(s, rows_of(&b, N, threads), &failure));
            assert_same_stats(single, s);
            ilk_stats_free(s);
        }
        ilk_stats_free(single);
        many_free(&b);
    }
}

/* Columns of one family with one of another between them. */
static void add__of_a_large_batch_counts_columns_that_stand_apart(void **state) {
    (void)state;
    static const char *const apart = "a:categorical b:table c:categorical kind";
    ilk_stats *single = stats_of(apart, NULL), *at_once = stats_of(apart, NULL), *both[] = {single, at_once};
    uint32_t *code = make(N * D, sizeof *code), *label = make(N, sizeof *label), named_code[D][VALUES], id;
    rng r = rng_new(31);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(ilk_stats_class(&id, both[i], str("u"), &failure));
        assert_ok(ilk_stats_class(&id, both[i], str("v"), &failure));
        for (size_t v = 0; v < VALUES * D; v++)
            assert_ok(
                ilk_stats_code(&named_code[v % D][v / D], both[i], v % D, (ilk_str){&"opqrstu"[v / D], 1}, &failure));
    }
    for (size_t i = 0; i < N; i++) {
        label[i] = (uint32_t)rng_below(&r, 2);
        for (size_t j = 0; j < D; j++)
            code[i * D + j] = named_code[j][rng_below(&r, j + 2 + label[i])];
        ilk_rows row = {.n = 1, .code = code + i * D, .label = label + i};
        assert_ok(ilk_stats_add(single, &row, &failure));
    }
    assert_ok(ilk_stats_add(at_once, &(ilk_rows){.n = N, .code = code, .label = label, .threads = 2}, &failure));
    assert_same_stats(single, at_once);
    ilk_stats_free(single);
    ilk_stats_free(at_once);
    free(code), free(label);
}

static void add__has_the_same_bits_for_any_threads(void **state) {
    (void)state;
    many b = many_new(7, N, 4, false);
    ilk_stats *one = named(columns, 4);
    assert_ok(ilk_stats_add(one, rows_of(&b, N, 1), &failure));
    for (size_t threads = 2; threads <= 5; threads++) {
        ilk_stats *s = named(columns, 4);
        assert_ok(ilk_stats_add(s, rows_of(&b, N, threads), &failure));
        assert_same_stats(one, s);
        ilk_stats_free(s);
    }
    ilk_stats_free(one);
    many_free(&b);
}

/* The sum of a cell would not fit 32 bits: all words are one, thousands of times 2^32 - 1. */
static void add__counts_more_words_than_32_bits_hold(void **state) {
    (void)state;
    many b = many_new(8, N, 2, false);
    double tokens = 0, texts = 0;
    for (size_t w = 0; w < b.begin[N]; w++) {
        b.count[w] = UINT32_MAX;
        tokens += UINT32_MAX;
    }
    for (size_t i = 0; i < N; i++)
        texts += !b.missing[i];
    ilk_stats *s = named(counted, 2);
    assert_ok(ilk_stats_add(s, rows_of(&b, N, 2), &failure));
    const ilk_margin *margin = s->store[1].counts.margin;
    assert_true(margin[0].total + margin[1].total == tokens);
    assert_true(margin[0].present + margin[1].present == texts);
    ilk_stats_free(s);
    many_free(&b);
}

static void add__of_a_large_batch_is_all_or_nothing(void **state) {
    (void)state;
    many b = many_new(9, N, 3, false);
    ilk_stats *s = named(columns, 3), *untouched = named(columns, 3);
    assert_ok(ilk_stats_add(s, rows_of(&b, N / 2, 2), &failure));
    assert_ok(ilk_stats_add(untouched, rows_of(&b, N / 2, 2), &failure));
    const struct {
        uint32_t *at, bad;
        const char *says;
    } cases[] = {
        {&b.code[4321 * D + 1], 0, "row 4321, column b: 0 is not a code of it"}, /* a code, but of column a */
        {&b.code[4321 * D + 2], VALUES * D, "row 4321, column c: 21 is not a code of it"},
        {&b.code[4999 * D], ILK_UNSEEN, "row 4999, column a: 4294967294 is not a code of it"},
        {&b.id[b.begin[4001] - 1], WORDS, "column note: 40 is not a word of it"},
        {&b.count[b.begin[4001] - 1], 0, "counted 0 times"},
        {&b.label[77], 3, "row 77: 3 is not a class"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t threads = 1; threads <= 3; threads++) {
            uint32_t good = *cases[i].at;
            *cases[i].at = cases[i].bad;
            assert_fails(ILK_EDATA, cases[i].says, ilk_stats_add(s, rows_of(&b, N, threads), &failure));
            *cases[i].at = good;
        }
    }
    assert_same_stats(untouched, s);
    ilk_stats_free(s);
    ilk_stats_free(untouched);
    many_free(&b);
}

/* ---- scoring */

static void codes_for(const ilk_model *m, many *b, size_t n) {
    char name[32];
    for (size_t i = 0; i < n * D; i++) {
        if (b->code[i] >= ILK_UNSEEN)
            continue;
        snprintf(name, sizeof name, "value %u", b->code[i] / D);
        b->code[i] = ilk_model_code(m, i % D, str(name));
    }
    for (size_t w = 0; w < b->begin[n]; w++) {
        snprintf(name, sizeof name, "word %u", b->id[w]);
        b->id[w] = ilk_model_word(m, 0, str(name));
    }
}

/* Rows with every kind of value, of K classes: 1 + 2 + 4 + 8 and what is between. */
static void scores__of_a_large_batch_are_those_of_its_rows(void **state) {
    (void)state;
    static const char *const families[] = {"multinomial", "bernoulli", "complement"};
    for (uint32_t K = 2; K <= 15; K += K < 3 ? 1 : 4) {
        many train = many_new(10 + K, N, K, false);
        ilk_stats *s = named(columns, K);
        assert_ok(ilk_stats_add(s, rows_of(&train, N, 1), &failure));
        for (size_t f = 0; f < 3; f++) {
            ilk_options o;
            ilk_options_init(&o);
            o.text_family = families[f];
            ilk_model *m = estimated(s, &o);
            many here = many_new(20 + K, 600, K, true);
            double *all = make(600 * K, sizeof *all), *posterior = make(600 * K, sizeof *all), one[15], p[15];
            codes_for(m, &here, 600);
            assert_ok(ilk_model_log_joint(all, m, rows_of(&here, 600, 3), &failure));
            assert_ok(ilk_model_posterior(posterior, m, rows_of(&here, 600, 2), &failure));
            for (size_t i = 0; i < 600; i++) {
                ilk_tokens bags;
                ilk_rows row = row_of(&here, i, &bags);
                assert_ok(ilk_model_log_joint(one, m, &row, &failure));
                assert_memory_equal(all + i * K, one, K * sizeof *one);
                ilk_bayes(p, one, K);
                for (size_t k = 0; k < K; k++)
                    assert_close(posterior[i * K + k], p[k], 2e-15);
                assert_ok(ilk_model_posterior(p, m, &row, &failure));
                assert_memory_equal(posterior + i * K, p, K * sizeof *p);
            }
            free(all), free(posterior);
            many_free(&here);
            ilk_model_free(m);
        }
        ilk_stats_free(s);
        many_free(&train);
    }
}

/* What a row says is the sum of what `describe` tells of its values, whatever the number of classes. */
typedef struct told {
    const many *b;
    size_t i;
    double *sum;
    const ilk_model *m;
} told;

static ilk_status tell(void *ctx, const ilk_fact *fact) {
    told *t = ctx;
    if (strcmp(fact->quantity, "phi") != 0)
        return ILK_OK;
    for (uint32_t j = 0; j < D; j++)
        if (fact->column.p[0] == "abc"[j] && t->b->code[t->i * D + j] == ilk_model_code(t->m, j, fact->key))
            t->sum[fact->k] += log(fact->value);
    for (size_t w = t->b->begin[t->i]; fact->column.p[0] == 'n' && w < t->b->begin[t->i + 1]; w++)
        if (t->b->id[w] == ilk_model_word(t->m, 0, fact->key))
            t->sum[fact->k] += t->b->count[w] * log(fact->value);
    return ILK_OK;
}

static void scores__are_the_sum_of_what_describe_tells(void **state) {
    (void)state;
    static const uint32_t classes[] = {2, 3, 7, 15};
    for (size_t at = 0; at < 4; at++) {
        uint32_t K = classes[at];
        many train = many_new(30 + K, N, K, false), b = many_new(40 + K, 20, K, false);
        ilk_stats *s = named(counted, K);
        ilk_options o;
        ilk_options_init(&o);
        o.prior = ILK_PRIOR_UNIFORM;
        assert_ok(ilk_stats_add(s, rows_of(&train, N, 1), &failure));
        ilk_model *m = estimated(s, &o);
        double joint[20 * 15];
        codes_for(m, &b, 20);
        assert_ok(ilk_model_log_joint(joint, m, rows_of(&b, 20, 1), &failure));
        for (size_t i = 0; i < 20; i++) {
            double sum[15] = {0};
            assert_ok(ilk_model_describe(m, tell, &(told){&b, i, sum, m}, &failure));
            for (uint32_t k = 0; k < K; k++)
                assert_true(is_close(joint[i * K + k], sum[k] - log(K), 1e-12));
        }
        ilk_model_free(m);
        ilk_stats_free(s);
        many_free(&train);
        many_free(&b);
    }
}

/* The first row is far away from all others: sums about it would lose as many bits as there are rows. Tried with the
 * first row as the shift, the error is 2e-11. */
static void scatter__does_not_hang_on_the_first_row(void **state) {
    (void)state;
    enum { MANY = 4096 };
    rng r = rng_new(11);
    double *x = make(MANY + 2, sizeof *x);
    uint32_t *label = make(MANY + 2, sizeof *label);
    long double mean = 0, S = 0;
    for (size_t i = 0; i < MANY; i++)
        mean += x[i] = i ? rng_unit(&r) : 1e8;
    mean /= MANY;
    for (size_t i = 0; i < MANY; i++)
        S += (x[i] - mean) * (x[i] - mean);
    x[MANY + 1] = label[MANY] = label[MANY + 1] = 1;
    static const char *const family[] = {"x:gaussian y", "x:gda y"};
    for (size_t full = 0; full < 2; full++) {
        ilk_stats *s = stats_of(family[full], NULL);
        uint32_t id;
        assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
        assert_ok(ilk_stats_class(&id, s, str("b"), &failure));
        assert_ok(ilk_stats_add(s, &(ilk_rows){.n = MANY + 2, .real = x, .label = label}, &failure));
        assert_close(ilk_moments_record(&s->store[0].moments, 0)[full ? 3 : 2], (double)S, 5e-15);
        ilk_stats_free(s);
    }
    free(x);
    free(label);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add__of_a_large_batch_counts_as_row_by_row),
        cmocka_unit_test(add__of_a_large_batch_counts_columns_that_stand_apart),
        cmocka_unit_test(add__has_the_same_bits_for_any_threads),
        cmocka_unit_test(add__counts_more_words_than_32_bits_hold),
        cmocka_unit_test(add__of_a_large_batch_is_all_or_nothing),
        cmocka_unit_test(scores__of_a_large_batch_are_those_of_its_rows),
        cmocka_unit_test(scores__are_the_sum_of_what_describe_tells),
        cmocka_unit_test(scatter__does_not_hang_on_the_first_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
