/* stream.h - operands of any case of any operation, from numbers alone; the same in C and CUDA.
 *
 * A word of a case is a function of (seed, operation, case, operand, register, lane) and the
 * distribution. Nothing is stored, so a GPU and a CPU can make the same case, in any order. struct
 * wsim_plan (plan.h, cases.h) describes the operands of an operation. This is stream 2. Recordings
 * name it: a change here makes another stream, and digests of this one worthless. Stream 1 ignored
 * the warp of a thread. So the four warps of a wgmma had the same A and C in all distributions but
 * `raw`.
 */
#ifndef WSIM_STREAM_H
#define WSIM_STREAM_H

#include "stream_memory.h"

#define WSIM_STREAM 2

/* Metadata: defined nibbles where the selector looks, noise elsewhere. */
WSIM_BOTH uint32_t wsim_stream_metadata(const struct wsim_plan *plan, const struct wsim_case *c,
                                        unsigned lane) {
    const struct wsim_plan_input *o = &plan->input[WSIM_IN_E];
    uint32_t word = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t r = wsim_stream_hash(c->base ^ 0xe0000000000000ull, i * plan->threads + lane) >> 8;
        int counts = wsim_stream_coord(o, lane, i) >> 24 == plan->selector;
        word |= (uint32_t)(counts ? plan->nibble[r % plan->nibbles] : r & 15) << 4 * i;
    }
    return word;
}

/* Four scale factors: mostly about one. */
WSIM_BOTH uint32_t wsim_stream_scales(const struct wsim_plan_input *o, const struct wsim_case *c,
                                      int which, unsigned lane) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t r = wsim_stream_hash(c->base ^ (uint64_t)(which + 1) << 56, i * 32 + lane);
        uint32_t one = (uint32_t)o->bias << o->frac_bits, v = one + (uint32_t)(r % 17) - 8;
        if (c->dist == WSIM_DIST_RAW || (c->dist == WSIM_DIST_SPECIALS && r >> 60 == 0))
            v = (uint32_t)(r >> 32);
        if (c->dist == WSIM_DIST_SUBNORMAL)
            v = r >> 32 & 63;
        if (c->dist == WSIM_DIST_OVERFLOW || c->dist == WSIM_DIST_EXTREMES)
            v = one + (one >> 1) + (r >> 32 & 63);
        word |= (v & 0xff) << 8 * i;
    }
    return word;
}

/* byte-id and thread-id of A, then of B, a byte each; the same in every lane. */
WSIM_BOTH uint32_t wsim_stream_pick(const struct wsim_plan *plan, const struct wsim_case *c) {
    uint32_t r = (uint32_t)wsim_stream_hash(c->base, 0x5e1);
    uint32_t bid_a = (r & 0xff) % plan->bytes_a * (4u / plan->bytes_a);
    uint32_t bid_b = (r >> 8 & 0xff) % plan->bytes_b * (4u / plan->bytes_b);
    return bid_a | (r >> 16 & 0xff) % plan->threads_a << 8 | bid_b << 16 |
           (r >> 24) % plan->threads_b << 24;
}

/* Word `lane` of register `row` in the block of a case. */
WSIM_BOTH uint32_t wsim_case_word(const struct wsim_plan *plan, const struct wsim_case *c,
                                  unsigned row, unsigned lane) {
    int which = 0;
    while (row >= (unsigned)plan->input[which].first + plan->input[which].rows)
        which++;
    const struct wsim_plan_input *o = &plan->input[which];
    row -= o->first;
    if (plan->threads > 32 && which < WSIM_IN_HOW) {
        lane += row % (plan->threads / 32) * 32;
        row /= plan->threads / 32;
    }
    switch (which) {
    case WSIM_IN_E: return wsim_stream_metadata(plan, c, lane);
    case WSIM_IN_SFA:
    case WSIM_IN_SFB: return wsim_stream_scales(o, c, which, lane);
    case WSIM_IN_PICK: return wsim_stream_pick(plan, c);
    case WSIM_IN_SMEM:
        return (uint32_t)wsim_stream_hash(c->base ^ 0x5000000000000ull, row * 32 + lane);
    case WSIM_IN_ADDR: return wsim_stream_address(plan, c, lane);
    case WSIM_IN_HOW: return wsim_stream_how(plan, c, lane);
    case WSIM_IN_MATRIX_A:
    case WSIM_IN_MATRIX_B: return wsim_stream_matrix(plan, c, which, row * 32 + lane);
    default: return wsim_stream_numbers(o, c, plan->sparse, which, plan->threads, row, lane);
    }
}

/* A digest begins with the number of the case, and how many words its result has; each of these
 * makes it another. */
WSIM_BOTH uint64_t wsim_case_digest_begin(uint64_t number, uint32_t words) {
    return wsim_stream_hash(number, words);
}

WSIM_BOTH uint64_t wsim_case_digest_word(uint64_t digest, uint32_t word) {
    return wsim_hash_mix(digest ^ word) + 0x9e3779b97f4a7c15u;
}

/* The part of case `number` in the digest of a set of cases. `out` is its result of `words` words.
 * Parts add up modulo 2^64, so cases may come in any order. */
WSIM_BOTH uint64_t wsim_case_digest(uint64_t number, const uint32_t *out, uint32_t words) {
    uint64_t digest = wsim_case_digest_begin(number, words);
    for (uint32_t i = 0; i < words; i++)
        digest = wsim_case_digest_word(digest, out[i]);
    return digest;
}

#endif
