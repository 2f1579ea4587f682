/* SPDX-License-Identifier: Apache-2.0 */
/* test_locale.c - a program whose locale writes 0,5 for 0.5 parses, formats, learns, saves, opens and answers the bytes
 * that it does in the C locale. The locale is made by tests/locale.sh. */
#include "fixtures.h"

#include "core/buffer.h"
#include "core/number.h"

#include <ilk_data.h>
#include <locale.h>

static const char *const literals[] = {"0.5",
                                       "1e-3",
                                       "3.141592653589793238462643383279502884197",
                                       "2.5e-320",
                                       "1e400",
                                       "-0.0",
                                       "123456789.123456789e-7",
                                       ".5",
                                       "5.",
                                       "0,5",
                                       "1.234,5",
                                       "1,5e3",
                                       "1e22",
                                       "9007199254740993.5"};

static void put(ilk_buffer *to, const void *p, size_t n) {
    assert_int_equal(ilk_buffer_add(to, p, n), ILK_OK);
}

static void put_numbers(ilk_buffer *to) {
    char text[ILK_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
        double x = -1;
        bool good = ilk_number_parse(&x, str(literals[i]));
        put(to, &good, sizeof good);
        put(to, &x, sizeof x);
        put(to, text, ilk_format_number(text, x));
        put(to, text, ilk_format_number(text, x / 3));
        put(to, text, ilk_format_number(text, x * 1e-310)); /* subnormal */
    }
}

static ilk_table *open_table(void) {
    const char *path = temp_path("table.csv");
    ilk_table *input;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("x,y,c,k\n", f);
    for (int i = 0; i < 50; i++) /* no printf of doubles: it is the locale's */
        fprintf(f, "%d.%d%d,%d.5e-%d,v%d,%s\n", i % 7, i, i % 3, i * i % 11, i % 4, i % 3, i % 2 ? "a" : "b");
    fclose(f);
    assert_ok(ilk_table_open(&input, &path, 1, NULL, &failure));
    return input;
}

static ilk_status format(void *ctx, const ilk_answers *answers, ilk_text *text, ilk_error *err) {
    (void)ctx, (void)err;
    for (size_t i = 0; i < answers->n * answers->K; i++)
        if (ilk_text_number(text, answers->log_joint[i]) != ILK_OK || ilk_text_add(text, "\n", 1) != ILK_OK)
            return ILK_ENOMEM;
    return ILK_OK;
}
static ilk_status commit(void *ctx, const ilk_answers *answers, const char *text, size_t n, ilk_error *err) {
    (void)answers, (void)err;
    return ilk_buffer_add(ctx, text, n);
}

static void put_model(ilk_buffer *to) {
    ilk_table *input = open_table();
    ilk_schema *schema;
    ilk_stats *stats;
    ilk_model *opened;
    assert_ok(ilk_table_schema(&schema, input, NULL, NULL, NULL, &failure));
    assert_ok(ilk_stats_new(&stats, schema, &failure));
    assert_ok(ilk_table_learn(stats, input, NULL, NULL, &failure));
    ilk_table_free(input);
    ilk_model *model = estimated(stats, NULL);
    bytes file = saved(model, stats);
    put(to, file.p, file.n);
    assert_ok(ilk_model_open(&opened, temp_path("saved.bayes"), &failure));
    input = open_table();
    ilk_answer_fns fns = {format, commit, to};
    assert_ok(ilk_table_answer(input, opened, &fns, NULL, NULL, &failure));
    ilk_table_free(input);
    free(file.p);
    ilk_model_free(model);
    ilk_model_free(opened);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
}

static ilk_buffer everything(void) {
    ilk_buffer b = {0};
    put_numbers(&b);
    put_model(&b);
    return b;
}

/* The folder of the comma locale, or false where tests/locale.sh cannot make one (it exits 77). */
static bool comma_folder(char *out, size_t size) {
    FILE *f = popen("\"" ILK_TESTS_DIR "/locale.sh\"", "r");
    assert_non_null(f);
    bool got = fgets(out, (int)size, f) != NULL;
    int status = pclose(f);
    out[got ? strcspn(out, "\n") : 0] = '\0';
    assert_true(got || WEXITSTATUS(status) == 77);
    return got;
}

static void comma_locale__changes_no_byte(void **state) {
    (void)state;
    char path[4096], half[8];
    if (!comma_folder(path, sizeof path))
        SKIP_BECAUSE("no comma locale (package locales)");
    ilk_buffer c = everything();
    setenv("LOCPATH", path, 1);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        fail_msg("no locale de_DE.UTF-8 in %s", path);
    snprintf(half, sizeof half, "%.1f", 0.5);
    assert_string_equal(half, "0,5"); /* or this test would show nothing */
    ilk_buffer comma = everything();
    setlocale(LC_ALL, "C");
    assert_true(c.n > 3000);
    assert_int_equal(c.n, comma.n);
    assert_memory_equal(c.p, comma.p, c.n);
    ilk_buffer_free(&c);
    ilk_buffer_free(&comma);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comma_locale__changes_no_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
