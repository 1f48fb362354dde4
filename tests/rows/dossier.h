/* dossier.h - operands in eleven distributions. Each one shows a mistake of fast arithmetic that
 * the others hide. Examples are zeros that raise the maximum of exponents, a sum of 33 bits, a term
 * rounded down, a floor that is off by one.
 */
#ifndef TESTS_ROWS_DOSSIER_H
#define TESTS_ROWS_DOSSIER_H

#include "../every.h"

#include <wsim/harness/cases.h>

enum dossier_dist {
    DOSSIER_RAW,      /* any bits; half of the tiles without infinities and NaN in A and B        */
    DOSSIER_NEAR_ONE, /* exponents about zero                                                     */
    DOSSIER_CANCEL,   /* opposite pairs along k, C often about minus one product                  */
    DOSSIER_WIDE,     /* every exponent there is                                                  */
    DOSSIER_TINY,     /* subnormals mostly, and a few ordinary numbers                            */
    DOSSIER_HUGE,     /* products and sums about the end of the range                             */
    DOSSIER_ZEROS,    /* mostly zeros of both signs, rows of nothing else, C tiny or zero         */
    DOSSIER_SPECIALS, /* infinities, NaN and ends of the range among ordinary numbers             */
    DOSSIER_FULL,     /* significands of ones, equal signs: the largest sums                      */
    DOSSIER_POWERS,   /* powers of two and sums of two: ties                                      */
    DOSSIER_FLOOR,    /* products about the least exponent of alignment                           */
    DOSSIER_DISTS
};

const char *dossier_name(unsigned dist);

/* Whether dossier_fill makes the operands: A, B and C of one warp, in registers. */
int dossier_knows(const struct wsim_plan *plan);

/* A, B and C in the block `in` of a case (cases.h), anew. */
void dossier_fill(const struct wsim_op *op, const struct wsim_arch *arch,
                  const struct wsim_plan *plan, enum dossier_dist dist, uint64_t *seed,
                  uint32_t *in);

#endif
