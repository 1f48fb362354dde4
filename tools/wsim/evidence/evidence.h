/* evidence.h - what the model rests on, operation by operation. */
#ifndef WSIM_TOOL_EVIDENCE_H
#define WSIM_TOOL_EVIDENCE_H

#include "ops_filter.h"

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

/* What the recordings hold that were made as `arch` itself. */
uint64_t evidence_recorded_as(const struct evidence_line *line, const struct wsim_arch *arch);

/* "sm_70..sm_89 sm_100": `n` architectures, neighbours in the order of the tables as a range. */
void evidence_archs(const struct wsim_arch *const *arch, unsigned n, char out[EVIDENCE_TEXT]);

/* Calls `each` for the lines of every operation that passes, in the order of the tables. */
void evidence_each(const struct ops_filter *filter,
                   void (*each)(const struct evidence_line *line, void *about), void *about);

#endif
