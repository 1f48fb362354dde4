/* Green contexts, and events of all streams of a context. */
#include "green.h"
#include "graph_state.h"
#include "order.h"

#include <stdlib.h>

static int enter(const struct wsimrt_green *green) {
    const int error = core_enter(NULL);
    return error || handle_is(green, HANDLE_GREEN) ? error : WSIMRT_INVALID_CONTEXT;
}

struct wsimrt_processors {
    int device;
    unsigned n;
};

int wsimrt_processors_make(int device, unsigned n, struct wsimrt_processors **processors) {
    int error = core_enter(NULL);
    struct wsimrt_processors *made = NULL;
    if (!error && (!processors || !n))
        error = WSIMRT_INVALID_VALUE;
    if (!error && (!(made = malloc(sizeof *made)) || !handle_add(made, HANDLE_PROCESSORS)))
        error = WSIMRT_OUT_OF_MEMORY;
    if (error) {
        free(made);
        return core_leave(error);
    }
    *made = (struct wsimrt_processors){device, n};
    *processors = made;
    return core_leave(0);
}

int wsimrt_number(uint64_t *number) {
    const int error = core_enter(NULL);
    if (!error)
        *number = ++core.next_id;
    return core_leave(error);
}

/* --- green contexts --- */

static int make(struct wsimrt_context *primary, unsigned processors, struct wsimrt_green **made) {
    struct wsimrt_green *green = calloc(1, sizeof *green);
    if (!green || !handle_add(green, HANDLE_GREEN)) {
        free(green);
        return WSIMRT_OUT_OF_MEMORY;
    }
    green->primary = primary;
    green->processors = processors;
    green->id = ++core.next_id;
    green->next = core.greens;
    core.greens = green;
    green->legacy = stream_new(primary, 0, 0);
    if (!green->legacy) {
        green_drop(green);
        return WSIMRT_OUT_OF_MEMORY;
    }
    green->legacy->green = green;
    *made = green;
    return 0;
}

int wsimrt_green_make(const struct wsimrt_processors *processors, int device,
                      struct wsimrt_green **green) {
    struct wsimrt_context *primary = NULL;
    unsigned n = 0;
    int error = core_enter(NULL);
    if (!error && (!green || !handle_is(processors, HANDLE_PROCESSORS)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && (device < 0 || device >= core.settings.devices))
        error = WSIMRT_INVALID_DEVICE;
    if (!error && device != processors->device)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        n = processors->n;
    error = core_leave(error);
    error = error ? error : wsimrt_primary_retain(device, &primary);
    if (error)
        return error;
    error = core_enter(NULL);
    error = core_leave(error ? error : make(primary, n, green));
    if (error)
        wsimrt_primary_release(device);
    return error;
}

/* Its streams that are left work no more. */
static void leave_streams(struct wsimrt_green *green) {
    int found = 1;
    while (found && !context_fault(green->primary)) { /* each wait may change the list */
        found = 0;
        for (struct wsimrt_stream *at = green->primary->streams; at && !found; at = at->next)
            if (at->green == green && at->active) {
                work_drain(green->primary, at);
                found = 1;
            }
    }
    for (struct wsimrt_stream *next, *at = green->primary->streams; at; at = next) {
        next = at->next;
        if (at->green != green)
            continue;
        at->green = NULL;
        at->left = 1;
        if (at == green->legacy)
            stream_free(at);
    }
}

int wsimrt_green_free(struct wsimrt_green *green) {
    int error = enter(green), device = 0;
    if (!error) {
        device = green->primary->ordinal;
        leave_streams(green);
        green_drop(green);
    }
    error = core_leave(error);
    return error ? error : wsimrt_primary_release(device);
}

int wsimrt_green_context(struct wsimrt_green *green, struct wsimrt_context **context) {
    int error = enter(green);
    if (!error && !context)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *context = (struct wsimrt_context *)(void *)&green->context;
    return core_leave(error);
}

int wsimrt_green_stream(struct wsimrt_green *green, unsigned flags, int priority,
                        struct wsimrt_stream **stream) {
    int error = enter(green);
    if (!error && (!stream || flags != WSIMRT_STREAM_NON_BLOCKING))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : stream_make(green->primary, green, flags, priority, stream);
    return core_leave(error);
}

int wsimrt_green_info(struct wsimrt_green *green, struct wsimrt_green_info *info) {
    int error = core_enter(NULL);
    if (!error && !green)
        green = thread_green();
    if (!error && !handle_is(green, HANDLE_GREEN))
        error = WSIMRT_INVALID_CONTEXT;
    if (!error && !info)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *info = (struct wsimrt_green_info){
            .id = green->id, .device = green->primary->ordinal, .processors = green->processors};
    return core_leave(error);
}

int wsimrt_green_of(struct wsimrt_context *context, struct wsimrt_green **green) {
    int error = core_enter(NULL);
    if (!error && !green)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *green = green_of(context);
    return core_leave(error);
}

int wsimrt_green_of_stream(struct wsimrt_stream *stream, struct wsimrt_green **green) {
    struct wsimrt_context *context;
    int error = core_enter_stream(stream, &context);
    if (!error && !green)
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(stream = stream_of(stream, context)))
        error = stream_missing();
    if (!error)
        *green = stream->green;
    return core_leave(error);
}

/* --- all streams of a context --- */

/* The streams of a green context; without one, those of the context and its green ones. */
static int is_inside(const struct wsimrt_stream *stream, const struct wsimrt_green *green) {
    return !green || stream->green == green;
}

static int enter_group(struct wsimrt_context **context, struct wsimrt_green **green,
                       const struct wsimrt_event *event) {
    int error = core_enter(NULL);
    *green = error ? NULL : green_of(*context);
    if (*green)
        *context = (*green)->primary;
    if (!error && !handle_is(*context, HANDLE_CONTEXT))
        error = WSIMRT_INVALID_CONTEXT;
    if (!error && !handle_is(event, HANDLE_EVENT))
        error = WSIMRT_INVALID_HANDLE;
    for (struct wsimrt_stream *at = error || !core.captures ? NULL : (*context)->streams; at;
         at = at->next)
        if (is_inside(at, *green) && at->capture)
            error = capture_spoil(at->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED);
    return error;
}

/* `later` waits for the work that `stream` has now. */
static int follow(struct wsimrt_stream *later, struct wsimrt_stream *stream) {
    struct mark *mark = calloc(1, sizeof *mark);
    struct work *record = mark ? work_make(stream, &work_record, 0) : NULL;
    struct work *wait = record ? work_make(later, &work_wait, 0) : NULL;
    int error;
    if (!wait) {
        free(record);
        free(mark);
        return WSIMRT_OUT_OF_MEMORY;
    }
    mark->uses = 2; /* both works */
    record->is.mark = wait->is.mark = mark;
    error = work_issue(record, 0);
    if (error)
        work_free(wait);
    return error ? error : work_issue(wait, 0);
}

int wsimrt_context_record(struct wsimrt_context *context, struct wsimrt_event *event) {
    struct wsimrt_green *green;
    struct wsimrt_stream *all = NULL;
    int error = enter_group(&context, &green, event);
    if (!error && event->context != context)
        error = WSIMRT_INVALID_HANDLE;
    if (!error && !(all = stream_new(context, WSIMRT_STREAM_NON_BLOCKING, 0)))
        error = WSIMRT_OUT_OF_MEMORY;
    for (struct wsimrt_stream *at = error ? NULL : context->streams; at && !error; at = at->next)
        if (at != all && !at->left && is_inside(at, green))
            error = follow(all, at);
    error = error ? error : event_record(event, all);
    if (all && all->active)
        all->destroyed = 1;
    else if (all)
        stream_free(all);
    return core_leave(error);
}

int wsimrt_context_wait(struct wsimrt_context *context, struct wsimrt_event *event) {
    struct wsimrt_green *green;
    struct gate *gate = NULL;
    int error = enter_group(&context, &green, event);
    if (!error && event->capture) {
        struct capture *const capture = capture_of(event);
        error = capture ? capture_spoil(capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED)
                        : WSIMRT_INVALID_VALUE;
    }
    if (!error && event->shared) {
        wsimrt_say("a context that waits for an event of other processes is not modelled");
        error = WSIMRT_NOT_SUPPORTED;
    }
    for (struct wsimrt_stream *at = error || !event->mark ? NULL : context->streams; at;
         at = at->next)
        if (!at->left && is_inside(at, green))
            order_wait(at, event->mark);
    if (error || !event->mark || event->mark->done)
        return core_leave(error);
    if (!(gate = malloc(sizeof *gate)))
        return core_leave(WSIMRT_OUT_OF_MEMORY);
    *gate = (struct gate){green ? green->gates : context->gates, event->mark};
    event->mark->uses++;
    *(green ? &green->gates : &context->gates) = gate;
    for (struct wsimrt_stream *at = context->streams; at && !error; at = at->next)
        if (!at->left && is_inside(at, green))
            error = gate_wait(at, gate->mark);
    return core_leave(error);
}
