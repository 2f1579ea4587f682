/* SPDX-License-Identifier: Apache-2.0 */
/* export_c.c - a model as one function of C17.
 *
 * What is written: a structure for a row, tables of strings (sorted, searched by halves) with the logarithms that each
 * adds, and the function that adds them up. Every name begins with the one asked for, so that several models can stand
 * in one program. Categories are here, numbers in export_numbers.c, words in export_text.c, and what is done to a row's
 * numbers first in export_rows.c.
 */
#include "export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void export_constant(sink *out, double x) {
    char digits[32];
    size_t n = ilk_format_number(digits, x);
    if (isinf(x)) {
        sink_string(out, x < 0 ? "-INFINITY" : "INFINITY");
        return;
    }
    sink_bytes(out, digits, n);
    if (strspn(digits, "-0123456789") >= n)
        sink_string(out, ".0"); /* or it would be an int, perhaps too large for one */
}

/* A string of C. Octal escapes end after three digits, whatever follows. */
static void write_string(sink *out, ilk_str s) {
    sink_bytes(out, "\"", 1);
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c < 0x20 || c >= 0x7f || strchr("\"\\?", c)) /* ?? would be a trigraph */
            sink_format(out, "\\%03o", c);
        else
            sink_bytes(out, &s.p[i], 1);
    }
    sink_bytes(out, "\"", 1);
}

/* A name in a comment, which it must not end. */
static void write_comment(sink *out, ilk_str s) {
    for (size_t i = 0; i < s.n; i++) {
        bool ends = s.p[i] == '/' || s.p[i] == '*' || (unsigned char)s.p[i] < 0x20 || s.p[i] == '\\';
        sink_bytes(out, ends ? "_" : &s.p[i], 1);
    }
}

/* ---- the head: classes, and what a row is */

/* Those of a kind that stand in one of the row's arrays. */
static void list_features(export_writer *w, ilk_kind kind, export_array array) {
    static const char *const names[] = {"number", "category", "text"};
    const ilk_column *column;
    for (size_t i = 0; (column = w->feature[kind][i].column); i++) {
        if (export_array_of(column) != array)
            continue;
        sink_format(&w->out, " *   %s[%zu]  ", names[array], w->feature[kind][i].place);
        write_comment(&w->out, column->name);
        sink_bytes(&w->out, "\n", 1);
    }
}

static void write_head(export_writer *w) {
    sink *out = &w->out;
    sink_format(
        out,
        "/* Made by ilk %s export: a classifier of %zu classes, in C17, that needs <math.h> only.\n *\n"
        " * int %s_predict(double *posterior, const struct %s_row *row) fills posterior[%zu] and returns the\n"
        " * likeliest class, an index into %s_class; -1 if every class is impossible (then the posterior is NaN)",
        ilk_version(), w->K, w->name, w->name, w->K, w->name);
    if (w->unseen == ILK_UNSEEN_ERROR)
        sink_string(out, ",\n * -2 if a category or word is not known");
    if (export_has_powers(w->schema))
        sink_string(out, ",\n * -2 if a number cannot be transformed as the model does: 0 or less under boxcox or log");
    sink_string(out, ".\n *\n");
    list_features(w, ILK_REAL, EXPORT_NUMBER);
    list_features(w, ILK_CATEGORY, EXPORT_NUMBER);
    list_features(w, ILK_CATEGORY, EXPORT_CATEGORY);
    list_features(w, ILK_TEXT, EXPORT_TEXT);
    sink_string(out, " *\n * A number that is missing is NAN, a category NULL. A text is its words, each once, and how "
                     "often it\n * occurs; n is -1 where it is missing. */\n"
                     "#include <math.h>\n\n");
    sink_format(out, "const char *const %s_class[%zu] = {", w->name, w->K);
    for (uint32_t k = 0; k < w->K; k++) {
        sink_string(out, k ? ", " : "");
        write_string(out, ilk_model_class_name(w->model, k));
    }
    sink_string(out, "};\n\n");
    size_t numbers = w->width[EXPORT_NUMBER], categories = w->width[EXPORT_CATEGORY], texts = w->width[EXPORT_TEXT];
    if (texts)
        sink_format(out, "struct %s_text {\n    const char *const *word;\n    const double *count;\n    int n;\n};\n\n",
                    w->name);
    sink_format(out, "struct %s_row {\n", w->name);
    if (numbers)
        sink_format(out, "    double number[%zu];\n", numbers);
    if (categories)
        sink_format(out, "    const char *category[%zu];\n", categories);
    if (texts)
        sink_format(out, "    struct %s_text text[%zu];\n", w->name, texts);
    sink_format(out, "};\n\nint %s_predict(double *posterior, const struct %s_row *row);\n\n", w->name, w->name);
}

/* ---- tables */

/* "static const double NAME_c3_log[2][3] = {": what belongs to feature j of a kind, by letter. */
static void begin_table(export_writer *w, const char *type, char letter, size_t j, const char *what, size_t rows,
                        size_t columns) {
    sink_format(&w->out, "static const %s%s_%c%zu_%s", type, w->name, letter, j, what);
    if (rows)
        sink_format(&w->out, "[%zu]", rows);
    if (columns)
        sink_format(&w->out, "[%zu]", columns);
    sink_string(&w->out, " = {");
}

static void end_table(export_writer *w) {
    sink_string(&w->out, "};\n");
}

/* The strings of a feature; one that has none has a place all the same, since C knows no empty arrays. */
static void write_keys(export_writer *w, ilk_kind kind, size_t j) {
    uint32_t first, end;
    ilk_model_keys(&first, &end, w->model, kind, j);
    begin_table(w, "char *const ", kind == ILK_TEXT ? 't' : 'c', j, "key", end > first ? end - first : 1, 0);
    for (uint32_t id = first; id < end; id++) {
        sink_string(&w->out, id > first ? ",\n    " : "\n    ");
        write_string(&w->out, ilk_model_key(w->model, kind, j, id));
    }
    sink_string(&w->out, end > first ? "\n" : "\"\"");
    end_table(w);
}

/* What one key adds to the score of a class. */
typedef double (*addition)(const ilk_fact *fact);

static double log_phi(const ilk_fact *fact) {
    return log(fact->value);
}
static double minus_log_phi(const ilk_fact *fact) {
    return -log(fact->value);
}
static double log_not_phi(const ilk_fact *fact) {
    return log((fact->total - fact->count) / fact->total); /* 1 - value would be rounded */
}
static double log_ratio(const ilk_fact *fact) {
    return log_phi(fact) - log_not_phi(fact);
}

static void write_row(export_writer *w, const parameter *item, addition of) {
    for (size_t k = 0; k < w->K; k++) {
        sink_string(&w->out, k ? ", " : "");
        export_constant(&w->out, of(&item->fact[k]));
    }
}

/* One row per key of the feature, in the order of write_keys. */
static void write_values(export_writer *w, const ilk_column *column, char letter, size_t j, const char *what,
                         addition of) {
    size_t n;
    const parameter *item = parameters_find(w->p, column->family, column->name, "phi", &n);
    begin_table(w, "double ", letter, j, what, n ? n : 1, w->K);
    for (size_t i = 0; i < n; i++) {
        sink_string(&w->out, i ? ",\n    {" : "\n    {");
        write_row(w, &item[i], of);
        sink_bytes(&w->out, "}", 1);
    }
    sink_string(&w->out, n ? "\n" : "{0}");
    end_table(w);
}

static void write_unseen(export_writer *w, const ilk_column *column, char letter, size_t j, addition of) {
    size_t n;
    const parameter *item = parameters_find(w->p, column->family, column->name, "unseen", &n);
    if (n == 0)
        return;
    begin_table(w, "double ", letter, j, "unseen", w->K, 0);
    write_row(w, item, of);
    end_table(w);
}

/* Bernoulli: the sum of log(1 - phi) over all words, and how many are in every document (phi = 1). */
static void write_absence(export_writer *w, const ilk_column *column, size_t j) {
    size_t n, room;
    const parameter *item = parameters_find(w->p, column->family, column->name, "phi", &n),
                    *unseen = parameters_find(w->p, column->family, column->name, "unseen", &room);
    double *base = cli_alloc(w->K, sizeof *base), *certain = cli_alloc(w->K, sizeof *certain);
    for (size_t k = 0; k < w->K; k++) {
        base[k] = room ? log_not_phi(&unseen->fact[k]) : 0;
        certain[k] = 0;
        for (size_t i = 0; i < n; i++) {
            double x = log_not_phi(&item[i].fact[k]);
            base[k] += isinf(x) ? 0 : x;
            certain[k] += isinf(x) != 0;
        }
    }
    for (int which = 0; which < 2; which++) {
        begin_table(w, "double ", 't', j, which ? "certain" : "base", w->K, 0);
        for (size_t k = 0; k < w->K; k++) {
            sink_string(&w->out, k ? ", " : "");
            export_constant(&w->out, which ? certain[k] : base[k]);
        }
        end_table(w);
    }
    free(base);
    free(certain);
}

static void write_tables(export_writer *w) {
    const ilk_column *column;
    for (size_t j = 0; (column = w->feature[ILK_CATEGORY][j].column); j++) {
        if (export_array_of(column) == EXPORT_NUMBER)
            export_bins_table(w, column, j);
        else
            write_keys(w, ILK_CATEGORY, j);
        if (export_is(column, "table"))
            continue;
        write_values(w, column, 'c', j, "log", log_phi);
        write_unseen(w, column, 'c', j, log_phi);
    }
    for (size_t j = 0; (column = w->feature[ILK_TEXT][j].column); j++) {
        bool bernoulli = export_is(column, "bernoulli");
        addition of = export_is(column, "complement") ? minus_log_phi : log_phi;
        write_keys(w, ILK_TEXT, j);
        write_values(w, column, 't', j, "log", of);
        write_unseen(w, column, 't', j, bernoulli ? log_ratio : of);
        if (bernoulli) {
            write_values(w, column, 't', j, "not", log_not_phi);
            write_absence(w, column, j);
        }
    }
    export_joint_table(w);
    export_number_tables(w);
}

/* ---- code */

static void write_find(export_writer *w) {
    if (w->width[EXPORT_CATEGORY] + w->width[EXPORT_TEXT] == 0)
        return;
    sink_format(&w->out,
                "\n/* The place of a string in n sorted ones; -1 for none (NULL), -2 if it is not among them. */\n"
                "static int %s_find(const char *s, const char *const *key, int n) {\n"
                "    int low = 0, high = n;\n"
                "    if (!s)\n"
                "        return -1;\n"
                "    while (low < high) {\n"
                "        int middle = low + (high - low) / 2, i = 0, order;\n"
                "        while (s[i] && s[i] == key[middle][i])\n"
                "            i++;\n"
                "        order = (int)(unsigned char)s[i] - (int)(unsigned char)key[middle][i];\n"
                "        if (order == 0)\n"
                "            return middle;\n"
                "        if (order < 0)\n"
                "            high = middle;\n"
                "        else\n"
                "            low = middle + 1;\n"
                "    }\n"
                "    return -2;\n"
                "}\n",
                w->name);
}

static void write_categories(export_writer *w) {
    const ilk_column *column;
    for (size_t j = 0; (column = w->feature[ILK_CATEGORY][j].column); j++) {
        size_t place = w->feature[ILK_CATEGORY][j].place;
        bool binned = export_array_of(column) == EXPORT_NUMBER;
        if (binned)
            export_bins_code(w, column, j, place);
        else
            sink_format(&w->out, "    code[%zu] = %s_find(row->category[%zu], %s_c%zu_key, %u);\n", j, w->name, place,
                        w->name, j, export_keys(w, ILK_CATEGORY, j));
        if (w->unseen == ILK_UNSEEN_ERROR && !binned)
            sink_format(&w->out, "    if (code[%zu] == -2)\n        return -2;\n", j);
        if (export_is(column, "table"))
            continue;
        sink_format(&w->out,
                    "    for (k = 0; k < %zu && code[%zu] >= 0; k++)\n        score[k] += %s_c%zu_log[code[%zu]][k];\n",
                    w->K, j, w->name, j, j);
        if (w->unseen == ILK_UNSEEN_UNKNOWN && !binned)
            sink_format(&w->out,
                        "    for (k = 0; k < %zu && code[%zu] == -2; k++)\n        score[k] += %s_c%zu_unseen[k];\n",
                        w->K, j, w->name, j);
    }
}

static void write_function(export_writer *w) {
    sink *out = &w->out;
    const ilk_column *column;
    size_t codes = ilk_schema_width(w->schema, ILK_CATEGORY);
    write_find(w);
    export_row_functions(w);
    sink_format(out, "\nint %s_predict(double *posterior, const struct %s_row *row) {\n    double score[%zu] = {",
                w->name, w->name, w->K);
    for (uint32_t k = 0; k < w->K; k++) {
        sink_string(out, k ? ", " : "");
        export_constant(out, export_takes_prior(w->model) ? ilk_model_log_prior(w->model, k) : 0);
    }
    sink_string(out, "}, sum = 0;\n    int k, best = -1;\n");
    if (codes)
        sink_format(out, "    int code[%zu];\n", codes);
    export_row_code(w);
    export_number_code(w);
    write_categories(w);
    export_joint_code(w);
    for (size_t j = 0; (column = w->feature[ILK_TEXT][j].column); j++)
        export_text_code(w, column, j);
    sink_format(
        out,
        "    for (k = 0; k < %zu; k++)\n        if (score[k] > (best < 0 ? -INFINITY : score[best]))\n            best "
        "= k;\n"
        "    for (k = 0; k < %zu; k++)\n        sum += posterior[k] = best < 0 ? NAN : exp(score[k] - score[best]);\n"
        "    for (k = 0; k < %zu; k++)\n        posterior[k] /= sum;\n    return best;\n}\n",
        w->K, w->K, w->K);
}

static bool is_known(const char *family) {
    static const char *const known[] = {"gaussian",    "gaussian-shared",   "gda",         "qda",
                                        "poisson",     "negative-binomial", "categorical", "table",
                                        "multinomial", "bernoulli",         "complement"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], family) == 0)
            return true;
    return false;
}

ilk_status export_c(const ilk_model *model, const parameters *p, const char *name, ilk_error *err) {
    export_writer w = {.out = sink_stdout(),
                       .model = model,
                       .schema = ilk_model_schema(model),
                       .p = p,
                       .name = name,
                       .K = ilk_model_classes(model),
                       .unseen = ilk_model_options(model)->unseen};
    for (size_t c = 0; c < ilk_schema_columns(w.schema); c++) {
        const ilk_column *column = ilk_schema_column(w.schema, c);
        if (column->role == ILK_FEATURE && !is_known(column->family)) {
            err->status = ILK_EARG;
            snprintf(err->message, sizeof err->message, "family %s is not written as C yet", column->family);
            return ILK_EARG;
        }
    }
    export_features_find(&w);
    write_head(&w);
    write_tables(&w);
    write_function(&w);
    export_features_free(&w);
    return w.out.status;
}
