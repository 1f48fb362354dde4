"""Launch files in this process: those of tests/kernels leave what an H200 left; mistakes have a line and a column."""

import gc
import gzip
import json
import lzma

import numpy as np
import pytest

import wsim
from conftest import SOURCE

ADD = """.version 8.0
.target sm_80
.address_size 64
.global .u32 count;
.visible .entry add(.param .u64 out, .param .u64 in) {
    .reg .b32 %r<3>; .reg .b64 %d<4>;
    mov.u32 %r0, %tid.x; mul.wide.u32 %d0, %r0, 4;
    ld.param.u64 %d1, [in]; add.s64 %d1, %d1, %d0; ld.global.u32 %r1, [%d1];
    add.s32 %r1, %r1, 5;
    ld.param.u64 %d2, [out]; add.s64 %d2, %d2, %d0; st.global.u32 [%d2], %r1;
    st.global.u32 [count], 7; ret; }
"""

FILES = sorted(SOURCE.glob("tests/kernels/*/*.json"))
# Launches whose recorded counters are those of machine code that no rule predicts: run.sh reads the same list.
COUNTED = [one.split("\t")[0] for one in (SOURCE / "tests/kernels/counters.txt").read_text().splitlines()]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "add.ptx").write_text(ADD)
    np.save(tmp_path / "in.npy", np.arange(4, dtype=">u4"))
    (tmp_path / "out.bin").write_bytes(np.arange(5, 9, dtype="<u4").tobytes())
    return tmp_path


def launch(folder, more="", args='{"buffer": "out"}, {"buffer": "in"}', **keywords):
    text = '{"ptx": "add.ptx", "buffers": {"in": {"file": "in.npy"}, "out": {"bytes": 16, "fill": 0}},\n'
    path = folder / "l.json"
    path.write_text(text + '"launches": [{"block": [4], "args": [%s]}]%s}' % (args, more))
    return wsim.launch_file(path, **keywords)


@pytest.mark.parametrize("path", FILES[::4], ids=lambda path: "%s/%s" % (path.parent.name, path.stem))
def test_recordings(path):
    # One warp accesses one tile in many ways, without __syncwarp between them.
    checks = "init,sync" if path.stem == "accesses" else True
    result = wsim.launch_file(path, arch="sm_90a", checks=checks)
    assert result.different == 0 or "%s/%s" % (path.parent.name, path.name) in COUNTED
    assert all(one.different == 0 for one in result.expectations) and not result.stopped and result.reports
    count = len(json.loads(path.read_text()).get("expect", {}))
    assert len([one for one in result.expectations if one.name != "stdout"]) == count


def test_results(folder):
    more = (
        ', "expect": {"out": {"file": "out.bin"}}, "save": {"out": {"file": "o.npy", "type": "s32", "shape": [2, 2]}}'
    )
    result = launch(folder, more)
    assert result.array("out").tolist() == [[5, 6], [7, 8]] and result.array("out").dtype == np.int32
    assert result.array("in").tolist() == np.arange(4, dtype="<u4").view(np.uint8).tolist()
    assert [(one.name, one.different, one.text) for one in result.expectations] == [("out", 0, "equal, 16 bytes")]
    assert not (folder / "o.npy").exists()
    assert repr(result) == "Launched on sm_80: 1 launch, 1 expectation, 0 different"
    with pytest.raises(KeyError, match="in, out"):
        result.array("none")
    with pytest.raises(ValueError, match="not a whole number"):
        result.array("out", "V3")
    report = result.reports[0]
    del result
    gc.collect()
    assert report.totals["blocks"] == 1 and report.lines  # the launch file lives as long


def test_differences(folder):
    (folder / "out.bin").write_bytes(np.array([5, 6, 9, 8], "<u4").tobytes())
    (folder / "lines.txt").write_text("hello\n")
    result = launch(folder, ', "expect": {"out": {"file": "out.bin"}}, "stdout": "lines.txt"')
    first, second = result.expectations
    assert (first.different, first.first, first.want, first.got) == (1, 8, 9, 7)
    assert (second.name, second.different, second.text) == ("stdout", 1, "1 lines are missing, 0 are too many")
    assert result.different == 2


def test_counters(folder):
    text = '{"ptx": "add.ptx", "buffers": {"b": {"bytes": 16, "fill": 0}}, "launches": [{"args": [{"buffer": "b"},'
    (folder / "l.json").write_text(text + '{"buffer": "b"}], "counters": {"ld_wavefronts": 3, "st_conflicts": 0}}]}')
    result = wsim.launch_file(folder / "l.json")
    assert result.counters == [wsim.Counter(0, "ld_wavefronts", 3, 0)] and result.different == 1


@pytest.mark.parametrize(
    "more, args, line, col, rule",
    [
        (', "expects": {}', "", 2, 43, "launch.field.wrong"),
        ("", '{"buffer": "no"}', 2, 39, "launch.name.unknown"),
        ("", '{"u32": 4294967296}', 2, 39, "launch.number.range"),
        ("", '{"u32": 1}, {"u64": 1}', 2, 38, "launch.params.size"),
        ("", '{"u32": 1},, {"u64": 1}', 2, 49, "launch.file.json"),
        (', "stdout": "../x"', "", 2, 43, "launch.file.unreadable"),
        (', "stdout": "none"', "", 2, 43, "launch.file.unreadable"),
    ],
)
def test_mistakes(folder, more, args, line, col, rule):
    with pytest.raises(wsim.Refused) as why:
        launch(folder, more, args)
    assert (why.value.line, why.value.col, why.value.rule) == (line, col, rule)
    assert str(why.value).startswith("line %u, column %u: " % (line, col))


def test_wrong_ptx(folder):
    (folder / "add.ptx").write_text(ADD.replace("add.s32 %r1", "add.s32 %q1"))
    with pytest.raises(wsim.Refused, match="add.ptx: .*%q1") as why:
        launch(folder)
    assert why.value.line == 9
    (folder / "add.ptx").write_text(ADD.replace("ret;", "multimem.red; ret;"))
    with pytest.raises(wsim.Unmodelled, match="add.ptx: "):
        launch(folder)


def test_findings(folder):
    args = '{"buffer": "out"}, {"buffer": "in", "offset": 4}'
    with pytest.raises(wsim.Finding) as found:
        launch(folder, args=args)
    assert found.value.rule == "memory.bounds" and found.value.thread == (3, 0, 0)
    result = launch(folder, ', "expect": {"out": {"file": "out.bin"}}', args=args, raise_findings=False)
    assert result.stopped and result.expectations == [] and result.reports[0].findings[0].rule == "memory.bounds"
    assert launch(folder, args=args, raise_findings=False, checks="race").reports


def test_packed(folder):
    for name, pack in (("add.ptx", lzma.compress), ("in.npy", gzip.compress), ("out.bin", lzma.compress)):
        end = ".gz" if name == "in.npy" else ".xz"
        (folder / (name + end)).write_bytes(pack((folder / name).read_bytes()))
        (folder / name).unlink()
    more = ', "expect": {"out": {"file": "out.bin"}}'
    assert launch(folder, more).different == 0
    (folder / "out.bin.xz").write_bytes(lzma.compress(bytes(1 << 20)))  # far more than the buffer has
    with pytest.raises(wsim.Refused, match="larger than"):
        launch(folder, more)
    (folder / "out.bin.xz").write_bytes(b"no archive")
    with pytest.raises(wsim.Refused, match="damaged"):
        launch(folder, more)


def test_other_ptx(folder):
    other = folder / "elsewhere"
    other.mkdir()
    (other / "six.ptx").write_text(ADD.replace("%r1, 5", "%r1, 6"))
    assert launch(folder, ptx=other / "six.ptx").array("out", "u4").tolist() == [6, 7, 8, 9]
    assert launch(folder, arch="h100").arch == "sm_90a"
    with pytest.raises(wsim.Refused) as why:
        launch(folder, ptx=[folder / "none.ptx"])
    assert why.value.line == 0
    with pytest.raises(FileNotFoundError):
        wsim.launch_file(folder / "none.json")
    with pytest.raises(ValueError):
        launch(folder, checks="speed")


def test_one_folder(folder, monkeypatch):
    launch(folder)
    monkeypatch.chdir(folder)
    assert wsim.launch_file("l.json").array("out", "u4")[3] == 8
