/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.h - w × 10^q as the nearest double, by one 192-bit product, where that is certain. */
#ifndef ILK_CORE_DECIMAL_H
#define ILK_CORE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* *out = the double nearest to w × 10^q, w > 0. False, in one case in 10^20, where the product does not tell which that
 * is, and for results that are not normal numbers: then it has to be computed exactly. */
bool ilk_decimal(double *out, uint64_t w, long q);

/* The 128 leading bits of 5^q, cut off. */
typedef struct ilk_power {
    uint64_t high, low;
} ilk_power;

enum { ILK_POWER_LEAST = -342, ILK_POWER_MOST = 308 };

/* That of 5^0; those of q from ILK_POWER_LEAST to ILK_POWER_MOST stand around it. */
const ilk_power *ilk_decimal_powers(void);

#endif
