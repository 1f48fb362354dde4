/* scalar_form.h - forms of the operations of scalar.h that only compute: with some immediates,
 * with parts of registers, with zero and nonzero divisors. The generator of kernels and the program
 * number the forms in this order. */
#ifndef HW_SCALAR_FORM_H
#define HW_SCALAR_FORM_H

#include <wsim/harness/stream_scalar.h>
#include <wsim/scalar.h>

enum {
    HW_FORM_PART = 256, /* forms of one file of kernels */
    HW_FORM_NAME = WSIM_SPELLING_MAX + 64
};

struct hw_form {
    struct wsim_scalar op;
    struct wsim_scalar_info info;
    unsigned number;  /* from 0, over all forms of all operations */
    unsigned variant; /* of this operation, from 0                */
    /* The words that wsim_scalar_run takes, and those that it gives. */
    struct wsim_scalar_word word[WSIM_SCALAR_IN];
    uint8_t words, results, result_bits[WSIM_SCALAR_OUT];
    uint8_t first[WSIM_SCALAR_OPERANDS]; /* word, or result, that an operand begins with */
    uint8_t reads_carry, writes_carry;
    uint8_t parts;    /* 1: the last word says which              */
    uint8_t left_out; /* bit i: operand i is not written          */
};

/* Steps through all forms: start with zeros. 1, or 0 after the last. */
int hw_form_next(struct hw_form *form);

/* The spelling, and what sets this form apart: "div.u32 (by 0)". */
void hw_form_name(const struct hw_form *form, char name[HW_FORM_NAME]);

/* ".b1", or nothing: the part that operand `index`, counted in d, a, b, is written with. */
const char *hw_form_part(const struct hw_form *form, unsigned index);

#endif
