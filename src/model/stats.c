/* SPDX-License-Identifier: Apache-2.0 */
/* stats.c - statistics as a whole: making them, naming classes and merging. Taking away is in subtract.c, adding
 * rows in learn_rows.c, keys in declare.c. */
#include "model/stats.h"
#include "core/memory.h"
#include "model/binned.h"

/* ---- making */

static void store_free(ilk_store *s, const ilk_block *b) {
    if (ilk_block_is_moments(b))
        ilk_moments_free(&s->moments);
    else
        ilk_counts_free(&s->counts);
}

void ilk_stats_free(ilk_stats *stats) {
    if (!stats)
        return;
    for (size_t b = 0; stats->store && b < stats->blocks.n; b++)
        store_free(&stats->store[b], &stats->blocks.block[b]);
    ilk_free(stats->store);
    ilk_blocks_free(&stats->blocks);
    ilk_schema_free(stats->schema);
    ilk_dict_free(&stats->classes);
    ilk_free(stats->rows);
    ilk_gathered_free(stats->waiting);
    ilk_free(stats->given);
    ilk_buffer_free(&stats->given_names);
    ilk_met_free(stats->met);
    ilk_free(stats);
}

static ilk_status make(ilk_stats *s, const ilk_schema *schema, ilk_error *err) {
    ilk_options_init(&s->options);
    ILK_TRY(ilk_schema_copy(&s->schema, schema, err));
    ILK_TRY(ilk_blocks_new(&s->blocks, s->schema, err));
    if (s->blocks.n == 0)
        return ilk_fail(err, ILK_EARG, "there is no feature column to learn from");
    s->weighted =
        ilk_schema_weight(s->schema) != SIZE_MAX; /* from the first row on, whichever thread sees a fraction */
    s->store = ilk_zalloc(s->blocks.n, sizeof *s->store);
    if (!s->store)
        return ilk_fail_memory(err);
    for (size_t b = 0; b < s->blocks.n; b++) {
        const ilk_block *block = &s->blocks.block[b];
        if (!ilk_block_is_moments(block)) {
            ilk_counts_init(&s->store[b].counts, ilk_block_fields(block));
            continue;
        }
        ilk_moments_init(&s->store[b].moments, block->family->layout == ILK_LAYOUT_FULL, block->d);
        if (block->family->shared)
            s->store[b].moments.limit = ILK_MOST_SCATTERS;
    }
    return ILK_OK;
}

ilk_status ilk_stats_blank(ilk_stats **out, const ilk_schema *schema, ilk_error *err) {
    *out = ilk_zalloc(1, sizeof **out);
    if (!*out)
        return ilk_fail_memory(err);
    ilk_status status = make(*out, schema, err);
    if (status != ILK_OK) {
        ilk_stats_free(*out);
        *out = NULL;
    }
    return status;
}

/* The words of a fixed dictionary belong to their column from the beginning. */
static ilk_status declare_listed(ilk_stats *s) {
    for (size_t i = 0; i < ilk_schema_listed(s->schema); i++) {
        ilk_listed w = ilk_schema_listed_at(s->schema, i);
        uint32_t id;
        if (w.rule == ILK_WORD_LISTED)
            ILK_TRY(ilk_stats_declare(&id, s, ILK_TEXT, w.j, w.word, NULL));
    }
    return ILK_OK;
}

ilk_status ilk_stats_new(ilk_stats **out, const ilk_schema *schema, ilk_error *err) {
    ILK_TRY(ilk_stats_blank(out, schema, err));
    if (ilk_bins_declare(*out) == ILK_OK && declare_listed(*out) == ILK_OK)
        return ILK_OK;
    ilk_stats_free(*out);
    *out = NULL;
    return ilk_fail_memory(err);
}

const ilk_schema *ilk_stats_schema(const ilk_stats *stats) {
    return stats->schema;
}

const ilk_options *ilk_stats_options(const ilk_stats *stats) {
    return &stats->options;
}

bool ilk_stats_alone(const ilk_stats *stats) {
    return stats->alone;
}

/* ---- classes */

/* The memory of a full Gaussian grows with the square of its columns, which surprises: name it where there is one. */
ilk_status ilk_stats_fail_to_grow(const ilk_stats *stats, size_t K, ilk_error *err) {
    for (size_t b = 0; b < stats->blocks.n; b++) {
        const ilk_block *block = &stats->blocks.block[b];
        bool pooled = ilk_block_is_moments(block) && stats->store[b].moments.pooled;
        double d = (double)block->d, bytes = 8 * (double)(K + 1) * (pooled ? d + 1 : d * d + 2 * d + 1);
        if (block->family->layout == ILK_LAYOUT_FULL)
            return ilk_fail(err, ILK_ENOMEM,
                            "out of memory: family %s over %zu columns takes %.3g GB for %zu class%s (each by itself, "
                            "as gaussian, takes little)",
                            block->family->name, block->d, bytes / 1e9, K, K > 1 ? "es" : "");
    }
    return ilk_fail(err, ILK_ENOMEM, "out of memory for %zu class%s", K, K > 1 ? "es" : "");
}

/* Set the number of classes in all stores, whatever they have room for. */
static void set_classes(ilk_stats *stats, size_t K) {
    for (size_t b = 0; b < stats->blocks.n; b++)
        if (!ilk_block_is_moments(&stats->blocks.block[b]))
            stats->store[b].counts.K = K;
        else if (!stats->met)
            stats->store[b].moments.K = K;
    stats->K = K;
}

/* One class more, which has no name yet. */
static ilk_status grow(ilk_stats *stats, ilk_error *err) {
    size_t K = stats->K + 1;
    ilk_met *met = stats->met;
    ilk_status status = ilk_grow(&stats->rows, &stats->rows_cap, K, sizeof *stats->rows) ||
                                (met && ilk_grow(&met->at, &met->at_cap, K, sizeof *met->at))
                            ? ILK_ENOMEM
                            : ILK_OK;
    for (size_t b = 0; status == ILK_OK && b < stats->blocks.n; b++)
        if (!ilk_block_is_moments(&stats->blocks.block[b]))
            status = ilk_counts_grow(&stats->store[b].counts, K);
        else if (!met)
            status = ilk_moments_grow(&stats->store[b].moments, K);
    if (status != ILK_OK) {
        set_classes(stats, stats->K);
        return ilk_stats_fail_to_grow(stats, K, err);
    }
    stats->rows[stats->K] = 0;
    if (met)
        met->at[stats->K] = 0;
    set_classes(stats, K);
    return ILK_OK;
}

/* Pooling what passes its limit loses what each class had, so it waits until the class is there. */
static void settle_moments(ilk_stats *stats) {
    for (size_t b = 0; b < stats->blocks.n; b++)
        if (ilk_block_is_moments(&stats->blocks.block[b]))
            ilk_moments_settle(&stats->store[b].moments);
}

/* Room comes before the name: a class that failed is not there, and can be asked for again. */
ilk_status ilk_stats_class(uint32_t *out, ilk_stats *stats, ilk_str name, ilk_error *err) {
    uint32_t k = ilk_dict_find(&stats->classes, 0, name);
    *out = ILK_NONE;
    if (k == ILK_UNSEEN) {
        ILK_TRY(grow(stats, err));
        if (ilk_dict_intern(&stats->classes, 0, name, &k) != ILK_OK) {
            set_classes(stats, stats->K - 1);
            return ilk_fail_memory(err);
        }
        settle_moments(stats);
    }
    *out = k;
    return ILK_OK;
}

/* ---- merging */

/* The classes of `from` here, made if new. */
static ilk_status unite_classes(ilk_stats *into, const ilk_stats *from, uint32_t *map, ilk_error *err) {
    for (uint32_t k = 0; k < from->K; k++)
        ILK_TRY(ilk_stats_class(&map[k], into, ilk_dict_key(&from->classes, k), err));
    return ILK_OK;
}

ilk_status ilk_stats_fail_at(const ilk_stats *s, size_t b, const ilk_count_place *where, const ilk_dict *keys,
                             const char *what, ilk_error *err) {
    const ilk_block *block = &s->blocks.block[b];
    ilk_str name = ilk_dict_key(&s->classes, where->k), key = {"", 0}, column = {"(all of family table)", 21};
    if (where->field < block->d)
        column = block->column[where->field];
    if (where->key == ILK_NONE)
        return ilk_fail(err, ILK_EDATA, "class %.*s, column %.*s: %s", ILK_SHOW(name), ILK_SHOW(column), what);
    key = ilk_dict_key(keys, where->key);
    return ilk_fail(err, ILK_EDATA, "class %.*s, column %.*s: %s of '%.*s'", ILK_SHOW(name), ILK_SHOW(column), what,
                    ILK_SHOW(key));
}

ilk_status ilk_stats_fail_full(const ilk_stats *stats, size_t b, const ilk_count_place *where, ilk_error *err) {
    if (b != SIZE_MAX)
        return ilk_stats_fail_at(stats, b, where, NULL, "a count would pass 2^53", err);
    return ilk_fail(err, ILK_EDATA, "class %.*s: the number of its rows would pass 2^53",
                    ILK_SHOW(ilk_dict_key(&stats->classes, where->k)));
}

static ilk_status check_overflow(const ilk_stats *into, const ilk_stats *from, const uint32_t *map, ilk_error *err) {
    ilk_count_place where;
    for (size_t k = 0; k < from->K; k++)
        if (ilk_count_overflows(into->rows[map[k]], from->rows[k]))
            return ilk_stats_fail_full(into, SIZE_MAX, &(ilk_count_place){.k = map[k]}, err);
    for (size_t b = 0; b < into->blocks.n; b++)
        if (!ilk_block_is_moments(&into->blocks.block[b]) &&
            ilk_counts_would_overflow(&into->store[b].counts, &from->store[b].counts, map, &where))
            return ilk_stats_fail_full(into, b, &where, err);
    return ILK_OK;
}

/* The keys of block b, if it has counts. */
static size_t keys_of(const ilk_stats *s, size_t b) {
    return ilk_block_is_moments(&s->blocks.block[b]) ? 0 : s->store[b].counts.keys.n;
}

/* Room for all blocks first: nothing is added that would have to be undone, and nothing declared. */
static ilk_status merge_counts(ilk_stats *into, const ilk_stats *from, const uint32_t *map, ilk_error *err) {
    ILK_TRY(check_overflow(into, from, map, err));
    size_t keys = 0, n = into->blocks.n;
    for (size_t b = 0; b < n; b++)
        keys += keys_of(from, b);
    uint32_t *id = ilk_alloc(keys, sizeof *id), *at = id;
    ilk_status status = id ? ILK_OK : ILK_ENOMEM;
    for (size_t b = 0; status == ILK_OK && b < n; at += keys_of(from, b++))
        if (!ilk_block_is_moments(&into->blocks.block[b]))
            status = ilk_counts_prepare_merge(&into->store[b].counts, &from->store[b].counts, map, at);
    at = id;
    for (size_t b = 0; status == ILK_OK && b < n; at += keys_of(from, b++))
        if (!ilk_block_is_moments(&into->blocks.block[b]))
            ilk_counts_merge(&into->store[b].counts, &from->store[b].counts, map, at);
    ilk_free(id);
    return status == ILK_OK ? ILK_OK : ilk_fail_memory(err);
}

/* Room for the number in other statistics of each class of `from`; behind these, if `from` is a part, of each class it
 * has met, which its moments are of. */
static uint32_t *map_new(const ilk_stats *from) {
    return ilk_alloc(from->K + (from->met ? from->met->n : 0), sizeof(uint32_t));
}

ilk_status ilk_stats_check_scatters(const ilk_stats *stats, const ilk_blocks *blocks, ilk_error *err) {
    for (size_t b = 0; b < blocks->n; b++) {
        const ilk_family *family = blocks->block[b].family;
        if (ilk_block_is_moments(&blocks->block[b]) && stats->store[b].moments.pooled && !family->shared)
            return ilk_fail(err, ILK_EARG,
                            "family %s needs a scatter per class, and of so many these statistics keep one for all: "
                            "learn the rows anew with --model %s",
                            family->name, family->name);
    }
    return ILK_OK;
}

/* What is pooled cannot be parted again: statistics that get it are pooled, too, and there must be room for that. */
static ilk_status prepare_moments(ilk_stats *into, const ilk_stats *from, ilk_error *err) {
    for (size_t b = 0; b < into->blocks.n; b++) {
        const ilk_block *block = &into->blocks.block[b];
        ilk_moments *m = &into->store[b].moments;
        if (!ilk_block_is_moments(block) || m->pooled || !from->store[b].moments.pooled)
            continue;
        if (!block->family->shared)
            return ilk_fail(err, ILK_EDATA,
                            "family %s needs a scatter per class, and of so many the statistics to be added keep one "
                            "for all",
                            block->family->name);
        if (ilk_moments_prepare_pool(m) != ILK_OK)
            return ilk_fail_memory(err);
    }
    return ILK_OK;
}

static void merge_moments(ilk_stats *into, const ilk_stats *from, uint32_t *map) {
    for (size_t i = 0; from->met && i < from->met->n; i++)
        map[from->K + i] = map[from->met->cls[i]];
    map += from->met ? from->K : 0;
    for (size_t b = 0; b < into->blocks.n; b++)
        if (ilk_block_is_moments(&into->blocks.block[b]))
            ilk_moments_merge(&into->store[b].moments, &from->store[b].moments, map);
}

ilk_status ilk_stats_check_same(const ilk_stats *a, const ilk_stats *b, ilk_error *err) {
    ILK_TRY(ilk_schema_same(a->schema, b->schema, err));
    return ilk_blocks_add_up(&a->blocks, &b->blocks, err);
}

ilk_status ilk_stats_merge(ilk_stats *into, const ilk_stats *from, ilk_error *err) {
    ILK_TRY(ilk_stats_check_same(into, from, err));
    ILK_TRY(prepare_moments(into, from, err));
    uint32_t *map = map_new(from);
    if (!map)
        return ilk_fail_memory(err);
    ilk_status status = unite_classes(into, from, map, err);
    if (status == ILK_OK)
        status = merge_counts(into, from, map, err);
    if (status == ILK_OK) {
        merge_moments(into, from, map);
        for (size_t k = 0; k < from->K; k++)
            into->rows[map[k]] += from->rows[k];
        into->weighted = into->weighted || from->weighted;
    }
    ilk_free(map);
    return status;
}

/* May the counts of a block move as they are, to where none are? Classes keep their numbers. */
static bool may_move(const ilk_stats *into, const ilk_stats *from, size_t b) {
    if (ilk_block_is_moments(&into->blocks.block[b]) || !ilk_counts_none(&into->store[b].counts) || from->K > into->K)
        return false;
    for (uint32_t k = 0; k < from->K; k++)
        if (ilk_str_compare(ilk_dict_key(&into->classes, k), ilk_dict_key(&from->classes, k)) != 0)
            return false;
    return true;
}

ilk_status ilk_stats_absorb(ilk_stats *into, ilk_stats *from, ilk_error *err) {
    for (size_t b = 0; b < into->blocks.n; b++) {
        if (!may_move(into, from, b) || ilk_counts_grow(&from->store[b].counts, into->K) != ILK_OK)
            continue;
        size_t fields = into->store[b].counts.fields;
        ilk_counts_free(&into->store[b].counts);
        into->store[b].counts = from->store[b].counts;
        ilk_counts_init(&from->store[b].counts, fields);
    }
    return ilk_stats_merge(into, from, err);
}

static void clear(ilk_stats *s, bool counts) {
    for (size_t b = 0; b < s->blocks.n; b++) {
        if (ilk_block_is_moments(&s->blocks.block[b]))
            (s->met ? ilk_moments_empty : ilk_moments_clear)(&s->store[b].moments);
        else if (counts)
            ilk_counts_clear(&s->store[b].counts);
    }
    while (s->met && s->met->n > 0)
        s->met->at[s->met->cls[--s->met->n]] = 0;
    for (size_t k = 0; counts && k < s->K; k++)
        s->rows[k] = 0;
}

ilk_status ilk_stats_flush(ilk_stats *total, ilk_stats *part, ilk_error *err) {
    ilk_status status;
    if (part->weighted) {
        status = ilk_stats_merge(total, part, err);
    } else {
        uint32_t *map = map_new(part);
        status = prepare_moments(total, part, err);
        if (status == ILK_OK)
            status = map ? unite_classes(total, part, map, err) : ilk_fail_memory(err);
        if (status == ILK_OK)
            merge_moments(total, part, map);
        ilk_free(map);
    }
    if (status == ILK_OK)
        clear(part, part->weighted);
    return status;
}
