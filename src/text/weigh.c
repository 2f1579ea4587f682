/* SPDX-License-Identifier: Apache-2.0 */
/* weigh.c - how much a term counts in its document.   MATH section 6
 *
 * With c its occurrences: c, 1 or log(1 + c); with unit_length divided by the root of the sum of the document's
 * squares. Weights are rounded to multiples of 1/4096 and kept as whole numbers of them, so that sums of weights are
 * exact, like counts. No term weighs nothing: it occurs, and what it adds must be there to be taken away again.
 */
#include <ilk.h>

#include <math.h>

enum { FINE = 4096 };

static bool is_fine(const ilk_tokenizer *t) {
    return t->weight == ILK_TERM_LOG || t->unit_length;
}

double ilk_tokenizer_unit(const ilk_tokenizer *t) {
    return is_fine(t) ? 1.0 / FINE : 1;
}

static double weight(const ilk_tokenizer *t, double c) {
    return t->weight == ILK_TERM_COUNT ? c : t->weight == ILK_TERM_BINARY ? 1 : log1p(c);
}

void ilk_tokenizer_weigh(uint32_t *count, const uint32_t *id, size_t n, const ilk_tokenizer *t) {
    double squares = 0, scale = is_fine(t) ? FINE : 1;
    if (t->weight == ILK_TERM_COUNT && !t->unit_length)
        return;
    for (size_t i = 0; i < n; i++) {
        bool unseen = id && id[i] == ILK_UNSEEN;
        double terms = unseen ? count[i] : 1, w = weight(t, unseen ? 1 : count[i]);
        squares += terms * w * w;
    }
    if (t->unit_length && squares > 0)
        scale /= sqrt(squares);
    for (size_t i = 0; i < n; i++) {
        bool unseen = id && id[i] == ILK_UNSEEN;
        double w = unseen ? count[i] * weight(t, 1) : weight(t, count[i]);
        count[i] = (uint32_t)fmin(fmax(1, round(w * scale)), UINT32_MAX);
    }
}
