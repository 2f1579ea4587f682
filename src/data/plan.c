/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - what the plan says of a table's columns, checked against the columns there are.
 *
 * All of it is read before any value is looked at; what it leaves open is infer.c's to guess.
 */
#include "data/infer.h"
#include "data/columns.h"
#include "families/family.h"

#include <string.h>
#include <strings.h>

/* What becomes of columns, unless the model says more: all of "auto", and of "nb". */
static const ilk_model_kind as_usual = {"auto", "gaussian", NULL, "categorical", "multinomial"};

/* A model named after a family. One of numbers leaves the other columns as usual, one of categories makes categories of
 * all, and one of text leaves all else out. */
static ilk_model_kind named_after(const ilk_family *family) {
    ilk_model_kind kind = {.name = family->name};
    switch (family->kind) {
    case ILK_REAL:
        kind = as_usual;
        kind.name = family->name;
        *(family->accepts ? &kind.count_family : &kind.real_family) = family->name;
        break;
    case ILK_CATEGORY:
        kind.category_family = family->name;
        break;
    case ILK_TEXT:
        kind.text_family = family->name;
        break;
    }
    return kind;
}

void ilk_plan_init(ilk_plan *plan) {
    *plan = (ilk_plan){.tokenizer = {.kind = ILK_WORDS, .ngram_min = 1, .ngram_max = 1}};
}

static ilk_str str(const char *s) {
    return (ilk_str){s, strlen(s)};
}

/* The names of models: two, and those of the families. NULL beyond the last. */
static const char *const plain[] = {"auto", "nb"};
enum { PLAIN = sizeof plain / sizeof *plain };

static const char *model_at(size_t i) {
    ilk_family_info info;
    if (i < PLAIN)
        return plain[i];
    return ilk_family_at(i - PLAIN, &info) ? info.name : NULL;
}

static ilk_status fail_unknown(const char *what, const char *wanted, size_t first, ilk_error *err) {
    ilk_str names[64];
    size_t n = 0;
    for (; n < sizeof names / sizeof *names && model_at(first + n); n++)
        names[n] = str(model_at(first + n));
    size_t near = ilk_nearest(names, n, str(wanted));
    return near == SIZE_MAX ? ilk_fail(err, ILK_EARG, "no %s '%s'", what, wanted)
                            : ilk_fail(err, ILK_EARG, "no %s '%s' (did you mean '%s'?)", what, wanted, names[near].p);
}

static ilk_status choose_model(ilk_inference *in, ilk_error *err) {
    const char *wanted = in->plan->model ? in->plan->model : "auto";
    const ilk_family *family = ilk_family_find(wanted);
    if (!family && strcmp(wanted, "auto") != 0 && strcmp(wanted, "nb") != 0)
        return fail_unknown("model", wanted, 0, err);
    in->model = family ? named_after(family) : as_usual;
    return ILK_OK;
}

/* What else the plan says of a column, or NULL. */
static const char *told(const ilk_inference *in, size_t j) {
    return in->ignored[j]                                            ? "ignored"
           : in->text[j]                                             ? "text"
           : in->family[j] || in->wishes.of[j].kind != ILK_WISH_NONE ? "a feature"
                                                                     : NULL;
}

/* The last column that may be the target, if no name tells. */
static size_t usual_target(const ilk_inference *in) {
    static const char *const usual[] = {"class", "target", "label", "y"};
    const ilk_table *t = in->table;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        for (size_t j = 0; j < t->columns; j++)
            if (!in->ignored[j] && !in->text[j] && j != in->weight && t->names[j].n == strlen(usual[i]) &&
                strncasecmp(t->names[j].p, usual[i], t->names[j].n) == 0)
                return j;
    for (size_t j = 0; j < t->columns; j++)
        if (!told(in, j) && j != in->weight)
            last = j;
    return last;
}

/* A column, for what asks for it. */
static ilk_status find(const ilk_inference *in, size_t *out, ilk_str name, const char *option, ilk_error *err) {
    return ilk_blame(err, ilk_table_find(out, in->table, name, err), "%s", option);
}

/* Those of a list, likewise. */
static ilk_status mark(const ilk_inference *in, bool *out, const char *list, const char *option, ilk_error *err) {
    return ilk_blame(err, ilk_table_find_all(out, in->table, list, err), "%s", option);
}

static ilk_status choose_weight(ilk_inference *in, ilk_error *err) {
    const ilk_table *t = in->table;
    in->weight = SIZE_MAX;
    if (!in->plan->weights)
        return ILK_OK;
    ILK_TRY(find(in, &in->weight, str(in->plan->weights), "--weights", err));
    ilk_str name = t->names[in->weight];
    const char *other = told(in, in->weight);
    return other ? ilk_fail(err, ILK_EARG, "column %.*s cannot be the weight and %s", ILK_SHOW(name), other) : ILK_OK;
}

static ilk_status choose_target(ilk_inference *in, ilk_error *err) {
    const ilk_table *t = in->table;
    if (in->plan->target)
        ILK_TRY(find(in, &in->target, str(in->plan->target), "--target", err));
    else
        in->target = usual_target(in);
    if (in->target == SIZE_MAX)
        return ilk_fail(err, ILK_EARG, "no column is left for the target");
    size_t j = in->target;
    const char *other = j == in->weight ? "the weight" : told(in, j);
    if (other)
        return ilk_fail(err, ILK_EARG, "column %.*s cannot be the target and %s", ILK_SHOW(t->names[j]), other);
    return ILK_OK;
}

ilk_kind ilk_family_kind(const char *name) {
    const ilk_family *family = ilk_family_find(name);
    return family ? family->kind : ILK_CATEGORY;
}

/* COLUMN=FAMILY: the last '=' divides, since a family's name has none. */
static ilk_status set_family(ilk_inference *in, const char *wish, ilk_error *err) {
    const ilk_table *t = in->table;
    const char *equals = strrchr(wish, '=');
    size_t j;
    if (!equals)
        return ilk_fail(err, ILK_EARG, "'%s' is not COLUMN=FAMILY", wish);
    ILK_TRY(find(in, &j, (ilk_str){wish, (size_t)(equals - wish)}, "--family", err));
    if (!ilk_family_find(equals + 1)) /* here rather than by ilk_schema_add: here the typist is still known */
        return fail_unknown("family", equals + 1, PLAIN, err);
    if (in->ignored[j])
        return ilk_fail(err, ILK_EARG, "column %.*s is ignored and has a family", ILK_SHOW(t->names[j]));
    if (in->text[j] && ilk_family_kind(equals + 1) != ILK_TEXT)
        return ilk_fail(err, ILK_EARG, "column %.*s is text, which family %s does not model", ILK_SHOW(t->names[j]),
                        equals + 1);
    if (in->family[j])
        return ilk_fail(err, ILK_EARG, "column %.*s is given two families", ILK_SHOW(t->names[j]));
    in->family[j] = equals + 1;
    return ILK_OK;
}

/* Does what is wished for a column go with what else is said of it? */
static ilk_status check_wish(const ilk_inference *in, size_t j, ilk_error *err) {
    ilk_str name = in->table->names[j];
    const ilk_wish *wish = &in->wishes.of[j];
    if (wish->kind == ILK_WISH_NONE)
        return ILK_OK;
    if (in->ignored[j] || in->text[j])
        return ilk_fail(err, ILK_EARG, "column %.*s is %s and has a transform", ILK_SHOW(name),
                        in->ignored[j] ? "ignored" : "text");
    if (in->family[j] && ilk_family_kind(in->family[j]) != (ilk_wish_is_bins(wish) ? ILK_CATEGORY : ILK_REAL))
        return ilk_fail(err, ILK_EARG, "column %.*s: family %s does not model %s", ILK_SHOW(name), in->family[j],
                        ilk_wish_is_bins(wish) ? "bins, which are categories" : "transformed numbers");
    if (!ilk_wish_is_bins(wish) && !in->family[j] && !in->model.real_family)
        return ilk_fail(err, ILK_EARG, "column %.*s: model %s has no family for transformed numbers", ILK_SHOW(name),
                        in->model.name);
    return ILK_OK;
}

bool ilk_may_be_real(const ilk_inference *in, size_t j) {
    if (in->family[j])
        return ilk_family_kind(in->family[j]) == ILK_REAL;
    return in->effort[j] != ILK_EFFORT_NONE && j != in->target;
}

/* Which columns' numbers to keep; nothing is learnt from the others. */
static void choose_numbers(ilk_inference *in) {
    const ilk_wishes *w = &in->wishes;
    bool star = ilk_wish_learns(&w->all_bins) || ilk_wish_learns(&w->all_power);
    for (size_t j = 0; j < w->columns; j++) {
        const ilk_wish *own = &w->of[j];
        in->numbers.wanted[j] = own->kind != ILK_WISH_NONE ? ilk_wish_learns(own) : star && ilk_may_be_real(in, j);
    }
    ilk_numbers_begin(&in->numbers, in->target, in->weight);
}

/* The features of svmlight data are one column to the plan; as text they are counts. */
static ilk_status obey_for_entries(ilk_inference *in, ilk_error *err) {
    ilk_str name = in->table->names[1];
    if (in->ignored[1] || in->weight == 1)
        return ilk_fail(err, ILK_EARG, "column %.*s is all there is to learn from: it cannot be %s", ILK_SHOW(name),
                        in->ignored[1] ? "ignored" : "the weight");
    if (in->text[1] && !in->family[1])
        in->family[1] = in->model.text_family;
    return ILK_OK;
}

ilk_status ilk_plan_obey(ilk_inference *in, ilk_error *err) {
    const ilk_table *t = in->table;
    const ilk_plan *plan = in->plan;
    ILK_TRY(choose_model(in, err));
    ILK_TRY(mark(in, in->ignored, plan->ignore, "--ignore", err));
    ILK_TRY(mark(in, in->text, plan->text, "--text", err));
    for (size_t j = 0; j < t->columns; j++)
        if (in->ignored[j] && in->text[j])
            return ilk_fail(err, ILK_EARG, "column %.*s is ignored and text", ILK_SHOW(t->names[j]));
    for (size_t i = 0; i < plan->families; i++)
        ILK_TRY(set_family(in, plan->family[i], err));
    ILK_TRY(ilk_wishes_read(&in->wishes, t, plan, err));
    for (size_t j = 0; j < t->columns; j++)
        ILK_TRY(check_wish(in, j, err));
    ILK_TRY(choose_weight(in, err));
    ILK_TRY(choose_target(in, err));
    if (t->source.dialect.format == ILK_FORMAT_SVM)
        ILK_TRY(obey_for_entries(in, err));
    if (ilk_records_of(t->source.dialect.format)->names[0] && in->target == 0)
        in->text[1] = true;
    if (t->classless && in->target == 1)
        return ilk_fail(err, ILK_EDATA, "no document has a class: classes are the folders in this one");
    if (t->documents && in->target == 1) {
        in->ignored[0] |= !told(in, 0) && in->weight != 0;
        in->text[2] |= !told(in, 2) && in->weight != 2;
    }
    for (size_t j = 0; j < t->columns; j++) {
        bool open = j != in->weight && !told(in, j);
        bool count = j == in->target || (!in->model.real_family && in->model.category_family);
        in->effort[j] = !open ? ILK_EFFORT_NONE : count ? ILK_EFFORT_COUNT : ILK_EFFORT_KIND;
    }
    choose_numbers(in);
    return ILK_OK;
}
