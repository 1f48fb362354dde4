"""CUDA C++ kernels with headers of the toolkit (halves, bfloat16, fp8, cooperative groups, wmma, CUB).
NVRTC compiles them to PTX without a GPU, wsim runs them with all checks, and NumPy judges the results.

    WSIM=build/wsim python tools/clients/nvrtc_kernels.py [--cuda /usr/local/cuda] [--arch 90] [--ptx FOLDER] [NAME...]

Prints a line for each kernel. Exit status 1 if one differs. --ptx keeps the PTX, for wsim check --contents.
"""
import ctypes
import glob
import os
import sys

import numpy as np
from cases import RANDOM, Tally, command_line, floats, near, of_bf16, save_ptx, to_bf16
from wsim_launch import launch

CASES = []


def case(grid, block, source, least=75, shared=0):
    """Marks a function that returns (arguments, [(array, what it has to hold, relative error)])."""
    def keep(make):
        CASES.append((make.__name__, make, grid, block, source, least, shared))
        return make
    return keep


@case(2, 128, """
template <typename T, int N> struct Vector { T at[N]; };
template <typename T, int N> __device__ __noinline__ T dot(const Vector<T, N> &a, const Vector<T, N> &b) {
    T s = 0;
    for (int i = 0; i < N; i++) s += a.at[i] * b.at[i];
    return s;
}
extern "C" __global__ void kernel(const Vector<double, 3> *a, const Vector<double, 3> *b, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto twice = [=](double v) { return 2 * v; };
    if (i < n) out[i] = twice(dot(a[i], b[i]));
}""")
def templates():
    a, b, out = floats((200, 3), np.float64), floats((200, 3), np.float64), np.zeros(200)
    return [a, b, out, np.int32(200)], [(out, 2 * (a * b).sum(1), 1e-14)]


@case(1, 64, """
#include <cuda_fp16.h>
extern "C" __global__ void kernel(const __half2 *a, const __half2 *b, __half2 *out) {
    int i = threadIdx.x, n = blockDim.x;
    out[i] = __hadd2(a[i], b[i]);
    out[n + i] = __hfma2(a[i], b[i], a[i]);
    out[2 * n + i] = __h2div(a[i], b[i]);
    out[3 * n + i] = h2sqrt(__habs2(a[i]));
    out[4 * n + i] = __hmax2(a[i], b[i]);
    out[5 * n + i] = __float22half2_rn(make_float2(__low2float(a[i]) * 3, __high2float(b[i])));
    out[6 * n + i] = __hgt2(a[i], b[i]);
}""")
def halves():
    a, b, out = floats(128, np.float16), floats(128, np.float16, 0.5), np.zeros((7, 128), np.float16)
    even = np.arange(128) % 2 == 0
    exact = [a + b, (a.astype(np.float64) * b + a).astype(np.float16)]
    mixed = np.where(even, a.astype(np.float32) * 3, b).astype(np.float16)
    return [a, b, out], [(out[:2], np.array(exact), 0), (out[2:4], np.array([a / b, np.sqrt(abs(a))]), 2e-3),
                         (out[4:], np.array([np.maximum(a, b), mixed, (a > b).astype(np.float16)]), 0)]


@case(1, 64, """
#include <cuda_bf16.h>
extern "C" __global__ void kernel(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *out) {
    int i = threadIdx.x, n = blockDim.x;
    out[i] = __hadd(a[i], b[i]);
    out[n + i] = __hmul(a[i], b[i]);
    out[2 * n + i] = __float2bfloat16(__bfloat162float(a[i]) * 0.3f);
    out[3 * n + i] = __hmin(a[i], b[i]);
}""", least=80)
def brain_floats():
    a, b, out = to_bf16(floats(64)), to_bf16(floats(64)), np.zeros((4, 64), np.uint16)
    x, y = of_bf16(a), of_bf16(b)
    return [a, b, out], [(out, np.array([to_bf16(x + y), to_bf16(x * y), to_bf16(x * np.float32(0.3)),
                                         to_bf16(np.minimum(x, y))]), 0)]


@case(1, 64, """
#include <cuda_fp8.h>
extern "C" __global__ void kernel(const float *a, unsigned char *out, float *back) {
    int i = threadIdx.x, n = blockDim.x;
    __nv_fp8_e4m3 e(a[i]);
    __nv_fp8_e5m2 f(a[i]);
    out[i] = e.__x, out[n + i] = f.__x;
    back[i] = float(e), back[n + i] = float(f);
}""")
def eight_bits():
    a, out, back = floats(64, low=-400, high=400), np.zeros((2, 64), np.uint8), np.zeros((2, 64), np.float32)
    def rounded(v, mantissa, least):
        step = 2.0 ** (np.maximum(np.floor(np.log2(abs(v.astype(np.float64)))), least) - mantissa)
        return np.rint(v / step) * step
    return [a, out, back], [(back[0], rounded(a, 3, -6), 0), (back[1], rounded(a, 2, -14), 0)]


@case(2, 128, """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const int *a, int *sums, int *scan, int *tiles, int *few) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(warp);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = cg::reduce(warp, a[i], cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(sums + blockIdx.x, sum);
    scan[i] = cg::inclusive_scan(warp, a[i], cg::plus<int>());
    tiles[i] = tile.shfl(a[i], 3) + cg::reduce(tile, a[i], cg::greater<int>()) + tile.meta_group_rank();
    if (a[i] > 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        few[i] = some.size() * 100 + some.thread_rank();
    }
    block.sync();
}""")
def cooperative_groups():
    a = RANDOM.integers(-99, 99, 256).astype(np.int32)
    sums, scan, tiles, few = np.zeros(2, np.int32), np.zeros(256, np.int32), np.zeros(256, np.int32), np.zeros(256, np.int32)
    eights, on = a.reshape(32, 8), (a > 0).reshape(8, 32)
    want = (eights[:, 3:4] + eights.max(1, keepdims=True) + (np.arange(32) % 4)[:, None] + 0 * eights).ravel()
    ranks = np.where(on, on.sum(1, keepdims=True) * 100 + np.cumsum(on, 1) - 1, 0).ravel()
    return [a, sums, scan, tiles, few], [(sums, a.reshape(2, 128).sum(1), 0), (scan, np.cumsum(a.reshape(8, 32), 1).ravel(), 0),
                                         (tiles, want, 0), (few, ranks, 0)]


@case(1, 32, """
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void kernel(const half *a, const half *b, float *c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 1.0f);
    for (int k = 0; k < 64; k += 16) {
        wmma::load_matrix_sync(left, a + k, 64);
        wmma::load_matrix_sync(right, b + k, 64);
        wmma::mma_sync(sum, left, right, sum);
    }
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= 2;
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}""")
def wmma():
    a, b, c = floats((16, 64), np.float16), floats((16, 64), np.float16), np.zeros((16, 16), np.float32)
    return [a, b, c], [(c, 2 * (a.astype(np.float64) @ b.T.astype(np.float64) + 1), 1e-3)]


@case(2, 128, """
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_radix_sort.cuh>
extern "C" __global__ void kernel(const int *a, int *sum, int *scan, unsigned *sorted) {
    typedef cub::BlockReduce<int, 128> Reduce;
    typedef cub::BlockScan<int, 128> Scan;
    typedef cub::BlockRadixSort<unsigned, 128, 2> Sort;
    __shared__ union { Reduce::TempStorage reduce; Scan::TempStorage scan; Sort::TempStorage sort; } temp;
    int i = blockIdx.x * 128 + threadIdx.x, v = a[i];
    int all = Reduce(temp.reduce).Sum(v);
    if (threadIdx.x == 0) sum[blockIdx.x] = all;
    __syncthreads();
    int before;
    Scan(temp.scan).ExclusiveSum(v, before);
    scan[i] = before;
    __syncthreads();
    unsigned keys[2] = {(unsigned)v * 2654435761u, (unsigned)v ^ 0x5555u};
    Sort(temp.sort).Sort(keys);
    sorted[2 * i] = keys[0], sorted[2 * i + 1] = keys[1];
}""")
def cub_block():
    a = RANDOM.integers(0, 10**6, 256).astype(np.int32)
    sum, scan, order = np.zeros(2, np.int32), np.zeros(256, np.int32), np.zeros(512, np.uint32)
    rows = a.reshape(2, 128)
    keys = np.concatenate([(rows.astype(np.uint32) * np.uint32(2654435761)), rows.astype(np.uint32) ^ np.uint32(0x5555)], 1)
    return [a, sum, scan, order], [(sum, rows.sum(1), 0), (scan, (np.cumsum(rows, 1) - rows).ravel(), 0),
                                   (order, np.sort(keys, 1).ravel(), 0)]


@case(2, 64, """
__constant__ float weights[5] = {0.5f, -1.0f, 2.0f, 0.25f, 3.0f};
__device__ int calls = 40;
extern "C" __device__ int printf(const char *, ...);
extern "C" __global__ void kernel(const float *a, float *out, int n) {
    extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 5; k++) sum += weights[k] * s[(threadIdx.x + k) % blockDim.x];
    if (i < n) out[i] = sum;
    if (atomicAdd(&calls, 1) == 40) printf("weights %f and %d of %s\\n", weights[2], n, "kernel");
}""", shared=256)
def constants_and_printf():
    a, out = floats(100), np.zeros(100, np.float32)
    wide = np.concatenate([a, np.zeros(28, np.float32)]).reshape(2, 64)
    want = sum(w * np.roll(wide, -k, 1) for k, w in enumerate((0.5, -1, 2, 0.25, 3)))
    return [a, out, np.int32(100)], [(out, want.ravel()[:100], 1e-6)]


@case(1, 128, """
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
extern "C" __global__ void kernel(const int4 *a, int4 *out) {
    __shared__ int4 stage[2][128];
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    if (threadIdx.x == 0) init(&full, blockDim.x);
    __syncthreads();
    for (int k = 0; k < 2; k++)
        cuda::memcpy_async(&stage[k][threadIdx.x], a + k * 128 + threadIdx.x, cuda::aligned_size_t<16>(16), full);
    full.arrive_and_wait();
    int4 x = stage[0][127 - threadIdx.x], y = stage[1][threadIdx.x ^ 1];
    out[threadIdx.x] = make_int4(x.x + y.x, x.y - y.y, x.z * y.z, x.w ^ y.w);
}""", least=80)
def barriers_and_copies():
    a, out = RANDOM.integers(-999, 999, (256, 4)).astype(np.int32), np.zeros((128, 4), np.int32)
    x, y = a[:128][::-1], a[128:][np.arange(128) ^ 1]
    return [a, out], [(out, np.stack([x[:, 0] + y[:, 0], x[:, 1] - y[:, 1], x[:, 2] * y[:, 2], x[:, 3] ^ y[:, 3]], 1), 0)]


@case(1, 64, """
#include <cuda/atomic>
struct Base { __device__ virtual int of(int) = 0; };
struct Twice : Base { int add; __device__ Twice(int a) : add(a) {} __device__ int of(int v) { return 2 * v + add; } };
struct Square : Base { __device__ int of(int v) { return v * v; } };
extern "C" __global__ void kernel(const int *a, int *out, int *count) {
    cuda::atomic_ref<int, cuda::thread_scope_device> counter(*count);
    Twice twice(7);
    Square square;
    Base *chosen = a[threadIdx.x] & 1 ? (Base *)&twice : (Base *)&square;
    out[threadIdx.x] = chosen->of(a[threadIdx.x]);
    counter.fetch_add(1, cuda::memory_order_relaxed);
    int *heap = new int[3];
    heap[threadIdx.x % 3] = out[threadIdx.x];
    out[threadIdx.x] = heap[threadIdx.x % 3] + 1;
    delete[] heap;
}""")
def virtual_functions():
    a, out, count = RANDOM.integers(-99, 99, 64).astype(np.int32), np.zeros(64, np.int32), np.zeros(1, np.int32)
    return [a, out, count], [(out, np.where(a & 1, 2 * a + 7, a * a) + 1, 0), (count, [64], 0)]


@case(1, 64, """
extern "C" __global__ void kernel(const unsigned *a, const unsigned *b, unsigned *out) {
    int i = threadIdx.x, n = blockDim.x;
    unsigned x = a[i], y = b[i];
    out[i] = __byte_perm(x, y, 0x3715);
    out[n + i] = __funnelshift_l(x, y, x);
    out[2 * n + i] = __dp4a((int)x, (int)y, 5);
    out[3 * n + i] = __vadd4(x, y);
    out[4 * n + i] = __vmaxu2(x, y);
    out[5 * n + i] = __umulhi(x, y);
    out[6 * n + i] = __brev(x) + __popc(y) + __clz(x) + __ffs(y);
    out[7 * n + i] = __sad((int)x, (int)y, 3u) + __uhadd(x, y);
    out[8 * n + i] = __vabsdiffu4(x, y);
    out[9 * n + i] = (unsigned)((unsigned __int128)x * y * x >> 32);
}""")
def integers():
    a, b = (RANDOM.integers(1, 2**32, 64).astype(np.uint32) for _ in range(2))
    out = np.zeros((10, 64), np.uint32)
    rows = []
    for x, y in zip(a.tolist(), b.tolist()):
        both = x | y << 32
        def byte(v, k, sign=False):
            v = v >> 8 * k & 255
            return v - 256 if sign and v > 127 else v
        def signed(v): return v - 2**32 if v >> 31 else v
        turn = x & 31
        rows.append([sum(byte(both, k) << 8 * i for i, k in enumerate((5, 1, 7, 3))),
                     ((y << 32 | x) << turn >> 32) & 0xffffffff,
                     sum(byte(x, k, True) * byte(y, k, True) for k in range(4)) + 5 & 0xffffffff,
                     sum((byte(x, k) + byte(y, k) & 255) << 8 * k for k in range(4)),
                     max(x & 65535, y & 65535) | max(x >> 16, y >> 16) << 16,
                     x * y >> 32,
                     int(format(x, "032b")[::-1], 2) + bin(y).count("1") + 32 - x.bit_length() + (y & -y).bit_length() & 0xffffffff,
                     abs(signed(x) - signed(y)) + 3 + (x + y >> 1) & 0xffffffff,
                     sum(abs(byte(x, k) - byte(y, k)) << 8 * k for k in range(4)),
                     x * y * x >> 32 & 0xffffffff])
    return [a, b, out], [(out, np.array(rows, np.uint64).T, 0)]


class Nvrtc:
    def __init__(self, cuda):
        names = sorted(glob.glob(os.path.join(cuda, "lib64", "libnvrtc.so*"))) or ["libnvrtc.so"]
        self.nvrtc = ctypes.CDLL(names[0])
        root = os.path.join(cuda, "include")
        self.includes = [b"-I" + path.encode() for path in (root, os.path.join(root, "cccl"))]

    def version(self):
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        return "%d.%d" % (major.value, minor.value)

    def text(self, program, what):
        size = ctypes.c_size_t()
        getattr(self.nvrtc, "nvrtcGet%sSize" % what)(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(self.nvrtc, "nvrtcGet%s" % what)(program, text)
        return text.value.decode()

    def ptx(self, source, arch):
        program = ctypes.c_void_p()
        flags = [b"-arch=compute_%d" % arch, b"-std=c++17", b"-lineinfo", b"--device-int128"] + self.includes
        self.nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
        if self.nvrtc.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags)):
            raise ValueError(self.text(program, "ProgramLog"))
        return self.text(program, "PTX")


def main():
    options = command_line(90, cuda="/usr/local/cuda")
    nvrtc = Nvrtc(options.cuda)
    tally = Tally()
    for name, make, grid, block, source, least, shared in CASES:
        if (options.names and name not in options.names) or options.arch < least:
            continue
        try:
            ptx = nvrtc.ptx(source, options.arch)
        except ValueError as error:
            tally.add(name, "NVRTC: %s" % str(error)[:800], False)
            continue
        save_ptx(options.ptx, name, ptx)
        values, wanted = make()
        tally.judge(name, lambda: (launch(ptx, values, grid, block, shared), [near(*one) for one in wanted]))
    return tally.end(" (NVRTC %s, compute_%d)" % (nvrtc.version(), options.arch))


if __name__ == "__main__":
    sys.exit(main())
