/* SPDX-License-Identifier: Apache-2.0 */
/* scoring.c - open a model and a table, and let the one answer the other. */
#include "scoring.h"

#include <unistd.h>

#include "progress.h"
#include "report.h"

ilk_status scoring_open(scoring *s, const cli_settings *settings, ilk_error *err) {
    *s = (scoring){0};
    ilk_status status = ilk_model_open(&s->model, settings->args.item[0], err);
    if (status != ILK_OK)
        return status;
    s->K = ilk_model_classes(s->model);
    ilk_read_options reading = settings->reading;
    reading.schema = ilk_model_schema(s->model);
    reading.live = true;
    return ilk_table_open(&s->table, settings->args.item + 1, settings->args.n - 1, &reading, err);
}

ilk_status scoring_run(scoring *s, const ilk_answer_fns *fns, const cli_settings *settings, ilk_error *err) {
    progress bar;
    ilk_run run = progress_begin(&bar, settings);
    if (fns->format && !bar.json && isatty(STDOUT_FILENO))
        run.progress = NULL; /* the answers themselves scroll by, and a bar would stand among them */
    ilk_status status = ilk_table_answer(s->table, s->model, fns, &run, &s->tally, err);
    progress_end(&bar);
    /* A callback that fails has no message of its own to give. */
    if (status != ILK_OK)
        err->status = status;
    else
        report_bad(settings, &s->tally);
    return status;
}

void scoring_close(scoring *s) {
    ilk_table_free(s->table);
    ilk_model_free(s->model);
}

static size_t by_name(const ilk_table *table, ilk_str name) {
    for (size_t j = 0; j < ilk_table_columns(table); j++)
        if (cli_equal(ilk_table_column(table, j), name))
            return j;
    return SIZE_MAX;
}

size_t table_find(const ilk_table *table, ilk_str name) {
    size_t found = by_name(table, name), index = 0;
    for (size_t i = 0; i < name.n && found == SIZE_MAX; i++) {
        if (name.p[i] < '0' || name.p[i] > '9' || index > ilk_table_columns(table))
            return SIZE_MAX;
        index = index * 10 + (size_t)(name.p[i] - '0');
    }
    if (found == SIZE_MAX && index >= 1 && index <= ilk_table_columns(table))
        found = index - 1;
    return found;
}
