"""Every wrong argument raises an exception that says what was expected, never crashes, and writes nothing."""

import copy
import gc
import inspect
import itertools
import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import wsim
from conftest import SOURCE

SAXPY = SOURCE / "examples" / "kernels" / "saxpy.ptx"


class Subclass(np.ndarray):
    """An array that lies about itself wherever it is asked."""

    __array_interface__ = {"data": (8, False), "shape": (1 << 40,), "typestr": "|u1", "version": 3}  # type: ignore

    def __getitem__(self, key):
        raise RuntimeError("not yours")


class Liar:
    """Claims to be an array, a number and a list."""

    shape, dtype, ndim, size = (16, 16), np.dtype(np.float16), 2, 256

    def __array__(self, dtype=None, copy=None):
        return np.zeros((3, 5, 7), object)

    def __index__(self):
        return 1 << 200

    def __len__(self):
        return 1 << 62

    def __getitem__(self, key):
        raise IndexError(key)


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
    np.zeros((16, 16), np.float16)[::-1, ::-2],
    np.zeros((16, 16), ">f2"),
    np.broadcast_to(np.uint32(7), (32,)),
    np.zeros(64, np.uint8).view(Subclass),
    np.frombuffer(bytes(512), np.uint8),
    np.rec.fromarrays([np.zeros(4), np.zeros(4, np.int8)]),
    np.float64("inf"),
    np.bool_(True),
    Liar(),
    -(2**63) - 1,
    iter([1, 2]),
]
EXPECTED = (ValueError, TypeError, OverflowError, RuntimeError)  # the last: their own


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
NAMES = [name for name in inspect.signature(wsim.Op.run).parameters if name not in ("self", "plain")]


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
        survive(lambda: op.run(plain=value, **fine))
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
        lambda x: wsim.atom(x),
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
        lambda x: wsim.lint(x),
        lambda x: wsim.lint("asm(\"bar.sync 0;\");", x),
        lambda x: wsim.compare(x, cases=1),
        lambda x: wsim.compare(SPELLINGS[0], x, cases=1),
        lambda x: wsim.compare(SPELLINGS[0], ["a100", x], a=x, b=x),
        lambda x: wsim.compare(SPELLINGS[0], ["a100"], cases=1, seed=x, dist=x),
        lambda x: wsim.compare(SPELLINGS[0], ["a100"], cases=1, jobs=x),
        lambda x: wsim.op(SPELLINGS[0]).executes(x),
        lambda x: wsim.op(SPELLINGS[0]).arithmetic(x),
        lambda x: wsim.op(SPELLINGS[1]).crowded(x),
        lambda x: wsim.Mbarrier(x),
        lambda x: wsim.Mbarrier(np.zeros(8, np.uint8), x, x),
        lambda x: wsim.Mbarrier(np.zeros(8, np.uint8), count=1).arrive(x),
        lambda x: wsim.Mbarrier(np.zeros(8, np.uint8), count=1).test(x),
        lambda x: wsim.Mbarrier(np.zeros(8, np.uint8), count=1).wait(x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).lay(x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).store(x, (0, 0)),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).store(np.zeros((8, 8)), x, x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).store(np.zeros((8, 8)), (0, 0), op=x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).store(np.zeros((8, 8)), (0, 0), global_memory=x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).load((0, 0), shared=x),
        lambda x: wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).load((0, 0), barrier=x),
        lambda x: wsim.tensor_map(dtype=x, dims=x, strides=x, box=x, base=x),
        lambda x: wsim.Module(SAXPY).kernel(x) if x is None or isinstance(x, str) and x in "saxpy" else None,
        lambda x: wsim.Module(SAXPY).kernel()[x, x],
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](x, x, x, x, raise_findings=False),
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](1.0, None, None, 0, shared=x, threads=x),
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](1.0, None, None, 0, seed=x),
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](1.0, None, None, 0, arch=x),
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](1.0, None, None, 0, checks=x),
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](1.0, None, None, 0, buffers=x),
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](1.0, None, None, 0, cluster=x),
        lambda x: wsim.Module(SAXPY).kernel()[1, 32](1.0, None, None, 0, device=x),
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


# --- arrays that are each other, functions that do what they should not ---


def test_a_shape_is_looked_at_before_its_elements():
    vast = np.broadcast_to(np.float16(1), (1 << 20, 1 << 20))  # 2 TB of them
    for call in (
        lambda: wsim.op(SPELLINGS[0]).run(a=vast, b=vast),
        lambda: wsim.op(SPELLINGS[1]).compress(vast),
        lambda: wsim.op(SPELLINGS[0]).layout("a").pack(vast),
        lambda: wsim.op(SPELLINGS[0]).layout("a").unpack(vast.view(np.uint16)),
        lambda: wsim.op(SPELLINGS[2]).tile("b").store(vast, 0, np.zeros(64, np.uint8)),
        lambda: wsim.banks("ld.shared.u32", vast.view(np.uint16)),
    ):
        with pytest.raises(ValueError, match="shape"):
            call()


def test_operands_that_are_one_array():
    eye = np.eye(16, dtype=np.float16)
    b = eye[:, :8]
    assert (wsim.op(SPELLINGS[0]).run(a=eye, b=b, c=np.zeros((16, 8), np.float32)).d == b).all()
    memory = np.arange(256, dtype=np.uint32)
    before = memory.copy()
    copy_op, lanes = wsim.op("cp.async.ca.shared.global"), np.arange(32)
    # The same bytes as source and as destination: copied onto themselves, and from one half to the other.
    copy_op.run(shared=memory, global_memory=memory, bytes=16, addresses=16 * lanes, source=16 * lanes)
    assert (memory == before).all()
    copy_op.run(shared=memory, global_memory=memory, bytes=16, addresses=16 * lanes, source=512 + 16 * lanes)
    assert (memory[:128] == before[128:]).all()
    wsim.op("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes").run(
        shared=memory, global_memory=memory, shared_at=16, bytes=512
    )
    tma = wsim.tensor_map(memory.reshape(16, 16), box=(16, 8))
    tma.load((0, 2), shared=memory)
    tma.store(memory, (0, 1))
    x = np.ones(64, np.float32)
    wsim.Module(SAXPY).kernel()[1, 64](1.0, x, x, 64)
    assert (x == 2).all()
    with pytest.raises(wsim.Finding):
        wsim.Module(SAXPY).kernel()[1, 64](1.0, x, x[32:], 64)


def test_functions_of_the_lane():
    load = wsim.op("ldmatrix.sync.aligned.m8n8.x1.shared.b16")
    shared = np.arange(64, dtype=np.uint16)

    def resizes(lane):
        shared.resize(1 << 20, refcheck=False)  # moves its bytes, before anybody has looked where they are
        return 16 * (lane % 8)

    assert load.run(shared=shared, addresses=resizes).d[0].tolist() == list(range(8))

    def raises(lane):
        raise RuntimeError("lane %u" % lane)

    with pytest.raises(RuntimeError, match="lane 0"):
        load.run(shared=shared, addresses=raises)
    for wrong in (lambda lane: None, lambda lane: "0", lambda lane: -1, lambda lane: 2**70, lambda lane: [lane]):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            load.run(shared=shared, addresses=wrong)
        with pytest.raises((ValueError, TypeError, OverflowError)):
            load.cost(wrong)


# --- threads, processes, the end ---


def test_threads_share_everything():
    op, module = wsim.op(SPELLINGS[0]), wsim.Module(SAXPY)
    kernel, a, b = module.kernel(), np.eye(16), np.ones((16, 8))

    def work(number):
        x, y = np.full(64, number, np.float32), np.ones(64, np.float32)
        report = kernel[1, 64](2.0, x, y, 64)
        assert (y == 2 * number + 1).all() and report.totals["instructions"] == 40
        assert (op.run(a=a * number, b=b, arch=("a100", "h100")[number % 2]).d == number).all()
        assert report.picture().write("csv") and op.layout("a").picture().write("svg")
        return op.why(0, 0, a=a, b=b).value

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(64))) == {1.0}


def _child(queue):
    x = np.ones(64, np.float32)
    wsim.Module(SAXPY).kernel()[2, 32](1.0, x, x, 64, threads=2)
    try:
        wsim.Module(SAXPY).kernel()[1, 64](1.0, x[:16].copy(), x, 64)
    except wsim.Finding as found:
        queue.put((float(x.sum()), found))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_goes_on():
    x = np.ones(64, np.float32)
    wsim.Module(SAXPY).kernel()[2, 32](1.0, x, x, 64, threads=2)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue,))
    child.start()
    total, found = queue.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0 and total == 128 and isinstance(found, wsim.Finding)
    assert found.rule == "memory.bounds" and found.thread == (16, 0, 0) and "saxpy.cu:5" in str(found)


def test_what_is_raised_goes_to_other_processes():
    x = np.ones(16, np.float32)
    with pytest.raises(wsim.Finding) as raised:
        wsim.Module(SAXPY).kernel()[1, 64](1.0, x, x, 64)
    for again in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert str(again) == str(raised.value) and again.findings[0] is again and again.report is None
        assert [one.text for one in again.findings] == [one.text for one in raised.value.findings]
    with pytest.raises(wsim.Unmodelled) as why:
        wsim.op("tcgen05.mma.cta_group::1.kind::f16")
    again = pickle.loads(pickle.dumps(why.value))
    assert (type(again), str(again), again.rule) == (wsim.Unmodelled, str(why.value), why.value.rule)


def test_parts_outlive_their_whole():
    x = np.ones(64, np.float32)
    report = wsim.Module(SAXPY).kernel()[1, 64](1.0, x, np.ones(64, np.float32), 64)
    launcher = wsim.Module(SAXPY).kernel()[1, 64]
    barrier = wsim.Mbarrier(np.zeros(64, np.uint8), count=1)
    result = wsim.op(SPELLINGS[0]).run(a=np.eye(16), b=np.ones((16, 8)))
    gc.collect()
    assert report.totals["instructions"] == 40 and report.lines and str(report.picture())
    assert launcher(1.0, x, x, 64).kernel == "saxpy" and barrier.state.pending == 1
    assert result.layout.places(0, 0) and (result.d == 1).all()
    for thing in (report, launcher, barrier, wsim.Device("h100"), wsim.Module(SAXPY)):
        with pytest.raises(TypeError):  # they are no values: refused, not copied in part
            pickle.dumps(thing)


END = """
import threading, sys, numpy as np, wsim
module, device = wsim.Module(sys.argv[1]), wsim.Device("h100")
kernel, x = module.kernel(), np.ones(1 << 16, np.float32)
report = kernel[1, 64](1.0, x, x, 64, device=device)
cost, tma = wsim.banks("ld.shared.u32", range(0, 128, 4)), wsim.tensor_map(np.ones((8, 8)), box=(8, 8))
pictures = [report.picture(), cost.picture(), tma.picture()]
def forever():
    while True:
        kernel[256, 256](1.0, x, x, 1 << 16, device=device)
for _ in range(2):
    threading.Thread(target=forever, daemon=True).start()
wsim.kept = [module, device, report, pictures]
print("end")
"""


def test_the_interpreter_ends_with_all_alive():
    said = subprocess.run([sys.executable, "-c", END, str(SAXPY)], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout) == (0, "end\n"), said.stderr
