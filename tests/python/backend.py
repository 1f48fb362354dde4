"""Kernels through the backend for Triton, as a user has it. Status 77 where torch, Triton or the package is missing."""

import subprocess
import sys

try:
    import torch
    import triton
    import triton.language as tl
    import wsim_triton

    import wsim
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)


@triton.autotune([triton.Config({"BLOCK": 512}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def scale(x, y, n, a, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * a, mask=at < n)


@triton.jit
def product(a, b, c, N: tl.constexpr):
    at = tl.arange(0, N)
    tile = at[:, None] * N + at[None, :]
    tl.store(c + tile, tl.dot(tl.load(a + tile), tl.load(b + tile)))


def scaled(x, n):
    y = torch.zeros_like(x)
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, 3.0)
    return y


def main():
    device = triton.runtime.driver.active.get_active_torch_device()
    assert device.type == "cpu" and triton.runtime.driver.active.get_current_target().backend == "cuda"
    x = torch.arange(1000, dtype=torch.float32, device=device)
    assert (scaled(x, 1000) == 3 * x).all()
    a, b = (torch.randint(-4, 5, (32, 32), device=device).to(torch.float16) for _ in range(2))
    c = torch.zeros(32, 32, dtype=torch.float32)
    compiled = product[(1,)](a, b, c, N=32)
    assert (c == a.float() @ b.float()).all()
    c.zero_()
    report = wsim.triton(compiled)[(1,)](a, b, c, 32)
    assert (c == a.float() @ b.float()).all() and not report.findings
    counts = {name: one[0] for name, one in wsim_triton.launches.kernels.items()}
    assert counts == {"scale": 1, "product": 1}, counts
    triton.testing.do_bench(lambda: scaled(x, 1000))
    assert wsim_triton.launches.skipped > 5 and wsim_triton.launches.kernels["scale"][0] == 2
    try:
        scaled(x, 1001)
    except wsim.Finding as found:
        assert found.rule == "memory.bounds" and "'x'" in found.text, found
    else:
        raise AssertionError("nothing was found")
    assert "memory.bounds" in wsim_triton.launches.text()


if len(sys.argv) == 1:
    ran = subprocess.run([sys.executable, __file__, "run"], capture_output=True, text=True)
    print(ran.stdout + ran.stderr)
    assert ran.returncode == 0 and "kernels 2 launches 4 findings 1" in ran.stderr
else:
    main()
