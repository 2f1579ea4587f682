/* SPDX-License-Identifier: Apache-2.0 */
/* missing.c - lists of spellings of "no value". Only the arrays are owned: the strings stay with the table or the
 * schema that declares them, which outlives its readers. */
#include "data/missing.h"
#include "core/memory.h"

#include <string.h>

void ilk_missing_free(ilk_missing *m) {
    ilk_free(m->spelling);
    *m = (ilk_missing){0};
}

static void add(ilk_missing *m, ilk_str spelling) {
    double x;
    m->numbers |= ilk_number_parse(&x, spelling);
    spelling = ilk_number_plain(spelling);
    m->spelling[m->n++] = spelling;
    m->lengths |= ilk_missing_bit(spelling);
}

/* For n spellings; the empty one need not be listed, it always counts. */
static ilk_status make_room(ilk_missing *m, size_t n) {
    *m = (ilk_missing){.spelling = ilk_alloc(n, sizeof *m->spelling)};
    return m->spelling ? ILK_OK : ILK_ENOMEM;
}

ilk_status ilk_missing_split(ilk_missing *out, ilk_str list) {
    size_t commas = 0;
    for (size_t i = 0; i < list.n; i++)
        commas += list.p[i] == ',';
    ILK_TRY(make_room(out, commas + 1));
    for (size_t i = 0, begin = 0; i <= list.n; i++)
        if (i == list.n || list.p[i] == ',') {
            if (i > begin)
                add(out, (ilk_str){list.p + begin, i - begin});
            begin = i + 1;
        }
    return ILK_OK;
}

ilk_status ilk_missing_from_schema(ilk_missing *out, const ilk_schema *schema) {
    size_t n = ilk_schema_missing_count(schema);
    ILK_TRY(make_room(out, n));
    for (size_t i = 0; i < n; i++)
        add(out, ilk_schema_missing(schema, i));
    return ILK_OK;
}
