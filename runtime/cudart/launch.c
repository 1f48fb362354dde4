/* Launches, attributes of kernels and occupancy. */
#include "cudart.h"

#include <string.h>

/* --- the configuration between <<< and >>> --- */

enum { DEEPEST = 32 };

struct configuration {
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

static _Thread_local struct {
    struct configuration stack[DEEPEST];
    unsigned n;
} pushed;

WSIMRT_API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                                cudaStream_t stream) {
    if (pushed.n == DEEPEST)
        return 1;
    pushed.stack[pushed.n++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

RT __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                              cudaStream_t *stream) {
    const struct configuration *top = pushed.n ? &pushed.stack[--pushed.n] : NULL;
    if (!top)
        return rt_note(RT_MISSING_CONFIGURATION);
    *grid = top->grid, *block = top->block, *shared = top->shared, *stream = top->stream;
    return 0;
}

/* --- launches --- */

static int read_attributes(const struct launch_config *config, struct wsimrt_launch *launch) {
    for (unsigned i = 0; i < config->n; i++) {
        const struct launch_attribute *attribute = &config->attributes[i];
        const int error = wsimrt_launch_attribute((int)attribute->id, attribute->value.bytes);
        if (error)
            return error;
        if (attribute->id == RT_ATTRIBUTE_COOPERATIVE)
            launch->cooperative = attribute->value.number != 0;
        else if (attribute->id == RT_ATTRIBUTE_CLUSTER)
            memcpy(launch->cluster, attribute->value.three, sizeof launch->cluster);
        else if (attribute->id == RT_ATTRIBUTE_PROGRAMMATIC_STREAM)
            launch->dependent = attribute->value.number != 0;
        else if (attribute->id == RT_ATTRIBUTE_PREFERRED)
            memcpy(launch->preferred, attribute->value.three, sizeof launch->preferred);
    }
    return 0;
}

static int rt_launch_config(const struct launch_config *config, const void *host, void **params) {
    struct wsimrt_launch launch = {
        .shared = config->shared, .stream = config->stream, .params = params};
    int error = rt_need();
    error = error ? error : rt_function(host, &launch.function);
    if (error)
        return error;
    memcpy(launch.grid, &config->grid, sizeof launch.grid);
    memcpy(launch.block, &config->block, sizeof launch.block);
    error = wsimrt_stream_asked(config->stream, 0);
    error = error ? error : read_attributes(config, &launch);
    error = error ? error : wsimrt_launch(&launch);
    for (unsigned i = 0; i < config->n && !error; i++)
        if (config->attributes[i].id == RT_ATTRIBUTE_PROGRAMMATIC_EVENT ||
            config->attributes[i].id == RT_ATTRIBUTE_COMPLETION_EVENT)
            error = wsimrt_event_record(config->attributes[i].value.event, config->stream);
    return error;
}

RT cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **params,
                    size_t shared, cudaStream_t stream) {
    const struct launch_config config = {grid, block, shared, stream, NULL, 0};
    return rt_note(rt_launch_config(&config, host, params));
}

RT __cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **params,
                      size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, params, shared, stream);
}

RT cudaLaunchCooperativeKernel(const void *host, struct dim3 grid, struct dim3 block, void **params,
                               size_t shared, cudaStream_t stream) {
    struct launch_attribute cooperative = {.id = RT_ATTRIBUTE_COOPERATIVE, .value = {.number = 1}};
    const struct launch_config config = {grid, block, shared, stream, &cooperative, 1};
    return rt_note(rt_launch_config(&config, host, params));
}

RT cudaLaunchKernelExC(const struct launch_config *config, const void *host, void **params) {
    if (!config || (config->n && !config->attributes))
        return rt_note(WSIMRT_INVALID_VALUE);
    return rt_note(rt_launch_config(config, host, params));
}

RT cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *), void *data) {
    RT_CALL(wsimrt_stream_call(stream, function, data));
}

/* --- attributes --- */

/* Enters with the function of a host function. */
static int need_function(const void *host, struct wsimrt_function **function) {
    const int error = rt_need();
    return error ? error : rt_function(host, function);
}

RT cudaFuncGetAttributes(struct function_attributes *attributes, const void *host) {
    struct wsimrt_function *function = NULL;
    int values[16], error = attributes ? need_function(host, &function) : WSIMRT_INVALID_VALUE;
    for (int i = 0; i < 16 && !error; i++)
        error = wsimrt_function_get(function, i, &values[i]);
    if (!error)
        *attributes = (struct function_attributes){.shared = (size_t)values[1],
                                                   .constant = (size_t)values[2],
                                                   .local = (size_t)values[3],
                                                   .threads = values[0],
                                                   .registers = values[4],
                                                   .ptx = values[5],
                                                   .binary = values[6],
                                                   .cache = values[7],
                                                   .dynamic_shared = values[8],
                                                   .carveout = values[9],
                                                   .cluster_must = values[10],
                                                   .cluster = {values[11], values[12], values[13]},
                                                   .policy = values[15],
                                                   .non_portable = values[14]};
    return rt_note(error);
}

RT cudaFuncSetAttribute(const void *host, int attribute, int value) {
    enum { FIRST_SET = 8, LAST_SET = 15 }; /* attributes that can be set */
    struct wsimrt_function *function = NULL;
    int error = attribute < FIRST_SET || attribute > LAST_SET ? WSIMRT_INVALID_VALUE
                                                              : need_function(host, &function);
    return rt_note(error ? error : wsimrt_function_set(function, attribute, value));
}

RT cudaKernelSetAttributeForDevice(const void *kernel, int attribute, int value, int device) {
    int count = 0, error = rt_need();
    error = error ? error : wsimrt_device_count(&count);
    if (!error && (device < 0 || device >= count))
        error = WSIMRT_INVALID_DEVICE;
    return error ? rt_note(error) : cudaFuncSetAttribute(kernel, attribute, value);
}

/* A preference: it changes no result. */
RT cudaFuncSetCacheConfig(const void *host, int config) {
    enum { EQUAL = 3 };
    struct wsimrt_function *function = NULL;
    int error = need_function(host, &function);
    if (!error && (config < 0 || config > EQUAL))
        error = WSIMRT_INVALID_VALUE;
    return rt_note(error ? error : wsimrt_function_cache(function, config));
}

RT cudaFuncSetSharedMemConfig(const void *host, int config) {
    enum { EIGHT_BYTES = 2 };
    struct wsimrt_function *function = NULL;
    const int error = need_function(host, &function);
    return rt_note(error ? error : config < 0 || config > EIGHT_BYTES ? WSIMRT_INVALID_VALUE : 0);
}

RT cudaFuncGetName(const char **name, const void *host) {
    struct wsimrt_function *function = NULL;
    struct wsimrt_function_info info;
    int error = name ? need_function(host, &function) : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_function_info(function, &info);
    if (!error)
        *name = info.name;
    return rt_note(error);
}

RT cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset, size_t *bytes) {
    struct wsimrt_function *function = NULL;
    const int error = need_function(host, &function);
    return rt_note(error ? error : wsimrt_function_param(function, index, offset, bytes));
}

/* --- occupancy: the driver computes it --- */

int cuOccupancyAvailableDynamicSMemPerBlock(size_t *, struct wsimrt_function *, int, int);
int cuOccupancyMaxPotentialClusterSize(int *, struct wsimrt_function *, const void *);
int cuOccupancyMaxActiveClusters(int *, struct wsimrt_function *, const void *);

RT cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads,
                                                 size_t shared) {
    struct wsimrt_function *function = NULL;
    int error = threads > 0 ? need_function(host, &function) : WSIMRT_INVALID_VALUE;
    return rt_note(error ? error
                         : wsimrt_function_occupancy(function, (unsigned)threads, shared, blocks));
}

RT cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host,
                                                          int threads, size_t shared,
                                                          unsigned flags) {
    if (flags & ~1u)
        return rt_note(WSIMRT_INVALID_VALUE);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, host, threads, shared);
}

RT cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *host, int blocks,
                                             int threads) {
    struct wsimrt_function *function = NULL;
    const int error = need_function(host, &function);
    return rt_note(
        error ? error : cuOccupancyAvailableDynamicSMemPerBlock(shared, function, blocks, threads));
}

/* CUlaunchConfig: as cudaLaunchConfig_t, but the shared memory is a 32-bit number. */
struct driver_config {
    unsigned grid[3], block[3], shared;
    cudaStream_t stream;
    struct launch_attribute *attributes;
    unsigned n;
};

static struct driver_config driver_config(const struct launch_config *config) {
    struct driver_config out = {.shared = (unsigned)config->shared,
                                .stream = config->stream,
                                .attributes = config->attributes,
                                .n = config->n};
    memcpy(out.grid, &config->grid, sizeof out.grid);
    memcpy(out.block, &config->block, sizeof out.block);
    return out;
}

RT cudaOccupancyMaxPotentialClusterSize(int *size, const void *host,
                                        const struct launch_config *config) {
    struct wsimrt_function *function = NULL;
    struct driver_config given;
    const int error = config ? need_function(host, &function) : WSIMRT_INVALID_VALUE;
    if (error)
        return rt_note(error);
    given = driver_config(config);
    return rt_note(cuOccupancyMaxPotentialClusterSize(size, function, &given));
}

RT cudaOccupancyMaxActiveClusters(int *clusters, const void *host,
                                  const struct launch_config *config) {
    struct wsimrt_function *function = NULL;
    struct driver_config given;
    const int error = config ? need_function(host, &function) : WSIMRT_INVALID_VALUE;
    if (error)
        return rt_note(error);
    given = driver_config(config);
    return rt_note(cuOccupancyMaxActiveClusters(clusters, function, &given));
}
