/* main.c - wsim-hw: the GPU and the model on the same cases. */
#include "hw.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH_BYTES = 256 << 20, MOST_CASES = 1 << 18 };

static int fail(const char *what, const char *why) {
    fprintf(stderr, "wsim-hw: %s: %s\n", what, why);
    return 2;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

/* 0, 2, or 77 without a GPU. */
static int open_session(struct hw_session *session) {
    const char *why = hw_open(&session->device);
    int model, code;
    if (why) {
        fprintf(stderr, "wsim-hw: skipped: %s\n", why);
        return HW_EXIT_SKIPPED;
    }
    model = find_target(session->device.capability);
    code = find_target(session->device.code);
    if (model < 0 || code < 0)
        return fail(session->device.gpu, "not in the table of architectures");
    session->code = (unsigned)code;
    session->arch = wsim_arch_at((size_t)model);
    if (session->options.arch)
        session->arch = wsim_arch_find(session->options.arch);
    return session->arch ? 0 : fail(session->options.arch, "no such architecture");
}

static int is_wanted(const struct hw_session *session, const struct hw_kernel *kernel,
                     const struct wsim_op *op) {
    const char *filter = session->options.ops;
    if (!(kernel->targets >> session->code & 1) || wsim_op_check(op, session->arch, NULL))
        return 0;
    if (!filter)
        return 1;
    return strpbrk(filter, "*?[") ? fnmatch(filter, kernel->spelling, 0) == 0
                                  : strstr(kernel->spelling, filter) != NULL;
}

/* This shard's share of the cases of a kernel. */
static void share(const struct hw_session *session, struct hw_job *job) {
    const struct hw_options *o = &session->options;
    unsigned selectors = wsim_op_info(&job->op).selectors;
    uint64_t each = (uint64_t)job->plan.elements * (selectors ? selectors : 1), cases = o->cases;
    if (o->results && !o->record)
        cases = (o->results + each - 1) / each;
    job->first = o->first + cases / o->shards * o->shard + cases % o->shards * o->shard / o->shards;
    job->cases = o->first + cases / o->shards * (o->shard + 1) +
                 cases % o->shards * (o->shard + 1) / o->shards - job->first;
}

/* The job of kernel number `index`; 0 if it is not to be run. */
static int job_of(const struct hw_session *session, size_t index, struct hw_job *job) {
    const struct hw_kernel *kernel = &hw_kernels[index];
    job->kernel = kernel;
    if (wsim_op_parse(kernel->spelling, &job->op, NULL) || !is_wanted(session, kernel, &job->op))
        return 0;
    wsim_plan_make(&job->op, kernel->selector, &job->plan, NULL);
    share(session, job);
    return 1;
}

static uint32_t batch_of(const struct wsim_plan *plan) {
    uint32_t rows = plan->in_rows > plan->out_rows ? plan->in_rows : plan->out_rows;
    uint32_t cases = BATCH_BYTES / (rows * 128);
    return cases < MOST_CASES ? cases : MOST_CASES;
}

/* The same stream here and there: the first cases of each batch, word by word. */
static int same_stream(const struct hw_session *session, const struct hw_job *job, uint64_t first,
                       uint32_t cases, const uint32_t *in) {
    uint32_t words = job->plan.in_rows * WSIM_LANES, mine[WSIM_LANES * 64];
    for (uint32_t i = 0; i < cases; i++) {
        struct wsim_case c =
            wsim_case_at(&job->plan, session->options.seed, first + i, session->options.dist);
        wsim_case_fill(&job->plan, &c, mine);
        if (memcmp(mine, in + (size_t)i * words, words * sizeof *mine) != 0)
            return 0;
    }
    return 1;
}

static int run_batch(const struct hw_session *session, const struct hw_job *job, uint64_t first,
                     uint32_t cases, uint32_t *out) {
    static uint32_t in[HW_SAMPLES * WSIM_LANES * 64];
    uint32_t sampled = cases < HW_SAMPLES ? cases : HW_SAMPLES;
    const char *why = hw_run(job->kernel, &job->plan, session->options.seed, session->options.dist,
                             first, cases, out, in, sampled);
    if (!why && !same_stream(session, job, first, sampled, in))
        why = "the operands made on the GPU differ from those made here";
    return why ? fail(job->kernel->spelling, why) : 0;
}

static struct hw_row *row_of(struct hw_report *report, const char *spelling) {
    struct hw_row *last = report->nrows ? &report->rows[report->nrows - 1] : NULL;
    if (last && strcmp(last->spelling, spelling) == 0)
        return last;
    last = &report->rows[report->nrows++];
    last->spelling = spelling;
    return last;
}

static int is_over(const struct hw_session *session, const struct hw_report *report,
                   const struct hw_row *row) {
    uint64_t found = report->total.differing_cases + row->differing_cases;
    return session->options.stop_after && found >= session->options.stop_after;
}

static int diff_job(const struct hw_session *session, const struct hw_job *job, uint32_t *out,
                    struct hw_report *report) {
    struct hw_row *row = row_of(report, job->kernel->spelling), here = {0};
    uint32_t most = batch_of(&job->plan);
    double start = now();
    int status = 0;
    for (uint64_t done = 0; done < job->cases && !status; done += most) {
        uint64_t left = job->cases - done;
        uint32_t cases = left < most ? (uint32_t)left : most;
        status = run_batch(session, job, job->first + done, cases, out);
        if (!status)
            status = hw_compare(session, job, job->first + done, cases, out, &here, report);
        if (is_over(session, report, &here))
            break;
    }
    here.seconds = now() - start;
    for (int i = 0; i < 2; i++) {
        struct hw_row *sum = i ? &report->total : row;
        sum->cases += here.cases;
        sum->elements += here.elements;
        sum->differing_cases += here.differing_cases;
        sum->differences += here.differences;
        sum->seconds += here.seconds;
    }
    return status;
}

static int show_notes(const struct hw_session *session, const struct hw_report *report,
                      uint32_t *out) {
    FILE *file = fopen(session->options.out, "w");
    int status = 0;
    if (!file)
        return fail(session->options.out, "cannot be written");
    hw_trace_head(file, session);
    for (unsigned i = 0; i < report->notes && !status; i++) {
        struct hw_job job;
        job_of(session, (size_t)(report->note[i].kernel - hw_kernels), &job);
        status = run_batch(session, &job, report->note[i].number, 1, out);
        hw_trace_case(file, session, &job, report->note[i].number, out);
        hw_report_note(session->options.json ? stderr : stdout, session, &job, &report->note[i],
                       out, 10 + 2 * i);
    }
    return fclose(file) ? fail(session->options.out, "cannot be written") : status;
}

static int diff(const struct hw_session *session, uint32_t *out) {
    struct hw_report report = {0};
    struct hw_job job;
    int status = 0;
    report.threads = hw_cores();
    report.rows = calloc(hw_kernel_count, sizeof *report.rows);
    if (!report.rows)
        return fail("diff", "out of memory");
    for (size_t i = 0; i < hw_kernel_count && !status; i++) {
        if (!job_of(session, i, &job))
            continue;
        status = diff_job(session, &job, out, &report);
        fprintf(stderr, "\r%zu/%zu %" PRIu64 " results, %" PRIu64 " differences ", i + 1,
                hw_kernel_count, report.total.elements, report.total.differences);
        if (is_over(session, &report, &(struct hw_row){0}))
            break;
    }
    fputc('\n', stderr);
    (session->options.json ? hw_report_json : hw_report_text)(session, &report);
    if (!status && report.notes)
        status = show_notes(session, &report, out);
    if (!status && !report.nrows)
        status = fail("--ops", "no operation of this GPU matches");
    free(report.rows);
    return status ? status : report.notes > 0;
}

static int record_job(const struct hw_session *session, const struct hw_job *job, FILE *file,
                      uint32_t *out) {
    uint32_t words = job->plan.out_rows * WSIM_LANES, most = batch_of(&job->plan);
    for (uint64_t done = 0; done < job->cases; done += most) {
        uint64_t left = job->cases - done;
        uint32_t cases = left < most ? (uint32_t)left : most;
        if (run_batch(session, job, job->first + done, cases, out))
            return 2;
        for (uint32_t i = 0; i < cases; i++)
            hw_trace_case(file, session, job, job->first + done + i, out + (size_t)i * words);
    }
    return 0;
}

static int record(const struct hw_session *session, uint32_t *out) {
    FILE *file = fopen(session->options.out, "w");
    struct hw_job job;
    uint64_t cases = 0;
    int status = 0;
    if (!file)
        return fail(session->options.out, "cannot be written");
    hw_trace_head(file, session);
    for (size_t i = 0; i < hw_kernel_count && !status; i++)
        if (job_of(session, i, &job)) {
            status = record_job(session, &job, file, out);
            cases += job.cases;
        }
    if (fclose(file) && !status)
        status = fail(session->options.out, "cannot be written");
    fprintf(stderr, "%" PRIu64 " cases in %s\n", cases, session->options.out);
    return status;
}

int main(int argc, char **argv) {
    struct hw_session session = {0};
    uint32_t *out;
    int status = hw_options_read(&session.options, argc, argv);
    if (!status)
        status = open_session(&session);
    if (status)
        return status < 0 ? 0 : status;
    out = malloc(BATCH_BYTES);
    if (!out)
        return fail("wsim-hw", "out of memory");
    status = (session.options.record ? record : diff)(&session, out);
    free(out);
    return status;
}
