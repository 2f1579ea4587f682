/* SPDX-License-Identifier: Apache-2.0 */
/* test_number.c - decimal numbers: read as strtod reads them, bit for bit, and written so that they read back. */
#include "fixtures.h"

#include "core/number.h"
#include "kernels/kernels.h"

#include <float.h>

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double with_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* How often a random test turns: n times, or ILK_MUCH times that for `make check-all`. */
static int times(int n) {
    const char *much = getenv("ILK_MUCH");
    return n * (much ? atoi(much) : 1);
}

/* Every set of kernels says the same. */
static bool parse_field(double *out, ilk_str field) {
    bool is_number = ilk_number_parse(out, field);
    for (size_t set = 0; ilk_kernels_at(set); set++) {
        double x = 0;
        bool read = ilk_kernels_at(set)->numbers(&x, &field, &(const size_t){0}, 1) == 1;
        if (read != (is_number && !isinf(*out)) || (read && bits_of(x) != bits_of(*out)))
            fail_msg("%.*s: %a, %s %a", (int)field.n, field.p, *out, ilk_kernels_at(set)->name, x);
    }
    return is_number;
}

/* Parsed through a copy of exactly its length, so that a byte read beyond it is seen. */
static bool parse(double *out, const char *text) {
    size_t n = strlen(text);
    char *exact = malloc(n + (n == 0));
    assert_non_null(exact);
    memcpy(exact, text, n);
    bool is_number = parse_field(out, (ilk_str){exact, n});
    free(exact);
    return is_number;
}

static void assert_reads_as_strtod(const char *text) {
    double ours = 0;
    if (!parse(&ours, text))
        fail_msg("%s is not a number", text);
    double theirs = strtod(text, NULL);
    if (bits_of(ours) != bits_of(theirs))
        fail_msg("%s: %a, strtod %a", text, ours, theirs);
}

static void assert_rejected(const char *text, size_t n) {
    double x;
    if (parse_field(&x, (ilk_str){text, n}))
        fail_msg("'%.*s' passes for %g", (int)n, text, x);
}

/* ---- reading */

static void parse__takes_every_form_of_a_decimal_number(void **state) {
    (void)state;
    static const char *const good[] = {
        "0",
        "-0",
        "+0",
        "1",
        "+1",
        "-1",
        "007",
        "1.",
        ".5",
        "-.5",
        "1e5",
        "1E5",
        "1e+5",
        "1e-5",
        "1.e5",
        ".1e1",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993e0",
        "18446744073709551615",
        "18446744073709551616",
        "1e22",
        "1e23",
        "123456789012345678901234567890",
        "0.1",
        "0.10000000000000000000000000000000000001",
        "1e308",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e309",
        "1e99999",
        "1e-99999",
        "1e999999999999999999999",
        "1e-999999999999999999999",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-324",
        "0e400",
        "0.0e-400",
        "0e99999",
        "0.000000000000000000000000000000000000000000000000001",
        "100000000000000000000000000000000000000000000000000",
        "8.5e22",
        "8.5e-22",
        "9007199254740991e22",
        "9007199254740991e-22",
        "9007199254740992e22",
        "9007199254740993e22",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_reads_as_strtod(good[i]);
}

static void parse__keeps_the_sign_of_zero(void **state) {
    (void)state;
    double x;
    assert_true(parse(&x, "-0.0"));
    assert_int_equal(bits_of(x), bits_of(-0.0));
}

static void parse__rejects_what_is_no_decimal_number(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",     " ",      "+",     "-",     ".",    "e",   "e5",  ".e5",  "+.",   "-.e1",     "1e",  "1e+",
        "1e-",  "1e5.",   "1e5e5", "1.2.3", "1..2", "--1", "+-1", "1-",   "1 ",   " 1",       "\t1", "1\n",
        "1,5",  "1_000",  "0x10",  "0X1p3", "0x",   "x1",  "inf", "INF",  "-inf", "infinity", "nan", "NaN",
        "-nan", "nan(1)", "1f",    "1d5",   "1e5f", "１",  "½",   "1e 5", "1 e5", "NA",       "?",   "abc",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_rejected(bad[i], strlen(bad[i]));
    assert_rejected("1\0", 2);
    assert_rejected("\0", 1);
    assert_rejected("1\0002", 3);
    assert_rejected(NULL, 0);
}

static void parse__reads_no_further_than_its_length(void **state) {
    (void)state;
    double x;
    assert_true(parse_field(&x, (ilk_str){"12345", 2}));
    assert_true(x == 12);
    assert_true(parse_field(&x, (ilk_str){"1e55", 3}));
    assert_true(x == 1e5);
    assert_false(parse_field(&x, (ilk_str){"1e5", 2}));
}

static void random_literal(rng *r, char *out) {
    size_t whole = rng_below(r, 25), fraction = rng_below(r, 25);
    out += sprintf(out, "%s", (const char *const[]){"", "-", "+"}[rng_below(r, 3)]);
    for (size_t i = 0; i < whole; i++)
        *out++ = (char)('0' + rng_below(r, 10));
    if (whole == 0 || rng_below(r, 2)) {
        *out++ = '.';
        for (size_t i = 0; i < fraction + (whole == 0); i++)
            *out++ = (char)('0' + rng_below(r, 10));
    }
    if (rng_below(r, 2))
        out += sprintf(out, "%c%d", rng_below(r, 2) ? 'e' : 'E', (int)rng_below(r, 700) - 350);
    *out = '\0';
}

static void parse__equals_strtod_on_random_literals(void **state) {
    (void)state;
    rng r = rng_new(1);
    char text[96];
    for (int i = 0, n = times(200000); i < n; i++) {
        random_literal(&r, text);
        assert_reads_as_strtod(text);
    }
}

static void parse__equals_strtod_on_short_numbers_as_tables_hold_them(void **state) {
    (void)state;
    rng r = rng_new(2);
    char text[96];
    for (int i = 0, n = times(200000); i < n; i++) {
        snprintf(text, sizeof text, "%.*f", (int)rng_below(&r, 9),
                 (rng_unit(&r) - 0.5) * pow(10, (double)rng_below(&r, 9)));
        assert_reads_as_strtod(text);
    }
}

/* In shortest form and with 17 digits: runs of every length that is read eight digits at a time. */
static void parse__equals_strtod_on_doubles_in_full(void **state) {
    (void)state;
    rng r = rng_new(6);
    char text[96];
    for (int i = 0, n = times(40000); i < n; i++) {
        double x = (rng_unit(&r) - 0.5) * pow(10, (double)rng_below(&r, 40) - 20);
        snprintf(text, sizeof text, "%.*g", 10 + (int)rng_below(&r, 10), x);
        assert_reads_as_strtod(text);
        snprintf(text, sizeof text, "%.*f", 10 + (int)rng_below(&r, 15), x);
        assert_reads_as_strtod(text);
    }
}

/* The decimal expansion of the point half way between two neighbouring doubles, and of its neighbours in decimal. */
static void parse__rounds_halfway_cases_as_strtod_does(void **state) {
    (void)state;
    rng r = rng_new(3);
    char text[1200];
    for (int i = 0, turns = times(2000); i < turns; i++) {
        double x = with_bits(((rng_next(&r) % 600 + 700) << 52) | rng_next(&r) >> 12);
        long double half = ((long double)x + (long double)nextafter(x, INFINITY)) / 2;
        int n = snprintf(text, sizeof text, "%.1100Lg", half);
        assert_reads_as_strtod(text);
        char *last = strpbrk(text, "e");
        last = last ? last - 1 : text + n - 1;
        *last = (char)(*last == '9' ? '8' : *last + 1);
        assert_reads_as_strtod(text);
    }
}

static void parse__equals_strtod_on_subnormal_and_extreme_numbers(void **state) {
    (void)state;
    rng r = rng_new(4);
    char text[1200];
    for (int i = 0, n = times(20000); i < n; i++) {
        double tiny = with_bits(rng_next(&r) >> (12 + rng_below(&r, 52)));
        double huge = with_bits((UINT64_C(0x7FE) << 52) | rng_next(&r) >> 12);
        snprintf(text, sizeof text, "%.*e", (int)rng_below(&r, 30), tiny);
        assert_reads_as_strtod(text);
        snprintf(text, sizeof text, "%.*e", (int)rng_below(&r, 30), huge);
        assert_reads_as_strtod(text);
    }
}

static void assert_reads_as(const char *text, double want) {
    double ours = 0;
    assert_reads_as_strtod(text);
    assert_true(parse(&ours, text));
    if (bits_of(ours) != bits_of(want))
        fail_msg("%s: %a, not %a", text, ours, want);
}

/* The digits of m × factor^power, all of them; how many. In whole numbers, so that no float can lose one. */
static size_t exact_digits(char *out, uint64_t m, unsigned factor, int power) {
    enum { LIMBS = 96, BASE = 1000000000 };
    uint32_t limb[LIMBS] = {(uint32_t)(m % BASE), (uint32_t)(m / BASE % BASE), (uint32_t)(m / BASE / BASE)};
    for (; power > 0; power--) {
        uint64_t carry = 0;
        for (int i = 0; i < LIMBS; i++, carry /= BASE) {
            carry += (uint64_t)limb[i] * factor;
            limb[i] = (uint32_t)(carry % BASE);
        }
        assert_int_equal(carry, 0);
    }
    char all[LIMBS * 9 + 1];
    for (int i = 0; i < LIMBS; i++)
        sprintf(all + 9 * i, "%09u", limb[LIMBS - 1 - i]);
    strcpy(out, all + strspn(all, "0"));
    return strlen(out);
}

/* digits × 10^exponent with a point somewhere. */
static void assert_digits_read_as(rng *r, const char *digits, int exponent, double want) {
    char text[2000];
    int n = (int)strlen(digits), before = (int)rng_below(r, (size_t)n + 1);
    snprintf(text, sizeof text, "%.*s.%se%d", before, digits, digits + before, exponent + n - before);
    assert_reads_as(text, want);
}

/* m × factor^power × 10^exponent is half way between `low` and `high` and rounds to `even`. A digit far behind makes it
 * more, nines as far make it less; its first 19 digits alone are near to it. */
static void assert_rounds_around(rng *r, uint64_t m, unsigned factor, int power, int exponent, double low, double even,
                                 double high) {
    char digits[2000];
    size_t n = exact_digits(digits, m, factor, power), more = 1 + rng_below(r, 1000);
    assert_digits_read_as(r, digits, exponent, even);
    memset(digits + n, '0', more);
    strcpy(digits + n + more, "1");
    assert_digits_read_as(r, digits, exponent - (int)more - 1, high);
    assert_in_range(digits[n - 1], '1', '9');
    digits[n - 1]--;
    memset(digits + n, '9', more);
    digits[n + more] = '\0';
    assert_digits_read_as(r, digits, exponent - (int)more, low);
    digits[n - 1]++;
    snprintf(digits + 19, sizeof digits - 19, "e%d", exponent + (int)n - 19);
    assert_reads_as_strtod(digits);
}

/* Half way between k × 2^-1074 and the next: (2k + 1) × 2^-1075 = (2k + 1) × 5^1075 × 10^-1075. */
static void parse__rounds_halfway_subnormals_to_even(void **state) {
    (void)state;
    static const uint64_t edges[] = {0, 1, 2, (UINT64_C(1) << 52) - 2, (UINT64_C(1) << 52) - 1, UINT64_C(1) << 52};
    enum { EDGES = sizeof edges / sizeof *edges };
    rng r = rng_new(8);
    for (int i = 0, turns = times(200); i < turns; i++) {
        uint64_t k = i < EDGES ? edges[i] : rng_next(&r) >> (12 + rng_below(&r, 52)), even = k + k % 2;
        assert_rounds_around(&r, 2 * k + 1, 5, 1075, -1075, with_bits(k), with_bits(even), with_bits(k + 1));
    }
}

/* The largest double is (2^53 - 1) × 2^971. Half a step above it begins infinity. */
static void parse__overflows_from_half_a_step_above_the_largest(void **state) {
    (void)state;
    rng r = rng_new(9);
    for (int i = 0; i < 20; i++)
        assert_rounds_around(&r, (UINT64_C(1) << 54) - 1, 2, 970, 0, DBL_MAX, INFINITY, INFINITY);
}

static void parse__equals_strtod_on_thousands_of_digits(void **state) {
    (void)state;
    rng r = rng_new(5);
    enum { MOST = 5000 };
    char *text = make(MOST + 16, 1);
    for (int i = 0, turns = times(500); i < turns; i++) {
        size_t n = 100 + rng_below(&r, MOST - 100), point = rng_below(&r, n);
        for (size_t j = 0; j < n; j++)
            text[j] = j == point ? '.' : (char)('0' + (rng_below(&r, 3) ? 0 : rng_below(&r, 10)));
        snprintf(text + n, 16, "e%d", (int)rng_below(&r, 2 * n) - (int)n);
        assert_reads_as_strtod(text);
    }
    free(text);
}

/* Half way between 1 and the next double, and a digit behind a thousand zeros that tips the balance; an exponent that
 * makes up for a hundred thousand zeros. */
static void parse__reads_the_last_of_very_many_digits(void **state) {
    (void)state;
    enum { ZEROS = 100000 };
    char *text = make(ZEROS + 100, 1);
    double x;
    int n = sprintf(text, "1.00000000000000011102230246251565404236316680908203125");
    assert_reads_as_strtod(text);
    memset(text + n, '0', 1000);
    assert_true(parse(&x, text) && x == 1);
    text[n + 1000] = '1';
    assert_true(parse(&x, text) && x == 1 + 0x1p-52);
    assert_reads_as_strtod(text);
    sprintf(text, "0.");
    memset(text + 2, '0', ZEROS);
    sprintf(text + 2 + ZEROS, "1e%d", ZEROS + 1);
    assert_true(parse(&x, text) && x == 1);
    sprintf(text + 2 + ZEROS, "1234567890123456789012e%d", ZEROS + 22);
    assert_true(parse(&x, text) && x == 1234567890123456789012.0);
    free(text);
}

/* ---- writing */

static const char *formatted(double x) {
    static char out[ILK_NUMBER_SIZE];
    memset(out, 'x', sizeof out);
    size_t n = ilk_number_format(out, x);
    assert_int_equal(n, strlen(out));
    return out;
}

static void format__writes_what_people_expect(void **state) {
    (void)state;
    assert_string_equal(formatted(0), "0");
    assert_string_equal(formatted(-0.0), "-0");
    assert_string_equal(formatted(1), "1");
    assert_string_equal(formatted(-2.5), "-2.5");
    assert_string_equal(formatted(0.1), "0.1");
    assert_string_equal(formatted(1.0 / 3), "0.3333333333333333");
    assert_string_equal(formatted(1e22), "1e+22");
    assert_string_equal(formatted(123456), "123456");
    assert_string_equal(formatted(0.978494623655914), "0.978494623655914");
    assert_string_equal(formatted(-1.7976931348623157e308), "-1.7976931348623157e+308");
    assert_string_equal(formatted(5e-324), "5e-324");
    assert_string_equal(formatted(0x1p-44),
                        "5.684341886080802e-14"); /* printf's 16 digits, …801, read as another double */
    assert_string_equal(formatted(INFINITY), "inf");
    assert_string_equal(formatted(-INFINITY), "-inf");
    assert_string_equal(formatted(NAN), "nan");
}

/* Any double: it reads back, and no smaller precision of printf does. */
static void assert_shortest(double x) {
    char shorter[64];
    const char *text = formatted(x);
    double back;
    if (!ilk_number_parse(&back, str(text)) || bits_of(back) != bits_of(x))
        fail_msg("%a is written as %s", x, text);
    for (int precision = fpclassify(x) == FP_SUBNORMAL ? 1 : 15; precision <= 17; precision++) {
        snprintf(shorter, sizeof shorter, "%.*g", precision, x);
        if (strtod(shorter, NULL) == x)
            break;
    }
    assert_true(strlen(text) <= strlen(shorter));
}

static void format__is_shortest_and_reads_back(void **state) {
    (void)state;
    rng r = rng_new(6);
    for (int i = 0, n = times(30000); i < n; i++) {
        double x = with_bits(rng_next(&r));
        if (isfinite(x))
            assert_shortest(x);
        assert_shortest(with_bits(rng_next(&r) >> 12));                  /* subnormal */
        assert_shortest((double)(int64_t)(rng_next(&r) >> 20) / 1000.0); /* as measured */
    }
    assert_shortest(DBL_MIN);
    assert_shortest(DBL_TRUE_MIN);
    assert_shortest(DBL_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse__takes_every_form_of_a_decimal_number),
        cmocka_unit_test(parse__keeps_the_sign_of_zero),
        cmocka_unit_test(parse__rejects_what_is_no_decimal_number),
        cmocka_unit_test(parse__reads_no_further_than_its_length),
        cmocka_unit_test(parse__equals_strtod_on_random_literals),
        cmocka_unit_test(parse__equals_strtod_on_short_numbers_as_tables_hold_them),
        cmocka_unit_test(parse__equals_strtod_on_doubles_in_full),
        cmocka_unit_test(parse__rounds_halfway_cases_as_strtod_does),
        cmocka_unit_test(parse__equals_strtod_on_subnormal_and_extreme_numbers),
        cmocka_unit_test(parse__rounds_halfway_subnormals_to_even),
        cmocka_unit_test(parse__overflows_from_half_a_step_above_the_largest),
        cmocka_unit_test(parse__equals_strtod_on_thousands_of_digits),
        cmocka_unit_test(parse__reads_the_last_of_very_many_digits),
        cmocka_unit_test(format__writes_what_people_expect),
        cmocka_unit_test(format__is_shortest_and_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
