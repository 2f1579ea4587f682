/* SPDX-License-Identifier: Apache-2.0 */
/* version.c - which Ilk this is, and what it was built with. */
#include <ilk.h>

const char *ilk_version(void) {
    return ILK_VERSION_STRING;
}

const char *ilk_build_info(void) {
    return "xxhash utf8proc"
#ifdef ILK_HAVE_ZLIB
           " zlib"
#endif
#ifdef ILK_HAVE_LIBLZMA
           " liblzma"
#endif
#ifdef ILK_HAVE_LIBZSTD
           " libzstd"
#endif
#ifdef ILK_HAVE_JANSSON
           " jansson"
#endif
        ;
}
