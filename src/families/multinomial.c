/* SPDX-License-Identifier: Apache-2.0 */
/* multinomial.c - the multinomial event model: every word of a document is drawn from the class's dictionary.   MATH 6
 *
 * phi_{v|k} = (tokens of v in class k + alpha) / (all tokens in class k + alpha |V|), over the vocabulary chosen.
 * Parameters: see discrete.h, with one column. A document's words count as often as they occur; the multinomial
 * coefficient, the same for all classes, is left out, as in the course.
 */
#include "families/discrete.h"

#include <math.h>

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    return ilk_discrete_estimate(p, s, &v->counts, o, "word", err);
}

static void score_row(double *out, const ilk_discrete *t, const ilk_shape *s, const ilk_tokens *bags, ilk_span words) {
    for (size_t at = words.first; at < words.last; at++) {
        const double *row = ilk_discrete_row(t, s, 0, bags->id[at]);
        double count = bags->count[at];
        for (size_t k = 0; k < s->K; k++)
            out[k] += count * row[k];
    }
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        score_row(log_joint + i * s->K, &t, s, rows->bags, ilk_chunk_words(rows, i));
}

/* Only the row's own class has lost anything. */
static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t i = 0; i < rows->n; i++) {
        ilk_span words = ilk_chunk_words(rows, i);
        uint32_t own = rows->label[i];
        double *out = log_joint + i * s->K, sum = out[own];
        double w = ilk_chunk_weight(rows, i), length = w * ilk_chunk_length(rows, words);
        score_row(out, &t, s, rows->bags, words);
        for (size_t at = words.first; at < words.last; at++) {
            double count = rows->bags->count[at];
            sum += count * ilk_discrete_without(&t, s, 0, rows->bags->id[at], own, w * count, length);
        }
        out[own] = sum;
    }
}

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    ilk_discrete t = ilk_discrete_at(p, s);
    ilk_span words = ilk_chunk_words(row, 0);
    for (size_t at = words.first; at < words.last; at++) {
        uint32_t id = row->bags->id[at];
        const double *log_phi = ilk_discrete_row(&t, s, 0, id);
        ilk_str word = ilk_word_shown(s, id);
        double count = row->bags->count[at];
        ILK_TRY(to->fn(to->ctx, &(ilk_part){s->column[0], word, count, count * (log_phi[a] - log_phi[b])}));
    }
    return ILK_OK;
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    return ilk_discrete_describe(p, s, "multinomial", to);
}

static const double *log_phi(const double *p, const ilk_shape *s, uint32_t word) {
    ilk_discrete t = ilk_discrete_at(p, s);
    return ilk_discrete_row(&t, s, 0, word);
}

const ilk_family ilk_multinomial = {
    .name = "multinomial", .summary = "words of a text, counted as often as they occur", .kind = ILK_TEXT,
    .layout = ILK_LAYOUT_WORDS, .size = ilk_discrete_size, .estimate = estimate, .score = score,
    .score_without = score_without, .explain = explain, .describe = describe, .log_phi = log_phi, .validate = ilk_discrete_validate,
};
