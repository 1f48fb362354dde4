/* hear.h - reports the events of a launch to its listeners.
 *
 * Steps and rooms below call these functions, which go through the list of listeners. An access is
 * reported once, with all its lanes. Listeners that hear bytes get shared memory lane by lane.
 * They get global memory in pieces of 64 bytes, a few for most accesses of a warp.
 */
#ifndef WSIM_REACH_HEAR_H
#define WSIM_REACH_HEAR_H

#include "reach.h"
#include "../state/launch.h"

#include <wsim/memory.h>

#define HEAR_BYTES 64 /* of a piece                          */
#define HEAR_CELL 16  /* of shared memory: see run_hears.lanes */

/* A buffer of global memory, or the shared memory of a block. */
struct hear_memory {
    uint64_t base; /* address of the first byte, where the pieces begin */
    uint8_t *host; /* the same in the host                              */
    const struct run_buffer *buffer;
    struct run_block *block;
};

struct hear_piece {
    uint64_t index;      /* of the piece in its memory                                           */
    uint64_t mask;       /* a bit a byte                                                         */
    const uint8_t *data; /* written to the bytes of the mask, side by side; or NULL              */
    uint32_t lanes;      /* that access bytes of it, each other ones if they write; 0: not known */
    uint8_t lane;        /* that accesses the first byte, or one of them                         */
};

/* Bytes side by side, from the beginning of their memory. */
struct hear_part {
    uint64_t from;
    uint32_t size;
    uint32_t lane; /* that accesses the first byte */
};

/* A weak load or store, as bytes side by side. */
struct hear_again {
    const struct hear_memory *memory;
    const struct run_op *op;
    const struct reach_plan *plan;
    const struct run_access *access; /* NULL: its lanes are not said, unless is_line          */
    const struct hear_part *parts;   /* [n]                                                   */
    uint64_t step;                   /* the bytes are `times` such parts, each so far behind the */
    unsigned times;                  /* one before; more than once: a load of shared memory, by 1
                                      * to 16 aligned bytes a lane                            */
    const uint8_t *data;             /* that one part stores; NULL: it is a load, or not said */
    const int32_t *apart; /* of a load of all lanes: from the first part; NULL: not said */
    unsigned n;
    uint32_t lanes;
    uint8_t writes;
    uint8_t is_line; /* of all lanes side by side, or of one place */
    uint8_t is_row;  /* all lanes side by side */
};

/* Weak loads of a buffer of global memory. Load k reads `size` bytes side by side at from + k *
 * step. If `far` is not 0, it reads as many bytes there, `far` bytes behind. */
struct hear_run {
    const struct run_op *op;
    const struct run_buffer *buffer;
    const atomic_ullong *known; /* of the buffer: these bits must be set (known.h); NULL: all are */
    uint64_t from, step, far;
    uint64_t next; /* where the next load has to be */
    uint32_t size;
    uint32_t first, n; /* the number of the first round, and how many */
};

/* The bits of `size` bytes (1 to 64) from `skip` on, as far as they are in the piece. */
static inline uint64_t hear_mask(unsigned skip, uint64_t size) {
    const unsigned n = size < HEAR_BYTES - skip ? (unsigned)size : HEAR_BYTES - skip;
    return (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << skip;
}

/* The number of bits up to the highest one; the mask is not 0. */
static inline unsigned hear_length(uint64_t mask) {
#if defined(__GNUC__)
    return 64 - (unsigned)__builtin_clzll(mask);
#else
    unsigned n = 0;
    for (; mask; mask >>= 1)
        n++;
    return n;
#endif
}

/* The lane that accesses the byte at an address, for findings. */
unsigned hear_lane(const struct run_access *access, uint64_t at);

/* The block of the cluster whose shared memory has these bytes, or NULL. */
struct run_block *hear_block_of(const struct run_warp *warp, uint64_t at, uint64_t size);

/* --- accesses --- */

/* Whether some listener hears accesses of a space. */
static inline int hear_wants(const struct run_warp *warp, unsigned space) {
    return warp->worker->hears >> space & 1;
}

/* An access whose addresses are good, before its bytes move: to listeners that hear it whole, and
 * to those of sets of bytes. */
void hear_access_whole(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access);
void hear_access_bytes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access);
static inline void hear_access(struct run_warp *warp, const struct run_op *op,
                               const struct run_access *access) {
    if (warp->worker->hears_whole >> access->space & 1)
        hear_access_whole(warp, op, access);
    if (warp->worker->hears_bytes >> access->space & 1)
        hear_access_bytes(warp, op, access);
}

/* Whether an access that a listener has heard must not take place: units clash. */
static inline int hear_refuses(const struct run_warp *warp) {
    return atomic_load_explicit(&warp->worker->launch->shared->clash, memory_order_relaxed);
}

/* The same for a fast step: bytes are memory->host + at[lane], op->more is its reach_plan.
 * Listeners that can do without may not be called. `counts`: it is traffic too that is not counted
 * yet. A load with a pattern (NULL: it has none) is said by at[0] alone. */
void hear_window(uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp,
                 const struct hear_memory *memory, const uint64_t at[RUN_LANES],
                 enum run_shape shape, const struct run_pattern *pattern, int counts);

/* The same of local memory, where no listener hears accesses whole: bytes are warp->local +
 * at[lane]. */
void hear_local(uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp,
                const uint64_t at[RUN_LANES]);

/* The pattern of a load of all lanes of a fast step, if it is not the last one of its operation.
 * The worker remembers it. NULL: it has none. */
const struct run_pattern *hear_pattern_of(struct run_worker *worker, const struct run_op *op,
                                          const uint64_t at[RUN_LANES]);
/* Makes the pattern of a load of all lanes, which these parts stand for. 0: lanes are too far
 * apart, or by a part of their bytes. */
int hear_pattern(struct run_pattern *pattern, uint32_t number, const uint64_t at[RUN_LANES],
                 uint32_t bytes, const struct hear_part *parts, unsigned n);

/* Whether no listener of bytes needs a weak load of the buffer. */
int hear_needs_none(struct run_warp *warp, const struct run_buffer *buffer);
/* Whether all listeners may miss blocks like one that they have heard: run_hears.alike. */
int hear_may_miss(const struct run_worker *worker);

/* Whether listeners may hear runs of loads at all. */
static inline int hear_may_run(const struct run_warp *warp) {
    const struct run_worker *worker = warp->worker;
    return !(worker->hears_whole >> PTX_GLOBAL & 1) && !warp->taint;
}
/* Whether all listeners may hear a run of loads later, with hear_runs. */
int hear_run_begins(struct run_warp *warp, struct hear_run *run);
void hear_runs(struct run_warp *warp, const struct hear_run *runs, unsigned n);

/* The last touch of a kind. Most touches are like the one before, but for their address. */
struct hear_last {
    const uint8_t *bytes; /* of its window */
    uint64_t base, rank;  /* of its window; the rank of the block in shared addresses */
    uint32_t size, n; /* touches heard and not told yet; RUN_LANES: no other one may join them */
    uint8_t kind;     /* enum wsim_touch_kind */
};

/* An instruction of the doors, whose windows of memory have `watch` as their watcher: it turns
 * touches into accesses, and hear_memory_end tells the last ones. Shared windows begin at the
 * address that the block has without a cluster. */
struct hear_watch {
    struct wsim_watch watch;
    struct run_warp *warp;
    const struct run_op *op;
    unsigned lane;         /* the thread that stands for the copy engine and the tensor core */
    uint64_t source, left; /* bytes of a copy that were read, of which some are uninitialised */
    const struct run_buffer *buffer; /* of the source; NULL: it is shared memory          */
    struct run_access reads, writes; /* heard and not told yet */
    struct hear_last last[2];        /* of reads, and of writes */
    uint64_t barrier_at;             /* the mbarrier of a copy, and whether it has one */
    int has_barrier;
};
void hear_memory(struct hear_watch *watch, struct run_warp *warp, const struct run_op *op,
                 unsigned lane, uint8_t async);
void hear_memory_end(struct hear_watch *watch);

/* After hear_memory: uninitialised bytes that are read are no findings. */
static inline void hear_memory_taints(struct hear_watch *watch, enum run_taints taints) {
    watch->reads.taints = watch->writes.taints = (uint8_t)taints;
}

/* After hear_memory: updates of these bytes of shared memory are those of an mbarrier. */
static inline void hear_memory_barrier(struct hear_watch *watch, uint64_t at) {
    watch->barrier_at = at;
    watch->has_barrier = 1;
}

/* --- order --- */

void hear_order_all(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                    enum run_order_kind kind, const void *what);
static inline void hear_order(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                              enum run_order_kind kind, const void *what) {
    if (warp->worker->orders >> kind & 1)
        hear_order_all(warp, op, lanes, kind, what);
}

/* --- traffic: as run_hears --- */

void hear_traffic_all(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access);
static inline void hear_traffic(struct run_warp *warp, const struct run_op *op,
                                const struct run_access *access) {
    if (warp->worker->traffic.n)
        hear_traffic_all(warp, op, access);
}
/* 1: all listeners of traffic have counted a load or store of a fast step. */
int hear_traffic_again(struct run_warp *warp, const struct run_op *op,
                       const struct hear_memory *memory, const uint64_t at[RUN_LANES],
                       uint32_t lanes, enum run_shape shape, const struct run_pattern *pattern);
void hear_traffic_code(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
                       const struct wsim_io *io);
void hear_traffic_copy(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, const uint32_t to[RUN_LANES],
                       const uint32_t size[RUN_LANES], uint32_t bytes);
void hear_traffic_lines(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                        uint64_t pitch, uint64_t bytes);

#endif
