/* replay_batch.h - cases of one file: read one after another, run at the same time on all
 * processors, looked at in the order of the file. While a batch is run the next one is read.
 */
#ifndef WSIM_REPLAY_BATCH_H
#define WSIM_REPLAY_BATCH_H

#include "../common/tool.h"

#define REPLAY_JOBS_MAX 256

/* Memory of the cases that are held, however many jobs there are: when it is reached no further
 * case is read before some have been run. */
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
    size_t memory;          /* of those that have been read */
    struct replay_run *run; /* NULL: it is not run          */
};

/* The two batches of a file, which take turns. */
struct replay_batches {
    struct replay_batch batch[2];
    unsigned reading;    /* the one that is read, as the other is run */
    unsigned room, jobs; /* cases of a batch; threads                 */
    int in_cases;        /* the header is over                        */
};

/* Empty batches of a file in folder `dir`, run by `jobs` threads, with code prepared with `flags`
 * (wsim_prepare). 0 when out of memory; to be closed either way, when none is run. */
int replay_batches_open(struct replay_batches *batches, const char *dir, unsigned jobs,
                        uint32_t flags);
void replay_batches_close(struct replay_batches *batches);

/* Reads the next line of the file, as wsim_trace_line; a case takes its place in the batch that is
 * read, which may not be full. */
enum wsim_status replay_batches_line(struct replay_batches *batches, const char *text,
                                     size_t length, unsigned long line, struct wsim_diag *diag);

/* Whether the batches have to take turns before another line is read. */
int replay_batches_full(const struct replay_batches *batches);

/* The batch that was begun last, all of it run; it has no cases if none was. */
struct replay_batch *replay_batches_finish(struct replay_batches *batches);

/* Begins to run the cases that were read on `arch` (NULL: as their header says), and to read others
 * into the other batch, which has been finished and is emptied. */
void replay_batches_begin(struct replay_batches *batches, const struct wsim_arch *arch);

#endif
