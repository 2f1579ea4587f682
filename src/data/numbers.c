/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.c - keeping numbers, row by row. */
#include "data/numbers.h"
#include "core/memory.h"
#include "core/number.h"

ilk_status ilk_numbers_init(ilk_numbers *out, size_t columns) {
    *out = (ilk_numbers){.columns = columns};
    out->wanted = ilk_zalloc(columns, sizeof *out->wanted);
    out->place = ilk_zalloc(columns, sizeof *out->place);
    out->odd = ilk_zalloc(columns, sizeof *out->odd);
    out->low = ilk_zalloc(columns, sizeof *out->low);
    return out->wanted && out->place && out->odd && out->low ? ILK_OK : ILK_ENOMEM;
}

void ilk_numbers_free(ilk_numbers *v) {
    for (size_t j = 0; v->odd && v->low && j < v->columns; j++) {
        ilk_free(v->odd[j]);
        ilk_free(v->low[j]);
    }
    ilk_free(v->odd);
    ilk_free(v->low);
    ilk_free(v->wanted);
    ilk_free(v->place);
    ilk_free(v->x);
    ilk_free(v->label);
    ilk_free(v->w);
    ilk_dict_free(&v->classes);
    *v = (ilk_numbers){0};
}

void ilk_numbers_begin(ilk_numbers *v, size_t target, size_t weight) {
    v->target = target;
    v->weight = weight;
    for (size_t j = 0; j < v->columns; j++)
        if (v->wanted[j])
            v->place[j] = v->width++;
}

/* The first of its column, with its place in the file. */
static ilk_status note(ilk_error **to, const ilk_table *t, size_t j, ilk_str value, const char *file, size_t line,
                       const char *why) {
    if (*to)
        return ILK_OK;
    *to = ilk_zalloc(1, sizeof **to);
    if (!*to)
        return ILK_ENOMEM;
    ilk_fail(*to, ILK_EDATA, "%s:%zu: column %.*s: '%.*s' %s", file, line, ILK_SHOW(t->names[j]), ILK_SHOW(value), why);
    return ILK_OK;
}

static ilk_status keep(ilk_numbers *v, const ilk_table *t, size_t j, ilk_str value, const char *file, size_t line) {
    static const ilk_transform positive = {.kind = ILK_BOX_COX};
    double *x = &v->x[v->n * v->width + v->place[j]];
    bool missing = ilk_missing_has(&t->missing, value), number = !missing && ilk_number_parse(x, value);
    if (!missing && !number)
        ILK_TRY(note(&v->odd[j], t, j, value, file, line, "is not a number"));
    if (number && *x <= 0)
        ILK_TRY(note(&v->low[j], t, j, value, file, line, ilk_transform_refuses(&positive, *x)));
    if (!number || isinf(*x))
        *x = (double)NAN;
    return ILK_OK;
}

/* The weight of a row, 0 if it is none: learning will say what is wrong. */
static double weight_of(const ilk_numbers *v, const ilk_table *t, const ilk_str *fields) {
    double w = 1;
    if (v->weight != SIZE_MAX &&
        (ilk_missing_has(&t->missing, fields[v->weight]) || !ilk_number_parse(&w, fields[v->weight])))
        return 0;
    return isfinite(w) ? w : 0;
}

ilk_status ilk_numbers_add(ilk_numbers *v, const ilk_table *t, const ilk_str *fields, const char *file, size_t line) {
    if (v->width == 0 || ilk_missing_has(&t->missing, fields[v->target]))
        return ILK_OK;
    double w = weight_of(v, t, fields);
    if (!(w > 0))
        return ILK_OK;
    size_t rows = v->n + 1;
    if (ilk_grow(&v->x, &v->x_cap, rows * v->width, sizeof *v->x) ||
        ilk_grow(&v->label, &v->label_cap, rows, sizeof *v->label) || ilk_grow(&v->w, &v->w_cap, rows, sizeof *v->w) ||
        ilk_dict_intern(&v->classes, 0, fields[v->target], &v->label[v->n]) != ILK_OK)
        return ILK_ENOMEM;
    v->w[v->n] = w;
    for (size_t j = 0; j < v->columns; j++)
        if (v->wanted[j])
            ILK_TRY(keep(v, t, j, fields[j], file, line));
    v->n++;
    return ILK_OK;
}

size_t ilk_numbers_points(ilk_point *points, const ilk_numbers *v, size_t j, bool positive) {
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        double x = v->x[i * v->width + v->place[j]];
        if (!isnan(x) && (!positive || x > 0))
            points[n++] = (ilk_point){.x = x, .w = v->w[i], .k = v->label[i]};
    }
    return n;
}
