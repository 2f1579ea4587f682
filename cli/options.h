/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - the one table of options, and what they set.
 *
 * A row of the table yields parsing, help, man page and completion. A new option is one row, and a field in
 * cli_settings if no public structure has one already.
 */
#ifndef ILK_CLI_OPTIONS_H
#define ILK_CLI_OPTIONS_H

#include <ilk_data.h>

typedef struct cli_list {
    const char **item;
    size_t n;
    char *joined; /* several as one, with commas between them, or NULL */
} cli_list;

enum { CLI_OPTIONS_MOST = 128, CLI_CHOICES = 512 /* bytes for all choices of an option */ };

/* --loo, in the order of its choices. */
enum { CLI_LOO_AUTO, CLI_LOO_ALL, CLI_LOO_NONE };

/* All that can be said on the command line. Strings are those of argv. */
typedef struct cli_settings {
    ilk_read_options reading;
    ilk_plan plan;
    ilk_options estimate;
    size_t threads, max_words;
    unsigned bad_rows; /* index into the choices of --bad-rows */
    const char *output;
    bool slim, quiet, json, csv;
    unsigned progress; /* index into the choices of --progress */
    unsigned loo;      /* CLI_LOO_AUTO, … */
    uint64_t seed;
    bool posterior, joint, log_joint;
    const char *keep;
    const char *against;
    const char *class, *shard;
    size_t words, top, rows;
    const char *to, *name;
    const char *completion;
    bool man, help;
    unsigned passes;  /* index into the choices of --passes */
    const char *like; /* a model file, or NULL */
    cli_list family;  /* of --family */
    cli_list bins, transform;
    cli_list text, ignore, kept;  /* of --text, --ignore, --keep; plan.text, plan.ignore and keep are all of each */
    cli_list args;                /* what is no option */
    bool given[CLI_OPTIONS_MOST]; /* per row of the table: was it said, be it what is so anyway? */
    struct {
        const char *command;
        int n;
        char **argv;
    } said; /* what all this was read from */
} cli_settings;

/* Is this smoothing or shrinkage still to be chosen by leave-one-out? */
static inline bool cli_is_loo(double x) {
    return x == ILK_LOO || x == ILK_LOO_ACCURACY;
}

typedef struct cli_option cli_option;
struct cli_option {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* its name in the help, behind those of `choices`; NULL: takes none, or is one of them */
    const char *heading;  /* in the help */
    const char *commands; /* names separated by blanks; NULL: all */
    /* Store `value` in the field; returns NULL, or what was expected instead. */
    const char *(*store)(const cli_option *option, void *field, const char *value);
    size_t field;               /* offset in cli_settings */
    const char *const *choices; /* NULL-ended; their order is that of the enumeration they are stored in. {families}
                                   at the end stands for all families */
    unsigned least, most;       /* of a whole number, or the value of a switch (least) */
    const char *help;           /* {families} stands for the names of all families */
};

/* The i-th option, or NULL beyond the last. */
const cli_option *cli_option_at(size_t i);
bool cli_option_fits(const cli_option *option, const char *command);
bool cli_option_takes_value(const cli_option *option);
/* "FILE", "stop|skip" or "none|oas|VALUE": what stands for the value in the help. Returns buf. */
char *cli_option_argument(const cli_option *option, char *buf, size_t size);
/* Its help, whole, as an option of that command (NULL: of any). Returns buf. */
char *cli_option_help(const cli_option *option, const char *command, char *buf, size_t size);
/* What the library tells of the family of that name. */
ilk_family_info cli_family(const char *name);

/* Its i-th choice, or NULL beyond the last. */
const char *cli_option_choice(const cli_option *option, size_t i);
/* The same of the option of that name: how a value of its enumeration is spelt. "given" beyond the choices: what the
 * user spelt out. */
const char *cli_choice_name(const char *name, unsigned i);

/* Fill in the defaults, then what the n arguments after the command's name say. False after one line about what is
 * wrong. */
bool cli_settings_parse(cli_settings *out, const char *command, int n, char **argv);
/* The same once more, over other defaults: those of a model, whose name had to be read first. `estimate`'s given priors
 * are taken over. Freed like any settings. */
void cli_settings_parse_over(cli_settings *out, const cli_settings *settings, const ilk_options *estimate);
/* The first of these options that was given, or NULL. `names` ends in NULL. */
const char *cli_given(const cli_settings *settings, const char *const *names);
void cli_settings_free(cli_settings *settings);

#endif
