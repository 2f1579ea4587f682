/* SPDX-License-Identifier: Apache-2.0 */
/* tokens.c - words, n-grams and pairs of characters.
 *
 * Tokens are written one after the other into `folded` with one blank between them, so that an n-gram is a slice of
 * what is already there and nothing is put together twice. Invariant: the room for everything is reserved before the
 * first byte is written; no input byte yields more than four. Words of ASCII are found by 64 bytes at a time; where
 * terms are single words these are folded at once, gaps included, and otherwise word by word.
 *
 *   words       runs of letters, digits, underscores and accents; a point or comma between two digits is one of the
 *               number. A single letter or digit of ASCII is no word: "s" and "t", of which an apostrophe makes many,
 *               say little and come often. Currency signs, emoji and arrows are words. A run of Chinese or Japanese characters
 *               yields each character and each adjacent pair, the usual substitute for a dictionary; n-grams do not
 *               reach into or across it. Invisible characters are dropped.
 *   pieces      nothing is lost but white space, controls and invisible characters: runs of letters and digits,
 *               CJK characters and all other marks are tokens each, and n-grams reach across all of them. The text's
 *               begin and end are empty tokens, no terms but parts of n-grams: " once" and "after " stand at the edges.
 *   whitespace  what Python's text.lower().split() gives.
 *   chars       every character that is not white space.
 *
 * Text for words, pieces and chars is brought to NFKC first and folded, but for ASCII, which is folded on the way.
 */
#include "text/tokens.h"
#include "text/characters.h"
#include "text/nfkc.h"

#include <endian.h>
#include <string.h>

enum { RING = 8 }; /* the longest n-gram */
_Static_assert((RING & (RING - 1)) == 0, "places in the ring are taken modulo a power of two");

typedef struct writer {
    const char *begin, *end; /* the text */
    char *base, *out;        /* what is written: all of it, and its end */
    char *token;             /* where the token being written begins */
    char *cjk;               /* the last character of a CJK run, or NULL outside one */
    size_t start[RING];      /* where the last tokens began, token i at i % RING */
    size_t run;              /* tokens since the start or the last CJK run */
    uint32_t least, most;    /* words per term */
    bool fold;               /* letters of ASCII */
    bool lower;              /* all others, which no normal form has folded */
    bool pieces;
    ilk_token_fn fn;
    void *ctx;
    size_t terms; /* not passed on yet */
    ilk_str term[ILK_TOKENS_AT_ONCE];
} writer;

void ilk_token_scratch_free(ilk_token_scratch *scratch) {
    ilk_buffer_free(&scratch->folded);
    ilk_buffer_free(&scratch->normal);
}

static ilk_status pass_on(writer *w) {
    size_t n = w->terms;
    w->terms = 0;
    return n ? w->fn(w->ctx, w->term, n) : ILK_OK;
}

static inline ilk_status emit(writer *w, const char *from) {
    w->term[w->terms++] = (ilk_str){from, (size_t)(w->out - from)};
    return w->terms < ILK_TOKENS_AT_ONCE ? ILK_OK : pass_on(w);
}

/* The token is complete: pass on the terms that end with it. */
static ilk_status end_ngrams(writer *w) {
    w->start[w->run++ % RING] = (size_t)(w->token - w->base);
    for (uint32_t n = w->least; n <= w->most && n <= w->run; n++)
        ILK_TRY(emit(w, w->base + w->start[(w->run - n) % RING]));
    return ILK_OK;
}

static inline ilk_status end_token(writer *w) {
    if (w->out == w->token)
        return ILK_OK;
    ILK_TRY(w->most == 1 ? emit(w, w->token) : end_ngrams(w));
    *w->out++ = ' ';
    w->token = w->out;
    return ILK_OK;
}

static void put(writer *w, uint32_t c) {
    w->out = ilk_char_put(w->out, c);
}

static char fold_ascii(const writer *w, char c) {
    return w->fold && (unsigned char)(c - 'A') < 26 ? (char)(c | 0x20) : c;
}

/* ---- words */

static bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

static bool is_ascii_word(char c) {
    return (unsigned char)((c | 0x20) - 'a') < 26 || is_digit(c) || c == '_';
}

/* Sixteen bytes: gcc and clang make the processor's vectors of them, or of the two halves. */
typedef unsigned char sixteen __attribute__((vector_size(16)));
#ifdef __SSE2__
typedef char vector_of_char __attribute__((vector_size(16)));
#endif

static inline sixteen load(const char *p) {
    sixteen bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

static inline sixteen letters(sixteen bytes) {
    return (sixteen)((bytes | 0x20) - 'a' < 26);
}

/* A bit for each byte that is set, the first byte's the lowest. */
static inline uint64_t bits_of(sixteen set) {
#ifdef __SSE2__
    return (uint64_t)(unsigned)__builtin_ia32_pmovmskb128((vector_of_char)set);
#else
    uint64_t half[2];
    memcpy(half, &set, sizeof half);
    for (size_t i = 0; i < 2; i++) /* moves the top bit of each byte into the highest byte */
        half[i] = ((le64toh(half[i]) & UINT64_C(0x8080808080808080)) >> 7) * UINT64_C(0x0102040810204080) >> 56;
    return half[0] | half[1] << 8;
#endif
}

/* `n` bytes of letters, digits and underscores, sixteen at a time: what follows them is written, too, and written over.
 */
static inline void copy_folded(char *out, const char *in, size_t n, unsigned char bit) {
    for (size_t i = 0; i < n; i += 16) {
        sixteen bytes = load(in + i);
        bytes |= letters(bytes) & bit;
        memcpy(out + i, &bytes, sizeof bytes);
    }
}

/* What ends a word in ASCII: all but its letters and the one currency sign. */
static bool is_ascii_gap(char c) {
    return (unsigned char)c < 0x80 && c != '$';
}

/* A point or comma at p that divides a number's digits? */
static bool is_joint(const writer *w, const char *p) {
    return (*p == '.' || *p == ',') && w->out > w->token && is_digit(w->out[-1]) && p + 1 < w->end && is_digit(p[1]);
}

static ilk_status end_word(writer *w) {
    if (w->out - w->token == 1 && is_ascii_word(*w->token) && !w->pieces)
        w->out = w->token;
    return end_token(w);
}

static void end_cjk(writer *w) {
    if (w->cjk) {
        w->cjk = NULL;
        w->token = w->out;
        w->run = 0;
    }
}

/* Pairs reach back to the character before, which stands right before this one: no blank is written in a run. */
static ilk_status put_cjk(writer *w, uint32_t c) {
    ILK_TRY(end_word(w));
    char *before = w->cjk;
    w->cjk = w->out;
    put(w, c);
    if (w->least <= 1)
        ILK_TRY(emit(w, w->cjk));
    if (before && w->least <= 2)
        ILK_TRY(emit(w, before));
    w->token = w->out;
    return ILK_OK;
}

/* "£" tells spam from ham better than most words do. */
static ilk_status put_sign(writer *w, uint32_t c) {
    ILK_TRY(end_word(w));
    end_cjk(w);
    put(w, c);
    return end_token(w);
}

static ilk_status put_flag(writer *w, uint32_t c, const char **p) {
    const char *next = *p;
    uint32_t second = next < w->end ? ilk_char_next(&next, w->end) : 0;
    ILK_TRY(end_word(w));
    end_cjk(w);
    put(w, c);
    if (ilk_char_kind_of(second) == ILK_CHAR_FLAG) {
        put(w, second);
        *p = next;
    }
    return end_token(w);
}

/* # and * were gaps, of which nothing is left in words but what stands in the text; pieces have them. */
static ilk_status put_keycap(writer *w, uint32_t c, const char *at) {
    if (at > w->begin && (at[-1] == '#' || at[-1] == '*') && !w->pieces)
        *w->out++ = at[-1];
    if (w->out > w->token)
        put(w, c);
    return end_word(w);
}

static bool is_control(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

static ilk_status put_gap(writer *w, uint32_t c) {
    if (w->pieces && !is_control(c) && !ilk_char_is_space(c))
        return put_sign(w, c);
    ILK_TRY(end_word(w));
    end_cjk(w);
    return ILK_OK;
}

/* The character at *p, and what it forms a sign with. */
static ilk_status put_character(writer *w, const char **p) {
    const char *at = *p;
    uint32_t c = ilk_char_next(p, w->end);
    switch (ilk_char_kind_of(c)) {
    case ILK_CHAR_WORD:
        end_cjk(w);
        put(w, c);
        return ILK_OK;
    case ILK_CHAR_MARK:
        if (w->out > w->token)
            put(w, c);
        return ILK_OK;
    case ILK_CHAR_CJK:
        return w->pieces ? put_sign(w, c) : put_cjk(w, c);
    case ILK_CHAR_SIGN:
        return put_sign(w, c);
    case ILK_CHAR_FLAG:
        return put_flag(w, c, p);
    case ILK_CHAR_KEYCAP:
        return put_keycap(w, c, at);
    case ILK_CHAR_NOTHING:
        return ILK_OK;
    case ILK_CHAR_GAP:
        break;
    }
    return put_gap(w, c);
}

/* What a character of ASCII is, for 64 of them: a bit each. */
enum { WINDOW = 64 };
typedef struct window {
    uint64_t word;  /* letters, digits, underscores, and the joints of numbers */
    uint64_t other; /* not of ASCII, or a word of its own */
} window;

static inline window look(const char *p) {
    window w = {0};
    uint64_t digit = 0, joint = 0;
    for (unsigned i = 0; i < WINDOW; i += 16) {
        sixteen bytes = load(p + i), digits = (sixteen)(bytes - '0' < 10);
        w.word |= bits_of(letters(bytes) | digits | (sixteen)(bytes == '_')) << i;
        w.other |= bits_of((sixteen)(bytes >= 0x80) | (sixteen)(bytes == '$')) << i;
        joint |= bits_of((sixteen)(bytes == '.') | (sixteen)(bytes == ',')) << i;
        digit |= bits_of(digits) << i;
    }
    w.word |= joint & (digit << 1) & (digit >> 1);
    return w;
}

/* Words of ASCII as bits: their first letters, and what stands behind their last ones. The two are gone through side by
 * side, and neither waits for the other. */
typedef struct word_bits {
    uint64_t first, behind;
} word_bits;

static inline size_t next_word(word_bits *b, size_t *n) {
    size_t at = (size_t)__builtin_ctzll(b->first);
    *n = (size_t)__builtin_ctzll(b->behind) - at;
    b->first &= b->first - 1;
    b->behind &= b->behind - 1;
    return at;
}

/* A window is folded as a whole, and its words stay where they are in it. */
static inline ilk_status single_words(writer *w, const char *p, word_bits *b) {
    size_t terms = w->terms, n;
    copy_folded(w->out, p, WINDOW, w->fold ? 0x20 : 0);
    while (b->behind) {
        size_t at = next_word(b, &n);
        w->term[terms++] = (ilk_str){w->out + at, n};
        if (terms < ILK_TOKENS_AT_ONCE)
            continue;
        w->terms = terms;
        ILK_TRY(pass_on(w));
        terms = 0;
    }
    w->terms = terms;
    return ILK_OK;
}

static ilk_status joined_words(writer *w, const char *p, word_bits *b) {
    size_t n;
    while (b->behind) {
        size_t at = next_word(b, &n);
        copy_folded(w->out, p + at, n, w->fold ? 0x20 : 0);
        w->out += n;
        ILK_TRY(end_token(w));
    }
    return ILK_OK;
}

/* The words of ASCII in a window at p, as far as they end before `end`. Sets *done behind them: to a word that reaches
 * the end, or to the end. */
static inline ilk_status window_words(writer *w, const char *p, uint64_t word, size_t end, size_t *done) {
    const bool single = w->most == 1;
    word_bits b = {word & ~(word << 1), ~word & (word << 1) & ((UINT64_C(1) << end) - 1)};
    uint64_t alone = b.first & (b.behind >> 1);
    b.first ^= alone;
    b.behind ^= alone << 1;
    ILK_TRY(single ? single_words(w, p, &b) : joined_words(w, p, &b));
    *done = b.first && (size_t)__builtin_ctzll(b.first) < end ? (size_t)__builtin_ctzll(b.first) : end;
    w->out += single ? *done : 0;
    w->token = w->out;
    return ILK_OK;
}

/* The words of ASCII from *at on, window by window; a window's last byte only tells whether a joint is one. Sets `at`
 * behind them: to a word that is longer than a window, or to what words of ASCII do not know. */
static ilk_status ascii_words(writer *w, const char **at) {
    enum { AHEAD = WINDOW + 16 };
    char rest[AHEAD];
    for (;;) {
        const char *p = *at;
        size_t left = (size_t)(w->end - p);
        if (left < AHEAD) {
            memset(rest, ' ', sizeof rest);
            memcpy(rest, p, left);
            p = rest;
        }
        window here = look(p);
        size_t end = WINDOW - 1, done;
        if (here.other)
            end = (size_t)__builtin_ctzll(here.other) < end ? (size_t)__builtin_ctzll(here.other) : end;
        ILK_TRY(window_words(w, p, here.word & (UINT64_MAX >> 1), end, &done));
        *at += done < left ? done : left;
        if (*at == w->end || here.other || done == 0)
            return ILK_OK;
    }
}

/* Whatever a text may hold, character by character, until a gap of ASCII has been passed. */
static ilk_status any_words(writer *w, const char **at) {
    const char *p = *at;
    bool gap = false;
    while (p < w->end && !gap) {
        if (is_ascii_word(*p)) {
            end_cjk(w);
            *w->out++ = fold_ascii(w, *p++);
        } else if (is_joint(w, p)) {
            *w->out++ = *p++;
        } else if (is_ascii_gap(*p)) {
            gap = !w->pieces;
            ILK_TRY(put_gap(w, (unsigned char)*p++));
        } else {
            ILK_TRY(put_character(w, &p));
        }
    }
    *at = p;
    return p < w->end ? ILK_OK : end_word(w);
}

static ilk_status words(writer *w) {
    for (const char *p = w->begin; p < w->end;) {
        ILK_TRY(ascii_words(w, &p));
        ILK_TRY(any_words(w, &p));
    }
    return ILK_OK;
}

static ilk_status pieces(writer *w) {
    const char *p = w->begin;
    if (w->most > 1) {
        w->start[w->run++] = 0;
        *w->out++ = ' ';
        w->token = w->out;
    }
    ILK_TRY(any_words(w, &p));
    if (w->run <= 1)
        return ILK_OK; /* there was nothing */
    w->least = w->least > 2 ? w->least : 2;
    return end_ngrams(w);
}

/* ---- whitespace and chars */

/* Copy the next character folded, or return false if it is white space. */
static bool copy_character(writer *w, const char **p) {
    const char *at = *p;
    if ((unsigned char)*at < 0x80) {
        ++*p;
        if (ilk_char_is_space((unsigned char)*at))
            return false;
        *w->out++ = fold_ascii(w, *at);
        return true;
    }
    uint32_t c = ilk_char_next(p, w->end);
    if (ilk_char_is_space(c))
        return false;
    w->out = w->lower ? ilk_char_put_lower(w->out, c, at, w->begin, w->end) : ilk_char_put(w->out, c);
    return true;
}

static ilk_status whitespace(writer *w) {
    for (const char *p = w->begin; p < w->end;)
        if (!copy_character(w, &p))
            ILK_TRY(end_token(w));
    return end_token(w);
}

static ilk_status chars(writer *w) {
    for (const char *p = w->begin; p < w->end;)
        if (copy_character(w, &p))
            ILK_TRY(end_token(w));
    return ILK_OK;
}

static ilk_status split(writer *w, ilk_token_kind kind) {
    switch (kind) {
    case ILK_WHITESPACE:
    case ILK_COUNTS: /* without their counts, which are the caller's to read */
        return whitespace(w);
    case ILK_CHARS:
        return chars(w);
    case ILK_PIECES:
        return pieces(w);
    case ILK_WORDS:
        break;
    }
    return words(w);
}

ilk_status ilk_tokenize(const ilk_tokenizer *tokenizer, ilk_str text, ilk_token_scratch *scratch, ilk_token_fn fn,
                        void *ctx) {
    ilk_buffer *folded = &scratch->folded;
    const bool normal = tokenizer->kind != ILK_WHITESPACE && tokenizer->kind != ILK_COUNTS;
    folded->n = 0;
    if (normal)
        ILK_TRY(ilk_text_normalize(&text, !tokenizer->keep_case, &scratch->normal));
    if (text.n == 0)
        return ILK_OK;
    if (text.n > SIZE_MAX / 8)
        return ILK_ENOMEM;
    ILK_TRY(ilk_buffer_reserve(folded, 4 * text.n + 2 * WINDOW + ILK_TOKEN_READABLE));
    writer w; /* not by an initialiser, which would clear the terms, too */
    w.begin = text.p;
    w.end = text.p + text.n;
    w.base = w.out = w.token = folded->p;
    w.cjk = NULL;
    w.run = w.terms = 0;
    w.least = tokenizer->ngram_min;
    w.most = tokenizer->ngram_max;
    w.fold = !tokenizer->keep_case;
    w.lower = w.fold && !normal;
    w.pieces = tokenizer->kind == ILK_PIECES;
    w.fn = fn;
    w.ctx = ctx;
    ILK_TRY(split(&w, tokenizer->kind));
    return pass_on(&w);
}

size_t ilk_words_estimate(ilk_str text) {
    size_t runs = 0, cjk = 0;
    bool blank = true;
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool space = c <= ' ';
        runs += blank && !space;
        blank = space;
        cjk += c >= 0xE3 && c <= 0xE9; /* lead bytes of U+3000 to U+9FFF */
    }
    return runs + cjk / 2;
}
