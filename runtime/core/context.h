/* context.h - devices, contexts, the stack of contexts of a thread, and what work leaves in a
 * context. */
#ifndef WSIM_RUNTIME_CONTEXT_H
#define WSIM_RUNTIME_CONTEXT_H

#include "runtime.h"

#include <wsim/kernel.h>

struct children;
struct gate;

#define CORE_DEVICES 16
#define CORE_LIMITS 8
#define CORE_UNCHECKED 64
#define CORE_REASON 1024  /* bytes of the reason of an error */
#define CORE_PIECE 65536u /* bytes that a copy from the host moves at once */

struct device {
    struct wsimrt_context *primary;
    struct wsimrt_context *past; /* its place while it is not active: the handle stays */
    unsigned retained, flags;
    uint64_t used;                /* bytes of memory */
    uint64_t graphs, graphs_high; /* that graphs reserved when they were launched */
    uint64_t physical;            /* of them, in memory apart from addresses */
};

enum { WSIMRT_KEEPS_LOCAL = 0x10 }; /* CU_CTX_LMEM_RESIZE_TO_MAX, which is a flag */

struct wsimrt_context {
    struct wsimrt_context *next;
    struct wsim_device *device;
    int ordinal;
    unsigned flags;
    uint64_t id;
    uint8_t primary;
    uint64_t waited; /* the time of the last call that waited for work */
    size_t limits[CORE_LIMITS];
    int cache;                     /* CUfunc_cache: kept, without effect */
    uint32_t peers;                /* a bit for each device whose memory is enabled */
    struct wsimrt_stream *legacy;  /* without a handle */
    struct wsimrt_stream *streams; /* all of the context */
    struct wsimrt_module *modules; /* loaded into it */
    struct children *children;     /* what kernels launch; NULL: none did yet */
    struct gate *gates;            /* what all later work waits for */
    char *output;                  /* of kernels, not printed yet */
    size_t output_bytes, output_room;
};

/* --- the stack of contexts of a thread: thread.c --- */

int thread_is_full(void);
/* The green context that is current; NULL: none is. */
struct wsimrt_green *thread_green(void);
void thread_push(struct wsimrt_context *context);
/* Takes the context away if it is the current one. */
void thread_leave(const struct wsimrt_context *context);

/* --- what work leaves in its context: output.c --- */

/* Keeps the output of a kernel until the context is synchronised. */
void context_print(struct wsimrt_context *context, const char *text, size_t size);

/* Prints the output of kernels. */
void context_flush(struct wsimrt_context *context);

/* Notes a sticky error of the process; the first one stays. Calls give it after one that waited for
 * the device. */
void context_fail(const struct wsimrt_context *context, int error);

/* The sticky error that calls give, and that of a call that looked at work of a context. Work of a
 * context with the third one is dropped. */
int context_error(void);
int context_looked(const struct wsimrt_context *context);
int context_fault(const struct wsimrt_context *context);

/* Whether a GPU still runs work that ended here at a time: until a call waits, or for a while.
 * Queries say so. */
int context_lags(const struct wsimrt_context *context, uint64_t ended);

#endif
