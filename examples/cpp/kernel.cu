/* kernel.cu - a kernel with the index functions of the tests: D = A B by one warp. A and B are small
 * matrices in global memory; A goes through shared memory. nvcc -std=c++17 -I... */
#include "tile.hpp"

#include <cuda_fp16.h>

extern "C" __global__ void multiply(const __half *a, const __half *b, float *d) {
    __shared__ alignas(1024) unsigned char tile[16 * 128];
    unsigned lane = threadIdx.x, base = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    float sums[D::regs] = {0};
    for (unsigned i = lane; i < 16 * 64; i += 32)
        *reinterpret_cast<__half *>(tile + tile_address(i / 64, i % 64)) = a[i];
    __syncwarp();
    for (unsigned k = 0; k < 4; k++) {
        unsigned ra[4], rb[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                     : "r"(base + ldmatrix_address(lane, k))
                     : "memory");
        using B = WSIM_FRAGMENT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_B);
        for (unsigned e = 0; e < B::elems; e += 2) {
            /* b is 64 x 8, column by column: two of a column are a register. */
            unsigned at = B::col(lane, e) * 64 + 16 * k + B::row(lane, e);
            rb[B::reg(e)] = *reinterpret_cast<const unsigned *>(b + at);
        }
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    }
    for (unsigned e = 0; e < D::elems; e++)
        d[D::row(lane, e) * 8 + D::col(lane, e)] = sums[e];
}
