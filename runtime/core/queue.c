/* Streams as queues of work, and the marks that work waits for. */
#include "order.h"

#include <stdlib.h>

struct wsimrt_stream *stream_new(struct wsimrt_context *context, unsigned flags, int priority) {
    struct wsimrt_stream *stream = calloc(1, sizeof *stream);
    if (!stream || !handle_add(stream, HANDLE_STREAM)) {
        free(stream);
        return NULL;
    }
    stream->context = context;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = ++core.next_id;
    stream->next = context->streams;
    context->streams = stream;
    order_open(stream);
    return stream;
}

void stream_free(struct wsimrt_stream *stream) {
    struct wsimrt_stream **at = &stream->context->streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    capture_leave(stream);
    order_close(stream);
    handle_remove(stream);
    free(stream);
}

/* --- items --- */

struct work *work_make(struct wsimrt_stream *stream, const struct work_kind *kind, size_t extra) {
    struct work *work = calloc(1, sizeof *work + extra);
    if (!work)
        return NULL;
    work->kind = kind;
    work->stream = stream;
    work->context = stream->context;
    work->number = ++core.next_number;
    return work;
}

void mark_release(struct mark *mark) {
    if (mark && --mark->uses == 0)
        free(mark);
}

void work_free(struct work *work) {
    if (work->kind->end)
        work->kind->end(work);
    free(work->node);
    free(work);
}

void work_fail(struct work *work, int error) {
    if (work->error)
        *work->error = error;
    else if (error)
        context_fail(work->context, WSIMRT_ILLEGAL_ADDRESS);
}

/* --- marks --- */

static int run_record(struct work *work) {
    work->is.mark->time = core_now();
    work->is.mark->ended = work->stream->ended;
    work->is.mark->done = 1;
    if (work->is.mark->shared)
        __atomic_store_n(&work->is.mark->shared->done, work->is.mark->ticket, __ATOMIC_RELEASE);
    return 1;
}

static int run_wait(struct work *work) {
    return work->is.mark->done;
}

static void end_mark(struct work *work) {
    mark_release(work->is.mark);
}

static int always(const struct work *work) {
    (void)work;
    return 1;
}

const struct work_kind work_record = {
    .records = 1, .run = run_record, .end = end_mark, .goes_on = always};
const struct work_kind work_wait = {.waits = 1, .run = run_wait, .end = end_mark};

/* --- queues --- */

static void activate(struct wsimrt_stream *stream) {
    if (stream->active)
        return;
    stream->active = 1;
    stream->next_active = core.active;
    core.active = stream;
}

void queue_shift(struct wsimrt_stream *stream) {
    struct work *work = stream->first;
    struct wsimrt_stream **at = &core.active;
    stream->first = work->next;
    order_end(work);
    work_free(work);
    if (stream->first)
        return;
    stream->last = NULL;
    stream->active = 0;
    while (*at != stream)
        at = &(*at)->next_active;
    *at = stream->next_active;
    if (stream->destroyed)
        stream_free(stream);
}

void queue_insert(struct work *work, struct work *list) {
    struct work *last = list;
    if (!list)
        return;
    for (struct work *each = list; each; each = each->next) {
        each->number = work->number;
        last = each;
    }
    last->next = work->next;
    work->next = list;
    if (work->stream->last == work)
        work->stream->last = last;
}

void queue_append(struct work *work) {
    struct wsimrt_stream *stream = work->stream;
    if (stream->last)
        stream->last->next = work;
    else
        stream->first = work;
    stream->last = work;
    order_issue(work);
    activate(stream);
}
