/* contract_matrix.h - products that an mma adds; see contract_matrix.c. */
#ifndef WSIM_DECODE_CONTRACT_MATRIX_H
#define WSIM_DECODE_CONTRACT_MATRIX_H

#include "contract_open.h"

enum { MATRIX_C = 3 }; /* its operands are D, A, B, C */

/* Whether machine code for the target of the text adds C of the mma at `at` behind its products.
 * *blocks: it has a call or several blocks, and the sum stands in the last one. */
int matrix_adds(const struct contract *contract, uint32_t at, int *blocks);

/* Whether the mma at `at` adds what `reg` holds, a product of that meaning: `anywhere`, or
 * `together` in one block. */
int matrix_takes(const struct contract *contract, const struct scalar_meaning *product, uint32_t at,
                 uint32_t reg, int anywhere, int together);

/* The copies that the sums of the mma at `at` look through. */
struct contract_copies matrix_copies(const struct contract *contract, uint32_t at);

#endif
