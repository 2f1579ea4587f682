/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.h - w × 10^q as the nearest double, by one 192-bit product, where that is certain. */
#ifndef ILK_CORE_DECIMAL_H
#define ILK_CORE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* *out = the double nearest to w × 10^q, w > 0. False, in one case in 10^20, where the product does not tell which that
 * is, and for results that are not normal numbers: then it has to be computed exactly. */
bool ilk_decimal(double *out, uint64_t w, long q);

#endif
