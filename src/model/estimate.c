/* SPDX-License-Identifier: Apache-2.0 */
/* estimate.c - from statistics to a model: priors, vocabulary, and each family's parameters, put together as an image.
 * */
#include "core/memory.h"
#include "model/model.h"
#include "model/stats.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A model under construction. */
typedef struct draft {
    const ilk_stats *stats;
    ilk_options options;
    ilk_schema *schema; /* with the families asked for */
    ilk_blocks blocks;
    uint32_t *order, *rank; /* classes, see ilk_stats_order */
    size_t K;
    ilk_str *name;
    double *log_prior, *rows;
    const double **record; /* moments views */
    ilk_buffer schema_bytes, head_bytes;
    ilk_buffer *keys; /* per block */
    double **params;
    size_t *sizes;
} draft;

static void draft_free(draft *d) {
    for (size_t b = 0; b < d->blocks.n; b++) {
        if (d->keys)
            ilk_buffer_free(&d->keys[b]);
        if (d->params)
            ilk_free(d->params[b]);
    }
    ilk_free(d->keys);
    ilk_free(d->params);
    ilk_free(d->sizes);
    ilk_free(d->order);
    ilk_free(d->rank);
    ilk_free(d->name);
    ilk_free(d->log_prior);
    ilk_free(d->rows);
    ilk_free(d->record);
    ilk_buffer_free(&d->schema_bytes);
    ilk_buffer_free(&d->head_bytes);
    ilk_blocks_free(&d->blocks);
    ilk_schema_free(d->schema);
}

static const double MOST_SMOOTH = 1e100; /* counts and columns times this are still numbers */

/* Each p(y) is one, and no class has two. */
static ilk_status check_given(const ilk_options *o, ilk_error *err) {
    ilk_dict names = {0};
    ilk_status status = ILK_OK;
    for (size_t i = 0; status == ILK_OK && i < o->givens; i++) {
        const ilk_given *g = &o->given[i];
        uint32_t first;
        if (!(g->p > 0 && g->p <= 1))
            status = ilk_fail(err, ILK_EARG, "a prior of %g for class %.*s is not above 0 and at most 1", g->p,
                              ILK_SHOW(g->name));
        else if (ilk_dict_intern(&names, 0, g->name, &first) != ILK_OK)
            status = ilk_fail_memory(err);
        else if (first < i)
            status = ilk_fail(err, ILK_EARG, "two priors for class %.*s: %g and %g", ILK_SHOW(g->name),
                              o->given[first].p, g->p);
    }
    ilk_dict_free(&names);
    return status;
}

ilk_status ilk_options_check(const ilk_options *o, ilk_error *err) {
    bool smooth = o->smooth == ILK_LOO || o->smooth == ILK_LOO_ACCURACY;
    if (smooth || o->shrink == ILK_LOO || o->shrink == ILK_LOO_ACCURACY)
        return ilk_fail(err, ILK_EARG, "%s cannot be chosen by leave-one-out here: there are no rows, only statistics",
                        smooth ? "smoothing" : "shrinkage");
    if (!(o->smooth >= 0 && o->smooth <= MOST_SMOOTH))
        return ilk_fail(err, ILK_EARG, "smoothing by %g is not possible", o->smooth);
    if (!(o->floor >= 0 && o->floor <= MOST_SMOOTH))
        return ilk_fail(err, ILK_EARG, "a variance floor of %g is not possible", o->floor);
    if (o->shrink != ILK_SHRINK_OAS && !(o->shrink >= 0 && o->shrink <= 1))
        return ilk_fail(err, ILK_EARG, "shrinkage by %g is not between 0 and 1", o->shrink);
    if ((unsigned)o->prior > ILK_PRIOR_GIVEN)
        return ilk_fail(err, ILK_EARG, "there is no prior %u", o->prior);
    if ((unsigned)o->divisor > ILK_DIVISOR_N_MINUS_1)
        return ilk_fail(err, ILK_EARG, "there is no divisor %u", o->divisor);
    if ((unsigned)o->unseen > ILK_UNSEEN_ERROR)
        return ilk_fail(err, ILK_EARG, "there is no way %u with unseen values", o->unseen);
    if (o->prior == ILK_PRIOR_GIVEN && (!o->given || o->givens == 0))
        return ilk_fail(err, ILK_EARG, "the prior is to be given, but no class has one");
    return o->prior == ILK_PRIOR_GIVEN ? check_given(o, err) : ILK_OK;
}

/* ---- classes and priors.   MATH section 1 */

static const double SUM_SLACK = 1e-9; /* shares with few digits sum to 1 within that */

/* Classes that are not named share what is left, as their rows do. */
static ilk_status given_prior(draft *d, ilk_error *err) {
    const ilk_options *o = &d->options;
    double *p = d->log_prior, given = 0, others = 0; /* shares first, their logarithms in the end */
    for (size_t k = 0; k < d->K; k++)
        p[k] = 0;
    for (size_t i = 0; i < o->givens; i++) {
        uint32_t id = ilk_dict_find(&d->stats->classes, 0, o->given[i].name),
                 k = id < d->stats->K ? d->rank[id] : ILK_NONE;
        if (k == ILK_NONE)
            return ilk_fail(err, ILK_EARG, "a prior for class %.*s, which is not there", ILK_SHOW(o->given[i].name));
        p[k] = o->given[i].p;
    }
    for (size_t k = 0; k < d->K; k++) { /* in this order, which the file keeps, not in that of the options */
        given += p[k];
        others += p[k] > 0 ? 0 : d->rows[k];
    }
    if (others == 0 && fabs(given - 1) > SUM_SLACK)
        return ilk_fail(err, ILK_EARG, "the given priors sum to %g", given);
    for (size_t k = 0; k < d->K; k++) {
        if (!(p[k] > 0) && !(1 - given > SUM_SLACK))
            return ilk_fail(err, ILK_EARG, "the given priors sum to %.12g and leave nothing for class %.*s", given,
                            ILK_SHOW(d->name[k]));
        p[k] = log(p[k] > 0 ? p[k] : (1 - given) * (d->rows[k] / others));
    }
    return ILK_OK;
}

static ilk_status estimate_prior(draft *d, ilk_error *err) {
    if (d->options.prior == ILK_PRIOR_GIVEN)
        return given_prior(d, err);
    double n = 0, K = (double)d->K;
    for (size_t k = 0; k < d->K; k++)
        n += d->rows[k]; /* in this order: sums of weights are rounded */
    for (size_t k = 0; k < d->K; k++) {
        switch (d->options.prior) {
        case ILK_PRIOR_EMPIRICAL:
            d->log_prior[k] = log(d->rows[k] / n);
            break;
        case ILK_PRIOR_UNIFORM:
            d->log_prior[k] = -log(K);
            break;
        case ILK_PRIOR_SMOOTHED:
            d->log_prior[k] = log((d->rows[k] + 1) / (n + K));
            break;
        case ILK_PRIOR_GIVEN:
            break;
        }
    }
    return ILK_OK;
}

static ilk_status order_classes(draft *d, ilk_error *err) {
    size_t most = d->stats->K;
    d->order = ilk_alloc(most, sizeof *d->order);
    d->rank = ilk_alloc(most, sizeof *d->rank);
    d->name = ilk_alloc(most, sizeof *d->name);
    d->log_prior = ilk_alloc(most, sizeof *d->log_prior);
    d->rows = ilk_alloc(most, sizeof *d->rows);
    d->record = ilk_alloc(most, sizeof *d->record);
    if (!d->order || !d->rank || !d->name || !d->log_prior || !d->rows || !d->record ||
        ilk_stats_order(d->stats, d->order, d->rank, &d->K) != ILK_OK)
        return ilk_fail_memory(err);
    for (size_t k = 0; k < d->K; k++) {
        d->name[k] = ilk_dict_key(&d->stats->classes, d->order[k]);
        d->rows[k] = d->stats->rows[d->order[k]];
    }
    if (d->K == 0)
        return ilk_fail(err, ILK_EDATA, "there is no row to learn from");
    if (d->K == 1)
        return ilk_fail(err, ILK_EDATA, "there is only one class, %.*s: nothing to tell apart", ILK_SHOW(d->name[0]));
    return estimate_prior(d, err);
}

/* ---- parameters */

/* Parameters are dense, one per word and class, although statistics hold only the pairs that occurred: refuse early
 * what cannot fit memory. (Of real columns, both have about the same size.) */
static ilk_status alloc_params(draft *d, size_t b, const ilk_shape *s, ilk_error *err) {
    const ilk_family *family = d->blocks.block[b].family;
    double V = s->keys ? (double)s->keys->n : 0, cells = (double)s->K * V;
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    d->sizes[b] = cells < 0x1p48 ? family->size(s) : SIZE_MAX; /* which could pass 2^64 */
    double bytes = 8 * (cells < 0x1p48 ? (double)d->sizes[b] : cells);
    if (bytes < memory)
        d->params[b] = ilk_alloc_aligned(d->sizes[b], sizeof(double));
    if (d->params[b])
        return ILK_OK;
    return ilk_fail(err, ILK_ENOMEM,
                    "the parameters of family %s (%zu classes, %zu columns, %.0f words or categories) "
                    "need %.3g GB",
                    family->name, s->K, s->d, V, bytes / 1e9);
}

/* Is x a whole number, as far as its digits tell? Those beyond all numbers do not. */
static bool may_be_whole(double x) {
    return !(fabs(x - nearbyint(x)) > 1e-6 + 1e-9 * fabs(x));
}

/* Numbers that no row was asked about: whole ones have whole sums, and so have their squares. Of fractional weights
 * nothing follows. */
static ilk_status check_counts(const draft *d, size_t b, const ilk_shape *s, ilk_error *err) {
    const ilk_moments *m = &d->stats->store[b].moments;
    const ilk_family *family = d->blocks.block[b].family;
    if (!family->accepts || d->stats->blocks.block[b].family->accepts || d->stats->weighted)
        return ILK_OK;
    for (size_t k = 0; k < s->K; k++)
        for (size_t j = 0; j < s->d; j++) {
            double n = d->record[k][j], mean = ldexp(d->record[k][s->d + j], m->exponent[j]), sum = n * mean;
            double M2 = ldexp(d->record[k][2 * s->d + j], 2 * m->exponent[j]);
            if (!may_be_whole(sum) || !may_be_whole(M2 + sum * mean))
                return ilk_fail(err, ILK_EARG,
                                "column %.*s: family %s models whole numbers, and those of class %.*s, or their "
                                "squares, sum to a fraction",
                                ILK_SHOW(s->column[j]), family->name, ILK_SHOW(s->name[k]));
        }
    return ILK_OK;
}

static ilk_status estimate_moments(draft *d, size_t b, ilk_shape *s, ilk_error *err) {
    const ilk_moments *m = &d->stats->store[b].moments;
    const ilk_family *family = d->blocks.block[b].family;
    ILK_TRY(alloc_params(d, b, s, err));
    for (size_t k = 0; k < d->K; k++)
        d->record[k] = ilk_moments_record(m, d->order[k]);
    ILK_TRY(check_counts(d, b, s, err));
    ilk_view view = {.moments = {d->record, m->exponent, m->pooled ? m->pool + m->d : NULL, !d->stats->weighted}};
    return family->estimate(d->params[b], s, &view, &d->options, err);
}

/* Words alone make no terms of several where there is a character of Chinese between any two. */
static ilk_status refuse_no_words(const draft *d, const ilk_block *block, ilk_error *err) {
    const ilk_schema *schema = d->stats->schema;
    const ilk_tokenizer *t = &ilk_schema_column(schema, ilk_schema_find(schema, block->column[0]))->tokenizer;
    if (t->kind != ILK_WORDS || t->ngram_min == 1)
        return ilk_fail(err, ILK_EDATA, "column %.*s: no word is left for the vocabulary", ILK_SHOW(block->column[0]));
    return ilk_fail(err, ILK_EDATA,
                    "column %.*s: no word is left for the vocabulary: every term takes %" PRIu32
                    " words in a row, and only --tokens pieces makes them of Chinese or Japanese",
                    ILK_SHOW(block->column[0]), t->ngram_min);
}

static ilk_status estimate_table(draft *d, size_t b, ilk_shape *s, const ilk_count_table *t, ilk_error *err) {
    const ilk_block *block = &d->blocks.block[b];
    ilk_keys keys;
    if (block->family->kind == ILK_TEXT && t->n == 0)
        return refuse_no_words(d, block, err);
    if (ilk_keys_freeze(&d->keys[b], &d->stats->store[b].counts.keys, t->key, t->n,
                        (uint32_t)ilk_block_fields(block)) != ILK_OK ||
        !ilk_keys_open(&keys, d->keys[b].p, d->keys[b].n))
        return ilk_fail_memory(err);
    s->keys = &keys;
    ILK_TRY(alloc_params(d, b, s, err));
    ilk_view view = {.counts = {t->begin, t->cls, t->count, t->docs, t->present}};
    return block->family->estimate(d->params[b], s, &view, &d->options, err);
}

static ilk_status estimate_counts(draft *d, size_t b, ilk_shape *s, ilk_error *err) {
    bool text = d->blocks.block[b].family->kind == ILK_TEXT; /* only a vocabulary is cut down */
    ilk_count_table table;
    if (ilk_count_table_new(&table, &d->stats->store[b].counts, d->rank, d->K, text ? d->options.min_docs : 0,
                            text ? d->options.vocab : 0) != ILK_OK)
        return ilk_fail_memory(err);
    ilk_status status = estimate_table(d, b, s, &table, err);
    ilk_count_table_free(&table);
    return status;
}

static ilk_status estimate_blocks(draft *d, ilk_error *err) {
    d->keys = ilk_zalloc(d->blocks.n, sizeof *d->keys);
    d->params = ilk_zalloc(d->blocks.n, sizeof *d->params);
    d->sizes = ilk_zalloc(d->blocks.n, sizeof *d->sizes);
    if (!d->keys || !d->params || !d->sizes)
        return ilk_fail_memory(err);
    for (size_t b = 0; b < d->blocks.n; b++) {
        const ilk_block *block = &d->blocks.block[b];
        ilk_shape s = {.K = d->K, .d = block->d, .column = block->column, .name = d->name, .unit = block->unit};
        s.transform = block->transform;
        ILK_TRY(ilk_block_is_moments(block) ? estimate_moments(d, b, &s, err) : estimate_counts(d, b, &s, err));
    }
    return ILK_OK;
}

/* ---- the image */

/* A model that would be refused by its own reader came of numbers that no rows give: no file is to blame. */
static ilk_status attach(ilk_model **out, ilk_mapping bytes, ilk_error *err) {
    ilk_error inner = {0};
    ilk_status status = ilk_model_attach(out, bytes, &inner);
    if (status == ILK_EFORMAT)
        return ilk_fail(err, ILK_EDATA, "no model comes of these statistics: %s", inner.message);
    return status == ILK_OK ? ILK_OK : ilk_fail(err, status, "%s", inner.message);
}

static ilk_status assemble(ilk_model **out, const draft *d, ilk_section *sections, ilk_str *pieces, ilk_error *err) {
    ilk_buffer head = {0};
    size_t n = 0, size = 0;
    sections[n++] = (ilk_section){.type = ILK_SECTION_SCHEMA, .p = d->schema_bytes.p, .n = d->schema_bytes.n};
    sections[n++] = (ilk_section){.type = ILK_SECTION_HEAD, .p = d->head_bytes.p, .n = d->head_bytes.n};
    for (size_t b = 0; b < d->blocks.n; b++) {
        if (d->keys[b].n)
            sections[n++] = (ilk_section){ILK_SECTION_KEYS, (uint32_t)b, d->keys[b].p, d->keys[b].n, 0};
        sections[n++] = (ilk_section){ILK_SECTION_PARAMS, (uint32_t)b, d->params[b], d->sizes[b] * sizeof(double), 0};
    }
    unsigned char *bytes = NULL;
    ilk_status status = ilk_image_pieces(pieces, &head, sections, n);
    for (size_t i = 0; status == ILK_OK && i < 2 * n + 1; i++)
        size += pieces[i].n;
    if (status == ILK_OK)
        bytes = ilk_alloc_aligned(size, 1);
    for (size_t i = 0, at = 0; bytes && i < 2 * n + 1; at += pieces[i++].n)
        if (pieces[i].n)
            memcpy(bytes + at, pieces[i].p, pieces[i].n);
    ilk_buffer_free(&head);
    if (!bytes)
        return ilk_fail(err, ILK_ENOMEM, "out of memory: the model takes %.3g MB, twice while it is made",
                        (double)size / 1e6);
    return attach(out, (ilk_mapping){.p = bytes, .n = size}, err);
}

static ilk_status finish(ilk_model **out, draft *d, ilk_error *err) {
    if (ilk_schema_put(&d->schema_bytes, d->schema) != ILK_OK ||
        ilk_head_put(&d->head_bytes, &d->options, d->name, d->log_prior, d->rows, d->K) != ILK_OK)
        return ilk_fail_memory(err);
    size_t most = 2 + 2 * d->blocks.n;
    ilk_section *sections = ilk_alloc(most, sizeof *sections);
    ilk_str *pieces = ilk_alloc(2 * most + 1, sizeof *pieces);
    ilk_status status = sections && pieces ? assemble(out, d, sections, pieces, err) : ilk_fail_memory(err);
    ilk_free(sections);
    ilk_free(pieces);
    return status;
}

static ilk_status estimate(ilk_model **out, draft *d, ilk_error *err) {
    ILK_TRY(ilk_options_check(&d->options, err));
    ILK_TRY(ilk_schema_refit(&d->schema, d->stats->schema, d->options.real_family, d->options.text_family, err));
    ILK_TRY(ilk_blocks_new(&d->blocks, d->schema, err));
    if (d->blocks.n != d->stats->blocks.n)
        return ilk_fail(err, ILK_EARG, "two blocks of columns cannot become one of family %s", d->options.real_family);
    ILK_TRY(order_classes(d, err));
    ILK_TRY(ilk_stats_check_scatters(d->stats, &d->blocks, err));
    ILK_TRY(estimate_blocks(d, err));
    return finish(out, d, err);
}

ilk_status ilk_model_estimate(ilk_model **out, const ilk_stats *stats, const ilk_options *options, ilk_error *err) {
    draft d = {.stats = stats};
    *out = NULL;
    if (options)
        d.options = *options;
    else
        ilk_options_init(&d.options);
    ilk_status status = estimate(out, &d, err);
    draft_free(&d);
    return status;
}
