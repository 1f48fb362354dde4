/* Operands of matrix instructions and copies: registers of a frame, addresses, windows of memory.
 */
#include "matrix.h"

#include "../isa/isa.h"
#include "../decode/build.h"
#include "../state/device.h"
#include "access.h"

/* --- planned --- */

void *matrix_keep(struct run_plan *plan, size_t size, enum wsim_status *status) {
    void *kept = plan_keep(plan, size);
    *status =
        kept ? WSIM_OK
             : base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for the kernel");
    return kept;
}

enum wsim_status matrix_code_plan(struct run_plan *plan) {
    uint32_t number;
    TRY(plan_code(plan, &plan->opcode->op, &number));
    plan->op->immediate = number;
    return WSIM_OK;
}

enum wsim_status matrix_word_plan(struct run_plan *plan, uint32_t index, struct run_row *row) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index, &count);
    *row = (struct run_row){0};
    return count == 1 ? plan_row_of(plan, parts, 32, row) : plan_row(plan, index, 32, row);
}

/* A register that is left out: its result goes to a row that no instruction reads. */
static enum wsim_status one_row(struct run_plan *plan, const struct ptx_operand *operand, int wide,
                                uint32_t *at) {
    struct run_row row;
    TRY(plan_row_of(plan, operand, wide ? 64 : 32, &row));
    if (!row.bits)
        TRY(plan_scratch(plan, wide ? 64 : 32, &row));
    if (row.bits != (wide ? 64 : 32))
        return plan_refuse(plan, wide ? "its registers must have 64 bits"
                                      : "its registers must have 32 bits");
    *at = row.at;
    return WSIM_OK;
}

enum wsim_status matrix_rows_plan(struct run_plan *plan, uint32_t index, enum wsim_operand operand,
                                  unsigned most, uint32_t *at, struct matrix_regs *shape) {
    struct wsim_layout layout;
    const struct ptx_operand *parts;
    uint32_t count;
    TRY(wsim_op_layout(&plan->opcode->op, NULL, operand, &layout, plan->diag));
    shape->wide = layout.elem_bits == 64;
    shape->n = (uint8_t)(layout.regs >> shape->wide);
    parts = plan_parts(plan, index, &count);
    if (count != shape->n || count > most)
        return base_refuse(plan->diag, RULE_LAUNCH_INSTRUCTION_UNMODELLED, 0,
                           "%.100s: operand %s has %u registers, and %u are given",
                           plan->opcode->text, wsim_operand_name(operand), shape->n, count);
    for (uint32_t i = 0; i < count; i++)
        TRY(one_row(plan, &parts[i], shape->wide, &at[i]));
    return WSIM_OK;
}

enum wsim_status matrix_regs_plan(struct run_plan *plan, uint32_t index, enum wsim_operand operand,
                                  struct matrix_regs *regs) {
    return matrix_rows_plan(plan, index, operand, MATRIX_REGISTERS, regs->at, regs);
}

uint32_t matrix_space(struct run_plan *plan, uint32_t bytes) {
    struct run_build *build = plan->build;
    if (build->space_bytes < bytes) {
        struct run_param space = build_param(build, (bytes + RUN_LANES - 1) / RUN_LANES);
        build->space_at = space.at;
        build->space_bytes = space.at ? bytes : 0;
    }
    return build->space_at;
}

enum ptx_space matrix_space_of(const struct wsim_op *op) {
    switch (op->q[PLACE_SPACE]) {
    case Q_SHARED:
    case Q_SHARED_CTA:
    case Q_SHARED_CLUSTER: return PTX_SHARED;
    case Q_GLOBAL: return PTX_GLOBAL;
    default: return PTX_GENERIC;
    }
}

enum wsim_status matrix_address_plan(struct run_plan *plan, uint32_t index, enum ptx_space space,
                                     struct matrix_address *address) {
    address->space = (uint8_t)space;
    return plan_address(plan, index, &address->base, &address->offset);
}

void matrix_addresses(uint8_t *frame, const struct matrix_address *address,
                      uint64_t at[RUN_LANES]) {
    if (address->base.bits > 32) {
        const uint64_t *base = run_longs(frame, address->base.at);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            at[lane] = base[lane] + address->offset;
    } else {
        const uint32_t *base = run_words(frame, address->base.at);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            at[lane] = (uint32_t)(base[lane] + (uint32_t)address->offset);
    }
}

/* --- rows of 64 bits --- */

void matrix_split(uint8_t *frame, const struct matrix_regs *regs, uint32_t *words, uint32_t **to) {
    for (unsigned i = 0; i < regs->n; i++) {
        const uint64_t *row = run_longs(frame, regs->at[i]);
        uint32_t *low = words + 2 * i * RUN_LANES, *high = low + RUN_LANES;
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            low[lane] = (uint32_t)row[lane];
            high[lane] = (uint32_t)(row[lane] >> 32);
        }
        to[2 * i] = low;
        to[2 * i + 1] = high;
    }
}

void matrix_join(uint8_t *frame, const struct matrix_regs *regs, const uint32_t *words,
                 uint32_t lanes) {
    for (unsigned i = 0; i < regs->n; i++) {
        uint64_t *row = run_longs(frame, regs->at[i]);
        const uint32_t *low = words + 2 * i * RUN_LANES, *high = low + RUN_LANES;
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = run_lowest(rest);
            row[lane] = (uint64_t)high[lane] << 32 | low[lane];
        }
    }
}

/* --- windows --- */

struct wsim_memory matrix_shared(const struct run_block *block) {
    struct wsim_memory memory = block->shared;
    memory.base -= (uint64_t)block->rank << RUN_RANK_SHIFT;
    return memory;
}

struct wsim_memory matrix_global(void) {
    return wsim_memory_over(WSIM_GLOBAL, (void *)(uintptr_t)1, UINT64_MAX - 1, 1);
}

/* Memory that does not exist: run_reach reports it, as for any access. */
static enum run_next refuse_window(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                   enum ptx_space space, uint64_t at, uint64_t bytes) {
    struct run_access access = {.space = (uint8_t)space,
                                .bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes,
                                .lanes = 1u << lane};
    access.at[lane] = at;
    if (run_reach(warp, op, &access, 1) == RUN_STOP)
        return RUN_STOP;
    return run_finding(warp, op, lane, RULE_MEMORY_SPACE, 1,
                       "address 0x%llx is in a state space that this does not access",
                       (unsigned long long)at);
}

enum run_next matrix_window(struct run_warp *warp, const struct run_op *op, unsigned lane,
                            enum ptx_space space, uint64_t *at, uint64_t bytes,
                            struct wsim_memory *memory, const struct run_block **block) {
    const struct wsim_device *device = warp->worker->launch->device;
    if (space == PTX_GENERIC) {
        space = run_space_of(*at);
        if (space != PTX_GLOBAL)
            *at = (uint32_t)*at;
    }
    if (space == PTX_SHARED) {
        const struct run_unit *unit = warp->block->unit;
        uint32_t rank = (uint32_t)*at >> RUN_RANK_SHIFT;
        if (rank >= unit->n_blocks)
            return refuse_window(warp, op, lane, space, *at, bytes);
        *at = matrix_unranked(&unit->blocks[rank], *at);
        *memory = matrix_shared(&unit->blocks[rank]);
        if (block)
            *block = &unit->blocks[rank];
        return RUN_ON;
    }
    if (space == PTX_GLOBAL && device->all && !run_buffer_of(device, *at, bytes)) {
        *memory = matrix_global();
        return RUN_ON;
    }
    if (!run_window(warp, space, *at, bytes, memory))
        return refuse_window(warp, op, lane, space, *at, bytes);
    return RUN_ON;
}
