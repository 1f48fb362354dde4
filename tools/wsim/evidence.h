/* evidence.h - what the model rests on, for the ways to print it. */
#ifndef WSIM_EVIDENCE_COMMAND_H
#define WSIM_EVIDENCE_COMMAND_H

#include "ops.h"
#include "tool.h"

#define EVIDENCE_CLAIMS (WSIM_COUNTS + 1)
#define EVIDENCE_ARCHS 64
#define EVIDENCE_TEXT 512

/* "results", "counts". */
extern const char *const evidence_claims[EVIDENCE_CLAIMS];

/* One operation, one claim, and the architectures where it rests on the same. */
struct evidence_line {
    const struct wsim_op *op;
    const char *spelling;
    enum wsim_claim claim;
    const char *level, *source; /* "none" and "": there is no model                 */
    uint64_t number;            /* results, or accesses, in the recordings           */
    const struct wsim_arch *arch[EVIDENCE_ARCHS]; /* in the order of the tables               */
    unsigned narch;
};

/* What a header field of the recordings says, for a line: each text once, separated by commas. */
enum evidence_field {
    EVIDENCE_GPU,
    EVIDENCE_TARGET,
    EVIDENCE_DRIVER,
    EVIDENCE_DATE,
    EVIDENCE_FILE,
    EVIDENCE_FIELDS
};
void evidence_field(const struct evidence_line *line, enum evidence_field field,
                    char out[EVIDENCE_TEXT]);

/* Whether there is something to claim: results of what is executed, counts of what accesses shared
 * memory. */
int evidence_applies(const struct wsim_op *op, enum wsim_claim claim);

/* Calls `each` for the lines of every operation that passes, in the order of the tables. */
void evidence_each(const struct ops_filter *filter,
                   void (*each)(const struct evidence_line *line, void *about), void *about);

/* Prints them: text, CSV or JSON. */
void evidence_print(const struct ops_filter *filter, enum tool_format format);

#endif
