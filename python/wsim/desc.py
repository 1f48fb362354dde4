"""Matrix descriptors of wgmma: 64 bits that give the place of a matrix in shared memory."""

from __future__ import annotations

from . import _tile
from ._arch import ArchLike, row_of
from ._core import new_diag, text_of
from ._descriptor import Descriptor, DescriptorLike, decode, decode_any, encode
from ._instruction import Instruction
from ._wsim import ffi, lib

__all__ = ["Descriptor", "advice", "decode", "encode"]


def advice(
    descriptor: DescriptorLike, op: Instruction, operand: str, mn_major: bool = False, arch: ArchLike | None = None
) -> list[str]:
    """Warnings about a descriptor that is legal but probably wrong, one sentence each.

    >>> import wsim
    >>> op = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16")
    >>> where = wsim.desc.encode(start=0x480, stride=1024, swizzle="128B")
    >>> print(wsim.desc.advice(where, op, "b")[0][:60])
    start 0x480 is not aligned to the swizzle repeat, 1024 bytes
    """
    found, cursor, diag = [], ffi.new("uint32_t *"), new_diag()
    row = ffi.NULL if arch is None else row_of(arch)
    while lib.wsim_descriptor_advice(
        decode_any(descriptor)._raw, _tile.of(op, operand, mn_major)._raw, row, cursor, diag
    ):
        found.append(text_of(diag.text))
    return found
