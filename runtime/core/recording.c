/* Captures begin and end. */
#include "graph_state.h"

#include <stdlib.h>

static int enter(struct wsimrt_stream **stream) {
    struct wsimrt_context *context;
    int error = core_enter_stream(*stream, &context);
    if (!error && !(*stream = stream_of(*stream, context)))
        error = stream_missing();
    return error;
}

int wsimrt_capture_begin(struct wsimrt_stream *stream, struct wsimrt_graph *graph,
                         struct wsimrt_node *const *before, size_t n,
                         enum wsimrt_capture_mode mode) {
    struct capture *made = NULL;
    struct frontier *frontier = NULL;
    int error;
    if (mode > WSIMRT_CAPTURE_RELAXED) /* before all else, as on an H200 */
        return WSIMRT_INVALID_VALUE;
    error = enter(&stream);
    if (!error && stream->capture)
        error = WSIMRT_ILLEGAL_STATE;
    if (!error && ((n && !before) || (graph && !handle_is(graph, HANDLE_GRAPH))))
        error = WSIMRT_INVALID_VALUE;
    for (const struct capture *at = core.captures; at && graph && !error; at = at->next)
        error = at->graph == graph ? WSIMRT_ILLEGAL_STATE : 0;
    for (size_t i = 0; i < n && !error; i++)
        if (!handle_is(before[i], HANDLE_NODE) || before[i]->graph != graph)
            error = WSIMRT_INVALID_VALUE;
    if (!error && stream == stream_legacy(stream))
        error = capture_check(stream);
    if (!error && stream == stream_legacy(stream))
        error = WSIMRT_STREAM_CAPTURE_UNSUPPORTED;
    if (!error && (!(made = calloc(1, sizeof *made)) || !(frontier = calloc(1, sizeof *frontier))))
        error = WSIMRT_OUT_OF_MEMORY;
    error = error ? error : frontier_set(frontier, before, n, 0);
    if (!error && graph)
        made->given = 1, made->graph = graph;
    else if (!error)
        error = graph_make(&made->graph);
    if (error) {
        free(frontier);
        free(made);
        return core_leave(error);
    }
    made->origin = stream;
    made->mode = mode;
    made->thread = pthread_self();
    made->id = ++core.next_id;
    made->next = core.captures;
    core.captures = made;
    stream->capture = made;
    stream->frontier = frontier;
    return core_leave(0);
}

/* Whether all nodes of other streams are before those of the first stream. */
static int is_joined(const struct capture *capture) {
    const struct frontier *last = capture->origin->frontier;
    unsigned char *marks = calloc(capture->graph->n + 1, 1);
    int joined = marks != NULL;
    for (size_t i = 0; marks && i < last->n; i++)
        graph_mark_before(last->nodes[i], marks);
    for (struct wsimrt_context *context = core.contexts; context; context = context->next)
        for (struct wsimrt_stream *at = context->streams; at; at = at->next)
            for (size_t i = 0; at->capture == capture && i < at->frontier->n; i++)
                joined &= marks && marks[at->frontier->nodes[i]->index];
    free(marks);
    return joined;
}

int wsimrt_capture_end(struct wsimrt_stream *stream, struct wsimrt_graph **graph) {
    struct capture *capture = NULL;
    int error = enter(&stream);
    if (!error && stream == stream_legacy(stream))
        error = capture_check(stream);
    if (!error && !(capture = stream->capture))
        error = WSIMRT_ILLEGAL_STATE;
    if (!error && !graph && !capture->given)
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return core_leave(error);
    if (graph)
        *graph = NULL;
    if (!capture->invalid && capture->mode != WSIMRT_CAPTURE_RELAXED &&
        !pthread_equal(capture->thread, pthread_self()))
        error = WSIMRT_STREAM_CAPTURE_WRONG_THREAD; /* and it ends, as on an H200 */
    else if (!capture->invalid && capture->origin != stream)
        return core_leave(capture_spoil(capture, WSIMRT_STREAM_CAPTURE_UNMATCHED));
    if (!error && capture->invalid)
        error = WSIMRT_STREAM_CAPTURE_INVALIDATED;
    else if (!error && !is_joined(capture))
        error = WSIMRT_STREAM_CAPTURE_UNJOINED;
    if (!error && graph)
        *graph = capture->graph;
    else if (error && capture->graph->owned) /* its node still has it */
        handle_remove(capture->graph);
    else if (error)
        graph_free(capture->graph);
    capture_end(capture);
    return core_leave(error);
}

int wsimrt_stream_asked(struct wsimrt_stream *stream, int ends) {
    const int error = enter(&stream);
    if (!error && ends && stream->capture)
        return core_leave(capture_spoil(stream->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED));
    return core_leave(error ? error : capture_check(stream));
}

int wsimrt_capture_info(struct wsimrt_stream *stream, struct wsimrt_capture_info *info) {
    int error = enter(&stream);
    if (!error && !info)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : capture_ask(stream);
    if (!error)
        *info = (struct wsimrt_capture_info){.status = 0};
    if (!error && stream->capture)
        *info = (struct wsimrt_capture_info){.status = 1 + stream->capture->invalid,
                                             .id = stream->capture->id,
                                             .graph = stream->capture->graph,
                                             .nodes = stream->frontier->nodes,
                                             .n = stream->frontier->n};
    return core_leave(error);
}

int wsimrt_capture_read(struct wsimrt_stream *stream, int *status, uint64_t *id,
                        struct wsimrt_graph **graph, struct wsimrt_node *const **nodes,
                        const struct wsimrt_edge_data **data, size_t *n) {
    struct wsimrt_capture_info info;
    const int error = status ? wsimrt_capture_info(stream, &info) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    *status = info.status;
    if (info.status && id)
        *id = info.id;
    if (info.status && graph)
        *graph = info.graph;
    if (info.status && nodes)
        *nodes = info.nodes;
    if (info.status && data)
        *data = info.data;
    if (info.status && n)
        *n = info.n;
    return 0;
}

int wsimrt_capture_update(struct wsimrt_stream *stream, struct wsimrt_node *const *nodes, size_t n,
                          unsigned flags) {
    int error = enter(&stream);
    if (!error && !stream->capture)
        error = WSIMRT_ILLEGAL_STATE;
    if (!error && stream->capture->invalid)
        error = WSIMRT_STREAM_CAPTURE_INVALIDATED;
    if (!error && (flags > 1 || (n && !nodes)))
        error = WSIMRT_INVALID_VALUE;
    for (size_t i = 0; i < n && !error; i++)
        if (!handle_is(nodes[i], HANDLE_NODE) || nodes[i]->graph != stream->capture->graph)
            error = WSIMRT_INVALID_VALUE;
    return core_leave(error ? error : frontier_set(stream->frontier, nodes, n, !flags));
}
