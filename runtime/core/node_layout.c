/* Parameters of graph nodes: from the structs of programs to ours, and back. */
#include "node_layout.h"

#include <string.h>

/* Places of `extra`: 1 the buffer, 2 its size, 0 the end. An H200 takes other words too. */
static void read_extra(void *const *extra, struct wsimrt_launch *launch) {
    for (size_t i = 0; extra && extra[i]; i += 2)
        if (extra[i] == (void *)1)
            launch->packed = extra[i + 1];
        else if (extra[i] == (void *)2)
            launch->packed_bytes = *(size_t *)extra[i + 1];
        else
            break;
}

int wsimrt_node_of_launch(const struct wsimrt_launch_layout *from, struct wsimrt_function *function,
                          struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_KERNEL};
    if (!from)
        return WSIMRT_INVALID_VALUE;
    to->launch.function = function;
    memcpy(to->launch.grid, from->grid, sizeof to->launch.grid);
    memcpy(to->launch.block, from->block, sizeof to->launch.block);
    to->launch.shared = from->shared;
    to->launch.params = from->params;
    read_extra(from->extra, &to->launch);
    return 0;
}

struct wsimrt_launch_layout wsimrt_launch_of_node(const struct wsimrt_node_params *from) {
    struct wsimrt_launch_layout to = {.function = from->launch.function,
                                      .shared = (unsigned)from->launch.shared,
                                      .params = from->launch.params};
    memcpy(to.grid, from->launch.grid, sizeof to.grid);
    memcpy(to.block, from->launch.block, sizeof to.block);
    return to;
}

int wsimrt_node_of_fill(const struct wsimrt_fill_layout *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_FILL};
    if (!from || !from->width || !from->height || from->width > SIZE_MAX / 4)
        return WSIMRT_INVALID_VALUE;
    to->fill = (struct wsimrt_fill){.to = {from->to, from->pitch, 0},
                                    .width = from->width * from->size,
                                    .height = from->height,
                                    .depth = 1,
                                    .value = from->value,
                                    .size = from->size};
    return 0;
}

struct wsimrt_fill_layout wsimrt_fill_of_node(const struct wsimrt_node_params *from) {
    const struct wsimrt_fill *fill = &from->fill;
    return (struct wsimrt_fill_layout){fill->to.address, fill->to.pitch,           fill->value,
                                       fill->size,       fill->width / fill->size, fill->height};
}

int wsimrt_node_of_call(const struct wsimrt_call_layout *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_CALL};
    if (!from || !from->function)
        return WSIMRT_INVALID_VALUE;
    to->call.function = from->function;
    to->call.data = from->data;
    return 0;
}

enum { PINNED = 1 };

int wsimrt_node_of_alloc(const struct wsimrt_alloc_layout *from, struct wsimrt_node_params *to) {
    const int on_host = from && from->location == WSIMRT_AT_HOST;
    int devices = 0, error = from ? wsimrt_device_count(&devices) : WSIMRT_INVALID_VALUE;
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_ALLOC};
    if (!error && (from->type != PINNED || (on_host && from->handles)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && on_host)
        error = WSIMRT_NOT_SUPPORTED;
    if (!error &&
        (from->location != WSIMRT_AT_DEVICE || from->device < 0 || from->device >= devices))
        error = WSIMRT_INVALID_VALUE;
    for (size_t i = 0; !error && i < from->n_access; i++)
        if (from->access[i].location.type == WSIMRT_AT_DEVICE &&
            (from->access[i].location.id < 0 || from->access[i].location.id >= devices))
            error = WSIMRT_INVALID_DEVICE;
    if (!error && (from->handles || !from->bytes))
        error = from->handles ? WSIMRT_NOT_SUPPORTED : WSIMRT_INVALID_VALUE;
    to->bytes = error ? 0 : from->bytes;
    return error;
}

struct wsimrt_alloc_layout wsimrt_alloc_of_node(const struct wsimrt_node_params *from) {
    struct wsimrt_range range = {.device = 0};
    wsimrt_memory_of(from->address, &range);
    return (struct wsimrt_alloc_layout){.type = PINNED,
                                        .location = WSIMRT_AT_DEVICE,
                                        .device = range.device,
                                        .bytes = from->bytes,
                                        .address = from->address};
}

int wsimrt_node_layout_check(const struct wsimrt_node_layout *from) {
    return from && !from->reserved[0] && !from->reserved[1] && !from->reserved[2] &&
                   !from->reserved2
               ? 0
               : WSIMRT_INVALID_VALUE;
}

int wsimrt_node_of(const struct wsimrt_node_layout *from, struct wsimrt_node_params *to) {
    if (!from)
        return WSIMRT_INVALID_VALUE;
    *to = (struct wsimrt_node_params){.kind = (enum wsimrt_node_kind)from->kind};
    switch (from->kind) {
    case WSIMRT_NODE_FILL: return wsimrt_node_of_fill(&from->is.fill, to);
    case WSIMRT_NODE_CALL: return wsimrt_node_of_call(&from->is.call, to);
    case WSIMRT_NODE_GRAPH:
        to->child = from->is.child.graph;
        to->moves = from->is.child.ownership;
        return 0;
    case WSIMRT_NODE_EMPTY: return 0;
    case WSIMRT_NODE_WAIT:
    case WSIMRT_NODE_RECORD: to->event = from->is.event; return 0;
    case WSIMRT_NODE_ALLOC: to->wrong = wsimrt_node_of_alloc(&from->is.alloc, to); return 0;
    case WSIMRT_NODE_FREE: to->address = from->is.address; return 0;
    case WSIMRT_NODE_CONDITION:
        to->condition.handle = from->is.condition.handle;
        to->condition.type = (unsigned)from->is.condition.type;
        to->condition.count = from->is.condition.count;
        return 0;
    default:
        return from->kind == 8 || from->kind == 9 ? WSIMRT_NOT_SUPPORTED : WSIMRT_INVALID_VALUE;
    }
}

void wsimrt_node_answer(const struct wsimrt_node_params *from, struct wsimrt_node_layout *to) {
    if (from->kind == WSIMRT_NODE_ALLOC)
        to->is.alloc.address = from->address;
    if (from->kind == WSIMRT_NODE_CONDITION)
        to->is.condition.bodies = from->condition.bodies;
}
