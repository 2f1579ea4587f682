/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - from argv to settings.
 *
 * Options may stand before and after the arguments; "--" ends them; "-" is an argument (standard input). Every mistake
 * is one line that names the option and the value.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "nearest.h"
#include "prior.h"

/* argv on its way through: `next` is the first argument not yet looked at. */
typedef struct scan {
    cli_settings *out;
    const char *command;
    char **argv;
    int n, next;
} scan;

static const cli_option *find(const char *name, size_t n, const char *command) {
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(i)); i++)
        if (strlen(o->name) == n && memcmp(o->name, name, n) == 0 && cli_option_fits(o, command))
            return o;
    return NULL;
}

static const cli_option *find_letter(char letter, const char *command) {
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(i)); i++)
        if (o->letter == letter && cli_option_fits(o, command))
            return o;
    return NULL;
}

/* The option exists, but for other commands: say for which, rather than suggest another one. */
static bool belongs_elsewhere(const char *name, const char *command) {
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(i)); i++)
        if (strcmp(o->name, name) == 0) {
            cli_error("%s has no option --%s; it belongs to: %s", command, name, o->commands);
            return true;
        }
    return false;
}

static bool unknown(const char *word, size_t n, const char *command) {
    char name[128] = "";
    memcpy(name, word, n < sizeof name ? n : sizeof name - 1);
    if (belongs_elsewhere(name, command))
        return false;
    cli_nearest nearest = cli_nearest_begin(cli_str(name));
    const cli_option *o;
    for (size_t i = 0; (o = cli_option_at(i)); i++)
        if (cli_option_fits(o, command))
            cli_nearest_offer(&nearest, cli_str(o->name));
    if (nearest.best.p)
        cli_error("unknown option --%s; did you mean --%.*s?", name, CLI_SHOW(nearest.best));
    else
        cli_error("unknown option --%s; see \"ilk help %s\"", name, command);
    return false;
}

/* Two switches that set one thing to different values: which of them was meant nobody can tell. */
static bool contradicts(scan *s, const cli_option *option) {
    bool *given = s->out->given;
    const cli_option *first = cli_option_at(0), *o;
    for (size_t i = 0; !cli_option_takes_value(option) && (o = cli_option_at(i)); i++)
        if (given[i] && o->field == option->field && o != option && !cli_option_takes_value(o)) {
            cli_error("--%s and --%s exclude each other", o->name, option->name);
            return true;
        }
    given[option - first] = true;
    return false;
}

static bool store(scan *s, const cli_option *option, const char *value) {
    if (contradicts(s, option))
        return false;
    const char *expected = option->store(option, (char *)s->out + option->field, value);
    if (expected)
        cli_error("--%s %s: expected %s", option->name, *value ? value : "\"\"", expected);
    return !expected;
}

/* `value` is what was joined to the option by '=' or stands behind its letter, or NULL. */
static bool take(scan *s, const cli_option *option, const char *value) {
    if (!cli_option_takes_value(option)) {
        if (value)
            cli_error("--%s takes no value, but was given %s", option->name, *value ? value : "\"\"");
        return !value && store(s, option, "");
    }
    if (!value && s->next == s->n) {
        char argument[CLI_CHOICES];
        cli_error("--%s needs a value: %s", option->name, cli_option_argument(option, argument, sizeof argument));
        return false;
    }
    return store(s, option, value ? value : s->argv[s->next++]);
}

static bool take_long(scan *s, const char *word) {
    size_t n = strcspn(word, "=");
    const cli_option *option = find(word, n, s->command);
    return option ? take(s, option, word[n] ? word + n + 1 : NULL) : unknown(word, n, s->command);
}

/* "-q", "-qo FILE", "-oFILE". */
static bool take_letters(scan *s, const char *letters) {
    for (; *letters; letters++) {
        const cli_option *option = find_letter(*letters, s->command);
        if (!option) {
            cli_error("unknown option -%c; see \"ilk help %s\"", *letters, s->command);
            return false;
        }
        bool last = cli_option_takes_value(option);
        if (!take(s, option, last && letters[1] ? letters + 1 : NULL))
            return false;
        if (last)
            return true;
    }
    return true;
}

static cli_list list_new(int n) {
    return (cli_list){.item = cli_alloc((size_t)n, sizeof(const char *))};
}

static void list_free(cli_list *list) {
    free(list->item);
    free(list->joined);
}

/* An option that names columns and was given again names more of them. NULL: none. */
static const char *join(cli_list *list) {
    size_t bytes = 0;
    if (list->n < 2)
        return list->n ? list->item[0] : NULL;
    for (size_t i = 0; i < list->n; i++)
        bytes += strlen(list->item[i]) + 1;
    list->joined = cli_alloc(bytes, 1);
    for (size_t i = 0, at = 0; i < list->n; i++)
        at += (size_t)snprintf(list->joined + at, bytes - at, "%s%s", i ? "," : "", list->item[i]);
    return list->joined;
}

static void defaults(cli_settings *out, const char *command, int n, char **argv) {
    *out = (cli_settings){.words = 10, .top = 10, .rows = 10, .said = {command, n, argv}};
    ilk_read_options_init(&out->reading);
    ilk_plan_init(&out->plan);
    ilk_options_init(&out->estimate);
    out->args = list_new(n);
    out->family = list_new(n);
    out->bins = list_new(n);
    out->transform = list_new(n);
    out->text = list_new(n);
    out->ignore = list_new(n);
    out->kept = list_new(n);
}

static bool parse(cli_settings *out) {
    scan s = {.out = out, .command = out->said.command, .argv = out->said.argv, .n = out->said.n};
    for (bool ended = false; s.next < s.n;) {
        const char *word = s.argv[s.next++];
        bool good = true;
        if (ended || word[0] != '-' || word[1] == '\0')
            out->args.item[out->args.n++] = word;
        else if (strcmp(word, "--") == 0)
            ended = true;
        else
            good = word[1] == '-' ? take_long(&s, word + 2) : take_letters(&s, word + 1);
        if (!good)
            return false;
    }
    out->reading.skip_bad_rows = out->bad_rows == 1;
    out->plan.text = join(&out->text);
    out->plan.ignore = join(&out->ignore);
    out->keep = join(&out->kept);
    out->plan.family = out->family.item;
    out->plan.families = out->family.n;
    out->plan.bin = out->bins.item;
    out->plan.bins = out->bins.n;
    out->plan.transform = out->transform.item;
    out->plan.transforms = out->transform.n;
    out->plan.all_rows = out->passes == 1;
    return true;
}

bool cli_settings_parse(cli_settings *out, const char *command, int n, char **argv) {
    defaults(out, command, n, argv);
    return parse(out);
}

void cli_settings_parse_over(cli_settings *out, const cli_settings *settings, const ilk_options *estimate) {
    defaults(out, settings->said.command, settings->said.n, settings->said.argv);
    out->estimate = *estimate;
    (void)parse(out);
}

const char *cli_given(const cli_settings *settings, const char *const *names) {
    const cli_option *o;
    for (; *names; names++)
        for (size_t i = 0; (o = cli_option_at(i)); i++)
            if (settings->given[i] && strcmp(o->name, *names) == 0)
                return *names;
    return NULL;
}

void cli_settings_free(cli_settings *settings) {
    list_free(&settings->args);
    list_free(&settings->family);
    list_free(&settings->bins);
    list_free(&settings->transform);
    list_free(&settings->text);
    list_free(&settings->ignore);
    list_free(&settings->kept);
    prior_free(&settings->estimate);
}
