/* SPDX-License-Identifier: Apache-2.0 */
/* What scikit-learn and R answer, we answer: one test per file of tests/golden, which make_golden.sh writes.
 *
 * A file is lines of text, in this order:
 *     # WHAT WAS ASKED               made-by VERSIONS            note WHERE THEIR DEFINITION IS NOT OURS
 *     schema COLUMNS                 as in fixtures.h
 *     smooth A | floor F | shrink S | shrink oas | divisor n|n-k|n-1 | prior CLASS=P ...        options; else the
 *     defaults tolerance T                    of a log-odds, or of 1; else 1e-9
 *     declare J KEY ...              categories of the J-th category column, or words of the text
 *     train N, weight N, test N, expect N        followed by N lines; weight and test may be missing
 * The lines of train and test are tables as in fixtures.h. Those of expect have one number per class, a, b, c: log
 * p(y|x) or log p(x, y), less whatever all classes share. Without test, they are the leave-one-out answers for the rows
 * of train.
 */
#include "fixtures.h"

#include <dirent.h>

enum { MOST_CASES = 100, MOST_GIVEN = 8, MOST_LINES = 64 };

typedef struct golden {
    char *schema;
    ilk_options options;
    ilk_given given[MOST_GIVEN];
    char *declare[MOST_LINES];
    size_t declares;
    table train, test;
    double *weight, *expect; /* test.n (or train.n) × K */
    size_t expects, classes;
    double tolerance;
    char *text;
} golden;

/* ---- reading */

/* The line at *at, ended; *at is the next. */
static char *take_line(char **at) {
    char *line = *at, *end = line + strcspn(line, "\n");
    *at = end + (*end != '\0');
    *end = '\0';
    return line;
}

/* The rest of a line that begins with `word`, or NULL. */
static char *after(char *line, const char *word) {
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

static table take_table(char **at, size_t n) {
    char *first = *at;
    for (size_t i = 0; i < n; i++)
        *at += strcspn(*at, "\n") + 1;
    char kept = **at;
    **at = '\0';
    table t = table_of(first);
    **at = kept;
    assert_int_equal(t.n, n);
    return t;
}

/* n lines of numbers; *width is how many each line has. */
static double *take_numbers(char **at, size_t n, size_t *width) {
    double *out = make(n * 8, sizeof *out);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        char *line = take_line(at), *end;
        for (*width = 0; *line; line = end, ++*width) {
            out[used++] = strtod(line, &end);
            assert_true(end > line && *width < 8);
            end += strspn(end, " ");
        }
    }
    assert_int_equal(used, n * *width);
    return out;
}

static void take_prior(golden *g, char *line) {
    char *word, *rest = line;
    while ((word = strtok_r(rest, " ", &rest))) {
        char *equals = strchr(word, '=');
        assert_true(equals && g->options.givens < MOST_GIVEN);
        *equals = '\0';
        g->given[g->options.givens++] = (ilk_given){str(word), strtod(equals + 1, NULL)};
    }
    g->options.prior = ILK_PRIOR_GIVEN;
}

static bool take_option(golden *g, char *line) {
    char *rest;
    if ((rest = after(line, "smooth")))
        g->options.smooth = strtod(rest, NULL);
    else if ((rest = after(line, "floor")))
        g->options.floor = strtod(rest, NULL);
    else if ((rest = after(line, "shrink")))
        g->options.shrink = strcmp(rest, "oas") == 0 ? ILK_SHRINK_OAS : strtod(rest, NULL);
    else if ((rest = after(line, "divisor")))
        g->options.divisor = strcmp(rest, "n") == 0     ? ILK_DIVISOR_N
                             : strcmp(rest, "n-k") == 0 ? ILK_DIVISOR_N_MINUS_K
                                                        : ILK_DIVISOR_N_MINUS_1;
    else if ((rest = after(line, "tolerance")))
        g->tolerance = strtod(rest, NULL);
    else if ((rest = after(line, "prior")))
        take_prior(g, rest);
    else
        return false;
    return true;
}

static bool take_section(golden *g, char *line, char **at) {
    char *rest;
    size_t width;
    if ((rest = after(line, "train")))
        g->train = take_table(at, strtoul(rest, NULL, 10));
    else if ((rest = after(line, "test")))
        g->test = take_table(at, strtoul(rest, NULL, 10));
    else if ((rest = after(line, "weight")))
        g->weight = take_numbers(at, strtoul(rest, NULL, 10), &width);
    else if ((rest = after(line, "expect")))
        g->expect = take_numbers(at, g->expects = strtoul(rest, NULL, 10), &g->classes);
    else
        return false;
    return true;
}

static golden golden_read(const char *path) {
    golden g = {.text = (char *)read_file(path).p, .tolerance = 1e-9};
    ilk_options_init(&g.options);
    for (char *at = g.text; *at;) {
        char *line = take_line(&at), *rest;
        if (*line == '#' || after(line, "made-by") || after(line, "note"))
            continue;
        if ((rest = after(line, "schema")))
            g.schema = rest;
        else if ((rest = after(line, "declare")) && g.declares < MOST_LINES)
            g.declare[g.declares++] = rest;
        else if (!take_option(&g, line) && !take_section(&g, line, &at))
            fail_msg("%s: what is '%s'?", path, line);
    }
    assert_true(g.schema && g.train.n && g.expects == (g.test.n ? g.test.n : g.train.n));
    return g;
}

static void golden_free(golden *g) {
    table_free(&g->train);
    table_free(&g->test);
    free(g->weight);
    free(g->expect);
    free(g->text);
}

/* ---- comparing */

static void declare_all(ilk_stats *s, char *line) {
    bool text = ilk_schema_width(ilk_stats_schema(s), ILK_TEXT) > 0;
    char *rest, *word;
    size_t j = strtoul(line, &rest, 10);
    uint32_t id;
    while ((word = strtok_r(rest, " ", &rest)))
        assert_ok(ilk_stats_declare(&id, s, text ? ILK_TEXT : ILK_CATEGORY, j, str(word), &failure));
}

static ilk_model *golden_model(const golden *g) {
    ilk_stats *s = stats_of(g->schema, NULL);
    for (size_t i = 0; i < g->declares; i++)
        declare_all(s, g->declare[i]);
    batch b = batch_for_stats(s, &g->train);
    b.rows.weight = g->weight;
    assert_ok(ilk_stats_add(s, &b.rows, &failure));
    batch_free(&b);
    ilk_options o = g->options;
    o.given = g->given;
    ilk_model *m = estimated(s, &o);
    ilk_stats_free(s);
    return m;
}

static double *answer(const golden *g, const ilk_model *m) {
    if (g->test.n)
        return log_joints(m, &g->test);
    double *out = make(g->train.n * g->classes, sizeof *out);
    batch b = batch_for_model(m, &g->train);
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    batch_free(&b);
    return out;
}

static void golden__answers_are_ours(void **state) {
    golden g = golden_read(*state);
    ilk_model *m = golden_model(&g);
    assert_int_equal(ilk_model_classes(m), g.classes);
    double *ours = answer(&g, m);
    for (size_t i = 0; i < g.expects; i++)
        for (size_t k = 1; k < g.classes; k++) {
            const double *a = ours + i * g.classes, *b = g.expect + i * g.classes;
            if (!is_close(a[k] - a[0], b[k] - b[0], g.tolerance))
                fail_msg("%s, row %zu, log-odds of class %zu to 0: %.17g, theirs %.17g", (char *)*state, i, k,
                         a[k] - a[0], b[k] - b[0]);
        }
    free(ours);
    ilk_model_free(m);
    golden_free(&g);
}

/* ---- the CS229 spam matrix: a fixed dictionary of 1,448 words, the multinomial event model, Laplace smoothing */

typedef struct matrix {
    size_t n, words;
    size_t *begin;
    uint32_t *id, *count, *label;
} matrix;

static void matrix_free(matrix *x) {
    free(x->begin);
    free(x->id);
    free(x->count);
    free(x->label);
}

/* A row is: class, (step to the next word, count) ..., -1. The words are numbered from 1, and so is the first step. */
static matrix matrix_read(const char *path) {
    bytes b = read_file(path);
    char *at = (char *)b.p;
    take_line(&at);
    matrix x = {.n = strtoul(at, &at, 10), .words = strtoul(at, &at, 10)};
    at += strcspn(at, "\n") + 1;
    take_line(&at);
    x.begin = make(x.n + 1, sizeof *x.begin);
    x.label = make(x.n, sizeof *x.label);
    x.id = make(b.n, sizeof *x.id);
    x.count = make(b.n, sizeof *x.count);
    for (size_t i = 0, used = 0; i < x.n; x.begin[++i] = used) {
        x.label[i] = (uint32_t)strtoul(at, &at, 10);
        uint32_t word = 0;
        for (long step; (step = strtol(at, &at, 10)) >= 0; used++) {
            x.id[used] = word += (uint32_t)step;
            x.count[used] = (uint32_t)strtoul(at, &at, 10);
        }
    }
    free(b.p);
    return x;
}

static ilk_stats *spam_dictionary(size_t words) {
    ilk_stats *s = stats_of("class text:multinomial", NULL);
    char name[24];
    uint32_t id;
    for (size_t w = 0; w < words; w++) {
        snprintf(name, sizeof name, "%05zu", w); /* in byte order, so that ids of model and statistics are the same */
        assert_ok(ilk_stats_declare(&id, s, ILK_TEXT, 0, str(name), &failure));
    }
    assert_ok(ilk_stats_class(&id, s, str("0"), &failure));
    assert_ok(ilk_stats_class(&id, s, str("1"), &failure));
    return s;
}

static size_t spam_errors(const char *train_path, const matrix *test) {
    matrix train = matrix_read(train_path);
    ilk_stats *s = spam_dictionary(train.words);
    ilk_tokens bags = {train.begin, train.id, train.count, NULL};
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = train.n, .text = &bags, .label = train.label}, &failure));
    ilk_model *m = estimated(s, NULL);
    assert_int_equal(ilk_model_word(m, 0, str("01447")), 1447);
    uint32_t *predicted = make(test->n, sizeof *predicted);
    bags = (ilk_tokens){test->begin, test->id, test->count, NULL};
    assert_ok(ilk_model_predict(predicted, m, &(ilk_rows){.n = test->n, .text = &bags}, &failure));
    size_t errors = 0;
    for (size_t i = 0; i < test->n; i++)
        errors += predicted[i] != test->label[i];
    free(predicted);
    ilk_model_free(m);
    ilk_stats_free(s);
    matrix_free(&train);
    return errors;
}

static void multinomial__errs_on_the_cs229_spam_matrix_as_the_course_says(void **state) {
    (void)state;
    NEED_DATA(folder_path, "cs229_spam_data");
    static const char *const part[] = {".50", ".100", ".200", ".400", ".800", ".1400", ""};
    static const size_t expected[] = {31, 21, 21, 15,
                                      14, 13, 13}; /* of 800: .0387 .0262 .0262 .0188 .0175 .0162 .0162 */
    char path[4200], data[4096];
    snprintf(data, sizeof data, "%s", folder_path);
    snprintf(path, sizeof path, "%s/MATRIX.TEST", data);
    matrix test = matrix_read(path);
    assert_int_equal(test.n, 800);
    assert_int_equal(test.words, 1448);
    for (size_t i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "%s/MATRIX.TRAIN%s", data, part[i]);
        size_t errors = spam_errors(path, &test);
        if (errors != expected[i])
            fail_msg("MATRIX.TRAIN%s: %zu errors, not %zu", part[i], errors, expected[i]);
    }
    matrix_free(&test);
}

/* ---- main: the list of tests is the folder */

static int is_golden(const struct dirent *d) {
    const char *dot = strrchr(d->d_name, '.');
    return dot && strcmp(dot, ".golden") == 0;
}

int main(void) {
    struct CMUnitTest tests[MOST_CASES + 1] = {
        cmocka_unit_test(multinomial__errs_on_the_cs229_spam_matrix_as_the_course_says)};
    static char path[MOST_CASES][1024], name[MOST_CASES][300];
    struct dirent **list;
    int n = scandir(golden_folder(), &list, is_golden, alphasort), used = 0;
    for (; used < n && used < MOST_CASES; used++) {
        snprintf(path[used], sizeof path[used], "%s/%s", golden_folder(), list[used]->d_name);
        snprintf(name[used], sizeof name[used], "golden__%s", list[used]->d_name);
        tests[1 + used] = (struct CMUnitTest){name[used], golden__answers_are_ours, NULL, NULL, path[used]};
        free(list[used]);
    }
    if (n < 30 || n > MOST_CASES) {
        printf("Bail out! %d golden files in %s\n", n, golden_folder());
        return 1;
    }
    free(list);
    return _cmocka_run_group_tests("tests", tests, 1 + (size_t)used, NULL, NULL);
}
