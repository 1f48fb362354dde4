"""Numbers and bits, against NumPy and ml_dtypes."""

import numpy as np
import pytest

import wsim

ml_dtypes = pytest.importorskip("ml_dtypes")
TYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
}


@pytest.mark.parametrize("name", TYPES)
def test_every_bit_pattern_is_the_number_of_ml_dtypes(name):
    kind = np.dtype(TYPES[name])
    width = {"e3m2": 6, "e2m3": 6, "e2m1": 4}.get(name, 8 * kind.itemsize)
    bits = np.arange(1 << min(width, 16), dtype=np.uint64).astype("u%u" % kind.itemsize)
    if width == 32:
        bits = np.random.default_rng(1).integers(0, 1 << 32, 4096, np.uint64).astype(np.uint32)
    with np.errstate(invalid="ignore"):
        want = bits.view(kind).astype(np.float64)
    got = wsim.decode(name, bits)
    assert ((got == want) | (np.isnan(got) & np.isnan(want))).all()
    numbers = ~np.isnan(want)
    assert (wsim.encode(name, want[numbers]) == bits[numbers]).all()


@pytest.mark.parametrize("name", ["f16", "bf16", "e5m2"])
def test_rounding_is_that_of_ml_dtypes(name):
    numbers = np.random.default_rng(2).normal(0, 30, 4096).astype(np.float32)
    want = numbers.astype(TYPES[name]).view("u%u" % np.dtype(TYPES[name]).itemsize)
    assert (wsim.encode(name, numbers) == want).all()
    down, up = wsim.decode(name, wsim.encode(name, numbers, "rm")), wsim.decode(name, wsim.encode(name, numbers, "rp"))
    assert (down <= numbers).all() and (numbers <= up).all() and (down < up).any()


def test_nothing_is_rounded_by_itself():
    op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    a, b = np.zeros((16, 16), np.float32), np.zeros((16, 8), np.float32)
    a[3, 7] = 0.1
    with pytest.raises(ValueError, match=r"a\[3, 7\] is 0\.1.*f16"):
        op.run(a=a, b=b)
    op.run(a=op.encode("a", a), b=b)
    with pytest.raises(ValueError, match="s8"):
        wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32").run(a=np.full((8, 16), 128), b=np.zeros((16, 8), int))
