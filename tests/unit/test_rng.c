/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: the published sequences bit by bit, and each distribution against its formula. Seeds are fixed, so a
 * bound of 4 or 5 standard errors either holds or does not, once and for all. */
#include "fixtures.h"

#include "core/rng.h"
#include "math/special.h"

enum { N = 200000 };

static void assert_within(double found, double expected, double standard_error, const char *what) {
    if (!(fabs(found - expected) <= 4 * standard_error))
        fail_msg("%s: %.9g, not %.9g, %.1f standard errors", what, found, expected,
                 (found - expected) / standard_error);
}

/* ---- bits */

static void rng__is_xoshiro256_seeded_by_splitmix64(void **state) {
    (void)state;
    static const uint64_t published[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240),
                                         UINT64_C(1216172134540287360)};
    ilk_rng r = {{1, 2, 3, 4}}, seeded = ilk_rng_new(0);
    for (size_t i = 0; i < 5; i++)
        assert_true(ilk_rng_next(&r) == published[i]);
    static const uint64_t splitmix[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                                        UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec)};
    for (size_t i = 0; i < 4; i++)
        assert_true(seeded.s[i] == splitmix[i]);
}

/* One number for the bits of many. */
static uint64_t digest(uint64_t seed, double (*draw)(ilk_rng *r)) {
    ilk_rng r = ilk_rng_new(seed);
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 10000; i++) {
        double x = draw(&r);
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        h = (h ^ bits) * UINT64_C(0x100000001b3);
        h ^= h >> 29;
    }
    return h;
}

static double poisson_3(ilk_rng *r) {
    return ilk_rng_poisson(r, 3);
}
static double poisson_300(ilk_rng *r) {
    return ilk_rng_poisson(r, 300);
}

/* Whoever breaks these breaks every seed that anybody has written down. */
static void rng__gives_the_same_bits_on_every_machine(void **state) {
    (void)state;
    static const struct {
        double (*draw)(ilk_rng *r);
        uint64_t digest;
    } known[] = {
        {ilk_rng_uniform, UINT64_C(0x7d37f66361799a11)},     {ilk_rng_normal, UINT64_C(0xe492e6a72c5e9035)},
        {ilk_rng_exponential, UINT64_C(0x8157e52e5db19131)}, {poisson_3, UINT64_C(0x2afdb3c1a9c86bf8)},
        {poisson_300, UINT64_C(0xae88186fdd7ffac5)},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (digest(7, known[i].draw) != known[i].digest)
            fail_msg("%zu: 0x%016llx", i, (unsigned long long)digest(7, known[i].draw));
}

/* ---- uniform */

static void uniform__fills_the_open_interval(void **state) {
    (void)state;
    ilk_rng r = ilk_rng_new(1);
    double sum = 0, squares = 0;
    for (int i = 0; i < N; i++) {
        double u = ilk_rng_uniform(&r);
        assert_true(u > 0 && u < 1);
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
    }
    assert_within(sum / N, 0.5, sqrt(1 / 12.0 / N), "mean");
    assert_within(squares / N, 1 / 12.0, sqrt(1 / 180.0 / N), "variance");
}

static void below__has_no_bias_where_a_remainder_would(void **state) {
    (void)state;
    ilk_rng r = ilk_rng_new(2);
    double count[7] = {0}, chi2 = 0, low = 0;
    for (int i = 0; i < N; i++)
        count[ilk_rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        chi2 += (count[i] - N / 7.0) * (count[i] - N / 7.0) / (N / 7.0);
    assert_true(ilk_chi2_tail(chi2, 6) > 1e-4);
    for (int i = 0; i < N; i++) /* the remainder of 2^64 by this would fall below 2^62 half of the time, not a third */
        low += ilk_rng_below(&r, UINT64_C(3) << 62) < UINT64_C(1) << 62;
    assert_within(low / N, 1 / 3.0, sqrt(2 / 9.0 / N), "share of the lowest third");
    assert_true(ilk_rng_below(&r, 1) == 0);
}

/* ---- normal and exponential */

static void exponential__is_minus_the_logarithm(void **state) {
    (void)state;
    ilk_rng r = ilk_rng_new(3), same = r;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double u = ilk_rng_uniform(&same), x = ilk_rng_exponential(&r);
        assert_true(fabs(x + log(u)) <= 4e-16 * fmax(x, 1e-2)); /* our logarithm and the C library's */
        sum += x;
    }
    assert_within(sum / N, 1, sqrt(1.0 / N), "mean");
}

/* Chi-squared over 40 cells between -3 and 3, and beyond. */
static void normal__has_its_distribution(void **state) {
    (void)state;
    enum { CELLS = 40 };
    ilk_rng r = ilk_rng_new(4);
    double count[CELLS + 2] = {0}, chi2 = 0, sum = 0, squares = 0, fourth = 0;
    for (int i = 0; i < N; i++) {
        double z = ilk_rng_normal(&r), at = floor((z + 3) / 6 * CELLS);
        count[(size_t)(fmin(fmax(at, -1), CELLS) + 1)]++;
        sum += z;
        squares += z * z;
        fourth += z * z * z * z;
    }
    for (int i = 0; i < CELLS + 2; i++) {
        double low = i == 0 ? -INFINITY : -3 + 6.0 * (i - 1) / CELLS;
        double high = i > CELLS ? INFINITY : -3 + 6.0 * i / CELLS;
        double expected = N * 0.5 * (erfc(-high / sqrt(2)) - erfc(-low / sqrt(2)));
        chi2 += (count[i] - expected) * (count[i] - expected) / expected;
    }
    assert_true(ilk_chi2_tail(chi2, CELLS + 1) > 1e-4);
    assert_within(sum / N, 0, sqrt(1.0 / N), "mean");
    assert_within(squares / N, 1, sqrt(2.0 / N), "variance");
    assert_within(fourth / N, 3, sqrt(96.0 / N), "fourth moment");
}

/* ---- poisson */

static void poisson__has_its_mean_and_variance_at_any_rate(void **state) {
    (void)state;
    static const double rates[] = {0.01, 0.7, 5, 9.999, 10, 10.5, 40, 1000, 1e6, 1e9, 1e13};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        ilk_rng r = ilk_rng_new(5 + i);
        double rate = rates[i], sum = 0, squares = 0;
        for (int n = 0; n < N; n++) {
            double x = ilk_rng_poisson(&r, rate);
            assert_true(x >= 0 && x == floor(x));
            sum += x - rate;
            squares += (x - rate) * (x - rate);
        }
        assert_within(sum / N, 0, sqrt(rate / N), "mean");
        assert_within(squares / N / rate, 1, sqrt((2 + 1 / rate) / N), "variance over rate");
    }
    ilk_rng r = ilk_rng_new(5);
    assert_true(ilk_rng_poisson(&r, 0) == 0);
}

static void check_poisson(double rate, uint64_t seed) {
    enum { MOST = 400 };
    static double count[MOST];
    ilk_rng r = ilk_rng_new(seed);
    memset(count, 0, sizeof count);
    for (int n = 0; n < N; n++)
        count[(size_t)fmin(ilk_rng_poisson(&r, rate), MOST - 1)]++;
    double chi2 = 0, freedom = -1, rest = N, rest_count = N;
    for (int k = 0; k < MOST; k++) {
        double expected = N * exp(k * log(rate) - rate - lgamma(k + 1.0));
        if (expected < 10)
            continue;
        chi2 += (count[k] - expected) * (count[k] - expected) / expected;
        rest -= expected;
        rest_count -= count[k];
        freedom++;
    }
    if (rest > 10) {
        chi2 += (rest_count - rest) * (rest_count - rest) / rest;
        freedom++;
    }
    if (!(ilk_chi2_tail(chi2, freedom) > 1e-4))
        fail_msg("rate %g: chi-squared %g on %g", rate, chi2, freedom);
}

static void poisson__has_its_distribution_on_both_sides_of_the_change_of_method(void **state) {
    (void)state;
    static const double rates[] = {0.3, 3, 9.99, 10, 12.5, 30, 200};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        check_poisson(rates[i], 20 + i);
}

/* ---- picking */

static void pick__follows_the_probabilities_and_never_takes_the_impossible(void **state) {
    (void)state;
    double log_p[8] = {log(0.2), 0, -INFINITY, 0, log(0.5), 0, log(0.3), 0}, count[5] = {0}, none = -INFINITY, p = 0;
    ilk_rng r = ilk_rng_new(6);
    for (int i = 0; i < N; i++)
        count[ilk_rng_pick(&r, log_p, 4, 2, 1)]++;
    assert_within(count[0] / N, 0.2, sqrt(0.16 / N), "first");
    assert_within(count[2] / N, 0.5, sqrt(0.25 / N), "third");
    assert_within(count[3] / N, 0.3, sqrt(0.21 / N), "fourth");
    assert_true(count[1] == 0 && count[4] == 0);
    for (int i = 0; i < 1000; i++) /* a mass above the sum, as rounding would have it: the last possible value */
        assert_true(ilk_rng_pick(&r, log_p, 2, 2, 1e9) == 0);
    assert_int_equal(ilk_rng_pick(&r, &none, 1, 1, 1), 1);
    for (int i = 0; i < N; i++)
        p += ilk_rng_happens(&r, log(0.01)) + ilk_rng_happens(&r, -INFINITY);
    assert_within(p / N, 0.01, sqrt(0.0099 / N), "happens");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rng__is_xoshiro256_seeded_by_splitmix64),
        cmocka_unit_test(rng__gives_the_same_bits_on_every_machine),
        cmocka_unit_test(uniform__fills_the_open_interval),
        cmocka_unit_test(below__has_no_bias_where_a_remainder_would),
        cmocka_unit_test(exponential__is_minus_the_logarithm),
        cmocka_unit_test(normal__has_its_distribution),
        cmocka_unit_test(poisson__has_its_mean_and_variance_at_any_rate),
        cmocka_unit_test(poisson__has_its_distribution_on_both_sides_of_the_change_of_method),
        cmocka_unit_test(pick__follows_the_probabilities_and_never_takes_the_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
