/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c - every hot path once, on small fixed input, for counting instructions: tests/guard.sh runs it under
 * callgrind, which is told where each job begins and ends, and compares with the figures in bench/guard.txt.
 *
 * guard            runs all jobs
 * guard --list     their names, in order
 * guard --set      the kernels in use and the compiler, because figures hold for one of each */
#include <ilk_data.h>

#include "data/table.h"
#include "kernels/kernels.h"
#include "text/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

enum { N = 1100, D = 20, FEW = 4, VALUES = 5, WORDS = 500, LENGTH = 20 };

static double X[N * D], whole[N * D], out[N * 2], Sigma[D * D], params[4 * D];
static uint32_t label[N], code[N * D], few[N * FEW], id[N * LENGTH], count[N * LENGTH];
static size_t begin[N + 1];
static const ilk_tokens bags = {begin, id, count, NULL};
static const ilk_rows reals = {.n = N, .real = X, .label = label};
static const ilk_rows counts = {.n = N, .real = whole, .label = label};
static const ilk_rows codes = {.n = N, .code = code, .label = label};
static const ilk_rows few_codes = {.n = N, .code = few, .label = label};
static const ilk_rows mixed = {.n = N, .real = X, .code = code, .label = label};
static const ilk_rows texts = {.n = N, .text = &bags, .label = label};
static char csv[N * (D * 8 + 4)], prose[N * LENGTH * 8];
static double *scratch;

static void must(ilk_status status) {
    if (status != ILK_OK) {
        fprintf(stderr, "guard: %s\n", ilk_status_name(status));
        exit(1);
    }
}

static double number(void) {
    static uint32_t seed = 1;
    seed = seed * 1664525 + 1013904223;
    return (double)(seed >> 8) / (1 << 24);
}

static void fill(void) {
    size_t c = 0, p = 0;
    for (size_t i = 0; i < N; i++) {
        label[i] = number() < 0.5;
        for (size_t j = 0; j < D; j++) {
            X[i * D + j] = number() + number() + 0.3 * label[i];
            code[i * D + j] = (uint32_t)(j * VALUES) + (uint32_t)(number() * VALUES);
            c += (size_t)snprintf(csv + c, sizeof csv - c, "%.5f,", X[i * D + j]);
        }
        c += (size_t)snprintf(csv + c, sizeof csv - c, "%c\n", 'a' + (char)label[i]);
        begin[i + 1] = begin[i] + LENGTH;
        for (size_t w = begin[i]; w < begin[i + 1]; w++) {
            id[w] = (uint32_t)(w % LENGTH) * (WORDS / LENGTH) + (uint32_t)(number() * (WORDS / LENGTH));
            count[w] = 1 + (uint32_t)(number() * 3);
            p += (size_t)snprintf(prose + p, sizeof prose - p, "Word%u ", id[w]);
        }
    }
    for (size_t i = 0; i < N * D; i++)
        whole[i] = (double)(int)(8 * number());
    for (size_t i = 0; i < N * FEW; i++)
        few[i] = (uint32_t)(i % FEW * VALUES) + (uint32_t)(number() * VALUES);
    for (size_t j = 0; j < D; j++) {
        Sigma[j * D + j] = params[D + j] = params[2 * D + j] = 1;
        for (size_t i = 0; i < j; i++)
            Sigma[j * D + i] = 0.01;
    }
    const ilk_kernels *k = ilk_kernels_use();
    scratch = calloc(ILK_STRIP * k->packed_width(D) + k->turn_size(N, D) + 16 * D, sizeof *scratch);
    if (!scratch)
        exit(1);
}

/* ---- kernels */

static void run_syrk(void) {
    const ilk_kernels *k = ilk_kernels_use();
    static const uint32_t one_group[ILK_STRIP];
    size_t padded = ilk_padded(D);
    ilk_strip strip = {scratch + 2 * padded, scratch, scratch + padded, 0, ILK_STRIP};
    k->pack(&strip, X, one_group, ILK_STRIP, D);
    k->syrk(Sigma, &strip, D, NULL, 0);
}
static void run_shifted(void) {
    ilk_kernels_use()->shifted(scratch, X, label, N, D);
}
static void run_largest(void) {
    out[0] = ilk_kernels_use()->largest(X, N * D);
}
static void run_distances(void) {
    const ilk_whitening w = {D, params, params + D, Sigma, params + 2 * D};
    ilk_kernels_use()->turn(scratch, X, N, D);
    ilk_kernels_use()->distances(out, 2, scratch, N, &w, params, 1, NULL);
}
static void run_scaled_distances(void) {
    ilk_kernels_use()->scaled_distances(out, X, N, D, params, params + D, 2);
}
static void run_linear(void) {
    ilk_kernels_use()->linear(out, scratch, X, N, D, params, params + D, params, 2);
}

/* ---- fitting and scoring */

static ilk_stats *stats;
static ilk_model *model;
static const ilk_rows *rows; /* of these statistics */

static void name_keys(ilk_kind kind, size_t width, uint32_t keys) {
    for (size_t j = 0; j < width; j++)
        for (uint32_t v = 0, got; v < keys; v++) {
            char name[16];
            int n = snprintf(name, sizeof name, kind == ILK_TEXT ? "word%u" : "v%03u", v);
            must(kind == ILK_TEXT ? ilk_stats_word(&got, stats, j, (ilk_str){name, (size_t)n}, NULL)
                                  : ilk_stats_code(&got, stats, j, (ilk_str){name, (size_t)n}, NULL));
        }
}

static void add_columns(ilk_schema *schema, const char *family, ilk_kind kind, size_t width) {
    for (size_t j = 0; j < width; j++) {
        char name[32];
        int n = snprintf(name, sizeof name, "%s%zu", family, j);
        ilk_column column = {.name = {name, (size_t)n}, .kind = kind, .family = family};
        column.tokenizer = (ilk_tokenizer){.ngram_min = 1, .ngram_max = 1};
        must(ilk_schema_add(schema, &column, NULL));
    }
}

/* Empty statistics of columns of a family, or of two (NULL: one), with two classes, and the rows that go with them. */
static void prepare(const char *family, ilk_kind kind, size_t width, const char *more, const ilk_rows *given) {
    ilk_schema *schema;
    ilk_stats_free(stats);
    rows = given;
    must(ilk_schema_new(&schema, NULL));
    add_columns(schema, family, kind, width);
    if (more)
        add_columns(schema, more, ILK_CATEGORY, D);
    must(ilk_stats_new(&stats, schema, NULL));
    for (uint32_t k = 0, got; k < 2; k++)
        must(ilk_stats_class(&got, stats, (ilk_str){&"ab"[k], 1}, NULL));
    name_keys(ILK_CATEGORY, ilk_schema_width(schema, ILK_CATEGORY), VALUES);
    name_keys(ILK_TEXT, ilk_schema_width(schema, ILK_TEXT), WORDS);
    ilk_schema_free(schema);
}

static void prepare_gda(void) {
    prepare("gda", ILK_REAL, D, NULL, &reals);
}
static void prepare_qda(void) {
    prepare("qda", ILK_REAL, D, NULL, &reals);
}
static void prepare_gaussian(void) {
    prepare("gaussian", ILK_REAL, D, NULL, &reals);
}
static void prepare_poisson(void) {
    prepare("poisson", ILK_REAL, D, NULL, &counts);
}
static void prepare_nb(void) {
    prepare("gaussian", ILK_REAL, D, "categorical", &mixed);
}
static void prepare_categorical(void) {
    prepare("categorical", ILK_CATEGORY, D, NULL, &codes);
}
static void prepare_table(void) {
    prepare("table", ILK_CATEGORY, FEW, NULL, &few_codes);
}
static void prepare_bernoulli(void) {
    prepare("bernoulli", ILK_TEXT, 1, NULL, &texts);
}
static void prepare_complement(void) {
    prepare("complement", ILK_TEXT, 1, NULL, &texts);
}
static void prepare_multinomial(void) {
    prepare("multinomial", ILK_TEXT, 1, NULL, &texts);
}

static void run_fit(void) {
    ilk_model_free(model);
    must(ilk_stats_add(stats, rows, NULL));
    must(ilk_model_estimate(&model, stats, NULL, NULL));
}
static void run_posterior(void) {
    must(ilk_model_posterior(out, model, rows, NULL));
}
static void run_log_joint(void) {
    must(ilk_model_log_joint(out, model, rows, NULL));
}
static void run_leave_one_out(void) {
    must(ilk_model_leave_one_out(out, model, rows, NULL));
}

/* ---- files and texts */

static char path[] = "/tmp/ilk-guard.XXXXXX";

static void prepare_open(void) {
    int file = mkstemp(path);
    must(file < 0 || close(file) != 0 ? ILK_EIO : ILK_OK);
    must(ilk_model_save(model, stats, path, NULL));
}
static void run_open(void) {
    ilk_model_free(model);
    must(ilk_model_open(&model, path, NULL));
}

/* By the tokenizer, LENGTH words at a time. */
static void run_bag(void) {
    ilk_bag *bag;
    must(ilk_model_bag(&bag, model, 0, NULL));
    for (const char *p = prose, *end; *p; p = end) {
        end = p;
        for (size_t w = 0; w < LENGTH; w++)
            end = strchr(end, ' ') + 1;
        must(ilk_bag_add(bag, (ilk_str){p, (size_t)(end - p)}, NULL));
    }
    ilk_bag_free(bag);
}

/* ---- reading */

static void run_csv(void) {
    ilk_str part = {csv, strlen(csv)};
    ilk_feed feed;
    ilk_read_options read;
    ilk_plan plan;
    ilk_table *table;
    ilk_schema *schema;
    ilk_tally tally;
    ilk_read_options_init(&read);
    ilk_plan_init(&plan);
    plan.model = "gda";
    must(ilk_feed_memory(&feed, &part, 1, 1 << 16, NULL));
    must(ilk_table_open_feed(&table, &feed, &read, 1 << 20, NULL));
    must(ilk_table_schema(&schema, table, &plan, NULL, NULL, NULL));
    ilk_stats_free(stats);
    must(ilk_stats_new(&stats, schema, NULL));
    must(ilk_table_learn(stats, table, &(ilk_run){.threads = 1}, &tally, NULL));
    ilk_model_free(model);
    must(ilk_model_estimate(&model, stats, NULL, NULL));
    ilk_table_free(table);
    ilk_schema_free(schema);
}

static ilk_status count_tokens(void *ctx, const ilk_str *token, size_t n) {
    for (size_t i = 0; i < n; i++)
        *(size_t *)ctx += token[i].n;
    return ILK_OK;
}

static void run_tokens(void) {
    ilk_token_scratch words = {0};
    size_t bytes = 0;
    must(ilk_tokenize(&(ilk_tokenizer){.ngram_min = 1, .ngram_max = 2}, (ilk_str){prose, strlen(prose)}, &words,
                      count_tokens, &bytes));
    ilk_token_scratch_free(&words);
}

typedef struct job {
    const char *name;
    void (*prepare)(void), (*run)(void);
} job;

static const job jobs[] = {
    {"kernel-syrk", NULL, run_syrk},
    {"kernel-shifted", NULL, run_shifted},
    {"kernel-largest", NULL, run_largest},
    {"kernel-distances", NULL, run_distances},
    {"kernel-scaled-distances", NULL, run_scaled_distances},
    {"kernel-linear", NULL, run_linear},
    {"fit-gda", prepare_gda, run_fit},
    {"posterior-gda", NULL, run_posterior},
    {"log-joint-gda", NULL, run_log_joint},
    {"leave-one-out-gda", NULL, run_leave_one_out},
    {"fit-qda", prepare_qda, run_fit},
    {"posterior-qda", NULL, run_posterior},
    {"leave-one-out-qda", NULL, run_leave_one_out},
    {"fit-gaussian", prepare_gaussian, run_fit},
    {"posterior-gaussian", NULL, run_posterior},
    {"leave-one-out-gaussian", NULL, run_leave_one_out},
    {"fit-poisson", prepare_poisson, run_fit},
    {"posterior-poisson", NULL, run_posterior},
    {"leave-one-out-poisson", NULL, run_leave_one_out},
    {"fit-nb", prepare_nb, run_fit},
    {"posterior-nb", NULL, run_posterior},
    {"leave-one-out-nb", NULL, run_leave_one_out},
    {"fit-categorical", prepare_categorical, run_fit},
    {"posterior-categorical", NULL, run_posterior},
    {"fit-table", prepare_table, run_fit},
    {"posterior-table", NULL, run_posterior},
    {"leave-one-out-table", NULL, run_leave_one_out},
    {"fit-bernoulli", prepare_bernoulli, run_fit},
    {"posterior-bernoulli", NULL, run_posterior},
    {"leave-one-out-bernoulli", NULL, run_leave_one_out},
    {"fit-complement", prepare_complement, run_fit},
    {"posterior-complement", NULL, run_posterior},
    {"leave-one-out-complement", NULL, run_leave_one_out},
    {"fit-multinomial", prepare_multinomial, run_fit},
    {"posterior-multinomial", NULL, run_posterior},
    {"leave-one-out-multinomial", NULL, run_leave_one_out},
    {"open-multinomial", prepare_open, run_open},
    {"bag-multinomial", NULL, run_bag},
    {"csv-to-gda", NULL, run_csv},
    {"tokenize", NULL, run_tokens},
};

int main(int argc, char **argv) {
    size_t n = sizeof jobs / sizeof *jobs;
    if (argc > 1 && strcmp(argv[1], "--set") == 0) {
#if defined(__clang__)
        printf("%s clang-%d\n", ilk_kernels_use()->name, __clang_major__);
#else
        printf("%s gcc-%d\n", ilk_kernels_use()->name, __GNUC__);
#endif
        return 0;
    }
    for (size_t i = 0; argc > 1 && i < n; i++)
        printf("%s\n", jobs[i].name);
    if (argc > 1)
        return 0;
    fill();
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].prepare)
            jobs[i].prepare();
        CALLGRIND_TOGGLE_COLLECT;
        jobs[i].run();
        CALLGRIND_TOGGLE_COLLECT;
        CALLGRIND_DUMP_STATS_AT(jobs[i].name);
    }
    ilk_stats_free(stats);
    ilk_model_free(model);
    free(scratch);
    return unlink(path) != 0;
}
