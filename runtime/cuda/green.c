/* Green contexts: parts of the processors of a device. */
#include "driver.h"
#include "green.h"

#include <string.h>

typedef struct wsimrt_green *CUgreenCtx;
typedef struct wsimrt_processors *CUdevResourceDesc;

/* Where a resource is from, in the bytes that programs do not change. */
struct token {
    char mark[8];
    int32_t device;
    uint32_t index;
    uint64_t split; /* 0: of a device or a context */
};
static const char mark[8] = "wsim-sm";

static int token_of(const struct green_resource *resource, struct token *token) {
    if (resource->type != GREEN_SM)
        return WSIMRT_INVALID_RESOURCE_TYPE;
    memcpy(token, resource->token, sizeof *token);
    return memcmp(token->mark, mark, sizeof mark) == 0 ? 0 : WSIMRT_INVALID_VALUE;
}

static struct green_resource resource_of(const struct token *token, unsigned n, unsigned least,
                                         unsigned step) {
    struct green_resource resource = {.type = GREEN_SM, .is.sm = {n, least, step}};
    memcpy(resource.token, token, sizeof *token);
    memcpy(resource.token, mark, sizeof mark);
    return resource;
}

/* `n` processors of a device, or all with 0. */
static int read_resource(CUdevice device, unsigned n, int type, struct green_resource *resource) {
    const struct token token = {.device = device};
    struct wsimrt_device_info info;
    int error = resource ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
    if (!error && type != GREEN_SM)
        error = WSIMRT_INVALID_RESOURCE_TYPE;
    if (!error)
        *resource = resource_of(&token, n ? n : (unsigned)info.processors, info.part, info.step);
    return error;
}

CU cuDeviceGetDevResource(CUdevice device, struct green_resource *resource, int type) {
    return read_resource(device, 0, type, resource);
}

CU cuGreenCtxGetDevResource(CUgreenCtx green, struct green_resource *resource, int type) {
    struct wsimrt_green_info info;
    const int error = green ? wsimrt_green_info(green, &info) : WSIMRT_INVALID_CONTEXT;
    return error ? error : read_resource(info.device, info.processors, type, resource);
}

CU cuCtxGetDevResource(CUcontext context, struct green_resource *resource, int type) {
    struct wsimrt_context_info info;
    CUgreenCtx green = NULL;
    int error = type != GREEN_SM ? WSIMRT_INVALID_RESOURCE_TYPE
                : context        ? wsimrt_green_of(context, &green)
                                 : WSIMRT_INVALID_CONTEXT;
    if (!error && green)
        return cuGreenCtxGetDevResource(green, resource, type);
    error = error ? error : wsimrt_context_info(context, &info);
    return error ? error : read_resource(info.device, 0, type, resource);
}

/* The number of parts of the least size, of `n` parts. Each is a place of a cluster of that size,
 * with one block on each processor. 0 places: the device has no clusters. */
static unsigned clustered(unsigned n, unsigned size) {
    const unsigned places = (unsigned)wsimrt_clusters(1, size);
    return places && n > places ? places : n;
}

CU cuDevSmResourceSplitByCount(struct green_resource *result, unsigned *n,
                               const struct green_resource *input, struct green_resource *remaining,
                               unsigned flags, unsigned least) {
    struct token token;
    unsigned step, size, most;
    int error = n && input && (!result || *n) ? token_of(input, &token) : WSIMRT_INVALID_VALUE;
    if (!error && flags > GREEN_MAX_CLUSTER && flags != GREEN_OTHER_FLAG)
        error = WSIMRT_INVALID_VALUE;
    /* only what a green context has is split again */
    if (!error && (token.split || least > input->is.sm.n))
        error = WSIMRT_INVALID_RESOURCE_CONFIGURATION;
    if (error)
        return error;
    step = flags == GREEN_IGNORE_COSCHEDULING ? 2 : input->is.sm.step;
    size = flags == GREEN_IGNORE_COSCHEDULING ? step : input->is.sm.least;
    size = ((least > size ? least : size) + step - 1) / step * step;
    if (size > input->is.sm.n)
        size = input->is.sm.n;
    most = size ? input->is.sm.n / size : 0;
    if (flags != GREEN_IGNORE_COSCHEDULING && size == input->is.sm.least)
        most = clustered(most, size);
    if (!result) {
        *n = most;
        return 0;
    }
    error = most ? wsimrt_number(&token.split) : WSIMRT_INVALID_RESOURCE_CONFIGURATION;
    if (!error && *n > most)
        *n = most;
    for (token.index = 0; token.index < *n && !error; token.index++)
        result[token.index] = resource_of(&token, size, 0, 0);
    if (!error && remaining)
        *remaining = resource_of(&token, input->is.sm.n - *n * size, 0, 0);
    if (!error && remaining && !remaining->is.sm.n)
        remaining->type = 0;
    return error;
}

/* Parts may overlap. A part that is there twice counts once; the others add up to the device. */
CU cuDevResourceGenerateDesc(CUdevResourceDesc *desc, const struct green_resource *resources,
                             unsigned n) {
    struct token first = {.device = 0}, token, other;
    struct wsimrt_device_info info;
    unsigned sum = 0;
    int error = desc && resources && n ? token_of(&resources[0], &first) : WSIMRT_INVALID_VALUE;
    for (unsigned i = 0; i < n && !error; i++) {
        int again = 0;
        error = token_of(&resources[i], &token);
        if (!error && token.device != first.device)
            error = WSIMRT_INVALID_RESOURCE_CONFIGURATION;
        for (unsigned k = 0; k < i && !error; k++) {
            token_of(&resources[k], &other);
            again |= other.split == token.split && other.index == token.index;
        }
        sum += error || again ? 0 : resources[i].is.sm.n;
    }
    error = error ? error : wsimrt_device_info(first.device, &info);
    if (!error && sum > (unsigned)info.processors)
        sum = (unsigned)info.processors;
    return error ? error : wsimrt_processors_make(first.device, sum, desc);
}

CU cuGreenCtxCreate(CUgreenCtx *green, CUdevResourceDesc desc, CUdevice device, unsigned flags) {
    struct wsimrt_device_info info;
    const int error = wsimrt_device_info(device, &info);
    if (error || flags != GREEN_DEFAULT_STREAM)
        return error ? error : WSIMRT_INVALID_VALUE;
    return wsimrt_green_make(desc, device, green);
}

CU cuGreenCtxDestroy(CUgreenCtx green) {
    return wsimrt_green_free(green);
}

CU cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green) {
    return wsimrt_green_context(green, context);
}

CU cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx green, unsigned flags, int priority) {
    return wsimrt_green_stream(green, flags, priority, stream);
}

CU cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *green) {
    const int error = wsimrt_stream_asked(stream, 0);
    return error ? error : wsimrt_green_of_stream(stream, green);
}

CU cuGreenCtxGetId(CUgreenCtx green, unsigned long long *id) {
    struct wsimrt_green_info info;
    const int error = id ? wsimrt_green_info(green, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *id = info.id;
    return error;
}

CU cuCtxRecordEvent(CUcontext context, CUevent event) {
    return wsimrt_context_record(context, event);
}

CU cuCtxWaitEvent(CUcontext context, CUevent event) {
    return wsimrt_context_wait(context, event);
}

CU cuGreenCtxRecordEvent(CUgreenCtx green, CUevent event) {
    CUcontext context = NULL;
    const int error = wsimrt_green_context(green, &context);
    return error ? error : wsimrt_context_record(context, event);
}

CU cuGreenCtxWaitEvent(CUgreenCtx green, CUevent event) {
    CUcontext context = NULL;
    const int error = wsimrt_green_context(green, &context);
    return error ? error : wsimrt_context_wait(context, event);
}
