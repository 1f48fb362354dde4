/* hw.h - what the parts of wsim-hw share: what was asked for, what is run, what came out. */
#ifndef HW_HW_H
#define HW_HW_H

#include "command.h"
#include "hardware.h"
#include <wsim/wsim.h>

#include <stdio.h>

enum { HW_NOTES = 10, HW_SAMPLES = 64, HW_EXIT_SKIPPED = 77 };

/* What diff and record can be asked for. */
struct hw_options {
    int json;
    const char *ops, *out;
    const struct wsim_arch *arch;
    uint64_t cases, results, seed, first, stop_after;
    unsigned dist;
    struct hw_shard shard;
};

/* The rows of a table of options that choose operations and operands. */
#define HW_AT(field) offsetof(struct hw_options, field)
#define HW_CHOOSING                                                                                \
    {"--ops", "FILTER", "spellings that contain FILTER, or match it if it has * ? or [", HW_TEXT,  \
     HW_AT(ops)},                                                                                  \
        {"--seed", "S", "of the operands (1)", HW_SEED, HW_AT(seed)},                              \
        {"--dist", "D",                                                                            \
         "raw near-one finite cancelling subnormal wide specials overflow c-alone narrow\n"        \
         "one-hot position extremes, or all: case n has n modulo 13 (all)",                        \
         HW_DIST, HW_AT(dist)},                                                                    \
        {"--first", "N", "number of the first case (0)", HW_NUMBER, HW_AT(first)}, {               \
        "--shard", "I/N", "the Ith of N equal shares of the cases, counted from 0", HW_SHARD,      \
            HW_AT(shard)                                                                           \
    }

/* A kernel, the operation it holds, and the share of the cases that is to be run. */
struct hw_job {
    const struct hw_kernel *kernel;
    struct wsim_op op;
    struct wsim_plan plan;
    uint64_t first, cases;
};

/* Where everything runs, and what is to be run. */
struct hw_session {
    struct hw_options options;
    struct hw_device device;
    const struct wsim_arch *arch; /* of the model             */
    unsigned code;                /* place of the GPU's code  */
    struct hw_job *jobs;
    size_t njobs;
    uint32_t *out; /* results of one batch     */
};

/* A case in which hardware and model differ, and the first place. */
struct hw_note {
    const struct hw_kernel *kernel;
    uint64_t number;
    uint32_t word; /* of the result: register * 32 + lane */
    uint32_t elements;
    struct wsim_diag refusal; /* of the model; status WSIM_OK if it ran */
};

struct hw_row {
    const char *spelling;
    uint64_t cases, elements, differing_cases, differences;
    double seconds;
};

struct hw_report {
    struct hw_row *rows, total;
    size_t nrows;
    struct hw_note note[HW_NOTES];
    unsigned notes;
    unsigned threads;
};

/* session.c. Opens the GPU and lists the jobs that the options ask for. 0; 2 or 77 after a word on
 * stderr. Either way hw_session_close follows. */
int hw_session_open(struct hw_session *session);
void hw_session_close(struct hw_session *session);

/* Runs `cases` cases of a job from number `first` on, at most hw_batch of them, into session->out;
 * checks that both sides have made the same operands. 0, or 2 after a word on stderr. */
int hw_session_run(const struct hw_session *session, const struct hw_job *job, uint64_t first,
                   uint32_t cases);
uint32_t hw_batch(const struct wsim_plan *plan);

/* All jobs, batch after batch; `take` gets each one's results in session->out and answers 0,
 * HW_STOP to end here, or the exit status 2. */
enum { HW_STOP = -1 };
typedef int hw_take(void *context, const struct hw_job *job, uint64_t first, uint32_t cases);
int hw_session_work(const struct hw_session *session, hw_take *take, void *context);

/* compare.c. The model over `cases` cases of a job from number `first` on, on all cores, against
 * `out`; adds to the row and to the notes. 0, or 2 if threads cannot be made. */
int hw_compare(const struct hw_session *session, const struct hw_job *job, uint64_t first,
               uint32_t cases, const uint32_t *out, struct hw_row *row, struct hw_report *report);
unsigned hw_cores(void);

/* How many elements of two results differ. */
uint32_t hw_count_differences(const struct hw_job *job, const uint32_t *a, const uint32_t *b,
                              uint32_t *first_word);

/* trace.c. The header of a trace, and a case of it with what the hardware returned. */
void hw_trace_head(FILE *file, const struct hw_session *session);
void hw_trace_case(FILE *file, const struct hw_session *session, const struct hw_job *job,
                   uint64_t number, const uint32_t *out);

/* report.c. The table on stdout, as text or JSON; and a note in words: `hardware` is the result of
 * its case, `line` where that stands in the trace. */
void hw_report_text(const struct hw_session *session, const struct hw_report *report);
void hw_report_json(const struct hw_session *session, const struct hw_report *report);
void hw_report_note(FILE *file, const struct hw_session *session, const struct hw_job *job,
                    const struct hw_note *note, const uint32_t *hardware, unsigned line);

#endif
