// SPDX-License-Identifier: MIT

#include "WorkReport.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static struct rusage usage(bool ofChildren) {
    struct rusage usage;
    getrusage(ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage);
    return usage;
}

Stopwatch startStopwatch(bool ofChildren) {
    struct rusage used = usage(ofChildren);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (Stopwatch){
        .ofChildren = ofChildren,
        .seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9,
        .cpuSeconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6,
    };
}

void reportWork(Stopwatch since, const char *program, const char *work, long inFlight, long count, long failures, const char *more) {
    Stopwatch now = startStopwatch(since.ofChildren);
    long peak = usage(since.ofChildren).ru_maxrss;
#ifdef __APPLE__
    peak /= 1024;
#endif
    printf("program=%s work=%s in_flight=%ld count=%ld failures=%ld seconds=%.6f cpu_seconds=%.6f peak_kib=%ld %s\n", program, work, inFlight, count,
           failures, now.seconds - since.seconds, now.cpuSeconds - since.cpuSeconds, peak, more);
}
