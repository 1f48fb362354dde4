/* An execution from the command line: reads the given operands and fills the others. */
#include "exec.h"
#include "../common/input.h"
#include "../common/memory.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW_MAX = 1 << 20 };

static int moves_fragment(const struct exec_run *run) {
    return !run->in.is_umma && tool_moves_fragment(&run->in.op);
}

static int uses_addresses(const struct exec_run *run) {
    return moves_fragment(run) || (!run->in.is_umma && tool_moves_rows(&run->in.op));
}

static int uses_memory(const struct exec_run *run) {
    return run->is_group || uses_addresses(run);
}

/* --- options --- */

static void refuse_extra(const struct exec_run *run, const char *option, int given, int has) {
    if (!given || has)
        return;
    tool_fail("--%s: %s has no such operand", option, run->spelling);
}

static void check_extra(const struct exec_run *run, const struct exec_options *o) {
    for (int i = WSIM_A; i < WSIM_OPERANDS; i++)
        refuse_extra(run, wsim_operand_name((enum wsim_operand)i), o->text[i] != NULL, run->has[i]);
    refuse_extra(run, "smem", o->smem != NULL, uses_memory(run));
    refuse_extra(run, "addr", o->addr != NULL, uses_addresses(run));
    if (exec_group_given(&o->group) && !run->tensor)
        refuse_extra(run, exec_group_given(&o->group), 1, run->is_group);
    refuse_extra(run, "lane-mask", o->lane_mask != NULL, run->tensor != NULL);
    refuse_extra(run, "zero-mask", o->zero_mask != NULL, run->tensor != NULL);
}

/* Numbers that are not given stay 0. Byte-ids and thread-ids have 16 bits in PTX; the library
 * refuses those that the scale vector of the form does not use. */
static void read_numbers(struct exec_run *run, const struct exec_options *o) {
    const int in_registers = !run->in.is_umma;
    const uint32_t selectors = in_registers ? wsim_op_describe(&run->in.op).selectors : 0;
    const struct {
        const char *option;
        int has;
        uint32_t most, *number;
    } rules[EXEC_NUMBERS] = {
        {"--selector", in_registers && run->has[WSIM_E], selectors - 1, &run->selector},
        {"--bid-a", in_registers && run->has[WSIM_SFA], UINT16_MAX, &run->bid_a},
        {"--tid-a", in_registers && run->has[WSIM_SFA], UINT16_MAX, &run->tid_a},
        {"--bid-b", in_registers && run->has[WSIM_SFB], UINT16_MAX, &run->bid_b},
        {"--tid-b", in_registers && run->has[WSIM_SFB], UINT16_MAX, &run->tid_b},
        {"--stride", moves_fragment(run), WINDOW_MAX, &run->stride},
        {"--smem-size", uses_memory(run), WINDOW_MAX, &run->smem.size}};
    run->selector = run->in.atom.selector;
    for (int i = 0; i < EXEC_NUMBERS; i++) {
        refuse_extra(run, rules[i].option + 2, o->number[i] != NULL, rules[i].has);
        tool_number(rules[i].option, o->number[i], rules[i].most, rules[i].number);
    }
}

/* --- filling --- */

static void fill_registers(struct exec_run *run, const struct exec_options *o) {
    for (int i = WSIM_A; i < WSIM_OPERANDS; i++) {
        if (!run->has[i])
            continue;
        run->source[i] = o->text[i];
        if (run->group.in_memory[i])
            continue;
        if (!run->source[i])
            run->source[i] = operand_default((enum wsim_operand)i);
        operand_fill(&run->in.op, run->arch, (enum wsim_operand)i, run->source[i], &run->reading,
                     run->selector, &run->regs[i]);
    }
}

/* Bytes of a matrix of wmma, row by row or column by column, with room after its last line. */
static uint32_t matrix_bytes(const struct exec_run *run) {
    const struct wsim_layout *l = &run->layout[run->has[WSIM_R] ? WSIM_R : WSIM_D];
    uint64_t lines = l->rows > l->cols ? l->rows : l->cols;
    uint64_t elems = run->stride ? lines * run->stride : (uint64_t)l->rows * l->cols;
    uint64_t bytes = (elems * l->elem_bits + 7) / 8;
    return bytes < WINDOW_MAX ? (uint32_t)bytes : WINDOW_MAX;
}

/* Without --smem-size the window ends with the highest row, or with the matrix. */
static uint32_t window_size(const struct exec_run *run) {
    uint32_t highest = 0, row = moves_fragment(run) ? matrix_bytes(run) : 16;
    int lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        highest = run->addr[lane] > highest ? run->addr[lane] : highest;
    return highest < WINDOW_MAX - row ? highest + row : WINDOW_MAX;
}

static const char *default_memory(const struct exec_run *run) {
    if (run->has[WSIM_R])
        return "zero";
    switch (run->layout[WSIM_D].elem_bits) {
    case 16: return "iota16";
    case 32: return "iota32";
    default: return "iota8";
    }
}

static void fill_memory(struct exec_run *run, const struct exec_options *o) {
    run->addr_source = o->addr ? o->addr : moves_fragment(run) ? "0" : "lane * 16";
    run->smem_source = o->smem ? o->smem : default_memory(run);
    input_addresses("--addr", run->addr_source, run->addr);
    if (!o->number[EXEC_SMEM_SIZE])
        run->smem.size = window_size(run);
    run->smem.bytes = operand_memory(run->smem_source, &run->smem.size);
}

/* Each register of 32 lanes by its address; of a warpgroup the warps of a register follow each
 * other, as in the words themselves. NULL: no such operand in registers. */
static const uint32_t *const *point(struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    unsigned i;
    if (!run->has[operand] || run->group.in_memory[operand])
        return NULL;
    for (i = 0; i < layout->regs * layout->lanes / WSIM_LANES; i++)
        run->at[operand][i] = run->regs[operand].words + (size_t)i * WSIM_LANES;
    return (const uint32_t *const *)run->at[operand];
}

static void bind_numbers(const struct exec_run *run, enum wsim_view view, struct wsim_io *io) {
    const struct exec_group *group = &run->group;
    if (view == WSIM_VIEW_MMA) {
        io->mma.selector = run->selector;
        io->mma.bid_a = run->bid_a;
        io->mma.tid_a = run->tid_a;
        io->mma.bid_b = run->bid_b;
        io->mma.tid_b = run->tid_b;
    } else if (view == WSIM_VIEW_WGMMA) {
        io->wgmma.desc_a = group->desc[WSIM_A];
        io->wgmma.desc_b = group->desc[WSIM_B];
        io->wgmma.selector = run->selector;
        io->wgmma.scale_d = group->scale_d;
        io->wgmma.negate_a = run->in.atom.negate_a;
        io->wgmma.negate_b = run->in.atom.negate_b;
        io->wgmma.trans_a = run->in.atom.trans_a;
        io->wgmma.trans_b = run->in.atom.trans_b;
    } else {
        io->move.addr = run->addr;
        io->move.stride = run->stride;
    }
}

void exec_bind(struct exec_run *run) {
    const enum wsim_view view = wsim_op_describe(&run->in.op).view;
    if (run->tensor) {
        exec_tensor_bind(run);
        return;
    }
    run->shared = wsim_memory_over(WSIM_SHARED, run->smem.bytes, run->smem.size, 0);
    run->global = wsim_memory_over(WSIM_GLOBAL, run->smem.bytes, run->smem.size, 0);
    run->io = (struct wsim_io){.shared = run->smem.bytes ? &run->shared : NULL,
                               .global = run->smem.bytes ? &run->global : NULL};
    bind_numbers(run, view, &run->io);
    for (int i = WSIM_A; i < WSIM_OPERANDS; i++)
        wsim_io_put(&run->io, view, (enum wsim_operand)i, point(run, (enum wsim_operand)i));
    if (point(run, WSIM_D))
        wsim_io_put_result(&run->io, view, run->at[WSIM_D]);
}

void exec_execute(struct exec_run *run) {
    struct wsim_diag diag;
    exec_bind(run);
    if (wsim_run(&run->code, &run->io, &diag))
        tool_refuse(NULL, &diag);
    run->is_outside = !run->tensor && !wsim_code_documented(&run->code, &run->io, &run->outside);
}

/* Instructions without registers: wsim_exec names the function that executes them. */
static enum wsim_status refuse_without_registers(const struct exec_run *run,
                                                 struct wsim_diag *diag) {
    if (wsim_op_describe(&run->in.op).operands)
        return WSIM_OK;
    return wsim_exec(&run->in.op, run->arch, &(struct wsim_operands){0}, diag);
}

void exec_prepare(struct exec_run *run, const struct exec_options *o,
                  const struct instruction *in) {
    struct wsim_diag diag;
    run->in = *in;
    snprintf(run->spelling, sizeof run->spelling, "%s", in->spelling);
    run->arch = tool_target(o->arch ? o->arch : instruction_arch(in));
    if ((!in->is_umma &&
         (wsim_op_check(&in->op, run->arch, &diag) || refuse_without_registers(run, &diag))) ||
        instruction_prepare(in, run->arch, 0, &run->code, &diag))
        tool_refuse(NULL, &diag);
    for (int i = 0; i < WSIM_OPERANDS; i++)
        run->has[i] = instruction_layout(in, run->arch, (enum wsim_operand)i, &run->layout[i]);
    run->is_group = !in->is_umma && wsim_op_describe(&in->op).threads > WSIM_LANES;
    run->evidence = instruction_evidence(in, run->arch);
    run->lane = run->row = run->col = -1;
    run->reading = o->reading;
    if (in->is_umma)
        exec_tensor_open(run, o);
    else if (run->is_group)
        exec_group_open(run, &o->group);
    check_extra(run, o);
    read_numbers(run, o);
}

void exec_fill(struct exec_run *run, const struct exec_options *o) {
    if (run->tensor) {
        exec_tensor_fill(run, o);
        return;
    }
    fill_registers(run, o);
    if (run->is_group)
        exec_group_memory(run, o->smem);
    else if (uses_memory(run))
        fill_memory(run, o);
}

void exec_close(struct exec_run *run) {
    exec_tensor_close(run);
    free(run->smem.bytes);
    free(run);
}
