/* session.c - the GPU that is there, the jobs that were asked for, and their batches. */
#include "hw.h"

#include <stdlib.h>
#include <string.h>

int hw_find_target(unsigned number) {
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
    model = hw_find_target(session->device.capability);
    code = hw_find_target(session->device.code);
    if (model < 0 || code < 0)
        return hw_fail(session->device.gpu, "not in the table of architectures");
    session->code = (unsigned)code;
    session->arch = session->options.arch ? session->options.arch : wsim_arch_at((size_t)model);
    return 0;
}

int hw_has_code(const struct hw_session *session, const struct hw_kernel *kernel) {
    return (int)(kernel->targets >> session->code & 1);
}

/* Where share `index` of `cases` begins. */
static uint64_t cut(uint64_t cases, struct hw_shard shard, unsigned index) {
    return cases / shard.count * index + cases % shard.count * index / shard.count;
}

/* The most cases that one digest may stand for, as replay takes no more. */
#define DIGEST_MAX (UINT64_C(1) << 20)

/* Cases of a job: --results is the number of elements of a spelling, with digests of each line. */
static uint64_t cases_of(const struct hw_options *o, const struct hw_job *job) {
    unsigned selectors = wsim_op_describe(&job->op).selectors;
    uint64_t each = job->plan.elements, cases;
    if (!o->digest && selectors)
        each *= selectors;
    cases = (o->results + each - 1) / each;
    if (o->digest)
        return cases > o->digest ? cases : o->digest;
    return o->results ? cases : o->cases;
}

/* This shard's share of the cases of a kernel. */
static int share(const struct hw_options *o, struct hw_job *job) {
    uint64_t cases = cases_of(o, job);
    if (cases - 1 > UINT64_MAX - o->first)
        return hw_fail("--first", "the numbers of the cases do not fit in 64 bits");
    job->first = o->first + cut(cases, o->shard, o->shard.index);
    job->cases = o->first + cut(cases, o->shard, o->shard.index + 1) - job->first;
    if (o->digest && job->cases > DIGEST_MAX)
        return hw_fail("--digest, --results", "a digest is of 2^20 cases at most");
    return 0;
}

/* The jobs of a kernel: one, or one for each distribution if they are kept apart. */
static int add_jobs(struct hw_session *session, const struct hw_kernel *kernel) {
    const struct hw_options *o = &session->options;
    struct hw_job job = {.kernel = kernel, .arch = session->arch, .dist = o->dist};
    unsigned from = o->dist, to = o->dist + 1;
    if (!hw_matches(session->options.ops, kernel->spelling) || !hw_has_code(session, kernel) ||
        wsim_op_parse(kernel->spelling, &job.op, NULL) ||
        wsim_op_check(&job.op, session->arch, NULL) ||
        wsim_plan_make(&job.op, kernel->selector, &job.plan, NULL))
        return 0;
    if (share(o, &job))
        return 2;
    if (o->digest && o->dist == WSIM_DISTS && !o->mixed) {
        from = 0;
        to = WSIM_DISTS;
    }
    for (job.dist = from; job.dist < to; job.dist++)
        session->jobs[session->njobs++] = job;
    return 0;
}

int hw_session_open(struct hw_session *session) {
    int status = open_device(session);
    if (status)
        return status;
    session->out = malloc(HW_BATCH_BYTES);
    return session->out ? 0 : hw_fail("wsim-hw", "out of memory");
}

int hw_session_jobs(struct hw_session *session) {
    int status = 0;
    session->jobs = calloc(hw_kernel_count * WSIM_DISTS, sizeof *session->jobs);
    if (!session->jobs)
        return hw_fail("wsim-hw", "out of memory");
    for (size_t i = 0; i < hw_kernel_count && !status; i++)
        status = add_jobs(session, &hw_kernels[i]);
    if (!status && !session->njobs)
        status = hw_fail("--ops", "no operation of this GPU matches");
    return status;
}

void hw_session_close(struct hw_session *session) {
    free(session->out);
    free(session->jobs);
}
