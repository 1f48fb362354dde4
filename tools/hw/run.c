/* run.c - batches of cases on the hardware, one after the other, and single cases. */
#include "hw.h"

#include <pthread.h>
#include <stdlib.h>
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

/* A batch on its way: the hardware runs it in a thread of its own, while results of the one before
 * are looked at. */
struct flight {
    struct hw_session session; /* a copy, whose results are this batch's own */
    size_t job;
    uint64_t done, first; /* cases of the job before it; the number of its first case */
    uint32_t cases;
    pthread_t thread;
    int begun, status;
};

static void *fly(void *argument) {
    struct flight *flight = argument;
    const struct hw_job *job = &flight->session.jobs[flight->job];
    flight->status =
        flight->cases ? hw_session_run(&flight->session, job, flight->first, flight->cases) : 0;
    return NULL;
}

/* The cases of a job after the first `done`; if there can be no thread, here and now. */
static void begin_flight(struct flight *flight, size_t number, uint64_t done) {
    const struct hw_job *job = &flight->session.jobs[number];
    uint64_t left = job->cases - done;
    uint32_t most = hw_batch(&job->plan);
    flight->job = number;
    flight->done = done;
    flight->first = job->first + done;
    flight->cases = left < most ? (uint32_t)left : most;
    flight->begun = pthread_create(&flight->thread, NULL, fly, flight) == 0;
    if (!flight->begun)
        fly(flight);
}

static void end_flight(struct flight *flight) {
    if (flight->begun)
        pthread_join(flight->thread, NULL);
    flight->begun = 0;
}

/* Continues after a batch. */
static void begin_next(const struct flight *now, struct flight *next) {
    const struct hw_job *job = &now->session.jobs[now->job];
    if (now->done + now->cases < job->cases)
        begin_flight(next, now->job, now->done + now->cases);
    else if (now->job + 1 < now->session.njobs)
        begin_flight(next, now->job + 1, 0);
}

/* The results of a batch, after which the state has passed it. */
static int take_flight(const struct flight *now, struct hw_state *state, hw_take *take,
                       void *context) {
    const struct hw_job *job = &now->session.jobs[now->job];
    int status = 0;
    if (now->cases)
        status = take(context, job, now->first, now->cases, now->session.out);
    state->done += now->cases;
    if (state->done == job->cases) {
        state->job++;
        state->done = 0;
    }
    if (status == HW_STOP)
        state->job = now->session.njobs;
    return status;
}

static int work(struct flight flights[2], const char *command, struct hw_state *state,
                hw_take *take, void *context) {
    const struct hw_session *session = &flights[0].session;
    struct hw_progress progress;
    int status = 0;
    begin(session, state, &progress);
    if (state->job < session->njobs)
        begin_flight(&flights[0], state->job, state->done);
    for (unsigned n = 0; state->job < session->njobs && !status; n = !n) {
        struct flight *now = &flights[n];
        end_flight(now);
        status = now->status;
        if (status)
            break;
        begin_next(now, &flights[!n]);
        status = take_flight(now, state, take, context);
        hw_progress_add(&progress, (uint64_t)now->cases * session->jobs[now->job].plan.elements,
                        state->report.total.differing_cases);
        if (status <= 0)
            status = hw_state_save(session, command, state);
    }
    end_flight(&flights[0]);
    end_flight(&flights[1]);
    hw_progress_end(&progress);
    return status;
}

int hw_session_work(const struct hw_session *session, const char *command, struct hw_state *state,
                    hw_take *take, void *context) {
    struct flight flights[2] = {{.session = *session}, {.session = *session}};
    int status;
    flights[1].session.out = malloc(HW_BATCH_BYTES);
    if (!flights[1].session.out)
        return hw_fail("wsim-hw", "out of memory");
    status = work(flights, command, state, take, context);
    free(flights[1].session.out);
    return status;
}
