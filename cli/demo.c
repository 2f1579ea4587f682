/* SPDX-License-Identifier: Apache-2.0 */
/* demo.c - ilk demo
 *
 * A tour of the commands on tables that are in the program itself. Each command is shown and then run, in a folder of
 * its own that is gone afterwards.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "sink.h"

/* examples/playtennis.csv, to the byte. */
static const char tennis[] = "Day,Outlook,Temperature,Humidity,Wind,PlayTennis\n"
                             "D1,Sunny,Hot,High,Weak,No\n"
                             "D2,Sunny,Hot,High,Strong,No\n"
                             "D3,Overcast,Hot,High,Weak,Yes\n"
                             "D4,Rain,Mild,High,Weak,Yes\n"
                             "D5,Rain,Cool,Normal,Weak,Yes\n"
                             "D6,Rain,Cool,Normal,Strong,No\n"
                             "D7,Overcast,Cool,Normal,Strong,Yes\n"
                             "D8,Sunny,Mild,High,Weak,No\n"
                             "D9,Sunny,Cool,Normal,Weak,Yes\n"
                             "D10,Rain,Mild,Normal,Weak,Yes\n"
                             "D11,Sunny,Mild,Normal,Strong,Yes\n"
                             "D12,Overcast,Mild,High,Strong,Yes\n"
                             "D13,Overcast,Hot,Normal,Weak,Yes\n"
                             "D14,Rain,Mild,High,Strong,No\n";

static const char tomorrow[] = "Outlook,Temperature,Humidity,Wind\nSunny,Cool,High,Strong\n";

static const char week[] = "Day,Outlook,Temperature,Humidity,Wind,PlayTennis\nD15,Sunny,Cool,High,Strong,Yes\n"
                           "D16,Sunny,Mild,High,Strong,Yes\n";

static const char leaves[] =
    "length,width,tree\n5.1,2.2,beech\n6.0,2.9,beech\n6.8,3.1,beech\n7.4,3.8,beech\n8.1,3.9,beech\n"
    "4.2,3.6,lime\n5.0,4.5,lime\n5.9,5.1,lime\n6.6,6.0,lime\n7.2,6.3,lime\n";

static const char messages[] =
    "ham\tsee you at lunch today\nham\tthe meeting is at noon\nham\tare you coming home for dinner\n"
    "ham\t明天中午一起吃饭吗\nspam\twin a free prize now\nspam\tfree entry, win cash today\n"
    "spam\tclaim your free cash prize now\nspam\t恭喜您中奖，免费领取现金\n";

static const char message[] = "\tclaim the free lunch now\n";

static const struct {
    const char *name, *text;
} files[] = {
    {"playtennis.csv", tennis}, {"tomorrow.csv", tomorrow}, {"week.csv", week},
    {"leaves.csv", leaves},     {"messages.tsv", messages}, {"message.tsv", message},
};

/* Titles begin with '#', commands with anything else; words are divided by single blanks. */
static const char *const tour[] = {
    "# Fourteen days, four columns: will they play when it is sunny, cool, humid and windy?",
    "train --target PlayTennis --ignore Day --smooth 0 playtennis.csv -o tennis.bayes",
    "predict --joint tennis.bayes tomorrow.csv",
    "# By hand: .0206 for No against .0053 for Yes. Why?",
    "explain tennis.bayes tomorrow.csv",
    "# Learning is adding: two more days, and away with them again",
    "update -q tennis.bayes week.csv",
    "predict tennis.bayes tomorrow.csv",
    "forget tennis.bayes week.csv",
    "# What generative means: days like these",
    "sample -n 3 tennis.bayes",
    "# Leaves, one Gaussian per tree with a covariance in common",
    "train -q --model gda leaves.csv -o leaves.bayes",
    "inspect leaves.bayes",
    "# Messages, English and Chinese",
    "train --format lines messages.tsv -o spam.bayes",
    "explain --top 4 --format lines spam.bayes message.tsv",
};

static bool write_file(const char *name, const char *text) {
    FILE *f = fopen(name, "w");
    bool good = f && fputs(text, f) >= 0;
    return f ? fclose(f) == 0 && good : false;
}

/* "$ ilk train ...", and run it. The standard error of the command comes after what was shown. */
static int run_line(const char *line, bool bold) {
    sink out = sink_stdout();
    char words[256], *argv[32], *rest = words;
    int n = 0, code = CLI_USAGE;
    sink_format(&out, "%s$ ilk %s%s\n", bold ? "\033[1m" : "", line, bold ? "\033[0m" : "");
    sink_flush_stdout();
    snprintf(words, sizeof words, "%s", line);
    while (n < 32 && (argv[n] = strsep(&rest, " ")))
        n++;
    const cli_command *command = cli_find(argv[0]);
    cli_settings settings;
    if (command && cli_settings_parse(&settings, command->name, n - 1, argv + 1))
        code = command->run(&settings);
    if (command)
        cli_settings_free(&settings);
    sink_flush_stdout();
    return code;
}

static int walk(bool bold) {
    int code = CLI_DONE;
    for (size_t i = 0; i < sizeof tour / sizeof *tour && code == CLI_DONE; i++) {
        sink out = sink_stdout();
        if (out.status != ILK_OK)
            break; /* nobody reads on */
        if (tour[i][0] == '#')
            sink_format(&out, "%s%s%s%s\n", i ? "\n" : "", bold ? "\033[1;34m" : "", tour[i], bold ? "\033[0m" : "");
        else
            code = run_line(tour[i], bold);
    }
    return code;
}

static void remove_files(const char *where) {
    static const char *const models[] = {"tennis.bayes", "leaves.bayes", "spam.bayes"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i].name);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        unlink(models[i]);
    (void)!chdir("/");
    rmdir(where);
}

static char folder[512]; /* where the tour runs; a signal ends it there, too */

/* All it calls may be called in a handler. */
static void leave(int signum) {
    remove_files(folder);
    signal(signum, SIG_DFL);
    raise(signum);
}

static int demo(const cli_settings *settings) {
    (void)settings;
    const char *parent = getenv("TMPDIR"), *no_color = getenv("NO_COLOR");
    snprintf(folder, sizeof folder, "%.400s/ilk-demo.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder)) {
        cli_error("cannot make a folder in %s: %s", parent && *parent ? parent : "/tmp", strerror(errno));
        return CLI_FAILED;
    }
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], leave);
    bool good = true;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        good = good && write_file(files[i].name, files[i].text);
    if (!good)
        cli_error("cannot write to %s", folder);
    int code = good ? walk(isatty(STDOUT_FILENO) && !(no_color && *no_color)) : CLI_FAILED;
    remove_files(folder);
    return code;
}

const cli_command cli_demo = {
    .name = "demo",
    .summary = "a tour, on tables that are in the program",
    .arguments = "",
    .description =
        "Shows commands and runs them, in a folder of its own that is gone afterwards. Takes no data and less than "
        "two seconds.",
    .examples = "ilk demo\n",
    .least = 0,
    .most = 0,
    .run = demo,
};
