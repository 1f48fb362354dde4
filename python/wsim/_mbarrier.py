"""Barriers in shared memory that count arrivals and bytes of copies."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._core import Array, Refused, check, integer, memory_of, new_diag, window_of
from ._wsim import ffi, lib


class BarrierState(NamedTuple):
    """The current phase (modulo 4), the arrivals that a phase expects, the pending arrivals, and the pending bytes
    (negative: bytes arrived before they were expected)."""

    phase: int
    expected: int
    pending: int
    bytes: int


class Mbarrier:
    """An mbarrier at a shared address. `shared` is used in place and begins at address `shared_base`. `count`
    initialises the barrier. Copies complete their bytes on it: `op.run(..., barrier=it)`, `TensorMap.load(...,
    barrier=it)`.

    >>> import numpy as np, wsim
    >>> shared = np.zeros(4096, np.uint8)
    >>> full = wsim.Mbarrier(shared, at=2048, count=1)
    >>> full.expect_tx(512); token = full.arrive()
    >>> full
    Mbarrier at 0x800: phase 0, 0 of 1 arrivals pending, 512 bytes missing
    >>> tma = wsim.tensor_map(np.ones((16, 16), np.float32), box=(16, 8))
    >>> tma.load((0, 0), shared=shared, barrier=full)
    Box of 512 bytes at 0x0, 0 of them out of bounds
    >>> full.test(token), full.test_parity(0), full.state.phase
    (True, True, 1)
    """

    def __init__(self, shared: Array, at: int = 0, count: int | None = None, *, shared_base: int = 0) -> None:
        self._array = memory_of(shared, "shared", write=False)
        self._window = window_of(self._array, "shared", integer(shared_base, "shared_base", 0, 0xFFFFFFFF))
        self.at = integer(at, "at", 0, 0xFFFFFFFF)
        self._raw = ffi.new("struct wsim_mbarrier *", {"shared": self._window, "at": self.at})
        if count is not None:
            self.init(count)

    def _do(self, name: str, *args: Any) -> None:
        diag = new_diag()
        check(getattr(lib, "wsim_mbarrier_" + name)(self._raw, *args, diag), diag)

    def init(self, count: int) -> None:
        """mbarrier.init: a phase completes after `count` arrivals and all expected bytes.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8))
        >>> barrier.init(3)
        >>> barrier.state
        BarrierState(phase=0, expected=3, pending=3, bytes=0)
        """
        self._do("init", integer(count, "count", 0, 0xFFFFFFFF))

    def inval(self) -> None:
        """mbarrier.inval: the bytes are no longer a barrier.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=1)
        >>> barrier.inval()
        >>> barrier
        Mbarrier at 0x0: the barrier at shared address 0x0 is not initialised: mbarrier.init comes first
        """
        self._do("inval")

    def arrive(self, count: int = 1) -> int:
        """mbarrier.arrive; returns the state before, a token for `test`.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=2)
        >>> token = barrier.arrive()
        >>> barrier.test(token), barrier.state.pending
        (False, 1)
        """
        token = ffi.new("uint64_t *")
        self._do("arrive", integer(count, "count", 0, 0xFFFFFFFF), token)
        return int(token[0])

    def arrive_drop(self, count: int = 1) -> int:
        """mbarrier.arrive_drop: like `arrive`, and later phases expect `count` arrivals less.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=3)
        >>> token = barrier.arrive_drop()
        >>> barrier.state.expected, barrier.state.pending
        (2, 2)
        """
        token = ffi.new("uint64_t *")
        self._do("arrive_drop", integer(count, "count", 0, 0xFFFFFFFF), token)
        return int(token[0])

    def expect_tx(self, bytes: int) -> None:
        """mbarrier.expect_tx: this phase expects `bytes` more.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=1)
        >>> barrier.expect_tx(1024)
        >>> barrier.state.bytes
        1024
        """
        self._do("expect_tx", integer(bytes, "bytes", 0, 0xFFFFFFFF))

    def complete_tx(self, bytes: int) -> None:
        """mbarrier.complete_tx: `bytes` have arrived, as a copy reports them.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=1)
        >>> barrier.expect_tx(16); barrier.complete_tx(16); token = barrier.arrive()
        >>> barrier.test(token)
        True
        """
        self._do("complete_tx", integer(bytes, "bytes", 0, 0xFFFFFFFF))

    def test(self, token: int) -> bool:
        """mbarrier.test_wait: true if the phase of a token of `arrive` is complete.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=1)
        >>> barrier.test(barrier.arrive())
        True
        """
        done = ffi.new("int *")
        self._do("test", integer(token, "token", 0, 2**64 - 1), done)
        return bool(done[0])

    def test_parity(self, parity: int) -> bool:
        """mbarrier.test_wait.parity: true if the phase of this parity, the current or the previous one, is complete.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=1)
        >>> barrier.test_parity(0), barrier.test_parity(1)
        (False, True)
        """
        done = ffi.new("int *")
        self._do("test_parity", integer(parity, "parity", 0, 0xFFFFFFFF), done)
        return bool(done[0])

    def wait(self, parity: int) -> None:
        """A loop of try_wait.parity. An endless wait is refused, with the missing arrivals and bytes.

        >>> import numpy as np, wsim
        >>> barrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=1)
        >>> barrier.wait(1)
        >>> try:
        ...     barrier.wait(0)
        ... except wsim.Refused as why:
        ...     print(why.rule)
        mbarrier.wait.endless
        """
        self._do("wait", integer(parity, "parity", 0, 0xFFFFFFFF))

    @property
    def state(self) -> BarrierState:
        """The state in the barrier's 8 bytes.

        >>> import numpy as np, wsim
        >>> wsim.Mbarrier(np.zeros(8, np.uint8), count=4).state.pending
        4
        """
        state = ffi.new("struct wsim_mbarrier_state *")
        self._do("read", state)
        return BarrierState(state.phase, state.expected, state.pending, state.bytes)

    def __repr__(self) -> str:
        try:
            phase, expected, pending, missing = self.state
        except Refused as why:
            return "Mbarrier at %#x: %s" % (self.at, why.text)
        came = "%d bytes missing" % missing if missing >= 0 else "%d bytes arrived before they were expected" % -missing
        return "Mbarrier at %#x: phase %u, %u of %u arrivals pending, %s" % (self.at, phase, pending, expected, came)
