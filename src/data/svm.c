/* SPDX-License-Identifier: Apache-2.0 */
/* svm.c - svmlight and libsvm: label index:value index:value … # comment
 *
 * A row has two fields, its label and its entries as they stand there, however many columns there are: what is not
 * listed is 0, and nothing is spent on it. Here indices are checked, which must rise from entry to entry; values are
 * the encoder's business, who makes counts or numbers of them (column_map.h). Index 0 is taken as a column of its own:
 * some programs count from 0.
 */
#include "data/records.h"
#include "core/number.h"
#include "data/entries.h"

#include <math.h>
#include <string.h>

static ilk_str without_comment(ilk_str line) {
    const char *hash = line.n ? memchr(line.p, '#', line.n) : NULL;
    return ilk_trim(line.p, hash ? hash : line.p + line.n);
}

/* The first word, unless it is an entry: rows to be answered need no label. */
static ilk_str cut_label(ilk_str *rest) {
    ilk_str all = *rest;
    ilk_entry first;
    if (!ilk_entry_next(rest, &first) || !first.value.p)
        return first.key;
    *rest = all;
    return (ilk_str){all.p, 0};
}

static bool is_query(ilk_str key) {
    return key.n == 3 && memcmp(key.p, "qid", 3) == 0;
}

/* Step over qid:N, which ranks and does not describe. */
static void cut_query(ilk_str *rest) {
    ilk_str behind = *rest;
    ilk_entry e;
    if (ilk_entry_next(&behind, &e) && e.value.p && is_query(e.key))
        *rest = ilk_trim(behind.p, behind.p + behind.n);
}

static bool is_digits(ilk_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0 && s.p[0] != '0';
}

static void check_entries(ilk_parser *s, ilk_str rest) {
    const ilk_head *head = s->dialect.head;
    size_t limit = head && head->limit ? head->limit : ILK_INDEX_LIMIT, next = 0;
    for (ilk_entry e; s->fault == ILK_ROW && ilk_entry_next(&rest, &e);) {
        size_t index = ilk_entry_index(e.key);
        if (!e.value.p || (index == SIZE_MAX && !is_digits(e.key)))
            ilk_parser_complain(s, SIZE_MAX, "'%.*s' is not index:value", ILK_SHOW(e.key));
        else if (index > limit)
            ilk_parser_complain(s, SIZE_MAX, "index %.*s is larger than %zu", ILK_SHOW(e.key), limit);
        else if (index < next)
            ilk_parser_complain(s, SIZE_MAX, "index %zu comes after %zu: they must rise", index, next - 1);
        s->zero = s->zero || index == 0;
        s->most = index;
        next = index + 1;
    }
}

static bool row(ilk_parser *s, ilk_str *fields, size_t columns) {
    ilk_str line = ilk_parser_line(s), rest = without_comment(line);
    if (rest.n == 0)
        return false;
    ilk_str label = cut_label(&rest);
    cut_query(&rest);
    s->found = 2;
    if (columns == 2) {
        fields[0] = label;
        fields[1] = ilk_trim(rest.p, rest.p + rest.n);
        check_entries(s, fields[1]);
    }
    return true;
}

/* A value that no count can be. What is no number at all is left to the pass. */
static bool is_uncountable(ilk_str value) {
    double x;
    return ilk_number_parse(&x, value) && (x < 0 || x != floor(x) || x > UINT32_MAX);
}

static ilk_status survey(ilk_head *head, ilk_parser *parser, size_t *rows) {
    ilk_str fields[2];
    for (ilk_row_state state; *rows > 0 && (state = ilk_parser_row(parser, fields, 2)) != ILK_ROW_NONE;) {
        if (state != ILK_ROW)
            continue;
        --*rows;
        head->most = parser->most > head->most ? parser->most : head->most;
        head->zero = head->zero || parser->zero;
        for (ilk_entry e; !head->uncountable && ilk_entry_next(&fields[1], &e);)
            head->uncountable = is_uncountable(e.value);
    }
    return ILK_OK;
}

/* The first line that is no comment: a word, and behind it index:number, at least once and nothing else. */
static bool looks(ilk_str head) {
    ilk_parser lines = {.at = head.p, .end = head.p + head.n};
    while (lines.at < lines.end) {
        ilk_str fields[2];
        double x;
        size_t entries = 0;
        if (!row(&lines, fields, 2))
            continue;
        if (lines.fault != ILK_ROW)
            return false;
        for (ilk_entry e; ilk_entry_next(&fields[1], &e); entries++)
            if (!ilk_number_parse(&x, e.value))
                return false;
        return entries > 0;
    }
    return false;
}

const ilk_records ilk_records_svm = {.name = "svm",
                                     .extensions = {".svm", ".svmlight", ".libsvm"},
                                     .looks = looks,
                                     .missing = "",
                                     .names = {"label", "features"},
                                     .survey = survey,
                                     .row = row};
