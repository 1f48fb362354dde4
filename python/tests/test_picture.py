"""Pictures are what the library writes, in every format; a notebook shows them."""
import csv
import io
import xml.etree.ElementTree

import pytest

import wsim

MMA = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
DRAWN = {"layout": MMA.layout("a")}


@pytest.mark.parametrize("name", DRAWN)
def test_a_notebook_shows_it(name):
    svg = DRAWN[name]._repr_svg_()
    tree = xml.etree.ElementTree.fromstring(svg)
    assert tree.tag.endswith("svg") and len(list(tree.iter())) > 100
    assert svg == DRAWN[name].picture()._repr_svg_() and "<script" not in svg
    assert DRAWN[name].picture().write("html").rstrip().endswith("</html>")
    assert all(len(line) <= 60 for line in DRAWN[name].picture().write("text", 60).splitlines()[4:])


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
