/* SPDX-License-Identifier: Apache-2.0 */
/* sink.h - where data goes: standard output, or the text of a block that is written later in order.
 *
 * The first failure sticks and what follows is dropped, so callers write freely and look at `status` at the end. A
 * failing standard output yields ILK_ESTOP and is reported once, by sink_close_stdout.
 */
#ifndef ILK_CLI_SINK_H
#define ILK_CLI_SINK_H

#include <ilk_data.h>

typedef struct sink {
    ilk_text *text; /* NULL: standard output */
    ilk_status status;
} sink;

sink sink_stdout(void);
sink sink_into(ilk_text *text);

void sink_bytes(sink *s, const char *p, size_t n);
void sink_string(sink *s, const char *string);
void sink_format(sink *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* In the shortest form that reads back as the same double. */
void sink_number(sink *s, double x);
/* Six significant digits, for people. */
void sink_rounded(sink *s, double x);

/* A field of CSV: quoted where it must be. */
void sink_csv(sink *s, ilk_str field);
/* Text for a terminal: control characters and what is not UTF-8 become '?'. */
void sink_shown(sink *s, ilk_str text);
void sink_spaces(sink *s, size_t n);

/* Hand what was written so far to the reader at the other end. */
ilk_status sink_flush_stdout(void);
/* Flush and close; returns the exit code: `code`, or that of the failure to write. A reader that left is no failure. */
int sink_close_stdout(int code);

#endif
