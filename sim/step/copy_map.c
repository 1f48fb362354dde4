/* Tensor maps in memory: reading them, tensormap.replace, tensormap.cp_fenceproxy. And st.bulk. */
#include "copy_map.h"

#include "../isa/isa.h"
#include "../reach/hear.h"
#include "access.h"
#include "../decode/build.h"

#define MAP_BYTES ((uint32_t)sizeof(struct wsim_tensor_map))

/* --- reading --- */

enum wsim_status copy_map_plan(struct run_plan *plan, uint32_t index, struct matrix_address *map) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index, &count);
    enum ptx_space space = count && parts->kind == PTX_OP_PARAM ? PTX_PARAM : PTX_GENERIC;
    if (count && parts->kind == PTX_OP_VARIABLE)
        space = plan->build->ptx->variables[parts->index].space;
    return matrix_address_plan(plan, index, space, map);
}

enum run_next copy_map_read(struct run_warp *warp, const struct run_op *op, unsigned lane,
                            const struct matrix_address *address, uint8_t *frame,
                            struct wsim_tensor_map *map) {
    uint64_t at = matrix_address_of(frame, address, lane);
    struct run_access access = {
        .space = address->space, .kind = RUN_READ, .async = 1, .weak = 1, .bytes = MAP_BYTES};
    uint32_t rest = 0;
    enum run_next next;
    access.lanes = 1u << lane;
    access.at[lane] = at;
    next = address->space == PTX_GENERIC ? run_reach_generic(warp, op, &access, 64, &rest)
                                         : run_reach(warp, op, &access, 64);
    if (!next)
        memcpy(map, access.host[lane], MAP_BYTES);
    return next;
}

/* --- tensormap.replace --- */

/* op->more. */
struct replace {
    struct matrix_address map;
    struct run_row ordinal, value;
    uint8_t field; /* enum wsim_tensor_field */
};

static enum run_next replace_lanes(uint8_t *frame, const struct run_op *op, struct run_warp *warp,
                                   const struct run_access *access) {
    const struct replace *replace = op->more;
    const struct wsim_arch *arch = warp->worker->launch->arch;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        struct wsim_tensor_map map;
        struct wsim_diag diag;
        memcpy(&map, access->host[lane], sizeof map);
        if (wsim_tensor_replace(&map, (enum wsim_tensor_field)replace->field,
                                (unsigned)run_get(frame, replace->ordinal, lane),
                                run_get(frame, replace->value, lane), arch, &diag))
            return run_refused(warp, op, lane, &diag);
        memcpy(access->host[lane], &map, sizeof map);
    }
    return RUN_ON;
}

static enum run_next replace(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    const struct replace *plan = op->more;
    struct run_access access = {
        .space = plan->map.space, .kind = RUN_WRITE, .weak = 1, .bytes = MAP_BYTES, .lanes = lanes};
    uint32_t rest = 0;
    enum run_next next = RUN_ON;
    matrix_addresses(frame, &plan->map, access.at);
    for (; lanes && !next; lanes = access.lanes = rest) {
        rest = 0;
        next = plan->map.space == PTX_GENERIC ? run_reach_generic(warp, op, &access, 128, &rest)
                                              : run_reach(warp, op, &access, 128);
        if (!next)
            next = replace_lanes(frame, op, warp, &access);
    }
    return next;
}

enum wsim_status copy_replace_plan(struct run_plan *plan) {
    static const uint8_t fields[] = {
#define FIELD(id, slot, number, row) [Q_##id] = WSIM_TENSOR_FIELD_##id,
#include "../isa/tensor.def"
    };
    const struct wsim_op *op = &plan->opcode->op;
    enum wsim_status status;
    struct replace *kept = matrix_keep(plan, sizeof *kept, &status);
    enum ptx_space space = op->q[PLACE_FROM] == Q_FROM_CTA      ? PTX_SHARED
                           : op->q[PLACE_FROM] == Q_FROM_GLOBAL ? PTX_GLOBAL
                                                                : PTX_GENERIC;
    TRY(status);
    kept->field = fields[op->q[PLACE_FIELD]];
    TRY(matrix_address_plan(plan, 0, space, &kept->map));
    if (plan->count == 3)
        TRY(plan_row(plan, 1, 32, &kept->ordinal));
    else if (plan->count != 2)
        return plan_refuse(plan,
                           "it has an address, an ordinal where the field is a list, a value");
    TRY(plan_row(plan, plan->count - 1, 64, &kept->value));
    return plan_does_with(plan, replace, kept);
}

/* --- tensormap.cp_fenceproxy --- */

struct publish {
    struct matrix_address to, from;
};

/* The lanes of a warp copy one map together. */
static enum run_next publish(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    const struct publish *publish = op->more;
    unsigned lane = run_lowest(lanes);
    struct run_access from = {.space = PTX_SHARED, .kind = RUN_READ, .bytes = MAP_BYTES};
    struct run_access to = {.space = PTX_GLOBAL, .kind = RUN_WRITE, .bytes = MAP_BYTES};
    enum run_next next = sync_together(warp, op, lanes);
    from.lanes = to.lanes = 1u << lane;
    from.at[lane] = matrix_address_of(frame, &publish->from, lane);
    to.at[lane] = matrix_address_of(frame, &publish->to, lane);
    if (!next)
        next = run_reach(warp, op, &from, MAP_BYTES);
    if (!next)
        next = run_reach(warp, op, &to, MAP_BYTES);
    if (next)
        return next;
    memcpy(to.host[lane], from.host[lane], MAP_BYTES);
    hear_order(warp, op, lanes, RUN_ORDER_ALIAS, NULL);
    return RUN_ON;
}

enum wsim_status copy_publish_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct publish *kept = matrix_keep(plan, sizeof *kept, &status);
    uint64_t bytes;
    TRY(status);
    if (!plan_constant(plan, 2, &bytes) || bytes != MAP_BYTES)
        return plan_refuse(plan, "a map has 128 bytes");
    TRY(matrix_address_plan(plan, 0, PTX_GLOBAL, &kept->to));
    TRY(matrix_address_plan(plan, 1, PTX_SHARED, &kept->from));
    return plan_does_with(plan, publish, kept);
}

/* --- st.bulk --- */

struct fill {
    struct matrix_address to;
    struct run_row bytes;
};

static enum run_next fill(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct fill *fill = op->more;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t bytes = run_get(frame, fill->bytes, lane), at;
        struct run_access access = {.space = PTX_SHARED, .kind = RUN_WRITE, .weak = 1};
        at = matrix_address_of(frame, &fill->to, lane);
        access.bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
        access.lanes = 1u << lane;
        access.at[lane] = at;
        if (fill->to.space == PTX_GENERIC && run_space_of(at) != PTX_SHARED)
            return run_finding(warp, op, lane, RULE_MEMORY_SPACE, 1,
                               "address 0x%llx of lane %u is not in shared memory",
                               (unsigned long long)at, lane);
        if (bytes % 8)
            return run_finding(warp, op, lane, RULE_ACCESS_ALIGN, 1,
                               "%llu bytes are filled: they have to be a multiple of 8",
                               (unsigned long long)bytes);
        if (bytes && run_reach(warp, op, &access, 8) == RUN_STOP)
            return RUN_STOP;
        if (bytes)
            memset(access.host[lane], 0, access.bytes);
    }
    return RUN_ON;
}

enum wsim_status copy_fill_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct fill *kept = matrix_keep(plan, sizeof *kept, &status);
    uint64_t value;
    TRY(status);
    if (!plan_constant(plan, 2, &value) || value)
        return plan_refuse(plan, "the value that it stores can only be 0");
    TRY(matrix_address_plan(
        plan, 0, plan->meaning.space == SCALAR_SHARED ? PTX_SHARED : PTX_GENERIC, &kept->to));
    TRY(plan_row(plan, 1, 64, &kept->bytes));
    return plan_does_with(plan, fill, kept);
}
