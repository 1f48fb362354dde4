/* The rows of fields.def as data. */
#include "trace.h"

#define IN(family) (1u << TRACE_FAMILY_##family)
#define WSIM_ANY WSIM_OPERANDS

/* The replay of a case follows from the way its door counts, and from the operands it reads and
 * writes. */
enum {
    COUNTED_NONE = RUN_NOTHING,
    COUNTED_ACCESS = RUN_BANKS | RUN_SECTORS,
    COUNTED_ROWS = RUN_BANKS,
    COUNTED_FRAGMENT = RUN_BANKS,
    COUNTED_COPY = RUN_BANKS | RUN_PAGE | RUN_SECTORS,
    EXECUTED = WSIM_DOES_MULTIPLY | WSIM_DOES_LOAD | WSIM_DOES_STORE | WSIM_DOES_EXCHANGE
};
enum {
#define DOOR(id, does, threads, counted, typed, view, needs, takes, written, prepare, run,         \
             explain, refuse)                                                                      \
    REPLAYED_##id = (unsigned)COUNTED_##counted |                                                  \
                    ((does) & (unsigned)EXECUTED ? (unsigned)RUN_EXEC | RUN_DIGEST : 0u) |         \
                    ((does) & (unsigned)WSIM_DOES_COPY ? (unsigned)RUN_COPY : 0u),
#include "../../sim/isa/door.def"
};

_Static_assert(TRACE_FAMILIES <= 32, "fields.def: the families of a field are bits of 32");

const struct trace_family trace_families[TRACE_FAMILIES] = {
#define FAMILY(id, name, door, operands) [TRACE_FAMILY_##id] = {name, REPLAYED_##door},
#include "../../sim/isa/family.def"
#define NO_FAMILY(id, text, runs) [TRACE_FAMILY_##id] = {text, runs},
#include "fields.def"
};

const struct trace_field trace_fields[TRACE_FIELDS] = {
#define FIELD(id, name, kind, operand, families, role, runs)                                       \
    {name, KIND_##kind, WSIM_##operand, ROLE_##role, runs, families},
#include "fields.def"
};
