/* memory.h - one window of memory, of whatever state space, and who wants to see it touched.
 *
 * Plain data, owned by the caller. Shared, global, local, parameter and constant memory are all
 * this: instructions differ in the window they are given, not in how they read it. Numbers are
 * little-endian, wherever wsim runs.
 */
#ifndef WSIM_MEMORY_H
#define WSIM_MEMORY_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state spaces of PTX; names for refusals and for watchers. */
enum wsim_space { WSIM_SHARED, WSIM_GLOBAL, WSIM_LOCAL, WSIM_CONST, WSIM_PARAM, WSIM_SPACES };

/* "shared", "global", "local", "const", "param"; NULL for anything else. */
WSIM_API const char *wsim_space_name(enum wsim_space space);

/* What was done to bytes. A reduction or an atomic reads and writes at once. */
enum wsim_touch_kind { WSIM_TOUCH_READ, WSIM_TOUCH_WRITE, WSIM_TOUCH_UPDATE };

/* Bytes that an instruction touched. */
struct wsim_touch {
    uint64_t address; /* of the first byte                                                     */
    uint32_t bytes;   /* how many                                                              */
    uint32_t where;   /* instruction: wsim_io.where                                            */
    uint16_t warp;    /* wsim_io.warp; of a warpgroup, that and the three behind it            */
    uint8_t lane;     /* 0 to 31; WSIM_NO_LANE: the copy engine, or the tensor core            */
    uint8_t kind;     /* enum wsim_touch_kind                                                  */
};

#define WSIM_NO_LANE 0xFF

struct wsim_memory;

/* Sees every byte that instructions touch in the windows it is put on: after everything has been
 * checked, each byte once for each time that it is read or written, in runs of neighbouring bytes
 * that may be as long as what one row or one lane moves. Reads are told before what is written
 * from them; whether the bytes of a run have changed already when it is told is not defined. It
 * only looks: it changes no outcome, and may neither touch the memory nor call back into wsim with
 * it. What is refused is never told. */
struct wsim_watch {
    void (*touch)(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch);
    void *context;
};

/* A window: the byte at address base + i is bytes[i], for i < size. Whatever touches a byte outside
 * is refused with the address (WSIM_BOUNDS). base + size may be at most 2^64, of shared memory at
 * most 2^32: a window that ends beyond is refused, and so is one of another space than the
 * instruction accesses (WSIM_OPERAND). A window of size 0 needs no bytes. */
struct wsim_memory {
    uint8_t *bytes; /* not written if read_only                                             */
    uint64_t base;  /* address of bytes[0]                                                  */
    uint64_t size;  /* bytes                                                                */
    uint8_t space;  /* enum wsim_space                                                      */
    uint8_t read_only;
    const struct wsim_watch *watch; /* NULL: nobody looks, which costs nothing               */
};

/* Windows over an array of the caller's. The second is of memory that may only be read: what would
 * write there is refused (WSIM_OPERAND). */
WSIM_API struct wsim_memory wsim_memory_over(enum wsim_space space, void *bytes, uint64_t size,
                                             uint64_t base);
WSIM_API struct wsim_memory wsim_memory_const(enum wsim_space space, const void *bytes,
                                              uint64_t size, uint64_t base);

#ifdef __cplusplus
}
#endif
#endif
