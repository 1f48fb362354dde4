"""A look inside a running kernel."""

import numpy as np
import pytest

import wsim

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
TILE = (
    HEAD
    + """.file 1 "/src/tile.cu"
.visible .entry k(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .f32 %f<8>;
    .reg .b64 %rd<4>;
    .shared .align 4 .b8 _ZZ1kPfE4tile[256];
    .loc 1 4 5
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, _ZZ1kPfE4tile;
    mad.lo.s32 %r3, %r1, 4, %r2;
    cvt.rn.f32.u32 %f4, %r1;
    mul.rn.f32 %f4, %f4, 0f3FC00000;
    st.shared.f32 [%r3], %f4;
    .loc 1 5 5
    bar.sync 0;
    setp.gt.u32 %p1, %r1, 2;
    .loc 1 6 5
    @%p1 st.shared.f32 [%r3], %f4;
    .loc 1 7 5
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.f32 [%rd3], %f4;
    ret;
}
"""
)
MMA = (
    HEAD
    + """.visible .entry m()
{
    .reg .b32 %r<4>;
    .reg .f32 %f<8>;
    cvt.rn.f16x2.f32 %r2, 0f3F800000, 0f40000000;
    mov.f32 %f1, 0f3F000000;
    mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f4,%f5,%f6,%f7}, {%r2,%r2}, {%r2}, {%f1,%f1,%f1,%f1};
    ret;
}
"""
)


def line_of(ptx, word):
    return ptx[: ptx.index(word)].count("\n") + 1


def run(look, **more):
    out = wsim.aligned(np.zeros(40, np.float32))
    report = wsim.Module(TILE).kernel()[1, 40](out, look=look, **more)
    return out, report


def test_registers_and_variables_are_arrays():
    views = []

    def see(view):
        assert view.before and view.kernel == "k" and view.file == "/src/tile.cu" and view.block == (0, 0, 0)
        if view.opcode == "bar.sync":
            views.append((view.warp, view.lanes.sum()))
            expected = np.arange(32 * view.warp, 32 * view.warp + 32)[view.lanes]
            assert (view["%r1/s32"][view.lanes] == expected).all() and view["%f4"].dtype == np.float32
            assert (view["f4"][view.lanes] == np.float32(1.5) * expected).all()
            assert (view["tid.x"][view.lanes] == expected).all() and view["%rd1"].dtype == np.uint64
            assert view["tile"].dtype == np.uint8 and view["tile"].shape == (256,)
            if view.warp == 0:
                assert (view["tile/f32x8"][:4] == 1.5 * np.arange(32, dtype=np.float32).reshape(4, 8)).all()
            with pytest.raises(KeyError, match="none"):
                view["none"]
            with pytest.raises(KeyError, match="'a'"):
                view["a"]
            with pytest.raises(TypeError):
                view[3]
            for wrong in ("f64", "x", "f8"):
                with pytest.raises(ValueError):
                    view["%f4/" + wrong]
        else:
            assert view.opcode == "setp.gt.u32" and view.registers == ["%p1", "%r1"]
            assert view["%r1"].dtype == np.uint32

    out, report = run({"tile.cu:5": see}, raise_findings=False, checks="sync")
    assert sorted(views) == [(0, 32), (1, 8)]
    assert "28 instructions" in repr(report)


def test_guards_lines_of_ptx_and_the_end_of_a_view():
    kept = []

    def see(view):
        kept.append(view)
        assert view["%p1"].dtype == np.bool_ and view["%p1"][:5].tolist() == view.lanes[:5].tolist()

    line = line_of(TILE, "@%p1")
    run({line: see}, checks=False)
    assert [(view.ptx_line, view.opcode) for view in kept] == [(line, "st.shared.f32")] * 2
    assert {view.warp: int(view.lanes.sum()) for view in kept} == {0: 29, 1: 8}
    assert "st.shared.f32 at /src/tile.cu:6" in repr(kept[0])
    with pytest.raises(RuntimeError, match="while the function runs"):
        kept[0]["%r1"]


def test_matrices():
    found = {}

    def see(view):
        found.update({name: view[name] for name in "abc"})
        with pytest.raises(KeyError):
            view["e"]

    wsim.Module(MMA).kernel()[1, 32](look={line_of(MMA, "mma.sync"): see})
    assert found["a"].shape == (16, 8) and found["a"].dtype == np.float16 and found["a"][0].tolist() == [2, 1] * 4
    assert found["b"].shape == (8, 8) and (found["c"] == np.float32(0.5)).all() and found["c"].shape == (16, 8)


def test_an_exception_ends_the_launch():
    calls = []

    def see(view):
        calls.append(view.warp)
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        run({"tile.cu:4": see})
    assert len(calls) == 1


@pytest.mark.parametrize("place", ["tile.cu", "tile.cu:x", "tile.cu:\u00b2", ":5", 0, -1, True, "tile.cu:0", 2.5, None])
def test_places_that_are_none(place):
    with pytest.raises(ValueError, match="a place is"):
        run({place: print})


def test_names_without_an_encoding():
    def see(view):
        with pytest.raises(KeyError, match="no register"):
            view["\udc80"]

    run({"tile.cu:5": see})


def test_what_is_no_look():
    with pytest.raises(ValueError, match="tile.cu:99"):
        run({"tile.cu:99": print})
    with pytest.raises(ValueError, match="PTX line 1"):
        run({1: print})
    with pytest.raises(TypeError, match="function"):
        run({"tile.cu:5": 3})
    with pytest.raises(TypeError, match="dict"):
        run([("tile.cu:5", print)])
    out, _ = run({}, checks=False)
    assert (out == 1.5 * np.arange(40)).all()
