/* The operands that an instruction takes, from the row of its door. */
#include "door.h"

enum { FACTORS = WSIM_TAKES_SFA | WSIM_TAKES_SFB };

/* An optional operand is in `takes` alone. wmma names its window by its state space. */
static uint32_t needed(const struct wsim_op *op, const struct exec_door *door, uint32_t registers) {
    uint32_t needs = door->needs | (registers & ~door->takes);
    if (isa_does(op, WSIM_DOES_WMMA) && !isa_does(op, WSIM_DOES_MULTIPLY) && op->q[PLACE_SPACE])
        needs |= op->q[PLACE_SPACE] == Q_GLOBAL ? WSIM_TAKES_GLOBAL : WSIM_TAKES_SHARED;
    return needs;
}

static uint32_t taken(const struct wsim_op *op, const struct exec_door *door, uint32_t needs) {
    uint32_t takes = door->takes | needs;
    if (isa_form(op)->pattern)
        takes |= WSIM_TAKES_SELECTOR;
    if (takes & FACTORS)
        takes |= WSIM_TAKES_IDS;
    if (isa_does(op, WSIM_DOES_WMMA) && !isa_does(op, WSIM_DOES_MULTIPLY))
        takes |= WSIM_TAKES_GLOBAL | WSIM_TAKES_SHARED;
    if (isa_door(op)->view == WSIM_VIEW_BULK)
        takes |= WSIM_TAKES_GLOBAL |
                 (op->q[PLACE_DIMENSIONS] ? WSIM_TAKES_MAP : (uint32_t)WSIM_TAKES_BYTES);
    return takes;
}

struct wsim_code_operands wsim_code_operands(const struct wsim_code *code) {
    const struct exec_door *door = &exec_doors[work_of(code)->door];
    struct wsim_code_operands operands = {.view =
                                              (enum wsim_view)isa_doors[work_of(code)->door].view};
    uint32_t registers = 0;
    if (operands.view == WSIM_VIEW_UMMA) { /* its operands are in memory */
        operands.needs = door->needs;
        operands.takes = door->needs | door->takes;
        return operands;
    }
    for (unsigned o = 0; o < WSIM_OPERANDS && door->run; o++) {
        struct wsim_layout layout;
        if (!isa_op_has(&code->op, (enum wsim_operand)o) ||
            isa_op_layout(&code->op, code->arch, (enum wsim_operand)o, &layout, NULL))
            continue;
        registers |= UINT32_C(1) << o;
        operands.regs[o] = (uint16_t)(layout.regs * (layout.lanes / WSIM_LANES));
    }
    operands.needs = needed(&code->op, door, registers);
    operands.takes = taken(&code->op, door, operands.needs);
    return operands;
}

int wsim_io_put(struct wsim_io *io, enum wsim_view view, enum wsim_operand operand,
                const uint32_t *const *regs) {
    const uint32_t *const **const mma[WSIM_OPERANDS] = {
        [WSIM_A] = &io->mma.a, [WSIM_B] = &io->mma.b,     [WSIM_C] = &io->mma.c,
        [WSIM_E] = &io->mma.e, [WSIM_SFA] = &io->mma.sfa, [WSIM_SFB] = &io->mma.sfb};
    const uint32_t *const **const wgmma[WSIM_OPERANDS] = {
        [WSIM_A] = &io->wgmma.a, [WSIM_C] = &io->wgmma.c, [WSIM_E] = &io->wgmma.e};
    const uint32_t *const **const move[WSIM_OPERANDS] = {
        [WSIM_A] = &io->move.a, [WSIM_R] = &io->move.r};
    const uint32_t *const **const *const views[WSIM_VIEWS] = {
        [WSIM_VIEW_MMA] = mma, [WSIM_VIEW_WGMMA] = wgmma, [WSIM_VIEW_MOVE] = move};
    if ((unsigned)view >= WSIM_VIEWS || (unsigned)operand >= WSIM_OPERANDS || !views[view] ||
        !views[view][operand])
        return 0;
    *views[view][operand] = regs;
    return 1;
}

int wsim_io_put_result(struct wsim_io *io, enum wsim_view view, uint32_t *const *d) {
    switch (view) {
    case WSIM_VIEW_MMA: io->mma.d = d; return 1;
    case WSIM_VIEW_WGMMA: io->wgmma.d = d; return 1;
    case WSIM_VIEW_MOVE: io->move.d = d; return 1;
    default: return 0;
    }
}
