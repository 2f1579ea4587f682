/* SPDX-License-Identifier: Apache-2.0 */
/* word_list.c - stop words and dictionaries from files.
 *
 * A line goes through the tokenizer of its column, so that what is listed is what will be met: folded, in normal form.
 * It must be one term as a whole. Of the terms it makes, that is the one that reaches from its first word to its last.
 */
#include "data/word_list.h"
#include "core/file.h"
#include "text/encoding.h"
#include "text/tokens.h"

#include <string.h>

/* The terms of a line. */
typedef struct line_terms {
    const char *end; /* of the last */
    ilk_str first;   /* the longest of those that begin where the line does; n = 0: there is no term */
} line_terms;

/* A list has terms of anywhere in a text, not those of its edges. */
static bool is_at_edge(ilk_str term) {
    return term.p[0] == ' ' || term.p[term.n - 1] == ' ';
}

static ilk_status add_terms(void *ctx, const ilk_str *term, size_t n) {
    line_terms *t = ctx;
    for (size_t i = 0; i < n; i++) {
        if (is_at_edge(term[i]))
            continue;
        t->end = term[i].p + term[i].n;
        if (t->first.n == 0 || (term[i].p == t->first.p && term[i].n > t->first.n))
            t->first = term[i];
    }
    return ILK_OK;
}

static bool is_one_term(const line_terms *t) {
    return t->first.n > 0 && t->first.p + t->first.n == t->end;
}

/* A file being read. */
typedef struct word_file {
    const char *path;
    ilk_word_rule rule;
    size_t line, lines; /* the number of the last, and how many were not blank */
    ilk_token_scratch scratch;
} word_file;

static ilk_status refuse(const word_file *f, ilk_str line, const char *why, ilk_error *err) {
    return ilk_fail(err, ILK_EDATA, "%s:%zu: '%.*s' %s", f->path, f->line, ILK_SHOW(line), why);
}

/* A stop list may name what is no word anyway, such as single letters; a dictionary may not. */
static ilk_status add_line(ilk_schema *schema, size_t j, const ilk_tokenizer *tokenizer, word_file *f, ilk_str line,
                           ilk_error *err) {
    line_terms terms = {0};
    ilk_tokenizer as_met = *tokenizer;
    as_met.keep_case = as_met.keep_case || as_met.kind == ILK_COUNTS; /* whose words are taken as they are */
    if (ilk_tokenize(&as_met, line, &f->scratch, add_terms, &terms) != ILK_OK)
        return ilk_fail_memory(err);
    if (terms.first.n == 0 && f->rule == ILK_WORD_STOPPED)
        return ILK_OK;
    if (terms.first.n == 0)
        return refuse(f, line, "makes no term (--tokens, --ngrams)", err);
    if (!is_one_term(&terms))
        return refuse(f, line, "is several words (--ngrams)", err);
    ilk_status status = ilk_schema_add_word(schema, j, f->rule, terms.first, err);
    return status == ILK_EARG ? refuse(f, line, "is both in the dictionary and among the stop words", err) : status;
}

static size_t words_of_all(const ilk_schema *schema, ilk_word_rule rule) {
    size_t n = 0;
    for (size_t j = 0; j < ilk_schema_width(schema, ILK_TEXT); j++)
        n += ilk_schema_words(schema, j, rule);
    return n;
}

/* Into the lists of all text features. */
static ilk_status add_everywhere(ilk_schema *schema, word_file *f, ilk_str line, ilk_error *err) {
    size_t text = 0, beyond = 0;
    bool cut;
    if (ilk_utf8_prefix(line.p, line.n, &beyond, &cut) < line.n || memchr(line.p, '\0', line.n))
        return refuse(f, line, "is not UTF-8 text", err);
    for (size_t i = 0; i < ilk_schema_columns(schema); i++) {
        const ilk_column *c = ilk_schema_column(schema, i);
        if (c->role == ILK_FEATURE && c->kind == ILK_TEXT)
            ILK_TRY(add_line(schema, text++, &c->tokenizer, f, line, err));
    }
    return ILK_OK;
}

static ilk_str trim(ilk_str s) {
    while (s.n > 0 && memchr(" \t\r", s.p[0], 3))
        s.p++, s.n--;
    while (s.n > 0 && memchr(" \t\r", s.p[s.n - 1], 3))
        s.n--;
    return s;
}

static ilk_status add_lines(ilk_schema *schema, word_file *f, ilk_str text, ilk_error *err) {
    if (text.n >= 3 && memcmp(text.p, "\xEF\xBB\xBF", 3) == 0)
        text = (ilk_str){text.p + 3, text.n - 3};
    while (text.n > 0) {
        const char *newline = memchr(text.p, '\n', text.n);
        size_t n = newline ? (size_t)(newline - text.p) : text.n;
        ilk_str line = trim((ilk_str){text.p, n});
        f->line++;
        f->lines += line.n > 0;
        if (line.n > 0)
            ILK_TRY(add_everywhere(schema, f, line, err));
        n += newline != NULL;
        text = (ilk_str){text.p + n, text.n - n};
    }
    return ILK_OK;
}

ilk_status ilk_word_list_read(ilk_schema *schema, ilk_word_rule rule, const char *path, ilk_error *err) {
    word_file f = {.path = path, .rule = rule};
    ilk_mapping bytes;
    if (ilk_schema_width(schema, ILK_TEXT) == 0)
        return ilk_fail(err, ILK_EARG, "%s: a list of words, but there is no text column", path);
    ILK_TRY(ilk_file_map(&bytes, path, err));
    ilk_status status = add_lines(schema, &f, (ilk_str){(const char *)bytes.p, bytes.n}, err);
    if (status == ILK_OK && rule == ILK_WORD_LISTED && words_of_all(schema, rule) == 0)
        status = ilk_fail(err, ILK_EDATA, "%s: a dictionary without words", path);
    if (status == ILK_OK && f.lines > 0 && words_of_all(schema, rule) == 0)
        status = ilk_fail(err, ILK_EDATA, "%s: no line makes a term, so nothing is stopped (--tokens, --ngrams)", path);
    ilk_file_unmap(&bytes);
    ilk_token_scratch_free(&f.scratch);
    return status;
}
