/* Work that all later work of a context waits for, and the end of green contexts. */
#include "green.h"

#include <stdlib.h>

void green_drop(struct wsimrt_green *green) {
    struct wsimrt_green **at = &core.greens;
    while (*at && *at != green)
        at = &(*at)->next;
    if (*at)
        *at = green->next;
    handle_remove(green);
    gates_free(green->gates);
    free(green);
}

void green_leave(const struct wsimrt_context *context) {
    for (struct wsimrt_green *next, *at = core.greens; at; at = next) {
        next = at->next;
        if (at->primary == context)
            green_drop(at);
    }
}

int gate_wait(struct wsimrt_stream *stream, struct mark *mark) {
    struct work *work;
    if (mark->done)
        return 0;
    work = work_make(stream, &work_wait, 0);
    if (!work)
        return WSIMRT_OUT_OF_MEMORY;
    work->is.mark = mark;
    mark->uses++;
    return work_issue(work, 0);
}

void gates_free(struct gate *gates) {
    for (struct gate *next; gates; gates = next) {
        next = gates->next;
        mark_release(gates->mark);
        free(gates);
    }
}

/* Drops gates that are open, and lets a new stream wait for the others. */
static int pass(struct gate **at, struct wsimrt_stream *stream) {
    int error = 0;
    while (*at && !error) {
        struct gate *const gate = *at;
        if (gate->mark->done) {
            *at = gate->next;
            gate->next = NULL;
            gates_free(gate);
            continue;
        }
        error = gate_wait(stream, gate->mark);
        at = &gate->next;
    }
    return error;
}

int gates_pass(struct wsimrt_stream *stream) {
    const int error = pass(&stream->context->gates, stream);
    return error || !stream->green ? error : pass(&stream->green->gates, stream);
}
