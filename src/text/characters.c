/* SPDX-License-Identifier: Apache-2.0 */
/* characters.c - what utf8proc knows of a character, in a tokenizer's terms.
 *
 * Categories and case come from utf8proc (Unicode 15 as of version 2.8). The common ranges are decided before asking
 * it, because a look-up in its tables costs more than decoding.
 */
#include "text/characters.h"

#include <utf8proc.h>

uint32_t ilk_char_next(const char **p, const char *end) {
    utf8proc_int32_t c;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)*p, end - *p, &c);
    if (n <= 0) {
        ++*p;
        return ILK_CHAR_INVALID;
    }
    *p += n;
    return (uint32_t)c;
}

char *ilk_char_put(char *out, uint32_t c) {
    return out + utf8proc_encode_char((utf8proc_int32_t)c, (utf8proc_uint8_t *)out);
}

bool ilk_char_is_space(uint32_t c) {
    if (c < 0x80)
        return ilk_char_between(c, 9, 13) || ilk_char_between(c, 28, 32);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || ilk_char_between(c, 0x2000, 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

/* Letters of the scripts that put no blanks between words. Hangul does, so it is not among them. */
static bool is_cjk(uint32_t c) {
    if (ilk_char_between(c, 0x4E00, 0x9FFF))
        return true;
    if (c < 0x2E80 || ilk_char_between(c, 0xA000, 0xF8FF))
        return false;
    return ilk_char_between(c, 0x2E80, 0x2FDF) || c == 0x3005 || c == 0x3007 || ilk_char_between(c, 0x3021, 0x3029) ||
           ilk_char_between(c, 0x3041, 0x3096) || ilk_char_between(c, 0x309D, 0x309F) ||
           ilk_char_between(c, 0x30A1, 0x30FA) || ilk_char_between(c, 0x30FC, 0x30FF) ||
           ilk_char_between(c, 0x3105, 0x312F) || ilk_char_between(c, 0x31A0, 0x31BF) ||
           ilk_char_between(c, 0x31F0, 0x31FF) || ilk_char_between(c, 0x3400, 0x4DBF) ||
           ilk_char_between(c, 0xF900, 0xFAFF) || ilk_char_between(c, 0xFF66, 0xFF9F) ||
           ilk_char_between(c, 0x1AFF0, 0x1B16F) || ilk_char_between(c, 0x20000, 0x3FFFD);
}

static ilk_char_kind kind_by_category(uint32_t c) {
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return ILK_CHAR_WORD;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return ILK_CHAR_MARK;
    case UTF8PROC_CATEGORY_SC:
    case UTF8PROC_CATEGORY_SO:
        return ILK_CHAR_SIGN;
    case UTF8PROC_CATEGORY_SM: /* from the arrows on; those before are read as ASCII's + and / are */
        return c >= 0x2190 ? ILK_CHAR_SIGN : ILK_CHAR_GAP;
    case UTF8PROC_CATEGORY_CF:
        return ILK_CHAR_NOTHING;
    default:
        return c == 0x3030 ? ILK_CHAR_SIGN : ILK_CHAR_GAP; /* the one emoji among the dashes */
    }
}

/* The colour of a skin says how to draw the character before, not what it is. */
static bool is_skin_colour(uint32_t c) {
    return ilk_char_between(c, 0x1F3FB, 0x1F3FF);
}

ilk_char_kind ilk_char_kind_of(uint32_t c) {
    if (is_cjk(c))
        return ILK_CHAR_CJK;
    if (c == ILK_CHAR_INVALID || c == 0xFFFC) /* placeholders, though Unicode files them with the symbols */
        return ILK_CHAR_GAP;
    if (ilk_char_between(c, 0x1F1E6, 0x1F1FF))
        return ILK_CHAR_FLAG;
    if (c == 0x20E3)
        return ILK_CHAR_KEYCAP;
    return is_skin_colour(c) ? ILK_CHAR_NOTHING : kind_by_category(c);
}

/* ---- the Greek sigma: Unicode's Final_Sigma, by categories */

static bool is_cased(uint32_t c) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL || category == UTF8PROC_CATEGORY_LT;
}

static bool is_case_ignorable(uint32_t c) {
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return true;
    default:
        return c == '\'' || c == '.' || c == ':' || c == 0xB7 || c == 0x387 || c == 0x2018 || c == 0x2019 ||
               c == 0x2024 || c == 0x2027;
    }
}

/* Both look past what does not count. From one sigma to the next no character is looked at twice each way: linear. */
static bool cased_after(const char *p, const char *end) {
    while (p < end) {
        uint32_t c = ilk_char_next(&p, end);
        if (!is_case_ignorable(c))
            return is_cased(c);
    }
    return false;
}

static bool cased_before(const char *begin, const char *p) {
    while (p > begin) {
        const char *end = p--;
        while (p > begin && end - p < 4 && ((unsigned char)*p & 0xC0) == 0x80)
            p--;
        const char *q = p;
        uint32_t c = ilk_char_next(&q, end);
        if (!is_case_ignorable(c))
            return is_cased(c);
    }
    return false;
}

char *ilk_char_put_lower(char *out, uint32_t c, const char *at, const char *begin, const char *end) {
    if (c == 0x130) /* the one character whose lower case is two: i and a dot above */
        return ilk_char_put(ilk_char_put(out, 'i'), 0x307);
    if (c == 0x3A3 && cased_before(begin, at) && !cased_after(at + 2, end))
        return ilk_char_put(out, 0x3C2);
    return ilk_char_put(out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)c));
}
