/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.c - see decimal.h.
 *
 * After Eisel and Lemire (Lemire 2021), with bounds in the place of their case analysis. A table holds the 128 leading
 * bits of 5^q, cut off, so that 5^q lies between T and T + 1 in units of the last bit. With w shifted to 64 bits, the
 * exact product lies between P = w T and P + w. If both ends of that range round to the same double, so does what lies
 * between.
 * The table is computed at first use, exactly: 5^q by repeated multiplication, 5^-q by repeated division of a power of
 * two: to cut off at every step comes to the same as to cut off at the end.
 */
#include "core/decimal.h"

#include <pthread.h>
#include <string.h>

enum { LEAST = ILK_POWER_LEAST, MOST = ILK_POWER_MOST, WORDS = 16 }; /* 5^308 has 716 bits, 2^960 / 5^342 166 */

__extension__ typedef unsigned __int128 u128;

static ilk_power power[MOST - LEAST + 1];

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- the table: numbers of WORDS 64-bit words, the lowest first */

static void times_five(uint64_t *x) {
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        u128 product = (u128)x[i] * 5 + carry;
        x[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
}

/* Halves of words, so that no division is of more than 64 bits. */
static void divide_by_five(uint64_t *x) {
    uint64_t rest = 0;
    for (int i = WORDS; i-- > 0;) {
        uint64_t high = rest << 32 | x[i] >> 32, low = high % 5 << 32 | (x[i] & UINT32_MAX);
        x[i] = high / 5 << 32 | low / 5;
        rest = low % 5;
    }
}

/* The 128 leading bits of x, which is not 0. */
static void keep_leading(int q, const uint64_t *x) {
    int i = WORDS - 1;
    while (x[i] == 0)
        i--;
    int shift = __builtin_clzll(x[i]);
    uint64_t word[3] = {x[i], i > 0 ? x[i - 1] : 0, i > 1 ? x[i - 2] : 0};
    power[q - LEAST].high = word[0] << shift | (shift ? word[1] >> (64 - shift) : 0);
    power[q - LEAST].low = word[1] << shift | (shift ? word[2] >> (64 - shift) : 0);
}

static void make_table(void) {
    uint64_t x[WORDS] = {1}, inverse[WORDS] = {[WORDS - 1] = 1};
    for (int q = 0; q <= MOST; q++, times_five(x))
        keep_leading(q, x);
    for (int q = 1; q <= -LEAST; q++) {
        divide_by_five(inverse);
        keep_leading(-q, inverse);
    }
}

const ilk_power *ilk_decimal_powers(void) {
    pthread_once(&once, make_table);
    return power - LEAST;
}

/* ---- the product */

/* 192 bits, the lowest word first. */
typedef struct product {
    uint64_t word[3];
} product;

static product multiply(uint64_t w, uint64_t high, uint64_t low) {
    u128 a = (u128)w * low, b = (u128)w * high + (uint64_t)(a >> 64);
    return (product){{(uint64_t)a, (uint64_t)b, (uint64_t)(b >> 64)}};
}

static product plus(product p, uint64_t w) {
    u128 sum = (u128)p.word[0] + w;
    p.word[0] = (uint64_t)sum;
    sum = (u128)p.word[1] + (uint64_t)(sum >> 64);
    p.word[1] = (uint64_t)sum;
    p.word[2] += (uint64_t)(sum >> 64);
    return p;
}

/* The product to 53 bits, rounded to nearest; *exponent counts the doublings that rounding or a leading bit made of it.
 * False for what may be half-way between two. */
static bool round_product(const product *p, uint64_t *mantissa, int *exponent) {
    int leading = (int)(p->word[2] >> 63), cut = 9 + leading;
    uint64_t kept = p->word[2] >> cut, rest = p->word[2] << (64 - cut); /* 54 bits, of which the last decides */
    if ((kept & 1) && rest == 0 && p->word[1] == 0)
        return false;
    *mantissa = (kept + 1) >> 1;
    *exponent = leading;
    if (*mantissa >> 53) {
        *mantissa >>= 1;
        ++*exponent;
    }
    return true;
}

bool ilk_decimal(double *out, uint64_t w, long q) {
    if (q < LEAST || q > MOST)
        return false;
    pthread_once(&once, make_table);
    int shift = __builtin_clzll(w), up, also_up;
    uint64_t mantissa, also;
    w <<= shift;
    product least = multiply(w, power[q - LEAST].high, power[q - LEAST].low);
    if (!round_product(&least, &mantissa, &up))
        return false;
    if (least.word[1] == UINT64_MAX) { /* only then can adding w change the word that is rounded */
        product most = plus(least, w);
        if (!round_product(&most, &also, &also_up) || mantissa != also || up != also_up)
            return false;
    }
    /* 217706 / 2^16 is log2(10) closely enough for all q here: the shift rounds down. */
    long biased = ((217706 * q) >> 16) + 63 - shift + up + 1023;
    if (biased < 1 || biased > 2046)
        return false;
    uint64_t bytes = (uint64_t)biased << 52 | (mantissa & ((UINT64_C(1) << 52) - 1));
    memcpy(out, &bytes, sizeof bytes);
    return true;
}
