/* wire.h - messages of the Debug Adapter Protocol: JSON after a Content-Length, on standard input
 * and output. */
#ifndef WSIM_DEBUG_WIRE_H
#define WSIM_DEBUG_WIRE_H

#include <jansson.h>
#include <stddef.h>

struct wire {
    char *bytes; /* read and not yet taken */
    size_t used, room;
    int ended; /* standard input is at its end, or the bytes are no message */
    json_int_t seq;
};

/* The next message, an object. NULL: the end, or (`wait` 0) none is complete yet. A body that is no
 * JSON object gives an empty object. */
json_t *wire_read(struct wire *wire, int wait);
void wire_close(struct wire *wire);

/* Sends an event; `body` (may be NULL) is released. */
void wire_event(struct wire *wire, const char *event, json_t *body);

/* Answers a request. A `message` makes it a failure. `body` (may be NULL) is released. */
void wire_answer(struct wire *wire, const json_t *request, const char *message, json_t *body);

#endif
