"""Products of tcgen05.mma: sums of small numbers are exact, in any order."""

import numpy as np
import pytest

import wsim

KINDS = [
    ("kind::f16", "f16", "f16", "f32", 64),
    ("kind::f16", "bf16", "bf16", "f32", 128),
    ("kind::f16", "f16", "f16", "f16", 64),
    ("kind::tf32", "tf32", "tf32", "f32", 64),
    ("kind::f8f6f4", "e4m3", "e2m1", "f32", 128),
    ("kind::f8f6f4", "e3m2", "e5m2", "f16", 64),
    ("kind::i8", "s8", "u8", "s32", 64),
    ("kind::mxf8f6f4.block_scale", "e4m3", "e5m2", "f32", 128),
    ("kind::mxf4.block_scale.scale_vec::2X", "e2m1", "e2m1", "f32", 128),
    ("kind::mxf4nvf4.block_scale.block16", "e2m1", "e2m1", "f32", 128),
]


@pytest.mark.parametrize("kind, a, b, d, m", KINDS)
def test_products(kind, a, b, d, m):
    mma = wsim.umma("tcgen05.mma.cta_group::1." + kind, m=m, n=16, a=a, b=b, d=d)
    rng = np.random.default_rng(1)
    numbers = np.int32 if d == "s32" else np.float32
    left = rng.integers(-2, 3, (mma.m, mma.k)).astype(numbers)
    right = rng.integers(0, 3, (mma.k, mma.n)).astype(numbers)
    more, factors = {}, 1
    if mma.factor:
        factors = {"mxf8f6f4.block_scale": 1, "mxf4.block_scale.scale_vec::2X": 2}.get(kind[6:], 4)
        more["sfa"] = 2.0 ** rng.integers(-1, 2, (mma.m, factors)).astype(np.float32)
        more["sfb"] = 2.0 ** rng.integers(-1, 2, (factors, mma.n)).astype(np.float32)
    each = mma.k // factors
    scaled_left = left * np.repeat(more["sfa"], each, 1) if more else left
    scaled_right = right * np.repeat(more["sfb"], each, 0) if more else right
    before = rng.integers(-4, 5, (mma.m, mma.n)).astype(numbers)
    want = scaled_left @ scaled_right
    assert np.array_equal(mma.run(a=left, b=right, **more).astype(np.float64), want)
    assert np.array_equal(mma.run(a=left, b=right, c=before, **more).astype(np.float64), want + before)


def test_descriptor_and_places():
    mma = wsim.umma("tcgen05.mma.cta_group::1.kind::f16", n=256, a="bf16")
    assert mma.idesc == 0x08400490 and (mma.m, mma.n, mma.k) == (128, 256, 16)
    half = wsim.umma("tcgen05.mma.cta_group::1.kind::f16", m=64, n=8)
    assert half.place("d", 17, 3) == (0, 33, 3, 0, 32)
    with pytest.raises(IndexError):
        half.place("d", 64, 0)
    with pytest.raises(ValueError, match="operand 'x'"):
        half.place("x", 0, 0)


def test_refusals():
    with pytest.raises(wsim.Refused, match="M is 100, must be one of 64, 128"):
        wsim.umma("tcgen05.mma.cta_group::1.kind::f16", m=100)
    with pytest.raises(wsim.Refused, match="kind::f16 cannot be e4m3"):
        wsim.umma("tcgen05.mma.cta_group::1.kind::f16", a="e4m3")
    with pytest.raises(wsim.Refused):
        wsim.umma("tcgen05.ld.sync.aligned.32x32b.x1.b32")
    mma = wsim.umma("tcgen05.mma.cta_group::1.kind::f16", n=8)
    with pytest.raises(ValueError, match="must be .128, 16."):
        mma.run(a=np.ones((64, 16)), b=np.ones((16, 8)))
    pair = wsim.umma("tcgen05.mma.cta_group::2.kind::f16", m=256, n=16)
    with pytest.raises(ValueError, match="cta_group::1"):
        pair.run(a=np.ones((256, 16)), b=np.ones((16, 16)))


@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize("kind, a, b, d, m", KINDS)
def test_whole_matrices(kind, a, b, d, m, group):
    mma = wsim.umma("tcgen05.mma.cta_group::%u.%s" % (group, kind), m=m * group, n=32, a=a, b=b, d=d)
    rng = np.random.default_rng(2)
    rows, columns, k = 150, 40, 2 * mma.k + 3
    numbers = np.int32 if d == "s32" else np.float32
    left = rng.integers(-2, 3, (rows, k)).astype(numbers)
    right = rng.integers(0, 3, (k, columns)).astype(numbers)
    before = rng.integers(-4, 5, (rows, columns)).astype(numbers)
    got = mma.gemm(left, right, before, round=True)
    if mma.factor != "ue4m3":  # factors of ue4m3 are not powers of two
        assert np.array_equal(got.astype(np.float64), left @ right + before)
    if mma.factor:
        (elements_a, sfa), (elements_b, sfb) = mma.quantize("a", left), mma.quantize("b", right)
        again = mma.gemm(elements_a, elements_b, before, sfa=sfa, sfb=sfb)
        assert np.array_equal(got, again)


def test_whole_matrices_refused():
    mma = wsim.umma("tcgen05.mma.cta_group::1.kind::f16", n=8)
    with pytest.raises(ValueError, match="no operand 'sfa'"):
        mma.gemm(np.ones((2, 2), np.float16), np.ones((2, 2), np.float16), sfa=np.ones((2, 1)))
    with pytest.raises(ValueError, match="no scale factors"):
        mma.quantize("a", np.ones((2, 2)))
    with pytest.raises(wsim.Unmodelled, match="metadata"):
        wsim.umma("tcgen05.mma.sp.cta_group::1.kind::f16", n=8).gemm(np.ones((2, 2)), np.ones((2, 2)), round=True)
