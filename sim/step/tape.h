/* tape.h - what a block does to its data, recorded once and played for the blocks after it.
 *
 * In many kernels all blocks take the same way: no branch, no address of shared memory and no
 * barrier depends on data. Then most of what a warp computes is *known*: it is the same in every
 * block. Other numbers *move*: they are sums of a number that is known and multiples of %ctaid.
 * The rest depends on memory, and *acts* compute it. A tape is a list of acts. It equals the block
 * that was recorded.
 *
 * tape.c records: it looks at each operation before a warp executes it. An operation that it does
 * not know ends the record, and blocks run as always. A tape is for blocks in a box of the grid,
 * for which all comparisons and bounds have been proved. Checks miss the blocks that are played, or
 * hear their stores alone, if no finding depends on data (tape_stores.c). An act is an operation
 * like those of a kernel, with its lanes in `position`. Rows of all warps are in one frame. */
#ifndef WSIM_STEP_TAPE_H
#define WSIM_STEP_TAPE_H

#include "../reach/reach.h"

/* Steps of acts, beside those that only compute. */
#define TAPE_KINDS(X)                                                                              \
    X(GUARDED, guarded) /* more: an operation, whose guard depends on data */                      \
    X(GATHER, gather)   /* more: a struct sync_gather */                                           \
    X(SHUFFLE, shuffle) /* the same, which reads from lanes that are known */                      \
    X(ROW_1, row_1)     /* lanes of a row that is known or moves */                                \
    X(ROW_32, row_32)                                                                              \
    X(ROW_64, row_64)                                                                              \
    X(LOAD, load) /* of any lanes; more: a struct tape_lanes_at */                                 \
    X(STORE, store)                                                                                \
    X(LOAD_4, load_4) /* of a row: 32 lanes side by side, of 4 or 8 bytes */                       \
    X(LOAD_8, load_8)                                                                              \
    X(STORE_4, store_4)                                                                            \
    X(STORE_8, store_8)                                                                            \
    X(LOAD_SOME, load_some) /* of words of some lanes, as far apart as the lanes */                \
    X(STORE_SOME, store_some)                                                                      \
    X(LOAD_ONE, load_one) /* of one word */

enum tape_kind {
    TAPE_STEP,
#define TAPE(ID, id) TAPE_##ID,
    TAPE_KINDS(TAPE)
#undef TAPE
};

/* How far something has moved in the block that is played, and moves to the next block. */
struct tape_moved {
    uint64_t by, ahead;
};

/* An access of any lanes: they are `at` bytes from the place. */
struct tape_lanes_at {
    const struct tape_moved *moved;
    const struct reach_plan *reach;
    uint64_t at[RUN_LANES];
};

/* Begins to record a block, which is at its beginning. NULL: it is of no use, or there is no
 * memory. */
struct taper *tape_begin(struct run_unit *unit);

/* The group of a warp is before an operation, for `lanes`. */
void tape_note(struct taper *taper, const struct run_warp *warp, uint8_t *frame,
               const struct run_op *op, uint32_t lanes);

/* Whether what has been noted so far may become a tape. */
int tape_goes_on(const struct taper *taper);

/* The block has ended. 0: it makes no tape. */
int tape_end(struct taper *taper);

/* Whether a tape is for a block, and how many instructions that counts. */
int tape_has(const struct taper *taper, const uint32_t id[3]);
uint64_t tape_instructions(const struct taper *taper);

/* The unit that listeners take played blocks for, as they hear what these store; NULL: none. */
struct run_unit *tape_tells(const struct taper *taper);

/* Plays a block that the tape is for. */
void tape_play(struct taper *taper, const uint32_t id[3]);

/* Adds what the played blocks count, and frees all. */
void tape_close(struct taper *taper);

/* Steps of tape_kind, from TAPE_GUARDED on, by machine. */
extern run_step *const wsim_quick_tape_plain[], *const wsim_quick_tape_v3[],
                                                    *const wsim_quick_tape_v4[];

#endif
