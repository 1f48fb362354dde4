/* trace.c - cases as lines of docs/trace-format.md. */
#include "hw.h"

#include <inttypes.h>
#include <time.h>

void hw_trace_head(FILE *file, const struct hw_session *session) {
    time_t now = time(NULL);
    char date[16] = "";
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(file,
            "#wsim-trace 1\n#gpu: %s\n#arch: %s\n#driver: %s\n#toolkit: %s\n"
            "#generator: wsim-hw %s\n#seed: 0x%" PRIx64 "\n#date: %s\n",
            session->device.gpu, wsim_arch_name(session->arch), session->device.driver,
            session->device.toolkit, wsim_version(), session->options.seed, date);
}

void hw_trace_case(FILE *file, const struct hw_job *job, const uint32_t *in, const uint32_t *out) {
    static char line[WSIM_CASE_TEXT];
    wsim_trace_case_text(&job->op, &job->plan, in, out, line, sizeof line);
    fprintf(file, "%s\n", line);
}

void hw_trace_number(FILE *file, const struct hw_job *job, uint64_t seed, uint64_t number,
                     const uint32_t *out) {
    struct wsim_case c = wsim_case_at(&job->plan, seed, number, job->dist);
    static uint32_t in[WSIM_LANES * WSIM_CASE_ROWS];
    wsim_case_fill(&job->plan, &c, in);
    fprintf(file, "# case %" PRIu64 ", %s\n", number, wsim_dist_name(c.dist));
    hw_trace_case(file, job, in, out);
}

void hw_trace_digest(FILE *file, const struct hw_job *job, uint64_t seed, uint64_t digest) {
    fprintf(file, "%s\tstream=%d", job->kernel->spelling, WSIM_STREAM);
    if (job->plan.sparse)
        fprintf(file, "\tsel=%u", job->plan.selector);
    fprintf(file,
            "\tdist=%s\tseed=%" PRIu64 "\tfirst=%" PRIu64 "\tcases=%" PRIu64 "\tdigest=%016" PRIx64
            "\n",
            wsim_dist_name(job->dist), seed, job->first, job->cases, digest);
}
