/* Launches as CUDA 2 had them: a function keeps the shape of its blocks and its parameters. And
 * contexts that count their users. */
#include "driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PARAM_BYTES = 4096 };

/* A function was given these. */
struct asked {
    struct asked *next;
    CUfunction function;
    unsigned block[3], shared;
    size_t bytes;
    unsigned char params[PARAM_BYTES];
};

static struct {
    pthread_mutex_t lock;
    struct asked *list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Enters with what a function was given. Every answer leaves with `leave`. */
static int enter(CUfunction function, struct asked **asked) {
    struct wsimrt_function_info info;
    const int error = wsimrt_function_info(function, &info);
    pthread_mutex_lock(&all.lock);
    if (error)
        return error;
    for (*asked = all.list; *asked && (*asked)->function != function;)
        *asked = (*asked)->next;
    if (!*asked && (*asked = calloc(1, sizeof **asked))) {
        (*asked)->function = function;
        (*asked)->next = all.list;
        all.list = *asked;
    }
    return *asked ? 0 : WSIMRT_OUT_OF_MEMORY;
}

static int leave(int error) {
    pthread_mutex_unlock(&all.lock);
    return error;
}

CU cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
    struct wsimrt_function_info info;
    struct asked *asked;
    int error = enter(function, &asked);
    error = error ? error : wsimrt_function_info(function, &info);
    if (!error &&
        (x < 1 || y < 1 || z < 1 || (uint64_t)x * (uint64_t)y * (uint64_t)z > info.threads))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        asked->block[0] = (unsigned)x, asked->block[1] = (unsigned)y, asked->block[2] = (unsigned)z;
    return leave(error);
}

CU cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
    struct asked *asked;
    const int error = enter(function, &asked);
    if (!error)
        asked->shared = bytes;
    return leave(error);
}

CU cuParamSetSize(CUfunction function, unsigned bytes) {
    struct asked *asked;
    int error = enter(function, &asked);
    if (!error && bytes > PARAM_BYTES)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        asked->bytes = bytes;
    return leave(error);
}

CU cuParamSetv(CUfunction function, int offset, const void *value, unsigned bytes) {
    struct asked *asked;
    int error = enter(function, &asked);
    if (!error &&
        (!value || offset < 0 || bytes > PARAM_BYTES || (unsigned)offset > PARAM_BYTES - bytes))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        memcpy(asked->params + offset, value, bytes);
    return leave(error);
}

CU cuParamSeti(CUfunction function, int offset, unsigned value) {
    return cuParamSetv(function, offset, &value, sizeof value);
}

CU cuParamSetf(CUfunction function, int offset, float value) {
    return cuParamSetv(function, offset, &value, sizeof value);
}

CU cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
    struct wsimrt_launch launch = {.function = function, .stream = stream};
    struct asked *asked;
    int error = enter(function, &asked);
    if (!error && (width < 1 || height < 1 || !asked->block[0]))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        launch.grid[0] = (uint32_t)width, launch.grid[1] = (uint32_t)height, launch.grid[2] = 1;
        memcpy(launch.block, asked->block, sizeof launch.block);
        launch.shared = asked->shared;
        launch.packed = asked->params;
        launch.packed_bytes = asked->bytes;
        error = wsimrt_launch(&launch);
    }
    return leave(error);
}

CU cuLaunchGrid(CUfunction function, int width, int height) {
    return cuLaunchGridAsync(function, width, height, NULL);
}

CU cuLaunch(CUfunction function) {
    return cuLaunchGrid(function, 1, 1);
}

/* --- contexts --- */

/* Calls that attached a context more than once. */
static struct attached {
    struct attached *next;
    CUcontext context;
    unsigned uses; /* beside the first one */
} * attached;

static struct attached *find(CUcontext context) {
    struct attached *at = attached;
    while (at && at->context != context)
        at = at->next;
    return at;
}

CU cuCtxAttach(CUcontext *context, unsigned flags) {
    struct wsimrt_context_info info;
    struct attached *at;
    int error = context && !flags ? wsimrt_context_info(NULL, &info) : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_context_current(context);
    if (error)
        return error;
    pthread_mutex_lock(&all.lock);
    at = find(*context);
    if (!at && (at = calloc(1, sizeof *at))) {
        at->context = *context;
        at->next = attached;
        attached = at;
    }
    if (at)
        at->uses++;
    return leave(at ? 0 : WSIMRT_OUT_OF_MEMORY);
}

/* The last call destroys the context. */
CU cuCtxDetach(CUcontext context) {
    CUcontext current = NULL;
    struct attached *at;
    unsigned uses;
    const int error = wsimrt_context_current(&current);
    if (error || !context || context != current)
        return error ? error : WSIMRT_INVALID_CONTEXT;
    pthread_mutex_lock(&all.lock);
    at = find(context);
    uses = at ? at->uses : 0;
    if (uses)
        at->uses--;
    pthread_mutex_unlock(&all.lock);
    return uses ? 0 : wsimrt_context_destroy(context);
}
