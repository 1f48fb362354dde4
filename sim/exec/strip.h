/* strip.h - products by kernels: registers as strips of 16 rows and groups of 8 columns. */
#ifndef WSIM_EXEC_STRIP_H
#define WSIM_EXEC_STRIP_H

#include "../kernels/kernels.h"
#include "descriptor.h"
#include "product.h"

/* Finds out whether the fragments of code->op are strips, and the best kernel that code->flags
 * allow; without either the plain path remains. */
void strip_prepare(struct wsim_code *code);

/* The best kernel for this arithmetic that code->flags allow, in code->work; 0: there is none. */
int strip_choose(struct wsim_code *code, const struct wsim_code_product *how);

/* Loads a register of a strip from a matrix in shared memory: 8 rows from `row` on. It takes 16
 * bytes of each row, number `block` along k. Elements of an MN-major matrix have 16 bits. The bits
 * of `negate` are flipped. */
void strip_load_block(const struct wsim_memory *shared, const struct wsim_descriptor *d,
                      const struct wsim_tile *tile, unsigned row, unsigned block, uint32_t negate,
                      uint32_t *to);

/* Finds out how metadata and scale factors are picked; 0: not by numbers that are linear. */
int strip_prepare_picks(struct wsim_code *code);

/* The product of an mma or a wmma.mma by its kernel, from registers that are there. 0: an operand
 * is to be refused, or the kernel left something to the plain path, which does either; nothing was
 * written. */
int strip_mma(const struct wsim_code *code, const struct wsim_io *io);

/* The metadata of each warp as kernels have it, where `selector` says; 0: it is not all defined. */
typedef uint32_t strip_meta[PRODUCT_MAX_CHUNKS / 8][16];
int strip_read_meta(const struct wsim_code *code, const uint32_t *const *e, unsigned selector,
                    strip_meta *meta);

/* The scale factors of rows, then of columns; 0: a register is missing, or what selects them is out
 * of range. */
int strip_read_scales(const struct wsim_code *code, const struct wsim_io *io,
                      uint8_t (*scales)[16][PRODUCT_MAX_BLOCKS]);

/* Whether this is an mma that can run a row at a time. It has a kernel, and its registers are
 * those of a group, unchanged. Takes code of any operation. */
static inline int strip_is_row(const struct wsim_code *code) {
    return work_of(code)->strip.in_place;
}

/* Runs `count` (at most 32) dense mma with the same A but different B and accumulators. The
 * registers of each follow those of the one before. D may take the place of C. */
void strip_row(const struct wsim_code *code, const uint32_t *const *a, const uint32_t *const *b,
               const uint32_t *const *c, uint32_t *const *d, unsigned count);

/* A part of a warpgroup's product: `count` groups of 8 columns from group `first` on. */
enum { STRIP_GROUPS = 8 };
struct strip_group {
    unsigned first, count;
    const uint32_t (*a)[WSIM_LANES]; /* [warp][register of a strip]                             */
    const uint32_t (*b)[WSIM_LANES]; /* [group][register]                                       */
    const strip_meta *meta; /* sparse: [warp]                                              */
    struct product_in c; /* neither rows nor words: zeros                                       */
    struct product_out d;
};

/* Multiplies it by a kernel, warp after warp. */
void strip_groups(const struct wsim_code *code, const struct strip_group *group);

#endif
