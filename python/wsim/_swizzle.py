"""Swizzled addresses of shared memory."""

from __future__ import annotations

from typing import overload

import numpy as np

from ._core import Array, c_text, integer, pointer, shown, text_of
from ._picture import Drawn, Picture
from ._wsim import ffi, lib


def mode_of(name: str) -> int:
    """The number of a swizzle mode."""
    found = int(lib.wsim_tensor_called(lib.WSIM_TENSOR_LIST_SWIZZLE, c_text(name, "swizzle")))
    if found < 0:
        known = ", ".join(text_of(lib.wsim_swizzle_name(i)) for i in range(lib.WSIM_SWIZZLES))
        raise ValueError("swizzle is %s; it has to be one of %s" % (shown(name), known))
    return found


class Swizzle(Drawn):
    """A swizzle mode, a function of shared addresses: rows of `span` bytes, a pattern with a period of `period` bytes.
    The name is the driver's or CuTe's, whose functions take byte addresses here.

    >>> import wsim
    >>> wsim.Swizzle("Swizzle<3,4,3>"), wsim.Swizzle("GMMA::Layout_K_SW64_Atom")
    (wsim.Swizzle('128B'), wsim.Swizzle('64B'))
    >>> wsim.Swizzle("128B").span, wsim.Swizzle("128B").period, wsim.Swizzle("128B")(0x90)
    (128, 1024, 128)
    """

    def __init__(self, mode: str) -> None:
        self._mode = mode_of(mode)
        self.mode = text_of(lib.wsim_swizzle_name(self._mode))
        self.span, self.period = int(lib.wsim_swizzle_span(self._mode)), int(lib.wsim_swizzle_period(self._mode))

    @property
    def formula(self) -> str:
        """The exclusive-ors in C, of an address a.

        >>> import wsim
        >>> wsim.Swizzle("128B").formula
        'a ^ (a >> 3 & 0x70)'
        """
        out = ffi.new("char[]", 96)
        lib.wsim_swizzle_formula(self._mode, out)
        return text_of(out)

    def picture(self, pitch: int | None = None, rows: int | None = None, at: int = 0) -> Picture:
        """Rows of `pitch` bytes by pieces of 16 bytes: the place of each, coloured by bank. Without sizes it shows one
        period.

        >>> import wsim
        >>> print(wsim.Swizzle("128B").picture(rows=2).write("csv").splitlines()[9])
        1,0,144
        """
        wide = (self.span or 128) if pitch is None else integer(pitch, "pitch", 16, 4096)
        tall = max(self.period // wide, 1) if rows is None else integer(rows, "rows", 1, 4096)
        if wide % 16 or integer(at, "at", 0, 2**32 - 1) % 16:
            raise ValueError("pitch and at have to be multiples of 16; they are %d and %d" % (wide, at))
        if at + wide * tall > 2**32:
            raise ValueError("the tile ends beyond the last address, 0xffffffff")
        tile = ffi.new("struct wsim_swizzle_tile *", {"mode": self._mode, "pitch": wide, "rows": tall, "at": at})
        made = ffi.new("struct wsim_picture *")
        lib.wsim_picture_swizzle(tile, made)
        return Picture(made, tile)

    @overload
    def __call__(self, address: int) -> int: ...
    @overload
    def __call__(self, address: Array) -> Array: ...
    def __call__(self, address: int | Array) -> int | Array:
        if not isinstance(address, np.ndarray):
            return int(lib.wsim_swizzle_apply(self._mode, integer(address, "an address", 0, 0xFFFFFFFF)))
        if address.dtype.kind not in "iu":
            raise TypeError("addresses have to be whole numbers, not %s" % address.dtype)
        if address.size and not 0 <= int(address.min()) <= int(address.max()) <= 0xFFFFFFFF:
            raise ValueError("addresses have to be 0 to 0xffffffff; they are %d to %d" % (address.min(), address.max()))
        given = np.ascontiguousarray(address, np.uint32)
        found = np.empty(given.shape, np.uint32)
        lib.loop_swizzle(self._mode, given.size, pointer("const uint32_t *", given), pointer("uint32_t *", found))
        return found

    def __repr__(self) -> str:
        return "wsim.Swizzle(%r)" % self.mode


@overload
def swizzle(mode: str) -> Swizzle: ...
@overload
def swizzle(mode: str, address: int) -> int: ...
@overload
def swizzle(mode: str, address: Array) -> Array: ...
def swizzle(mode: str, address: int | Array | None = None) -> Swizzle | int | Array:
    """Swizzles an address, or an array of them, under a mode ("NONE", "32B", "64B", "128B" ...). Without an address it
    returns the mode. The function is its own inverse.

    >>> import numpy as np, wsim
    >>> hex(wsim.swizzle("128B", 0x1a2))
    '0x192'
    >>> wsim.swizzle("64B", np.array([0, 128, 256]))
    array([  0, 144, 288], dtype=uint32)
    """
    found = Swizzle(mode)
    return found if address is None else found(address)
