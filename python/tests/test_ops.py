"""Instructions against NumPy, on matrices and on fragments."""

import inspect
import pickle

import numpy as np
import pytest

import wsim

ml_dtypes = pytest.importorskip("ml_dtypes")
RANDOM = np.random.default_rng(12)
MMA = "mma.sync.aligned."


def small(shape, low=-4, high=5):
    """Small whole numbers, whose products are exact in every type."""
    return RANDOM.integers(low, high, shape).astype(np.float64)


@pytest.mark.parametrize(
    "spelling, kind",
    [
        ("m16n8k16.row.col.f32.f16.f16.f32", np.float16),
        ("m16n8k16.row.col.f16.f16.f16.f16", np.float16),
        ("m16n8k16.row.col.f32.bf16.bf16.f32", ml_dtypes.bfloat16),
        ("m16n8k8.row.col.f32.tf32.tf32.f32", np.float32),
        ("m8n8k4.row.col.f64.f64.f64.f64", np.float64),
        ("m16n8k32.row.col.f32.e4m3.e5m2.f32", None),
        ("m16n8k32.row.col.s32.s8.s8.s32", np.int8),
        ("m16n8k32.row.col.s32.s4.s4.s32", ml_dtypes.int4),
    ],
)
def test_product_is_that_of_numpy(spelling, kind):
    op = wsim.op(MMA + spelling)
    a, b, c = small((op.m, op.k)), small((op.k, op.n)), small((op.m, op.n))
    want = a @ b + c
    kinds = (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2) if kind is None else (kind, kind)
    got = op.run(
        a=a.astype(kinds[0]),
        b=b.astype(kinds[1]),
        c=c.astype(op.layout("c").values(np.zeros(1, op.layout("c").dtype)).dtype),
    )
    assert (got.d == want).all()
    # Numbers of any type that are exact, raw bits, and fragments are the same operands.
    exact = op.run(a=a, b=b, c=c)
    wsim.assert_bits_equal(exact, got)
    raw = {name: op.layout(name).unpack(op.layout(name).pack(value)) for name, value in (("a", a), ("b", b), ("c", c))}
    wsim.assert_bits_equal(op.run(**raw), got)
    fragments = {name: op.layout(name).pack(value) for name, value in (("a", a), ("b", b), ("c", c))}
    wsim.assert_bits_equal(op.run(**fragments), got)
    wsim.assert_bits_equal(op.run(**fragments, plain=True), got)
    wsim.assert_bits_equal(op.layout("d").unpack(got.fragment), got.bits)


@pytest.mark.parametrize("operand", "abcd")
def test_layout_agrees_with_itself(operand):
    layout = wsim.op(MMA + "m16n8k16.row.col.f32.f16.f16.f32").layout(operand)
    coords = layout.coords
    for lane in range(layout.lanes):
        for elem in range(layout.elems):
            assert layout.coord(lane, elem) == tuple(coords[lane, elem, 1:])
            assert (lane, elem) in [place[:2] for place in layout.places(*layout.coord(lane, elem))]
    numbers = np.arange(layout.rows * layout.cols).reshape(layout.shape).astype(layout.dtype)
    assert (layout.unpack(layout.pack(numbers)) == numbers).all()


def test_several_matrices():
    op = wsim.op(MMA + "m8n8k4.row.col.f32.f16.f16.f32")
    shapes = {name: op.layout(name).shape for name in "abc"}
    a, b, c = (small(shapes[name]) for name in "abc")
    assert (op.run(a=a, b=b, c=c, arch="v100").d == a @ b + c).all()


def test_formats_of_less_than_a_byte_in_a_byte():
    op = wsim.op(MMA + "kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32")
    a, b = RANDOM.choice([0, 0.5, 1, 1.5, -2, 6], (16, 32)), RANDOM.choice([0, 0.25, 1, -3, 28], (32, 8))
    want = (a @ b).astype(np.float32)
    for x, y in (
        (a, b),
        (a.astype(ml_dtypes.float4_e2m1fn), b.astype(ml_dtypes.float6_e3m2fn)),
        (op.encode("a", a), op.encode("b", b)),
    ):
        assert (op.run(a=x, b=y, arch="sm_120a").d == want).all()


def test_scale_factors():
    op = wsim.op(MMA + "kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3")
    a, b = RANDOM.choice([0.5, 1, -2, 3], (16, 64)), RANDOM.choice([1, 1.5, -4], (64, 8))
    fa, fb = RANDOM.choice([0.5, 1, 2], (16, 4)), RANDOM.choice([0.25, 1, 4], (4, 8))
    want = ((a * np.repeat(fa, 16, 1)) @ (b * np.repeat(fb, 16, 0))).astype(np.float32)
    for thread_a in range(2):
        for thread_b in range(4):
            got = op.run(a=a, b=b, sfa=fa, sfb=fb, tid_a=thread_a, tid_b=thread_b, arch="sm_120a")
            assert (got.d == want).all()
    op = wsim.op(MMA + "kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0")
    a, b, fa, fb = (
        small((16, 32)),
        small((32, 8)),
        RANDOM.choice([0.5, 1, 2], (16, 1)),
        RANDOM.choice([0.25, 1, 4], (1, 8)),
    )
    for byte_a in range(4):
        for byte_b in range(4):
            got = op.run(a=a, b=b, sfa=fa, sfb=fb, bid_a=byte_a, bid_b=byte_b, tid_a=1, tid_b=byte_a, arch="sm_120a")
            assert (got.d == ((a * fa) @ (b * fb)).astype(np.float32)).all()
    with pytest.raises(wsim.Refused):
        op.run(a=a, b=b, sfa=fa, sfb=fb, bid_a=4, arch="sm_120a")


@pytest.mark.parametrize(
    "spelling",
    [
        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
    ],
)
def test_sparse(spelling):
    op = wsim.op(spelling)
    dense = small((op.m, op.k))
    for row in dense:
        for chunk in row.reshape(-1, 4):
            chunk[RANDOM.permutation(4)[:2]] = 0
    b, c = small((op.k, op.n)), small((op.m, op.n))
    for selector in range(op._info.selectors):
        assert (op.run(a=dense, b=b, c=c, selector=selector).d == dense @ b + c).all()
        a, e = op.compress(dense, selector)
        assert (op.run(a=a, e=e, b=b, c=c, selector=selector).d == dense @ b + c).all()
        assert (op.layout("a").values(op.expand(a, e, selector)) == dense).all()
    with pytest.raises(wsim.Refused, match="row 3") as why:
        dense[3, :4] = 1
        op.run(a=dense, b=b)
    assert why.value.status == "operand" and why.value.rule


def test_ldmatrix_stmatrix_movmatrix():
    tile = np.arange(16 * 16, dtype=np.uint16).reshape(16, 16)
    rows = lambda lane: 32 * (lane % 16) + lane // 16 * 16  # noqa: E731
    got = wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").run(shared=tile, addresses=rows)
    assert (got.d == np.stack([tile[:8, :8], tile[8:, :8], tile[:8, 8:], tile[8:, 8:]])).all()
    turned = wsim.op("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16").run(
        shared=tile, addresses=[rows(lane) for lane in range(32)]
    )
    wsim.assert_bits_equal(
        turned.fragment,
        np.stack(
            [
                wsim.op("movmatrix.sync.aligned.m8n8.trans.b16").run(a=got.fragment[:, i : i + 1]).fragment[:, 0]
                for i in range(4)
            ],
            1,
        ),
    )
    out = np.zeros_like(tile)
    stored = wsim.op("stmatrix.sync.aligned.m8n8.x4.shared.b16").run(r=got.fragment, shared=out, addresses=rows)
    wsim.assert_bits_equal(out, tile)
    with pytest.raises(AttributeError, match="memory"):
        stored.fragment
    # 8 addresses will do for one matrix, and windows may begin anywhere.
    one = wsim.op("ldmatrix.sync.aligned.m8n8.x1.shared.b16").run(
        shared=tile, shared_base=4096, addresses=4096 + 32 * np.arange(8)
    )
    assert (one.d == tile[:8, :8]).all()


def test_read_only_memory_is_read_and_not_written():
    tile = np.arange(64, dtype=np.uint16).reshape(8, 8)
    tile.flags.writeable = False
    rows = [16 * (lane % 8) for lane in range(32)]
    assert (wsim.op("ldmatrix.sync.aligned.m8n8.x1.shared.b16").run(shared=tile, addresses=rows).d == tile).all()
    with pytest.raises(ValueError, match="read-only"):
        wsim.op("stmatrix.sync.aligned.m8n8.x1.shared.b16").run(
            r=np.zeros((32, 1), np.uint32), shared=tile, addresses=rows
        )
    assert (tile == np.arange(64).reshape(8, 8)).all()


def test_wmma_through_memory():
    a, b = small((16, 16)).astype(np.float16), small((16, 16)).astype(np.float16)
    load = "wmma.load.%s.sync.aligned.m16n16k16.%s.shared.f16"
    fa = wsim.op(load % ("a", "row")).run(shared=a, addresses=0, stride=16)
    fb = wsim.op(load % ("b", "col")).run(shared=np.ascontiguousarray(b.T), addresses=0, stride=16)
    product = wsim.op("wmma.mma.sync.aligned.m16n16k16.row.col.f32.f32").run(a=fa.fragment, b=fb.fragment)
    out = np.zeros((16, 16), np.float32)
    wsim.op("wmma.store.d.sync.aligned.m16n16k16.row.shared.f32").run(
        r=product.fragment, shared=out, addresses=0, stride=16
    )
    assert (out == a.astype(np.float64) @ b.astype(np.float64)).all()


def test_cp_async():
    source, shared = np.arange(128, dtype=np.uint32), np.zeros(128, np.uint32)
    lanes = np.arange(32)
    wsim.op("cp.async.ca.shared.global").run(
        shared=shared, global_memory=source, bytes=16, addresses=16 * lanes, source=16 * lanes[::-1], mask=lanes < 16
    )
    assert (shared[:64].reshape(16, 4) == source.reshape(32, 4)[:15:-1]).all() and not shared[64:].any()


@pytest.mark.parametrize(
    "spelling, kind",
    [
        ("m64n32k16.f32.f16.f16", np.float16),
        ("m64n16k32.s32.s8.s8", np.int8),
        ("m64n24k8.f32.tf32.tf32", np.float32),
        ("m64n16k32.f32.e4m3.e4m3", ml_dtypes.float8_e4m3fn),
    ],
)
def test_wgmma(spelling, kind):
    op = wsim.op("wgmma.mma_async.sync.aligned." + spelling)
    a, b, c = (
        small((64, op.k)).astype(kind),
        small((op.k, op.n)).astype(kind),
        small((64, op.n)).astype(np.int32 if kind is np.int8 else np.float32),
    )
    want = a.astype(np.float64) @ b.astype(np.float64)
    assert (op.run(a=a, b=b).d == want).all()
    assert (op.run(a=a, b=b, c=c).d == want + c).all()
    if kind is not np.int8:
        assert (op.run(a=a, b=b, c=c, negate_a=True).d == c - want).all()
    # Both in shared memory, under every swizzle that has room for a row.
    for mode, span in (("32B", 32), ("64B", 64), ("128B", 128)):
        shared = np.zeros(32768, np.uint8)
        wa = wsim.desc.Descriptor(start=0, leading=16, stride=8 * span, swizzle=mode)
        wb = wsim.desc.Descriptor(start=16384, leading=16, stride=8 * span, swizzle=mode)
        op.tile("a").store(a, wa, shared)
        op.tile("b").store(b.T, wb, shared)
        assert (op.run(a=wa, b=int(wb), c=c, shared=shared).d == want + c).all()
        assert (op.tile("b").load(wb, shared).view(kind) == b.T).all()
    with pytest.raises(wsim.Refused) as why:
        op.run(a=a, b=wsim.desc.Descriptor(start=262000 // 16 * 16, stride=256), shared=shared)
    assert why.value.status == "bounds"


def test_wgmma_sparse():
    op = wsim.op("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16")
    dense, b = small((64, 32)), small((32, 16))
    dense.reshape(64, -1, 4)[:, :, 1:3] = 0
    assert (op.run(a=dense, b=b).d == dense @ b).all()


def test_the_h100_is_the_default_and_what_it_lacks_is_refused():
    fp4 = wsim.op(MMA + "kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32")
    with pytest.raises(wsim.Refused) as why:
        fp4.run(a=np.zeros((16, 32)), b=np.zeros((32, 8)))
    assert (why.value.status, why.value.rule) == ("illegal", "arch.feature.missing") and "sm_90a" in why.value.text
    with pytest.raises(wsim.Unmodelled):
        wsim.op("ld.shared.u32").run(addresses=range(32), shared=np.zeros(32, np.uint32))


def test_arguments_are_seen_and_known():
    shown = [list(inspect.signature(call).parameters) for call in (wsim.Op.run, wsim.Op.why, wsim.compare)]
    more = shown[0][4:]
    assert shown[0][:4] == ["self", "a", "b", "c"] and {"selector", "shared", "addresses", "map", "arch"} <= set(more)
    assert shown[1][:4] == ["self", "row", "col", "batch"] and set(shown[1][4:]) == {"a", "b", "c", *more}
    assert set(shown[2][6:]) == {"a", "b", "c", *more}
    costs = [list(inspect.signature(call).parameters) for call in (wsim.banks, wsim.Op.cost)]
    assert costs[0][1:] == costs[1][1:] and "counters" in costs[0]
    assert inspect.signature(wsim.Op.run).parameters["arch"].default == "h100"
    op = wsim.op(MMA + "m16n8k16.row.col.f32.f16.f16.f32")
    for call in (op.run, lambda **more: op.why(0, 0, **more), lambda **more: wsim.compare(op, **more)):
        with pytest.raises(TypeError, match="no argument 'addreses'; did you mean 'addresses'"):
            call(addreses=range(32))
    with pytest.raises(TypeError, match="no argument 'warmth'"):
        wsim.banks("ld.shared.u32", range(32), warmth=True)


def test_ops_are_values():
    op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    assert pickle.loads(pickle.dumps(op)) == op and hash(op) == hash(wsim.op(str(op)))
    assert sum(1 for _ in wsim.ops("ldmatrix")) > 6


def test_banks():
    cost = wsim.banks("ld.shared.u32", lambda lane: 4 * lane * 32, mask=np.arange(32) < 7)
    assert (cost.wavefronts, cost.ideal, cost.conflicts) == (7, 1, 6)
    assert (
        cost.groups[0].lanes == tuple(range(7))
        and cost.groups[0].ways == 7
        and cost.groups[0].words == tuple(32 * i for i in range(7))
    )
    assert wsim.banks("ldmatrix.sync.aligned.m8n8.x2.shared.b16", [128 * (i % 8) for i in range(16)]).wavefronts == 16
    assert wsim.banks("wmma.load.a.sync.aligned.m16n16k16.row.shared.f16", 0, stride=16).wavefronts >= 4
    copy = wsim.banks("cp.async.ca.shared.global", 16 * np.arange(32), bytes=16, warm=True, counters="source")
    assert copy.conflicts == copy.wavefronts - copy.ideal
    with pytest.raises(wsim.Refused) as why:
        wsim.banks("ld.shared.v4.u32", range(32))
    assert why.value.status == "align"


def test_swizzle_is_its_own_inverse():
    addresses = np.arange(2048)
    for mode in ("NONE", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_64B"):
        assert (wsim.swizzle(mode, wsim.swizzle(mode, addresses)) == addresses).all()
        assert int(wsim.swizzle(mode, 0x1A2)) == wsim.swizzle(mode, np.array([0x1A2]))[0]


def test_descriptors():
    for bits in (0, 0x4000004000010040, (1 << 62) | (3 << 49)):
        assert int(wsim.desc.decode(bits)) == bits
    with pytest.raises(wsim.Refused):
        wsim.desc.decode(1 << 15)
    with pytest.raises(wsim.Refused) as why:
        wsim.desc.encode(start=8)
    assert why.value.status == "align"


def test_evidence():
    found = wsim.evidence("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "h100")
    assert found.word == "hardware" and found.recordings and found.recordings[0].number > 0
    assert wsim.evidence("ld.shared.u32", "h100", "counts").word
    assert wsim.evidence("ld.shared.u32", "h100").word is None


@pytest.mark.parametrize(
    "spelling, arch",
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a100"),
        ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "h100"),
        ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "l40"),
        ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "h100"),
        ("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32", "sm_120a"),
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "h100"),
        ("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "h100"),
    ],
)
def test_why_ends_in_what_run_leaves(spelling, arch):
    op = wsim.op(spelling)
    a, b, c = small((op.m, op.k), -1, 2), small((op.k, op.n), -2, 3), small((op.m, op.n))
    result = op.run(a=a, b=b, c=c, arch=arch)
    for row, col in ((0, 0), (op.m - 1, op.n - 1), (5, 3)):
        why = op.why(row, col, a=a, b=b, c=c, arch=arch)
        assert why.bits == int(result.bits[row, col]) and why.value == result.d[row, col] and why.c == c[row, col]
        assert sorted(term.k for term in why.terms) == list(range(op.k))
        for term in why.terms:
            assert (term.a.value, term.b.value) == (a[row, term.k], b[term.k, col])
            assert op.layout("a").places(row, term.k)[0] == term.a.place
            assert (term.b.place is None) == (op.threads == 128)
        assert sum(step.terms for step in why.steps) == op.k and "D[%u][%u]" % (row, col) in str(why)
    with pytest.raises(wsim.Refused):
        op.why(op.m, 0, a=a, b=b, c=c, arch=arch)
    with pytest.raises(TypeError, match="d"):
        op.why(0, 0, d=a)


def test_lists_and_short_names():
    assert [op.m for op in wsim.ops("kind::mxf4.")[:2]] == [16, 16]
    assert wsim.op("mxf4") == wsim.op("kind::mxf4") and wsim.op("nvfp4").spelling.endswith("f32.ue4m3")


def test_products_of_whole_matrices():
    a, b, c = small((100, 70)), small((70, 33)), small((100, 33))
    for spelling in (
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16",
        "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32",
    ):
        op = wsim.op(spelling)
        low = np.clip(a, -4, 3)
        assert (op.gemm(low, b, c) == low @ b + c).all()
        assert (op.gemm(low, b, jobs=1) == low @ b).all()
    one = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    wsim.assert_bits_equal(one.gemm(a[:16, :16], b[:16, :8]), one.run(a=a[:16, :16], b=b[:16, :8]).d)
    assert one.gemm(np.zeros((3, 0), np.float16), np.zeros((0, 4), np.float16)).shape == (3, 4)
    for bad in ((a, c), (a[0], b), (a, b, a), (np.full((4, 4), 0.1), np.eye(4))):
        with pytest.raises(ValueError):
            one.gemm(*bad)
    with pytest.raises(wsim.Refused):
        wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").gemm(a, b)


def test_names():
    want = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    for name in (
        "HMMA.16816.F32",
        "m16n8k16.f32.f16",
        "SM80_16x8x16_F32F16F16F32_TN",
        "  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};",
        "@%p1 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32{%0,%1}, ...",
    ):
        assert wsim.op(name) == want
    with pytest.raises(wsim.Refused, match="mma.sync.aligned.m16n8k16") as why:
        wsim.op("m16n8k16")
    assert why.value.status == "syntax" and "can be" in why.value.text
    for name, rule in (
        ("HMMA.99.F32", "name."),
        ("mma.sync.aligned.m16n8k17.row.col.f32.f16.f16.f32", "spelling."),
        ("", "name."),
    ):
        with pytest.raises(wsim.Refused) as why:
            wsim.op(name)
        assert why.value.rule.startswith(rule), why.value


def test_atoms():
    found = wsim.atom("SM90_64x16x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN, GMMA::ScaleIn::Neg>")
    assert found.a_in == "shared" and found.times == 1 and found.keywords == {"trans_b": True, "negate_a": True}
    # The keywords are those of run: B lies as it is in memory.
    b, shared = small((16, 16)).astype(np.float16), np.zeros(4096, np.uint8)
    where = wsim.desc.Descriptor(0, 256, 128)
    with pytest.raises(ValueError, match="on each other"):
        found.op.tile("b", mn_major=True).store(b.T, wsim.desc.Descriptor(0, 16, 256), shared)
    assert not shared.any()
    found.op.tile("b", mn_major=True).store(b.T, where, shared)
    got = found.op.run(a=np.eye(64, 16), b=where, shared=shared, **found.keywords).d
    assert (got[:16] == -b.astype(np.float32)).all()
    assert wsim.atom("SM80_16x8x16_F32F16F16F32_TN").keywords == {}
    copy = wsim.atom("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>")
    assert copy.op.family == "cp.async" and copy.keywords == {"bytes": 16}
    for wrong, kind in (("SM90_64x16x16_F32F16F16_SS<Major::N>", "syntax"), ("", "syntax"), ("SM99_1x1x1", "syntax")):
        with pytest.raises(wsim.Refused) as why:
            wsim.atom(wrong)
        assert why.value.status == kind


def test_a_result_is_an_array():
    op = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16")
    result = op.run(np.eye(16, 8), np.eye(8))
    assert np.array_equal(result, np.eye(16, 8)) and np.asarray(result, np.float64).dtype == np.float64
    assert np.allclose(result, result.d)


def test_moves_that_fit():
    load, mma = wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), wsim.op("mma.m16n8k16.f32.f16")
    tile = np.arange(256, dtype=np.uint16).reshape(16, 16)
    fit = load.fits(mma, "a")
    assert fit.fits and len(fit.rows) == 32
    got = load.run(shared=tile, addresses=[32 * row + 2 * col for _, row, col in fit.rows])
    assert (mma.layout("a").unpack(got.fragment) == tile).all()
    # B row by row in memory needs .trans, and does not fit without.
    b = np.arange(128, dtype=np.uint16).reshape(16, 8)
    turned = wsim.op("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16")
    fit = turned.fits(mma, "b")
    got = turned.run(shared=b, addresses=[16 * row + 2 * col for _, row, col in fit.rows])
    assert (mma.layout("b").unpack(got.fragment) == b).all()
    wrong = wsim.op("ldmatrix.sync.aligned.m8n8.x2.shared.b16").fits(mma, "b")
    assert not wrong.fits and wrong.rows == ()
    with pytest.raises(wsim.Refused):
        mma.fits(mma, "a")
    with pytest.raises(wsim.Refused):
        mma.row_of(0)
    assert [load.row_of(lane) for lane in (0, 7, 8, 31)] == [(0, 0), (0, 7), (1, 0), (3, 7)]


def test_suggestions_cost_what_they_say():
    write, read = "st.shared.u32", "ld.shared.u32"
    steps = np.array([[4 * lane + 128 * row for lane in range(32)] for row in range(4)])
    found = wsim.suggest([(write, steps), (read, lambda lane: 128 * lane)])
    assert {one.fix for one in found} == {"none", "xor", "pad"} and found[0].wavefronts == 4 + 32
    for one in found:
        costs = [wsim.banks(write, [one(int(at)) for at in step]).wavefronts for step in steps]
        assert sum(costs) + wsim.banks(read, lambda lane: one(128 * lane)).wavefronts == one.wavefronts  # noqa: B023
        assert one.conflicts == one.wavefronts - one.ideal
    for bad in ([], "text", [(read,)], [(read, range(31))], [(3, range(32))], [(read, range(0, 128, 4), "mask")]):
        with pytest.raises((ValueError, TypeError)):
            wsim.suggest(bad)


def test_what_first_readers_type():
    op = wsim.op("m16n8k16.f32.f16")
    with pytest.raises(TypeError, match=r"op\.run\(a, b, c\)"):
        op(np.eye(16), np.eye(16, 8))
    with pytest.raises(TypeError, match="lambda lane"):
        wsim.banks("ld.shared.f32", "lane*128")
    for wrong in 0.1, np.float16, None:
        with pytest.raises(TypeError, match="the format comes first"):
            wsim.encode(wrong, "f16")
    for source in "__global__ void k(float *a) {}", "__global__ void k(float *a) {\n}\n":
        with pytest.raises(ValueError, match="nvcc -ptx"):
            wsim.Module(source)
