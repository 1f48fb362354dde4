/* known.h - a bit for each byte of a memory: the byte is initialised. A word has 64 bits.
 *
 * Several host threads set bits of global memory at once, so these are atomic. Bits of shared and
 * local memory belong to one thread, which uses plain stores. Relaxed order is enough: an access
 * that the kernel orders after a store sees the bit of that store too. */
#ifndef WSIM_STATE_KNOWN_H
#define WSIM_STATE_KNOWN_H

#include <stdatomic.h>
#include <stdint.h>

/* Words of bits for `bytes` of memory. */
#define KNOWN_WORDS(bytes) (((size_t)(bytes) + 63) / 64)

/* Returns the bits of `mask` whose bytes are uninitialised. */
static inline uint64_t known_missing(const atomic_ullong *word, uint64_t mask) {
    return mask & ~(uint64_t)atomic_load_explicit(word, memory_order_relaxed);
}

/* The bits of a word that stand for bytes of a memory of `size`. */
static inline uint64_t known_whole(uint64_t size, uint64_t word) {
    const uint64_t left = size - 64 * word;
    return left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
}

/* A word behind the bits of a memory of `size` is 1 if all bytes are initialised. The bits need not
 * say so then, and readers leave them alone: pages of bits that nothing touches cost no memory.
 * known_look finds out, known_fill says so, and known_forget comes before a bit is taken away. */
static inline int known_all(const atomic_ullong *bits, uint64_t size) {
    return (int)atomic_load_explicit(&bits[KNOWN_WORDS(size)], memory_order_acquire);
}
static inline void known_fill(atomic_ullong *bits, uint64_t size) {
    atomic_store_explicit(&bits[KNOWN_WORDS(size)], 1, memory_order_relaxed);
}
static inline void known_forget(atomic_ullong *bits, uint64_t size) {
    for (size_t word = 0; known_all(bits, size) && word < KNOWN_WORDS(size); word++)
        atomic_store_explicit(&bits[word], UINT64_MAX, memory_order_relaxed);
    atomic_store_explicit(&bits[KNOWN_WORDS(size)], 0, memory_order_release);
}
static inline void known_look(atomic_ullong *bits, uint64_t size) {
    for (size_t word = 0; word < KNOWN_WORDS(size); word++)
        if (known_missing(&bits[word], known_whole(size, word)))
            return;
    known_fill(bits, size);
}

/* The bits `mask` of a word are known from now on. `alone`: no other thread of the host has it. */
static inline void known_put(atomic_ullong *word, uint64_t mask, int alone) {
    const uint64_t old = atomic_load_explicit(word, memory_order_relaxed);
    if (!(mask & ~old))
        return;
    if (alone || mask == UINT64_MAX)
        atomic_store_explicit(word, old | mask, memory_order_relaxed);
    else
        atomic_fetch_or_explicit(word, mask, memory_order_relaxed);
}

/* The bits of from .. to - 1 that are in the word that `from` is in; *next is where the word after
 * begins, or `to`. */
static inline uint64_t known_mask(uint64_t from, uint64_t to, uint64_t *next) {
    const unsigned skip = from % 64;
    const uint64_t rest = to - from, n = rest < 64 - skip ? rest : 64 - skip;
    *next = from + n;
    return (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << skip;
}

/* from .. to - 1 are known from now on. */
static inline void known_add(atomic_ullong *bits, uint64_t from, uint64_t to, int alone) {
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        known_put(&bits[at / 64], mask, alone);
    }
}

/* from .. to - 1 are no longer known. Only of bits of one thread of the host. */
static inline void known_drop(atomic_ullong *bits, uint64_t from, uint64_t to) {
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        const uint64_t old = atomic_load_explicit(&bits[at / 64], memory_order_relaxed);
        atomic_store_explicit(&bits[at / 64], old & ~mask, memory_order_relaxed);
    }
}

#endif
