/* SPDX-License-Identifier: Apache-2.0 */
/* change.c - under a lock from the first look at the file to its replacement, so that of two changes none is lost. */
#include "change.h"

#include <stdio.h>

ilk_status change_blame(ilk_error *err, const char *path) {
    cli_name_file(err, path);
    if (err->status == ILK_EARG)
        err->status = ILK_EDATA;
    return err->status;
}

ilk_status change_begin(change *c, ilk_stats **stats, const char *path, ilk_error *err) {
    *c = (change){.path = path};
    *stats = NULL;
    ilk_status status = ilk_model_lock(&c->lock, path, err);
    return status == ILK_OK ? ilk_stats_open(stats, path, err) : status;
}

ilk_status change_open_data(ilk_table **out, const ilk_stats *stats, const cli_settings *s, ilk_error *err) {
    ilk_read_options reading = s->reading;
    reading.schema = ilk_stats_schema(stats);
    return ilk_table_open(out, s->args.item + 1, s->args.n - 1, &reading, err);
}

ilk_status change_check_rows(const ilk_tally *tally, const char *path, ilk_error *err) {
    if (tally->rows > 0)
        return ILK_OK;
    if (tally->bad > 0 && tally->unlabelled == 0)
        snprintf(err->message, sizeof err->message, "%s", tally->first_bad);
    else
        snprintf(err->message, sizeof err->message, "%.200s: no row has a label", path);
    return err->status = ILK_EDATA;
}

ilk_status change_estimate(const change *c, learning *l, ilk_error *err) {
    ilk_status status = learning_estimate_again(l, err);
    return status == ILK_OK ? ILK_OK : change_blame(err, c->path);
}

ilk_status change_save(const change *c, const learning *l, ilk_error *err) {
    ilk_status status = ilk_lock_check(c->lock, err);
    return status == ILK_OK ? learning_save(l, c->path, err) : status;
}

void change_end(change *c) {
    ilk_lock_free(c->lock);
}
