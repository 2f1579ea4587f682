/* SPDX-License-Identifier: Apache-2.0 */
/* multinomial.c - the multinomial event model: every word of a document is drawn from the class's dictionary.   MATH
 * section 6
 *
 * phi_{v|k} = (tokens of v in class k + alpha) / (all tokens in class k + alpha |V|), over the vocabulary chosen.
 * Parameters: see discrete.h, with one column; then length[K], the class's tokens of the vocabulary per document.
 * A document's words count as often as they occur; the multinomial coefficient, the same for all classes, is left out,
 * as in the course. So is the probability of the length, which serves for drawing only.
 */
#include "families/discrete.h"

#include <math.h>
#include <string.h>

static double *length_at(const double *p, const ilk_shape *s) {
    return ilk_writable(p) + ilk_discrete_size(s);
}

static size_t size(const ilk_shape *s) {
    return ilk_discrete_size(s) + s->K;
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    const ilk_counts_view *c = &v->counts;
    double *length = length_at(p, s);
    ILK_TRY(ilk_discrete_estimate(p, s, c, o, length, "word", err));
    for (size_t k = 0; k < s->K; k++)
        length[k] = c->present[k] > 0 ? s->unit * length[k] / c->present[k] : 0;
    return ILK_OK;
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        ilk_discrete_score_words(log_joint + i * s->K, &t, s, rows->bags, ilk_chunk_words(rows, i), 1);
}

static void scratch(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    *per_row = 0;
    *fixed = s->K;
}

static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    ilk_discrete_bare(rows->scratch, &t, s);
    for (size_t i = 0; i < rows->n; i++)
        ilk_discrete_own_without(log_joint + i * s->K, &t, s, rows->scratch, rows, i);
}

/* Put `count` of a word into the bag. */
static void put(ilk_draw *out, uint32_t id, double count) {
    out->id[out->words] = id;
    out->count[out->words++] = (uint32_t)fmin(count, UINT32_MAX);
}

/* A document whose length is Poisson, at least 1. Its words are the arrivals of a Poisson process that runs over the
 * dictionary laid end to end, each word as long as it is expected to occur: the gaps are exponential, and what else
 * arrives within a word is Poisson again. One sweep, however long the document. */
static void sample(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    ilk_discrete t = ilk_discrete_at(p, s);
    double length = length_at(p, s)[k], room = ilk_discrete_room(&t, s, 0, k), end = 0, next = ilk_rng_exponential(rng);
    out->words = 0;
    for (uint32_t v = 0; v < s->keys->n; v++) {
        end += length * exp(t.log_phi[(size_t)v * s->K + k]);
        if (next < end) {
            put(out, v, 1 + ilk_rng_poisson(rng, end - next));
            next = end + ilk_rng_exponential(rng);
        }
    }
    if (next < end + length * room)
        put(out, ILK_UNSEEN, 1 + ilk_rng_poisson(rng, end + length * room - next));
    uint32_t only = out->words ? ILK_MISSING : ilk_discrete_sample(&t, s, 0, k, rng);
    if (only != ILK_MISSING)
        put(out, only, 1);
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    for (size_t k = 0; k < s->K; k++)
        ILK_TRY(to->fn(
            to->ctx,
            &(ilk_fact){"length", "multinomial", s->column[0], {"", 0}, (uint32_t)k, length_at(p, s)[k], NAN, NAN}));
    return ilk_discrete_describe(p, s, "multinomial", true, to);
}

static bool validate(const double *p, const ilk_shape *s) {
    for (size_t k = 0; k < s->K; k++)
        if (!isfinite(length_at(p, s)[k]) || length_at(p, s)[k] < 0)
            return false;
    return ilk_discrete_validate(p, s);
}

static const double *log_phi(const double *p, const ilk_shape *s, uint32_t word) {
    ilk_discrete t = ilk_discrete_at(p, s);
    return ilk_discrete_row(&t, s, 0, word);
}

const ilk_family ilk_multinomial = {
    .name = "multinomial",
    .summary = "words of a text, counted as often as they occur",
    .kind = ILK_TEXT,
    .layout = ILK_LAYOUT_WORDS,
    .size = size,
    .scratch = scratch,
    .estimate = estimate,
    .score = score,
    .score_without = score_without,
    .sample = sample,
    .explain = ilk_discrete_explain_words,
    .describe = describe,
    .log_phi = log_phi,
    .validate = validate,
};
