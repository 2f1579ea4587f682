/* SPDX-License-Identifier: Apache-2.0 */
/* export.c - ilk export MODEL --to json|c
 *
 * A model in a form that needs no ilk to be read: JSON with every parameter that scoring takes, or one function of C.
 */
#include "export.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

static void json_values(json *j, const ilk_model *model, size_t feature) {
    uint32_t first, end;
    ilk_model_keys(&first, &end, model, ILK_CATEGORY, feature);
    json_array(j, "values");
    for (uint32_t id = first; id < end; id++)
        json_string(j, NULL, ilk_model_key(model, ILK_CATEGORY, feature, id));
    json_end(j);
}

static void json_columns(json *j, const ilk_model *model) {
    static const char *const kinds[] = {"real", "category", "text"};
    const ilk_schema *schema = ilk_model_schema(model);
    size_t categories = 0, texts = 0;
    json_array(j, "columns");
    for (size_t c = 0; c < ilk_schema_columns(schema); c++) {
        const ilk_column *column = ilk_schema_column(schema, c);
        if (column->role != ILK_FEATURE)
            continue;
        json_object(j, NULL);
        json_string(j, "name", column->name);
        json_word(j, "kind", kinds[column->kind]);
        json_word(j, "family", column->family);
        json_transform(j, &column->transform);
        if (column->kind == ILK_CATEGORY)
            json_values(j, model, categories++);
        if (column->kind == ILK_TEXT)
            json_tokens(j, schema, texts++);
        json_end(j);
    }
    json_end(j);
}

static void json_parameters(json *j, const parameters *p) {
    json_array(j, "parameters");
    for (size_t i = 0; i < p->n; i++) {
        const ilk_fact *fact = p->item[i].fact;
        json_object(j, NULL);
        json_word(j, "family", fact->family);
        json_text(j, "column", fact->column);
        json_word(j, "quantity", fact->quantity);
        json_text(j, "key", fact->key);
        if (fact->k == ILK_NONE) {
            json_number(j, "value", fact->value);
        } else {
            json_array(j, "values");
            for (size_t k = 0; k < p->item[i].n; k++)
                json_number(j, NULL, fact[k].value);
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
}

/* A model of families without a density only takes no prior. */
bool export_takes_prior(const ilk_model *model) {
    const ilk_schema *schema = ilk_model_schema(model);
    for (size_t c = 0; c < ilk_schema_columns(schema); c++) {
        const ilk_column *column = ilk_schema_column(schema, c);
        if (column->role == ILK_FEATURE && cli_family(column->family).density)
            return true;
    }
    return false;
}

static ilk_status export_json(const ilk_model *model, const parameters *p) {
    const ilk_schema *schema = ilk_model_schema(model);
    sink out = sink_stdout();
    json j = json_begin(&out);
    j.lines = true;
    json_object(&j, NULL);
    json_word(&j, "ilk", ilk_version());
    json_array(&j, "classes");
    for (uint32_t k = 0; k < ilk_model_classes(model); k++)
        json_string(&j, NULL, ilk_model_class_name(model, k));
    json_end(&j);
    json_array(&j, "log_prior");
    for (uint32_t k = 0; k < ilk_model_classes(model); k++)
        json_number(&j, NULL, export_takes_prior(model) ? ilk_model_log_prior(model, k) : 0);
    json_end(&j);
    json_number(&j, "smooth", ilk_model_options(model)->smooth);
    json_word(&j, "unseen", cli_choice_name("unseen", ilk_model_options(model)->unseen));
    json_string(&j, "target", ilk_schema_column(schema, ilk_schema_target(schema))->name);
    json_array(&j, "missing");
    for (size_t i = 0; i < ilk_schema_missing_count(schema); i++)
        json_string(&j, NULL, ilk_schema_missing(schema, i));
    json_end(&j);
    json_columns(&j, model);
    json_parameters(&j, p);
    json_end(&j);
    return out.status;
}

static bool is_identifier(const char *name) {
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

/* Whether means are the same in all classes. */
static bool is_one(const parameter *mu) {
    for (size_t k = 1; k < mu->n; k++)
        if (mu->fact[k].value != mu->fact[0].value)
            return false;
    return true;
}

/* The first of a column's variances that is none in a double, though it is in the units in which the model has the
 * column; NULL if there is none. 0 in every class is that of a column that never varies. */
static const ilk_fact *find_lost(const parameters *p, const parameter *variance) {
    const ilk_fact *fact = variance->fact, *lost = NULL;
    size_t zeros = 0;
    for (size_t k = variance->n; k-- > 0;) {
        zeros += fact[k].value == 0;
        lost = isnormal(fact[k].value) ? lost : &fact[k];
    }
    bool constant =
        zeros == variance->n && is_one(parameters_key(p, fact->family, fact->column, "mu", (ilk_str){"", 0}));
    return constant ? NULL : lost;
}

static ilk_status check_variances(const parameters *p, const char *path, ilk_error *err) {
    for (size_t i = 0; i < p->n; i++) {
        const ilk_fact *fact = p->item[i].fact;
        bool is_variance = strcmp(fact->quantity, "variance") == 0 ||
                           (strcmp(fact->quantity, "Sigma") == 0 && cli_equal(fact->key, fact->column));
        const ilk_fact *lost = is_variance ? find_lost(p, &p->item[i]) : NULL;
        if (!lost)
            continue;
        snprintf(err->message, sizeof err->message,
                 "%.200s: column %.*s: its variance is too %s for a double: rescale the column to export a model of it",
                 path, CLI_SHOW(fact->column), lost->value > 1 ? "large" : "small");
        return err->status = ILK_EDATA;
    }
    return ILK_OK;
}

static int export(const cli_settings *s) {
    if (!s->to) {
        cli_error("export needs --to json or --to c");
        return CLI_USAGE;
    }
    if (s->name && strcmp(s->to, "c") != 0) {
        cli_error("--name is for --to c: %s has no names of its own", s->to);
        return CLI_USAGE;
    }
    const char *name = s->name ? s->name : "model";
    if (!is_identifier(name)) {
        cli_error("--name %s: expected letters, digits and _, no digit first", name);
        return CLI_USAGE;
    }
    ilk_error err = {0};
    ilk_model *model = NULL;
    parameters p = {0};
    ilk_status status = ilk_model_open(&model, s->args.item[0], &err);
    if (status == ILK_OK)
        status = parameters_read(&p, model, &err);
    if (status == ILK_OK)
        status = check_variances(&p, s->args.item[0], &err);
    if (status == ILK_OK)
        status = strcmp(s->to, "c") == 0 ? export_c(model, &p, name, &err) : export_json(model, &p);
    if (status != ILK_OK)
        err.status = status;
    parameters_free(&p);
    ilk_model_free(model);
    return status == ILK_OK ? CLI_DONE : cli_fail(&err);
}

const cli_command cli_export = {
    .name = "export",
    .summary = "write a model as JSON or as C",
    .arguments = "MODEL --to json|c",
    .description =
        "JSON has classes, columns and every parameter that scoring takes; docs/CLI.md says how to score from it. C is "
        "one "
        "function with the parameters in it, in standard C17, that needs nothing but <math.h>: it takes numbers, "
        "categories and words as strings, and gives the posterior.",
    .examples = "ilk export tennis.bayes --to json | jq .log_prior\n"
                "ilk export gda.bayes --to c --name iris > iris.c\n",
    .least = 1,
    .most = 1,
    .run = export,
};
