/* SPDX-License-Identifier: Apache-2.0 */
/* ilk_data.h - tables: from files and pipes to statistics, and through models to answers.
 *
 * A table is one or more files read once, front to back, in blocks of whole records; it never is in memory as a whole.
 * Blocks are parsed and counted (or scored) by several threads and put together in the order of the input, so that the
 * result has the same bits for any number of threads.
 */
#ifndef ILK_DATA_H
#define ILK_DATA_H

#include <ilk.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ilk_format {
    ILK_FORMAT_AUTO = 0, /**< by extension and content: labelled text in a .tsv is told from a table */
    ILK_FORMAT_CSV = 1,  /**< RFC 4180; commas, or semicolons where the first line has no comma */
    ILK_FORMAT_TSV = 2,
    ILK_FORMAT_LINES = 3, /**< label TAB text; columns "label" and "text" */
    ILK_FORMAT_ARFF = 4,  /**< attributes with their types and values, then rows, also sparse ones */
    ILK_FORMAT_JSONL = 5, /**< an object per line; columns are the keys of the first rows, a.b for nested ones */
    ILK_FORMAT_SVM = 6,   /**< label index:value …; columns "label" and "features" */
    ILK_FORMAT_DIRS = 7,  /**< a folder per class and a file per document; columns "path", "class" and "text" */
    ILK_FORMAT_ARROW = 8  /**< no file: ilk_table_from_arrow */
} ilk_format;

typedef enum ilk_header { ILK_HEADER_AUTO = 0, ILK_HEADER_YES = 1, ILK_HEADER_NO = 2 } ilk_header;

/** How to read. Start from ilk_read_options_init. Strings are borrowed for the call. */
typedef struct ilk_read_options {
    ilk_format format;
    /** auto: the first row is a header if no field of it is a number, and if no field occurs again in its column or some
     *  field stands above numbers only */
    ilk_header header;
    bool skip_bad_rows; /**< count rows that cannot be read and go on, instead of stopping at the first */
    /** comma-separated spellings of "no value"; NULL: "?,NA,NaN," (the empty field always is one), in ARFF "?", in JSON,
     *  svmlight and Arrow none */
    const char *missing;
    size_t columns; /**< svmlight only: how many there are; 0: the largest index met */
    /** NULL, or what is expected: a first row that names its features is a header, and its encoding is taken */
    const ilk_schema *schema;
    /** for ilk_table_answer: of `label TAB text`, a line without a TAB is a text without a label, and data in which the
     *  first line is neither a header nor divided is such lines, if the schema is of lines and nobody said otherwise;
     *  else they are an error */
    bool unlabelled;
    bool live; /**< for ilk_table_answer: look at nothing ahead and answer the rows of a pipe as they come */
    /** "gb18030", "utf-16", ...; NULL: the schema's, else UTF-8. A byte order mark goes before it */
    const char *encoding;
} ilk_read_options;

ILK_API void ilk_read_options_init(ilk_read_options *options);

/** Files being read. */
typedef struct ilk_table ilk_table;

/** Open files ("-" is standard input), or folders of documents, as one table and look at the first rows, which are
 *  replayed: 1 MiB, or 8 MiB where rows tell the columns (JSON lines, svmlight), at most about 65,536 of them. All
 *  files must have the same columns, and a header of their own where the first has one. The first file decides on
 *  format and header. Files that are compressed (gz, xz, zst) are read through, whatever their names. Bytes that are
 *  not of the encoding are read as U+FFFD and counted; they are an error that names a likely one if they are more than
 *  1 % of a file's first 32 MiB (unless "utf-8" was given), or, where no encoding is given, plainly of another.
 *  `options` may be NULL. Returns ILK_EIO, ILK_EARG (no such format or encoding; "-" twice; `columns` of a format that
 *  names them; a header of one that has none), ILK_ENOMEM, ILK_EDATA (empty, header only, not text, corrupt or
 *  truncated, headers that differ). */
ILK_API ilk_status ilk_table_open(ilk_table **out, const char *const *paths, size_t n, const ilk_read_options *options,
                                  ilk_error *err);
ILK_API void ilk_table_free(ilk_table *table);

/* The Arrow C data interface: structs whose layout is fixed, so that programs exchange columns without a common
 * library. Whoever includes another header that declares them gets one declaration. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema { /* a type: of a table ("+s"), of its columns */
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray { /* values of such a type */
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream { /* a table, piece by piece */
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/** The same from a stream of Arrow record batches in memory: pyarrow, polars, DuckDB and others make one. It is taken
 *  over: released once, with the table or on failure, and `stream->release` is NULL afterwards; batches are released as
 *  they have been read. Read are whole numbers and floats of all sizes (not half floats), booleans, utf8, large_utf8,
 *  dictionaries of these two, and null; null and NaN are missing. Validity and offsets are obeyed. What columns are
 *  guessed to be, learning, answering and leave-one-out are as with files; "file" and line in messages are "arrow" and
 *  the row's number. Of `options` (may be NULL) skip_bad_rows and missing count.
 *  Returns ILK_EDATA (a column of another type, by name; no rows; arrays that contradict the types), ILK_EIO (the
 *  stream failed, and why), ILK_ENOMEM. */
ILK_API ilk_status ilk_table_from_arrow(ilk_table **out, struct ArrowArrayStream *stream,
                                        const ilk_read_options *options, ilk_error *err);

ILK_API size_t ilk_table_columns(const ilk_table *table);
ILK_API ilk_str ilk_table_column(const ilk_table *table, size_t j);
/** The column of that name or, where none has it, of that number from 1. Returns ILK_EARG where there is none: the
 *  message suggests the nearest name. */
ILK_API ilk_status ilk_table_find(size_t *out, const ilk_table *table, ilk_str name, ilk_error *err);
/** Every column of a list: found[j] becomes true for each, and stays for all others. Names or numbers stand between
 *  commas; a name that has a comma stands in quotes ("), and quotes in these are doubled. NULL is an empty list.
 *  Returns ILK_EARG as above, ILK_ENOMEM. */
ILK_API ilk_status ilk_table_find_all(bool *found, const ilk_table *table, const char *list, ilk_error *err);

/** How far a pass has come. */
typedef struct ilk_progress {
    uint64_t rows;        /**< read so far */
    uint64_t bytes;       /**< read so far, of files as they are: compressed ones count compressed */
    uint64_t total_bytes; /**< 0 where unknown (a pipe) */
} ilk_progress;

/** Called in order, from one thread at a time. ILK_ESTOP (or any other status) ends the pass. */
typedef ilk_status (*ilk_progress_fn)(void *ctx, const ilk_progress *progress);

/** What to learn. Start from ilk_plan_init. Column lists are NULL or as for ilk_table_find_all. */
typedef struct ilk_plan {
    const char *target; /**< NULL: the column named class, target, label or y (any case), else the last */
    const char *model;  /**< NULL: "auto"; or "nb", or a family: see ilk_table_schema */
    const char *ignore;
    const char *weights;       /**< the column that says how much a row counts: a number, 0 or more, in every row */
    const char *text;          /**< columns that are text, whatever they look like */
    const char *const *family; /**< "COL=FAMILY" each */
    size_t families;
    const char *const *bin; /**< "COL=BINS" each: a column of numbers becomes categories. BINS are edges ("400,800"),
                                 "bins:5" of one width, "width:400", "quantile:5" or "mdlp" (Fayyad & Irani 1993) */
    size_t bins;
    const char *const *transform; /**< "COL=boxcox", "COL=yeo-johnson", "COL=log"; here and in `bin` the column "*" is
                                       all that look real and are not named elsewhere */
    size_t transforms;
    bool all_rows; /**< look at all rows, not only the first, and use them up: open the table again to learn it */
    bool part;     /**< others are to be read alike: a column that is declared stays what it is though no value came */
    ilk_progress_fn progress; /**< NULL, or told how far `all_rows` has come */
    void *progress_ctx;
    ilk_tokenizer tokenizer;
    const char *stop; /**< NULL, or a file of words that are not counted, one on each line (ILK_WORD_STOPPED) */
    /** NULL, or a file of the words that are (ILK_WORD_LISTED). Both are UTF-8, are read by the tokenizer and hold for
     *  all text columns */
    const char *dictionary;
} ilk_plan;

ILK_API void ilk_plan_init(ilk_plan *plan);

/** Infer a schema from the first 65,536 rows (or 8 MiB), for which it reads on where the format does not name the
 *  columns or the first MiB tells too little, and learn transforms from them: their numbers are kept for the time, 8
 *  bytes each. What was read is replayed. Under "auto": strings, booleans and integers of at most ten values (that
 *  come twice on average) are categories, other numbers real (family "gaussian"), strings of more than five words on
 *  average are text (family "multinomial"), strings that are all distinct are ignored with a note. "nb" is the same.
 *  Every family is a model too. One of numbers takes the real columns ("gda" and "qda": all into one full Gaussian) or,
 *  if it models counts ("poisson"), those of whole numbers, none of them negative; the rest is as under "auto". One of
 *  categories makes every feature a category that is not all distinct ("table": all into one joint table), and one of
 *  text reads the text columns alone.
 *  To be called before the rows are used. `plan`, `note` may be NULL.
 *  Returns ILK_EARG (a column that is not there: the message suggests the nearest name), ILK_EDATA (no column of the
 *  family that the model is named after; no feature; a target that looks like a measurement or an identifier; a value
 *  that cannot be transformed; a pipe, where all rows are to be looked at), ILK_EIO, ILK_ENOMEM, what `progress`
 *  returned. */
ILK_API ilk_status ilk_table_schema(ilk_schema **out, ilk_table *table, const ilk_plan *plan, ilk_note_fn note,
                                    void *ctx, ilk_error *err);

/** How to run a pass. All zero is fine. */
typedef struct ilk_run {
    size_t threads; /**< 0: one per processor */
    ilk_progress_fn progress;
    void *ctx;
    size_t sample;    /**< learning: how many rows the table keeps for ilk_table_leave_one_out; 0: none */
    uint64_t seed;    /**< which ones: those with the smallest hashes of the seed and their number */
    size_t max_words; /**< learning: how many different words a text column may have; 0: any number. One more is
                           ILK_EDATA, and the message names column and row */
} ilk_run;

/** What a pass met. */
typedef struct ilk_tally {
    uint64_t rows;       /**< learnt or answered */
    uint64_t unlabelled; /**< no label: skipped in learning, answered all the same */
    uint64_t bad;        /**< skipped: could not be read (skip_bad_rows) */
    uint64_t incomplete; /**< learnt, but left out of a full Gaussian for a missing value */
    uint64_t replaced;   /**< bytes that are not of the encoding, read as U+FFFD */
    uint64_t stray;      /**< read, but with a key that the rows looked at did not have, which is ignored (JSON) */
    uint64_t unseen;     /**< answered, but with a category that the model has not seen; of rows without a label only
                              where these are asked for (ilk_read_options.unlabelled) */
    uint64_t bytes;
    char first_bad[512]; /**< the first bad row's message, or empty */
} ilk_tally;

/** Add every row of the table to `stats`, whose schema's columns are found by name in any order. The rows are used up:
 *  a table serves one pass. `run` and `tally` may be NULL, here and below.
 *  Returns ILK_EDATA with file, line, column and value of the first row that cannot be read. On failure `stats` is
 *  unusable and may only be freed. */
ILK_API ilk_status ilk_table_learn(ilk_stats *stats, ilk_table *table, const ilk_run *run, ilk_tally *tally,
                                   ilk_error *err);

/** Exact leave-one-out (ilk_model_leave_one_out) on the rows that ilk_table_learn has kept in `table`: a sample of
 *  those that `model` was learnt from, the same for any number of threads, on a pipe as well. Means are by weight. All
 *  figures are NaN where no row was kept. A row with a word outside the vocabulary is left out where the model refuses
 *  such words.
 *  Cost: about that of answering these rows. `threads` 0: one per processor.
 *  Returns ILK_OK, ILK_ENOMEM, ILK_EDATA or ILK_EARG (the model is not of this table's columns or classes). */
ILK_API ilk_status ilk_table_leave_one_out(ilk_loo *out, const ilk_table *table, const ilk_model *model, size_t threads,
                                           ilk_error *err);

/** Choose smoothing and shrinkage where `options` asks for it, as ilk_stats_choose does, on the rows that
 *  ilk_table_learn has kept in `table` while it learnt `stats`. `worth` may be NULL.
 *  Returns what ilk_model_estimate and ilk_table_leave_one_out return, ILK_EARG where no row was kept. */
ILK_API ilk_status ilk_table_choose(ilk_options *options, ilk_loo *worth, const ilk_table *table,
                                    const ilk_stats *stats, size_t threads, ilk_error *err);

/** Exact leave-one-out on every row: `table` is opened anew on what `model` was learnt from, and read in one pass. Rows
 *  that the model refuses (see above) and those that cannot be read are left out, and counted in tally->bad.
 *  Returns what ilk_table_answer returns, ILK_EDATA also for a class that the model does not know: the data has changed
 *  since it was learnt. */
ILK_API ilk_status ilk_table_leave_each_out(ilk_loo *out, ilk_table *table, const ilk_model *model, const ilk_run *run,
                                            ilk_tally *tally, ilk_error *err);

/** The answers for one block of rows, in input order. Borrowed for the call. */
typedef struct ilk_answers {
    const ilk_model *model;
    size_t n, K;
    uint64_t first_row;      /**< 0-based number of the first, over the whole table; known in `commit` only */
    const double *log_joint; /**< n × K; NaN for a row that could not be read */
    const bool *bad;         /**< n: rows that could not be read, and keep their place (skip_bad_rows) */
    const uint32_t *label; /**< class of the target column; ILK_NONE: missing, or no such column; ILK_UNSEEN: unknown */
    size_t target;         /**< column of the table that holds the labels, or SIZE_MAX */
    const ilk_rows *rows;  /**< for ilk_model_explain */
    const void *fields;    /**< for ilk_answers_field */
} ilk_answers;

/** Input field j (a column of the table, not of the schema) of row i, unquoted; empty in a row of too few or too many.
 *  */
ILK_API ilk_str ilk_answers_field(const ilk_answers *answers, size_t i, size_t j);

/** What to do with answers. `format` (may be NULL) turns a block into bytes and is called from several threads at once;
 *  it appends with ilk_text_add. `commit` is called in input order, one block at a time, with those bytes. */
typedef struct ilk_text ilk_text;
ILK_API ilk_status ilk_text_add(ilk_text *text, const char *bytes, size_t n);
/** Append a number in the shortest form that reads back as the same double ("inf", "-inf", "nan" as such). */
ILK_API ilk_status ilk_text_number(ilk_text *text, double x);

typedef struct ilk_answer_fns {
    ilk_status (*format)(void *ctx, const ilk_answers *answers, ilk_text *text, ilk_error *err);
    ilk_status (*commit)(void *ctx, const ilk_answers *answers, const char *bytes, size_t n, ilk_error *err);
    void *ctx;
} ilk_answer_fns;

/** Score every row of the table. Columns are found by name in any order; extra ones are tolerated, a missing one is
 *  ILK_EDATA and named. Where the table has no header, columns are taken by place, all of them, or all but target, or
 *  all but target and weight; so they are where it has one by ILK_HEADER_YES with none of the schema's names, and the
 *  table that was learnt had none. A header without rows is a table without answers (ilk_read_options.live; else it is
 *  not opened). */
ILK_API ilk_status ilk_table_answer(ilk_table *table, const ilk_model *model, const ilk_answer_fns *fns,
                                    const ilk_run *run, ilk_tally *tally, ilk_error *err);

/** Write a number in shortest round-trip form into buf (at least 32 bytes); returns its length. Never the locale's
 *  comma. */
ILK_API size_t ilk_format_number(char *buf, double x);

#ifdef __cplusplus
}
#endif
#endif
