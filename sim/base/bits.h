/* bits.h - what compilers of C do with one instruction. */
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

/* Brings the bytes at an address near, which are read or changed soon. A hint: no address is wrong.
 */
static inline void base_soon(const void *bytes) {
#if defined(__GNUC__)
    __builtin_prefetch(bytes);
#else
    (void)bytes;
#endif
}

#endif
