/* SPDX-License-Identifier: Apache-2.0 */
/* choose.h - smoothing and shrinkage by leave-one-out, wherever the rows are. */
#ifndef ILK_MODEL_CHOOSE_H
#define ILK_MODEL_CHOOSE_H

#include <ilk.h>

/* What a model of the statistics is worth on the caller's rows. */
typedef ilk_status (*ilk_worth_fn)(ilk_loo *out, void *ctx, const ilk_model *model, ilk_error *err);

/* ilk_stats_choose, with the rows behind a function. */
ilk_status ilk_choose(ilk_options *options, ilk_loo *worth, const ilk_stats *stats, ilk_worth_fn fn, void *ctx,
                      ilk_error *err);

#endif
