/* SPDX-License-Identifier: Apache-2.0 */
/* number.h - numbers as text: what strtod and printf do in the C locale, whatever the program's locale is. */
#ifndef ILK_CORE_NUMBER_H
#define ILK_CORE_NUMBER_H

#include <ilk.h>

#include <endian.h>
#include <string.h>

#define ILK_NUMBER_SIZE 32 /* room for any double in shortest form, and its NUL */

static inline bool ilk_is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* Eight bytes, the first of them lowest. */
static inline uint64_t ilk_load8(const char *p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return le64toh(x);
}

/* Are all eight digits? Their high halves must be 3, before and after the low halves of ':' and beyond overflow. */
static inline bool ilk_are_digits(uint64_t x) {
    return ((x & UINT64_C(0xF0F0F0F0F0F0F0F0)) |
            ((x + UINT64_C(0x0606060606060606)) & UINT64_C(0xF0F0F0F0F0F0F0F0)) >> 4) == UINT64_C(0x3333333333333333);
}

/* Parse the whole of s as a decimal number (sign, digits, point, exponent; no blanks, no hex, no inf or nan).
 * The value equals strtod's bit for bit. False if it is not a number. */
bool ilk_number_parse(double *out, ilk_str s);

/* x[j] = the number that field[at[j]] spells, for j from 0 to n - 1; one that is none, or too large for a double, ends
 * it. Returns how many were read. */
size_t ilk_number_parse_row(double *x, const ilk_str *field, const size_t *at, size_t n);

/* A whole number without a fraction of zeros, "1" for "1.0" and "1.00"; all else as it is. Programs that write 1 write
 * 1.0 as soon as a value of the column is missing. */
static inline ilk_str ilk_number_plain(ilk_str s) {
    size_t n = s.n, sign = s.n > 0 && (s.p[0] == '-' || s.p[0] == '+');
    while (n > 0 && s.p[n - 1] == '0')
        n--;
    if (n == s.n || n < sign + 2 || s.p[n - 1] != '.')
        return s;
    for (size_t i = sign; i < n - 1; i++)
        if (!ilk_is_digit(s.p[i]))
            return s;
    return (ilk_str){s.p, n - 1};
}

/* Shortest decimal form that reads back as x; returns its length (NUL-terminated). */
size_t ilk_number_format(char out[ILK_NUMBER_SIZE], double x);

#endif
