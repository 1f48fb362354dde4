/* wsim_prepare: compiles all of an instruction that needs no operand. */
#include "door.h"

static enum wsim_status prepare(struct wsim_code *code, struct wsim_diag *diag) {
    const struct exec_door *door = &exec_doors[work_to(code)->door];
    if (!door->prepare)
        return door->run ? WSIM_OK : door->refuse(&code->op, diag);
    return door->prepare(code, diag);
}

enum wsim_status wsim_prepare(const struct wsim_op *op, const struct wsim_arch *arch,
                              uint32_t flags, struct wsim_code *code, struct wsim_diag *diag) {
    struct wsim_code made = {.op = *op, .arch = arch, .flags = flags};
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    status = exec_check_flags(flags, diag);
    if (status)
        return status;
    work_to(&made)->door = isa_family(op)->door;
    work_to(&made)->counting = isa_door(op)->counting;
    work_to(&made)->warps = (uint8_t)((isa_op_threads(op) + WSIM_LANES - 1) / WSIM_LANES);
    work_to(&made)->shared_end = isa_shared_end(arch);
    status = prepare(&made, diag);
    if (!status)
        *code = made;
    return status;
}
