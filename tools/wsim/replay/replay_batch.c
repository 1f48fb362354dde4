/* replay_batch.c - a reader for each case, so that no two threads share anything but the number of
 * the next case. */
#include "replay_batch.h"
#include "../common/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* So many cases for each thread that one of them seldom waits for the others at the end. */
enum { EACH = 8 };

int replay_batch_open(struct replay_batch *batch, const char *dir, unsigned jobs) {
    unsigned room = jobs > 1 ? EACH * jobs : 1;
    *batch = (struct replay_batch){.jobs = jobs};
    batch->cases = memory_make(room, sizeof *batch->cases);
    for (; batch->room < room; batch->room++)
        if (!(batch->cases[batch->room].trace = wsim_trace_new(dir)))
            return 0;
    return 1;
}

void replay_batch_close(struct replay_batch *batch) {
    while (batch->room > 0)
        wsim_trace_free(batch->cases[--batch->room].trace);
    free(batch->cases);
}

/* What stands before the first case is for every reader. */
enum wsim_status replay_batch_line(struct replay_batch *batch, const char *text, size_t length,
                                   unsigned long line, struct wsim_diag *diag) {
    struct replay_case *next = &batch->cases[batch->used];
    int is_case, ignored;
    enum wsim_status status = wsim_trace_line(next->trace, text, length, &is_case, diag);
    if (status)
        return status;
    if (is_case) {
        next->line = line;
        batch->used++;
        batch->memory += wsim_trace_memory(next->trace);
        batch->in_cases = 1;
    } else if (!batch->in_cases) {
        for (unsigned i = 1; i < batch->room; i++)
            wsim_trace_line(batch->cases[i].trace, text, length, &ignored, NULL);
    }
    return WSIM_OK;
}

int replay_batch_full(const struct replay_batch *batch) {
    return batch->used == batch->room || batch->memory >= REPLAY_BATCH_BYTES;
}

void replay_batch_clear(struct replay_batch *batch) {
    while (batch->used > 0)
        wsim_trace_drop(batch->cases[--batch->used].trace);
    batch->memory = 0;
}

struct work {
    struct replay_batch *batch;
    const struct wsim_arch *arch;
    atomic_uint next;
};

static void *run_cases(void *argument) {
    struct work *work = argument;
    unsigned i;
    while ((i = atomic_fetch_add(&work->next, 1)) < work->batch->used) {
        struct replay_case *one = &work->batch->cases[i];
        wsim_trace_replay(one->trace, work->arch, &one->replay);
    }
    return NULL;
}

/* This thread works too, so that the cases are run even if there can be no other. */
void replay_batch_run(struct replay_batch *batch, const struct wsim_arch *arch) {
    struct work work = {batch, arch, 0};
    pthread_t threads[REPLAY_JOBS_MAX];
    unsigned i, n = 0;
    for (i = 1; i < batch->jobs && i < batch->used; i++)
        if (pthread_create(&threads[n], NULL, run_cases, &work) == 0)
            n++;
    run_cases(&work);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}
