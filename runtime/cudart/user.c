/* Objects of the program that graphs keep alive, and old names of functions. */
#include "cudart.h"

#include "core/graph.h"

#include <pthread.h>
#include <stdlib.h>

struct user_object {
    struct user_object *next;
    void *data;
    void (*destroy)(void *data);
    unsigned uses;
};

/* Uses of an object by a graph. */
struct user_use {
    struct user_use *next;
    struct wsimrt_graph *graph;
    struct user_object *object;
    unsigned n;
};

static struct {
    pthread_mutex_t lock;
    struct user_object *objects;
    struct user_use *uses;
} users = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int is_object(const struct user_object *object) {
    const struct user_object *at = users.objects;
    while (at && at != object)
        at = at->next;
    return at != NULL;
}

/* Gives uses back. An object without uses ends: its function runs without the lock. */
static int release(struct user_object *object, unsigned n) {
    void (*destroy)(void *) = NULL;
    void *data = NULL;
    int error = 0;
    pthread_mutex_lock(&users.lock);
    if (!n || !is_object(object) || n > object->uses)
        error = WSIMRT_INVALID_VALUE;
    else if (!(object->uses -= n)) {
        struct user_object **at = &users.objects;
        while (*at != object)
            at = &(*at)->next;
        *at = object->next;
        destroy = object->destroy;
        data = object->data;
        free(object);
    }
    pthread_mutex_unlock(&users.lock);
    if (destroy)
        destroy(data);
    return error;
}

RT cudaUserObjectCreate(struct user_object **object, void *data, void (*destroy)(void *data),
                        unsigned uses, unsigned flags) {
    struct user_object *made = NULL;
    if (!object || !destroy || !uses || flags != 1)
        return rt_note(WSIMRT_INVALID_VALUE);
    made = calloc(1, sizeof *made);
    if (!made)
        return rt_note(WSIMRT_OUT_OF_MEMORY);
    pthread_mutex_lock(&users.lock);
    *made = (struct user_object){users.objects, data, destroy, uses};
    users.objects = made;
    pthread_mutex_unlock(&users.lock);
    *object = made;
    return 0;
}

RT cudaUserObjectRetain(struct user_object *object, unsigned n) {
    int error = WSIMRT_INVALID_VALUE;
    pthread_mutex_lock(&users.lock);
    if (n && is_object(object)) {
        object->uses += n;
        error = 0;
    }
    pthread_mutex_unlock(&users.lock);
    return rt_note(error);
}

RT cudaUserObjectRelease(struct user_object *object, unsigned n) {
    return rt_note(release(object, n));
}

enum { MOVE = 1 }; /* the graph takes uses of the caller */

RT cudaGraphRetainUserObject(struct wsimrt_graph *graph, struct user_object *object, unsigned n,
                             unsigned flags) {
    struct user_use *use = calloc(1, sizeof *use);
    size_t nodes = 0;
    int error = rt_need();
    error = error ? error : wsimrt_graph_nodes(graph, 0, NULL, &nodes);
    if (!error && (!use || !n || flags & ~(unsigned)MOVE))
        error = use ? WSIMRT_INVALID_VALUE : WSIMRT_OUT_OF_MEMORY;
    pthread_mutex_lock(&users.lock);
    if (!error && !is_object(object))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        object->uses += flags & MOVE ? 0 : n;
        *use = (struct user_use){users.uses, graph, object, n};
        users.uses = use;
        use = NULL;
    }
    pthread_mutex_unlock(&users.lock);
    free(use);
    return rt_note(error);
}

/* Takes at most `n` uses of an object (NULL: of any) by a graph; returns their number. */
static unsigned take_uses(const struct wsimrt_graph *graph, struct user_object **object,
                          unsigned n) {
    unsigned taken = 0;
    pthread_mutex_lock(&users.lock);
    for (struct user_use **at = &users.uses, *use; !taken && (use = *at);) {
        if (use->graph != graph || (*object && use->object != *object)) {
            at = &use->next;
            continue;
        }
        *object = use->object;
        taken = use->n < n ? use->n : n;
        use->n -= taken;
        if (!use->n) {
            *at = use->next;
            free(use);
        }
    }
    pthread_mutex_unlock(&users.lock);
    return taken;
}

RT cudaGraphReleaseUserObject(struct wsimrt_graph *graph, struct user_object *object, unsigned n) {
    const unsigned taken = object && n ? take_uses(graph, &object, n) : 0;
    return rt_note(taken ? release(object, taken) : WSIMRT_INVALID_VALUE);
}

void rt_graph_ends(struct wsimrt_graph *graph) {
    for (;;) {
        struct user_object *object = NULL;
        const unsigned taken = take_uses(graph, &object, ~0u);
        if (!taken || release(object, taken))
            return;
    }
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
