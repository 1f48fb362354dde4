/* why_step.h - the steps of a sum, as the arithmetic that takes them tells them; why.h says of
 * what.
 */
#ifndef WSIM_WHY_STEP_H
#define WSIM_WHY_STEP_H

#include "format.h"

/* An addend of a step: the accumulator, a product, a count of one bits, or the exact sum of a group
 * with its scale. Its value is sig * 2^exp. The value that the step keeps is kept * 2^unit. */
struct wsim_why_addend {
    int64_t sig, kept;
    int16_t exp;
    int16_t exponent; /* with which it has a say in `top`, ...                                   */
    uint8_t absent;   /* ... or it has none: zeros have no exponent                        */
    uint16_t terms;   /* products that it is made of; 0: the accumulator                         */
};

enum wsim_why_kind {
    WSIM_WHY_ALIGNED, /* addends cut to `unit`, summed exactly, rounded once                     */
    WSIM_WHY_SPECIAL, /* the same, but an infinity or a NaN decided                              */
    WSIM_WHY_FMA,     /* before + product, rounded once                                          */
    WSIM_WHY_ADD,     /* before + other, rounded once                                            */
    WSIM_WHY_WHOLE,   /* before + products, exactly, brought to 32 bits once                     */
    WSIM_WHY_COUNT,   /* before + one bits of products                                           */
    WSIM_WHY_CONVERT  /* before in another format                                                */
};

struct wsim_why_step {
    uint8_t kind;     /* enum wsim_why_kind                                                      */
    uint8_t rounding; /* enum wsim_rounding                                                      */
    uint8_t frac;     /* fraction bits of what it leaves                                         */
    uint8_t run;      /* FMA: it belongs to a run that is added by itself: which, from 1; else 0 */
    uint16_t terms;   /* products that it takes: the next ones                                   */
    uint16_t addends; /* ALIGNED, WHOLE, COUNT: the next ones                                    */
    int16_t top;      /* ALIGNED: the largest exponent, or the floor                             */
    int16_t unit;     /* ... and that of the lowest bit that is kept                             */
    int64_t sum;      /* of the kept bits of the addends, in units of 2^unit                      */
    const struct wsim_format *from, *format; /* of before and other; of after                    */
    uint64_t before, other, after;           /* bits; no `other` but for ADD                     */
};

#endif
