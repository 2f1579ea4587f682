/* SPDX-License-Identifier: Apache-2.0 */
/* test_values.c - values in a model file that no rows could have given: refused by name, though every checksum is
 * right. */
#include "fixtures.h"
#include "hostile.h"

#include "model/image.h"

/* Files of three models: full Gaussian, categories and text; Gaussians of all sorts; text alone. */
static const char *const columns[] = {"x:gda y:gda c:categorical t:multinomial k",
                                      "x:qda a:gaussian y:qda s:gaussian-shared k", "t:multinomial k"};
static const char *const rows[] = {"1,2,u,a b,p\n2,1,v,b,p\n0,4,u,a,p\n4,4,u,a a,q\n3,0,,c,q\n5,1,v,b,q\n",
                                   "1,2,5,1,p\n2,1,3,0,p\n3,5,4,2,p\n4,4,2,9,q\n6,0,0,4,q\n9,7,4,5,q\n",
                                   "a a b,p\nb,q\na,q\n"};
enum { MIXED, GAUSSIANS, TEXT, MODELS };

static bytes file_of(size_t i) {
    ilk_stats *s = learnt(columns[i], rows[i]);
    ilk_model *m = estimated(s, NULL);
    bytes b = saved(m, s);
    ilk_model_free(m);
    ilk_stats_free(s);
    return b;
}

/* The text's, whose model knows only the commonest word. */
static bytes file_of_one_word(void) {
    ilk_options options;
    ilk_options_init(&options);
    options.vocab = 1;
    ilk_stats *s = learnt(columns[TEXT], rows[TEXT]);
    ilk_model *m = estimated(s, &options);
    bytes b = saved(m, s);
    ilk_model_free(m);
    ilk_stats_free(s);
    return b;
}

/* Where a section lies. */
static bytes section_of(const bytes *b, uint32_t type, uint32_t block) {
    uint32_t sections, entry[2];
    uint64_t where[2];
    memcpy(&sections, b->p + 12, sizeof sections);
    for (size_t i = 0; i < sections; i++) {
        memcpy(entry, b->p + HOSTILE_HEADER + i * HOSTILE_ENTRY, sizeof entry);
        memcpy(where, b->p + HOSTILE_HEADER + i * HOSTILE_ENTRY + 8, sizeof where);
        if (entry[0] == type && entry[1] == block)
            return (bytes){b->p + where[0], where[1]};
    }
    return (bytes){0};
}

/* Put n bytes there, repair, ask for the model and its statistics, put the old bytes back. What came first of the two?
 * */
static ilk_status with(bytes *b, unsigned char *at, const void *value, size_t n) {
    unsigned char before[8];
    ilk_model *m;
    ilk_stats *s = NULL;
    memcpy(before, at, n);
    memcpy(at, value, n);
    hostile_repair(b->p, b->n);
    failure = (ilk_error){0};
    ilk_status status = ilk_model_read(&m, b->p, b->n, &failure);
    if (status == ILK_OK)
        status = ilk_model_stats(&s, m, &failure);
    assert_int_equal(status == ILK_OK, s != NULL);
    ilk_stats_free(s);
    ilk_model_free(m);
    memcpy(at, before, n);
    return status;
}

static ilk_status with_number(bytes *b, unsigned char *at, double x) {
    return with(b, at, &x, sizeof x);
}

static ilk_status with_u32(bytes *b, unsigned char *at, uint32_t x) {
    return with(b, at, &x, sizeof x);
}

/* NaN and +inf are refused wherever a parameter stands; -inf is the logarithm of 0, for discrete families only. */
static void parameter__that_is_no_number_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        bytes b = file_of(i), p;
        for (uint32_t block = 0; (p = section_of(&b, ILK_SECTION_PARAMS, block)).p; block++)
            for (size_t j = 0; j < p.n; j += 8) {
                assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + j, NAN));
                assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + j, INFINITY));
                if (i == GAUSSIANS)
                    assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + j, -INFINITY));
            }
        free(b.p);
    }
}

/* A section of parameters that is a number longer than its family wants, though the file is whole. */
static void parameters__of_a_wrong_size_are_refused(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gaussian k", "1,p\n2,p\n0,q\n3,q\n", NULL), *opened;
    bytes b = saved(m, NULL), p = section_of(&b, ILK_SECTION_PARAMS, 0);
    assert_ptr_equal(p.p + p.n, b.p + b.n); /* the last section */
    bytes longer = {make(b.n + 8, 1), b.n + 8};
    memcpy(longer.p, b.p, b.n);
    uint32_t sections;
    memcpy(&sections, b.p + 12, sizeof sections);
    uint64_t size = p.n + 8, whole = longer.n;
    memcpy(longer.p + HOSTILE_HEADER + (sections - 1) * HOSTILE_ENTRY + 16, &size, sizeof size);
    memcpy(longer.p + 16, &whole, sizeof whole);
    hostile_repair(longer.p, longer.n);
    assert_fails(ILK_EFORMAT, "bad parameters", ilk_model_read(&opened, longer.p, longer.n, &failure));
    free(longer.p);
    free(b.p);
    ilk_model_free(m);
}

static void sections__of_one_type_and_block_are_refused(void **state) {
    (void)state;
    bytes b = file_of(MIXED);
    uint32_t sections, type;
    memcpy(&sections, b.p + 12, sizeof sections);
    for (uint32_t i = 0; i < sections; i++)
        for (uint32_t j = 0; j < sections; j++) {
            unsigned char *to = b.p + HOSTILE_HEADER + i * HOSTILE_ENTRY;
            if (i != j)
                assert_fails(ILK_EFORMAT, "twice",
                             with(&b, to, b.p + HOSTILE_HEADER + j * HOSTILE_ENTRY, 2 * sizeof type));
        }
    free(b.p);
}

static ilk_status all_missing(void *ctx, const ilk_rows *drawn) {
    for (size_t i = 0; i < drawn->n; i++)
        assert_true(isnan(drawn->real[i]));
    *(size_t *)ctx += drawn->n;
    return ILK_OK;
}

/* Normals of logarithms about 800 and -800: no double has one. */
static void sample__of_what_has_no_number_is_missing(void **state) {
    (void)state;
    ilk_model *m = model_of("x:gaussian/boxcox@0 k", "1,p\n2,p\n3,q\n4,q\n", NULL), *far;
    bytes b = saved(m, NULL), p = section_of(&b, ILK_SECTION_PARAMS, 0);
    const double mu[2] = {800, -800};
    size_t n = 0;
    memcpy(p.p, mu, sizeof mu);
    hostile_repair(b.p, b.n);
    assert_ok(ilk_model_read(&far, b.p, b.n, &failure));
    assert_ok(ilk_model_sample(far, 50, 1, all_missing, &n, &failure));
    assert_int_equal(n, 50);
    free(b.p);
    ilk_model_free(m);
    ilk_model_free(far);
}

/* The logarithm of a probability is not above 0; totals, alpha and lengths are not negative. */
static void probability__above_one_is_refused(void **state) {
    (void)state;
    bytes b = file_of(TEXT), p = section_of(&b, ILK_SECTION_PARAMS, 0);
    size_t numbers = p.n / 8, totals = 2 * 2 + 2;
    assert_int_equal(numbers, totals + 2 + 1 + 2);
    for (size_t j = 0; j < numbers; j++) {
        assert_int_equal(with_number(&b, p.p + 8 * j, 0.01), j < totals ? ILK_EFORMAT : ILK_OK);
        assert_int_equal(with_number(&b, p.p + 8 * j, -1), j < totals ? ILK_OK : ILK_EFORMAT);
    }
    free(b.p);
}

/* Rates, dispersions and what they were made of: NaN, infinite or negative is refused wherever it stands, and so is a
 * logarithm that is not that of its rate, or a class without rows. */
static void rates__that_cannot_be_are_refused(void **state) {
    (void)state;
    static const char *const families[] = {"poisson", "negative-binomial"};
    for (size_t f = 0; f < 2; f++) {
        char both[64];
        snprintf(both, sizeof both, "x:%s z:%s k", families[f], families[f]);
        ilk_stats *s = learnt(both, "1,2,p\n4,3,p\n0,9,p\n4,1,q\n3,8,q\n5,0,q\n7,7,r\n0,5,r\n");
        ilk_model *m = estimated(s, NULL);
        bytes b = saved(m, s), p = section_of(&b, ILK_SECTION_PARAMS, 0);
        size_t Kd = 6, n = f ? 3 : 2, rate = Kd; /* [3][2]: log_rate | rate | (a |) n | sum | … */
        for (size_t i = 0; i < p.n / 8; i++) {
            static const double bad[] = {NAN, INFINITY, -INFINITY, -1};
            for (size_t j = 0; j < 4; j++)
                assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + 8 * i, bad[j]));
        }
        for (size_t i = 0; i < Kd; i++) {
            double log_rate;
            memcpy(&log_rate, p.p + 8 * i, sizeof log_rate);
            assert_int_equal(with_number(&b, p.p + 8 * i, log_rate + 1e-9), ILK_OK);
            assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + 8 * i, log_rate + 1e-4));
            assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + 8 * i, -log_rate));
            assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + 8 * (rate + i), 0));
            assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + 8 * (n * Kd + i), 0));
            assert_int_equal(with_number(&b, p.p + 8 * (n * Kd + i), 0.5), ILK_OK); /* a weight */
        }
        free(b.p);
        ilk_model_free(m);
        ilk_stats_free(s);
    }
}

/* A dispersion of -0 is not less than 0, but its inverse is: no gamma has such a shape. */
static void minus_zero__is_no_dispersion(void **state) {
    (void)state;
    ilk_stats *s = learnt("x:negative-binomial k", "1,p\n4,p\n0,p\n4,q\n3,q\n5,q\n");
    ilk_model *m = estimated(s, NULL);
    bytes b = saved(m, s), p = section_of(&b, ILK_SECTION_PARAMS, 0); /* [2][1]: log_rate | rate | a | … */
    double a;
    memcpy(&a, p.p + 8 * 5, sizeof a);
    assert_true(a == 0); /* class q varies less than Poisson */
    assert_int_equal(with_number(&b, p.p + 8 * 5, 0.0), ILK_OK);
    assert_fails(ILK_EFORMAT, "bad parameters", with_number(&b, p.p + 8 * 5, -0.0));
    free(b.p);
    ilk_model_free(m);
    ilk_stats_free(s);
}

static void head__with_options_or_classes_that_cannot_be_is_refused(void **state) {
    (void)state;
    bytes b = file_of(TEXT), h = section_of(&b, ILK_SECTION_HEAD, 0);
    unsigned char *smooth = h.p, *prior = h.p + 8, *divisor = h.p + 12, *least = h.p + 16, *shrink = h.p + 24,
                  *unseen = h.p + 48;
    unsigned char *K = h.p + 52, *name = h.p + 56, *log_prior = name + 5, *n = log_prior + 8; /* "p" */
    static const double bad[] = {NAN, INFINITY, -1};
    for (size_t i = 0; i < 3; i++) {
        assert_fails(ILK_EFORMAT, "bad options", with_number(&b, smooth, bad[i]));
        assert_fails(ILK_EFORMAT, "bad options", with_number(&b, least, bad[i]));
        assert_fails(ILK_EFORMAT, "bad class", with_number(&b, n, bad[i]));
    }
    assert_fails(ILK_EFORMAT, "bad options", with_number(&b, shrink, NAN));
    assert_fails(ILK_EFORMAT, "bad options", with_number(&b, shrink, 1.5));
    assert_fails(ILK_EFORMAT, "bad options", with_u32(&b, prior, 4));
    assert_fails(ILK_EFORMAT, "bad options", with_u32(&b, divisor, 3));
    assert_fails(ILK_EFORMAT, "bad options", with_u32(&b, unseen, 3));
    static const uint32_t classes[] = {0, 1, 100, UINT32_MAX};
    for (size_t i = 0; i < 4; i++) /* refused by their number, before memory is asked for */
        assert_fails(ILK_EFORMAT, "the model file has ", with_u32(&b, K, classes[i]));
    static const double priors[] = {NAN, 0.1, -INFINITY, -1e308};
    for (size_t i = 0; i < 4; i++)
        assert_fails(ILK_EFORMAT, "bad class", with_number(&b, log_prior, priors[i]));
    assert_fails(ILK_EFORMAT, "bad class", with_number(&b, n, 0));
    unsigned char *given = n + 8;
    assert_fails(ILK_EFORMAT, "bad class", with_number(&b, given, 0.5)); /* the prior is not said to be given */
    memcpy(prior, &(uint32_t){ILK_PRIOR_GIVEN}, 4);
    static const double shares[] = {-0.5, 1.5, NAN, 0.5, 1, 0};
    for (size_t i = 0; i < 6; i++) /* the last: given, but to no class */
        assert_int_equal(with_number(&b, given, shares[i]), i < 3 || i == 5 ? ILK_EFORMAT : ILK_OK);
    memcpy(given, &(double){0.5}, 8);
    assert_fails(ILK_EFORMAT, "a class twice", with(&b, name + 4, "q", 1));
    assert_fails(ILK_EFORMAT, "", with_u32(&b, name, 2)); /* a longer name shifts all that follows */
    free(b.p);
}

static void schema__that_cannot_be_is_refused(void **state) {
    (void)state;
    bytes b = file_of(TEXT), s = section_of(&b, ILK_SECTION_SCHEMA, 0);
    static const uint32_t counts[] = {0, 1, 3, UINT32_MAX};
    for (size_t i = 0; i < 4; i++)
        assert_fails(ILK_EFORMAT, "the model file", with_u32(&b, s.p, counts[i]));
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, s.p + 9, 3));        /* kind */
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, s.p + 9, 0));        /* numbers are not modelled by words */
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, s.p + 13, 4));       /* role */
    assert_fails(ILK_EFORMAT, "bad schema", with(&b, s.p + 21, "x", 1));      /* family */
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, s.p + s.n - 12, 1)); /* spellings of missing */
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, s.p + s.n - 8, 1));  /* encoding */
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, s.p + s.n - 4, 1));  /* lists of words */
    unsigned char *transform = s.p + s.n - 12 - 16, *target = transform - 24 - 4 - 8;
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, transform, 4));
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, transform + 12, 1)); /* its edges */
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, transform + 12, 65536));
    assert_memory_equal(target - 1, "k", 1);
    assert_fails(ILK_EFORMAT, "bad schema", with_u32(&b, target, 3)); /* its kind */
    free(b.p);
}

/* A name of an encoding that takes all the rest of a long schema. */
static void encoding__of_a_long_name_is_refused(void **state) {
    (void)state;
    ilk_schema *schema = schema_of("t:multinomial k");
    ilk_stats *stats;
    ilk_model *m;
    char word[4001];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_ok(ilk_schema_add_word(schema, 0, ILK_WORD_STOPPED, str(word), &failure));
    assert_ok(ilk_stats_new(&stats, schema, &failure));
    table t = table_of(rows[TEXT]);
    assert_ok(try_learn(stats, &t, false));
    bytes b = stats_file(stats), s = section_of(&b, ILK_SECTION_SCHEMA, 0);
    unsigned char *length = s.p + s.n - 4000 - 5 * 4; /* length | words | text feature, rule and length of the word */
    memset(length, 'a', s.n - (size_t)(length - s.p));
    memcpy(length, &(uint32_t){(uint32_t)(s.n - (size_t)(length + 4 - s.p))}, 4);
    hostile_repair(b.p, b.n);
    assert_fails(ILK_EFORMAT, "bad schema", ilk_model_read(&m, b.p, b.n, &failure));
    free(b.p);
    table_free(&t);
    ilk_stats_free(stats);
    ilk_schema_free(schema);
}

static void dictionary__that_lies_is_refused(void **state) {
    (void)state;
    for (size_t cut = 0; cut < 2; cut++) { /* the model's own, and that of all words where it has fewer */
        bytes b = cut ? file_of_one_word() : file_of(TEXT);
        bytes k = section_of(&b, cut ? ILK_SECTION_STATS_KEYS : ILK_SECTION_KEYS, 0);
        assert_int_equal(k.n, 24 + 4 * (2 + 3 + 4) + 2);
        assert_fails(ILK_EFORMAT, "dictionary", with_u32(&b, k.p, 3));           /* words */
        assert_fails(ILK_EFORMAT, "dictionary", with_u32(&b, k.p + 4, 0));       /* columns */
        assert_fails(ILK_EFORMAT, "dictionary", with_u32(&b, k.p + 8, 3));       /* slots: no power of two */
        assert_fails(ILK_EFORMAT, "dictionary", with_u32(&b, k.p + 24, 1));      /* where the first column begins */
        assert_fails(ILK_EFORMAT, "dictionary", with_u32(&b, k.p + 28, 1));      /* and ends */
        assert_fails(ILK_EFORMAT, "dictionary", with_u32(&b, k.p + 32 + 4, 3));  /* where the second word begins */
        assert_fails(ILK_EFORMAT, "dictionary", with_u32(&b, k.p + 32 + 12, 3)); /* a slot */
        assert_fails(ILK_EFORMAT, "a key", with(&b, k.p + k.n - 1, "a", 1));     /* a word twice */
        free(b.p);
    }
}

/* With two values alike, fewer combinations could be drawn than there are cells; the model itself is asked, without
 * its statistics. */
static void table__of_values_alike_is_refused(void **state) {
    (void)state;
    ilk_stats *s = learnt("a:table b:table k", "u,v,p\nu,w,p\nv,w,q\nu,w,q\n");
    ilk_model *m = estimated(s, NULL), *read = NULL;
    bytes b = saved(m, NULL), k = section_of(&b, ILK_SECTION_KEYS, 0);
    unsigned char *text = k.p + k.n - 13;
    assert_memory_equal(text, "uvvwu,vu,wv,w", 13);
    text[2] = 'w';
    hostile_repair(b.p, b.n);
    assert_fails(ILK_EFORMAT, "family table", ilk_model_read(&read, b.p, b.n, &failure));
    text[2] = 'v';
    hostile_repair(b.p, b.n);
    assert_ok(ilk_model_read(&read, b.p, b.n, &failure));
    ilk_model_free(read);
    ilk_model_free(m);
    ilk_stats_free(s);
    free(b.p);
}

/* Words that the model has, all of them, are written once; and both kinds of files have the same statistics. */
static void dictionary__is_written_once(void **state) {
    (void)state;
    bytes b = file_of(TEXT), cut = file_of_one_word();
    assert_null(section_of(&b, ILK_SECTION_STATS_KEYS, 0).p);
    assert_int_equal(section_of(&cut, ILK_SECTION_KEYS, 0).n, 24 + 4 * (2 + 2 + 2) + 1);
    ilk_model *m[2];
    ilk_stats *s[2];
    assert_ok(ilk_model_read(&m[0], b.p, b.n, &failure));
    assert_ok(ilk_model_read(&m[1], cut.p, cut.n, &failure));
    for (size_t i = 0; i < 2; i++)
        assert_ok(ilk_model_stats(&s[i], m[i], &failure));
    bytes one = saved(m[0], s[0]), other = saved(m[0], s[1]);
    assert_int_equal(one.n, b.n);
    assert_int_equal(other.n, b.n);
    assert_memory_equal(one.p, b.p, b.n);
    assert_memory_equal(other.p, b.p, b.n);
    for (size_t i = 0; i < 2; i++) {
        ilk_stats_free(s[i]);
        ilk_model_free(m[i]);
    }
    free(one.p);
    free(other.p);
    free(b.p);
    free(cut.p);
}

/* u64 cells | u64 begin[3] | count[4] | docs[4] | present[2] | u32 class[4] | u8 declared[2], of two words
 * and two classes */
static void counts__that_no_rows_could_give_are_refused(void **state) {
    (void)state;
    bytes b = file_of(TEXT), c = section_of(&b, ILK_SECTION_CELLS, 0);
    static const double bad[] = {0.5, -1, NAN, INFINITY, 0x1p54, 1000};
    assert_int_equal(c.n, 8 + 3 * 8 + 4 * 8 + 4 * 8 + 2 * 8 + 4 * 4 + 2);
    for (size_t j = 32; j < c.n - 18; j += 8)
        for (size_t i = 0; i < 6; i++) {
            bool docs = j >= 32 + 32 && j < 32 + 64; /* not more than occurrences; all else may be any whole number */
            assert_int_equal(with_number(&b, c.p + j, bad[i]), !docs && i == 5 ? ILK_OK : ILK_EFORMAT);
        }
    for (size_t j = 32; j < 32 + 32; j += 8)
        assert_int_equal(with_number(&b, c.p + j, 0), ILK_EFORMAT); /* a cell that is not there */
    static const uint64_t places[] = {0, 1, 3, 5, UINT64_MAX};
    for (size_t j = 0; j < 32; j += 8)
        for (size_t i = 0; i < 5; i++) {
            uint64_t now;
            memcpy(&now, c.p + j, 8);
            if (places[i] != now &&
                !(j == 16 && (places[i] == 1 || places[i] == 3))) /* which only moves a cell to the other word */
                assert_int_equal(with(&b, c.p + j, &places[i], 8), ILK_EFORMAT);
        }
    for (size_t j = c.n - 18; j < c.n - 2; j += 4) {
        assert_int_equal(with_u32(&b, c.p + j, 2), ILK_EFORMAT); /* no such class */
        assert_int_equal(with_u32(&b, c.p + j, 1 - (uint32_t)(j / 4 % 2)),
                         ILK_EFORMAT); /* a class twice, or in the wrong order */
    }
    double most = 0x1p53; /* each may be, but not their sum */
    memcpy(c.p + 32, &most, sizeof most);
    assert_fails(ILK_EFORMAT, "a sum", with_number(&b, c.p + 48, most));
    free(b.p);
}

static void moments__that_no_rows_could_give_are_refused(void **state) {
    (void)state;
    bytes b = file_of(GAUSSIANS), m;
    for (uint32_t block = 0; (m = section_of(&b, ILK_SECTION_MOMENTS, block)).p; block++)
        for (size_t j = 0; j < m.n; j += 8) {
            assert_fails(ILK_EFORMAT, "moments", with_number(&b, m.p + j, NAN));
            assert_fails(ILK_EFORMAT, "moments", with_number(&b, m.p + j, -INFINITY));
        }
    m = section_of(&b, ILK_SECTION_MOMENTS, 1); /* one column: exponent; then each class: n | mean | M2 | peak */
    assert_fails(ILK_EFORMAT, "moments", with_number(&b, m.p, 1));
    for (size_t j = 0; j < 8; j++)
        assert_int_equal(with_number(&b, m.p + 8 * (1 + j), -1), j % 4 == 1 ? ILK_OK : ILK_EFORMAT);
    for (size_t j = 0; j < 8; j++) /* finite, but merging it would not be */
        assert_fails(ILK_EFORMAT, "moments", with_number(&b, m.p + 8 * (1 + j), 1e307));
    m = section_of(&b, ILK_SECTION_MOMENTS, 0); /* two columns: exponents; n | mean[2] | peak[2] | scatter[2][2] */
    double first, second;
    memcpy(&first, m.p + 8 * (2 + 5), sizeof first);
    memcpy(&second, m.p + 8 * (2 + 8), sizeof second);
    for (int sign = -1; sign <= 1; sign += 2) { /* no correlation is larger than 1 */
        assert_int_equal(with_number(&b, m.p + 8 * (2 + 7), sign * sqrt(first * second)), ILK_OK);
        assert_fails(ILK_EFORMAT, "moments", with_number(&b, m.p + 8 * (2 + 7), sign * 1.001 * sqrt(first * second)));
    }
    free(b.p);
}

static void classes__of_statistics_that_cannot_be_are_refused(void **state) {
    (void)state;
    bytes b = file_of(TEXT), s = section_of(&b, ILK_SECTION_STATS, 0);
    unsigned char *weighted = s.p, *K = s.p + 4, *name = K + 4, *n = name + 5;
    static const double bad[] = {0, 0.5, -1, NAN, INFINITY, 0x1p54};
    for (size_t i = 0; i < 6; i++)
        assert_fails(ILK_EFORMAT, "bad statistics: a class", with_number(&b, n, bad[i]));
    assert_fails(ILK_EFORMAT, "a class twice", with(&b, name + 4, "q", 1));
    static const uint32_t classes[] = {0, 1, 3, UINT32_MAX};
    for (size_t i = 0; i < 4; i++)
        assert_fails(ILK_EFORMAT, "bad statistics", with_u32(&b, K, classes[i]));
    assert_fails(ILK_EFORMAT, "more classes than it has room for", with_u32(&b, K, 1000));
    assert_fails(ILK_EFORMAT, "bad statistics", with_u32(&b, weighted, 2));
    free(b.p);
}

/* More classes than the file could hold are found before memory is asked for. */
static void classes__that_the_file_has_no_room_for_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *columns, *rows;
        uint32_t K;
    } cases[] = {{"x:gda y:gda k", "1,2,p\n2,1,p\n0,4,q\n3,3,q\n", 3},
                 {"a:categorical b:categorical k", "u,v,p\nu,v,q\n", 8}};
    for (size_t i = 0; i < 2; i++) {
        ilk_stats *s = learnt(cases[i].columns, cases[i].rows);
        bytes b = stats_file(s);
        unsigned char *K = section_of(&b, ILK_SECTION_STATS, 0).p + 4;
        assert_fails(ILK_EFORMAT, "more classes than it has room for", with_u32(&b, K, cases[i].K));
        free(b.p);
        ilk_stats_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameter__that_is_no_number_is_refused),
        cmocka_unit_test(parameters__of_a_wrong_size_are_refused),
        cmocka_unit_test(sections__of_one_type_and_block_are_refused),
        cmocka_unit_test(sample__of_what_has_no_number_is_missing),
        cmocka_unit_test(probability__above_one_is_refused),
        cmocka_unit_test(rates__that_cannot_be_are_refused),
        cmocka_unit_test(minus_zero__is_no_dispersion),
        cmocka_unit_test(head__with_options_or_classes_that_cannot_be_is_refused),
        cmocka_unit_test(schema__that_cannot_be_is_refused),
        cmocka_unit_test(encoding__of_a_long_name_is_refused),
        cmocka_unit_test(dictionary__that_lies_is_refused),
        cmocka_unit_test(table__of_values_alike_is_refused),
        cmocka_unit_test(dictionary__is_written_once),
        cmocka_unit_test(counts__that_no_rows_could_give_are_refused),
        cmocka_unit_test(moments__that_no_rows_could_give_are_refused),
        cmocka_unit_test(classes__of_statistics_that_cannot_be_are_refused),
        cmocka_unit_test(classes__that_the_file_has_no_room_for_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
