/* op.h - operations, the steps that execute them, and registers: rows of 32 lanes. */
#ifndef WSIM_STATE_OP_H
#define WSIM_STATE_OP_H

#include "../base/bits.h"
#include "../ptx/ptx.h"

#include <string.h>

#define RUN_LANES 32

struct run_op;
struct run_warp;

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
    uint8_t leads;   /* RUN_LEADS, RUN_WRITES, RUN_INTERACTS, RUN_LEAVES, RUN_LOOPS, and of looks */
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

#define RUN_LOOPS 128u /* jumps back to a basic block that it ends: step/loop.h */

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

#endif
