/* SPDX-License-Identifier: Apache-2.0 */
/* completion.c - completion scripts for bash, zsh and fish, from the tables of commands and options.
 *
 * Commands at the first place, options after a '-', choices after an option that has them, and files everywhere else.
 */
#include <string.h>

#include "pages.h"

static void all_choices(sink *out, const cli_option *o) {
    const char *choice;
    for (size_t i = 0; (choice = cli_option_choice(o, i)); i++)
        sink_format(out, "%s%s", i ? " " : "", choice);
}

/* "--format) words ..." for options with choices, one case for all that take some other value. */
static void value_cases(sink *out) {
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(i)); i++) {
        if (!o->choices)
            continue;
        sink_format(out, "    --%s%s%.1s) words=\"", o->name, o->letter ? "|-" : "", o->letter ? &o->letter : "");
        all_choices(out, o);
        sink_string(out, "\" ;;\n");
    }
}

static void option_cases(sink *out) {
    const cli_option *o;
    for (size_t i = 0; cli_commands[i]; i++) {
        sink_format(out, "    %s) words=\"", cli_commands[i]->name);
        const char *between = "";
        for (size_t j = 0; (o = cli_option_at(j)); j++)
            if (cli_option_fits(o, cli_commands[i]->name)) {
                sink_format(out, "%s--%s", between, o->name);
                between = " ";
            }
        sink_string(out, "\" ;;\n");
    }
}

void pages_bash(sink *out) {
    sink_string(out, "# SPDX-License-Identifier: Apache-2.0\n"
                     "# Completion of ilk for bash, made by: ilk help --completion bash\n"
                     "_ilk() {\n"
                     "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                     "    COMPREPLY=()\n"
                     "    # --option=value comes as three words\n"
                     "    if [ \"$current\" = = ]; then current=\n"
                     "    elif [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                     "    case $previous in\n");
    value_cases(out);
    sink_string(out, "    esac\n"
                     "    if [ -z \"$words\" ] && [ \"$COMP_CWORD\" -gt 1 ] && [ \"${current:0:1}\" = - ]; then\n"
                     "    case ${COMP_WORDS[1]} in\n");
    option_cases(out);
    sink_string(out, "    esac\n"
                     "    fi\n"
                     "    if [ \"$COMP_CWORD\" = 1 ] || { [ \"$COMP_CWORD\" = 2 ] && [ \"$previous\" = help ] && "
                     "[ -z \"$words\" ]; }; then\n"
                     "        words=\"");
    for (size_t i = 0; cli_commands[i]; i++)
        sink_format(out, "%s%s", i ? " " : "", cli_commands[i]->name);
    sink_string(out, " --version\"\n"
                     "    fi\n"
                     "    # Nothing of ours to offer: -o default below completes files\n"
                     "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                     "}\n"
                     "complete -o default -F _ilk ilk\n");
}

/* Text within single quotes, with a backslash before each of `special`. Quotes are left out and re-entered. */
static void quoted(sink *out, const char *text, const char *special) {
    for (; *text; text++) {
        if (*text == '\'')
            sink_string(out, "'\\''");
        else if (strchr(special, *text))
            sink_format(out, "\\%c", *text);
        else
            sink_bytes(out, text, 1);
    }
}

/* The first sentence of an option's help, which is all there is room for. Returns buf. */
static char *brief(const cli_option *o, char *buf, size_t size) {
    cli_option_help(o, NULL, buf, size);
    size_t n = strcspn(buf, ";(");
    while (n > 0 && buf[n - 1] == ' ')
        n--;
    buf[n] = '\0';
    return buf;
}

/* ---- zsh */

/* '(-o --output)'{-o,--output}'[help]:FILE:_files', as _arguments takes it. */
static void zsh_option(sink *out, const cli_option *o) {
    char argument[CLI_CHOICES], help[1024];
    const char *sign = cli_option_takes_value(o) ? "=" : "";
    if (o->letter)
        sink_format(out, "            '(-%c --%s)'{-%c,--%s%s}'[", o->letter, o->name, o->letter, o->name, sign);
    else
        sink_format(out, "            '--%s%s[", o->name, sign);
    quoted(out, brief(o, help, sizeof help), "[]:\\");
    sink_string(out, "]");
    if (cli_option_takes_value(o)) {
        sink_string(out, ":");
        quoted(out, cli_option_argument(o, argument, sizeof argument), "[]:\\");
        sink_string(out, ":");
        if (o->choices) {
            sink_string(out, "(");
            all_choices(out, o);
            sink_string(out, ")");
        } else {
            sink_string(out, "_files");
        }
    }
    sink_string(out, "' \\\n");
}

void pages_zsh(sink *out) {
    const cli_option *o;
    sink_string(out, "#compdef ilk\n# SPDX-License-Identifier: Apache-2.0\n"
                     "# Completion of ilk for zsh, made by: ilk help --completion zsh\n"
                     "_ilk() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        sink_format(out, "        '%s:", cli_commands[i]->name);
        quoted(out, cli_commands[i]->summary, ":\\");
        sink_string(out, "'\n");
    }
    sink_string(out,
                "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
                "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        sink_format(out, "    %s)\n        _arguments -s \\\n", cli_commands[i]->name);
        for (size_t j = 0; (o = cli_option_at(j)); j++)
            if (cli_option_fits(o, cli_commands[i]->name))
                zsh_option(out, o);
        sink_string(out, strcmp(cli_commands[i]->name, "help") == 0 ? "            '1:command:(${commands%%:*})' ;;\n"
                                                                    : "            '*:file:_files' ;;\n");
    }
    sink_string(out, "    esac\n}\n_ilk \"$@\"\n");
}

/* ---- fish */

static void fish_option(sink *out, const cli_option *o) {
    char help[1024];
    sink_string(out, "complete -c ilk -n '");
    if (o->commands)
        sink_format(out, "__fish_seen_subcommand_from %s", o->commands);
    sink_format(out, "' -l %s", o->name);
    if (o->letter)
        sink_format(out, " -s %c", o->letter);
    if (o->choices) {
        sink_string(out, " -x -a '");
        all_choices(out, o);
        sink_bytes(out, "'", 1);
    } else if (o->argument) {
        sink_string(out, " -r");
    }
    sink_string(out, " -d '");
    quoted(out, brief(o, help, sizeof help), "\\");
    sink_string(out, "'\n");
}

void pages_fish(sink *out) {
    const cli_option *o;
    sink_string(out, "# SPDX-License-Identifier: Apache-2.0\n"
                     "# Completion of ilk for fish, made by: ilk help --completion fish\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        sink_format(out, "complete -c ilk -n __fish_use_subcommand -f -a %s -d '", cli_commands[i]->name);
        quoted(out, cli_commands[i]->summary, "\\");
        sink_string(out, "'\n");
    }
    sink_string(out, "complete -c ilk -n '__fish_seen_subcommand_from help' -f -a '");
    for (size_t i = 0; cli_commands[i]; i++)
        sink_format(out, "%s%s", i ? " " : "", cli_commands[i]->name);
    sink_string(out, "'\n");
    for (size_t j = 0; (o = cli_option_at(j)); j++)
        fish_option(out, o);
}
