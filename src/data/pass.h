/* SPDX-License-Identifier: Apache-2.0 */
/* pass.h - one pass over a table in several threads: what learning and answering have in common. */
#ifndef ILK_DATA_PASS_H
#define ILK_DATA_PASS_H

#include "core/pipeline.h"
#include "data/encode.h"

/* What all threads share. */
typedef struct ilk_pass {
    ilk_table *table;
    ilk_column_map map;
    bool keep_rows;    /* the fields of all rows of a block, not only of the last, and a blank for each bad row */
    bool keep_records; /* the bytes of every row of a block */
    bool *numeric;     /* per column of the table: its text is not asked for. NULL: all is */
    size_t threads;
    ilk_run run;
    ilk_tally *tally;
    size_t most; /* largest index of entries met, and whether 0 is one; known when the pass is over */
    bool zero;
} ilk_pass;

/* What each thread has: a block being read, as fields and as rows. A slot of the pipeline begins with it. */
typedef struct ilk_row_reader {
    ilk_text_block block;
    ilk_parser parser;
    ilk_encoder encoder;
    ilk_str *fields;
    size_t fields_cap;
    ilk_str *records; /* of the rows encoded, in the block */
    size_t records_cap;
    bool *bad; /* with keep_rows: which rows are blanks */
    size_t bad_cap;
    ilk_tally tally; /* of this block, as is: */
    size_t most;
    bool zero;
} ilk_row_reader;

/* The table's rows are used up by this, even if it fails later. */
ilk_status ilk_pass_init(ilk_pass *out, ilk_table *table, const ilk_schema *schema, bool learnt, const ilk_run *run,
                         ilk_tally *tally, ilk_error *err);
void ilk_pass_free(ilk_pass *pass);

void ilk_row_reader_free(ilk_row_reader *reader);
/* The next block from the table. */
ilk_status ilk_row_reader_fetch(ilk_row_reader *reader, ilk_pass *pass, bool *more, ilk_error *err);
/* Parse and encode it. */
ilk_status ilk_row_reader_read(ilk_row_reader *reader, const ilk_pass *pass, ilk_error *err);
/* Add its tally to the pass's and report progress. In order. */
ilk_status ilk_row_reader_account(const ilk_row_reader *reader, ilk_pass *pass, ilk_error *err);

#endif
