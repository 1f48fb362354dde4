/* progress.c - the progress of a long run on a terminal. */
#include "hw.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

double hw_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void hw_progress_begin(struct hw_progress *progress, uint64_t before, uint64_t total) {
    struct hw_progress begun = {isatty(STDERR_FILENO), hw_now(), 0, before, before, total};
    *progress = begun;
}

void hw_progress_add(struct hw_progress *progress, uint64_t elements, uint64_t differing_cases) {
    double now, rate, left;
    progress->done += elements;
    if (!progress->on)
        return;
    now = hw_now();
    if (now - progress->shown < 0.2)
        return;
    progress->shown = now;
    rate = (double)(progress->done - progress->before) / (now - progress->start);
    left = rate > 0 ? (double)(progress->total - progress->done) / rate : 0;
    fprintf(stderr,
            "\r%3.0f%%  %" PRIu64 " of %" PRIu64 " results, %.1f million/s, %.0f s left, %" PRIu64
            " cases differ \033[K",
            100 * (double)progress->done / (double)progress->total, progress->done, progress->total,
            rate / 1e6, left, differing_cases);
}

void hw_progress_end(const struct hw_progress *progress) {
    if (progress->on && progress->shown > 0)
        fprintf(stderr, "\r\033[K");
}
