/* SPDX-License-Identifier: Apache-2.0 */
/* encoding.h - the encodings of text that can be read, by name, and what bytes look like. */
#ifndef ILK_TEXT_ENCODING_H
#define ILK_TEXT_ENCODING_H

#include "core/error.h"

typedef struct ilk_encoding {
    const char *name;   /* as users write it */
    const char *others; /* further spellings, each between blanks */
    const char *system; /* iconv's name; NULL: UTF-8, which needs none */
    size_t unit;        /* bytes to step over where one is invalid */
} ilk_encoding;

/* By name, whatever its case, '-' and '_'; NULL if it is not known. */
const ilk_encoding *ilk_encoding_find(const char *name);

/* Do both names mean the same converter? */
bool ilk_encoding_same(const ilk_encoding *a, const ilk_encoding *b);

/* What a byte order mark at the beginning of a file says, NULL if there is none. */
const ilk_encoding *ilk_encoding_marked(const unsigned char *p, size_t n);

/* The length of the prefix of p[n] that is UTF-8, whole characters only; *beyond += how many of its bytes are not
 * ASCII. *cut: what follows may be a character, of which not all bytes are there. */
size_t ilk_utf8_prefix(const char *p, size_t n, size_t *beyond, bool *cut);

/* What text that is not UTF-8 looks like. */
typedef struct ilk_guess {
    const char *name; /* of the encoding, NULL if nothing fits */
    bool plain;       /* so much so that even a little of it is no accident */
} ilk_guess;

/* Judged by how many of its characters beyond ASCII are common ones under each encoding. */
ilk_guess ilk_encoding_guess(ilk_str sample);

/* The encoding that a sample is in, plainly, rather than in the one asked for, though it may be valid there: most bytes
 * are valid Chinese. NULL if there is none, or it is too little to tell. */
const char *ilk_encoding_rival(ilk_str sample, const ilk_encoding *asked);

/* Is it UTF-8, but for strays and for characters that the pieces it is made of cut? Text has no NUL, which UTF-16 of
 * ASCII has, and of that every byte would do. */
bool ilk_is_mostly_utf8(ilk_str sample);

/* UTF-16 or UTF-32 without a mark, by where its NUL bytes stand; `sample` must begin at a multiple of four of the
 * file's bytes. NULL if not. */
const char *ilk_encoding_guess_wide(ilk_str sample);

#endif
