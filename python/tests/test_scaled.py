"""Block-scaled instructions on whole matrices, against a quantiser and products written with NumPy alone."""

import numpy as np
import pytest

import wsim

ARCH = "sm_120a"
FORMATS = {
    "e4m3": (4, 3, 448.0),
    "e5m2": (5, 2, 57344.0),
    "e3m2": (3, 2, 28.0),
    "e2m3": (2, 3, 7.5),
    "e2m1": (2, 1, 6.0),
}
NAMES = ["mxf4", "mxf4nvf4.2X", "nvfp4", "mxf4nvf4.4X.f32.e2m1.e2m1.f32.ue8m0"] + [
    "mxf8f6f4.f32.%s.%s.f32.ue8m0" % pair
    for pair in (("e4m3", "e4m3"), ("e5m2", "e2m1"), ("e3m2", "e2m3"), ("e2m1", "e4m3"))
]


def nearest(numbers, exponents, fraction, most):
    """Rounds to nearest even in a format of these bits of exponent and fraction; `most` ends the range."""
    least = 2 - (1 << (exponents - 1))  # exponent of the smallest normal number
    with np.errstate(divide="ignore"):
        exponent = np.maximum(np.floor(np.log2(np.abs(numbers))), least)
    unit = 2.0 ** (exponent - fraction)
    return np.clip(np.round(numbers / unit) * unit, -most, most)


def quantised(rows, block, element, scale):
    """The factors of blocks of each row, and the rounded numbers over their factors."""
    exponents, fraction, most = FORMATS[element]
    factors, elements = np.zeros((len(rows), -(-rows.shape[1] // block))), np.zeros(rows.shape)
    for i in range(factors.shape[1]):
        part = rows[:, i * block : (i + 1) * block]
        largest = np.abs(part).max(axis=1)
        if scale == "ue8m0":
            top = np.floor(np.log2(most))
            factors[:, i] = 2.0 ** np.clip(np.floor(np.log2(largest)) - top, -127, 127)
        else:
            factors[:, i] = nearest(largest / most, 4, 3, 448.0)
        elements[:, i * block : (i + 1) * block] = nearest(part / factors[:, i : i + 1], exponents, fraction, most)
    return elements, factors


def parts(name):
    op = wsim.op(name)
    words = op.spelling.split(".")
    return op, words[-4], words[-3], words[-1]


@pytest.mark.parametrize("name", NAMES)
def test_quantised_products_are_those_of_numpy(name):
    op, type_a, type_b, scale = parts(name)
    rng = np.random.default_rng(len(name))
    a, b = rng.standard_normal((21, 100)).astype(np.float32), rng.standard_normal((100, 11))
    a[3] *= 100.0
    bits_a, factors_a = op.quantize("a", a)
    bits_b, factors_b = op.quantize("b", b)
    block = 32 if factors_a.shape[1] == 4 else 16
    want_a, scale_a = quantised(a.astype(np.float64), block, type_a, scale)
    want_b, scale_b = quantised(b.T, block, type_b, scale)
    assert (wsim.decode(scale, factors_a) == scale_a).all() and (wsim.decode(scale, factors_b) == scale_b.T).all()
    for kind, bits, want in ((type_a, bits_a, want_a), (type_b, bits_b, want_b.T)):
        pad = 2 if kind == "e2m1" and name.startswith("mxf8") else 0  # the place of an e2m1 in a byte
        assert (wsim.decode(kind, bits >> pad) == want).all()
    whole_a = want_a * np.repeat(scale_a, block, axis=1)[:, :100]
    whole_b = want_b * np.repeat(scale_b, block, axis=1)[:, :100]
    d = op.gemm(a, b, round=True, arch=ARCH)
    exact = whole_a @ whole_b.T
    lost = 2.0**-22 * (np.abs(whole_a) @ np.abs(whole_b).T + 1)  # of sums that a float does not hold
    assert (np.abs(d - exact) <= lost).all()
    wsim.assert_bits_equal(op.gemm(bits_a, bits_b, sfa=factors_a, sfb=factors_b, arch=ARCH), d)
    c = rng.standard_normal((21, 11)).astype(np.float32)
    added = op.gemm(a, b, c, round=True, arch=ARCH)
    assert (np.abs(added - (exact + c)) <= lost + 2.0**-22 * np.abs(c)).all()


def test_small_numbers_are_exact():
    """Sums that a float holds: no bit is lost, whatever the order."""
    for name in NAMES:
        op, *_ = parts(name)
        rng = np.random.default_rng(1)
        a, b = (rng.integers(-2, 3, shape).astype(np.float64) for shape in ((16, 64), (64, 8)))
        a[:, ::16], b[::16] = 4.0, 4.0  # factors that are powers of two
        whole = a @ b
        if "nvfp4" == name:
            a[:, ::16], b[::16] = 6.0, 6.0
            whole = a @ b
        assert (op.gemm(a, b, round=True, arch=ARCH) == whole).all(), name


def test_one_instruction_is_a_product():
    op = wsim.op("mxf4")
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((16, 64)), rng.standard_normal((64, 8))
    (bits_a, sfa), (bits_b, sfb) = op.quantize("a", a), op.quantize("b", b)
    one = op.run(a=bits_a, b=bits_b, sfa=sfa, sfb=sfb, arch=ARCH)
    wsim.assert_bits_equal(op.gemm(a, b, round=True, arch=ARCH), one.d)


def test_arrays_of_any_kind():
    op, rng = wsim.op("nvfp4"), np.random.default_rng(3)
    a = np.asfortranarray(rng.standard_normal((5, 40)).astype(np.float32))
    elements, factors = op.quantize("a", a)
    wide = np.zeros((10, 80), np.float32)
    wide[::2, ::2] = a
    for same in (a.astype(">f4"), a.astype(np.float64), a.astype(np.longdouble), wide[::2, ::2]):
        found = op.quantize("a", same)
        assert (found[0] == elements).all() and (found[1] == factors).all()
    whole = rng.integers(-6, 7, (40, 3))
    wsim.assert_bits_equal(op.quantize("b", whole)[0], op.quantize("b", whole.astype(np.float16))[0])
    want = op.gemm(a, whole, round=True, arch=ARCH)
    wsim.assert_bits_equal(op.gemm(a.astype(">f4"), whole, round=True, arch=ARCH), want)
    assert op.quantize("a", np.zeros((0, 40)))[1].shape == (0, 3)
    assert op.quantize("b", np.zeros((0, 4)))[1].shape == (0, 4)
    assert (op.gemm(np.zeros((3, 0)), np.zeros((0, 4)), round=True, arch=ARCH) == np.zeros((3, 4))).all()
    odd = np.full((1, 16), np.nan)
    assert np.isnan(op.gemm(odd, np.ones((16, 1)), round=True, arch=ARCH)).all()
    assert op.quantize("a", np.full((1, 16), np.inf))[1] == 0x7F


def test_what_is_wrong():
    op, a, b = wsim.op("mxf4"), np.ones((16, 64)), np.ones((64, 8))
    with pytest.raises(ValueError, match="round=True quantises"):
        op.gemm(a, b, arch=ARCH)
    with pytest.raises(ValueError, match=r"sfa has shape \(1, 1\).*\(16, 2\).*32 elements"):
        op.gemm(a, b, sfa=np.ones((1, 1)), sfb=np.ones((2, 8)), arch=ARCH)
    with pytest.raises(wsim.Refused, match="sm_120a has it"):
        op.gemm(a, b, round=True)
    half = wsim.op("mma.m16n8k16.f32.f16")
    with pytest.raises(ValueError, match="sfa"):
        half.gemm(a, b, sfa=np.ones((16, 2)))
    with pytest.raises(ValueError, match="no scale factors"):
        half.quantize("a", a, arch="h100")
    with pytest.raises((TypeError, ValueError)):
        op.quantize("c", a)
    with pytest.raises(TypeError):
        op.quantize("a", np.array([["x"]]))


def test_numbers_are_rounded_where_that_is_asked_for():
    op = wsim.op("mma.m16n8k16.f32.f16")
    a, b = np.full((16, 16), 0.1), np.full((16, 8), 0.3)
    with pytest.raises(ValueError, match="0.1"):
        op.run(a=a, b=b)
    want = op.run(a=a.astype(np.float16), b=b.astype(np.float16)).d
    wsim.assert_bits_equal(op.run(a=a, b=b, round=True).d, want)
    wsim.assert_bits_equal(op.gemm(a, b, round=True), want)
    wsim.assert_bits_equal(op.run(a=wsim.matrix(a), b=b.astype(np.float16), round=True).d, want)
    group = wsim.op("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3")
    low = group.encode("a", np.full((64, 32), 0.1))
    b = np.full((32, 8), 0.3)
    wsim.assert_bits_equal(
        group.run(a=np.full((64, 32), 0.1), b=b, round=True).d, group.run(a=low, b=group.encode("b", b)).d
    )
    sparse = wsim.op("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32")
    dense = np.zeros((16, 32))
    dense[:, ::4] = 0.1
    got = sparse.run(a=dense, b=np.ones((32, 8)), round=True).d
    wsim.assert_bits_equal(got, sparse.run(a=dense.astype(np.float16), b=np.ones((32, 8))).d)
    factors = {"sfa": np.full((16, 2), 2.1), "sfb": np.ones((2, 8))}
    scaled = wsim.op("mxf4").run(a=np.full((16, 64), 0.9), b=np.ones((64, 8)), **factors, round=True, arch=ARCH)
    assert (scaled.d == 128).all()
