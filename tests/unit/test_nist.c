/* SPDX-License-Identifier: Apache-2.0 */
/* NIST StRD, univariate summary statistics: correct digits of mean and standard deviation (divisor n - 1), however the
 * rows come: in one batch, one by one, or merged from shards; in a column of its own and in a full covariance.
 *
 * The input is rounded to doubles before we see it: 1000000.2 is off by 4e-11 relative to the deviation of .1, which
 * leaves NumAcc3 9.46 digits and NumAcc4 8.25, which round to the 9.5 and 8.3 that others report. The textbook formula
 * leaves 1.1 and none. */
#include "fixtures.h"

enum { MOST = 1001, SETS = 8 };

typedef struct set {
    const char *name;
    double mean, sd;               /* certified */
    double mean_digits, sd_digits; /* at least */
    size_t n;
    double x[MOST];
} set;

/* Centre, then 500 times one tenth below and one tenth above. */
static void fill(set *s, const char *name, double centre, double below, double above, double sd_digits) {
    *s = (set){name, centre, 0.1, 15, sd_digits, MOST, {centre}};
    for (size_t i = 1; i < MOST; i++)
        s->x[i] = i % 2 ? below : above;
}

/* Michelson's hundred measurements of the speed of light (Stigler 1977), in units of .001 above 299. */
static const int michelson[] = {
    850, 740, 900, 1070, 930, 850, 950, 980, 980, 880, 1000, 980, 930, 650, 760, 810, 1000, 1000, 960, 960,
    960, 940, 960, 940,  880, 800, 850, 880, 900, 840, 830,  790, 810, 880, 880, 830, 800,  790,  760, 800,
    880, 880, 880, 860,  720, 720, 620, 860, 970, 950, 880,  910, 850, 870, 840, 840, 850,  840,  840, 840,
    890, 810, 810, 820,  800, 770, 760, 740, 750, 760, 910,  920, 890, 860, 880, 720, 840,  850,  850, 780,
    890, 840, 780, 810,  760, 810, 790, 810, 820, 850, 870,  870, 810, 740, 810, 940, 950,  800,  810, 870,
};

/* Draws of New Jersey's pick-3 lottery, 1975-76. */
static const int lottery[] = {
    162, 671, 933, 414, 788, 730, 817, 33,  536, 875, 670, 236, 473, 167, 877, 980, 316, 950, 456, 92,  517, 557,
    956, 954, 104, 178, 794, 278, 147, 773, 437, 435, 502, 610, 582, 780, 689, 562, 964, 791, 28,  97,  848, 281,
    858, 538, 660, 972, 671, 613, 867, 448, 738, 966, 139, 636, 847, 659, 754, 243, 122, 455, 195, 968, 793, 59,
    730, 361, 574, 522, 97,  762, 431, 158, 429, 414, 22,  629, 788, 999, 187, 215, 810, 782, 47,  34,  108, 986,
    25,  644, 829, 630, 315, 567, 919, 331, 207, 412, 242, 607, 668, 944, 749, 168, 864, 442, 533, 805, 372, 63,
    458, 777, 416, 340, 436, 140, 919, 350, 510, 572, 905, 900, 85,  389, 473, 758, 444, 169, 625, 692, 140, 897,
    672, 288, 312, 860, 724, 226, 884, 508, 976, 741, 476, 417, 831, 15,  318, 432, 241, 114, 799, 955, 833, 358,
    935, 146, 630, 830, 440, 642, 356, 373, 271, 715, 367, 393, 190, 669, 8,   861, 108, 795, 269, 590, 326, 866,
    64,  523, 862, 840, 219, 382, 998, 4,   628, 305, 747, 247, 34,  747, 729, 645, 856, 974, 24,  568, 24,  694,
    608, 480, 410, 729, 947, 293, 53,  930, 223, 203, 677, 227, 62,  455, 387, 318, 562, 242, 428, 968,
};

/* H. S. Lew's deflections of a beam. */
static const int lew[] = {
    -213, -564, -35,  -15,  141,  115,  -420, -360, 203,  -338, -431, 194,  -220, -513, 154,  -125, -559, 92,   -21,
    -579, -52,  99,   -543, -175, 162,  -457, -346, 204,  -300, -474, 164,  -107, -572, -8,   83,   -541, -224, 180,
    -420, -374, 201,  -236, -531, 83,   27,   -564, -112, 131,  -507, -254, 199,  -311, -495, 143,  -46,  -579, -90,
    136,  -472, -338, 202,  -287, -477, 169,  -124, -568, 17,   48,   -568, -135, 162,  -430, -422, 172,  -74,  -577,
    -13,  92,   -534, -243, 194,  -355, -465, 156,  -81,  -578, -64,  139,  -449, -384, 193,  -198, -538, 110,  -44,
    -577, -6,   66,   -552, -164, 161,  -460, -344, 205,  -281, -504, 134,  -28,  -576, -118, 156,  -437, -381, 200,
    -220, -540, 83,   11,   -568, -160, 172,  -414, -408, 188,  -125, -572, -32,  139,  -492, -321, 205,  -262, -504,
    142,  -83,  -574, 0,    48,   -571, -106, 137,  -501, -266, 190,  -391, -406, 194,  -186, -553, 83,   -13,  -577,
    -49,  103,  -515, -280, 201,  300,  -506, 131,  -45,  -578, -80,  138,  -462, -361, 201,  -211, -554, 32,   74,
    -533, -235, 187,  -372, -442, 182,  -147, -566, 25,   68,   -535, -244, 194,  -351, -463, 174,  -125, -570, 15,
    72,   -550, -190, 172,  -424, -385, 198,  -218, -536, 96,
};

/* R. Mavrodineaunu's transmittances of a filter, in units of .00001 above 2. */
static const int mavro[] = {
    180, 170, 180, 190, 180, 170, 150, 140, 150, 150, 170, 180, 180, 190, 190, 210, 200,
    160, 140, 130, 130, 150, 150, 160, 150, 140, 130, 140, 150, 140, 150, 160, 150, 160,
    190, 200, 200, 210, 220, 230, 240, 250, 270, 260, 260, 260, 270, 260, 250, 240,
};

static set *sets(void) {
    set *all = make(SETS, sizeof *all);
    all[0] = (set){"NumAcc1", 10000002, 1, 15, 15, 3, {10000001, 10000003, 10000002}};
    fill(&all[1], "NumAcc2", 1.2, 1.1, 1.3, 14);
    fill(&all[2], "NumAcc3", 1000000.2, 1000000.1, 1000000.3, 9.45);
    fill(&all[3], "NumAcc4", 10000000.2, 10000000.1, 10000000.3, 8.25);
    all[4] = (set){"Michelso", 299.8524, 0.0790105478190518, 15, 12, 100, {0}};
    for (size_t i = 0; i < 100; i++)
        all[4].x[i] = (299000 + michelson[i]) / 1000.0;
    all[5] = (set){"Lottery", 518.958715596330, 291.699727470969, 14, 14, sizeof lottery / sizeof *lottery, {0}};
    for (size_t i = 0; i < all[5].n; i++)
        all[5].x[i] = lottery[i];
    all[6] = (set){"Lew", -177.435, 277.332168044316, 15, 14, sizeof lew / sizeof *lew, {0}};
    for (size_t i = 0; i < all[6].n; i++)
        all[6].x[i] = lew[i];
    all[7] = (set){"Mavro", 2.001856, 0.000429123454003053, 15, 12, sizeof mavro / sizeof *mavro, {0}};
    for (size_t i = 0; i < all[7].n; i++)
        all[7].x[i] = (200000 + mavro[i]) / 100000.0;
    return all;
}

/* How many digits of `x` are those of `truth`: 15 where all are. */
static double digits(double x, double truth) {
    double off = fabs(x - truth) / fabs(truth);
    return off > 1e-15 ? -log10(off) : 15;
}

static ilk_stats *new_stats(const char *family) {
    ilk_stats *s = stats_of(strcmp(family, "qda") == 0 ? "y x:qda" : "y x:gaussian", NULL);
    uint32_t id;
    assert_ok(ilk_stats_class(&id, s, str("a"), &failure));
    assert_ok(ilk_stats_class(&id, s, str("b"), &failure));
    return s;
}

static void add(ilk_stats *s, const double *x, size_t n) {
    uint32_t label[MOST] = {0};
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = n, .real = x, .label = label}, &failure));
}

/* Rows per call; 0: in seven shards, merged. */
static ilk_stats *learn(const char *family, const set *t, size_t at_once) {
    ilk_stats *s = new_stats(family);
    size_t step = at_once ? at_once : (t->n + 6) / 7;
    for (size_t i = 0; i < t->n; i += step) {
        size_t n = t->n - i < step ? t->n - i : step;
        if (at_once) {
            add(s, t->x + i, n);
            continue;
        }
        ilk_stats *shard = new_stats(family);
        add(shard, t->x + i, n);
        assert_ok(ilk_stats_merge(s, shard, &failure));
        ilk_stats_free(shard);
    }
    uint32_t b[2] = {1, 1};
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = 2, .real = (double[]){0, 1}, .label = b}, &failure));
    return s;
}

static void check(const char *family, size_t at_once) {
    set *all = sets();
    ilk_options o = options_of(1);
    o.divisor = ILK_DIVISOR_N_MINUS_1;
    o.floor = 0;
    for (size_t i = 0; i < SETS; i++) {
        ilk_stats *s = learn(family, &all[i], at_once);
        ilk_model *m = estimated(s, &o);
        bool full = strcmp(family, "qda") == 0;
        double mean = digits(fact(m, "mu", "x", "", "a").value, all[i].mean);
        double sd = digits(sqrt(fact(m, full ? "Sigma" : "variance", "x", full ? "x" : "", "a").value), all[i].sd);
        printf("# %s, %s, %zu at once: %.2f digits of the mean, %.2f of the deviation\n", all[i].name, family, at_once,
               mean, sd);
        if (mean < all[i].mean_digits || sd < all[i].sd_digits)
            fail_msg("%s, %s, %zu at once: %.2f digits of the mean, %.2f of the deviation", all[i].name, family,
                     at_once, mean, sd);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
    free(all);
}

static void nist__in_one_batch(void **state) {
    (void)state;
    check("gaussian", MOST);
    check("qda", MOST);
}

static void nist__one_by_one(void **state) {
    (void)state;
    check("gaussian", 1);
    check("qda", 1);
}

static void nist__merged_from_shards(void **state) {
    (void)state;
    check("gaussian", 0);
    check("qda", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nist__in_one_batch),
        cmocka_unit_test(nist__one_by_one),
        cmocka_unit_test(nist__merged_from_shards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
