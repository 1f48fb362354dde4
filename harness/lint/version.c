/* Instructions that are newer than the PTX of their file; see rules.h. */
#include "rules.h"

#include "../../sim/isa/scalar.h"

void lint_check_version(const struct wsim_instruction *is, const char *spelling, unsigned ptx,
                        size_t at, struct lint_findings *findings) {
    uint16_t needed = 0;
    if (is->is_scalar)
        isa_scalar_needs(&is->scalar, &needed);
    else
        needed = wsim_op_describe(&is->op).ptx;
    if (ptx && needed > ptx)
        lint_find(findings, LINT_VERSION, at, NULL,
                  "'%.100s' needs PTX %u.%u, and this is PTX %u.%u: raise .version", spelling,
                  needed / 10, needed % 10, ptx / 10, ptx % 10);
}
