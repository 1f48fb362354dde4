/* record.c - what the hardware does, as a trace. */
#include "hw.h"

#include <inttypes.h>

static const struct hw_option options[] = {
    {"-o", "FILE", "the trace", HW_TEXT, HW_AT(out)},
    HW_CHOOSING,
    {"--cases", "N", "cases for each spelling and selector (13)", HW_COUNT, HW_AT(cases)},
    {0},
};

struct record {
    const struct hw_session *session;
    FILE *file;
    uint64_t cases;
};

static int take(void *context, const struct hw_job *job, uint64_t first, uint32_t cases) {
    struct record *record = context;
    uint32_t words = job->plan.out_rows * WSIM_LANES;
    for (uint32_t i = 0; i < cases; i++)
        hw_trace_case(record->file, record->session, job, first + i,
                      record->session->out + (size_t)i * words);
    record->cases += cases;
    return ferror(record->file) ? hw_fail(record->session->options.out, "cannot be written") : 0;
}

static int record(const struct hw_session *session) {
    struct record record = {session, fopen(session->options.out, "w"), 0};
    int status;
    if (!record.file)
        return hw_fail(session->options.out, "cannot be written");
    hw_trace_head(record.file, session);
    status = hw_session_work(session, take, &record);
    if (fclose(record.file) && !status)
        status = hw_fail(session->options.out, "cannot be written");
    fprintf(stderr, "%" PRIu64 " cases in %s\n", record.cases, session->options.out);
    return status;
}

static int run(int argc, char **argv) {
    struct hw_session session = {
        .options = {.seed = 1, .cases = WSIM_DISTS, .dist = WSIM_DISTS, .shard = {0, 1}}};
    int status = hw_options_read(&hw_record_command, &session.options, &argc, argv);
    if (!status && !session.options.out)
        status = hw_fail("record", "-o FILE is missing; try wsim-hw record --help");
    if (status)
        return status < 0 ? 0 : status;
    status = hw_session_open(&session);
    if (!status)
        status = record(&session);
    hw_session_close(&session);
    return status;
}

const struct hw_command hw_record_command = {
    "record",
    "-o FILE [options]",
    "a trace of what the hardware did",
    "\nexit status: 0 done, 2 error, 77 no GPU\n\n"
    "  wsim-hw record --ops m16n8k16 --dist specials --cases 4 -o specials.trace\n",
    options,
    0,
    run,
};
