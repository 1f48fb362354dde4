/* suld, sust, sured: bytes of surfaces. */
#include "texture.h"

#include "../isa/isa.h"
#include "../reach/reach.h"
#include "../reach/hear.h"
#include "../state/launch.h"

struct surface {
    struct texture_operand to;
    struct run_row row[4];
    uint8_t method;   /* enum scalar_method */
    uint8_t boundary; /* enum scalar_boundary */
    uint8_t elements, bytes;
    uint8_t operation; /* of sured: enum scalar_operation */
    uint8_t is_signed;
};

/* A surface of a cube has layers to instructions. */
static int fits(unsigned shape, unsigned array) {
    return shape == array || (shape == WSIM_ARRAY_2D_LAYERS &&
                              (array == WSIM_ARRAY_CUBE || array == WSIM_ARRAY_CUBE_LAYERS));
}

static int32_t clamped(int32_t at, uint64_t size) {
    return at < 0 ? 0 : (uint64_t)at >= size ? (int32_t)(size - 1) : at;
}

/* The address of a lane. A layer has no sign, so a negative one is the last. *is_inside 0: it is
 * outside, and .zero. */
static enum run_next address_of(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                const struct surface *surface, const struct wsim_array *array,
                                uint8_t *frame, uint64_t *address, int *is_inside) {
    const struct texture_shape *shape = &texture_shapes[surface->to.shape];
    const uint32_t bytes = (uint32_t)surface->bytes * surface->elements;
    const uint64_t width = (uint64_t)array->width * texture_texel(array);
    int32_t at[3] = {0};
    uint64_t sizes[3] = {width / bytes, array->height, array->depth};
    *is_inside = 1;
    for (unsigned k = 0; k < shape->axes; k++)
        at[k] = (int32_t)run_get(frame, surface->to.at[k], lane);
    if (shape->layered)
        at[2] = (int32_t)run_get(frame, surface->to.layer, lane);
    if (at[0] % (int32_t)bytes)
        return run_finding(warp, op, lane, RULE_TEXTURE_SURFACE_ALIGN, 1,
                           "x of a surface is byte %d: it has to be a multiple of %u", (int)at[0],
                           bytes);
    at[0] = (int32_t)((int64_t)at[0] / (int64_t)bytes);
    for (unsigned k = 0; k < 3; k++) {
        if (!sizes[k] || (at[k] >= 0 && (uint64_t)at[k] < sizes[k]))
            continue;
        if (surface->boundary == SCALAR_BOUNDARY_TRAP)
            return run_finding(warp, op, lane, RULE_TEXTURE_SURFACE_BOUNDS, 1,
                               "%c of a surface is %d, but it has %llu%s",
                               k == 2 && shape->layered ? 'l' : "xyz"[k],
                               (int)(k ? at[k] : at[k] * (int32_t)bytes),
                               (unsigned long long)(k ? sizes[k] : width), k ? "" : " bytes");
        *is_inside &= surface->boundary != SCALAR_BOUNDARY_ZERO;
        at[k] = k == 2 && shape->layered ? (int32_t)(sizes[k] - 1) : clamped(at[k], sizes[k]);
    }
    *address = array->address + (uint64_t)at[0] * bytes + (uint64_t)at[1] * texture_pitch(array) +
               (uint64_t)at[2] * texture_slice(array);
    return RUN_ON;
}

static void load(const struct surface *surface, uint8_t *frame, uint32_t lanes,
                 const struct run_access *access) {
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = run_lowest(lanes);
        const int is_inside = access->lanes >> lane & 1;
        for (unsigned e = 0; e < surface->elements; e++)
            run_put(frame, surface->row[e], lane,
                    is_inside ? reach_load(access->host[lane] + e * surface->bytes, surface->bytes)
                              : 0);
    }
}

static void store(const struct surface *surface, uint8_t *frame, const struct run_access *access) {
    const unsigned turn = reach_turn((unsigned)surface->bytes * surface->elements);
    for (uint32_t rest = reach_places(access->lanes, turn); rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest) ^ turn;
        for (unsigned e = 0; e < surface->elements; e++)
            reach_store(access->host[lane] + e * surface->bytes, surface->bytes,
                        run_get(frame, surface->row[e], lane));
    }
}

static uint64_t combined(const struct surface *surface, uint64_t old, uint64_t operand) {
    const uint64_t sign = surface->is_signed ? UINT64_C(1) << (8 * surface->bytes - 1) : 0;
    const int less = (operand ^ sign) < (old ^ sign);
    switch (surface->operation) {
    case SCALAR_ADD: return old + operand;
    case SCALAR_MIN: return less ? operand : old;
    case SCALAR_MAX: return less ? old : operand;
    case SCALAR_AND: return old & operand;
    default: return old | operand;
    }
}

static void reduce(struct run_warp *warp, const struct surface *surface, uint8_t *frame,
                   const struct run_access *access) {
    struct run_shared *shared = warp->worker->launch->shared;
    const uint64_t mask = surface->bytes == 8 ? UINT64_MAX : UINT32_MAX;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        uint8_t *at = access->host[lane];
        launch_lock_atomics(shared);
        reach_store(at, surface->bytes,
                    combined(surface, reach_load(at, surface->bytes),
                             run_get(frame, surface->row[0], lane) & mask));
        launch_unlock_atomics(shared);
    }
}

static enum run_next access_surface(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                    struct run_warp *warp) {
    const struct surface *surface = op->more;
    const int loads = surface->method == SCALAR_METHOD_SURFACE_LD;
    const int reduces = surface->method == SCALAR_METHOD_SURFACE_RED;
    struct texture_object found = {0};
    struct run_access access = {.space = PTX_GLOBAL,
                                .kind = loads     ? RUN_READ
                                        : reduces ? RUN_REDUCE
                                                  : RUN_WRITE,
                                .weak = !reduces,
                                .plain = reduces ? RUN_PLAIN_STRONG : RUN_PLAIN_WEAK,
                                .bytes = (uint32_t)surface->bytes * surface->elements};
    enum run_next next = RUN_ON;
    for (uint32_t rest = lanes; rest && !next; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t handle = run_get(frame, surface->to.handle, lane);
        int is_inside = 0;
        next = texture_find(warp, op, lane, RUN_SURFACE, handle, &found);
        if (!next && !fits(surface->to.shape, found.object->texture.array.shape))
            next =
                texture_shape_refused(warp, op, lane, &surface->to, &found.object->texture.array);
        if (!next)
            next = address_of(warp, op, lane, surface, &found.object->texture.array, frame,
                              &access.at[lane], &is_inside);
        access.lanes |= (uint32_t)is_inside << lane;
    }
    if (!next && access.lanes)
        next = run_reach(warp, op, &access, access.bytes);
    if (next)
        return next;
    if (loads)
        load(surface, frame, lanes, &access);
    else if (reduces)
        reduce(warp, surface, frame, &access);
    else
        store(surface, frame, &access);
    return RUN_ON;
}

/* --- plan --- */

static enum wsim_status surface_plan(struct run_plan *plan, uint32_t object, uint32_t registers) {
    struct surface *surface = plan_keep(plan, sizeof *surface);
    const struct isa_scalar_type *type = &isa_scalar_types[plan->meaning.type[0]];
    enum wsim_status status;
    if (!surface)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    if (plan->meaning.formatted)
        return plan_refuse(plan, "conversions to the format of a surface were not measured");
    surface->method = plan->meaning.method;
    surface->boundary = plan->meaning.boundary;
    surface->elements = plan->meaning.vector ? plan->meaning.vector : 1;
    surface->bytes = type->bits / 8;
    surface->operation = plan->meaning.operation;
    surface->is_signed = type->letter == 's';
    status = texture_operand_plan(plan, object, &surface->to);
    if (!status)
        status = texture_rows(plan, &plan->operands[registers], type->bits, 4, surface->row);
    plan->op->more = surface;
    plan->op->step = access_surface;
    plan->interacts = surface->method == SCALAR_METHOD_SURFACE_RED;
    return status;
}

enum wsim_status surface_load_plan(struct run_plan *plan) {
    return surface_plan(plan, 1, 0);
}

enum wsim_status surface_store_plan(struct run_plan *plan) {
    return surface_plan(plan, 0, 1);
}
