"""Whatever is passed: an exception that says what was expected, never a crash, and nothing was written."""

import itertools

import numpy as np
import pytest

import wsim

ODD = [
    None,
    0,
    -1,
    2**64,
    1.5,
    "text",
    b"bytes",
    object(),
    [],
    [[]],
    [None],
    {},
    np.zeros(0),
    np.zeros((0, 4)),
    np.zeros((32, 0), np.uint32),
    np.zeros((16, 16), object),
    np.zeros((16, 16), complex),
    np.zeros((16, 16), "M8[s]"),
    np.zeros((16, 16), "S3"),
    np.zeros((16, 16), "V2"),
    np.zeros((16, 16), [("a", "f2")]),
    np.zeros((15, 16)),
    np.zeros((16, 16, 1)),
    np.zeros((33, 4), np.uint32),
    np.zeros((32, 5), np.uint32),
    np.zeros((4, 32), np.uint32),
    np.full((16, 16), np.nan),
    np.full((16, 16), 2**40),
    np.ma.masked_array(np.ones((3, 3)), True),
    np.zeros((16, 16), np.longdouble),
    np.zeros((1 << 10, 1 << 10), np.int8),
    np.lib.stride_tricks.as_strided(np.zeros(1, np.float16), (16, 16), (0, 0)),
]
EXPECTED = (ValueError, TypeError)


def survive(call):
    """The call answers, or says what is wrong in words."""
    try:
        call()
    except EXPECTED as why:
        assert str(why)


SPELLINGS = [
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
    "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.shared.b16",
    "movmatrix.sync.aligned.m8n8.trans.b16",
    "wmma.load.a.sync.aligned.m16n16k16.row.shared.f16",
    "wmma.store.d.sync.aligned.m16n16k16.row.shared.f32",
    "cp.async.ca.shared.global",
    "ld.shared.u32",
    "wgmma.fence.sync.aligned",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
]
NAMES = [
    "a",
    "b",
    "c",
    "r",
    "e",
    "sfa",
    "sfb",
    "selector",
    "bid_a",
    "tid_b",
    "shared",
    "shared_base",
    "global_memory",
    "global_base",
    "addresses",
    "stride",
    "source",
    "source_size",
    "bytes",
    "mask",
    "scale_d",
    "negate_a",
    "trans_b",
    "arch",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_operands(spelling):
    op = wsim.op(spelling)
    fine = {
        name: np.zeros(op.layout(name).shape)
        for name in op.operands
        if name in "abcr" and op.family not in ("ld", "cp.async") and (name, op.threads) != ("b", 128)
    }
    if op.threads == 128:
        fine["b"] = np.zeros((16, 16))
    for name, value in itertools.product(NAMES, ODD):
        if name == "arch" and not isinstance(value, str):
            continue
        survive(lambda: op.run(**{**fine, name: value}))
    for value in ODD:
        survive(lambda: op.run(**dict.fromkeys(NAMES[:6], value)))
        survive(lambda: op.run(shared=np.zeros(64, np.uint8), addresses=value))
        survive(lambda: op.run(shared=value, addresses=range(32)))
        survive(lambda: op.cost(value))
        survive(lambda: op.cost(range(0, 128, 4), mask=value, source=value))


def test_addresses_far_outside():
    shared = np.zeros(512, np.uint8)
    for op in ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "stmatrix.sync.aligned.m8n8.x4.shared.b16"):
        more = {"r": np.zeros((32, 4), np.uint32)} if op[0] == "s" else {}
        for addresses in ([512] * 32, [2**32 - 16] * 32, [2**63] * 32, list(range(0, 512, 16))[:31] + [512]):
            with pytest.raises(wsim.Refused):
                wsim.op(op).run(shared=shared, addresses=addresses, **more)
    tile = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
    for start, base in ((1024, 0), (0, 16), (262128, 0), (0, 2**32 - 1)):
        with pytest.raises(ValueError):
            tile.store(np.zeros((16, 16)), wsim.desc.Descriptor(start, 128, 256), shared, base)
        with pytest.raises(ValueError):
            tile.load(wsim.desc.Descriptor(start, 128, 256), shared, base)
    assert not shared.any()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: wsim.op(x),
        lambda x: wsim.arch(x),
        lambda x: wsim.swizzle(x),
        lambda x: wsim.swizzle("128B", x),
        lambda x: wsim.encode("f16", x),
        lambda x: wsim.decode("f16", x),
        lambda x: wsim.encode(x, [1]),
        lambda x: wsim.decode(x, [1]),
        lambda x: wsim.encode("f16", 1, x),
        lambda x: wsim.encode("f16", 1, "rn", x),
        lambda x: wsim.desc.decode(x),
        lambda x: wsim.desc.encode(x),
        lambda x: wsim.desc.encode(0, x, 0, x, x),
        lambda x: wsim.tensor_map(x),
        lambda x: wsim.tensor_map(x, box=x),
        lambda x: wsim.banks(x, range(32)),
        lambda x: wsim.banks("ld.shared.u32", x),
        lambda x: wsim.banks("ld.shared.u32", range(32), mask=x),
        lambda x: wsim.banks("cp.async.ca.shared.global", range(0, 128, 4), bytes=4, source=x, source_size=x),
        lambda x: wsim.Module(x) if not isinstance(x, int) else None,
        lambda x: wsim.Device(x),
        lambda x: wsim.evidence(x),
        lambda x: wsim.aligned(x),
        lambda x: wsim.aligned(np.zeros(4), x),
        lambda x: wsim.assert_bits_equal(x, x),
        lambda x: wsim.fragment(x),
        lambda x: wsim.op(SPELLINGS[0]).layout(x),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").coord(x, x),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").places(x, x),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").pack(x),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").unpack(x),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").values(x),
        lambda x: wsim.op(SPELLINGS[1]).compress(x),
        lambda x: wsim.op(SPELLINGS[1]).expand(x, x),
        lambda x: wsim.op(SPELLINGS[0]).compress(x),
        lambda x: wsim.op(SPELLINGS[0]).encode(x, 1),
        lambda x: wsim.op(SPELLINGS[0]).encode("a", x),
        lambda x: wsim.op(SPELLINGS[2]).tile(x),
        lambda x: wsim.op(SPELLINGS[2]).tile("b").store(x, 0, np.zeros(4096, np.uint8)),
        lambda x: wsim.op(SPELLINGS[2]).tile("b").load(x, np.zeros(4096, np.uint8)),
        lambda x: wsim.op(SPELLINGS[2]).tile("b").load(0, x),
        lambda x: wsim.op(SPELLINGS[0]).gemm(x, x),
        lambda x: wsim.op(SPELLINGS[0]).gemm(np.eye(3), np.eye(3), x),
        lambda x: wsim.op(SPELLINGS[2]).gemm(x, np.eye(3)),
        lambda x: wsim.op(SPELLINGS[1]).gemm(x, x),
        lambda x: wsim.op(SPELLINGS[0]).gemm(np.eye(3), np.eye(3), promote=x, jobs=1),
        lambda x: wsim.op(SPELLINGS[0]).why(x, x, a=x, b=x),
        lambda x: wsim.op(SPELLINGS[0]).why(x, 0, a=np.eye(16), b=np.eye(16, 8)),
        lambda x: wsim.op(SPELLINGS[0]).why(0, 0, **{str(x): x}),
        lambda x: wsim.op(SPELLINGS[0]).why(0, 0, x, a=np.eye(16), b=np.eye(16, 8)),
        lambda x: wsim.op(SPELLINGS[3]).why(0, 0, shared=x),
        lambda x: wsim.op(SPELLINGS[1]).metadata(x),
        lambda x: wsim.op(SPELLINGS[0]).metadata(np.zeros(32, np.uint32), x),
        lambda x: wsim.op(SPELLINGS[1]).metadata(np.zeros(32, np.uint32), x).picture().write("svg"),
        lambda x: wsim.suggest(x),
        lambda x: wsim.suggest([x]),
        lambda x: wsim.suggest([("ld.shared.u32", x)], most=1),
        lambda x: wsim.suggest([(x, range(0, 128, 4), x)], most=1),
        lambda x: wsim.suggest([("ld.shared.u32", range(0, 128, 4))], x, 1),
        lambda x: wsim.suggest([("ld.shared.u32", range(0, 128, 4))], most=x),
        lambda x: wsim.op(SPELLINGS[3]).fits(x, "a"),
        lambda x: wsim.op(SPELLINGS[3]).fits(wsim.op(SPELLINGS[0]), x, x, x),
        lambda x: wsim.op(SPELLINGS[3]).fits(wsim.op(SPELLINGS[0]), "b", number=x),
        lambda x: wsim.op(SPELLINGS[3]).row_of(x),
        lambda x: wsim.swizzle("128B").picture(x),
        lambda x: wsim.swizzle("128B").picture(rows=x, at=x),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").picture(x, x, x, x, x).write("text"),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").picture().write(x),
        lambda x: wsim.op(SPELLINGS[0]).layout("a").picture().write("text", x),
        lambda x: wsim.op(SPELLINGS[0]).picture(x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).picture(x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).picture(at=x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).load(x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).load((0, 0), x, x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).load((0, 0), global_memory=x),
        lambda x: wsim.Tile(x, x, x, x, "f16").addresses(0),
    ],
)
def test_functions(call):
    for value in ODD + [
        "",
        "sm_9000",
        "mma.sync\0.aligned",
        "m" * 100000,
        "\ud800",
        float("nan"),
        np.int64(-1),
        2**31,
        1 << 70,
    ]:
        try:
            call(value)
        except (*EXPECTED, OSError, AssertionError) as why:
            assert str(why)
