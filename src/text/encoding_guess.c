/* SPDX-License-Identifier: Apache-2.0 */
/* encoding_guess.c - which encoding text that is not UTF-8 is in.
 *
 * Validity tells little: most bytes are valid Chinese. Common characters tell: about 120 of them are two fifths of any
 * Chinese text, but three in a hundred of what Korean text turns into when read as Chinese. So every candidate decodes
 * the sample, gets a point for each of its own common characters, a fifth of one for a merely usual one (hanzi of the
 * first level; it decides short texts), loses five for an invalid sequence, and is measured by what real text of it
 * reaches. Of alphabets whose letters have the same bytes the frequent letters tell, of accented ones which there are;
 * of equals the first. Accented Latin letters count beside ASCII letters only, and those of other alphabets only where
 * there are none, because their bytes are the same, and less where they stand alone, as signs do; Chinese bytes that are
 * no letters count against alphabets.
 *
 * Against an encoding that somebody named, more is asked for: several different characters that are common in the
 * other, so that a short table with its few words over and over is never taken for what it is not.
 */
#include "text/characters.h"
#include "text/encoding.h"

#include <iconv.h>
#include <string.h>
#include <wchar.h>

typedef struct candidate {
    const char *encoding;
    const char *common;        /* characters */
    unsigned char first, last; /* lead bytes of characters that are usual, 0 if none */
    double miss;               /* points for one that is neither, or, of an alphabet, stands beside an ASCII letter */
    double expected;           /* points per character beyond ASCII in real text */
    bool western;              /* letters among ASCII letters, which strays in a text of another encoding are too */
} candidate;

static const candidate candidates[] = {
    {"gb18030",
     "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所"
     "然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
     "月日名号类别性价数量型市县省区公司电话收入请我机工业务全新高关长产品",
     0xB0, 0xD7, 0, .5, false},
    {"big5",
     "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行所"
     "然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實"
     "月日名號類別性價數量型市縣省區公司電話收入請我機工業務全新高關長產品",
     0xA4, 0xC6, 0, .5, false},
    {"shift_jis",
     "あいうえおかがきくけこさしすせそただちっつてでとなにのはばひふへほまみむめもやよらりるれろわをん"
     "アイウエオカキクコサシスセタチッテトドナニフプマムメヤラリルレロンー",
     0x88, 0x97, 0, .5, false},
    {"euc-jp",
     "あいうえおかがきくけこさしすせそただちっつてでとなにのはばひふへほまみむめもやよらりるれろわをん"
     "アイウエオカキクコサシスセタチッテトドナニフプマムメヤラリルレロンー",
     0xB0, 0xCF, 0, .5, false},
    {"euc-kr",
     "이다는의에을를가은고도하지서로기나어아사한시대인일그리자수정해들라만요오부전주스보제상것게니있했안"
     "없과와면여장성명소구분비연생원조공세거동방경무모신물문선",
     0xB0, 0xC8, 0, .6, false},
    {"windows-1251", "оеаинтсрвлк", 0xC0, 0xFF, -1, .75, false},
    {"koi8-r", "оеаинтсрвлк", 0xC0, 0xFF, -1, .75, false},
    {"windows-1253", "αοιετσνηυρπ", 0xDC, 0xFE, -1, .75, false},
    {"windows-1255", "יוהלארתבמש", 0xE0, 0xFA, -1, .75, false},
    {"windows-1256", "اليمونرتبةعدسفهكق", 0xC1, 0xED, -1, .75, false},
    {"tis-620", "านรกอเงมยลวดทสตะปบคแหใไโ่้ีัิืุูำ็์", 0, 0, -1, .85, false},
    {"windows-1252", "éèêëàâäáãåçîïíìñôöóòøùüúßæœÉÈÀÄÖÜÅØÇ’‘“”–…€£°«»", 0, 0, 0, .9, true},
    {"windows-1250", "áéíóöőúüűÁÉÍÓÖŐÚÜŰ„”–…", 0, 0, 0, .9, true},
    {"windows-1252", "ãõçáàâéêíóôúÃÕÇÁÀÂÉÊÍÓÔÚ’‘“”–…ªº", 0, 0, 0, .9, true},
    {"windows-1254", "ğışçöüĞİŞÇÖÜ’‘“”–…", 0, 0, 0, .9, true},
    {"windows-1252", "áéíóúýðþæöÁÉÍÓÚÝÐÞÆÖ’‘“„–…", 0, 0, 0, .9, true},
    {"windows-1257", "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ„“”’–…", 0, 0, 0, .9, true},
    {"windows-1250", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽöőüűÖŐÜŰäôĺľŕăâîşţĂÂÎŞŢđĐ„”’–…°", 0, 0, 0, .9,
     true},
    {"iso-8859-2", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽöőüűÖŐÜŰäôĺľŕăâîşţĂÂÎŞŢđĐ°", 0, 0, 0, .9, true},
};

enum { ENOUGH = 3, MOST_COMMON = 200, SURE = 6 };
static const double plausible = .35, plain = .6, margin = .25, alone = .5;

typedef struct tally {
    size_t characters, invalid; /* beyond ASCII */
    size_t kinds;               /* of common characters */
    double points;
} tally;

static bool is_letter(unsigned char c) {
    return (unsigned)(c | 0x20) - 'a' < 26;
}

static bool is_alphabet(const candidate *k) {
    return k->miss < 0;
}

/* The characters of a list; returns how many. */
static size_t spell(uint32_t out[MOST_COMMON], const char *list) {
    size_t n = 0;
    for (const char *end = list + strlen(list); list < end && n < MOST_COMMON;)
        out[n++] = ilk_char_next(&list, end);
    return n;
}

/* Where c stands in the list, n if it does not. */
static size_t find(const uint32_t *list, size_t n, uint32_t c) {
    size_t i = 0;
    while (i < n && list[i] != c)
        i++;
    return i;
}

/* What stands around a character. */
typedef struct neighbours {
    bool letters, beyond; /* an ASCII letter; a byte beyond ASCII */
} neighbours;

static neighbours beside(ilk_str sample, size_t i, size_t n) {
    unsigned char before = i > 0 ? (unsigned char)sample.p[i - 1] : 0;
    unsigned char after = i + n < sample.n ? (unsigned char)sample.p[i + n] : 0;
    return (neighbours){is_letter(before) || is_letter(after), before >= 0x80 || after >= 0x80};
}

/* What the character c, which p[n] decodes to, is worth. */
static double worth(const candidate *k, bool common, uint32_t c, const unsigned char *p, size_t n, neighbours by) {
    bool usual = n <= 2 && k->first && p[0] >= k->first && p[0] <= k->last;
    if (is_alphabet(k))
        return by.letters || !(common || usual) ? k->miss : (common ? 1 : .2) * (by.beyond ? 1 : alone);
    if (common)
        return !k->western || by.letters || c >= 0x2000 ? 1 : 0;
    return usual ? .2 : k->miss;
}

/* One character at a time, so that its bytes are known. */
static void decode(tally *t, const candidate *k, iconv_t cd, ilk_str sample) {
    uint32_t common[MOST_COMMON];
    bool met[MOST_COMMON + 1] = {0};
    size_t commons = spell(common, k->common), i = 0;
    const unsigned char *p = (const unsigned char *)sample.p;
    while (i < sample.n) {
        if (p[i] < 0x80) {
            i++;
            continue;
        }
        char *in = (char *)(uintptr_t)(sample.p + i), *out;
        wchar_t c = 0;
        size_t left = sample.n - i < 4 ? sample.n - i : 4, before = left, room = sizeof c;
        out = (char *)&c;
        iconv(cd, &in, &left, &out, &room);
        size_t used = before - left;
        t->characters++;
        if (room > 0 || used == 0) {
            iconv(cd, NULL, NULL, NULL, NULL);
            t->invalid += i + 4 <= sample.n; /* the end of the sample may cut one */
            i++;
            continue;
        }
        size_t which = find(common, commons, (uint32_t)c);
        t->points += worth(k, which < commons, (uint32_t)c, p + i, used, beside(sample, i, used));
        t->kinds += which < commons && !met[which];
        met[which] = true;
        i += used;
    }
}

/* 0 to 1, where 1 is what real text of this encoding has; and how many kinds of common characters there are. */
static double score(const candidate *k, ilk_str sample, size_t *kinds) {
    tally t = {0};
    iconv_t cd = iconv_open("WCHAR_T", ilk_encoding_find(k->encoding)->system);
    if (cd == (iconv_t)-1) /* a system without it */
        return 0;
    decode(&t, k, cd, sample);
    iconv_close(cd);
    *kinds = t.kinds;
    double share = (t.points - 5 * (double)t.invalid) / ((double)t.characters * k->expected);
    return t.characters < (k->western ? 1 : ENOUGH) || share < 0 ? 0 : share < 1 ? share : 1;
}

const char *ilk_encoding_guess_wide(ilk_str sample) {
    size_t at[4] = {0};
    for (size_t i = 0; i < sample.n; i++)
        at[i & 3] += sample.p[i] == '\0';
    size_t n = sample.n / 4, most = n - n / 10; /* the highest byte of a character is 0, the next too, the lowest not */
    if (n > 2 && at[3] >= n && at[2] >= most && at[0] <= n / 10)
        return "utf-32le";
    if (n > 2 && at[0] >= n && at[1] >= most && at[3] <= n / 10)
        return "utf-32be";
    size_t nul[2] = {at[0] + at[2], at[1] + at[3]};
    size_t rare = nul[0] < nul[1] ? nul[0] : nul[1], often = nul[0] + nul[1] - rare;
    if (often < 2 || often < sample.n / 200 || rare > often / 10)
        return NULL;
    return nul[1] > nul[0] ? "utf-16le" : "utf-16be";
}

/* So clear that a few such characters are enough. A sign twice over is no word. */
static bool is_plain(const candidate *k, double share, size_t kinds) {
    return share >= plain && !k->western && (!is_alphabet(k) || kinds >= ENOUGH);
}

/* The likeliest of those that score more than `above`, and how many kinds of common characters speak for it. */
static ilk_guess guess(ilk_str sample, double above, size_t *kinds) {
    ilk_guess best = {0};
    double most = above;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        size_t met = 0;
        double share = score(&candidates[i], sample, &met);
        if (share > most) {
            most = share;
            best = (ilk_guess){candidates[i].encoding, is_plain(&candidates[i], share, met)};
            *kinds = met;
        }
    }
    return best;
}

ilk_guess ilk_encoding_guess(ilk_str sample) {
    size_t kinds;
    const char *wide = ilk_encoding_guess_wide(sample);
    return wide ? (ilk_guess){wide, true} : guess(sample, plausible, &kinds);
}

/* ---- against what was asked for */

bool ilk_is_mostly_utf8(ilk_str sample) {
    size_t beyond = 0, strays = 0;
    bool cut;
    for (size_t i = 0; i < sample.n; i++) {
        i += ilk_utf8_prefix(sample.p + i, sample.n - i, &beyond, &cut);
        strays += i < sample.n;
    }
    return sample.n > 0 && strays <= beyond / 10 && !memchr(sample.p, '\0', sample.n);
}

/* Kinds of characters beyond ASCII, up to SURE; those of three bytes, which are UTF-8 by accident even less, count
 * twice. */
static size_t kinds_of_utf8(ilk_str sample) {
    uint32_t met[SURE];
    size_t n = 0, kinds = 0;
    for (const char *p = sample.p, *end = p + sample.n; p < end && kinds < SURE;) {
        uint32_t c = ilk_char_next(&p, end);
        if (c < 0x80 || c == 0xFFFD || find(met, n, c) < n)
            continue;
        met[n++] = c;
        kinds += c < 0x800 ? 1 : 2;
    }
    return kinds;
}

/* Text of another encoding is hardly ever UTF-8 by chance, unless it is all ASCII; and that, and every line's end, has
 * NUL bytes in UTF-16. */
static bool is_surely_utf8(ilk_str sample, const ilk_encoding *asked) {
    enum { LONG = 16 };
    if (!ilk_is_mostly_utf8(sample))
        return false;
    return asked->unit == 1 ? kinds_of_utf8(sample) >= SURE : sample.n >= LONG || memchr(sample.p, '\n', sample.n);
}

/* Letters of one byte can be told by no such measure: every byte is one, and all capitals of one encoding are small
 * letters of another. */
static const candidate *measured(const ilk_encoding *encoding) {
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (!is_alphabet(&candidates[i]) && !candidates[i].western &&
            ilk_encoding_same(ilk_encoding_find(candidates[i].encoding), encoding))
            return &candidates[i];
    return NULL;
}

const char *ilk_encoding_rival(ilk_str sample, const ilk_encoding *asked) {
    size_t kinds = 0;
    if (is_surely_utf8(sample, asked))
        return "utf-8";
    const candidate *own = measured(asked);
    double above = own ? score(own, sample, &kinds) + margin : 1;
    if (above >= 1)
        return NULL;
    ilk_guess other = guess(sample, above, &kinds);
    bool sure = other.plain && kinds >= SURE && measured(ilk_encoding_find(other.name));
    return sure ? other.name : NULL;
}
