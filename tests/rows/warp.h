/* warp.h - valid operands for any mma: random small integers. Every sum is exact in every
 * accumulator, so results do not depend on the order of addition. */
#ifndef TESTS_ROWS_WARP_H
#define TESTS_ROWS_WARP_H

#include "../every.h"

/* `io` points into it; io.d too. */
struct warp {
    struct wsim_regs d, a, b, c;
    uint32_t e[WSIM_LANES], sfa[WSIM_LANES], sfb[WSIM_LANES];
    struct wsim_operands io;
};

/* Elements from -2 to 2, increasing metadata, scale factors of one; every register, also those
 * that the operation does not have, holds something. */
void warp_fill(const struct wsim_op *op, uint64_t *seed, struct warp *warp);

/* Elements of one operand, anew. */
void warp_fill_regs(const struct wsim_op *op, enum wsim_operand operand, uint64_t *seed,
                    struct wsim_regs *regs);

/* The container bits of the whole number `value`. */
uint64_t warp_bits(const struct wsim_layout *layout, int value);

/* A metadata nibble that .sp::ordered_metadata takes, too. */
unsigned warp_nibble(const struct wsim_op *op, uint64_t *seed);

/* The scale factor of value one, of the scale type of `op`. */
unsigned warp_one(const struct wsim_op *op);

/* Whether the first `n` lists of 32 registers of the operand are the same. */
int warp_same(const struct wsim_op *op, enum wsim_operand operand, const struct wsim_regs *x,
              const struct wsim_regs *y);

/* Executes, and fails the test if that is refused. */
void warp_exec(const struct wsim_op *op, const struct wsim_arch *arch,
               const struct wsim_operands *io);

#endif
