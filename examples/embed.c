/* SPDX-License-Identifier: Apache-2.0 */
/* embed.c - Ilk in a program of one's own: rows and texts that are in memory, no file is read or written.
 *
 *     cc examples/embed.c -o embed $(pkg-config --cflags --libs ilk)
 */
#include <ilk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8, CLASSES = 2 };

/* What support desks get: a text, a customer's plan, and how many hours the customer has waited. */
typedef struct ticket {
    const char *team, *plan;
    double hours;
    const char *text;
} ticket;

static const ticket learnt[ROWS] = {
    {"billing", "free", 30, "please refund the last invoice"},
    {"billing", "pro", 12, "invoice paid twice, refund the second"},
    {"billing", "pro", 16, "wrong address on the invoice"},
    {"billing", "free", 44, "was charged when the trial ended"},
    {"technical", "pro", 2, "crash after the update, log attached"},
    {"technical", "pro", 15, "the app does not start since the update"},
    {"technical", "free", 9, "error 504 when files are synced"},
    {"technical", "pro", 3, "crash when files are opened"},
};
static const ticket asked = {"", "pro", 12, "crash when the invoice is opened"};

static ilk_error err;

static void must(ilk_status status) {
    if (status == ILK_OK)
        return;
    fprintf(stderr, "%s\n", err.message);
    exit(1);
}

static ilk_str str(const char *s) {
    return (ilk_str){s, strlen(s)};
}

/* Which columns there are, and which family models each. */
static ilk_schema *new_schema(void) {
    const ilk_column column[] = {
        {.name = str("team"), .role = ILK_TARGET},
        {.name = str("plan"), .kind = ILK_CATEGORY, .family = "categorical"},
        {.name = str("hours"), .kind = ILK_REAL, .family = "gaussian"},
        {.name = str("text"), .kind = ILK_TEXT, .family = "multinomial", .tokenizer = {.ngram_min = 1, .ngram_max = 1}},
    };
    ilk_schema *schema;
    must(ilk_schema_new(&schema, &err));
    for (size_t j = 0; j < sizeof column / sizeof *column; j++)
        must(ilk_schema_add(schema, &column[j], &err));
    return schema;
}

/* Rows as the library takes them: matrices of numbers and codes, and bags of words. */
typedef struct batch {
    double hours[ROWS];
    uint32_t plan[ROWS], team[ROWS];
    ilk_bag *bag;
    ilk_tokens text;
    ilk_rows rows;
} batch;

/* In the codes of statistics, which make one for what is new, or, where these are NULL, of a model. */
static void encode(batch *b, ilk_stats *stats, const ilk_model *model, const ticket *t, size_t n) {
    must(stats ? ilk_stats_bag(&b->bag, stats, 0, &err) : ilk_model_bag(&b->bag, model, 0, &err));
    for (size_t i = 0; i < n; i++) {
        b->hours[i] = t[i].hours;
        if (stats) {
            must(ilk_stats_code(&b->plan[i], stats, 0, str(t[i].plan), &err));
            must(ilk_stats_class(&b->team[i], stats, str(t[i].team), &err));
        } else {
            b->plan[i] = ilk_model_code(model, 0, str(t[i].plan));
            b->team[i] = ilk_model_class(model, str(t[i].team));
        }
        must(ilk_bag_add(b->bag, str(t[i].text), &err));
    }
    b->text = ilk_bag_tokens(b->bag);
    b->rows = (ilk_rows){.n = n, .real = b->hours, .code = b->plan, .text = &b->text, .label = b->team};
}

static void learn(ilk_stats *stats) {
    batch b;
    encode(&b, stats, NULL, learnt, ROWS);
    must(ilk_stats_add(stats, &b.rows, &err));
    ilk_bag_free(b.bag);
}

/* How many rows would be told right by a model that has not seen them? */
static void leave_one_out(const ilk_model *model) {
    double log_joint[ROWS * CLASSES];
    size_t right = 0;
    batch b;
    encode(&b, NULL, model, learnt, ROWS);
    must(ilk_model_leave_one_out(log_joint, model, &b.rows, &err));
    for (size_t i = 0; i < ROWS; i++)
        right += ilk_argmax(log_joint + i * CLASSES, CLASSES) == b.team[i];
    printf("left out, %zu of %d tickets are told right\n", right, ROWS);
    ilk_bag_free(b.bag);
}

static ilk_status print_part(void *ctx, const ilk_part *part) {
    (void)ctx;
    printf("  %+.4f  %.*s%s", part->contribution, (int)part->column.n, part->column.p, part->column.n ? ": " : "");
    if (part->value.n > 0)
        printf("%.*s\n", (int)part->value.n, part->value.p);
    else
        printf("%g\n", part->x);
    return ILK_OK;
}

static void answer(const ilk_model *model, const ticket *t) {
    double posterior[CLASSES];
    batch b;
    encode(&b, NULL, model, t, 1);
    must(ilk_model_posterior(posterior, model, &b.rows, &err));
    for (uint32_t k = 0; k < CLASSES; k++) {
        ilk_str name = ilk_model_class_name(model, k);
        printf("p(%.*s) = %.4f\n", (int)name.n, name.p, posterior[k]);
    }
    printf("log-odds of the first against the second:\n");
    must(ilk_model_explain(model, &b.rows, 0, 0, 1, print_part, NULL, &err));
    ilk_bag_free(b.bag);
}

int main(void) {
    ilk_schema *schema = new_schema();
    ilk_stats *stats;
    ilk_model *model;
    must(ilk_stats_new(&stats, schema, &err));
    learn(stats);
    must(ilk_model_estimate(&model, stats, NULL, &err)); /* NULL: the defaults */
    leave_one_out(model);
    answer(model, &asked);
    ilk_model_free(model);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
    return 0;
}
