/* Green contexts by their handles, and streams that wait for each other. */
#include "green.h"

struct wsimrt_green *green_of(const struct wsimrt_context *handle) {
    struct wsimrt_green *at = core.greens;
    while (at && (const void *)&at->context != (const void *)handle)
        at = at->next;
    return at;
}

struct wsimrt_stream *stream_legacy(const struct wsimrt_stream *stream) {
    return stream->green ? stream->green->legacy : stream->context->legacy;
}

int stream_shares(const struct wsimrt_stream *a, const struct wsimrt_stream *b) {
    return a->context == b->context && a->green == b->green;
}
