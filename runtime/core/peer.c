/* Which devices may access which memory: that of their own, and what the program opens to them. */
#include "state.h"

/* Source: two H200 (driver 580). */
int peers_may_access(const struct wsimrt_context *context, const struct allocation *memory) {
    if (memory->kind == WSIMRT_VARIABLE) /* the list of peers does not open those of modules */
        return memory->managed || memory->device == context->ordinal;
    if (memory->kind != WSIMRT_DEVICE)
        return 1;
    if (memory->mapped)
        return memory->access >> 2 * context->ordinal & 3;
    if (memory->imported || memory->device == context->ordinal)
        return 1;
    if (memory->graph) /* its node may name devices, which nothing keeps */
        return 1;
    if (memory->pool) /* the list of peers says nothing about its memory */
        return memory->pool->access >> context->ordinal & 1;
    return context->peers >> memory->device & 1;
}

void peers_of(const struct allocation *memory) {
    struct wsim_diag diag;
    for (struct wsimrt_context *at = core.contexts; at && core.settings.devices > 1; at = at->next)
        wsim_device_close(at->device, memory->base, !peers_may_access(at, memory), &diag);
}

void peers_changed(void) {
    for (size_t i = 0; i < core.memory.n; i++)
        peers_of(core.memory.list[i]);
}

int wsimrt_peer_possible(int device, int peer, int *possible) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    error = error ? error : core_device(peer);
    if (!error && !possible)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *possible = device != peer;
    return core_leave(error);
}

/* Enables (1) or disables (0) access to the memory of a context's device. */
static int change_peer(struct wsimrt_context *peer, int enable) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    if (!error && !handle_is(peer, HANDLE_CONTEXT))
        error = WSIMRT_INVALID_CONTEXT;
    if (!error && !enable)
        error = capture_unsafe();
    if (!error && peer->ordinal == context->ordinal)
        error = enable ? WSIMRT_PEER_ACCESS_UNSUPPORTED : WSIMRT_PEER_ACCESS_NOT_ENABLED;
    if (!error) {
        const uint32_t bit = UINT32_C(1) << peer->ordinal;
        const int enabled = (context->peers & bit) != 0;
        if (enabled == enable)
            error = enable ? WSIMRT_PEER_ACCESS_ALREADY_ENABLED : WSIMRT_PEER_ACCESS_NOT_ENABLED;
        else
            context->peers ^= bit;
        peers_changed();
    }
    return core_leave(error);
}

int wsimrt_peer_enable(struct wsimrt_context *peer) {
    return change_peer(peer, 1);
}

int wsimrt_peer_disable(struct wsimrt_context *peer) {
    return change_peer(peer, 0);
}
