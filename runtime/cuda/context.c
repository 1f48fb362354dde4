/* Contexts. */
#include "driver.h"

enum { MAPS_HOST = 8 }; /* CU_CTX_MAP_HOST */

CU cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    return wsimrt_primary_retain(device, context);
}

CU cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    return wsimrt_primary_release(device);
}

CU cuDevicePrimaryCtxRelease(CUdevice device) {
    return wsimrt_primary_release(device);
}

CU cuDevicePrimaryCtxReset_v2(CUdevice device) {
    return wsimrt_primary_reset(device);
}

CU cuDevicePrimaryCtxReset(CUdevice device) {
    return wsimrt_primary_reset(device);
}

CU cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    return wsimrt_primary_state(device, flags, active);
}

/* Memory of the host is always mapped in a primary context, so an H200 refuses the flag. */
CU cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
    return flags & MAPS_HOST ? WSIMRT_INVALID_VALUE : wsimrt_primary_flags(device, flags);
}

CU cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CU cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
    return wsimrt_context_make(device, flags, context);
}

/* Affinities: SMs that a context may use. */
CU cuCtxCreate_v3(CUcontext *context, void *affinities, int n, unsigned flags, CUdevice device) {
    return affinities || n ? WSIMRT_UNSUPPORTED_EXEC_AFFINITY
                           : wsimrt_context_make(device, flags, context);
}

/* CUctxCreateParams: affinities, their number, and parameters of graphics. */
struct create_params {
    void *affinities;
    int n;
    void *graphics;
};

CU cuCtxCreate_v4(CUcontext *context, const struct create_params *params, unsigned flags,
                  CUdevice device) {
    if (params && (params->affinities || params->graphics))
        return WSIMRT_NOT_SUPPORTED;
    return wsimrt_context_make(device, flags, context);
}

CU cuCtxDestroy_v2(CUcontext context) {
    return context ? wsimrt_context_destroy(context) : WSIMRT_INVALID_VALUE;
}

CU cuCtxPushCurrent_v2(CUcontext context) {
    return context ? wsimrt_context_push(context) : WSIMRT_INVALID_VALUE;
}

CU cuCtxPopCurrent_v2(CUcontext *context) {
    return wsimrt_context_pop(context);
}

CU cuCtxSetCurrent(CUcontext context) {
    return wsimrt_context_set(context);
}

CU cuCtxGetCurrent(CUcontext *context) {
    return wsimrt_context_current(context);
}

CU cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
    struct wsimrt_context_info info;
    int error = device ? 0 : WSIMRT_INVALID_VALUE;
    if (!error && !context && wsimrt_context_past(device))
        return 0;
    error = error ? error : wsimrt_context_info(context, &info);
    if (!error)
        *device = info.device;
    return error;
}

CU cuCtxGetDevice(CUdevice *device) {
    return cuCtxGetDevice_v2(device, NULL);
}

CU cuCtxGetFlags(unsigned *flags) {
    struct wsimrt_context_info info;
    int error = flags ? 0 : WSIMRT_INVALID_VALUE, device;
    if (!error && wsimrt_context_past(&device)) {
        *flags = 0;
        return 0;
    }
    error = error ? error : wsimrt_context_info(NULL, &info);
    if (!error)
        *flags = info.flags | (info.primary ? MAPS_HOST : 0u);
    return error;
}

CU cuCtxSetFlags(unsigned flags) {
    return wsimrt_context_set_flags(flags);
}

struct exec_affinity { /* CUexecAffinityParam */
    int type;
    unsigned processors;
};

/* A context has all processors. */
CU cuCtxGetExecAffinity(struct exec_affinity *affinity, int type) {
    struct wsimrt_context_info info;
    struct wsimrt_device_info device;
    int error = wsimrt_context_info(NULL, &info);
    if (!error && type)
        error = WSIMRT_UNSUPPORTED_EXEC_AFFINITY;
    if (!error && !affinity)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_device_info(info.device, &device);
    if (!error)
        *affinity = (struct exec_affinity){.processors = (unsigned)device.processors};
    return error;
}

CU cuCtxGetId(CUcontext context, unsigned long long *id) {
    struct wsimrt_context_info info;
    const int error = id ? wsimrt_context_info(context, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *id = info.id;
    return error;
}

CU cuCtxSynchronize(void) {
    return wsimrt_context_sync();
}

CU cuCtxSynchronize_v2(CUcontext context) {
    int error = context ? wsimrt_context_push(context) : 0, popped;
    if (error)
        return error;
    error = wsimrt_context_sync();
    popped = context ? wsimrt_context_pop(NULL) : 0;
    return error ? error : popped;
}

CU cuCtxGetApiVersion(CUcontext context, unsigned *version) {
    struct wsimrt_context_info info;
    const int error = version ? wsimrt_context_info(context, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *version = 3020; /* the calls that make contexts have had this version since CUDA 3.2 */
    return error;
}

CU cuCtxGetLimit(size_t *value, int limit) {
    return wsimrt_limit_get(limit, value);
}

CU cuCtxSetLimit(int limit, size_t value) {
    return wsimrt_limit_set(limit, value);
}

/* Preferences for caches and banks change no result: they are accepted. */
static int accept(int *value) {
    enum { FOUR_BYTES = 1 };
    struct wsimrt_context_info info;
    const int error = wsimrt_context_info(NULL, &info);
    if (!error && value)
        *value = FOUR_BYTES;
    return error;
}

CU cuCtxGetCacheConfig(int *config) {
    return config ? wsimrt_context_cache(-1, config) : WSIMRT_INVALID_VALUE;
}

CU cuCtxSetCacheConfig(int config) {
    return config < 0 ? WSIMRT_INVALID_VALUE : wsimrt_context_cache(config, NULL);
}

CU cuCtxGetSharedMemConfig(int *config) {
    return config ? accept(config) : WSIMRT_INVALID_VALUE;
}

CU cuCtxSetSharedMemConfig(int config) {
    (void)config;
    return accept(NULL);
}

CU cuCtxResetPersistingL2Cache(void) {
    return accept(NULL);
}

CU cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    struct wsimrt_context_info info;
    const int error = wsimrt_context_info(NULL, &info);
    if (!error && least)
        *least = WSIMRT_PRIORITY_LEAST;
    if (!error && greatest)
        *greatest = WSIMRT_PRIORITY_GREATEST;
    return error;
}

CU cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    return flags ? WSIMRT_INVALID_VALUE : wsimrt_peer_enable(peer);
}

CU cuCtxDisablePeerAccess(CUcontext peer) {
    return wsimrt_peer_disable(peer);
}
