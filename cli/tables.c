/* SPDX-License-Identifier: Apache-2.0 */
/* tables.c - from the facts of a model to tables for people.
 *
 * Facts come one number at a time. Those of one family that belong together (one quantity; phi of one column; Sigma of
 * one class) fill one table, whose rows and columns are the labels met, in the order they are met. Tables are written
 * when their family ends. Nothing here knows the families, so a new one is shown without a change.
 */
#include "tables.h"
#include "width.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "grid.h"

/* Labels of one side of a table. `last` is where the previous one was found: facts come in order, so the next is the
 * same or the one after it, and the search is short. */
typedef struct labels {
    ilk_str *item;
    size_t n, cap, last;
} labels;

typedef struct cell {
    size_t row, column;
    double value, count, total;
} cell;

typedef struct table {
    ilk_fact first;
    labels rows, columns;
    cell *cells;
    size_t n, cap;
} table;

/* The tables of one family, and what they are written to. `last` is the table the previous fact went to. */
typedef struct book {
    sink out;
    const ilk_model *model;
    table *tables;
    size_t n, cap, last;
} book;

static bool is(const ilk_fact *fact, const char *quantity) {
    return strcmp(fact->quantity, quantity) == 0;
}

static size_t label(labels *l, ilk_str name) {
    for (size_t i = 0; i < l->n; i++) {
        size_t at = (l->last + i) % l->n;
        if (cli_equal(l->item[at], name))
            return l->last = at;
    }
    if (l->n == l->cap) {
        l->cap = l->cap * 2 + 16;
        l->item = cli_resize(l->item, l->cap, sizeof *l->item);
    }
    l->item[l->n] = name;
    return l->last = l->n++;
}

static ilk_str class_name(const book *b, uint32_t k) {
    return k == ILK_NONE ? (ilk_str){"all classes", 11} : ilk_model_class_name(b->model, k);
}

/* The rows of a prior are the classes, those of phi the values, all others the columns of the data. */
static ilk_str row_label(const book *b, const ilk_fact *fact) {
    if (is(fact, "prior"))
        return class_name(b, fact->k);
    return is(fact, "phi") || is(fact, "parameters") ? fact->key : fact->column;
}

static ilk_str column_label(const book *b, const ilk_fact *fact) {
    if (is(fact, "prior") || is(fact, "parameters"))
        return (ilk_str){"", 0}; /* the only column */
    return is(fact, "Sigma") ? fact->key : class_name(b, fact->k);
}

static bool same_family(const ilk_fact *a, const ilk_fact *b) {
    return a->family && b->family ? strcmp(a->family, b->family) == 0 : a->family == b->family;
}

static bool belongs(const table *t, const ilk_fact *fact) {
    if (!is(fact, t->first.quantity))
        return false;
    if (is(fact, "phi"))
        return cli_equal(fact->column, t->first.column);
    return !is(fact, "Sigma") || fact->k == t->first.k;
}

static void write_caption(sink *out, const book *b, const ilk_fact *first) {
    sink_string(out, first->quantity);
    if (is(first, "phi") && first->column.n > 0) {
        sink_string(out, " of ");
        sink_shown(out, first->column);
    } else if (is(first, "Sigma")) {
        sink_string(out, " of ");
        sink_shown(out, class_name(b, first->k));
    } else if (is(first, "theta")) {
        sink_string(out, ": log-odds against ");
        sink_shown(out, ilk_model_class_name(b->model, 0));
    }
    if (first->family)
        sink_format(out, " (%s)", first->family);
    sink_bytes(out, "\n", 1);
}

/* Cell (row, column) of each place in the grid, or NULL where no fact was told. Several texts of one family have as
 * many parameters as all of them together. */
static const cell **arrange(const table *t) {
    const cell **at = cli_alloc(t->rows.n * t->columns.n, sizeof *at);
    memset(at, 0, t->rows.n * t->columns.n * sizeof *at);
    for (size_t i = 0; i < t->n; i++) {
        const cell **place = &at[t->cells[i].row * t->columns.n + t->cells[i].column];
        if (*place && is(&t->first, "parameters"))
            t->cells[i].value += (*place)->value;
        *place = &t->cells[i];
    }
    return at;
}

static void write_grid(sink *out, const table *t) {
    grid g;
    const cell **at = arrange(t);
    bool prior = is(&t->first, "prior") && !isnan(t->first.count); /* has room for the number beside its fraction */
    grid_begin(&g, t->columns.n + 1 + prior);
    for (size_t j = 0; t->columns.item[0].n > 0 && j <= t->columns.n; j++)
        grid_cell(&g, j ? t->columns.item[j - 1] : (ilk_str){"", 0});
    for (size_t i = 0; i < t->rows.n; i++) {
        grid_cell(&g, t->rows.item[i]);
        for (size_t j = 0; j < t->columns.n; j++) {
            const cell *c = at[i * t->columns.n + j];
            grid_share(&g, c ? c->count : NAN, c ? c->total : NAN, c ? c->value : NAN);
            if (prior)
                grid_rounded(&g, c && !isnan(c->count) ? c->value : NAN);
        }
    }
    grid_end(&g, out, 2);
    free(at);
}

static bool has_bins(const book *b, const ilk_fact *fact) {
    const ilk_schema *schema = ilk_model_schema(b->model);
    const ilk_column *column = ilk_schema_column(schema, ilk_schema_find(schema, fact->column));
    return is(fact, "phi") && column && column->transform.kind == ILK_BINS;
}

typedef struct bin_row {
    double begin;
    size_t row;
    ilk_str name;
} bin_row;

/* Where the bin called "[400,800)" begins; the first begins nowhere. */
static double begin_of_bin(ilk_str name) {
    return name.n && name.p[0] == '[' ? strtod(name.p + 1, NULL) : -INFINITY;
}

static int by_begin(const void *a, const void *b) {
    double x = ((const bin_row *)a)->begin, y = ((const bin_row *)b)->begin;
    return (x > y) - (x < y);
}

/* A model has its keys in the order of their bytes; people want bins in that of their numbers. */
static void sort_bins(table *t) {
    bin_row *rows = cli_alloc(t->rows.n, sizeof *rows);
    size_t *place = cli_alloc(t->rows.n, sizeof *place);
    for (size_t i = 0; i < t->rows.n; i++)
        rows[i] = (bin_row){begin_of_bin(t->rows.item[i]), i, t->rows.item[i]};
    qsort(rows, t->rows.n, sizeof *rows, by_begin);
    for (size_t i = 0; i < t->rows.n; i++) {
        t->rows.item[i] = rows[i].name;
        place[rows[i].row] = i;
    }
    for (size_t i = 0; i < t->n; i++)
        t->cells[i].row = place[t->cells[i].row];
    free(rows);
    free(place);
}

/* Write the tables of the family that has ended. */
static void turn_page(book *b) {
    for (size_t i = 0; i < b->n; i++) {
        table *t = &b->tables[i];
        if (has_bins(b, &t->first))
            sort_bins(t);
        write_caption(&b->out, b, &t->first);
        write_grid(&b->out, t);
        sink_bytes(&b->out, "\n", 1);
        free(t->rows.item);
        free(t->columns.item);
        free(t->cells);
    }
    b->n = b->last = 0;
}

static table *find_table(book *b, const ilk_fact *fact) {
    for (size_t i = 0; i < b->n; i++) {
        size_t at = (b->last + i) % b->n;
        if (belongs(&b->tables[at], fact)) {
            b->last = at;
            return &b->tables[at];
        }
    }
    if (b->n == b->cap) {
        b->cap = b->cap * 2 + 16;
        b->tables = cli_resize(b->tables, b->cap, sizeof *b->tables);
    }
    b->last = b->n++;
    b->tables[b->last] = (table){.first = *fact};
    return &b->tables[b->last];
}

/* phi of a text column is a number for every word of the language; tables_words shows those that matter. */
static bool is_vocabulary(const book *b, const ilk_fact *fact) {
    const ilk_schema *schema = ilk_model_schema(b->model);
    const ilk_column *column = ilk_schema_column(schema, ilk_schema_find(schema, fact->column));
    return column && column->kind == ILK_TEXT && fact->key.n > 0;
}

/* theta of categories and words repeats the tables of phi as differences of logarithms; --csv and --json tell it. */
static bool is_repeated(const ilk_fact *fact) {
    ilk_family_info family = {0};
    for (size_t i = 0; is(fact, "theta") && ilk_family_at(i, &family); i++)
        if (strcmp(family.name, fact->family) == 0)
            return family.kind != ILK_REAL;
    return false;
}

static ilk_status add_fact(void *ctx, const ilk_fact *fact) {
    book *b = ctx;
    if (is_vocabulary(b, fact) || is_repeated(fact))
        return ILK_OK;
    if (b->n > 0 && !same_family(fact, &b->tables[0].first))
        turn_page(b);
    table *t = find_table(b, fact);
    if (t->n == t->cap) {
        t->cap = t->cap * 2 + 64;
        t->cells = cli_resize(t->cells, t->cap, sizeof *t->cells);
    }
    size_t row = label(&t->rows, row_label(b, fact)), column = label(&t->columns, column_label(b, fact));
    t->cells[t->n++] = (cell){row, column, fact->value, fact->count, fact->total};
    return b->out.status;
}

/* Of many classes, one line each: what there is to see is how they differ. */
static ilk_status write_line_of_words(book *b, const telling_words *t) {
    size_t K = ilk_model_classes(b->model), widest = 0;
    for (uint32_t k = 0; k < K; k++) {
        size_t w = display_width(class_name(b, k));
        widest = w > widest ? w : widest;
    }
    if (t->k == 0) {
        sink_string(&b->out, "words of ");
        sink_shown(&b->out, t->column);
        sink_string(&b->out, " that speak for each class, the strongest first\n");
    }
    sink_string(&b->out, "  ");
    sink_shown(&b->out, class_name(b, t->k));
    sink_spaces(&b->out, widest + 1 - display_width(class_name(b, t->k)));
    for (size_t i = 0; i < t->n; i++) {
        sink_bytes(&b->out, " ", 1);
        sink_shown(&b->out, t->word[i].word);
    }
    sink_string(&b->out, t->k + 1 == K ? "\n\n" : "\n");
    return b->out.status;
}

static ilk_status write_words(void *ctx, const telling_words *t) {
    enum { FEW_CLASSES = 4 };
    book *b = ctx;
    if (t->n == 0)
        return ILK_OK;
    if (ilk_model_classes(b->model) > FEW_CLASSES)
        return write_line_of_words(b, t);
    grid g;
    sink_string(&b->out, "words of ");
    sink_shown(&b->out, t->column);
    sink_string(&b->out, " that speak for ");
    sink_shown(&b->out, class_name(b, t->k));
    sink_string(&b->out, ", by log-odds\n");
    grid_begin(&g, 2);
    for (size_t i = 0; i < t->n; i++) {
        grid_cell(&g, t->word[i].word);
        grid_rounded(&g, t->word[i].log_odds);
    }
    grid_end(&g, &b->out, 2);
    sink_bytes(&b->out, "\n", 1);
    return b->out.status;
}

ilk_status tables_words(const ilk_model *model, size_t words, telling_words_fn fn, void *ctx, ilk_error *err) {
    const ilk_schema *schema = ilk_model_schema(model);
    ilk_word *word = cli_alloc(words, sizeof *word);
    ilk_status status = ILK_OK;
    size_t text = 0;
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *column = ilk_schema_column(schema, j);
        if (column->role != ILK_FEATURE || column->kind != ILK_TEXT)
            continue;
        for (uint32_t k = 0; k < ilk_model_classes(model) && status == ILK_OK && words > 0; k++) {
            telling_words t = {.column = column->name, .k = k, .word = word, .n = words};
            status = ilk_model_words(word, &t.n, model, text, k, err);
            if (status == ILK_OK)
                status = fn(ctx, &t);
        }
        text++;
    }
    free(word);
    return status;
}

/* Of a list of words that is part of the model, its size. */
static void write_list(sink *out, const char *what, size_t n) {
    if (n > 0)
        sink_format(out, ", %s %zu word%s", what, n, cli_plural(n));
}

/* How bytes became words, so that it can be seen why one is there or not. */
static void write_reading(sink *out, const ilk_schema *schema) {
    static const char *const weights[] = {[ILK_TERM_COUNT] = "",
                                          [ILK_TERM_BINARY] = ", each once in a document",
                                          [ILK_TERM_LOG] = ", log(1 + c) of c in a document"};
    bool any = ilk_schema_encoding(schema);
    size_t text = 0;
    if (any)
        sink_format(out, "encoding %s\n", ilk_schema_encoding(schema));
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *column = ilk_schema_column(schema, j);
        const ilk_tokenizer *t = &column->tokenizer;
        if (column->role != ILK_FEATURE || column->kind != ILK_TEXT)
            continue;
        any = true;
        sink_string(out, "tokens of ");
        sink_shown(out, column->name);
        sink_format(out, ": %s", cli_choice_name("tokens", t->kind));
        if (t->ngram_max > 1)
            sink_format(out, ", terms of %u to %u", (unsigned)t->ngram_min, (unsigned)t->ngram_max);
        sink_format(out, "%s%s%s", t->keep_case ? ", case kept" : "", weights[t->weight],
                    t->unit_length ? ", unit length" : "");
        write_list(out, "a stop list of", ilk_schema_words(schema, text, ILK_WORD_STOPPED));
        write_list(out, "a dictionary of", ilk_schema_words(schema, text, ILK_WORD_LISTED));
        sink_string(out, "\n");
        text++;
    }
    sink_string(out, any ? "\n" : "");
}

ilk_status tables_write(const ilk_model *model, size_t words, ilk_error *err) {
    book b = {.out = sink_stdout(), .model = model};
    ilk_status status = ilk_model_describe(model, add_fact, &b, err);
    turn_page(&b);
    write_reading(&b.out, ilk_model_schema(model));
    if (status == ILK_OK)
        status = tables_words(model, words, write_words, &b, err);
    free(b.tables);
    return status;
}
