/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.h - how good answers are: accuracy, log-loss, Brier score, calibration error, area under the curve.
 *
 * One rule covers the odd cases: a label the model does not know has probability 0 under it, and in a row that could
 * not be decided every class has. Both count as errors, and their log-loss is infinite; nothing is clipped.
 */
#ifndef ILK_CLI_METRICS_H
#define ILK_CLI_METRICS_H

#include <ilk.h>

enum { METRICS_BINS = 15 };

/* Sums so far; the same bits for the same rows in the same order. */
typedef struct metrics {
    size_t K;
    uint64_t n, correct, unknown, undecided;
    double log_loss, brier; /* sums */
    uint64_t bin_n[METRICS_BINS], bin_correct[METRICS_BINS];
    double bin_confidence[METRICS_BINS];
    double *posterior; /* K, scratch */
    double *score;     /* per row: the log-odds of the second class if K = 2, else of each class against the rest */
    uint32_t *truth;   /* per row */
    uint32_t *answer;  /* per row: the prediction; ILK_NONE if undecided */
    size_t cap;        /* rows there is room for */
} metrics;

/* A cell of the confusion matrix that is not 0. */
typedef struct metrics_cell {
    uint32_t truth, answer;
    uint64_t n;
} metrics_cell;

void metrics_begin(metrics *m, size_t K);
/* One row: the K values of log p(x, y) and its label (not below K: unknown to the model). Returns the prediction. */
uint32_t metrics_add(metrics *m, const double *log_joint, uint32_t truth);
void metrics_end(metrics *m);

/* The cells of the confusion matrix in its order, row by row; the caller frees them. */
metrics_cell *metrics_confusion(const metrics *m, size_t *cells);
double metrics_accuracy(const metrics *m);
/* Mean of -log p(truth | row), in nats. */
double metrics_log_loss(const metrics *m);
/* Mean of (p - 1{truth})^2, summed over the classes if K > 2, of one class if K = 2. */
double metrics_brier(const metrics *m);
/* Expected calibration error: |accuracy - confidence| over 15 equal bins of the prediction's probability. */
double metrics_ece(const metrics *m);
/* Area under the ROC curve, exact, ties counted half; K > 2: the mean over the classes of one against the rest, classes
 * that have no rows or all of them left out. NaN if none is left. Cost: O(K n log n). */
double metrics_auc(const metrics *m);

#endif
