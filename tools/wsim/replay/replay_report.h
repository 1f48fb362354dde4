/* replay_report.h - the sums of a replay, and its answer. */
#ifndef WSIM_REPLAY_REPORT_H
#define WSIM_REPLAY_REPORT_H

#include "../common/doc.h"

/* One row per spelling, in the order of the files. */
struct replay_row {
    char spelling[WSIM_SPELLING_MAX];
    unsigned long cases, verdict[3]; /* by enum wsim_verdict */
    uint64_t results;                /* of the cases that were run */
};

/* A case that is reported in full. */
struct replay_note {
    const char *file;
    unsigned long line;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_replay replay;
    int is_digest;
    struct wsim_trace_digest digest;
    uint64_t results;
};

#define REPLAY_NOTES 10
#define REPLAY_ROWS 10000 /* then "..."; all that wsim knows is less than half of it */

struct replay_report {
    struct replay_row *rows;
    size_t nrows, room;
    struct replay_row total;
    struct replay_note different[REPLAY_NOTES];
    struct replay_note unsupported[REPLAY_NOTES]; /* the first of each spelling */
    unsigned ndifferent, nunsupported;
};

/* States what a replay found: a row for each spelling, the first cases that differ or are not
 * supported. */
void replay_answer(struct doc *doc, const struct replay_report *report);

/* One sentence, without file and line: what differs, where, and what was expected. */
void replay_words(const struct replay_note *note, char *out, size_t size);

#endif
