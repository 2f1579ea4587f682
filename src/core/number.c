/* SPDX-License-Identifier: Apache-2.0 */
/* number.c - decimal numbers, exactly.
 *
 * Parsing. Up to 19 digits give an integer m and a power of ten e. If m < 2^53 and |e| <= 22, both m and 10^|e| are exact
 * doubles and one multiplication or division rounds once, hence correctly (Clinger 1990). Everything else goes to strtod
 * in the C locale. Formatting tries 15, 16 and 17 digits: 15 always survive decimal-double-decimal and 17 always identify
 * a double, and printf drops trailing zeros, so the first that reads back is the shortest.
 */
#include "core/number.h"
#include "core/memory.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* What a literal says: (-1)^negative × digits × 10^exponent, `cut` if digits beyond the 19th were dropped. */
typedef struct literal {
    uint64_t digits;
    int count; /* significant digits kept */
    long exponent;
    bool negative, cut;
} literal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Read a run of digits at p; those after the point lower the exponent. Returns the place after the run. */
static const char *digits(literal *l, const char *p, const char *end, bool fraction) {
    for (; p < end && is_digit(*p); p++) {
        if (l->count < 19) {
            l->digits = l->digits * 10 + (uint64_t)(*p - '0');
            l->count += l->digits != 0; /* leading zeros are not significant */
            l->exponent -= fraction;
        } else {
            l->cut = true;
            l->exponent += !fraction;
        }
    }
    return p;
}

static bool scan_exponent(literal *l, const char *p, const char *end) {
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return false;
    long value = 0;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        if (value < 100000) /* far beyond any double; keeps the sum from overflowing */
            value = value * 10 + (*p - '0');
    }
    l->exponent += negative ? -value : value;
    return true;
}

static bool scan(literal *l, ilk_str s) {
    const char *p = s.p, *end = s.p + s.n;
    *l = (literal){.negative = p < end && *p == '-'};
    p += p < end && (*p == '-' || *p == '+');
    const char *whole = p;
    p = digits(l, p, end, false);
    size_t seen = (size_t)(p - whole);
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = digits(l, p, end, true);
        seen += (size_t)(p - fraction);
    }
    if (seen == 0)
        return false;
    if (p < end && (*p == 'e' || *p == 'E'))
        return scan_exponent(l, p + 1, end);
    return p == end;
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

/* strtod wants a NUL at the end; literals of any length are possible. */
static bool slow_parse(double *out, ilk_str s) {
    char small[128], *text = s.n < sizeof small ? small : ilk_alloc(s.n + 1, 1);
    if (!text)
        return false;
    memcpy(text, s.p, s.n);
    text[s.n] = '\0';
    *out = slow(text);
    if (text != small)
        ilk_free(text);
    return true;
}

bool ilk_number_parse(double *out, ilk_str s) {
    literal l;
    if (!scan(&l, s))
        return false;
    if (l.cut || l.digits > (UINT64_C(1) << 53) || l.exponent < -22 || l.exponent > 22)
        return slow_parse(out, s);
    double x = (double)l.digits;
    x = l.exponent < 0 ? x / power_of_ten[-l.exponent] : x * power_of_ten[l.exponent];
    *out = l.negative ? -x : x;
    return true;
}

size_t ilk_number_format(char out[ILK_NUMBER_SIZE], double x) {
    if (isnan(x) || isinf(x))
        return (size_t)snprintf(out, ILK_NUMBER_SIZE, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    locale_t c = the_c_locale(), before = c ? uselocale(c) : (locale_t)0;
    int n = 0;
    for (int precision = 15; precision <= 17; precision++) {
        n = snprintf(out, ILK_NUMBER_SIZE, "%.*g", precision, x);
        if (slow(out) == x)
            break;
    }
    if (c)
        uselocale(before);
    return (size_t)n;
}
