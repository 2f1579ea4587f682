/* SPDX-License-Identifier: Apache-2.0 */
/* pooled.h - statistics of rows of nine classes that have one scatter, by a limit that is set low. */
#ifndef ILK_TESTS_POOLED_H
#define ILK_TESTS_POOLED_H

#include "direct.h"
#include "model/stats.h"

enum { D = 4, K = 9, N = 300 };

/* Labelled rows. */
typedef struct sample {
    size_t n;
    double *x, *w; /* w may be NULL */
    uint32_t *label;
} sample;

typedef enum trait { PLAIN, WEIGHTS = 1, MISSING = 2, UNITS = 4, TRAITS = 8 } trait;

static inline sample draw(rng *r, size_t n, unsigned traits) {
    sample s = {n, make(n * D, sizeof *s.x), traits & WEIGHTS ? make(n, sizeof *s.w) : NULL, make(n, sizeof *s.label)};
    for (size_t i = 0; i < n; i++) {
        s.label[i] = (uint32_t)(i < 2 * K ? i % K : rng_below(r, K));
        if (s.w)
            s.w[i] = 0.25 + rng_unit(r);
        for (size_t j = 0; j < D; j++) {
            double x = rng_normal(r) + (j ? 0.5 * s.x[i * D] : 0) + s.label[i] % 3 + 10;
            double unit = !(traits & UNITS) || j == 0 ? 1 : j == 1 ? 1e200 : j == 2 ? 1e-200 : 1e-3;
            bool missing = traits & MISSING && j > 0 && i >= 2 * K && rng_unit(r) < 0.05;
            s.x[i * D + j] = missing ? NAN : x * unit;
        }
    }
    return s;
}

static inline void sample_free(sample *s) {
    free(s->x);
    free(s->w);
    free(s->label);
}

static inline ilk_rows rows_of(const sample *s, size_t first, size_t n) {
    return (ilk_rows){
        .n = n, .real = s->x + first * D, .label = s->label + first, .weight = s->w ? s->w + first : NULL};
}

static inline ilk_moments *store_of(const ilk_stats *s) {
    return &s->store[0].moments;
}

static inline const char *name_of(size_t k) {
    static char name[24];
    snprintf(name, sizeof name, "k%zu", k);
    return name;
}

/* Statistics of K classes that are pooled once there are more than so many of them. */
static inline ilk_stats *begin(const char *family, size_t most) {
    ilk_stats *s = stats_of(real_columns(D, family), NULL);
    uint32_t id;
    store_of(s)->limit = most * D * D;
    for (size_t k = 0; k < K; k++)
        assert_ok(ilk_stats_class(&id, s, str(name_of(k)), &failure));
    assert_int_equal(store_of(s)->pooled, most < K);
    return s;
}

static inline void add(ilk_stats *s, const sample *from, size_t first, size_t n) {
    ilk_rows rows = rows_of(from, first, n);
    assert_ok(ilk_stats_add(s, &rows, &failure));
}

static inline ilk_stats *learn_some(size_t most, const sample *from, size_t first, size_t n) {
    ilk_stats *s = begin("gda", most);
    add(s, from, first, n);
    return s;
}

/* Both give the same answers to those rows, also without each of them. */
static inline void assert_same_model(const ilk_stats *a, const ilk_stats *b, const sample *s, double tolerance) {
    const ilk_stats *const both[] = {a, b};
    double *p[2][2];
    for (int i = 0; i < 2; i++) {
        ilk_model *m = estimated(both[i], NULL);
        ilk_rows rows = rows_of(s, 0, s->n < 60 ? s->n : 60);
        for (int way = 0; way < 2; way++)
            p[i][way] = make(rows.n * K, sizeof(double));
        assert_int_equal(ilk_model_classes(m), K);
        assert_ok(ilk_model_log_joint(p[i][0], m, &rows, &failure));
        assert_ok(ilk_model_leave_one_out(p[i][1], m, &rows, &failure));
        ilk_model_free(m);
    }
    for (int way = 0; way < 2; way++)
        for (size_t i = 0; i < K * (s->n < 60 ? s->n : 60); i++)
            assert_close(p[0][way][i], p[1][way][i], tolerance);
    for (int i = 0; i < 4; i++)
        free(p[i / 2][i % 2]);
}

#endif
