"""The copy engine: loads, stores and reductions against NumPy, and the barriers that they complete."""

import numpy as np
import pytest

import wsim

LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
STORE = "cp.async.bulk.global.shared::cta.bulk_group"
ADD = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"


@pytest.mark.parametrize("swizzle, columns", [("NONE", 24), ("32B", 16), ("64B", 32), ("128B", 64)])
@pytest.mark.parametrize("at", [0, 1024])
def test_a_store_is_an_assignment(swizzle, columns, at):
    tensor = np.zeros((32, 64), np.uint16)
    tma = wsim.tensor_map(tensor, box=(columns, 8), swizzle=swizzle)
    rows = np.arange(1, 8 * columns + 1, dtype=np.uint16).reshape(8, columns)
    laid, want = tma.lay(rows, at), np.zeros_like(tensor)
    done = tma.store(laid, (0, 28), at)
    want[28:32, :columns] = rows[:4]
    assert (tensor == want).all() and (done.bytes, done.outside) == (rows.nbytes, rows.nbytes // 2)
    # A load leaves the bytes of lay, and a store takes them back.
    tma.store(laid, (0, 8), at)
    box = tma.load((0, 8), at=at)
    assert (box.shared[: laid.size] == laid).all() and (box.rows.view(np.uint16) == rows).all()
    tma.store(box, (0, 16))
    assert (tensor[16:24, :columns] == rows).all()


@pytest.mark.parametrize(
    "word, kind, want",
    [
        ("add", np.float32, np.add),
        ("min", np.int32, np.minimum),
        ("max", np.float16, np.maximum),
        ("xor", np.uint32, np.bitwise_xor),
    ],
)
def test_reductions(word, kind, want):
    tensor = np.arange(16 * 16).reshape(16, 16).astype(kind)
    before, rows = tensor.copy(), (np.arange(8 * 16).reshape(8, 16) % 50).astype(kind)
    tma = wsim.tensor_map(tensor, box=(16, 8))
    tma.store(tma.lay(rows), (0, 4), op=word)
    before[4:12] = want(before[4:12], rows)
    assert (tensor == before).all()


def test_what_a_store_refuses():
    tensor = np.zeros((16, 16), np.float32)
    tma = wsim.tensor_map(tensor, box=(16, 8))
    laid = tma.lay(np.ones((8, 16), np.float32))
    for wrong in (
        lambda: tma.store(laid[:-16], (0, 0)),
        lambda: tma.store(laid, (0,)),
        lambda: tma.store(laid, (-1, 0)),
        lambda: tma.store(laid, (0, 0), op="mul"),
        lambda: tma.store(laid, (0, 0), op="add.u32"),
        lambda: tma.store(laid, (0, 0), at=8),
        lambda: tma.store(laid, (0, 0), op=3),
        lambda: tma.store("text", (0, 0)),
        lambda: tma.store(laid[::2], (0, 0)),
        lambda: tma.lay(np.ones(7)),
        lambda: tma.lay(np.ones((8, 16), np.float32), at=64),
        lambda: tma.lay("text"),
    ):
        with pytest.raises((ValueError, TypeError)):
            wrong()
    tensor.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        wsim.tensor_map(tensor, box=(16, 8)).store(laid, (0, 0))
    assert not tensor.any()


def test_plain_bytes():
    source, shared = np.arange(256, dtype=np.uint32), np.zeros(512, np.uint32)
    barrier = wsim.Mbarrier(shared, at=1024, count=1)
    barrier.expect_tx(256)
    token = barrier.arrive()
    assert not barrier.test(token)
    load = wsim.op(LOAD).run(
        shared=shared,
        global_memory=source,
        global_base=4096,
        global_at=4096 + 64,
        bytes=256,
        shared_at=128,
        barrier=1024,
    )
    assert load.copied.bytes == 256 and barrier.test(token) and "256 bytes" in repr(load)
    assert (shared[32:96] == source[16:80]).all() and not shared[:32].any()
    out = np.zeros(64, np.uint32)
    wsim.op(STORE).run(shared=shared, global_memory=out, bytes=256, shared_at=128)
    wsim.op(ADD).run(shared=shared, global_memory=out, bytes=128, shared_at=128)
    assert (out[:32] == 2 * source[16:48]).all() and (out[32:] == source[48:80]).all()
    with pytest.raises(wsim.Refused) as why:
        wsim.op(LOAD).run(shared=shared, global_memory=source, bytes=2048, shared_at=0)
    assert why.value.status == "bounds"
    with pytest.raises(AttributeError):
        wsim.op("movmatrix.sync.aligned.m8n8.trans.b16").run(a=np.zeros((32, 1), np.uint32)).copied


def test_gather():
    tensor = np.arange(64 * 16, dtype=np.uint32).reshape(64, 16)
    tma = wsim.tensor_map(tensor, box=(16, 1), arch="b200")
    shared = np.zeros(64, np.uint32)
    op = wsim.op("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes")
    op.run(map=tma, coords=(0, 5, 60, 2, 33), shared=shared, arch="b200")
    assert (shared.reshape(4, 16) == tensor[[5, 60, 2, 33]]).all()


def test_a_barrier_through_its_life():
    shared = np.zeros(64, np.uint8)
    barrier = wsim.Mbarrier(shared, at=4112, shared_base=4096, count=2)
    assert barrier.state == (0, 2, 2, 0) and shared[16:24].any() and not shared[:16].any()
    for phase in range(3):
        barrier.expect_tx(100)
        assert not barrier.test(barrier.arrive()) and not barrier.test_parity(phase % 2)
        with pytest.raises(wsim.Refused, match="1 of 2 arrivals") as why:
            barrier.wait(phase % 2)
        assert why.value.rule == "mbarrier.wait.endless"
        token = barrier.arrive()
        barrier.complete_tx(60)
        assert not barrier.test(token) and barrier.state.bytes == 40
        barrier.complete_tx(40)
        barrier.wait(phase % 2)
        assert barrier.test(token) and barrier.state.phase == phase + 1
    barrier.arrive_drop()
    assert barrier.state.expected == 1
    again = wsim.Mbarrier(shared, at=4112, shared_base=4096)  # it is in the memory, not in the object
    assert again.state == barrier.state
    with pytest.raises(wsim.Refused) as why:
        again.init(1)
    assert why.value.rule == "mbarrier.state.in_use"
    again.inval()
    with pytest.raises(wsim.Refused):
        barrier.arrive()
    assert "not initialised" in repr(barrier)


def test_where_no_barrier_can_be():
    shared = np.zeros(16, np.uint8)
    for wrong in (
        lambda: wsim.Mbarrier(shared, at=4, count=1),
        lambda: wsim.Mbarrier(shared, at=16, count=1),
        lambda: wsim.Mbarrier(shared, at=-1),
        lambda: wsim.Mbarrier(shared, count=0),
        lambda: wsim.Mbarrier(shared, count=2**20),
        lambda: wsim.Mbarrier(shared, count="1"),
        lambda: wsim.Mbarrier([0] * 8, count=1),
        lambda: wsim.Mbarrier(np.frombuffer(bytes(8), np.uint8), count=1),
        lambda: wsim.Mbarrier(shared, count=1).arrive(2),
        lambda: wsim.Mbarrier(shared, count=1).test(2**64),
        lambda: wsim.Mbarrier(np.zeros(8, np.uint8), count=1).test_parity(2),
        lambda: wsim.Mbarrier(np.zeros(8, np.uint8), count=1).expect_tx(2**20),
    ):
        with pytest.raises((ValueError, TypeError)):
            wrong()
