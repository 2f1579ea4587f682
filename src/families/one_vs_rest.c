/* SPDX-License-Identifier: Apache-2.0 */
/* one_vs_rest.c - each class against all others together, both as multinomial event models.   MATH section 16
 *
 * score of k = sum over the text's words of count (log phi_{v|k} - log theta_{v|k}),
 *     phi the shares of words in class k, as in multinomial.c, theta those outside of it, as in complement.c.
 * It is a log-odds for each class, but of K different questions: no density, no sample, and a model of nothing else
 * takes no prior. Of two classes the difference is twice that of complement's scores.
 * Parameters: those of discrete.h twice, with one column: phi, then theta. Invariant: all are above 0, which takes
 * smoothing, because the difference of two logarithms of 0 would be no number.
 */
#include "families/discrete.h"

static const double *rest_of(const double *p, const ilk_shape *s) {
    return p + ilk_discrete_size(s);
}

static size_t size(const ilk_shape *s) {
    return 2 * ilk_discrete_size(s);
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    if (!(o->smooth > 0))
        return ilk_fail(err, ILK_EDATA, "column %.*s: one-vs-rest needs smoothing", ILK_SHOW(s->column[0]));
    ILK_TRY(ilk_discrete_estimate(p, s, &v->counts, o, NULL, "word", err));
    return ilk_discrete_estimate_rest(p + ilk_discrete_size(s), s, &v->counts, o, err);
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete own = ilk_discrete_at(p, s), rest = ilk_discrete_at(rest_of(p, s), s);
    for (size_t i = 0; i < rows->n; i++) {
        ilk_discrete_score_words(log_joint + i * s->K, &own, s, rows->bags, ilk_chunk_words(rows, i), 1);
        ilk_discrete_score_words(log_joint + i * s->K, &rest, s, rows->bags, ilk_chunk_words(rows, i), -1);
    }
}

static void scratch(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    ilk_discrete_scratch_rest(per_row, fixed, s);
    *fixed += s->K;
}

static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete own = ilk_discrete_at(p, s), rest = ilk_discrete_at(rest_of(p, s), s);
    size_t per_row, of_rest;
    ilk_discrete_scratch_rest(&per_row, &of_rest, s);
    double *bare = rows->scratch + of_rest;
    ilk_discrete_bare(bare, &own, s);
    for (size_t i = 0; i < rows->n; i++) {
        ilk_discrete_own_without(log_joint + i * s->K, &own, s, bare, rows, i);
        ilk_discrete_rest_without(log_joint + i * s->K, &rest, s, rows, i);
    }
}

/* A word's part is what it says in both. */
static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    ilk_discrete own = ilk_discrete_at(p, s), rest = ilk_discrete_at(rest_of(p, s), s);
    ilk_span words = ilk_chunk_words(row, 0);
    for (size_t at = words.first; at < words.last; at++) {
        uint32_t id = row->bags->id[at];
        const double *phi = ilk_discrete_row(&own, s, 0, id), *theta = ilk_discrete_row(&rest, s, 0, id);
        double count = s->unit * row->bags->count[at];
        ILK_TRY(to->fn(to->ctx, &(ilk_part){s->column[0], ilk_word_shown(s, id), count,
                                            count * (phi[a] - theta[a] - (phi[b] - theta[b]))}));
    }
    return ILK_OK;
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    ILK_TRY(ilk_discrete_describe(p, s, "one-vs-rest", false, to));
    return ilk_discrete_describe_rest(rest_of(p, s), s, "one-vs-rest", to);
}

static const double *log_phi(const double *p, const ilk_shape *s, uint32_t word) {
    ilk_discrete own = ilk_discrete_at(p, s);
    return ilk_discrete_row(&own, s, 0, word);
}

static const double *log_rest(const double *p, const ilk_shape *s, uint32_t word) {
    return log_phi(rest_of(p, s), s, word);
}

static bool validate(const double *p, const ilk_shape *s) {
    ilk_discrete own = ilk_discrete_at(p, s), rest = ilk_discrete_at(rest_of(p, s), s);
    return ilk_discrete_positive(p, s) && ilk_discrete_positive(rest_of(p, s), s) && *own.alpha > 0 && *rest.alpha > 0;
}

const ilk_family ilk_one_vs_rest = {
    .name = "one-vs-rest",
    .summary = "words of a text, weighed by how much more a class uses them than all others together",
    .kind = ILK_TEXT,
    .layout = ILK_LAYOUT_WORDS,
    .discriminative = true,
    .size = size,
    .scratch = scratch,
    .estimate = estimate,
    .score = score,
    .score_without = score_without,
    .explain = explain,
    .describe = describe,
    .log_phi = log_phi,
    .log_rest = log_rest,
    .validate = validate,
};
