/* SPDX-License-Identifier: Apache-2.0 */
/* grid.c - cells are kept as written and measured at the end, when the widest of each column is known. */
#include "grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "width.h"

void grid_begin(grid *g, size_t columns) {
    *g = (grid){.columns = columns};
}

void grid_cell(grid *g, ilk_str text) {
    if (g->cells == g->cap_cells) {
        g->cap_cells = g->cap_cells * 2 + 64;
        g->end = cli_resize(g->end, g->cap_cells, sizeof *g->end);
    }
    if (text.n > g->cap_bytes - g->n_bytes) {
        g->cap_bytes = g->cap_bytes * 2 + text.n + 1024;
        g->bytes = cli_resize(g->bytes, g->cap_bytes, 1);
    }
    if (text.n > 0)
        memcpy(g->bytes + g->n_bytes, text.p, text.n);
    g->n_bytes += text.n;
    g->end[g->cells++] = g->n_bytes;
}

void grid_word(grid *g, const char *text) {
    grid_cell(g, (ilk_str){text, strlen(text)});
}

void grid_rounded(grid *g, double x) {
    char buf[32] = "";
    if (!isnan(x))
        snprintf(buf, sizeof buf, "%.6g", x);
    grid_word(g, buf);
}

void grid_number(grid *g, double x) {
    char buf[32];
    size_t n = ilk_format_number(buf, x);
    grid_cell(g, (ilk_str){buf, n});
}

void grid_share(grid *g, double count, double total, double value) {
    char buf[700]; /* a whole double has up to 309 digits */
    if (isnan(count) || isnan(total)) {
        grid_rounded(g, value);
        return;
    }
    int n = snprintf(buf, sizeof buf, count == floor(count) && total == floor(total) ? "%.0f/%.0f" : "%.6g/%.6g", count,
                     total);
    grid_cell(g, (ilk_str){buf, (size_t)n});
}

static ilk_str cell(const grid *g, size_t i) {
    size_t from = i ? g->end[i - 1] : 0;
    return (ilk_str){g->bytes + from, g->end[i] - from};
}

static size_t *measure(const grid *g) {
    size_t *width = cli_alloc(g->columns, sizeof *width);
    memset(width, 0, g->columns * sizeof *width);
    for (size_t i = 0; i < g->cells; i++) {
        size_t w = display_width(cell(g, i));
        if (w > width[i % g->columns])
            width[i % g->columns] = w;
    }
    return width;
}

void grid_end(grid *g, sink *out, size_t indent) {
    size_t *width = measure(g);
    for (size_t i = 0; i < g->cells; i++) {
        size_t j = i % g->columns;
        ilk_str text = cell(g, i);
        size_t pad = width[j] - display_width(text);
        bool last = j + 1 == g->columns;
        sink_spaces(out, j ? pad + 2 : indent);
        sink_shown(out, text);
        if (j == 0 && !last)
            sink_spaces(out, pad);
        if (last)
            sink_bytes(out, "\n", 1);
    }
    free(width);
    free(g->bytes);
    free(g->end);
    *g = (grid){0};
}
