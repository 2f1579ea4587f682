/* SPDX-License-Identifier: Apache-2.0 */
/* columns.h - columns by what people call them. */
#ifndef ILK_DATA_COLUMNS_H
#define ILK_DATA_COLUMNS_H

#include "core/error.h"

/* The column called `wanted`: a name or, if there is none of that name, a number from 1.
 * ILK_EARG if there is no such column: the message suggests the nearest name. */
ilk_status ilk_columns_find(size_t *out, const ilk_str *names, size_t n, ilk_str wanted, ilk_error *err);

/* Set mark[j] for every column of a list with commas; a name in quotes may have some. */
ilk_status ilk_columns_mark(bool *mark, const ilk_str *names, size_t n, const char *list, ilk_error *err);

/* A column that has another's name, or SIZE_MAX. O(n log n). */
ilk_status ilk_columns_twin(size_t *out, const ilk_str *names, size_t n, ilk_error *err);

/* The nearest of n names, or SIZE_MAX if none is near. Case counts for nothing. */
size_t ilk_nearest(const ilk_str *names, size_t n, ilk_str wanted);

#endif
