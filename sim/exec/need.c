/* Checks of operands that doors share. */
#include "exec.h"

#include "../copy/copy.h"

enum wsim_status exec_need(const void *operand, const char *name, struct wsim_diag *diag) {
    if (operand)
        return WSIM_OK;
    return base_refuse(diag, RULE_OPERAND_MISSING, 0, "operand %s is missing", name);
}

enum wsim_status exec_check_flags(uint32_t flags, struct wsim_diag *diag) {
    if (!(flags & ~(WSIM_PLAIN | WSIM_CLUSTER | 0xF0)) && flags >> 4 <= WSIM_PATHS)
        return WSIM_OK;
    return base_refuse(diag, RULE_CODE_FLAGS_UNKNOWN, 0,
                       "unknown flags in 0x%x: known are WSIM_PLAIN (0x%x), WSIM_CLUSTER "
                       "(0x%x) and WSIM_UP_TO of a path (0x%x to 0x%x)",
                       (unsigned)flags, WSIM_PLAIN, WSIM_CLUSTER,
                       (unsigned)WSIM_UP_TO(WSIM_PATH_PLAIN), (unsigned)WSIM_UP_TO(WSIM_PATHS - 1));
}

enum wsim_status exec_refuse_regs(const void *regs, unsigned count, const char *name,
                                  struct wsim_diag *diag) {
    const uint32_t *const *each = regs;
    enum wsim_status status = exec_need(regs, name, diag);
    for (unsigned i = 0; i < count && !status; i++)
        if (!each[i])
            status = base_refuse(diag, RULE_OPERAND_MISSING, 0,
                                 "register %u of operand %s is missing: it has %u", i, name, count);
    return status;
}

enum wsim_status exec_check_shared(const struct wsim_code *code, const struct wsim_memory *shared,
                                   uint64_t address, uint64_t bytes, int written,
                                   struct wsim_diag *diag) {
    return copy_check_shared(code->arch, shared, address, bytes, written, diag);
}
