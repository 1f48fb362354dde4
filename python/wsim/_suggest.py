"""Other places for a tile of shared memory, with fewer bank conflicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence, Union

import numpy as np

from ._arch import DEFAULT, ArchLike, row_of
from ._core import Array, check, integer, new_diag, owned, pointer, text_of
from ._cost import Addresses, addresses_of, mask_of
from ._ops import Op, op_of
from ._wsim import ffi, lib

Access = Union["tuple[str | Op, Addresses]", "tuple[str | Op, Addresses, object]"]

KINDS = {"none": "WSIM_FIX_NONE", "xor": "WSIM_FIX_XOR", "pad": "WSIM_FIX_PAD"}


@dataclass(frozen=True)
class Suggestion:
    """A function of addresses in the tile: `expression` is C over a; calling the object applies it. `fix` is "none"
    (unchanged), "xor" or "pad". `swizzle` is the equivalent hardware mode, or None. The tile must be aligned to `align`
    and grows by `bytes`. Wavefronts are summed over all accesses.

    >>> import wsim
    >>> found = wsim.suggest([("ld.shared.u32", lambda lane: 128 * lane), ("st.shared.u32", lambda lane: 4 * lane)])
    >>> [(one.fix, one.expression, one.wavefronts, one.ideal) for one in found[:2]]
    [('none', 'a', 33, 2), ('xor', 'a ^ (a >> 5 & 0x7c)', 2, 2)]
    >>> found[1](128)
    132
    """

    fix: str
    expression: str
    wavefronts: int
    ideal: int
    conflicts: int
    bytes: int
    swizzle: str | None
    align: int
    _raw: Any = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        owned(self._raw, "struct wsim_suggestion *", "wsim.Suggestion", "wsim.suggest(accesses)")

    def __call__(self, address: int) -> int:
        return int(lib.wsim_suggestion_apply(self._raw, integer(address, "an address", 0, 0xFFFFFFFF)))


def suggest(accesses: Sequence[Access], pitch: int = 0, most: int = 5, arch: ArchLike = DEFAULT) -> list[Suggestion]:
    """Finds fixes for all accesses to a tile together, writes and reads. The first entry is the cost without a fix;
    then come up to `most` exclusive-ors and up to `most` paddings, best first. An access is (spelling, addresses) or
    (spelling, addresses, mask). Addresses count from the beginning of the tile. They are 32 numbers, a function of the
    lane, or an array with 32 numbers per step of a loop. `pitch` is the distance of rows in bytes; 0 tries the
    distances between lanes.

    >>> import wsim
    >>> rows = lambda lane: lane % 16 * 128 + lane // 16 * 16
    >>> best = wsim.suggest([("ldmatrix.sync.aligned.m8n8.x4.shared.b16", rows)])[1]
    >>> best.expression, best.swizzle, best.wavefronts
    ('a ^ (a >> 3 & 0x70)', '128B', 4)
    """
    if isinstance(accesses, (str, bytes)) or not isinstance(accesses, (list, tuple)):
        raise TypeError("accesses has to be a list of (spelling, addresses)")
    raw, keep = ffi.new("struct wsim_suggest_access[]", max(len(accesses), 1)), []
    for i, access in enumerate(accesses):
        keep.append(_fill(raw[i], access, i))
    what = ffi.new("struct wsim_suggest *")
    what.arch, what.access, what.accesses = row_of(arch), raw, len(accesses)
    what.pitch, limit = integer(pitch, "pitch", 0, 2**32 - 1), integer(most, "most", 0, 1024)
    found: list[Suggestion] = []
    for kind in KINDS:
        found += _of_kind(what, kind, 1 if kind == "none" else limit)
    return found


def _fill(raw: Any, access: object, number: int) -> Any:
    if not isinstance(access, (list, tuple)) or len(access) not in (2, 3):
        raise TypeError("accesses[%u] has to be (spelling, addresses) or (spelling, addresses, mask)" % number)
    found = op_of(access[0])
    raw.op, raw.mask = found._raw, mask_of(access[2] if len(access) == 3 else None)
    raw.bytes = 16 if found._info.counting == lib.WSIM_COUNT_COPY else 0
    steps = access[1] if isinstance(access[1], np.ndarray) and access[1].ndim == 2 else [access[1]]
    lanes: Array = np.array([addresses_of(one, found, "addresses") for one in steps]).astype(np.uint32)
    raw.addr, raw.steps = pointer("const uint32_t *", lanes), len(lanes)
    return found, lanes


def _of_kind(what: Any, kind: str, most: int) -> list[Suggestion]:
    out, count, diag = ffi.new("struct wsim_suggestion[]", max(most, 1)), ffi.new("size_t *"), new_diag()
    check(lib.wsim_suggest_fixes(what, getattr(lib, KINDS[kind]), out, most, count, diag), diag)
    return [_suggestion(ffi.new("struct wsim_suggestion *", out[i]), kind) for i in range(min(count[0], most))]


def _suggestion(raw: Any, kind: str) -> Suggestion:
    text = ffi.new("char[]", 64)
    lib.wsim_suggestion_spell(raw, text, 64)
    mode = text_of(lib.wsim_swizzle_name(raw.swizzle)) if raw.swizzle != lib.WSIM_SWIZZLE_NONE else None
    return Suggestion(kind, text_of(text), raw.wavefronts, raw.ideal, raw.conflicts, raw.bytes, mode, raw.align, raw)
