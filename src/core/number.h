/* SPDX-License-Identifier: Apache-2.0 */
/* number.h - numbers as text: what strtod and printf do in the C locale, whatever the program's locale is. */
#ifndef ILK_CORE_NUMBER_H
#define ILK_CORE_NUMBER_H

#include <ilk.h>

#define ILK_NUMBER_SIZE 32 /* room for any double in shortest form, and its NUL */

/* Parse the whole of s as a decimal number (sign, digits, point, exponent; no blanks, no hex, no inf or nan).
 * The value equals strtod's bit for bit. False if it is not a number. */
bool ilk_number_parse(double *out, ilk_str s);

/* Shortest decimal form that reads back as x; returns its length (NUL-terminated). */
size_t ilk_number_format(char out[ILK_NUMBER_SIZE], double x);

#endif
