/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - the shape of a sub-command, and how all of them speak to people.
 *
 * A sub-command is one file that defines one cli_command, and one row in main.c. It sees the public headers of the
 * library only. Data goes to standard output (sink.h), words for people to standard error (here).
 */
#ifndef ILK_CLI_H
#define ILK_CLI_H

#include <ilk_data.h>

#include "options.h"

/* Exit codes; scripts rely on them. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

typedef struct cli_command {
    const char *name;
    const char *summary;     /* half a line */
    const char *arguments;   /* as they stand in the usage line, after the options */
    const char *description; /* sentences, for help and the man page */
    const char *examples;    /* lines; those that start with "ilk" can be pasted */
    size_t least, most;      /* how many arguments it takes */
    int (*run)(const cli_settings *settings);
} cli_command;

/* All sub-commands, in the order of the help; NULL ends them. */
extern const cli_command *const cli_commands[];
/* The command of that name, or NULL after one line with the nearest name. */
const cli_command *cli_find(const char *name);

/* One line on standard error: "ilk: ...". Control characters become '?', because what is named may be hostile. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One line on standard error without the prefix: notes, reports. Nothing if `quiet`. */
void cli_say(const cli_settings *settings, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For printing a name with "%.*s": the precision, cut between characters so that a long one cannot fill the line. */
int cli_shown(ilk_str s);
#define CLI_SHOW(s) cli_shown(s), (s).p

/* Report a failure of the library and return the exit code. A stop that we asked for ourselves is reported by its
 * cause. */
int cli_fail(const ilk_error *err);
/* The same where ILK_EARG can only be a slip on the command line: then the code is CLI_USAGE. */
int cli_fail_asked(const ilk_error *err);

/* Put the file's name before a message of the library, which does not know it. */
void cli_name_file(ilk_error *err, const char *path);

/* Memory for the command line itself: the size is checked, and failure ends the program with one line. */
void *cli_alloc(size_t count, size_t size);
void *cli_resize(void *p, size_t count, size_t size);

ilk_str cli_str(const char *s);
bool cli_equal(ilk_str a, ilk_str b);
/* "1,234,567" for people; buf holds at least 32 bytes. Returns buf. */
char *cli_thousands(char *buf, uint64_t n);
/* "s" unless n is 1. */
const char *cli_plural(uint64_t n);

#endif
