/* touch.h - an access as those see it who listen: pieces of 64 bytes of one memory. */
#ifndef WSIM_WATCH_TOUCH_H
#define WSIM_WATCH_TOUCH_H

#include "../base/namespace.h"

#include "../state/run.h"

#define TOUCH_BYTES 64
#define TOUCH_MOST 64 /* pieces at a time */

/* A buffer of global memory, or the shared memory of a block. Of the latter nothing is told in
 * pieces. */
struct touch_memory {
    uint64_t base; /* address of the first byte, where the pieces begin */
    uint8_t *host; /* the same of the host                              */
    const struct run_buffer *buffer;
    struct run_block *block;
};

struct touch_piece {
    uint64_t index;      /* of the piece in its memory                                           */
    uint64_t mask;       /* a bit a byte                                                         */
    const uint8_t *data; /* what is written to the bytes of the mask, side by side; or NULL */
    uint32_t lanes; /* that access bytes of it, none the same ones if they write; 0: not said */
    uint8_t lane;   /* that accesses the first byte, or one of them                         */
};

/* The bits of `size` bytes (1 to 64) from one on, as far as they are in its piece. */
static inline uint64_t touch_mask(unsigned skip, uint64_t size) {
    const unsigned n = size < TOUCH_BYTES - skip ? (unsigned)size : TOUCH_BYTES - skip;
    return (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << skip;
}

static inline unsigned touch_lowest(uint64_t mask) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(mask);
#else
    unsigned bit = 0;
    while (!(mask >> bit & 1))
        bit++;
    return bit;
#endif
}

/* How many bits there are up to the highest one; of 1 bit at least. */
static inline unsigned touch_length(uint64_t mask) {
#if defined(__GNUC__)
    return 64 - (unsigned)__builtin_clzll(mask);
#else
    unsigned n = 0;
    for (; mask; mask >>= 1)
        n++;
    return n;
#endif
}

/* Looks whether bytes side by side, `from` bytes behind the beginning of a memory, are accessed as
 * their warp did before: then nobody has anything to say. `data` is what is written to them. */
int touch_again(struct run_warp *warp, const struct touch_memory *memory, uint64_t from,
                uint64_t size, uint8_t kind, const uint8_t *data);

/* The lane that accesses the byte at an address, for findings. */
unsigned touch_lane(const struct run_access *access, uint64_t at);

#endif
