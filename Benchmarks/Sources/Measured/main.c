// SPDX-License-Identifier: MIT
//
// Runs a program and prints, as one line of name=value words, how long it took, its CPU time and the most memory it held:
//
//     Measured NAME WORK COMMAND...

#include "WorkReport.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("Measured: needs a name, the work's name and a command\n", stderr);
        return 2;
    }
    Stopwatch stopwatch = startStopwatch(true);
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); // standard output is for the line below
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("Measured");
        return 1;
    }
    int failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    reportWork(stopwatch, argv[1], argv[2], 1, 1, failed, "");
    return failed;
}
