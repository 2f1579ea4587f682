/* SPDX-License-Identifier: Apache-2.0 */
/* test_pooled.c - one scatter for all classes: the same gda as of scatters per class, however rows come and go, and what
 * it can no longer tell is refused.   MATH section 13 */
#include "model/moments_record.h"
#include "pooled.h"

/* ---- adding */

/* Pooled from the beginning, while classes are named, or in the midst of the rows. */
static void model__of_a_pooled_scatter_is_that_of_scatters_per_class(void **state) {
    (void)state;
    rng r = rng_new(81);
    for (unsigned traits = 0; traits < TRAITS; traits++) {
        sample s = draw(&r, N, traits);
        ilk_stats *apart = learn_some(K, &s, 0, N);
        for (size_t most = 0; most < K; most += 4) {
            ilk_stats *pooled = learn_some(most, &s, 0, N);
            assert_same_model(apart, pooled, &s, 1e-9);
            ilk_stats_free(pooled);
        }
        ilk_stats *late = learn_some(K, &s, 0, 100);
        uint32_t id;
        assert_ok(ilk_stats_class(&id, late, str("one more, without rows"), &failure));
        assert_true(store_of(late)->pooled);
        add(late, &s, 100, N - 100);
        assert_same_model(apart, late, &s, 1e-9);
        ilk_stats_free(late);
        ilk_stats_free(apart);
        sample_free(&s);
    }
}

/* More than a chunk; some of them, and so those that are gone through one by one, have values in other units. */
static void add__of_many_rows_has_the_same_bits_for_any_number_of_threads(void **state) {
    (void)state;
    rng r = rng_new(82);
    for (unsigned traits = 0; traits < TRAITS; traits++) {
        sample s = draw(&r, 9000, traits);
        ilk_stats *apart = learn_some(K, &s, 0, s.n), *first = NULL;
        for (size_t threads = 1; threads <= 8; threads *= 2) {
            ilk_stats *pooled = begin("gda", 0);
            ilk_rows rows = rows_of(&s, 0, s.n);
            rows.threads = threads;
            assert_ok(ilk_stats_add(pooled, &rows, &failure));
            if (first)
                assert_same_stats(first, pooled);
            else
                assert_same_model(apart, pooled, &s, 1e-9);
            ilk_stats_free(first);
            first = pooled;
        }
        ilk_stats_free(first);
        ilk_stats_free(apart);
        sample_free(&s);
    }
}

/* Values of 1e170 are in larger units, which all classes get at once. */
static void units__of_what_is_pooled_grow_for_all_classes(void **state) {
    (void)state;
    rng r = rng_new(83);
    sample s = draw(&r, N, PLAIN);
    for (size_t i = N / 2; i < N; i++)
        s.x[i * D + 1] *= 1e170;
    ilk_stats *apart = learn_some(K, &s, 0, N / 2), *pooled = learn_some(0, &s, 0, N / 2);
    for (size_t i = N / 2; i < N; i += 50) {
        add(apart, &s, i, 50);
        add(pooled, &s, i, 50);
    }
    assert_int_equal(store_of(pooled)->exponent[1], ILK_UNIT);
    assert_same_model(apart, pooled, &s, 1e-9);
    ilk_stats_free(apart);
    ilk_stats_free(pooled);
    sample_free(&s);
}

/* ---- workers */

/* A worker's moments are of the classes of a block, and pooled if these are many, whatever it met before. */
static void flush__has_the_same_bits_for_any_number_of_workers(void **state) {
    (void)state;
    rng r = rng_new(84);
    for (unsigned traits = 0; traits < TRAITS; traits++) {
        sample s = draw(&r, N, traits);
        ilk_stats *apart = learn_some(K, &s, 0, N), *first = NULL;
        for (size_t workers = 1; workers <= 3; workers++) {
            ilk_stats *total = begin("gda", 4), *part[3];
            for (size_t w = 0; w < workers; w++) {
                part[w] = stats_of(real_columns(D, "gda"), NULL);
                assert_ok(ilk_stats_be_part(part[w], &failure));
                store_of(part[w])->limit = (size_t)6 * D * D;
            }
            for (size_t at = 0, block = 0; at < N; at += block % 2 ? 5 : 55, block++) { /* with few classes, and many */
                ilk_stats *p = part[block % workers];
                ilk_rows rows = rows_of(&s, at, block % 2 ? 5 : 55);
                uint32_t *label = make(rows.n, sizeof *label);
                for (size_t i = 0; i < rows.n; i++)
                    assert_ok(ilk_stats_class(&label[i], p, str(name_of(rows.label[i])), &failure));
                rows.label = label;
                assert_ok(ilk_stats_gather(p, &rows, &failure));
                assert_int_equal(store_of(p)->pooled, block % 2 == 0);
                assert_ok(ilk_stats_flush(total, p, &failure));
                free(label);
            }
            for (size_t w = 0; w < workers; w++) {
                assert_ok(ilk_stats_merge(total, part[w], &failure));
                ilk_stats_free(part[w]);
            }
            if (first)
                assert_same_stats(first, total);
            else
                assert_same_model(apart, total, &s, 1e-9);
            ilk_stats_free(first);
            first = total;
        }
        ilk_stats_free(first);
        ilk_stats_free(apart);
        sample_free(&s);
    }
}

/* ---- merging */

static void merge__of_pooled_and_of_others_is_one_pass(void **state) {
    (void)state;
    rng r = rng_new(85);
    for (unsigned traits = 0; traits < TRAITS; traits++) {
        sample s = draw(&r, N, traits);
        ilk_stats *apart = learn_some(K, &s, 0, N);
        for (size_t i = 0; i < 4; i++) {
            ilk_stats *into = learn_some(i & 1 ? 0 : K, &s, 0, 100),
                      *from = learn_some(i & 2 ? 0 : K, &s, 100, N - 100);
            assert_ok(ilk_stats_merge(into, from, &failure));
            assert_int_equal(store_of(into)->pooled, i > 0);
            assert_same_model(apart, into, &s, 1e-9);
            ilk_stats_free(from);
            from = begin("gda", i & 2 ? 0 : K); /* nothing: changes nothing */
            bytes before = stats_file(into), after;
            assert_ok(ilk_stats_merge(into, from, &failure));
            after = stats_file(into);
            assert_same_bytes(before, after);
            free(before.p);
            free(after.p);
            ilk_stats_free(from);
            ilk_stats_free(into);
        }
        ilk_stats_free(apart);
        sample_free(&s);
    }
}

static void merge__of_a_class_without_rows_leaves_it_without(void **state) {
    (void)state;
    rng r = rng_new(105);
    sample s = draw(&r, K - 1, PLAIN); /* one of each class but the last */
    for (size_t most = 0; most <= K; most += K) {
        ilk_stats *into = learn_some(0, &s, 0, s.n), *from = learn_some(most, &s, 0, s.n);
        ilk_stats *apart = learn_some(K, &s, 0, s.n), *none = begin("gda", 0);
        assert_ok(ilk_stats_merge(apart, none, &failure));
        assert_false(store_of(apart)->pooled);
        ilk_stats_free(none);
        assert_ok(ilk_stats_merge(apart, from, &failure));
        assert_int_equal(store_of(apart)->pooled, most < K); /* though no class has more than one row */
        ilk_stats_free(apart);
        assert_ok(ilk_stats_merge(into, from, &failure));
        const double *last = ilk_moments_record(store_of(into), K - 1);
        for (size_t i = 0; i < 1 + D; i++)
            assert_true(last[i] == 0 && ilk_moments_record(store_of(into), 0)[i] != 0);
        ilk_stats_free(into);
        ilk_stats_free(from);
    }
    sample_free(&s);
}

static void merge__does_not_pool_what_needs_scatters_per_class(void **state) {
    (void)state;
    rng r = rng_new(86);
    sample s = draw(&r, N, PLAIN);
    ilk_stats *own = begin("qda", K), *pooled = learn_some(0, &s, 0, N);
    add(own, &s, 0, N);
    bytes before = stats_file(own);
    assert_fails(ILK_EDATA, "family qda needs a scatter per class", ilk_stats_merge(own, pooled, &failure));
    assert_fails(ILK_EDATA, "of family qda there is a scatter per class", ilk_stats_subtract(own, pooled, &failure));
    bytes after = stats_file(own);
    assert_same_bytes(before, after);
    assert_ok(ilk_stats_merge(pooled, own, &failure)); /* the other way round it is possible */
    free(before.p);
    free(after.p);
    ilk_stats_free(own);
    ilk_stats_free(pooled);
    sample_free(&s);
}

/* ---- what is refused */

static void estimate__of_a_scatter_per_class_is_refused(void **state) {
    (void)state;
    rng r = rng_new(87);
    sample s = draw(&r, N, PLAIN);
    ilk_stats *pooled = learn_some(0, &s, 0, N);
    ilk_options o = options_of(1);
    ilk_model *m;
    o.real_family = "qda";
    assert_fails(ILK_EARG, "learn the rows anew with --model qda", ilk_model_estimate(&m, pooled, &o, &failure));
    ilk_stats_free(pooled);
    sample_free(&s);
}

static void forgetting__a_class_is_refused_but_not_its_rows(void **state) {
    (void)state;
    rng r = rng_new(88);
    sample s = draw(&r, N, PLAIN);
    ilk_stats *pooled = learn_some(0, &s, 0, N), *without = begin("gda", K), *of_k3 = begin("gda", K);
    bytes before = stats_file(pooled);
    assert_fails(ILK_EDATA, "class k3: of so many classes family gda keeps one scatter for all",
                 ilk_stats_remove_class(pooled, str("k3"), &failure));
    assert_fails(ILK_EARG, "no class 'none'", ilk_stats_remove_class(pooled, str("none"), &failure));
    bytes after = stats_file(pooled);
    assert_same_bytes(before, after);
    for (size_t i = 0; i < N; i++)
        add(s.label[i] == 3 ? of_k3 : without, &s, i, 1);
    double peak = store_of(pooled)->pool[1];
    assert_ok(ilk_stats_subtract(pooled, of_k3, &failure));
    assert_true(store_of(pooled)->pool[1] == peak);
    for (size_t k = 0; k < K; k++) {
        ilk_record p = ilk_record_of(store_of(pooled), k);
        assert_true(*p.n == *ilk_record_of(store_of(without), k).n);
        for (size_t j = 0; k == 3 && j < D; j++)
            assert_true(p.mean[j] == 0);
    }
    ilk_model *a = estimated(pooled, NULL), *b = estimated(without, NULL);
    assert_close(fact(a, "Sigma", "x1", "x0", "").value, fact(b, "Sigma", "x1", "x0", "").value, 1e-12);
    assert_close(fact(a, "Sigma", "x3", "x3", "").value, fact(b, "Sigma", "x3", "x3", "").value, 1e-12);
    ilk_model_free(a);
    ilk_model_free(b);
    free(before.p);
    free(after.p);
    ilk_stats_free(pooled);
    ilk_stats_free(without);
    ilk_stats_free(of_k3);
    sample_free(&s);
}

/* ---- removing */

static void remove__undoes_add_to_rounding(void **state) {
    (void)state;
    rng r = rng_new(89);
    for (unsigned traits = 0; traits < TRAITS; traits++) {
        sample s = draw(&r, N, traits);
        ilk_stats *apart = learn_some(K, &s, 0, 200);
        for (size_t i = 0; i < 3; i++) { /* as rows, as statistics, as pooled ones */
            ilk_stats *pooled = learn_some(0, &s, 0, N), *more = learn_some(i == 2 ? 0 : K, &s, 200, N - 200);
            ilk_rows rows = rows_of(&s, 200, N - 200);
            assert_ok(i == 0 ? ilk_stats_remove(pooled, &rows, &failure) : ilk_stats_subtract(pooled, more, &failure));
            assert_same_model(apart, pooled, &s, 1e-8);
            ilk_stats_free(pooled);
            ilk_stats_free(more);
        }
        ilk_stats_free(apart);
        sample_free(&s);
    }
}

/* A column of larger units than the rows that go, in the statistics alone. */
static void remove__of_rows_in_smaller_units_takes_them_in_larger_ones(void **state) {
    (void)state;
    rng r = rng_new(90);
    sample s = draw(&r, N, PLAIN);
    for (size_t i = 0; i < 2 * K; i++)
        s.x[i * D + 1] *= 1e170;
    for (size_t pooled_too = 0; pooled_too < 2; pooled_too++) {
        ilk_stats *apart = learn_some(K, &s, 0, 200), *pooled = learn_some(0, &s, 0, N),
                  *more = learn_some(pooled_too ? 0 : K, &s, 200, N - 200);
        assert_ok(ilk_stats_subtract(pooled, more, &failure));
        assert_same_model(apart, pooled, &s, 1e-8);
        assert_fails(ILK_EDATA, "more rows to forget", ilk_stats_subtract(more, apart, &failure));
        ilk_stats_free(apart);
        ilk_stats_free(pooled);
        ilk_stats_free(more);
    }
    sample_free(&s);
}

static bool all_zero(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* Down to a row of each class, whose scatter is 0 whatever rounding says, and to none. */
static void remove__of_all_rows_leaves_zeros(void **state) {
    (void)state;
    rng r = rng_new(91);
    for (unsigned traits = 0; traits < TRAITS; traits += traits ? 3 : 1) { /* with weights, and in units */
        sample s = draw(&r, N, traits);
        double peak[D];
        ilk_stats *pooled = learn_some(0, &s, 0, N);
        ilk_moments *m = store_of(pooled);
        ilk_rows more = rows_of(&s, K, N - K), rest = rows_of(&s, 0, K);
        memcpy(peak, m->pool, sizeof peak);
        if (!s.w) {
            assert_ok(ilk_stats_remove(pooled, &more, &failure));
            assert_true(all_zero(m->pool + D, (size_t)D * D));
            for (size_t j = 0; j < D; j++)
                assert_true(m->pool[j] > peak[j]); /* what was there once is not forgotten, nor what is unsure since */
            for (size_t k = 0; k < K; k++)
                for (size_t j = 0; j < D; j++)
                    assert_close(ilk_record_of(m, k).mean[j], ldexp(s.x[k * D + j], -m->exponent[j]), 1e-12);
        } else {
            rest = rows_of(&s, 0, N);
        }
        assert_ok(ilk_stats_remove(pooled, &rest, &failure));
        assert_true(all_zero(m->data, K * m->record) && all_zero(m->pool, D + D * D));
        ilk_stats_free(pooled);
        sample_free(&s);
    }
}

/* Rows of one class are a billion times as far away as the others' differ; without them, which are all it has, all but
 * one or some, the others' scatter is lost in what rounding left. */
static void remove__is_refused_where_rounding_has_eaten_the_scatter(void **state) {
    (void)state;
    rng r = rng_new(92);
    for (size_t i = 0; i < 6; i++) {
        sample s = draw(&r, N, PLAIN);
        double unit = i < 3 ? 1 : 1e-30;
        for (size_t row = 0, kept = 0; row < N; row++) {
            bool wild = row >= N - 20;
            if (wild || (s.label[row] == 8 && kept++ >= i % 3))
                s.label[row] = wild ? 8 : 7;
            s.x[row * D + 2] = unit * (rng_normal(&r) + (wild ? 1e9 * (double)(1 + row % 2) : 0));
        }
        ilk_stats *pooled = learn_some(0, &s, 0, N);
        ilk_rows rows = rows_of(&s, N - 20, 20);
        bytes before = stats_file(pooled);
        assert_fails(ILK_EDATA, "column x2: what would be left varies so little",
                     ilk_stats_remove(pooled, &rows, &failure));
        bytes after = stats_file(pooled);
        assert_same_bytes(before, after);
        free(before.p);
        free(after.p);
        ilk_stats_free(pooled);
        sample_free(&s);
    }
}

/* Rows a thousand times as far away may go. */
static void remove__of_rows_that_are_far_leaves_the_others(void **state) {
    (void)state;
    rng r = rng_new(101);
    sample s = draw(&r, N, PLAIN);
    for (size_t row = N - 20; row < N; row++) {
        s.label[row] = 8;
        s.x[row * D + 2] += 1000;
    }
    ilk_stats *apart = learn_some(K, &s, 0, N - 20), *pooled = learn_some(0, &s, 0, N);
    ilk_rows rows = rows_of(&s, N - 20, 20);
    assert_ok(ilk_stats_remove(pooled, &rows, &failure));
    assert_same_model(apart, pooled, &s, 1e-8);
    ilk_stats_free(apart);
    ilk_stats_free(pooled);
    sample_free(&s);
}

/* Means that are far from 0 are known to fewer digits: at 1e12 the removal is refused, at 1e10 the peak tells of it. */
static void remove__knows_what_means_are_off_by(void **state) {
    (void)state;
    rng r = rng_new(102);
    sample s = draw(&r, N, PLAIN);
    for (int far = 0; far < 2; far++) {
        for (size_t row = 0; row < N; row++)
            s.x[row * D + 1] = (far ? 1e12 : 1e10) + rng_normal(&r);
        ilk_stats *pooled = learn_some(0, &s, 0, N);
        ilk_rows rows = rows_of(&s, 200, N - 200);
        ilk_status status = ilk_stats_remove(pooled, &rows, &failure);
        assert_int_equal(status, far ? ILK_EDATA : ILK_OK);
        assert_true(far || store_of(pooled)->pool[1] > 1e9);
        ilk_stats_free(pooled);
    }
    sample_free(&s);
}

/* What removals have made of peaks is not forgotten when scatters are pooled, or pooled ones merged. */
static void peaks__of_what_is_pooled_are_summed(void **state) {
    (void)state;
    rng r = rng_new(103);
    sample s = draw(&r, N, PLAIN);
    for (size_t i = 0; i < N * D; i++)
        s.x[i] += 1e8;
    ilk_stats *apart = learn_some(K, &s, 0, N), *pooled = begin("gda", 0);
    ilk_rows rows = rows_of(&s, 200, N - 200);
    double sum[D] = {0};
    assert_ok(ilk_stats_remove(apart, &rows, &failure));
    for (size_t k = 0; k < K; k++)
        for (size_t j = 0; j < D; j++)
            sum[j] += ilk_record_of(store_of(apart), k).peak[j];
    assert_ok(ilk_stats_merge(pooled, apart, &failure));
    for (size_t j = 0; j < D; j++)
        assert_close(store_of(pooled)->pool[j] / sum[j], 1, 1e-12);
    assert_ok(ilk_stats_merge(apart, pooled, &failure)); /* itself, and as much once more */
    for (size_t j = 0; j < D; j++)
        assert_close(store_of(apart)->pool[j] / sum[j], 2, 1e-12);
    ilk_stats_free(apart);
    ilk_stats_free(pooled);
    sample_free(&s);
}

/* Two rows of each class weigh a half, and vary. */
static void remove__does_not_take_a_weight_of_less_than_1_for_one_row(void **state) {
    (void)state;
    rng r = rng_new(104);
    sample s = draw(&r, N, WEIGHTS);
    for (size_t i = 0; i < 2 * K; i++)
        s.w[i] = 0.25;
    ilk_stats *apart = learn_some(K, &s, 0, 2 * K), *pooled = learn_some(0, &s, 0, N);
    ilk_rows rows = rows_of(&s, 2 * K, N - 2 * K);
    assert_ok(ilk_stats_remove(pooled, &rows, &failure));
    assert_same_model(apart, pooled, &s, 1e-8);
    ilk_stats_free(apart);
    ilk_stats_free(pooled);
    sample_free(&s);
}

/* Rows of class k2 that lack a value are counted, but have no moments to give back. */
static void remove__is_refused_where_there_are_fewer_rows(void **state) {
    (void)state;
    rng r = rng_new(100);
    for (size_t has = 0; has < 10; has += 5) {
        sample s = draw(&r, N, PLAIN), of_k2 = draw(&r, has + 1, PLAIN);
        for (size_t i = 0, seen = 0; i < N; i++)
            if (s.label[i] == 2 && ++seen > has)
                s.x[i * D] = NAN;
        for (size_t i = 0; i <= has; i++)
            of_k2.label[i] = 2;
        ilk_stats *pooled = learn_some(0, &s, 0, N);
        ilk_rows rows = rows_of(&of_k2, 0, has + 1);
        assert_fails(ILK_EDATA, "class k2, column x0: more rows to forget than were learnt",
                     ilk_stats_remove(pooled, &rows, &failure));
        ilk_stats_free(pooled);
        sample_free(&s);
        sample_free(&of_k2);
    }
}

/* A column that varies in no class stays so, whatever goes: rows, too, that were never learnt. */
static void remove__of_what_never_varied_leaves_no_scatter(void **state) {
    (void)state;
    rng r = rng_new(93);
    sample s = draw(&r, N, PLAIN);
    for (size_t i = 0; i < N; i++)
        s.x[i * D + 1] = 0.1 + 0.7 * s.label[i];
    ilk_stats *pooled = learn_some(0, &s, 0, N);
    for (size_t i = N - 100; i < N; i += 10) {
        ilk_rows rows = rows_of(&s, i, 10);
        for (size_t row = i; i >= N - 50 && row < i + 10; row++)
            s.x[row * D + 1] += 1e-3;
        assert_ok(ilk_stats_remove(pooled, &rows, &failure));
        const double *S = store_of(pooled)->pool + D;
        assert_true(store_of(pooled)->pool[1] == 0 && S[D] == 0 && S[D + 1] == 0 && S[2 * D + 1] == 0);
        assert_true(S[0] > 0 && S[2 * D + 2] > 0 && S[2 * D] > 0);
    }
    ilk_stats_free(pooled);
    sample_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model__of_a_pooled_scatter_is_that_of_scatters_per_class),
        cmocka_unit_test(add__of_many_rows_has_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(units__of_what_is_pooled_grow_for_all_classes),
        cmocka_unit_test(flush__has_the_same_bits_for_any_number_of_workers),
        cmocka_unit_test(merge__of_pooled_and_of_others_is_one_pass),
        cmocka_unit_test(merge__of_a_class_without_rows_leaves_it_without),
        cmocka_unit_test(merge__does_not_pool_what_needs_scatters_per_class),
        cmocka_unit_test(estimate__of_a_scatter_per_class_is_refused),
        cmocka_unit_test(forgetting__a_class_is_refused_but_not_its_rows),
        cmocka_unit_test(remove__undoes_add_to_rounding),
        cmocka_unit_test(remove__of_rows_in_smaller_units_takes_them_in_larger_ones),
        cmocka_unit_test(remove__of_all_rows_leaves_zeros),
        cmocka_unit_test(remove__is_refused_where_rounding_has_eaten_the_scatter),
        cmocka_unit_test(remove__of_rows_that_are_far_leaves_the_others),
        cmocka_unit_test(remove__knows_what_means_are_off_by),
        cmocka_unit_test(peaks__of_what_is_pooled_are_summed),
        cmocka_unit_test(remove__does_not_take_a_weight_of_less_than_1_for_one_row),
        cmocka_unit_test(remove__is_refused_where_there_are_fewer_rows),
        cmocka_unit_test(remove__of_what_never_varied_leaves_no_scatter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
