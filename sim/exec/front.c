/* The doors with operands in boxes: a struct wsim_regs is registers one after another. */
#include "door.h"
#include "wgmma.h"

#include <wsim/exec.h>
#include <wsim/wgmma.h>

/* --- a warp --- */

/* Pointers to the registers of a box. */
struct pointers {
    uint32_t *d[WSIM_MAX_REGS];
    const uint32_t *in[3][WSIM_MAX_REGS]; /* a, b, c; a, r */
};

static const uint32_t *const *point(const struct wsim_regs *regs, const uint32_t **to) {
    for (unsigned r = 0; regs && r < WSIM_MAX_REGS; r++)
        to[r] = regs->r[r];
    return regs ? to : NULL;
}

static uint32_t *const *point_out(struct wsim_regs *regs, uint32_t **to) {
    for (unsigned r = 0; regs && r < WSIM_MAX_REGS; r++)
        to[r] = regs->r[r];
    return regs ? to : NULL;
}

/* The window if the instruction accesses global memory with it: its space is global, or its
 * address is generic and the window is global. */
static const struct wsim_memory *global_of(const struct wsim_code *code,
                                           const struct wsim_memory *window) {
    int is_global = code->op.q[PLACE_SPACE] == Q_GLOBAL;
    return is_global || (window && window->space == WSIM_GLOBAL) ? window : NULL;
}

static enum wsim_status run_in_warp(const struct wsim_code *code, const struct wsim_operands *box,
                                    struct wsim_diag *diag) {
    struct pointers to;
    struct wsim_io io = {.shared = box->smem, .global = global_of(code, box->smem)};
    if (isa_door(&code->op)->view == WSIM_VIEW_MMA)
        io.mma = (struct wsim_io_mma){.d = point_out(box->d, to.d),
                                      .a = point(box->a, to.in[0]),
                                      .b = point(box->b, to.in[1]),
                                      .c = point(box->c, to.in[2]),
                                      .e = box->e ? &box->e : NULL,
                                      .sfa = box->sfa ? &box->sfa : NULL,
                                      .sfb = box->sfb ? &box->sfb : NULL,
                                      .selector = box->selector,
                                      .bid_a = box->bid_a,
                                      .tid_a = box->tid_a,
                                      .bid_b = box->bid_b,
                                      .tid_b = box->tid_b};
    else
        io.move = (struct wsim_io_move){.d = point_out(box->d, to.d),
                                        .a = point(box->a, to.in[0]),
                                        .r = point(box->r, to.in[1]),
                                        .addr = box->addr,
                                        .mask = UINT32_MAX,
                                        .stride = box->stride};
    return wsim_run(code, &io, diag);
}

enum wsim_status wsim_exec(const struct wsim_op *op, const struct wsim_arch *arch,
                           const struct wsim_operands *box, struct wsim_diag *diag) {
    struct wsim_code code;
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    if (!exec_doors[isa_family(op)->door].run)
        return exec_doors[isa_family(op)->door].refuse(op, diag);
    if (isa_is_group(op))
        return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0,
                           "%s is executed by a warpgroup: call wsim_wgmma_run, not wsim_exec",
                           isa_op_called(op).text);
    if (!isa_family(op)->operands)
        return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0, "%s has no registers: call wsim_run",
                           isa_family(op)->name);
    status = wsim_prepare(op, arch, 0, &code, diag);
    return status ? status : run_in_warp(&code, box, diag);
}

/* --- a warpgroup --- */

enum { WARPS = WSIM_GROUP_THREADS / WSIM_LANES };

/* A box of a warpgroup has its 32-word rows in the order of struct wsim_io. */
enum wsim_status wsim_wgmma_run(const struct wsim_op *op, const struct wsim_arch *arch,
                                const struct wsim_wgmma *box, struct wsim_diag *diag) {
    const uint32_t *a[WSIM_MAX_REGS], *e[WARPS];
    struct product_in c = {NULL, box->c ? box->c->r[0] : NULL};
    struct product_out d = {NULL, box->d ? box->d->r[0] : NULL};
    struct wsim_memory shared =
        wsim_memory_const(WSIM_SHARED, box->smem, box->smem_size, box->smem_base);
    struct wsim_io io = {.shared = box->smem ? &shared : NULL,
                         .wgmma = {.a = box->a ? a : NULL,
                                   .e = box->e ? e : NULL,
                                   .selector = box->selector,
                                   .scale_d = box->scale_d,
                                   .negate_a = box->negate_a,
                                   .negate_b = box->negate_b,
                                   .trans_a = box->trans_a,
                                   .trans_b = box->trans_b,
                                   .desc_a = box->desc_a,
                                   .desc_b = box->desc_b}};
    struct wsim_code code;
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (!status && !isa_is_group(op))
        status = base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s is not wgmma.mma_async",
                             isa_op_called(op).text);
    if (!status)
        status = wsim_prepare(op, arch, 0, &code, diag);
    if (status)
        return status;
    for (unsigned i = 0; i < WSIM_MAX_REGS && box->a; i++)
        a[i] = &box->a->r[i / WARPS][i % WARPS * WSIM_LANES];
    for (unsigned i = 0; i < WARPS && box->e; i++)
        e[i] = box->e + (size_t)i * WSIM_LANES;
    return wgmma_run(&code, &io, c, d, diag);
}
