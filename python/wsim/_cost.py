"""The cost of a warp's access to shared memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Callable, Mapping, Optional, Sequence, TypedDict, Union

import numpy as np

from ._arch import DEFAULT, ArchLike
from ._core import (
    Array,
    Refused,
    check,
    chosen,
    completed,
    flag,
    integer,
    new_diag,
    owned,
    text_of,
    words,
)
from ._instruction import Instruction
from ._picture import Drawn, Picture
from ._wsim import ffi, lib

Addresses = Union[Sequence[int], Array, Callable[[int], int], int]


class Access(TypedDict, total=False):
    """The parameters of an access other than its addresses."""

    mask: object
    stride: Annotated[int, 0]
    source: Optional[Addresses]
    source_size: object
    bytes: Annotated[int, 0]
    warm: Annotated[bool, False]
    counters: Annotated[str, "hardware"]
    arch: Annotated[ArchLike, DEFAULT]


COUNTERS = {"hardware": "WSIM_HARDWARE_COUNTERS", "source": "WSIM_SOURCE_PAGE"}


@dataclass(frozen=True)
class Group:
    """Lanes that go through the banks together. They need `ways` passes, because `bank` holds that many of their words
    (`words`: addresses / 4)."""

    lanes: tuple[int, ...]
    wavefronts: int
    ways: int
    bank: int
    words: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Cost(Drawn):
    """Passes through the banks, as Nsight Compute counts them for one warp; not cycles.

    >>> import wsim
    >>> wsim.banks("ld.shared.u32", [8 * lane for lane in range(32)])
    ld.shared.u32 on sm_90a: 2 wavefronts, ideal 1, 1 conflict
      lanes 0-31: 2 words in bank 0
    """

    op: Instruction
    arch: str
    wavefronts: int
    ideal: int
    conflicts: int
    known: bool
    merged: bool
    groups: tuple[Group, ...]
    addresses: tuple[int, ...] = field(repr=False)
    mask: int = field(repr=False)
    _io: Any = field(repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        code, io = self._io[:2] if isinstance(self._io, tuple) and len(self._io) == 3 else (self._io, None)
        for raw, kind in ((code, "struct wsim_code *"), (io, "struct wsim_io *")):
            owned(raw, kind, "wsim.Cost", "wsim.banks(spelling, addresses)")

    def picture(self) -> Picture:
        """A card with a row per lane and a column per bank that shows the pass of each lane. For a copy: the source,
        destination and banks of each lane.

        >>> import wsim
        >>> wsim.banks("ld.shared.u32", lambda lane: 8 * lane).picture().write("svg")[:4]
        '<svg'
        """
        return _copy_card(self) if self.op._info.counting == lib.WSIM_COUNT_COPY else _card(self)

    def __repr__(self) -> str:
        lines = [
            "%s on %s: %u wavefront%s, ideal %u, %u conflict%s"
            % (
                self.op,
                self.arch,
                self.wavefronts,
                "s" * (self.wavefronts != 1),
                self.ideal,
                self.conflicts,
                "s" * (self.conflicts != 1),
            )
        ]
        for group in self.groups:
            if group.words:
                lines.append(
                    "  lanes %s: %u word%s in bank %u"
                    % (runs_of(group.lanes), len(group.words), "s" * (len(group.words) != 1), group.bank)
                )
            else:
                lines.append("  lanes %s: %u wavefronts" % (runs_of(group.lanes), group.wavefronts))
        return "\n".join(lines)


def runs_of(lanes: tuple[int, ...]) -> str:
    """Lanes as ranges: "0-7, 16"."""
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and runs[-1][1] == lane - 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    return ", ".join(str(first) if first == last else "%u-%u" % (first, last) for first, last in runs)


def mask_of(mask: object) -> int:
    """The active lanes: None for all, a number of 32 bits, or 32 truth values."""
    if mask is None:
        return 0xFFFFFFFF
    array = np.asarray(mask)
    if array.shape == (32,) and array.dtype == np.bool_:
        return int(sum(1 << lane for lane in range(32) if array[lane]))
    if array.ndim:
        raise ValueError(
            "mask has to be a number of 32 bits or 32 truth values, not %s of shape %s" % (array.dtype, array.shape)
        )
    return integer(mask, "mask", 0, 0xFFFFFFFF)


def addresses_of(given: Addresses, op: Instruction, what: str, wide: bool = False) -> Array:
    """Addresses of the 32 lanes, uint64, from 32 numbers, the rows of a matrix move, one number, or a function."""
    if callable(given):
        given = [given(lane) for lane in range(32)]
    if isinstance(given, str):
        raise TypeError("%s as an expression are a function of the lane, such as lambda lane: 128 * lane" % what)
    array = np.asarray(given)
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise ValueError("%s have to be 32 whole numbers, not %s of shape %s" % (what, array.dtype, array.shape))
    if array.ndim == 0:
        array = np.repeat(array, 32)
    rows = 8 * int(op._info.matrices)
    if array.size != 32 and not (rows and array.size == rows):
        raise ValueError(
            "%s are %u; there have to be 32%s" % (what, array.size, ", or %u" % rows if rows and rows != 32 else "")
        )
    most = 2**64 - 1 if wide else 2**32 - 1
    low, high = int(array.min()), int(array.max())
    if low < 0 or high > most:
        raise ValueError("%s have %d among them; they have to be 0 to %#x" % (what, low if low < 0 else high, most))
    return np.resize(array.astype(np.uint64), 32)


def count(op: Instruction, addresses: Addresses, given: Mapping[str, object]) -> Cost:
    """Calls wsim_cost with these operands."""
    access = completed(Access, given, "cost")
    counters, source, source_size = access["counters"], access["source"], access["source_size"]
    chosen(counters, "counters", COUNTERS)
    code, io, diag = op._prepare(access["arch"], False), ffi.new("struct wsim_io *"), new_diag()
    lanes = addresses_of(addresses, op, "addresses").astype(np.uint32)
    keep = [ffi.from_buffer("uint32_t[]", lanes)]
    mask, warm = mask_of(access["mask"]), flag(access["warm"], "warm")
    stride, size = (integer(access[name], name, 0, 0xFFFFFFFF) for name in ("stride", "bytes"))
    if source is not None:
        keep.append(ffi.from_buffer("uint32_t[]", addresses_of(source, op, "source").astype(np.uint32)))
    sources = keep[-1] if source is not None else ffi.NULL
    if source_size is not None:
        keep.append(ffi.from_buffer("uint32_t[]", words(source_size, "source_size", (32,))))
    sizes = keep[-1] if source_size is not None else ffi.NULL
    if op._info.view == lib.WSIM_VIEW_COPY:
        io.copy = {"addr": keep[0], "src": sources, "src_size": sizes, "mask": mask, "bytes": size, "warm": warm}
    else:
        io.move = {"addr": keep[0], "mask": mask, "stride": stride}
    cost, groups = ffi.new("struct wsim_cost *"), ffi.new("struct wsim_cost_group[]", 64)
    check(lib.wsim_cost(code, io, getattr(lib, COUNTERS[counters]), groups, 64, cost, diag), diag)
    found = tuple(
        Group(
            tuple(lane for lane in range(32) if group.lanes >> lane & 1),
            group.wavefronts,
            group.ways,
            group.bank,
            tuple(group.words[0 : group.nwords]),
        )
        for group in groups[0 : min(cost.groups, 64)]
    )
    return Cost(
        op,
        text_of(lib.wsim_arch_name(code.arch)),
        cost.wavefronts,
        cost.ideal,
        cost.conflicts,
        bool(cost.known),
        bool(cost.merged),
        found,
        tuple(int(lane) for lane in lanes),
        mask,
        (code, io, keep),
    )


def _said(op: Instruction, arch: Any) -> dict[str, Any]:
    """The fields of a card that describe the instruction; the library owns the texts."""
    source = ffi.new("char const **")
    word = lib.wsim_op_evidence(op._raw, arch, lib.WSIM_COUNTS, source)
    return {"arch": arch, "evidence": word, "source": ffi.NULL if word == ffi.NULL else source[0]}


def _counted(code: Any, io: Any, counters: int) -> tuple[Any, Any] | None:
    """The cost and its groups again; None if these counters have no rule."""
    cost, groups = ffi.new("struct wsim_cost *"), ffi.new("struct wsim_cost_group[]", 64)
    return None if lib.wsim_cost(code, io, counters, groups, 64, cost, ffi.NULL) else (cost, groups)


def _card(cost: Cost) -> Picture:
    code, io, keep = cost._io
    counted, diag = _counted(code, io, lib.WSIM_HARDWARE_COUNTERS), new_diag()
    assert counted is not None
    raw, groups = counted
    accesses = ffi.new("struct wsim_cost_access[]", max(raw.accesses, 1))
    for number in range(raw.accesses):
        check(lib.wsim_cost_access(code, io, number, accesses + number, diag), diag)
    spelling, outside, picture = (
        ffi.new("char[]", cost.op.spelling.encode()),
        new_diag(),
        ffi.new("struct wsim_picture *"),
    )
    documented = lib.wsim_code_documented(code, io, outside)
    card = ffi.new(
        "struct wsim_bank_card *",
        {
            "spelling": spelling,
            "numbered": raw.accesses > 1,
            "group": groups,
            "access": accesses,
            "cost": raw[0],
            "outside": ffi.NULL if documented else outside.text,
            **_said(cost.op, code.arch),
        },
    )
    lib.wsim_picture_banks(card, picture)
    return Picture(picture, card, spelling, outside, groups, accesses, keep, io, code)


def _copy_card(cost: Cost) -> Picture:
    code, given, keep = cost._io
    io = ffi.new("struct wsim_io *", given[0])
    if io.copy.src == ffi.NULL:
        keep = [*keep, ffi.new("uint32_t[]", [lane * io.copy.bytes for lane in range(32)])]
        io.copy.src = keep[-1]
    counted = _counted(code, io, lib.WSIM_HARDWARE_COUNTERS)
    page = _counted(code, io, lib.WSIM_SOURCE_PAGE)
    if counted is None:
        raise Refused("this copy has no picture: its hardware counters are not modelled", "unmodelled")
    spelling, picture = ffi.new("char[]", cost.op.spelling.encode()), ffi.new("struct wsim_picture *")
    unknown = io.copy.mask if not counted[0].known else 0
    for i in range(counted[0].groups if unknown else 0):
        unknown &= ~counted[1][i].lanes
    fields = {
        "spelling": spelling,
        "io": io,
        "cost": counted[0][0],
        "group": counted[1],
        "unknown": unknown,
        **_said(cost.op, code.arch),
    }
    if page is not None:
        fields.update(page=page[0][0], page_group=page[1])
    card = ffi.new("struct wsim_copy_card *", fields)
    lib.wsim_picture_copy(card, picture)
    return Picture(picture, card, spelling, counted, page, keep, io, code)
