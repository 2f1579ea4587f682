/* SPDX-License-Identifier: Apache-2.0 */
/* encoding.c - names of encodings, byte order marks, and what is UTF-8.
 *
 * The list is ours rather than all that iconv knows: encodings with shift states or combining rules are read by
 * nobody's tables today, and their converters have a history. Where an encoding has a superset in use (GB18030 of GBK,
 * Windows' of Shift_JIS and EUC-KR), that is what is read.
 */
#include "text/encoding.h"

#include <ctype.h>
#include <string.h>

static const ilk_encoding encodings[] = {
    {"utf-8", " utf8 ", NULL, 1},
    {"utf-16", " utf16 unicode ", "UTF-16LE", 2}, /* without a mark; with one, the mark says which */
    {"utf-16le", " utf16le ", "UTF-16LE", 2},
    {"utf-16be", " utf16be ", "UTF-16BE", 2},
    {"utf-32", " utf32 ucs4 ", "UTF-32LE", 4}, /* likewise */
    {"utf-32le", " utf32le ", "UTF-32LE", 4},
    {"utf-32be", " utf32be ", "UTF-32BE", 4},
    {"gb18030", " ", "GB18030", 1},
    {"gbk", " gb2312 euccn cp936 ", "GB18030", 1},
    {"big5", " cp950 ", "BIG5", 1},
    {"shift_jis", " sjis cp932 windows31j ", "CP932", 1},
    {"euc-jp", " ", "EUC-JP", 1},
    {"euc-kr", " cp949 uhc ", "UHC", 1},
    {"latin1", " iso88591 ", "ISO-8859-1", 1},
    {"iso-8859-2", " latin2 ", "ISO-8859-2", 1},
    {"iso-8859-5", " ", "ISO-8859-5", 1},
    {"iso-8859-7", " ", "ISO-8859-7", 1},
    {"iso-8859-9", " latin5 ", "ISO-8859-9", 1},
    {"iso-8859-15", " latin9 ", "ISO-8859-15", 1},
    {"windows-1250", " cp1250 ", "CP1250", 1},
    {"windows-1251", " cp1251 ", "CP1251", 1},
    {"windows-1252", " cp1252 ansi ", "CP1252", 1},
    {"windows-1253", " cp1253 ", "CP1253", 1},
    {"windows-1254", " cp1254 ", "CP1254", 1},
    {"windows-1255", " cp1255 ", "CP1255", 1},
    {"windows-1256", " cp1256 ", "CP1256", 1},
    {"windows-1257", " cp1257 ", "CP1257", 1},
    {"koi8-r", " ", "KOI8-R", 1},
    {"koi8-u", " ", "KOI8-U", 1},
    {"tis-620", " cp874 ", "TIS-620", 1},
};

enum { LONGEST = 32 };

/* " name " in lower case without '-' and '_'; false if it cannot be one. */
static bool fold(char out[LONGEST], const char *name) {
    size_t n = 0;
    out[n++] = ' ';
    for (; *name && n < LONGEST - 2; name++)
        if (*name != '-' && *name != '_')
            out[n++] = (char)tolower((unsigned char)*name);
    out[n++] = ' ';
    out[n] = '\0';
    return *name == '\0' && n > 2 && !strchr(out + 1, ' ')[1];
}

const ilk_encoding *ilk_encoding_find(const char *name) {
    char wanted[LONGEST], known[LONGEST];
    if (!fold(wanted, name))
        return NULL;
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if ((fold(known, encodings[i].name) && strcmp(known, wanted) == 0) || strstr(encodings[i].others, wanted))
            return &encodings[i];
    return NULL;
}

bool ilk_encoding_same(const ilk_encoding *a, const ilk_encoding *b) {
    return a == b || (a->system && b->system && strcmp(a->system, b->system) == 0);
}

const ilk_encoding *ilk_encoding_marked(const unsigned char *p, size_t n) {
    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        return ilk_encoding_find("utf-8");
    if (n >= 4 && memcmp(p, "\xFF\xFE\0\0", 4) == 0) /* before UTF-16's, which it begins with; that has no NULs */
        return ilk_encoding_find("utf-32le");
    if (n >= 4 && memcmp(p, "\0\0\xFE\xFF", 4) == 0)
        return ilk_encoding_find("utf-32be");
    if (n >= 2 && p[0] == 0xFF && p[1] == 0xFE)
        return ilk_encoding_find("utf-16le");
    if (n >= 2 && p[0] == 0xFE && p[1] == 0xFF)
        return ilk_encoding_find("utf-16be");
    return NULL;
}

/* The bytes of the character at p[n]: 0 if none begins there, n + 1 if more bytes are needed to tell. */
static size_t character(const unsigned char *p, size_t n) {
    unsigned char c = p[0];
    if (c < 0xC2 || c > 0xF4)
        return c < 0x80;
    size_t need = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    unsigned low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;  /* shorter forms are not allowed, */
    unsigned high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF; /* nor surrogates, nor what is beyond Unicode */
    for (size_t i = 1; i < need; i++, low = 0x80, high = 0xBF) {
        if (i == n)
            return n + 1;
        if (p[i] < low || p[i] > high)
            return 0;
    }
    return need;
}

/* How many of p[n] are ASCII before the first that is not, as far as 128 bytes at a time can tell: as vectors, which gcc
 * and clang have for every processor. */
static size_t skip_ascii(const char *p, size_t n) {
    typedef uint64_t two __attribute__((vector_size(16)));
    size_t i = 0;
    for (; i + 128 <= n; i += 128) {
        two w[8];
        memcpy(w, p + i, sizeof w);
        two any = ((w[0] | w[1]) | (w[2] | w[3])) | ((w[4] | w[5]) | (w[6] | w[7]));
        if ((any[0] | any[1]) & UINT64_C(0x8080808080808080))
            break;
    }
    return i;
}

size_t ilk_utf8_prefix(const char *p, size_t n, size_t *beyond, bool *cut) {
    size_t i = 0;
    *cut = false;
    while (i < n) {
        if ((unsigned char)p[i] < 0x80) {
            size_t skipped = skip_ascii(p + i, n - i);
            i += skipped ? skipped : 1;
            continue;
        }
        size_t length = character((const unsigned char *)p + i, n - i);
        *cut = length > n - i;
        if (length == 0 || *cut)
            break;
        i += length;
        *beyond += length;
    }
    return i;
}
