/* SPDX-License-Identifier: Apache-2.0 */
/* inspect.c - ilk inspect [--json | --csv] [--words N] MODEL
 *
 * What a model holds: tables for people (tables.c), or every number with all its digits as JSON or CSV.
 */
#include <math.h>

#include "cli.h"
#include "json.h"
#include "tables.h"

/* One fact after the other goes out as it comes: a text model has millions. */
typedef struct writer {
    sink out;
    json j; /* on out */
    const ilk_model *model;
} writer;

static void csv_number(sink *out, double x) {
    sink_bytes(out, ",", 1);
    if (!isnan(x))
        sink_number(out, x);
}

static ilk_status csv_fact(void *ctx, const ilk_fact *fact) {
    writer *w = ctx;
    sink *out = &w->out;
    sink_string(out, fact->quantity);
    sink_bytes(out, ",", 1);
    sink_string(out, fact->family ? fact->family : "");
    sink_bytes(out, ",", 1);
    sink_csv(out, fact->column);
    sink_bytes(out, ",", 1);
    sink_csv(out, fact->key);
    sink_bytes(out, ",", 1);
    if (fact->k != ILK_NONE)
        sink_csv(out, ilk_model_class_name(w->model, fact->k));
    csv_number(out, fact->value);
    csv_number(out, fact->count);
    csv_number(out, fact->total);
    sink_bytes(out, "\n", 1);
    return out->status;
}

static ilk_status write_csv(const ilk_model *model, ilk_error *err) {
    writer w = {.out = sink_stdout(), .model = model};
    sink_string(&w.out, "quantity,family,column,key,class,value,count,total\n");
    return ilk_model_describe(model, csv_fact, &w, err);
}

static ilk_status json_fact(void *ctx, const ilk_fact *fact) {
    writer *w = ctx;
    json *j = &w->j;
    json_object(j, NULL);
    json_word(j, "quantity", fact->quantity);
    json_word(j, "family", fact->family);
    json_text(j, "column", fact->column);
    json_text(j, "key", fact->key);
    json_text(j, "class", fact->k == ILK_NONE ? (ilk_str){0} : ilk_model_class_name(w->model, fact->k));
    json_number(j, "value", fact->value);
    json_number(j, "count", fact->count);
    json_number(j, "total", fact->total);
    json_end(j);
    return w->out.status;
}

static void json_columns(json *j, const ilk_schema *schema) {
    static const char *const kinds[] = {"real", "category", "text"};
    static const char *const roles[] = {"feature", "target", "ignored", "weight"};
    size_t texts = 0;
    json_array(j, "columns");
    for (size_t i = 0; i < ilk_schema_columns(schema); i++) {
        const ilk_column *column = ilk_schema_column(schema, i);
        json_object(j, NULL);
        json_string(j, "name", column->name);
        json_word(j, "kind", kinds[column->kind]);
        json_word(j, "role", roles[column->role]);
        json_word(j, "family", column->family);
        json_transform(j, &column->transform);
        if (column->role == ILK_FEATURE && column->kind == ILK_TEXT)
            json_tokens(j, schema, texts++);
        else
            json_word(j, "tokens", NULL);
        json_end(j);
    }
    json_end(j);
}

static void json_options(json *j, const ilk_options *o) {
    json_object(j, "options");
    json_number(j, "smooth", o->smooth);
    json_word(j, "prior", cli_choice_name("prior", o->prior));
    if (o->shrink == ILK_SHRINK_OAS)
        json_word(j, "shrink", "oas");
    else
        json_number(j, "shrink", o->shrink);
    json_word(j, "divisor", cli_choice_name("divisor", o->divisor));
    json_word(j, "unseen", cli_choice_name("unseen", o->unseen));
    json_count(j, "vocab", o->vocab);
    json_count(j, "min_docs", o->min_docs);
    json_end(j);
}

static ilk_status json_words(void *ctx, const telling_words *t) {
    writer *w = ctx;
    json *j = &w->j;
    json_object(j, NULL);
    json_string(j, "column", t->column);
    json_string(j, "class", ilk_model_class_name(w->model, t->k));
    json_array(j, "words");
    for (size_t i = 0; i < t->n; i++) {
        json_object(j, NULL);
        json_string(j, "word", t->word[i].word);
        json_number(j, "log_odds", t->word[i].log_odds);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    return w->out.status;
}

static ilk_status write_json(const ilk_model *model, size_t words, ilk_error *err) {
    writer w = {.out = sink_stdout(), .model = model};
    json *j = &w.j;
    *j = json_begin(&w.out);
    j->lines = true;
    json_object(j, NULL);
    json_array(j, "classes");
    for (uint32_t k = 0; k < ilk_model_classes(model); k++)
        json_string(j, NULL, ilk_model_class_name(model, k));
    json_end(j);
    json_word(j, "encoding", ilk_schema_encoding(ilk_model_schema(model)));
    json_columns(j, ilk_model_schema(model));
    json_options(j, ilk_model_options(model));
    json_array(j, "facts");
    ilk_status status = ilk_model_describe(model, json_fact, &w, err);
    json_end(j);
    json_array(j, "words");
    if (status == ILK_OK)
        status = tables_words(model, words, json_words, &w, err);
    json_end(j);
    json_end(j);
    return status;
}

static int inspect(const cli_settings *settings) {
    if (settings->csv && settings->json) {
        cli_error("--csv and --json exclude each other");
        return CLI_USAGE;
    }
    static const char *const words[] = {"words", NULL};
    ilk_error err = {0};
    ilk_model *model = NULL;
    ilk_status status = ilk_model_open(&model, settings->args.item[0], &err);
    if (status == ILK_OK && cli_given(settings, words) && ilk_schema_width(ilk_model_schema(model), ILK_TEXT) == 0) {
        cli_error("%s: there is no text column, which --words is for", settings->args.item[0]);
        ilk_model_free(model);
        return CLI_USAGE;
    }
    if (status == ILK_OK)
        status = settings->csv    ? write_csv(model, &err)
                 : settings->json ? write_json(model, settings->words, &err)
                                  : tables_write(model, settings->words, &err);
    ilk_model_free(model);
    return status == ILK_OK ? CLI_DONE : cli_fail(&err);
}

const cli_command cli_inspect = {
    .name = "inspect",
    .summary = "show what a model has learnt",
    .arguments = "MODEL",
    .description = "Priors, tables, means, covariances, theta, how text becomes words, the most telling words of "
                   "each class and the number of parameters. Fractions are counts as they were smoothed: 3/12 is 2 of "
                   "9 with one added to each of three values. Tables for people are rounded to six digits; --csv and "
                   "--json have them all.",
    .examples = "ilk inspect tennis.bayes\n"
                "ilk inspect --words 20 spam.bayes\n"
                "ilk inspect --csv gda.bayes | grep ^Sigma\n",
    .least = 1,
    .most = 1,
    .run = inspect,
};
