/* launch.h - state that the host threads of a launch share: the next unit, findings, progress. */
#ifndef WSIM_STATE_LAUNCH_H
#define WSIM_STATE_LAUNCH_H

#include "run.h"

#include <stdatomic.h>

/* Units that one thread of the host has under way: about as many blocks as an H200 has at a time.
 */
#define RUN_MOST_LIVE (32u * 132)

/* Different numbers, at most WSIM_FINDING_MOST. */
struct launch_set {
    uint64_t *slots;
    uint32_t n, room;
};

/* The line of an operation: of the source, or without .loc of the PTX. */
struct launch_line {
    const char *file; /* NULL: unnamed */
    uint32_t line;    /* 0: none */
    uint8_t is_ptx;
    uint8_t traffic; /* of the operation: enum run_traffic */
};

/* A finding as it is kept: numbers of operations in place of lines. */
struct launch_finding {
    const char *rule;
    enum wsim_status status;
    uint32_t op, other; /* operations; RUN_NOWHERE: none */
    struct launch_line line, other_line;
    uint64_t block; /* the lowest                    */
    uint32_t id[3], thread[3];
    uint64_t count;
    uint64_t when; /* in the order in which they were made */
    uint8_t fatal;
    uint8_t sorts; /* for the order of findings */
    uint8_t note;  /* a valid program: kept, and not counted in all_findings */
    uint8_t space;
    uint8_t waits;      /* as of its subject */
    uint64_t low, high; /* all bytes of its addresses, low .. high - 1 */
    struct launch_set addresses, registers, blocks, warps, ptx_lines;
    uint32_t cause; /* 1 + the finding of the report that explains it; 0: none */
    char *text;
};

void launch_finding_free(struct launch_finding *finding);
int launch_same_line(const struct launch_line *a, const struct launch_line *b);

struct launch_output {
    uint64_t block;
    char *text;
    size_t size;
};

struct run_shared {
    atomic_ullong next;         /* first unit that no thread has taken                          */
    atomic_ullong instructions; /* sum of the threads that have reported                        */
    atomic_int stop;
    atomic_int asked;    /* the caller wants the launch to stop                                   */
    atomic_uint busy;    /* helper threads that still run                                         */
    atomic_ullong still; /* run_space.changes + 1 when all its units only polled; 0: they did not */
    uint8_t looks;       /* whether still.c can say anything                                  */
    uint8_t open;        /* the caller may change memory: nothing is stuck, atomics are true   */
    atomic_ullong leaps, leapt_at; /* of the clocks: their sum; run_space.changes after the last */
    atomic_uint leapt;             /* how many leaps in a row                                     */
    struct run_worker *workers;
    unsigned n_workers;
    atomic_flag atomics; /* of atomics that the host cannot do at once                          */
    atomic_flag lock;    /* of what follows                                                     */
    struct launch_finding *findings;
    size_t n_findings, room_findings;
    uint64_t all_findings, all_notes, when;
    struct launch_output *outputs;
    size_t n_outputs, room_outputs;
    struct wsim_touched *touched;
    size_t n_touched;
    atomic_uchar waited; /* griddepcontrol.wait, as struct wsim_totals */
    uint8_t no_memory;
    uint8_t several;  /* threads of the host may come to run it */
    uint8_t parallel; /* several threads of the host run it: atomics have to be atomic there too */
    uint8_t mixed;    /* copies reduce into global memory too, so all of them take the flag      */
    uint8_t ahead;    /* units may run ahead of their turns (run/turns.h)                       */
    struct turns *turns; /* NULL: no unit runs ahead now                                      */
    atomic_int clash; /* a unit that ran ahead met another one: the launch has to begin again   */
};

/* Others of the host's threads wait with theirs. */
static inline void launch_lock_atomics(struct run_shared *shared) {
    while (shared->parallel &&
           atomic_flag_test_and_set_explicit(&shared->atomics, memory_order_acquire)) {
    }
}
static inline void launch_unlock_atomics(struct run_shared *shared) {
    if (shared->parallel)
        atomic_flag_clear_explicit(&shared->atomics, memory_order_release);
}

/* A finding of thread `thread` of a block after it ran: as run_finding_of. */
void launch_find_pair(struct run_launch *launch, uint64_t unit, uint32_t rank, uint32_t thread,
                      uint32_t op, uint32_t other, enum base_rule rule,
                      const struct run_subject *subject, const char *format, ...)
    BASE_PRINTF(9, 10);

/* Keeps what a block printed, which the block gives up. 0: no memory. */
int launch_print(struct run_launch *launch, struct run_block *block);

/* Ends an attempt in which units run ahead of their turns. */
static inline void launch_clash(struct run_shared *shared) {
    atomic_store(&shared->clash, 1);
    atomic_store(&shared->stop, 1);
}

/* The heap is full: the launch ends without an answer. */
enum run_next run_no_memory(struct run_warp *warp);

/* The number of the unit whose turn is the n-th: a permutation, if there is a seed. */
uint64_t unit_at(const struct run_launch *launch, uint64_t n);

/* Takes the next unit away, which then never begins, and finds its first block. 0: all have begun.
 */
int unit_cancel(const struct run_launch *launch, uint32_t first[3]);

/* Where the block of a rank of unit `number` is in the grid. */
void block_locate(const struct run_launch *launch, uint64_t number, uint32_t rank, uint32_t id[3]);

#endif
