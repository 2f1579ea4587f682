/* SPDX-License-Identifier: Apache-2.0 */
/* test_huge.c - a hundred thousand classes, ten million words, and memory that does not grow with rows. */
#include "fixtures.h"

#include <sys/resource.h>

/* Sanitised programs need several times the memory and the time. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { WORDS = 1000000, SANITISED = 1 };
#else
enum { WORDS = 10000000, SANITISED = 0 };
#endif

static double peak_megabytes(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_maxrss / 1024;
}

/* Of the whole program so far. Sanitised programs are larger, by how much is theirs to say. */
static void assert_memory(double most_megabytes, const char *what) {
    double memory = peak_megabytes();
    printf("# %s: peak %.0f MB\n", what, memory);
    if (!SANITISED && memory > most_megabytes)
        fail_msg("%s: %.0f MB", what, memory);
}

static void classes__may_be_100000(void **state) {
    (void)state;
    enum { K = 100000, EACH = 3, N = K * EACH };
    double *x = make(N, sizeof *x), *out = make(K, sizeof *out), norm = log(sqrt(2 * M_PI));
    uint32_t *label = make(N, sizeof *label), *code = make(N, sizeof *code), v[3];
    ilk_stats *s = stats_of("y r:gaussian c:categorical", NULL);
    char name[24];
    assert_ok(ilk_stats_code(&v[0], s, 0, str("p"), &failure));
    assert_ok(ilk_stats_code(&v[1], s, 0, str("q"), &failure));
    assert_ok(ilk_stats_code(&v[2], s, 0, str("r"), &failure));
    for (uint32_t k = 0; k < K; k++) {
        snprintf(name, sizeof name, "%u", k); /* numbers: the model orders them by value */
        for (uint32_t i = k * EACH; i < (k + 1) * EACH; i++) {
            assert_ok(ilk_stats_class(&label[i], s, str(name), &failure));
            x[i] = k + 0.1 * (i - (double)k * EACH - 1); /* k - 0.1, k, k + 0.1 */
            code[i] = v[k % 3];
        }
    }
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = N, .real = x, .code = code, .label = label}, &failure));
    ilk_options o = options_of(1);
    o.floor = 0;
    ilk_model *m = estimated(s, &o), *opened;
    bytes file = saved(m, s);
    assert_ok(ilk_model_read(&opened, file.p, file.n, &failure));
    assert_int_equal(ilk_model_classes(opened), K);
    for (uint32_t k = 0; k < K; k += 33331) {
        double real = k;
        uint32_t category = ilk_model_code(opened, 0, (ilk_str){&"pqr"[k % 3], 1});
        ilk_rows row = {.n = 1, .real = &real, .code = &category, .label = &k};
        assert_ok(ilk_model_log_joint(out, opened, &row, &failure));
        assert_int_equal(ilk_argmax(out, K), k);
        double sd = sqrt(0.02 / 3), far = 0.9 / sd; /* of three, and how far the next class is; of two it is 0.05 */
        assert_close(out[k], log(1.0 / K) - log(sd) - norm + log(4.0 / 6), 1e-6);
        real = k + 0.1;
        assert_ok(ilk_model_leave_one_out(out, opened, &row, &failure));
        assert_close(out[k], log(2.0 / (N - 1)) - log(0.05) - norm - 4.5 + log(3.0 / 5), 1e-6);
        assert_close(out[k + 1], log(3.0 / (N - 1)) - log(sd) - norm - far * far / 2 + log(1.0 / 6), 1e-6);
    }
    ilk_model_free(m);
    ilk_model_free(opened);
    ilk_stats_free(s);
    free(file.p);
    free(x);
    free(out);
    free(label);
    free(code);
    assert_memory(400, "100,000 classes");
}

static void words__may_be_ten_million(void **state) {
    (void)state;
    enum { V = WORDS, N = V / 100 };
    ilk_stats *s = stats_of("y t:multinomial", NULL);
    uint32_t *id = make(V, sizeof *id), *count = make(V, sizeof *count), *label = make(N, sizeof *label), a, b;
    size_t *begin = make(N + 1, sizeof *begin);
    char word[24];
    assert_ok(ilk_stats_class(&a, s, str("a"), &failure));
    assert_ok(ilk_stats_class(&b, s, str("b"), &failure));
    for (uint32_t w = 0; w < (uint32_t)V; w++) { /* each word once, a hundred to a document */
        snprintf(word, sizeof word, "w%08u", w);
        assert_ok(ilk_stats_word(&id[w], s, 0, str(word), &failure));
        count[w] = 1 + w % 3;
    }
    for (size_t i = 0; i <= N; i++)
        begin[i] = i * (size_t)(V / N);
    for (size_t i = 0; i < N; i++)
        label[i] = i % 2 ? b : a;
    ilk_tokens bags = {begin, id, count, NULL};
    assert_ok(ilk_stats_add(s, &(ilk_rows){.n = N, .text = &bags, .label = label}, &failure));
    static const char *const family[] = {"multinomial", "bernoulli", "complement"};
    for (size_t f = 0; f < 3; f++) {
        ilk_options o = options_of(1);
        o.text_family = family[f];
        ilk_model *m = estimated(s, &o);
        uint32_t last[] = {ilk_model_word(m, 0, str("w00000000")), ilk_model_word(m, 0, str(word))}, one[] = {1, 1};
        size_t ends[] = {0, 1, 2};
        ilk_tokens two = {ends, last, one, NULL};
        double out[4];
        assert_ok(ilk_model_log_joint(out, m, &(ilk_rows){.n = 2, .text = &two}, &failure));
        assert_true(out[0] > out[1] && out[2] < out[3]);
        ilk_model_free(m);
    }
    ilk_model *m = estimated(s, NULL), *opened;
    bytes file = saved(m, s);
    assert_ok(ilk_model_read(&opened, file.p, file.n, &failure));
    assert_close(fact(opened, "phi", "t", "w00000001", "a").value, 3.0 / (2.0 * V),
                 1e-4); /* 2 tokens of about V, smoothed */
    ilk_model_free(m);
    ilk_model_free(opened);
    free(file.p);
    ilk_stats_free(s);
    free(id);
    free(count);
    free(label);
    free(begin);
    assert_memory(4096, "10,000,000 words");
}

/* A full Gaussian takes columns squared: the message says how much, and what takes less. */
static void full_gaussian__beyond_memory_is_refused_with_its_size(void **state) {
    (void)state;
    if (SANITISED)
        return; /* their allocators would end the program */
    ilk_schema *schema;
    ilk_stats *s;
    uint32_t id;
    char name[24];
    assert_ok(ilk_schema_new(&schema, &failure));
    for (int j = 0; j < 300000; j++) {
        snprintf(name, sizeof name, "%d", j);
        assert_ok(
            ilk_schema_add(schema, &(ilk_column){.name = str(name), .kind = ILK_REAL, .family = "gda"}, &failure));
    }
    assert_ok(ilk_schema_add(schema, &(ilk_column){.name = str("y"), .role = ILK_TARGET}, &failure));
    assert_ok(ilk_stats_new(&s, schema, &failure));
    assert_fails(ILK_ENOMEM, "family gda over 300000 columns takes 1.44e+03 GB for 1 class (each by itself",
                 ilk_stats_class(&id, s, str("a"), &failure));
    ilk_stats_free(s);
    ilk_schema_free(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes__may_be_100000),
        cmocka_unit_test(full_gaussian__beyond_memory_is_refused_with_its_size),
        cmocka_unit_test(words__may_be_ten_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
