/* SPDX-License-Identifier: Apache-2.0 */
/* export_numbers.c - the part of an exported C function that is about numbers.
 *
 * Columns by themselves have a row of constants per class. A full Gaussian is written as means, standard deviations,
 * correlations and the Cholesky factor of these; a row that lacks values has the factor of the others made on the spot.
 */
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a column needs of each class: up to three constants, by family. */
typedef struct shape {
    const char *family, *first, *second; /* names of quantities; second may be NULL */
    size_t n;
    void (*constants)(double *out, double first, double second);
    const char *code; /* adds to score[k], by x and c[0] … c[n - 1]; NULL for counts */
} shape;

static void normal(double *out, double mu, double variance) {
    out[0] = mu;
    out[1] = 1 / sqrt(variance);
    out[2] = 0.5 * (log(2 * M_PI) + log(variance)); /* their product may be too large */
}

static void poisson(double *out, double rate, double unused) {
    (void)unused;
    out[0] = rate;
    out[1] = 0;
}

static void negative_binomial(double *out, double rate, double dispersion) {
    out[0] = rate;
    out[1] = dispersion;
}

static const char normal_code[] = "            double z = (x - c[0]) * c[1];\n"
                                  "            score[k] -= 0.5 * z * z + c[2];\n";

static const shape shapes[] = {
    {"gaussian", "mu", "variance", 3, normal, normal_code},
    {"gaussian-shared", "mu", "variance", 3, normal, normal_code},
    {"poisson", "lambda", NULL, 2, poisson, NULL},
    {"negative-binomial", "mu", "dispersion", 2, negative_binomial, NULL},
};

/* ---- counts */

static const char deviance_code[] =
    "_deviance(double x, double m, double d) {\n"
    "    double v = d / (x + m), s = 0;\n"
    "    int n;\n"
    "    for (n = 17; n >= 3; n -= 2) /* atanh(v) = v + v^3 (1 / 3 + v^2 / 5 + ...) */\n"
    "        s = s * v * v + 1.0 / n;\n"
    "    return fabs(v) < 0.1 ? v * d + 2 * x * v * v * v * s : x * log(x / m) - d;\n"
    "}\n",
                  tail_code[] = "_tail(double z) {\n"
                                "    double w = 1 / (z * z);\n"
                                "    if (z < 16)\n"
                                "        return lgamma(z) - (z - 0.5) * log(z) + z - 0.91893853320467274178;\n"
                                "    return (1 / 12.0 - (1 / 360.0 - (1 / 1260.0 - w / 1680) * w) * w) / z;\n"
                                "}\n";

/* A density as a distance of x from its mean: sums of logarithms would cancel where counts are many. */
static void count_functions(sink *out, const char *name) {
    sink_format(out, "\n/* x log(x / m) + m - x, where d = x - m. */\nstatic double %s%s", name, deviance_code);
    sink_format(out, "\n/* What Stirling's formula for log Gamma(z) lacks. */\nstatic double %s%s", name, tail_code);
    sink_format(
        out,
        "\n/* log p(x) of counts: negative binomial with mean mu and dispersion a, or Poisson where a is 0. */\n"
        "static double %s_counts(double x, double mu, double a) {\n"
        "    double r = 1 / a, p = 1 / (1 + a * mu), d = (x - mu) * p, common;\n"
        "    if (x == 0)\n"
        "        return r < 1e300 ? -log1p(a * mu) / a : -mu;\n"
        "    common = 0.5 * log(x) + 0.91893853320467274178 + %s_tail(x);\n"
        "    if (!(r < 1e300))\n"
        "        return -%s_deviance(x, mu, d) - common;\n"
        "    return -%s_deviance(x, mu * p + x * (a * mu * p), d) - %s_deviance(r, x * p + r * p, -d) -\n"
        "           0.5 * log1p(a * x) + %s_tail(x + r) - %s_tail(r) - common;\n"
        "}\n",
        name, name, name, name, name, name, name);
}

/* How a column is written; NULL for one of a full Gaussian, or one that says nothing: it never varies, or is 0. */
static const shape *shape_of(const ilk_column *column, const parameters *p) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        size_t n;
        if (strcmp(s->family, column->family) != 0)
            continue;
        const char *telling = s->constants == normal ? s->second : s->first;
        const parameter *item = parameters_find(p, column->family, column->name, telling, &n);
        for (size_t k = 0; n && k < item->n; k++)
            if (item->fact[k].value > 0)
                return s;
    }
    return NULL;
}

static void column_table(sink *out, const ilk_column *column, const shape *s, const parameters *p, const char *name,
                         size_t j) {
    size_t n;
    const parameter *first = parameters_find(p, column->family, column->name, s->first, &n),
                    *second = s->second ? parameters_find(p, column->family, column->name, s->second, &n) : first;
    sink_format(out, "static const double %s_n%zu[%zu][%zu] = {", name, j, first->n, s->n);
    for (size_t k = 0; k < first->n; k++) {
        double c[3];
        s->constants(c, first->fact[k].value, second->fact[k].value);
        sink_string(out, k ? ", {" : "{");
        for (size_t i = 0; i < s->n; i++) {
            sink_string(out, i ? ", " : "");
            export_constant(out, c[i]);
        }
        sink_bytes(out, "}", 1);
    }
    sink_string(out, "};\n");
}

/* ---- full Gaussians */

typedef struct full {
    const char *family;
    size_t d, C, K; /* columns, covariances, classes */
    const ilk_column **column;
    size_t *at; /* place of each among all numbers */
} full;

static bool full_find(full *f, const char *family, const export_writer *w) {
    const ilk_column *column;
    size_t most = ilk_schema_width(w->schema, ILK_REAL);
    *f = (full){.family = family, .K = w->K};
    f->C = strcmp(family, "gda") == 0 ? 1 : f->K;
    f->column = cli_alloc(most, sizeof *f->column);
    f->at = cli_alloc(most, sizeof *f->at);
    for (size_t j = 0; (column = w->feature[ILK_REAL][j].column); j++)
        if (strcmp(column->family, family) == 0) {
            f->column[f->d] = column;
            f->at[f->d++] = j;
        }
    return f->d > 0;
}

static void full_free(full *f) {
    free(f->column);
    free(f->at);
}

static double sigma(const full *f, const parameters *p, size_t c, size_t i, size_t j) {
    return parameters_key(p, f->family, f->column[i]->name, "Sigma", f->column[j]->name)->fact[c].value;
}

/* Correlations of covariance c, a column that does not vary being correlated with none, and their factor. */
static void correlate(const full *f, const parameters *p, size_t c, double *sd, double *R, double *L) {
    size_t d = f->d;
    for (size_t i = 0; i < d; i++)
        sd[i] = sqrt(sigma(f, p, c, i, i));
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            double r = i == j ? 1 : sd[i] > 0 && sd[j] > 0 ? sigma(f, p, c, i, j) / sd[i] / sd[j] : 0, s = r;
            for (size_t q = 0; q < j; q++)
                s -= L[i * d + q] * L[j * d + q];
            R[i * d + j] = R[j * d + i] = r;
            L[i * d + j] = i == j ? sqrt(s) : s / L[j * d + j];
            L[j * d + i] = i == j ? L[i * d + j] : 0;
        }
}

/* "NAME_gda_what[rows][columns] = {…};" */
static void matrix(sink *out, const char *name, const full *f, const char *what, const double *x, size_t rows,
                   size_t columns) {
    sink_format(out, "static const double %s_%s_%s[%zu][%zu] = {", name, f->family, what, rows, columns);
    for (size_t i = 0; i < rows; i++) {
        sink_string(out, i ? ",\n    {" : "\n    {");
        for (size_t j = 0; j < columns; j++) {
            sink_string(out, j ? ", " : "");
            export_constant(out, x[i * columns + j]);
        }
        sink_bytes(out, "}", 1);
    }
    sink_string(out, "\n};\n");
}

static void full_tables(sink *out, const full *f, const parameters *p, const char *name) {
    size_t d = f->d;
    double *mu = cli_alloc(f->K * d, sizeof *mu), *sd = cli_alloc(f->C * d, sizeof *sd),
           *R = cli_alloc(f->C * d * d, sizeof *R), *L = cli_alloc(f->C * d * d, sizeof *L);
    for (size_t j = 0; j < d; j++) {
        const parameter *item = parameters_key(p, f->family, f->column[j]->name, "mu", (ilk_str){"", 0});
        for (size_t k = 0; k < f->K; k++)
            mu[k * d + j] = item->fact[k].value;
    }
    for (size_t c = 0; c < f->C; c++)
        correlate(f, p, c, sd + c * d, R + c * d * d, L + c * d * d);
    matrix(out, name, f, "mu", mu, f->K, d);
    matrix(out, name, f, "sd", sd, f->C, d);
    matrix(out, name, f, "R", R, f->C, d * d);
    matrix(out, name, f, "L", L, f->C, d * d);
    free(mu);
    free(sd);
    free(R);
    free(L);
}

static const char density_code[] =
    "(const double *x, const double *mu, const double *sd, const double *R, const double *L) {\n"
    "    double own[D * D], y[D], log_p = 0;\n"
    "    int at[D], i, j, q, m = 0;\n"
    "    for (j = 0; j < D; j++)\n"
    "        if (!isnan(x[j]))\n"
    "            at[m++] = j;\n"
    "    for (i = 0; i < m && m < D; i++) /* values are missing: the factor of the others */\n"
    "        for (j = 0; j <= i; j++) {\n"
    "            double s = R[at[i] * D + at[j]];\n"
    "            for (q = 0; q < j; q++)\n"
    "                s -= own[i * D + q] * own[j * D + q];\n"
    "            own[i * D + j] = i == j ? sqrt(s) : s / own[j * D + j];\n"
    "        }\n"
    "    if (m < D)\n"
    "        L = own;\n"
    "    for (i = 0; i < m; i++) {\n"
    "        double s = sd[at[i]] > 0 ? (x[at[i]] - mu[at[i]]) / sd[at[i]] : 0;\n"
    "        for (j = 0; j < i; j++)\n"
    "            s -= L[i * D + j] * y[j];\n"
    "        y[i] = s / L[i * D + i];\n"
    "        log_p -= 0.5 * y[i] * y[i] + log(L[i * D + i]);\n"
    "        log_p -= sd[at[i]] > 0 ? log(sd[at[i]]) + 0.91893853320467274178 : 0; /* log(2 pi) / 2 */\n"
    "    }\n"
    "    return log_p;\n"
    "}\n";

/* The text with the number of columns for each D that stands alone. */
static void with_columns(sink *out, const char *text, size_t d) {
    for (const char *at = text; *at; at++) {
        bool alone = *at == 'D' && (at == text || !strchr("abcdefghijklmnopqrstuvwxyz_", at[-1]));
        if (alone)
            sink_format(out, "%zu", d);
        else
            sink_bytes(out, at, 1);
    }
}

static void full_code(sink *out, const full *f, const char *name) {
    sink_format(out, "    {\n        double x[%zu];\n", f->d);
    for (size_t j = 0; j < f->d; j++)
        sink_format(out, "        x[%zu] = number[%zu];\n", j, f->at[j]);
    const char *c = f->C == 1 ? "0" : "k";
    sink_format(
        out,
        "        for (k = 0; k < %zu; k++)\n            score[k] += %s_%s(x, %s_%s_mu[k], %s_%s_sd[%s], %s_%s_R[%s], "
        "%s_%s_L[%s]);\n    }\n",
        f->K, name, f->family, name, f->family, name, f->family, c, name, f->family, c, name, f->family, c);
}

static const char *const full_families[] = {"gda", "qda"};

void export_number_tables(export_writer *w) {
    sink *out = &w->out;
    const ilk_column *column;
    bool counts = false;
    for (size_t j = 0; (column = w->feature[ILK_REAL][j].column); j++) {
        const shape *s = shape_of(column, w->p);
        if (s)
            column_table(out, column, s, w->p, w->name, j);
        counts = counts || (s && !s->code);
    }
    if (counts)
        count_functions(out, w->name);
    for (size_t i = 0; i < 2; i++) {
        full f;
        if (full_find(&f, full_families[i], w)) {
            full_tables(out, &f, w->p, w->name);
            sink_format(
                out,
                "\n/* log p(x) of a normal distribution, values that are NAN integrated out. */\nstatic double %s_%s",
                w->name, f.family);
            with_columns(out, density_code, f.d);
        }
        full_free(&f);
    }
}

void export_number_code(export_writer *w) {
    sink *out = &w->out;
    const ilk_column *column;
    for (size_t j = 0; (column = w->feature[ILK_REAL][j].column); j++) {
        const shape *s = shape_of(column, w->p);
        if (!s)
            continue;
        sink_format(out,
                    "    if (!isnan(number[%zu]))\n        for (k = 0; k < %zu; k++) {\n"
                    "            const double x = number[%zu], *c = %s_n%zu[k];\n",
                    j, w->K, j, w->name, j);
        if (s->code)
            sink_string(out, s->code);
        else
            sink_format(out, "            score[k] += %s_counts(x, c[0], c[1]);\n", w->name);
        sink_string(out, "        }\n");
    }
    for (size_t i = 0; i < 2; i++) {
        full f;
        if (full_find(&f, full_families[i], w))
            full_code(out, &f, w->name);
        full_free(&f);
    }
}
