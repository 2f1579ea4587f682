/* SPDX-License-Identifier: Apache-2.0 */
/* width.c - UTF-8 and display width.
 *
 * Ranges after Unicode 15's East Asian Width (W, F) and the general categories Mn, Me and Cf, joined where the gaps
 * hold nothing that prints. wcwidth would need a UTF-8 locale, which LANG=C does not give.
 */
#include "width.h"

#include <sys/ioctl.h>

typedef struct range {
    uint32_t first, last;
} range;

static const range zero_width[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489},   {0x0591, 0x05bd},   {0x0610, 0x061a}, {0x064b, 0x065f}, {0x0670, 0x0670},
    {0x06d6, 0x06dc}, {0x0900, 0x0902},   {0x093c, 0x093c},   {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31},
    {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e},   {0x1ab0, 0x1aff},   {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e},
    {0x2060, 0x2064}, {0x20d0, 0x20f0},   {0x302a, 0x302d},   {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
    {0xfeff, 0xfeff}, {0xe0001, 0xe007f}, {0xe0100, 0xe01ef},
};

static const range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},   {0x2648, 0x2653},
    {0x26a1, 0x26a1},   {0x26bd, 0x26be},   {0x2705, 0x2705},   {0x2728, 0x2728},   {0x274c, 0x274c},
    {0x2753, 0x2757},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0x4dbf},
    {0x4e00, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff},
    {0x1f18e, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
    {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

static bool within(const range *ranges, size_t n, uint32_t character) {
    for (size_t i = 0; i < n; i++)
        if (character <= ranges[i].last)
            return character >= ranges[i].first;
    return false;
}

/* How many bytes a character takes that begins with this one; 0 if none does. */
static size_t sequence_length(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first < 0xc2)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

size_t utf8_next(ilk_str bytes, uint32_t *character) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length: longer forms than need be are bad */
    const unsigned char *p = (const unsigned char *)bytes.p;
    size_t length = sequence_length(p[0]);
    *character = UTF8_INVALID;
    if (length == 0 || length > bytes.n)
        return 1;
    uint32_t c = length == 1 ? p[0] : p[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 1;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 1;
    *character = c;
    return length;
}

bool utf8_printable(uint32_t character) {
    return character >= 0x20 && (character < 0x7f || character >= 0xa0) && character != UTF8_INVALID;
}

size_t display_width(ilk_str text) {
    size_t width = 0;
    for (size_t i = 0; i < text.n;) {
        uint32_t c;
        i += utf8_next((ilk_str){text.p + i, text.n - i}, &c);
        if (c == UTF8_INVALID || c < 0x300)
            width += 1;
        else if (!within(zero_width, sizeof zero_width / sizeof *zero_width, c))
            width += within(wide, sizeof wide / sizeof *wide, c) ? 2 : 1;
    }
    return width;
}

unsigned terminal_width(int fd) {
    struct winsize size = {0};
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
