/* SPDX-License-Identifier: Apache-2.0 */
/* bernoulli.c - the multi-variate Bernoulli event model: every word of the dictionary is in a document or is not.
 * MATH section 7
 *
 *     phi_{v|k} = (documents of class k with v + alpha) / (documents of class k + 2 alpha)
 *     log p(x|k) = sum over all words of log(1 - phi) + sum over the document's words of log phi - log(1 - phi)
 *
 * Parameters: log_phi[V][K] | log_not[V][K] = log(1 - phi)
 *             | base[K] | certain[K] | unseen[K] | n[K] | absent[K] | excluded[K] | alpha | unknown
 *
 * base is the first sum, so that a document costs its own words only. A word with phi = 1 (possible for alpha = 0) is
 * kept out of base and counted in `certain`: a document without all of these is impossible. `unknown` is 1 where there
 * is room for one more word, which stands for all outside the dictionary, and `unseen` is what it adds when it is
 * there; else both are 0. How often a word occurs does not matter. `absent` and `excluded` serve leave-one-out: see
 * there.
 */
#include "families/family.h"

#include <math.h>
#include <string.h>

typedef struct layout {
    double *log_phi, *log_not, *base, *certain, *unseen, *n, *absent, *excluded, *alpha, *unknown;
} layout;

static layout at(const double *p, const ilk_shape *s) {
    double *q = ilk_writable(p);
    size_t VK = (size_t)s->keys->n * s->K, K = s->K;
    q += 2 * VK;
    return (layout){q - 2 * VK, q - VK, q, q + K, q + 2 * K, q + 3 * K, q + 4 * K, q + 5 * K, q + 6 * K, q + 6 * K + 1};
}

static size_t size(const ilk_shape *s) {
    return 2 * (size_t)s->keys->n * s->K + 6 * s->K + 2;
}

/* ---- estimate */

/* What a word outside the dictionary multiplies the probability by, where there is room for it. */
static double strangeness(const layout *l, double n) {
    return *l->unknown != 0 ? *l->alpha / (n + *l->alpha) : 1;
}

/* What the room for a word outside the dictionary adds when no such word is there, of a class of n documents. */
static double room_left(const layout *l, double n) {
    return *l->unknown != 0 ? log((n + *l->alpha) / (n + 2 * *l->alpha)) : 0;
}

/* The numerator of a word that a document left out does not have, 0 where only rounding is left of it. */
static double absent_without(const layout *l, double docs, size_t k, double w) {
    double numerator = l->n[k] - docs + *l->alpha - w;
    return numerator > 1e-9 * w ? numerator : 0;
}

/* Documents that do not have a word. Sums of weights that are not whole are rounded, and after rows were taken away may
 * even cross. */
static double absent_of(double n, double docs) {
    return n == floor(n) && docs == floor(docs) ? n - docs : ilk_left(n, docs);
}

static ilk_status fail_twice(const ilk_shape *s, uint32_t word, size_t k, ilk_error *err) {
    return ilk_fail(err, ILK_EDATA, "column %.*s: '%.*s' is in more texts of class %.*s than there are: twice in a bag",
                    ILK_SHOW(s->column[0]), ILK_SHOW(ilk_keys_key(s->keys, word)), ILK_SHOW(s->name[k]));
}

static ilk_status estimate_word(const layout *l, const ilk_shape *s, const ilk_counts_view *v, uint32_t word,
                                ilk_error *err) {
    double *with = l->log_phi + (size_t)word * s->K, *without = l->log_not + (size_t)word * s->K;
    memset(with, 0, s->K * sizeof *with);
    for (size_t i = v->begin[word]; i < v->begin[word + 1]; i++)
        with[v->cls[i]] = v->docs[i];
    for (size_t k = 0; k < s->K; k++) {
        double n = l->n[k], a = *l->alpha, left = absent_of(n, with[k]), docs = left > 0 ? with[k] : n,
               absent = left + a;
        if (with[k] > n * (1 + 1e-9))
            return fail_twice(s, word, k, err);
        with[k] = log((docs + a) / (n + 2 * a));
        without[k] = log(absent / (n + 2 * a));
        if (absent > 0)
            l->base[k] += without[k];
        else
            l->certain[k]++;
        double one_less = absent_without(l, docs, k, 1);
        if (one_less > 0)
            l->absent[k] += log(one_less);
        else
            l->excluded[k]++;
    }
    return ILK_OK;
}

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    layout l = at(p, s);
    *l.alpha = o->smooth;
    *l.unknown = o->unseen == ILK_UNSEEN_UNKNOWN;
    for (size_t k = 0; k < s->K; k++) {
        double n = v->counts.present[k], a = o->smooth;
        if (!(n + a > 0))
            return ilk_fail(err, ILK_EDATA, "column %.*s has no text in class %.*s: its probabilities are 0/0",
                            ILK_SHOW(s->column[0]), ILK_SHOW(s->name[k]));
        l.n[k] = n;
        l.certain[k] = l.absent[k] = l.excluded[k] = 0;
        l.unseen[k] = log(strangeness(&l, n));
        l.base[k] = room_left(&l, n);
    }
    for (uint32_t word = 0; word < s->keys->n; word++)
        ILK_TRY(estimate_word(&l, s, &v->counts, word, err));
    return ILK_OK;
}

/* ---- score */

/* What word `id` adds for class k when it is there; *certain counts those that had to be. */
static double presence(const layout *l, const ilk_shape *s, uint32_t id, size_t k, double *certain) {
    if (id == ILK_UNSEEN)
        return l->unseen[k];
    double log_phi = l->log_phi[(size_t)id * s->K + k], log_not = l->log_not[(size_t)id * s->K + k];
    if (log_not > -INFINITY)
        return log_phi - log_not;
    ++*certain;
    return log_phi;
}

/* A missing text is skipped; scored, it would count as one that lacks every word. */
static bool is_missing(const ilk_chunk *rows, size_t i) {
    return ilk_text_missing(rows->bags, rows->first + i);
}

static double score_class(const layout *l, const ilk_shape *s, const ilk_tokens *bags, ilk_span words, size_t k) {
    double sum = l->base[k], certain = 0;
    for (size_t w = words.first; w < words.last; w++)
        sum += presence(l, s, bags->id[w], k, &certain);
    return certain == l->certain[k] ? sum : -INFINITY;
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < s->K && !is_missing(rows, i); k++)
            log_joint[i * s->K + k] += score_class(&l, s, rows->bags, ilk_chunk_words(rows, i), k);
}

/* ---- leave one out: n_k becomes n_k - w, and the count of each of the row's words loses w, so that phi is
 *     (docs - w + alpha) / (n - w + 2 alpha) of the words that are there, and
 *     (docs + alpha) / (n - w + 2 alpha) of those that are not: 1 - phi is (n - w - docs + alpha) / (n - w + 2 alpha).
 * For w = 1 the logarithms of the numerators of absent words are summed once and for all (`absent`); other weights go
 * through the dictionary. A word whose numerator is not above zero is `excluded` from the sum: all the class's
 * documents but for this row have it, so that the row must have it too, or is impossible. */

typedef struct absence {
    double sum, excluded;
} absence;

/* Documents with a word, from the probability that was made of them. */
static double docs_of(const layout *l, const ilk_shape *s, uint32_t word, size_t k) {
    double total = l->n[k] + 2 * *l->alpha, docs = exp(l->log_phi[(size_t)word * s->K + k]) * total - *l->alpha;
    double whole = round(docs);
    return fabs(docs - whole) < fmin(1e-6, 1e-9 * total) ? whole : docs; /* weights may all be tiny */
}

static absence all_absent(const layout *l, const ilk_shape *s, size_t k, double w) {
    absence a = {l->absent[k], l->excluded[k]};
    if (w == 1)
        return a;
    a = (absence){0, 0};
    for (uint32_t word = 0; word < s->keys->n; word++) {
        double numerator = absent_without(l, docs_of(l, s, word, k), k, w);
        a.sum += numerator > 0 ? log(numerator) : 0;
        a.excluded += numerator == 0;
    }
    return a;
}

/* What a chunk of rows has in scratch: log phi of a word that a class lacks, and a row's sums. */
typedef struct workings {
    double *bare, *sum, *certain; /* K each */
} workings;

static void scratch(size_t *per_row, size_t *fixed, const ilk_shape *s) {
    *per_row = 0;
    *fixed = 3 * s->K;
}

static workings begin_work(const layout *l, const ilk_shape *s, double *scratch) {
    workings x = {scratch, scratch + s->K, scratch + 2 * s->K};
    for (size_t k = 0; k < s->K; k++)
        x.bare[k] = ilk_bare(log(*l->alpha / (l->n[k] + 2 * *l->alpha)));
    return x;
}

/* Has no row but this one the word? Then it would not be in the dictionary, unless that is fixed, but be one of the
 * words never seen. */
static bool is_alone(const layout *l, const ilk_shape *s, const workings *x, uint32_t id, uint32_t own, double w) {
    if (id == ILK_UNSEEN || s->fixed)
        return false;
    const double *log_phi = l->log_phi + (size_t)id * s->K;
    for (size_t k = 0; k < s->K; k++)
        if (k != own && log_phi[k] > x->bare[k])
            return false;
    return ilk_count_shows(w, *l->alpha) && ilk_left(docs_of(l, s, id, own), w) == 0;
}

static bool has_strangers(const ilk_tokens *bags, ilk_span words) {
    for (size_t i = words.first; i < words.last; i++)
        if (bags->id[i] == ILK_UNSEEN)
            return true;
    return false;
}

/* What a word of the row is without it. */
typedef struct fate {
    uint32_t id;
    bool alone;    /* out of the dictionary */
    bool stranger; /* and the first such: more of them are as one, and the row may have had some before */
} fate;

/* The row's own class: the numerators of its words, in the place of those of words that are not there. */
static void take_own(absence *a, double *V, const layout *l, const ilk_shape *s, fate f, uint32_t own, double w) {
    if (f.id == ILK_UNSEEN || f.stranger)
        a->sum += log(strangeness(l, ilk_left(l->n[own], w)));
    if (f.id == ILK_UNSEEN)
        return;
    double docs = docs_of(l, s, f.id, own), numerator = absent_without(l, docs, own, w);
    *V -= f.alone;
    a->sum += (f.alone ? 0 : log(ilk_left(docs, w) + *l->alpha)) - (numerator > 0 ? log(numerator) : 0);
    a->excluded -= numerator == 0;
}

/* The other classes lose the words that the row alone has, and nothing else. */
static void take_others(const workings *x, const layout *l, const ilk_shape *s, fate f) {
    for (size_t k = 0; k < s->K; k++)
        x->sum[k] += f.alone ? (f.stranger ? l->unseen[k] : 0) - l->log_not[(size_t)f.id * s->K + k]
                             : presence(l, s, f.id, k, &x->certain[k]);
}

static void add_row(double *out, const workings *x, const layout *l, const ilk_shape *s, const ilk_tokens *bags,
                    ilk_span words, uint32_t own, double w) {
    double left = ilk_left(l->n[own], w), V = s->keys->n, before = out[own];
    bool strangers = has_strangers(bags, words);
    absence a = all_absent(l, s, own, w);
    memcpy(x->sum, l->base, s->K * sizeof *x->sum);
    memset(x->certain, 0, s->K * sizeof *x->certain);
    for (size_t i = words.first; i < words.last; i++) {
        fate f = {.id = bags->id[i], .alone = is_alone(l, s, x, bags->id[i], own, w)};
        f.stranger = f.alone && !strangers;
        strangers |= f.alone;
        take_own(&a, &V, l, s, f, own, w);
        take_others(x, l, s, f);
    }
    for (size_t k = 0; k < s->K; k++)
        out[k] += x->certain[k] == l->certain[k] ? x->sum[k] : -INFINITY;
    a.sum += room_left(l, left) - V * log(left + 2 * *l->alpha);
    out[own] = left + *l->alpha > 0 && a.excluded == 0 ? before + a.sum : -INFINITY; /* or nothing is left of it */
}

static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    layout l = at(p, s);
    workings x = begin_work(&l, s, rows->scratch);
    for (size_t i = 0; i < rows->n; i++)
        if (!is_missing(rows, i))
            add_row(log_joint + i * s->K, &x, &l, s, rows->bags, ilk_chunk_words(rows, i), rows->label[i],
                    ilk_chunk_weight(rows, i));
}

/* ---- sample.   MATH section 11 */

/* Every word on its own; also the one word outside the dictionary that there may be room for. How often is not
 * modelled: 1. */
static void sample(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    layout l = at(p, s);
    double total = l.n[k] + 2 * *l.alpha;
    out->words = 0;
    for (uint32_t word = 0; word < s->keys->n; word++)
        if (ilk_rng_happens(rng, l.log_phi[(size_t)word * s->K + k]))
            out->id[out->words++] = word;
    if (*l.unknown != 0 && ilk_rng_uniform(rng) < *l.alpha / total)
        out->id[out->words++] = ILK_UNSEEN;
    for (size_t w = 0; w < out->words; w++)
        out->count[w] = 1;
}

/* ---- explain and describe */

/* What the words that are not there add for class k: all that is in base but for the words that are. Not by the
 * difference of scores: of two infinities there is none. */
static double absence_of(const layout *l, const ilk_shape *s, const ilk_tokens *bags, ilk_span words, size_t k) {
    double sum = l->base[k], certain = l->certain[k];
    for (size_t w = words.first; w < words.last; w++) {
        if (bags->id[w] == ILK_UNSEEN) /* it counts beside base */
            continue;
        double log_not = l->log_not[(size_t)bags->id[w] * s->K + k];
        sum -= log_not > -INFINITY ? log_not : 0;
        certain -= log_not == -INFINITY;
    }
    return certain == 0 ? sum : -INFINITY;
}

/* Where only one of the classes is impossible, the parts that say so are infinite with the same sign. */
static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    layout l = at(p, s);
    ilk_span words = ilk_chunk_words(row, 0);
    if (is_missing(row, 0))
        return ILK_OK;
    for (size_t w = words.first; w < words.last; w++) {
        uint32_t id = row->bags->id[w];
        size_t at_word = (size_t)id * s->K;
        double part = id == ILK_UNSEEN ? l.unseen[a] - l.unseen[b] : l.log_phi[at_word + a] - l.log_phi[at_word + b];
        ILK_TRY(to->fn(to->ctx, &(ilk_part){s->column[0], ilk_word_shown(s, id), 1, part}));
    }
    double rest = absence_of(&l, s, row->bags, words, a) - absence_of(&l, s, row->bags, words, b);
    return to->fn(to->ctx, &(ilk_part){s->column[0], {"(words not there)", 17}, NAN, rest});
}

static ilk_status describe_phi(const layout *l, const ilk_shape *s, const ilk_facts *to) {
    for (uint32_t word = 0; word < s->keys->n; word++) {
        for (size_t k = 0; k < s->K; k++) {
            double total = l->n[k] + 2 * *l->alpha;
            ILK_TRY(to->fn(to->ctx, &(ilk_fact){"phi", "bernoulli", s->column[0], ilk_keys_key(s->keys, word),
                                                (uint32_t)k, exp(l->log_phi[(size_t)word * s->K + k]),
                                                docs_of(l, s, word, k) + *l->alpha, total}));
        }
    }
    return ILK_OK;
}

/* log phi / (1 - phi) of a word in class k: what its presence adds. */
static double logit(const layout *l, const ilk_shape *s, uint32_t word, size_t k) {
    size_t i = (size_t)word * s->K + k;
    return word == ILK_UNSEEN ? l->unseen[k] : l->log_phi[i] - l->log_not[i];
}

/* The sum of log(1 - phi): what a document without any word has. */
static double log_empty(const layout *l, size_t k) {
    return l->certain[k] > 0 ? -INFINITY : l->base[k];
}

/* theta of class k against class 0: the log-odds are linear in the presence of the words. */
static ilk_status describe_theta(const layout *l, const ilk_shape *s, size_t k, const ilk_facts *to) {
    double intercept = ilk_facts_prior(to, k) + log_empty(l, k) - log_empty(l, 0);
    ILK_TRY(ilk_describe_intercept(to, "bernoulli", k, intercept));
    for (uint32_t word = 0; word < s->keys->n; word++)
        ILK_TRY(ilk_describe_theta(to, "bernoulli", s->column[0], ilk_keys_key(s->keys, word), k,
                                   logit(l, s, word, k) - logit(l, s, word, 0)));
    if (*l->unknown == 0)
        return ILK_OK;
    return ilk_describe_theta(to, "bernoulli", s->column[0], ilk_word_shown(s, ILK_UNSEEN), k,
                              logit(l, s, ILK_UNSEEN, k) - logit(l, s, ILK_UNSEEN, 0));
}

static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    layout l = at(p, s);
    ILK_TRY(describe_phi(&l, s, to));
    for (size_t k = 0; k < s->K && *l.unknown != 0; k++) {
        double total = l.n[k] + 2 * *l.alpha;
        ILK_TRY(to->fn(
            to->ctx,
            &(ilk_fact){"unseen", "bernoulli", s->column[0], {"", 0}, (uint32_t)k, *l.alpha / total, *l.alpha, total}));
    }
    for (size_t k = 1; k < s->K; k++)
        ILK_TRY(describe_theta(&l, s, k, to));
    return ilk_describe_size(to, "bernoulli", s->keys->n, (double)s->keys->n * (double)s->K);
}

static const double *log_phi(const double *p, const ilk_shape *s, uint32_t word) {
    return at(p, s).log_phi + (size_t)word * s->K;
}

/* Are base, certain and unseen what the probabilities give, and do each word's two sum to one? */
static bool adds_up(const layout *l, const ilk_shape *s, size_t k) {
    double base = room_left(l, l->n[k]), certain = 0;
    for (uint32_t word = 0; word < s->keys->n; word++) {
        size_t i = (size_t)word * s->K + k;
        if (!(fabs(exp(l->log_phi[i]) + exp(l->log_not[i]) - 1) < 1e-6)) /* -inf is a probability of zero; NaN fails */
            return false;
        base += l->log_not[i] > -INFINITY ? l->log_not[i] : 0;
        certain += l->log_not[i] == -INFINITY;
    }
    return certain == l->certain[k] && fabs(base - l->base[k]) <= 1e-6 * (1 + fabs(base)) &&
           fabs(exp(l->unseen[k]) - strangeness(l, l->n[k])) < 1e-6;
}

static bool validate(const double *p, const ilk_shape *s) {
    layout l = at(p, s);
    if (!isfinite(*l.alpha) || *l.alpha < 0 || (*l.unknown != 0 && *l.unknown != 1))
        return false;
    for (size_t k = 0; k < s->K; k++)
        if (!isfinite(l.n[k]) || l.n[k] < 0 || !isfinite(l.absent[k]) || !isfinite(l.excluded[k]) || !adds_up(&l, s, k))
            return false;
    for (size_t i = 0; i < (size_t)s->keys->n * s->K; i++) /* no counts have a ratio below that */
        if (l.log_not[i] < -1500 && l.log_not[i] > -INFINITY)
            return false;
    return true;
}

const ilk_family ilk_bernoulli = {
    .name = "bernoulli",
    .summary = "words of a text, each there or not",
    .kind = ILK_TEXT,
    .layout = ILK_LAYOUT_WORDS,
    .size = size,
    .scratch = scratch,
    .estimate = estimate,
    .score = score,
    .score_without = score_without,
    .sample = sample,
    .explain = explain,
    .describe = describe,
    .log_phi = log_phi,
    .validate = validate,
};
