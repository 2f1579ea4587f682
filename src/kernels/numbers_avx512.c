/* SPDX-License-Identifier: Apache-2.0 */
/* numbers_avx512.c - fields to numbers, eight at a time.
 *
 * For fields of up to 32 characters that are an optional minus, digits and at most one point, which nearly all are; any
 * other, and the few whose rounding needs a second look, are left to ilk_number_parse. A field is loaded against the
 * end of a vector, so that places after the point have their weights by where they stand. Three masks (points, minuses,
 * digits) tell whether it is such a field, and which digits have to move up by one, over the point. Digits become
 * pairs, fours, eights and sixteens, and the number m × 10^-places is rounded as in core/decimal.c, by the upper half
 * of a product of 64 bits: all bits below those that are rounded are known to be neither all 0 nor all 1, so that what
 * was cut off below them cannot matter. Steps are loops of their own over the fields of a batch: within one, nothing
 * waits for the result before.
 */
#if defined(__x86_64__)
#include "core/decimal.h"
#include "core/number.h"
#include "kernels/kernels.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

#define VECTOR                                                                                                         \
    __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx512cd,bmi,bmi2,lzcnt,popcnt"))) ILK_UNSANITISED
#define INLINE static inline __attribute__((always_inline)) VECTOR

enum { LONGEST = 32, LANES = 8, MOST = 64 };

typedef struct batch {
    __m512i text[MOST / 2]; /* two fields each, behind zeros */
    /* Per field, a bit for each of its characters: */
    uint32_t all[MOST], points[MOST], minuses[MOST], digits[MOST];
    uint32_t stay[MOST], move[MOST]; /* digits behind the point, and those before it, one up */
    uint32_t places[MOST];           /* behind the point */
    uint64_t m[MOST];                /* without it */
} batch;

/* ---- step 1: load n fields, an even number of them */

INLINE __m256i load(ilk_str s, uint32_t *all) {
    size_t n = s.n <= LONGEST ? s.n : 0;
    *all = (uint32_t)(UINT64_C(0xFFFFFFFF00000000) >> n);
    uintptr_t end = (uintptr_t)s.p + n; /* no pointer: what stands before the field may be nobody's */
    return _mm256_maskz_loadu_epi8(*all, (const void *)(end - LONGEST));
}

INLINE void store_mask(uint32_t *pair, __mmask64 bits) {
    memcpy(pair, &bits, sizeof bits);
}

INLINE __mmask64 load_mask(const uint32_t *pair) {
    __mmask64 bits;
    memcpy(&bits, pair, sizeof bits);
    return bits;
}

INLINE void load_pair(batch *b, size_t i, ilk_str first, ilk_str second) {
    __m256i low = load(first, &b->all[i]), high = load(second, &b->all[i + 1]);
    __m512i text = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    store_mask(&b->points[i], _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('.')));
    store_mask(&b->minuses[i], _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('-')));
    text = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
    store_mask(&b->digits[i], _mm512_cmplt_epu8_mask(text, _mm512_set1_epi8(10)));
    b->text[i / 2] = text;
}

/* Two lanes that nobody asks for. */
INLINE void no_pair(batch *b, size_t i) {
    for (size_t lane = i; lane < i + 2; lane++)
        b->points[lane] = b->minuses[lane] = b->digits[lane] = b->all[lane] = 0;
    b->text[i / 2] = _mm512_setzero_si512();
}

/* ---- step 2: what the masks say */

INLINE __m256i load_lanes(const uint32_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

INLINE void store_lanes(uint32_t *p, __m256i v) {
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

/* Eight fields from i on; returns which are of another form. */
INLINE unsigned analyse(batch *b, size_t i) {
    const __m256i one = _mm256_set1_epi32(1);
    __m256i all = load_lanes(b->all + i), points = load_lanes(b->points + i), minuses = load_lanes(b->minuses + i);
    __m256i digits = load_lanes(b->digits + i), body = _mm256_xor_si256(all, minuses);
    __m256i first = _mm256_and_si256(all, _mm256_sub_epi32(_mm256_setzero_si256(), all));
    __m256i below = _mm256_sub_epi32(points, one);
    __m256i strange = _mm256_xor_si256(_mm256_xor_si256(points, digits), body); /* neither point, digit nor minus */
    strange = _mm256_or_si256(strange, _mm256_and_si256(points, below));        /* a second point */
    strange = _mm256_or_si256(strange, _mm256_andnot_si256(first, minuses));    /* a minus that is not the first */
    __m256i up_to = _mm256_maskz_xor_epi32(_mm256_test_epi32_mask(points, points), points, below);
    store_lanes(b->stay + i, _mm256_andnot_si256(up_to, body));
    store_lanes(b->move + i, _mm256_and_si256(up_to, _mm256_add_epi32(body, body)));
    store_lanes(b->places + i, _mm256_and_si256(_mm256_lzcnt_epi32(points), _mm256_set1_epi32(31)));
    return _mm256_test_epi32_mask(strange, strange) | _mm256_testn_epi32_mask(digits, digits);
}

/* ---- step 3: digits to whole numbers */

/* A pair's digits, those before a point moved over it, as numbers of four. */
INLINE __m512i fours(const batch *b, size_t i) {
    __m512i text = b->text[i / 2];
    __m512i before = _mm512_alignr_epi8(text, _mm512_shuffle_i64x2(text, text, _MM_SHUFFLE(2, 2, 0, 0)), 15);
    __m512i digits = _mm512_maskz_mov_epi8(load_mask(&b->stay[i]), text);
    digits = _mm512_mask_mov_epi8(digits, load_mask(&b->move[i]), before);
    return _mm512_madd_epi16(_mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A)), _mm512_set1_epi32(0x00010064));
}

/* Of two pairs: numbers of sixteen digits. */
INLINE __m512i sixteens(__m512i first, __m512i second) {
    __m512i eights = _mm512_madd_epi16(_mm512_packus_epi32(first, second), _mm512_set1_epi32(0x00012710));
    return _mm512_add_epi64(_mm512_mul_epu32(eights, _mm512_set1_epi64(100000000)), _mm512_srli_epi64(eights, 32));
}

/* Eight fields from i on; returns which have too many digits. */
INLINE unsigned convert(batch *b, size_t i) {
    __m512i x = sixteens(fours(b, i), fours(b, i + 2)), y = sixteens(fours(b, i + 4), fours(b, i + 6));
    __m512i high = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13), y);
    __m512i low = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15), y);
    __m512i m = _mm512_add_epi64(low, _mm512_mullo_epi64(high, _mm512_set1_epi64(10000000000000000)));
    _mm512_storeu_si512(b->m + i, m);
    return _mm512_cmpgt_epu64_mask(high, _mm512_set1_epi64(1843)); /* 1844 × 10^16 may pass 2^64 */
}

/* ---- step 4: times a power of ten */

/* 32 numbers of 64 bits. */
typedef struct powers {
    __m512i of[4];
} powers;

/* The leading 64 bits of 5^-q. */
INLINE powers load_powers(void) {
    const ilk_power *zero = ilk_decimal_powers();
    powers p;
    for (int i = 0; i < 4; i++)
        p.of[i] = _mm512_permutex2var_epi64(_mm512_loadu_si512(zero - 8 * i - 3),
                                            _mm512_setr_epi64(6, 4, 2, 0, 14, 12, 10, 8),
                                            _mm512_loadu_si512(zero - 8 * i - 7));
    return p;
}

INLINE __m512i power_of(const powers *p, __m512i places) {
    __m512i low = _mm512_permutex2var_epi64(p->of[0], places, p->of[1]);
    __m512i high = _mm512_permutex2var_epi64(p->of[2], places, p->of[3]);
    return _mm512_mask_mov_epi64(low, _mm512_test_epi64_mask(places, _mm512_set1_epi64(16)), high);
}

/* The upper 64 bits of a product of 128. */
INLINE __m512i multiply_high(__m512i a, __m512i b) {
    __m512i a_high = _mm512_srli_epi64(a, 32), b_high = _mm512_srli_epi64(b, 32);
    __m512i middle = _mm512_add_epi64(_mm512_mul_epu32(a, b_high), _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32));
    __m512i other =
        _mm512_add_epi64(_mm512_mul_epu32(a_high, b), _mm512_and_si512(middle, _mm512_set1_epi64(UINT32_MAX)));
    __m512i sum = _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), _mm512_srli_epi64(middle, 32));
    return _mm512_add_epi64(sum, _mm512_srli_epi64(other, 32));
}

/* The double nearest to m × 10^-places, m > 0; *doubtful tells where that is not certain. */
INLINE __m512i scale(__m512i m, __m512i places, const powers *p, unsigned *doubtful) {
    const __m512i one = _mm512_set1_epi64(1);
    __m512i shift = _mm512_lzcnt_epi64(m);
    __m512i high = multiply_high(_mm512_sllv_epi64(m, shift), power_of(p, places));
    *doubtful = _mm512_testn_epi64_mask(_mm512_add_epi64(high, one), _mm512_set1_epi64(0x1FE)); /* 9 bits all 0 or 1 */
    __m512i leading = _mm512_srli_epi64(high, 63);
    __m512i kept = _mm512_srlv_epi64(high, _mm512_add_epi64(leading, _mm512_set1_epi64(9)));
    __m512i mantissa = _mm512_srli_epi64(_mm512_add_epi64(kept, one), 1); /* 53 bits, or 2^53 */
    /* log2(10) as in core/decimal.c; one less than the exponent, because the mantissa's first bit adds to it. */
    __m512i exponent = _mm512_srai_epi64(_mm512_mul_epi32(places, _mm512_set1_epi64(-217706)), 16);
    exponent = _mm512_add_epi64(_mm512_sub_epi64(exponent, shift), _mm512_add_epi64(leading, _mm512_set1_epi64(1085)));
    return _mm512_add_epi64(_mm512_slli_epi64(exponent, 52), mantissa);
}

/* Where m and a power of ten are doubles, and so their quotient is rounded once. */
INLINE unsigned are_exact(__m512i m, __m512i places) {
    return _mm512_cmple_epu64_mask(m, _mm512_set1_epi64(INT64_C(1) << 53)) &
           _mm512_cmple_epu64_mask(places, _mm512_set1_epi64(22));
}

INLINE __m512d divide(__m512i m, __m512i places) {
    static const double ten[32] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    powers p;
    for (int i = 0; i < 4; i++)
        p.of[i] = _mm512_loadu_si512(ten + 8 * i);
    return _mm512_div_pd(_mm512_cvtepu64_pd(m), _mm512_castsi512_pd(power_of(&p, places)));
}

/* Eight numbers from i on; returns which of them are left. */
INLINE unsigned finish(double *x, size_t n, const batch *b, size_t i, const powers *p) {
    unsigned doubtful;
    __m512i m = _mm512_loadu_si512(b->m + i), places = _mm512_cvtepu32_epi64(load_lanes(b->places + i));
    __m512d value = _mm512_castsi512_pd(scale(m, places, p, &doubtful));
    unsigned exact = doubtful ? doubtful & are_exact(m, places) : 0;
    if (exact)
        value = _mm512_mask_mov_pd(value, (__mmask8)exact, divide(m, places));
    doubtful &= ~exact;
    __m256i minuses = load_lanes(b->minuses + i);
    value = _mm512_mask_xor_pd(value, _mm256_test_epi32_mask(minuses, minuses), value, _mm512_set1_pd(-0.0));
    if (n - i >= LANES)
        _mm512_storeu_pd(x + i, value);
    else
        _mm512_mask_storeu_pd(x + i, (__mmask8)((1u << (n - i)) - 1), value);
    return doubtful;
}

/* Up to MOST of them. */
INLINE size_t read_batch(double *x, const ilk_str *field, const size_t *at, size_t n, const powers *p) {
    uint64_t left = 0;
    size_t i = 0;
    ILK_UNCLEARED batch b;
    for (; i + 2 <= n; i += 2)
        load_pair(&b, i, field[at[i]], field[at[i + 1]]);
    if (i < n)
        load_pair(&b, i, field[at[i]], (ilk_str){field[at[i]].p, 0});
    for (i += 2 * (n % 2); i % LANES; i += 2)
        no_pair(&b, i);
    for (i = 0; i < n; i += LANES)
        left |= (uint64_t)analyse(&b, i) << i;
    for (i = 0; i < n; i += LANES)
        left |= (uint64_t)convert(&b, i) << i;
    for (i = 0; i < n; i += LANES)
        left |= (uint64_t)finish(x, n, &b, i, p) << i;
    if (n < MOST)
        left &= (UINT64_C(1) << n) - 1;
    for (; left; left &= left - 1) {
        i = (size_t)__builtin_ctzll(left);
        if (!ilk_number_parse(&x[i], field[at[i]]) || isinf(x[i]))
            return i;
    }
    return n;
}

VECTOR size_t ilk_numbers_avx512(double *x, const ilk_str *field, const size_t *at, size_t n) {
    const powers p = load_powers();
    for (size_t i = 0; i < n; i += MOST) {
        size_t some = n - i < MOST ? n - i : MOST, read = read_batch(x + i, field, at + i, some, &p);
        if (read < some)
            return i + read;
    }
    return n;
}
#endif
