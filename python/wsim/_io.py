"""The operands of one call, as the library has them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._core import Array, check, integer, new_diag, numbers, pointer, window_of
from ._mbarrier import Mbarrier
from ._wsim import ffi, lib


class Copied(NamedTuple):
    """The result of a bulk copy. `bytes` moved, as a barrier counts them, include `outside` bytes out of bounds: a load
    fills them, a store drops them. `padding` bytes past the end of dimension 0 were changed by a store. `measured` is
    true if recordings of an H200 cover such a copy; otherwise it follows the documentation."""

    bytes: int
    outside: int
    padding: int
    measured: bool


# Members of struct wsim_io, by enum wsim_view.
VIEWS = {
    lib.WSIM_VIEW_MMA: "mma",
    lib.WSIM_VIEW_WGMMA: "wgmma",
    lib.WSIM_VIEW_MOVE: "move",
    lib.WSIM_VIEW_COPY: "copy",
    lib.WSIM_VIEW_BULK: "bulk",
}


class Io:
    """The operands of one call, and the objects that they point into. `view` is the member of struct wsim_io that the
    instruction reads."""

    def __init__(self, view: int) -> None:
        self.io, self.keep = ffi.new("struct wsim_io *"), []  # type: tuple[Any, list[Any]]
        self.view: Any = getattr(self.io, VIEWS.get(view, "move"))
        self.copied = ffi.new("struct wsim_bulk_result *")
        # Operands of bulk copies are checked for every instruction, and read by bulk copies alone.
        self.bulk: Any = self.io.bulk if view == lib.WSIM_VIEW_BULK else ffi.new("struct wsim_io_bulk *")
        self.bulk.copied = self.copied

    def has(self, name: str) -> bool:
        """Whether the instruction has an operand of this name."""
        return hasattr(self.view, name)

    def registers(self, name: str, array: Array) -> None:
        """A register operand; the registers of a warpgroup's four warps follow each other."""
        self.keep.append(array)
        at = pointer("uint32_t *", array)
        rows = ffi.new("uint32_t *[]", [at + 32 * i for i in range(array.size // 32)])
        self.keep.append(rows)
        setattr(self.view, name, rows if name == "d" else ffi.cast("const uint32_t *const *", rows))

    def lanes(self, name: str, array: Array) -> None:
        if self.has(name):
            self.keep.append(array)
            setattr(self.view, name, pointer("const uint32_t *", array))

    def memory(self, space: str, array: Array, base: int) -> None:
        self.keep += [array, window_of(array, space, base)]
        setattr(self.io, space, self.keep[-1])

    def copy(self, tensor: Any, coords: object, offsets: object, barrier: object) -> None:
        """The operands that only bulk copies have; `tensor` is a TensorMap or None."""
        if tensor is not None:
            self.keep.append(tensor)
            self.bulk.map = tensor._map
        for name, given, low, high in (("coord", coords, -(2**31), 2**31 - 1), ("offset", offsets, 0, 65535)):
            if given is not None:
                room = getattr(self.bulk, name)
                values = numbers(given, name + "s", len(room), low, high, fewer=True)
                room[0 : len(values)] = values
        if barrier is not None:
            self.bulk.has_barrier = 1
            at = barrier.at if isinstance(barrier, Mbarrier) else barrier
            self.bulk.barrier_at = integer(at, "barrier", 0, 0xFFFFFFFF)

    def run(self, code: Any) -> None:
        """Executes a prepared instruction with these operands."""
        diag = new_diag()
        check(lib.wsim_run(code, self.io, diag), diag)

    def moved(self) -> Copied:
        """The result of a bulk copy."""
        raw = self.copied
        return Copied(raw.bytes, raw.outside, raw.padding, bool(raw.measured))
