/* product.h - the arithmetic of a product: formats, lists of k, steps. It is part of a prepared
 * instruction (exec/work.h), and the input of kernels.
 */
#ifndef WSIM_NUM_PRODUCT_H
#define WSIM_NUM_PRODUCT_H

#include <wsim/format.h>
#include <wsim/warp.h>

/* How the lists of k become results. */
struct wsim_code_product {
    const struct wsim_format *a, *b, *c, *d; /* in registers                                   */
    const struct wsim_format *in_a, *in_b;   /* in the multiplication                          */
    const struct wsim_format *result;        /* D, or C if it is wider                         */
    const struct wsim_format *factor;        /* block scale: of factors                        */
    uint8_t method, width, keep, frac, result_frac, rounding;
    int16_t floor;
    uint16_t rows;          /* rows of D in all batches; wgmma: in all warps                    */
    uint16_t cols;          /* columns of B in all batches                                      */
    uint8_t batch_rows;     /* rows of D in a batch                                             */
    uint16_t batch_cols;    /* columns of B in a batch                                          */
    uint8_t k, k_dense;     /* elements of a row of A, and of a column of B                     */
    uint8_t bits_a, bits_b; /* bits that store an element                                       */
    uint8_t split;          /* half of k, if the order of k is not ascending                    */
    uint8_t chunk, kept;    /* sparse: columns of A per nibble of metadata, and those kept      */
    uint16_t valid;         /* sparse: bit n is set if nibble n is defined                      */
    uint16_t selectors;
    uint8_t blocks;     /* block scale: factors of a row                                    */
    uint8_t threads[2]; /* block scale: thread-ids of A and B                               */
    uint8_t scale_frac; /* block scale: fraction bits of two factors                        */
    uint8_t direction;  /* enum wsim_rounding of a chain                                    */
    uint8_t saturate, exclusive;
    uint8_t begins; /* SCALAR: how each run of `width` products begins                  */
};

#endif
