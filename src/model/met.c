/* SPDX-License-Identifier: Apache-2.0 */
/* met.c - which classes occur in a block of rows: a worker's statistics hold moments of these only. See
 * ilk_stats_be_part. */
#include "core/memory.h"
#include "model/stats.h"

void ilk_met_free(ilk_met *met) {
    if (!met)
        return;
    ilk_free(met->cls);
    ilk_free(met->at);
    ilk_free(met);
}

ilk_status ilk_stats_be_part(ilk_stats *stats, ilk_error *err) {
    stats->met = ilk_zalloc(1, sizeof *stats->met);
    return stats->met ? ILK_OK : ilk_fail_memory(err);
}

static ilk_status note_classes(ilk_met *met, const uint32_t *label, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (met->at[label[i]])
            continue;
        if (ilk_grow(&met->cls, &met->cls_cap, met->n + 1, sizeof *met->cls))
            return ILK_ENOMEM;
        met->cls[met->n++] = label[i];
        met->at[label[i]] = (uint32_t)met->n;
    }
    return ILK_OK;
}

ilk_status ilk_stats_meet(ilk_stats *stats, const uint32_t *label, size_t n, ilk_error *err) {
    ilk_status status = note_classes(stats->met, label, n);
    for (size_t b = 0; status == ILK_OK && b < stats->blocks.n; b++) {
        if (!ilk_block_is_moments(&stats->blocks.block[b]))
            continue;
        status = ilk_moments_grow(&stats->store[b].moments, stats->met->n);
        if (status == ILK_OK)
            ilk_moments_settle(&stats->store[b].moments);
    }
    return status == ILK_OK ? ILK_OK : ilk_stats_fail_to_grow(stats, stats->met->n, err);
}
