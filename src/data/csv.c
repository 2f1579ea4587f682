/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - finding delimiters a stretch at a time.
 *
 * The bytes that matter (delimiter, newline, quote) are found by a kernel and kept as a list of places, from which
 * fields are taken: a field costs a few instructions, whatever its length. Invariant: the marks that are left are
 * exactly those at or behind the place where the parser stands. A quote counts only where it is the first thing in a
 * field that is not blank; source.c cuts by the same rule.
 */
#include "data/records.h"
#include "kernels/kernels.h"

#include <string.h>

/* ---- the scanner */

/* The marks of the next stretch; false at the end. */
static bool look(ilk_parser *s) {
    const char special[] = {s->dialect.delimiter, '\n', '"'};
    size_t left = (size_t)(s->end - s->ahead), n = left < ILK_STRETCH ? left : ILK_STRETCH;
    s->stretch = s->ahead;
    s->ahead += n;
    s->mark = 0;
    s->marks = ilk_kernels_use()->marks(s->place, s->stretch, n, special);
    return n > 0;
}

/* The next special byte, or the end. */
static inline const char *next(ilk_parser *s) {
    while (s->mark == s->marks)
        if (!look(s))
            return s->end;
    return s->stretch + s->place[s->mark++];
}

/* What fields are copied to is reserved as a whole, so that fields never move; untouched, it costs nothing. */
static ilk_status start(ilk_parser *s, ilk_str block) {
    s->ahead = block.p;
    s->mark = s->marks = 0;
    if (s->plain.cap < block.n) /* nothing is in it that would have to be copied */
        ilk_buffer_free(&s->plain);
    return ilk_buffer_reserve(&s->plain, block.n);
}

/* ---- fields */

static bool all_blank(const char *p, const char *end) {
    while (p < end && ilk_is_blank(*p))
        p++;
    return p == end;
}

/* A quoted field with each doubled quote made one. */
static ilk_str undouble(ilk_parser *s, ilk_str quoted) {
    char *begin = s->plain.p + s->plain.n, *out = begin;
    const char *p = quoted.p, *end = quoted.p + quoted.n;
    for (const char *quote; p < end && (quote = memchr(p, '"', (size_t)(end - p))); p = quote + 2) {
        size_t n = (size_t)(quote - p) + 1;
        memcpy(out, p, n);
        out += n;
    }
    memcpy(out, p, (size_t)(end - p));
    out += end - p;
    s->plain.n += (size_t)(out - begin);
    return (ilk_str){begin, (size_t)(out - begin)};
}

/* To the special that ends the field; quotes on the way are letters like any other. */
static const char *skip_to_delimiter(ilk_parser *s) {
    const char *p = next(s);
    while (p < s->end && *p == '"')
        p = next(s);
    return p;
}

/* The field behind the quote at `open`; returns what ends it. */
static const char *quoted_field(ilk_parser *s, const char *open, ilk_str *out) {
    bool doubled = false;
    const char *close;
    s->quoted = true;
    for (;;) {
        close = next(s);
        if (close == s->end) {
            ilk_parser_blame(s, ILK_ROW_UNCLOSED, s->found, (ilk_str){0});
            return close;
        }
        s->next_line += *close == '\n';
        if (*close != '"')
            continue;
        if (close + 1 == s->end || close[1] != '"')
            break;
        next(s);
        doubled = true;
    }
    *out = (ilk_str){open + 1, (size_t)(close - open) - 1};
    if (doubled)
        *out = undouble(s, *out);
    const char *p = skip_to_delimiter(s);
    if (ilk_trim(close + 1, p).n > 0)
        ilk_parser_blame(s, ILK_ROW_AFTER_QUOTE, s->found, (ilk_str){0});
    return p;
}

/* The field at p; returns the delimiter, newline or end behind it. */
static inline const char *field(ilk_parser *s, const char *p, ilk_str *out) {
    const char *special = next(s);
    if (special < s->end && *special == '"') {
        if (all_blank(p, special))
            return quoted_field(s, special, out);
        special = skip_to_delimiter(s);
    }
    *out = ilk_trim(p, special);
    return special;
}

/* ---- records */

/* Fields as they mostly are, as far as that goes: without quotes, in this stretch, no more than columns. The last of a
 * record is left. In a loop of its own, which keeps all it needs in registers. */
static void plain_fields(ilk_parser *s, ilk_str *fields, size_t columns) {
    const char *stretch = s->stretch, *p = s->at;
    const uint32_t *mark = s->place + s->mark, *end = s->place + s->marks;
    size_t found = s->found;
    for (; mark < end && found < columns; mark++) {
        const char *special = stretch + *mark;
        if (*special == '"' || *special == '\n')
            break;
        fields[found++] = ilk_trim(p, special);
        p = special + 1;
    }
    s->mark = (size_t)(mark - s->place);
    s->found = found;
    s->at = p;
}

/* Between semicolons a number has its decimal comma, as spreadsheets write it; from here on it has a point. */
static void put_points(ilk_parser *s, ilk_str *fields, size_t n) {
    for (size_t j = 0; j < n; j++) {
        const char *comma = s->as_written && s->as_written[j] ? NULL : ilk_decimal_comma(fields[j]);
        if (!comma)
            continue;
        if (s->points)
            s->points[j] = true;
        char *copy = s->plain.p + s->plain.n;
        memcpy(copy, fields[j].p, fields[j].n);
        copy[comma - fields[j].p] = '.';
        fields[j].p = copy;
        s->plain.n += fields[j].n;
    }
}

/* Returns false for an empty line. */
static bool record(ilk_parser *s, ilk_str *fields, size_t columns) {
    ilk_str value;
    s->quoted = false;
    for (;;) {
        plain_fields(s, fields, columns);
        value = (ilk_str){s->at, 0};
        const char *special = field(s, s->at, &value);
        if (s->found < columns)
            fields[s->found] = value;
        s->found++;
        s->at = special;
        if (special == s->end)
            break;
        s->at++;
        if (*special == '\n') {
            s->next_line++;
            break;
        }
    }
    if (s->dialect.delimiter == ';' && !s->naming)
        put_points(s, fields, s->found < columns ? s->found : columns);
    return s->found > 1 || value.n > 0 || s->quoted;
}

/* `label TAB text`: the first TAB divides, further ones are part of the text. Where none needs a label, an empty line is
 * a text like any other: every line has its answer. */
static bool labelled_line(ilk_parser *s, ilk_str *fields, size_t columns) {
    ilk_str line = ilk_parser_line(s);
    const char *tab = line.n ? memchr(line.p, '\t', line.n) : NULL, *end = line.p + line.n;
    s->found = tab || s->dialect.unlabelled ? 2 : 1;
    if (s->found == 2 && columns == 2) {
        fields[0] = ilk_trim(line.p, tab ? tab : line.p);
        fields[1] = tab ? (ilk_str){tab + 1, (size_t)(end - tab) - 1} : line;
    }
    return s->found == 2 || ilk_trim(line.p, end).n > 0;
}

const ilk_records ilk_records_csv = {
    .name = "csv", .extensions = {".csv"}, .quotes = true, .first_record = true, .start = start, .row = record};
const ilk_records ilk_records_tsv = {
    .name = "tsv", .extensions = {".tsv", ".tab"}, .quotes = true, .first_record = true, .start = start, .row = record};
const ilk_records ilk_records_lines = {.name = "lines", .names = {"label", "text"}, .row = labelled_line};
