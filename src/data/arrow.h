/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.h - a stream of Arrow arrays as the source of a table. */
#ifndef ILK_DATA_ARROW_H
#define ILK_DATA_ARROW_H

#include "data/records.h"
#include "data/source.h"

/* Take a stream over: it is released with the feed or, on failure, at once, and the caller's struct is marked released.
 * Bytes cannot be read from the feed, only blocks (ilk_arrow_next). */
ilk_status ilk_feed_arrow(ilk_feed *out, struct ArrowArrayStream *stream, ilk_error *err);

/* Its columns. ILK_EDATA names a column of a type that is not read, or a name that two of them have. */
ilk_status ilk_arrow_columns(const ilk_feed *feed, ilk_head *head, ilk_error *err);

/* Like ilk_source_next: the next rows, packed, as many as fill a block. */
ilk_status ilk_arrow_next(ilk_source *source, ilk_text_block *block, bool *more, ilk_error *err);

#endif
