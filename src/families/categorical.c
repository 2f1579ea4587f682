/* SPDX-License-Identifier: Apache-2.0 */
/* categorical.c - columns of finitely many values, independent given the class.   MATH section 5
 *
 * phi_{j,v|k} = (N(x_j = v, y = k) + alpha) / (N(y = k) + alpha K_j), N over the rows in which column j is present.
 * Parameters: see discrete.h. A missing value contributes nothing.
 */
#include "families/discrete.h"

#include <math.h>

static ilk_status estimate(double *p, const ilk_shape *s, const ilk_view *v, const ilk_options *o, ilk_error *err) {
    return ilk_discrete_estimate(p, s, &v->counts, o, NULL, "value", err);
}

static void score(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    ilk_discrete_score_codes(log_joint, &t, s, rows->code, rows->n);
}

/* Only the row's own class has lost anything. */
static void score_without(double *log_joint, const double *p, const ilk_shape *s, const ilk_chunk *rows) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t i = 0; i < rows->n; i++) {
        const uint32_t *code = rows->code + i * s->d, own = rows->label[i];
        double *out = log_joint + i * s->K, sum = out[own], w = ilk_chunk_weight(rows, i);
        ilk_discrete_score_codes(out, &t, s, code, 1);
        for (size_t j = 0; j < s->d; j++)
            sum += code[j] == ILK_MISSING ? 0 : ilk_discrete_without(&t, s, j, code[j], own, w, w);
        out[own] = sum;
    }
}

static void sample(ilk_draw *out, const double *p, const ilk_shape *s, uint32_t k, ilk_rng *rng) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t j = 0; j < s->d; j++)
        out->code[j] = ilk_discrete_sample(&t, s, j, k, rng);
}

static ilk_status explain(const double *p, const ilk_shape *s, const ilk_chunk *row, uint32_t a, uint32_t b,
                          const ilk_parts *to) {
    ilk_discrete t = ilk_discrete_at(p, s);
    for (size_t j = 0; j < s->d; j++) {
        uint32_t code = row->code[j];
        if (code == ILK_MISSING)
            continue;
        const double *log_phi = ilk_discrete_row(&t, s, j, code);
        ilk_str value = ilk_word_shown(s, code);
        ILK_TRY(to->fn(to->ctx, &(ilk_part){s->column[j], value, NAN, log_phi[a] - log_phi[b]}));
    }
    return ILK_OK;
}

/* Beside its own size, that of the table of all combinations which the independence assumption spares. */
static ilk_status describe(const double *p, const ilk_shape *s, const ilk_facts *to) {
    ILK_TRY(ilk_discrete_describe(p, s, "categorical", true, to));
    double cells = 1;
    for (size_t j = 0; j < s->d; j++)
        cells *= (double)(s->keys->field_begin[j + 1] - s->keys->field_begin[j]);
    ILK_TRY(ilk_describe_number(to, "categorical", "joint table per class", cells));
    return ilk_describe_number(to, "categorical", "joint table in all", cells * (double)s->K);
}

const ilk_family ilk_categorical = {
    .name = "categorical",
    .summary = "one of finitely many values per column",
    .kind = ILK_CATEGORY,
    .layout = ILK_LAYOUT_CODES,
    .size = ilk_discrete_size,
    .estimate = estimate,
    .score = score,
    .score_without = score_without,
    .sample = sample,
    .explain = explain,
    .describe = describe,
    .validate = ilk_discrete_validate,
};
