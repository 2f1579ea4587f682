/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c - the list of families, and what their descriptions share. A new family is a row here. */
#include "families/family.h"

#include <math.h>
#include <string.h>

/* One row per family, in the order in which they are listed. It declares the family's table and puts it into the list.
 * */
#define FAMILIES(ROW)                                                                                                  \
    ROW(ilk_gaussian)                                                                                                  \
    ROW(ilk_gaussian_shared)                                                                                           \
    ROW(ilk_gda)                                                                                                       \
    ROW(ilk_qda)                                                                                                       \
    ROW(ilk_poisson)                                                                                                   \
    ROW(ilk_negative_binomial)                                                                                         \
    ROW(ilk_categorical)                                                                                               \
    ROW(ilk_table_family)                                                                                              \
    ROW(ilk_multinomial)                                                                                               \
    ROW(ilk_bernoulli)                                                                                                 \
    ROW(ilk_complement)                                                                                                \
    ROW(ilk_one_vs_rest)

#define DECLARE(family) extern const ilk_family family;
#define LIST(family) &family,

FAMILIES(DECLARE)
const ilk_family *const ilk_families[] = {FAMILIES(LIST) NULL};

const ilk_family *ilk_family_find(const char *name) {
    for (const ilk_family *const *f = ilk_families; *f; f++)
        if (strcmp((*f)->name, name) == 0)
            return *f;
    return NULL;
}

bool ilk_family_at(size_t i, ilk_family_info *out) {
    if (i >= sizeof ilk_families / sizeof *ilk_families - 1)
        return false;
    const ilk_family *f = ilk_families[i];
    *out = (ilk_family_info){f->name, f->summary, f->kind, !f->discriminative, f->layout == ILK_LAYOUT_FULL};
    return true;
}

ilk_status ilk_describe_theta(const ilk_facts *to, const char *family, ilk_str column, ilk_str key, size_t k,
                              double value) {
    return to->fn(to->ctx, &(ilk_fact){"theta", family, column, key, (uint32_t)k, value, NAN, NAN});
}

ilk_status ilk_describe_intercept(const ilk_facts *to, const char *family, size_t k, double value) {
    return ilk_describe_theta(to, family, (ilk_str){"1", 1}, (ilk_str){"", 0}, k, value);
}

ilk_status ilk_describe_number(const ilk_facts *to, const char *family, const char *which, double value) {
    ilk_str key = {which, strlen(which)};
    return to->fn(to->ctx, &(ilk_fact){"parameters", family, {"", 0}, key, ILK_NONE, value, NAN, NAN});
}

ilk_status ilk_describe_size(const ilk_facts *to, const char *family, double per_class, double in_all) {
    ILK_TRY(ilk_describe_number(to, family, "per class", per_class));
    return ilk_describe_number(to, family, "in all", in_all);
}
