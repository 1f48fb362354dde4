/* execute.h - a case on the model where it is run once or twice: prepared each time, with a scratch
 * of the file that includes this. For one thread; who runs many of one instruction prepares it
 * once.
 */
#ifndef LIB_EXECUTE_H
#define LIB_EXECUTE_H

#include <wsim/harness/cases.h>

static inline enum wsim_status execute_case(const struct wsim_op *op, const struct wsim_arch *arch,
                                            const struct wsim_plan *plan, const uint32_t *in,
                                            uint32_t *out, struct wsim_diag *diag) {
    static struct wsim_case_scratch scratch;
    struct wsim_code code;
    enum wsim_status status = wsim_prepare(op, arch, 0, &code, diag);
    return status ? status : wsim_case_run(&code, plan, in, out, &scratch, diag);
}

#endif
