/* listener.h - what a launch tells its listeners: checks, counters, a watcher of the caller's.
 *
 * A listener is a row of watch/listeners.def: what it hears, and the functions below. A launch
 * keeps the list of the rows that it asks for. All other rooms tell that list, and know no row by
 * name.
 */
#ifndef WSIM_STATE_LISTENER_H
#define WSIM_STATE_LISTENER_H

#include <stdint.h>

#define RUN_LISTENERS 12 /* rows at most */

enum { HEAR_PARTS = 1, HEAR_END = 2 }; /* what run_hears.begin asks for */

struct run_buffer;
struct run_launch;
struct run_worker;
struct run_unit;
struct run_block;
struct run_warp;
struct run_op;
struct run_access;
struct run_pattern;
struct hear_again;
struct hear_memory;
struct hear_piece;
struct hear_run;
struct wsim_code;
struct wsim_io;
struct wsim_launch;

/* How the addresses of lanes lie to each other: all lanes, side by side; all lanes at one. */
enum run_shape { RUN_SCATTERED, RUN_IN_ROW, RUN_AT_ONE };

/* How the host threads of a launch may share its units. */
enum run_threads {
    RUN_ANY,     /* in any order                                                       */
    RUN_IN_TURN, /* one after another; parts of units may run ahead of their turns     */
    RUN_ALONE    /* on one host thread                                                 */
};

/* Events that order accesses of different threads. */
enum run_order_kind {
    RUN_ORDER_WARP,    /* `lanes` of this warp have met                                        */
    RUN_ORDER_NEAR,    /* membar, fence for the block                                          */
    RUN_ORDER_CLUSTER, /* fence for the cluster, fence.mbarrier_init                           */
    RUN_ORDER_ALIAS,   /* fence.proxy of all proxies but the next one                          */
    RUN_ORDER_PROXY,   /* fence.proxy.async                                                    */
    RUN_ORDER_FENCE,   /* membar, fence for all blocks                                         */
    RUN_ORDER_GRIDS,   /* griddepcontrol.wait                                                  */
    RUN_ORDER_INIT,    /* mbarrier.init of the barrier `what` points to                        */
    RUN_ORDER_LANES,   /* `lanes` arrive next, one by one, at mbarriers                        */
    RUN_ORDER_BEHIND,  /* `lanes` issue an arrival at an mbarrier behind all their cp.async       */
    RUN_ORDER_ARRIVE,  /* an arrival at the barrier `what` points to                           */
    RUN_ORDER_COPIED,  /* the same, after all cp.async that `lanes` have issued                */
    RUN_ORDER_COMPLETE, /* the same, of a copy that completes its bytes there                   */
    RUN_ORDER_COMMIT,   /* the same, of work of tcgen05                                         */
    RUN_ORDER_RELAXED,  /* an arrival at the barrier of the cluster that releases only what a
                           fence did before                                                     */
    RUN_ORDER_MARK,     /* the same of an mbarrier                                              */
    RUN_ORDER_PHASE,    /* the phase of the mbarrier `what` points to may have ended            */
    RUN_ORDER_WAIT,     /* a wait has seen the end of a phase of an mbarrier                    */
    RUN_ORDER_PARITY,   /* the same, of a wait for a parity                                      */
    RUN_ORDER_PEEK,   /* the same, and a later fence acquires the released accesses              */
    RUN_ORDER_LET_GO, /* the phase of a barrier of warps ends: `lanes` are the warps of this
                         block that waited                                                    */
    RUN_ORDER_OVER,   /* all waiters have been let go: the next phase begins                  */
    RUN_ORDER_GROUPS, /* `lanes` have waited for groups of the queue that `what` points to    */
    RUN_ORDER_EXIT,   /* the last lanes of the warp exit                                      */
    RUN_ORDER_REGISTERS, /* wgmma.fence                                                         */
    RUN_ORDER_BOX,       /* a tensor copy has written the struct run_box that `what` points to  */
    RUN_ORDER_PRODUCT    /* the warp issues a wgmma: `what` is its struct run_product           */
};

/* A box of a tensor copy in shared memory of block `rank` of the unit. */
struct run_box {
    uint32_t rank, at, bytes;
    uint8_t swizzle; /* enum wsim_swizzle */
};

/* A wgmma. Operands: A, B. */
struct run_product {
    uint64_t desc[2];
    uint8_t in_memory[2], trans[2];
    uint8_t adds; /* D is added */
    uint32_t d;   /* row of the first register of D */
};

/* The functions of a listener; NULL: it ignores that event. Its data are in slot `slot` of the
 * array `heard` of each worker, unit, block and warp. */
struct run_hears {
    /* A launch begins. Every row hears this one, `asked` for or not. */
    void (*launch)(const struct run_launch *launch, int asked);
    /* The launch begins again on one host thread: global memory becomes that of its beginning. */
    void (*launch_again)(struct run_launch *launch, const struct run_worker *workers);
    /* All units have ended. */
    void (*launch_end)(struct run_launch *launch, const struct run_worker *workers, unsigned n);

    /* Makes and frees data of a thread of the host, and of a unit with its blocks and warps. Units
     * are used again, so `unit_begin` empties them. 0: no memory; `free` takes incomplete data.
     */
    int (*worker_make)(struct run_worker *worker);
    void (*worker_free)(struct run_worker *worker);
    int (*unit_make)(struct run_unit *unit);
    void (*unit_free)(struct run_unit *unit);
    void (*unit_begin)(struct run_unit *unit);
    void (*warp_begin)(struct run_warp *warp);

    /* Local memory of each lane grows to `stride` bytes (0: no memory); bytes from .. to - 1 are
     * given out again. */
    int (*local_grow)(struct run_warp *warp, uint32_t stride);
    void (*local_reuse)(struct run_warp *warp, uint32_t from, uint32_t to);

    /* An access, whole: all its lanes, each with its address. */
    void (*access)(struct run_warp *warp, const struct run_op *op, const struct run_access *access);

    /* An access as a set of bytes: `begin`, parts of it, `end`. Lanes that read the same bytes may
     * be left out. begin returns what the listener needs: 0, HEAR_PARTS, or HEAR_PARTS and
     * HEAR_END.
     *   lanes    in shared memory of the own block, each within one cell (HEAR_CELL)
     *   window   other bytes of shared memory: from .. from + size - 1 of a block
     *   pieces   of a buffer of global memory, 64 bytes each
     * again asks before all of these, for a few parts of bytes side by side: 1 if the listener
     * needs no call for this access. The warp has accessed the bytes before and nothing changes, or
     * the listener has taken the access in. Then the others need no call either: a row that takes
     * accesses in is the last one with `again`. A listener without it hears every access. */
    unsigned (*begin)(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access);
    void (*lanes)(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                  struct run_block *block, uint32_t lanes);
    void (*window)(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                   struct run_block *block, uint64_t from, uint64_t size);
    void (*pieces)(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                   const struct hear_memory *memory, const struct hear_piece *pieces, unsigned n);
    void (*end)(struct run_warp *warp, const struct run_op *op, const struct run_access *access);
    int (*again)(struct run_warp *warp, const struct hear_again *again);
    /* Whether the listener needs no call for any weak load of a buffer. NULL: it may need one. */
    int (*without)(struct run_warp *warp, const struct run_buffer *buffer);
    /* 1: the listener need not hear a block of which all this holds. It is like one that was heard
     * and not found wrong, whatever its data. Its loads of global memory need no call (`without`).
     * No other block accesses the bytes that it stores there. */
    int alike;

    /* Weak loads of a loop, which go on from place to place in constant steps. run: whether the
     * listener may hear a run at its end; it may ask for known bytes. runs: all that loads of one
     * loop have read meanwhile. NULL: that its bytes are known is enough. The warp and its lanes do
     * nothing else to global memory between the two. A listener of bytes without `run` hears every
     * access. */
    int (*run)(struct run_warp *warp, struct hear_run *run);
    void (*runs)(struct run_warp *warp, const struct hear_run *runs, unsigned n);

    /* Something that orders accesses. */
    void (*order)(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                  enum run_order_kind kind, const void *what);

    /* Traffic of threads, as hardware counts it: all six functions, or none. traffic: loads,
     * stores and atomics. traffic_again comes before it, for loads and stores of fast steps, which
     * are in a buffer or in the own block: at memory->base + at[lane]. A lane that takes no part is
     * where the first one is, and a shape or a pattern (NULL: none) is said by at[0] alone. 1: the
     * listener has counted it. traffic_runs: as `runs`, loads that were not told before.
     * traffic_code: instructions with a code of their own (matrix moves). traffic_copy: copies of
     * access->lanes from access->at to shared addresses without ranks. Each copies `size` bytes and
     * adds zeros up to `bytes`. traffic_lines: `n` lines of a matrix in global memory, of `bytes`
     * each, with distance `pitch`. */
    void (*traffic)(struct run_warp *warp, const struct run_op *op,
                    const struct run_access *access);
    int (*traffic_again)(struct run_warp *warp, const struct run_op *op,
                         const struct hear_memory *memory, const uint64_t at[RUN_LANES],
                         uint32_t lanes, enum run_shape shape, const struct run_pattern *pattern);
    void (*traffic_runs)(struct run_warp *warp, const struct hear_run *runs, unsigned n);
    void (*traffic_code)(struct run_warp *warp, const struct run_op *op,
                         const struct wsim_code *code, const struct wsim_io *io);
    void (*traffic_copy)(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access, const uint32_t *to, const uint32_t *size,
                         uint32_t bytes);
    void (*traffic_lines)(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                          uint64_t pitch, uint64_t bytes);
};

/* A row of listeners.def. */
struct run_listener {
    const char *name;
    uint8_t slot;
    uint8_t values;  /* it hears what stores write                                            */
    uint32_t spaces; /* whose accesses it hears: a bit an enum ptx_space                      */
    uint32_t orders; /* a bit an enum run_order_kind                                          */
    int (*asked)(const struct run_launch *launch);
    enum run_threads (*threads)(const struct run_launch *launch); /* NULL: RUN_ANY           */
    const struct run_hears *hears;
};

#endif
