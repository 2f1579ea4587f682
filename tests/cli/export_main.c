/* SPDX-License-Identifier: Apache-2.0 */
/* export_main.c - reads rows for an exported model and writes what ilk predict --posterior would.
 *
 * Compiled with -DREALS, -DCODES and -DTEXTS: how many columns of each kind the table has, in this order; what follows
 * is not read. A field that is empty or ? is missing; the words of a text stand between blanks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.c"

enum { K = sizeof model_class / sizeof *model_class, WORDS = 512 };

#if TEXTS
static void count_words(struct model_text *out, char *text) {
    static const char *words[TEXTS][WORDS];
    static double counts[TEXTS][WORDS];
    static int next;
    const char **word = words[next % TEXTS];
    double *count = counts[next++ % TEXTS];
    int n = 0;
    for (char *w; (w = strsep(&text, " "));) {
        int i = 0;
        if (*w == '\0')
            continue;
        while (i < n && strcmp(word[i], w) != 0)
            i++;
        if (i == n) {
            word[n] = w;
            count[n++] = 0;
        }
        count[i]++;
    }
    *out = (struct model_text){word, count, n};
}
#endif

static int is_missing(const char *field) {
    return *field == '\0' || strcmp(field, "?") == 0;
}

int main(void) {
    char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        struct model_row row;
        double posterior[K];
        char *rest = line;
        line[strcspn(line, "\n")] = '\0';
        for (int j = 0; j < REALS + CODES + TEXTS; j++) {
            char *field = strsep(&rest, ",");
            (void)field;
#if REALS
            if (j < REALS)
                row.number[j] = is_missing(field) ? NAN : strtod(field, NULL);
#endif
#if CODES
            if (j >= REALS && j < REALS + CODES)
                row.category[j - REALS] = is_missing(field) ? NULL : field;
#endif
#if TEXTS
            if (j >= REALS + CODES && is_missing(field))
                row.text[j - REALS - CODES].n = -1;
            else if (j >= REALS + CODES)
                count_words(&row.text[j - REALS - CODES], field);
#endif
        }
        (void)is_missing;
        int k = model_predict(posterior, &row);
        if (k == -2) {
            puts("refused");
            continue;
        }
        printf("%s,", k < 0 ? "" : model_class[k]);
        for (int i = -1; i < K; i++) {
            double p = i < 0 ? posterior[k < 0 ? 0 : k] : posterior[i];
            if (isnan(p))
                printf(i < K - 1 ? "," : "");
            else
                printf("%.17g%s", p, i < K - 1 ? "," : "");
        }
        putchar('\n');
    }
    return 0;
}
