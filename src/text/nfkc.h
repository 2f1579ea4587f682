/* SPDX-License-Identifier: Apache-2.0 */
/* nfkc.h - text in Unicode's normal form NFKC, case folded: one spelling for what reads the same. */
#ifndef ILK_TEXT_NFKC_H
#define ILK_TEXT_NFKC_H

#include "core/buffer.h"

/* *text in NFKC without what cannot be seen (Default_Ignorable_Code_Point): what it was where that is its own normal
 * form, else what is written to `out`. With `fold` it is Unicode's toNFKC_Casefold of the text in NFKD, but capitals of
 * ASCII may stay, which the caller folds. (In NFKD, because the iota below a Greek vowel folds to a letter, and must
 * come after all accents wherever it was written.) Of what joins a character (accents, for the most part) the first 30
 * stay. Bytes that are no UTF-8 stay, or become U+FFFD. Linear in the length of the text. ILK_OK or ILK_ENOMEM. */
ilk_status ilk_text_normalize(ilk_str *text, bool fold, ilk_buffer *out);

#endif
