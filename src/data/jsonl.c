/* SPDX-License-Identifier: Apache-2.0 */
/* jsonl.c - JSON lines: one object per line. Most are plain and read as they stand (json_plain.h), all others, and what
 * is wrong with them, with jansson.
 *
 * The columns are the keys of the rows looked at, in the order they are met; what stands in objects inside is called
 * a.b. A key that is absent is a value that is missing, as is null. Whole numbers keep their digits, other numbers
 * become the shortest form that reads back as the same double; true and false are strings. Strings in an array become
 * one text with blanks between them. Nesting is walked with a stack of bounded depth.
 */
#include "data/records.h"

#include "core/memory.h"
#include "core/number.h"
#include "data/json_plain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef ILK_HAVE_JANSSON
#include <jansson.h>

enum { DEPTH = 8, NAME = 1024 };

/* One object on the way down: where its members are read on, and how long the name of it is. */
typedef struct level {
    json_t *object;
    void *member;
    size_t name;
} level;

typedef struct walk {
    level stack[DEPTH];
    size_t depth;
    char name[NAME]; /* of the member visited */
    size_t name_n;
} walk;

typedef bool (*visit_fn)(void *ctx, ilk_str name, const json_t *value);

/* ---- walking through an object */

static void enter(walk *w, json_t *object) {
    w->stack[w->depth++] = (level){object, json_object_iter(object), w->name_n};
}

/* Append ".key", or "key" at the top. False if the name is too long. */
static bool set_name(walk *w, const level *l, const char *key, size_t n) {
    size_t dot = l->name > 0;
    if (l->name + dot + n > NAME)
        return false;
    if (dot)
        w->name[l->name] = '.';
    memcpy(w->name + l->name + dot, key, n);
    w->name_n = l->name + dot + n;
    return true;
}

/* Visit every member that is no object. False, with a complaint, if that cannot be done. */
static bool walk_members(ilk_parser *s, json_t *object, visit_fn visit, void *ctx) {
    walk w = {.depth = 0, .name_n = 0};
    enter(&w, object);
    while (w.depth > 0) {
        level *l = &w.stack[w.depth - 1];
        if (!l->member) {
            w.depth--;
            continue;
        }
        const char *key = json_object_iter_key(l->member);
        json_t *value = json_object_iter_value(l->member);
        if (!set_name(&w, l, key, strlen(key))) {
            ilk_parser_complain(s, SIZE_MAX, "a key of more than %d bytes", NAME);
            return false;
        }
        l->member = json_object_iter_next(l->object, l->member);
        if (!json_is_object(value)) {
            if (!visit(ctx, (ilk_str){w.name, w.name_n}, value))
                return false;
        } else if (w.depth == DEPTH) {
            ilk_parser_complain(s, SIZE_MAX, "objects nested more than %d deep", DEPTH);
            return false;
        } else {
            enter(&w, value);
        }
    }
    return true;
}

/* ---- lines */

static bool is_overflow(const json_error_t *error) {
    return json_error_code(error) == json_error_numeric_overflow;
}

/* An object that goes on in the next line is the likeliest mistake: say so. */
static void complain(ilk_parser *s, const json_error_t *error) {
    if (json_error_code(error) == json_error_premature_end_of_input)
        ilk_parser_complain(s, SIZE_MAX, "the object does not end on its line (one object per line is read)");
    else if (json_error_code(error) == json_error_null_character)
        ilk_parser_complain(s, SIZE_MAX, "a string holds \\u0000, which no table can (at byte %d)", error->position);
    else
        ilk_parser_complain(s, SIZE_MAX, "no JSON at byte %d: %s", error->position, error->text);
}

/* The object of a line, or NULL and a complaint. Whole numbers beyond 64 bits are read as doubles. */
static json_t *parse(ilk_parser *s, ilk_str line) {
    json_error_t error;
    json_t *object = json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!object && is_overflow(&error))
        object = json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
    if (!object) {
        complain(s, &error);
    } else if (!json_is_object(object)) {
        ilk_parser_complain(s, SIZE_MAX, "not an object: a line of JSON lines begins with {");
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* The next line that is not blank; false at the end of one that is. */
static bool next_line(ilk_parser *s, ilk_str *line) {
    *line = ilk_parser_line(s);
    *line = ilk_trim(line->p, line->p + line->n);
    return line->n > 0;
}

/* ---- columns */

static ilk_hint hint_of(const json_t *value) {
    return json_is_null(value) ? ILK_HINT_NONE : json_is_number(value) ? ILK_HINT_PLAIN : ILK_HINT_STRING;
}

typedef struct keys {
    ilk_head *head;
    ilk_status status;
} keys;

/* A column is one of strings only as long as no number is met in it. */
static bool note(keys *k, ilk_str name, ilk_hint hint) {
    uint32_t id = ilk_dict_find(&k->head->names, 0, name);
    if (id == ILK_UNSEEN) {
        k->status = ilk_head_add(k->head, name, hint);
        return k->status == ILK_OK;
    }
    ilk_hint *known = &k->head->declared[id].hint;
    if (*known == ILK_HINT_NONE || hint == ILK_HINT_PLAIN)
        *known = hint;
    return true;
}

static bool note_key(void *ctx, ilk_str name, const json_t *value) {
    return note(ctx, name, hint_of(value));
}

static ilk_hint hint_of_plain(ilk_json_kind kind) {
    bool number = kind == ILK_JSON_INTEGER || kind == ILK_JSON_REAL;
    return kind == ILK_JSON_NULL ? ILK_HINT_NONE : number ? ILK_HINT_PLAIN : ILK_HINT_STRING;
}

/* The keys of a line, if it is plain: nothing is noted of one that is not, and perhaps no object at all. */
static bool note_plain(keys *k, ilk_str line) {
    ilk_json_object object = {line.p, line.p + line.n, false}, again = object;
    ilk_json_member m;
    ilk_json_step step;
    do
        step = ilk_json_next(&object, &m);
    while (step == ILK_JSON_MEMBER);
    if (step != ILK_JSON_END)
        return false;
    while (ilk_json_next(&again, &m) == ILK_JSON_MEMBER && note(k, m.key, hint_of_plain(m.kind)))
        ;
    return true;
}

static ilk_status survey(ilk_head *head, ilk_parser *s, size_t *rows) {
    keys k = {head, ILK_OK};
    while (*rows > 0 && s->at < s->end && k.status == ILK_OK) {
        ilk_str line;
        s->fault = ILK_ROW;
        if (!next_line(s, &line))
            continue;
        bool plain = note_plain(&k, line);
        json_t *object = plain ? NULL : parse(s, line);
        *rows -= plain || object;
        if (object)
            walk_members(s, object, note_key, &k);
        json_decref(object);
    }
    return k.status;
}

/* ---- rows */

typedef struct filling {
    ilk_parser *s;
    ilk_str *fields;
    size_t columns;
} filling;

/* `plain` was given room for all of the block before, so that fields never move. */
static ilk_str keep(ilk_parser *s, const char *p, size_t n) {
    char *to = s->plain.p + s->plain.n;
    memcpy(to, p, n);
    s->plain.n += n;
    return (ilk_str){to, n};
}

static bool join(ilk_parser *s, size_t column, const json_t *array, ilk_str *out) {
    size_t begin = s->plain.n;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (!json_is_string(item)) {
            ilk_parser_complain(s, column, "an array of other things than strings");
            return false;
        }
        if (i > 0)
            keep(s, " ", 1);
        keep(s, json_string_value(item), json_string_length(item));
    }
    *out = (ilk_str){s->plain.p + begin, s->plain.n - begin};
    return true;
}

/* As a number, and its digits unless nobody asks for them. */
static ilk_str digits(ilk_parser *s, size_t j, const json_t *number) {
    char text[ILK_NUMBER_SIZE];
    s->number[j] = json_number_value(number);
    if (s->numeric && s->numeric[j])
        return (ilk_str){"", 0};
    size_t n = json_is_integer(number)
                   ? (size_t)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(number))
                   : ilk_number_format(text, json_real_value(number));
    return keep(s, text, n);
}

static bool fill(void *ctx, ilk_str name, const json_t *value) {
    filling *f = ctx;
    uint32_t j = ilk_dict_find(&f->s->dialect.head->names, 0, name);
    if (j >= f->columns) {
        f->s->stray = true;
        return true;
    }
    ilk_str *field = &f->fields[j];
    if (field->p) {
        ilk_parser_complain(f->s, j, "two values");
        return false;
    }
    switch (json_typeof(value)) {
    case JSON_STRING:
        *field = keep(f->s, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        *field = digits(f->s, j, value);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        *field = json_is_true(value) ? (ilk_str){"true", 4} : (ilk_str){"false", 5};
        break;
    case JSON_ARRAY:
        return join(f->s, j, value, field);
    case JSON_NULL:
    case JSON_OBJECT:
        *field = (ilk_str){"", 0};
        break;
    }
    return true;
}

/* ---- plain rows */

/* The column of that name, which mostly is the next one; else SIZE_MAX. */
static size_t column_of(const filling *f, ilk_str name, size_t next) {
    const ilk_dict *names = &f->s->dialect.head->names;
    if (next < f->columns && ilk_str_equal(ilk_dict_key(names, (uint32_t)next), name))
        return next;
    uint32_t j = ilk_dict_find(names, 0, name);
    return j < f->columns ? j : SIZE_MAX;
}

static ilk_str plain_text(ilk_parser *s, size_t j, const ilk_json_member *m) {
    char text[ILK_NUMBER_SIZE];
    bool number = m->kind == ILK_JSON_INTEGER || m->kind == ILK_JSON_REAL;
    if (number)
        s->number[j] = m->number;
    if (m->kind == ILK_JSON_NULL || (number && s->numeric && s->numeric[j]))
        return (ilk_str){"", 0};
    return m->kind == ILK_JSON_REAL ? keep(s, text, ilk_number_format(text, m->number)) : m->text;
}

/* False for a line that is not plain, or has a key of no column, or one twice: nothing is known of it then. */
static bool fill_plain(const filling *f, ilk_str line) {
    ilk_json_object object = {line.p, line.p + line.n, false};
    ilk_json_member m;
    ilk_json_step step;
    size_t before = f->s->plain.n;
    for (size_t next = 0; (step = ilk_json_next(&object, &m)) == ILK_JSON_MEMBER; next++) {
        next = column_of(f, m.key, next);
        if (next == SIZE_MAX || f->fields[next].p)
            break;
        f->fields[next] = plain_text(f->s, next, &m);
    }
    if (step != ILK_JSON_END)
        f->s->plain.n = before;
    return step == ILK_JSON_END;
}

static void clear(const filling *f) {
    for (size_t j = 0; j < f->columns; j++) {
        f->fields[j] = (ilk_str){NULL, 0};
        f->s->number[j] = (double)NAN;
    }
}

static void fill_by_tree(filling *f, ilk_str line) {
    json_t *object = parse(f->s, line);
    if (object && walk_members(f->s, object, fill, f)) /* without columns too: it may be at fault */
        f->s->found = f->columns;
    if (object && f->columns == 0 && json_object_size(object) == 0)
        ilk_parser_complain(f->s, SIZE_MAX, "an object without keys");
    json_decref(object);
}

static ilk_status start(ilk_parser *s, ilk_str block) {
    /* The shortest number that may grow, 1e9, is seven bytes with its key, and at most 24 digits. */
    if (block.n > SIZE_MAX / ILK_NUMBER_SIZE)
        return ILK_ENOMEM;
    if (ilk_grow(&s->number, &s->number_cap, s->dialect.head->names.n, sizeof *s->number))
        return ILK_ENOMEM;
    return ilk_buffer_reserve(&s->plain, 4 * block.n + ILK_NUMBER_SIZE);
}

static bool row(ilk_parser *s, ilk_str *fields, size_t columns) {
    ilk_str line;
    if (!next_line(s, &line))
        return false;
    filling f = {s, fields, columns};
    clear(&f);
    if (columns > 0 && fill_plain(&f, line)) {
        s->found = columns;
    } else {
        clear(&f);
        fill_by_tree(&f, line);
    }
    for (size_t j = 0; j < columns; j++)
        if (!fields[j].p)
            fields[j].p = "";
    return true;
}

#else

static bool row(ilk_parser *s, ilk_str *fields, size_t columns) {
    (void)fields, (void)columns;
    (void)ilk_parser_line(s);
    ilk_parser_complain(s, SIZE_MAX, "JSON is not read by this build: jansson was not there");
    return true;
}

static ilk_status survey(ilk_head *head, ilk_parser *s, size_t *rows) {
    (void)head, (void)s, (void)rows;
    return ILK_OK;
}

static ilk_status start(ilk_parser *s, ilk_str block) {
    (void)s, (void)block;
    return ILK_OK;
}

#endif

static bool looks(ilk_str head) {
    while (head.n > 0 && (ilk_is_blank(*head.p) || *head.p == '\r' || *head.p == '\n'))
        head.p++, head.n--;
    return head.n > 0 && *head.p == '{';
}

const ilk_records ilk_records_jsonl = {.name = "jsonl",
                                       .extensions = {".jsonl", ".ndjson"},
                                       .looks = looks,
                                       .missing = "",
                                       .survey = survey,
                                       .start = start,
                                       .row = row};
