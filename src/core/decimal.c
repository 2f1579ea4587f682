/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.c - see decimal.h.
 *
 * After Eisel and Lemire (Lemire 2021), with bounds in the place of their case analysis. A table holds the 128 leading
 * bits of 5^q, cut off, so that 5^q lies between T and T + 1 in units of the last bit. With w shifted to 64 bits, the
 * exact product lies between P = w T and P + w. If both ends of that range round to the same double, so does what lies
 * between.
 * The table is computed at first use, exactly: 5^q by repeated multiplication, 5^-q by long division of a power of two.
 */
#include "core/decimal.h"

#include <pthread.h>
#include <string.h>

enum { LEAST = ILK_POWER_LEAST, MOST = ILK_POWER_MOST, WORDS = 13 }; /* 5^342 has 795 bits */

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

static int bits(const uint64_t *x) {
    for (int i = WORDS; i-- > 0;)
        if (x[i])
            return 64 * i + 64 - __builtin_clzll(x[i]);
    return 0;
}

/* Of the next three, the lowest n words matter. */
static bool at_least(const uint64_t *x, const uint64_t *y, int n) {
    for (int i = n; i-- > 0;)
        if (x[i] != y[i])
            return x[i] > y[i];
    return true;
}

static void subtract(uint64_t *x, const uint64_t *y, int n) {
    uint64_t borrow = 0;
    for (int i = 0; i < n; i++) {
        u128 difference = (u128)x[i] - y[i] - borrow;
        x[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
}

static void double_it(uint64_t *x, int n) {
    for (int i = n; i-- > 1;)
        x[i] = x[i] << 1 | x[i - 1] >> 63;
    x[0] <<= 1;
}

/* Bit i of x, 0 below the first. */
static uint64_t bit(const uint64_t *x, int i) {
    return i < 0 ? 0 : x[i / 64] >> (i % 64) & 1;
}

static void set_power(int q, const uint64_t *leading) {
    power[q - LEAST].high = leading[1];
    power[q - LEAST].low = leading[0];
}

/* The 128 leading bits of x. */
static void keep_leading(int q, const uint64_t *x) {
    uint64_t leading[2] = {0};
    for (int i = 0, top = bits(x); i < 128; i++)
        leading[(127 - i) / 64] |= bit(x, top - 1 - i) << ((127 - i) % 64);
    set_power(q, leading);
}

/* The 128 leading bits of 1 / x: of the quotient of a power of two that is just above x / 2. */
static void keep_leading_of_inverse(int q, const uint64_t *x) {
    uint64_t rest[WORDS] = {0}, leading[2] = {0};
    int top = bits(x), n = top / 64 + 1;                    /* the rest, doubled, has at most one bit more */
    rest[(top - 1) / 64] = UINT64_C(1) << ((top - 1) % 64); /* at most x: the next bit of the quotient is its first */
    for (int i = 127; i >= 0; i--) {
        double_it(rest, n);
        if (at_least(rest, x, n)) {
            subtract(rest, x, n);
            leading[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
    set_power(q, leading);
}

static void make_table(void) {
    uint64_t x[WORDS] = {1};
    for (int q = 0; q <= -LEAST; q++, times_five(x)) {
        if (q <= MOST)
            keep_leading(q, x);
        if (q > 0)
            keep_leading_of_inverse(-q, x);
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
