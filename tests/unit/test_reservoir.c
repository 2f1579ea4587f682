/* SPDX-License-Identifier: Apache-2.0 */
/* test_reservoir.c - the rows a pass keeps, leave-one-out on them and on all, and choosing by it. */
#include "table_support.h"

#include "core/fault.h"
#include "data/reservoir.h"

#include <math.h>
#include <unistd.h>

/* ---- the reservoir */

static void offer(ilk_reservoir *r, uint64_t number, ilk_str text) {
    assert_int_equal(ilk_reservoir_offer(r, number, text, (ilk_str){0}), ILK_OK);
}

static void reservoir__keeps_the_smallest_hashes_in_any_order_of_rows(void **state) {
    (void)state;
    enum { ROWS = 5000, MOST = 100 };
    ilk_reservoir forth = {0}, back = {0}, all = {0};
    ilk_reservoir_start(&forth, MOST, 7);
    ilk_reservoir_start(&back, MOST, 7);
    ilk_reservoir_start(&all, ROWS, 7);
    for (uint64_t i = 0; i < ROWS; i++) {
        char text[16];
        offer(&back, ROWS - 1 - i, str("row"));
        snprintf(text, sizeof text, "row %d", (int)i);
        offer(&forth, i, str(text));
        offer(&all, i, str(text));
    }
    assert_int_equal(forth.n, MOST);
    assert_int_equal(all.n, ROWS);
    size_t below = 0;
    for (size_t i = 0; i < ROWS; i++)
        below += all.row[i].hash < forth.limit;
    assert_int_equal(below, MOST);
    ilk_reservoir_sort(&forth);
    ilk_reservoir_sort(&back);
    for (size_t i = 0; i < MOST; i++) {
        char text[16];
        assert_int_equal(forth.row[i].number, back.row[i].number);
        assert_true(i == 0 || forth.row[i].number > forth.row[i - 1].number);
        snprintf(text, sizeof text, "row %d", (int)forth.row[i].number);
        assert_true(ilk_str_equal((ilk_str){forth.row[i].bytes, forth.row[i].size}, str(text)));
    }
    assert_false(forth.cut);
    offer(&forth, 9999999, str("too late"));
    assert_int_equal(forth.n, MOST);
    ilk_reservoir_free(&forth);
    ilk_reservoir_free(&back);
    ilk_reservoir_free(&all);
}

/* A seed is a sample of its own, and each row has the same chance. */
static void reservoir__every_row_has_the_same_chance(void **state) {
    (void)state;
    enum { ROWS = 200, MOST = 50, SEEDS = 2000 };
    unsigned times[ROWS] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        ilk_reservoir r = {0};
        ilk_reservoir_start(&r, MOST, seed);
        for (uint64_t i = 0; i < ROWS; i++)
            offer(&r, i, str(""));
        for (size_t i = 0; i < r.n; i++)
            times[r.row[i].number]++;
        ilk_reservoir_free(&r);
    }
    for (size_t i = 0; i < ROWS; i++) /* 500 each; sd 19.4: five of these on either side */
        assert_in_range(times[i], 400, 600);
}

/* Large rows: fewer are kept, and still all those below a limit, so that long rows are as likely as short ones. */
static void reservoir__memory_is_bounded(void **state) {
    (void)state;
    enum { ROWS = 150 };
    size_t large = (size_t)1 << 20, kept = 0;
    char *text = calloc(large, 1);
    assert_non_null(text);
    ilk_reservoir r = {0}, free_of_size = {0}, back = {0};
    ilk_reservoir_start(&r, 1000, 0);
    ilk_reservoir_start(&back, 1000, 0);
    ilk_reservoir_start(&free_of_size, 1000, 0);
    for (uint64_t i = 0; i < ROWS; i++) {
        offer(&r, i, (ilk_str){text, i % 2 ? large : 10});
        offer(&back, ROWS - 1 - i, (ilk_str){text, (ROWS - 1 - i) % 2 ? large : 10});
        offer(&free_of_size, i, str(""));
        assert_true(r.bytes <= ILK_RESERVOIR_BYTES);
    }
    for (size_t i = 0; i < free_of_size.n; i++)
        kept += free_of_size.row[i].hash < r.limit;
    assert_int_equal(r.n, kept);
    assert_in_range(r.n, 100, 149);
    ilk_reservoir_sort(&back); /* the same in any order */
    assert_true(back.cut && back.n == kept);
    for (size_t i = 0; i < kept; i++)
        assert_true(back.row[i].hash < r.limit);
    uint64_t limit = r.limit;
    /* One that would not fit alone is passed over, and those behind it go, too. */
    for (uint64_t number = ROWS; r.n == kept; number++)
        if (ilk_reservoir_wants(&r, number))
            offer(&r, number, (ilk_str){text, ILK_RESERVOIR_BYTES + 1});
    assert_true(r.n > 0);
    for (size_t i = 0; i < free_of_size.n; i++)
        kept -= free_of_size.row[i].hash >= r.limit && free_of_size.row[i].hash < limit;
    assert_int_equal(r.n, kept);
    ilk_reservoir_sort(&r);
    assert_true(r.cut);
    ilk_reservoir_sort(&free_of_size);
    assert_false(free_of_size.cut);
    ilk_reservoir_free(&r);
    ilk_reservoir_free(&back);
    ilk_reservoir_free(&free_of_size);
    free(text);
}

/* ---- leave-one-out */

/* Learn `text`, keeping `sample` rows, and try the model on them. */
static ilk_status loo_of(ilk_loo *out, ilk_str text, const setting *s, size_t sample, uint64_t seed, ilk_error *err) {
    ilk_table *table;
    ilk_schema *schema = NULL;
    ilk_stats *stats = NULL;
    ilk_model *model = NULL;
    const ilk_run run = {.threads = s->threads, .sample = sample, .seed = seed};
    ilk_status status = open_parts(&table, &text, 1, &s->read, s->block_size, err);
    if (status == ILK_OK)
        status = ilk_table_schema(&schema, table, &s->plan, NULL, NULL, err);
    if (status == ILK_OK)
        status = ilk_stats_new(&stats, schema, err);
    if (status == ILK_OK)
        status = ilk_table_learn(stats, table, &run, NULL, err);
    if (status == ILK_OK)
        status = ilk_model_estimate(&model, stats, &s->estimate, err);
    if (status == ILK_OK)
        status = ilk_table_leave_one_out(out, table, model, s->threads, err);
    ilk_model_free(model);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
    ilk_table_free(table);
    return status;
}

static ilk_loo loo(const char *text, const setting *s, size_t sample, uint64_t seed) {
    ilk_loo out;
    ilk_error err = {0};
    if (loo_of(&out, str(text), s, sample, seed, &err) != ILK_OK)
        fail_msg("%s", err.message);
    return out;
}

typedef struct answer {
    double loss; /* -log p(label | row) */
    bool right;
} answer;

static ilk_status take_answer(void *ctx, const ilk_answers *a, const char *bytes, size_t n, ilk_error *err) {
    (void)bytes, (void)n, (void)err;
    answer *out = ctx;
    double p[8], log_p = ilk_bayes(p, a->log_joint, a->K);
    assert_int_equal(a->n, 1);
    assert_true(a->label[0] != ILK_NONE);
    *out = (answer){log_p - a->log_joint[a->label[0]], ilk_argmax(a->log_joint, a->K) == a->label[0]};
    return ILK_OK;
}

/* What a model of all other rows says of the row that begins at `line`. */
static answer without(const char *text, const char *line, const setting *s) {
    char rest[4096], one[4096];
    const char *next = strchr(line, '\n') + 1;
    answer out;
    snprintf(rest, sizeof rest, "%.*s%s", (int)(line - text), text, next);
    snprintf(one, sizeof one, "%.*s%.*s", (int)(strchr(text, '\n') + 1 - text), text, (int)(next - line), line);
    ilk_model *model = learn_model(rest, s, NULL);
    ilk_table *table = open_text(one, &s->read);
    ilk_answer_fns fns = {NULL, take_answer, &out};
    assert_int_equal(ilk_table_answer(table, model, &fns, NULL, NULL, NULL), ILK_OK);
    ilk_table_free(table);
    ilk_model_free(model);
    return out;
}

static void assert_near(double x, double expected) {
    if (!(fabs(x - expected) <= 1e-11 * (1 + fabs(expected))))
        fail_msg("%.17g, not %.17g", x, expected);
}

static void assert_equals_training_without(const char *text, const setting *s) {
    double n = 0, right = 0, sum = 0, squares = 0;
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        answer a = without(text, line, s);
        n++;
        right += a.right;
        sum += a.loss;
        squares += a.loss * a.loss;
    }
    double share = right / n, mean = sum / n;
    ilk_loo got = loo(text, s, 1000, 0);
    assert_int_equal(got.n, n);
    assert_near(got.accuracy, share);
    assert_near(got.log_loss, mean);
    assert_near(got.accuracy_se, sqrt(share * (1 - share) / (n - 1)));
    assert_near(got.log_loss_se, sqrt((squares / n - mean * mean) / (n - 1)));
    assert_false(got.cut);
}

static void loo__equals_training_without_each_row(void **state) {
    (void)state;
    setting s = usual();
    const char *const models[] = {"categorical", "table"};
    for (size_t i = 0; i < 2; i++) { /* Day is named, because thirteen rows look like an identifier and twelve not */
        s.plan.model = models[i];
        s.plan.ignore = "Day";
        assert_equals_training_without(tennis, &s);
    }
    /* The words of a row occur in others too: the vocabulary stays. */
    setting words = usual();
    words.plan.text = "t";
    const char *const events[] = {"multinomial", "bernoulli", "complement"};
    for (size_t i = 0; i < 3; i++) {
        words.plan.model = events[i];
        assert_equals_training_without("y,t\na,xx xx zz\nb,\"zz, yy\"\na,xx yy\nb,yy yy zz\na,xx\n", &words);
    }
    setting numbers = usual();
    const char *const family[] = {"x=gda", "z=gda", "n=poisson"};
    numbers.plan.family = family;
    numbers.plan.families = 3;
    assert_equals_training_without("x,z,n,y\n1,2,0,a\n2,4.5,1,a\n3,5.5,1,a\n7,1,4,b\n8,3,2,b\n10,3.5,7,b\n", &numbers);
}

static void write_rows(ilk_buffer *out, size_t rows) {
    uint32_t seed = 3;
    char line[256];
    add_line(out, "x,w,colour,note,y");
    for (size_t i = 0; i < rows; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned r = seed >> 8;
        snprintf(line, sizeof line, "%u.%u,%u.%u,%s,\"w%u is \"\"w%u\"\"\nin a row of w%u\",%s", r % 9, r % 1000, r % 3,
                 r % 7, r % 2 ? "red" : "", r % 7, r % 13, r % 50,
                 r % 31 == 0 ? ""
                 : r % 3     ? "a"
                             : "b");
        add_line(out, line);
    }
}

static void assert_same_loo(const ilk_loo *a, const ilk_loo *b) {
    assert_int_equal(a->n, b->n);
    assert_memory_equal(&a->accuracy, &b->accuracy, sizeof a->accuracy);
    assert_memory_equal(&a->accuracy_se, &b->accuracy_se, sizeof a->accuracy_se);
    assert_memory_equal(&a->log_loss, &b->log_loss, sizeof a->log_loss);
    assert_memory_equal(&a->log_loss_se, &b->log_loss_se, sizeof a->log_loss_se);
}

static void loo__is_the_same_for_any_threads(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_rows(&text, 3000);
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    setting s = usual();
    const char *const weights[] = {NULL, "w"};
    for (size_t i = 0; i < 2; i++) {
        s.plan.weights = weights[i];
        s.plan.ignore = weights[i] ? NULL : "w";
        s.block_size = 997;
        s.threads = 1;
        ilk_loo one = loo(text.p, &s, 1000, 5), other = loo(text.p, &s, 1000, 6);
        assert_int_equal(one.n, 1000);
        assert_true(one.log_loss != other.log_loss); /* another seed, other rows */
        for (s.threads = 2; s.threads <= 8; s.threads *= 2) {
            ilk_loo many = loo(text.p, &s, 1000, 5);
            assert_same_loo(&one, &many);
        }
    }
    /* Rows have numbers by themselves, not by blocks: where only counts are learnt, blocks do not matter either. */
    setting counts = usual();
    counts.plan.ignore = "w,x";
    ilk_loo small = loo(text.p, &counts, 100, 0);
    counts.block_size = 1 << 20;
    ilk_loo large = loo(text.p, &counts, 100, 0);
    assert_same_loo(&small, &large);
    ilk_buffer_free(&text);
}

static void loo__of_odd_cases(void **state) {
    (void)state;
    setting s = usual();
    s.plan.ignore = "Day";
    ilk_loo none = loo(tennis, &s, 0, 0);
    assert_int_equal(none.n, 0);
    assert_true(isnan(none.accuracy) && isnan(none.log_loss));
    ilk_loo one = loo(tennis, &s, 1, 0);
    assert_int_equal(one.n, 1);
    assert_true(isnan(one.accuracy_se) && isnan(one.log_loss_se) && isfinite(one.log_loss));
    /* Without smoothing the table knows nothing of a day that was its only one. */
    s.plan.model = "table";
    s.estimate.smooth = 0;
    ilk_loo table = loo(tennis, &s, 1000, 0);
    assert_true(table.accuracy == 0 && table.accuracy_se == 0 && isinf(table.log_loss) && isnan(table.log_loss_se));
    /* A class of one row is gone without it: an error, and impossible. */
    setting few = usual();
    ilk_loo single = loo("x,y\n1.5,a\n2,a\n2.5,a\n9,b\n", &few, 10, 0);
    assert_true(single.accuracy == 0.75);
    assert_true(isinf(single.log_loss));
    /* A model that refuses words outside its vocabulary refuses the rows that have them. */
    setting strict = usual();
    strict.plan.text = "t";
    strict.estimate.min_docs = 2;
    strict.estimate.unseen = ILK_UNSEEN_ERROR;
    ilk_loo refused = loo("y,t\na,xx xx\nb,yy once\na,xx yy\nb,yy\n", &strict, 10, 0);
    assert_int_equal(refused.n, 3);
}

static void loo__weighs_rows(void **state) {
    (void)state;
    setting s = usual();
    s.plan.weights = "w";
    /* Rows of weight 0 are not there; class c has no other. */
    ilk_loo got = loo("x,w,y\n1,1,a\n2,1,a\n9,3,a\n8,1,b\n9,1,b\n5,0,c\n", &s, 10, 0);
    assert_int_equal(got.n, 5);
    assert_true(got.accuracy < 1);
    setting plain = usual();
    plain.plan.ignore = "w";
    const char *ones = "x,w,y\n1,1,a\n2,1,a\n4,1,a\n8,1,b\n9,1,b\n3.5,1,b\n";
    ilk_loo weighed = loo(ones, &s, 10, 0), counted = loo(ones, &plain, 10, 0);
    assert_same_loo(&weighed, &counted);
}

/* ---- every row, in a second reading */

/* Learn `text`, read it again, and leave out each row. */
static ilk_loo each(const char *text, const setting *s, ilk_tally *tally) {
    ilk_model *model = learn_model(text, s, NULL);
    ilk_table *table = open_text(text, &s->read);
    ilk_loo out;
    ilk_error err = {0};
    if (ilk_table_leave_each_out(&out, table, model, &(ilk_run){.threads = s->threads}, tally, &err) != ILK_OK)
        fail_msg("%s", err.message);
    ilk_table_free(table);
    ilk_model_free(model);
    return out;
}

static void each__is_the_sample_of_all(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_rows(&text, 700);
    assert_int_equal(ilk_buffer_add(&text, "1,heavy,red,,a\n", 16), ILK_OK);
    ilk_tally tally;
    setting s = usual();
    s.read.skip_bad_rows = true;
    s.plan.weights = "w"; /* some are 0 */
    s.block_size = 4096;
    for (s.threads = 1; s.threads <= 8; s.threads *= 2) {
        ilk_loo all = each(text.p, &s, &tally), sample = loo(text.p, &s, 1000, 0);
        assert_same_loo(&all, &sample);
        assert_int_equal(tally.bad, 1);
        assert_true(tally.unlabelled > 0 && tally.rows + tally.unlabelled == 700 && all.n < tally.rows);
    }
    ilk_buffer_free(&text);
    setting strict = usual();
    strict.plan.text = "t";
    strict.estimate.min_docs = 2;
    strict.estimate.unseen = ILK_UNSEEN_ERROR;
    assert_int_equal(each("y,t\na,xx xx\nb,yy once\na,xx yy\nb,yy\n", &strict, &tally).n, 3);
    assert_int_equal(tally.bad, 1);
}

/* Rows that are one text: of some the words are kept, of others, where those would take more room, the text. */
static void write_texts(ilk_buffer *out, size_t rows) {
    uint32_t seed = 11;
    for (size_t i = 0; i < rows; i++) {
        char line[512];
        size_t n = (size_t)snprintf(line, sizeof line, "%s\t", i % 3 ? "ham" : "spam");
        seed = seed * 1664525 + 1013904223;
        for (unsigned w = (seed >> 8) % 40; w > 0; w--) {
            seed = seed * 1664525 + 1013904223;
            unsigned r = seed >> 8;
            n += (size_t)snprintf(line + n, sizeof line - n, r % 5 ? "Word%u " : "w%u, the ", r % 97 * (r % 11));
        }
        add_line(out, line);
    }
}

/* What is kept gives the bits that reading again gives, whatever becomes of the words. */
static void each__is_the_sample_of_all_texts(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_texts(&text, 900);
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    char list[] = "/tmp/ilk-words-XXXXXX";
    int fd = mkstemp(list);
    assert_true(fd >= 0 && write(fd, "the\nword8\nw33\n", 14) == 14 && close(fd) == 0);
    setting usually = usual(), s[9];
    usually.read.format = ILK_FORMAT_LINES;
    usually.block_size = 4096;
    for (size_t i = 0; i < 9; i++)
        s[i] = usually;
    s[1].estimate.min_docs = 5;
    s[2].estimate.min_docs = 3;
    s[2].estimate.unseen = ILK_UNSEEN_ERROR;
    s[3].estimate.vocab = 20;
    s[3].estimate.unseen = ILK_UNSEEN_UNKNOWN;
    s[4].plan.tokenizer.ngram_max = 3;
    s[5].plan.stop = list;
    s[6].plan.dictionary = list;
    s[7].plan.tokenizer.weight = ILK_TERM_LOG;
    s[7].estimate.min_docs = 5;
    s[8].plan.tokenizer.unit_length = true;
    for (size_t i = 0; i < 9; i++) {
        for (s[i].threads = 1; s[i].threads <= 4; s[i].threads *= 4) {
            ilk_tally tally;
            ilk_loo all = each(text.p, &s[i], &tally), sample = loo(text.p, &s[i], 1000, 0);
            assert_same_loo(&all, &sample);
            assert_true(i == 2 ? all.n > 0 && all.n < 900 : all.n == 900);
        }
    }
    unlink(list);
    ilk_buffer_free(&text);
}

static void reservoir__knows_what_its_rows_were_read_by(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_texts(&text, 30);
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    setting s = usual(), pairs;
    s.read.format = ILK_FORMAT_LINES;
    pairs = s;
    pairs.plan.tokenizer.ngram_max = 2;
    ilk_model *other = learn_model(text.p, &pairs, NULL), *own = learn_model(text.p, &s, NULL);
    ilk_table *table = open_text(text.p, &s.read);
    ilk_stats *stats;
    ilk_loo out;
    ilk_error err = {0};
    assert_int_equal(ilk_stats_new(&stats, ilk_model_schema(own), NULL), ILK_OK);
    assert_int_equal(ilk_table_learn(stats, table, &(ilk_run){.sample = 10}, NULL, NULL), ILK_OK);
    assert_int_equal(ilk_table_leave_one_out(&out, table, own, 1, &err), ILK_OK);
    assert_int_equal(out.n, 10);
    assert_int_equal(ilk_table_leave_one_out(&out, table, other, 1, &err), ILK_EARG);
    ilk_stats_free(stats);
    ilk_table_free(table);
    ilk_model_free(own);
    ilk_model_free(other);
    ilk_buffer_free(&text);
}

static void each__notices_other_data(void **state) {
    (void)state;
    setting s = usual();
    ilk_loo out;
    ilk_error err = {0};
    ilk_model *model = learn_model("x,y\n1.5,a\n2,a\n2.5,b\n9,b\n", &s, NULL);
    ilk_table *table = open_text("x,y\n1.5,a\n2,c\n", NULL);
    assert_int_equal(ilk_table_leave_each_out(&out, table, model, NULL, NULL, &err), ILK_EDATA);
    assert_non_null(strstr(err.message, "has the data changed?"));
    ilk_table_free(table);
    ilk_model_free(model);
}

/* ---- choosing */

static ilk_status choose(ilk_options *out, ilk_loo *worth, const char *text, const setting *s, size_t sample,
                         ilk_error *err) {
    ilk_table *table = open_text(text, &s->read);
    ilk_schema *schema;
    ilk_stats *stats;
    const ilk_run run = {.threads = s->threads, .sample = sample};
    *out = s->estimate;
    assert_int_equal(ilk_table_schema(&schema, table, &s->plan, NULL, NULL, NULL), ILK_OK);
    assert_int_equal(ilk_stats_new(&stats, schema, NULL), ILK_OK);
    assert_int_equal(ilk_table_learn(stats, table, &run, NULL, NULL), ILK_OK);
    ilk_status status = ilk_table_choose(out, worth, table, stats, s->threads, err);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
    ilk_table_free(table);
    return status;
}

static void choose__on_the_rows_kept(void **state) {
    (void)state;
    ilk_buffer text = {0};
    write_rows(&text, 600);
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    setting s = usual();
    ilk_options first, again;
    ilk_loo worth;
    s.estimate.smooth = ILK_LOO;
    s.plan.ignore = "w";
    for (s.threads = 1; s.threads <= 4; s.threads *= 2) {
        assert_int_equal(choose(s.threads == 1 ? &first : &again, &worth, text.p, &s, 1000, NULL), ILK_OK);
        assert_true(s.threads == 1 || again.smooth == first.smooth);
        setting fixed = s; /* its worth is what training with the number says */
        fixed.estimate = first;
        ilk_loo told = loo(text.p, &fixed, 1000, 0);
        assert_near(worth.log_loss, told.log_loss);
        for (fixed.estimate.smooth = 1e-4; fixed.estimate.smooth < 101; fixed.estimate.smooth *= 10)
            assert_true(loo(text.p, &fixed, 1000, 0).log_loss > worth.log_loss - 1e-12);
    }
    ilk_error err = {0};
    assert_int_equal(choose(&again, &worth, text.p, &s, 0, &err), ILK_EARG);
    assert_string_equal(err.message, "no rows were kept to choose by");
    ilk_buffer_free(&text);
}

#ifdef ILK_FAULTS
static void check_faults(const ilk_buffer *text, const setting *s) {
    bool clean = false;
    for (uint64_t n = 1; !clean; n++) {
        ilk_loo out;
        ilk_error err = {0};
        ilk_fault_arm(&ilk_allocation_fault, n, n % 2);
        ilk_status status = loo_of(&out, (ilk_str){text->p, text->n}, s, 10, 0, &err);
        clean = atomic_load(&ilk_allocation_fault.seen) < n;
        ilk_fault_arm(&ilk_allocation_fault, 0, false);
        assert_true(status == ILK_OK || status == ILK_ENOMEM);
    }
}

static void faults__every_allocation_may_fail(void **state) {
    (void)state;
    ilk_buffer rows = {0}, texts = {0};
    setting s = usual();
    s.threads = 1;
    s.block_size = 300;
    setting lines = s;
    s.plan.weights = "w";
    lines.read.format = ILK_FORMAT_LINES;
    write_rows(&rows, 30);
    write_texts(&texts, 30);
    check_faults(&rows, &s);
    check_faults(&texts, &lines);
    ilk_buffer_free(&rows);
    ilk_buffer_free(&texts);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reservoir__keeps_the_smallest_hashes_in_any_order_of_rows),
        cmocka_unit_test(reservoir__every_row_has_the_same_chance),
        cmocka_unit_test(reservoir__memory_is_bounded),
        cmocka_unit_test(loo__equals_training_without_each_row),
        cmocka_unit_test(loo__is_the_same_for_any_threads),
        cmocka_unit_test(loo__of_odd_cases),
        cmocka_unit_test(loo__weighs_rows),
        cmocka_unit_test(each__is_the_sample_of_all),
        cmocka_unit_test(each__is_the_sample_of_all_texts),
        cmocka_unit_test(reservoir__knows_what_its_rows_were_read_by),
        cmocka_unit_test(each__notices_other_data),
        cmocka_unit_test(choose__on_the_rows_kept),
#ifdef ILK_FAULTS
        cmocka_unit_test(faults__every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
