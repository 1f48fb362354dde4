/* shrink_unit.h - elements of the inputs in a block: where they are, what is simple. */
#ifndef TOOLS_SHRINK_UNIT_H
#define TOOLS_SHRINK_UNIT_H

#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

/* Words of a block, elements in it: at most. */
enum { SHRINK_WORDS = WSIM_CASE_WARP_ROWS * WSIM_LANES, SHRINK_UNITS = 1 << 14 };

/* Why cases of `op` are not made small; NULL: they are. */
const char *shrink_refusal(const struct wsim_op *op);

/* One element of an operand in a block: the smallest thing that is made simpler. */
struct shrink_unit {
    uint8_t which, lane; /* enum wsim_input */
    uint16_t elem;
};

/* All elements of the inputs of a plan, in the order of the block; at most SHRINK_UNITS. */
unsigned shrink_units(const struct wsim_plan *plan, struct shrink_unit *units);

uint64_t shrink_get(const struct wsim_plan *plan, struct shrink_unit unit, const uint32_t *in);
void shrink_set(const struct wsim_plan *plan, struct shrink_unit unit, uint32_t *in, uint64_t bits);

/* The neutral value of an element: zero; of metadata the lowest defined nibble; of a scale 1. */
uint64_t shrink_rest(const struct wsim_plan *plan, struct shrink_unit unit);

/* Simpler bits for an element of A, B or C, the simplest first; at most `max`. */
unsigned shrink_simpler(const struct wsim_op *op, const struct wsim_plan *plan,
                        struct shrink_unit unit, uint64_t bits, uint64_t *out, unsigned max);

/* Elements of the matrices, registers and window of a block that are not zero. */
unsigned shrink_operands(const struct wsim_plan *plan, const uint32_t *in);

#endif
