/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - the model file a command is to write, looked at before gigabytes are read in vain. */
#ifndef ILK_CLI_OUTPUT_H
#define ILK_CLI_OUTPUT_H

#include "cli.h"

/* Whether --output is given, can (as far as can be told now) be written, and is none of the files that are to be read:
 * data, lists of words, a model to be like.
 * CLI_DONE, or an exit code after one line about what is wrong. */
int output_check(const cli_settings *settings, const char *command, const cli_list *inputs);

#endif
