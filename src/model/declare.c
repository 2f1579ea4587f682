/* SPDX-License-Identifier: Apache-2.0 */
/* declare.c - naming categories and words: as they come, or before they do. */
#include "model/binned.h"
#include "model/stats.h"

typedef ilk_status (*interner)(ilk_counts *c, uint32_t field, ilk_str key, uint32_t *id);

static ilk_status intern_key(ilk_counts *c, uint32_t field, ilk_str key, uint32_t *id) {
    return ilk_dict_intern(&c->keys, field, key, id);
}

static ilk_status intern(uint32_t *out, ilk_stats *stats, ilk_kind kind, size_t j, ilk_str key, interner how,
                         ilk_error *err) {
    *out = ILK_MISSING;
    if (j >= ilk_schema_width(stats->schema, kind))
        return ilk_fail(err, ILK_EARG, "there is no %s feature %zu", kind == ILK_TEXT ? "text" : "category", j);
    ilk_home home = stats->blocks.home[kind][j];
    if (kind == ILK_CATEGORY && ilk_bins_of(&stats->blocks, j) &&
        ilk_dict_find(&stats->store[home.block].counts.keys, (uint32_t)home.field, key) == ILK_UNSEEN)
        return ilk_fail(err, ILK_EARG, "column %.*s: '%.*s' is none of its bins",
                        ILK_SHOW(stats->blocks.block[home.block].column[home.field]), ILK_SHOW(key));
    return how(&stats->store[home.block].counts, (uint32_t)home.field, key, out) == ILK_OK ? ILK_OK
                                                                                           : ilk_fail_memory(err);
}

ilk_status ilk_stats_declare(uint32_t *out, ilk_stats *stats, ilk_kind kind, size_t j, ilk_str key, ilk_error *err) {
    if (kind != ILK_CATEGORY && kind != ILK_TEXT)
        return ilk_fail(err, ILK_EARG, "only categories and words are declared");
    *out = kind == ILK_TEXT ? ilk_schema_judge(stats->schema, j, key) : 0;
    if (*out) /* no word of the column */
        return ILK_OK;
    return intern(out, stats, kind, j, key, ilk_counts_declare, err);
}

ilk_status ilk_stats_code(uint32_t *out, ilk_stats *stats, size_t j, ilk_str value, ilk_error *err) {
    return intern(out, stats, ILK_CATEGORY, j, value, intern_key, err);
}

ilk_status ilk_stats_word(uint32_t *out, ilk_stats *stats, size_t j, ilk_str word, ilk_error *err) {
    *out = ilk_schema_judge(stats->schema, j, word);
    return *out ? ILK_OK : intern(out, stats, ILK_TEXT, j, word, intern_key, err);
}

void ilk_stats_prefetch_word(const ilk_stats *stats, size_t j, ilk_str word) {
    ilk_home home = stats->blocks.home[ILK_TEXT][j];
    ilk_dict_prefetch(&stats->store[home.block].counts.keys, (uint32_t)home.field, word);
}
