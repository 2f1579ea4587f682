/* SPDX-License-Identifier: Apache-2.0 */
/* test_flips.c - every bit of small model files flipped, every truncation: an error or the same answers. With the
 * checksums made right again, so that the checks of values are what stands between: no crash, and no NaN. */
#include "fixtures.h"
#include "hostile.h"

#include "core/file.h"
#include "core/wire.h"
#include "model/image.h"
#include "model/stats.h"

#include <sys/resource.h>

static const struct subject {
    const char *columns, *rows;
    double smooth;
    ilk_unseen unseen;
    bool pooled; /* the first block has one scatter for all classes */
} subjects[] = {
    {"x:gda y:gda c:categorical t:multinomial k",
     "1,2,u,a b,p\n2,1,v,b,p\n0,4,u,a,p\n4,4,u,a a,q\n3,0,,c,q\n5,1,v,b,q\n", 1, ILK_UNSEEN_IGNORE, false},
    {"x:qda a:gaussian y:qda s:gaussian-shared k", "1,2,5,1,p\n2,1,3,0,p\n3,5,4,2,p\n4,4,2,9,q\n6,0,0,4,q\n9,7,4,5,q\n",
     1, ILK_UNSEEN_ERROR, false},
    {"c:categorical d:categorical t:multinomial k", "u,w,a b,1\nv,w,b,2\nu,v,a a,10\nu,,,1\n", 0, ILK_UNSEEN_UNKNOWN,
     false},
    {"c:table d:table t:bernoulli x:poisson k", "u,w,a b,1,p\nv,w,b,2,q\nu,v,a a,0,q\nu,,,3,p\n", 0.5,
     ILK_UNSEEN_UNKNOWN, false},
    {"t:complement u:bernoulli k", "a b,u,p\nb,v,q\nc a,,p\n", 1, ILK_UNSEEN_IGNORE, false},
    {"a:categorical/bins@2,4 x:gaussian/boxcox@0.5 z:gaussian/yeo-johnson@-1 k",
     "1,2,-3,p\n3,1,0,p\n2,5,4,q\n,4,2,q\n9,3,1,q\n", 1, ILK_UNSEEN_IGNORE, false},
    {"x:gda y:gda k", "1,2,p\n2,1,p\n0,4,p\n4,4,q\n3,0,q\n5,1,r\n7,3,r\n", 1, ILK_UNSEEN_IGNORE, true},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* Every bit, but under ThreadSanitizer, which makes this long and has nothing to find: there one in 13. */
#ifdef __SANITIZE_THREAD__
enum { STEP = 13 };
#else
enum { STEP = 1 };
#endif

static const char *const known[] = {"u", "v", "w", "a", "b", "c"};
enum { KNOWN = sizeof known / sizeof *known };

static bytes file_of(const struct subject *s) {
    ilk_options o = options_of(s->smooth);
    o.unseen = s->unseen;
    ilk_stats *stats = stats_of(s->columns, NULL);
    table t = table_of(s->rows);
    if (s->pooled)
        stats->store[0].moments.limit = 0;
    assert_ok(try_learn(stats, &t, false));
    table_free(&t);
    ilk_model *m = estimated(stats, &o);
    bytes b = saved(m, stats);
    ilk_model_free(m);
    ilk_stats_free(stats);
    assert_in_range(b.n, 500, 4096);
    return b;
}

/* What a file says of the subject's own rows, and the file of its statistics. */
typedef struct answers {
    double log_joint[32];
    bytes again;
} answers;

static bool answers_of(answers *out, const bytes *b, const struct subject *s) {
    ilk_model *m;
    ilk_stats *stats;
    memset(out, 0, sizeof *out);
    if (ilk_model_read(&m, b->p, b->n, &failure) != ILK_OK) {
        assert_int_equal(failure.status, ILK_EFORMAT);
        assert_null(m);
        return false;
    }
    table t = table_of(s->rows);
    double *p = log_joints(m, &t);
    memcpy(out->log_joint, p, t.n * ilk_model_classes(m) * sizeof *p);
    free(p);
    table_free(&t);
    if (ilk_model_stats(&stats, m, &failure) == ILK_OK) {
        out->again = saved(m, stats);
        ilk_stats_free(stats);
    } else {
        assert_int_equal(failure.status, ILK_EFORMAT);
        assert_null(stats);
    }
    ilk_model_free(m);
    return true;
}

static void flip(bytes *b, size_t bit) {
    b->p[bit / 8] ^= (unsigned char)(1 << bit % 8);
}

static void flip_of_any_bit__is_an_error(void **state) {
    (void)state;
    for (size_t at = 0; at < SUBJECTS; at++) {
        bytes b = file_of(&subjects[at]);
        answers truth, got;
        size_t refused = 0, late = 0;
        assert_true(answers_of(&truth, &b, &subjects[at]));
        assert_same_bytes(truth.again, b);
        for (size_t bit = 0; bit < 8 * b.n; bit += STEP) {
            flip(&b, bit);
            bool answered = answers_of(&got, &b, &subjects[at]);
            flip(&b, bit);
            if (answered)
                assert_memory_equal(got.log_joint, truth.log_joint, sizeof truth.log_joint);
            if (got.again.p)
                fail_msg("model %zu: bit %zu of byte %zu may be anything", at, bit % 8, bit / 8);
            refused += !answered;
            late += answered;
        }
        printf("# %zu bytes: %zu bits refused, %zu refused with the statistics\n", b.n, refused, late);
        assert_true(STEP * refused > 4 * b.n && STEP * late > b.n); /* both happen */
        free(truth.again.p);
        free(b.p);
    }
}

static void truncation_of_any_length__is_an_error(void **state) {
    (void)state;
    for (size_t at = 0; at < SUBJECTS; at++) {
        bytes b = file_of(&subjects[at]);
        ilk_model *m;
        for (size_t n = 0; n < b.n; n++) {
            unsigned char *exact = malloc(n + (n == 0)); /* so that a read beyond its end is seen */
            assert_non_null(exact);
            memcpy(exact, b.p, n);
            assert_fails(ILK_EFORMAT, "", ilk_model_read(&m, exact, n, &failure));
            assert_null(m);
            if (n >= 24) { /* and when the header owns up to the length */
                uint64_t size = n;
                memcpy(exact + 16, &size, sizeof size);
                hostile_repair(exact, n);
                if (ilk_model_read(&m, exact, n, NULL) == ILK_OK)
                    assert_true(hostile_exercise(m, known, KNOWN));
                ilk_model_free(m);
            }
            free(exact);
        }
        unsigned char *longer = make(b.n + 64, 1);
        memcpy(longer, b.p, b.n);
        assert_fails(ILK_EFORMAT, "are here", ilk_model_read(&m, longer, b.n + 1, &failure));
        uint64_t size = b.n + 1;
        memcpy(longer + 16, &size, sizeof size);
        hostile_repair(longer, b.n + 1);
        assert_fails(ILK_EFORMAT, "bytes behind its last section", ilk_model_read(&m, longer, b.n + 1, &failure));
        size--;
        memcpy(longer + 16, &size, sizeof size);
        longer[40] = 1; /* reserved */
        hostile_repair(longer, b.n);
        assert_fails(ILK_EFORMAT, "header is damaged", ilk_model_read(&m, longer, b.n, &failure));
        free(longer);
        free(b.p);
    }
}

/* One bit, and all checksums right: only the checks of values are left. */
static void flip_with_checksums_repaired__does_no_harm(void **state) {
    (void)state;
    for (size_t at = 0; at < SUBJECTS; at++) {
        bytes good = file_of(&subjects[at]), b = {.n = good.n, .p = malloc(good.n)};
        size_t opened = 0;
        assert_non_null(b.p);
        for (size_t bit = 0; bit < 8 * b.n; bit += STEP) {
            ilk_model *m;
            memcpy(b.p, good.p, good.n);
            flip(&b, bit);
            hostile_repair(b.p, b.n);
            if (ilk_model_read(&m, b.p, b.n, NULL) == ILK_OK) {
                opened++;
                if (!hostile_exercise(m, known, KNOWN))
                    fail_msg("model %zu, bit %zu of byte %zu", at, bit % 8, bit / 8);
            }
            ilk_model_free(m);
        }
        printf("# %zu bytes: %zu of the flips open\n", b.n, opened);
        assert_in_range(STEP * opened, b.n, 8 * b.n - b.n);
        free(b.p);
        free(good.p);
    }
}

/* Several bytes at once, chosen so that values run wild: extremes of integers and doubles. */
static void wild_values_with_checksums_repaired__do_no_harm(void **state) {
    (void)state;
    static const double numbers[] = {0,   -0.0,     1,         -1,     0.5,    1e308, -1e308, 1e-320,
                                     NAN, INFINITY, -INFINITY, 0x1p53, 0x1p54, -745,  2};
    static const uint32_t words[] = {0, 1, 2, 3, 4, 8, 20, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
    rng r = rng_new(111);
    for (size_t at = 0; at < SUBJECTS; at++) {
        bytes good = file_of(&subjects[at]), b = {.n = good.n, .p = malloc(good.n)};
        assert_non_null(b.p);
        for (int times = 0; times < 20000 / STEP; times++) {
            ilk_model *m;
            memcpy(b.p, good.p, good.n);
            for (size_t i = 1 + rng_below(&r, 3); i > 0; i--) {
                size_t where = rng_below(&r, b.n / 4 - 1) * 4;
                if (rng_below(&r, 2))
                    memcpy(b.p + where, &numbers[rng_below(&r, sizeof numbers / sizeof *numbers)], 8);
                else
                    memcpy(b.p + where, &words[rng_below(&r, sizeof words / sizeof *words)], 4);
            }
            hostile_repair(b.p, b.n);
            uint64_t state_before = r.state;
            if (ilk_model_read(&m, b.p, b.n, NULL) == ILK_OK && !hostile_exercise(m, known, KNOWN))
                fail_msg("model %zu, before state %llu", at, (unsigned long long)state_before);
            ilk_model_free(m);
        }
        free(b.p);
        free(good.p);
    }
}

/* Statistics alone: one class, and priors that were given to it and to one that is elsewhere. */
static bytes alone_of(const char *columns, const char *rows) {
    ilk_given given[] = {{str("p"), 0.25}, {str("r"), 0.5}};
    ilk_options o = options_of(0.5);
    o.prior = ILK_PRIOR_GIVEN;
    o.given = given;
    o.givens = 2;
    ilk_stats *s = learnt(columns, rows);
    assert_ok(ilk_stats_save(s, &o, temp_path("alone.bayes"), &failure));
    ilk_stats_free(s);
    return read_file(temp_path("alone.bayes"));
}

/* What opens can be doubled, saved and opened again. */
static void exercise_alone(ilk_stats *s) {
    ilk_stats *again;
    double rows = ilk_stats_rows(s);
    if (ilk_stats_merge(s, s, NULL) != ILK_OK)
        return;
    assert_true(ilk_stats_rows(s) == 2 * rows);
    assert_ok(ilk_stats_save(s, NULL, temp_path("again.bayes"), &failure));
    assert_ok(ilk_stats_open(&again, temp_path("again.bayes"), &failure));
    assert_true(ilk_stats_rows(again) == 2 * rows);
    ilk_stats_free(again);
}

static void flips_of_statistics_alone__are_errors_or_do_no_harm(void **state) {
    (void)state;
    static const char *const alone[][2] = {
        {"x:gda y:gda c:categorical t:multinomial k", "1,2,u,a b,p\n2,1,v,b,p\n"},
        {"c:table d:table t:bernoulli x:poisson k", "u,w,a b,1,p\nu,,,3,p\n"},
    };
    for (size_t at = 0; at < 2; at++) {
        bytes good = alone_of(alone[at][0], alone[at][1]), b = {.n = good.n, .p = malloc(good.n)};
        size_t opened = 0;
        assert_non_null(b.p);
        for (size_t bit = 0; bit < 8 * b.n; bit += STEP) {
            ilk_stats *s;
            memcpy(b.p, good.p, good.n);
            flip(&b, bit);
            assert_fails(ILK_EFORMAT, "", ilk_stats_read(&s, b.p, b.n, &failure));
            assert_null(s);
            hostile_repair(b.p, b.n);
            if (ilk_stats_read(&s, b.p, b.n, NULL) == ILK_OK) {
                opened++;
                exercise_alone(s);
            }
            ilk_stats_free(s);
        }
        for (size_t n = 0; n < b.n; n++) {
            ilk_stats *s;
            assert_fails(ILK_EFORMAT, "", ilk_stats_read(&s, good.p, n, &failure));
        }
        printf("# %zu bytes: %zu of the flips open\n", b.n, opened);
        assert_in_range(STEP * opened, b.n, 8 * b.n - b.n);
        free(b.p);
        free(good.p);
    }
}

static void moments_of_more_rows_than_there_are__are_refused(void **state) {
    (void)state;
    for (int more = 0; more <= 1; more++) {
        ilk_stats *s = learnt("x:gaussian y", "1,a\n2,a\n4,b\n5,b\n"), *out;
        ilk_model *m = estimated(s, NULL), *opened;
        bytes b = saved(m, s);
        ilk_image image;
        unsigned char *aligned = aligned_alloc(64, (b.n + 63) / 64 * 64);
        assert_non_null(aligned);
        memcpy(aligned, b.p, b.n);
        assert_ok(ilk_image_open(&image, aligned, b.n, &failure));
        for (size_t i = 0; i < image.n; i++)
            if (image.section[i].type == ILK_SECTION_MOMENTS) /* exponent | n | … */
                memcpy(b.p + ((const unsigned char *)image.section[i].p - aligned) + 8, &(double){2 + more}, 8);
        hostile_repair(b.p, b.n);
        assert_ok(ilk_model_read(&opened, b.p, b.n, &failure));
        if (more)
            assert_fails(ILK_EFORMAT, "moments of more rows", ilk_model_stats(&out, opened, &failure));
        else
            assert_ok(ilk_model_stats(&out, opened, &failure));
        ilk_stats_free(out);
        ilk_image_close(&image);
        free(aligned);
        free(b.p);
        ilk_model_free(m);
        ilk_model_free(opened);
        ilk_stats_free(s);
    }
}

/* A small file that claims 100,000 classes: the statistics of so many would take 2 GB. */
static void classes_that_the_file_cannot_hold__take_no_memory(void **state) {
    (void)state;
    enum { D = 50, CLASSES = 100000 };
    char columns[D * 8 + 8] = "", row[D * 8 + 8], name[16];
    for (size_t j = 0, n = 0; j <= D; j++)
        n += (size_t)snprintf(columns + n, sizeof columns - n, j < D ? "x%zu:gda " : "y", j);
    ilk_stats *s = stats_of(columns, NULL), *out;
    rng r = {7};
    for (int i = 0; i < 3 * D; i++) {
        for (size_t j = 0, n = 0; j <= D; j++)
            n += (size_t)snprintf(row + n, sizeof row - n, j < D ? "%d," : "%d\n", (int)rng_below(&r, j < D ? 999 : 2));
        table t = table_of(row);
        assert_ok(try_learn(s, &t, false));
        table_free(&t);
    }
    ilk_model *m = estimated(s, NULL), *opened;
    bytes b = saved(m, s);
    ilk_image image;
    ilk_section section[16];
    ilk_buffer classes = {0}, head = {0};
    ilk_str pieces[33];
    unsigned char *aligned = aligned_alloc(64, (b.n + 63) / 64 * 64);
    assert_non_null(aligned);
    memcpy(aligned, b.p, b.n);
    assert_ok(ilk_image_open(&image, aligned, b.n, &failure));
    assert_int_equal(ilk_put_u32(&classes, 0), ILK_OK); /* whole weights */
    assert_int_equal(ilk_put_u32(&classes, CLASSES), ILK_OK);
    for (int k = 0; k < CLASSES; k++) {
        snprintf(name, sizeof name, "%d", k);
        assert_int_equal(ilk_put_str(&classes, str(name)), ILK_OK);
        assert_int_equal(ilk_put_f64(&classes, 1), ILK_OK);
    }
    for (size_t i = 0; i < image.n; i++) {
        section[i] = image.section[i];
        if (section[i].type == ILK_SECTION_STATS)
            section[i] = (ilk_section){.type = ILK_SECTION_STATS, .p = classes.p, .n = classes.n};
    }
    assert_int_equal(ilk_image_pieces(pieces, &head, section, image.n), ILK_OK);
    assert_ok(ilk_file_write(temp_path("many.bayes"), pieces, 2 * image.n + 1, &failure));
    assert_ok(ilk_model_open(&opened, temp_path("many.bayes"), &failure));
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    assert_fails(ILK_EFORMAT, "more classes than it has room for", ilk_model_stats(&out, opened, &failure));
    getrusage(RUSAGE_SELF, &after);
    assert_null(out);
    assert_true(after.ru_maxrss - before.ru_maxrss < 100000); /* KB */
    ilk_image_close(&image);
    ilk_buffer_free(&classes);
    ilk_buffer_free(&head);
    free(aligned);
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_stats_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flip_of_any_bit__is_an_error),
        cmocka_unit_test(truncation_of_any_length__is_an_error),
        cmocka_unit_test(flip_with_checksums_repaired__does_no_harm),
        cmocka_unit_test(wild_values_with_checksums_repaired__do_no_harm),
        cmocka_unit_test(flips_of_statistics_alone__are_errors_or_do_no_harm),
        cmocka_unit_test(moments_of_more_rows_than_there_are__are_refused),
        cmocka_unit_test(classes_that_the_file_cannot_hold__take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
