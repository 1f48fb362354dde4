"""Kernels of Warp, forward and backward, compiled to PTX without a GPU. wsim runs them with all checks.
The results are compared with those of Warp's own compiler for the CPU.

    pip install numpy warp-lang
    WSIM=build/wsim python tools/clients/warp_kernels.py [--arch 90] [--ptx FOLDER] [NAME...]

Prints a line for each kernel. Exit status 1 if one differs. --ptx keeps the PTX, for wsim check --contents.
"""
import glob
import json
import os
import sys
import tempfile

import cases
import numpy as np
import warp as wp
from wsim_launch import Pack, launch

wp.config.quiet = True
wp.init()

CASES = []


def case(kernel, dim, error=1e-5, block=64):
    """Marks a function that returns the arguments: arrays (of NumPy, with the type of Warp) and numbers."""
    def keep(make):
        CASES.append((make.__name__, kernel, make, dim if isinstance(dim, tuple) else (dim,), error, block))
        return make
    return keep


def floats(*shape, **how):
    return cases.floats(shape, **how)


@wp.kernel
def saxpy_kernel(a: float, x: wp.array[float], y: wp.array[float]):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@case(saxpy_kernel, 200)
def saxpy():
    return [np.float32(1.5), (floats(200), float), (floats(200), float)]


@wp.kernel
def spring_kernel(at: wp.array[wp.vec3], speed: wp.array[wp.vec3], force: wp.array[wp.vec3], rest: float):
    i = wp.tid()
    f = wp.vec3(0.0, -9.81, 0.0)
    for j in range(at.shape[0]):
        if j != i:
            d = at[j] - at[i]
            f += wp.normalize(d) * (wp.length(d) - rest) - 0.1 * speed[i]
    force[i] = f


@case(spring_kernel, 20, error=1e-4)
def springs():
    return [(floats(20, 3), wp.vec3), (floats(20, 3), wp.vec3), (np.zeros((20, 3), np.float32), wp.vec3), np.float32(0.7)]


@wp.kernel
def rotate_kernel(axis: wp.array[wp.vec3], angle: wp.array[float], out: wp.array[wp.mat33], turned: wp.array[wp.vec3]):
    i = wp.tid()
    q = wp.quat_from_axis_angle(wp.normalize(axis[i]), angle[i])
    m = wp.quat_to_matrix(q)
    out[i] = wp.inverse(m) * wp.transpose(m) + wp.outer(axis[i], axis[i])
    turned[i] = wp.quat_rotate(q, wp.vec3(1.0, 2.0, 3.0)) * wp.determinant(m)


@case(rotate_kernel, 50, error=1e-4)
def rotations():
    return [(floats(50, 3), wp.vec3), (floats(50), float), (np.zeros((50, 3, 3), np.float32), wp.mat33),
            (np.zeros((50, 3), np.float32), wp.vec3)]


@wp.kernel
def svd_kernel(a: wp.array[wp.mat33], sigma: wp.array[wp.vec3], back: wp.array[wp.mat33]):
    i = wp.tid()
    u = wp.mat33()
    s = wp.vec3()
    v = wp.mat33()
    wp.svd3(a[i], u, s, v)
    sigma[i] = s
    back[i] = u * wp.diag(s) * wp.transpose(v)


@case(svd_kernel, 32, error=1e-3)
def singular_values():
    return [(floats(32, 3, 3), wp.mat33), (np.zeros((32, 3), np.float32), wp.vec3), (np.zeros((32, 3, 3), np.float32), wp.mat33)]


@wp.kernel
def sum_kernel(x: wp.array[wp.float64], out: wp.array[wp.float64], top: wp.array[int]):
    i = wp.tid()
    wp.atomic_add(out, 0, x[i])
    wp.atomic_max(top, 0, wp.int32(x[i]))
    wp.atomic_min(top, 1, wp.int32(x[i]))


@case(sum_kernel, 300, error=0)
def sums():
    return [(np.floor(floats(300, low=-500, high=500, kind=np.float64)), wp.float64), (np.zeros(1), wp.float64),
            (np.zeros(2, np.int32), int)]


@wp.kernel
def heat_kernel(a: wp.array2d[float], b: wp.array2d[float]):
    i, j = wp.tid()
    n = a.shape[0]
    m = a.shape[1]
    left = a[wp.max(i - 1, 0), j]
    right = a[wp.min(i + 1, n - 1), j]
    up = a[i, wp.max(j - 1, 0)]
    down = a[i, wp.min(j + 1, m - 1)]
    b[i, j] = a[i, j] + 0.2 * (left + right + up + down - 4.0 * a[i, j])


@case(heat_kernel, (17, 23))
def heat():
    return [(floats(17, 23), float), (np.zeros((17, 23), np.float32), float)]


@wp.kernel
def random_kernel(seed: int, out: wp.array[float], normal: wp.array[float], noise: wp.array[float]):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    out[i] = wp.randf(state) + float(wp.randi(state, 0, 10))
    normal[i] = wp.randn(state)
    noise[i] = wp.noise(state, wp.vec3(float(i) * 0.37, 0.5, float(i) * 0.11))


@case(random_kernel, 100, error=1e-4)
def random():
    return [np.int32(7)] + [(np.zeros(100, np.float32), float) for _ in range(3)]


@wp.struct
class Body:
    mass: float
    at: wp.vec3
    count: int


@wp.func
def energy(body: Body, speed: wp.vec3):
    return 0.5 * body.mass * wp.dot(speed, speed) + body.mass * 9.81 * body.at[1]


@wp.kernel
def functions_kernel(x: wp.array[float], out: wp.array2d[float]):
    i = wp.tid()
    v = x[i]
    body = Body()
    body.mass = v
    body.at = wp.vec3(v, v * 2.0, 1.0)
    body.count = int(v * 10.0)
    out[0, i] = energy(body, wp.vec3(1.0, v, 0.0)) + float(body.count)
    out[1, i] = wp.exp(v) + wp.log(wp.abs(v) + 1.0)
    out[2, i] = wp.tanh(v) * wp.atan2(v, 0.5) + wp.pow(wp.abs(v), 1.7)
    out[3, i] = wp.clamp(v, -0.5, 0.5) + wp.sign(v) + wp.floor(v) + wp.mod(v, 0.3)
    out[4, i] = wp.smoothstep(-1.0, 1.0, v) + wp.lerp(v, 2.0, 0.25) + wp.where(v > 0.0, 1.0, 2.0)
    out[5, i] = float(wp.float16(v)) + float(wp.int8(v)) + float(wp.uint16(v * v))


@case(functions_kernel, 64)
def functions():
    return [(floats(64), float), (np.zeros((6, 64), np.float32), float)]


@wp.kernel
def collide_kernel(key: wp.array[wp.uint64], out: wp.array[wp.uint64], count: wp.array[int]):
    i = wp.tid()
    h = key[i]
    steps = int(0)
    while h % wp.uint64(64) != wp.uint64(0) and steps < 200:
        h = (h ^ (h >> wp.uint64(31))) * wp.uint64(0x7fb5d329728ea185)
        steps += 1
    out[i] = h
    count[i] = steps


@case(collide_kernel, 64, error=0)
def hashes():
    return [(cases.RANDOM.integers(1, 2**62, 64).astype(np.uint64), wp.uint64), (np.zeros(64, np.uint64), wp.uint64),
            (np.zeros(64, np.int32), int)]


TILE = 16


@wp.kernel
def tile_matmul_kernel(a: wp.array2d[float], b: wp.array2d[float], c: wp.array2d[float]):
    i, j = wp.tid()
    sum = wp.tile_zeros(shape=(TILE, TILE), dtype=float)
    for k in range(a.shape[1] // TILE):
        left = wp.tile_load(a, shape=(TILE, TILE), offset=(i * TILE, k * TILE))
        right = wp.tile_load(b, shape=(TILE, TILE), offset=(k * TILE, j * TILE))
        wp.tile_matmul(left, right, sum)
    wp.tile_store(c, sum, offset=(i * TILE, j * TILE))


@case(tile_matmul_kernel, (2, 3, 256), error=1e-4, block=256)
def tile_matmul():
    return [(floats(32, 48), float), (floats(48, 48), float), (np.zeros((32, 48), np.float32), float)]


@wp.kernel
def tile_sum_kernel(a: wp.array2d[float], out: wp.array[float]):
    i = wp.tid()
    row = wp.tile_load(a, shape=(1, 128), offset=(i, 0))
    wp.tile_store(out, wp.tile_sum(row), offset=i)


@case(tile_sum_kernel, (5, 256), error=1e-4, block=256)
def tile_sum():
    return [(floats(5, 128), float), (np.zeros(5, np.float32), float)]


def bounds(dim, size):
    """The first parameter of each kernel: how many threads there are, along each axis and in all."""
    at = (4 * len(dim) + 7) // 8 * 8
    fields = [(4 * i, np.uint32(n)) for i, n in enumerate(dim)]
    return Pack(at + 16, fields + [(at, np.uint64(np.prod(dim) * size)), (at + 8, np.uint64(size))])


def described(array, gradient, axes):
    """An array as Warp passes it: 56 bytes."""
    inner = array.shape[axes:]
    item = array.itemsize * int(np.prod(inner, dtype=np.int64))
    strides, step = [], item
    for n in reversed(array.shape[:axes]):
        strides.insert(0, step)
        step *= n
    fields = [(0, array)] + ([(8, gradient)] if gradient is not None else [])
    fields += [(16 + 4 * i, np.int32(n)) for i, n in enumerate(array.shape[:axes])]
    fields += [(32 + 4 * i, np.int32(n)) for i, n in enumerate(strides)]
    return Pack(56, fields + [(48, np.uint16(axes))])


def of_warp(kernel, values, dim, tiles, backward):
    """The results of Warp's compiler for the CPU: the arrays and their gradients."""
    inputs = [wp.array(v[0].copy(), dtype=v[1], device="cpu", requires_grad=backward) if isinstance(v, tuple) else v
              for v in values]
    arrays = [v for v in inputs if isinstance(v, wp.array)]
    if tiles:
        wp.launch_tiled(kernel, dim=dim[:-1], inputs=inputs, block_dim=dim[-1], device="cpu")
    else:
        wp.launch(kernel, dim, inputs, device="cpu")
    if not backward:
        return [v.numpy() for v in arrays], []
    for v in arrays:
        v.grad = wp.array(np.ones(v.numpy().shape, v.numpy().dtype), dtype=v.dtype, device="cpu")
    wp.launch(kernel, dim, inputs, adj_inputs=[v.grad if isinstance(v, wp.array) else v for v in inputs], adj_outputs=[],
              adjoint=True, device="cpu")
    return [v.numpy() for v in arrays], [v.grad.numpy() for v in arrays]


def compare(ptx, meta, kernel, make, dim, error, block, backward):
    """Runs the kernel forward, and backward; the report of the last launch, and whether each array is right."""
    tiles = "tile" in kernel.key
    values = make()
    ours = [v[0].copy() if isinstance(v, tuple) else v for v in values]
    axes = [len(v[0].shape) - len(getattr(v[1], "_shape_", ())) if isinstance(v, tuple) else 0 for v in values]
    want, slopes = of_warp(kernel, values, dim, tiles, backward)
    grads = [np.ones_like(v) if isinstance(v, np.ndarray) else None for v in ours]
    args = [bounds(dim[:-1] if tiles else dim, block if tiles else 1)]
    args += [described(v, g if backward else None, n) if n else v for v, g, n in zip(ours, grads, axes)]
    grid = int(np.prod(dim[:-1])) if tiles else (int(np.prod(dim)) + block - 1) // block
    entry = [line.split()[2].rstrip("(") for line in ptx.splitlines() if ".entry" in line]
    entry = [e for e in entry if e.startswith(kernel.key) and e.endswith("_forward")][0]
    report = launch(ptx, args, grid, block, meta.get(entry + "_smem_bytes", 0), kernel=entry)
    if backward:
        entry = entry.replace("_forward", "_backward")
        args += [described(g, None, n) if n else type(v)(0) for v, g, n in zip(ours, grads, axes)]
        report = launch(ptx, args, grid, block, meta.get(entry + "_smem_bytes", 0), kernel=entry)
    right = [cases.near(a, b, error) for a, b in zip([v for v in ours if isinstance(v, np.ndarray)], want)]
    right += [cases.near(a, b, error) for a, b in zip([g for g in grads if g is not None], slopes)]
    return report, right


def main():
    options = cases.command_line(90)
    folder = options.ptx or tempfile.mkdtemp()
    wp.config.enable_backward = True
    tally = cases.Tally()
    for name, kernel, make, dim, error, block in CASES:
        if options.names and name not in options.names:
            continue
        wp.compile_aot_module(kernel.module, arch=options.arch, module_dir=folder, use_ptx=True, strip_hash=True)
        with open(max(glob.glob(os.path.join(folder, "*.ptx")), key=os.path.getmtime)) as file:
            ptx = file.read()
        with open(max(glob.glob(os.path.join(folder, "*.meta")), key=os.path.getmtime)) as file:
            meta = json.load(file)
        tally.judge(name, lambda: compare(ptx, meta, kernel, make, dim, error, block, False))
        if error and "tile" not in name:
            tally.judge(name + " back", lambda: compare(ptx, meta, kernel, make, dim, error, block, True))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
