/* Captures forbid calls of the program that a graph cannot hold. */
#include "graph_state.h"

static _Thread_local enum wsimrt_capture_mode thread_mode;

/* The next stream whose capture work in a legacy stream spoils; NULL: none. */
static struct wsimrt_stream *next_spoilt(struct wsimrt_stream *at, struct wsimrt_stream *legacy) {
    while (at &&
           !(at->capture && stream_shares(at, legacy) && !(at->flags & WSIMRT_STREAM_NON_BLOCKING)))
        at = at->next;
    return at;
}

int capture_ask(struct wsimrt_stream *stream) {
    return !stream->capture && stream == stream_legacy(stream) &&
                   next_spoilt(stream->context->streams, stream)
               ? WSIMRT_STREAM_CAPTURE_IMPLICIT
               : 0;
}

int capture_check(struct wsimrt_stream *stream) {
    const struct wsimrt_context *context = stream->context;
    int error = 0;
    if (!core.captures)
        return 0;
    if (stream->capture)
        return stream->capture->invalid ? WSIMRT_STREAM_CAPTURE_INVALIDATED : 0;
    if (stream != stream_legacy(stream))
        return 0;
    for (struct wsimrt_stream *at = next_spoilt(context->streams, stream); at;
         at = next_spoilt(at->next, stream))
        error = capture_spoil(at->capture, WSIMRT_STREAM_CAPTURE_IMPLICIT);
    return error;
}

int capture_refuse(struct wsimrt_stream *stream) {
    const int error = stream->capture ? 0 : capture_check(stream);
    if (error || !stream->capture)
        return error ? error : capture_unsafe();
    return capture_spoil(stream->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED);
}

void capture_fail(struct wsimrt_stream *stream) {
    if (stream->capture)
        stream->capture->invalid = 1;
}

int capture_refuse_all(struct wsimrt_context *context) {
    int error = 0;
    for (struct wsimrt_stream *at = core.captures ? context->streams : NULL; at; at = at->next)
        if (at->capture)
            error = capture_spoil(at->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED);
    return error;
}

int capture_unsafe(void) {
    int error = 0;
    if (thread_mode == WSIMRT_CAPTURE_RELAXED)
        return 0;
    for (struct capture *at = core.captures; at; at = at->next) {
        const int mine = pthread_equal(at->thread, pthread_self()) != 0;
        if (mine ? at->mode != WSIMRT_CAPTURE_RELAXED
                 : at->mode == WSIMRT_CAPTURE_GLOBAL && thread_mode == WSIMRT_CAPTURE_GLOBAL)
            error = capture_spoil(at, WSIMRT_STREAM_CAPTURE_UNSUPPORTED);
    }
    return error;
}

struct capture *capture_of(const struct wsimrt_event *event) {
    struct capture *at = event->capture ? core.captures : NULL;
    while (at && at->id != event->capture)
        at = at->next;
    return at;
}

int capture_refuse_event(const struct wsimrt_event *event) {
    struct capture *capture = capture_of(event);
    if (capture && !capture->invalid)
        return capture_spoil(capture, WSIMRT_CAPTURED_EVENT);
    return event->capture ? WSIMRT_INVALID_VALUE : capture_unsafe();
}

int wsimrt_capture_refuses(void) {
    const int error = core_enter(NULL);
    return core_leave(error ? error : capture_unsafe());
}

int wsimrt_capture_mode(int *mode) {
    int error = core_enter(NULL);
    if (!error && !mode) /* an H200 takes any mode */
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        const int old = thread_mode;
        thread_mode = (enum wsimrt_capture_mode) * mode;
        *mode = old;
    }
    return core_leave(error);
}
