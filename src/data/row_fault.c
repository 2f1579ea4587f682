/* SPDX-License-Identifier: Apache-2.0 */
/* row_fault.c - what is wrong with a record, in one line. */
#include "data/table.h"

#include <stdio.h>

/* What is wrong with one field. In the first record of all, columns have no names yet, and a quote may be a text's.
 */
static ilk_status field_fault(const ilk_table *t, const char *file, const ilk_parser *parser, const char *what,
                              ilk_error *err) {
    size_t j = parser->fault_field;
    if (!t->names || j >= t->columns)
        return ilk_fail(err, ILK_EDATA, "%s:%zu: column %zu: %s%s", file, parser->line, j + 1, what,
                        t->names ? "" : ilk_dialect_hint_at_lines(&parser->dialect));
    return ilk_fail(err, ILK_EDATA, "%s:%zu: column %.*s: %s", file, parser->line, ILK_SHOW(t->names[j]), what);
}

/* The values that would have been right, as many as the line holds. */
static ilk_status undeclared(const ilk_table *t, const char *file, const ilk_parser *parser, ilk_error *err) {
    const ilk_declared *declared = ilk_head_declared(&t->head, parser->fault_field);
    char list[256];
    size_t at = 0;
    list[0] = '\0';
    for (uint32_t i = 0; i < declared->n && at < sizeof list - 8; i++) {
        ilk_str value = ilk_dict_key(&t->head.values, declared->first + i);
        if (value.n > sizeof list - at - 8)
            value = (ilk_str){"...", 3}, i = declared->n;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%.*s", at ? ", " : "", (int)value.n, value.p);
    }
    return ilk_fail(err, ILK_EDATA, "%s:%zu: column %.*s: value '%.*s' is not among %s", file, parser->line,
                    ILK_SHOW(t->names[parser->fault_field]), ILK_SHOW(parser->fault_value), list);
}

ilk_status ilk_table_fault(const ilk_table *table, const ilk_text_block *block, const ilk_parser *parser,
                           ilk_row_state state, ilk_error *err) {
    const char *file = block->name;
    if (state == ILK_ROW_AFTER_QUOTE)
        return field_fault(table, file, parser, "text after the closing quote", err);
    if (state == ILK_ROW_UNCLOSED)
        return field_fault(table, file, parser, "a quote is not closed", err);
    if (state == ILK_ROW_UNDECLARED)
        return undeclared(table, file, parser, err);
    if (state == ILK_ROW_BAD && parser->fault_field != SIZE_MAX)
        return field_fault(table, file, parser, parser->why, err);
    if (state == ILK_ROW_BAD)
        return ilk_fail(err, ILK_EDATA, "%s:%zu: %s", file, parser->line, parser->why);
    if (parser->dialect.format == ILK_FORMAT_LINES)
        return ilk_fail(err, ILK_EDATA, "%s:%zu: no TAB between label and text", file, parser->line);
    return ilk_fail(err, ILK_EDATA, "%s:%zu: expected %zu field%s, found %zu", file, parser->line, table->columns,
                    table->columns == 1 ? "" : "s", parser->found);
}
