/* SPDX-License-Identifier: Apache-2.0 */
/* test_discrete.c - categories and the multinomial event model: counts over totals, smoothed or not. */
#include "families/family.h"
#include "fixtures.h"

static const char *const columns = "outlook:categorical wind:categorical play";
static const char *const days =
    "sunny,weak,no\nsunny,strong,no\novercast,weak,yes\nrain,weak,yes\nrain,,yes\nrain,strong,no\n,weak,yes\n";

static const char *const mail_columns = "text:multinomial y";
static const char *const mail =
    "buy now now,spam\nbuy cheap,spam\nhello friend,ham\nlunch now friend hello,ham\n,ham\n";

static double log_joint_of(const ilk_model *m, const char *row, const char *class) {
    table t = table_of(row);
    double *p = log_joints(m, &t), answer = p[ilk_model_class(m, str(class))];
    free(p);
    table_free(&t);
    return answer;
}

/* ---- categories */

static void categorical__is_counts_over_rows_in_which_the_column_is_there(void **state) {
    (void)state;
    static const double alphas[] = {0, 1, 0.5, 1e-3};
    for (size_t i = 0; i < 4; i++) {
        double a = alphas[i];
        ilk_options o = options_of(a);
        ilk_model *m = model_of(columns, days, &o);
        ilk_fact rain = fact(m, "phi", "outlook", "rain", "yes"), strong = fact(m, "phi", "wind", "strong", "yes");
        assert_close(rain.value, (2 + a) / (3 + 3 * a), 1e-15);
        assert_close(rain.count, 2 + a, 1e-12);
        assert_close(rain.total, 3 + 3 * a, 1e-15);
        assert_close(strong.value, a / (3 + 2 * a), 1e-15);
        assert_close(log_joint_of(m, "rain,weak,no\n", "no"),
                     log(3.0 / 7) + log((1 + a) / (3 + 3 * a)) + log((1 + a) / (3 + 2 * a)), 1e-14);
        ilk_model_free(m);
    }
}

typedef struct sums {
    double of[2][2]; /* column, class */
    bool zero;
} sums;

static ilk_status add_phi(void *ctx, const ilk_fact *f) {
    sums *s = ctx;
    if (strcmp(f->quantity, "phi") == 0) {
        s->of[f->column.p[0] == 'w'][f->k] += f->value;
        s->zero = s->zero || f->value == 0;
        assert_close(f->count / f->total, f->value, 1e-12);
    }
    return ILK_OK;
}

static void parameters__sum_to_one_and_are_never_zero_when_smoothed(void **state) {
    (void)state;
    static const char *const schema[] = {"outlook:categorical wind:categorical play", "text:multinomial y"};
    static const double alphas[] = {0, 1e-6, 1, 10};
    for (size_t i = 0; i < 8; i++) {
        ilk_options o = options_of(alphas[i / 2]);
        ilk_model *m = model_of(schema[i % 2], i % 2 ? mail : days, &o);
        sums s = {0};
        assert_ok(ilk_model_describe(m, add_phi, &s, &failure));
        for (size_t k = 0; k < 2; k++) {
            assert_close(s.of[0][k], 1, 1e-14);
            assert_close(s.of[1][k], i % 2 ? 0 : 1, 1e-14);
        }
        assert_int_equal(s.zero, alphas[i / 2] == 0);
        ilk_model_free(m);
    }
}

static void missing_category__says_nothing(void **state) {
    (void)state;
    ilk_model *m = model_of(columns, days, NULL);
    assert_true(log_joint_of(m, ",,no\n", "no") == ilk_model_log_prior(m, ilk_model_class(m, str("no"))));
    assert_close(log_joint_of(m, "rain,,no\n", "no"), log(3.0 / 7) + log(2.0 / 6), 1e-15);
    ilk_model_free(m);
}

/* In a joint table, of a column with one value: there is but one combination, and still one value is not known. */
static void missing_value_of_a_table__is_summed_over(void **state) {
    (void)state;
    ilk_model *m = model_of("c:table d:table y", "u,w,p\nv,w,p\nu,w,q\n", NULL);
    assert_close(log_joint_of(m, "u,,p\n", "p"), log_joint_of(m, "u,w,p\n", "p"), 1e-15);
    assert_close(log_joint_of(m, ",w,p\n", "p"), ilk_model_log_prior(m, ilk_model_class(m, str("p"))), 1e-15);
    assert_close(log_joint_of(m, ",,p\n", "q"), ilk_model_log_prior(m, ilk_model_class(m, str("q"))), 1e-15);
    ilk_model_free(m);
}

static void table__without_a_complete_row_in_a_class_is_refused_without_smoothing(void **state) {
    (void)state;
    ilk_stats *s = learnt("c:table d:table y", "u,w,p\nv,w,p\nu,,q\n");
    ilk_options o = options_of(0);
    ilk_model *m;
    assert_fails(ILK_EDATA, "class q has no row in which all 2 columns are present",
                 ilk_model_estimate(&m, s, &o, &failure));
    o.smooth = 0.25;
    m = estimated(s, &o);
    assert_close(fact(m, "phi", "", "u,w", "q").value, 0.5, 1e-15);
    assert_close(log_joint_of(m, "u,w,q\n", "q"), log(1 / 3.0) + log(0.5), 1e-15);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* A value never seen is one that is missing, or one more of its column, and its combination never seen. */
/* 2^1000 is a double, 1e100 times that is none. */
static void table__of_more_smoothing_than_can_be_counted_is_refused(void **state) {
    (void)state;
    char wide[16000] = "", text[8000] = "";
    size_t c = 0, r = 0;
    for (int j = 0; j < 1000; j++)
        c += (size_t)snprintf(wide + c, sizeof wide - c, "c%d:table ", j);
    snprintf(wide + c, sizeof wide - c, "k");
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 1000; j++)
            r += (size_t)snprintf(text + r, sizeof text - r, "%c,", "uv"[i]);
        r += (size_t)snprintf(text + r, sizeof text - r, "%c\n", "pq"[i]);
    }
    ilk_stats *s = learnt(wide, text);
    ilk_model *m;
    ilk_options o = options_of(1);
    assert_ok(ilk_model_estimate(&m, s, &o, &failure));
    ilk_model_free(m);
    o.smooth = 1e100;
    assert_fails(ILK_EDATA, "more combinations of values than can be counted", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

static void table__takes_the_unseen_as_asked(void **state) {
    (void)state;
    for (int unknown = 0; unknown < 2; unknown++) {
        ilk_options o = options_of(1);
        o.unseen = unknown ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = model_of("c:table d:table y", "u,w,p\nv,w,p\nu,z,p\nu,w,q\n", &o);
        double cells = unknown ? 9 : 4, sum = 0;
        double p = log_joint_of(m, "zebra,w,p\n", "p"), q = log_joint_of(m, "u,zebra,q\n", "q");
        assert_close(p, log(3 / 4.0) + log((unknown ? 1 : 2 + 2) / (3 + cells)), 1e-15);
        assert_close(q, log(1 / 4.0) + log((unknown ? 1 : 1 + 2) / (1 + cells)), 1e-15);
        assert_close(log_joint_of(m, "u,,p\n", "p"), log(3 / 4.0) + log((2 + sqrt(cells)) / (3 + cells)), 1e-15);
        for (int i = 0; i < (int)cells; i++) {
            char row[32];
            snprintf(row, sizeof row, "%c,%c,p\n", "uv!"[i % (2 + unknown)], "wz!"[i / (2 + unknown)]);
            sum += exp(log_joint_of(m, row, "p"));
        }
        assert_close(sum, 3 / 4.0, 1e-15);
        ilk_model_free(m);
    }
}

static void category_never_seen_in_a_class__is_impossible_without_smoothing(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of(columns, days, &o);
    assert_true(log_joint_of(m, "overcast,weak,no\n", "no") == -INFINITY);
    assert_true(isfinite(log_joint_of(m, "overcast,weak,no\n", "yes")));
    assert_true(log_joint_of(m, "overcast,strong,no\n", "no") ==
                -INFINITY); /* and so for "yes": strong was never there */
    table t = table_of("overcast,strong,no\n");
    double *p = log_joints(m, &t);
    assert_int_equal(ilk_argmax(p, 2), ILK_NONE); /* 0/0: undecided */
    assert_true(ilk_bayes(p, p, 2) == -INFINITY && isnan(p[0]) && isnan(p[1]));
    free(p);
    table_free(&t);
    ilk_model_free(m);
}

static void column__without_values_in_a_class_is_refused_without_smoothing(void **state) {
    (void)state;
    ilk_stats *s = learnt(columns, "sunny,weak,no\nsunny,,yes\nrain,,yes\n");
    ilk_options o = options_of(0);
    ilk_model *m;
    assert_fails(ILK_EDATA, "column wind has no value in class yes: its probabilities are 0/0",
                 ilk_model_estimate(&m, s, &o, &failure));
    o.smooth = 1;
    m = estimated(s, &o);
    assert_close(fact(m, "phi", "wind", "weak", "yes").value, 1, 1e-15); /* the only value there is */
    ilk_model_free(m);
    o.smooth = 1e-3; /* a total far below 1 is one all the same */
    m = estimated(s, &o);
    assert_close(fact(m, "phi", "wind", "weak", "yes").value, 1, 1e-15);
    ilk_model_free(m);
    ilk_stats_free(s);
    s = learnt(mail_columns, "a b,spam\n,ham\n");
    o.smooth = 0;
    assert_fails(ILK_EDATA, "column text has no word in class ham", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
    s = learnt(columns, ",weak,no\n,strong,yes\n");
    assert_fails(ILK_EDATA, "column outlook has no value in class no", ilk_model_estimate(&m, s, NULL, &failure));
    ilk_stats_free(s);
}

static void codes__belong_to_their_column(void **state) {
    (void)state;
    ilk_model *m = model_of("a:categorical b:categorical y", "x,y,p\ny,x,q\n", NULL);
    uint32_t x = ilk_model_code(m, 0, str("x")), y = ilk_model_code(m, 1, str("y"));
    double out[2];
    assert_int_not_equal(x, ilk_model_code(m, 1, str("x")));
    assert_int_equal(ilk_model_code(m, 0, str("z")), ILK_UNSEEN);
    assert_int_equal(ilk_model_code(m, 2, str("x")), ILK_UNSEEN);
    assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 1, .code = (uint32_t[]){x, y}}, &failure));
    assert_fails(ILK_EDATA, "row 0, column a",
                 ilk_model_log_joint(out, m, &(ilk_rows){.n = 1, .code = (uint32_t[]){y, x}}, &failure));
    ilk_model_free(m);
}

/* ---- words */

static void multinomial__is_tokens_over_all_tokens(void **state) {
    (void)state;
    static const double alphas[] = {0, 1, 0.25};
    for (size_t i = 0; i < 3; i++) {
        double a = alphas[i], V = 6;
        ilk_options o = options_of(a);
        ilk_model *m = model_of(mail_columns, mail, &o);
        assert_close(fact(m, "phi", "text", "now", "spam").value, (2 + a) / (5 + a * V), 1e-15);
        assert_close(fact(m, "phi", "text", "buy", "ham").value, a / (6 + a * V), 1e-15);
        assert_close(fact(m, "phi", "text", "now", "spam").total, 5 + a * V, 1e-15);
        double expected = log(2.0 / 5) + 2 * log((2 + a) / (5 + a * V)) + log((1 + a) / (5 + a * V));
        assert_close(log_joint_of(m, "now cheap now,spam\n", "spam"), expected, 1e-14);
        assert_true(log_joint_of(m, ",spam\n", "spam") == ilk_model_log_prior(m, ilk_model_class(m, str("spam"))));
        ilk_model_free(m);
    }
}

static void multinomial__of_a_word_unseen_in_both_classes_is_undecided_without_smoothing(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of(mail_columns, mail, &o);
    assert_true(log_joint_of(m, "buy,spam\n", "ham") == -INFINITY);
    assert_true(isfinite(log_joint_of(m, "buy,spam\n", "spam")));
    assert_true(log_joint_of(m, "buy hello,spam\n", "ham") == -INFINITY);
    assert_true(log_joint_of(m, "buy hello,spam\n", "spam") == -INFINITY);
    ilk_model_free(m);
}

/* A count of 0 is no occurrence; 0 × log 0 would be NaN. */
static void bag__with_a_word_counted_zero_times_is_refused(void **state) {
    (void)state;
    ilk_options o = options_of(0);
    ilk_model *m = model_of(mail_columns, mail, &o);
    const size_t begin[] = {0, 1};
    const uint32_t id = ilk_model_word(m, 0, str("buy")), zero = 0;
    double out[2];
    const ilk_tokens text = {begin, &id, &zero, NULL};
    assert_fails(ILK_EDATA, "row 0, column text",
                 ilk_model_log_joint(out, m, &(ilk_rows){.n = 1, .text = &text}, &failure));
    ilk_model_free(m);
}

/* As they come from another language: without one of their arrays. */
static void bag__without_words_or_counts_is_refused(void **state) {
    (void)state;
    ilk_stats *s = learnt("text:multinomial y", "u v,a\nv w,b\n");
    ilk_model *m = estimated(s, NULL);
    const size_t begin[] = {0, 1};
    const uint32_t id[] = {0}, count[] = {1}, label[] = {0};
    const ilk_tokens lacking[] = {{NULL, id, count, NULL}, {begin, NULL, count, NULL}, {begin, id, NULL, NULL}};
    double out[2];
    for (size_t i = 0; i < 3; i++) {
        ilk_rows rows = {.n = 1, .text = &lacking[i], .label = label};
        assert_fails(ILK_EARG, "column text: the rows have no words", ilk_stats_add(s, &rows, &failure));
        assert_fails(ILK_EARG, "column text: the rows have no words", ilk_model_log_joint(out, m, &rows, &failure));
    }
    const size_t none[] = {0, 0}; /* no words need no arrays of them */
    ilk_rows rows = {.n = 1, .text = &(ilk_tokens){none, NULL, NULL, NULL}, .label = label};
    assert_ok(ilk_model_log_joint(out, m, &rows, &failure));
    ilk_model_free(m);
    ilk_stats_free(s);
}

static void vocabulary__is_chosen_after_the_reading(void **state) {
    (void)state;
    ilk_stats *s = learnt(mail_columns, mail);
    ilk_options o = options_of(1);
    o.min_docs = 2;
    ilk_model *m = estimated(s, &o); /* buy, friend, hello, now */
    assert_int_equal(ilk_model_word(m, 0, str("cheap")), ILK_UNSEEN);
    assert_close(fact(m, "phi", "text", "now", "spam").value, 3.0 / (4 + 4), 1e-15); /* of the words that are left */
    assert_close(log_joint_of(m, "cheap cheap,spam\n", "spam"), log(2.0 / 5), 1e-15);
    ilk_model_free(m);
    o.min_docs = 1;
    o.vocab = 1;
    m = estimated(s, &o);
    assert_int_equal(ilk_model_word(m, 0, str("now")), 0);
    assert_int_equal(ilk_model_word(m, 0, str("buy")), ILK_UNSEEN);
    ilk_model_free(m);
    o.min_docs = 4;
    assert_fails(ILK_EDATA, "column text: no word is left for the vocabulary", ilk_model_estimate(&m, s, &o, &failure));
    ilk_stats_free(s);
}

/* Weights may sum to less than 1; then all words are still words. */
static void vocabulary__is_all_words_whatever_their_weight(void **state) {
    (void)state;
    static const double weight[] = {0.125, 0.25, 0.125, 0.25};
    ilk_stats *s = stats_of("text:multinomial y", NULL);
    table t = table_of("buy now,spam\nnow,spam\nhello,ham\nhello now,ham\n");
    batch b = batch_for_stats(s, &t);
    ilk_options o = options_of(0.5);
    b.rows.weight = weight;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    for (o.min_docs = 0; o.min_docs < 2; o.min_docs++) {
        ilk_model *m = estimated(s, &o);
        assert_close(fact(m, "phi", "text", "buy", "spam").value, 0.625 / (0.5 + 3 * 0.5), 1e-15);
        ilk_model_free(m);
    }
    batch_free(&b);
    table_free(&t);
    ilk_stats_free(s);
}

/* ---- what the model has not seen */

static void unseen__is_ignored_counted_or_refused_as_asked(void **state) {
    (void)state;
    static const char *const schema[] = {"outlook:categorical wind:categorical play", "text:multinomial y"};
    static const char *const row[] = {"foggy,weak,yes\n", "now aardvark aardvark,spam\n"};
    static const char *const known[] = {",weak,yes\n", "now,spam\n"}, *const class[] = {"yes", "spam"};
    for (size_t i = 0; i < 2; i++) {
        ilk_stats *s = learnt(schema[i], i ? mail : days);
        ilk_options o = options_of(1);
        ilk_model *m = estimated(s, &o);
        assert_true(log_joint_of(m, row[i], class[i]) == log_joint_of(m, known[i], class[i]));
        ilk_model_free(m);

        o.unseen = ILK_UNSEEN_UNKNOWN; /* one value more, with a count of zero */
        m = estimated(s, &o);
        double n = i ? 5 + 7 : 3 + 4, prior = log(i ? 2.0 / 5 : 4.0 / 7);
        double expected = prior + (i ? log(3 / n) + 2 * log(1 / n) : log(4.0 / 6) + log(1 / n));
        assert_close(log_joint_of(m, row[i], class[i]), expected, 1e-14);
        if (i == 0) /* the second column has totals of its own */
            assert_close(log_joint_of(m, ",gale,yes\n", "yes"), prior + log(1.0 / (3 + 3)), 1e-14);
        ilk_model_free(m);

        o.smooth = 0; /* of "neurips" nothing is known: 0/0 */
        m = estimated(s, &o);
        table t = table_of(row[i]);
        double *p = log_joints(m, &t);
        assert_true(p[0] == -INFINITY && p[1] == -INFINITY);
        free(p);
        ilk_model_free(m);

        o.unseen = ILK_UNSEEN_ERROR;
        o.smooth = 1;
        m = estimated(s, &o);
        batch b = batch_for_model(m, &t);
        double out[2];
        assert_fails(ILK_EDATA,
                     i ? "row 0, column text: a value the model has not seen" : "row 0, column outlook: a value",
                     ilk_model_log_joint(out, m, &b.rows, &failure));
        batch_free(&b);
        table_free(&t);
        assert_true(isfinite(log_joint_of(m, known[i], class[i])));
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* Its column has lost a row, or its text the words that are known; it says nothing where it is ignored. */
static void unseen__is_left_out_as_asked(void **state) {
    (void)state;
    static const char *const schema[] = {"outlook:categorical wind:categorical play", "text:multinomial y"};
    static const char *const row[] = {"foggy,weak,yes\n", "now aardvark aardvark,spam\n"};
    static const char *const class[] = {"yes", "spam"};
    const double prior[] = {log(3.0 / 6), log(1.0 / 4)}, ignored[] = {log(3.0 / 4), log(2.0 / 10)};
    const double unknown[] = {log(3.0 / 5) + log(1.0 / 6), log(2.0 / 11) + 2 * log(1.0 / 11)};
    for (size_t i = 0; i < 4; i++) {
        ilk_stats *s = learnt(schema[i / 2], i / 2 ? mail : days);
        ilk_options o = options_of(1);
        o.unseen = i % 2 ? ILK_UNSEEN_UNKNOWN : ILK_UNSEEN_IGNORE;
        ilk_model *m = estimated(s, &o);
        double out[2];
        leave_out(out, m, row[i / 2]);
        assert_close(out[ilk_model_class(m, str(class[i / 2]))], prior[i / 2] + (i % 2 ? unknown : ignored)[i / 2],
                     1e-14);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* Without smoothing: no word is left of class a, whatever else the text has; or one is, and none that was unseen. */
static void words__that_leave_nothing_are_impossible_when_left_out(void **state) {
    (void)state;
    static const char *const rows[] = {"u v,a\n,a\nu w,b\nw,b\n", "u v,a\nu,a\nu w,b\nw,b\n"};
    static const char *const row[] = {"u v zebra,a\n", "u,a\n"};
    const double expected[] = {-INFINITY, log(1.0 / 3) + log(1.0 / 2)};
    for (size_t i = 0; i < 2; i++) {
        ilk_stats *s = learnt("text:multinomial y", rows[i]);
        ilk_options o = options_of(0);
        o.unseen = ILK_UNSEEN_UNKNOWN;
        ilk_model *m = estimated(s, &o);
        double out[2];
        leave_out(out, m, row[i]);
        assert_true(out[0] == expected[i] || fabs(out[0] - expected[i]) < 1e-14);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

enum { LONG = 150 };

/* Word i so often as `times` says, as a row of class `class`. */
static void write_row(char **at, const char *class, unsigned (*times)(unsigned i)) {
    for (unsigned i = 0; i < LONG; i++)
        for (unsigned j = 0; j < times(i); j++)
            *at += sprintf(*at, "w%u ", i);
    *at += sprintf(*at, ",%s\n", class);
}

static unsigned once(unsigned i) {
    (void)i;
    return 1;
}
static unsigned in_the_row(unsigned i) {
    return 1 + i % 6;
}
static unsigned beside_it(unsigned i) {
    return i % 2 ? 0 : 2 + i % 4;
}

/* A long row, its words up to six times each, half of them nowhere else in the class; smoothed so little, or so much,
 * that a product of what is left would leave the doubles' range. */
static void words__are_left_out_as_often_as_they_occur(void **state) {
    (void)state;
    static const double smooth[] = {1, 0.3, 1e-90, 1e90, 1e-9, 1e9};
    char *text = make(64 * LONG, 1), *row = make(64 * LONG, 1), *end = text, *row_end = row;
    write_row(&end, "a", in_the_row);
    write_row(&end, "a", beside_it);
    write_row(&end, "b", once);
    write_row(&row_end, "a", in_the_row);
    ilk_stats *s = learnt("text:multinomial y", text);
    for (size_t at = 0; at < sizeof smooth / sizeof *smooth; at++) {
        ilk_options o = options_of(smooth[at]);
        ilk_model *m = estimated(s, &o);
        double out[2], expected = log(1.0 / 2), left = 0;
        for (unsigned i = 0; i < LONG; i++)
            left += beside_it(i) + smooth[at];
        for (unsigned i = 0; i < LONG; i++)
            expected += in_the_row(i) * (log(beside_it(i) + smooth[at]) - log(left));
        leave_out(out, m, row);
        assert_close(out[0], expected, 1e-12);
        ilk_model_free(m);
    }
    ilk_stats_free(s);
    free(text);
    free(row);
}

/* They are taken back from logarithms of ratios, which end a bit above or below: the larger, the further. */
static void counts__that_are_shown_are_whole(void **state) {
    (void)state;
    static const double weights[] = {3, 1234567, 123456789};
    for (size_t i = 0; i < 3; i++) {
        ilk_stats *s = stats_of("c:categorical y", NULL);
        table t = table_of("p,a\nq,a\np,b\n");
        batch b = batch_for_stats(s, &t);
        b.rows.weight = (double[]){weights[i], 5 * weights[i] + 1, 1};
        assert_ok(ilk_stats_add(s, &b.rows, &failure));
        ilk_options o = options_of(0);
        ilk_model *m = estimated(s, &o);
        assert_true(fact(m, "phi", "c", "p", "a").count == weights[i]);
        assert_true(fact(m, "phi", "c", "q", "a").count == 5 * weights[i] + 1);
        ilk_model_free(m);
        batch_free(&b);
        table_free(&t);
        ilk_stats_free(s);
    }
}

static ilk_status all_strange(void *ctx, const ilk_rows *rows) {
    for (size_t i = 0; i < rows->n; i++)
        *(size_t *)ctx += rows->code[i] == ILK_UNSEEN;
    return ILK_OK;
}

/* Then whatever comes is one never seen, for certain: that is told, and drawn. Without room for it there is no model. */
static void column__of_no_value_at_all_has_room_for_others_alone(void **state) {
    (void)state;
    ilk_options o = options_of(1);
    ilk_stats *s = learnt("c:categorical y", ",a\n,b\n,b\n");
    ilk_model *m;
    size_t strange = 0;
    assert_fails(ILK_EDATA, "column c has no value in class a: its probabilities are 0/0",
                 ilk_model_estimate(&m, s, &o, &failure));
    o.unseen = ILK_UNSEEN_UNKNOWN;
    m = estimated(s, &o);
    table t = table_of("red,a\n");
    double *joint = log_joints(m, &t);
    assert_close(joint[0], log(1 / 3.), 1e-15);
    assert_true(fact(m, "unseen", "c", "", "b").value == 1 && fact(m, "theta", "c", "(unseen)", "b").value == 0);
    assert_ok(ilk_model_sample(m, 100, 1, all_strange, &strange, &failure));
    assert_int_equal(strange, 100);
    free(joint);
    table_free(&t);
    ilk_model_free(m);
    ilk_stats_free(s);
}

/* Rows have a text each, empty or not; statistics of a file may count none. */
static void multinomial__of_no_text_has_no_length(void **state) {
    (void)state;
    const ilk_keys keys = {.n = 1, .fields = 1, .field_begin = (const uint32_t[]){0, 1}};
    const ilk_shape s = {.K = 2, .d = 1, .keys = &keys, .unit = 1};
    const ilk_counts_view view = {(const size_t[]){0, 1}, (const uint32_t[]){1}, (const double[]){6},
                                  (const double[]){2}, (const double[]){0, 4}};
    const ilk_options o = options_of(1);
    double p[9];
    assert_int_equal(ilk_family_find("multinomial")->size(&s), 9);
    assert_ok(ilk_family_find("multinomial")->estimate(p, &s, &(ilk_view){.counts = view}, &o, &failure));
    assert_true(p[7] == 0 && p[8] == 1.5); /* six words in four texts */
}

/* From a file: no number, a probability above 1, nothing in all. Two values in one column, and room for another. */
static void validate__refuses_what_no_counts_could_give(void **state) {
    (void)state;
    const ilk_family *f = ilk_family_find("categorical");
    const ilk_keys two = {.n = 2};
    const ilk_shape s = {.K = 1, .d = 1, .keys = &two};
    const double good[] = {log(0.5), -INFINITY, 0, 4, 1}, wild[] = {NAN, INFINITY, 1e-3, -1};
    enum { SIZE = sizeof good / sizeof *good, TOTAL = SIZE - 2 };
    assert_int_equal(f->size(&s), SIZE);
    assert_true(f->validate(good, &s));
    for (size_t i = 0; i < 4 * SIZE; i++) {
        double p[SIZE];
        memcpy(p, good, sizeof good);
        p[i / 4] = wild[i % 4];
        bool fits = i % 4 == 2 ? i / 4 >= TOTAL : i % 4 == 3 && i / 4 < TOTAL;
        assert_int_equal(f->validate(p, &s), fits);
    }
    double p[SIZE];
    memcpy(p, good, sizeof good);
    p[TOTAL + 1] = 0;
    assert_true(f->validate(p, &s));
    p[TOTAL] = 0;
    assert_false(f->validate(p, &s));
}

/* A table of one column of two values, one of them seen, and room for one more: count | total | alpha, cells, unknown.
 */
static void validate__of_a_table_wants_probabilities_that_sum_to_one(void **state) {
    (void)state;
    const ilk_family *f = ilk_family_find("table");
    const ilk_keys keys = {.n = 3,
                           .fields = 2,
                           .field_begin = (const uint32_t[]){0, 2, 3},
                           .at = (const uint32_t[]){0, 1, 2, 3},
                           .text = "uvu"};
    const ilk_shape s = {.K = 1, .d = 1, .keys = &keys};
    const double good[] = {3, 4.5, 0.5, 3, 1}, wild[] = {NAN, INFINITY, -1, 5}, nothing[] = {0, 0, 0, 2, 0};
    enum { SIZE = sizeof good / sizeof *good };
    assert_int_equal(f->size(&s), SIZE);
    assert_true(f->validate(good, &s) && !f->validate(nothing, &s));
    for (size_t i = 0; i < 4 * SIZE; i++) {
        double p[SIZE];
        memcpy(p, good, sizeof good);
        p[i / 4] = wild[i % 4];
        assert_false(f->validate(p, &s));
    }
}

/* Many words, of which counts are met again and again, and few; counts that are small, large and not whole. */
static void logarithm__is_that_of_the_count_however_often_it_was_taken(void **state) {
    (void)state;
    enum { MOST = 6000, K = 2 };
    static double count[MOST * K], params[MOST * K + 2 * K + 1 + K];
    static uint32_t cls[MOST * K];
    static size_t begin[MOST + 1];
    const ilk_family *f = ilk_family_find("multinomial");
    for (uint32_t V = 3; V <= MOST; V *= 2000) {
        const ilk_keys keys = {.n = V, .fields = 1, .field_begin = (const uint32_t[]){0, V}};
        const ilk_shape s = {.K = K, .d = 1, .keys = &keys, .unit = 1};
        for (uint32_t v = 0, n = 0; v < V; v++) {
            for (uint32_t k = v % 3 == 0; k < K - (v % 3 == 1); k++, n++) { /* in one class, or in both */
                cls[n] = k;
                count[n] = v % 2 ? v % 3000 : v % 5 + 0.5 * k;
            }
            begin[v + 1] = n;
        }
        const ilk_view view = {.counts = {begin, cls, count, count, (const double[]){1, 1}}};
        ilk_options o;
        ilk_options_init(&o);
        assert_ok(f->estimate(params, &s, &view, &o, &failure));
        const double *total = params + (V + 1) * K;
        for (uint32_t v = 0; v < V; v++)
            for (uint32_t k = 0; k < K; k++) {
                double met = 0;
                for (size_t i = begin[v]; i < begin[v + 1]; i++)
                    met = cls[i] == k ? count[i] : met;
                assert_true(params[v * K + k] == log((1 + met) / total[k]));
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(categorical__is_counts_over_rows_in_which_the_column_is_there),
        cmocka_unit_test(parameters__sum_to_one_and_are_never_zero_when_smoothed),
        cmocka_unit_test(logarithm__is_that_of_the_count_however_often_it_was_taken),
        cmocka_unit_test(missing_category__says_nothing),
        cmocka_unit_test(missing_value_of_a_table__is_summed_over),
        cmocka_unit_test(table__without_a_complete_row_in_a_class_is_refused_without_smoothing),
        cmocka_unit_test(table__of_more_smoothing_than_can_be_counted_is_refused),
        cmocka_unit_test(table__takes_the_unseen_as_asked),
        cmocka_unit_test(category_never_seen_in_a_class__is_impossible_without_smoothing),
        cmocka_unit_test(column__without_values_in_a_class_is_refused_without_smoothing),
        cmocka_unit_test(codes__belong_to_their_column),
        cmocka_unit_test(multinomial__is_tokens_over_all_tokens),
        cmocka_unit_test(multinomial__of_a_word_unseen_in_both_classes_is_undecided_without_smoothing),
        cmocka_unit_test(bag__with_a_word_counted_zero_times_is_refused),
        cmocka_unit_test(bag__without_words_or_counts_is_refused),
        cmocka_unit_test(vocabulary__is_chosen_after_the_reading),
        cmocka_unit_test(vocabulary__is_all_words_whatever_their_weight),
        cmocka_unit_test(words__are_left_out_as_often_as_they_occur),
        cmocka_unit_test(counts__that_are_shown_are_whole),
        cmocka_unit_test(column__of_no_value_at_all_has_room_for_others_alone),
        cmocka_unit_test(multinomial__of_no_text_has_no_length),
        cmocka_unit_test(validate__refuses_what_no_counts_could_give),
        cmocka_unit_test(validate__of_a_table_wants_probabilities_that_sum_to_one),
        cmocka_unit_test(unseen__is_ignored_counted_or_refused_as_asked),
        cmocka_unit_test(unseen__is_left_out_as_asked),
        cmocka_unit_test(words__that_leave_nothing_are_impossible_when_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
