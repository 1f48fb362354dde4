/* kernel.h - parts of a generated kernel. Each case has one warp, its block in
 * `in` and its result in `out`, both as registers of 32 words. */
#ifndef HW_KERNEL_H
#define HW_KERNEL_H

#include "hardware.h"

enum { HW_WARPS = 4 }; /* of a thread block */

#define HW_KERNEL(name)                                                                            \
    static __global__ void name(const uint32_t *in, uint32_t *out, uint32_t cases)

/* Whether the code being compiled is for a target of the set; its bits are places in the table of
 * architectures. HW_TARGET has to be known before: the generated file defines it. */
#ifdef HW_TARGET
#define HW_ON(targets) ((targets) >> HW_TARGET & 1)
#else
#define HW_ON(targets) 0
#endif

/* Whether the compiler reads a version of PTX, 91 for 9.1: CUDA 13.0 reads 9.0, and so on. For
 * CUDA 12 the result is slightly too new, which affects no generated instruction. */
#define HW_KNOWN(ptx) (10 * __CUDACC_VER_MAJOR__ + __CUDACC_VER_MINOR__ - 40 >= (ptx))

#define HW_BLOCK(in_rows, out_rows)                                                                \
    const size_t warp = blockIdx.x * (size_t)HW_WARPS + threadIdx.x / 32;                          \
    if (warp >= cases)                                                                             \
        return;                                                                                    \
    in += warp * (in_rows)*32 + threadIdx.x % 32;                                                  \
    out += warp * (out_rows)*32 + threadIdx.x % 32

#define HW_IN(row) in[(row)*32]
#define HW_IN_F32(row) __uint_as_float(HW_IN(row))
#define HW_IN_F64(row) __hiloint2double((int)HW_IN((row) + 1), (int)HW_IN(row))
#define HW_PICKED(row, byte) (unsigned short)(HW_IN(row) >> 8 * (byte)&0xff)
#define HW_OUT(row, value) out[(row)*32] = (value)
#define HW_OUT_F32(row, value) HW_OUT(row, __float_as_uint(value))
#define HW_OUT_F64(row, value)                                                                     \
    HW_OUT(row, (uint32_t)__double2loint(value)), HW_OUT(row + 1, (uint32_t)__double2hiint(value))

/* The warp's window of shared memory, filled from register `row` on. */
#define HW_WINDOW(row, rows)                                                                       \
    __shared__ __align__(1024) uint32_t windows[HW_WARPS][(rows)*32];                              \
    uint32_t *const window = windows[threadIdx.x / 32];                                            \
    for (int i = 0; i < (rows); i++)                                                               \
        window[i * 32 + threadIdx.x % 32] = HW_IN((row) + i);                                      \
    __syncwarp()
#define HW_SHARED(row) ((uint32_t)__cvta_generic_to_shared(window) + HW_IN(row))
#define HW_GENERIC(row) ((uint64_t)(size_t)window + HW_IN(row))
#define HW_OUT_WINDOW(rows)                                                                        \
    __syncwarp();                                                                                  \
    for (int i = 0; i < (rows); i++)                                                               \
    HW_OUT(i, window[i * 32 + threadIdx.x % 32])

/* Its window in global memory: of a load where the block is, of a store a copy in the result. */
#define HW_GLOBAL_WINDOW(row) const uint32_t *const window = in + (row)*32 - threadIdx.x % 32
#define HW_GLOBAL_COPY(row, rows)                                                                  \
    uint32_t *const window = out - threadIdx.x % 32;                                               \
    for (int i = 0; i < (rows); i++)                                                               \
        HW_OUT(i, HW_IN((row) + i));                                                               \
    __syncwarp()

#endif
