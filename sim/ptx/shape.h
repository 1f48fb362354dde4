/* shape.h - what the operands of an opcode have to be: looked up once a spelling. */
#ifndef WSIM_PTX_SHAPE_H
#define WSIM_PTX_SHAPE_H

#include "reader.h"

#define SHAPE_LISTS 4

struct shape {
    /* of a scalar row */
    struct wsim_scalar_info info;
    uint8_t wide;        /* registers may be wider than their type                     */
    uint8_t any_address; /* an address in a register may have 32 bits                  */
    uint8_t compares;    /* set                                                        */
    uint8_t signs;       /* registers may be negated                                   */
    uint8_t specials;    /* special registers may be sources; `copies`: of their type  */
    uint8_t copies;
    uint8_t accesses; /* ld st atom red: `space`, enum scalar_space                    */
    uint8_t space, stores;
    uint8_t calls;
    uint8_t past; /* this version of PTX has it no more for this target                */
    uint8_t maps; /* f64, where that is f32: .target map_f64_to_f32                    */
    const struct wsim_format *f32, *f64;
    /* of a matrix instruction */
    uint8_t registers[SHAPE_LISTS]; /* in each of its first operands; 0: not looked at */
    const char *type[SHAPE_LISTS];  /* of their elements; "": any register will do     */
    uint8_t wide_list[SHAPE_LISTS]; /* registers have 64 bits, not 32                  */
    uint8_t descriptor;             /* A can be a register that describes a matrix     */
    uint8_t sizes;                  /* cp.async: struct wsim_op_info                   */
};

#endif
