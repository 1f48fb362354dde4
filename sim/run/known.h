/* known.h - a bit for each byte of a memory: somebody has written it.
 *
 * Bits of global memory are set by several threads of the host at once, so they are atomic; those
 * of shared and local memory belong to one thread, which need not pay for that. No order is asked
 * for: who is ordered behind a store of another block by means of the kernel sees its bit as well.
 */
#ifndef WSIM_RUN_KNOWN_H
#define WSIM_RUN_KNOWN_H

#include "../base/namespace.h"

#include <stdatomic.h>
#include <stdint.h>

/* Bytes of bits for so many bytes of memory. */
#define KNOWN_BYTES(bytes) (((size_t)(bytes) + 7) / 8)

/* The bits of from .. to - 1 that are in the byte of bits that `at` is in, from it on; *next is
 * where the byte behind begins. */
static inline unsigned known_mask(uint64_t at, uint64_t to, uint64_t *next) {
    const unsigned skip = at % 8;
    const uint64_t rest = to - at, n = rest < 8 - skip ? rest : 8 - skip;
    *next = at + n;
    return ((1u << n) - 1) << skip;
}

/* The first of from .. to - 1 that is not known; `to`: all of them are. */
static inline uint64_t known_end(const atomic_uchar *bits, uint64_t from, uint64_t to) {
    for (uint64_t next, at = from; at < to; at = next) {
        unsigned missing = known_mask(at, to, &next);
        missing &= ~(unsigned)atomic_load_explicit(&bits[at / 8], memory_order_relaxed);
        if (!missing)
            continue;
        for (at -= at % 8; !(missing & 1); missing >>= 1)
            at++;
        return at;
    }
    return to;
}

/* from .. to - 1 are known from now on. `alone`: no other thread of the host has these bits. */
static inline void known_add(atomic_uchar *bits, uint64_t from, uint64_t to, int alone) {
    for (uint64_t next, at = from; at < to; at = next) {
        const unsigned mask = known_mask(at, to, &next);
        const unsigned old = atomic_load_explicit(&bits[at / 8], memory_order_relaxed);
        if ((old & mask) == mask)
            continue;
        if (alone || mask == 0xFF)
            atomic_store_explicit(&bits[at / 8], (unsigned char)(old | mask), memory_order_relaxed);
        else
            atomic_fetch_or_explicit(&bits[at / 8], (unsigned char)mask, memory_order_relaxed);
    }
}

/* from .. to - 1 are no longer known. Only of bits of one thread of the host. */
static inline void known_drop(atomic_uchar *bits, uint64_t from, uint64_t to) {
    for (uint64_t next, at = from; at < to; at = next) {
        const unsigned mask = known_mask(at, to, &next);
        const unsigned old = atomic_load_explicit(&bits[at / 8], memory_order_relaxed);
        atomic_store_explicit(&bits[at / 8], (unsigned char)(old & ~mask), memory_order_relaxed);
    }
}

#endif
