/* umma.h - products of the Blackwell tensor core (tcgen05.mma). Their types and their shape come
 * from an instruction descriptor, so a product is known only at run time. */
#ifndef WSIM_EXEC_UMMA_H
#define WSIM_EXEC_UMMA_H

#include "product.h"

/* Types and shape of a product. */
struct umma_shape {
    const struct wsim_format *a, *b, *d;
    const struct wsim_format *factor; /* of scale factors; NULL: no block scale                 */
    uint16_t m, n;                    /* of the instruction, for both blocks of a pair          */
    uint8_t k;                        /* elements of a column of B                              */
    uint8_t pattern;                  /* enum isa_pattern_id of a sparse A                      */
    uint8_t blocks;                   /* scale factors of a row                                 */
    uint8_t saturate;
};

/* Fills *how with the arithmetic of `accum` for a product of this shape. */
void umma_choose(const struct umma_shape *shape, const struct isa_accum *accum,
                 struct wsim_code_product *how);

#endif
