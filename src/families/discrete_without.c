/* SPDX-License-Identifier: Apache-2.0 */
/* discrete_without.c - leave-one-out of discrete distributions: see discrete.h.   MATH sections 5 and 6
 *
 * A word that only this row has would not be in the dictionary without the row, unless the dictionary is fixed. So its
 * alpha leaves every class's total, and the word itself is scored as one never seen: not at all, or, where there is
 * room for such words, by alpha / total, which is what a word of count 0 has anyway.
 */
#include "families/discrete.h"
#include "core/memory.h"
#include "kernels/kernels.h"
#include "math/log_sum.h"

#include <math.h>
#include <string.h>

/* The count of which a probability was made, without alpha. Most counts are whole, so rounding is undone: adding 1.5
 * 2^52 leaves no place for a fraction. */
double ilk_discrete_count(double phi, double total, double alpha) {
    double count = phi * total - alpha, whole = count < 0x1p51 ? count + 0x1.8p52 - 0x1.8p52 : count;
    return fabs(count - whole) <= 1e-9 * phi * total ? whole : count > 0 ? count : 0;
}

/* The total is alpha times the number of values and the counts; what is left of those decides whether there is a class.
 * */
double ilk_discrete_without(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t code, uint32_t k,
                            double count, double gone) {
    double total = p->total[j * s->K + k], left = ilk_left(total, gone);
    if (code == ILK_UNSEEN)
        return p->unseen[j * s->K + k] == 0 ? 0 : log(*p->alpha / left);
    double seen = ilk_discrete_count(exp(p->log_phi[(size_t)code * s->K + k]), total, *p->alpha);
    return left > 0 ? log((ilk_left(seen, count) + *p->alpha) / left) : -INFINITY;
}

/* ---- words that a row alone has */

/* Prefetch the row of a word to come: it may lie anywhere in a large table. */
ILK_PREFETCHES prefetch_row(const ilk_discrete *p, const ilk_shape *s, const ilk_tokens *bags, size_t at, size_t last) {
    enum { AHEAD = 16, LINE = 8, MOST = 64 };
    if (at + AHEAD >= last || bags->id[at + AHEAD] == ILK_UNSEEN)
        return;
    const double *row = p->log_phi + bags->id[at + AHEAD] * s->K;
    for (size_t k = 0; k < s->K && k < MOST; k += LINE)
        __builtin_prefetch(row + k);
}

static bool makes_room(const ilk_discrete *p) {
    return p->unseen[0] != 0;
}

void ilk_discrete_bare(double *bare, const ilk_discrete *p, const ilk_shape *s) {
    for (size_t k = 0; k < s->K; k++)
        bare[k] = ilk_bare(log(*p->alpha / p->total[k]));
}

/* Is the word in no class but the row's own, and there in no other row? */
static bool is_alone(const ilk_discrete *p, const ilk_shape *s, const double *bare, uint32_t own, uint32_t word,
                     double count) {
    const double *row = p->log_phi + (size_t)word * s->K;
    for (size_t k = 0; k < s->K; k++)
        if (k != own && row[k] > bare[k])
            return false;
    return ilk_count_shows(count, *p->alpha) &&
           ilk_left(ilk_discrete_count(exp(row[own]), p->total[own], *p->alpha), count) == 0;
}

/* ---- shares of words in a class */

/* Words that the model knows, some at a time. */
typedef struct handful {
    double phi[64]; /* of the row's own class */
    double count[64];
    size_t n;
} handful;

/* What is left of a word's count and alpha, of 1. Where little is, the difference has lost its digits, and the count is
 * asked. Of a word that a row of weight 0 alone has there was nothing. */
static inline double share_left(double phi, double total, double alpha, double gone) {
    double share = 1 - gone / (phi * total);
    if (share > 0x1p-6)
        return share;
    double seen = ilk_discrete_count(phi, total, alpha), left = ilk_left(seen, gone) + alpha;
    return left > 0 ? left / (seen + alpha) : 0;
}

/* The logarithms of what is left of the words, when row i had never been learnt. */
static void add_left(ilk_log_sum *logs, handful *h, double total, double alpha, double weight) {
    ilk_kernels_use()->exps(h->phi, h->n);
    for (size_t i = 0; i < h->n; i++)
        ilk_log_sum_add(logs, share_left(h->phi[i], total, alpha, weight * h->count[i]), h->count[i]);
    h->n = 0;
}

/* Dropping `alone` words from the vocabulary takes alpha × alone from every other class's total, so each of the row's
 * `tokens`, those that are scored, becomes that much likelier there. */
static void raise_others(double *out, const ilk_discrete *p, const ilk_shape *s, uint32_t own, double alone,
                         double tokens) {
    for (size_t k = 0; alone > 0 && tokens > 0 && k < s->K; k++)
        if (k != own)
            out[k] += s->unit * tokens * log(p->total[k] / ilk_left(p->total[k], *p->alpha * alone));
}

/* Of the row's own class every word has lost of its count, and all of them the same total. */
void ilk_discrete_own_without(double *out, const ilk_discrete *p, const ilk_shape *s, const double *bare,
                              const ilk_chunk *rows, size_t i) {
    const ilk_tokens *bags = rows->bags;
    ilk_span words = ilk_chunk_words(rows, i), part = {words.first, words.first};
    uint32_t own = rows->label[i];
    const double *log_phi = p->log_phi + own, total = p->total[own], alpha = *p->alpha;
    double w = ilk_chunk_weight(rows, i), length = ilk_chunk_length(rows, words), gone = w * length, alone = 0;
    double unseen = 0;
    bool room = makes_room(p);
    ilk_log_sum logs = {0, 1};
    ILK_UNCLEARED handful some;
    some.n = 0;
    for (; part.last < words.last; part.last++) {
        uint32_t word = bags->id[part.last];
        double count = bags->count[part.last];
        prefetch_row(p, s, bags, part.last, words.last);
        bool is_gone = word != ILK_UNSEEN && !s->fixed && is_alone(p, s, bare, own, word, w * count);
        alone += is_gone;
        if (word == ILK_UNSEEN) {
            unseen += room ? count : 0;
        } else if (is_gone && !room) {
            ilk_discrete_score_words(out, p, s, bags, part, 1);
            part.first = part.last + 1;
            length -= count;
        } else {
            some.phi[some.n] = log_phi[word * s->K];
            some.count[some.n++] = count;
            if (some.n == sizeof some.phi / sizeof *some.phi)
                add_left(&logs, &some, total, alpha, w);
        }
    }
    ilk_discrete_score_words(out, p, s, bags, part, 1);
    add_left(&logs, &some, total, alpha, w);
    raise_others(out, p, s, own, alone, length + unseen);
    double left = ilk_left(total, gone + alpha * alone);
    out[own] =
        left > 0 ? out[own] + s->unit * (ilk_log_sum_get(&logs) + (length + unseen) * log(total / left)) : -INFINITY;
}

/* ---- shares of words outside of a class */

void ilk_discrete_scratch_rest(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    *per_row = 0;
    *fixed = 3 * s->K;
}

/* What all classes but the row's own have lost from outside of them, when row i had never been learnt. */
typedef struct loss {
    const ilk_shape *s;
    double alpha, log_alpha, weight;
    double bare; /* at most this is outside of the row's class of a word that no other has; -inf: none may be alone */
    uint32_t own;
    bool room;                    /* for words never seen */
    double *log_total, *log_left; /* of all words outside, with the row and without; inf where none is left */
} loss;

/* Nothing of the word is outside of the row's class, and outside of another no more than the row has. */
static bool is_alone_outside(const loss *l, const double *row, double count) {
    uint32_t other = l->own == 0;
    if (row[l->own] > l->bare || !ilk_count_shows(l->weight * count, l->alpha))
        return false;
    double all = ilk_discrete_count(exp(row[other] + l->log_total[other]), 1, l->alpha);
    return ilk_left(all, l->weight * count) == 0;
}

static double words_alone(const loss *l, const ilk_discrete *p, const ilk_tokens *bags, ilk_span words) {
    double alone = 0;
    for (size_t at = words.first; !l->s->fixed && at < words.last; at++)
        alone +=
            bags->id[at] != ILK_UNSEEN && is_alone_outside(l, p->log_phi + bags->id[at] * l->s->K, bags->count[at]);
    return alone;
}

static loss loss_of(const ilk_discrete *p, const ilk_shape *s, const ilk_chunk *rows, size_t i) {
    ilk_span words = ilk_chunk_words(rows, i);
    loss l = {.s = s,
              .alpha = *p->alpha,
              .log_alpha = log(*p->alpha),
              .weight = ilk_chunk_weight(rows, i),
              .own = rows->label[i],
              .room = makes_room(p),
              .log_total = rows->scratch,
              .log_left = rows->scratch + s->K};
    for (size_t k = 0; k < s->K; k++)
        l.log_total[k] = log(p->total[k]);
    l.bare = s->fixed ? -INFINITY : ilk_bare(l.log_alpha - l.log_total[l.own]);
    double gone = l.weight * ilk_chunk_length(rows, words), alone = l.alpha * words_alone(&l, p, rows->bags, words);
    for (size_t k = 0; k < s->K; k++) {
        double left = ilk_left(p->total[k], k == l.own ? alone : gone + alone);
        l.log_left[k] = left > 0 ? log(left) : INFINITY;
    }
    return l;
}

/* log of what is outside of a class, and alpha, without the row's share of it. */
static double log_outside_without(const loss *l, double log_outside, double count) {
    return log(ilk_left(ilk_discrete_count(exp(log_outside), 1, l->alpha), l->weight * count) + l->alpha);
}

/* Where a class lacks a word all that there is of it is outside, which is the most, and the same for most classes: it
 * is worked out once. */
static void take_word(double *out, const loss *l, const double *row, double count) {
    const double near = 1e-12, times = l->s->unit * count;
    double most = -INFINITY, most_left = -INFINITY;
    for (uint32_t k = 0; k < l->s->K; k++) {
        double outside = row[k] + l->log_total[k];
        if (k == l->own) {
            out[k] -= times * (row[k] + (l->log_total[k] - l->log_left[k]));
            continue;
        }
        if (outside > most + near) {
            most = outside;
            most_left = log_outside_without(l, outside, count);
        }
        double left = outside < most - near ? log_outside_without(l, outside, count) : most_left;
        out[k] -= times * (left - l->log_left[k]);
    }
}

static void take_unseen(double *out, const loss *l, double count) {
    for (uint32_t k = 0; l->room && k < l->s->K; k++)
        out[k] -= l->s->unit * count * (l->log_alpha - l->log_left[k]);
}

void ilk_discrete_rest_without(double *out, const ilk_discrete *p, const ilk_shape *s, const ilk_chunk *rows,
                               size_t i) {
    const ilk_tokens *bags = rows->bags;
    ilk_span words = ilk_chunk_words(rows, i);
    loss l = loss_of(p, s, rows, i);
    double *sum = l.log_left + s->K;
    bool none = false;
    memset(sum, 0, s->K * sizeof *sum);
    for (size_t at = words.first; at < words.last; at++) {
        prefetch_row(p, s, bags, at, words.last);
        if (bags->id[at] == ILK_UNSEEN)
            take_unseen(sum, &l, bags->count[at]);
        else if (l.room || !is_alone_outside(&l, p->log_phi + bags->id[at] * s->K, bags->count[at]))
            take_word(sum, &l, p->log_phi + bags->id[at] * s->K, bags->count[at]);
    }
    for (size_t k = 0; k < s->K; k++)
        none = none || sum[k] == INFINITY; /* without smoothing: there would be no such model without the row */
    for (size_t k = 0; k < s->K; k++)
        out[k] = none ? -INFINITY : out[k] + sum[k];
}
