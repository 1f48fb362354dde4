"""Converts the operands of `Op.run` to those of the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np

from . import _cost, _layout, _metadata, _tile
from . import _formats as formats
from ._arch import ArchLike
from ._core import Array, completed, flag, integer, keywords_of, memory_of, words
from ._descriptor import Descriptor, as_bits
from ._instruction import Instruction
from ._io import Io
from ._layout import Layout
from ._operands import REGISTERS, WGMMA, Operands, set_numbers
from ._tensor import TensorMap
from ._wsim import lib


@dataclass(frozen=True)
class Operand:
    """An array with its meaning; `wsim.fragment` and `wsim.matrix` make it."""

    array: Array
    is_fragment: bool


def fragment(array: object) -> Operand:
    """Marks an operand as registers: uint32, one row per lane and one column per register. Only needed where a matrix
    has the same shape.

    >>> import numpy as np, wsim
    >>> wsim.fragment(np.zeros((32, 8), np.uint32)).is_fragment
    True
    """
    return Operand(np.asarray(array), True)


def matrix(array: object) -> Operand:
    """Marks an operand as a matrix. Only needed where a fragment has the same shape.

    >>> import numpy as np, wsim
    >>> wsim.matrix(np.zeros((32, 8), np.uint32)).is_fragment
    False
    """
    return Operand(np.asarray(array), False)


@dataclass(frozen=True)
class Call:
    """An instruction with its operands, ready to run; `registers` are those of D."""

    code: Any
    box: Io
    layout: Layout | None
    registers: Array | None


def encoded(op: Instruction, operand: str, numbers: object, rounding: str = "rn") -> Array:
    """Numbers rounded to the format of an operand, as raw bits."""
    if op._is_group() and operand == "b":
        tile = _tile.of(op, "b")
        return formats.encode(tile.format, numbers, rounding, tile.bits)
    layout = _layout.of(op, operand, None)
    return formats.encode(layout.format, numbers, rounding, layout.elem_bits if layout._raw.format.pad else None)


def _rounded(op: Instruction, name: str, value: object) -> object:
    """A matrix of numbers as raw bits; fragments, raw bits, descriptors and metadata as they are."""
    array = value.array if isinstance(value, Operand) else np.asarray(value)
    is_fragment = isinstance(value, Operand) and value.is_fragment
    if name == "e" or is_fragment or array.ndim == 0 or array.dtype.kind == "u" or not formats.is_number(array.dtype):
        return value
    return matrix(encoded(op, name, array))


def call_of(op: Instruction, operands: Mapping[str, object]) -> Call:
    """Checks the operands and puts them into the structs of the library."""
    given, box = completed(Operands, operands, str(op)), Io(op._info.view)
    code, wgmma = op._prepare(given["arch"], given["plain"]), op._is_group()
    registers = {name: given[name] for name in REGISTERS if given[name] is not None}
    for name in registers:
        if name not in op.operands and not (wgmma and name in "ab"):
            raise ValueError(
                "%s has no operand %r; it has %s" % (op, name, ", ".join(op.operands) or "none of registers")
            )
    if not wgmma and any(given[name] is not keywords_of(Operands)[name].default for name in WGMMA):
        raise ValueError("%s has no %s: wgmma has" % (op, ", ".join(WGMMA)))
    if flag(given["round"], "round"):
        registers = {name: _rounded(op, name, value) for name, value in registers.items()}
    set_numbers(box.view, given)
    _lanes(op, box, given)  # first, because a function of the lane may change the other operands
    if op.sparse and "a" in registers and "e" not in registers:
        registers["a"], registers["e"] = _compress_operand(op, registers["a"], box.view.selector)
    shared = given["shared"]
    if wgmma:
        shared = _wgmma(op, box, registers, shared, bool(box.view.trans_b))
        scale_d = given["scale_d"]
        box.view.scale_d = "c" in registers if scale_d is None else integer(scale_d, "scale_d", 0, 1)
    tensor = given["map"]
    if tensor is not None and not isinstance(tensor, TensorMap):
        raise TypeError("map has to be a wsim.TensorMap, not %s" % type(tensor).__name__)
    box.copy(tensor, given["coords"], given["offsets"], given["barrier"])
    _memory(op, box, given, shared)
    layout, result = _fill(op, box, registers, given["arch"])
    return Call(code, box, layout, result)


def _lanes(op: Instruction, box: Io, given: Mapping[str, Any]) -> None:
    """Operands with one value per lane."""
    for name, field in (("addresses", "addr"), ("source", "src")):
        if given[name] is not None:
            full = _cost.addresses_of(given[name], op, name, wide=True)
            box.lanes(field, (full & np.uint64(0xFFFFFFFF)).astype(np.uint32))
            box.lanes(field + "_hi", (full >> np.uint64(32)).astype(np.uint32))
    if given["source_size"] is not None:
        box.lanes("src_size", words(given["source_size"], "source_size", (32,)))
    mask = _cost.mask_of(given["mask"])
    if box.has("mask"):
        box.view.mask = mask


def _memory(op: Instruction, box: Io, given: Mapping[str, Any], shared: Array | None) -> None:
    """Windows of shared and global memory. The library refuses bulk copies into read-only memory."""
    tensor, stores = given["map"], op._does(lib.WSIM_DOES_STORE)
    if shared is not None:
        memory = memory_of(shared, "shared", stores or (op._does(lib.WSIM_DOES_COPY) and op._info.threads > 1))
        box.memory("shared", memory, integer(given["shared_base"], "shared_base", 0, 0xFFFFFFFF))
    memory, base = given["global_memory"], given["global_base"]
    if memory is not None:
        memory = memory_of(memory, "global_memory", stores)
    elif tensor is not None:
        memory = tensor.array
    if memory is not None:
        if base is None:
            base = 0 if tensor is None else int(tensor._raw.base)
        box.memory("global", memory, integer(base, "global_base", 0, 2**64 - 1))


def _fill(op: Instruction, box: Io, registers: dict[str, object], arch: ArchLike) -> tuple[Layout | None, Array | None]:
    """Packs the register operands and allocates the registers of D."""
    leaves = "d" in op.operands and op._info.does != 0
    for name, value in registers.items():
        end = name[2:] if name in ("sfa", "sfb") else ""
        batch = (getattr(box.view, "bid_" + end), getattr(box.view, "tid_" + end)) if end else None
        box.registers(name, _registers(op, _layout.of(op, name, arch), name, value, batch))
    if "c" in op.operands and "c" not in registers and not op._is_group():
        c = _layout.of(op, "c", arch)
        box.registers("c", np.zeros((c.regs, c.lanes), np.uint32))
    if not leaves:
        return None, None
    layout = _layout.of(op, "d", arch)
    result = np.zeros((layout.regs, layout.lanes), np.uint32)
    box.registers("d", result)
    return layout, result


def _compress_operand(op: Instruction, a: object, selector: int) -> tuple[object, object]:
    """Turns a dense A into its fragment and metadata."""
    if isinstance(a, (int, Descriptor)):
        raise ValueError("%s: A in shared memory needs its metadata e" % op)
    array = a.array if isinstance(a, Operand) else np.asarray(a)
    if array.shape != (op.m, op.k):
        raise ValueError(
            "a has shape %s; %s needs the dense matrix of shape %s, or the stored elements and their metadata e"
            % (array.shape, op, (op.m, op.k))
        )
    stored, metadata = _metadata.compress(op, array, selector)
    return fragment(stored), metadata


def _wgmma(op: Instruction, box: Io, given: dict[str, object], shared: Array | None, trans_b: bool) -> Array | None:
    """Takes operands in shared memory out of the registers; a matrix B gets new shared memory."""
    for name in "ab":
        value = given.get(name)
        if isinstance(value, (int, np.integer, Descriptor)):
            setattr(box.view, "desc_" + name, as_bits(value))
            del given[name]
        elif name == "b" and value is not None:
            if shared is not None or trans_b:
                raise ValueError(
                    "b is a matrix, which gets shared memory and a descriptor of its own: omit shared and trans_b, or "
                    "pass a descriptor as b"
                )
            tile = _tile.of(op, "b")
            array = value.array if isinstance(value, Operand) else np.asarray(value)
            if array.shape != (tile.k, tile.rows):
                raise ValueError("b has shape %s; %s needs (k, n) = %s" % (array.shape, op, (tile.k, tile.rows)))
            shared = np.zeros(tile.rows * tile.k * tile.bits // 8, np.uint8)
            # Pieces of 8 rows of 16 bytes, those along k side by side.
            where = Descriptor(start=0, leading=128, stride=8 * tile.k * tile.bits // 8)
            tile.store(array.T, where, shared)
            box.view.desc_b = int(where)
            del given[name]
    return shared


def _registers(op: Instruction, layout: Layout, name: str, value: object, batch: tuple[int, int] | None) -> Array:
    """Packs an operand into registers."""
    given = value.array if isinstance(value, Operand) else np.asarray(value)
    if given.dtype.hasobject:
        raise TypeError("%s is an array of Python objects" % name)
    shape, known = (layout.lanes, layout.regs), value.is_fragment if isinstance(value, Operand) else None
    fits = given.shape == shape or (given.shape == (layout.lanes,) and layout.regs == 1)
    looks = fits and given.dtype.kind in "iu" and given.dtype.itemsize == 4
    plain = (layout.rows, layout.cols) if batch is not None else layout.shape
    if known is None and looks and given.shape == plain:
        raise ValueError(
            "%s of shape %s can be a matrix or a fragment: pass wsim.matrix(...) or wsim.fragment(...)" % (name, shape)
        )
    if known or (known is None and (looks or name == "e")):
        if name == "e":
            given = words(given.reshape(-1), "e", (layout.lanes,)).reshape(layout.lanes, 1)
        return layout._words(given, name)
    if given.shape != plain:
        raise ValueError(
            "%s has shape %s; %s needs a matrix of shape %s of %s, or a fragment of uint32 of shape %s"
            % (name, given.shape, op, plain, formats.describe(layout._raw.format, layout.elem_bits), shape)
        )
    if batch is not None:
        whole = np.zeros(layout.shape if layout.batches > 1 else (1, *layout.shape), np.uint64)
        whole[_selected(op, layout, *batch)] = formats.elements_of(given, layout._raw.format, layout.elem_bits, name)
        return layout._pack_words(whole)
    return layout._pack_words(formats.elements_of(given, layout._raw.format, layout.elem_bits, name))


def _selected(op: Instruction, layout: Layout, byte: int, thread: int) -> int:
    """The index of the scale factor matrix that byte-id and thread-id select."""
    lane, places = 0, [bit for bit in range(5) if layout._raw.lane[bit] >> 24]
    for i, bit in enumerate(places):
        lane |= (thread >> i & 1) << bit
    if byte >= layout.elems or thread >> len(places):
        return 0  # the library refuses these numbers
    return int(lib.wsim_layout_coord(layout._raw, lane, byte).batch)
