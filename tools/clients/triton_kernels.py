"""Kernels in the manner of Triton's tutorials: compiled to PTX without a GPU, run by wsim with all checks, compared with NumPy.

    pip install numpy triton
    WSIM=build/wsim python tools/clients/triton_kernels.py [--arch 90] [--ptx FOLDER] [NAME...]

Prints a line for each kernel. Exit status 1 if one differs. --ptx keeps the PTX, for wsim check --contents.
"""
import sys

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from cases import RANDOM, Tally, command_line, floats, near, of_bf16, save_ptx, to_bf16
from triton.compiler import ASTSource
from wsim_launch import launch

CASES = []
POINTERS = {"float16": "*fp16", "float32": "*fp32", "float64": "*fp64", "int32": "*i32", "int64": "*i64", "int8": "*i8",
            "uint8": "*u8"}
NUMBERS = {"float32": "fp32", "int32": "i32", "int64": "i64"}


def case(kernel, grid, warps=4, stages=2, bf16=(), **constants):
    """Marks a function that returns (arguments, [(array, what it has to hold, error)])."""
    def keep(make):
        CASES.append((make.__name__, kernel, make, grid, constants, {"num_warps": warps, "num_stages": stages}, bf16))
        return make
    return keep


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@case(add_kernel, 3, BLOCK=1024)
def vector_add():
    x, y, out = floats(2500), floats(2500), np.zeros(2500, np.float32)
    return [x, y, out, np.int32(2500)], [(out, x + y, 0)]


@triton.jit
def softmax_kernel(x, out, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, mask=at < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=at < n)


@case(softmax_kernel, 5, BLOCK=512)
def softmax():
    x, out = floats((5, 300)), np.zeros((5, 300), np.float32)
    e = np.exp(x.astype(np.float64))
    return [x, out, np.int32(300), np.int32(300)], [(out, e / e.sum(1, keepdims=True), 1e-5)]


@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    sum = tl.zeros((BM, BN), tl.float32)
    for step in range(0, K, BK):
        left = tl.load(a + m[:, None] * K + (step + k)[None, :], mask=(m[:, None] < M) & ((step + k)[None, :] < K), other=0.0)
        right = tl.load(b + (step + k)[:, None] * N + n[None, :], mask=((step + k)[:, None] < K) & (n[None, :] < N), other=0.0)
        sum = tl.dot(left, right, sum, input_precision=PRECISION)
    tl.store(c + m[:, None] * N + n[None, :], sum.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


def product(kind, M, N, K, error):
    a, b, c = floats((M, K), kind), floats((K, N), kind), np.zeros((M, N), np.float32)
    return [a, b, c, np.int32(M), np.int32(N), np.int32(K)], [(c, a.astype(np.float64) @ b.astype(np.float64), error)]


@case(matmul_kernel, (2, 2), stages=3, BM=64, BN=64, BK=32, PRECISION="ieee")
def matmul_f16():
    return product(np.float16, 128, 128, 128, 1e-4)


@case(matmul_kernel, (2, 2), warps=8, stages=3, BM=128, BN=128, BK=64, PRECISION="ieee")
def matmul_f16_large():
    return product(np.float16, 256, 256, 192, 1e-4)


@case(matmul_kernel, (2, 2), BM=32, BN=32, BK=32, PRECISION="tf32")
def matmul_tf32():
    return product(np.float32, 50, 60, 70, 2e-2)


@case(matmul_kernel, (2, 2), BM=32, BN=32, BK=32, PRECISION="ieee")
def matmul_f32():
    return product(np.float32, 50, 60, 70, 1e-4)


@case(matmul_kernel, (2, 2), BM=32, BN=32, BK=32, PRECISION="tf32x3")
def matmul_tf32x3():
    return product(np.float32, 50, 60, 70, 1e-4)


@case(matmul_kernel, (1, 2), stages=3, bf16=("a", "b"), BM=64, BN=32, BK=32, PRECISION="ieee")
def matmul_bf16():
    a, b, c = to_bf16(floats((64, 96))), to_bf16(floats((96, 64))), np.zeros((64, 64), np.float32)
    return [a, b, c, np.int32(64), np.int32(64), np.int32(96)], [(c, of_bf16(a).astype(np.float64) @ of_bf16(b), 1e-4)]


@triton.jit
def int8_kernel(a, b, c, K: tl.constexpr, N: tl.constexpr):
    m, n, k = tl.arange(0, 64), tl.arange(0, N), tl.arange(0, K)
    sum = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + n[None, :] * K + k[:, None]), out_dtype=tl.int32)
    tl.store(c + m[:, None] * N + n[None, :], sum)


@case(int8_kernel, 1, K=64, N=32)
def matmul_int8():
    a, b = (RANDOM.integers(-128, 128, (n, 64)).astype(np.int8) for n in (64, 32))
    c = np.zeros((64, 32), np.int32)
    return [a, b, c], [(c, a.astype(np.int64) @ b.T.astype(np.int64), 0)]


@triton.jit
def layer_norm_kernel(x, y, w, b, mean, rstd, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=0.0)
    mu = tl.sum(v, axis=0) / n
    d = tl.where(at < n, v - mu, 0.0)
    r = tl.rsqrt(tl.sum(d * d, axis=0) / n + eps)
    tl.store(mean + row, mu)
    tl.store(rstd + row, r)
    tl.store(y + row * n + at, d * r * tl.load(w + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


@case(layer_norm_kernel, 4, warps=2, BLOCK=256)
def layer_norm():
    x, y, w, b = floats((4, 200)), np.zeros((4, 200), np.float32), floats(200), floats(200)
    mean, rstd = np.zeros(4, np.float32), np.zeros(4, np.float32)
    v = x.astype(np.float64)
    r = 1 / np.sqrt(v.var(1) + 1e-5)
    return [x, y, w, b, mean, rstd, np.int32(200), np.float32(1e-5)], [
        (y, (v - v.mean(1, keepdims=True)) * r[:, None] * w + b, 1e-4), (mean, v.mean(1), 1e-5), (rstd, r, 1e-4)]


@triton.jit
def layer_norm_backward_kernel(dy, x, w, mean, rstd, dx, dw, db, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < n
    r = tl.load(rstd + row)
    v = (tl.load(x + row * n + at, mask=mask, other=0.0) - tl.load(mean + row)) * r
    v = tl.where(mask, v, 0.0)
    g = tl.load(dy + row * n + at, mask=mask, other=0.0)
    wg = g * tl.load(w + at, mask=mask, other=0.0)
    c1 = tl.sum(v * wg, axis=0) / n
    c2 = tl.sum(wg, axis=0) / n
    tl.store(dx + row * n + at, (wg - (v * c1 + c2)) * r, mask=mask)
    tl.atomic_add(dw + at, g * v, mask=mask)
    tl.atomic_add(db + at, g, mask=mask)


@case(layer_norm_backward_kernel, 4, BLOCK=256)
def layer_norm_backward():
    dy, x, w, dx = floats((4, 200)), floats((4, 200)), floats(200), np.zeros((4, 200), np.float32)
    dw, db = np.zeros(200, np.float32), np.zeros(200, np.float32)
    mean = x.mean(1)
    rstd = (1 / np.sqrt(x.astype(np.float64).var(1) + 1e-5)).astype(np.float32)
    v = (x.astype(np.float64) - mean[:, None]) * rstd[:, None]
    wg = dy.astype(np.float64) * w
    want = (wg - (v * (v * wg).mean(1, keepdims=True) + wg.mean(1, keepdims=True))) * rstd[:, None]
    return [dy, x, w, mean, rstd, dx, dw, db, np.int32(200)], [
        (dx, want, 1e-4), (dw, (dy * v).sum(0), 1e-4), (db, dy.sum(0, np.float64), 1e-4)]


@triton.jit
def attention_kernel(q, k, v, out, lse, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
                     CAUSAL: tl.constexpr):
    head = tl.program_id(1) * n * D
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    query = tl.load(q + head + m[:, None] * D + d[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sum = tl.zeros((BM, D), tl.float32)
    end = (tl.program_id(0) + 1) * BM if CAUSAL else n
    for start in range(0, end, BN):
        at = start + tl.arange(0, BN)
        score = tl.dot(query, tl.trans(tl.load(k + head + at[:, None] * D + d[None, :]))) * scale
        if CAUSAL:
            score = tl.where(m[:, None] >= at[None, :], score, -float("inf"))
        new = tl.maximum(top, tl.max(score, 1))
        p = tl.exp2(score - new[:, None])
        shrink = tl.exp2(top - new)
        total = total * shrink + tl.sum(p, 1)
        sum = tl.dot(p.to(tl.float16), tl.load(v + head + at[:, None] * D + d[None, :]), sum * shrink[:, None])
        top = new
    tl.store(out + head + m[:, None] * D + d[None, :], (sum / total[:, None]).to(tl.float16))
    tl.store(lse + tl.program_id(1) * n + m, top + tl.log2(total))


def attended(causal):
    q, k, v = (floats((2, 128, 64), np.float16) for _ in range(3))
    out, lse = np.zeros_like(q), np.zeros((2, 128), np.float32)
    score = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * 0.125
    if causal:
        score = np.where(np.tril(np.ones((128, 128))) > 0, score, -np.inf)
    p = np.exp(score - score.max(2, keepdims=True))
    want = p / p.sum(2, keepdims=True) @ v.astype(np.float64)
    scale = np.float32(0.125 / np.log(2))
    return [q, k, v, out, lse, np.int32(128), scale], [
        (out, want, 1e-2), (lse, np.log2(np.exp(score).sum(2)), 1e-3)]


@case(attention_kernel, (2, 2), BM=64, BN=32, D=64, CAUSAL=False)
def attention():
    return attended(False)


@case(attention_kernel, (2, 2), stages=3, BM=64, BN=64, D=64, CAUSAL=True)
def attention_causal():
    return attended(True)


@triton.jit
def dropout_kernel(x, out, n, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > 0.5
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n) * 2, 0.0), mask=at < n)


def philox(seed, at):
    """Philox 4x32-10 as its paper has it; the first word of each counter."""
    c = [at.astype(np.uint64)] + [np.zeros_like(at, np.uint64)] * 3
    k0, k1, mask = seed & 0xffffffff, seed >> 32, np.uint64(0xffffffff)
    for _ in range(10):
        p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [p1 >> np.uint64(32) ^ c[1] ^ np.uint64(k0), p1 & mask, p0 >> np.uint64(32) ^ c[3] ^ np.uint64(k1), p0 & mask]
        k0, k1 = k0 + 0x9E3779B9 & 0xffffffff, k1 + 0xBB67AE85 & 0xffffffff
    return c[0].astype(np.uint32)


@case(dropout_kernel, 2, BLOCK=512)
def dropout():
    x, out = floats(1000), np.zeros(1000, np.float32)
    word = philox(1234, np.arange(1000)).view(np.int32)
    uniform = np.where(word < 0, ~word, word).astype(np.float32) * np.float32(4.6566127342e-10)
    return [x, out, np.int32(1000), np.int32(1234)], [(out, np.where(uniform > 0.5, x * 2, 0), 0)]


@triton.jit
def scan_kernel(x, sums, order, lows, N: tl.constexpr):
    at = tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(v, 0))
    tl.store(order + at, tl.sort(v))
    tl.store(lows, tl.min(v, 0))
    tl.store(lows + 1, tl.argmax(v, 0))
    tl.store(lows + 2, tl.xor_sum(v, 0))


@case(scan_kernel, 1, N=256)
def scan_and_sort():
    x = RANDOM.permutation(1000)[:256].astype(np.int32)
    sums, order, lows = np.zeros(256, np.int32), np.zeros(256, np.int32), np.zeros(3, np.int32)
    return [x, sums, order, lows], [(sums, np.cumsum(x), 0), (order, np.sort(x), 0),
                                    (lows, [x.min(), x.argmax(), np.bitwise_xor.reduce(x)], 0)]


@triton.jit
def atomics_kernel(x, bins, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at)
    tl.atomic_add(bins + v, 1)
    tl.atomic_max(count, tl.max(v, 0))
    tl.atomic_add(count + 1, 1)
    tl.store(bins + 64 + tl.arange(0, 64), tl.histogram(v, 64), mask=tl.program_id(0) == 0)


@case(atomics_kernel, 4, BLOCK=256)
def atomics_and_histogram():
    x = RANDOM.integers(0, 64, 1024).astype(np.int32)
    bins, count = np.zeros(128, np.int32), np.zeros(2, np.int32)
    return [x, bins, count], [(bins, np.concatenate([np.bincount(x, minlength=64), np.bincount(x[:256], minlength=64)]), 0),
                              (count, [x.max(), 4], 0)]


@triton.jit
def mathematics_kernel(x, out, N: tl.constexpr):
    at = tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(out + at, tl.sin(v))
    tl.store(out + N + at, tl.cos(v))
    tl.store(out + 2 * N + at, tl.log(v))
    tl.store(out + 3 * N + at, tl.sqrt(v))
    tl.store(out + 4 * N + at, tl.sigmoid(v))
    tl.store(out + 5 * N + at, tl.erf(v))
    tl.store(out + 6 * N + at, tl.floor(v * 10) + tl.ceil(v))
    tl.store(out + 7 * N + at, tl.fma(v, v, 1.0) / v)
    tl.store(out + 8 * N + at, tl.div_rn(v, v + 1.0))
    tl.store(out + 9 * N + at, tl.sqrt_rn(v))


@case(mathematics_kernel, 1, N=128)
def mathematics():
    from math import erf
    x, out = floats(128, low=0.1), np.zeros((10, 128), np.float32)
    w = x.astype(np.float64)
    want = [np.sin(w), np.cos(w), np.log(w), np.sqrt(w), 1 / (1 + np.exp(-w)), [erf(v) for v in w],
            np.floor(x * np.float32(10)) + np.ceil(x), (w * w + 1) / w, w / (w + 1), np.sqrt(w)]
    return [x, out], [(out, np.array(want), 1e-5)]


@triton.jit
def convert_kernel(x, half, brain, eight, whole, N: tl.constexpr):
    at = tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(half + at, v.to(tl.float16))
    tl.store(brain + at, v.to(tl.bfloat16))
    tl.store(eight + at, v.to(tl.float8e5).to(tl.uint8, bitcast=True))
    tl.store(whole + at, (v * 100).to(tl.int32) // 3)


@case(convert_kernel, 1, bf16=("brain",), N=256)
def conversions():
    x = floats(256)
    half, brain = np.zeros(256, np.float16), np.zeros(256, np.uint16)
    eight, whole = np.zeros(256, np.uint8), np.zeros(256, np.int32)
    bits = x.astype(np.float16).view(np.uint16).astype(np.uint32)
    coarse = ((bits + 0x7f + (bits >> 8 & 1)) >> 8).astype(np.uint8)
    hundred = (x * np.float32(100)).astype(np.int32)
    return [x, half, brain, eight, whole], [(half, x.astype(np.float16), 0), (brain, to_bf16(x), 0), (eight, coarse, 0),
                                            (whole, np.trunc(hundred / 3), 0)]


@triton.jit
def transpose_kernel(x, out, M, N, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N))
    tl.store(out + n[:, None] * M + m[None, :], tl.trans(v), mask=(n[:, None] < N) & (m[None, :] < M))


@case(transpose_kernel, (2, 3), B=32)
def transpose():
    x, out = floats((60, 70)), np.zeros((70, 60), np.float32)
    return [x, out, np.int32(60), np.int32(70)], [(out, x.T, 0)]


def compile_ptx(kernel, values, constants, options, bf16, arch):
    names = [name for name in kernel.arg_names if name not in constants]
    signature = {}
    for name, value in zip(names, values):
        pointer = isinstance(value, np.ndarray)
        signature[name] = ("*bf16" if name in bf16 else POINTERS[value.dtype.name]) if pointer else NUMBERS[value.dtype.name]
    signature.update((name, "constexpr") for name in constants)
    aligned = {(k,): [["tt.divisibility", 16]] for k, name in enumerate(kernel.arg_names) if signature[name][0] == "*"}
    source = ASTSource(kernel, signature, constexprs=constants, attrs=aligned)
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)


def main():
    options = command_line(90)
    tally = Tally()
    for name, kernel, make, grid, constants, choices, bf16 in CASES:
        if options.names and name not in options.names:
            continue
        values, wanted = make()
        try:
            made = compile_ptx(kernel, values, constants, choices, bf16, options.arch)
        except Exception as error:  # what Triton itself cannot compile is no matter of wsim
            print("%-24s Triton: %s" % (name, str(error).strip().splitlines()[:1]))
            continue
        ptx, shared = made.asm["ptx"], made.metadata.shared
        save_ptx(options.ptx, name, ptx)
        # Two pointers to scratch memory, which these kernels do not use, come last.
        tally.judge(name, lambda: (launch(ptx, values + [None, None], grid, 32 * made.metadata.num_warps, shared),
                                   [near(*one) for one in wanted]))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
