/* SPDX-License-Identifier: Apache-2.0 */
/* encode_text.c - a row's text to a bag of words, each once, in the order of their first appearance: for the rows of
 * tables, and for texts that a caller has in memory. */
#include "core/memory.h"
#include "core/number.h"
#include "data/encode_part.h"
#include "model/model.h"
#include "model/stats.h"

#include <math.h>
#include <string.h>

#define LEAST_MEMO_BITS 6u

ilk_status ilk_bag_reserve(ilk_bag *b, size_t rows) {
    return ilk_grow(&b->begin, &b->begin_cap, rows + 1, sizeof *b->begin) ||
                   ilk_grow(&b->is_missing, &b->is_missing_cap, rows, sizeof *b->is_missing)
               ? ILK_ENOMEM
               : ILK_OK;
}

ilk_status ilk_bag_init(ilk_bag *b) {
    const ilk_schema *schema = b->stats ? ilk_stats_schema(b->stats) : ilk_model_schema(b->model);
    b->memo_bits = ILK_WORD_MEMO_BITS;
    for (size_t texts = ilk_schema_width(schema, ILK_TEXT); texts > 1 && b->memo_bits > LEAST_MEMO_BITS;
         texts -= texts / 2)
        b->memo_bits--;
    ILK_TRY(ilk_missing_from_schema(&b->missing, schema));
    ILK_TRY(ilk_bag_reserve(b, 0));
    ilk_bag_clear(b);
    return ILK_OK;
}

void ilk_bag_settle(ilk_bag *b) {
    ilk_free(b->where);
    ilk_free(b->memo);
    ilk_token_scratch_free(&b->scratch);
    b->where = NULL;
    b->where_cap = 0;
    b->memo = NULL;
    b->scratch = (ilk_token_scratch){0};
}

void ilk_bag_release(ilk_bag *b) {
    ilk_bag_settle(b);
    ilk_missing_free(&b->missing);
    ilk_free(b->begin);
    ilk_free(b->is_missing);
    ilk_free(b->id);
    ilk_free(b->count);
}

void ilk_bag_clear(ilk_bag *b) {
    b->begin[0] = b->n = b->rows = 0;
}

ilk_tokens ilk_bag_tokens(const ilk_bag *b) {
    return (ilk_tokens){b->begin, b->id, b->count, b->is_missing};
}

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

/* Places that an earlier row of the same turn left would be believed, so they are cleared before turns come again. */
static void next_turn(ilk_bag *b) {
    if (++b->turn > 0)
        return;
    if (b->where)
        memset(b->where, 0, b->where_cap * sizeof *b->where);
    b->turn = 1;
}

/* A word with a place; the row has n by now, and n or one more hereafter. Every other word is the first of its kind in
 * its row, which nobody can guess: so there is no branch, and none for a compiler to make. A place fits 32 bits,
 * because a row has no more words than there are ids. There is room in the bag. */
static inline size_t count_word(ilk_bag_place *where, uint32_t turn, uint32_t *row_id, uint32_t *row_count, size_t n,
                                uint32_t id, uint32_t times) {
    bool again = where[id].turn == turn;
    uint32_t mask = -(uint32_t)again, at = (where[id].at & mask) | ((uint32_t)n & ~mask);
    uint32_t before = row_count[at] & mask, room = UINT32_MAX - before;
    row_id[at] = id;
    row_count[at] = before + (times < room ? times : room);
    where[id] = (ilk_bag_place){turn, at};
    return n + !again;
}

static void count_one(ilk_bag *b, size_t row_begin, uint32_t id, uint32_t times) {
    b->n =
        row_begin + count_word(b->where, b->turn, b->id + row_begin, b->count + row_begin, b->n - row_begin, id, times);
}

/* What is no word of a dictionary, or the first of its id. */
static ilk_status count_rare(ilk_bag *b, size_t row_begin, uint32_t id, uint32_t times) {
    if (id == ILK_MISSING) /* stopped */
        return ILK_OK;
    if (id == ILK_UNSEEN) {
        count_unseen(b, times);
        return ILK_OK;
    }
    ILK_TRY(make_where(b, id));
    count_one(b, row_begin, id, times);
    return ILK_OK;
}

/* A look-up waits for memory twice, for the memo and for the word's place in the row. So words come some at a time, and
 * all ask for their memo before the first is looked up, all for their place before the first is counted. */
typedef ilk_bag_gathered gathered;

typedef struct word_context {
    ilk_bag *b;
    gathered *g;
    size_t row_begin; /* of the row's words in the bag */
    const ilk_origin *at;
    ilk_error *err;
} word_context;

static ilk_status look_up_word(const word_context *w, ilk_str word, uint32_t *id) {
    const ilk_bag *b = w->b;
    if (b->stats)
        return ilk_stats_word(id, b->stats, b->j, word, w->err);
    *id = ilk_model_word(b->model, b->j, word);
    return ILK_OK;
}

static void prefetch_word(const ilk_bag *b, ilk_str word) {
    if (b->stats)
        ilk_stats_prefetch_word(b->stats, b->j, word);
    else
        ilk_model_prefetch_word(b->model, b->j, word);
}

/* Words that no memo has, most of them new, are looked up last, when their slots have come. */
static ilk_status find_words(const word_context *w, const ilk_str *word, size_t n) {
    const ilk_bag *b = w->b;
    gathered *g = w->g;
    uint8_t missed[ILK_TOKENS_AT_ONCE];
    size_t misses = 0;
    for (size_t i = 0; i < n; i++) {
        if (g[i].place && ilk_memo_recall(g[i].place, &g[i].key)) {
            if (g[i].key.id < b->where_cap)
                __builtin_prefetch(&b->where[g[i].key.id]);
        } else {
            missed[misses++] = (uint8_t)i;
            prefetch_word(b, word[i]);
        }
    }
    for (size_t m = 0; m < misses; m++) {
        gathered *one = &g[missed[m]];
        ILK_TRY(look_up_word(w, word[missed[m]], &one->key.id));
        if (one->place)
            ilk_memo_keep(one->place, &one->key);
    }
    return ILK_OK;
}

/* Refuse what the model has not seen, if it says so. */
static ilk_status judge_words(const word_context *w, const ilk_str *word, size_t n) {
    for (size_t i = 0; ilk_refuses_unseen(w->b->model) && i < n; i++)
        if (w->g[i].key.id == ILK_UNSEEN)
            return ilk_refuse(w->at, w->b->column, word[i], "is a word the model has not seen", w->err);
    return ILK_OK;
}

static bool fits_memo(ilk_str word) {
    return word.n - 1 < ILK_MEMO_LONGEST;
}

/* The memo's place for a word that fits, asked for. */
static inline gathered gather(const ilk_bag *b, ilk_str word, ilk_memo key) {
    gathered g = {key, fits_memo(word) ? &b->memo[ilk_memo_at(&key, b->memo_bits)] : NULL};
    __builtin_prefetch(g.place);
    return g;
}

/* The words up to the first that has no place. Returns how many these are. */
static size_t count_known(ilk_bag *b, size_t row_begin, const gathered *g, const uint32_t *times, size_t n) {
    ilk_bag_place *where = b->where;
    uint32_t turn = b->turn, *row_id = b->id + row_begin, *row_count = b->count + row_begin;
    size_t cap = b->where_cap, in_row = b->n - row_begin, i = 0;
    for (; i < n && g[i].key.id < cap; i++)
        in_row = count_word(where, turn, row_id, row_count, in_row, g[i].key.id, times ? times[i] : 1);
    b->n = row_begin + in_row;
    return i;
}

/* `times`: NULL for once each. */
static ilk_status count_words(const word_context *w, const ilk_str *word, const uint32_t *times, size_t n) {
    ilk_bag *b = w->b;
    const gathered *g = w->g;
    ILK_TRY(find_words(w, word, n));
    ILK_TRY(judge_words(w, word, n));
    if (!room_for_words(b, n))
        return ilk_fail_memory(w->err);
    for (size_t i = 0; i < n; i++) {
        i += count_known(b, w->row_begin, g + i, times ? times + i : NULL, n - i);
        if (i < n && count_rare(b, w->row_begin, g[i].key.id, times ? times[i] : 1) != ILK_OK)
            return ilk_fail_memory(w->err);
    }
    return ILK_OK;
}

static ilk_status add_words(void *ctx, const ilk_str *word, size_t n) {
    _Static_assert(ILK_TOKEN_READABLE >= ILK_MEMO_LONGEST, "a key may be read beyond its word");
    const word_context *w = ctx;
    for (size_t i = 0; i < n; i++)
        w->g[i] = gather(w->b, word[i], ilk_memo_key_ahead(word[i]));
    return count_words(w, word, NULL, n);
}

/* The whole of it, which is what was written. */
static ilk_status refuse_count(const word_context *w, const ilk_entry *entry, const char *why) {
    const char *end = entry->value.p ? entry->value.p + entry->value.n : entry->key.p + entry->key.n;
    ilk_str whole = {entry->key.p, (size_t)(end - entry->key.p)};
    return ilk_refuse(w->at, w->b->column, whole, why, w->err);
}

/* "word:count" each. */
static ilk_status add_counted(const word_context *w, ilk_str rest) {
    ilk_str word[ILK_TOKENS_AT_ONCE];
    uint32_t times[ILK_TOKENS_AT_ONCE];
    double x, sum = 0;
    size_t n = 0;
    for (ilk_entry entry; ilk_entry_next(&rest, &entry);) {
        if (!entry.value.p || entry.key.n == 0 || !ilk_number_parse(&x, entry.value) || !(x >= 0 && x <= UINT32_MAX) ||
            x != floor(x))
            return refuse_count(w, &entry, "is no word:count, with a whole number from 0 to 4294967295");
        sum += x;
        if (sum > UINT32_MAX)
            return refuse_count(w, &entry, "is too many: the counts of a row must not sum to over 4294967295");
        if (x == 0)
            continue;
        word[n] = entry.key;
        times[n] = (uint32_t)x;
        w->g[n] = gather(w->b, entry.key, fits_memo(entry.key) ? ilk_memo_key(entry.key) : (ilk_memo){0});
        if (++n == ILK_TOKENS_AT_ONCE) {
            ILK_TRY(count_words(w, word, times, n));
            n = 0;
        }
    }
    return count_words(w, word, times, n);
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

static ilk_status read_words(word_context *w, ilk_str text) {
    ilk_bag *b = w->b;
    if (!b->memo && !(b->memo = ilk_zalloc((size_t)1 << b->memo_bits, sizeof *b->memo)))
        return ilk_fail_memory(w->err); /* only now, in the thread whose it is: rows that are unpacked need none */
    ilk_status status = b->tokenizer->kind == ILK_COUNTS ? add_counted(w, text)
                                                         : ilk_tokenize(b->tokenizer, text, &b->scratch, add_words, w);
    if (status != ILK_OK) /* the tokenizer itself has no words for it */
        return status == ILK_ENOMEM ? ilk_fail_memory(w->err) : status;
    if (b->n > w->row_begin) /* else there may be no memory for words yet */
        ilk_tokenizer_weigh(b->count + w->row_begin, b->id + w->row_begin, b->n - w->row_begin, b->tokenizer);
    if (b->stats)
        drop_unseen(b);
    return ILK_OK;
}

static bool spells_missing(const ilk_bag *b, ilk_str text) {
    return text.n > 0 ? ilk_missing_has(&b->missing, text) : !b->empty_is_text;
}

/* Row i begins, without words so far. Those of a row that was refused half-way are dropped here. */
static void begin_row(ilk_bag *b, size_t i, bool missing) {
    b->n = b->begin[i + 1] = b->begin[i];
    b->is_missing[i] = missing;
    b->unseen = SIZE_MAX;
}

void ilk_bag_put_missing(ilk_bag *b, size_t i) {
    begin_row(b, i, true);
}

ilk_status ilk_bag_put(ilk_bag *b, size_t i, ilk_str text, const ilk_origin *at, ilk_error *err) {
    begin_row(b, i, spells_missing(b, text));
    if (b->is_missing[i])
        return ILK_OK;
    next_turn(b);
    ILK_TRY(read_words(&(word_context){b, b->gathered, b->n, at, err}, text));
    b->begin[i + 1] = b->n;
    return ILK_OK;
}

ilk_status ilk_bag_unpack(ilk_bag *b, size_t i, const ilk_packed_bag *packed, const uint32_t *to, ilk_error *err) {
    bool refused = ilk_refuses_unseen(b->model);
    begin_row(b, i, false); /* a missing text is not packed */
    if (packed->n == 0)     /* there may be no memory for words yet */
        return ILK_OK;
    if (!room_for_words(b, packed->n))
        return ilk_fail_memory(err);
    const uint32_t *next = packed->word, *end = next + packed->n;
    uint32_t *row_id = b->id + b->n, *row_count = b->count + b->n;
    size_t n = 0, unseen = SIZE_MAX;
    while (next < end) {
        uint32_t repeated = next[0] / ILK_PACKED_REPEATED, known = to[next[0] % ILK_PACKED_REPEATED];
        uint32_t times = 1 + (next[1] - 1) * repeated; /* by arithmetic: which are repeated cannot be foretold */
        next += 1 + repeated;
        if (known == ILK_UNSEEN && unseen != SIZE_MAX) {
            count_on(&row_count[unseen], times);
            continue;
        }
        unseen = known == ILK_UNSEEN ? n : unseen;
        row_id[n] = known;
        row_count[n++] = times;
    }
    if (unseen != SIZE_MAX && refused)
        return ilk_fail(err, ILK_EDATA, "a row that was kept has a word the model has not seen");
    b->n += n;
    b->begin[i + 1] = b->n;
    return ILK_OK;
}

/* ---- texts in memory */

static ilk_status bag_new(ilk_bag **out, const ilk_schema *schema, ilk_bag b, ilk_error *err) {
    const ilk_column *c = ilk_schema_feature(schema, ILK_TEXT, b.j);
    *out = NULL;
    if (!c)
        return ilk_fail(err, ILK_EARG, "there is no text feature %zu", b.j);
    b.column = c->name;
    b.tokenizer = &c->tokenizer;
    ilk_bag *made = ilk_alloc(1, sizeof *made);
    if (!made)
        return ilk_fail_memory(err);
    *made = b;
    if (ilk_bag_init(made) != ILK_OK) {
        ilk_bag_free(made);
        return ilk_fail_memory(err);
    }
    *out = made;
    return ILK_OK;
}

ilk_status ilk_stats_bag(ilk_bag **out, ilk_stats *stats, size_t j, ilk_error *err) {
    return bag_new(out, ilk_stats_schema(stats), (ilk_bag){.stats = stats, .j = j, .empty_is_text = true}, err);
}

ilk_status ilk_model_bag(ilk_bag **out, const ilk_model *model, size_t j, ilk_error *err) {
    return bag_new(out, ilk_model_schema(model), (ilk_bag){.model = model, .j = j, .empty_is_text = true}, err);
}

void ilk_bag_free(ilk_bag *b) {
    if (b)
        ilk_bag_release(b);
    ilk_free(b);
}

ilk_status ilk_bag_add(ilk_bag *b, ilk_str text, ilk_error *err) {
    if (ilk_bag_reserve(b, b->rows + 1) != ILK_OK)
        return ilk_fail_memory(err);
    ILK_TRY(ilk_bag_put(b, b->rows, text, NULL, err));
    b->rows++;
    return ILK_OK;
}
