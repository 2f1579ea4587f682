/* SPDX-License-Identifier: Apache-2.0 */
/* subtract.c - statistics as a whole: taking others away, or a class. All is checked first, so that it is done as a whole
 * or not at all.   MATH section 13 */
#include "core/memory.h"
#include "model/stats.h"

/* Sums of weights that are not whole are right to rounding only. */
static double slack(const ilk_stats *a, const ilk_stats *b) {
    return a->weighted || b->weighted ? 1e-9 : 0;
}

/* A family that accepts some numbers only accepts counts. */
static ilk_known known_of(const ilk_stats *stats, const ilk_stats *from, size_t b) {
    return (ilk_known){.counts = stats->blocks.block[b].family->accepts, .rows = !stats->weighted && !from->weighted};
}

static const char HIDDEN[] = "what would be left varies so little beside what was there that rounding hides it; learn "
                             "anew without these rows";

static ilk_status check_moments(const ilk_stats *stats, const ilk_moments *from, const uint32_t *map, size_t b,
                                ilk_known known, ilk_error *err) {
    size_t k = 0, j = 0;
    if (from->pooled && !stats->store[b].moments.pooled)
        return ilk_fail(err, ILK_EDATA,
                        "of family %s there is a scatter per class, and the statistics to be taken away keep one for "
                        "all: take away fewer classes at a time",
                        stats->blocks.block[b].family->name);
    double *scratch = ilk_alloc(ilk_moments_removal_scratch(&stats->store[b].moments), sizeof *scratch);
    if (!scratch)
        return ilk_fail_memory(err);
    ilk_removal why = ilk_moments_removable(&stats->store[b].moments, from, map, known, scratch, &k, &j);
    ilk_free(scratch);
    if (why == ILK_REMOVABLE)
        return ILK_OK;
    ilk_str column = stats->blocks.block[b].column[j];
    if (k == SIZE_MAX)
        return ilk_fail(err, ILK_EDATA, "column %.*s: %s", ILK_SHOW(column), HIDDEN);
    ilk_str name = ilk_dict_key(&stats->classes, (uint32_t)k);
    if (why == ILK_REMOVES_MORE_THAN_THERE_IS)
        return ilk_fail(err, ILK_EDATA, "class %.*s, column %.*s: more rows to forget than were learnt", ILK_SHOW(name),
                        ILK_SHOW(column));
    if (why == ILK_REMOVES_WHAT_WAS_NEVER_THERE)
        return ilk_fail(err, ILK_EDATA,
                        "class %.*s, column %.*s: these rows were never learnt: counts below 0 would be left",
                        ILK_SHOW(name), ILK_SHOW(column));
    return ilk_fail(err, ILK_EDATA, "class %.*s, column %.*s: %s", ILK_SHOW(name), ILK_SHOW(column), HIDDEN);
}

/* The weight of the rows of class k that have a value in column j of block b. */
static double present(const ilk_stats *s, size_t b, size_t k, size_t j) {
    if (ilk_block_is_moments(&s->blocks.block[b]))
        return ilk_moments_present(&s->store[b].moments, k, j);
    const ilk_counts *counts = &s->store[b].counts;
    return counts->margin[k * counts->fields + j].present;
}

/* Rows without a value, which were never learnt, would leave more values than rows. */
static ilk_status check_values(const ilk_stats *stats, const ilk_stats *from, const uint32_t *map, size_t b,
                               ilk_error *err) {
    for (uint32_t k = 0; k < from->K; k++) {
        double before = stats->rows[map[k]], rows = before - from->rows[k] + slack(stats, from) * before;
        for (size_t j = 0; from->rows[k] > 0 && j < stats->blocks.block[b].d; j++)
            if (present(stats, b, map[k], j) - present(from, b, k, j) > rows)
                return ilk_fail(err, ILK_EDATA,
                                "class %.*s, column %.*s: these rows were never learnt: more values than "
                                "rows would be left",
                                ILK_SHOW(ilk_dict_key(&from->classes, k)), ILK_SHOW(stats->blocks.block[b].column[j]));
    }
    return ILK_OK;
}

static ilk_status check_subtract(const ilk_stats *stats, const ilk_stats *from, uint32_t *map, ilk_error *err) {
    ilk_count_place where;
    for (uint32_t k = 0; k < from->K; k++) {
        ilk_str name = ilk_dict_key(&from->classes, k);
        map[k] = ilk_dict_find(&stats->classes, 0, name);
        if (map[k] == ILK_UNSEEN && from->rows[k] == 0)
            map[k] = 0; /* nothing of it is there to take away */
        if (map[k] >= stats->K || stats->rows[map[k]] < from->rows[k] * (1 - slack(stats, from)))
            return ilk_fail(err, ILK_EDATA, "class %.*s: more rows to forget than were learnt", ILK_SHOW(name));
    }
    for (size_t b = 0; b < stats->blocks.n; b++) {
        if (ilk_block_is_moments(&stats->blocks.block[b])) {
            ILK_TRY(check_moments(stats, &from->store[b].moments, map, b, known_of(stats, from, b), err));
        } else if (!ilk_counts_removable(&stats->store[b].counts, &from->store[b].counts, map, slack(stats, from),
                                         &where)) {
            return ilk_stats_fail_at(stats, b, &where, &from->store[b].counts.keys,
                                     "these rows were never learnt: too little would be left", err);
        }
        ILK_TRY(check_values(stats, from, map, b, err));
    }
    return ILK_OK;
}

ilk_status ilk_stats_subtract(ilk_stats *stats, const ilk_stats *from, ilk_error *err) {
    ILK_TRY(ilk_stats_check_same(stats, from, err));
    uint32_t *map = ilk_alloc(from->K, sizeof *map);
    if (!map)
        return ilk_fail_memory(err);
    ilk_status status = check_subtract(stats, from, map, err);
    for (size_t b = 0; status == ILK_OK && b < stats->blocks.n; b++) {
        if (ilk_block_is_moments(&stats->blocks.block[b]))
            ilk_moments_subtract(&stats->store[b].moments, &from->store[b].moments, map, known_of(stats, from, b));
        else
            ilk_counts_subtract(&stats->store[b].counts, &from->store[b].counts, map, slack(stats, from));
    }
    stats->weighted = stats->weighted || (status == ILK_OK && from->weighted);
    for (size_t k = 0; status == ILK_OK && k < from->K; k++)
        stats->rows[map[k]] = stats->rows[map[k]] - from->rows[k] > slack(stats, from) * stats->rows[map[k]]
                                  ? stats->rows[map[k]] - from->rows[k]
                                  : 0;
    ilk_free(map);
    return status;
}

/* May all moments of class k go? */
static ilk_status check_class(const ilk_stats *stats, uint32_t k, size_t b, ilk_error *err) {
    ilk_moments own = stats->store[b].moments; /* of this class alone, and not to be freed */
    own.data = ilk_moments_record(&own, k);
    own.K = 1;
    return check_moments(stats, &own, &k, b, known_of(stats, stats, b), err);
}

ilk_status ilk_stats_remove_class(ilk_stats *stats, ilk_str name, ilk_error *err) {
    uint32_t k = ilk_dict_find(&stats->classes, 0, name);
    if (k >= stats->K || stats->rows[k] == 0)
        return ilk_fail(err, ILK_EARG, "no class '%.*s'", ILK_SHOW(name));
    for (size_t b = 0; b < stats->blocks.n; b++)
        if (ilk_block_is_moments(&stats->blocks.block[b]) && stats->store[b].moments.pooled)
            return ilk_fail(err, ILK_EDATA,
                            "class %.*s: of so many classes family %s keeps one scatter for all, and which part of it "
                            "is this class's is not known: forget its rows instead",
                            ILK_SHOW(name), stats->blocks.block[b].family->name);
    for (size_t b = 0; b < stats->blocks.n; b++)
        if (ilk_block_is_moments(&stats->blocks.block[b]))
            ILK_TRY(check_class(stats, k, b, err));
    for (size_t b = 0; b < stats->blocks.n; b++) {
        if (ilk_block_is_moments(&stats->blocks.block[b]))
            ilk_moments_forget(&stats->store[b].moments, k);
        else
            ilk_counts_forget(&stats->store[b].counts, k);
    }
    stats->rows[k] = 0;
    return ILK_OK;
}
