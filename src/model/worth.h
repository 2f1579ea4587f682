/* SPDX-License-Identifier: Apache-2.0 */
/* worth.h - what a model is worth: how often, and how surely, answers name the class, summed up row by row. */
#ifndef ILK_MODEL_WORTH_H
#define ILK_MODEL_WORTH_H

#include <ilk.h>

/* The answer for one row. */
typedef struct ilk_outcome {
    double weight, loss; /* loss: -log p(class | row), infinite where the class was impossible */
    bool right;
} ilk_outcome;

/* What the K values of log p(x, y) say of a row of class `truth`. `posterior` has room for K, and may be log_joint. */
ilk_outcome ilk_judge(double *posterior, const double *log_joint, size_t K, uint32_t truth, double weight);

/* Leave-one-out for every row, into outcome[n]; log_joint has room for n × K. */
ilk_status ilk_leave_out(ilk_outcome *outcome, double *log_joint, const ilk_model *model, const ilk_rows *rows,
                         ilk_error *err);

/* A mean by weight and what its standard error needs, so far. The same bits for the same rows in the same order. */
typedef struct ilk_running_mean {
    uint64_t n;
    double weight, sum;       /* sums of w and w x */
    double square, mean2, M2; /* sum of w^2, and by that weight the mean of x and the squares around it */
} ilk_running_mean;

/* Zero-initialised is of no row. */
typedef struct ilk_worth {
    uint64_t impossible;
    ilk_running_mean right, loss; /* loss: of the rows that were possible */
} ilk_worth;

/* One row more; of weight 0 it is none. */
void ilk_worth_add(ilk_worth *worth, const ilk_outcome *outcome);
ilk_loo ilk_worth_sum(const ilk_worth *worth);

#endif
