/* SPDX-License-Identifier: Apache-2.0 */
/* characters.h - one character at a time: decoding, what it is to a tokenizer, its lower case. */
#ifndef ILK_TEXT_CHARACTERS_H
#define ILK_TEXT_CHARACTERS_H

#include "core/error.h"

#define ILK_CHAR_INVALID 0xFFFDu

static inline bool ilk_char_between(uint32_t c, uint32_t first, uint32_t last) {
    return c - first <= last - first;
}

/* What a character does to the word it meets. */
typedef enum ilk_char_kind {
    ILK_CHAR_GAP,    /* ends a word: blanks, punctuation, arithmetic */
    ILK_CHAR_WORD,   /* a letter or digit */
    ILK_CHAR_MARK,   /* an accent: goes on with a word, cannot begin one */
    ILK_CHAR_CJK,    /* written without blanks: Han, kana, bopomofo */
    ILK_CHAR_SIGN,   /* a word of its own: a currency sign, an emoji, an arrow */
    ILK_CHAR_FLAG,   /* half a flag: two are a word */
    ILK_CHAR_KEYCAP, /* makes a sign of the digit, # or * before */
    ILK_CHAR_NOTHING /* invisible: as if it were not there */
} ilk_char_kind;

/* The character at *p < end, and *p after it. A byte that begins no valid UTF-8 sequence is ILK_CHAR_INVALID. */
uint32_t ilk_char_next(const char **p, const char *end);

/* Write c as UTF-8 (at most 4 bytes), return the place after it. */
char *ilk_char_put(char *out, uint32_t c);

ilk_char_kind ilk_char_kind_of(uint32_t c);

/* White space as Python's str.split() has it. */
bool ilk_char_is_space(uint32_t c);

/* Write the lower case of the character c that stands at `at` in [begin, end), as Python's str.lower() has it: the only
 * one to depend on its neighbours is the Greek sigma, which has another form at the end of a word. At most 4 bytes. */
char *ilk_char_put_lower(char *out, uint32_t c, const char *at, const char *begin, const char *end);

#endif
