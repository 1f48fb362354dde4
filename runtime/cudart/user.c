/* Objects of the program that graphs keep alive, and old names of functions. */
#include "cudart.h"

#include "core/graph.h"

RT cudaUserObjectCreate(struct wsimrt_user **user, void *data, void (*destroy)(void *data),
                        unsigned uses, unsigned flags) {
    return rt_note(wsimrt_user_make(user, data, destroy, uses, flags));
}

RT cudaUserObjectRetain(struct wsimrt_user *user, unsigned n) {
    return rt_note(wsimrt_user_retain(user, n));
}

RT cudaUserObjectRelease(struct wsimrt_user *user, unsigned n) {
    return rt_note(wsimrt_user_release(user, n));
}

RT cudaGraphRetainUserObject(struct wsimrt_graph *graph, struct wsimrt_user *user, unsigned n,
                             unsigned flags) {
    RT_CALL(wsimrt_graph_retain(graph, user, n, flags));
}

RT cudaGraphReleaseUserObject(struct wsimrt_graph *graph, struct wsimrt_user *user, unsigned n) {
    return rt_note(wsimrt_graph_release(graph, user, n));
}

/* --- old names --- */

int cudaDeviceGetLimit(size_t *value, int limit);
int cudaDeviceSetLimit(int limit, size_t value);
int cudaDeviceGetCacheConfig(int *config);
int cudaDeviceSetCacheConfig(int config);

RT cudaThreadGetLimit(size_t *value, int limit) {
    return cudaDeviceGetLimit(value, limit);
}

RT cudaThreadSetLimit(int limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}

RT cudaThreadGetCacheConfig(int *config) {
    return cudaDeviceGetCacheConfig(config);
}

RT cudaThreadSetCacheConfig(int config) {
    return cudaDeviceSetCacheConfig(config);
}

/* All devices have numbers of 64 bits. */
RT cudaSetDoubleForDevice(double *number) {
    return rt_note(number ? 0 : WSIMRT_INVALID_VALUE);
}

RT cudaSetDoubleForHost(double *number) {
    return rt_note(number ? 0 : WSIMRT_INVALID_VALUE);
}
