/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - filling the caller's ilk_error. */
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ilk_status_name(ilk_status status) {
    switch (status) {
    case ILK_OK:
        return "ok";
    case ILK_ENOMEM:
        return "out of memory";
    case ILK_EARG:
        return "wrong argument";
    case ILK_EDATA:
        return "bad data";
    case ILK_ESINGULAR:
        return "singular covariance";
    case ILK_EIO:
        return "input or output failed";
    case ILK_EFORMAT:
        return "bad model file";
    case ILK_ESTOP:
        return "stopped";
    }
    return "unknown status";
}

/* The longest prefix of s[0..n) that ends between characters. */
static size_t cut(const char *s, size_t n) {
    size_t end = n;
    while (end > 0 && n - end < 4 && ((unsigned char)s[end - 1] & 0xC0) == 0x80)
        end--;
    if (end == 0 || (unsigned char)s[end - 1] < 0xC0)
        return n; /* ASCII, or a run of continuation bytes that is not UTF-8 anyway */
    unsigned char lead = (unsigned char)s[end - 1];
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    return n - (end - 1) == length ? n : end - 1;
}

int ilk_shown(ilk_str s) {
    const size_t most = 80;
    return (int)(s.n <= most ? s.n : cut(s.p, most));
}

int ilk_str_compare(ilk_str a, ilk_str b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* One line, whatever the data held. */
static void finish(ilk_error *err) {
    size_t n = strlen(err->message);
    if (n == sizeof err->message - 1)
        err->message[cut(err->message, n)] = '\0';
    char *to = err->message;
    for (const unsigned char *c = (const unsigned char *)err->message; *c; c++) {
        bool latin = *c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0; /* U+0080 to U+009F are control characters too */
        *to++ = *c < 0x20 || *c == 0x7F || latin ? '?' : (char)*c;
        c += latin;
    }
    *to = '\0';
}

ilk_status ilk_fail(ilk_error *err, ilk_status status, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        finish(err);
    }
    return status;
}

ilk_status ilk_fail_errno(ilk_error *err, ilk_status status, const char *format, ...) {
    int saved = errno;
    if (err) {
        char reason[96] = "";
        const char *text = strerror_r(saved, reason, sizeof reason);
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        size_t n = strlen(err->message);
        snprintf(err->message + n, sizeof err->message - n, ": %s", text);
        finish(err);
    }
    return status;
}

ilk_status ilk_blame(ilk_error *err, ilk_status status, const char *format, ...) {
    if (!err || status == ILK_OK || status == ILK_ENOMEM)
        return status;
    char subject[256];
    va_list args;
    va_start(args, format);
    vsnprintf(subject, sizeof subject, format, args);
    va_end(args);
    ilk_error about = *err;
    return ilk_fail(err, status, "%s: %s", subject, about.message);
}

ilk_status ilk_fail_memory(ilk_error *err) {
    return ilk_fail(err, ILK_ENOMEM, "out of memory");
}

ilk_status ilk_fail_callback(ilk_error *err, ilk_status status) {
    return status == ILK_OK ? ILK_OK : ilk_fail(err, status, "%s", ilk_status_name(status));
}
