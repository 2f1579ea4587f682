/* SPDX-License-Identifier: Apache-2.0 */
/* manual.c - ilk.1 and a page for each command, from the tables of commands and options. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pages.h"

/* Text as roff: a hyphen that shall stay one, a backslash that is one, no line that begins with a request; a list of
 * choices, which may be longer than a line, is broken between two of them. */
static void roff(sink *out, const char *text) {
    sink_string(out, strchr(".'", *text) ? "\\&" : "");
    for (; *text; text++) {
        if (*text == '-')
            sink_string(out, "\\-");
        else if (*text == '\\')
            sink_string(out, "\\e");
        else if (*text == '|' && text[1] > ' ')
            sink_string(out, "|\\:");
        else
            sink_bytes(out, text, 1);
    }
}

static void paragraph(sink *out, const char *text) {
    roff(out, text);
    sink_bytes(out, "\n", 1);
}

static void example(sink *out, const char *lines) {
    sink_string(out, ".PP\n.nf\n.RS 4\n");
    roff(out, lines);
    sink_string(out, ".RE\n.fi\n");
}

/* An option of that command, or, if it is NULL, with the names of the commands that take it. */
static void option(sink *out, const cli_option *o, const char *command) {
    char argument[CLI_CHOICES], help[1024];
    cli_option_argument(o, argument, sizeof argument);
    sink_string(out, ".TP\n");
    if (o->letter)
        sink_format(out, "\\fB\\-%c\\fR, ", o->letter);
    sink_string(out, "\\fB\\-\\-");
    roff(out, o->name);
    sink_string(out, "\\fR");
    if (*argument) {
        sink_string(out, " \\fI");
        roff(out, argument);
        sink_string(out, "\\fR");
    }
    sink_bytes(out, "\n", 1);
    paragraph(out, cli_option_help(o, command, help, sizeof help));
    if (!command && o->commands)
        sink_format(out, "(%s)\n", o->commands);
}

static void usage(sink *out, const cli_command *c) {
    sink_format(out, "\\fBilk %s\\fR [\\fIoptions\\fR] ", c->name);
    paragraph(out, c->arguments);
}

static void synopsis(sink *out) {
    sink_string(out, ".SH SYNOPSIS\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        sink_string(out, i ? ".br\n" : "");
        usage(out, cli_commands[i]);
    }
    sink_string(out, ".br\n\\fBilk \\-\\-version\\fR\n");
}

static void command_sections(sink *out) {
    sink_string(out, ".SH COMMANDS\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        sink_format(out, ".SS %s\n", c->name);
        sink_format(out, "To %s.\n", c->summary);
        paragraph(out, c->description);
        example(out, c->examples);
    }
}

/* Those of one command, or all if it is NULL. */
static void option_sections(sink *out, const cli_command *command) {
    const char *heading = NULL;
    const cli_option *o;
    sink_string(out, ".SH OPTIONS\nOptions may stand before and after the arguments; \\-\\- ends them.\n");
    sink_string(out, command ? "" : "The commands that take an option stand in brackets.\n");
    for (size_t i = 0; (o = cli_option_at(i)); i++) {
        if (command && !cli_option_fits(o, command->name))
            continue;
        if (!heading || strcmp(heading, o->heading) != 0)
            sink_format(out, ".SS %s\n", heading = o->heading);
        option(out, o, command ? command->name : NULL);
    }
}

static void title(sink *out, const char *name, const char *purpose) {
    sink_string(out, ".\\\" SPDX-License-Identifier: Apache-2.0\n.\\\" Made by ilk help \\-\\-man.\n.TH ");
    for (const char *p = name; *p; p++)
        sink_bytes(out, (const char[]){(char)toupper((unsigned char)*p)}, 1);
    /* Ragged and without hyphenation: a name of two halves cannot be typed, and a line of choices has no blanks. */
    sink_format(out, " 1 \"\" \"ilk %s\" \"User Commands\"\n.ad l\n.nh\n.SH NAME\n", ilk_version());
    roff(out, name);
    sink_string(out, " \\- ");
    paragraph(out, purpose);
}

static void exit_status(sink *out) {
    sink_string(out, ".SH \"EXIT STATUS\"\n0 done, 1 failed, 2 wrong usage.\n"
                     "A reader of the output that leaves early is no failure.\n");
}

void pages_man_command(sink *out, const cli_command *command) {
    char name[64];
    snprintf(name, sizeof name, "ilk-%s", command->name);
    title(out, name, command->summary);
    sink_string(out, ".SH SYNOPSIS\n");
    usage(out, command);
    sink_string(out, ".SH EXAMPLES\n");
    example(out, command->examples);
    sink_string(out, ".SH DESCRIPTION\n");
    paragraph(out, command->description);
    option_sections(out, command);
    exit_status(out);
    sink_string(out, ".SH \"SEE ALSO\"\n\\fBilk\\fR(1)\n");
}

void pages_man(sink *out) {
    title(out, "ilk", pages_purpose);
    synopsis(out);
    sink_string(out, ".SH EXAMPLES\n");
    example(out, pages_examples);
    sink_string(out, ".SH DESCRIPTION\n");
    paragraph(out, "Ilk learns what each class looks like and how common it is, by adding up counts and moments in one "
                   "pass over the data, and classifies by Bayes' rule. Data goes to standard output, words for people "
                   "to standard error; - names standard input.");
    command_sections(out);
    option_sections(out, NULL);
    exit_status(out);
    sink_string(out, ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nif set and not empty, no colours on a terminal\n"
                     ".SH \"SEE ALSO\"\n");
    for (size_t i = 0; cli_commands[i]; i++)
        sink_format(out, "\\fBilk\\-%s\\fR(1)%s\n", cli_commands[i]->name, cli_commands[i + 1] ? "," : "");
}
