/* state.c - the file of --state: what run it is of, in words, and how far that has come. It is
 * written anew and renamed, so that a run which is killed leaves the last one whole. */
#include "hw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifndef HW_SOURCE
#define HW_SOURCE "unknown" /* build.sh has a sum over the sources */
#endif

enum { IDENTITY_MAX = 1 << 14, LINE_ROOM = 1 << 13 };

/* All that the results of a run follow from, a line each. */
static void identify(const struct hw_session *session, const char *command, char *text) {
    const struct hw_options *o = &session->options;
    const struct hw_device *d = &session->device;
    snprintf(text, IDENTITY_MAX,
             "#wsim-hw state 1\nprogram: wsim-hw %s, sources %s, stream %d\ncommand: %s\n"
             "gpu: %s, driver %s, toolkit %s, code %u\nmodel: %s\nops: %s\nseed: 0x%" PRIx64
             "\ndist: %s\nfirst: %" PRIu64 "\ncases: %" PRIu64 "\nresults: %" PRIu64
             "\ndigest: %" PRIu64 ", mixed: %d\nshard: %u/%u\nstop after: %" PRIu64
             "\nfile: %s\njobs: %zu\n",
             wsim_version(), HW_SOURCE, WSIM_STREAM, command, d->gpu, d->driver, d->toolkit,
             d->code, wsim_arch_name(session->arch), o->ops ? o->ops : "", o->seed,
             wsim_dist_name(o->dist), o->first, o->cases, o->results, o->digest, o->mixed,
             o->shard.index, o->shard.count, o->stop_after, o->out ? o->out : "", session->njobs);
}

static void put_row(FILE *file, const char *spelling, const struct hw_row *row) {
    fprintf(file, "row: %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.6f\n", spelling,
            row->cases, row->elements, row->differing_cases, row->differences, row->seconds);
}

static void put_state(FILE *file, const struct hw_state *state) {
    const struct hw_report *report = &state->report;
    fprintf(file, "at: %zu %" PRIu64 " %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", state->job,
            state->done, state->digest, state->cases, state->written);
    put_row(file, "total", &report->total);
    for (size_t i = 0; i < report->nrows; i++)
        put_row(file, report->rows[i].spelling, &report->rows[i]);
    for (unsigned i = 0; i < report->notes; i++) {
        const struct hw_note *note = &report->note[i];
        fprintf(file, "note: %s %u %" PRIu64 " %" PRIu32 " %" PRIu32 " %d %s\n",
                note->kernel->spelling, note->kernel->selector, note->number, note->word,
                note->elements, (int)note->refusal.status, note->refusal.text);
    }
    fputs("end\n", file);
}

int hw_state_save(const struct hw_session *session, const char *command,
                  const struct hw_state *state) {
    const char *path = session->options.state;
    char identity[IDENTITY_MAX], fresh[LINE_ROOM];
    FILE *file;
    int failed;
    if (!path)
        return 0;
    identify(session, command, identity);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    file = fopen(fresh, "w");
    if (!file)
        return hw_fail(fresh, strerror(errno));
    fputs(identity, file);
    put_state(file, state);
    failed = ferror(file);
    failed |= fclose(file);
    return failed || rename(fresh, path) ? hw_fail(path, "cannot be written") : 0;
}

/* These read a line of the state and answer 0 if it is none. */

static int get_row(const char *text, struct hw_report *report, size_t room) {
    struct hw_row row = {0};
    char spelling[WSIM_SPELLING_MAX];
    if (sscanf(text, "%127s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf", spelling,
               &row.cases, &row.elements, &row.differing_cases, &row.differences,
               &row.seconds) != 6)
        return 0;
    if (strcmp(spelling, "total") == 0) {
        report->total = row;
        return 1;
    }
    for (size_t i = 0; i < hw_kernel_count && !row.spelling; i++)
        if (strcmp(hw_kernels[i].spelling, spelling) == 0)
            row.spelling = hw_kernels[i].spelling;
    if (!row.spelling || report->nrows == room)
        return 0;
    report->rows[report->nrows++] = row;
    return 1;
}

static int get_note(const char *text, struct hw_report *report) {
    struct hw_note note = {0};
    char spelling[WSIM_SPELLING_MAX];
    unsigned selector;
    int status, used = 0;
    if (report->notes == HW_NOTES ||
        sscanf(text, "%127s %u %" SCNu64 " %" SCNu32 " %" SCNu32 " %d %n", spelling, &selector,
               &note.number, &note.word, &note.elements, &status, &used) != 6)
        return 0;
    note.refusal.status = (enum wsim_status)status;
    snprintf(note.refusal.text, sizeof note.refusal.text, "%s", used ? text + used : "");
    for (size_t i = 0; i < hw_kernel_count; i++)
        if (strcmp(hw_kernels[i].spelling, spelling) == 0 && hw_kernels[i].selector == selector)
            note.kernel = &hw_kernels[i];
    if (!note.kernel)
        return 0;
    report->note[report->notes++] = note;
    return 1;
}

static int get_line(const char *line, struct hw_state *state, size_t room) {
    if (strncmp(line, "row: ", 5) == 0)
        return get_row(line + 5, &state->report, room);
    if (strncmp(line, "note: ", 6) == 0)
        return get_note(line + 6, &state->report);
    return sscanf(line, "at: %zu %" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNu64, &state->job,
                  &state->done, &state->digest, &state->cases, &state->written) == 5;
}

/* The next line without its newline; 0 at the end. */
static int next_line(FILE *file, char *line) {
    if (!fgets(line, LINE_ROOM, file))
        return 0;
    line[strcspn(line, "\n")] = 0;
    return 1;
}

/* Line by line: the first that is not of this run says why. */
static int check_identity(const struct hw_session *session, const char *command, FILE *file) {
    char identity[IDENTITY_MAX], line[LINE_ROOM] = "";
    identify(session, command, identity);
    for (char *mine = identity, *end; (end = strchr(mine, '\n')); mine = end + 1) {
        *end = 0;
        if (next_line(file, line) && strcmp(line, mine) == 0)
            continue;
        fprintf(stderr,
                "wsim-hw: %s: is the state of another run; there: '%s'; here: '%s'; remove it to "
                "start anew\n",
                session->options.state, line, mine);
        return 2;
    }
    return 0;
}

int hw_state_load(const struct hw_session *session, const char *command, struct hw_state *state) {
    const char *path = session->options.state;
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[LINE_ROOM] = "";
    int status, good = 1;
    if (path && !file && errno != ENOENT)
        return hw_fail(path, strerror(errno));
    if (!file)
        return 0;
    status = check_identity(session, command, file);
    while (!status && good && next_line(file, line) && strcmp(line, "end") != 0)
        good = get_line(line, state, state->report.rows ? session->njobs : 0);
    fclose(file);
    if (!status && (!good || strcmp(line, "end") != 0 || state->job > session->njobs))
        status = hw_fail(path, "is damaged; remove it to start anew");
    return status;
}
