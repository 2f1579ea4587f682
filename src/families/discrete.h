/* SPDX-License-Identifier: Apache-2.0 */
/* discrete.h - a distribution over finitely many values, per column and class: what the categorical family and the
 * multinomial event model share.   MATH section 5
 *
 * Parameters: log_phi[V][K] | unseen[d][K] | total[d][K] | alpha
 *     phi = (count + alpha) / total,   total = sum of counts + alpha × number of values of the column
 * unseen is added for a value the model does not know: log(alpha / total) under ILK_UNSEEN_UNKNOWN, which makes room
 * for one value more, else 0. total is kept so that a probability can be shown as the ratio of counts it is. Counts,
 * alpha and totals are in units of shape->unit.
 */
#ifndef ILK_FAMILIES_DISCRETE_H
#define ILK_FAMILIES_DISCRETE_H

#include "families/family.h"

typedef struct ilk_discrete {
    double *log_phi, *unseen, *total, *alpha;
} ilk_discrete;

ilk_discrete ilk_discrete_at(const double *params, const ilk_shape *s);
size_t ilk_discrete_size(const ilk_shape *s);
/* `what` names the events in error messages: "value" or "word". sum[d][K], if not NULL, becomes the sums of
 * the counts. */
ilk_status ilk_discrete_estimate(double *params, const ilk_shape *s, const ilk_counts_view *v, const ilk_options *o,
                                 double *sum, const char *what, ilk_error *err);
/* The shares of words outside of each class, of the one text column. */
ilk_status ilk_discrete_estimate_rest(double *params, const ilk_shape *s, const ilk_counts_view *v,
                                      const ilk_options *o, ilk_error *err);
/* The count of which a probability was made, without alpha. */
double ilk_discrete_count(double phi, double total, double alpha);
/* Into bare[K]: what a class has as log phi of a word that it lacks (see ilk_bare); of others it has more. */
void ilk_discrete_bare(double *bare, const ilk_discrete *p, const ilk_shape *s);
/* Add what the words of row i say to log_joint[K], or subtract what they say of the rest, as if the row had never been
 * learnt; the latter wants scratch. */
void ilk_discrete_own_without(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const double *bare,
                              const ilk_chunk *rows, size_t i);
void ilk_discrete_scratch_rest(size_t *per_row, size_t *fixed, const ilk_shape *s);
void ilk_discrete_rest_without(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const ilk_chunk *rows,
                               size_t i);
/* The shares as facts "rest", and "unseen-rest" where there is room for words never seen. */
ilk_status ilk_discrete_describe_rest(const double *params, const ilk_shape *s, const char *family,
                                      const ilk_facts *to);
/* `linear`: also theta of every class against class 0, where the log-odds are linear in how often each value occurs. */
ilk_status ilk_discrete_describe(const double *params, const ilk_shape *s, const char *family, bool linear,
                                 const ilk_facts *to);
/* The probability of a value the model does not know, 0 where there is no room for one. */
double ilk_discrete_room(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t k);
/* Draw a value of column j, which may be ILK_UNSEEN; ILK_MISSING if all are impossible. */
uint32_t ilk_discrete_sample(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t k, ilk_rng *rng);
bool ilk_discrete_validate(const double *params, const ilk_shape *s);
/* The same, and no probability is 0. */
bool ilk_discrete_positive(const double *params, const ilk_shape *s);
/* log phi of a value in column j and class k when `count` of it and `gone` of all the column's counts had never been
 * seen: -inf if nothing is left of the column there. */
double ilk_discrete_without(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t code, uint32_t k,
                            double count, double gone);
/* Add what the codes of n rows say to log_joint[n × K], a column after the other. ILK_MISSING says nothing. */
void ilk_discrete_score_codes(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const uint32_t *code,
                              size_t n);
/* Add `sign` times what the words of a bag say, each as often as it occurs, to log_joint[K]. */
void ilk_discrete_score_words(double *log_joint, const ilk_discrete *p, const ilk_shape *s, const ilk_tokens *bags,
                              ilk_span words, double sign);
/* What each word of a bag adds to the log-odds of class a against class b. */
ilk_status ilk_discrete_explain_words(const double *params, const ilk_shape *s, const ilk_chunk *row, uint32_t a,
                                      uint32_t b, const ilk_parts *to);
/* The K numbers to add for a code of column j, ILK_UNSEEN included. */
const double *ilk_discrete_row(const ilk_discrete *p, const ilk_shape *s, size_t j, uint32_t code);

#endif
