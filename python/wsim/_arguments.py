"""Arguments of a launch: the bytes of parameters, and arrays as device memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _formats as formats
from ._core import Array, address_of, check, integer, memory_of, new_diag, reach_of
from ._device import Device
from ._tensor import TensorMap
from ._wsim import ffi, lib


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel: its type ("u64"; "b8" for an array) and its offset among the parameter bytes."""

    name: str
    type: str
    bytes: int
    offset: int
    pointer: bool


class Arguments:
    """The bytes of all parameters, and the arrays that pointers refer to."""

    def __init__(self, size: int) -> None:
        self.bytes = bytearray(size)
        self.spans: list[tuple[int, int, str]] = []
        self.keep: list[Any] = []

    def add(self, parameter: Parameter, value: object, number: int) -> None:
        what = "args[%u] (%s, .%s)" % (number, parameter.name, parameter.type)
        found = self._bytes(parameter, value, what, "args[%u]" % number)
        if len(found) != parameter.bytes:
            raise TypeError("%s has %u bytes; the value has %u" % (what, parameter.bytes, len(found)))
        self.bytes[parameter.offset : parameter.offset + parameter.bytes] = found

    def memory(self, array: Array, name: str) -> int:
        """Makes an array device memory and returns its address."""
        low = address_of(array)
        size = reach_of(array)
        self.keep.append(array)
        if size:
            self.spans.append((low, low + size, name))
        return low

    def _bytes(self, parameter: Parameter, value: object, what: str, name: str) -> bytes:
        if isinstance(value, TensorMap):
            return self._map(parameter, value, name)
        if isinstance(value, (bytes, bytearray)):
            return bytes(value)
        if isinstance(value, np.void) and value.dtype.fields is not None:
            if value.dtype.hasobject:
                raise TypeError("%s is a structure with Python objects in it" % what)
            return value.tobytes()
        if isinstance(value, np.ndarray) or value is None:
            if parameter.bytes != 8 or parameter.type[0] == "f":
                raise TypeError("%s is not a pointer; an array or None needs one" % what)
            return (0 if value is None else self.memory(memory_of(value, what), name)).to_bytes(8, "little")
        return self._number(parameter, value, what)

    def _map(self, parameter: Parameter, value: TensorMap, name: str) -> bytes:
        """A tensor map by value or, for a pointer, in memory of its own."""
        if value.array is not None:
            if not value.array.flags.writeable:
                raise ValueError("the array of the tensor map %s is read-only; make it of a copy" % name)
            self.memory(value.array, "the tensor of " + name)
        self.keep.append(value)
        if parameter.bytes != 8:
            return bytes(value)
        room = np.zeros(192, np.uint8)
        at = -address_of(room) % 64
        room[at : at + 128] = np.frombuffer(bytes(value), np.uint8)
        return self.memory(room[at : at + 128], name).to_bytes(8, "little")

    def _number(self, parameter: Parameter, value: object, what: str) -> bytes:
        kind, size = parameter.type, parameter.bytes
        if isinstance(value, np.generic) and not formats.is_number(value.dtype):
            raise TypeError("%s: a number is needed, not %s" % (what, value.dtype))
        if not isinstance(value, (int, float, np.generic)):
            raise TypeError(
                "%s cannot be %s: an array, a number, a tensor map, bytes, a structured scalar or None"
                % (what, type(value).__name__)
            )
        if size > 8 or kind not in ("f16", "bf16", "f32", "f64") and kind[0] not in "usb":
            raise TypeError("%s is a structure of %u bytes; pass bytes or a structured scalar" % (what, size))
        if kind[0] == "f" or kind == "bf16":
            return int(formats.round_to(formats.named(kind), np.float64(value).reshape(1))[0]).to_bytes(size, "little")
        if isinstance(value, np.generic) and value.dtype.kind in "fV" and value.dtype.itemsize == size:
            return value.tobytes()  # untyped parameters hold floats, too: their bits
        if isinstance(value, float) or (isinstance(value, np.generic) and value.dtype.kind not in "iub"):
            raise TypeError(
                "%s is a whole number of %u bytes; for the bits of a float pass one of that size, np.float%u(...)"
                % (what, size, 8 * size)
            )
        number = integer(value, what, -1 << (8 * size - 1), (1 << 8 * size) - 1)
        return (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def merged(self) -> list[tuple[int, int, str]]:
        """The memory of all arrays; overlapping arrays are one piece."""
        pieces: list[tuple[int, int, str]] = []
        for low, high, name in sorted(self.spans):
            if pieces and low < pieces[-1][1]:
                first = pieces[-1]
                names = first[2] if name in first[2].split(", ") else first[2] + ", " + name
                pieces[-1] = (first[0], max(first[1], high), names)
            else:
                pieces.append((low, high, name))
        return pieces


class Adopted:
    """Arrays that are device memory during a launch."""

    def __init__(self, device: Device, arguments: Arguments) -> None:
        self.device, self.arguments, self.there = device, arguments, []  # type: tuple[Device, Arguments, list[int]]

    def __enter__(self) -> None:
        diag = new_diag()
        try:
            for low, high, name in self.arguments.merged():
                check(
                    lib.wsim_device_adopt(self.device._raw, name.encode(), ffi.cast("void *", low), high - low, diag),
                    diag,
                )
                self.there.append(low)
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        for low in self.there:
            lib.wsim_device_release(self.device._raw, low, ffi.NULL)
        self.there.clear()
