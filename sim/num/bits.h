/* bits.h - positions of bits in a number. */
#ifndef WSIM_NUM_BITS_H
#define WSIM_NUM_BITS_H

#include <stdint.h>

/* Position of the highest one bit; 0 for 0. */
static inline int bits_top(uint64_t x) {
#ifdef __GNUC__
    return 63 - __builtin_clzll(x | 1);
#else
    int top = 0;
    for (int step = 32; step; step /= 2)
        if (x >> step) {
            x >>= step;
            top += step;
        }
    return top;
#endif
}

#endif
