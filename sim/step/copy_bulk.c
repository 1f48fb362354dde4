/* cp.async.bulk and cp.reduce.async.bulk, with tensor maps and without: each lane that executes one
 * starts a copy of its own. */
#include "matrix.h"

#include "../isa/isa.h"
#include "../decode/build.h"
#include "copy_map.h"
#include "../state/launch.h"

#define COPY_SIZE 16   /* bytes: the size of a copy without a tensor is a multiple of it */
#define MOST_BLOCKS 16 /* of a cluster, that a mask of 16 bits names */

/* op->more: where the operands are. */
struct bulk {
    struct matrix_address shared, global, map, barrier, peer;
    struct run_row bytes, mask, byte_mask;
    struct run_row coord[ISA_MOST_COORDINATES], offset[WSIM_TENSOR_SPATIAL];
    uint8_t coords, offsets;
    uint8_t has_map, has_barrier, to_peer, multicast;
    uint8_t near;    /* its shared memory is .shared::cta: of the own block alone */
    uint8_t pair;    /* .cta_group::2: the barrier may be in the other block of the pair */
    uint8_t reduces; /* into global memory, where other blocks do it too */
};

/* A copy that one lane has issued. */
struct flight {
    struct wsim_memory shared, global, peer;
    uint64_t global_at, barrier_at;
    uint32_t shared_at, peer_at, bytes;
    uint16_t cta_mask, byte_mask;
    uint8_t has_barrier, has_map, barrier_odd;
    int32_t coord[WSIM_TENSOR_RANK];
    uint16_t offset[WSIM_TENSOR_SPATIAL];
    struct wsim_tensor_map map;
};

/* --- done --- */

/* Warps that wait for these barriers test them again. */
static void complete(struct run_warp *warp, const struct run_op *op, unsigned lane,
                     const struct wsim_io *io, const struct wsim_memory *memory) {
    matrix_event(warp);
    if (io->bulk.has_barrier)
        sync_order_mbarrier(warp, op, 1u << lane, RUN_ORDER_COMPLETE,
                            memory->bytes + (size_t)(io->bulk.barrier_at - memory->base));
}

/* Tells of the box that a copy with a tensor map wrote to shared memory of its blocks. */
static void tell_box(struct run_warp *warp, const struct run_op *op, unsigned lane,
                     const struct wsim_io *io) {
    const struct run_block *block = warp->block;
    struct run_box box = {.rank = block->rank, .at = io->bulk.shared_at};
    struct wsim_tensor tensor;
    if (!(warp->worker->orders >> RUN_ORDER_BOX & 1) || !io->bulk.map || !io->bulk.has_barrier ||
        wsim_tensor_decode(io->bulk.map, &tensor, NULL) || tensor.interleave)
        return;
    box.bytes = (uint32_t)wsim_tensor_measure(&tensor).room;
    box.swizzle = (uint8_t)tensor.swizzle;
    if (!io->bulk.cluster)
        hear_order(warp, op, 1u << lane, RUN_ORDER_BOX, &box);
    for (box.rank = 0; box.rank < io->bulk.blocks; box.rank++)
        if (io->bulk.cta_mask >> box.rank & 1)
            hear_order(warp, op, 1u << lane, RUN_ORDER_BOX, &box);
}

static enum run_next move(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          const void *data) {
    const struct bulk *bulk = op->more;
    struct flight flight;
    const struct run_unit *unit = warp->block->unit;
    struct wsim_memory windows[MOST_BLOCKS];
    const struct wsim_memory *cluster[MOST_BLOCKS];
    struct wsim_io io = {.shared = &flight.shared, .global = &flight.global};
    unsigned lane = run_lowest(lanes);
    struct hear_watch watch;
    struct wsim_diag diag;
    enum wsim_status status;
    const int tells = warp->worker->hears != 0;
    memcpy(&flight, data, sizeof flight);
    hear_memory(&watch, warp, op, lane, 1 + (bulk->has_barrier ? SYNC_BARRIER : SYNC_BULK));
    hear_memory_taints(&watch, bulk->has_barrier ? RUN_TAINTS_COPY : RUN_TAINTS_NOT);
    if (flight.has_barrier)
        hear_memory_barrier(&watch, flight.barrier_at);
    flight.shared.watch = flight.global.watch = tells ? &watch.watch : NULL;
    io.bulk.shared_at = flight.shared_at;
    io.bulk.global_at = flight.global_at;
    io.bulk.barrier_at = flight.barrier_at;
    io.bulk.has_barrier = flight.has_barrier;
    io.bulk.bytes = flight.bytes;
    io.bulk.byte_mask = flight.byte_mask;
    io.bulk.map = flight.has_map ? &flight.map : NULL;
    memcpy(io.bulk.coord, flight.coord, sizeof io.bulk.coord);
    memcpy(io.bulk.offset, flight.offset, sizeof io.bulk.offset);
    io.where = run_number(warp, op);
    io.warp = (uint16_t)warp->number;
    if (bulk->multicast || bulk->to_peer || bulk->pair) {
        io.bulk.blocks = (uint16_t)(unit->n_blocks < MOST_BLOCKS ? unit->n_blocks : MOST_BLOCKS);
        for (unsigned r = 0; r < io.bulk.blocks; r++) {
            windows[r] = matrix_shared(&unit->blocks[r]);
            windows[r].watch = flight.shared.watch;
            cluster[r] = &windows[r];
        }
        io.bulk.cluster = cluster;
        io.bulk.cta_mask = flight.cta_mask;
        io.bulk.barrier_odd = flight.barrier_odd;
        io.bulk.peer_at = flight.peer_at;
    }
    if (bulk->reduces)
        launch_lock_atomics(warp->worker->launch->shared);
    status = wsim_run(matrix_code(warp, op), &io, &diag);
    hear_memory_end(&watch);
    if (bulk->reduces)
        launch_unlock_atomics(warp->worker->launch->shared);
    if (status)
        return run_refused(warp, op, lane, &diag);
    tell_box(warp, op, lane, &io);
    if (!io.bulk.cluster)
        complete(warp, op, lane, &io, &flight.shared);
    for (unsigned r = 0; r < io.bulk.blocks; r++)
        if (io.bulk.cta_mask >> r & 1)
            complete(warp, op, lane, &io, cluster[bulk->pair ? (r & ~1u) | flight.barrier_odd : r]);
    return RUN_ON;
}

/* --- issued --- */

/* The window of global memory that a tensor begins in. */
static enum run_next tensor_window(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                   struct flight *flight) {
    struct wsim_tensor tensor;
    struct wsim_diag diag;
    uint64_t base;
    if (wsim_tensor_decode(&flight->map, &tensor, &diag))
        return run_refused(warp, op, lane, &diag);
    base = tensor.base;
    return matrix_window(warp, op, lane, PTX_GLOBAL, &base, 1, &flight->global, NULL);
}

/* A copy and its barrier are in the same block, or with .cta_group::2 in the same pair of blocks.
 */
static enum run_next barrier_of(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                uint8_t *frame, const struct run_block *block,
                                struct flight *flight) {
    const struct bulk *bulk = op->more;
    const struct run_block *there = NULL;
    struct wsim_memory window;
    enum run_next next;
    if (!bulk->has_barrier)
        return RUN_ON;
    flight->has_barrier = 1;
    flight->barrier_at = matrix_address_of(frame, &bulk->barrier, lane);
    next = matrix_window(warp, op, lane, (enum ptx_space)bulk->barrier.space, &flight->barrier_at,
                         WSIM_MBARRIER_BYTES, &window, &there);
    flight->barrier_odd = there ? (uint8_t)(there->rank & 1) : 0;
    if (next || there == block ||
        (bulk->pair && there && block && there->rank / 2 == block->rank / 2))
        return next;
    return run_finding(warp, op, lane, RULE_BULK_BARRIER_ELSEWHERE, 1,
                       "the bytes go to block %u of the cluster, and the barrier that counts them "
                       "is in %s%u",
                       block ? block->rank : 0, there ? "block " : "another space, not in block ",
                       there   ? there->rank
                       : block ? block->rank
                               : 0);
}

static enum run_next gather_one(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                uint8_t *frame, struct flight *flight) {
    const struct bulk *bulk = op->more;
    const struct run_block *block = NULL, *peer = NULL;
    uint64_t shared_at = matrix_address_of(frame, &bulk->shared, lane), peer_at;
    enum run_next next;
    flight->bytes = (uint32_t)run_get(frame, bulk->bytes, lane);
    flight->byte_mask = (uint16_t)run_get(frame, bulk->byte_mask, lane);
    flight->cta_mask = (uint16_t)run_get(frame, bulk->mask, lane);
    for (unsigned i = 0; i < bulk->coords; i++)
        flight->coord[i] = (int32_t)(uint32_t)run_get(frame, bulk->coord[i], lane);
    for (unsigned i = 0; i < bulk->offsets; i++)
        flight->offset[i] = (uint16_t)run_get(frame, bulk->offset[i], lane);
    next = matrix_window(warp, op, lane, (enum ptx_space)bulk->shared.space, &shared_at, 1,
                         &flight->shared, &block);
    flight->shared_at = (uint32_t)shared_at;
    if (next)
        return next;
    if (bulk->near && block && block != warp->block)
        return run_elsewhere(warp, op, lane,
                             (uint64_t)block->rank << RUN_RANK_SHIFT | (uint32_t)shared_at,
                             bulk->has_barrier && !bulk->to_peer ? "writes" : "reads");
    if (bulk->pair && !bulk->multicast)
        flight->cta_mask = (uint16_t)(1u << (block ? block->rank : 0));
    if (bulk->has_map) {
        flight->has_map = 1;
        next = copy_map_read(warp, op, lane, &bulk->map, frame, &flight->map);
        return next || (next = tensor_window(warp, op, lane, flight))
                   ? next
                   : barrier_of(warp, op, lane, frame, block, flight);
    }
    if (flight->bytes % COPY_SIZE)
        run_finding(warp, op, lane, RULE_BULK_SIZE_PIECE, 0,
                    "a bulk copy of %u bytes: the size is a multiple of %d, so only %u are copied",
                    flight->bytes, COPY_SIZE, flight->bytes / COPY_SIZE * COPY_SIZE);
    if (!bulk->to_peer) {
        flight->global_at = matrix_address_of(frame, &bulk->global, lane);
        flight->global = matrix_global(); /* of nothing the address may be anything */
        if (flight->bytes)
            next = matrix_window(warp, op, lane, PTX_GLOBAL, &flight->global_at, flight->bytes,
                                 &flight->global, NULL);
        return next ? next : barrier_of(warp, op, lane, frame, block, flight);
    }
    peer_at = matrix_address_of(frame, &bulk->peer, lane);
    next = matrix_window(warp, op, lane, (enum ptx_space)bulk->peer.space, &peer_at, 1,
                         &flight->peer, &peer);
    flight->peer_at = (uint32_t)peer_at;
    flight->cta_mask = (uint16_t)(1u << (peer ? peer->rank : 0));
    return next ? next : barrier_of(warp, op, lane, frame, peer, flight);
}

static enum run_next issue(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct bulk *bulk = op->more;
    enum sync_queue queue = bulk->has_barrier ? SYNC_BARRIER : SYNC_BULK;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        struct flight flight = {.has_map = 0};
        enum run_next next = gather_one(warp, op, lane, frame, &flight);
        if (!next)
            next = sync_issue(warp, op, 1u << lane, queue, move, &flight, sizeof flight);
        if (next)
            return next;
    }
    return RUN_ON;
}

/* --- planned --- */

/* Numbers in braces. */
static enum wsim_status list_plan(struct run_plan *plan, const struct ptx_operand *list,
                                  unsigned most, struct run_row *rows, uint8_t *n) {
    const struct ptx_operand *parts = list;
    uint32_t count = 1;
    if (list->kind == PTX_OP_VECTOR) {
        parts = &plan->function->operands[list->first];
        count = list->count;
    }
    if (count > most)
        return plan_refuse(plan, "a list has too many numbers");
    for (uint32_t i = 0; i < count; i++)
        TRY(plan_row_of(plan, &parts[i], 32, &rows[i]));
    *n = (uint8_t)count;
    return WSIM_OK;
}

/* [map, {coordinates}] */
static enum wsim_status map_plan(struct run_plan *plan, uint32_t index, struct bulk *bulk) {
    const struct wsim_op *op = &plan->opcode->op;
    unsigned coords = isa_names_rows(op->q[PLACE_MODE]) ? 5 : isa_op_dimensions(op);
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index, &count);
    TRY(copy_map_plan(plan, index, &bulk->map));
    bulk->has_map = 1;
    if (count != 2)
        return plan_refuse(plan, "its coordinates are missing");
    TRY(list_plan(plan, &parts[1], ISA_MOST_COORDINATES, bulk->coord, &bulk->coords));
    if (bulk->coords != coords)
        return base_refuse(plan->diag, RULE_LAUNCH_INSTRUCTION_UNMODELLED, 0,
                           "%.100s: it has %u coordinates, and %u are given", plan->opcode->text,
                           coords, bulk->coords);
    return WSIM_OK;
}

static int is_list(const struct run_plan *plan, uint32_t index) {
    return index < plan->count && plan->operands[index].kind == PTX_OP_VECTOR;
}

/* To shared memory: [to], the source, [barrier], {offsets}, mask of blocks. */
static enum wsim_status load_plan(struct run_plan *plan, struct bulk *bulk, uint32_t *next) {
    const struct wsim_op *op = &plan->opcode->op;
    bulk->to_peer = op->q[PLACE_FROM] == Q_FROM_CTA;
    bulk->near = bulk->to_peer || op->q[PLACE_TO] == Q_TO_CTA;
    bulk->multicast = op->q[PLACE_MULTICAST] != 0;
    bulk->pair = op->q[PLACE_GROUP] == Q_GROUP_2;
    bulk->has_barrier = 1;
    TRY(matrix_address_plan(plan, 0, PTX_SHARED, bulk->to_peer ? &bulk->peer : &bulk->shared));
    if (op->q[PLACE_DIMENSIONS]) {
        TRY(map_plan(plan, 1, bulk));
        *next = 2;
    } else {
        TRY(matrix_address_plan(plan, 1, bulk->to_peer ? PTX_SHARED : PTX_GLOBAL,
                                bulk->to_peer ? &bulk->shared : &bulk->global));
        TRY(plan_row(plan, 2, 32, &bulk->bytes));
        *next = 3;
    }
    TRY(matrix_address_plan(plan, (*next)++, PTX_SHARED, &bulk->barrier));
    if (is_list(plan, *next))
        TRY(list_plan(plan, &plan->operands[(*next)++], WSIM_TENSOR_SPATIAL, bulk->offset,
                      &bulk->offsets));
    if (bulk->multicast)
        TRY(plan_row(plan, (*next)++, 32, &bulk->mask));
    return WSIM_OK;
}

/* To global memory: [to], [from], and of plain bytes how many. */
static enum wsim_status store_plan(struct run_plan *plan, struct bulk *bulk, uint32_t *next) {
    const struct wsim_op *op = &plan->opcode->op;
    bulk->near = 1;
    bulk->reduces = op->q[PLACE_REDUCTION] || op->q[PLACE_ATOMIC];
    plan->build->program->reduces |= bulk->reduces;
    plan->build->program->exports = 1;
    if (op->q[PLACE_DIMENSIONS])
        TRY(map_plan(plan, 0, bulk));
    else
        TRY(matrix_address_plan(plan, 0, PTX_GLOBAL, &bulk->global));
    TRY(matrix_address_plan(plan, 1, PTX_SHARED, &bulk->shared));
    *next = 2;
    if (!op->q[PLACE_DIMENSIONS])
        TRY(plan_row(plan, (*next)++, 32, &bulk->bytes));
    return WSIM_OK;
}

enum wsim_status copy_bulk_plan(struct run_plan *plan) {
    const struct wsim_op *op = &plan->opcode->op;
    enum wsim_status status;
    struct bulk *bulk = matrix_keep(plan, sizeof *bulk, &status);
    uint32_t next = 0;
    TRY(status);
    TRY(matrix_code_plan(plan));
    TRY(op->q[PLACE_TO] == Q_TO_GLOBAL ? store_plan(plan, bulk, &next)
                                       : load_plan(plan, bulk, &next));
    next += op->q[PLACE_HINT] != 0;
    if (op->q[PLACE_MASK])
        TRY(plan_row(plan, next++, 32, &bulk->byte_mask));
    if (next != plan->count)
        return plan_refuse(plan, "it has a wrong number of operands");
    plan->op->more = bulk;
    plan->op->step = issue;
    plan_beside(plan, SYNC_BULK);
    plan_beside(plan, SYNC_BARRIER);
    if (op->q[PLACE_DIMENSIONS])
        plan_beside(plan, SYNC_CP_ASYNC); /* copy_map_read */
    return WSIM_OK;
}
