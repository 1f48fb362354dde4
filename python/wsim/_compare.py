"""One instruction on several architectures."""

from __future__ import annotations

import itertools
import os
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from . import _why
from ._arch import Arch, ArchLike, arches, row_of
from ._core import Array, Refused, check, flag, integer, new_diag, pointer, shown, text_of, written_out
from ._operands import Operands
from ._ops import Op, op_of
from ._result import Result
from ._why import Why
from ._wsim import ffi, lib

if TYPE_CHECKING:
    from typing_extensions import Unpack

CHUNK = 2048  # cases of one task of a thread


@dataclass(frozen=True)
class Difference:
    """The first of `count` elements (or cases) that differ between two architectures. `at` is its place in D, `lane`
    and `reg` its register, `bits` and `values` its results. `arithmetic` says how the tables differ; `reason` which
    bits one architecture cuts off or rounds and the other keeps. `case` is the number of a random case."""

    archs: tuple[str, str]
    count: int
    case: int | None
    at: tuple[int, ...]
    lane: int
    reg: int
    bits: tuple[int, int]
    values: tuple[float, float]
    arithmetic: str
    reason: str


@dataclass(frozen=True, repr=False)
class Comparison:
    """The result of `wsim.compare`: `matrix[i, j]` of `of` elements (or cases) differ between `archs[i]` and
    `archs[j]`. `same` groups architectures with the same arithmetic in the tables. `differences` has one `Difference`
    for each group that differs from an earlier one. `results` holds the results of given operands.

    >>> import numpy as np, wsim
    >>> large = np.zeros((16, 16)); large[3, :8] = [2.0**15] + [2.0**-10] * 7
    >>> found = wsim.compare("mma.m16n8k16.f32.f16", ["a100", "h100", "b200"], a=large, b=np.ones((16, 8)))
    >>> found.matrix.tolist(), found.agree
    ([[0, 8, 8], [8, 0, 0], [8, 0, 0]], False)
    >>> found.differences[0].at, found.differences[0].values
    ((3, 0), (32768.0, 32768.00390625))
    """

    op: Op
    archs: tuple[str, ...]
    same: tuple[tuple[str, ...], ...]
    of: int
    random: bool
    matrix: Array
    differences: tuple[Difference, ...]
    results: Mapping[str, Result] = field(default_factory=dict)

    @property
    def agree(self) -> bool:
        """True if no result differs.

        >>> import numpy as np, wsim
        >>> wsim.compare("mma.m16n8k16.f32.f16", ["a100", "h100"], a=np.eye(16), b=np.ones((16, 8))).agree
        True
        """
        return not self.matrix.any()

    def __repr__(self) -> str:
        what = "cases" if self.random else "elements"
        lines = ["%s: different %s, of %u" % (self.op, what, self.of)]
        shows = [self.archs.index(group[0]) for group in self.same]
        wide = [max(len(self.archs[i]), len(str(self.of))) for i in shows]
        head = max(map(len, self.archs))
        lines.append("  %*s  %s" % (head, "", "  ".join("%*s" % (w, self.archs[i]) for w, i in zip(wide, shows))))
        for group, i in zip(self.same, shows):
            cells = ["%*s" % (w, "-" if i == j else self.matrix[i, j]) for w, j in zip(wide, shows)]
            also = "  (also %s)" % ", ".join(group[1:]) if len(group) > 1 else ""
            lines.append("  %*s  %s%s" % (head, self.archs[i], "  ".join(cells), also))
        for one in self.differences:
            case = "" if one.case is None else "case %u, " % one.case
            lines.append(
                "first of %s and %s: %sd%s, lane %u, register %u: %s (0x%x) and %s (0x%x)"
                % (*one.archs, case, list(one.at), one.lane, one.reg, *_both(one))
            )
            for text in (one.arithmetic, one.reason):
                lines += textwrap.wrap(text, 100, initial_indent="  ", subsequent_indent="    ")
        return "\n".join(lines)


def _both(one: Difference) -> tuple[Any, ...]:
    return one.values[0], one.bits[0], one.values[1], one.bits[1]


@written_out(Operands)
def compare(
    op: Op | str,
    archs: Sequence[ArchLike] | None = None,
    *,
    cases: int = 0,
    seed: int = 1,
    dist: str = "all",
    jobs: int = 0,
    **operands: Unpack[Operands],
) -> Comparison:
    """Executes a product on several architectures with the same operands and reports where and why results differ.
    Without `archs`, it takes all architectures that execute the product. Operands are those of `Op.run`. `cases` draws
    that number of random operands instead, from a distribution (`dist`: "near-one", "cancelling" ...; "all" takes each
    in turn) and a `seed`, like `wsim exec --compare --random`. `jobs` is the number of threads; 0 takes one per processor.

    >>> import numpy as np, wsim
    >>> large = np.zeros((16, 16)); large[3, :8] = [2.0**15] + [2.0**-10] * 7
    >>> print(wsim.compare("mma.m16n8k16.f32.f16", ["a100", "h100"], a=large, b=np.ones((16, 8))))
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: different elements, of 128
              sm_80  sm_90a
       sm_80      -       8
      sm_90a      8       -
    first of sm_80 and sm_90a: d[3, 0], lane 12, register 0: 32768.0 (0x47000000) and 32768.00390625 (0x47000001)
      width 8 against 16, keep 24 against 25, floor -132 against -133
      the product of k = 1, 0.0009765625: sm_80 cuts 0.0009765625 off it (largest exponent 15, bits down
        to 2^-9), sm_90a keeps all of it (largest exponent 15, bits down to 2^-10)
    >>> wsim.compare("mma.m16n8k32.s32.s8", cases=1000).agree
    True
    """
    found = op_of(op)
    if "arch" in operands:
        raise TypeError("compare takes archs, a list, not arch")
    names = _names(found, archs)
    if integer(cases, "cases", 0, 10**9):
        given = sorted(set(operands) - {"plain"})
        if given:
            raise TypeError("cases are random: %s cannot be given too" % ", ".join(given))
        plain = flag(operands.get("plain", False), "plain")
        return _Random(found, names, plain, cases, integer(seed, "seed", 0, 2**32 - 1), dist).compare(jobs)
    return _given(found, names, operands)


def _names(op: Op, archs: Sequence[ArchLike] | None) -> list[str]:
    """The architectures, each once."""
    if archs is None:
        names = [one.name for one in arches() if op.executes(one)]
        if not names:
            raise Refused("no architecture executes %s" % op, "unmodelled")
        return names
    if isinstance(archs, (str, Arch)):
        archs = [name.strip() for name in archs.split(",")] if isinstance(archs, str) else [archs]
    names = [text_of(lib.wsim_arch_name(row_of(one))) for one in archs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if not names or twice:
        raise ValueError("archs is %s; it has to name architectures, each once" % shown(archs))
    return names


def _groups(op: Op, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Architectures grouped by their arithmetic in the tables."""
    groups: dict[_why.Arithmetic, list[str]] = {}
    for name in names:
        groups.setdefault(op.arithmetic(name), []).append(name)
    return tuple(map(tuple, groups.values()))


def _pairs(matrix: Array) -> list[tuple[int, int]]:
    """Pairs (i, j): architecture j differs from i, the first that it differs from."""
    return [(int(np.flatnonzero(matrix[i, :i])[0]), i) for i in range(len(matrix)) if matrix[i, :i].any()]


def _distinct(pairs: list[tuple[int, int]], names: Sequence[str], same: Sequence[Sequence[str]]) -> list[Any]:
    """Pairs whose second architecture is the first of its group; the others only repeat them."""
    return [pair for pair in pairs if any(names[pair[1]] == group[0] for group in same)]


def _given(op: Op, names: list[str], operands: Any) -> Comparison:
    results = {name: op.run(**{**operands, "arch": name}) for name in names}
    same, bits = _groups(op, names), [results[name].bits for name in names]
    matrix = np.array([[int((one != other).sum()) for other in bits] for one in bits], np.int64)
    differences = []
    for first, second in _distinct(_pairs(matrix), names, same):
        at = tuple(int(i) for i in np.argwhere(bits[first] != bits[second])[0])
        row, col, batch = at[-2], at[-1], at[0] if len(at) == 3 else 0
        whys = [op.why(row, col, batch, **{**operands, "arch": names[i]}) for i in (first, second)]
        differences.append(_difference(op, whys, int(matrix[first, second]), None, at))
    return Comparison(op, tuple(names), same, bits[0].size, False, matrix, tuple(differences), results)


class _Random:
    """Compares random cases."""

    def __init__(self, op: Op, names: list[str], plain: bool, cases: int, seed: int, dist: str) -> None:
        self.op, self.names, self.plain, self.cases, self.seed = op, names, plain, cases, seed
        self.same = _groups(op, names)
        self.shown = [names.index(group[0]) for group in self.same]
        dists = list(iter(map(text_of, map(lib.loop_dist_name, itertools.count())).__next__, ""))
        if dist not in dists:
            raise ValueError("dist is %s; it has to be one of %s" % (shown(dist), ", ".join(dists)))
        self.dist = dists.index(dist)
        self._fragments()

    def _fragments(self) -> None:
        """Checks that equal registers hold equal elements, because registers are compared."""
        for operand in self.op.operands:
            coords = [self.op.layout(operand, name).coords for name in self.names]
            other = next((i for i, one in enumerate(coords) if not np.array_equal(one, coords[0])), None)
            if other is not None:
                raise ValueError(
                    "%s and %s have different fragments; omit one of them" % (self.names[0], self.names[other])
                )

    def _part(self, first: int) -> tuple[Array, Array]:
        n, diag = len(self.shown), new_diag()
        keep = [self.op._prepare(self.names[i], self.plain) for i in self.shown]
        codes, differ, at = ffi.new("struct wsim_code *[]", keep), *np.zeros((2, n, n), np.uint64)
        last = min(first + CHUNK, self.cases)
        out = pointer("uint64_t *", differ), pointer("uint64_t *", at)
        check(lib.loop_compare(codes, n, self.seed, self.dist, first, last, *out, diag), diag)
        return differ, at

    def compare(self, jobs: int) -> Comparison:
        """Counts differences, on several threads, and explains the first of each."""
        threads = integer(jobs, "jobs", 0, 256) or os.cpu_count() or 1
        n = len(self.shown)
        count, first = np.zeros((n, n), np.int64), np.zeros((n, n), np.uint64)
        with ThreadPoolExecutor(threads) as pool:
            for differ, at in pool.map(self._part, range(0, self.cases, CHUNK)):
                first = np.where((count == 0) & (differ > 0), at, first)
                count += differ.astype(np.int64)
        groups = np.array([next(g for g, group in enumerate(self.same) if name in group) for name in self.names])
        matrix = (count + count.T)[np.ix_(groups, groups)]
        pairs = [(a, b, int(count[b, a]), int(first[b, a])) for a, b in _pairs(count + count.T)]
        found = tuple(self._difference(*pair) for pair in pairs)
        return Comparison(self.op, tuple(self.names), self.same, self.cases, True, matrix, found)

    def _case(self, which: int, number: int, at: Any, why: Any) -> Array:
        """The matrix D of a case on one architecture."""
        layout, diag = self.op.layout("d", self.names[self.shown[which]]), new_diag()
        out = np.zeros((layout.regs, layout.lanes), np.uint32)
        code = self.op._prepare(self.names[self.shown[which]], self.plain)
        check(lib.loop_case(code, self.seed, self.dist, number, pointer("uint32_t *", out), at, why, diag), diag)
        return layout._matrix(out)

    def _difference(self, one: int, other: int, count: int, number: int) -> Difference:
        first, second = (self._case(which, number, ffi.NULL, ffi.NULL) for which in (one, other))
        at = tuple(int(i) for i in np.argwhere(first != second)[0])
        full = (0,) * (3 - len(at)) + at
        raw = ffi.new("struct wsim_coord *", {"batch": full[0], "row": full[1], "col": full[2]})
        whys = []
        for which in (one, other):
            why = ffi.new("struct wsim_why *")
            self._case(which, number, raw, why)
            whys.append(_why.make(self.op, self.names[self.shown[which]], (full[1], full[2]), why))
        return _difference(self.op, whys, count, number, at)


# --- the reason ---


def _difference(op: Op, whys: list[Why], count: int, case: int | None, at: tuple[int, ...]) -> Difference:
    one, other = whys
    place = op.layout("d", one.arch).places(*at)[0]
    fields = [
        "%s %s against %s" % (name, first, second)
        for name, first, second in zip(one.arithmetic._fields, one.arithmetic, other.arithmetic)
        if first != second
    ]
    return Difference(
        (one.arch, other.arch),
        count,
        case,
        at,
        place.lane,
        place.reg,
        (one.bits, other.bits),
        (one.value, other.value),
        ", ".join(fields),
        _cut(one, other) or _step(one, other),
    )


def _fates(why: Why) -> dict[int, tuple[_why.Addend, _why.Step]]:
    """The addend and step of each product by its k, and of the incoming accumulator under -1, in aligned steps."""
    found, taken = {}, 0
    for number, step in enumerate(why.steps):
        for i, addend in enumerate(step.addends):
            if i == 0 and number == 0 and not addend.terms and why.method != "split":  # which adds C last
                found[-1] = addend, step
            if addend.terms == 1:
                found[why.terms[taken].k] = addend, step
            taken += addend.terms
    return found


def _cut(one: Why, other: Why) -> str:
    """The first product (or the accumulator) from which the two architectures cut off different bits."""
    fates = [_fates(why) for why in (one, other)]
    for k in (-1, *(term.k for term in one.terms)):
        if all(k in fate for fate in fates) and fates[0][k][0].cut != fates[1][k][0].cut:
            what = "the accumulator" if k < 0 else "the product of k = %u" % k
            losses = [_loss(why.arch, *fate[k]) for why, fate in zip((one, other), fates)]
            return "%s, %s: %s" % (what, fates[0][k][0].value, ", ".join(losses))
    return ""


def _loss(arch: str, addend: _why.Addend, step: _why.Step) -> str:
    what = "cuts %s off it" % addend.cut if addend.cut else "keeps all of it"
    return "%s %s (largest exponent %s, bits down to 2^%s)" % (arch, what, step.top, step.unit)


def _step(one: Why, other: Why) -> str:
    """The first step after which both have summed the same products and hold different bits."""
    after = [{}, {}]  # type: list[dict[int, _why.Step]]
    for found, why in zip(after, (one, other)):
        taken = 0
        for step in why.steps:
            taken += step.terms
            found[taken] = step
    for taken, step in after[0].items():
        with_it = after[1].get(taken)
        if with_it is not None and step.after_bits != with_it.after_bits and step.kind == with_it.kind:
            return "after %u products %s has %s, %s has %s" % (taken, one.arch, step.after, other.arch, with_it.after)
    return "they sum in another order: %u and %u steps" % (len(one.steps), len(other.steps))
