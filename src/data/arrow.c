/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.c - the Arrow C data interface: arrays of columns to packed rows, and packed rows to fields.
 *
 * Rows are packed into blocks one after the other, so that everything behind (looking ahead, threads, the sample for
 * leave-one-out) is as with files: a cell is a tag and, behind it, eight bytes of a number or the length and bytes of a
 * string. Numbers stay numbers; text is made of one only where somebody asks for it.
 *
 * The ABI tells how many rows an array has, but not how large its buffers are: those are the producer's promise. All
 * that can be checked is: counts, offsets, indices into dictionaries, buffers that are not there.
 */
#include "data/arrow.h"
#include "core/memory.h"
#include "core/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum kind { MISSING, FLAG, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, TEXT, LARGE_TEXT } kind;

static const char formats[] = "nbcCsSiIlLfguU"; /* of these kinds */

typedef struct column {
    kind kind;  /* of its values, or of the indices into a dictionary */
    kind words; /* of the dictionary's values; MISSING: there is none */
} column;

typedef struct arrow {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch; /* being read, or released */
    int64_t row;             /* the next in it */
    uint64_t rows;           /* packed so far */
    column *column;
    size_t columns;
} arrow;

/* ---- ownership */

static void release_batch(arrow *a) {
    if (a->batch.release)
        a->batch.release(&a->batch);
    a->batch = (struct ArrowArray){0};
}

static void free_arrow(void *ctx) {
    arrow *a = ctx;
    release_batch(a);
    if (a->schema.release)
        a->schema.release(&a->schema);
    if (a->stream.release)
        a->stream.release(&a->stream);
    ilk_free(a->column);
    ilk_free(a);
}

static const char *name(void *ctx, size_t i) {
    (void)ctx, (void)i;
    return "arrow";
}

static ilk_status open(void *ctx, size_t i, ilk_error *err) {
    (void)ctx, (void)i, (void)err;
    return ILK_OK;
}

static ilk_status read_nothing(void *ctx, void *buf, size_t n, size_t *got, ilk_error *err) {
    (void)ctx, (void)buf, (void)n, (void)err;
    *got = 0;
    return ILK_OK;
}

static ilk_status stream_failed(arrow *a, int code, ilk_error *err) {
    const char *why = a->stream.get_last_error ? a->stream.get_last_error(&a->stream) : NULL;
    if (why)
        return ilk_fail(err, ILK_EIO, "arrow: %s", why);
    errno = code;
    return ilk_fail_errno(err, ILK_EIO, "arrow: the stream failed");
}

/* ---- types */

static bool kind_of(kind *out, const char *format) {
    const char *at = format && format[0] && !format[1] ? strchr(formats, format[0]) : NULL;
    *out = at ? (kind)(at - formats) : MISSING;
    return at != NULL;
}

static const char *unread(const char *format) {
    static const struct {
        const char *begin, *what;
    } types[] = {{"e", "a half float"}, {"t", "a date or time"}, {"d", "a decimal"}, {"z", "binary"},
                 {"Z", "binary"},       {"w", "binary"},         {"v", "a view"},    {"+s", "a struct"},
                 {"+m", "a map"},       {"+u", "a union"},       {"+", "a list"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(format, types[i].begin, strlen(types[i].begin)) == 0)
            return types[i].what;
    return "a type";
}

static ilk_status refuse_type(const struct ArrowSchema *s, ilk_error *err) {
    const char *format = s->dictionary ? s->dictionary->format : s->format;
    return ilk_fail(err, ILK_EDATA, "arrow: column %.60s: %s%s ('%.40s') is not read", s->name ? s->name : "",
                    s->dictionary ? "a dictionary of " : "", unread(format ? format : ""), format ? format : "");
}

static ilk_status read_type(column *out, const struct ArrowSchema *s, ilk_error *err) {
    bool known = kind_of(&out->kind, s->format);
    if (s->dictionary) {
        known = known && out->kind >= I8 && out->kind <= U64 && kind_of(&out->words, s->dictionary->format);
        known = known && (out->words == TEXT || out->words == LARGE_TEXT);
    }
    return known ? ILK_OK : refuse_type(s, err);
}

static ilk_status read_types(arrow *a, ilk_error *err) {
    const struct ArrowSchema *s = &a->schema;
    if (!s->format || strcmp(s->format, "+s") != 0 || s->n_children < 1 || !s->children)
        return ilk_fail(err, ILK_EDATA, "arrow: not a stream of tables: its type is '%.40s'",
                        s->format ? s->format : "");
    if ((uint64_t)s->n_children > ILK_INDEX_LIMIT)
        return ilk_fail(err, ILK_EDATA, "arrow: more than %zu columns", ILK_INDEX_LIMIT);
    a->columns = (size_t)s->n_children;
    a->column = ilk_zalloc(a->columns, sizeof *a->column);
    if (!a->column)
        return ilk_fail_memory(err);
    for (size_t j = 0; j < a->columns; j++) {
        if (!s->children[j])
            return ilk_fail(err, ILK_EDATA, "arrow: column %zu is not there", j + 1);
        ILK_TRY(read_type(&a->column[j], s->children[j], err));
    }
    return ILK_OK;
}

ilk_status ilk_feed_arrow(ilk_feed *out, struct ArrowArrayStream *stream, ilk_error *err) {
    arrow *a = ilk_zalloc(1, sizeof *a);
    if (!a) {
        stream->release(stream);
        return ilk_fail_memory(err);
    }
    a->stream = *stream;
    stream->release = NULL;
    *out = (ilk_feed){.ctx = a, .count = 1, .name = name, .open = open, .read = read_nothing, .free = free_arrow};
    int code = a->stream.get_schema(&a->stream, &a->schema);
    if (code != 0)
        a->schema.release = NULL; /* nothing was made */
    ilk_status status = code ? stream_failed(a, code, err) : read_types(a, err);
    if (status != ILK_OK)
        free_arrow(a);
    return status;
}

ilk_status ilk_arrow_columns(const ilk_feed *feed, ilk_head *head, ilk_error *err) {
    const arrow *a = feed->ctx;
    for (size_t j = 0; j < a->columns; j++) {
        const char *given = a->schema.children[j]->name;
        char number[24];
        snprintf(number, sizeof number, "%zu", j + 1);
        const char *text = given && given[0] ? given : number;
        bool string = a->column[j].words || a->column[j].kind >= TEXT || a->column[j].kind == FLAG;
        ilk_status status = ilk_head_add(head, (ilk_str){text, strlen(text)}, string ? ILK_HINT_STRING : ILK_HINT_NONE);
        if (status == ILK_EDATA)
            return ilk_fail(err, ILK_EDATA, "arrow: two columns are named '%.60s'", text);
        if (status != ILK_OK)
            return ilk_fail_memory(err);
    }
    return ILK_OK;
}

/* ---- batches */

/* May rows first … first + n - 1 of an array of this kind be read, as far as that can be told? */
static bool is_sound(const struct ArrowArray *x, kind k, int64_t first, int64_t n) {
    int64_t buffers = k == MISSING ? 0 : k >= TEXT ? 3 : 2;
    if (!x || x->length < 0 || x->offset < 0 || x->offset > INT64_MAX - x->length)
        return false;
    if (first < 0 || n < 0 || first > x->length - n)
        return false;
    return k == MISSING || n == 0 || (x->n_buffers == buffers && x->buffers && x->buffers[1]);
}

static ilk_status check_batch(const arrow *a, ilk_error *err) {
    const struct ArrowArray *b = &a->batch;
    if (b->length < 0 || b->offset < 0 || b->offset > INT64_MAX - b->length || b->n_children != (int64_t)a->columns ||
        !b->children)
        return ilk_fail(err, ILK_EDATA, "arrow: a batch that is not of the stream's type");
    for (size_t j = 0; j < a->columns; j++) {
        const struct ArrowArray *x = b->children[j];
        const column *c = &a->column[j];
        bool sound = is_sound(x, c->kind, b->offset, b->length);
        if (sound && c->words)
            sound = x->dictionary && is_sound(x->dictionary, c->words, 0, x->dictionary->length);
        if (!sound)
            return ilk_fail(err, ILK_EDATA, "arrow:%" PRIu64 ": column %.60s: an array of the wrong size", a->rows + 1,
                            a->schema.children[j]->name ? a->schema.children[j]->name : "");
    }
    return ILK_OK;
}

/* The next batch that has rows; *more = false at the end. */
static ilk_status fetch_batch(arrow *a, bool *more, ilk_error *err) {
    while (!a->batch.release || a->row >= a->batch.length) {
        release_batch(a);
        a->row = 0;
        int code = a->stream.get_next(&a->stream, &a->batch);
        if (code != 0) {
            a->batch = (struct ArrowArray){0};
            return stream_failed(a, code, err);
        }
        *more = a->batch.release != NULL;
        if (!*more)
            return ILK_OK;
        ILK_TRY(check_batch(a, err));
    }
    *more = true;
    return ILK_OK;
}

/* ---- packing */

static bool bit(const void *bits, int64_t i) {
    return ((const uint8_t *)bits)[i >> 3] >> (i & 7) & 1;
}

/* i counts from the buffers' begin: the array's offset is in it. */
static bool is_null(const struct ArrowArray *x, int64_t i) {
    return x->null_count != 0 && x->n_buffers > 0 && x->buffers && x->buffers[0] && !bit(x->buffers[0], i);
}

static ilk_status pack(ilk_buffer *b, char tag, const void *bytes, size_t n) {
    ILK_TRY(ilk_buffer_add(b, &tag, 1));
    return ilk_buffer_add(b, bytes, n);
}

static ilk_status pack_double(ilk_buffer *b, double x) {
    return isnan(x) ? pack(b, 'n', NULL, 0) : pack(b, 'd', &x, sizeof x);
}

/* ILK_EDATA for offsets that are none, or a string that no record may hold. */
static ilk_status pack_text(ilk_buffer *b, const struct ArrowArray *x, kind k, int64_t i) {
    int64_t from, to;
    if (k == TEXT) {
        const int32_t *offset = x->buffers[1];
        from = offset[i], to = offset[i + 1];
    } else {
        const int64_t *offset = x->buffers[1];
        from = offset[i], to = offset[i + 1];
    }
    if (from < 0 || to < from || to - from > (int64_t)ILK_RECORD_LIMIT || (to > from && !x->buffers[2]))
        return ILK_EDATA;
    uint32_t n = (uint32_t)(to - from);
    ILK_TRY(pack(b, 's', &n, sizeof n));
    return ilk_buffer_add(b, n ? (const char *)x->buffers[2] + from : "", n);
}

/* A whole number; one of 64 bits without a sign keeps its bits. */
static int64_t whole_at(const void *values, kind k, int64_t i) {
    switch (k) {
    case I8:
        return ((const int8_t *)values)[i];
    case U8:
        return ((const uint8_t *)values)[i];
    case I16:
        return ((const int16_t *)values)[i];
    case U16:
        return ((const uint16_t *)values)[i];
    case I32:
        return ((const int32_t *)values)[i];
    case U32:
        return ((const uint32_t *)values)[i];
    default:
        return ((const int64_t *)values)[i];
    }
}

static ilk_status pack_value(ilk_buffer *b, const struct ArrowArray *x, kind k, int64_t i) {
    const void *values = x->buffers[1];
    if (k == TEXT || k == LARGE_TEXT)
        return pack_text(b, x, k, i);
    if (k == FLAG)
        return pack(b, bit(values, i) ? 't' : 'f', NULL, 0);
    if (k == F32)
        return pack_double(b, (double)((const float *)values)[i]);
    if (k == F64)
        return pack_double(b, ((const double *)values)[i]);
    int64_t whole = whole_at(values, k, i);
    return pack(b, k == U64 ? 'u' : 'i', &whole, sizeof whole);
}

static ilk_status pack_cell(ilk_buffer *b, const struct ArrowArray *x, const column *c, int64_t i) {
    if (c->kind == MISSING || is_null(x, i))
        return pack(b, 'n', NULL, 0);
    if (!c->words)
        return pack_value(b, x, c->kind, i);
    const struct ArrowArray *words = x->dictionary;
    int64_t index = whole_at(x->buffers[1], c->kind, i);
    if (index < 0 || index >= words->length)
        return ILK_EDATA;
    index += words->offset;
    return is_null(words, index) ? pack(b, 'n', NULL, 0) : pack_text(b, words, c->words, index);
}

static ilk_status pack_row(arrow *a, ilk_buffer *b, ilk_error *err) {
    const struct ArrowArray *batch = &a->batch;
    int64_t row = batch->offset + a->row++;
    bool null = is_null(batch, row);
    size_t begin = b->n;
    a->rows++;
    for (size_t j = 0; j < a->columns; j++) {
        const struct ArrowArray *x = batch->children[j];
        ilk_status status = null ? pack(b, 'n', NULL, 0) : pack_cell(b, x, &a->column[j], row + x->offset);
        if (status == ILK_EDATA || b->n - begin > ILK_RECORD_LIMIT)
            return ilk_fail(err, ILK_EDATA,
                            "arrow:%" PRIu64 ": column %.60s: an offset or index out of range, or a "
                            "string of more than %zu MiB",
                            a->rows, a->schema.children[j]->name ? a->schema.children[j]->name : "",
                            ILK_RECORD_LIMIT >> 20);
        if (status != ILK_OK)
            return ilk_fail_memory(err);
    }
    return ILK_OK;
}

ilk_status ilk_arrow_next(ilk_source *source, ilk_text_block *block, bool *more, ilk_error *err) {
    arrow *a = source->feed.ctx;
    block->bytes.n = block->begin = 0;
    block->line = (size_t)a->rows + 1;
    block->name = "arrow";
    block->first = a->rows == 0;
    source->is_open = !ilk_source_is_done(source); /* a stream at its end is not asked again */
    source->next = 1;
    while (source->is_open && block->bytes.n < source->block_size) {
        ILK_TRY(fetch_batch(a, &source->is_open, err));
        if (source->is_open)
            ILK_TRY(pack_row(a, &block->bytes, err));
    }
    source->line = (size_t)a->rows + 1;
    *more = block->bytes.n > 0;
    return ILK_OK;
}

/* ---- packed rows to fields */

static ilk_status start(ilk_parser *s, ilk_str block) {
    /* Reserved as a whole, so that fields already handed out never move; a number is nine bytes and at most 24
     * digits. */
    if (ilk_buffer_reserve(&s->plain, 3 * block.n) != ILK_OK)
        return ILK_ENOMEM;
    return ilk_grow(&s->number, &s->number_cap, s->dialect.head->names.n, sizeof *s->number) ? ILK_ENOMEM : ILK_OK;
}

/* The number of a cell, and its digits unless nobody asks for them. */
static void number_field(ilk_parser *s, size_t j, char tag, const char *at, ilk_str *field) {
    char *to = s->plain.p + s->plain.n;
    char digits[ILK_NUMBER_SIZE];
    size_t n = 0;
    int64_t i;
    uint64_t u;
    bool text = !s->numeric || !s->numeric[j];
    if (tag == 'i') {
        memcpy(&i, at, sizeof i);
        s->number[j] = (double)i;
        n = text ? (size_t)snprintf(digits, sizeof digits, "%" PRId64, i) : 0;
    } else if (tag == 'u') {
        memcpy(&u, at, sizeof u);
        s->number[j] = (double)u;
        n = text ? (size_t)snprintf(digits, sizeof digits, "%" PRIu64, u) : 0;
    } else {
        memcpy(&s->number[j], at, sizeof s->number[j]);
        n = text ? ilk_number_format(digits, s->number[j]) : 0;
    }
    memcpy(to, digits, n);
    s->plain.n += n;
    *field = (ilk_str){to, n};
}

/* Blocks are ours, whole rows of cells; nothing in them can be wrong. */
static const char *cell(ilk_parser *s, size_t j, const char *p, ilk_str *field) {
    char tag = *p++;
    s->number[j] = (double)NAN;
    *field = (ilk_str){"", 0};
    if (tag == 't')
        *field = (ilk_str){"true", 4};
    if (tag == 'f')
        *field = (ilk_str){"false", 5};
    if (tag == 'n' || tag == 't' || tag == 'f')
        return p;
    if (tag == 's') {
        uint32_t n;
        memcpy(&n, p, sizeof n);
        *field = (ilk_str){p + sizeof n, n};
        return p + sizeof n + n;
    }
    number_field(s, j, tag, p, field);
    return p + 8;
}

static bool row(ilk_parser *s, ilk_str *fields, size_t columns) {
    size_t n = s->dialect.head->names.n;
    s->next_line++;
    s->found = n;
    for (size_t j = 0; j < n; j++) {
        ilk_str field;
        s->at = cell(s, j, s->at, &field);
        if (j < columns)
            fields[j] = field;
    }
    return true;
}

const ilk_records ilk_records_arrow = {.name = "arrow", .missing = "", .start = start, .row = row};
