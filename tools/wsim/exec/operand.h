/* operand.h - registers and memory of an instruction, from a word on the command line. */
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
    int round; /* rounds inexact numbers to nearest even, instead of refusing them */
    int bits;  /* unsigned integers of a .npy file are the bits of elements        */
};

/* Fills `operand` of `op` from `text`:
 *     zero one eye iota   numbers of the operand's type; iota counts 0, 1, 2, ... row by row and
 *                         starts again after the last integer that the type holds exactly, or 256
 *     random:SEED         moderate finite numbers; sparse metadata: any valid positions
 *     keep                sparse metadata only: the first positions of each chunk
 *     I,J=NUMBER; ...     elements of a matrix, * for all rows or columns; others are 0
 *     FILE.csv FILE.npy   the whole matrix
 *     [hex:]DIGITS @FILE  registers one after another, 32 lanes x 8 digits each (64-bit: 16);
 *                         of a warpgroup 128 lanes */
void operand_fill(const struct wsim_op *op, const struct wsim_arch *arch, enum wsim_operand operand,
                  const char *text, const struct operand_reading *reading, unsigned selector,
                  union operand_regs *regs);

/* The raw elements of a matrix, row by row, from one of the words above but hex and @FILE. An
 * error message lists the words and `others`. */
void operand_matrix(enum wsim_operand operand, const struct wsim_layout *layout, const char *text,
                    const struct operand_reading *reading, const char *others, uint64_t *matrix);

/* The default word of an operand. */
const char *operand_default(enum wsim_operand operand);

/* `size` bytes of shared memory from `text`: zero, iota8, iota16, iota32 or random:SEED. With a
 * size of their own: hex, @FILE and the words of traces @mix:SEED:LENGTH and @fill:BB:LENGTH. To be
 * freed. */
uint8_t *operand_memory(const char *text, uint32_t *size);

/* Registers as hex digits, as operand_fill reads them; bytes as two digits each. To be freed. */
char *operand_hex(const struct wsim_layout *layout, const uint32_t *words);
char *operand_bytes_hex(const uint8_t *bytes, uint32_t size);

/* Whether `text` is "I,J=NUMBER; ..." or the name of a .csv or .npy file. */
int operand_is_numbers(const char *text);

/* Fills the raw elements of a matrix, row by row, batch after batch. `what` is the option. */
void operand_numbers(const char *what, const struct wsim_layout *layout, const char *text,
                     const struct operand_reading *reading, uint64_t *matrix);

/* Word `i` of stream `seed` of a counter-based generator. */
uint64_t operand_random(uint64_t seed, uint64_t i);

/* Whether it is "random:SEED"; its SEED, or 0 of another text. */
int operand_is_random(const char *text);
uint32_t operand_seed(const char *what, const char *text);

/* Whether it is hex digits, "hex:..." or "@FILE". */
int operand_is_hex(const char *text);

#endif
