/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - opening: dialect, header, names, and the rows looked at before the pass.
 *
 * Opening reads no more than tells these. What the columns hold is asked by those who infer a schema, and they look
 * further ahead.
 *
 * The first file's header is stepped over when it has been found to be one; table_blocks.c steps over the others.
 */
#include "data/table.h"
#include "core/memory.h"
#include "core/number.h"
#include "data/arrow.h"
#include "data/columns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void ilk_table_free(ilk_table *table) {
    if (!table)
        return;
    for (size_t i = 0; i < table->ahead_n; i++)
        ilk_buffer_free(&table->ahead[i].bytes);
    ilk_free(table->ahead);
    ilk_buffer_free(&table->rest.bytes);
    ilk_free(table->names);
    ilk_head_free(&table->head);
    ilk_head_free(&table->next_head);
    ilk_buffer_free(&table->text);
    ilk_missing_free(&table->missing);
    ilk_free(table->missing_text);
    ilk_reservoir_free(&table->reservoir);
    ilk_source_free(&table->source);
    ilk_free(table);
}

size_t ilk_table_columns(const ilk_table *table) {
    return table->columns;
}

ilk_str ilk_table_column(const ilk_table *table, size_t j) {
    return j < table->columns ? table->names[j] : (ilk_str){"", 0};
}

ilk_status ilk_table_find(size_t *out, const ilk_table *table, ilk_str name, ilk_error *err) {
    return ilk_columns_find(out, table->names, table->columns, name, err);
}

ilk_status ilk_table_find_all(bool *found, const ilk_table *table, const char *list, ilk_error *err) {
    return ilk_columns_mark(found, table->names, table->columns, list, err);
}

ilk_status ilk_table_tell(const ilk_table *t, const ilk_text_block *block, uint64_t rows, ilk_progress_fn progress,
                          void *ctx, ilk_error *err) {
    const ilk_progress at = {rows, block->position, t->source.feed.total_bytes};
    return progress ? ilk_fail_callback(err, progress(ctx, &at)) : ILK_OK;
}

ilk_status ilk_table_blame(ilk_error *err, ilk_status status, const ilk_table *table) {
    const ilk_feed *feed = &table->source.feed;
    const char *first = feed->name(feed->ctx, 0);
    return feed->count > 1 ? ilk_blame(err, status, "%s and %zu more", first, feed->count - 1)
                           : ilk_blame(err, status, "%s", first);
}

ilk_status ilk_table_names_from_head(ilk_table *t, ilk_error *err) {
    size_t n = t->head.names.n;
    t->names = ilk_alloc(n, sizeof *t->names);
    if (!t->names)
        return ilk_fail_memory(err);
    for (uint32_t j = 0; j < n; j++)
        t->names[j] = ilk_dict_key(&t->head.names, j);
    t->columns = n;
    return ILK_OK;
}

/* ---- the first record */

/* Append a block from the input to those kept. */
static ilk_status look_further(ilk_table *t, bool *more, ilk_error *err) {
    if (ilk_grow(&t->ahead, &t->ahead_cap, t->ahead_n + 1, sizeof *t->ahead))
        return ilk_fail_memory(err);
    ilk_text_block *block = &t->ahead[t->ahead_n];
    *block = (ilk_text_block){0};
    ilk_status status = ilk_table_fetch(t, block, more, err);
    if (status != ILK_OK || !*more) {
        ilk_buffer_free(&block->bytes);
        return status;
    }
    t->ahead_n++;
    t->ahead_bytes += block->bytes.n;
    t->ahead_lines += t->source.line - block->line;
    return ILK_OK;
}

/* Does a field of the first record come again in its column? */
static bool recurs(const ilk_table *t, ilk_parser *parser, const ilk_str *names, ilk_str *row) {
    for (ilk_row_state state; (state = ilk_parser_row(parser, row, t->columns)) != ILK_ROW_NONE;)
        for (size_t j = 0; state == ILK_ROW && j < t->columns; j++)
            if (ilk_str_equal(names[j], row[j]) && !ilk_missing_has(&t->missing, row[j]))
                return true;
    return false;
}

enum { NOTHING, NUMBERS, WORDS }; /* what stands in a column below its first field */

/* Is one of the fields, none of which is a number, above numbers only? `below` is all NOTHING. */
static bool heads_numbers(const ilk_table *t, ilk_parser *parser, const ilk_str *names, ilk_str *row, char *below) {
    size_t words = 0;
    double x;
    for (ilk_row_state state; words < t->columns && (state = ilk_parser_row(parser, row, t->columns)) != ILK_ROW_NONE;)
        for (size_t j = 0; state == ILK_ROW && j < t->columns; j++)
            if (below[j] != WORDS && !ilk_missing_has(&t->missing, row[j])) {
                bool name = !ilk_missing_has(&t->missing, names[j]) && ilk_number_parse(&x, row[j]);
                below[j] = name ? NUMBERS : WORDS;
                words += !name;
            }
    return memchr(below, NUMBERS, t->columns) != NULL;
}

/* Do the fields of the first record look like names? Not if one is a number, or comes again in its column in the rest
 * of the first block, which is a MiB of the stream or all of it. But y above numbers is a name, even if another column
 * is named n and holds y and n. `fields` has room for a second row and a byte for each column. */
static bool looks_like_header(const ilk_table *t, const ilk_parser *parser, ilk_str *fields) {
    ilk_str *row = fields + t->columns;
    ilk_parser once = *parser, again = *parser; /* copies of the place: they share the buffer and are not freed */
    bool semicolons = t->source.dialect.delimiter == ';';
    double x;
    for (size_t j = 0; j < t->columns; j++)
        if (ilk_number_parse(&x, fields[j]) || (semicolons && ilk_decimal_comma(fields[j])))
            return false;
    return !recurs(t, &once, fields, row) || heads_numbers(t, &again, fields, row, (char *)(row + t->columns));
}

static size_t find_field(const ilk_table *t, const ilk_str *fields, ilk_str name, size_t from) {
    for (size_t i = 0; i < t->columns; i++)
        if (ilk_str_equal(fields[(from + i) % t->columns], name))
            return (from + i) % t->columns;
    return SIZE_MAX;
}

/* Are all features of the schema among the fields? Numbers alone may be a row of a table without names, unless the
 * target's name or the weight's, which is none, stands beside them. */
static bool names_features(const ilk_table *t, const ilk_schema *schema, const ilk_str *fields) {
    bool named = false;
    double x;
    for (size_t j = 0, at = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *column = ilk_schema_column(schema, j);
        if (column->role == ILK_IGNORED)
            continue;
        size_t found = find_field(t, fields, column->name, at);
        if (found != SIZE_MAX)
            at = found;
        else if (column->role == ILK_FEATURE)
            return false;
        named = named || (found != SIZE_MAX && !ilk_number_parse(&x, column->name));
    }
    return named;
}

/* Keep the names: a header's fields, and the column's number where there is none. */
static ilk_status set_names(ilk_table *t, const ilk_str *fields, ilk_error *err) {
    size_t total = 0;
    for (size_t j = 0; j < t->columns; j++)
        total += (fields ? fields[j].n : 0) + 21; /* or a number of up to 20 digits */
    t->names = ilk_alloc(t->columns, sizeof *t->names);
    if (!t->names || ilk_buffer_reserve(&t->text, total) != ILK_OK)
        return ilk_fail_memory(err);
    for (size_t j = 0; j < t->columns; j++) {
        char *p = t->text.p + t->text.n;
        size_t n = fields ? fields[j].n : 0;
        if (n > 0)
            memcpy(p, fields[j].p, n);
        else
            n = (size_t)snprintf(p, 21, "%zu", j + 1);
        t->names[j] = (ilk_str){p, n};
        t->text.n += n;
    }
    return ILK_OK;
}

/* Columns are found by name, so a name that two of them have would mean either. */
static ilk_status refuse_twins(const ilk_table *t, const ilk_text_block *block, size_t line, ilk_error *err) {
    size_t twin;
    ILK_TRY(ilk_columns_twin(&twin, t->names, t->columns, err));
    if (twin == SIZE_MAX)
        return ILK_OK;
    return ilk_fail(err, ILK_EDATA, "%s:%zu: two columns are named '%.*s'", block->name, line,
                    ILK_SHOW(t->names[twin]));
}

/* With the parser behind the first record: is it a header? Fills names. */
static ilk_status take_first_record(ilk_table *t, const ilk_read_options *o, ilk_parser *parser, ilk_text_block *block,
                                    ilk_str *fields, ilk_error *err) {
    ilk_status status = ilk_parser_start(parser, &t->source.dialect, ilk_text_block_rest(block), block->line);
    if (status != ILK_OK)
        return ilk_fail_memory(err);
    ilk_row_state state = ilk_parser_names(parser, fields, t->columns);
    if (state != ILK_ROW)
        return ilk_table_fault(t, block, parser, state, err);
    t->header_told = o->header == ILK_HEADER_YES;
    t->header = t->header_told ||
                (o->header == ILK_HEADER_AUTO &&
                 ((o->schema && names_features(t, o->schema, fields)) || looks_like_header(t, parser, fields)));
    t->unnamed = t->header && fields[0].n == 0;
    ILK_TRY(set_names(t, t->header ? fields : NULL, err));
    if (!t->header)
        return ILK_OK;
    ilk_text_block_begin_at(block, parser);
    return refuse_twins(t, block, parser->line, err);
}

/* Count the columns of the first record, then read it. Sets t->columns unless the block has no record. */
static ilk_status inspect_first(ilk_table *t, const ilk_read_options *options, ilk_text_block *block, ilk_error *err) {
    ilk_parser parser = {0};
    ilk_str *fields = NULL;
    ilk_status status = ilk_parser_start(&parser, &t->source.dialect, ilk_text_block_rest(block), block->line);
    if (status == ILK_OK && ilk_parser_row(&parser, NULL, 0) != ILK_ROW_NONE) {
        t->columns = parser.found;
        if (t->columns > ILK_COLUMN_LIMIT)
            status =
                ilk_fail(err, ILK_EDATA, "%s:%zu: more than %zu columns", block->name, parser.line, ILK_COLUMN_LIMIT);
        else if (!(fields = ilk_zalloc(t->columns, 2 * sizeof *fields + 1)))
            status = ilk_fail_memory(err);
        else
            status = take_first_record(t, options, &parser, block, fields, err);
    } else if (status != ILK_OK)
        ilk_fail_memory(err);
    ilk_parser_free(&parser);
    ilk_free(fields);
    return status;
}

/* ---- opening */

/* Names that every table of the format has. */
static ilk_status fixed_names(ilk_table *t, const char *const *names, ilk_error *err) {
    for (size_t j = 0; j < 2; j++)
        if (ilk_head_add(&t->head, (ilk_str){names[j], strlen(names[j])}, ILK_HINT_NONE) != ILK_OK)
            return ilk_fail_memory(err);
    return ilk_table_names_from_head(t, err);
}

static ilk_status find_columns(ilk_table *t, const ilk_read_options *options, ilk_error *err) {
    const ilk_records *reader = ilk_table_reader(t);
    t->header = reader->header != NULL;
    if (reader->names[0])
        return fixed_names(t, reader->names, err);
    for (bool more = true; t->columns == 0 && (reader->header || reader->first_record);) {
        ILK_TRY(look_further(t, &more, err));
        if (!more)
            return ILK_OK;
        if (reader->first_record)
            ILK_TRY(inspect_first(t, options, &t->ahead[t->ahead_n - 1], err));
    }
    return ILK_OK;
}

/* By whole blocks, up to the bounds. Lines stand for rows here: exact enough to know when to stop. */
static ilk_status fill_ahead(ilk_table *t, size_t bytes, ilk_error *err) {
    bool more = true;
    while (more && t->ahead_bytes < bytes && t->ahead_lines < ILK_AHEAD_ROWS)
        ILK_TRY(look_further(t, &more, err));
    return ILK_OK;
}

ilk_status ilk_table_look_ahead(ilk_table *t, ilk_error *err) {
    return fill_ahead(t, ILK_AHEAD_BYTES, err);
}

ilk_status ilk_table_refuse_empty(const ilk_table *t, ilk_error *err) {
    return ilk_fail(err, ILK_EDATA, "%s: no rows%s", t->source.feed.name(t->source.feed.ctx, 0),
                    t->header ? ", only a header" : "");
}

static ilk_status start_ahead(ilk_parser *parser, const ilk_table *t, size_t i) {
    return ilk_parser_start(parser, &t->source.dialect, ilk_text_block_rest(&t->ahead[i]), t->ahead[i].line);
}

/* What the format learns of its columns from the rows themselves. */
static ilk_status survey(ilk_table *t, ilk_error *err) {
    const ilk_records *reader = ilk_table_reader(t);
    ilk_parser parser = {0};
    ilk_status status = ILK_OK;
    size_t rows = ILK_AHEAD_ROWS;
    for (size_t i = 0; reader->survey && i < t->ahead_n && status == ILK_OK; i++) {
        status = start_ahead(&parser, t, i);
        if (status == ILK_OK)
            status = reader->survey(&t->head, &parser, &rows);
    }
    ilk_parser_free(&parser);
    return status == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

/* Is `name` so like a key that the schema does not know that one of them looks like a slip? */
static bool is_slip(const ilk_table *t, const ilk_schema *schema, ilk_str name) {
    enum { MOST = 64 };
    ilk_str stray[MOST];
    size_t n = 0;
    for (uint32_t i = 0; i < t->head.names.n && n < MOST; i++) {
        ilk_str key = ilk_dict_key(&t->head.names, i);
        if (ilk_schema_find(schema, key) == SIZE_MAX)
            stray[n++] = key;
    }
    return ilk_nearest(stray, n, name) != SIZE_MAX;
}

/* Rows that name their values need not name what they lack: what the schema expects may still come, or be missing in
 * all. But rows that name columns, none of them a feature, are of another table, as will be found where features are
 * looked for; and so will a slip. */
static ilk_status expect(ilk_table *t, const ilk_schema *schema, ilk_error *err) {
    bool ours = false;
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *c = ilk_schema_column(schema, j);
        ours |= c->role == ILK_FEATURE && ilk_dict_find(&t->head.names, 0, c->name) != ILK_UNSEEN;
    }
    if (!ours && (!t->source.live || t->head.names.n > 0))
        return ILK_OK;
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *c = ilk_schema_column(schema, j);
        bool may_come = c->role == ILK_FEATURE || (t->source.live && c->role != ILK_IGNORED);
        if (!may_come || ilk_dict_find(&t->head.names, 0, c->name) != ILK_UNSEEN || is_slip(t, schema, c->name))
            continue;
        if (ilk_head_add(&t->head, c->name, ILK_HINT_NONE) == ILK_ENOMEM)
            return ilk_fail_memory(err);
    }
    return ILK_OK;
}

/* A pipe to be answered as it comes shows its first rows only. */
static ilk_status survey_live(ilk_table *t, const ilk_schema *schema, ilk_error *err) {
    bool more;
    ILK_TRY(look_further(t, &more, err));
    ILK_TRY(survey(t, err));
    if (schema)
        ILK_TRY(expect(t, schema, err));
    return ilk_table_names_from_head(t, err);
}

/* Is there a record at all? Without columns the first can only be at fault. Blocks without one are not kept. */
static ilk_status require_rows(ilk_table *t, ilk_error *err) {
    ilk_parser parser = {0};
    ilk_status status = ILK_OK;
    ilk_row_state state = ILK_ROW_NONE;
    bool more = true;
    for (size_t i = 0; state == ILK_ROW_NONE && status == ILK_OK; i++) {
        if (i == t->ahead_n)
            status = look_further(t, &more, err);
        if (status != ILK_OK || !more)
            break;
        if (start_ahead(&parser, t, i) != ILK_OK)
            status = ilk_fail_memory(err);
        else if ((state = ilk_parser_row(&parser, NULL, 0)) != ILK_ROW_NONE && t->columns == 0)
            status = ilk_table_fault(t, &t->ahead[i], &parser, state, err);
        if (state == ILK_ROW_NONE) {
            ilk_buffer_free(&t->ahead[i].bytes);
            t->ahead[i].begin = 0;
        }
    }
    ilk_parser_free(&parser);
    if (status != ILK_OK || state != ILK_ROW_NONE)
        return status;
    return ilk_table_refuse_empty(t, err);
}

/* The caller's spellings, or the format's, or those that are usual in tables without a rule for it. */
static ilk_status set_missing(ilk_table *t, const char *list, ilk_error *err) {
    if (!list)
        list = ilk_table_reader(t)->missing ? ilk_table_reader(t)->missing : "?,NA,NaN,";
    size_t n = strlen(list);
    t->missing_text = ilk_alloc(n + 1, 1);
    if (!t->missing_text)
        return ilk_fail_memory(err);
    memcpy(t->missing_text, list, n + 1);
    return ilk_missing_split(&t->missing, (ilk_str){t->missing_text, n}) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

/* The name that tells the format: without what compression has added to it. Only its end matters. */
static const char *format_name(char out[64], const char *path) {
    static const char *const packed[] = {".gz", ".xz", ".zst"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        size_t m = strlen(packed[i]);
        if (n > m && strcasecmp(path + n - m, packed[i]) == 0) {
            size_t keep = n - m < 63 ? n - m : 63;
            memcpy(out, path + n - m - keep, keep);
            out[keep] = '\0';
            return out;
        }
    }
    return path;
}

/* Lines that end in CR alone would be one long line, and a table without rows. */
static ilk_status refuse_old_mac(const ilk_table *t, ilk_str head, ilk_error *err) {
    bool enough = t->source.at_end || head.n >= ILK_BLOCK_SIZE;
    const char *cr = memchr(head.p, '\r', head.n);
    bool binary = memchr(head.p, '\0', head.n);
    if (!enough || binary || !cr || cr + 1 == head.p + head.n || memchr(head.p, '\n', head.n))
        return ILK_OK;
    return ilk_fail(err, ILK_EDATA,
                    "%s: lines end in CR alone, as old Macs wrote them: tr '\\r' '\\n' makes them readable",
                    t->source.feed.name(t->source.feed.ctx, 0));
}

/* Lines have no header: whoever says that there is one means a table, unless it was said that these are lines. */
static ilk_status settle_header(ilk_table *t, const ilk_read_options *o, ilk_error *err) {
    ilk_dialect *d = &t->source.dialect;
    bool lines = d->format == ILK_FORMAT_LINES;
    if (lines && o->format == ILK_FORMAT_AUTO && o->header == ILK_HEADER_YES)
        d->format = ILK_FORMAT_TSV;
    if (o->header == ILK_HEADER_AUTO || ilk_table_reader(t)->first_record || (lines && o->header == ILK_HEADER_NO))
        return ILK_OK;
    return ilk_fail(err, ILK_EARG,
                    "%s: whether there is a header (--header, --no-header) is for csv and tsv, not for %s",
                    t->source.feed.name(t->source.feed.ctx, 0), ilk_table_reader(t)->name);
}

/* In this order: the dialect bears on everything, what is missing on the header. */
ilk_status ilk_table_prepare(ilk_table *t, const ilk_read_options *options, ilk_error *err) {
    ilk_str head;
    char name[64];
    t->skip_bad_rows = options->skip_bad_rows;
    t->source.live = options->live;
    ILK_TRY(ilk_source_peek(&t->source, &head, err));
    ILK_TRY(refuse_old_mac(t, head, err));
    t->source.dialect = ilk_dialect_choose(t->documents ? ILK_FORMAT_CSV : options->format,
                                           format_name(name, t->source.feed.name(t->source.feed.ctx, 0)), head,
                                           options->schema, options->unlabelled && options->header == ILK_HEADER_AUTO);
    ILK_TRY(settle_header(t, options, err));
    t->source.dialect.unlabelled = options->unlabelled;
    t->source.dialect.head = &t->head;
    t->head.limit = options->columns;
    if (options->columns && t->source.dialect.format != ILK_FORMAT_SVM)
        return ilk_fail(err, ILK_EARG, "%s: a number of columns (--columns) is for svmlight data",
                        t->source.feed.name(t->source.feed.ctx, 0));
    ILK_TRY(set_missing(t, options->missing, err));
    ILK_TRY(find_columns(t, options, err));
    bool by_rows = ilk_table_reader(t)->survey && !t->names, is_pipe = t->source.feed.total_bytes == 0;
    if (options->live && by_rows && is_pipe)
        ILK_TRY(survey_live(t, options->schema, err));
    if (options->live && (!by_rows || is_pipe))
        return t->columns ? ILK_OK : ilk_table_refuse_empty(t, err);
    ILK_TRY(fill_ahead(t, ilk_table_reader(t)->survey ? ILK_AHEAD_BYTES : ILK_HEAD_BYTES, err));
    ILK_TRY(survey(t, err));
    if (by_rows && options->schema)
        ILK_TRY(expect(t, options->schema, err));
    if (by_rows)
        ILK_TRY(ilk_table_names_from_head(t, err));
    return require_rows(t, err);
}

ilk_status ilk_table_prepare_arrow(ilk_table *t, const ilk_read_options *options, ilk_error *err) {
    t->skip_bad_rows = options->skip_bad_rows;
    t->source.dialect = (ilk_dialect){.format = ILK_FORMAT_ARROW, .head = &t->head};
    ILK_TRY(set_missing(t, options->missing, err));
    ILK_TRY(ilk_arrow_columns(&t->source.feed, &t->head, err));
    ILK_TRY(ilk_table_names_from_head(t, err));
    ILK_TRY(fill_ahead(t, ILK_HEAD_BYTES, err));
    return require_rows(t, err);
}
