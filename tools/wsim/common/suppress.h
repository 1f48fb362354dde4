/* suppress.h - options that leave findings out: --ignore, --baseline, --write-baseline, and
 * comments in sources. */
#ifndef WSIM_TOOL_SUPPRESS_H
#define WSIM_TOOL_SUPPRESS_H

#include "doc.h"

#include <jansson.h>
#include <wsim/harness/suppress.h>

struct suppress_options {
    char **ignore; /* ends with NULL; NULL: none */
    char *baseline, *write;
};

/* The rows of these options, which are the member `at` of struct options. */
/* clang-format off */
#define SUPPRESS_ROW_IGNORE(at) \
    {"ignore", 0, TOOL_STRINGS, TOOL_AT(at.ignore), "Leave out a rule: RULE, RULE@KERNEL, RULE@FILE, RULE@FILE:LINE (repeatable)", "RULE"}
#define SUPPRESS_ROW_BASELINE(at) \
    {"baseline", 0, TOOL_STRING, TOOL_AT(at.baseline), "Leave out the findings that FILE lists", "FILE"}
#define SUPPRESS_ROWS(at) \
    SUPPRESS_ROW_IGNORE(at), SUPPRESS_ROW_BASELINE(at), \
    {"write-baseline", 0, TOOL_STRING, TOOL_AT(at.write), "Write the findings to FILE; none counts", "FILE"}
/* clang-format on */

/* Entries of --ignore and lines of a baseline. */
struct suppress {
    struct suppress_options options;
    struct wsim_lint_baseline *baseline; /* NULL: none */
    struct wsim_suppress *list;
    char **lines;     /* of the new baseline */
    uint64_t *places; /* of each; 0: any */
    size_t n;
    uint64_t counts[WSIM_SUPPRESS_KNOWN + 1]; /* of suppress_count */
};

/* Reads the options; `text` as in wsim_suppress_options. TOOL_GO, or TOOL_USAGE after an error
 * message. suppress_close in any case. */
int suppress_open(struct suppress *s, const struct suppress_options *options,
                  const char *(*text)(void *user, const char *file), void *user);
void suppress_close(struct suppress *s);

/* Adds a finding to the new baseline. The finding of a run is added once for its place. */
void suppress_record(struct suppress *s, const char *file, const char *rule, uint64_t fingerprint);
void suppress_record_run(struct suppress *s, const char *file,
                         const struct wsim_suppress_finding *finding);

/* Writes the new baseline, if one was asked for. `command` found it. TOOL_GO, or TOOL_USAGE after
 * an error message. */
int suppress_write(struct suppress *s, const char *command);

/* The kind called "ignore", "comment" or "baseline". */
enum wsim_suppress_kind suppress_kind_called(const char *name);

/* {"kind": "ignore", "reason": "race.global"}; NULL for WSIM_SUPPRESS_NOT. */
json_t *suppress_json(enum wsim_suppress_kind kind, const char *reason);

/* How many findings were left out, and what left none out: lines, and "suppressed" of JSON. */
void suppress_state(struct doc *doc, const struct suppress *s);

/* Notes entries that left nothing out. `used[i]`: the findings of options.ignore[i]. */
void suppress_note_unused(const struct suppress *s, const uint64_t *used);

#endif
