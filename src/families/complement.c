/* SPDX-License-Identifier: Apache-2.0 */
/* complement.c - complement naive Bayes (Rennie, Shih, Teevan & Karger 2003): a text belongs where it fits the others
 * least.
 * MATH section 8
 *
 * theta_{v|k} = (tokens of v outside class k + alpha) / (all tokens outside k + alpha |V|)
 *     score of k = - sum over the text's words of count log theta_{v|k}
 * It is no log p(x|k): no density, no sample, and a model of nothing else takes no prior.
 * Parameters: see discrete.h, with one column, theta in the place of phi, and none of them 0: a word that is nowhere
 * outside of a class would speak for it beyond all bounds. Sums over all classes are not kept: a row that leaves class
 * c leaves the complements of all others.
 */
#include "families/discrete.h"

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    return ilk_discrete_estimate_rest(p, s, &v->counts, o, err);
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        ilk_discrete_score_words(log_joint + i * s->K, &t, s, rows->bags, ilk_chunk_words(rows, i), -1);
}

static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        ilk_discrete_rest_without(log_joint + i * s->K, &t, s, rows, i);
}

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    return ilk_discrete_explain_words(p, s, row, b, a, to); /* its words speak against a class */
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    return ilk_discrete_describe(p, s, "complement", false, to);
}

static const double *log_rest(const double *p, const ilk_shape *s, uint32_t word) {
    ilk_discrete t = ilk_discrete_at(p, s);
    return ilk_discrete_row(&t, s, 0, word);
}

const ilk_family ilk_complement = {
    .name = "complement",
    .summary = "words of a text, weighed by how little the other classes use them",
    .kind = ILK_TEXT,
    .layout = ILK_LAYOUT_WORDS,
    .discriminative = true,
    .size = ilk_discrete_size,
    .scratch = ilk_discrete_scratch_rest,
    .estimate = estimate,
    .score = score,
    .score_without = score_without,
    .explain = explain,
    .describe = describe,
    .log_rest = log_rest,
    .validate = ilk_discrete_positive,
};
