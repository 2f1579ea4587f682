/* SPDX-License-Identifier: Apache-2.0 */
/* arff.c - ARFF: attributes with their types, then rows of values, dense or sparse.
 *
 * Everything is line by line: no value and no declaration goes over a line's end. Values are divided by commas or
 * blanks; a value in quotes, single or double, may hold both, with a backslash before what would end it. A question
 * mark without quotes is no value; it becomes the empty field. In a sparse row what is not listed is 0, or the first
 * value declared.
 */
#include "data/records.h"
#include "data/source.h"

#include <string.h>
#include <strings.h>

/* A line being read. */
typedef struct cursor {
    const char *at, *end;
} cursor;

typedef struct value {
    ilk_str text;
    bool quoted, escaped; /* escaped: backslashes in it are still to be resolved */
} value;

typedef enum found { FOUND, FOUND_NOTHING, FOUND_UNCLOSED } found;

static void skip_blanks(cursor *c) {
    while (c->at < c->end && ilk_is_blank(*c->at))
        c->at++;
}

/* At the end of what counts: a comment runs to the line's end. */
static bool at_end(cursor *c) {
    skip_blanks(c);
    return c->at == c->end || *c->at == '%';
}

static found quoted_value(cursor *c, value *out) {
    char quote = *c->at++;
    const char *begin = c->at;
    *out = (value){.quoted = true};
    for (; c->at < c->end && *c->at != quote; c->at++)
        if (*c->at == '\\' && c->at + 1 < c->end) {
            out->escaped = true;
            c->at++;
        }
    if (c->at == c->end)
        return FOUND_UNCLOSED;
    out->text = (ilk_str){begin, (size_t)(c->at++ - begin)};
    return FOUND;
}

/* The value at the cursor, which goes behind it. Braces end a value, because they enclose lists. */
static found next_value(cursor *c, value *out) {
    *out = (value){.text = {"", 0}};
    if (at_end(c) || *c->at == ',' || *c->at == '{' || *c->at == '}')
        return FOUND_NOTHING;
    if (*c->at == '\'' || *c->at == '"')
        return quoted_value(c, out);
    const char *begin = c->at;
    while (c->at < c->end && !ilk_is_blank(*c->at) && *c->at != ',' && *c->at != '{' && *c->at != '}')
        c->at++;
    out->text = (ilk_str){begin, (size_t)(c->at - begin)};
    return FOUND;
}

/* Between two values: blanks, with a comma among them or none. */
static bool step_over_comma(cursor *c) {
    skip_blanks(c);
    if (c->at == c->end || *c->at != ',')
        return false;
    c->at++;
    return true;
}

static char unescape(char c) {
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* Resolve backslashes into `out`, which has room for as many bytes. */
static ilk_str resolve(const value *v, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < v->text.n; i++) {
        bool escape = v->text.p[i] == '\\' && i + 1 < v->text.n;
        i += escape;
        out[n++] = escape ? unescape(v->text.p[i]) : v->text.p[i];
    }
    return (ilk_str){out, n};
}

/* ---- the header */

/* The header's line being read, for messages. */
typedef struct place {
    const char *file;
    size_t line;
    ilk_error *err;
} place;

static ilk_status refuse(const place *at, const char *why, ilk_str what) {
    return ilk_fail(at->err, ILK_EDATA, "%s:%zu: %s%s%.*s%s", at->file, at->line, why, what.n ? " '" : "",
                    ILK_SHOW(what), what.n ? "'" : "");
}

/* A value of a declaration, which lives in `buf` if it was escaped. */
static ilk_status declared_value(cursor *c, const place *at, ilk_buffer *buf, ilk_str *out) {
    value v;
    found f = next_value(c, &v);
    if (f == FOUND_UNCLOSED)
        return refuse(at, "a quote is not closed", (ilk_str){0});
    *out = v.text;
    if (f == FOUND_NOTHING || !v.escaped)
        return ILK_OK;
    buf->n = 0;
    if (ilk_buffer_reserve(buf, v.text.n) != ILK_OK)
        return ilk_fail_memory(at->err);
    *out = resolve(&v, buf->p);
    return ILK_OK;
}

/* { value, value, … } */
static ilk_status nominal(ilk_head *head, cursor *c, const place *at, ilk_buffer *buf) {
    ilk_declared *d = &head->declared[head->names.n - 1];
    uint32_t column = (uint32_t)(head->names.n - 1), id;
    ilk_str text;
    d->hint = ILK_HINT_VALUES;
    for (c->at++;; step_over_comma(c)) {
        if (at_end(c))
            return refuse(at, "no } at the end of the values", (ilk_str){0});
        if (*c->at == '}')
            return d->n ? ILK_OK : refuse(at, "no values between { and }", (ilk_str){0});
        if (*c->at == '{' || *c->at == ',')
            return refuse(at, "a value is missing between { and }", (ilk_str){0});
        ILK_TRY(declared_value(c, at, buf, &text));
        if (ilk_dict_intern(&head->values, column, text, &id) != ILK_OK)
            return ilk_fail_memory(at->err);
        if (id != d->first + d->n)
            return refuse(at, "declared twice:", text);
        d->n++;
    }
}

static bool is_word(ilk_str s, const char *word) {
    return s.n == strlen(word) && strncasecmp(s.p, word, s.n) == 0;
}

static ilk_status attribute(ilk_head *head, cursor *c, const place *at, ilk_buffer *buf) {
    ilk_str name, type;
    ILK_TRY(declared_value(c, at, buf, &name));
    if (name.n == 0)
        return refuse(at, "an attribute without a name", (ilk_str){0});
    ilk_status status = head->names.n < ILK_INDEX_LIMIT ? ilk_head_add(head, name, ILK_HINT_NONE) : ILK_ENOMEM;
    if (status == ILK_EDATA)
        return refuse(at, "two columns are named", name);
    if (status != ILK_OK)
        return ilk_fail_memory(at->err);
    if (!at_end(c) && *c->at == '{')
        return nominal(head, c, at, buf);
    ILK_TRY(declared_value(c, at, buf, &type));
    ilk_hint *hint = &head->declared[head->names.n - 1].hint;
    if (is_word(type, "numeric") || is_word(type, "real") || is_word(type, "integer"))
        *hint = ILK_HINT_NUMBER;
    else if (is_word(type, "string") || is_word(type, "date"))
        *hint = ILK_HINT_STRING;
    else
        return refuse(at, "an attribute of no type that is read:", type);
    return ILK_OK;
}

static ilk_status declaration(ilk_head *head, cursor *c, const place *at, ilk_buffer *buf, bool *done) {
    ilk_str keyword;
    if (at_end(c))
        return ILK_OK;
    ILK_TRY(declared_value(c, at, buf, &keyword));
    if (is_word(keyword, "@relation"))
        return ILK_OK;
    if (is_word(keyword, "@attribute"))
        return attribute(head, c, at, buf);
    *done = is_word(keyword, "@data");
    if (!*done)
        return refuse(at, "not a line of an ARFF header:", keyword);
    return head->names.n ? ILK_OK : refuse(at, "no attributes before @data", (ilk_str){0});
}

static ilk_status header(ilk_head *head, ilk_text_block *block, bool *done, ilk_error *err) {
    ilk_str rest = ilk_text_block_rest(block);
    ilk_parser lines = {.at = rest.p, .end = rest.p + rest.n, .next_line = block->line};
    ilk_buffer buf = {0};
    ilk_status status = ILK_OK;
    *done = false;
    while (status == ILK_OK && !*done && lines.at < lines.end) {
        const place at = {block->name, lines.next_line, err};
        ilk_str line = ilk_parser_line(&lines);
        cursor c = {line.p, line.p + line.n};
        status = declaration(head, &c, &at, &buf, done);
    }
    ilk_buffer_free(&buf);
    block->begin += (size_t)(lines.at - rest.p);
    block->line = lines.next_line;
    return status;
}

/* ---- rows */

static ilk_status start(ilk_parser *s, ilk_str block) {
    /* Reserved as a whole, so that fields already handed out never move. */
    return block.n && memchr(block.p, '\\', block.n) ? ilk_buffer_reserve(&s->plain, block.n) : ILK_OK;
}

/* A value of column j as a field. */
static ilk_str accept(ilk_parser *s, size_t j, const value *v) {
    if (!v->quoted && v->text.n == 1 && v->text.p[0] == '?')
        return (ilk_str){"", 0};
    ilk_str text = v->text;
    if (v->escaped) {
        text = resolve(v, s->plain.p + s->plain.n);
        s->plain.n += text.n;
    }
    const ilk_head *head = s->dialect.head;
    if (text.n > 0 && ilk_head_declared(head, j)->hint == ILK_HINT_VALUES &&
        ilk_dict_find(&head->values, (uint32_t)j, text) == ILK_UNSEEN)
        ilk_parser_blame(s, ILK_ROW_UNDECLARED, j, text);
    return text;
}

static void dense(ilk_parser *s, cursor *c, ilk_str *fields, size_t columns) {
    for (bool comma = true; comma || !at_end(c);) {
        value v;
        if (next_value(c, &v) == FOUND_UNCLOSED)
            ilk_parser_blame(s, ILK_ROW_UNCLOSED, s->found, v.text);
        else if (c->at < c->end && (*c->at == '{' || *c->at == '}'))
            ilk_parser_complain(s, s->found, "a brace where a value should be");
        if (s->fault != ILK_ROW)
            return;
        if (s->found < columns)
            fields[s->found] = accept(s, s->found, &v);
        s->found++;
        comma = step_over_comma(c);
    }
}

/* What stands for a value that is not listed. */
static ilk_str usual(const ilk_head *head, size_t j) {
    const ilk_declared *d = ilk_head_declared(head, j);
    if (d->hint == ILK_HINT_VALUES)
        return ilk_dict_key(&head->values, d->first);
    return d->hint == ILK_HINT_NUMBER ? (ilk_str){"0", 1} : (ilk_str){"", 0};
}

/* A column's number, from 0; SIZE_MAX if it is none. */
static size_t column_number(ilk_str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9' || n > ILK_INDEX_LIMIT)
            return SIZE_MAX;
        n = 10 * n + (size_t)(s.p[i] - '0');
    }
    return s.n ? n : SIZE_MAX;
}

/* One "number value" of a sparse row, whose numbers rise. */
static bool entry(ilk_parser *s, cursor *c, ilk_str *fields, size_t columns, size_t *next) {
    value index, v;
    next_value(c, &index);
    size_t j = column_number(index.text);
    if (j < *next)
        ilk_parser_complain(s, SIZE_MAX, "sparse row: column %zu comes after column %zu", j, *next - 1);
    else if (j >= columns)
        ilk_parser_complain(s, SIZE_MAX, "sparse row: '%.*s' is no column from 0 to %zu", ILK_SHOW(index.text),
                            columns - 1);
    else if (next_value(c, &v) != FOUND)
        ilk_parser_complain(s, j, "sparse row: no value");
    else
        fields[j] = accept(s, j, &v);
    *next = j + 1;
    return s->fault == ILK_ROW;
}

static void sparse(ilk_parser *s, cursor *c, ilk_str *fields, size_t columns) {
    size_t next = 0;
    s->found = columns;
    for (size_t j = 0; j < columns; j++)
        fields[j] = usual(s->dialect.head, j);
    for (c->at++; columns > 0; step_over_comma(c)) {
        if (at_end(c)) {
            ilk_parser_complain(s, SIZE_MAX, "sparse row: no } at its end");
            return;
        }
        if (*c->at == '}')
            break;
        if (!entry(s, c, fields, columns, &next))
            return;
    }
    c->at += columns > 0;
    if (columns > 0 && !at_end(c))
        ilk_parser_complain(s, SIZE_MAX, "sparse row: it goes on after its }");
}

static bool row(ilk_parser *s, ilk_str *fields, size_t columns) {
    ilk_str line = ilk_parser_line(s);
    cursor c = {line.p, line.p + line.n};
    if (at_end(&c))
        return false;
    if (*c.at == '{')
        sparse(s, &c, fields, columns);
    else
        dense(s, &c, fields, columns);
    return true;
}

/* Behind comments, the relation's name. */
static bool looks(ilk_str head) {
    static const char keyword[] = "@relation";
    ilk_parser lines = {.at = head.p, .end = head.p + head.n};
    while (lines.at < lines.end) {
        ilk_str line = ilk_parser_line(&lines);
        cursor c = {line.p, line.p + line.n};
        if (!at_end(&c))
            return (size_t)(c.end - c.at) >= sizeof keyword - 1 && strncasecmp(c.at, keyword, sizeof keyword - 1) == 0;
    }
    return false;
}

const ilk_records ilk_records_arff = {.name = "arff",
                                      .extensions = {".arff"},
                                      .looks = looks,
                                      .missing = "?",
                                      .header = header,
                                      .start = start,
                                      .row = row};
