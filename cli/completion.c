/* SPDX-License-Identifier: Apache-2.0 */
/* completion.c - a completion script for bash, from the tables of commands and options.
 *
 * Commands at the first place, options after a '-', choices after an option that has them, and files everywhere else.
 */
#include "pages.h"

/* "--format) words ..." for options with choices, one case for all that take some other value. */
static void value_cases(sink *out) {
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(i)); i++) {
        if (!o->choices)
            continue;
        sink_format(out, "    --%s%s%.1s) words=\"", o->name, o->letter ? "|-" : "", o->letter ? &o->letter : "");
        for (size_t c = 0; o->choices[c]; c++)
            sink_format(out, "%s%s", c ? " " : "", o->choices[c]);
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
