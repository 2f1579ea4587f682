/* SPDX-License-Identifier: Apache-2.0 */
/* complement.c - complement naive Bayes (Rennie, Shih, Teevan & Karger 2003): a text belongs where it fits the others
 * least.
 * MATH section 8
 *
 * theta_{v|k} = (tokens of v outside class k + alpha) / (all tokens outside k + alpha |V|)
 *     score of k = - sum over the text's words of count log theta_{v|k}
 * It is no log p(x|k): no density, no sample, and a model of nothing else takes no prior.
 * Parameters: see discrete.h, with one column, theta in the place of phi. Sums over all classes are not kept: a row
 * that leaves class c leaves the complements of all others.
 */
#include "families/discrete.h"

#include <math.h>
#include <string.h>

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    ilk_discrete t = ilk_discrete_at(p, s);
    const ilk_counts_view *c = &v->counts;
    double all = 0, V = (double)s->keys->n + (o->unseen == ILK_UNSEEN_UNKNOWN);
    *t.alpha = o->smooth / s->unit;
    memset(t.total, 0, s->K * sizeof *t.total);
    for (size_t i = 0; i < c->begin[s->keys->n]; i++) {
        t.total[c->cls[i]] += c->count[i];
        all += c->count[i];
    }
    for (size_t k = 0; k < s->K; k++) {
        t.total[k] = all - t.total[k] + *t.alpha * V;
        if (!(t.total[k] > 0))
            return ilk_fail(err, ILK_EDATA, "column %.*s has no word outside class %.*s", ILK_SHOW(s->column[0]),
                            ILK_SHOW(s->name[k]));
        t.unseen[k] = o->unseen == ILK_UNSEEN_UNKNOWN ? log(*t.alpha / t.total[k]) : 0;
    }
    for (uint32_t word = 0; word < s->keys->n; word++) {
        double *row = t.log_phi + (size_t)word * s->K, sum = 0;
        memset(row, 0, s->K * sizeof *row);
        for (size_t i = c->begin[word]; i < c->begin[word + 1]; i++) {
            row[c->cls[i]] = c->count[i];
            sum += c->count[i];
        }
        for (size_t k = 0; k < s->K; k++) {
            double outside = sum - row[k] + *t.alpha;
            if (!(outside > 0))
                return ilk_fail(err, ILK_EDATA, "the word %.*s is in class %.*s alone: complement needs smoothing",
                                ILK_SHOW(ilk_keys_key(s->keys, word)), ILK_SHOW(s->name[k]));
            row[k] = log(outside / t.total[k]);
        }
    }
    return ILK_OK;
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        ilk_discrete_score_words(log_joint + i * s->K, &t, s, rows->bags, ilk_chunk_words(rows, i), -1);
}

/* All classes but the row's own have lost it from their complements. */
static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    const ilk_tokens *bags = rows->bags;
    for (size_t i = 0; i < rows->n; i++) {
        ilk_span words = ilk_chunk_words(rows, i);
        double w = ilk_chunk_weight(rows, i), length = ilk_chunk_length(rows, words);
        for (size_t at = words.first; at < words.last; at++) {
            double count = bags->count[at];
            const double *row = ilk_discrete_row(&t, s, 0, bags->id[at]);
            for (uint32_t k = 0; k < s->K; k++)
                log_joint[i * s->K + k] -=
                    s->unit * count *
                    (k == rows->label[i] ? row[k]
                                         : ilk_discrete_without(&t, s, 0, bags->id[at], k, w * count, w * length));
        }
    }
}

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    return ilk_discrete_explain_words(p, s, row, b, a, to); /* its words speak against a class */
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    return ilk_discrete_describe(p, s, "complement", false, to);
}

const ilk_family ilk_complement = {
    .name = "complement",
    .summary = "words of a text, weighed by how little the other classes use them",
    .kind = ILK_TEXT,
    .layout = ILK_LAYOUT_WORDS,
    .discriminative = true,
    .size = ilk_discrete_size,
    .estimate = estimate,
    .score = score,
    .score_without = score_without,
    .explain = explain,
    .describe = describe,
    .validate = ilk_discrete_validate,
};
