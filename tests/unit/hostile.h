/* SPDX-License-Identifier: Apache-2.0 */
/* hostile.h - model files that lie: their checksums made right again, and every question asked of what opens.
 *
 * For unit tests and the fuzz target alike, so nothing here asserts: a question answered wrongly returns false. */
#ifndef ILK_TESTS_HOSTILE_H
#define ILK_TESTS_HOSTILE_H

#include <ilk.h>

#include "core/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTILE_HEADER = 64, HOSTILE_ENTRY = 32, HOSTILE_HASH = 24 }; /* docs/FORMAT.md */

/* Recompute the hash of every section that lies within the file, and that of the header. */
static inline void hostile_repair(unsigned char *p, size_t n) {
    uint32_t sections;
    if (n < HOSTILE_HEADER)
        return;
    memcpy(&sections, p + 12, sizeof sections);
    size_t end = HOSTILE_HEADER + (size_t)sections * HOSTILE_ENTRY;
    if (end > n)
        return;
    for (unsigned char *entry = p + HOSTILE_HEADER; entry < p + end; entry += HOSTILE_ENTRY) {
        uint64_t offset, size, hash;
        memcpy(&offset, entry + 8, sizeof offset);
        memcpy(&size, entry + 16, sizeof size);
        if (offset > n || size > n - offset)
            continue;
        hash = ilk_hash_bytes(p + offset, size);
        memcpy(entry + 24, &hash, sizeof hash);
    }
    uint64_t hash = 0;
    memcpy(p + HOSTILE_HASH, &hash, sizeof hash);
    hash = ilk_hash_bytes(p, end);
    memcpy(p + HOSTILE_HASH, &hash, sizeof hash);
}

/* ---- rows for whatever schema a model has */

enum { HOSTILE_ROWS = 4 };

typedef struct hostile_rows {
    ilk_rows rows;
    double *real;
    uint32_t *code;
    ilk_tokens *text;
} hostile_rows;

static const size_t hostile_begin[HOSTILE_ROWS + 1] = {0, 0, 1, 2, 4}, hostile_none[HOSTILE_ROWS + 1];
static const bool hostile_missing[HOSTILE_ROWS] = {true};

static inline void hostile_rows_free(hostile_rows *r, size_t texts) {
    for (size_t j = 0; r->text && j < texts; j++)
        free((void *)(uintptr_t)r->text[j].id);
    free(r->real);
    free(r->code);
    free(r->text);
}

/* The j-th real feature. */
static inline const ilk_column *hostile_real(const ilk_schema *s, size_t j) {
    const ilk_column *c = NULL;
    for (size_t i = 0, seen = 0; i < ilk_schema_columns(s) && seen <= j; i++) {
        c = ilk_schema_column(s, i);
        seen += c->role == ILK_FEATURE && c->kind == ILK_REAL;
    }
    return c;
}

static inline bool hostile_family_has_density(const char *family) {
    ilk_family_info info;
    for (size_t i = 0; ilk_family_at(i, &info); i++)
        if (strcmp(info.name, family) == 0)
            return info.density;
    return false;
}

/* Do the scores come from other things than probabilities? */
static inline bool hostile_has_no_density(const ilk_schema *s) {
    for (size_t i = 0; i < ilk_schema_columns(s); i++) {
        const ilk_column *c = ilk_schema_column(s, i);
        if (c->role == ILK_FEATURE &&
            (!hostile_family_has_density(c->family) || (c->kind == ILK_TEXT && ilk_tokenizer_unit(&c->tokenizer) != 1)))
            return true;
    }
    return false;
}

/* Row 0 lacks everything, row 1 is ordinary, row 2 far away and unseen, row 3 half missing. */
static inline bool hostile_rows_new(hostile_rows *r, const ilk_model *m, const char *const *known, size_t n_known) {
    static const uint32_t counts[] = {1, 3, 1, 2};
    const ilk_schema *s = ilk_model_schema(m);
    size_t reals = ilk_schema_width(s, ILK_REAL), codes = ilk_schema_width(s, ILK_CATEGORY),
           texts = ilk_schema_width(s, ILK_TEXT);
    uint32_t unseen = ilk_model_options(m)->unseen == ILK_UNSEEN_ERROR ? ILK_MISSING : ILK_UNSEEN;
    *r = (hostile_rows){.real = calloc(HOSTILE_ROWS * reals + 1, sizeof(double)),
                        .code = calloc(HOSTILE_ROWS * codes + 1, sizeof(uint32_t)),
                        .text = calloc(texts + 1, sizeof(ilk_tokens))};
    if (!r->real || !r->code || !r->text)
        return false;
    for (size_t j = 0; j < reals; j++) {
        const ilk_column *c = hostile_real(s, j); /* its family or transform does not accept all numbers */
        bool binomial = strcmp(c->family, "negative-binomial") == 0,
             count = binomial || strcmp(c->family, "poisson") == 0, bent = c->transform.kind != ILK_AS_IS;
        double far = binomial ? 0x1p53 : bent ? 1e30 : j % 2 && !count ? -1e200 : 1e300;
        const double x[HOSTILE_ROWS] = {NAN, 1 + (double)j, far, j % 2 ? NAN : count ? 0 : bent ? 0.5 : -0.5};
        for (size_t i = 0; i < HOSTILE_ROWS; i++)
            r->real[i * reals + j] = x[i];
    }
    for (size_t j = 0; j < codes; j++) {
        uint32_t code = ILK_UNSEEN;
        for (size_t i = 0; i < n_known && code == ILK_UNSEEN; i++)
            code = ilk_model_code(m, j, (ilk_str){known[i], strlen(known[i])});
        code = code == ILK_UNSEEN ? unseen : code;
        const uint32_t row[HOSTILE_ROWS] = {ILK_MISSING, code, unseen, j % 2 ? ILK_MISSING : code};
        for (size_t i = 0; i < HOSTILE_ROWS; i++)
            r->code[i * codes + j] = row[i];
    }
    for (size_t j = 0; j < texts; j++) {
        uint32_t *id = calloc(4, sizeof *id), word = ILK_UNSEEN;
        if (!id)
            return false;
        r->text[j] = (ilk_tokens){hostile_begin, id, counts, j % 2 ? NULL : hostile_missing};
        for (size_t i = 0; i < n_known && word == ILK_UNSEEN; i++)
            word = ilk_model_word(m, j, (ilk_str){known[i], strlen(known[i])});
        id[0] = id[2] = id[3] = word;
        id[1] = unseen == ILK_UNSEEN ? ILK_UNSEEN : word;
        if (word == ILK_UNSEEN && unseen != ILK_UNSEEN) /* it knows nothing we know, and allows nothing else */
            r->text[j].begin = hostile_none;
    }
    r->rows = (ilk_rows){.n = HOSTILE_ROWS, .real = r->real, .code = r->code, .text = r->text};
    return true;
}

/* ---- questions */

/* What parts sum to, and how large they are together. */
typedef struct hostile_sum {
    double sum, size;
} hostile_sum;

static inline ilk_status hostile_part(void *ctx, const ilk_part *p) {
    hostile_sum *s = ctx;
    s->sum += p->contribution;
    s->size += fabs(p->contribution);
    return ILK_OK;
}

/* The largest log-joint of a row without its sign. */
static inline double hostile_largest(const double *log_joint, size_t K) {
    double most = 0;
    for (size_t k = 0; k < K; k++)
        most = fmax(most, fabs(log_joint[k]));
    return most;
}

/* The parts of a row sum to the difference of its log-joints, where all are finite: to rounding, which is that of the
 * farthest class where classes share a center, and to what a file may be off where it says a thing twice, such as L, z
 * and L z. */
static inline bool hostile_explains(const double *log_joint, const ilk_model *m, const ilk_rows *rows) {
    size_t K = ilk_model_classes(m);
    for (size_t i = 0; i < HOSTILE_ROWS; i++) {
        double a = log_joint[i * K], b = log_joint[i * K + K - 1], most = hostile_largest(log_joint + i * K, K);
        hostile_sum s = {0};
        if (ilk_model_explain(m, rows, i, 0, (uint32_t)K - 1, hostile_part, &s, NULL) != ILK_OK)
            return false;
        if (isfinite(most) && !(fabs(s.sum - (a - b)) <= 1e-4 * (1 + fabs(a) + fabs(b) + s.size) + 1e-14 * most))
            return false;
    }
    return true;
}

static inline ilk_status hostile_fact(void *ctx, const ilk_fact *f) {
    *(double *)ctx += f->value;
    return ILK_OK;
}

static inline ilk_status hostile_row(void *ctx, const ilk_rows *rows) {
    *(double *)ctx += (double)rows->n;
    return ILK_OK;
}

static inline bool hostile_joints(const double *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (isnan(p[i]) || p[i] == INFINITY)
            return false;
    return true;
}

/* Log-joints are never NaN or +inf, whatever the file said. `out` has room for HOSTILE_ROWS × K. */
static inline bool hostile_answers(double *out, const ilk_model *m, const ilk_rows *rows) {
    static const uint32_t first[HOSTILE_ROWS];
    size_t K = ilk_model_classes(m);
    bool no_density = hostile_has_no_density(ilk_model_schema(m));
    double sum = 0, score[HOSTILE_ROWS];
    ilk_rows labelled = *rows;
    labelled.label = first;
    if (ilk_model_log_joint(out, m, rows, NULL) != ILK_OK) /* the rows are made so that it can answer */
        return false;
    if (!hostile_joints(out, HOSTILE_ROWS * K) || !hostile_explains(out, m, rows))
        return false;
    if (ilk_model_leave_one_out(out, m, &labelled, NULL) != ILK_OK) /* which of rows never learnt may say anything */
        return false;
    if (!no_density && (ilk_model_sample(m, 3, 1, hostile_row, &sum, NULL) != ILK_OK || sum != 3 ||
                        ilk_model_outlier(score, NULL, m, rows, 1, NULL) != ILK_OK))
        return false;
    return ilk_model_describe(m, hostile_fact, &sum, NULL) == ILK_OK;
}

static inline bool hostile_words(const ilk_model *m) {
    ilk_word word[3];
    for (size_t j = 0; j < ilk_schema_width(ilk_model_schema(m), ILK_TEXT); j++) {
        size_t n = 3;
        if (ilk_model_words(word, &n, m, j, 0, NULL) != ILK_OK)
            return false;
        for (size_t i = 0; i < n; i++)
            if (isnan(word[i].log_odds) || (i && word[i].log_odds > word[i - 1].log_odds))
                return false;
    }
    return true;
}

/* Statistics may be refused; those that are not can be merged, taken away and estimated from, or that is refused too.
 * */
static inline void hostile_stats(const ilk_model *m) {
    ilk_stats *s, *t;
    ilk_model *again;
    if (ilk_model_stats(&s, m, NULL) != ILK_OK)
        return;
    if (ilk_model_stats(&t, m, NULL) == ILK_OK) {
        ilk_stats_merge(s, t, NULL);
        ilk_stats_merge(s, s, NULL);
        if (ilk_model_estimate(&again, s, NULL, NULL) == ILK_OK)
            ilk_model_free(again);
        ilk_stats_subtract(s, t, NULL);
        if (ilk_model_estimate(&again, s, ilk_model_options(m), NULL) == ILK_OK)
            ilk_model_free(again);
        ilk_stats_free(t);
    }
    ilk_stats_free(s);
}

/* All of it. False only if an answer is wrong in itself; without memory nothing is known, and that is true. */
static inline bool hostile_exercise(const ilk_model *m, const char *const *known, size_t n_known) {
    hostile_rows r;
    double *out = calloc(HOSTILE_ROWS * ilk_model_classes(m), sizeof *out);
    bool good = true;
    if (out && hostile_rows_new(&r, m, known, n_known))
        good = hostile_answers(out, m, &r.rows) && hostile_words(m);
    if (out)
        hostile_rows_free(&r, ilk_schema_width(ilk_model_schema(m), ILK_TEXT));
    free(out);
    hostile_stats(m);
    return good;
}

#endif
