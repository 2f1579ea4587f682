/* SPDX-License-Identifier: Apache-2.0 */
/* wishes.c - COLUMN=SPEC, and from the numbers of a column to its transform. */
#include "data/wishes.h"
#include "core/memory.h"

#include <string.h>

typedef ilk_status (*spec_reader)(ilk_wish *out, ilk_str spec, ilk_error *err);

void ilk_wishes_free(ilk_wishes *w) {
    for (size_t j = 0; w->of && w->learnt && j < w->columns; j++) {
        ilk_wish_free(&w->of[j]);
        ilk_learnt_free(&w->learnt[j]);
    }
    ilk_wish_free(&w->all_bins);
    ilk_wish_free(&w->all_power);
    ilk_free(w->of);
    ilk_free(w->learnt);
    *w = (ilk_wishes){0};
}

/* "*" is every real column, unless a column is called so. */
static ilk_status find(ilk_wish **out, ilk_wishes *w, ilk_wish *all, const ilk_table *t, ilk_str name, ilk_error *err) {
    size_t j;
    bool star = ilk_str_equal(name, (ilk_str){"*", 1});
    for (j = 0; star && j < t->columns; j++)
        star = !ilk_str_equal(t->names[j], name);
    if (!star)
        ILK_TRY(ilk_table_find(&j, t, name, err));
    *out = star ? all : &w->of[j];
    return ILK_OK;
}

/* The last '=' divides, since no transform has one. */
static ilk_status read_one(ilk_wishes *w, ilk_wish *all, const ilk_table *t, const char *text, spec_reader read,
                           ilk_error *err) {
    const char *equals = strrchr(text, '=');
    ilk_wish *to;
    if (!equals)
        return ilk_fail(err, ILK_EARG, "'%s' is not COLUMN=TRANSFORM", text);
    ilk_str name = {text, (size_t)(equals - text)};
    ILK_TRY(find(&to, w, all, t, name, err));
    if (to->kind != ILK_WISH_NONE)
        return ilk_fail(err, ILK_EARG, "column %.*s is given two transforms", ILK_SHOW(name));
    ilk_status status = read(to, (ilk_str){equals + 1, strlen(equals + 1)}, err);
    return ilk_blame(err, status, "column %.*s", ILK_SHOW(name));
}

ilk_status ilk_wishes_read(ilk_wishes *out, const ilk_table *t, const ilk_plan *plan, ilk_error *err) {
    *out = (ilk_wishes){.columns = t->columns};
    out->of = ilk_zalloc(t->columns, sizeof *out->of);
    out->learnt = ilk_zalloc(t->columns, sizeof *out->learnt);
    if (!out->of || !out->learnt)
        return ilk_fail_memory(err);
    for (size_t i = 0; i < plan->bins; i++)
        ILK_TRY(ilk_blame(err, read_one(out, &out->all_bins, t, plan->bin[i], ilk_wish_bins, err), "--bins"));
    for (size_t i = 0; i < plan->transforms; i++)
        ILK_TRY(
            ilk_blame(err, read_one(out, &out->all_power, t, plan->transform[i], ilk_wish_power, err), "--transform"));
    if (out->all_bins.kind != ILK_WISH_NONE && out->all_power.kind != ILK_WISH_NONE)
        return ilk_fail(err, ILK_EARG, "all columns are given two transforms");
    return ILK_OK;
}

/* ---- learning */

static ilk_status learn(ilk_learnt *out, size_t j, const ilk_wish *wish, const ilk_numbers *numbers, ilk_str name,
                        bool shared, ilk_error *err) {
    ilk_point *points = ilk_alloc(numbers->n, sizeof *points);
    if (!points)
        return ilk_fail_memory(err);
    size_t n = ilk_wish_learns(wish) ? ilk_numbers_points(points, numbers, j, wish->kind == ILK_WISH_BOX_COX) : 0;
    ilk_status status = ilk_transform_learn(out, wish, points, n, numbers->classes.n, shared, err);
    ilk_free(points);
    return ilk_blame(err, status, "column %.*s", ILK_SHOW(name));
}

/* Rows that learning would stop at stop it here already. */
static const ilk_error *fault_of(const ilk_wish *wish, const ilk_numbers *numbers, size_t j) {
    if (numbers->odd[j])
        return numbers->odd[j];
    return wish->kind == ILK_WISH_BOX_COX || wish->kind == ILK_WISH_LOG ? numbers->low[j] : NULL;
}

ilk_status ilk_wishes_learn(ilk_wishes *w, size_t j, const ilk_wish *wish, const ilk_numbers *numbers,
                            const ilk_table *t, bool shared, ilk_error *err) {
    const ilk_error *fault = t->skip_bad_rows ? NULL : fault_of(wish, numbers, j);
    if (fault)
        return ilk_fail(err, fault->status, "%s", fault->message);
    return ilk_table_blame(err, learn(&w->learnt[j], j, wish, numbers, t->names[j], shared, err), t);
}
