/* SPDX-License-Identifier: Apache-2.0 */
/* family.h - what a family is: a way to model p(x|y), as one const table of pure functions.
 *
 * A family never sees growth, merging, removal or files: a store keeps the statistics, and shows them as a view with
 * the classes in the model's order. From a view, estimate fills one flat array of parameters, whose layout is the
 * family's own business; that array is what a model file maps, and all that score, explain and describe see. Families
 * that share a layout of statistics (gda and qda; the event models of text) can be exchanged after the data was read.
 */
#ifndef ILK_FAMILIES_FAMILY_H
#define ILK_FAMILIES_FAMILY_H

#include "core/dict.h"
#include "core/error.h"
#include "core/rng.h"

#include <math.h>

/* The statistics a family is estimated from. */
typedef enum ilk_layout {
    ILK_LAYOUT_DIAGONAL, /* per class and column: n, mean, M2 */
    ILK_LAYOUT_FULL,     /* per class: n, mean, scatter; or one scatter for all classes */
    ILK_LAYOUT_CODES,    /* per class, column and category: count */
    ILK_LAYOUT_TABLE,    /* the same, and per combination of categories: one more field of keys */
    ILK_LAYOUT_WORDS     /* per class and word: tokens, documents */
} ilk_layout;

/* The size of a block. */
typedef struct ilk_shape {
    size_t K;             /* classes */
    size_t d;             /* columns */
    const ilk_keys *keys; /* categories or words, a field per column (and one of combinations); NULL for real columns */
    const ilk_str *column;                 /* d names */
    const ilk_str *name;                   /* K names of classes */
    double unit;                           /* what one of a text's counts is worth; else 1 */
    const ilk_transform *const *transform; /* d, or NULL: none */
    bool fixed; /* the words are those of a dictionary that was given, whether they occur or not */
} ilk_shape;

/* Does a category stand for a bin? Every number has one: there are no others that could be met. */
static inline bool ilk_shape_is_binned(const ilk_shape *s, size_t j) {
    return s->transform && s->transform[j]->kind == ILK_BINS;
}

/* Moments of K classes: record[k] points to class k's numbers, in which column j counts in units of 2^exponent[j]. */
typedef struct ilk_moments_view {
    const double *const *record;
    const int *exponent;
    const double *pooled; /* the scatter of all classes, where the full records end with their means; else NULL */
    bool rows;            /* no weight was a fraction: a row counts 1 at least */
} ilk_moments_view;

/* A diagonal record is n[d] | mean[d] | M2[d] | peak[d]; a full one is n | mean[d] | peak[d] | scatter[d × d], of which
 * only the lower triangle is used. peak is the largest M2 (scatter_jj) there ever was, plus what removals have added to
 * its error since: eps × peak is about the error of M2, by which the next removal is judged. */
static inline size_t ilk_record_size(bool full, size_t d) {
    return full ? 1 + 2 * d + d * d : 4 * d;
}

/* Counts of K classes by key, in the order of shape->keys: those of key v are cls[begin[v]] … cls[begin[v+1]-1]. */
typedef struct ilk_counts_view {
    const size_t *begin;   /* n + 1 */
    const uint32_t *cls;   /* the class, in the model's order */
    const double *count;   /* rows with this value, or tokens of this word */
    const double *docs;    /* rows in which it occurs */
    const double *present; /* K × fields: rows in which the column was not missing */
} ilk_counts_view;

typedef union ilk_view {
    ilk_moments_view moments;
    ilk_counts_view counts;
} ilk_view;

/* Rows to score: what the block's columns hold, gathered. */
typedef struct ilk_chunk {
    size_t n;
    const double *x;        /* n × d */
    const uint32_t *code;   /* n × d */
    const ilk_tokens *bags; /* rows first … first + n - 1 of these */
    size_t first;
    const uint32_t *label; /* n classes and weights (NULL: 1), for score_without */
    const double *weight;
    double *scratch; /* n × scratch_row + scratch_fixed doubles, as the family asked */
} ilk_chunk;

/* Where a drawn row goes. */
typedef struct ilk_draw {
    double *x;            /* d */
    uint32_t *code;       /* d */
    uint32_t *id, *count; /* a bag, with room for the whole dictionary and ILK_UNSEEN */
    size_t words;         /* in the bag */
    double *scratch;      /* as for a chunk of one row */
} ilk_draw;

/* Where explain and describe send what they find. */
typedef struct ilk_parts {
    ilk_part_fn fn;
    void *ctx;
} ilk_parts;

typedef struct ilk_facts {
    ilk_fact_fn fn;
    void *ctx;
    const double *log_prior; /* K: theta's intercept holds the prior; NULL for all blocks but the first */
    double *scratch;         /* as for a chunk of one row */
} ilk_facts;

typedef struct ilk_family {
    const char *name;
    const char *summary;
    ilk_kind kind;
    ilk_layout layout;
    bool discriminative; /* its scores are not log p(x|k): no density, no sample */
    bool shared;         /* one variance of a column for all classes, not one for each */

    /* Doubles of parameters. Sizes were checked not to overflow: K × keys and K × d × d fit memory. */
    size_t (*size)(const ilk_shape *s);
    /* Doubles of scratch that score and explain want: per row, and once. NULL: none. */
    void (*scratch)(size_t *per_row, size_t *fixed, const ilk_shape *s);
    /* Is x a value that a real column of this family may hold? NULL: every finite one. */
    bool (*accepts)(double x);
    ilk_status (*estimate)(double *params, const ilk_shape *s, const ilk_view *view, const ilk_options *o,
                           ilk_error *err);
    /* log_joint[i × K + k] += log p(x_i | k). Cannot fail. */
    void (*score)(double *log_joint, const double *params, const ilk_shape *s, const ilk_chunk *rows);
    /* The same but for a term that is common to all classes of a row, where that is cheaper: enough for posteriors.
     * -inf and NaN come out as of score. NULL: score. */
    void (*score_relative)(double *log_joint, const double *params, const ilk_shape *s, const ilk_chunk *rows);
    /* The same as if row i had never been learnt as one of class label[i] with weight[i]: leave-one-out. What the row
     * had no part in (smoothing, floors, shrinkage and its target) stays as it is, and of the vocabulary all but the
     * words that no other row has. -inf for a class that the removal would empty. */
    void (*score_without)(double *log_joint, const double *params, const ilk_shape *s, const ilk_chunk *rows);
    /* Draw a row of class k. NULL for discriminative families. */
    void (*sample)(ilk_draw *out, const double *params, const ilk_shape *s, uint32_t k, ilk_rng *rng);
    /* (x - mu_k)' Sigma_k^-1 (x - mu_k) on the columns that a chunk of one row has, and how many those are: columns
     * that never vary do not count. NULL for families that are not normal. */
    double (*distance2)(const double *params, const ilk_shape *s, const ilk_chunk *row, uint32_t k, size_t *columns);
    /* The parts of log p(x|a) - log p(x|b) for a chunk of one row. */
    ilk_status (*explain)(const double *params, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to);
    ilk_status (*describe)(const double *params, const ilk_shape *s, const ilk_facts *to);
    /* What telling words are ranked by: the K values of log p(word|k), and of log p(word|not k) where the family
     * compares with all other classes at once. A text family has one of them or both; others NULL. */
    const double *(*log_phi)(const double *params, const ilk_shape *s, uint32_t word);
    const double *(*log_rest)(const double *params, const ilk_shape *s, uint32_t word);
    /* Are these parameters (from a file) ones that score can compute with? */
    bool (*validate)(const double *params, const ilk_shape *s);
} ilk_family;

/* Where a family finds its parameters serves both estimate, which writes them, and all others, to which they are const:
 * C cannot say that in a type. */
static inline double *ilk_writable(const double *params) {
    return (double *)(uintptr_t)params;
}

/* The words of row i of a chunk: places first … last - 1 of its bags. */
typedef struct ilk_span {
    size_t first, last;
} ilk_span;

static inline ilk_span ilk_chunk_words(const ilk_chunk *rows, size_t i) {
    return (ilk_span){rows->bags->begin[rows->first + i], rows->bags->begin[rows->first + i + 1]};
}

/* A missing text has no words, but a text without words need not be missing. */
static inline bool ilk_text_missing(const ilk_tokens *bags, size_t i) {
    return bags->missing && bags->missing[i];
}

/* How many tokens of them are in the vocabulary. */
static inline double ilk_chunk_length(const ilk_chunk *rows, ilk_span words) {
    double length = 0;
    for (size_t at = words.first; at < words.last; at++)
        length += rows->bags->id[at] == ILK_UNSEEN ? 0 : rows->bags->count[at];
    return length;
}

static inline ilk_str ilk_word_shown(const ilk_shape *s, uint32_t id) {
    return id == ILK_UNSEEN ? (ilk_str){"(unseen)", 8} : ilk_keys_key(s->keys, id);
}

static inline double ilk_chunk_weight(const ilk_chunk *rows, size_t i) {
    return rows->weight ? rows->weight[i] : 1;
}

/* Is x a whole number from 0 on? Doubles from 2^53 on all are. */
static inline bool ilk_is_count(double x) {
    return x >= 0 && (x >= 0x1p53 || x == (double)(int64_t)x);
}

/* sum - w for sums of weights: 0 where what is left is no more than rounding may have left. */
static inline double ilk_left(double sum, double w) {
    double left = sum - w;
    return left > 1e-9 * sum ? left : 0;
}

/* log_share is log(alpha / total) of a class (-inf for alpha 0): log phi of a word that it lacks. Returns that and a
 * little more, for rounding: a word whose log phi is not above it is one that the class lacks. */
static inline double ilk_bare(double log_share) {
    return log_share > -INFINITY ? log_share + 1e-12 * (1 + fabs(log_share)) : log_share;
}

/* Can a count be told from the parameters? Beside a huge alpha rounding hides it, and leave-one-out then takes no word
 * for one that only the row has. */
static inline bool ilk_count_shows(double count, double alpha) {
    return count > 1e-9 * alpha;
}

/* log p(k) / p(0), where the prior is this block's to tell. */
static inline double ilk_facts_prior(const ilk_facts *to, size_t k) {
    return to->log_prior ? to->log_prior[k] - to->log_prior[0] : 0;
}

/* Tell theta of class k against class 0: the slope of a column or of one of its keys, or the intercept (column "1"). */
ilk_status ilk_describe_theta(const ilk_facts *to, const char *family, ilk_str column, ilk_str key, size_t k,
                              double value);
ilk_status ilk_describe_intercept(const ilk_facts *to, const char *family, size_t k, double value);

/* Tell how many parameters there are: which, and per class and in all. */
ilk_status ilk_describe_number(const ilk_facts *to, const char *family, const char *which, double value);
ilk_status ilk_describe_size(const ilk_facts *to, const char *family, double per_class, double in_all);

/* NULL-terminated list of all families. */
extern const ilk_family *const ilk_families[];
/* By name, or NULL. */
const ilk_family *ilk_family_find(const char *name);

#endif
