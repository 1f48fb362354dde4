/* run.h - a launch while it runs: warps, blocks, and the functions that a step may call. Room
 * state holds these structs, devices, modules and findings. All rooms of the engine use it, and it
 * uses no other room.
 *
 *     run_program    a kernel and all it calls, decoded: operations that name registers by offset
 *     run_launch     what all threads of a launch share
 *     run_worker     one thread of the host: the blocks that it runs, its counters
 *     run_unit       blocks that live together: a cluster, or a block alone
 *     run_block      shared memory, barriers, warps
 *     run_warp       registers of 32 lanes, and where these lanes are: a list of groups
 *     run_group      lanes that are at the same operation of the same frame
 *
 * A *step* is the function that executes one operation for the lanes of a group. Steps are chosen
 * when a kernel is decoded (plan.h). docs/kernels-engine.md says why this executes what PTX means.
 */
#ifndef WSIM_STATE_RUN_H
#define WSIM_STATE_RUN_H

#include "../base/base.h"
#include "../isa/isa.h"
#include "../ptx/ptx.h"
#include "access.h"
#include "listener.h"
#include "program.h"
#include "tensor.h"

#include <stdatomic.h>
#include <string.h>
#include <wsim/code.h>
#include <wsim/kernel.h>

#define RUN_MOST_THREADS 256 /* of the host */

struct run_group;

/* The words of a shared address: "tile+0x180", "flag"; outside of variables `plain` and "0x5180".
 */
struct run_words {
    char text[96];
};
struct run_words run_shared_words(const struct run_warp *warp, uint64_t at, const char *plain);

/* The shared variable at byte `offset` of the memory of a block; NULL: there is none. */
const struct run_placed *run_shared_variable(const struct run_program *program, uint64_t offset);

/* --- findings and counters --- */

/* The address or register that a finding is about. Findings count different ones. */
enum run_subject_kind { RUN_NO_SUBJECT, RUN_ADDRESS, RUN_REGISTER };
struct run_subject {
    uint8_t kind;   /* enum run_subject_kind                                  */
    uint8_t space;  /* enum ptx_space of an address                           */
    uint32_t bytes; /* from the address on                                    */
    uint64_t at;    /* the address, or the number of the register             */
    uint8_t waits;  /* 1 + enum sync_queue whose wait is missing; 0: unknown  */
};

/* A mistake of a kernel. Findings of one rule and one pair of source lines are one. It keeps the
 * words of the lowest block and counts the others. `lane`: the thread, or RUN_LANES: the warp.
 * Returns RUN_STOP if it is fatal, else RUN_ON. */
enum run_next run_finding(struct run_warp *warp, const struct run_op *op, unsigned lane,
                          enum base_rule rule, int fatal, const char *format, ...)
    BASE_PRINTF(6, 7);
/* The same with another operation that takes part (races). */
enum run_next run_finding_pair(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct run_op *other, enum base_rule rule, int fatal,
                               const char *format, ...) BASE_PRINTF(7, 8);
/* The same about an address or a register, never fatal. `other` may be NULL. */
enum run_next run_finding_of(struct run_warp *warp, const struct run_op *op, unsigned lane,
                             const struct run_op *other, enum base_rule rule,
                             const struct run_subject *subject, const char *format, ...)
    BASE_PRINTF(7, 8);
/* The same, made when the warp executes the other operation. */
enum run_next run_finding_late(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct run_op *other, enum base_rule rule,
                               const struct run_subject *subject, const char *format, ...)
    BASE_PRINTF(7, 8);
/* A refusal of wsim_run, wsim_cost ... as a fatal finding. */
enum run_next run_refused(struct run_warp *warp, const struct run_op *op, unsigned lane,
                          const struct wsim_diag *diag);

/* Counts of one operation, by each worker and in the end for the launch.
 * Executions are counted as differences: +1 where a group begins to run straight on, -1 where it
 * leaves. */
struct run_counts {
    int64_t executed, threads;
    uint64_t accesses, wavefronts, ideal, conflicts;  /* of shared memory                     */
    uint64_t uncounted;                               /* accesses of it without a rule        */
    uint64_t requests, sectors, sectors_ideal, lines; /* of global memory                     */
};

/* Adds text to what the block prints (printf, assert). */
enum run_next run_print(struct run_warp *warp, const char *text, size_t size);

/* --- warps --- */

/* Registers of one function at one depth of calls. Lanes of a warp that came there from different
 * places share it: each has its own columns. */
struct run_frame {
    uint8_t *bytes;
    const struct run_function *function;
    uint32_t depth;
    uint32_t local;         /* address of its local variables in the local space             */
    struct run_frame *next; /* at this depth                                                 */
};

/* Where the lanes that are at one depth came from. */
struct run_level {
    struct run_frame *frames;
    struct run_frame *caller[RUN_LANES];
    uint32_t call[RUN_LANES]; /* operation of the call                                         */
};

enum run_state { RUN_READY, RUN_WAITING };

struct run_group {
    uint32_t at; /* operation */
    uint32_t lanes;
    struct run_frame *frame;
    uint32_t turn;   /* groups with a lower one go first: fairness                            */
    uint32_t jumps;  /* backward, weighed, since it last gave way                             */
    uint8_t state;   /* enum run_state                                                        */
    uint8_t again;   /* it waited, and looks whether it still has to                          */
    uint8_t failed;  /* set by a step that returns RUN_YIELD because a wait failed            */
    uint32_t looked; /* lanes that the caller has seen before the operation at which they wait  */
    uint32_t missed, missed_at; /* lanes of its member mask that were elsewhere when it began to
                                   wait, and where */
    uint64_t ticket;            /* of a step that returned RUN_WAIT, for itself; 0 when an operation
                                   begins. Groups with a ticket are not merged                         */
};

struct run_warp {
    struct run_group *group; /* that runs                 */
    uint32_t at;             /* operation after RUN_JUMP  */
    struct run_block *block;
    struct run_worker *worker;
    const struct run_program *program;
    uint32_t number; /* in the block                      */
    uint32_t lanes;  /* that exist and have not exited    */
    uint32_t born;   /* that exist                        */
    uint32_t n_groups;
    struct run_group groups[RUN_LANES];
    uint64_t woken; /* events + 1 of the unit when those that wait were last asked              */
    uint8_t ahead_of_others; /* it passed a barrier, and must give way before it goes on far */
    uint8_t parked;    /* `group` stopped before an operation that interacts                      */
    uint8_t subnormal; /* its products may have subnormal operands: step/quick_float.h */
    struct run_level *levels; /* [depth] */
    uint32_t n_levels;
    uint8_t *local; /* [lane * local_stride + address] */
    uint32_t local_stride, local_used;
    uint32_t local_fixed; /* end of the variables of functions */
    uint32_t tid[3][RUN_LANES];
    void *async;                /* copies of this warp that are under way */
    struct run_taint *taint;    /* uninitialised bits of registers; NULL: there are none */
    void *heard[RUN_LISTENERS]; /* data of listeners                      */
};

/* Splits `lanes` off the group that runs: they continue at `at`. Only before RUN_REGROUP: the step
 * sets warp->group->at for those that are left, if any are. There is always room: there are never
 * more groups than lanes. */
struct run_group *run_split(struct run_warp *warp, uint32_t lanes, uint32_t at);

/* Takes lanes out of the group that runs, for good: exit. Then RUN_REGROUP. */
void run_leave(struct run_warp *warp, uint32_t lanes);

/* The number of an operation. */
static inline uint32_t run_number(const struct run_warp *warp, const struct run_op *op) {
    return (uint32_t)(op - warp->program->ops);
}

/* --- blocks --- */

/* Bits of the bytes of shared memory: state/known.h. */
struct run_initialised {
    atomic_ullong *known; /* NULL: not checked                                                  */
    uint64_t unknown;     /* words of bits that are not all set                                 */
    uint32_t *origins;    /* of each four bytes that are uninitialised by a store; NULL: none   */
};

struct run_block {
    struct run_unit *unit;
    uint32_t id[3], rank;      /* in the grid; in the cluster                                   */
    uint64_t number;           /* linear                                                        */
    struct wsim_memory shared; /* static, then dynamic; base: its first address                 */
    struct run_initialised initialised; /* bytes of it, if they are checked                     */
    struct run_warp *warps;
    uint32_t n_warps;
    uint32_t alive;            /* warps that have threads left, bits                            */
    void *sync;                /* barriers, copies: made and freed by sync_ functions      */
    struct run_tensor *tensor; /* NULL: none                                                */
    char *text;                /* printed                                                  */
    size_t text_used, text_size;
    void *heard[RUN_LISTENERS]; /* data of listeners                                  */
};

/* Loads of a unit that read uninitialised bytes: state/taint.h. */
struct taint_unit {
    struct taint_load *loads;
    uint32_t n, room;
};

/* A round of all warps of a unit: the number of warps with each outcome, and the current one. */
struct run_round {
    uint32_t alive, failed, polling, paused, active;
    uint32_t block, first, warp; /* `warp` counts from `first` on, modulo the warps of the block */
    uint64_t events;             /* of the unit when the round began                             */
};

struct run_unit {
    struct run_worker *worker;
    struct run_block *blocks;
    uint32_t n_blocks;
    uint64_t number; /* of the cluster, or block, in the order of numbers                       */
    uint64_t events; /* Counts what may end a wait: stores, atomics that change something,
                        arrivals, exits.                                                        */
    uint64_t inner;  /* of these, what only its own threads see: waits, ends of barriers        */
    uint64_t quiet;  /* rounds in which all warps waited                                        */
    uint64_t polls;  /* rounds in which warps polled memory and none changed it                 */
    uint64_t seen, seen_inner;   /* events when its slice began                                   */
    uint64_t calm, state, still; /* of still.c: when it polled last, with what in its registers, and
                                    since when it is known to go round and round                */
    uint64_t random;        /* of the seed and the number; 0: ascending order                   */
    struct run_round round; /* of a unit that parked, the one that goes on                      */
    uint64_t ahead;         /* 1 + its place in the order of units, before its turn; else 0     */
    uint64_t ran, used;     /* instructions before its turn: all, and those of the last slice   */
    uint8_t parked;         /* a warp waits for the turn of the unit                            */
    uint8_t outcome;        /* enum unit_outcome, of a unit that ran ahead                      */
    struct taint_unit taint;
    void *sync; /* of the cluster                                                          */
    void *heard[RUN_LISTENERS]; /* data of listeners */
    struct run_unit *next;
};

/* Listeners of one kind, as far as telling them needs. */
struct run_ears {
    uint32_t n;
    struct run_ear {
        const struct run_hears *hears;
        uint32_t of; /* a bit an enum ptx_space, or of `order` an enum run_order_kind */
    } ears[RUN_LISTENERS];
};

#define RUN_NEAR 16
#define RUN_PATTERNS 16 /* that a worker remembers, and the places of operations for them */
#define RUN_PATTERN_PLACES 64
#define RUN_PARTS 8

/* How the lanes of a load lie to each other: all lanes, on a few parts of memory. */
struct run_pattern {
    uint32_t number;          /* no other pattern of the worker has or had it; 0: there is none */
    int32_t apart[RUN_LANES]; /* from the first lane                                          */
    int32_t low;              /* the lowest one of them                                       */
    uint32_t span;            /* bytes from there to the end of the highest one               */
    uint8_t bytes;            /* of a lane; `apart` are multiples of them                     */
    uint8_t step; /* each half of the lanes: 0 one place, `bytes` side by side; else 1       */
    uint8_t n;    /* 0: each lane is a part, as far behind the one before */
    struct {
        int32_t from; /* the first lane */
        uint32_t size, lane;
    } parts[RUN_PARTS];
};

/* The data of one thread of the host. */
struct run_worker {
    struct run_launch *launch;
    struct run_counts *counts; /* [program->n_ops + 1]                                    */
    struct wsim_shared_counts *written; /* [program->n_merged] as the PTX has them; NULL: none  */
    const struct run_buffer *recent; /* buffer of the last global access                        */
    const struct run_buffer *near[RUN_NEAR]; /* of the last of an operation: run_near           */
    struct run_pattern patterns[RUN_PATTERNS];
    uint8_t pattern_of[RUN_PATTERN_PLACES]; /* of an operation, which share places */
    uint32_t n_patterns;                    /* so far                              */
    uint8_t short_loops[RUN_NEAR]; /* jumps until loops are tried again: run_patience         */
    uint64_t instructions;         /* warp instructions so far                                */
    uint64_t asked, leaps; /* instructions when a warp read the clock, and cycles left out    */
    uint32_t asks;         /* how often in a row                                      */
    uint64_t stands, stood, stood_at; /* run_space.changes + 1 while the clocks stand still; at
                                       * which instruction and time */
    uint64_t slice;                   /* instructions after which other units get a turn         */
    /* A bit for each enum ptx_space: some listener hears whole accesses, sets of bytes, either. A
     * bit for each enum run_order_kind: some listener hears it. */
    uint32_t hears_whole, hears_bytes, hears, orders;
    uint32_t tells; /* spaces whose accesses fast steps tell: `hears`, or traffic             */
    uint8_t values; /* some listener hears the bytes of stores                               */
    struct run_ears whole, bytes, traffic, order; /* the listeners of each kind               */
    uint8_t calls;   /* the thread that launches: it reports progress           */
    uint64_t called; /* when it did, in instructions and units                  */
    uint64_t judged; /* findings, and conflicts of stores that are none for their equal values  */
    struct taper *records, *plays; /* a block; and blocks like it (step/tape.h); NULL: none      */
    uint8_t records_none;          /* it is of no use                                           */
    struct run_unit *live, *spare; /* under way; to be used again                             */
    uint32_t n_live;
    atomic_ullong told; /* of still.c, to the others                                          */
    uint32_t n_still;   /* of its units go round and round, since `still`: still.c              */
    uint64_t still;
    void *heard[RUN_LISTENERS]; /* data of listeners                                    */
    uint64_t warps, blocks;
    uint64_t pause; /* instructions after which it stops taking units; 0: never */
    uint64_t quota; /* instructions after which it returns; UINT64_MAX: never */
};

/* The buffer that an operation accessed last, which most access again: operations share a few
 * places. NULL: there is none. */
static inline const struct run_buffer **run_near(struct run_worker *worker,
                                                 const struct run_op *op) {
    return &worker->near[(uintptr_t)op / sizeof *op % RUN_NEAR];
}

/* The pattern that an operation had last, perhaps. */
static inline uint8_t *run_pattern_of(struct run_worker *worker, const struct run_op *op) {
    return &worker->pattern_of[(uintptr_t)op / sizeof *op % RUN_PATTERN_PLACES];
}

/* Jumps to let pass until a loop that was left early is entered again. */
static inline uint8_t *run_patience(struct run_worker *worker, const struct run_op *jump) {
    return &worker->short_loops[(uintptr_t)jump / sizeof *jump % RUN_NEAR];
}

struct run_launch {
    const struct wsim_module *module;
    const struct run_program *program;
    struct wsim_device *device;
    const struct wsim_arch *arch;
    const struct wsim_launch *how;
    uint32_t grid[3], block[3], cluster[3];
    uint8_t explicit_cluster; /* the launch or the kernel requests clusters                     */
    uint32_t clusters[3];  /* of the grid                                                       */
    uint32_t shared_bytes; /* static and dynamic                                                */
    uint32_t shared_base; /* first address of shared memory: the target reserves the bytes below  */
    uint32_t scratch;     /* address of the reserved shared memory that programs may use */
    const uint8_t *params; /* all that the kernel declares                                      */
    const struct run_attached *attached; /* addresses of variables, constant memory            */
    uint64_t workspace;             /* address, of a cooperative launch; 0: it is none            */
    uint64_t first_unit, n_units;   /* of the grid, those that are asked for                      */
    struct wsim_code *const *codes; /* of plan_code, for this architecture */
    struct run_shared *shared; /* what its threads change: the next unit, findings ...          */
    const struct run_listener *listeners[RUN_LISTENERS + 1]; /* that it asks for; NULL ends them */
    struct run_look *look; /* of the caller; NULL: there is none                               */
};

/* Events that other rooms report to a look of the caller (run/look.c). */
struct run_look {
    void (*finding)(struct run_warp *warp, const struct run_op *op, const struct wsim_diag *diag);
    void (*released)(struct run_warp *warp, const struct run_group *group, uint32_t lanes);
};

#endif
