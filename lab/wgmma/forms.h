/* forms.h - the kernels of the wgmma recorder: which there are, out of the tables of wsim. */
#ifndef HW_WGMMA_FORMS_H
#define HW_WGMMA_FORMS_H

#include <wsim/wsim.h>

/* The code of a kernel: an operation and its immediates. */
struct form {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op_info info;
    struct wsim_layout d;
    unsigned number;           /* of the kernel                                              */
    uint32_t seed;             /* of the operation                                           */
    unsigned in_registers;     /* A is                                                       */
    unsigned selector;         /* sparse                                                     */
    unsigned signs, negate[2]; /* of A and B; signs: the form has them                       */
    unsigned majors, trans[2];
    unsigned few; /* one of many widths: a case or two will do                  */
};

/* Bytes of shared memory that a kernel has, and that it can have. */
enum { FORM_WINDOW = 196608, FORM_BLOCK = 232448 };

/* Steps through all kernels: start with all bytes zero and *cursor = 0; 0 when there are no more.
 */
int form_next(uint32_t *cursor, struct form *form);

/* Whether it is one of those for odd descriptors: steps along n, and not too many kernels. */
int form_is_odd(const struct form *form);

/* splitmix64, public domain */
uint64_t form_random(uint64_t *state);

#endif
