/* replay_batch.h - cases of one file: read one after another, run at the same time on all
 * processors, looked at in the order of the file.
 */
#ifndef WSIM_REPLAY_BATCH_H
#define WSIM_REPLAY_BATCH_H

#include "../common/tool.h"

#define REPLAY_JOBS_MAX 256

/* Memory of the cases of a batch, however many jobs there are: when it is reached no further case
 * is read before these have been run. */
#define REPLAY_BATCH_BYTES (64u << 20)

struct replay_case {
    struct wsim_trace *trace; /* a reader that has read this case */
    unsigned long line;
    struct wsim_replay replay;
};

struct replay_batch {
    struct replay_case *cases;
    unsigned used, room, jobs; /* room: cases that are run together */
    size_t memory;             /* of those that have been read      */
    int in_cases;              /* the header is over                */
};

/* An empty batch of a file in folder `dir`, run by `jobs` threads. 0 when out of memory; to be
 * closed either way. */
int replay_batch_open(struct replay_batch *batch, const char *dir, unsigned jobs);
void replay_batch_close(struct replay_batch *batch);

/* Reads the next line of the file, as wsim_trace_line; a case takes its place in the batch, which
 * may not be full. */
enum wsim_status replay_batch_line(struct replay_batch *batch, const char *text, size_t length,
                                   unsigned long line, struct wsim_diag *diag);

/* Whether the batch has to be run before another line is read. */
int replay_batch_full(const struct replay_batch *batch);

/* Lets go of the cases of a batch that was run. */
void replay_batch_clear(struct replay_batch *batch);

/* Runs the cases of the batch on `arch` (NULL: as their header says). */
void replay_batch_run(struct replay_batch *batch, const struct wsim_arch *arch);

#endif
