/* group.h - what a warpgroup multiplies: descriptors, addresses and fragments, formula by formula.
 */
#ifndef ORACLE_GROUP_H
#define ORACLE_GROUP_H

#include "place.h"

/* The fields of a descriptor, bytes; `mode` as its bits 62 and 63 have it. */
struct group_view {
    uint32_t start, leading, stride;
    int mode;
    uint32_t base; /* line of the pattern that the first 128 bytes have */
};

uint64_t group_encode(struct group_view view);

/* Bytes that lie together under the mode: 16, 128, 64, 32. */
int group_span(int mode);

/* Address of the first byte of element k of line `line` (a row of A, a column of B), with elements
 * of `width` bits. For one-bit elements it is the byte of the bit. `along_lines`: neighbours are of
 * other lines. */
uint32_t group_where(uint64_t descriptor, int width, int along_lines, int line, int k);

/* A and B of one instruction as raw bits, signs flipped where it says so: a[row * stored + i] and
 * b[col * k + i]. */
struct group_operands {
    const struct oracle_op *op;
    const struct wsim_wgmma *io;
    int stored;
    uint64_t a[64 * 256], b[256 * 256];
};

void group_read(const struct oracle_op *op, const struct wsim_wgmma *io,
                struct group_operands *operands);

/* Where an element of D or C, and where one of A is: thread, and element of its registers. */
struct group_slot {
    int thread, elem;
};
struct group_slot group_slot_d(int row, int col);
struct group_slot group_slot_a(int width, int row, int stored);

uint64_t group_get(const struct wsim_group_regs *regs, int width, struct group_slot slot);
void group_set(struct wsim_group_regs *regs, int width, struct group_slot slot, uint64_t bits);

/* D[row][col] as `arch` has it, which is one with warpgroups. */
uint64_t group_result(const struct group_operands *operands, const char *arch, int row, int col);

#endif
