/* SPDX-License-Identifier: Apache-2.0 */
/* binned.h - columns of bins in statistics and models. */
#ifndef ILK_MODEL_BINNED_H
#define ILK_MODEL_BINNED_H

#include "model/model.h"
#include "model/stats.h"

/* The bins of the j-th category feature, or NULL. */
const ilk_transform *ilk_bins_of(const ilk_blocks *blocks, size_t j);

/* Make every bin a key of its column. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_bins_declare(ilk_stats *stats);
/* Are the bins, all of them and nothing else, the keys of their columns? In statistics from a file: */
bool ilk_bins_complete(const ilk_stats *stats);
/* and in the dictionary of a model's block. */
bool ilk_bins_are_keys(const ilk_block *b, const ilk_keys *keys);

#endif
