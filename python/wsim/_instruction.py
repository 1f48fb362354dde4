"""The identity of an instruction: its spelling, family, shape, operands and targets."""

from __future__ import annotations

from typing import Any

from ._arch import ArchLike, row_of
from ._core import check, flag, new_diag, owned, text_of
from ._wsim import ffi, lib

OPERANDS = ("d", "a", "b", "c", "e", "sfa", "sfb", "r")


class Instruction:
    """The part of `wsim.Op` that needs no operands; results name their instruction by it.

    >>> import wsim
    >>> layout = wsim.op("movmatrix.sync.aligned.m8n8.trans.b16").layout("d")
    >>> layout.op.family, str(layout.op)
    ('movmatrix', 'movmatrix.sync.aligned.m8n8.trans.b16')
    """

    def __init__(self, raw: Any) -> None:
        self._raw = owned(raw, "struct wsim_op *", "wsim.Op", "wsim.op(name)")
        self._codes: dict[tuple[str, int], Any] = {}
        info, spelling = lib.wsim_op_describe(raw), ffi.new("char[]", 192)
        lib.wsim_op_spell(raw, spelling)
        self._info, self.spelling = info, text_of(spelling)
        self.family, self.row, self.feature, self.source = map(
            text_of, (info.family_name, info.row, info.feature, info.source)
        )
        self.m, self.n, self.k = int(info.m), int(info.n), int(info.k)
        self.ptx, self.threads, self.sparse = info.ptx / 10, int(info.threads), bool(info.sparse)
        self.operands = tuple(name for i, name in enumerate(OPERANDS) if info.operands >> i & 1)

    def __str__(self) -> str:
        return self.spelling

    def __repr__(self) -> str:
        return "wsim.op(%r)" % self.spelling

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruction) and other.spelling == self.spelling

    def __hash__(self) -> int:
        return hash(self.spelling)

    def legal(self, arch: ArchLike) -> bool:
        """True if an architecture has the instruction.

        >>> import wsim
        >>> fp8 = wsim.op("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
        >>> fp8.legal("a100"), fp8.legal("h100")
        (False, True)
        """
        return not lib.wsim_op_check(self._raw, row_of(arch), ffi.NULL)

    def executes(self, arch: ArchLike) -> bool:
        """True if an architecture has the instruction and the library models its results or its cost there.

        >>> import wsim
        >>> wsim.op("mma.m16n8k32.f32.e4m3").executes("l40s"), wsim.op("wgmma.fence.sync.aligned").executes("h100")
        (True, False)
        """
        row, code = row_of(arch), ffi.new("struct wsim_code *")
        return not lib.wsim_prepare(self._raw, row, 0, code, ffi.NULL)

    def _does(self, bits: int) -> bool:
        """Whether it does any of these WSIM_DOES_... bits."""
        return bool(self._info.does & bits)

    def _is_group(self) -> bool:
        """Whether a warpgroup multiplies with it."""
        return self._does(lib.WSIM_DOES_MULTIPLY) and bool(self._info.threads > 32)

    def _prepare(self, arch: ArchLike, plain: bool) -> Any:
        row, flags = row_of(arch), lib.WSIM_PLAIN if flag(plain, "plain") else 0
        key = text_of(lib.wsim_arch_name(row)), flags
        code = self._codes.get(key)
        if code is None:
            code, diag = ffi.new("struct wsim_code *"), new_diag()
            check(lib.wsim_prepare(self._raw, row, flags, code, diag), diag)
            self._codes[key] = code
        return code


def spelled(name: str) -> Instruction:
    """The instruction of a complete spelling."""
    raw, diag = ffi.new("struct wsim_op *"), new_diag()
    check(lib.wsim_op_parse(name.encode(), raw, diag), diag)
    return Instruction(raw)
