/* SPDX-License-Identifier: Apache-2.0 */
/* test_tokens.c - what the tokenizers make of text, and that no bytes can harm them. */
#include "support.h"

#include "core/buffer.h"
#include "text/tokens.h"

#include <string.h>

static ilk_status gather(void *ctx, ilk_str token) {
    ilk_buffer *b = ctx;
    assert_int_equal(ilk_buffer_add(b, token.p, token.n), ILK_OK);
    return ilk_buffer_add(b, "|", 1);
}

/* The terms of `text`, a bar after each. */
static void assert_terms(const ilk_tokenizer *tokenizer, const char *text, const char *expected) {
    ilk_token_scratch scratch = {0};
    ilk_buffer terms = {0};
    assert_int_equal(ilk_tokenize(tokenizer, (ilk_str){text, strlen(text)}, &scratch, gather, &terms), ILK_OK);
    assert_int_equal(ilk_buffer_add(&terms, "", 1), ILK_OK);
    assert_string_equal(terms.p, expected);
    ilk_buffer_free(&terms);
    ilk_token_scratch_free(&scratch);
}

static const ilk_tokenizer words = {.kind = ILK_WORDS, .ngram_min = 1, .ngram_max = 1};
static const ilk_tokenizer whitespace = {.kind = ILK_WHITESPACE, .ngram_min = 1, .ngram_max = 1};
static const ilk_tokenizer chars = {.kind = ILK_CHARS, .ngram_min = 1, .ngram_max = 1};

static void words__are_runs_of_letters_and_digits(void **state) {
    (void)state;
    assert_terms(&words, "Hello, World! 3,200 e-mails_now", "hello|world|3,200|mails_now|");
    assert_terms(&words, "Ünlü ÇA été naïve", "ünlü|ça|été|naïve|");
    assert_terms(&words, "Привет мир", "привет|мир|");
    assert_terms(&words, "한국어 문장", "한국어|문장|");
    assert_terms(&words, "", "");
    assert_terms(&words, " \t\n.,;!?-()", "");
}

static void words__have_two_letters_at_least(void **state) {
    (void)state;
    assert_terms(&words, "don't I \'quoted\' it’s l\'été x y_ é", "don|quoted|it|été|y_|é|");
    assert_terms(&words, "A 中 5 文b e\u0301 나", "中|文|e\u0301|나|");
}

static void words__of_digits_keep_points_and_commas_between_them(void **state) {
    (void)state;
    assert_terms(&words, "3.14 1,000,000. 10.0.0.1 .5 5. 1..2 v2.0 12,ab 3.5中",
                 "3.14|1,000,000|10.0.0.1|v2.0|12|ab|3.5|中|");
    assert_terms(&words, "3.", "");
    assert_terms(&words, "12.", "12|");
}

static void words__of_cjk_are_characters_and_adjacent_pairs(void **state) {
    (void)state;
    assert_terms(&words, "中文字", "中|文|中文|字|文字|");
    assert_terms(&words, "您好，世界", "您|好|您好|世|界|世界|");
    assert_terms(&words, "ひらカナ", "ひ|ら|ひら|カ|らカ|ナ|カナ|");
    assert_terms(&words, "赚2000元QQ群", "赚|2000|元|qq|群|");
}

static void words__keep_currency_signs_and_emoji(void **state) {
    (void)state;
    assert_terms(&words, "win £100 or $5 €!", "win|£|100|or|$|€|");
    assert_terms(&words, "ok👍🏽😀 ❤️xx", "ok|👍|😀|❤|xx|");
}

static void words__ignore_what_cannot_be_seen(void **state) {
    (void)state;
    assert_terms(&words, "vi\u200Bag\u00ADra fr\uFEFFee", "viagra|free|");
    assert_terms(&words, "中\u200B文", "中|文|中文|");
}

static void words__narrow_full_width_forms(void **state) {
    (void)state;
    assert_terms(&words, "ＶＩＰ１２３，ｏｋ", "vip123|ok|");
}

static void words__in_capitals_are_the_same_words(void **state) {
    (void)state;
    assert_terms(&words, "ΟΔΟΣ οδος οδός", "οδοσ|οδοσ|οδόσ|");
    const ilk_tokenizer keep = {.kind = ILK_WORDS, .keep_case = true, .ngram_min = 1, .ngram_max = 1};
    assert_terms(&keep, "Hello ÄB", "Hello|ÄB|");
}

static void words__join_to_ngrams_but_not_across_cjk(void **state) {
    (void)state;
    const ilk_tokenizer pairs = {.kind = ILK_WORDS, .ngram_min = 1, .ngram_max = 2};
    assert_terms(&pairs, "aa bb. cc", "aa|bb|aa bb|cc|bb cc|");
    assert_terms(&pairs, "aa x bb 中文 cc dd", "aa|bb|aa bb|中|文|中文|cc|dd|cc dd|");
    const ilk_tokenizer only = {.kind = ILK_WORDS, .ngram_min = 2, .ngram_max = 3};
    assert_terms(&only, "aa bb cc dd", "aa bb|bb cc|aa bb cc|cc dd|bb cc dd|");
    const ilk_tokenizer eight = {.kind = ILK_WORDS, .ngram_min = 8, .ngram_max = 8};
    assert_terms(&eight, "11 2a 33 44 55 66 77 88 99", "11 2a 33 44 55 66 77 88|2a 33 44 55 66 77 88 99|");
}

static void whitespace__is_what_python_splits_at(void **state) {
    (void)state;
    assert_terms(&whitespace, "  URGENT! Call 09061\tnow... ", "urgent!|call|09061|now...|");
    assert_terms(&whitespace,
                 "a\x1C"
                 "b\u00A0c\u2003d\u3000e\xC2\x85"
                 "f\u200Bg",
                 "a|b|c|d|e|f\u200Bg|");
}

static void whitespace__lower_case_is_pythons(void **state) {
    (void)state;
    assert_terms(&whitespace, "ÄÖÜ İ ΟΔΟΣ ΣΑΣ. Σ ẞ Ⱥ", "äöü|i̇|οδος|σας.|σ|ß|ⱥ|");
    const ilk_tokenizer keep = {.kind = ILK_WHITESPACE, .keep_case = true, .ngram_min = 1, .ngram_max = 1};
    assert_terms(&keep, "ÄÖ aB", "ÄÖ|aB|");
}

static void chars__are_all_but_white_space(void **state) {
    (void)state;
    assert_terms(&chars, "Ab 中!", "a|b|中|!|");
    const ilk_tokenizer pairs = {.kind = ILK_CHARS, .ngram_min = 1, .ngram_max = 2};
    assert_terms(&pairs, "a中b", "a|中|a 中|b|中 b|");
}

static void tokens__read_invalid_bytes_one_by_one(void **state) {
    (void)state;
    assert_terms(&chars, "a\xFF\xC3z", "a|\uFFFD|\uFFFD|z|");
    assert_terms(&whitespace, "x\xE4\xB8 y", "x\uFFFD\uFFFD|y|");
    assert_terms(&words,
                 "aa\xFF"
                 "bb\xED\xA0\x80"
                 "cc",
                 "aa|bb|cc|");
}

/* Any bytes, any tokenizer: the same terms again, none empty, and no sanitizer has anything to say. */
static ilk_status check_term(void *ctx, ilk_str token) {
    uint64_t *sum = ctx;
    assert_true(token.n > 0);
    for (size_t i = 0; i < token.n; i++)
        *sum = *sum * 31 + (unsigned char)token.p[i];
    return ILK_OK;
}

static void tokens__are_defined_for_any_bytes(void **state) {
    (void)state;
    static const char *const pieces[] = {"a",    "Z",      "'", "\u2019", " ", "中", "£",        "😀", "\u0301", "\xFF",
                                         "\xC3", "\u200B", "Σ", "İ",      "0", "\n", "\xF0\x9F", "Ⱥ", "カ"};
    const size_t n_pieces = sizeof pieces / sizeof *pieces;
    uint32_t seed = 1;
    ilk_token_scratch scratch = {0};
    for (unsigned round = 0; round < 3000; round++) {
        char text[128];
        size_t n = 0;
        for (unsigned i = 0; i < round % 24; i++) {
            seed = seed * 1664525 + 1013904223;
            const char *piece = pieces[(seed >> 8) % n_pieces];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        char *exact = malloc(n + (n == 0)); /* so that a read beyond the end is seen */
        assert_non_null(exact);
        memcpy(exact, text, n);
        ilk_tokenizer t = {.kind = (ilk_token_kind)(round % 3), .keep_case = round % 2, .ngram_min = 1, .ngram_max = 3};
        uint64_t once = 0, again = 0;
        assert_int_equal(ilk_tokenize(&t, (ilk_str){exact, n}, &scratch, check_term, &once), ILK_OK);
        assert_int_equal(ilk_tokenize(&t, (ilk_str){exact, n}, &scratch, check_term, &again), ILK_OK);
        assert_true(once == again);
        free(exact);
    }
    ilk_token_scratch_free(&scratch);
}

static ilk_status stop_at_second(void *ctx, ilk_str token) {
    (void)token;
    return ++*(int *)ctx == 2 ? ILK_ESTOP : ILK_OK;
}

/* The plain loop of which copying eight bytes at a time is the fast form. */
static void plain_words(ilk_buffer *out, const char *text, size_t n, bool fold) {
    size_t begin = out->n;
    for (size_t i = 0; i <= n; i++) {
        char c = i < n ? text[i] : ' ', lower = (char)(c | 0x20);
        bool letter = (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (letter)
            assert_int_equal(ilk_buffer_add(out, fold && c >= 'A' && c <= 'Z' ? &lower : &c, 1), ILK_OK);
        else if (out->n - begin > 1)
            assert_int_equal(ilk_buffer_add(out, "|", 1), ILK_OK);
        else
            out->n = begin; /* one letter is no word */
        begin = letter ? begin : out->n;
    }
}

/* Every byte of ASCII but those that mean more, in texts of every length up to 40, at every distance from the end
 * of what may be read. */
static void words__of_ascii_are_those_of_a_plain_loop(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (size_t n = 0; n <= 40; n++) {
        for (int times = 0; times < 200; times++) {
            char *text = malloc(n + 1);
            ilk_tokenizer t = words;
            ilk_token_scratch scratch = {0};
            ilk_buffer expected = {0}, got = {0};
            assert_non_null(text);
            t.keep_case = times % 2;
            for (size_t i = 0; i < n; i++) {
                seed = seed * 1664525u + 1013904223u;
                bool any = (seed >> 28) == 0;
                text[i] = any ? (char)(seed >> 20 & 127) : "eTaO1nz9ZA"[(seed >> 20) % 10];
                if (memchr("$.,", text[i], 3))
                    text[i] = ' ';
            }
            plain_words(&expected, text, n, !t.keep_case);
            assert_int_equal(ilk_tokenize(&t, (ilk_str){text, n}, &scratch, gather, &got), ILK_OK);
            assert_int_equal(got.n, expected.n);
            if (got.n)
                assert_memory_equal(got.p, expected.p, got.n);
            ilk_buffer_free(&expected);
            ilk_buffer_free(&got);
            ilk_token_scratch_free(&scratch);
            free(text);
        }
    }
}

static void tokens__end_where_the_callback_says(void **state) {
    (void)state;
    ilk_token_scratch scratch = {0};
    int seen = 0;
    assert_int_equal(ilk_tokenize(&words, (ilk_str){"aa bb cc", 8}, &scratch, stop_at_second, &seen), ILK_ESTOP);
    assert_int_equal(seen, 2);
    ilk_token_scratch_free(&scratch);
}

static void estimate__counts_words_and_half_the_cjk_characters(void **state) {
    (void)state;
    assert_int_equal(ilk_words_estimate((ilk_str){"one two  three", 14}), 3);
    assert_int_equal(ilk_words_estimate((ilk_str){"", 0}), 0);
    const char *text = "很快好吃味道足量大的";
    assert_int_equal(ilk_words_estimate((ilk_str){text, strlen(text)}), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words__are_runs_of_letters_and_digits),
        cmocka_unit_test(words__have_two_letters_at_least),
        cmocka_unit_test(words__of_digits_keep_points_and_commas_between_them),
        cmocka_unit_test(words__of_cjk_are_characters_and_adjacent_pairs),
        cmocka_unit_test(words__keep_currency_signs_and_emoji),
        cmocka_unit_test(words__ignore_what_cannot_be_seen),
        cmocka_unit_test(words__narrow_full_width_forms),
        cmocka_unit_test(words__in_capitals_are_the_same_words),
        cmocka_unit_test(words__join_to_ngrams_but_not_across_cjk),
        cmocka_unit_test(whitespace__is_what_python_splits_at),
        cmocka_unit_test(whitespace__lower_case_is_pythons),
        cmocka_unit_test(chars__are_all_but_white_space),
        cmocka_unit_test(tokens__read_invalid_bytes_one_by_one),
        cmocka_unit_test(tokens__are_defined_for_any_bytes),
        cmocka_unit_test(words__of_ascii_are_those_of_a_plain_loop),
        cmocka_unit_test(tokens__end_where_the_callback_says),
        cmocka_unit_test(estimate__counts_words_and_half_the_cjk_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
