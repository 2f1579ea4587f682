/* SPDX-License-Identifier: Apache-2.0 */
/* json_plain.c - see json_plain.h. The text is UTF-8, which is not checked again. */
#include "data/json_plain.h"
#include "core/number.h"

#include <math.h>
#include <string.h>

static const char *skip_blanks(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    return p;
}

static const char *skip_digits(const char *p, const char *end) {
    while (p < end && ilk_is_digit(*p))
        p++;
    return p;
}

/* Behind the string at p, or NULL if it is none without escapes. */
static const char *string(const char *p, const char *end, ilk_str *out) {
    if (p == end || *p != '"')
        return NULL;
    const char *begin = ++p;
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
        p++;
    *out = (ilk_str){begin, (size_t)(p - begin)};
    return p < end && *p == '"' ? p + 1 : NULL;
}

static const char *word(const char *p, const char *end, const char *of, ilk_str *out) {
    size_t n = strlen(of);
    *out = (ilk_str){p, n};
    return (size_t)(end - p) >= n && memcmp(p, of, n) == 0 ? p + n : NULL;
}

/* Behind the digits at p, or NULL if there are none. */
static const char *some_digits(const char *p, const char *end) {
    const char *behind = skip_digits(p, end);
    return behind > p ? behind : NULL;
}

/* Behind a fraction and an exponent, if they are there, or NULL if they are not as they should be. */
static const char *fraction_and_exponent(const char *p, const char *end) {
    if (p < end && *p == '.')
        p = some_digits(p + 1, end);
    if (!p || p == end || (*p != 'e' && *p != 'E'))
        return p;
    p++;
    return some_digits(p + (p < end && (*p == '-' || *p == '+')), end);
}

/* Behind the number at p. */
static const char *number(const char *p, const char *end, ilk_json_member *m) {
    const char *digits = p + (*p == '-'), *whole = some_digits(digits, end);
    if (!whole || (*digits == '0' && whole > digits + 1))
        return NULL;
    const char *behind = fraction_and_exponent(whole, end);
    m->kind = behind == whole ? ILK_JSON_INTEGER : ILK_JSON_REAL;
    bool minus_zero = *p == '-' && *digits == '0';
    if (!behind || (m->kind == ILK_JSON_INTEGER && (minus_zero || whole - digits > 18)))
        return NULL;
    m->text = (ilk_str){p, (size_t)(behind - p)};
    return ilk_number_parse(&m->number, m->text) && !isinf(m->number) ? behind : NULL;
}

static const char *value(const char *p, const char *end, ilk_json_member *m) {
    if (p == end)
        return NULL;
    m->kind = ILK_JSON_WORD;
    switch (*p) {
    case '"':
        m->kind = ILK_JSON_STRING;
        return string(p, end, &m->text);
    case 't':
        return word(p, end, "true", &m->text);
    case 'f':
        return word(p, end, "false", &m->text);
    case 'n':
        m->kind = ILK_JSON_NULL;
        return word(p, end, "null", &m->text);
    default:
        return number(p, end, m);
    }
}

/* Behind the member at p, and the blanks behind it. */
static const char *member(const char *p, const char *end, ilk_json_member *out) {
    p = string(p, end, &out->key);
    p = p ? skip_blanks(p, end) : NULL;
    if (!p || p == end || *p != ':')
        return NULL;
    p = value(skip_blanks(p + 1, end), end, out);
    return p ? skip_blanks(p, end) : NULL;
}

ilk_json_step ilk_json_next(ilk_json_object *o, ilk_json_member *out) {
    const char *p = o->p;
    bool first = !o->begun, empty = false;
    if (p == o->end || (first ? *p != '{' : *p != ',' && *p != '}'))
        return ILK_JSON_OTHER;
    o->begun = true;
    if (*p != '}') {
        p = skip_blanks(p + 1, o->end);
        empty = first && p < o->end && *p == '}';
    }
    if (empty || *o->p == '}')
        return p + 1 == o->end ? ILK_JSON_END : ILK_JSON_OTHER;
    o->p = member(p, o->end, out);
    return o->p ? ILK_JSON_MEMBER : ILK_JSON_OTHER;
}
