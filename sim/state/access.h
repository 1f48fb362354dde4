/* access.h - the windows of generic addresses, and one access of a warp to memory. */
#ifndef WSIM_STATE_ACCESS_H
#define WSIM_STATE_ACCESS_H

#include "../isa/isa.h"
#include "op.h"

#include <wsim/memory.h>

struct reach_plan;

/* A global address is one of the host. The other spaces have windows of generic addresses that no
 * host uses. The high part selects the space, the low part is the address in it.
 */
#define RUN_WINDOW(space_number) ((uint64_t)(space_number) << 56)
#define RUN_SHARED_WINDOW RUN_WINDOW(1)
#define RUN_LOCAL_WINDOW RUN_WINDOW(2)
#define RUN_CONST_WINDOW RUN_WINDOW(3)
#define RUN_PARAM_WINDOW RUN_WINDOW(4)
#define RUN_CODE_WINDOW RUN_WINDOW(5) /* of function i of the module: + 16 * (i + 1)           */
/* Shared addresses hold the rank of their block in its cluster, as on hardware. A block's own
 * addresses equal those that mapa returns. */
#define RUN_RANK_SHIFT ISA_CLUSTER_RANK_SHIFT

/* --- memory of one launch --- */

enum run_access_kind { RUN_READ, RUN_WRITE, RUN_ATOMIC, RUN_REDUCE };

enum run_plain {
    RUN_PLAIN_NOT, /* not compared with other lanes                */
    RUN_PLAIN_WEAK,
    RUN_PLAIN_VOLATILE,
    RUN_PLAIN_STRONG,  /* atomic, or with an order                      */
    RUN_PLAIN_TOGETHER /* of the whole warp: ldmatrix, stmatrix, wmma    */
};

/* The mover of uninitialised bytes that an access without a plan reads or writes (state/taint.h).
 */
enum run_taints {
    RUN_TAINTS_NOT,  /* none: its reads of them are findings                                   */
    RUN_TAINTS_STEP, /* the step: listeners mark bytes that a lane reads, run_taint.loaded, and take
                        those that it stores from run_taint.stored                          */
    RUN_TAINTS_COPY  /* room reach, from bytes that are read to bytes that are written        */
};

/* One access of a warp, after its addresses were found to be good and before anything is moved. It
 * goes to hear_access. */
struct run_access {
    uint8_t space;    /* enum ptx_space: PTX_SHARED, PTX_GLOBAL, PTX_LOCAL, PTX_CONST           */
    uint8_t kind;     /* enum run_access_kind                                                   */
    uint8_t async;    /* 1 + enum sync_queue: of work beside the threads                        */
    uint8_t weak;     /* 0: volatile, atomic, or with an order other than .weak                 */
    uint8_t acquires; /* .acquire, .acq_rel, .sc                                           */
    uint8_t releases; /* .release, .acq_rel, .sc */
    uint8_t plain;  /* enum run_plain: how it races with other lanes of its warp                 */
    uint8_t nc;     /* ld.nc: of bytes that no thread writes                                     */
    uint8_t narrow; /* not weak, and its scope is the cluster: 1, or the block: 2               */
    uint8_t near;   /* .shared::cta: of the own block alone                                   */
    uint8_t proxy;  /* of the copy engine or the tensor core                                  */
    uint8_t replaces; /* an atomic that stores whatever was there: exch                         */
    uint8_t barrier;  /* of the bytes of an mbarrier, which order themselves                    */
    uint8_t row;      /* number of lanes, the lowest ones, side by side from at[0] on; or 0    */
    uint8_t swaps;    /* lane i is at `at[0] ^ i * bytes`: all lanes side by side, but swapped */
    uint8_t for_lane; /* 1 + the lane that all is for, whatever `lanes` says; 0: each for itself  */
    uint8_t taints;   /* enum run_taints */
    uint32_t bytes;   /* of each lane, contiguous; a multiple of its alignment                  */
    uint32_t lanes;
    uint32_t all; /* with lanes that read the bytes of `lanes`, at `at` too; 0: none           */
    uint64_t at[RUN_LANES];   /* addresses in the space                                        */
    uint8_t *host[RUN_LANES]; /* where the bytes are                                           */
    const uint8_t *data;      /* that are to be written, lane after lane; NULL: not said       */
    const struct reach_plan
        *plan; /* says it too, with the registers of `frame`; NULL: it does not */
    uint8_t *frame;
};

/* A row has the address of its first lane only. */
static inline uint64_t run_access_at(const struct run_access *access, unsigned lane) {
    return access->row ? access->at[0] + (uint64_t)lane * access->bytes : access->at[lane];
}
static inline uint8_t *run_access_host(const struct run_access *access, unsigned lane) {
    return access->row ? access->host[0] + (size_t)lane * access->bytes : access->host[lane];
}

/* Finds the bytes of access->at (all else but host is filled in) and checks alignment to `align`
 * and bounds. An invalid address of a lane is a fatal finding: RUN_STOP. Then calls the listeners.
 */
enum run_next run_reach(struct run_warp *warp, const struct run_op *op, struct run_access *access,
                        uint32_t align);

/* The finding of a .shared::cta access, "reads 4 bytes", at an address of another block. */
enum run_next run_elsewhere(struct run_warp *warp, const struct run_op *op, unsigned lane,
                            uint64_t at, const char *what);

/* The same for the lanes of an access of `bytes` bytes, of which access->kind and ->at count.
 * RUN_ON if none of them has an address of another block. */
enum run_next run_near_only(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                            const struct run_access *access, uint32_t bytes);

/* The same for generic addresses in at[]: splits them by windows. Returns the lanes of the first
 * window in access->lanes and the others in *rest; call it until *rest is 0. */
enum run_next run_reach_generic(struct run_warp *warp, const struct run_op *op,
                                struct run_access *access, uint32_t align, uint32_t *rest);

/* Finds the window that holds `bytes` at one address, for steps that move bytes themselves (matrix
 * instructions, copies). Returns 0 if no window holds all bytes. `space` is PTX_GLOBAL, PTX_SHARED,
 * PTX_CONST or PTX_PARAM; a generic address selects its own space. */
int run_window(struct run_warp *warp, enum ptx_space space, uint64_t at, uint64_t bytes,
               struct wsim_memory *memory);

#endif
