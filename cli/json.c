/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - a writer, not a tree: what is written is forgotten. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "options.h"
#include "width.h"

json json_begin(sink *out) {
    return (json){.out = out};
}

static void character(sink *out, ilk_str bytes, uint32_t c) {
    if (c == '"' || c == '\\')
        sink_format(out, "\\%c", (char)c);
    else if (c == UTF8_INVALID)
        sink_string(out, "\\ufffd");
    else if (c < 0x20 || c == 0x7f)
        sink_format(out, "\\u%04x", c);
    else
        sink_bytes(out, bytes.p, bytes.n);
}

static void quoted(sink *out, ilk_str string) {
    sink_bytes(out, "\"", 1);
    for (size_t i = 0; i < string.n;) {
        ilk_str rest = {string.p + i, string.n - i};
        uint32_t c;
        rest.n = utf8_next(rest, &c);
        character(out, rest, c);
        i += rest.n;
    }
    sink_bytes(out, "\"", 1);
}

/* What stands before a value: a comma and the key. */
static void before(json *j, const char *key) {
    if (j->comma)
        sink_bytes(j->out, ",", 1);
    if (key)
        sink_format(j->out, "\"%s\":", key);
    j->comma = true;
}

static void open(json *j, const char *key, const char *brackets) {
    before(j, key);
    if (j->lines && brackets[0] == '{' && j->depth > 0 && j->close[j->depth - 1] == ']')
        sink_bytes(j->out, "\n", 1);
    sink_bytes(j->out, brackets, 1);
    j->close[j->depth++] = brackets[1];
    j->comma = false;
}

void json_object(json *j, const char *key) {
    open(j, key, "{}");
}

void json_array(json *j, const char *key) {
    open(j, key, "[]");
}

void json_end(json *j) {
    sink_bytes(j->out, &j->close[--j->depth], 1);
    j->comma = j->depth > 0;
    if (j->depth == 0)
        sink_bytes(j->out, "\n", 1);
}

void json_string(json *j, const char *key, ilk_str value) {
    before(j, key);
    quoted(j->out, value);
}

void json_text(json *j, const char *key, ilk_str value) {
    if (value.n > 0)
        json_string(j, key, value);
    else
        json_word(j, key, NULL);
}

void json_word(json *j, const char *key, const char *value) {
    before(j, key);
    if (value)
        quoted(j->out, (ilk_str){value, strlen(value)});
    else
        sink_string(j->out, "null");
}

void json_number(json *j, const char *key, double value) {
    before(j, key);
    if (isfinite(value))
        sink_number(j->out, value);
    else
        sink_string(j->out, "null");
}

void json_count(json *j, const char *key, uint64_t value) {
    before(j, key);
    sink_format(j->out, "%" PRIu64, value);
}

void json_blank(json *j, const char *key) {
    before(j, key);
}

void json_key(json *j, ilk_str key) {
    before(j, NULL);
    quoted(j->out, key);
    sink_bytes(j->out, ":", 1);
    j->comma = false;
}

void json_transform(json *j, const ilk_transform *t) {
    static const char *const kinds[] = {NULL, "bins", "boxcox", "yeo-johnson"};
    if (t->kind == ILK_AS_IS) {
        json_word(j, "transform", NULL);
        return;
    }
    json_object(j, "transform");
    json_word(j, "kind", kinds[t->kind]);
    if (t->kind == ILK_BINS) {
        json_array(j, "edges");
        for (size_t i = 0; i < t->edges; i++)
            json_number(j, NULL, t->edge[i]);
        json_end(j);
    } else {
        json_number(j, "lambda", t->lambda);
    }
    json_end(j);
}

void json_tokens(json *j, const ilk_schema *schema, size_t text) {
    static const char *const weights[] = {
        [ILK_TERM_COUNT] = "count", [ILK_TERM_BINARY] = "binary", [ILK_TERM_LOG] = "log"};
    const ilk_tokenizer *t = NULL;
    for (size_t c = 0, seen = 0; seen <= text; c++) {
        const ilk_column *column = ilk_schema_column(schema, c);
        t = &column->tokenizer;
        seen += column->role == ILK_FEATURE && column->kind == ILK_TEXT;
    }
    json_object(j, "tokens");
    json_word(j, "kind", cli_choice_name("tokens", t->kind));
    json_count(j, "keep_case", t->keep_case);
    json_count(j, "ngram_min", t->ngram_min);
    json_count(j, "ngram_max", t->ngram_max);
    json_word(j, "weight", weights[t->weight]);
    json_count(j, "unit_length", t->unit_length);
    json_count(j, "stop_words", ilk_schema_words(schema, text, ILK_WORD_STOPPED));
    json_count(j, "dictionary", ilk_schema_words(schema, text, ILK_WORD_LISTED));
    json_end(j);
}
