/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - see image.h and docs/FORMAT.md.
 *
 * Header, 64 bytes: magic[8] | u32 version | u32 sections | u64 file size | u64 hash | 32 zero bytes
 * Table, 32 bytes per section: u32 type | u32 block | u64 offset | u64 size | u64 hash
 * The header's hash covers header (with the hash as 0) and table; a section's hash covers its bytes. Sections begin at
 * multiples of 64, one behind the other; between them are zeros and nothing else, so that no byte is beyond a check.
 */
#include "model/image.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/wire.h"

enum { VERSION = 1, HEADER = 64, ENTRY = 32, HASH_AT = 24, HEADER_USED = 32, ALIGN = 64 };

/* The first byte is no text, the line ends show a transfer that changed them, 0x1A ends a listing on old systems. */
static const char MAGIC[8] = {'\x8F', 'I', 'L', 'K', '\r', '\n', '\x1A', '\n'};
static const char ZEROS[ALIGN] = {0};

static size_t aligned(size_t n) {
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

static ilk_status put_entry(ilk_buffer *out, const ilk_section *s, size_t offset) {
    ILK_TRY(ilk_put_u32(out, s->type));
    ILK_TRY(ilk_put_u32(out, s->block));
    ILK_TRY(ilk_put_u64(out, offset));
    ILK_TRY(ilk_put_u64(out, s->n));
    return ilk_put_u64(out, s->hash ? s->hash : ilk_hash_bytes(s->p, s->n));
}

ilk_status ilk_image_pieces(ilk_str *pieces, ilk_buffer *head, const ilk_section *sections, size_t n) {
    size_t size = aligned(HEADER + n * ENTRY), offset = size;
    for (size_t i = 0; i < n; i++)
        size = i + 1 < n ? size + aligned(sections[i].n) : size + sections[i].n;
    ILK_TRY(ilk_buffer_add(head, MAGIC, sizeof MAGIC));
    ILK_TRY(ilk_put_u32(head, VERSION));
    ILK_TRY(ilk_put_u32(head, (uint32_t)n));
    ILK_TRY(ilk_put_u64(head, size));
    ILK_TRY(ilk_buffer_add(head, ZEROS, HEADER - HASH_AT));
    for (size_t i = 0; i < n; i++) {
        ILK_TRY(put_entry(head, &sections[i], offset));
        offset += aligned(sections[i].n);
    }
    uint64_t hash = ilk_hash_bytes(head->p, head->n);
    memcpy(head->p + HASH_AT, &hash, sizeof hash);
    ILK_TRY(ilk_buffer_add(head, ZEROS, aligned(head->n) - head->n));
    pieces[0] = (ilk_str){head->p, head->n};
    for (size_t i = 0; i < n; i++) {
        pieces[1 + 2 * i] = (ilk_str){sections[i].p, sections[i].n};
        pieces[2 + 2 * i] = (ilk_str){ZEROS, i + 1 < n ? aligned(sections[i].n) - sections[i].n : 0};
    }
    return ILK_OK;
}

/* ---- reading */

/* On a copy, in which the hash can be 0. */
static ilk_status check_hash(const char *p, size_t n, uint64_t hash, ilk_error *err) {
    char *copy = ilk_alloc(n, 1);
    if (!copy)
        return ilk_fail_memory(err);
    memcpy(copy, p, n);
    memset(copy + HASH_AT, 0, sizeof hash);
    bool same = ilk_hash_bytes(copy, n) == hash;
    ilk_free(copy);
    return same ? ILK_OK : ilk_fail(err, ILK_EFORMAT, "the model file's header is damaged");
}

static ilk_status check_header(const char *p, size_t n, uint32_t *sections, ilk_error *err) {
    if (n < HEADER || memcmp(p, MAGIC, sizeof MAGIC) != 0)
        return ilk_fail(err, ILK_EFORMAT, "not a model file");
    ilk_reader in = {.p = p + sizeof MAGIC, .left = HEADER - sizeof MAGIC};
    uint32_t version = ilk_get_u32(&in);
    if (version != VERSION)
        return ilk_fail(err, ILK_EFORMAT, "a model file of version %u; this Ilk reads version %d", version, VERSION);
    *sections = ilk_get_u32(&in);
    uint64_t size = ilk_get_u64(&in), hash = ilk_get_u64(&in);
    if (size != n)
        return ilk_fail(err, ILK_EFORMAT, "a model file of %llu bytes, of which %zu are here", (unsigned long long)size,
                        n);
    if (memcmp(p + HEADER_USED, ZEROS, HEADER - HEADER_USED) != 0)
        return ilk_fail(err, ILK_EFORMAT, "the model file's header is damaged");
    size_t length = HEADER + (size_t)*sections * ENTRY;
    if (length > n)
        return ilk_fail(err, ILK_EFORMAT, "the model file's table is cut short");
    return check_hash(p, length, hash, err);
}

/* Sections follow each other without a gap but for zeros. */
static bool get_entry(ilk_section *s, ilk_reader *table, const char *p, size_t n, uint64_t *end) {
    s->type = ilk_get_u32(table);
    s->block = ilk_get_u32(table);
    uint64_t offset = ilk_get_u64(table), size = ilk_get_u64(table);
    s->hash = ilk_get_u64(table);
    if (offset != aligned(*end) || offset > n || size > n - offset || memcmp(p + *end, ZEROS, offset - *end) != 0)
        return false;
    *end = offset + size;
    s->p = p + offset;
    s->n = size;
    return true;
}

static int by_place(const void *a, const void *b) {
    const ilk_section *x = *(const ilk_section *const *)a, *y = *(const ilk_section *const *)b;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* Two of one type and block could be read as either. */
static ilk_status sort_sections(ilk_image *image, ilk_error *err) {
    for (size_t i = 0; i < image->n; i++)
        image->sorted[i] = &image->section[i];
    qsort(image->sorted, image->n, sizeof *image->sorted, by_place);
    for (size_t i = 1; i < image->n; i++)
        if (by_place(&image->sorted[i - 1], &image->sorted[i]) == 0)
            return ilk_fail(err, ILK_EFORMAT, "the model file has section %u of block %u twice", image->sorted[i]->type,
                            image->sorted[i]->block);
    return ILK_OK;
}

static ilk_status get_sections(ilk_image *out, uint32_t sections, const void *bytes, size_t n, ilk_error *err) {
    out->section = ilk_alloc(sections, sizeof *out->section);
    out->sorted = ilk_alloc(sections, sizeof *out->sorted);
    if (!out->section || !out->sorted)
        return ilk_fail_memory(err);
    ilk_reader table = {.p = (const char *)bytes + HEADER, .left = (size_t)sections * ENTRY};
    uint64_t end = HEADER + table.left;
    for (; out->n < sections; out->n++)
        if (!get_entry(&out->section[out->n], &table, bytes, n, &end))
            return ilk_fail(err, ILK_EFORMAT, "the model file's table is damaged");
    if (end != n)
        return ilk_fail(err, ILK_EFORMAT, "the model file has bytes behind its last section");
    return sort_sections(out, err);
}

ilk_status ilk_image_open(ilk_image *out, const void *bytes, size_t n, ilk_error *err) {
    uint32_t sections = 0;
    *out = (ilk_image){0};
    ILK_TRY(check_header(bytes, n, &sections, err));
    ilk_status status = get_sections(out, sections, bytes, n, err);
    if (status != ILK_OK)
        ilk_image_close(out);
    return status;
}

void ilk_image_close(ilk_image *image) {
    ilk_free(image->sorted);
    ilk_free(image->section);
    *image = (ilk_image){0};
}

/* NULL if there is none. */
static const ilk_section *find(const ilk_image *image, uint32_t type, uint32_t block) {
    const ilk_section wanted = {.type = type, .block = block}, *key = &wanted;
    const ilk_section **at = bsearch(&key, image->sorted, image->n, sizeof *image->sorted, by_place);
    return at ? *at : NULL;
}

ilk_status ilk_image_section(ilk_section *out, const ilk_image *image, uint32_t type, uint32_t block, ilk_error *err) {
    const ilk_section *found = find(image, type, block);
    if (!found)
        return ilk_fail(err, ILK_EFORMAT, "the model file lacks section %u of block %u", type, block);
    if (ilk_hash_bytes(found->p, found->n) != found->hash)
        return ilk_fail(err, ILK_EFORMAT, "the model file is damaged (section %u of block %u)", type, block);
    *out = *found;
    return ILK_OK;
}

bool ilk_image_has(const ilk_image *image, uint32_t type, uint32_t block) {
    return find(image, type, block) != NULL;
}
