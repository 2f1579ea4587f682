/* SPDX-License-Identifier: Apache-2.0 */
/* predict.c - ilk predict [options] MODEL DATA...
 *
 * One line of CSV per row of the data: the columns asked for by --keep, then prediction and probability, then per class
 * posterior, joint and log-joint as asked. With --json one object per row. Threads turn blocks of rows into text; the
 * text is written in the order of the input.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "scoring.h"

/* What is wanted of each class beside the prediction; in this order. */
typedef struct quantity {
    const char *name;
    bool wanted;
    double (*value)(double log_joint, double posterior);
} quantity;

typedef struct prediction {
    const ilk_table *table;
    const ilk_model *model;
    size_t *keep; /* columns of the table */
    size_t kept;
    quantity quantities[3];
    bool json, begun;
    uint64_t undecided;
} prediction;

static double posterior_of(double log_joint, double posterior) {
    (void)log_joint;
    return posterior;
}

static double joint_of(double log_joint, double posterior) {
    (void)posterior;
    return exp(log_joint);
}

static double log_joint_of(double log_joint, double posterior) {
    (void)posterior;
    return log_joint;
}

/* One row's answer. */
typedef struct answer {
    uint32_t k; /* ILK_NONE: undecided */
    const double *log_joint;
    double *posterior;
} answer;

static void csv_number(sink *out, double x) {
    sink_bytes(out, ",", 1);
    if (!isnan(x))
        sink_number(out, x);
}

static void csv_row(sink *out, const prediction *p, const ilk_answers *rows, size_t i, const answer *a) {
    for (size_t j = 0; j < p->kept; j++) {
        sink_csv(out, ilk_answers_field(rows, i, p->keep[j]));
        sink_bytes(out, ",", 1);
    }
    if (a->k != ILK_NONE)
        sink_csv(out, ilk_model_class_name(p->model, a->k));
    csv_number(out, a->k == ILK_NONE ? NAN : a->posterior[a->k]);
    for (const quantity *q = p->quantities; q < p->quantities + 3; q++)
        for (size_t k = 0; q->wanted && k < rows->K; k++)
            csv_number(out, q->value(a->log_joint[k], a->posterior[k]));
    sink_bytes(out, "\n", 1);
}

static void json_row(sink *out, const prediction *p, const ilk_answers *rows, size_t i, const answer *a) {
    json j = json_begin(out);
    json_object(&j, NULL);
    for (size_t c = 0; c < p->kept; c++) {
        json_key(&j, ilk_table_column(p->table, p->keep[c]));
        json_string(&j, NULL, ilk_answers_field(rows, i, p->keep[c]));
    }
    bool decided = a->k != ILK_NONE;
    json_text(&j, "prediction", decided ? ilk_model_class_name(p->model, a->k) : (ilk_str){0});
    json_number(&j, "probability", decided ? a->posterior[a->k] : NAN);
    for (const quantity *q = p->quantities; q < p->quantities + 3; q++) {
        if (!q->wanted)
            continue;
        json_object(&j, q->name);
        for (uint32_t k = 0; k < rows->K; k++) {
            json_key(&j, ilk_model_class_name(p->model, k));
            json_number(&j, NULL, q->value(a->log_joint[k], a->posterior[k]));
        }
        json_end(&j);
    }
    json_end(&j);
}

/* Called from several threads: reads `p`, writes only the block's text. */
static ilk_status format(void *ctx, const ilk_answers *rows, ilk_text *text, ilk_error *err) {
    (void)err;
    const prediction *p = ctx;
    sink out = sink_into(text);
    double *posterior = cli_alloc(rows->K, sizeof *posterior);
    for (size_t i = 0; i < rows->n; i++) {
        const double *log_joint = rows->log_joint + i * rows->K;
        answer a = {rows->bad[i] ? ILK_NONE : ilk_argmax(log_joint, rows->K), log_joint, posterior};
        if (rows->bad[i])
            memcpy(posterior, log_joint, rows->K * sizeof *posterior); /* all of them NaN */
        else
            ilk_bayes(posterior, log_joint, rows->K);
        (p->json ? json_row : csv_row)(&out, p, rows, i, &a);
    }
    free(posterior);
    return out.status;
}

static void csv_header(sink *out, const prediction *p) {
    for (size_t j = 0; j < p->kept; j++) {
        sink_csv(out, ilk_table_column(p->table, p->keep[j]));
        sink_bytes(out, ",", 1);
    }
    sink_string(out, "prediction,probability");
    for (const quantity *q = p->quantities; q < p->quantities + 3; q++)
        for (uint32_t k = 0; q->wanted && k < ilk_model_classes(p->model); k++) {
            ilk_str class = ilk_model_class_name(p->model, k);
            size_t n = strlen(q->name), length = n + 1 + class.n;
            char *name = cli_alloc(length, 1);
            memcpy(name, q->name, n);
            name[n] = ':';
            memcpy(name + n + 1, class.p, class.n);
            sink_bytes(out, ",", 1);
            sink_csv(out, (ilk_str){name, length});
            free(name);
        }
    sink_bytes(out, "\n", 1);
}

/* The header waits for the first answers, so that a failure before them writes nothing. */
static void begin(prediction *p, sink *out) {
    if (!p->begun && !p->json)
        csv_header(out, p);
    p->begun = true;
}

static ilk_status commit(void *ctx, const ilk_answers *rows, const char *bytes, size_t n, ilk_error *err) {
    (void)err;
    prediction *p = ctx;
    for (size_t i = 0; i < rows->n; i++)
        p->undecided += !rows->bad[i] && ilk_argmax(rows->log_joint + i * rows->K, rows->K) == ILK_NONE;
    sink out = sink_stdout();
    begin(p, &out);
    sink_bytes(&out, bytes, n);
    return out.status == ILK_OK ? sink_flush_stdout() : out.status;
}

static bool is_class(const prediction *p, const char *name, size_t n) {
    return ilk_model_class(p->model, (ilk_str){name, n}) != ILK_NONE;
}

/* Does an answer have this name, in CSV or in JSON? */
static bool is_answer(const prediction *p, ilk_str name) {
    if (cli_equal(name, (ilk_str){"prediction", 10}) || cli_equal(name, (ilk_str){"probability", 11}))
        return true;
    for (const quantity *q = p->quantities; q < p->quantities + 3; q++) {
        size_t n = strlen(q->name);
        if (q->wanted && name.n >= n && memcmp(name.p, q->name, n) == 0 &&
            (name.n == n || (name.p[n] == ':' && is_class(p, name.p + n + 1, name.n - n - 1))))
            return true;
    }
    return false;
}

/* Two columns, or keys, of one name would leave it to the reader which one is meant. */
static bool names_differ(const prediction *p, const char *list) {
    for (size_t j = 0; j < p->kept; j++) {
        ilk_str name = ilk_table_column(p->table, p->keep[j]);
        if (is_answer(p, name)) {
            cli_error("--keep %s: column %.*s of the data has the name of an answer", list, CLI_SHOW(name));
            return false;
        }
    }
    return true;
}

static bool keeps_all(const cli_list *kept) {
    for (size_t i = 0; i < kept->n; i++)
        if (strcmp(kept->item[i], "all") == 0)
            return true;
    return false;
}

/* The columns of --keep, in the order of the input. */
static bool choose_columns(prediction *p, const cli_settings *settings, const char *file) {
    ilk_error err = {0};
    const char *list = settings->keep;
    size_t n = ilk_table_columns(p->table);
    bool all = keeps_all(&settings->kept), *wanted = cli_alloc(n, sizeof *wanted);
    memset(wanted, all, n);
    bool good = all || ilk_table_find_all(wanted, p->table, list, &err) == ILK_OK;
    if (!good)
        cli_error("%s: --keep: %s", file, err.message);
    p->keep = cli_alloc(n, sizeof *p->keep);
    for (size_t j = 0; j < n; j++)
        if (wanted[j])
            p->keep[p->kept++] = j;
    if (good && p->kept == 0)
        cli_error("%s: --keep: '%s' names no column", file, list);
    free(wanted);
    return good && p->kept > 0;
}

/* The feature whose scores are not log p(x|class), if there is one: then there is no joint probability to show. */
static const ilk_column *without_density(const ilk_schema *schema) {
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *c = ilk_schema_column(schema, j);
        if (c->role == ILK_FEATURE && c->kind == ILK_TEXT &&
            (!cli_family(c->family).density || ilk_tokenizer_unit(&c->tokenizer) != 1))
            return c;
    }
    return NULL;
}

static bool has_joint(const scoring *s, const cli_settings *settings) {
    const ilk_column *c = settings->joint || settings->log_joint ? without_density(ilk_model_schema(s->model)) : NULL;
    if (!c)
        return true;
    bool weighed = cli_family(c->family).density;
    cli_error("%s: no joint probabilities: column %.*s has %s%s", settings->args.item[0], CLI_SHOW(c->name),
              weighed ? "weighed words" : "the family ", weighed ? "" : c->family);
    return false;
}

static int answer_all(scoring *s, const cli_settings *settings) {
    prediction p = {
        .table = s->table,
        .model = s->model,
        .json = settings->json,
        .quantities = {{"posterior", settings->posterior, posterior_of},
                       {"joint", settings->joint, joint_of},
                       {"log_joint", settings->log_joint, log_joint_of}},
    };
    ilk_error err = {0};
    int code = has_joint(s, settings) ? CLI_DONE : CLI_USAGE;
    if (code == CLI_DONE && settings->keep &&
        !(choose_columns(&p, settings, s->file) && names_differ(&p, settings->keep)))
        code = CLI_USAGE;
    const ilk_answer_fns fns = {format, commit, &p};
    if (code == CLI_DONE && scoring_run(s, &fns, settings, &err) != ILK_OK)
        code = cli_fail(&err);
    if (code == CLI_DONE) {
        sink out = sink_stdout();
        begin(&p, &out);
    }
    if (p.undecided > 0) {
        char number[32];
        cli_say(settings, "%s row%s could not be decided (0/0): every class has probability zero",
                cli_thousands(number, p.undecided), cli_plural(p.undecided));
    }
    free(p.keep);
    return code;
}

static int predict(const cli_settings *settings) {
    scoring s;
    ilk_error err = {0};
    int code = scoring_open(&s, settings, true, &err) == ILK_OK ? answer_all(&s, settings) : cli_fail_asked(&err);
    scoring_close(&s);
    return code;
}

const cli_command cli_predict = {
    .name = "predict",
    .summary = "classify rows",
    .arguments = "MODEL DATA...",
    .description =
        "Writes CSV, one line per row: prediction,probability. Columns are found by name in any order; others are "
        "tolerated. A row in which every class is impossible (0/0, without smoothing) has empty fields and is counted "
        "on standard error.",
    .examples = "ilk predict tennis.bayes new.csv\n"
                "ilk predict --posterior --keep Day tennis.bayes new.csv\n"
                "ilk predict --json spam.bayes - < messages.tsv\n",
    .least = 2,
    .most = SIZE_MAX,
    .run = predict,
};
