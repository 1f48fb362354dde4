"""Kernels that Triton compiled. Its tensors are those of torch in the memory of the host, or NumPy arrays."""

from __future__ import annotations

import ctypes
import gc
import struct
import sys
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from ._arch import DEFAULT, ArchLike
from ._core import Array, memory_of, text_of
from ._kernels import Kernel, Module
from ._report import Report
from ._tensor import TensorMap, tensor_map
from ._wsim import lib

FLOATS = {"fp16": "<e", "fp32": "<f", "f32": "<f", "fp64": "<d"}
# Triton's numbers of the types of tensor maps are those of the device, which differ for three.
DEVICE_TYPES = {8: 10, 9: 8, 10: 9}


class TritonKernel:
    """A kernel that Triton compiled: `kernel[grid](*args)` runs it and returns a `Report`; `wsim.triton` makes it.

    The arguments are those of the function, with its constants. A pointer takes a torch tensor on the CPU, a NumPy
    array, an address or None. Keywords are those of `wsim.Kernel`: `checks`, `count`, `raise_findings`, `seed` ...

    >>> import numpy as np, wsim
    >>> from types import SimpleNamespace as Space
    >>> signature = {"a": "fp32", "x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    >>> kernel = wsim.TritonKernel(signature, Space(name="saxpy", shared=0, num_warps=1), SAXPY)
    >>> kernel
    TritonKernel saxpy(a: fp32, x: *fp32, y: *fp32, n: i32, BLOCK: constexpr): 32 threads, 0 bytes of shared memory
    >>> x, y = np.arange(64, dtype=np.float32), np.ones(64, np.float32)
    >>> report = kernel[(2,)](2.0, x, y, 64, 32)
    >>> y[:4]
    array([1., 3., 5., 7.], dtype=float32)
    """

    def __init__(self, signature: Mapping[str, Any], metadata: Any, ptx: str, kernel: Kernel | None = None) -> None:
        fuses = bool(getattr(metadata, "enable_fp_fusion", True))  # otherwise Triton passes --fmad=false to ptxas
        if kernel is None or not fuses:
            kernel = Module(ptx, contract=fuses).kernel(metadata.name)
        self.signature, self.kernel, self.name = dict(signature), kernel, kernel.name
        self.metadata = metadata
        self.shared, self.ctas = int(metadata.shared), int(getattr(metadata, "num_ctas", 1))
        self.block = kernel.reqntid if kernel.reqntid[0] else (32 * int(metadata.num_warps), 1, 1)
        self.scratch = [
            int(getattr(metadata, name + "_scratch_size", 0) or 0) for name in ("global", "profile")
        ]

    def __getitem__(self, grid: Sequence[int]) -> Any:
        return lambda *args, **keywords: self.launch(grid, args, **keywords)

    def launch(self, grid: Sequence[int], args: Sequence[Any], **keywords: Any) -> Report | None:
        """Runs the kernel, as `kernel[grid](*args)` does. None: the grid is empty.

        >>> import wsim
        >>> from types import SimpleNamespace as Space
        >>> signature = {"a": "fp32", "x": "*fp32", "y": "*fp32", "n": "i32"}
        >>> kernel = wsim.TritonKernel(signature, Space(name="saxpy", shared=0, num_warps=4), SAXPY)
        >>> kernel.launch((0,), (2.0, None, None, 0)) is None, kernel.launch((1, 2), (2.0, None, None, 0)).totals["warps"]
        (True, 8)
        """
        sizes = [int(one) for one in grid] + [1] * (3 - len(grid))
        if not all(sizes):
            return None
        memory = Memory()
        found = list(self._values(args, memory, keywords.get("arch")))
        blocks = sizes[0] * sizes[1] * sizes[2]
        parameters = self.kernel.parameters
        for name, size in zip(("global scratch", "profile scratch"), self.scratch):
            if len(found) < len(parameters):
                found.append(memory.room(name, blocks * self.ctas * size) if size else bytes(8))
        if self.ctas > 1:
            keywords.setdefault("cluster", self.ctas)
        if getattr(self.metadata, "launch_cooperative_grid", False):
            keywords.setdefault("cooperative", True)
        return self.kernel[(sizes[0] * self.ctas, *sizes[1:]), self.block](
            *found, shared=self.shared, buffers=memory.buffers, **keywords
        )

    def _values(self, args: Sequence[Any], memory: Memory, arch: ArchLike | None) -> Iterator[bytes]:
        if len(args) != len(self.signature):
            raise TypeError(
                "%s takes %u arguments (%s), not %u"
                % (self.name, len(self.signature), ", ".join(self.signature), len(args))
            )
        maps = iter(getattr(self.metadata, "tensordesc_meta", None) or ())
        for (name, kind), value in zip(self.signature.items(), args):
            yield from _flat(str(name), kind, value, memory, maps, arch)

    def __repr__(self) -> str:
        return "TritonKernel %s(%s): %u threads, %u bytes of shared memory" % (
            self.name,
            ", ".join("%s: %s" % item for item in self.signature.items()),
            self.block[0],
            self.shared,
        )


def triton(compiled: Any) -> TritonKernel:
    """A kernel that Triton compiled, on wsim: what `kernel[grid](...)`, `kernel.warmup(...)` or `triton.compile` of
    Triton returns. With the package `wsim-triton` Triton launches all kernels on wsim itself.

    >>> import wsim
    >>> from types import SimpleNamespace as Space
    >>> compiled = Space(asm={"ptx": SAXPY}, metadata=Space(name="saxpy", shared=0, num_warps=4), src=Space())
    >>> compiled.src.signature = {"a": "fp32", "x": "*fp32", "y": "*fp32", "n": "i32"}
    >>> wsim.triton(compiled)
    TritonKernel saxpy(a: fp32, x: *fp32, y: *fp32, n: i32): 128 threads, 0 bytes of shared memory
    """
    for name in ("asm", "metadata", "src"):
        if not hasattr(compiled, name):
            raise TypeError("wsim.triton takes a kernel that Triton compiled, not %s" % type(compiled).__name__)
    if "ptx" not in compiled.asm:
        raise ValueError("the kernel has no PTX: compile it for GPUTarget('cuda', 90, 32), or another of NVIDIA")
    return TritonKernel(compiled.src.signature, compiled.metadata, compiled.asm["ptx"])


class Memory:
    """Memory that the kernel may access: the whole storage of each tensor."""

    def __init__(self) -> None:
        self.buffers: dict[str, Array] = {}

    def add(self, name: str, array: Array) -> None:
        while name in self.buffers:
            name += "'"
        self.buffers[name] = array

    def room(self, name: str, size: int) -> bytes:
        room = np.zeros(size + 128, np.uint8)
        at = -int(room.ctypes.data) % 128
        self.add(name, room[at : at + size])
        return int(room.ctypes.data + at).to_bytes(8, "little")

    def pointer(self, name: str, value: Any) -> int:
        """The address of an argument."""
        if value is None:
            return 0
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, np.ndarray):
            self.add(name, memory_of(value, name, write=False))
            return int(value.ctypes.data)
        if not hasattr(value, "data_ptr"):
            raise TypeError("%s is a pointer; %s is no tensor" % (name, type(value).__name__))
        address = int(value.data_ptr())
        while not hasattr(value, "untyped_storage") and hasattr(value, "base"):
            value = value.base
        self.storage(name, value)
        return address

    def storage(self, name: str, tensor: Any) -> None:
        """The storage of a torch tensor; all views of it share that."""
        if getattr(getattr(tensor, "device", None), "type", "cpu") != "cpu":
            raise ValueError("%s is on %s; wsim takes tensors on the CPU" % (name, tensor.device))
        storage = tensor.untyped_storage()
        if storage.nbytes():
            bytes_of = (ctypes.c_uint8 * storage.nbytes()).from_address(storage.data_ptr())
            self.add(name, np.frombuffer(bytes_of, np.uint8))

    def all_tensors(self) -> None:
        """Pointers in memory may lead to any tensor of the program."""
        torch: Any = sys.modules.get("torch")
        known = {int(one.ctypes.data) for one in self.buffers.values()}
        for one in gc.get_objects() if torch is not None else ():
            if issubclass(type(one), torch.Tensor) and one.device.type == "cpu" and one.layout == torch.strided:
                address = one.untyped_storage().data_ptr()
                if address not in known:
                    known.add(address)
                    self.storage("a tensor", one)


def _flat(
    name: str, kind: Any, value: Any, memory: Memory, maps: Iterator[Any], arch: ArchLike | None
) -> Iterator[bytes]:
    """The bytes of the parameters that one argument becomes. A tuple becomes those of its elements."""
    if isinstance(kind, tuple):
        for i, (one, part) in enumerate(zip(kind, value)):
            yield from _flat("%s.%u" % (name, i), one, part, memory, maps, arch)
    elif kind == "constexpr":
        return
    elif kind.startswith("tensordesc"):
        yield from _descriptor(name, value, memory, next(maps, None), arch)
    elif kind[0] == "*":
        yield memory.pointer(name, value).to_bytes(8, "little")
        if kind in ("*i64", "*u64"):
            memory.all_tensors()
    elif kind in FLOATS:
        yield struct.pack(FLOATS[kind], value)
    elif kind == "bf16":  # Triton cuts the lower half off
        yield struct.pack("<f", value)[2:]
    else:
        size = max(1, int(kind[1:]) // 8)
        yield (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def _descriptor(name: str, value: Any, memory: Memory, meta: Any, arch: ArchLike | None) -> Iterator[bytes]:
    """A tensor descriptor that the host made: the base or a tensor map, then its shape and strides."""
    address = memory.pointer(name, value.base)
    wide = [int(one).to_bytes(8, "little") for one in (*value.shape, *value.strides)]
    if meta is None:
        yield address.to_bytes(8, "little")
        yield from wide
        yield from (bytes([value.padding == "nan"]), bytes([bool(value.round_f32_to_tf32)]))
    else:
        yield bytes(_tensor_map(value, address, meta, arch))
    yield from (int(one).to_bytes(4, "little") for one in value.shape)
    yield from wide[len(value.shape) :]


def _tensor_map(value: Any, address: int, meta: Any, arch: ArchLike | None) -> TensorMap:
    shape, size = [int(one) for one in value.shape], int(meta["elem_size"])
    kind = 11 if getattr(value, "round_f32_to_tf32", False) else DEVICE_TYPES.get(meta["elem_type"], meta["elem_type"])
    block = [int(one) for one in meta["block_size"]]
    if meta.get("fp4_padded"):
        shape[-1] *= 2
    window: dict[str, Any] = {"box": block[::-1]}
    if meta.get("is_im2col", False):  # the block is pixels x channels
        window = {
            "mode": "im2col",
            "pixels": block[0],
            "channels": block[1],
            "lower": [int(one) for one in value.pixel_box_lower_corner][::-1],
            "upper": [int(one) for one in value.pixel_box_upper_corner][::-1],
        }
        if value.element_strides is not None:
            window["estrides"] = [int(one) for one in value.element_strides][::-1]
    return tensor_map(
        dtype=text_of(lib.wsim_tensor_name(lib.WSIM_TENSOR_LIST_DTYPE, kind)),
        dims=shape[::-1],
        strides=[int(one) * size for one in value.strides[-2::-1]],
        base=address,
        swizzle=text_of(lib.wsim_tensor_name(lib.WSIM_TENSOR_LIST_SWIZZLE, meta["swizzle"])),
        oob="NAN" if value.padding == "nan" else "ZERO",
        l2=2,
        arch=DEFAULT if arch is None else arch,
        **window,
    )
