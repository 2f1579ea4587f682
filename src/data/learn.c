/* SPDX-License-Identifier: Apache-2.0 */
/* learn.c - a table into statistics.
 *
 * Every thread counts into a part of its own. Counts are whole numbers and wait there until the end; moments, which
 * rounding makes depend on the order, move into the total block by block, in the order of the input. So any number of
 * threads arrives at the same bits.
 */
#include "core/memory.h"
#include "data/pass.h"
#include "model/stats.h"

#include <ilk_data.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct learner {
    ilk_pass pass;
    ilk_stats *total;
    bool pack; /* rows of the sample are kept as words */
} learner;

typedef struct slot {
    ilk_row_reader reader;
    uint32_t number;   /* of the slot */
    bool numbered;     /* its rows are learnt and have numbers, but the sample has not seen them */
    uint64_t first;    /* the number of the first; known only when it is known how many the blocks before have */
    ilk_buffer packed; /* a row on its way to the sample */
    ilk_stats *part;
    size_t *known; /* per text feature: the words of the part that the total has; with a limit only */
} slot;

/* Does a full Gaussian leave the row out, because it lacks a value? */
static bool is_left_out(const ilk_stats *s, const ilk_rows *rows, size_t width, size_t i) {
    for (size_t b = 0; b < s->blocks.n; b++) {
        const ilk_block *block = &s->blocks.block[b];
        for (size_t j = 0; block->family->layout == ILK_LAYOUT_FULL && j < block->d; j++)
            if (isnan(ilk_rows_real(rows, width, i, block->source[j])))
                return true;
    }
    return false;
}

/* Counted here, because statistics know the sum of their weights only. */
static uint64_t left_out(const ilk_stats *s, const ilk_rows *rows) {
    uint64_t n = 0;
    size_t width = ilk_schema_width(s->schema, ILK_REAL);
    for (size_t i = 0; i < rows->n; i++)
        n += (!rows->weight || rows->weight[i] > 0) && is_left_out(s, rows, width, i);
    return n;
}

static ilk_status work(void *ctx, void *p, ilk_error *err) {
    const learner *l = ctx;
    slot *s = p;
    ILK_TRY(ilk_row_reader_read(&s->reader, &l->pass, err));
    const ilk_rows rows = ilk_encoder_rows(&s->reader.encoder);
    s->reader.tally.incomplete = s->reader.encoder.gaps ? left_out(s->part, &rows) : 0;
    return rows.n > 0 ? ilk_stats_gather(s->part, &rows, err) : ILK_OK;
}

/* May rows be kept as their words? Not if words that a fixed dictionary lacks bear on the others, as they do where
 * terms are weighed or lengths made one: those were not learnt. */
static bool may_pack(const ilk_column_map *m) {
    const ilk_tokenizer *t = m->texts ? m->tokenizer[0] : NULL;
    if (m->texts != 1 || m->reals > 0 || m->codes > 0 || m->weight != SIZE_MAX || t->weight != ILK_TERM_COUNT ||
        t->unit_length)
        return false;
    for (size_t i = 0; i < ilk_schema_listed(m->schema); i++)
        if (ilk_schema_listed_at(m->schema, i).rule == ILK_WORD_LISTED)
            return false;
    return true;
}

static ilk_status pack(slot *s, ilk_reservoir *r, const ilk_rows *rows, size_t i) {
    uint32_t label;
    ILK_TRY(ilk_dict_intern(&r->classes, 0, ilk_dict_key(&s->part->classes, rows->label[i]), &label));
    return ilk_bag_pack(&s->packed, s->number, label, &rows->text[0], i);
}

/* Rows of a block that has been committed. Those of weight 0 were not learnt: there may not even be a class for them.
 */
static ilk_status keep_sample(const learner *l, slot *s, ilk_error *err) {
    ilk_reservoir *r = &l->pass.table->reservoir;
    const ilk_rows rows = ilk_encoder_rows(&s->reader.encoder);
    for (size_t i = 0; s->numbered && i < rows.n; i++) {
        uint64_t number = s->first + i;
        if ((rows.weight && !(rows.weight[i] > 0)) || !ilk_reservoir_wants(r, number))
            continue;
        if ((l->pack && pack(s, r, &rows, i) != ILK_OK) ||
            ilk_reservoir_offer(r, number, s->reader.records[i], (ilk_str){s->packed.p, s->packed.n}) != ILK_OK)
            return ilk_fail_memory(err);
    }
    s->numbered = false;
    return ILK_OK;
}

/* One thread at a time, but not in order: which rows the sample keeps does not depend on it. */
static ilk_status produce(void *ctx, void *p, bool *more, ilk_error *err) {
    learner *l = ctx;
    slot *s = p;
    ILK_TRY(keep_sample(l, s, err));
    return ilk_row_reader_fetch(&s->reader, &l->pass, more, err);
}

/* ---- a limit to the words. They are counted where the order of the blocks is known, so that the row that passes it is
 * the same for any number of threads. */

static const ilk_dict *words_of(const ilk_stats *stats, size_t j) {
    return &stats->store[stats->blocks.home[ILK_TEXT][j].block].counts.keys;
}

/* The words that row i has first; ids rise in the order in which a part meets words. */
static ilk_status share_words(const learner *l, const slot *s, size_t j, size_t i, ilk_error *err) {
    const ilk_tokens *bags = &ilk_encoder_rows(&s->reader.encoder).text[j];
    for (size_t at = bags->begin[i]; at < bags->begin[i + 1]; at++) {
        uint32_t id;
        if (bags->id[at] >= s->known[j])
            ILK_TRY(ilk_stats_word(&id, l->total, j, ilk_dict_key(words_of(s->part, j), bags->id[at]), err));
    }
    return ILK_OK;
}

static ilk_status limit_words(const learner *l, slot *s, ilk_error *err) {
    const ilk_column_map *m = &l->pass.map;
    size_t most = l->pass.run.max_words;
    for (size_t i = 0; i < s->reader.encoder.n; i++) {
        for (size_t j = 0; j < m->texts; j++) {
            ILK_TRY(share_words(l, s, j, i, err));
            if (words_of(l->total, j)->n > most)
                return ilk_fail(err, ILK_EDATA, "column %.*s: more than %zu different words, as of row %" PRIu64,
                                ILK_SHOW(m->names[m->text[j]]), most, l->pass.tally->rows + i + 1);
        }
    }
    for (size_t j = 0; j < m->texts; j++)
        s->known[j] = words_of(s->part, j)->n;
    return ILK_OK;
}

/* In the order of the input: the only place where the order of addition is decided. */
static ilk_status commit(void *ctx, void *p, ilk_error *err) {
    learner *l = ctx;
    slot *s = p;
    if (l->pass.run.max_words)
        ILK_TRY(limit_words(l, s, err));
    ILK_TRY(ilk_stats_flush(l->total, s->part, err));
    s->first = l->pass.tally->rows;
    s->numbered = l->pass.keep_records;
    return ilk_row_reader_account(&s->reader, &l->pass, err);
}

/* A part has its own dictionary, so that no thread waits for another to name a word; merging unites them by name. */
static ilk_status slot_init(slot *s, const learner *l, ilk_error *err) {
    ILK_TRY(ilk_stats_new(&s->part, l->pass.map.schema, err));
    ILK_TRY(ilk_stats_be_part(s->part, err));
    s->known = ilk_zalloc(l->pass.map.texts, sizeof *s->known);
    if (!s->known || ilk_encoder_init(&s->reader.encoder, &l->pass.map, s->part, NULL) != ILK_OK)
        return ilk_fail_memory(err);
    return ILK_OK;
}

/* What packed rows need to be understood, once the parts are gone. */
static ilk_status keep_words(ilk_reservoir *r, const ilk_stats *sum) {
    ILK_TRY(ilk_schema_copy(&r->schema, sum->schema, NULL));
    return ilk_dict_copy(&r->words, words_of(sum, 0));
}

/* Classes are numbered as in the total, so that counts can move there as they are. */
static ilk_status sum_new(ilk_stats **sum, const learner *l, ilk_error *err) {
    ILK_TRY(ilk_stats_blank(sum, l->pass.map.schema, err));
    ILK_TRY(ilk_stats_be_part(*sum, err)); /* all moments are in the total already */
    for (uint32_t k = 0, same; k < l->total->K; k++)
        ILK_TRY(ilk_stats_class(&same, *sum, ilk_dict_key(&l->total->classes, k), err));
    return ILK_OK;
}

static ilk_status unite(const learner *l, ilk_stats **sum, ilk_stats **parts, ilk_error *err) {
    ilk_reservoir *r = &l->pass.table->reservoir;
    ILK_TRY(sum_new(sum, l, err));
    ILK_TRY(ilk_stats_unite(*sum, parts, l->pass.threads, l->pack ? r->part : NULL, err));
    if (l->pack && keep_words(r, *sum) != ILK_OK)
        return ilk_fail_memory(err);
    return ilk_stats_absorb(l->total, *sum, err);
}

static ilk_status unite_parts(const learner *l, const slot *slots, ilk_error *err) {
    size_t n = l->pass.threads;
    ilk_reservoir *r = &l->pass.table->reservoir;
    ilk_stats *sum = NULL, **parts = ilk_alloc(n, sizeof *parts);
    r->part = l->pack ? ilk_zalloc(n, sizeof *r->part) : NULL;
    r->parts = r->part ? n : 0;
    for (size_t i = 0; parts && i < n; i++)
        parts[i] = slots[i].part;
    ilk_status status = parts && (r->part || !l->pack) ? unite(l, &sum, parts, err) : ilk_fail_memory(err);
    ilk_free(parts);
    ilk_stats_free(sum);
    return status;
}

static ilk_status run(learner *l, slot *slots, void **places, ilk_error *err) {
    size_t n = l->pass.threads;
    for (size_t i = 0; i < n; i++) {
        places[i] = &slots[i];
        slots[i].number = (uint32_t)i;
        ILK_TRY(slot_init(&slots[i], l, err));
    }
    const ilk_pipeline pipeline = {l, produce, work, commit, places, n};
    ILK_TRY(ilk_pipeline_run(&pipeline, err));
    for (size_t i = 0; i < n; i++) {
        ILK_TRY(keep_sample(l, &slots[i], err)); /* of its last block */
        ilk_row_reader_free(&slots[i].reader);   /* uniting has use for the memory */
    }
    return unite_parts(l, slots, err);
}

/* ---- what belongs to the columns whether it occurs or not */

static ilk_status declare_values(const learner *l, ilk_error *err) {
    const ilk_column_map *m = &l->pass.map;
    const ilk_head *head = &l->pass.table->head;
    uint32_t id;
    for (size_t j = 0; j < m->codes; j++) {
        const ilk_declared *declared = ilk_head_declared(head, m->code[j]);
        for (uint32_t i = 0; declared->hint == ILK_HINT_VALUES && !m->bins[j] && i < declared->n; i++) {
            ilk_str value = ilk_dict_key(&head->values, declared->first + i);
            if (!ilk_missing_has(&m->missing, value))
                ILK_TRY(ilk_stats_declare(&id, l->total, ILK_CATEGORY, j, ilk_number_plain(value), err));
        }
    }
    return ILK_OK;
}

/* All indices up to the largest, met or promised, which is known at the end only. */
static ilk_status declare_indices(const learner *l, ilk_error *err) {
    const ilk_table *t = l->pass.table;
    if (t->source.dialect.format != ILK_FORMAT_SVM || l->pass.map.texts == 0)
        return ILK_OK;
    size_t promised = t->head.limit ? t->head.limit - l->pass.zero : 0;
    size_t last = promised > l->pass.most ? promised : l->pass.most;
    for (size_t i = l->pass.zero ? 0 : 1; i <= last; i++) {
        char name[24];
        uint32_t id;
        ilk_str word = {name, (size_t)snprintf(name, sizeof name, "%zu", i)};
        ILK_TRY(ilk_stats_declare(&id, l->total, ILK_TEXT, 0, word, err));
    }
    return ILK_OK;
}

static ilk_status learn(learner *l, ilk_error *err) {
    size_t n = l->pass.threads;
    slot *slots = ilk_zalloc(n, sizeof *slots);
    void **places = ilk_zalloc(n, sizeof *places);
    ilk_status status = slots && places ? run(l, slots, places, err) : ilk_fail_memory(err);
    for (size_t i = 0; slots && i < n; i++) {
        ilk_row_reader_free(&slots[i].reader);
        ilk_stats_free(slots[i].part);
        ilk_buffer_free(&slots[i].packed);
        ilk_free(slots[i].known);
    }
    ilk_free(places);
    ilk_free(slots);
    return status;
}

ilk_status ilk_table_learn(ilk_stats *stats, ilk_table *table, const ilk_run *settings, ilk_tally *tally,
                           ilk_error *err) {
    ilk_tally unwanted;
    learner l = {.total = stats};
    if (!tally)
        tally = &unwanted;
    ILK_TRY(ilk_pass_init(&l.pass, table, ilk_stats_schema(stats), true, settings, tally, err));
    l.pass.keep_records = l.pass.run.sample > 0;
    l.pack = l.pass.keep_records && may_pack(&l.pass.map);
    ilk_reservoir_start(&table->reservoir, l.pass.run.sample, l.pass.run.seed);
    ilk_status status = learn(&l, err);
    if (status == ILK_OK)
        status = declare_values(&l, err);
    if (status == ILK_OK)
        status = declare_indices(&l, err);
    ilk_reservoir_sort(&table->reservoir);
    ilk_pass_free(&l.pass);
    return status;
}
