"""Pictures of the library in all its formats."""

from __future__ import annotations

import os
from typing import Any

from ._core import check, chosen, integer, new_diag, owned
from ._wsim import ffi, lib

FORMATS = {
    "text": "WSIM_PICTURE_TEXT",
    "csv": "WSIM_PICTURE_CSV",
    "md": "WSIM_PICTURE_MD",
    "svg": "WSIM_PICTURE_SVG",
    "html": "WSIM_PICTURE_HTML",
    "cute": "WSIM_PICTURE_CUTE",
}


class Picture:
    """A table or picture. A notebook shows it, and `print` writes it as text. `write` returns it as "text", "csv",
    "md", "svg", "html" (a page of its own) or, for layouts, "cute". `save` writes a file in the format of its
    extension.

    >>> import wsim
    >>> picture = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("d").picture()
    >>> picture.write("svg")[:4], picture.write("html")[:15].lower()
    ('<svg', '<!doctype html>')
    >>> print(picture.write("csv").splitlines()[1])
    d,0,0,0,32,0,0,0,0
    """

    def __init__(self, raw: Any, *keep: Any) -> None:
        self._raw = owned(raw, "struct wsim_picture *", "wsim.Picture", "picture() of a layout, a cost, a tile ...")
        self._keep = keep

    def write(self, format: str = "text", columns: int = 0, colour: bool = False) -> str:
        """Returns the picture in a format. Text fits into `columns` (0: any width); `colour` adds terminal colours.

        >>> import wsim
        >>> layout = wsim.op("mma.m16n8k16.f32.f16").layout("d")
        >>> print(layout.picture().write("cute").strip())
        d: ((4,8),(2,2)):((32,1),(16,8))
        """
        chosen(format, "format", FORMATS)
        style, diag = ffi.new("struct wsim_style *"), new_diag()
        style.columns, style.colour = integer(columns, "columns", 0, 2**31), bool(colour)
        text = ffi.new("struct loop_text *")
        try:
            check(lib.loop_picture(self._raw, getattr(lib, FORMATS[format]), style, text, diag), diag)
            return bytes(ffi.buffer(text.bytes, text.size)).decode("utf-8") if text.size else ""
        finally:
            lib.loop_free(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file in the format of its extension: .svg, .html, .md, .csv, .txt.

        >>> import os, tempfile, wsim
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     name = os.path.join(folder, "d.svg")
        ...     wsim.op("movmatrix.sync.aligned.m8n8.trans.b16").layout("d").picture().save(name)
        ...     os.path.getsize(name) > 1000
        True
        """
        ending = os.path.splitext(os.fspath(path))[1][1:]
        text = self.write("text" if ending == "txt" else ending)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _repr_svg_(self) -> str:
        # As wide as it is, but no wider than the column of a notebook.
        return self.write("svg").replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)

    def __str__(self) -> str:
        return self.write("text")

    def __repr__(self) -> str:
        return self.write("text", 100)


class Drawn:
    """An object with a picture, which a notebook shows."""

    def picture(self) -> Picture:
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        return self.picture()._repr_svg_()


def fragments(op: Any, row: Any, operands: int, only: dict[str, int | None]) -> Picture:
    """The lanes and registers of an instruction's operands."""
    made, picture, diag = ffi.new("struct wsim_fragments *"), ffi.new("struct wsim_picture *"), new_diag()
    check(lib.wsim_fragments_make(op, row, operands, made, diag), diag)
    for name, value in only.items():
        if value is not None:
            setattr(made.only, name, integer(value, name, 0, 2**16))
    lib.wsim_picture_fragments(made, picture)
    return Picture(picture, made, op)
