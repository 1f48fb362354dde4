"""The computation of one element of a product."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import _formats as formats
from . import _layout, _tile
from ._core import check, new_diag, owned, text_of
from ._instruction import Instruction
from ._layout import Place
from ._picture import Drawn, Picture
from ._wsim import ffi, lib

KINDS = {
    "aligned": "WSIM_WHY_ALIGNED",
    "special": "WSIM_WHY_SPECIAL",
    "fma": "WSIM_WHY_FMA",
    "add": "WSIM_WHY_ADD",
    "whole": "WSIM_WHY_WHOLE",
    "count": "WSIM_WHY_COUNT",
    "convert": "WSIM_WHY_CONVERT",
}


class Arithmetic(NamedTuple):
    """The parameters that determine the bits of a product: the `method` of docs/numerics.md, and products per step
    (`width`). `keep` is the number of bits kept below the largest exponent. `result_frac` is the number of fraction
    bits of the result of a step, rounded by `rounding`. `saturate`: whole numbers are clamped. `floor` is the lowest
    exponent for alignment. `a`, `b` and `result` are formats."""

    method: str
    width: int
    keep: int
    result_frac: int
    rounding: str
    saturate: bool
    floor: int
    a: str
    b: str
    result: str


def arithmetic_of(code: Any) -> Arithmetic:
    """The arithmetic of a prepared instruction."""
    raw, diag = ffi.new("struct wsim_arithmetic *"), new_diag()
    check(lib.wsim_code_arithmetic(code, raw, diag), diag)
    return _arithmetic(raw)


def _arithmetic(raw: Any) -> Arithmetic:
    rounding = next(name for name, value in formats.ROUNDINGS.items() if getattr(lib, value) == raw.rounding)
    rows = (formats.name_of(row) for row in (raw.a, raw.b, raw.result))
    method = text_of(lib.wsim_method_name(raw.method))
    return Arithmetic(method, raw.width, raw.keep, raw.result_frac, rounding, bool(raw.saturate), raw.floor, *rows)


@dataclass(frozen=True)
class Factor:
    """An element of an operand: its row and column, raw bits and value. `place` is its first place in registers, or
    None for an element at a shared `address`."""

    row: int
    col: int
    bits: int
    value: float
    place: Place | None
    address: int | None


@dataclass(frozen=True)
class Term:
    """A product; `k` is the row of B."""

    k: int
    a: Factor
    b: Factor


class Addend(NamedTuple):
    """An addend of an aligned or exact step: a product, the sum of several (`terms`), or the accumulator (0 terms). It
    has a value and the part that is cut off."""

    terms: int
    value: float
    cut: float


@dataclass(frozen=True)
class Step:
    """A step of the sum: its `kind` ("aligned", "fma" ...), the number of `terms` that it adds, the values `before` and
    `after`, and its addends. Aligned steps have the largest exponent (`top`) and the exponent of the lowest kept bit
    (`unit`)."""

    kind: str
    terms: int
    before: float
    after: float
    top: int | None
    unit: int | None
    after_bits: int
    addends: tuple[Addend, ...]


@dataclass(frozen=True, repr=False)
class Why(Drawn):
    """The explanation of one element of a product; `Op.why` makes it and `print` shows it.

    >>> import numpy as np, wsim
    >>> a, b = np.zeros((16, 16)), np.ones((16, 8))
    >>> a[3, :8] = [2.0**15] + [2.0**-10] * 7
    >>> mma = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    >>> for arch in "a100", "h100":
    ...     why = mma.why(3, 0, a=a, b=b, arch=arch)
    ...     print(arch, why.value, [(step.kind, step.terms, step.top, step.unit) for step in why.steps])
    a100 32768.0 [('aligned', 8, 15, -9), ('aligned', 8, 15, -9)]
    h100 32768.00390625 [('aligned', 16, 15, -10)]
    """

    op: Instruction
    arch: str
    at: tuple[int, int]
    method: str
    terms: tuple[Term, ...]
    steps: tuple[Step, ...]
    c: float | None
    value: float
    bits: int
    arithmetic: Arithmetic
    _card: Any = field(compare=False)

    def __post_init__(self) -> None:
        card = self._card[0] if isinstance(self._card, tuple) and self._card else self._card
        owned(card, "struct wsim_why_card *", "wsim.Why", "wsim.op(name).why(row, col, ...)")

    def picture(self) -> Picture:
        """The digits of each sum in their columns, with lost digits marked, and the factors.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
        >>> a, b, c = np.zeros((16, 8), np.float16), np.ones((8, 8), np.float16), np.zeros((16, 8), np.float32)
        >>> a[0, :2], c[0, 0] = (4096, 2**-13), -4096
        >>> text = mma.why(0, 0, a=a, b=b, c=c, arch="a100").picture().write("text", 80)
        >>> [line.split()[-1] for line in text.splitlines() if "k = 1" in line]
        ['+.........................|1']
        """
        picture = ffi.new("struct wsim_picture *")
        lib.wsim_picture_why(self._card[0], picture)
        return Picture(picture, self._card)

    def __repr__(self) -> str:
        lines = ["D[%u][%u] of %s on %s is %s (0x%x)" % (*self.at, self.op, self.arch, self.value, self.bits)]
        lines += [] if self.c is None else ["  C is %s" % self.c]
        taken = 0
        for step in self.steps:
            for term in self.terms[taken : taken + step.terms]:
                lines.append("  k %3u: %s x %s%s" % (term.k, term.a.value, term.b.value, _held(term)))
            taken += step.terms
            cut = "" if step.top is None else ", largest exponent %d, cut below 2^%s" % (step.top, step.unit)
            lines.append("  %s step of %u: %s -> %s%s" % (step.kind, step.terms, step.before, step.after, cut))
        return "\n".join(lines)


def _held(term: Term) -> str:
    where = [
        "%s in %s"
        % (
            name,
            "lane %u register %u" % (factor.place.lane, factor.place.reg)
            if factor.place is not None
            else "byte %#x" % (factor.address or 0),
        )
        for name, factor in (("a", term.a), ("b", term.b))
    ]
    return "   (%s)" % ", ".join(where)


def _value(row: Any, bits: int) -> float:
    return float(formats.numbers_of(row, np.array([bits], np.uint64))[0])


def _factor(raw: Any, row: Any, container: int) -> Factor:
    held = raw.place
    place = Place(held.lane, held.elem, held.reg, held.lsb) if raw.places else None
    # Elements of one bit come 32 at once: their number is that of the register.
    value = float(raw.bits) if row.bits == 1 else _value(row, raw.bits >> (row.pad if container > row.bits else 0))
    return Factor(raw.at.row, raw.at.col, raw.bits, value, place, None if raw.places else raw.address)


def _addend(raw: Any, unit: int) -> Addend:
    """An addend, computed in 64-bit integers until the last conversion to a double."""
    up = unit - raw.exp  # from its lowest bit to the lowest that is kept
    cut = raw.sig - (raw.kept << up) if up > 0 else 0
    return Addend(raw.terms, math.ldexp(raw.sig, raw.exp), math.ldexp(cut, raw.exp))


def _step(raw: Any, addends: Any) -> Step:
    aligned = raw.kind in (lib.WSIM_WHY_ALIGNED, lib.WSIM_WHY_SPECIAL)
    kind = next(name for name, value in KINDS.items() if getattr(lib, value) == raw.kind)
    return Step(
        kind,
        raw.terms,
        _value(getattr(raw, "from"), raw.before),
        _value(raw.format, raw.after),
        raw.top if aligned else None,
        raw.unit if aligned else None,
        raw.after,
        tuple(_addend(one, raw.unit if aligned else one.exp) for one in addends),
    )


def _steps(raw: Any) -> tuple[Step, ...]:
    steps, at = [], 0
    for step in raw.step[0 : raw.steps]:
        steps.append(_step(step, raw.addend[at : at + step.addends]))
        at += step.addends
    return tuple(steps)


def make(op: Instruction, arch: str, at: tuple[int, int], raw: Any) -> Why:
    arithmetic, steps = raw.arithmetic, _steps(raw)
    a = _layout.of(op, "a")
    wide_a, row_a = a.elem_bits, a._raw.format
    if op.threads == 128:
        tile = _tile.of(op, "b")
        wide_b, row_b = tile.bits, tile._raw.format
    else:
        b = _layout.of(op, "b")
        wide_b, row_b = b.elem_bits, b._raw.format
    terms = tuple(
        Term(raw.term[i].k, _factor(raw.term[i].a, row_a, wide_a), _factor(raw.term[i].b, row_b, wide_b))
        for i in range(raw.terms)
    )
    card, spelling = ffi.new("struct wsim_why_card *"), ffi.new("char[]", str(op).encode())
    card.spelling, card.arch, card.why = spelling, lib.wsim_arch_find(arch.encode()), raw
    card.a, card.b = row_a, row_b
    card.a_bits, card.b_bits = (32 if wide == 1 else wide for wide in (wide_a, wide_b))
    last = raw.step[raw.steps - 1]
    c_row = _layout.of(op, "c")._raw.format if "c" in op.operands else last.format
    return Why(
        op,
        arch,
        at,
        text_of(lib.wsim_method_name(arithmetic.method)),
        terms,
        steps,
        _value(c_row, raw.c.bits) if raw.adds else None,
        steps[-1].after,
        steps[-1].after_bits,
        _arithmetic(arithmetic),
        (card, raw, spelling),
    )
