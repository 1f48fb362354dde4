/* shrink.h - a case in which two sides differ, made small: the same element still differs, and
 * fewer operands are left. Who the two sides are (a GPU and the model, two models) only the judge
 * knows; what a smaller operand is, this knows: zero, the lowest defined metadata, a scale of one,
 * then 1, powers of two, fewer bits.
 */
#ifndef TOOLS_SHRINK_H
#define TOOLS_SHRINK_H

#include <wsim/wsim.h>

enum { SHRINK_WORDS = WSIM_CASE_ROWS * WSIM_LANES, SHRINK_BATCH = 64, SHRINK_UNITS = 1 << 14 };

/* Where results differ: an element of D, or a byte of the window. */
struct shrink_target {
    unsigned reg, lane, lsb, bits; /* in the block of results            */
    unsigned differing;            /* how many elements or bytes differ  */
    struct wsim_coord at;          /* element of D                       */
};

/* One element of an operand in a block: the smallest thing that is made simpler. */
struct shrink_unit {
    uint8_t which, lane; /* enum wsim_input */
    uint16_t elem;
};

struct shrink {
    struct wsim_op op;
    struct wsim_plan plan;
    struct shrink_target target;
    /* Says of each of `n` blocks (one behind the other) whether the target still differs. 0, or -1
     * if that cannot be found out any more: then the work ends with what there is. */
    int (*judge)(void *about, const uint32_t *blocks, unsigned n, uint8_t *differs);
    void *about;
    unsigned batch; /* blocks that the judge gets at once, 1 to SHRINK_BATCH; changes no result */
    unsigned limit; /* blocks that it gets in all, nearly                                       */
    unsigned asked; /* blocks that it got                                                       */
};

/* The first element in which two results differ, and how many do; 0: none. */
int shrink_find(const struct wsim_op *op, const struct wsim_plan *plan, const uint32_t *expected,
                const uint32_t *got, struct shrink_target *target);

/* The bits of the target in a result, and other bits there. */
uint64_t shrink_result(const struct shrink_target *target, const uint32_t *out);
void shrink_set_result(const struct shrink_target *target, uint32_t *out, uint64_t bits);

/* Elements of the matrices, registers and window of a block that are not zero. */
unsigned shrink_operands(const struct wsim_plan *plan, const uint32_t *in);

/* Brings to rest what the layouts say the target is not made of: other rows of A, other columns of
 * B and what the metadata does not name there, other elements of C, their metadata and scales; of a
 * move, what is not moved there on `arch`.
 */
void shrink_isolate(const struct shrink *shrink, const struct wsim_arch *arch, uint32_t *in);

/* Makes `in`, which differs, as small as the judge lets it: first shrink_isolate if the judge
 * agrees, then element by element. Deterministic. */
void shrink_run(struct shrink *shrink, const struct wsim_arch *arch, uint32_t *in);

/* --- shrink_unit.c: elements in a block --- */

/* All elements of the inputs of a plan, in the order of the block; at most SHRINK_UNITS. */
unsigned shrink_units(const struct wsim_plan *plan, struct shrink_unit *units);

uint64_t shrink_get(const struct wsim_plan *plan, struct shrink_unit unit, const uint32_t *in);
void shrink_set(const struct wsim_plan *plan, struct shrink_unit unit, uint32_t *in, uint64_t bits);

/* What an element is when it says nothing: zero; metadata the lowest defined nibble; a scale 1. */
uint64_t shrink_rest(const struct wsim_plan *plan, struct shrink_unit unit);

/* Simpler bits for an element of A, B or C, the simplest first; at most `max`. */
unsigned shrink_simpler(const struct shrink *shrink, struct shrink_unit unit, uint64_t bits,
                        uint64_t *out, unsigned max);

#endif
