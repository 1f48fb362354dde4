/* Capture: work of streams becomes nodes of a graph. */
#include "graph_state.h"

#include <stdlib.h>
#include <string.h>

int frontier_set(struct frontier *frontier, struct wsimrt_node *const *nodes, size_t n, int add) {
    const size_t kept = add ? frontier->n : 0;
    struct wsimrt_node **list = calloc(kept + n + 1, sizeof *list);
    size_t all = kept;
    if (!list)
        return WSIMRT_OUT_OF_MEMORY;
    if (kept)
        memcpy(list, frontier->nodes, kept * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < all && list[j] != nodes[i])
            j++;
        if (j == all)
            list[all++] = nodes[i];
    }
    free(frontier->nodes);
    *frontier = (struct frontier){list, all};
    return 0;
}

/* --- nodes --- */

int capture_node(struct wsimrt_stream *stream, struct wsimrt_node_params *params) {
    struct capture *capture = stream->capture;
    struct wsimrt_node *node;
    int error = graph_add(capture->graph, stream->frontier->nodes, NULL, stream->frontier->n,
                          params, &node);
    error = error ? error : frontier_set(stream->frontier, &node, 1, 0);
    return error ? capture_spoil(capture, error) : 0;
}

int capture_work(const struct work *work) {
    struct wsimrt_stream *stream = work->stream;
    struct wsimrt_node_params params;
    memset(&params, 0, sizeof params);
    if (work->kind->capture && work->kind->capture(work, &params))
        return capture_node(stream, &params);
    return capture_spoil(stream->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED);
}

/* --- events --- */

void event_forget(struct wsimrt_event *event) {
    if (event->frontier)
        free(event->frontier->nodes);
    free(event->frontier);
    event->frontier = NULL;
    event->capture = 0;
}

int capture_record(struct wsimrt_event *event, struct wsimrt_stream *stream) {
    if (event->flags & WSIMRT_EVENT_SHARED) /* no graph has events of other processes */
        return capture_spoil(stream->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED);
    event_forget(event);
    event->frontier = calloc(1, sizeof *event->frontier);
    if (!event->frontier ||
        frontier_set(event->frontier, stream->frontier->nodes, stream->frontier->n, 0))
        return WSIMRT_OUT_OF_MEMORY;
    event->capture = stream->capture->id;
    return 0;
}

int capture_wait(struct wsimrt_stream *stream, struct wsimrt_event *event) {
    struct capture *capture = capture_of(event);
    if (stream->capture && event->flags & WSIMRT_EVENT_SHARED)
        return capture_spoil(stream->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED);
    if (!event->capture) /* of work that no graph has */
        return event->mark ? capture_spoil(stream->capture, WSIMRT_STREAM_CAPTURE_ISOLATION) : 0;
    if (!capture) /* it has ended */
        return stream->capture ? capture_spoil(stream->capture, WSIMRT_INVALID_VALUE)
                               : WSIMRT_INVALID_VALUE;
    if (stream->capture && stream->capture != capture) {
        stream->capture->invalid = 1;
        return capture_spoil(capture, WSIMRT_STREAM_CAPTURE_MERGE);
    }
    if (!stream->capture) {
        if (stream == stream_legacy(stream))
            return capture_spoil(capture, WSIMRT_STREAM_CAPTURE_IMPLICIT);
        stream->frontier = calloc(1, sizeof *stream->frontier);
        if (!stream->frontier)
            return WSIMRT_OUT_OF_MEMORY;
        stream->capture = capture;
    }
    return frontier_set(stream->frontier, event->frontier->nodes, event->frontier->n, 1);
}

/* --- the end --- */

static void leave_stream(struct wsimrt_stream *stream) {
    if (stream->frontier)
        free(stream->frontier->nodes);
    free(stream->frontier);
    stream->frontier = NULL;
    stream->capture = NULL;
}

void capture_end(struct capture *capture) {
    struct capture **at = &core.captures;
    while (*at != capture)
        at = &(*at)->next;
    *at = capture->next;
    for (struct wsimrt_context *context = core.contexts; context; context = context->next)
        for (struct wsimrt_stream *each = context->streams; each; each = each->next)
            if (each->capture == capture)
                leave_stream(each);
    free(capture);
}

void capture_leave(struct wsimrt_stream *stream) {
    struct capture *capture = stream->capture;
    if (!capture)
        return;
    leave_stream(stream);
    if (capture->origin != stream)
        return;
    if (!capture->given)
        graph_free(capture->graph);
    capture_end(capture);
}
