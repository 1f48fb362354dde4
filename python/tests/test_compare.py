"""Architectures against each other: what compare says is what the instructions leave."""

import numpy as np
import pytest

import wsim

MMA = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
LARGE = np.zeros((16, 16))
LARGE[3, :8] = [2.0**15] + [2.0**-10] * 7
ONES = np.ones((16, 8))


def test_same_operands():
    found = wsim.compare(MMA, ["a100", "h100", "sm_90", "b200"], a=LARGE, b=ONES)
    assert found.archs == ("sm_80", "sm_90a", "sm_90", "sm_100a") and not found.agree and not found.random
    for i, one in enumerate(found.archs):
        for j, other in enumerate(found.archs):
            differ = MMA.run(a=LARGE, b=ONES, arch=one).bits != MMA.run(a=LARGE, b=ONES, arch=other).bits
            assert found.matrix[i, j] == differ.sum()
    assert found.same == (("sm_80",), ("sm_90a", "sm_90", "sm_100a")) and len(found.differences) == 1
    first = found.differences[0]
    assert first.archs == ("sm_80", "sm_90a") and first.at == (3, 0) and first.count == 8 and first.case is None
    assert first.bits == tuple(int(found.results[name].bits[first.at]) for name in first.archs)
    assert MMA.layout("d").places(*first.at)[0][:3:2] == (first.lane, first.reg)
    # The reason is a product that one of them keeps and the other does not.
    assert first.reason.startswith("the product of k = 1, %s: sm_80 cuts %s off it" % (2.0**-10, 2.0**-10))
    assert "sm_90a keeps all of it" in first.reason and "width 8 against 16" in first.arithmetic


def test_random_cases_are_those_of_the_program():
    # wsim exec --compare --random 2000 --arch l40s,h100: "1847".
    found = wsim.compare("mma.m16n8k32.f32.e4m3.e4m3", ["l40s", "h100"], cases=2000)
    assert found.matrix.tolist() == [[0, 1847], [1847, 0]] and found.random and found.of == 2000
    one = wsim.compare("mma.m16n8k32.f32.e4m3.e4m3", ["l40s", "h100"], cases=2000, jobs=1)
    assert (one.matrix == found.matrix).all() and one.differences == found.differences
    first = found.differences[0]
    assert first.case is not None and first.bits[0] != first.bits[1] and first.values[0] != first.values[1]
    exact = wsim.compare("mma.m16n8k32.s32.s8", cases=300)
    assert exact.agree and exact.differences == () and len(exact.archs) > 10 and len(exact.same) == 1
    sparse = wsim.op("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32")
    assert wsim.compare(sparse, "a100, h100", cases=300, dist="near-one").matrix[0, 1] > 0
    wgmma = wsim.compare("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", cases=50)
    assert wgmma.archs == ("sm_90a",) and wgmma.agree


def test_an_accumulator_that_is_added_last_is_no_reason():
    found = wsim.compare("mma.m16n8k32.f32.e4m3.e4m3", ["l40s", "h100"], cases=200)
    assert "accumulator" not in found.differences[0].reason


@pytest.mark.parametrize(
    "wrong",
    [
        {"archs": []},
        {"archs": ["a100", "sm_80"]},
        {"archs": ["a1000"]},
        {"archs": "a100,"},
        {"archs": [3]},
        {"cases": -1},
        {"cases": 1.5},
        {"cases": 10, "a": LARGE},
        {"cases": 10, "dist": "flat"},
        {"cases": 10, "jobs": 1000},
        {"cases": 10, "seed": -1},
        {"arch": "h100"},
        {"a": LARGE[:3]},
        {"aa": LARGE},
        {"archs": ["v100"]},
    ],
)
def test_what_cannot_be_compared(wrong):
    with pytest.raises((ValueError, TypeError)):
        wsim.compare(MMA, **wrong)


def test_what_is_no_product():
    with pytest.raises(wsim.Refused):
        wsim.compare("ldmatrix.sync.aligned.m8n8.x4.shared.b16", cases=10)
    with pytest.raises(wsim.Refused, match="no architecture"):
        wsim.compare("wgmma.fence.sync.aligned", cases=10)


def test_addends_are_the_sum():
    why = MMA.why(3, 0, a=LARGE, b=ONES, c=np.full((16, 8), 0.25), arch="a100")
    first = why.steps[0]
    assert [addend.terms for addend in first.addends] == [0] + [1] * 8
    assert [addend.value for addend in first.addends] == [0.25] + [2.0**15] + [2.0**-10] * 7
    assert sum(addend.value - addend.cut for addend in first.addends) == first.after
    assert why.arithmetic == MMA.arithmetic("a100") and why.arithmetic.a == "f16"
