/* both.h - functions that the library and GPU code share, in the words that C and CUDA have in
 * common. They compute the place of a fragment element and of a swizzled byte, the bits of a matrix
 * descriptor, and two hashes.
 *
 * The library computes with these functions itself, so a kernel that includes this header cannot
 * disagree with it. They take plain numbers and check nothing. struct wsim_layout (layout.h) and
 * the tables of the library say which numbers an instruction has. */
#ifndef WSIM_BOTH_H
#define WSIM_BOTH_H

#include <stdint.h>

#ifdef __CUDACC__
#define WSIM_BOTH static __host__ __device__ inline
#else
#define WSIM_BOTH static inline
#endif
#if defined(__cplusplus) && __cplusplus >= 201402L
#define WSIM_CONSTEXPR constexpr /* in static_assert too: index.hpp */
#else
#define WSIM_CONSTEXPR
#endif

/* Bits of a lane number (a warpgroup has 128 threads) and of the number of an element of a lane. */
#define WSIM_LAYOUT_LANE_BITS 7
#define WSIM_LAYOUT_ELEM_BITS 8

/* The coordinate of element `elem` of lane `lane`. Every bit set in either number has a word, and
 * flips the bits of the coordinate that are set in that word. Row in bits 0-11, column in bits
 * 12-23, batch in bits 24-31. */
WSIM_BOTH WSIM_CONSTEXPR uint32_t wsim_layout_apply(const uint32_t lanes[WSIM_LAYOUT_LANE_BITS],
                                                    const uint32_t elems[WSIM_LAYOUT_ELEM_BITS],
                                                    unsigned lane, unsigned elem) {
    uint32_t at = 0;
    for (int i = 0; i < WSIM_LAYOUT_LANE_BITS; i++)
        at ^= lane >> i & 1 ? lanes[i] : 0;
    for (int i = 0; i < WSIM_LAYOUT_ELEM_BITS; i++)
        at ^= elem >> i & 1 ? elems[i] : 0;
    return at;
}

/* The place of the byte of `address` under a swizzle of two terms. Each term shifts the address
 * right, masks it, and XORs the result into the address. A mask of 0 is no term. */
WSIM_BOTH WSIM_CONSTEXPR uint32_t wsim_swizzle_bits(const uint8_t shift[2], const uint8_t mask[2],
                                                    uint32_t address) {
    return address ^ (address >> shift[0] & mask[0]) ^ (address >> shift[1] & mask[1]);
}

/* A matrix descriptor of wgmma. Addresses and offsets are in units of 16 bytes, 14 bits of each;
 * the base offset and the code of the swizzle follow. Source: PTX ISA 9.0 "Matrix Descriptor
 * Format". */
enum {
    WSIM_DESCRIPTOR_UNIT = 16,
    WSIM_DESCRIPTOR_FIELD = 0x3FFF, /* the largest count of units                             */
    WSIM_DESCRIPTOR_START = 0,      /* the lowest bit of each field                           */
    WSIM_DESCRIPTOR_LEADING = 16,
    WSIM_DESCRIPTOR_STRIDE = 32,
    WSIM_DESCRIPTOR_BASE = 49,
    WSIM_DESCRIPTOR_BASES = 7, /* the largest base offset                                     */
    WSIM_DESCRIPTOR_MODE = 62,
    WSIM_DESCRIPTOR_MODES = 3 /* the largest code of a swizzle                               */
};

/* The first three in bytes, multiples of 16 that fit. */
WSIM_BOTH WSIM_CONSTEXPR uint64_t wsim_descriptor_pack(uint64_t start, uint64_t leading,
                                                       uint64_t stride, unsigned base,
                                                       unsigned mode) {
    return start / WSIM_DESCRIPTOR_UNIT << WSIM_DESCRIPTOR_START |
           leading / WSIM_DESCRIPTOR_UNIT << WSIM_DESCRIPTOR_LEADING |
           stride / WSIM_DESCRIPTOR_UNIT << WSIM_DESCRIPTOR_STRIDE |
           (uint64_t)base << WSIM_DESCRIPTOR_BASE | (uint64_t)mode << WSIM_DESCRIPTOR_MODE;
}

/* A bijection of 64 bits whose output looks random: the last steps of splitmix64, which is in the
 * public domain. */
WSIM_BOTH WSIM_CONSTEXPR uint64_t wsim_hash_mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* FNV-1a, 64 bits: the hash of nothing, and of one more byte. */
#define WSIM_FNV_START 0xcbf29ce484222325u

WSIM_BOTH WSIM_CONSTEXPR uint64_t wsim_fnv_byte(uint64_t hash, uint8_t byte) {
    return (hash ^ byte) * 0x100000001b3u;
}

#endif
