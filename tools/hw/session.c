/* session.c - the GPU that is there, the jobs that were asked for, and their batches. */
#include "hw.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_BYTES = 256 << 20, MOST_CASES = 1 << 18 };

/* Place in the table of the target `number`: with the suffix a if there is one. -1: none. */
static int find_target(unsigned number) {
    char plain[16], special[20];
    int found = -1;
    snprintf(plain, sizeof plain, "sm_%u", number);
    snprintf(special, sizeof special, "%sa", plain);
    for (int i = 0; wsim_arch_at((size_t)i); i++) {
        const char *name = wsim_arch_name(wsim_arch_at((size_t)i));
        if (strcmp(name, special) == 0 || (found < 0 && strcmp(name, plain) == 0))
            found = i;
    }
    return found;
}

static int open_device(struct hw_session *session) {
    const char *why = hw_open(&session->device);
    int model, code;
    if (why) {
        fprintf(stderr, "wsim-hw: skipped: %s\n", why);
        return HW_EXIT_SKIPPED;
    }
    model = find_target(session->device.capability);
    code = find_target(session->device.code);
    if (model < 0 || code < 0)
        return hw_fail(session->device.gpu, "not in the table of architectures");
    session->code = (unsigned)code;
    session->arch = session->options.arch ? session->options.arch : wsim_arch_at((size_t)model);
    return 0;
}

static int is_wanted(const struct hw_session *session, const struct hw_kernel *kernel,
                     const struct wsim_op *op) {
    if (!(kernel->targets >> session->code & 1) || wsim_op_check(op, session->arch, NULL))
        return 0;
    return hw_matches(session->options.ops, kernel->spelling);
}

/* Where share `index` of `cases` begins. */
static uint64_t cut(uint64_t cases, struct hw_shard shard, unsigned index) {
    return cases / shard.count * index + cases % shard.count * index / shard.count;
}

/* This shard's share of the cases of a kernel. */
static void share(const struct hw_options *o, struct hw_job *job) {
    unsigned selectors = wsim_op_info(&job->op).selectors;
    uint64_t each = (uint64_t)job->plan.elements * (selectors ? selectors : 1), cases = o->cases;
    if (o->results)
        cases = (o->results + each - 1) / each;
    job->first = o->first + cut(cases, o->shard, o->shard.index);
    job->cases = o->first + cut(cases, o->shard, o->shard.index + 1) - job->first;
}

/* 0 if the kernel is not to be run. */
static int make_job(const struct hw_session *session, const struct hw_kernel *kernel,
                    struct hw_job *job) {
    job->kernel = kernel;
    if (wsim_op_parse(kernel->spelling, &job->op, NULL) || !is_wanted(session, kernel, &job->op))
        return 0;
    wsim_plan_make(&job->op, kernel->selector, &job->plan, NULL);
    share(&session->options, job);
    return 1;
}

int hw_session_open(struct hw_session *session) {
    int status = open_device(session);
    if (status)
        return status;
    session->out = malloc(BATCH_BYTES);
    session->jobs = calloc(hw_kernel_count, sizeof *session->jobs);
    if (!session->out || !session->jobs)
        return hw_fail("wsim-hw", "out of memory");
    for (size_t i = 0; i < hw_kernel_count; i++)
        session->njobs += make_job(session, &hw_kernels[i], &session->jobs[session->njobs]);
    return session->njobs ? 0 : hw_fail("--ops", "no operation of this GPU matches");
}

void hw_session_close(struct hw_session *session) {
    free(session->out);
    free(session->jobs);
}

uint32_t hw_batch(const struct wsim_plan *plan) {
    uint32_t rows = plan->in_rows > plan->out_rows ? plan->in_rows : plan->out_rows;
    uint32_t cases = BATCH_BYTES / (rows * 128);
    return cases < MOST_CASES ? cases : MOST_CASES;
}

/* The same stream here and there: the first cases of each batch, word by word. */
static int same_stream(const struct hw_session *session, const struct hw_job *job, uint64_t first,
                       uint32_t cases, const uint32_t *in) {
    uint32_t words = job->plan.in_rows * WSIM_LANES, mine[WSIM_LANES * WSIM_CASE_ROWS];
    for (uint32_t i = 0; i < cases; i++) {
        struct wsim_case c =
            wsim_case_at(&job->plan, session->options.seed, first + i, session->options.dist);
        wsim_case_fill(&job->plan, &c, mine);
        if (memcmp(mine, in + (size_t)i * words, words * sizeof *mine) != 0)
            return 0;
    }
    return 1;
}

int hw_session_run(const struct hw_session *session, const struct hw_job *job, uint64_t first,
                   uint32_t cases) {
    static uint32_t in[HW_SAMPLES * WSIM_LANES * WSIM_CASE_ROWS];
    uint32_t sampled = cases < HW_SAMPLES ? cases : HW_SAMPLES;
    const char *why = hw_run(job->kernel, &job->plan, session->options.seed, session->options.dist,
                             first, cases, session->out, in, sampled);
    if (!why && !same_stream(session, job, first, sampled, in))
        why = "the operands made on the GPU differ from those made here";
    return why ? hw_fail(job->kernel->spelling, why) : 0;
}

int hw_session_work(const struct hw_session *session, hw_take *take, void *context) {
    int status = 0;
    for (size_t i = 0; i < session->njobs && !status; i++) {
        const struct hw_job *job = &session->jobs[i];
        uint32_t most = hw_batch(&job->plan);
        for (uint64_t done = 0; done < job->cases && !status; done += most) {
            uint64_t left = job->cases - done;
            uint32_t cases = left < most ? (uint32_t)left : most;
            status = hw_session_run(session, job, job->first + done, cases);
            if (!status)
                status = take(context, job, job->first + done, cases);
        }
    }
    return status == HW_STOP ? 0 : status;
}
