/* Attributes of launches and kernel nodes: launch_attribute.def. */
#include "graph_state.h"

#include <string.h>

enum { CLUSTER = 4, PRIORITY = 8 };
enum { ANY = 1, CHECKED }; /* in nodes */

/* The values that a launch takes. */
enum values { ALL, NONE, SHAPE, EVENT, DOMAINS, UPDATABLE, UP_TO_0 };
#define UP_TO(most) UP_TO_0 + (most)

static const struct row {
    uint8_t number, values, in_node, bytes;
    int32_t first;
} rows[] = {
#define LAUNCH_ATTRIBUTE(number, values, in_node, bytes, first)                                    \
    {number, values, in_node, bytes, first},
#include "launch_attribute.def"
};

static const uint32_t none[3]; /* a cluster that is not chosen */

static const struct row *find(int number) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

/* An event of a launch has no time. External events are those of captures. */
static int check_event(struct wsimrt_event *event, uint32_t record_flags) {
    enum { EXTERNAL = 1 };
    unsigned flags = 0;
    const int error = wsimrt_event_flags(event, &flags);
    if (error || !(flags & WSIMRT_EVENT_NO_TIMING))
        return error ? error : WSIMRT_NOT_SUPPORTED;
    if (record_flags)
        return record_flags == EXTERNAL ? WSIMRT_ILLEGAL_STATE : WSIMRT_INVALID_VALUE;
    return 0;
}

static int check(const struct row *row, const void *value) {
    enum { DOMAIN_COUNT = 4 };
    const uint8_t *const bytes = value;
    uint32_t three[3];
    struct wsimrt_event *event;
    memcpy(three, value, sizeof three);
    memcpy(&event, value, sizeof event);
    switch (row->values) {
    case ALL: return 0;
    case NONE: return WSIMRT_INVALID_VALUE;
    case SHAPE:
        return memcmp(three, none, sizeof none) == 0 || (three[0] && three[1] && three[2])
                   ? 0
                   : WSIMRT_INVALID_CLUSTER_SIZE;
    case EVENT: return check_event(event, three[2]);
    case DOMAINS:
        return bytes[0] < DOMAIN_COUNT && bytes[1] < DOMAIN_COUNT ? 0 : WSIMRT_INVALID_VALUE;
    case UPDATABLE: return WSIMRT_NOT_SUPPORTED;
    default: return three[0] <= row->values - (uint32_t)UP_TO_0 ? 0 : WSIMRT_INVALID_VALUE;
    }
}

int wsimrt_launch_attribute(int number, const void *value) {
    const struct row *row = find(number);
    return row ? check(row, value) : WSIMRT_INVALID_VALUE;
}

/* --- of kernel nodes --- */

static int get_kernel(struct wsimrt_node *node, int number, const void *value,
                      struct wsimrt_node_params *params) {
    const struct row *row = find(number);
    const int error =
        row && row->in_node && value ? wsimrt_node_get(node, params) : WSIMRT_INVALID_VALUE;
    return error || params->kind == WSIMRT_NODE_KERNEL ? error : WSIMRT_INVALID_VALUE;
}

int wsimrt_node_get_attribute(struct wsimrt_node *node, int number, void *value) {
    enum { BYTES = 64, UNREADABLE = 16 };
    const struct row *row = find(number);
    struct wsimrt_node_params params;
    const int error =
        number == UNREADABLE ? WSIMRT_INVALID_VALUE : get_kernel(node, number, value, &params);
    int32_t kept;
    if (error)
        return error;
    memset(value, 0, BYTES);
    kept = params.attributes[number] ^ row->first;
    if (number == CLUSTER)
        memcpy(value, params.launch.cluster, sizeof params.launch.cluster);
    else
        memcpy(value, &kept, row->bytes);
    return 0;
}

int wsimrt_cluster_check(struct wsimrt_function *function, const uint32_t grid[3],
                         const uint32_t shape[3]) {
    struct wsimrt_function_info info;
    int portable = 0, error = wsimrt_function_info(function, &info);
    const uint64_t blocks = (uint64_t)shape[0] * shape[1] * shape[2];
    enum { NON_PORTABLE = 14 };
    error = error ? error : wsimrt_function_get(function, NON_PORTABLE, &portable);
    if (error)
        return error;
    error = !blocks ||
            blocks > wsim_arch_limit(core.settings.arch, portable ? WSIM_LIMIT_CLUSTER_BLOCKS
                                                                  : WSIM_LIMIT_CLUSTER_PORTABLE);
    const int asked = memcmp(info.cluster, none, sizeof none) != 0;
    for (unsigned k = 0; k < 3 && !error; k++)
        error =
            grid[k] % shape[k] || (asked && shape[k] != (info.cluster[k] ? info.cluster[k] : 1));
    return error ? WSIMRT_INVALID_CLUSTER_SIZE : 0;
}

int wsimrt_node_set_attribute(struct wsimrt_node *node, int number, const void *value) {
    const struct row *row = find(number);
    struct wsimrt_node_params params;
    int error = get_kernel(node, number, value, &params);
    int32_t kept = 0;
    if (!error && row->in_node == CHECKED)
        error = check(row, value);
    if (!error && number == CLUSTER && memcmp(value, none, sizeof none) != 0)
        error = wsimrt_cluster_check(params.launch.function, params.launch.grid, value);
    if (error)
        return error;
    memcpy(&kept, value, row->bytes);
    if (number == CLUSTER)
        memcpy(params.launch.cluster, value, sizeof params.launch.cluster);
    if (number == PRIORITY)
        kept = stream_priority(kept);
    params.attributes[number] = kept ^ row->first;
    params.launch.cooperative = params.attributes[2] != 0;
    return wsimrt_node_set(node, &params);
}

int wsimrt_node_keep_attributes(struct wsimrt_node *node, struct wsimrt_node_params *params) {
    struct wsimrt_node_params old;
    const int error = wsimrt_node_get(node, &old);
    if (!error && old.kind == WSIMRT_NODE_KERNEL) {
        params->launch.cooperative = old.launch.cooperative;
        memcpy(params->launch.cluster, old.launch.cluster, sizeof old.launch.cluster);
        memcpy(params->attributes, old.attributes, sizeof old.attributes);
    }
    return error;
}
