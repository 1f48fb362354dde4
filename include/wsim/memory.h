/* memory.h - one window of memory of any state space, and its watcher.
 *
 * Plain data that the caller owns. Shared, global, local, parameter and constant memory have the
 * same struct, and every instruction reads a window in the same way. Numbers are little-endian on
 * every host.
 */
#ifndef WSIM_MEMORY_H
#define WSIM_MEMORY_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state spaces of PTX; names for refusals and for watchers. */
enum wsim_space {
    WSIM_SHARED,
    WSIM_GLOBAL,
    WSIM_LOCAL,
    WSIM_CONST,
    WSIM_PARAM,
    WSIM_TENSOR, /* tensor memory of a block: 128 lanes of 512 words of 32 bits                 */
    WSIM_SPACES
};

/* "shared", "global", "local", "const", "param", "tensor"; NULL for anything else. */
WSIM_API const char *wsim_space_name(enum wsim_space space);

/* Kinds of access. A reduction or an atomic is an update: it reads and writes at once. */
enum wsim_touch_kind { WSIM_TOUCH_READ, WSIM_TOUCH_WRITE, WSIM_TOUCH_UPDATE };

/* A run of bytes that an instruction accessed. */
struct wsim_touch {
    uint64_t address; /* of the first byte                                                     */
    uint32_t bytes;   /* how many                                                              */
    uint32_t where;   /* instruction: wsim_io.where                                            */
    uint16_t warp;    /* wsim_io.warp; for a warpgroup, its first warp of four                 */
    uint8_t lane;     /* 0 to 31; WSIM_NO_LANE: the copy engine, or the tensor core            */
    uint8_t kind;     /* enum wsim_touch_kind                                                  */
};

#define WSIM_NO_LANE 0xFF

struct wsim_memory;

/* A watcher of windows. It receives every byte that instructions access, after all checks have
 * passed: each byte once for each read or write. Bytes arrive in runs of neighbours, at most as
 * long as one row or one lane moves. Reads arrive before the writes that depend on them. The bytes
 * of a run may or may not have changed already. The watcher changes no result. It must not write to
 * the memory, nor call wsim with it. Refused accesses do not arrive. */
struct wsim_watch {
    void (*touch)(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch);
    void *context;
};

/* A window: the byte at address base + i is bytes[i], for i < size. An access to a byte outside is
 * refused with the address (WSIM_BOUNDS). base + size is at most 2^64, for shared memory at most
 * 2^32. A window that ends later is refused. So is a window of another space than the instruction
 * accesses (WSIM_OPERAND). A window of size 0 needs no bytes. */
struct wsim_memory {
    uint8_t *bytes; /* not written if read_only                                             */
    uint64_t base;  /* address of bytes[0]                                                  */
    uint64_t size;  /* bytes                                                                */
    uint8_t space;  /* enum wsim_space                                                      */
    uint8_t read_only;
    const struct wsim_watch *watch; /* NULL: no watcher, at no cost                          */
};

/* Windows over an array of the caller. The second function makes a read-only window: a write to it
 * is refused (WSIM_OPERAND). */
WSIM_API struct wsim_memory wsim_memory_over(enum wsim_space space, void *bytes, uint64_t size,
                                             uint64_t base);
WSIM_API struct wsim_memory wsim_memory_const(enum wsim_space space, const void *bytes,
                                              uint64_t size, uint64_t base);

#ifdef __cplusplus
}
#endif
#endif
