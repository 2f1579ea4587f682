/* SPDX-License-Identifier: Apache-2.0 */
/* table.h - files with columns: what their heads say, and blocks of rows.
 *
 * Opening reads the first blocks and keeps them. Whoever then asks for blocks gets those first, moved out rather than
 * copied, and after them the rest of the input: one pass over the bytes, also of a pipe.
 */
#ifndef ILK_DATA_TABLE_H
#define ILK_DATA_TABLE_H

#include "data/missing.h"
#include "data/records.h"
#include "data/reservoir.h"
#include "data/source.h"

#define ILK_HEAD_BYTES ((size_t)1 << 20) /* read when a table is opened */
#define ILK_AHEAD_ROWS ((size_t)65536)   /* looked at to say what its columns are */
#define ILK_AHEAD_BYTES ((size_t)8 << 20)
#define ILK_COLUMN_LIMIT ((size_t)1 << 20)

struct ilk_table {
    ilk_source source;
    const char *encoding; /* asked for, or NULL */
    bool documents;       /* of folders: the columns are path, class and text */
    bool classless;       /* none of them has a class */
    bool skip_bad_rows;
    bool header;          /* every file begins with the names */
    bool header_told;     /* by the caller: nobody guessed */
    bool unnamed;         /* which leave the first column without a name */
    bool awaiting_header; /* a file has begun and its names are still to come */
    bool consumed;        /* a pass over the rows has begun */
    const char *headed;   /* the file that began last with a header */
    ilk_str *names;
    size_t columns;
    ilk_head head;      /* what else is known of them. The source's dialect points to it */
    ilk_head next_head; /* that of a later file, while it is being read */
    ilk_buffer text;    /* what `names` points to */
    char *missing_text;
    ilk_missing missing; /* for inference; a pass goes by its schema's */
    ilk_text_block *ahead;
    size_t ahead_n, ahead_cap, replayed;
    size_t ahead_bytes, ahead_lines; /* that were read ahead */
    size_t most_rows;                /* that a block may have for whoever asks for it; 0: any number */
    ilk_text_block rest;             /* of the block handed out last, where it had more */
    ilk_reservoir reservoir;         /* rows that learning has kept, sorted when it ended well */
};

/* With source and encoding set, and nothing else: find dialect, header and names, and read the beginning. */
ilk_status ilk_table_prepare(ilk_table *table, const ilk_read_options *options, ilk_error *err);
/* The same of a feed of Arrow batches, which know their columns. */
ilk_status ilk_table_prepare_arrow(ilk_table *table, const ilk_read_options *options, ilk_error *err);

/* ilk_table_open from any feed, which is taken over even on failure, in blocks of any size. */
ilk_status ilk_table_open_feed(ilk_table **out, const ilk_feed *feed, const ilk_read_options *options,
                               size_t block_size, ilk_error *err);

/* Read further ahead, up to ILK_AHEAD_ROWS or ILK_AHEAD_BYTES. */
ilk_status ilk_table_look_ahead(ilk_table *table, ilk_error *err);

/* The next block of rows, without any header, into *block. */
ilk_status ilk_table_next(ilk_table *table, ilk_text_block *block, bool *more, ilk_error *err);

/* The blocks that are left, if that is known: SIZE_MAX if not. */
size_t ilk_table_blocks_left(const ilk_table *table);

/* ---- for table.c and table_blocks.c */

static inline const ilk_records *ilk_table_reader(const ilk_table *t) {
    return ilk_records_of(t->source.dialect.format);
}

/* The rows begin where the parser stands. */
static inline void ilk_text_block_begin_at(ilk_text_block *block, const ilk_parser *parser) {
    block->begin = (size_t)(parser->at - block->bytes.p);
    block->line = parser->next_line;
}

/* Names and columns are those that the head holds. */
ilk_status ilk_table_names_from_head(ilk_table *table, ilk_error *err);
/* A block from the input, its header, if there is one, stepped over. */
ilk_status ilk_table_fetch(ilk_table *table, ilk_text_block *block, bool *more, ilk_error *err);

/* Tell somebody, if there is one, how far a pass has come: behind this block. What is not ILK_OK ends the pass. */
ilk_status ilk_table_tell(const ilk_table *table, const ilk_text_block *block, uint64_t rows, ilk_progress_fn progress,
                          void *ctx, ilk_error *err);

/* ---- failures */

/* Put the table's file before the message of a failure that is about all of it. Returns `status`. */
ilk_status ilk_table_blame(ilk_error *err, ilk_status status, const ilk_table *table);
/* There are no rows: ILK_EDATA. */
ilk_status ilk_table_refuse_empty(const ilk_table *table, ilk_error *err);

/* Say what is wrong with the record the parser read last. */
ilk_status ilk_table_fault(const ilk_table *table, const ilk_text_block *block, const ilk_parser *parser,
                           ilk_row_state state, ilk_error *err);

#endif
