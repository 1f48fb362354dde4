/* wsim replay: runs every case of a trace and reports the differences. */
#include "replay.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/screen.h"
#include "../common/text.h"
#include "../../lib/trace_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Runs every case of traces (docs/trace-format.md) on the architecture of the header and\n"
    "compares the results bit by bit. '-' is standard input; files may be compressed. Prints a\n"
    "row per spelling, then the first differences. Exit status 0 if all cases ran and are\n"
    "equal, 1 if a case differs or is not supported, 2 if a file cannot be read. A line has at\n"
    "most 64 MiB.\n"
    "\n"
    "A case has at most 32 MiB of memory; wsim holds cases of at most 64 MiB (and one more) at\n"
    "a time, for any --jobs.\n"
    "\n"
    "--minimize takes one file and prints smaller cases with the same wrong element, as a\n"
    "trace; comments list the remaining inputs (docs/gpu-ci.md).\n";
static const char examples[] =
    "  wsim replay traces/sm_90a/mma.trace.zst traces/sm_90a/banks.trace.zst\n"
    "  zstd -dc traces/sm_90a/mma.trace.zst | head -500 | wsim replay --format json -\n";

struct session {
    const struct wsim_arch *arch; /* NULL: as the header says */
    struct replay_report report;
    uint32_t flags; /* of wsim_prepare */
    unsigned jobs;
    struct minimize *minimize; /* NULL: compare only */
    int status;
};

static void add_case(struct replay_row *row, const struct replay_case *one) {
    row->cases++;
    row->verdict[one->replay.verdict]++;
    if (one->replay.verdict != WSIM_UNSUPPORTED)
        row->results += wsim_trace_results(one->trace);
}

/* The row of a spelling; the one of the case before is tried first. */
static struct replay_row *row_of(struct replay_report *report, const char *spelling) {
    size_t i;
    if (report->nrows >= REPLAY_ROWS)
        spelling = "...";
    for (i = report->nrows; i > 0; i--)
        if (strcmp(report->rows[i - 1].spelling, spelling) == 0)
            return &report->rows[i - 1];
    if (report->nrows == report->room) {
        size_t room = report->room ? 2 * report->room : 64;
        report->rows = memory_grow(report->rows, room * sizeof *report->rows);
        report->room = room;
    }
    memset(&report->rows[report->nrows], 0, sizeof report->rows[0]);
    snprintf(report->rows[report->nrows].spelling, WSIM_SPELLING_MAX, "%s", spelling);
    return &report->rows[report->nrows++];
}

static void note(struct replay_note *notes, unsigned *n, const char *file,
                 const struct replay_case *one) {
    struct replay_note *new = &notes[*n];
    if (*n == REPLAY_NOTES)
        return;
    ++*n;
    new->file = file;
    new->line = one->line;
    snprintf(new->spelling, sizeof new->spelling, "%s", wsim_trace_spelling(one->trace));
    new->replay = one->replay;
    new->is_digest = wsim_trace_is_digest(one->trace, &new->digest);
    new->results = wsim_trace_results(one->trace);
}

static void report_case(struct session *session, const struct replay_case *one, const char *file) {
    struct replay_report *report = &session->report;
    struct replay_row *row = row_of(report, wsim_trace_spelling(one->trace));
    enum wsim_verdict verdict = one->replay.verdict;
    if (verdict == WSIM_UNSUPPORTED && one->replay.why.status == WSIM_NO_MEMORY)
        memory_out();
    if (verdict == WSIM_DIFFERENT && session->minimize)
        minimize_case(session->minimize, one->trace, session->arch, file, one->line, &one->replay);
    if (verdict == WSIM_DIFFERENT)
        note(report->different, &report->ndifferent, file, one);
    if (verdict == WSIM_UNSUPPORTED && !row->verdict[WSIM_UNSUPPORTED])
        note(report->unsupported, &report->nunsupported, file, one);
    add_case(row, one);
    add_case(&report->total, one);
}

/* Finishes and reports the batch that runs, and starts the batch that was read. */
static void take_turns(struct session *session, struct replay_batches *batches, const char *file) {
    const struct replay_row *total = &session->report.total;
    const struct replay_batch *done = replay_batches_finish(batches);
    for (unsigned i = 0; i < done->used; i++)
        report_case(session, &done->cases[i], file);
    replay_batches_begin(batches, session->arch);
    screen_progress("%s: %lu cases, %llu results", text_cut(file).text, total->cases,
                    (unsigned long long)total->results);
}

static int unreadable(const char *file, unsigned long line, unsigned col, const char *why) {
    return tool_error("%s:%lu:%u: %s", text_path(file).text, line, col, why);
}

/* Reads lines until the end of the file or the first error. */
static int read_lines(struct session *session, struct trace_file *lines,
                      struct replay_batches *batches, const char *file) {
    unsigned long line = 0;
    const char *text;
    size_t length;
    int more;
    while ((more = trace_file_next(lines, &text, &length)) > 0) {
        struct wsim_diag diag = {0};
        if (replay_batches_line(batches, text, length, ++line, &diag) != WSIM_OK)
            return unreadable(file, line, diag.col, diag.text);
        while (replay_batches_full(batches))
            take_turns(session, batches, file);
    }
    if (more < 0)
        return unreadable(file, line + 1, 1, trace_file_problem(lines));
    if (!batches->in_cases)
        return unreadable(file, line + 1, 1, "this file has no case");
    return TOOL_FINE;
}

static int replay_lines(struct session *session, struct trace_file *lines,
                        struct replay_batches *batches, const char *file) {
    int status = read_lines(session, lines, batches, file);
    take_turns(session, batches, file); /* also the cases before an unreadable line */
    take_turns(session, batches, file);
    return status;
}

static int replay_file(struct session *session, const char *path) {
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    char *folder = input_folder(path);
    struct trace_file *lines = trace_file_open(path);
    struct replay_batches batches;
    int failure = lines ? ENOMEM : errno, status;
    if (!replay_batches_open(&batches, folder, session->jobs, session->flags) || !lines)
        status = tool_error("%s: %s", text_path(name).text, strerror(failure));
    else
        status = replay_lines(session, lines, &batches, name);
    trace_file_close(lines);
    replay_batches_finish(&batches); /* an empty one */
    replay_batches_close(&batches);
    free(folder);
    return status;
}

static int print(const struct session *session, enum tool_format format) {
    struct doc *doc;
    if (session->minimize)
        return minimize_end(session->minimize);
    doc = doc_open(format, "wsim.replay");
    replay_answer(doc, &session->report);
    return doc_close(doc, TOOL_FINE);
}

static int replay_all(struct session *session, const char **files, enum tool_format format) {
    const struct replay_report *report = &session->report;
    int status = TOOL_FINE;
    if (!files[0])
        return tool_error("no trace given ('-' is standard input)");
    for (; *files; files++)
        if (replay_file(session, *files) != TOOL_FINE)
            status = TOOL_USAGE;
    screen_progress(NULL);
    if (print(session, format) != TOOL_FINE)
        status = TOOL_USAGE;
    if (status == TOOL_FINE && report->total.verdict[WSIM_EQUAL] != report->total.cases)
        status = TOOL_FOUND;
    return status;
}

struct options {
    const struct wsim_arch *arch;
    uint32_t path;
    char *first, *small;
    int jobs, minimize;
};

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct minimize minimize = {.first = REPLAY_NOTES, .path = o->small};
    struct session session = {.arch = o->arch, .flags = o->path};
    int status = minimize_check(&minimize, o->minimize, o->first, tool->args, tool->format);
    session.jobs = tool_jobs(o->jobs, REPLAY_JOBS_MAX);
    if (status != TOOL_GO)
        return status;
    session.minimize = o->minimize ? &minimize : NULL;
    status = replay_all(&session, tool->args, tool->format);
    free(session.report.rows);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "Run on this target, not the recorded one", "NAME"},
    {"jobs", 0, TOOL_INT, TOOL_AT(jobs), "Run N cases in parallel (0: one per processor)", "N"},
    {"path", 0, TOOL_PATH, TOOL_AT(path), "Limit the path: plain, avx2 ...", "PATH"},
    {"minimize", 0, TOOL_FLAG, TOOL_AT(minimize), "Print small versions of cases that differ", NULL},
    {"first", 0, TOOL_STRING, TOOL_AT(first), "Minimize at most N cases (10)", "N"},
    {"small", 0, TOOL_STRING, TOOL_AT(small), "Write the small cases into this file", "FILE"},
    TOOL_OPTIONS_END};

const struct tool_command replay_command = {
    "FILE...", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON | TOOL_JSON_FLAG, NULL, run};
/* clang-format on */
