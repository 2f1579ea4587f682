/* SPDX-License-Identifier: Apache-2.0 */
/* grid.h - a table of text with aligned columns, for people. */
#ifndef ILK_CLI_GRID_H
#define ILK_CLI_GRID_H

#include "sink.h"

/* Cells row by row; all rows have the same number of columns. The first column is left-aligned, the others right. */
typedef struct grid {
    char *bytes; /* all cells, one after the other */
    size_t n_bytes, cap_bytes;
    size_t *end; /* of each cell in bytes */
    size_t cells, cap_cells;
    size_t columns;
} grid;

void grid_begin(grid *g, size_t columns);
void grid_cell(grid *g, ilk_str text);
void grid_word(grid *g, const char *text);
void grid_rounded(grid *g, double x); /* six significant digits; empty for NaN */
void grid_number(grid *g, double x);  /* all digits */
/* "2/9" where the counts are known, else the value. */
void grid_share(grid *g, double count, double total, double value);
/* Print, each line after `indent` blanks, and release the memory. */
void grid_end(grid *g, sink *out, size_t indent);

#endif
