/* taint.h - registers that hold uninitialised bits.
 *
 * A load of uninitialised bytes is no mistake. The use of such a value is one: as an address, as a
 * predicate of a branch, or in a store that others can see. Each tainted frame of a warp has a
 * mirror: a bit for each bit of its registers, and the load that the bits come from. A warp without
 * tainted registers has no mirror, and pays nothing (run/warp.c). step/taint.h moves taint from
 * register to register. */
#ifndef WSIM_STATE_TAINT_H
#define WSIM_STATE_TAINT_H

#include "run.h"

/* Places beside those of enum ptx_space that an uninitialised value is read from. */
enum { TAINT_LANE = PTX_GENERIC + 1, TAINT_TENSOR, TAINT_REGISTER };

/* An access that read uninitialised bytes. Its number + 1 is the origin of tainted bits. */
struct taint_load {
    uint32_t op;
    uint8_t space;
    uint8_t async; /* a copy                                           */
    uint8_t used;  /* a finding names the first use                    */
    uint64_t at;   /* the first uninitialised byte. TAINT_LANE: the lane that shfl names and
                    * that does not execute it. TAINT_REGISTER: the register of the function */
    const struct run_buffer *buffer; /* of global memory               */
};

/* The mirror of a frame. Both arrays are laid out as the frame. */
struct taint_frame {
    const uint8_t *of; /* run_frame.bytes                                */
    uint32_t size;
    uint8_t *bits;     /* 1: the bit of the register is uninitialised    */
    uint32_t *origins; /* of each four bytes                             */
    struct taint_frame *next;
};

struct run_taint {
    struct taint_frame *frames;
    uint8_t loads;              /* the operation that runs has loaded uninitialised bytes:     */
    uint64_t loaded[RUN_LANES]; /* a bit a byte                                                */
    uint32_t origin[RUN_LANES];
    uint8_t stores;             /* the step that runs stores uninitialised bytes:              */
    uint64_t stored[RUN_LANES]; /* a bit a byte                                                */
    uint32_t stored_origin;
};

/* Uses of a value. */
enum taint_use { TAINT_STORED, TAINT_ADDRESS, TAINT_BRANCH, TAINT_OPERAND };

/* Makes the taint of a warp. 0: no memory. */
int taint_begin(struct run_warp *warp);
void taint_end(struct run_warp *warp);
void taint_unit_end(struct run_unit *unit);

/* The origin of a load of `space` at `at`; 0: no memory. */
uint32_t taint_origin(struct run_warp *warp, const struct run_op *op, uint8_t space, int async,
                      uint64_t at, const struct run_buffer *buffer);

/* The mirror of a frame of the warp; NULL: the frame has none. taint_mirror makes one; NULL: no
 * memory, and the launch stops. */
struct taint_frame *taint_find(const struct run_warp *warp, const uint8_t *frame);
struct taint_frame *taint_mirror(struct run_warp *warp, const struct run_frame *frame);

/* Lanes enter the function of a frame, whose registers may be unset: if the launch checks it, their
 * bits are uninitialised. */
void taint_unset(struct run_warp *warp, const struct run_frame *frame, uint32_t lanes);

/* Uninitialised bits of a register. `mirror` may be NULL. */
static inline uint64_t taint_get(const struct taint_frame *mirror, struct run_row row,
                                 unsigned lane) {
    row.flip = 0;
    return mirror ? run_get(mirror->bits, row, lane) : 0;
}
static inline uint64_t taint_get_high(const struct taint_frame *mirror, struct run_row row,
                                      unsigned lane) {
    return mirror ? run_get_high(mirror->bits, row, lane) : 0;
}

/* The place of a lane of a row in taint_frame.origins. */
static inline uint32_t taint_place(struct run_row row, unsigned lane) {
    return (row.at + (row.bits > 32 ? 8 * lane : row.bits > 1 ? 4 * lane : 0)) / 4;
}

/* The lanes of a row with uninitialised bits. */
uint32_t taint_lanes(const struct taint_frame *mirror, struct run_row row, uint32_t lanes);

/* Marks the low 64 bits of a row, or the high ones of 128. */
void taint_put(struct taint_frame *mirror, struct run_row row, unsigned lane, uint64_t bits,
               uint32_t origin);
void taint_put_high(struct taint_frame *mirror, struct run_row row, unsigned lane, uint64_t bits,
                    uint32_t origin);

/* All bits of the row are initialised in these lanes. `mirror` may be NULL. */
void taint_clear(struct taint_frame *mirror, struct run_row row, uint32_t lanes);

/* Bytes of shared memory from `from` on are uninitialised: a bit a byte. */
void taint_drop_shared(struct run_warp *warp, struct run_block *block, uint64_t from,
                       uint64_t unknown, uint32_t origin);

/* Reports the use of a value from `origin`, once for each load of a unit. */
void taint_report(struct run_warp *warp, const struct run_op *op, unsigned lane, uint32_t origin,
                  enum taint_use use);

/* Reports it for the first of `lanes` with a tainted row, and clears the row there. */
void taint_use(struct run_warp *warp, const struct run_op *op, struct taint_frame *mirror,
               struct run_row row, uint32_t lanes, enum taint_use use);

#endif
