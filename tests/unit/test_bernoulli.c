/* SPDX-License-Identifier: Apache-2.0 */
/* test_bernoulli.c - words there or not: where counts are whole, where rounding must not count, where there is none. */
#include "families/family.h"
#include "fixtures.h"

/* Statistics that were read from rows count every text of a class, those of a file may count none. */
static void class__without_a_text_is_refused_without_smoothing(void **state) {
    (void)state;
    const ilk_family *f = ilk_family_find("bernoulli");
    const ilk_keys no_words = {0};
    const ilk_str column = str("t"), class = str("b");
    const ilk_shape s = {.K = 1, .d = 1, .keys = &no_words, .column = &column, .name = &class, .unit = 1};
    const double none = 0, some = 0.25;
    const ilk_view empty = {.counts = {.present = &none}}, one = {.counts = {.present = &some}};
    double p[8];
    ilk_options o = options_of(0);
    assert_int_equal(f->size(&s), 8);
    assert_fails(ILK_EDATA, "column t has no text in class b: its probabilities are 0/0",
                 f->estimate(p, &s, &empty, &o, &failure));
    assert_ok(f->estimate(p, &s, &one, &o, &failure));
    o.smooth = 0.5; /* 1/2 each way */
    assert_ok(f->estimate(p, &s, &empty, &o, &failure));
    assert_ok(f->estimate(p, &s, &one, &o, &failure));
}

/* One word, in all texts of a class as far as rounding can tell; whichever of the two sums is whole. Whole counts are
 * exact, however many they are. */
static void word__of_all_texts_is_certain_whatever_is_rounded(void **state) {
    (void)state;
    static const double sums[][2] = {{3, 3}, {3 + 4e-15, 3}, {3, 3 + 4e-15}, {2.5, 2.5 + 4e-15}, {2.5 + 4e-15, 2.5}};
    const ilk_family *f = ilk_family_find("bernoulli");
    const ilk_keys word = {.n = 1};
    const ilk_str column = str("t"), class = str("b");
    const ilk_shape s = {.K = 1, .d = 1, .keys = &word, .column = &column, .name = &class, .unit = 1};
    const size_t begin[] = {0, 1};
    const uint32_t cls = 0;
    const ilk_options o = options_of(0);
    double p[10], docs, n;
    const ilk_view v = {.counts = {.begin = begin, .cls = &cls, .docs = &docs, .present = &n}};
    assert_int_equal(f->size(&s), 10);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        n = sums[i][0];
        docs = sums[i][1];
        assert_ok(f->estimate(p, &s, &v, &o, &failure));
        assert_true(p[0] == 0 && p[1] == -INFINITY && p[2] == 0 && p[3] == 1);
    }
    n = 0x1p40;
    docs = n - 1;
    assert_ok(f->estimate(p, &s, &v, &o, &failure));
    assert_close(p[1], -40 * log(2), 1e-15);
    assert_true(p[3] == 0);
}

/* They are taken back from logarithms of ratios, which end a bit above or below. */
static void counts__that_are_shown_are_whole(void **state) {
    (void)state;
    for (size_t n = 1; n < 60; n++) {
        char rows[2048] = "";
        for (size_t i = 0; i < n; i++)
            strcat(rows, i < (n + 1) / 3 + 1 ? "now buy,a\n" : "now,a\n");
        strcat(rows, "buy,b\n");
        ilk_options o = options_of((double)(n % 2));
        ilk_model *m = model_of("t:bernoulli y", rows, &o);
        double with = (double)(n < 2 ? 1 : (n + 1) / 3 + 1);
        assert_true(fact(m, "phi", "t", "buy", "a").count == with + o.smooth);
        assert_true(fact(m, "phi", "t", "now", "a").count == (double)n + o.smooth);
        ilk_model_free(m);
    }
}

/* The text left out is the only one of its class without "buy"; the others' weights, ten tenths, do not sum to 1, and
 * what rounding leaves of it is no text without the word. */
static void leave_one_out__of_the_only_text_without_a_word_is_impossible(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_stats *s = stats_of("t:bernoulli y", NULL);
    table t = table_of("now,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\nnow buy,a\n"
                       "now buy,a\nnow buy,a\nnow,b\nbuy,b\n");
    batch b = batch_for_stats(s, &t);
    double weight[] = {1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 1, 1}, out[26];
    b.rows.weight = weight;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    batch_free(&b);
    ilk_model *m = estimated(s, &o);
    b = batch_for_model(m, &t);
    b.rows.weight = weight;
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    assert_true(out[0] == -INFINITY);
    assert_close(out[1], log(2 / 3.0) + log(0.5) + log(0.5), 1e-12);
    assert_close(out[2], log(1.9 / 3.9) + log(0.9 / 1.9), 1e-9); /* "now" is certain */
    ilk_model_free(m);
    batch_free(&b);
    ilk_stats_free(s);
    table_free(&t);
}

/* Nothing is left of class a then, not even words that could be absent: -inf, and never 0/0. */
static void leave_one_out__of_the_only_text_of_a_class_is_impossible(void **state) {
    (void)state;
    for (int unknown = 0; unknown < 2; unknown++) {
        ilk_options o = options_of(0);
        o.unseen = unknown ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = model_of("t:bernoulli y", "buy now,a\nbuy,b\nnow,b\n", &o);
        table t = table_of("buy now,a\nbuy now zebra,a\n");
        batch b = batch_for_model(m, &t);
        double out[4];
        assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
        assert_true(out[0] == -INFINITY && out[2] == -INFINITY);
        assert_close(out[1], 2 * log(0.5), 1e-15);
        batch_free(&b);
        table_free(&t);
        ilk_model_free(m);
    }
}

/* Texts of any weights, the second of which is taken away again: then every text of class a has "buy", and one without
 * it is impossible, however the weights are rounded. */
static void estimate__bears_the_rounding_of_texts_taken_away(void **state) {
    (void)state;
    rng r = rng_new(8);
    ilk_options o = options_of(0);
    table t = table_of("buy,a\nnow,a\nbuy,a\nbuy,b\nnow,b\n"), second = table_part(&t, 1, 1);
    for (int times = 0; times < 200; times++) {
        double weight[5];
        for (size_t i = 0; i < 5; i++)
            weight[i] = 1 + rng_unit(&r);
        ilk_stats *s = stats_of("t:bernoulli y", NULL);
        batch all = batch_for_stats(s, &t), one = batch_for_stats(s, &second);
        all.rows.weight = weight;
        one.rows.weight = weight + 1;
        assert_ok(ilk_stats_add(s, &all.rows, &failure));
        assert_ok(ilk_stats_remove(s, &one.rows, &failure));
        ilk_model *m = estimated(s, &o);
        double *p = log_joints(m, &t);
        assert_true(p[2] == -INFINITY && isfinite(p[3]));
        assert_true(fact(m, "phi", "t", "buy", "a").value == 1);
        free(p);
        ilk_model_free(m);
        batch_free(&all);
        batch_free(&one);
        ilk_stats_free(s);
    }
    table_free(&t);
}

/* Nobody looks for a word that a bag has twice, but it may show. Taken away as it was added, it leaves nothing. */
static void word__twice_in_a_bag_is_refused_where_it_shows(void **state) {
    (void)state;
    static const size_t begin[] = {0, 2, 3, 4};
    static const uint32_t id[] = {0, 0, 1, 1}, count[] = {1, 1, 1, 1}, label[] = {0, 0, 1};
    const ilk_tokens bags = {begin, id, count, NULL};
    for (size_t n = 1; n <= 2; n++) { /* texts of the class */
        const ilk_rows twice = {.n = n, .text = &bags, .label = label};
        ilk_stats *s = learnt("t:bernoulli y", "buy,a\nnow,b\n");
        ilk_model *m;
        table t = table_of("buy,a\n");
        assert_ok(try_learn(s, &t, true));
        assert_ok(ilk_stats_add(s, &twice, &failure));
        if (n == 1)
            assert_fails(ILK_EDATA, "column t: 'buy' is in more texts of class a than there are: twice in a bag",
                         ilk_model_estimate(&m, s, NULL, &failure));
        else
            ilk_model_free(estimated(s, NULL));
        assert_ok(ilk_stats_remove(s, &twice, &failure));
        assert_true(ilk_stats_rows(s) == 1);
        table_free(&t);
        ilk_stats_free(s);
    }
}

static ilk_status hear(void *ctx, const ilk_part *part) {
    ilk_part **next = ctx;
    *(*next)++ = *part;
    return ILK_OK;
}

/* A text that is missing is none: it is no document without words, neither learnt nor answered nor left out. */
static void text__missing_says_nothing(void **state) {
    (void)state;
    ilk_model *m = model_of("t:bernoulli y", "buy,a\nNA,a\nnow,a\nNA,b\nlunch,b\n", NULL);
    table t = table_of("NA,a\n,a\nNA,b\n");
    batch b = batch_for_model(m, &t);
    ilk_part part[4], *next = part;
    double *p = log_joints(m, &t), without[6], score[3], unusual[3];
    assert_close(fact(m, "phi", "t", "buy", "a").value, 2 / 4., 1e-15);
    assert_close(fact(m, "phi", "t", "lunch", "b").value, 2 / 3., 1e-15);
    assert_close(p[0], log(3 / 5.), 1e-15);
    assert_close(p[1], log(2 / 5.), 1e-15);
    assert_close(p[2], log(3 / 5.) + log(2 / 4.) + log(2 / 4.) + log(3 / 4.), 1e-15);
    assert_ok(ilk_model_leave_one_out(without, m, &b.rows, &failure));
    assert_close(without[0], log(2 / 4.), 1e-15);
    assert_close(without[1], log(2 / 4.), 1e-15);
    assert_close(without[4], log(3 / 4.), 1e-15);
    assert_close(without[5], log(1 / 4.), 1e-15);
    assert_ok(ilk_model_explain(m, &b.rows, 0, 0, 1, hear, &next, &failure));
    assert_int_equal(next - part, 1); /* the prior */
    assert_ok(ilk_model_outlier(score, unusual, m, &b.rows, 1, &failure));
    assert_true(isnan(unusual[0]));
    free(p);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

static void text__missing_that_has_words_is_refused(void **state) {
    (void)state;
    static const bool missing[] = {false, true};
    static const size_t begin[] = {0, 0, 1};
    static const uint32_t id = 0, count = 1, label[] = {0, 0};
    const ilk_tokens bags = {begin, &id, &count, missing};
    const ilk_rows rows = {.n = 2, .text = &bags, .label = label};
    const char *message = "row 1, column t: a missing text has words";
    double p[4];
    ilk_stats *s = learnt("t:bernoulli y", "buy,a\nnow,b\n");
    ilk_model *m = estimated(s, NULL);
    assert_fails(ILK_EARG, message, ilk_stats_add(s, &rows, &failure));
    assert_fails(ILK_EARG, message, ilk_model_log_joint(p, m, &rows, &failure));
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* A text's words have their own odds, whichever there are beside it; one outside the dictionary has those of the room
 * for it. What is not there makes the rest. */
static void explain__tells_the_odds_of_each_word(void **state) {
    (void)state;
    ilk_options o = options_of(0.5);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    ilk_model *m = model_of("t:bernoulli y", "buy now,a\nbuy,a\nnow,a\nlunch,b\nbuy lunch,b\n", &o);
    table t = table_of("buy buy zebra,a\n");
    batch b = batch_for_model(m, &t);
    ilk_part part[5], *next = part;
    double *joint = log_joints(m, &t), sum = 0;
    assert_ok(ilk_model_explain(m, &b.rows, 0, 0, 1, hear, &next, &failure));
    assert_int_equal(next - part, 4); /* the prior, two words, the rest */
    for (size_t i = 0; i < 4; i++)
        sum += part[i].contribution;
    assert_close(sum, joint[0] - joint[1], 1e-13);
    assert_string_equal(text_of(part[1].value), "buy");
    assert_close(part[1].contribution, log(2.5 / 4) - log(1.5 / 3), 1e-14);
    assert_string_equal(text_of(part[2].value), "(unseen)");
    assert_close(part[2].contribution, log(0.5 / 3.5) - log(0.5 / 2.5), 1e-14);
    assert_true(part[1].x == 1 && part[2].x == 1);
    free(joint);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

typedef struct odds {
    double sum, rest; /* of all parts, and what words that are not there make of it */
} odds;

static odds explained(const ilk_model *m, const table *t, size_t i, uint32_t a, uint32_t b) {
    batch rows = batch_for_model(m, t);
    ilk_part part[8], *next = part;
    odds found = {0};
    assert_ok(ilk_model_explain(m, &rows.rows, i, a, b, hear, &next, &failure));
    for (const ilk_part *p = part; p < next; p++)
        found.sum += p->contribution;
    found.rest = next[-1].contribution;
    batch_free(&rows);
    return found;
}

/* Every text of b has "now", none of a has "late", none of either has "zoo". A class may be impossible by a word that is
 * there or by one that is not; the parts sum to the log-odds, which are NaN where both are. */
static void explain__adds_up_where_a_class_is_impossible(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("t:bernoulli y", "buy,a\nnow,a\nnow late,b\nnow,b\nnow zoo,c\nbuy,c\n", &o);
    table t = table_of("now,a\nbuy,a\nnow late,a\nlate,a\nzoo,a\nnow late buy,a\n");
    double *joint = log_joints(m, &t);
    for (size_t i = 0; i < 6; i++) {
        double of_a = joint[3 * i], of_b = joint[3 * i + 1];
        odds found = explained(m, &t, i, 0, 1), turned = explained(m, &t, i, 1, 0);
        assert_int_equal(isinf(of_a), i >= 2 ? -1 : 0);
        assert_int_equal(isinf(of_b), i == 0 || i == 2 ? 0 : -1);
        if (isinf(of_a) && isinf(of_b)) {
            assert_true(isnan(found.sum) && isnan(turned.sum));
            continue;
        }
        if (isinf(of_a - of_b))
            assert_true(found.sum == of_a - of_b && turned.sum == of_b - of_a);
        else
            assert_close(found.sum, of_a - of_b, 1e-13);
        assert_true(i == 1 ? found.rest == INFINITY : isfinite(found.rest));
    }
    free(joint);
    table_free(&t);
    ilk_model_free(m);
}

/* "now" is in every text of b: without it a text is none of b's, and with no word at all a text is surely one of a. */
static void theta__of_a_word_that_is_certain_is_infinite(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of("t:bernoulli y", "buy now,a\nbuy,a\nlunch,a\nnow,b\nbuy now,b\n", &o);
    assert_true(fact(m, "theta", "1", "", "b").value == -INFINITY);
    ilk_model_free(m);
    m = model_of("t:bernoulli y", "buy now,c\nbuy,c\nlunch,c\nnow,b\nbuy now,b\n", &o);
    assert_true(fact(m, "theta", "1", "", "c").value == INFINITY);
    ilk_model_free(m);
}

static ilk_status count_unseen(void *ctx, const ilk_fact *f) {
    *(size_t *)ctx += strcmp(f->quantity, "unseen") == 0 || strcmp(text_of(f->key), "(unseen)") == 0;
    return ILK_OK;
}

static void unseen__is_told_where_there_is_room_for_it(void **state) {
    (void)state;
    static const char *const families[] = {"t:bernoulli y", "t:multinomial y"};
    for (int i = 0; i < 4; i++) {
        ilk_options o = options_of(1);
        o.unseen = i % 2 ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = model_of(families[i / 2], "buy now,a\nbuy,b\nlunch,c\n", &o);
        size_t times = 0;
        assert_ok(ilk_model_describe(m, count_unseen, &times, &failure));
        assert_int_equal(times, i % 2 ? 3 + 2 : 0); /* a probability per class, and theta of all but the first */
        ilk_model_free(m);
    }
}

static ilk_status count_strange(void *ctx, const ilk_rows *rows) {
    size_t *drawn = ctx;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t w = rows->text->begin[i]; w < rows->text->begin[i + 1]; w++)
            drawn[rows->label[i]] += rows->text->id[w] == ILK_UNSEEN;
    return ILK_OK;
}

/* In a class without a text every word is as likely as not, also the one that stands for all outside the dictionary:
 * there it adds log(1/2) whether it is there or not. */
static void class__without_a_text_has_room_for_other_words(void **state) {
    (void)state;
    ilk_options o = options_of(1);
    o.unseen = ILK_UNSEEN_UNKNOWN;
    ilk_model *m = model_of("t:bernoulli y", "buy now,a\nNA,b\nNA,b\n", &o);
    table t = table_of("buy,a\nbuy zebra,a\n");
    batch b = batch_for_model(m, &t);
    double *joint = log_joints(m, &t), without[4];
    size_t told = 0, drawn[2] = {0};
    assert_close(fact(m, "unseen", "t", "", "a").value, 1 / 3., 1e-15);
    assert_close(fact(m, "unseen", "t", "", "b").value, 1 / 2., 1e-15);
    assert_close(fact(m, "theta", "t", "(unseen)", "b").value, log(2), 1e-15);
    assert_ok(ilk_model_describe(m, count_unseen, &told, &failure));
    assert_int_equal(told, 3);
    for (size_t i = 0; i < 2; i++)
        assert_close(joint[2 * i + 1], log(2 / 3.) + 3 * log(1 / 2.), 1e-14);
    assert_close(joint[0], log(1 / 3.) + log(2 / 3.) + log(1 / 3.) + log(2 / 3.), 1e-14);
    assert_close(joint[2], log(1 / 3.) + log(2 / 3.) + log(1 / 3.) + log(1 / 3.), 1e-14);
    assert_ok(ilk_model_leave_one_out(without, m, &b.rows, &failure));
    assert_close(without[1], log(2 / 2.) + 2 * log(1 / 2.), 1e-14); /* "buy" is one of the others then */
    assert_ok(ilk_model_sample(m, 3000, 1, count_strange, drawn, &failure));
    assert_in_range(drawn[0], 250, 420);  /* of a thousand */
    assert_in_range(drawn[1], 900, 1100); /* of two thousand */
    free(joint);
    batch_free(&b);
    table_free(&t);
    ilk_model_free(m);
}

/* ---- from a file */

enum { V = 2, K = 2, SIZE = 2 * V * K + 6 * K + 2, BASE = 2 * V * K, CERTAIN = BASE + K, UNSEEN = CERTAIN + K };

static const ilk_keys two_words = {.n = V};
static const ilk_shape shape = {.K = K, .d = 1, .keys = &two_words, .unit = 1};

/* Parameters of two classes: of 3 texts and 4, with two words, of which the first is in all texts of the first class
 * where `all`. */
static void fill(double p[SIZE], double alpha, bool all) {
    const size_t begin[] = {0, 2, 3};
    const uint32_t cls[] = {0, 1, 1};
    const double docs[] = {all ? 3 : 2, 1, 2}, n[] = {3, 4};
    const ilk_view view = {.counts = {.begin = begin, .cls = cls, .docs = docs, .present = n}};
    ilk_options o = options_of(alpha);
    o.unseen = alpha > 0 ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
    assert_int_equal(ilk_family_find("bernoulli")->size(&shape), SIZE);
    assert_ok(ilk_family_find("bernoulli")->estimate(p, &shape, &view, &o, &failure));
}

static bool valid_with(const double *good, size_t at, double value) {
    double p[SIZE];
    memcpy(p, good, sizeof p);
    p[at] = value;
    return ilk_family_find("bernoulli")->validate(p, &shape);
}

static void validate__refuses_what_no_counts_could_give(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        double p[SIZE];
        fill(p, way / 2 * 0.5, way % 2);
        assert_true(valid_with(p, 0, p[0]));
        for (size_t i = 0; i < SIZE; i++) {
            assert_false(valid_with(p, i, NAN));
            assert_false(valid_with(p, i, INFINITY));
            if (i < UNSEEN) /* two logarithms whose probabilities sum to one, their sum, how many are -inf */
                assert_false(valid_with(p, i, isinf(p[i]) ? -1 : p[i] - 1));
        }
        for (size_t k = 0; k < K; k++) {
            const size_t n = UNSEEN + K + k, absent = n + K;
            assert_false(valid_with(p, UNSEEN + k, 0.5)); /* a probability above 1 */
            assert_false(valid_with(p, UNSEEN + k, p[UNSEEN + k] - 0.5));
            assert_false(valid_with(p, n, -1));
            assert_false(valid_with(p, absent, -INFINITY));
        }
        assert_false(valid_with(p, SIZE - 2, -1)); /* alpha */
        assert_false(valid_with(p, SIZE - 1, -1)); /* room for other words: none or one */
        assert_false(valid_with(p, SIZE - 1, 0.5));
        assert_false(valid_with(p, SIZE - 1, 1 - p[SIZE - 1]));
    }
}

/* Without a text, all words are as likely as not. */
static void validate__accepts_a_class_without_a_text(void **state) {
    (void)state;
    const ilk_view none = {.counts = {.begin = (size_t[]){0, 0, 0}, .present = (double[]){0, 0.25}}};
    double p[SIZE];
    ilk_options o = options_of(0.5);
    for (int unknown = 0; unknown < 2; unknown++) {
        o.unseen = unknown ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        assert_ok(ilk_family_find("bernoulli")->estimate(p, &shape, &none, &o, &failure));
        assert_true(p[SIZE - 1] == unknown && valid_with(p, 0, p[0]));
    }
}

/* A sum may be off by a millionth of itself, or of 1; a logarithm below -1500 is that of no ratio of counts. */
static void validate__allows_for_rounding(void **state) {
    (void)state;
    const double each[] = {-1e-5, -600, -1500, -1500.5};
    for (size_t i = 0; i < 4; i++) {
        double p[SIZE] = {0}, sum = V * each[i];
        for (size_t v = 0; v < V * K; v++) {
            p[v] = log1p(-exp(each[i]));
            p[V * K + v] = each[i];
        }
        for (size_t k = 0; k < K; k++) {
            p[BASE + k] = sum;
            p[UNSEEN + K + k] = 9;
        }
        assert_int_equal(valid_with(p, BASE, sum), each[i] >= -1500);
        assert_int_equal(valid_with(p, BASE, sum + 0.5e-6 * (1 - sum)), each[i] >= -1500);
        assert_false(valid_with(p, BASE, sum + 2e-6 * (1 - sum)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(class__without_a_text_is_refused_without_smoothing),
        cmocka_unit_test(word__of_all_texts_is_certain_whatever_is_rounded),
        cmocka_unit_test(counts__that_are_shown_are_whole),
        cmocka_unit_test(leave_one_out__of_the_only_text_without_a_word_is_impossible),
        cmocka_unit_test(leave_one_out__of_the_only_text_of_a_class_is_impossible),
        cmocka_unit_test(estimate__bears_the_rounding_of_texts_taken_away),
        cmocka_unit_test(word__twice_in_a_bag_is_refused_where_it_shows),
        cmocka_unit_test(text__missing_says_nothing),
        cmocka_unit_test(text__missing_that_has_words_is_refused),
        cmocka_unit_test(explain__tells_the_odds_of_each_word),
        cmocka_unit_test(explain__adds_up_where_a_class_is_impossible),
        cmocka_unit_test(theta__of_a_word_that_is_certain_is_infinite),
        cmocka_unit_test(unseen__is_told_where_there_is_room_for_it),
        cmocka_unit_test(class__without_a_text_has_room_for_other_words),
        cmocka_unit_test(validate__refuses_what_no_counts_could_give),
        cmocka_unit_test(validate__accepts_a_class_without_a_text),
        cmocka_unit_test(validate__allows_for_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
