/* wsim_run: the one place from which instructions are executed. And what doors share. */
#include "exec.h"

#include "../copy/copy.h"

enum wsim_status exec_need(const void *operand, const char *name, struct wsim_diag *diag) {
    if (operand)
        return WSIM_OK;
    return base_refuse(diag, RULE_OPERAND_MISSING, 0, "operand %s is missing", name);
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

enum wsim_status exec_refuse(const struct wsim_op *op, struct wsim_diag *diag) {
    const char *name = isa_family(op)->name;
    if (isa_family(op)->door == WSIM_DOOR_ORDER)
        return base_refuse(diag, RULE_OP_FAMILY_ORDERS, 0,
                           "%s orders what stands around it; there is nothing to execute", name);
    if (isa_family(op)->door == WSIM_DOOR_REPLACE)
        return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0,
                           "%s has no registers of a warp: wsim_tensor_replace executes it", name);
    if (isa_family(op)->counting == WSIM_COUNT_NONE)
        return base_refuse(diag, RULE_OP_FAMILY_COUNTED, 0,
                           "%s is known and not modelled: nothing executes or counts it", name);
    return base_refuse(diag, RULE_OP_FAMILY_COUNTED, 0,
                       "%s is known to the bank model only; wsim does not execute it", name);
}

static enum wsim_status exec_bulk(const struct wsim_code *code, const struct wsim_io *io,
                                  struct wsim_diag *diag) {
    return copy_bulk(&code->op, code->arch, code->flags, io, diag);
}

static enum wsim_status exec_async(const struct wsim_code *code, const struct wsim_io *io,
                                   struct wsim_diag *diag) {
    return copy_async(&code->op, code->arch, code->flags, io, diag);
}

/* A family whose door is not here is refused as not modelled. */
static exec_door *const doors[WSIM_DOORS] = {
    [WSIM_DOOR_MMA] = exec_mma,
    [WSIM_DOOR_WGMMA] = exec_wgmma,
    [WSIM_DOOR_LDMATRIX] = exec_ldmatrix,
    [WSIM_DOOR_STMATRIX] = exec_stmatrix,
    [WSIM_DOOR_MOVMATRIX] = exec_movmatrix,
    [WSIM_DOOR_FRAGMENT_LOAD] = exec_wmma_load,
    [WSIM_DOOR_FRAGMENT_STORE] = exec_wmma_store,
    [WSIM_DOOR_FRAGMENT_MMA] = exec_mma,
    [WSIM_DOOR_ASYNC] = exec_async,
    [WSIM_DOOR_BULK] = exec_bulk,
};

enum wsim_status wsim_run(const struct wsim_code *code, const struct wsim_io *io,
                          struct wsim_diag *diag) {
    exec_door *door = doors[code->work.door];
    return door ? door(code, io, diag) : exec_refuse(&code->op, diag);
}
