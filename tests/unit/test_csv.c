/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv.c - bytes to blocks, blocks to records: the same records however the bytes arrive. */
#include "support.h"

#include "core/buffer.h"
#include "data/records.h"
#include "data/source.h"

#include <string.h>

static const ilk_dialect comma = {.format = ILK_FORMAT_CSV, .delimiter = ','};
static const ilk_dialect tab = {.format = ILK_FORMAT_TSV, .delimiter = '\t'};
static const ilk_dialect lines = {.format = ILK_FORMAT_LINES, .delimiter = '\t'};

static ilk_str str(const char *s) {
    return (ilk_str){s, strlen(s)};
}

static void add(ilk_buffer *b, ilk_str s) {
    assert_int_equal(ilk_buffer_add(b, s.p, s.n), ILK_OK);
}

/* Print what the parser says of a record: fields with bars between them, or its fault, and a slash. */
static void print_row(ilk_buffer *out, const ilk_parser *parser, ilk_row_state state, const ilk_str *fields) {
    static const char *const fault[] = {
        [ILK_ROW_RAGGED] = "ragged", [ILK_ROW_AFTER_QUOTE] = "after quote", [ILK_ROW_UNCLOSED] = "unclosed"};
    if (state != ILK_ROW)
        add(out, str(fault[state]));
    for (size_t j = 0; state == ILK_ROW && j < parser->found; j++) {
        add(out, str(j ? "|" : ""));
        add(out, fields[j]);
    }
    add(out, str("/"));
}

static void print_block(ilk_buffer *out, const ilk_dialect *dialect, ilk_str block, size_t line, size_t columns) {
    ilk_parser parser = {0};
    ilk_str fields[16];
    ilk_row_state state;
    assert_int_equal(ilk_parser_start(&parser, dialect, block, line), ILK_OK);
    while ((state = ilk_parser_row(&parser, fields, columns)) != ILK_ROW_NONE)
        print_row(out, &parser, state, fields);
    ilk_parser_free(&parser);
}

static void assert_rows(const ilk_dialect *dialect, size_t columns, const char *text, const char *expected) {
    ilk_buffer out = {0};
    size_t n = strlen(text);
    char *exact = malloc(n + (n == 0)); /* so that a read beyond the end is seen */
    assert_non_null(exact);
    memcpy(exact, text, n);
    print_block(&out, dialect, (ilk_str){exact, n}, 1, columns);
    add(&out, (ilk_str){"", 1});
    assert_string_equal(out.p, expected);
    ilk_buffer_free(&out);
    free(exact);
}

/* ---- records */

static void csv__fields_stand_between_commas(void **state) {
    (void)state;
    assert_rows(&comma, 3, "a,b,c\n1,,3\n", "a|b|c/1||3/");
    assert_rows(&comma, 2, ",\n", "|/");
    assert_rows(&comma, 1, "", "");
}

static void csv__last_line_may_lack_its_newline(void **state) {
    (void)state;
    assert_rows(&comma, 2, "a,b\nc,d", "a|b/c|d/");
    assert_rows(&comma, 2, "a,b\nc,", "a|b/c|/");
    assert_rows(&comma, 1, "\"a\"", "a/");
}

static void csv__carriage_return_belongs_to_the_line_end(void **state) {
    (void)state;
    assert_rows(&comma, 2, "a,b\r\nc,\"d\"\r\n\r\n", "a|b/c|d/");
    assert_rows(&lines, 2, "x\ty\r\n", "x|y/");
}

static void csv__quoted_newline_stays_in_the_field(void **state) {
    (void)state;
    assert_rows(&comma, 2, "\"a\nb\",c\nd,e\n", "a\nb|c/d|e/");
    assert_rows(&tab, 2, "\"a\tb\"\tc\n", "a\tb|c/");
}

static void csv__doubled_quote_is_one(void **state) {
    (void)state;
    assert_rows(&comma, 2, "\"say \"\"hi\"\"\",\"\"\"\"\n", "say \"hi\"|\"/");
    assert_rows(&comma, 2, "\"\",\"\"\"x\"\n", "|\"x/");
}

static void csv__stray_quote_is_a_letter(void **state) {
    (void)state;
    assert_rows(&comma, 2, "5\" disk,3\na\"b\",c\n", "5\" disk|3/a\"b\"|c/");
}

static void csv__blanks_around_a_field_are_dropped(void **state) {
    (void)state;
    assert_rows(&comma, 2, "  a b ,\tc \n", "a b|c/");
    assert_rows(&comma, 2, " \" a \" , \"b\"\n", " a |b/");
    assert_rows(&tab, 2, " a \t b\n", "a|b/");
}

static void csv__empty_lines_are_skipped(void **state) {
    (void)state;
    assert_rows(&comma, 2, "\n\na,b\n  \nc,d\n\n", "a|b/c|d/");
    assert_rows(&comma, 1, "a\n\n\"\"\nb\n", "a//b/");
}

static void csv__faults_do_not_stop_the_parser(void **state) {
    (void)state;
    assert_rows(&comma, 2, "a\nb,c\nd,e,f\ng,h\n", "ragged/b|c/ragged/g|h/");
    assert_rows(&comma, 2, "\"a\"x,b\nc,d\n", "after quote/c|d/");
    assert_rows(&comma, 2, "a,\"b\nc,d\n", "unclosed/");
}

static void csv__long_fields_and_many_fit_between(void **state) {
    (void)state;
    char text[300], expected[300];
    memset(text, 'x', sizeof text);
    text[130] = ',';
    text[298] = '\n';
    text[299] = '\0';
    memcpy(expected, text, sizeof text);
    expected[130] = '|';
    expected[298] = '/';
    assert_rows(&comma, 2, text, expected);
}

static void lines__first_tab_divides(void **state) {
    (void)state;
    assert_rows(&lines, 2, "spam\tWin \"a\tprize\nham\t\n\tno label\n", "spam|Win \"a\tprize/ham|/|no label/");
    assert_rows(&lines, 2, "no tab\n\nham\tok", "ragged/ham|ok/");
}

/* A parser that reads byte by byte, as the rules are written down. Its text is printed as print_row prints. */
typedef struct plain_parser {
    const char *p, *end;
    ilk_buffer out;
    size_t columns;
} plain_parser;

static bool plain_blank(char c) {
    return c == ' ' || c == '\t';
}

/* One field; returns false and leaves *fault if there is something wrong with it. */
static void plain_field(plain_parser *s, ilk_buffer *value, const char **fault, bool *quoted) {
    const char *p = s->p;
    while (p < s->end && plain_blank(*p))
        p++;
    *quoted = p < s->end && *p == '"';
    if (*quoted) {
        for (p++; p < s->end && (*p != '"' || (p + 1 < s->end && p[1] == '"')); p++) {
            p += *p == '"';
            add(value, (ilk_str){p, 1});
        }
        if (p == s->end && !*fault)
            *fault = "unclosed";
        p += p < s->end;
    }
    const char *begin = p;
    while (p < s->end && *p != ',' && *p != '\n')
        p++;
    const char *end = p;
    while (end > begin && (plain_blank(end[-1]) || end[-1] == '\r'))
        end--;
    while (*quoted && begin < end && plain_blank(*begin))
        begin++;
    if (*quoted && end > begin && !*fault)
        *fault = "after quote";
    if (!*quoted)
        add(value, (ilk_str){begin, (size_t)(end - begin)});
    s->p = p;
}

static void plain_record(plain_parser *s) {
    ilk_buffer row = {0};
    const char *fault = NULL;
    size_t found = 0;
    bool any = false, more = true;
    while (more) {
        ilk_buffer value = {0};
        bool quoted;
        plain_field(s, &value, &fault, &quoted);
        any |= quoted || value.n > 0;
        add(&row, str(found++ ? "|" : ""));
        add(&row, (ilk_str){value.p, value.n});
        ilk_buffer_free(&value);
        more = s->p < s->end && *s->p == ',';
        s->p += s->p < s->end;
    }
    if (any || found > 1) {
        bool good = !fault && found == s->columns;
        add(&s->out, good ? (ilk_str){row.p, row.n} : str(fault ? fault : "ragged"));
        add(&s->out, str("/"));
    }
    ilk_buffer_free(&row);
}

static uint32_t seed = 1;

static uint32_t draw(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

static size_t draw_csv(char *text, size_t most) {
    static const char letters[] = "aab,,,\"\"\n\n\r \t";
    size_t n = draw((uint32_t)most);
    for (size_t i = 0; i < n; i++)
        text[i] = letters[draw(sizeof letters - 1)];
    return n;
}

static void csv__agrees_with_a_parser_that_reads_byte_by_byte(void **state) {
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[200];
        size_t n = draw_csv(text, round % 2 ? 16 : sizeof text);
        plain_parser plain = {.p = text, .end = text + n, .columns = 2};
        while (plain.p < plain.end)
            plain_record(&plain);
        ilk_buffer out = {0};
        print_block(&out, &comma, (ilk_str){text, n}, 1, 2);
        assert_int_equal(out.n, plain.out.n);
        if (out.n)
            assert_memory_equal(out.p, plain.out.p, out.n);
        ilk_buffer_free(&out);
        ilk_buffer_free(&plain.out);
    }
}

/* ---- blocks */

typedef struct blocks {
    ilk_buffer bytes; /* of all blocks, a NUL after each */
    ilk_buffer rows;  /* as printed */
    ilk_status status;
    ilk_error err;
} blocks;

static blocks read_blocks(const ilk_dialect *dialect, ilk_str text, size_t block_size, size_t most) {
    blocks all = {0};
    ilk_feed feed;
    ilk_source source;
    ilk_text_block block = {0};
    ilk_str head;
    bool more = true;
    assert_int_equal(ilk_feed_memory(&feed, &text, 1, most, &all.err), ILK_OK);
    ilk_source_init(&source, &feed, block_size);
    all.status = ilk_source_peek(&source, &head, &all.err);
    source.dialect = *dialect;
    while (all.status == ILK_OK && more) {
        all.status = ilk_source_next(&source, &block, &more, &all.err);
        if (all.status != ILK_OK || !more)
            break;
        add(&all.bytes, ilk_text_block_rest(&block));
        add(&all.bytes, (ilk_str){"", 1});
        print_block(&all.rows, dialect, ilk_text_block_rest(&block), block.line, 2);
    }
    ilk_buffer_free(&block.bytes);
    ilk_source_free(&source);
    return all;
}

static void blocks_free(blocks *all) {
    ilk_buffer_free(&all->bytes);
    ilk_buffer_free(&all->rows);
}

static void assert_same(const ilk_buffer *a, const ilk_buffer *b) {
    assert_int_equal(a->n, b->n);
    if (a->n)
        assert_memory_equal(a->p, b->p, a->n);
}

static void source__any_split_into_reads_gives_the_same_blocks(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        char text[100];
        size_t n = draw_csv(text, sizeof text), block_size = 1 + draw(40);
        blocks whole = read_blocks(&comma, (ilk_str){text, n}, block_size, SIZE_MAX);
        for (size_t most = 1; most < 12; most++) {
            blocks split = read_blocks(&comma, (ilk_str){text, n}, block_size, most);
            assert_int_equal(whole.status, split.status);
            assert_string_equal(whole.err.message, split.err.message);
            assert_same(&whole.bytes, &split.bytes);
            blocks_free(&split);
        }
        blocks_free(&whole);
    }
}

static void source__any_block_size_gives_the_same_records(void **state) {
    (void)state;
    for (int round = 0; round < 1000; round++) {
        char text[100];
        size_t n = draw_csv(text, sizeof text);
        blocks large = read_blocks(&comma, (ilk_str){text, n}, 1000, SIZE_MAX);
        for (size_t block_size = 1; block_size < 30; block_size += 1 + block_size / 3) {
            blocks small = read_blocks(&comma, (ilk_str){text, n}, block_size, SIZE_MAX);
            assert_int_equal(large.status, small.status);
            assert_string_equal(large.err.message, small.err.message);
            if (large.status == ILK_OK)
                assert_same(&large.rows, &small.rows);
            blocks_free(&small);
        }
        blocks_free(&large);
    }
}

static void source__block_grows_to_hold_a_record(void **state) {
    (void)state;
    blocks all = read_blocks(&comma, str("\"a\n\n\n\n\n\n\n\nz\",b\nc,d\n"), 4, SIZE_MAX);
    assert_int_equal(all.status, ILK_OK);
    add(&all.rows, (ilk_str){"", 1});
    assert_string_equal(all.rows.p, "a\n\n\n\n\n\n\n\nz|b/c|d/");
    blocks_free(&all);
}

static void assert_refused(const ilk_dialect *dialect, ilk_str text, const char *message) {
    for (size_t block_size = 8; block_size < 5000; block_size *= 4) {
        blocks all = read_blocks(dialect, text, block_size, 3);
        assert_int_equal(all.status, ILK_EDATA);
        assert_string_equal(all.err.message, message);
        blocks_free(&all);
    }
}

static void source__unclosed_quote_names_the_line_it_opens_in(void **state) {
    (void)state;
    assert_refused(&comma, str("a,b\nc,d\ne,\"f\ng,h\n"), "memory 1:3: a quote opens here and is not closed");
    blocks all = read_blocks(&lines, str("a\t\"b\nc\t\"\n"), 8, SIZE_MAX);
    assert_int_equal(all.status, ILK_OK); /* in lines a quote is a letter */
    blocks_free(&all);
}

static void source__binary_is_refused_with_its_line(void **state) {
    (void)state;
    static const char text[] = "a,b\nc,\0d\n";
    assert_refused(&comma, (ilk_str){text, sizeof text - 1}, "memory 1:2: a NUL byte: binary, not text");
}

static void source__nothing_is_refused(void **state) {
    (void)state;
    assert_refused(&comma, str(""), "memory 1: empty");
}

static void source__utf16_without_a_mark_is_named(void **state) {
    (void)state;
    static const char text[] = "a\0,\0b\0\n\0c\0,\0d";
    assert_refused(&comma, (ilk_str){text, sizeof text},
                   "memory 1: not UTF-8; it looks like utf-16le: --encoding utf-16le");
}

static void source__lines_are_numbered_across_blocks(void **state) {
    (void)state;
    ilk_str text = str("a,b\n\"c\n\",d\ne,f\n\ng,h\n");
    static const size_t expected[] = {1, 2, 4, 6};
    for (size_t block_size = 1; block_size < 40; block_size++) {
        ilk_feed feed;
        ilk_source source;
        ilk_text_block block = {0};
        ilk_parser parser = {0};
        ilk_str fields[2];
        size_t row = 0;
        bool more;
        assert_int_equal(ilk_feed_memory(&feed, &text, 1, 5, NULL), ILK_OK);
        ilk_source_init(&source, &feed, block_size);
        source.dialect = comma;
        while (assert_int_equal(ilk_source_next(&source, &block, &more, NULL), ILK_OK), more) {
            assert_int_equal(ilk_parser_start(&parser, &comma, ilk_text_block_rest(&block), block.line), ILK_OK);
            while (ilk_parser_row(&parser, fields, 2) == ILK_ROW)
                assert_int_equal(parser.line, expected[row++]);
        }
        assert_int_equal(row, 4);
        ilk_parser_free(&parser);
        ilk_buffer_free(&block.bytes);
        ilk_source_free(&source);
    }
}

/* ---- dialects */

static void assert_dialect(const char *path, const char *head, ilk_format format, char delimiter) {
    ilk_dialect dialect = ilk_dialect_choose(ILK_FORMAT_AUTO, path, str(head), NULL, false);
    assert_int_equal(dialect.format, format);
    assert_int_equal(dialect.delimiter, delimiter);
}

static void dialect__follows_the_name_then_the_content(void **state) {
    (void)state;
    assert_dialect("x.csv", "a,b\n", ILK_FORMAT_CSV, ',');
    assert_dialect("x.CSV", "a;b\n1,5;2\n", ILK_FORMAT_CSV, ';');
    assert_dialect("x.csv", "a;b,c\n", ILK_FORMAT_CSV, ',');
    assert_dialect("x.csv", "a\tb\n", ILK_FORMAT_CSV, ',');
    assert_dialect("x.tsv", "a\n", ILK_FORMAT_TSV, '\t');
    assert_dialect("-", "\n1\t2\t3\n", ILK_FORMAT_TSV, '\t');
    assert_dialect("x.txt", "1,2\n", ILK_FORMAT_CSV, ',');
}

static void dialect__separators_in_quotes_do_not_count(void **state) {
    (void)state;
    assert_dialect("x.csv", "\"a,b\";\"c\"\n1;2\n", ILK_FORMAT_CSV, ';');
    assert_dialect("x.csv", "a; \"b,c\" ;d\n", ILK_FORMAT_CSV, ';');
    assert_dialect("x.csv", "\"a \"\"b,c\"\" d\";e\n", ILK_FORMAT_CSV, ';');
    assert_dialect("x.csv", "\"a\nb,c\";d\n1,2;3\n", ILK_FORMAT_CSV, ';');
    assert_dialect("x.csv", "\n\r\n\"\",a;b\n", ILK_FORMAT_CSV, ',');
    assert_dialect("x.csv", "\"a;b\",c\n", ILK_FORMAT_CSV, ',');
    assert_dialect("x.csv", "\"a;b\"\n1;2\n", ILK_FORMAT_CSV, ',');
    assert_dialect("x.csv", "5\" a,b;5\" c\n", ILK_FORMAT_CSV, ','); /* letters */
    assert_dialect("x.csv", "a 5\";b 5\"\n1,2;3\n", ILK_FORMAT_CSV, ';');
    assert_dialect("x.csv", "", ILK_FORMAT_CSV, ',');
}

static void dialect__tells_labelled_text_from_a_table(void **state) {
    (void)state;
    const char *text = "ham\tsee you at the station at noon\nspam\tyou have won a prize, call us now\n"
                       "ham\tthe meeting has been moved to Friday\n";
    assert_dialect("x.tsv", text, ILK_FORMAT_LINES, '\t');
    assert_dialect("x.txt", text, ILK_FORMAT_LINES, '\t');
    assert_dialect("x.tsv", "label\ttext\nham\tsee you at the station at noon\nham\tall right then see you there\n",
                   ILK_FORMAT_TSV, '\t');
    assert_dialect("x.tsv", "ham\tok\nham\tfine\n", ILK_FORMAT_TSV, '\t');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv__fields_stand_between_commas),
        cmocka_unit_test(csv__last_line_may_lack_its_newline),
        cmocka_unit_test(csv__carriage_return_belongs_to_the_line_end),
        cmocka_unit_test(csv__quoted_newline_stays_in_the_field),
        cmocka_unit_test(csv__doubled_quote_is_one),
        cmocka_unit_test(csv__stray_quote_is_a_letter),
        cmocka_unit_test(csv__blanks_around_a_field_are_dropped),
        cmocka_unit_test(csv__empty_lines_are_skipped),
        cmocka_unit_test(csv__faults_do_not_stop_the_parser),
        cmocka_unit_test(csv__long_fields_and_many_fit_between),
        cmocka_unit_test(lines__first_tab_divides),
        cmocka_unit_test(csv__agrees_with_a_parser_that_reads_byte_by_byte),
        cmocka_unit_test(source__any_split_into_reads_gives_the_same_blocks),
        cmocka_unit_test(source__any_block_size_gives_the_same_records),
        cmocka_unit_test(source__block_grows_to_hold_a_record),
        cmocka_unit_test(source__unclosed_quote_names_the_line_it_opens_in),
        cmocka_unit_test(source__binary_is_refused_with_its_line),
        cmocka_unit_test(source__nothing_is_refused),
        cmocka_unit_test(source__utf16_without_a_mark_is_named),
        cmocka_unit_test(source__lines_are_numbered_across_blocks),
        cmocka_unit_test(dialect__follows_the_name_then_the_content),
        cmocka_unit_test(dialect__separators_in_quotes_do_not_count),
        cmocka_unit_test(dialect__tells_labelled_text_from_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
