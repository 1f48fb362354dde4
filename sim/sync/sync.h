/* sync.h - lanes, warps, blocks and copies that wait for each other. Room sync plans and executes
 * what waits or orders; it uses state, reach and decode, and tells listeners of order.
 *
 *     meet.c      lanes of a warp that have to come together: member masks, .aligned
 *     lanes.c     what they do then: shfl, vote, match, redux, elect ...
 *     block.c     bar, barrier
 *     cluster.c   barrier.cluster; addresses of other blocks
 *     mbarrier.c  barriers in shared memory
 *     async.c     asynchronous work: --async eager and late, groups of copies
 *     remote.c    st.async, red.async
 *     cancel.c    clusterlaunchcontrol: blocks that never begin
 *     order.c     fences, setmaxnreg, and instructions that only advise
 *     state.c     state of all of these, and the waits of each warp
 */
#ifndef WSIM_SYNC_SYNC_H
#define WSIM_SYNC_SYNC_H

#include "../reach/hear.h"

/* --- for the scheduler of blocks (state.c) --- */

/* Memory of the barriers of a unit, made with it and kept; 0: no memory. */
int sync_unit_make(struct run_unit *unit);
void sync_unit_free(struct run_unit *unit);
/* Empties all barriers and queues. */
void sync_unit_begin(struct run_unit *unit);

/* Called after a round of all warps without progress, or with failed waits. `active`: some warps
 * executed something; `changed`: it may end a wait. Returns 1 if it has done deferred work, so
 * that another round is useful; 0: there was none; -1: the work stopped the launch. */
int sync_unit_push(struct run_unit *unit, int active, int changed);

/* All lanes have exited: does all pending work. RUN_STOP: it stopped the launch. */
enum run_next sync_unit_end(struct run_unit *unit);

/* Adds " waits for ..." to a sentence that says where the group is; or nothing. */
void sync_describe(const struct run_warp *warp, const struct run_group *group,
                   struct base_text *text);

/* --- together (meet.c) --- */

/* .aligned: RUN_ON if all lanes of the warp that have not exited are here, else RUN_WAIT. */
enum run_next sync_together(struct run_warp *warp, const struct run_op *op, uint32_t lanes);

/* Brings together four warps that execute one instruction (wgmma.mma_async). RUN_WAIT: some are
 * missing. RUN_ON: all lanes of all four are here; the caller executes for the four warps from
 * *first on. If *first is NULL, another warp has done so. */
enum run_next sync_warpgroup(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                             struct run_warp **first);

/* Lets the lanes `passed` of `lanes` go on; the others stay and wait. Returns what the step
 * returns. */
enum run_next sync_pass(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                        uint32_t passed);

/* --- asynchronous work (async.c) --- */

enum sync_queue {
    SYNC_CP_ASYNC, /* done when cp.async.wait_group of the thread needs it                  */
    SYNC_BULK,     /* cp.async.bulk.wait_group of the thread                                */
    SYNC_WGMMA,    /* wgmma.wait_group of one of the four warps                             */
    SYNC_BARRIER,  /* done unasked: it completes an mbarrier, or an arrival at one          */
    SYNC_TENSOR    /* the same, of the tensor core: tcgen05                                 */
};
#define SYNC_GROUPED SYNC_BARRIER /* those before it have groups */

/* Does, for `lanes`, the work that `op` of `warp` has issued. The warp may have gone on since:
 * registers that are read or written late are in `data`. */
typedef enum run_next sync_work(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                                const void *data);

/* Issues work. With --async eager it is done at once. With late it keeps a copy of `size` bytes of
 * `data`. It is done at a wait, or in issue order once no warp can go on. SYNC_CP_ASYNC and
 * SYNC_BULK may be done for some lanes earlier than for others. */
enum run_next sync_issue(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                         enum sync_queue queue, sync_work *work, const void *data, size_t size);

/* Notes that the group which lanes are filling is not empty; sync_issue does so itself. */
void sync_note_issue(struct run_warp *warp, uint32_t lanes, unsigned queue);

/* An arrival at the mbarrier `what` points to, which may end its phase. */
static inline void sync_order_mbarrier(struct run_warp *warp, const struct run_op *op,
                                       uint32_t lanes, enum run_order_kind kind, const void *what) {
    hear_order(warp, op, lanes, kind, what);
    hear_order(warp, op, lanes, RUN_ORDER_PHASE, what);
}

/* Bytes of a copy have come: completes them on the barrier at `at` of a window of shared memory. */
enum run_next sync_complete_tx(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct wsim_memory *shared, uint64_t at, uint32_t bytes);

/* --- what is remembered (state.c) --- */

#define SYNC_BARRIERS ISA_BLOCK_BARRIERS
#define SYNC_WARPS (ISA_BLOCK_THREADS / WSIM_LANES) /* of a block at most */
#define SYNC_INITS 64

/* A barrier of a block. Warps come to it as a whole. */
struct sync_barrier {
    uint32_t came;     /* warps, a bit each, in this phase                                     */
    uint32_t waiting;  /* those of them that wait for its end                                  */
    uint32_t count;    /* how many came: one may arrive twice                                  */
    uint32_t expected; /* how many have to; 0: the phase is empty                              */
    uint32_t true_lanes, lanes;  /* of a .red: lanes that gave true, and all                    */
    uint8_t all;                 /* no count was given: warps that exit are not waited for      */
    uint32_t result[SYNC_WARPS]; /* of a .red, of the last phase that the warp waited for      */
};
/* A result: how many lanes gave true, and whether all and whether any did. */
#define SYNC_TRUE_LANES 0xFFFFu
#define SYNC_ALL_TRUE 0x10000u
#define SYNC_ANY_TRUE 0x20000u

struct sync_block {
    struct sync_barrier barriers[SYNC_BARRIERS];
    uint32_t used;              /* barriers that were, a bit each                               */
    uint32_t inits[SYNC_INITS]; /* mbarriers that were initialised and not invalidated: the last */
    uint32_t n_inits;
    uint8_t refused;     /* a request to cancel blocks has failed, in the response of this block  */
    uint8_t saw_refusal; /* and a thread has seen it                                              */
    uint32_t inits_low, inits_high; /* all lie there: the first byte, and one behind the last */
};

/* Groups of one queue, of each lane; of SYNC_WGMMA of lane 0, for all. */
struct sync_groups {
    uint32_t committed[RUN_LANES]; /* how many                                                 */
    uint32_t issued[RUN_LANES];    /* 1 + the group of the last issue                          */
    uint32_t waited[RUN_LANES];    /* groups that are known to be done; .read: with their source */
    uint32_t written[RUN_LANES];   /* groups whose writes are known to be done                 */
};

/* run_warp.async. */
struct sync_warp {
    uint32_t arrived, passed; /* lanes that have arrived at the barrier of the cluster: in the
                                 current phase; in an ended phase that they still wait for     */
    uint32_t failed; /* lanes whose last test of an mbarrier failed                         */
    uint32_t failed_parity; /* lanes of `failed` that test a parity                            */
    uint32_t owed;      /* lanes whose warp waits for them at a barrier of the block           */
    uint8_t bar_begun;  /* lanes of the warp wait at a barrier of the block for the others     */
    uint8_t told_exit;  /* a finding has named lanes that exited before a barrier              */
    uint8_t has_groups; /* groups are not all 0                                                */
    uint16_t registers; /* of setmaxnreg, a thread; 0: as the kernel began                     */
    uint32_t sets;      /* how often it executed setmaxnreg                                    */
    const struct run_op *set; /* the last one                                                 */
    uint64_t failed_at[RUN_LANES]; /* which mbarrier; garbage in other lanes than `failed`     */
    struct sync_groups groups[SYNC_GROUPED];
};

/* Work that was issued and is not done. */
struct sync_item {
    struct sync_item *next;
    struct run_warp *warp;
    const struct run_op *op;
    sync_work *work;
    uint32_t lanes;            /* for which it is still to be done                           */
    uint8_t queue;             /* enum sync_queue                                            */
    uint8_t arrives;           /* of SYNC_CP_ASYNC: done unasked (cp.async.mbarrier)    */
    uint32_t group[RUN_LANES]; /* that it belongs to                                         */
    uint64_t data[];
};

/* run_unit.sync. Warps are numbered through all blocks. */
struct sync_unit {
    struct sync_block *blocks;
    struct sync_warp *warps;
    uint32_t n_warps;
    struct sync_item *first, **end; /* in the order of issue                                   */
    const struct sync_item *acting; /* that is being done; NULL: none, or not late             */
    uint32_t idle;                  /* rounds in which nothing happened                        */
    uint8_t late;
};

static inline struct sync_unit *sync_unit_of(const struct run_warp *warp) {
    return warp->block->unit->sync;
}
static inline struct sync_warp *sync_warp_of(const struct run_warp *warp) {
    return warp->async;
}

/* Whether the launch asks for findings of barriers and of groups without a wait. */
static inline int sync_checks(const struct run_warp *warp) {
    return (warp->worker->launch->how->checks & WSIM_CHECK_SYNC) != 0;
}

static inline int sync_is_late(const struct run_warp *warp) {
    return sync_unit_of(warp)->late;
}

/* A group that has come to its operation and waits there; the lanes that its guard leaves out have
 * gone on. */
static inline int sync_waits(const struct run_group *group) {
    return group->lanes && (group->state == RUN_WAITING || group->again);
}

/* Lanes exit: a finding if they leave pending work without a wait. */
enum run_next sync_leave(struct run_warp *warp, const struct run_op *op, uint32_t lanes);

/* Completes one pending operation that no wait requests. Returns as sync_unit_push. */
int sync_push(struct run_unit *unit);

/* The parts of sync_describe, one a file. */
void sync_meet_describe(const struct run_warp *warp, const struct run_group *group,
                        struct base_text *text);
void sync_bar_describe(const struct run_warp *warp, const struct run_group *group,
                       struct base_text *text);
void sync_cluster_describe(const struct run_warp *warp, const struct run_group *group,
                           struct base_text *text);
void sync_mbarrier_describe(const struct run_warp *warp, const struct run_group *group,
                            struct base_text *text);
/* A block has ended: finds warps of a warpgroup that executed setmaxnreg otherwise than the rest.
 */
enum run_next sync_registers_end(struct run_block *block);

/* The group waits at setmaxnreg, as its block has too few registers left. */
int sync_lacks_registers(const struct run_warp *warp, const struct run_group *group);
void sync_registers_describe(const struct run_warp *warp, const struct run_group *group,
                             struct base_text *text);

/* --- addresses of mbarriers and remote stores (mbarrier.c) --- */

struct run_plan;

struct sync_address {
    struct run_row base;
    uint64_t offset;
    uint8_t generic;
};

/* Operand `index` in brackets. */
enum wsim_status sync_address_plan(struct run_plan *plan, uint32_t index,
                                   struct sync_address *address);
/* The address in shared memory, with the rank of its block. */
uint64_t sync_address_of(uint8_t *frame, const struct sync_address *address, unsigned lane);

/* One arrival at the barrier at a shared address: RUN_ORDER_COPIED or RUN_ORDER_COMPLETE. Or one
 * more that is to come. */
enum run_next sync_mbarrier_arrive(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                   uint64_t at, enum run_order_kind kind);
enum run_next sync_mbarrier_more(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                 uint64_t at);

#endif
