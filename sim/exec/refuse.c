/* Refusals of doors that execute nothing. */
#include "door.h"

enum wsim_status refuse_unknown(const struct wsim_op *op, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_OP_FAMILY_COUNTED, 0,
                       "%s is known but not modelled: wsim neither executes nor counts it",
                       isa_family(op)->name);
}

enum wsim_status refuse_counted(const struct wsim_op *op, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_OP_FAMILY_COUNTED, 0,
                       "%s is known to the bank model only; wsim does not execute it",
                       isa_family(op)->name);
}

enum wsim_status refuse_order(const struct wsim_op *op, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_OP_FAMILY_ORDERS, 0,
                       "%s only orders other instructions; there is nothing to execute",
                       isa_family(op)->name);
}

enum wsim_status refuse_edit(const struct wsim_op *op, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0,
                       "%s has no registers of a warp: wsim_tensor_replace executes it",
                       isa_family(op)->name);
}
