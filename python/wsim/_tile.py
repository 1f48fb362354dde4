"""A and B of wgmma in shared memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _formats as formats
from ._core import Array, check, chosen, flag, integer, memory_of, new_diag, pointer
from ._descriptor import DescriptorLike, decode_any
from ._instruction import OPERANDS, Instruction
from ._picture import Picture
from ._wsim import ffi, lib


@dataclass(frozen=True)
class Tile:
    """A or B of a wgmma in shared memory: `rows` (rows of A, columns of B) of `k` elements of `bits` bits.

    >>> import wsim
    >>> wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
    Tile(rows=16, k=16, bits=16, mn_major=False, format='f16')
    """

    rows: int
    k: int
    bits: int
    mn_major: bool
    format: str

    @property
    def _raw(self) -> Any:
        raw = ffi.new("struct wsim_tile *")
        raw.rows, raw.k = integer(self.rows, "rows", 1, 256), integer(self.k, "k", 1, 256)
        raw.bits, raw.mn_major = integer(self.bits, "bits", 1, 32), flag(self.mn_major, "mn_major")
        raw.format = formats.named(self.format)
        return raw

    def addresses(self, descriptor: DescriptorLike) -> Array:
        """The shared address of the first byte of each element: uint32 of shape (rows, k).

        >>> import wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
        >>> tile.addresses(wsim.desc.Descriptor(start=1024, leading=16, stride=1024, swizzle="128B"))[:3, :9:8].tolist()
        [[1024, 1040], [1168, 1152], [1312, 1328]]
        """
        found = np.empty((self.rows, self.k), np.uint32)
        lib.loop_tile(decode_any(descriptor)._raw, self._raw, pointer("uint32_t *", found))
        return found

    def picture(self, descriptor: DescriptorLike, row: int | None = None, k: int | None = None) -> Picture:
        """The elements that a descriptor addresses: rows by pieces of 16 bytes, coloured by bank. `row` and `k` mark
        elements.

        >>> import wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
        >>> picture = tile.picture(wsim.desc.Descriptor(1024, 16, 1024, "128B"), row=1, k=8)
        >>> print(picture.write("csv").splitlines()[1])
        1,8,0x00480
        """
        decoded, made = decode_any(descriptor), ffi.new("struct wsim_picture *")
        title = ffi.new("char[]", ascii(decoded).encode())
        marked = {
            name: -1 if value is None else integer(value, name, 0, most - 1)
            for name, value, most in (("row", row, self.rows), ("k", k, self.k))
        }
        drawn = ffi.new(
            "struct wsim_operand_tile *",
            {"title": title, "descriptor": decoded._raw[0], "tile": self._raw[0], **marked},
        )
        lib.wsim_picture_descriptor(drawn, made)
        return Picture(made, drawn, title)

    def _places(self, descriptor: DescriptorLike, shared: Array, base: int) -> tuple[Array, Array]:
        memory = memory_of(shared, "shared", write=False).reshape(-1).view(np.uint8)
        at = self.addresses(descriptor).astype(np.int64) - integer(base, "shared_base", 0, 0xFFFFFFFF)
        if int(at.min()) < 0 or int(at.max()) + max(self.bits // 8, 1) > memory.size:
            raise ValueError(
                "the tile is at bytes %d to %d of shared memory, which has %d"
                % (int(at.min()), int(at.max()) + max(self.bits // 8, 1) - 1, memory.size)
            )
        return memory, at

    def store(self, matrix: object, descriptor: DescriptorLike, shared: Array, shared_base: int = 0) -> None:
        """Writes a matrix of shape (rows, k) to the bytes that the descriptor addresses.

        >>> import numpy as np, wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
        >>> shared = np.zeros(2048, np.uint8)
        >>> where = wsim.desc.Descriptor(start=0, leading=16, stride=1024, swizzle="128B")
        >>> tile.store(np.ones((16, 16), np.float16), where, shared)
        >>> int(tile.load(where, shared).sum() == 256 * 0x3c00)
        1
        """
        given = np.asarray(matrix)
        if given.shape != (self.rows, self.k):
            raise ValueError(
                "the matrix has shape %s; the tile has (rows, k) = %s" % (given.shape, (self.rows, self.k))
            )
        elements = formats.elements_of(given, formats.named(self.format), self.bits, "the matrix")
        memory_of(shared, "shared")
        memory, at = self._places(descriptor, shared, shared_base)
        if self.bits >= 8 and np.unique(at).size < at.size:
            raise ValueError(
                "under %s elements of the tile lie on each other: %u of them at %u addresses"
                % (decode_any(descriptor), at.size, np.unique(at).size)
            )
        if self.bits == 1:
            bit = np.broadcast_to(np.arange(self.k) % 8, at.shape)
            np.bitwise_and.at(memory, at, (~(1 << bit) & 0xFF).astype(np.uint8))
            np.bitwise_or.at(memory, at, (elements.astype(np.int64) << bit).astype(np.uint8))
        for byte in range(self.bits // 8):
            memory[at + byte] = (elements >> np.uint64(8 * byte) & np.uint64(0xFF)).astype(np.uint8)

    def load(self, descriptor: DescriptorLike, shared: Array, shared_base: int = 0) -> Array:
        """The raw bits of the matrix that the descriptor addresses, of shape (rows, k).

        >>> import numpy as np, wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16").tile("b")
        >>> shared = np.arange(128, dtype=np.uint16)
        >>> tile.load(wsim.desc.Descriptor(start=0, leading=128, stride=256), shared)[1, :3].tolist()
        [8, 9, 10]
        """
        memory, at = self._places(descriptor, shared, shared_base)
        if self.bits == 1:
            bits: Array = memory[at] >> (np.arange(self.k) % 8).astype(np.uint8) & np.uint8(1)
            return bits
        found = np.zeros(at.shape, np.uint64)
        for byte in range(self.bits // 8):
            found |= memory[at + byte].astype(np.uint64) << np.uint64(8 * byte)
        return found.astype(formats.raw_type(self.bits))


def of(op: Instruction, operand: str, mn_major: bool = False) -> Tile:
    """The tile of operand "a" or "b"."""
    chosen(operand, "operand", ("a", "b"))
    raw, diag = ffi.new("struct wsim_tile *"), new_diag()
    check(lib.wsim_wgmma_tile(op._raw, OPERANDS.index(operand), flag(mn_major, "mn_major"), raw, diag), diag)
    return Tile(raw.rows, raw.k, raw.bits, bool(raw.mn_major), formats.name_of(raw.format))
