/* device.h - global memory as buffers of the host, and the variables of modules. */
#ifndef WSIM_STATE_DEVICE_H
#define WSIM_STATE_DEVICE_H

#include "../base/base.h"

#include <stdatomic.h>
#include <wsim/kernel.h>

/* Bytes of the .global variables of a module: those of one device, or the managed ones, which all
 * devices of a space share. */
struct run_variables {
    struct run_variables *next; /* in the space; of managed ones alone */
    uint64_t stamp;             /* of the module */
    void *owned;                /* to be freed */
    uint64_t base, bytes;       /* of the variables, with those between them */
    uint32_t devices;           /* that have it; the last one to go frees it */
};

/* Memory that kernels may access. */
struct run_buffer {
    uint64_t base, size;
    uint32_t number;                 /* for launches that look for races; or RUN_UNNUMBERED */
    const struct wsim_device *owner; /* NULL: its block owns it */
    char *name;
    void *owned;    /* to be freed: bytes with guards around them; NULL: adopted               */
    uint64_t apart; /* of its bytes from its addresses; 0: these are pointers of the host       */
    const struct run_variables *among; /* variables of a module; NULL: it is none of them       */
    atomic_ullong *known; /* bit of each byte: it was written; NULL: every byte was. A word for
                           * known_all follows (known.h)                                     */
    uint64_t closed;      /* to kernels of these devices, by number (wsim_device_close)           */
    atomic_uchar blind;   /* a launch without WSIM_CHECK_INIT may have written any byte         */
};

#define RUN_RELEASED 64 /* buffers, and their bytes, that are kept */
#define RUN_RELEASED_BYTES (UINT64_C(64) << 20)

/* The addresses that devices share: their buffers, sorted by `base`, none inside another. */
struct run_space {
    struct run_buffer **buffers;
    size_t n_buffers, room;
    struct wsim_device *devices; /* those that share it; the last one to go frees it */
    struct run_released {
        void *owned;
        uint64_t bytes;
    } released[RUN_RELEASED]; /* memory of buffers that were released: its addresses are not used
                                 again for a while */
    uint32_t next_released;
    uint64_t released_bytes;
    struct run_variables *managed; /* variables of modules, of all the devices */
    struct wsim_flight *flights;   /* launches that are not finished */
    uint32_t blind;                /* how many of them run without WSIM_CHECK_INIT */
    uint32_t numbered;             /* numbers of buffers that were given out */
    uint8_t is_apart;              /* a buffer lies at other addresses than its bytes */
    struct run_pages {             /* of a GPU, around buffers of the caller */
        uint64_t base, bytes;
        uint64_t apart;  /* as of a buffer                */
        uint8_t *mapped; /* [page] NULL: there are none */
    } pages;
    atomic_ullong changes; /* units that wrote, began or ended, and writes of the host: still.c */
};
#define RUN_UNNUMBERED UINT32_MAX
enum { RUN_DEVICES = 64 }; /* of a space, that have numbers */

/* The variables of a module on a device. */
struct run_attached {
    uint64_t stamp;    /* of the module */
    uint64_t *symbols; /* of each variable: host address (.global), offset (.const)    */
    struct run_variables *blocks[2]; /* of .global variables, and of managed ones; NULL: has none */
    uint8_t is_new[2];           /* no other device had the block                                */
    struct wsim_memory constant; /* base 0                                                      */
    struct run_attached *next;
};

/* A program on a device: its matrix instructions and copies, prepared for the architecture. */
struct run_prepared {
    const struct run_program *program; /* is freed before this may be */
    uint64_t stamp;                    /* of its module               */
    struct wsim_code **codes;
    uint32_t n_codes;
    struct run_prepared *next;
};

enum { RUN_BUCKETS = 1024 };

static inline size_t run_bucket(uint64_t stamp) {
    return (size_t)(stamp * 0x9E3779B97F4A7C15u >> 32) % RUN_BUCKETS;
}

struct wsim_device {
    const struct wsim_arch *arch;
    struct run_space *space;
    struct wsim_device *next;                   /* that shares the space */
    uint8_t number;                             /* among them; RUN_DEVICES: none was left */
    uint64_t most_variables;                    /* bytes of .global variables of a module */
    uint8_t all;                                /* all memory of the process was adopted */
    struct run_attached *attached[RUN_BUCKETS]; /* by the stamp of the module: who runs thousands */
    struct run_prepared *prepared[RUN_BUCKETS]; /* of them looks each one up at every launch      */
    uint64_t heap;       /* buffer that malloc of kernels gives pieces of; 0: none yet (heap.c) */
    uint64_t heap_bytes; /* 0: the default */
    struct heap_piece *pieces; /* [grain] that begin there */
    uint32_t *inside;          /* [grain] 1 + the first grain of its piece; 0: of none */
    uint32_t next_piece, heap_launch;
    struct run_textures *textures; /* NULL: none yet (textures.h) */
    struct pool_chunk *chunks[3];  /* that a launch that looked for races has left, for the next */
};

/* The buffer that holds all of address .. address + bytes - 1; NULL: none. */
const struct run_buffer *run_buffer_of(const struct wsim_device *device, uint64_t address,
                                       uint64_t bytes);

/* Whether kernels of a device may access a buffer. */
static inline int run_is_open(const struct wsim_device *device, const struct run_buffer *buffer) {
    return !(device->number < RUN_DEVICES && buffer->closed >> device->number & 1);
}

/* The same as run_buffer_of, for accesses of kernels: NULL if the buffer is closed to the device.
 */
const struct run_buffer *run_buffer_open(const struct wsim_device *device, uint64_t address,
                                         uint64_t bytes);

/* The buffer that is nearest to an address, for findings: it ends or begins closest. NULL: there is
 * none. *distance: bytes between them, 0 inside. */
const struct run_buffer *run_buffer_near(const struct wsim_device *device, uint64_t address,
                                         uint64_t *distance, int *behind);

/* Whether the address of each byte of global memory is its pointer. */
static inline int run_is_flat(const struct wsim_device *device) {
    return device->all && !device->space->is_apart;
}

/* Where the host has the bytes of an address in a buffer. NULL: it is in none, and the address is a
 * pointer of the host. */
static inline uint8_t *run_host(const struct run_buffer *buffer, uint64_t address) {
    return (uint8_t *)(uintptr_t)(address + (buffer ? buffer->apart : 0));
}

/* The same of an address that may be in mapped pages. */
uint8_t *run_page_host(const struct wsim_device *device, uint64_t address);

/* Whether all bytes are in mapped pages (wsim_device_map_pages), or among variables of a module
 * where there are pages. */
int run_is_mapped(const struct wsim_device *device, uint64_t address, uint64_t bytes);

/* Numbers the buffers of a space. A buffer that a launch in flight knows keeps its number. */
void run_space_number(struct run_space *space);

/* Makes a buffer of bytes that lie in a block. All of them are written. */
enum wsim_status run_buffer_variable(struct wsim_device *device, const struct run_variables *block,
                                     const char *name, uint64_t address, uint64_t bytes,
                                     struct wsim_diag *diag);

/* Takes the variables of a module from a device, with the buffers of blocks that no device has. */
void run_detach(struct wsim_device *device, struct run_attached *attached);

/* The bits of a buffer; NULL: all its bytes count as written. */
atomic_ullong *run_buffer_bits(const struct run_buffer *buffer);

/* Marks bytes as written. */
void run_buffer_learn(const struct run_buffer *buffer, uint64_t address, uint64_t bytes);

/* The variables of `module` on this device, made at the first call. */
enum wsim_status run_attach(struct wsim_device *device, const struct wsim_module *module,
                            struct run_attached **attached, struct wsim_diag *diag);

/* Refuses what the architecture does not have, and prepares the codes, at the first call for that
 * program. Errors: WSIM_ILLEGAL, WSIM_UNMODELLED, WSIM_NO_MEMORY. */
enum wsim_status run_prepare(struct wsim_device *device, const struct run_program *program,
                             struct wsim_code *const **codes, struct wsim_diag *diag);
void run_prepared_free(struct run_prepared *prepared);

#endif
