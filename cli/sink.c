/* SPDX-License-Identifier: Apache-2.0 */
/* sink.c - writing data: plain, CSV, and cleaned for terminals. */
#include "sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "width.h"

/* errno of the first failure to write to standard output: the process has one, so this is one too. Blocks are committed
 * one at a time, hence no lock. */
static int stdout_failure;

sink sink_stdout(void) {
    return (sink){.text = NULL, .status = stdout_failure ? ILK_ESTOP : ILK_OK};
}

sink sink_into(ilk_text *text) {
    return (sink){.text = text, .status = ILK_OK};
}

static ilk_status note_failure(void) {
    if (!stdout_failure)
        stdout_failure = errno ? errno : EIO;
    return ILK_ESTOP;
}

void sink_bytes(sink *s, const char *p, size_t n) {
    if (s->status != ILK_OK || n == 0)
        return;
    if (s->text)
        s->status = ilk_text_add(s->text, p, n);
    else if (fwrite(p, 1, n, stdout) != n)
        s->status = note_failure();
}

void sink_string(sink *s, const char *string) {
    sink_bytes(s, string, strlen(string));
}

/* For what we wrote ourselves; text of the user's goes through the functions below. */
void sink_format(sink *s, const char *format, ...) {
    char buf[1024], *p = buf;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(buf, sizeof buf, format, args);
    if (n >= (int)sizeof buf) {
        p = cli_alloc((size_t)n + 1, 1);
        vsnprintf(p, (size_t)n + 1, format, again);
    }
    va_end(again);
    va_end(args);
    sink_bytes(s, p, n < 0 ? 0 : (size_t)n);
    if (p != buf)
        free(p);
}

void sink_number(sink *s, double x) {
    char buf[32];
    sink_bytes(s, buf, ilk_format_number(buf, x));
}

void sink_rounded(sink *s, double x) {
    sink_format(s, "%.6g", x);
}

void sink_csv(sink *s, ilk_str field) {
    bool plain = true;
    for (size_t i = 0; i < field.n && plain; i++)
        plain = !strchr(",\"\r\n", field.p[i]) || field.p[i] == '\0';
    /* Blanks at the ends would be trimmed by a reader like ours. */
    if (field.n > 0 && (strchr(" \t", field.p[0]) || strchr(" \t", field.p[field.n - 1])))
        plain = false;
    if (plain) {
        sink_bytes(s, field.p, field.n);
        return;
    }
    sink_bytes(s, "\"", 1);
    for (size_t i = 0, from = 0; i <= field.n; i++)
        if (i == field.n || field.p[i] == '"') {
            sink_bytes(s, field.p + from, i - from);
            sink_bytes(s, "\"\"", i < field.n ? 2 : 1);
            from = i + 1;
        }
}

void sink_shown(sink *s, ilk_str text) {
    for (size_t i = 0; i < text.n;) {
        ilk_str rest = {text.p + i, text.n - i};
        uint32_t character;
        size_t n = utf8_next(rest, &character);
        bool printable = utf8_printable(character);
        sink_bytes(s, printable ? rest.p : "?", printable ? n : 1);
        i += n;
    }
}

void sink_spaces(sink *s, size_t n) {
    for (; n > 0; n--)
        sink_bytes(s, " ", 1);
}

ilk_status sink_flush_stdout(void) {
    return stdout_failure || fflush(stdout) != 0 ? note_failure() : ILK_OK;
}

int sink_close_stdout(int code) {
    errno = 0;
    if ((fflush(stdout) != 0 || fclose(stdout) != 0) && !stdout_failure)
        note_failure();
    if (!stdout_failure)
        return code;
    if (stdout_failure == EPIPE)
        return CLI_DONE;
    cli_error("cannot write to standard output: %s", strerror(stdout_failure));
    return CLI_FAILED;
}
