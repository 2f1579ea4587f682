/* SPDX-License-Identifier: Apache-2.0 */
/* error.h - how a function fails: a status returned, one line for people in the caller's ilk_error. */
#ifndef ILK_CORE_ERROR_H
#define ILK_CORE_ERROR_H

#include <ilk.h>

/* Fill *err (if there is one) and return `status`, so that failing is one statement:
 *     return ilk_fail(err, ILK_EDATA, "row %zu: ...", i);
 * Control characters in what is printed become '?' and the line is cut at a UTF-8 boundary: the text may be hostile. */
ilk_status ilk_fail(ilk_error *err, ilk_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with strerror(errno) appended after ": ". */
ilk_status ilk_fail_errno(ilk_error *err, ilk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

ilk_status ilk_fail_memory(ilk_error *err);

/* With what a callback returned: why it ended the walk only it knows, so *err names the status. Nothing on ILK_OK.
 * Returns `status`. */
ilk_status ilk_fail_callback(ilk_error *err, ilk_status status);

/* Prefix the message of a failure with what it was about and ": ". Does nothing on ILK_OK and ILK_ENOMEM. Returns
 * `status`. */
ilk_status ilk_blame(ilk_error *err, ilk_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* For printing an ilk_str with "%.*s": the precision, cut so that a hostile length cannot fill the line. */
int ilk_shown(ilk_str s);
#define ILK_SHOW(s) ilk_shown(s), (s).p

/* Run a call and pass its failure on. */
#define ILK_TRY(call)                                                                                                  \
    do {                                                                                                               \
        ilk_status try_status = (call);                                                                                \
        if (try_status != ILK_OK)                                                                                      \
            return try_status;                                                                                         \
    } while (0)

static inline bool ilk_str_equal(ilk_str a, ilk_str b) {
    return a.n == b.n && (a.n == 0 || __builtin_memcmp(a.p, b.p, a.n) == 0);
}

/* Byte order, shorter first on a common prefix. */
int ilk_str_compare(ilk_str a, ilk_str b);

#endif
