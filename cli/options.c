/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - the table of options: one row each.
 *
 * How a value is read is the business of the row's store function; walking through argv is parse.c's.
 */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prior.h"

/* In a list of choices, at its end, and in a help: the names of all families. */
static const char families[] = "{families}";

/* Choices are stored by their index, so each list keeps the order of its enumeration. */
static const char *const formats[] = {"auto", "csv", "tsv", "lines", "arff", "jsonl", "svm", "dirs", NULL};
static const char *const bad_rows[] = {"stop", "skip", NULL};
static const char *const models[] = {"auto", "nb", families, NULL};
static const char *const priors[] = {"empirical", "uniform", "smoothed", NULL};
static const char *const smooths[] = {"loo", "loo-accuracy", NULL};
static const char *const shrinks[] = {"none", "oas", "loo", "loo-accuracy", NULL};
static const char *const divisors[] = {"n", "n-k", "n-1", NULL};
static const char *const unseens[] = {"ignore", "unknown", "error", NULL};
static const char *const tokens[] = {"words", "whitespace", "chars", "counts", "pieces", NULL};
static const char *const loos[] = {"auto", "all", "none", NULL};
static const char *const progresses[] = {"auto", "none", "json", NULL};
static const char *const forms[] = {"json", "c", NULL};
static const char *const passes[] = {"1", "2", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};

_Static_assert(sizeof(ilk_format) == sizeof(unsigned) && sizeof(ilk_header) == sizeof(unsigned) &&
                   sizeof(ilk_prior) == sizeof(unsigned) && sizeof(ilk_divisor) == sizeof(unsigned) &&
                   sizeof(ilk_unseen) == sizeof(unsigned) && sizeof(ilk_token_kind) == sizeof(unsigned),
               "choices are stored as unsigned");

static const char *store_flag(const cli_option *option, void *field, const char *value) {
    (void)option, (void)value;
    *(bool *)field = true;
    return NULL;
}

static const char *store_switch(const cli_option *option, void *field, const char *value) {
    (void)value;
    memcpy(field, &option->least, sizeof option->least);
    return NULL;
}

static const char *store_text(const cli_option *option, void *field, const char *value) {
    (void)option;
    *(const char **)field = value;
    return NULL;
}

static const char *store_file(const cli_option *option, void *field, const char *value) {
    return *value ? store_text(option, field, value) : "the name of a file";
}

/* The parser has made room for as many items as there are arguments. */
static const char *store_item(const cli_option *option, void *field, const char *value) {
    (void)option;
    cli_list *list = field;
    list->item[list->n++] = value;
    return NULL;
}

static const char *store_pair(const cli_option *option, void *field, const char *value) {
    return strchr(value, '=') ? store_item(option, field, value) : option->argument;
}

/* All choices, with something between them. Returns buf, cut where they do not fit. */
static char *join_choices(const cli_option *option, const char *between, char *buf, size_t size) {
    size_t at = 0;
    const char *choice;
    buf[0] = '\0';
    for (size_t i = 0; (choice = cli_option_choice(option, i)) && at < size; i++)
        at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? between : "", choice);
    return buf;
}

static const char *store_choice(const cli_option *option, void *field, const char *value) {
    static char expected[CLI_CHOICES];
    const char *choice;
    for (unsigned i = 0; (choice = cli_option_choice(option, i)); i++)
        if (strcmp(choice, value) == 0) {
            memcpy(field, &i, sizeof i);
            return NULL;
        }
    size_t n = (size_t)snprintf(expected, sizeof expected, "one of ");
    join_choices(option, ", ", expected + n, sizeof expected - n);
    return expected;
}

/* A choice the library takes by its name. */
static const char *store_name(const cli_option *option, void *field, const char *value) {
    unsigned index;
    const char *expected = store_choice(option, &index, value);
    return expected ? expected : store_text(option, field, value);
}

/* Digits alone: no sign, no blank, at most nine of them. */
static const char *read_whole(unsigned *out, const char *text, const char **end) {
    unsigned n = 0;
    size_t length = strspn(text, "0123456789");
    if (length == 0 || length > 9)
        return "a whole number";
    for (size_t i = 0; i < length; i++)
        n = n * 10 + (unsigned)(text[i] - '0');
    *out = n;
    *end = text + length;
    return NULL;
}

static const char *store_whole(const cli_option *option, void *field, const char *value) {
    static char expected[64];
    unsigned most = option->most ? option->most : 999999999, n;
    const char *end;
    if (!read_whole(&n, value, &end) && *end == '\0' && n >= option->least && n <= most) {
        *(size_t *)field = n;
        return NULL;
    }
    snprintf(expected, sizeof expected, "a whole number from %u to %u", option->least, most);
    return expected;
}

/* All 64 bits. */
static const char *store_seed(const cli_option *option, void *field, const char *value) {
    (void)option;
    uint64_t n = 0;
    size_t length = strspn(value, "0123456789");
    bool good = length > 0 && value[length] == '\0';
    for (size_t i = 0; good && i < length; i++) {
        unsigned digit = (unsigned)(value[i] - '0');
        good = n <= (UINT64_MAX - digit) / 10;
        n = n * 10 + digit;
    }
    if (!good)
        return "a whole number from 0 to 18446744073709551615";
    *(uint64_t *)field = n;
    return NULL;
}

static const char *store_real(const cli_option *option, void *field, const char *value) {
    (void)option;
    char *end = NULL;
    bool plain = *value && strspn(value, "0123456789.eE+-") == strlen(value);
    double x = plain ? strtod(value, &end) : NAN;
    if (!plain || *end || !isfinite(x) || x < 0)
        return "a number, 0 or more";
    *(double *)field = x;
    return NULL;
}

/* `field` is all of the options: a prior that is given needs more than one of them. */
static const char *store_prior(const cli_option *option, void *field, const char *value) {
    ilk_options *estimate = field;
    unsigned index;
    if (!store_choice(option, &index, value)) {
        estimate->prior = (ilk_prior)index;
        return NULL;
    }
    if (prior_read(estimate, value))
        return NULL;
    return "empirical, uniform, smoothed or CLASS=P,... with each class once, where the P are above 0 and sum to at "
           "most 1";
}

static const char *store_smooth(const cli_option *option, void *field, const char *value) {
    static const double known[] = {ILK_LOO, ILK_LOO_ACCURACY};
    unsigned index;
    if (store_choice(option, &index, value))
        return store_real(option, field, value) ? "loo, loo-accuracy or a number, 0 or more" : NULL;
    *(double *)field = known[index];
    return NULL;
}

static const char *store_shrink(const cli_option *option, void *field, const char *value) {
    static const double known[] = {0, ILK_SHRINK_OAS, ILK_LOO, ILK_LOO_ACCURACY};
    unsigned index;
    double x;
    if (!store_choice(option, &index, value))
        x = known[index];
    else if (store_real(option, &x, value) || x > 1)
        return "none, oas, loo, loo-accuracy or a number from 0 to 1";
    *(double *)field = x;
    return NULL;
}

static const char *store_ngrams(const cli_option *option, void *field, const char *value) {
    ilk_tokenizer *tokenizer = field;
    const char *end;
    unsigned low, high, most = option->most;
    bool good = !read_whole(&low, value, &end);
    high = low;
    if (good && *end == '-')
        good = !read_whole(&high, end + 1, &end);
    if (!good || *end || low < 1 || high < low || high > most)
        return "A-B with 1 <= A <= B <= 8";
    tokenizer->ngram_min = low;
    tokenizer->ngram_max = high;
    return NULL;
}

#define AT(member) offsetof(cli_settings, member)
#define DATA "train update forget predict eval explain"
#define LEARN "train update"
#define ESTIMATE "train estimate"

static const char reading[] = "Reading", modelling[] = "Model", estimating[] = "Estimate", text[] = "Text",
                  showing[] = "Output", running[] = "Running";

/* clang-format off */
static const cli_option options[] = {
    {"format", 0, NULL, reading, DATA, store_choice, AT(reading.format), formats, 0, 0,
     "how the data is written; lines is a label, a tab and text on each line, jsonl an object on each line, svm a "
     "label and index:value on each line, dirs a folder per class and a file per document (default: by "
     "extension and content)"},
    {"encoding", 0, "NAME", reading, DATA, store_text, AT(reading.encoding), NULL, 0, 0,
     "of the data: utf-8, gb18030, gbk, big5, utf-16, shift_jis, euc-kr, latin1, windows-1251 and others (default: "
     "what the model was trained with, else utf-8; a byte order mark goes before all)"},
    {"columns", 0, "N", reading, "train", store_whole, AT(reading.columns), NULL, 1, 4194304,
     "how many columns svm data has (default: the largest index)"},
    {"header", 0, NULL, reading, DATA, store_switch, AT(reading.header), NULL, ILK_HEADER_YES, 0,
     "the first row names the columns (default: it does if it holds no number, and if no field recurs below or one "
     "stands above numbers only)"},
    {"no-header", 0, NULL, reading, DATA, store_switch, AT(reading.header), NULL, ILK_HEADER_NO, 0,
     "the first row is data"},
    {"na", 0, "LIST", reading, "train", store_text, AT(reading.missing), NULL, 0, 0,
     "spellings of \"no value\", separated by commas (default: ?,NA,NaN and the empty field)"},
    {"bad-rows", 0, NULL, reading, DATA, store_choice, AT(bad_rows), bad_rows, 0, 0,
     "stop at the first row that cannot be read, or skip and count such rows (default: stop)"},
    {"target", 0, "COL", reading, "train", store_text, AT(plan.target), NULL, 0, 0,
     "the column to predict, by name or 1-based index (default: class, target, label or y, else the last)"},
    {"text", 0, "COL,...", reading, "train", store_item, AT(text), NULL, 0, 0,
     "columns that are text, whatever they look like; may be given again"},
    {"ignore", 0, "COL,...", reading, "train", store_item, AT(ignore), NULL, 0, 0,
     "columns to leave out; a name that has a comma stands in quotes, as in --text and --keep: '\"a,b\",c'; may be given "
     "again"},
    {"weights", 0, "COL", reading, "train", store_text, AT(plan.weights), NULL, 0, 0,
     "the column that says how much each row counts: numbers, 0 or more; never used to predict"},

    {"model", 0, NULL, modelling, "train", store_name, AT(plan.model), models, 0, 0,
     "what to learn; auto and nb model each column by itself, the others are families: gaussian and gaussian-shared "
     "are for numbers each by itself, gda and qda put all numbers into one Gaussian with a covariance shared by the "
     "classes or their own, poisson and negative-binomial take whole numbers as counts, categorical makes every column "
     "a category and table all of them one joint table; bernoulli, multinomial, complement and one-vs-rest are event "
     "models for a text column (default: auto)"},
    {"family", 0, "COL=FAMILY", modelling, "train", store_pair, AT(family), NULL, 0, 0,
     "how to model one column: {families}; may be given again"},
    {"bins", 0, "COL=BINS", modelling, "train", store_pair, AT(bins), NULL, 0, 0,
     "make categories of a column's numbers: at edges (400,800,1200: 800 belongs to the bin above), bins:N of one "
     "width, width:W at its multiples, quantile:N of as many values each, or mdlp, where they tell about the class; * "
     "is all columns of numbers; may be given again"},
    {"transform", 0, "COL=POWER", modelling, "train", store_pair, AT(transform), NULL, 0, 0,
     "make a column's numbers more nearly normal: boxcox, yeo-johnson or log; * is all columns of numbers; may be "
     "given again"},
    {"like", 0, "MODEL", modelling, "train", store_file, AT(like), NULL, 0, 0,
     "take columns, transforms, words and spellings of missing values from a model, so that both can be merged"},
    {"model", 0, "FAMILY", modelling, "estimate", store_text, AT(plan.model), NULL, 0, 0,
     "another family that has the same statistics, as qda has those of gda, out of {families} (default: as it was)"},

    {"smooth", 0, "ALPHA", estimating, ESTIMATE, store_smooth, AT(estimate.smooth), smooths, 0, 0,
     "added to every count; 1 is Laplace, 0 maximum likelihood; loo chooses what gives rows left out, which only train "
     "has, the least log-loss, loo-accuracy the highest accuracy (default: 1)"},
    {"prior", 0, "CLASS=P,...", estimating, ESTIMATE, store_prior, AT(estimate), priors, 0, 0,
     "where p(class) comes from; classes that are not given share what is left as their rows do (default: empirical, "
     "the shares of the rows)"},
    {"shrink", 0, "VALUE", estimating, ESTIMATE, store_shrink, AT(estimate.shrink), shrinks, 0, 0,
     "pull the correlations of gda and qda towards 0, all the way at 1; oas chooses how far by a formula, loo and "
     "loo-accuracy as for --smooth (default: none)"},
    {"divisor", 0, NULL, estimating, ESTIMATE, store_choice, AT(estimate.divisor), divisors, 0, 0,
     "of variances and covariances (default: n, maximum likelihood)"},
    {"vocab", 0, "N", estimating, ESTIMATE, store_whole, AT(estimate.vocab), NULL, 0, 0,
     "keep the N commonest words (default: 0, which keeps all)"},
    {"min-docs", 0, "N", estimating, ESTIMATE, store_whole, AT(estimate.min_docs), NULL, 1, 0,
     "keep words found in at least N documents (default: 1)"},
    {"unseen", 0, NULL, estimating, ESTIMATE, store_choice, AT(estimate.unseen), unseens, 0, 0,
     "a category or word the model has not seen says nothing, is one value more, or is refused (default: ignore)"},

    {"tokens", 0, NULL, text, "train", store_choice, AT(plan.tokenizer.kind), tokens, 0, 0,
     "what a word is: runs of letters and digits, but no single one of ASCII (Chinese as characters and pairs), what "
     "stands between blanks, every character, word:count between blanks, or runs of letters and digits, Chinese "
     "characters and punctuation marks alike (default: words)"},
    {"ngrams", 0, "A-B", text, "train", store_ngrams, AT(plan.tokenizer), NULL, 1, 8,
     "terms of A to B words (default: 1-1)"},
    {"keep-case", 0, NULL, text, "train", store_flag, AT(plan.tokenizer.keep_case), NULL, 0, 0,
     "tell upper from lower case"},
    {"stop", 0, "FILE", text, "train", store_file, AT(plan.stop), NULL, 0, 0,
     "words that are not counted, one on each line"},
    {"dictionary", 0, "FILE", text, "train", store_file, AT(plan.dictionary), NULL, 0, 0,
     "a fixed dictionary, one word on each line: these words are counted whether they occur or not, all others are "
     "unseen"},
    {"max-words", 0, "N", text, "train update", store_whole, AT(max_words), NULL, 1, 0,
     "stop where a column would have more than N different words (default: no limit)"},
    {"binary", 0, NULL, text, "train", store_switch, AT(plan.tokenizer.weight), NULL, ILK_TERM_BINARY, 0,
     "a word counts once in a document, however often it occurs"},
    {"log-counts", 0, NULL, text, "train", store_switch, AT(plan.tokenizer.weight), NULL, ILK_TERM_LOG, 0,
     "a word that occurs c times in a document counts log(1 + c)"},
    {"unit-length", 0, NULL, text, "train", store_flag, AT(plan.tokenizer.unit_length), NULL, 0, 0,
     "long documents weigh no more than short ones: the squares of a document's counts sum to 1"},

    {"posterior", 0, NULL, showing, "predict", store_flag, AT(posterior), NULL, 0, 0,
     "add p(class | row) for every class"},
    {"joint", 0, NULL, showing, "predict", store_flag, AT(joint), NULL, 0, 0,
     "add p(row, class) for every class"},
    {"log-joint", 0, NULL, showing, "predict", store_flag, AT(log_joint), NULL, 0, 0,
     "add log p(row, class) for every class"},
    {"keep", 0, "COL,...|all", showing, "predict", store_item, AT(kept), NULL, 0, 0,
     "copy these columns of the data, before the prediction; may be given again"},
    {"top", 0, "N", showing, "explain", store_whole, AT(top), NULL, 1, 0,
     "how many reasons to show for and against (default: 10)"},
    {"against", 0, "CLASS", showing, "explain", store_text, AT(against), NULL, 0, 0,
     "compare with this class (default: the second most probable)"},
    {"words", 0, "N", showing, "inspect", store_whole, AT(words), NULL, 0, 100000,
     "how many words to show per class (default: 10)"},
    {"csv", 0, NULL, showing, "inspect", store_flag, AT(csv), NULL, 0, 0,
     "every parameter as one line of CSV, all digits"},
    {"rows", 'n', "N", showing, "sample", store_whole, AT(rows), NULL, 0, 0,
     "how many rows to draw (default: 10)"},
    {"to", 0, NULL, showing, "export", store_name, AT(to), forms, 0, 0,
     "what to write: json, or one function of c"},
    {"name", 0, "NAME", showing, "export", store_text, AT(name), NULL, 0, 0,
     "what the names in the C code begin with (default: model)"},
    {"class", 0, "NAME", showing, "forget", store_text, AT(class), NULL, 0, 0,
     "forget all rows of this class"},
    {"shard", 0, "MODEL", showing, "forget", store_file, AT(shard), NULL, 0, 0,
     "forget all that this model has learnt"},
    {"json", 0, NULL, showing, DATA " inspect sample", store_flag, AT(json), NULL, 0, 0,
     "JSON on standard output; one object per row where there are rows"},
    {"output", 'o', "FILE", showing, "train merge estimate", store_file, AT(output), NULL, 0, 0,
     "the model file to write; it appears whole or not at all"},
    {"slim", 0, NULL, showing, ESTIMATE, store_flag, AT(slim), NULL, 0, 0,
     "leave the statistics out of the file: smaller, but nothing can be learnt into it, forgotten, merged or estimated "
     "anew"},
    {"stats-only", 0, NULL, showing, "train", store_flag, AT(plan.part), NULL, 0, 0,
     "write the statistics without a model: a part, of one class perhaps, to be merged with others"},

    {"threads", 0, "N", running, DATA, store_whole, AT(threads), NULL, 1, 1024,
     "how many to use; the result is the same for any number (default: one per processor)"},
    {"loo", 0, NULL, running, LEARN, store_choice, AT(loo), loos, 0, 0,
     "report exact leave-one-out accuracy and log-loss on 10,000 rows, or on all if there are fewer; all reads the "
     "files again for it, to the last row (default: auto)"},
    {"passes", 0, NULL, running, "train", store_choice, AT(passes), passes, 0, 0,
     "decide what columns are and learn bins and transforms from the first 65,536 rows, or read the files twice and "
     "learn them from all (default: 1)"},
    {"seed", 0, "N", running, LEARN " sample", store_seed, AT(seed), NULL, 0, 0,
     "chooses the rows of --loo, or those of a sample (default: 0)"},
    {"progress", 0, NULL, running, DATA, store_choice, AT(progress), progresses, 0, 0,
     "how far it has come, on standard error: a bar on a terminal, nothing, or one object of JSON per line (default: "
     "auto, the bar)"},
    {"quiet", 'q', NULL, running, DATA " merge estimate", store_flag, AT(quiet), NULL, 0, 0,
     "no notes, report or progress on standard error"},
    {"man", 0, NULL, running, "help", store_flag, AT(man), NULL, 0, 0,
     "print the manual page, of ilk or of a command, in roff"},
    {"completion", 0, NULL, running, "help", store_name, AT(completion), shells, 0, 0,
     "print a completion script for the shell"},
    {"help", 'h', NULL, running, NULL, store_flag, AT(help), NULL, 0, 0,
     "print this help"},
};
/* clang-format on */

_Static_assert(sizeof options / sizeof *options <= CLI_OPTIONS_MOST, "room to remember all options");

const cli_option *cli_option_at(size_t i) {
    return i < sizeof options / sizeof *options ? &options[i] : NULL;
}

bool cli_option_fits(const cli_option *option, const char *command) {
    if (!option->commands)
        return true;
    size_t n = strlen(command);
    for (const char *at = option->commands; *at;) {
        size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, command, n) == 0)
            return true;
        at += length + strspn(at + length, " ");
    }
    return false;
}

bool cli_option_takes_value(const cli_option *option) {
    return option->argument || option->choices;
}

const char *cli_option_choice(const cli_option *option, size_t i) {
    ilk_family_info family;
    size_t own = 0;
    for (; option->choices && option->choices[own]; own++) {
        if (option->choices[own] == families)
            return ilk_family_at(i - own, &family) ? family.name : NULL;
        if (own == i)
            return option->choices[own];
    }
    return NULL;
}

char *cli_option_argument(const cli_option *option, char *buf, size_t size) {
    size_t at = strlen(join_choices(option, "|", buf, size));
    if (option->argument)
        snprintf(buf + at, size - at, "%s%s", at ? "|" : "", option->argument);
    return buf;
}

/* A model that is estimated anew is what it was, but for what is given. */
static bool keeps(const cli_option *option, const char *command) {
    return command && strcmp(command, "estimate") == 0 && option->heading == estimating;
}

char *cli_option_help(const cli_option *option, const char *command, char *buf, size_t size) {
    const char *mark = strstr(option->help, families);
    size_t before = mark ? (size_t)(mark - option->help) : strlen(option->help);
    size_t at = (size_t)snprintf(buf, size, "%.*s", (int)before, option->help);
    ilk_family_info family;
    for (size_t i = 0; mark && at < size && ilk_family_at(i, &family); i++)
        at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "", family.name);
    if (mark && at < size)
        snprintf(buf + at, size - at, "%s", mark + sizeof families - 1);
    char *usual = keeps(option, command) ? strstr(buf, "(default: ") : NULL;
    if (usual)
        snprintf(usual, size - (size_t)(usual - buf), "(default: as it was)");
    return buf;
}

ilk_family_info cli_family(const char *name) {
    ilk_family_info info;
    for (size_t i = 0; ilk_family_at(i, &info); i++)
        if (strcmp(info.name, name) == 0)
            return info;
    return (ilk_family_info){.name = name};
}

const char *cli_choice_name(const char *name, unsigned i) {
    const char *choice = NULL;
    for (size_t j = 0; !choice && j < sizeof options / sizeof *options; j++)
        if (strcmp(options[j].name, name) == 0)
            choice = cli_option_choice(&options[j], i);
    return choice ? choice : "given";
}
