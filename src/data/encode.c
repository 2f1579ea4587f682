/* SPDX-License-Identifier: Apache-2.0 */
/* encode.c - one row at a time, growing the matrices of a block.
 *
 * Invariant: a row that is refused leaves no trace. Numbers, which can be wrong, are therefore read before any name is
 * learnt, and rows count only once they are complete.
 */
#include "data/encode.h"
#include "core/memory.h"
#include "core/number.h"
#include "data/entries.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where a row comes from, for messages. */
typedef struct origin {
    const char *file;
    size_t line;
} origin;

static ilk_status refuse(const ilk_encoder *e, const origin *at, size_t column, ilk_str value, const char *why,
                         ilk_error *err) {
    return ilk_fail(err, ILK_EDATA, "%s:%zu: column %.*s: '%.*s' %s", at->file, at->line,
                    ILK_SHOW(e->map->names[column]), ILK_SHOW(value), why);
}

/* Here, where file and line are known; the statistics would refuse the whole block. */
static ilk_status refuse_number(const ilk_encoder *e, const origin *at, size_t j, ilk_str value, ilk_error *err) {
    char why[64];
    snprintf(why, sizeof why, "is nothing that family %s models", e->map->family[j]->name);
    return refuse(e, at, e->map->real[j], value, why, err);
}

static bool refuses_unseen(const ilk_encoder *e) {
    return e->model && ilk_model_options(e->model)->unseen == ILK_UNSEEN_ERROR;
}

/* ---- numbers */

/* A number that a family cannot model; it has no text where none was made of it. */
static ilk_status check_real(const ilk_encoder *e, const origin *at, size_t j, ilk_str value, double x,
                             ilk_error *err) {
    const ilk_family *family = e->map->family[j];
    char digits[ILK_NUMBER_SIZE];
    const char *why = isinf(x) ? "is too large" : ilk_transform_refuses(e->map->power[j], x);
    if (!why && (!family->accepts || family->accepts(x)))
        return ILK_OK;
    if (value.n == 0)
        value = (ilk_str){digits, ilk_number_format(digits, x)};
    return why ? refuse(e, at, e->map->real[j], value, why, err) : refuse_number(e, at, j, value, err);
}

static ilk_status add_reals(ilk_encoder *e, const ilk_str *fields, const double *number, const origin *at,
                            ilk_error *err) {
    const ilk_column_map *m = e->map;
    for (size_t j = 0; j < m->reals; j++) {
        ilk_str value = fields[m->real[j]];
        double *x = &e->real[e->n * m->reals + j], known = number ? number[m->real[j]] : (double)NAN;
        if (value.n > 0 && ilk_missing_has(&m->missing, value)) { /* first, because -999 may be one */
            *x = (double)NAN;
            continue;
        }
        *x = known; /* missing, if there is no text either */
        if (value.n > 0 && isnan(known) && !ilk_number_parse(x, value))
            return refuse(e, at, m->real[j], value, "is not a number", err);
        bool any = !m->family[j]->accepts && m->power[j]->kind == ILK_AS_IS; /* any number will do */
        if (!isnan(*x) && (!any || isinf(*x)))
            ILK_TRY(check_real(e, at, j, value, *x, err));
    }
    return ILK_OK;
}

/* The bin of that name, from 1, or 0: rows drawn from a model hold names where there were numbers. */
static size_t find_bin(const ilk_transform *t, ilk_str value) {
    char name[ILK_BIN_NAME];
    for (size_t bin = 1; bin <= t->edges + 1; bin++)
        if (ilk_str_equal(value, (ilk_str){name, ilk_transform_bin_name(name, t, bin)}))
            return bin;
    return 0;
}

static ilk_status add_bins(ilk_encoder *e, const ilk_str *fields, const origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    for (size_t j = 0; j < m->codes; j++) {
        if (!m->bins[j])
            continue;
        ilk_str value = fields[m->code[j]];
        uint32_t *code = &e->code[e->n * m->codes + j];
        double x;
        *code = ILK_MISSING;
        if (ilk_missing_has(&m->missing, value))
            continue;
        size_t bin = ilk_number_parse(&x, value) ? ilk_transform_bin(m->bins[j], x) : find_bin(m->bins[j], value);
        if (bin == 0)
            return refuse(e, at, m->code[j], value, "is not a number, and none of the column's bins", err);
        *code = e->bin_code[j][bin - 1];
    }
    return ILK_OK;
}

/* An entry is named by its index. */
static ilk_status refuse_entry(const origin *at, const ilk_entry *entry, const char *why, ilk_error *err) {
    return ilk_fail(err, ILK_EDATA, "%s:%zu: column %.*s: '%.*s' %s", at->file, at->line, ILK_SHOW(entry->key),
                    ILK_SHOW(entry->value), why);
}

/* Numbers that are not listed are 0. An index the model does not know is an extra column, and tolerated; one that the
 * rows looked at did not have, and that is now to be learnt, is not. */
static ilk_status add_entries(ilk_encoder *e, ilk_str rest, const origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    double *x = &e->real[e->n * m->reals];
    memset(x, 0, m->reals * sizeof *x);
    for (ilk_entry entry; ilk_entry_next(&rest, &entry);) {
        size_t index = ilk_entry_index(entry.key);
        uint32_t j = index < m->entries ? m->entry[index] : ILK_NONE;
        if (j == ILK_NONE && e->stats)
            return refuse_entry(at, &entry, "is in a column that the first rows do not have (--columns)", err);
        if (j == ILK_NONE)
            continue;
        if (!ilk_number_parse(&x[j], entry.value))
            return refuse_entry(at, &entry, "is not a number", err);
        if (isinf(x[j]))
            return refuse_entry(at, &entry, "is too large", err);
        if (m->family[j]->accepts && !m->family[j]->accepts(x[j]))
            return refuse_entry(at, &entry, "is nothing that this family models", err);
    }
    return ILK_OK;
}

/* A row whose weight is not known cannot be learnt: there is nothing to assume. */
static ilk_status add_weight(ilk_encoder *e, const ilk_str *fields, const origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    if (m->weight == SIZE_MAX)
        return ILK_OK;
    ilk_str value = fields[m->weight];
    double *w = &e->weight[e->n];
    if (ilk_missing_has(&m->missing, value) || !ilk_number_parse(w, value) || !(*w >= 0) || isinf(*w))
        return refuse(e, at, m->weight, value, "is no weight: a number, 0 or more", err);
    return ILK_OK;
}

/* ---- categories */

/* By the dictionary: learning makes a code for a new value, answering does not. */
static ilk_status look_up_code(const ilk_encoder *e, size_t j, ilk_str value, uint32_t *code, ilk_error *err) {
    if (e->stats)
        return ilk_stats_code(code, e->stats, j, value, err);
    *code = ilk_model_code(e->model, j, value);
    return ILK_OK;
}

static ilk_status find_code(const ilk_encoder *e, size_t j, ilk_str value, uint32_t *code, ilk_error *err) {
    if (value.n > ILK_MEMO_LONGEST)
        return look_up_code(e, j, value, code, err);
    ilk_memo key = ilk_memo_key(value);
    ilk_memo_place *place = &e->code_memo[(j << ILK_CODE_MEMO_BITS) + ilk_memo_at(&key, ILK_CODE_MEMO_BITS)];
    if (!ilk_memo_recall(place, &key)) {
        ILK_TRY(look_up_code(e, j, value, &key.id, err));
        ilk_memo_keep(place, &key);
    }
    *code = key.id;
    return ILK_OK;
}

static ilk_status encode_category(const ilk_encoder *e, size_t j, ilk_str value, const origin *at, uint32_t *code,
                                  ilk_error *err) {
    ILK_TRY(find_code(e, j, value, code, err));
    if (*code == ILK_UNSEEN && refuses_unseen(e))
        return refuse(e, at, e->map->code[j], value, "is a value the model has not seen", err);
    return ILK_OK;
}

static ilk_status add_codes(ilk_encoder *e, const ilk_str *fields, const origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    for (size_t j = 0; j < m->codes; j++) {
        ilk_str value = fields[m->code[j]];
        uint32_t *code = &e->code[e->n * m->codes + j];
        if (m->bins[j]) /* by add_bins */
            continue;
        if (ilk_missing_has(&m->missing, value))
            *code = ILK_MISSING;
        else
            ILK_TRY(encode_category(e, j, value, at, code, err));
    }
    return ILK_OK;
}

/* ---- words */

static bool room_for_words(ilk_bag *b, size_t more) {
    return !ilk_grow(&b->id, &b->id_cap, b->n + more, sizeof *b->id) &&
           !ilk_grow(&b->count, &b->count_cap, b->n + more, sizeof *b->count);
}

static void append_word(ilk_bag *b, uint32_t id, uint32_t times) {
    b->id[b->n] = id;
    b->count[b->n++] = times;
}

/* What a row has of a word is counted in 32 bits. */
static void count_on(uint32_t *count, uint32_t times) {
    *count = times > UINT32_MAX - *count ? UINT32_MAX : *count + times;
}

/* All unknown words of a row are one entry: the model asks only how many there were. */
static void count_unseen(ilk_bag *b, uint32_t times) {
    if (b->unseen != SIZE_MAX) {
        count_on(&b->count[b->unseen], times);
        return;
    }
    b->unseen = b->n;
    append_word(b, ILK_UNSEEN, times);
}

static ilk_status make_where(ilk_bag *b, uint32_t id) {
    size_t before = b->where_cap;
    if (ilk_grow(&b->where, &b->where_cap, (size_t)id + 1, sizeof *b->where))
        return ILK_ENOMEM;
    memset(b->where + before, 0, (b->where_cap - before) * sizeof *b->where);
    return ILK_OK;
}

/* `where` is never cleared: an old entry points outside this row or at another word. There is room in the bag. */
static ilk_status count_word(ilk_bag *b, size_t row_begin, uint32_t id, uint32_t times) {
    if (id == ILK_MISSING) /* stopped */
        return ILK_OK;
    if (id == ILK_UNSEEN) {
        count_unseen(b, times);
        return ILK_OK;
    }
    if (id >= b->where_cap)
        ILK_TRY(make_where(b, id));
    size_t at = b->where[id];
    if (at >= row_begin && at < b->n && b->id[at] == id) {
        count_on(&b->count[at], times);
        return ILK_OK;
    }
    b->where[id] = (uint32_t)b->n;
    append_word(b, id, times);
    return ILK_OK;
}

/* Words are gathered before they are looked up: a look-up waits for memory twice, for the memo and for the word's place
 * in the bag, and most of that is over when both were asked for some words ago. */
enum { GATHERED = 64 };

typedef struct gathered {
    ilk_str word;
    uint32_t times;
    ilk_memo key;          /* with the id, once it is found */
    ilk_memo_place *place; /* NULL: too long to be remembered */
} gathered;

typedef struct word_context {
    gathered words[GATHERED];
    size_t n;
    ilk_encoder *e;
    size_t j;         /* the text column */
    size_t row_begin; /* of the row's words in its bag */
    const origin *at;
    ilk_error *err;
} word_context;

static ilk_status look_up_word(const word_context *w, ilk_str word, uint32_t *id) {
    if (w->e->stats)
        return ilk_stats_word(id, w->e->stats, w->j, word, w->err);
    *id = ilk_model_word(w->e->model, w->j, word);
    return ILK_OK;
}

static ilk_status find_word(const word_context *w, gathered *g) {
    if (g->place && ilk_memo_recall(g->place, &g->key))
        return ILK_OK;
    ILK_TRY(look_up_word(w, g->word, &g->key.id));
    if (g->place)
        ilk_memo_keep(g->place, &g->key);
    return ILK_OK;
}

static ilk_status find_words(word_context *w) {
    const ilk_bag *b = &w->e->bags[w->j];
    bool refused = refuses_unseen(w->e);
    for (size_t i = 0; i < w->n; i++) {
        gathered *g = &w->words[i];
        ILK_TRY(find_word(w, g));
        if (g->key.id < b->where_cap)
            __builtin_prefetch(&b->where[g->key.id]);
        else if (g->key.id == ILK_UNSEEN && refused)
            return refuse(w->e, w->at, w->e->map->text[w->j], g->word, "is a word the model has not seen", w->err);
    }
    return ILK_OK;
}

static ilk_status count_words(word_context *w) {
    ILK_TRY(find_words(w));
    if (!room_for_words(&w->e->bags[w->j], w->n))
        return ilk_fail_memory(w->err);
    for (size_t i = 0; i < w->n; i++)
        if (count_word(&w->e->bags[w->j], w->row_begin, w->words[i].key.id, w->words[i].times) != ILK_OK)
            return ilk_fail_memory(w->err);
    w->n = 0;
    return ILK_OK;
}

static ilk_status add_words(word_context *w, ilk_str word, uint32_t times) {
    gathered *g = &w->words[w->n++];
    g->word = word;
    g->times = times;
    g->place = NULL;
    if (word.n > 0 && word.n <= ILK_MEMO_LONGEST) {
        g->key = ilk_memo_key(word);
        g->place = &w->e->bags[w->j].memo[ilk_memo_at(&g->key, ILK_WORD_MEMO_BITS)];
        __builtin_prefetch(g->place);
    }
    return w->n < GATHERED ? ILK_OK : count_words(w);
}

static ilk_status add_word(void *ctx, ilk_str word) {
    return add_words(ctx, word, 1);
}

/* "word:count" each. */
static ilk_status add_counted(word_context *w, ilk_str rest) {
    double x, sum = 0;
    for (ilk_entry entry; ilk_entry_next(&rest, &entry);) {
        if (!entry.value.p || !ilk_number_parse(&x, entry.value) || !(x >= 0 && x <= UINT32_MAX) || x != floor(x))
            return refuse_entry(w->at, &entry, "is no count: a whole number from 0 to 4294967295", w->err);
        sum += x;
        if (sum > UINT32_MAX)
            return refuse_entry(w->at, &entry, "is too many: the counts of a row must not sum to over 4294967295",
                                w->err);
        if (x > 0)
            ILK_TRY(add_words(w, entry.key, (uint32_t)x));
    }
    return ILK_OK;
}

/* What a fixed dictionary does not have counts in the weights of what it has, as it will when rows are answered, but is
 * not learnt. */
static void drop_unseen(ilk_bag *b) {
    if (b->unseen == SIZE_MAX)
        return;
    b->n--;
    b->id[b->unseen] = b->id[b->n];
    b->count[b->unseen] = b->count[b->n];
}

static ilk_status add_text(ilk_encoder *e, size_t j, ilk_str text, const origin *at, ilk_error *err) {
    const ilk_column_map *m = e->map;
    ilk_bag *b = &e->bags[j];
    b->n = b->begin[e->n]; /* words of a row that was refused half-way are dropped here */
    b->unseen = SIZE_MAX;
    if (!ilk_missing_has(&m->missing, text)) {
        word_context w; /* not by an initialiser, which would clear the words, too */
        w.n = 0;
        w.e = e;
        w.j = j;
        w.row_begin = b->n;
        w.at = at;
        w.err = err;
        if (m->tokenizer[j]->kind == ILK_COUNTS)
            ILK_TRY(add_counted(&w, text));
        else
            ILK_TRY(ilk_tokenize(m->tokenizer[j], text, &e->scratch, add_word, &w));
        ILK_TRY(count_words(&w));
        if (b->n > w.row_begin) /* else there may be no bag yet */
            ilk_tokenizer_weigh(b->count + w.row_begin, b->id + w.row_begin, b->n - w.row_begin, m->tokenizer[j]);
        if (e->stats)
            drop_unseen(b);
    }
    b->begin[e->n + 1] = b->n;
    return ILK_OK;
}

/* ---- labels */

/* Labels are few and short; their dictionary is in the cache anyway. */
static ilk_status add_label(ilk_encoder *e, const ilk_str *fields, ilk_error *err) {
    const ilk_column_map *m = e->map;
    uint32_t *label = &e->label[e->n];
    *label = ILK_NONE;
    if (m->target == SIZE_MAX || ilk_missing_has(&m->missing, fields[m->target]))
        return ILK_OK;
    if (e->stats)
        return ilk_stats_class(label, e->stats, fields[m->target], err);
    *label = ilk_model_class(e->model, fields[m->target]);
    return ILK_OK;
}

/* ---- rows */

static bool bag_init(ilk_bag *b) {
    b->memo = ilk_zalloc((size_t)1 << ILK_WORD_MEMO_BITS, sizeof *b->memo);
    return b->memo && !ilk_grow(&b->begin, &b->begin_cap, 1, sizeof *b->begin);
}

static void bag_free(ilk_bag *b) {
    ilk_free(b->begin);
    ilk_free(b->id);
    ilk_free(b->count);
    ilk_free(b->where);
    ilk_free(b->memo);
}

/* The codes of a column's bins, once for all rows. Statistics and models have them all. */
static bool bins_init(ilk_encoder *e, size_t j) {
    const ilk_transform *t = e->map->bins[j];
    char name[ILK_BIN_NAME];
    if (!t)
        return true;
    e->bin_code[j] = ilk_alloc(t->edges + 1, sizeof *e->bin_code[j]);
    for (size_t bin = 1; e->bin_code[j] && bin <= t->edges + 1; bin++) {
        ilk_str key = {name, ilk_transform_bin_name(name, t, bin)};
        if (look_up_code(e, j, key, &e->bin_code[j][bin - 1], NULL) != ILK_OK)
            return false;
    }
    return e->bin_code[j] != NULL;
}

ilk_status ilk_encoder_init(ilk_encoder *out, const ilk_column_map *map, ilk_stats *stats, const ilk_model *model) {
    *out = (ilk_encoder){.map = map, .stats = stats, .model = model};
    out->bags = ilk_zalloc(map->texts, sizeof *out->bags);
    out->tokens = ilk_zalloc(map->texts, sizeof *out->tokens);
    out->code_memo = ilk_zalloc(map->codes << ILK_CODE_MEMO_BITS, sizeof *out->code_memo);
    out->bin_code = ilk_zalloc(map->codes, sizeof *out->bin_code);
    bool good = out->bags && out->tokens && out->code_memo && out->bin_code;
    for (size_t j = 0; good && j < map->codes; j++)
        good = bins_init(out, j);
    for (size_t j = 0; good && j < map->texts; j++)
        good = bag_init(&out->bags[j]);
    if (!good) {
        ilk_encoder_free(out);
        return ILK_ENOMEM;
    }
    ilk_encoder_clear(out);
    return ILK_OK;
}

void ilk_encoder_free(ilk_encoder *e) {
    for (size_t j = 0; e->bags && j < e->map->texts; j++)
        bag_free(&e->bags[j]);
    ilk_free(e->bags);
    ilk_free(e->tokens);
    ilk_free(e->code_memo);
    for (size_t j = 0; e->bin_code && j < e->map->codes; j++)
        ilk_free(e->bin_code[j]);
    ilk_free(e->bin_code);
    ilk_free(e->real);
    ilk_free(e->weight);
    ilk_free(e->code);
    ilk_free(e->label);
    ilk_token_scratch_free(&e->scratch);
    *e = (ilk_encoder){0};
}

void ilk_encoder_settle(ilk_encoder *e) {
    for (size_t j = 0; j < e->map->texts; j++) {
        ilk_free(e->bags[j].where);
        ilk_free(e->bags[j].memo);
        e->bags[j].where = NULL;
        e->bags[j].where_cap = 0;
        e->bags[j].memo = NULL;
    }
    ilk_free(e->code_memo);
    e->code_memo = NULL;
    ilk_token_scratch_free(&e->scratch);
    e->scratch = (ilk_token_scratch){0};
}

void ilk_encoder_clear(ilk_encoder *e) {
    e->n = 0;
    for (size_t j = 0; j < e->map->texts; j++)
        e->bags[j].begin[0] = e->bags[j].n = 0;
}

/* Room for one row more. */
static bool make_room(ilk_encoder *e) {
    const ilk_column_map *m = e->map;
    size_t rows = e->n + 1;
    bool good = !ilk_grow(&e->real, &e->real_cap, rows * m->reals, sizeof *e->real) &&
                (m->weight == SIZE_MAX || !ilk_grow(&e->weight, &e->weight_cap, rows, sizeof *e->weight)) &&
                !ilk_grow(&e->code, &e->code_cap, rows * m->codes, sizeof *e->code) &&
                !ilk_grow(&e->label, &e->label_cap, rows, sizeof *e->label);
    for (size_t j = 0; good && j < m->texts; j++)
        good = !ilk_grow(&e->bags[j].begin, &e->bags[j].begin_cap, rows + 1, sizeof *e->bags[j].begin);
    return good;
}

ilk_status ilk_encoder_add(ilk_encoder *e, const ilk_str *fields, const double *number, const char *file, size_t line,
                           bool *unlabelled, ilk_error *err) {
    const ilk_column_map *m = e->map;
    const origin at = {file, line};
    *unlabelled = m->target != SIZE_MAX && ilk_missing_has(&m->missing, fields[m->target]);
    if (*unlabelled && m->learnt)
        return ILK_OK;
    if (!make_room(e))
        return ilk_fail_memory(err);
    if (m->entry)
        ILK_TRY(add_entries(e, fields[m->real[0]], &at, err));
    else
        ILK_TRY(add_reals(e, fields, number, &at, err));
    ILK_TRY(add_bins(e, fields, &at, err));
    ILK_TRY(add_weight(e, fields, &at, err));
    ILK_TRY(add_label(e, fields, err));
    ILK_TRY(add_codes(e, fields, &at, err));
    for (size_t j = 0; j < m->texts; j++)
        ILK_TRY(add_text(e, j, fields[m->text[j]], &at, err));
    e->n++;
    return ILK_OK;
}

ilk_status ilk_encoder_add_blank(ilk_encoder *e) {
    const ilk_column_map *m = e->map;
    if (!make_room(e))
        return ILK_ENOMEM;
    for (size_t j = 0; j < m->reals; j++)
        e->real[e->n * m->reals + j] = NAN;
    for (size_t j = 0; j < m->codes; j++)
        e->code[e->n * m->codes + j] = ILK_MISSING;
    for (size_t j = 0; j < m->texts; j++)
        e->bags[j].begin[e->n + 1] = e->bags[j].n = e->bags[j].begin[e->n];
    if (m->weight != SIZE_MAX)
        e->weight[e->n] = 0;
    e->label[e->n++] = ILK_NONE;
    return ILK_OK;
}

ilk_rows ilk_encoder_rows(const ilk_encoder *e) {
    for (size_t j = 0; j < e->map->texts; j++)
        e->tokens[j] = (ilk_tokens){e->bags[j].begin, e->bags[j].id, e->bags[j].count};
    return (ilk_rows){.n = e->n,
                      .real = e->real,
                      .code = e->code,
                      .text = e->tokens,
                      .label = e->label,
                      .weight = e->map->weight == SIZE_MAX ? NULL : e->weight};
}
