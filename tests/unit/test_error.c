/* SPDX-License-Identifier: Apache-2.0 */
/* test_error.c - one line for people, whatever the data held. */
#include "fixtures.h"

#include "core/error.h"

#include <errno.h>

static void status__has_a_name_for_every_value(void **state) {
    (void)state;
    for (int a = ILK_OK; a <= ILK_ESTOP; a++)
        for (int b = ILK_OK; b < a; b++)
            assert_string_not_equal(ilk_status_name((ilk_status)a), ilk_status_name((ilk_status)b));
    assert_string_equal(ilk_status_name(ILK_ENOMEM), "out of memory");
    assert_non_null(ilk_status_name((ilk_status)99));
}

static void fail__returns_its_status_with_and_without_an_error(void **state) {
    (void)state;
    ilk_error err;
    assert_int_equal(ilk_fail(NULL, ILK_EDATA, "row %d", 3), ILK_EDATA);
    assert_int_equal(ilk_fail(&err, ILK_EDATA, "row %d", 3), ILK_EDATA);
    assert_int_equal(err.status, ILK_EDATA);
    assert_string_equal(err.message, "row 3");
    assert_int_equal(ilk_fail_memory(NULL), ILK_ENOMEM);
}

static void fail__makes_one_line_of_hostile_text(void **state) {
    (void)state;
    ilk_error err;
    ilk_fail(&err, ILK_EDATA, "column %s", "a\nb\r\tc\x1B[31m\x7F");
    assert_string_equal(err.message, "column a?b??c?[31m?");
    ilk_fail(&err, ILK_EDATA, "%s",
             "\xC2\x9B"
             "31m\xC2\xA0\xC3\x9B\xC2\x80"); /* CSI of Latin-1 */
    assert_string_equal(err.message, "?31m\xC2\xA0\xC3\x9B?");
}

static void blame__puts_what_it_is_about_before_the_message(void **state) {
    (void)state;
    ilk_error err;
    assert_int_equal(ilk_blame(&err, ilk_fail(&err, ILK_EARG, "no column %d", 3), "%s", "a\x1B"), ILK_EARG);
    assert_int_equal(err.status, ILK_EARG);
    assert_string_equal(err.message, "a?: no column 3");
    assert_int_equal(ilk_blame(&err, ILK_OK, "b"), ILK_OK);
    assert_int_equal(ilk_blame(&err, ilk_fail_memory(&err), "b"), ILK_ENOMEM);
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(ilk_blame(NULL, ILK_EDATA, "b"), ILK_EDATA);
}

static void fail__appends_what_the_system_says(void **state) {
    (void)state;
    ilk_error err;
    errno = ENOENT;
    assert_int_equal(ilk_fail_errno(&err, ILK_EIO, "cannot open %s", "x"), ILK_EIO);
    assert_string_equal(err.message, "cannot open x: No such file or directory");
    errno = ENOENT;
    assert_int_equal(ilk_fail_errno(NULL, ILK_EIO, "cannot open %s", "x"), ILK_EIO);
}

/* A text of `n` bytes that ends in whole characters of `unit`, after `shift` ASCII letters. */
static void assert_cut_between_characters(const char *unit, size_t shift) {
    char text[700];
    size_t n = shift, length = strlen(unit);
    memset(text, 'a', shift);
    while (n + length < sizeof text) {
        memcpy(text + n, unit, length);
        n += length;
    }
    text[n] = '\0';
    ilk_error err;
    ilk_fail(&err, ILK_EDATA, "%s", text);
    size_t shown = strlen(err.message);
    assert_in_range(shown, sizeof err.message - 1 - 3, sizeof err.message - 1);
    assert_memory_equal(err.message, text, shown);
    assert_int_equal((shown - shift) % length, 0);
    assert_int_equal(((size_t)ilk_shown((ilk_str){text, n}) - shift) % length, 0);
    assert_in_range(ilk_shown((ilk_str){text, n}), 77, 80);
}

static void fail__cuts_long_text_between_characters(void **state) {
    (void)state;
    static const char *const units[] = {"x", "é", "中", "😀"};
    for (size_t u = 0; u < 4; u++)
        for (size_t shift = 0; shift < 8; shift++)
            assert_cut_between_characters(units[u], shift);
}

static void shown__is_the_whole_of_short_text(void **state) {
    (void)state;
    assert_int_equal(ilk_shown(str("")), 0);
    assert_int_equal(ilk_shown(str("short")), 5);
    assert_int_equal(ilk_shown((ilk_str){"\x80\x80\x80", 3}), 3);
}

static void compare__is_by_bytes_and_then_by_length(void **state) {
    (void)state;
    assert_true(ilk_str_compare(str("a"), str("b")) < 0);
    assert_true(ilk_str_compare(str("b"), str("a")) > 0);
    assert_true(ilk_str_compare(str("a"), str("ab")) < 0);
    assert_true(ilk_str_compare(str("\xFF"), str("a")) > 0);
    assert_int_equal(ilk_str_compare(str("a"), str("a")), 0);
    assert_int_equal(ilk_str_compare((ilk_str){NULL, 0}, str("")), 0);
    assert_true(ilk_str_equal((ilk_str){NULL, 0}, str("")));
    assert_false(ilk_str_equal(str("a"), str("b")));
    assert_false(ilk_str_equal(str("a"), str("ab")));
}

static void version__is_three_numbers(void **state) {
    (void)state;
    int a, b, c, end = 0;
    assert_int_equal(sscanf(ilk_version(), "%d.%d.%d%n", &a, &b, &c, &end), 3);
    assert_int_equal(end, strlen(ilk_version()));
    assert_non_null(strstr(ilk_build_info(), "xxhash"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status__has_a_name_for_every_value),
        cmocka_unit_test(fail__returns_its_status_with_and_without_an_error),
        cmocka_unit_test(fail__makes_one_line_of_hostile_text),
        cmocka_unit_test(blame__puts_what_it_is_about_before_the_message),
        cmocka_unit_test(fail__appends_what_the_system_says),
        cmocka_unit_test(fail__cuts_long_text_between_characters),
        cmocka_unit_test(shown__is_the_whole_of_short_text),
        cmocka_unit_test(compare__is_by_bytes_and_then_by_length),
        cmocka_unit_test(version__is_three_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
