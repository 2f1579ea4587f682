/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_arrow.c - any bytes as a stream of Arrow batches: types, names, lengths, offsets, nulls, dictionaries and what
 * the buffers hold are the input's. Buffers are as large as the interface promises and no larger, and are gone once
 * their batch is released, so that a sanitizer sees every step beyond.
 *
 * Laws: a batch has as many rows cut into slices as in one piece, and what was handed over is released once. */
#include "fuzz_tables.h"

#include <errno.h>
#include <string.h>

enum { COLUMNS = 5, BYTES = 32, NAME = 4 }; /* most columns; bytes of a text buffer; of a name, with its end */
enum { UTF8 = 12, LARGE_UTF8 = 13 };        /* places in formats */

static const char formats[] = "nbcCsSiIlLfguUezt"; /* all that are read, and three that are not */
static const uint8_t width[] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 4, 8, 2, 4, 4};

/* ---- the input, byte by byte; behind its end there are zeros */

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint8_t take(input *in) {
    return in->at < in->end ? *in->at++ : 0;
}

/* ---- a producer */

typedef struct producer {
    input batch; /* where the batches that are left begin */
    int columns, batches, fail_at;
    int64_t slice, from; /* rows of a slice (0: no slices), and where the next begins in its batch */
    char name[COLUMNS][NAME], format[COLUMNS][2];
    uint8_t type[COLUMNS]; /* places in formats */
    bool coded[COLUMNS];   /* indices into a dictionary of strings */
    int alive;             /* types and batches that were given and not released */
} producer;

static int streams; /* not released */

static void *make(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        abort();
    return p;
}

static void fill(void *buffer, size_t n, input *in) {
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)buffer)[i] = take(in);
}

/* ---- types */

static void release_schema(struct ArrowSchema *s) {
    for (int64_t j = 0; j < s->n_children; j++) {
        free(s->children[j]->dictionary);
        free(s->children[j]);
    }
    free(s->children);
    ((producer *)s->private_data)->alive--;
    s->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    producer *p = stream->private_data;
    if (p->fail_at == 1)
        return EIO;
    *out = (struct ArrowSchema){.format = p->fail_at == 2 ? "+l" : "+s", .n_children = p->columns, .private_data = p};
    out->children = make((size_t)p->columns, sizeof *out->children);
    out->release = release_schema;
    for (int j = 0; j < p->columns; j++) {
        out->children[j] = make(1, sizeof **out->children);
        *out->children[j] = (struct ArrowSchema){.format = p->format[j], .name = p->name[j][0] ? p->name[j] : NULL};
        if (p->coded[j]) {
            out->children[j]->dictionary = make(1, sizeof **out->children);
            out->children[j]->dictionary->format = p->type[j] % 2 ? "u" : "U";
        }
    }
    p->alive++;
    return 0;
}

/* ---- arrays */

/* Offsets of a text may be anything that stays within its buffer, or comes before its begin. */
static void fill_offsets(void *buffer, size_t n, bool large, input *in) {
    bool rise = take(in) & 1;
    int64_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t byte = take(in);
        last = rise ? (last + byte % 5 < BYTES ? last + byte % 5 : BYTES) : (int64_t)(byte % (BYTES + 2)) - 1;
        int32_t small = (int32_t)last;
        if (large)
            memcpy((char *)buffer + i * sizeof last, &last, sizeof last);
        else
            memcpy((char *)buffer + i * sizeof small, &small, sizeof small);
    }
}

/* An array for `rows` rows behind an offset of its own; what it says of its length may be less. */
static struct ArrowArray *make_array(input *in, uint8_t type, int64_t rows) {
    struct ArrowArray *a = make(1, sizeof *a);
    uint8_t odd = take(in);
    bool text = formats[type] == 'u' || formats[type] == 'U';
    a->offset = take(in) % 4;
    a->length = odd % 16 == 1 ? rows - take(in) : rows;
    a->null_count = (int64_t)(take(in) % 3) - 1;
    a->n_buffers = odd % 16 == 2 ? 1 : formats[type] == 'n' ? 0 : text ? 3 : 2;
    a->buffers = make(3, sizeof *a->buffers);
    size_t n = (size_t)(rows + a->offset), values = (n + text) * width[type];
    void *valid = make((n + 7) / 8, 1), *data = make(values, 1), *bytes = make(BYTES, 1);
    fill(valid, (n + 7) / 8, in);
    if (text)
        fill_offsets(data, n + 1, formats[type] == 'U', in);
    else
        fill(data, values, in);
    fill(bytes, text ? BYTES : 0, in);
    a->buffers[0] = valid, a->buffers[1] = data, a->buffers[2] = bytes;
    for (int i = 0; i < 3; i++)
        if (odd % 16 == 3 + i) { /* a buffer that is not there */
            free((void *)(uintptr_t)a->buffers[i]);
            a->buffers[i] = NULL;
        }
    return a;
}

static void free_array(struct ArrowArray *a) {
    if (!a)
        return;
    for (int i = 0; i < 3; i++)
        free((void *)(uintptr_t)a->buffers[i]);
    free(a->buffers);
    free_array(a->dictionary);
    free(a);
}

static void release_batch(struct ArrowArray *a) {
    for (int64_t j = 0; j < a->n_children; j++)
        free_array(a->children[j]);
    free(a->children);
    if (a->buffers)
        free((void *)(uintptr_t)a->buffers[0]);
    free(a->buffers);
    ((producer *)a->private_data)->alive--;
    a->release = NULL;
}

/* The batch at `in`, which is left behind it; or, of a producer of slices, the next slice of it. */
static void make_batch(producer *p, input *in, struct ArrowArray *out) {
    int64_t length = take(in) % 24, offset = take(in) % 4;
    *out = (struct ArrowArray){.length = length, .offset = offset, .n_children = p->columns, .private_data = p};
    out->children = make((size_t)p->columns, sizeof *out->children);
    for (int j = 0; j < p->columns; j++) {
        out->children[j] = make_array(in, p->type[j], length + offset);
        if (p->coded[j])
            out->children[j]->dictionary = make_array(in, p->type[j] % 2 ? UTF8 : LARGE_UTF8, take(in) % 6);
    }
    out->release = release_batch;
    p->alive++;
    if (take(in) & 1) { /* rows that are null as a whole */
        void *valid = make((size_t)(length + offset + 7) / 8, 1);
        fill(valid, (size_t)(length + offset + 7) / 8, in);
        out->buffers = make(1, sizeof *out->buffers);
        out->buffers[0] = valid;
        out->n_buffers = 1;
        out->null_count = -1;
    }
    if (p->slice > 0) {
        out->offset += p->from;
        out->length = length - p->from < p->slice ? length - p->from : p->slice;
    }
    p->from += out->length;
    if (p->from >= length)
        p->from = 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    producer *p = stream->private_data;
    *out = (struct ArrowArray){0};
    if (p->batches == 0)
        return 0;
    if (p->fail_at == 2 + p->batches)
        return ENOMEM;
    input in = p->batch;
    make_batch(p, &in, out);
    if (p->from == 0) {
        p->batch = in;
        p->batches--;
    }
    return 0;
}

static const char *last_error(struct ArrowArrayStream *stream) {
    producer *p = stream->private_data;
    return p->columns % 2 ? "no reason" : NULL;
}

static void release_stream(struct ArrowArrayStream *stream) {
    producer *p = stream->private_data;
    if (p->alive != 0)
        abort(); /* before what it gave */
    free(p);
    streams--;
    stream->release = NULL;
}

/* ---- the target */

static void begin(producer *p, input in, int64_t slice) {
    *p = (producer){.slice = slice};
    p->columns = 1 + take(&in) % COLUMNS;
    p->batches = take(&in) % 4;
    p->fail_at = take(&in) % 32;
    for (int j = 0; j < p->columns; j++) {
        uint8_t type = take(&in);
        p->type[j] = type % (uint8_t)(sizeof formats - 1);
        p->format[j][0] = formats[p->type[j]];
        p->coded[j] = type & 128;
        fill(p->name[j], take(&in) % NAME, &in);
    }
    p->batch = in;
}

static ilk_table *open_arrow(const reading *r, size_t rows) {
    producer *p = make(1, sizeof *p);
    ilk_table *table = NULL;
    ilk_read_options options;
    ilk_read_options_init(&options);
    options.skip_bad_rows = true;
    const uint8_t *bytes = (const uint8_t *)r->bytes.p;
    begin(p, (input){bytes, bytes + r->bytes.n}, rows == LARGE ? 0 : (int64_t)rows);
    streams++;
    struct ArrowArrayStream stream = {get_schema, get_next, last_error, release_stream, p};
    ilk_table_from_arrow(&table, &stream, &options, NULL);
    if (stream.release)
        abort();
    return table;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0) {
        const reading r = {.bytes = {(const char *)data + 1, size - 1}, .same = true, .open = open_arrow};
        fuzz_table(&r, 1 + data[0] % 5);
    }
    if (streams != 0)
        abort();
    return 0;
}
