/* SPDX-License-Identifier: Apache-2.0 */
/* infer.c - from a plan and the rows read ahead to a schema.
 *
 * What the plan says of a column goes before what its values look like. Every guess that leaves a column out, or that a
 * reader might not expect, is told in a note.
 */
#include "data/infer.h"
#include "core/memory.h"
#include "data/word_list.h"
#include "data/columns.h"
#include "families/family.h"

#include <stdio.h>

enum { MOST_CLASSES_OF_FRACTIONS = 1000, ENOUGH_FOR_A_CLASS = 20, ENOUGH_FOR_AN_IDENTIFIER = 10, WORDS_OF_TEXT = 5 };

/* Notes are built by ilk_fail, which masks what a hostile name may hold. */
static void say(const ilk_inference *in, const ilk_error *line) {
    if (in->note)
        in->note(in->ctx, line->message);
}

/* ---- what the values look like */

/* Integers of few values are codes, if each comes twice on average: in eight rows, any integer has few values. */
static bool is_coded(const ilk_profile *p) {
    return p->integers == p->values && p->distinct <= ILK_FEW_VALUES && 2 * p->distinct <= p->values;
}

/* Four of five different: a measurement, a name or a text. */
static bool is_scattered(const ilk_profile *p) {
    return p->values >= ENOUGH_FOR_A_CLASS && 5 * p->distinct > 4 * p->values;
}

/* Fractions are a measurement, also where fewer of them are different. */
static ilk_status check_target(const ilk_inference *in, ilk_error *err) {
    const ilk_profile *p = &in->profiles[in->target];
    if (!in->plan->target && !is_coded(p) && ilk_head_declared(&in->table->head, in->target)->hint == ILK_HINT_NUMBER)
        return ilk_fail(err, ILK_EDATA, "column %.*s is declared as a number; is it a class? (--target names another)",
                        ILK_SHOW(in->table->names[in->target]));
    bool fractions = p->numbers == p->values && p->integers < p->numbers;
    if (!is_scattered(p) && !(fractions && p->distinct > MOST_CLASSES_OF_FRACTIONS))
        return ILK_OK;
    return ilk_fail(err, ILK_EDATA, "column %.*s holds %zu distinct values in %zu rows; is it a class?%s",
                    ILK_SHOW(in->table->names[in->target]), p->distinct, in->rows,
                    in->plan->target && !in->plan->all_rows ? " (--passes 2 looks at all rows)" : "");
}

/* In ten rows chance does not make all values distinct; in three it does. */
static bool is_identifier(const ilk_profile *p) {
    return p->values >= ENOUGH_FOR_AN_IDENTIFIER && p->distinct + p->uncounted == p->values;
}

/* Programs that number the rows of a table give these numbers no name. Not in order, where rows have been drawn. */
static bool is_row_number(const ilk_inference *in, const ilk_profile *p) {
    return in->table->unnamed && p == in->profiles && p->integers == p->values && p->distinct == p->values;
}

static bool is_prose(const ilk_profile *p) {
    return p->words > WORDS_OF_TEXT * p->values;
}

static bool is_count(const ilk_profile *p) {
    return p->integers == p->values && p->negatives == 0;
}

static void ignore(const ilk_inference *in, ilk_column *c, const ilk_profile *p) {
    ilk_error line;
    c->role = ILK_IGNORED;
    c->family = NULL;
    if (p->values == 0)
        ilk_fail(&line, ILK_OK, "column %.*s ignored: no values in %zu row%s", ILK_SHOW(c->name), in->rows,
                 in->rows == 1 ? "" : "s");
    else if (is_row_number(in, p))
        ilk_fail(&line, ILK_OK, "column %.*s ignored: it has no name, and numbers the rows", ILK_SHOW(c->name));
    else if (!in->model.category_family)
        ilk_fail(&line, ILK_OK, "column %.*s ignored: not text", ILK_SHOW(c->name));
    else
        ilk_fail(&line, ILK_OK, "column %.*s ignored: an identifier (%zu distinct values in %zu rows)",
                 ILK_SHOW(c->name), p->distinct + p->uncounted, in->rows);
    say(in, &line);
}

/* A column of numbers with a few strings among them is more likely to lack a spelling of "missing" than to be a list of
 * categories or an identifier. */
static bool is_nearly_numbers(const ilk_profile *p) {
    return p->numbers < p->values && p->numbers >= p->values - p->values / 10 && p->distinct > ILK_FEW_VALUES;
}

static void warn_of_numbers(const ilk_inference *in, const ilk_column *c, const ilk_profile *p) {
    ilk_error line;
    ilk_fail(&line, ILK_OK, "column %.*s taken as categories: %zu of %zu values %s, the first '%s'", ILK_SHOW(c->name),
             p->values - p->numbers, p->values, p->values - p->numbers == 1 ? "is no number" : "are no numbers",
             p->odd);
    say(in, &line);
}

/* Every column that has values becomes something, or a note says why not. */
static void guess(const ilk_inference *in, ilk_column *c, const ilk_profile *p) {
    const ilk_model_kind *model = &in->model;
    bool numbers = p->numbers == p->values, nearly = model->real_family && is_nearly_numbers(p);
    if (p->values == 0 || is_row_number(in, p)) {
        ignore(in, c, p);
    } else if (model->count_family && is_count(p)) {
        c->kind = ILK_REAL;
        c->family = model->count_family;
    } else if (numbers && model->real_family && !is_coded(p)) {
        c->kind = ILK_REAL;
        c->family = model->real_family;
    } else if (!numbers && is_prose(p) && model->text_family) {
        c->kind = ILK_TEXT;
        c->family = model->text_family;
    } else if (!model->category_family || (is_identifier(p) && !nearly)) {
        ignore(in, c, p);
    } else {
        c->kind = ILK_CATEGORY;
        c->family = model->category_family;
        if (nearly)
            warn_of_numbers(in, c, p);
    }
}

/* The transform wished for a column, or NULL: its own or, if it looks real, that of all. */
static const ilk_wish *wish_of(const ilk_inference *in, size_t j) {
    const ilk_wishes *w = &in->wishes;
    const ilk_profile *p = &in->profiles[j];
    if (w->of[j].kind != ILK_WISH_NONE)
        return &w->of[j];
    if (!ilk_may_be_real(in, j) || in->ignored[j])
        return NULL;
    if (in->family[j])
        return w->all_power.kind != ILK_WISH_NONE && !ilk_family_find(in->family[j])->accepts ? &w->all_power : NULL;
    if (p->values == 0 || p->numbers < p->values || is_coded(p) || is_row_number(in, p) ||
        (in->model.count_family && is_count(p)))
        return NULL;
    if (w->all_bins.kind != ILK_WISH_NONE && in->model.category_family)
        return &w->all_bins;
    return w->all_power.kind != ILK_WISH_NONE && in->model.real_family ? &w->all_power : NULL;
}

/* A column with a transform: what it is follows from that. */
static void describe_transformed(const ilk_inference *in, size_t j, ilk_column *c, const ilk_wish *wish) {
    const char *of_bins = in->model.category_family ? in->model.category_family : "categorical";
    c->kind = ilk_wish_is_bins(wish) ? ILK_CATEGORY : ILK_REAL;
    c->family = in->family[j] ? in->family[j] : c->kind == ILK_CATEGORY ? of_bins : in->model.real_family;
    c->transform = in->wishes.learnt[j].transform;
}

/* A column without values, of which rows that are still to come may have some: what it is declared to be, or NULL. */
static const char *promised_family(const ilk_inference *in, size_t j) {
    ilk_hint hint = ilk_head_declared(&in->table->head, j)->hint;
    if (!in->plan->part || in->profiles[j].values > 0)
        return NULL;
    return hint == ILK_HINT_VALUES                              ? in->model.category_family
           : hint == ILK_HINT_NUMBER && !in->model.count_family ? in->model.real_family
                                                                : NULL;
}

static void describe(const ilk_inference *in, size_t j, ilk_column *c) {
    *c = (ilk_column){.name = in->table->names[j], .kind = ILK_CATEGORY, .role = ILK_FEATURE};
    if (j == in->target) {
        c->role = ILK_TARGET;
    } else if (j == in->weight) {
        c->role = ILK_WEIGHT;
        c->kind = ILK_REAL;
    } else if (in->ignored[j]) {
        c->role = ILK_IGNORED;
    } else if (wish_of(in, j)) {
        describe_transformed(in, j, c, wish_of(in, j));
    } else if (in->family[j]) {
        c->family = in->family[j];
        c->kind = ilk_family_kind(c->family);
    } else if (in->text[j]) {
        c->kind = ILK_TEXT;
        c->family = in->model.text_family ? in->model.text_family : "multinomial";
    } else if (promised_family(in, j)) {
        c->family = promised_family(in, j);
        c->kind = ilk_family_kind(c->family);
    } else {
        guess(in, c, &in->profiles[j]);
    }
    if (c->kind == ILK_TEXT)
        c->tokenizer = in->plan->tokenizer;
}

/* ---- transforms */

static ilk_status learn_transforms(ilk_inference *in, ilk_error *err) {
    for (size_t j = 0; j < in->table->columns; j++) {
        const ilk_wish *wish = j == in->target || j == in->weight ? NULL : wish_of(in, j);
        ilk_column c = {0};
        if (!wish)
            continue;
        describe_transformed(in, j, &c, wish);
        bool shared = ilk_family_find(c.family)->shared;
        ILK_TRY(ilk_wishes_learn(&in->wishes, j, wish, &in->numbers, in->table, shared, err));
    }
    return ILK_OK;
}

static void note_transform(const ilk_inference *in, size_t j) {
    const ilk_learnt *learnt = &in->wishes.learnt[j];
    char text[256];
    ilk_error line;
    ilk_transform_text(text, sizeof text, &learnt->transform);
    ilk_fail(&line, ILK_OK, "column %.*s: %s, learnt from %zu rows%s%s", ILK_SHOW(in->table->names[j]), text,
             in->numbers.n, learnt->note ? ": " : "", learnt->note ? learnt->note : "");
    say(in, &line);
}

/* What was learnt of each column that was named or is odd, and of how many others. */
static void note_transforms(const ilk_inference *in) {
    size_t others = 0;
    ilk_error line;
    for (size_t j = 0; j < in->table->columns; j++) {
        const ilk_wish *wish = j == in->target || j == in->weight ? NULL : wish_of(in, j);
        if (!wish || !ilk_wish_learns(wish))
            continue;
        if (wish == &in->wishes.of[j] || in->wishes.learnt[j].note)
            note_transform(in, j);
        else
            others++;
    }
    ilk_fail(&line, ILK_OK, "%zu column%s transformed, learnt from %zu rows", others, others == 1 ? "" : "s",
             in->numbers.n);
    if (others)
        say(in, &line);
}

/* What commas between digits are taken for, where numbers have any. */
static void note_commas(const ilk_inference *in, const ilk_schema *schema) {
    for (size_t j = 0; j < in->table->columns; j++) {
        const ilk_column *c = ilk_schema_column(schema, j);
        bool number = c->role == ILK_WEIGHT || (c->role == ILK_FEATURE && (c->kind == ILK_REAL || c->transform.kind));
        ilk_error line;
        if (!in->profiles[j].commas || !number)
            continue;
        ilk_fail(&line, ILK_OK, "column %.*s: commas in numbers are decimal ones, 5,1 is 5.1", ILK_SHOW(c->name));
        say(in, &line);
        return;
    }
}

/* ---- the schema */

static bool has_family(const ilk_schema *schema, const ilk_family *family) {
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const char *name = ilk_schema_column(schema, j)->family;
        if (name && ilk_family_find(name) == family)
            return true;
    }
    return false;
}

/* A model that is named after a family is to have a column of it. */
static ilk_status require_family(const ilk_inference *in, const ilk_schema *schema, ilk_error *err) {
    const ilk_family *family = ilk_family_find(in->model.name);
    if (!family || has_family(schema, family))
        return ILK_OK;
    if (family->kind == ILK_TEXT && ilk_schema_width(schema, ILK_TEXT) == 0)
        return ilk_fail(err, ILK_EDATA,
                        "no text column: none has more than %d words on average (--text COLUMN names one, --format "
                        "lines is for a label, a tab and text on each line)",
                        WORDS_OF_TEXT);
    const char *needs = family->kind == ILK_TEXT       ? "text"
                        : family->kind == ILK_CATEGORY ? "categories"
                        : family->accepts              ? "counts"
                                                       : "numbers";
    return ilk_fail(err, ILK_EDATA, "no column of %s for model %s (--family COLUMN=%s names one)", needs, family->name,
                    family->name);
}

static ilk_status require_features(const ilk_inference *in, const ilk_schema *schema, ilk_error *err) {
    size_t features = 0;
    for (ilk_kind kind = ILK_REAL; kind <= ILK_TEXT; kind++)
        features += ilk_schema_width(schema, kind);
    if (features == 0 && in->model.category_family) /* else it is text that is missing */
        return ilk_fail(err, ILK_EDATA, "no column is left to learn %.*s from", ILK_SHOW(in->table->names[in->target]));
    return require_family(in, schema, err);
}

/* Notes are told once it is sure that there is a schema: a failure is one line. */
static ilk_status build(const ilk_inference *in, ilk_schema *schema, ilk_error *err) {
    const ilk_table *t = in->table;
    ilk_inference quiet = *in;
    ilk_column column;
    quiet.note = NULL;
    ILK_TRY(check_target(in, err));
    for (size_t j = 0; j < t->columns; j++) {
        describe(&quiet, j, &column);
        ILK_TRY(ilk_schema_add(schema, &column, err));
    }
    ILK_TRY(require_features(in, schema, err));
    for (size_t j = 0; in->note && j < t->columns; j++)
        describe(in, j, &column);
    note_transforms(in);
    return ILK_OK;
}

/* ---- entries: columns that have indices instead of names */

enum { MOST_DENSE = 10000 };

/* Numbers of N columns each, 0 where a row lists none. Whether they begin with 0 is what the rows say. */
static ilk_status add_numbers(const ilk_inference *in, ilk_schema *schema, const char *family, ilk_error *err) {
    const ilk_head *head = &in->table->head;
    size_t first = head->zero ? 0 : 1, last = head->limit ? head->limit - head->zero : head->most;
    last = last < head->most ? head->most : last;
    if (last < first)
        return ilk_fail(err, ILK_EDATA, "no row lists a column");
    if (last - first >= MOST_DENSE)
        return ilk_fail(err, ILK_EDATA,
                        "%zu columns of numbers are too many, at most %d; a text model, as multinomial, takes as many "
                        "counts as there are",
                        last - first + 1, MOST_DENSE);
    for (size_t i = first; i <= last; i++) {
        char name[24];
        ilk_str text = {name, (size_t)snprintf(name, sizeof name, "%zu", i)};
        const ilk_column column = {.name = text, .kind = ILK_REAL, .role = ILK_FEATURE, .family = family};
        ILK_TRY(ilk_schema_add(schema, &column, err));
    }
    return ILK_OK;
}

static ilk_status add_bag(const ilk_inference *in, ilk_schema *schema, const char *family, ilk_error *err) {
    const ilk_tokenizer *asked = &in->plan->tokenizer; /* of which only the weights are open */
    const ilk_column column = {.name = in->table->names[1],
                               .kind = ILK_TEXT,
                               .role = ILK_FEATURE,
                               .family = family,
                               .tokenizer = {.kind = ILK_COUNTS,
                                             .keep_case = true,
                                             .ngram_min = 1,
                                             .ngram_max = 1,
                                             .weight = asked->weight,
                                             .unit_length = asked->unit_length}};
    return ilk_schema_add(schema, &column, err);
}

/* Counts are a bag of words whose words are the indices; unless numbers were asked for, or are there. */
static ilk_status build_entries(const ilk_inference *in, ilk_schema *schema, ilk_error *err) {
    const ilk_model_kind *model = &in->model;
    ilk_column label;
    if (in->target != 0)
        return ilk_fail(err, ILK_EARG, "the target of svmlight data is its label");
    ILK_TRY(check_target(in, err));
    describe(in, 0, &label);
    ILK_TRY(ilk_schema_add(schema, &label, err));
    bool any = !ilk_family_find(model->name);
    if (in->family[1] && ilk_family_kind(in->family[1]) != ILK_CATEGORY)
        return ilk_family_kind(in->family[1]) == ILK_TEXT ? add_bag(in, schema, in->family[1], err)
                                                          : add_numbers(in, schema, in->family[1], err);
    if (!model->category_family || (any && !in->table->head.uncountable))
        return add_bag(in, schema, model->text_family, err);
    if (!model->real_family)
        return ilk_fail(err, ILK_EDATA, "svmlight data has counts or numbers, no categories");
    return add_numbers(in, schema, model->count_family ? model->count_family : model->real_family, err);
}

static bool make_room(ilk_inference *in, size_t columns) {
    in->ignored = ilk_zalloc(columns, sizeof *in->ignored);
    in->text = ilk_zalloc(columns, sizeof *in->text);
    in->family = ilk_zalloc(columns, sizeof *in->family);
    in->effort = ilk_zalloc(columns, sizeof *in->effort);
    in->profiles = ilk_zalloc(columns, sizeof *in->profiles);
    return in->ignored && in->text && in->family && in->effort && in->profiles &&
           ilk_numbers_init(&in->numbers, columns) == ILK_OK;
}

static void release(ilk_inference *in, size_t columns) {
    for (size_t j = 0; in->profiles && j < columns; j++)
        ilk_profile_free(&in->profiles[j]);
    ilk_numbers_free(&in->numbers);
    ilk_wishes_free(&in->wishes);
    ilk_free(in->profiles);
    ilk_free(in->effort);
    ilk_free(in->family);
    ilk_free(in->text);
    ilk_free(in->ignored);
}

static ilk_status check_again(const ilk_table *t, ilk_error *err) {
    const ilk_feed *feed = &t->source.feed;
    if (feed->once == feed->count)
        return ILK_OK;
    return ilk_fail(err, ILK_EDATA, "%s: cannot be read twice: it is no regular file",
                    feed->name(feed->ctx, feed->once));
}

/* Where the format says what its columns are, a few rows will do, unless none of them can be read or they make labels
 * look like no classes. */
static ilk_status survey(ilk_inference *in, ilk_survey *s, ilk_error *err) {
    if (in->plan->all_rows)
        return ilk_survey_all(s, in->table, err);
    if (!ilk_records_of(in->table->source.dialect.format)->names[0])
        ILK_TRY(ilk_table_look_ahead(in->table, err));
    ILK_TRY(ilk_survey_ahead(s, in->table, err));
    if (s->rows > 0 && !is_scattered(&in->profiles[in->target]))
        return ILK_OK;
    ILK_TRY(ilk_table_look_ahead(in->table, err));
    return ilk_survey_ahead(s, in->table, err);
}

static ilk_status infer(ilk_inference *in, ilk_schema *schema, ilk_error *err) {
    if (!make_room(in, in->table->columns))
        return ilk_fail_memory(err);
    const ilk_table *t = in->table;
    ILK_TRY(ilk_table_blame(err, ilk_plan_obey(in, err), t));
    bool entries = t->source.dialect.format == ILK_FORMAT_SVM;
    if (entries && in->plan->bins + in->plan->transforms > 0)
        return ilk_table_blame(err, ilk_fail(err, ILK_EARG, "svmlight data takes no bins and no transforms"), t);
    ilk_survey seen = {.profiles = in->profiles,
                       .effort = in->effort,
                       .numbers = &in->numbers,
                       .progress = in->plan->progress,
                       .ctx = in->plan->progress_ctx};
    ILK_TRY(survey(in, &seen, err));
    ILK_TRY(ilk_survey_check(&seen, err));
    in->rows = seen.rows;
    for (size_t i = 0; i < t->missing.n; i++)
        ILK_TRY(ilk_schema_add_missing(schema, t->missing.spelling[i], err));
    ILK_TRY(ilk_schema_set_encoding(schema, t->encoding, err));
    if (entries)
        return ilk_table_blame(err, build_entries(in, schema, err), t);
    for (size_t j = 0; j < t->columns; j++)
        if (j != in->target)
            ilk_profile_heed(&in->profiles[j], ilk_head_declared(&t->head, j)->hint);
    ILK_TRY(learn_transforms(in, err));
    ILK_TRY(ilk_table_blame(err, build(in, schema, err), t));
    note_commas(in, schema);
    return ILK_OK;
}

ilk_status ilk_table_schema(ilk_schema **out, ilk_table *table, const ilk_plan *plan, ilk_note_fn note, void *ctx,
                            ilk_error *err) {
    *out = NULL;
    if (table->consumed)
        return ilk_fail(err, ILK_EARG, "the table has been read already");
    ilk_plan defaults;
    ilk_plan_init(&defaults);
    ilk_inference in = {.table = table, .plan = plan ? plan : &defaults, .note = note, .ctx = ctx};
    if (in.plan->all_rows)
        ILK_TRY(check_again(table, err));
    ilk_schema *schema;
    ILK_TRY(ilk_schema_new(&schema, err));
    ilk_status status = infer(&in, schema, err);
    release(&in, table->columns);
    if (status == ILK_OK && in.plan->stop)
        status = ilk_word_list_read(schema, ILK_WORD_STOPPED, in.plan->stop, err);
    if (status == ILK_OK && in.plan->dictionary)
        status = ilk_word_list_read(schema, ILK_WORD_LISTED, in.plan->dictionary, err);
    if (status == ILK_OK)
        *out = schema;
    else
        ilk_schema_free(schema);
    return status;
}
