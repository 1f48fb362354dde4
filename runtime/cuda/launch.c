/* Launches and occupancy. */
#include "driver.h"

#include <string.h>

/* Marks in the list `extra` of a launch. */
#define EXTRA_END ((void *)0)
#define EXTRA_BUFFER ((void *)1)
#define EXTRA_SIZE ((void *)2)

/* Whether the list is wrong. */
static int read_extra(void **extra, struct wsimrt_launch *launch) {
    for (; extra && *extra != EXTRA_END; extra += 2) {
        if (extra[0] == EXTRA_BUFFER)
            launch->packed = extra[1];
        else if (extra[0] == EXTRA_SIZE && extra[1])
            memcpy(&launch->packed_bytes, extra[1], sizeof launch->packed_bytes);
        else
            return 1;
    }
    return 0;
}

static int start(struct wsimrt_launch *launch, void **params, void **extra) {
    launch->params = params;
    if ((params && extra) || read_extra(extra, launch))
        launch->wrong = WSIMRT_INVALID_VALUE;
    return wsimrt_launch(launch);
}

CU cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                  CUstream stream, void **params, void **extra) {
    struct wsimrt_launch launch = {.function = function,
                                   .grid = {grid_x, grid_y, grid_z},
                                   .block = {block_x, block_y, block_z},
                                   .shared = shared,
                                   .stream = stream};
    return start(&launch, params, extra);
}

CU cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                             CUstream stream, void **params) {
    struct wsimrt_launch launch = {.function = function,
                                   .grid = {grid_x, grid_y, grid_z},
                                   .block = {block_x, block_y, block_z},
                                   .shared = shared,
                                   .stream = stream,
                                   .cooperative = 1};
    return start(&launch, params, NULL);
}

/* Launches with a configuration: events that attributes name are recorded after the launch. */
CU cuLaunchKernelEx(const struct launch_config *config, CUfunction function, void **params,
                    void **extra) {
    struct wsimrt_launch launch = {.function = function};
    int error;
    if (!config || (config->n && !config->attributes))
        return WSIMRT_INVALID_VALUE;
    memcpy(launch.grid, config->grid, sizeof launch.grid);
    memcpy(launch.block, config->block, sizeof launch.block);
    launch.shared = config->shared;
    launch.stream = config->stream;
    for (unsigned i = 0; i < config->n; i++) {
        const struct launch_attribute *attribute = &config->attributes[i];
        error = wsimrt_launch_attribute((int)attribute->id, attribute->value.bytes);
        if (error && attribute->id != ATTRIBUTE_CLUSTER)
            return error;
        if (error)
            launch.wrong = error;
        if (attribute->id == ATTRIBUTE_COOPERATIVE)
            launch.cooperative = attribute->value.number != 0;
        else if (attribute->id == ATTRIBUTE_CLUSTER)
            memcpy(launch.cluster, attribute->value.three, sizeof launch.cluster);
        else if (attribute->id == ATTRIBUTE_PROGRAMMATIC_STREAM)
            launch.dependent = attribute->value.number != 0;
        else if (attribute->id == ATTRIBUTE_PREFERRED)
            memcpy(launch.preferred, attribute->value.three, sizeof launch.preferred);
    }
    error = start(&launch, params, extra);
    for (unsigned i = 0; i < config->n && !error; i++)
        if (config->attributes[i].id == ATTRIBUTE_PROGRAMMATIC_EVENT ||
            config->attributes[i].id == ATTRIBUTE_COMPLETION_EVENT)
            error = wsimrt_event_record(config->attributes[i].value.event, config->stream);
    return error;
}

/* --- occupancy --- */

CU cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                               size_t shared) {
    const int error = driver_context();
    if (error || threads <= 0)
        return error ? error : WSIMRT_INVALID_VALUE;
    return wsimrt_function_occupancy(function, (unsigned)threads, shared, blocks);
}

CU cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                        int threads, size_t shared,
                                                        unsigned flags) {
    return flags & ~1u && !driver_context()
               ? WSIMRT_INVALID_VALUE
               : cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}

/* The block size, a multiple of a warp, whose blocks fill an SM best; the largest of equal ones. */
CU cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                             size_t (*shared_of)(int), size_t shared, int most,
                                             unsigned flags) {
    struct wsimrt_function_info info;
    int best = 0, sms = 0, blocks, error = grid && block ? 0 : WSIMRT_INVALID_VALUE;
    CUdevice device = 0;
    struct wsimrt_context_info context;
    error = error ? error : wsimrt_context_info(NULL, &context);
    device = error ? 0 : context.device;
    error = error ? error : wsimrt_function_info(function, &info);
    error = error ? error : wsimrt_device_attribute(&sms, 16, device);
    if (!error && (most < 0 || flags & ~1u))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    *grid = *block = 0;
    if (!most || most > (int)info.threads)
        most = (int)info.threads;
    for (int threads = (most + 31) / 32 * 32; threads > 0 && !error; threads -= 32) {
        const int size = threads < most ? threads : most;
        error = wsimrt_function_occupancy(function, (unsigned)size,
                                          shared_of ? shared_of(size) : shared, &blocks);
        if (!error && blocks * size > best) {
            best = blocks * size;
            *block = size;
            *grid = blocks * sms;
        }
    }
    return error;
}

CU cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                    size_t (*shared_of)(int), size_t shared, int most) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared, most,
                                                     0);
}

CU cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction function, int blocks,
                                           int threads) {
    const int error = driver_context();
    if (error || threads <= 0)
        return error ? error : WSIMRT_INVALID_VALUE;
    return wsimrt_function_shared(function, (unsigned)threads, blocks, shared);
}

/* The cluster of a launch, by its attribute or by the function; {0, 0, 0}: it has none. */
static int cluster_of(CUfunction function, const struct launch_config *config, uint32_t shape[3],
                      int *by_function) {
    struct wsimrt_function_info info;
    struct wsimrt_context *current;
    int error = function ? driver_context() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_function_info(function, &info);
    error = error ? error : wsimrt_context_current(&current);
    if (!error && info.context && info.context != current)
        error = WSIMRT_INVALID_HANDLE;
    if (error)
        return error;
    if (!config->grid[0] || !config->grid[1] || !config->grid[2])
        return WSIMRT_INVALID_VALUE;
    *by_function = info.cluster[0] || info.cluster[1] || info.cluster[2];
    for (unsigned k = 0; k < 3; k++)
        shape[k] = *by_function && !info.cluster[k] ? 1 : info.cluster[k];
    error = *by_function ? wsimrt_cluster_check(function, config->grid, shape) : 0;
    for (unsigned i = 0; i < config->n && !error; i++)
        if (config->attributes[i].id == ATTRIBUTE_CLUSTER) {
            for (unsigned k = 0; k < 3; k++)
                shape[k] = config->attributes[i].value.three[k];
            error = wsimrt_cluster_check(function, config->grid, shape);
        }
    return error;
}

CU cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function,
                                      const struct launch_config *config) {
    uint32_t shape[3];
    int portable = 0, declared = 0, n = 0, by_function = 0;
    int error = size && config && (config->attributes || !config->n)
                    ? cluster_of(function, config, shape, &by_function)
                    : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_function_get(function, 14, &portable);
    error = error ? error : wsimrt_function_get(function, 10, &declared);
    if (!error && by_function && !declared)
        error = WSIMRT_INVALID_CLUSTER_SIZE;
    error = error
                ? error
                : wsimrt_function_occupancy(function,
                                            config->block[0] * config->block[1] * config->block[2],
                                            config->shared, &n);
    if (!error)
        *size = !n ? 0 : portable ? 16 : 8;
    return error;
}

/* Clusters that fit on the GPU at once; without the attribute there are none. */
CU cuOccupancyMaxActiveClusters(int *clusters, CUfunction function,
                                const struct launch_config *config) {
    uint32_t shape[3];
    unsigned threads;
    int n = 0, by_function = 0,
        error = clusters && config && (config->attributes || !config->n) ? 0 : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    threads = config->block[0] * config->block[1] * config->block[2];
    error = cluster_of(function, config, shape, &by_function);
    error = error ? error : wsimrt_function_occupancy(function, threads, config->shared, &n);
    if (!error)
        *clusters = shape[0] ? wsimrt_clusters(n, shape[0] * shape[1] * shape[2]) : 0;
    return error;
}
