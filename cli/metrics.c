/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c - the arithmetic of eval.
 *
 * Of the confusion matrix there are only the cells that rows fell into: of 30,000 classes a whole one takes 7 GB.
 *
 * The area under the curve needs every row's score: 8 K bytes per row (8 if K = 2), and 32 while they are sorted.
 * Scores are log-odds, because p rounds to 1 beyond 36.7 nats and would tie rows that the model tells apart.
 */
#include "metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

void metrics_begin(metrics *m, size_t K) {
    *m = (metrics){.K = K};
    m->posterior = cli_alloc(K, sizeof *m->posterior);
}

void metrics_end(metrics *m) {
    free(m->posterior);
    free(m->score);
    free(m->truth);
    free(m->answer);
}

static size_t scores_per_row(const metrics *m) {
    return m->K == 2 ? 1 : m->K;
}

/* log p(k|x) - log(1 - p(k|x)) for all k in O(K). For the best class the rest is summed without it; for any other the
 * rest holds the best, so taking its own term away cancels nothing. */
static void log_odds(double *out, const double *log_joint, size_t K, uint32_t best) {
    double second = -INFINITY, rest = 0, all = 0;
    for (size_t k = 0; k < K; k++)
        if (k != best)
            second = fmax(second, log_joint[k]);
    for (size_t k = 0; k < K; k++) {
        if (k != best && second > -INFINITY)
            rest += exp(log_joint[k] - second);
        all += exp(log_joint[k] - log_joint[best]);
    }
    for (size_t k = 0; k < K; k++) {
        double others = log_joint[best] + log(all - exp(log_joint[k] - log_joint[best]));
        out[k] = log_joint[k] - (k == best ? second + log(rest) : others);
    }
}

static void keep_row(metrics *m, const double *log_joint, uint32_t truth, uint32_t best) {
    size_t width = scores_per_row(m);
    if (m->n == m->cap) {
        m->cap = m->cap * 2 + 64;
        m->score = cli_resize(m->score, m->cap, width * sizeof *m->score);
        m->truth = cli_resize(m->truth, m->cap, sizeof *m->truth);
        m->answer = cli_resize(m->answer, m->cap, sizeof *m->answer);
    }
    double *score = m->score + m->n * width;
    m->truth[m->n] = truth;
    m->answer[m->n] = best;
    if (best == ILK_NONE)
        for (size_t k = 0; k < width; k++)
            score[k] = -INFINITY;
    else if (m->K == 2)
        score[0] = log_joint[1] - log_joint[0];
    else
        log_odds(score, log_joint, m->K, best);
}

static void add_to_bin(metrics *m, double confidence, bool correct) {
    double at = ceil(confidence * METRICS_BINS) - 1;
    size_t bin = at < 0 ? 0 : at >= METRICS_BINS ? METRICS_BINS - 1 : (size_t)at;
    m->bin_n[bin]++;
    m->bin_correct[bin] += correct;
    m->bin_confidence[bin] += confidence;
}

uint32_t metrics_add(metrics *m, const double *log_joint, uint32_t truth) {
    uint32_t best = ilk_argmax(log_joint, m->K);
    double log_evidence = ilk_bayes(m->posterior, log_joint, m->K), square = 0;
    bool known = truth < m->K, decided = best != ILK_NONE, correct = decided && best == truth;
    for (size_t k = 0; k < m->K; k++) {
        double p = decided ? m->posterior[k] : 0;
        square += (p - (k == truth)) * (p - (k == truth));
    }
    m->brier += (square + !known) / (m->K == 2 ? 2 : 1);
    m->log_loss += known && decided ? log_evidence - log_joint[truth] : INFINITY;
    add_to_bin(m, decided ? m->posterior[best] : 0, correct);
    keep_row(m, log_joint, truth, best);
    m->n++;
    m->correct += correct;
    m->unknown += !known;
    m->undecided += !decided;
    return best;
}

static int by_place(const void *a, const void *b) {
    const metrics_cell *x = a, *y = b;
    return x->truth != y->truth ? (x->truth > y->truth) - (x->truth < y->truth)
                                : (x->answer > y->answer) - (x->answer < y->answer);
}

metrics_cell *metrics_confusion(const metrics *m, size_t *cells) {
    metrics_cell *cell = cli_alloc(m->n, sizeof *cell);
    size_t rows = 0, n = 0;
    for (size_t i = 0; i < m->n; i++)
        if (m->truth[i] < m->K && m->answer[i] != ILK_NONE)
            cell[rows++] = (metrics_cell){m->truth[i], m->answer[i], 1};
    qsort(cell, rows, sizeof *cell, by_place);
    for (size_t i = 0; i < rows; i++)
        if (n > 0 && by_place(&cell[n - 1], &cell[i]) == 0)
            cell[n - 1].n++;
        else
            cell[n++] = cell[i];
    *cells = n;
    return cell;
}

double metrics_accuracy(const metrics *m) {
    return (double)m->correct / (double)m->n;
}

double metrics_log_loss(const metrics *m) {
    return m->log_loss / (double)m->n;
}

double metrics_brier(const metrics *m) {
    return m->brier / (double)m->n;
}

double metrics_ece(const metrics *m) {
    double sum = 0;
    for (size_t b = 0; b < METRICS_BINS; b++)
        sum += fabs((double)m->bin_correct[b] - m->bin_confidence[b]);
    return sum / (double)m->n;
}

/* A row as the curve of one class sees it. */
typedef struct ranked {
    double score;
    bool positive;
} ranked;

static int by_score(const void *a, const void *b) {
    double x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return (x > y) - (x < y);
}

/* Mann-Whitney: the share of pairs (positive, negative) in the right order. Pairs are counted in halves, in integers.
 * */
static double area(ranked *rows, size_t n) {
    uint64_t negatives = 0, positives = 0, halves = 0;
    qsort(rows, n, sizeof *rows, by_score);
    for (size_t i = 0; i < n;) {
        uint64_t tied[2] = {0, 0};
        size_t from = i;
        for (; i < n && rows[i].score == rows[from].score; i++)
            tied[rows[i].positive]++;
        halves += tied[1] * (2 * negatives + tied[0]);
        negatives += tied[0];
        positives += tied[1];
    }
    return positives && negatives ? (double)halves / (2.0 * (double)positives * (double)negatives) : NAN;
}

/* Rows whose true class the model does not know take part in no curve. */
double metrics_auc(const metrics *m) {
    size_t width = scores_per_row(m), curves = 0;
    double sum = 0;
    ranked *rows = cli_alloc(m->n, sizeof *rows);
    for (size_t c = 0; c < width; c++) {
        size_t n = 0;
        for (size_t i = 0; i < m->n; i++)
            if (m->truth[i] < m->K)
                rows[n++] = (ranked){m->score[i * width + c], m->truth[i] == (m->K == 2 ? 1 : c)};
        double one = area(rows, n);
        if (!isnan(one)) {
            sum += one;
            curves++;
        }
    }
    free(rows);
    return curves ? sum / (double)curves : NAN;
}
