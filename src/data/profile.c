/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c - counting numbers, words and distinct values.
 *
 * Distinct values are told apart by 64-bit hashes alone: a collision among 65,536 has a chance of 1e-10 and would
 * change a guess by one. The hashes are keyed, as those of dictionaries: crafted words cannot make this slow.
 */
#include "data/profile.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/number.h"
#include "kernels/kernels.h"
#include "text/tokens.h"

#include <math.h>
#include <string.h>

typedef enum shape { NO_NUMBER, INTEGER, FRACTION } shape;

void ilk_profile_free(ilk_profile *profile) {
    ilk_free(profile->slot);
    *profile = (ilk_profile){0};
}

/* ---- numbers by their looks: the grammar of ilk_number_parse, without the arithmetic */

static const char *skip_digits(const char *p, const char *end) {
    while (end - p >= 8 && ilk_are_digits(ilk_load8(p)))
        p += 8;
    while (p < end && ilk_is_digit(*p))
        p++;
    return p;
}

/* An exponent's sign and digits, to the end. */
static bool is_exponent(const char *p, const char *end) {
    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return false;
    return skip_digits(p, end) == end;
}

static shape number_shape(ilk_str s) {
    const char *p = s.p, *end = s.p + s.n;
    shape result = INTEGER;
    p += p < end && (*p == '-' || *p == '+');
    const char *whole = p;
    p = skip_digits(p, end);
    size_t digits = (size_t)(p - whole);
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        while (p < end && *p == '0') /* 3.0 is an integer to people */
            p++;
        const char *zeros = p;
        p = skip_digits(p, end);
        result = p > zeros ? FRACTION : INTEGER;
        digits += (size_t)(p - fraction);
    }
    if (digits == 0)
        return NO_NUMBER;
    if (p == end)
        return result;
    return (*p == 'e' || *p == 'E') && is_exponent(p + 1, end) ? FRACTION : NO_NUMBER;
}

/* ---- distinct values */

/* Into a table that is known not to hold it. */
static void place(uint64_t *slot, size_t slots, uint64_t hash) {
    size_t i = hash & (slots - 1);
    while (slot[i])
        i = (i + 1) & (slots - 1);
    slot[i] = hash;
}

static ilk_status double_slots(ilk_profile *p) {
    size_t slots = p->slots ? 2 * p->slots : 32;
    uint64_t *slot = ilk_zalloc(slots, sizeof *slot);
    if (!slot)
        return ILK_ENOMEM;
    for (size_t i = 0; i < p->slots; i++)
        if (p->slot[i])
            place(slot, slots, p->slot[i]);
    ilk_free(p->slot);
    p->slot = slot;
    p->slots = slots;
    return ILK_OK;
}

/* 1 and 1.0 are one value, as they will be one category. The hash itself is what is stored; 0, which marks an empty
 * slot, passes for 1. */
static ilk_status count_distinct(ilk_profile *p, ilk_str value) {
    uint64_t hash = ilk_hash_key(ilk_hash_seed(), 0, ilk_number_plain(value));
    hash += hash == 0;
    if (2 * p->distinct >= p->slots)
        ILK_TRY(double_slots(p));
    size_t i = hash & (p->slots - 1);
    while (p->slot[i] && p->slot[i] != hash)
        i = (i + 1) & (p->slots - 1);
    p->distinct += p->slot[i] == 0;
    p->slot[i] = hash;
    return ILK_OK;
}

/* ---- columns */

static void note_odd(ilk_profile *p, ilk_str value) {
    size_t n = value.n < sizeof p->odd ? value.n : sizeof p->odd - 1;
    memcpy(p->odd, value.p, n);
    p->odd[n] = '\0';
}

/* Fractions, and more than a few of them: a real column, unless something else turns up, and that needs no count. */
static bool is_settled(const ilk_profile *p) {
    return p->numbers == p->values && p->integers < p->numbers && p->distinct > ILK_FEW_VALUES;
}

static ilk_status add_value(ilk_profile *p, ilk_str value, ilk_effort effort) {
    shape looks = number_shape(value);
    if (looks == NO_NUMBER && p->numbers == p->values)
        note_odd(p, value);
    p->values++;
    p->numbers += looks != NO_NUMBER;
    p->integers += looks == INTEGER;
    p->negatives += looks == INTEGER && value.p[0] == '-';
    if (looks == NO_NUMBER)
        p->words += ilk_words_estimate(value);
    if (effort == ILK_EFFORT_COUNT || !is_settled(p))
        return count_distinct(p, value);
    p->uncounted++;
    return ILK_OK;
}

/* ---- rows
 *
 * Columns that are settled are listed, and their numbers read at once: all that matters is that they are some. */

typedef struct surveyor {
    ilk_survey *survey;
    const ilk_table *table;
    ilk_parser parser;
    ilk_str *fields;
    double *x;
    bool *settled, *points;
    size_t *list, listed;
    size_t whole; /* rows in which all that are listed were numbers, and are still to be counted */
    bool changed; /* `settled` is no longer what is listed */
} surveyor;

static ilk_status add_field(surveyor *v, size_t j) {
    ilk_profile *p = &v->survey->profiles[j];
    ilk_effort effort = v->survey->effort[j];
    if (effort == ILK_EFFORT_NONE || ilk_missing_has(&v->table->missing, v->fields[j]))
        return ILK_OK;
    ILK_TRY(add_value(p, v->fields[j], effort));
    bool settled = effort == ILK_EFFORT_KIND && is_settled(p) && !v->table->missing.numbers;
    v->changed |= settled != v->settled[j];
    v->settled[j] = settled;
    return ILK_OK;
}

/* So many numbers more in the listed columns from `first` to before `last`. */
static void count_numbers(surveyor *v, size_t first, size_t last, size_t many) {
    for (size_t i = first; i < last; i++) {
        v->survey->profiles[v->list[i]].values += many;
        v->survey->profiles[v->list[i]].numbers += many;
        v->survey->profiles[v->list[i]].uncounted += many;
    }
}

/* Where the format has numbers as such, nothing needs to be read. */
static ilk_status add_known(surveyor *v) {
    for (size_t i = 0; i < v->listed; i++) {
        if (isnan(v->parser.number[v->list[i]]))
            ILK_TRY(add_field(v, v->list[i]));
        else
            count_numbers(v, i, i + 1, 1);
    }
    return ILK_OK;
}

static ilk_status add_settled(surveyor *v) {
    if (v->parser.number)
        return add_known(v);
    for (size_t i = 0, first = 0;; first = ++i) {
        i += ilk_kernels_use()->numbers(v->x, v->fields, v->list + i, v->listed - i);
        if (i - first == v->listed) {
            v->whole++;
            return ILK_OK;
        }
        count_numbers(v, first, i, 1);
        if (i == v->listed)
            return ILK_OK;
        ILK_TRY(add_field(v, v->list[i]));
    }
}

static void list_settled(surveyor *v) {
    count_numbers(v, 0, v->listed, v->whole);
    v->whole = v->listed = 0;
    for (size_t j = 0; j < v->table->columns; j++)
        if (v->settled[j])
            v->list[v->listed++] = j;
    v->changed = false;
}

static ilk_status add_row(surveyor *v, const char *file) {
    for (size_t j = 0; j < v->table->columns; j++)
        if (!v->settled[j])
            ILK_TRY(add_field(v, j));
    ILK_TRY(add_settled(v));
    if (v->changed)
        list_settled(v);
    v->survey->rows++;
    return ilk_numbers_add(v->survey->numbers, v->table, v->fields, file, v->parser.line);
}

/* Blocks are only read here: the pass will parse the same bytes again. */
static ilk_status add_block(surveyor *v, const ilk_text_block *block, size_t most) {
    const ilk_table *t = v->table;
    if (v->survey->numbers->width == 0) /* else their text is asked for */
        v->parser.numeric = v->settled;
    ILK_TRY(ilk_parser_start(&v->parser, &t->source.dialect, ilk_text_block_rest(block), block->line));
    while (v->survey->rows < most) {
        ilk_row_state state = ilk_parser_row(&v->parser, v->fields, t->columns);
        if (state == ILK_ROW_NONE)
            break;
        if (state == ILK_ROW)
            ILK_TRY(add_row(v, block->name));
        else if (v->survey->fault.status == ILK_OK)
            ilk_table_fault(t, block, &v->parser, state, &v->survey->fault);
    }
    return ILK_OK;
}

ilk_status ilk_survey_check(const ilk_survey *s, ilk_error *err) {
    if (s->rows > 0 || s->fault.status == ILK_OK)
        return ILK_OK;
    return ilk_fail(err, s->fault.status, "%s", s->fault.message);
}

static ilk_status begin(surveyor *v, ilk_survey *s, const ilk_table *t) {
    *v = (surveyor){.survey = s, .table = t};
    v->fields = ilk_alloc(t->columns, sizeof *v->fields);
    v->x = ilk_alloc(t->columns, sizeof *v->x);
    v->settled = ilk_zalloc(t->columns, sizeof *v->settled);
    v->list = ilk_alloc(t->columns, sizeof *v->list);
    v->points = v->parser.points = ilk_zalloc(t->columns, sizeof *v->points);
    return v->fields && v->x && v->settled && v->list && v->points ? ILK_OK : ILK_ENOMEM;
}

static void end(surveyor *v) {
    count_numbers(v, 0, v->listed, v->whole);
    for (size_t j = 0; v->points && j < v->table->columns; j++)
        v->survey->profiles[j].commas |= v->points[j];
    ilk_parser_free(&v->parser);
    ilk_free(v->fields);
    ilk_free(v->x);
    ilk_free(v->settled);
    ilk_free(v->points);
    ilk_free(v->list);
}

ilk_status ilk_survey_ahead(ilk_survey *s, const ilk_table *t, ilk_error *err) {
    surveyor v;
    ilk_status status = begin(&v, s, t);
    for (; s->blocks < t->ahead_n && status == ILK_OK; s->blocks++)
        status = add_block(&v, &t->ahead[s->blocks], ILK_AHEAD_ROWS);
    end(&v);
    return status == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

ilk_status ilk_survey_all(ilk_survey *s, ilk_table *t, ilk_error *err) {
    surveyor v;
    ilk_text_block block = {0};
    ilk_status status = begin(&v, s, t) == ILK_OK ? ILK_OK : ilk_fail_memory(err);
    t->consumed = true;
    for (bool more = true; status == ILK_OK;) {
        status = ilk_table_next(t, &block, &more, err);
        if (status != ILK_OK || !more)
            break;
        if (add_block(&v, &block, SIZE_MAX) != ILK_OK)
            status = ilk_fail_memory(err);
        else
            status = ilk_table_tell(t, &block, s->rows, s->progress, s->ctx, err);
    }
    end(&v);
    ilk_buffer_free(&block.bytes);
    return status;
}

void ilk_profile_heed(ilk_profile *p, ilk_hint hint) {
    if (hint == ILK_HINT_NUMBER) { /* a value that is none is an error, not a category */
        p->numbers = p->values;
        p->distinct = p->distinct > ILK_FEW_VALUES ? p->distinct : ILK_FEW_VALUES + 1;
    } else if (hint == ILK_HINT_STRING || hint == ILK_HINT_VALUES) {
        p->numbers = p->integers = 0;
    }
    if (hint == ILK_HINT_VALUES) { /* neither prose nor an identifier, however many there are */
        p->words = 0;
        p->distinct = p->distinct < p->values ? p->distinct : p->values - (p->values > 0);
    }
}
