"""Kernels as Numba's users write them: compiled to PTX without a GPU, run by wsim with all checks, compared with NumPy.

    pip install numpy 'numba-cuda[cu12]'
    WSIM=build/wsim python tools/clients/numba_kernels.py [--arch 9.0] [--ptx FOLDER] [NAME...]

Prints a line for each kernel. Exit status 1 if one differs. --ptx keeps the PTX, for wsim check --contents.
"""
import cmath
import math
import sys
from types import SimpleNamespace

import numba.cuda.dispatcher
import numpy as np
from cases import RANDOM, Tally, command_line, floats, near, save_ptx
from numba import (boolean, complex64, complex128, cuda, float32, float64, from_dtype, int8, int16, int32,
                   int64, types, uint8, uint16, uint32, uint64, void)
try:
    from numba.cuda.types import float16
except ImportError:
    from numba.core.types import float16
from wsim_launch import launch

CASES = []


def case(signature, grid, block, shared=0, **options):
    """Marks a function that returns (kernel, arguments, [(array, what it has to hold, relative error)])."""
    def keep(make):
        CASES.append((make, signature, grid, block, shared, options))
        return make
    return keep


def flat(value, kind):
    """The parameters that Numba makes of one argument."""
    if isinstance(kind, types.Array):
        item = value.dtype.itemsize
        return [None, None, np.int64(value.size), np.int64(item), value, *map(np.int64, value.shape),
                *map(np.int64, value.strides)]
    if isinstance(kind, types.Complex):
        part = np.float32 if kind is complex64 else np.float64
        return [part(value.real), part(value.imag)]
    return [np.dtype(str(kind)).type(value) if kind is not boolean else np.bool_(value)]


# --- one thread, one element ---

@case(void(float32, float32[::1], float32[::1]), 3, 128)
def saxpy():
    def kernel(a, x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = a * x[i] + y[i]
    x, y = floats(300), floats(300)
    return kernel, [np.float32(1.5), x, y], [(y, np.float32(1.5) * x + y, 1e-6)]


@case(void(float64[:, ::1], float64[:, ::1]), (2, 3), (16, 8))
def increment_2d():
    def kernel(a, b):
        x, y = cuda.grid(2)
        if x < a.shape[0] and y < a.shape[1]:
            b[x, y] = a[x, y] + x * 1000 + y
    a = floats((30, 20), np.float64)
    b = np.zeros_like(a)
    return kernel, [a, b], [(b, a + np.arange(30)[:, None] * 1000 + np.arange(20), 0)]


@case(void(int32[:, :, ::1]), (2, 1, 2), (4, 8, 2))
def three_dimensions():
    def kernel(a):
        x, y, z = cuda.grid(3)
        gx, gy, gz = cuda.gridsize(3)
        if x < a.shape[0] and y < a.shape[1] and z < a.shape[2]:
            a[x, y, z] = (x * gy + y) * gz + z + gx
    a = np.zeros((7, 8, 3), np.int32)
    x, y, z = np.indices(a.shape)
    return kernel, [a], [(a, (x * 8 + y) * 4 + z + 8, 0)]


@case(void(float64[:, :], float64[:], float64[:]), 2, 32)
def strided_matrix_vector():
    def kernel(m, x, y):
        i = cuda.grid(1)
        if i < m.shape[0]:
            s = 0.0
            for j in range(m.shape[1]):
                s += m[i, j] * x[j]
            y[i] = s
    m, x, y = floats((40, 17), np.float64), floats(17, np.float64), np.zeros(40)
    return kernel, [m, x, y], [(y, m @ x, 1e-13)]


@case(void(float32[::1], float32[::1], int32), 4, 64)
def heat_grid_stride():
    def kernel(a, b, steps):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            left = a[i - 1] if i > 0 else a[i]
            right = a[i + 1] if i < a.size - 1 else a[i]
            b[i] = a[i] + np.float32(0.25) * (left - 2 * a[i] + right)
    a = floats(1000)
    b = np.zeros_like(a)
    wide = np.concatenate([a[:1], a, a[-1:]]).astype(np.float64)
    return kernel, [a, b, 1], [(b, wide[1:-1] + 0.25 * (wide[:-2] - 2 * wide[1:-1] + wide[2:]), 1e-5)]


@case(void(uint8[:, ::1], uint8[:, ::1]), (3, 3), (8, 8))
def life():
    def kernel(a, b):
        x, y = cuda.grid(2)
        h, w = a.shape
        if x < h and y < w:
            n = 0
            for dx in range(-1, 2):
                for dy in range(-1, 2):
                    if dx != 0 or dy != 0:
                        n += a[(x + dx) % h, (y + dy) % w]
            b[x, y] = 1 if n == 3 or (n == 2 and a[x, y] == 1) else 0
    a = RANDOM.integers(0, 2, (20, 21)).astype(np.uint8)
    b = np.zeros_like(a)
    n = sum(np.roll(a, (dx, dy), (0, 1)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)) - a
    return kernel, [a, b], [(b, ((n == 3) | ((n == 2) & (a == 1))).astype(np.uint8), 0)]


# --- shared memory ---

@case(void(float32[:, ::1], float32[:, ::1], float32[:, ::1]), (2, 2), (16, 16))
def matmul_shared():
    def kernel(a, b, c):
        sa = cuda.shared.array((16, 16), float32)
        sb = cuda.shared.array((16, 16), float32)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        s = float32(0)
        for i in range((a.shape[1] + 15) // 16):
            sa[ty, tx] = a[y, tx + i * 16] if y < a.shape[0] and tx + i * 16 < a.shape[1] else float32(0)
            sb[ty, tx] = b[ty + i * 16, x] if x < b.shape[1] and ty + i * 16 < b.shape[0] else float32(0)
            cuda.syncthreads()
            for j in range(16):
                s += sa[ty, j] * sb[j, tx]
            cuda.syncthreads()
        if y < c.shape[0] and x < c.shape[1]:
            c[y, x] = s
    a, b, c = floats((30, 37)), floats((37, 25)), np.zeros((30, 25), np.float32)
    return kernel, [a, b, c], [(c, a.astype(np.float64) @ b, 1e-4)]


@case(void(int32[:, ::1], int32[:, ::1]), (2, 2), (32, 8))
def transpose_padded():
    def kernel(a, b):
        tile = cuda.shared.array((32, 33), int32)
        x = cuda.blockIdx.x * 32 + cuda.threadIdx.x
        y = cuda.blockIdx.y * 32 + cuda.threadIdx.y
        for j in range(0, 32, 8):
            tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = a[y + j, x]
        cuda.syncthreads()
        x = cuda.blockIdx.y * 32 + cuda.threadIdx.x
        y = cuda.blockIdx.x * 32 + cuda.threadIdx.y
        for j in range(0, 32, 8):
            b[y + j, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]
    a = RANDOM.integers(-99, 99, (64, 64)).astype(np.int32)
    b = np.zeros_like(a)
    return kernel, [a, b], [(b, a.T, 0)]


@case(void(float64[::1], float64[::1]), 4, 128)
def block_sum():
    def kernel(a, out):
        s = cuda.shared.array(128, float64)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        s[t] = a[i] if i < a.size else 0.0
        cuda.syncthreads()
        step = 64
        while step > 0:
            if t < step:
                s[t] += s[t + step]
            cuda.syncthreads()
            step //= 2
        if t == 0:
            cuda.atomic.add(out, 0, s[0])
    a, out = np.floor(floats(500, np.float64, 0, 1000)), np.zeros(1)
    return kernel, [a, out], [(out, [a.sum()], 0)]


@case(void(int64[::1]), 2, 64)
def scan():
    def kernel(a):
        s = cuda.shared.array((2, 64), int64)
        t = cuda.threadIdx.x
        now = 0
        s[0, t] = a[cuda.grid(1)]
        cuda.syncthreads()
        step = 1
        while step < 64:
            s[1 - now, t] = s[now, t] + s[now, t - step] if t >= step else s[now, t]
            now = 1 - now
            cuda.syncthreads()
            step *= 2
        a[cuda.grid(1)] = s[now, t]
    a = RANDOM.integers(-2**40, 2**40, 128)
    return kernel, [a], [(a, np.cumsum(a.reshape(2, 64), 1).ravel(), 0)]


@case(void(float32[::1]), 1, 256)
def bitonic_sort():
    def kernel(a):
        s = cuda.shared.array(256, float32)
        t = cuda.threadIdx.x
        s[t] = a[t]
        cuda.syncthreads()
        k = 2
        while k <= 256:
            j = k >> 1
            while j > 0:
                other = t ^ j
                if other > t and (s[t] > s[other]) == ((t & k) == 0):
                    s[t], s[other] = s[other], s[t]
                cuda.syncthreads()
                j >>= 1
            k <<= 1
        a[t] = s[t]
    a = floats(256)
    return kernel, [a], [(a, np.sort(a), 0)]


@case(void(int32[::1], int32[::1]), 2, 64, shared=64 * 4)
def dynamic_shared():
    def kernel(a, b):
        s = cuda.shared.array(0, int32)
        t = cuda.threadIdx.x
        s[t] = a[cuda.grid(1)]
        cuda.syncthreads()
        b[cuda.grid(1)] = s[cuda.blockDim.x - 1 - t]
    a = RANDOM.integers(-2**31, 2**31, 128).astype(np.int32)
    b = np.zeros_like(a)
    return kernel, [a, b], [(b, a.reshape(2, 64)[:, ::-1].ravel(), 0)]


# --- atomics ---

@case(void(uint8[::1], int32[::1]), 4, 64)
def histogram():
    def kernel(a, bins):
        s = cuda.shared.array(256, int32)
        for i in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
            s[i] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            cuda.atomic.add(s, a[i], 1)
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
            cuda.atomic.add(bins, i, s[i])
    a, bins = RANDOM.integers(0, 256, 2000).astype(np.uint8), np.zeros(256, np.int32)
    return kernel, [a, bins], [(bins, np.bincount(a, minlength=256), 0)]


@case(void(float64[::1], float64[::1], float32[::1]), 2, 64)
def atomic_floats():
    def kernel(a, out, single):
        i = cuda.grid(1)
        cuda.atomic.add(out, 0, a[i])
        cuda.atomic.max(out, 1, a[i])
        cuda.atomic.min(out, 2, a[i])
        cuda.atomic.sub(out, 3, a[i])
        cuda.atomic.add(single, 0, float32(1))
        cuda.atomic.max(single, 1, float32(a[i]))
        cuda.atomic.nanmin(single, 2, float32(a[i]))
    a, out, single = np.floor(floats(128, np.float64, -500, 500)), np.zeros(4), np.zeros(3, np.float32)
    return kernel, [a, out, single], [(out, [a.sum(), max(a.max(), 0), min(a.min(), 0), -a.sum()], 0),
                                      (single, [128, max(a.max(), 0), min(a.min(), 0)], 0)]


@case(void(uint32[::1], uint32[::1], uint64[::1]), 2, 32)
def atomic_integers():
    def kernel(a, out, wide):
        i = cuda.grid(1)
        cuda.atomic.and_(out, 0, a[i])
        cuda.atomic.or_(out, 1, a[i])
        cuda.atomic.xor(out, 2, a[i])
        cuda.atomic.inc(out, 3, 9)
        cuda.atomic.dec(out, 4, 12)
        cuda.atomic.exch(out, 5, uint32(7))
        cuda.atomic.add(wide, 0, uint64(a[i]) << 20)
        cuda.atomic.max(wide, 1, uint64(a[i]) << 20)
        cuda.atomic.xor(wide, 2, uint64(a[i]) << 20)
        cuda.atomic.and_(wide, 3, ~(uint64(1) << uint64(i)))
    a = RANDOM.integers(0, 2**32, 64).astype(np.uint32)
    out = np.array([2**32 - 1, 0, 0, 0, 5, 0], np.uint32)
    wide = np.array([0, 0, 0, 2**64 - 1], np.uint64)
    dec = 5
    for _ in range(64):
        dec = 12 if dec == 0 or dec > 12 else dec - 1
    big = a.astype(np.uint64) << np.uint64(20)
    return kernel, [a, out, wide], [
        (out, [np.bitwise_and.reduce(a), np.bitwise_or.reduce(a), np.bitwise_xor.reduce(a), 64 % 10, dec, 7], 0),
        (wide, [big.sum(), big.max(), np.bitwise_xor.reduce(big), 0], 0)]


@case(void(int64[::1], int64[::1]), 2, 32)
def compare_and_swap():
    def kernel(lock, out):
        i = cuda.grid(1)
        while True:
            old = cuda.atomic.add(lock, 1, 0)
            if cuda.atomic.cas(lock, 1, old, old + i + 1) == old:
                break
        out[i] = cuda.atomic.cas(lock, 0, 0, 0)
    lock, out = np.array([5, 0], np.int64), np.zeros(64, np.int64)
    return kernel, [lock, out], [(lock, [5, 64 * 65 // 2], 0), (out, np.full(64, 5), 0)]


@case(void(float32[::1], float32[::1], int32[::1], float32[::1]), 4, 64)
def last_block_sums():
    def kernel(a, partial, count, out):
        s = cuda.shared.array(64, float32)
        last = cuda.shared.array(1, boolean)
        t = cuda.threadIdx.x
        s[t] = a[cuda.grid(1)]
        cuda.syncthreads()
        step = 32
        while step:
            if t < step:
                s[t] += s[t + step]
            cuda.syncthreads()
            step >>= 1
        if t == 0:
            partial[cuda.blockIdx.x] = s[0]
            cuda.threadfence()
            last[0] = cuda.atomic.add(count, 0, 1) == cuda.gridDim.x - 1
        cuda.syncthreads()
        if last[0] and t == 0:
            cuda.threadfence()
            total = float32(0)
            for i in range(cuda.gridDim.x):
                total += partial[i]
            out[0] = total
    a = np.floor(floats(256, np.float32, 0, 100))
    partial, count, out = np.zeros(4, np.float32), np.zeros(1, np.int32), np.zeros(1, np.float32)
    return kernel, [a, partial, count, out], [(out, [a.sum()], 0)]


# --- warps ---

@case(void(float32[::1], float32[::1]), 2, 64)
def warp_sum():
    def kernel(a, out):
        v = a[cuda.grid(1)]
        step = 16
        while step > 0:
            v += cuda.shfl_down_sync(0xffffffff, v, step)
            step >>= 1
        if cuda.laneid == 0:
            out[cuda.grid(1) // 32] = v
    a, out = np.floor(floats(128, np.float32, 0, 100)), np.zeros(4, np.float32)
    return kernel, [a, out], [(out, a.reshape(4, 32).sum(1), 0)]


@case(void(float64[::1], int64[::1]), 1, 32)
def shuffles_of_64_bits():
    def kernel(a, b):
        t = cuda.threadIdx.x
        x = cuda.shfl_sync(0xffffffff, a[t], 31 - t)
        y = cuda.shfl_xor_sync(0xffffffff, b[t], 5)
        z = cuda.shfl_up_sync(0xffffffff, b[t], 3)
        a[t] = x
        b[t] = y * 2 + z
    a, b = floats(32, np.float64), RANDOM.integers(-2**40, 2**40, 32)
    lanes = np.arange(32)
    return kernel, [a, b], [(a, a[::-1].copy(), 0), (b, b[lanes ^ 5] * 2 + b[np.where(lanes < 3, lanes, lanes - 3)], 0)]


@case(void(int32[::1], uint32[:, ::1]), 1, 64)
def votes():
    def kernel(a, out):
        t = cuda.threadIdx.x
        v = a[t]
        out[0, t] = cuda.ballot_sync(0xffffffff, v > 2)
        out[1, t] = cuda.all_sync(0xffffffff, v >= 0)
        out[2, t] = cuda.any_sync(0xffffffff, v == 3)
        out[3, t] = cuda.eq_sync(0xffffffff, v > 5)
        out[4, t] = cuda.match_any_sync(0xffffffff, v)
        out[5, t] = cuda.activemask()
        out[6, t] = cuda.lanemask_lt()
        cuda.syncwarp()
        out[7, t] = cuda.syncthreads_count(1 if v > 1 else 0)
        out[8, t] = cuda.syncthreads_and(1 if v >= 0 else 0) != 0
        out[9, t] = cuda.syncthreads_or(1 if v == 17 else 0) != 0
    a, out = RANDOM.integers(0, 5, 64).astype(np.int32), np.zeros((10, 64), np.uint32)
    want = np.zeros((10, 64), np.uint32)
    for t in range(64):
        w = a[t // 32 * 32:][:32]
        def mask(bits):
            return sum(int(bit) << lane for lane, bit in enumerate(bits))
        want[:, t] = [mask(w > 2), 1, (w == 3).any(), 1, mask(w == a[t]), 2**32 - 1, (1 << t % 32) - 1,
                      (a > 1).sum(), 1, 0]
    return kernel, [a, out], [(out, want, 0)]


@case(void(uint32[::1], uint64[::1], int32[:, ::1]), 1, 32)
def bits():
    def kernel(a, b, out):
        t = cuda.threadIdx.x
        out[0, t] = cuda.popc(a[t])
        out[1, t] = cuda.clz(a[t])
        out[2, t] = cuda.ffs(a[t])
        out[3, t] = cuda.popc(b[t])
        out[4, t] = cuda.clz(b[t])
        out[5, t] = cuda.ffs(b[t])
        out[6, t] = cuda.brev(a[t]) >> 1
        out[7, t] = cuda.selp(t & 1 == 1, 5, -5)
    a = (RANDOM.integers(1, 2**32, 32) >> RANDOM.integers(0, 31, 32)).astype(np.uint32) | 1
    b = (RANDOM.integers(1, 2**62, 32).astype(np.uint64) << np.uint64(2)) >> np.uint64(7)
    b |= np.uint64(1) << np.uint64(40)
    out = np.zeros((8, 32), np.int32)
    def row(f, x, n):
        return [f(format(int(v), "0%db" % n)) for v in x]
    def count(s): return s.count("1")
    def clz(s): return len(s) - len(s.lstrip("0"))
    def ffs(s): return len(s) - len(s.rstrip("0")) + 1
    want = [row(count, a, 32), row(clz, a, 32), row(ffs, a, 32), row(count, b, 64), row(clz, b, 64), row(ffs, b, 64),
            [int(format(int(v), "032b")[::-1], 2) >> 1 for v in a], [5 if t & 1 else -5 for t in range(32)]]
    return kernel, [a, b, out], [(out, want, 0)]


# --- types ---

@case(void(int8[::1], int8[::1], int8[:, ::1]), 1, 128)
def bytes_of_a_sign():
    def kernel(a, b, out):
        t = cuda.grid(1)
        x, y = a[t], b[t]
        out[0, t] = x + y
        out[1, t] = x * y
        out[2, t] = x >> 2
        out[3, t] = x // y
        out[4, t] = x % y
        out[5, t] = min(x, y)
        out[6, t] = x ^ y
    a, b = RANDOM.integers(-128, 128, 128).astype(np.int8), RANDOM.integers(1, 128, 128).astype(np.int8)
    b[::2] *= -1
    out = np.zeros((7, 128), np.int8)
    x, y = a.astype(int), b.astype(int)
    return kernel, [a, b, out], [
        (out, np.array([x + y, x * y, x >> 2, x // y, x % y, np.minimum(x, y), x ^ y]).astype(np.int8), 0)]


@case(void(int16[::1], uint16[::1], int32[:, ::1]), 1, 64)
def halves_of_words():
    def kernel(a, b, out):
        t = cuda.grid(1)
        out[0, t] = a[t] * b[t]
        out[1, t] = a[t] // 7
        out[2, t] = b[t] % uint16(13)
        out[3, t] = int16(a[t] * a[t])
        out[4, t] = uint16(a[t])
        out[5, t] = abs(a[t]) - b[t]
    a, b = RANDOM.integers(-2**15 + 1, 2**15, 64).astype(np.int16), RANDOM.integers(0, 2**15, 64).astype(np.uint16)
    out = np.zeros((6, 64), np.int32)
    x, y = a.astype(np.int64), b.astype(np.int64)
    return kernel, [a, b, out], [(out, np.array([x * y, x // 7, y % 13, (x * x).astype(np.int16), x & 0xffff,
                                                 abs(x) - y]).astype(np.int32), 0)]


@case(void(int64[::1], int64[::1], int64[:, ::1]), 1, 64)
def long_division():
    def kernel(a, b, out):
        t = cuda.grid(1)
        out[0, t] = a[t] // b[t]
        out[1, t] = a[t] % b[t]
        out[2, t] = a[t] * b[t]
        out[3, t] = (a[t] << 3) ^ (b[t] >> 5)
        out[4, t] = abs(b[t])
        out[5, t] = int64(uint64(a[t]) // uint64(1000003))
    a, b = RANDOM.integers(-2**62, 2**62, 64), RANDOM.integers(1, 2**40, 64)
    b[::3] *= -1
    b[::5] //= 2**30
    b[b == 0] = 3
    out = np.zeros((6, 64), np.int64)
    with np.errstate(over="ignore"):
        want = [a // b, a % b, a * b, (a << 3) ^ (b >> 5), abs(b),
                (a.view(np.uint64) // np.uint64(1000003)).view(np.int64)]
    return kernel, [a, b, out], [(out, want, 0)]


@case(void(int64[::1], int32[::1]), 1, 64)
def collatz():
    def kernel(a, steps):
        i = cuda.grid(1)
        n = a[i]
        k = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            k += 1
        steps[i] = k
    a, steps = RANDOM.integers(1, 10**9, 64), np.zeros(64, np.int32)
    def walk(n):
        k = 0
        while n != 1:
            n, k = (n // 2 if n % 2 == 0 else 3 * n + 1), k + 1
        return k
    return kernel, [a, steps], [(steps, [walk(int(n)) for n in a], 0)]


@case(void(uint64[::1], uint64[::1]), 1, 64)
def xorshift():
    def kernel(seed, out):
        i = cuda.grid(1)
        x = seed[i]
        for _ in range(20):
            x ^= x >> uint64(12)
            x ^= x << uint64(25)
            x ^= x >> uint64(27)
        out[i] = x * uint64(2685821657736338717)
    seed = RANDOM.integers(1, 2**63, 64).astype(np.uint64)
    out = np.zeros_like(seed)
    x = seed.copy()
    for _ in range(20):
        x ^= x >> np.uint64(12)
        x ^= x << np.uint64(25)
        x ^= x >> np.uint64(27)
    return kernel, [seed, out], [(out, x * np.uint64(2685821657736338717), 0)]


@case(void(float16[::1], float16[::1], float16[:, ::1]), 1, 64)
def half_floats():
    def kernel(a, b, out):
        t = cuda.grid(1)
        out[0, t] = a[t] + b[t]
        out[1, t] = a[t] * b[t]
        out[2, t] = a[t] - b[t]
        out[3, t] = abs(a[t])
        out[4, t] = -b[t]
        out[5, t] = cuda.fp16.hmax(a[t], b[t])
        out[6, t] = cuda.fp16.hfma(a[t], b[t], a[t])
        out[7, t] = a[t] / b[t]
    a, b = floats(64, np.float16), floats(64, np.float16, 0.5, 2)
    out = np.zeros((8, 64), np.float16)
    fma = (a.astype(np.float64) * b + a).astype(np.float16)
    return kernel, [a, b, out], [(out[:7], np.array([a + b, a * b, a - b, abs(a), -b, np.maximum(a, b), fma]), 0),
                                 (out[7], a / b, 2e-3)]


@case(void(float64[::1], int64[:, ::1], float32[:, ::1]), 1, 64)
def conversions():
    def kernel(a, out, single):
        t = cuda.grid(1)
        x = a[t]
        out[0, t] = int32(x)
        out[1, t] = int64(x * 1e6)
        out[2, t] = int8(x)
        out[3, t] = uint64(abs(x) * 1e9)
        out[4, t] = math.floor(x)
        out[5, t] = math.ceil(x)
        out[6, t] = round(x)
        single[0, t] = x
        single[1, t] = float32(int64(x * 1e12))
        single[2, t] = float32(uint32(t) * uint32(67108865))
        single[3, t] = math.trunc(x)
    a = floats(64, np.float64, -100, 100)
    a[:4] = [0.5, 1.5, 2.5, -0.5]
    out, single = np.zeros((7, 64), np.int64), np.zeros((4, 64), np.float32)
    t = np.arange(64, dtype=np.uint32)
    return kernel, [a, out, single], [
        (out, np.array([np.trunc(a), np.trunc(a * 1e6), np.trunc(a), np.trunc(abs(a) * 1e9), np.floor(a), np.ceil(a),
                        np.rint(a)]).astype(np.int64), 0),
        (single, np.array([a.astype(np.float32), (a * 1e12).astype(np.int64).astype(np.float32),
                           (t * np.uint32(67108865)).astype(np.float32), np.trunc(a).astype(np.float32)]), 0)]


@case(void(complex64[::1], complex64[::1], complex64, complex64[:, ::1]), 1, 64)
def complex_singles():
    def kernel(a, b, c, out):
        t = cuda.grid(1)
        out[0, t] = a[t] * b[t] + c
        out[1, t] = a[t] / b[t]
        out[2, t] = a[t].conjugate()
        out[3, t] = abs(a[t]) + 1j * a[t].imag
    a, b = (floats(64) + 1j * floats(64)).astype(np.complex64), (floats(64, low=1) + 1j * floats(64)).astype(np.complex64)
    c = np.complex64(0.5 - 2j)
    out = np.zeros((4, 64), np.complex64)
    return kernel, [a, b, c, out], [(out, np.array([a * b + c, a / b, a.conj(), abs(a) + 1j * a.imag]), 1e-5)]


@case(void(complex128[::1], complex128[:, ::1]), 1, 64)
def complex_functions():
    def kernel(a, out):
        t = cuda.grid(1)
        z = a[t]
        out[0, t] = cmath.exp(z)
        out[1, t] = cmath.sin(z)
        out[2, t] = cmath.sqrt(z)
        out[3, t] = cmath.log(z)
        out[4, t] = z * z * z - 1
        out[5, t] = cmath.tanh(z)
    a = floats(64, np.float64) + 1j * floats(64, np.float64)
    out = np.zeros((6, 64), np.complex128)
    return kernel, [a, out], [(out, np.array([np.exp(a), np.sin(a), np.sqrt(a), np.log(a), a**3 - 1, np.tanh(a)]), 1e-12)]


@case(void(float64, float64, uint8[:, ::1], uint32), (2, 2), (8, 8))
def mandelbrot():
    @cuda.jit(device=True)
    def escape(x, y, most):
        c = complex(x, y)
        z = 0.0j
        for i in range(most):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag >= 4:
                return i
        return 255

    def kernel(left, top, image, most):
        x, y = cuda.grid(2)
        if x < image.shape[1] and y < image.shape[0]:
            image[y, x] = escape(left + x * 0.15, top + y * 0.125, most)
    image = np.zeros((16, 15), np.uint8)
    want = np.zeros_like(image)
    for y in range(16):
        for x in range(15):
            c, z, want[y, x] = complex(-2 + x * 0.15, -1 + y * 0.125), 0j, 255
            for i in range(40):
                z = z * z + c
                if abs(z) >= 2:
                    want[y, x] = i
                    break
    return kernel, [-2.0, -1.0, image, 40], [(image, want, 0)]


PARTICLE = np.dtype([("id", np.int32), ("mass", np.float64), ("at", np.float32, (3,)), ("kind", np.uint8)], align=True)


@case(void(from_dtype(PARTICLE)[::1], float32), 1, 32)
def records():
    def kernel(p, dt):
        i = cuda.grid(1)
        if i < p.size:
            p[i].id = p[i].id * 2 + 1
            p[i].mass = p[i].mass * p[i].kind
            for k in range(3):
                p[i].at[k] += dt * (k + 1)
            p[i].kind = p[i].kind + 250
    p = np.zeros(20, PARTICLE)
    p["id"], p["mass"], p["at"], p["kind"] = np.arange(20), floats(20, np.float64), floats((20, 3)), np.arange(20)
    want = p.copy()
    want["id"] = p["id"] * 2 + 1
    want["mass"] = p["mass"] * p["kind"]
    want["at"] = p["at"] + np.float32(0.5) * np.arange(1, 4, dtype=np.float32)
    want["kind"] = p["kind"] + np.uint8(250)
    return kernel, [p, 0.5], [(p, want, 0)]


# --- mathematics ---

SINGLE = "sin cos tan asin acos atan sinh cosh tanh exp expm1 log log2 log10 log1p sqrt erf erfc gamma lgamma".split()


def functions(kind):
    body = "def kernel(a, out):\n    t = cuda.grid(1)\n    x = a[t]\n"
    body += "".join("    out[%d, t] = math.%s(x)\n" % pair for pair in enumerate(SINGLE))
    n = len(SINGLE)
    body += "".join("    out[%d, t] = %s\n" % (n + k, text) for k, text in enumerate((
        "x ** kind(2.7)", "math.atan2(x, kind(0.3))", "math.hypot(x, kind(2))", "math.fmod(x, kind(0.3))",
        "math.copysign(x, kind(-1))", "x % kind(0.3)", "x // kind(0.3)", "math.cos(x * kind(1e5))", "math.fabs(-x)",
        "math.ldexp(x, 3)")))
    place = {"cuda": cuda, "math": math, "kind": {np.float32: float32, np.float64: float64}[kind]}
    exec(body, place)
    a = floats(64, kind, 0.02, 0.98)
    out = np.zeros((n + 10, 64), kind)
    wide = a.astype(np.float64)
    third = np.float64(kind(0.3))
    def each(f): return [f(x) for x in wide]
    want = [each(getattr(math, name)) for name in SINGLE]
    want += [wide**np.float64(kind(2.7)), np.arctan2(wide, third), np.hypot(wide, 2), np.fmod(wide, third), -wide,
             wide % third, wide // third, np.cos((a * kind(1e5)).astype(np.float64)), wide, wide * 8]
    return place["kernel"], [a, out], [(out, np.array(want), 1e-5 if kind is np.float32 else 1e-12)]


@case(void(float32[::1], float32[:, ::1]), 1, 64)
def functions_single():
    return functions(np.float32)


@case(void(float64[::1], float64[:, ::1]), 1, 64)
def functions_double():
    return functions(np.float64)


@case(void(float32[::1], float32[:, ::1]), 1, 64, fastmath=True)
def functions_fast():
    def kernel(a, out):
        t = cuda.grid(1)
        x = a[t]
        out[0, t] = math.sin(x)
        out[1, t] = math.cos(x)
        out[2, t] = math.exp(x)
        out[3, t] = math.log(x)
        out[4, t] = x ** float32(1.7)
        out[5, t] = x / (x + 1)
        out[6, t] = math.sqrt(x)
        out[7, t] = math.tanh(x)
    a, out = floats(64, np.float32, 0.1, 3), np.zeros((8, 64), np.float32)
    w = a.astype(np.float64)
    return kernel, [a, out], [
        (out, np.array([np.sin(w), np.cos(w), np.exp(w), np.log(w), w**1.7, w / (w + 1), np.sqrt(w), np.tanh(w)]), 1e-3)]


@case(void(float64[::1], float64[:, ::1]), 1, 32)
def not_numbers():
    def kernel(a, out):
        t = cuda.grid(1)
        x = a[t]
        y = a[(t + 1) % a.size]
        out[0, t] = min(x, y)
        out[1, t] = max(x, y)
        out[2, t] = math.isnan(x)
        out[3, t] = math.isinf(x)
        out[4, t] = 1.0 if x < y else (2.0 if x == y else 3.0)
        out[5, t] = x * y
        out[6, t] = cuda.fma(x, 2.0, 1.0)
        out[7, t] = cuda.cbrt(float64(t))
    a = floats(32, np.float64)
    a[::9], a[::10] = np.inf, -np.inf
    out = np.zeros((8, 32))
    y = np.roll(a, -1)
    return kernel, [a, out], [
        (out, np.array([np.minimum(a, y), np.maximum(a, y), np.isnan(a), np.isinf(a), np.where(a < y, 1, np.where(a == y, 2, 3)),
                        a * y, a * 2 + 1, np.cbrt(np.arange(32))]), 1e-13)]


# --- functions, local memory, constants, output ---

@case(void(int32[:, ::1]), 1, 64)
def sort_in_local_memory():
    def kernel(a):
        t = cuda.grid(1)
        v = cuda.local.array(16, int32)
        for i in range(16):
            v[i] = a[t, i]
        for i in range(1, 16):
            x = v[i]
            j = i - 1
            while j >= 0 and v[j] > x:
                v[j + 1] = v[j]
                j -= 1
            v[j + 1] = x
        for i in range(16):
            a[t, i] = v[i]
    a = RANDOM.integers(-99, 99, (64, 16)).astype(np.int32)
    return kernel, [a], [(a, np.sort(a, 1), 0)]


@case(void(float32[:, ::1], float32[::1]), 1, 32)
def device_functions():
    @cuda.jit(device=True, inline="never")
    def cross(a, b):
        return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]

    @cuda.jit(device=True, inline="never")
    def length(v):
        return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])

    def kernel(a, out):
        t = cuda.grid(1)
        out[t] = length(cross((a[t, 0], a[t, 1], a[t, 2]), (a[t, 3], a[t, 4], a[t, 5])))
    a, out = floats((32, 6)), np.zeros(32, np.float32)
    return kernel, [a, out], [(out, np.linalg.norm(np.cross(a[:, :3].astype(np.float64), a[:, 3:]), axis=1), 1e-5)]


TAPS = np.array([0.5, -1.25, 2.0, 3.5, -0.75], np.float64)


@case(void(float64[::1], float64[::1]), 1, 64)
def constant_array():
    def kernel(a, out):
        taps = cuda.const.array_like(TAPS)
        i = cuda.grid(1)
        s = 0.0
        for k in range(5):
            if i + k < a.size:
                s += taps[k] * a[i + k]
        out[i] = s
    a, out = floats(64, np.float64), np.zeros(64)
    return kernel, [a, out], [(out, np.convolve(np.concatenate([a, np.zeros(4)]), TAPS[::-1], "valid"), 1e-13)]


@case(void(int32[::1]), 1, 4)
def prints():
    def kernel(a):
        i = cuda.grid(1)
        if i == 2:
            print("thread", i, "has", a[i], 0.5)
        a[i] += 1
    a = np.arange(4, dtype=np.int32)
    return kernel, [a], [(a, a + 1, 0)]


@case(void(uint64[:, ::1], float32[::1]), 1, 64)
def random_numbers():
    from numba.cuda.random import xoroshiro128p_dtype, xoroshiro128p_uniform_float32
    state = from_dtype(xoroshiro128p_dtype)

    def kernel(states, out):
        local = cuda.local.array(1, state)
        i = cuda.grid(1)
        local[0]["s0"] = states[i, 0]
        local[0]["s1"] = states[i, 1]
        inside = 0
        for _ in range(100):
            x = xoroshiro128p_uniform_float32(local, 0)
            y = xoroshiro128p_uniform_float32(local, 0)
            if x * x + y * y <= float32(1):
                inside += 1
        out[i] = inside
    states, out = RANDOM.integers(1, 2**63, (64, 2)).astype(np.uint64), np.zeros(64, np.float32)
    return kernel, [states, out], [(out, [points_inside(s) for s in states], 0)]


def points_inside(state):
    """The same numbers in Python's integers."""
    mask = 2**64 - 1
    s0, s1 = int(state[0]), int(state[1])
    def turn(x, k): return (x << k | x >> (64 - k)) & mask
    def draw():
        nonlocal s0, s1
        value, s1 = (s0 + s1) & mask, s1 ^ s0
        s0, s1 = turn(s0, 55) ^ s1 ^ (s1 << 14) & mask, turn(s1, 36)
        return np.float32((value >> 11) * (1.0 / 2**53))
    inside = 0
    for _ in range(100):
        x, y = draw(), draw()
        inside += bool(x * x + y * y <= np.float32(1))
    return inside


@case(void(float32[::1], float32[::1], boolean), 2, 32, debug=True, opt=False)
def without_optimisation():
    def kernel(a, out, double):
        i = cuda.grid(1)
        v = cuda.local.array(4, float32)
        for k in range(4):
            v[k] = a[i] * k
        s = float32(0)
        for k in range(4):
            s += v[k]
        out[i] = s * 2 if double else s
    a, out = np.floor(floats(64, np.float32, 0, 100)), np.zeros(64, np.float32)
    return kernel, [a, out, True], [(out, a * 12, 0)]


def main():
    options = command_line("9.0")
    cc = tuple(int(part) for part in options.arch.split("."))
    # Device functions are compiled for the GPU that is there; there is none.
    numba.cuda.dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=cc)
    tally = Tally()
    for make, signature, grid, block, shared, extra in CASES:
        name = make.__name__
        if options.names and name not in options.names:
            continue
        kernel, values, wanted = make()
        try:
            ptx, _ = cuda.compile_ptx(kernel, signature, cc=cc, **extra)
        except Exception as error:  # what Numba itself cannot compile is no matter of wsim
            print("%-24s Numba: %s" % (name, str(error).strip().splitlines()[0]))
            continue
        ptx = ptx if isinstance(ptx, str) else ptx.decode()
        save_ptx(options.ptx, name, ptx)
        args = [part for value, kind in zip(values, signature.args) for part in flat(value, kind)]
        tally.judge(name, lambda: (launch(ptx, args, grid, block, shared), [near(*one) for one in wanted]))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
