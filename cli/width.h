/* SPDX-License-Identifier: Apache-2.0 */
/* width.h - how wide text stands on a terminal, and how wide that is. UTF-8 whatever the locale, so that tables align
 * under LANG=C too. */
#ifndef ILK_CLI_WIDTH_H
#define ILK_CLI_WIDTH_H

#include <ilk.h>

#define UTF8_INVALID UINT32_MAX

/* Decode the first character of non-empty bytes; returns its length. A bad byte is UTF8_INVALID of length 1. */
size_t utf8_next(ilk_str bytes, uint32_t *character);

/* May it go to a terminal? Not what is invalid, nor control characters, those of Latin-1 among them. */
bool utf8_printable(uint32_t character);

/* Columns the text takes as sink_shown writes it: 2 for wide characters (Chinese), 0 for combining ones. */
size_t display_width(ilk_str text);

/* Columns of the terminal that the file is; 0 if it is none, or does not tell. */
unsigned terminal_width(int fd);

#endif
