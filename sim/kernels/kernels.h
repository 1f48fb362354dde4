/* kernels.h - products of whole fragments at once, with vectors.
 *
 * The plain path (num.h) computes one result from two lists of elements; it is the meaning. A
 * kernel computes the same bits of 16 rows times 8 columns, straight from registers: every fragment
 * of 16 rows is the same matrix of 32-bit words, whatever its elements, so that kernels know words
 * and formats and neither lanes nor instructions.
 *
 * Paths are sets of kernels for the same machine code, in files of their own: avx512.c ...
 * Each includes the same classes (half.h ...), written over vectors of VL lanes
 * (vec.h). What a kernel may be used for is said by its `takes`, from the columns of the row
 * of accum.def: within the bounds of its proof a new generation is a row and nothing else; outside,
 * the plain path answers.
 */
#ifndef WSIM_KERNELS_KERNELS_H
#define WSIM_KERNELS_KERNELS_H

#include "../num/num.h"

#include "../num/product.h"
#include <wsim/path.h>

/* 16 rows of A times `groups` times 8 columns of B. Registers are 32 words, a lane each; with
 * lane = 4 * g + t
 *   A  register 2 * i + h has word 4 * i + t of row g + 8 * h;
 *   B  of each group, register i has word 4 * i + t of column g;
 *   C, D  of each group: elements of 32 bits: register 2 * h + p has column 2 * t + p of row
 *      g + 8 * h; elements of 16 bits: register h has columns 2 * t, in its low half, and 2 * t
 * + 1. A word is as many elements along k as fit. Elements of 64 bits are two registers each, low
 * words first, where others are one. Rows and columns that are missing are registers of zeros on
 * one side, and of no interest on the other. Registers of D of a group may be any of B and C of the
 * same group, and of A if there is one group: all of these are read before any of those is written.
 */
struct num_strip {
    const uint32_t *const *a, *const *b, *const *c;
    uint32_t *const *d;
    unsigned groups;      /* at most 32                                                        */
    const uint32_t *meta; /* sparse: [chunk / 8][row]: nibble i is of chunk 8 * block + i      */
    const uint8_t *scales_a, *scales_b; /* block scale: factors [row][4] and [column][4]        */
};

/* The most registers that A has, and of each group B, C and D. */
enum { NUM_STRIP_A = 16, NUM_STRIP_B = 8, NUM_STRIP_C = 8 };

typedef void num_kernel_run(const struct wsim_code_product *how, const struct num_strip *strip);

/* Words of metadata of 16 rows out of a register: word i of block b is half number[i] ^ flip[b] of
 * it, and above that half number[i] ^ flip[b] ^ next. 0: a nibble of those that are `used` of a
 * word is undefined; bit n of `valid` is for nibble n. */
struct num_meta {
    const uint32_t *e;
    uint64_t numbers[2]; /* a byte for each row, below 64 */
    unsigned blocks, flip[2], next, valid;
    uint32_t used;
};
typedef int num_kernel_meta(const struct num_meta *meta, uint32_t (*to)[16]);

struct num_kernel {
    const char *name;
    int (*takes)(const struct wsim_code_product *how); /* its proof holds for this arithmetic */
    num_kernel_run *run;
    num_kernel_meta *read_meta;
};

/* Of each path, best first, the last one with no name. Empty where compiler or machine are others.
 */
extern const struct num_kernel wsim_kernels_avx512[], wsim_kernels_avx2[], wsim_kernels_vectors[];

/* The best kernel for this arithmetic on this machine among those of `most` and lower paths; NULL:
 * the plain path. *path says where it was found. */
const struct num_kernel *num_kernel_choose(const struct wsim_code_product *how, enum wsim_path most,
                                           enum wsim_path *path);

/* The kernel number `number` of a path. */
const struct num_kernel *num_kernel_at(enum wsim_path path, unsigned number);

#endif
