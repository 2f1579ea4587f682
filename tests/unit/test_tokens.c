/* SPDX-License-Identifier: Apache-2.0 */
/* test_tokens.c - what the tokenizers make of text, and that no bytes can harm them. */
#include "support.h"

#include "core/buffer.h"
#include "text/nfkc.h"
#include "text/tokens.h"

#include <string.h>
#include <utf8proc.h>

static ilk_status gather(void *ctx, const ilk_str *token, size_t n) {
    ilk_buffer *b = ctx;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(ilk_buffer_add(b, token[i].p, token[i].n), ILK_OK);
        assert_int_equal(ilk_buffer_add(b, "|", 1), ILK_OK);
    }
    return ILK_OK;
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
    assert_terms(&words, "A 中 5 文b e\u0301 나", "中|文|\u00e9|나|");
}

static void words__of_digits_keep_points_and_commas_between_them(void **state) {
    (void)state;
    assert_terms(&words, "3.14 1,000,000. 10.0.0.1 .5 5. 1..2 v2.0 12,ab 3.5中",
                 "3.14|1,000,000|10.0.0.1|v2.0|12|ab|3.5|中|");
    assert_terms(&words, "3.", "");
    assert_terms(&words, "12.", "12|");
}

/* An address is no word: its parts are, which other addresses of the same place have too. */
static void words__of_addresses_are_their_parts(void **state) {
    (void)state;
    assert_terms(&words, "https://www.Example.com:8080/a-b/my_page.html?id=42&x=1.5#top",
                 "https|www|example|com|8080|my_page|html|id|42|1.5|top|");
    assert_terms(&words, "Jane.Doe+news@mail.example.co.uk", "jane|doe|news|mail|example|co|uk|");
    assert_terms(&words, "http://192.168.0.1/ 例子.cn/路径", "http|192.168.0.1|例|子|例子|cn|路|径|路径|");
    assert_terms(&words, "http://x.cn/%E4%BD%A0", "http|cn|e4|bd|a0|");
    assert_terms(&whitespace, "See HTTPS://Example.com/A?b=1, jane@example.com",
                 "see|https://example.com/a?b=1,|jane@example.com|");
}

static void words__of_cjk_are_characters_and_adjacent_pairs(void **state) {
    (void)state;
    assert_terms(&words, "中文字", "中|文|中文|字|文字|");
    assert_terms(&words, "您好，世界", "您|好|您好|世|界|世界|");
    assert_terms(&words, "ひらカナ", "ひ|ら|ひら|カ|らカ|ナ|カナ|");
    assert_terms(&words, "赚2000元QQ群", "赚|2000|元|qq|群|");
    assert_terms(&words, "ab\U0001B000cd \U0001B167", "ab|\U0001B000|cd|\U0001B167|"); /* old kana, small kana */
}

static void words__keep_currency_signs_and_emoji(void **state) {
    (void)state;
    assert_terms(&words, "win £100 or $5 €!", "win|£|100|or|$|€|");
    assert_terms(&words, "ok👍🏽😀 ❤️xx", "ok|👍|😀|❤|xx|");
    assert_terms(&words, "aa↔️bb◽〰️→ 3×4 ±½ aa≤bb", "aa|↔|bb|◽|〰|→|aa|≤|bb|");
    assert_terms(&words, "‼️ ℹ️ a+b", ""); /* in NFKC two exclamation marks, and an i */
    const ilk_tokenizer pieces = {.kind = ILK_PIECES, .ngram_min = 1, .ngram_max = 1};
    assert_terms(&words, "ok🇫🇷🇩🇪中🇯🇵文🇨xx 🇨", "ok|🇫🇷|🇩🇪|中|🇯🇵|文|🇨|xx|🇨|");
    assert_terms(&words, "🇫\u200D🇷🇩", "🇫🇷|🇩|");
    assert_terms(&pieces, "a🇫🇷🇩🇪b", "a|🇫🇷|🇩🇪|b|");
    assert_terms(&words, "#️⃣xx*️⃣ 1️⃣2️⃣ab ⃣ a⃣ 中#⃣", "#⃣|xx|*⃣|1⃣|2⃣|ab|a⃣|中|#⃣|");
    assert_terms(&pieces, "#️⃣1️⃣2", "#|1⃣|2|");
    const ilk_tokenizer pairs = {.kind = ILK_WORDS, .ngram_min = 2, .ngram_max = 2};
    assert_terms(&pairs, "aa #️⃣ 🇫🇷 bb", "aa #⃣|#⃣ 🇫🇷|🇫🇷 bb|");
}

static void words__ignore_what_cannot_be_seen(void **state) {
    (void)state;
    assert_terms(&words, "vi\u200Bag\u00ADra fr\uFEFFee", "viagra|free|");
    assert_terms(&words, "中\u200B文", "中|文|中文|");
    static const char *const invisible[] = {"\u034F", "\u115F", "\u1160", "\u17B4", "\u180B", "\u180F",
                                            "\u2065", "\u3164", "\uFE0F", "\uFFA0", "\uFFF0", "\U000E0100"};
    const ilk_tokenizer keep = {.kind = ILK_WORDS, .keep_case = true, .ngram_min = 1, .ngram_max = 1};
    for (size_t i = 0; i < sizeof invisible / sizeof *invisible; i++) {
        char text[64];
        snprintf(text, sizeof text, "%spri%sze 11,%s000", invisible[i], invisible[i], invisible[i]);
        assert_terms(&words, text, "prize|11,000|");
        assert_terms(&keep, text, "prize|11,000|");
    }
    assert_terms(&words, "cafe\u200D\u0301 \u1112\u200B\u1161\u11ab", "caf\u00e9|\ud55c|");
    assert_terms(&chars, "a\u200Bb\u200Dc", "a|b|c|");
    assert_terms(&chars, "\u200B\u034F", "");
}

/* What reads the same is the same word, however it is spelt in Unicode. */
static void words__are_in_normal_form(void **state) {
    (void)state;
    assert_terms(&words, "ＶＩＰ１２３，ｏｋ", "vip123|ok|");
    assert_terms(&words, "cafe\u0301 caf\u00e9", "caf\u00e9|caf\u00e9|");
    assert_terms(&words, "o\ufb03ce \ufb01ne x\u00b2 \u2460\u2461", "office|fine|x2|12|");
    assert_terms(&words, "\uff76\uff9e\uff77 \u30ac", "\u30ac|\u30ad|\u30ac\u30ad|\u30ac|");
    assert_terms(&words, "\u1112\u1161\u11ab\u1100\u116e\u11a8", "\ud55c\uad6d|");
    assert_terms(&words, "\uf9dc\u2f08", "\u9686|\u4eba|\u9686\u4eba|");
    assert_terms(&words, "\u1e9b\u0323", "\u1e69|"); /* composed anew across two marks */
    assert_terms(&words, "q\u0307\u0323 q\u0323\u0307", "q\u0323\u0307|q\u0323\u0307|"); /* marks in one order */
    assert_terms(&words, "\u0958", "\u0915\u093c|");  /* one that is never composed */
    assert_terms(&words, "\u00a0a\u00a8b\u3000", ""); /* blanks of all kinds: two single letters */
    assert_terms(&chars, "ｅ\u0301\u00bd", "\u00e9|1|\u2044|2|");
    assert_terms(&whitespace, "ＶＩＰ e\u0301", "ｖｉｐ|e\u0301|"); /* as Python has it */
}

/* One character of three bytes that becomes 18. */
static void words__have_room_for_what_grows(void **state) {
    (void)state;
    assert_terms(&words, "\ufdfa\ufdfa\ufdfa",
                 "\u0635\u0644\u0649|\u0627\u0644\u0644\u0647|\u0639\u0644\u064a\u0647|"
                 "\u0648\u0633\u0644\u0645\u0635\u0644\u0649|\u0627\u0644\u0644\u0647|\u0639\u0644\u064a\u0647|"
                 "\u0648\u0633\u0644\u0645\u0635\u0644\u0649|\u0627\u0644\u0644\u0647|\u0639\u0644\u064a\u0647|"
                 "\u0648\u0633\u0644\u0645|");
}

static size_t put_code(char *out, uint32_t c) {
    return (size_t)utf8proc_encode_char((utf8proc_int32_t)c, (utf8proc_uint8_t *)out);
}

/* Default_Ignorable_Code_Point, as Unicode 15 lists it. */
static bool is_ignorable(uint32_t c) {
    static const uint32_t ranges[][2] = {
        {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},  {0x180B, 0x180F},
        {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

enum { MOST = 18 }; /* characters of a text whose normal form is tested */

static utf8proc_uint8_t *map(const utf8proc_uint8_t *text, int options) {
    utf8proc_uint8_t *out;
    options |= UTF8PROC_NULLTERM | UTF8PROC_STABLE;
    assert_true(utf8proc_map(text, 0, &out, (utf8proc_option_t)(unsigned)options) >= 0);
    return out;
}

/* utf8proc's own normal form, which works on the whole, of what can be seen. */
static utf8proc_uint8_t *expected_normal(const uint32_t *code, size_t n, bool fold) {
    char seen[4 * MOST + 1];
    size_t length = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_ignorable(code[i]))
            length += put_code(seen + length, code[i]);
    seen[length] = 0;
    utf8proc_uint8_t *apart = map((const utf8proc_uint8_t *)seen, UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE);
    int how = UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE | (fold ? UTF8PROC_CASEFOLD : 0);
    utf8proc_uint8_t *expected = map(apart, how);
    free(apart);
    return expected;
}

static void assert_folded_or_not(ilk_buffer *scratch, const uint32_t *code, size_t n, bool fold) {
    char text[4 * MOST + 1];
    ilk_str got = {text, 0};
    for (size_t i = 0; i < n; i++)
        got.n += put_code(text + got.n, code[i]);
    utf8proc_uint8_t *expected = expected_normal(code, n, fold);
    assert_int_equal(ilk_text_normalize(&got, fold, scratch), ILK_OK);
    assert_int_equal(got.n, strlen((const char *)expected));
    for (size_t i = 0; i < got.n; i++) /* letters of ASCII are left to the caller */
        assert_int_equal(fold && got.p[i] >= 'A' && got.p[i] <= 'Z' ? got.p[i] | 0x20 : got.p[i], (char)expected[i]);
    free(expected);
}

static void assert_normal(ilk_buffer *scratch, const uint32_t *code, size_t n) {
    assert_folded_or_not(scratch, code, n, true);
    assert_folded_or_not(scratch, code, n, false);
}

/* Every character there is, after each of these and before each of these. */
static void normal_form__is_that_of_unicode(void **state) {
    (void)state;
    static const uint32_t beside[] = {'J',    0xC9,   0x301, 0x323, 0x345,  0x1100, 0x1161, 0xAC00,
                                      0x11A8, 0x200D, 0x9C7, 0x9BE, 0x4E2D, 0xFF76, 0xFF9E};
    ilk_buffer scratch = {0};
    for (uint32_t c = 1; c < 0xE1100; c++) {
        if (c - 0xD800 < 0x800 || (c >= 0x30000 && c < 0xE0000))
            continue;
        for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
            const uint32_t text[] = {beside[i], c, beside[(i + c) % (sizeof beside / sizeof *beside)]};
            assert_normal(&scratch, text, 3);
        }
    }
    ilk_buffer_free(&scratch);
}

/* Longer ones, of what meets in writing and of what does not. */
static void normal_form__is_that_of_unicode_in_any_mixture(void **state) {
    (void)state;
    static const uint32_t some[] = {'a',    'Z',    ' ',     0xE9,   0x130,  0x3A3,   0x301,  0x307,  0x323,
                                    0x345,  0x1100, 0x1161,  0x11A8, 0xAC00, 0xAC01,  0x9C7,  0x9BE,  0xDDA,
                                    0xDCF,  0xF73,  0x3042,  0x3099, 0x304B, 0xFF76,  0xFF9E, 0x4E2D, 0xF900,
                                    0xFF0C, 0xFDFA, 0x1F600, 0x200D, 0xFE0F, 0x1D400, 0x2126, 0x958,  0x34F,
                                    0x1160, 0x1FB3, 0x3B1,   0x3AA,  0xDF,   0x1E9E,  0xFFA0};
    ilk_buffer scratch = {0};
    uint32_t seed = 7;
    for (size_t times = 0; times < 50000; times++) {
        uint32_t text[MOST];
        for (size_t i = 0; i < times % MOST; i++) {
            seed = seed * 1664525u + 1013904223u;
            text[i] = some[(seed >> 8) % (sizeof some / sizeof *some)];
        }
        assert_normal(&scratch, text, times % MOST);
    }
    ilk_buffer_free(&scratch);
}

static ilk_status measure(void *ctx, const ilk_str *token, size_t n) {
    for (size_t i = 0; i < n; i++)
        *(size_t *)ctx += token[i].n;
    return ILK_OK;
}

/* Of a flood of accents on one letter thirty stay. They come in an order that makes sorting all of them hopeless. */
static void words__have_thirty_accents_at_most(void **state) {
    (void)state;
    static const char *const marks[] = {"\u0301", "\u0323", "\u0f73"}; /* the last comes apart into two */
    const size_t n = 300000;
    for (size_t mark = 0; mark < 3; mark++) {
        ilk_token_scratch scratch = {0};
        ilk_buffer text = {0};
        size_t length = 0;
        assert_int_equal(ilk_buffer_add(&text, "qq", 2), ILK_OK);
        for (size_t i = 0; i < n; i++) {
            const char *one = mark == 0 && i % 2 ? marks[1] : marks[mark];
            assert_int_equal(ilk_buffer_add(&text, one, strlen(one)), ILK_OK);
        }
        assert_int_equal(ilk_tokenize(&words, (ilk_str){text.p, text.n}, &scratch, measure, &length), ILK_OK);
        assert_int_equal(length, mark == 2 ? 2 + 3 * 30 : 2 + 2 * 30);
        ilk_buffer_free(&text);
        ilk_token_scratch_free(&scratch);
    }
}

static void words__in_capitals_are_the_same_words(void **state) {
    (void)state;
    assert_terms(&words, "ΟΔΟΣ οδος οδός", "οδοσ|οδοσ|οδόσ|");
    assert_terms(&words, "STRASSE stra\u00dfe STRA\u1e9eE", "strasse|strasse|strasse|");
    assert_terms(&words, "J\u030c \u01f0 \u03aa\u0301 \u0390", "\u01f0|\u01f0|\u0390|\u0390|");
    assert_terms(&words, "\u212aELVIN \u0130ki \u00c9T\u00c9", "kelvin|i\u0307ki|\u00e9t\u00e9|");
    assert_terms(&words, "\u1fb3\u0301 \u1fb4 \u0391\u0301\u0399", "\u03ac\u03b9|\u03ac\u03b9|\u03ac\u03b9|");
    assert_terms(&chars, "\u03a3\u00df", "\u03c3|s|s|");
    const ilk_tokenizer keep = {.kind = ILK_WORDS, .keep_case = true, .ngram_min = 1, .ngram_max = 1};
    assert_terms(&keep, "Hello ÄB A\u0308B Straße", "Hello|ÄB|ÄB|Straße|");
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

static void pieces__lose_nothing_but_white_space(void **state) {
    (void)state;
    const ilk_tokenizer pieces = {.kind = ILK_PIECES, .ngram_min = 1, .ngram_max = 1};
    assert_terms(&pieces, "A 3.5% Off!\tx\u00A0_1", "a|3.5|%|off|!|x|_1|");
    assert_terms(&pieces, "买iPhone4：￥100（全新）", "买|iphone4|:|\u00A5|100|(|全|新|)|");
    assert_terms(&pieces,
                 "a\x01"
                 "b\x7F"
                 "c\xC2\x85"
                 "d\xC2\x90"
                 "e\u200Bf",
                 "a|b|c|d|ef|"); /* controls part words, what is invisible does not */
    assert_terms(&pieces, "x\xFF.", "x|\uFFFD|.|");
    const ilk_tokenizer pairs = {.kind = ILK_PIECES, .keep_case = true, .ngram_min = 1, .ngram_max = 2};
    assert_terms(&pairs, "A中 文,b", "A| A|中|A 中|文|中 文|,|文 ,|b|, b|b |");
    const ilk_tokenizer only = {.kind = ILK_PIECES, .ngram_min = 2, .ngram_max = 3};
    assert_terms(&only, "a b", " a|a b| a b|b |a b |");
    assert_terms(&only, "a", " a|a | a |");
    assert_terms(&only, " \n", "");
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
static ilk_status check_terms(void *ctx, const ilk_str *token, size_t n) {
    uint64_t *sum = ctx;
    char ahead[ILK_TOKEN_READABLE];
    assert_true(n > 0 && n <= ILK_TOKENS_AT_ONCE);
    for (size_t t = 0; t < n; t++) {
        assert_true(token[t].n > 0);
        memcpy(ahead, token[t].p, sizeof ahead); /* may be read */
        for (size_t i = 0; i < token[t].n; i++)
            *sum = *sum * 31 + (unsigned char)token[t].p[i];
    }
    return ILK_OK;
}

static void tokens__are_defined_for_any_bytes(void **state) {
    (void)state;
    static const char *const pieces[] = {
        "a", "Z", "'",  "\u2019",   " ", "中", "£", "😀",      "\u0301", "\xFF",   "\xC3",   "\u200B", "Σ",
        "İ", "0", "\n", "\xF0\x9F", "Ⱥ", "カ", "ｶ", "\uff9e", "\ufdfa", "\u1100", "\u1161", "\u0958", "\u0f73"};
    const size_t n_pieces = sizeof pieces / sizeof *pieces;
    uint32_t seed = 1;
    ilk_token_scratch scratch = {0};
    for (unsigned round = 0; round < 3000; round++) {
        char text[256];
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
        static const ilk_token_kind kinds[] = {ILK_WORDS, ILK_WHITESPACE, ILK_CHARS, ILK_PIECES};
        ilk_tokenizer t = {.kind = kinds[round / 2 % 4], .keep_case = round % 2, .ngram_min = 1, .ngram_max = 3};
        uint64_t once = 0, again = 0;
        assert_int_equal(ilk_tokenize(&t, (ilk_str){exact, n}, &scratch, check_terms, &once), ILK_OK);
        assert_int_equal(ilk_tokenize(&t, (ilk_str){exact, n}, &scratch, check_terms, &again), ILK_OK);
        assert_true(once == again);
        free(exact);
    }
    ilk_token_scratch_free(&scratch);
}

static ilk_status stop_at_second(void *ctx, const ilk_str *token, size_t n) {
    (void)token;
    (void)n;
    return ++*(int *)ctx == 2 ? ILK_ESTOP : ILK_OK;
}

/* The plain loop of which looking at 64 bytes at a time is the fast form. The one letter not of ASCII is é. */
static bool plain_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool plain_letter(const char *text, size_t n, size_t i) {
    char c = text[i], lower = (char)(c | 0x20);
    bool joint = (c == '.' || c == ',') && i > 0 && plain_digit(text[i - 1]) && i + 1 < n && plain_digit(text[i + 1]);
    return joint || (lower >= 'a' && lower <= 'z') || plain_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

static void plain_words(ilk_buffer *out, const char *text, size_t n, bool fold) {
    size_t begin = out->n;
    for (size_t i = 0; i <= n; i++) {
        bool letter = i < n && plain_letter(text, n, i);
        if (letter) {
            char c = fold && text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 0x20) : text[i];
            assert_int_equal(ilk_buffer_add(out, &c, 1), ILK_OK);
            continue;
        }
        if (out->n - begin > 1)
            assert_int_equal(ilk_buffer_add(out, "|", 1), ILK_OK);
        else
            out->n = begin; /* one letter is no word */
        if (i < n && text[i] == '$')
            assert_int_equal(ilk_buffer_add(out, "$|", 2), ILK_OK);
        begin = out->n;
    }
}

/* Prose with numbers, now and then any character of ASCII or é; some of it in words longer than a window. */
static void plain_text(char *text, size_t n, uint32_t *seed, unsigned blanks) {
    for (size_t i = 0; i < n; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        uint32_t r = *seed >> 16;
        text[i] = r % blanks == 0 ? ' ' : "eTaO1nz9ZA5_.,x"[r / 7 % 15];
        if (r % 97 == 0)
            text[i] = (char)(r / 97 & 127);
        if (r % 101 == 0 && i + 1 < n) {
            memcpy(text + i, "é", 2);
            i++;
        }
    }
}

static void words__of_ascii_are_those_of_a_plain_loop(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (size_t n = 0; n <= 300; n++) {
        for (unsigned times = 0; times < 60; times++) {
            char *text = malloc(n + (n == 0)); /* so that a read beyond the end is seen */
            ilk_tokenizer t = words;
            ilk_token_scratch scratch = {0};
            ilk_buffer expected = {0}, got = {0};
            assert_non_null(text);
            t.keep_case = times % 2;
            plain_text(text, n, &seed, times % 10 == 0 ? 100 : 6);
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
    char text[3 * 5 * ILK_TOKENS_AT_ONCE];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 3 ? 'a' : ' ';
    assert_int_equal(ilk_tokenize(&words, (ilk_str){text, sizeof text}, &scratch, stop_at_second, &seen), ILK_ESTOP);
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
        cmocka_unit_test(words__of_addresses_are_their_parts),
        cmocka_unit_test(words__of_cjk_are_characters_and_adjacent_pairs),
        cmocka_unit_test(words__keep_currency_signs_and_emoji),
        cmocka_unit_test(words__ignore_what_cannot_be_seen),
        cmocka_unit_test(words__are_in_normal_form),
        cmocka_unit_test(words__have_room_for_what_grows),
        cmocka_unit_test(normal_form__is_that_of_unicode),
        cmocka_unit_test(normal_form__is_that_of_unicode_in_any_mixture),
        cmocka_unit_test(words__have_thirty_accents_at_most),
        cmocka_unit_test(words__in_capitals_are_the_same_words),
        cmocka_unit_test(words__join_to_ngrams_but_not_across_cjk),
        cmocka_unit_test(pieces__lose_nothing_but_white_space),
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
