/* SPDX-License-Identifier: Apache-2.0 */
/* column_map.h - where the columns of a schema stand in a table. Made once per pass, then only read, by all threads. */
#ifndef ILK_DATA_COLUMN_MAP_H
#define ILK_DATA_COLUMN_MAP_H

#include "data/table.h"
#include "families/family.h"
#include "transform/transform.h"

typedef struct ilk_column_map {
    const ilk_schema *schema;
    bool learnt;          /* the rows are, or were, and not only answered */
    bool empty_is_text;   /* rows are documents, and one that is empty is not missing */
    const ilk_str *names; /* of the table's columns */
    /* Table columns of the features of each kind, in schema order. */
    size_t *real, *code, *text;
    size_t reals, codes, texts;
    const ilk_family **family;       /* of each real: it may not accept all numbers */
    const ilk_transform **power;     /* of each real: nor may its transform */
    bool any_number;                 /* all of them do */
    const ilk_transform **bins;      /* of each category: NULL unless it is a column of bins */
    const ilk_tokenizer **tokenizer; /* of each text */
    size_t target;                   /* table column, or SIZE_MAX */
    size_t weight;                   /* the same; always SIZE_MAX when rows are answered and not learnt */
    /* Where the table has entries "index:value" and the schema numbers: entry[index] is the real feature, or ILK_NONE.
     * All of them are in that one column. NULL: numbers are fields of their own. */
    uint32_t *entry;
    size_t entries;
    bool *as_written; /* per table column: a label, a text, or nothing to the model; no number and no category */
    ilk_missing missing;
} ilk_column_map;

/* Columns are found by name; by place where none of the schema's names is there and the table has no header, or has one
 * by the caller's word and the table that was learnt had none.
 * ILK_EDATA names a column that is missing: target and weight only if rows are to be `learnt`. ILK_ENOMEM. */
ilk_status ilk_column_map_init(ilk_column_map *out, const ilk_schema *schema, const ilk_table *table, bool learnt,
                               ilk_error *err);
void ilk_column_map_free(ilk_column_map *map);

#endif
