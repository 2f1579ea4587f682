/* SPDX-License-Identifier: Apache-2.0 */
/* ilk.h - Ilk, a generative-classification engine: the core API.
 *
 * Ilk learns what each class looks like, p(x|y), and how common it is, p(y), and classifies by Bayes' rule. Learning is
 * adding: every model here is determined by counts and moments, and those add.
 *
 *     rows --add--> statistics --estimate--> model --score--> log p(x, y) --Bayes--> p(y|x)
 *
 * The header rises in rings:
 *   1. errors and strings          what every function returns and how text is passed
 *   2. schema                      the columns and the family that models each
 *   3. statistics                  add, remove, merge: one reading of the data
 *   4. models                      estimate, score, predict; save and open
 *   5. looking inside              explain one row, describe the parameters
 *   6. what generative means       draw rows, tell how unusual a row is
 * Reading files (CSV, lines of text) into statistics and through models is in <ilk_data.h>; the multivariate normal as
 * an object of its own in <ilk_normal.h>.
 *
 * Conventions. A function that can fail returns an ilk_status and takes, last, an optional `ilk_error *err` (NULL is
 * allowed) which receives one line for people. What a function makes comes first, as `out`; `*out` is NULL on failure;
 * the caller frees it with the matching `_free`, which accepts NULL. There is no global state but constants of the
 * process, made when first wanted: the kernels for this processor (`ILK_KERNELS=ref` in the environment takes the
 * portable ones), a key for hashing, and what reading numbers needs. So distinct objects may be used from distinct
 * threads, and an ilk_model is immutable: any number of threads may share one. A function leaves its arguments as they
 * were when it fails, unless it says otherwise; what an array for answers about rows holds then is not specified, as
 * some may have been written. Matrices are row-major.
 */
#ifndef ILK_H
#define ILK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ILK_API __attribute__((visibility("default")))
#else
#define ILK_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that runs, for example "0.1.0". */
ILK_API const char *ilk_version(void);

/** What the library was built with, for example "xxhash utf8proc zlib": one line, for bug reports. */
ILK_API const char *ilk_build_info(void);

/* ---- 1. Errors and strings ------------------------------------------------------------------------------------- */

/** How a call ended. The values are stable. */
typedef enum ilk_status {
    ILK_OK = 0,
    ILK_ENOMEM = 1, /**< memory, or a size that cannot be had */
    ILK_EARG = 2,   /**< the caller's arguments contradict each other or the schema */
    ILK_EDATA = 3,  /**< the data cannot be learnt from or answered: a bad row, one class only, a class without rows */
    ILK_ESINGULAR = 4, /**< a covariance has no inverse; the message names the columns */
    ILK_EIO = 5,       /**< the system refused to read or write */
    ILK_EFORMAT = 6,   /**< not a model file, a damaged one, or one of a version not known here */
    ILK_ESTOP = 7      /**< a callback asked to stop */
} ilk_status;

/** One line about what went wrong, naming row, column, class or value. Filled only on failure. */
typedef struct ilk_error {
    ilk_status status;
    char message[512]; /**< no newline, NUL-terminated, cut at a character boundary */
} ilk_error;

/** The fixed English name of a status, for example "out of memory". Never NULL. */
ILK_API const char *ilk_status_name(ilk_status status);

/** Bytes that need not end in NUL: a column name, a class, a word. Borrowed; lives as long as the object it came from.
 *  */
typedef struct ilk_str {
    const char *p;
    size_t n;
} ilk_str;

/** How many slips lie between what was typed and a name that may have been meant (letters too many, too few, wrong or
 *  swapped; case does not matter; a name cut short is one slip), or SIZE_MAX where it cannot have been. For "did you
 *  mean". */
ILK_API size_t ilk_slips(ilk_str typed, ilk_str name);

/** An id that names nothing: no class (undecided), no label. */
#define ILK_NONE UINT32_MAX
/** A category code for "this row has no value here". */
#define ILK_MISSING UINT32_MAX
/** A category code or word id for "a value the model does not know"; what becomes of it is ilk_options.unseen. */
#define ILK_UNSEEN (UINT32_MAX - 1)

/* ---- 2. Schema -------------------------------------------------------------------------------------------------- */

/** What the values of a column are. */
typedef enum ilk_kind {
    ILK_REAL = 0,     /**< numbers; NaN is missing */
    ILK_CATEGORY = 1, /**< one of finitely many strings */
    ILK_TEXT = 2      /**< a document: a bag of words */
} ilk_kind;

/** What a column is for. */
typedef enum ilk_role {
    ILK_FEATURE = 0,
    ILK_TARGET = 1,  /**< the class; exactly one column */
    ILK_IGNORED = 2, /**< remembered by name, never read */
    ILK_WEIGHT = 3   /**< how much a row counts when it is learnt (ilk_rows.weight); at most one column */
} ilk_role;

/** How a text column becomes words. Part of the schema, so that a model reads new text as it read the old. */
typedef enum ilk_token_kind {
    /** runs of letters, digits, underscores, but no single one of ASCII ("a", "7"; "é" is a word); CJK as characters
     *  and pairs, into which n-grams do not reach. Of text in NFKC */
    ILK_WORDS = 0,
    ILK_WHITESPACE = 1, /**< what stands between white space, as it is */
    ILK_CHARS = 2,      /**< every character that is not white space, of text in NFKC */
    ILK_COUNTS = 3,     /**< "word:count" between blanks, each as often as it says: bags that were counted before */
    ILK_PIECES = 4 /**< all but white space and controls: runs of letters and digits, CJK characters and punctuation
                         *   marks are words each, and n-grams reach across all of them, and mark begin and end of the
                         *   text by a blank. Of text in NFKC */
} ilk_token_kind;

/** How much a term counts that occurs c times in a document. */
typedef enum ilk_term_weight {
    ILK_TERM_COUNT = 0,  /**< c */
    ILK_TERM_BINARY = 1, /**< 1 */
    ILK_TERM_LOG = 2     /**< log(1 + c) */
} ilk_term_weight;

typedef struct ilk_tokenizer {
    ilk_token_kind kind;
    bool keep_case;                /**< false: case is folded, by Unicode's NFKC_Casefold where text is in NFKC */
    uint32_t ngram_min, ngram_max; /**< words per term, from 1 to 8; mostly 1 and 1 */
    ilk_term_weight weight;
    bool unit_length; /**< each document's weights are divided by the root of the sum of their squares: long ones do not
                       *   outvote short ones */
} ilk_tokenizer;

/** What is done to a column's numbers before they are modelled. Part of the schema, like the tokenizer. */
typedef enum ilk_transform_kind {
    ILK_AS_IS = 0,
    ILK_BINS = 1,       /**< the number becomes a category: the interval that it lies in */
    ILK_BOX_COX = 2,    /**< (x^lambda - 1) / lambda, and log x where lambda = 0; positive numbers only */
    ILK_YEO_JOHNSON = 3 /**< the same for any number: of 1 + x, and of 1 - x (with 2 - lambda) for negative ones */
} ilk_transform_kind;

/** Rows hold numbers as they are: statistics and models transform them, and p(x) is the density of x itself. Bins are
 *  half-open: below edge[0], from edge[0] and below edge[1], …, from the last edge on. */
typedef struct ilk_transform {
    ilk_transform_kind kind;
    double lambda;      /**< Box-Cox and Yeo-Johnson: from -5 to 5 */
    const double *edge; /**< bins: finite and ascending; borrowed */
    size_t edges;       /**< one less than there are bins; at most 65,535 */
} ilk_transform;

/** Which bin x lies in, from 1; 0 for NaN. With edges 400, 800, 1200, 1600, 890 is in bin 3 and 1600 in bin 5. */
ILK_API size_t ilk_transform_bin(const ilk_transform *transform, double x);
/** The name of a bin, from 1, which is the category it stands for: "(-inf,400)", "[400,800)", "[1600,inf)"; empty where
 *  there is no such bin. `buf` has room for ILK_BIN_NAME bytes. Returns the length. */
ILK_API size_t ilk_transform_bin_name(char *buf, const ilk_transform *transform, size_t bin);
#define ILK_BIN_NAME 80
/** "boxcox 0.25", "bins 400,800", "none": for people, cut to size - 1 bytes. Returns the length. */
ILK_API size_t ilk_transform_text(char *buf, size_t size, const ilk_transform *transform);

/** What one unit of ilk_tokens.count is worth: 1, or 1/4096 where weights are not whole (ILK_TERM_LOG, unit_length), so
 *  that sums stay sums of whole numbers, the same for any order of rows. */
ILK_API double ilk_tokenizer_unit(const ilk_tokenizer *tokenizer);

/** Turn how often each of a document's n terms occurs into the weights that the tokenizer asks for, in its units, at
 *  least one each. `id` tells ILK_UNSEEN, each of whose occurrences passes for a term of its own; it may be NULL.
 *  Readers of files (<ilk_data.h>) and ilk_bag_add do this; who makes bags by hand may. */
ILK_API void ilk_tokenizer_weigh(uint32_t *count, const uint32_t *id, size_t n, const ilk_tokenizer *tokenizer);

/** One column. `family` is the name of a family that models this kind (see ilk_family_info); columns of one family form
 *  one block, a text column is a block of its own. Strings are borrowed. */
typedef struct ilk_column {
    ilk_str name;
    ilk_kind kind;
    ilk_role role;
    const char *family;      /**< features only; else NULL */
    ilk_tokenizer tokenizer; /**< text only */
    ilk_transform transform; /**< bins: categories only; the others: real columns of normal families only */
} ilk_column;

/** The columns of a table, in order, and the words that mean "missing". Built once, then only read. */
typedef struct ilk_schema ilk_schema;

/** An empty schema. Returns ILK_OK or ILK_ENOMEM. */
ILK_API ilk_status ilk_schema_new(ilk_schema **out, ilk_error *err);
ILK_API void ilk_schema_free(ilk_schema *schema);

/** Append a column (its strings are copied).
 *  Returns ILK_EARG for a name that is taken, a second target or weight, a kind, role, family or way to make and weigh
 *  words that does not exist, a family that does not model `kind`, or a transform that is not possible here. A
 *  tokenizer is looked at, and kept, for features that are text only. */
ILK_API ilk_status ilk_schema_add(ilk_schema *schema, const ilk_column *column, ilk_error *err);

/** Declare a spelling of "no value", for example "NA" (the empty field is always one). Readers obey it. */
ILK_API ilk_status ilk_schema_add_missing(ilk_schema *schema, ilk_str spelling, ilk_error *err);

/** Remember which encoding the data is in (ilk_read_options.encoding; NULL: nobody said), so that whoever reads new
 *  data for a model can read it alike. It is a note: names and words are UTF-8 whatever it says. ILK_EARG: too long a
 *  name. */
ILK_API ilk_status ilk_schema_set_encoding(ilk_schema *schema, const char *encoding, ilk_error *err);
/** What was remembered, or NULL. */
ILK_API const char *ilk_schema_encoding(const ilk_schema *schema);

/** What it means for a text column that a word is in a list. */
typedef enum ilk_word_rule {
    ILK_WORD_STOPPED = 0, /**< it is not counted, not even as an unseen one */
    ILK_WORD_LISTED = 1   /**< it is one of a fixed dictionary: all others are unseen, and it belongs to the column
                           *   whether it occurs or not */
} ilk_word_rule;

/** Put a word (a term, as its tokenizer makes it) of the j-th *text* feature into one of the column's lists. With the
 *  first that is listed the dictionary is fixed. Part of the schema: to be done before statistics are made of it.
 *  Returns ILK_EARG for a word in both lists, or where there is no such feature. */
ILK_API ilk_status ilk_schema_add_word(ilk_schema *schema, size_t j, ilk_word_rule rule, ilk_str word, ilk_error *err);
/** How many words a list has. */
ILK_API size_t ilk_schema_words(const ilk_schema *schema, size_t j, ilk_word_rule rule);

ILK_API size_t ilk_schema_columns(const ilk_schema *schema);
/** Column `j`, or NULL beyond the last. */
ILK_API const ilk_column *ilk_schema_column(const ilk_schema *schema, size_t j);
/** The index of a column by name, or SIZE_MAX. */
ILK_API size_t ilk_schema_find(const ilk_schema *schema, ilk_str name);
/** The index of the target column, or SIZE_MAX. */
ILK_API size_t ilk_schema_target(const ilk_schema *schema);
/** The index of the column of weights, or SIZE_MAX. */
ILK_API size_t ilk_schema_weight(const ilk_schema *schema);
ILK_API size_t ilk_schema_missing_count(const ilk_schema *schema);
ILK_API ilk_str ilk_schema_missing(const ilk_schema *schema, size_t i);
/** How many feature columns of a kind there are: the width of ilk_rows.real, ilk_rows.code, the length of
 *  ilk_rows.text. */
ILK_API size_t ilk_schema_width(const ilk_schema *schema, ilk_kind kind);

/** A family: a way to model p(x|y) from statistics. */
typedef struct ilk_family_info {
    const char *name;    /**< "gaussian", "gda", "qda", "categorical", "multinomial", ... */
    const char *summary; /**< half a line */
    ilk_kind kind;       /**< of the columns it models */
    bool density;        /**< its scores are log p(x|y); else ("complement", "one-vs-rest") a model with it has no
                          *   density, likelihood or sample */
    bool covariance;     /**< it models its columns together, and ilk_options.shrink bears on it */
} ilk_family_info;

/** The i-th family, or false beyond the last. */
ILK_API bool ilk_family_at(size_t i, ilk_family_info *out);

/* ---- 3. Statistics ---------------------------------------------------------------------------------------------- */

/** Sufficient statistics: what has been learnt. Grows by rows, classes, categories and words at any time. */
typedef struct ilk_stats ilk_stats;

/** The bags of words of n rows, in compressed rows: row i holds id[begin[i]] … id[begin[i+1]-1], each once, with its
 *  count. Made of texts by ilk_bag_add, or by hand. An id that stands twice in a row is not looked for: its counts add
 *  up as they should, but it passes for two documents with that word, to `min_docs` and to family "bernoulli", which
 *  refuses (ILK_EDATA) to be estimated where a word is in more documents than there are, and scores it twice. */
typedef struct ilk_tokens {
    const size_t *begin;   /**< n + 1 */
    const uint32_t *id;    /**< from ilk_stats_word or ilk_model_word; ILK_UNSEEN is allowed when scoring */
    const uint32_t *count; /**< at least 1; in units of the tokenizer, see ilk_tokenizer_unit */
    const bool *missing;   /**< n: there is no text, which says nothing; such a row has no words. NULL: none of them */
} ilk_tokens;

/** A batch of rows. The matrices hold the feature columns of one kind in schema order. */
typedef struct ilk_rows {
    size_t n;
    const double *real;  /**< n × width(ILK_REAL), not transformed; NaN is missing, infinities are refused */
    const float *real32; /**< the same as floats, in place of `real`: each means the double of its value */
    /** n × width(ILK_CATEGORY), from ilk_stats_code or ilk_model_code; ILK_MISSING, ILK_UNSEEN */
    const uint32_t *code;
    const ilk_tokens *text; /**< width(ILK_TEXT) of them */
    /** n, from ilk_stats_class; for adding and removing (from ilk_model_class: leave-one-out) */
    const uint32_t *label;
    const double *weight; /**< n, at least 0 and finite; NULL: every row counts 1 */
    size_t threads;       /**< how many may work on this batch; 0 and 1: the caller's alone. Bits do not depend on it */
} ilk_rows;

/** Empty statistics for a schema (copied). Returns ILK_OK, ILK_ENOMEM or ILK_EARG (no feature column). */
ILK_API ilk_status ilk_stats_new(ilk_stats **out, const ilk_schema *schema, ilk_error *err);
ILK_API void ilk_stats_free(ilk_stats *stats);
ILK_API const ilk_schema *ilk_stats_schema(const ilk_stats *stats);

/** The id of a class, made if new. Ids are issued in order of first appearance and belong to `stats` alone. */
ILK_API ilk_status ilk_stats_class(uint32_t *out, ilk_stats *stats, ilk_str name, ilk_error *err);
/** The code of a category in the j-th *category* feature (0-based), made if new. A column of bins has the names of its
 *  bins from the start and takes no other. */
ILK_API ilk_status ilk_stats_code(uint32_t *out, ilk_stats *stats, size_t j, ilk_str value, ilk_error *err);
/** The code of a number's bin in the j-th category feature, which is a column of bins; ILK_MISSING for NaN. */
ILK_API ilk_status ilk_stats_bin(uint32_t *out, const ilk_stats *stats, size_t j, double x, ilk_error *err);
/** The id of a word in the j-th *text* feature, made if new; ILK_MISSING for a stopped word, ILK_UNSEEN for one outside
 *  a fixed dictionary (ilk_schema_add_word): neither is to be learnt. */
ILK_API ilk_status ilk_stats_word(uint32_t *out, ilk_stats *stats, size_t j, ilk_str word, ilk_error *err);

/** Texts in memory as bags of words: the rows of one text column, one after the other. */
typedef struct ilk_bag ilk_bag;

/** An empty bag for texts of the j-th *text* feature that are to be learnt: words are made if new, as by
 *  ilk_stats_word. `stats` must outlive it. A thread needs one of its own. Returns ILK_EARG where there is no such
 *  feature, ILK_ENOMEM. */
ILK_API ilk_status ilk_stats_bag(ilk_bag **out, ilk_stats *stats, size_t j, ilk_error *err);
ILK_API void ilk_bag_free(ilk_bag *bag);

/** Append a text, any bytes, as a row: the words that the column's tokenizer makes of it, each once, weighed, without
 *  those that are stopped, as readers of files do it. A spelling of "missing" is a missing text; an empty text is not
 *  (but an empty field of a table is). To be learnt, words outside a fixed dictionary are left out; to be answered, they
 *  and all that the model does not know are one entry, ILK_UNSEEN. Cost: linear in the text; memory is kept from text to
 *  text, so that a bag that is cleared and filled again comes to need none. Returns ILK_ENOMEM, ILK_EDATA (a word that
 *  the model refuses, see ILK_UNSEEN_ERROR; ILK_COUNTS: what is no count); the bag then holds what it held, and the
 *  message names column and word. */
ILK_API ilk_status ilk_bag_add(ilk_bag *bag, ilk_str text, ilk_error *err);
/** Its rows, for ilk_rows.text; borrowed until the next call that changes the bag. */
ILK_API ilk_tokens ilk_bag_tokens(const ilk_bag *bag);
/** Forget its rows. */
ILK_API void ilk_bag_clear(ilk_bag *bag);

/** Declare a category or word that belongs to its column whether it occurs or not: the values of a nominal attribute, a
 *  fixed dictionary. It counts in the number of values that smoothing divides by. A word that is stopped, or outside a
 *  fixed dictionary, is not declared: ILK_MISSING or ILK_UNSEEN, as by ilk_stats_word. */
ILK_API ilk_status ilk_stats_declare(uint32_t *out, ilk_stats *stats, ilk_kind kind, size_t j, ilk_str key,
                                     ilk_error *err);

/** Learn rows. Every value is checked before any is added: ILK_EDATA names the row (0-based) and column of an infinity,
 *  an unknown code or label. A row in which some column of a full Gaussian is missing is left out of that block alone.
 *  Cost: O(d) per row for independent columns, O(d^2) for a full covariance, O(distinct words) for text. */
ILK_API ilk_status ilk_stats_add(ilk_stats *stats, const ilk_rows *rows, ilk_error *err);

/** Forget rows, as if they had never been added. All or nothing. Returns ILK_EDATA if a count, or the mean of a column
 *  of counts, would become negative (these rows were never added), or if so little of a column's scatter would be left
 *  that rounding has eaten it. */
ILK_API ilk_status ilk_stats_remove(ilk_stats *stats, const ilk_rows *rows, ilk_error *err);

/** Add all that `from` has learnt to `into`; classes, categories and words are united by name.
 *  Counts are exact: the result does not depend on how rows were split. Moments agree to rounding.
 *  Returns ILK_EARG, naming the first difference, where the schemas differ; ILK_EDATA where `from` has one scatter for all
 *  of its many classes (see ilk_stats_remove_class) and `into`, of family qda, needs one for each. `into` of family gda
 *  then has one for all, too. */
ILK_API ilk_status ilk_stats_merge(ilk_stats *into, const ilk_stats *from, ilk_error *err);

/** Take away all that `from` has learnt. Refuses as ilk_stats_remove does. */
ILK_API ilk_status ilk_stats_subtract(ilk_stats *stats, const ilk_stats *from, ilk_error *err);

/** Forget a class with all its rows. Returns ILK_EARG if no row of that class was learnt, and ILK_EDATA where family gda
 *  has so many classes that it keeps one scatter for all (K d^2 > 2^26): then its rows can be removed. */
ILK_API ilk_status ilk_stats_remove_class(ilk_stats *stats, ilk_str name, ilk_error *err);

/** How many rows have been learnt, and how many classes have at least one. */
ILK_API double ilk_stats_rows(const ilk_stats *stats);
ILK_API size_t ilk_stats_classes(const ilk_stats *stats);

/** Receives one note for people, for example "column Day ignored: an identifier (14 distinct values in 14 rows)". */
typedef void (*ilk_note_fn)(void *ctx, const char *note);

/** Tell what people should know before they trust a model of these statistics: which columns never vary and so say
 *  nothing, and which have no value in some class, where they are taken to be as in all rows. */
ILK_API void ilk_stats_notes(const ilk_stats *stats, ilk_note_fn note, void *ctx);

/* ---- 4. Models -------------------------------------------------------------------------------------------------- */

/** p(y): where it comes from. */
typedef enum ilk_prior {
    ILK_PRIOR_EMPIRICAL = 0, /**< n_y / n */
    ILK_PRIOR_UNIFORM = 1,   /**< 1 / K */
    ILK_PRIOR_SMOOTHED = 2,  /**< (n_y + 1) / (n + K) */
    ILK_PRIOR_GIVEN = 3      /**< ilk_options.given, of at least one class */
} ilk_prior;

/** p(y) of one class, as a user gives it. */
typedef struct ilk_given {
    ilk_str name;
    double p;
} ilk_given;

/** The divisor of a covariance. */
typedef enum ilk_divisor {
    ILK_DIVISOR_N = 0,         /**< maximum likelihood */
    ILK_DIVISOR_N_MINUS_K = 1, /**< pooled and unbiased; n_y - 1 where the covariance is per class */
    ILK_DIVISOR_N_MINUS_1 = 2
} ilk_divisor;

/** What becomes of a category or word the model has not seen. */
typedef enum ilk_unseen {
    ILK_UNSEEN_IGNORE = 0,  /**< it says nothing, as if missing */
    ILK_UNSEEN_UNKNOWN = 1, /**< one value more, with a count of zero, is part of the distribution */
    ILK_UNSEEN_ERROR = 2    /**< the row is refused */
} ilk_unseen;

/** ilk_options.shrink: the oracle approximating shrinkage of Chen, Wiesel, Eldar & Hero (2010), on the correlation
 *  scale. */
#define ILK_SHRINK_OAS (-1.0)
/** ilk_options.smooth and .shrink: still to be chosen by leave-one-out. ilk_stats_choose puts numbers in their places;
 *  ilk_model_estimate, which has no rows, refuses it. */
#define ILK_LOO (-2.0)
/** The same, by accuracy instead of log-loss. */
#define ILK_LOO_ACCURACY (-3.0)

/** What is chosen after the data was read. Start from ilk_options_init. */
typedef struct ilk_options {
    double smooth; /**< alpha, added to every count; 1 is Laplace, 0 maximum likelihood; or ILK_LOO… */
    ilk_prior prior;
    const ilk_given *given; /**< with ILK_PRIOR_GIVEN: p(y) of some or all classes; the rest share what is left */
    size_t givens;
    ilk_divisor divisor;
    double floor;    /**< least variance of an independent column, in units of its variance over all rows; 1e-9 */
    double shrink;   /**< of a full covariance towards its diagonal, 0 (none) to 1; or ILK_SHRINK_OAS, ILK_LOO… */
    size_t vocab;    /**< keep the commonest words only, 0 keeps all */
    size_t min_docs; /**< keep words seen in at least this many documents, by weight; 0 and 1 keep all */
    ilk_unseen unseen;
    /** NULL, or another family with the same statistics: "qda" for "gda", and so on; ILK_EARG where gda has one scatter
     *  for very many classes */
    const char *real_family;
    const char *text_family; /**< NULL, or another event model. ILK_EARG where no column could be of it, as above */
} ilk_options;

/** The defaults: Laplace, empirical prior, divisor n, all words, unseen ignored. */
ILK_API void ilk_options_init(ilk_options *options);

typedef struct ilk_model ilk_model;

/** Estimate a model from statistics.
 *
 *  Smoothing, prior, covariance and vocabulary are chosen here, so one reading of the data serves many models.
 *  `stats` is only read. `options` may be NULL for the defaults.
 *  Cost: O(K d) for independent columns, O(d^3) per full covariance, O(K V) for V words.
 *  Returns ILK_OK, ILK_ENOMEM, ILK_EARG, ILK_EDATA (fewer than two classes; a column without values in a class; numbers,
 *  from a file, that no rows could give), ILK_ESINGULAR (names the columns). After these two a model may come of more
 *  rows: see ilk_stats_save. */
ILK_API ilk_status ilk_model_estimate(ilk_model **out, const ilk_stats *stats, const ilk_options *options,
                                      ilk_error *err);
ILK_API void ilk_model_free(ilk_model *model);

/** Write a model and, unless `stats` is NULL, the statistics it came from, so that it can be merged and estimated
 *  again.
 *  The file appears whole or not at all (temporary file, fsync, rename); a device or pipe is written directly. Equal
 *  content gives equal bytes: no time, path or measured figure is kept. */
ILK_API ilk_status ilk_model_save(const ilk_model *model, const ilk_stats *stats, const char *path, ilk_error *err);

/** Open a model file. It is mapped, not copied; every length and value is checked, nothing in it is executed.
 *  Returns ILK_EIO (cannot be read), ILK_EFORMAT (not a model, damaged, or of an unknown version), ILK_EDATA
 *  (statistics alone). */
ILK_API ilk_status ilk_model_open(ilk_model **out, const char *path, ilk_error *err);

/** The same from memory, which is copied. */
ILK_API ilk_status ilk_model_read(ilk_model **out, const void *bytes, size_t n, ilk_error *err);

/** A model file that is being changed. */
typedef struct ilk_lock ilk_lock;

/** Wait until no other process (or lock of this one) holds the lock of a model file, and hold it: of two programs that
 *  open, change and save a model under it, the second sees what the first saved. The lock is advisory, and is let go by
 *  ilk_lock_free or the end of the process.
 *  Returns ILK_EIO (not there, not a regular file, or on a file system that has no locks) or ILK_ENOMEM. */
ILK_API ilk_status ilk_model_lock(ilk_lock **out, const char *path, ilk_error *err);
/** To be asked before saving: is the file at the path still the one locked? ILK_EIO if somebody who took no lock has
 *  replaced or removed it. */
ILK_API ilk_status ilk_lock_check(const ilk_lock *lock, ilk_error *err);
ILK_API void ilk_lock_free(ilk_lock *lock);

/** Write statistics alone: a shard from which no model can be estimated by itself, of one class say, to be merged with
 *  others. `options` are kept for the model that comes of it; NULL: ilk_stats_options. The file appears as by
 *  ilk_model_save; ilk_stats_open reads it, and ilk_model_open refuses it with ILK_EDATA.
 *  Returns ILK_OK, ILK_EARG (options that no model could have), ILK_EDATA (no rows), ILK_EIO, ILK_ENOMEM. */
ILK_API ilk_status ilk_stats_save(const ilk_stats *stats, const ilk_options *options, const char *path, ilk_error *err);

/** The schema of a file that ilk_model_save or ilk_stats_save wrote. Returns what ilk_model_open does. */
ILK_API ilk_status ilk_schema_open(ilk_schema **out, const char *path, ilk_error *err);
/** The statistics of a file that ilk_model_save or ilk_stats_save wrote. Returns what ilk_model_open does, and ILK_EDATA
 *  if the file holds none. */
ILK_API ilk_status ilk_stats_open(ilk_stats **out, const char *path, ilk_error *err);
/** The same from memory. */
ILK_API ilk_status ilk_stats_read(ilk_stats **out, const void *bytes, size_t n, ilk_error *err);
/** The options that the file had: of its model, or those that were saved with the statistics. Merging does not change
 *  them. The defaults where there was no file. They live as long as `stats`. */
ILK_API const ilk_options *ilk_stats_options(const ilk_stats *stats);
/** Do they come from a file of ilk_stats_save, which has no model? */
ILK_API bool ilk_stats_alone(const ilk_stats *stats);

/** The statistics kept in an opened model file, checked now. Returns ILK_EDATA if the file holds none. */
ILK_API ilk_status ilk_model_stats(ilk_stats **out, const ilk_model *model, ilk_error *err);

ILK_API const ilk_schema *ilk_model_schema(const ilk_model *model);
/** The options it was estimated with, given priors included: ilk_model_estimate with them makes it again from its
 *  statistics. `real_family` and `text_family` are NULL: the schema tells the families. */
ILK_API const ilk_options *ilk_model_options(const ilk_model *model);

/** The number K of classes. They are ordered numerically if all are numbers, else by their bytes. */
ILK_API size_t ilk_model_classes(const ilk_model *model);
ILK_API ilk_str ilk_model_class_name(const ilk_model *model, uint32_t k);
/** The class of that name, or ILK_NONE. */
ILK_API uint32_t ilk_model_class(const ilk_model *model, ilk_str name);
/** log p(y = k). */
ILK_API double ilk_model_log_prior(const ilk_model *model, uint32_t k);

/** The code of a category in the j-th category feature, or ILK_UNSEEN. Codes belong to `model` alone. (Readers of tables,
 *  <ilk_data.h>, ask for "1" where a table says 1.0.) */
ILK_API uint32_t ilk_model_code(const ilk_model *model, size_t j, ilk_str value);
/** The code of a number's bin in the j-th category feature; ILK_MISSING for NaN, ILK_UNSEEN where there are no bins. */
ILK_API uint32_t ilk_model_bin(const ilk_model *model, size_t j, double x);
/** The id of a word in the j-th text feature, or ILK_UNSEEN, or ILK_MISSING for a stopped word: it is to be left
 *  out. */
ILK_API uint32_t ilk_model_word(const ilk_model *model, size_t j, ilk_str word);

/** An empty bag for texts of the j-th text feature that are to be answered; the rest is as with ilk_stats_bag. */
ILK_API ilk_status ilk_model_bag(ilk_bag **out, const ilk_model *model, size_t j, ilk_error *err);

/** The ids of the values of the j-th category (or words of the j-th text) feature that the model knows are `*first` …
 *  `*end` - 1, in order of their bytes; both are 0 where there is no such feature. */
ILK_API void ilk_model_keys(uint32_t *first, uint32_t *end, const ilk_model *model, ilk_kind kind, size_t j);
/** The category or word of such an id; empty if it is none. */
ILK_API ilk_str ilk_model_key(const ilk_model *model, ilk_kind kind, size_t j, uint32_t id);

/** log p(x, y) for n rows and K classes into out[n × K]. Missing values are marginalised: a row without any value gets
 *  the log-prior. (A text without words is not missing: to bernoulli it has none of the dictionary's.) -inf is a
 *  possible answer (without smoothing, or 1e154 standard deviations from everything), NaN is not. A row that lacks a
 *  value of a full Gaussian costs O(d^3). A model of blocks without a density only (see ilk_family_info) takes no prior,
 *  as scikit-learn's ComplementNB: what it gives are the blocks' scores alone, also under leave-one-out.
 *  Returns ILK_EARG (a matrix the schema asks for is NULL), ILK_EDATA (an infinity or a bad code; an unseen value where
 *  the model was told to refuse it). */
ILK_API ilk_status ilk_model_log_joint(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err);

/** p(y|x) for n rows into out[n × K]: Bayes' rule on the above. A row that every class excludes (0/0) is all NaN. */
ILK_API ilk_status ilk_model_posterior(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err);

/** The likeliest class of n rows, or ILK_NONE where every class is excluded. */
ILK_API ilk_status ilk_model_predict(uint32_t *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err);

/** log p(x) of n rows: the sum over classes of p(x, y). Where a power does not reach all numbers (Box-Cox with lambda
 *  other than 0, Yeo-Johnson with one outside of 0 to 2) p(x) integrates to less than 1, by the share of the normal
 *  that lies beyond (docs/MATH.md, section 15); rows are drawn from the rest of it, which is renormalised. Returns
 *  ILK_EARG for a model with a block whose scores are no probabilities: of a family without a density, or of words that
 *  are weighed. */
ILK_API ilk_status ilk_model_log_density(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err);

/** Leave-one-out: log p(x, y) into out[n × K] as a model would say it that had never seen the row itself, with its
 *  label and weight. Exact and in closed form, at a small multiple of the price of a prediction (but O(d^3) a row where
 *  a full covariance is shrunk); the rows must be ones the model was learnt from. What is not re-learnt without the
 *  row: the number of classes (one that has no other row still counts in priors and divisors), vocabulary (but for
 *  words that no other row has, unless the schema lists a dictionary), number of values per column, smoothing and the
 *  mean towards which rates are smoothed, the strength of shrinkage, variance floors (also of weights too small for the
 *  divisor), given priors. -inf for a class that has no other row, also where all others together weigh less than 1e-9
 *  of it, and for every class whose score cannot be told without the row: its own, or all, where a covariance would
 *  have no inverse, and all of `complement` where a word would be nowhere else.
 *  `rows->label` are classes of the model. */
ILK_API ilk_status ilk_model_leave_one_out(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err);

/** What a model is worth, by leave-one-out. Means are by weight; rows of weight 0 are none. */
typedef struct ilk_loo {
    uint64_t n;      /**< rows answered */
    double accuracy; /**< share of them whose class the others tell */
    double accuracy_se;
    double log_loss;      /**< mean of -log p(class | row), in nats; infinite if a row's class was impossible */
    double log_loss_se;   /**< standard errors; NaN where there is one row only, or the mean is infinite */
    uint64_t impossible;  /**< how many were: the only row of a class; a value that only it has, without smoothing */
    double log_loss_rest; /**< the mean over the others */
    bool cut;             /**< fewer rows than asked for, because their text passed 64 MiB (tables only) */
} ilk_loo;

/** Choose smoothing and shrinkage where `options` says ILK_LOO or ILK_LOO_ACCURACY, and put the numbers there: those
 *  whose model does best on `rows` by leave-one-out. `rows` are some or all of those added to `stats`, as they were
 *  added. `worth`, unless NULL, receives what the chosen model is worth on them (also where nothing was to choose).
 *
 *  Best is the least mean log-loss, once the fewest rows have an impossible class; or the highest accuracy, and of
 *  equals the least log-loss. Log-loss asks for honest probabilities. Where columns depend on each other, as words do,
 *  naive Bayes is too sure of itself, and log-loss may ask for so much smoothing that accuracy suffers.
 *
 *  Tried are, for smoothing, 1 and 25 numbers from 1e-4 to 100; for shrinkage 0 and 19 numbers from 1e-4 to 1: three in
 *  each decade, then closer around the best, down to steps of about a tenth. Where both are asked, shrinkage is chosen
 *  first, then smoothing, and so on in turns until neither changes, three times at most. Of equals the first tried
 *  wins: 1 (0), else the larger. Where nothing in the model depends on it, smoothing is so 1 and shrinkage 0. A
 *  covariance that is singular at some shrinkage loses.
 *  The figures in `worth` are the best of many and a little flattered by that. Bits do not depend on rows->threads.
 *  Cost: at most about 30 estimates and leave-one-outs per choice, 130 for both.
 *  Returns what ilk_model_estimate and ilk_model_leave_one_out return; `options` is then as before. */
ILK_API ilk_status ilk_stats_choose(ilk_options *options, ilk_loo *worth, const ilk_stats *stats, const ilk_rows *rows,
                                    ilk_error *err);

/** The log-likelihood of labelled rows, the weighted sum of log p(x, y) over them, which estimation with alpha = 0 and
 *  divisor n maximises. */
ILK_API ilk_status ilk_model_log_likelihood(double *out, const ilk_model *model, const ilk_rows *rows, ilk_error *err);

/** Bayes' rule for one row: p(y|x) from the K values of log p(x, y). Returns log p(x) (the logsumexp), or -inf if every
 *  class is impossible (0/0); then the posterior is all NaN. `posterior` may be `log_joint` itself. */
ILK_API double ilk_bayes(double *posterior, const double *log_joint, size_t K);

/** argmax of K values of log p(x, y); the first on ties; ILK_NONE if all are -inf. */
ILK_API uint32_t ilk_argmax(const double *log_joint, size_t K);

/* ---- 5. Looking inside ------------------------------------------------------------------------------------------ */

/** One part of a row's log-odds between two classes. */
typedef struct ilk_part {
    ilk_str column; /**< empty for the prior */
    ilk_str value;  /**< the category or word, "prior" for the prior; empty where `x` speaks */
    double x;       /**< the number, or how often the word counts: as often as it occurs; for bernoulli once */
    /** log p(this|a) - log p(this|b); with the others it sums to the difference of the log-joints */
    double contribution;
} ilk_part;

/** A callback; a status other than ILK_OK ends the walk and is returned. */
typedef ilk_status (*ilk_part_fn)(void *ctx, const ilk_part *part);

/** Why row `i` is more `a` than `b`: the prior (not for a model of blocks without a density only, which takes none),
 *  then every column or word, in the order of blocks. The contributions sum, to rounding, to log p(x, a) - log p(x, b).
 *  For a full Gaussian with shared covariance, column j contributes theta_j (x_j - (mu_aj + mu_bj) / 2); with
 *  covariances of their own, half of each quadratic form's j-th term, and the determinants stand in a part of their
 *  own, whose value is "log-determinant". */
ILK_API ilk_status ilk_model_explain(const ilk_model *model, const ilk_rows *rows, size_t i, uint32_t a, uint32_t b,
                                     ilk_part_fn fn, void *ctx, ilk_error *err);

/** One number inside a model. */
typedef struct ilk_fact {
    /** "prior", "phi", "mu", "variance", "Sigma", "theta", "parameters", … docs/MATH.md lists them */
    const char *quantity;
    const char *family; /**< NULL for the model as a whole */
    ilk_str column;     /**< empty where it does not apply; "1" for the intercept of theta */
    ilk_str key;        /**< category, word, or the second column of a covariance; else empty */
    uint32_t k;         /**< class, or ILK_NONE if it holds for all */
    double value;
    double count, total; /**< value = count / total where it is a ratio of (smoothed) counts, else NaN */
} ilk_fact;

typedef ilk_status (*ilk_fact_fn)(void *ctx, const ilk_fact *fact);

/** Walk through all parameters, in a fixed order: priors, then block by block.
 *
 *  Families whose posterior is linear (gaussian-shared, gda, poisson, categorical, multinomial, bernoulli) also tell
 *  theta, for every class k but the first, class 0:
 *      log p(k|x) / p(0|x) = sum over blocks of (intercept + theta'x)
 *  x is the number in a real column, 1 for the value that a category column has, and for a word how often it occurs
 *  (multinomial) or whether it does (bernoulli). The prior's log-ratio is in the intercept of the first block alone, so
 *  that the sum over several blocks has it once. Without smoothing theta is infinite where one of the two classes
 *  cannot have the value, and NaN where neither can (0/0). */
ILK_API ilk_status ilk_model_describe(const ilk_model *model, ilk_fact_fn fn, void *ctx, ilk_error *err);

/** A word that tells a class from the others. */
typedef struct ilk_word {
    ilk_str word;
    double log_odds; /**< log p(word|k) - log p(word|not k), the rest pooled by their priors; without smoothing inf of
                      *   a word that only k has, and -inf of one that k cannot have, also where no class can. Of
                      *   one-vs-rest the rest is pooled by how much was learnt, as it does; of complement it is
                      *   log p(word|not c), pooled over the other classes c, - log p(word|not k) */
} ilk_word;

/** The `*n` words of the j-th text feature that speak most for class `k`, the strongest first (ties in byte order);
 *  `*n` becomes how many there are, if fewer. Cost: O(V K). */
ILK_API ilk_status ilk_model_words(ilk_word *out, size_t *n, const ilk_model *model, size_t j, uint32_t k,
                                   ilk_error *err);

/* ---- 6. What generative means ----------------------------------------------------------------------------------- */

/** A callback for rows; they are gone when it returns. A status other than ILK_OK ends the walk and is returned. */
typedef ilk_status (*ilk_rows_fn)(void *ctx, const ilk_rows *rows);

/** Draw `n` rows: for each a class by the prior, then all columns given the class. They come in batches of at most 256,
 *  with labels, codes and word ids of the model. The same model and seed give the same rows, and fewer rows are the
 *  first of more.
 *
 *  The length of a document is Poisson around the class's mean, at least 1; under the bernoulli event model each word
 *  is there or not, once. Values never seen in a class have the probability that smoothing gives them; under
 *  ILK_UNSEEN_UNKNOWN the value outside the dictionary has its own too, as ILK_UNSEEN. Columns that never varied are
 *  constant.
 *  Cost per row: O(d), O(d^2) for a full covariance, O(values) per category column and O(V) per text.
 *  Returns ILK_OK, ILK_ENOMEM, ILK_EARG (a family without a density, and words that are weighed, do not say how texts
 *  come about), or what `fn` returned. */
ILK_API ilk_status ilk_model_sample(const ilk_model *model, size_t n, uint64_t seed, ilk_rows_fn fn, void *ctx,
                                    ilk_error *err);

/** How unusual are n rows? score[n] receives -log p(x), and p[n], unless NULL, the probability that the model gives a
 *  row at least as unusual: small for outliers.
 *
 *  If the model is one block of a Gaussian family, p is the largest over the classes of the tail of chi-squared at the
 *  row's squared Mahalanobis distance, on the columns that the row has. It is a bound: at most a share t of the model's
 *  own rows has p <= t, and near to t where the classes stand apart.
 *
 *  For all other models 10,000 rows are drawn by `seed`, and p = (1 + those at most as likely as the row) / 10,001;
 *  then a row with a missing value (or an unseen category that counts as missing, or a text of which no word counts)
 *  gets NaN, because fewer values are always likelier. The draws are made once per call, so give all rows in one.
 *  Returns what ilk_model_log_density returns. */
ILK_API ilk_status ilk_model_outlier(double *score, double *p, const ilk_model *model, const ilk_rows *rows,
                                     uint64_t seed, ilk_error *err);

#ifdef __cplusplus
}
#endif
#endif
