/* Streams and events. */
#include "graph.h"
#include "green.h"
#include "order.h"
#include "repeat.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- streams --- */

/* A stream of each thread and context, for WSIMRT_PER_THREAD. */
static struct wsimrt_stream *own_stream(struct wsimrt_context *context) {
    static _Thread_local struct {
        struct wsimrt_stream *stream;
        uint64_t context;
    } own;
    if (own.context != context->id || !handle_is(own.stream, HANDLE_STREAM)) {
        own.stream = NULL;
        if (!stream_make(context, NULL, 0, 0, &own.stream))
            own.context = context->id;
    }
    return own.stream;
}

static _Thread_local int null_is_own;

void wsimrt_null_stream(int per_thread) {
    null_is_own = per_thread;
}

static _Thread_local int missing;

/* A green context has no stream of the thread. */
struct wsimrt_stream *stream_of(struct wsimrt_stream *handle, struct wsimrt_context *context) {
    const struct wsimrt_green *const green = thread_green();
    missing = WSIMRT_INVALID_HANDLE;
    if (!handle && null_is_own)
        handle = WSIMRT_PER_THREAD;
    if (!handle || handle == WSIMRT_LEGACY)
        return green ? green->legacy : context->legacy;
    if (handle == WSIMRT_PER_THREAD)
        return green ? NULL : own_stream(context);
    if (!handle_is(handle, HANDLE_STREAM) || handle->destroyed)
        return NULL;
    if (handle->left)
        missing = WSIMRT_CONTEXT_IS_DESTROYED;
    return handle->left ? NULL : handle;
}

int stream_missing(void) {
    return missing;
}

/* Enters with the stream of a handle. */
static int enter(struct wsimrt_stream **stream, struct wsimrt_context **context) {
    int error = core_enter_stream(*stream, context);
    if (!error && !(*stream = stream_of(*stream, *context)))
        error = stream_missing();
    return error;
}

int stream_priority(int wanted) {
    if (wanted > WSIMRT_PRIORITY_LEAST)
        return WSIMRT_PRIORITY_LEAST;
    return wanted < WSIMRT_PRIORITY_GREATEST ? WSIMRT_PRIORITY_GREATEST : wanted;
}

int stream_make(struct wsimrt_context *context, struct wsimrt_green *green, unsigned flags,
                int priority, struct wsimrt_stream **stream) {
    struct wsimrt_stream *const made = stream_new(context, flags, stream_priority(priority));
    if (!made)
        return WSIMRT_OUT_OF_MEMORY;
    made->green = green;
    *stream = made;
    return gates_pass(made);
}

int wsimrt_stream_make(unsigned flags, int priority, struct wsimrt_stream **stream) {
    struct wsimrt_context *context;
    int error = core_enter(NULL);
    if (!error && (!stream || flags & ~WSIMRT_STREAM_NON_BLOCKING))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : core_enter_with(NULL, &context);
    error = error ? error : stream_make(context, thread_green(), flags, priority, stream);
    return core_leave(error);
}

int wsimrt_stream_destroy(struct wsimrt_stream *stream) {
    int error = core_enter(NULL);
    if (!error &&
        (!handle_is(stream, HANDLE_STREAM) || stream->destroyed || stream == stream_legacy(stream)))
        error = WSIMRT_INVALID_HANDLE;
    if (!error && stream->left)
        error = WSIMRT_CONTEXT_IS_DESTROYED;
    if (!error) {
        error = context_error();
        capture_leave(stream); /* also if work keeps the stream for a while */
        if (stream->active)
            stream->destroyed = 1;
        else
            stream_free(stream);
    }
    return core_leave(error);
}

int wsimrt_stream_sync(struct wsimrt_stream *stream) {
    struct wsimrt_context *context;
    int error = enter(&stream, &context);
    error = error ? error : capture_refuse(stream);
    error = error ? error : work_drain(stream->context, stream);
    return core_leave(error);
}

/* Whether all that a wait for a stream waits for is done: the stream without a handle waits for the
 * work of all blocking streams. */
static int is_done(const struct wsimrt_stream *stream) {
    const struct wsimrt_context *const context = stream->context;
    if (stream != stream_legacy(stream))
        return !stream->active && !context_lags(context, stream->ended);
    for (const struct wsimrt_stream *at = context->streams; at; at = at->next)
        if (stream_shares(at, stream) && !(at->flags & WSIMRT_STREAM_NON_BLOCKING) &&
            context_lags(context, at->ended))
            return 0;
    return !stream_is_busy(stream);
}

int wsimrt_stream_query(struct wsimrt_stream *stream) {
    struct wsimrt_context *context;
    int error = enter(&stream, &context);
    error = error ? error : capture_refuse(stream);
    if (!error) {
        work_advance();
        error = is_done(stream) ? context_looked(stream->context) : WSIMRT_NOT_READY;
    }
    if (!error)
        order_drained(stream->context, stream);
    return core_leave(error);
}

int wsimrt_stream_info(struct wsimrt_stream *stream, struct wsimrt_stream_info *info) {
    struct wsimrt_context *context;
    int error = enter(&stream, &context);
    if (!error && !info)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *info = (struct wsimrt_stream_info){.flags = stream->flags,
                                            .priority = stream->priority,
                                            .id = stream->id,
                                            .device = stream->context->ordinal,
                                            .context = stream->context};
    return core_leave(error);
}

static int add_call(struct wsimrt_stream *handle, void (*function)(void *),
                    void (*callback)(struct wsimrt_stream *, int, void *), void *data) {
    struct wsimrt_context *context;
    struct wsimrt_stream *stream = handle;
    int error = enter(&stream, &context);
    struct work *work;
    if (!error && !function && !callback)
        error = WSIMRT_INVALID_VALUE;
    if (!error && callback && stream->capture)
        error = capture_refuse(stream);
    if (!error && !(work = work_make(stream, &work_call, 0)))
        error = WSIMRT_OUT_OF_MEMORY;
    if (!error) {
        work->is.call.function = function;
        work->is.call.callback = callback;
        work->is.call.stream = handle;
        work->is.call.data = data;
        error = work_issue(work, 0);
    }
    return core_leave(error);
}

int wsimrt_stream_call(struct wsimrt_stream *stream, void (*function)(void *data), void *data) {
    return add_call(stream, function, NULL, data);
}

int wsimrt_stream_callback(struct wsimrt_stream *stream,
                           void (*function)(struct wsimrt_stream *stream, int error, void *data),
                           void *data) {
    return add_call(stream, NULL, function, data);
}

/* --- events --- */

int wsimrt_event_make(unsigned flags, struct wsimrt_event **event) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct wsimrt_event *made = NULL;
    if (!error && !event)
        error = WSIMRT_INVALID_VALUE;
    if (!error && (!(made = calloc(1, sizeof *made)) || !handle_add(made, HANDLE_EVENT)))
        error = WSIMRT_OUT_OF_MEMORY;
    if (error) {
        free(made);
        return core_leave(error);
    }
    made->flags = flags;
    made->context = context;
    made->of = context->id;
    *event = made;
    return core_leave(0);
}

int wsimrt_event_flags(struct wsimrt_event *event, unsigned *flags) {
    const int error = core_enter(NULL);
    const int known = !error && handle_is(event, HANDLE_EVENT);
    if (known && flags)
        *flags = event->flags;
    return core_leave(error ? error : known ? 0 : WSIMRT_INVALID_HANDLE);
}

int wsimrt_event_destroy(struct wsimrt_event *event) {
    int error = core_enter(NULL);
    if (!error && !handle_is(event, HANDLE_EVENT))
        error = WSIMRT_INVALID_HANDLE;
    if (!error) {
        error = event->context && handle_is(event->context, HANDLE_CONTEXT) ? context_error() : 0;
        mark_release(event->mark);
        event_forget(event);
        handle_remove(event);
        free(event);
    }
    return core_leave(error);
}

/* The work that records an event now. */
static int make_record(struct wsimrt_event *event, struct wsimrt_stream *stream,
                       struct work **made) {
    struct mark *mark = calloc(1, sizeof *mark);
    struct work *work = mark ? work_make(stream, &work_record, 0) : NULL;
    if (!work) {
        free(mark);
        return WSIMRT_OUT_OF_MEMORY;
    }
    mark->uses = 2; /* the event and the work */
    if (event->shared) {
        mark->shared = event->shared;
        mark->ticket = __atomic_add_fetch(&event->shared->recorded, 1, __ATOMIC_ACQ_REL);
    }
    mark_release(event->mark);
    event_forget(event);
    event->mark = work->is.mark = mark;
    *made = work;
    return 0;
}

static int make_wait(struct wsimrt_event *event, struct wsimrt_stream *stream, struct work **made) {
    struct work *work = work_make(stream, &work_wait, 0);
    if (!work)
        return WSIMRT_OUT_OF_MEMORY;
    work->is.mark = event->mark;
    event->mark->uses++;
    *made = work;
    return 0;
}

int event_expand(struct wsimrt_event *event, int record, struct wsimrt_stream *stream,
                 struct work ***at) {
    struct work *work = NULL;
    int error = 0;
    if (!handle_is(event, HANDLE_EVENT))
        return WSIMRT_INVALID_HANDLE;
    if (record)
        error = make_record(event, stream, &work);
    else if (event->mark && !event->mark->done)
        error = make_wait(event, stream, &work);
    if (work) {
        **at = work;
        *at = &work->next;
    }
    return error;
}

int event_record(struct wsimrt_event *event, struct wsimrt_stream *stream) {
    struct work *work = NULL;
    const int error = make_record(event, stream, &work);
    return error ? error : work_issue(work, 0);
}

int wsimrt_event_record(struct wsimrt_event *event, struct wsimrt_stream *stream) {
    struct wsimrt_context *context;
    int error = enter(&stream, &context);
    if (!error && (!handle_is(event, HANDLE_EVENT) || event->context != stream->context))
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : capture_check(stream);
    if (!error && stream->capture)
        return core_leave(capture_record(event, stream));
    return core_leave(error ? error : event_record(event, stream));
}

int wsimrt_event_external(struct wsimrt_event *event, struct wsimrt_stream *stream, int record) {
    struct wsimrt_context *context;
    int error = enter(&stream, &context);
    struct wsimrt_node_params params;
    if (!error && !handle_is(event, HANDLE_EVENT))
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : capture_check(stream);
    if (!error && !stream->capture)
        error = WSIMRT_ILLEGAL_STATE;
    if (error)
        return core_leave(error);
    memset(&params, 0, sizeof params);
    params.kind = record ? WSIMRT_NODE_RECORD : WSIMRT_NODE_WAIT;
    params.event = event;
    return core_leave(capture_node(stream, &params));
}

/* Whether records of other processes are still to come. */
static int waits_elsewhere(const struct wsimrt_event *event) {
    return event->shared && __atomic_load_n(&event->shared->done, __ATOMIC_ACQUIRE) <
                                __atomic_load_n(&event->shared->recorded, __ATOMIC_ACQUIRE);
}

static int run_wait_shared(struct work *work) {
    return __atomic_load_n(&work->is.shared.event->done, __ATOMIC_ACQUIRE) >=
           work->is.shared.ticket;
}

static const struct work_kind wait_shared = {.run = run_wait_shared, .outside = 1};

/* Gives the lock to others for a moment. */
static void rest(void) {
    const struct timespec moment = {0, 200000};
    pthread_mutex_unlock(&core.lock);
    nanosleep(&moment, NULL);
    pthread_mutex_lock(&core.lock);
}

/* Enters with an event. *context: that of the event, which still lives. */
static int enter_event(struct wsimrt_event *event, struct wsimrt_context **context) {
    int error = core_enter(NULL);
    if (!error && !handle_is(event, HANDLE_EVENT))
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : core_enter_with(event->context, context);
    if (!error && (!handle_is(event->context, HANDLE_CONTEXT) || event->context->id != event->of))
        error = WSIMRT_CONTEXT_IS_DESTROYED;
    if (!error)
        *context = event->context;
    return error;
}

int wsimrt_event_sync(struct wsimrt_event *event) {
    struct wsimrt_context *context;
    int error = enter_event(event, &context);
    error = error ? error : capture_refuse_event(event);
    if (!error && event->mark)
        error = work_reach(context, event->mark);
    while (!error && handle_is(event, HANDLE_EVENT) && waits_elsewhere(event))
        rest();
    return core_leave(error);
}

/* Whether the last record of an event is done. */
static int is_over(const struct wsimrt_context *context, const struct wsimrt_event *event) {
    return event->mark->done && !context_lags(context, event->mark->ended);
}

int wsimrt_event_query(struct wsimrt_event *event) {
    struct wsimrt_context *context;
    int error = enter_event(event, &context);
    error = error ? error : capture_refuse_event(event);
    if (!error) {
        work_advance();
        error = (event->mark && !is_over(context, event)) || waits_elsewhere(event)
                    ? WSIMRT_NOT_READY
                    : context_looked(context);
    }
    if (!error && event->mark)
        order_reached(event->mark);
    return core_leave(error);
}

int wsimrt_event_elapsed(float *milliseconds, struct wsimrt_event *from, struct wsimrt_event *to) {
    struct wsimrt_context *context;
    int error = enter_event(from, &context);
    if (!error && (!milliseconds || from->capture || (handle_is(to, HANDLE_EVENT) && to->capture)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && (!handle_is(to, HANDLE_EVENT) || !from->mark || !to->mark ||
                   (from->flags | to->flags) & WSIMRT_EVENT_NO_TIMING))
        error = WSIMRT_INVALID_HANDLE;
    if (!error) {
        work_advance();
        error = is_over(context, from) && is_over(context, to) ? 0 : WSIMRT_NOT_READY;
    }
    if (!error)
        *milliseconds = (float)((double)(int64_t)(to->mark->time - from->mark->time) / 1e6);
    return core_leave(error);
}

int wsimrt_event_wait(struct wsimrt_stream *stream, struct wsimrt_event *event) {
    struct wsimrt_context *context;
    int error = enter(&stream, &context);
    struct work *work;
    if (!error && !handle_is(event, HANDLE_EVENT))
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : capture_check(stream);
    if (!error && (stream->capture || event->capture))
        return core_leave(capture_wait(stream, event));
    if (!error && waits_elsewhere(event) && !event->mark) {
        work = work_make(stream, &wait_shared, 0);
        if (!work)
            return core_leave(WSIMRT_OUT_OF_MEMORY);
        work->is.shared.event = event->shared;
        work->is.shared.ticket = __atomic_load_n(&event->shared->recorded, __ATOMIC_ACQUIRE);
        return core_leave(work_issue(work, 0));
    }
    if (!error && event->mark && event->mark->done) {
        order_wait(stream, event->mark);
        stream->ended = event->mark->ended > stream->ended ? event->mark->ended : stream->ended;
    }
    if (error || !event->mark || event->mark->done)
        return core_leave(error);
    error = make_wait(event, stream, &work);
    return core_leave(error ? error : work_issue(work, 0));
}
