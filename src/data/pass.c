/* SPDX-License-Identifier: Apache-2.0 */
/* pass.c - from blocks to rows, and what was met on the way.
 *
 * Each block keeps its own tally until its turn to commit comes. That makes "the first bad row" the first of the input
 * and not of the fastest thread.
 */
#include "data/pass.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

/* A column of numbers needs no text where nobody looks at it: when it is learnt, and no number means "missing". */
static ilk_status choose_numeric(ilk_pass *p) {
    const ilk_column_map *m = &p->map;
    if (m->missing.numbers)
        return ILK_OK;
    p->numeric = ilk_zalloc(p->table->columns, sizeof *p->numeric);
    for (size_t j = 0; p->numeric && j < m->reals; j++)
        p->numeric[m->real[j]] = true;
    return p->numeric ? ILK_OK : ILK_ENOMEM;
}

ilk_status ilk_pass_init(ilk_pass *out, ilk_table *table, const ilk_schema *schema, bool learnt, const ilk_run *run,
                         ilk_tally *tally, ilk_error *err) {
    *out = (ilk_pass){.table = table, .run = run ? *run : (ilk_run){0}, .tally = tally};
    *tally = (ilk_tally){0};
    if (table->consumed)
        return ilk_fail(err, ILK_EARG, "the table has been read already");
    ILK_TRY(ilk_column_map_init(&out->map, schema, table, learnt, err));
    table->consumed = true;
    if (learnt && choose_numeric(out) != ILK_OK) {
        ilk_pass_free(out);
        return ilk_fail_memory(err);
    }
    size_t blocks = ilk_table_blocks_left(table);
    out->threads = out->run.threads ? out->run.threads : ilk_processors();
    if (out->threads > blocks)
        out->threads = blocks ? blocks : 1; /* no more threads than work; the result is the same */
    return ILK_OK;
}

void ilk_pass_free(ilk_pass *pass) {
    ilk_column_map_free(&pass->map);
    ilk_free(pass->numeric);
}

void ilk_row_reader_free(ilk_row_reader *r) {
    ilk_buffer_free(&r->block.bytes);
    ilk_parser_free(&r->parser);
    if (r->encoder.map)
        ilk_encoder_free(&r->encoder);
    ilk_free(r->fields);
    ilk_free(r->records);
    ilk_free(r->bad);
    *r = (ilk_row_reader){0};
}

ilk_status ilk_row_reader_fetch(ilk_row_reader *r, ilk_pass *pass, bool *more, ilk_error *err) {
    return ilk_table_next(pass->table, &r->block, more, err);
}

/* Where the next row's fields go: always the same place, which stays in the cache, unless all must be kept. NULL if
 * there is no memory. */
static ilk_str *next_fields(ilk_row_reader *r, const ilk_pass *pass) {
    size_t columns = pass->table->columns, at = pass->keep_rows ? r->encoder.n * columns : 0;
    return ilk_grow(&r->fields, &r->fields_cap, at + columns, sizeof *r->fields) ? NULL : r->fields + at;
}

/* The row encoded last began at `begin` and ends where the parser stands. */
static ilk_status keep_record(ilk_row_reader *r, const char *begin) {
    size_t n = r->encoder.n;
    if (ilk_grow(&r->records, &r->records_cap, n, sizeof *r->records))
        return ILK_ENOMEM;
    r->records[n - 1] = (ilk_str){begin, (size_t)(r->parser.at - begin)};
    return ILK_OK;
}

/* Errors name it, by its path, rather than a line in all of them. */
static ilk_status add_document(ilk_row_reader *r, const ilk_str *fields, bool *unlabelled, ilk_error *err) {
    char path[512];
    snprintf(path, sizeof path, "%.*s", (int)(fields[0].n < sizeof path ? fields[0].n : 0), fields[0].p);
    return ilk_encoder_add(&r->encoder, fields, r->parser.number, path, 1, unlabelled, err);
}

/* ILK_EDATA means that this row is at fault, and only that: rows are skipped for it. */
static ilk_status read_row(ilk_row_reader *r, const ilk_pass *pass, const ilk_str *fields, ilk_row_state state,
                           const char *begin, ilk_error *err) {
    if (state != ILK_ROW)
        return ilk_table_fault(pass->table, &r->block, &r->parser, state, err);
    bool unlabelled;
    size_t before = r->encoder.n, unseen = r->encoder.unseen;
    if (pass->table->documents)
        ILK_TRY(add_document(r, fields, &unlabelled, err));
    else
        ILK_TRY(
            ilk_encoder_add(&r->encoder, fields, r->parser.number, r->block.name, r->parser.line, &unlabelled, err));
    r->tally.unlabelled += unlabelled;
    if (unlabelled && !pass->table->source.dialect.unlabelled) /* whoever asks for labels passes over it */
        r->encoder.unseen = unseen;
    r->tally.stray += r->parser.stray;
    r->most = r->parser.most > r->most ? r->parser.most : r->most;
    r->zero = r->zero || r->parser.zero;
    if (pass->keep_records && r->encoder.n > before && keep_record(r, begin) != ILK_OK)
        return ilk_fail_memory(err);
    return ILK_OK;
}

static void count_bad(ilk_tally *tally, const ilk_error *reason) {
    if (tally->bad++ == 0)
        memcpy(tally->first_bad, reason->message, sizeof tally->first_bad);
}

/* A row that could not be read keeps its place among the answers, with its fields where there are as many as columns.
 * */
static ilk_status keep_place(ilk_row_reader *r, size_t columns, ilk_str *fields, ilk_row_state state) {
    for (size_t j = 0; state != ILK_ROW && j < columns; j++)
        fields[j] = (ilk_str){"", 0};
    return ilk_encoder_add_blank(&r->encoder);
}

/* The row read last is row n - 1, if it is there at all. */
static ilk_status mark(ilk_row_reader *r, size_t n, bool bad) {
    if (ilk_grow(&r->bad, &r->bad_cap, n, sizeof *r->bad))
        return ILK_ENOMEM;
    if (n > 0)
        r->bad[n - 1] = bad;
    return ILK_OK;
}

ilk_status ilk_row_reader_read(ilk_row_reader *r, const ilk_pass *pass, ilk_error *err) {
    _Static_assert(sizeof r->tally.first_bad == sizeof err->message, "a message fits");
    r->tally = (ilk_tally){.bytes = r->block.bytes.n};
    r->most = r->zero = 0;
    ilk_encoder_clear(&r->encoder);
    const ilk_dialect *dialect = &pass->table->source.dialect;
    r->parser.numeric = pass->numeric;
    r->parser.as_written = pass->map.as_written;
    if (ilk_parser_start(&r->parser, dialect, ilk_text_block_rest(&r->block), r->block.line) != ILK_OK)
        return ilk_fail_memory(err);
    ilk_error reason = {0};
    for (;;) {
        ilk_str *fields = next_fields(r, pass);
        if (!fields)
            return ilk_fail_memory(err);
        const char *begin = r->parser.at;
        ilk_row_state state = ilk_parser_row(&r->parser, fields, pass->table->columns);
        if (state == ILK_ROW_NONE)
            break;
        ilk_status status = read_row(r, pass, fields, state, begin, &reason);
        bool bad = status == ILK_EDATA && pass->table->skip_bad_rows;
        if (status != ILK_OK && !bad) {
            *err = reason;
            return status;
        }
        if (bad)
            count_bad(&r->tally, &reason);
        if (pass->keep_rows && ((bad && keep_place(r, pass->table->columns, fields, state) != ILK_OK) ||
                                mark(r, r->encoder.n, bad) != ILK_OK))
            return ilk_fail_memory(err);
    }
    r->tally.rows = r->encoder.n - (pass->keep_rows ? r->tally.bad : 0);
    r->tally.unseen = r->encoder.unseen;
    return ILK_OK;
}

ilk_status ilk_row_reader_account(const ilk_row_reader *r, ilk_pass *pass, ilk_error *err) {
    ilk_tally *total = pass->tally;
    total->rows += r->tally.rows;
    total->unlabelled += r->tally.unlabelled;
    total->incomplete += r->tally.incomplete;
    total->stray += r->tally.stray;
    total->unseen += r->tally.unseen;
    pass->most = r->most > pass->most ? r->most : pass->most;
    pass->zero = pass->zero || r->zero;
    total->bytes += r->tally.bytes;
    total->replaced = r->block.replaced;
    if (total->bad == 0)
        memcpy(total->first_bad, r->tally.first_bad, sizeof total->first_bad);
    total->bad += r->tally.bad;
    return ilk_table_tell(pass->table, &r->block, total->rows, pass->run.progress, pass->run.ctx, err);
}
