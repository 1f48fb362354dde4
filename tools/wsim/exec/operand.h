/* operand.h - what the registers of an instruction hold, from a word on the command line. */
#ifndef WSIM_OPERAND_H
#define WSIM_OPERAND_H

#include <jansson.h>
#include <wsim/wsim.h>

/* Registers of one operand, of a warp or of a warpgroup. */
union operand_regs {
    struct wsim_regs warp;
    struct wsim_group_regs group;
    uint32_t words[WSIM_GROUP_REGS * WSIM_GROUP_THREADS];
};

/* How numbers become elements. */
struct operand_reading {
    int round; /* what the type does not have exactly is rounded to nearest even, not refused */
    int bits;  /* unsigned integers of a .npy file are the bits of elements                    */
};

/* Fills `operand` of `op` as `text` says:
 *     zero one eye iota   numbers of the operand's type; iota counts 0, 1, 2, ... row by row and
 *                         starts again after the last integer that the type holds exactly, or 256
 *     random:SEED         moderate finite numbers; sparse metadata: any valid positions
 *     keep                sparse metadata only: the first positions of each chunk
 *     I,J=NUMBER; ...     elements of a matrix, * for all rows or columns; others are 0
 *     FILE.csv FILE.npy   the whole matrix
 *     [hex:]DIGITS @FILE  registers one after another, 32 lanes x 8 digits each (64-bit: 16);
 *                         of a warpgroup 128 lanes
 * TOOL_GO, or the status after saying what is wrong. */
int operand_fill(const struct wsim_op *op, const struct wsim_arch *arch, enum wsim_operand operand,
                 const char *text, const struct operand_reading *reading, unsigned selector,
                 union operand_regs *regs);

/* The raw elements of a matrix, row by row, as one of the words above but hex and @FILE says. */
int operand_matrix(enum wsim_operand operand, const struct wsim_layout *layout, const char *text,
                   const struct operand_reading *reading, uint64_t *matrix);

/* The word for an operand that was not given. */
const char *operand_default(enum wsim_operand operand);

/* `size` bytes of shared memory as `text` says: zero, iota8, iota16, iota32, random:SEED, and as in
 * traces @mix:SEED:LENGTH and @fill:BB:LENGTH. For these two, hex and @FILE the size is theirs. To
 * be freed; NULL after saying what is wrong. */
uint8_t *operand_memory(const char *text, uint32_t *size);

/* Registers as hex digits, as operand_fill reads them; bytes as two digits each. To be freed. */
char *operand_hex(const struct wsim_layout *layout, const uint32_t *words);
char *operand_bytes_hex(const uint8_t *bytes, uint32_t size);

#endif
