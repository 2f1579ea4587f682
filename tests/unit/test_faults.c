/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults.c - every public function of ilk.h with its n-th allocation, or its n-th file operation, failing, for
 * n = 1, 2, … until none is left: an error or success, nothing leaked (AddressSanitizer), and all objects as they were.
 *
 * Builds without ILK_FAULTS run every function once, and check that the list of them is complete. */
#include "faults.h"

#include "core/memory.h"
#include "model/schema.h"
#include "model/stats.h"

static const char *const columns =
    "x:gda c:categorical y:gda t:multinomial z:gaussian/yeo-johnson@0.5 b:categorical/bins@2,4 u:table v:table k";
static const char *const rows =
    "1,red,2,hot day,0.5,1,m,n,p\n2,blue,1,,0.25,3,m,o,q\n4,red,4,cold cold,3,,m,n,q\n0,,3,day,1,9,,o,p\n"
    "5,green,1,hot,2,4,l,o,p\n6,blue,2,day hot hot,,2,l,,q\n3,red,7,cold,5,5,m,n,q\n";
/* Rows with classes, values and words of their own, so many that every store must grow to take them. */
static table new_rows(const char *mark) {
    char text[4096];
    size_t n = 0;
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%d,v%s%d,%d,hot %s%d w%s%d,%d,%d,u%d,v%d,%s\n", i, mark, i,
                              i * i % 7, mark, i, mark, i / 2, i % 5, i % 6, i % 9, i % 4, i % 3 ? mark : "p");
    return table_of(text);
}

/* Objects to call functions on; made without faults. */
struct scene {
    ilk_schema *schema;
    ilk_stats *stats, *shard, *other; /* shard is a part of stats, other is not */
    ilk_model *model;
    ilk_model *few[2]; /* of one column: by distance, and by simulation, is told what is an outlier */
    batch few_asked[2];
    table table;
    batch learnt, asked, known; /* new rows and old ones in the codes of stats, old ones in those of model */
    bytes file;
    char path[256];
    double answer[32];
};

static scene *scene_new(void) {
    scene *s = make(1, sizeof *s);
    table extra = new_rows("r"), elsewhere = new_rows("s"), first;
    *s = (scene){.schema = schema_of(columns), .table = table_of(rows)};
    s->stats = stats_of(columns, &s->table);
    s->learnt = batch_for_stats(s->stats, &extra);
    first = table_part(&s->table, 0, 3);
    s->known = batch_for_stats(s->stats, &first);
    s->shard = stats_of(columns, &first);
    s->other = stats_of(columns, &elsewhere);
    static const char *const one_column[] = {"x:gda k", "c:categorical k"};
    for (size_t i = 0; i < 2; i++) {
        table t = table_of(i ? "u,p\nv,p\nv,q\n,q\n" : "1,p\n3,p\n2,q\n7,q\n");
        ilk_stats *one = stats_of(one_column[i], &t);
        s->few[i] = estimated(one, NULL);
        s->few_asked[i] = batch_for_model(s->few[i], &t);
        ilk_stats_free(one);
        table_free(&t);
    }
    s->model = estimated(s->stats, NULL);
    s->asked = batch_for_model(s->model, &s->table);
    s->file = saved(s->model, s->stats);
    snprintf(s->path, sizeof s->path, "%s", temp_path("saved.bayes"));
    table_free(&extra);
    table_free(&elsewhere);
    return s;
}

static void scene_free(scene *s) {
    ilk_schema_free(s->schema);
    ilk_stats_free(s->stats);
    ilk_stats_free(s->shard);
    ilk_stats_free(s->other);
    ilk_model_free(s->model);
    for (size_t i = 0; i < 2; i++) {
        ilk_model_free(s->few[i]);
        batch_free(&s->few_asked[i]);
    }
    batch_free(&s->learnt);
    batch_free(&s->known);
    batch_free(&s->asked);
    table_free(&s->table);
    free(s->file.p);
    free(s);
}

/* Everything the objects know, as bytes. */
static bytes scene_digest(const scene *s) {
    ilk_buffer b = {0};
    ilk_model *m = estimated(s->stats, NULL);
    assert_ok(ilk_model_save(m, s->stats, temp_path("digest"), &failure));
    bytes file = read_file(temp_path("digest")), on_disk = read_file(s->path);
    double *p = log_joints(s->model, &s->table);
    assert_int_equal(ilk_schema_put(&b, s->schema), ILK_OK);
    assert_int_equal(ilk_buffer_add(&b, file.p, file.n), ILK_OK);
    assert_int_equal(ilk_buffer_add(&b, on_disk.p, on_disk.n), ILK_OK);
    assert_int_equal(ilk_buffer_add(&b, p, s->table.n * ilk_model_classes(s->model) * sizeof *p), ILK_OK);
    free(p);
    free(file.p);
    free(on_disk.p);
    ilk_model_free(m);
    return (bytes){(unsigned char *)b.p, b.n};
}

/* ---- one call each; what it makes is freed again */

static ilk_status call_schema_new(scene *s, ilk_error *err) {
    ilk_schema *out = garbage;
    (void)s;
    ilk_status status = ilk_schema_new(&out, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_schema_free(out);
    return status;
}
static ilk_status call_schema_add(scene *s, ilk_error *err) {
    static const char *const long_name =
        "a column whose name is so long that the memory for names must grow to take it in";
    static const double edge[] = {1, 2};
    ilk_column c = column_of(long_name, strlen(long_name), "categorical");
    c.transform = (ilk_transform){.kind = ILK_BINS, .edge = edge, .edges = 2};
    return ilk_schema_add(s->schema, &c, err);
}
static ilk_status call_schema_add_missing(scene *s, ilk_error *err) {
    return ilk_schema_add_missing(s->schema, str("not there"), err);
}
static ilk_status call_schema_add_word(scene *s, ilk_error *err) {
    return ilk_schema_add_word(s->schema, 0, ILK_WORD_STOPPED, str("the"), err);
}
static ilk_status call_stats_new(scene *s, ilk_error *err) {
    ilk_stats *out = garbage;
    ilk_status status = ilk_stats_new(&out, s->schema, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_stats_free(out);
    return status;
}
/* Several new names, so that the dictionaries grow. */
static ilk_status call_names(scene *s, ilk_error *err,
                             ilk_status (*name)(uint32_t *, ilk_stats *, size_t, ilk_str, ilk_error *)) {
    char text[48];
    for (int i = 0; i < 40; i++) {
        uint32_t id = 12345;
        snprintf(text, sizeof text, "a name that was not there before %d", i);
        ilk_status status = name(&id, s->stats, 0, str(text), err);
        assert_int_equal(status != ILK_OK, id >= ILK_UNSEEN);
        if (status != ILK_OK)
            return status;
    }
    return ILK_OK;
}
static ilk_status class_of_any(uint32_t *out, ilk_stats *stats, size_t j, ilk_str name, ilk_error *err) {
    (void)j;
    return ilk_stats_class(out, stats, name, err);
}
static ilk_status call_stats_class(scene *s, ilk_error *err) {
    return call_names(s, err, class_of_any);
}
static ilk_status call_stats_code(scene *s, ilk_error *err) {
    return call_names(s, err, ilk_stats_code);
}
static ilk_status call_stats_word(scene *s, ilk_error *err) {
    return call_names(s, err, ilk_stats_word);
}
/* Texts of old words and of so many new ones that all must grow. A row that fails is not there. */
static ilk_status fill_bag(ilk_bag *bag, ilk_error *err) {
    char text[4096] = "hot hot day";
    size_t n = strlen(text), begin = 0;
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " a\xC3\x85 word%d", i);
    for (size_t i = 0; i < 40; i++) {
        ilk_status status = ilk_bag_add(bag, (ilk_str){text, i < 39 ? 11 : n}, err);
        ilk_tokens tokens = ilk_bag_tokens(bag);
        if (status != ILK_OK)
            return assert_int_equal(tokens.begin[i], begin), status;
        begin = tokens.begin[i + 1];
        assert_true(begin - tokens.begin[i] >= 2 && tokens.count[begin - 1] > 0);
    }
    return ILK_OK;
}
/* What has been of use once is so again: the second time needs no memory. */
static ilk_status use_bag(ilk_bag *bag, ilk_status made, ilk_error *err) {
    assert_int_equal(made == ILK_OK, bag != NULL);
    ilk_status status = made == ILK_OK ? fill_bag(bag, err) : made;
    if (status == ILK_OK) {
        ilk_bag_clear(bag);
#ifdef ILK_FAULTS
        uint_fast64_t before = atomic_load(&ilk_allocation_fault.seen);
        status = fill_bag(bag, err);
        assert_int_equal(atomic_load(&ilk_allocation_fault.seen), before);
#else
        status = fill_bag(bag, err);
#endif
    }
    ilk_bag_free(bag);
    return status;
}
static ilk_status call_stats_bag(scene *s, ilk_error *err) {
    ilk_bag *bag = garbage;
    ilk_status status = ilk_stats_bag(&bag, s->stats, 0, err);
    return use_bag(bag, status, err);
}
static ilk_status call_model_bag(scene *s, ilk_error *err) {
    ilk_bag *bag = garbage;
    ilk_status status = ilk_model_bag(&bag, s->model, 0, err);
    return use_bag(bag, status, err);
}
static ilk_status call_stats_add(scene *s, ilk_error *err) {
    return ilk_stats_add(s->stats, &s->learnt.rows, err);
}
static ilk_status call_stats_remove(scene *s, ilk_error *err) {
    return ilk_stats_remove(s->stats, &s->known.rows, err);
}
static ilk_status call_stats_merge(scene *s, ilk_error *err) {
    return ilk_stats_merge(s->stats, s->other, err);
}
static ilk_status call_stats_subtract(scene *s, ilk_error *err) {
    return ilk_stats_subtract(s->stats, s->shard, err);
}
/* A class that came with new rows goes again; the rows of the others stay. */
static ilk_status call_stats_remove_class(scene *s, ilk_error *err) {
    ilk_status status = ilk_stats_add(s->stats, &s->learnt.rows, err);
    return status == ILK_OK ? ilk_stats_remove_class(s->stats, str("r"), err) : status;
}
static ilk_status call_model_lock(scene *s, ilk_error *err) {
    ilk_lock *out = garbage;
    ilk_status status = ilk_model_lock(&out, s->path, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    if (status == ILK_OK)
        status = ilk_lock_check(out, err);
    ilk_lock_free(out);
    return status;
}
static ilk_status call_model_estimate(scene *s, ilk_error *err) {
    ilk_model *out = garbage;
    ilk_options o = options_of(0.5);
    o.real_family = NULL;
    o.vocab = 2;
    ilk_status status = ilk_model_estimate(&out, s->stats, &o, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_model_free(out);
    return status;
}
static ilk_status call_model_save(scene *s, ilk_error *err) {
    return ilk_model_save(s->model, s->stats, s->path, err);
}
static ilk_status call_model_open(scene *s, ilk_error *err) {
    ilk_model *out = garbage;
    ilk_status status = ilk_model_open(&out, s->path, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_model_free(out);
    return status;
}
static ilk_status call_model_read(scene *s, ilk_error *err) {
    ilk_model *out = garbage;
    ilk_status status = ilk_model_read(&out, s->file.p, s->file.n, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_model_free(out);
    return status;
}
static ilk_status call_model_stats(scene *s, ilk_error *err) {
    ilk_model *with;
    ilk_stats *out = garbage;
    ilk_status status = ilk_model_read(&with, s->file.p, s->file.n, err);
    if (status == ILK_OK) {
        status = ilk_model_stats(&out, with, err);
        assert_int_equal(status == ILK_OK, out != NULL);
        ilk_stats_free(out);
    }
    ilk_model_free(with);
    return status;
}
static ilk_status call_stats_save(scene *s, ilk_error *err) {
    ilk_given given[] = {{str("a class of another shard"), 0.25}, {str("and one more"), 0.5}};
    ilk_options o = options_of(0.5);
    o.prior = ILK_PRIOR_GIVEN;
    o.given = given;
    o.givens = 2;
    return ilk_stats_save(s->stats, &o, temp_path("alone.bayes"), err);
}
static ilk_status call_schema_open(scene *s, ilk_error *err) {
    ilk_schema *out = garbage;
    ilk_status status = ilk_schema_open(&out, s->path, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_schema_free(out);
    return status;
}
static ilk_status call_stats_open(scene *s, ilk_error *err) {
    ilk_stats *out = garbage;
    ilk_status status = ilk_stats_open(&out, s->path, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_stats_free(out);
    return status;
}
static ilk_status call_stats_read(scene *s, ilk_error *err) {
    ilk_stats *out = garbage;
    ilk_status status = ilk_stats_read(&out, s->file.p, s->file.n, err);
    assert_int_equal(status == ILK_OK, out != NULL);
    ilk_stats_free(out);
    return status;
}
static ilk_status call_log_joint(scene *s, ilk_error *err) {
    return ilk_model_log_joint(s->answer, s->model, &s->asked.rows, err);
}
static ilk_status call_posterior(scene *s, ilk_error *err) {
    return ilk_model_posterior(s->answer, s->model, &s->asked.rows, err);
}
static ilk_status call_log_density(scene *s, ilk_error *err) {
    return ilk_model_log_density(s->answer, s->model, &s->asked.rows, err);
}
static ilk_status call_predict(scene *s, ilk_error *err) {
    uint32_t out[64];
    assert_true(s->asked.rows.n <= 64);
    return ilk_model_predict(out, s->model, &s->asked.rows, err);
}

/* The rows asked, as if all were of the first class. */
static ilk_rows labelled(const scene *s) {
    static const uint32_t first[64];
    ilk_rows asked = s->asked.rows;
    asked.label = first;
    return asked;
}
static ilk_status call_leave_one_out(scene *s, ilk_error *err) {
    ilk_rows asked = labelled(s);
    return ilk_model_leave_one_out(s->answer, s->model, &asked, err);
}
/* With nothing to choose: one model, where a choice makes dozens in the same way (see test_choose.c). */
static ilk_status call_choose(scene *s, ilk_error *err) {
    ilk_options o = options_of(0.5);
    ilk_loo worth;
    return ilk_stats_choose(&o, &worth, s->stats, &s->known.rows, err);
}
static ilk_status call_log_likelihood(scene *s, ilk_error *err) {
    ilk_rows asked = labelled(s);
    return ilk_model_log_likelihood(s->answer, s->model, &asked, err);
}
static ilk_status ignore_rows(void *ctx, const ilk_rows *drawn) {
    (void)ctx, (void)drawn;
    return ILK_OK;
}
static ilk_status call_sample(scene *s, ilk_error *err) {
    return ilk_model_sample(s->model, 3, 1, ignore_rows, NULL, err);
}
static ilk_status call_outlier(scene *s, ilk_error *err) {
    double p[4];
    ilk_status status = ilk_model_outlier(s->answer, NULL, s->model, &s->asked.rows, 1, err);
    for (size_t i = 0; status == ILK_OK && i < 2; i++)
        status = ilk_model_outlier(s->answer, p, s->few[i], &s->few_asked[i].rows, 1, err);
    return status;
}
static ilk_status call_declare(scene *s, ilk_error *err) {
    uint32_t id;
    return ilk_stats_declare(&id, s->stats, ILK_CATEGORY, 0, str("a colour nobody has seen"), err);
}
static ilk_status ignore_part(void *ctx, const ilk_part *p) {
    (void)ctx, (void)p;
    return ILK_OK;
}
static ilk_status ignore_fact(void *ctx, const ilk_fact *f) {
    (void)ctx, (void)f;
    return ILK_OK;
}
static ilk_status call_explain(scene *s, ilk_error *err) {
    return ilk_model_explain(s->model, &s->asked.rows, 5, 0, 1, ignore_part, NULL, err);
}
static ilk_status call_describe(scene *s, ilk_error *err) {
    return ilk_model_describe(s->model, ignore_fact, NULL, err);
}
static ilk_status call_words(scene *s, ilk_error *err) {
    ilk_word word[2];
    size_t n = 2;
    return ilk_model_words(word, &n, s->model, 0, 0, err);
}

/* All that cannot fail. They must not allocate either: there would be no way to say that it failed. */
static void count_note(void *ctx, const char *note) {
    (void)note;
    ++*(size_t *)ctx;
}

static ilk_status call_looks(scene *s, ilk_error *err) {
    ilk_family_info info;
    ilk_options o;
    double p[2] = {-1, -2};
    (void)err;
    assert_true(ilk_version() && ilk_build_info() && ilk_status_name(ILK_OK) && ilk_family_at(0, &info));
    ilk_options_init(&o);
    assert_true(ilk_slips(str("tagret"), str("Target")) == 1 && ilk_slips(str("pred"), str("predict")) == 1 &&
                ilk_slips(str("x"), str("y")) == SIZE_MAX && ilk_slips(str(""), str("y")) == SIZE_MAX);
    ilk_bayes(p, p, 2);
    assert_int_equal(ilk_argmax(p, 2), 0);
    uint32_t three = 3;
    ilk_tokenizer once = {.weight = ILK_TERM_BINARY};
    ilk_tokenizer_weigh(&three, NULL, 1, &once);
    assert_true(three == 1 && ilk_tokenizer_unit(&once) == 1);
    assert_true(ilk_schema_columns(s->schema) == 9 && ilk_schema_column(s->schema, 0) &&
                ilk_schema_width(s->schema, ILK_REAL) == 3);
    assert_true(ilk_schema_find(s->schema, str("k")) == 8 && ilk_schema_target(s->schema) == 8);
    assert_true(ilk_schema_weight(s->schema) == SIZE_MAX);
    assert_true(ilk_schema_set_encoding(s->schema, NULL, NULL) == ILK_OK && !ilk_schema_encoding(s->schema));
    assert_true(ilk_schema_words(s->schema, 0, ILK_WORD_LISTED) == 0 && ilk_schema_missing_count(s->schema) == 0 &&
                ilk_schema_missing(s->schema, 0).n == 0);
    size_t notes = 0;
    ilk_stats_notes(s->stats, count_note, &notes);
    assert_int_equal(notes, 0);
    assert_true(ilk_stats_options(s->stats)->smooth == 1 && !ilk_stats_alone(s->stats));
    assert_true(ilk_stats_rows(s->stats) == 7 && ilk_stats_classes(s->stats) == 2 && ilk_stats_schema(s->stats));
    assert_true(ilk_model_schema(s->model) && ilk_model_options(s->model)->smooth == 1 &&
                ilk_model_classes(s->model) == 2);
    assert_true(ilk_model_class(s->model, ilk_model_class_name(s->model, 1)) == 1 &&
                ilk_model_log_prior(s->model, 0) < 0);
    assert_true(ilk_model_code(s->model, 0, str("red")) < ILK_UNSEEN &&
                ilk_model_word(s->model, 0, str("hot")) < ILK_UNSEEN);
    uint32_t first, end;
    ilk_model_keys(&first, &end, s->model, ILK_TEXT, 0);
    assert_int_equal(end - first, 3);
    assert_string_equal(text_of(ilk_model_key(s->model, ILK_TEXT, 0, first)), "cold");
    ilk_model_keys(&first, &end, s->model, ILK_REAL, 0);
    assert_true(first == 0 && end == 0 && ilk_model_key(s->model, ILK_CATEGORY, 7, 0).n == 0);
    char text[ILK_BIN_NAME];
    const ilk_transform *bins = &ilk_schema_column(s->schema, 5)->transform;
    assert_true(ilk_transform_bin(bins, 3) == 2 && ilk_transform_bin_name(text, bins, 2) == 5 &&
                ilk_transform_text(text, sizeof text, bins) == 8 && ilk_model_bin(s->model, 1, 3) < ILK_UNSEEN);
    uint32_t code;
    assert_true(ilk_stats_bin(&code, s->stats, 1, 3, err) == ILK_OK && code < ILK_UNSEEN);
    ilk_schema_free(NULL);
    ilk_stats_free(NULL);
    ilk_model_free(NULL);
    return ILK_OK;
}

static const call calls[] = {
    {"ilk_version ilk_build_info ilk_status_name ilk_family_at ilk_options_init ilk_bayes ilk_argmax "
     "ilk_schema_columns ilk_schema_column ilk_schema_width ilk_schema_find ilk_schema_target ilk_schema_missing_count "
     "ilk_transform_bin ilk_transform_bin_name ilk_transform_text ilk_model_bin ilk_stats_bin "
     "ilk_tokenizer_unit ilk_tokenizer_weigh ilk_schema_weight ilk_schema_set_encoding ilk_schema_encoding "
     "ilk_schema_missing ilk_stats_rows ilk_stats_classes ilk_stats_notes ilk_stats_schema ilk_stats_options "
     "ilk_stats_alone "
     "ilk_model_schema "
     "ilk_model_options "
     "ilk_slips ilk_model_keys ilk_model_key ilk_model_classes ilk_model_class ilk_model_class_name "
     "ilk_model_log_prior "
     "ilk_model_code ilk_model_word ilk_schema_words "
     "ilk_schema_free ilk_stats_free ilk_model_free",
     call_looks, 0},
    {"ilk_schema_new", call_schema_new, ALLOCATES},
    {"ilk_schema_add", call_schema_add, ALLOCATES | CHANGES},
    {"ilk_schema_add_missing", call_schema_add_missing, ALLOCATES | CHANGES},
    {"ilk_schema_add_word", call_schema_add_word, ALLOCATES | CHANGES},
    {"ilk_stats_new", call_stats_new, ALLOCATES},
    {"ilk_stats_class", call_stats_class, ALLOCATES}, /* a name without rows is not seen from outside */
    {"ilk_stats_code", call_stats_code, ALLOCATES},
    {"ilk_stats_word", call_stats_word, ALLOCATES},
    {"ilk_stats_bag ilk_bag_add ilk_bag_tokens ilk_bag_clear ilk_bag_free", call_stats_bag, ALLOCATES},
    {"ilk_model_bag", call_model_bag, ALLOCATES},
    {"ilk_stats_add", call_stats_add, ALLOCATES | CHANGES},
    {"ilk_stats_remove", call_stats_remove, ALLOCATES | CHANGES},
    {"ilk_stats_merge", call_stats_merge, ALLOCATES | CHANGES},
    {"ilk_stats_subtract", call_stats_subtract, ALLOCATES | CHANGES},
    {"ilk_stats_remove_class", call_stats_remove_class, ALLOCATES | CHANGES},
    {"ilk_model_lock ilk_lock_check ilk_lock_free", call_model_lock, ALLOCATES | DOES_IO},
    {"ilk_model_estimate", call_model_estimate, ALLOCATES},
    {"ilk_model_save", call_model_save, ALLOCATES | DOES_IO}, /* over a file of the same content */
    {"ilk_model_open", call_model_open, ALLOCATES | DOES_IO},
    {"ilk_stats_save", call_stats_save, ALLOCATES | DOES_IO},
    {"ilk_schema_open", call_schema_open, ALLOCATES | DOES_IO},
    {"ilk_stats_open", call_stats_open, ALLOCATES | DOES_IO},
    {"ilk_stats_read", call_stats_read, ALLOCATES},
    {"ilk_model_read", call_model_read, ALLOCATES},
    {"ilk_model_stats", call_model_stats, ALLOCATES},
    {"ilk_model_log_joint", call_log_joint, ALLOCATES},
    {"ilk_model_posterior", call_posterior, ALLOCATES},
    {"ilk_model_log_density", call_log_density, ALLOCATES},
    {"ilk_model_predict", call_predict, ALLOCATES},
    {"ilk_model_leave_one_out", call_leave_one_out, ALLOCATES},
    {"ilk_stats_choose", call_choose, ALLOCATES},
    {"ilk_model_log_likelihood", call_log_likelihood, ALLOCATES},
    {"ilk_model_sample", call_sample, ALLOCATES},
    {"ilk_model_outlier", call_outlier, ALLOCATES},
    {"ilk_stats_declare", call_declare, ALLOCATES | CHANGES},
    {"ilk_model_explain", call_explain, ALLOCATES},
    {"ilk_model_describe", call_describe, ALLOCATES},
    {"ilk_model_words", call_words, ALLOCATES},
};
static const suite tried = {"ilk.h", calls, sizeof calls / sizeof *calls};

#ifdef ILK_FAULTS
static void seam__fails_on_demand(void **state) {
    (void)state;
    for (int sticky = 0; sticky <= 1; sticky++) {
        ilk_fault_arm(&ilk_allocation_fault, 2, sticky);
        void *p[] = {ilk_alloc(1, 8), ilk_zalloc(1, 8), ilk_realloc(NULL, 1, 8), ilk_alloc_aligned(1, 8)};
        ilk_fault_arm(&ilk_allocation_fault, 1, sticky);
        void *aligned = ilk_alloc_aligned(1, 8), *grown = ilk_realloc(NULL, 1, 8);
        ilk_fault_arm(&ilk_allocation_fault, 0, false);
        assert_true(p[0] && !p[1] && (p[2] == NULL) == sticky && (p[3] == NULL) == sticky && !aligned &&
                    (grown == NULL) == sticky);
        for (size_t i = 0; i < 4; i++)
            ilk_free(p[i]);
        ilk_free(grown);
    }
}

static void every_allocation__may_fail_once(void **state) {
    (void)state;
    fail_all(&ilk_allocation_fault, false);
}

static void every_allocation__may_fail_from_then_on(void **state) {
    (void)state;
    fail_all(&ilk_allocation_fault, true);
}

static void every_file_operation__may_fail_once(void **state) {
    (void)state;
    fail_all(&ilk_io_fault, false);
}

static void every_file_operation__may_fail_from_then_on(void **state) {
    (void)state;
    fail_all(&ilk_io_fault, true);
}

/* Is this ever said where an allocation fails in the estimate? */
static bool is_said(const ilk_stats *s, const char *expected) {
    ilk_model *m = NULL;
    bool said = false;
    for (uint64_t n = 1; !m; n++) {
        failure = (ilk_error){0};
        ilk_fault_arm(&ilk_allocation_fault, n, false);
        ilk_status status = ilk_model_estimate(&m, s, NULL, &failure);
        ilk_fault_arm(&ilk_allocation_fault, 0, false);
        assert_int_equal(status, m ? ILK_OK : ILK_ENOMEM);
        said = said || strstr(failure.message, expected);
    }
    ilk_model_free(m);
    return said;
}

/* New classes, one at a time, each allocation failing in turn: either nothing is said of gda, or how much room `each`
 * class takes. Counts what was said of one class and of several. */
static void name_classes(ilk_stats *s, size_t first, double each, size_t said[2]) {
    for (size_t K = first; K <= 40; K++) {
        char name[8], expected[100];
        ilk_status status = ILK_ENOMEM;
        snprintf(name, sizeof name, "%zu", K);
        snprintf(expected, sizeof expected, "family gda over 2 columns takes %.3g GB for %zu class%s (each",
                 8 * (double)(K + 1) * each / 1e9, K, K > 1 ? "es" : "");
        for (uint64_t n = 1; status != ILK_OK; n++) {
            uint32_t id;
            failure = (ilk_error){0};
            ilk_fault_arm(&ilk_allocation_fault, n, false);
            status = ilk_stats_class(&id, s, str(name), &failure);
            ilk_fault_arm(&ilk_allocation_fault, 0, false);
            said[K > 1] += strstr(failure.message, expected) != NULL;
            assert_true(!strstr(failure.message, "gda") || strstr(failure.message, expected));
        }
    }
}

/* A full Gaussian takes the square of its columns, and says so: here 9 numbers for each class, and for one more. Where
 * classes have one scatter together it is 3. */
static void classes__that_cannot_be_had_say_how_much_they_need(void **state) {
    (void)state;
    ilk_stats *s = stats_of("x:gda y:gda k", NULL), *pooled = stats_of("x:gda y:gda k", NULL);
    size_t said[2] = {0, 0}, of_pooled[2] = {0, 0};
    uint32_t id;
    name_classes(s, 1, 9, said);
    assert_true(said[0] > 0 && said[1] > 0);
    pooled->store[0].moments.limit = 0;
    assert_ok(ilk_stats_class(&id, pooled, str("1"), &failure));
    name_classes(pooled, 2, 3, of_pooled);
    assert_true(of_pooled[1] > 0);
    ilk_stats_free(s);
    ilk_stats_free(pooled);
}

static ilk_status declared_word(uint32_t *out, ilk_stats *stats, size_t j, ilk_str name, ilk_error *err) {
    return ilk_stats_declare(out, stats, ILK_TEXT, j, name, err);
}

/* A name that failed is not there: the next takes its id, and those before it are found though no memory is left. */
static void names__that_failed_leave_no_trace(void **state) {
    (void)state;
    static ilk_status (*const kinds[])(uint32_t *, ilk_stats *, size_t, ilk_str,
                                       ilk_error *) = {class_of_any, ilk_stats_code, ilk_stats_word, declared_word};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        ilk_stats *s = stats_of("x:gda c:categorical t:multinomial k", NULL);
        for (uint32_t made = 0; made < 40; made++) {
            ilk_status status = ILK_ENOMEM;
            for (uint64_t n = 1; status != ILK_OK; n++) {
                char name[64];
                uint32_t id;
                snprintf(name, sizeof name, "%u, tried with a fault at allocation %llu", made, (unsigned long long)n);
                ilk_fault_arm(&ilk_allocation_fault, n, true);
                status = kinds[kind](&id, s, 0, str(made ? name : "the first"), &failure);
                assert_int_equal(id, status == ILK_OK ? made : kinds[kind] == class_of_any ? ILK_NONE : ILK_MISSING);
                ilk_fault_arm(&ilk_allocation_fault, 1, true);
                if (made > 0)
                    assert_ok(kinds[kind](&id, s, 0, str("the first"), &failure));
                assert_true(made == 0 || id == 0);
                ilk_fault_arm(&ilk_allocation_fault, 0, false);
            }
        }
        ilk_stats_free(s);
    }
}

/* Rows enough to be counted in a table of all keys and classes first: of five classes, whose cells take more room than
 * one each, so that memory also ends in the midst of a column, and behind one that is there already. */
static void large_batches__are_learnt_whole_or_not_at_all(void **state) {
    (void)state;
    enum { N = 1500, K = 5 };
    char *text = make(N + 1, 64);
    for (size_t i = 0, n = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "w%zu w%zu both v%zu,c%zu,u%zu v%zu w%zu,%zu\n", i % 37, i % 41, i % 43, i % 7,
                             i % 31, i % 29, i % 23, i % K);
    table t = table_of(text);
    ilk_status status = ILK_ENOMEM;
    uint64_t n = 0;
    while (status != ILK_OK) {
        ilk_stats *s = learnt("t:multinomial c:categorical u:bernoulli k", "w1 w2,c1,u1,0\nw3,c2,v2,1\n");
        batch b = batch_for_stats(s, &t);
        ilk_model *m = estimated(s, NULL);
        bytes before = saved(m, s);
        ilk_fault_arm(&ilk_allocation_fault, ++n, false);
        status = ilk_stats_add(s, &b.rows, &failure);
        ilk_fault_arm(&ilk_allocation_fault, 0, false);
        bytes after = saved(m, s);
        assert_int_equal(status != ILK_OK, after.n == before.n && memcmp(after.p, before.p, after.n) == 0);
        free(before.p);
        free(after.p);
        batch_free(&b);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
    assert_true(n > 20);
    free(text);
    table_free(&t);
}

static void models__that_cannot_be_had_say_how_much_they_need(void **state) {
    (void)state;
    static const struct {
        const char *columns, *rows, *expected;
    } cases[] = {
        {"x:gda y:gda k", "1,2,a\n2,1,b\n4,4,a\n6,1,b\n3,3,b\n", /* K + 3 K d + 3 + 2 d + d^2 numbers */
         "gda (2 classes, 2 columns, 0 words or categories) need 2e-07 GB"},
        {"x:gaussian k", "1,a\n2,b\n4,a\n6,b\n", /* 5 K d + 2 d + 1 */
         "gaussian (2 classes, 1 columns, 0 words or categories) need 1.04e-07 GB"},
        {"x:categorical y:categorical k", "u,v,a\nu,v,b\nw,z,b\n", /* (V + 2 d) K + 1 */
         "categorical (2 classes, 2 columns, 4 words or categories) need 1.36e-07 GB"},
        {"t:bernoulli k", "u v,a\nv w,b\n", /* 2 V K + 6 K + 2 */
         "bernoulli (2 classes, 1 columns, 3 words or categories) need 2.08e-07 GB"},
        {"t:one-vs-rest k", "u v,a\nv w,b\n", /* 2 ((V + 2) K + 1) */
         "one-vs-rest (2 classes, 1 columns, 3 words or categories) need 1.76e-07 GB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ilk_stats *s = learnt(cases[i].columns, cases[i].rows);
        ilk_model *m = estimated(s, NULL);
        bytes file = saved(m, NULL);
        char whole[64];
        snprintf(whole, sizeof whole, "the model takes %.3g MB", (double)file.n / 1e6);
        assert_true(is_said(s, cases[i].expected));
        assert_true(is_said(s, whole));
        free(file.p);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header__declares_no_function_that_is_not_tried_here),
        cmocka_unit_test(every_function__succeeds_without_faults),
#ifdef ILK_FAULTS
        cmocka_unit_test(seam__fails_on_demand),
        cmocka_unit_test(every_allocation__may_fail_once),
        cmocka_unit_test(every_allocation__may_fail_from_then_on),
        cmocka_unit_test(every_file_operation__may_fail_once),
        cmocka_unit_test(every_file_operation__may_fail_from_then_on),
        cmocka_unit_test(classes__that_cannot_be_had_say_how_much_they_need),
        cmocka_unit_test(names__that_failed_leave_no_trace),
        cmocka_unit_test(large_batches__are_learnt_whole_or_not_at_all),
        cmocka_unit_test(models__that_cannot_be_had_say_how_much_they_need),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
