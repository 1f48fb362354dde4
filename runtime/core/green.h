/* green.h - green contexts: a part of the processors of a device, with streams of its own. Memory,
 * modules and events are those of the primary context. */
#ifndef WSIM_RUNTIME_GREEN_H
#define WSIM_RUNTIME_GREEN_H

#include "state.h"

struct wsimrt_green {
    struct wsimrt_green *next;
    struct wsimrt_context *primary; /* retained */
    unsigned processors;
    uint64_t id;
    struct wsimrt_stream *legacy; /* without a handle, of its own */
    struct gate *gates;
    char context; /* its address is the handle of the context that programs make current */
};

/* The green context of a handle of a context; NULL: it is none. */
struct wsimrt_green *green_of(const struct wsimrt_context *handle);

/* Work that all later work of a context or a green context waits for. */
struct gate {
    struct gate *next;
    struct mark *mark;
};
void gates_free(struct gate *gates);

/* `stream` waits for a mark. */
int gate_wait(struct wsimrt_stream *stream, struct mark *mark);

/* Frees a green context, whose streams are gone. */
void green_drop(struct wsimrt_green *green);

#endif
