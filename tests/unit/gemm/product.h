/* product.h - a product of matrices for tests, with operands drawn by number and memory in any
 * order. By hand, it is one instruction after another on the plain path. */
#ifndef TESTS_UNIT_GEMM_PRODUCT_H
#define TESTS_UNIT_GEMM_PRODUCT_H

#include "../../every.h"

#include <wsim/harness/harness.h>

/* A matrix twice: its raw elements row by row, and as it lies in memory with room around it. */
struct product_matrix {
    size_t rows, columns;
    unsigned bytes; /* of an element in memory                      */
    uint64_t *raw;
    uint8_t *memory;
    size_t row, column, room; /* steps in elements, and elements of memory */
};

struct product {
    struct wsim_op op;
    const struct wsim_arch *arch;
    struct wsim_code code, plain;
    struct wsim_gemm gemm;
    struct product_matrix a, b, c, d;
    struct product_matrix scale_a, scale_b; /* block-scaled: a factor for each block along k */
};

/* The product of `spelling` on `arch`, prepared with `flags`. `order`: bit i set, matrix i (A B C
 * D) is stored column by column. */
void product_open(struct product *p, const char *spelling, const char *arch, uint32_t flags,
                  struct wsim_gemm_size size, unsigned dist, unsigned order);
void product_close(struct product *p);

/* All of it through gemm.h, parts and blocks backwards if `backwards`; C is left out if there is
 * none. */
void product_run(struct product *p, int with_c, int backwards);

/* D by hand: expected[row * n + column]. To be freed. */
uint64_t *product_expect(const struct product *p, int with_c);

/* Element of D in memory; every byte of memory that is no element is still what it was. */
uint64_t product_result(const struct product *p, size_t row, size_t column);
int product_is_tidy(const struct product *p);

/* Fails unless all elements are as expected. */
void product_check(const struct product *p, int with_c, const char *what);

#endif
