// Blocks that wait for each other: grid.sync() of cooperative groups.
// nvcc -ptx -O3 -lineinfo -arch=compute_90a
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each thread adds what its neighbour in the next block has, again and again.
extern "C" __global__ void rounds(unsigned *data, int n) {
    cg::grid_group grid = cg::this_grid();
    const unsigned i = grid.thread_rank(), next = (i + blockDim.x) % grid.size();
    for (int round = 0; round < n; round++) {
        const unsigned other = data[next];
        grid.sync();
        data[i] = data[i] * 3 + other;
        grid.sync();
    }
}

// A sum of everything: of blocks first, and after the barrier of these sums. Grids are rows.
extern "C" __global__ void sum(const unsigned *in, unsigned *parts, unsigned *out) {
    cg::grid_group grid = cg::this_grid();
    __shared__ unsigned all;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    atomicAdd(&all, in[grid.thread_rank()]);
    __syncthreads();
    if (threadIdx.x == 0)
        parts[blockIdx.x] = all;
    grid.sync();
    unsigned total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        total += parts[b];
    out[grid.thread_rank()] = total + blockIdx.x;
}
