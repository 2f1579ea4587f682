/* SPDX-License-Identifier: Apache-2.0
 *
 * peak.c - peak COMMAND...: run it, then print the most memory that it held, in MiB, as the last line. Exits as it did.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int status;
    struct rusage usage;
    if (argc < 2)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &usage))
        return 2;
    printf("%ld\n", (usage.ru_maxrss + 1023) / 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
