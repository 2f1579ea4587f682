/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_dirs.c - any bytes as documents of folders: each is a row, with its class and its text to the byte.
 *
 * The first byte is the size of blocks, the second that of pieces; a byte of 255 ends a document, whose first four bytes
 * are the name of its class. A NUL byte becomes U+FFFD, as do bytes that are not UTF-8, however many there are in all; a
 * class that is not UTF-8 is refused. */
#include "core/memory.h"
#include "data/folder.h"
#include "data/table.h"
#include "text/encoding.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 8, CLASS = 4 };

typedef struct documents {
    char label[MOST][CLASS + 1]; /* without what no name of a folder can have */
    ilk_str text[MOST];
    size_t n;
} documents;

static documents split(const char *p, size_t size) {
    documents d = {.n = 0};
    for (const char *end = p + size; p < end && d.n < MOST; d.n++) {
        const char *stop = memchr(p, 255, (size_t)(end - p));
        ilk_str all = {p, (size_t)((stop ? stop : end) - p)};
        size_t name = all.n < CLASS ? all.n : CLASS;
        for (size_t i = 0; i < CLASS; i++)
            d.label[d.n][i] = i < name && all.p[i] && all.p[i] != '/' ? all.p[i] : 'x';
        d.text[d.n] = (ilk_str){all.p + name, all.n - name};
        p = all.p + all.n + 1;
    }
    return d;
}

static ilk_folder folder_of(const documents *d) {
    ilk_folder f = {.n = d->n};
    f.path = ilk_zalloc(d->n, sizeof *f.path);
    f.root = ilk_zalloc(d->n, sizeof *f.root);
    for (size_t i = 0; f.path && f.root && i < d->n; i++) {
        f.root[i] = 1;
        f.path[i] = ilk_alloc(CLASS + 32, 1);
        if (!f.path[i])
            abort();
        snprintf(f.path[i], CLASS + 32, "r/%s/%zu", d->label[i], i);
    }
    return f;
}

static ilk_table *open_documents(const documents *d, size_t block, size_t piece) {
    ilk_folder folder = folder_of(d);
    ilk_feed feed;
    ilk_table *table = NULL;
    ilk_read_options o;
    ilk_read_options_init(&o);
    o.format = ILK_FORMAT_CSV;
    o.header = ILK_HEADER_YES;
    if (ilk_feed_memory(&feed, d->text, d->n, piece, NULL) != ILK_OK ||
        ilk_feed_documents(&feed, &folder, NULL) != ILK_OK)
        abort();
    ilk_table_open_feed(&table, &feed, &o, block, NULL);
    return table;
}

/* Is the field the text, but for NUL bytes? Not asked where the text is not UTF-8. */
static bool is_text(ilk_str field, ilk_str text) {
    size_t at = 0, beyond = 0;
    bool cut;
    if (ilk_utf8_prefix(text.p, text.n, &beyond, &cut) < text.n)
        return true;
    for (size_t i = 0; i < text.n; i++) {
        ilk_str want = text.p[i] ? (ilk_str){text.p + i, 1} : (ilk_str){"\xEF\xBF\xBD", 3};
        if (field.n - at < want.n || memcmp(field.p + at, want.p, want.n) != 0)
            return false;
        at += want.n;
    }
    return at == field.n;
}

static void check_rows(ilk_table *table, const documents *d) {
    ilk_text_block block = {0};
    ilk_parser parser = {0};
    ilk_str fields[3];
    size_t row = 0;
    ilk_status status = ILK_OK;
    for (bool more = true; (status = ilk_table_next(table, &block, &more, NULL)) == ILK_OK && more;) {
        if (ilk_parser_start(&parser, &table->source.dialect, ilk_text_block_rest(&block), block.line) != ILK_OK)
            abort();
        for (; ilk_parser_row(&parser, fields, 3) == ILK_ROW; row++)
            if (row >= d->n || !is_text(fields[1], (ilk_str){d->label[row], CLASS}) ||
                !is_text(fields[2], d->text[row])) {
                fprintf(stderr, "document %zu is not what it was\n", row);
                abort();
            }
    }
    if (status == ILK_OK && row != d->n) {
        fprintf(stderr, "%zu rows of %zu documents\n", row, d->n);
        abort();
    }
    ilk_parser_free(&parser);
    ilk_buffer_free(&block.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3)
        return 0;
    const documents d = split((const char *)data + 2, size - 2);
    ilk_table *table = open_documents(&d, 32 + (size_t)data[0] * 4, 1 + data[1] % 32);
    if (table)
        check_rows(table, &d);
    ilk_table_free(table);
    return 0;
}
