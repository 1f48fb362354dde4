"""Compares the registers of a matrix move with an operand of a product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._core import check, chosen, flag, integer, new_diag
from ._instruction import OPERANDS, Instruction
from ._wsim import ffi, lib


@dataclass(frozen=True, repr=False)
class Fit:
    """The result of `Op.fits`. `rows` has, for each lane that gives an address, (fragment, row, column) of the first
    element of its memory row. It is empty if the move does not fit: then `lane`, `reg` and `bit` hold element `has`
    and should hold `wants`. `moves` moves fill one fragment, or one move fills `fragments`. `shift` is the left shift
    that each register needs after the move. `interleaved`: register r belongs to fragment r % fragments."""

    fits: bool
    comparable: bool
    moves: int
    fragments: int
    shift: int
    interleaved: bool
    rows: tuple[tuple[int, int, int], ...]
    lane: int
    reg: int
    bit: int
    wants: tuple[int, int]
    has: tuple[int, int]

    def __repr__(self) -> str:
        if not self.comparable:
            return "Fit: no, what they hold cannot be compared"
        if not self.fits:
            what = (self.lane, self.reg, self.bit, list(self.has), list(self.wants))
            return "Fit: no, lane %u register %u bit %u holds %s and should hold %s" % what
        said = "Fit: yes"
        if self.moves > 1:
            said += ", %u moves fill one fragment" % self.moves
        if self.fragments > 1:
            said += ", one fills %u fragments%s" % (self.fragments, " in turn" if self.interleaved else "")
        return said + (", shifted left by %u bits" % self.shift if self.shift else "")


def make(op: Instruction, product: Instruction, operand: str, by_columns: bool, number: int) -> Fit:
    if not isinstance(product, Instruction):
        raise TypeError("the product has to be a wsim.Op, not %s" % type(product).__name__)
    raw, diag = ffi.new("struct wsim_move_fit *"), new_diag()
    which = OPERANDS.index(chosen(operand, "operand", OPERANDS))
    columns, turn = flag(by_columns, "by_columns"), integer(number, "number", 0, 255)
    check(lib.wsim_move_fits(op._raw, product._raw, which, columns, turn, raw, diag), diag)
    rows = tuple((raw.fragment[lane], *_at(raw.at[lane])) for lane in range(raw.rows if raw.fits else 0))
    return Fit(
        bool(raw.fits),
        bool(raw.comparable),
        raw.moves,
        raw.fragments,
        raw.shift,
        bool(raw.interleaved),
        rows,
        raw.lane,
        raw.reg,
        raw.bit,
        _at(raw.wants),
        _at(raw.has),
    )


def _at(coord: Any) -> tuple[int, int]:
    return coord.row, coord.col
