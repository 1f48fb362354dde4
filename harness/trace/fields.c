/* The rows of fields.def as data. */
#include "trace.h"

#define IN(family) (1u << TRACE_FAMILY_##family)
#define WSIM_ANY WSIM_OPERANDS

/* What a replay can do with a case, by what executes the instruction and by how it is counted. */
enum {
    DO_NONE = RUN_NOTHING,
    DO_ORDER = RUN_NOTHING,
    DO_MMA = RUN_EXEC | RUN_DIGEST,
    DO_WGMMA = RUN_EXEC | RUN_DIGEST,
    DO_LDMATRIX = RUN_EXEC | RUN_DIGEST,
    DO_STMATRIX = RUN_EXEC | RUN_DIGEST,
    DO_MOVMATRIX = RUN_EXEC | RUN_DIGEST,
    DO_FRAGMENT_LOAD = RUN_EXEC | RUN_DIGEST,
    DO_FRAGMENT_STORE = RUN_EXEC | RUN_DIGEST,
    DO_FRAGMENT_MMA = RUN_EXEC | RUN_DIGEST,
    DO_ASYNC = RUN_COPY,
    DO_BULK = RUN_COPY,
    DO_REPLACE = RUN_NOTHING,
};
enum {
    COUNTED_NONE = RUN_NOTHING,
    COUNTED_ACCESS = RUN_BANKS,
    COUNTED_ROWS = RUN_BANKS,
    COUNTED_FRAGMENT = RUN_BANKS,
    COUNTED_COPY = RUN_BANKS | RUN_PAGE
};

_Static_assert(TRACE_FAMILIES <= 32, "fields.def: the families of a field are bits of 32");

const struct trace_family trace_families[TRACE_FAMILIES] = {
#define FAMILY(id, name, door, counted, threads, operands)                                         \
    [TRACE_FAMILY_##id] = {name, (unsigned)DO_##door | (unsigned)COUNTED_##counted},
#include "../../sim/isa/family.def"
#define NO_FAMILY(id, text, runs) [TRACE_FAMILY_##id] = {text, runs},
#include "fields.def"
};

const struct trace_field trace_fields[TRACE_FIELDS] = {
#define FIELD(id, name, kind, operand, families, role, runs)                                       \
    {name, KIND_##kind, WSIM_##operand, ROLE_##role, runs, families},
#include "fields.def"
};
