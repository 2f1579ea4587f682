/* SPDX-License-Identifier: Apache-2.0
 *
 * test_feed.c - the filters between files and records: unpacking and decoding, however bytes are delivered.
 */
#include "table_support.h"

#include "text/encoding.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a feed gave, or why it did not. */
typedef struct outcome {
    ilk_buffer bytes;
    ilk_status status;
    ilk_error err;
    uint64_t replaced, position, total;
} outcome;

typedef ilk_status (*filter)(ilk_feed *feed, ilk_error *err);

/* The bytes of all streams, through a filter, delivered in pieces of at most `in` and asked for in pieces of `out`. */
static outcome drain(const ilk_str *streams, size_t n, filter apply, size_t in, size_t out) {
    outcome o = {0};
    ilk_feed feed;
    assert_int_equal(ilk_feed_memory(&feed, streams, n, in, &o.err), ILK_OK);
    o.status = apply(&feed, &o.err);
    if (o.status != ILK_OK)
        return o;
    for (size_t i = 0; i < n && o.status == ILK_OK; i++) {
        size_t got = 1;
        o.status = feed.open(feed.ctx, i, &o.err);
        while (o.status == ILK_OK && got > 0) {
            assert_int_equal(ilk_buffer_reserve(&o.bytes, out), ILK_OK);
            o.status = feed.read(feed.ctx, o.bytes.p + o.bytes.n, out, &got, &o.err);
            assert_true(o.status != ILK_OK || got <= out);
            o.bytes.n += o.status == ILK_OK ? got : 0;
        }
    }
    o.position = feed.position(feed.ctx);
    o.total = feed.total_bytes;
    o.replaced = feed.replaced ? feed.replaced(feed.ctx) : 0;
    feed.free(feed.ctx);
    return o;
}

static void assert_gives(ilk_str stream, filter apply, ilk_str expected) {
    static const size_t sizes[] = {1, 2, 3, 7, 63, 64, 65, 1000, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        outcome o = drain(&stream, 1, apply, sizes[i], sizes[sizeof sizes / sizeof *sizes - 1 - i]);
        if (o.status != ILK_OK)
            fail_msg("%s", o.err.message);
        assert_int_equal(o.bytes.n, expected.n);
        assert_memory_equal(o.bytes.p, expected.p, expected.n);
        assert_true(o.position == o.total && o.total == stream.n);
        ilk_buffer_free(&o.bytes);
    }
}

static void assert_refused(ilk_str stream, filter apply, const char *message) {
    for (size_t size = 1; size < 200000; size *= 7) {
        outcome o = drain(&stream, 1, apply, size, 3 * size);
        assert_int_equal(o.status, ILK_EDATA);
        assert_string_equal(o.err.message, message);
        ilk_buffer_free(&o.bytes);
    }
}

/* ---- unpacking */

/* "a,b\nc,d\n" as the three programs pack it. */
static const struct packed {
    const char *name, *library, *hex;
} packed[] = {
    {"gz", "zlib", "1f8b08000000000000034bd449e24ad649e10200803a728708000000"},
    {"xz", "liblzma",
     "fd377a585a000004e6d6b446020021010c0000008f98419c010007612c620a632c640a008fff54ee27a625e200012008bb19d9bb1fb6f37d"
     "010000000004595a"},
    {"zst", "libzstd", "28b52ffd2408410000612c620a632c640acdb08527"},
};
enum { KINDS = sizeof packed / sizeof *packed, ROOM = 256 };
static const ilk_str plain = {"a,b\nc,d\n", 8};

static bool is_built(const struct packed *p) {
    return strstr(ilk_build_info(), p->library);
}

static size_t unhex(char *out, const char *hex) {
    size_t n = 0;
    for (unsigned byte; sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
        out[n] = (char)byte;
    return n;
}

static void unpack__every_kind_in_any_pieces(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        char bytes[ROOM], message[64];
        size_t n = unhex(bytes, packed[k].hex);
        snprintf(message, sizeof message, "memory 1: compressed as %s, which this build does not read", packed[k].name);
        if (is_built(&packed[k]))
            assert_gives((ilk_str){bytes, n}, ilk_feed_unpack, plain);
        else
            assert_refused((ilk_str){bytes, n}, ilk_feed_unpack, message);
    }
    assert_gives(plain, ilk_feed_unpack, plain);
    assert_gives(str(""), ilk_feed_unpack, str(""));
    assert_gives(str("\x1F"), ilk_feed_unpack, str("\x1F")); /* too short to be anything */
}

/* As `cat` leaves them, of any two kinds, with zeros between and behind. */
static void unpack__members_follow_each_other(void **state) {
    (void)state;
    for (size_t i = 0; i < KINDS * KINDS; i++) {
        const struct packed *a = &packed[i / KINDS], *b = &packed[i % KINDS];
        char bytes[2 * ROOM + 20] = {0};
        if (!is_built(a) || !is_built(b))
            continue;
        size_t n = unhex(bytes, a->hex), zeros = i % 2 ? 8 : 0;
        n += zeros;
        n += unhex(bytes + n, b->hex);
        assert_gives((ilk_str){bytes, n + zeros}, ilk_feed_unpack, str("a,b\nc,d\na,b\nc,d\n"));
        char message[64];
        snprintf(message, sizeof message, "memory 1: corrupt %s: something else follows it", b->name);
        bytes[n] = 'x';
        assert_refused((ilk_str){bytes, n + 1}, ilk_feed_unpack, message);
    }
}

static void unpack__any_end_but_the_last_is_an_error(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        char bytes[ROOM], message[64];
        size_t n = unhex(bytes, packed[k].hex);
        snprintf(message, sizeof message, "memory 1: truncated %s", packed[k].name);
        for (size_t cut = 6; is_built(&packed[k]) && cut < n; cut++)
            assert_refused((ilk_str){bytes, cut}, ilk_feed_unpack, message);
    }
}

/* Flip every bit: an error, or (a time stamp, a flag without meaning) the same bytes; never others. */
static void unpack__damage_is_an_error_or_harmless(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        char bytes[ROOM];
        size_t n = unhex(bytes, packed[k].hex), errors = 0;
        for (size_t bit = 0; is_built(&packed[k]) && bit < 8 * n; bit++) {
            bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
            ilk_str stream = {bytes, n};
            outcome o = drain(&stream, 1, ilk_feed_unpack, 5, 100);
            bool raw = bit < 48 && o.status == ILK_OK && o.bytes.n == n; /* no longer known as compressed */
            if (o.status == ILK_OK && !raw) {
                assert_int_equal(o.bytes.n, plain.n);
                assert_memory_equal(o.bytes.p, plain.p, plain.n);
            }
            errors += o.status == ILK_EDATA;
            ilk_buffer_free(&o.bytes);
            bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        }
        assert_true(!is_built(&packed[k]) || errors > 4 * n);
    }
}

static void unpack__what_is_not_read_is_named(void **state) {
    (void)state;
    assert_refused(str("PK\x03\x04"), ilk_feed_unpack, "memory 1: a ZIP archive or a spreadsheet, not text");
    assert_refused(str("BZh91AY"), ilk_feed_unpack, "memory 1: bzip2-compressed, which is not read: unpack it first");
}

static void table__of_compressed_and_plain_parts(void **state) {
    (void)state;
    char gz[ROOM];
    ilk_str parts[] = {str("x,class\na,b\n"), {gz, unhex(gz, packed[0].hex)}, str("c,d\n")};
    setting s = usual();
    ilk_tally tally;
    ilk_stats *stats;
    ilk_error err = {0};
    if (!is_built(&packed[0]))
        SKIP_BECAUSE("built without zlib");
    s.read.header = ILK_HEADER_NO;
    assert_int_equal(learn_parts(&stats, parts, 3, &s, &tally, &err), ILK_OK);
    assert_int_equal(tally.rows, 5);
    ilk_stats_free(stats);
}

/* ---- decoding */

static ilk_status decode_auto(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){0}, err);
}
static ilk_status decode_utf8(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "UTF8"}, err);
}
static ilk_status decode_gbk(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "gbk"}, err);
}
static ilk_status decode_utf16(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "utf-16"}, err);
}

#define FFFD "\xEF\xBF\xBD"
#define FIFTY "0123456789 123456789 123456789 123456789 123456789"
#define MANY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY /* so that a few invalid bytes beside it are less than 1 % */

static void decode__utf8_passes_and_its_mark_goes(void **state) {
    (void)state;
    ilk_str text = str("a é 中 \xF0\x9F\x98\x80 z");
    assert_gives(text, decode_auto, text);
    for (size_t n = 0; n < 10; n++) { /* every alignment, short and long runs of ASCII */
        char many[3000];
        size_t at = 0;
        while (at < sizeof many - 60)
            at += (size_t)snprintf(many + at, sizeof many - at, "%.*s中é", (int)(n * 5),
                                   "0123456789012345678901234567890123456789012345");
        assert_gives((ilk_str){many, at}, decode_auto, (ilk_str){many, at});
    }
    outcome o = drain(&(ilk_str){"\xEF\xBB\xBF"
                                 "a",
                                 4},
                      1, decode_auto, 9, 9);
    assert_int_equal(o.bytes.n, 1);
    ilk_buffer_free(&o.bytes);
    assert_gives(str("\xEF\xBB\xBF"), decode_auto, str(""));
}

/* Each byte that begins or continues nothing is one U+FFFD, as the tokenizer had it. */
static void decode__invalid_bytes_become_fffd_and_are_counted(void **state) {
    (void)state;
    assert_gives(str("a\xFF\xE4\xB8"
                     "b\xC0\xAF\xED\xA0\x80\xF4\x90\xE4\xB8"),
                 decode_utf8, str("a" FFFD FFFD FFFD "b" FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD));
    assert_gives(str(MANY "\xD6\xD0\xFF\xB9\xFA\xB9"), decode_gbk, str(MANY "中" FFFD "国" FFFD));
    outcome o = drain(&(ilk_str){MANY "\xD6\xD0\xFF\xB9\xFA\xB9", sizeof MANY + 5}, 1, decode_gbk, 2, 100);
    assert_int_equal(o.replaced, 2);
    ilk_buffer_free(&o.bytes);
}

static void decode__utf16_by_its_mark_or_as_told(void **state) {
    (void)state;
    static const char le[] = "\xFF\xFE"
                             "a\0-N=\xD8\x00\xDE\n",
                      be[] = "\xFE\xFF\0aN-\xD8=\xDE\0\0\n";
    ilk_str text = str("a中\xF0\x9F\x98\x80\n");
    assert_gives((ilk_str){le, 12}, decode_auto, text);
    assert_gives((ilk_str){be, 12}, decode_auto, text);
    assert_gives((ilk_str){le, 12}, decode_gbk, text); /* a mark goes before what was asked for */
    assert_gives((ilk_str){le + 2, 10}, decode_utf16, text);
    assert_gives((ilk_str){"\xFF\xFE\0\0a\0\0\0-N\0\0", 12}, decode_auto, str("a中"));
    assert_gives((ilk_str){"\0\0\xFE\xFF\0\0\0a\0\0N-", 12}, decode_auto, str("a中"));
    char wide[2 * sizeof MANY + 3] = {0}; /* half a pair, half a unit */
    for (size_t i = 0; i < sizeof MANY - 1; i++)
        wide[2 * i] = MANY[i];
    memcpy(wide + 2 * sizeof MANY - 2,
           "\x3D\xD8"
           "a\0b",
           5);
    assert_gives((ilk_str){wide, sizeof wide}, decode_utf16, str(MANY FFFD "a" FFFD));
}

static void decode__unknown_encoding_is_refused(void **state) {
    (void)state;
    ilk_feed feed;
    ilk_error err;
    assert_int_equal(ilk_feed_memory(&feed, &plain, 1, 9, NULL), ILK_OK);
    assert_int_equal(ilk_feed_decode(&feed, &(ilk_decoding){.encoding = "klingon"}, &err), ILK_EARG);
    assert_string_equal(err.message, "no encoding 'klingon'");
}

/* ---- judging */

static ilk_status decode_as_model(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "gbk", .remembered = true}, err);
}
static ilk_status decode_as_wide_model(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "utf-16", .remembered = true}, err);
}

/* A model remembers the encoding of its data, but other data may be in another. */
static void judge__what_a_model_remembers_need_not_hold(void **state) {
    (void)state;
    static const char utf8[] = "年龄和城市的名称在这里", few[] = "a é";
    assert_refused(
        str(utf8), decode_as_model,
        "memory 1: it is hardly gbk, the encoding of the model's data; it looks like utf-8: --encoding utf-8");
    assert_gives(str("\xC4\xEA\xC1\xE4"), decode_as_model, str("年龄"));
    assert_gives(str("plain"), decode_as_model, str("plain"));
    assert_gives(str(few), decode_as_model, str("a 茅")); /* too little to tell */
    assert_refused(
        str("\xFF\xFF\xC4\xEA"), decode_as_model,
        "memory 1: 50 % of the bytes are not gbk, the encoding of the model's data; it looks like windows-1251: "
        "--encoding windows-1251");
    assert_gives(str("\xEF\xBB\xBF中"), decode_as_model, str("中"));
    assert_refused(str("plain\n"), decode_as_wide_model,
                   "memory 1: it is hardly utf-16, the encoding of the model's data; it looks like utf-8: --encoding "
                   "utf-8");
    assert_gives(str("\x0E\x54"), decode_as_wide_model, str("后")); /* as UTF-8 it would do too */
    assert_gives((ilk_str){"a\0-N", 4}, decode_as_wide_model, str("a中"));
}

static ilk_status decode_big5(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "big5"}, err);
}
static ilk_status decode_latin1(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "latin1"}, err);
}
static ilk_status decode_utf32(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "utf-32"}, err);
}

#define BIG5_TEXT "\xA7\xDA\xAD\xCC\xA6\x62\xB3\x6F\xA8\xBD\xAA\xBA\xA4\xA4\xB0\xEA\xA4\x48" /* 我們在這里的中國人 */

/* One that is asked for need not hold either: what is not of it is named, as far as its bytes tell. */
static void judge__what_was_asked_for_need_not_hold(void **state) {
    (void)state;
    static const char utf8[] = "年龄和城市的名称在这里", gbk[] = "\xC4\xEA\xC1\xE4\xBA\xCD\xB3\xC7\xCA\xD0\xB5\xC4";
    assert_refused(str(utf8), decode_big5,
                   "memory 1: it is hardly big5, the encoding asked for; it looks like utf-8: --encoding utf-8");
    assert_refused(str(gbk), decode_utf32,
                   "memory 1: 100 % of the bytes are not utf-32, the encoding asked for; it looks like gb18030: "
                   "--encoding gb18030");
    assert_refused(
        str("plain text"), decode_utf32,
        "memory 1: 100 % of the bytes are not utf-32, the encoding asked for; it looks like utf-8: --encoding "
        "utf-8");
    assert_refused(str("abc\x81\x8D\x8F"), decode_big5,
                   "memory 1: 50 % of the bytes are not big5, the encoding asked for, and what they are cannot be "
                   "told: --encoding names it, or, as utf-8, reads them as U+FFFD");
    assert_gives(str("\xEF\xBB\xBF中\xFF"), decode_big5, str("中" FFFD)); /* by its mark, which knew */
    assert_gives(str(BIG5_TEXT "\xFF" BIG5_TEXT), decode_big5,
                 str("我們在這里的中國人" FFFD "我們在這里的中國人"));               /* damaged */
    assert_gives(str("\xC4\xEA\xFF" FIFTY), decode_utf8, str(FFFD FFFD FFFD FIFTY)); /* UTF-8 takes everything */
}

/* Nor need it hold where each byte is of it: most are valid Chinese. */
static void judge__what_is_valid_may_be_plainly_another(void **state) {
    (void)state;
    static const char gbk[] = "\xCE\xD2\xC3\xC7\xD4\xDA\xD5\xE2\xC0\xEF\xB5\xC4\xD6\xD0\xB9\xFA\xC8\xCB";
    assert_refused(str(BIG5_TEXT), decode_gbk,
                   "memory 1: it is hardly gbk, the encoding asked for; it looks like big5: --encoding big5");
    assert_refused(str(BIG5_TEXT), decode_as_model,
                   "memory 1: it is hardly gbk, the encoding of the model's data; it looks like big5: --encoding big5");
    assert_refused(str(gbk), decode_big5,
                   "memory 1: it is hardly big5, the encoding asked for; it looks like gb18030: --encoding gb18030");
    assert_refused(str("all of us are here 我们都在 " FIFTY), decode_gbk,
                   "memory 1: it is hardly gbk, the encoding asked for; it looks like utf-8: --encoding utf-8");
    assert_refused(str("niño, día, café, mañana, último, ¿qué, corazón"), decode_latin1,
                   "memory 1: it is hardly latin1, the encoding asked for; it looks like utf-8: --encoding utf-8");
    assert_refused(str("some plain text without a line's end"), decode_utf16,
                   "memory 1: it is hardly utf-16, the encoding asked for; it looks like utf-8: --encoding utf-8");
}

static ilk_status decode_as_utf8_model(ilk_feed *feed, ilk_error *err) {
    return ilk_feed_decode(feed, &(ilk_decoding){.encoding = "utf-8", .remembered = true}, err);
}

/* Damaged, but of nothing else: under another name of the encoding, or UTF-8. */
static void judge__what_is_damaged_is_still_what_it_is(void **state) {
    (void)state;
#define GBK_TEXT "\xC4\xEA\xC1\xE4\xBA\xCD\xB3\xC7\xCA\xD0\xB5\xC4\xC3\xFB\xB3\xC6"
    assert_gives(str(GBK_TEXT "\xFF" GBK_TEXT), decode_gbk, str("年龄和城市的名称" FFFD "年龄和城市的名称"));
    assert_gives(str("年龄和城市\xFF的名称"), decode_as_utf8_model, str("年龄和城市" FFFD "的名称"));
    assert_refused(str(GBK_TEXT), decode_as_utf8_model,
                   "memory 1: 75 % of the bytes are not utf-8, the encoding of the model's data; it looks like "
                   "gb18030: --encoding gb18030");
    ilk_str damaged = str("年龄和城市\xFF的名称");
    outcome o = drain(&damaged, 1, decode_big5, 100, 100);
    assert_int_equal(o.status, ILK_EDATA);
    assert_non_null(strstr(o.err.message, "it looks like utf-8: --encoding utf-8"));
    ilk_buffer_free(&o.bytes);
}

/* Judged by all of a stream, also where it begins with a window of ASCII; not by a window that cuts a character. */
static void judge__what_was_asked_for_is_judged_by_the_whole(void **state) {
    (void)state;
    for (int long_enough = 0; long_enough < 2; long_enough++) {
        ilk_buffer text = {0};
        while (text.n < 70000)
            assert_int_equal(ilk_buffer_add(&text, "12345,67890\n", 12), ILK_OK);
        for (int i = 0; i < (long_enough ? 9000 : 9); i++)
            assert_int_equal(ilk_buffer_add(&text, "年龄和城市,", 16), ILK_OK);
        ilk_str stream = {text.p, text.n};
        outcome o = drain(&stream, 1, decode_big5, 65536, 65536);
        assert_int_equal(o.status, ILK_EDATA);
        assert_non_null(strstr(o.err.message, long_enough ? " % of the bytes are not big5" : "it is hardly big5"));
        assert_non_null(strstr(o.err.message, "it looks like utf-8"));
        ilk_buffer_free(&o.bytes);
        ilk_buffer_free(&text);
    }
}

static const char gbk_row[] = "\xC4\xEA\xC1\xE4,\xB3\xC7\xCA\xD0\n"; /* age, city */

/* A header alone in GBK, before a megabyte of numbers; but a stray accent there is no reason to stop. */
static void judge__a_little_plain_gbk_is_told_from_strays(void **state) {
    (void)state;
    ilk_buffer text = {0};
    assert_int_equal(ilk_buffer_add(&text, gbk_row, sizeof gbk_row - 1), ILK_OK);
    while (text.n < 1 << 20)
        assert_int_equal(ilk_buffer_add(&text, "12345,67890\n", 12), ILK_OK);
    assert_refused((ilk_str){text.p, text.n}, decode_auto,
                   "memory 1: 100 % of the bytes beyond ASCII are not UTF-8; it looks like gb18030: --encoding "
                   "gb18030");
    memcpy(text.p,
           "caf\xE9,ma\xF1"
           "a,x",
           11);
    ilk_str stream = {text.p, text.n};
    outcome o = drain(&stream, 1, decode_auto, 65536, 65536);
    assert_int_equal(o.status, ILK_OK);
    assert_int_equal(o.replaced, 2);
    ilk_buffer_free(&o.bytes);
    ilk_buffer_free(&text);
}

static void judge__more_than_one_per_cent_is_an_error_unless_told(void **state) {
    (void)state;
    ilk_str text = str("n,name\n1,caf\xE9\n2,ma\xF1"
                       "ana\n");
    assert_refused(text, decode_auto,
                   "memory 1: 100 % of the bytes beyond ASCII are not UTF-8; it looks like windows-1252: --encoding "
                   "windows-1252");
    assert_gives(text, decode_utf8, str("n,name\n1,caf" FFFD "\n2,ma" FFFD "ana\n"));
    assert_refused(str("abc\x81\x8D\x8F"), decode_auto,
                   "memory 1: 100 % of the bytes beyond ASCII are not UTF-8, and what they are cannot be told: "
                   "--encoding names it, or, as utf-8, reads them as U+FFFD");
}

/* What this text is guessed to be, in the encoding that iconv's name `system` stands for. */
static void guess__tells_the_encodings_apart(void **state) {
    (void)state;
    static const struct {
        const char *encoding, *bytes;
    } texts[] = {
        {"gb18030", "\xCE\xD2\xC3\xC7\xBD\xF1\xCC\xEC\xC8\xA5\xD1\xA7\xD0\xA3"}, /* today we go to school */
        {"big5", "\xA7\xDA\xAD\xCC\xA4\xB5\xA4\xD1\xA5\x68\xBE\xC7\xAE\xD5"},    /* the same, traditional */
        {"shift_jis", "\x8D\xA1\x93\xFA\x82\xCD\x8A\x77\x8D\x5A\x82\xC9\x8D\x73\x82\xAB\x82\xDC\x82\xB7"},
        {"euc-jp", "\xBA\xA3\xC6\xFC\xA4\xCF\xB3\xD8\xB9\xBB\xA4\xCB\xB9\xD4\xA4\xAD\xA4\xDE\xA4\xB9"},
        {"euc-kr", "\xBF\xC0\xB4\xC3\xC0\xBA \xC7\xD0\xB1\xB3\xBF\xA1 \xB0\xA9\xB4\xCF\xB4\xD9"},
        {"windows-1251", "\xF1\xE5\xE3\xEE\xE4\xED\xFF \xEC\xFB \xE8\xE4\xB8\xEC \xE2 \xF8\xEA\xEE\xEB\xF3"},
        {"koi8-r", "\xD3\xC5\xC7\xCF\xC4\xCE\xD1 \xCD\xD9 \xC9\xC4\xA3\xCD \xD7 \xDB\xCB\xCF\xCC\xD5"},
        {"windows-1252", "l'\xE9t\xE9 derni\xE8re, nous sommes all\xE9s \xE0 l'\xE9"
                         "cole"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ilk_guess g = ilk_encoding_guess(str(texts[i].bytes));
        assert_non_null(g.name);
        assert_string_equal(g.name, texts[i].encoding);
    }
    assert_null(ilk_encoding_guess(str("plain")).name);
}

static const char *rival(const char *bytes, const char *asked) {
    return ilk_encoding_rival(str(bytes), ilk_encoding_find(asked));
}

/* A few words over and over, rare ones, capitals, and what is too short are what they are said to be. */
static void guess__is_no_rival_unless_it_is_sure(void **state) {
    (void)state;
    static const struct {
        const char *encoding, *bytes;
    } texts[] = {
        {"gbk", "\xB5\xC4,\xD2\xBB,\xCA\xC7,\xB5\xC4,\xD2\xBB,\xCA\xC7,\xB5\xC4,\xD2\xBB,\xCA\xC7,\xB5\xC4"},
        {"big5", "\xB5\xC4,\xD2\xBB,\xCA\xC7,\xB5\xC4,\xD2\xBB,\xCA\xC7,\xB5\xC4,\xD2\xBB,\xCA\xC7,\xB5\xC4"},
        {"gbk", "\xC2\xB7\xC2\xB7,\xC2\xB7,\xD0\xA1\xC2\xB7,\xC2\xB7\xD0\xA1"}, /* also UTF-8 */
        {"gbk", "\xCE\xD2\xC3\xC7\xD4\xDA\xD5\xE2\xC0\xEF\xB5\xC4\xD6\xD0\xB9\xFA\xC8\xCB"},
        {"big5", BIG5_TEXT},
        {"windows-1251", "\xD1\xC5\xC3\xCE\xC4\xCD\xDF \xCC\xDB \xC8\xC4\xA8\xCC \xC2 \xD8\xCA\xCE\xCB\xD3"},
        {"koi8-u", "\xD3\xC5\xC7\xCF\xC4\xCE\xD1 \xCD\xD9 \xC9\xC4\xA3\xCD \xD7 \xDB\xCB\xCF\xCC\xD5"},
        {"gbk", "a caf\xC3\xA9"},
        {"gbk", ""},
        {"utf-16", ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_null(rival(texts[i].bytes, texts[i].encoding));
    assert_string_equal(rival(BIG5_TEXT, "gb18030"), "big5");
    assert_string_equal(rival(BIG5_TEXT, "euc-kr"), "big5");
}

static void encoding__names_in_any_spelling(void **state) {
    (void)state;
    static const char *const same[][2] = {{"GB2312", "gbk"},        {"cp936", "gbk"},
                                          {"UTF_8", "utf-8"},       {"Shift-JIS", "shift_jis"},
                                          {"ISO-8859-1", "latin1"}, {"CP1252", "windows-1252"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_string_equal(ilk_encoding_find(same[i][0])->name, same[i][1]);
    assert_null(ilk_encoding_find(""));
    assert_null(ilk_encoding_find(" "));
    assert_null(ilk_encoding_find("utf8 utf16"));
    assert_null(ilk_encoding_find("a name that is much longer than any encoding has"));
}

/* ---- folders */

/* A folder of its own for a test. */
static char root[64];

static void make_file(const char *path, const char *text) {
    char full[256];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(full, 0755);
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int make_root(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/ilk-feed.XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at) {
    (void)st, (void)flag, (void)at;
    return remove(path);
}

static int remove_root(void **state) {
    (void)state;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void folder__lists_by_bytes_with_classes(void **state) {
    (void)state;
    static const char *const names[] = {"b/2", "b/10", "a/x/y/z", "loose", "b/.hidden", ".git/config", "a-b/1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        make_file(names[i], "text");
    static const char *const expected[][2] = {
        {"a-b/1", "a-b"}, {"a/x/y/z", "a"}, {"b/10", "b"}, {"b/2", "b"}, {"loose", ""}};
    char slashed[80];
    snprintf(slashed, sizeof slashed, "%s/", root);
    const char *roots[] = {root, slashed};
    ilk_folder folder;
    assert_int_equal(ilk_folder_list(&folder, roots, 2, NULL), ILK_OK);
    assert_int_equal(folder.n, 10);
    for (size_t i = 0; i < folder.n; i++) {
        ilk_str label = ilk_folder_class(&folder, i);
        assert_string_equal(folder.path[i] + strlen(slashed), expected[i % 5][0]);
        assert_int_equal(label.n, strlen(expected[i % 5][1]));
        assert_memory_equal(label.p, expected[i % 5][1], label.n);
    }
    ilk_folder_free(&folder);
}

/* Texts of all kinds come back as they are, in blocks of any size. */
static void folder__documents_are_rows(void **state) {
    (void)state;
    static const char *const texts[] = {"", "\"", "a\nb\r\n", "\"\"x,y\"\n", "no newline", "\n\n"};
    enum { N = sizeof texts / sizeof *texts };
    for (size_t i = 0; i < N; i++) {
        char path[32];
        snprintf(path, sizeof path, "%s/%zu", i % 2 ? "odd" : "even, \"really\"", i);
        make_file(path, texts[i]);
    }
    const char *roots[] = {root};
    ilk_table *table;
    ilk_text_block block = {0};
    ilk_parser parser = {0};
    ilk_str fields[3];
    bool more;
    size_t row = 0;
    assert_int_equal(ilk_table_open(&table, roots, 1, NULL, NULL), ILK_OK);
    assert_int_equal(ilk_table_columns(table), 3);
    while (assert_int_equal(ilk_table_next(table, &block, &more, NULL), ILK_OK), more) {
        assert_int_equal(ilk_parser_start(&parser, &table->source.dialect, ilk_text_block_rest(&block), block.line),
                         ILK_OK);
        for (; ilk_parser_row(&parser, fields, 3) == ILK_ROW; row++) {
            const char *text = texts[fields[0].p[fields[0].n - 1] - '0'];
            assert_int_equal(fields[2].n, strlen(text));
            assert_memory_equal(fields[2].p, text, fields[2].n);
            assert_int_equal(fields[1].n, row < N / 2 ? 14 : 3);
        }
    }
    assert_int_equal(row, N);
    ilk_parser_free(&parser);
    ilk_buffer_free(&block.bytes);
    ilk_table_free(table);
}

static void open__refuses_ways_of_reading_that_are_none(void **state) {
    (void)state;
    const char *paths[] = {"-"};
    ilk_table *table;
    ilk_error err;
    for (unsigned format = ILK_FORMAT_ARROW; format < ILK_FORMAT_ARROW + 100; format++) {
        ilk_read_options o = {.format = (ilk_format)format};
        assert_int_equal(ilk_table_open(&table, paths, 1, &o, &err), ILK_EARG);
        assert_non_null(strstr(err.message, "there are no files of format"));
    }
    ilk_read_options o = {.header = (ilk_header)3};
    assert_int_equal(ilk_table_open(&table, paths, 1, &o, &err), ILK_EARG);
    assert_string_equal(err.message, "there is no way 3 to tell a header");
}

static void folder__huge_document_is_refused_by_name(void **state) {
    (void)state;
    char path[96], message[160];
    make_file("a/small", "x");
    make_file("b/huge", "x");
    snprintf(path, sizeof path, "%s/b/huge", root);
    assert_int_equal(truncate(path, (off_t)ILK_RECORD_LIMIT / 3 + 1), 0); /* a NUL becomes three bytes */
    const char *roots[] = {root};
    ilk_table *table;
    ilk_error err;
    assert_int_equal(ilk_table_open(&table, roots, 1, NULL, &err), ILK_EDATA);
    snprintf(message, sizeof message, "%s: a document of more than 64 MiB", path);
    assert_string_equal(err.message, message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unpack__every_kind_in_any_pieces),
        cmocka_unit_test(unpack__members_follow_each_other),
        cmocka_unit_test(unpack__any_end_but_the_last_is_an_error),
        cmocka_unit_test(unpack__damage_is_an_error_or_harmless),
        cmocka_unit_test(unpack__what_is_not_read_is_named),
        cmocka_unit_test(table__of_compressed_and_plain_parts),
        cmocka_unit_test(decode__utf8_passes_and_its_mark_goes),
        cmocka_unit_test(decode__invalid_bytes_become_fffd_and_are_counted),
        cmocka_unit_test(decode__utf16_by_its_mark_or_as_told),
        cmocka_unit_test(decode__unknown_encoding_is_refused),
        cmocka_unit_test(judge__what_a_model_remembers_need_not_hold),
        cmocka_unit_test(judge__what_was_asked_for_need_not_hold),
        cmocka_unit_test(judge__what_is_valid_may_be_plainly_another),
        cmocka_unit_test(judge__what_is_damaged_is_still_what_it_is),
        cmocka_unit_test(judge__what_was_asked_for_is_judged_by_the_whole),
        cmocka_unit_test(judge__a_little_plain_gbk_is_told_from_strays),
        cmocka_unit_test(judge__more_than_one_per_cent_is_an_error_unless_told),
        cmocka_unit_test(guess__tells_the_encodings_apart),
        cmocka_unit_test(guess__is_no_rival_unless_it_is_sure),
        cmocka_unit_test(encoding__names_in_any_spelling),
        cmocka_unit_test_setup_teardown(folder__lists_by_bytes_with_classes, make_root, remove_root),
        cmocka_unit_test_setup_teardown(folder__documents_are_rows, make_root, remove_root),
        cmocka_unit_test(open__refuses_ways_of_reading_that_are_none),
        cmocka_unit_test_setup_teardown(folder__huge_document_is_refused_by_name, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
