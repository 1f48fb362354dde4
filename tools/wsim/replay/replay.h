/* replay.h - the parts of wsim replay: batches of cases, the report, smaller cases. */
#ifndef WSIM_REPLAY_H
#define WSIM_REPLAY_H

#include "../common/doc.h"
#include "../common/output.h"

/* --- batches (replay_batch.c) --- */

#define REPLAY_JOBS_MAX 256

/* The most memory of cases that wait, for any number of jobs. At this limit the reader waits. */
#define REPLAY_BATCH_BYTES (64u << 20)

struct replay_case {
    struct wsim_trace *trace; /* a reader that has read this case */
    unsigned long line;
    struct wsim_replay replay;
};

struct replay_run; /* threads that run a batch */

struct replay_batch {
    struct replay_case *cases;
    unsigned used;
    size_t memory;          /* of the cases read     */
    struct replay_run *run; /* NULL: not running */
};

/* Two batches of a file: one is read while the other runs. */
struct replay_batches {
    struct replay_batch batch[2];
    unsigned reading;    /* the batch that is read     */
    unsigned room, jobs; /* cases of a batch; threads  */
    int in_cases;        /* after the header           */
};

/* Empty batches of a file in folder `dir`, for `jobs` threads; `flags` as in wsim_prepare. 0: out
 * of memory. Close them either way, while no batch runs. */
int replay_batches_open(struct replay_batches *batches, const char *dir, unsigned jobs,
                        uint32_t flags);
void replay_batches_close(struct replay_batches *batches);

/* Reads the next line of the file, as wsim_trace_line. A case joins the batch that is read; call
 * only while that is not full. */
enum wsim_status replay_batches_line(struct replay_batches *batches, const char *text,
                                     size_t length, unsigned long line, struct wsim_diag *diag);

/* Whether the batches must take turns before the next line. */
int replay_batches_full(const struct replay_batches *batches);

/* Waits for the running batch and returns it; an empty batch if none runs. */
struct replay_batch *replay_batches_finish(struct replay_batches *batches);

/* Starts the batch that was read on `arch` (NULL: the target of the header), and empties the other
 * batch for the reader. Finish that before. */
void replay_batches_begin(struct replay_batches *batches, const struct wsim_arch *arch);

/* --- the report (replay_report.c) --- */

/* One row per spelling, in the order of the files. */
struct replay_row {
    char spelling[WSIM_SPELLING_MAX];
    unsigned long cases, verdict[3]; /* by enum wsim_verdict */
    uint64_t results;                /* of the supported cases */
};

/* A case that is reported in full. */
struct replay_note {
    const char *file;
    unsigned long line;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_replay replay;
    int is_digest;
    struct wsim_trace_digest digest;
    uint64_t results;
};

#define REPLAY_NOTES 10
#define REPLAY_ROWS 10000 /* further spellings become "..."; wsim has fewer than half as many */

struct replay_report {
    struct replay_row *rows;
    size_t nrows, room;
    struct replay_row total;
    struct replay_note different[REPLAY_NOTES];
    struct replay_note unsupported[REPLAY_NOTES]; /* the first of each spelling */
    unsigned ndifferent, nunsupported;
};

/* States the report: a row for each spelling, and the first cases that differ or are not supported.
 */
void replay_answer(struct doc *doc, const struct replay_report *report);

/* --- --minimize (minimize.c) --- */

struct minimize {
    const char *path;          /* of the smaller trace; NULL: standard output      */
    uint32_t first;            /* the most cases to write                          */
    FILE *out;                 /* NULL before the first case                       */
    struct output file;        /* at `path`                                        */
    unsigned long cases, more; /* made small; that differ beyond the limit         */
    int status;                /* TOOL_FINE, or TOOL_USAGE after a failed write    */
};

/* TOOL_GO if the options agree: --minimize, --first, the traces, --format. */
int minimize_check(struct minimize *minimize, int wanted, const char *first, const char **files,
                   enum tool_format format);

/* Makes the current case small, which differs on `arch`; `line` and `file` name it. Reports the
 * result on standard error. */
void minimize_case(struct minimize *minimize, const struct wsim_trace *trace,
                   const struct wsim_arch *arch, const char *file, unsigned long line,
                   const struct wsim_replay *replay);

/* Ends the trace. minimize->status. */
int minimize_end(struct minimize *minimize);

#endif
