"""The fields of matrix descriptors of wgmma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from ._core import check, integer, new_diag, text_of
from ._swizzle import mode_of
from ._wsim import ffi, lib


@dataclass(frozen=True)
class Descriptor:
    """The fields, in bytes; `int(...)` gives the 64 bits.

    >>> import wsim
    >>> hex(int(wsim.desc.Descriptor(start=0x400, leading=16, stride=1024, swizzle="128B")))
    '0x4000004000010040'
    """

    start: int
    leading: int = 0
    stride: int = 0
    swizzle: str = "NONE"
    base_offset: int = 0

    @property
    def _raw(self) -> Any:
        raw = ffi.new("struct wsim_descriptor *")
        for name in ("start", "leading", "stride"):
            setattr(raw, name, integer(getattr(self, name), name, 0, 0xFFFFFFFF))
        raw.base_offset, raw.mode = integer(self.base_offset, "base_offset", 0, 255), mode_of(self.swizzle)
        return raw

    def __int__(self) -> int:
        bits, diag = ffi.new("uint64_t *"), new_diag()
        check(lib.wsim_descriptor_encode(self._raw, bits, diag), diag)
        return int(bits[0])


DescriptorLike = Union[Descriptor, int]


def encode(start: int, leading: int = 0, stride: int = 0, swizzle: str = "NONE", base_offset: int = 0) -> int:
    """The 64 bits of a descriptor; `start`, `leading` and `stride` are bytes, multiples of 16.

    >>> import wsim
    >>> hex(wsim.desc.encode(start=0x400, leading=16, stride=1024, swizzle="128B"))
    '0x4000004000010040'
    """
    return int(Descriptor(start, leading, stride, swizzle, base_offset))


def decode(bits: int) -> Descriptor:
    """The fields of a descriptor. Reserved bits, which wgmma ignores, are refused.

    >>> import wsim
    >>> wsim.desc.decode(0x4000004000010040)
    Descriptor(start=1024, leading=16, stride=1024, swizzle='128B', base_offset=0)
    """
    raw, diag = ffi.new("struct wsim_descriptor *"), new_diag()
    check(lib.wsim_descriptor_decode(integer(bits, "a descriptor", 0, 2**64 - 1), raw, diag), diag)
    return Descriptor(raw.start, raw.leading, raw.stride, text_of(lib.wsim_swizzle_name(raw.mode)), raw.base_offset)


def decode_any(descriptor: DescriptorLike) -> Descriptor:
    if isinstance(descriptor, Descriptor):
        return descriptor
    return decode(integer(descriptor, "a descriptor", 0, 2**64 - 1))


def as_bits(descriptor: Descriptor | int | np.integer[Any]) -> int:
    return int(descriptor) if isinstance(descriptor, Descriptor) else integer(descriptor, "a descriptor", 0, 2**64 - 1)
