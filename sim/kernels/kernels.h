/* kernels.h - products of whole fragments at once, with vectors.
 *
 * The plain path (num.h) computes one result from two lists of elements; it defines the result. A
 * kernel computes the same bits for 16 rows times 8 columns, straight from registers. Every
 * fragment of 16 rows is the same matrix of 32-bit words for all element types. So kernels depend
 * on words and formats, but on neither lanes nor instructions.
 *
 * A path is the set of kernels for one instruction set, in one file: avx512.c ... Each file
 * includes the same classes (half.h ...), written over vectors of VL lanes (vec.h). `takes` of a
 * kernel decides from the columns of a row of accum.def whether the kernel's proof holds. If it
 * does, a new generation is only a new row; otherwise the plain path computes the result.
 */
#ifndef WSIM_KERNELS_KERNELS_H
#define WSIM_KERNELS_KERNELS_H

#include "../num/num.h"

#include "../num/product.h"
#include <wsim/path.h>

/* 16 rows of A times `groups` times 8 columns of B. A register is 32 words, one for each lane. With
 * lane = 4 * g + t:
 *   A     register 2 * i + h has word 4 * i + t of row g + 8 * h;
 *   B     of each group, register i has word 4 * i + t of column g;
 *   C, D  of each group, 32-bit elements: register 2 * h + p has column 2 * t + p of row g + 8 * h;
 *         16-bit elements: register h has columns 2 * t (low half) and 2 * t + 1.
 * A word holds as many elements along k as fit. An element of 64 bits takes two registers instead
 * of one, the low words first. Missing rows and columns are registers of zeros in the inputs, and
 * are ignored in D. Registers of D may be registers of B and C of their group, and of A if there is
 * one group. A kernel reads all inputs before it writes D. */
struct num_strip {
    const uint32_t *const *a, *const *b, *const *c;
    uint32_t *const *d;
    unsigned groups;      /* at most 32                                                        */
    const uint32_t *meta; /* sparse: [chunk / 8][row]: nibble i is of chunk 8 * block + i      */
    const uint8_t *scales_a,
        *scales_b; /* block scale: factors [row][4], and [column][4] of all groups */
};

/* Scale factors of a group of columns. */
enum { NUM_SCALES = 8 * 4 };

/* The largest number of registers of A, and of B, C and D in each group. */
enum { NUM_STRIP_A = 16, NUM_STRIP_B = 8, NUM_STRIP_C = 8 };

typedef void num_kernel_run(const struct wsim_code_product *how, const struct num_strip *strip);

/* Reads words of metadata of 16 rows from register e. Word i of block b has half number[i] ^
 * flip[b] of the register, and in its upper half number[i] ^ flip[b] ^ next. Returns 0 if a nibble
 * in `used` is undefined; bit n of `valid` allows the value n. */
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

/* The kernels of each path, best first; the last one has no name. Empty if the compiler or the
 * machine lacks the path. */
extern const struct num_kernel wsim_kernels_avx512[], wsim_kernels_avx2[], wsim_kernels_vectors[];

/* Returns the best kernel for this arithmetic on this machine, among path `most` and lower ones, or
 * NULL for the plain path. *path is the path of the kernel. */
const struct num_kernel *num_kernel_choose(const struct wsim_code_product *how, enum wsim_path most,
                                           enum wsim_path *path);

/* Kernel `number` of a path. */
const struct num_kernel *num_kernel_at(enum wsim_path path, unsigned number);

#endif
