/* Functions: their registers, parameters, attributes, and how many blocks fit. */
#include "state.h"

#include <string.h>

static int check_function(const struct wsimrt_function *function, const void *output) {
    if (!handle_is(function, HANDLE_FUNCTION))
        return WSIMRT_INVALID_HANDLE;
    return output ? 0 : WSIMRT_INVALID_VALUE;
}

/* The limit of an option, which ptxas neither rounds nor applies to kernels with bounds, and raises
 * to 24. Source: ptxas 13.0. */
static uint32_t limit(const struct wsimrt_function *function, uint32_t registers) {
    enum { LEAST = 24 };
    const struct wsim_kernel_info *info = &function->info;
    const uint32_t most = function->most_registers > LEAST ? function->most_registers : LEAST;
    if (!function->most_registers || info->maxnreg || info->maxntid[0] || info->reqntid[0] ||
        info->minnctapersm)
        return registers;
    return registers < most ? registers : most;
}

/* Registers as the assembler says, or an estimate within the bounds of the kernel. Without bounds an
 * estimate leaves room for the largest block, so that it never refuses a launch. */
uint32_t module_registers(const struct wsimrt_function *function) {
    const struct wsim_kernel_info *info = &function->info;
    const uint32_t most = (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_REGISTERS);
    uint32_t registers = info->machine_registers,
             fit = most / threads_within(info->reqntid[0] ? info->reqntid : info->maxntid);
    if (function->registers)
        return function->registers;
    if (info->maxnreg && registers > info->maxnreg)
        registers = info->maxnreg;
    fit = fit / 8 * 8;
    registers = (registers + 7) / 8 * 8;
    registers = registers > fit ? fit : registers;
    return limit(function, registers > 255 ? 255 : registers);
}

int wsimrt_function_cache(struct wsimrt_function *function, int config) {
    int error = core_enter(NULL);
    error = error ? error : check_function(function, function);
    error = error ? error : context_error();
    if (!error)
        function->cache = config;
    return core_leave(error);
}

int wsimrt_function_info(struct wsimrt_function *function, struct wsimrt_function_info *info) {
    int error = core_enter(NULL);
    error = error ? error : check_function(function, info);
    if (!error) {
        const struct wsim_kernel_info *from = &function->info;
        *info = (struct wsimrt_function_info){.name = from->name,
                                              .module = function->module,
                                              .context = function->module->context,
                                              .params = (uint32_t)from->params,
                                              .param_bytes = from->param_bytes,
                                              .threads = module_threads(function),
                                              .shared = from->shared,
                                              .constant = from->constant,
                                              .local = from->local,
                                              .registers = module_registers(function),
                                              .dynamic_shared = (uint32_t)function->dynamic_shared,
                                              .ptx_version = function->ptx_version,
                                              .binary_version = device_capability()};
        memcpy(info->cluster, from->cluster, sizeof info->cluster);
    }
    return core_leave(error);
}

int wsimrt_function_param(struct wsimrt_function *function, size_t index, size_t *offset,
                          size_t *bytes) {
    int error = core_enter(NULL);
    struct wsim_kernel_param param;
    error = error ? error : check_function(function, offset);
    if (!error && !wsim_kernel_param_at(function->kernel, index, &param))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        *offset = param.offset;
        if (bytes)
            *bytes = param.bytes;
    }
    return core_leave(error);
}

/* Numbers of CUfunction_attribute. */
enum {
    AT_THREADS,
    AT_SHARED,
    AT_CONSTANT,
    AT_LOCAL,
    AT_REGISTERS,
    AT_PTX,
    AT_BINARY,
    AT_CACHE,
    AT_DYNAMIC_SHARED,
    AT_CARVEOUT,
    AT_CLUSTER_MUST,
    AT_CLUSTER_X,
    AT_CLUSTER_Y,
    AT_CLUSTER_Z,
    AT_NON_PORTABLE,
    AT_POLICY,
    LAST_POLICY = 2 /* CUclusterSchedulingPolicy */
};

int wsimrt_function_get(struct wsimrt_function *function, int attribute, int *value) {
    struct wsimrt_context *context;
    int error = core_enter(NULL);
    struct wsim_kernel_info kernel;
    error = error ? error : check_function(function, value);
    if (!error && function->module->context)
        error = core_enter_with(function->module->context, &context);
    else if (!error) /* a kernel of a library needs no context */
        error = context_error();
    if (error)
        return core_leave(error);
    const struct wsim_kernel_info *info = &function->info;
    switch (attribute) {
    case AT_THREADS: *value = (int)module_threads(function); break;
    case AT_SHARED: *value = (int)info->shared; break;
    case AT_CONSTANT: *value = (int)info->constant; break;
    case AT_LOCAL: *value = (int)info->local; break;
    case AT_REGISTERS: *value = (int)module_registers(function); break;
    case AT_PTX: *value = function->ptx_version; break;
    case AT_BINARY: *value = device_capability(); break;
    case AT_CACHE: *value = 0; break;
    case AT_DYNAMIC_SHARED: *value = function->dynamic_shared; break;
    case AT_CARVEOUT: *value = function->carveout; break;
    case AT_CLUSTER_MUST:
        wsim_kernel_describe(function->kernel, &kernel);
        *value = kernel.cluster[0] != 0;
        break;
    case AT_CLUSTER_X: *value = (int)info->cluster[0]; break;
    case AT_CLUSTER_Y: *value = (int)info->cluster[1]; break;
    case AT_CLUSTER_Z: *value = (int)info->cluster[2]; break;
    case AT_NON_PORTABLE: *value = function->non_portable; break;
    case AT_POLICY: *value = function->policy; break;
    default: error = WSIMRT_INVALID_VALUE;
    }
    return core_leave(error);
}

/* Whether the PTX of a kernel has the shape of its clusters. */
static int declares_cluster(const struct wsimrt_function *function) {
    struct wsim_kernel_info info;
    wsim_kernel_describe(function->kernel, &info);
    return info.cluster[0] != 0;
}

int wsimrt_function_set(struct wsimrt_function *function, int attribute, int value) {
    int error = core_enter(NULL);
    error = error ? error : check_function(function, function);
    if (error)
        return core_leave(error);
    const int most = (int)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_SHARED_OPTIN) -
                     (int)function->info.shared;
    switch (attribute) {
    case AT_DYNAMIC_SHARED:
        if (value < 0 || value > most)
            error = WSIMRT_INVALID_VALUE;
        else
            function->dynamic_shared = value;
        break;
    case AT_CARVEOUT:
        if (value < -1 || value > 100)
            error = WSIMRT_INVALID_VALUE;
        else
            function->carveout = value;
        break;
    case AT_CLUSTER_X:
    case AT_CLUSTER_Y:
    case AT_CLUSTER_Z:
        if (value < 0 || (declares_cluster(function) &&
                          (uint32_t)value != function->info.cluster[attribute - AT_CLUSTER_X]))
            error = WSIMRT_INVALID_VALUE;
        else
            function->info.cluster[attribute - AT_CLUSTER_X] = (uint32_t)value;
        break;
    case AT_NON_PORTABLE: function->non_portable = value; break;
    case AT_POLICY:
        if (value < 0 || value > LAST_POLICY)
            error = WSIMRT_INVALID_VALUE;
        else
            function->policy = value;
        break;
    default: error = WSIMRT_INVALID_VALUE;
    }
    return core_leave(error);
}

/* Shared memory of an SM, as the kernel prefers it. Sizes: CUDA Programming Guide, "Compute
 * Capability 9.0"; that a preference takes the next one above it: an H200. */
static uint32_t sm_shared(const struct wsimrt_function *function) {
    static const uint8_t kilobytes[] = {0, 8, 16, 32, 64, 100, 132, 164, 196};
    static const uint8_t preferred[] = {0, 0, 8, 132}; /* by CUfunc_cache; 0: all */
    const uint32_t all = (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_SM_SHARED);
    struct wsimrt_context *context;
    int cache = function->cache;
    if (!cache && core_current(&context) == 0)
        cache = context->cache;
    if (function->carveout < 0 && cache > 0 && preferred[cache] * UINT32_C(1024) < all &&
        preferred[cache])
        return preferred[cache] * UINT32_C(1024);
    if (function->carveout >= 0)
        for (unsigned i = 0; i < sizeof kilobytes; i++) {
            const uint32_t bytes = kilobytes[i] * UINT32_C(1024);
            if (bytes < all && bytes >= (uint64_t)all * (unsigned)function->carveout / 100)
                return bytes;
        }
    return all;
}

int module_blocks(const struct wsimrt_function *function, uint32_t threads, size_t shared) {
    const uint32_t bytes = function->info.shared + (uint32_t)shared;
    const uint32_t reserved =
        (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_SHARED_RESERVED);
    const uint32_t each = (bytes + reserved + 127) & ~UINT32_C(127);
    struct wsim_occupancy occupancy;
    struct wsim_diag diag;
    const size_t plain = (size_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_SHARED);
    uint32_t fit;
    if (shared > (size_t)function->dynamic_shared && shared > plain - function->info.shared)
        return 0;
    if (wsim_arch_occupancy(core.settings.arch, threads, module_registers(function), bytes,
                            &occupancy, &diag))
        return 0;
    fit = sm_shared(function) / each;
    fit = fit ? fit : 1; /* a block gets what it needs, whatever the preference */
    return (int)(fit < occupancy.blocks ? fit : occupancy.blocks);
}

int wsimrt_function_occupancy(struct wsimrt_function *function, uint32_t threads, size_t shared,
                              int *blocks) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    error = error ? error : check_function(function, blocks);
    if (!error && !threads)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *blocks = module_blocks(function, threads, (uint32_t)shared); /* as an H200 */
    return core_leave(error);
}

int wsimrt_clusters(int blocks, uint32_t size) {
    return blocks > 0 ? (int)wsim_arch_clusters(core.settings.arch, (uint32_t)blocks, size) : 0;
}

int wsimrt_function_shared(struct wsimrt_function *function, uint32_t threads, int blocks,
                           size_t *bytes) {
    int most = 0, error = bytes && threads && blocks > 0 ? 0 : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_function_occupancy(function, threads, 0, &most);
    if (error)
        return error;
    error = core_enter(NULL);
    if (!error && most < blocks)
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        const uint32_t all = /* one block gets what it needs, whatever the preference */
            blocks > 1 ? sm_shared(function)
                       : (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_SM_SHARED);
        const uint32_t share = all / (unsigned)blocks & ~UINT32_C(127);
        const uint32_t free = share > function->info.shared ? share - function->info.shared : 0;
        *bytes =
            free < (uint32_t)function->dynamic_shared ? free : (uint32_t)function->dynamic_shared;
    }
    return core_leave(error);
}
