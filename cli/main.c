/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - the table of sub-commands, and what holds for all of them.
 *
 * A new sub-command is one file and one row in COMMANDS.
 */
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "nearest.h"
#include "sink.h"

#define COMMANDS(row)                                                                                                  \
    row(train) row(predict) row(eval) row(explain) row(inspect) row(merge) row(update) row(forget) row(estimate)       \
        row(sample) row(export) row(demo) row(help)

#define DECLARE(name) extern const cli_command cli_##name;
#define ADDRESS(name) &cli_##name,

COMMANDS(DECLARE)
const cli_command *const cli_commands[] = {COMMANDS(ADDRESS) NULL};

const cli_command *cli_find(const char *name) {
    cli_nearest nearest = cli_nearest_begin(cli_str(name));
    for (size_t i = 0; cli_commands[i]; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
        cli_nearest_offer(&nearest, cli_str(cli_commands[i]->name));
    }
    cli_nearest_offer(&nearest, cli_str("--version"));
    if (nearest.best.p)
        cli_error("unknown command %s; did you mean %.*s?", name, CLI_SHOW(nearest.best));
    else
        cli_error("unknown command %s; \"ilk help\" lists them", name);
    return NULL;
}

/* A closed standard descriptor would be given to the next file opened, and our output would end up in it. Read-only, so
 * that writing to a closed standard output is still an error. */
static void guard_descriptors(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1)
            (void)!open("/dev/null", O_RDONLY);
}

/* Giving memory back while threads run, and asking for more page by page, makes all of them wait each time. What was
 * freed is soon used again, and pages not touched cost nothing. There is one heap for all threads, because they ask
 * seldom. It stands on pages of the usual size: large ones are quicker where they are at hand, but take five times as
 * long where a machine below this one must find them first, as it does for a program that is run now and then. */
static void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 1 << 23);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 1 << 26);
#endif
}

static int version(int arguments) {
    if (arguments > 0) {
        cli_error("--version goes with nothing else");
        return CLI_USAGE;
    }
    sink out = sink_stdout();
    sink_format(&out, "ilk %s\n%s\n", ilk_version(), ilk_build_info());
    return CLI_DONE;
}

static int run_command(const cli_command *command, const cli_settings *settings) {
    size_t n = settings->args.n;
    if (settings->help) {
        const cli_settings about = {.args = {.item = (const char *[]){command->name}, .n = 1}};
        return cli_find("help")->run(&about);
    }
    if (n < command->least || n > command->most) {
        cli_error("%s takes %s, but %zu argument%s given; see \"ilk help %s\"", command->name,
                  *command->arguments ? command->arguments : "no arguments", n, n == 1 ? " was" : "s were",
                  command->name);
        return CLI_USAGE;
    }
    return command->run(settings);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        cli_error("no command given; \"ilk help\" lists them");
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0)
        return version(argc - 2);
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    const cli_command *command = cli_find(help ? "help" : argv[1]);
    if (!command)
        return CLI_USAGE;
    cli_settings settings;
    int code =
        cli_settings_parse(&settings, command->name, argc - 2, argv + 2) ? run_command(command, &settings) : CLI_USAGE;
    cli_settings_free(&settings);
    return code;
}

int main(int argc, char **argv) {
    /* Writing to a closed pipe or beyond the limit of a file's size shall be an error we can name, not our death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    guard_descriptors();
    keep_memory();
    return sink_close_stdout(dispatch(argc, argv));
}
