/* SPDX-License-Identifier: Apache-2.0 */
/* table_blocks.c - the blocks of a table, one after the other.
 *
 * Invariant: blocks that leave this file hold rows only. Headers are stepped over (block->begin) as blocks come in, and
 * what is large leaves in parts.
 */
#include "core/memory.h"
#include "data/arrow.h"
#include "data/table.h"
#include "kernels/kernels.h"

#include <stdio.h>

/* A header's field is the name that set_names has made of the first file's. */
static bool is_name(ilk_str field, ilk_str name, size_t j) {
    char number[24];
    if (field.n == 0)
        field = (ilk_str){number, (size_t)snprintf(number, sizeof number, "%zu", j + 1)};
    return ilk_str_equal(field, name);
}

/* Tables that were put together from different exports are the commonest way to learn nonsense: the first difference is
 * an error. */
static ilk_status compare_header(const ilk_table *t, const ilk_text_block *block, const ilk_parser *parser,
                                 const ilk_str *fields, ilk_error *err) {
    if (parser->found != t->columns)
        return ilk_fail(err, ILK_EDATA, "%s:%zu: a header of %zu columns, %zu in the first file", block->name,
                        parser->line, parser->found, t->columns);
    for (size_t j = 0; j < t->columns; j++)
        if (!is_name(fields[j], t->names[j], j))
            return ilk_fail(err, ILK_EDATA, "%s:%zu: column %zu is '%.*s', in the first file '%.*s'", block->name,
                            parser->line, j + 1, ILK_SHOW(fields[j]), ILK_SHOW(t->names[j]));
    return ILK_OK;
}

/* A later file repeats the header of the first: hold it against that one and step over it. */
static ilk_status drop_header(ilk_table *t, ilk_text_block *block, ilk_error *err) {
    ilk_parser parser = {0};
    ilk_str *fields = ilk_zalloc(t->columns, sizeof *fields);
    ilk_status status =
        fields ? ilk_parser_start(&parser, &t->source.dialect, ilk_text_block_rest(block), block->line) : ILK_ENOMEM;
    if (status != ILK_OK)
        ilk_fail_memory(err);
    else if (ilk_parser_names(&parser, fields, t->columns) != ILK_ROW_NONE) {
        status = compare_header(t, block, &parser, fields, err);
        t->awaiting_header = false;
        ilk_text_block_begin_at(block, &parser);
    }
    ilk_parser_free(&parser);
    ilk_free(fields);
    return status;
}

static bool same_values(const ilk_head *a, const ilk_head *b, size_t j) {
    const ilk_declared *x = &a->declared[j], *y = &b->declared[j];
    bool same = x->hint == y->hint && x->n == y->n;
    for (uint32_t i = 0; same && i < x->n; i++)
        same = ilk_str_equal(ilk_dict_key(&a->values, x->first + i), ilk_dict_key(&b->values, y->first + i));
    return same;
}

static ilk_status compare_heads(const ilk_table *t, const char *file, ilk_error *err) {
    const ilk_head *first = &t->head, *other = &t->next_head;
    if (first->names.n != other->names.n)
        return ilk_fail(err, ILK_EDATA, "%s: a header of %zu columns, %zu in the first file", file, other->names.n,
                        first->names.n);
    for (uint32_t j = 0; j < first->names.n; j++) {
        ilk_str name = ilk_dict_key(&other->names, j);
        if (!ilk_str_equal(name, t->names[j]))
            return ilk_fail(err, ILK_EDATA, "%s: column %u is '%.*s', in the first file '%.*s'", file, j + 1,
                            ILK_SHOW(name), ILK_SHOW(t->names[j]));
        if (!same_values(first, other, j))
            return ilk_fail(err, ILK_EDATA, "%s: column %.*s is declared otherwise than in the first file", file,
                            ILK_SHOW(name));
    }
    return ILK_OK;
}

/* A header in a form of its own, which may go on for blocks. That of the first file says what the columns are, the
 * others say the same. */
static ilk_status read_head(ilk_table *t, ilk_text_block *block, ilk_error *err) {
    bool done = false;
    ILK_TRY(ilk_table_reader(t)->header(t->names ? &t->next_head : &t->head, block, &done, err));
    if (!done)
        return ILK_OK;
    t->awaiting_header = false;
    ilk_status status = t->names ? compare_heads(t, block->name, err) : ilk_table_names_from_head(t, err);
    ilk_head_free(&t->next_head);
    return status;
}

ilk_status ilk_table_fetch(ilk_table *t, ilk_text_block *block, bool *more, ilk_error *err) {
    bool arrow = t->source.dialect.format == ILK_FORMAT_ARROW;
    ILK_TRY((arrow ? ilk_arrow_next : ilk_source_next)(&t->source, block, more, err));
    if (t->awaiting_header && ilk_table_reader(t)->header && (!*more || block->first))
        return ilk_fail(err, ILK_EDATA, "%s: a header without end", t->headed);
    if (!*more)
        return ILK_OK;
    t->awaiting_header |= t->header && block->first;
    if (!t->awaiting_header)
        return ILK_OK;
    t->headed = block->name;
    return ilk_table_reader(t)->header ? read_head(t, block, err) : drop_header(t, block, err);
}

/* The next block: of those kept by looking ahead, as long as there are any, then of the input. */
static ilk_status whole_block(ilk_table *t, ilk_text_block *block, bool *more, ilk_error *err) {
    if (t->replayed == t->ahead_n)
        return ilk_table_fetch(t, block, more, err);
    ilk_buffer_free(&block->bytes); /* so that what was kept ahead is let go block by block */
    *block = t->ahead[t->replayed];
    t->ahead[t->replayed++] = (ilk_text_block){0};
    *more = true;
    return ILK_OK;
}

/* ---- parts. The beginning of a stream, which was read at once, would keep one thread busy while the others wait for
 * their turn; and whoever asks may want few rows at a time. */

static bool is_text(const ilk_table *t) {
    return t->source.dialect.format != ILK_FORMAT_ARROW;
}

static bool has_many_bytes(const ilk_table *t, ilk_str bytes) {
    return is_text(t) && bytes.n >= 2 * t->source.block_size;
}

static bool may_have_many_rows(const ilk_table *t, ilk_str bytes) {
    return t->most_rows > 0 && (!is_text(t) || ilk_kernels_use()->census(bytes.p, bytes.n).newlines >= t->most_rows);
}

/* Rows that a part begins with. */
typedef struct beginning {
    size_t bytes, line; /* how long it is, and the line behind it */
} beginning;

/* About as many as a block has, up to a record end: of a long record, all. */
static beginning of_bytes(const ilk_table *t, ilk_str bytes, size_t line) {
    size_t n = 0;
    for (size_t some = t->source.block_size; n == 0 && some < bytes.n; some *= 2)
        n = ilk_source_cut(&t->source, (ilk_str){bytes.p, some});
    n = n ? n : bytes.n;
    return (beginning){n, line + ilk_kernels_use()->census(bytes.p, n).newlines};
}

static ilk_status of_rows(beginning *out, const ilk_table *t, ilk_str bytes, size_t line) {
    ilk_parser parser = {0};
    ilk_status status = ilk_parser_start(&parser, &t->source.dialect, bytes, line);
    for (size_t i = 0; status == ILK_OK && i < t->most_rows; i++)
        if (ilk_parser_row(&parser, NULL, 0) == ILK_ROW_NONE)
            break;
    if (status == ILK_OK)
        *out = (beginning){(size_t)(parser.at - bytes.p), parser.next_line};
    ilk_parser_free(&parser);
    return status;
}

static ilk_status measure(beginning *out, const ilk_table *t, ilk_str bytes, size_t line) {
    *out = (beginning){bytes.n, line};
    if (has_many_bytes(t, bytes))
        *out = of_bytes(t, bytes, line);
    bytes.n = out->bytes;
    return may_have_many_rows(t, bytes) ? of_rows(out, t, bytes, line) : ILK_OK;
}

/* The next rows of t->rest, copied into `part`: what is behind them stays where it is. */
static ilk_status copy_part(ilk_text_block *rest, ilk_text_block *block, ilk_buffer part, const beginning *next) {
    part.n = 0;
    ilk_status status = ilk_buffer_add(&part, ilk_text_block_rest(rest).p, next->bytes);
    *block = *rest;
    block->bytes = part;
    block->begin = 0;
    rest->begin += next->bytes;
    rest->line = next->line;
    return status;
}

/* The last rows of t->rest leave as they are: a copy of a long record would be as long again. */
static ilk_status take_part(ilk_table *t, ilk_text_block *block, ilk_error *err) {
    ilk_str bytes = ilk_text_block_rest(&t->rest);
    beginning next;
    ilk_status status = measure(&next, t, bytes, t->rest.line);
    if (status == ILK_OK && next.bytes < bytes.n)
        status = copy_part(&t->rest, block, block->bytes, &next);
    else if (status == ILK_OK) {
        ilk_buffer_free(&block->bytes);
        *block = t->rest;
        t->rest = (ilk_text_block){0};
    }
    return status == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

ilk_status ilk_table_next(ilk_table *t, ilk_text_block *block, bool *more, ilk_error *err) {
    *more = true;
    if (t->rest.bytes.n == 0) {
        ILK_TRY(whole_block(t, block, more, err));
        ilk_str bytes = ilk_text_block_rest(block);
        if (!*more || !(has_many_bytes(t, bytes) || may_have_many_rows(t, bytes)))
            return ILK_OK;
        t->rest = *block;
        block->bytes = (ilk_buffer){0};
    }
    return take_part(t, block, err);
}

/* About as many as there will be: long records make fewer. */
static size_t parts(const ilk_table *t, const ilk_text_block *block) {
    ilk_str bytes = ilk_text_block_rest(block);
    return has_many_bytes(t, bytes) ? bytes.n / t->source.block_size : 1;
}

size_t ilk_table_blocks_left(const ilk_table *t) {
    size_t n = 0;
    for (size_t i = t->replayed; i < t->ahead_n; i++)
        n += parts(t, &t->ahead[i]);
    return t->most_rows == 0 && ilk_source_is_done(&t->source) ? n : SIZE_MAX;
}
