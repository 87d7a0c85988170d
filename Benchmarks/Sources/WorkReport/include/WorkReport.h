// SPDX-License-Identifier: MIT
//
// What a piece of work took, and the line that every program here prints about it.

#pragma once

#include <stdbool.h>

typedef struct {
    bool ofChildren;
    double seconds, cpuSeconds;
} Stopwatch;

// Begins to count; the CPU time and memory of this process, or of its children that have ended.
Stopwatch startStopwatch(bool ofChildren);

// Prints what has passed since, in words that Scripts/benchmark reads, with `more` words behind them.
void reportWork(Stopwatch since, const char *program, const char *work, long inFlight, long count, long failures, const char *more);
