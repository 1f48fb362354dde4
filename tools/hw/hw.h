/* hw.h - shared by the parts of wsim-hw: the request, the jobs, the results. */
#ifndef HW_HW_H
#define HW_HW_H

#include "command.h"
#include "hardware.h"
#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

#include <stdio.h>

enum {
    HW_NOTES = 10,
    HW_SAMPLES = 64,
    HW_BATCH_BYTES = 256 << 20,
    HW_EXIT_NOT_RUN = 3,
    HW_EXIT_SKIPPED = 77
};

/* Options of the commands that run cases. */
struct hw_options {
    int json, targets, mixed;
    const char *ops, *out, *from, *state;
    const struct wsim_arch *arch;
    uint64_t cases, results, digest, seed, first, stop_after;
    unsigned dist;
    struct hw_shard shard;
};

/* Rows of the tables of options. */
#define HW_AT(field) offsetof(struct hw_options, field)
#define HW_OPTION_OPS                                                                              \
    {                                                                                              \
        "--ops", "FILTER", "spellings that contain FILTER, or match it if it has * ? or [",        \
            HW_TEXT, HW_AT(ops)                                                                    \
    }
#define HW_OPTIONS_OPERANDS                                                                        \
    {"--seed", "S", "of the operands (1)", HW_SEED, HW_AT(seed)},                                  \
        {"--dist", "D",                                                                            \
         "raw near-one finite cancelling subnormal wide specials overflow c-alone narrow\n"        \
         "one-hot position extremes, or all: case n has n modulo 13 (all)",                        \
         HW_DIST, HW_AT(dist)},                                                                    \
        {"--first", "N", "number of the first case (0)", HW_SEED, HW_AT(first)},                   \
        {"--shard", "I/N", "the Ith of N equal shares of the cases, counted from 0", HW_SHARD,     \
         HW_AT(shard)},                                                                            \
    {                                                                                              \
        "--state", "FILE", "kept while it runs: the same command goes on from there", HW_TEXT,     \
            HW_AT(state)                                                                           \
    }

/* A kernel, the operation it holds, and the share of the cases that is to be run. */
struct hw_job {
    const struct hw_kernel *kernel;
    struct wsim_op op;
    const struct wsim_arch *arch; /* of the model: who holds what */
    struct wsim_plan plan;
    unsigned dist;
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
    uint32_t *out; /* of hw_session_run: results of one batch */
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
    struct hw_row *rows, total; /* as many rows as jobs at most */
    size_t nrows;
    struct hw_note note[HW_NOTES];
    unsigned notes;
    unsigned threads;
};

/* How far a run has come; what --state keeps. */
struct hw_state {
    size_t job;              /* the jobs before it are done                     */
    uint64_t done;           /* cases of that job                               */
    uint64_t digest;         /* record: of these cases                          */
    uint64_t cases, written; /* record: cases, and bytes of the file they are in */
    struct hw_report report; /* diff                                            */
};

/* session.c. Opens the GPU. 0; 2 or 77 after a word on stderr. Either way hw_session_close follows.
 * hw_session_jobs lists the jobs that the options ask for: 0 or 2. */
int hw_session_open(struct hw_session *session);
int hw_session_jobs(struct hw_session *session);
void hw_session_close(struct hw_session *session);

/* Whether this program has code for the GPU in a kernel. */
int hw_has_code(const struct hw_session *session, const struct hw_kernel *kernel);

/* Place in the table of architectures of a compute capability (90: 9.0), with the suffix a if there
 * is such a target. -1: none. */
int hw_find_target(unsigned capability);

/* run.c. Runs `cases` cases (at most hw_batch) of a job from number `first` on, into
 * session->out. Checks that both sides have equal operands. Returns 0, or 2 after a message on
 * stderr.
 */
int hw_session_run(const struct hw_session *session, const struct hw_job *job, uint64_t first,
                   uint32_t cases);
uint32_t hw_batch(const struct wsim_plan *plan);

/* Runs all jobs from `state` on, batch after batch, with progress on a terminal. `take` gets the
 * results of each batch in `out` while the hardware runs the next one. It returns 0, HW_STOP to end
 * here, or the exit status 2. The state is saved after each batch. */
enum { HW_STOP = -1 };
typedef int hw_take(void *context, const struct hw_job *job, uint64_t first, uint32_t cases,
                    const uint32_t *out);
int hw_session_work(const struct hw_session *session, const char *command, struct hw_state *state,
                    hw_take *take, void *context);

/* One case of given operands, a block as of wsim_case_fill: on the hardware into `out`. 0, or 2
 * after a word on stderr. */
int hw_session_run_block(const struct hw_job *job, const uint32_t *in, uint32_t *out);

/* state.c. Reads the file of --state, if it exists, and checks that it belongs to this run; saves
 * it. Return 0, or 2 after a message on stderr; without --state they do nothing. */
int hw_state_load(const struct hw_session *session, const char *command, struct hw_state *state);
int hw_state_save(const struct hw_session *session, const char *command,
                  const struct hw_state *state);

/* progress.c. A line on stderr now and then, if that is a terminal. */
struct hw_progress {
    int on;
    double start, shown;
    uint64_t before, done, total; /* result elements; before: those of an earlier run */
};
double hw_now(void);
void hw_progress_begin(struct hw_progress *progress, uint64_t before, uint64_t total);
void hw_progress_add(struct hw_progress *progress, uint64_t elements, uint64_t differing_cases);
void hw_progress_end(const struct hw_progress *progress);

/* compare.c. The model over `cases` cases of a job from number `first` on, on all cores, against
 * `out`; adds to the row and to the notes. 0, or 2 after a word on stderr: no threads, no memory.
 */
int hw_compare(const struct hw_session *session, const struct hw_job *job, uint64_t first,
               uint32_t cases, const uint32_t *out, struct hw_row *row, struct hw_report *report);
unsigned hw_cores(void);

/* How many elements of two results differ. */
uint32_t hw_count_differences(const struct hw_job *job, const uint32_t *a, const uint32_t *b,
                              uint32_t *first_word);

/* trace.c. The header of a trace, and its lines: a case with the results of the hardware, and a
 * digest of a job's cases. */
void hw_trace_head(FILE *file, const struct hw_session *session);
void hw_trace_case(FILE *file, const struct hw_job *job, const uint32_t *in, const uint32_t *out);
void hw_trace_digest(FILE *file, const struct hw_job *job, uint64_t seed, uint64_t digest);
void hw_trace_number(FILE *file, const struct hw_job *job, uint64_t seed, uint64_t number,
                     const uint32_t *out);

/* report.c. The first difference between hardware and another result (`name`: "model", "recorded")
 * of a case, with the operands of that element. */
void hw_report_place(FILE *file, const struct hw_job *job, const uint32_t *in,
                     const uint32_t *hardware, const uint32_t *other, const char *name);

/* The table on stdout, as text or JSON; and a note in words. `hardware` is the result of
 * its case, `line` its line in the trace. */
void hw_report_text(const struct hw_session *session, const struct hw_report *report);
void hw_report_json(const struct hw_session *session, const struct hw_report *report);
void hw_report_note(FILE *file, const struct hw_session *session, const struct hw_job *job,
                    const struct hw_note *note, const uint32_t *hardware, unsigned line);

#endif
