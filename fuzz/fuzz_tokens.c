/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_tokens.c - any bytes as labelled lines of text, by any tokenizer.
 *
 * Besides what sanitizers see, three laws. A text has the same terms wherever it stands in memory, and with invisible
 * characters in it, unless it is cut at white space only. And a table makes the same model, bit for bit, however its
 * bytes are delivered, cut into blocks and shared between threads.
 */
#include "data/table.h"
#include "model/model.h"
#include "text/tokens.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void broken(const char *law) {
    fprintf(stderr, "%s\n", law);
    abort();
}

/* ---- terms */

static ilk_status gather(void *ctx, const ilk_str *term, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (ilk_buffer_add(ctx, term[i].p, term[i].n) != ILK_OK || ilk_buffer_add(ctx, "\n", 1) != ILK_OK)
            return ILK_ENOMEM;
    return ILK_OK;
}

/* The terms of a text that stands `shift` bytes into memory of its own, which ends where the text does. */
static ilk_buffer terms_at(const ilk_tokenizer *tokenizer, ilk_str text, size_t shift) {
    ilk_token_scratch scratch = {0};
    ilk_buffer terms = {0};
    char *copy = malloc(text.n + shift + 1);
    if (!copy)
        abort();
    char *at = copy + shift + 1;
    memcpy(at, text.p, text.n);
    if (ilk_tokenize(tokenizer, (ilk_str){at, text.n}, &scratch, gather, &terms) != ILK_OK)
        broken("a text was refused");
    ilk_token_scratch_free(&scratch);
    free(copy);
    return terms;
}

/* The text with a joiner at its end and before each character of ASCII, where it cannot part the bytes of one. */
static ilk_buffer with_joiners(ilk_str text) {
    ilk_buffer out = {0};
    for (size_t i = 0; i <= text.n; i++) {
        bool joiner = i == text.n || (unsigned char)text.p[i] < 0x80;
        if ((joiner && ilk_buffer_add(&out, "\u200D", 3) != ILK_OK) ||
            (i < text.n && ilk_buffer_add(&out, text.p + i, 1) != ILK_OK))
            abort();
    }
    return out;
}

static void must_equal(const ilk_buffer *a, const ilk_buffer *b, const char *law) {
    if (a->n != b->n || (a->n && memcmp(a->p, b->p, a->n) != 0))
        broken(law);
}

static void check_terms(const ilk_tokenizer *tokenizer, ilk_str text) {
    ilk_buffer here = terms_at(tokenizer, text, 0), there = terms_at(tokenizer, text, 6);
    must_equal(&here, &there, "the terms of a text depend on where it stands");
    if (tokenizer->kind != ILK_WHITESPACE) {
        ilk_buffer joined = with_joiners(text), same = terms_at(tokenizer, (ilk_str){joined.p, joined.n}, 0);
        must_equal(&here, &same, "the terms of a text depend on what cannot be seen");
        ilk_buffer_free(&joined);
        ilk_buffer_free(&same);
    }
    ilk_buffer_free(&here);
    ilk_buffer_free(&there);
}

/* ---- models */

typedef struct delivery {
    size_t most, block_size, threads; /* bytes per read and per block */
} delivery;

static ilk_table *open_lines(const ilk_str *bytes, const delivery *d) {
    ilk_feed feed;
    ilk_table *table = NULL;
    ilk_read_options options;
    ilk_read_options_init(&options);
    options.format = ILK_FORMAT_LINES;
    options.skip_bad_rows = true;
    if (ilk_feed_memory(&feed, bytes, 1, d->most, NULL) == ILK_OK)
        ilk_table_open_feed(&table, &feed, &options, d->block_size, NULL);
    return table;
}

/* The model of these lines, or NULL if they make none. */
static ilk_model *model_of(const ilk_tokenizer *tokenizer, ilk_str bytes, const delivery *d) {
    const ilk_run run = {.threads = d->threads};
    ilk_plan plan;
    ilk_schema *schema = NULL;
    ilk_stats *stats = NULL;
    ilk_model *model = NULL;
    ilk_table *table = open_lines(&bytes, d);
    ilk_plan_init(&plan);
    plan.tokenizer = *tokenizer;
    if (table && ilk_table_schema(&schema, table, &plan, NULL, NULL, NULL) == ILK_OK &&
        ilk_stats_new(&stats, schema, NULL) == ILK_OK && ilk_table_learn(stats, table, &run, NULL, NULL) == ILK_OK)
        ilk_model_estimate(&model, stats, NULL, NULL);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
    ilk_table_free(table);
    return model;
}

static void check_models(const ilk_tokenizer *tokenizer, ilk_str bytes, const delivery *small) {
    const delivery whole = {ILK_BLOCK_SIZE, ILK_BLOCK_SIZE, 1};
    ilk_model *a = model_of(tokenizer, bytes, &whole), *b = model_of(tokenizer, bytes, small);
    if (!a != !b || (a && (a->bytes.n != b->bytes.n || memcmp(a->bytes.p, b->bytes.p, a->bytes.n) != 0)))
        broken("a model depends on how its bytes were delivered");
    ilk_model_free(a);
    ilk_model_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ilk_token_kind kinds[] = {ILK_WORDS, ILK_WHITESPACE, ILK_CHARS};
    if (size < 2)
        return 0;
    /* The first byte chooses the tokenizer, the second how the rest is delivered. */
    ilk_tokenizer tokenizer = {.kind = kinds[data[0] % 3], .keep_case = data[0] / 3 % 2, .ngram_min = 1};
    tokenizer.ngram_max = 1 + data[0] / 6 % 3;
    if (data[0] & 128)
        tokenizer.kind = ILK_PIECES;
    delivery small = {1 + data[1] % 7, 1 + data[1] % 61, 1 + data[1] % 2};
    ilk_str bytes = {(const char *)data + 2, size - 2};
    check_terms(&tokenizer, bytes);
    check_models(&tokenizer, bytes, &small);
    return 0;
}
