/* SPDX-License-Identifier: Apache-2.0 */
/* scoring.c - open a model and a table, and let the one answer the other. */
#include "scoring.h"

#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "report.h"

ilk_status scoring_open(scoring *s, const cli_settings *settings, bool unlabelled, ilk_error *err) {
    const char *file = settings->args.item[1];
    *s = (scoring){.file = strcmp(file, "-") == 0 ? "standard input" : file};
    ilk_status status = ilk_model_open(&s->model, settings->args.item[0], err);
    if (status != ILK_OK)
        return status;
    s->K = ilk_model_classes(s->model);
    ilk_read_options reading = settings->reading;
    reading.schema = ilk_model_schema(s->model);
    reading.live = true;
    reading.unlabelled = unlabelled;
    return ilk_table_open(&s->table, settings->args.item + 1, settings->args.n - 1, &reading, err);
}

ilk_status scoring_run(scoring *s, const ilk_answer_fns *fns, const cli_settings *settings, ilk_error *err) {
    progress bar;
    ilk_run run = progress_begin(&bar, settings);
    if (fns->format && !bar.json && isatty(STDOUT_FILENO))
        run.progress = NULL; /* the answers themselves scroll by, and a bar would stand among them */
    ilk_status status = ilk_table_answer(s->table, s->model, fns, &run, &s->tally, err);
    progress_end(&bar, status);
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
