/* why.h - the computation of one element of a product: its factors, their registers, and each step
 * of the sum on the plain path.
 *
 *     static struct wsim_why why;    // about 30 KB
 *     struct wsim_coord at = {0, 3, 5};
 *     wsim_why(&code, &io, at, &why, &diag);
 *     bits = why.step[why.steps - 1].after;    // the bits of D, equal to those of wsim_run
 *
 * The plain path itself computes the element and reports each step, so there is no second
 * implementation. Sources of the arithmetic: docs/numerics.md.
 */
#ifndef WSIM_WHY_H
#define WSIM_WHY_H

#include "code.h"
#include "why_step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- the arithmetic --- */

/* How products become a result: rows of sim/isa/accum.def. */
enum wsim_method {
    WSIM_METHOD_FUSED,   /* steps of `width` products and the accumulator, aligned and cut       */
    WSIM_METHOD_SPLIT,   /* the same from +0 on, positions k mod 4 in {0, 1} first; then C added */
    WSIM_METHOD_SCALAR,  /* chains of fused multiply-adds in runs of `width`, added to C         */
    WSIM_METHOD_GROUPED, /* exact sums of `width` products, aligned by their scales              */
    WSIM_METHOD_CHAIN,   /* IEEE fused multiply-adds, ascending                                  */
    WSIM_METHOD_EXACT,   /* whole numbers: exact, then wrapped or clamped once                   */
    WSIM_METHOD_COUNT    /* C and the number of one bits                                         */
};

/* "fused", "split" ...; NULL for anything else. */
WSIM_API const char *wsim_method_name(enum wsim_method method);

/* In words: "to nearest even", "toward zero" ...; NULL for anything else. */
WSIM_API const char *wsim_rounding_words(enum wsim_rounding rounding);

/* The arithmetic of a product. Two operations with equal fields give the same bits for the same
 * elements. So does one operation on two architectures with equal fields. */
struct wsim_arithmetic {
    uint8_t method;      /* enum wsim_method                                                     */
    uint8_t width;       /* products of a step; 0 where each is a step, or all are               */
    uint8_t keep;        /* FUSED, SPLIT, GROUPED: bits kept below the largest exponent          */
    uint8_t result_frac; /* ... fraction bits of what a step leaves                              */
    uint8_t rounding;    /* enum wsim_rounding of what a step leaves                             */
    uint8_t saturate;    /* EXACT: clamped, else wrapped                                         */
    int16_t floor;       /* FUSED, SPLIT, GROUPED: the least exponent that is aligned to         */
    const struct wsim_format *a, *b;  /* what elements are multiplied as                          */
    const struct wsim_format *result; /* what is accumulated in                                  */
};

/* Errors: WSIM_ILLEGAL (`code` is no product). *arithmetic is untouched then. */
WSIM_API enum wsim_status wsim_code_arithmetic(const struct wsim_code *code,
                                               struct wsim_arithmetic *arithmetic,
                                               struct wsim_diag *diag);

/* --- one element --- */

/* An element of an operand, and where it was held. Elements of 1 bit come 32 at once, a register:
 * `at` and `place` are of the first. */
struct wsim_why_element {
    struct wsim_coord at;    /* in the operand: A (row, stored k), B (k, column)                 */
    struct wsim_place place; /* in the registers, the first where there are several              */
    uint8_t places;          /* how many hold it; 0: it is in shared memory                      */
    uint8_t in_tensor;       /* place.lane and place.reg are lane and column of tensor memory    */
    uint32_t address;        /* ... in the byte there,                                           */
    uint32_t linear;         /* which would be this one without the swizzle                      */
    uint64_t bits;           /* of the container                                                 */
};

/* A product. */
struct wsim_why_term {
    struct wsim_why_element a, b;
    uint16_t k;     /* row of B; sparse: which one the metadata picked                          */
    uint8_t block;  /* block scale: which factors                                               */
    uint8_t nibble; /* sparse: the metadata of its chunk,                                       */
    struct wsim_place pair; /* ... and where that is                                             */
};

/* Factors of a block of k. */
struct wsim_why_factors {
    struct wsim_why_element a, b;
};

enum {
    WSIM_WHY_TERMS = 128,
    WSIM_WHY_STEPS = WSIM_WHY_TERMS + 8,
    WSIM_WHY_ADDENDS = WSIM_WHY_TERMS + WSIM_WHY_STEPS,
    WSIM_WHY_BLOCKS = 4
};

struct wsim_why {
    struct wsim_arithmetic arithmetic;
    struct wsim_why_element c, d; /* c: as it was; where nothing is added it has no places       */
    uint8_t adds;                 /* C is added                                                  */
    uint8_t negate_a, negate_b;   /* wgmma: products have the sign of A, of B, flipped           */
    uint8_t blocks;
    uint16_t terms, steps, addends;
    struct wsim_why_factors factors[WSIM_WHY_BLOCKS];
    struct wsim_why_term term[WSIM_WHY_TERMS]; /* in the order of the sum                        */
    struct wsim_why_step step[WSIM_WHY_STEPS];
    struct wsim_why_addend addend[WSIM_WHY_ADDENDS];
};

/* Explains element `at` of D of mma, wgmma, wmma.mma or tcgen05.mma with the operands *io. Its d
 * need not be there and is not written; that of tcgen05 is C, and stays. After the last step stands
 * what wsim_run leaves. Errors, in the order checked: WSIM_ILLEGAL (`code` is no product),
 * WSIM_OPERAND (D has no such element), then those of wsim_run but for d. *why holds nothing then.
 */
WSIM_API enum wsim_status wsim_why(const struct wsim_code *code, const struct wsim_io *io,
                                   struct wsim_coord at, struct wsim_why *why,
                                   struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
