/* run.c - batches of cases on the hardware, one after the other, and single cases. */
#include "hw.h"

#include <string.h>

enum { MOST_CASES = 1 << 16 };

uint32_t hw_batch(const struct wsim_plan *plan) {
    uint32_t rows = plan->in_rows > plan->out_rows ? plan->in_rows : plan->out_rows;
    uint32_t cases = HW_BATCH_BYTES / (rows * 128);
    return cases < MOST_CASES ? cases : MOST_CASES;
}

/* The same stream here and there: the first cases of each batch, word by word. */
static int same_stream(const struct hw_job *job, uint64_t seed, uint64_t first, uint32_t cases,
                       const uint32_t *in) {
    static uint32_t mine[WSIM_LANES * WSIM_CASE_ROWS];
    uint32_t words = job->plan.in_rows * WSIM_LANES;
    for (uint32_t i = 0; i < cases; i++) {
        struct wsim_case c = wsim_case_at(&job->plan, seed, first + i, job->dist);
        wsim_case_fill(&job->plan, &c, mine);
        if (memcmp(mine, in + (size_t)i * words, words * sizeof *mine) != 0)
            return 0;
    }
    return 1;
}

/* How many cases of a batch are looked at: of large ones one of each distribution. */
static uint32_t samples_of(const struct wsim_plan *plan, uint32_t cases) {
    uint32_t most = plan->threads > WSIM_LANES ? WSIM_DISTS : HW_SAMPLES;
    return cases < most ? cases : most;
}

int hw_session_run(const struct hw_session *session, const struct hw_job *job, uint64_t first,
                   uint32_t cases) {
    static uint32_t in[WSIM_DISTS * WSIM_LANES * WSIM_CASE_ROWS]; /* or 64 of a warp */
    uint32_t sampled = samples_of(&job->plan, cases);
    uint64_t seed = session->options.seed;
    const char *why =
        hw_run(job->kernel, &job->plan, seed, job->dist, first, cases, session->out, in, sampled);
    if (!why && !same_stream(job, seed, first, sampled, in))
        why = "the operands made on the GPU differ from those made here";
    return why ? hw_fail(job->kernel->spelling, why) : 0;
}

int hw_session_run_block(const struct hw_job *job, const uint32_t *in, uint32_t *out) {
    const char *why = hw_run_blocks(job->kernel, &job->plan, in, 1, out);
    return why ? hw_fail(job->kernel->spelling, why) : 0;
}

/* Result elements of all jobs, and those that are done. */
static void begin(const struct hw_session *session, const struct hw_state *state,
                  struct hw_progress *progress) {
    uint64_t before = 0, total = 0;
    for (size_t i = 0; i < session->njobs; i++) {
        const struct hw_job *job = &session->jobs[i];
        uint64_t done = i < state->job ? job->cases : i == state->job ? state->done : 0;
        before += done * job->plan.elements;
        total += job->cases * job->plan.elements;
    }
    hw_progress_begin(progress, before, total);
}

/* One batch of the job that the state stands at. */
static int advance(const struct hw_session *session, struct hw_state *state, hw_take *take,
                   void *context, uint64_t *elements) {
    const struct hw_job *job = &session->jobs[state->job];
    uint64_t left = job->cases - state->done, first = job->first + state->done;
    uint32_t most = hw_batch(&job->plan), cases = left < most ? (uint32_t)left : most;
    int status = cases ? hw_session_run(session, job, first, cases) : 0;
    if (!status && cases)
        status = take(context, job, first, cases);
    *elements = (uint64_t)cases * job->plan.elements;
    state->done += cases;
    if (state->done == job->cases) {
        state->job++;
        state->done = 0;
    }
    return status;
}

int hw_session_work(const struct hw_session *session, const char *command, struct hw_state *state,
                    hw_take *take, void *context) {
    struct hw_progress progress;
    int status = 0;
    begin(session, state, &progress);
    while (state->job < session->njobs && !status) {
        uint64_t elements;
        status = advance(session, state, take, context, &elements);
        if (status == HW_STOP)
            state->job = session->njobs;
        hw_progress_add(&progress, elements, state->report.total.differing_cases);
        if (status <= 0)
            status = hw_state_save(session, command, state);
    }
    hw_progress_end(&progress);
    return status;
}
