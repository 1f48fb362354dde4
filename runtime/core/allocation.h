/* allocation.h - memory: allocations, pools, addresses of devices, arrays. */
#ifndef WSIM_RUNTIME_ALLOCATION_H
#define WSIM_RUNTIME_ALLOCATION_H

#include "runtime.h"

#include <wsim/kernel.h>

struct work_kind;

/* The code that called the runtime: its file, and an offset that addr2line knows. */
struct caller {
    const char *object; /* good while the object is loaded; NULL: unknown */
    uint64_t offset;
    uint64_t outer;      /* of the call of its function, which returns at once; 0: it does more */
    uint64_t further[3]; /* of the calls around it in this file, if api_frames or api_further read them */
    const char *call;    /* the function of CUDA; as `object` */
};

enum { SYNC_ON = 1, SYNC_OFF };

struct allocation {
    uint64_t base, bytes, room; /* room: what the arena gave */
    uint64_t apart;             /* of its bytes from its addresses, which the host cannot touch;
                                   0: these are pointers of the host, too */
    uint64_t id;
    uint64_t number;                /* from 1 on: findings call it 'buffer 3' */
    struct wsimrt_context *context; /* NULL: it is gone */
    int device;
    unsigned flags;
    struct wsimrt_pool *pool; /* NULL: none */
    uint8_t kind;             /* enum wsimrt_memory */
    uint8_t graph;            /* of a node of a graph */
    uint8_t live;             /* a launch of the graph gave it, and it is not freed yet */
    uint8_t array;            /* of an array: wsimrt_array_free frees it */
    uint8_t imported;         /* of another process ... */
    uint8_t by_pool;          /* ... which has it from a pool: frees may free it */
    uint16_t lead;            /* bytes of its first page before the address that this process has */
    uint8_t mapped;           /* by virtual.c ... */
    uint64_t access;          /* ... for these devices, two bits for each: 1 reads, 3 writes */
    uint8_t managed;          /* a variable that counts as managed */
    uint8_t sync;             /* CU_POINTER_ATTRIBUTE_SYNC_MEMOPS; 0: not set */
    uint8_t dying;            /* its free is queued */
    unsigned opens;           /* of an imported one: how often its handle was opened ... */
    struct {
        int process, file;
        uint64_t offset; /* ... which is this place of a file of a process */
    } handle;
    uint64_t version;        /* of its bytes: the number of the last write */
    struct wsimrt_fill fill; /* the last one ... */
    uint64_t filled;         /* ... and the version that it made */
    struct caller caller;
};

struct wsimrt_pool {
    struct wsimrt_pool *next;
    struct wsimrt_pool_kind kind;
    int device;          /* of its memory; -1: none */
    uint8_t standard;    /* its place begins with it, and it cannot be destroyed */
    uint8_t chosen;      /* its place uses it */
    uint32_t access;     /* to memory of the host and managed memory: a bit for each device */
    uint8_t host_access; /* of the host to managed memory */
    int process;         /* of the pool that it imported; 0: a pool of its own */
    uint8_t shareable;   /* other processes can open it */
    uint8_t destroyed;   /* the last free of its memory ends it */
    int reuse[3];        /* what may be reused: attributes 1 to 3 */
    uint64_t most, threshold, reserved, reserved_high, used, used_high;
    uint64_t lost;   /* what frees without a stream took: it counts as used on an H200 */
    uint64_t freed;  /* where the last freed memory was; 0: it is used again */
    uint64_t search; /* where the next one begins */
};

int pool_make(const struct wsimrt_pool_kind *kind, uint64_t most, struct wsimrt_pool **pool);

struct memory {
    struct allocation **list; /* sorted by base */
    size_t n, room;
    uint64_t arena,
        arena_bytes;    /* addresses of device memory, of which the host has no bytes ... */
    uint64_t apart;     /* ... as they are as far behind */
    uint64_t arena_end; /* of these bytes and of managed memory, behind the addresses */
    struct part {
        uint64_t from, to;
        uint64_t next, fresh; /* where the next search begins; above `fresh` all bytes are zero */
        uint64_t apart;       /* of its bytes from its addresses */
    } small, large, managed;
    struct piece { /* of settings.piece bytes, behind the small ones */
        struct wsimrt_pool *pool;
        uint8_t is_mapped; /* kernels reach it */
    } * pieces;
    size_t n_pieces, next_piece, top_piece; /* next: where a search begins; above top: unused */
    uint64_t numbers;                       /* of allocations */
    struct allocation *freed;               /* the last ones, in a ring */
    size_t n_freed;
};

/* The number of allocations that begin at or below an address: known.c. */
size_t memory_below(uint64_t address);

/* Puts a copy of an allocation into the list; NULL: no memory. */
struct allocation *memory_insert(const struct allocation *what);

/* Takes one out of the list, remembers it as freed, and frees it. */
void memory_forget(struct allocation *allocation);

/* The allocation that holds `bytes` bytes at `address`; NULL: none. */
struct allocation *memory_find(uint64_t address, uint64_t bytes);

/* The allocation that has the byte at `address`. Kernels give away addresses of variables that no
 * call of the program has named, such as those of texts: they become known. */
struct allocation *memory_seek(uint64_t address);

/* Whether the host may read and write it: pinned and managed memory. NULL: no. */
int memory_is_seen(const struct allocation *memory);

/* --- addresses of devices: arena.c --- */

/* Freed bytes that are given back to the system at once. */
#define ARENA_LARGE (UINT64_C(1) << 16)

/* Finds addresses whose bytes are zero, for any memory and for that of a pool. 0: there are none.
 */
uint64_t arena_take(uint64_t bytes, uint64_t *room);
uint64_t arena_take_managed(uint64_t bytes, uint64_t *room); /* whole pages */
uint64_t arena_take_of(struct wsimrt_pool *pool, uint64_t bytes, uint64_t *room);
int arena_is_pooled(uint64_t address);

/* The next memory may be where some was freed, as on a GPU. With checks, it is elsewhere. */
void arena_again(uint64_t address);

/* Large pages for memory of the host, where the system has them. */
void arena_large_pages(uint64_t at, uint64_t bytes);

/* All of these bytes of an allocation will be written soon. */
void arena_expect(uint64_t address, uint64_t bytes);

/* Makes bytes of an allocation zero; pages that nothing has touched stay so. 0: it may not. */
int arena_clear(uint64_t address, uint64_t bytes);

/* Tells the devices which pages hold an allocation, or no longer do. */
void arena_map(const struct allocation *allocation, int is_mapped);

/* Whether an address is reserved for maps: virtual.c. */
int virtual_is_reserved(uint64_t address);
/* Memory without an address, of a device or of WSIMRT_NODE. */
int physical_make(uint64_t bytes, int device, unsigned flags, struct wsimrt_physical **memory);
/* Tells what is mapped at an address, and what a context may do there. 0: nothing is. */
int virtual_range(uint64_t address, const struct wsimrt_context *context,
                  struct wsimrt_range *range);

/* Closes a new allocation to the kernels of devices without access to it. The second function
 * closes and opens all memory after a change of contexts, peers or pools: peer.c. */
int peers_may_access(const struct wsimrt_context *context, const struct allocation *memory);
void peers_of(const struct allocation *memory);
void peers_changed(void);

/* The last freed memory that held an address; NULL: none. */
const struct allocation *memory_freed(uint64_t address);

/* The allocation with a number, which may be freed; NULL: it is not remembered. */
const struct allocation *memory_numbered(uint64_t number);

/* "device", "managed", "pinned". */
const char *memory_word(const struct allocation *allocation);

/* Whether no device has access to an allocation, which is memory of the host. */
int memory_is_away(const struct allocation *allocation);

/* Makes a variable known, and a managed one: of a module of a context, or of a library (NULL). */
int memory_variable(struct wsimrt_context *context, uint64_t address, uint64_t bytes);
int memory_managed(struct wsimrt_context *context, uint64_t address, uint64_t bytes);

/* Allocates for a pool. */
int memory_of_pool(struct wsimrt_context *context, uint64_t bytes, struct wsimrt_pool *pool,
                   uint64_t *address);
/* Devices have access to the memory of a pool now (1), or no longer (0). */
int memory_lend(struct wsimrt_pool *pool, int lends);
/* The bytes that a pool has when its allocations have `bytes`. */
uint64_t memory_reserved(uint64_t bytes);
/* A pool gives back the bytes beyond `keep`; a call that waited for work makes all do so. */
void memory_shrink(struct wsimrt_pool *pool, uint64_t keep);
/* Whether a device has these bytes. If it is short, pools and graphs first give back what they do
 * not use, as on an H200. */
int memory_room(int device, uint64_t bytes);
uint64_t memory_left(int device); /* the bytes that a device has */
/* Whether a pool has these bytes, or can take them. If not, it keeps what it has taken. */
int pool_room(struct wsimrt_pool *pool, uint64_t bytes);
/* Allocates, without a look at the room of the device. */
int memory_make(struct wsimrt_context *context, uint64_t bytes, enum wsimrt_memory kind,
                unsigned flags, uint64_t *address);
void memory_rest(void);
/* Frees a pool without memory, which has no handle any more. */
void memory_end(struct wsimrt_pool *pool);

/* Memory of a node of a graph, which only memory_release frees. */
int memory_of_graph(struct wsimrt_context *context, uint64_t bytes, uint64_t *address);
int memory_of_array(struct wsimrt_context *context, uint64_t bytes, uint64_t *address);
void memory_release(uint64_t address);

/* Addresses that another file mapped are device memory now, with its bytes at `at`. */
int memory_of_map(struct wsimrt_context *context, int device, uint64_t base, void *at,
                  uint64_t bytes);

/* Device memory that is the first `bytes` bytes of a file. */
int memory_of_file(struct wsimrt_context *context, int file, uint64_t bytes, uint64_t *address);

/* Work that frees device or managed memory at work.is.address, in the order of its stream. */
extern const struct work_kind memory_free;

/* Frees all memory of a context. */
void memory_leave(struct wsimrt_context *context);

/* Where the host has the bytes of an address. */
void *memory_host(uint64_t address);

/* Copies bytes of the process or of devices that may not be there. 0: a byte is missing. */
int memory_peek(void *to, uint64_t from, uint64_t bytes);
int memory_poke(uint64_t to, const void *from, uint64_t bytes);

/* --- arrays: array.c --- */

struct wsim_array;
struct wsimrt_array;

/* The shape of an array, with its address. Errors: WSIMRT_INVALID_HANDLE. */
int array_shape(const struct wsimrt_array *array, struct wsim_array *shape);

#endif
