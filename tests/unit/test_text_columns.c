/* SPDX-License-Identifier: Apache-2.0 */
/* test_text_columns.c - many columns of text: memory does not grow with their number and the number of threads. */
#include "table_support.h"

enum { COLUMNS = 1000, ROWS = 60 };

/* "t0,t1,…,class" and rows of two words in each, others in each row; `list` names the columns. */
static char *table_of_texts(char *list) {
    char *csv = malloc((size_t)COLUMNS * (ROWS + 1) * 12 + 64), *end = csv;
    assert_non_null(csv);
    for (int j = 0; j < COLUMNS; j++)
        list += sprintf(list, j ? ",t%d" : "t%d", j);
    for (int j = 0; j < COLUMNS; j++)
        end += sprintf(end, "t%d,", j);
    end += sprintf(end, "class\n");
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            end += sprintf(end, "w%d x%d,", i, i);
        end += sprintf(end, "%c\n", "pq"[i % 2]);
    }
    return csv;
}

/* Of this program alone: what getrusage tells includes whatever began it. */
static long peak_kb(void) {
    char line[256];
    long kb = 0;
    FILE *status = fopen("/proc/self/status", "r");
    assert_non_null(status);
    while (kb == 0 && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %ld", &kb);
    fclose(status);
    assert_true(kb > 0);
    return kb;
}

/* Each thread remembers words of each column: together not more for a thousand columns than for one. */
static void columns_of_text__share_the_memory_of_one(void **state) {
    (void)state;
    static char list[COLUMNS * 6];
    char *csv = table_of_texts(list);
    setting s = usual();
    s.block_size = 65536;
    s.plan.text = list;
    s.threads = 4;
    ilk_tally tally = {0};
    ilk_model *m = learn_model(csv, &s, &tally);
    assert_int_equal(tally.rows, ROWS);
    assert_int_equal(ilk_schema_width(ilk_model_schema(m), ILK_TEXT), COLUMNS);
    ilk_model_free(m);
    free(csv);
    long peak = peak_kb();
    print_message("# peak %ld KB\n", peak);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (peak > 100000 && !getenv("LD_PRELOAD")) /* which valgrind sets: its own memory counts, too */
        fail_msg("%ld KB", peak);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_text__share_the_memory_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
