/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c - ilk sample [options] MODEL
 *
 * Draw rows from what the model has learnt: a class by its prior, then all columns given the class. They have the shape
 * of the table that was learnt, so that they can be looked at, plotted or learnt again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"

typedef struct drawing {
    const ilk_model *model;
    const ilk_schema *schema;
    sink out;
    bool json;
    size_t *feature; /* per column of the schema: which feature of its kind it is */
    char *strange;   /* a name for what is not in a dictionary */
    size_t strange_n;
} drawing;

typedef struct drawn_text {
    char *text;
    size_t n, cap;
} drawn_text;

/* A value outside the dictionary is written by a name that the model does not know: "unseen", with as many underscores
 * behind it as that takes. A dictionary cannot hold all of these. */
static ilk_str strange_name(drawing *d, ilk_kind kind, size_t j) {
    static const char begin[] = "unseen";
    for (size_t n = sizeof begin - 1;; n++) {
        if (n > d->strange_n) {
            d->strange = cli_resize(d->strange, n, 1);
            d->strange[n - 1] = '_';
            memcpy(d->strange, begin, sizeof begin - 1);
            d->strange_n = n;
        }
        ilk_str name = {d->strange, n};
        if ((kind == ILK_TEXT ? ilk_model_word : ilk_model_code)(d->model, j, name) == ILK_UNSEEN)
            return name;
    }
}

static ilk_str key_of(drawing *d, ilk_kind kind, size_t j, uint32_t id) {
    return id == ILK_UNSEEN ? strange_name(d, kind, j) : ilk_model_key(d->model, kind, j, id);
}

/* Behind a blank, unless it is the first. */
static void add_word(drawn_text *w, ilk_str word, const char *behind) {
    size_t more = strlen(behind);
    while (w->n + 1 + word.n + more > w->cap)
        w->text = cli_resize(w->text, w->cap = w->cap * 2 + 256, 1);
    if (w->n > 0)
        w->text[w->n++] = ' ';
    memcpy(w->text + w->n, word.p, word.n);
    memcpy(w->text + w->n + word.n, behind, more);
    w->n += word.n + more;
}

/* Words joined by blanks, each as often as it occurs, or once with its count if that is how the model reads them. The
 * caller frees the text. */
static ilk_str words_of(drawing *d, const ilk_column *column, const ilk_tokens *bags, size_t j, size_t i) {
    drawn_text w = {0};
    for (size_t at = bags->begin[i]; at < bags->begin[i + 1]; at++) {
        ilk_str word = key_of(d, ILK_TEXT, j, bags->id[at]);
        bool counted = column->tokenizer.kind == ILK_COUNTS;
        char count[16] = "";
        if (counted)
            snprintf(count, sizeof count, ":%u", bags->count[at]);
        for (uint32_t c = 0; c < (counted ? 1 : bags->count[at]); c++)
            add_word(&w, word, count);
    }
    return (ilk_str){w.text, w.n};
}

static void csv_number(drawing *d, double x) {
    if (!isnan(x))
        sink_number(&d->out, x);
}

/* Write column c of row i: into a field of CSV, or as a value of JSON. */
static void write_value(drawing *d, json *j, const ilk_rows *rows, size_t i, size_t c) {
    const ilk_column *column = ilk_schema_column(d->schema, c);
    size_t at = d->feature[c], width = ilk_schema_width(d->schema, column->kind);
    ilk_str text = {"", 0};
    bool number = column->role == ILK_WEIGHT || (column->role == ILK_FEATURE && column->kind == ILK_REAL);
    if (number) {
        double x = column->role == ILK_WEIGHT ? 1 : rows->real[i * width + at];
        d->json ? json_number(j, NULL, x) : csv_number(d, x);
        return;
    }
    bool words = column->role == ILK_FEATURE && column->kind == ILK_TEXT;
    if (column->role == ILK_TARGET)
        text = ilk_model_class_name(d->model, rows->label[i]);
    else if (words)
        text = words_of(d, column, &rows->text[at], at, i);
    else if (column->role == ILK_FEATURE)
        text = key_of(d, ILK_CATEGORY, at, rows->code[i * width + at]);
    d->json ? json_text(j, NULL, text) : sink_csv(&d->out, text);
    if (words)
        free((void *)(uintptr_t)text.p);
}

static void write_row(drawing *d, const ilk_rows *rows, size_t i) {
    json j = json_begin(&d->out);
    if (d->json)
        json_object(&j, NULL);
    for (size_t c = 0; c < ilk_schema_columns(d->schema); c++) {
        if (d->json)
            json_key(&j, ilk_schema_column(d->schema, c)->name);
        else if (c > 0)
            sink_bytes(&d->out, ",", 1);
        write_value(d, &j, rows, i, c);
    }
    if (d->json)
        json_end(&j);
    else
        sink_bytes(&d->out, "\n", 1);
}

static ilk_status write_rows(void *ctx, const ilk_rows *rows) {
    drawing *d = ctx;
    for (size_t i = 0; i < rows->n; i++)
        write_row(d, rows, i);
    return d->out.status;
}

/* Is a column named by its place, from 1, as those are that have no name? */
static bool is_unnamed(const ilk_schema *schema, size_t c) {
    char place[24];
    snprintf(place, sizeof place, "%zu", c + 1);
    return cli_equal(ilk_schema_column(schema, c)->name, cli_str(place));
}

static bool has_names(const ilk_schema *schema) {
    for (size_t c = 0; c < ilk_schema_columns(schema); c++)
        if (!is_unnamed(schema, c))
            return true;
    return false;
}

/* What had no name has none here either: its number would make a row of the header. */
static void write_header(drawing *d) {
    for (size_t c = 0; c < ilk_schema_columns(d->schema); c++) {
        sink_string(&d->out, c ? "," : "");
        if (!is_unnamed(d->schema, c))
            sink_csv(&d->out, ilk_schema_column(d->schema, c)->name);
    }
    sink_bytes(&d->out, "\n", 1);
}

static ilk_status draw(const ilk_model *model, const cli_settings *s, ilk_error *err) {
    drawing d = {.model = model, .schema = ilk_model_schema(model), .out = sink_stdout(), .json = s->json};
    size_t seen[3] = {0}, columns = ilk_schema_columns(d.schema);
    d.feature = cli_alloc(columns, sizeof *d.feature);
    for (size_t c = 0; c < columns; c++) {
        const ilk_column *column = ilk_schema_column(d.schema, c);
        d.feature[c] = seen[column->kind];
        seen[column->kind] += column->role == ILK_FEATURE;
    }
    /* What cannot be drawn is refused before anything is written. */
    ilk_status status = ilk_model_sample(model, 0, s->seed, write_rows, &d, err);
    if (status == ILK_OK && !s->json && has_names(d.schema))
        write_header(&d);
    if (status == ILK_OK)
        status = ilk_model_sample(model, s->rows, s->seed, write_rows, &d, err);
    free(d.feature);
    free(d.strange);
    return status;
}

static int sample(const cli_settings *s) {
    ilk_error err = {0};
    ilk_model *model = NULL;
    ilk_status status = ilk_model_open(&model, s->args.item[0], &err);
    if (status == ILK_OK)
        status = draw(model, s, &err);
    ilk_model_free(model);
    return status == ILK_OK ? CLI_DONE : cli_fail(&err);
}

const cli_command cli_sample = {
    .name = "sample",
    .summary = "draw rows as the model knows them",
    .arguments = "MODEL",
    .description =
        "Writes CSV in the shape of the table that was learnt, its class included. Columns that are named by their "
        "places, as those of a table without a header, have no name in it, and where all are there is no header. "
        "Columns that were ignored are empty, weights are 1, and a text is its words, joined by blanks. The same model "
        "and seed give the same rows, and fewer rows are the first of more.",
    .examples = "ilk sample tennis.bayes -n 5\n"
                "ilk sample --json --seed 7 -n 1000 gda.bayes\n"
                "ilk sample -n 100000 m.bayes | ilk train --target class -o again.bayes -\n",
    .least = 1,
    .most = 1,
    .run = sample,
};
