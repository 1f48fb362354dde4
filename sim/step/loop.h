/* loop.h - basic blocks that jump to themselves, prepared for quick_loop.h.
 *
 * A quick step reads and writes all lanes of its registers. In most loops many registers need no
 * lanes. A counter is one number, and an address is a base and a distance from lane to lane. Such a
 * register is *even*: lane l holds
 *     at[0] + at[1] * (l % 8) + at[2] * (l / 8 % 2) + at[3] * (l / 16)
 * so blocks of 8, 16 and 32 columns have even addresses. While a loop runs, even registers are
 * such sums, and their rows in the frame are *stale*. A step that reads a stale row finds it
 * written. Rows that are not even are always in the frame.
 *
 * Nothing is assumed of the registers: each operation looks at those that it reads, and calls its
 * step if they are not even. So the operations decide as they do without a loop. */
#ifndef WSIM_STEP_LOOP_H
#define WSIM_STEP_LOOP_H

#include "../decode/plan.h"
#include "../reach/hear.h"

enum { LOOP_ROWS = 64, LOOP_NONE = LOOP_ROWS, LOOP_RUNS = 12 };

struct loop_even {
    uint64_t at[4]; /* modulo 2^32 in registers of 32 bits */
};

static inline int loop_differs(const struct loop_even *even) {
    return (even->at[1] | even->at[2] | even->at[3]) != 0;
}

/* How an operation is executed. All but LOOP_STEP and LOOP_END call their step unless the registers
 * that they read are even. */
enum loop_kind {
    LOOP_STEP,    /* its step, for the lanes whose guard holds                      */
    LOOP_SUM_32,  /* the sum of two registers                                       */
    LOOP_SUM_64,  /* the same                                                       */
    LOOP_ONE,     /* a function of one lane                                         */
    LOOP_TEST,    /* a comparison that has one answer in all lanes                   */
    LOOP_PRODUCT, /* a fused multiply-add of f32: a factor may be one number        */
    LOOP_LOADED,  /* a load of 4 global bytes, before another one and their LOOP_PRODUCT */
    LOOP_END,     /* the jump back                                                  */
    LOOP_LOAD_GLOBAL_4,
    LOOP_LOAD_GLOBAL_8,
    LOOP_STORE_GLOBAL_4,
    LOOP_STORE_GLOBAL_8,
    LOOP_LOAD_SHARED_4,
    LOOP_LOAD_SHARED_8,
    LOOP_STORE_SHARED_4,
    LOOP_STORE_SHARED_8,
    LOOP_KINDS,
    /* bits of the kinds of accesses */
    LOOP_WIDE = 1,
    LOOP_STORES = 2,
    LOOP_SHARED = 4
};

/* A quick step of one lane: what it computes of x, y and z. */
typedef uint64_t loop_one(const struct run_op *op, uint64_t x, uint64_t y, uint64_t z);

/* When a result is even. The operands in `vary` may differ from lane to lane, but only one factor
 * of a product. With `extends`, an operand of 32 bits is extended to 64: the result is even if no
 * lane wraps. */
struct loop_shape {
    uint8_t vary, is_product;
    uint8_t extends, is_signed;
    uint8_t is_long; /* the result has 64 bits */
};

struct loop_op {
    uint8_t kind; /* enum loop_kind */
    uint8_t guarded;
    uint8_t to, in[3]; /* numbers of rows; LOOP_NONE: it has no number */
    uint8_t n_in;
    uint8_t run;      /* number of a load of global memory; LOOP_RUNS: it has none */
    uint8_t accesses; /* memory */
    uint8_t compare;  /* of a LOOP_TEST: enum scalar_compare */
    uint8_t is_idle;  /* its step does nothing */
    uint8_t is_test;  /* a LOOP_TEST whose predicates nothing else writes, nor combines */
    uint8_t chains;   /* a LOOP_LOADED whose sum is that of the one before, and its only reader */
    struct loop_shape shape;
    uint32_t row;           /* that is loaded or stored */
    uint64_t reads, writes; /* sets of rows with numbers */
    uint64_t stores;        /* the row that a store reads, if it has a number */
    uint64_t offset;        /* of an access */
    loop_one *one;
};

struct loop_row {
    uint32_t at;
    uint8_t bits;        /* 32, 64 */
    uint8_t is_constant; /* the same in all lanes */
    uint8_t enters;      /* it is read before it is written */
    uint8_t step; /* the row that the one operation that writes it adds; LOOP_NONE: another */
};

struct run_loop;
/* Runs at most `most` rounds of a loop for a warp whose lanes are all at its beginning. Returns how
 * many. The group is then before operation *op, or has executed it with a result other than RUN_ON.
 */
typedef uint64_t loop_rounds(const struct run_loop *loop, uint8_t *frame, struct run_warp *warp,
                             uint64_t most, const struct run_op **op, enum run_next *next);

/* The counter of a loop: its row, and those of its step and its end; all are words. */
struct loop_counter {
    uint32_t at, step, end;
    const struct loop_op *test; /* NULL: none is known */
};

struct run_loop {
    loop_rounds *run;
    uint32_t first, n; /* operations; the last one jumps to the first one */
    uint32_t n_rows, n_runs;
    struct loop_row rows[LOOP_ROWS];
    struct loop_counter counter;
    uint64_t written; /* set of rows with numbers */
    uint8_t may_batch;
    uint8_t are_counters; /* all rows that enter are written by their step alone, if at all */
    struct loop_op *ops;  /* [n] */
};

/* About how many rounds are left, by the counter of lane 0; UINT64_MAX: that is not known.
 * loop_batch.c */
uint64_t loop_lasts(const struct run_loop *loop, const uint8_t *frame);

/* --- runs of loads, which listeners hear at their end --- */

struct loop_runs {
    uint64_t round;
    unsigned n, going; /* n: 0 if listeners have to hear each load */
    struct hear_run runs[LOOP_RUNS];
};

/* A load of `size` bytes of a buffer, and of these `far` bytes behind them if that is not 0. */
struct loop_load {
    const struct run_buffer *buffer;
    uint64_t from, far;
    unsigned size;
};

int loop_are_known(const struct hear_run *run, const struct loop_load *load);
static inline int loop_goes_on(const struct hear_run *run, const struct loop_load *load) {
    return run->next == load->from && run->far == load->far && run->size == load->size &&
           run->buffer == load->buffer && (!run->known || loop_are_known(run, load));
}
static inline void loop_go_on(struct hear_run *run) {
    run->next += run->step;
    run->n++;
}
static inline void loop_forget_runs(struct loop_runs *runs) {
    runs->going = 0;
    for (unsigned i = 0; i < runs->n; i++)
        runs->runs[i].n = 0, runs->runs[i].next = UINT64_MAX;
}

/* Whether a load is part of a run; otherwise all runs end. A load that is none is asked again after
 * 1, 2, 4, ... rounds. */
int loop_runs_on(struct loop_runs *runs, const struct run_op *op, const struct loop_op *in,
                 struct run_warp *warp, struct loop_load load);
/* Listeners hear all runs. */
void loop_tell_runs(struct loop_runs *runs, struct run_warp *warp);
static inline void loop_end_runs(struct loop_runs *runs, struct run_warp *warp) {
    if (runs->going)
        loop_tell_runs(runs, warp);
}

/* --- batches of rounds --- */

/* In a batch of rounds, even registers go on in constant steps. Comparisons of them have one
 * answer, and accesses are inside of their windows. So one test stands for all rounds, and a round
 * is a list of acts. loop_batch.c */
enum { LOOP_ACTS = 24, LOOP_FEW = 8 }; /* fewer rounds are no batch */

enum loop_act_kind {
    LOOP_ACT_STEP,   /* the step of the operation, if its guard holds              */
    LOOP_ACT_WRITE,  /* of the row of an even register                             */
    LOOP_ACT_LOAD,   /* of a row: two halves, side by side or each one place       */
    LOOP_ACT_STORE,  /* the same, side by side                                     */
    LOOP_ACT_PRODUCT /* the sum of a row and `length` products, of places and rows */
};

/* Where the halves of a row are in memory, and how far they move in a round. */
struct loop_move {
    uintptr_t at, far, step;
};
struct loop_act {
    uint8_t kind, wide, is_same, is_long; /* bytes of a lane; lanes of a half are one; 64 bits */
    uint8_t length;
    uint8_t high_first; /* the high half of a store is written before the low one */
    uint32_t to, from;  /* rows */
    const struct run_op *op;
    const struct loop_op *in;
    union {
        struct loop_move move[2]; /* of the place, and of the row of a product */
        struct {
            struct loop_even even;
            uint64_t step;
        } row;
    } at;
};

struct loop_batch {
    uint64_t rounds; /* how many at most */
    uint64_t known;  /* rows that are even at the end */
    uint64_t reads;  /* rows that steps read and nothing writes */
    unsigned n;
    unsigned events; /* stores in a round */
    uint64_t step[LOOP_ROWS];
    struct loop_act acts[LOOP_ACTS];
};

/* Finds the next rounds that are a batch, at most `rounds`. The predicates of the loop are those of
 * the end of a round. 0: too few are. 1: `even` has the
 * registers after its first round. `runs`: loads of global memory have to go on with theirs; NULL:
 * no listener hears them. `fuses`: LOOP_LOADED are products. */
int loop_find_batch(const struct run_loop *loop, uint8_t *frame, struct run_warp *warp,
                    const struct loop_runs *runs, struct loop_even *even, uint64_t known, int fuses,
                    uint64_t rounds, struct loop_batch *batch);
/* A batch has run for `rounds`: runs, sums and stores have gone on so far. */
void loop_end_batch(const struct run_loop *loop, const struct loop_batch *batch, uint64_t rounds,
                    struct run_warp *warp, struct loop_runs *runs, struct loop_even *even);

/* The lowest and the highest lane of a register of 32 bits, which may be out of its range. */
void loop_range(const struct loop_even *even, int is_signed, int64_t *low, int64_t *high);

/* Whether a LOOP_TEST has one answer in all lanes, though its operands differ from lane to lane. */
int loop_answer(const struct loop_op *in, const struct loop_even *x, const struct loop_even *y,
                int *answer);

/* Executes a LOOP_ONE whose operands are even, in the four lanes that say what the others are. 0:
 * the result may not be even. quick_one.c */
int loop_compute(const struct run_op *op, const struct loop_op *in, struct loop_even *even);

/* Finds the loops of a function: a pass. */
int loop_plans(struct run_build *build);

#endif
