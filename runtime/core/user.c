/* Objects of the program that graphs keep alive. */
#include "graph_state.h"

#include <pthread.h>
#include <stdlib.h>

struct wsimrt_user {
    struct wsimrt_user *next;
    void *data;
    void (*destroy)(void *data);
    unsigned uses;
};

/* Uses of an object by a graph. */
struct user_use {
    struct user_use *next;
    const struct wsimrt_graph *graph;
    struct wsimrt_user *user;
    unsigned n;
};

/* Not the lock of the core: functions of the program run when an object ends. */
static struct {
    pthread_mutex_t lock;
    struct wsimrt_user *list;
    struct user_use *uses;
} users = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int is_user(const struct wsimrt_user *user) {
    const struct wsimrt_user *at = users.list;
    while (at && at != user)
        at = at->next;
    return at != NULL;
}

int wsimrt_user_make(struct wsimrt_user **user, void *data, void (*destroy)(void *data),
                     unsigned uses, unsigned flags) {
    struct wsimrt_user *made = NULL;
    if (!user || !destroy || !uses || flags != 1)
        return WSIMRT_INVALID_VALUE;
    made = calloc(1, sizeof *made);
    if (!made)
        return WSIMRT_OUT_OF_MEMORY;
    pthread_mutex_lock(&users.lock);
    *made = (struct wsimrt_user){users.list, data, destroy, uses};
    users.list = made;
    pthread_mutex_unlock(&users.lock);
    *user = made;
    return 0;
}

int wsimrt_user_retain(struct wsimrt_user *user, unsigned n) {
    int error = WSIMRT_INVALID_VALUE;
    pthread_mutex_lock(&users.lock);
    if (n && is_user(user)) {
        user->uses += n;
        error = 0;
    }
    pthread_mutex_unlock(&users.lock);
    return error;
}

/* An object without uses ends: its function runs without a lock. */
int wsimrt_user_release(struct wsimrt_user *user, unsigned n) {
    void (*destroy)(void *) = NULL;
    void *data = NULL;
    int error = 0;
    pthread_mutex_lock(&users.lock);
    if (!n || !is_user(user) || n > user->uses)
        error = WSIMRT_INVALID_VALUE;
    else if (!(user->uses -= n)) {
        struct wsimrt_user **at = &users.list;
        while (*at != user)
            at = &(*at)->next;
        *at = user->next;
        destroy = user->destroy;
        data = user->data;
        free(user);
    }
    pthread_mutex_unlock(&users.lock);
    if (destroy)
        destroy(data);
    return error;
}

enum { MOVE = 1 }; /* the graph takes uses of the caller */

int users_keep(const struct wsimrt_graph *graph, struct wsimrt_user *user, unsigned n,
               unsigned flags) {
    struct user_use *use = calloc(1, sizeof *use);
    int error = use ? 0 : WSIMRT_OUT_OF_MEMORY;
    if (!error && (!n || flags & ~(unsigned)MOVE))
        error = WSIMRT_INVALID_VALUE;
    pthread_mutex_lock(&users.lock);
    if (!error && !is_user(user))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        user->uses += flags & MOVE ? 0 : n;
        *use = (struct user_use){users.uses, graph, user, n};
        users.uses = use;
        use = NULL;
    }
    pthread_mutex_unlock(&users.lock);
    free(use);
    return error;
}

/* Takes at most `n` uses of an object (NULL: of any) by a graph; returns their number. */
static unsigned take_uses(const struct wsimrt_graph *graph, struct wsimrt_user **user, unsigned n) {
    unsigned taken = 0;
    pthread_mutex_lock(&users.lock);
    for (struct user_use **at = &users.uses, *use; !taken && (use = *at);) {
        if (use->graph != graph || (*user && use->user != *user)) {
            at = &use->next;
            continue;
        }
        *user = use->user;
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

void users_share(const struct wsimrt_graph *graph, const struct wsimrt_graph *copy) {
    pthread_mutex_lock(&users.lock);
    for (const struct user_use *at = users.uses; at; at = at->next) {
        struct user_use *use = at->graph == graph ? calloc(1, sizeof *use) : NULL;
        if (!use)
            continue;
        *use = (struct user_use){users.uses, copy, at->user, at->n};
        at->user->uses += at->n;
        users.uses = use;
    }
    pthread_mutex_unlock(&users.lock);
}

int wsimrt_graph_release(struct wsimrt_graph *graph, struct wsimrt_user *user, unsigned n) {
    const unsigned taken = user && n ? take_uses(graph, &user, n) : 0;
    return taken ? wsimrt_user_release(user, taken) : WSIMRT_INVALID_VALUE;
}

void users_end(const struct wsimrt_graph *graph) {
    for (;;) {
        struct wsimrt_user *user = NULL;
        const unsigned taken = take_uses(graph, &user, ~0u);
        if (!taken || wsimrt_user_release(user, taken))
            return;
    }
}
