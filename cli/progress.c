/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - a bar with rows/s, MB/s and the time left, or the same as lines of JSON. */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "width.h"

enum { BAR = 24 };
enum { PROGRESS_AUTO, PROGRESS_NONE, PROGRESS_JSON }; /* the choices of --progress */

double progress_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int put_share(char *to, size_t size, const ilk_progress *at, double elapsed) {
    double share = fmin(1, (double)at->bytes / (double)at->total_bytes);
    unsigned left = (unsigned)fmin(359999, elapsed * (1 - share) / share);
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++)
        bar[i] = i < share * BAR ? '#' : '.';
    bar[BAR] = '\0';
    return snprintf(to, size, "[%s] %3.0f%%  %u:%02u left  ", bar, share * 100, left / 60, left % 60);
}

static ilk_status draw(void *ctx, const ilk_progress *at) {
    progress *p = ctx;
    double now = progress_clock(), elapsed = now - p->began;
    if (now - p->drawn < .1 || elapsed < .3)
        return ILK_OK;
    char line[256], rows[32], speed[32];
    int n = p->readings > 1 ? snprintf(line, sizeof line, "%u/%u ", p->reading, p->readings) : 0;
    if (at->total_bytes > 0 && at->bytes > 0)
        n += put_share(line + n, sizeof line - (size_t)n, at, elapsed);
    snprintf(line + n, sizeof line - (size_t)n, "%s rows  %s rows/s  %.1f MB/s", cli_thousands(rows, at->rows),
             cli_thousands(speed, (uint64_t)((double)at->rows / elapsed)), (double)at->bytes / elapsed / 1e6);
    unsigned width = terminal_width(STDERR_FILENO); /* a line that is wider could not be wiped */
    fprintf(stderr, "\r\033[K%.*s", width ? (int)width - 1 : (int)sizeof line, line);
    fflush(stderr);
    p->drawn = now;
    p->visible = true;
    return ILK_OK;
}

/* One object per line, and the last one always: {"reading", "readings", "rows", "bytes", "total_bytes", "seconds",
 * "done"}. */
static void tell(const progress *p, bool done) {
    char total[32] = "null";
    if (p->last.total_bytes > 0)
        snprintf(total, sizeof total, "%" PRIu64, p->last.total_bytes);
    fprintf(stderr, "{\"reading\":%u,\"readings\":%u,", p->reading, p->readings);
    fprintf(stderr, "\"rows\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"total_bytes\":%s,\"seconds\":%.3f,\"done\":%s}\n",
            p->last.rows, p->last.bytes, total, progress_clock() - p->began, done ? "true" : "false");
}

static ilk_status tell_often(void *ctx, const ilk_progress *at) {
    progress *p = ctx;
    double now = progress_clock();
    p->last = *at;
    if (now - p->drawn >= .1) {
        tell(p, false);
        p->drawn = now;
    }
    return ILK_OK;
}

ilk_run progress_begin(progress *p, const cli_settings *settings) {
    *p =
        (progress){.began = progress_clock(), .json = settings->progress == PROGRESS_JSON, .reading = 1, .readings = 1};
    p->drawn = p->began;
    ilk_run run = {.threads = settings->threads, .ctx = p};
    if (p->json)
        run.progress = tell_often;
    else if (settings->progress == PROGRESS_AUTO && !settings->quiet && isatty(STDERR_FILENO))
        run.progress = draw;
    return run;
}

void progress_clear(progress *p) {
    if (p->visible)
        fputs("\r\033[K", stderr);
    p->visible = false;
}

void progress_end(progress *p, ilk_status status) {
    progress_clear(p);
    p->open = p->json && status == ILK_OK && p->reading < p->readings;
    if (p->json)
        tell(p, !p->open);
}

void progress_close(progress *p) {
    if (p->open)
        tell(p, true);
    p->open = false;
}
