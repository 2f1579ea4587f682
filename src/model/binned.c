/* SPDX-License-Identifier: Apache-2.0 */
/* binned.c - columns of bins: the bins are keys from the start, whether a value falls into them or not, and the only
 * ones. What a file says about them is checked here. */
#include "model/binned.h"

/* Calls with every bin of a block's columns; stops at the first false. */
typedef bool (*bin_fn)(void *ctx, uint32_t field, ilk_str name);

static bool each_bin(const ilk_block *b, bin_fn fn, void *ctx) {
    char name[ILK_BIN_NAME];
    for (uint32_t j = 0; b->transform && b->family->kind == ILK_CATEGORY && j < b->d; j++) {
        if (b->transform[j]->kind != ILK_BINS)
            continue;
        for (size_t bin = 1; bin <= b->transform[j]->edges + 1; bin++) {
            size_t n = ilk_transform_bin_name(name, b->transform[j], bin);
            if (!fn(ctx, j, (ilk_str){name, n}))
                return false;
        }
    }
    return true;
}

static size_t count_bins(const ilk_block *b, size_t j) {
    return b->transform[j]->kind == ILK_BINS ? b->transform[j]->edges + 1 : 0;
}

/* ---- statistics */

static bool declare(void *ctx, uint32_t field, ilk_str name) {
    uint32_t id;
    return ilk_counts_declare(ctx, field, name, &id) == ILK_OK;
}

ilk_status ilk_bins_declare(ilk_stats *stats) {
    for (size_t b = 0; b < stats->blocks.n; b++)
        if (!each_bin(&stats->blocks.block[b], declare, &stats->store[b].counts))
            return ILK_ENOMEM;
    return ILK_OK;
}

static bool is_declared(void *ctx, uint32_t field, ilk_str name) {
    const ilk_counts *c = ctx;
    uint32_t id = ilk_dict_find(&c->keys, field, name);
    return id != ILK_UNSEEN && ilk_counts_is_declared(c, id);
}

bool ilk_bins_complete(const ilk_stats *stats) {
    for (size_t at = 0; at < stats->blocks.n; at++) {
        const ilk_block *b = &stats->blocks.block[at];
        if (!b->transform || b->family->kind != ILK_CATEGORY)
            continue;
        const ilk_counts *c = &stats->store[at].counts;
        size_t keys = 0, bins = 0;
        for (size_t i = 0; i < c->keys.n; i++)
            keys += c->keys.entry[i].field < b->d && count_bins(b, c->keys.entry[i].field) > 0;
        for (size_t j = 0; j < b->d; j++)
            bins += count_bins(b, j);
        if (keys != bins || !each_bin(b, is_declared, (void *)(uintptr_t)c))
            return false;
    }
    return true;
}

const ilk_transform *ilk_bins_of(const ilk_blocks *blocks, size_t j) {
    ilk_home home = blocks->home[ILK_CATEGORY][j];
    const ilk_block *b = &blocks->block[home.block];
    return b->transform && b->transform[home.field]->kind == ILK_BINS ? b->transform[home.field] : NULL;
}

ilk_status ilk_stats_bin(uint32_t *out, const ilk_stats *stats, size_t j, double x, ilk_error *err) {
    *out = ILK_MISSING;
    const ilk_transform *t = j < ilk_schema_width(stats->schema, ILK_CATEGORY) ? ilk_bins_of(&stats->blocks, j) : NULL;
    if (!t)
        return ilk_fail(err, ILK_EARG, "category feature %zu is no column of bins", j);
    if (isnan(x))
        return ILK_OK;
    char name[ILK_BIN_NAME];
    size_t n = ilk_transform_bin_name(name, t, ilk_transform_bin(t, x));
    ilk_home home = stats->blocks.home[ILK_CATEGORY][j];
    *out = ilk_dict_find(&stats->store[home.block].counts.keys, (uint32_t)home.field, (ilk_str){name, n});
    return ILK_OK;
}

/* ---- models */

static bool is_key(void *ctx, uint32_t field, ilk_str name) {
    return ilk_keys_find(ctx, field, name) != ILK_UNSEEN;
}

bool ilk_bins_are_keys(const ilk_block *b, const ilk_keys *keys) {
    for (size_t j = 0; b->transform && j < b->d; j++)
        if (b->transform[j]->kind == ILK_BINS && keys->field_begin[j + 1] - keys->field_begin[j] != count_bins(b, j))
            return false;
    return each_bin(b, is_key, (void *)(uintptr_t)keys);
}

uint32_t ilk_model_bin(const ilk_model *model, size_t j, double x) {
    const ilk_transform *t = j < ilk_schema_width(model->schema, ILK_CATEGORY) ? ilk_bins_of(&model->blocks, j) : NULL;
    if (!t)
        return ILK_UNSEEN;
    if (isnan(x))
        return ILK_MISSING;
    char name[ILK_BIN_NAME];
    size_t n = ilk_transform_bin_name(name, t, ilk_transform_bin(t, x));
    return ilk_model_code(model, j, (ilk_str){name, n});
}
