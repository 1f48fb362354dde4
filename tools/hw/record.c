/* record.c - writes results of the hardware as a trace: full cases, or digests of many. */
#include "given.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const struct hw_option options[] = {
    {"-o", "FILE", "the trace", HW_TEXT, HW_AT(out)},
    HW_OPTION_OPS,
    {"--cases", "N", "cases for each spelling and selector (13)", HW_COUNT, HW_AT(cases)},
    {"--digest", "N",
     "a line for N cases of each spelling, selector and distribution instead\n"
     "(2^20 at most)",
     HW_COUNT, HW_AT(digest)},
    {"--mixed", NULL, "with --digest: a line holds all distributions, in turn", HW_FLAG,
     HW_AT(mixed)},
    {"--results", "N", "with --digest: more cases where a line has less than N result elements",
     HW_COUNT, HW_AT(results)},
    HW_OPTIONS_OPERANDS,
    {"--from", "FILE", "the operands of the cases of a trace ('-': standard input), nothing else",
     HW_TEXT, HW_AT(from)},
    {0},
};

struct record {
    const struct hw_session *session;
    struct hw_state state;
    uint64_t not_run; /* of the cases of --from */
    FILE *file;
};

static int broken(const struct record *record) {
    return hw_fail(record->session->options.out, "cannot be written");
}

static void take_digest(struct record *record, const struct hw_job *job, uint64_t first,
                        uint32_t cases, const uint32_t *out) {
    const struct hw_session *session = record->session;
    uint32_t words = job->plan.out_rows * WSIM_LANES;
    record->state.digest += wsim_case_digests(first, cases, out, words);
    if (first + cases < job->first + job->cases)
        return;
    hw_trace_digest(record->file, job, session->options.seed, record->state.digest);
    record->state.digest = 0;
}

static void take_cases(struct record *record, const struct hw_job *job, uint64_t first,
                       uint32_t cases, const uint32_t *out) {
    const struct hw_session *session = record->session;
    uint32_t words = job->plan.out_rows * WSIM_LANES;
    for (uint32_t i = 0; i < cases; i++)
        hw_trace_number(record->file, job, session->options.seed, first + i,
                        out + (size_t)i * words);
}

/* Writes a batch and flushes it, so that the file has all cases that the state counts. */
static int take(void *context, const struct hw_job *job, uint64_t first, uint32_t cases,
                const uint32_t *out) {
    struct record *record = context;
    const struct hw_options *o = &record->session->options;
    (o->digest ? take_digest : take_cases)(record, job, first, cases, out);
    record->state.cases += cases;
    if (!o->state)
        return ferror(record->file) ? broken(record) : 0;
    if (fflush(record->file))
        return broken(record);
    record->state.written = (uint64_t)ftello(record->file);
    return 0;
}

/* A new file with its header; or the one of the state, without later lines. */
static int open_file(struct record *record) {
    const char *path = record->session->options.out;
    uint64_t written = record->state.written;
    record->file = fopen(path, written ? "r+" : "w");
    if (!record->file)
        return hw_fail(path, strerror(errno));
    if (!written) {
        hw_trace_head(record->file, record->session);
        return 0;
    }
    if (fseeko(record->file, 0, SEEK_END) || (uint64_t)ftello(record->file) < written)
        return hw_fail(path, "is shorter than its state says; remove the state to start anew");
    if (ftruncate(fileno(record->file), (off_t)written) ||
        fseeko(record->file, (off_t)written, SEEK_SET))
        return broken(record);
    return 0;
}

static int record_jobs(struct hw_session *session) {
    struct record record = {.session = session};
    int status = hw_session_jobs(session);
    if (!status)
        status = hw_state_load(session, "record", &record.state);
    if (!status)
        status = open_file(&record);
    if (!status)
        status = hw_session_work(session, "record", &record.state, take, &record);
    if (record.file && fclose(record.file) && !status)
        status = broken(&record);
    if (!status)
        fprintf(stderr, "%" PRIu64 " cases in %s\n", record.state.cases, session->options.out);
    return status;
}

static int take_given(void *context, const struct hw_given *given) {
    struct record *record = context;
    if (given->why[0]) {
        fprintf(stderr, "wsim-hw: %s:%lu: not run: %s\n", given->file, given->line, given->why);
        record->not_run++;
    } else {
        hw_given_write(record->file, given);
        record->state.cases++;
    }
    return ferror(record->file) ? broken(record) : 0;
}

static int record_given(struct hw_session *session) {
    struct record record = {.session = session};
    int status = open_file(&record);
    if (!status)
        status = hw_given_each(session, session->options.from, take_given, &record);
    if (record.file && fclose(record.file) && !status)
        status = broken(&record);
    if (!status && !record.state.cases && !record.not_run)
        status = hw_fail(session->options.from, "there is no case to run");
    if (status)
        return status;
    fprintf(stderr, "%" PRIu64 " cases in %s, %" PRIu64 " not run\n", record.state.cases,
            session->options.out, record.not_run);
    return record.not_run ? HW_EXIT_NOT_RUN : 0;
}

/* Refuses options that exclude each other. */
static int check(const struct hw_options *o) {
    if (!o->out)
        return hw_fail("record", "-o FILE is missing; try wsim-hw record --help");
    if (o->cases && o->digest)
        return hw_fail("--cases, --digest", "one or the other; try wsim-hw record --help");
    if (o->mixed && !o->digest)
        return hw_fail("--mixed", "it goes with --digest; try wsim-hw record --help");
    if (o->results && !o->digest)
        return hw_fail("--results", "it goes with --digest; try wsim-hw record --help");
    if (o->from && (o->cases || o->digest || o->state || o->shard.count > 1 || o->first))
        return hw_fail("--from", "the file names the operations: only --ops and -o go with it");
    return 0;
}

static int run(int argc, char **argv) {
    struct hw_session session = {.options = {.seed = 1, .dist = WSIM_DISTS, .shard = {0, 1}}};
    int status = hw_options_read(&hw_record_command, &session.options, &argc, argv);
    if (!status)
        status = check(&session.options);
    if (status)
        return status < 0 ? 0 : status;
    if (!session.options.cases)
        session.options.cases = WSIM_DISTS;
    if (session.options.from)
        status = hw_given_check(session.options.from, session.options.out);
    if (status)
        return status;
    status = hw_session_open(&session);
    if (!status)
        status = (session.options.from ? record_given : record_jobs)(&session);
    hw_session_close(&session);
    return status;
}

const struct hw_command hw_record_command = {
    "record",
    "-o FILE [options]",
    "a trace of what the hardware did",
    "\nexit status: 0 done, 2 error, 3 some cases of --from were not run, 77 no GPU\n\n"
    "  wsim-hw record --ops m16n8k16 --dist specials --cases 4 -o specials.trace\n"
    "  wsim-hw record --digest 1000 -o digests.trace\n"
    "  wsim-hw record --from specials.trace -o here.trace\n",
    options,
    0,
    run,
};
