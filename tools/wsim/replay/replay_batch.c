/* Batches of cases; see replay.h. Each case has its own reader: threads share only the number of
 * the next case. */
#include "replay.h"
#include "../common/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Cases for each thread, enough that threads seldom wait for the last; and the fewest of a batch,
 * enough to start threads. */
enum { EACH = 8, LEAST = 64 };

struct replay_run {
    struct replay_batch *batch;
    const struct wsim_arch *arch;
    atomic_uint next;
    unsigned threads;
    pthread_t thread[REPLAY_JOBS_MAX];
};

static int open_batch(struct replay_batch *batch, const char *dir, unsigned room, uint32_t flags) {
    batch->cases = memory_make(room, sizeof *batch->cases);
    for (unsigned i = 0; i < room; i++) {
        struct wsim_trace *trace = wsim_trace_new(dir);
        if (!trace)
            return 0;
        wsim_trace_prepare(trace, flags);
        batch->cases[i].trace = trace;
    }
    return 1;
}

int replay_batches_open(struct replay_batches *batches, const char *dir, unsigned jobs,
                        uint32_t flags) {
    unsigned room = EACH * jobs > LEAST ? EACH * jobs : LEAST;
    *batches = (struct replay_batches){.room = jobs > 1 ? room : 1, .jobs = jobs};
    return open_batch(&batches->batch[0], dir, batches->room, flags) &&
           open_batch(&batches->batch[1], dir, batches->room, flags);
}

void replay_batches_close(struct replay_batches *batches) {
    for (unsigned n = 0; n < 2; n++) {
        struct replay_batch *batch = &batches->batch[n];
        for (unsigned i = 0; batch->cases && i < batches->room; i++)
            wsim_trace_free(batch->cases[i].trace);
        free(batch->cases);
    }
}

/* Passes a line of the header to the other readers. */
static void share_header(struct replay_batches *batches, const struct wsim_trace *but,
                         const char *text, size_t length) {
    int ignored;
    for (unsigned n = 0; n < 2; n++)
        for (unsigned i = 0; i < batches->room; i++)
            if (batches->batch[n].cases[i].trace != but)
                wsim_trace_line(batches->batch[n].cases[i].trace, text, length, &ignored, NULL);
}

enum wsim_status replay_batches_line(struct replay_batches *batches, const char *text,
                                     size_t length, unsigned long line, struct wsim_diag *diag) {
    struct replay_batch *batch = &batches->batch[batches->reading];
    struct replay_case *next = &batch->cases[batch->used];
    int is_case;
    enum wsim_status status = wsim_trace_line(next->trace, text, length, &is_case, diag);
    if (status)
        return status;
    if (is_case) {
        next->line = line;
        batch->used++;
        batch->memory += wsim_trace_memory(next->trace);
        batches->in_cases = 1;
    } else if (!batches->in_cases) {
        share_header(batches, next->trace, text, length);
    }
    return WSIM_OK;
}

int replay_batches_full(const struct replay_batches *batches) {
    const struct replay_batch *batch = batches->batch;
    return batch[batches->reading].used == batches->room ||
           batch[0].memory + batch[1].memory >= REPLAY_BATCH_BYTES;
}

static void *run_cases(void *argument) {
    struct replay_run *run = argument;
    unsigned i;
    while ((i = atomic_fetch_add(&run->next, 1)) < run->batch->used) {
        struct replay_case *one = &run->batch->cases[i];
        wsim_trace_replay(one->trace, run->arch, &one->replay);
    }
    return NULL;
}

/* This thread works too, so that the cases run even without another thread. */
struct replay_batch *replay_batches_finish(struct replay_batches *batches) {
    struct replay_batch *batch = &batches->batch[!batches->reading];
    if (batch->run) {
        run_cases(batch->run);
        while (batch->run->threads > 0)
            pthread_join(batch->run->thread[--batch->run->threads], NULL);
        free(batch->run);
        batch->run = NULL;
    }
    return batch;
}

static void empty(struct replay_batch *batch) {
    while (batch->used > 0)
        wsim_trace_drop(batch->cases[--batch->used].trace);
    batch->memory = 0;
}

void replay_batches_begin(struct replay_batches *batches, const struct wsim_arch *arch) {
    struct replay_batch *batch = &batches->batch[batches->reading];
    struct replay_run *run = memory_make(1, sizeof *run);
    batch->run = run;
    run->batch = batch;
    run->arch = arch;
    atomic_init(&run->next, 0);
    for (unsigned i = 1; i < batches->jobs && i < batch->used; i++)
        if (pthread_create(&run->thread[run->threads], NULL, run_cases, run) == 0)
            run->threads++;
    batches->reading = !batches->reading;
    empty(&batches->batch[batches->reading]);
}
