/* operand.h - what the registers of an instruction hold, from a word on the command line. */
#ifndef WSIM_OPERAND_H
#define WSIM_OPERAND_H

#include <jansson.h>
#include <wsim/wsim.h>

/* Fills `operand` of `op` as `text` says:
 *     zero one eye iota   numbers of the operand's type; iota counts 0, 1, 2, ... row by row and
 *                         starts again after the last integer that the type holds exactly, or 256
 *     random:SEED         moderate finite numbers; sparse metadata: any valid positions
 *     keep                sparse metadata only: the first positions of each chunk
 *     [hex:]DIGITS @FILE  registers one after another, 32 lanes x 8 digits each (64-bit: 16)
 * TOOL_GO, or the status after saying what is wrong. */
int operand_fill(const struct wsim_op *op, enum wsim_operand operand, const char *text,
                 unsigned selector, struct wsim_regs *regs);

/* The word for an operand that was not given. */
const char *operand_default(enum wsim_operand operand);

/* `size` bytes of shared memory as `text` says: zero, iota8, iota16, iota32, random:SEED. For hex
 * and @FILE the size is theirs. To be freed; NULL after saying what is wrong. */
uint8_t *operand_memory(const char *text, uint32_t *size);

/* Registers as hex digits, as operand_fill reads them; bytes as two digits each. To be freed. */
char *operand_hex(const struct wsim_layout *layout, const struct wsim_regs *regs);
char *operand_bytes_hex(const uint8_t *bytes, uint32_t size);

#endif
