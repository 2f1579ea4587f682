/* SPDX-License-Identifier: Apache-2.0 */
/* records.c - the formats there are, and what their parsers share. */
#include "data/records.h"
#include "core/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* By ilk_format. */
static const ilk_records *const readers[] = {
    [ILK_FORMAT_CSV] = &ilk_records_csv,     [ILK_FORMAT_TSV] = &ilk_records_tsv,
    [ILK_FORMAT_LINES] = &ilk_records_lines, [ILK_FORMAT_ARFF] = &ilk_records_arff,
    [ILK_FORMAT_JSONL] = &ilk_records_jsonl, [ILK_FORMAT_SVM] = &ilk_records_svm,
    [ILK_FORMAT_ARROW] = &ilk_records_arrow,
};

const ilk_records *ilk_records_of(ilk_format format) {
    return (size_t)format < sizeof readers / sizeof *readers ? readers[format] : NULL;
}

/* ---- heads */

void ilk_head_free(ilk_head *head) {
    ilk_dict_free(&head->names);
    ilk_dict_free(&head->values);
    ilk_free(head->declared);
    *head = (ilk_head){0};
}

ilk_status ilk_head_add(ilk_head *head, ilk_str name, ilk_hint hint) {
    size_t n = head->names.n;
    uint32_t id;
    if (ilk_grow(&head->declared, &head->declared_cap, n + 1, sizeof *head->declared))
        return ILK_ENOMEM;
    ILK_TRY(ilk_dict_intern(&head->names, 0, name, &id));
    if (id != n)
        return ILK_EDATA;
    head->declared[n] = (ilk_declared){.hint = hint, .first = (uint32_t)head->values.n};
    return ILK_OK;
}

/* ---- parsers */

void ilk_parser_free(ilk_parser *parser) {
    ilk_buffer_free(&parser->plain);
    ilk_free(parser->number);
    *parser = (ilk_parser){0};
}

ilk_status ilk_parser_start(ilk_parser *s, const ilk_dialect *dialect, ilk_str block, size_t line) {
    s->reader = ilk_records_of(dialect->format);
    s->dialect = *dialect;
    s->at = block.p;
    s->end = block.p + block.n;
    s->next_line = line;
    s->plain.n = 0;
    return s->reader->start ? s->reader->start(s, block) : ILK_OK;
}

ilk_row_state ilk_parser_row(ilk_parser *s, ilk_str *fields, size_t columns) {
    do {
        if (s->at == s->end)
            return ILK_ROW_NONE;
        s->line = s->next_line;
        s->found = s->most = 0;
        s->fault = ILK_ROW;
        s->zero = s->stray = false;
    } while (!s->reader->row(s, fields, columns));
    if (s->fault != ILK_ROW)
        return s->fault;
    return s->found == columns ? ILK_ROW : ILK_ROW_RAGGED;
}

ilk_row_state ilk_parser_names(ilk_parser *s, ilk_str *fields, size_t columns) {
    s->naming = true;
    ilk_row_state state = ilk_parser_row(s, fields, columns);
    s->naming = false;
    return state;
}

void ilk_parser_complain(ilk_parser *s, size_t field, const char *format, ...) {
    if (s->fault != ILK_ROW)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(s->why, sizeof s->why, format, args);
    va_end(args);
    ilk_parser_blame(s, ILK_ROW_BAD, field, (ilk_str){0});
}

ilk_str ilk_parser_line(ilk_parser *s) {
    const char *p = s->at, *nl = memchr(p, '\n', (size_t)(s->end - p)), *end = nl ? nl : s->end;
    s->next_line += nl != NULL;
    s->at = nl ? nl + 1 : s->end;
    if (end > p && end[-1] == '\r')
        end--;
    return (ilk_str){p, (size_t)(end - p)};
}
