/* run.h - a launch while it runs: decoded operations, warps, blocks, and what a step may do. Room
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
#include "../base/bits.h"
#include "../isa/isa.h"
#include "../ptx/ptx.h"
#include "listener.h"

#include <stdatomic.h>
#include <string.h>
#include <wsim/code.h>
#include <wsim/kernel.h>
#include <wsim/umma.h>

#define RUN_LANES 32
#define RUN_MOST_THREADS 256 /* of the host */

struct run_op;
struct run_warp;
struct run_group;

/* --- steps --- */

/* The result of a step, for its group. */
enum run_next {
    RUN_ON,      /* done: the next operation follows                                           */
    RUN_JUMP,    /* done: warp->at is the next one, for all lanes of the group                 */
    RUN_REGROUP, /* done: the step put every remaining lane into a group; choose anew           */
    RUN_YIELD, /* done, but others go first: nanosleep; or a wait that failed (test_wait, try_wait):
                  the step has set warp->group->failed                                        */
    RUN_WAIT,  /* not done: the step is called again after an event. group->ticket keeps
                  the part that is done                                 */
    RUN_STOP,  /* the launch ends: a fatal finding was made (run_finding)                    */
    RUN_TAINT  /* done, and registers hold uninitialised bits (state/taint.h)                */
};

/* Executes `op` for `lanes`, a subset of the lanes of warp->group and never empty: those whose
 * guard holds. `frame` are the registers: warp->group->frame->bytes. Lanes outside of `lanes` must
 * not be written. A step of data only returns RUN_ON and reads nothing but frame and op, so it
 * takes no notice of `warp`. */
typedef enum run_next run_step(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp);

#define RUN_OPERANDS 6

/* One operation: 64 bytes, one line of the cache. */
struct run_op {
    run_step *step;
    uint32_t guard;            /* row of a predicate; RUN_ALWAYS if there is no guard           */
    uint32_t flip;             /* 0, or all ones: the guard is negated                          */
    uint32_t at[RUN_OPERANDS]; /* rows of the operands, results first, as the plan lays them    */
    uint64_t immediate;        /* offset of an address, or the constant of a fast step          */
    const void *more;          /* what the step needs besides: made by its plan, read-only      */
    uint32_t position; /* of two groups the one with the lower position goes first            */
    uint8_t leads;   /* RUN_LEADS, RUN_WRITES, RUN_INTERACTS, RUN_LEAVES, and those of looks     */
    uint8_t traffic; /* enum run_traffic: the kind of shared counters that it adds to       */
    uint8_t bytes;   /* of an access: of one element                                        */
    uint8_t count;   /* of an access: elements a lane; of a jump: log2 of what it counts for
                        towards giving way                                                  */
};

#define RUN_LEADS 1u  /* begins a basic block: groups may meet there                           */
#define RUN_WRITES 2u /* may write shared memory                                               */
#define RUN_INTERACTS                                                                              \
    4u /* may exchange something with another block: an atomic or an access that is not weak, of   \
          global memory; a call of the library */

#define RUN_LEAVES 8u /* ends the thread: exit, or ret of the kernel */

/* Marks of looks, only in the copy of the operations that run/look.c makes. */
#define RUN_LOOKS 16u /* the caller looks before it */
#define RUN_SEES 32u  /* the caller looks after it  */
#define RUN_OPS 64u   /* every operation            */

#define RUN_POLLS 11 /* count of a jump back in a loop that asks memory for what others do */

enum run_traffic {
    RUN_NO_TRAFFIC,
    RUN_TRAFFIC_LOAD,
    RUN_TRAFFIC_STORE,
    RUN_TRAFFIC_ATOMIC,
    RUN_TRAFFIC_COPY
};

/* --- registers ---
 * A frame begins with rows of constants, and holds one row a register: 32 lanes side by side.
 *     1 bit           one uint32_t, bit l is lane l                 (.pred)
 *     8, 16, 32 bits  uint32_t[32]; 8 and 16 bits zero-extended
 *     64 bits         uint64_t[32]
 *     128 bits        two rows of 64 bits, the low words first
 * Rows are aligned to 64 bytes, predicates to 4. Writers keep the zero extension. */
#define RUN_ALWAYS 0u /* row of the predicate that is true in all lanes, in every frame */

static inline uint32_t *run_pred(uint8_t *frame, uint32_t at) {
    return (uint32_t *)(void *)(frame + at);
}
static inline uint32_t *run_words(uint8_t *frame, uint32_t at) {
    return (uint32_t *)(void *)(frame + at);
}
static inline uint64_t *run_longs(uint8_t *frame, uint32_t at) {
    return (uint64_t *)(void *)(frame + at);
}

/* A row and its width, where a step does not know it beforehand. */
struct run_row {
    uint32_t at;
    uint8_t bits; /* 1, 8, 16, 32, 64, 128; 0: none (left out, or the sink `_`)               */
    uint8_t flip; /* a predicate that is written `!p`                                         */
};

/* Up to 64 bits of a lane; of a row of 128 its low word. */
static inline uint64_t run_get(uint8_t *frame, struct run_row row, unsigned lane) {
    if (row.bits > 32)
        return run_longs(frame, row.at)[lane];
    if (row.bits > 1)
        return run_words(frame, row.at)[lane];
    return row.bits ? ((*run_pred(frame, row.at) >> lane) & 1u) ^ row.flip : 0;
}
static inline uint64_t run_get_high(uint8_t *frame, struct run_row row, unsigned lane) {
    return row.bits == 128 ? run_longs(frame, row.at)[RUN_LANES + lane] : 0;
}

/* Writes the low bits that the row has; the sink takes anything. */
static inline void run_put(uint8_t *frame, struct run_row row, unsigned lane, uint64_t bits) {
    if (row.bits > 32)
        run_longs(frame, row.at)[lane] = bits;
    else if (row.bits > 1)
        run_words(frame, row.at)[lane] = (uint32_t)bits & (0xFFFFFFFFu >> (32 - row.bits));
    else if (row.bits)
        *run_pred(frame, row.at) =
            (*run_pred(frame, row.at) & ~(1u << lane)) | ((uint32_t)bits & 1u) << lane;
}

/* The lowest lane of a set that is not empty, and that lane taken out:
 *     for (uint32_t rest = lanes; rest; rest &= rest - 1) { unsigned lane = run_lowest(rest); */
static inline unsigned run_lowest(uint32_t lanes) {
    return base_lowest(lanes);
}
/* Sums of 2, 4, then 8 bits side by side: a library function would count them otherwise. */
static inline unsigned run_count(uint32_t lanes) {
    lanes -= lanes >> 1 & 0x55555555u;
    lanes = (lanes & 0x33333333u) + (lanes >> 2 & 0x33333333u);
    return ((lanes + (lanes >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}

/* --- decoded kernels --- */

/* A parameter or a result of a function. If `bits` is 0 it is memory: lane l has `stride` bytes of
 * the frame from at + l * stride on. Otherwise it is a row like that of a register. */
struct run_param {
    uint32_t at, stride, bytes;
    uint8_t bits;
};

/* A parameter whose address is taken: its copy is at byte `at` of the local variables of the
 * function. */
struct run_home {
    struct run_param from;
    uint32_t at;
};

/* A constant row: the same value in all lanes, put into a frame when it is made. */
enum run_constant_kind {
    RUN_CONSTANT_NUMBER,
    RUN_CONSTANT_SYMBOL, /* the address of .global variable `symbol` of the module is added */
    RUN_CONSTANT_SHARED, /* the first address of the shared memory of the block is added  */
    RUN_CONSTANT_LOCAL   /* the address of the local variables of the frame is added        */
};
struct run_constant {
    uint32_t at;
    uint8_t bits; /* 1, 32, 64 */
    uint8_t kind; /* enum run_constant_kind */
    uint32_t symbol;
    uint64_t value;
};

/* The row of a register, which holds it after instruction first - 1 and up to instruction `last`.
 * `first` 0: always. */
struct run_register {
    uint32_t at; /* 0: the register has no row, because no operation uses it */
    uint32_t first, last;
};

/* A shared or local variable that a program places. */
struct run_placed {
    uint32_t variable; /* of the module                                                        */
    uint64_t at; /* from the beginning of static shared memory; in the frame of its function */
};

/* A function, decoded for one program. */
struct run_function {
    const struct ptx_function *source;
    uint32_t index;      /* in the module                                             */
    uint32_t first, ops; /* in run_program.ops                                        */
    uint32_t frame_bytes;
    uint32_t register_end;     /* registers end here, constants begin                     */
    uint32_t brief, brief_end; /* between: those that live within one basic block     */
    uint32_t local_align;
    uint32_t local_bytes; /* a lane                                                  */
    struct run_constant *constants;
    uint32_t n_constants;
    struct run_param *params, *results; /* in its own frame                           */
    struct run_home *homes;
    uint32_t n_homes;
    struct run_register *registers; /* [source->n_registers]                              */
};

/* An access of shared memory that is another one in machine code. */
enum { RUN_JOINED = 4 };
struct run_merged {
    uint32_t written; /* plan_code + 1 of the access as the PTX has it; 0: its counts are unknown */
    uint32_t function;   /* number in the program   */
    uint32_t line, head; /* of the PTX: its own, and that of an access that it is part of */
    uint8_t n; /* accesses that count here                                                 */
    struct {
        uint32_t code;             /* as `written`                                      */
        int32_t from;              /* first byte, from the address of the instruction   */
        uint8_t bytes;             /* each lane                                         */
        uint8_t aligned, unrolled; /* as of struct build_merge */
    } access[RUN_JOINED];
};

#define RUN_MERGES_LOOPS 1u   /* a loop has accesses that the assembler may join if it unrolls it */
#define RUN_MERGES_GUARDED 2u /* guarded accesses are neighbours */

/* A kernel and what it may call. */
struct run_program {
    const struct ptx_module *module;
    uint64_t stamp; /* of the module                                               */
    const struct ptx_function *kernel;
    struct run_op *ops;
    uint32_t n_ops;
    uint32_t *where; /* [n_ops] instruction of its function; RUN_NOWHERE: of none    */
    struct run_function *functions; /* [0] is the kernel                                        */
    uint32_t n_functions;
    uint64_t shared_bytes;   /* static                                                       */
    uint32_t shared_align;   /* of the dynamic part, which follows                           */
    uint8_t dynamic;         /* there is an extern array of shared memory                    */
    uint8_t uses_heap;       /* malloc is called                                                */
    uint8_t takes_functions; /* the address of one is taken                                     */
    uint8_t grids;           /* the barrier of a cooperative launch is asked for                 */
    uint8_t reduces;         /* a bulk copy reduces into global memory                          */
    uint8_t exports;         /* a bulk copy writes global memory                                */
    uint8_t approximate, clock, order; /* as struct wsim_totals                                 */
    uint8_t queues;        /* asynchronous work that it may issue: a bit per enum sync_queue      */
    uint8_t tensor_fences; /* it has a tcgen05.fence                                            */
    uint8_t relaxes;       /* it has an operation of mbarriers that orders nothing              */
    uint8_t acquires;      /* a block may see what another one has done: loads that are not weak,
                              atomics that give back what was there                              */
    uint8_t listens; /* the same of a warp, in shared memory too; atomics whose result is read */
    const struct wsim_scalar *again; /* the first operation with a further source (scalar.def)  */
    uint32_t contractible;
    struct run_placed
        *placed; /* [n_placed] shared and local variables, in the order of the module */
    uint32_t n_placed;
    struct run_merged *merged; /* [n_merged] accesses of shared memory that count as part of one */
    uint32_t n_merged;
    uint8_t assembled; /* as struct wsim_kernel_info                                          */
    uint8_t unrolls;   /* as struct wsim_totals: a sum of RUN_MERGES_...                      */
    uint32_t problems; /* things that are not modelled: nothing of it may run           */
    const struct wsim_op **codes; /* [n_codes] operations that are prepared for a device */
    uint32_t n_codes;
    uint32_t *opcodes; /* [n_opcodes] opcodes of the module that occur in it               */
    uint32_t n_opcodes;
    struct run_watch **watches; /* [n_ops] of registers of wgmma (check_products.h); NULL: none */
    uint32_t n_watched;         /* registers */
};
#define RUN_NOWHERE 0xFFFFFFFFu

/* The function that an operation belongs to, and its instruction (NULL: an operation that the
 * engine put in). */
const struct run_function *run_function_of(const struct run_program *program, uint32_t op);
const struct ptx_instruction *run_instruction_of(const struct run_program *program, uint32_t op);

/* The words of a shared address: "tile+0x180", "flag"; outside of variables `plain` and "0x5180".
 */
struct run_words {
    char text[96];
};
struct run_words run_shared_words(const struct run_warp *warp, uint64_t at, const char *plain);

/* The shared variable at byte `offset` of the memory of a block; NULL: there is none. */
const struct run_placed *run_shared_variable(const struct run_program *program, uint64_t offset);

/* --- addresses ---
 * A global address is one of the host. The other spaces have windows of generic
 * addresses that no host uses. The high part selects the space, the low part is the address in it.
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
    uint8_t releases; /* for all blocks: .release, .acq_rel, .sc of the GPU or the system       */
    uint8_t plain;  /* enum run_plain: how it races with other lanes of its warp                 */
    uint8_t nc;     /* ld.nc: of bytes that no thread writes                                     */
    uint8_t narrow; /* not weak, and its scope is the block or the cluster                    */
    uint8_t proxy;  /* of the copy engine or the tensor core                                  */
    uint8_t replaces; /* an atomic that stores whatever was there: exch                         */
    uint8_t barrier;  /* of the bytes of an mbarrier, which order themselves                    */
    uint8_t row;      /* number of lanes, the lowest ones, side by side from at[0] on; or 0    */
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

/* The same for generic addresses in at[]: splits them by windows. Returns the lanes of the first
 * window in access->lanes and what is left in *rest; call it until *rest is 0. */
enum run_next run_reach_generic(struct run_warp *warp, const struct run_op *op,
                                struct run_access *access, uint32_t align, uint32_t *rest);

/* Finds the window that holds `bytes` at one address, for steps that move bytes themselves (matrix
 * instructions, copies). Returns 0 if no window holds all bytes. `space` is PTX_GLOBAL, PTX_SHARED,
 * PTX_CONST or PTX_PARAM; a generic address selects its own space. */
int run_window(struct run_warp *warp, enum ptx_space space, uint64_t at, uint64_t bytes,
               struct wsim_memory *memory);

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
    uint8_t parked; /* `group` stopped before an operation that interacts                      */
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

#define RUN_TENSOR_UNIT 32 /* columns that are allocated together at least */
#define RUN_TENSOR_UNITS 16
#define RUN_TENSOR_CODES 8

enum {
    RUN_TENSOR_WARPS = 32,
    RUN_TENSOR_LANES = 128,
    RUN_TENSOR_COLUMNS = 512,
    RUN_TENSOR_QUARTERS = 4,
    RUN_TENSOR_BUFFERS = 5 /* collectors: of A, and four of B                                   */
};

/* The order of accesses to tensor memory. A time of 0: none. Clocks are those of the race check.
 * Warps of the pair of blocks have a name: 32 times the odd block, and the number. */
struct run_tensor_move {
    uint32_t at, clock; /* of the warp that moved                                               */
    uint8_t by;         /* number                                                               */
};
struct run_tensor_column {
    uint32_t issued; /* work of the tensor core that is not committed                           */
    uint32_t done;   /* work that was                                                           */
    uint32_t clock;  /* of the warp that issued it                                              */
    uint8_t issuer;  /* name                                                                    */
    uint8_t work;    /* enum tensor_work                                                        */
    uint8_t moves;   /* a bit a move that no later work has met: 2 * quarter, + 1 for stores    */
    struct run_tensor_move move[RUN_TENSOR_QUARTERS][2]; /* [1] stores                          */
};
struct run_tensor_warp {
    uint32_t fenced, released; /* fence::after_thread_sync, fence::before_thread_sync           */
    uint32_t waited[2];
    uint32_t work[2 * RUN_TENSOR_WARPS]; /* clocks that it knew at its last fence::after: of the */
    uint32_t did[2 * RUN_TENSOR_WARPS];  /* work of each warp by name, and of the warp itself    */
};
struct run_tensor_order {
    uint32_t now;
    struct run_tensor_column column[RUN_TENSOR_COLUMNS];
    struct run_tensor_warp warp[RUN_TENSOR_WARPS];
};

/* A collector holds an operand, which is known by its descriptor or its address. */
struct run_tensor_buffer {
    uint64_t operand;
    uint8_t holds, in_tensor;
};

/* Tensor memory of a block (tcgen05), made by its first allocation. */
struct run_tensor {
    struct wsim_memory memory; /* 128 lanes of 512 words                                        */
    uint8_t owner[RUN_TENSOR_UNITS]; /* 1 + the first unit of its allocation; 0: free           */
    uint8_t relinquished;            /* the block allocates nothing any more                    */
    /* Products that were prepared: their forms and instruction descriptors. */
    struct run_tensor_code {
        struct wsim_umma form; /* blocks of 0: none */
        uint32_t idesc;
        struct wsim_code code;
    } codes[RUN_TENSOR_CODES];
    struct run_tensor_order order;
    struct run_tensor_buffer buffer[RUN_TENSOR_BUFFERS];
    uint64_t known[RUN_TENSOR_LANES][RUN_TENSOR_COLUMNS / 32]; /* a bit for each half of a word  */
    uint16_t last; /* columns of the last allocation; 0: none                                   */
    uint16_t asked[RUN_TENSOR_WARPS]; /* columns that a warp waits for                          */
    struct run_warp *warp; /* of the last allocation, and its operation                         */
    const struct run_op *op;
    uint8_t group;      /* cta_group of the kernel; 0: not known                                */
    unsigned next_code; /* the place of the next one, modulo the places                        */
};

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
    uint64_t quiet;  /* rounds in which all warps waited                                        */
    uint64_t polls;  /* rounds in which warps polled memory and none changed it                 */
    uint64_t seen;   /* events when its slice began                                             */
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

/* The data of one thread of the host. */
struct run_worker {
    struct run_launch *launch;
    struct run_counts *counts; /* [program->n_ops + 1]                                    */
    struct wsim_shared_counts *written; /* [program->n_merged] as the PTX has them; NULL: none  */
    const struct run_buffer *recent; /* buffer of the last global access                        */
    const struct run_buffer *near[RUN_NEAR]; /* of the last of an operation: run_near           */
    uint64_t instructions; /* warp instructions so far                                */
    uint64_t asked, leaps; /* instructions when a warp read the clock, and cycles left out    */
    uint32_t asks;         /* how often in a row                                      */
    uint64_t slice;        /* instructions after which other units get a turn         */
    /* A bit for each enum ptx_space: some listener hears whole accesses, sets of bytes, either. A
     * bit for each enum run_order_kind: some listener hears it. */
    uint32_t hears_whole, hears_bytes, hears, orders;
    uint32_t tells; /* spaces whose accesses fast steps tell: `hears`, or traffic             */
    uint8_t values; /* some listener hears the bytes of stores                               */
    struct run_ears whole, bytes, traffic, order; /* the listeners of each kind               */
    uint8_t calls;                 /* the thread that launches: it reports progress           */
    uint64_t called;               /* when it did, in instructions and units                  */
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
    uint32_t shared_base;  /* first address of shared memory: the target keeps what is below    */
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
