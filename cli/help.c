/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - ilk help [--man] [COMMAND] | --completion bash|zsh|fish
 *
 * Help for people, and what packagers install. All of it comes from the tables of commands and options.
 */
#include <string.h>

#include "pages.h"

enum { WIDTH = 80, INDENT = 6 };

const char *const pages_purpose = "classify by counts and moments: learn in one pass, merge, explain";
const char *const pages_examples = "ilk train playtennis.csv --target PlayTennis -o tennis.bayes\n"
                                   "ilk inspect tennis.bayes\n"
                                   "ilk predict --posterior tennis.bayes new.csv\n"
                                   "ilk explain tennis.bayes new.csv\n";

/* Text in lines of WIDTH, each after `indent` blanks. */
static void wrapped(sink *out, const char *text, size_t indent) {
    size_t at = WIDTH;
    for (bool first = true; *text; first = false) {
        size_t n = strcspn(text, " ");
        if (at + 1 + n > WIDTH) {
            sink_string(out, first ? "" : "\n");
            sink_spaces(out, indent);
            at = indent;
        } else {
            sink_bytes(out, " ", 1);
            at++;
        }
        sink_bytes(out, text, n);
        at += n;
        text += n + strspn(text + n, " ");
    }
    sink_bytes(out, "\n", 1);
}

static void indented_lines(sink *out, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n") + 1;
        sink_string(out, "  ");
        sink_bytes(out, text, n);
        text += n;
    }
}

void pages_overview(sink *out) {
    sink_format(out, "ilk - %s\n\nExamples:\n", pages_purpose);
    indented_lines(out, pages_examples);
    sink_string(out, "\nUsage: ilk COMMAND [OPTIONS] [ARGUMENTS]\n       ilk --version\n\nCommands:\n");
    for (size_t i = 0; cli_commands[i]; i++)
        sink_format(out, "  %-9s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    sink_string(out, "\n\"ilk help COMMAND\" says more about one of them.\n");
}

static void option_lines(sink *out, const cli_option *o, const char *command) {
    char argument[CLI_CHOICES], help[1024];
    cli_option_argument(o, argument, sizeof argument);
    if (o->letter)
        sink_format(out, "  -%c, ", o->letter);
    else
        sink_string(out, "      ");
    sink_format(out, "--%s%s%s\n", o->name, *argument ? " " : "", argument);
    wrapped(out, cli_option_help(o, command, help, sizeof help), INDENT + 4);
}

void pages_command(sink *out, const cli_command *command) {
    const char *heading = NULL;
    const cli_option *o;
    sink_format(out, "ilk %s - %s\n\nExamples:\n", command->name, command->summary);
    indented_lines(out, command->examples);
    sink_format(out, "\nUsage: ilk %s [OPTIONS]%s%s\n\n", command->name, *command->arguments ? " " : "",
                command->arguments);
    wrapped(out, command->description, 0);
    for (size_t i = 0; (o = cli_option_at(i)); i++) {
        if (!cli_option_fits(o, command->name))
            continue;
        if (!heading || strcmp(heading, o->heading) != 0)
            sink_format(out, "\n%s:\n", heading = o->heading);
        option_lines(out, o, command->name);
    }
}

static int help(const cli_settings *settings) {
    sink out = sink_stdout();
    const cli_command *command = settings->args.n ? cli_find(settings->args.item[0]) : NULL;
    if (settings->args.n && !command)
        return CLI_USAGE;
    if (settings->completion && (settings->man || command)) {
        cli_error("--completion is a script of its own: it goes with nothing else");
        return CLI_USAGE;
    }
    if (command)
        (settings->man ? pages_man_command : pages_command)(&out, command);
    else if (settings->man)
        pages_man(&out);
    else if (settings->completion)
        (settings->completion[0] == 'b' ? pages_bash : settings->completion[0] == 'z' ? pages_zsh : pages_fish)(&out);
    else
        pages_overview(&out);
    return CLI_DONE;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "explain a command",
    .arguments = "[COMMAND]",
    .description = "Without a command, lists them all. The man pages, of ilk or of one command, and the completion "
                   "come from the same table as the options themselves.",
    .examples = "ilk help train\n"
                "ilk help --man train | man -l -\n"
                "source <(ilk help --completion bash)\n",
    .least = 0,
    .most = 1,
    .run = help,
};
