/* SPDX-License-Identifier: Apache-2.0 */
/* fixtures.h - tables, statistics and models for tests, in few words.
 *
 * A table is text: rows end at line ends, cells at commas, words at blanks; an empty cell is missing. A schema is a
 * line of NAME:FAMILY, or NAME:FAMILY/TRANSFORM with boxcox@LAMBDA, yeo-johnson@LAMBDA or bins@EDGE,EDGE; a bare NAME
 * is the target, NAME:- is ignored, NAME:* is the rows' weight. Whatever is made here asserts that it could be made.
 */
#ifndef ILK_TESTS_FIXTURES_H
#define ILK_TESTS_FIXTURES_H

#include "support.h"

#include <ilk.h>

#include <ftw.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline ilk_str str(const char *s) {
    return (ilk_str){s, strlen(s)};
}

/* As a C string, for printing and for the names below; the last 64 stay. */
static inline const char *text_of(ilk_str s) {
    static char out[64][64];
    static size_t last;
    char *to = out[last++ % 64];
    snprintf(to, sizeof out[0], "%.*s", (int)s.n, s.n ? s.p : "");
    return to;
}

/* ---- assertions */

static ilk_error failure; /* what the calls below pass as err */

#define assert_ok(call)                                                                                                \
    do {                                                                                                               \
        ilk_status ok_status = (call);                                                                                 \
        if (ok_status != ILK_OK)                                                                                       \
            fail_msg("%s: %s: %s", #call, ilk_status_name(ok_status), failure.message);                                \
    } while (0)

/* The call ends in `expected`, and what it says holds `part`. */
#define assert_fails(expected, part, call)                                                                             \
    do {                                                                                                               \
        failure = (ilk_error){0};                                                                                      \
        ilk_status fails_status = (call);                                                                              \
        assert_string_equal(ilk_status_name(fails_status), ilk_status_name(expected));                                 \
        assert_int_equal(failure.status, expected);                                                                    \
        if (!strstr(failure.message, part))                                                                            \
            fail_msg("'%s' is not in '%s'", part, failure.message);                                                    \
    } while (0)

/* Equal, or within `tolerance` of the larger of the two and 1. NaN is close to nothing, an infinity only to itself. */
static inline bool is_close(double a, double b, double tolerance) {
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b))));
}

#define assert_close(a, b, tolerance)                                                                                  \
    do {                                                                                                               \
        double close_a = (a), close_b = (b);                                                                           \
        if (!is_close(close_a, close_b, tolerance))                                                                    \
            fail_msg("%s = %.17g, %s = %.17g, difference %g", #a, close_a, #b, close_b, close_a - close_b);            \
    } while (0)

/* ---- random numbers, the same on every machine (splitmix64) */

typedef struct rng {
    uint64_t state;
} rng;

/* ILK_SEED in the environment overrides; whichever it is, it is printed. */
static inline rng rng_new(uint64_t seed) {
    const char *asked = getenv("ILK_SEED");
    rng r = {asked ? strtoull(asked, NULL, 0) : seed};
    printf("# seed %llu\n", (unsigned long long)r.state);
    return r;
}
static inline uint64_t rng_next(rng *r) {
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}
static inline size_t rng_below(rng *r, size_t n) {
    return (size_t)(rng_next(r) % n);
}
static inline double rng_unit(rng *r) {
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}
static inline double rng_normal(rng *r) {
    double u = 1 - rng_unit(r);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * rng_unit(r));
}

/* ---- memory and files */

static inline void *make(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    assert_non_null(p);
    return p;
}

typedef struct bytes {
    unsigned char *p;
    size_t n;
} bytes;

static char folder[64]; /* this program's own; gone when it ends */

static inline int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}
static inline void remove_folder(void) {
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
/* A path in that folder. Memory before disk, because saving waits for the disk. */
static inline const char *temp_path(const char *name) {
    static char path[256];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/ilk-test-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The folder of golden values; check-all makes them anew in another. */
static inline const char *golden_folder(void) {
    const char *other = getenv("ILK_GOLDEN");
    return other ? other : ILK_TESTS_DIR "/golden";
}

static inline bytes read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    bytes b = {.n = (size_t)ftell(f)};
    rewind(f);
    b.p = make(b.n, 1);
    assert_int_equal(fread(b.p, 1, b.n, f), b.n);
    fclose(f);
    return b;
}

/* ---- tables */

typedef struct table {
    size_t n, columns;
    char **cell; /* n × columns, "" is missing */
    char *text;
} table;

static inline void table_free(table *t) {
    free(t->cell);
    free(t->text);
    *t = (table){0};
}

static inline table table_of(const char *text) {
    table t = {.columns = 1, .text = strdup(text)};
    assert_non_null(t.text);
    for (const char *c = text; *c && *c != '\n'; c++)
        t.columns += *c == ',';
    size_t cells = 0, most = strlen(text) + t.columns;
    t.cell = make(most, sizeof *t.cell);
    for (char *line = t.text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next ? (*next = '\0', 1) : 0;
        for (char *cell = line; cell; t.n += cells % t.columns == 0) {
            t.cell[cells++] = cell;
            cell = strchr(cell, ',');
            cell = cell ? (*cell = '\0', cell + 1) : NULL;
        }
    }
    assert_int_equal(cells, t.n * t.columns);
    return t;
}

/* Rows of another table, which must stay: from … from + n - 1. Not to be freed. */
static inline table table_part(const table *t, size_t from, size_t n) {
    assert_true(from + n <= t->n);
    return (table){.n = n, .columns = t->columns, .cell = t->cell + from * t->columns};
}

/* ---- schemas */

enum { MOST_EDGES = 16 };

/* A transform as schema_of reads it: its edges are in `edge`. */
static inline ilk_transform transform_of(const char *text, double edge[MOST_EDGES]) {
    ilk_transform t = {.edge = edge};
    const char *at = strchr(text, '@');
    assert_non_null(at);
    t.kind = *text == 'y' ? ILK_YEO_JOHNSON : strncmp(text, "bo", 2) == 0 ? ILK_BOX_COX : ILK_BINS;
    if (t.kind != ILK_BINS)
        t.lambda = strtod(at + 1, NULL);
    for (char *end; t.kind == ILK_BINS && at; at = *end == ',' ? end : NULL) {
        assert_in_range(t.edges, 0, MOST_EDGES - 1);
        edge[t.edges++] = strtod(at + 1, &end);
    }
    return t;
}

static inline ilk_column column_of(const char *name, size_t n, const char *family) {
    ilk_column c = {.name = {name, n}, .family = family, .tokenizer = {.ngram_min = 1, .ngram_max = 1}};
    if (!family || strcmp(family, "-") == 0 || strcmp(family, "*") == 0) {
        c.role = !family ? ILK_TARGET : *family == '*' ? ILK_WEIGHT : ILK_IGNORED;
        c.family = NULL;
        return c;
    }
    ilk_family_info info;
    for (size_t i = 0; ilk_family_at(i, &info); i++)
        if (strcmp(info.name, family) == 0)
            c.kind = info.kind;
    return c;
}

/* The same of FAMILY/TRANSFORM, which loses the transform. */
static inline ilk_column transformed_column(const char *name, size_t n, char *family, double edge[MOST_EDGES]) {
    char *slash = family ? strchr(family, '/') : NULL;
    if (slash)
        *slash = '\0';
    ilk_column c = column_of(name, n, family);
    if (slash)
        c.transform = transform_of(slash + 1, edge);
    return c;
}

static inline ilk_schema *schema_of(const char *columns) {
    ilk_schema *schema;
    char *copy = strdup(columns), *rest = copy, *word;
    assert_ok(ilk_schema_new(&schema, &failure));
    while ((word = strtok_r(rest, " ", &rest))) {
        char *colon = strchr(word, ':');
        double edge[MOST_EDGES];
        size_t n = colon ? (size_t)(colon - word) : strlen(word);
        ilk_column c = transformed_column(word, n, colon ? colon + 1 : NULL, edge);
        assert_ok(ilk_schema_add(schema, &c, &failure));
    }
    free(copy);
    return schema;
}

/* ---- rows: a table in the codes of some statistics or of a model */

typedef struct batch {
    ilk_rows rows;
    double *real, *weight;
    uint32_t *code, *label;
    ilk_tokens *text;
    size_t texts;
} batch;

/* Whose codes: one of the two is NULL. */
typedef struct reader {
    ilk_stats *stats;
    const ilk_model *model;
} reader;

static inline uint32_t id_of(reader r, ilk_kind kind, size_t j, ilk_str s) {
    uint32_t id;
    if (r.model)
        return kind == ILK_TEXT ? ilk_model_word(r.model, j, s) : ilk_model_code(r.model, j, s);
    assert_ok(kind == ILK_TEXT ? ilk_stats_word(&id, r.stats, j, s, &failure)
                               : ilk_stats_code(&id, r.stats, j, s, &failure));
    return id;
}

static inline uint32_t class_of(reader r, const char *name) {
    uint32_t id;
    if (r.model)
        return ilk_model_class(r.model, str(name));
    assert_ok(ilk_stats_class(&id, r.stats, str(name), &failure));
    return id;
}

/* The words of one document, each once, appended to id and count. Returns where they end. */
static inline size_t read_bag(reader r, size_t j, const char *cell, uint32_t *id, uint32_t *count, size_t first) {
    size_t end = first;
    for (const char *w = cell + strspn(cell, " "); *w; w += strspn(w, " ")) {
        size_t n = strcspn(w, " "), at = first;
        uint32_t word = id_of(r, ILK_TEXT, j, (ilk_str){w, n});
        while (at < end && id[at] != word)
            at++;
        if (at == end) {
            id[end] = word;
            count[end++] = 0;
        }
        count[at]++;
        w += n;
    }
    return end;
}

#define MISSING_TEXT "NA" /* an empty cell is a text without words */

static inline void read_texts(ilk_tokens *out, reader r, size_t j, const table *t, size_t column) {
    size_t *begin = make(t->n + 1, sizeof *begin), most = 0;
    for (size_t i = 0; i < t->n; i++)
        most += strlen(t->cell[i * t->columns + column]);
    uint32_t *id = make(most, sizeof *id), *count = make(most, sizeof *count);
    bool *missing = make(t->n, sizeof *missing);
    for (size_t i = 0; i < t->n; i++) {
        const char *cell = t->cell[i * t->columns + column];
        missing[i] = strcmp(cell, MISSING_TEXT) == 0;
        begin[i + 1] = missing[i] ? begin[i] : read_bag(r, j, cell, id, count, begin[i]);
    }
    *out = (ilk_tokens){begin, id, count, missing};
}

/* The code of a number's bin. */
static inline uint32_t bin_of(reader r, size_t j, double x) {
    uint32_t code;
    if (r.model)
        return ilk_model_bin(r.model, j, x);
    assert_ok(ilk_stats_bin(&code, r.stats, j, x, &failure));
    return code;
}

static inline void read_column(batch *b, reader r, const ilk_column *c, size_t j, size_t width, const table *t,
                               size_t at) {
    for (size_t i = 0; c->role == ILK_TARGET && i < t->n; i++)
        b->label[i] = class_of(r, t->cell[i * t->columns + at]);
    for (size_t i = 0; c->role == ILK_WEIGHT && i < t->n; i++)
        b->weight[i] = strtod(t->cell[i * t->columns + at], NULL);
    if (c->role != ILK_FEATURE)
        return;
    if (c->kind == ILK_TEXT)
        read_texts(&b->text[j], r, j, t, at);
    for (size_t i = 0; c->kind != ILK_TEXT && i < t->n; i++) {
        const char *cell = t->cell[i * t->columns + at];
        if (c->kind == ILK_REAL)
            b->real[i * width + j] = *cell ? strtod(cell, NULL) : NAN;
        else if (c->transform.kind == ILK_BINS)
            b->code[i * width + j] = bin_of(r, j, *cell ? strtod(cell, NULL) : NAN);
        else
            b->code[i * width + j] = *cell ? id_of(r, ILK_CATEGORY, j, str(cell)) : ILK_MISSING;
    }
}

static inline batch batch_of(reader r, const table *t) {
    const ilk_schema *s = r.model ? ilk_model_schema(r.model) : ilk_stats_schema(r.stats);
    size_t seen[3] = {0};
    batch b = {.texts = ilk_schema_width(s, ILK_TEXT)};
    b.real = make(t->n * ilk_schema_width(s, ILK_REAL), sizeof *b.real);
    b.code = make(t->n * ilk_schema_width(s, ILK_CATEGORY), sizeof *b.code);
    b.label = make(t->n, sizeof *b.label);
    b.weight = ilk_schema_weight(s) == SIZE_MAX ? NULL : make(t->n, sizeof *b.weight);
    b.text = make(b.texts, sizeof *b.text);
    assert_int_equal(ilk_schema_columns(s), t->columns);
    for (size_t j = 0; j < t->columns; j++) {
        const ilk_column *c = ilk_schema_column(s, j);
        read_column(&b, r, c, seen[c->kind], ilk_schema_width(s, c->kind), t, j);
        seen[c->kind] += c->role == ILK_FEATURE;
    }
    b.rows =
        (ilk_rows){.n = t->n, .real = b.real, .code = b.code, .text = b.text, .label = b.label, .weight = b.weight};
    return b;
}

static inline batch batch_for_stats(ilk_stats *s, const table *t) {
    return batch_of((reader){.stats = s}, t);
}
static inline batch batch_for_model(const ilk_model *m, const table *t) {
    return batch_of((reader){.model = m}, t);
}

static inline void batch_free(batch *b) {
    for (size_t j = 0; j < b->texts; j++) {
        free((void *)(uintptr_t)b->text[j].begin);
        free((void *)(uintptr_t)b->text[j].id);
        free((void *)(uintptr_t)b->text[j].count);
        free((void *)(uintptr_t)b->text[j].missing);
    }
    free(b->real);
    free(b->code);
    free(b->label);
    free(b->weight);
    free(b->text);
    *b = (batch){0};
}

/* Leave-one-out of the rows of `text` into out[n × K]. */
static inline void leave_out(double *out, const ilk_model *m, const char *text) {
    table t = table_of(text);
    batch b = batch_for_model(m, &t);
    assert_ok(ilk_model_leave_one_out(out, m, &b.rows, &failure));
    batch_free(&b);
    table_free(&t);
}

/* ---- statistics and models */

static inline ilk_status try_learn(ilk_stats *s, const table *t, bool forget) {
    batch b = batch_for_stats(s, t);
    ilk_status status = forget ? ilk_stats_remove(s, &b.rows, &failure) : ilk_stats_add(s, &b.rows, &failure);
    batch_free(&b);
    return status;
}

static inline ilk_stats *stats_of(const char *columns, const table *t) {
    ilk_schema *schema = schema_of(columns);
    ilk_stats *s;
    assert_ok(ilk_stats_new(&s, schema, &failure));
    ilk_schema_free(schema);
    if (t)
        assert_ok(try_learn(s, t, false));
    return s;
}

/* The same from literal text. */
static inline ilk_stats *learnt(const char *columns, const char *text) {
    table t = table_of(text);
    ilk_stats *s = stats_of(columns, &t);
    table_free(&t);
    return s;
}

static inline ilk_options options_of(double smooth) {
    ilk_options o;
    ilk_options_init(&o);
    o.smooth = smooth;
    return o;
}

static inline ilk_model *estimated(const ilk_stats *s, const ilk_options *o) {
    ilk_model *m;
    assert_ok(ilk_model_estimate(&m, s, o, &failure));
    return m;
}

/* A model of literal text; the statistics are gone. */
static inline ilk_model *model_of(const char *columns, const char *text, const ilk_options *o) {
    ilk_stats *s = learnt(columns, text);
    ilk_model *m = estimated(s, o);
    ilk_stats_free(s);
    return m;
}

/* log p(x, y) of every row and class; the caller frees. */
static inline double *log_joints(const ilk_model *m, const table *t) {
    double *out = make(t->n * ilk_model_classes(m), sizeof *out);
    batch b = batch_for_model(m, t);
    assert_ok(ilk_model_log_joint(out, m, &b.rows, &failure));
    batch_free(&b);
    return out;
}

/* The file of a model. */
static inline bytes saved(const ilk_model *m, const ilk_stats *s) {
    assert_ok(ilk_model_save(m, s, temp_path("saved.bayes"), &failure));
    return read_file(temp_path("saved.bayes"));
}

static inline void assert_same_bytes(bytes a, bytes b) {
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
}

/* ---- looking inside */

typedef struct fact_query {
    const char *quantity, *column, *key;
    uint32_t k;
    ilk_fact found;
    size_t times;
} fact_query;

static inline ilk_status match_fact(void *ctx, const ilk_fact *f) {
    fact_query *q = ctx;
    ilk_str column = str(q->column), key = str(q->key);
    if (strcmp(f->quantity, q->quantity) == 0 && f->k == q->k && f->column.n == column.n && f->key.n == key.n &&
        memcmp(f->column.p ? f->column.p : "", column.p, column.n) == 0 &&
        memcmp(f->key.p ? f->key.p : "", key.p, key.n) == 0) {
        q->found = *f;
        q->times++;
    }
    return ILK_OK;
}

/* The one fact of that name; `class` is "" where it holds for all. */
static inline ilk_fact fact(const ilk_model *m, const char *quantity, const char *column, const char *key,
                            const char *class) {
    fact_query q = {.quantity = quantity, .column = column, .key = key};
    q.k = *class ? ilk_model_class(m, str(class)) : ILK_NONE;
    assert_ok(ilk_model_describe(m, match_fact, &q, &failure));
    if (q.times != 1)
        fail_msg("%zu facts %s(%s, %s|%s)", q.times, quantity, column, key, class);
    return q.found;
}

/* ---- the file of a model by default, which holds the statistics, too */

static inline bytes stats_file(const ilk_stats *s) {
    ilk_model *m = estimated(s, NULL);
    bytes b = saved(m, s);
    ilk_model_free(m);
    return b;
}

static inline void assert_same_stats(const ilk_stats *a, const ilk_stats *b) {
    bytes x = stats_file(a), y = stats_file(b);
    assert_same_bytes(x, y);
    free(x.p);
    free(y.p);
}

#endif
