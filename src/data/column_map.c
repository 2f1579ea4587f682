/* SPDX-License-Identifier: Apache-2.0 */
/* column_map.c - matching a schema's columns with a table's.
 *
 * Names decide, whatever their order, because the next file is seldom laid out like the last. Columns are matched by
 * place only where the table has no names, or where the model has none and the caller said that the table does: a guess
 * would be silently wrong.
 */
#include "data/column_map.h"
#include "core/memory.h"
#include "data/columns.h"
#include "data/entries.h"

#include <string.h>

void ilk_column_map_free(ilk_column_map *map) {
    ilk_missing_free(&map->missing);
    ilk_free(map->real);
    ilk_free(map->code);
    ilk_free(map->text);
    ilk_free(map->family);
    ilk_free(map->power);
    ilk_free(map->bins);
    ilk_free(map->tokenizer);
    ilk_free(map->entry);
    ilk_free(map->as_written);
    *map = (ilk_column_map){0};
}

/* Returns how many there are. The schema is asked, because it has a dictionary of its names. Ignored columns are not
 * looked for: they may be gone. */
static size_t by_name(size_t *place, const ilk_schema *schema, const ilk_table *t) {
    size_t found = 0;
    for (size_t j = 0; j < t->columns; j++) {
        size_t at = ilk_schema_find(schema, t->names[j]);
        if (at == SIZE_MAX || ilk_schema_column(schema, at)->role == ILK_IGNORED)
            continue;
        place[at] = j;
        found++;
    }
    return found;
}

/* Was the model's own table without a header? Its columns are numbered then. */
static bool is_numbered(const ilk_schema *schema) {
    for (size_t j = 0; j < ilk_schema_columns(schema); j++)
        if (ilk_entry_index(ilk_schema_column(schema, j)->name) != j + 1)
            return false;
    return true;
}

/* A table to be answered may hold all columns, or all but the target, or all but target and weight; one to be learnt
 * holds all. */
static void by_place(size_t *place, const ilk_schema *schema, const ilk_table *t, bool learnt) {
    size_t n = ilk_schema_columns(schema), target = ilk_schema_target(schema), weight = ilk_schema_weight(schema);
    bool bare = !learnt && t->columns + 2 == n && target != SIZE_MAX && weight != SIZE_MAX;
    bool unlabelled = bare || (!learnt && t->columns + 1 == n && target != SIZE_MAX);
    if (t->columns != n && !unlabelled)
        return;
    for (size_t j = 0, at = 0; j < n; j++)
        place[j] = (unlabelled && j == target) || (bare && j == weight) ? SIZE_MAX : at++;
}

/* A number for a name is an index among the entries, where the table has some. */
static size_t entry_of(const ilk_table *t, const ilk_column *c) {
    if (t->source.dialect.format != ILK_FORMAT_SVM || c->role != ILK_FEATURE || c->kind != ILK_REAL)
        return SIZE_MAX;
    size_t index = ilk_entry_index(c->name);
    return index <= ILK_INDEX_LIMIT ? index : SIZE_MAX;
}

static ilk_status find_entries(ilk_column_map *m, size_t *place, const ilk_table *t) {
    uint32_t real = 0;
    for (size_t j = 0; j < ilk_schema_columns(m->schema); j++) {
        const ilk_column *c = ilk_schema_column(m->schema, j);
        size_t index = entry_of(t, c);
        if (index != SIZE_MAX) {
            size_t before = m->entries;
            if (ilk_grow(&m->entry, &m->entries, index + 1, sizeof *m->entry))
                return ILK_ENOMEM;
            memset(m->entry + before, 0xFF, (m->entries - before) * sizeof *m->entry); /* ILK_NONE */
            m->entry[index] = real;
            place[j] = 1;
        }
        real += c->role == ILK_FEATURE && c->kind == ILK_REAL;
    }
    return ILK_OK;
}

/* Does the table begin with names, or not, depending on who looks? */
static bool may_have_header(const ilk_table *t) {
    return !t->documents && ilk_records_of(t->source.dialect.format)->first_record;
}

/* May columns be matched by place, for want of names on one side? */
static bool is_by_place(const ilk_table *t, const ilk_schema *schema) {
    return (!t->header || (t->header_told && is_numbered(schema))) && may_have_header(t);
}

/* The columns of a table without names are numbered, but what is 2 here may have been 3 where the model had labels. */
static void find_columns(size_t *place, const ilk_schema *schema, const ilk_table *t, bool learnt) {
    size_t found = 0, n = ilk_schema_columns(schema);
    for (size_t j = 0; j < n; j++)
        place[j] = SIZE_MAX;
    if (t->header || !may_have_header(t))
        found = by_name(place, schema, t);
    if (found == 0 && is_by_place(t, schema))
        by_place(place, schema, t, learnt);
}

static ilk_status refuse_places(const ilk_table *t, const ilk_schema *schema, bool learnt, const char *file,
                                ilk_error *err) {
    static const char common[] = "columns are taken by place, so there must be";
    size_t n = ilk_schema_columns(schema);
    if (learnt || ilk_schema_target(schema) == SIZE_MAX)
        return ilk_fail(err, ILK_EDATA, "%s: %s %zu; there are %zu", file, common, n, t->columns);
    if (ilk_schema_weight(schema) == SIZE_MAX)
        return ilk_fail(err, ILK_EDATA, "%s: %s %zu, or %zu without labels; there are %zu", file, common, n, n - 1,
                        t->columns);
    return ilk_fail(err, ILK_EDATA, "%s: %s %zu, %zu without labels, or %zu without labels and weights; there are %zu",
                    file, common, n, n - 1, n - 2, t->columns);
}

/* The nearest name the table does have tells a slip in the header from a wrong file. */
static ilk_status refuse_absent(const ilk_table *t, const ilk_schema *schema, bool learnt, ilk_str name,
                                ilk_error *err) {
    const char *file = t->source.feed.name(t->source.feed.ctx, 0);
    if (t->header && !t->header_told && may_have_header(t) && is_numbered(schema))
        return ilk_fail(err, ILK_EDATA,
                        "%s: the first row looks like a header, and what was learnt had none: "
                        "--header takes its columns by place, --no-header takes it for data",
                        file);
    if (is_by_place(t, schema))
        return refuse_places(t, schema, learnt, file, err);
    size_t near = ilk_nearest(t->names, t->columns, name);
    if (near == SIZE_MAX)
        return ilk_fail(err, ILK_EDATA, "%s: no column '%.*s'%s", file, ILK_SHOW(name),
                        ilk_dialect_hint_at_lines(&t->source.dialect));
    return ilk_fail(err, ILK_EDATA, "%s: no column '%.*s' (there is '%.*s')", file, ILK_SHOW(name),
                    ILK_SHOW(t->names[near]));
}

static void add_feature(ilk_column_map *m, const ilk_column *c, size_t place) {
    switch (c->kind) {
    case ILK_REAL:
        m->family[m->reals] = ilk_family_find(c->family);
        m->power[m->reals] = &c->transform;
        m->any_number &= !m->family[m->reals]->accepts && c->transform.kind == ILK_AS_IS;
        m->real[m->reals++] = place;
        break;
    case ILK_CATEGORY:
        m->bins[m->codes] = c->transform.kind == ILK_BINS ? &c->transform : NULL;
        m->code[m->codes++] = place;
        break;
    case ILK_TEXT:
        m->tokenizer[m->texts] = &c->tokenizer;
        m->text[m->texts++] = place;
        break;
    }
}

static ilk_status place_columns(ilk_column_map *m, const size_t *place, const ilk_table *t, bool learnt,
                                ilk_error *err) {
    for (size_t j = 0; j < ilk_schema_columns(m->schema); j++) {
        const ilk_column *c = ilk_schema_column(m->schema, j);
        if (c->role == ILK_TARGET)
            m->target = place[j];
        if (c->role == ILK_WEIGHT && learnt)
            m->weight = place[j];
        if (place[j] == SIZE_MAX && (c->role == ILK_FEATURE || (c->role != ILK_IGNORED && learnt)))
            return refuse_absent(t, m->schema, learnt, c->name, err);
        if (c->role == ILK_FEATURE)
            add_feature(m, c, place[j]);
        if (place[j] != SIZE_MAX && ((c->role == ILK_FEATURE && c->kind != ILK_TEXT) || c->role == ILK_WEIGHT))
            m->as_written[place[j]] = false;
    }
    return ILK_OK;
}

static bool make_room(ilk_column_map *m, size_t columns) {
    m->as_written = ilk_alloc(columns, sizeof *m->as_written);
    if (m->as_written)
        memset(m->as_written, true, columns * sizeof *m->as_written);
    m->real = ilk_alloc(ilk_schema_width(m->schema, ILK_REAL), sizeof *m->real);
    m->code = ilk_alloc(ilk_schema_width(m->schema, ILK_CATEGORY), sizeof *m->code);
    m->text = ilk_alloc(ilk_schema_width(m->schema, ILK_TEXT), sizeof *m->text);
    m->family = ilk_alloc(ilk_schema_width(m->schema, ILK_REAL), sizeof *m->family);
    m->power = ilk_alloc(ilk_schema_width(m->schema, ILK_REAL), sizeof *m->power);
    m->bins = ilk_alloc(ilk_schema_width(m->schema, ILK_CATEGORY), sizeof *m->bins);
    m->tokenizer = ilk_alloc(ilk_schema_width(m->schema, ILK_TEXT), sizeof *m->tokenizer);
    return m->as_written && m->real && m->code && m->text && m->family && m->power && m->bins && m->tokenizer &&
           ilk_missing_from_schema(&m->missing, m->schema) == ILK_OK;
}

ilk_status ilk_column_map_init(ilk_column_map *out, const ilk_schema *schema, const ilk_table *table, bool learnt,
                               ilk_error *err) {
    *out = (ilk_column_map){.schema = schema,
                            .learnt = learnt,
                            .empty_is_text = table->documents || ilk_records_of(table->source.dialect.format)->names[0],
                            .names = table->names,
                            .any_number = true,
                            .target = SIZE_MAX,
                            .weight = SIZE_MAX};
    size_t *place = ilk_alloc(ilk_schema_columns(schema), sizeof *place);
    ilk_status status = place && make_room(out, table->columns) ? ILK_OK : ILK_ENOMEM;
    if (status == ILK_OK) {
        find_columns(place, schema, table, learnt);
        status = find_entries(out, place, table);
    }
    status = status == ILK_OK ? place_columns(out, place, table, learnt, err) : ilk_fail_memory(err);
    ilk_free(place);
    if (status != ILK_OK)
        ilk_column_map_free(out);
    return status;
}
