/* The parameters and sizes of a launch. */
#include "state.h"
#include "report.h"

#include <string.h>

enum { PORTABLE_CLUSTER = 8 }; /* blocks; more need an attribute of the kernel */

uint32_t threads_within(const uint32_t bounds[3]) {
    const uint32_t most = (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_THREADS);
    uint64_t threads = 1;
    for (unsigned i = 0; i < 3; i++)
        threads *= bounds[i] ? bounds[i] : 1;
    return bounds[0] && threads < most ? (uint32_t)threads : most;
}

uint32_t module_threads(const struct wsimrt_function *function) {
    return threads_within(function->info.maxntid);
}

/* Refusals of a GPU that the library does not have. */
int launch_check_sizes(const struct wsimrt_launch *launch) {
    const struct wsimrt_function *function = launch->function;
    for (unsigned i = 0; i < 3; i++)
        if (!launch->grid[i] || !launch->block[i]) {
            core_because("kernel %s: the %s is 0 in %c, at least 1", function->info.name,
                         launch->grid[i] ? "block" : "grid", "xyz"[i]);
            return WSIMRT_INVALID_VALUE;
        }
    if (launch->shared > (uint64_t)function->dynamic_shared) {
        core_because(
            "kernel %s: %llu bytes of dynamic shared memory, at most %llu without a larger "
            "cudaFuncAttributeMaxDynamicSharedMemorySize",
            function->info.name, (unsigned long long)launch->shared,
            (unsigned long long)function->dynamic_shared);
        return WSIMRT_INVALID_VALUE;
    }
    if ((uint64_t)launch->cluster[0] * launch->cluster[1] * launch->cluster[2] > PORTABLE_CLUSTER &&
        !function->non_portable)
        return WSIMRT_INVALID_CLUSTER_SIZE;
    return 0;
}

int launch_pack(const struct wsimrt_launch *launch, unsigned char *params) {
    const struct wsimrt_function *function = launch->function;
    struct wsim_kernel_param param;
    if (launch->packed) {
        if (launch->packed_bytes > function->info.param_bytes)
            return WSIMRT_LAUNCH_OUT_OF_RESOURCES;
        memset(params, 0, function->info.param_bytes);
        memcpy(params, launch->packed, launch->packed_bytes);
        return 0;
    }
    for (size_t i = 0; wsim_kernel_param_at(function->kernel, i, &param); i++) {
        if (!launch->params || !launch->params[i])
            return WSIMRT_INVALID_VALUE;
        memcpy(params + param.offset, launch->params[i], param.bytes);
    }
    return 0;
}
