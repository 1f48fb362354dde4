"""Layouts: the lane and register of each element."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _formats as formats
from ._arch import ArchLike, row_of
from ._core import Array, check, chosen, integer, new_diag, owned, pointer, text_of
from ._instruction import OPERANDS, Instruction
from ._picture import Drawn, Picture, fragments
from ._wsim import ffi, lib


class Place(NamedTuple):
    """The place of an element: element `elem` of lane `lane`, in 32-bit register `reg` from bit `lsb`."""

    lane: int
    elem: int
    reg: int
    lsb: int


class Layout(Drawn):
    """The layout of one operand; `wsim.op(...).layout("a")` makes it. A fragment is an array of uint32 with one row per
    lane and one column per register: `lanes` x `regs`. A matrix is `rows` x `cols`, or `batches` of these.

    >>> import wsim
    >>> wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("a")
    Layout a of mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: 16 x 16 of f16, 32 lanes of 4 registers
    """

    def __init__(self, op: Instruction, operand: str, arch: ArchLike | None, raw: Any) -> None:
        self._raw = owned(raw, "struct wsim_layout *", "wsim.Layout", 'wsim.op(name).layout("a")')
        self.op, self.operand, self.arch = op, operand, arch
        self.lanes, self.elems, self.regs = int(raw.lanes), int(raw.elems), int(raw.regs)
        self.batches, self.rows, self.cols = int(raw.batches), int(raw.rows), int(raw.cols)
        self.elem_bits, self.format, self.name = int(raw.elem_bits), formats.name_of(raw.format), text_of(raw.name)

    def picture(
        self,
        lane: int | None = None,
        reg: int | None = None,
        row: int | None = None,
        col: int | None = None,
        batch: int | None = None,
    ) -> Picture:
        """Lanes by registers, and rows by columns. Arguments mark the elements of a lane, register, row or column.

        >>> import wsim
        >>> layout = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("d")
        >>> print(layout.picture(lane=5).write("csv"), end="")
        operand,lane,reg,bit,bits,element,batch,row,col
        d,5,0,0,32,0,0,1,2
        d,5,1,0,32,1,0,1,3
        d,5,2,0,32,2,0,9,2
        d,5,3,0,32,3,0,9,3
        """
        row_of_arch = ffi.NULL if self.arch is None else row_of(self.arch)
        return fragments(
            self.op._raw,
            row_of_arch,
            1 << OPERANDS.index(self.operand),
            {"lane": lane, "reg": reg, "row": row, "col": col, "batch": batch},
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the matrix.

        >>> import wsim
        >>> wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").layout("d").shape
        (4, 8, 8)
        """
        return (self.batches, self.rows, self.cols) if self.batches > 1 else (self.rows, self.cols)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a matrix of raw bits.

        >>> import wsim
        >>> print(wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("a").dtype)
        uint16
        """
        return formats.raw_type(self.elem_bits)

    def coord(self, lane: int, elem: int) -> tuple[int, ...]:
        """Row and column of element `elem` of lane `lane`; batch, row and column if there are several matrices.

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("a").coord(lane=5, elem=2)
        (9, 2)
        """
        at = lib.wsim_layout_coord(
            self._raw, integer(lane, "lane", 0, self.lanes - 1), integer(elem, "elem", 0, self.elems - 1)
        )
        return (at.batch, at.row, at.col) if self.batches > 1 else (at.row, at.col)

    def places(self, *coord: int) -> list[Place]:
        """All places of the element at a row and column (batch, row, column if there are several matrices).

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("a").places(9, 2)
        [Place(lane=5, elem=2, reg=1, lsb=0)]
        """
        if len(coord) != len(self.shape):
            raise TypeError(
                "an element of %s of shape %s has %u coordinates, not %u"
                % (self.operand, self.shape, len(self.shape), len(coord))
            )
        full = (0,) * (3 - len(coord)) + tuple(
            integer(number, "number %u of the place" % i, 0, size - 1)
            for i, (number, size) in enumerate(zip(coord, self.shape))
        )
        at = ffi.new("struct wsim_coord *", {"batch": full[0], "row": full[1], "col": full[2]})
        count = lib.wsim_layout_places(self._raw, at[0], ffi.NULL, 0)
        found = ffi.new("struct wsim_place[]", max(count, 1))
        lib.wsim_layout_places(self._raw, at[0], found, count)
        return [Place(found[i].lane, found[i].elem, found[i].reg, found[i].lsb) for i in range(count)]

    @property
    def coords(self) -> Array:
        """Batch, row and column of every element of every lane: uint16 of shape (lanes, elems, 3).

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("d").coords[5, :, 1:].tolist()
        [[1, 2], [1, 3], [9, 2], [9, 3]]
        """
        coords = np.empty((self.lanes, self.elems, 3), np.uint16)
        lib.loop_coords(self._raw, pointer("uint16_t *", coords))
        return coords

    def pack(self, matrix: object) -> Array:
        """The fragment of a matrix of values or raw bits.

        >>> import numpy as np, wsim
        >>> layout = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("c")
        >>> layout.pack(np.arange(128, dtype=np.uint32).reshape(16, 8))[5].tolist()
        [10, 11, 74, 75]
        """
        return self._pack(self._elements(np.asarray(matrix), self.operand))

    def unpack(self, fragment: object) -> Array:
        """The matrix of a fragment as raw bits; `values` turns them into numbers.

        >>> import numpy as np, wsim
        >>> layout = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("c")
        >>> m = np.arange(128, dtype=np.uint32).reshape(16, 8)
        >>> bool((layout.unpack(layout.pack(m)) == m).all())
        True
        """
        return self._matrix(self._words(np.asarray(fragment), self.operand)).astype(self.dtype)

    def values(self, bits: object) -> Array:
        """Raw bits as an array of the format's own type, if NumPy has it.

        >>> import numpy as np, wsim
        >>> layout = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("a")
        >>> layout.values(np.array([0x3c00], np.uint16))
        array([1.], dtype=float16)
        """
        given = np.asarray(bits)
        if given.dtype.kind not in "iub":
            raise TypeError("bits have to be an array of whole numbers, not of %s" % given.dtype)
        return formats.array_of(given, self._raw.format, self.elem_bits)

    def _elements(self, matrix: Array, what: str) -> Array:
        if matrix.shape != self.shape:
            raise ValueError(
                "%s is a matrix of shape %s; %s needs %s of %s"
                % (what, matrix.shape, self.op, self.shape, formats.describe(self._raw.format, self.elem_bits))
            )
        return formats.elements_of(matrix, self._raw.format, self.elem_bits, what)

    def _words(self, fragment: Array, what: str) -> Array:
        """A fragment in the library's order: registers outermost."""
        shape = (self.lanes, self.regs)
        if fragment.shape == (self.lanes,) and self.regs == 1:
            fragment = fragment.reshape(shape)
        if fragment.shape != shape or fragment.dtype.kind not in "iu" or fragment.dtype.itemsize != 4:
            raise ValueError(
                "%s is a fragment of %s %s; %s needs uint32 of shape %s"
                % (what, fragment.dtype, fragment.shape, self.op, shape)
            )
        return np.ascontiguousarray(fragment.astype(fragment.dtype.newbyteorder("=")).T).view(np.uint32)

    def _pack_words(self, elements: Array) -> Array:
        elements = np.ascontiguousarray(elements, np.uint64)
        words = np.zeros((self.regs, self.lanes), np.uint32)
        lib.wsim_words_pack(self._raw, pointer("const uint64_t *", elements), pointer("uint32_t *", words))
        return words

    def _pack(self, elements: Array) -> Array:
        return np.ascontiguousarray(self._pack_words(elements).T)

    def _matrix(self, words: Array) -> Array:
        elements = np.zeros((self.batches, self.rows, self.cols), np.uint64)
        lib.wsim_words_unpack(self._raw, pointer("const uint32_t *", words), pointer("uint64_t *", elements))
        return elements.reshape(self.shape)

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        return "Layout %s of %s: %s of %s, %u lanes of %u register%s" % (
            self.operand,
            self.op,
            " x ".join(map(str, self.shape)),
            self.format,
            self.lanes,
            self.regs,
            "s" * (self.regs != 1),
        )


def of(op: Instruction, operand: str, arch: ArchLike | None = None) -> Layout:
    """The layout of an operand."""
    chosen(operand, "operand", OPERANDS)
    raw, diag = ffi.new("struct wsim_layout *"), new_diag()
    row = ffi.NULL if arch is None else row_of(arch)
    check(lib.wsim_op_layout(op._raw, row, OPERANDS.index(operand), raw, diag), diag)
    return Layout(op, operand, arch, raw)
