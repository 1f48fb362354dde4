"""The metadata of a sparse A."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import _formats as formats
from . import _layout
from ._core import Array, check, integer, new_diag, pointer, text_of, words
from ._instruction import Instruction
from ._picture import Drawn, Picture
from ._wsim import ffi, lib


class MetaGroup(NamedTuple):
    """One nibble of metadata: it keeps `columns` of group `group` in a row of A, and is in `lane` from bit `bit`.
    Instructions refuse a nibble that is not `defined`."""

    row: int
    group: int
    lane: int
    bit: int
    nibble: int
    defined: bool
    columns: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Metadata(Drawn):
    """The decoded metadata of a sparse instruction; `Op.metadata` makes it.

    >>> import numpy as np, wsim
    >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    >>> sp.metadata(np.zeros(32, np.uint32)).groups[5].defined
    False
    >>> sp.metadata(sp.compress(np.eye(16))[1])
    Metadata 2:4 of mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: all 64 groups are defined
    """

    op: Instruction
    pattern: str
    selectors: int
    selector: int
    groups: tuple[MetaGroup, ...]
    _e: Array = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.op, Instruction):
            raise TypeError("op has to be a wsim.Op, not %s" % type(self.op).__name__)
        object.__setattr__(self, "_e", lanes_of(self.op, self._e))
        object.__setattr__(self, "selector", integer(self.selector, "selector", 0, 0xFFFFFFFF))

    @property
    def undefined(self) -> tuple[MetaGroup, ...]:
        """Groups with a reserved nibble; an instruction with such a group is refused.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> meta = sp.metadata(np.full(32, 0x44444404, np.uint32))
        >>> len(meta.undefined), meta.undefined[0].row, meta.undefined[0].group, meta.undefined[0].nibble
        (8, 0, 1, 0)
        """
        return tuple(group for group in self.groups if not group.defined)

    @property
    def lanes(self) -> tuple[int, ...]:
        """Lanes that supply metadata under this selector; the registers of other lanes are ignored.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> sp.metadata(np.zeros(32, np.uint32), selector=1).lanes[:4]
        (1, 5, 9, 13)
        """
        return tuple(sorted({group.lane for group in self.groups}))

    def __repr__(self) -> str:
        wrong = self.undefined
        said = "all %u groups are defined" % len(self.groups)
        if wrong:
            said = "%u of %u groups are not defined, the first in row %u, group %u: lane %u, bits %u-%u are 0x%x" % (
                len(wrong),
                len(self.groups),
                *wrong[0][:4],
                wrong[0].bit + 3,
                wrong[0].nibble,
            )
        return "Metadata %s of %s: %s" % (self.pattern, self.op, said)

    def picture(self) -> Picture:
        """The dense A: where each element is stored, and which are dropped.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> sp.metadata(sp.compress(np.zeros((16, 16)))[1]).picture().write("svg")[:4]
        '<svg'
        """
        made, picture, diag = ffi.new("struct wsim_sparse *"), ffi.new("struct wsim_picture *"), new_diag()
        check(lib.wsim_sparse_make(self.op._raw, pointer("const uint32_t *", self._e), self.selector, made, diag), diag)
        lib.wsim_picture_sparse(made, picture)
        return Picture(picture, made, self)


class Crowded(NamedTuple):
    """A group of a dense matrix with more nonzeros than its pattern stores: row, group of the row, first column, and
    the reason in words."""

    row: int
    group: int
    column: int
    reason: str


def lanes_of(op: Instruction, e: object) -> Array:
    """The metadata register of each lane."""
    return words(np.asarray(e).reshape(-1), "e", (max(op.threads, 32),))


def dense_of(op: Instruction, dense: object) -> Array:
    """The raw elements of a dense A."""
    _needs_sparse(op)
    given, layout = np.asarray(dense), _layout.of(op, "a")
    if given.shape != (op.m, op.k):
        raise ValueError("dense has shape %s; %s needs (m, k) = %s" % (given.shape, op, (op.m, op.k)))
    bits = formats.elements_of(given, layout._raw.format, layout.elem_bits, "dense")
    return np.ascontiguousarray(bits, np.uint64)


def _needs_sparse(op: Instruction) -> None:
    if not op.sparse:
        raise ValueError("%s is not sparse" % op)


def compress(op: Instruction, dense: object, selector: int) -> tuple[Array, Array]:
    """A dense A as fragment and metadata."""
    bits = dense_of(op, dense)
    a = np.zeros((_layout.of(op, "a").regs, max(op.threads, 32)), np.uint32)
    e, diag = np.zeros(max(op.threads, 32), np.uint32), new_diag()
    check(
        lib.wsim_words_compress(
            op._raw,
            pointer("const uint64_t *", bits),
            integer(selector, "selector", 0, 0xFFFFFFFF),
            pointer("uint32_t *", a),
            pointer("uint32_t *", e),
            diag,
        ),
        diag,
    )
    return np.ascontiguousarray(a.T), e


def expand(op: Instruction, a: object, e: object, selector: int) -> Array:
    """The dense A of a fragment and its metadata, as raw bits."""
    _needs_sparse(op)
    layout, diag = _layout.of(op, "a"), new_diag()
    given = layout._words(np.asarray(a), "a")
    lanes = words(np.asarray(e).reshape(-1), "e", (layout.lanes,))
    dense = np.zeros((op.m, op.k), np.uint64)
    check(
        lib.wsim_words_expand(
            op._raw,
            pointer("const uint32_t *", given),
            pointer("const uint32_t *", lanes),
            integer(selector, "selector", 0, 0xFFFFFFFF),
            pointer("uint64_t *", dense),
            diag,
        ),
        diag,
    )
    return dense.astype(layout.dtype)


def crowded(op: Instruction, dense: object) -> list[Crowded]:
    """Groups of a dense A that no nibble describes."""
    bits = dense_of(op, dense)
    pattern, nibble, diag = ffi.new("struct wsim_meta_pattern *"), ffi.new("unsigned *"), new_diag()
    check(lib.wsim_meta_pattern(op._raw, pattern, diag), diag)
    found, start = [], pointer("const uint64_t *", bits)
    for row in range(pattern.rows):
        for group in range(pattern.groups):
            at = row * bits.shape[1] + group * pattern.columns
            if lib.wsim_meta_choose(op._raw, start + at, nibble, diag):
                found.append(Crowded(row, group, group * pattern.columns, text_of(diag.text)))
    return found


def make(op: Instruction, e: Array, selector: int) -> Metadata:
    pattern, group, diag = ffi.new("struct wsim_meta_pattern *"), ffi.new("struct wsim_meta_group *"), new_diag()
    check(lib.wsim_meta_pattern(op._raw, pattern, diag), diag)
    found: list[MetaGroup] = []
    for row in range(pattern.rows):
        for number in range(pattern.groups):
            check(lib.wsim_meta_read(op._raw, pointer("const uint32_t *", e), selector, row, number, group, diag), diag)
            found.append(_group(pattern, group))
    return Metadata(op, text_of(pattern.name), pattern.selectors, selector, tuple(found), e)


def _group(pattern: Any, raw: Any) -> MetaGroup:
    columns = tuple(raw.group * pattern.columns + raw.column[i] for i in range(pattern.kept))
    return MetaGroup(raw.row, raw.group, raw.place.lane, raw.place.lsb, raw.nibble, bool(raw.defined), columns)
