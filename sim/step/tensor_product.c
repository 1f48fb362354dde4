/* tcgen05.mma, tcgen05.cp and tcgen05.commit: work that one thread issues. A commit arrives at its
 * mbarrier after the work that was issued before it. */
#include "tensor.h"

#include "../decode/build.h"
#include "../isa/isa.h"

enum { MASK_WORDS = 8, MOST_BLOCKS = 16 };

/* --- mma --- */

/* op->more of a product. */
struct mma {
    struct wsim_umma form;
    struct matrix_address d, a, e, sfa, sfb;
    struct run_row desc_a, desc_b, idesc, adds, zero_columns, mask[MASK_WORDS];
    uint8_t a_in_tensor, masks, scale_d, collector;
};

/* A product that one lane has issued. */
struct flight {
    struct wsim_io_umma io;
    uint32_t idesc, mask[MASK_WORDS];
};

/* Code of a form with a descriptor: that of an earlier product of the block, or made anew. */
static enum run_next prepare(struct run_warp *warp, const struct run_op *op, unsigned lane,
                             struct run_tensor *tensor, uint32_t idesc,
                             const struct wsim_code **code) {
    const struct mma *mma = op->more;
    struct run_tensor_code *kept = tensor->codes;
    struct wsim_diag diag;
    for (; kept < tensor->codes + RUN_TENSOR_CODES; kept++)
        if (kept->idesc == idesc && memcmp(&kept->form, &mma->form, sizeof mma->form) == 0)
            return *code = &kept->code, RUN_ON;
    kept = &tensor->codes[tensor->next_code++ % RUN_TENSOR_CODES];
    if (wsim_umma_prepare(&mma->form, idesc, warp->worker->launch->arch, 0, &kept->code, &diag))
        return run_refused(warp, op, lane, &diag);
    kept->idesc = idesc;
    kept->form = mma->form;
    return *code = &kept->code, RUN_ON;
}

/* The columns of all operands in tensor memory are allocated. */
static enum run_next check(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           const struct run_block *block, const struct wsim_code *code,
                           const struct wsim_io_umma *io) {
    static const char *const names[UMMA_OPERANDS] = {
        "D", "A", "the metadata", "the scale factors of A", "the scale factors of B"};
    for (unsigned i = 0; i < UMMA_OPERANDS; i++) {
        unsigned columns = umma_columns(code, io, (enum umma_operand)i);
        enum run_next next = columns ? tensor_check(warp, op, lane, block, names[i],
                                                    umma_address(io, (enum umma_operand)i), columns)
                                     : RUN_ON;
        if (next)
            return next;
    }
    return RUN_ON;
}

static enum run_next multiply(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                              const void *data) {
    const struct mma *mma = op->more;
    const struct wsim_code *code = NULL;
    struct flight flight;
    struct wsim_memory shared[2];
    struct wsim_io io = {.where = run_number(warp, op), .warp = (uint16_t)warp->number};
    struct hear_watch watch;
    struct wsim_diag diag;
    unsigned lane = run_lowest(lanes);
    const int tells = warp->worker->hears != 0;
    enum run_next next;
    memcpy(&flight, data, sizeof flight);
    if (!warp->block->tensor)
        return tensor_check(warp, op, lane, warp->block, "D", flight.io.d, 1);
    next = prepare(warp, op, lane, warp->block->tensor, flight.idesc, &code);
    if (next)
        return next;
    io.umma = flight.io;
    io.umma.mask = mma->masks ? flight.mask : NULL;
    if (tells)
        hear_memory(&watch, warp, op, lane, 1 + SYNC_TENSOR);
    for (unsigned i = 0; i < mma->form.blocks; i++) {
        struct run_block *block = mma->form.blocks == 1 ? warp->block : tensor_pair(warp->block, i);
        next = check(warp, op, lane, block, code, &io.umma);
        if (!next)
            next = tensor_known_product(warp, op, lane, block, i, code, &io.umma);
        if (next)
            return next;
        shared[i] = matrix_shared(block);
        shared[i].watch = tells ? &watch.watch : NULL;
        if (i == 0)
            io.umma.tensor = &block->tensor->memory;
        else
            io.umma.odd_tensor = &block->tensor->memory;
    }
    io.shared = &shared[0];
    io.umma.odd_shared = &shared[1];
    if (wsim_run(code, &io, &diag))
        return run_refused(warp, op, lane, &diag);
    if (tells)
        hear_memory_end(&watch);
    for (unsigned i = 0; i < mma->form.blocks; i++)
        tensor_known_result(mma->form.blocks == 1 ? warp->block : tensor_pair(warp->block, i), i,
                            code, &io.umma);
    matrix_event(warp);
    return RUN_ON;
}

/* Names the place and the shape of D. */
static uint32_t d_of(const struct wsim_code *code, uint32_t address) {
    const struct wsim_code_tensor *tensor = &work_of(code)->tensor;
    const uint32_t cols = (uint32_t)tensor->part_cols * tensor->parts;
    return umma_column(address) | umma_lane(address) / 16u << 9 | tensor->rows / 32u << 12 |
           cols / 8u << 16 | (uint32_t)tensor->blocks << 24;
}

/* Notes the columns of all operands. */
static enum run_next order(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           const struct flight *flight) {
    const struct mma *mma = op->more;
    const struct wsim_code *code = NULL;
    enum run_next next = RUN_ON;
    if (!warp->block->tensor)
        return RUN_ON;
    next = prepare(warp, op, lane, warp->block->tensor, flight->idesc, &code);
    if (!next)
        next = tensor_group(warp, op, lane, mma->form.blocks);
    for (unsigned i = 0; i < mma->form.blocks * UMMA_OPERANDS && !next; i++) {
        enum umma_operand operand = (enum umma_operand)(i % UMMA_OPERANDS);
        struct run_block *block =
            mma->form.blocks == 1 ? warp->block : tensor_pair(warp->block, i / UMMA_OPERANDS);
        next = tensor_order_work(warp, op, lane, block, umma_address(&flight->io, operand),
                                 umma_columns(code, &flight->io, operand),
                                 operand == UMMA_D ? ISA_UMMA_PRODUCT : ISA_UMMA_READS,
                                 d_of(code, flight->io.d));
    }
    return next;
}

static enum run_next issue_product(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    const struct mma *mma = op->more;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        struct flight flight = {.idesc = (uint32_t)run_get(frame, mma->idesc, lane)};
        struct wsim_io_umma *io = &flight.io;
        enum run_next next = tensor_check_pair(warp, op, lane, mma->form.blocks);
        if (next)
            return next;
        io->d = (uint32_t)matrix_address_of(frame, &mma->d, lane);
        io->a_in_tensor = mma->a_in_tensor;
        if (mma->a_in_tensor)
            io->a = (uint32_t)matrix_address_of(frame, &mma->a, lane);
        else
            io->desc_a = run_get(frame, mma->desc_a, lane);
        io->desc_b = run_get(frame, mma->desc_b, lane);
        if (mma->form.sparse)
            io->e = (uint32_t)matrix_address_of(frame, &mma->e, lane);
        if (mma->form.factors) {
            /* CuTe leaves the byte of the word in bits 30 and 31; the descriptor has it too. */
            io->sfa = (uint32_t)matrix_address_of(frame, &mma->sfa, lane) & 0x3FFFFFFFu;
            io->sfb = (uint32_t)matrix_address_of(frame, &mma->sfb, lane) & 0x3FFFFFFFu;
        }
        io->adds = (uint8_t)(run_get(frame, mma->adds, lane) != 0);
        io->scale_d = mma->scale_d;
        io->zero_columns = run_get(frame, mma->zero_columns, lane);
        for (unsigned i = 0; i < mma->masks; i++)
            flight.mask[i] = (uint32_t)run_get(frame, mma->mask[i], lane);
        next = tensor_collector(warp, op, lane, io, mma->collector);
        if (next)
            return next;
        next = order(warp, op, lane, &flight);
        if (next)
            return next;
        next = sync_issue(warp, op, 1u << lane, SYNC_TENSOR, multiply, &flight, sizeof flight);
        if (next)
            return next;
    }
    return RUN_ON;
}

static enum wsim_status address_plan(struct run_plan *plan, uint32_t index,
                                     struct matrix_address *address) {
    return matrix_address_plan(plan, index, PTX_SHARED, address);
}

/* The operands between A and the end. */
static enum wsim_status rest_plan(struct run_plan *plan, struct mma *mma) {
    uint32_t next = 3;
    TRY(plan_row(plan, 2, 64, &mma->desc_b));
    if (mma->form.sparse)
        TRY(address_plan(plan, next++, &mma->e));
    TRY(plan_row(plan, next++, 32, &mma->idesc));
    if (mma->form.factors) {
        TRY(address_plan(plan, next++, &mma->sfa));
        TRY(address_plan(plan, next++, &mma->sfb));
    }
    if (next < plan->count && plan->operands[next].kind == PTX_OP_VECTOR) {
        uint32_t count;
        const struct ptx_operand *parts = plan_parts(plan, next++, &count);
        if (count != 4u * mma->form.blocks)
            return plan_refuse(plan, "the mask of lanes has 4 words a block");
        mma->masks = (uint8_t)count;
        for (uint32_t i = 0; i < count; i++)
            TRY(plan_row_of(plan, &parts[i], 32, &mma->mask[i]));
    }
    TRY(plan_row(plan, next++, 1, &mma->adds));
    if (next < plan->count && mma->form.stationary)
        TRY(plan_row(plan, next++, 64, &mma->zero_columns));
    if (next < plan->count) {
        uint64_t scale;
        if (!plan_constant(plan, next++, &scale))
            return plan_refuse(plan, "scale-input-d is not a constant");
        /* The assembler takes numbers there that no manual explains. */
        if (mma->form.kind == WSIM_UMMA_I8 && scale)
            return plan_refuse(plan, "no source says what a last number does with kind::i8");
        mma->scale_d = (uint8_t)scale;
        if (mma->form.kind != WSIM_UMMA_I8)
            plan->build->program->again = &plan->opcode->scalar;
    }
    return next == plan->count ? WSIM_OK : plan_refuse(plan, "it has a wrong number of operands");
}

enum wsim_status tensor_product_plan(struct run_plan *plan) {
    const struct scalar_meaning *meaning = &plan->meaning;
    enum wsim_status status;
    struct mma *mma = matrix_keep(plan, sizeof *mma, &status);
    TRY(status);
    TRY(wsim_umma_of(&plan->opcode->scalar, &mma->form, plan->diag));
    if (meaning->row_shift)
        return plan_refuse(plan, "no source says which way .ashift moves the rows of A");
    TRY(address_plan(plan, 0, &mma->d));
    mma->collector = meaning->collector    ? meaning->collector
                     : meaning->stationary ? SCALAR_COLLECTOR(1, DISCARD)
                                           : SCALAR_COLLECTOR(0, DISCARD);
    mma->a_in_tensor = plan->operands[1].kind == PTX_OP_ADDRESS;
    if (mma->a_in_tensor)
        TRY(address_plan(plan, 1, &mma->a));
    else
        TRY(plan_row(plan, 1, 64, &mma->desc_a));
    TRY(rest_plan(plan, mma));
    plan_beside(plan, SYNC_TENSOR);
    return plan_does_with(plan, issue_product, mma);
}

/* --- cp --- */

/* op->more of a copy. */
struct copy {
    struct matrix_address to;
    struct run_row from;
    const struct isa_umma_copy *shape;
    uint8_t blocks;
};

struct copy_flight {
    uint64_t from;
    uint32_t to;
};

static enum run_next copy_block(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                const struct run_block *block, const struct copy_flight *flight) {
    const struct copy *copy = op->more;
    const struct isa_umma_copy *shape = copy->shape;
    const struct wsim_tile tile = {.rows = shape->rows, .k = shape->bytes, .bits = 8};
    struct wsim_memory shared = matrix_shared(block);
    struct wsim_io io = {.where = run_number(warp, op), .warp = (uint16_t)warp->number};
    struct umma_source source;
    struct hear_watch watch;
    struct wsim_diag diag;
    enum run_next next =
        tensor_check(warp, op, lane, block, "the copy", flight->to, shape->bytes / 4u);
    if (next)
        return next;
    if (umma_lane(flight->to) && shape->shape != SCALAR_4X256B)
        return run_finding(warp, op, lane, RULE_TCGEN_LANE_QUARTER, 1,
                           "address 0x%08x of the copy: the lane must be 0", (unsigned)flight->to);
    if (warp->worker->hears) {
        hear_memory(&watch, warp, op, lane, 1 + SYNC_TENSOR);
        shared.watch = &watch.watch;
    }
    if (umma_open("the source", flight->from, &shared, isa_shared_end(warp->worker->launch->arch),
                  &tile, 0, &source, &diag))
        return run_refused(warp, op, lane, &diag);
    umma_tell_source(&source, &io);
    if (shared.watch)
        hear_memory_end(&watch);
    for (unsigned row = 0; row < shape->rows; row++)
        for (unsigned byte = 0; byte < shape->bytes; byte += DESCRIPTOR_UNIT)
            for (unsigned i = 0; i < isa_umma_copy_number(shape); i++)
                memcpy(block->tensor->memory.bytes +
                           umma_byte((umma_lane(flight->to) + isa_umma_copy_lane(shape, row, i)) %
                                         UMMA_LANES,
                                     umma_column(flight->to) + byte / 4),
                       umma_piece(&source, row, byte), DESCRIPTOR_UNIT);
    for (unsigned row = 0; row < shape->rows; row++)
        for (unsigned i = 0; i < isa_umma_copy_number(shape); i++)
            tensor_known_put(block->tensor,
                             (umma_lane(flight->to) + isa_umma_copy_lane(shape, row, i)) %
                                 UMMA_LANES,
                             umma_column(flight->to), shape->bytes / 4u, TENSOR_WORDS);
    return RUN_ON;
}

static enum run_next move(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          const void *data) {
    const struct copy *copy = op->more;
    struct copy_flight flight;
    enum run_next next = RUN_ON;
    memcpy(&flight, data, sizeof flight);
    for (unsigned i = 0; i < copy->blocks && !next; i++)
        next = copy_block(warp, op, run_lowest(lanes),
                          copy->blocks == 1 ? warp->block : tensor_pair(warp->block, i), &flight);
    matrix_event(warp);
    return next;
}

static enum run_next issue_copy(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                struct run_warp *warp) {
    const struct copy *copy = op->more;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        struct copy_flight flight = {.from = run_get(frame, copy->from, lane),
                                     .to = (uint32_t)matrix_address_of(frame, &copy->to, lane)};
        enum run_next next = tensor_check_pair(warp, op, lane, copy->blocks);
        if (!next)
            next = tensor_group(warp, op, lane, copy->blocks);
        for (unsigned i = 0; i < copy->blocks && !next; i++)
            next = tensor_order_work(warp, op, lane,
                                     copy->blocks == 1 ? warp->block : tensor_pair(warp->block, i),
                                     flight.to, copy->shape->bytes / 4u, ISA_UMMA_COPY, 0);
        if (!next)
            next = sync_issue(warp, op, 1u << lane, SYNC_TENSOR, move, &flight, sizeof flight);
        if (next)
            return next;
    }
    return RUN_ON;
}

enum wsim_status tensor_copy_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct copy *copy = matrix_keep(plan, sizeof *copy, &status);
    TRY(status);
    if (plan->meaning.unpacks)
        return plan_refuse(plan, "no source says where the bits of unpacked elements go");
    copy->shape = isa_umma_copy_find(plan->meaning.tensor_shape, plan->meaning.spread);
    copy->blocks = plan->meaning.blocks;
    TRY(address_plan(plan, 0, &copy->to));
    TRY(plan_row(plan, 1, 64, &copy->from));
    plan_beside(plan, SYNC_TENSOR);
    return plan_does_with(plan, issue_copy, copy);
}

/* --- commit --- */

/* op->more of a commit. */
struct commit {
    struct sync_address barrier;
    struct run_row mask;
    uint8_t multicast, group; /* cta_group */
};

struct arrival {
    uint64_t at;
    uint32_t until[2]; /* times of the blocks of the pair when it was issued                   */
    uint32_t blocks;   /* of the cluster; 0: the block that the address names                   */
};

/* A commit covers the work of one block, or of both blocks of a pair: block `i` of these. */
static struct run_block *committed(const struct run_warp *warp, const struct commit *commit,
                                   unsigned i) {
    return commit->group == 1 ? warp->block : tensor_pair(warp->block, i);
}

static enum run_next arrive(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                            const void *data) {
    const struct commit *commit = op->more;
    struct arrival arrival = {0};
    unsigned lane = run_lowest(lanes);
    enum run_next next = RUN_ON;
    memcpy(&arrival, data, sizeof arrival);
    for (unsigned i = 0; i < 2 && i < commit->group; i++) {
        struct run_block *block = committed(warp, commit, i);
        if (block)
            tensor_order_commit(warp, block, arrival.until[i]);
    }
    if (!commit->multicast)
        return sync_mbarrier_arrive(warp, op, lane, arrival.at, RUN_ORDER_COMMIT);
    for (unsigned rank = 0; rank < MOST_BLOCKS && !next; rank++)
        if (arrival.blocks >> rank & 1)
            next = sync_mbarrier_arrive(warp, op, lane,
                                        (arrival.at & ((UINT64_C(1) << RUN_RANK_SHIFT) - 1)) |
                                            (uint64_t)rank << RUN_RANK_SHIFT,
                                        RUN_ORDER_COMMIT);
    return next;
}

static enum run_next issue_commit(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                  struct run_warp *warp) {
    const struct commit *commit = op->more;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        struct arrival arrival = {.at = sync_address_of(frame, &commit->barrier, lane),
                                  .blocks = (uint32_t)run_get(frame, commit->mask, lane)};
        enum run_next next = tensor_group(warp, op, lane, commit->group);
        for (unsigned i = 0; i < 2 && i < commit->group; i++) {
            const struct run_block *block = committed(warp, commit, i);
            arrival.until[i] = block ? tensor_order_now(block) : 0;
        }
        if (!next)
            next = sync_issue(warp, op, 1u << lane, SYNC_TENSOR, arrive, &arrival, sizeof arrival);
        if (next)
            return next;
    }
    return RUN_ON;
}

enum wsim_status tensor_commit_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct commit *commit = matrix_keep(plan, sizeof *commit, &status);
    TRY(status);
    commit->multicast = plan->meaning.multicast;
    commit->group = plan->meaning.blocks;
    TRY(sync_address_plan(plan, 0, &commit->barrier));
    if (commit->multicast)
        TRY(plan_row(plan, 1, 32, &commit->mask));
    plan_beside(plan, SYNC_TENSOR);
    return plan_does_with(plan, issue_commit, commit);
}
