/* The rows of fields.def as data. */
#include "trace.h"

#define IN(family) (1u << TRACE_FAMILY_##family)
#define WSIM_ANY WSIM_OPERANDS

const struct trace_family trace_families[TRACE_FAMILIES] = {
#define FAMILY(id, prefix, runs) {prefix, runs},
#include "fields.def"
};

const struct trace_field trace_fields[TRACE_FIELDS] = {
#define FIELD(id, name, kind, operand, families, role, runs)                                       \
    {name, KIND_##kind, WSIM_##operand, ROLE_##role, runs, families},
#include "fields.def"
};
