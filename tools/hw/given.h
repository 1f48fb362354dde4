/* given.h - the cases of a trace, and the results of this GPU. */
#ifndef HW_GIVEN_H
#define HW_GIVEN_H

#include "hw.h"

struct hw_given {
    const char *file, *spelling;
    unsigned long line;
    const char *recorded_on, *recorded_arch; /* of the header */
    char why[256]; /* not empty: it was not run, and the rest means nothing */
    struct hw_job job;
    int is_digest; /* of the job's cases; else one block                              */
    int is_hash;   /* of the result only a hash was recorded                          */
    uint64_t seed, recorded_digest, digest; /* recorded, and here; or the hashes       */
    uint32_t in[WSIM_LANES * WSIM_CASE_ROWS];
    uint32_t recorded[WSIM_LANES * WSIM_CASE_ROWS], out[WSIM_LANES * WSIM_CASE_ROWS];
};

/* Runs the cases of a trace ("-": standard input) that --ops names on the GPU, and calls `take` for
 * each, run or not. 0; 2 after a word on stderr; what `take` answers if that is not 0. */
typedef int hw_take_given(void *context, const struct hw_given *given);
int hw_given_each(const struct hw_session *session, const char *path, hw_take_given *take,
                  void *context);

/* Checks that the file exists ('-': standard input) and differs from the output file
 * (NULL: none). Returns 0, or 2 after a message on stderr. Needs no GPU. */
int hw_given_check(const char *path, const char *out);

/* A command that reads traces: its options, the files, which are looked at first, and the GPU. The
 * exit status, of `run` if it came to that. */
int hw_given_files(const struct hw_command *command, int argc, char **argv,
                   int (*run)(const struct hw_session *session, int files, char **paths));

/* The case with what the GPU returned, as a line of a trace. */
void hw_given_write(FILE *file, const struct hw_given *given);

#endif
