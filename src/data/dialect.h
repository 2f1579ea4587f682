/* SPDX-License-Identifier: Apache-2.0 */
/* dialect.h - how a file's bytes divide into records and fields. */
#ifndef ILK_DATA_DIALECT_H
#define ILK_DATA_DIALECT_H

#include "core/error.h"

#include <ilk_data.h>

typedef struct ilk_dialect {
    ilk_format format; /* never ILK_FORMAT_AUTO */
    char delimiter;
    bool unlabelled;             /* a line without a TAB is a text without a label */
    bool for_lines;              /* the schema is of lines, which these may be too */
    const struct ilk_head *head; /* what the table knows of its columns; NULL: nothing */
} ilk_dialect;

/* What the caller asked for; else what the name and the first bytes of the file say. `unlabelled`: texts alone may be
 * expected. */
ilk_dialect ilk_dialect_choose(ilk_format asked, const char *path, ilk_str head, const ilk_schema *schema,
                               bool unlabelled);

/* For messages about what is not as a schema of lines has it, else empty: lines name no columns and know no quotes. */
const char *ilk_dialect_hint_at_lines(const ilk_dialect *dialect);

/* Where a number with a decimal comma, as 5,1 or -,25e3, has its comma; NULL where it is none. */
const char *ilk_decimal_comma(ilk_str field);

/* Blanks around an unquoted field are not part of it. (Where TAB is the delimiter, none can be inside a field.) */
static inline bool ilk_is_blank(char c) {
    return c == ' ' || c == '\t';
}

#endif
