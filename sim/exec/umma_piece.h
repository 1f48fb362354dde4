/* umma_piece.h - strips of rows of a product of tcgen05, for kernels. */
#ifndef WSIM_EXEC_UMMA_PIECE_H
#define WSIM_EXEC_UMMA_PIECE_H

#include "strip.h"
#include "umma.h"

enum {
    ROWS = 16,
    COLS = 8,
    WORDS = 4,   /* along k, of a register                                                      */
    REGS_A = 4,  /* of a strip: rows of A have 32 bytes                                         */
    STRIPS = 4,  /* in half of umma_rows                                                        */
    REGS_B = 12, /* at once                                                                     */
    GROUPS = 6,  /* at once                                                                     */
    REGS_D = 4   /* of a group                                                                  */
};

/* A piece of a product: a strip of rows. */
struct umma_piece {
    const struct umma_run *run;
    const struct wsim_code_product *how; /* as the kernel has it                                */
    unsigned block, part, row;           /* of the strip: its first row                         */
};

/* The sign bits of a word of elements. */
static inline uint32_t umma_signs(const struct wsim_format *format, unsigned bits,
                                  unsigned narrow) {
    unsigned sign = narrow ? format->bits + format->pad - 1u : bits - 1u;
    uint32_t all = 0;
    for (unsigned at = sign; at < 32; at += bits)
        all |= UINT32_C(1) << at;
    return all;
}

/* The column of D that column `col` of a group is for the kernel. Registers of D have every second
 * column of a row, but words of tensor memory lie side by side. So the kernel gets columns of 32
 * bits in an order in which a register of D has neighbours. */
static inline unsigned umma_column_of(const struct wsim_code_product *how, unsigned col) {
    return how->d->bits == 16 ? col : 4 * (col % 2) + col / 2;
}

/* Strips from the row of a piece on that are multiplied with the same registers of B. The caller
 * has those of A for one half, as a frame has less than 4 KB. */
struct umma_rows {
    unsigned strips;
    uint32_t (*a[2])[WSIM_LANES]; /* of STRIPS strips each                                      */
};

/* Multiplies them by all columns of the part. */
void umma_rows_multiply(struct umma_piece *p, struct umma_rows *rows);

/* Loads the strip of an A in tensor memory. */
void umma_piece_load_a(const struct umma_piece *p, uint32_t (*to)[WSIM_LANES]);

/* Multiplies a strip by `count` groups of columns from `first` on, of its part. */
void umma_piece_multiply(const struct umma_piece *p, const uint32_t (*a)[WSIM_LANES],
                         const uint32_t (*b)[WSIM_LANES], unsigned first, unsigned count);

#endif
