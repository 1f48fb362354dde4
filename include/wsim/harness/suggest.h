/* suggest.h - places for a tile of shared memory in which its accesses do not conflict.
 *
 * A fix is a function of the address for all accesses of the tile, those that fill it and those
 * that read it. So the search takes all accesses at once, and the model counts the cost (banks.h).
 * It tries two kinds. An exclusive-or of higher address bits into the bank bits needs no memory.
 * Padding adds a few bytes after each row.
 */
#ifndef WSIM_HARNESS_SUGGEST_H
#define WSIM_HARNESS_SUGGEST_H

#include "../banks.h"
#include "../swizzle.h"
#include "../umma.h"
#include "../wgmma.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An access of the tile, or one instruction in several steps of a loop. */
struct wsim_suggest_access {
    const struct wsim_op *op; /* ld st atom red ldmatrix stmatrix, or cp.async: its destination.
                                 A .cg copy, whose cost is unknown, counts as a store            */
    uint32_t mask;            /* bit l: lane l takes part                                        */
    unsigned bytes;           /* of cp.async, a lane: 4, 8 or 16                                 */
    const uint32_t *addr;     /* 32 byte addresses a step, from the beginning of the tile        */
    size_t steps;
};

struct wsim_suggest {
    const struct wsim_arch *arch;
    const struct wsim_suggest_access *access;
    size_t accesses;
    uint32_t pitch; /* bytes from row to row, for padding; 0: the distances between neighbouring
                       lanes are tried                                                           */
};

enum wsim_fix {
    WSIM_FIX_NONE, /* no change                                                                  */
    WSIM_FIX_XOR,  /* a ^ (a >> shift & mask)                                                    */
    WSIM_FIX_PAD   /* a + a / pitch * pad                                                        */
};

struct wsim_suggestion {
    enum wsim_fix fix;
    uint32_t mask; /* XOR: the bits that change. All are below 128, so that every byte stays in its
                      line of 128 bytes, of which the tile has whole ones                       */
    unsigned shift;
    uint32_t align;      /* of the beginning of the tile, if `address` is the absolute one  */
    uint32_t pitch, pad; /* PAD                                                            */
    enum wsim_swizzle
        swizzle; /* the mode of tensor copies and wgmma that is the same; NONE: none */
    uint64_t wavefronts, ideal, conflicts; /* of all accesses together                           */
    uint64_t bytes;                        /* PAD: that the tile grows by                        */
};

/* The place of the byte at `address` of the tile. */
WSIM_API uint32_t wsim_suggestion_apply(const struct wsim_suggestion *suggestion, uint32_t address);

/* Writes the fix as an expression of C over `a`, as snprintf does; at most 63 characters. */
WSIM_API size_t wsim_suggestion_spell(const struct wsim_suggestion *suggestion, char *out,
                                      size_t size);

/* Looks for fixes of one kind. Writes the best `max` fixes to `out`, best first, and the number of
 * all to *found. Fewer conflicts are better, then fewer bytes, then a mode of the hardware, then
 * fewer bits. A fix must cost fewer wavefronts than the tile without one; WSIM_FIX_NONE gives the
 * cost without a fix. Both kinds keep each access whole and aligned. Time: some 200 (XOR) or 1000
 * (PAD) counts of every step. Errors, in the order checked: WSIM_OPERAND (no access, or one without
 * steps), and those of wsim_banks_count and wsim_banks_copy for the accesses without a fix. */
WSIM_API enum wsim_status wsim_suggest_fixes(const struct wsim_suggest *what, enum wsim_fix fix,
                                             struct wsim_suggestion *out, size_t max, size_t *found,
                                             struct wsim_diag *diag);

/* The cost of one access with a fix: its sums are the counts of *suggestion. Errors as above. */
WSIM_API enum wsim_status wsim_suggest_cost(const struct wsim_arch *arch,
                                            const struct wsim_suggest_access *access,
                                            struct wsim_suggestion *suggestion,
                                            struct wsim_diag *diag);

/* --- descriptors --- */

/* The descriptor of a step along k of a tile, 32 bytes of each row. The tile is a matrix operand of
 * wgmma at `at` in shared memory. Its lines are as long as the swizzle (16 bytes without one) and
 * run along k, or along rows if it is MN-major. Lines follow each other; longer rows continue in
 * another block of lines, as tensor copies write such boxes. Errors: WSIM_ILLEGAL (parts of lines
 * or of steps), those of wsim_descriptor_encode. */
WSIM_API enum wsim_status wsim_suggest_descriptor(const struct wsim_tile *tile, uint32_t at,
                                                  enum wsim_swizzle mode, uint32_t step,
                                                  struct wsim_descriptor *descriptor,
                                                  uint64_t *bits, struct wsim_diag *diag);

/* The same for tcgen05, a tile as CuTe lays it out. Atoms follow each other along the rows, then
 * along k. An atom has 8 lines of the span of the swizzle (128B_ATOM_32B: 4 lines), without a
 * swizzle lines of 16 bytes. An unused leading offset is 16 if k lies along the lines, else 0.
 * Errors: a tile that atoms do not fill; those of wsim_umma_matrix_encode. Source: CUTLASS 4,
 * make_umma_desc (tests/unit/suggest/umma_matrix.tsv). */
WSIM_API enum wsim_status wsim_suggest_umma(const struct wsim_tile *tile, uint32_t at,
                                            enum wsim_swizzle mode, uint32_t step,
                                            struct wsim_descriptor *descriptor, uint64_t *bits,
                                            struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
