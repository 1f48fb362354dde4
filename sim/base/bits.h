/* bits.h - the lowest bit of a mask, as an index. */
#ifndef WSIM_BASE_BITS_H
#define WSIM_BASE_BITS_H

#include <stdint.h>

/* The mask is not 0. */
static inline unsigned base_lowest(uint64_t mask) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(mask);
#else
    unsigned bit = 0;
    while (!(mask >> bit & 1))
        bit++;
    return bit;
#endif
}

#endif
