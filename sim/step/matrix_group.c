/* wgmma.mma_async: four warps multiply together. Registers are rows of four frames, which belong to
 * the same function and are laid out alike. */
#include "matrix.h"

#include "../isa/isa.h"
#include "taint.h"
#include "../state/known.h"
#include "taint_matrix.h"

#include <wsim/wgmma.h>

enum { WARPS = 4, MOST_RESULTS = 128 };

/* op->more. */
struct group {
    struct matrix_regs a;       /* n 0: A is where a descriptor says                              */
    struct matrix_regs results; /* their number; the rows are d */
    uint32_t d[MOST_RESULTS];
    struct run_row desc_a, desc_b, e, scale_d;
    uint32_t selector;
    uint32_t space; /* of the frame of the first warp: pointers to registers               */
    uint8_t negate_a, negate_b, trans_a, trans_b;
};

/* Known at issue. Registers are read and written on completion. */
struct flight {
    const struct group *group;
    uint8_t *frame[WARPS];
    uint64_t desc_a, desc_b;
    uint32_t scale_d;
};

/* Register r of warp w is number 4 r + w. */
static void point(const struct flight *flight, const uint32_t *at, unsigned n, uint32_t **to) {
    for (unsigned r = 0; r < n; r++)
        for (unsigned w = 0; w < WARPS; w++)
            to[WARPS * r + w] = run_words(flight->frame[w], at[r]);
}

/* --- uninitialised bits --- */

static struct taint_matrix matrix_of(const struct wsim_op *instruction, enum wsim_operand operand,
                                     const uint32_t *at, struct run_warp *first,
                                     const struct flight *flight) {
    struct taint_matrix matrix = {.at = at};
    wsim_op_layout(instruction, NULL, operand, &matrix.layout, NULL);
    for (unsigned w = 0; w < WARPS; w++)
        matrix.mirror[w] = taint_find(&first[w], flight->frame[w]);
    return matrix;
}

/* The origin of an uninitialised element in shared memory; 0: it is initialised. */
static uint32_t origin_at(struct run_warp *warp, const struct run_op *op, uint64_t at,
                          unsigned bytes) {
    const struct run_initialised *bits = &warp->block->initialised;
    const uint64_t base = matrix_shared(warp->block).base;
    for (unsigned i = 0; i < bytes; i++) {
        const uint64_t from = at + i - base;
        if (!known_missing(&bits->known[from / 64], UINT64_C(1) << from % 64))
            continue;
        if (bits->origins && bits->origins[from / 4])
            return bits->origins[from / 4];
        return taint_origin(warp, op, PTX_SHARED, 1, warp->block->shared.base + from, NULL);
    }
    return 0;
}

/* Lines of a matrix in shared memory: rows of A, or columns of B. */
static void mark_memory(struct run_warp *warp, const struct run_op *op,
                        const struct wsim_op *instruction, enum wsim_operand operand,
                        const struct flight *flight, uint16_t *lines) {
    const int is_a = operand == WSIM_A;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
    if (wsim_wgmma_tile(instruction, operand,
                        is_a ? flight->group->trans_a : flight->group->trans_b, &tile, NULL))
        return;
    wsim_descriptor_decode(is_a ? flight->desc_a : flight->desc_b, &descriptor, NULL);
    for (unsigned row = 0; row < tile.rows && row < TAINT_LINES; row++)
        for (unsigned k = 0; k < tile.k && !lines[row]; k += tile.bits == 1 ? 32 : 1)
            lines[row] =
                (uint16_t)origin_at(warp, op, wsim_descriptor_address(&descriptor, &tile, row, k),
                                    tile.bits < 8 ? 4 : tile.bits / 8u);
}

/* The frame of a warp that issued the product. */
static const struct run_frame *frame_of(const struct run_warp *warp, const uint8_t *bytes) {
    for (uint32_t depth = 0; depth < warp->n_levels; depth++)
        for (const struct run_frame *frame = warp->levels[depth].frames; frame; frame = frame->next)
            if (frame->bytes == bytes)
                return frame;
    return NULL;
}

static void taint_product(struct run_warp *warp, const struct run_op *op,
                          const struct flight *flight) {
    const struct group *group = flight->group;
    const struct wsim_op *instruction = &matrix_code(warp, op)->op;
    struct run_warp *first = warp->block->warps + (warp->number & ~(WARPS - 1u));
    struct taint_lines lines = {.adds = flight->scale_d != 0};
    struct taint_matrix d;
    uint16_t any = 0;
    if (group->a.n) {
        const struct taint_matrix a = matrix_of(instruction, WSIM_A, group->a.at, first, flight);
        if (taint_matrix_any(&a, group->a.n))
            taint_matrix_rows(&a, &lines);
    } else {
        mark_memory(warp, op, instruction, WSIM_A, flight, lines.row);
    }
    mark_memory(warp, op, instruction, WSIM_B, flight, lines.column);
    for (unsigned i = 0; i < TAINT_LINES; i++)
        any |= lines.row[i] | lines.column[i];
    for (unsigned w = 0; any && w < WARPS; w++) {
        const struct run_frame *frame = frame_of(&first[w], flight->frame[w]);
        if (!frame || !taint_mirror(&first[w], frame))
            return;
    }
    d = matrix_of(instruction, WSIM_D, group->d, first, flight);
    if (any || !lines.adds)
        taint_matrix_put(&d, &lines);
}

/* Whether one of the four warps has uninitialised registers. */
static int is_tainted(const struct run_warp *warp) {
    const struct run_warp *first = warp->block->warps + (warp->number & ~(WARPS - 1u));
    for (unsigned w = 0; w < WARPS; w++)
        if (first[w].taint)
            return 1;
    return 0;
}

static enum run_next multiply(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                              const void *data) {
    const struct flight *flight = data;
    const struct group *group = flight->group;
    uint32_t **d = (uint32_t **)(void *)(flight->frame[0] + group->space);
    uint32_t **a = d + WARPS * group->results.n;
    const uint32_t *e[WARPS];
    struct wsim_memory shared = matrix_shared(warp->block);
    struct wsim_io io = {.shared = &shared,
                         .wgmma = {.d = d,
                                   .c = (const uint32_t *const *)d,
                                   .selector = group->selector,
                                   .scale_d = flight->scale_d,
                                   .negate_a = group->negate_a,
                                   .negate_b = group->negate_b,
                                   .trans_a = group->trans_a,
                                   .trans_b = group->trans_b,
                                   .desc_a = flight->desc_a,
                                   .desc_b = flight->desc_b}};
    struct hear_watch watch;
    struct wsim_diag diag;
    int tells;
    (void)lanes;
    point(flight, group->d, group->results.n, d);
    if (group->a.n) {
        point(flight, group->a.at, group->a.n, a);
        io.wgmma.a = (const uint32_t *const *)a;
    }
    if (group->e.bits) {
        for (unsigned w = 0; w < WARPS; w++)
            e[w] = run_words(flight->frame[w], group->e.at);
        io.wgmma.e = e;
    }
    tells = warp->worker->hears != 0;
    if (tells) {
        hear_memory(&watch, warp, op, 0, 1 + SYNC_WGMMA);
        hear_memory_taints(&watch, RUN_TAINTS_STEP);
        shared.watch = &watch.watch;
    }
    if (wsim_run(matrix_code(warp, op), &io, &diag))
        return run_refused(warp, op, RUN_LANES, &diag);
    if (tells)
        hear_memory_end(&watch);
    if (tells && warp->block->initialised.known && is_tainted(warp)) {
        taint_product(warp, op, flight);
        if (warp->taint)
            warp->taint->loads = 0;
    }
    return RUN_ON;
}

static enum run_next issue(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct group *group = op->more;
    struct flight flight = {.group = group};
    struct run_product product;
    struct run_warp *first;
    enum run_next next = sync_warpgroup(warp, op, lanes, &first);
    if (next || !first)
        return next;
    flight.desc_a = run_get(frame, group->desc_a, run_lowest(lanes));
    flight.desc_b = run_get(frame, group->desc_b, run_lowest(lanes));
    flight.scale_d = (uint32_t)run_get(frame, group->scale_d, run_lowest(lanes));
    product = (struct run_product){.desc = {flight.desc_a, flight.desc_b},
                                   .in_memory = {!group->a.n, 1},
                                   .trans = {group->trans_a, group->trans_b},
                                   .adds = flight.scale_d != 0,
                                   .d = group->d[0]};
    for (unsigned w = 0; w < WARPS; w++) {
        flight.frame[w] = first[w].group->frame->bytes;
        hear_order(&first[w], op, UINT32_MAX, RUN_ORDER_PRODUCT, &product);
    }
    next = sync_issue(warp, op, lanes, SYNC_WGMMA, multiply, &flight, sizeof flight);
    return next == RUN_ON && warp->taint ? RUN_TAINT : next;
}

/* imm-scale: 1 or -1; imm-trans: 0 or 1. */
static enum wsim_status immediate_plan(struct run_plan *plan, uint32_t index, uint64_t zero,
                                       uint64_t one, uint8_t *value) {
    uint64_t bits;
    if (!plan_constant(plan, index, &bits) || (bits != zero && bits != one))
        return base_refuse(plan->diag, RULE_LAUNCH_INSTRUCTION_UNMODELLED, 0,
                           "%.100s: operand %u is not %lld or %lld, a constant", plan->opcode->text,
                           index + 1, (long long)zero, (long long)one);
    *value = bits == one;
    return WSIM_OK;
}

/* The operands after the matrices: metadata, whether C is added, signs, transposes. */
static enum wsim_status behind_plan(struct run_plan *plan, struct group *group) {
    const struct isa_form *form = isa_form(&plan->opcode->op);
    uint32_t next = 3;
    if (form->pattern != PATTERN_NONE) {
        uint64_t selector;
        TRY(matrix_word_plan(plan, next, &group->e));
        if (group->e.bits != 32 || !plan_constant(plan, next + 1, &selector))
            return plan_refuse(plan, "metadata are a register and a selector, a constant");
        group->selector = (uint32_t)selector;
        next += 2;
    }
    TRY(plan_row(plan, next, 1, &group->scale_d));
    if (group->scale_d.bits != 1)
        return plan_refuse(plan, "scale-d is not a predicate");
    next++;
    if (form->signs && next < plan->count) {
        TRY(immediate_plan(plan, next, 1, UINT64_MAX, &group->negate_a));
        TRY(immediate_plan(plan, next + 1, 1, UINT64_MAX, &group->negate_b));
        next += 2;
    }
    if (form->majors && !group->a.n && next < plan->count)
        TRY(immediate_plan(plan, next++, 0, 1, &group->trans_a));
    if (form->majors && next < plan->count)
        TRY(immediate_plan(plan, next++, 0, 1, &group->trans_b));
    if (next != plan->count)
        return plan_refuse(plan, "it has a wrong number of operands");
    return WSIM_OK;
}

static enum wsim_status descriptor_plan(struct run_plan *plan, uint32_t index,
                                        struct run_row *row) {
    TRY(plan_row(plan, index, 64, row));
    if (row->bits != 64)
        return plan_refuse(plan, "a descriptor has 64 bits");
    return WSIM_OK;
}

enum wsim_status matrix_group_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct group *group = matrix_keep(plan, sizeof *group, &status);
    uint32_t pointers;
    TRY(status);
    TRY(matrix_code_plan(plan));
    TRY(matrix_rows_plan(plan, 0, WSIM_D, MOST_RESULTS, group->d, &group->results));
    if (plan->count > 1 && plan->operands[1].kind == PTX_OP_VECTOR)
        TRY(matrix_regs_plan(plan, 1, WSIM_A, &group->a));
    else
        TRY(descriptor_plan(plan, 1, &group->desc_a));
    TRY(descriptor_plan(plan, 2, &group->desc_b));
    TRY(behind_plan(plan, group));
    pointers = WARPS * ((uint32_t)group->results.n + group->a.n);
    group->space = matrix_space(plan, pointers * (uint32_t)sizeof(uint32_t *));
    if (!group->space)
        return plan_refuse(plan, "the function has too many registers");
    plan_beside(plan, SYNC_WGMMA);
    return plan_does_with(plan, issue, group);
}
