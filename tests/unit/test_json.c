/* SPDX-License-Identifier: Apache-2.0 */
/* test_json.c - plain objects of JSON: what is read as such is one, and means what it says. */
#include "fixtures.h"

#include "core/error.h"
#include "data/json_plain.h"

#ifdef ILK_HAVE_JANSSON
#include <jansson.h>
#endif

/* How it ends, and after how many members. The line is copied, so that a byte read beyond it is seen. */
static ilk_json_step read_all(const char *text, size_t *n) {
    size_t size = strlen(text);
    char *line = malloc(size + (size == 0));
    assert_non_null(line);
    memcpy(line, text, size);
    ilk_json_object object = {line, line + size, false};
    ilk_json_step step;
    ilk_json_member m;
    for (*n = 0; (step = ilk_json_next(&object, &m)) == ILK_JSON_MEMBER;)
        ++*n;
    free(line);
    return step;
}

static void json__members_are_read_in_order(void **state) {
    (void)state;
    static const char line[] = "{ \"a\":1 ,\"b c\" : -0.5e1,\t\"\":\"x y\", \"d\":true,\"e\":null,\"f\":0, \"g\":\"\"}";
    static const ilk_json_kind kinds[] = {ILK_JSON_INTEGER, ILK_JSON_REAL,    ILK_JSON_STRING, ILK_JSON_WORD,
                                          ILK_JSON_NULL,    ILK_JSON_INTEGER, ILK_JSON_STRING};
    static const char *const keys[] = {"a", "b c", "", "d", "e", "f", "g"}, *const texts[] = {"1",    "-0.5e1", "x y",
                                                                                              "true", "null",   "0",
                                                                                              ""};
    static const double numbers[] = {1, -5, 0, 0, 0, 0, 0};
    ilk_json_object object = {line, line + strlen(line), false};
    ilk_json_member m;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(ilk_json_next(&object, &m), ILK_JSON_MEMBER);
        assert_int_equal(m.kind, kinds[i]);
        assert_true(ilk_str_equal(m.key, str(keys[i])) && ilk_str_equal(m.text, str(texts[i])));
        if (m.kind == ILK_JSON_INTEGER || m.kind == ILK_JSON_REAL)
            assert_true(m.number == numbers[i]);
    }
    assert_int_equal(ilk_json_next(&object, &m), ILK_JSON_END);
}

static void json__what_is_not_plain_is_left_to_others(void **state) {
    (void)state;
    static const char *const others[] = {
        "",
        "[",
        "{",
        "{\"",
        "{\"a",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1{\"b\":2}",
        "{\"a\":1}}",
        "{\"a\":1} x",
        "{}}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":\"\\n\"}",
        "{\"\\u0061\":1}",
        "{\"a\":\"\t\"}",
        "{\"a\":[1]}",
        "{\"a\":{}}",
        "{\"a\":tru}",
        "{\"a\":truee}",
        "{\"a\":nul}",
        "{\"a\":True}",
        "{\"a\":NaN}",
        "{\"a\":01}",
        "{\"a\":-}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":1.}",
        "{\"a\":1e}",
        "{\"a\":1e+}",
        "{\"a\":1.e5}",
        "{\"a\":0x1}",
        "{\"a\":1e999}",
        "{\"a\":-0}",
        "{\"a\":1234567890123456789}",
        "{\"a\":1-2}",
        "{\"a\":\"b\"c}",
        ",\"a\":1}",
        "}",
    };
    size_t n;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (read_all(others[i], &n) != ILK_JSON_OTHER)
            fail_msg("%s passes for plain", others[i]);
    assert_int_equal(read_all("{}", &n), ILK_JSON_END);
    assert_int_equal(read_all("{ }", &n), ILK_JSON_END);
    assert_int_equal(n, 0);
}

#ifdef ILK_HAVE_JANSSON
/* The same kind and value in a tree. */
static void assert_agrees(const ilk_json_member *m, const json_t *value) {
    bool number = m->kind == ILK_JSON_INTEGER || m->kind == ILK_JSON_REAL;
    assert_non_null(value);
    assert_int_equal(number, json_is_number(value));
    assert_int_equal(m->kind == ILK_JSON_INTEGER, json_is_integer(value));
    assert_int_equal(m->kind == ILK_JSON_NULL, json_is_null(value));
    assert_int_equal(m->kind == ILK_JSON_STRING, json_is_string(value));
    if (number)
        assert_true(m->number == json_number_value(value));
}
#endif

/* Lines that are right, with some bytes of them exchanged: whatever is plain is JSON to others, too. */
static void json__plain_objects_are_json(void **state) {
    (void)state;
#ifndef ILK_HAVE_JANSSON
    SKIP_BECAUSE("built without jansson");
#else
    enum { MOST = 8 };
    static const char good[] = "{\"a\": 12.5e-1, \"b\": \"text\", \"c\": -10, \"d\": true, \"e\": null}";
    static const char others[] = "{}[]\",:.-+eE0123456789 \ttrufalsn\\a";
    rng r = rng_new(12);
    size_t plain = 0;
    for (size_t turn = 0; turn < 200000; turn++) {
        char line[sizeof good];
        memcpy(line, good, sizeof good);
        for (size_t i = 0, swaps = rng_below(&r, 4); i < swaps; i++)
            line[rng_below(&r, sizeof good - 1)] = others[rng_below(&r, sizeof others - 1)];
        ilk_json_object object = {line, line + sizeof good - 1, false};
        ilk_json_member m[MOST];
        size_t n = 0;
        ilk_json_step step;
        while ((step = ilk_json_next(&object, &m[n])) == ILK_JSON_MEMBER && n + 1 < MOST)
            n++;
        if (step != ILK_JSON_END)
            continue;
        json_t *tree = json_loadb(line, sizeof good - 1, 0, NULL);
        if (!tree)
            fail_msg("%s is no JSON", line);
        for (size_t i = 0; json_object_size(tree) == n && i < n; i++) /* all keys differ */
            assert_agrees(&m[i], json_object_getn(tree, m[i].key.p, m[i].key.n));
        json_decref(tree);
        plain++;
    }
    assert_true(plain > 1000);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json__members_are_read_in_order),
        cmocka_unit_test(json__what_is_not_plain_is_left_to_others),
        cmocka_unit_test(json__plain_objects_are_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
