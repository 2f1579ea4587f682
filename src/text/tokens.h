/* SPDX-License-Identifier: Apache-2.0 */
/* tokens.h - from text to words. Defined for any bytes: what is not UTF-8 is read as U+FFFD, byte by byte. */
#ifndef ILK_TEXT_TOKENS_H
#define ILK_TEXT_TOKENS_H

#include "core/buffer.h"

#define ILK_TOKENS_AT_ONCE 64 /* most that are passed on at a time */
#define ILK_TOKEN_READABLE 16 /* bytes that can be read from where a token begins, though they may not be its own */

typedef ilk_status (*ilk_token_fn)(void *ctx, const ilk_str *token, size_t n);

/* Working memory of one thread, reused from text to text. Zero-initialised is ready. */
typedef struct ilk_token_scratch {
    ilk_buffer folded; /* the tokens in normal form, one blank between them, so that an n-gram is a slice of it */
    ilk_buffer normal; /* the text in NFKC and folded, where it was not */
} ilk_token_scratch;

void ilk_token_scratch_free(ilk_token_scratch *scratch);

/* Call fn for the terms of the text, in order, some at a time: a look-up waits for memory, and many can wait together.
 * Terms of several words are joined by one blank. What is passed stays where it is until ilk_tokenize returns. Linear
 * in the length of the text. Returns ILK_OK, ILK_ENOMEM, or what fn returned. */
ilk_status ilk_tokenize(const ilk_tokenizer *tokenizer, ilk_str text, ilk_token_scratch *scratch, ilk_token_fn fn,
                        void *ctx);

/* About how many words a text has, to tell prose from categories: runs between blanks, and a word more for every two
 * Chinese or Japanese characters. */
size_t ilk_words_estimate(ilk_str text);

#endif
