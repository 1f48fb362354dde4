/* The thread on which functions of the program run (cuLaunchHostFunc): they may block, and the
 * thread that issued them goes on. */
#include "graph.h"
#include "order.h"

#include <stdlib.h>

static void call(struct work *work) {
    void (*const function)(void *data) = work->is.call.function;
    void *const data = work->is.call.data;
    order_called(work);
    thread_calls(1);
    if (work->is.call.callback) {
        void (*const callback)(struct wsimrt_stream *, int, void *) = work->is.call.callback;
        struct wsimrt_stream *const stream = work->is.call.stream;
        const int error = context_fault(work->context);
        pthread_mutex_unlock(&core.lock);
        callback(stream, error, data);
    } else {
        pthread_mutex_unlock(&core.lock);
        function(data);
    }
    thread_calls(0);
    pthread_mutex_lock(&core.lock);
}

/* A GPU begins a call some microseconds late. Meanwhile the program goes on here too, until it
 * waits or for this long. */
static void begin_late(const struct work *work) {
    enum { LATE = 300000 }; /* nanoseconds */
    const uint64_t until = core_now() + LATE;
    while (!core.calls.waits && core.calls.work == work && core_now() < until)
        core_pause(until - core_now());
}

/* The work of the thread is done. NULL: its context is gone, and the work with it. */
static void finish(const struct work *work) {
    if (core.calls.work && core.calls.work == work)
        core.calls.work->done = 1;
    core.calls.work = NULL;
    work_advance();
    pthread_cond_broadcast(&core.changed);
}

/* A function of the program ended its thread (pthread_exit): the next call starts another one. */
static void end_thread(void *work) {
    thread_calls(0);
    pthread_mutex_lock(&core.lock);
    core.calls.started = 0;
    finish(work);
    pthread_mutex_unlock(&core.lock);
}

static void *serve(void *unused) {
    (void)unused;
    pthread_mutex_lock(&core.lock);
    for (;;) {
        struct work *work = core.calls.work;
        if (!work) {
            pthread_cond_wait(&core.changed, &core.lock);
            continue;
        }
        begin_late(work);
        if (core.calls.work != work)
            continue;
        pthread_cleanup_push(end_thread, work);
        call(work);
        pthread_cleanup_pop(0);
        finish(work);
    }
    return NULL;
}

static int begin(struct work *work) {
    if (core.calls.work)
        return 0;
    if (!core.calls.started) {
        if (pthread_create(&core.calls.thread, NULL, serve, NULL))
            return 0;
        pthread_detach(core.calls.thread);
        core.calls.started = 1;
    }
    core.calls.work = work;
    pthread_cond_broadcast(&core.changed);
    return 1;
}

static int run(struct work *work) {
    if (work->done)
        return 1;
    if (!work->begun)
        work->begun = (uint8_t)begin(work);
    return 0;
}

/* After a sticky error a callback comes when the process exits, as on an H200.
 */
static void leave(struct work *work) {
    struct late_call **last = &core.late_calls, *made;
    if (!work->is.call.callback || !(made = calloc(1, sizeof *made)))
        return;
    *made = (struct late_call){.callback = work->is.call.callback,
                               .stream = work->is.call.stream,
                               .data = work->is.call.data,
                               .error = context_fault(work->context)};
    while (*last)
        last = &(*last)->next;
    *last = made;
}

void calls_end(void) {
    core.error = WSIMRT_DEINITIALIZED;
    for (struct late_call *next, *at = core.late_calls; at; at = next) {
        next = at->next;
        at->callback(at->stream, at->error, at->data);
        free(at);
    }
    core.late_calls = NULL;
    core.error = 0;
}

static int goes_on(const struct work *work) {
    return work->begun;
}

static int capture(const struct work *work, struct wsimrt_node_params *params) {
    params->kind = WSIMRT_NODE_CALL;
    params->call.function = work->is.call.function;
    params->call.data = work->is.call.data;
    return work->is.call.function != NULL;
}

const struct work_kind work_call = {
    .run = run, .leave = leave, .goes_on = goes_on, .outside = 1, .capture = capture};
