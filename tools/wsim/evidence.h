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

/* What the recordings hold that were made as `arch` itself. */
uint64_t evidence_recorded_as(const struct evidence_line *line, const struct wsim_arch *arch);

/* "sm_70..sm_89 sm_100": `n` architectures, neighbours in the order of the tables as a range. */
void evidence_archs(const struct wsim_arch *const *arch, unsigned n, char out[EVIDENCE_TEXT]);

/* Calls `each` for the lines of every operation that passes, in the order of the tables. */
void evidence_each(const struct ops_filter *filter,
                   void (*each)(const struct evidence_line *line, void *about), void *about);

/* --- forms: the operations of a row together --- */

#define EVIDENCE_FORMS 256

enum evidence_level {
    EVIDENCE_HARDWARE,
    EVIDENCE_PUBLISHED,
    EVIDENCE_DOCUMENTED,
    EVIDENCE_INFERRED,
    EVIDENCE_NONE,
    EVIDENCE_LEVELS
};

/* A form on an architecture. */
struct evidence_cell {
    const char *source[EVIDENCE_LEVELS]; /* NULL: no operation is on this level            */
    unsigned ops, recorded;              /* how many are legal; were recorded as this very one */
    uint64_t number;                     /* what the recordings of these hold              */
};

struct evidence_form {
    const char *row;
    struct evidence_cell cell[EVIDENCE_CLAIMS][EVIDENCE_ARCHS];
};

/* A file, and what it holds of each claim. */
struct evidence_file {
    struct wsim_recording recording;
    unsigned ops[EVIDENCE_CLAIMS];
    uint64_t number[EVIDENCE_CLAIMS];
    char has[EVIDENCE_FORMS]; /* whether it holds operations of a form */
};

#define EVIDENCE_FILES 256

struct evidence_table {
    unsigned narch, nform, nfile;
    int full; /* there was more than there is room for */
    const struct wsim_arch *arch[EVIDENCE_ARCHS];
    unsigned group[EVIDENCE_ARCHS]; /* first architecture that agrees in every cell */
    struct evidence_form form[EVIDENCE_FORMS];
    struct evidence_file file[EVIDENCE_FILES];
};

/* The table of all operations that pass, to be freed; NULL after saying that there is no room. */
struct evidence_table *evidence_collect(const struct ops_filter *filter);

/* Prints them: text, CSV, JSON, or the page docs/evidence.md. TOOL_FINE, or TOOL_USAGE after
 * saying why not. */
int evidence_print(const struct ops_filter *filter, enum tool_format format);
int evidence_page(const struct ops_filter *filter);

/* A part of the page. */
void evidence_page_recordings(const struct ops_filter *filter, const struct evidence_table *table);

#endif
