/* diff.c - the hardware against the model. */
#include "hw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct hw_option options[] = {
    HW_OPTION_OPS,
    {"--cases", "N", "cases for each spelling and selector (1300)", HW_COUNT, HW_AT(cases)},
    {"--results", "N", "at least N result elements for each spelling instead", HW_COUNT,
     HW_AT(results)},
    HW_OPTIONS_OPERANDS,
    {"--arch", "NAME", "the model of another architecture", HW_ARCH, HW_AT(arch)},
    {"--stop-after", "N", "end after N cases that differ (0: never)", HW_NUMBER, HW_AT(stop_after)},
    {"--json", NULL, "the report as JSON", HW_FLAG, HW_AT(json)},
    {"-o", "FILE", "the trace of cases that differ, if there are any (wsim-hw.trace)", HW_TEXT,
     HW_AT(out)},
    {0},
};

struct diff {
    const struct hw_session *session;
    struct hw_report *report;
    double since; /* the time when the last batch was done */
};

static struct hw_row *row_of(struct hw_report *report, const char *spelling) {
    struct hw_row *last = report->nrows ? &report->rows[report->nrows - 1] : NULL;
    if (last && strcmp(last->spelling, spelling) == 0)
        return last;
    last = &report->rows[report->nrows++];
    last->spelling = spelling;
    return last;
}

static void add(struct hw_row *sum, const struct hw_row *here) {
    sum->cases += here->cases;
    sum->elements += here->elements;
    sum->differing_cases += here->differing_cases;
    sum->differences += here->differences;
    sum->seconds += here->seconds;
}

static int take(void *context, const struct hw_job *job, uint64_t first, uint32_t cases,
                const uint32_t *out) {
    struct diff *diff = context;
    const struct hw_options *o = &diff->session->options;
    struct hw_row here = {0};
    double start = diff->since;
    if (hw_compare(diff->session, job, first, cases, out, &here, diff->report))
        return 2;
    diff->since = hw_now();
    here.seconds = diff->since - start;
    add(row_of(diff->report, job->kernel->spelling), &here);
    add(&diff->report->total, &here);
    return o->stop_after && diff->report->total.differing_cases >= o->stop_after ? HW_STOP : 0;
}

static const struct hw_job *job_of(const struct hw_session *session, const struct hw_note *note) {
    const struct hw_job *job = session->jobs;
    while (job->kernel != note->kernel)
        job++;
    return job;
}

/* The noted cases, run once more: into a trace, and in words. */
static int show_notes(const struct hw_session *session, const struct hw_report *report) {
    FILE *file = fopen(session->options.out, "w");
    int status = 0;
    if (!file)
        return hw_fail(session->options.out, strerror(errno));
    hw_trace_head(file, session);
    for (unsigned i = 0; i < report->notes && !status; i++) {
        const struct hw_note *note = &report->note[i];
        const struct hw_job *job = job_of(session, note);
        status = hw_session_run(session, job, note->number, 1);
        hw_trace_number(file, job, session->options.seed, note->number, session->out);
        hw_report_note(session->options.json ? stderr : stdout, session, job, note, session->out,
                       10 + 2 * i);
    }
    return ferror(file) | fclose(file) ? hw_fail(session->options.out, "cannot be written")
                                       : status;
}

static int work(const struct hw_session *session, struct hw_state *state) {
    struct hw_report *report = &state->report;
    struct diff diff = {session, report, hw_now()};
    int status = hw_state_load(session, "diff", state);
    if (!status)
        status = hw_session_work(session, "diff", state, take, &diff);
    if (status)
        return status;
    (session->options.json ? hw_report_json : hw_report_text)(session, report);
    return report->notes ? show_notes(session, report) : 0;
}

static int diff(const struct hw_session *session) {
    struct hw_state state = {0};
    int status;
    state.report.threads = hw_cores();
    state.report.rows = calloc(session->njobs, sizeof *state.report.rows);
    if (!state.report.rows)
        return hw_fail("diff", "out of memory");
    status = work(session, &state);
    free(state.report.rows);
    return status ? status : state.report.notes > 0;
}

static int run(int argc, char **argv) {
    struct hw_session session = {
        .options = {.seed = 1, .dist = WSIM_DISTS, .shard = {0, 1}, .out = "wsim-hw.trace"}};
    int status = hw_options_read(&hw_diff_command, &session.options, &argc, argv);
    if (status)
        return status < 0 ? 0 : status;
    if (session.options.cases && session.options.results)
        return hw_fail("--cases, --results",
                       "one or the other says how many; try wsim-hw diff --help");
    if (!session.options.cases)
        session.options.cases = 100 * WSIM_DISTS;
    status = hw_session_open(&session);
    if (!status)
        status = hw_session_jobs(&session);
    if (!status)
        status = diff(&session);
    hw_session_close(&session);
    return status;
}

const struct hw_command hw_diff_command = {
    "diff",
    "[options]",
    "hardware against model",
    "\nexit status: 0 equal, 1 different, 2 error, 77 no GPU\n\n"
    "  wsim-hw diff --results 1000000\n",
    options,
    0,
    run,
};
