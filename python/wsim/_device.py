"""A GPU: its memory and the variables of modules on it."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ._arch import ArchLike, row_of
from ._core import Array, address_of, c_text, check, memory_of, new_diag, text_of
from ._linked import Linked
from ._wsim import ffi, lib


class Device:
    """A GPU. Variables of modules keep their values on it from launch to launch. Without one, each `Module` makes its
    own. Launches on a device run one after another, also from several threads.

    >>> import wsim
    >>> wsim.Device("a100")
    wsim.Device('sm_80')
    """

    def __init__(self, arch: ArchLike = "h100") -> None:
        self._make(row_of(arch))

    def _make(self, row: Any) -> None:
        made, diag = ffi.new("struct wsim_device **"), new_diag()
        check(lib.wsim_device_make(row, made, diag), diag)
        self._raw = ffi.gc(made[0], lib.wsim_device_free)
        self.arch = text_of(lib.wsim_arch_name(row))
        self._lock = threading.RLock()
        self._modules: list[Linked] = []  # their variables are on this device, so they live as long

    @staticmethod
    def _for(row: Any) -> Device:
        device = Device.__new__(Device)
        device._make(row)
        return device

    def _keep(self, module: Linked) -> None:
        if not any(known is module for known in self._modules):
            self._modules.append(module)

    def read(self, module: Linked, name: str, dtype: Any = np.uint8) -> Array:
        """A copy of a .global or .const variable of a module, as an array.

        >>> import wsim
        >>> module = wsim.Module(".version 8.0 .target sm_80 .address_size 64 .global .u32 n[2] = {3, 4};")
        >>> wsim.Device("a100").read(module, "n", "u4")
        array([3, 4], dtype=uint32)
        """
        kind = np.dtype(dtype)
        if kind.hasobject or not kind.itemsize:
            raise TypeError("dtype is %s, which has no fixed bytes" % kind)
        with self._lock:
            address, size = self._symbol(module, name)
            if size % kind.itemsize:
                raise ValueError("%s has %u bytes, no multiple of the %u of %s" % (name, size, kind.itemsize, kind))
            array, diag = np.empty(size // kind.itemsize, kind), new_diag()
            check(lib.wsim_device_read(self._raw, address, ffi.cast("void *", address_of(array)), size, diag), diag)
        return array

    def write(self, module: Linked, name: str, values: Array) -> None:
        """Overwrites the first bytes of a variable of a module with those of an array.

        >>> import numpy as np, wsim
        >>> module = wsim.Module(".version 8.0 .target sm_80 .address_size 64 .global .u32 n[2] = {3, 4};")
        >>> device = wsim.Device("a100")
        >>> device.write(module, "n", np.array([7], np.uint32))
        >>> device.read(module, "n", "u4")
        array([7, 4], dtype=uint32)
        """
        values = memory_of(values, "values", write=False)
        with self._lock:
            address, size = self._symbol(module, name)
            if values.nbytes > size:
                raise ValueError("%s has %u bytes; the values have %u" % (name, size, values.nbytes))
            diag = new_diag()
            check(
                lib.wsim_device_write(self._raw, address, ffi.cast("void *", address_of(values)), values.nbytes, diag),
                diag,
            )

    def _symbol(self, module: Linked, name: str) -> tuple[int, int]:
        if not isinstance(module, Linked):
            raise TypeError("module has to be a wsim.Module, not %s" % type(module).__name__)
        address, size, diag = ffi.new("uint64_t *"), ffi.new("uint64_t *"), new_diag()
        self._keep(module)
        check(lib.wsim_device_symbol(self._raw, module._raw, c_text(name, "name"), address, size, diag), diag)
        return int(address[0]), int(size[0])

    def __repr__(self) -> str:
        return "wsim.Device(%r)" % self.arch
