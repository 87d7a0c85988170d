// SPDX-License-Identifier: MIT
//
// Runs a program and prints, as one line of name=value words, how long it took, its CPU time and the most memory it held:
//
//     Measured NAME WORK COMMAND...

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("Measured: needs a name, the work's name and a command\n", stderr);
        return 2;
    }
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); // standard output is for the line below
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("Measured");
        return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    int failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("program=%s work=%s in_flight=1 count=1 failures=%d seconds=%.6f cpu_seconds=%.6f peak_kib=%ld\n", argv[1], argv[2], failed, seconds,
           cpu, usage.ru_maxrss);
    return failed;
}
