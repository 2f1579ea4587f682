/* SPDX-License-Identifier: Apache-2.0 */
/* image.h - the container of a model file: typed sections, each with a checksum.   docs/FORMAT.md
 *
 * An image in memory is byte for byte the file, so that a model just estimated and one opened from disk are read by the
 * same code.
 */
#ifndef ILK_MODEL_IMAGE_H
#define ILK_MODEL_IMAGE_H

#include "core/buffer.h"

typedef enum ilk_section_type {
    ILK_SECTION_SCHEMA = 1,     /* columns */
    ILK_SECTION_HEAD = 2,       /* options, classes, priors */
    ILK_SECTION_KEYS = 3,       /* per block: categories or words */
    ILK_SECTION_PARAMS = 4,     /* per block: parameters */
    ILK_SECTION_STATS = 5,      /* classes and their rows */
    ILK_SECTION_MOMENTS = 6,    /* per block */
    ILK_SECTION_STATS_KEYS = 7, /* per block: all keys seen, unless they are those of the model */
    ILK_SECTION_CELLS = 8       /* per block: their counts */
} ilk_section_type;

typedef struct ilk_section {
    uint32_t type, block;
    const void *p;
    size_t n;
    uint64_t hash; /* as the file says; set by ilk_image_open. 0 in one to be written: not known yet */
} ilk_section;

/* Header, table and padding around the sections. pieces has room for 2 n + 1; `head` holds the first. */
ilk_status ilk_image_pieces(ilk_str *pieces, ilk_buffer *head, const ilk_section *sections, size_t n);

typedef struct ilk_image {
    ilk_section *section;       /* n, as they follow each other */
    const ilk_section **sorted; /* the same by type and block: a file may have a million */
    size_t n;
} ilk_image;

/* Check header and table of `bytes` (64-byte aligned), which stay where they are. Sections are checked when asked for.
 * */
ilk_status ilk_image_open(ilk_image *out, const void *bytes, size_t n, ilk_error *err);
void ilk_image_close(ilk_image *image);

/* A section, its checksum verified. ILK_EFORMAT if it is damaged or absent. */
ilk_status ilk_image_section(ilk_section *out, const ilk_image *image, uint32_t type, uint32_t block, ilk_error *err);
bool ilk_image_has(const ilk_image *image, uint32_t type, uint32_t block);

#endif
