/* bench.h - the CPU time of a program, and how it ends at an error. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wsim/status.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Seconds of this process. */
static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The same in nanoseconds, for one instruction. */
static inline double nanoseconds(void) {
    return now() * 1e9;
}

/* Freed memory stays in the heap, as it does in the program and the runtime. */
static inline void keep_heap(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

static inline void stop(const struct wsim_diag *diag) {
    fprintf(stderr, "%u:%u: %s\n", (unsigned)diag->line, (unsigned)diag->col, diag->text);
    exit(2);
}

#endif
