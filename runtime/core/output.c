/* The sticky error of the process, and the output of kernels until it is printed. */
#define _GNU_SOURCE
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fault ends all contexts of the process, on all devices. Source: two H200 (driver 580). */
void context_fail(const struct wsimrt_context *context, int error) {
    if (!core.fault.error)
        core.fault = (struct fault){error, context->ordinal, 1};
}

int context_error(void) {
    return core.fault.unseen ? 0 : core.fault.error;
}

int context_fault(const struct wsimrt_context *context) {
    return core.fault.ordinal == context->ordinal ? core.fault.error : context_error();
}

int context_looked(const struct wsimrt_context *context) {
    if (core.fault.ordinal == context->ordinal)
        core.fault.unseen = 0;
    return context_error();
}

int context_lags(const struct wsimrt_context *context, uint64_t ended) {
    enum { WHILE = 200000 }; /* nanoseconds */
    return ended > context->waited && core_now() - ended < WHILE;
}

/* Messages of assert go to stderr, as those of a GPU do; all other lines to stdout. */
static int is_assertion(const char *line, size_t length) {
    static const char middle[] = "], thread: [";
    return length > 8 && memcmp(line + length - 8, "failed.\n", 8) == 0 &&
           memmem(line, length, middle, sizeof middle - 1) != NULL;
}

void context_flush(struct wsimrt_context *context) {
    const char *at, *end;
    if (!context->output_bytes)
        return;
    at = context->output;
    end = at + context->output_bytes;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = stop ? (size_t)(stop - at) + 1 : (size_t)(end - at);
        fwrite(at, 1, length, is_assertion(at, length) ? stderr : stdout);
        at += length;
    }
    context->output_bytes = 0;
}

void context_print(struct wsimrt_context *context, const char *text, size_t size) {
    if (!text || !size)
        return;
    if (context->output_bytes + size > context->output_room) {
        const size_t room = 2 * (context->output_bytes + size);
        char *grown = realloc(context->output, room);
        if (!grown)
            return;
        context->output = grown;
        context->output_room = room;
    }
    memcpy(context->output + context->output_bytes, text, size);
    context->output_bytes += size;
}
