/* SPDX-License-Identifier: Apache-2.0 */
/* worlds.h - random tables to try laws on: columns of any kinds, of any family in the registry, transformed or not;
 * any number of classes, missing values, weights, random options.
 */
#ifndef ILK_TESTS_WORLDS_H
#define ILK_TESTS_WORLDS_H

#include "families/family.h"
#include "fixtures.h"

enum { ROWS = 240, REALS = 4, CODES = 3, TEXTS = 2, WORDS = 6, CLASSES = 5, ENOUGH = 12 };

typedef enum weighing { UNWEIGHTED, WHOLE, FRACTIONAL } weighing;

/* Raw data, to be written as a table in more than one way. */
typedef struct world {
    size_t n, K, reals, codes, texts;
    const ilk_family *family[REALS];
    double x[ROWS][REALS];                             /* NaN is missing */
    int code[ROWS][CODES];                             /* -1 is missing */
    int word[ROWS][TEXTS][WORDS], length[ROWS][TEXTS]; /* -1 is missing */
    size_t label[ROWS];
    double weight[ROWS];
    weighing weights;
    ilk_options options;
    bool transformed; /* some column is */
    bool counts;      /* some family takes counts only */
    char columns[1024];
} world;

static inline const ilk_family *random_family(rng *r, ilk_kind kind) {
    size_t all = 0;
    while (ilk_families[all])
        all++;
    const ilk_family *f;
    do {
        f = ilk_families[rng_below(r, all)];
    } while (f->kind != kind);
    return f;
}

static inline double random_weight(rng *r, weighing weights) {
    /* one of 0 is no row at all */
    return weights == UNWEIGHTED ? 1 : weights == WHOLE ? (double)rng_below(r, 4) : 0.25 + rng_unit(r);
}

/* As the family takes it: any number above 0, or a count. */
static inline double random_real(const ilk_family *family, double x) {
    if (family->accepts)
        x = floor(x / 3);
    return family->accepts && !family->accepts(x) ? x + 1 : x;
}

static inline void random_row(world *w, rng *r, size_t i, double missing) {
    w->label[i] = i < ENOUGH * w->K ? i % w->K : rng_below(r, w->K); /* enough of each for any covariance */
    w->weight[i] = random_weight(r, w->weights);
    double k = (double)w->label[i], previous = 0;
    for (size_t j = 0; j < w->reals; j++) {
        previous = rng_normal(r) * (1 + k / 3) + k * (double)(j + 1) / 2 + 0.5 * previous;
        double x = fmax(10 + previous, 0.5 + 0.1 * rng_unit(r));
        w->x[i][j] = rng_unit(r) < missing ? NAN : random_real(w->family[j], x);
    }
    for (size_t j = 0; j < w->codes; j++)
        w->code[i][j] = rng_unit(r) < missing ? -1 : (int)((rng_below(r, 5) + (size_t)(rng_unit(r) * k)) % 7);
    for (size_t j = 0; j < w->texts; j++) {
        w->length[i][j] = rng_unit(r) < missing ? -1 : (int)rng_below(r, WORDS + 1);
        for (int l = 0; l < w->length[i][j]; l++)
            w->word[i][j][l] = (int)(rng_below(r, 15) + (size_t)k * rng_below(r, 3));
    }
}

/* Hold bins and powers, to the laws, for a third of the columns that can have them. */
static inline size_t random_transform(char *to, size_t size, world *w, rng *r, const ilk_family *family) {
    if (family->kind == ILK_TEXT || family->accepts || rng_below(r, 3) > 0)
        return 0;
    w->transformed = true;
    if (family->kind == ILK_CATEGORY)
        return (size_t)snprintf(to, size, rng_below(r, 2) ? "/bins@1.5,3" : "/bins@-1,0,2,9");
    return (size_t)snprintf(to, size, "/%s@%.3f", rng_below(r, 2) ? "boxcox" : "yeo-johnson", 3 * rng_unit(r) - 1);
}

/* Kinds in any order, families as they come; half of the worlds have one family for all their numbers. */
static inline void random_columns(world *w, rng *r) {
    size_t used = 0, reals = w->reals, codes = w->codes, texts = w->texts; /* still to be placed */
    const ilk_family *all = rng_below(r, 2) ? random_family(r, ILK_REAL) : NULL;
    for (size_t left = reals + codes + texts; left > 0; left--) {
        size_t pick = rng_below(r, left);
        ilk_kind kind = pick < reals ? ILK_REAL : pick < reals + codes ? ILK_CATEGORY : ILK_TEXT;
        const ilk_family *family = kind == ILK_REAL && all ? all : random_family(r, kind);
        if (kind == ILK_REAL)
            w->family[w->reals - reals] = family;
        (*(kind == ILK_REAL ? &reals : kind == ILK_CATEGORY ? &codes : &texts))--;
        w->counts |= family->accepts != NULL;
        used += (size_t)snprintf(w->columns + used, sizeof w->columns - used, "f%zu:%s", left, family->name);
        used += random_transform(w->columns + used, sizeof w->columns - used, w, r, family);
        w->columns[used++] = ' ';
    }
    snprintf(w->columns + used, sizeof w->columns - used, "%s", w->weights ? "w:* y" : "y");
}

/* Of at most so many rows. */
static inline void world_new(world *w, rng *r, size_t rows) {
    memset(w, 0, sizeof *w);
    w->weights = (weighing)rng_below(r, 3);
    do {
        w->reals = rng_below(r, REALS + 1);
        w->codes = rng_below(r, CODES + 1);
        w->texts = rng_below(r, TEXTS + 1);
    } while (w->reals + w->codes + w->texts == 0);
    w->K = 2 + rng_below(r, CLASSES - 1);
    w->n = ENOUGH * w->K + rng_below(r, rows - ENOUGH * w->K);
    double missing = rng_below(r, 2) ? 0 : 0.2 * rng_unit(r);
    random_columns(w, r);
    for (size_t i = 0; i < w->n; i++)
        random_row(w, r, i, missing);
    w->options = options_of(0.05 + 2 * rng_unit(r));
    w->options.prior = (ilk_prior)rng_below(r, 3);
    w->options.divisor = (ilk_divisor)rng_below(r, 3);
    w->options.unseen = rng_below(r, 2) ? ILK_UNSEEN_IGNORE : ILK_UNSEEN_UNKNOWN;
    w->options.min_docs = 1 + rng_below(r, 3);
}

/* How to write it. */
typedef struct style {
    const size_t *order; /* of rows, so many of them; NULL: as they are */
    size_t rows;
    bool alike;        /* every row has the weight 1 */
    bool rename;       /* classes, values and words by other names, which sort the other way round */
    const double *map; /* reals × reals: x becomes map x + 100 */
} style;

static inline const char *class_name(const world *w, size_t k, bool rename) {
    static char name[4][16];
    static int last;
    char *to = name[last++ % 4];
    sprintf(to, rename ? "%zu" : "k%zu", rename ? 8 + w->K - k : k); /* 9, 10, 11: numbers, not bytes */
    return to;
}

static inline size_t write_real(char *to, const world *w, size_t i, size_t j, const double *map) {
    double x = map ? 100 : w->x[i][j];
    for (size_t h = 0; map && h < w->reals; h++)
        x += map[j * w->reals + h] * w->x[i][h];
    return isnan(x) ? 0 : (size_t)sprintf(to, "%.17g", x);
}

static inline size_t write_code(char *to, int code, bool binned, bool rename) {
    if (code < 0)
        return 0;
    if (binned)
        return (size_t)sprintf(to, "%d", code);
    return (size_t)sprintf(to, rename ? "x%d" : "v%d", rename ? 50 - code : code);
}

static inline size_t write_text(char *to, const int *word, int length, bool rename) {
    if (length < 0)
        return (size_t)sprintf(to, MISSING_TEXT);
    char *at = to;
    for (int l = 0; l < length; l++)
        at += sprintf(at, rename ? "z%d " : "w%d ", rename ? 90 - word[l] : word[l]);
    return (size_t)(at - to);
}

/* One row, with its end. */
static inline size_t write_row(char *to, const world *w, size_t i, style s) {
    char *at = to, columns[sizeof w->columns];
    size_t real = 0, code = 0, doc = 0;
    memcpy(columns, w->columns, sizeof columns);
    for (char *rest = columns, *c; (c = strtok_r(rest, " ", &rest)) && *c == 'f'; *at++ = ',') {
        bool binned = strstr(c, "/bins");
        ilk_kind kind = ilk_family_find(strtok(strchr(c, ':') + 1, "/"))->kind;
        if (kind == ILK_REAL)
            at += write_real(at, w, i, real++, s.map);
        else if (kind == ILK_CATEGORY)
            at += write_code(at, w->code[i][code++], binned, s.rename);
        else {
            at += write_text(at, w->word[i][doc], w->length[i][doc], s.rename);
            doc++;
        }
    }
    if (w->weights)
        at += sprintf(at, "%.17g,", s.alike ? 1 : w->weight[i]);
    at += sprintf(at, "%s\n", class_name(w, w->label[i], s.rename));
    return (size_t)(at - to);
}

static inline table world_table(const world *w, style s) {
    size_t rows = s.order ? s.rows : w->n;
    char *text = make(rows, 512), *at = text;
    for (size_t row = 0; row < rows; row++)
        at += write_row(at, w, s.order ? s.order[row] : row, s);
    table t = table_of(text);
    free(text);
    return t;
}

/* A world that can be estimated: nearly all can, and what cannot is not what is tried here. */
static inline ilk_model *world_model(const world *w, const ilk_stats *s) {
    ilk_model *m;
    ilk_status status = ilk_model_estimate(&m, s, &w->options, &failure);
    if (status != ILK_OK)
        printf("# %s: %s\n", w->columns, failure.message);
    return m;
}

#endif
