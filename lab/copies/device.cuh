/* device.cuh - one copy on the GPU in every spelling, and the bytes that the
 * barrier counted. */
#ifndef COPIES_DEVICE_CUH
#define COPIES_DEVICE_CUH

#include <cuda.h>

#include <cstdint>

enum { LOAD, STORE, REDUCE, PLAIN_LOAD, PLAIN_STORE };
enum { TILE, PIXELS };
enum { CLUSTER, CTA, HINT = 2 }; /* form: destination of a load, and whether there is a hint */

struct order {
    int what, mode, dims, op, form;
    int32_t coord[5];
    uint16_t offset[3];
    uint32_t window, at, tx, expected; /* bytes that it moves, and that the barrier counts */
    uint64_t global;
};

/* The state of a barrier: missing or surplus bytes, and whether the count is complete. */
struct answer {
    uint32_t missed, beyond, known;
};

/* --- every spelling --- */

#define C1 "{%2}"
#define C2 "{%2, %3}"
#define C3 "{%2, %3, %4}"
#define C4 "{%2, %3, %4, %5}"
#define C5 "{%2, %3, %4, %5, %6}"
#define COORDS "r"(o.coord[0]), "r"(o.coord[1]), "r"(o.coord[2]), "r"(o.coord[3]), "r"(o.coord[4])
#define OFFSETS "h"(o.offset[0]), "h"(o.offset[1]), "h"(o.offset[2])
#define DONE ".mbarrier::complete_tx::bytes"
#define HINTED ".L2::cache_hint"

#define LOAD_AS(n, to, mode, hint, rest)                                                           \
    asm volatile("cp.async.bulk.tensor." #n "d.shared::" to ".global." mode DONE hint              \
                 " [%0], [%1, " C##n "], [%7]" rest ";" ::"r"(at),                                 \
                 "l"(map), COORDS, "r"(barrier), OFFSETS, "l"(policy)                              \
                 : "memory")
#define LOAD_OF(n, mode, rest)                                                                     \
    switch (o.form) {                                                                              \
    case CLUSTER: LOAD_AS(n, "cluster", mode, "", rest); break;                                    \
    case CTA: LOAD_AS(n, "cta", mode, "", rest); break;                                            \
    case CLUSTER | HINT: LOAD_AS(n, "cluster", mode, HINTED, rest ", %11"); break;                 \
    case CTA | HINT: LOAD_AS(n, "cta", mode, HINTED, rest ", %11"); break;                         \
    }                                                                                              \
    break

__device__ void load(const order &o, const CUtensorMap *map, uint32_t at, uint32_t barrier,
                     uint64_t policy) {
    switch (o.mode * 10 + o.dims) {
    case 1: LOAD_OF(1, "tile", "");
    case 2: LOAD_OF(2, "tile", "");
    case 3: LOAD_OF(3, "tile", "");
    case 4: LOAD_OF(4, "tile", "");
    case 5: LOAD_OF(5, "tile", "");
    case 13: LOAD_OF(3, "im2col", ", {%8}");
    case 14: LOAD_OF(4, "im2col", ", {%8, %9}");
    case 15: LOAD_OF(5, "im2col", ", {%8, %9, %10}");
    }
}

#define STORE_AS(word, n, mode, hint, rest)                                                        \
    asm volatile(word "." #n "d.global.shared::cta" mode ".bulk_group" hint " [%1, " C##n          \
                 "], [%0]" rest ";" ::"r"(at),                                                     \
                 "l"(map), COORDS, "l"(policy)                                                     \
                 : "memory")
#define STORE_OF(word, n, mode)                                                                    \
    if (o.form & HINT)                                                                             \
        STORE_AS(word, n, mode, HINTED, ", %7");                                                   \
    else                                                                                           \
        STORE_AS(word, n, mode, "", "");                                                           \
    break
#define STORES(word, op)                                                                           \
    switch (o.mode * 10 + o.dims) {                                                                \
    case 1: STORE_OF(word, 1, op ".tile");                                                         \
    case 2: STORE_OF(word, 2, op ".tile");                                                         \
    case 3: STORE_OF(word, 3, op ".tile");                                                         \
    case 4: STORE_OF(word, 4, op ".tile");                                                         \
    case 5: STORE_OF(word, 5, op ".tile");                                                         \
    case 13: STORE_OF(word, 3, op ".im2col_no_offs");                                              \
    case 14: STORE_OF(word, 4, op ".im2col_no_offs");                                              \
    case 15: STORE_OF(word, 5, op ".im2col_no_offs");                                              \
    }

__device__ void store(const order &o, const CUtensorMap *map, uint32_t at,
                      uint64_t policy){STORES("cp.async.bulk.tensor", "")}

#define RED "cp.reduce.async.bulk.tensor"
__device__ void reduce(const order &o, const CUtensorMap *map, uint32_t at, uint64_t policy) {
    switch (o.op) {
    case 0: STORES(RED, ".add") break;
    case 1: STORES(RED, ".min") break;
    case 2: STORES(RED, ".max") break;
    case 3: STORES(RED, ".inc") break;
    case 4: STORES(RED, ".dec") break;
    case 5: STORES(RED, ".and") break;
    case 6: STORES(RED, ".or") break;
    case 7: STORES(RED, ".xor") break;
    }
}

#define PLAIN_LOAD_WORD "cp.async.bulk.shared::cluster.global" DONE
#define PLAIN_CTA_WORD "cp.async.bulk.shared::cta.global" DONE
#define GROUP_WORD ".global.shared::cta.bulk_group"
/* The word before a hint, and the operand of the hint. */
#define PLAIN_STORES(X)                                                                            \
    X("cp.async.bulk" GROUP_WORD, "")                                                              \
    X(ONTO, ".add.u32")                                                                            \
    X(ONTO, ".add.s32")                                                                            \
    X(ONTO, ".add.u64")                                                                            \
    X(ONTO, ".add.f32")                                                                            \
    X(ONTO, ".add.f64")                                                                            \
    X(ONTO, ".add.noftz.f16")                                                                      \
    X(ONTO, ".add.noftz.bf16")                                                                     \
    X(ONTO, ".min.u32")                                                                            \
    X(ONTO, ".min.s32")                                                                            \
    X(ONTO, ".min.u64")                                                                            \
    X(ONTO, ".min.s64")                                                                            \
    X(ONTO, ".min.f16")                                                                            \
    X(ONTO, ".min.bf16")                                                                           \
    X(ONTO, ".max.u32")                                                                            \
    X(ONTO, ".max.s32")                                                                            \
    X(ONTO, ".max.u64")                                                                            \
    X(ONTO, ".max.s64")                                                                            \
    X(ONTO, ".max.f16")                                                                            \
    X(ONTO, ".max.bf16")                                                                           \
    X(ONTO, ".inc.u32")                                                                            \
    X(ONTO, ".dec.u32")                                                                            \
    X(ONTO, ".and.b32")                                                                            \
    X(ONTO, ".and.b64")                                                                            \
    X(ONTO, ".or.b32")                                                                             \
    X(ONTO, ".or.b64")                                                                             \
    X(ONTO, ".xor.b32")                                                                            \
    X(ONTO, ".xor.b64")
#define ONTO "cp.reduce.async.bulk" GROUP_WORD

#define PLAIN_LOAD_AS(word, hint, rest)                                                            \
    asm volatile(word hint " [%0], [%1], %2, [%3]" rest ";" ::"r"(at), "l"(o.global), "r"(o.tx),   \
                 "r"(barrier), "l"(policy)                                                         \
                 : "memory")
#define PLAIN_STORE_AS(word, hint, end, rest)                                                      \
    asm volatile(word hint end " [%0], [%1], %2" rest ";" ::"l"(o.global), "r"(at), "r"(o.tx),     \
                 "l"(policy)                                                                       \
                 : "memory")

__device__ void plain(const order &o, uint32_t at, uint32_t barrier, uint64_t policy) {
    int i = 0;
    if (o.what == PLAIN_LOAD)
        switch (o.form) {
        case CLUSTER: PLAIN_LOAD_AS(PLAIN_LOAD_WORD, "", ""); break;
        case CTA: PLAIN_LOAD_AS(PLAIN_CTA_WORD, "", ""); break;
        case CLUSTER | HINT: PLAIN_LOAD_AS(PLAIN_LOAD_WORD, HINTED, ", %4"); break;
        case CTA | HINT: PLAIN_LOAD_AS(PLAIN_CTA_WORD, HINTED, ", %4"); break;
        }
#define X(word, end)                                                                               \
    if (o.what == PLAIN_STORE && o.op == i++) {                                                    \
        if (o.form & HINT)                                                                         \
            PLAIN_STORE_AS(word, HINTED, end, ", %3");                                             \
        else                                                                                       \
            PLAIN_STORE_AS(word, "", end, "");                                                     \
    }
    PLAIN_STORES(X)
#undef X
}

/* --- bytes on a barrier --- */

__device__ uint64_t clock_ns() {
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ void pause(uint64_t ns) {
    uint64_t start = clock_ns();
    while (clock_ns() - start < ns)
        ;
}

__device__ void arrive_expecting(uint32_t barrier, uint32_t tx) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(tx)
                 : "memory");
}

__device__ void expect(uint32_t barrier, uint32_t tx) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(tx)
                 : "memory");
}

__device__ void complete(uint32_t barrier, uint32_t tx) {
    asm volatile(
        "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(barrier), "r"(tx)
        : "memory");
}

/* Whether the phase of this parity ends within `ns`. */
__device__ int ends(uint32_t barrier, uint32_t parity, uint64_t ns) {
    uint64_t start = clock_ns();
    uint32_t done = 0;
    do
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 "
                     "%0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!done && clock_ns() - start < ns);
    return done;
}

/* Measures the bytes that the barrier counted, with the barrier itself. The first phase ends with
 * `tx` bytes; missing bytes are completed one by one. The second phase has one arrival and expects
 * no bytes. So it ends at once unless there were more bytes; those are expected 16 at a time. */
__device__ void weigh(uint32_t barrier, answer *out) {
    uint32_t missed = 0, beyond = 0;
    int ended = ends(barrier, 0, 20000000);
    pause(20000);
    for (; !ended && missed < 1024; missed++) {
        complete(barrier, 1);
        ended = ends(barrier, 0, 3000);
    }
    arrive_expecting(barrier, 0);
    ended = ended && ends(barrier, 1, 5000);
    for (; !ended && beyond < 1 << 16; beyond += 16) {
        expect(barrier, 16);
        ended = ends(barrier, 1, 2000);
    }
    out->missed = missed;
    out->beyond = beyond;
    out->known = ended;
}

/* --- the kernel --- */

__global__ void run(const __grid_constant__ CUtensorMap map, const order o, uint8_t *image,
                    answer *out) {
    extern __shared__ uint8_t raw[];
    uint32_t start = (uint32_t)__cvta_generic_to_shared(raw), base = (start + 1023) / 1024 * 1024;
    uint8_t *window = raw + (base - start);
    uint32_t barrier = base + (o.window + 7) / 8 * 8;
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    for (uint32_t i = threadIdx.x; i < o.window; i += blockDim.x)
        window[i] = image[i];
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (o.what == LOAD || o.what == PLAIN_LOAD) {
            arrive_expecting(barrier, o.expected);
            if (o.what == LOAD)
                load(o, &map, base + o.at, barrier, policy);
            else
                plain(o, base + o.at, barrier, policy);
            weigh(barrier, out);
        } else {
            if (o.what == STORE)
                store(o, &map, base + o.at, policy);
            else if (o.what == REDUCE)
                reduce(o, &map, base + o.at, policy);
            else
                plain(o, base + o.at, barrier, policy);
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < o.window; i += blockDim.x)
        image[i] = window[i];
}

#endif
