/* SPDX-License-Identifier: Apache-2.0 */
/* number.c - decimal numbers, exactly.
 *
 * Parsing. Up to 19 digits give an integer m and a power of ten e. If m < 2^53 and |e| <= 22, both m and 10^|e| are
 * exact doubles and one multiplication or division rounds once, hence correctly (Clinger 1990). Else decimal.c
 * multiplies, and what it cannot tell (nor longer literals, subnormals, overflow) goes to strtod in the C locale.
 * Formatting tries 15, 16 and 17 digits (from 1 for subnormals): 15 always survive decimal-double-decimal and 17 always
 * identify a double, and printf drops trailing zeros, so the first that reads back is the shortest.
 */
#include "core/memory.h"
#include "core/number.h"
#include "core/decimal.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint32_t small_power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

/* What a literal says: (-1)^negative × digits × 10^exponent, `cut` if digits beyond the 19th were dropped. */
typedef struct literal {
    uint64_t digits;
    int count; /* significant digits kept */
    long exponent;
    bool negative, cut;
} literal;

/* The number that eight digits spell, the first of them in the lowest byte. */
static inline uint64_t eight_digits(uint64_t x) {
    x -= UINT64_C(0x3030303030303030);
    x = x * 10 + (x >> 8); /* pairs, in every other byte */
    return (((x & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064)) +
            (((x >> 16) & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001))) >>
           32;
}

static inline uint32_t load4(const char *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return le32toh(x);
}

/* The k < 8 bytes before `end`, behind zeros: eight bytes may be read before it. */
static inline uint64_t load_last(const char *end, size_t k) {
    unsigned gap = 8 * (8 - (unsigned)k);
    return ilk_load8(end - 8) >> gap << gap | UINT64_C(0x3030303030303030) >> (64 - gap);
}

/* Read a run of digits at p; those after the point lower the exponent. Returns the place after the run. `begin` is
 * where the literal begins. Digits are taken eight at a time and what is left at once too, because a loop over a few,
 * now more now fewer, is what a processor cannot foresee. Inlined, so that the literal lives in registers. */
ILK_INLINE const char *digits(literal *l, const char *p, const char *end, const char *begin, bool fraction) {
    const char *first = p;
    if (l->count == 0) /* leading zeros are not significant */
        while (p < end && *p == '0')
            p++;
    for (uint64_t x; end - p >= 8 && l->count <= 11 && ilk_are_digits(x = ilk_load8(p)); p += 8, l->count += 8)
        l->digits = l->digits * 100000000 + eight_digits(x);
    size_t k = (size_t)(end - p);
    uint64_t x;
    if (k > 0 && k < 8 && end - begin >= 8 && l->count + (int)k <= 19 && ilk_are_digits(x = load_last(end, k))) {
        l->digits = l->digits * small_power[k] + eight_digits(x);
        l->count += (int)k;
        p = end;
    }
    for (; p < end && ilk_is_digit(*p) && l->count < 19; p++, l->count++)
        l->digits = l->digits * 10 + (uint64_t)(*p - '0');
    const char *kept = p;
    while (p < end && ilk_is_digit(*p))
        p++;
    l->cut = l->cut || kept < p;
    l->exponent += fraction ? first - kept : p - kept;
    return p;
}

/* The power of ten after an "e". */
static bool scan_exponent(long *out, const char *p, const char *end) {
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return false;
    long value = 0;
    for (; p < end; p++) {
        if (!ilk_is_digit(*p))
            return false;
        if (value < 1000000000000000) /* beyond any double, however many digits stand before it; no overflow either */
            value = value * 10 + (*p - '0');
    }
    *out = negative ? -value : value;
    return true;
}

ILK_INLINE bool scan(literal *l, ilk_str s) {
    const char *p = s.p, *end = s.p + s.n;
    bool point = false;
    *l = (literal){.negative = p < end && *p == '-'};
    p += p < end && (*p == '-' || *p == '+');
    const char *begin = p;
    p = digits(l, p, end, s.p, false);
    if (p < end && *p == '.') {
        point = true;
        p = digits(l, p + 1, end, s.p, true);
    }
    if (p - begin == point) /* a point alone, or nothing */
        return false;
    if (p == end)
        return true;
    long exponent;
    if ((*p != 'e' && *p != 'E') || !scan_exponent(&exponent, p + 1, end))
        return false;
    l->exponent += exponent;
    return true;
}

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void) {
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* The C locale, or 0 if the system has no memory for it (then the program's locale is used). */
static locale_t the_c_locale(void) {
    pthread_once(&c_locale_once, make_c_locale);
    return c_locale;
}

static double slow(const char *text) {
    locale_t c = the_c_locale();
    return c ? strtod_l(text, NULL, c) : strtod(text, NULL);
}

/* Its absolute value. strtod wants a NUL at the end, and a literal may have any length; but no double, and no point
 * halfway between two, has more than 767 significant digits: of those beyond it only matters whether all are zero. So
 * no memory is needed that might not be there. */
static __attribute__((noinline, cold)) double slow_parse(literal l, ilk_str s) {
    enum { MOST = 800 };
    char text[MOST + 32];
    int n = 0;
    bool rest = false;
    for (const char *p = s.p; p < s.p + s.n && *p != 'e' && *p != 'E'; p++) {
        if (!ilk_is_digit(*p) || (n == 0 && *p == '0'))
            continue;
        if (n < MOST)
            text[n++] = *p;
        else
            rest = rest || *p != '0';
    }
    if (rest)
        text[n++] = '1';
    snprintf(text + n, sizeof text - (size_t)n, "e%ld", l.exponent - (n - l.count));
    return slow(text);
}

/* Four to eight characters, digits and perhaps a point, in one word: what people write. */
static inline bool parse_short(double *out, ilk_str s) {
    const uint64_t lows = UINT64_C(0x7F7F7F7F7F7F7F7F), zeros = UINT64_C(0x3030303030303030);
    size_t sign = s.n > 0 && s.p[0] == '-', n = s.n - sign;
    const char *p = s.p + sign;
    if (n < 4 || n > 8)
        return false;
    uint64_t x = (uint64_t)load4(p + n - 4) << 32 | (uint64_t)load4(p) << (64 - 8 * n) | zeros >> 8 * (n - 1) >> 8;
    uint64_t other = x ^ UINT64_C(0x2E2E2E2E2E2E2E2E), point = ~(((other & lows) + lows) | other | lows);
    size_t places = 0;
    if (point) { /* what stands before it moves over it */
        uint64_t before = (point >> 7) - 1, up_to = 2 * point - 1;
        places = (size_t)__builtin_clzll(point) / 8;
        x = (x & ~up_to) | (x & before) << 8 | '0';
    }
    if ((point & (point - 1)) || !ilk_are_digits(x))
        return false;
    double value = (double)eight_digits(x) / power_of_ten[places];
    *out = sign ? -value : value;
    return true;
}

/* What tables of measurements are full of: a digit, a point and 8 to 18 digits. All fit 64 bits, so there is nothing to
 * skip, to count or to drop. False for anything else, and where rounding needs a second look. */
static inline bool parse_common(double *out, ilk_str s) {
    size_t sign = s.n > 0 && s.p[0] == '-', places = s.n - sign - 2;
    const char *p = s.p + sign, *end = s.p + s.n;
    uint64_t x, m;
    if (s.n < sign + 10 || places > 18 || p[1] != '.' || !ilk_is_digit(p[0]) || !ilk_are_digits(x = ilk_load8(p + 2)))
        return false;
    m = (uint64_t)(p[0] - '0') * 100000000 + eight_digits(x);
    size_t left = places - 8;
    if (left >= 8) {
        if (!ilk_are_digits(x = ilk_load8(p + 10)))
            return false;
        m = m * 100000000 + eight_digits(x);
        left -= 8;
    }
    if (left > 0) {
        if (!ilk_are_digits(x = load_last(end, left)))
            return false;
        m = m * small_power[left] + eight_digits(x);
    }
    double value;
    if (m <= UINT64_C(1) << 53)
        value = (double)m / power_of_ten[places];
    else if (!ilk_decimal(&value, m, -(long)places))
        return false;
    *out = sign ? -value : value;
    return true;
}

bool ilk_number_parse(double *out, ilk_str s) {
    literal l;
    if (parse_short(out, s) || parse_common(out, s))
        return true;
    if (!scan(&l, s))
        return false;
    double x = (double)l.digits;
    if (l.digits == 0)
        x = 0;
    else if (l.cut)
        x = slow_parse(l, s);
    else if (l.digits <= UINT64_C(1) << 53 && l.exponent >= -22 && l.exponent <= 22)
        x = l.exponent < 0 ? x / power_of_ten[-l.exponent] : x * power_of_ten[l.exponent];
    else if (!ilk_decimal(&x, l.digits, l.exponent))
        x = slow_parse(l, s);
    *out = l.negative ? -x : x;
    return true;
}

size_t ilk_number_parse_row(double *x, const ilk_str *field, const size_t *at, size_t n) {
    size_t j = 0;
    while (j < n && ilk_number_parse(&x[j], field[at[j]]) && !isinf(x[j]))
        j++;
    return j;
}

static bool reads_as(const char *text, double x) {
    double back;
    return ilk_number_parse(&back, (ilk_str){text, strlen(text)}) && back == x;
}

/* Just above a power of two doubles stand twice as far apart as just below, and the decimal nearest to it may miss it
 * where the next one up, or down, does not: change the last digit by one, if that is what reads back. */
static bool nudged(char *text, double x) {
    char *last = strchr(text, 'e');
    last = (last ? last : text + strlen(text)) - 1;
    for (char by = 1; ilk_is_digit(*last) && by >= -1; by = (char)(by - 2)) {
        char was = *last;
        if (!ilk_is_digit((char)(was + by)))
            continue;
        *last = (char)(was + by);
        if (reads_as(text, x))
            return true;
        *last = was;
    }
    return false;
}

size_t ilk_number_format(char out[ILK_NUMBER_SIZE], double x) {
    if (isnan(x) || isinf(x))
        return (size_t)snprintf(out, ILK_NUMBER_SIZE, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    locale_t c = the_c_locale(), before = c ? uselocale(c) : (locale_t)0;
    int n = 0;
    for (int precision = fpclassify(x) == FP_SUBNORMAL ? 1 : 15; precision <= 17; precision++) {
        n = snprintf(out, ILK_NUMBER_SIZE, "%.*g", precision, x);
        if (reads_as(out, x) || nudged(out, x))
            break;
    }
    if (c)
        uselocale(before);
    return (size_t)n;
}
