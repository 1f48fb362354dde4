"""Pictures are what the library writes, in every format; a notebook shows them."""

import csv
import gc
import io
import xml.etree.ElementTree

import numpy as np
import pytest

import wsim
from conftest import SOURCE

MMA = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
SP = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
TENSOR = np.zeros((64, 64), np.float16)
DRAWN = {
    "layout": MMA.layout("a"),
    "banks": wsim.banks("ld.shared.u32", lambda lane: 8 * lane),
    "vectors": wsim.banks("ld.shared.v4.u32", lambda lane: 64 * lane, mask=0xFFFF),
    "ldmatrix": wsim.banks("ldmatrix.sync.aligned.m8n8.x4.shared.b16", lambda lane: 64 * lane),
    "wmma": wsim.banks("wmma.load.a.sync.aligned.m16n16k16.row.shared.f16", 0, stride=16),
    "copy": wsim.banks("cp.async.ca.shared.global", lambda lane: 32 * lane, bytes=16, warm=True),
    "copy of zeros": wsim.banks(
        "cp.async.cg.shared.global", lambda lane: 16 * lane, bytes=16, source_size=[0] * 8 + [16] * 24
    ),
    "swizzle": wsim.swizzle("128B"),
    "map": wsim.tensor_map(TENSOR, box=(64, 16), swizzle="128B"),
    "box": wsim.tensor_map(TENSOR, box=(32, 16), swizzle="64B").load((48, 60), at=1024),
    "report": wsim.Module(SOURCE / "examples" / "kernels" / "saxpy.ptx").kernel()[1, 64](
        2.0, np.zeros(64, np.float32), np.zeros(64, np.float32), 64
    ),
    "why": MMA.why(3, 5, a=np.full((16, 16), 0.1, np.float16), b=np.full((16, 8), 300, np.float16), arch="a100"),
    "why of a chain": wsim.op("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16").why(
        3, 5, 2, a=np.full((4, 8, 4), 3, np.float16), b=np.full((4, 4, 8), 0.1, np.float16), arch="h100"
    ),
    "metadata": SP.metadata(SP.compress(np.eye(16))[1]),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_notebook_shows_it(name):
    svg = DRAWN[name]._repr_svg_()
    tree = xml.etree.ElementTree.fromstring(svg)
    assert tree.tag.endswith("svg") and len(list(tree.iter())) > 100
    assert svg == DRAWN[name].picture()._repr_svg_() and "<script" not in svg
    # It shrinks with the column that it is in, as a whole.
    assert "max-width:100%" in tree.get("style") and tree.get("viewBox")
    assert DRAWN[name].picture().write("html").rstrip().endswith("</html>")
    wide = name == "report"  # a line of a source stays whole
    assert wide or all(len(line) <= 60 for line in DRAWN[name].picture().write("text", 60).splitlines()[4:])


def test_cells_are_those_of_the_layout():
    layout = MMA.layout("a")
    rows = list(csv.DictReader(io.StringIO(layout.picture().write("csv"))))
    assert len(rows) == 32 * 8
    for row in rows:
        assert layout.coord(int(row["lane"]), int(row["element"])) == (int(row["row"]), int(row["col"]))
    assert {row["operand"] for row in csv.DictReader(io.StringIO(MMA.picture().write("csv")))} == set("abcd")
    assert str(layout).count("\n") > 48


def test_what_cannot_be_written(tmp_path):
    picture = MMA.layout("a").picture()
    for wrong in ("pdf", "", None, 3, "SVG"):
        with pytest.raises(ValueError, match="svg"):
            picture.write(wrong)
    with pytest.raises(ValueError):
        picture.write("text", columns=-1)
    with pytest.raises(ValueError):
        picture.save(tmp_path / "a.pdf")
    picture.save(tmp_path / "a.md")
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == picture.write("md")


def test_pictures_say_what_the_numbers_say():
    cost = DRAWN["banks"]
    rows = list(csv.DictReader(io.StringIO(cost.picture().write("csv"))))
    assert sum(int(row["wavefronts"]) for row in rows) == cost.wavefronts == 2
    swizzle = wsim.swizzle("64B")
    for row in csv.DictReader(io.StringIO(swizzle.picture(pitch=128, rows=8, at=4096).write("csv"))):
        assert int(row["address"], 0) == swizzle(4096 + 128 * int(row["row"]) + 16 * int(row["piece"]))
    inside = [int(row["inside"]) for row in csv.DictReader(io.StringIO(DRAWN["box"].picture().write("csv")))]
    assert DRAWN["box"].bytes - sum(inside) == DRAWN["box"].outside
    dense = np.zeros((16, 16))
    dense[np.arange(16), np.arange(16)] = dense[np.arange(16), np.arange(16) ^ 1] = 1
    meta = SP.metadata(SP.compress(dense)[1])
    assert all(group.defined for group in meta.groups)
    for row, col in np.argwhere(dense):
        assert any(group.row == row and col in group.columns for group in meta.groups)
    assert wsim.Swizzle("32B").formula.startswith("a ^ ")


def test_they_outlive_what_they_are_of():
    picture = wsim.banks("ld.shared.u32", lambda lane: 8 * lane).picture()
    box = wsim.tensor_map(np.zeros((16, 16), np.float32), box=(16, 8)).load((8, 8)).picture()
    before = picture.write("svg"), box.write("svg")
    gc.collect()
    assert (picture.write("svg"), box.write("svg")) == before


def test_sizes_of_a_swizzled_tile():
    for bad in (
        {"pitch": 8},
        {"pitch": 24},
        {"pitch": 8192},
        {"rows": 0},
        {"at": 8},
        {"at": 2**32},
        {"at": 2**32 - 16},
        {"pitch": 1.5},
    ):
        with pytest.raises((ValueError, TypeError)):
            wsim.swizzle("128B").picture(**bad)


def test_lines_of_a_kernel(tmp_path):
    report = DRAWN["report"]
    text = report.picture().write("text", 120)
    assert "saxpy.cu:5" in text and "y[i]" in text  # the source stands beside its PTX
    (tmp_path / "saxpy.cu").write_text("\n" * 4 + "another line\n")
    assert "another line" in report.picture(tmp_path).write("text", 120)
    rows = list(csv.DictReader(io.StringIO(report.picture(tmp_path / "nowhere").write("csv"))))
    assert sum(int(row["executed"]) for row in rows) == report.totals["instructions"]
    sectors = [int(row["sectors"]) for row in rows if row["sectors"] != "-"]
    assert sum(sectors) == report.totals["global"]["sectors"]


def test_files_elsewhere_are_not_read(tmp_path):
    (tmp_path / "secret").write_text("\n" * 4 + "secret line\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "saxpy.cu").symlink_to(tmp_path / "secret")
    assert "secret line" not in DRAWN["report"].picture(tmp_path / "inner").write("text", 120)
    ptx = (SOURCE / "examples" / "kernels" / "saxpy.ptx").read_text().replace('"saxpy.cu"', '"../secret"')
    (tmp_path / "inner" / "k.ptx").write_text(ptx)
    report = wsim.Module(tmp_path / "inner" / "k.ptx").kernel()[1, 1](1.0, np.zeros(1, "f4"), np.zeros(1, "f4"), 1)
    assert "secret line" not in str(report.picture())
