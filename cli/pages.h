/* SPDX-License-Identifier: Apache-2.0 */
/* pages.h - what the tables of commands and options yield beside parsing: help, man page, completion. */
#ifndef ILK_CLI_PAGES_H
#define ILK_CLI_PAGES_H

#include "cli.h"
#include "sink.h"

/* What ilk is, its commands and how to go on. */
void pages_overview(sink *out);
/* One command: examples, usage, options. */
void pages_command(sink *out, const cli_command *command);
/* ilk.1 and ilk-COMMAND.1 in roff. They hold no date, so that equal sources give equal pages. */
void pages_man(sink *out);
void pages_man_command(sink *out, const cli_command *command);
/* Completion scripts. */
void pages_bash(sink *out);
void pages_zsh(sink *out);
void pages_fish(sink *out);

/* One line each, for the man page and the overview. */
extern const char *const pages_purpose;
extern const char *const pages_examples;

#endif
