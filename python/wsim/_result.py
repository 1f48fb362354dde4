"""The result of an instruction in registers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Array, shown
from ._instruction import Instruction
from ._io import Copied
from ._layout import Layout


def _are_registers(layout: object, registers: object) -> bool:
    return (
        isinstance(layout, Layout)
        and isinstance(registers, np.ndarray)
        and registers.dtype == np.uint32
        and registers.shape == (layout.regs, layout.lanes)
        and registers.flags.c_contiguous
    )


class Result:
    """The result of an instruction.

    >>> import numpy as np, wsim
    >>> mma = wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
    >>> r = mma.run(a=np.full((8, 16), 2, np.int8), b=np.ones((16, 8), np.int8))
    >>> r.d.dtype.name, r.d.shape, r.fragment.shape, int(r.bits[0, 0])
    ('int32', (8, 8), (32, 2), 32)
    """

    def __init__(
        self, op: Instruction, arch: str, layout: Layout | None, registers: Array | None, copied: Copied | None = None
    ) -> None:
        if layout is not None and not _are_registers(layout, registers):
            raise TypeError("wsim.Result cannot be made of %s; wsim.op(name).run(...) makes it" % shown(registers))
        self.op, self.arch, self._layout, self._registers, self._copied = op, arch, layout, registers, copied

    @property
    def layout(self) -> Layout:
        """The layout of D.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
        >>> r = mma.run(a=np.zeros((8, 16), int), b=np.zeros((16, 8), int))
        >>> r.layout.operand
        'd'
        """
        if self._layout is None:
            raise AttributeError("%s writes no registers; its result is in the memory that it was given" % self.op)
        return self._layout

    @property
    def fragment(self) -> Array:
        """The registers of D: uint32, one row per lane and one column per register, as CUDA threads would dump them.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
        >>> r = mma.run(a=np.ones((8, 16), int), b=np.ones((16, 8), int))
        >>> r.fragment[31].tolist()
        [16, 16]
        """
        self.layout
        assert self._registers is not None
        return np.ascontiguousarray(self._registers.T)

    @property
    def bits(self) -> Array:
        """D as raw bits: unsigned integers with the width of an element.

        >>> import numpy as np, wsim
        >>> r = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16").run(a=np.eye(16, 8), b=np.eye(8))
        >>> hex(r.bits[3, 3]), r.bits.dtype.name
        ('0x3c00', 'uint16')
        """
        layout = self.layout
        assert self._registers is not None
        return layout._matrix(self._registers).astype(layout.dtype)

    @property
    def d(self) -> Array:
        """D as numbers, in the type of its format; as raw bits if the format is not numeric.

        >>> import numpy as np, wsim
        >>> r = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16").run(a=np.eye(16, 8), b=np.eye(8))
        >>> float(r.d[3, 3]), r.d.dtype.name
        (1.0, 'float16')
        """
        return self.layout.values(self.bits)

    @property
    def copied(self) -> Copied:
        """The result of a bulk copy.

        >>> import numpy as np, wsim
        >>> load = wsim.op("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes")
        >>> shared = np.zeros(1024, np.uint8)
        >>> load.run(shared=shared, global_memory=np.ones(64, np.uint8), shared_at=512, bytes=64).copied.bytes
        64
        >>> int(shared.sum())
        64
        """
        if self._copied is None:
            raise AttributeError("%s is not a bulk copy" % self.op)
        return self._copied

    def __getitem__(self, index: Any) -> Any:
        """Elements of `d`.

        >>> import numpy as np, wsim
        >>> r = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16").run(a=np.eye(16, 8), b=np.eye(8))
        >>> float(r[3, 3]), r[0].tolist()
        (1.0, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        """
        return self.d[index]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.d, dtype) if copy or dtype is not None else self.d

    def __repr__(self) -> str:
        if self._copied is not None:
            return "Result of %s on %s: %u bytes, %u of them out of bounds" % (self.op, self.arch, *self._copied[:2])
        if self._layout is None:
            return "Result of %s on %s: in memory" % (self.op, self.arch)
        return "Result of %s on %s:\n%r" % (self.op, self.arch, self.d)
