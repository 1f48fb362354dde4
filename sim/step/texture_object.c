/* Handles of textures and surfaces, their coordinates, and what txq and suq ask. */
#include "texture.h"

#include "../isa/isa.h"
#include "../memory/memory.h"
#include "../state/launch.h"
#include "../reach/reach.h"

/* --- operands --- */

enum wsim_status texture_rows(struct run_plan *plan, const struct ptx_operand *list, unsigned bits,
                              unsigned most, struct run_row *rows) {
    const int is_list = list->kind == PTX_OP_VECTOR;
    const struct ptx_operand *part = is_list ? &plan->function->operands[list->first] : list;
    const uint32_t n = is_list ? list->count : 1;
    for (uint32_t i = 0; i < n && i < most; i++) {
        enum wsim_status status = plan_row_of(plan, &part[i], bits, &rows[i]);
        if (status)
            return status;
    }
    return WSIM_OK;
}

enum wsim_status texture_operand_plan(struct run_plan *plan, uint32_t index,
                                      struct texture_operand *operand) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index, &count);
    const unsigned shape = plan->meaning.geometry - 1u;
    const unsigned layered = texture_shapes[shape].layered;
    struct run_row rows[4] = {{0}};
    enum wsim_status status = plan_row_of(plan, &parts[0], 64, &operand->handle);
    if (!status)
        status = texture_rows(plan, &parts[1], 32, 4, rows);
    operand->shape = (uint8_t)shape;
    if (layered)
        operand->layer = rows[0];
    for (unsigned k = 0; k < 3; k++)
        operand->at[k] = rows[k + layered];
    return status;
}

/* --- objects --- */

/* A .texref or .surfref variable holds a handle. */
static const struct run_texture *object_of(const struct wsim_device *device, uint64_t handle) {
    const struct run_texture *object = run_texture_of(device, handle);
    const struct run_buffer *buffer = object ? NULL : run_buffer_of(device, handle, 8);
    return buffer ? run_texture_of(device, reach_load(run_host(buffer, handle), 8)) : object;
}

enum run_next texture_find(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           enum run_texture_kind kind, uint64_t handle,
                           struct texture_object *found) {
    const struct wsim_device *device = warp->worker->launch->device;
    const char *const name = kind == RUN_SURFACE ? "surface" : "texture";
    const struct wsim_array *array;
    if (found->object && found->handle == handle)
        return RUN_ON;
    found->object = object_of(device, handle);
    found->handle = handle;
    if (!found->object || found->object->kind != kind) {
        found->object = NULL; /* a GPU reads zeros, and goes on */
        return run_finding(warp, op, lane, RULE_TEXTURE_HANDLE_UNKNOWN, kind == RUN_SURFACE,
                           "0x%llx is no %s of the device, or it was released",
                           (unsigned long long)handle, name);
    }
    array = &found->object->texture.array;
    if (!device->all && !run_buffer_of(device, array->address, wsim_array_bytes(array)))
        return run_finding(warp, op, lane, RULE_TEXTURE_ARRAY_OUTSIDE, 1,
                           "%s 0x%llx reads an array that was released", name,
                           (unsigned long long)handle);
    return RUN_ON;
}

enum run_next texture_shape_refused(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                    const struct texture_operand *operand,
                                    const struct wsim_array *array) {
    static const char *const names[] = {
        [WSIM_ARRAY_1D] = "one dimension",
        [WSIM_ARRAY_2D] = "two dimensions",
        [WSIM_ARRAY_3D] = "three dimensions",
        [WSIM_ARRAY_1D_LAYERS] = "layers of one dimension",
        [WSIM_ARRAY_2D_LAYERS] = "layers of two dimensions",
        [WSIM_ARRAY_CUBE] = "a cube",
        [WSIM_ARRAY_CUBE_LAYERS] = "several cubes",
        [WSIM_ARRAY_LINEAR] = "linear memory",
    };
    return run_finding(warp, op, lane, RULE_TEXTURE_SHAPE_OTHER, 1, ".%s accesses an array of %s",
                       texture_shapes[operand->shape].word, names[array->shape]);
}

/* --- txq, suq --- */

struct query {
    struct run_row to, handle, level;
    uint8_t query; /* enum scalar_query */
    uint8_t kind;  /* enum run_texture_kind */
    uint8_t has_level;
};

/* The planner refuses other queries. */
static uint32_t answer(const struct query *query, const struct wsim_texture *texture,
                       uint32_t index) {
    const struct texture_shape *shape = &texture_shapes[texture->array.shape];
    struct wsim_array level;
    if (!wsim_array_level(&texture->array, index, &level))
        return 0;
    switch (query->query) {
    case SCALAR_QUERY_WIDTH: return level.width;
    case SCALAR_QUERY_HEIGHT: return level.height;
    case SCALAR_QUERY_DEPTH: return shape->axes == 3 ? level.depth : 0;
    case SCALAR_QUERY_LAYERS: return shape->layered ? level.depth : 0;
    case SCALAR_QUERY_LEVELS: return texture->array.levels ? texture->array.levels : 1;
    case SCALAR_QUERY_NORMALIZED: return texture->normalized;
    default: return 0;
    }
}

static enum run_next ask(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                         struct run_warp *warp) {
    const struct query *query = op->more;
    struct texture_object found = {0};
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = run_lowest(lanes);
        const uint32_t level = query->has_level ? (uint32_t)run_get(frame, query->level, lane) : 0;
        enum run_next next = texture_find(warp, op, lane, (enum run_texture_kind)query->kind,
                                          run_get(frame, query->handle, lane), &found);
        if (next)
            return next;
        run_put(frame, query->to, lane,
                found.object ? answer(query, &found.object->texture, level) : 0);
    }
    return RUN_ON;
}

static int is_answered(enum scalar_query query) {
    switch (query) {
    case SCALAR_QUERY_WIDTH:
    case SCALAR_QUERY_HEIGHT:
    case SCALAR_QUERY_DEPTH:
    case SCALAR_QUERY_LAYERS:
    case SCALAR_QUERY_LEVELS:
    case SCALAR_QUERY_NORMALIZED: return 1;
    default: return 0;
    }
}

static enum wsim_status query_plan(struct run_plan *plan, enum run_texture_kind kind) {
    struct query *query = plan_keep(plan, sizeof *query);
    uint64_t offset;
    enum wsim_status status;
    if (!query)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    if (!is_answered((enum scalar_query)plan->meaning.query))
        return plan_refuse(plan, "this query was not measured");
    query->query = plan->meaning.query;
    query->kind = (uint8_t)kind;
    status = plan_row(plan, 0, 32, &query->to);
    if (!status)
        status = plan_address(plan, 1, &query->handle, &offset);
    if (!status && plan->count > 2) {
        query->has_level = 1;
        status = plan_row(plan, 2, 32, &query->level);
    }
    plan->op->more = query;
    plan->op->step = ask;
    return status;
}

enum wsim_status texture_query_plan(struct run_plan *plan) {
    return query_plan(plan, RUN_TEXTURE);
}

enum wsim_status surface_query_plan(struct run_plan *plan) {
    return query_plan(plan, RUN_SURFACE);
}
