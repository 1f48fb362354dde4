/* Attributes of streams: preferences, which change no result but are there when a program asks, and
 * the priority. */
#include "state.h"

#include <string.h>

/* CUlaunchAttributeID */
enum { WINDOW = 1, COOPERATIVE, WAIT, PRIORITY = 8, DOMAIN_MAP = 9, DOMAIN = 10 };
enum { NEVER_SET = -1, AUTO = 1, LAST_WAIT = 4, PERSISTING = 2 };

static int enter(struct wsimrt_stream **stream, const void *value) {
    struct wsimrt_context *context;
    int error = core_enter_stream(*stream, &context);
    if (!error && !(*stream = stream_of(*stream, context)))
        error = stream_missing();
    if (!error && !value)
        error = WSIMRT_INVALID_VALUE;
    return error;
}

int wsimrt_stream_get(struct wsimrt_stream *stream, int attribute, void *value) {
    int error = enter(&stream, value);
    error = error ? error : capture_check(stream);
    if (!error) {
        const struct preferences *const have = &stream->preferences;
        const int32_t wait = have->wait ? have->wait : NEVER_SET;
        const uint8_t domains[2] = {have->domains[0], have->maps ? have->domains[1] : 1};
        switch (attribute) {
        case WINDOW: memcpy(value, &have->window, sizeof have->window); break;
        case WAIT: memcpy(value, &wait, sizeof wait); break;
        case PRIORITY: memcpy(value, &stream->priority, sizeof stream->priority); break;
        case DOMAIN_MAP: memcpy(value, domains, sizeof domains); break;
        case DOMAIN: memcpy(value, &have->domain, sizeof have->domain); break;
        default: error = WSIMRT_INVALID_VALUE;
        }
    }
    return core_leave(error);
}

static int set_window(struct wsimrt_stream *stream, const void *value) {
    enum { MOST_WINDOW = 109 }; /* of CUdevice_attribute */
    struct access_window window;
    int32_t most = 0;
    memcpy(&window, value, sizeof window);
    if (!device_attribute(&most, MOST_WINDOW, stream->context->ordinal) ||
        window.bytes > (uint64_t)most || !(window.ratio >= 0 && window.ratio <= 1) ||
        window.hit < 0 || window.hit > PERSISTING || window.miss < 0 || window.miss >= PERSISTING)
        return WSIMRT_INVALID_VALUE;
    stream->preferences.window = window;
    return 0;
}

static int set(struct wsimrt_stream *stream, int attribute, const void *value) {
    struct preferences *const have = &stream->preferences;
    int32_t number;
    memcpy(&number, value, sizeof number);
    switch (attribute) {
    case WINDOW: return set_window(stream, value);
    case WAIT:
        if (number < AUTO || number > LAST_WAIT)
            return WSIMRT_INVALID_VALUE;
        have->wait = number;
        return 0;
    case PRIORITY: stream->priority = stream_priority(number); return 0;
    case DOMAIN:
        if (number < 0 || number > 1)
            return WSIMRT_INVALID_VALUE;
        have->domain = number;
        return 0;
    case DOMAIN_MAP:
        if (wsimrt_launch_attribute(DOMAIN_MAP, value))
            return WSIMRT_INVALID_VALUE;
        memcpy(have->domains, value, sizeof have->domains);
        have->maps = 1;
        return 0;
    default: return WSIMRT_INVALID_VALUE;
    }
}

int wsimrt_stream_set(struct wsimrt_stream *stream, int attribute, const void *value) {
    int error = enter(&stream, value);
    if (!error && attribute == COOPERATIVE) /* an H200 says so before it looks at captures */
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : capture_check(stream);
    error = error ? error : set(stream, attribute, value);
    return core_leave(error);
}

int wsimrt_stream_copy(struct wsimrt_stream *to, struct wsimrt_stream *from) {
    int error = enter(&to, &to);
    struct wsimrt_context *context;
    error = error ? error : core_current(&context);
    if (!error && !(from = stream_of(from, context)))
        error = stream_missing();
    error = error ? error : capture_check(to);
    error = error ? error : capture_check(from);
    if (!error && to->context != from->context)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        to->preferences = from->preferences, to->priority = from->priority;
    return core_leave(error);
}
