/* SPDX-License-Identifier: Apache-2.0 */
/* test_pooled_file.c - one scatter for all classes in files, in notes, and without memory. */
#include "core/fault.h"
#include "hostile.h"
#include "model/image.h"
#include "pooled.h"

#include <unistd.h>

/* ---- notes */

static void count_note(void *ctx, const char *note) {
    *(size_t *)ctx += strstr(note, "column x1 never varies") != NULL;
}

static void notes__know_a_column_that_never_varies(void **state) {
    (void)state;
    rng r = rng_new(94);
    for (size_t varies = 0; varies < 3; varies++) { /* never, among the classes, within them */
        sample s = draw(&r, N, PLAIN);
        for (size_t i = 0; varies < 2 && i < N; i++)
            s.x[i * D + 1] = varies ? s.label[i] : 5;
        ilk_stats *pooled = learn_some(0, &s, 0, N);
        size_t notes = 0;
        ilk_stats_notes(pooled, count_note, &notes);
        assert_int_equal(notes, varies == 0);
        if (varies == 0)
            assert_same_model(pooled, pooled, &s, 0); /* it is left out, and nothing is singular */
        ilk_stats_free(pooled);
        sample_free(&s);
    }
}

/* ---- files */

static void file__of_pooled_statistics_is_theirs_again(void **state) {
    (void)state;
    rng r = rng_new(95);
    for (size_t big = 0; big < 2; big++) {
        sample s = draw(&r, N, UNITS);
        ilk_stats *made = learn_some(big ? K : 0, &s, 0, N), *again;
        bytes b = stats_file(made);
        ilk_model *m;
        assert_ok(ilk_model_read(&m, b.p, b.n, &failure));
        assert_ok(ilk_model_stats(&again, m, &failure));
        assert_int_equal(store_of(again)->pooled, !big);
        assert_true(store_of(again)->limit == ILK_MOST_SCATTERS);
        assert_same_stats(made, again);
        ilk_stats_free(again);
        assert_ok(ilk_stats_save(made, NULL, temp_path("alone.bayes"), &failure)); /* and without a model */
        assert_ok(ilk_stats_open(&again, temp_path("alone.bayes"), &failure));
        assert_int_equal(store_of(again)->pooled, !big);
        assert_same_stats(made, again);
        add(made, &s, 0, 50);
        for (size_t i = 0; i < 50; i++) { /* its classes are sorted, as they were */
            ilk_rows rows = rows_of(&s, i, 1);
            assert_string_equal(text_of(ilk_model_class_name(m, s.label[i])), name_of(s.label[i]));
            assert_ok(ilk_stats_add(again, &rows, &failure));
        }
        assert_same_model(made, again, &s, 1e-9);
        ilk_model_free(m);
        ilk_stats_free(made);
        ilk_stats_free(again);
        free(b.p);
        sample_free(&s);
    }
}

typedef struct lie {
    size_t at; /* a number of: exponents, K records of n and means, peaks, scatter */
    double x;
    bool fits;
} lie;

static ilk_status told(bytes *b, unsigned char *at, double x) {
    double before;
    ilk_model *m;
    ilk_stats *s = NULL;
    memcpy(&before, at, sizeof before);
    memcpy(at, &x, sizeof x);
    hostile_repair(b->p, b->n);
    assert_ok(ilk_model_read(&m, b->p, b->n, &failure));
    ilk_status status = ilk_model_stats(&s, m, &failure);
    ilk_stats_free(s);
    ilk_model_free(m);
    memcpy(at, &before, sizeof before);
    return status;
}

/* The last section, whose size stands in the last entry of the table. */
static unsigned char *moments_in(const bytes *b, uint64_t *size, unsigned char **entry) {
    uint32_t sections, type;
    uint64_t offset;
    memcpy(&sections, b->p + 12, sizeof sections);
    *entry = b->p + HOSTILE_HEADER + (sections - 1) * HOSTILE_ENTRY;
    memcpy(&type, *entry, sizeof type);
    memcpy(&offset, *entry + 8, sizeof offset);
    memcpy(size, *entry + 16, sizeof *size);
    assert_int_equal(type, ILK_SECTION_MOMENTS);
    return b->p + offset;
}

/* Of one row, or one value, rounding may leave a scatter on either side of 0. */
static void file__of_any_weights_can_be_read(void **state) {
    (void)state;
    rng r = rng_new(96);
    for (size_t run = 0; run < 400; run++) {
        sample s = draw(&r, 4 * K, WEIGHTS);
        for (size_t i = 0; i < s.n; i++)
            s.x[i * D + run % D] = s.x[s.label[i] * D + run % D]; /* constant in its class */
        ilk_stats *made = learn_some(run % 2 ? 0 : K, &s, 0, run % 3 ? s.n : K), *again;
        assert_ok(ilk_stats_save(made, NULL, temp_path("weighed.bayes"), &failure));
        assert_ok(ilk_stats_open(&again, temp_path("weighed.bayes"), &failure));
        ilk_stats_free(made);
        ilk_stats_free(again);
        sample_free(&s);
    }
}

/* A scatter per class cannot be had of them, and a file that says so could not be read. */
static void pooled_statistics__are_not_saved_as_qda(void **state) {
    (void)state;
    rng r = rng_new(97);
    sample s = draw(&r, N, PLAIN);
    ilk_stats *apart = learn_some(K, &s, 0, N), *pooled = learn_some(0, &s, 0, N);
    ilk_options o = options_of(1);
    o.real_family = "qda";
    ilk_model *qda = estimated(apart, &o);
    assert_fails(ILK_EARG, "a scatter per class", ilk_stats_save(pooled, &o, temp_path("no.bayes"), &failure));
    assert_fails(ILK_EARG, "a scatter per class", ilk_model_save(qda, pooled, temp_path("no.bayes"), &failure));
    assert_int_equal(access(temp_path("no.bayes"), F_OK), -1);
    assert_ok(ilk_stats_save(apart, &o, temp_path("yes.bayes"), &failure));
    assert_ok(ilk_model_save(qda, apart, temp_path("yes.bayes"), &failure));
    ilk_model_free(qda);
    ilk_stats_free(apart);
    ilk_stats_free(pooled);
    sample_free(&s);
}

static void file__of_what_no_rows_give_is_refused(void **state) {
    (void)state;
    enum { RECORDS = D, PEAK = RECORDS + K * (1 + D), S = PEAK + D, END = S + D * D };
    static const lie lies[] = {
        {0, 1, false},
        {RECORDS, NAN, false},
        {RECORDS, -1, false},
        {RECORDS, 0, false}, /* no rows have no mean */
        {RECORDS, 1e6, false},
        {RECORDS + 1, 0x1p481, false},
        {RECORDS + K * (1 + D) - 1, INFINITY, false},
        {PEAK, -1, false},
        {PEAK + D - 1, NAN, false},
        {PEAK, 0x1p1014, true},
        {PEAK, 0x1p1015, false},
        {S, -1, false},
        {S, 0, false}, /* a column that does not vary varies with no other */
        {S, 1e300, false},
        {S + D, 1e6, false}, /* more than Cauchy and Schwarz allow */
        {S + D, -1e6, false},
        {S + D, 0, true},
        {END - 1, NAN, false},
        {END - 1, -1, false},
    };
    rng r = rng_new(96);
    sample s = draw(&r, N, PLAIN);
    ilk_stats *pooled = learn_some(0, &s, 0, N);
    bytes b = stats_file(pooled);
    uint64_t size;
    unsigned char *entry, *at = moments_in(&b, &size, &entry);
    assert_int_equal(size, END * 8);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        ilk_status status = told(&b, at + lies[i].at * 8, lies[i].x);
        if (status != (lies[i].fits ? ILK_OK : ILK_EFORMAT))
            fail_msg("lie %zu: %s", i, ilk_status_name(status));
    }
    free(b.p);
    ilk_stats_free(pooled);
    sample_free(&s);
}

/* Two classes, two columns, of scatters 4 and 9: what rounding may have added to their product is relative to the sums of
 * squares, over both classes. n | mean[2] of each, then peak[2] | S[4]. */
static void valid__are_sums_over_all_classes(void **state) {
    (void)state;
    static const struct {
        double a[3], b[3], S, product;
        bool fits;
    } cases[] = {
        {{5, 1e6, 0}, {5, -1e6, 0}, 4, 6.008, true},
        {{5, 1e6, 0}, {5, -1e6, 0}, 4, 6.011, false},
        {{5, 1e6, 0}, {5, 0, 0}, 4, 6.006, true},
        {{5, 1e6, 0}, {5, 0, 0}, 4, 6.008, false},
        {{5, 0, 0}, {5, 1e6, 0}, 4, -6.006, true},
        {{5, 0, 0}, {5, 1e6, 0}, 4, -6.008, false},
        {{0.5, 0, 0}, {0.5, 1e6, 0}, 4, 6.002, true},
        {{0.5, 0, 0}, {0.5, 1e6, 0}, 4, 6.003, false},
        {{0, 0, 0}, {5, 1e6, 0}, 4, 6.006, true}, /* no rows of a class */
        {{5, 1e6, 0}, {0, 0, 0}, 4, 6.006, true},
        {{ILK_COUNT_MAX, 0, 0}, {ILK_COUNT_MAX, 0, 0}, 4, 5, true},
        {{5, 0, 0}, {2 * ILK_COUNT_MAX, 0, 0}, 4, 5, false},
        {{1e-200, 0, 0}, {1e-200, 0, 0}, 1e50, 0, true}, /* tiny weights have tiny sums */
        {{1e-200, 0, 0}, {1e-200, 0, 0}, 1e95, 0, false},
        {{1e-300, 0, 0}, {1e10, 0, 0}, 4, 5, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ilk_moments m;
        ilk_moments_init(&m, true, 2);
        m.limit = 0;
        assert_int_equal(ilk_moments_grow(&m, 2), ILK_OK);
        memcpy(ilk_moments_record(&m, 0), cases[i].a, sizeof cases[i].a);
        memcpy(ilk_moments_record(&m, 1), cases[i].b, sizeof cases[i].b);
        memcpy(m.pool, (double[]){9, 9, cases[i].S, 0, cases[i].product, 9}, 6 * sizeof(double));
        if (ilk_moments_valid(&m) != cases[i].fits)
            fail_msg("case %zu", i);
        ilk_moments_free(&m);
    }
}

/* Sizes are those of a record per class, or of one scatter for all; a family of own covariances has no choice. */
static void file__of_a_wrong_size_is_refused(void **state) {
    (void)state;
    rng r = rng_new(97);
    sample s = draw(&r, N, PLAIN);
    for (int own = 0; own < 2; own++) {
        ilk_stats *made = begin(own ? "qda" : "gda", own ? K : 0), *opened;
        add(made, &s, 0, N);
        bytes b = stats_file(made);
        uint64_t size, wrong[] = {0, 8, 16, 0, 0, 0};
        unsigned char *entry;
        ilk_model *m;
        moments_in(&b, &size, &entry);
        wrong[2] = size - 8;
        wrong[3] = 8 * (D + (K + 1) * (1 + D) + D + D * D);
        wrong[4] = 8 * (D + K * (1 + D) + D + D * D);
        wrong[5] = 8 * (D + K * (1 + 2 * D + D * D)) + 8;
        for (size_t i = 0; i < 6; i++) {
            if (wrong[i] == size || wrong[i] > size)
                continue;
            bytes cut = {make(b.n, 1), b.n - size + wrong[i]};
            memcpy(cut.p, b.p, cut.n);
            memcpy(cut.p + (entry - b.p) + 16, &wrong[i], 8);
            memcpy(cut.p + 16, &(uint64_t){cut.n}, 8);
            hostile_repair(cut.p, cut.n);
            assert_ok(ilk_model_read(&m, cut.p, cut.n, &failure));
            assert_fails(ILK_EFORMAT, "bad statistics", ilk_model_stats(&opened, m, &failure));
            assert_null(opened);
            ilk_model_free(m);
            free(cut.p);
        }
        free(b.p);
        ilk_stats_free(made);
    }
    sample_free(&s);
}

/* ---- without memory; builds without ILK_FAULTS do it once */

#ifdef ILK_FAULTS
enum { FEWEST_POINTS = 1 };
static void arm(uint64_t n) {
    ilk_fault_arm(&ilk_allocation_fault, n, false);
}
#else
enum { FEWEST_POINTS = 0 };
static void arm(uint64_t n) {
    (void)n;
}
#endif

/* The class that would pass the limit cannot be had: scatters are as they were. Then it can. */
static void class__that_fails_pools_nothing(void **state) {
    (void)state;
    rng r = rng_new(98);
    sample s = draw(&r, N, PLAIN);
    uint32_t id;
    ilk_status status = ILK_ENOMEM;
    size_t failed = 0;
    for (uint64_t n = 1; status != ILK_OK; n++) {
        ilk_stats *made = learn_some(K, &s, 0, N);
        bytes before = stats_file(made);
        arm(n);
        status = ilk_stats_class(&id, made, str("more"), &failure);
        arm(0);
        assert_int_equal(store_of(made)->pooled, status == ILK_OK);
        if (status != ILK_OK) {
            bytes after = stats_file(made);
            assert_int_equal(status, ILK_ENOMEM);
            assert_same_bytes(before, after);
            free(after.p);
            assert_ok(ilk_stats_class(&id, made, str("more"), &failure));
            failed++;
        }
        assert_true(store_of(made)->pooled);
        free(before.p);
        ilk_stats_free(made);
    }
    assert_in_range(failed, FEWEST_POINTS, 100);
    sample_free(&s);
}

/* Merging, adding and removing: all or nothing. */
static void change__that_fails_changes_nothing(void **state) {
    (void)state;
    rng r = rng_new(99);
    sample s = draw(&r, N, WEIGHTS);
    ilk_stats *other = learn_some(0, &s, 100, 100);
    ilk_rows more = rows_of(&s, 200, 50), known = rows_of(&s, 50, 50);
    for (int what = 0; what < 4; what++) {
        ilk_status status = ILK_ENOMEM;
        for (uint64_t n = 1; status != ILK_OK; n++) {
            ilk_stats *made = learn_some(what == 0 ? K : 0, &s, 0, 100); /* pooled by the merge, or before */
            bytes before = stats_file(made);
            arm(n);
            status = what <= 1   ? ilk_stats_merge(made, other, &failure)
                     : what == 2 ? ilk_stats_add(made, &more, &failure)
                                 : ilk_stats_remove(made, &known, &failure);
            arm(0);
            bytes after = stats_file(made);
            if (status != ILK_OK) {
                assert_int_equal(status, ILK_ENOMEM);
                assert_same_bytes(before, after);
            }
            free(before.p);
            free(after.p);
            ilk_stats_free(made);
        }
    }
    ilk_stats_free(other);
    sample_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes__know_a_column_that_never_varies),
        cmocka_unit_test(file__of_pooled_statistics_is_theirs_again),
        cmocka_unit_test(file__of_what_no_rows_give_is_refused),
        cmocka_unit_test(valid__are_sums_over_all_classes),
        cmocka_unit_test(file__of_any_weights_can_be_read),
        cmocka_unit_test(pooled_statistics__are_not_saved_as_qda),
        cmocka_unit_test(file__of_a_wrong_size_is_refused),
        cmocka_unit_test(class__that_fails_pools_nothing),
        cmocka_unit_test(change__that_fails_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
