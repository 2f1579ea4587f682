/* SPDX-License-Identifier: Apache-2.0 */
/* test_file.c - whole files in, whole files out: a file is replaced at once or stays as it was. */
#include "fixtures.h"

#include "core/buffer.h"
#include "core/file.h"
#include "core/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

static ilk_status write_text(const char *path, const char *text) {
    ilk_str pieces[] = {{text, strlen(text) / 2}, {"", 0}, {text + strlen(text) / 2, strlen(text) - strlen(text) / 2}};
    return ilk_file_write(path, pieces, 3, &failure);
}

static void assert_holds(const char *path, const char *text) {
    ilk_mapping m;
    assert_ok(ilk_file_map(&m, path, &failure));
    assert_int_equal(m.n, strlen(text));
    assert_memory_equal(m.p, text, m.n);
    ilk_file_unmap(&m);
}

static mode_t mode_of(const char *path) {
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode;
}

/* Files in the test's folder, so that what is left over is seen. */
static size_t files(void) {
    temp_path("");
    DIR *d = opendir(folder);
    assert_non_null(d);
    size_t n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void write__makes_a_new_file(void **state) {
    (void)state;
    size_t before = files();
    assert_ok(write_text(temp_path("new"), "hello"));
    assert_holds(temp_path("new"), "hello");
    assert_int_equal(files(), before + 1);
}

static void write__gives_a_new_file_the_mode_of_the_umask(void **state) {
    (void)state;
    mode_t before = umask(027);
    assert_ok(write_text(temp_path("masked"), "hello"));
    umask(before);
    assert_int_equal(mode_of(temp_path("masked")) & 0777, 0640);
}

/* Who has the old file open, or mapped, goes on seeing the old bytes. */
static void write__replaces_a_file_at_once(void **state) {
    (void)state;
    ilk_mapping old;
    size_t before = files();
    assert_ok(write_text(temp_path("again"), "old content, longer"));
    assert_ok(ilk_file_map(&old, temp_path("again"), &failure));
    assert_ok(write_text(temp_path("again"), "new"));
    assert_holds(temp_path("again"), "new");
    assert_memory_equal(old.p, "old content, longer", old.n);
    ilk_file_unmap(&old);
    assert_int_equal(files(), before + 1);
}

static void write__keeps_the_mode_of_a_file(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0664, 0666, 0755};
    mode_t before = umask(022);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_ok(write_text(temp_path("mode"), "old"));
        assert_int_equal(chmod(temp_path("mode"), modes[i]), 0);
        assert_ok(write_text(temp_path("mode"), "new"));
        assert_int_equal(mode_of(temp_path("mode")) & 0777, modes[i]);
    }
    umask(before);
}

static void write__through_a_link_replaces_the_file_and_not_the_link(void **state) {
    (void)state;
    char target[256];
    snprintf(target, sizeof target, "%s", temp_path("target"));
    assert_ok(write_text(target, "old"));
    assert_int_equal(symlink("target", temp_path("link")), 0);
    assert_ok(write_text(temp_path("link"), "new"));
    assert_true(S_ISLNK(mode_of(temp_path("link"))));
    assert_true(S_ISREG(mode_of(target)));
    assert_holds(target, "new");
}

static void write__goes_directly_into_a_device(void **state) {
    (void)state;
    assert_ok(write_text("/dev/null", "hello"));
    assert_true(S_ISCHR(mode_of("/dev/null")));
    assert_fails(ILK_EIO, "cannot write /dev/full: No space left on device", write_text("/dev/full", "hello"));
    assert_true(S_ISCHR(mode_of("/dev/full")));
}

static void write__goes_directly_into_a_pipe(void **state) {
    (void)state;
    char fifo[256], got[16] = "";
    snprintf(fifo, sizeof fifo, "%s", temp_path("fifo"));
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int fd = open(fifo, O_RDWR); /* so that opening it for writing does not wait */
    assert_true(fd >= 0);
    assert_ok(write_text(fifo, "hello"));
    assert_int_equal(read(fd, got, sizeof got), 5);
    assert_string_equal(got, "hello");
    close(fd);
    assert_true(S_ISFIFO(mode_of(fifo)));
}

static void write__says_why_it_cannot(void **state) {
    (void)state;
    char below[300];
    size_t before = files();
    assert_fails(ILK_EIO, "No such file or directory", write_text(temp_path("missing/file"), "hello"));
    assert_fails(ILK_EIO, "it is a folder", write_text(folder, "hello"));
    assert_ok(write_text(temp_path("plain"), "hello"));
    snprintf(below, sizeof below, "%s/file", temp_path("plain"));
    assert_fails(ILK_EIO, "Not a directory", write_text(below, "hello"));
    assert_fails(ILK_EIO, "", write_text("", "hello"));
    assert_int_equal(files(), before + 1);
}

/* In a child, because a limit and a user id are for good. Exit status 0 if what should hold did. */
static void in_child(int (*what)(void)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(what());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int write_as_nobody(void) {
    if (geteuid() == 0 && setuid(65534))
        return 2;
    return write_text(temp_path("closed/file"), "new") == ILK_EIO && strstr(failure.message, "Permission denied") ? 0
                                                                                                                  : 1;
}

static void write__leaves_a_folder_alone_that_it_may_not_write(void **state) {
    (void)state;
    assert_int_equal(mkdir(temp_path("closed"), 0755), 0);
    assert_ok(write_text(temp_path("closed/file"), "old"));
    assert_int_equal(chmod(temp_path("closed"), 0555), 0);
    assert_int_equal(chmod(folder, 0755), 0); /* nobody may come in */
    in_child(write_as_nobody);
    assert_int_equal(chmod(temp_path("closed"), 0755), 0);
    assert_holds(temp_path("closed/file"), "old");
}

static int write_beyond_limit(void) {
    static char big[100000];
    struct rlimit limit = {5000, 5000};
    memset(big, 'x', sizeof big - 1);
    if (setrlimit(RLIMIT_FSIZE, &limit) || sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL))
        return 2;
    return write_text(temp_path("limited"), big) == ILK_EIO && strstr(failure.message, "File too large") ? 0 : 1;
}

static void write__leaves_the_old_file_when_the_disk_is_full(void **state) {
    (void)state;
    assert_ok(write_text(temp_path("limited"), "old"));
    size_t before = files();
    in_child(write_beyond_limit);
    assert_holds(temp_path("limited"), "old");
    assert_int_equal(files(), before);
}

static void write__steps_over_what_a_dead_process_left(void **state) {
    (void)state;
    char left[300];
    snprintf(left, sizeof left, "%s.%ld-0.tmp", temp_path("over"), (long)getpid());
    assert_ok(write_text(left, "half of"));
    assert_ok(write_text(temp_path("over"), "new"));
    assert_holds(temp_path("over"), "new");
    assert_holds(left, "half of");
}

/* ---- reading */

static void map__reads_pipes_empty_files_and_says_what_it_cannot(void **state) {
    (void)state;
    ilk_mapping m;
    assert_ok(write_text(temp_path("empty"), ""));
    assert_ok(ilk_file_map(&m, temp_path("empty"), &failure));
    assert_int_equal(m.n, 0);
    ilk_file_unmap(&m);
    assert_ok(ilk_file_map(&m, "/proc/self/status", &failure)); /* size 0, yet full of bytes */
    assert_true(m.n > 0 && !m.mapped);
    ilk_file_unmap(&m);
    assert_fails(ILK_EIO, "No such file or directory", ilk_file_map(&m, temp_path("absent"), &failure));
    assert_null(m.p);
    assert_fails(ILK_EIO, "it is a folder", ilk_file_map(&m, folder, &failure));
    assert_null(m.p);
}

static void read__goes_on_until_it_has_all(void **state) {
    (void)state;
    int end[2];
    char got[64];
    size_t n;
    assert_int_equal(pipe2(end, O_DIRECT), 0); /* a read gives what one write gave, and no more */
    for (int i = 0; i < 5; i++)
        assert_int_equal(write(end[1], &"0123456789"[i], (size_t)(10 - i)), 10 - i);
    close(end[1]);
    memset(got, 'x', sizeof got);
    assert_ok(ilk_file_read(end[0], got, 27, &n, "pipe", &failure));
    assert_int_equal(n, 27);
    assert_memory_equal(got, "012345678912345678923456789x", 28);
    assert_ok(ilk_file_read(end[0], got, 32, &n, "pipe", &failure));
    assert_int_equal(n, 13);
    assert_memory_equal(got, "3456789456789", 13);
    close(end[0]);
    assert_fails(ILK_EIO, "cannot read pipe", ilk_file_read(end[0], got, 32, &n, "pipe", &failure));
}

/* ---- locks */

/* A second lock waits for the first, and then holds the file that stands there now. */
static void lock__waits_and_then_holds_the_new_file(void **state) {
    (void)state;
    const char *path = strdup(temp_path("locked"));
    int fd, done[2];
    assert_ok(write_text(path, "old"));
    assert_ok(ilk_file_lock(&fd, path, &failure));
    assert_int_equal(pipe(done), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int mine;
        close(fd); /* the lock is shared with whoever inherited it */
        bool good = ilk_file_lock(&mine, path, NULL) == ILK_OK && ilk_file_is(path, mine);
        char text[4] = "";
        good = good && read(mine, text, 3) == 3 && strcmp(text, "new") == 0;
        _exit(write(done[1], good ? "y" : "n", 1) != 1);
    }
    usleep(20000); /* time for the child to come and wait; if it is late, it has less to wait for */
    assert_ok(write_text(path, "new"));
    assert_false(ilk_file_is(path, fd));
    close(fd);
    char answer = 0;
    assert_int_equal(read(done[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(done[0]);
    close(done[1]);
    free((void *)(uintptr_t)path);
}

static void lock__says_what_it_cannot(void **state) {
    (void)state;
    int fd;
    assert_fails(ILK_EIO, "cannot open", ilk_file_lock(&fd, temp_path("not-there"), &failure));
    assert_int_equal(fd, -1);
    assert_fails(ILK_EIO, "not a regular file", ilk_file_lock(&fd, "/dev/null", &failure));
    assert_fails(ILK_EIO, "not a regular file", ilk_file_lock(&fd, "/", &failure));
    ilk_lock *lock;
    assert_ok(write_text(temp_path("locked"), "x"));
    assert_ok(ilk_model_lock(&lock, temp_path("locked"), &failure));
    assert_ok(ilk_lock_check(lock, &failure));
    unlink(temp_path("locked"));
    assert_fails(ILK_EIO, "was replaced or removed", ilk_lock_check(lock, &failure));
    ilk_lock_free(lock);
    ilk_lock_free(NULL);
}

/* ---- memory */

static void memory__refuses_products_that_overflow(void **state) {
    (void)state;
    volatile size_t huge = SIZE_MAX / 2 + 2; /* volatile, so that the compiler does not judge it first */
    assert_null(ilk_alloc(huge, 2));
    assert_null(ilk_zalloc(huge, 2));
    assert_null(ilk_realloc(NULL, huge, 2));
    assert_null(ilk_alloc_aligned(huge, 2));
    assert_null(ilk_alloc_aligned(SIZE_MAX - huge, 1));
    void *nothing = ilk_alloc(0, 8);
    assert_non_null(nothing);
    ilk_free(nothing);
    double *aligned = ilk_alloc_aligned(3, sizeof *aligned);
    assert_int_equal((uintptr_t)aligned % 64, 0);
    ilk_free(aligned);
}

static void buffer__refuses_lengths_that_overflow(void **state) {
    (void)state;
    ilk_buffer b = {0};
    assert_int_equal(ilk_buffer_add(&b, "abc", 3), ILK_OK);
    assert_int_equal(ilk_buffer_reserve(&b, SIZE_MAX - 1), ILK_ENOMEM);
    assert_int_equal(ilk_buffer_add(&b, NULL, 0), ILK_OK);
    assert_int_equal(b.n, 3);
    assert_memory_equal(b.p, "abc", 3);
    ilk_buffer_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write__makes_a_new_file),
        cmocka_unit_test(write__gives_a_new_file_the_mode_of_the_umask),
        cmocka_unit_test(write__replaces_a_file_at_once),
        cmocka_unit_test(write__keeps_the_mode_of_a_file),
        cmocka_unit_test(write__through_a_link_replaces_the_file_and_not_the_link),
        cmocka_unit_test(write__goes_directly_into_a_device),
        cmocka_unit_test(write__goes_directly_into_a_pipe),
        cmocka_unit_test(write__says_why_it_cannot),
        cmocka_unit_test(write__leaves_a_folder_alone_that_it_may_not_write),
        cmocka_unit_test(write__leaves_the_old_file_when_the_disk_is_full),
        cmocka_unit_test(write__steps_over_what_a_dead_process_left),
        cmocka_unit_test(map__reads_pipes_empty_files_and_says_what_it_cannot),
        cmocka_unit_test(read__goes_on_until_it_has_all),
        cmocka_unit_test(lock__waits_and_then_holds_the_new_file),
        cmocka_unit_test(lock__says_what_it_cannot),
        cmocka_unit_test(memory__refuses_products_that_overflow),
        cmocka_unit_test(buffer__refuses_lengths_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
