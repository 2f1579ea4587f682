/* SPDX-License-Identifier: Apache-2.0 */
/* discrete.c - see discrete.h.   MATH section 5 */
#include "families/discrete.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

ilk_discrete ilk_discrete_at(const double *params, const ilk_shape *s) {
    double *p = ilk_writable(params);
    size_t V = s->keys->n;
    return (ilk_discrete){p, p + V * s->K, p + (V + s->d) * s->K, p + (V + 2 * s->d) * s->K};
}

size_t ilk_discrete_size(const ilk_shape *s) {
    return ((size_t)s->keys->n + 2 * s->d) * s->K + 1;
}

const double *ilk_discrete_row(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t code) {
    return code == ILK_UNSEEN ? p->unseen + j * s->K : p->log_phi + (size_t)code * s->K;
}

/* ---- score. Classes are gone through by eights, by fours, by twos: their sums stay in registers while the values of a
 * row go by, and compilers make vectors of them. Where they are few, several rows go by side by side, because a sum
 * waits for the one before it. Whatever the width, a class's sum is taken in the order of the values. */

/* Classes k … k + width - 1 of `high` rows. */
ILK_INLINE void add_rows(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const uint32_t *code, size_t k,
                         const size_t high, const size_t width) {
    const size_t K = s->K, d = s->d;
    const double *log_phi = p->log_phi + k, *unseen = p->unseen + k;
    double sum[8];
    for (size_t at = 0; at < high * width; at++)
        sum[at] = log_joint[at / width * K + k + at % width];
    for (size_t j = 0; j < d; j++) {
        for (size_t i = 0; i < high; i++) {
            uint32_t v = code[i * d + j];
            if (v == ILK_MISSING)
                continue;
            const double *row = v == ILK_UNSEEN ? unseen + j * K : log_phi + v * K;
            for (size_t c = 0; c < width; c++)
                sum[i * width + c] += row[c];
        }
    }
    for (size_t at = 0; at < high * width; at++)
        log_joint[at / width * K + k + at % width] = sum[at];
}

ILK_INLINE void add_codes(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const uint32_t *code, size_t n,
                          size_t k, const size_t width) {
    const size_t high = 8 / width;
    size_t i = 0;
    for (; i + high <= n; i += high)
        add_rows(log_joint + i * s->K, p, s, code + i * s->d, k, high, width);
    for (; i < n; i++)
        add_rows(log_joint + i * s->K, p, s, code + i * s->d, k, 1, width);
}

void ilk_discrete_score_codes(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const uint32_t *code,
                              size_t n) {
    size_t k = 0;
    for (; k + 8 <= s->K; k += 8)
        add_codes(log_joint, p, s, code, n, k, 8);
    for (; k + 4 <= s->K; k += 4)
        add_codes(log_joint, p, s, code, n, k, 4);
    for (; k + 2 <= s->K; k += 2)
        add_codes(log_joint, p, s, code, n, k, 2);
    if (k < s->K)
        add_codes(log_joint, p, s, code, n, k, 1);
}

ILK_INLINE void add_words(double *out, const ilk_discrete *p, size_t K, const ilk_tokens *bags, ilk_span words,
                          double each, size_t k, const size_t width) {
    const double *log_phi = p->log_phi + k, *unseen = p->unseen + k;
    const uint32_t *id = bags->id, *count = bags->count;
    double sum[8];
    for (size_t c = 0; c < width; c++)
        sum[c] = out[k + c];
    for (size_t at = words.first; at < words.last; at++) {
        const double *row = id[at] == ILK_UNSEEN ? unseen : log_phi + id[at] * K;
        double times = each * count[at];
        for (size_t c = 0; c < width; c++)
            sum[c] += times * row[c];
    }
    for (size_t c = 0; c < width; c++)
        out[k + c] = sum[c];
}

void ilk_discrete_score_words(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const ilk_tokens *bags,
                              ilk_span words, double sign) {
    double each = sign * s->unit;
    size_t k = 0;
    for (; k + 8 <= s->K; k += 8)
        add_words(log_joint, p, s->K, bags, words, each, k, 8);
    for (; k + 4 <= s->K; k += 4)
        add_words(log_joint, p, s->K, bags, words, each, k, 4);
    for (; k + 2 <= s->K; k += 2)
        add_words(log_joint, p, s->K, bags, words, each, k, 2);
    if (k < s->K)
        add_words(log_joint, p, s->K, bags, words, each, k, 1);
}

/* ---- estimate */

/* total[j] = sum of the counts of column j + alpha × its number of values. The bare sum goes to sum[j], if that is
 * there. */
static ilk_status add_up(const ilk_discrete *p, const ilk_shape *s, const ilk_counts_view *v, const ilk_options *o,
                         size_t j, double *sum, const char *what, ilk_error *err) {
    double *total = p->total + j * s->K;
    uint32_t first = s->keys->field_begin[j], last = s->keys->field_begin[j + 1];
    bool open = o->unseen == ILK_UNSEEN_UNKNOWN && !ilk_shape_is_binned(s, j);
    double values = (double)(last - first) + open;
    memset(total, 0, s->K * sizeof *total);
    for (size_t i = v->begin[first]; i < v->begin[last]; i++)
        total[v->cls[i]] += v->count[i];
    if (sum)
        memcpy(sum + j * s->K, total, s->K * sizeof *total);
    for (size_t k = 0; k < s->K; k++) {
        total[k] += *p->alpha * values;
        if (!(total[k] > 0))
            return ilk_fail(err, ILK_EDATA, "column %.*s has no %s in class %.*s: its probabilities are 0/0",
                            ILK_SHOW(s->column[j]), what, ILK_SHOW(s->name[k]));
        p->unseen[j * s->K + k] = open ? log(*p->alpha / total[k]) : 0;
    }
    return ILK_OK;
}

enum { KNOWN = 4096 }; /* logarithms kept: 32 KiB */

/* log phi of all keys of column j, with few calls of log. Most keys are in few classes; in the others they have
 * log(alpha / total), computed once per class and kept in the last key's row until that has its turn. Most counts are
 * small and whole; known[count × K + k] keeps the logarithms of these, 0 while they are not computed. */
static void take_logs(const ilk_discrete *p, const ilk_shape *s, const ilk_counts_view *v, double alpha, size_t j,
                      double known[KNOWN]) {
    const double *total = p->total + j * s->K;
    uint32_t first = s->keys->field_begin[j], last = s->keys->field_begin[j + 1];
    if (first == last)
        return;
    double *bare = p->log_phi + ((size_t)last - 1) * s->K;
    size_t few = KNOWN / s->K < last - first ? KNOWN / s->K : last - first;
    memset(known, 0, few * s->K * sizeof *known); /* 0: not yet */
    for (size_t k = 0; k < s->K; k++)
        bare[k] = log(alpha / total[k]);
    for (uint32_t key = first; key < last; key++) {
        double *row = p->log_phi + (size_t)key * s->K;
        if (row != bare && v->begin[key + 1] - v->begin[key] < s->K)
            memcpy(row, bare, s->K * sizeof *row);
        for (size_t i = v->begin[key]; i < v->begin[key + 1]; i++) {
            size_t k = v->cls[i];
            double count = v->count[i], fresh = 0;
            bool small = count < (double)few && count == (double)(size_t)count;
            double *at = small ? &known[(size_t)count * s->K + k] : &fresh;
            if (*at == 0)
                *at = log((alpha + count) / total[k]);
            row[k] = *at;
        }
    }
}

ilk_status ilk_discrete_estimate(double *params, const ilk_shape *s, const ilk_counts_view *v, const ilk_options *o,
                                 double *sum, const char *what, ilk_error *err) {
    ilk_discrete p = ilk_discrete_at(params, s);
    double known[KNOWN]; /* once: compilers may be told to clear it */
    *p.alpha = o->smooth / s->unit;
    for (size_t j = 0; j < s->d; j++) {
        ILK_TRY(add_up(&p, s, v, o, j, sum, what, err));
        take_logs(&p, s, v, *p.alpha, j, known);
    }
    return ILK_OK;
}

static ilk_status fail_alone(const ilk_shape *s, uint32_t word, size_t k, ilk_error *err) {
    return ilk_fail(err, ILK_EDATA, "the word %.*s is in class %.*s alone: complement needs smoothing",
                    ILK_SHOW(ilk_keys_key(s->keys, word)), ILK_SHOW(s->name[k]));
}

/* In the same way: where a class lacks a word, all that there is of it is outside, and its logarithm is taken once for
 * these classes. Those of the totals stand in the last word's row; there is one, or there would be no block. */
static ilk_status take_logs_of_rest(const ilk_discrete *t, const ilk_shape *s, const ilk_counts_view *c,
                                    ilk_error *err) {
    double alpha = *t->alpha, *log_total = t->log_phi + ((size_t)s->keys->n - 1) * s->K;
    for (size_t k = 0; k < s->K; k++)
        log_total[k] = log(t->total[k]);
    for (uint32_t word = 0; word < s->keys->n; word++) {
        double *row = t->log_phi + (size_t)word * s->K, sum = 0;
        for (size_t i = c->begin[word]; i < c->begin[word + 1]; i++)
            sum += c->count[i];
        if (!(sum + alpha > 0))
            return fail_alone(s, word, 0, err);
        double log_sum = log(sum + alpha);
        for (size_t k = 0; k < s->K; k++)
            row[k] = log_sum - log_total[k];
        for (size_t i = c->begin[word]; i < c->begin[word + 1]; i++) {
            double outside = sum - c->count[i] + alpha;
            if (!(outside > 0))
                return fail_alone(s, word, c->cls[i], err);
            row[c->cls[i]] = log(outside / t->total[c->cls[i]]);
        }
    }
    return ILK_OK;
}

ilk_status ilk_discrete_estimate_rest(double *params, const ilk_shape *s, const ilk_counts_view *c,
                                      const ilk_options *o, ilk_error *err) {
    ilk_discrete t = ilk_discrete_at(params, s);
    double all = 0, V = (double)s->keys->n + (o->unseen == ILK_UNSEEN_UNKNOWN);
    *t.alpha = o->smooth / s->unit;
    if (o->unseen == ILK_UNSEEN_UNKNOWN && !(*t.alpha > 0))
        return ilk_fail(err, ILK_EDATA,
                        "column %.*s: words never seen are outside no class: complement needs smoothing",
                        ILK_SHOW(s->column[0]));
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
    return take_logs_of_rest(&t, s, c, err);
}

/* ---- describe */

/* Is there room for a value that the model does not know? It has log(alpha / total), below 0 but for a column that has
 * no other value; and without room such a column is 0/0, and there is no model. */
static bool has_room(const ilk_discrete *p, const ilk_shape *s, size_t j, size_t k) {
    return p->unseen[j * s->K + k] < 0 || s->keys->field_begin[j] == s->keys->field_begin[j + 1];
}

static ilk_status describe_phi(const ilk_discrete *p, const ilk_shape *s, const char *family, const char *phi,
                               const ilk_facts *to) {
    for (size_t j = 0; j < s->d; j++) {
        for (uint32_t key = s->keys->field_begin[j]; key < s->keys->field_begin[j + 1]; key++) {
            for (size_t k = 0; k < s->K; k++) {
                double share = exp(p->log_phi[(size_t)key * s->K + k]), total = p->total[j * s->K + k];
                double count = ilk_discrete_count(share, total, *p->alpha) + *p->alpha;
                ILK_TRY(to->fn(to->ctx, &(ilk_fact){phi, family, s->column[j], ilk_keys_key(s->keys, key), (uint32_t)k,
                                                    share, count * s->unit, total * s->unit}));
            }
        }
    }
    return ILK_OK;
}

/* Of class k against class 0. A value that neither class can have has a ratio of 0/0: NaN. */
static ilk_status describe_theta(const ilk_discrete *p, const ilk_shape *s, const char *family, size_t k,
                                 const ilk_facts *to) {
    ILK_TRY(ilk_describe_intercept(to, family, k, ilk_facts_prior(to, k)));
    for (size_t j = 0; j < s->d; j++) {
        const double *unseen = ilk_discrete_row(p, s, j, ILK_UNSEEN);
        for (uint32_t key = s->keys->field_begin[j]; key < s->keys->field_begin[j + 1]; key++) {
            const double *row = ilk_discrete_row(p, s, j, key);
            ILK_TRY(ilk_describe_theta(to, family, s->column[j], ilk_keys_key(s->keys, key), k, row[k] - row[0]));
        }
        if (has_room(p, s, j, k))
            ILK_TRY(
                ilk_describe_theta(to, family, s->column[j], ilk_word_shown(s, ILK_UNSEEN), k, unseen[k] - unseen[0]));
    }
    return ILK_OK;
}

/* The probability of all values that the model does not know, where there is room for them. */
static ilk_status describe_unseen(const ilk_discrete *p, const ilk_shape *s, const char *family, const char *unseen,
                                  const ilk_facts *to) {
    for (size_t j = 0; j < s->d; j++)
        for (uint32_t k = 0; k < s->K && has_room(p, s, j, k); k++) {
            ilk_fact fact = {.quantity = unseen, .family = family, .column = s->column[j], .key = {"", 0}, .k = k};
            fact.value = exp(p->unseen[j * s->K + k]);
            fact.count = *p->alpha * s->unit;
            fact.total = p->total[j * s->K + k] * s->unit;
            ILK_TRY(to->fn(to->ctx, &fact));
        }
    return ILK_OK;
}

ilk_status ilk_discrete_describe(const double *params, const ilk_shape *s, const char *family, bool linear,
                                 const ilk_facts *to) {
    ilk_discrete p = ilk_discrete_at(params, s);
    double values = (double)(s->keys->field_begin[s->d] - s->keys->field_begin[0]);
    ILK_TRY(describe_phi(&p, s, family, "phi", to));
    ILK_TRY(describe_unseen(&p, s, family, "unseen", to));
    for (size_t k = 1; linear && k < s->K; k++)
        ILK_TRY(describe_theta(&p, s, family, k, to));
    return ilk_describe_size(to, family, values, values * (double)s->K);
}

ilk_status ilk_discrete_describe_rest(const double *params, const ilk_shape *s, const char *family,
                                      const ilk_facts *to) {
    ilk_discrete p = ilk_discrete_at(params, s);
    ILK_TRY(describe_phi(&p, s, family, "rest", to));
    return describe_unseen(&p, s, family, "unseen-rest", to);
}

double ilk_discrete_room(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t k) {
    return has_room(p, s, j, k) ? exp(p->unseen[j * s->K + k]) : 0;
}

uint32_t ilk_discrete_sample(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t k, ilk_rng *rng) {
    uint32_t first = s->keys->field_begin[j], n = s->keys->field_begin[j + 1] - first;
    double room = ilk_discrete_room(p, s, j, k);
    if (room > 0 && ilk_rng_uniform(rng) < room)
        return ILK_UNSEEN;
    size_t v = ilk_rng_pick(rng, p->log_phi + (size_t)first * s->K + k, n, s->K, 1 - room);
    return v < n ? first + (uint32_t)v : ILK_MISSING;
}

bool ilk_discrete_validate(const double *params, const ilk_shape *s) {
    ilk_discrete p = ilk_discrete_at(params, s);
    size_t logs = ((size_t)s->keys->n + s->d) * s->K;
    for (size_t i = 0; i < logs; i++)
        if (!(p.log_phi[i] <= 1e-9)) /* -inf is a probability of zero; NaN fails */
            return false;
    for (size_t i = 0; i < s->d * s->K; i++)
        if (!isfinite(p.total[i]) || p.total[i] <= 0)
            return false;
    return isfinite(*p.alpha) && *p.alpha >= 0;
}

/* No quotient of two positive doubles has a logarithm below -1500. */
bool ilk_discrete_positive(const double *params, const ilk_shape *s) {
    size_t logs = ((size_t)s->keys->n + s->d) * s->K;
    bool positive = ilk_discrete_validate(params, s);
    for (size_t i = 0; i < logs; i++)
        positive = positive && params[i] >= -1500;
    return positive;
}

ilk_status ilk_discrete_explain_words(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                                      const ilk_parts *to) {
    ilk_discrete t = ilk_discrete_at(p, s);
    ilk_span words = ilk_chunk_words(row, 0);
    for (size_t at = words.first; at < words.last; at++) {
        uint32_t id = row->bags->id[at];
        const double *log_phi = ilk_discrete_row(&t, s, 0, id);
        ilk_str word = ilk_word_shown(s, id);
        double count = s->unit * row->bags->count[at];
        ILK_TRY(to->fn(to->ctx, &(ilk_part){s->column[0], word, count, count * (log_phi[a] - log_phi[b])}));
    }
    return ILK_OK;
}
