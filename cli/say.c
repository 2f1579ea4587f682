/* SPDX-License-Identifier: Apache-2.0 */
/* say.c - words for people, on standard error; memory, whose lack is such a word; and strings. */
#include "cli.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "width.h"

/* A line is put together first and written once, so that lines of several processes do not mix. */
__attribute__((format(printf, 2, 0))) static void line(const char *prefix, const char *format, va_list args) {
    char buf[1024];
    size_t kept = 0, n = 0;
    vsnprintf(buf, sizeof buf, format, args);
    for (size_t end = strlen(buf); n < end;) {
        uint32_t character;
        size_t length = utf8_next((ilk_str){buf + n, end - n}, &character);
        if (utf8_printable(character)) {
            memmove(buf + kept, buf + n, length);
            kept += length;
        } else {
            buf[kept++] = '?';
        }
        n += length;
    }
    fprintf(stderr, "%s%.*s\n", prefix, (int)kept, buf);
}

int cli_shown(ilk_str s) {
    size_t n = 0, length;
    uint32_t character;
    for (; n < s.n; n += length) {
        length = utf8_next((ilk_str){s.p + n, s.n - n}, &character);
        if (n + length > 60)
            break;
    }
    return (int)n;
}

void cli_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    line("ilk: ", format, args);
    va_end(args);
}

void cli_say(const cli_settings *settings, const char *format, ...) {
    if (settings->quiet)
        return;
    va_list args;
    va_start(args, format);
    line("", format, args);
    va_end(args);
}

int cli_fail(const ilk_error *err) {
    if (err->status != ILK_ESTOP)
        cli_error("%s", err->message[0] ? err->message : ilk_status_name(err->status));
    return CLI_FAILED;
}

int cli_fail_asked(const ilk_error *err) {
    int code = cli_fail(err);
    return err->status == ILK_EARG ? CLI_USAGE : code;
}

void cli_name_file(ilk_error *err, const char *path) {
    ilk_error unnamed = *err;
    snprintf(err->message, sizeof err->message, "%.200s: %.300s", path, unnamed.message);
}

void *cli_alloc(size_t count, size_t size) {
    return cli_resize(NULL, count, size);
}

void *cli_resize(void *p, size_t count, size_t size) {
    void *grown = reallocarray(p, count ? count : 1, size);
    if (!grown) {
        cli_error("out of memory");
        exit(CLI_FAILED);
    }
    return grown;
}

ilk_str cli_str(const char *s) {
    return (ilk_str){s, strlen(s)};
}

bool cli_equal(ilk_str a, ilk_str b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

char *cli_thousands(char *buf, uint64_t n) {
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n), to = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            buf[to++] = ',';
        buf[to++] = digits[i];
    }
    buf[to] = '\0';
    return buf;
}

const char *cli_plural(uint64_t n) {
    return n == 1 ? "" : "s";
}
