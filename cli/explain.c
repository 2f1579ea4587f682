/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - ilk explain [options] MODEL DATA...
 *
 * Why each row is classed as it is: a score is a sum, so the log-odds between two classes fall into one part for the
 * prior and one for each column or word, which add up to the whole. Text with bars on a terminal, or --json.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "json.h"
#include "scoring.h"
#include "width.h"

enum { BAR = 30, LEAST_BAR = 6, BESIDE = 46 }; /* BESIDE: columns for the number and the name */

/* The number of a row is known only when blocks are put in order: format leaves this byte where it belongs, and commit
 * writes the number there. Neither form has it otherwise, whatever the data holds. */
static const char row_number[1] = {'\0'};

typedef struct explanation {
    const ilk_model *model;
    uint32_t against; /* ILK_NONE: the runner-up */
    size_t top;
    bool json, colour;
    size_t bar; /* columns of the longest, 0 if none are drawn */
} explanation;

/* The parts of one row, in schema order. */
typedef struct parts {
    ilk_part *item;
    size_t n, cap;
} parts;

static ilk_status collect(void *ctx, const ilk_part *part) {
    parts *all = ctx;
    if (all->n == all->cap) {
        all->cap = all->cap * 2 + 64;
        all->item = cli_resize(all->item, all->cap, sizeof *all->item);
    }
    all->item[all->n++] = *part;
    return ILK_OK;
}

/* Largest first; NaN (impossible under both classes) last; ties stay in schema order. */
static int by_weight(const void *a, const void *b) {
    const ilk_part *x = *(const ilk_part *const *)a, *y = *(const ilk_part *const *)b;
    double p = fabs(x->contribution), q = fabs(y->contribution);
    if (isnan(p) || isnan(q))
        return isnan(p) - isnan(q) ? isnan(p) - isnan(q) : (x > y) - (x < y);
    return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

static bool is_word(const explanation *e, const ilk_part *part) {
    const ilk_schema *schema = ilk_model_schema(e->model);
    const ilk_column *column = ilk_schema_column(schema, ilk_schema_find(schema, part->column));
    return column && column->kind == ILK_TEXT;
}

/* "prior", "Outlook = Sunny", "won ×2" ("title: won ×2" where several columns are text), "width = 4.3". */
static void write_name(sink *out, const explanation *e, const ilk_part *part) {
    if (part->column.n == 0 && part->value.n == 0) {
        sink_string(out, "prior");
    } else if (is_word(e, part)) {
        if (ilk_schema_width(ilk_model_schema(e->model), ILK_TEXT) > 1) {
            sink_shown(out, part->column);
            sink_string(out, ": ");
        }
        sink_shown(out, part->value);
        if (part->x > 1)
            sink_format(out, " \xc3\x97%.15g", part->x);
    } else {
        sink_shown(out, part->column);
        sink_string(out, part->column.n ? " = " : "");
        if (part->value.n > 0)
            sink_shown(out, part->value);
        else
            sink_rounded(out, part->x);
    }
}

static void write_bar(sink *out, const explanation *e, double contribution, double largest) {
    double share = isinf(contribution) ? 1 : isfinite(largest) && largest > 0 ? fabs(contribution) / largest : 0;
    size_t n = (size_t)lround(share * (double)e->bar);
    sink_string(out, "  ");
    for (size_t i = 0; i < n; i++)
        sink_bytes(out, "#", 1);
    sink_spaces(out, e->bar - n);
}

/* A class has the same colour in every row; none of them says good or bad before the others are used up. */
static void write_colour(sink *out, uint32_t k) {
    static const int colours[] = {36, 33, 35, 34, 32, 31, 96, 93, 95, 94, 92, 91};
    sink_format(out, "\033[%dm", colours[k % (sizeof colours / sizeof *colours)]);
}

/* What one side's list leaves out. */
typedef struct leftover {
    double sum;
    size_t n;
} leftover;

/* Up to `top` parts that speak for class k (sign 1 or -1), the heaviest first. */
static void write_side(sink *out, const explanation *e, const ilk_part *const *sorted, size_t n, int sign, uint32_t k,
                       leftover *rest) {
    size_t shown = 0;
    double largest = n ? fabs(sorted[0]->contribution) : 0;
    for (size_t i = 0; i < n; i++) {
        double c = sorted[i]->contribution;
        if (!(c * sign > 0))
            continue;
        if (shown == e->top) {
            rest->sum += c;
            rest->n++;
            continue;
        }
        if (shown++ == 0) {
            sink_string(out, " for ");
            sink_shown(out, ilk_model_class_name(e->model, k));
            sink_bytes(out, "\n", 1);
        }
        sink_format(out, "  %+10.4f", c);
        if (e->colour) /* of the class that bar and name speak for */
            write_colour(out, k);
        if (e->bar > 0)
            write_bar(out, e, c, largest);
        sink_string(out, "  ");
        write_name(out, e, sorted[i]);
        sink_string(out, e->colour ? "\033[0m\n" : "\n");
    }
}

static const ilk_part **sort_parts(const parts *all) {
    const ilk_part **sorted = cli_alloc(all->n, sizeof *sorted);
    for (size_t i = 0; i < all->n; i++)
        sorted[i] = &all->item[i];
    qsort(sorted, all->n, sizeof *sorted, by_weight);
    return sorted;
}

/* The two classes a row stands between. */
typedef struct verdict {
    uint32_t a, b; /* ILK_NONE: undecided */
    bool bad;      /* the row could not be read */
    double probability, log_odds;
} verdict;

static void write_row_number(sink *out, const char *before) {
    sink_string(out, before);
    sink_bytes(out, row_number, 1);
}

static void text_head(sink *out, const verdict *v, ilk_str a, ilk_str b) {
    write_row_number(out, "row ");
    sink_string(out, ": ");
    sink_shown(out, a);
    sink_format(out, ", probability %.6g; log-odds against ", v->probability);
    sink_shown(out, b);
    sink_format(out, " %+.4f\n", v->log_odds);
}

static void text_row(sink *out, const explanation *e, const verdict *v, const parts *all) {
    if (v->a == ILK_NONE) {
        write_row_number(out, "row ");
        sink_string(out, v->bad ? ": could not be read\n"
                                : ": could not be decided (0/0): every class has probability zero\n");
        return;
    }
    const ilk_part **sorted = sort_parts(all);
    leftover rest = {0};
    text_head(out, v, ilk_model_class_name(e->model, v->a), ilk_model_class_name(e->model, v->b));
    write_side(out, e, sorted, all->n, 1, v->a, &rest);
    write_side(out, e, sorted, all->n, -1, v->b, &rest);
    if (rest.n > 0)
        sink_format(out, " %zu smaller part%s, together\n  %+10.4f\n", rest.n, cli_plural(rest.n), rest.sum);
    free(sorted);
}

static void json_row(sink *out, const explanation *e, const verdict *v, const parts *all) {
    bool decided = v->a != ILK_NONE;
    json j = json_begin(out);
    json_object(&j, NULL);
    json_blank(&j, "row");
    sink_bytes(out, row_number, 1);
    json_text(&j, "prediction", decided ? ilk_model_class_name(e->model, v->a) : (ilk_str){0});
    json_number(&j, "probability", v->probability);
    json_text(&j, "against", decided ? ilk_model_class_name(e->model, v->b) : (ilk_str){0});
    json_number(&j, "log_odds", v->log_odds);
    json_array(&j, "parts");
    for (size_t i = 0; i < all->n; i++) {
        const ilk_part *part = &all->item[i];
        bool number = part->column.n > 0 && (part->value.n == 0 || is_word(e, part));
        json_object(&j, NULL);
        json_text(&j, "column", part->column);
        json_text(&j, "value", part->value);
        json_number(&j, "x", number ? part->x : NAN);
        json_number(&j, "contribution", part->contribution);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

/* The best class but `a`; the first on ties, as everywhere. */
static uint32_t runner_up(const double *log_joint, size_t K, uint32_t a) {
    uint32_t b = a == 0 ? 1 : 0;
    for (uint32_t k = 0; k < K; k++)
        if (k != a && log_joint[k] > log_joint[b])
            b = k;
    return b;
}

static ilk_status explain_row(sink *out, const explanation *e, const ilk_answers *rows, size_t i, double *posterior,
                              ilk_error *err) {
    const double *log_joint = rows->log_joint + i * rows->K;
    verdict v = {.bad = rows->bad[i], .probability = NAN, .log_odds = NAN};
    v.a = v.bad ? ILK_NONE : ilk_argmax(log_joint, rows->K);
    parts all = {0};
    if (v.a == ILK_NONE) {
        (e->json ? json_row : text_row)(out, e, &v, &all);
        return ILK_OK;
    }
    v.b = e->against != ILK_NONE && e->against != v.a ? e->against : runner_up(log_joint, rows->K, v.a);
    ilk_bayes(posterior, log_joint, rows->K);
    v.probability = posterior[v.a];
    v.log_odds = log_joint[v.a] - log_joint[v.b];
    ilk_status status = ilk_model_explain(e->model, rows->rows, i, v.a, v.b, collect, &all, err);
    if (status == ILK_OK)
        (e->json ? json_row : text_row)(out, e, &v, &all);
    free(all.item);
    return status;
}

static ilk_status format(void *ctx, const ilk_answers *rows, ilk_text *text, ilk_error *err) {
    const explanation *e = ctx;
    sink out = sink_into(text);
    double *posterior = cli_alloc(rows->K, sizeof *posterior);
    ilk_status status = ILK_OK;
    for (size_t i = 0; i < rows->n && status == ILK_OK; i++)
        status = explain_row(&out, e, rows, i, posterior, err);
    free(posterior);
    return status == ILK_OK ? out.status : status;
}

static ilk_status commit(void *ctx, const ilk_answers *rows, const char *bytes, size_t n, ilk_error *err) {
    (void)ctx, (void)err;
    sink out = sink_stdout();
    uint64_t row = rows->first_row;
    for (const char *end = bytes + n, *hole; bytes < end; bytes = hole) {
        hole = memchr(bytes, row_number[0], (size_t)(end - bytes));
        sink_bytes(&out, bytes, (size_t)((hole ? hole : end) - bytes));
        if (!hole)
            break;
        sink_format(&out, "%" PRIu64, ++row);
        hole++;
    }
    return out.status == ILK_OK ? sink_flush_stdout() : out.status;
}

static bool colour_wanted(void) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

/* As wide as the terminal leaves room for. */
static size_t bar_width(void) {
    unsigned width = terminal_width(STDOUT_FILENO);
    if (!isatty(STDOUT_FILENO))
        return 0;
    if (width == 0 || width >= BESIDE + BAR)
        return BAR;
    return width > BESIDE + LEAST_BAR ? width - BESIDE : LEAST_BAR;
}

static int explain_all(scoring *s, const cli_settings *settings) {
    explanation e = {
        .model = s->model, .against = ILK_NONE, .top = settings->top, .json = settings->json, .bar = bar_width()};
    e.colour = e.bar > 0 && colour_wanted();
    if (settings->against) {
        e.against = ilk_model_class(s->model, (ilk_str){settings->against, strlen(settings->against)});
        if (e.against == ILK_NONE) {
            cli_error("--against %s: the model has no such class", settings->against);
            return CLI_USAGE;
        }
    }
    ilk_error err = {0};
    const ilk_answer_fns fns = {format, commit, &e};
    return scoring_run(s, &fns, settings, &err) == ILK_OK ? CLI_DONE : cli_fail(&err);
}

static int explain(const cli_settings *settings) {
    scoring s;
    ilk_error err = {0};
    int code = scoring_open(&s, settings, true, &err) == ILK_OK ? explain_all(&s, settings) : cli_fail_asked(&err);
    scoring_close(&s);
    return code;
}

const cli_command cli_explain = {
    .name = "explain",
    .summary = "say why rows are classed as they are",
    .arguments = "MODEL DATA...",
    .description =
        "For each row the predicted class against the second most probable one: the log-odds, and the parts of it that "
        "the prior and each column or word contribute. The parts add up to the whole.",
    .examples = "ilk explain tennis.bayes new.csv\n"
                "ilk explain --top 5 --against ham spam.bayes messages.tsv\n"
                "ilk explain --json spam.bayes messages.tsv | jq .log_odds\n",
    .least = 2,
    .most = SIZE_MAX,
    .run = explain,
};
