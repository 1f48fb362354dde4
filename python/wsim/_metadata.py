"""The metadata of a sparse A."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ._core import Array, check, new_diag, pointer, text_of
from ._picture import Drawn, Picture
from ._wsim import ffi, lib

if TYPE_CHECKING:
    from ._ops import Op


class MetaGroup(NamedTuple):
    """A nibble: of group `group` of a row of A it keeps these columns of the dense matrix; it stands in `lane` from
    `bit` on. One that is not `defined` is refused."""

    row: int
    group: int
    lane: int
    bit: int
    nibble: int
    defined: bool
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Metadata(Drawn):
    """What the metadata of a sparse instruction says; `Op.metadata` makes it.

    >>> import numpy as np, wsim
    >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    >>> sp.metadata(np.zeros(32, np.uint32)).groups[5].defined
    False
    """

    op: Op
    pattern: str
    selectors: int
    selector: int
    groups: tuple[MetaGroup, ...]
    _e: Array = field(repr=False, compare=False)

    def picture(self) -> Picture:
        """The dense A: which of its elements are stored where, and which are dropped.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> sp.metadata(sp.compress(np.zeros((16, 16)))[1]).picture().write("svg")[:4]
        '<svg'
        """
        made, picture, diag = ffi.new("struct wsim_sparse *"), ffi.new("struct wsim_picture *"), new_diag()
        check(lib.wsim_sparse_make(self.op._raw, pointer("const uint32_t *", self._e), self.selector, made, diag), diag)
        lib.wsim_picture_sparse(made, picture)
        return Picture(picture, made, self)


def make(op: Op, e: Array, selector: int) -> Metadata:
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
