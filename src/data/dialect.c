/* SPDX-License-Identifier: Apache-2.0 */
/* dialect.c - which format a file is in, where nobody said. */
#include "core/number.h"
#include "data/records.h"
#include "text/tokens.h"

#include <string.h>
#include <strings.h>

enum { SAMPLE = 1000 }; /* lines looked at */

/* Cut the first line off *rest; false at the end. Its line end is not part of it. */
static bool next_line(ilk_str *rest, ilk_str *line) {
    if (rest->n == 0)
        return false;
    const char *nl = memchr(rest->p, '\n', rest->n);
    size_t n = nl ? (size_t)(nl - rest->p) : rest->n, step = nl ? n + 1 : n;
    *line = (ilk_str){rest->p, n};
    if (n > 0 && line->p[n - 1] == '\r')
        line->n--;
    *rest = (ilk_str){rest->p + step, rest->n - step};
    return true;
}

static ilk_str first_line(ilk_str head) {
    ilk_str line = {"", 0};
    while (next_line(&head, &line) && line.n == 0)
        ;
    return line;
}

static bool has(ilk_str s, char c) {
    return s.n > 0 && memchr(s.p, c, s.n);
}

static bool ends_in(const char *path, const char *extension) {
    size_t n = strlen(path), m = strlen(extension);
    return n >= m && strcasecmp(path + n - m, extension) == 0;
}

/* `label TAB text`, as opposed to a table of two columns: short labels before long texts, and the first label comes
 * again, which a header's would not. In doubt it is a table: that fails aloud where this would learn nonsense. */
static bool looks_like_lines(ilk_str head) {
    ilk_str line, first = {0};
    size_t n = 0, label_words = 0, text_words = 0;
    bool recurs = false;
    while (n < SAMPLE && next_line(&head, &line)) {
        if (line.n == 0)
            continue;
        const char *tab = memchr(line.p, '\t', line.n);
        if (!tab || memchr(tab + 1, '\t', line.n - (size_t)(tab + 1 - line.p)))
            return false;
        ilk_str label = {line.p, (size_t)(tab - line.p)}, text = {tab + 1, line.n - label.n - 1};
        if (n++ == 0)
            first = label;
        else
            recurs |= ilk_str_equal(first, label);
        label_words += ilk_words_estimate(label);
        text_words += ilk_words_estimate(text);
    }
    return recurs && label_words <= 2 * n && text_words > 5 * n;
}

/* Is the schema what `label TAB text` is learnt by? */
static bool is_of_lines(const ilk_schema *schema) {
    const ilk_records *lines = ilk_records_of(ILK_FORMAT_LINES);
    for (size_t j = 0; j < 2; j++) {
        const char *name = lines->names[j];
        size_t at = ilk_schema_find(schema, (ilk_str){name, strlen(name)});
        if (at == SIZE_MAX || ilk_schema_column(schema, at)->role != (j ? ILK_FEATURE : ILK_TARGET))
            return false;
    }
    return ilk_schema_columns(schema) == 2;
}

const char *ilk_dialect_hint_at_lines(const ilk_dialect *dialect) {
    if (!dialect->for_lines || !ilk_records_of(dialect->format)->first_record)
        return "";
    return dialect->unlabelled ? "; lines that are a text each are read by --format lines"
                               : "; lines of label TAB text are read by --format lines";
}

static bool is_text_name(const char *p, size_t n) {
    const char *text = ilk_records_of(ILK_FORMAT_LINES)->names[1];
    bool quoted = n > 2 && p[0] == '"' && p[n - 1] == '"';
    return ilk_str_equal((ilk_str){p + quoted, n - 2 * quoted}, (ilk_str){text, strlen(text)});
}

/* A header that names the text, of which lines have none? */
static bool is_header(ilk_str line) {
    for (const char *tab; (tab = memchr(line.p, '\t', line.n)); line.n -= (size_t)(tab + 1 - line.p), line.p = tab + 1)
        if (is_text_name(line.p, (size_t)(tab - line.p)))
            return true;
    return is_text_name(line.p, line.n);
}

/* A model of lines knows them by their first, so that an answer does not depend on what comes after it. */
static ilk_dialect separated_by_tabs(ilk_str head, const ilk_schema *schema) {
    bool lines = schema && is_of_lines(schema) ? !is_header(first_line(head)) : looks_like_lines(head);
    return (ilk_dialect){.format = lines ? ILK_FORMAT_LINES : ILK_FORMAT_TSV, .delimiter = '\t'};
}

/* A text that stands alone in its line, of which a table would have one column with another name than the text's. One
 * with a comma may be a row of a table without a header. An empty line is one, too: of a pipe there may be no more yet. */
static bool is_text_alone(ilk_str head, const ilk_schema *schema) {
    ilk_str line;
    if (!schema || !is_of_lines(schema) || !next_line(&head, &line))
        return false;
    ilk_str text = ilk_trim(line.p, line.p + line.n);
    return !has(text, ',') && !has(text, ';') && !has(text, '"') && !is_text_name(text.p, text.n);
}

static const char *skip_sign(const char *p, const char *end) {
    return p + (p < end && (*p == '-' || *p == '+'));
}

static const char *skip_digits(const char *p, const char *end) {
    while (p < end && ilk_is_digit(*p))
        p++;
    return p;
}

const char *ilk_decimal_comma(ilk_str field) {
    const char *end = field.p + field.n, *whole = skip_sign(field.p, end), *comma = skip_digits(whole, end);
    if (comma == end || *comma != ',')
        return NULL;
    const char *p = skip_digits(comma + 1, end);
    if (p - whole == 1) /* no digit at all */
        return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *exponent = skip_sign(p + 1, end);
        p = skip_digits(exponent, end);
        if (p == exponent)
            return NULL;
    }
    return p == end ? comma : NULL;
}

/* To the semicolon or the end of the line that ends the field at p. What stands in quotes divides nothing; *commas
 * counts those outside of them. A field may still open behind its closing quote: a doubled one closes and opens again. */
static const char *skip_field(const char *p, const char *end, size_t *commas) {
    bool opens = true, quoted = false;
    for (; p < end && (quoted || (*p != '\n' && *p != ';')); p++) {
        if (*p == '"' && opens)
            quoted = !quoted;
        else if (!quoted)
            opens = opens && ilk_is_blank(*p);
        *commas += !quoted && *p == ',';
    }
    return p;
}

/* What may divide a record, outside of quotes. */
typedef struct division {
    size_t commas, semicolons;
    bool decimal; /* all commas are decimal ones, between semicolons */
} division;

/* Of the first record that is not empty. */
static division first_division(ilk_str head) {
    const char *p = head.p, *end = p + head.n;
    division d = {.decimal = true};
    while (p < end && (*p == '\n' || ilk_is_blank(*p)))
        p++;
    for (const char *next; p < end; p = next + 1) {
        size_t commas = 0;
        next = skip_field(p, end, &commas);
        d.commas += commas;
        d.decimal = d.decimal && (commas == 0 || ilk_decimal_comma(ilk_trim(p, next)));
        if (next == end || *next == '\n')
            break;
        d.semicolons++;
    }
    return d;
}

/* As many fields as a row of the model's table has, or one without its class. */
static bool has_columns(size_t fields, const ilk_schema *schema) {
    size_t columns = ilk_schema_columns(schema);
    return fields == columns || fields + 1 == columns;
}

/* Where the comma is the decimal point, spreadsheets write semicolons: they divide fields if all commas of the first
 * record are such; unless a model knows better. */
static char delimiter_of(ilk_str head, const ilk_schema *schema) {
    division d = first_division(head);
    bool lists = schema && has_columns(d.commas + 1, schema) && !has_columns(d.semicolons + 1, schema);
    return d.semicolons > 0 && d.decimal && !(d.commas > 0 && lists) ? ';' : ',';
}

static ilk_dialect csv(ilk_str head, const ilk_schema *schema) {
    return (ilk_dialect){.format = ILK_FORMAT_CSV, .delimiter = delimiter_of(head, schema)};
}

static bool has_extension(const ilk_records *reader, const char *path) {
    for (size_t i = 0; i < sizeof reader->extensions / sizeof *reader->extensions && reader->extensions[i]; i++)
        if (ends_in(path, reader->extensions[i]))
            return true;
    return false;
}

/* By its name, else by its content; ILK_FORMAT_AUTO if neither tells. */
static ilk_format recognise(const char *path, ilk_str head) {
    const ilk_records *reader;
    for (unsigned f = ILK_FORMAT_AUTO + 1; (reader = ilk_records_of((ilk_format)f)); f++)
        if (has_extension(reader, path))
            return (ilk_format)f;
    for (unsigned f = ILK_FORMAT_AUTO + 1; (reader = ilk_records_of((ilk_format)f)); f++)
        if (reader->looks && reader->looks(head))
            return (ilk_format)f;
    return has(first_line(head), '\t') ? ILK_FORMAT_TSV : ILK_FORMAT_AUTO;
}

static ilk_dialect choose(ilk_format asked, const char *path, ilk_str head, const ilk_schema *schema, bool unlabelled) {
    ilk_format format = asked == ILK_FORMAT_AUTO ? recognise(path, head) : asked;
    if (format == ILK_FORMAT_AUTO && unlabelled && is_text_alone(head, schema))
        format = ILK_FORMAT_LINES;
    if (format == ILK_FORMAT_AUTO || format == ILK_FORMAT_CSV)
        return csv(head, schema);
    if (format == ILK_FORMAT_TSV && asked == ILK_FORMAT_AUTO)
        return separated_by_tabs(head, schema);
    return (ilk_dialect){.format = format, .delimiter = '\t'};
}

ilk_dialect ilk_dialect_choose(ilk_format asked, const char *path, ilk_str head, const ilk_schema *schema,
                               bool unlabelled) {
    ilk_dialect dialect = choose(asked, path, head, schema, unlabelled);
    dialect.for_lines = schema && is_of_lines(schema);
    return dialect;
}
