/* SPDX-License-Identifier: Apache-2.0 */
/* in_memory.c - fitting and scoring tables that are in memory, against the machine's limits for the same work.
 *
 * Each line: what, seconds of the best of several runs, the limit it is held against, and the ratio. Both are taken in
 * this run, because only such ratios mean anything on a machine that others use too. bench/README.md tells how the
 * peers are timed beside it. */
#include <ilk.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef BENCH_BLAS
#include <cblas.h>
#endif

enum { RUNS = 5, THREADS = 2 };
static const double SECONDS = 1; /* runs go on for so long: what takes milliseconds is soon disturbed */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool more_runs(int done, double begin) {
    return done < RUNS || now() - begin < SECONDS;
}

static void must(ilk_status status, const ilk_error *err) {
    if (status == ILK_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

static void *alloc(size_t n, size_t size) {
    void *p = aligned_alloc(64, (n * size + 63) / 64 * 64);
    if (!p)
        exit(1);
    memset(p, 0, n * size);
    return p;
}

static uint64_t state = 1;
static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
static double uniform(void) {
    return (double)(next() >> 11) * 0x1p-53;
}
/* Near enough to normal for timing: the sum of twelve uniforms would be slow to fill 50 million of. */
static double bell(void) {
    return uniform() + uniform() + uniform() - 1.5;
}

/* The least of RUNS timings of a call, or of more. */
#define BEST(seconds, call)                                                                                            \
    do {                                                                                                               \
        double begin_ = now();                                                                                         \
        (seconds) = INFINITY;                                                                                          \
        for (int run_ = 0; more_runs(run_, begin_); run_++) {                                                          \
            double start_ = now();                                                                                     \
            call;                                                                                                      \
            (seconds) = fmin((seconds), now() - start_);                                                               \
        }                                                                                                              \
    } while (0)

static void line(const char *what, double seconds, const char *limit, double limit_seconds) {
    printf("%-44s %9.4f s   %-28s %9.4f s   ratio %5.2f\n", what, seconds, limit, limit_seconds,
           seconds / limit_seconds);
    fflush(stdout);
}

/* ---- limits */

typedef struct half {
    const double *p;
    size_t n;
    double sum;
} half;

static void *add_up(void *argument) {
    half *h = argument;
    double s[16] = {0};
    for (size_t i = 0; i + 16 <= h->n; i += 16)
        for (size_t l = 0; l < 16; l++)
            s[l] += h->p[i + l];
    for (size_t l = 0; l < 16; l++)
        h->sum += s[l];
    return NULL;
}

static volatile double sink;

/* Reading n doubles with two threads: the bandwidth of memory. */
static void read_all(const double *p, size_t n) {
    half a = {p, n / 2, 0}, b = {p + n / 2, n - n / 2, 0};
    pthread_t t;
    pthread_create(&t, NULL, add_up, &a);
    add_up(&b);
    pthread_join(t, NULL);
    sink = a.sum + b.sum;
}

/* ---- tables */

static ilk_schema *schema(const char *family, ilk_kind kind, size_t d) {
    ilk_schema *s;
    ilk_error err;
    must(ilk_schema_new(&s, &err), &err);
    for (size_t j = 0; j < d; j++) {
        char name[16];
        int n = snprintf(name, sizeof name, "x%zu", j);
        ilk_column c = {.name = {name, (size_t)n}, .kind = kind, .family = family};
        c.tokenizer = (ilk_tokenizer){.ngram_min = 1, .ngram_max = 1};
        must(ilk_schema_add(s, &c, &err), &err);
    }
    return s;
}

static ilk_stats *stats_of(const ilk_schema *s, uint32_t classes) {
    ilk_stats *stats;
    ilk_error err;
    uint32_t k;
    must(ilk_stats_new(&stats, s, &err), &err);
    for (uint32_t i = 0; i < classes; i++)
        must(ilk_stats_class(&k, stats, (ilk_str){&"abcdefghij"[i], 1}, &err), &err);
    return stats;
}

static ilk_model *fit(const ilk_schema *s, const ilk_rows *rows, ilk_stats *empty) {
    ilk_error err;
    ilk_model *m;
    (void)s;
    must(ilk_stats_add(empty, rows, &err), &err);
    must(ilk_model_estimate(&m, empty, NULL, &err), &err);
    return m;
}

/* Fitting n rows takes twice as long as n / 2 of them: sums are all that is made of rows. In turns, because the machine
 * is not equally fast all the time. */
static void linear(const char *family, const double *X, const uint32_t *label, size_t n, size_t d) {
    ilk_schema *s = schema(family, ILK_REAL, d);
    double seconds[2] = {INFINITY, INFINITY};
    double begin = now();
    for (int run = 0; more_runs(run / 2, begin); run++) {
        ilk_rows rows = {.n = run % 2 ? n : n / 2, .real = X, .label = label, .threads = THREADS};
        ilk_stats *stats = stats_of(s, 2);
        double start = now();
        ilk_model_free(fit(s, &rows, stats));
        seconds[run % 2] = fmin(seconds[run % 2], now() - start);
        ilk_stats_free(stats);
    }
    char what[64];
    snprintf(what, sizeof what, "fit %s, %zu x %zu", family, n, d);
    line(what, seconds[1], "half of the rows", seconds[0]);
    ilk_schema_free(s);
}

/* Time fit, posterior and leave-one-out of one family on one table. */
static void gaussians(const char *family, const double *X, const uint32_t *label, size_t n, size_t d, double fit_limit,
                      const char *fit_name, double posterior_limit, const char *posterior_name) {
    ilk_schema *s = schema(family, ILK_REAL, d);
    ilk_rows rows = {.n = n, .real = X, .label = label, .threads = THREADS};
    double seconds = INFINITY, *out = alloc(2 * n, sizeof *out);
    char what[64];
    ilk_model *m = NULL;
    ilk_error err;
    double begin = now();
    for (int run = 0; more_runs(run, begin); run++) {
        ilk_stats *stats = stats_of(s, 2);
        ilk_model_free(m);
        double start = now();
        m = fit(s, &rows, stats);
        seconds = fmin(seconds, now() - start);
        ilk_stats_free(stats);
    }
    snprintf(what, sizeof what, "fit %s, %zu x %zu", family, n, d);
    line(what, seconds, fit_name, fit_limit);
    BEST(seconds, must(ilk_model_posterior(out, m, &rows, &err), &err));
    snprintf(what, sizeof what, "posterior %s, %zu x %zu", family, n, d);
    line(what, seconds, posterior_name, posterior_limit);
    double prediction = seconds;
    BEST(seconds, must(ilk_model_leave_one_out(out, m, &rows, &err), &err));
    snprintf(what, sizeof what, "leave-one-out %s, %zu x %zu", family, n, d);
    line(what, seconds, "its posterior", prediction);
    rows.threads = 1;
    BEST(seconds, must(ilk_model_posterior(out, m, &rows, &err), &err));
    snprintf(what, sizeof what, "posterior %s, one thread", family);
    line(what, seconds, "with two threads", prediction);
    ilk_model_free(m);
    ilk_schema_free(s);
    free(out);
}

#ifdef BENCH_BLAS
/* The threads of BLAS itself are switched off; those of syrk_twice need one that several may call at once, as OpenBLAS
 * with threads is. */
typedef struct product {
    const double *X;
    double *S, *Y;
    size_t n, d;
} product;

static void *syrk(void *argument) {
    const product *p = argument;
    int d = (int)p->d;
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, d, (int)p->n, 1, p->X, d, 0, p->S, d);
    return NULL;
}

static void *gemm(void *argument) {
    const product *p = argument;
    int d = (int)p->d;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)p->n, d, d, 1, p->X, d, p->S, d, 0, p->Y, d);
    return NULL;
}

/* Half of the rows each: what two threads of this machine can do at most. */
static void syrk_twice(const product *whole) {
    product a = *whole, b = *whole;
    a.n = whole->n / 2;
    b.n -= a.n;
    b.X += a.n * a.d;
    b.S += a.d * a.d;
    pthread_t t;
    if (pthread_create(&t, NULL, syrk, &a))
        exit(1);
    syrk(&b);
    pthread_join(t, NULL);
}
#endif

static void reals(size_t n, size_t d) {
    double *X = alloc(n * d, sizeof *X), read = 0, twice = 1, dgemm = 1;
    uint32_t *label = alloc(n, sizeof *label);
    for (size_t i = 0; i < n; i++) {
        label[i] = (uint32_t)(next() >> 63);
        for (size_t j = 0; j < d; j++)
            X[i * d + j] = bell() + 0.1 * label[i];
    }
    BEST(read, read_all(X, n * d));
    printf("memory read: %.1f GB/s\n", (double)(n * d) * 8e-9 / read);
#ifdef BENCH_BLAS
    double dsyrk;
    product p = {X, alloc(2 * d * d, sizeof *p.S), alloc(n * d, sizeof *p.Y), n, d};
    openblas_set_num_threads(1);
    BEST(dsyrk, syrk(&p));
    BEST(twice, syrk_twice(&p));
    BEST(dgemm, gemm(&p));
    printf("bare dsyrk: one thread %.4f s, two threads, half of the rows each, %.4f s\n", dsyrk, twice);
    free(p.S);
    free(p.Y);
#endif
    gaussians("gda", X, label, n, d, twice, "bare dsyrk, two threads", dgemm, "bare dgemm, one thread");
    gaussians("qda", X, label, n, d, twice, "bare dsyrk, two threads", 2 * dgemm, "two dgemm, one thread");
    gaussians("gaussian", X, label, n, d, read, "reading it", read, "reading it");
    linear("gda", X, label, n, d);
    linear("gaussian", X, label, n, d);
    free(X);
    free(label);
}

/* ---- counts */

static void categories(size_t n, size_t d, uint32_t values) {
    uint32_t *code = alloc(n * d, sizeof *code), *label = alloc(n, sizeof *label);
    double *out = alloc(2 * n, sizeof *out), seconds = INFINITY, naive;
    ilk_schema *s = schema("categorical", ILK_CATEGORY, d);
    ilk_rows rows = {.n = n, .code = code, .label = label, .threads = THREADS};
    ilk_model *m = NULL;
    ilk_error err;
    uint32_t *table = alloc(2 * d * values, sizeof *table);
    for (size_t i = 0; i < n; i++) {
        label[i] = (uint32_t)(next() >> 63);
        for (size_t j = 0; j < d; j++)
            code[i * d + j] = (uint32_t)j * values + (uint32_t)(next() % values);
    }
    double start = now();
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            table[code[i * d + j] * 2 + label[i]]++;
    naive = now() - start;
    sink = table[n % (2 * d)];
    double begin = now();
    for (int run = 0; more_runs(run, begin); run++) {
        ilk_stats *stats = stats_of(s, 2);
        for (size_t j = 0; j < d; j++)
            for (uint32_t v = 0; v < values; v++) {
                char name[16];
                uint32_t id;
                int length = snprintf(name, sizeof name, "v%03u", v);
                must(ilk_stats_code(&id, stats, j, (ilk_str){name, (size_t)length}, &err), &err);
            }
        ilk_model_free(m);
        start = now();
        m = fit(s, &rows, stats);
        seconds = fmin(seconds, now() - start);
        ilk_stats_free(stats);
    }
    line("fit categorical, 1000000 x 20", seconds, "naive loop, one thread", naive);
    printf("%-44s %9.2f GB/s\n", "  that is", (double)(n * d) * 4e-9 / seconds);
    BEST(seconds, must(ilk_model_posterior(out, m, &rows, &err), &err));
    line("posterior categorical, 1000000 x 20", seconds, "naive counting loop", naive);
    ilk_model_free(m);
    ilk_schema_free(s);
    free(code), free(label), free(out), free(table);
}

/* A model is mapped and checked, not read. */
static void time_open(const ilk_model *m, uint32_t words) {
    static const char path[] = "build/bench/words.bayes";
    double seconds = INFINITY;
    ilk_error err;
    must(ilk_model_save(m, NULL, path, &err), &err);
    for (int run = 0; run < RUNS; run++) {
        ilk_model *again;
        double start = now();
        must(ilk_model_open(&again, path, &err), &err);
        seconds = fmin(seconds, now() - start);
        ilk_model_free(again);
    }
    remove(path);
    printf("open a multinomial model of %u words              %.3f ms\n", words, 1e3 * seconds);
}

static void texts(size_t n, size_t length, uint32_t V) {
    size_t *begin = alloc(n + 1, sizeof *begin);
    uint32_t *id = alloc(n * length, sizeof *id), *count = alloc(n * length, sizeof *count),
             *label = alloc(n, sizeof *label);
    double *out = alloc(2 * n, sizeof *out), seconds = INFINITY, bare;
    double *cells = alloc(2 * (size_t)V, sizeof *cells);
    ilk_schema *s = schema("multinomial", ILK_TEXT, 1);
    ilk_tokens bags = {begin, id, count, NULL};
    ilk_rows rows = {.n = n, .text = &bags, .label = label, .threads = THREADS};
    ilk_model *m = NULL;
    ilk_error err;
    for (size_t i = 0; i < n; i++) {
        label[i] = (uint32_t)(next() >> 63);
        begin[i + 1] = begin[i] + length;
        for (size_t w = 0; w < length; w++) {
            id[i * length + w] = (uint32_t)(next() % V);
            count[i * length + w] = 1 + (uint32_t)(next() % 3);
        }
    }
    BEST(bare, for (size_t i = 0; i < n; i++) for (size_t w = 0; w < length; w++)
                   cells[2 * (size_t)id[i * length + w] + label[i]] += count[i * length + w]);
    double first = now();
    for (int run = 0; more_runs(run, first); run++) {
        ilk_stats *stats = stats_of(s, 2);
        for (uint32_t v = 0; v < V; v++) {
            char name[16];
            uint32_t got;
            int written = snprintf(name, sizeof name, "w%06u", v);
            must(ilk_stats_word(&got, stats, 0, (ilk_str){name, (size_t)written}, &err), &err);
        }
        ilk_model_free(m);
        double start = now();
        m = fit(s, &rows, stats);
        seconds = fmin(seconds, now() - start);
        ilk_stats_free(stats);
    }
    line("fit multinomial, 200000 x 100 of 50000", seconds, "bare scatter, one thread", bare);
    BEST(seconds, must(ilk_model_posterior(out, m, &rows, &err), &err));
    line("posterior multinomial, 200000 x 100 of 50000", seconds, "bare scatter, one thread", bare);
    time_open(m, V);
    ilk_model_free(m);
    ilk_schema_free(s);
    free(begin), free(id), free(count), free(label), free(out), free(cells);
}

int main(void) {
    reals(1000000, 50);
    reals(100000, 500);
    categories(1000000, 20, 10);
    texts(200000, 100, 50000);
    return 0;
}
