/* multiply.h - a product of whole matrices in one call: memory and threads included.
 * <wsim/gemm.h> defines the product, and has the pieces for callers with threads of their own.
 *
 *     struct wsim_gemm_from a = {0}, b = {0};
 *     a.elements = halves_a, a.row = k, a.column = 1;
 *     b.elements = halves_b, b.row = n, b.column = 1;
 *     struct wsim_gemm_to d = {0};
 *     d.elements = floats, d.row = n, d.column = 1;
 *     struct wsim_gemm_how how = {8};    // threads
 *     wsim_gemm_multiply(&gemm, &a, &b, NULL, &d, &how, &diag);
 */
#ifndef WSIM_HARNESS_MULTIPLY_H
#define WSIM_HARNESS_MULTIPLY_H

#include "../gemm.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_GEMM_JOBS 256

/* Options of a product; zeros are the defaults. */
struct wsim_gemm_how {
    unsigned jobs; /* threads, the caller's included; 0 and 1: the caller's alone; at most
                      WSIM_GEMM_JOBS. Fewer if the system has no more                            */
    /* NULL, or a function for progress: `done` of `all` elements of D. The caller's thread calls it
     * between two of its blocks. */
    void (*progress)(void *context, uint64_t done, uint64_t all);
    void *context;
};

/* D = A B + C, as <wsim/gemm.h> says; the same bits for any number of jobs. `c` may be NULL. D may
 * lie over A, B and C, over C element for element. A, B and C are m x k, k x n and m x n of
 * gemm->size. Needs memory for A and B once more (gemm->bytes_a, bytes_b), and gemm->bytes_own for
 * each thread; it is given back.
 * Errors, in the order checked: WSIM_OPERAND (more jobs than there can be), WSIM_NO_MEMORY, then
 * those of wsim_gemm_run. */
WSIM_API enum wsim_status
wsim_gemm_multiply(const struct wsim_gemm *gemm, const struct wsim_gemm_from *a,
                   const struct wsim_gemm_from *b, const struct wsim_gemm_from *c,
                   const struct wsim_gemm_to *d, const struct wsim_gemm_how *how,
                   struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
