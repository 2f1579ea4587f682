/* SPDX-License-Identifier: Apache-2.0 */
/* random_tables.h - tables with structure, for any schema: what is drawn from a model, scored or explained must be
 * learnt from something first. */
#ifndef ILK_TESTS_RANDOM_TABLES_H
#define ILK_TESTS_RANDOM_TABLES_H

#include "fixtures.h"

static const char *const VALUES[] = {"p", "q", "r"};                    /* of every category column */
static const char *const WORDS[] = {"u", "v", "w", "x", "y", "z"};      /* of every text */
enum { CLASSES = 3, VALUE_COUNT = 3, WORD_COUNT = 6, TABLE_ROWS = 60 }; /* classes a, b, c */

/* One cell of a row of class k. Reals of a row share `common`, so that they correlate. */
static inline void write_cell(FILE *out, rng *r, const ilk_column *c, size_t k, double common) {
    if (c->role == ILK_TARGET)
        fprintf(out, "%c", "abc"[k]);
    else if (strcmp(c->family, "poisson") == 0)
        fprintf(out, "%zu", rng_below(r, 4 + 3 * k));
    else if (c->kind == ILK_REAL)
        fprintf(out, "%.17g", 2 * (double)k + rng_normal(r) + common * (1 + (double)k));
    else if (c->kind == ILK_CATEGORY)
        fputs(VALUES[rng_below(r, 2) ? k : rng_below(r, VALUE_COUNT)], out);
    for (size_t n = c->kind == ILK_TEXT && c->role == ILK_FEATURE ? 14 + rng_below(r, 8) : 0; n > 0; n--)
        fprintf(out, " %s", WORDS[rng_below(r, 2) ? 2 * k + rng_below(r, 2) : rng_below(r, WORD_COUNT)]);
}

/* `columns` as in schema_of. The caller frees. */
static inline char *random_table(rng *r, const char *columns) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ilk_schema *schema = schema_of(columns);
    assert_non_null(out);
    for (size_t i = 0; i < TABLE_ROWS; i++) {
        double common = rng_normal(r);
        for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
            fputs(j ? "," : "", out);
            write_cell(out, r, ilk_schema_column(schema, j), i % 7 % CLASSES, common);
        }
        fputs("\n", out);
    }
    fclose(out);
    ilk_schema_free(schema);
    return text;
}

static inline ilk_model *random_model(rng *r, const char *columns, const ilk_options *o) {
    char *text = random_table(r, columns);
    ilk_model *m = model_of(columns, text, o);
    free(text);
    return m;
}

/* Empty statistics in which classes, values and words have the ids that they have in a model with all of them. */
static inline ilk_stats *stats_like(const ilk_model *m) {
    ilk_stats *s;
    uint32_t id;
    const ilk_schema *schema = ilk_model_schema(m);
    assert_ok(ilk_stats_new(&s, schema, &failure));
    for (uint32_t k = 0; k < ilk_model_classes(m); k++)
        assert_ok(ilk_stats_class(&id, s, ilk_model_class_name(m, k), &failure));
    for (size_t j = 0; j < ilk_schema_width(schema, ILK_CATEGORY); j++)
        for (size_t v = 0; v < VALUE_COUNT; v++)
            assert_ok(ilk_stats_declare(&id, s, ILK_CATEGORY, j, str(VALUES[v]), &failure));
    for (size_t j = 0; j < ilk_schema_width(schema, ILK_TEXT); j++)
        for (size_t w = 0; w < WORD_COUNT; w++)
            assert_ok(ilk_stats_declare(&id, s, ILK_TEXT, j, str(WORDS[w]), &failure));
    return s;
}

static inline ilk_status learn_rows(void *ctx, const ilk_rows *rows) {
    return ilk_stats_add(ctx, rows, &failure);
}

/* Statistics of n rows drawn from a model. */
static inline ilk_stats *stats_of_draws(const ilk_model *m, size_t n, uint64_t seed) {
    ilk_stats *s = stats_like(m);
    assert_ok(ilk_model_sample(m, n, seed, learn_rows, s, &failure));
    return s;
}

#endif
