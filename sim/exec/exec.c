/* The one door for execution: checks that the operation exists, then hands it to its family. */
#include "exec.h"

enum wsim_status exec_need(const void *operand, const char *name, struct wsim_diag *diag) {
    if (operand)
        return WSIM_OK;
    return base_refuse(diag, RULE_OPERAND_MISSING, 0, "operand %s is missing", name);
}

static enum wsim_status counted_only(const struct wsim_op *op, const struct wsim_arch *arch,
                                     const struct wsim_operands *io, struct wsim_diag *diag) {
    (void)arch;
    (void)io;
    return base_refuse(diag, RULE_OP_FAMILY_COUNTED, 0,
                       "%s is known to the bank model only; wsim does not execute it",
                       isa_family_name((enum wsim_family)isa_form(op)->family));
}

static enum wsim_status grouped(const struct wsim_op *op, const struct wsim_arch *arch,
                                const struct wsim_operands *io, struct wsim_diag *diag) {
    (void)arch;
    (void)io;
    if (isa_form(op)->family == WSIM_WGMMA)
        return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0,
                           "%s is executed by a warpgroup: wsim_wgmma_run does it, not wsim_exec",
                           isa_form(op)->name);
    return base_refuse(diag, RULE_OP_FAMILY_ORDERS, 0,
                       "%s orders what stands around it; there is nothing to execute",
                       isa_family_name((enum wsim_family)isa_form(op)->family));
}

static enum wsim_status elsewhere(const struct wsim_op *op, const struct wsim_arch *arch,
                                  const struct wsim_operands *io, struct wsim_diag *diag) {
    (void)arch;
    (void)io;
    return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0, "%s has no registers: %s executes it",
                       isa_family_name((enum wsim_family)isa_form(op)->family),
                       isa_form(op)->family == WSIM_CP_ASYNC ? "wsim_copy_async" : "wsim_bulk_run");
}

static enum wsim_status of_a_map(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_operands *io, struct wsim_diag *diag) {
    (void)arch;
    (void)io;
    return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0,
                       "%s has no registers of a warp: wsim_tensor_replace executes it",
                       isa_family_name((enum wsim_family)isa_form(op)->family));
}

typedef enum wsim_status family_function(const struct wsim_op *, const struct wsim_arch *,
                                         const struct wsim_operands *, struct wsim_diag *);

static family_function *const families[] = {[WSIM_MMA] = exec_mma,
                                            [WSIM_LDMATRIX] = exec_ldmatrix,
                                            [WSIM_STMATRIX] = exec_stmatrix,
                                            [WSIM_MOVMATRIX] = exec_movmatrix,
                                            [WSIM_LD] = counted_only,
                                            [WSIM_ST] = counted_only,
                                            [WSIM_ATOM] = counted_only,
                                            [WSIM_RED] = counted_only,
                                            [WSIM_CP_ASYNC] = elsewhere,
                                            [WSIM_WGMMA] = grouped,
                                            [WSIM_WGMMA_FENCE] = grouped,
                                            [WSIM_WGMMA_COMMIT] = grouped,
                                            [WSIM_WGMMA_WAIT] = grouped,
                                            [WSIM_BULK] = elsewhere,
                                            [WSIM_BULK_TENSOR] = elsewhere,
                                            [WSIM_BULK_REDUCE] = elsewhere,
                                            [WSIM_BULK_REDUCE_TENSOR] = elsewhere,
                                            [WSIM_WMMA_LOAD_A] = exec_wmma_load,
                                            [WSIM_WMMA_LOAD_B] = exec_wmma_load,
                                            [WSIM_WMMA_LOAD_C] = exec_wmma_load,
                                            [WSIM_WMMA_STORE] = exec_wmma_store,
                                            [WSIM_WMMA] = exec_mma,
                                            [WSIM_MAP_REPLACE] = of_a_map};

enum wsim_status wsim_exec(const struct wsim_op *op, const struct wsim_arch *arch,
                           const struct wsim_operands *io, struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_check(op, arch, diag);
    return status ? status : families[isa_form(op)->family](op, arch, io, diag);
}
