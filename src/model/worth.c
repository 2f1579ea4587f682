/* SPDX-License-Identifier: Apache-2.0 */
/* worth.c - means and standard errors of answers, in one walk over the rows.   MATH section 1
 *
 * For the error of a mean by weight, squares of x around that mean are wanted, each by the square of its weight. They
 * are kept around the mean by squared weights, which can be moved along from row to row, and shifted at the end. */
#include "model/worth.h"
#include "core/error.h"

#include <math.h>

ilk_outcome ilk_judge(double *posterior, const double *log_joint, size_t K, uint32_t truth, double weight) {
    double own = log_joint[truth];
    uint32_t best = ilk_argmax(log_joint, K);
    double evidence = ilk_bayes(posterior, log_joint, K);
    return (ilk_outcome){weight, best == ILK_NONE ? (double)INFINITY : evidence - own, best == truth};
}

ilk_status ilk_leave_out(ilk_outcome *outcome, double *log_joint, const ilk_model *model, const ilk_rows *rows,
                         ilk_error *err) {
    size_t K = ilk_model_classes(model);
    ILK_TRY(ilk_model_leave_one_out(log_joint, model, rows, err));
    for (size_t i = 0; i < rows->n; i++) {
        double *row = log_joint + i * K;
        outcome[i] = ilk_judge(row, row, K, rows->label[i], rows->weight ? rows->weight[i] : 1);
    }
    return ILK_OK;
}

static void add(ilk_running_mean *m, double w, double x) {
    double w2 = w * w, off = x - m->mean2;
    m->n++;
    m->weight += w;
    m->sum += w * x;
    m->square += w2;
    m->mean2 += m->square > 0 ? off * (w2 / m->square) : 0; /* tiny weights have no square */
    m->M2 += w2 * off * (x - m->mean2);
}

void ilk_worth_add(ilk_worth *worth, const ilk_outcome *o) {
    if (!(o->weight > 0))
        return;
    add(&worth->right, o->weight, o->right);
    if (isfinite(o->loss))
        add(&worth->loss, o->weight, o->loss);
    else
        worth->impossible++;
}

static double mean(const ilk_running_mean *m) {
    return m->sum / m->weight; /* NaN of no row */
}

/* sqrt(sum of w^2 (x - mean)^2 × n / (n - 1)) / (sum of w), which for weights of 1 is s / sqrt(n). */
static double standard_error(const ilk_running_mean *m) {
    double n = (double)m->n, shift = m->mean2 - mean(m);
    return m->n > 1 ? sqrt((m->M2 + m->square * shift * shift) * n / (n - 1)) / m->weight : (double)NAN;
}

ilk_loo ilk_worth_sum(const ilk_worth *worth) {
    bool finite = worth->impossible == 0;
    return (ilk_loo){.n = worth->right.n,
                     .accuracy = mean(&worth->right),
                     .accuracy_se = standard_error(&worth->right),
                     .log_loss = finite ? mean(&worth->loss) : (double)INFINITY,
                     .log_loss_se = finite ? standard_error(&worth->loss) : (double)NAN,
                     .impossible = worth->impossible,
                     .log_loss_rest = mean(&worth->loss)};
}
