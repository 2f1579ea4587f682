/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h - records of a block to fields: CSV (RFC 4180), TSV and lines. */
#ifndef ILK_DATA_CSV_H
#define ILK_DATA_CSV_H

#include "core/buffer.h"
#include "data/dialect.h"

typedef enum ilk_row_state {
    ILK_ROW,             /* fields[0 … columns-1] are filled */
    ILK_ROW_NONE,        /* the block is at its end */
    ILK_ROW_RAGGED,      /* not `columns` fields but `found` */
    ILK_ROW_AFTER_QUOTE, /* field `fault_field` goes on after its closing quote */
    ILK_ROW_UNCLOSED     /* field `fault_field` opens a quote that nothing closes */
} ilk_row_state;

/* One thread's parser, reused from block to block. Zero-initialised is empty. */
typedef struct ilk_parser {
    ilk_dialect dialect;
    const char *end;     /* of the block */
    const char *at;      /* where the next record begins */
    const char *window;  /* the 64 bytes that `specials` speaks of */
    uint64_t specials;   /* delimiters, newlines and quotes in it that are not consumed yet, a bit each */
    uint64_t delimiters; /* the delimiter in every byte */
    size_t next_line;    /* number of the line at `at` */
    size_t line;         /* number of the first line of the record read last */
    size_t found;        /* fields in it */
    bool quoted;         /* one of them was */
    ilk_row_state fault; /* what is wrong with it, or ILK_ROW */
    size_t fault_field;
    ilk_buffer plain; /* fields with doubled quotes, made plain */
} ilk_parser;

/* Begin a block, which is only read. Fields point into it or into the parser and live until the next start.
 * ILK_OK or ILK_ENOMEM. */
ilk_status ilk_parser_start(ilk_parser *parser, const ilk_dialect *dialect, ilk_str block, size_t line);
void ilk_parser_free(ilk_parser *parser);

/* The next record that is not empty, into fields[columns]. What is wrong with a record does not stop the parser: the
 * next call reads the next. `parser->found` tells the number of fields, also beyond `columns`. */
ilk_row_state ilk_parser_row(ilk_parser *parser, ilk_str *fields, size_t columns);

#endif
