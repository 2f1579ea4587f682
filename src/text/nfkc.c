/* SPDX-License-Identifier: Apache-2.0 */
/* nfkc.c - NFKC and case folding, a cluster at a time.
 *
 * Almost all text is in NFKC already, and in small letters. So it is scanned for the first character that might not be,
 * and only where there is one is anything written: what lies between is copied, and the clusters in question, a
 * character and those that join it, are decomposed, put in order, folded and composed again. What cannot be seen is
 * left out before: it parts nothing. A character is *settled* if it is its own normal form and never joins the one
 * before; a cluster ends before the next that joins nothing. Invariant: a cluster has at most ROOM code points, because
 * all but MARKS of those that join are dropped. A flood of accents costs no more than other text.
 *
 * Decomposition, folding and composition are utf8proc's. Common scripts are decided by range.
 */
#include "text/nfkc.h"
#include "text/characters.h"

#include <string.h>
#include <utf8proc.h>

enum {
    LONGEST = 32, /* code points a character decomposes to: 18 at most as of Unicode 15 */
    MARKS = 30,   /* that may join one character: no script comes near it */
    ROOM = LONGEST + MARKS,
    FOLDED = 3 /* code points that one folds to: Unicode has none with more */
};

static const utf8proc_property_t *property(uint32_t c) {
    return utf8proc_get_property((utf8proc_int32_t)c);
}

/* Might a code point, itself decomposed, join the one before? Marks do, and the later parts of a Korean syllable. */
static bool joins(uint32_t c) {
    if (c < 0x300)
        return false;
    const utf8proc_property_t *p = property(c);
    return p->combining_class != 0 || p->category == UTF8PROC_CATEGORY_MN || p->category == UTF8PROC_CATEGORY_MC ||
           p->category == UTF8PROC_CATEGORY_ME || ilk_char_between(c, 0x1160, 0x11FF);
}

/* Cannot be seen, whatever stands beside it. Those not assigned yet are unknown to utf8proc. */
static bool is_ignorable(uint32_t c) {
    return property(c)->ignorable || c == 0x2065 || ilk_char_between(c, 0xFFF0, 0xFFF8) ||
           ilk_char_between(c, 0xE0000, 0xE0FFF);
}

static bool has_case(uint32_t c) {
    return property(c)->casefold_seqindex != UINT16_MAX;
}

/* Settled, and common: small letters of Latin, Greek and Cyrillic, and scripts without case. */
static bool is_common(uint32_t c) {
    if (c < 0x530)
        return ilk_char_between(c, 0xE0, 0xFF) || ilk_char_between(c, 0x430, 0x45F) ||
               ilk_char_between(c, 0x3AC, 0x3AF) || ilk_char_between(c, 0x3B1, 0x3C1) ||
               ilk_char_between(c, 0x3C3, 0x3CE);
    return ilk_char_between(c, 0x4E00, 0x9FFF) || ilk_char_between(c, 0x3041, 0x3096) ||
           ilk_char_between(c, 0x30A1, 0x30FA) || ilk_char_between(c, 0xAC00, 0xD7A3);
}

/* Those that are composed of others and stay so: utf8proc tells them from those that come apart only by trying. */
static bool is_composed(uint32_t c) {
    if (c < 0x530)
        return ilk_char_between(c, 0xBF, 0x131) || ilk_char_between(c, 0x134, 0x13E) ||
               ilk_char_between(c, 0x141, 0x148) || ilk_char_between(c, 0x14A, 0x17E) ||
               ilk_char_between(c, 0x388, 0x3CE) || ilk_char_between(c, 0x400, 0x481);
    return ilk_char_between(c, 0x1E00, 0x1E99) || ilk_char_between(c, 0x1EA0, 0x1EFF);
}

static bool is_settled(uint32_t c, bool fold) {
    if (is_common(c))
        return true;
    if ((fold && has_case(c)) || is_ignorable(c))
        return false;
    return is_composed(c) || (!joins(c) && property(c)->decomp_seqindex == UINT16_MAX);
}

/* ---- one cluster */

typedef struct cluster {
    utf8proc_int32_t c[ROOM];
    size_t n, first; /* of them, and how many the first character gave */
} cluster;

static size_t decompose(utf8proc_int32_t out[LONGEST], uint32_t c) {
    int boundary = 0;
    if (is_ignorable(c))
        return 0;
    utf8proc_ssize_t n =
        utf8proc_decompose_char((utf8proc_int32_t)c, out, LONGEST, UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE, &boundary);
    if (n >= 1 && n <= LONGEST)
        return (size_t)n;
    out[0] = (utf8proc_int32_t)c;
    return 1;
}

/* Accents that stand elsewhere on the letter come in one order; those of one place keep theirs. */
static void add(cluster *k, utf8proc_int32_t c) {
    size_t i = k->n++;
    int rank = utf8proc_get_property(c)->combining_class;
    for (; rank > 0 && i > 0 && utf8proc_get_property(k->c[i - 1])->combining_class > rank; i--)
        k->c[i] = k->c[i - 1];
    k->c[i] = c;
}

/* The cluster that begins at p, which may be an accent without a letter. Returns the place after it. */
static const char *gather(cluster *k, const char *p, const char *end) {
    utf8proc_int32_t part[LONGEST];
    k->n = k->first = 0;
    while (p < end) {
        const char *next = p;
        size_t n = decompose(part, ilk_char_next(&next, end));
        if (k->n > 0 && n > 0 && !joins((uint32_t)part[0]))
            break;
        bool begins = k->n == 0;
        for (size_t i = 0; i < n && (begins || k->n < k->first + MARKS); i++)
            add(k, part[i]);
        if (begins)
            k->first = k->n;
        p = next;
    }
    return p;
}

/* The cluster as it is or folded. The marks stay in order: of them only the iota below folds, to a letter, and it is the
 * last. */
static size_t fold_parts(utf8proc_int32_t *out, const cluster *k, bool fold) {
    size_t n = 0;
    for (size_t i = 0; i < k->n; i++) {
        int boundary = 0;
        utf8proc_ssize_t parts = 0;
        if (fold && has_case((uint32_t)k->c[i]))
            parts = utf8proc_decompose_char(k->c[i], out + n, FOLDED, UTF8PROC_CASEFOLD, &boundary);
        if (parts < 1 || parts > FOLDED) {
            out[n] = k->c[i];
            parts = 1;
        }
        n += (size_t)parts;
    }
    return n;
}

static ilk_status write(ilk_buffer *out, const cluster *k, bool fold) {
    utf8proc_int32_t parts[FOLDED * ROOM];
    char bytes[4 * FOLDED * ROOM], *at = bytes;
    size_t n = fold_parts(parts, k, fold);
    if (n > 1)
        n = (size_t)utf8proc_normalize_utf32(parts, (utf8proc_ssize_t)n, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    for (size_t i = 0; i < n; i++)
        at = ilk_char_put(at, (uint32_t)parts[i]);
    return ilk_buffer_add(out, bytes, (size_t)(at - bytes));
}

/* ---- a text */

/* Is none of the sixteen bytes at p beyond ASCII? */
static inline bool is_ascii(const char *p) {
    uint64_t half[2];
    memcpy(half, p, sizeof half);
    return ((half[0] | half[1]) & UINT64_C(0x8080808080808080)) == 0;
}

/* The first byte from p on that is not ASCII. The last sixteen may overlap those before. */
static inline const char *skip_ascii(const char *p, const char *end) {
    const char *last = end - p >= 16 ? end - 16 : NULL;
    while (last && p <= last && is_ascii(p))
        p += 16;
    if (last && p > last && is_ascii(last))
        return end;
    while (p < end && (unsigned char)*p < 0x80)
        p++;
    return p;
}

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* U+4000 to U+9FFF, most of Chinese: three bytes by their first. All are settled. */
static bool is_han(const char *p, const char *end) {
    return end - p >= 3 && (unsigned char)*p - 0xE4u <= 5 && is_continuation(p[1]) && is_continuation(p[2]);
}

/* Full-width forms and capitals join nothing, and are common. */
static bool stands_alone(uint32_t c) {
    return ilk_char_between(c, 0xFF01, 0xFF5E) || (has_case(c) && !joins(c));
}

/* Where the cluster of the next character begins that is not settled: with it, or with the one before, which it may
 * join. Nothing before p is part of it. `end` if there is none. */
static const char *find_unsettled(const char *p, const char *end, bool fold) {
    const char *before = p;
    while (p < end) {
        const char *at = p;
        if ((unsigned char)*p < 0x80) {
            p = skip_ascii(p, end);
            before = p - 1;
        } else if (is_han(p, end)) {
            before = p;
            p += 3;
        } else {
            uint32_t c = ilk_char_next(&p, end);
            if (!is_settled(c, fold))
                return stands_alone(c) ? at : before;
            before = at;
        }
    }
    return end;
}

ilk_status ilk_text_normalize(ilk_str *text, bool fold, ilk_buffer *out) {
    const char *p = text->p, *end = text->p + text->n, *at = find_unsettled(p, end, fold);
    if (at == end)
        return ILK_OK;
    out->n = 0;
    while (p < end) {
        cluster k;
        ILK_TRY(ilk_buffer_add(out, p, (size_t)(at - p)));
        if (at == end)
            break;
        p = gather(&k, at, end);
        ILK_TRY(write(out, &k, fold));
        at = find_unsettled(p, end, fold);
    }
    *text = (ilk_str){out->p, out->n};
    return ILK_OK;
}
