/* SPDX-License-Identifier: Apache-2.0 */
/* export_rows.c - what an exported C function does to a row's numbers first: powers and bins.   MATH section 15
 *
 * The slope of a power is the same for every class and says nothing about which it is, so it is left out. */
#include "export.h"

#include <stdlib.h>

/* ---- where a feature stands in a row */

export_array export_array_of(const ilk_column *column) {
    if (column->kind == ILK_REAL || column->transform.kind == ILK_BINS)
        return EXPORT_NUMBER;
    return column->kind == ILK_TEXT ? EXPORT_TEXT : EXPORT_CATEGORY;
}

void export_features_find(export_writer *w) {
    size_t n[3] = {0};
    for (int kind = ILK_REAL; kind <= ILK_TEXT; kind++)
        w->feature[kind] = cli_alloc(ilk_schema_width(w->schema, (ilk_kind)kind) + 1, sizeof *w->feature[kind]);
    for (size_t c = 0; c < ilk_schema_columns(w->schema); c++) {
        const ilk_column *column = ilk_schema_column(w->schema, c);
        if (column->role == ILK_FEATURE)
            w->feature[column->kind][n[column->kind]++].column = column;
    }
    for (int kind = ILK_REAL; kind <= ILK_TEXT; kind++) {
        w->feature[kind][n[kind]].column = NULL;
        for (size_t j = 0; j < n[kind]; j++) /* in the order of kinds, so bins come behind the numbers that stay */
            w->feature[kind][j].place = w->width[export_array_of(w->feature[kind][j].column)]++;
    }
}

void export_features_free(export_writer *w) {
    for (int kind = ILK_REAL; kind <= ILK_TEXT; kind++)
        free(w->feature[kind]);
}

/* ---- bins */

/* Edges, and the place of each bin among the keys, which are sorted as strings. */
void export_bins_table(export_writer *w, const ilk_column *column, size_t j) {
    const ilk_transform *t = &column->transform;
    uint32_t first, end;
    ilk_model_keys(&first, &end, w->model, ILK_CATEGORY, j);
    sink_format(&w->out, "static const double %s_c%zu_edge[%zu] = {", w->name, j, t->edges + (t->edges == 0));
    for (size_t i = 0; i < t->edges; i++) {
        sink_string(&w->out, i ? ", " : "");
        export_constant(&w->out, t->edge[i]);
    }
    sink_format(&w->out, "%s};\nstatic const int %s_c%zu_bin[%zu] = {", t->edges ? "" : "0", w->name, j, t->edges + 1);
    for (size_t i = 0; i <= t->edges; i++) {
        char name[ILK_BIN_NAME];
        size_t n = ilk_transform_bin_name(name, t, i + 1);
        sink_format(&w->out, "%s%u", i ? ", " : "", ilk_model_code(w->model, j, (ilk_str){name, n}) - first);
    }
    sink_string(&w->out, "};\n");
}

void export_bins_code(export_writer *w, const ilk_column *column, size_t j, size_t place) {
    sink_format(&w->out,
                "    code[%zu] = isnan(row->number[%zu]) ? -1 : %s_c%zu_bin[%s_below(row->number[%zu], %s_c%zu_edge, "
                "%zu)];\n",
                j, place, w->name, j, w->name, place, w->name, j, column->transform.edges);
}

/* ---- powers */

static size_t columns_with(const ilk_schema *schema, ilk_transform_kind kind) {
    size_t n = 0;
    for (size_t c = 0; c < ilk_schema_columns(schema); c++)
        n += ilk_schema_column(schema, c)->transform.kind == kind;
    return n;
}

bool export_has_powers(const ilk_schema *schema) {
    return columns_with(schema, ILK_BOX_COX) + columns_with(schema, ILK_YEO_JOHNSON) > 0;
}

void export_row_functions(export_writer *w) {
    if (columns_with(w->schema, ILK_BINS))
        sink_format(&w->out,
                    "\n/* How many of n ascending edges are at most x. */\n"
                    "static int %s_below(double x, const double *edge, int n) {\n"
                    "    int low = 0;\n"
                    "    while (n > 0) {\n"
                    "        int half = n / 2, above = edge[low + half] <= x;\n"
                    "        low += above ? half + 1 : 0;\n"
                    "        n = above ? n - half - 1 : half;\n"
                    "    }\n"
                    "    return low;\n"
                    "}\n",
                    w->name);
    if (export_has_powers(w->schema))
        sink_format(&w->out,
                    "\n/* (e^(lambda l) - 1) / lambda. */\n"
                    "static double %s_raise(double l, double lambda) {\n"
                    "    return lambda == 0 ? l : expm1(lambda * l) / lambda;\n"
                    "}\n",
                    w->name);
}

/* number[j] from row->number[j]. */
static void write_power(export_writer *w, const ilk_transform *t, size_t j) {
    sink_format(&w->out, "    number[%zu] = ", j);
    if (t->kind == ILK_BOX_COX) {
        sink_format(&w->out, "%s_raise(log(row->number[%zu]), ", w->name, j);
        export_constant(&w->out, t->lambda);
        sink_format(&w->out, ");\n    if (row->number[%zu] <= 0 || isinf(number[%zu]))\n        return -2;\n", j, j);
        return;
    }
    sink_format(&w->out, "row->number[%zu] < 0 ? -%s_raise(log1p(-row->number[%zu]), ", j, w->name, j);
    export_constant(&w->out, 2 - t->lambda);
    sink_format(&w->out, ") : %s_raise(log1p(row->number[%zu]), ", w->name, j);
    export_constant(&w->out, t->lambda);
    sink_format(&w->out, ");\n    if (isinf(number[%zu]))\n        return -2;\n", j);
}

void export_row_code(export_writer *w) {
    const ilk_column *column;
    size_t reals = ilk_schema_width(w->schema, ILK_REAL);
    if (reals == 0)
        return;
    if (!export_has_powers(w->schema)) {
        sink_string(&w->out, "    const double *number = row->number;\n    (void)number;\n");
        return;
    }
    sink_format(&w->out, "    double number[%zu];\n", reals);
    for (size_t j = 0; (column = w->feature[ILK_REAL][j].column); j++)
        if (column->transform.kind == ILK_AS_IS)
            sink_format(&w->out, "    number[%zu] = row->number[%zu];\n", j, j);
        else
            write_power(w, &column->transform, j);
}
