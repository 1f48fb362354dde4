/* replay.c - recorded cases on this GPU: is it like the one that recorded them? */
#include "given.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct hw_option options[] = {
    HW_OPTION_OPS,
    {"--json", NULL, "the report as JSON", HW_FLAG, HW_AT(json)},
    {0},
};

struct row {
    char spelling[WSIM_SPELLING_MAX];
    uint64_t cases, results, equal, different, not_run;
    char why[256]; /* the first that was not run */
};

struct replay {
    const struct hw_session *session;
    struct row *rows, total;
    size_t nrows, room;
    unsigned shown;
};

/* NULL: no memory. */
static struct row *row_of(struct replay *replay, const char *spelling) {
    struct row *rows = replay->rows;
    for (size_t i = replay->nrows; i-- > 0;) /* the last is the likeliest */
        if (strcmp(rows[i].spelling, spelling) == 0)
            return &rows[i];
    if (replay->nrows == replay->room) {
        replay->room = 2 * replay->room + 64;
        rows = realloc(rows, replay->room * sizeof *rows);
        if (!rows)
            return NULL;
        replay->rows = rows;
    }
    memset(&rows[replay->nrows], 0, sizeof *rows);
    snprintf(rows[replay->nrows].spelling, sizeof rows->spelling, "%s", spelling);
    return &rows[replay->nrows++];
}

static int is_equal(const struct hw_given *given) {
    return given->is_digest || given->is_hash
               ? given->digest == given->recorded_digest
               : memcmp(given->out, given->recorded, given->job.plan.out_rows * WSIM_LANES * 4) ==
                     0;
}

/* A digest says that something differs; the model of the GPU that was recorded says what. */
static void show_digest(FILE *file, const struct hw_given *given) {
    fprintf(file,
            "  digest %016" PRIx64 ", recorded %016" PRIx64 "\n"
            "  to find the cases: wsim-hw diff --ops '%s' --seed %" PRIu64
            " --dist %s --first %" PRIu64 " --cases %" PRIu64 " --arch %s\n",
            given->digest, given->recorded_digest, given->spelling, given->seed,
            wsim_dist_name(given->job.dist), given->job.first, given->job.cases,
            given->recorded_arch);
}

static void show(struct replay *replay, const struct hw_given *given) {
    FILE *file = replay->session->options.json ? stderr : stdout;
    const struct hw_job *job = &given->job;
    if (replay->shown++ >= HW_NOTES)
        return;
    fprintf(file, "%s:%lu: %s, selector %u, recorded on %s\n", given->file, given->line,
            given->spelling, job->plan.selector, given->recorded_on);
    if (given->is_digest)
        show_digest(file, given);
    else if (given->is_hash)
        fprintf(file, "  hash of the result %016" PRIx64 ", recorded %016" PRIx64 "\n",
                given->digest, given->recorded_digest);
    else
        hw_report_place(file, job, given->in, given->out, given->recorded, "recorded");
}

static void count(struct row *row, const struct hw_given *given, int equal) {
    row->cases++;
    if (given->why[0]) {
        if (!row->not_run++)
            snprintf(row->why, sizeof row->why, "%s", given->why);
        return;
    }
    row->results += (given->is_digest ? given->job.cases : 1) * given->job.plan.elements;
    row->equal += equal;
    row->different += !equal;
}

static int take(void *context, const struct hw_given *given) {
    struct replay *replay = context;
    struct row *row = row_of(replay, given->spelling);
    int equal = !given->why[0] && is_equal(given);
    if (!row)
        return hw_fail("replay", "out of memory");
    count(row, given, equal);
    count(&replay->total, given, equal);
    if (!given->why[0] && !equal)
        show(replay, given);
    return 0;
}

static void print_row(const struct row *row, const char *name) {
    printf("%10" PRIu64 " %14" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "  %s\n",
           row->cases, row->results, row->equal, row->different, row->not_run, name);
}

static void print_text(const struct replay *replay) {
    const struct hw_device *device = &replay->session->device;
    printf("%s, driver %s, CUDA %s, against recordings\n", device->gpu, device->driver,
           device->toolkit);
    printf("%10s %14s %10s %10s %10s  %s\n", "cases", "results", "equal", "different", "not run",
           "spelling");
    for (size_t i = 0; i < replay->nrows; i++)
        print_row(&replay->rows[i], replay->rows[i].spelling);
    print_row(&replay->total, "total");
    for (size_t i = 0; i < replay->nrows; i++)
        if (replay->rows[i].not_run)
            printf("not run: %s: %s\n", replay->rows[i].spelling, replay->rows[i].why);
}

static void json_row(const struct row *row) {
    printf("\"cases\": %" PRIu64 ", \"results\": %" PRIu64 ", \"equal\": %" PRIu64
           ", \"different\": %" PRIu64 ", \"not_run\": %" PRIu64,
           row->cases, row->results, row->equal, row->different, row->not_run);
}

static void print_json(const struct replay *replay) {
    const struct hw_device *device = &replay->session->device;
    printf("{\"schema\": \"wsim.hw.replay\", \"version\": 1, \"gpu\": \"%s\", \"driver\": \"%s\", "
           "\"toolkit\": \"%s\",\n \"total\": {",
           device->gpu, device->driver, device->toolkit);
    json_row(&replay->total);
    printf("},\n \"rows\": [");
    for (size_t i = 0; i < replay->nrows; i++) {
        printf("%s\n  {\"spelling\": \"%s\", ", i ? "," : "", replay->rows[i].spelling);
        json_row(&replay->rows[i]);
        printf("}");
    }
    printf("]}\n");
}

static int replay_files(const struct hw_session *session, int files, char **paths) {
    struct replay replay = {.session = session};
    int status = 0;
    for (int i = 0; i < files && !status; i++)
        status = hw_given_each(session, paths[i], take, &replay);
    if (!status && !replay.total.cases)
        status = hw_fail("replay", "the files have no case that --ops names");
    (session->options.json ? print_json : print_text)(&replay);
    free(replay.rows);
    if (status)
        return status;
    return replay.total.different ? 1 : replay.total.not_run ? HW_EXIT_NOT_RUN : 0;
}

static int run(int argc, char **argv) {
    return hw_given_files(&hw_replay_command, argc, argv, replay_files);
}

const struct hw_command hw_replay_command = {
    "replay",
    "FILE... [options]",
    "this GPU against recorded traces",
    "\n'-' is standard input; compressed files are read from there:\n\n"
    "  zstd -dc traces/sm_90a/mma.trace.zst | wsim-hw replay -\n\n"
    "Counts of banks, traps and instructions without code for this GPU are not run.\n"
    "exit status: 0 all equal, 1 different, 2 error, 3 none different but some not run, 77 no "
    "GPU\n",
    options,
    1,
    run,
};
