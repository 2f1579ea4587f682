/* SPDX-License-Identifier: Apache-2.0 */
/* export_joint.c - the part of an exported C function that is about a joint table: the combinations seen, as places in
 * the tables of their columns' values. */
#include "export.h"

#include <stdlib.h>
#include <string.h>

/* The next value of a combination, without its escapes; the caller frees it. */
static ilk_str next_value(ilk_str *key) {
    char *value = cli_alloc(key->n, 1);
    size_t i = 0, n = 0;
    for (; i < key->n && key->p[i] != ','; i++) {
        i += key->p[i] == '\\' && i + 1 < key->n;
        value[n++] = key->p[i];
    }
    i += i < key->n; /* the comma */
    *key = (ilk_str){key->p + i, key->n - i};
    return (ilk_str){value, n};
}

/* A combination as places in the key tables of its columns. */
static void write_combination(export_writer *w, ilk_str key) {
    const ilk_column *column;
    const char *between = "";
    for (size_t j = 0; (column = w->feature[ILK_CATEGORY][j].column); j++) {
        if (!export_is(column, "table"))
            continue;
        uint32_t first, end;
        ilk_str value = next_value(&key);
        ilk_model_keys(&first, &end, w->model, ILK_CATEGORY, j);
        sink_format(&w->out, "%s%u", between, ilk_model_code(w->model, j, value) - first);
        between = ", ";
        free((void *)(uintptr_t)value.p);
    }
}

static double plain_count(const export_writer *w, const ilk_fact *fact) {
    return fact->count - ilk_model_options(w->model)->smooth;
}

void export_joint_table(export_writer *w) {
    size_t n, d = 0;
    const ilk_column *column;
    const parameter *item = parameters_find(w->p, "table", (ilk_str){"", 0}, "phi", &n);
    const parameter *unseen = parameters_key(w->p, "table", (ilk_str){"", 0}, "unseen", (ilk_str){"", 0});
    for (size_t j = 0; (column = w->feature[ILK_CATEGORY][j].column); j++)
        d += export_is(column, "table");
    if (d == 0)
        return;
    sink_format(&w->out, "static const int %s_table_code[%zu][%zu] = {", w->name, n ? n : 1, d);
    for (size_t i = 0; i < n; i++) {
        sink_string(&w->out, i ? ", {" : "{");
        write_combination(w, item[i].fact->key);
        sink_bytes(&w->out, "}", 1);
    }
    sink_format(&w->out, "%s};\nstatic const double %s_table_count[%zu][%zu] = {", n ? "" : "{-3}", w->name, n ? n : 1,
                w->K);
    for (size_t i = 0; i < n; i++) {
        sink_string(&w->out, i ? ", {" : "{");
        for (size_t k = 0; k < w->K; k++) {
            sink_string(&w->out, k ? ", " : "");
            export_constant(&w->out, plain_count(w, &item[i].fact[k]));
        }
        sink_bytes(&w->out, "}", 1);
    }
    sink_format(&w->out, "%s};\nstatic const double %s_table_total[%zu] = {", n ? "" : "{0}", w->name, w->K);
    for (size_t k = 0; k < w->K; k++) {
        sink_string(&w->out, k ? ", " : "");
        export_constant(&w->out, unseen->fact[k].total);
    }
    sink_string(&w->out, "};\n");
}

/* Combinations that agree with what the row has; alpha counts as often as there could be such. */
void export_joint_code(export_writer *w) {
    size_t n, d = 0;
    const ilk_column *column;
    for (size_t j = 0; (column = w->feature[ILK_CATEGORY][j].column); j++)
        d += export_is(column, "table");
    if (d == 0)
        return;
    (void)parameters_find(w->p, "table", (ilk_str){"", 0}, "phi", &n);
    const char *open = w->unseen == ILK_UNSEEN_UNKNOWN ? "c == -1" : "c < 0";
    sink_format(&w->out, "    {\n        static const int from[%zu] = {", d);
    const char *between = "";
    for (size_t j = 0; (column = w->feature[ILK_CATEGORY][j].column); j++)
        if (export_is(column, "table")) {
            sink_format(&w->out, "%s%zu", between, j);
            between = ", ";
        }
    sink_format(&w->out, "}, values[%zu] = {", d);
    between = "";
    for (size_t j = 0; (column = w->feature[ILK_CATEGORY][j].column); j++)
        if (export_is(column, "table")) {
            bool more = w->unseen == ILK_UNSEEN_UNKNOWN && export_array_of(column) != EXPORT_NUMBER;
            sink_format(&w->out, "%s%u", between, export_keys(w, ILK_CATEGORY, j) + more);
            between = ", ";
        }
    sink_format(
        &w->out,
        "};\n        double count[%zu] = {0}, cells = 1;\n        int i, j;\n"
        "        for (j = 0; j < %zu; j++) {\n            int c = code[from[j]];\n            cells *= %s ? values[j] "
        ": 1;\n        }\n"
        "        for (i = 0; i < %zu; i++) {\n            int match = 1;\n"
        "            for (j = 0; j < %zu; j++) {\n                int c = code[from[j]];\n"
        "                match = match && (%s || c == %s_table_code[i][j]);\n            }\n"
        "            for (k = 0; k < %zu && match; k++)\n                count[k] += %s_table_count[i][k];\n        }\n"
        "        for (k = 0; k < %zu; k++)\n            score[k] += log((count[k] + ",
        w->K, d, open, n, d, open, w->name, w->K, w->name, w->K);
    export_constant(&w->out, ilk_model_options(w->model)->smooth);
    sink_format(&w->out, " * cells) / %s_table_total[k]);\n    }\n", w->name);
}

uint32_t export_keys(const export_writer *w, ilk_kind kind, size_t j) {
    uint32_t first, end;
    ilk_model_keys(&first, &end, w->model, kind, j);
    return end - first;
}

bool export_is(const ilk_column *column, const char *family) {
    return strcmp(column->family, family) == 0;
}
