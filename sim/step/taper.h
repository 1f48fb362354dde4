/* taper.h - a record that grows: what the files tape*.c share. */
#ifndef WSIM_STEP_TAPER_H
#define WSIM_STEP_TAPER_H

#include "data.h"
#include "tape.h"

enum {
    TAPE_NOTED = 1 << 12, /* operations */
    TAPE_ACTS = 1 << 12,
    TAPE_ROUNDS = 24, /* of a loop: batches are for more */
    TAPE_ROWS = 512,
    TAPE_BYTES = 1 << 18, /* of rows that are known */
    TAPE_LAST = 1 << 12,  /* of these that are compared with a new one */
    TAPE_WIDTHS = 3,      /* of rows: 1, 32, 64 bits; those of less than 32 have 32 */
    TAPE_AXES = 3
};

/* A row of the frame, the same in all warps. */
struct tape_place {
    uint32_t at, bytes;
    uint8_t overlaps; /* another row has some of its bytes */
};

/* A row of a warp. The frame of the warp has lanes that are known, and those that move as
 * they are in the recorded block. */
struct tape_state {
    uint32_t known, moving; /* lanes */
    uint32_t home;          /* lanes that the row of the tape has */
    uint32_t kept;          /* row of the tape with all lanes; 0: none yet */
    uint64_t by[TAPE_AXES]; /* how far lanes move with %ctaid */
};

/* Memory of what acts point to. */
struct tape_kept {
    struct tape_kept *next;
};

/* An act of a record. */
struct tape_act {
    uint8_t kind;  /* enum tape_kind                                */
    uint8_t moved; /* number of a move                              */
    uint8_t warp;
    struct run_op op;        /* without a step that is TAPE_... */
    const struct run_op *of; /* of the kernel, of an access */
    /* of an access: */
    struct tape_lanes_at *access;
    const struct run_buffer *buffer; /* NULL: shared memory */
    uintptr_t first, low, high;      /* the first lane; all bytes; of a block at the origin  */
};

enum { TAPE_MOVES = 32 };

/* Bytes that a block stores: addresses of a block at the origin. */
struct tape_stored {
    const struct run_buffer *buffer;
    uint64_t from, bytes;
    uint8_t move;
};

struct tape {
    struct tape_act *acts; /* of the record */
    struct run_op *ops;    /* of the tape   */
    uint32_t n_acts;
    uint8_t *frame; /* registers of all warps, then rows that are known */
    uint8_t *shared;
    uint64_t shared_bytes; /* to be filled first; 0: every byte is written before it is read */
    uint32_t box[3];       /* it is for blocks whose %ctaid is below */
    uint32_t n_moves;
    uint64_t moves[TAPE_MOVES][3]; /* for each axis of %ctaid */
    struct tape_moved moved[TAPE_MOVES];
    uint64_t instructions;      /* of a block */
    struct tape_stored *stored; /* [n_stored], if checks miss blocks */
    uint32_t n_stored;
    uint32_t warps;
    struct run_warp *warp; /* for steps, which take no notice of it */
};

struct taper {
    struct tape tape;
    struct run_unit *unit;
    struct run_worker *worker;
    const struct run_program *program;
    const struct run_function *function;
    uint32_t id[TAPE_AXES];
    uint32_t noted, room, n_places, stride;
    uint32_t known_from, known, known_room;
    uint8_t failed, done, warp;
    uint8_t heard;    /* checks hear the block, and miss those that are played */
    uint8_t told;     /* but for their stores, as other blocks take other ways */
    uint8_t *sorts;   /* [n_ops] enum sort */
    uint16_t *number; /* [TAPE_WIDTHS][frame / 4] of a place, from 1 on */
    struct tape_place places[TAPE_ROWS];
    struct tape_state *states; /* [warp][place] */
    uint8_t *known_rows;       /* [known] from known_from on in the frame of the tape */
    uint8_t *written;          /* [byte of shared memory] */
    struct run_counts *counts; /* [n_ops + 1] before the block; then of the block */
    struct wsim_shared_counts *counts_written; /* the same of worker->written; NULL: none */
    uint64_t instructions, judged, played;
    struct tape_kept *all;
    const struct run_op *jump;    /* the last one back to a loop that batches know */
    const struct run_warp *jumps; /* its warp */
    uint32_t rounds;              /* in a row */
};

/* The record is of no use, or there is no memory. */
void tape_fails(struct taper *t);

/* Memory with zeros that lives as long as the tape; NULL: there is none. tape_rows.c */
void *tape_keep(struct taper *t, size_t bytes);

/* --- rows: tape_rows.c --- */

/* How lanes of a row change from block to block. */
enum tape_lanes { TAPE_KNOWN, TAPE_MOVING, TAPE_OTHER };
enum tape_lanes tape_class(struct taper *t, const struct run_warp *warp, struct run_row row,
                           uint32_t lanes);

struct tape_state *tape_state(struct taper *t, const struct run_warp *warp, uint32_t at,
                              unsigned bits);

/* Lanes of a row become known; move; or are what an act writes, and where. */
void tape_knows(struct taper *t, struct tape_state *state, uint32_t lanes);
void tape_moves(struct taper *t, struct tape_state *state, uint32_t lanes,
                const uint64_t by[TAPE_AXES]);
uint32_t tape_writes(struct taper *t, const struct run_warp *warp, struct run_row row,
                     uint32_t lanes);

/* Where an act reads a row, for these lanes. */
uint32_t tape_reads(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                    struct run_row row, uint32_t lanes);

/* Puts lanes that are known, or move, into the row that acts write: some of them may stay. */
void tape_fills(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                struct run_row row, uint32_t lanes);

/* The number of a move, which may be new. */
uint8_t tape_move(struct taper *t, const uint64_t by[TAPE_AXES]);

/* A new act. NULL: the record failed. */
struct tape_act *tape_add(struct taper *t, enum tape_kind kind, uint32_t lanes);

/* --- numbers that move: tape_moves.c --- */

uint64_t tape_number(const uint8_t *frame, struct run_row row, unsigned lane);

/* The lowest and the highest number of a lane in the box. 0: it may leave the range in which it
 * goes on in equal steps. */
int tape_range(const struct taper *t, const uint64_t by[TAPE_AXES], uint64_t value, unsigned bits,
               int is_signed, const uint32_t box[TAPE_AXES], int64_t range[2]);

/* An operation whose operands are known or move. 0: it has to be computed again. */
int tape_computes(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                  const struct run_op *op, const struct data *data, uint32_t lanes);

/* Acts of different warps take turns. tape_order.c */
void tape_order(struct taper *t);

/* --- blocks that checks miss: tape_stores.c --- */

/* Whether an act stores to global memory. */
int tape_is_store(const struct tape_act *act);

/* Listeners hear a store, which has its step, before it takes place. */
void tape_tell(struct taper *t, const struct tape_act *act, struct run_op *op);

/* Where the frame of the tape has the rows of a warp. */
static inline uint32_t tape_home(const struct taper *t, uint32_t warp) {
    return 64 + warp * t->stride;
}

/* Lists the stores of a block. 0: two of them, in any block, may have a byte in common; or there is
 * no memory. */
int tape_stores(struct taper *t);

/* The bytes that a block has stored are initialised. */
void tape_learn(const struct tape *tape, const uint32_t id[3]);

/* --- accesses: tape_access.c --- */

void tape_access(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                 const struct run_op *op, uint32_t lanes);

#endif
