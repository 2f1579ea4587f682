/* SPDX-License-Identifier: Apache-2.0 */
/* Every set of kernels that this processor can run computes what the portable one defines, to rounding: sums of
 * products in another order, and fused, differ by at most n eps times the sum of the products' absolute values; 1e-13
 * of it is asked here for sums of up to 1,000 terms. */
#include "fixtures.h"

#include "kernels/kernels.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t heights[] = {1, 2, 3, 4, 7, 31, 32, 33, 127, 128};
static const size_t widths[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 25, 33, 50, 97};
enum { HEIGHTS = sizeof heights / sizeof *heights, WIDTHS = sizeof widths / sizeof *widths };

/* Arrays that end where memory ends: AddressSanitizer does not see what is done by vectors (ILK_UNSANITISED), and
 * valgrind does not know them all. */
typedef struct mapping {
    void *p;
    size_t n;
} mapping;
static mapping mapped[32];
static size_t mappings;

static void *at_edge(size_t count, size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (count * size + page - 1) / page * page;
    char *all = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED && mprotect(all + whole, page, PROT_NONE) == 0);
    assert_in_range(mappings, 0, sizeof mapped / sizeof *mapped - 1);
    mapped[mappings++] = (mapping){all, whole + page};
    return all + whole - count * size;
}

static void give_back(void) {
    for (; mappings > 0; mappings--)
        munmap(mapped[mappings - 1].p, mapped[mappings - 1].n);
}

static double *noise(rng *r, size_t n) {
    double *x = at_edge(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = rng_normal(r);
    return x;
}

/* For all sizes and all sets but the first. */
static void for_all(void (*check)(const ilk_kernels *k, rng *r, size_t n, size_t d)) {
    rng r = rng_new(7);
    for (size_t set = 1; ilk_kernels_at(set); set++)
        for (size_t i = 0; i < HEIGHTS; i++)
            for (size_t j = 0; j < WIDTHS; j++) {
                check(ilk_kernels_at(set), &r, heights[i], widths[j]);
                give_back();
            }
}

enum { CLASSES = 3 };

static uint32_t *some_groups(rng *r, size_t n) {
    uint32_t *group = at_edge(n, sizeof *group);
    for (size_t i = 0; i < n; i++)
        group[i] = (uint32_t)rng_below(r, CLASSES);
    return group;
}

/* Strips of a few rows each, less what is left of a group: S of each class, and the sums of rows less the shifts. */
static void add_products(const ilk_kernels *k, double *S, double *sum, const double *shift, const double *X,
                         const uint32_t *group, size_t n, size_t d) {
    size_t padded = ilk_padded(d), left[CLASSES] = {0};
    ilk_strip strip[CLASSES];
    for (size_t i = 0; i < n; i++)
        left[group[i]]++;
    for (size_t c = 0; c < CLASSES; c++) {
        size_t room = left[c] < 3 + 20 * c ? left[c] : 3 + 20 * c;
        double *packed = at_edge(room * k->packed_width(d), sizeof *packed);
        strip[c] = (ilk_strip){packed, shift + c * padded, sum + c * padded, 0, room};
    }
    for (size_t i = 0; i < n;) {
        size_t some = k->pack(strip, X + i * d, group + i, n - i, d);
        assert_in_range(some, 1, n - i);
        i += some;
        ilk_strip *full = &strip[group[i - 1]];
        assert_int_equal(full->n, full->room);
        k->syrk(S + group[i - 1] * d * d, full, d, X + i * d, (n - i) * d);
        left[group[i - 1]] -= full->n;
        full->n = 0;
        full->room = left[group[i - 1]] < full->room ? left[group[i - 1]] : full->room;
    }
    for (size_t c = 0; c < CLASSES; c++)
        assert_int_equal(left[c], 0);
}

static void check_syrk(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    size_t padded = ilk_padded(d), size = CLASSES * d * d;
    double *X = noise(r, n * d), *shift = noise(r, CLASSES * padded), *S = noise(r, size),
           *T = at_edge(size, sizeof *T);
    double *a = noise(r, CLASSES * padded), *b = at_edge(CLASSES * padded, sizeof *b), close = 1e-13 * (double)(n + 1);
    uint32_t *group = some_groups(r, n);
    for (size_t j = 0; j < CLASSES * padded; j++) {
        shift[j] = j % padded < d ? shift[j] : 0;
        b[j] = a[j] = j % padded < d ? a[j] : 0;
    }
    memcpy(T, S, size * sizeof *S);
    add_products(&ilk_kernels_ref, S, a, shift, X, group, n, d);
    add_products(k, T, b, shift, X, group, n, d);
    for (size_t j = 0; j < CLASSES * padded; j++) {
        assert_close(b[j], a[j], close);
        assert_true(j % padded < d || b[j] == 0);
    }
    for (size_t i = 0; i < size; i++) {
        assert_close(T[i], S[i], close);
        if (i % d > i / d % d) /* the upper triangle is nobody's business */
            assert_true(T[i] == S[i]);
    }
}

/* A strip of all rows of a group, and a pack that ends without a full one. */
static void check_long_strip(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    size_t rows = n < ILK_STRIP ? n : ILK_STRIP;
    double *X = noise(r, rows * d), *zero = at_edge(ilk_padded(d), sizeof *zero),
           *sum = at_edge(ilk_padded(d), sizeof *sum);
    double *S = at_edge(d * d, sizeof *S);
    uint32_t *group = at_edge(rows, sizeof *group);
    ilk_strip strip = {at_edge(rows * k->packed_width(d), sizeof *S), zero, sum, 0, rows};
    if (rows > 1) {
        assert_int_equal(k->pack(&strip, X, group, rows - 1, d), rows - 1);
        assert_int_equal(strip.n, rows - 1);
    }
    assert_int_equal(k->pack(&strip, X + (rows - 1) * d, group, 1, d), 1);
    k->syrk(S, &strip, d, NULL, 0);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            double expected = 0;
            for (size_t row = 0; row < rows; row++)
                expected += X[row * d + i] * X[row * d + j];
            assert_close(S[i * d + j], expected, 1e-13 * (double)(rows + 1));
        }
}

/* To the bit, rows at once are rows one by one. */
static void check_shifted(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    size_t padded = ilk_padded(d), all = CLASSES * 3 * padded;
    double *X = noise(r, n * d), *a = noise(r, all), *b = at_edge(all, sizeof *b), *c = at_edge(all, sizeof *c);
    uint32_t *group = some_groups(r, n);
    for (size_t i = 0; i < all; i++)
        c[i] = b[i] = a[i] = i % padded < d ? a[i] : 0;
    ilk_kernels_ref.shifted(a, X, group, n, d);
    k->shifted(b, X, group, n, d);
    for (size_t i = 0; i < n; i++)
        k->shifted(c, X + i * d, group + i, 1, d);
    for (size_t i = 0; i < all; i++)
        assert_close(b[i], a[i], 1e-13 * (double)(n + 1));
    assert_memory_equal(b, c, all * sizeof *b);
}

static void check_largest(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    double *x = noise(r, n * d);
    for (size_t i = 0; i < n * d; i += 7)
        x[i] = i % 2 ? NAN : 9 * x[i];
    assert_true(k->largest(x, n * d) == ilk_kernels_ref.largest(x, n * d));
    x[rng_below(r, n * d)] = -INFINITY;
    assert_true(isinf(k->largest(x, n * d)) && isinf(ilk_kernels_ref.largest(x, n * d)));
}

/* A factor with a dominant diagonal; the last column is left out. */
static void check_distances(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    double *X = noise(r, n * d), *L = noise(r, d * d), *inv = at_edge(d, sizeof *inv), *center = noise(r, d);
    double *inv_sd = at_edge(d, sizeof *inv_sd), *z = noise(r, CLASSES * d);
    double *a = noise(r, n * (CLASSES + 1)), *b = at_edge(n * (CLASSES + 1), sizeof *b);
    double *rows = at_edge(ilk_kernels_ref.turn_size(n, d), sizeof *rows),
           *turned = at_edge(k->turn_size(n, d), sizeof *turned);
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++)
            L[i * d + j] *= 0.1;
        L[i * d + i] = 1 + rng_unit(r);
        inv[i] = 1 / L[i * d + i];
        inv_sd[i] = i > 0 && i + 1 == d ? 0 : 0.5 + rng_unit(r);
    }
    memcpy(b, a, n * (CLASSES + 1) * sizeof *a);
    const ilk_whitening w = {d, center, inv_sd, L, inv};
    ilk_kernels_ref.turn(rows, X, n, d);
    ilk_kernels_ref.distances(a, CLASSES + 1, rows, n, &w, z, CLASSES, NULL);
    k->turn(turned, X, n, d);
    for (size_t again = 0; again < 2; again++) /* what is turned stays */
        k->distances(b, CLASSES + 1, turned, n, &w, z, CLASSES, X);
    for (size_t i = 0; i < n * (CLASSES + 1); i++)
        assert_close(b[i], a[i], 1e-12 * (1 + a[i]));
}

static void check_rows(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    double *X = noise(r, n * d), *mu = noise(r, CLASSES * d), *inv_sd = at_edge(CLASSES * d, sizeof *inv_sd);
    double *a = at_edge(n * CLASSES, sizeof *a), *b = at_edge(n * CLASSES, sizeof *b);
    double *u = at_edge(n, sizeof *u), *v = at_edge(n, sizeof *v);
    for (size_t i = 0; i < CLASSES * d; i++)
        inv_sd[i] = rng_unit(r);
    for (size_t K = 1; K <= CLASSES; K++) {
        ilk_kernels_ref.scaled_distances(a, X, n, d, mu, inv_sd, K);
        k->scaled_distances(b, X, n, d, mu, inv_sd, K);
        for (size_t i = 0; i < n * K; i++)
            assert_close(b[i], a[i], 1e-13 * (double)d);
        ilk_kernels_ref.linear(a, u, X, n, d, mu, inv_sd, mu, K);
        k->linear(b, v, X, n, d, mu, inv_sd, mu, K);
        for (size_t i = 0; i < n * K; i++)
            assert_close(b[i], a[i], 1e-13 * (double)d);
        for (size_t i = 0; i < n; i++)
            assert_close(v[i], u[i], 1e-13 * (double)d);
    }
    for (size_t i = 0; i < n; i++) {
        double one[3], other[3];
        ilk_kernels_ref.removed(one, X + i * d, mu, inv_sd, d, 0.01);
        k->removed(other, X + i * d, mu, inv_sd, d, 0.01);
        for (size_t at = 0; at < 3; at++)
            assert_close(other[at], one[at], 1e-13 * (double)d);
    }
}

static void kernels__syrk_is_that_of_the_reference(void **state) {
    (void)state;
    for_all(check_syrk);
    for_all(check_long_strip);
}

static void kernels__shifted_sums_are_those_of_the_reference(void **state) {
    (void)state;
    for_all(check_shifted);
}

static bool is_within(double a, double b, double ulps) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= ulps * (nextafter(fmax(a, b), INFINITY) - fmax(a, b));
}

/* Log-joints as far apart as exponentials reach, and farther; exponentials are good to 2 units in the last place, and
 * with the quotient that makes 5. */
static void check_posterior(const ilk_kernels *k, rng *r, size_t n, size_t K) {
    static const double far[] = {0, -1e-300, -0.25, -708, -709, -740, -744.4, -745.1, -745.2, -746, -1e9, -INFINITY};
    double *x = at_edge(n * K, sizeof *x), *a = at_edge(n * K, sizeof *a), *b = at_edge(n * K, sizeof *b);
    for (size_t i = 0; i < n * K; i++)
        x[i] = rng_below(r, 4) ? -exp(10 * rng_unit(r) - 3)
                               : far[rng_below(r, sizeof far / sizeof *far)] - 50 * (double)(i / K % 2);
    k->posterior(a, x, K, n);
    ilk_kernels_ref.posterior(b, x, K, n);
    for (size_t i = 0; i < n * K; i++)
        if (!is_within(a[i], b[i], 5))
            fail_msg("%s: %.17g, not %.17g, of %.17g", k->name, a[i], b[i], x[i]);
    memcpy(b, x, n * K * sizeof *x);
    k->posterior(b, b, K, n);
    assert_memory_equal(a, b, n * K * sizeof *a);
}

static void kernels__posterior_is_bayes_rule(void **state) {
    (void)state;
    for_all(check_posterior);
    for (size_t set = 0; ilk_kernels_at(set); set++) {
        double row[] = {-INFINITY, -INFINITY, -3, -3, -INFINITY, -5};
        ilk_kernels_at(set)->posterior(row, row, 2, 3);
        assert_true(isnan(row[0]) && isnan(row[1]) && row[2] == 0.5 && row[3] == 0.5 && row[4] == 0 && row[5] == 1);
        double three[] = {-INFINITY, -INFINITY, -INFINITY, 0, -INFINITY, 0};
        ilk_kernels_at(set)->posterior(three, three, 3, 2);
        assert_true(isnan(three[0]) && isnan(three[1]) && isnan(three[2]));
        assert_true(three[3] == 0.5 && three[4] == 0 && three[5] == 0.5);
    }
}

static void check_exps(const ilk_kernels *k, rng *r, size_t n, size_t d) {
    double *x = at_edge(n * d, sizeof *x), *y = at_edge(n * d, sizeof *y);
    for (size_t i = 0; i < n * d; i++)
        x[i] = y[i] = rng_below(r, 8) ? 1e-9 - exp(10 * rng_unit(r) - 3) : -INFINITY;
    k->exps(y, n * d);
    for (size_t i = 0; i < n * d; i++)
        if (!is_within(y[i], exp(x[i]), 2))
            fail_msg("%s: %.17g, not %.17g, of %.17g", k->name, y[i], exp(x[i]), x[i]);
}

static void kernels__exps_are_exponentials(void **state) {
    (void)state;
    for_all(check_exps);
}

static void kernels__largest_leaves_out_nan_but_not_infinity(void **state) {
    (void)state;
    for_all(check_largest);
}

static void kernels__distances_are_those_of_the_reference(void **state) {
    (void)state;
    for_all(check_distances);
}

static void kernels__scores_of_rows_are_those_of_the_reference(void **state) {
    (void)state;
    for_all(check_rows);
}

static void kernels__reference_syrk_adds_the_products_of_columns_to_the_lower_triangle(void **state) {
    (void)state;
    rng r = rng_new(22);
    static const size_t sizes[] = {1, 2, 3, 7, 16, 33};
    for (size_t at = 0; at < 6; at++) {
        size_t d = sizes[at], n = rng_below(&r, 100);
        double *X = noise(&r, n * d), *before = noise(&r, d * d), *S = at_edge(d * d, sizeof *S);
        memcpy(S, before, d * d * sizeof *S);
        ilk_kernels_ref.syrk(S, &(ilk_strip){.packed = X, .n = n}, d, NULL, 0);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++) {
                double sum = before[i * d + j];
                for (size_t h = 0; j <= i && h < n; h++)
                    sum += X[h * d + i] * X[h * d + j];
                assert_close(S[i * d + j], sum, 1e-13);
            }
        give_back();
    }
}

static void kernels__reference_says_what_is_computed(void **state) {
    (void)state;
    const double X[] = {9, 27, 1, 1}, shift[] = {1, 2}, L[] = {2, 0, 1, 4}, inv[] = {0.5, 0.25}, inv_sd[] = {0.75, 0.5};
    const double center[] = {1, 5}, z[] = {3, 2, 0, 0};
    double packed[4], sum[] = {10, 20}, S[] = {1, 2, 3, 4}, turned[6], out[4] = {0}, norm2[2];
    ilk_strip strip = {packed, shift, sum, 0, 2};
    assert_int_equal(ilk_kernels_ref.pack(&strip, X, (const uint32_t[]){0, 0}, 2, 2), 2);
    assert_true(packed[0] == 8 && packed[1] == 25 && packed[2] == 0 && packed[3] == -1 && sum[0] == 18 && sum[1] == 44);
    ilk_kernels_ref.syrk(S, &strip, 2, NULL, 0);
    assert_true(S[0] == 1 + 64 && S[1] == 2 && S[2] == 3 + 8 * 25 && S[3] == 4 + 25 * 25 + 1);
    double sums[24] = {[0] = 1, [1] = 2, [8] = 3, [9] = 4, [16] = 5, [17] = 6};
    ilk_kernels_ref.shifted(sums, X, (const uint32_t[]){0}, 1, 2);
    assert_true(sums[8] == 3 + 64 && sums[9] == 4 + 625 && sums[16] == 5 + 8 && sums[17] == 6 + 25);
    /* y = (6, 11), w = (3, 2) */
    ilk_kernels_ref.turn(turned, X, 1, 2);
    ilk_kernels_ref.distances(out, 2, turned, 1, &(ilk_whitening){2, center, inv_sd, L, inv}, z, 2, NULL);
    assert_true(out[0] == 0 && out[1] == 13);
    ilk_kernels_ref.linear(out, norm2, X, 1, 2, center, inv_sd, z, 1);
    assert_true(out[0] == 18 + 22 && norm2[0] == 36 + 121);
    ilk_kernels_ref.scaled_distances(out, X, 1, 2, center, inv_sd, 1);
    assert_true(out[0] == 36 + 121);
    ilk_kernels_ref.removed(out, X, center, (const double[]){0.125, 0.5}, 2, 0.25); /* y = (1, 11) */
    assert_true(out[0] == 1 / 0.75 + 121 / (1 - 30.25) && out[1] == 0.75 * (1 - 30.25) && out[2] == 30.25);
}

/* By every set, the reference too: bytes with and without their top bit, at the end of memory. */
static void kernels__marks_are_the_bytes_asked_for(void **state) {
    (void)state;
    static const char three[3] = {',', '\n', (char)0xAC}; /* ',' with its top bit */
    rng r = rng_new(9);
    for (size_t set = 0; ilk_kernels_at(set); set++)
        for (size_t turn = 0; turn < 2000; turn++) {
            size_t n = turn % 300, rare = 1 + rng_below(&r, 30), marks = 0;
            char *text = make(n, 1);
            uint32_t *expected = make(n, sizeof *expected), *at = make(n + 64, sizeof *at);
            for (size_t i = 0; i < n; i++) {
                text[i] = rng_below(&r, rare) ? (char)rng_below(&r, 256) : three[rng_below(&r, 3)];
                if (memchr(three, text[i], 3))
                    expected[marks++] = (uint32_t)i;
            }
            assert_int_equal(ilk_kernels_at(set)->marks(at, text, n, three), marks);
            assert_memory_equal(at, expected, marks * sizeof *at);
            free(text), free(expected), free(at);
        }
}

static void kernels__census_counts_lines_and_sees_quotes_and_nuls(void **state) {
    (void)state;
    rng r = rng_new(11);
    for (size_t set = 0; ilk_kernels_at(set); set++)
        for (size_t turn = 0; turn < 2000; turn++) {
            size_t n = turn % 200, lines = 0;
            char *text = make(n, 1);
            for (size_t i = 0; i < n; i++) {
                text[i] = (char)(rng_below(&r, 5) ? 1 + rng_below(&r, 255) : '\n');
                text[i] = text[i] == '"' ? 'q' : text[i];
                lines += text[i] == '\n';
            }
            ilk_census c = ilk_kernels_at(set)->census(text, n);
            assert_true(c.newlines == lines && !c.quotes && !c.nuls);
            if (n > 0) {
                text[rng_below(&r, n)] = turn % 2 ? '"' : '\0';
                c = ilk_kernels_at(set)->census(text, n);
                assert_true(turn % 2 ? c.quotes && !c.nuls : c.nuls && !c.quotes);
            }
            free(text);
        }
}

/* A number as tables hold them, now and then none. */
static ilk_str random_field(rng *r, char *text) {
    static const char *const odd[] = {"",    "-",     ".",  "-.", "x",    "1-2", "1.2.3",
                                      "--1", "1e999", "+1", "0",  "-0.0", "1e3"};
    size_t n;
    if (rng_below(r, 100) == 0)
        n = (size_t)sprintf(text, "%s", odd[rng_below(r, sizeof odd / sizeof *odd)]);
    else
        n = (size_t)sprintf(text, "%.*f", (int)rng_below(r, 20), rng_normal(r) * pow(10, (double)rng_below(r, 12)));
    return (ilk_str){text, n};
}

/* Rows of any width, by any of their fields, up to the first that is no number. */
static void kernels__numbers_are_those_of_the_reference(void **state) {
    (void)state;
    enum { MOST = 200, ROOM = 64 };
    static char text[MOST][ROOM];
    rng r = rng_new(10);
    for (size_t set = 1; ilk_kernels_at(set); set++)
        for (int turn = 0; turn < 3000; turn++) {
            ilk_str field[MOST];
            size_t at[MOST], n = rng_below(&r, MOST);
            double x[MOST] = {0}, y[MOST] = {0};
            for (size_t j = 0; j < MOST; j++)
                field[j] = random_field(&r, text[j]);
            for (size_t j = 0; j < n; j++)
                at[j] = rng_below(&r, MOST);
            size_t read = ilk_kernels_at(set)->numbers(x, field, at, n);
            assert_int_equal(read, ilk_kernels_ref.numbers(y, field, at, n));
            assert_memory_equal(x, y, read * sizeof *x);
            for (size_t j = n; j < MOST; j++)
                assert_true(x[j] == 0);
        }
}

/* The first and the last bytes of what may be read. */
static void kernels__numbers_reads_its_fields_alone(void **state) {
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *mine = all + page;
    assert_true(all != MAP_FAILED && mprotect(mine, page, PROT_READ | PROT_WRITE) == 0);
    memset(mine, '7', page);
    for (size_t set = 0; ilk_kernels_at(set); set++) {
        double x[2];
        ilk_str field[] = {{mine, 3}, {mine + page - 2, 2}};
        assert_int_equal(ilk_kernels_at(set)->numbers(x, field, (const size_t[]){0, 1}, 2), 2);
        assert_true(x[0] == 777 && x[1] == 77);
    }
    munmap(all, 3 * page);
}

static void kernels__the_set_in_use_is_one_this_processor_can_run(void **state) {
    (void)state;
    bool found = false;
    for (size_t i = 0; ilk_kernels_at(i); i++)
        found = found || ilk_kernels_at(i) == ilk_kernels_use();
    assert_true(found);
    assert_string_equal(ilk_kernels_at(0)->name, "ref");
}

static const char *program; /* this one */

/* This program anew with ILK_KERNELS=value (NULL: unset): does it use the set of that name (NULL: the best it has)? A set
 * is chosen once. The new program may have more sets than this one, which may run in an emulator. */
static void assert_used(const char *expected, const char *value) {
    int ends[2];
    char said[64] = "", used[32] = "", best[32] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (value ? setenv("ILK_KERNELS", value, 1) : unsetenv("ILK_KERNELS"))
            _exit(1);
        dup2(ends[1], STDOUT_FILENO);
        execl(program, "test_kernels", "used", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    assert_true(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(sscanf(said, "%31s %31s", used, best), 2);
    if (strcmp(used, expected ? expected : best) != 0)
        fail_msg("ILK_KERNELS=%s: %s", value ? value : "(unset)", said);
}

static void kernels__are_those_the_environment_asks_for(void **state) {
    (void)state;
    for (size_t i = 0; ilk_kernels_at(i); i++)
        assert_used(ilk_kernels_at(i)->name, ilk_kernels_at(i)->name);
    assert_used(NULL, NULL);
    static const char *const unknown[] = {"", "REF", "ref ", "re", "abacus"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_used(NULL, unknown[i]);
}

/* The set in use, and the best there is. */
static int say_used(void) {
    size_t last = 0;
    while (ilk_kernels_at(last + 1))
        last++;
    printf("%s %s", ilk_kernels_use()->name, ilk_kernels_at(last)->name);
    return 0;
}

int main(int argc, char **argv) {
    program = argv[0];
    if (argc == 2 && strcmp(argv[1], "used") == 0)
        return say_used();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels__syrk_is_that_of_the_reference),
        cmocka_unit_test(kernels__shifted_sums_are_those_of_the_reference),
        cmocka_unit_test(kernels__posterior_is_bayes_rule),
        cmocka_unit_test(kernels__exps_are_exponentials),
        cmocka_unit_test(kernels__largest_leaves_out_nan_but_not_infinity),
        cmocka_unit_test(kernels__distances_are_those_of_the_reference),
        cmocka_unit_test(kernels__scores_of_rows_are_those_of_the_reference),
        cmocka_unit_test(kernels__reference_syrk_adds_the_products_of_columns_to_the_lower_triangle),
        cmocka_unit_test(kernels__reference_says_what_is_computed),
        cmocka_unit_test(kernels__marks_are_the_bytes_asked_for),
        cmocka_unit_test(kernels__census_counts_lines_and_sees_quotes_and_nuls),
        cmocka_unit_test(kernels__numbers_are_those_of_the_reference),
        cmocka_unit_test(kernels__numbers_reads_its_fields_alone),
        cmocka_unit_test(kernels__the_set_in_use_is_one_this_processor_can_run),
        cmocka_unit_test(kernels__are_those_the_environment_asks_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
