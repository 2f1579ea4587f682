/* SPDX-License-Identifier: Apache-2.0 */
/* records.h - record readers: how the records of a block become fields, one const table per format.
 *
 * A row of the table in records.c says how a format is known, what ends a record, where its columns come from and how a
 * record is read. Parsing runs in the threads of a pass; everything a parser needs besides the block is in the dialect
 * and in the head, which do not change once the table is open.
 */
#ifndef ILK_DATA_RECORDS_H
#define ILK_DATA_RECORDS_H

#include "core/buffer.h"
#include "core/dict.h"
#include "data/dialect.h"

struct ilk_text_block;

/* What a format says of a column, apart from its values. */
typedef enum ilk_hint {
    ILK_HINT_NONE,
    ILK_HINT_NUMBER, /* numbers, also where they are few and whole */
    ILK_HINT_VALUES, /* one of the values declared */
    ILK_HINT_STRING, /* a string, also where it looks like a number */
    ILK_HINT_PLAIN   /* what it looks like, for sure */
} ilk_hint;

typedef struct ilk_declared {
    ilk_hint hint;
    uint32_t first, n; /* of the values declared: ids in ilk_head.values */
} ilk_declared;

/* What is known of the columns before the pass. Zero-initialised is nothing. */
typedef struct ilk_head {
    ilk_dict names;         /* ids are columns */
    ilk_dict values;        /* (column, value) in the order they were declared */
    ilk_declared *declared; /* per column, or NULL */
    size_t declared_cap;
    /* Entries "index:value", for formats that have them: */
    size_t limit;     /* no index is larger; 0: ILK_INDEX_LIMIT */
    size_t most;      /* the largest in the rows looked at */
    bool zero;        /* index 0 is among them */
    bool uncountable; /* a value is negative or no whole number */
} ilk_head;

void ilk_head_free(ilk_head *head);
/* Append a column. ILK_OK, ILK_ENOMEM, ILK_EDATA for a name that is taken. */
ilk_status ilk_head_add(ilk_head *head, ilk_str name, ilk_hint hint);
static inline const ilk_declared *ilk_head_declared(const ilk_head *head, size_t column) {
    static const ilk_declared nothing = {ILK_HINT_NONE, 0, 0};
    return head && head->declared && column < head->names.n ? &head->declared[column] : &nothing;
}

#define ILK_INDEX_LIMIT ((size_t)1 << 22) /* of an entry: all of them become words or columns */

typedef enum ilk_row_state {
    ILK_ROW,             /* fields[0 … columns-1] are filled */
    ILK_ROW_NONE,        /* the block is at its end */
    ILK_ROW_RAGGED,      /* not `columns` fields but `found` */
    ILK_ROW_AFTER_QUOTE, /* field `fault_field` goes on after its closing quote */
    ILK_ROW_UNCLOSED,    /* field `fault_field` opens a quote that nothing closes */
    ILK_ROW_UNDECLARED,  /* field `fault_field` is `fault_value`, none of the values declared */
    ILK_ROW_BAD          /* `why`, of field `fault_field`, or of the record where that is SIZE_MAX */
} ilk_row_state;

enum { ILK_STRETCH = 2048 }; /* bytes that are looked at ahead */

/* One thread's parser, reused from block to block. Zero-initialised is empty. */
typedef struct ilk_parser {
    const struct ilk_records *reader;
    ilk_dialect dialect;
    const char *end;     /* of the block */
    const char *at;      /* where the next record begins */
    size_t next_line;    /* number of the line at `at` */
    size_t line;         /* number of the first line of the record read last */
    size_t found;        /* fields in it */
    ilk_row_state fault; /* what is wrong with it, or ILK_ROW */
    size_t fault_field;
    ilk_str fault_value;
    char why[160];
    size_t most;      /* largest index of its entries */
    bool zero;        /* one of them is 0 */
    bool stray;       /* it has a field of no column */
    ilk_buffer plain; /* fields that are not in the block as they are meant */
    /* Where the format has numbers as such: that of each field, NaN where it is none; else NULL. */
    double *number;
    size_t number_cap;
    const bool *numeric;    /* fields whose number alone is asked for, and no text; NULL: none. The caller's */
    const bool *as_written; /* fields in which a decimal comma stays one; NULL: none. The caller's */
    bool naming;            /* as in all fields of a record of names */
    bool *points;           /* fields in which one became a point; NULL: not asked for. The caller's */
    /* Of CSV: */
    const char *stretch, *ahead;      /* the bytes that `place` speaks of, and those behind them */
    size_t mark, marks;               /* the next place to be used, and the number of places */
    bool quoted;                      /* a field of the record was */
    uint32_t place[ILK_STRETCH + 64]; /* of delimiters, newlines and quotes in the stretch */
} ilk_parser;

/* Begin a block, which is only read. Fields point into it or into the parser and live until the next start.
 * ILK_OK or ILK_ENOMEM. */
ilk_status ilk_parser_start(ilk_parser *parser, const ilk_dialect *dialect, ilk_str block, size_t line);
void ilk_parser_free(ilk_parser *parser);

/* The next record that is not empty, into fields[columns]. What is wrong with a record does not stop the parser: the
 * next call reads the next. `parser->found` tells the number of fields, also beyond `columns`. */
ilk_row_state ilk_parser_row(ilk_parser *parser, ilk_str *fields, size_t columns);
/* The same of a record that may be a header: its fields as they are written. */
ilk_row_state ilk_parser_names(ilk_parser *parser, ilk_str *fields, size_t columns);

/* A format. */
typedef struct ilk_records {
    const char *name;
    const char *extensions[4];
    bool (*looks)(ilk_str head); /* are these the first bytes of one? NULL: only name or caller tell */
    bool quotes;                 /* a newline inside quotes does not end a record; else every newline does */
    const char *missing;         /* spellings of "no value" besides the empty one, unless the caller has some */
    /* Where columns come from: always these; */
    const char *names[2];
    /* what stands before the rows of every file: steps over it, block by block until it is done; */
    ilk_status (*header)(ilk_head *head, struct ilk_text_block *block, bool *done, ilk_error *err);
    /* the rows looked at, the parser at the begin of each block of them, up to `rows` and counted down there; of a bad
     * one the pass will complain; */
    ilk_status (*survey)(ilk_head *head, ilk_parser *parser, size_t *rows);
    bool first_record; /* or the first record, if that looks like names. */
    /* Rows: */
    ilk_status (*start)(ilk_parser *parser, ilk_str block);           /* may be NULL */
    bool (*row)(ilk_parser *parser, ilk_str *fields, size_t columns); /* false: an empty record, to be stepped over */
} ilk_records;

extern const ilk_records ilk_records_csv, ilk_records_tsv, ilk_records_lines, ilk_records_arff, ilk_records_jsonl,
    ilk_records_svm, ilk_records_arrow;

/* The reader of a format; NULL for ILK_FORMAT_AUTO and what is none. */
const ilk_records *ilk_records_of(ilk_format format);

/* ---- for readers */

/* The fault of a record is the first one found in it. */
static inline void ilk_parser_blame(ilk_parser *s, ilk_row_state fault, size_t field, ilk_str value) {
    if (s->fault != ILK_ROW)
        return;
    s->fault = fault;
    s->fault_field = field;
    s->fault_value = value;
}

/* ILK_ROW_BAD, and why. */
void ilk_parser_complain(ilk_parser *s, size_t field, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The line at `at`, without its end, which is stepped over. */
ilk_str ilk_parser_line(ilk_parser *s);

/* Without the blanks around it and the carriage return of a line end. Most have neither. */
static inline ilk_str ilk_trim(const char *p, const char *end) {
    if (__builtin_expect(p < end && (unsigned char)*p > ' ' && (unsigned char)end[-1] > ' ', true))
        return (ilk_str){p, (size_t)(end - p)};
    while (p < end && ilk_is_blank(*p))
        p++;
    while (p < end && (ilk_is_blank(end[-1]) || end[-1] == '\r'))
        end--;
    return (ilk_str){p, (size_t)(end - p)};
}

#endif
