/* The thread that gives turns to launches which poll memory. A kernel may wait for the host, and
 * the host for the kernel, in loops that call nothing. */
#include "state.h"

enum { TURN = 100000 }; /* nanoseconds between two of them */

static int is_polled(void) {
    for (const struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (at->first->polls)
            return 1;
    return 0;
}

static void *serve(void *unused) {
    (void)unused;
    pthread_mutex_lock(&core.lock);
    for (;;) {
        if (core.exits || !is_polled()) {
            pthread_cond_wait(&core.changed, &core.lock);
            continue;
        }
        core_pause(TURN);
        if (!core.exits && is_polled())
            work_advance();
    }
    return NULL;
}

void poll_begin(void) {
    pthread_t thread;
    if (core.polled) {
        pthread_cond_broadcast(&core.changed);
        return;
    }
    if (core.exits || core.settings.late || pthread_create(&thread, NULL, serve, NULL))
        return;
    pthread_detach(thread);
    core.polled = 1;
}
