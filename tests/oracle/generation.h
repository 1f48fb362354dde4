/* generation.h - what the documents say of each GPU generation's matrix arithmetic. */
#ifndef ORACLE_GENERATION_H
#define ORACLE_GENERATION_H

/* 0 in a width: that generation has no such arithmetic of its own. */
struct generation {
    const char *name;
    int from, to; /* numbers of the architectures: sm_`from` to sm_`to`             */
    int width16, width_tf32, width8; /* products of one fused step, by operand width            */
    int bits;             /* fraction bits below the greatest exponent that a term keeps    */
    int bits8;            /* the same for 8-bit operands                                    */
    const char *result8;  /* what 8-bit operands give for D = f32                           */
    int floor32, floor16; /* the greatest exponent is at least this, by type of D           */
    int native_quads;     /* m8n8k4 of f16 on the matrix unit, not by scalar code           */
    int fp8_by_f16;       /* 8-bit floats are converted and run as f16                      */
    int block_scale;      /* has the mx kinds                                               */
};

/* The generation of "sm_90a" and the like; NULL if the documents do not cover it. */
const struct generation *generation_of(const char *arch);

/* The same for what a warpgroup executes; NULL if the architecture has none. */
const struct generation *generation_of_group(const char *arch);

#endif
