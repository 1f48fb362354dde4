/* evidence_table.h - what the model rests on, form by form: the operations of a row together. */
#ifndef WSIM_EVIDENCE_TABLE_H
#define WSIM_EVIDENCE_TABLE_H

#include "evidence.h"

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

#endif
