/* launch.h - launch files on the GPU, read by libwsim-harness. */
#ifndef HW_LAUNCH_H
#define HW_LAUNCH_H

#include "hardware_launch.h"

#include <wsim/harness/launch.h>

enum { LAUNCH_ROUNDS = 16, LAUNCH_COUNTED = 256 };

/* A launch file, and the results of its last round. */
struct launch_run {
    struct wsim_launch_file *file;
    const struct wsim_launch_parts *launch;
    const char *path;
    uint64_t *memory, *address; /* of each buffer: the allocation, and its first byte */
    uint8_t **before, **after;  /* its bytes, of the last round                            */
    uint8_t **symbols;          /* bytes of symbols that are expected, in the order of expects */
    uint64_t *symbol_bytes;
    char *output; /* what the kernels printed */
    size_t output_size;
    unsigned problems; /* problems that were printed */
    uint64_t counted[LAUNCH_COUNTED][WSIM_LAUNCH_COUNTERS];
    size_t ncounted; /* launches with counters */
};

/* launch_round.c. Runs the file `rounds` times, each with new memory and other bytes in
 * uninitialised memory. Prints where a round differs from the one before, and writes outside of
 * buffers. 0, or 2 after a message. */
int launch_rounds(struct launch_run *run, unsigned rounds);
void launch_release(struct launch_run *run);

/* launch_count.c. Counts with Nsight Compute. 0, or 2 after a message. */
int launch_count(struct launch_run *run, const char *ncu);

/* launch_record.c. Writes the results into the launch file and files beside it. 0, or 2 after a
 * message. */
int launch_record(struct launch_run *run);

#endif
