/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - a model: an image, and what was found in it. Immutable once made. */
#ifndef ILK_MODEL_MODEL_H
#define ILK_MODEL_MODEL_H

#include "core/file.h"
#include "model/image.h"
#include "model/schema.h"

typedef struct ilk_model_block {
    const ilk_family *family;
    ilk_shape shape;
    ilk_keys keys;        /* empty for real columns */
    const double *params; /* in the image */
} ilk_model_block;

struct ilk_model {
    ilk_mapping bytes; /* the image; from a file, mapped */
    ilk_image image;
    ilk_schema *schema;
    ilk_blocks blocks;
    ilk_options options;
    ilk_dict classes; /* the id is the model's class */
    ilk_str *name;    /* K */
    size_t K;
    double *log_prior;               /* K */
    ilk_given *given;                /* up to K: options.given */
    bool *named;                     /* K: has the class such a prior? */
    double *rows;                    /* K: how many each was learnt from */
    double total_rows, unnamed_rows; /* of all classes; of those without such a prior, which share what these leave */
    bool alone;                      /* statistics alone: no parameters, and no classes but those with a given prior */
    bool discriminative;             /* all blocks are: their scores take no prior */
    ilk_model_block *block;          /* one per block of the schema */
};

/* Make a model of an image. Takes `bytes` over, also on failure. */
ilk_status ilk_model_attach(ilk_model **out, ilk_mapping bytes, ilk_error *err);

/* ilk_model_open and ilk_model_read, but for its statistics: it may be alone. */
ilk_status ilk_alone_open(ilk_model **out, const char *path, ilk_error *err);
ilk_status ilk_alone_read(ilk_model **out, const void *bytes, size_t n, ilk_error *err);

/* Are these options ones to estimate with, as far as they tell without statistics? */
ilk_status ilk_options_check(const ilk_options *o, ilk_error *err);

/* The wire form of options and classes. */
ilk_status ilk_head_put(ilk_buffer *out, const ilk_options *o, const ilk_str *name, const double *log_prior,
                        const double *rows, size_t K);

/* The doubles of scratch that scoring n rows of a block at a time needs. */
size_t ilk_model_scratch(const ilk_model_block *b, size_t n);

/* What a block's family sees of n rows from `first` on; `x` and `code` have room for n × d, to gather into. */
ilk_chunk ilk_model_chunk(const ilk_model *m, size_t b, const ilk_rows *rows, size_t first, size_t n, double *x,
                          uint32_t *code, double *scratch);

/* Are the values of rows first … first + n - 1 ones that families can compute with? */
ilk_status ilk_model_check(const ilk_model *model, const ilk_rows *rows, size_t first, size_t n, ilk_error *err);

/* Prefetch for a lookup of `word` of text feature j. */
void ilk_model_prefetch_word(const ilk_model *model, size_t j, ilk_str word);

/* ILK_OK if log-joints are what they are called, else ILK_EARG: "a model with a complement block has no WHAT". */
ilk_status ilk_model_generative(const ilk_model *model, const char *what, ilk_error *err);

#endif
