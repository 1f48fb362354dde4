/* product.h - the arithmetic of a product: formats, lists of k, steps. Part of a prepared
 * instruction (exec/work.h); kernels compute by it.
 */
#ifndef WSIM_NUM_PRODUCT_H
#define WSIM_NUM_PRODUCT_H

#include <wsim/format.h>
#include <wsim/warp.h>

/* How the lists of k become results. */
struct wsim_code_product {
    const struct wsim_format *a, *b, *c, *d; /* as the registers have them                     */
    const struct wsim_format *in_a, *in_b;   /* as they are multiplied                         */
    const struct wsim_format *result;        /* D, or C if that is wider                       */
    const struct wsim_format *factor;        /* block scale: of factors                        */
    uint8_t method, width, keep, frac, result_frac, rounding;
    int16_t floor;
    uint16_t rows;          /* of D, with those of all batches; wgmma: of all warps             */
    uint16_t cols;          /* of B, with those of all batches                                  */
    uint8_t batch_rows;     /* of D that are multiplied with ...                                */
    uint16_t batch_cols;    /* ... so many columns                                              */
    uint8_t k, k_dense;     /* elements of a row of A, and of a column of B                     */
    uint8_t bits_a, bits_b; /* an element is kept in                                           */
    uint8_t split;          /* half of k, if the order of k is not ascending                    */
    uint8_t chunk, kept;    /* sparse: columns of A a nibble of metadata is for, and those kept */
    uint16_t valid;         /* sparse: bit n, nibble n is defined                               */
    uint16_t selectors;
    uint8_t blocks;     /* block scale: factors of a row                                    */
    uint8_t threads[2]; /* block scale: thread-ids of A and of B                            */
    uint8_t scale_frac; /* block scale: fraction bits of two factors                        */
    uint8_t direction;  /* enum wsim_rounding of a chain                                    */
    uint8_t saturate, exclusive;
    uint8_t begins; /* SCALAR: how each run of `width` products does                    */
};

#endif
